// SPDX-License-Identifier: Apache-2.0
//
// Dispatches: every built-in of every invocation against its sentence in the Vulkan specification, in one, two and three
// dimensions, with several workgroups, subgroups that are not full and lanes that a device numbered otherwise; dispatches that
// no machine should be asked for, and bindings that do not fit.
#include "test_orc_text.h"

#include "oracle/trace.h"

// ---- built-ins --------------------------------------------------------------------------------

// An invocation's row: four vectors of three, five numbers, five masks of four words.
enum { VECTORS = 4, NUMBERS = 5, MASKS = 5, NUMBERS_AT = 3 * VECTORS, MASKS_AT = NUMBERS_AT + NUMBERS, ROW = MASKS_AT + 4 * MASKS };

static const char builtins_head[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability SubgroupBallotKHR\nOpExtension \"SPV_KHR_shader_ballot\"\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %v0 %v1 %v2 %v3 %n0 %n1 %n2 %n3 %n4 %m0 %m1 %m2 %m3 %m4 %out\n"
    "OpExecutionMode %main LocalSize ";
static const char builtins_body[] =
    "OpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %v0 BuiltIn WorkgroupId\nOpDecorate %v1 BuiltIn NumWorkgroups\n"
    "OpDecorate %v2 BuiltIn LocalInvocationId\nOpDecorate %v3 BuiltIn GlobalInvocationId\n"
    "OpDecorate %n0 BuiltIn LocalInvocationIndex\nOpDecorate %n1 BuiltIn SubgroupId\nOpDecorate %n2 BuiltIn NumSubgroups\n"
    "OpDecorate %n3 BuiltIn SubgroupSize\nOpDecorate %n4 BuiltIn SubgroupLocalInvocationId\n"
    "OpDecorate %m0 BuiltIn SubgroupEqMask\nOpDecorate %m1 BuiltIn SubgroupGeMask\nOpDecorate %m2 BuiltIn SubgroupGtMask\n"
    "OpDecorate %m3 BuiltIn SubgroupLeMask\nOpDecorate %m4 BuiltIn SubgroupLtMask\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%uvec3 = OpTypeVector %u32 3\n%uvec4 = OpTypeVector %u32 4\n"
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n%to_block = OpTypePointer StorageBuffer %block\n"
    "%to_word = OpTypePointer StorageBuffer %u32\n%in1 = OpTypePointer Input %u32\n%in3 = OpTypePointer Input %uvec3\n%in4 = OpTypePointer Input %uvec4\n"
    "%out = OpVariable %to_block StorageBuffer\n"
    "%v0 = OpVariable %in3 Input\n%v1 = OpVariable %in3 Input\n%v2 = OpVariable %in3 Input\n%v3 = OpVariable %in3 Input\n"
    "%n0 = OpVariable %in1 Input\n%n1 = OpVariable %in1 Input\n%n2 = OpVariable %in1 Input\n%n3 = OpVariable %in1 Input\n%n4 = OpVariable %in1 Input\n"
    "%m0 = OpVariable %in4 Input\n%m1 = OpVariable %in4 Input\n%m2 = OpVariable %in4 Input\n%m3 = OpVariable %in4 Input\n%m4 = OpVariable %in4 Input\n"
    "%u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u2 = OpConstant %u32 2\n%u264 = OpConstant %u32 264\n%row = OpConstant %u32 37\n";

struct dispatch {
    uint32_t size[3], groups[3], subgroup;
};

// All built-ins of each invocation, to the row of its workgroup and LocalInvocationIndex.
static void builtins_case(struct spv_tools *tools, struct arena *a, const struct dispatch *d, bool barrier, struct spv_case *c)
{
    struct text t = {.arena = a};
    struct err e;
    text_add(&t, "%s%u %u %u\n%s", builtins_head, d->size[0], d->size[1], d->size[2], builtins_body);
    for (uint32_t k = 0; k < ROW; k++)
        text_add(&t, "%%at%u = OpConstant %%u32 %u\n", k, k);
    text_add(&t, "%%n = OpConstant %%u32 %u\n%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n", d->size[0] * d->size[1] * d->size[2]);
    for (uint32_t k = 0; k < VECTORS; k++)
        text_add(&t, "%%a%u = OpLoad %%uvec3 %%v%u\n", k, k);
    for (uint32_t k = 0; k < NUMBERS; k++)
        text_add(&t, "%%b%u = OpLoad %%u32 %%n%u\n", k, k);
    for (uint32_t k = 0; k < MASKS; k++)
        text_add(&t, "%%c%u = OpLoad %%uvec4 %%m%u\n", k, k);
    // WorkgroupId, linear, by NumWorkgroups.
    for (uint32_t k = 0; k < 3; k++)
        text_add(&t, "%%g%u = OpCompositeExtract %%u32 %%a0 %u\n%%s%u = OpCompositeExtract %%u32 %%a1 %u\n", k, k, k, k);
    text_add(&t, "%%zy = OpIMul %%u32 %%g2 %%s1\n%%y = OpIAdd %%u32 %%zy %%g1\n%%yx = OpIMul %%u32 %%y %%s0\n%%g = OpIAdd %%u32 %%yx %%g0\n"
                 "%%gn = OpIMul %%u32 %%g %%n\n%%i = OpIAdd %%u32 %%gn %%b0\n%%base = OpIMul %%u32 %%i %%row\n%s",
             barrier ? "OpControlBarrier %u2 %u2 %u264\n" : "");
    for (uint32_t k = 0; k < ROW; k++) {
        if (k < NUMBERS_AT)
            text_add(&t, "%%w%u = OpCompositeExtract %%u32 %%a%u %u\n", k, k / 3, k % 3);
        else if (k >= MASKS_AT)
            text_add(&t, "%%w%u = OpCompositeExtract %%u32 %%c%u %u\n", k, (k - MASKS_AT) / 4, (k - MASKS_AT) % 4);
        const char *value = k >= NUMBERS_AT && k < MASKS_AT ? "b" : "w";
        text_add(&t, "%%o%u = OpIAdd %%u32 %%base %%at%u\n%%p%u = OpAccessChain %%to_word %%out %%u0 %%o%u\nOpStore %%p%u %%%s%u\n", k, k, k, k, k, value,
                 k >= NUMBERS_AT && k < MASKS_AT ? k - NUMBERS_AT : k);
    }
    text_add(&t, "OpReturn\nOpFunctionEnd\n");
    *c = (struct spv_case){.groups = {d->groups[0], d->groups[1], d->groups[2]}, .subgroup = d->subgroup, .buffer_count = 1};
    if (!spv_assemble(tools, a, t.v, t.n, 1, &c->words, &c->count, &e) || !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c->words, c->count, &e))
        fail_msg("%s", e.msg);
    c->buffer[0].count = d->size[0] * d->size[1] * d->size[2] * d->groups[0] * d->groups[1] * d->groups[2] * ROW;
    c->buffer[0].words = ARENA_ARRAY(a, uint32_t, c->buffer[0].count);
}

// What the specification says of invocation (x, y, z) of workgroup (gx, gy, gz), on this lane of this subgroup of so many.
static void builtins_of(const struct dispatch *d, const uint32_t g[3], const uint32_t at[3], uint32_t subgroup, uint32_t subgroups, uint32_t lane, uint32_t row[ROW])
{
    memset(row, 0, ROW * sizeof *row);
    for (int k = 0; k < 3; k++) {
        row[k] = g[k];
        row[3 + k] = d->groups[k];
        row[6 + k] = at[k];
        row[9 + k] = g[k] * d->size[k] + at[k];
    }
    row[NUMBERS_AT] = at[2] * d->size[0] * d->size[1] + at[1] * d->size[0] + at[0];
    row[NUMBERS_AT + 1] = subgroup;
    row[NUMBERS_AT + 2] = subgroups;
    row[NUMBERS_AT + 3] = d->subgroup;
    row[NUMBERS_AT + 4] = lane;
    for (uint32_t l = 0; l < d->subgroup; l++) {
        const bool in[MASKS] = {l == lane, l >= lane, l > lane, l <= lane, l < lane};
        for (uint32_t m = 0; m < MASKS; m++)
            row[MASKS_AT + 4 * m + l / 32] |= (uint32_t)in[m] << l % 32;
    }
}

// How invocation i of a workgroup of n is placed: in order; backwards in its subgroup's place; each a subgroup of its own, but for
// the last two; of odd workgroups otherwise than of even ones.
enum mapping { NO_MAPPING, BACKWARDS, SPREAD, ALTERNATING, MAPPINGS };
static uint32_t placed(enum mapping how, uint32_t group, uint32_t n, uint32_t size, uint32_t i, uint32_t *lane)
{
    if (how == ALTERNATING)
        how = group % 2 ? BACKWARDS : NO_MAPPING;
    if (how == SPREAD) {
        *lane = (i * 5 + 1) % size;
        if (i + 1 == n && n > 1) {
            *lane = (*lane + 1) % size == ((i - 1) * 5 + 1) % size ? *lane : ((i - 1) * 5 + 2) % size;
            return i - 1;
        }
        return i;
    }
    const uint32_t at = how == BACKWARDS ? n - 1 - i : i;
    *lane = at % size;
    return at / size;
}

static const struct dispatch dispatches[] = {
    {{8, 1, 1}, {1, 1, 1}, 8},  {{8, 1, 1}, {5, 1, 1}, 4},   {{4, 2, 1}, {2, 3, 2}, 4}, {{2, 3, 2}, {1, 2, 3}, 8}, {{1, 1, 5}, {3, 1, 2}, 4},
    {{1, 6, 1}, {1, 4, 1}, 2},  {{3, 1, 2}, {1, 1, 7}, 64}, {{70, 1, 1}, {2, 1, 1}, 32}, {{130, 1, 1}, {1, 2, 1}, 128}, {{1, 1, 1}, {2, 2, 2}, 1},
    {{5, 5, 3}, {2, 1, 2}, 16},
};

static void check_builtins(struct spv_tools *tools, const struct dispatch *d, enum mapping how, bool barrier, const struct orc_options *given)
{
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    struct orc_options o = *given;
    builtins_case(tools, &a, d, barrier, &c);
    const uint32_t n = d->size[0] * d->size[1] * d->size[2], groups = d->groups[0] * d->groups[1] * d->groups[2];
    uint32_t *subgroup = ARENA_ARRAY(&a, uint32_t, n * groups), *lane = ARENA_ARRAY(&a, uint32_t, n * groups), most = 0;
    for (uint32_t k = 0; k < n * groups; k++) {
        subgroup[k] = placed(how, k / n, n, d->subgroup, k % n, &lane[k]);
        most = subgroup[k] > most ? subgroup[k] : most;
    }
    const struct orc_lanes lanes = {.invocations = n * groups, .subgroup = subgroup, .lane = lane};
    if (how != NO_MAPPING)
        o.lanes = &lanes;
    orc_predict(&a, &c, 0, &o, &r);
    if (r.why.status != RAN_OK)
        fail_msg("%s", r.why.text);
    for (uint32_t k = 0; k < n * groups; k++) {
        const uint32_t g = k / n, i = k % n;
        const uint32_t at[3] = {i % d->size[0], i / d->size[0] % d->size[1], i / d->size[0] / d->size[1]};
        const uint32_t group[3] = {g % d->groups[0], g / d->groups[0] % d->groups[1], g / d->groups[0] / d->groups[1]};
        uint32_t row[ROW];
        builtins_of(d, group, at, subgroup[k], most + 1, lane[k], row);
        for (uint32_t w = 0; w < ROW; w++)
            if (r.memory[0].words[k * ROW + w] != row[w])
                fail_msg("%u x %u x %u of %u x %u x %u by %u, mapping %d, order %u, invocation %u, word %u: 0x%x, expected 0x%x", d->size[0], d->size[1], d->size[2], d->groups[0],
                         d->groups[1], d->groups[2], d->subgroup, how, o.order, k, w, r.memory[0].words[k * ROW + w], row[w]);
    }
    assert_null(r.memory[0].mask); // all is known
    arena_free(&a);
}

static void test_builtins(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof dispatches / sizeof *dispatches; k++) {
        const struct dispatch *d = &dispatches[k];
        for (enum mapping how = NO_MAPPING; how < MAPPINGS; how++)
            check_builtins(tools, d, how, false, &(struct orc_options){.machine = ORC_MASK});
        check_builtins(tools, d, NO_MAPPING, false, &(struct orc_options){.machine = ORC_TAG});
        check_builtins(tools, d, BACKWARDS, true, &(struct orc_options){.machine = ORC_TAG});
        check_builtins(tools, d, SPREAD, true, &(struct orc_options){.machine = ORC_MASK});
        for (uint32_t order = 1; order <= ORC_ORDERS; order++) // whoever comes first, each has its own
            check_builtins(tools, d, BACKWARDS, order % 2, &(struct orc_options){.order = order});
    }
    spv_tools_free(tools);
}

// ---- several workgroups ---------------------------------------------------------------------------

// %i is the x of GlobalInvocationId, %lane LocalInvocationIndex, of three workgroups of eight; %r goes to out[%i], in[%i] is %i + 100.
enum { GROUPS = 3 };
struct groups {
    const char *name, *globals, *interface, *code;
    uint32_t r[GROUPS * LANES];
    uint32_t subgroup;
    const char *refused;
    uint32_t workgroup, invocation; // where, if it is refused
    uint64_t steps;                 // the limit, if not 0
    enum spv_model model;
    bool backwards;                 // lanes are counted from the last invocation
};
#define NUMBERED(n) {n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15, n + 16, n + 17, n + 18, n + 19, n + 20, n + 21, n + 22, n + 23}
#define EACH8(x) x, x, x, x, x, x, x, x
#define BY_8(x, y, z) {EACH8(x), EACH8(y), EACH8(z)}
#define PRIVATE "%priv = OpTypePointer Private %u32\n"
#define BARRIER "OpControlBarrier %u2 %u2 %u264\n"
#define OWN "%own = OpAccessChain %shared_word_ptr %shared %lane\n"
#define OTHER "%l = OpBitwiseXor %u32 %lane %u5\n%other = OpAccessChain %shared_word_ptr %shared %l\n"

#define ROUNDS "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %start %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u8c\nOpBranchConditional %g %h %e\n%e = OpLabel\n"

static const struct groups groups[] = {
    {"each its own words", .code = "%r = OpLoad %u32 %pi\n", .r = NUMBERED(100)},
    {"a variable begins anew in each", PRIVATE "%v = OpVariable %priv Private %u5\n", " %v", "%a = OpLoad %u32 %v\n%b = OpIAdd %u32 %a %u1\nOpStore %v %b\n%r = OpLoad %u32 %v\n", BY_8(6, 6, 6)},
    {"and has no value before it is written", PRIVATE "%v = OpVariable %priv Private\n", " %v", "%r = OpLoad %u32 %v\nOpStore %v %i\n", BY_8(U, U, U)},
    {"nor has one of the function", .code = "%r = OpLoad %u32 %local\nOpStore %local %i\n", .r = BY_8(U, U, U)},
    {"one of the function begins anew", .code = "%a = OpLoad %u32 %set\n%r = OpIAdd %u32 %a %lane\nOpStore %set %r\n", .r = {5, 6, 7, 8, 9, 10, 11, 12, 5, 6, 7, 8, 9, 10, 11, 12, 5, 6, 7, 8, 9, 10, 11, 12}},
    {"Workgroup memory has no value at first", .code = OWN "%r = OpLoad %u32 %own\nOpStore %own %i\n", .r = BY_8(U, U, U)},
    {"Workgroup memory of zeros begins anew", "%eight = OpTypeArray %u32 %u8c\n%wg = OpTypePointer Workgroup %eight\n%null8 = OpConstantNull %eight\n%zeroed = OpVariable %wg Workgroup %null8\n", " %zeroed",
     "%own = OpAccessChain %shared_word_ptr %zeroed %lane\n%a = OpLoad %u32 %own\n%r = OpIAdd %u32 %a %u1\nOpStore %own %r\n", BY_8(1, 1, 1)},
    {"and is nothing else than Workgroup memory", "%wide = OpTypeArray %u32 %u72\n%wg = OpTypePointer Workgroup %wide\n%null72 = OpConstantNull %wide\n%zeroed = OpVariable %wg Workgroup %null72\n", " %zeroed",
     "%own = OpAccessChain %shared_word_ptr %zeroed %lane\n%a = OpLoad %u32 %own\n%b = OpIAdd %u32 %a %u72\n%c = OpIAdd %u32 %b %u5\n%r = OpIMul %u32 %c %u3\n", BY_8(231, 231, 231)},
    {"what another one of the workgroup wrote, after a barrier", .code = OWN "OpStore %own %i\n" BARRIER OTHER "%r = OpLoad %u32 %other\n",
     .r = {5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9, 8, 11, 10, 21, 20, 23, 22, 17, 16, 19, 18}},
    {"in subgroups of four", .code = OWN "OpStore %own %i\n" BARRIER OTHER "%r = OpLoad %u32 %other\n",
     .r = {5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9, 8, 11, 10, 21, 20, 23, 22, 17, 16, 19, 18}, .subgroup = 4},
    {"without a barrier", .code = OWN "OpStore %own %i\n" OTHER "%r = OpLoad %u32 %other\n", .refused = "E-race"},
    {"in subgroups of four", .code = OWN "OpStore %own %i\n" OTHER "%r = OpLoad %u32 %other\n", .refused = "E-race", .subgroup = 4},
    {"twice round, with a barrier each", .code = OWN "OpStore %own %i\n" BARRIER OTHER "%a = OpLoad %u32 %other\n" BARRIER "OpStore %own %a\n" BARRIER "%r = OpLoad %u32 %other\n", .r = NUMBERED(0), .subgroup = 4},
    {"twice round, one barrier too few", .code = OWN "OpStore %own %i\n" BARRIER OTHER "%a = OpLoad %u32 %other\nOpStore %own %a\n" BARRIER "%r = OpLoad %u32 %other\n", .refused = "E-race", .subgroup = 4},
    {"one word of a buffer by two workgroups", .code = "%p = OpAccessChain %word_ptr %in %u0 %lane\nOpStore %p %i\n%r = OpIAdd %u32 %i %u0\n", .refused = "E-race"},
    {"a counter that all share", .code = "%p = OpAccessChain %word_ptr %in %u0 %u0\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n%r = OpIAdd %u32 %i %u0\n", .r = NUMBERED(0)},
    {"whose result is nobody's to know", .code = "%p = OpAccessChain %word_ptr %in %u0 %u0\n%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", .r = BY_8(U, U, U)},
    {"a counter in a scope that has not all", .code = "%p = OpAccessChain %word_ptr %in %u0 %u0\n%o = OpAtomicIAdd %u32 %p %u2 %u0 %u1\n%r = OpIAdd %u32 %i %u0\n", .refused = "E-race"},
    {"a sum of each subgroup", .code = "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %i\n", .r = BY_8(28, 92, 156)},
    {"of four", .code = "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %i\n", .r = {6, 6, 6, 6, 22, 22, 22, 22, 38, 38, 38, 38, 54, 54, 54, 54, 70, 70, 70, 70, 86, 86, 86, 86}, .subgroup = 4},
    {"of another one in each workgroup", .code = "%w = OpShiftRightLogical %u32 %i %u3\n%r = OpGroupNonUniformBroadcast %u32 %u3 %i %w\n", .r = {0, 0, 0, 0, 4, 4, 4, 4, 9, 9, 9, 9, 13, 13, 13, 13, 18, 18, 18, 18, 22, 22, 22, 22}, .subgroup = 4},
    // Five and six are a part of the second subgroup, of which the seventh is not there; the first is whole. All of them came the same way.
    {"of another one in each subgroup, of which one is a part", .code = "%w = OpShiftRightLogical %u32 %lane %u2\n%c = OpULessThan %bool %lane %u6\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%o = OpGroupNonUniformBroadcast %u32 %u3 %i %w\nOpBranch %j\n%j = OpLabel\n"
     "%r = OpIAdd %u32 %i %u0\n", .globals = "%u6 = OpConstant %u32 6\n", .refused = "E-uniform", .subgroup = 4, .invocation = 4},
    {"where the workgroup came together, of four", .code = "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %i\n", .r = {6, 6, 6, 6, 22, 22, 22, 22, 38, 38, 38, 38, 54, 54, 54, 54, 70, 70, 70, 70, 86, 86, 86, 86}, .subgroup = 4, .model = SPV_WORKGROUP_UNIFORM},
    {"of sixteen, of which eight are there", .code = "%r = OpGroupNonUniformIAdd %u32 %u3 Reduce %i\n", .r = BY_8(28, 92, 156), .subgroup = 16},
    // Who is told of: the workgroup and the invocation in it.
    {"only the third goes wrong", .code = "%big = OpIMul %u32 %i %u72\n%p = OpAccessChain %word_ptr %in %u0 %big\n%c = OpUGreaterThan %bool %i %u16c\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n"
     "%b = OpLoad %u32 %p\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %i %u0\n", .refused = "the access is out of bounds, in workgroup 2, invocation 1", .workgroup = 2, .invocation = 1},
    // Each subgroup of each workgroup may do as much: 8 rounds of 4 and 6, and a few before and after.
    {"eight rounds, counted for each alone", .code = ROUNDS "%r = OpIAdd %u32 %m %u0\n", .r = BY_8(8, 8, 8), .steps = 110},
    {"in subgroups of four", .code = ROUNDS "%r = OpIAdd %u32 %m %u0\n", .r = BY_8(8, 8, 8), .steps = 110, .subgroup = 4},
    {"eight rounds, which are too many", .code = ROUNDS "%r = OpIAdd %u32 %m %u0\n", .refused = "E-limit", .steps = 50},
    {"one subgroup has ended, the other waits", .code = "%r = OpIAdd %u32 %i %u0\n%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpStore %pr %r\nOpReturn\n%j = OpLabel\n" BARRIER,
     .refused = "another subgroup has ended and will never reach the barrier", .subgroup = 4, .invocation = 4},
    {"one waits, the other has ended", .code = "%r = OpIAdd %u32 %i %u0\n%c = OpUGreaterThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpStore %pr %r\nOpReturn\n%j = OpLabel\n" BARRIER,
     .refused = "another subgroup has ended and will never reach the barrier", .subgroup = 4},
    {"two barriers", .code = "%r = OpIAdd %u32 %i %u0\n%c = OpUGreaterThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\n" BARRIER "OpBranch %j\n%e = OpLabel\n" BARRIER "OpBranch %j\n%j = OpLabel\n",
     .refused = "the subgroups stand at different barriers", .subgroup = 4, .invocation = 4},
    {"one after the other for a workgroup each", .code = OWN "OpStore %own %i\n" BARRIER BARRIER OTHER "%r = OpLoad %u32 %other\n",
     .r = {5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9, 8, 11, 10, 21, 20, 23, 22, 17, 16, 19, 18}, .subgroup = 2},
    // All are there, and nobody is told: the first invocation stands for all.
    {"a whole subgroup of which nothing is promised", .code = "OpSelectionMerge %j None\nOpSwitch %i %o 99 %j\n%o = OpLabel\n" BARRIER "OpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %i %u0\n", .refused = "E-barrier", .model = SPV_SUBGROUP_UNIFORM,
     .backwards = true},
    {"the first lane is the last invocation", .code = "%c = OpULessThan %bool %lane %u5\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %i %u0\n", .refused = "E-assume", .invocation = 7, .backwards = true},
};

static void groups_case(struct spv_tools *tools, struct arena *a, const struct groups *g, struct spv_case *c)
{
    struct err e;
    struct text t = {.arena = a};
    text_add(&t, "%s%s %%gid%s%s%sOpDecorate %%gid BuiltIn GlobalInvocationId\n%s%%uvec3 = OpTypeVector %%u32 3\n%%in3 = OpTypePointer Input %%uvec3\n%%gid = OpVariable %%in3 Input\n%s"
             "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%%local = OpVariable %%u32_fn_ptr Function\n%%set = OpVariable %%u32_fn_ptr Function %%u5\n"
             "%%g3 = OpLoad %%uvec3 %%gid\n%%i = OpCompositeExtract %%u32 %%g3 0\n%%lane = OpLoad %%u32 %%lane_var\n%%pi = OpAccessChain %%word_ptr %%in %%u0 %%i\n"
             "%%pr = OpAccessChain %%word_ptr %%out %%u0 %%i\n%sOpStore %%pr %%r\nOpReturn\nOpFunctionEnd\n",
             text_head, text_entry, g->interface ? g->interface : "", text_modes, text_annotations, text_types, g->globals ? g->globals : "", g->code);
    *c = (struct spv_case){.groups = {GROUPS, 1, 1}, .subgroup = g->subgroup ? g->subgroup : LANES, .buffer_count = 2};
    if (!spv_assemble(tools, a, t.v, t.n, 1, &c->words, &c->count, &e) || !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c->words, c->count, &e))
        fail_msg("%s: %s", g->name, e.msg);
    for (uint32_t k = 0; k < 2; k++) {
        c->buffer[k] = (struct spv_buffer){.binding = k, .count = GROUPS * LANES};
        c->buffer[k].words = ARENA_ARRAY(a, uint32_t, GROUPS * LANES);
    }
    for (uint32_t k = 0; k < GROUPS * LANES; k++)
        c->buffer[0].words[k] = 100 + k;
}

static void test_groups(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
            const struct groups *g = &groups[k];
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            uint32_t subgroup[GROUPS * LANES], lane[GROUPS * LANES];
            const struct orc_lanes lanes = {GROUPS * LANES, subgroup, lane, NULL};
            groups_case(tools, &a, g, &c);
            c.model = g->model;
            for (uint32_t w = 0; w < GROUPS * LANES; w++) {
                subgroup[w] = (LANES - 1 - w % LANES) / c.subgroup;
                lane[w] = (LANES - 1 - w % LANES) % c.subgroup;
            }
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine, .step_limit = g->steps, .lanes = g->backwards ? &lanes : NULL}, &r);
            if (g->refused && strcmp(r.why.rule, g->refused) != 0 && !strstr(r.why.text, g->refused))
                fail_msg("%s: got '%s', expected '%s'", g->name, r.why.text, g->refused);
            if (g->refused && strcmp(g->refused, "E-race") != 0)
                assert_true(r.why.has_place && r.why.workgroup == g->workgroup && r.why.invocation == g->invocation);
            assert_true((r.memory == NULL) == (g->refused != NULL));
            if (!g->refused && r.why.status != RAN_OK)
                fail_msg("%s: %s", g->name, r.why.text);
            for (uint32_t w = 0; !g->refused && w < GROUPS * LANES; w++) {
                const uint32_t mask = r.memory[1].mask ? r.memory[1].mask[w] : UINT32_MAX;
                if (g->r[w] == U ? mask != 0 || r.memory[1].words[w] : mask != UINT32_MAX || r.memory[1].words[w] != g->r[w])
                    fail_msg("%s, word %u: got 0x%x (mask 0x%x), expected 0x%x", g->name, w, r.memory[1].words[w], mask, g->r[w]);
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

// Where each word of the three workgroups comes from: what one of them left in Workgroup memory the next does not know.
static void test_forgets(void **state)
{
    (void)state;
    static const struct groups g = {"forgets", .code = OWN "%q = OpUDiv %u32 %u1 %n0\n%c = OpULessThan %bool %i %u8c\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpStore %own %q\nOpBranch %j\n%j = OpLabel\n"
                                    "%r = OpLoad %u32 %own\n", .globals = "%n0 = OpConstant %u32 0\n"};
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    struct spv_module m;
    struct err e;
    struct orc_trace t = {.arena = &a};
    groups_case(tools, &a, &g, &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, &e));
    orc_predict(&a, &c, 0, &(struct orc_options){.order = 1, .trace = &t}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    for (uint32_t w = 0; w < GROUPS * LANES; w++) {
        const struct orc_origin o = orc_origin(t.words[1][w]);
        assert_int_equal(o.birth, w < LANES ? ORC_ORIGIN_NOTHING : ORC_ORIGIN_UNWRITTEN);
        assert_int_equal(m.insts[o.inst].op, w < LANES ? SpvOpUDiv : SpvOpLoad);
        assert_int_equal(r.memory[1].mask[w], 0);
    }
    arena_free(&a);
    spv_tools_free(tools);
}

// A fault that shows what lanes have that are not active: what they have of their own subgroup, which is nothing but zeros.
static void test_fault(void **state)
{
    (void)state;
    // Of the first subgroup all are there, of the second 4 and 5: the sum of lane + 1 of those who are not there is 0.
    static const struct groups g = {"fault", .code = "%c = OpULessThan %bool %lane %n6\nOpStore %local %u0\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%w = OpIAdd %u32 %lane %u1\n%s = OpGroupNonUniformIAdd %u32 %u3 Reduce %w\n"
                                    "OpStore %local %s\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n", .globals = "%n6 = OpConstant %u32 6\n", .subgroup = 4};
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    groups_case(tools, &a, &g, &c);
    c.groups[0] = 1;
    orc_predict(&a, &c, 0, &(struct orc_options){.fault = ORC_FAULT_INACTIVE_IN_REDUCE}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(r.memory[1].words[l], l < 4 ? 1 + 2 + 3 + 4 : l < 6 ? 5 + 6 : 0);
    arena_free(&a);
    spv_tools_free(tools);
}

// ---- what is refused --------------------------------------------------------------------------------

struct refused {
    const char *text;  // what the line says; NULL: it runs
    enum ran status;
    struct row row;
    uint32_t groups[3], subgroup;
    uint32_t words[2]; // of 0:0 and 0:1, where not 0: nobody may look at them
    uint32_t memory_limit, elements, images;
    uint32_t in_set; // 0:2 is 32 MiB at 1 of this set instead, where not 0
    bool mask_only;
};
#define SIZE(x, y, z) .annotations = "OpDecorate %size BuiltIn WorkgroupSize\n", \
    .globals = "%uvec3 = OpTypeVector %u32 3\n%sx = OpConstant %u32 " #x "\n%sy = OpConstant %u32 " #y "\n%sz = OpConstant %u32 " #z "\n%size = OpConstantComposite %uvec3 %sx %sy %sz\n"
#define PLAIN "%r = OpIAdd %u32 %x %u0\n"
#define BUILTIN(name, type) .annotations = "OpDecorate %odd BuiltIn " name "\n", .globals = "%uvec3 = OpTypeVector %u32 3\n%odd_ptr = OpTypePointer Input " type "\n%odd = OpVariable %odd_ptr Input\n", \
    .interface = " %odd", .is_invalid = true
#define LARGE(n) .globals = "%many = OpConstant %u32 " #n "\n%arr = OpTypeArray %u32 %many\n%priv = OpTypePointer Private %arr\n%array = OpVariable %priv Private\n", .interface = " %array"
#define AT_2 "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n"
#define MANY(type) .annotations = AT_2, .globals = "%blocks = " type "\n%blocks_ptr = OpTypePointer StorageBuffer %blocks\n%more = OpVariable %blocks_ptr StorageBuffer\n", .interface = " %more", .is_invalid = true
#define ONE .annotations = AT_2, .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more"
#define TWO .annotations = AT_2 "OpDecorate %also DescriptorSet 0\nOpDecorate %also Binding 2\n", \
    .globals = "%more = OpVariable %block_ptr StorageBuffer\n%also = OpVariable %block_ptr StorageBuffer\n", .interface = " %more %also"
#define QUADS .names = "OpExecutionMode %main DerivativeGroupLinearKHR\n", .is_invalid = true
#define WORDS_2 "%p = OpAccessChain %word_ptr %more %u0 %u1\n"

static const struct refused refusals[] = {
    {"unsupported: workgroups of 4160 invocations", RAN_UNSUPPORTED, {"an edge more than 4096", PLAIN, SIZE(64, 65, 1)}},
    {"unsupported: workgroups of 4097 invocations", RAN_UNSUPPORTED, {"one more than 4096", PLAIN, SIZE(17, 241, 1)}},
    {"unsupported: workgroups of 4224 invocations", RAN_UNSUPPORTED, {"in all three", PLAIN, SIZE(16, 8, 33)}},
    {"a workgroup size of 4097 x 1 x 1 cannot be run", RAN_INVALID, {"along one side", PLAIN, SIZE(4097, 1, 1)}},
    {"workgroup size: 1 x 0 x 1, at least 1 x 1 x 1 was expected", RAN_INVALID, {"nobody", PLAIN, SIZE(1, 0, 1), .is_invalid = true}},
    // What one of them lets through the next one refuses.
    {"unsupported: a dispatch of 16781312 invocations, the limit is 16777216", RAN_UNSUPPORTED, {"4096 of 4097", PLAIN, SIZE(64, 64, 1)}, {4097, 1, 1}},
    {"unsupported: a dispatch of 1048578 workgroups", RAN_UNSUPPORTED, {"workgroups", PLAIN}, {2, 3, 174763}},
    {"unsupported: a dispatch of 17825792 invocations, the limit is 16777216", RAN_UNSUPPORTED, {"as many workgroups as may be", PLAIN, SIZE(17, 1, 1)}, {1024, 1, 1024}},
    {"unsupported: buffers of 384 MiB together, the limit is 256", RAN_UNSUPPORTED, {"as many invocations as may be", PLAIN, SIZE(16, 1, 1)}, {1, 1024, 1024}, .words = {1 << 26, 1 << 25}},
    {"unsupported: buffers of 256 MiB together, the limit is 256", RAN_UNSUPPORTED, {"a word more than there may be", PLAIN}, .words = {1 << 26, 1}},
    {"unsupported: built-in 4438", RAN_UNSUPPORTED, {"as many words as may be", PLAIN, BUILTIN("DeviceIndex", "%u32")}, .words = {(1 << 26) - 1, 1}},
    {"unsupported: built-in 26", RAN_UNSUPPORTED, {"a WorkgroupId of two", PLAIN, BUILTIN("WorkgroupId", "%uvec2")}},
    {"unsupported: built-in 4416", RAN_UNSUPPORTED, {"a mask of three", PLAIN, BUILTIN("SubgroupEqMask", "%uvec3")}},
    {"unsupported: built-in 36", RAN_UNSUPPORTED, {"a SubgroupSize of two", PLAIN, BUILTIN("SubgroupSize", "%uvec2")}},
    {"unsupported: built-in 23", RAN_UNSUPPORTED, {"a helper in a compute shader", PLAIN, BUILTIN("HelperInvocation", "%bool")}},
    {"unsupported: built-in 15", RAN_UNSUPPORTED, {"a pixel in a compute shader", PLAIN, BUILTIN("FragCoord", "%vec4")}},
    {"a subgroup size of 3 cannot be run", RAN_INVALID, {"three", PLAIN}, .subgroup = 3},
    {"a subgroup size of 256 cannot be run", RAN_INVALID, {"too many", PLAIN}, .subgroup = 256},
    {"a subgroup of 2 holds no quad (R8)", RAN_INVALID, {"quads of two", PLAIN, QUADS}, .subgroup = 2},
    {NULL, RAN_OK, {"quads of four", PLAIN, QUADS}, .subgroup = 4},
    {NULL, RAN_OK, {"a subgroup of 128", PLAIN}, .subgroup = 128},
    {NULL, RAN_OK, {"a subgroup of 1", PLAIN}, .subgroup = 1},
    // 2^18 scalars of eight lanes: 16 MiB, and 4 that tell which are defined; twice that where two subgroups wait for each other.
    {"unsupported: the values of a workgroup need 20 MiB, the limit is 20", RAN_UNSUPPORTED, {"a large variable", PLAIN, LARGE(262144)}, .memory_limit = 20 << 20},
    {NULL, RAN_OK, {"a limit above it", PLAIN, LARGE(262144)}, .memory_limit = 21 << 20},
    {NULL, RAN_OK, {"two subgroups, one after the other", PLAIN, LARGE(131072)}, .memory_limit = 7 << 20, .subgroup = 4, .mask_only = true},
    {"unsupported: the values of a workgroup need 12 MiB, the limit is 11", RAN_UNSUPPORTED, {"two at once", "OpControlBarrier %u2 %u2 %u264\n" PLAIN, LARGE(131072)}, .memory_limit = 11 << 20, .subgroup = 4},
    {"unsupported: the state of the buffers needs 896 MiB, the limit is 512", RAN_UNSUPPORTED, {"32 MiB that are written", PLAIN}, .words = {0, 1 << 23}},
    {NULL, RAN_OK, {"32 MiB in another set, of which nothing is kept", PLAIN, .more_count = 1}, .in_set = 1},
    {"unsupported: the state of the buffers needs 848 MiB, the limit is 512", RAN_UNSUPPORTED, {"8 MiB that are written by bytes", "%p = OpAccessChain %byte_ptr %more %u0 %lane\n%b = OpUConvert %u8 %x\nOpStore %p %b\n" PLAIN,
     .annotations = AT_2 "OpDecorate %bytes ArrayStride 1\nOpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\n", .globals = "%bytes = OpTypeRuntimeArray %u8\n%s2 = OpTypeStruct %bytes\n"
     "%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%byte_ptr = OpTypePointer StorageBuffer %u8\n", .interface = " %more", .more_count = 4}, .words = {0, 1 << 21}},
    // Bindings.
    {"is bound to 0:2, for which the case has no buffer", RAN_INVALID, {"no buffer", WORDS_2 "%r = OpLoad %u32 %p\n", ONE}},
    {NULL, RAN_OK, {"a buffer", WORDS_2 "%r = OpLoad %u32 %p\n", {0}, {0}, {EACH8(9)}, ONE, .more = {8, 9}, .more_count = 2}},
    {"is a buffer, and the case has an image at 0:2", RAN_INVALID, {"an image", WORDS_2 "%r = OpLoad %u32 %p\n", ONE, .more = {8, 9}, .more_count = 2}, .images = 1},
    {"is one buffer, the case has 2 buffers of 4 words together at 0:2", RAN_INVALID, {"two for one", WORDS_2 "%r = OpLoad %u32 %p\n", ONE, .more_count = 4}, .elements = 2},
    {"is one buffer, the case has 1 buffers of 4 words together at 0:2", RAN_INVALID, {"an array of one for one", WORDS_2 "%r = OpLoad %u32 %p\n", ONE, .more_count = 4}, .elements = 1},
    {"is an array of buffers of at most 64 MiB, the case has 3 buffers of 4 words together at 0:2", RAN_INVALID, {"no whole words", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u1\n%r = OpLoad %u32 %p\n", MANY("OpTypeArray %block %u2"), .more_count = 4}, .elements = 3},
    {"has 2 descriptors, the case has 1 at 0:2", RAN_INVALID, {"one for two", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u1\n%r = OpLoad %u32 %p\n", MANY("OpTypeArray %block %u2"), .more_count = 4}},
    {NULL, RAN_OK, {"two for two", "%p = OpAccessChain %word_ptr %more %u1 %u0 %u1\n%r = OpLoad %u32 %p\n", {0}, {0}, {EACH8(7)}, MANY("OpTypeArray %block %u2"), .more = {4, 5, 6, 7}, .more_count = 4}, .elements = 2},
    {NULL, RAN_OK, {"four for two", "%p = OpAccessChain %word_ptr %more %u1 %u0 %u0\n%r = OpLoad %u32 %p\n", {0}, {0}, {EACH8(5)}, MANY("OpTypeArray %block %u2"), .more = {4, 5, 6, 7}, .more_count = 4}, .elements = 4},
    {NULL, RAN_OK, {"as many as there are", "%p = OpAccessChain %word_ptr %more %u3 %u0 %u0\n%r = OpLoad %u32 %p\n", {0}, {0}, {EACH8(7)}, MANY("OpTypeRuntimeArray %block"), .more = {4, 5, 6, 7}, .more_count = 4}, .elements = 4},
    {"undefined E-bounds", RAN_UNDEFINED, {"one more than there are", "%p = OpAccessChain %word_ptr %more %u4 %u0 %u0\n%r = OpLoad %u32 %p\n", MANY("OpTypeRuntimeArray %block"), .more_count = 4}, .elements = 4},
    {"undefined E-bounds", RAN_UNDEFINED, {"over the end of one of them", "%p = OpAccessChain %word_ptr %more %u1 %u0 %u1\n%r = OpLoad %u32 %p\n", MANY("OpTypeRuntimeArray %block"), .more_count = 4}, .elements = 4},
    {"undefined E-bounds", RAN_UNDEFINED, {"an index that the array's type has not", "%at = OpIAdd %u32 %u2 %u3\n%p = OpAccessChain %word_ptr %more %at %u0 %u0\n%r = OpLoad %u32 %p\n", MANY("OpTypeArray %block %u2"), .more_count = 4}, .elements = 2},
    {"undefined E-bounds", RAN_UNDEFINED, {"one that the case has, and the array's type has not", "%at = OpIAdd %u32 %u2 %u1\n%p = OpAccessChain %word_ptr %more %at %u0 %u0\n%r = OpLoad %u32 %p\n", MANY("OpTypeArray %block %u2"), .more_count = 4}, .elements = 4},
    {NULL, RAN_OK, {"an array without a number is one buffer", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u3\n%r = OpLoad %u32 %p\n", {0}, {0}, {EACH8(7)}, MANY("OpTypeRuntimeArray %block"), .more = {4, 5, 6, 7}, .more_count = 4}},
    {NULL, RAN_OK, {"two variables, one buffer", WORDS_2 "%q = OpAccessChain %word_ptr %also %u0 %u2\n%a = OpLoad %u32 %p\n%b = OpLoad %u32 %q\n%r = OpIAdd %u32 %a %b\n", {0}, {0}, {EACH8(11)}, TWO, .more = {4, 5, 6, 7}, .more_count = 4}},
    {"unsupported: two variables on binding 0:2, one of them written", RAN_UNSUPPORTED, {"the first one is written", WORDS_2 "%q = OpAccessChain %word_ptr %also %u0 %u2\nOpStore %p %x\n%r = OpLoad %u32 %q\n", TWO, .more_count = 4}},
    {"unsupported: two variables on binding 0:2, one of them written", RAN_UNSUPPORTED, {"the second one is", WORDS_2 "%q = OpAccessChain %word_ptr %also %u0 %u2\nOpStore %q %x\n%r = OpLoad %u32 %p\n", TWO, .more_count = 4}},
};

static void test_refused(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        for (int machine = ORC_MASK; machine <= (refusals[k].mask_only ? ORC_MASK : ORC_TAG); machine++) {
            const struct refused *f = &refusals[k];
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            row_case(tools, &a, &f->row, &c);
            for (int j = 0; j < 3; j++)
                c.groups[j] = f->groups[j] ? f->groups[j] : 1;
            c.subgroup = f->subgroup ? f->subgroup : LANES;
            for (int j = 0; j < 2; j++)
                c.buffer[j].count = f->words[j] ? f->words[j] : c.buffer[j].count;
            c.buffer[2].elements = f->elements;
            c.buffer[2].image.count = f->images;
            if (f->in_set) {
                c.buffer[2].set = f->in_set;
                c.buffer[2].binding = 1;
                c.buffer[2].count = 1 << 23;
                c.buffer[2].words = ARENA_ARRAY(&a, uint32_t, 1 << 23);
            }
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine, .memory_limit = f->memory_limit}, &r);
            const bool begins = f->text && f->status != RAN_UNDEFINED && strncmp(f->text, "is ", 3) != 0 && strncmp(f->text, "has ", 4) != 0;
            const char *at = f->text ? strstr(r.why.text, f->text) : r.why.text;
            if (r.why.status != f->status || !at || (begins && strcmp(r.why.text, f->text) != 0) ||
                (f->text && !begins && f->status == RAN_INVALID && (strncmp(r.why.text, "variable %", 10) != 0 || strlen(at) != strlen(f->text)))) {
                print_error("%s: '%s', expected '%s'\n", f->row.name, r.why.text, f->text ? f->text : "to run");
                wrong++;
            }
            assert_true((r.memory == NULL) == (r.why.status != RAN_OK)); // nothing is left of what was not run
            for (uint32_t l = 0; !f->text && r.why.status == RAN_OK && l < LANES; l++)
                if (r.memory[1].words[l] != f->row.r[l]) {
                    print_error("%s, lane %u: 0x%x, expected 0x%x\n", f->row.name, l, r.memory[1].words[l], f->row.r[l]);
                    wrong++;
                }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// Three times round a loop with a barrier in it.
#define BARRIERS "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\nOpControlBarrier %u2 %u2 %u264\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n"

// A mapping that no device can have shown.
static void test_mappings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t invocations, subgroup[LANES], lane[LANES];
        bool quads, rounds;
    } rows[] = {
        {"the lane mapping is shorter than the dispatch", 7, {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
        {"the lane mapping has no valid lane for invocation 3", 8, {0}, {0, 1, 2, 1, 4, 5, 6, 7}},
        {"the lane mapping has no valid lane for invocation 5", 8, {0}, {0, 1, 2, 3, 4, 8, 6, 7}},
        {"the lane mapping has no valid lane for invocation 2", 8, {0, 0, 8}, {0, 1, 2, 3, 4, 5, 6, 7}},
        {NULL, 8, {0, 0, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},
        {NULL, 8, {7}, {0, 1, 2, 3, 4, 5, 6, 7}},
        {NULL, 8, {0}, {7, 6, 5, 4, 3, 2, 1, 0}},
        {NULL, 8, {7}, {0, 1, 2, 3, 4, 5, 6, 7}, .rounds = true}, // who is not there waits for nobody
        {NULL, 8, {7, 7, 2, 2, 7, 7, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}, .rounds = true},
        {"invocation 1, of quad index 1, is lane 2 of subgroup 0, and that of quad index 0 is lane 0 of subgroup 0: not a quad (R8)", 8, {0}, {0, 2, 1, 3, 4, 5, 6, 7}, true},
        {NULL, 8, {0}, {4, 5, 6, 7, 0, 1, 2, 3}, true},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
            const struct row plain = {"mapping", PLAIN}, quads = {"quads", PLAIN, QUADS}, rounds = {"rounds", BARRIERS PLAIN};
            const struct orc_lanes lanes = {rows[k].invocations, rows[k].subgroup, rows[k].lane, NULL};
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            row_case(tools, &a, rows[k].quads ? &quads : rows[k].rounds ? &rounds : &plain, &c);
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine, .lanes = &lanes}, &r);
            assert_int_equal(r.why.status, rows[k].text ? RAN_INVALID : RAN_OK);
            assert_string_equal(r.why.text, rows[k].text ? rows[k].text : "");
            assert_true((r.memory == NULL) == (rows[k].text != NULL));
            arena_free(&a);
        }
    spv_tools_free(tools);
}

// In workgroups of 4 x 2 the quads are 0 1 4 5 and 2 3 6 7 (R8), in each of two workgroups.
static void test_quads_fit(void **state)
{
    (void)state;
    static const uint32_t size[3] = {4, 2, 1}, lane[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    uint32_t subgroup[16] = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0};
    struct err e;
    const struct orc_lanes lanes = {16, subgroup, (uint32_t *)lane, NULL};
    assert_true(orc_lanes_fit(&lanes, SPV_QUADS_2X2, size, &e));
    subgroup[13] = 0;
    assert_false(orc_lanes_fit(&lanes, SPV_QUADS_2X2, size, &e));
    assert_string_equal(e.msg, "invocation 13, of quad index 3, is lane 3 of subgroup 0, and that of quad index 0 is lane 0 of subgroup 1: not a quad (R8)");
}

// 64 MiB are the bound of a buffer of an array, not of one alone: the word behind them.
static void test_large(void **state)
{
    (void)state;
    enum { FAR = 1 << 24 };
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    const struct row row = {"behind 64 MiB", "%p = OpAccessChain %word_ptr %more %u0 %far\n%r = OpLoad %u32 %p\n", .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
                            .globals = "%far = OpConstant %u32 16777216\n%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 1};
    row_case(tools, &a, &row, &c);
    c.buffer[2].count = FAR + 1;
    uint32_t *words = ARENA_ARRAY(&a, uint32_t, FAR + 1);
    words[FAR] = 77;
    c.buffer[2].words = words;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_string_equal(r.why.text, "");
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(r.memory[1].words[l], 77);
    arena_free(&a);
    spv_tools_free(tools);
}

// OpenGL's uniforms outside of blocks: the last words that the case gives as push constants, in the order of the module.
static void test_uniforms(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (uint32_t given = 0; given <= 6; given++)
        for (uint32_t which = 0; which < 3; which++) {
            static const char *const codes[] = {"%r = OpLoad %u32 %first\n", "%v = OpLoad %uvec2 %second\n%r = OpCompositeExtract %u32 %v 0\n", "%v = OpLoad %uvec2 %second\n%r = OpCompositeExtract %u32 %v 1\n"};
            struct row row = {"uniforms", codes[which], .globals = "%uc1 = OpTypePointer UniformConstant %u32\n%uc2 = OpTypePointer UniformConstant %uvec2\n%first = OpVariable %uc1 UniformConstant\n%second = OpVariable %uc2 UniformConstant\n",
                              .interface = " %first %second", .is_invalid = true};
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            struct orc_why why;
            row_case(tools, &a, &row, &c);
            c.push_count = given;
            for (uint32_t k = 0; k < given; k++)
                c.push[k] = 50 + k;
            struct orc_program *p = orc_load_assumed(&a, &c, &why);
            if (!p)
                fail_msg("%s", why.text);
            orc_run(p, &a, &c, 0, NULL, &r);
            assert_int_equal(r.why.status, RAN_OK);
            for (uint32_t l = 0; l < LANES; l++)
                if (given < 3)
                    assert_int_equal(r.memory[1].mask[l], 0);
                else {
                    assert_int_equal(r.memory[1].words[l], 50 + given - 3 + which);
                    assert_null(r.memory[1].mask);
                }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_builtins), cmocka_unit_test(test_groups), cmocka_unit_test(test_forgets), cmocka_unit_test(test_fault), cmocka_unit_test(test_refused), cmocka_unit_test(test_mappings), cmocka_unit_test(test_quads_fit), cmocka_unit_test(test_large), cmocka_unit_test(test_uniforms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
