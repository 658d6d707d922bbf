// SPDX-License-Identifier: Apache-2.0
//
// The modules of test_orc_group_literal.c: one for each type and number of components, which does
// all group operations that there are for it, one after the other, in the invocations that its
// input calls active, and writes each result. The others have their operands, too.
#ifndef TF_TEST_ORC_GROUP_MODULE_H
#define TF_TEST_ORC_GROUP_MODULE_H

#include "oracle/oracle.h"
#include "test_orc_group_literal.h"

#include <stdio.h>

enum {
    INVOCATIONS = 150, // of the one workgroup: a partial subgroup for each size
    CALLS_MAX = 200,
    // An invocation's words of input.
    IN_ACTIVE = 0, IN_INDEX, IN_INDEX_SHIFT, IN_UNIFORM, IN_BALLOT, IN_BALLOT_SHIFT = IN_BALLOT + 4,
    IN_PARTITION, IN_PARTITION_SHIFT = IN_PARTITION + 4, IN_UNIFORM_BALLOT,
    IN_VALUE = IN_UNIFORM_BALLOT + 4, // low word, high word, shift, for each component
    IN_WORDS = IN_VALUE + 3 * COMPONENTS
};

typedef bool defining(struct question *q, uint64_t *result);
enum result_kind { SAME, ONE_BOOL, ONE_U32, FOUR_U32 };

// One group operation of a module.
struct call {
    const char *name;
    const struct operation *op; // of arithmetic
    const struct form *form;
    unsigned constant;
    defining *definition;
    enum result_kind result;
    char operands[64];
    uint32_t slot; // of its first word of output
};

struct module {
    const struct element *element;
    unsigned components;
    struct call calls[CALLS_MAX];
    uint32_t count, slots;
    struct orc_program *program;
    struct spv_case c;
};

// ---- the calls of a module ------------------------------------------------------------

static unsigned result_components(const struct module *m, const struct call *c)
{
    return c->result == SAME ? m->components : c->result == FOUR_U32 ? 4 : 1;
}
static unsigned result_width(const struct module *m, const struct call *c)
{
    return c->result == SAME ? m->element->width : c->result == ONE_BOOL ? 1 : 32;
}

static void add(struct module *m, struct call call, const char *operands)
{
    assert_true(m->count < CALLS_MAX);
    struct call *c = &m->calls[m->count++];
    *c = call;
    c->slot = m->slots;
    snprintf(c->operands, sizeof c->operands, "%s", operands);
    m->slots += result_components(m, c) * (result_width(m, c) == 64 ? 2 : 1);
}
static void add_plain(struct module *m, const char *name, defining *by, enum result_kind result,
                      const char *operands)
{
    add(m, (struct call){.name = name, .definition = by, .result = result}, operands);
}

static void add_arithmetic(struct module *m, const struct operation *op)
{
    char operands[64];
    struct call c = {.name = op->name, .op = op, .definition = arithmetic, .result = SAME};
    for (unsigned k = 0; k < CLUSTERED; k++) {
        c.form = &forms[k];
        snprintf(operands, sizeof operands, "%%k3 %s %%x%s", c.form->name, k < PARTITIONED ? "" : " %p");
        add(m, c, operands);
    }
    c.form = &forms[CLUSTERED];
    for (c.constant = 1; c.constant <= 128; c.constant *= m->components > 1 ? 8 : 2) {
        snprintf(operands, sizeof operands, "%%k3 ClusteredReduce %%x %%k%u", c.constant);
        add(m, c, operands);
    }
}

static void add_moves(struct module *m)
{
    add_plain(m, "Broadcast", broadcast, SAME, "%k3 %x %uniform");
    add_plain(m, "BroadcastFirst", broadcast_first, SAME, "%k3 %x");
    add_plain(m, "Shuffle", shuffle, SAME, "%k3 %x %index");
    add_plain(m, "ShuffleXor", shuffle_xor, SAME, "%k3 %x %index");
    add_plain(m, "ShuffleUp", shuffle_up, SAME, "%k3 %x %index");
    add_plain(m, "ShuffleDown", shuffle_down, SAME, "%k3 %x %index");
    add_plain(m, "RotateKHR", rotate, SAME, "%k3 %x %uniform");
    add_plain(m, "QuadBroadcast", quad_broadcast, SAME, "%k3 %x %uniform");
    char operands[64];
    struct call c = {.name = "RotateKHR", .definition = rotate, .result = SAME};
    for (c.constant = 1; c.constant <= 128; c.constant *= 2) {
        snprintf(operands, sizeof operands, "%%k3 %%x %%uniform %%k%u", c.constant);
        add(m, c, operands);
    }
    c = (struct call){.name = "QuadSwap", .definition = quad_swap, .result = SAME};
    for (c.constant = 0; c.constant < 3; c.constant++) {
        snprintf(operands, sizeof operands, "%%k3 %%x %%k%u", c.constant);
        add(m, c, operands);
    }
    add_plain(m, "AllEqual", all_equal, ONE_BOOL, "%k3 %x");
    add_plain(m, "PartitionNV", partition, FOUR_U32, "%x");
}

static void add_votes(struct module *m)
{
    add_plain(m, "Elect", elect, ONE_BOOL, "%k3");
    add_plain(m, "All", all, ONE_BOOL, "%k3 %x");
    add_plain(m, "Any", any, ONE_BOOL, "%k3 %x");
    add_plain(m, "QuadAllKHR", quad_all, ONE_BOOL, "%x");
    add_plain(m, "QuadAnyKHR", quad_any, ONE_BOOL, "%x");
    add_plain(m, "Ballot", ballot, FOUR_U32, "%k3 %x");
    add_plain(m, "InverseBallot", inverse_ballot, ONE_BOOL, "%k3 %uniform_ballot");
    add_plain(m, "BallotBitExtract", bit_extract, ONE_BOOL, "%k3 %ballot %index");
    for (unsigned k = 0; k < PARTITIONED; k++) {
        char operands[64];
        snprintf(operands, sizeof operands, "%%k3 %s %%ballot", forms[k].name);
        add(m, (struct call){.name = "BallotBitCount", .form = &forms[k], .definition = bit_count,
                             .result = ONE_U32}, operands);
    }
    add_plain(m, "BallotFindLSB", find_lsb, ONE_U32, "%k3 %ballot");
    add_plain(m, "BallotFindMSB", find_msb, ONE_U32, "%k3 %ballot");
}

static void add_all(struct module *m)
{
    for (unsigned k = 0; k < sizeof operations / sizeof *operations; k++)
        if (operations[k].kind == m->element->kind)
            add_arithmetic(m, &operations[k]);
    add_moves(m);
    if (m->element->kind == BOOL && m->components == 1)
        add_votes(m);
}

// ---- its words ---------------------------------------------------------------------------

static const char head[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
    "OpCapability Float16\nOpCapability Float64\nOpCapability GroupNonUniform\n"
    "OpCapability GroupNonUniformVote\nOpCapability GroupNonUniformArithmetic\n"
    "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n"
    "OpCapability GroupNonUniformShuffleRelative\nOpCapability GroupNonUniformClustered\n"
    "OpCapability GroupNonUniformQuad\nOpCapability GroupNonUniformRotateKHR\n"
    "OpCapability GroupNonUniformPartitionedNV\nOpCapability QuadControlKHR\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_KHR_subgroup_rotate\"\n"
    "OpExtension \"SPV_KHR_quad_control\"\n"
    "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %me_var %in %out\n"
    "OpExecutionMode %main LocalSize 150 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %me_var BuiltIn LocalInvocationIndex\n"
    "OpDecorate %in_row ArrayStride 4\nOpDecorate %in_rows ArrayStride 120\n"
    "OpDecorate %out_row ArrayStride 4\nOpDecorate %out_rows ArrayStride 600\n"
    "OpDecorate %in_block Block\nOpMemberDecorate %in_block 0 Offset 0\n"
    "OpDecorate %out_block Block\nOpMemberDecorate %out_block 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
    "%uvec2 = OpTypeVector %u32 2\n%uvec4 = OpTypeVector %u32 4\n";

static const char types[] =
    "%in_row = OpTypeArray %u32 %k30\n%in_rows = OpTypeRuntimeArray %in_row\n"
    "%in_block = OpTypeStruct %in_rows\n%in_ptr = OpTypePointer StorageBuffer %in_block\n"
    "%out_row = OpTypeArray %u32 %k150\n%out_rows = OpTypeRuntimeArray %out_row\n"
    "%out_block = OpTypeStruct %out_rows\n%out_ptr = OpTypePointer StorageBuffer %out_block\n"
    "%word_ptr = OpTypePointer StorageBuffer %u32\n%me_ptr = OpTypePointer Input %u32\n"
    "%in = OpVariable %in_ptr StorageBuffer\n%out = OpVariable %out_ptr StorageBuffer\n"
    "%me_var = OpVariable %me_ptr Input\n"
    "%main = OpFunction %void None %fn\n%start = OpLabel\n%me = OpLoad %u32 %me_var\n";

_Static_assert(IN_WORDS == 30 && INVOCATIONS == 150, "as the module's text has it");

// A word of input; with `shift`, undefined where that word is not below 32.
static void load(struct text *t, const char *name, unsigned word, unsigned shift)
{
    text_add(t, "%%%sp = OpAccessChain %%word_ptr %%in %%k0 %%me %%k%u\n", name, word);
    text_add(t, "%%%s%s = OpLoad %%u32 %%%sp\n", name, shift ? "d" : "", name);
    if (!shift)
        return;
    text_add(t, "%%%ssp = OpAccessChain %%word_ptr %%in %%k0 %%me %%k%u\n", name, shift);
    text_add(t, "%%%ss = OpLoad %%u32 %%%ssp\n", name, name);
    text_add(t, "%%%s = OpShiftLeftLogical %%u32 %%%sd %%%ss\n", name, name, name);
}

static void load_ballot(struct text *t, const char *name, unsigned word, unsigned shift)
{
    char part[32];
    for (unsigned k = 0; k < 4; k++) {
        snprintf(part, sizeof part, "%s_%u", name, k);
        load(t, part, word + k, k ? 0 : shift);
    }
    text_add(t, "%%%s = OpCompositeConstruct %%uvec4 %%%s_0 %%%s_1 %%%s_2 %%%s_3\n", name, name, name,
             name, name);
}

// A component of %x out of words, undefined where its shift is too large.
static void load_value(struct text *t, const struct element *e, unsigned k)
{
    char low[8], high[8], shift[8];
    const unsigned at = IN_VALUE + 3 * k;
    snprintf(low, sizeof low, "lo%u", k);
    snprintf(high, sizeof high, "hi%u", k);
    snprintf(shift, sizeof shift, "sh%u", k);
    load(t, low, at, 0);
    load(t, high, at + 1, 0);
    load(t, shift, at + 2, 0);
    unsigned bits = e->kind == BOOL ? 32 : e->width;
    if (bits == 64)
        text_add(t, "%%two%u = OpCompositeConstruct %%uvec2 %%%s %%%s\n%%n%u = OpBitcast %%u64 %%two%u\n",
                 k, low, high, k, k);
    else if (bits == 32)
        text_add(t, "%%n%u = OpCopyObject %%u32 %%%s\n", k, low);
    else
        text_add(t, "%%n%u = OpUConvert %%u%u %%%s\n", k, bits, low);
    text_add(t, "%%d%u = OpShiftLeftLogical %%u%u %%n%u %%%s\n", k, bits, k, shift);
    if (e->kind == BOOL)
        text_add(t, "%%x%u = OpINotEqual %%bool %%d%u %%k0\n", k, k);
    else
        text_add(t, "%%x%u = %s %%%s %%d%u\n", k, e->kind == FLOAT ? "OpBitcast" : "OpCopyObject",
                 e->name, k);
}

static void store(struct text *t, uint32_t slot, const char *name, unsigned n, unsigned k)
{
    text_add(t, "%%to%u = OpAccessChain %%word_ptr %%out %%k0 %%k%u %%me\nOpStore %%to%u %%%s%u_%u\n",
             slot, slot, slot, name, n, k);
}

// A component of the result of call `n`, as words.
static void store_result(struct text *t, const struct module *m, uint32_t n, unsigned k)
{
    const struct call *c = &m->calls[n];
    const char *type = c->result == SAME ? m->element->name : c->result == ONE_BOOL ? "bool" : "u32";
    unsigned width = result_width(m, c);
    uint32_t slot = c->slot + k * (width == 64 ? 2 : 1);
    if (result_components(m, c) > 1)
        text_add(t, "%%c%u_%u = OpCompositeExtract %%%s %%r%u %u\n", n, k, type, n, k);
    else
        text_add(t, "%%c%u_%u = OpCopyObject %%%s %%r%u\n", n, k, type, n);
    if (width == 1)
        text_add(t, "%%w%u_%u = OpSelect %%u32 %%c%u_%u %%k1 %%k0\n", n, k, n, k);
    else if (*type == 'f' || width == 64)
        text_add(t, "%%b%u_%u = OpBitcast %%%s%u %%c%u_%u\n", n, k, width == 64 ? "uvec" : "u",
                 width == 64 ? 2 : width, n, k);
    else
        text_add(t, "%%b%u_%u = OpCopyObject %%%s %%c%u_%u\n", n, k, type, n, k);
    if (width == 64) {
        text_add(t, "%%w%u_%u = OpCompositeExtract %%u32 %%b%u_%u 0\n", n, k, n, k);
        text_add(t, "%%v%u_%u = OpCompositeExtract %%u32 %%b%u_%u 1\n", n, k, n, k);
        store(t, slot + 1, "v", n, k);
    } else if (width > 1)
        text_add(t, "%%w%u_%u = %s %%u32 %%b%u_%u\n", n, k, width == 32 ? "OpCopyObject" : "OpUConvert",
                 n, k);
    store(t, slot, "w", n, k);
}

// The module of the calls that were added.
static void make_module(struct module *m, struct arena *a, struct spv_tools *tools)
{
    struct text t = {.arena = a};
    struct err e;
    struct orc_why why;
    const char *one = m->element->name;
    text_add(&t, "%s", head);
    for (uint32_t k = 0; k < m->slots || k <= INVOCATIONS; k++)
        text_add(&t, "%%k%u = OpConstant %%u32 %u\n", k, k);
    const char *many = m->element->width == 32 && m->element->kind == UINT && m->components != 3
                           ? m->components == 2 ? "uvec2" : "uvec4"
                           : "many";
    if (m->components > 1 && *many == 'm')
        text_add(&t, "%%many = OpTypeVector %%%s %u\n", one, m->components);
    text_add(&t, "%s", types);
    load(&t, "active", IN_ACTIVE, 0);
    load(&t, "index", IN_INDEX, IN_INDEX_SHIFT);
    load(&t, "uniform", IN_UNIFORM, 0);
    load_ballot(&t, "ballot", IN_BALLOT, IN_BALLOT_SHIFT);
    load_ballot(&t, "p", IN_PARTITION, IN_PARTITION_SHIFT);
    load_ballot(&t, "uniform_ballot", IN_UNIFORM_BALLOT, 0);
    for (unsigned k = 0; k < m->components; k++)
        load_value(&t, m->element, k);
    text_add(&t, "%%x = %s %%%s", m->components > 1 ? "OpCompositeConstruct" : "OpCopyObject",
             m->components > 1 ? many : one);
    for (unsigned k = 0; k < m->components; k++)
        text_add(&t, " %%x%u", k);
    text_add(&t, "\n%%on = OpINotEqual %%bool %%active %%k0\nOpSelectionMerge %%merge None\n"
                 "OpBranchConditional %%on %%then %%merge\n%%then = OpLabel");
    for (uint32_t n = 0; n < m->count; n++) {
        const struct call *c = &m->calls[n];
        text_add(&t, "\n%%r%u = OpGroupNonUniform%s %%%s %s\n", n, c->name,
                 c->result == ONE_BOOL   ? "bool"
                 : c->result == ONE_U32  ? "u32"
                 : c->result == FOUR_U32 ? "uvec4"
                 : m->components > 1     ? many
                                         : one,
                 c->operands);
        for (unsigned k = 0; k < result_components(m, c); k++)
            store_result(&t, m, n, k);
    }
    text_add(&t, "OpBranch %%merge\n%%merge = OpLabel\nOpReturn\nOpFunctionEnd\n");
    m->c = (struct spv_case){.groups = {1, 1, 1}, .buffer_count = 2, .model = SPV_MAXIMAL};
    if (!spv_assemble(tools, a, t.v, t.n, 1, &m->c.words, &m->c.count, &e) ||
        !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, m->c.words, m->c.count, &e))
        fail_msg("%s x %u: %s", one, m->components, e.msg);
    m->c.buffer[0] = (struct spv_buffer){.binding = 0, .count = IN_WORDS * INVOCATIONS};
    m->c.buffer[0].words = ARENA_ARRAY(a, uint32_t, m->c.buffer[0].count);
    m->c.buffer[1] = (struct spv_buffer){.binding = 1, .count = m->slots * INVOCATIONS};
    m->c.buffer[1].words = ARENA_ARRAY(a, uint32_t, m->c.buffer[1].count);
    m->program = orc_load(a, &m->c, &why);
    if (!m->program)
        fail_msg("%s x %u: %s", one, m->components, why.text);
}

#endif
