// SPDX-License-Identifier: Apache-2.0
//
// The interestingness test, cheap steps first: the oracle (defined, within the limits), the
// validator, the target, then the oracle's second machine. An undefined program never reaches the
// target.
#include "ask.h"

#include "construct.h"

#include <math.h>
#include <string.h>

enum { STEPS_FREE = 20000, STEPS_TIMES = 4 };

static bool worker_open(struct ask *k, uint32_t i, struct err *e)
{
    struct ask_worker *w = &k->worker[i];
    if (!w->tools)
        w->tools = spv_tools_new();
    if (!w->target)
        w->target = run_open(k->target, k->self, &k->run, e);
    return w->target != NULL;
}

static void count(struct ask *k, uint64_t *what, uint64_t n)
{
    pthread_mutex_lock(&k->lock);
    *what += n;
    pthread_mutex_unlock(&k->lock);
}

// ---- the kind of a verdict -------------------------------------------------------------

// A case without a log only shows words. Derives the class from the bits that differ: set bits that
// are cleared are missing lanes, the reverse are extra lanes.
static enum judge_class class_of_words(const struct ask *k, const struct spv_case *c,
                                       const struct spv_memory *e, const struct spv_memory *o)
{
    uint32_t missing = 0, extra = 0;
    bool unwritten = false, unwanted = false;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < e[b].count; i++) {
            uint32_t m = e[b].mask ? e[b].mask[i] : UINT32_MAX, was = c->buffer[b].words[i];
            uint32_t x = e[b].words[i] & m, y = o[b].words[i] & m,
                     wrong = judge_wrong_bits(&e[b], &o[b], i);
            missing |= x & wrong;
            extra |= ~x & wrong;
            unwritten |= wrong && y == (was & m) && !(o[b].mask && m & ~o[b].mask[i]);
            unwanted |= wrong && x == (was & m);
        }
    switch (k->kind.klass) {
    case JUDGE_MISSING_LANES:
    case JUDGE_EXTRA_LANES:
    case JUDGE_WRONG_SET:
        return missing && extra ? JUDGE_WRONG_SET
               : missing        ? JUDGE_MISSING_LANES
                                : JUDGE_EXTRA_LANES;
    case JUDGE_MISSING_EXECUTION:
        return unwritten && !unwanted ? JUDGE_MISSING_EXECUTION : JUDGE_WRONG_MEMORY;
    case JUDGE_EXTRA_EXECUTION:
        return unwanted && !unwritten ? JUDGE_EXTRA_EXECUTION : JUDGE_WRONG_MEMORY;
    case JUDGE_WRONG_VALUE:
        return JUDGE_WRONG_VALUE;
    default:
        return JUDGE_WRONG_MEMORY;
    }
}

static void kind_of(const struct ask *k, const struct spv_case *c, const struct judged *j,
                    const struct run_result *r, struct diag_signature *out)
{
    struct judge_verdict v = j->verdict;
    if (v.klass == JUDGE_WRONG_MEMORY && !c->has_log && j->expected && r->memory)
        v.klass = class_of_words(k, c, j->expected, r->memory);
    if (judge_class_is_finding(v.klass))
        diag_signature(c, &v, k->target, k->info.driver, r->text[0] ? r->text : NULL, NULL, out);
    else
        *out = (struct diag_signature){.klass = v.klass};
    out->site = r->crash_site;
}

// False without a module, or if the compiler made no change that is a kind of mistake.
static bool change_of(const struct spv_case *c, const struct run_result *r, struct diag_change *out)
{
    *out = (struct diag_change){.did = DIAG_DID_NOTHING};
    return r->form == RUN_FORM_SPIRV &&
           diag_change(c->words, c->count, r->words, r->word_count, out);
}

// Reports the same kind up to the choice of lanes: the compiler makes the same change.
static bool turned(const struct ask *k, const struct spv_case *c, const struct run_result *r,
                   const struct diag_signature *is)
{
    struct diag_change change;
    return k->change.did && signature_names_lanes(is->klass) && is->about &&
           change_of(c, r, &change) && diag_change_equal(&change, &k->change);
}

static bool same_kind(const struct diag_signature *was, const struct diag_signature *is)
{
    return judge_class_is_finding(is->klass) && diag_same_kind(was, is);
}

// ---- one run ---------------------------------------------------------------------------

static bool same_memory(const struct spv_memory *e, const struct spv_memory *o, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; i < e[b].count; i++)
            if (judge_wrong_bits(&e[b], &o[b], i))
                return false;
    return true;
}

// Reports whether a compiler's module leaves exactly the expected memory. A cheap check before the
// validator: most candidates end here.
static bool plainly_right(struct ask *k, struct arena *a, const struct prediction *p,
                          const struct run_result *r)
{
    if (r->form != RUN_FORM_SPIRV || p->given || k->kind.klass == JUDGE_INVALID_OUTPUT)
        return false;
    struct spv_case made = *p->c;
    struct orc_result seen;
    struct orc_options o = {.policy = &p->policy, .step_limit = k->step_limit};
    made.words = r->words;
    made.count = r->word_count;
    orc_predict(a, &made, p->subgroup, &o, &seen);
    if (seen.why.status != RAN_OK)
        return false;
    return same_memory(p->made.memory, seen.memory, seen.memory_count);
}

static uint64_t hash_of(const struct spv_case *c)
{
    return hash64(c->words, c->count * sizeof *c->words);
}

void ask_run(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
             struct run_result *r)
{
    const uint64_t is = hash_of(c);
    if (is == w->last) {
        struct arena mine = {0};
        run_case(w->target, &mine, &k->between[is == hash_of(&k->between[0])], 0, r);
        arena_free(&mine);
    }
    run_case(w->target, a, c, 0, r);
    w->last = r->ended ? 0 : is; // a new process has nothing cached
}

// Runs the target once and judges. `before`: hash of the module that a compiler produced the last
// time, or 0. False if it is the same module: that is not judged again.
static bool run_once(struct ask *k, struct ask_worker *w, struct arena *a,
                     const struct prediction *p, uint64_t *before, struct judged *j,
                     struct run_result *r)
{
    ask_run(k, w, a, p->c, r);
    count(k, &k->counts.runs, 1);
    uint64_t now = r->status == RUN_OK && r->words ? hash64(r->words, r->word_count * 4) : 0;
    if (now && now == *before)
        return false;
    *before = now;
    if (plainly_right(k, a, p, r)) {
        *j = (struct judged){.verdict.klass = JUDGE_AGREES, .policy = p->policy};
        return true;
    }
    judge_result(a, w->tools, p, r, &w->policy, j);
    return true;
}

static struct prediction *predict(const struct ask *k, struct arena *a, const struct spv_case *c,
                                  enum spv_policy policy)
{
    return judge_predict_within(a, NULL, c, 1, c->subgroup, policy, k->step_limit);
}

// Compares the oracle's two machines, under the default mapping.
static bool machines_agree(struct arena *a, const struct prediction *p, uint64_t step_limit)
{
    struct orc_options o = {.machine = ORC_TAG, .policy = &p->policy, .step_limit = step_limit};
    struct orc_result other;
    if (p->made.why.status != RAN_OK)
        return true;
    orc_run(p->program, a, p->c, p->subgroup, &o, &other);
    return judge_same_result(&p->made, &other);
}

// Reports whether the case could declare MaximallyReconvergesKHR (S1, S2). A compiler that fails on
// a case that could not may be right on all cases that could: that would be another bug.
static bool could_declare(const struct spv_case *c)
{
    struct arena a = {0};
    struct orc_why why = {0};
    struct spv_case made = *c;
    made.model = SPV_MAXIMAL;
    const bool could = orc_load_assumed(&a, &made, &why) || why.status != RAN_INVALID;
    arena_free(&a);
    return could;
}

static void keep_slippage(struct ask *k, const struct diag_signature *kind,
                          const struct spv_case *c)
{
    pthread_mutex_lock(&k->lock);
    bool have = k->slips == ASK_SLIPS;
    for (uint32_t i = 0; i < k->slips && !have; i++)
        have = same_kind(&k->slippage[i].kind, kind);
    if (!have) {
        struct ask_slippage *s = &k->slippage[k->slips++];
        s->kind = *kind;
        red_copy(&s->arena, c, &s->c);
    }
    pthread_mutex_unlock(&k->lock);
}

static uint64_t *refusal(struct ask *k, const struct prediction *p)
{
    switch (p->made.why.status) {
    case RAN_OVER_LIMIT:
        return &k->counts.over_limit;
    case RAN_UNSUPPORTED:
        return &k->counts.unsupported;
    case RAN_INVALID:
        return &k->counts.invalid;
    default:
        return &k->counts.undefined;
    }
}

bool ask_candidate(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                   bool generated)
{
    struct ask *k = user;
    struct ask_worker *w = &k->worker[k->single ? (uint32_t)ASK_MAIN : worker];
    struct err e = {0};
    if (!k->single && !worker_open(k, worker, &e)) {
        pthread_mutex_lock(&k->lock);
        snprintf(k->trouble, sizeof k->trouble, "%.500s", e.msg);
        pthread_mutex_unlock(&k->lock);
        return false;
    }
    const struct prediction *p = predict(k, a, c, w->policy.choices.base);
    if (p->made.why.status != RAN_OK) {
        count(k, refusal(k, p), 1);
        return false;
    }
    if ((!generated && !spv_validate(w->tools, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL)) ||
        (k->keeps_rules && !could_declare(c))) {
        count(k, &k->counts.invalid, 1);
        return false;
    }
    // A flaky failure gets as many runs as make a miss unlikely. Each candidate must show the
    // failure twice.
    uint32_t hits = 0, agreed = 0, others = 0, nothing = 0;
    uint64_t before = 0;
    bool good = false, same = false;
    struct judge_verdict seen = {.klass = JUDGE_AGREES};
    struct diag_signature is = {.klass = JUDGE_AGREES};
    struct run_result last = {.words = NULL};
    enum judge_promise promise = JUDGE_PROMISE_UNKNOWN;
    for (uint32_t i = 0; i < k->runs && !good; i++) {
        struct judged j;
        struct run_result r;
        arena_reset(&w->run);
        const bool news = run_once(k, w, &w->run, p, &before, &j, &r);
        last = r;
        if (!news) {
            hits += same;
            good = hits == 2;
            continue;
        }
        struct diag_signature kind;
        kind_of(k, c, &j, &r, &kind);
        same = same_kind(&k->kind, &kind) || turned(k, c, &r, &kind);
        if (same) {
            seen = j.verdict;
            is = kind;
            if (judge_class_is_mismatch(j.verdict.klass) && r.memory)
                promise = judge_weakest(c, r.memory);
        }
        hits += same;
        agreed += j.verdict.klass == JUDGE_AGREES;
        nothing += j.verdict.klass == JUDGE_NOTHING_COMPARED;
        if (!same && judge_class_is_finding(kind.klass)) {
            others++;
            if (k->keep_slips)
                keep_slippage(k, &kind, c);
        }
        // A crash in the same function as in the first case, which crashes each time, is enough
        // once.
        const bool sure = same && k->hits == k->tries && kind.site && kind.site == k->kind.site;
        good = hits == 2 || sure;
        // If the first case always fails, a candidate that passes the first run does not.
        if (k->hits == k->tries && !same)
            break;
    }
    if (good && !machines_agree(a, p, k->step_limit)) {
        count(k, &k->counts.machines, 1);
        good = false;
    }
    if (good && (promise < k->at_least || ask_slipped(k, w, a, c, &is, &seen, &last, promise))) {
        good = false;
        others++;
    }
    struct ask_counts *n = &k->counts;
    count(k,
          good      ? &n->same
          : others  ? &n->other
          : agreed  ? &n->agreed
          : nothing ? &n->nothing
                    : &n->none,
          1);
    return good;
}

void ask_leave(void *user, uint32_t worker)
{
    struct ask *k = user;
    struct ask_worker *w = &k->worker[worker];
    if (k->single && worker != ASK_MAIN)
        return;
    if (w->target)
        run_close(w->target);
    if (w->tools)
        spv_tools_free(w->tools);
    arena_free(&w->run);
    *w = (struct ask_worker){.target = NULL};
}

// ---- before and after -------------------------------------------------------------------

uint32_t ask_again(struct ask *k, struct arena *a, const struct spv_case *c, uint32_t tries,
                   struct prediction **p, struct judged *j, struct run_result *r)
{
    struct ask_worker *w = &k->worker[ASK_MAIN];
    uint32_t hits = 0;
    *p = judge_predict_within(a, NULL, c, 1, c->subgroup, w->policy.choices.base, k->step_limit);
    for (uint32_t i = 0; i < tries; i++) {
        struct judged j2;
        struct run_result r2;
        struct arena mine = {0};
        bool first = hits == 0;
        ask_run(k, w, first ? a : &mine, c, &r2);
        judge_result(first ? a : &mine, w->tools, *p, &r2, &w->policy, &j2);
        k->counts.runs++;
        struct diag_signature kind;
        kind_of(k, c, &j2, &r2, &kind);
        bool same = k->kind.klass == JUDGE_AGREES ? judge_class_is_finding(kind.klass)
                                                  : same_kind(&k->kind, &kind);
        if (first) {
            *j = j2;
            *r = r2;
        }
        if (first && same && k->kind.klass == JUDGE_AGREES)
            k->kind = kind;
        hits += same;
        arena_free(&mine);
    }
    return hits;
}

bool ask_take_kind(struct ask *k, struct arena *a, const struct spv_case *c)
{
    struct prediction *p;
    struct judged j;
    struct run_result r;
    const struct diag_signature was = k->kind;
    k->kind = (struct diag_signature){.klass = JUDGE_WRONG_VALUE};
    ask_again(k, a, c, 1, &p, &j, &r);
    kind_of(k, c, &j, &r, &k->kind);
    bool wrong = judge_class_is_mismatch(k->kind.klass);
    if (!wrong)
        k->kind = was;
    for (uint32_t i = 0; i < JUDGE_PROMISES && wrong; i++)
        k->weak[i].c.words = NULL; // these show another kind
    return wrong;
}

bool ask_by_change(struct ask *k, struct arena *a, const struct spv_case *c)
{
    struct prediction *p;
    struct judged j;
    struct run_result r;
    return signature_names_lanes(k->kind.klass) && k->hits == k->tries &&
           run_is_compiler(&k->info) && ask_again(k, a, c, 1, &p, &j, &r) &&
           change_of(c, &r, &k->change);
}

bool ask_start(struct ask *k, struct arena *a, struct spv_case *c, struct err *e)
{
    CHECK(pthread_mutex_init(&k->lock, NULL) == 0 && pthread_cond_init(&k->finished, NULL) == 0);
    k->slippage = ARENA_ARRAY(a, struct ask_slippage, ASK_SLIPS);
    if (!worker_open(k, ASK_MAIN, e))
        return false;
    k->info = *run_info(k->worker[ASK_MAIN].target);
    c->subgroup = judge_subgroup(c, k->subgroup, &k->info);
    if (!c->subgroup)
        return err_set(e, "the subgroup size is not known: add --subgroup");
    c->expect_count = 0;
    c->verdict = SPV_VERDICT_NONE;
    const struct gen_options simple = {
        .subgroup = c->subgroup < 4 ? 4 : c->subgroup, .inputs = 1, .model = c->model};
    for (int i = 0; i < 2; i++) {
        struct gen_made m;
        gen_make_simplest(a, &simple, i == 1, &m);
        k->between[i] = *m.cases;
    }
    struct prediction *p;
    struct judged j;
    struct run_result r;
    k->kind.klass = JUDGE_AGREES;
    k->tries = ASK_TRIES;
    k->hits = ask_again(k, a, c, k->tries, &p, &j, &r);
    if (k->hits < k->tries && k->kind.site) { // the crash site varies: ignore it
        k->kind.site = 0;
        k->hits = ask_again(k, a, c, k->tries, &p, &j, &r);
    }
    if (p->made.why.status != RAN_OK)
        return err_set(e, "the case cannot be reduced, because it cannot be judged: %s",
                       p->made.why.text);
    if (k->hits == 0)
        return err_set(e, "the target does not fail on it in %u runs: %s: %s", k->tries,
                       judge_class_name(j.verdict.klass), j.verdict.text);
    k->runs = 2;
    if (k->hits < k->tries) {
        double miss = 1 - (double)k->hits / k->tries;
        k->runs = 2 + (uint32_t)ceil(log(0.02) / log(miss) * 2);
        if (k->runs > ASK_RUNS_MAX)
            k->runs = ASK_RUNS_MAX;
    }
    k->step_limit = STEPS_FREE + STEPS_TIMES * p->made.stats.steps;
    k->keeps_rules = c->model == SPV_ASSUMED_MAXIMAL && could_declare(c);
    return true;
}

void ask_end(struct ask *k)
{
    ask_leave(k, ASK_MAIN);
    for (uint32_t i = 0; i < k->slips; i++)
        arena_free(&k->slippage[i].arena);
    for (uint32_t i = 0; i < JUDGE_PROMISES; i++)
        arena_free(&k->weak[i].arena);
    pthread_cond_destroy(&k->finished);
    pthread_mutex_destroy(&k->lock);
}
