// SPDX-License-Identifier: Apache-2.0
//
// Group operations in HLSL (clang's builtins, since no header of intrinsics is packaged), GLSL
// (GL_KHR_shader_subgroup_*) and WGSL, which uses GLSL's names where it has the function.
#include "clike.h"

#include <string.h>

#define NONE (-1)
static const struct row {
    SpvOp op;
    int group;        // SPIR-V group operation, or NONE
    const char *hlsl; // NULL: composed of others, or refused
    const char *glsl;
} rows[] = {
    {SpvOpGroupNonUniformElect, NONE, "wave_is_first_lane", "subgroupElect"},
    {SpvOpGroupNonUniformAll, NONE, "wave_active_all_true", "subgroupAll"},
    {SpvOpGroupNonUniformAny, NONE, "wave_active_any_true", "subgroupAny"},
    {SpvOpGroupNonUniformAllEqual, NONE, "wave_active_all_equal", "subgroupAllEqual"},
    {SpvOpGroupNonUniformBallot, NONE, "wave_active_ballot", "subgroupBallot"},
    {SpvOpGroupNonUniformBroadcast, NONE, "wave_read_lane_at", "subgroupBroadcast"},
    {SpvOpGroupNonUniformBroadcastFirst, NONE, NULL, "subgroupBroadcastFirst"},
    {SpvOpGroupNonUniformShuffle, NONE, "wave_read_lane_at", "subgroupShuffle"},
    {SpvOpGroupNonUniformShuffleXor, NONE, NULL, "subgroupShuffleXor"},
    {SpvOpGroupNonUniformShuffleUp, NONE, NULL, "subgroupShuffleUp"},
    {SpvOpGroupNonUniformShuffleDown, NONE, NULL, "subgroupShuffleDown"},
    {SpvOpGroupNonUniformInverseBallot, NONE, NULL, "subgroupInverseBallot"},
    {SpvOpGroupNonUniformBallotBitExtract, NONE, NULL, "subgroupBallotBitExtract"},
    {SpvOpGroupNonUniformBallotFindLSB, NONE, NULL, "subgroupBallotFindLSB"},
    {SpvOpGroupNonUniformBallotFindMSB, NONE, NULL, "subgroupBallotFindMSB"},
    {SpvOpGroupNonUniformQuadBroadcast, NONE, NULL, "subgroupQuadBroadcast"},
    {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationReduce, NULL, "subgroupBallotBitCount"},
    {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationInclusiveScan, NULL,
     "subgroupBallotInclusiveBitCount"},
    {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationExclusiveScan, NULL,
     "subgroupBallotExclusiveBitCount"},
#define ARITHMETIC(op, reduce, scan, name)                                                         \
    {op, SpvGroupOperationReduce, reduce, "subgroup" name},                                        \
        {op, SpvGroupOperationInclusiveScan, NULL, "subgroupInclusive" name},                      \
    {                                                                                              \
        op, SpvGroupOperationExclusiveScan, scan, "subgroupExclusive" name                         \
    }
    ARITHMETIC(SpvOpGroupNonUniformIAdd, "wave_active_sum", "wave_prefix_sum", "Add"),
    ARITHMETIC(SpvOpGroupNonUniformIMul, "wave_active_product", "wave_prefix_product", "Mul"),
    ARITHMETIC(SpvOpGroupNonUniformUMin, "wave_active_min", NULL, "Min"),
    ARITHMETIC(SpvOpGroupNonUniformUMax, "wave_active_max", NULL, "Max"),
    ARITHMETIC(SpvOpGroupNonUniformSMin, NULL, NULL, "Min"),
    ARITHMETIC(SpvOpGroupNonUniformSMax, NULL, NULL, "Max"),
    ARITHMETIC(SpvOpGroupNonUniformLogicalAnd, NULL, NULL, "And"),
    ARITHMETIC(SpvOpGroupNonUniformLogicalOr, NULL, NULL, "Or"),
    ARITHMETIC(SpvOpGroupNonUniformLogicalXor, NULL, NULL, "Xor"),
    ARITHMETIC(SpvOpGroupNonUniformBitwiseAnd, "wave_active_bit_and", NULL, "And"),
    ARITHMETIC(SpvOpGroupNonUniformBitwiseOr, "wave_active_bit_or", NULL, "Or"),
    ARITHMETIC(SpvOpGroupNonUniformBitwiseXor, "wave_active_bit_xor", NULL, "Xor"),
};

// Is operand 1 a group operation instead of an id?
static bool has_form(uint32_t op)
{
    return spv_group_find(op)->has_form;
}

static const struct row *find(const struct spv_inst *in)
{
    const int group = has_form(in->op) ? (int)in->v[1] : NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == in->op && rows[i].group == group)
            return &rows[i];
    return NULL;
}

// Does WGSL have GLSL's function of this row?
static bool in_wgsl(const struct spv_inst *in)
{
    const struct spv_group_op *op = spv_group_find(in->op);
    switch (in->op) {
    case SpvOpGroupNonUniformAllEqual:
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
    case SpvOpGroupNonUniformLogicalAnd:
    case SpvOpGroupNonUniformLogicalOr:
    case SpvOpGroupNonUniformLogicalXor:
        return false;
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupNonUniformIMul:
        return true;
    default:
        return !op->has_form || in->v[1] == SpvGroupOperationReduce;
    }
}

// Returns the "Add" of the row `subgroupAdd`.
static const char *clustered(uint32_t op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op && rows[i].group == SpvGroupOperationReduce)
            return rows[i].glsl + strlen("subgroup");
    return NULL;
}

// Returns the signed type of an unsigned one: "ivec2" of "uvec2", "int" of "uint", "vec2<i32>" of
// "vec2<u32>".
static const char *signed_of(struct clike *p, const char *type)
{
    char *s = arena_str(p->f->arena, type);
    if (p->to != CLIKE_WGSL && s[1] != 'v')
        return s + 1;
    *strchr(s, 'u') = 'i';
    return s;
}

static void call(struct clike *p, const struct spv_inst *in, const char *prefix, const char *name)
{
    const bool is_signed = in->op == SpvOpGroupNonUniformSMin || in->op == SpvOpGroupNonUniformSMax;
    const char *type = clike_type(p, in->type);
    // Values are unsigned: "uvec2(subgroupMin(ivec2(x7)))", "u32(subgroupMin(i32(x7)))".
    const char *of = is_signed ? signed_of(p, type) : "";
    const uint32_t first = has_form(in->op) ? 2 : 1;
    clike_result(p, in);
    text_add(p->out, is_signed ? "%s(%s%s(" : "%s%s%s(", is_signed ? type : "", prefix, name);
    for (uint32_t i = first; i < in->n; i++)
        text_add(p->out, i == first && is_signed ? "%s%s(%s)" : "%s%s%s", i > first ? ", " : "",
                 i == first ? of : "", clike_value(p, in->v[i]));
    text_add(p->out, is_signed ? "))" : ")");
    clike_end(p);
}

// The functions for arithmetic on ballots, by language.
static const struct {
    const char *lane, *lowest, *highest, *count;
} on_ballots[] = {
    [CLIKE_HLSL] = {"__builtin_hlsl_wave_get_lane_index()",
                    "__builtin_hlsl_elementwise_firstbitlow",
                    "__builtin_hlsl_elementwise_firstbithigh", "__builtin_elementwise_popcount"},
    [CLIKE_WGSL] = {"tf_lane", "firstTrailingBit", "firstLeadingBit", "countOneBits"},
};

// Prints operations without a function in the language: composed of other operations and of
// arithmetic on the first word of a ballot.
static bool print_composed(struct clike *p, const struct spv_inst *in)
{
    static const char wave[] = "__builtin_hlsl_wave_";
    const bool hlsl = p->to == CLIKE_HLSL;
    const char *lowest = on_ballots[p->to].lowest, *count = on_ballots[p->to].count;
    const char *a = in->n > 1 && !has_form(in->op) ? clike_value(p, in->v[1]) : "";
    const char *b = in->n > 2 ? clike_value(p, in->v[2]) : "";
    if (!p->f->subgroup || p->f->subgroup > 32)
        return clike_refuse(p, in, "ballots are supported for subgroups of up to 32 lanes");
    const char *lane = on_ballots[p->to].lane;
    const char *below = arena_printf(p->f->arena, "((1u << %s) - 1u)", lane);
    bool is_bool;
    if (!hlsl && in->op == SpvOpGroupNonUniformAllEqual &&
        form_components(p->f, form_type_of(p->f, in->v[1]), &is_bool) != 1)
        return clike_refuse(p, in, "no function for vectors");
    clike_result(p, in);
    switch (in->op) {
    case SpvOpGroupNonUniformAllEqual: // WGSL
        text_add(p->out, "subgroupAll(%s == subgroupBroadcastFirst(%s))", a, a);
        break;
    case SpvOpGroupNonUniformBroadcastFirst:
        text_add(p->out, "%sread_lane_at(%s, %s(%sactive_ballot(true).x))", wave, a, lowest, wave);
        break;
    case SpvOpGroupNonUniformShuffleXor:
        text_add(p->out, "%sread_lane_at(%s, %s ^ %s)", wave, a, lane, b);
        break;
    case SpvOpGroupNonUniformShuffleUp:
        text_add(p->out, "%sread_lane_at(%s, %s - %s)", wave, a, lane, b);
        break;
    case SpvOpGroupNonUniformShuffleDown:
        text_add(p->out, "%sread_lane_at(%s, %s + %s)", wave, a, lane, b);
        break;
    case SpvOpGroupNonUniformBallotFindLSB:
        text_add(p->out, "%s(%s.x)", lowest, a);
        break;
    case SpvOpGroupNonUniformBallotFindMSB:
        text_add(p->out, "%s(%s.x)", on_ballots[p->to].highest, a);
        break;
    case SpvOpGroupNonUniformBallotBitExtract:
        text_add(p->out, "((%s.x >> %s) & 1u) != 0u", a, b);
        break;
    case SpvOpGroupNonUniformInverseBallot:
        text_add(p->out, "((%s.x >> %s) & 1u) != 0u", a, lane);
        break;
    case SpvOpGroupNonUniformBallotBitCount:
        if (in->v[1] == SpvGroupOperationReduce)
            text_add(p->out, "%s(%s.x)", count, b);
        else if (in->v[1] == SpvGroupOperationInclusiveScan)
            text_add(p->out, "%s(%s.x & (%s | (1u << %s)))", count, b, below, lane);
        else
            text_add(p->out, "%s(%s.x & %s)", count, b, below);
        break;
    case SpvOpGroupNonUniformIAdd:
        if (hlsl && in->v[1] == SpvGroupOperationInclusiveScan) {
            text_add(p->out, "%sprefix_sum(%s) + %s", wave, b, b);
            break;
        }
        return clike_refuse(p, in, "no builtin for it");
    default:
        return clike_refuse(p, in, "no builtin for it");
    }
    clike_end(p);
    return true;
}

bool clike_group_op(struct clike *p, const struct spv_inst *in)
{
    static const char *const quad[][2] = {
        {"Horizontal", "X"}, {"Vertical", "Y"}, {"Diagonal", "Diagonal"}};
    uint32_t n;
    bool is_bool;
    if (!spv_group_find(in->op)->has_scope)
        return clike_refuse(p, in, "no function for it");
    if (!form_constant(p->f, in->v[0], &n) || n != SpvScopeSubgroup)
        return clike_refuse(p, in, "a scope other than the subgroup");
    if (!form_components(p->f, in->type, &is_bool))
        return clike_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    if (p->to != CLIKE_HLSL && p->to != CLIKE_OPENCL && in->op == SpvOpGroupNonUniformQuadSwap &&
        form_constant(p->f, in->v[2], &n) && n < 3) {
        clike_result(p, in);
        const bool wgsl = p->to == CLIKE_WGSL;
        text_add(p->out, "%s%s(%s)", wgsl ? "quadSwap" : "subgroupQuadSwap", quad[n][wgsl ? 1 : 0],
                 clike_value(p, in->v[1]));
        clike_end(p);
        return true;
    }
    if (p->to == CLIKE_OPENCL)
        return opencl_group_op(p, in);
    const struct row *row = find(in);
    if (p->to == CLIKE_GLSL && has_form(in->op) && in->n == 4 &&
        in->v[1] == SpvGroupOperationClusteredReduce) {
        const char *name = clustered(in->op);
        if (!name)
            return clike_refuse(p, in, "no function for it");
        call(p, in, "subgroupClustered", name);
        return true;
    }
    if (has_form(in->op) && in->n != 3)
        return clike_refuse(p, in, "clusters");
    if (p->to == CLIKE_WGSL && in->op == SpvOpGroupNonUniformQuadBroadcast)
        call(p, in, "", "quadBroadcast");
    else if (row && (p->to == CLIKE_GLSL || (p->to == CLIKE_WGSL && in_wgsl(in))))
        call(p, in, "", row->glsl);
    else if (row && row->hlsl && p->to == CLIKE_HLSL)
        call(p, in, "__builtin_hlsl_", row->hlsl);
    else if (row)
        return print_composed(p, in);
    else
        return clike_refuse(p, in, "no function for it");
    return true;
}
