// SPDX-License-Identifier: Apache-2.0
//
// Injected faults that serve as hypotheses about values and paths. The caller compares the memory
// of such a run with the observed one (triage/diagnose/hypothesis.c).
#include "execute.h"
#include "fault.h"
#include "flow.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

#include <string.h>

// ---- one lane's value for all -------------------------------------------------------

static void first_for_all(const struct machine *m, uint32_t plane, uint32_t cells)
{
    const struct values *v = &m->v;
    const unsigned first = lane_first(v->active);
    for (uint32_t k = 0; k < cells; k++) {
        uint64_t *d = plane_of(v, plane + k);
        const bool known = lane_in(v->defined[plane + k], first);
        LANES_EACH (l, v->active)
            d[l] = d[first];
        define(v, plane + k, known ? v->active : 0);
    }
}

// Returns the planes of the value that the fault concerns; 0 cells: none.
static uint32_t cells_of(const struct machine *m, uint32_t *plane)
{
    const struct orc_program *p = m->p;
    const uint32_t id = m->group->run->o.fault_at;
    if (id >= p->m.bound || p->m.def[id] == UINT32_MAX || p->plane[id] == NONE)
        return 0;
    *plane = p->plane[id];
    return p->types[p->m.insts[p->m.def[id]].type].cells;
}

// At the entry of a block: changes the fault's value if it is a phi of the block, or at a loop's
// merge block.
void fault_enters(const struct machine *m)
{
    const struct orc_program *p = m->p;
    const uint32_t id = m->group->run->o.fault_at;
    uint32_t plane;
    const uint32_t cells = cells_of(m, &plane);
    if (!cells)
        return;
    const uint32_t def = p->m.def[id];
    const bool phi = fault_is(m, ORC_FAULT_FIRST_LANES_VALUE) && p->m.insts[def].op == SpvOpPhi &&
                     p->m.blocks[spv_block_at(&p->m, def)].label == p->blocks[m->block].label;
    if (fault_is(m, ORC_FAULT_ZERO_AFTER_LOOP) && strcmp(m->rule, "M3") == 0)
        for (uint32_t k = 0; k < cells; k++) {
            LANES_EACH (l, m->v.active)
                plane_of(&m->v, plane + k)[l] = 0;
            define(&m->v, plane + k, m->v.active);
        }
    if (phi || (fault_is(m, ORC_FAULT_FIRST_LANES_AFTER_LOOP) && strcmp(m->rule, "M3") == 0))
        first_for_all(m, plane, cells);
}

static bool is_the_value(const struct machine *m, const struct inst *i)
{
    return fault_is(m, ORC_FAULT_FIRST_LANES_VALUE) &&
           m->p->m.insts[i->spv].result == m->group->run->o.fault_at;
}

// ---- lanes that have left a loop ----------------------------------------------------

// Returns the lanes that entered the outermost open loop and are not active now.
static lane_mask lanes_left(const struct machine *m)
{
    for (uint32_t d = 0; d < m->depth; d++)
        if (m->stack[d].kind == FR_LOOP)
            return m->stack[d].entered & ~m->v.active;
    return 0;
}

// True for an instruction that only computes a value.
static bool makes_value(const struct inst *i)
{
    switch (i->klass) {
    case IN_ALU:
    case IN_ACROSS:
    case IN_MOVE:
    case IN_GLSL:
    case IN_FLOAT:
    case IN_FLOAT_GLSL:
    case IN_LOAD:
    case IN_CHAIN:
        return true;
    default:
        return false;
    }
}

static void make_zero(const struct machine *m, const struct inst *i, lane_mask lanes)
{
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    for (uint32_t k = 0; k < cells; k++) {
        LANES_EACH (l, lanes)
            plane_of(&m->v, i->dst + k)[l] = 0;
        m->v.defined[i->dst + k] |= lanes;
    }
}

// ---- operands that are not evaluated for all lanes ----------------------------------

// True if a value depends on the fault's value through instructions other than phis and loads.
static bool depends(const struct machine *m, uint32_t id, int depth)
{
    const struct spv_inst *d = spv_def(&m->p->m, id);
    if (id == m->group->run->o.fault_at)
        return true;
    if (!d || depth > 8 || !spv_op_find(d->op)->has_type || d->op == SpvOpPhi || d->op == SpvOpLoad)
        return false;
    uint32_t rest;
    uint16_t *at = ARENA_ARRAY(m->group->run->arena, uint16_t, d->n);
    const uint32_t ids = spv_operand_ids(d->op, d->v, d->n, 1, at, &rest);
    for (uint32_t k = 0; k < ids; k++)
        if (depends(m, d->v[at[k]], depth + 1))
            return true;
    return false;
}

// Returns the lanes for which a select, LogicalAnd or LogicalOr needs the operand that depends on
// the fault's value; all active lanes for other instructions.
static lane_mask lanes_needing(const struct machine *m, const struct inst *i)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    const lane_mask active = m->v.active;
    lane_mask yes = 0;
    if ((s->op != SpvOpSelect && s->op != SpvOpLogicalAnd && s->op != SpvOpLogicalOr) ||
        depends(m, s->v[0], 0))
        return active;
    LANES_EACH (l, active)
        yes |= plane_of(&m->v, m->p->plane[s->v[0]])[l] & 1 ? lane_bit(l) : 0;
    if (depends(m, s->v[1], 0))
        return s->op == SpvOpLogicalOr ? active & ~yes : yes;
    return s->op == SpvOpSelect && depends(m, s->v[2], 0) ? active & ~yes : active;
}

// Repeats the fault's operation for these lanes alone, then recomputes the values computed since.
// Other lanes keep the operation's result.
static bool again_for(struct machine *m, lane_mask lanes)
{
    const struct block *b = &m->p->blocks[m->block];
    uint32_t at = 0;
    while (at < m->next && m->p->m.insts[b->insts[at].spv].result != m->group->run->o.fault_at)
        at++;
    if (at >= m->next || !lanes || !spv_group_find(m->p->m.insts[b->insts[at].spv].op))
        return true;
    bool ok = fault_run_as(m, &b->insts[at], lanes, lanes);
    for (at++; ok && at + 1 < m->next; at++)
        if (makes_value(&b->insts[at]) && b->insts[at].klass != IN_LOAD)
            ok = machine_execute(m, &b->insts[at]);
    return ok;
}

bool fault_execute(struct machine *m, const struct inst *i)
{
    const lane_mask active = m->v.active,
                    chosen = fault_is(m, ORC_FAULT_CHOSEN_ONLY) ? lanes_needing(m, i) : active;
    if (chosen != active && !again_for(m, chosen))
        return false;
    if (fault_is(m, ORC_FAULT_INLINED) && !fault_inline(m, i))
        return false;
    const bool load_zero = fault_is(m, ORC_FAULT_LEFT_LANES_LOAD_ZERO),
               left =
                   (load_zero || fault_is(m, ORC_FAULT_LEFT_LANES_GO_ON)) && fault_in_value(m, i),
               others = fault_is(m, ORC_FAULT_CLEARS_OTHERS) && i->klass != IN_LOAD,
               zero = left && load_zero && i->klass == IN_LOAD;
    const lane_mask more = !makes_value(i) ? 0
                           : left          ? lanes_left(m)
                           : others        ? m->live & ~active
                                           : 0;
    struct inst x = *i;
    if (fault_is(m, ORC_FAULT_ATOMIC_SIGN_LOST) && fault_in_value(m, i))
        x.op = i->op == SpvOpAtomicSMax   ? SpvOpAtomicUMax
               : i->op == SpvOpAtomicSMin ? SpvOpAtomicUMin
                                          : i->op;
    if (!zero)
        machine_activate(m, active | more);
    const bool ok = machine_execute(m, &x);
    machine_activate(m, active);
    if (zero)
        make_zero(m, i, more);
    uint32_t plane;
    const uint32_t cells = is_the_value(m, i) ? cells_of(m, &plane) : 0;
    if (cells)
        first_for_all(m, plane, cells);
    return ok;
}

// ---- group operations ----------------------------------------------------------------

// Copies the result to the lanes that have left the loop, if it is the same for all active lanes.
void fault_made(const struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    const lane_mask others =
        fault_is(m, ORC_FAULT_LEFT_LANES_GO_ON) && fault_in_value(m, i) ? lanes_left(m) : 0;
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    if (is_the_value(m, i))
        first_for_all(m, i->dst, cells);
    if (fault_is(m, ORC_FAULT_CLEARS_OTHERS) && fault_in_value(m, i))
        make_zero(m, i, m->live & ~v->active);
    bool same = others != 0;
    for (uint32_t k = 0; k < cells && same; k++)
        LANES_EACH (l, v->active)
            same &= plane_of(v, i->dst + k)[l] == plane_of(v, i->dst + k)[lane_first(v->active)];
    for (uint32_t k = 0; k < cells && same; k++) {
        uint64_t *d = plane_of(v, i->dst + k);
        LANES_EACH (l, others)
            d[l] = d[lane_first(v->active)];
        v->defined[i->dst + k] |=
            lane_in(v->defined[i->dst + k], lane_first(v->active)) ? others : 0;
    }
}

// Runs the operation as if other lanes executed it too, each with the operand of the first active
// lane.
bool fault_same_operand(struct machine *m, const struct inst *i, lane_mask others)
{
    const struct values *v = &m->v;
    const lane_mask active = v->active;
    const uint32_t planes[2] = {i->a, i->dst};
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    const uint32_t n[2] = {i->n ? i->comps : 0, cells};
    uint64_t *kept[2];
    lane_mask *known[2];
    for (int s = 0; s < 2; s++) {
        kept[s] = ARENA_ARRAY(m->group->run->arena, uint64_t, (size_t)n[s] * v->lanes);
        known[s] = ARENA_ARRAY(m->group->run->arena, lane_mask, n[s]);
        memcpy(kept[s], plane_of(v, planes[s]), (size_t)n[s] * v->lanes * sizeof *kept[s]);
        for (uint32_t k = 0; k < n[s]; k++)
            known[s][k] = v->defined[planes[s] + k];
    }
    for (uint32_t k = 0; k < n[0]; k++) {
        uint64_t *x = plane_of(v, i->a + k);
        LANES_EACH (l, others)
            x[l] = x[lane_first(active)];
        v->defined[i->a + k] |= others;
    }
    machine_activate(m, active | others);
    const bool ok = group_run(m, i);
    machine_activate(m, active);
    for (int s = 0; s < 2; s++)
        for (uint32_t k = 0; k < n[s]; k++) {
            uint64_t *x = plane_of(v, planes[s] + k);
            LANES_EACH (l, others)
                x[l] = kept[s][(size_t)k * v->lanes + l];
            v->defined[planes[s] + k] =
                (v->defined[planes[s] + k] & active) | (known[s][k] & others);
        }
    return ok;
}

bool fault_group_value(struct machine *m, const struct inst *i, bool *done)
{
    *done = fault_is(m, ORC_FAULT_TAKEN_FOR_WHOLE) && !spv_group_find(i->op)->uniform;
    return !*done || fault_same_operand(m, i, lanes_below(m->v.lanes) & ~m->v.active);
}
