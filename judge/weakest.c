// SPDX-License-Identifier: Apache-2.0
//
// By how little a wrong value is promised: the case is judged again under each weaker model
// (docs/rules.md), with what was observed. Nothing is run again: a shader that asks for more than
// its wrong value needs is wrong all the same.
#include "judge.h"

// Is a bit wrong that the model promises? False also where the case has no meaning under it.
static bool wrong_under(struct arena *a, const struct spv_case *c, enum spv_model m,
                        const struct orc_lanes *lanes, const struct spv_memory *observed)
{
    struct spv_case weak = *c;
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL, .lanes = lanes};
    struct orc_result seen;
    weak.model = m;
    orc_predict(a, &weak, c->subgroup, &o, &seen);
    for (uint32_t b = 0; seen.why.status == ORC_OK && b < seen.memory_count; b++)
        for (uint32_t i = 0; i < seen.memory[b].count; i++)
            if (judge_wrong_bits(&seen.memory[b], &observed[b], i))
                return true;
    return false;
}

enum judge_promise judge_weakest(const struct spv_case *c, const struct spv_memory *observed)
{
    struct arena a = {0};
    struct spv_module m;
    struct orc_lanes lanes;
    uint32_t size[3], at = judge_lanes_index(c);
    enum judge_promise p = JUDGE_PROMISE_MAXIMAL;
    if (!c->subgroup || !spv_module_read(&a, c->words, c->count, &m, NULL) ||
        !spv_local_size(c, &m, size, NULL) ||
        (at < c->buffer_count &&
         !judge_lanes_read(&a, c, &observed[at], c->subgroup, &lanes, NULL))) {
        p = JUDGE_PROMISE_UNKNOWN;
    } else {
        const struct orc_lanes *seen = at < c->buffer_count ? &lanes : NULL;
        const uint64_t all =
            (uint64_t)size[0] * size[1] * size[2] * c->groups[0] * c->groups[1] * c->groups[2];
        if (wrong_under(&a, c, SPV_WORKGROUP_UNIFORM, seen, observed))
            p = all == 1 ? JUDGE_PROMISE_SINGLE : JUDGE_PROMISE_WORKGROUP;
        else if (wrong_under(&a, c, SPV_SUBGROUP_UNIFORM, seen, observed))
            p = JUDGE_PROMISE_SUBGROUP;
    }
    arena_free(&a);
    return p;
}

bool judge_is_lead(enum spv_model m, enum judge_promise p)
{
    return m == SPV_ASSUMED_MAXIMAL && p <= JUDGE_PROMISE_MAXIMAL;
}

const char *judge_promise_name(enum judge_promise p)
{
    static const char *const names[] = {"", "maximal", "subgroup-uniform", "workgroup-uniform",
                                        "single-invocation"};
    return names[p];
}
