// SPDX-License-Identifier: Apache-2.0
//
// Instructions that work component by component: of four they give what they give of each one alone, the
// values, what is defined, and in a run that remembers (oracle/trace.h) where a value comes from; in all lanes
// and in some, with components that are not defined. What they give of one alone other tests say. And they
// write nothing behind their result: what lies there is a value of a caller that waits.
#include "test_orc_text.h"

#include "oracle/trace.h"

// '@' begins a type, '#' an operand or a result, of one component or of all four:
//   @u @i @f @b @h @d @c @l        u32, i32, f32, bool, f16, f64, u8, u64;  @U @F @E pairs: u u, f f, f i
//   #x #y #z, #i #j, #f #g #h, #p #q   operands: u32, i32, f32, bool; #t #s on the way; #r the result
struct op {
    char result; // u, i, f, b
    const char *text, *decoration;
};
#define TWO(r, t, op, a, b) {r, "#r = " op " @" t " #" a " #" b "\n", NULL}
#define ONE(r, t, op, a) {r, "#r = " op " @" t " #" a "\n", NULL}
#define EXT1(r, t, op, a) {r, "#r = OpExtInst @" t " %glsl " op " #" a "\n", NULL}
#define EXT2(r, t, op, a, b) {r, "#r = OpExtInst @" t " %glsl " op " #" a " #" b "\n", NULL}
#define EXT3(r, t, op, a, b, c) {r, "#r = OpExtInst @" t " %glsl " op " #" a " #" b " #" c "\n", NULL}
#define PAIR(op, k) {'u', "#t = " op " @U #x #y\n#r = OpCompositeExtract @u #t " #k "\n", NULL}
#define EACH_SCAN(r, t, op, a)                                                                     \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 Reduce #" a "\n", NULL},                          \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 InclusiveScan #" a "\n", NULL},                   \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 ExclusiveScan #" a "\n", NULL},                   \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 ClusteredReduce #" a " %u4\n", NULL},             \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 PartitionedReduceNV #" a " %odd\n", NULL},        \
    {r, "#r = OpGroupNonUniform" op " @" t " %u3 PartitionedExclusiveScanNV #" a " %odd\n", NULL}

static const struct op ops[] = {
    TWO('u', "u", "OpIAdd", "x", "y"), TWO('u', "u", "OpISub", "x", "y"), TWO('u', "u", "OpIMul", "x", "y"),
    TWO('u', "u", "OpUDiv", "x", "y"), TWO('u', "u", "OpUMod", "x", "y"), TWO('i', "i", "OpSDiv", "i", "j"),
    TWO('i', "i", "OpSRem", "i", "j"), TWO('i', "i", "OpSMod", "i", "j"), ONE('i', "i", "OpSNegate", "i"),
    ONE('u', "u", "OpNot", "x"), ONE('u', "u", "OpBitReverse", "x"), ONE('u', "u", "OpBitCount", "x"),
    TWO('u', "u", "OpBitwiseAnd", "x", "y"), TWO('u', "u", "OpBitwiseOr", "x", "y"), TWO('u', "u", "OpBitwiseXor", "x", "y"),
    TWO('u', "u", "OpShiftLeftLogical", "x", "z"), TWO('u', "u", "OpShiftRightLogical", "x", "z"),
    TWO('i', "i", "OpShiftRightArithmetic", "i", "z"), TWO('b', "b", "OpIEqual", "x", "y"), TWO('b', "b", "OpINotEqual", "x", "y"),
    TWO('b', "b", "OpULessThan", "x", "y"), TWO('b', "b", "OpUGreaterThanEqual", "x", "y"), TWO('b', "b", "OpSLessThan", "i", "j"),
    TWO('b', "b", "OpSGreaterThanEqual", "i", "j"), TWO('b', "b", "OpLogicalAnd", "p", "q"), TWO('b', "b", "OpLogicalOr", "p", "q"),
    TWO('b', "b", "OpLogicalEqual", "p", "q"), TWO('b', "b", "OpLogicalNotEqual", "p", "q"), ONE('b', "b", "OpLogicalNot", "p"),
    {'u', "#r = OpSelect @u #p #x #y\n", NULL}, {'f', "#r = OpSelect @f #q #f #g\n", NULL},
    {'u', "#r = OpSelect @u %on #x #y\n", NULL}, {'b', "#r = OpSelect @b #p #q #p\n", NULL},
    PAIR("OpIAddCarry", 0), PAIR("OpIAddCarry", 1), PAIR("OpISubBorrow", 0), PAIR("OpISubBorrow", 1),
    PAIR("OpUMulExtended", 0), PAIR("OpUMulExtended", 1), PAIR("OpSMulExtended", 0), PAIR("OpSMulExtended", 1),
    {'u', "#r = OpBitFieldInsert @u #x #y %u4 %lane\n", NULL}, {'u', "#r = OpBitFieldInsert @u #x #y %lane %u3\n", NULL},
    {'u', "#r = OpBitFieldUExtract @u #x %lane %u5\n", NULL}, {'i', "#r = OpBitFieldSExtract @i #i %u3 %lane\n", NULL},
    {'u', "#r = OpBitFieldUExtract @u #x %u5 %none\n", NULL}, {'u', "#r = OpBitFieldInsert @u #x #y %none %u4\n", NULL},
    {'u', "#t = OpUConvert @c #x\n#r = OpUConvert @u #t\n", NULL}, {'u', "#t = OpUConvert @c #x\n#r = OpSConvert @u #t\n", NULL},
    {'u', "#t = OpSConvert @l #i\n#s = OpShiftRightLogical @l #t #t\n#r = OpUConvert @u #t\n", NULL},
    {'u', "#r = OpIAdd @u #x #y\n", "NoUnsignedWrap"}, {'u', "#r = OpISub @u #x #y\n", "NoSignedWrap"},
    {'u', "#r = OpIMul @u #x #y\n", "NoUnsignedWrap"}, {'i', "#r = OpSNegate @i #i\n", "NoSignedWrap"},
    {'u', "#r = OpShiftLeftLogical @u #x #z\n", "NoSignedWrap"},
    EXT1('i', "i", "SAbs", "i"), EXT1('i', "i", "SSign", "i"), EXT1('u', "u", "FindILsb", "x"), EXT1('u', "u", "FindUMsb", "x"),
    EXT1('i', "i", "FindSMsb", "i"), EXT2('u', "u", "UMin", "x", "y"), EXT2('i', "i", "SMax", "i", "j"),
    EXT3('u', "u", "UClamp", "x", "y", "z"), EXT3('i', "i", "SClamp", "i", "j", "i"),
    ONE('i', "i", "OpBitcast", "x"), ONE('f', "f", "OpBitcast", "x"), ONE('u', "u", "OpBitcast", "f"),

    TWO('f', "f", "OpFAdd", "f", "g"), TWO('f', "f", "OpFSub", "f", "g"), TWO('f', "f", "OpFMul", "f", "g"), TWO('f', "f", "OpFDiv", "f", "g"),
    TWO('f', "f", "OpFRem", "f", "g"), TWO('f', "f", "OpFMod", "f", "g"), {'f', "#r = OpFAdd @f #f #g\n", "NoContraction"}, ONE('f', "f", "OpFNegate", "f"),
    TWO('b', "b", "OpFOrdEqual", "f", "g"), TWO('b', "b", "OpFUnordNotEqual", "f", "g"), TWO('b', "b", "OpFOrdLessThan", "f", "g"),
    TWO('b', "b", "OpFUnordGreaterThanEqual", "f", "g"), ONE('b', "b", "OpIsNan", "f"), ONE('b', "b", "OpIsInf", "f"),
    ONE('u', "u", "OpConvertFToU", "f"), ONE('i', "i", "OpConvertFToS", "f"), ONE('f', "f", "OpConvertUToF", "x"), ONE('f', "f", "OpConvertSToF", "i"),
    {'f', "#t = OpFConvert @d #f\n#r = OpFConvert @f #t\n", NULL}, {'f', "#t = OpFConvert @h #f\n#r = OpFConvert @f #t\n", NULL},
    ONE('f', "f", "OpQuantizeToF16", "f"), EXT1('f', "f", "FAbs", "f"), EXT1('f', "f", "FSign", "f"), EXT1('f', "f", "Floor", "f"), EXT1('f', "f", "Fract", "f"),
    EXT1('f', "f", "RoundEven", "f"), EXT2('f', "f", "FMin", "f", "g"), EXT2('f', "f", "NMax", "f", "g"), EXT2('f', "f", "Step", "f", "g"),
    EXT3('f', "f", "FClamp", "f", "g", "h"), EXT3('f', "f", "Fma", "f", "g", "h"), EXT3('f', "f", "FMix", "f", "g", "h"),
    EXT3('f', "f", "SmoothStep", "f", "g", "h"), EXT1('f', "f", "Sqrt", "f"), EXT1('f', "f", "Exp2", "f"), EXT2('f', "f", "Pow", "f", "g"),
    EXT2('f', "f", "Atan2", "f", "g"), EXT2('f', "f", "Ldexp", "f", "i"),
    {'f', "#t = OpExtInst @F %glsl ModfStruct #f\n#r = OpCompositeExtract @f #t 0\n", NULL}, {'f', "#t = OpExtInst @F %glsl ModfStruct #f\n#r = OpCompositeExtract @f #t 1\n", NULL},
    {'f', "#t = OpExtInst @E %glsl FrexpStruct #f\n#r = OpCompositeExtract @f #t 0\n", NULL}, {'i', "#t = OpExtInst @E %glsl FrexpStruct #f\n#r = OpCompositeExtract @i #t 1\n", NULL},

    EACH_SCAN('u', "u", "IAdd", "x"), EACH_SCAN('u', "u", "IMul", "x"), EACH_SCAN('u', "u", "UMin", "x"), EACH_SCAN('i', "i", "SMax", "i"),
    EACH_SCAN('u', "u", "BitwiseXor", "x"), EACH_SCAN('b', "b", "LogicalAnd", "p"), EACH_SCAN('b', "b", "LogicalOr", "q"),
    EACH_SCAN('f', "f", "FAdd", "f"), EACH_SCAN('f', "f", "FMul", "f"), EACH_SCAN('f', "f", "FMin", "f"), EACH_SCAN('f', "f", "FMax", "g"),
    {'u', "#r = OpGroupNonUniformBroadcast @u %u3 #x %u2\n", NULL}, {'f', "#r = OpGroupNonUniformBroadcastFirst @f %u3 #f\n", NULL},
    {'u', "#r = OpGroupNonUniformShuffle @u %u3 #x %a_z0\n", NULL}, {'u', "#r = OpGroupNonUniformShuffleXor @u %u3 #x %u3\n", NULL},
    {'b', "#r = OpGroupNonUniformShuffleUp @b %u3 #p %u1\n", NULL}, {'i', "#r = OpGroupNonUniformShuffleDown @i %u3 #i %u2\n", NULL},
    {'u', "#r = OpGroupNonUniformRotateKHR @u %u3 #x %u1\n", NULL}, {'u', "#r = OpGroupNonUniformRotateKHR @u %u3 #x %u1 %u4\n", NULL},
    {'u', "#r = OpGroupNonUniformQuadSwap @u %u3 #x %u2\n", NULL}, {'u', "#r = OpGroupNonUniformQuadBroadcast @u %u3 #x %u1\n", NULL},
};
enum { OPS = sizeof ops / sizeof *ops, BATCH = 16, PLACES = BATCH * 8, IN = 7 * 4 * LANES, MORE = IN + PLACES * LANES };

// ---- the text -------------------------------------------------------------------------------

struct page {
    char text[60000];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct page *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->n += (size_t)vsnprintf(to->text + to->n, sizeof to->text - to->n, format, args);
    va_end(args);
    assert_true(to->n < sizeof to->text);
}

static const char *type_of(char t, bool vector)
{
    switch (t) {
    case 'u': return vector ? "%uvec4" : "%u32";
    case 'i': return vector ? "%ivec4" : "%i32";
    case 'f': return vector ? "%vec4" : "%f32";
    case 'b': return vector ? "%bvec4" : "%bool";
    case 'h': return vector ? "%hvec4" : "%f16";
    case 'd': return vector ? "%dvec4" : "%f64";
    case 'c': return vector ? "%u8vec4" : "%u8";
    case 'l': return vector ? "%lvec4" : "%u64";
    case 'U': return vector ? "%uu4" : "%uu";
    case 'F': return vector ? "%ff4" : "%ff";
    default: return vector ? "%fi4" : "%fi";
    }
}

// An instruction of component k, or of all where k is 4.
static void put(struct page *to, const struct op *op, uint32_t n, uint32_t k)
{
    for (const char *p = op->text; *p; p++)
        if (*p == '@')
            add(to, "%s", type_of(*++p, k == 4));
        else if (*p == '#' && strchr("rts", p[1]))
            add(to, "%%%c%u_%u", *++p, (unsigned)n, (unsigned)k);
        else if (*p == '#')
            add(to, "%%a_%c%u", *++p, (unsigned)k);
        else
            add(to, "%c", *p);
}

// A component of a result, as a word, to its place.
static void keep(struct page *to, char kind, uint32_t n, uint32_t k, bool vector)
{
    const uint32_t place = (n % BATCH * 4 + k) * 2 + vector;
    char of[32];
    snprintf(of, sizeof of, "%%r%u_%u", (unsigned)n, (unsigned)k);
    if (vector) {
        add(to, "%%e%u = OpCompositeExtract %s %%r%u_4 %u\n", place, type_of(kind, false), (unsigned)n, (unsigned)k);
        snprintf(of, sizeof of, "%%e%u", (unsigned)place);
    }
    if (kind == 'b')
        add(to, "%%w%u = OpSelect %%u32 %s %%u1 %%u0\n", place, of);
    else
        add(to, "%%w%u = %s %%u32 %s\n", place, kind == 'u' ? "OpCopyObject" : "OpBitcast", of);
    add(to, "%%o%u = OpAccessChain %%word_ptr %%more %%u0 %%n%u %%lane\nOpStore %%o%u %%w%u\n", place, 28 + place, place, place);
}

// x, y, z of each component, and by how much each is shifted: 0, or so far that it is not defined; an integer.
static void operands(struct page *to)
{
    static const char names[] = "xyz";
    for (uint32_t j = 0; j < 7; j++)
        for (uint32_t k = 0; k < 4; k++)
            add(to, "%%p%u_%u = OpAccessChain %%word_ptr %%more %%u0 %%n%u %%lane\n%%in%u_%u = OpLoad %%u32 %%p%u_%u\n", j, k, j * 4 + k, j, k, j, k);
    for (uint32_t j = 0; j < 3; j++)
        for (uint32_t k = 0; k < 4; k++)
            add(to, "%%a_%c%u = OpShiftLeftLogical %%u32 %%in%u_%u %%in%u_%u\n", names[j], k, j, k, j + 3, k);
    for (uint32_t k = 0; k < 4; k++) {
        add(to, "%%a_f%u = OpBitcast %%f32 %%a_x%u\n%%a_g%u = OpBitcast %%f32 %%a_y%u\n%%a_h%u = OpConvertUToF %%f32 %%in6_%u\n", k, k, k, k, k, k);
        add(to, "%%a_i%u = OpBitcast %%i32 %%a_x%u\n%%a_j%u = OpBitcast %%i32 %%a_y%u\n", k, k, k, k);
        add(to, "%%a_p%u = OpUGreaterThan %%bool %%a_x%u %%u3\n%%a_q%u = OpUGreaterThan %%bool %%a_y%u %%u3\n", k, k, k, k);
    }
    for (const char *p = "xyzijfghpq"; *p; p++)
        add(to, "%%a_%c4 = OpCompositeConstruct %s %%a_%c0 %%a_%c1 %%a_%c2 %%a_%c3\n", *p,
            type_of(strchr("xyz", *p) ? 'u' : strchr("ij", *p) ? 'i' : strchr("fgh", *p) ? 'f' : 'b', true), *p, *p, *p, *p);
    add(to, "%%bit0 = OpBitwiseAnd %%u32 %%lane %%u1\n%%odd = OpGroupNonUniformPartitionNV %%uvec4 %%bit0\n"
            "%%none = OpShiftLeftLogical %%u32 %%u1 %%in3_1\n");
}

#define TYPES "%bvec4 = OpTypeVector %bool 4\n%ivec4 = OpTypeVector %i32 4\n%hvec4 = OpTypeVector %f16 4\n%dvec4 = OpTypeVector %f64 4\n" \
    "%lvec4 = OpTypeVector %u64 4\n%uu4 = OpTypeStruct %uvec4 %uvec4\n%ff4 = OpTypeStruct %vec4 %vec4\n%fi4 = OpTypeStruct %vec4 %ivec4\n"

// ---- one and all ------------------------------------------------------------------------------

static uint64_t seed = 5;
static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n;
}

// Small integers, bits of floats, numbers near the ends. Which components are not defined: none, one of one
// lane, or many.
static void inputs(uint32_t *to, unsigned turn)
{
    static const uint32_t some[] = {0x3f800000, 0x40200000, 0xc0000000, 0x3f400000, 0x40a00000, 0x3eaaaaab, 0xbfc00000, 0x41000000,
                                    0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 1, 2, 7, 0x7f800000};
    for (uint32_t j = 0; j < 7; j++)
        for (uint32_t k = 0; k < 4; k++)
            for (uint32_t l = 0; l < LANES; l++) {
                uint32_t *w = &to[(j * 4 + k) * LANES + l];
                if (j < 2)
                    *w = turn < 2 ? some[below(8)] : turn < 4 ? below(9) : some[below(16)];
                else if (j == 2 || j == 6)
                    *w = below(LANES);
                else
                    *w = turn % 2 == 0 ? 0 : turn == 1 || turn == 5 ? (j == 3 && k == 1 && l == 2 ? 32 : 0) : below(4) ? 0 : 32;
            }
}

static void check_batch(struct spv_tools *tools, uint32_t first, lane_mask active, uint32_t *defined, uint32_t *undefined)
{
    static struct page code, globals, notes;
    struct arena a = {0};
    struct spv_case c;
    struct orc_why why;
    const uint32_t last = first + BATCH < OPS ? first + BATCH : OPS;
    code.n = globals.n = notes.n = 0;
    add(&notes, "OpDecorate %%more DescriptorSet 0\nOpDecorate %%more Binding 2\nOpDecorate %%eights ArrayStride 32\nOpDecorate %%eight ArrayStride 4\n"
                "OpDecorate %%more_block Block\nOpMemberDecorate %%more_block 0 Offset 0\nOpDecorate %%more Coherent\n");
    add(&globals, "%s%%eight = OpTypeArray %%u32 %%u8c\n%%eights = OpTypeRuntimeArray %%eight\n%%more_block = OpTypeStruct %%eights\n"
                  "%%more_ptr = OpTypePointer StorageBuffer %%more_block\n%%more = OpVariable %%more_ptr StorageBuffer\n", TYPES);
    for (uint32_t k = 0; k < 28 + PLACES; k++)
        add(&globals, "%%n%u = OpConstant %%u32 %u\n", (unsigned)k, (unsigned)k);
    operands(&code);
    for (uint32_t n = first; n < last; n++)
        for (uint32_t k = 0; k <= 4; k++) {
            put(&code, &ops[n], n, k);
            if (ops[n].decoration)
                add(&notes, "OpDecorate %%r%u_%u %s\n", (unsigned)n, (unsigned)k, ops[n].decoration);
            for (uint32_t part = 0; part < 4; part++)
                if (k == 4 || part == k)
                    keep(&code, ops[n].result, n, part, k == 4);
        }
    add(&code, "%%r = OpIAdd %%u32 %%x %%y\n");
    const struct row row = {"one and all", code.text, .active = active, .globals = globals.text, .annotations = notes.text, .interface = " %more"};
    row_case(tools, &a, &row, &c);
    c.model = SPV_ASSUMED_MAXIMAL;
    c.buffer_count = 3;
    c.buffer[2] = (struct spv_buffer){.binding = 2, .count = MORE, .words = ARENA_ARRAY(&a, uint32_t, MORE)};
    struct orc_program *p = orc_load(&a, &c, &why);
    if (!p)
        fail_msg("%s", why.text);
    for (unsigned turn = 0; turn < 7; turn++) {
        inputs(c.buffer[2].words, turn);
        for (int traced = 0; traced < 2; traced++) {
            struct orc_trace t = {.arena = &a};
            struct orc_options o = {.trace = traced ? &t : NULL, .order = (uint32_t)traced};
            struct orc_result r;
            orc_run(p, &a, &c, 0, &o, &r);
            if (r.why.status != RAN_OK)
                fail_msg("ops %u to %u: %s", (unsigned)first, (unsigned)last, r.why.text);
            for (uint32_t at = 0; at < (last - first) * 4 * LANES; at++) {
                const uint32_t l = at % LANES, place = at / LANES, one = IN + place * 2 * LANES + l, all = one + LANES;
                const uint32_t *w = r.memory[2].words, *m = r.memory[2].mask;
                const uint32_t m1 = m ? m[one] : UINT32_MAX, m4 = m ? m[all] : UINT32_MAX;
                const enum orc_birth b1 = traced && t.words[2] ? orc_origin(t.words[2][one]).birth : 0,
                                     b4 = traced && t.words[2] ? orc_origin(t.words[2][all]).birth : 0;
                if (traced && strpbrk(ops[first + place / 4].text, "UFE") && strstr(ops[first + place / 4].text, "OpCompositeExtract"))
                    continue; // of a struct all cells come from all operands
                if (w[one] != w[all] || m1 != m4 || b1 != b4)
                    fail_msg("%scomponent %u, lane %u, turn %u%s: of one 0x%x (mask 0x%x, birth %d), of four 0x%x (mask 0x%x, birth %d)",
                             ops[first + place / 4].text, place % 4, l, turn, traced ? ", traced" : "", w[one], m1, (int)b1, w[all], m4, (int)b4);
                if (!traced && lane_in(active, l))
                    ++*(m1 ? defined : undefined);
            }
        }
    }
    arena_free(&a);
}

static void test_all(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    uint32_t defined = 0, undefined = 0;
    for (uint32_t first = 0; first < OPS; first += BATCH)
        for (int some = 0; some < 2; some++)
            check_batch(tools, first, some ? 0x96 : 0xff, &defined, &undefined);
    assert_true(defined > undefined && undefined > defined / 8);
    spv_tools_free(tools);
}

// ---- nothing behind it --------------------------------------------------------------------------

// Results of other shapes than their operands'.
static const struct op others[] = {
#define OTHER(text) {'u', text, NULL}
    OTHER("#r = OpGroupNonUniformBallot %uvec4 %u3 #p\n"), OTHER("#r = OpGroupNonUniformPartitionNV %uvec4 #x\n"), OTHER("#r = OpGroupNonUniformAll %bool %u3 #p\n"), OTHER("#r = OpGroupNonUniformAllEqual %bool %u3 #x\n"),
    OTHER("#r = OpGroupNonUniformElect %bool %u3\n"), OTHER("#r = OpGroupNonUniformInverseBallot %bool %u3 %odd4\n"), OTHER("#r = OpGroupNonUniformBallotBitExtract %bool %u3 %odd #x\n"),
    OTHER("#r = OpGroupNonUniformBallotBitCount %u32 %u3 Reduce %odd\n"), OTHER("#r = OpGroupNonUniformBallotFindLSB %u32 %u3 %odd\n"), OTHER("#r = OpGroupNonUniformShuffle %u32 %u3 #x #z\n"), OTHER("#r = OpUDiv %u32 #x %none\n"),
    OTHER("#r = OpFDiv %f32 #f #g\n"), OTHER("#r = OpExtInst %f32 %glsl Sqrt #f\n"), OTHER("#r = OpConvertFToU %u32 #f\n"), OTHER("#r = OpBitFieldInsert %u32 #x #y %u1 %u3\n"), OTHER("#r = OpExtInst %vec2 %glsl UnpackHalf2x16 #x\n"),
    OTHER("#r = OpExtInst %vec2 %glsl UnpackUnorm2x16 #x\n"), OTHER("#r = OpExtInst %vec4 %glsl UnpackSnorm4x8 #x\n"), OTHER("#r = OpBitcast %u8vec4 #x\n"), OTHER("#r = OpBitcast %u16vec2 #f\n"), OTHER("#r = OpBitcast %f32 #x\n"),
};
static const struct op of_four[] = {
    OTHER("#r = OpAny %bool #p\n"), OTHER("#r = OpAll %bool #p\n"), OTHER("#r = OpDot %f32 #f #g\n"), OTHER("#r = OpUDot %u32 #x #y\n"), OTHER("#r = OpSDot %i32 #i #j\n"), OTHER("#r = OpUDotAccSat %u32 #x #z %u1\n"),
    OTHER("#r = OpVectorExtractDynamic %u32 #x %u2\n"), OTHER("#r = OpVectorInsertDynamic %uvec4 #x %u5 %u3\n"), OTHER("#r = OpVectorInsertDynamic %vec4 #f %f2 %u5\n"), OTHER("#r = OpVectorTimesScalar %vec4 #f %f2\n"),
    OTHER("#r = OpVectorTimesMatrix %vec2 %none2 %nonem\n"), OTHER("#r = OpMatrixTimesVector %vec2 %nonem %none2\n"), OTHER("#r = OpMatrixTimesMatrix %mat2 %nonem %nonem\n"), OTHER("#r = OpOuterProduct %mat2 %none2 %none2\n"),
    OTHER("#r = OpMatrixTimesScalar %mat2 %nonem %f2\n"), OTHER("#r = OpTranspose %mat2 %nonem\n"), OTHER("#r = OpExtInst %u32 %glsl PackSnorm4x8 #f\n"), OTHER("#r = OpExtInst %u32 %glsl PackUnorm4x8 #f\n"),
    OTHER("#r = OpExtInst %u32 %glsl PackHalf2x16 %none2\n"), OTHER("#r = OpExtInst %u32 %glsl PackSnorm2x16 %none2\n"), OTHER("#r = OpExtInst %f32 %glsl Length #f\n"), OTHER("#r = OpExtInst %f32 %glsl Distance #f #g\n"),
    OTHER("#r = OpExtInst %vec4 %glsl Normalize #f\n"), OTHER("#r = OpExtInst %vec4 %glsl Reflect #f #g\n"), OTHER("#r = OpBitcast %u64 %null2\n"), OTHER("#r = OpGroupNonUniformAllEqual %bool %u3 #f\n"), OTHER("#r = OpGroupNonUniformPartitionNV %uvec4 #f\n"),
};

// %g ends with the instruction; the parameter of %f, which calls it, lies behind it: a number that is no NaN's
// bits by accident, and not small.
static void test_behind(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    enum { OTHERS = sizeof others / sizeof *others, OF_FOUR = sizeof of_four / sizeof *of_four };
    for (uint32_t n = 0; n < OPS + OTHERS + OF_FOUR; n++)
        for (uint32_t vector = n >= OPS + OTHERS; vector < (n >= OPS && n < OPS + OTHERS ? 1 : 2); vector++) {
            const struct op *op = n < OPS ? &ops[n] : n < OPS + OTHERS ? &others[n - OPS] : &of_four[n - OPS - OTHERS];
            static struct page functions, notes;
            functions.n = notes.n = 0;
            add(&functions, "%%g = OpFunction %%void None %%fn\n%%gl = OpLabel\n%%lane2 = OpLoad %%u32 %%lane_var\n");
            for (uint32_t k = 0; k < 4; k++) {
                add(&functions, "%%a_x%u = OpIAdd %%u32 %%lane2 %%u%u\n%%a_y%u = OpIAdd %%u32 %%a_x%u %%u3\n%%a_z%u = OpBitwiseAnd %%u32 %%a_x%u %%u3\n", k, k, k, k, k, k);
                add(&functions, "%%a_f%u = OpConvertUToF %%f32 %%a_y%u\n%%a_g%u = OpFMul %%f32 %%a_f%u %%f2\n%%a_h%u = OpFMul %%f32 %%a_f%u %%f3\n", k, k, k, k, k, k);
                add(&functions, "%%a_i%u = OpBitcast %%i32 %%a_x%u\n%%a_j%u = OpBitcast %%i32 %%a_y%u\n%%a_p%u = OpULessThan %%bool %%a_x%u %%u3\n%%a_q%u = OpLogicalNot %%bool %%a_p%u\n", k, k, k, k, k, k, k, k);
            }
            for (const char *p = "xyzijfghpq"; *p; p++)
                add(&functions, "%%a_%c4 = OpCompositeConstruct %s %%a_%c0 %%a_%c1 %%a_%c2 %%a_%c3\n", *p,
                    type_of(strchr("xyz", *p) ? 'u' : strchr("ij", *p) ? 'i' : strchr("fgh", *p) ? 'f' : 'b', true), *p, *p, *p, *p);
            add(&functions, "%%bit0 = OpBitwiseAnd %%u32 %%lane2 %%u1\n%%odd = OpGroupNonUniformPartitionNV %%uvec4 %%bit0\n%%o2 = OpULessThan %%bool %%a_x0 %%a_y0\n"
                            "%%none = OpShiftLeftLogical %%u32 %%u1 %%active\n%%odd4 = OpCompositeConstruct %%uvec4 %%u5 %%u0 %%u0 %%u0\n%%fnone = OpBitcast %%f32 %%none\n"
                            "%%none2 = OpCompositeConstruct %%vec2 %%fnone %%f1\n%%nonem = OpCompositeConstruct %%mat2 %%none2 %%none2\n");
            const size_t start = functions.n;
            put(&functions, op, n, vector ? 4 : 0);
            for (char *p = functions.text + start; (p = strstr(p, "%lane")); p++) // of another function
                memcpy(p, "%bit0", 5);
            for (char *p = functions.text + start; (p = strstr(p, "%on ")); p++)
                memcpy(p, "%o2 ", 4);
            // Structs: the two results are the last of all, what is taken out of them is not.
            char *taken = strstr(functions.text + start, "#r = ");
            assert_null(taken);
            if (strstr(op->text, "@U") || strstr(op->text, "@F") || strstr(op->text, "@E"))
                *(strstr(functions.text + start, "\n") + 1) = 0, functions.n = strlen(functions.text);
            add(&functions, "OpReturn\nOpFunctionEnd\n%%f = OpFunction %%u32 None %%f_type\n%%param = OpFunctionParameter %%u32\n%%fl = OpLabel\n"
                            "%%called = OpFunctionCall %%void %%g\nOpReturnValue %%param\nOpFunctionEnd\n");
            if (op->decoration)
                add(&notes, "OpDecorate %%r%u_%u %s\n", (unsigned)n, vector ? 4u : 0u, op->decoration);
            const struct row row = {op->text, "%r = OpFunctionCall %u32 %f %x\n", {0x7fc12345, 0x7fffffff, 0x80000001, 0xffc00001, 0x7fabcdef, 0x12345, 0x81, 0xffffffff}, {0},
                                    {0x7fc12345, 0x7fffffff, 0x80000001, 0xffc00001, 0x7fabcdef, 0x12345, 0x81, 0xffffffff},
                                    .globals = TYPES "%f_type = OpTypeFunction %u32 %u32\n", .functions = functions.text, .annotations = op->decoration ? notes.text : NULL};
            check_row(tools, &row);
        }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
