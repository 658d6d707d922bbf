// SPDX-License-Identifier: Apache-2.0
//
// Float instructions and conversions against the machine's own floats, which are IEEE 754's. The
// oracle gives a result only where it is exact and no freedom of Vulkan's shows (docs/rules.md,
// "Floats"). So: what it gives must be what the machine computes without rounding; and of small whole
// numbers and quarters, with a result that is neither zero nor rounded, it must give something. One
// module for each width does all instructions; of 16 bits x is every number there is.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "oracle/oracle.h"
#include "test_numbers.h"

#include <stdio.h>

enum { GROUPS = 64, INVOCATIONS = 128 * GROUPS, IN_WORDS = 6, TURNS = 16 };

// Operands x, y, z of w bits: as floats, and x as an integer.
struct operands {
    unsigned w;
    double x, y, z;
    uint64_t bits;
    int64_t whole;
};
typedef bool reference(const struct operands *o, double *r); // false: undefined

#define TOTAL(name, value)                                                                         \
    static bool name(const struct operands *o, double *r)                                          \
    {                                                                                              \
        *r = (value);                                                                              \
        return true;                                                                               \
    }
#define WHERE(name, defined, value)                                                                \
    static bool name(const struct operands *o, double *r)                                          \
    {                                                                                              \
        *r = (value);                                                                              \
        return (defined);                                                                          \
    }

// A sum or product that is exact: what is left of it is nothing. (TwoSum; a product of the
// significands by the fused operation, which rounds once: there nothing is too small for it.)
static bool sum_is_exact(double a, double b)
{
    volatile double s = a + b, from_b = s - a, from_a = s - from_b;
    return b - from_b == 0 && a - from_a == 0;
}
static bool product_is_exact(double a, double b)
{
    int ignored;
    double x = frexp(a, &ignored), y = frexp(b, &ignored);
    return fma(x, y, -(x * y)) == 0;
}

WHERE(f_add, sum_is_exact(o->x, o->y), o->x + o->y)
WHERE(f_sub, sum_is_exact(o->x, -o->y), o->x - o->y)
WHERE(f_mul, product_is_exact(o->x, o->y), o->x * o->y)
WHERE(f_fma, product_is_exact(o->x, o->y) && sum_is_exact(o->x * o->y, o->z), o->x * o->y + o->z)
TOTAL(f_negate, -o->x)
TOTAL(equal, o->x == o->y)
TOTAL(less_greater, o->x < o->y || o->x > o->y)
TOTAL(not_equal, o->x != o->y)
TOTAL(less, o->x < o->y)
TOTAL(greater, o->x > o->y)
TOTAL(less_equal, o->x <= o->y)
TOTAL(greater_equal, o->x >= o->y)
TOTAL(f_abs, fabs(o->x))
TOTAL(f_sign, o->x < 0 ? -1 : o->x > 0)
TOTAL(f_floor, floor(o->x))
TOTAL(f_ceil, ceil(o->x))
TOTAL(f_trunc, trunc(o->x))
TOTAL(f_round_even, nearbyint(o->x))
WHERE(f_round, fabs(o->x - trunc(o->x)) != 0.5 || fmod(trunc(o->x), 2) == 0, nearbyint(o->x))
TOTAL(f_fract, o->x - floor(o->x))
TOTAL(f_min, o->y < o->x ? o->y : o->x)
TOTAL(f_max, o->x < o->y ? o->y : o->x)
WHERE(f_clamp, o->y <= o->z, o->x < o->y ? o->y : o->x > o->z ? o->z : o->x)
TOTAL(f_step, o->y < o->x ? 0 : 1)
TOTAL(same, o->x)
TOTAL(from_unsigned, (double)o->bits)
TOTAL(from_signed, (double)o->whole)

// ---- the instructions ----------------------------------------------------------------

enum kind { NUMBER, TEST, INTEGER_U, INTEGER_S };

// $ is the float type of width w, # the integer type.
struct op {
    const char *text;
    reference *is;
    enum kind kind; // of the result
    unsigned width; // of the result; 0: that of the operands
    bool precise;   // NoContraction
    bool of_integer; // x is one
};
// Rows leave out what they do not need.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define GLSL "OpExtInst $ %glsl "
static const struct op ops[] = {
    {"OpFAdd $ %x %y", f_add}, {"OpFSub $ %x %y", f_sub}, {"OpFMul $ %x %y", f_mul},
    {"OpFAdd $ %x %y", f_add, .precise = true}, {"OpFSub $ %x %y", f_sub, .precise = true},
    {"OpFMul $ %x %y", f_mul, .precise = true}, {"OpFNegate $ %x", f_negate},
    {"OpFOrdEqual %bool %x %y", equal, TEST}, {"OpFUnordEqual %bool %x %y", equal, TEST},
    {"OpFOrdNotEqual %bool %x %y", less_greater, TEST}, {"OpFUnordNotEqual %bool %x %y", not_equal, TEST},
    {"OpFOrdLessThan %bool %x %y", less, TEST}, {"OpFUnordLessThan %bool %x %y", less, TEST},
    {"OpFOrdGreaterThan %bool %x %y", greater, TEST}, {"OpFUnordGreaterThan %bool %x %y", greater, TEST},
    {"OpFOrdLessThanEqual %bool %x %y", less_equal, TEST}, {"OpFUnordLessThanEqual %bool %x %y", less_equal, TEST},
    {"OpFOrdGreaterThanEqual %bool %x %y", greater_equal, TEST},
    {"OpFUnordGreaterThanEqual %bool %x %y", greater_equal, TEST},
    {GLSL "FAbs %x", f_abs}, {GLSL "FSign %x", f_sign}, {GLSL "Floor %x", f_floor}, {GLSL "Ceil %x", f_ceil},
    {GLSL "Trunc %x", f_trunc}, {GLSL "RoundEven %x", f_round_even}, {GLSL "Round %x", f_round},
    {GLSL "Fract %x", f_fract}, {GLSL "FMin %x %y", f_min}, {GLSL "NMin %x %y", f_min},
    {GLSL "FMax %x %y", f_max}, {GLSL "NMax %x %y", f_max}, {GLSL "FClamp %x %y %z", f_clamp},
    {GLSL "NClamp %x %y %z", f_clamp}, {GLSL "Step %x %y", f_step}, {GLSL "Fma %x %y %z", f_fma},
    {GLSL "Fma %x %y %z", f_fma, .precise = true},
    {"OpFConvert %f16 %x", same, NUMBER, 16}, {"OpFConvert %f32 %x", same, NUMBER, 32},
    {"OpFConvert %f64 %x", same, NUMBER, 64},
    {"OpConvertFToU %u8 %x", f_trunc, INTEGER_U, 8}, {"OpConvertFToU %u16 %x", f_trunc, INTEGER_U, 16},
    {"OpConvertFToU %u32 %x", f_trunc, INTEGER_U, 32}, {"OpConvertFToU %u64 %x", f_trunc, INTEGER_U, 64},
    {"OpConvertFToS %u8 %x", f_trunc, INTEGER_S, 8}, {"OpConvertFToS %u16 %x", f_trunc, INTEGER_S, 16},
    {"OpConvertFToS %u32 %x", f_trunc, INTEGER_S, 32}, {"OpConvertFToS %u64 %x", f_trunc, INTEGER_S, 64},
    {"OpConvertUToF %f16 %n", from_unsigned, NUMBER, 16, .of_integer = true},
    {"OpConvertUToF %f32 %n", from_unsigned, NUMBER, 32, .of_integer = true},
    {"OpConvertUToF %f64 %n", from_unsigned, NUMBER, 64, .of_integer = true},
    {"OpConvertSToF %f16 %n", from_signed, NUMBER, 16, .of_integer = true},
    {"OpConvertSToF %f32 %n", from_signed, NUMBER, 32, .of_integer = true},
    {"OpConvertSToF %f64 %n", from_signed, NUMBER, 64, .of_integer = true},
};
enum { OPS = sizeof ops / sizeof *ops };

static unsigned width_of(const struct op *op, unsigned w)
{
    return op->kind == TEST ? 1 : op->width ? op->width : w;
}
static bool is_there(const struct op *op, unsigned w) // OpFConvert changes the width
{
    return op->is != same || op->width != w;
}

static const char head[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
    "OpCapability Float16\nOpCapability Float64\n"
    "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %me_var %in %out\nOpExecutionMode %main LocalSize 128 1 1\n"
    "OpDecorate %me_var BuiltIn GlobalInvocationId\n"
    "OpDecorate %in_row ArrayStride 4\nOpDecorate %in_rows ArrayStride 24\n"
    "OpDecorate %out_row ArrayStride 4\nOpDecorate %out_rows ArrayStride 32768\n"
    "OpDecorate %in_block Block\nOpMemberDecorate %in_block 0 Offset 0\n"
    "OpDecorate %out_block Block\nOpMemberDecorate %out_block 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n";

static const char types[] =
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
    "%uvec2 = OpTypeVector %u32 2\n%uvec3 = OpTypeVector %u32 3\n%many = OpConstant %u32 8192\n"
    "%six = OpConstant %u32 6\n%in_row = OpTypeArray %u32 %six\n%in_rows = OpTypeRuntimeArray %in_row\n"
    "%in_block = OpTypeStruct %in_rows\n%in_ptr = OpTypePointer StorageBuffer %in_block\n"
    "%out_row = OpTypeArray %u32 %many\n%out_rows = OpTypeRuntimeArray %out_row\n"
    "%out_block = OpTypeStruct %out_rows\n%out_ptr = OpTypePointer StorageBuffer %out_block\n"
    "%word_ptr = OpTypePointer StorageBuffer %u32\n%me_ptr = OpTypePointer Input %uvec3\n"
    "%in = OpVariable %in_ptr StorageBuffer\n%out = OpVariable %out_ptr StorageBuffer\n"
    "%me_var = OpVariable %me_ptr Input\n";

_Static_assert(IN_WORDS == 6 && INVOCATIONS == 8192, "as the module's text has it");

struct module {
    unsigned w;
    uint32_t slot[OPS], slots;
    struct spv_case c;
    struct orc_program *program;
};

// An integer of w bits out of two words, and the same bits as a float.
static void load(struct text *t, unsigned w, const char *integer, const char *number, unsigned at)
{
    for (unsigned k = 0; k < 2; k++)
        text_add(t, "%%p%s%u = OpAccessChain %%word_ptr %%in %%k0 %%me %%k%u\n%%%s%u = OpLoad %%u32 %%p%s%u\n",
                 integer, k, at + k, integer, k, integer, k);
    if (w == 64)
        text_add(t, "%%%sv = OpCompositeConstruct %%uvec2 %%%s0 %%%s1\n%%%s = OpBitcast %%u64 %%%sv\n", integer,
                 integer, integer, integer, integer);
    else
        text_add(t, "%%%s = %s %%u%u %%%s0\n", integer, w == 32 ? "OpCopyObject" : "OpUConvert", w, integer);
    text_add(t, "%%%s = OpBitcast %%f%u %%%s\n", number, w, integer);
}

static void store(struct text *t, uint32_t slot, const char *name, uint32_t n)
{
    text_add(t, "%%to%u = OpAccessChain %%word_ptr %%out %%k0 %%k%u %%me\nOpStore %%to%u %%%s%u\n", slot, slot,
             slot, name, n);
}

static void write_op(struct text *t, const struct module *m, uint32_t n)
{
    const struct op *op = &ops[n];
    unsigned width = width_of(op, m->w);
    text_add(t, "%%r%u = ", n);
    for (const char *p = op->text; *p; p++)
        if (*p == '$')
            text_add(t, "%%f%u", m->w);
        else
            text_addn(t, p, 1);
    if (op->kind == TEST)
        text_add(t, "\n%%w%u = OpSelect %%u32 %%r%u %%k1 %%k0\n", n, n);
    else
        text_add(t, "\n%%b%u = %s %%u%u %%r%u\n", n, op->kind == NUMBER ? "OpBitcast" : "OpCopyObject", width, n);
    if (width == 64) {
        text_add(t, "%%v%u = OpBitcast %%uvec2 %%b%u\n", n, n);
        text_add(t, "%%w%u = OpCompositeExtract %%u32 %%v%u 0\n%%h%u = OpCompositeExtract %%u32 %%v%u 1\n", n, n,
                 n, n);
        store(t, m->slot[n] + 1, "h", n);
    } else if (width > 1)
        text_add(t, "%%w%u = %s %%u32 %%b%u\n", n, width == 32 ? "OpCopyObject" : "OpUConvert", n);
    store(t, m->slot[n], "w", n);
}

static void make_module(struct module *m, unsigned w, struct arena *a)
{
    struct spv_tools *tools = spv_tools_new();
    struct text t = {.arena = a};
    struct err e;
    struct orc_why why;
    *m = (struct module){.w = w};
    text_add(&t, "%s", head);
    for (uint32_t n = 0; n < OPS; n++) {
        m->slot[n] = m->slots;
        if (!is_there(&ops[n], w))
            continue;
        m->slots += width_of(&ops[n], w) == 64 ? 2 : 1;
        if (ops[n].precise)
            text_add(&t, "OpDecorate %%r%u NoContraction\n", n);
    }
    text_add(&t, "%s", types);
    for (uint32_t k = 0; k < m->slots; k++)
        text_add(&t, "%%k%u = OpConstant %%u32 %u\n", k, k);
    text_add(&t, "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%%id = OpLoad %%uvec3 %%me_var\n"
                 "%%me = OpCompositeExtract %%u32 %%id 0\n");
    load(&t, w, "n", "x", 0);
    load(&t, w, "ny", "y", 2);
    load(&t, w, "nz", "z", 4);
    for (uint32_t n = 0; n < OPS; n++)
        if (is_there(&ops[n], w))
            write_op(&t, m, n);
    text_add(&t, "OpReturn\nOpFunctionEnd\n");
    m->c = (struct spv_case){.groups = {GROUPS, 1, 1}, .subgroup = 128, .buffer_count = 2,
                             .model = SPV_ASSUMED_MAXIMAL};
    if (!spv_assemble(tools, a, t.v, t.n, 1, &m->c.words, &m->c.count, &e) ||
        !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, m->c.words, m->c.count, &e))
        fail_msg("%u bits: %s", w, e.msg);
    m->c.buffer[0] = (struct spv_buffer){.binding = 0, .count = IN_WORDS * INVOCATIONS};
    m->c.buffer[0].words = ARENA_ARRAY(a, uint32_t, m->c.buffer[0].count);
    m->c.buffer[1] = (struct spv_buffer){.binding = 1, .count = m->slots * INVOCATIONS};
    m->c.buffer[1].words = ARENA_ARRAY(a, uint32_t, m->c.buffer[1].count);
    m->program = orc_load(a, &m->c, &why);
    if (!m->program)
        fail_msg("%u bits: %s", w, why.text);
    spv_tools_free(tools);
}

// ---- operands --------------------------------------------------------------------------

static uint64_t seed = 1;
static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}

// A small number of quarters, a special one, a power of two and one off, or any bits.
static uint64_t any_number(unsigned w)
{
    uint64_t bits = random_bits() >> (64 - w), inf = bits_of((double)INFINITY, w);
    const uint64_t special[] = {0, UINT64_C(1) << (w - 1), inf, inf + 1, 1, inf - 1, inf >> 1, inf >> 2};
    switch (random_bits() >> 61) {
    case 0:
    case 1:
    case 2: return bits_of(((double)(random_bits() >> 58) - 32) / 4, w);
    case 3: return special[random_bits() >> 61];
    case 4: return bits_of(ldexp(1, (int)(random_bits() >> 58) - 24), w) + (random_bits() >> 62) - 1;
    case 5: return bits & 0xff; // as an integer a small one
    default: return bits;
    }
}

static bool is_normal(double d, unsigned w)
{
    double least = ldexp(1, w == 16 ? -14 : w == 32 ? -126 : -1022);
    return isfinite(d) && fabs(d) >= least;
}
// Halves below 8, not zero: sums, and products with whole ones, of 16 bits are small, too.
static bool is_plain(double d) { return d != 0 && fabs(d) < 4 && d == trunc(d); }

// ---- comparison ------------------------------------------------------------------------

static uint64_t compared, known;

// docs/rules.md, "Floats": may the oracle give a value here at all?
static bool is_small(double d, unsigned w)
{
    double unit = w == 16 ? 0.5 : w == 32 ? 0.125 : 1.0 / 256, top = w == 16 ? 16 : w == 32 ? 256 : 65536;
    return fabs(d) < top && d / unit == trunc(d / unit);
}
static bool may_be_known(const struct op *op, const struct operands *o, double result)
{
    const double operand[] = {o->x, o->y, o->z};
    const bool arithmetic = op->is == f_add || op->is == f_sub || op->is == f_mul || op->is == f_fma ||
                            op->is == f_fract;
    if (arithmetic && (result == 0 || (!op->precise && !is_small(result, o->w))))
        return false;
    for (unsigned k = 0; k < 3 && !op->of_integer; k++) {
        const char name[] = {'%', (char)('x' + k), 0};
        if (!strstr(op->text, name))
            continue;
        if ((operand[k] != 0 && !is_normal(operand[k], o->w)) ||
            (arithmetic && !op->precise && !is_small(operand[k], o->w)))
            return false;
    }
    return true;
}

static void check_op(const struct module *m, const struct op *op, const struct operands *o, uint64_t got,
                     uint64_t mask)
{
    unsigned width = width_of(op, m->w);
    double want = 0;
    bool defined = op->is(o, &want), plain, right;
    bool has_value = mask == (width == 64 ? UINT64_MAX : UINT32_MAX);
    assert_true(has_value || mask == 0);
    compared++;
    known += has_value;
    if (op->of_integer) {
        plain = o->bits < 2048 && o->bits < UINT64_C(1) << (m->w - 1);
        int64_t back = (int64_t)float_of(got, width); // exact: what was converted comes back
        right = (op->is == from_signed ? back == o->whole : (uint64_t)float_of(got, width) == o->bits) &&
                got == bits_of(want, width);
    } else if (op->kind == NUMBER) {
        plain = is_plain(o->x) && is_plain(o->y) && is_plain(o->z) && defined && want != 0 && fabs(want) < 16;
        if (op->precise && op->is != f_fma) // exact is enough
            plain |= is_normal(o->x, width) && is_normal(o->y, width) && defined && is_normal(want, width) &&
                     float_of(bits_of(want, width), width) == want;
        right = defined && (want == 0 ? (got << 1 & all_ones(width)) == 0
                                      : got == bits_of(want, width) && float_of(got, width) == want);
    } else if (op->kind == TEST) {
        plain = is_normal(o->x, m->w) && is_normal(o->y, m->w);
        right = got == (want != 0);
    } else { // "undefined if Result Type is not wide enough"
        bool is_signed = op->kind == INTEGER_S;
        double low = is_signed ? -ldexp(1, (int)width - 1) : 0, high = ldexp(1, (int)width - is_signed);
        defined = want >= low && want < high;
        plain = is_normal(o->x, m->w) && defined;
        right = defined && got == ((is_signed ? (uint64_t)(int64_t)want : (uint64_t)want) & all_ones(width));
    }
    right = right && may_be_known(op, o, want) && (op->is != same || want != 0 || got == 0);
    if (has_value ? !right : plain)
        fail_msg("%s%s, %u bits, of %a (0x%llx), %a, %a: got 0x%llx (mask 0x%llx), expected %s%a", op->text,
                 op->precise ? " NoContraction" : "", m->w, o->x, (unsigned long long)o->bits, o->y, o->z,
                 (unsigned long long)got, (unsigned long long)mask, defined ? "" : "undefined, not ", want);
}

static void check(const struct module *m, const struct orc_result *r, uint32_t at)
{
    const uint32_t *in = m->c.buffer[0].words + at * IN_WORDS;
    struct operands o = {.w = m->w, .bits = in[0] | (uint64_t)in[1] << 32};
    o.x = float_of(o.bits, o.w);
    o.y = float_of(in[2] | (uint64_t)in[3] << 32, o.w);
    o.z = float_of(in[4] | (uint64_t)in[5] << 32, o.w);
    o.whole = (int64_t)(o.bits << (64 - o.w)) >> (64 - o.w);
    for (uint32_t n = 0; n < OPS; n++) {
        if (!is_there(&ops[n], m->w))
            continue;
        uint64_t got = 0, mask = 0;
        for (unsigned k = 0; k < (width_of(&ops[n], m->w) == 64 ? 2 : 1); k++) {
            uint32_t word = (m->slot[n] + k) * INVOCATIONS + at;
            got |= (uint64_t)r->memory[1].words[word] << 32 * k;
            mask |= (uint64_t)(r->memory[1].mask ? r->memory[1].mask[word] : UINT32_MAX) << 32 * k;
        }
        check_op(m, &ops[n], &o, got, mask);
    }
}

static void check_width(unsigned w)
{
    struct arena arena = {0}, each = {0};
    struct module m;
    struct orc_result r;
    seed = 0xabcdef1 + w;
    compared = known = 0;
    make_module(&m, w, &arena);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t k = 0; k < INVOCATIONS; k++)
            for (unsigned j = 0; j < 3; j++) {
                bool in_turn = w == 16 && j == 0 && turn < 8; // all numbers of 16 bits
                uint64_t v = in_turn ? turn * INVOCATIONS + k : any_number(w);
                m.c.buffer[0].words[k * IN_WORDS + 2 * j] = (uint32_t)v;
                m.c.buffer[0].words[k * IN_WORDS + 2 * j + 1] = (uint32_t)(v >> 32);
            }
        arena_reset(&each);
        orc_run(m.program, &each, &m.c, 0, NULL, &r);
        if (r.why.status != RAN_OK)
            fail_msg("%u bits: %s", w, r.why.text);
        for (uint32_t k = 0; k < INVOCATIONS; k++)
            check(&m, &r, k);
    }
    assert_true(known > compared / 4);
    arena_free(&each);
    arena_free(&arena);
}

static void test_16(void **state) { (void)state, check_width(16); }
static void test_32(void **state) { (void)state, check_width(32); }
static void test_64(void **state) { (void)state, check_width(64); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_16), cmocka_unit_test(test_32),
                                       cmocka_unit_test(test_64)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
