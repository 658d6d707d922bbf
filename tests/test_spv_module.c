// SPDX-License-Identifier: Apache-2.0
//
// The module reader: what it makes of a module, and what it says of a broken one.
#include "test_spv_common.h"

#include <stdio.h>

static const struct spv_inst *nth(const struct spv_module *m, SpvOp op, int n)
{
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (m->insts[i].op == op && n-- == 0)
            return &m->insts[i];
    fail_msg("no %s", spv_op_name(op));
    return NULL;
}

static void sample(struct fixture *f, uint32_t **words, size_t *count, struct spv_module *m)
{
    struct err e = {{0}};
    *words = assembled(f, SAMPLE, count);
    bool ok = spv_module_read(&f->arena, *words, *count, m, &e);
    assert_string_equal(e.msg, "");
    assert_true(ok);
}

static void reads_structure(void **state)
{
    uint32_t *words;
    size_t count;
    struct spv_module m;
    sample(*state, &words, &count, &m);
    assert_int_equal(m.version, 0x00010600);
    assert_int_equal(m.bound, 32);
    assert_int_equal(m.inst_count, 51);
    assert_int_equal(m.function_count, 2);
    assert_int_equal(m.block_count, 8);
    assert_int_equal(m.functions[0].id, 16);
    assert_int_equal(m.functions[0].block_count, 1);
    assert_int_equal(m.functions[1].id, 2);
    assert_int_equal(m.functions[1].block_first, 1);
    assert_int_equal(m.functions[1].block_count, 7);
    assert_int_equal(m.insts[m.functions[1].last].op, SpvOpFunctionEnd);

    const struct spv_block *header = &m.blocks[m.block_of[22]];
    assert_int_equal(header->label, 22);
    assert_int_equal(m.insts[header->first].op, SpvOpLabel);
    assert_int_equal(m.insts[header->last].op, SpvOpBranch);
    assert_int_equal(m.insts[header->merge].op, SpvOpLoopMerge);
    assert_int_equal(m.blocks[m.block_of[26]].merge, 0);
    assert_int_equal(m.block_of[21], UINT32_MAX);

    const struct spv_inst *add = spv_def(&m, 24);
    assert_int_equal(add->op, SpvOpIAdd);
    assert_int_equal(add->type, 7);
    assert_int_equal(add->n, 2);
    assert_int_equal(add->v[0], 23);
    assert_int_equal(add->v[1], 13);
    assert_ptr_equal(add->v, words + add->at + 3);
    assert_null(spv_def(&m, 0));
    assert_null(spv_def(&m, 32));
    assert_null(spv_def(&m, UINT32_MAX));
    assert_string_equal(spv_name(&m, 2), "main");
    assert_null(spv_name(&m, 3));
    const struct spv_inst *wide = spv_def(&m, 14);
    assert_int_equal(wide->n, 2);
    assert_int_equal(wide->v[0], 1);
    assert_int_equal(wide->v[1], 1);
}

static void knows_opcodes(void **state)
{
    (void)state;
    uint32_t known = 0;
    for (uint32_t op = 0; op < 0x10000; op++) {
        const struct spv_op *row = spv_op_find(op);
        known += row != NULL;
        if (row)
            assert_int_equal(row->opcode, op);
    }
    assert_true(known > 500);
    assert_null(spv_op_find(0x10000 + SpvOpIAdd));
    assert_string_equal(spv_op_name(SpvOpIAdd), "OpIAdd");
    assert_string_equal(spv_op_name(SpvOpGroupNonUniformRotateKHR), "OpGroupNonUniformRotateKHR");
    assert_string_equal(spv_op_name(SpvOpDemoteToHelperInvocation), "OpDemoteToHelperInvocation");
    assert_string_equal(spv_op_name(60000), "Op(unknown)");
    assert_int_equal(spv_op_class(SpvOpGroupNonUniformBallot), SPV_CLASS_NON_UNIFORM);
    assert_int_equal(spv_op_class(60000), SPV_CLASS_NONE);
    assert_null(spv_op_find(SpvOpTraceRayKHR)); // reserved, not admitted
    const struct spv_op *load = spv_op_find(SpvOpLoad);
    assert_true(load->has_type && load->has_result);
    assert_int_equal(load->operands[0].kind, SPV_OPERAND_ID);
    assert_int_equal(load->operands[1].kind, SPV_OPERAND_ENUM_ARGS);
    assert_int_equal(load->operands[1].quantifier, SPV_OPTIONAL);
}

static void refuses_headers(void **state)
{
    struct fixture *f = *state;
    static const struct {
        size_t count;
        uint32_t at, value;
        const char *message;
    } rows[] = {
        {0, 0, 0, "a SPIR-V module has at least 5 words, here are 0"},
        {4, 0, 0, "a SPIR-V module has at least 5 words, here are 4"},
        {0xffff, 0, 0x03022307,
         "word 0: the magic number is byte-swapped; SPIR-V of the opposite byte order is not read"},
        {0xffff, 0, 0x464c457f,
         "word 0: 0x464c457f, SPIR-V's magic number 0x07230203 was expected"},
        {0xffff, 1, 0x00010700,
         "word 1: version 0x00010700, one of 1.0 (0x00010000) to 1.6 (0x00010600) was expected"},
        {0xffff, 1, 0x00010601,
         "word 1: version 0x00010601, one of 1.0 (0x00010000) to 1.6 (0x00010600) was expected"},
        {0xffff, 3, 0, "word 3: the bound of ids is 0, 1 .. 4194304 was expected"},
        {0xffff, 3, 0x400001, "word 3: the bound of ids is 4194305, 1 .. 4194304 was expected"},
        {0xffff, 3, 31, "word 174: OpULessThan names id 31, ids are 1 .. 30 here"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count;
        struct spv_module m;
        struct err e = {{0}};
        uint32_t *words = assembled(f, SAMPLE, &count);
        words[rows[i].at] = rows[i].value ? rows[i].value : rows[i].count > 4 ? 0 : words[0];
        if (rows[i].count < count)
            count = rows[i].count;
        assert_false(spv_module_read(&f->arena, words, count, &m, &e));
        assert_string_equal(e.msg, rows[i].message);
    }
}

// One word of one instruction changed.
static void refuses_instructions(void **state)
{
    struct fixture *f = *state;
    static const struct {
        SpvOp op;
        int which;
        uint32_t word, value;
        uint32_t told; // the message names this word of the instruction
        const char *message;
    } rows[] = {
        {SpvOpLoad, 0, 0, 4u << 16 | SpvOpIAdd, 0,
         "OpIAdd has 4 words, the grammar requires at least 5"},
        {SpvOpReturn, 0, 0, 1u << 16 | SpvOpTypeInt, 0,
         "OpTypeInt has 1 words, the grammar requires at least 4"},
        {SpvOpLoad, 0, 0, SpvOpLoad, 0, "OpLoad of 0 words, 1 .. 66 are left in the module"},
        {SpvOpLoad, 0, 0, 70u << 16 | SpvOpLoad, 0,
         "OpLoad of 70 words, 1 .. 66 are left in the module"},
        {SpvOpLoad, 0, 0, 4u << 16 | 60000, 0, "opcode 60000 is not in the opcode table"},
        {SpvOpLoad, 0, 0, 4u << 16 | SpvOpTraceRayKHR, 0, "opcode 4445 is not in the opcode table"},
        {SpvOpLoad, 0, 1, 0, 1, "OpLoad names id 0, ids are 1 .. 31 here"},
        {SpvOpLoad, 0, 1, 32, 1, "OpLoad names id 32, ids are 1 .. 31 here"},
        {SpvOpLoad, 0, 2, 0, 2, "OpLoad names id 0, ids are 1 .. 31 here"},
        {SpvOpLoad, 0, 3, 0xffffffff, 3, "OpLoad names id 4294967295, ids are 1 .. 31 here"},
        {SpvOpLoad, 0, 2, 13, 0, "OpLoad defines id 13, which word 69 already defines"},
        {SpvOpLoad, 0, 0, 4u << 16 | SpvOpBranch, 0,
         "OpBranch has 4 words, its operands end after 2"},
        {SpvOpName, 0, 3, 0x01010101, 2, "the literal string of OpName has no NUL inside it"},
        {SpvOpEntryPoint, 0, 5, 0, 5, "OpEntryPoint names id 0, ids are 1 .. 31 here"},
        {SpvOpLoad, 0, 0, 4u << 16 | SpvOpPhi, 3, "OpPhi ends inside a pair of operands"},
        {SpvOpPhi, 0, 6, 0, 6, "OpPhi names id 0, ids are 1 .. 31 here"},
        {SpvOpConstant, 2, 1, 7, 0, "OpConstant has 5 words, with a literal of its type it has 4"},
        {SpvOpConstant, 1, 1, 8, 0, "OpConstant has 4 words, with a literal of its type it has 5"},
        {SpvOpConstant, 0, 1, 9, 0, "the type %9 of OpConstant is not an OpTypeInt or OpTypeFloat"},
        {SpvOpSpecConstantOp, 0, 3, SpvOpStore, 3,
         "OpSpecConstantOp of opcode 62, which has no result"},
        {SpvOpSpecConstantOp, 0, 3, SpvOpNot, 0, "OpNot has 6 words, its operands end after 5"},
        {SpvOpSpecConstantOp, 0, 5, 99, 5, "OpIAdd names id 99, ids are 1 .. 31 here"},
        {SpvOpSwitch, 0, 1, 26, 0, "the selector %26 of OpSwitch has no integer type"},
        {SpvOpSwitch, 0, 1, 14, 0, "OpSwitch ends inside a pair of literal and label"},
        {SpvOpSwitch, 0, 4, 0, 4, "OpSwitch names id 0, ids are 1 .. 31 here"},
        {SpvOpLoopMerge, 0, 0, 4u << 16 | SpvOpFunctionCall, 3,
         "OpFunctionCall names id 0, ids are 1 .. 31 here"},
        {SpvOpReturnValue, 0, 0, 2u << 16 | SpvOpCapability, 2,
         "OpFunctionEnd comes before the last block has a terminator"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t *words;
        size_t count;
        struct spv_module m;
        struct err e = {{0}};
        sample(f, &words, &count, &m);
        uint32_t at = nth(&m, rows[i].op, rows[i].which)->at;
        words[at + rows[i].word] = rows[i].value;
        assert_false(spv_module_read(&f->arena, words, count, &m, &e));
        char want[200];
        snprintf(want, sizeof want, "word %u: %s", at + rows[i].told, rows[i].message);
        assert_string_equal(e.msg, want);
    }
}

// Functions and blocks: bodies in the place of @ below.
static void refuses_nesting(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *body, *message;
    } rows[] = {
        {"%9 = OpLabel\n", "word 15: OpLabel is outside a function"},
        {"OpReturn\n", "word 15: OpReturn is outside a block"},
        {"OpSelectionMerge %9 None\n", "word 15: OpSelectionMerge is outside a block"},
        {"OpFunctionEnd\n", "word 15: OpFunctionEnd has no OpFunction"},
        {"%9 = OpFunctionParameter %1\n",
         "word 15: OpFunctionParameter does not follow its OpFunction"},
        {"%9 = OpFunction %1 None %2\n", "word 20: the module ends inside the function %9"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\n",
         "word 22: the module ends inside the block %10"},
        {"%9 = OpFunction %1 None %2\n%10 = OpFunction %1 None %2\n",
         "word 20: OpFunction begins before the function above has its OpFunctionEnd"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\nOpFunctionEnd\n",
         "word 22: OpFunctionEnd comes before the last block has a terminator"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\n%11 = OpLabel\n",
         "word 22: OpLabel begins a block before the one above has a terminator"},
        {"%9 = OpFunction %1 None %2\nOpNop\n",
         "word 20: OpNop is inside a function but outside its blocks"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\nOpReturn\nOpNop\n",
         "word 23: OpNop is inside a function but outside its blocks"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\nOpReturn\n%11 = OpFunctionParameter %1\n",
         "word 23: OpFunctionParameter does not follow its OpFunction"},
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\nOpSelectionMerge %10 None\n"
         "OpSelectionMerge %10 None\n",
         "word 25: OpSelectionMerge is the second merge instruction of its block"},
        {"%9 = OpFunction %1 None %2\nOpFunctionEnd\n", ""}, // a declaration
        {"%9 = OpFunction %1 None %2\n%10 = OpLabel\nOpReturn\nOpNoLine\nOpFunctionEnd\n", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count;
        struct spv_module m;
        struct err e = {{0}};
        const char *text = arena_printf(&f->arena,
                                        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                                        "%%1 = OpTypeVoid\n%%2 = OpTypeFunction %%1\n%s",
                                        rows[i].body);
        uint32_t *words = assembled(f, text, &count);
        assert_int_equal(spv_module_read(&f->arena, words, count, &m, &e), rows[i].message[0] == 0);
        assert_string_equal(e.msg, rows[i].message);
    }
}

// Everything that a successful read promises.
static void holds(const struct spv_module *m)
{
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        assert_true(in->at >= 5 && in->v + in->n <= m->words + m->count);
        assert_true(in->type < m->bound && in->result < m->bound);
        if (in->result)
            assert_ptr_equal(spv_def(m, in->result), in);
    }
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *block = &m->blocks[b];
        assert_int_equal(m->insts[block->first].op, SpvOpLabel);
        assert_true(block->first < block->last && block->last < m->inst_count);
        assert_int_equal(m->block_of[block->label], b);
    }
    for (uint32_t k = 0; k < m->function_count; k++)
        assert_true(m->functions[k].block_first + m->functions[k].block_count <= m->block_count);
}

static void survives_truncation(void **state)
{
    struct fixture *f = *state;
    uint32_t *words;
    size_t count, whole = 0;
    struct spv_module m;
    sample(f, &words, &count, &m);
    for (size_t n = 0; n < count; n++) {
        // A copy of just that size, so that sanitizers see every step too far.
        struct arena a = {0};
        struct err e = {{0}};
        uint32_t *cut = arena_copy(&a, words, n * sizeof *words);
        if (spv_module_read(&a, cut, n, &m, &e)) {
            holds(&m);
            whole++;
        } else {
            assert_true(e.msg[0] && !strchr(e.msg, '\n'));
        }
        arena_free(&a);
    }
    // Whole at the end of each instruction before the functions, and after the first one.
    assert_int_equal(whole, 24);
}

static void survives_mutation(void **state)
{
    struct fixture *f = *state;
    static const uint32_t values[] = {0,          1,          2,          31,         32,
                                      0x10000,    0x1ffff,    0x2003d,    0x40001,    0x7fffffff,
                                      0x80000000, 0xfffeffff, 0xffff0000, 0xffffffff, 0x000500f7};
    uint32_t *words;
    size_t count, whole = 0, refused = 0;
    struct spv_module m;
    sample(f, &words, &count, &m);
    for (size_t at = 0; at < count; at++) {
        for (size_t k = 0; k < sizeof values / sizeof *values + 32; k++) {
            struct arena a = {0};
            struct err e = {{0}};
            uint32_t *bad = arena_copy(&a, words, count * sizeof *words);
            bad[at] = k < 32 ? bad[at] ^ 1u << k : values[k - 32];
            if (spv_module_read(&a, bad, count, &m, &e)) {
                holds(&m);
                whole++;
            } else {
                assert_true(e.msg[0] && !strchr(e.msg, '\n'));
                refused++;
            }
            arena_free(&a);
        }
    }
    assert_true(whole > 1000 && refused > 4000);
}

// Opaque instructions: the OpenCL debug sets put literals where ids would be.
static void takes_debug_info(void **state)
{
    struct fixture *f = *state;
    size_t count;
    struct spv_module m;
    struct err e = {{0}};
    uint32_t *words = assembled(f,
                                "OpCapability Shader\n%1 = OpExtInstImport "
                                "\"OpenCL.DebugInfo.100\"\nOpMemoryModel Logical GLSL450\n"
                                "%2 = OpString \"a\"\n%3 = OpTypeVoid\n"
                                "%4 = OpExtInst %3 %1 DebugSource %2\n"
                                "%5 = OpExtInst %3 %1 DebugCompilationUnit 0 0 %4 HLSL\n",
                                &count);
    assert_true(spv_module_read(&f->arena, words, count, &m, &e));
    const struct spv_inst *import = nth(&m, SpvOpExtInstImport, 0);
    words[import->at + 2] ^= 1; // another set: now they have to be ids
    assert_false(spv_module_read(&f->arena, words, count, &m, &e));
}

// The operands of image operands are ids, too.
static void refuses_image_operands(void **state)
{
    struct fixture *f = *state;
    size_t count;
    struct spv_module m;
    struct err e = {{0}};
    uint32_t *words = assembled(f,
                                "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                                "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeFloat 32\n"
                                "%4 = OpTypeVector %3 4\n%5 = OpTypeInt 32 0\n"
                                "%6 = OpConstant %5 0\n%7 = OpTypeImage %3 2D 0 0 0 1 Unknown\n"
                                "%8 = OpUndef %7\n%9 = OpFunction %1 None %2\n%10 = OpLabel\n"
                                "%11 = OpImageFetch %4 %8 %6 Lod %6\nOpReturn\nOpFunctionEnd\n",
                                &count);
    assert_true(spv_module_read(&f->arena, words, count, &m, &e));
    const uint32_t at = nth(&m, SpvOpImageFetch, 0)->at;
    words[at + 6] = 357641600;
    assert_false(spv_module_read(&f->arena, words, count, &m, &e));
    char want[200];
    snprintf(want, sizeof want, "word %u: OpImageFetch names id 357641600, ids are 1 .. %u here",
             at + 6, m.bound - 1);
    assert_string_equal(e.msg, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_structure),   cmocka_unit_test(knows_opcodes),
        cmocka_unit_test(refuses_headers),   cmocka_unit_test(refuses_instructions),
        cmocka_unit_test(refuses_nesting),   cmocka_unit_test(survives_truncation),
        cmocka_unit_test(survives_mutation), cmocka_unit_test(takes_debug_info),
        cmocka_unit_test(refuses_image_operands),
    };
    return cmocka_run_group_tests_name("spv_module", tests, fixture_up, fixture_down);
}
