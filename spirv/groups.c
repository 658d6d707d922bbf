// SPDX-License-Identifier: Apache-2.0
//
// The table of group operations, and lookups in it.
#include "spirv_groups.h"

#include <string.h>

#define CAP(c)         {SpvCapability##c, #c}
#define ROTATE         "SPV_KHR_subgroup_rotate"
#define QUADS          "SPV_KHR_quad_control"
#define PARTITIONED_NV "SPV_NV_shader_subgroup_partitioned"
#define DERIVED        "SPV_KHR_compute_shader_derivatives"

// clang-format off
#define ARITHMETIC(op, type, of, rank)                                                             \
    {SpvOpGroupNonUniform##op, SPV_GROUP_REDUCE, SPV_SHAPE_SAME, {SPV_SHAPE_##type}, 0, true,      \
     true, false, SPV_FAMILY_##of, rank, {CAP(GroupNonUniformArithmetic)}, NULL}
#define PLAIN(op, klass, result, a, b, uniform, family, rank, capability)                          \
    {SpvOpGroupNonUniform##op, SPV_GROUP_##klass, SPV_SHAPE_##result,                              \
     {SPV_SHAPE_##a, SPV_SHAPE_##b}, uniform, true, false, false, SPV_FAMILY_##family, rank,       \
     {capability}, NULL}

// SPIR-V's derivative instructions: quad operations with one float operand. (A module may declare
// ComputeDerivativeGroupQuadsKHR instead of the capability in the row.)
#define DERIVATIVE(op, rank, second)                                                               \
    {SpvOp##op, SPV_GROUP_DERIVATIVE, SPV_SHAPE_SAME, {SPV_SHAPE_FLOATS}, 0, false, false, false,  \
     SPV_FAMILY_DERIVATIVES, rank, {CAP(ComputeDerivativeGroupLinearKHR), second}, DERIVED}

// Sorted by opcode.
static const struct spv_group_op rows[] = {
    DERIVATIVE(DPdx, 0, {0}),
    DERIVATIVE(DPdy, 1, {0}),
    DERIVATIVE(Fwidth, 2, {0}),
    DERIVATIVE(DPdxFine, 3, CAP(DerivativeControl)),
    DERIVATIVE(DPdyFine, 4, CAP(DerivativeControl)),
    DERIVATIVE(FwidthFine, 5, CAP(DerivativeControl)),
    DERIVATIVE(DPdxCoarse, 6, CAP(DerivativeControl)),
    DERIVATIVE(DPdyCoarse, 7, CAP(DerivativeControl)),
    DERIVATIVE(FwidthCoarse, 8, CAP(DerivativeControl)),
    PLAIN(Elect, ELECT, BOOL, NONE, NONE, 0, NONE, 0, CAP(GroupNonUniform)),
    PLAIN(All, VOTE, BOOL, BOOL, NONE, 0, VOTES, 0, CAP(GroupNonUniformVote)),
    PLAIN(Any, VOTE, BOOL, BOOL, NONE, 0, VOTES, 1, CAP(GroupNonUniformVote)),
    PLAIN(AllEqual, VOTE, BOOL, ANY, NONE, 0, VOTES, 2, CAP(GroupNonUniformVote)),
    PLAIN(Broadcast, BROADCAST, SAME, ANY, LANE, 2, NONE, 0, CAP(GroupNonUniformBallot)),
    PLAIN(BroadcastFirst, BROADCAST, SAME, ANY, NONE, 0, NONE, 0, CAP(GroupNonUniformBallot)),
    PLAIN(Ballot, BALLOT, BALLOT, BOOL, NONE, 0, NONE, 0, CAP(GroupNonUniformBallot)),
    PLAIN(InverseBallot, BITS, BOOL, BALLOT, NONE, 1, NONE, 0, CAP(GroupNonUniformBallot)),
    PLAIN(BallotBitExtract, BITS, BOOL, BALLOT, LANE, 0, NONE, 0, CAP(GroupNonUniformBallot)),
    {SpvOpGroupNonUniformBallotBitCount, SPV_GROUP_BITS, SPV_SHAPE_WORD, {SPV_SHAPE_BALLOT}, 0,
     true, true, false, SPV_FAMILY_NONE, 0, {CAP(GroupNonUniformBallot)}, NULL},
    PLAIN(BallotFindLSB, BITS, WORD, BALLOT, NONE, 0, FINDS, 0, CAP(GroupNonUniformBallot)),
    PLAIN(BallotFindMSB, BITS, WORD, BALLOT, NONE, 0, FINDS, 1, CAP(GroupNonUniformBallot)),
    PLAIN(Shuffle, SHUFFLE, SAME, ANY, LANE, 0, SHUFFLES, 0, CAP(GroupNonUniformShuffle)),
    PLAIN(ShuffleXor, SHUFFLE, SAME, ANY, STEP, 0, SHUFFLES, 1, CAP(GroupNonUniformShuffle)),
    PLAIN(ShuffleUp, SHUFFLE, SAME, ANY, STEP, 0, SHUFFLES, 2, CAP(GroupNonUniformShuffleRelative)),
    PLAIN(ShuffleDown, SHUFFLE, SAME, ANY, STEP, 0, SHUFFLES, 3,
          CAP(GroupNonUniformShuffleRelative)),
    ARITHMETIC(IAdd, INTS, INTS, 0),
    ARITHMETIC(FAdd, FLOATS, FLOATS, 0),
    ARITHMETIC(IMul, INTS, INTS, 5),
    ARITHMETIC(FMul, FLOATS, FLOATS, 3),
    ARITHMETIC(SMin, INTS, INTS, 1),
    ARITHMETIC(UMin, INTS, INTS, 2),
    ARITHMETIC(FMin, FLOATS, FLOATS, 1),
    ARITHMETIC(SMax, INTS, INTS, 3),
    ARITHMETIC(UMax, INTS, INTS, 4),
    ARITHMETIC(FMax, FLOATS, FLOATS, 2),
    ARITHMETIC(BitwiseAnd, INTS, INTS, 6),
    ARITHMETIC(BitwiseOr, INTS, INTS, 7),
    ARITHMETIC(BitwiseXor, INTS, INTS, 8),
    ARITHMETIC(LogicalAnd, BOOLS, BOOLS, 0),
    ARITHMETIC(LogicalOr, BOOLS, BOOLS, 1),
    ARITHMETIC(LogicalXor, BOOLS, BOOLS, 2),
    PLAIN(QuadBroadcast, QUAD, SAME, ANY, LANE, 2, NONE, 0, CAP(GroupNonUniformQuad)),
    PLAIN(QuadSwap, QUAD, SAME, ANY, STEP, 2, NONE, 0, CAP(GroupNonUniformQuad)),
    {SpvOpGroupNonUniformRotateKHR, SPV_GROUP_SHUFFLE, SPV_SHAPE_SAME,
     {SPV_SHAPE_ANY, SPV_SHAPE_STEP}, 2, true, false, true, SPV_FAMILY_NONE, 0,
     {CAP(GroupNonUniformRotateKHR)}, ROTATE},
    {SpvOpGroupNonUniformQuadAllKHR, SPV_GROUP_QUAD, SPV_SHAPE_BOOL, {SPV_SHAPE_BOOL}, 0, false,
     false, false, SPV_FAMILY_QUAD_VOTES, 0,
     {CAP(GroupNonUniformQuad), CAP(QuadControlKHR)}, QUADS},
    {SpvOpGroupNonUniformQuadAnyKHR, SPV_GROUP_QUAD, SPV_SHAPE_BOOL, {SPV_SHAPE_BOOL}, 0, false,
     false, false, SPV_FAMILY_QUAD_VOTES, 1,
     {CAP(GroupNonUniformQuad), CAP(QuadControlKHR)}, QUADS},
    {SpvOpGroupNonUniformPartitionNV, SPV_GROUP_BALLOT, SPV_SHAPE_BALLOT, {SPV_SHAPE_ANY}, 0, false,
     false, false, SPV_FAMILY_NONE, 0, {CAP(GroupNonUniformPartitionedNV)}, PARTITIONED_NV},
};
// clang-format on
enum { ROWS = sizeof rows / sizeof *rows };

const struct spv_group_op *spv_group_row(uint32_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

const struct spv_group_op *spv_group_find(uint32_t opcode)
{
    uint32_t low = 0, high = ROWS;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (rows[mid].opcode < opcode)
            low = mid + 1;
        else
            high = mid;
    }
    return low < ROWS && rows[low].opcode == opcode ? &rows[low] : NULL;
}

const struct spv_group_op *spv_group_member(enum spv_group_family family, uint32_t rank)
{
    for (uint32_t i = 0; family && i < ROWS; i++)
        if (rows[i].family == family && rows[i].rank == rank)
            return &rows[i];
    return NULL;
}

bool spv_group_is_partitioned(uint32_t form)
{
    return form >= SpvGroupOperationPartitionedReduceNV &&
           form <= SpvGroupOperationPartitionedExclusiveScanNV;
}

struct spv_group_capability spv_group_capability(const struct spv_group_op *g, uint32_t form)
{
    static const struct spv_group_capability clustered = CAP(GroupNonUniformClustered),
                                             partitioned = CAP(GroupNonUniformPartitionedNV);
    return g->has_form && form == SpvGroupOperationClusteredReduce ? clustered
           : g->has_form && spv_group_is_partitioned(form)         ? partitioned
                                                                   : g->capability[0];
}

const char *spv_group_name(uint32_t opcode)
{
    const char *name = spv_op_name(opcode);
    const struct spv_group_op *g = spv_group_find(opcode);
    return !g ? name : name + strlen(g->klass == SPV_GROUP_DERIVATIVE ? "Op" : "OpGroupNonUniform");
}

const char *spv_group_form_name(uint32_t form)
{
    static const char *const names[] = {
        [SpvGroupOperationReduce] = "Reduce",
        [SpvGroupOperationInclusiveScan] = "InclusiveScan",
        [SpvGroupOperationExclusiveScan] = "ExclusiveScan",
        [SpvGroupOperationClusteredReduce] = "ClusteredReduce",
        [SpvGroupOperationPartitionedReduceNV] = "PartitionedReduceNV",
        [SpvGroupOperationPartitionedInclusiveScanNV] = "PartitionedInclusiveScanNV",
        [SpvGroupOperationPartitionedExclusiveScanNV] = "PartitionedExclusiveScanNV",
    };
    return form < sizeof names / sizeof *names && names[form] ? names[form] : "";
}

const char *spv_group_class_name(enum spv_group_class c)
{
    static const char *const names[SPV_GROUP_CLASSES] = {
        "",       "elect", "vote",    "ballot", "bits",      "broadcast",
        "reduce", "scan",  "shuffle", "quad",   "derivative"};
    CHECK(c < SPV_GROUP_CLASSES);
    return names[c];
}

// ---- of an instruction -----------------------------------------------------------

uint32_t spv_group_form(const struct spv_inst *i)
{
    const struct spv_group_op *g = spv_group_find(i->op);
    return g && g->has_form && i->n >= 2 ? i->v[1] : UINT32_MAX;
}

enum spv_group_class spv_group_class(const struct spv_inst *i)
{
    const struct spv_group_op *g = spv_group_find(i->op);
    if (!g)
        return SPV_GROUP_NONE;
    if (g->klass == SPV_GROUP_REDUCE)
        switch (spv_group_form(i)) {
        case SpvGroupOperationInclusiveScan:
        case SpvGroupOperationExclusiveScan:
        case SpvGroupOperationPartitionedInclusiveScanNV:
        case SpvGroupOperationPartitionedExclusiveScanNV:
            return SPV_GROUP_SCAN;
        default:
            break;
        }
    return (enum spv_group_class)g->klass;
}

uint32_t spv_group_first(const struct spv_group_op *g)
{
    return (g->has_scope ? 1u : 0u) + (g->has_form ? 1u : 0u);
}

uint32_t spv_group_cluster(const struct spv_inst *i)
{
    const struct spv_group_op *g = spv_group_find(i->op);
    if (!g || !(g->has_cluster || spv_group_form(i) == SpvGroupOperationClusteredReduce))
        return 0;
    uint32_t at = spv_group_first(g) + 1u + (g->operand[1] != SPV_SHAPE_NONE);
    return at < i->n ? i->v[at] : 0;
}
