// SPDX-License-Identifier: Apache-2.0
//
// Finds the weakest model that promises the expected result. The observed memory is judged again
// under each weaker model (docs/rules.md). The target does not run again.
#include "judge.h"

struct look {
    struct arena a;
    const struct spv_case *c;
    const struct spv_memory *observed;
};

static bool same_words(const struct spv_memory *x, const struct spv_memory *y)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (judge_wrong_bits(x, y, i))
            return false;
    return true;
}

bool judge_lanes_seen(struct arena *a, const struct spv_case *c, const struct orc_result *made,
                      const struct spv_memory *observed, struct orc_lanes *room,
                      const struct orc_lanes **out)
{
    const uint32_t at = judge_lanes_index(c);
    *out = NULL;
    if (at >= made->memory_count || same_words(&made->memory[at], &observed[at]))
        return true;
    *out = room;
    return judge_lanes_read(a, c, &observed[at], c->subgroup, room, NULL);
}

// Predicts the memory under the model, for the observed lane mapping. False if the case has
// undefined behaviour under the model, or if the mapping is impossible.
static bool predict(struct look *k, enum spv_model m, struct orc_result *out)
{
    struct spv_case weak = *k->c;
    struct orc_lanes room;
    struct orc_options o = {.policy = weak.has_policy ? &weak.policy : NULL};
    weak.model = m;
    orc_predict(&k->a, &weak, weak.subgroup, &o, out);
    if (!judge_lanes_seen(&k->a, k->c, out, k->observed, &room, &o.lanes))
        return false;
    if (o.lanes)
        orc_predict(&k->a, &weak, weak.subgroup, &o, out);
    return out->why.status == RAN_OK;
}

// True if a bit is wrong that the model promises.
static bool wrong_under(struct look *k, enum spv_model m)
{
    struct orc_result must;
    if (!predict(k, m, &must))
        return false;
    const uint32_t lanes_at = judge_lanes_index(k->c);
    for (uint32_t b = 0; b < must.memory_count; b++)
        if (b != lanes_at && !same_words(&must.memory[b], &k->observed[b]))
            return true;
    return false;
}

enum judge_promise judge_weakest(const struct spv_case *c, const struct spv_memory *observed)
{
    struct look k = {.c = c, .observed = observed};
    struct spv_module m;
    uint32_t size[3];
    enum judge_promise p = JUDGE_PROMISE_MAXIMAL;
    if (!c->subgroup || !spv_module_read(&k.a, c->words, c->count, &m, NULL) ||
        !spv_local_size(c, &m, size, NULL)) {
        p = JUDGE_PROMISE_UNKNOWN;
    } else if (wrong_under(&k, SPV_WORKGROUP_UNIFORM)) {
        const uint64_t all =
            (uint64_t)size[0] * size[1] * size[2] * c->groups[0] * c->groups[1] * c->groups[2];
        p = all == 1 ? JUDGE_PROMISE_SINGLE : JUDGE_PROMISE_WORKGROUP;
    } else if (wrong_under(&k, SPV_SUBGROUP_UNIFORM)) {
        p = JUDGE_PROMISE_SUBGROUP;
    }
    arena_free(&k.a);
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
