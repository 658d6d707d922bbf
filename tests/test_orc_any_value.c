// SPDX-License-Identifier: Apache-2.0
//
// Values that are drawn for what is not defined (oracle/any_value.c): every source of them, in every type.
#include "test_orc_text.h"

#define G(op) "OpGroupNonUniform" op

struct source {
    struct row row;
    uint32_t ones; // what all ones come to; 0: it is not drawn, but with any_bound
    bool shared;   // one value for all lanes
    bool always;   // defined without drawing
    lane_mask lanes; // that are asked; 0: all
};
#define ALL_ONES UINT32_MAX
#define SOURCE(name, code, ...) {.row = {name, code}, __VA_ARGS__}
#define PRIVATE(name, types, code, ...)                                                            \
    {.row = {name, code, .interface = " %priv",                                                     \
             .globals = types "%priv_ptr = OpTypePointer Private %priv_t\n%priv = OpVariable %priv_ptr Private\n"}, \
     __VA_ARGS__}
#define ATOMIC "OpControlBarrier %u2 %u2 %u72\n%pa = OpAccessChain %word_ptr %in %u0 %u0\n%old = OpAtomicIAdd %u32 %pa %u1 %u0 %u1\n"
#define HALF "%low = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %low %t %e\n%t = OpLabel\nOpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n%half = OpPhi %u32 %u1 %t %old %e\n"
#define QUADS .row.names = "OpExecutionMode %main DerivativeGroupLinearKHR\n", .row.is_invalid = true
#define WORD "%part_ptr = OpTypePointer Private %u32\n"
#define INTO(index) "%p = OpAccessChain %part_ptr %priv " index "\n%r = OpLoad %u32 %p\n"

static const struct source sources[] = {
    SOURCE("OpUndef", "%un = OpUndef %u32\n%r = OpIAdd %u32 %un %u0\n", ALL_ONES),
    SOURCE("a variable of the function", "%r = OpLoad %u32 %local\n", ALL_ONES),
    SOURCE("Workgroup memory", "%p = OpAccessChain %shared_word_ptr %shared %u3\n%r = OpLoad %u32 %p\n", ALL_ONES,
           .shared = true),
    SOURCE("division by zero", "%r = OpUDiv %u32 %x %u0\n", ALL_ONES),
    SOURCE("a shuffle from nowhere", "%r = " G("Shuffle") " %u32 %u3 %x %u8c\n", ALL_ONES),
    SOURCE("FindLSB of nothing", "%z = OpCompositeConstruct %uvec4 %u0 %u0 %u0 %u0\n"
           "%r = " G("BallotFindLSB") " %u32 %u3 %z\n", ALL_ONES),
    SOURCE("a shift by too much", "%r = OpShiftLeftLogical %u32 %u1 %active\n", ALL_ONES),
    SOURCE("a boolean", "%un = OpUndef %bool\n%r = OpSelect %u32 %un %u1 %u0\n", 1),
    SOURCE("a byte", "%un = OpUndef %u8\n%r = OpUConvert %u32 %un\n", 0xff),
    SOURCE("16 bits", "%un = OpUndef %u16\n%r = OpUConvert %u32 %un\n", 0xffff),
    SOURCE("64 bits", "%un = OpUndef %u64\n%v = OpBitcast %uvec2 %un\n%r = OpCompositeExtract %u32 %v 1\n", ALL_ONES),
    SOURCE("a vector's last", "%un = OpUndef %uvec4\n%r = OpCompositeExtract %u32 %un 3\n", ALL_ONES),
    SOURCE("a struct's second", "%un = OpUndef %uu\n%r = OpCompositeExtract %u32 %un 1\n", ALL_ONES),
    SOURCE("a float", "%un = OpUndef %f32\n%c = OpBitcast %u32 %un\n%r = OpBitwiseAnd %u32 %c %u3\n", 3),
    PRIVATE("a variable of the module", "%priv_t = OpTypeStruct %u32\n" WORD, INTO("%u0"), ALL_ONES),
    PRIVATE("an array's first", "%priv_t = OpTypeArray %u32 %u4\n" WORD, INTO("%u0"), ALL_ONES),
    PRIVATE("an array's last", "%priv_t = OpTypeArray %u32 %u4\n" WORD, INTO("%u3"), ALL_ONES),
    PRIVATE("behind an array in a struct", "%arr = OpTypeArray %uu %u3\n%priv_t = OpTypeStruct %u8 %arr %u32\n" WORD,
            INTO("%u2"), ALL_ONES),
    PRIVATE("inside of it", "%arr = OpTypeArray %uu %u3\n%priv_t = OpTypeStruct %u8 %arr %u32\n" WORD,
            INTO("%u1 %u2 %u1"), ALL_ONES),
    PRIVATE("a matrix", "%priv_t = OpTypeStruct %mat2\n%fp = OpTypePointer Private %f32\n",
            "%p = OpAccessChain %fp %priv %u0 %u1 %u1\n%f = OpLoad %f32 %p\n%c = OpBitcast %u32 %f\n"
            "%r = OpBitwiseAnd %u32 %c %u3\n", 3),
    // Every instruction whose result some operands leave open.
    SOURCE("a saturated sum that overflows before", "%b0 = OpBitcast %u8vec4 %u3\n%big = OpBitcast %u8vec4 %minus1\n%c = OpCompositeExtract %u8 %b0 0\n%d = OpUDotAccSat %u8 %big %big %c\n%r = OpUConvert %u32 %d\n", 0xff, .row.globals = "%minus1 = OpConstant %u32 0xffffffff\n"),
    SOURCE("a range that is none", "%r = OpExtInst %u32 %glsl UClamp %x %u3 %u1\n", ALL_ONES),
    SOURCE("what must not wrap", "%w = OpISub %u32 %u0 %u1\n%r = OpIAdd %u32 %w %u1\n", ALL_ONES, .row.annotations = "OpDecorate %r NoUnsignedWrap\n"),
    SOURCE("a field that does not fit", "%r = OpBitFieldUExtract %u32 %x %u16c %active\n", ALL_ONES),
    SOURCE("a component that is not there", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpVectorExtractDynamic %u32 %v %u5\n", ALL_ONES),
    SOURCE("the first of two alone", "%v = OpCompositeConstruct %uvec2 %u1 %u8c\n%w = OpCompositeConstruct %uvec2 %u0 %u2\n%z = OpUDiv %uvec2 %v %w\n%r = OpCompositeExtract %u32 %z 0\n", ALL_ONES),
    SOURCE("the second of two alone", "%v = OpCompositeConstruct %uvec2 %u1 %u8c\n%w = OpCompositeConstruct %uvec2 %u2 %u0\n%z = OpUDiv %uvec2 %v %w\n%r = OpCompositeExtract %u32 %z 1\n", ALL_ONES),
    SOURCE("a ballot's bit beyond the subgroup", "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b = OpGroupNonUniformBallotBitExtract %bool %u3 %v %u16c\n%r = OpSelect %u32 %b %u1 %u0\n", 1),
    SOURCE("a cluster larger than the group", "%r = " G("IAdd") " %u32 %u3 ClusteredReduce %x %u16c\n", ALL_ONES),
    SOURCE("a sum of Workgroup bytes", "%p = OpAccessChain %wg_u8 %bytes %u3\n%b = OpLoad %u8 %p\n%r = OpUConvert %u32 %b\n", 0xff, .shared = true,
           .row.globals = "%wg_u8 = OpTypePointer Workgroup %u8\n%bytes_t = OpTypeArray %u8 %u8c\n%bytes_p = OpTypePointer Workgroup %bytes_t\n%bytes = OpVariable %bytes_p Workgroup\n", .row.interface = " %bytes"),
    SOURCE("a Workgroup boolean", "%p = OpAccessChain %wg_b %flags %u3\n%b = OpLoad %bool %p\n%r = OpSelect %u32 %b %u1 %u0\n", 1, .shared = true,
           .row.globals = "%wg_b = OpTypePointer Workgroup %bool\n%flags_t = OpTypeArray %bool %u8c\n%flags_p = OpTypePointer Workgroup %flags_t\n%flags = OpVariable %flags_p Workgroup\n", .row.interface = " %flags"),
    SOURCE("the second of a Workgroup pair in an array", "%p = OpAccessChain %wg_word %pairs %u3 %u1\n%r = OpLoad %u32 %p\n", ALL_ONES, .shared = true,
           .row.globals = "%wg_word = OpTypePointer Workgroup %u32\n%pairs_t = OpTypeArray %uu %u8c\n%pairs_p = OpTypePointer Workgroup %pairs_t\n%pairs = OpVariable %pairs_p Workgroup\n", .row.interface = " %pairs"),
    SOURCE("the last of a Workgroup vector", "%r0 = OpLoad %uvec4 %vec\n%r = OpCompositeExtract %u32 %r0 3\n", ALL_ONES, .shared = true, .row.globals = "%vec_p = OpTypePointer Workgroup %uvec4\n%vec = OpVariable %vec_p Workgroup\n", .row.interface = " %vec"),
    SOURCE("a constant of the module", "%c = OpCompositeExtract %u32 %pair 0\n%r = OpIAdd %u32 %c %u0\n", ALL_ONES, .row.globals = "%undef = OpUndef %u32\n%pair = OpConstantComposite %uu %undef %u5\n"),
    SOURCE("beside it", "%c = OpCompositeExtract %u32 %pair 1\n%r = OpIAdd %u32 %c %lane\n", 0, .always = true, .row.globals = "%undef = OpUndef %u32\n%pair = OpConstantComposite %uu %undef %u5\n"),
    // A pointer has no address to be drawn; what lies behind it has a value.
    SOURCE("behind a pointer", "%p = OpAccessChain %part_ptr %priv %u1\n%r = OpLoad %u32 %p\n", ALL_ONES, .row.capabilities = "OpCapability PhysicalStorageBufferAddresses\n",
           .row.model = "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n", .row.annotations = "OpMemberDecorate %there 0 Offset 0\nOpDecorate %there Block\n", .row.interface = " %priv", .row.is_invalid = true,
           .row.globals = "%there = OpTypeStruct %u32\n%address = OpTypePointer PhysicalStorageBuffer %there\n%priv_t = OpTypeStruct %address %u32\n%priv_ptr = OpTypePointer Private %priv_t\n%priv = OpVariable %priv_ptr Private\n" WORD),
    // What others leave open, and so what is made of it.
    SOURCE("a quotient of an atomic's result", ATOMIC "%r = OpUDiv %u32 %old %u0\n", 0),
    SOURCE("by an atomic's result", ATOMIC "%m = OpISub %u32 %old %old\n%r = OpUDiv %u32 %u1 %m\n", 0),
    SOURCE("a sum of atomics' results", ATOMIC "%r = " G("IAdd") " %u32 %u3 Reduce %old\n", 0),
    SOURCE("a second component of one", ATOMIC "%v = OpCompositeConstruct %uvec2 %u1 %old\n%w = OpCompositeConstruct %uvec2 %u1 %u1\n%z = OpUDiv %uvec2 %v %w\n%r = OpCompositeExtract %u32 %z 1\n", 0),
    SOURCE("a dot product of one", ATOMIC "%r = OpUDot %u32 %old %u1 PackedVectorFormat4x8Bit\n", 0),
    SOURCE("the least of one and none", ATOMIC "%r = OpExtInst %u32 %glsl UMin %old %u1\n", 0),
    SOURCE("a rounded sum", "%s = OpConvertUToF %f32 %lane\n%t = OpFAdd %f32 %s %f1\n%h = OpFDiv %f32 %t %f3\n%f = " G("FAdd") " %f32 %u3 Reduce %h\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("the sum before the first", "%f = " G("FAdd") " %f32 %u3 ExclusiveScan %f0\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("the least of zeros", "%f = " G("FMin") " %f32 %u3 Reduce %f0\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("the most of zeros", "%f = " G("FMax") " %f32 %u3 Reduce %f0\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("a product of zeros", "%f = " G("FMul") " %f32 %u3 Reduce %f0\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("a root", "%f = OpExtInst %f32 %glsl Sqrt %f2\n%r = OpBitcast %u32 %f\n", 0),
    // Of a group the others' values count, of what each lane does alone its own.
    SOURCE("a shuffle of what the other half has of an atomic", ATOMIC HALF "%i = OpBitwiseXor %u32 %lane %u4\n%r = " G("Shuffle") " %u32 %u3 %half %i\n", 0, .lanes = 0x0f),
    SOURCE("a component that is not there, beside a lane of an atomic", ATOMIC HALF "%v = OpCompositeConstruct %uvec2 %x %half\n%i = OpSelect %u32 %low %u5 %u0\n%r = OpVectorExtractDynamic %u32 %v %i\n", ALL_ONES, .lanes = 0x0f),
    SOURCE("an array's quotient, where the first lane is not there", "%r = OpUDiv %u32 %x %u0\n", ALL_ONES, .lanes = 0xfe, .row.active = 0xfe),
    SOURCE("a second component, behind another one", ATOMIC "%k2 = OpIAdd %u32 %u1 %u1\n%w = OpCompositeConstruct %uvec2 %u1 %u1\n%k = OpIAdd %u32 %u1 %u1\n%v = OpCompositeConstruct %uvec2 %k %old\n%z = OpUDiv %uvec2 %v %w\n%r = OpCompositeExtract %u32 %z 1\n", 0),
    SOURCE("a quotient by the second of two", ATOMIC "%k = OpIAdd %u32 %u1 %u1\n%v = OpCompositeConstruct %uvec2 %k %old\n%w = OpCompositeConstruct %uvec2 %k %u0\n%z = OpUDiv %uvec2 %v %w\n%r = OpCompositeExtract %u32 %z 1\n", 0),
    SOURCE("a derivative", "%s = OpConvertUToF %f32 %lane\n%t = OpFDiv %f32 %s %f3\n%d = OpDPdx %f32 %t\n%r = OpBitcast %u32 %d\n", 0, QUADS),
    SOURCE("a derivative of zeros", "%d = OpDPdx %f32 %f0\n%r = OpBitcast %u32 %d\n", 0, QUADS),
    SOURCE("Workgroup memory with a value from the start", "%v = OpLoad %u32 %begun\n%w = OpIAdd %u32 %v %lane\n%r = OpIAdd %u32 %w %u5\n", 0, .always = true,
           .row.globals = "%nothing = OpConstantNull %u32\n%begun = OpVariable %shared_word_ptr Workgroup %nothing\n", .row.interface = " %begun"),
    // Of a NaN, and then of 1: what was drawn for the first stays nowhere.
    SOURCE("what is a NaN in the first turn alone", "OpBranch %hd\n%hd = OpLabel\n%k = OpPhi %u32 %u0 %then %k1 %ct\n%first = OpIEqual %bool %k %u0\n%w = OpSelect %u32 %first %nan %one\n%f = OpBitcast %f32 %w\n%t = OpIsNan %bool %f\nOpLoopMerge %mg %ct None\nOpBranch %ct\n"
           "%ct = OpLabel\n%k1 = OpIAdd %u32 %k %u1\n%again = OpULessThan %bool %k1 %u2\nOpBranchConditional %again %hd %mg\n%mg = OpLabel\n%a = OpSelect %u32 %t %u1 %u0\n%b = OpIAdd %u32 %a %lane\n%r = OpIAdd %u32 %b %u5\n", 0, .always = true,
           .row.globals = "%nan = OpConstant %u32 0x7fc00000\n%one = OpConstant %u32 0x3f800000\n"),
    // Less free than any value.
    SOURCE("an atomic's result", "OpControlBarrier %u2 %u2 %u72\n%p = OpAccessChain %word_ptr %in %u0 %u0\n"
           "%r = OpAtomicIAdd %u32 %p %u1 %u0 %u1\n", 0),
    SOURCE("a rounded float", "%f = OpFDiv %f32 %f1 %f3\n%r = OpBitcast %u32 %f\n", 0),
    SOURCE("a rounded sum of a group", "%s = OpConvertUToF %f32 %lane\n%f = " G("FMul") " %f32 %u3 Reduce %s\n"
           "%r = OpBitcast %u32 %f\n", 0),
    SOURCE("what is defined", "%r = OpIAdd %u32 %lane %u5\n", 0, .always = true),
};

static struct orc_result drawn(struct arena *a, const struct spv_case *c, uint64_t seed, bool bound, int machine)
{
    struct orc_result r;
    struct orc_options o = {.machine = (enum orc_machine)machine, .any_value = seed, .any_bound = bound};
    orc_predict(a, c, 0, &o, &r);
    assert_int_equal(r.why.status, RAN_OK);
    return r;
}

static bool is_defined(const struct orc_result *r, uint32_t lane)
{
    return !r->memory[1].mask || r->memory[1].mask[lane] == UINT32_MAX;
}

static void check_source(struct spv_tools *tools, const struct source *s, int machine)
{
    struct arena a = {0};
    struct spv_case c;
    enum { SEEDS = 8 };
    uint32_t differ_by_seed = 0, differ_by_lane = 0;
    const bool free = s->ones != 0;
    const lane_mask lanes = s->lanes ? s->lanes : 0xff;
    const uint32_t first = lane_first(lanes);
    row_case(tools, &a, &s->row, &c);
    struct orc_result r = drawn(&a, &c, 0, false, machine), last = r;
    LANES_EACH (l, lanes)
        if (is_defined(&r, l) != s->always)
            fail_msg("%s: defined without drawing", s->row.name);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        r = drawn(&a, &c, seed, false, machine);
        const struct orc_result again = drawn(&a, &c, seed, false, machine), bound = drawn(&a, &c, seed, true, machine);
        LANES_EACH (l, lanes) {
            const uint32_t v = r.memory[1].words[l];
            if (is_defined(&r, l) != (free || s->always) || !is_defined(&bound, l))
                fail_msg("%s: seed %u, lane %u: drawn, or not", s->row.name, (unsigned)seed, l);
            if (again.memory[1].words[l] != v)
                fail_msg("%s: seed %u, lane %u: not the same again", s->row.name, (unsigned)seed, l);
            if (free && (seed == 1 ? v != 0 : seed == 2 ? v != s->ones : (v & ~s->ones) != 0))
                fail_msg("%s: seed %u, lane %u: 0x%x", s->row.name, (unsigned)seed, l, v);
            if (s->always && (v != l + 5 || bound.memory[1].words[l] != v))
                fail_msg("%s: lane %u: 0x%x, and 0x%x where all is drawn", s->row.name, l, v, bound.memory[1].words[l]);
            differ_by_seed += seed > 3 && last.memory[1].words[l] != v;
            differ_by_lane += seed > 2 && r.memory[1].words[first] != v;
        }
        last = r;
        bool same = true;
        LANES_EACH (l, lanes)
            same &= r.memory[1].words[l] == r.memory[1].words[first];
        if (free && s->ones == ALL_ONES && seed > 2 && same != s->shared)
            fail_msg("%s: seed %u: %s in all lanes", s->row.name, (unsigned)seed, same ? "one value" : "not one value");
    }
    if (free && (!differ_by_seed || !differ_by_lane == !s->shared))
        fail_msg("%s: %u differ by seed, %u by lane", s->row.name, differ_by_seed, differ_by_lane);
    arena_free(&a);
}

static void test_sources(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++)
            check_source(tools, &sources[k], machine);
    spv_tools_free(tools);
}

// Two uses of one value see one value; two OpUndef, two cells and two executions need not.
static void test_same(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    static const struct {
        struct row row;
        bool same;
    } table[] = {
        {{"one value twice", "%un = OpUndef %u32\n%r = OpISub %u32 %un %un\n"}, true},
        {{"one variable twice", "%p = OpLoad %u32 %local\n%q = OpLoad %u32 %local\n%r = OpISub %u32 %p %q\n"}, true},
        {{"two variables", "%p = OpLoad %u32 %local\n%q = OpLoad %u32 %local2\n%r = OpISub %u32 %p %q\n"}, false},
        {{"two results", "%p = OpUDiv %u32 %x %u0\n%q = OpUDiv %u32 %y %u0\n%r = OpISub %u32 %p %q\n"}, false},
        {{"two components", "%un = OpUndef %uvec2\n%p = OpCompositeExtract %u32 %un 0\n"
          "%q = OpCompositeExtract %u32 %un 1\n%r = OpISub %u32 %p %q\n"}, false},
        {{"two words of Workgroup memory", "%a = OpAccessChain %shared_word_ptr %shared %u3\n"
          "%b = OpAccessChain %shared_word_ptr %shared %u4\n%p = OpLoad %u32 %a\n%q = OpLoad %u32 %b\n"
          "%r = OpISub %u32 %p %q\n"}, false},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct arena a = {0};
        struct spv_case c;
        row_case(tools, &a, &table[k].row, &c);
        const struct orc_result r = drawn(&a, &c, 7, false, ORC_MASK);
        for (uint32_t l = 0; l < LANES; l++)
            if (!is_defined(&r, l) || (r.memory[1].words[l] == 0) != table[k].same)
                fail_msg("%s, lane %u: 0x%x", table[k].row.name, l, r.memory[1].words[l]);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sources), cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
