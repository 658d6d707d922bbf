// SPDX-License-Identifier: Apache-2.0
//
// One seed -> a validated case with its prediction.
#include "campaign_parts.h"

#include <string.h>

static const char *profile_name(enum gen_profile p)
{
    return p == GEN_SMALL ? "small" : p == GEN_LARGE ? "large" : "default";
}

const char *job_command(const struct campaign *c, struct arena *a, uint64_t seed)
{
    struct text t = {.arena = a};
    text_add(&t, "tanglefuzz gen --seed %llu --subgroup %u", (unsigned long long)seed,
             c->gen.subgroup);
    if (c->gen.profile != GEN_DEFAULT)
        text_add(&t, " --profile %s", profile_name(c->gen.profile));
    if (c->gen.inputs > 1)
        text_add(&t, " --inputs %u -o case.spvasm", c->gen.inputs);
    if (c->gen.model != SPV_MAXIMAL)
        text_add(&t, " --model %s", spv_model_name(c->gen.model));
    if (c->gen.max_invocations)
        text_add(&t, " --max-invocations %u", c->gen.max_invocations);
    if (c->gen.features != GEN_ALL_FEATURES) {
        const char *gap = " --only ";
        for (int f = 0; f < GEN_FEATURE_COUNT; f++)
            if (c->gen.features & GEN_BIT(f)) {
                text_add(&t, "%s%s", gap, gen_feature_name((enum gen_feature)f));
                gap = ",";
            }
    }
    return t.v;
}

struct spv_case job_kept_case(const struct prediction *p, const struct judged *judged)
{
    struct spv_case c = *p->c;
    if (!c.subgroup)
        c.subgroup = p->subgroup;
    if (judged->chose && !judged->any_policy) {
        c.has_policy = true;
        c.policy = judged->policy;
    }
    return c;
}

enum job_outcome job_make(struct campaign *c, struct job *j, const char **kind, const char **why)
{
    arena_reset(&j->arena);
    struct arena *a = &j->arena;
    char context[40];
    snprintf(context, sizeof context, "seed %llu", (unsigned long long)j->seed);
    check_context(context);

    struct gen_choices choices;
    gen_choices_seed(&choices, a, j->seed);
    gen_make(&choices, &c->gen, &j->made);
    CHECK(j->made.case_count >= 1 && j->made.case_count <= RUN_JOB_CASES);

    struct err e = {0};
    const struct spv_case *first = &j->made.cases[0];
    if (!spv_validate(c->tools, SPV_ENV_VULKAN_1_3, first->words, first->count, &e)) {
        *kind = "invalid";
        *why = arena_printf(a, "spirv-val: %s", e.msg);
        return JOB_OURS;
    }
    j->predicted = judge_predict(a, j->made.cases, j->made.case_count, c->gen.subgroup,
                                 c->policy.choices.base);
    for (uint32_t i = 0; i < j->made.case_count; i++) {
        const struct orc_why *w = &j->predicted[i].made.why;
        if (w->status == ORC_OK)
            continue;
        *kind = orc_status_name(w->status);
        *why = j->made.case_count == 1 ? arena_str(a, w->text)
                                       : arena_printf(a, "input %u: %s", i + 1, w->text);
        return JOB_OURS;
    }
    check_context(NULL);
    return JOB_READY;
}
