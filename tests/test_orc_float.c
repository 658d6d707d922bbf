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

// ---- how large a number may be -------------------------------------------------------------------

// Numbers are small that are multiples of 2^grid below 2^top; of 16, 32 and 64 bits others are. 2^n here.
#define POW(n) ((uint32_t)(127 + (n)) << 23)
#define BITS_OF_H "%hx = OpFConvert %f16 %fx\n%hy = OpFConvert %f16 %fy\n"
#define BITS_OF_D "%dx = OpFConvert %f64 %fx\n%dy = OpFConvert %f64 %fy\n"
#define OF_H(op) BITS_OF_H "%h = " op " %f16 %hx %hy\n%f = OpFConvert %f32 %h\n%r = OpBitcast %u32 %f\n"
#define OF_D(op) BITS_OF_D "%d = " op " %f64 %dx %dy\n%f = OpFConvert %f32 %d\n%r = OpBitcast %u32 %f\n"
static const struct row small[] = {
    {"FMul of 16 bits: a half at least", OF_H("OpFMul"), {HALF, P1, POW(-2), P1, P2, 0x41700000, 0x41780000, 0x41800000}, {P1, HALF, P2, POW(-2), HALF, P1, P1, P1}, {HALF, HALF, U, U, P1, 0x41700000, 0x41780000, U}},
    {"below 16", OF_H("OpFMul"), {P2, P3, 0x40800000, 0x40e00000, HALF, P1_5, 0x41000000, 0x41000000}, {0x40800000, 0x40a00000, 0x40800000, P2, HALF, HALF, P1_5, P2}, {0x41000000, 0x41700000, U, 0x41600000, U, U, 0x41400000, U}},
    {"FMul of 32 bits: an eighth at least", OP2("OpFMul"), {POW(-3), POW(-4), HALF, HALF, 0x437f0000, 0x43800000, 0x437fe000, 0x43000000}, {P1, P2, POW(-2), POW(-3), P1, P1, P1, P2}, {POW(-3), U, POW(-3), U, 0x437f0000, U, 0x437fe000, U}},
    {"FMul of 64 bits: 1/256 at least, below 65536", OF_D("OpFMul"), {POW(-8), POW(-9), POW(-4), POW(-4), 0x477fff00, 0x47800000, POW(15), POW(15)}, {P1, P2, POW(-4), POW(-5), P1, P1, P1, P2}, {POW(-8), U, POW(-8), U, 0x477fff00, U, POW(15), U}},
    {"FAdd of 16 bits", OF_H("OpFAdd"), {0x41000000, 0x41000000, 0x41780000, HALF, POW(-2), 0xc1780000, P1, N1}, {0x40e00000, 0x41000000, HALF, HALF, HALF, 0xbf000000, N2, N1}, {0x41700000, U, U, P1, U, U, N1, N2}},
    {"FAdd of 32 bits", OP2("OpFAdd"), {0x43000000, 0x43000000, POW(-3), POW(-4), 0xc3000000, 0xc3000000, P1, P1}, {0x42fe0000, 0x43000000, P1, P1, 0xc2fe0000, 0xc3000000, POW(-3), POW(-4)}, {0x437f0000, U, 0x3f900000, U, 0xc37f0000, U, 0x3f900000, U}},
    {"FAdd of 64 bits", OF_D("OpFAdd"), {POW(15), POW(15), POW(-8), POW(-9), P1, P1, 0xc7000000, 0xc7000000}, {0x46fffe00, POW(15), P1, P1, POW(-8), POW(-9), 0xc6fffe00, 0xc7000000}, {0x477fff00, U, 0x3f808000, U, 0x3f808000, U, 0xc77fff00, U}},
    {"FSub of 32 bits", OP2("OpFSub"), {0x437f0000, 0x43800000, P1, P1, N1, P0, P1, POW(-3)}, {P1, P1, P1, P2, N1, P1, P0, POW(-3)}, {0x437e0000, U, U, N1, U, N1, P1, U}},
    {"a product of which a factor is large", OP2("OpFMul"), {0x44800000, POW(-3), 0x44800000, POW(-3)}, {POW(-3), 0x44800000, POW(-3), 0x44800000}, {U, U, U, U, U, U, U, U}},
    {"Fma: 3 x + y", "%f = OpExtInst %f32 %glsl Fma %fx %f3 %fy\n%r = OpBitcast %u32 %f\n", {0x42800000, 0x42aa0000, P1, P1, 0x3e000000, 0x3d800000, N1, 0x43000000}, {P1, P2, 0x437c0000, 0x437d0000, P1, P1, P3, P1}, {0x43410000, U, 0x437f0000, U, 0x3fb00000, U, U, U}},
    {"Fma NoContraction", "%f = OpExtInst %f32 %glsl Fma %fx %f3 %fy\n%r = OpBitcast %u32 %f\n", {0x4b7fffff, 0x4a800000, P1, 0x7e800000, 0x3d800000, POW(-126), THIRD, P1}, {P1, P1, THIRD, P1, P1, P0, P0, N0}, {U, 0x4b400001, U, U, 0x3f980000, 0x01400000, U, P3}, 0, EXACT},
    {"Fract", GL1("Fract"), {0x437f8000, 0x43800000, POW(-3), POW(-4), 0xc37f8000, HALF, 0x43808000, 0xbe000000}, {0}, {HALF, U, POW(-3), U, HALF, HALF, U, 0x3f600000}},
    // Whatever their size.
    {"Floor", GL1("Floor"), {0x4b000001, 0x4a800001, 0xca800001, 0xcb000001, 0x7f7fffff, 0xff7fffff, 0xbf7fffff, 0x80800000}, {0}, {0x4b000001, 0x4a800000, 0xca800002, 0xcb000001, 0x7f7fffff, 0xff7fffff, N1, N1}},
    {"Ceil", GL1("Ceil"), {0x4b000001, 0x4a800001, 0xca800001, 0xcb000001, 0x7f7fffff, 0x3f7fffff, 0x00800000, 0xbfc00000}, {0}, {0x4b000001, 0x4a800002, 0xca800000, 0xcb000001, 0x7f7fffff, P1, P1, N1}},
    {"Trunc", GL1("Trunc"), {0x4b000001, 0x4a800001, 0xca800001, 0xcb000001, 0xff7fffff, 0x3f7fffff, 0x00800000, 0xbfc00000}, {0}, {0x4b000001, 0x4a800000, 0xca800000, 0xcb000001, 0xff7fffff, U, U, N1}},
    {"RoundEven", GL1("RoundEven"), {0x3effffff, 0x3f000001, 0xbf000001, 0x40600000, 0xc0600000, 0x4b000001, 0x4a800001, 0x4a800003}, {0}, {U, P1, N1, 0x40800000, 0xc0800000, 0x4b000001, 0x4a800000, 0x4a800004}},
    {"Round", GL1("Round"), {0x3effffff, 0x3f000001, 0xbf000001, 0x40600000, 0xc0600000, 0x4b000001, 0x4a800001, 0x4a7ffffe}, {0}, {U, P1, N1, U, U, 0x4b000001, U, U}},
    {"FMin and the last bit", GL2("FMin"), {0x3f800001, P1, 0xbf800001, N1, 0x00800000, 0x80800000, N1, P1}, {P1, 0x3f800001, N1, 0xbf800001, 0x00800001, 0x80800001, P1, N1}, {P1, P1, 0xbf800001, 0xbf800001, 0x00800000, 0x80800001, N1, N1}},
    {"FMax and the last bit", GL2("FMax"), {0x3f800001, P1, 0xbf800001, N1, 0x00800000, 0x80800000, N1, P1}, {P1, 0x3f800001, N1, 0xbf800001, 0x00800001, 0x80800001, P1, N1}, {0x3f800001, 0x3f800001, N1, N1, 0x00800001, 0x80800000, P1, P1}},
    {"FClamp between equals, and where a bound is nothing", "%f = OpExtInst %f32 %glsl FClamp %fx %fy %fy\n%r = OpBitcast %u32 %f\n", {P1, P2, P3, N1, NAN_, P1, DENORMAL, P0}, {P2, P2, P2, P2, P2, NAN_, P2, N2}, {P2, P2, P2, P2, U, U, U, N2}},
    {"Step", GL2("Step"), {P1, P1, P1, 0x3f800001, N1, N1, NAN_, P0}, {P1, 0x3f800001, 0x3f7fffff, P1, N2, P1, P1, N0}, {P1, P1, U, U, U, P1, U, P1}},
    {"FSign", GL1("FSign"), {0x00800000, 0x80800000, INF, 0xff800000, N0, 0x7f7fffff, DENORMAL, 0xff7fffff}, {0}, {P1, N1, U, U, U, P1, U, N1}},
};

// Sums of products: each of them, and their sum, must be small, and no part of it large.
#define SUM_D "%dx = OpFConvert %f64 %fx\n%dy = OpFConvert %f64 %fy\n%v = OpCompositeConstruct %dvec2 %dx %dy\n"
#define DOT4(x, y, z, w) "%v = OpCompositeConstruct %vec4 " x " " y " " z " " w "\n%u = OpCompositeConstruct %vec4 %f1 %f2 %f1 %f1\n%f = OpDot %f32 %v %u\n%r = OpBitcast %u32 %f\n"
static const struct row sums[] = {
    {"Dot of a large one by a small one", "%v = OpCompositeConstruct %vec2 %fx %f1\n%w = OpCompositeConstruct %vec2 %fy %f1\n%f = OpDot %f32 %v %w\n%r = OpBitcast %u32 %f\n",
     {0x44800000, POW(-3), P1, P2, POW(-4), 0x437f0000, P2, THIRD}, {POW(-3), 0x44800000, P1, P3, P1, P1, POW(-4), P1}, {U, U, P2, 0x40e00000, U, U, U, U}},
    {"Dot NoContraction", "%v = OpCompositeConstruct %vec2 %fx %f1\n%w = OpCompositeConstruct %vec2 %fy %f1\n%f = OpDot %f32 %v %w\n%r = OpBitcast %u32 %f\n",
     {0x44800000, POW(-3), 0x4b7fffff, 0x4b800000, THIRD, 0x7f000000, POW(-126), P1}, {POW(-3), 0x44800000, P1, P1, P1, P2, HALF, N1}, {0x43010000, 0x43010000, U, U, U, U, U, U}, 0, EXACT},
    {"Dot of four", DOT4("%fx", "%fy", "%f1", "%f2"), {P1, P2, N1, 0x437f0000, P0, NAN_, P1, P1}, {P1, P2, N1, P0, P0, P1, INF, 0x43000000}, {0x40c00000, 0x41100000, U, U, P3, U, U, U}},
    {"its third is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n" DOT4("%f1", "%f1", "%g", "%f2"), {P1, P1, P2, P2, P1, P1, P1, P1}, {0, 32, 0, 32}, {0x40c00000, U, 0x40e00000, U, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000}},
    {"its first is not defined in the first lane", "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n" DOT4("%g", "%f1", "%f1", "%f2"), {P1, P1, P1, P1, P1, P1, P1, P1}, {32}, {U, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000}},
    {"Dot of doubles", SUM_D "%d = OpDot %f64 %v %v\n%f = OpFConvert %f32 %d\n%r = OpBitcast %u32 %f\n", {POW(7), POW(8), POW(-4), POW(-5), P1, P3, P0, P0}, {P1, P1, P1, P1, P2, 0x40800000, P1, P0}, {0x46800200, U, 0x3f808000, U, 0x40a00000, 0x41c80000, P1, U}},
    {"VectorTimesScalar by what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n%v = OpCompositeConstruct %vec2 %f1 %f2\n%z = OpVectorTimesScalar %vec2 %v %g\n%f = OpCompositeExtract %f32 %z 1\n%r = OpBitcast %u32 %f\n",
     {P1, P1, P3, P1, P1, P1, P1, P1}, {32, 0, 0, 32}, {U, P2, P6, U, P2, P2, P2, P2}},
    {"of some lanes", "%v = OpCompositeConstruct %vec2 %f1 %fy\n%z = OpVectorTimesScalar %vec2 %v %fx\n%f = OpCompositeExtract %f32 %z 1\n%r = OpBitcast %u32 %f\n", {P1, P2, P3, P1, P2, P3, P1, P2}, {P2, P3, P1, N1, N2, P2, P0, P1}, {P2, P6, P3, N1, 0xc0800000, P6, U, P2}, 0xd6},
};

// Doubles of two words: y is the high one. Numbers much nearer to zero than to each other.
#define DOUBLE "%dv = OpCompositeConstruct %uvec2 %x %y\n%dd = OpBitcast %f64 %dv\n"
#define HIGH(d) "%hv = OpBitcast %uvec2 " d "\n%r = OpCompositeExtract %u32 %hv 1\n"
#define LOW(d) "%hv = OpBitcast %uvec2 " d "\n%r = OpCompositeExtract %u32 %hv 0\n"
#define EXPONENT(n) ((uint32_t)(1023 + (n)) << 20)
static const struct row doubles[] = {
    {"Floor below zero", DOUBLE "%f = OpExtInst %f64 %glsl Floor %dd\n" HIGH("%f"), {0}, {0x80080000 | EXPONENT(-256), 0x80080000 | EXPONENT(-127), 0x80000000 | EXPONENT(-128), 0x80000000 | EXPONENT(-129), 0x80080000 | EXPONENT(-192), 0x80000000 | EXPONENT(-1), 0x80080000 | EXPONENT(0), EXPONENT(1)},
     {0xbff00000, 0xbff00000, 0xbff00000, 0xbff00000, 0xbff00000, 0xbff00000, 0xc0000000, 0x40000000}},
    {"Ceil above zero", DOUBLE "%f = OpExtInst %f64 %glsl Ceil %dd\n" HIGH("%f"), {0}, {0x00080000 | EXPONENT(-256), 0x00080000 | EXPONENT(-127), EXPONENT(-128), EXPONENT(-129), 0x00080000 | EXPONENT(-192), EXPONENT(-1), 0x00080000 | EXPONENT(0), EXPONENT(60)},
     {0x3ff00000, 0x3ff00000, 0x3ff00000, 0x3ff00000, 0x3ff00000, 0x3ff00000, 0x40000000, EXPONENT(60)}},
    {"RoundEven of what is large", DOUBLE "%f = OpExtInst %f64 %glsl RoundEven %dd\n" HIGH("%f"), {1, 1, 0, 0, 0, 0, 0, 0}, {EXPONENT(52), EXPONENT(51), EXPONENT(1000), 0x80000000 | EXPONENT(900), EXPONENT(0), 0x00080000 | EXPONENT(0), 0x00040000 | EXPONENT(1), EXPONENT(-1)},
     {EXPONENT(52), EXPONENT(51), U, U, EXPONENT(0), EXPONENT(1), EXPONENT(1), U}}, // it is x + 1/2, of which too far apart are not known
    {"its low word", DOUBLE "%f = OpExtInst %f64 %glsl RoundEven %dd\n" LOW("%f"), {1, 1, 3, 0xffffffff, 0, 0, 0, 0}, {EXPONENT(52), EXPONENT(51), EXPONENT(51), EXPONENT(52), EXPONENT(0), EXPONENT(0), EXPONENT(0), EXPONENT(0)}, {1, 0, 4, 0xffffffff, 0, 0, 0, 0}},
    {"FMin of far apart", DOUBLE "%one = OpFConvert %f64 %f1\n%f = OpExtInst %f64 %glsl FMin %dd %one\n" HIGH("%f"), {0}, {EXPONENT(1000), EXPONENT(-1000), 0x80000000 | EXPONENT(1000), 0x80000000 | EXPONENT(-1000), EXPONENT(0), EXPONENT(1), EXPONENT(-1), 0x00000001 | EXPONENT(0)},
     {EXPONENT(0), EXPONENT(-1000), 0x80000000 | EXPONENT(1000), 0x80000000 | EXPONENT(-1000), EXPONENT(0), EXPONENT(0), EXPONENT(-1), EXPONENT(0)}},
    {"FOrdLessThan of far apart", DOUBLE "%one = OpFConvert %f64 %f1\n%c = OpFOrdLessThan %bool %dd %one\n%r = OpSelect %u32 %c %u1 %u2\n", {0}, {EXPONENT(1000), EXPONENT(-1000), 0x80000000 | EXPONENT(1000), 0x80000000 | EXPONENT(-1000), EXPONENT(0), EXPONENT(1), EXPONENT(-1), 0}, {2, 1, 1, 1, 2, 2, 1, 1}},
    {"FAdd NoContraction of far apart: it rounds", DOUBLE "%one = OpFConvert %f64 %f1\n%f = OpFAdd %f64 %dd %one\n" HIGH("%f"), {0}, {EXPONENT(1000), EXPONENT(-1000), EXPONENT(52), EXPONENT(53), EXPONENT(-52), EXPONENT(-53), 0x80000000 | EXPONENT(120), 0}, {U, U, EXPONENT(52), U, EXPONENT(0), U, U, EXPONENT(0)}, 0, EXACT},
    {"FMul NoContraction at the ends", DOUBLE "%f = OpFMul %f64 %dd %dd\n" HIGH("%f"), {0}, {EXPONENT(511), EXPONENT(512), EXPONENT(-511), EXPONENT(-512), EXPONENT(3), 0x80000000 | EXPONENT(3), 0x00080000 | EXPONENT(0), 0}, {EXPONENT(1022), U, EXPONENT(-1022), U, EXPONENT(6), EXPONENT(6), 0x00020000 | EXPONENT(1), U}, 0, EXACT},
    {"a denormal, an infinity, a NaN", DOUBLE "%f = OpFNegate %f64 %dd\n" HIGH("%f"), {1, 0, 1, 0, 0, 0, 0xffffffff, 0}, {0, 0x7ff00000, 0x7ff00000, 0x7ff80000, EXPONENT(-1022), EXPONENT(1023), 0x7fefffff, 0x00080000}, {U, U, U, U, 0x80000000 | EXPONENT(-1022), 0x80000000 | EXPONENT(1023), 0xffefffff, U}},
    {"IsNan", DOUBLE "%c = OpIsNan %bool %dd\n%r = OpSelect %u32 %c %u1 %u0\n", {0, 0, 0, 0, 0xffffffff, 1, 0, 0}, {0x7ff00000, 0xfff00000, EXPONENT(0), 0, 0x7fefffff, EXPONENT(0), 0x80000000, EXPONENT(1023)}, {U, U, 0, 0, 0, 0, 0, 0}},
    // x - x + 1 + 1, whose sizes are too far apart to be added: another order rounds.
    {"Dot NoContraction of what is lost", DOUBLE "%m = OpFNegate %f64 %dd\n%one = OpFConvert %f64 %f1\n%v = OpCompositeConstruct %dvec4 %dd %m %one %one\n%u = OpCompositeConstruct %dvec4 %one %one %one %one\n%f = OpDot %f64 %v %u\n" HIGH("%f"), {0},
     {EXPONENT(200), EXPONENT(0), EXPONENT(40), EXPONENT(60), EXPONENT(130), EXPONENT(1000), EXPONENT(3), EXPONENT(-1)}, {U, 0x40000000, 0x40000000, U, U, U, 0x40000000, 0x40000000}, 0, EXACT, .globals = "%dvec4 = OpTypeVector %f64 4\n"},
    {"ConvertFToS of what has a fraction", DOUBLE "%i = OpConvertFToS %i32 %dd\n%r = OpBitcast %u32 %i\n", {0xffc00000, 0, 0xffe00000, 0x00200000, 0, 0, 0, 0}, {0x41dfffff, 0x41e00000, 0xc1e00000, 0xc1e00000, 0xc1e00000, 0x80000000, 0xbfefffff, 0x3fefffff}, {0x7fffffff, U, U, U, 0x80000000, 0, 0, 0}},
};

// Matrices that are not square: two columns of three rows, x .. and 1 2 3.
#define WIDE "%three = OpTypeVector %f32 3\n%mat23 = OpTypeMatrix %three 2\n%mat32 = OpTypeMatrix %vec2 3\n%mat33 = OpTypeMatrix %three 3\n"
#define M23 "%a = OpCompositeConstruct %three %fx %fy %f1\n%b = OpCompositeConstruct %three %f1 %f2 %f3\n%m = OpCompositeConstruct %mat23 %a %b\n"
#define M32 "%c0 = OpCompositeConstruct %vec2 %fx %f2\n%c1 = OpCompositeConstruct %vec2 %f3 %fy\n%c2 = OpCompositeConstruct %vec2 %f1 %f1\n%n = OpCompositeConstruct %mat32 %c0 %c1 %c2\n"
#define AT(type, what, index) "%z = " what "\n%f = OpCompositeExtract %f32 %z " index "\n%r = OpBitcast %u32 %f\n"
#define XS {P1, P2, P3, HALF, N1, N2, P1, P2}
#define YS {P2, P1, N1, P1, P2, P3, P3, HALF}
static const struct row matrices[] = {
    {"MatrixTimesVector (3, 1), row 0: 3 x + 1", M23 "%v = OpCompositeConstruct %vec2 %f3 %f1\n" AT("three", "OpMatrixTimesVector %three %m %v", "0"), XS, YS, {0x40800000, 0x40e00000, 0x41200000, P2_5, N2, 0xc0a00000, 0x40800000, 0x40e00000}, .globals = WIDE},
    {"row 1: 3 y + 2", M23 "%v = OpCompositeConstruct %vec2 %f3 %f1\n" AT("three", "OpMatrixTimesVector %three %m %v", "1"), XS, YS, {0x41000000, 0x40a00000, N1, 0x40a00000, 0x41000000, 0x41300000, 0x41300000, 0x40600000}, .globals = WIDE},
    {"row 2: 6", M23 "%v = OpCompositeConstruct %vec2 %f3 %f1\n" AT("three", "OpMatrixTimesVector %three %m %v", "2"), XS, YS, {P6, P6, P6, P6, P6, P6, P6, P6}, .globals = WIDE},
    {"VectorTimesMatrix (1, 2, 3), column 0: x + 2 y + 3", M23 "%v = OpCompositeConstruct %three %f1 %f2 %f3\n" AT("vec2", "OpVectorTimesMatrix %vec2 %v %m", "0"), XS, YS, {0x41000000, 0x40e00000, 0x40800000, 0x40b00000, P6, 0x40e00000, 0x41200000, P6}, .globals = WIDE},
    {"column 1: 14", M23 "%v = OpCompositeConstruct %three %f1 %f2 %f3\n" AT("vec2", "OpVectorTimesMatrix %vec2 %v %m", "1"), XS, YS, {0x41600000, 0x41600000, 0x41600000, 0x41600000, 0x41600000, 0x41600000, 0x41600000, 0x41600000}, .globals = WIDE},
    // (x 1; y 2; 1 3) times (x 3 1; 2 y 1): 3 x 3
    {"MatrixTimesMatrix, row 0 of column 0: x x + 2", M23 M32 AT("mat33", "OpMatrixTimesMatrix %mat33 %m %n", "0 0"), XS, YS, {P3, P6, 0x41300000, 0x40100000, P3, P6, P3, P6}, .globals = WIDE},
    {"row 2 of column 0: x + 6", M23 M32 AT("mat33", "OpMatrixTimesMatrix %mat33 %m %n", "0 2"), XS, YS, {0x40e00000, 0x41000000, 0x41100000, 0x40d00000, 0x40a00000, 0x40800000, 0x40e00000, 0x41000000}, .globals = WIDE},
    {"row 1 of column 1: 5 y", M23 M32 AT("mat33", "OpMatrixTimesMatrix %mat33 %m %n", "1 1"), XS, YS, {0x41200000, 0x40a00000, 0xc0a00000, 0x40a00000, 0x41200000, 0x41700000, 0x41700000, P2_5}, .globals = WIDE},
    {"row 2 of column 2: 4", M23 M32 AT("mat33", "OpMatrixTimesMatrix %mat33 %m %n", "2 2"), XS, YS, {0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000}, .globals = WIDE},
    {"the other way round, row 1 of column 0: 2 x + y y + 1", M23 M32 AT("mat2", "OpMatrixTimesMatrix %mat2 %n %m", "0 1"), XS, YS, {0x40e00000, P6, 0x41000000, P3, P3, P6, 0x41400000, 0x40a80000}, .globals = WIDE},
    {"MatrixTimesScalar, row 1 of column 0", M23 AT("mat23", "OpMatrixTimesScalar %mat23 %m %f3", "0 1"), XS, YS, {P6, P3, 0xc0400000, P3, P6, 0x41100000, 0x41100000, P1_5}, .globals = WIDE},
    {"OuterProduct (1, 2, 3) by (x, y): row 2 of column 1: 3 y", M23 "%v = OpCompositeConstruct %vec2 %fx %fy\n" AT("mat23", "OpOuterProduct %mat23 %b %v", "1 2"), XS, YS, {P6, P3, 0xc0400000, P3, P6, 0x41100000, 0x41100000, P1_5}, .globals = WIDE},
    {"row 1 of column 0: 2 x", M23 "%v = OpCompositeConstruct %vec2 %fx %fy\n" AT("mat23", "OpOuterProduct %mat23 %b %v", "0 1"), XS, YS, {P2, 0x40800000, P6, P1, N2, 0xc0800000, P2, 0x40800000}, .globals = WIDE},
    {"Transpose, row 1 of column 2: 3", M23 AT("mat32", "OpTranspose %mat32 %m", "2 1"), XS, YS, {P3, P3, P3, P3, P3, P3, P3, P3}, .globals = WIDE},
    {"row 1 of column 0: 1, of a column that was made before the first", "%b = OpCompositeConstruct %three %f1 %f2 %f3\n%a = OpCompositeConstruct %three %fx %fy %f1\n%m = OpCompositeConstruct %mat23 %a %b\n" AT("mat32", "OpTranspose %mat32 %m", "0 1"), XS, YS, {P1, P1, P1, P1, P1, P1, P1, P1}, .globals = WIDE},
    {"one part that is not defined leaves the other rows", "%s = OpShiftLeftLogical %u32 %u1 %active\n%g = OpBitcast %f32 %s\n%a = OpCompositeConstruct %three %g %fy %f1\n%b = OpCompositeConstruct %three %f1 %f2 %f3\n%m = OpCompositeConstruct %mat23 %a %b\n"
     "%v = OpCompositeConstruct %vec2 %f3 %f1\n" AT("three", "OpMatrixTimesVector %three %m %v", "1"), XS, YS, {0x41000000, 0x40a00000, N1, 0x40a00000, 0x41000000, 0x41300000, 0x41300000, 0x40600000}, .globals = WIDE},
    {"but not its own", "%s = OpShiftLeftLogical %u32 %u1 %active\n%g = OpBitcast %f32 %s\n%a = OpCompositeConstruct %three %g %fy %f1\n%b = OpCompositeConstruct %three %f1 %f2 %f3\n%m = OpCompositeConstruct %mat23 %a %b\n"
     "%v = OpCompositeConstruct %vec2 %f3 %f1\n" AT("three", "OpMatrixTimesVector %three %m %v", "0"), XS, YS, {U, U, U, U, U, U, U, U}, .globals = WIDE},
};

// ---- taken apart, packed, at the edges ------------------------------------------------------------

#define NOT_LANE "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n" // where y is 32 it is not defined
#define ONES {P1, P1, P1, P1, P1, P1, P1, P1}
#define PACK2(op, a, b) "%v = OpCompositeConstruct %vec2 " a " " b "\n%r = OpExtInst %u32 %glsl " op " %v\n"
#define PACK4(op, a, b, c, d) "%v = OpCompositeConstruct %vec4 " a " " b " " c " " d "\n%r = OpExtInst %u32 %glsl " op " %v\n"
#define EVERY(v) {v, v, v, v, v, v, v, v}
static const struct row packs[] = {
    {"PackUnorm2x16 of nothing, in the first lane", NOT_LANE PACK2("PackUnorm2x16", "%g", "%f1"), ONES, {32}, {U, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
    {"the second of it", NOT_LANE PACK2("PackUnorm2x16", "%f1", "%g"), ONES, {32}, {U, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
    {"PackSnorm4x8, the last", NOT_LANE PACK4("PackSnorm4x8", "%f1", "%f1", "%f1", "%g"), ONES, {32}, {U, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f}},
    {"PackHalf2x16, the first", NOT_LANE PACK2("PackHalf2x16", "%g", "%f1"), ONES, {32}, {U, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00}},
    {"PackUnorm4x8: each in its place", PACK4("PackUnorm4x8", "%fx", "%f0", "%f1", "%fy"), {P1, P0, N1, P2, INF, NAN_, DENORMAL, HALF}, {P0, P1, P1, N2, P1, P1, P1, P1}, {0x00ff00ff, 0xffff0000, 0xffff0000, 0x00ff00ff, U, U, U, U}},
    {"PackSnorm4x8", PACK4("PackSnorm4x8", "%fx", "%f0", "%f1", "%fy"), {P1, P0, N1, P2, INF, NAN_, N2, HALF}, {P0, P1, P1, N2, P1, P1, N1, P1}, {0x007f007f, 0x7f7f0000, 0x7f7f0081, 0x817f007f, U, U, 0x817f0081, U}},
    {"PackSnorm2x16", PACK2("PackSnorm2x16", "%fx", "%fy"), {P1, P0, N1, 0x3f800001, 0xbf800001, 0x3f7fffff, 0xbf7fffff, N0}, {N1, P2, N2, P0, N0, P1, P1, P1}, {0x80017fff, 0x7fff0000, 0x80018001, 0x00007fff, 0x00008001, U, U, 0x7fff0000}},
    {"PackUnorm2x16", PACK2("PackUnorm2x16", "%fx", "%fy"), {P1, P0, N1, 0x3f800001, 0xbf7fffff, 0x3f7fffff, POW(-20), N0}, {N1, P2, N2, P0, N0, P1, P1, P1}, {0x0000ffff, 0xffff0000, 0, 0x0000ffff, 0, U, U, 0xffff0000}},
    {"PackHalf2x16: the largest, the least, and what is not one", PACK2("PackHalf2x16", "%fx", "%fy"), {0x477fe000, 0x47800000, POW(-14), POW(-15), 0x3f801000, 0x3f802000, P0, N0}, {0xc77fe000, P1, 0x80000000 | POW(-14), P1, P1, P1, P0, P0}, {0xfbff7bff, U, 0x84000400, U, U, 0x3c003c01, 0, U}},
    {"of some lanes", PACK2("PackHalf2x16", "%fx", "%fy"), {P1, P2, P1, P2, P1, P2, P1, P2}, {P1, P1, P1, P1, P1, P1, N1, P1}, {0, 0x3c004000, 0x3c003c00, 0, 0, 0x3c004000, 0xbc003c00, 0}, 0x66},
    {"UnpackHalf2x16, the low half", "%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %x\n%f = OpCompositeExtract %f32 %v 0\n%r = OpBitcast %u32 %f\n", {0x12343c00, 0xffffc000, 0x00007bff, 0x0400, 0x03ff, 0x7c00, 0, 0x8000}, {0}, {P1, N2, 0x477fe000, POW(-14), U, U, P0, U}},
    {"of what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %s\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n", {0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000}, {32}, {U, P1, P1, P1, P1, P1, P1, P1}},
    {"the first of nothing", "%s = OpShiftLeftLogical %u32 %x %y\n%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %s\n%f = OpCompositeExtract %f32 %v 0\n%r = OpBitcast %u32 %f\n", {0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00}, {0, 32}, {P1, U, P1, P1, P1, P1, P1, P1}},
    {"in the first lane it is a NaN", "%v = OpExtInst %vec2 %glsl UnpackHalf2x16 %x\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n", {0x7e000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000, 0x3c000000}, {0}, {U, P1, P1, P1, P1, P1, P1, P1}},
#define LDEXP "%i = OpBitcast %i32 %y\n%f = OpExtInst %f32 %glsl Ldexp %fx %i\n%r = OpBitcast %u32 %f\n"
    {"Ldexp at both ends", LDEXP, EVERY(P1), {126, 127, 0xffffff82, 0xffffff81, 0, 0x80000000, 0x7fffffff, 0xffffffff}, {POW(126), U, POW(-126), U, P1, U, U, HALF}},
    {"of what is large or small itself", LDEXP, {POW(127), POW(126), POW(-126), POW(-125), 0x7f7fffff, P0, INF, NAN_}, {1, 1, 0xffffffff, 0xffffffff, 0, 5, 0, 0}, {U, POW(127), U, POW(-126), 0x7f7fffff, U, U, U}},
    {"by what is not defined", "%s = OpShiftLeftLogical %u32 %u1 %y\n%i = OpBitcast %i32 %s\n%f = OpExtInst %f32 %glsl Ldexp %fx %i\n%r = OpBitcast %u32 %f\n", EVERY(P1), {32, 0, 1, 2}, {U, P2, 0x40800000, 0x41800000, P2, P2, P2, P2}},
    {"of what is not defined", NOT_LANE "%f = OpExtInst %f32 %glsl Ldexp %g %x\n%r = OpBitcast %u32 %f\n", {0}, {32, 0}, EVERY(U)},
    {"of 16 bits at both ends", "%h = OpFConvert %f16 %fx\n%i = OpBitcast %i32 %y\n%l = OpExtInst %f16 %glsl Ldexp %h %i\n%f = OpFConvert %f32 %l\n%r = OpBitcast %u32 %f\n", EVERY(P1), {14, 15, 0xfffffff2, 0xfffffff1, 3, 0xffffffff, 0, 1}, {POW(14), U, POW(-14), U, POW(3), HALF, P1, P2}},
    {"of 64 bits at both ends", "%d = OpFConvert %f64 %fx\n%i = OpBitcast %i32 %y\n%l = OpExtInst %f64 %glsl Ldexp %d %i\n%v = OpBitcast %uvec2 %l\n%r = OpCompositeExtract %u32 %v 1\n", EVERY(P1), {1022, 1023, 0xfffffc02, 0xfffffc01, 0, 1, 0xffffffff, 1000}, {0x7fd00000, U, 0x00100000, U, 0x3ff00000, 0x40000000, 0x3fe00000, 0x7e700000}},
    {"by 16 bits with sign", "%n = OpUConvert %u16 %y\n%i = OpBitcast %i16 %n\n%f = OpExtInst %f32 %glsl Ldexp %fx %i\n%r = OpBitcast %u32 %f\n", EVERY(P1), {0xffff, 1, 0xff82, 0xff81, 126, 127, 0x8000, 0}, {HALF, P2, POW(-126), U, POW(126), U, U, P1}},
    {"of a vector: the second", "%v = OpCompositeConstruct %vec2 %f1 %fx\n%i = OpBitcast %i32 %y\n%w = OpCompositeConstruct %ivec2 %i %i\n%l = OpExtInst %vec2 %glsl Ldexp %v %w\n%f = OpCompositeExtract %f32 %l 1\n%r = OpBitcast %u32 %f\n", {P1, P3, N1, HALF, P2, P1, P1, P1}, {1, 1, 0xffffffff, 1, 0, 2, 0xfffffffe, 0}, {P2, P6, 0xbf000000, P1, P2, 0x40800000, POW(-2), P1}},
#define FREXP(part, type) "%t = OpExtInst %fi %glsl FrexpStruct " part "\n%e = OpCompositeExtract %" type
    {"FrexpStruct, the significand", FREXP("%fx", "f32 %t 0\n%r = OpBitcast %u32 %e\n"), {0x7f7fffff, POW(-126), N0, INF, NAN_, 0xbf800000, 0x3f7fffff, DENORMAL}, {0}, {0x3f7fffff, HALF, U, U, U, 0xbf000000, 0x3f7fffff, U}},
    {"the exponent", FREXP("%fx", "i32 %t 1\n%r = OpBitcast %u32 %e\n"), {0x7f7fffff, POW(-126), N0, INF, NAN_, 0xbf800000, 0x3f7fffff, DENORMAL}, {0}, {128, 0xffffff83, U, U, U, 1, 0, U}},
    {"of nothing in the first lane", NOT_LANE FREXP("%g", "f32 %t 0\n%r = OpBitcast %u32 %e\n"), ONES, {32}, {U, HALF, HALF, HALF, HALF, HALF, HALF, HALF}},
    {"its exponent", NOT_LANE FREXP("%g", "i32 %t 1\n%r = OpBitcast %u32 %e\n"), ONES, {32}, {U, 1, 1, 1, 1, 1, 1, 1}},
#define MODF(part, at) "%t = OpExtInst %ff %glsl ModfStruct " part "\n%e = OpCompositeExtract %f32 %t " at "\n%r = OpBitcast %u32 %e\n"
    {"ModfStruct, the fraction", MODF("%fx", "0"), {0x4a800001, 0xca800001, 0x4b000001, 0x3f7fffff, N0, INF, NAN_, 0x00800000}, {0}, {HALF, 0xbf000000, U, 0x3f7fffff, U, U, U, 0x00800000}},
    {"the whole", MODF("%fx", "1"), {0x4a800001, 0xca800001, 0x4b000001, 0x3f7fffff, N0, INF, NAN_, 0xff7fffff}, {0}, {0x4a800000, 0xca800000, 0x4b000001, U, U, U, U, 0xff7fffff}},
    {"of nothing in the first lane", NOT_LANE MODF("%g", "0"), EVERY(P1_5), {32}, {U, HALF, HALF, HALF, HALF, HALF, HALF, HALF}},
    {"its whole", NOT_LANE MODF("%g", "1"), EVERY(P1_5), {32}, {U, P1, P1, P1, P1, P1, P1, P1}},
    {"a whole of zero is open, in the first lane and behind it", MODF("%fx", "1"), {HALF, P1_5, P2_5, HALF, N1_5, 0xbf000000, P1, P2}, {0}, {U, P1, P2, U, N1, U, P1, P2}},
    {"Frexp, through a pointer", "%e = OpExtInst %f32 %glsl Frexp %fx %pi\n%r = OpBitcast %u32 %e\n", {P1, N2, P0, P3, P1, P1, P1, P1}, {0}, {HALF, 0xbf000000, U, 0x3f400000, HALF, HALF, HALF, HALF}, .globals = "%pi_t = OpTypePointer Private %i32\n%pi = OpVariable %pi_t Private\n", .interface = " %pi"},
    {"its exponent", "%e = OpExtInst %f32 %glsl Frexp %fx %pi\n%l = OpLoad %i32 %pi\n%r = OpBitcast %u32 %l\n", {P1, N2, P0, P3, HALF, POW(-3), P1, P1}, {0}, {1, 2, U, 2, 0, 0xfffffffe, 1, 1}, .globals = "%pi_t = OpTypePointer Private %i32\n%pi = OpVariable %pi_t Private\n", .interface = " %pi"},
    {"Modf, through a pointer", "%e = OpExtInst %f32 %glsl Modf %fx %pf\n%r = OpBitcast %u32 %e\n", {P1_5, N2, P0, P2_5, P1_5, P1_5, P1_5, P1_5}, {0}, {HALF, U, U, HALF, HALF, HALF, HALF, HALF}, .globals = "%pf_t = OpTypePointer Private %f32\n%pf = OpVariable %pf_t Private\n", .interface = " %pf"},
    {"its whole", "%e = OpExtInst %f32 %glsl Modf %fx %pf\n%l = OpLoad %f32 %pf\n%r = OpBitcast %u32 %l\n", {P1_5, N2, P0, P2_5, P3, P1, P1, P1}, {0}, {P1, N2, U, P2, P3, P1, P1, P1}, .globals = "%pf_t = OpTypePointer Private %f32\n%pf = OpVariable %pf_t Private\n", .interface = " %pf"},
    {"Modf of a vector: the second whole", "%v = OpCompositeConstruct %vec2 %fx %fy\n%e = OpExtInst %vec2 %glsl Modf %v %pf\n%l = OpLoad %vec2 %pf\n%m = OpCompositeExtract %f32 %l 1\n%r = OpBitcast %u32 %m\n", EVERY(P1_5), {P2_5, N1_5, P3, HALF, P1, P1, P1, P1}, {P2, N1, P3, U, P1, P1, P1, P1}, .globals = "%pf_t = OpTypePointer Private %vec2\n%pf = OpVariable %pf_t Private\n", .interface = " %pf"},
    {"the second fraction", "%v = OpCompositeConstruct %vec2 %fx %fy\n%e = OpExtInst %vec2 %glsl Modf %v %pf\n%m = OpCompositeExtract %f32 %e 1\n%r = OpBitcast %u32 %m\n", EVERY(P1_5), {P2_5, N1_5, P3, HALF, 0x3fa00000, P1_5, P1_5, P1_5}, {HALF, 0xbf000000, U, HALF, POW(-2), HALF, HALF, HALF}, .globals = "%pf_t = OpTypePointer Private %vec2\n%pf = OpVariable %pf_t Private\n", .interface = " %pf"},
    // What stands at the ends of integers, as floats have it.
    {"ConvertFToS of 8 bits", "%i = OpConvertFToS %i8 %fx\n%b = OpBitcast %u8 %i\n%r = OpUConvert %u32 %b\n", {0x42fe0000, 0x43000000, 0xc3000000, 0xc3010000, 0xc300ffff, 0x42ffffff, 0xbf7fffff, N1}, {0}, {127, U, 128, U, 128, 127, 0, 255}},
    {"ConvertFToU of 8 bits", "%i = OpConvertFToU %u8 %fx\n%r = OpUConvert %u32 %i\n", {0x437f0000, 0x43800000, 0x437fffff, N1, 0xbf7fffff, N0, 0x3f7fffff, P1}, {0}, {255, U, 255, U, 0, 0, 0, 1}},
    {"ConvertFToS of 64 bits: the high word", "%i = OpConvertFToS %i64 %fx\n%v = OpBitcast %uvec2 %i\n%r = OpCompositeExtract %u32 %v 1\n", {POW(62), POW(63), 0x80000000 | POW(63), 0xdf000001, 0x5effffff, N1, POW(32), P0}, {0}, {0x40000000, U, 0x80000000, U, 0x7fffff80, 0xffffffff, 1, 0}},
    {"ConvertFToU of 64 bits: the high word", "%i = OpConvertFToU %u64 %fx\n%v = OpBitcast %uvec2 %i\n%r = OpCompositeExtract %u32 %v 1\n", {POW(62), POW(63), POW(64), 0x5f7fffff, 0x5effffff, N1, POW(32), P0}, {0}, {0x40000000, 0x80000000, U, 0xffffff00, 0x7fffff80, U, 1, 0}},
    {"converted from nothing, in the first lane", NOT_LANE "%i = OpConvertFToU %u32 %g\n%r = OpIAdd %u32 %i %u0\n", ONES, {32}, {U, 1, 1, 1, 1, 1, 1, 1}},
    {"the least normal half", "%h = OpFConvert %f16 %fx\n%f = OpFConvert %f32 %h\n%r = OpBitcast %u32 %f\n", {POW(-14), 0x387fe000, 0x80000000 | POW(-14), 0xc77fe000, 0xc7800000, 0x477ff000, 0x3f801000, 0x3f802000}, {0}, {POW(-14), U, 0xb8800000, 0xc77fe000, U, U, U, 0x3f802000}},
    {"QuantizeToF16 of nothing, in the first lane", NOT_LANE "%f = OpQuantizeToF16 %f32 %g\n%r = OpBitcast %u32 %f\n", ONES, {32}, {U, P1, P1, P1, P1, P1, P1, P1}},
};

static void test_small(void **state) { (void)state, CHECK_ROWS(small); }
static void test_doubles(void **state) { (void)state, CHECK_ROWS(doubles); }
static void test_sums(void **state) { (void)state, CHECK_ROWS(sums); }
static void test_matrices(void **state) { (void)state, CHECK_ROWS(matrices); }
static void test_packs(void **state) { (void)state, CHECK_ROWS(packs); }

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
        cmocka_unit_test(test_more), cmocka_unit_test(test_small), cmocka_unit_test(test_sums), cmocka_unit_test(test_doubles), cmocka_unit_test(test_matrices), cmocka_unit_test(test_packs),
        cmocka_unit_test(test_linear),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
