// SPDX-License-Identifier: Apache-2.0
//
// Checks that an optimizer preserves the results of a shader. It runs in this process, so the
// fuzzing engine reports its crashes.
#include "fuzz.h"

#ifdef FZ_PLANT
#include "mutants/mutants.h"
#endif

#include <string.h>

struct spv_tools *fz_tools(void)
{
    static struct spv_tools *tools; // created once: that takes longer than a case
    if (!tools)
        tools = spv_tools_new();
    return tools;
}

// Rules out our own bugs: true if the input is valid and both executors of the oracle agree on it.
static bool oracle_agrees(struct arena *a, const struct prediction *p)
{
    struct err e;
    struct orc_options o = {
        .machine = ORC_TAG, .policy = &p->policy, .elects = true, .strict = true};
    struct orc_result tag;
    if (!spv_validate(fz_tools(), SPV_ENV_VULKAN_1_3, p->c->words, p->c->count, &e))
        return false;
    orc_run(p->program, a, p->c, p->subgroup, &o, &tag);
    return judge_same_result(&p->made, &tag);
}

// Runs passes [first, end) of a pipeline on a module.
static bool run_passes(struct arena *a, const struct fz_pipeline *l, uint32_t first, uint32_t end,
                       struct run_result *module)
{
    struct err e;
    return first == end ||
           spv_optimize(a, l->flags + first, end - first, module->words, module->word_count,
                        &module->words, &module->word_count, &e);
}

// Applies the first `passes` of a pipeline to the module. False if the optimizer rejects the module
// (it then prints why), or changes nothing.
static bool optimise(struct arena *a, const struct spv_case *c, const struct fz_pipeline *l,
                     uint32_t passes, struct run_result *out)
{
    uint32_t from = 0;
    *out = (struct run_result){
        .status = RUN_OK, .form = RUN_FORM_SPIRV, .words = c->words, .word_count = c->count};
#ifdef FZ_PLANT // injects a wrong transformation in place of a pass, to test that it is found
    for (uint32_t k = 0; k < passes; k++)
        if (strcmp(l->flags[k], FZ_PLANT_AT) == 0) {
            if (!run_passes(a, l, from, k, out))
                return false;
            mut_compile(a, mut_find(FZ_PLANT), out->words, out->word_count, &out->words,
                        &out->word_count);
            from = k + 1;
        }
#endif
    return run_passes(a, l, from, passes, out) &&
           (out->word_count != c->count || memcmp(out->words, c->words, c->count * 4) != 0);
}

static bool is_wrong(struct arena *a, const struct prediction *p, struct run_result made,
                     struct judge_verdict *out)
{
    struct judged j;
    struct shown_policy shown = {0};
    judge_result(a, fz_tools(), p, &made, &shown, &j);
    *out = j.verdict;
    return judge_class_is_finding(j.verdict.klass);
}

// Bisects the pipeline. Returns the pass after which the result is wrong, while it is right before.
static const char *culprit(struct arena *a, const struct prediction *p, const struct fz_pipeline *l)
{
    uint32_t good = 0, bad = l->n;
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        struct run_result made;
        struct judge_verdict v;
        if (optimise(a, p->c, l, middle, &made) && is_wrong(a, p, made, &v))
            bad = middle;
        else
            good = middle;
    }
    return l->flags[bad - 1];
}

void fz_optimizer_keeps_meaning(struct arena *a, const struct spv_case *cases, uint32_t n,
                                const struct fz_pipeline *l)
{
    struct run_result made;
    const char *target = arena_printf(a, "spirv-opt:%s", fz_pipeline_text(a, l));
    fz_save(cases, target);
    if (!optimise(a, cases, l, l->n, &made))
        return;
    struct prediction *p = judge_predict(a, cases, n, cases->subgroup, SPV_POLICY_JOIN);
    for (uint32_t i = 0; i < n; i++) {
        struct judge_verdict v;
        if (p[i].program && p[i].made.why.status == RAN_OK && is_wrong(a, &p[i], made, &v) &&
            oracle_agrees(a, &p[i]))
            fz_report(a, p[i].c, target, culprit(a, &p[i], l), &v);
    }
}
