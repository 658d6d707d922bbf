// SPDX-License-Identifier: Apache-2.0
//
// Integer and boolean instructions, those of GLSL.std.450, and what may not wrap. Every
// number here is worked out by hand from SPIR-V 1.6, 3.52.13 to 3.52.15.
#include "test_orc_text.h"

#define MIN 0x80000000u
#define M1 0xffffffffu
#define INT2(op) "%a = OpBitcast %i32 %x\n%b = OpBitcast %i32 %y\n%s = " op " %i32 %a %b\n%r = OpBitcast %u32 %s\n"
#define INT1(op) "%a = OpBitcast %i32 %x\n%s = " op " %i32 %a\n%r = OpBitcast %u32 %s\n"
#define GLS1(op) "%a = OpBitcast %i32 %x\n%s = OpExtInst %i32 %glsl " op " %a\n%r = OpBitcast %u32 %s\n"
#define GLS2(op) "%a = OpBitcast %i32 %x\n%b = OpBitcast %i32 %y\n%s = OpExtInst %i32 %glsl " op " %a %b\n%r = OpBitcast %u32 %s\n"
#define GLU1(op) "%r = OpExtInst %u32 %glsl " op " %x\n"
#define GLU2(op) "%r = OpExtInst %u32 %glsl " op " %x %y\n"
#define BOTH "%p = OpINotEqual %bool %x %u0\n%q = OpINotEqual %bool %y %u0\n"
#define SAY "%r = OpSelect %u32 %t %u1 %u0\n"
#define PAIR(op, k) "%z = " op " %uu %x %y\n%r = OpCompositeExtract %u32 %z " k "\n"

static const struct row integers[] = {
    {"SNegate", INT1("OpSNegate"), {1, MIN, M1}, {0}, {M1, MIN, 1}},
    {"Not", "%r = OpNot %u32 %x\n", {0, 0xff, M1, 1, 2, 3, 4, 5}, {0},
     {M1, 0xffffff00, 0, 0xfffffffe, 0xfffffffd, 0xfffffffc, 0xfffffffb, 0xfffffffa}},
    {"BitReverse", "%r = OpBitReverse %u32 %x\n", {1, MIN, 0xf0, 0x12345678}, {0},
     {MIN, 1, 0x0f000000, 0x1e6a2c48}},
    {"BitReverse of 8 bits", "%n = OpUConvert %u8 %x\n%v = OpBitReverse %u8 %n\n%r = OpUConvert %u32 %v\n",
     {1, 0x12, 0x100}, {0}, {0x80, 0x48, 0}},
    {"BitCount", "%r = OpBitCount %u32 %x\n", {0xff, M1, 0, 0x80000001}, {0}, {8, 32, 0, 2}},
    {"IAddCarry, the sum", PAIR("OpIAddCarry", "0"), {M1, M1, 1}, {1, M1, 2}, {0, 0xfffffffe, 3}},
    {"IAddCarry, the carry", PAIR("OpIAddCarry", "1"), {M1, M1, 1}, {1, M1, 2}, {1, 1, 0}},
    {"ISubBorrow, the difference", PAIR("OpISubBorrow", "0"), {0, 5, 5}, {1, 5, 6}, {M1, 0, M1}},
    {"ISubBorrow, the borrow", PAIR("OpISubBorrow", "1"), {0, 5, 5}, {1, 5, 6}, {1, 0, 1}},
    {"UMulExtended, low", PAIR("OpUMulExtended", "0"), {M1, 0x10000, 3}, {M1, 0x10000, 5}, {1, 0, 15}},
    {"UMulExtended, high", PAIR("OpUMulExtended", "1"), {M1, 0x10000, 3}, {M1, 0x10000, 5},
     {0xfffffffe, 1, 0}},
    {"SMulExtended, low", PAIR("OpSMulExtended", "0"), {M1, MIN, M1}, {M1, MIN, 2}, {1, 0, 0xfffffffe}},
    {"SMulExtended, high", PAIR("OpSMulExtended", "1"), {M1, MIN, M1}, {M1, MIN, 2},
     {0, 0x40000000, M1}},
    {"UMod of 8 bits", "%p = OpUConvert %u8 %x\n%q = OpUConvert %u8 %y\n%m = OpUMod %u8 %p %q\n"
     "%r = OpUConvert %u32 %m\n", {200, 200, 200}, {7, 0x100, 201}, {4, U, 200, U, U, U, U, U}},
    {"SDiv of 16 bits: the least by -1", "%p = OpUConvert %u16 %x\n%q = OpUConvert %u16 %y\n"
     "%i = OpBitcast %i16 %p\n%j = OpBitcast %i16 %q\n%d = OpSDiv %i16 %i %j\n%b = OpBitcast %u16 %d\n"
     "%r = OpUConvert %u32 %b\n", {0x8000, 0x8000, 0xfff9}, {0xffff, 1, 2}, {U, 0x8000, 0xfffd, U, U, U, U, U}},
    {"IMul of 64 bits: the high word", "%p = OpUConvert %u64 %x\n%q = OpUConvert %u64 %y\n"
     "%m = OpIMul %u64 %p %q\n%v = OpBitcast %uvec2 %m\n%r = OpCompositeExtract %u32 %v 1\n",
     {M1, 0x10000}, {M1, 0x10000}, {0xfffffffe, 1}},
    {"a shift of 64 bits by 40", "%p = OpUConvert %u64 %x\n%m = OpShiftLeftLogical %u64 %p %y\n"
     "%v = OpBitcast %uvec2 %m\n%r = OpCompositeExtract %u32 %v 1\n", {3, 1, 1}, {40, 63, 64}, {0x300, MIN, U}},
};

static const struct row fields[] = {
    {"BitFieldInsert of 8 bits at 4", "%r = OpBitFieldInsert %u32 %x %y %u4 %u8c\n", {M1, 0, M1}, {0, 0x1ff, 0x5a},
     {0xfffff00f, 0xff0, 0xfffff5af}},
    {"BitFieldInsert that does not fit", "%r = OpBitFieldInsert %u32 %u0 %x %y %u4\n", {M1, M1, M1}, {28, 29, 32},
     {0xf0000000, U, U}},
    {"BitFieldUExtract", "%r = OpBitFieldUExtract %u32 %x %u4 %u8c\n", {0xabcd, 0xff0}, {0}, {0xbc, 0xff}},
    {"BitFieldSExtract", "%a = OpBitcast %i32 %x\n%s = OpBitFieldSExtract %i32 %a %u4 %u8c\n%r = OpBitcast %u32 %s\n",
     {0xabcd, 0x7f0}, {0}, {0xffffffbc, 0x7f}},
    {"BitFieldUExtract of no bits, of all, of too many", "%r = OpBitFieldUExtract %u32 %x %u0 %y\n",
     {M1, M1, M1}, {0, 32, 33}, {0, M1, U}},
};

// %d: x / y, some value where y is 0.
#define DIV "%d = OpUDiv %u32 %x %y\n"
static const struct row absorbed[] = {
    {"some value and 0", DIV "%r = OpBitwiseAnd %u32 %d %u0\n", {6, 6}, {0, 2}, {0, 0, 0, 0, 0, 0, 0, 0}},
    {"x and some value", DIV "%r = OpBitwiseAnd %u32 %x %d\n", {0, 6, 6}, {0, 0, 2}, {0, U, 2, 0, 0, 0, 0, 0}},
    {"x or some value", DIV "%r = OpBitwiseOr %u32 %x %d\n", {M1, 6, 6}, {0, 0, 2}, {M1, U, 7, U, U, U, U, U}},
    {"some value times 0", DIV "%r = OpIMul %u32 %d %u0\n", {6, 6}, {0, 2}, {0, 0}},
    {"some value times x", DIV "%r = OpIMul %u32 %d %x\n", {0, 6, 6}, {0, 0, 2}, {0, U, 18, 0, 0, 0, 0, 0}},
    {"false and some value", BOTH DIV "%g = OpUGreaterThan %bool %d %u2\n%t = OpLogicalAnd %bool %q %g\n" SAY,
     {6, 6, 6}, {0, 1, 6}, {0, 1, 0}},
    {"true or some value", BOTH DIV "%g = OpUGreaterThan %bool %d %u2\n%n = OpLogicalNot %bool %q\n"
     "%t = OpLogicalOr %bool %g %n\n" SAY, {6, 6, 6}, {0, 1, 6}, {1, 1, 0, 1, 1, 1, 1, 1}},
    {"true and some value", BOTH DIV "%g = OpUGreaterThan %bool %d %u2\n%n = OpLogicalNot %bool %q\n"
     "%t = OpLogicalAnd %bool %g %n\n" SAY, {6, 6, 6}, {0, 1, 6}, {U, 0, 0, U, U, U, U, U}},
    {"a select between equals by some value", DIV "%g = OpUGreaterThan %bool %d %u2\n"
     "%r = OpSelect %u32 %g %x %u4\n", {4, 6, 6}, {0, 0, 6}, {4, U, 4, U, U, U, U, U}},
};

static const struct row booleans[] = {
    {"LogicalAnd", BOTH "%t = OpLogicalAnd %bool %p %q\n" SAY, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
    {"LogicalOr", BOTH "%t = OpLogicalOr %bool %p %q\n" SAY, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
    {"LogicalEqual", BOTH "%t = OpLogicalEqual %bool %p %q\n" SAY, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 0, 1, 1, 1, 1, 1}},
    {"LogicalNotEqual", BOTH "%t = OpLogicalNotEqual %bool %p %q\n" SAY, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}},
    {"LogicalNot", BOTH "%t = OpLogicalNot %bool %p\n" SAY, {0, 1, 2}, {0}, {1, 0, 0, 1, 1, 1, 1, 1}},
    {"Any", BOTH "%v = OpCompositeConstruct %bvec2 %p %q\n%t = OpAny %bool %v\n" SAY,
     {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
    {"All", BOTH "%v = OpCompositeConstruct %bvec2 %p %q\n%t = OpAll %bool %v\n" SAY,
     {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
    {"SGreaterThanEqual", "%t = OpSGreaterThanEqual %bool %x %y\n" SAY, {M1, 0, 1}, {0, M1, 1},
     {0, 1, 1, 1, 1, 1, 1, 1}},
    {"SLessThanEqual", "%t = OpSLessThanEqual %bool %x %y\n" SAY, {M1, 0, 1}, {0, M1, 1},
     {1, 0, 1, 1, 1, 1, 1, 1}},
    {"a comparison of 8 bits with sign", "%m = OpUConvert %u8 %x\n%n = OpUConvert %u8 %y\n"
     "%t = OpSLessThan %bool %m %n\n" SAY, {0x80, 0x7f, 0x1ff}, {0x7f, 0x80, 0}, {1, 0, 1}},
    {"Select takes what is defined", BOTH "%z = OpShiftLeftLogical %u32 %x %u264\n"
     "%r = OpSelect %u32 %q %z %x\n", {1, 2}, {1, 0}, {U, 2}},
    {"Select of vectors, component by component", BOTH "%c = OpCompositeConstruct %bvec2 %p %q\n"
     "%v = OpCompositeConstruct %uvec2 %x %y\n%z = OpSelect %uvec2 %c %v %null2\n"
     "%r = OpCompositeExtract %u32 %z 1\n", {1, 1, 0}, {5, 0, 7}, {5, 0, 7}},
};

static const struct row extended[] = {
    {"SAbs", GLS1("SAbs"), {5, M1, MIN}, {0}, {5, 1, MIN}},
    {"SSign", GLS1("SSign"), {5, M1, 0}, {0}, {1, M1, 0}},
    {"FindILsb", GLU1("FindILsb"), {8, 0, MIN, 1, 2, 4, 1, 1}, {0}, {3, M1, 31, 0, 1, 2, 0, 0}},
    {"FindUMsb", GLU1("FindUMsb"), {8, 0, MIN, 1, 2, 4, 1, 1}, {0}, {3, M1, 31, 0, 1, 2, 0, 0}},
    {"FindSMsb", GLS1("FindSMsb"), {8, 0, M1, MIN, 0xfffffffe, 1, 1, 1}, {0}, {3, M1, M1, 30, 0, 0, 0, 0}},
    {"UMin", GLU2("UMin"), {1, M1}, {2, 1}, {1, 1}},
    {"UMax", GLU2("UMax"), {1, M1}, {2, 1}, {2, M1}},
    {"SMin", GLS2("SMin"), {1, M1}, {2, 1}, {1, M1}},
    {"SMax", GLS2("SMax"), {1, M1}, {2, 1}, {2, 1}},
    {"UClamp to 1 .. y", "%r = OpExtInst %u32 %glsl UClamp %x %u1 %y\n", {0, 5, 9, 3}, {8, 8, 8, 0},
     {1, 5, 8, U, U, U, U, U}},
    {"SClamp to y .. 2", "%a = OpBitcast %i32 %x\n%b = OpBitcast %i32 %y\n%c = OpBitcast %i32 %u2\n"
     "%s = OpExtInst %i32 %glsl SClamp %a %b %c\n%r = OpBitcast %u32 %s\n",
     {M1, 5, 1, MIN}, {0, M1, 3, M1}, {0, 2, U, M1}},
};

// SPV_KHR_no_integer_wrap_decoration: what wraps all the same has no value.
static const struct row wraps[] = {
    {"IAdd NoSignedWrap", "%r = OpIAdd %u32 %x %y\n", {0x7fffffff, 0x7ffffffe, M1, MIN}, {1, 1, 1, M1},
     {U, 0x7fffffff, 0, U}, 0, "OpDecorate %r NoSignedWrap\n"},
    {"IAdd NoUnsignedWrap", "%r = OpIAdd %u32 %x %y\n", {0x7fffffff, M1, M1}, {1, 1, 0}, {MIN, U, M1}, 0,
     "OpDecorate %r NoUnsignedWrap\n"},
    {"ISub, both", "%r = OpISub %u32 %x %y\n", {5, 5, MIN}, {5, 6, 1}, {0, U, U}, 0,
     "OpDecorate %r NoSignedWrap\nOpDecorate %r NoUnsignedWrap\n"},
    {"IMul NoSignedWrap", "%r = OpIMul %u32 %x %y\n", {0x10000, 0x10000, M1, MIN}, {0x7fff, 0x8000, 2, M1},
     {0x7fff0000, U, 0xfffffffe, U}, 0, "OpDecorate %r NoSignedWrap\n"},
    {"IMul of 64 bits NoUnsignedWrap", "%p = OpUConvert %u64 %x\n%q = OpIMul %u64 %p %p\n%z = OpIMul %u64 %q %p\n"
     "%v = OpBitcast %uvec2 %z\n%r = OpCompositeExtract %u32 %v 1\n", {0x1000, 0x100000, M1, 0x200000}, {0},
     {0x10, 0x10000000, U, 0x80000000}, 0, "OpDecorate %z NoUnsignedWrap\n"},
    {"ShiftLeftLogical NoSignedWrap", "%r = OpShiftLeftLogical %u32 %x %y\n", {1, 1, M1, 3}, {30, 31, 31, 30},
     {0x40000000, U, MIN, U}, 0, "OpDecorate %r NoSignedWrap\n"},
    {"ShiftLeftLogical NoUnsignedWrap", "%r = OpShiftLeftLogical %u32 %x %y\n", {1, 3, M1}, {31, 31, 1},
     {MIN, U, U}, 0, "OpDecorate %r NoUnsignedWrap\n"},
    {"SNegate NoSignedWrap", "%a = OpBitcast %i32 %x\n%s = OpSNegate %i32 %a\n%r = OpBitcast %u32 %s\n",
     {1, MIN}, {0}, {M1, U}, 0, "OpDecorate %s NoSignedWrap\n"},
    {"IAdd of bytes NoUnsignedWrap", "%p = OpUConvert %u8 %x\n%q = OpUConvert %u8 %y\n%s = OpIAdd %u8 %p %q\n"
     "%r = OpUConvert %u32 %s\n", {200, 200}, {55, 56}, {255, U}, 0, "OpDecorate %s NoUnsignedWrap\n"},
};

// One component of one operand is not defined: that component of the result alone is not.
#define UNDEFINED "%s = OpShiftLeftLogical %u32 %u1 %active\n"
#define FIRST UNDEFINED "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec2 %s %y\n"
#define SECOND UNDEFINED "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec2 %y %s\n"
#define PART(k) "%r = OpCompositeExtract %u32 %z " #k "\n"
#define EACH(v) {v, v, v, v, v, v, v, v}
static const struct row components[] = {
    {"IAdd: the first is not defined", FIRST "%z = OpIAdd %uvec2 %v %w\n" PART(0), EACH(1), EACH(2), EACH(U)},
    {"and the second is", FIRST "%z = OpIAdd %uvec2 %v %w\n" PART(1), EACH(1), EACH(2), EACH(4)},
    {"IAdd: the second is not defined", SECOND "%z = OpIAdd %uvec2 %v %w\n" PART(1), EACH(1), EACH(2), EACH(U)},
    {"and the first is", SECOND "%z = OpIAdd %uvec2 %v %w\n" PART(0), EACH(1), EACH(2), EACH(3)},
    {"the other way round", SECOND "%z = OpISub %uvec2 %w %v\n" PART(0), EACH(1), EACH(2), EACH(1)},
    {"UMax: the first is not defined", FIRST "%z = OpExtInst %uvec2 %glsl UMax %v %w\n" PART(0), EACH(1), EACH(2), EACH(U)},
    {"UMax: the second is", FIRST "%z = OpExtInst %uvec2 %glsl UMax %v %w\n" PART(1), EACH(1), EACH(2), EACH(2)},
    {"UMax: the second is not", SECOND "%z = OpExtInst %uvec2 %glsl UMax %v %w\n" PART(1), EACH(1), EACH(2), EACH(U)},
    {"SAbs: the second is not", SECOND "%z = OpExtInst %uvec2 %glsl SAbs %w\n" PART(1), EACH(1), EACH(2), EACH(U)},
    {"SAbs: the first is", SECOND "%z = OpExtInst %uvec2 %glsl SAbs %w\n" PART(0), EACH(1), EACH(2), EACH(2)},
    {"SAbs: the second is", FIRST "%z = OpExtInst %uvec2 %glsl SAbs %w\n" PART(1), EACH(1), EACH(2), EACH(2)},
    {"UClamp: the second of the third is not",
     SECOND "%z = OpExtInst %uvec2 %glsl UClamp %v %v %w\n" PART(1), EACH(1), EACH(2), EACH(U)},
    {"UClamp: the first is", SECOND "%z = OpExtInst %uvec2 %glsl UClamp %v %v %w\n" PART(0), EACH(1), EACH(2), EACH(1)},
    {"VectorInsertDynamic keeps the first", "%v = OpCompositeConstruct %uvec2 %x %y\n"
     "%z = OpVectorInsertDynamic %uvec2 %v %u5 %u1\n" PART(0), EACH(7), EACH(2), EACH(7)},
    {"and keeps that it is not defined", FIRST "%z = OpVectorInsertDynamic %uvec2 %w %u5 %u1\n" PART(0), EACH(7),
     EACH(2), EACH(U)},
    {"a select of components", SECOND "%t = OpCompositeConstruct %bvec2 %true %false\n"
     "%z = OpSelect %uvec2 %t %v %w\n" PART(1), EACH(7), EACH(2), EACH(U)},
    {"the other component", SECOND "%t = OpCompositeConstruct %bvec2 %true %false\n"
     "%z = OpSelect %uvec2 %t %v %w\n" PART(0), EACH(7), EACH(2), EACH(7)},
    {"an undefined choice between what is and what is not defined", UNDEFINED "%c = OpINotEqual %bool %s %u0\n"
     "%k = OpShiftRightLogical %u32 %u1 %active\n%r = OpSelect %u32 %c %u0 %k\n", EACH(7), EACH(2), EACH(U)},
};

static void test_absorbed(void **state) { (void)state, CHECK_ROWS(absorbed); }
static void test_integers(void **state) { (void)state, CHECK_ROWS(integers); }
static void test_fields(void **state) { (void)state, CHECK_ROWS(fields); }
static void test_booleans(void **state) { (void)state, CHECK_ROWS(booleans); }
static void test_extended(void **state) { (void)state, CHECK_ROWS(extended); }
static void test_wraps(void **state) { (void)state, CHECK_ROWS(wraps); }

static void test_components(void **state) { (void)state, CHECK_ROWS(components); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_integers), cmocka_unit_test(test_absorbed), cmocka_unit_test(test_fields), cmocka_unit_test(test_booleans),
        cmocka_unit_test(test_extended), cmocka_unit_test(test_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
