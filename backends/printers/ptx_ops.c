// SPDX-License-Identifier: Apache-2.0
//
// Group operations by the `.sync` forms of PTX, all of them under the mask %m: vote, match, shfl,
// redux. Scans, products and clusters read the lanes of the mask one after the other.
#include "ptx.h"

// How a reduction combines two values: the instruction, that of redux (NULL: none), the identity.
static const struct combine {
    SpvOp op;
    const char *name, *redux;
    uint32_t identity;
} combines[] = {
    {SpvOpGroupNonUniformIAdd, "add.u32", "add.u32", 0},
    {SpvOpGroupNonUniformIMul, "mul.lo.u32", NULL, 1},
    {SpvOpGroupNonUniformUMin, "min.u32", "min.u32", UINT32_MAX},
    {SpvOpGroupNonUniformUMax, "max.u32", "max.u32", 0},
    {SpvOpGroupNonUniformSMin, "min.s32", "min.s32", INT32_MAX},
    {SpvOpGroupNonUniformSMax, "max.s32", "max.s32", 0x80000000},
    {SpvOpGroupNonUniformBitwiseAnd, "and.b32", "and.b32", UINT32_MAX},
    {SpvOpGroupNonUniformBitwiseOr, "or.b32", "or.b32", 0},
    {SpvOpGroupNonUniformBitwiseXor, "xor.b32", "xor.b32", 0},
};

static const struct combine *combine_of(uint32_t op)
{
    for (size_t i = 0; i < sizeof combines / sizeof *combines; i++)
        if (combines[i].op == (SpvOp)op)
            return &combines[i];
    return NULL;
}

// A value in a register, where no number may stand.
static const char *in_register(struct ptx *p, const char *v)
{
    const char *t = ptx_temp(p);
    ptx_move(p, false, t, v);
    return t;
}

static const char *ballot(struct ptx *p, const char *predicate)
{
    const char *t = ptx_temp(p);
    text_add(p->out, "  vote.sync.ballot.b32 %s, %s, %%m;\n", t, predicate);
    return t;
}

// The number of the lowest bit; of 0: all ones.
static void lowest(struct ptx *p, const char *to, const char *bits)
{
    const char *low = ptx_temp(p);
    text_add(p->out, "  neg.s32 %s, %s;\n  and.b32 %s, %s, %s;\n  bfind.u32 %s, %s;\n", low, bits,
             low, low, bits, to, low);
}

static void shuffle(struct ptx *p, const char *to, const char *kind, const char *v, const char *by,
                    uint32_t clamp)
{
    text_add(p->out, "  shfl.sync.%s.b32 %s, %s, %s, %u, %%m;\n", kind, to, v, by, clamp);
}

// The bits of the lanes up to the own one.
static const char *up_to(struct ptx *p, bool own)
{
    const char *t = ptx_temp(p);
    text_add(p->out, "  mov.u32 %s, %%lanemask_%s;\n", t, own ? "le" : "lt");
    return t;
}

// ---- reductions ------------------------------------------------------------------------

// A loop over the lanes of the mask. `with`: the lanes whose values count for the own result.
static void each_lane(struct ptx *p, const struct combine *c, const char *to, const char *v,
                      const char *with)
{
    const char *left = ptx_temp(p), *lane = ptx_temp(p), *other = ptx_temp(p), *sum = ptx_temp(p),
               *bit = ptx_temp(p), *counts = ptx_predicate(p), *more = ptx_predicate(p),
               *result = ptx_temp(p);
    const uint32_t label = p->labels++;
    text_add(p->out, "  mov.b32 %s, %%m;\n  mov.b32 %s, %u;\n$in%u:\n", left, result, c->identity,
             label);
    lowest(p, lane, left);
    shuffle(p, other, "idx", v, lane, 31);
    text_add(p->out,
             "  %s %s, %s, %s;\n  shr.u32 %s, %s, %s;\n  and.b32 %s, %s, 1;\n"
             "  setp.ne.u32 %s, %s, 0;\n  selp.b32 %s, %s, %s, %s;\n"
             "  sub.u32 %s, %s, 1;\n  and.b32 %s, %s, %s;\n  setp.ne.u32 %s, %s, 0;\n"
             "  @%s bra $in%u;\n",
             c->name, sum, result, other, bit, with, lane, bit, bit, counts, bit, result, sum,
             result, counts, other, left, left, left, other, more, left, more, label);
    ptx_move(p, false, to, result);
}

// The lanes whose values count: of a form, or of a cluster.
static const char *counting(struct ptx *p, uint32_t form, uint32_t cluster)
{
    if (form == SpvGroupOperationClusteredReduce) {
        const char *t = ptx_temp(p);
        const uint32_t bits = cluster < 32 ? (1u << cluster) - 1 : UINT32_MAX;
        text_add(p->out, "  and.b32 %s, %%lane, %u;\n  shl.b32 %s, %u, %s;\n", t,
                 ~(cluster - 1) & 31, t, bits, t);
        return t;
    }
    return form == SpvGroupOperationReduce ? "%m"
                                           : up_to(p, form == SpvGroupOperationInclusiveScan);
}

static bool cluster_of(struct ptx *p, const struct spv_inst *in, uint32_t form, uint32_t *out)
{
    if (form != SpvGroupOperationReduce && form != SpvGroupOperationInclusiveScan &&
        form != SpvGroupOperationExclusiveScan && form != SpvGroupOperationClusteredReduce)
        return ptx_refuse(p, in, "no operation of this form");
    if (form != SpvGroupOperationClusteredReduce)
        return true;
    const uint32_t id = spv_group_cluster(in);
    return (id && form_constant(p->f, id, out) && *out && *out <= 32 && !(*out & (*out - 1))) ||
           ptx_refuse(p, in, "a cluster that is not of 1 to 32 lanes");
}

static bool reduce(struct ptx *p, const struct spv_inst *in)
{
    const struct combine *c = combine_of(in->op);
    const uint32_t form = in->v[1];
    uint32_t cluster = 0;
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, in->type, &is_bool);
    if (!n || !cluster_of(p, in, form, &cluster))
        return false;
    if (!c)
        return ptx_refuse(p, in, "not supported");
    for (uint32_t k = 0; k < n; k++) {
        const char *to = ptx_register(p, in->result, k);
        const char *v = in_register(p, ptx_value(p, in->v[2], k));
        if (form == SpvGroupOperationReduce && c->redux && p->sm >= 80)
            text_add(p->out, "  redux.sync.%s %s, %s, %%m;\n", c->redux, to, v);
        else
            each_lane(p, c, to, v, counting(p, form, cluster));
    }
    return true;
}

// LogicalAnd, LogicalOr, LogicalXor: by a ballot of the values.
static bool reduce_bools(struct ptx *p, const struct spv_inst *in)
{
    uint32_t cluster = 0;
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, in->type, &is_bool);
    if (!n || !cluster_of(p, in, in->v[1], &cluster))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const char *to = ptx_register(p, in->result, k);
        const char *bits = ballot(p, ptx_value(p, in->v[2], k)), *part = ptx_temp(p);
        text_add(p->out, "  and.b32 %s, %s, %%m;\n  and.b32 %s, %s, %s;\n", part,
                 counting(p, in->v[1], cluster), bits, bits, part);
        if (in->op == SpvOpGroupNonUniformLogicalAnd)
            text_add(p->out, "  setp.eq.u32 %s, %s, %s;\n", to, bits, part);
        else if (in->op == SpvOpGroupNonUniformLogicalOr)
            text_add(p->out, "  setp.ne.u32 %s, %s, 0;\n", to, bits);
        else
            text_add(p->out, "  popc.b32 %s, %s;\n  and.b32 %s, %s, 1;\n  setp.ne.u32 %s, %s, 0;\n",
                     part, bits, part, part, to, part);
    }
    return true;
}

// ---- votes and ballots -----------------------------------------------------------------

static bool all_equal(struct ptx *p, const struct spv_inst *in)
{
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, form_type_of(p->f, in->v[1]), &is_bool);
    const char *to = ptx_register(p, in->result, 0);
    for (uint32_t k = 0; k < n; k++) {
        const char *same = k ? ptx_predicate(p) : to;
        if (is_bool)
            text_add(p->out, "  vote.sync.uni.pred %s, %s, %%m;\n", same,
                     ptx_value(p, in->v[1], k));
        else
            text_add(p->out, "  match.all.sync.b32 %s|%s, %s, %%m;\n", ptx_temp(p), same,
                     in_register(p, ptx_value(p, in->v[1], k)));
        if (k)
            text_add(p->out, "  and.pred %s, %s, %s;\n", to, to, same);
    }
    return n != 0;
}

// The lanes with the same value.
static bool partition(struct ptx *p, const struct spv_inst *in)
{
    bool is_bool;
    const uint32_t value = in->v[0], n = ptx_parts(p, in, form_type_of(p->f, value), &is_bool);
    if (n != 1 || is_bool)
        return ptx_refuse(p, in, "a value that is not one 32-bit integer");
    for (uint32_t k = 1; k < 4; k++)
        ptx_move(p, false, ptx_register(p, in->result, k), "0");
    text_add(p->out, "  match.any.sync.b32 %s, %s, %%m;\n", ptx_register(p, in->result, 0),
             in_register(p, ptx_value(p, value, 0)));
    return true;
}

// Operations on a ballot's value: no other lane takes part.
static bool ballot_op(struct ptx *p, const struct spv_inst *in)
{
    const uint32_t id = in->op == SpvOpGroupNonUniformBallotBitCount ? in->v[2] : in->v[1];
    const char *bits = in_register(p, ptx_value(p, id, 0)), *t = ptx_temp(p);
    const char *to = ptx_register(p, in->result, 0);
    switch (in->op) {
    case SpvOpGroupNonUniformBallotFindLSB:
        lowest(p, to, bits);
        return true;
    case SpvOpGroupNonUniformBallotFindMSB:
        text_add(p->out, "  bfind.u32 %s, %s;\n", to, bits);
        return true;
    case SpvOpGroupNonUniformBallotBitCount:
        if (in->v[1] != SpvGroupOperationReduce)
            text_add(p->out, "  and.b32 %s, %s, %s;\n", bits, bits,
                     up_to(p, in->v[1] == SpvGroupOperationInclusiveScan));
        text_add(p->out, "  popc.b32 %s, %s;\n", to, bits);
        return true;
    default: // BallotBitExtract, InverseBallot
        text_add(p->out, "  shr.u32 %s, %s, %s;\n  and.b32 %s, %s, 1;\n  setp.ne.u32 %s, %s, 0;\n",
                 t, bits,
                 in->op == SpvOpGroupNonUniformInverseBallot ? "%lane" : ptx_value(p, in->v[2], 0),
                 t, t, to, t);
        return true;
    }
}

// ---- values of other lanes -------------------------------------------------------------

// Where each lane reads: `lane` by shfl.idx, unless `kind` says otherwise.
static bool read_lanes(struct ptx *p, const struct spv_inst *in, const char *kind, const char *by,
                       uint32_t clamp)
{
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, in->type, &is_bool);
    for (uint32_t k = 0; k < n; k++) {
        const char *v = ptx_value(p, in->v[1], k), *to = ptx_register(p, in->result, k);
        if (!is_bool) {
            shuffle(p, to, kind, in_register(p, v), by, clamp);
            continue;
        }
        const char *word = ptx_temp(p);
        text_add(p->out, "  selp.b32 %s, 1, 0, %s;\n", word, v);
        shuffle(p, word, kind, word, by, clamp);
        text_add(p->out, "  setp.ne.u32 %s, %s, 0;\n", to, word);
    }
    return n != 0;
}

static bool rotate(struct ptx *p, const struct spv_inst *in)
{
    uint32_t cluster = 32;
    const char *at = ptx_temp(p), *first = ptx_temp(p);
    if (in->n > 3 && (!form_constant(p->f, in->v[3], &cluster) || !cluster || cluster > 32 ||
                      cluster & (cluster - 1)))
        return ptx_refuse(p, in, "a cluster that is not of 1 to 32 lanes");
    text_add(p->out,
             "  add.u32 %s, %%lane, %s;\n  and.b32 %s, %s, %u;\n  and.b32 %s, %%lane, %u;\n"
             "  or.b32 %s, %s, %s;\n",
             at, ptx_value(p, in->v[2], 0), at, at, cluster - 1, first, ~(cluster - 1) & 31, at, at,
             first);
    return read_lanes(p, in, "idx", at, 31);
}

static bool quad(struct ptx *p, const struct spv_inst *in)
{
    uint32_t n;
    const char *at = ptx_temp(p);
    if (in->op == SpvOpGroupNonUniformQuadBroadcast) {
        text_add(p->out, "  and.b32 %s, %%lane, 28;\n  or.b32 %s, %s, %s;\n", at, at, at,
                 ptx_value(p, in->v[2], 0));
        return read_lanes(p, in, "idx", at, 31);
    }
    if (!form_constant(p->f, in->v[2], &n) || n > 2)
        return ptx_refuse(p, in, "a direction that is not a constant 0, 1 or 2");
    return read_lanes(p, in, "bfly", arena_printf(p->f->arena, "%u", n + 1), 31);
}

static bool broadcast_first(struct ptx *p, const struct spv_inst *in)
{
    const char *lane = ptx_temp(p);
    lowest(p, lane, ballot(p, "%true"));
    return read_lanes(p, in, "idx", lane, 31);
}

static void elect(struct ptx *p, const struct spv_inst *in)
{
    const char *lane = ptx_temp(p);
    lowest(p, lane, ballot(p, "%true"));
    text_add(p->out, "  setp.eq.u32 %s, %s, %%lane;\n", ptx_register(p, in->result, 0), lane);
}

static bool relative(struct ptx *p, const struct spv_inst *in, const char *kind, uint32_t clamp)
{
    return read_lanes(p, in, kind, ptx_value(p, in->v[2], 0), clamp);
}

bool ptx_group_op(struct ptx *p, const struct spv_inst *in)
{
    const struct spv_group_op *g = spv_group_find(in->op);
    uint32_t scope;
    bool is_bool;
    if (in->op == SpvOpGroupNonUniformPartitionNV)
        return partition(p, in);
    if (!g->has_scope || !form_constant(p->f, in->v[0], &scope) || scope != SpvScopeSubgroup)
        return ptx_refuse(p, in, "a scope other than the subgroup");
    if (!ptx_parts(p, in, in->type, &is_bool))
        return false;
    switch (in->op) {
    case SpvOpGroupNonUniformElect:
        elect(p, in);
        return true;
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
        text_add(p->out, "  vote.sync.%s.pred %s, %s, %%m;\n",
                 in->op == SpvOpGroupNonUniformAll ? "all" : "any", ptx_register(p, in->result, 0),
                 ptx_value(p, in->v[1], 0));
        return true;
    case SpvOpGroupNonUniformAllEqual:
        return all_equal(p, in);
    case SpvOpGroupNonUniformBallot:
        for (uint32_t k = 1; k < 4; k++)
            ptx_move(p, false, ptx_register(p, in->result, k), "0");
        ptx_move(p, false, ptx_register(p, in->result, 0), ballot(p, ptx_value(p, in->v[1], 0)));
        return true;
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformInverseBallot:
        return ballot_op(p, in);
    case SpvOpGroupNonUniformBroadcastFirst:
        return broadcast_first(p, in);
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
        return read_lanes(p, in, "idx", ptx_value(p, in->v[2], 0), 31);
    case SpvOpGroupNonUniformShuffleXor:
        return relative(p, in, "bfly", 31);
    case SpvOpGroupNonUniformShuffleUp:
        return relative(p, in, "up", 0);
    case SpvOpGroupNonUniformShuffleDown:
        return relative(p, in, "down", 31);
    case SpvOpGroupNonUniformRotateKHR:
        return rotate(p, in);
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
        return quad(p, in);
    case SpvOpGroupNonUniformLogicalAnd:
    case SpvOpGroupNonUniformLogicalOr:
    case SpvOpGroupNonUniformLogicalXor:
        return reduce_bools(p, in);
    default:
        return g->klass == SPV_GROUP_REDUCE ? reduce(p, in) : ptx_refuse(p, in, "not supported");
    }
}
