// SPDX-License-Identifier: Apache-2.0
//
// Finds the loop construct of each block (spirv_flow.h). Blocks between the loop body and the merge
// block, reached by a break or a return, belong to the loop (L4); its merge block belongs to the
// enclosing loop.
#include "form_loops.h"

#include "spirv/spirv_flow.h"

static void find_loops(struct form *f, const struct spv_flow *g)
{
    for (uint32_t b = 0; b < g->n; b++) {
        const uint32_t loop = spv_flow_reached(g, b) ? spv_flow_loop(g, b) : SPV_NO_BLOCK;
        uint32_t around = spv_flow_around(g, loop);
        while (around != SPV_NO_BLOCK && g->block[around].kind != SPV_LOOP)
            around = spv_flow_around(g, around);
        f->loop_of[g->first + b] = loop == SPV_NO_BLOCK ? FORM_NONE : g->first + loop;
        f->loop_around[g->first + b] = around == SPV_NO_BLOCK ? FORM_NONE : g->first + around;
    }
}

static bool joins_elsewhere(const struct spv_flow *g, uint32_t label)
{
    for (uint32_t b = 0; b < g->n; b++) {
        const struct spv_flow_block *x = &g->block[b];
        if (x->kind != SPV_NO_CONSTRUCT && (x->merge == label || (x->cont == label && b != label)))
            return true;
        const bool cases = g->m->insts[g->m->blocks[g->first + b].last].op == SpvOpSwitch;
        for (uint32_t k = 0; cases && k < x->succ_count; k++)
            if (x->succ[k] == label)
                return true;
    }
    return false;
}

// Refuses a loop header with two forward edges that is not a reconvergence point: invocations that
// enter by different edges stay diverged in the loop (R2). No other language can express that.
static bool entered_split(const struct form *f, const struct spv_flow *g, struct err *e)
{
    for (uint32_t h = 0; h < g->n; h++) {
        const struct spv_flow_block *header = &g->block[h];
        uint32_t ways = 0;
        for (uint32_t p = 0; header->kind == SPV_LOOP && p < header->pred_count; p++)
            ways += !spv_flow_dominates(g, h, header->pred[p]);
        if (ways > 1 && !joins_elsewhere(g, h))
            return !form_refuse(f, g->m->blocks[g->first + h].label,
                                "a loop entered by two edges that stay diverged (R2)", e);
    }
    return false;
}

bool form_loops(struct form *f, struct err *e)
{
    f->loop_of = ARENA_ARRAY(f->arena, uint32_t, f->m.block_count);
    f->loop_around = ARENA_ARRAY(f->arena, uint32_t, f->m.block_count);
    for (uint32_t i = 0; i < f->m.function_count; i++) {
        struct spv_flow g;
        if (!f->m.functions[i].block_count)
            continue;
        spv_flow_read(f->arena, &f->m, &f->m.functions[i], &g);
        find_loops(f, &g);
        if (entered_split(f, &g, e))
            return false;
    }
    return true;
}
