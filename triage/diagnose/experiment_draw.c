// SPDX-License-Identifier: Apache-2.0
//
// One more control program for a reason, drawn at random: measures how often a reason that survived
// its own control programs is wrong after all.
#include "experiment_parts.h"

static bool was_asked(const struct diag_reason *r, const struct diag_tweak *t)
{
    for (uint32_t i = 0; i < r->controls; i++)
        if (tweak_equal(&r->control[i].tweak, t))
            return true;
    return false;
}

// Reports whether the reason predicts wrong memory for the program.
static bool predicts_wrong(struct arena *a, const struct diag_reason *r, const struct spv_case *c)
{
    struct hypotheses k;
    struct orc_result rules, made;
    struct judge_verdict v = {.klass = JUDGE_AGREES};
    if (!experiment_open(&k, a, c, &rules))
        return false;
    if (hypothesis_predict(&k, &r->hypothesis, &made))
        judge_compare(c, rules.memory, made.memory, c->buffer_count, &v);
    hypotheses_close(&k);
    return judge_class_is_mismatch(v.klass);
}

static enum experiment_drawn judge(struct arena *a, const struct diag_signature *s,
                                   const struct diag_reason *r, const struct diag_tweak *t,
                                   const struct spv_case *c, const struct experiment_answer *x,
                                   struct diag_control *out)
{
    struct spv_case with = *c;
    struct hypotheses k;
    struct hypothesis_words w;
    enum experiment_drawn is = EXPERIMENT_NONE;
    if (x->chose) {
        with.has_policy = true;
        with.policy = x->policy;
    }
    if (!experiment_judge(a, &k, &with, x))
        return EXPERIMENT_NONE;
    if (hypothesis_run(&k, &r->hypothesis, &w)) {
        const bool may = experiment_may_be_right(s, r, t, &with, x);
        is = hypothesis_predicts(&w) ? EXPERIMENT_AGREES
             : hypothesis_allows(&w) ? EXPERIMENT_NONE
             : !w.wrong && may       ? EXPERIMENT_NARROW
                                     : EXPERIMENT_REFUTED;
        experiment_show(&k, t, &r->hypothesis, NULL, out);
    }
    hypotheses_close(&k);
    return is;
}

enum experiment_drawn diag_reason_draw(const struct spv_case *c, const struct diag_signature *s,
                                       const struct diag_reason *r, uint64_t seed,
                                       const struct experiment_target *t, struct diag_control *out)
{
    struct arena a = {0};
    struct spv_module m;
    struct spv_case exposed;
    struct tweaks all = {0};
    enum experiment_drawn is = EXPERIMENT_NONE;
    *out = (struct diag_control){0};
    const bool record = r->known == DIAG_BY_RECORD;
    bool built = true;
    if (r->without.kind) { // the reason is about another program
        built = experiment_exposed_case(&a, c, &r->without, r->shown, &exposed);
        c = &exposed;
    }
    if (built && (record || r->known == DIAG_BY_HYPOTHESIS) &&
        spv_module_read(&a, c->words, c->count, &m, NULL))
        tweaks_of(&a, c, &m, false, &all);
    for (size_t left = all.n; left && is == EXPERIMENT_NONE; left--) {
        struct experiment_answer answer;
        struct spv_case with;
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t i = (size_t)((seed >> 33) % left);
        const struct diag_tweak x = all.v[i];
        all.v[i] = all.v[left - 1];
        if (record)
            is = was_asked(r, &x) ? EXPERIMENT_NONE : experiment_result_draw(c, r, &x, t, out);
        else if (!was_asked(r, &x) && tweak_apply(&a, c, &m, &x, &with) &&
                 predicts_wrong(&a, r, &with) && t->ask(t->user, &a, &with, &answer))
            is = judge(&a, s, r, &x, &with, &answer, out);
    }
    arena_free(&a);
    return is;
}
