// SPDX-License-Identifier: Apache-2.0
#include "rerun.h"

#include "base/interrupt.h"
#include "generator/generator.h"

#include <string.h>

// Runs the case once. False if an interrupt ended it; then the worker is killed.
static bool ask(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                struct run_result *out)
{
    struct run_result *r;
    CHECK(run_submit(t, c, 1, subgroup));
    while (!run_take(t, a, 0.1, &r))
        if (interrupted()) {
            run_kill(t);
            return false;
        }
    *out = r[0];
    return true;
}

// Returns the separator case to run between two runs of `c`, so that a target that returns stale
// results does not appear right the second time.
static const struct spv_case *case_between(struct arena *a, const struct spv_case *c,
                                           uint32_t subgroup)
{
    struct gen_made m;
    const struct gen_options o = {
        .subgroup = subgroup < 4 ? 4 : subgroup, .inputs = 1, .model = c->model};
    gen_make_simplest(a, &o, false, &m);
    if (m.cases->count == c->count &&
        memcmp(m.cases->words, c->words, c->count * sizeof *c->words) == 0)
        gen_make_simplest(a, &o, true, &m);
    return m.cases;
}

void rerun_case(struct rerun *out, struct spv_tools *tools, struct run_target *t,
                const struct prediction *p, uint32_t subgroup, uint32_t runs,
                struct shown_policy *policy)
{
    unsigned at = 0;
    const struct spv_case *between =
        runs > 1 ? case_between(&out->between, p->c, p->subgroup) : NULL;
    for (uint32_t i = 0; i < runs && !interrupted(); i++) {
        struct arena *a = &out->pool[at];
        struct run_result result;
        struct judged judged;
        arena_reset(a);
        if (i > 0 && !ask(t, a, between, 0, &result))
            break;
        if (!ask(t, a, p->c, p->c->subgroup ? 0 : subgroup, &result))
            break;
        judge_result(a, tools, p, &result, policy, &judged);
        enum judge_class k = judged.verdict.klass;
        bool wrong = judge_class_is_finding(k);
        if (out->runs == 0 || (wrong && !out->wrong)) {
            out->shown = judged;
            out->result = result;
            at = 1 - at;
        }
        out->by_class[k]++;
        out->runs++;
        out->wrong |= wrong;
        // These classes are the same in every run.
        if (k == JUDGE_FAILED || k == JUDGE_SKIPPED || k == JUDGE_UNDEFINED || k == JUDGE_UNJUDGED)
            break;
    }
    out->good =
        out->runs && out->by_class[JUDGE_AGREES] + out->by_class[JUDGE_COMPILED] == out->runs;
}

void rerun_free(struct rerun *r)
{
    arena_free(&r->pool[0]);
    arena_free(&r->pool[1]);
    arena_free(&r->between);
    *r = (struct rerun){0};
}
