// SPDX-License-Identifier: Apache-2.0
//
// The values of floats that round, as a run that remembers has them (oracle/rounded.c), against the machine's
// long doubles: of every instruction, in 16, 32 and 64 bits, of numbers, halves between two, denormals, zeros,
// infinities and NaNs; reductions and scans, derivatives, atomics in one order. What an instruction gives is
// written here from its sentence in the specification.
#include "test_orc_text.h"

#include "oracle/trace.h"
#include "test_numbers.h"

#include <math.h>

typedef long double real;

// Operands of w bits, the word that x stands in, and an exponent.
struct given {
    unsigned w;
    real x, y, z;
    uint64_t bits, bits_y;
    int32_t n;
};
typedef bool reference(const struct given *g, real *r); // false: it has no value
#define IS(name, value)                                                                            \
    static bool name(const struct given *g, real *r)                                               \
    {                                                                                              \
        *r = (real)(value);                                                                        \
        return true;                                                                               \
    }
#define X g->x
#define Y g->y
#define Z g->z

IS(add, X + Y)
IS(sub, X - Y)
IS(mul, X * Y)
IS(quotient, X / Y)
IS(rest, fmodl(X, Y))
IS(modulo, X - Y * floorl(X / Y))
IS(negated, -X)
IS(ordered_equal, X == Y)
IS(unordered_equal, isnan(X) || isnan(Y) || X == Y)
IS(ordered_not_equal, X < Y || X > Y)
IS(unordered_not_equal, !(X == Y))
IS(ordered_less, X < Y)
IS(unordered_less, !(X >= Y))
IS(ordered_greater, X > Y)
IS(unordered_greater, !(X <= Y))
IS(ordered_less_equal, X <= Y)
IS(unordered_less_equal, !(X > Y))
IS(ordered_greater_equal, X >= Y)
IS(unordered_greater_equal, !(X < Y))
IS(is_nan, X != X)
IS(is_inf, X == X && X - X != 0)
IS(same, X)
static bool within(real x, real low, real high, real *r)
{
    *r = truncl(x);
    return *r >= low && *r <= high;
}
#define INTO(bits)                                                                                 \
    static bool to_u##bits(const struct given *g, real *r) { return within(X, 0, ldexpl(1, bits) - 1, r); } \
    static bool to_s##bits(const struct given *g, real *r) { return within(X, -ldexpl(1, bits - 1), ldexpl(1, bits - 1) - 1, r); }
INTO(8)
INTO(16)
INTO(32)
INTO(64)
IS(from_u8, (uint8_t)g->bits)
IS(from_s8, (int8_t)(uint8_t)g->bits)
IS(from_u16, (uint16_t)g->bits)
IS(from_s16, (int16_t)(uint16_t)g->bits)
IS(from_u32, (uint32_t)g->bits)
IS(from_s32, (int32_t)(uint32_t)g->bits)
IS(from_u64, (uint32_t)g->bits * 4294967296.0L + (uint32_t)g->bits_y)
IS(from_s64, (int32_t)(uint32_t)g->bits * 4294967296.0L + (uint32_t)g->bits_y)
IS(quantized, float_of(bits_of((double)X, 16), 16))
#define PI 3.14159265358979323846264338327950288L
IS(radians, X / 180 * PI)
IS(degrees, X / PI * 180)
IS(sine, sinl(X))
IS(cosine, cosl(X))
IS(tangent, tanl(X))
IS(arc_sine, asinl(X))
IS(arc_cosine, acosl(X))
IS(arc_tangent, atanl(X))
IS(sine_h, sinhl(X))
IS(cosine_h, coshl(X))
IS(tangent_h, tanhl(X))
IS(arc_sine_h, asinhl(X))
IS(arc_cosine_h, acoshl(X))
IS(arc_tangent_h, atanhl(X))
IS(arc_tangent2, atan2l(X, Y))
IS(power, powl(X, Y))
IS(exponential, expl(X))
IS(logarithm, logl(X))
IS(exponential2, exp2l(X))
IS(logarithm2, log2l(X))
IS(root, sqrtl(X))
IS(inverse_root, 1 / sqrtl(X))
IS(mixed, X *(1 - Z) + Y * Z)
IS(fused, X *Y + Z)
IS(fraction, X - floorl(X))
IS(absolute, fabsl(X))
IS(sign, X > 0 ? 1 : X < 0 ? -1 : 0)
IS(lower, floorl(X))
IS(upper, ceill(X))
IS(cut, truncl(X))
IS(nearest_away, roundl(X))
IS(nearest_even, rintl(X))
IS(least, fminl(X, Y))
IS(most, fmaxl(X, Y))
IS(clamped, fminl(fmaxl(X, Y), Z))
IS(step, Y < X ? 0 : 1)
static bool smooth(const struct given *g, real *r)
{
    const real t = fminl(fmaxl((Z - X) / (Y - X), 0), 1);
    *r = 3 * t * t - 2 * t * t * t;
    return true;
}
IS(scaled, ldexpl(X, g->n < -4000 ? -4000 : g->n > 4000 ? 4000 : (int)g->n))
IS(scaled_small, ldexpl(X, (int16_t)g->n))
// Of vectors (x, y, z) and (y, z, x).
IS(length, sqrtl(X *X + Y * Y + Z * Z))
IS(distance, sqrtl((X - Y) * (X - Y) + (Y - Z) * (Y - Z) + (Z - X) * (Z - X)))
IS(normal0, X / sqrtl(X * X + Y * Y + Z * Z))
IS(normal2, Z / sqrtl(X * X + Y * Y + Z * Z))
#define BETWEEN (X * Y + Y * Z + Z * X)
IS(reflected0, X - 2 * BETWEEN * Y)
IS(reflected2, Z - 2 * BETWEEN * X)
IS(crossed0, Y *X - Z * Z)
IS(crossed1, Z *Y - X * X)
IS(crossed2, X *Z - Y * Y)
IS(dotted, BETWEEN)
IS(times0, X *Y)
IS(times2, Z *Y)
// Columns (x, y, z), (y, z, x): three rows, two columns; and the vector (z, x).
IS(matrix_vector0, X *Z + Y * X)
IS(matrix_vector2, Z *Z + X * X)
IS(vector_matrix0, X *X + Y * Y + Z * Z)
IS(outer02, Z *X)  // of (x, y, z) and (y, z, x): column 2, row 2 is z x
IS(outer10, X *Z)
IS(square01, Y *X + Z * Y) // ((x, y), (y, z)) by itself: column 0, row 1
IS(square11, Y *Y + Z * Z)

#define WORD_OF(shift, n_bits) ((uint32_t)g->bits >> (shift) & ((1u << (n_bits)) - 1))
IS(half0, float_of(WORD_OF(0, 16), 16))
IS(half1, float_of(WORD_OF(16, 16), 16))
IS(unorm8_1, WORD_OF(8, 8) / 255.0L)
IS(unorm8_3, WORD_OF(24, 8) / 255.0L)
IS(unorm16_0, WORD_OF(0, 16) / 65535.0L)
IS(unorm16_1, WORD_OF(16, 16) / 65535.0L)
IS(snorm8_0, fmaxl((int8_t)WORD_OF(0, 8) / 127.0L, -1))
IS(snorm8_2, fmaxl((int8_t)WORD_OF(16, 8) / 127.0L, -1))
IS(snorm16_0, fmaxl((int16_t)WORD_OF(0, 16) / 32767.0L, -1))
IS(snorm16_1, fmaxl((int16_t)WORD_OF(16, 16) / 32767.0L, -1))
static uint32_t norm(real x, bool with_sign, unsigned bits)
{
    const real low = with_sign ? -1 : 0;
    const real in = x >= 1 ? 1 : x > low ? x : low;
    return (uint32_t)(int32_t)rintl(in * (real)((1u << (bits - with_sign)) - 1)) & ((1u << bits) - 1);
}
IS(pack_unorm8, norm(X, false, 8) | norm(Y, false, 8) << 8 | norm(Z, false, 8) << 16 | norm(X, false, 8) << 24)
IS(pack_snorm8, norm(X, true, 8) | norm(Y, true, 8) << 8 | norm(Z, true, 8) << 16 | norm(X, true, 8) << 24)
IS(pack_unorm16, norm(X, false, 16) | norm(Y, false, 16) << 16)
IS(pack_snorm16, norm(X, true, 16) | norm(Y, true, 16) << 16)
IS(pack_half, bits_of((double)X, 16) | bits_of((double)Y, 16) << 16)

// $: the float type; $2, $3: vectors of it, $32, $22, $33: matrices. r: a number; t: a truth; u, s: an integer of `width`.
struct op {
    const char *text;
    reference *is;
    char kind;
    unsigned width; // 0: that of the operands
    unsigned ulps;  // it may be off by
    unsigned only;  // of operands of this width; 0: all
};
#define N 'r'
#define LIB .ulps = 2
#define SUM .ulps = 64 // where it cancels
static const struct op ops[] = {
    {"OpFAdd $ %x %y", add, N}, {"OpFSub $ %x %y", sub, N}, {"OpFMul $ %x %y", mul, N}, {"OpFDiv $ %x %y", quotient, N},
    {"OpFRem $ %x %y", rest, N}, {"OpFMod $ %x %y", modulo, N, SUM}, {"OpFNegate $ %x", negated, N},
    {"OpFOrdEqual %bool %x %y", ordered_equal, 't'}, {"OpFUnordEqual %bool %x %y", unordered_equal, 't'},
    {"OpFOrdNotEqual %bool %x %y", ordered_not_equal, 't'}, {"OpFUnordNotEqual %bool %x %y", unordered_not_equal, 't'},
    {"OpFOrdLessThan %bool %x %y", ordered_less, 't'}, {"OpFUnordLessThan %bool %x %y", unordered_less, 't'},
    {"OpFOrdGreaterThan %bool %x %y", ordered_greater, 't'}, {"OpFUnordGreaterThan %bool %x %y", unordered_greater, 't'},
    {"OpFOrdLessThanEqual %bool %x %y", ordered_less_equal, 't'}, {"OpFUnordLessThanEqual %bool %x %y", unordered_less_equal, 't'},
    {"OpFOrdGreaterThanEqual %bool %x %y", ordered_greater_equal, 't'}, {"OpFUnordGreaterThanEqual %bool %x %y", unordered_greater_equal, 't'},
    {"OpIsNan %bool %x", is_nan, 't'}, {"OpIsInf %bool %x", is_inf, 't'},
    {"OpConvertFToU %u8 %x", to_u8, 'u', 8}, {"OpConvertFToU %u16 %x", to_u16, 'u', 16}, {"OpConvertFToU %u32 %x", to_u32, 'u', 32}, {"OpConvertFToU %u64 %x", to_u64, 'u', 64},
    {"OpConvertFToS %u8 %x", to_s8, 's', 8}, {"OpConvertFToS %u16 %x", to_s16, 's', 16}, {"OpConvertFToS %u32 %x", to_s32, 's', 32}, {"OpConvertFToS %u64 %x", to_s64, 's', 64},
    {"OpConvertUToF $ %b8", from_u8, N}, {"OpConvertSToF $ %b8", from_s8, N}, {"OpConvertUToF $ %b16", from_u16, N}, {"OpConvertSToF $ %b16", from_s16, N},
    {"OpConvertUToF $ %b32", from_u32, N}, {"OpConvertSToF $ %b32", from_s32, N}, {"OpConvertUToF $ %b64", from_u64, N, LIB}, {"OpConvertSToF $ %b64", from_s64, N, LIB},
    {"OpFConvert %f16 %x", same, N, 16}, {"OpFConvert %f32 %x", same, N, 32}, {"OpFConvert %f64 %x", same, N, 64}, {"OpQuantizeToF16 %f32 %x", quantized, N, .only = 32},
#define EXT(name, operands, is, ...) {"OpExtInst $ %glsl " name operands, is, N, __VA_ARGS__}
    EXT("Radians", " %x", radians, LIB), EXT("Degrees", " %x", degrees, LIB), EXT("Sin", " %x", sine, LIB), EXT("Cos", " %x", cosine, LIB), EXT("Tan", " %x", tangent, LIB),
    EXT("Asin", " %x", arc_sine, LIB), EXT("Acos", " %x", arc_cosine, LIB), EXT("Atan", " %x", arc_tangent, LIB), EXT("Sinh", " %x", sine_h, LIB), EXT("Cosh", " %x", cosine_h, LIB),
    EXT("Tanh", " %x", tangent_h, LIB), EXT("Asinh", " %x", arc_sine_h, LIB), EXT("Acosh", " %x", arc_cosine_h, LIB), EXT("Atanh", " %x", arc_tangent_h, LIB), EXT("Atan2", " %x %y", arc_tangent2, LIB),
    EXT("Pow", " %x %y", power, LIB), EXT("Exp", " %x", exponential, LIB), EXT("Log", " %x", logarithm, LIB), EXT("Exp2", " %x", exponential2, LIB), EXT("Log2", " %x", logarithm2, LIB),
    EXT("Sqrt", " %x", root, 0), EXT("InverseSqrt", " %x", inverse_root, LIB), EXT("FMix", " %x %y %z", mixed, SUM), EXT("Fma", " %x %y %z", fused, SUM), EXT("Fract", " %x", fraction, .ulps = 1),
    EXT("FAbs", " %x", absolute, 0), EXT("FSign", " %x", sign, 0), EXT("Floor", " %x", lower, 0), EXT("Ceil", " %x", upper, 0), EXT("Trunc", " %x", cut, 0), EXT("Round", " %x", nearest_away, 0),
    EXT("RoundEven", " %x", nearest_even, 0), EXT("FMin", " %x %y", least, .ulps = 1), EXT("NMin", " %x %y", least, .ulps = 1), EXT("FMax", " %x %y", most, .ulps = 1), EXT("NMax", " %x %y", most, .ulps = 1),
    EXT("FClamp", " %x %y %z", clamped, .ulps = 1), EXT("NClamp", " %x %y %z", clamped, .ulps = 1), EXT("Step", " %x %y", step, 0), EXT("SmoothStep", " %x %y %z", smooth, SUM),
    EXT("Ldexp", " %x %n", scaled, 0), EXT("Ldexp", " %x %ni", scaled_small, 0), EXT("Length", " %v", length, LIB), EXT("Distance", " %v %w", distance, LIB),
#define PART(type, code, part, is) {"OpCompositeExtract $ %t " part "\x01%t = " code, is, N, SUM}
    PART("3", "OpExtInst $3 %glsl Normalize %v", "0", normal0), PART("3", "OpExtInst $3 %glsl Normalize %v", "2", normal2), PART("3", "OpExtInst $3 %glsl Reflect %v %w", "0", reflected0),
    PART("3", "OpExtInst $3 %glsl Reflect %v %w", "2", reflected2), PART("3", "OpExtInst $3 %glsl Cross %v %w", "0", crossed0), PART("3", "OpExtInst $3 %glsl Cross %v %w", "1", crossed1),
    PART("3", "OpExtInst $3 %glsl Cross %v %w", "2", crossed2), {"OpDot $ %v %w", dotted, N, SUM}, PART("3", "OpVectorTimesScalar $3 %v %y", "0", times0), PART("3", "OpVectorTimesScalar $3 %v %y", "2", times2),
    PART("32", "OpMatrixTimesScalar $32 %m %y", "0 2", times2), PART("3", "OpMatrixTimesVector $3 %m %zx", "0", matrix_vector0), PART("3", "OpMatrixTimesVector $3 %m %zx", "2", matrix_vector2),
    PART("2", "OpVectorTimesMatrix $2 %v %m", "0", vector_matrix0), PART("2", "OpVectorTimesMatrix $2 %v %m", "1", dotted), PART("33", "OpOuterProduct $33 %v %w", "2 2", outer02),
    PART("33", "OpOuterProduct $33 %v %w", "1 0", outer10), PART("22", "OpMatrixTimesMatrix $22 %q %q", "0 1", square01), PART("22", "OpMatrixTimesMatrix $22 %q %q", "1 1", square11),
#define UNPACK(name, vector, part, is) {"OpCompositeExtract %f32 %t " part "\x01%t = OpExtInst " vector " %glsl " name " %b32", is, N, .only = 32, .ulps = 1}
    UNPACK("UnpackHalf2x16", "%vec2", "0", half0), UNPACK("UnpackHalf2x16", "%vec2", "1", half1), UNPACK("UnpackUnorm4x8", "%vec4", "1", unorm8_1), UNPACK("UnpackUnorm4x8", "%vec4", "3", unorm8_3),
    UNPACK("UnpackUnorm2x16", "%vec2", "0", unorm16_0), UNPACK("UnpackUnorm2x16", "%vec2", "1", unorm16_1), UNPACK("UnpackSnorm4x8", "%vec4", "0", snorm8_0), UNPACK("UnpackSnorm4x8", "%vec4", "2", snorm8_2),
    UNPACK("UnpackSnorm2x16", "%vec2", "0", snorm16_0), UNPACK("UnpackSnorm2x16", "%vec2", "1", snorm16_1),
#define PACK(name, operand, is) {"OpExtInst %u32 %glsl " name " " operand, is, 'u', 32, .only = 32}
    PACK("PackUnorm4x8", "%xyzx", pack_unorm8), PACK("PackSnorm4x8", "%xyzx", pack_snorm8), PACK("PackUnorm2x16", "%xy", pack_unorm16), PACK("PackSnorm2x16", "%xy", pack_snorm16),
    PACK("PackHalf2x16", "%xy", pack_half),
};
enum { OPS = sizeof ops / sizeof *ops, IN = 6 * LANES, MORE = IN + 2 * OPS * LANES };

static bool is_there(const struct op *op, unsigned w)
{
    return (!op->only || op->only == w) && !(op->is == same && op->width == w);
}
static unsigned width_of(const struct op *op, unsigned w) { return op->only && !op->width ? 32 : op->width ? op->width : w; }

// ---- the text -------------------------------------------------------------------------------

struct page {
    char text[48000];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct page *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->n += (size_t)vsnprintf(to->text + to->n, sizeof to->text - to->n, format, args);
    va_end(args);
    assert_true(to->n < sizeof to->text);
}

// A type of `w` bits: $, $2, $3, $22 and so on.
static const char *type_of(const char *shape, unsigned w)
{
    static const char *const plain[] = {"%f16", "%f32", "%f64"}, *const two[] = {"%hvec2", "%vec2", "%dvec2"};
    const unsigned k = w == 16 ? 0 : w == 32 ? 1 : 2;
    return !*shape ? plain[k] : strcmp(shape, "2") == 0 ? two[k] : strcmp(shape, "22") == 0 ? (w == 32 ? "%mat2" : "%mat22") : strcmp(shape, "3") == 0 ? "%three" : strcmp(shape, "32") == 0 ? "%mat32" : "%mat33";
}

// Types by the width; %t is another one for each.
static void put_line(struct page *to, const char *p, const char *end, unsigned w, uint32_t n)
{
    for (; p < end; p++)
        if (*p == '$') {
            char shape[3] = "";
            for (unsigned k = 0; k < 2 && p[1] >= '2' && p[1] <= '3'; k++)
                shape[k] = *++p;
            put(to, "%s", type_of(shape, w));
        } else if (strncmp(p, "%t ", 3) == 0) {
            put(to, "%%t%u", n), p++;
        } else if (*p == '%' && p[1] >= 'x' && p[1] <= 'z' && (p[2] == ' ' || p + 2 == end)) {
            put(to, "%%o%c", "012"[*++p - 'x']);
        } else
            put(to, "%c", *p);
    put(to, "\n");
}

static void put_op(struct page *to, const struct op *op, unsigned w, uint32_t n)
{
    const unsigned width = width_of(op, w);
    const char *before = strchr(op->text, '\x01'), *end = op->text + strlen(op->text);
    if (before)
        put_line(to, before + 1, end, w, n);
    put(to, "%%r%u = ", n);
    put_line(to, op->text, before ? before : end, w, n);
    if (op->kind == 't')
        put(to, "%%w%u = OpSelect %%u32 %%r%u %%u1 %%u0\n", n, n);
    else {
        put(to, "%%bits%u = %s %%u%u %%r%u\n", n, op->kind == 'r' ? "OpBitcast" : "OpCopyObject", width, n);
        if (width == 64)
            put(to, "%%v%u = OpBitcast %%uvec2 %%bits%u\n%%w%u = OpCompositeExtract %%u32 %%v%u 0\n%%high%u = OpCompositeExtract %%u32 %%v%u 1\n", n, n, n, n, n, n);
        else
            put(to, "%%w%u = %s %%u32 %%bits%u\n", n, width == 32 ? "OpCopyObject" : "OpUConvert", n);
    }
    for (uint32_t high = 0; high < (width == 64 && op->kind != 't' ? 2u : 1u); high++)
        put(to, "%%p%u_%u = OpAccessChain %%word_ptr %%more %%u0 %%n%u %%lane\nOpStore %%p%u_%u %%%s%u\n", n, high, 6 + 2 * n + high, n, high, high ? "high" : "w", n);
}

#define BESIDE .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %eights ArrayStride 32\nOpDecorate %eight ArrayStride 4\nOpDecorate %more_block Block\nOpMemberDecorate %more_block 0 Offset 0\n"
static void put_globals(struct page *to)
{
    put(to, "%%eight = OpTypeArray %%u32 %%u8c\n%%eights = OpTypeRuntimeArray %%eight\n%%more_block = OpTypeStruct %%eights\n"
            "%%more_ptr = OpTypePointer StorageBuffer %%more_block\n%%more = OpVariable %%more_ptr StorageBuffer\n");
    for (uint32_t k = 0; k < 6 + 2 * OPS; k++)
        put(to, "%%n%u = OpConstant %%u32 %u\n", k, k);
}

static void put_operands(struct page *to, unsigned w)
{
    for (uint32_t k = 0; k < 6; k++)
        put(to, "%%q%u = OpAccessChain %%word_ptr %%more %%u0 %%n%u %%lane\n%%in%u = OpLoad %%u32 %%q%u\n", k, k, k, k);
    for (uint32_t k = 0; k < 3; k++) {
        if (w == 64)
            put(to, "%%i%uv = OpCompositeConstruct %%uvec2 %%in%u %%in%u\n%%i%u = OpBitcast %%u64 %%i%uv\n", k, 2 * k, 2 * k + 1, k, k);
        else
            put(to, "%%i%u = %s %%u%u %%in%u\n", k, w == 32 ? "OpCopyObject" : "OpUConvert", w, 2 * k);
        put(to, "%%o%u = OpBitcast %%f%u %%i%u\n", k, w, k);
    }
    put(to, "%%b8 = OpUConvert %%u8 %%in0\n%%b16 = OpUConvert %%u16 %%in0\n%%b32 = OpCopyObject %%u32 %%in0\n%%bv = OpCompositeConstruct %%uvec2 %%in2 %%in0\n"
            "%%b64 = OpBitcast %%u64 %%bv\n%%n = OpBitcast %%i32 %%in2\n%%nu = OpUConvert %%u16 %%in2\n%%ni = OpBitcast %%i16 %%nu\n");
    put(to, "%%v = OpCompositeConstruct %%three %%o0 %%o1 %%o2\n%%w = OpCompositeConstruct %%three %%o1 %%o2 %%o0\n%%m = OpCompositeConstruct %%mat32 %%v %%w\n"
            "%%zx = OpCompositeConstruct %s %%o2 %%o0\n%%xy = OpCompositeConstruct %s %%o0 %%o1\n%%yz = OpCompositeConstruct %s %%o1 %%o2\n%%q = OpCompositeConstruct %s %%xy %%yz\n",
        type_of("2", w), type_of("2", w), type_of("2", w), type_of("22", w));
    if (w == 32)
        put(to, "%%xyzx = OpCompositeConstruct %%vec4 %%o0 %%o1 %%o2 %%o0\n");
}

// ---- operands -------------------------------------------------------------------------------

static uint64_t seed = 9;
static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n;
}

static uint64_t any_number(unsigned w, unsigned turn)
{
    const uint64_t inf = bits_of((double)INFINITY, w), special[] = {0, 1, inf, inf + 1, inf - 1, bits_of(1, w), bits_of(-1, w), bits_of(65520, w), bits_of(0.5, w), bits_of(2.5, w)};
    const uint64_t sign = below(3) ? 0 : UINT64_C(1) << (w - 1);
    if (turn % 4 == 0)
        return bits_of((below(2) ? 1.0 : -1.0) * (below(40) + 1) / 8.0, w); // halves and eighths
    if (turn % 4 == 1)
        return bits_of((double)below(1000003) / 1000003 * (below(2) ? 1 : -1), w); // between -1 and 1
    if (turn % 4 == 2)
        return bits_of(ldexp((double)below(100003) / 7, (int)below(40) - 24), w) ^ sign;
    const uint64_t any = below(2) ? special[below(10)] ^ sign : (((uint64_t)below(1u << 31) << 33) ^ ((uint64_t)below(1u << 31) << 11) ^ below(1u << 31)) & all_ones(w);
    return isnan(float_of(any, w)) ? bits_of((double)NAN, w) : any; // a quiet one
}

// ---- comparison -------------------------------------------------------------------------------

// The sum of the operands' sizes and products, of which some may cancel.
static real size_of(const struct given *g)
{
    const real s = fabsl(X) + fabsl(Y) + fabsl(Z);
    return s + s * s;
}

static bool is_near(uint64_t got, real want, unsigned w, unsigned ulps, real size)
{
    const double g = float_of(got, w);
    const uint64_t nearest = bits_of((double)want, w);
    if (want != want)
        return g != g;
    if (got == nearest || (ulps && float_of(nearest, w) == 0 && g == 0))
        return true;
    if ((!ulps && w < 64) || isinf(want) || g != g)
        return false;
    const int digits = w == 16 ? 11 : w == 32 ? 24 : 53;
    const real least = ldexpl(1, w == 16 ? -24 : w == 32 ? -149 : -1074), top = ldexpl(1, w == 16 ? 16 : w == 32 ? 128 : 1024);
    const real unit = fmaxl(ldexpl(fmaxl(fabsl(want), ulps > 2 ? size : 0), 1 - digits), least);
    if (isinf(g) || isinf(float_of(nearest, w)))
        return fabsl(want) >= top * (1 - ldexpl(ulps + 1.0L, -digits)) && (g > 0) == (want > 0) && fabs(g) >= top * (1 - ldexpl(ulps + 1.0L, -digits));
    return fabsl((real)g - want) <= unit * (ulps ? ulps : 1);
}

// Is this one where double precision itself overflows, or a quotient rounds to a whole number?
static bool is_out_of_reach(const struct op *op, const struct given *g)
{
    const real all[] = {X, Y, Z}, q = X / Y;
    for (unsigned k = 0; k < 3 && op->ulps > 1; k++)
        if (all[k] - all[k] != 0 || (g->w == 64 && all[k] != 0 && (fabsl(all[k]) > ldexpl(1, 300) || fabsl(all[k]) < ldexpl(1, -300))))
            return true;
    if (op->is == modulo && (fabsl(q) > 1e9L || (q != rintl(q) && fabsl(q - rintl(q)) < 1e-9L)))
        return true;
    return op->is == pack_half && (X != X || Y != Y);
}

static uint32_t compared, rounded;

static void check_op(const struct op *op, const struct given *g, uint64_t got, uint64_t mask, enum orc_birth birth)
{
    const unsigned width = width_of(op, g->w);
    real want = 0;
    const bool has = op->is(g, &want), whole = mask == (op->kind != 't' && width == 64 ? UINT64_MAX : UINT32_MAX);
    if (is_out_of_reach(op, g))
        return;
    bool right = has == whole && (has || mask == 0);
    if (has && right && op->kind == 'r')
        right = is_near(got, want, width, op->ulps, size_of(g));
    else if (has && right)
        right = got == (op->kind == 't' ? want != 0 : ((want < 0 ? (uint64_t)(int64_t)want : (uint64_t)want) & all_ones(width)));
    compared++;
    rounded += birth == ORC_ORIGIN_ROUNDED;
    if (!right || (birth != ORC_ORIGIN_SURE && birth != ORC_ORIGIN_ROUNDED))
        fail_msg("%s, %u bits, of %La, %La, %La (0x%llx): got 0x%llx = %a (mask 0x%llx, birth %d), expected %s%La", op->text, g->w, X, Y, Z, (unsigned long long)g->bits,
                 (unsigned long long)got, float_of(got, op->kind == 'r' ? width : 64), (unsigned long long)mask, (int)birth, has ? "" : "no value, not ", want);
}

static uint64_t two_words(const uint32_t *at, bool both) { return at[0] | (both ? (uint64_t)at[LANES] << 32 : 0); }

static void check_width(struct spv_tools *tools, unsigned w, lane_mask active)
{
    static struct page code, globals;
    struct arena a = {0};
    struct spv_case c;
    struct orc_why why;
    code.n = globals.n = 0;
    put_globals(&globals);
    put(&globals, "%%three = OpTypeVector %%f%u 3\n%%mat32 = OpTypeMatrix %%three 2\n%%mat33 = OpTypeMatrix %%three 3\n", w);
    if (w != 32)
        put(&globals, "%%mat22 = OpTypeMatrix %s 2\n", type_of("2", w));
    put_operands(&code, w);
    for (uint32_t n = 0; n < OPS; n++)
        if (is_there(&ops[n], w))
            put_op(&code, &ops[n], w, n);
    put(&code, "%%r = OpIAdd %%u32 %%x %%y\n");
    const struct row row = {"rounded", code.text, .active = active, .globals = globals.text, .interface = " %more", BESIDE, .is_invalid = w == 64}; // sines of doubles
    row_case(tools, &a, &row, &c);
    c.model = SPV_ASSUMED_MAXIMAL;
    c.buffer_count = 3;
    c.buffer[2] = (struct spv_buffer){.binding = 2, .count = MORE, .words = ARENA_ARRAY(&a, uint32_t, MORE)};
    struct orc_program *p = orc_load_assumed(&a, &c, &why);
    if (!p)
        fail_msg("%u bits: %s", w, why.text);
    uint32_t *in = c.buffer[2].words;
    for (unsigned turn = 0; turn < 24; turn++) {
        struct orc_trace t = {.arena = &a};
        struct orc_result r;
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t l = 0; l < LANES; l++) {
                const uint64_t v = any_number(w, turn);
                in[2 * k * LANES + l] = (uint32_t)v;
                in[(2 * k + 1) * LANES + l] = (uint32_t)(v >> 32);
            }
        orc_run(p, &a, &c, 0, &(struct orc_options){.trace = &t, .order = 1}, &r);
        if (r.why.status != RAN_OK)
            fail_msg("%u bits: %s", w, r.why.text);
        for (uint32_t l = 0; l < LANES; l++) {
            uint64_t v[3];
            for (uint32_t k = 0; k < 3; k++)
                v[k] = two_words(in + 2 * k * LANES + l, true);
            const struct given g = {w, float_of(v[0], w), float_of(v[1], w), float_of(v[2], w), v[0], v[1], (int32_t)(uint32_t)v[1]};
            for (uint32_t n = 0; n < OPS; n++) {
                const uint32_t at = IN + 2 * n * LANES + l;
                const bool both = width_of(&ops[n], w) == 64 && ops[n].kind != 't';
                const uint64_t mask = r.memory[2].mask ? two_words(r.memory[2].mask + at, both) : both ? UINT64_MAX : UINT32_MAX;
                real none;
                if (!is_there(&ops[n], w))
                    continue;
                if (!lane_in(active, l)) {
                    assert_int_equal(r.memory[2].words[at], 0);
                    continue;
                }
                const enum orc_birth birth = t.words[2] ? orc_origin(t.words[2][at]).birth : ORC_ORIGIN_SURE;
                check_op(&ops[n], &g, two_words(r.memory[2].words + at, both), mask, ops[n].is(&g, &none) ? birth : ORC_ORIGIN_SURE);
            }
        }
    }
    arena_free(&a);
}

static void test_all(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (unsigned w = 16; w <= 64; w *= 2)
        check_width(tools, w, w == 32 ? 0xff : 0xb7);
    assert_true(rounded > compared / 2);
    spv_tools_free(tools);
}

// ---- groups ---------------------------------------------------------------------------------

enum scan { REDUCE, INCLUSIVE, EXCLUSIVE, OF_TWO, OF_FOUR, PARTS };

static void check_group(struct spv_tools *tools, unsigned w, unsigned which, enum scan scan, lane_mask active)
{
    static const char *const names[] = {"FAdd", "FMul", "FMin", "FMax"}, *const how[] = {"Reduce %f", "InclusiveScan %f", "ExclusiveScan %f", "ClusteredReduce %f %u2", "ClusteredReduce %f %u4", "PartitionedReduceNV %f %odd"};
    static struct page code;
    struct arena a = {0};
    struct spv_case c;
    struct orc_why why;
    const char *type = type_of("", w);
    code.n = 0;
    if (w == 64)
        put(&code, "%%xy = OpCompositeConstruct %%uvec2 %%x %%y\n%%f = OpBitcast %%f64 %%xy\n");
    else
        put(&code, "%%n = %s %%u%u %%x\n%%f = OpBitcast %s %%n\n", w == 32 ? "OpCopyObject" : "OpUConvert", w, type);
    put(&code, "%%bit0 = OpBitwiseAnd %%u32 %%lane %%u1\n%%odd = OpGroupNonUniformPartitionNV %%uvec4 %%bit0\n%%g = OpGroupNonUniform%s %s %%u3 %s\n", names[which], type, how[scan]);
    if (w == 64)
        put(&code, "%%gw = OpBitcast %%uvec2 %%g\n%%r = OpCompositeExtract %%u32 %%gw 1\n"); // the high word says enough
    else
        put(&code, "%%gw = OpBitcast %%u%u %%g\n%%r = %s %%u32 %%gw\n", w, w == 32 ? "OpCopyObject" : "OpUConvert");
    const struct row row = {"group", code.text, .active = active};
    row_case(tools, &a, &row, &c);
    c.model = SPV_ASSUMED_MAXIMAL;
    struct orc_program *p = orc_load_assumed(&a, &c, &why);
    if (!p)
        fail_msg("%s", why.text);
    for (unsigned turn = 0; turn < 6; turn++) {
        struct orc_trace t = {.arena = &a};
        struct orc_result r;
        real x[LANES];
        for (uint32_t l = 0; l < LANES; l++) {
            const uint64_t v = any_number(w, turn == 5 ? 3 : turn % 3);
            c.buffer[0].words[l] = (uint32_t)v;
            c.buffer[0].words[LANES + l] = (uint32_t)(v >> 32);
            x[l] = float_of(v, w);
        }
        orc_run(p, &a, &c, 0, &(struct orc_options){.trace = &t}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        for (uint32_t l = 0; l < LANES; l++) {
            if (!lane_in(active, l))
                continue;
            const uint32_t of = scan == OF_TWO ? 2 : 4;
            real want = which == 0 ? 0 : which == 1 ? 1 : which == 2 ? (real)INFINITY : -(real)INFINITY, size = 0, top = 0;
            for (uint32_t o = 0; o < LANES; o++)
                if (lane_in(active, o) && (scan == REDUCE || (scan == INCLUSIVE && o <= l) || (scan == EXCLUSIVE && o < l) || (scan >= OF_TWO && o / of == l / of))) {
                    want = which == 0 ? want + x[o] : which == 1 ? want * x[o] : which == 2 ? fminl(want, x[o]) : fmaxl(want, x[o]);
                    size = fmaxl(size, which ? fabsl(want) : size + fabsl(x[o]));
                    top = fmaxl(top, fabsl(want));
                }
            const uint32_t mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX, got = r.memory[1].words[l];
            const double g = float_of(w == 64 ? (uint64_t)got << 32 : got, w);
            bool right = mask == UINT32_MAX;
            if (scan == PARTS) // sets of any shape have no value where they round
                right = mask == 0 || mask == UINT32_MAX;
            else if (w == 64 && (top > ldexpl(1, 900) || size - size != 0))
                right = mask == UINT32_MAX;
            else if (w == 64)
                right &= want != want ? g != g : isinf(want) ? (real)g == want : fabsl((real)g - want) <= ldexpl(fmaxl(size, fabsl(want)), -19) + ldexpl(1, -1020);
            else
                right &= which > 1 ? float_of(bits_of((double)want, w), w) == g || (want != want && g != g) : is_near(got, want, w, 64, size);
            if (!right)
                fail_msg("%s %s, %u bits, turn %u, lane %u: got 0x%x = %a (mask 0x%x), expected %La", names[which], how[scan], w, turn, l, got, g, mask, want);
        }
    }
    arena_free(&a);
}

static void test_groups(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (unsigned w = 16; w <= 64; w *= 2)
        for (unsigned which = 0; which < 4; which++)
            for (int scan = REDUCE; scan <= PARTS; scan++)
                check_group(tools, w, which, (enum scan)scan, which % 2 ? 0xff : 0xbd);
    spv_tools_free(tools);
}

static bool traced(struct spv_tools *tools, const struct row *row, uint32_t order, struct arena *a, struct orc_result *r)
{
    struct spv_case c;
    struct orc_why why;
    struct orc_trace t = {.arena = a};
    row_case(tools, a, row, &c);
    struct orc_program *p = orc_load_assumed(a, &c, &why);
    if (!p)
        fail_msg("%s: %s", row->name, why.text);
    orc_run(p, a, &c, 0, &(struct orc_options){.trace = order ? NULL : &t, .order = order}, r);
    return r->why.status == RAN_OK;
}

// Sets of any shape: thirds have no value, small whole numbers have.
static void test_parts(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (int rounds = 0; rounds < 2; rounds++) {
        struct arena a = {0};
        struct orc_result r;
        const uint32_t x = rounds ? 0x3eaaaaab : 0x40400000;
        const struct row row = {"parts", "%bit0 = OpBitwiseAnd %u32 %lane %u1\n%odd = OpGroupNonUniformPartitionNV %uvec4 %bit0\n%g = OpGroupNonUniformFAdd %f32 %u3 PartitionedReduceNV %fx %odd\n%r = OpBitcast %u32 %g\n",
                                {x, x, x, x, x, x, x, x}};
        assert_true(traced(tools, &row, 0, &a, &r));
        for (uint32_t l = 0; l < LANES; l++)
            assert_int_equal(r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX, rounds ? 0 : UINT32_MAX);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

// Whole vectors and matrices, and the operations with two results, of x and y = 1/3: within two units in the last place.
static double back_faced(double x, double y)
{
    (void)y;
    return -x; // the dot product is a square
}
static double refracted(double x, double y)
{
    const double d = x * x + y * y, k = 1 - x * x * (1 - d * d);
    return k < 0 ? 0 : x * x - (x * d + sqrt(k)) * x;
}
static double determinant(double x, double y)
{
    return x * (x + 1) - y * y; // columns (x, y) and (y, x + 1)
}
static double inverse(double x, double y)
{
    return -y / determinant(x, y);
}
static double part_after_point(double x, double y)
{
    (void)y;
    return x - floor(x);
}
static double binary_exponent(double x, double y)
{
    (void)y;
    return x < 0.5 ? -1 : x < 1 ? 0 : x < 2 ? 1 : 2;
}
#define MATRIX "%v = OpCompositeConstruct %vec2 %fx %fy\n%x1 = OpFAdd %f32 %fx %f1\n%w = OpCompositeConstruct %vec2 %fy %x1\n%m = OpCompositeConstruct %mat2 %v %w\n"
#define BITS "%r = OpBitcast %u32 %z\n"

static void test_vectors_and_matrices(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        double (*is)(double x, double y);
    } table[] = {
        {"%z = OpExtInst %f32 %glsl FaceForward %fx %fx %fx\n" BITS, back_faced},
        {"%v = OpCompositeConstruct %vec2 %fx %fy\n%s = OpExtInst %vec2 %glsl Refract %v %v %fx\n%z = OpCompositeExtract %f32 %s 0\n" BITS, refracted},
        {MATRIX "%z = OpExtInst %f32 %glsl Determinant %m\n" BITS, determinant},
        {MATRIX "%n = OpExtInst %mat2 %glsl MatrixInverse %m\n%z = OpCompositeExtract %f32 %n 1 0\n" BITS, inverse},
        {"%t = OpExtInst %ff %glsl ModfStruct %fx\n%z = OpCompositeExtract %f32 %t 0\n" BITS, part_after_point},
        {"%t = OpExtInst %fi %glsl FrexpStruct %fx\n%e = OpCompositeExtract %i32 %t 1\n%z = OpConvertSToF %f32 %e\n" BITS, binary_exponent},
    };
    static const uint32_t x[LANES] = {0x3eaaaaab, 0x3f8ccccd, 0x40133333, 0x3eaaaaab, 0x3f8ccccd, 0x40133333, 0x3eaaaaab, 0x3f8ccccd};
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct arena a = {0};
        struct orc_result r;
        struct row row = {table[k].code, table[k].code, {0}, {0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab, 0x3eaaaaab}};
        memcpy(row.a, x, sizeof row.a);
        assert_true(traced(tools, &row, 0, &a, &r));
        for (uint32_t l = 0; l < LANES; l++) {
            float in[2], out;
            memcpy(&in[0], &x[l], sizeof in[0]);
            memcpy(&in[1], &x[0], sizeof in[1]);
            memcpy(&out, &r.memory[1].words[l], sizeof out);
            const double want = table[k].is((double)in[0], (double)in[1]);
            if ((r.memory[1].mask && !r.memory[1].mask[l]) || !(fabs((double)out - want) <= fabs(want) * 0x1p-22))
                fail_msg("%s, lane %u: %g, not %g", table[k].code, l, (double)out, want);
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
}

// ---- derivatives ----------------------------------------------------------------------------

static void test_derivatives(void **state)
{
    (void)state;
    static const char *const names[] = {"DPdx", "DPdxFine", "DPdxCoarse", "DPdy", "DPdyFine", "DPdyCoarse", "Fwidth", "FwidthFine", "FwidthCoarse"};
    static const double x[LANES] = {0.3, 1.7, -2.9, 100.1, 7e-3, -0.7, 3e4, 11.3};
    struct spv_tools *tools = spv_tools_new();
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        for (int vector = 0; vector < 2; vector++) {
            struct arena a = {0};
            struct orc_result r;
            char code[400];
            snprintf(code, sizeof code, vector ? "%%v = OpCompositeConstruct %%vec2 %%f1 %%fx\n%%d = Op%s %%vec2 %%v\n%%e = OpCompositeExtract %%f32 %%d 1\n%%r = OpBitcast %%u32 %%e\n" : "%%d = Op%s %%f32 %%fx\n%%r = OpBitcast %%u32 %%d\n", names[k]);
            struct row row = {names[k], code, .capabilities = "OpCapability DerivativeControl\nOpCapability ComputeDerivativeGroupLinearKHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n",
                              .modes = "\nOpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\nOpExecutionMode %main DerivativeGroupLinearKHR\n", .is_invalid = true};
            float f[LANES];
            for (uint32_t l = 0; l < LANES; l++)
                row.a[l] = (uint32_t)bits_of(x[l], 32), f[l] = (float)x[l];
            assert_true(traced(tools, &row, 0, &a, &r));
            for (uint32_t l = 0; l < LANES; l++) {
                const uint32_t quad = l / 4 * 4, row_of = l % 4 / 2, column = l % 2;
                const real dx = (real)f[quad + 2 * row_of + 1] - (real)f[quad + 2 * row_of], dy = (real)f[quad + column + 2] - (real)f[quad + column];
                const real want = k < 3 ? dx : k < 6 ? dy : fabsl(dx) + fabsl(dy);
                if ((r.memory[1].mask && r.memory[1].mask[l] != UINT32_MAX) || !is_near(r.memory[1].words[l], want, 32, 1, 0))
                    fail_msg("%s%s, lane %u: got 0x%x, expected %La", names[k], vector ? " of a vector" : "", l, r.memory[1].words[l], want);
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

// ---- atomics --------------------------------------------------------------------------------

// One after the other: each has what was there before it.
static void test_atomics(void **state)
{
    (void)state;
    static const char *const names[] = {"FAdd", "FMin", "FMax"};
    static const char *const capabilities = "OpCapability AtomicFloat16AddEXT\nOpCapability AtomicFloat16MinMaxEXT\nOpCapability AtomicFloat64AddEXT\nOpCapability AtomicFloat64MinMaxEXT\n"
        "OpCapability StorageBuffer16BitAccess\nOpExtension \"SPV_EXT_shader_atomic_float16_add\"\nOpExtension \"SPV_KHR_16bit_storage\"\n";
    struct spv_tools *tools = spv_tools_new();
    for (unsigned w = 16; w <= 64; w *= 2)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned turn = 0; turn < 4; turn++) {
                struct arena a = {0};
                struct orc_result r;
                char code[700], globals[500];
                const uint64_t first = turn == 2 ? bits_of((double)NAN, w) : bits_of(turn == 1 ? 1e4 : 0.7, w);
                double x[LANES], has = float_of(first, w);
                snprintf(globals, sizeof globals, "%%one = OpTypeStruct %%f%u\n%%one_ptr = OpTypePointer StorageBuffer %%one\n%%cell_ptr = OpTypePointer StorageBuffer %%f%u\n%%more = OpVariable %%one_ptr StorageBuffer\n", w, w);
                snprintf(code, sizeof code, "%%p = OpAccessChain %%cell_ptr %%more %%u0\n%%v = %s %%f%u %%fx\n%%old = OpAtomic%sEXT %%f%u %%p %%u1 %%u0 %%v\n%%t = %s %%f32 %%old\n%%r = OpBitcast %%u32 %%t\n",
                         w == 32 ? "OpCopyObject" : "OpFConvert", w, names[k], w, w == 32 ? "OpCopyObject" : "OpFConvert");
                struct row row = {names[k], code, .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %one Block\nOpMemberDecorate %one 0 Offset 0\n",
                                  .globals = globals, .interface = " %more", .capabilities = capabilities, .more = {(uint32_t)first, (uint32_t)(first >> 32)}, .more_count = 2, .is_invalid = true};
                for (uint32_t l = 0; l < LANES; l++) {
                    x[l] = float_of(bits_of(turn == 0 ? l * 0.25 + 0.5 : turn == 1 ? 3.0 * l - 5e3 : 2.5 - l, 16), 16);
                    row.a[l] = (uint32_t)bits_of(x[l], 32);
                }
                if (!traced(tools, &row, 1, &a, &r))
                    fail_msg("%s of %u bits: %s", names[k], w, r.why.text);
                for (uint32_t l = 0; l < LANES; l++) {
                    const uint32_t got = r.memory[1].words[l], mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX;
                    if (has == has && float_of(bits_of(has, 32), 32) == has && (mask != UINT32_MAX || got != bits_of(has, 32)))
                        fail_msg("%s of %u bits, turn %u, lane %u: got 0x%x (mask 0x%x), expected %a", names[k], w, turn, l, got, mask, has);
                    has = float_of(bits_of(k == 0 ? has + x[l] : k == 1 ? fmin(has, x[l]) : fmax(has, x[l]), w), w);
                }
                const uint64_t last = r.memory[2].words[0] | (w == 64 ? (uint64_t)r.memory[2].words[1] << 32 : 0);
                if (has == has ? (w == 16 ? last & 0xffff : last) != bits_of(has, w) : float_of(last, w) == float_of(last, w))
                    fail_msg("%s of %u bits, turn %u: 0x%llx is left, expected %a", names[k], w, turn, (unsigned long long)last, has);
                arena_free(&a);
            }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_groups), cmocka_unit_test(test_parts), cmocka_unit_test(test_vectors_and_matrices), cmocka_unit_test(test_derivatives), cmocka_unit_test(test_atomics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
