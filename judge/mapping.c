// SPDX-License-Identifier: Apache-2.0
//
// Lane mappings other than the linear one that devices use: by columns, in quads of two by two,
// reversed, and dealt to the subgroups in turn.
#include "policy.h"

// Returns the position of invocation `i` of a workgroup in another order of all `n` invocations.
typedef uint32_t place_fn(uint32_t i, const uint32_t size[3], uint32_t n, uint32_t subgroup);

static uint32_t by_columns(uint32_t i, const uint32_t size[3], uint32_t n, uint32_t subgroup)
{
    (void)n, (void)subgroup;
    const uint32_t area = size[0] * size[1], x = i % size[0], y = i / size[0] % size[1];
    return i / area * area + x * size[1] + y;
}

static uint32_t in_quads(uint32_t i, const uint32_t size[3], uint32_t n, uint32_t subgroup)
{
    (void)n, (void)subgroup;
    return spv_quads_fit(SPV_QUADS_2X2, size) ? spv_quads_place(SPV_QUADS_2X2, size, i) : i;
}

static uint32_t backwards(uint32_t i, const uint32_t size[3], uint32_t n, uint32_t subgroup)
{
    (void)size, (void)subgroup;
    return n - 1 - i;
}

static uint32_t dealt_out(uint32_t i, const uint32_t size[3], uint32_t n, uint32_t subgroup)
{
    (void)size;
    if (n % subgroup)
        return i;
    const uint32_t groups = n / subgroup;
    return i % groups * subgroup + i / groups;
}

const char *other_mapping(const struct prediction *p, const struct run_result *r)
{
    static const struct {
        const char *name;
        place_fn *place;
    } mappings[] = {{"laid out by columns", by_columns},
                    {"laid out in quads of two by two", in_quads},
                    {"laid out from the last to the first", backwards},
                    {"dealt out to the subgroups in turn", dealt_out}};
    struct arena a = {0};
    struct spv_module m;
    uint32_t size[3];
    const char *found = NULL;
    if (!spv_module_read(&a, p->c->words, p->c->count, &m, NULL) ||
        !spv_local_size(p->c, &m, size, NULL)) { // a draw has no workgroup size
        arena_free(&a);
        return NULL;
    }
    const uint32_t n = size[0] * size[1] * size[2], *groups = p->c->groups,
                   all = n * groups[0] * groups[1] * groups[2];
    uint32_t *id = ARENA_ARRAY(&a, uint32_t, all), *lane = ARENA_ARRAY(&a, uint32_t, all);
    for (size_t k = 0; k < sizeof mappings / sizeof *mappings && !found; k++) {
        const struct orc_lanes lanes = {.invocations = all, .subgroup = id, .lane = lane};
        const struct orc_options o = {.policy = &p->policy, .lanes = &lanes, .elects = true};
        struct orc_result made;
        struct judge_verdict v;
        bool differs = false;
        for (uint32_t i = 0; i < all; i++) {
            const uint32_t at = mappings[k].place(i % n, size, n, p->subgroup);
            id[i] = at / p->subgroup, lane[i] = at % p->subgroup;
            differs |= at != i % n;
        }
        if (!differs)
            continue;
        orc_run(p->program, &a, p->c, p->subgroup, &o, &made);
        if (made.why.status != RAN_OK)
            continue;
        judge_compare(p->c, made.memory, r->memory, r->memory_count, &v);
        if (v.klass == JUDGE_AGREES)
            found = mappings[k].name;
    }
    arena_free(&a);
    return found;
}
