// SPDX-License-Identifier: Apache-2.0
//
// An injected fault that serves as a hypothesis: values that are used once are computed where they
// are used, as a translation to a language with expressions writes them. The operands of a select,
// LogicalAnd or LogicalOr are then evaluated only by the lanes that need them, and with them the
// group operations in these operands.
#include "execute.h"
#include "fault.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_groups.h"

enum { DEPTH_MAX = 32 }; // of an expression

// Returns the instruction of the current block that computed this value; NULL if another block did,
// or if the value is read in more than one place, which needs a variable.
static const struct inst *inlined(const struct machine *m, uint32_t id)
{
    const struct spv_module *mod = &m->p->m;
    const struct block *b = &m->p->blocks[m->block];
    const struct inst *made = NULL;
    uint32_t uses = 0;
    for (uint32_t k = 0; k + 1 < m->next && !made; k++)
        if (mod->insts[b->insts[k].spv].result == id)
            made = &b->insts[k];
    for (uint32_t k = mod->functions[0].first; made && k < mod->inst_count; k++) {
        const struct spv_inst *x = &mod->insts[k];
        uint32_t rest;
        uint16_t *at = ARENA_ARRAY(m->group->run->arena, uint16_t, x->n);
        const uint32_t ids = spv_operand_ids(x->op, x->v, x->n, 1, at, &rest);
        for (uint32_t v = 0; v < ids; v++)
            uses += x->v[at[v]] == id;
    }
    return uses == 1 ? made : NULL;
}

static bool again(struct machine *m, uint32_t id, lane_mask lanes, int depth);

// Evaluates the operands of an instruction again, each for the lanes that need it, in order.
static bool operands_again(struct machine *m, const struct inst *i, lane_mask lanes, int depth)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    uint32_t rest;
    uint16_t *at = ARENA_ARRAY(m->group->run->arena, uint16_t, s->n);
    const uint32_t ids = spv_operand_ids(s->op, s->v, s->n, 1, at, &rest);
    const bool chooses =
        s->op == SpvOpSelect || s->op == SpvOpLogicalAnd || s->op == SpvOpLogicalOr;
    bool ok = true;
    for (uint32_t k = 0; k < ids && ok; k++) {
        lane_mask needs = lanes;
        if (chooses && k > 0) {
            lane_mask yes = 0;
            LANES_EACH (l, lanes)
                yes |= plane_of(&m->v, m->p->plane[s->v[0]])[l] & 1 ? lane_bit(l) : 0;
            needs = (s->op == SpvOpLogicalOr) == (k == 1) ? lanes & ~yes : yes;
        }
        ok = again(m, s->v[at[k]], needs, depth + 1);
    }
    return ok;
}

// Runs a group operation for these lanes alone. What it reads of others is undefined.
static bool run_for(struct machine *m, const struct inst *i, lane_mask lanes)
{
    struct values *v = &m->v;
    const lane_mask active = v->active;
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    const size_t bytes = (size_t)cells * v->lanes * sizeof(uint64_t);
    uint64_t *kept = arena_copy(m->group->run->arena, plane_of(v, i->dst), bytes);
    lane_mask *known = arena_copy(m->group->run->arena, &v->defined[i->dst], cells * sizeof *known);
    machine_activate(m, lanes);
    const bool ok = group_run(m, i);
    machine_activate(m, active);
    for (uint32_t k = 0; k < cells; k++) {
        LANES_EACH (l, lanes_below(v->lanes) & ~lanes)
            plane_of(v, i->dst + k)[l] = kept[(size_t)k * v->lanes + l];
        v->defined[i->dst + k] = (v->defined[i->dst + k] & lanes) | (known[k] & ~lanes);
    }
    return ok;
}

// Evaluates a value again for these lanes alone. Lanes that do not need it keep what they have.
static bool again(struct machine *m, uint32_t id, lane_mask lanes, int depth)
{
    const struct inst *i = inlined(m, id);
    if (!i || depth > DEPTH_MAX)
        return true;
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    if (!s->type || s->op == SpvOpPhi || s->op == SpvOpLoad || s->op == SpvOpFunctionCall)
        return true;
    if (!operands_again(m, i, lanes, depth))
        return false;
    if (spv_group_find(s->op))
        return !lanes || run_for(m, i, lanes);
    return i->klass == IN_ALU || i->klass == IN_MOVE || i->klass == IN_GLSL ||
                   i->klass == IN_FLOAT || i->klass == IN_FLOAT_GLSL
               ? machine_execute(m, i)
               : true;
}

bool fault_inline(struct machine *m, const struct inst *i)
{
    const SpvOp op = m->p->m.insts[i->spv].op;
    return (op != SpvOpSelect && op != SpvOpLogicalAnd && op != SpvOpLogicalOr) ||
           operands_again(m, i, m->v.active, 0);
}
