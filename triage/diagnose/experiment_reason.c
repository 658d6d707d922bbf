// SPDX-License-Identifier: Apache-2.0
//
// Tests reasons on control programs. All hypotheses that explain the case are rivals. A program on
// which the best one differs from a rival, or from the rules, is given to the target, and each
// hypothesis that does not predict what is observed there is refuted. So the reason that is left
// explains the case and all control programs.
#include "experiment.h"
#include "experiment_parts.h"

#include <string.h>

enum {
    PLANS = 400,   // programs that are predicted
    RIVALS = 48,   // hypotheses that are predicted for each
    CONFIRMED = 2, // programs that a reason must have predicted
    WANTED = 6,    // asked if there are as many, so that a narrow reason does not survive by chance
};
enum { STEPS_PLANS = 40 * 1000 * 1000 }; // instructions of the oracle

// A program, and what each hypothesis predicts for it.
struct plan {
    struct diag_tweak tweak;
    struct spv_case c;
    bool gone;       // asked, or it cannot be
    uint64_t wrong;  // bit i: hypothesis i predicts wrong memory
    uint64_t news;   // bit i: it predicts wrong memory, but not the wrong words of the case in the
                     // place of the right ones; or, unlike for the case, right memory
    uint64_t *words; // [hypothesis]: hash of the memory that it predicts
};

// A program that the target ran, with its result.
struct control {
    struct plan *plan;
    struct spv_case c; // with the choices of the rules that explain it
    struct experiment_answer answer;
};

struct test {
    struct arena *a;
    struct hypothesis_fits *k;
    const struct diag_signature *s;
    const struct experiment_target *t;
    struct spv_module m;
    VEC(struct plan) plan;
    VEC(struct control) control;
    uint32_t asked;
    // [hypothesis]: programs for which it predicted the observed memory, if that is wrong or not
    // what a rival predicts; and those of them and others whose memory is not that of the case.
    uint32_t *confirmed, *informative;
};

// ---- predictions ---------------------------------------------------------------------------

static uint32_t mask_of(const struct spv_memory *x, uint32_t i)
{
    return x->mask ? x->mask[i] : UINT32_MAX;
}

static uint64_t hash_of(const struct spv_memory *e, const struct spv_memory *h, uint32_t n,
                        bool *differs)
{
    uint64_t hash = 0;
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; i < e[b].count; i++) {
            const uint32_t defined = mask_of(&e[b], i), must = defined & mask_of(&h[b], i),
                           lost = defined & ~must; // undefined, in a compiler's output
            const uint32_t word = h[b].words[i] & must;
            *differs |= lost || ((e[b].words[i] ^ h[b].words[i]) & must) != 0;
            hash = hash * UINT64_C(0x9e3779b97f4a7c15) + word + 1 + ((uint64_t)lost << 32);
            hash ^= hash >> 29;
        }
    return hash ? hash : 1; // 0: not known
}

bool experiment_open(struct hypotheses *r, struct arena *a, const struct spv_case *c,
                     struct orc_result *rules)
{
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    orc_predict(a, c, c->subgroup, &o, rules);
    if (rules->why.status != RAN_OK || !c->subgroup)
        return false;
    if (hypotheses_open(r, a, c, rules->memory, rules->memory))
        return true;
    hypotheses_close(r);
    return false;
}

// Reports whether memories differ in bits that both rules and observation determine. A word that is
// stuck confirms nothing.
static bool is_new(const struct spv_memory *e, const struct spv_memory *x,
                   const struct spv_memory *y, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; i < e[b].count && i < y[b].count; i++) {
            const uint32_t rules = mask_of(&e[b], i), mine = mask_of(&x[b], i) & rules,
                           its = mask_of(&y[b], i) & rules;
            if (mine != its || ((x[b].words[i] ^ y[b].words[i]) & mine))
                return true;
        }
    return false;
}

// Predicts a program; returns the number of instructions that it took.
static uint64_t predict(struct test *k, const struct diag_tweak *t)
{
    struct plan p = {.tweak = *t, .words = ARENA_ARRAY(k->a, uint64_t, RIVALS)};
    struct arena a = {0};
    struct hypotheses r;
    struct orc_result rules, made;
    uint64_t steps = 0;
    if (tweak_apply(k->a, k->k->run.given, &k->m, t, &p.c) &&
        experiment_open(&r, &a, &p.c, &rules)) {
        const bool other = is_new(rules.memory, rules.memory, k->k->run.expected, p.c.buffer_count);
        for (uint32_t i = 0; i < k->k->fits && i < RIVALS; i++) {
            bool differs = false;
            if (!hypothesis_predict(&r, &k->k->fit[i].hypothesis, &made))
                continue;
            p.words[i] = hash_of(rules.memory, made.memory, p.c.buffer_count, &differs);
            const bool fresh =
                is_new(rules.memory, made.memory, k->k->run.observed, p.c.buffer_count);
            p.wrong |= (uint64_t)differs << i;
            p.news |= (uint64_t)(fresh || (differs && other)) << i;
        }
        steps = r.steps;
        if (p.wrong | p.news)
            *VEC_PUSH(k->a, &k->plan) = p;
        hypotheses_close(&r);
    }
    arena_free(&a);
    return steps;
}

static void predict_all(struct test *k)
{
    struct tweaks all;
    uint64_t steps = 0;
    tweaks_of(k->a, k->k->run.given, &k->m, false, &all);
    for (size_t i = 0; i < all.n && i < PLANS && steps < STEPS_PLANS; i++)
        steps += predict(k, &all.v[i]);
}

// ---- the next program ------------------------------------------------------------------------

// Reports whether any other hypothesis that explained the case predicts something else.
static bool is_distinct(const struct test *k, const struct plan *p, uint32_t i)
{
    bool distinct = false;
    for (uint32_t x = 0; x < k->k->fits && x < RIVALS; x++)
        distinct |= p->words[x] && p->words[i] && p->words[x] != p->words[i];
    return distinct;
}

// Returns how many hypotheses that are left predict something else than hypothesis `best`.
static uint32_t parts(const struct test *k, const struct plan *p, uint32_t best)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->k->fits && i < RIVALS && best < RIVALS; i++)
        n += !k->k->refuted[i] && p->words[i] && p->words[best] && p->words[i] != p->words[best];
    return n;
}

// Reports whether the program changes an operand of the hypothesis' operation: what it counts, and
// of which lanes, shows best then. Not if it counts lanes that do not execute it: their operand is
// not known.
static bool is_operand(const struct test *k, const struct plan *p, uint32_t best)
{
    const uint32_t op = best < RIVALS ? k->k->fit[best].op : 0;
    return op && !why_is(k->k->fit[best].why, WHY_EXTRA) && k->m.def[op] == p->tweak.at &&
           (p->tweak.kind == DIAG_TWEAK_COMPLEMENT || p->tweak.kind == DIAG_TWEAK_LANES);
}

// Returns the program that says most about hypothesis `best`; NULL for none. Programs that part it
// from its rivals come first, then those of a kind of change that was not tried yet.
static struct plan *next(const struct test *k, uint32_t best)
{
    struct plan *most = NULL;
    uint32_t points = 0;
    uint32_t tried[DIAG_TWEAK_COUNT] = {0};
    for (size_t i = 0; i < k->control.n; i++)
        tried[k->control.v[i].plan->tweak.kind]++;
    for (size_t i = 0; i < k->plan.n; i++) {
        struct plan *p = &k->plan.v[i];
        const uint32_t n = p->gone ? 0 : parts(k, p, best), wrong = p->wrong >> best & 1,
                       news = p->news >> best & 1;
        const uint32_t now =
            200 * (n < 8 ? n : 8) + 50 * wrong + (wrong || !k->informative[best] ? 50 * news : 0);
        const uint32_t again = tried[p->tweak.kind] < 20 ? tried[p->tweak.kind] : 20,
                       score = now + 40 - 2 * again + (is_operand(k, p, best) ? 60 : 0);
        if (p->gone || !now || score <= points)
            continue;
        points = score;
        most = p;
    }
    return most;
}

// ---- the result ------------------------------------------------------------------------------

// A mistake of one operation may be limited to that operation, and a compiler makes its change only
// in some programs. Where the memory is right then, the reason predicts nothing.
static bool may_be_right(const struct test *k, const struct diag_reason *r, const struct control *c)
{
    return experiment_may_be_right(k->s, r, &c->plan->tweak, &c->c, &c->answer);
}

bool experiment_may_be_right(const struct diag_signature *s, const struct diag_reason *r,
                             const struct diag_tweak *t, const struct spv_case *c,
                             const struct experiment_answer *answer)
{
    struct diag_change change;
    const bool op = why_is(r->why, WHY_OPERATION) || why_is(r->why, WHY_READS);
    if (op && (t->kind == DIAG_TWEAK_OPCODE || t->kind == DIAG_TWEAK_FORM))
        return true;
    return s && s->change.did && answer->output &&
           !(diag_change(c->words, c->count, answer->output, answer->output_count, &change) &&
             diag_change_equal(&change, &s->change));
}

bool experiment_judge(struct arena *a, struct hypotheses *r, const struct spv_case *c,
                      const struct experiment_answer *answer)
{
    if (!answer->expected || !answer->observed)
        return false;
    if (hypotheses_open(r, a, c, answer->expected, answer->observed))
        return true;
    hypotheses_close(r);
    return false;
}

// Reports whether the hypothesis predicts what was observed with the choices of the case, where the
// rules leave others: those of the judge are only the closest ones.
static bool explains_freely(const struct control *c, const struct diag_hypothesis *h)
{
    struct arena a = {0};
    struct hypotheses r;
    struct orc_result rules;
    struct hypothesis_words w;
    struct orc_options o = {.policy = c->plan->c.has_policy ? &c->plan->c.policy : NULL};
    bool is = false;
    if (!c->answer.chose)
        return false;
    orc_predict(&a, &c->plan->c, c->plan->c.subgroup, &o, &rules);
    if (rules.why.status == RAN_OK &&
        hypotheses_open(&r, &a, &c->plan->c, rules.memory, c->answer.observed)) {
        is = hypothesis_run(&r, h, &w) && hypothesis_predicts(&w);
        hypotheses_close(&r);
    }
    arena_free(&a);
    return is;
}

// Refutes the hypotheses that do not predict what was observed. A program for which a hypothesis
// leaves words undefined (a zero of floating-point arithmetic, for example) does not confirm it.
static void refute(struct test *k, const struct control *c)
{
    struct arena a = {0};
    struct hypotheses r;
    if (experiment_judge(&a, &r, &c->c, &c->answer)) {
        for (uint32_t i = 0; i < k->k->fits; i++) {
            struct hypothesis_words w;
            if (k->k->refuted[i] || !hypothesis_run(&r, &k->k->fit[i].hypothesis, &w))
                continue;
            const bool predicted =
                hypothesis_predicts(&w) || explains_freely(c, &k->k->fit[i].hypothesis);
            if (predicted && i < RIVALS) {
                const bool distinct = is_distinct(k, c->plan, i);
                k->confirmed[i] += w.wrong || distinct;
                k->informative[i] += distinct || c->plan->news >> i & 1;
            }
            if (!predicted && !hypothesis_allows(&w))
                k->k->refuted[i] = w.wrong || !may_be_right(k, &k->k->fit[i], c);
        }
        hypotheses_close(&r);
    }
    arena_free(&a);
}

static void ask(struct test *k, struct plan *p)
{
    struct control c = {.plan = p, .c = p->c};
    p->gone = true;
    if (!k->t->ask(k->t->user, k->a, &p->c, &c.answer))
        return;
    k->asked++;
    if (c.answer.chose) {
        c.c.has_policy = true;
        c.c.policy = c.answer.policy;
    }
    *VEC_PUSH(k->a, &k->control) = c;
    refute(k, &c);
}

// ---- what is shown -----------------------------------------------------------------------------

// Returns the memory that a hypothesis predicts, in `a`; NULL if it cannot be run.
static const struct spv_memory *memory_of(struct arena *a, struct hypotheses *r,
                                          const struct diag_hypothesis *h)
{
    struct orc_result made;
    if (!hypothesis_predict(r, h, &made))
        return NULL;
    struct spv_memory *v = ARENA_ARRAY(a, struct spv_memory, r->c.buffer_count);
    for (uint32_t b = 0; b < r->c.buffer_count; b++) {
        const struct spv_memory *x = &made.memory[b];
        v[b].words = arena_copy(a, x->words, x->count * sizeof *x->words);
        if (x->mask)
            v[b].mask = arena_copy(a, x->mask, x->count * sizeof *x->mask);
    }
    return v;
}

// Fills the record of a control program: the first word where the reason differs from the rival, or
// from the rules. False if it differs nowhere.
bool experiment_show(struct hypotheses *r, const struct diag_tweak *t,
                     const struct diag_hypothesis *h, const struct diag_reason *rival,
                     struct diag_control *out)
{
    struct arena a = {0};
    const struct spv_memory *mine = memory_of(&a, r, h),
                            *its = rival ? memory_of(&a, r, &rival->hypothesis) : NULL;
    bool found = false;
    for (uint32_t b = 0; mine && b < r->c.buffer_count && !found; b++)
        for (uint32_t i = 0; i < r->expected[b].count && b != r->lanes_at && !found; i++) {
            const struct spv_memory *e = &r->expected[b], *o = &r->observed[b];
            const uint32_t rules = mask_of(e, i), must = rules & mask_of(o, i),
                           lost = rules & ~mask_of(&mine[b], i);
            const uint32_t other = its ? its[b].words[i] : e->words[i];
            const bool undefined =
                lost && !(lost & mask_of(o, i)) && !(its && (lost & ~mask_of(&its[b], i)));
            found = undefined || (!lost && ((mine[b].words[i] ^ other) & must));
            if (found)
                *out = (struct diag_control){.tweak = *t,
                                             .rival_why = its ? rival->why : 0,
                                             .set = r->c.buffer[b].set,
                                             .binding = r->c.buffer[b].binding,
                                             .word = i,
                                             .predicted = mine[b].words[i],
                                             .rival = its ? its[b].words[i] : 0,
                                             .expected = e->words[i],
                                             .observed = o->words[i],
                                             .undefined = undefined};
        }
    arena_free(&a);
    return found;
}

// Returns the rival that most control programs did not refute: the last one that was refuted.
static const struct diag_reason *best_rival(const struct test *k, uint32_t best)
{
    for (uint32_t i = 0; i < k->k->fits && i < RIVALS; i++)
        if (k->k->refuted[i] && !k->k->spare[i] && k->k->fit[i].why != k->k->fit[best].why)
            return &k->k->fit[i];
    return NULL;
}

// Records all control programs: first those that part the reason from its rival, then those where
// it predicts a fault, then the others.
static void show(struct test *k, uint32_t best, struct diag_reason *out)
{
    enum { DISTINCT, WRONG, OTHER, ROUNDS };
    const struct diag_reason *rival = best_rival(k, best);
    const struct diag_hypothesis *h = &k->k->fit[best].hypothesis;
    bool shown[EXPERIMENT_RUNS] = {false};
    for (int round = rival ? DISTINCT : WRONG; round < ROUNDS; round++)
        for (size_t i = 0; i < k->control.n; i++) {
            const struct control *c = &k->control.v[i];
            struct diag_control *to = &out->control[out->controls];
            struct arena a = {0};
            struct hypotheses r;
            if (!shown[i] && round == OTHER) {
                *to = (struct diag_control){.tweak = c->plan->tweak};
                shown[i] = true;
                out->controls++;
            } else if (!shown[i] && experiment_judge(&a, &r, &c->c, &c->answer)) {
                shown[i] =
                    experiment_show(&r, &c->plan->tweak, h, round == DISTINCT ? rival : NULL, to) &&
                    (to->undefined || to->predicted == to->observed);
                out->controls = (uint8_t)(out->controls + shown[i]);
                hypotheses_close(&r);
            }
            arena_free(&a);
        }
}

// ---- all of it -------------------------------------------------------------------------------

// Asks until the best hypothesis is separated from all others, or nothing more can be asked.
static void test(struct test *k)
{
    uint64_t rivals;
    for (uint32_t n = 0; n < k->plan.n && k->asked < EXPERIMENT_RUNS; n++) {
        const uint32_t best = hypothesis_best(k->k, k->s, &rivals);
        if (best >= k->k->fits || best >= RIVALS || (k->t->stop && k->t->stop(k->t->stop_user)))
            return;
        struct plan *p = next(k, best);
        if (!p || (k->confirmed[best] >= WANTED && !parts(k, p, best)))
            return;
        ask(k, p);
    }
}

// A branch to another block imitates many mistakes. If the compiler changed no branch, its change
// is the reason, provided that experiments confirm it.
static void change_no_branch(const struct spv_case *c, const struct diag_signature *s,
                             const struct experiment_target *t, struct diag_reason *out)
{
    const enum diag_why change = hypothesis_change(s, true);
    struct diag_reason r = {
        .why = (uint8_t)change, .known = DIAG_BY_CHANGE, .rule = (uint8_t)why_rows[change].rule};
    if (out->why != DIAG_ELSEWHERE || !change || change == DIAG_ELSEWHERE || why_is_tangle(change))
        return;
    experiment_change(c, s, t, EXPERIMENT_RUNS - out->asked, &r);
    if (r.why)
        *out = r;
}

bool diag_reason_tested(const struct spv_case *c, const struct spv_memory *expected,
                        const struct spv_memory *observed, const struct diag_signature *s,
                        const struct experiment_target *t, struct diag_reason *out)
{
    struct arena a = {0};
    struct test k = {.a = &a, .k = ARENA_NEW(&a, struct hypothesis_fits), .s = s, .t = t};
    uint64_t rivals;
    *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN};
    hypothesis_fits_of(k.k, &a, c, expected, observed, s);
    k.confirmed = ARENA_ARRAY(&a, uint32_t, k.k->fits + 1);
    k.informative = ARENA_ARRAY(&a, uint32_t, k.k->fits + 1);
    if (k.k->fits && spv_module_read(&a, c->words, c->count, &k.m, NULL)) {
        predict_all(&k);
        test(&k);
    }
    k.k->tested = true;
    const uint32_t best = hypothesis_best(k.k, s, &rivals);
    hypothesis_choose(k.k, s, observed != NULL, out);
    if (out->known == DIAG_BY_CHANGE) {
        experiment_change(c, s, t, EXPERIMENT_RUNS - k.asked, out);
    } else if (out->known == DIAG_BY_HYPOTHESIS && best < RIVALS &&
               k.confirmed[best] >= CONFIRMED && k.informative[best]) {
        out->asked = (uint8_t)k.asked;
        out->confirmed = (uint8_t)k.confirmed[best];
        show(&k, best, out);
        change_no_branch(c, s, t, out);
    } else {
        *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN, .asked = (uint8_t)k.asked};
    }
    hypotheses_close(&k.k->run);
    arena_free(&a);
    if (!out->why && expected && observed)
        experiment_result(c, t, EXPERIMENT_RUNS, out);
    return out->why != DIAG_WHY_UNKNOWN;
}
