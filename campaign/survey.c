// SPDX-License-Identifier: Apache-2.0
//
// Runs programs through the target and sorts each answer. Several jobs are submitted at a time, so
// that our work and the compiler's overlap.
#include "survey.h"

#include "base/interrupt.h"

#include "llir/llir.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *line;
    bool seeds; // each seed is kept: the output is valid
} kinds[SURVEY_KINDS] = {
    [SURVEY_AGREES] = {"agrees", "leaves the expected memory"},
    [SURVEY_REFUSED] = {"refused", "by the compiler's verifier, or with an error message"},
    [SURVEY_CRASH] = {"crash", "a fatal error or a signal"},
    [SURVEY_HANG] = {"hang", "the compiler does not end"},
    [SURVEY_REPAIRED] = {"repaired", "invalid output, but right after the merge repair"},
    [SURVEY_INVALID] = {"invalid", "the output is not valid"},
    [SURVEY_WRONG] = {"wrong", "the output leaves other memory", true},
    [SURVEY_LEAD] = {"lead", "other memory, but the expected one was not promised", true},
    [SURVEY_UNDEFINED] = {"undefined", "the output is undefined", true},
    [SURVEY_ENDLESS] = {"endless", "the output does not end", true},
    [SURVEY_SPLIT] = {"split", "right only if tangles join at the output's switches", true},
    [SURVEY_COMPILED] = {"compiled", "compiled; the output was not run"},
    [SURVEY_OTHER] = {"other", "nothing compared, or more choices exist than were tried", true},
};

const char *survey_kind_name(enum survey_kind k)
{
    return kinds[k].name;
}

const char *survey_kind_line(enum survey_kind k)
{
    return kinds[k].line;
}

// A program in progress.
struct asked {
    struct arena arena;
    struct gen_made made;
    struct prediction *predicted;
    uint64_t seed;
};

// ---- sorting -----------------------------------------------------------------------------

static bool has_switch(const uint32_t *words, size_t count)
{
    for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
        if ((words[at] & 0xffff) == SpvOpSwitch)
            return true;
    return false;
}

// True if an implementation that splits at the output's switches would get other results.
static bool splits(struct arena *a, const struct prediction *p, const struct run_result *r)
{
    struct spv_choices choices = {.base = SPV_POLICY_SPLIT};
    struct orc_options o = {.policy = &choices};
    struct orc_result seen;
    struct judge_verdict v;
    struct spv_case made = *p->c;
    if (r->form != RUN_FORM_SPIRV || p->made.stats.choice_points ||
        !has_switch(r->words, r->word_count))
        return false;
    made.words = r->words;
    made.count = r->word_count;
    made.body = NULL;
    orc_predict(a, &made, p->subgroup, &o, &seen);
    if (seen.why.status != RAN_OK)
        return seen.why.status != RAN_UNSUPPORTED;
    judge_compare(p->c, p->made.memory, seen.memory, seen.memory_count, &v);
    return judge_class_is_mismatch(v.klass);
}

static enum survey_kind kind_of(const struct judge_verdict *v, enum run_status status)
{
    if (judge_class_is_mismatch(v->klass))
        return SURVEY_WRONG;
    switch (v->klass) {
    case JUDGE_AGREES:
        return SURVEY_AGREES;
    case JUDGE_REJECTED:
        return SURVEY_REFUSED;
    case JUDGE_CRASH:
    case JUDGE_MEMORY:
        return SURVEY_CRASH;
    case JUDGE_HANG:
        return status == RUN_HUNG ? SURVEY_HANG : SURVEY_ENDLESS;
    case JUDGE_INVALID_OUTPUT:
        return v->repair_at && v->repaired == JUDGE_AGREES ? SURVEY_REPAIRED : SURVEY_INVALID;
    case JUDGE_UNDEFINED_OUTPUT:
        return SURVEY_UNDEFINED;
    case JUDGE_COMPILED:
        return SURVEY_COMPILED;
    default:
        return SURVEY_OTHER;
    }
}

// True if the expected memory follows from a model that was not promised.
static bool is_lead(const struct prediction *p, const struct run_result *r,
                    const struct spv_choices *policy)
{
    struct spv_case c = *p->c;
    c.subgroup = p->subgroup;
    c.policy = *policy;
    c.has_policy = true;
    return r->memory && judge_is_lead(c.model, judge_weakest(&c, r->memory));
}

static struct survey_row *row_of(struct survey *s, enum survey_kind kind,
                                 const struct diag_signature *signature)
{
    for (size_t i = 0; i < s->rows.n; i++)
        if (s->rows.v[i].kind == kind && strcmp(s->rows.v[i].signature.text, signature->text) == 0)
            return &s->rows.v[i];
    struct survey_row *row = VEC_PUSH(&s->keep, &s->rows);
    *row = (struct survey_row){.kind = kind, .signature = *signature};
    return row;
}

static void count_skip(struct survey *s, const char *why)
{
    for (size_t i = 0; i < s->skips.n; i++)
        if (strcmp(s->skips.v[i].why, why) == 0) {
            s->skips.v[i].n++;
            return;
        }
    *VEC_PUSH(&s->keep, &s->skips) = (struct survey_skip){arena_str(&s->keep, why), 1};
}

static void sort_answer(const struct survey_options *o, struct survey *s, struct asked *x,
                        struct run_result *r)
{
    struct shown_policy shown = {0};
    struct judged judged;
    struct diag_signature signature;
    const struct prediction *p = &x->predicted[0];
    s->driver_seconds += r->driver_seconds;
    judge_result(&x->arena, s->tools, p, r, &shown, &judged);
    const struct judge_verdict *v = &judged.verdict;
    if (v->klass == JUDGE_SKIPPED || v->klass == JUDGE_UNDEFINED || v->klass == JUDGE_UNJUDGED) {
        count_skip(s, v->text);
        return;
    }
    enum survey_kind kind = kind_of(v, r->status);
    if (o->split && kind == SURVEY_AGREES && splits(&x->arena, p, r))
        kind = SURVEY_SPLIT;
    if (kind == SURVEY_WRONG && is_lead(p, r, &judged.policy))
        kind = SURVEY_LEAD;
    s->asked++;
    s->live += v->live_bits;
    s->by_kind[kind]++;
    if (kind == SURVEY_AGREES || kind == SURVEY_COMPILED)
        return;
    diag_signature(p->c, v, o->target, s->info.driver, r->text[0] ? r->text : NULL, NULL,
                   &signature);
    struct survey_row *row = row_of(s, kind, &signature);
    if (!row->n++)
        row->first = x->seed;
    if (kinds[kind].seeds)
        *VEC_PUSH(&s->keep, &row->seeds) = x->seed;
    if (row->words && row->words <= p->c->count)
        return;
    row->words = p->c->count;
    row->seed = x->seed;
    snprintf(row->text, sizeof row->text, "%s", v->text);
    row->known =
        report_known_finding(o->known, o->known_count, o->target, s->info.driver, &signature);
}

// ---- the run -----------------------------------------------------------------------------

static void make(const struct gen_options *g, struct asked *x)
{
    struct gen_choices c;
    char context[40];
    snprintf(context, sizeof context, "seed %llu", (unsigned long long)x->seed);
    check_context(context);
    arena_reset(&x->arena);
    gen_choices_seed(&c, &x->arena, x->seed);
    gen_make(&c, g, &x->made);
    x->predicted = judge_predict(&x->arena, x->made.cases, 1, g->subgroup, SPV_POLICY_JOIN);
    check_context(NULL);
}

// Runs each row's smallest case once more.
static void ask_again(const struct survey_options *o, struct survey *s, struct run_target *t)
{
    struct asked x = {0};
    for (size_t i = 0; i < s->rows.n && !interrupted(); i++) {
        struct survey_row *row = &s->rows.v[i];
        struct shown_policy shown = {0};
        struct run_result r;
        struct judged judged;
        struct diag_signature signature;
        x.seed = row->seed;
        make(&s->gen, &x);
        run_case(t, &x.arena, x.made.cases, s->gen.subgroup, &r);
        judge_result(&x.arena, s->tools, &x.predicted[0], &r, &shown, &judged);
        diag_signature(x.made.cases, &judged.verdict, o->target, s->info.driver,
                       r.text[0] ? r.text : NULL, NULL, &signature);
        row->repeats = strcmp(signature.text, row->signature.text) == 0;
    }
    arena_free(&x.arena);
}

// Sorts by kind, then new before known, then most frequent first.
static int order(const void *x, const void *y)
{
    const struct survey_row *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (!a->known != !b->known)
        return a->known ? 1 : -1;
    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return strcmp(a->signature.text, b->signature.text);
}

static bool survey(const struct survey_options *o, struct survey *s, struct run_target *t,
                   struct err *e)
{
    struct asked slots[RUN_QUEUE_FAR] = {0}, *queue[RUN_QUEUE_FAR];
    struct arena answers = {0};
    uint32_t n = 0;
    uint64_t next = o->first;
    bool ok = true;
    for (uint32_t i = 0; i < RUN_QUEUE_FAR; i++)
        queue[i] = &slots[i];
    while (ok) {
        // queue[0 .. n) wait for their answers in this order; the others are free.
        while (n < run_queue(t) && next < o->first + o->cases && !interrupted()) {
            queue[n]->seed = next++;
            make(&s->gen, queue[n]);
            s->made++;
            if (!judge_usable(&queue[n]->predicted[0])) {
                s->unusable++;
                continue;
            }
            CHECK(run_submit(t, queue[n]->made.cases, 1, s->gen.subgroup));
            n++;
        }
        if (!n || interrupted())
            break;
        struct run_result *r;
        arena_reset(&answers);
        if (!run_take(t, &answers, 0.1, &r))
            continue;
        struct asked *x = queue[0];
        if (r->status == RUN_FAILED)
            ok = err_set(e, "%.500s", r->text);
        else
            sort_answer(o, s, x, r);
        memmove(queue, queue + 1, --n * sizeof *queue);
        queue[n] = x;
    }
    // The queue permutes the slots, so free them by slot.
    for (uint32_t i = 0; i < RUN_QUEUE_FAR; i++)
        arena_free(&slots[i].arena);
    arena_free(&answers);
    return ok;
}

bool survey_run(const struct survey_options *o, struct survey *s, struct err *e)
{
    *s = (struct survey){.tools = spv_tools_new(), .gen = o->gen};
    struct run_target *t = run_open(o->target, o->self, &o->run, e);
    if (!t)
        return false;
    s->info = *run_info(t);
    bool ok = run_is_compiler(&s->info) || run_only_compiles(&s->info) ||
              err_set(e, "'%s' is not a compiler: use fuzz for devices", o->target);
    if (ok && s->gen.model == SPV_MAXIMAL && !run_offers(&s->info, SPV_NEED(MAXIMAL_RECONVERGENCE)))
        ok = err_set(e,
                     "'%s' does not promise maximal reconvergence; use --model assumed-maximal to "
                     "judge it as if it did",
                     o->target);
    s->gen.subgroup = s->gen.subgroup ? s->gen.subgroup : s->info.subgroup_size;
    campaign_keep_offered(&s->gen, &s->info, s->dropped, sizeof s->dropped);
    if (ok && !s->gen.features)
        ok = err_set(e, "no feature is left to generate: change --only or --without");
    double start = now_seconds();
    ok = ok && survey(o, s, t, e);
    s->seconds = now_seconds() - start;
    s->interrupted = interrupted();
    if (s->interrupted)
        run_kill(t);
    else if (ok)
        ask_again(o, s, t);
    run_close(t);
    if (s->rows.n)
        qsort(s->rows.v, s->rows.n, sizeof *s->rows.v, order);
    return ok;
}

// ---- output --------------------------------------------------------------------------------

static json_t *row_json(const struct survey_row *row)
{
    json_t *j = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:b}", "kind", kinds[row->kind].name,
                          "bucket", row->signature.name, "signature", row->signature.text,
                          "programs", (json_int_t)row->n, "first", (json_int_t)row->first,
                          "smallest", (json_int_t)row->seed, "repeats", (int)row->repeats);
    // A target's text may not be UTF-8.
    json_t *text = json_string(row->text);
    json_object_set_new(j, "text", text ? text : json_null());
    if (row->known)
        json_object_set_new(j, "known", json_string(row->known->name));
    json_t *seeds = json_array();
    for (size_t i = 0; i < row->seeds.n; i++)
        json_array_append_new(seeds, json_integer((json_int_t)row->seeds.v[i]));
    if (row->seeds.n)
        json_object_set(j, "seeds", seeds);
    json_decref(seeds);
    return j;
}

static json_t *survey_json(const struct survey_options *o, const struct survey *s)
{
    json_t *kind = json_object(), *rows = json_array(), *skips = json_object();
    for (int k = 0; k < SURVEY_KINDS; k++)
        json_object_set_new(kind, kinds[k].name, json_integer((json_int_t)s->by_kind[k]));
    for (size_t i = 0; i < s->rows.n; i++)
        json_array_append_new(rows, row_json(&s->rows.v[i]));
    for (size_t i = 0; i < s->skips.n; i++)
        json_object_set_new(skips, s->skips.v[i].why, json_integer((json_int_t)s->skips.v[i].n));
    json_t *j = json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:s}", "schema",
                          1, "type", "survey", "target", o->target, "driver", s->info.driver,
                          "first", (json_int_t)o->first, "programs", (json_int_t)s->made, "asked",
                          (json_int_t)s->asked, "unusable", (json_int_t)s->unusable, "live_bits",
                          (json_int_t)s->live, "seconds", s->seconds, "driver_seconds",
                          s->driver_seconds, "left_out", s->dropped);
    CHECK(j);
    json_object_set_new(j, "kinds", kind);
    json_object_set_new(j, "skipped", skips);
    json_object_set_new(j, "rows", rows);
    return j;
}

bool survey_save(const struct survey_options *o, struct survey *s, struct err *e)
{
    struct asked x = {0};
    const char *dir = arena_printf(&s->keep, "%s/cases", o->out);
    bool ok = dir_make(dir, e);
    for (size_t i = 0; i < s->rows.n && ok; i++) {
        const struct survey_row *row = &s->rows.v[i];
        x.seed = row->seed;
        make(&s->gen, &x);
        ok = spv_case_write(s->tools, x.made.cases,
                            arena_printf(&s->keep, "%s/%s-%s.spvasm", dir, kinds[row->kind].name,
                                         row->signature.name),
                            e);
    }
    json_t *j = survey_json(o, s);
    char *text = json_dumps(j, JSON_INDENT(1));
    ok = ok && file_write(arena_printf(&s->keep, "%s/survey.json", o->out), text, strlen(text), e);
    free(text);
    json_decref(j);
    arena_free(&x.arena);
    return ok;
}

void survey_free(struct survey *s)
{
    if (s->tools)
        spv_tools_free(s->tools);
    arena_free(&s->keep);
}
