// SPDX-License-Identifier: Apache-2.0
//
// Which tokens matter of a case that crashes a target, or that it rejects: programs with one token
// changed, and whether each fails in the same way. Nothing is concluded beyond what was tried.
#include "experiment.h"

static bool fails(const struct spv_case *c, const struct diag_signature *was, const char *target,
                  const char *driver, const struct experiment_answer *x)
{
    struct diag_signature is;
    if (!judge_class_is_finding(x->verdict.klass))
        return false;
    diag_signature(c, &x->verdict, target, driver, x->text, NULL, &is);
    is.site = x->site;
    return diag_same_kind(was, &is);
}

// Returns the index of a change of a kind that was not tried, at the instruction where the fewest
// of this kind were; all->n: none. `tried`: [instruction].
static size_t next(const struct tweaks *all, enum diag_tweak_kind kind, const uint32_t *tried)
{
    size_t best = all->n;
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].kind == kind &&
            (best == all->n || tried[all->v[i].at] < tried[all->v[best].at]))
            best = i;
    return best;
}

void diag_crash_trials(const struct spv_case *c, const struct diag_signature *was,
                       const char *target, const char *driver, const struct experiment_target *t,
                       struct diag_trials *out)
{
    struct arena a = {0};
    struct spv_module m;
    struct tweaks all = {0};
    uint32_t *tried[DIAG_TWEAK_COUNT]; // [kind][instruction]
    bool more = true;
    *out = (struct diag_trials){0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        tweaks_of(&a, c, &m, true, &all);
    for (uint32_t k = 0; k < DIAG_TWEAK_COUNT && all.n; k++)
        tried[k] = ARENA_ARRAY(&a, uint32_t, m.inst_count);
    while (more && all.n) { // one of each kind of change, then another one of each
        more = false;
        for (uint32_t k = 1; k < DIAG_TWEAK_COUNT && out->n < DIAG_TRIALS; k++) {
            const size_t i = next(&all, (enum diag_tweak_kind)k, tried[k]);
            struct arena one = {0};
            struct spv_case with;
            struct experiment_answer answer;
            if (i == all.n || (t->stop && t->stop(t->stop_user)))
                continue;
            const struct diag_tweak x = all.v[i];
            more = true;
            tried[k][x.at]++;
            all.v[i].kind = DIAG_NO_TWEAK;
            if (tweak_apply(&one, c, &m, &x, &with) && t->ask(t->user, &one, &with, &answer))
                out->trial[out->n++] =
                    (struct diag_trial){x, fails(&with, was, target, driver, &answer)};
            arena_free(&one);
        }
        more &= out->n < DIAG_TRIALS;
    }
    arena_free(&a);
}
