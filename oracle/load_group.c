// SPDX-License-Identifier: Apache-2.0
//
// Decodes group operations: scopes, shapes, cluster sizes.
#include "load.h"

#include "spirv/spirv_groups.h"

// True if a result or an operand has as many scalars as the table specifies. `first`: number of
// scalars of the first operand.
static bool fits(uint8_t shape, uint32_t cells, uint32_t first)
{
    switch (shape) {
    case SPV_SHAPE_BALLOT:
        return cells == 4;
    case SPV_SHAPE_SAME:
        return cells == first;
    case SPV_SHAPE_ANY:
    case SPV_SHAPE_INTS:
    case SPV_SHAPE_FLOATS:
    case SPV_SHAPE_BOOLS:
        return cells > 0;
    case SPV_SHAPE_NONE:
        return true;
    default:
        return cells == 1;
    }
}

// OpGroupNonUniform*: scope, [group operation,] operands, [cluster size].
bool load_group(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct spv_group_op *g = spv_group_find(s->op);
    uint64_t scope, cluster;
    uint32_t at = 0, plane[3] = {0}, n = 0;
    struct inst *i = code_add(c, IN_GROUP);
    p->wants_quads |= g->klass == SPV_GROUP_QUAD || g->klass == SPV_GROUP_DERIVATIVE;
    if (g->has_scope) {
        if (!code_constant(c, s->v[at++], &scope) || scope != SpvScopeSubgroup)
            return code_unsupported(c, "a scope that is not Subgroup");
    }
    if (g->has_form) {
        i->group_op = (uint16_t)s->v[at++];
        if (i->group_op > SpvGroupOperationClusteredReduce &&
            !spv_group_is_partitioned(i->group_op))
            return code_unsupported(c, "its group operation");
    }
    uint32_t first = at;
    for (; at < s->n; at++) // at most three, by the grammar
        if (!code_operand(c, s->v[at], &plane[n++]))
            return false;
    bool clustered = i->group_op == SpvGroupOperationClusteredReduce || n == 3;
    if (clustered) {
        if (n < 2 || !code_constant(c, s->v[s->n - 1], &cluster) || cluster == 0 ||
            cluster > LANES_MAX || (cluster & (cluster - 1)))
            return code_unsupported(c, "its cluster size");
        i->cluster = (uint32_t)cluster;
        n--;
    }
    i->a = plane[0], i->b = plane[1];
    i->n = n;
    if (n > 0) {
        const struct type *t = code_type(c, s->v[first]);
        i->width = t->width;
        i->comps = t->cells;
        const struct type *scalar = t->kind == TY_VECTOR ? &p->types[t->elem] : t;
        i->is_float = scalar->kind == TY_FLOAT;
        bool floats = g->operand[0] == SPV_SHAPE_FLOATS;
        if (g->klass == SPV_GROUP_REDUCE && (i->is_float != floats || scalar->width == 0))
            return code_invalid(c, "its operand is not of its kind");
        if (spv_group_is_partitioned(i->group_op))
            return (n == 2 && code_type(c, s->v[first + 1])->cells == 4 &&
                    p->types[s->type].cells == i->comps) ||
                   code_invalid(c, "has operands of another shape than its result");
    }
    if (g->klass == SPV_GROUP_DERIVATIVE) {
        if (p->quads == SPV_QUADS_OF_LANES && !p->stage->has_pixels) // R8
            return why_set(
                &p->m, c->why, RAN_INVALID, "R8", c->spv,
                "a compute shader needs DerivativeGroupQuadsKHR or DerivativeGroupLinearKHR "
                "for it (R8)");
        if (!i->is_float || i->width != 32)
            return code_invalid(c, "is of floats of 32 bits");
        i->precise = c->precise[s->result];
    }
    uint32_t cells = p->types[s->type].cells,
             second = n > 1 ? code_type(c, s->v[first + 1])->cells : 1;
    return (fits(g->result, cells, i->comps) && fits(g->operand[0], i->comps, i->comps) &&
            fits(g->operand[1], second, i->comps)) ||
           code_invalid(c, "has operands of another shape than its result");
}
