// SPDX-License-Identifier: Apache-2.0
//
// Bisection over a list of passes. Invariant between two steps: the current list shows the class.
#include "bisect.h"

#include <stdlib.h>
#include <string.h>

struct list {
    const char **v;
    size_t n, cap;
};

enum { MOST = 1 << 17 }; // most passes of a pipeline

struct search {
    struct arena *a; // texts
    struct arena tries;
    struct spv_tools *tools;
    const struct prediction *p;
    const char *self;
    const struct run_options *o;
    enum judge_class klass;
    uint32_t runs;
    bool after_passes;             // of the last run
    const char *crash_pass;        // of the last run: of the back end
    char tail[160];                // with a limit: the last LLVM pass that ran
    bool keep;                     // the next run's module, as text:
    const char *code;              // NULL: none
    const struct run_stage *stage; // the target; each try replaces its passes
    uint32_t program,
        rest; // RUN_PASSES_COMMAND: words before the passes; index of the first word after them
};

// ---- the target ------------------------------------------------------------------------

// Appends a pass. "-O" and the like are expanded to their passes, except those newer than the
// library.
static void add_pass(struct arena *a, const char *flag, struct list *out)
{
    uint32_t spelled = 0;
    const char *const *recipe = spv_optimizer_recipe(flag, &spelled);
    for (uint32_t k = 0; k < spelled; k++)
        if (spv_optimizer_knows(recipe[k]))
            *VEC_PUSH(a, out) = recipe[k];
    if (!recipe)
        *VEC_PUSH(a, out) = flag;
}

// Parses [PATH/]spirv-opt[...] PASS... REST: the passes are the words that begin with '-', up to -o
// or the first other word.
static bool read_command(struct search *s, struct list *out)
{
    const struct run_stage *t = s->stage;
    if (strncmp(run_stage_family(s->a, t, NULL), "spirv-opt", 9) != 0)
        return false;
    for (s->program = s->rest = 1; s->rest < t->count; s->rest++) {
        const char *word = t->option[s->rest].value;
        if (word[0] != '-' || strcmp(word, "-o") == 0)
            break;
        add_pass(s->a, word, out);
    }
    return true;
}

// False for a target without a list of passes.
static bool read_target(struct search *s, struct list *out)
{
    const struct run_stage *t = s->stage;
    const char *rest = run_stage_option(t, "passes"), *part;
    size_t n;
    switch (t->kind ? t->kind->passes : RUN_PASSES_NONE) {
    case RUN_PASSES_COMMAND:
        return read_command(s, out);
    case RUN_PASSES_PIPELINE:
        rest = rest ? rest : "default<O3>";
        while ((part = run_pipeline_part(&rest, &n)))
            if (n && (n != 4 || strncmp(part, "none", n) != 0))
                *VEC_PUSH(s->a, out) = arena_strn(s->a, part, n);
        return true;
    case RUN_PASSES_WORDS:
        for (uint32_t i = 0; i < t->count; i++)
            add_pass(s->a, t->option[i].value, out);
        if (!t->count)
            add_pass(s->a, "-O", out);
        return true;
    default:
        return false;
    }
}

static const char *join(struct arena *a, const struct list *passes)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < passes->n; i++)
        text_add(&t, "%s%s", i ? "," : "", passes->v[i]);
    return passes->n ? t.v : "none";
}

static const char *target_of(const struct search *s, const struct list *passes)
{
    struct run_stage t = *s->stage;
    if (t.kind->passes == RUN_PASSES_PIPELINE)
        return run_spec_text(s->a, run_stage_with(s->a, &t, "passes", join(s->a, passes)));
    VEC(struct run_option) words = {0};
    if (!passes->n) { // an empty list: copy the module
        const struct run_stage *copy = run_spec_parse(s->a, "exec-compiler:cp {in} {out}", NULL);
        t = *copy;
        t.next = s->stage->next;
        return run_spec_text(s->a, &t);
    }
    for (uint32_t i = 0; i < s->program; i++)
        *VEC_PUSH(s->a, &words) = t.option[i];
    for (size_t i = 0; i < passes->n; i++)
        *VEC_PUSH(s->a, &words) = (struct run_option){"", passes->v[i]};
    for (uint32_t i = s->rest; t.kind->passes == RUN_PASSES_COMMAND && i < t.count; i++)
        *VEC_PUSH(s->a, &words) = t.option[i];
    t.option = words.v;
    t.count = (uint32_t)words.n;
    return run_spec_text(s->a, &t);
}

// Returns the same target limited to its first n passes, as LLVM counts them.
static const char *limited(struct search *s, const char *target, uint32_t n)
{
    char number[16];
    snprintf(number, sizeof number, "%u", n);
    return run_spec_text(s->a,
                         run_stage_with(s->a, run_spec_parse(s->a, target, NULL), "limit", number));
}

// ---- one try ----------------------------------------------------------------------------

static const char *disassembled(struct search *s, const struct run_result *r)
{
    const char *text;
    return spv_disassemble(s->tools, s->a, r->words, r->word_count, &text, NULL) ? text : NULL;
}

// LLVM names the pass of its back end that crashed: "in the back end, pass 'NAME'".
static const char *pass_of_crash(struct arena *a, const char *text)
{
    static const char before[] = "back end, pass '";
    const char *at = strstr(text, before), *end = at ? strchr(at + strlen(before), '\'') : NULL;
    return end ? arena_strn(a, at + strlen(before), (size_t)(end - at) - strlen(before)) : NULL;
}

static bool class_of(struct search *s, const char *target, enum judge_class *klass, struct err *e)
{
    s->tail[0] = 0;
    struct run_target *t = run_open(target, s->self, s->o, e);
    if (!t)
        return false;
    struct run_result r;
    struct judged judged;
    struct shown_policy policy = {.choices = s->p->policy};
    run_case(t, &s->tries, s->p->c, s->p->subgroup, &r);
    if (r.driver_text)
        snprintf(s->tail, sizeof s->tail, "%s", r.driver_text);
    s->code = NULL;
    if (s->keep && r.status == RUN_OK && r.form == RUN_FORM_SPIRV)
        s->code = disassembled(s, &r);
    judge_result(&s->tries, s->tools, s->p, &r, &policy, &judged);
    run_close(t);
    arena_reset(&s->tries);
    s->runs++;
    *klass = judged.verdict.klass;
    s->after_passes = r.status == RUN_CRASHED && r.after_passes;
    s->crash_pass = r.status == RUN_CRASHED ? pass_of_crash(s->a, r.text) : NULL;
    return true;
}

// Reports whether the list shows the class. A list that cannot be run does not.
static bool shows(struct search *s, const struct list *passes)
{
    enum judge_class klass;
    return class_of(s, target_of(s, passes), &klass, NULL) && klass == s->klass;
}

static bool shows_first(struct search *s, const struct list *all, size_t n)
{
    return shows(s, &(struct list){.v = all->v, .n = n});
}

// ---- the search -------------------------------------------------------------------------

// Cuts the list after a pass that shows the class while the list before it does not.
static void cut_end(struct search *s, struct list *l)
{
    size_t good = 0, bad = l->n;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        if (shows_first(s, l, middle))
            bad = middle;
        else
            good = middle;
    }
    l->n = bad;
}

// Drops passes before the last, first in large groups and then singly, as long as the class stays.
static bool leave_out(struct search *s, struct list *l)
{
    bool less = false;
    for (size_t step = l->n > 1 ? (l->n - 1 + 1) / 2 : 0; step; step /= 2) {
        for (size_t at = 0; at + 1 < l->n;) {
            size_t n = at + step < l->n - 1 ? step : l->n - 1 - at;
            struct list shorter = {0};
            for (size_t i = 0; i < l->n; i++)
                if (i < at || i >= at + n)
                    *VEC_PUSH(s->a, &shorter) = l->v[i];
            if (shows(s, &shorter)) {
                *l = shorter;
                less = true;
            } else {
                at += n;
            }
        }
    }
    return less;
}

// For an element that stands for many of LLVM's passes ("default<O3>", or clang as a whole):
// returns how many of them must run to show the class, and the name of the last. 0 if no limit
// shows it.
static uint32_t within(struct search *s, const char *one, char *pass, size_t size)
{
    enum judge_class klass;
    uint32_t good = 0, bad = 1;
    while (bad <= MOST) {
        const char *target = limited(s, one, bad);
        if (class_of(s, target, &klass, NULL) && klass == s->klass)
            break;
        if (!s->tail[0]) // no further passes
            return 0;
        good = bad;
        bad *= 2;
    }
    while (bad <= MOST && bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        const char *target = limited(s, one, middle);
        if (class_of(s, target, &klass, NULL) && klass == s->klass)
            bad = middle;
        else
            good = middle;
    }
    if (bad > MOST || !class_of(s, limited(s, one, bad), &klass, NULL) || klass != s->klass ||
        !s->tail[0])
        return 0;
    snprintf(pass, size, "%s", s->tail);
    return bad;
}

// clang has no list of passes, only a limit.
static bool bisect_clang(struct search *s, const char *target, struct bisect *out, struct err *e)
{
    char pass[160];
    enum judge_class klass;
    if (!class_of(s, target, &s->klass, e))
        return false;
    out->klass = s->klass;
    out->after_passes = s->after_passes;
    if (!judge_class_is_finding(s->klass))
        return err_set(e, "nothing to bisect: the result of '%s' is '%s'", target,
                       judge_class_name(s->klass));
    if (class_of(s, limited(s, target, 0), &klass, NULL) && klass == s->klass)
        return err_set(e, "the result is '%s' without any pass", judge_class_name(s->klass));
    out->passes = within(s, target, pass, sizeof pass);
    if (!out->passes)
        return err_set(e, "no limit on the passes shows it");
    out->target = limited(s, target, out->passes);
    out->list = target;
    out->pass = arena_str(s->a, pass);
    return class_of(s, limited(s, target, out->passes - 1), &out->before, e);
}

bool bisect_passes(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                   const char *target, const char *self, const struct run_options *o,
                   struct bisect *out, struct err *e)
{
    struct search s = {.a = a, .tools = tools, .p = p, .self = self, .o = o};
    struct list l = {0};
    bool ok = true;
    *out = (struct bisect){0};
    s.stage = run_spec_parse(a, run_fixed(a, target, p->c), e);
    if (!s.stage)
        return false;
    if (s.stage->kind && s.stage->kind->passes == RUN_PASSES_LIMIT && !s.stage->next) {
        bool found = bisect_clang(&s, target, out, e);
        out->runs = s.runs;
        arena_free(&s.tries);
        return found;
    }
    target = run_spec_text(a, s.stage);
    if (!read_target(&s, &l))
        ok = err_set(e,
                     "'%s' has no list of passes; use spirv-opt:..., llvm:..., clang-hlsl:... or "
                     "exec-compiler:spirv-opt ...",
                     target);
    ok = ok && class_of(&s, target, &s.klass, e);
    if (ok && !judge_class_is_finding(s.klass))
        ok = err_set(e, "nothing to bisect: the result of '%s' is '%s'", target,
                     judge_class_name(s.klass));
    out->klass = s.klass;
    out->after_passes = s.after_passes;
    if (ok && shows_first(&s, &l, 0)) {
        out->back_end = s.crash_pass;
        out->target = target_of(&s, &(struct list){0});
        ok = err_set(e, "the result is '%s' without any pass", judge_class_name(s.klass));
    }
    if (ok && !shows(&s, &l))
        ok = err_set(e,
                     "the expanded list of passes does not show it: this version has another list");
    if (ok) {
        // Dropping passes may make an earlier pass the culprit: repeat until nothing changes.
        do
            cut_end(&s, &l);
        while (leave_out(&s, &l));
        out->target = out->list = target_of(&s, &l);
        out->pass = l.v[l.n - 1];
        out->passes = (uint32_t)l.n;
        char pass[160];
        const bool many =
            s.stage->kind->passes == RUN_PASSES_PIPELINE && strpbrk(out->pass, "<,") != NULL;
        const uint32_t inside = many ? within(&s, out->target, pass, sizeof pass) : 0;
        l.n--;
        const char *before = inside ? limited(&s, out->target, inside - 1) : target_of(&s, &l);
        if (inside) {
            out->target = limited(&s, out->target, inside);
            out->pass = arena_printf(a, "%s, of %s", pass, out->pass);
        }
        enum judge_class again;
        s.keep = true;
        if (class_of(&s, out->target, &again, NULL) && again == out->klass)
            out->code_after = s.code;
        ok = class_of(&s, before, &out->before, e);
        out->code_before = s.code;
    }
    out->runs = s.runs;
    arena_free(&s.tries);
    return ok;
}

const struct prediction *bisect_predict(struct arena *a, const struct spv_case *c,
                                        uint32_t subgroup, const char *target, const char *self,
                                        const struct run_options *o, struct err *e)
{
    struct run_target *t = run_open(target, self, o, e);
    if (!t)
        return NULL;
    const uint32_t size = judge_subgroup(c, subgroup, run_info(t));
    run_close(t);
    const struct prediction *p = judge_predict(a, c, 1, size, SPV_POLICY_JOIN);
    if (judge_usable(p))
        return p;
    err_set(e, "the case has no expected result: %s", p->made.why.text);
    return NULL;
}

bool bisect_case(struct arena *a, struct spv_tools *tools, const struct spv_case *c,
                 uint32_t subgroup, const char *target, const char *self,
                 const struct run_options *o, const struct prediction **p, struct bisect *out,
                 struct err *e)
{
    *out = (struct bisect){0};
    *p = bisect_predict(a, c, subgroup, target, self, o, e);
    return *p && bisect_passes(a, tools, *p, target, self, o, out, e);
}

bool bisect_has_passes(const char *target)
{
    struct arena a = {0};
    struct search s = {.a = &a, .stage = run_spec_parse(&a, target, NULL)};
    struct list l = {0};
    const bool many = s.stage && s.stage->kind &&
                      (s.stage->kind->passes == RUN_PASSES_LIMIT ||
                       (read_target(&s, &l) && (l.n > 1 || (l.n == 1 && strchr(l.v[0], '<')))));
    arena_free(&a);
    return many;
}
