// SPDX-License-Identifier: Apache-2.0
//
// Float instructions: what is exact and defined, and above all what is not.
#include "test_orc_text.h"

// Bits of floats of 32 bits.
#define P0 0x00000000u
#define N0 0x80000000u
#define HALF 0x3f000000u
#define P1 0x3f800000u
#define N1 0xbf800000u
#define P1_5 0x3fc00000u
#define N1_5 0xbfc00000u
#define P2 0x40000000u
#define N2 0xc0000000u
#define P2_5 0x40200000u
#define P3 0x40400000u
#define P6 0x40c00000u
#define THIRD 0x3eaaaaabu // 1/3, rounded
#define INF 0x7f800000u
#define NAN_ 0x7fc00000u
#define DENORMAL 1u
#define E24 0x4b800000u // 2^24
#define E24_1 0x4b7fffffu // 2^24 - 1
#define EXACT "OpDecorate %f NoContraction\n"
#define OP1(op) "%f = " op " %f32 %fx\n%r = OpBitcast %u32 %f\n"
#define OP2(op) "%f = " op " %f32 %fx %fy\n%r = OpBitcast %u32 %f\n"
#define GL1(op) "%f = OpExtInst %f32 %glsl " op " %fx\n%r = OpBitcast %u32 %f\n"
#define GL2(op) "%f = OpExtInst %f32 %glsl " op " %fx %fy\n%r = OpBitcast %u32 %f\n"
#define TEST(op) "%t = " op " %bool %fx %fy\n%r = OpSelect %u32 %t %u1 %u0\n"

// Small numbers are multiples of 1/8 below 256.
static const struct row arithmetic[] = {
    {"FAdd: exact; a zero's sign is open; 1/3 is not small", OP2("OpFAdd"),
     {P1, P1_5, P1, THIRD, INF, NAN_, DENORMAL, P0},
     {P2, N1, N1, P1, P1, P1, P1, P3}, {P3, HALF, U, U, U, U, U, P3}},
    {"FAdd: not small, so it might be reordered", OP2("OpFAdd"), {E24_1, 0x437f0000, 0x437f0000},
     {P1, P1, P2}, {U, U, U, U, U, U, U, U}}, // 255 + 1 = 256 is the first too large
    {"FAdd NoContraction: exact is enough", OP2("OpFAdd"),
     {E24_1, E24, E24, 0x437f0000, THIRD, THIRD, P0, P2}, {P1, P1, P2, P1, P1, THIRD, P0, N1},
     {E24, U, 0x4b800001, 0x43800000, U, 0x3f2aaaab, U, P1}, 0, EXACT},
    {"FSub", OP2("OpFSub"), {P3, P1, P1, N1_5}, {P1, P3, P1, N2}, {P2, N2, U, HALF, U, U, U, U}},
    {"FMul", OP2("OpFMul"), {P3, N1_5, P0, THIRD, HALF, 0x3e000000, 0x3e000000, INF},
     {P2, P1, P2, P1, P2_5, P3, HALF, P1}, {P6, N1_5, U, U, 0x3fa00000, 0x3ec00000, U, U}},
    // 2^-1 * 2^-3 = 2^-4 is below the grid; with NoContraction it counts.
    {"FMul NoContraction", OP2("OpFMul"),
     {THIRD, THIRD, 0x3e000000, 0x00800000, 0x7f000000, 0x7f000000, P0, P3},
     {P2, THIRD, HALF, HALF, P1, P2, P3, P0}, {0x3f2aaaab, U, 0x3d800000, U, 0x7f000000, U, U, U},
     0, EXACT},
    {"FNegate", OP1("OpFNegate"), {P1, THIRD, P0, N0, INF, NAN_, DENORMAL, N2}, {0},
     {N1, 0xbeaaaaab, U, U, U, U, U, P2}},
    {"FAdd of what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%z = OpBitcast %f32 %s\n"
     "%f = OpFAdd %f32 %z %f1\n%r = OpBitcast %u32 %f\n", {P1, P1}, {0, 32}, {P2, U, P1, P1, P1, P1, P1, P1}},
    {"FDiv: not even where it would be exact", OP2("OpFDiv"), {P6, P1}, {P2, P1},
     {U, U, U, U, U, U, U, U}, 0, EXACT},
    {"FRem", OP2("OpFRem"), {P3}, {P2}, {U, U, U, U, U, U, U, U}},
    {"FMod", OP2("OpFMod"), {P3}, {P2}, {U, U, U, U, U, U, U, U}},
    {"half: 2048 + 1 would round", "%hx = OpFConvert %f16 %fx\n%hy = OpFConvert %f16 %fy\n"
     "%f = OpFAdd %f16 %hx %hy\n%w = OpFConvert %f32 %f\n%r = OpBitcast %u32 %w\n",
     {0x45000000, 0x45000000, P1, P1, P1, P1, P1, P1}, {P1, P2, P2, P2, P2, P2, P2, P2},
     {U, 0x45002000, P3, P3, P3, P3, P3, P3}, 0, EXACT},
    {"double: 2^24 + 1 does not round",
     "%dx = OpFConvert %f64 %fx\n%dy = OpFConvert %f64 %fy\n%f = OpFAdd %f64 %dx %dy\n"
     "%q = OpConvertFToU %u32 %f\n%r = OpIAdd %u32 %q %u0\n",
     {E24, P1, P1, P1, P1, P1, P1, P1}, {P1, P1, P1, P1, P1, P1, P1, P1},
     {16777217, 2, 2, 2, 2, 2, 2, 2}, 0, EXACT},
};

static const struct row comparisons[] = {
    {"FOrdLessThan", TEST("OpFOrdLessThan"), {P1, P2, N1, P0, NAN_, DENORMAL, INF, P1},
     {P2, P1, P1, N0, P1, P1, P1, P1}, {1, 0, 1, 0, U, U, U, 0}},
    {"FUnordLessThanEqual", TEST("OpFUnordLessThanEqual"), {P1, P2, N1, P0, NAN_, N2, N1, THIRD},
     {P2, P1, P1, N0, P1, N1, N2, HALF}, {1, 0, 1, 1, U, 1, 0, 1}},
    {"FOrdEqual: zeros are equal", TEST("OpFOrdEqual"), {P0, P1, P1, NAN_}, {N0, P1, P2, NAN_},
     {1, 1, 0, U, 1, 1, 1, 1}},
    {"FUnordNotEqual", TEST("OpFUnordNotEqual"), {P0, P1, P1, NAN_}, {N0, P1, P2, NAN_},
     {0, 0, 1, U}},
    {"FOrdGreaterThan", TEST("OpFOrdGreaterThan"), {P2, P1, N1, N2, P1, P0, P1, N1},
     {P1, P2, N2, N1, N1, N1, P0, P0}, {1, 0, 1, 0, 1, 1, 1, 0}},
    {"FUnordGreaterThanEqual", TEST("OpFUnordGreaterThanEqual"), {P2, P1, N1, N2}, {P1, P2, N1, N1},
     {1, 0, 1, 0, 1, 1, 1, 1}},
    {"IsNan", "%t = OpIsNan %bool %fx\n%r = OpSelect %u32 %t %u1 %u0\n",
     {P1, P0, N0, NAN_, INF, THIRD, 0x7f7fffff, 0xff800000}, {0}, {0, 0, 0, U, U, 0, 0, U}},
    {"IsInf", "%t = OpIsInf %bool %fx\n%r = OpSelect %u32 %t %u1 %u0\n",
     {P1, P0, N0, NAN_, INF, THIRD, 0x7f7fffff, 0xff800000}, {0}, {0, 0, 0, U, U, 0, 0, U}},
};

static const struct row conversions[] = {
    {"ConvertFToS", "%i = OpConvertFToS %i32 %fx\n%r = OpBitcast %u32 %i\n",
     {P2_5, 0xc0200000, HALF, 0x4f000000, 0xcf000000, NAN_, N0, 0x4effffff}, {0},
     {2, 0xfffffffe, 0, U, 0x80000000, U, 0, 0x7fffff80}},
    {"ConvertFToU", "%r = OpConvertFToU %u32 %fx\n",
     {P2_5, N1, 0xbf000000, 0x4f800000, 0x4f7fffff, INF, DENORMAL, P0}, {0},
     {2, U, 0, U, 0xffffff00, U, U, 0}},
    {"ConvertUToF: 2^24 + 1 rounds", "%f = OpConvertUToF %f32 %x\n%r = OpBitcast %u32 %f\n",
     {0, 1, 3, 16777217, 16777218, 0xffffffff, 0x80000000, 0xffffff00}, {0},
     {P0, P1, P3, U, 0x4b800001, U, 0x4f000000, 0x4f7fffff}},
    {"ConvertSToF", "%i = OpBitcast %i32 %x\n%f = OpConvertSToF %f32 %i\n%r = OpBitcast %u32 %f\n",
     {0, 0xffffffff, 3, 0x80000000, 0x80000001, 0xfffffffe, 2, 6}, {0},
     {P0, N1, P3, 0xcf000000, U, N2, P2, P6}},
    {"FConvert to half and back", "%h = OpFConvert %f16 %fx\n%f = OpFConvert %f32 %h\n"
     "%r = OpBitcast %u32 %f\n",
     {P1, THIRD, 0x477fe000, 0x47800000, 0x38800000, 0x38000000, P0, N0}, {0},
     {P1, U, 0x477fe000, U, 0x38800000, U, P0, U}},
    {"QuantizeToF16", "%f = OpQuantizeToF16 %f32 %fx\n%r = OpBitcast %u32 %f\n",
     {P1, THIRD, 0x477fe000, 0x47800000, 0x38800000, 0x38000000, P0, N0}, {0},
     {P1, U, 0x477fe000, U, 0x38800000, U, P0, U}},
    {"a denormal or NaN from memory has no bits of its own",
     "%r = OpBitcast %u32 %fx\n", {P1, NAN_, DENORMAL, 0x807fffff, INF, N0, P0, 0xff800001}, {0},
     {P1, U, U, U, INF, N0, P0, U}},
};

static const struct row glsl[] = {
    {"FAbs", GL1("FAbs"), {N1, P1, P0, NAN_, 0xbeaaaaab, P1, P1, P1}, {0},
     {P1, P1, U, U, THIRD, P1, P1, P1}},
    {"FSign", GL1("FSign"), {N2, P2, P0, NAN_, P1, P1, P1, P1}, {0}, {N1, P1, U, U, P1, P1, P1, P1}},
    {"Floor", GL1("Floor"), {P2_5, N1_5, HALF, P3, N1, 0x4f000000, 0xbe000000, INF}, {0},
     {P2, N2, U, P3, N1, 0x4f000000, N1, U}},
    {"Ceil", GL1("Ceil"), {P2_5, N1_5, HALF, P3, N1, 0x4f000000, 0xbe000000, INF}, {0},
     {P3, N1, P1, P3, N1, 0x4f000000, U, U}},
    {"Trunc", GL1("Trunc"), {P2_5, N1_5, HALF, P3, 0xc0200000, P1, P1, P1}, {0},
     {P2, N1, U, P3, N2, P1, P1, P1}},
    {"Round: halves are open", GL1("Round"), {P2_5, N1_5, 0x40266666, P3, 0x3f400000, P1, P1, P1},
     {0}, {U, U, P3, P3, P1, P1, P1, P1}},
    {"RoundEven", GL1("RoundEven"), {P2_5, N1_5, P1_5, HALF, 0x40266666, 0xc0200000, P1, P1}, {0},
     {P2, N2, P2, U, P3, N2, P1, P1}},
    {"Fract", GL1("Fract"), {P2_5, N1_5, P3, THIRD, 0xbe000000, 0x3e000000, P2_5, P2_5}, {0},
     {HALF, HALF, U, U, 0x3f600000, 0x3e000000, HALF, HALF}},
    {"FMin", GL2("FMin"), {P1, P2, N1, P0, NAN_, THIRD, P1, P1}, {P2, P1, N2, P1, P1, P1, P1, INF},
     {P1, P1, N2, U, U, THIRD, P1, U}},
    {"NMax", GL2("NMax"), {P1, P2, N1, P0, NAN_, THIRD, P1, N1}, {P2, P1, N2, P1, P1, P1, P1, P0},
     {P2, P2, N1, P1, U, P1, P1, U}},
    {"FClamp to 1.0 .. y", "%f = OpExtInst %f32 %glsl FClamp %fx %f1 %fy\n%r = OpBitcast %u32 %f\n",
     {P2, P3, HALF, P2, P2, P2, P2, P2}, {P3, P2, P2, HALF, P1, P2, P2, P2},
     {P2, P2, P1, U, P1, P2, P2, P2}},
    {"Step: a result of zero is open", GL2("Step"), {P2, P1, P1, P1, P1, P1, P1, P1},
     {P1, P2, P1, P1, P1, P1, P1, P1}, {U, P1, P1, P1, P1, P1, P1, P1}},
    {"Fma: 3 x + y", "%f = OpExtInst %f32 %glsl Fma %fx %f3 %fy\n%r = OpBitcast %u32 %f\n",
     {P1, HALF, THIRD, P2, P2, P2, P2, P2}, {P3, HALF, P1, N0, N0, N0, N0, N0},
     {P6, P2, U, P6, P6, P6, P6, P6}},
    {"Ldexp", "%i = OpBitcast %i32 %y\n%f = OpExtInst %f32 %glsl Ldexp %fx %i\n"
     "%r = OpBitcast %u32 %f\n",
     {P1, P3, P1, P1, P1, P0, THIRD, P2}, {1, 0xffffffff, 127, 126, 0xffffff80, 1, 1, 0xffffff82},
     {P2, P1_5, U, 0x7e800000, U, U, 0x3f2aaaab, 0x01000000}},
    {"ModfStruct, the fraction", "%s = OpExtInst %ff %glsl ModfStruct %fx\n"
     "%f = OpCompositeExtract %f32 %s 0\n%r = OpBitcast %u32 %f\n",
     {P2_5, N1_5, P3, HALF, P2_5, P2_5, P2_5, P2_5}, {0},
     {HALF, 0xbf000000, U, HALF, HALF, HALF, HALF, HALF}},
    {"ModfStruct, the whole", "%s = OpExtInst %ff %glsl ModfStruct %fx\n"
     "%f = OpCompositeExtract %f32 %s 1\n%r = OpBitcast %u32 %f\n",
     {P2_5, N1_5, P3, HALF, P2_5, P2_5, P2_5, P2_5}, {0}, {P2, N1, P3, U, P2, P2, P2, P2}},
    {"FrexpStruct, the significand", "%s = OpExtInst %fi %glsl FrexpStruct %fx\n"
     "%f = OpCompositeExtract %f32 %s 0\n%r = OpBitcast %u32 %f\n",
     {P1, P3, N2, HALF, P0, P1, P1, P1}, {0}, {HALF, 0x3f400000, 0xbf000000, HALF, U, HALF, HALF, HALF}},
    {"FrexpStruct, the exponent", "%s = OpExtInst %fi %glsl FrexpStruct %fx\n"
     "%i = OpCompositeExtract %i32 %s 1\n%r = OpBitcast %u32 %i\n",
     {P1, P3, N2, HALF, 0x3e000000, P0, P1, P1}, {0}, {1, 2, 2, 0, 0xfffffffe, U, 1, 1}},
    {"Sqrt: only bounded", GL1("Sqrt"), {P1}, {0}, {U, U, U, U, U, U, U, U}},
    {"PackHalf2x16", "%v = OpCompositeConstruct %vec2 %fx %fy\n"
     "%r = OpExtInst %u32 %glsl PackHalf2x16 %v\n",
     {P1, P1, P0, N0, 0x38000000, P1, P1, P1}, {P2, THIRD, P1, P1, P1, P1, P1, P1},
     {0x40003c00, U, 0x3c000000, U, U, 0x3c003c00, 0x3c003c00, 0x3c003c00}},
    {"UnpackHalf2x16", "%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %x\n"
     "%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n",
     {0x3c000000, 0x40000001, 0x00010000, 0x7c000000, 0, 0x80000000, 0xc0000000, 0xc0000000}, {0},
     {P1, P2, U, U, P0, U, N2, N2}},
    {"PackUnorm2x16: at the ends", "%v = OpCompositeConstruct %vec2 %fx %fy\n"
     "%r = OpExtInst %u32 %glsl PackUnorm2x16 %v\n",
     {P1, P2, N1, HALF, P0, P0, P0, P0}, {P0, N0, P3, P0, P0, P0, P0, P0},
     {0xffff, 0xffff, 0xffff0000, U}},
    {"PackSnorm2x16: at the ends", "%v = OpCompositeConstruct %vec2 %fx %fy\n"
     "%r = OpExtInst %u32 %glsl PackSnorm2x16 %v\n",
     {P1, P2, N1, HALF, P0, P0, P0, P0}, {P0, N0, N2, P0, P0, P0, P0, P0},
     {0x7fff, 0x7fff, 0x80018001, U}},
    {"PackDouble2x32: bits", "%v = OpCompositeConstruct %uvec2 %x %y\n"
     "%d = OpExtInst %f64 %glsl PackDouble2x32 %v\n%w = OpExtInst %uvec2 %glsl UnpackDouble2x32 %d\n"
     "%r = OpCompositeExtract %u32 %w 1\n",
     {1, 1, 0}, {0x3ff00000, 0x7ff00000, 0x7ff00000},
     {0x3ff00000, U, 0x7ff00000, 0, 0, 0, 0, 0}},
};

#define VEC2 "%v = OpCompositeConstruct %vec2 %fx %fy\n"
#define VEC12 "%w = OpCompositeConstruct %vec2 %f1 %f2\n"
#define MAT "%m = OpCompositeConstruct %mat2 %v %w\n" // columns (x, y), (1, 2)
static const struct row linear[] = {
    {"Dot with (1, 2)", VEC2 VEC12 "%f = OpDot %f32 %v %w\n%r = OpBitcast %u32 %f\n",
     {P1, P2, P2, THIRD, P0, P1, P1, P1}, {P1, P2, N1, P1, P1, P1, P1, P1},
     {P3, P6, U, U, P2, P3, P3, P3}},
    // 2^24 - 1 and -1: the result fits, the sum of the sizes does not; with more terms
    // an order could be found that rounds.
    {"Dot NoContraction", VEC2 VEC12 "%f = OpDot %f32 %v %w\n%r = OpBitcast %u32 %f\n",
     {E24_1, 0x4b7ffffe, THIRD, P1, P1, P1, P1, P1}, {0xbf000000, P1, P0, P1, P1, P1, P1, P1},
     {U, E24, THIRD, P3, P3, P3, P3, P3}, 0, EXACT},
    {"VectorTimesScalar", VEC2 "%z = OpVectorTimesScalar %vec2 %v %f2\n"
     "%f = OpCompositeExtract %f32 %z 1\n%r = OpBitcast %u32 %f\n",
     {0}, {P1, P3, THIRD, P0, N1, P1, P1, P1}, {P2, P6, U, U, N2, P2, P2, P2}},
    {"MatrixTimesVector with (1, 2): x + 2, y + 4", VEC2 VEC12 MAT
     "%z = OpMatrixTimesVector %vec2 %m %w\n%f = OpCompositeExtract %f32 %z 0\n%r = OpBitcast %u32 %f\n",
     {P1, HALF, N2, P1, P1, P1, P1, P1}, {0}, {P3, P2_5, U, P3, P3, P3, P3, P3}},
    {"VectorTimesMatrix with (1, 2): x + 2 y, 5", VEC2 VEC12 MAT
     "%z = OpVectorTimesMatrix %vec2 %w %m\n%f = OpCompositeExtract %f32 %z 0\n%r = OpBitcast %u32 %f\n",
     {P1, HALF, N2, P1, P1, P1, P1, P1}, {P1, P1, P1, P1, P1, P1, P1, P1},
     {P3, P2_5, U, P3, P3, P3, P3, P3}},
    // (x 1; y 2)^2, first column: x^2 + y, x y + 2 y
    {"MatrixTimesMatrix, row 1 of column 0", VEC2 VEC12 MAT
     "%z = OpMatrixTimesMatrix %mat2 %m %m\n%f = OpCompositeExtract %f32 %z 0 1\n%r = OpBitcast %u32 %f\n",
     {P1, P1, HALF, P1, P1, P1, P1, P1}, {P1, P2, P1, P1, P1, P1, P1, P1},
     {P3, P6, P2_5, P3, P3, P3, P3, P3}},
    {"OuterProduct, row 0 of column 1: 2 x", VEC2 VEC12
     "%z = OpOuterProduct %mat2 %v %w\n%f = OpCompositeExtract %f32 %z 1 0\n%r = OpBitcast %u32 %f\n",
     {P1, P3, THIRD, P1, P1, P1, P1, P1}, {0}, {P2, P6, U, P2, P2, P2, P2, P2}},
    {"Transpose: row 0 of column 1 is y", VEC2 VEC12 MAT
     "%z = OpTranspose %mat2 %m\n%f = OpCompositeExtract %f32 %z 1 0\n%r = OpBitcast %u32 %f\n",
     {0}, {P1, P3, THIRD, P1, P1, P1, P1, P1}, {P1, P3, THIRD, P1, P1, P1, P1, P1}},
};

// What the specification only bounds is undefined even where the result would be a number: with
// operands 1, 1, ... all of these have one.
static const struct {
    const char *name, *type, *operands;
} open_functions[] = {
    {"Radians", "f32", "%fx"}, {"Degrees", "f32", "%fx"}, {"Sin", "f32", "%fx"}, {"Cos", "f32", "%fx"},
    {"Tan", "f32", "%fx"}, {"Asin", "f32", "%fx"}, {"Acos", "f32", "%fx"}, {"Atan", "f32", "%fx"},
    {"Sinh", "f32", "%fx"}, {"Cosh", "f32", "%fx"}, {"Tanh", "f32", "%fx"}, {"Asinh", "f32", "%fx"},
    {"Acosh", "f32", "%fx"}, {"Atanh", "f32", "%fx"}, {"Exp", "f32", "%fx"}, {"Log", "f32", "%fx"},
    {"Exp2", "f32", "%fx"}, {"Log2", "f32", "%fx"}, {"Sqrt", "f32", "%fx"}, {"InverseSqrt", "f32", "%fx"},
    {"Length", "f32", "%v"}, {"Normalize", "f32", "%fx"}, {"Atan2", "f32", "%fx %fx"}, {"Pow", "f32", "%fx %fx"},
    {"Distance", "f32", "%v %v"}, {"Reflect", "vec2", "%v %v"}, {"FMix", "f32", "%fx %fx %fx"},
    {"SmoothStep", "f32", "%fx %f2 %f3"}, {"FaceForward", "f32", "%fx %fx %fx"},
    {"Refract", "vec2", "%v %v %fx"}, {"Cross", "vec3", "%v3 %v3"}, {"Determinant", "f32", "%m"},
    {"MatrixInverse", "mat2", "%m"}, {"UnpackSnorm4x8", "vec4", "%x"}, {"UnpackUnorm4x8", "vec4", "%x"},
    {"UnpackSnorm2x16", "vec2", "%x"}, {"UnpackUnorm2x16", "vec2", "%x"},
};

static void test_open_functions(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof open_functions / sizeof *open_functions; k++) {
        const char *type = open_functions[k].type;
        const char *part = strcmp(type, "f32") == 0 ? "%f = OpCopyObject %f32 %z\n"
                           : strcmp(type, "mat2") == 0 ? "%f = OpCompositeExtract %f32 %z 0 0\n"
                                                       : "%f = OpCompositeExtract %f32 %z 0\n";
        char code[600];
        snprintf(code, sizeof code,
                 "%%v = OpCompositeConstruct %%vec2 %%fx %%fx\n%%v3 = OpCompositeConstruct %%vec3 %%fx %%fx %%fx\n"
                 "%%m = OpCompositeConstruct %%mat2 %%v %%v\n%%z = OpExtInst %%%s %%glsl %s %s\n%s"
                 "%%r = OpBitcast %%u32 %%f\n", type, open_functions[k].name, open_functions[k].operands, part);
        const struct row row = {open_functions[k].name, code, {P1, P1, P1, P1, P1, P1, P1, P1}, {0},
                                {U, U, U, U, U, U, U, U}, .globals = "%vec3 = OpTypeVector %f32 3\n"};
        check_rows(&row, 1);
    }
}

static const struct row more_tests[] = {
    {"FOrdNotEqual", TEST("OpFOrdNotEqual"), {P1, P0, P1}, {P2, N0, P1}, {1, 0, 0}},
    {"FUnordEqual", TEST("OpFUnordEqual"), {P1, P0, P1}, {P2, N0, P1}, {0, 1, 1, 1, 1, 1, 1, 1}},
    {"FUnordLessThan", TEST("OpFUnordLessThan"), {P1, N1, P1}, {P2, P1, P1}, {1, 1, 0}},
    {"FUnordGreaterThan", TEST("OpFUnordGreaterThan"), {P2, N1, P1}, {P1, P1, P1}, {1, 0, 0}},
    {"FOrdLessThanEqual", TEST("OpFOrdLessThanEqual"), {P2, N1, P1}, {P1, P1, P1}, {0, 1, 1, 1, 1, 1, 1, 1}},
    {"FOrdGreaterThanEqual", TEST("OpFOrdGreaterThanEqual"), {P2, N1, P1}, {P1, P1, P1}, {1, 0, 1, 1, 1, 1, 1, 1}},
    {"FMax", GL2("FMax"), {P2, N1, P3, P1, P1, P1, P1, P1}, {P1, P1, NAN_, P2, P1, P1, P1, P1},
     {P2, P1, U, P2, P1, P1, P1, P1}},
    {"NMin", GL2("NMin"), {P2, N1, P3, P1, P1, P1, P1, P1}, {P1, P1, P2, P2, P1, P1, P1, P1},
     {P1, N1, P2, P1, P1, P1, P1, P1}},
    {"NClamp to 1.0 .. y", "%f = OpExtInst %f32 %glsl NClamp %fx %f1 %fy\n%r = OpBitcast %u32 %f\n",
     {HALF, P3, P2, P2, P1, P1, P1, P1}, {P2, P2, P3, HALF, P2, P2, P2, P2},
     {P1, P2, P2, U, P1, P1, P1, P1}},
    {"PackUnorm4x8: at the ends", "%v = OpCompositeConstruct %vec4 %fx %fy %fx %fy\n"
     "%r = OpExtInst %u32 %glsl PackUnorm4x8 %v\n", {P1, P0, HALF, P1, P1, P1, P1, P1},
     {P0, P1, P0, P1, P1, P1, P1, P1}, {0x00ff00ff, 0xff00ff00, U, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
      0xffffffff}},
    {"PackSnorm4x8: at the ends", "%v = OpCompositeConstruct %vec4 %fx %fy %fx %fy\n"
     "%r = OpExtInst %u32 %glsl PackSnorm4x8 %v\n", {P1, N1, HALF, P1, P1, P1, P1, P1},
     {N1, P1, P0, P1, P1, P1, P1, P1}, {0x817f817f, 0x7f817f81, U, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f,
      0x7f7f7f7f}},
    {"MatrixTimesScalar, row 1 of column 0", VEC2 VEC12 MAT "%z = OpMatrixTimesScalar %mat2 %m %f2\n"
     "%f = OpCompositeExtract %f32 %z 0 1\n%r = OpBitcast %u32 %f\n", {0},
     {P1, P3, THIRD, P0, N1, P1, P1, P1}, {P2, P6, U, U, N2, P2, P2, P2}},
};

static void test_more(void **state) { (void)state, CHECK_ROWS(more_tests); }

static const struct row refused[] = {
    {"RelaxedPrecision", OP2("OpFAdd"), .annotations = "OpDecorate %f RelaxedPrecision\n",
     .refused = "unsupported: RelaxedPrecision"},
    {"a branch on what is not exact", "%t = OpFOrdLessThan %bool %fx %fy\nOpSelectionMerge %join None\n"
     "OpBranchConditional %t %yes %join\n%yes = OpLabel\nOpBranch %join\n%join = OpLabel\n"
     "%r = OpIAdd %u32 %u0 %u0\n", {NAN_}, {0}, .refused = "E-branch"},
};

// A NaN that is not known to be one: out of a conversion, which gives no bits at all.
static const struct row packed_nans[] = {
    {"UnpackHalf2x16 of NaN", "%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %x\n"
     "%f = OpCompositeExtract %f32 %v 0\n%r = OpBitcast %u32 %f\n",
     {0x7e00, 0xfc01, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00}, {0},
     {U, U, P1, P1, P1, P1, P1, P1}},
};

static void test_packed_nans(void **state) { (void)state, CHECK_ROWS(packed_nans); }
static void test_arithmetic(void **state) { (void)state, CHECK_ROWS(arithmetic); }
static void test_comparisons(void **state) { (void)state, CHECK_ROWS(comparisons); }
static void test_conversions(void **state) { (void)state, CHECK_ROWS(conversions); }
static void test_glsl(void **state) { (void)state, CHECK_ROWS(glsl); }
static void test_linear(void **state) { (void)state, CHECK_ROWS(linear); }
static void test_refused(void **state) { (void)state, CHECK_ROWS(refused); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_glsl),
        cmocka_unit_test(test_packed_nans), cmocka_unit_test(test_open_functions),
        cmocka_unit_test(test_more),
        cmocka_unit_test(test_linear),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
