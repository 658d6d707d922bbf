// SPDX-License-Identifier: Apache-2.0
//
// The reason of a case that leaves no memory, if a wrong value is it: without the instruction that
// uses that value, the case runs to its end, and a record of the value shows it. A hypothesis that
// explains the record, and with which the case itself has undefined behaviour, explains both.
#include "experiment_parts.h"
#include "probe_record.h"

bool experiment_exposed_case(struct arena *a, const struct spv_case *c, const struct diag_tweak *t,
                             uint32_t shown, struct spv_case *out)
{
    struct spv_module m;
    struct spv_case without;
    struct probe_record p;
    return spv_module_read(a, c->words, c->count, &m, NULL) && t->at < m.inst_count &&
           tweak_apply(a, c, &m, t, &without) && probe_record(a, &without, shown, 0, &p, out);
}

// Reports whether the case has undefined behaviour with the hypothesis.
static bool is_undefined(const struct spv_case *c, const struct diag_hypothesis *h)
{
    struct arena a = {0};
    struct hypotheses r;
    struct orc_result rules, made;
    bool is = false;
    if (experiment_open(&r, &a, c, &rules)) {
        is = !hypothesis_predict(&r, h, &made) && made.why.status == RAN_UNDEFINED;
        hypotheses_close(&r);
    }
    arena_free(&a);
    return is;
}

// Numbers the changed instructions as in the case; those that it does not have, or that have no
// result, UINT32_MAX.
static void renumber(const struct spv_module *m, struct diag_reason *r)
{
    for (uint32_t i = 0; i < r->controls; i++) {
        struct diag_tweak *t = &r->control[i].tweak;
        const uint32_t at = t->id < m->bound ? m->def[t->id] : UINT32_MAX;
        t->at = at != UINT32_MAX && m->insts[at].op == t->opcode ? at : UINT32_MAX;
    }
}

// Asks about the case with the record. True: a hypothesis explains it, and the case.
static bool explains(const struct spv_case *c, const struct spv_case *with,
                     const struct diag_signature *s, const struct experiment_target *t,
                     uint32_t *asked, struct diag_reason *out)
{
    struct arena a = {0};
    struct experiment_answer x;
    struct spv_case chosen = *with;
    bool is = false;
    if (t->ask(t->user, &a, with, &x)) {
        ++*asked;
        if (x.chose) {
            chosen.has_policy = true;
            chosen.policy = x.policy;
        }
        is = judge_class_is_mismatch(x.verdict.klass) && x.expected && x.observed &&
             diag_reason_tested(&chosen, x.expected, x.observed, s, t, out) &&
             out->known == DIAG_BY_HYPOTHESIS && is_undefined(c, &out->hypothesis);
    }
    arena_free(&a);
    return is;
}

bool diag_reason_exposed(const struct spv_case *c, const struct diag_signature *s,
                         const struct experiment_target *t, struct diag_reason *out)
{
    struct arena a = {0};
    struct spv_module m;
    struct tweaks all = {0};
    uint32_t asked = 0;
    bool found = false;
    if (spv_module_read(&a, c->words, c->count, &m, NULL) && m.function_count && c->subgroup)
        tweaks_of(&a, c, &m, false, &all);
    for (size_t k = 0; k < all.n && !found; k++)
        for (uint32_t i = m.functions[0].first; i < m.inst_count && !found; i++) {
            const struct diag_tweak *x = &all.v[k];
            struct spv_case with;
            if (x->kind != DIAG_TWEAK_GONE || i == x->at || !probe_records(&m, i) ||
                asked >= EXPERIMENT_RUNS || (t->stop && t->stop(t->stop_user)) ||
                !experiment_exposed_case(&a, c, x, m.insts[i].result, &with) ||
                !explains(c, &with, s, t, &asked, out))
                continue;
            renumber(&m, out);
            out->without = *x;
            out->shown = m.insts[i].result;
            found = true;
        }
    if (!found)
        *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN};
    arena_free(&a);
    return found;
}
