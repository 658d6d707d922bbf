// SPDX-License-Identifier: Apache-2.0
//
// Group operations and barriers: scopes, shapes, cluster sizes.
#include "load.h"

// Scalars of the result, the first and the second operand of a group operation.
static bool group_fits(uint32_t op, uint32_t result, uint32_t a, uint32_t b)
{
    switch (op) {
    case SpvOpGroupNonUniformElect:
        return result == 1;
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformQuadAllKHR:
    case SpvOpGroupNonUniformQuadAnyKHR:
        return result == 1 && a == 1;
    case SpvOpGroupNonUniformAllEqual:
        return result == 1;
    case SpvOpGroupNonUniformPartitionNV:
        return result == 4 && a > 0;
    case SpvOpGroupNonUniformBallot:
        return result == 4 && a == 1;
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return result == 1 && a == 4;
    case SpvOpGroupNonUniformBallotBitExtract:
        return result == 1 && a == 4 && b == 1;
    default:
        return result == a && b == 1;
    }
}

static bool is_partitioned(uint32_t group_op)
{
    return group_op >= SpvGroupOperationPartitionedReduceNV &&
           group_op <= SpvGroupOperationPartitionedExclusiveScanNV;
}

static bool of_floats(uint32_t op)
{
    return op == SpvOpGroupNonUniformFAdd || op == SpvOpGroupNonUniformFMul ||
           op == SpvOpGroupNonUniformFMin || op == SpvOpGroupNonUniformFMax;
}

// OpGroupNonUniform*: scope, [group operation,] operands, [cluster size].
bool load_group(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct spv_op *row = spv_op_find(s->op);
    uint64_t scope, cluster;
    uint32_t at = 0, plane[3] = {0}, n = 0;
    struct inst *i = code_add(c, IN_GROUP);
    bool scoped = s->op != SpvOpGroupNonUniformQuadAllKHR &&
                  s->op != SpvOpGroupNonUniformQuadAnyKHR &&
                  s->op != SpvOpGroupNonUniformPartitionNV;
    if (scoped) {
        if (!code_constant(c, s->v[at++], &scope) || scope != SpvScopeSubgroup)
            return code_unsupported(c, "a scope that is not Subgroup");
    }
    if (row->operands[1].kind == SPV_OPERAND_LITERAL ||
        row->operands[1].kind == SPV_OPERAND_ENUM_ARGS) {
        if (s->n < 2)
            return code_invalid(c, "has no group operation");
        i->group_op = (uint16_t)s->v[at++];
        if (i->group_op > SpvGroupOperationClusteredReduce && !is_partitioned(i->group_op))
            return code_unsupported(c, "its group operation");
    }
    uint32_t first = at;
    for (; at < s->n && n < 3; at++)
        if (!code_operand(c, s->v[at], &plane[n++]))
            return false;
    bool clustered = i->group_op == SpvGroupOperationClusteredReduce ||
                     (s->op == SpvOpGroupNonUniformRotateKHR && n == 3);
    if (clustered) {
        if (n < 2 || !code_constant(c, s->v[s->n - 1], &cluster) || cluster == 0 ||
            cluster > LANES_MAX || (cluster & (cluster - 1)))
            return code_unsupported(c, "its cluster size");
        i->cluster = (uint32_t)cluster;
        n--;
    }
    i->width2 = p->types[s->type].width;
    i->a = plane[0], i->b = plane[1];
    i->n = n;
    if (n > 0) {
        const struct type *t = code_type(c, s->v[first]);
        i->width = t->width;
        i->is_signed = t->is_signed;
        i->comps = t->cells;
        const struct type *scalar = t->kind == TY_VECTOR ? &p->types[t->elem] : t;
        i->is_float = scalar->kind == TY_FLOAT;
        bool arithmetic =
            s->op >= SpvOpGroupNonUniformIAdd && s->op <= SpvOpGroupNonUniformLogicalXor;
        if (arithmetic && (i->is_float != of_floats(s->op) || scalar->width == 0))
            return code_invalid(c, "its operand is not of its kind");
        if (is_partitioned(i->group_op))
            return (n == 2 && code_type(c, s->v[first + 1])->cells == 4 &&
                    p->types[s->type].cells == i->comps) ||
                   code_invalid(c, "has operands of another shape than its result");
    }
    uint32_t cells = p->types[s->type].cells,
             second = n > 1 ? code_type(c, s->v[first + 1])->cells : 1;
    return group_fits(s->op, cells, i->comps, second) ||
           code_invalid(c, "has operands of another shape than its result");
}

bool load_barrier(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    uint64_t scope, memory, semantics;
    if (!code_constant(c, s->v[0], &scope) || !code_constant(c, s->v[1], &memory) ||
        !code_constant(c, s->v[2], &semantics))
        return code_unsupported(c, "a barrier whose scopes or semantics are no constants");
    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return code_unsupported(c, "an execution scope that is neither Workgroup nor Subgroup");
    if (scope == SpvScopeSubgroup)
        return true; // converges nothing: group operations need no help, memory gets no order
    struct inst *i = code_add(c, IN_BARRIER);
    // Orders memory only when it says so, for this workgroup or wider.
    i->is_static =
        (semantics &
         (SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask)) &&
        (memory == SpvScopeWorkgroup || memory == SpvScopeDevice || memory == SpvScopeQueueFamily);
    // The Vulkan memory model wants to be told that writes are made available and
    // visible; under GLSL450 they are.
    const uint64_t both = SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask;
    if (c->p->vulkan_memory && (semantics & both) != both)
        i->is_static = false;
    // Which storage: bit 0 Workgroup, bit 1 buffers.
    i->n = (semantics & SpvMemorySemanticsWorkgroupMemoryMask ? 1u : 0u) |
           (semantics & SpvMemorySemanticsUniformMemoryMask ? 2u : 0u);
    c->p->has_barrier = true;
    return true;
}
