// SPDX-License-Identifier: Apache-2.0
//
// Integer instructions against arithmetic in 128 bits, by the sentences of the SPIR-V specification
// (3.3.11 to 3.3.15) and of GLSL.std.450: what each returns, and where it is undefined. All pairs of
// 8 bits; of 16 bits all values with those near the ends of their range, on both sides; of 32 and 64
// bits random ones and those near the ends. One module for each width does all instructions.
// And of 8 bits with an operand that is not defined: a result is defined at most where all 256 values of the
// operand give it.
// TANGLEFUZZ_TEST_ROWS=FIRST:COUNT: of 16 bits all pairs whose first is one of these, besides (65536 are all
// there are, in hours; scripts/nightly.sh does 64 each night).

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

enum { GROUPS = 64, INVOCATIONS = 128 * GROUPS, IN_WORDS = 6, OPS_MAX = 100 };

// Operands x, y, z of w bits, unsigned and signed; a result is cut to its width.
struct operands {
    unsigned w;
    u128 x, y, z;
    s128 X, Y, Z;
};
typedef bool reference(const struct operands *o, s128 *r); // false: undefined

#define TOTAL(name, value)                                                                         \
    static bool name(const struct operands *o, s128 *r)                                            \
    {                                                                                              \
        *r = (s128)(value);                                                                        \
        return true;                                                                               \
    }
#define WHERE(name, defined, value)                                                                \
    static bool name(const struct operands *o, s128 *r)                                            \
    {                                                                                              \
        if (!(defined))                                                                            \
            return false;                                                                          \
        *r = (s128)(value);                                                                        \
        return true;                                                                               \
    }

static s128 power(unsigned n) { return (s128)1 << n; } // 2^n
static bool fits_signed(const struct operands *o, s128 v)
{
    return v >= -power(o->w - 1) && v < power(o->w - 1);
}
static bool fits_unsigned(const struct operands *o, s128 v) { return v >= 0 && v < power(o->w); }

TOTAL(add, o->X + o->Y)
TOTAL(sub, o->X - o->Y)
TOTAL(mul, o->x * o->y)
TOTAL(negate, -o->X)
TOTAL(not, ~o->x)
TOTAL(or, o->x | o->y)
TOTAL(xor, o->x ^ o->y)
TOTAL(and, o->x & o->y)
TOTAL(equal, o->X == o->Y)
TOTAL(not_equal, o->X != o->Y)
TOTAL(u_greater, o->x > o->y)
TOTAL(u_greater_equal, o->x >= o->y)
TOTAL(u_less, o->x < o->y)
TOTAL(u_less_equal, o->x <= o->y)
TOTAL(s_greater, o->X > o->Y)
TOTAL(s_greater_equal, o->X >= o->Y)
TOTAL(s_less, o->X < o->Y)
TOTAL(s_less_equal, o->X <= o->Y)
TOTAL(select, o->x & 1 ? o->y : o->z)
TOTAL(zero_extend, o->x)
TOTAL(sign_extend, o->X)
// "Behavior is undefined if Operand 2 is 0": the oracle takes the result alone as undefined
WHERE(u_div, o->y, o->x / o->y)
WHERE(u_mod, o->y, o->x % o->y)
// "... or if Operand 2 is -1 and Operand 1 is the minimum representable value"
WHERE(s_div, o->Y && fits_signed(o, o->X / o->Y), o->X / o->Y)
// Vulkan: "if either operand is negative the result is undefined"
WHERE(s_rem, o->Y > 0 && o->X >= 0, o->X % o->Y)
// "undefined if Shift is greater than or equal to the bit width of the components of Base"
WHERE(shift_right, o->y < o->w, o->x / (u128)power((unsigned)o->y))
WHERE(shift_left, o->y < o->w, o->x * (u128)power((unsigned)o->y))
static bool shift_right_signed(const struct operands *o, s128 *r)
{
    if (o->y >= o->w)
        return false;
    s128 by = power((unsigned)o->y);
    *r = (o->X - (o->X < 0 ? by - 1 : 0)) / by; // towards minus infinity
    return true;
}
// NoSignedWrap, NoUnsignedWrap: undefined where it wraps
WHERE(add_nsw, fits_signed(o, o->X + o->Y), o->X + o->Y)
WHERE(add_nuw, fits_unsigned(o, (s128)(o->x + o->y)), o->x + o->y)
WHERE(sub_nsw, fits_signed(o, o->X - o->Y), o->X - o->Y)
WHERE(sub_nuw, o->x >= o->y, o->x - o->y)
WHERE(mul_nsw, fits_signed(o, o->X * o->Y), o->X * o->Y)
WHERE(mul_nuw, o->x * o->y <= (u128)power(o->w) - 1, o->x * o->y)
WHERE(shift_nsw, o->y < o->w && fits_signed(o, o->X * power((unsigned)o->y)), o->X * power((unsigned)o->y))
WHERE(shift_nuw, o->y < o->w && o->x >> (o->w - o->y) == 0, o->x * (u128)power((unsigned)o->y))
WHERE(negate_nsw, fits_signed(o, -o->X), -o->X)
// Results of two members: low and high, sum and carry
TOTAL(carry, o->x + o->y >= (u128)power(o->w))
TOTAL(borrow, o->x < o->y)
TOTAL(u_mul_high, (o->x * o->y) >> o->w)
static bool s_mul_high(const struct operands *o, s128 *r)
{
    s128 product = o->X * o->Y, low = (s128)((u128)product & (u128)(power(o->w) - 1));
    *r = (product - low) / power(o->w);
    return true;
}
static bool bit_count(const struct operands *o, s128 *r)
{
    *r = 0;
    for (unsigned bit = 0; bit < o->w; bit++)
        *r += (int)(o->x >> bit & 1);
    return true;
}
static bool bit_reverse(const struct operands *o, s128 *r)
{
    *r = 0;
    for (unsigned bit = 0; bit < o->w; bit++)
        *r += (o->x >> bit & 1) ? power(o->w - 1 - bit) : 0;
    return true;
}
// Base x, Offset y, Count z: "undefined if Count or Offset or their sum is greater than the number
// of bits in the result"; Insert y is the base's complement here
WHERE(u_extract, o->y + o->z <= o->w, o->z ? (o->x >> o->y) % (u128)power((unsigned)o->z) : 0)
static bool s_extract(const struct operands *o, s128 *r)
{
    if (!u_extract(o, r))
        return false;
    if (o->z && *r >= power((unsigned)o->z - 1)) // its top bit is the sign
        *r -= power((unsigned)o->z);
    return true;
}
static bool insert(const struct operands *o, s128 *r) // the field of ~x, so that it shows
{
    if (o->y + o->z > o->w)
        return false;
    *r = 0;
    for (unsigned bit = 0; bit < o->w; bit++) {
        bool in_field = bit >= o->y && bit < o->y + o->z;
        u128 from = in_field ? ~o->x >> (bit - (unsigned)o->y) : o->x >> bit;
        *r += from & 1 ? power(bit) : 0;
    }
    return true;
}
// GLSL.std.450
TOTAL(s_abs, o->X < 0 ? -o->X : o->X)
TOTAL(s_sign, o->X < 0 ? -1 : o->X > 0)
TOTAL(u_min, o->y < o->x ? o->y : o->x)
TOTAL(u_max, o->x < o->y ? o->y : o->x)
TOTAL(s_min, o->Y < o->X ? o->Y : o->X)
TOTAL(s_max, o->X < o->Y ? o->Y : o->X)
// "undefined if minVal > maxVal"
WHERE(u_clamp, o->y <= o->z, o->x < o->y ? o->y : o->x > o->z ? o->z : o->x)
WHERE(s_clamp, o->Y <= o->Z, o->X < o->Y ? o->Y : o->X > o->Z ? o->Z : o->X)
static bool find_lsb(const struct operands *o, s128 *r)
{
    for (*r = 0; *r < o->w; ++*r)
        if (o->x >> *r & 1)
            return true;
    *r = -1;
    return true;
}
// "of a positive number the most significant 1-bit, of a negative one the most significant 0-bit; of
// 0 or -1, -1"
static bool find_msb(const struct operands *o, s128 *r, bool bit)
{
    for (*r = o->w; (*r)-- > 0;)
        if ((o->x >> *r & 1) == bit)
            return true;
    *r = -1;
    return true;
}
static bool find_u_msb(const struct operands *o, s128 *r) { return find_msb(o, r, true); }
static bool find_s_msb(const struct operands *o, s128 *r) { return find_msb(o, r, o->X >= 0); }

// ---- the instructions ------------------------------------------------------------------

// $ is the type of width w. Results of another width say so; `member` of a result of two.
struct op {
    const char *text;
    reference *is;
    unsigned width; // of the result; 0: that of the operands, 1: a boolean
    int member;     // -1: a scalar
    const char *decoration;
    unsigned only; // for operands of this width alone; 0: any
};

#define SCALAR .member = -1
static const struct op ops[] = {
    {"OpIAdd $ %x %y", add, SCALAR}, {"OpISub $ %x %y", sub, SCALAR}, {"OpIMul $ %x %y", mul, SCALAR},
    {"OpSNegate $ %x", negate, SCALAR}, {"OpNot $ %x", not, SCALAR},
    {"OpBitwiseOr $ %x %y", or, SCALAR}, {"OpBitwiseXor $ %x %y", xor, SCALAR},
    {"OpBitwiseAnd $ %x %y", and, SCALAR},
    {"OpIEqual %bool %x %y", equal, 1, SCALAR}, {"OpINotEqual %bool %x %y", not_equal, 1, SCALAR},
    {"OpUGreaterThan %bool %x %y", u_greater, 1, SCALAR},
    {"OpUGreaterThanEqual %bool %x %y", u_greater_equal, 1, SCALAR},
    {"OpULessThan %bool %x %y", u_less, 1, SCALAR},
    {"OpULessThanEqual %bool %x %y", u_less_equal, 1, SCALAR},
    {"OpSGreaterThan %bool %x %y", s_greater, 1, SCALAR},
    {"OpSGreaterThanEqual %bool %x %y", s_greater_equal, 1, SCALAR},
    {"OpSLessThan %bool %x %y", s_less, 1, SCALAR},
    {"OpSLessThanEqual %bool %x %y", s_less_equal, 1, SCALAR},
    {"OpSelect $ %odd %y %z", select, SCALAR},
    {"OpUDiv $ %x %y", u_div, SCALAR}, {"OpUMod $ %x %y", u_mod, SCALAR},
    {"OpSDiv $ %x %y", s_div, SCALAR}, {"OpSRem $ %x %y", s_rem, SCALAR},
    {"OpSMod $ %x %y", s_rem, SCALAR}, // the same where neither is negative
    {"OpShiftRightLogical $ %x %y", shift_right, SCALAR},
    {"OpShiftRightArithmetic $ %x %y", shift_right_signed, SCALAR},
    {"OpShiftLeftLogical $ %x %y", shift_left, SCALAR},
    {"OpIAdd $ %x %y", add_nsw, SCALAR, "NoSignedWrap"}, {"OpIAdd $ %x %y", add_nuw, SCALAR, "NoUnsignedWrap"},
    {"OpISub $ %x %y", sub_nsw, SCALAR, "NoSignedWrap"}, {"OpISub $ %x %y", sub_nuw, SCALAR, "NoUnsignedWrap"},
    {"OpIMul $ %x %y", mul_nsw, SCALAR, "NoSignedWrap"}, {"OpIMul $ %x %y", mul_nuw, SCALAR, "NoUnsignedWrap"},
    {"OpSNegate $ %x", negate_nsw, SCALAR, "NoSignedWrap"},
    {"OpShiftLeftLogical $ %x %y", shift_nsw, SCALAR, "NoSignedWrap"},
    {"OpShiftLeftLogical $ %x %y", shift_nuw, SCALAR, "NoUnsignedWrap"},
    {"OpIAddCarry %two %x %y", add, .member = 0}, {"OpIAddCarry %two %x %y", carry, .member = 1},
    {"OpISubBorrow %two %x %y", sub, .member = 0}, {"OpISubBorrow %two %x %y", borrow, .member = 1},
    {"OpUMulExtended %two %x %y", mul, .member = 0}, {"OpUMulExtended %two %x %y", u_mul_high, .member = 1},
    {"OpSMulExtended %two %x %y", mul, .member = 0}, {"OpSMulExtended %two %x %y", s_mul_high, .member = 1},
    {"OpBitCount $ %x", bit_count, SCALAR}, {"OpBitReverse $ %x", bit_reverse, SCALAR},
    {"OpBitFieldUExtract $ %x %y %z", u_extract, SCALAR}, {"OpBitFieldSExtract $ %x %y %z", s_extract, SCALAR},
    {"OpBitFieldInsert $ %x %flip %y %z", insert, SCALAR},
    {"OpUConvert %u8 %x", zero_extend, 8, SCALAR}, {"OpUConvert %u16 %x", zero_extend, 16, SCALAR},
    {"OpUConvert %u32 %x", zero_extend, 32, SCALAR}, {"OpUConvert %u64 %x", zero_extend, 64, SCALAR},
    {"OpSConvert %u8 %x", sign_extend, 8, SCALAR}, {"OpSConvert %u16 %x", sign_extend, 16, SCALAR},
    {"OpSConvert %u32 %x", sign_extend, 32, SCALAR}, {"OpSConvert %u64 %x", sign_extend, 64, SCALAR},
    {"OpExtInst $ %glsl SAbs %x", s_abs, SCALAR}, {"OpExtInst $ %glsl SSign %x", s_sign, SCALAR},
    {"OpExtInst $ %glsl UMin %x %y", u_min, SCALAR}, {"OpExtInst $ %glsl UMax %x %y", u_max, SCALAR},
    {"OpExtInst $ %glsl SMin %x %y", s_min, SCALAR}, {"OpExtInst $ %glsl SMax %x %y", s_max, SCALAR},
    {"OpExtInst $ %glsl UClamp %x %y %z", u_clamp, SCALAR},
    {"OpExtInst $ %glsl SClamp %x %y %z", s_clamp, SCALAR},
    {"OpExtInst $ %glsl FindILsb %x", find_lsb, SCALAR, .only = 32},
    {"OpExtInst $ %glsl FindUMsb %x", find_u_msb, SCALAR, .only = 32},
    {"OpExtInst $ %glsl FindSMsb %x", find_s_msb, SCALAR, .only = 32},
};
enum { OPS = sizeof ops / sizeof *ops };

static bool is_there(const struct op *op, unsigned w)
{
    return (!op->only || op->only == w) && op->width != w; // nothing converts to its own width
}

static const char head[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
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

// A number of w bits out of two words; of fewer than 64 the second says by how much it is shifted: 0, or as far
// that it is not defined.
static void load(struct text *t, unsigned w, char name, unsigned at)
{
    for (unsigned k = 0; k < 2; k++)
        text_add(t, "%%p%c%u = OpAccessChain %%word_ptr %%in %%k0 %%me %%k%u\n%%%c%u = OpLoad %%u32 %%p%c%u\n",
                 name, k, at + k, name, k, name, k);
    if (w == 64)
        text_add(t, "%%%cv = OpCompositeConstruct %%uvec2 %%%c0 %%%c1\n%%%c = OpBitcast %%u64 %%%cv\n", name,
                 name, name, name, name);
    else
        text_add(t, "%%%cr = %s %%u%u %%%c0\n%%%c = OpShiftLeftLogical %%u%u %%%cr %%%c1\n", name,
                 w == 32 ? "OpCopyObject" : "OpUConvert", w, name, name, w, name, name);
}

static void store(struct text *t, uint32_t slot, const char *name, uint32_t n)
{
    text_add(t, "%%to%u = OpAccessChain %%word_ptr %%out %%k0 %%k%u %%me\nOpStore %%to%u %%%s%u\n", slot, slot,
             slot, name, n);
}

static void write_op(struct text *t, const struct module *m, uint32_t n)
{
    const struct op *op = &ops[n];
    unsigned width = op->width ? op->width : m->w;
    text_add(t, "%%r%u = ", n);
    for (const char *p = op->text; *p; p++)
        if (*p == '$')
            text_add(t, "%%u%u", m->w);
        else
            text_addn(t, p, 1);
    if (op->member >= 0)
        text_add(t, "\n%%s%u = OpCompositeExtract %%u%u %%r%u %d\n", n, width, n, op->member);
    else if (width == 1)
        text_add(t, "\n%%s%u = OpCopyObject %%bool %%r%u\n", n, n);
    else
        text_add(t, "\n%%s%u = OpCopyObject %%u%u %%r%u\n", n, width, n);
    if (width == 64) {
        text_add(t, "%%v%u = OpBitcast %%uvec2 %%s%u\n", n, n);
        text_add(t, "%%w%u = OpCompositeExtract %%u32 %%v%u 0\n%%h%u = OpCompositeExtract %%u32 %%v%u 1\n", n, n,
                 n, n);
        store(t, m->slot[n] + 1, "h", n);
    } else if (width == 1)
        text_add(t, "%%w%u = OpSelect %%u32 %%s%u %%k1 %%k0\n", n, n);
    else
        text_add(t, "%%w%u = %s %%u32 %%s%u\n", n, width == 32 ? "OpCopyObject" : "OpUConvert", n);
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
        m->slots += (ops[n].width ? ops[n].width : w) == 64 ? 2 : 1;
        if (ops[n].decoration)
            text_add(&t, "OpDecorate %%r%u %s\n", n, ops[n].decoration);
    }
    text_add(&t, "%s%%two = OpTypeStruct %%u%u %%u%u\n", types, w, w);
    for (uint32_t k = 0; k < m->slots; k++)
        text_add(&t, "%%k%u = OpConstant %%u32 %u\n", k, k);
    text_add(&t, "%%one = OpConstant %%u%u 1\n", w);
    text_add(&t, "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%%id = OpLoad %%uvec3 %%me_var\n"
                 "%%me = OpCompositeExtract %%u32 %%id 0\n");
    load(&t, w, 'x', 0);
    load(&t, w, 'y', 2);
    load(&t, w, 'z', 4);
    text_add(&t, "%%flip = OpNot %%u%u %%x\n%%low = OpBitwiseAnd %%u%u %%x %%one\n"
                 "%%odd = OpIEqual %%bool %%low %%one\n", w, w);
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

static const uint64_t near_ends[] = {0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xffff, 15, 16, 0xff};
enum { NEAR_ENDS = sizeof near_ends / sizeof *near_ends };

// Anything, a number of few bits (which is a shift, too), or near an end of the range.
static uint64_t any_number(unsigned w)
{
    uint64_t bits = random_bits() >> (64 - w), top = UINT64_C(1) << (w - 1);
    switch (random_bits() >> 61) {
    case 0: return (top + (random_bits() >> 62) - 2) & (2 * top - 1);
    case 1: return ((random_bits() >> 61) - 4) & (2 * top - 1);
    case 2: return random_bits() >> 58 & (2 * top - 1);
    case 3: return bits >> (random_bits() >> 58) % w;
    default: return bits;
    }
}

static uint64_t first_row, rows; // of 16 bits, all pairs of each

// The k-th operands of a width.
static void operands(unsigned w, uint64_t k, uint64_t v[3])
{
    v[2] = any_number(w);
    if (w == 8) { // all pairs
        v[0] = k & 0xff;
        v[1] = k >> 8 & 0xff;
    } else if (w == 16 && k >> 16 >= 2 * NEAR_ENDS) {
        v[0] = (first_row + (k >> 16) - 2 * NEAR_ENDS) & 0xffff;
        v[1] = k & 0xffff;
    } else if (w == 16) { // all with a few, on both sides
        v[k >> 16 & 1] = k & 0xffff;
        v[~k >> 16 & 1] = near_ends[(k >> 17) % NEAR_ENDS];
    } else {
        v[0] = any_number(w);
        v[1] = any_number(w);
    }
}
static uint64_t numbers_of(unsigned w) { return w == 16 ? (2 * NEAR_ENDS + rows) << 16 : 1 << 16; }

static s128 as_signed(u128 x, unsigned w) { return x >> (w - 1) & 1 ? (s128)x - power(w) : (s128)x; }

// What the oracle gives for an instruction, and the bits of it that are defined.
static uint64_t result_of(const struct module *m, const struct orc_result *r, uint32_t n, uint32_t at,
                          unsigned width, uint64_t *mask)
{
    uint64_t got = 0;
    *mask = 0;
    for (unsigned k = 0; k < (width == 64 ? 2 : 1); k++) {
        uint32_t word = (m->slot[n] + k) * INVOCATIONS + at;
        got |= (uint64_t)r->memory[1].words[word] << 32 * k;
        *mask |= (uint64_t)(r->memory[1].mask ? r->memory[1].mask[word] : UINT32_MAX) << 32 * k;
    }
    return got;
}

static void check(const struct module *m, const struct orc_result *r, uint32_t at)
{
    const uint32_t *in = m->c.buffer[0].words + at * IN_WORDS;
    struct operands o = {.w = m->w};
    o.x = in[0] | (u128)in[1] << 32;
    o.y = in[2] | (u128)in[3] << 32;
    o.z = in[4] | (u128)in[5] << 32;
    o.X = as_signed(o.x, o.w);
    o.Y = as_signed(o.y, o.w);
    o.Z = as_signed(o.z, o.w);
    for (uint32_t n = 0; n < OPS; n++) {
        if (!is_there(&ops[n], m->w))
            continue;
        unsigned width = ops[n].width ? ops[n].width : m->w;
        uint64_t mask, got = result_of(m, r, n, at, width, &mask);
        s128 want = 0;
        bool defined = ops[n].is(&o, &want);
        uint64_t cut = (uint64_t)((u128)want & (u128)(power(width) - 1));
        if (mask != (!defined ? 0 : width == 64 ? UINT64_MAX : UINT32_MAX) || (defined && got != cut))
            fail_msg("%s%s%s, %u bits, of 0x%llx, 0x%llx, 0x%llx: got 0x%llx (mask 0x%llx), expected %s0x%llx",
                     ops[n].text, ops[n].decoration ? " " : "", ops[n].decoration ? ops[n].decoration : "", m->w,
                     (unsigned long long)o.x, (unsigned long long)o.y, (unsigned long long)o.z,
                     (unsigned long long)got, (unsigned long long)mask, defined ? "" : "undefined, not ",
                     (unsigned long long)cut);
    }
}

static void check_width(unsigned w)
{
    struct arena arena = {0}, each = {0};
    struct module m;
    struct orc_result r;
    seed = 0xabcdef1 + w;
    make_module(&m, w, &arena);
    for (uint64_t first = 0; first < numbers_of(w); first += INVOCATIONS) {
        for (uint32_t k = 0; k < INVOCATIONS; k++) {
            uint64_t v[3];
            operands(w, first + k, v);
            for (unsigned j = 0; j < 3; j++) {
                m.c.buffer[0].words[k * IN_WORDS + 2 * j] = (uint32_t)v[j];
                m.c.buffer[0].words[k * IN_WORDS + 2 * j + 1] = (uint32_t)(v[j] >> 32);
            }
        }
        arena_reset(&each);
        orc_run(m.program, &each, &m.c, 0, NULL, &r);
        if (r.why.status != RAN_OK)
            fail_msg("%u bits: %s", w, r.why.text);
        for (uint32_t k = 0; k < INVOCATIONS; k++)
            check(&m, &r, k);
    }
    arena_free(&each);
    arena_free(&arena);
}

// ---- operands that are not defined ---------------------------------------------------------

static void set_operand(struct operands *o, unsigned which, u128 v)
{
    *(which == 0 ? &o->x : which == 1 ? &o->y : &o->z) = v;
    *(which == 0 ? &o->X : which == 1 ? &o->Y : &o->Z) = as_signed(v, o->w);
}

// Do all values of one operand give one result?
static bool whatever(const struct op *op, struct operands o, unsigned which, unsigned width, uint64_t *result)
{
    for (unsigned v = 0; v < 256; v++) {
        s128 want = 0;
        set_operand(&o, which, v);
        if (!op->is(&o, &want))
            return false;
        const uint64_t cut = (uint64_t)((u128)want & (u128)(power(width) - 1));
        if (v && cut != *result)
            return false;
        *result = cut;
    }
    return true;
}

static void test_undefined(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct module m;
    struct orc_result r;
    uint32_t known[OPS] = {0}, kept = 0, all = 0;
    seed = 77;
    make_module(&m, 8, &arena);
    uint32_t *in = m.c.buffer[0].words;
    for (uint32_t k = 0; k < INVOCATIONS; k++)
        for (unsigned j = 0; j < 3; j++) {
            in[k * IN_WORDS + 2 * j] = (uint32_t)any_number(8);
            in[k * IN_WORDS + 2 * j + 1] = k % 3 == j ? 8 : 0;
        }
    orc_run(m.program, &arena, &m.c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_OK);
    for (uint32_t k = 0; k < INVOCATIONS; k++)
        for (uint32_t n = 0; n < OPS; n++) {
            if (!is_there(&ops[n], 8))
                continue;
            struct operands o = {.w = 8};
            for (unsigned j = 0; j < 3; j++)
                set_operand(&o, j, in[k * IN_WORDS + 2 * j]);
            const unsigned width = ops[n].width ? ops[n].width : 8;
            uint64_t want = 0, mask, got = result_of(&m, &r, n, k, width, &mask);
            const bool one = whatever(&ops[n], o, k % 3, width, &want);
            all += one;
            kept += one && mask;
            known[n] += one && mask && strchr(ops[n].text, 'x' + (char)(k % 3)) != NULL;
            if (mask && (!one || got != want))
                fail_msg("%s of 0x%x, 0x%x, 0x%x, of which %c is not defined: got 0x%llx (mask 0x%llx), %s",
                         ops[n].text, (unsigned)o.x, (unsigned)o.y, (unsigned)o.z, 'x' + (int)(k % 3),
                         (unsigned long long)got, (unsigned long long)mask,
                         one ? "expected another" : "which depends on it");
        }
    for (uint32_t n = 0; n < OPS; n++) // docs/rules.md: & 0, | ~0, * 0, a select between equals
        if ((ops[n].is == and || ops[n].is == or || ops[n].is == mul || ops[n].is == select) &&
            ops[n].member < 0 && !ops[n].decoration)
            assert_true(known[n]);
    assert_true(kept > all - all / 20); // nearly all that does not depend on it
    arena_free(&arena);
}

static void test_8(void **state) { (void)state, check_width(8); }
static void test_16(void **state) { (void)state, check_width(16); }
static void test_32(void **state) { (void)state, check_width(32); }
static void test_64(void **state) { (void)state, check_width(64); }

int main(void)
{
    const char *asked = getenv("TANGLEFUZZ_TEST_ROWS");
    unsigned first = 0, count = 0;
    if (asked && sscanf(asked, "%u:%u", &first, &count) != 2)
        return 2;
    first_row = first, rows = count;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_8), cmocka_unit_test(test_16),
                                       cmocka_unit_test(test_32), cmocka_unit_test(test_64),
                                       cmocka_unit_test(test_undefined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
