// SPDX-License-Identifier: Apache-2.0
//
// The oracle's arithmetic and group operations: one module an operation, operands
// from a buffer, results and their definedness against values written here by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/oracle.h"

#include <string.h>

enum { LANES = 8 };
#define UNDEFINED 0xdeadc0deu // in the tables below; no result has this value

// A module that reads words in[lane], in[8 + lane], computes `op` and writes
// out[lane]; lanes outside of `active` skip it.
struct probe {
    SpvOp op;
    int group_op;       // -1: none
    int operands;       // 0, 1, 2
    bool scope;         // first operand is the scope
    bool bool_result, bool_operand, is_signed;
    uint32_t constant;  // a trailing constant operand; 0: none
};

struct built {
    struct arena arena;
    struct spv_case c;
};

static void build(struct built *b, const struct probe *p, const uint32_t *in, lane_mask active)
{
    struct spv_writer w;
    memset(b, 0, sizeof *b);
    spv_writer_start(&w, &b->arena, 0x00010300);
    spv_capability(&w, SpvCapabilityShader);
    spv_extension(&w, "SPV_KHR_maximal_reconvergence");
    SPV_PUT(&w, SPV_MEMORY_MODEL, SpvOpMemoryModel, SpvAddressingModelLogical,
            SpvMemoryModelGLSL450);
    uint32_t u32 = spv_type_int(&w, 32, p->is_signed), boolean = spv_type_bool(&w);
    uint32_t index = spv_type_int(&w, 32, false);
    uint32_t array = spv_new_id(&w), block = spv_new_id(&w);
    SPV_PUT(&w, SPV_GLOBALS, SpvOpTypeRuntimeArray, array, u32);
    SPV_PUT(&w, SPV_GLOBALS, SpvOpTypeStruct, block, array);
    SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpDecorate, array, SpvDecorationArrayStride, 4);
    SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpDecorate, block, SpvDecorationBlock);
    SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    uint32_t ptr = spv_type_pointer(&w, SpvStorageClassStorageBuffer, block);
    uint32_t elem = spv_type_pointer(&w, SpvStorageClassStorageBuffer, u32);
    uint32_t in_ptr = spv_type_pointer(&w, SpvStorageClassInput, index);
    uint32_t var[2], lane_var = spv_new_id(&w), main_id = spv_new_id(&w);
    for (uint32_t k = 0; k < 2; k++) {
        var[k] = spv_new_id(&w);
        SPV_PUT(&w, SPV_GLOBALS, SpvOpVariable, ptr, var[k], SpvStorageClassStorageBuffer);
        SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpDecorate, var[k], SpvDecorationDescriptorSet, 0);
        SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpDecorate, var[k], SpvDecorationBinding, k);
    }
    SPV_PUT(&w, SPV_GLOBALS, SpvOpVariable, in_ptr, lane_var, SpvStorageClassInput);
    SPV_PUT(&w, SPV_ANNOTATIONS, SpvOpDecorate, lane_var, SpvDecorationBuiltIn,
            SpvBuiltInLocalInvocationIndex);
    struct words entry = {0};
    *VEC_PUSH(&b->arena, &entry) = SpvExecutionModelGLCompute;
    *VEC_PUSH(&b->arena, &entry) = main_id;
    spv_string_words(&b->arena, &entry, "main");
    *VEC_PUSH(&b->arena, &entry) = lane_var;
    spv_put(&w, SPV_ENTRY_POINTS, SpvOpEntryPoint, entry.v, entry.n);
    SPV_PUT(&w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main_id,
            SpvExecutionModeMaximallyReconvergesKHR);
    SPV_PUT(&w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main_id, SpvExecutionModeLocalSize, LANES,
            1, 1);
    uint32_t v = spv_type_void(&w), fn = spv_type_function(&w, v, NULL, 0);
    uint32_t zero = spv_const_u32(&w, 0), eight = spv_const_u32(&w, LANES);
    uint32_t mask = spv_const_u32(&w, (uint32_t)active), one = spv_const_u32(&w, 1);
    uint32_t three = spv_const_u32(&w, SpvScopeSubgroup);
    uint32_t tail = spv_const_u32(&w, p->constant);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpFunction, v, main_id, 0, fn);
    uint32_t label = spv_new_id(&w), then = spv_new_id(&w), merge = spv_new_id(&w);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpLabel, label);
    uint32_t lane = SPV_VALUE(&w, SpvOpLoad, index, lane_var);
    uint32_t bits = SPV_VALUE(&w, SpvOpShiftRightLogical, index, mask, lane);
    uint32_t bit = SPV_VALUE(&w, SpvOpBitwiseAnd, index, bits, one);
    uint32_t on = SPV_VALUE(&w, SpvOpIEqual, boolean, bit, one);
    uint32_t out = SPV_VALUE(&w, SpvOpAccessChain, elem, var[1], zero, lane);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge, 0);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpBranchConditional, on, then, merge);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpLabel, then);
    uint32_t at[2] = {lane, SPV_VALUE(&w, SpvOpIAdd, index, lane, eight)}, v_ops[8], n = 0;
    if (p->scope)
        v_ops[n++] = three;
    if (p->group_op >= 0)
        v_ops[n++] = (uint32_t)p->group_op;
    for (int k = 0; k < p->operands; k++) {
        uint32_t a = SPV_VALUE(&w, SpvOpAccessChain, elem, var[0], zero, at[k]);
        uint32_t x = SPV_VALUE(&w, SpvOpLoad, u32, a);
        if (p->bool_operand && k == 0)
            x = SPV_VALUE(&w, SpvOpINotEqual, boolean, x, p->is_signed ? spv_const_i32(&w, 0) : zero);
        v_ops[n++] = x;
    }
    if (p->constant)
        v_ops[n++] = tail;
    uint32_t r = spv_put_value(&w, p->op, p->bool_result ? boolean : u32, v_ops, n);
    if (p->bool_result)
        r = SPV_VALUE(&w, SpvOpSelect, index, r, one, zero);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpStore, out, r);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpBranch, merge);
    SPV_PUT(&w, SPV_FUNCTIONS, SpvOpLabel, merge);
    SPV_PUT0(&w, SPV_FUNCTIONS, SpvOpReturn);
    SPV_PUT0(&w, SPV_FUNCTIONS, SpvOpFunctionEnd);
    b->c.words = spv_writer_finish(&w, &b->c.count);
    b->c.groups[0] = b->c.groups[1] = b->c.groups[2] = 1;
    b->c.subgroup = LANES;
    b->c.buffer_count = 2;
    b->c.buffer[0] = (struct spv_buffer){.binding = 0, .count = 2 * LANES};
    b->c.buffer[0].words = arena_copy(&b->arena, in, 2 * LANES * sizeof *in);
    b->c.buffer[1] = (struct spv_buffer){.binding = 1, .count = LANES};
    b->c.buffer[1].words = ARENA_ARRAY(&b->arena, uint32_t, LANES);
}

// expected[lane], UNDEFINED where no bit may be compared; lanes that are not active
// keep 0.
static void probe(const char *name, struct probe p, const uint32_t *in, lane_mask active,
                  const uint32_t *expected)
{
    struct built b;
    struct orc_result r;
    build(&b, &p, in, active);
    orc_predict(&b.arena, &b.c, 0, NULL, &r);
    if (r.why.status != RAN_OK)
        fail_msg("%s: %s", name, r.why.text);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX;
        uint32_t want = lane_in(active, l) ? expected[l] : 0;
        if (want == UNDEFINED ? mask != 0 : mask != UINT32_MAX || r.memory[1].words[l] != want)
            fail_msg("%s, lane %u: got 0x%x (mask 0x%x), expected 0x%x", name, l,
                     r.memory[1].words[l], mask, want);
    }
    arena_free(&b.arena);
}

#define U UNDEFINED
#define MIN 0x80000000u

static void arithmetic(void **state)
{
    (void)state;
    static const struct {
        SpvOp op;
        const char *name;
        bool is_signed, bool_result;
        uint32_t a[LANES], b[LANES], r[LANES];
    } rows[] = {
        {SpvOpIAdd, "IAdd", 0, 0, {1, 0xffffffff, MIN, 0}, {2, 1, MIN, 0}, {3, 0, 0, 0}},
        {SpvOpISub, "ISub", 0, 0, {1, 0, MIN, 5}, {2, 1, 1, 5}, {0xffffffff, 0xffffffff, 0x7fffffff, 0}},
        {SpvOpIMul, "IMul", 0, 0, {3, 0x10000, 0xffffffff}, {5, 0x10000, 0xffffffff}, {15, 0, 1}},
        {SpvOpUDiv, "UDiv", 0, 0, {7, 7, 0xffffffff, 1, 0, 8, 9, 1}, {2, 0, 0xffffffff, 2, 1, 8, 4, 1}, {3, U, 1, 0, 0, 1, 2, 1}},
        {SpvOpUMod, "UMod", 0, 0, {7, 7, 0xffffffff, 1, 0, 8, 9, 1}, {4, 0, 16, 2, 1, 8, 4, 1}, {3, U, 15, 1, 0, 0, 1, 0}},
        {SpvOpSDiv, "SDiv", 1, 0, {7, 0xfffffff9, MIN, MIN, 3, 1, 1, 1}, {2, 2, 0xffffffff, 1, 0, 1, 1, 1}, {3, 0xfffffffd, U, MIN, U, 1, 1, 1}},
        {SpvOpSRem, "SRem", 1, 0, {7, 0xfffffff9, 7, 7, 0, 1, 1, 1}, {4, 4, 0xfffffffc, 0, 3, 1, 1, 1}, {3, U, U, U, 0, 0, 0, 0}},
        {SpvOpSMod, "SMod", 1, 0, {7, 0xfffffff9, 7, 7, 0, 1, 1, 1}, {4, 4, 0xfffffffc, 0, 3, 1, 1, 1}, {3, U, U, U, 0, 0, 0, 0}},
        {SpvOpShiftLeftLogical, "shl", 0, 0, {1, 1, 1, 3}, {0, 31, 32, 31}, {1, MIN, U, MIN}},
        {SpvOpShiftRightLogical, "shr", 0, 0, {MIN, MIN, 1, 3}, {0, 31, 32, 1}, {MIN, 1, U, 1}},
        {SpvOpShiftRightArithmetic, "sar", 0, 0, {MIN, MIN, 1, 0x40000000}, {1, 31, 0xffffffff, 1}, {0xc0000000, 0xffffffff, U, 0x20000000}},
        {SpvOpBitwiseAnd, "and", 0, 0, {6, 0xffffffff}, {3, 0xf0}, {2, 0xf0}},
        {SpvOpBitwiseOr, "or", 0, 0, {6, 1}, {3, 0xf0}, {7, 0xf1}},
        {SpvOpBitwiseXor, "xor", 0, 0, {6, 1}, {3, 1}, {5, 0}},
        {SpvOpULessThan, "ult", 0, 1, {1, 0xffffffff, 2}, {2, 1, 2}, {1, 0, 0}},
        {SpvOpSLessThan, "slt", 1, 1, {1, 0xffffffff, 2}, {2, 1, 2}, {1, 1, 0}},
        {SpvOpUGreaterThanEqual, "uge", 0, 1, {1, 0xffffffff, 2}, {2, 1, 2}, {0, 1, 1, 1, 1, 1, 1, 1}},
        {SpvOpSGreaterThan, "sgt", 1, 1, {1, 0xffffffff, 2}, {2, 1, 2}, {0, 0, 0}},
        {SpvOpIEqual, "eq", 0, 1, {1, 2}, {1, 3}, {1, 0, 1, 1, 1, 1, 1, 1}},
        {SpvOpINotEqual, "ne", 0, 1, {1, 2}, {1, 3}, {0, 1}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t in[2 * LANES];
        memcpy(in, rows[k].a, sizeof rows[k].a);
        memcpy(in + LANES, rows[k].b, sizeof rows[k].b);
        probe(rows[k].name,
              (struct probe){.op = rows[k].op, .group_op = -1, .operands = 2,
                             .is_signed = rows[k].is_signed, .bool_result = rows[k].bool_result},
              in, 0xff, rows[k].r);
    }
}

// Values 1, 2, 3 ... 8 in the first operand.
static const uint32_t counting[2 * LANES] = {1, 2, 3, 4, 5, 6, 7, 8};

static void reductions(void **state)
{
    (void)state;
    // Active: lanes 1, 2, 5, 7 with the values 2, 3, 6, 8.
    const lane_mask active = 0xa6;
    static const struct {
        SpvOp op;
        const char *name;
        int group_op;
        uint32_t r[LANES];
    } rows[] = {
        {SpvOpGroupNonUniformIAdd, "reduce add", 0, {0, 19, 19, 0, 0, 19, 0, 19}},
        {SpvOpGroupNonUniformIAdd, "inclusive add", 1, {0, 2, 5, 0, 0, 11, 0, 19}},
        {SpvOpGroupNonUniformIAdd, "exclusive add", 2, {0, 0, 2, 0, 0, 5, 0, 11}},
        {SpvOpGroupNonUniformIMul, "exclusive mul", 2, {0, 1, 2, 0, 0, 6, 0, 36}},
        {SpvOpGroupNonUniformUMin, "reduce umin", 0, {0, 2, 2, 0, 0, 2, 0, 2}},
        {SpvOpGroupNonUniformUMin, "exclusive umin", 2, {0, 0xffffffff, 2, 0, 0, 2, 0, 2}},
        {SpvOpGroupNonUniformUMax, "inclusive umax", 1, {0, 2, 3, 0, 0, 6, 0, 8}},
        {SpvOpGroupNonUniformBitwiseAnd, "reduce and", 0, {0}},
        {SpvOpGroupNonUniformBitwiseOr, "reduce or", 0, {0, 15, 15, 0, 0, 15, 0, 15}},
        {SpvOpGroupNonUniformBitwiseXor, "reduce xor", 0, {0, 15, 15, 0, 0, 15, 0, 15}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        probe(rows[k].name,
              (struct probe){.op = rows[k].op, .group_op = rows[k].group_op, .operands = 1,
                             .scope = true},
              counting, active, rows[k].r);
    // Clusters of four: lanes 1, 2 and lanes 5, 7.
    static const uint32_t clustered[LANES] = {0, 5, 5, 0, 0, 14, 0, 14};
    probe("clustered add",
          (struct probe){.op = SpvOpGroupNonUniformIAdd, .group_op = 3, .operands = 1, .scope = true,
                         .constant = 4},
          counting, active, clustered);
    // Signed extremes.
    static const uint32_t in[2 * LANES] = {5, 0xffffffff, 3, 0x80000000};
    static const uint32_t low[LANES] = {0x80000000, 0x80000000, 0x80000000, 0x80000000};
    static const uint32_t before[LANES] = {0x80000000, 5, 5, 5};
    probe("reduce smin",
          (struct probe){.op = SpvOpGroupNonUniformSMin, .operands = 1, .scope = true,
                         .is_signed = true},
          in, 0xf, low);
    probe("exclusive smax",
          (struct probe){.op = SpvOpGroupNonUniformSMax, .group_op = 2, .operands = 1, .scope = true,
                         .is_signed = true},
          in, 0xf, before);
}

static void votes(void **state)
{
    (void)state;
    static const uint32_t in[2 * LANES] = {0, 1, 1, 0, 0, 1, 0, 1};
    static const uint32_t yes[LANES] = {1, 1, 1, 1, 1, 1, 1, 1}, no[LANES] = {0};
    struct probe all = {.op = SpvOpGroupNonUniformAll, .group_op = -1, .operands = 1, .scope = true,
                        .bool_operand = true, .bool_result = true};
    struct probe any = all, equal = all, elect = all;
    any.op = SpvOpGroupNonUniformAny;
    equal.op = SpvOpGroupNonUniformAllEqual;
    elect.op = SpvOpGroupNonUniformElect;
    elect.operands = 0;
    elect.bool_operand = false;
    probe("all, yes", all, in, 0xa6, yes);
    probe("all, no", all, in, 0xa7, no);
    probe("any, no", any, in, 0x59, no);
    probe("any, yes", any, in, 0xff, yes);
    probe("allEqual, yes", equal, in, 0x59, yes);
    probe("allEqual, no", equal, in, 0xff, no);
    static const uint32_t second[LANES] = {0, 1, 0, 0, 0, 0, 0, 0};
    probe("elect", elect, in, 0xa6, second);
}

static void moves(void **state)
{
    (void)state;
    struct probe p = {.op = SpvOpGroupNonUniformShuffle, .group_op = -1, .operands = 2,
                      .scope = true};
    // Lane 1 reads 2, 2 reads 5, 5 reads 0 (not active), 7 reads 9 (no such lane).
    static const uint32_t in[2 * LANES] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 5, 0, 0, 0, 0, 9};
    static const uint32_t shuffled[LANES] = {0, 3, 6, 0, 0, U, 0, U};
    probe("shuffle", p, in, 0xa6, shuffled);
    p.op = SpvOpGroupNonUniformBroadcastFirst;
    p.operands = 1;
    static const uint32_t first[LANES] = {0, 2, 2, 0, 0, 2, 0, 2};
    probe("broadcastFirst", p, in, 0xa6, first);
    p.op = SpvOpGroupNonUniformShuffleXor;
    p.constant = 1;
    static const uint32_t xored[LANES] = {2, 1, U, 0, 0, 0, 0, 0};
    probe("shuffleXor", p, in, 0x7, xored);
    p.op = SpvOpGroupNonUniformShuffleUp;
    static const uint32_t up[LANES] = {U, 1, 2, 3, 4, 5, 6, 7};
    probe("shuffleUp", p, in, 0xff, up);
    p.op = SpvOpGroupNonUniformShuffleDown;
    static const uint32_t down[LANES] = {2, 3, 4, 5, 6, 7, 8, U};
    probe("shuffleDown", p, in, 0xff, down);
    p.op = SpvOpGroupNonUniformRotateKHR;
    static const uint32_t rotated[LANES] = {2, 3, 4, 5, 6, 7, 8, 1};
    probe("rotate", p, in, 0xff, rotated);
    p.op = SpvOpGroupNonUniformQuadSwap;
    p.constant = 2; // diagonal
    static const uint32_t swapped[LANES] = {4, 3, 2, 1, 8, 7, 6, 5};
    probe("quadSwap diagonal", p, in, 0xff, swapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(reductions),
        cmocka_unit_test(votes),
        cmocka_unit_test(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
