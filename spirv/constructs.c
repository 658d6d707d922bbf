// SPDX-License-Identifier: Apache-2.0
//
// Queries about constructs: contained blocks, enclosing constructs, arms (SPIR-V 2.11, "structured
// control flow").
#include "spirv_flow.h"

bool spv_flow_inside(const struct spv_flow *f, uint32_t h, uint32_t b)
{
    return h < f->n && f->block[h].kind != SPV_NO_CONSTRUCT &&
           spv_flow_structurally_dominates(f, h, b) &&
           !spv_flow_structurally_dominates(f, f->block[h].merge, b);
}

uint32_t spv_flow_around(const struct spv_flow *f, uint32_t h)
{
    if (h >= f->n || f->block[h].structural_order == SPV_NO_BLOCK)
        return SPV_NO_BLOCK;
    for (uint32_t x = h; x != 0;) {
        x = f->block[x].structural_idom;
        if (spv_flow_inside(f, x, h))
            return x;
    }
    return SPV_NO_BLOCK;
}

uint32_t spv_flow_loop(const struct spv_flow *f, uint32_t b)
{
    uint32_t h = b < f->n ? f->block[b].construct : SPV_NO_BLOCK;
    while (h != SPV_NO_BLOCK && f->block[h].kind != SPV_LOOP)
        h = spv_flow_around(f, h);
    return h;
}

bool spv_flow_in_continue(const struct spv_flow *f, uint32_t h, uint32_t b)
{
    return spv_flow_inside(f, h, b) && spv_flow_structurally_dominates(f, f->block[h].cont, b);
}

uint32_t spv_flow_arm(const struct spv_flow *f, uint32_t h, uint32_t b)
{
    if (!spv_flow_inside(f, h, b) || f->block[h].kind == SPV_LOOP)
        return SPV_NO_BLOCK;
    const struct spv_flow_block *x = &f->block[h];
    for (uint32_t k = 0; k < x->succ_count; k++)
        if (spv_flow_structurally_dominates(f, x->succ[k], b))
            return k;
    return SPV_NO_BLOCK;
}

uint32_t spv_flow_merges(const struct spv_flow *f, uint32_t b)
{
    for (uint32_t h = 0; h < f->n; h++)
        if (f->block[h].merge == b && spv_flow_reached(f, h))
            return h;
    return SPV_NO_BLOCK;
}

bool spv_flow_reaches(const struct spv_flow *f, uint32_t from, uint32_t to, uint32_t wall)
{
    struct arena a = {0};
    uint32_t *stack = ARENA_ARRAY(&a, uint32_t, f->n), n = 0;
    bool *seen = ARENA_ARRAY(&a, bool, f->n), found = from == to;
    stack[n++] = from;
    seen[from] = true;
    while (n && !found) {
        const struct spv_flow_block *x = &f->block[stack[--n]];
        for (uint32_t s = 0; s < x->succ_count; s++) {
            const uint32_t next = x->succ[s];
            found |= next == to;
            if (next == wall || seen[next])
                continue;
            seen[next] = true;
            stack[n++] = next;
        }
    }
    arena_free(&a);
    return found;
}
