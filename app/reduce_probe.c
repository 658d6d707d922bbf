// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: its probes (tri_probe) on the target.
#include "reduce_probe.h"

#include <string.h>

// Is the target wrong about a probe as well? *j and *res, in `a`, say how. As every candidate it
// is valid and has a meaning before the target sees it.
static bool probe_is_wrong(struct ask *k, struct arena *a, const struct spv_case *probe,
                           struct judged *j, struct run_result *res)
{
    const struct ask_worker *w = &k->worker[ASK_MAIN];
    struct prediction *p =
        judge_predict_within(a, NULL, probe, 1, probe->subgroup, w->policy.choices.base, k->step_limit);
    if (p->made.why.status != ORC_OK ||
        !spv_validate(w->tools, SPV_ENV_VULKAN_1_3, probe->words, probe->count, NULL))
        return false;
    ask_again(k, a, probe, 1, &p, j, res);
    return tri_class_is_mismatch(j->verdict.klass);
}

// Whether other operations in the place of the wrong one are wrong too, and in which manner.
enum tri_blame probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                         const struct tri_verdict *v, char manner[MANNER_MAX])
{
    bool any = false, before = false;
    for (int i = 0; i < TRI_PROBES; i++) {
        struct spv_case with;
        struct judged pj;
        struct run_result pr;
        uint32_t id;
        bool same = tri_probe_is(c, v, (enum tri_probe)i), wrong = false;
        if (!tri_probe(a, c, v, (enum tri_probe)i, &with, &id))
            continue;
        wrong = probe_is_wrong(k, a, &with, &pj, &pr);
        if (i == TRI_PROBE_OPERAND)
            before = wrong;
        else
            any |= wrong && !same;
        if (i == TRI_PROBE_BALLOT && wrong && pj.expected && pr.memory)
            manner_of(&with, id, pj.expected, pr.memory, manner);
    }
    // Of an operation that alone is wrong counts whether it is when nobody is missing.
    if (before || (!any && !strstr(manner, "absent"))) {
        manner_of_place(c, tri_site_op(c, v, before), manner);
        size_t n = strlen(manner);
        if (c->subgroup > 4) // and whether a few lanes do not show it
            snprintf(manner + n, MANNER_MAX - n, ", wide");
    }
    return before ? TRI_BLAME_INNER : any ? TRI_BLAME_ANY : TRI_BLAME_OP;
}
