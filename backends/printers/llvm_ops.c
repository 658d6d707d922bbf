// SPDX-License-Identifier: Apache-2.0
//
// Prints group operations as calls of llvm.spv.* with the block's token. Operations without an
// intrinsic are composed of others. The first active lane comes from a ballot of all active lanes
// directly before its use, where the tangle is the same.
#include "llvm.h"

// Opcode, SPIR-V group operation (or -1), intrinsic, is its name mangled by the type?
#define NONE (-1)
static const struct row {
    SpvOp op;
    int group;
    const char *name;
    bool mangled;
} rows[] = {
    {SpvOpGroupNonUniformBallot, NONE, "subgroup.ballot", false},
    {SpvOpGroupNonUniformElect, NONE, "wave.is.first.lane", false},
    {SpvOpGroupNonUniformAll, NONE, "wave.all", false},
    {SpvOpGroupNonUniformAny, NONE, "wave.any", false},
    {SpvOpGroupNonUniformAllEqual, NONE, "wave.all.equal", true},
    {SpvOpGroupNonUniformIAdd, SpvGroupOperationReduce, "wave.reduce.sum", true},
    {SpvOpGroupNonUniformIMul, SpvGroupOperationReduce, "wave.product", true},
    {SpvOpGroupNonUniformUMin, SpvGroupOperationReduce, "wave.reduce.umin", true},
    {SpvOpGroupNonUniformUMax, SpvGroupOperationReduce, "wave.reduce.umax", true},
    {SpvOpGroupNonUniformSMin, SpvGroupOperationReduce, "wave.reduce.min", true},
    {SpvOpGroupNonUniformSMax, SpvGroupOperationReduce, "wave.reduce.max", true},
    {SpvOpGroupNonUniformBitwiseAnd, SpvGroupOperationReduce, "wave.reduce.and", true},
    {SpvOpGroupNonUniformBitwiseOr, SpvGroupOperationReduce, "wave.reduce.or", true},
    {SpvOpGroupNonUniformBitwiseXor, SpvGroupOperationReduce, "wave.reduce.xor", true},
    {SpvOpGroupNonUniformIAdd, SpvGroupOperationExclusiveScan, "wave.prefix.sum", true},
    {SpvOpGroupNonUniformIMul, SpvGroupOperationExclusiveScan, "wave.prefix.product", true},
    {SpvOpGroupNonUniformIAdd, SpvGroupOperationInclusiveScan, "wave.prefix.sum", true},
    {SpvOpGroupNonUniformIMul, SpvGroupOperationInclusiveScan, "wave.prefix.product", true},
};

static const struct row *find(const struct spv_inst *in, int group)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == in->op && rows[i].group == group)
            return &rows[i];
    return NULL;
}

static const char *mangled(const struct llvm *p, const char *name, uint32_t type)
{
    return arena_printf(p->f->arena, "%s.%s", name, llvm_mangle(p, type));
}

static void call(struct llvm *p, const char *to, const struct row *row, uint32_t type,
                 uint32_t value)
{
    uint32_t of = value ? form_type_of(p->f, value) : type;
    const char *name = row->mangled ? mangled(p, row->name, of) : row->name;
    text_add(p->out, "  %s = call %s %s(", to, llvm_type(p, type), llvm_intrinsic(p, name));
    if (value)
        text_add(p->out, "%s %s", llvm_type(p, of), llvm_value(p, value));
    text_add(p->out, ")%s\n", llvm_bundle(p));
}

static void read_lane(struct llvm *p, const struct spv_inst *in, uint32_t value, const char *lane)
{
    const char *type = llvm_type(p, in->type);
    text_add(p->out, "  %s = call %s %s(%s %s, i32 %s)%s\n", llvm_value(p, in->result), type,
             llvm_intrinsic(p, mangled(p, "wave.readlane", in->type)), type, llvm_value(p, value),
             lane, llvm_bundle(p));
}

// Returns word 0 of a ballot: all of it in subgroups of at most 32 lanes.
static const char *ballot_word(struct llvm *p, const char *ballot)
{
    const char *word = llvm_temp(p);
    text_add(p->out, "  %s = extractelement <4 x i32> %s, i64 0\n", word, ballot);
    return word;
}

static const char *lane_id(struct llvm *p)
{
    const char *lane = llvm_temp(p);
    text_add(p->out, "  %s = call i32 %s()\n", lane,
             llvm_intrinsic(p, "subgroup.local.invocation.id"));
    return lane;
}

static void first_lane(struct llvm *p, const char *to, const char *word)
{
    text_add(p->out, "  %s = call i32 %s(i32 %s)\n", to, llvm_intrinsic(p, "firstbitlow.i32"),
             word);
}

// Masks the ballot to the bits below the invocation's own lane, plus its own if `own` is set.
static const char *bits_up_to(struct llvm *p, const char *word, bool own)
{
    const char *bit = llvm_temp(p), *below = llvm_temp(p), *mask = below, *kept;
    text_add(p->out, "  %s = shl i32 1, %s\n", bit, lane_id(p));
    text_add(p->out, "  %s = sub i32 %s, 1\n", below, bit);
    if (own) {
        mask = llvm_temp(p);
        text_add(p->out, "  %s = or i32 %s, %s\n", mask, below, bit);
    }
    kept = llvm_temp(p);
    text_add(p->out, "  %s = and i32 %s, %s\n", kept, word, mask);
    return kept;
}

// Operations on a ballot's value: in LLVM they are arithmetic, not group operations.
static bool ballot_op(struct llvm *p, const struct spv_inst *in)
{
    if (!p->f->subgroup || p->f->subgroup > 32)
        return llvm_refuse(p, in, "ballots are supported for subgroups of up to 32 lanes");
    const uint32_t ballot = in->op == SpvOpGroupNonUniformBallotBitCount ? in->v[2] : in->v[1];
    const char *word = ballot_word(p, llvm_value(p, ballot)), *to = llvm_value(p, in->result);
    switch (in->op) {
    case SpvOpGroupNonUniformBallotFindLSB:
        first_lane(p, to, word);
        return true;
    case SpvOpGroupNonUniformBallotFindMSB:
        text_add(p->out, "  %s = call i32 %s(i32 %s)\n", to, llvm_intrinsic(p, "firstbituhigh.i32"),
                 word);
        return true;
    case SpvOpGroupNonUniformBallotBitCount:
        if (in->v[1] != SpvGroupOperationReduce)
            word = bits_up_to(p, word, in->v[1] == SpvGroupOperationInclusiveScan);
        text_add(p->out, "  %s = call i32 @llvm.ctpop.i32(i32 %s)\n", to, word);
        return true;
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformInverseBallot: {
        bool own = in->op == SpvOpGroupNonUniformInverseBallot;
        const char *shifted = llvm_temp(p), *bit = llvm_temp(p);
        const char *lane = own ? lane_id(p) : llvm_value(p, in->v[2]);
        text_add(p->out, "  %s = lshr i32 %s, %s\n", shifted, word, lane);
        text_add(p->out, "  %s = and i32 %s, 1\n", bit, shifted);
        text_add(p->out, "  %s = icmp ne i32 %s, 0\n", to, bit);
        return true;
    }
    default:
        return llvm_refuse(p, in, "not supported");
    }
}

static void broadcast_first(struct llvm *p, const struct spv_inst *in)
{
    const char *all = llvm_temp(p), *lane = llvm_temp(p);
    text_add(p->out, "  %s = call <4 x i32> %s(i1 true)%s\n", all,
             llvm_intrinsic(p, "subgroup.ballot"), llvm_bundle(p));
    first_lane(p, lane, ballot_word(p, all));
    read_lane(p, in, in->v[1], lane);
}

static bool arithmetic(struct llvm *p, const struct spv_inst *in)
{
    const struct row *row = find(in, (int)in->v[1]);
    const uint32_t value = in->v[2];
    const char *to = llvm_value(p, in->result);
    if (!row || in->n != 3)
        return llvm_refuse(p, in, "no intrinsic for this group operation");
    if (in->v[1] != SpvGroupOperationInclusiveScan) {
        call(p, to, row, in->type, value);
        return true;
    }
    const char *below = llvm_temp(p);
    call(p, below, row, in->type, value);
    text_add(p->out, "  %s = %s %s %s, %s\n", to,
             in->op == SpvOpGroupNonUniformIAdd ? "add" : "mul", llvm_type(p, in->type), below,
             llvm_value(p, value));
    return true;
}

// Reads from the lane `lane OP n`.
static void read_relative(struct llvm *p, const struct spv_inst *in, const char *op)
{
    const char *other = llvm_temp(p), *lane = lane_id(p);
    text_add(p->out, "  %s = %s i32 %s, %s\n", other, op, lane, llvm_value(p, in->v[2]));
    read_lane(p, in, in->v[1], other);
}

static bool quad_swap(struct llvm *p, const struct spv_inst *in)
{
    static const char *const across[] = {"x", "y", "diagonal"};
    uint32_t n;
    if (!form_constant(p->f, in->v[2], &n) || n > 2)
        return llvm_refuse(p, in, "a direction that is not a constant 0, 1 or 2");
    struct row row = {.name = arena_printf(p->f->arena, "quad.read.across.%s", across[n]),
                      .mangled = true};
    call(p, llvm_value(p, in->result), &row, in->type, in->v[1]);
    return true;
}

bool llvm_group_op(struct llvm *p, const struct spv_inst *in)
{
    const struct spv_group_op *g = spv_group_find(in->op);
    uint32_t scope;
    bool is_bool;
    if (!g->has_scope)
        return llvm_refuse(p, in, "no intrinsic for it");
    if (!form_constant(p->f, in->v[0], &scope) || scope != SpvScopeSubgroup)
        return llvm_refuse(p, in, "a scope other than the subgroup");
    if (!form_components(p->f, in->type, &is_bool))
        return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    switch (in->op) {
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformInverseBallot:
        return ballot_op(p, in);
    case SpvOpGroupNonUniformBroadcastFirst:
        if (!p->f->subgroup || p->f->subgroup > 32)
            return llvm_refuse(p, in, "supported for subgroups of up to 32 lanes");
        broadcast_first(p, in);
        return true;
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
        if (is_bool)
            return llvm_refuse(p, in, "a bool as the value");
        read_lane(p, in, in->v[1], llvm_value(p, in->v[2]));
        return true;
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
        if (is_bool)
            return llvm_refuse(p, in, "a bool as the value");
        read_relative(p, in,
                      in->op == SpvOpGroupNonUniformShuffleXor  ? "xor"
                      : in->op == SpvOpGroupNonUniformShuffleUp ? "sub"
                                                                : "add");
        return true;
    case SpvOpGroupNonUniformQuadSwap:
        return quad_swap(p, in);
    case SpvOpGroupNonUniformElect:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformAllEqual:
    case SpvOpGroupNonUniformBallot:
        call(p, llvm_value(p, in->result), find(in, NONE), in->type, in->n > 1 ? in->v[1] : 0);
        return true;
    default:
        if (g->klass != SPV_GROUP_REDUCE || in->n < 3 || spv_def(&p->f->m, in->v[2]) == NULL)
            return llvm_refuse(p, in, "no intrinsic for it");
        return arithmetic(p, in);
    }
}
