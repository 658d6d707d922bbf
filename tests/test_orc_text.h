// SPDX-License-Identifier: Apache-2.0
//
// What the table tests of the oracle's language share: a row is a few lines of
// assembly between two loads and a store, with inputs and results by hand.
//
// The module reads %x = in[lane] and %y = in[8 + lane], has them as floats (%fx,
// %fy, the bits), runs the row's lines in the lanes of `active`, and writes %r, a u32.
#ifndef TF_TEST_ORC_TEXT_H
#define TF_TEST_ORC_TEXT_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "oracle/oracle.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 8 };
#define U 0xdeadc0deu // in the tables: no bit may be compared; no result has this value

// Rows leave out what they do not need.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct row {
    const char *name;
    const char *code;
    uint32_t a[LANES], b[LANES], r[LANES];
    lane_mask active;        // 0: all eight
    const char *annotations; // NULL: none
    const char *globals;
    const char *imports, *names, *interface; // NULL: none
    const char *modes;     // of execution; NULL: eight in a row, maximal reconvergence
    const char *functions; // behind main
    const char *refused;     // the run must end so: "E-race", or text of the message
    uint32_t push[4], push_count;  // push constants
    uint32_t spec_id, spec_value;  // one specialisation constant, when spec_id is not 0
    uint32_t more[16], more_count; // a buffer of its own, 0:2
    uint32_t more_elements;        // it is an array of so many buffers
    bool more_addressed;           // it is what addresses point to (SPV_ADDRESS_SET)
    uint32_t after[16];            // what it must hold, where `checks_more`; U as in r
    bool checks_more;
    bool is_invalid; // spirv-val may refuse the module
    const char *capabilities, *model; // NULL: no more of them, Logical GLSL450
    bool assumed; // taken to declare what its model asks for (orc_load_assumed)
};

static const char text_head[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
    "OpCapability Float16\nOpCapability Float64\nOpCapability Int64Atomics\n"
    "OpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
    "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformBallot\n"
    "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformShuffleRelative\n"
    "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformQuad\n"
    "OpCapability GroupNonUniformRotateKHR\nOpCapability GroupNonUniformPartitionedNV\n"
    "OpCapability DotProduct\nOpCapability DotProductInputAll\n"
    "OpCapability DotProductInput4x8Bit\nOpCapability DotProductInput4x8BitPacked\n"
    "OpCapability ExpectAssumeKHR\n"
    "OpCapability AtomicFloat32AddEXT\nOpCapability AtomicFloat32MinMaxEXT\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_add\"\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_KHR_subgroup_rotate\"\n"
    "OpExtension \"SPV_KHR_expect_assume\"\nOpExtension \"SPV_NV_shader_subgroup_partitioned\"\n"
    "OpExtension \"SPV_KHR_non_semantic_info\"\n"
    "%glsl = OpExtInstImport \"GLSL.std.450\"\n";

#define TEXT_MODEL "OpMemoryModel Logical GLSL450\n"
static const char text_entry[] = TEXT_MODEL
    "OpEntryPoint GLCompute %main \"main\" %lane_var %in %out %shared";

static const char text_modes[] =
    "\nOpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\n";

static const char text_annotations[] =
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
    "OpDecorate %in Coherent\nOpDecorate %out Coherent\n"
    "OpDecorate %lane_var BuiltIn LocalInvocationIndex\n";

static const char text_types[] =
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%u8 = OpTypeInt 8 0\n%i8 = OpTypeInt 8 1\n%u16 = OpTypeInt 16 0\n%i16 = OpTypeInt 16 1\n"
    "%u32 = OpTypeInt 32 0\n%i32 = OpTypeInt 32 1\n%u64 = OpTypeInt 64 0\n%i64 = OpTypeInt 64 1\n"
    "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
    "%bvec2 = OpTypeVector %bool 2\n"
    "%uvec2 = OpTypeVector %u32 2\n%uvec4 = OpTypeVector %u32 4\n%ivec2 = OpTypeVector %i32 2\n"
    "%u8vec4 = OpTypeVector %u8 4\n%i8vec4 = OpTypeVector %i8 4\n%u16vec2 = OpTypeVector %u16 2\n"
    "%u16vec4 = OpTypeVector %u16 4\n"
    "%hvec2 = OpTypeVector %f16 2\n%vec2 = OpTypeVector %f32 2\n%vec4 = OpTypeVector %f32 4\n"
    "%dvec2 = OpTypeVector %f64 2\n%mat2 = OpTypeMatrix %vec2 2\n"
    "%uu = OpTypeStruct %u32 %u32\n%ff = OpTypeStruct %f32 %f32\n%fi = OpTypeStruct %f32 %i32\n"
    "%u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u2 = OpConstant %u32 2\n"
    "%u3 = OpConstant %u32 3\n%u4 = OpConstant %u32 4\n%u5 = OpConstant %u32 5\n"
    "%u8c = OpConstant %u32 8\n%u16c = OpConstant %u32 16\n%u264 = OpConstant %u32 264\n"
    "%u72 = OpConstant %u32 72\n"
    "%f0 = OpConstant %f32 0\n%f1 = OpConstant %f32 1\n%f2 = OpConstant %f32 2\n"
    "%f3 = OpConstant %f32 3\n"
    "%h1 = OpConstant %f16 1\n%d1 = OpConstant %f64 1\n"
    "%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n"
    "%null2 = OpConstantNull %uvec2\n"
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%word_ptr = OpTypePointer StorageBuffer %u32\n"
    "%in_ptr = OpTypePointer Input %u32\n%u32_fn_ptr = OpTypePointer Function %u32\n"
    "%shared_words = OpTypeArray %u32 %u8c\n%shared_ptr = OpTypePointer Workgroup %shared_words\n"
    "%shared_word_ptr = OpTypePointer Workgroup %u32\n"
    "%in = OpVariable %block_ptr StorageBuffer\n%out = OpVariable %block_ptr StorageBuffer\n"
    "%lane_var = OpVariable %in_ptr Input\n%shared = OpVariable %shared_ptr Workgroup\n";

static const char text_body[] =
    "%main = OpFunction %void None %fn\n%start = OpLabel\n"
    "%local = OpVariable %u32_fn_ptr Function\n%local2 = OpVariable %u32_fn_ptr Function\n"
    "%lane = OpLoad %u32 %lane_var\n%lane8 = OpIAdd %u32 %lane %u8c\n"
    "%bits = OpShiftRightLogical %u32 %active %lane\n%bit = OpBitwiseAnd %u32 %bits %u1\n"
    "%on = OpIEqual %bool %bit %u1\n"
    "%px = OpAccessChain %word_ptr %in %u0 %lane\n%py = OpAccessChain %word_ptr %in %u0 %lane8\n"
    "%pr = OpAccessChain %word_ptr %out %u0 %lane\n"
    "OpSelectionMerge %merge None\nOpBranchConditional %on %then %merge\n%then = OpLabel\n"
    "%x = OpLoad %u32 %px\n%y = OpLoad %u32 %py\n"
    "%fx = OpBitcast %f32 %x\n%fy = OpBitcast %f32 %y\n";

static const char text_tail[] =
    "OpStore %pr %r\nOpBranch %merge\n%merge = OpLabel\nOpReturn\nOpFunctionEnd\n";

// The case of a row: 0:0 holds a and b, the results go to 0:1.
static void row_case(struct spv_tools *tools, struct arena *arena, const struct row *row, struct spv_case *c)
{
    struct err e;
    *c = (struct spv_case){.groups = {1, 1, 1}, .subgroup = LANES, .buffer_count = 2};
    lane_mask active = row->active ? row->active : 0xff;
    char text[65536], active_text[64];
    const char *parts[] = {
        row->capabilities, text_head, row->imports, row->model ? row->model : TEXT_MODEL, text_entry + strlen(TEXT_MODEL), row->interface,
        row->modes ? row->modes : text_modes, row->names,
        text_annotations, row->annotations, text_types, active_text, row->globals, text_body,
        row->code, text_tail, row->functions,
    };
    size_t n = 0;
    snprintf(active_text, sizeof active_text, "%%active = OpConstant %%u32 %u\n", (unsigned)active);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (const char *p = parts[k]; p && *p; p++) {
            assert_true(n < sizeof text);
            text[n++] = *p;
        }
    if (!spv_assemble(tools, arena, text, n, 1, &c->words, &c->count, &e))
        fail_msg("%s: %s", row->name, e.msg);
    if (!row->is_invalid && !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c->words, c->count, &e))
        fail_msg("%s: %s", row->name, e.msg);
    c->buffer[0] = (struct spv_buffer){.binding = 0, .count = 2 * LANES};
    c->buffer[0].words = ARENA_ARRAY(arena, uint32_t, 2 * LANES);
    memcpy(c->buffer[0].words, row->a, sizeof row->a);
    memcpy(c->buffer[0].words + LANES, row->b, sizeof row->b);
    c->buffer[1] = (struct spv_buffer){.binding = 1, .count = LANES};
    c->buffer[1].words = ARENA_ARRAY(arena, uint32_t, LANES);
    if (row->more_count) {
        c->buffer_count = 3;
        c->buffer[2] = (struct spv_buffer){.binding = 2, .count = row->more_count, .elements = row->more_elements};
        if (row->more_addressed)
            c->buffer[2].set = SPV_ADDRESS_SET, c->buffer[2].binding = 0;
        c->buffer[2].words = ARENA_ARRAY(arena, uint32_t, row->more_count);
        memcpy(c->buffer[2].words, row->more, row->more_count * sizeof *row->more);
    }
    memcpy(c->push, row->push, sizeof row->push);
    c->push_count = row->push_count;
    if (row->spec_id) {
        c->spec_count = 1;
        c->spec[0] = (struct spv_spec){.id = row->spec_id, .value = row->spec_value, .type = "u32"};
    }
}

static inline void predict_assumed(struct arena *a, const struct spv_case *c, const struct orc_options *o, struct orc_result *r)
{
    struct orc_why why;
    struct orc_program *p = orc_load_assumed(a, c, &why);
    if (p)
        orc_run(p, a, c, 0, o, r);
    else
        *r = (struct orc_result){.why = why};
}

// Lanes that are not active keep 0; `memory` gets all words of the output.
static inline void check_row(struct spv_tools *tools, const struct row *row)
{
    struct arena arena = {0};
    struct spv_case c;
    struct orc_result r;
    lane_mask active = row->active ? row->active : 0xff;
    row_case(tools, &arena, row, &c);
    for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
        struct orc_options o = {.machine = (enum orc_machine)machine};
        if (row->assumed)
            predict_assumed(&arena, &c, &o, &r);
        else
            orc_predict(&arena, &c, 0, &o, &r);
        if (row->refused) {
            if (!strstr(r.why.text, row->refused) && strcmp(r.why.rule, row->refused) != 0)
                fail_msg("%s: got '%s', expected '%s'", row->name, r.why.text, row->refused);
            if (r.memory) // it ends there
                fail_msg("%s: it leaves memory behind", row->name);
            continue;
        }
        if (r.why.status != RAN_OK)
            fail_msg("%s: %s", row->name, r.why.text);
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX;
            uint32_t want = lane_in(active, l) ? row->r[l] : 0;
            if (want == U ? mask != 0 || r.memory[1].words[l] : mask != UINT32_MAX || r.memory[1].words[l] != want)
                fail_msg("%s, lane %u: got 0x%x (mask 0x%x), expected 0x%x", row->name, l,
                         r.memory[1].words[l], mask, want);
        }
        for (uint32_t w = 0; row->checks_more && w < row->more_count; w++) {
            uint32_t mask = r.memory[2].mask ? r.memory[2].mask[w] : UINT32_MAX;
            uint32_t want = row->after[w];
            if (want == U ? mask != 0 || r.memory[2].words[w] : mask != UINT32_MAX || r.memory[2].words[w] != want)
                fail_msg("%s, word %u: got 0x%x (mask 0x%x), expected 0x%x", row->name, w,
                         r.memory[2].words[w], mask, want);
        }
    }
    arena_free(&arena);
}

static inline void check_rows(const struct row *rows, size_t n)
{
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < n; k++)
        check_row(tools, &rows[k]);
    spv_tools_free(tools);
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

#endif
