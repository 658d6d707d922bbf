// SPDX-License-Identifier: Apache-2.0
//
// Asks an open target about a program of an experiment.
#include "experiment.h"

// Under a weaker model, values that a compiler's module leaves undefined are taken as under maximal
// reconvergence, as the judge does.
static const struct spv_memory *as_maximal(struct arena *a, const struct spv_case *c,
                                           const struct run_result *r, const struct judged *j)
{
    struct spv_case made = *c;
    struct orc_options o = {.policy = j->chose ? &j->policy : NULL};
    struct orc_result full;
    if (!r->memory || r->form != RUN_FORM_SPIRV || !judge_weak(c->model))
        return r->memory;
    made.words = r->words;
    made.count = r->word_count;
    made.body = NULL;
    made.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(a, &made, c->subgroup, &o, &full);
    return full.why.status == RAN_OK ? full.memory : r->memory;
}

bool experiment_ask(void *user, struct arena *a, const struct spv_case *c,
                    struct experiment_answer *out)
{
    struct experiment_worker *w = user;
    struct prediction *p =
        judge_predict_within(a, NULL, c, 1, c->subgroup, w->policy.choices.base, w->step_limit);
    struct judged j;
    struct run_result r;
    if (p->made.why.status != RAN_OK ||
        !spv_validate(w->tools, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL))
        return false;
    run_case(w->target, a, c, 0, &r);
    judge_result(a, w->tools, p, &r, &w->policy, &j);
    const bool ran = judge_class_is_mismatch(j.verdict.klass) || j.verdict.klass == JUDGE_AGREES;
    *out = (struct experiment_answer){
        .verdict = j.verdict,
        .chose = j.chose,
        .policy = j.policy,
        .expected = ran ? j.expected : NULL,
        .observed = ran ? as_maximal(a, c, &r, &j) : NULL,
        .output = r.form == RUN_FORM_SPIRV ? r.words : NULL,
        .output_count = r.word_count,
        .text = r.text[0] ? arena_str(a, r.text) : NULL,
        .site = r.crash_site,
    };
    return true;
}
