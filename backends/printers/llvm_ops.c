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

// True if ballots are supported at this subgroup size. AMD's waves have up to 64 lanes.
static bool has_ballots(const struct llvm *p, const struct spv_inst *in)
{
    const unsigned most = p->dialect == LLVM_AMDGCN ? 64 : 32;
    return (p->f->subgroup && p->f->subgroup <= most) ||
           llvm_refuse(
               p, in, arena_printf(p->f->arena, "supported for subgroups of up to %u lanes", most));
}
// The number of bits of the integer that holds a ballot.
static unsigned width(const struct llvm *p)
{
    return p->f->subgroup > 32 ? 64 : 32;
}

// Returns a ballot's words as one integer.
static const char *ballot_bits(struct llvm *p, const char *ballot)
{
    const char *word[2], *part[2];
    for (unsigned k = 0; k < width(p) / 32; k++) {
        word[k] = llvm_temp(p);
        text_add(p->out, "  %s = extractelement <4 x i32> %s, i64 %u\n", word[k], ballot, k);
    }
    if (width(p) == 32)
        return word[0];
    for (unsigned k = 0; k < 2; k++) {
        part[k] = llvm_temp(p);
        text_add(p->out, "  %s = zext i32 %s to i64\n", part[k], word[k]);
    }
    const char *high = llvm_temp(p), *bits = llvm_temp(p);
    text_add(p->out, "  %s = shl i64 %s, 32\n  %s = or i64 %s, %s\n", high, part[1], bits, part[0],
             high);
    return bits;
}

static const char *lane_id(struct llvm *p)
{
    const char *lane = llvm_temp(p);
    text_add(p->out, "  %s = call i32 %s()\n", lane,
             llvm_intrinsic(p, "subgroup.local.invocation.id"));
    return lane;
}

// Returns a lane's number, of the width of a ballot.
static const char *as_bits(struct llvm *p, const char *lane)
{
    if (width(p) == 32)
        return lane;
    const char *wide = llvm_temp(p);
    text_add(p->out, "  %s = zext i32 %s to i64\n", wide, lane);
    return wide;
}

// Computes a count of bits, @llvm.NAME of a ballot, of 32 bits. `more`: its further arguments.
static void count(struct llvm *p, const char *to, const char *name, const char *bits,
                  const char *more)
{
    const char *wide = width(p) == 32 ? to : llvm_temp(p);
    text_add(p->out, "  %s = call i%u @llvm.%s.i%u(i%u %s%s)\n", wide, width(p), name, width(p),
             width(p), bits, more);
    if (width(p) > 32)
        text_add(p->out, "  %s = trunc i64 %s to i32\n", to, wide);
}

static void first_lane(struct llvm *p, const char *to, const char *bits)
{
    if (width(p) > 32)
        count(p, to, "cttz", bits, ", i1 false");
    else
        text_add(p->out, "  %s = call i32 %s(i32 %s)\n", to, llvm_intrinsic(p, "firstbitlow.i32"),
                 bits);
}

static void last_lane(struct llvm *p, const char *to, const char *bits)
{
    if (width(p) > 32) {
        const char *above = llvm_temp(p);
        count(p, above, "ctlz", bits, ", i1 false");
        text_add(p->out, "  %s = sub i32 63, %s\n", to, above);
    } else {
        text_add(p->out, "  %s = call i32 %s(i32 %s)\n", to, llvm_intrinsic(p, "firstbituhigh.i32"),
                 bits);
    }
}

// Masks the ballot to the bits below the invocation's own lane, plus its own if `own` is set.
static const char *bits_up_to(struct llvm *p, const char *bits, bool own)
{
    const char *bit = llvm_temp(p), *below = llvm_temp(p), *mask = below, *kept;
    text_add(p->out, "  %s = shl i%u 1, %s\n", bit, width(p), as_bits(p, lane_id(p)));
    text_add(p->out, "  %s = sub i%u %s, 1\n", below, width(p), bit);
    if (own) {
        mask = llvm_temp(p);
        text_add(p->out, "  %s = or i%u %s, %s\n", mask, width(p), below, bit);
    }
    kept = llvm_temp(p);
    text_add(p->out, "  %s = and i%u %s, %s\n", kept, width(p), bits, mask);
    return kept;
}

// Operations on a ballot's value: in LLVM they are arithmetic, not group operations.
static bool ballot_op(struct llvm *p, const struct spv_inst *in)
{
    if (!has_ballots(p, in))
        return false;
    const uint32_t ballot = in->op == SpvOpGroupNonUniformBallotBitCount ? in->v[2] : in->v[1];
    const char *bits = ballot_bits(p, llvm_value(p, ballot)), *to = llvm_value(p, in->result);
    switch (in->op) {
    case SpvOpGroupNonUniformBallotFindLSB:
        first_lane(p, to, bits);
        return true;
    case SpvOpGroupNonUniformBallotFindMSB:
        last_lane(p, to, bits);
        return true;
    case SpvOpGroupNonUniformBallotBitCount:
        if (in->v[1] != SpvGroupOperationReduce)
            bits = bits_up_to(p, bits, in->v[1] == SpvGroupOperationInclusiveScan);
        count(p, to, "ctpop", bits, "");
        return true;
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformInverseBallot: {
        bool own = in->op == SpvOpGroupNonUniformInverseBallot;
        const char *shifted = llvm_temp(p), *bit = llvm_temp(p);
        const char *lane = as_bits(p, own ? lane_id(p) : llvm_value(p, in->v[2]));
        text_add(p->out, "  %s = lshr i%u %s, %s\n", shifted, width(p), bits, lane);
        text_add(p->out, "  %s = and i%u %s, 1\n", bit, width(p), shifted);
        text_add(p->out, "  %s = icmp ne i%u %s, 0\n", to, width(p), bit);
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
    first_lane(p, lane, ballot_bits(p, all));
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
        if (!has_ballots(p, in))
            return false;
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
