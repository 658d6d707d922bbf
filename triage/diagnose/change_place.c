// SPDX-License-Identifier: Apache-2.0
//
// The position of an instruction of a small module relative to the module's constructs.
#include "change.h"

static uint32_t parts(const struct diag_path *p, enum diag_part part)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        n += p->part[i] == part;
    return n;
}

static bool has_part(const struct diag_path *p, enum diag_part part)
{
    return parts(p, part) > 0;
}

bool change_wrapped(const struct spv_module *m)
{
    uint32_t entry = 0, calls = 0, callee = 0, callers = 0;
    for (uint32_t k = 0; k < m->inst_count && !entry; k++)
        entry = m->insts[k].op == SpvOpEntryPoint ? m->insts[k].v[1] : 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        const bool here = m->functions[spv_function_at(m, k)].id == entry;
        if (here &&
            (spv_group_find(i->op) || i->op == SpvOpLoopMerge || i->op == SpvOpSelectionMerge))
            return false;
        if (here && i->op == SpvOpFunctionCall) {
            callee = i->v[0];
            calls++;
        }
    }
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++)
        callers += m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == callee;
    return calls == 1 && callers == 1;
}

// Relative to the calls of the function: after one, before one, or neither.
static enum diag_side to_calls(const struct spv_flow *g, uint32_t b, uint32_t inst)
{
    const struct spv_module *m = g->m;
    enum diag_side side = DIAG_UNRELATED;
    for (uint32_t h = 0; h < g->n; h++)
        for (uint32_t k = m->blocks[g->first + h].first; k <= m->blocks[g->first + h].last; k++) {
            if (m->insts[k].op != SpvOpFunctionCall)
                continue;
            if (h == b ? k < inst : spv_flow_dominates(g, h, b))
                return DIAG_AFTER;
            if (h == b || spv_flow_dominates(g, b, h))
                side = DIAG_BEFORE;
        }
    return side;
}

// No lanes join at the merge block of selection h, since all other paths through it leave. Then
// only the lanes of one side execute the rest of the surrounding loop, as if it were an arm.
static bool diverged_after(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    const uint32_t loop = spv_flow_loop(g, h);
    return g->block[h].kind != SPV_LOOP && g->block[g->block[h].merge].pred_count == 1 &&
           (loop == SPV_NO_BLOCK || spv_flow_inside(g, loop, b));
}

// Relative to the function's constructs of a kind: in one, after one, before one, or neither.
// The counts: how many it is in, and after. The flag: it is after one that acts as an arm.
static enum diag_side to_constructs(const struct spv_flow *g, uint32_t b, int kind, uint32_t *depth,
                                    uint32_t *after, bool *diverged)
{
    const struct spv_module *m = g->m;
    bool before = false;
    *depth = *after = 0;
    *diverged = false;
    for (uint32_t h = 0; h < g->n; h++) {
        if (change_kind(m, &m->blocks[g->first + h]) != kind)
            continue;
        if (spv_flow_dominates(g, g->block[h].merge, b)) {
            ++*after;
            *diverged |= diverged_after(g, h, b);
        } else if (spv_flow_inside(g, h, b) && (h != b || kind == DIAG_LOOP))
            ++*depth;
        else if (spv_flow_dominates(g, b, h))
            before = true;
    }
    return *depth ? DIAG_INSIDE : *after ? DIAG_AFTER : before ? DIAG_BEFORE : DIAG_UNRELATED;
}

// Reports whether block b, which is on the path out of a loop, leads to a return, not to the
// loop's merge block. A path that branches again counts as one to the merge block.
static bool goes_to_return(const struct spv_flow *g, uint32_t b)
{
    const struct spv_module *m = g->m;
    for (uint32_t hops = 0; hops < g->n; hops++) {
        const struct spv_inst *end = &m->insts[m->blocks[g->first + b].last];
        if (end->op == SpvOpReturn || end->op == SpvOpReturnValue)
            return true;
        if (end->op != SpvOpBranch)
            return false;
        b = m->block_of[end->v[0]] - g->first;
        for (uint32_t h = 0; h < g->n; h++)
            if (g->block[h].kind == SPV_LOOP && g->block[h].merge == b)
                return false;
    }
    return false;
}

void change_place(struct arena *a, const struct spv_module *m, uint32_t inst, bool wrapped,
                  struct place *out)
{
    struct diag_path p;
    struct spv_flow g;
    uint32_t unused, too;
    bool as_arm;
    *out = (struct place){.ifs = 0};
    construct_path(a, m, inst, &p);
    spv_flow_read(a, m, &m->functions[spv_function_at(m, inst)], &g);
    const uint32_t b = spv_flow_at(&g, inst);
    out->to[DIAG_LOOP] = (uint8_t)to_constructs(&g, b, DIAG_LOOP, &unused, &too, &as_arm);
    out->to[DIAG_SWITCH] =
        (uint8_t)to_constructs(&g, b, DIAG_SWITCH, &unused, &too, &out->diverged[DIAG_SWITCH]);
    out->to[DIAG_CALL] =
        parts(&p, DIAG_IN_CALL) > wrapped ? DIAG_INSIDE : (uint8_t)to_calls(&g, b, inst);
    out->to[DIAG_IF] = (uint8_t)to_constructs(&g, b, DIAG_IF, &out->ifs, &out->ifs_before,
                                              &out->diverged[DIAG_IF]);
    // The place of the call, if the construct is not in the function itself.
    if (has_part(&p, DIAG_IN_LOOP) || has_part(&p, DIAG_IN_HEAD) || has_part(&p, DIAG_IN_CONT))
        out->to[DIAG_LOOP] = has_part(&p, DIAG_IN_BREAK)  ? DIAG_WAY_OUT
                             : has_part(&p, DIAG_IN_CONT) ? DIAG_CONTINUE
                                                          : DIAG_INSIDE;
    out->returns = out->to[DIAG_LOOP] == DIAG_WAY_OUT && goes_to_return(&g, b);
    if (has_part(&p, DIAG_IN_CASE) || has_part(&p, DIAG_IN_FALL))
        out->to[DIAG_SWITCH] = DIAG_INSIDE;
}

// Reports whether instruction `at` is after a loop that holds instruction `in`.
static bool is_after_loop_of(const struct spv_flow *g, uint32_t at, uint32_t in)
{
    const uint32_t b = spv_flow_at(g, at), d = spv_flow_at(g, in);
    for (uint32_t h = 0; h < g->n; h++)
        if (g->block[h].kind == SPV_LOOP && spv_flow_inside(g, h, d) &&
            spv_flow_dominates(g, g->block[h].merge, b))
            return true;
    return false;
}

bool change_is_left(struct arena *a, const struct spv_module *m, uint32_t inst)
{
    const struct spv_inst *i = &m->insts[inst];
    const struct spv_inst *d = i->n > 1 ? spv_def(m, i->v[1]) : NULL;
    struct spv_flow g;
    uint32_t b;
    if (!d || !d->result || !site_flow(a, m, inst, &g, &b))
        return false;
    bool left = is_after_loop_of(&g, inst, m->def[d->result]);
    const struct spv_inst *variable = d->op == SpvOpLoad ? spv_def(m, d->v[0]) : NULL;
    for (uint32_t k = 0; k < m->inst_count && !left && variable && variable->op == SpvOpVariable;
         k++)
        left = m->insts[k].op == SpvOpStore && m->insts[k].v[0] == variable->result &&
               is_after_loop_of(&g, inst, k);
    return left;
}
