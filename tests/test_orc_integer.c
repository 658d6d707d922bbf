// SPDX-License-Identifier: Apache-2.0
//
// Integer and boolean instructions, those of GLSL.std.450, and what may not wrap. Every
// number here is worked out by hand from SPIR-V 1.6, 3.3.13 to 3.3.15.
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

// What is not defined of vectors: `active`, 255 in all lanes, is a shift by too much.
#define VEC4 UNDEFINED "%v = OpCompositeConstruct %uvec4 %x %y %u3 %u4\n"
#define HOLE(a, b, c, d) UNDEFINED "%v = OpCompositeConstruct %uvec4 " a " " b " " c " " d "\n"
#define TRUTHS(a, b) UNDEFINED "%c = OpINotEqual %bool %s %u0\n" BOTH "%v = OpCompositeConstruct %bvec2 " a " " b "\n"
static const struct row holes[] = {
    {"Any: the first is not defined", TRUTHS("%c", "%p") "%t = OpAny %bool %v\n" SAY, {0, 1}, {0}, EACH(U)},
    {"Any: the second", TRUTHS("%p", "%c") "%t = OpAny %bool %v\n" SAY, {0, 1}, {0}, EACH(U)},
    {"All: the first", TRUTHS("%c", "%p") "%t = OpAll %bool %v\n" SAY, {0, 1}, {0}, EACH(U)},
    {"All: the second", TRUTHS("%p", "%c") "%t = OpAll %bool %v\n" SAY, {0, 1}, {0}, EACH(U)},
    {"Any of some lanes", TRUTHS("%p", "%q") "%t = OpAny %bool %v\n" SAY, {0, 1, 0, 1, 0, 0, 1, 1}, {0, 0, 1, 1, 0, 1, 0, 1}, {0, 1, 1, 1, 0, 1, 1, 1}, 0xb5},
    {"of four", BOTH "%v = OpCompositeConstruct %bvec4 %false %false %p %q\n%t = OpAny %bool %v\n" SAY, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 1, 1, 1},
     .globals = "%bvec4 = OpTypeVector %bool 4\n"},
    {"All of four", BOTH "%v = OpCompositeConstruct %bvec4 %true %true %p %q\n%t = OpAll %bool %v\n" SAY, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 0, 0, 1},
     .globals = "%bvec4 = OpTypeVector %bool 4\n"},
    {"two that are not defined, and 0 or not", UNDEFINED "%s2 = OpShiftLeftLogical %u32 %u1 %active\n%r = OpBitwiseAnd %u32 %s %s2\n", {0}, {0}, EACH(U)},
    {"or", UNDEFINED "%s2 = OpUDiv %u32 %u1 %u0\n%r = OpBitwiseOr %u32 %s %s2\n", {0}, {0}, EACH(U)},
    {"times", UNDEFINED "%s2 = OpUDiv %u32 %u1 %u0\n%r = OpIMul %u32 %s %s2\n", {0}, {0}, EACH(U)},
    {"absorbed, and then not", HOLE("%s", "%s", "%x", "%s") "%w = OpCompositeConstruct %uvec4 %u0 %x %s %s\n%z = OpBitwiseAnd %uvec4 %v %w\n" PART(1), {0, 6}, {0}, {0, U, 0, 0, 0, 0, 0, 0}},
    {"the third", HOLE("%s", "%s", "%x", "%s") "%w = OpCompositeConstruct %uvec4 %u0 %x %s %s\n%z = OpBitwiseAnd %uvec4 %v %w\n" PART(2), {0, 6}, {0}, {0, U, 0, 0, 0, 0, 0, 0}},
    {"the fourth", HOLE("%s", "%s", "%x", "%s") "%w = OpCompositeConstruct %uvec4 %u0 %x %s %s\n%z = OpBitwiseAnd %uvec4 %v %w\n" PART(3), {0, 6}, {0}, EACH(U)},
    {"absorbed in a lane of some", DIV "%r = OpBitwiseOr %u32 %d %x\n", {M1, 6, M1, 6, M1, 6, M1, 6}, {0, 0, 2, 2, 0, 0, 2, 2}, {M1, U, M1, 7, M1, U, M1, 7}, 0xda},
    {"~0 of 8 bits", DIV "%n = OpUConvert %u8 %d\n%w = OpUConvert %u8 %x\n%o = OpBitwiseOr %u8 %n %w\n%r = OpUConvert %u32 %o\n", {0xff, 6, 0x1ff, 0xfe}, {0}, {0xff, U, 0xff, U, U, U, U, U}},
    {"VectorExtractDynamic", HOLE("%x", "%y", "%s", "%u5") "%r = OpVectorExtractDynamic %u32 %v %lane\n", {10, 11, 12, 13}, {20, 21, 22, 23}, {10, 21, U, 5, U, U, U, U}},
    {"by what is not defined", VEC4 "%r = OpVectorExtractDynamic %u32 %v %s\n", {1}, {2}, EACH(U)},
    {"by the last and by one more", VEC4 "%r = OpVectorExtractDynamic %u32 %v %x\n", {3, 4, 0, 1, 2, M1, 3, 5}, {7, 7, 7, 7, 7, 7, 7, 7}, {4, U, 0, 7, 3, U, 4, U}},
    {"of some lanes", VEC4 "%r = OpVectorExtractDynamic %u32 %v %x\n", {3, 4, 0, 1, 2, M1, 3, 5}, {7, 7, 7, 7, 7, 7, 7, 7}, {4, U, 0, 7, 3, U, 4, U}, 0x6b},
    {"of booleans", BOTH "%v = OpCompositeConstruct %bvec2 %p %q\n%t = OpVectorExtractDynamic %bool %v %bit\n" SAY, {0, 1}, {1, 0}, {1, 0}},
#define INSERT(base, value, index, part) VEC4 HOLES "%z = OpVectorInsertDynamic %uvec4 " base " " value " " index "\n" PART(part)
#define HOLES "%w = OpCompositeConstruct %uvec4 %s %s %s %s\n%to = OpBitwiseAnd %u32 %lane %u3\n"
    {"VectorInsertDynamic: 9 at the lane, component 0", INSERT("%v", "%u8c", "%to", 0), EACH(1), EACH(2), {8, 1, 1, 1, 8, 1, 1, 1}},
    {"component 1", INSERT("%v", "%u8c", "%to", 1), EACH(1), EACH(2), {2, 8, 2, 2, 2, 8, 2, 2}},
    {"component 2", INSERT("%v", "%u8c", "%to", 2), EACH(1), EACH(2), {3, 3, 8, 3, 3, 3, 8, 3}},
    {"component 3", INSERT("%v", "%u8c", "%to", 3), EACH(1), EACH(2), {4, 4, 4, 8, 4, 4, 4, 8}},
    {"component 3 of some lanes", INSERT("%v", "%u8c", "%to", 3), EACH(1), EACH(2), {4, 4, 4, 8, 4, 4, 4, 8}, 0xc7},
    {"into what is not defined, component 0", INSERT("%w", "%u8c", "%to", 0), EACH(1), EACH(2), {8, U, U, U, 8, U, U, U}},
    {"component 1", INSERT("%w", "%u8c", "%to", 1), EACH(1), EACH(2), {U, 8, U, U, U, 8, U, U}},
    {"component 2", INSERT("%w", "%u8c", "%to", 2), EACH(1), EACH(2), {U, U, 8, U, U, U, 8, U}},
    {"component 3", INSERT("%w", "%u8c", "%to", 3), EACH(1), EACH(2), {U, U, U, 8, U, U, U, 8}},
    {"of what is not defined, component 0", INSERT("%v", "%s", "%to", 0), EACH(1), EACH(2), {U, 1, 1, 1, U, 1, 1, 1}},
    {"component 1", INSERT("%v", "%s", "%to", 1), EACH(1), EACH(2), {2, U, 2, 2, 2, U, 2, 2}},
    {"component 2", INSERT("%v", "%s", "%to", 2), EACH(1), EACH(2), {3, 3, U, 3, 3, 3, U, 3}},
    {"component 3", INSERT("%v", "%s", "%to", 3), EACH(1), EACH(2), {4, 4, 4, U, 4, 4, 4, U}},
    {"at what is not defined, component 0", INSERT("%v", "%u8c", "%s", 0), EACH(1), EACH(2), EACH(U)},
    {"component 3", INSERT("%v", "%u8c", "%s", 3), EACH(1), EACH(2), EACH(U)},
    {"behind the last, component 0", INSERT("%v", "%u8c", "%x", 0), {3, 4, 0, 5, 3, 4, 1, M1}, EACH(2), {3, U, 8, U, 3, U, 1, U}},
    {"component 3", INSERT("%v", "%u8c", "%x", 3), {3, 4, 0, 5, 3, 4, 1, M1}, EACH(2), {8, U, 4, U, 8, U, 4, U}},
    // A select between equals by a choice that is not defined; between what differs; where one side is not defined.
    {"Select by what is not defined", UNDEFINED "%c = OpINotEqual %bool %s %u0\n%r = OpSelect %u32 %c %x %y\n", {1, 2, 3, 4}, {1, 3, 3, 0}, {1, U, 3, U, 0, 0, 0, 0}},
    {"of some lanes", UNDEFINED "%c = OpINotEqual %bool %s %u0\n%r = OpSelect %u32 %c %x %y\n", {1, 2, 3, 4}, {1, 3, 3, 0}, {1, U, 3, U, 0, 0, 0, 0}, 0x5a},
    {"and one is not", UNDEFINED "%c = OpINotEqual %bool %s %u0\n%d = OpUDiv %u32 %x %y\n%r = OpSelect %u32 %c %d %u0\n", {0, 0, 3}, {1, 0, 1, 1, 1, 1, 1, 1}, {0, U, U, 0, 0, 0, 0, 0}},
    {"and the other", UNDEFINED "%c = OpINotEqual %bool %s %u0\n%d = OpUDiv %u32 %x %y\n%r = OpSelect %u32 %c %u0 %d\n", {0, 0, 3}, {1, 0, 1, 1, 1, 1, 1, 1}, {0, U, U, 0, 0, 0, 0, 0}},
    {"one choice for two components", UNDEFINED BOTH "%v = OpCompositeConstruct %uvec2 %x %s\n%w = OpCompositeConstruct %uvec2 %s %y\n%z = OpSelect %uvec2 %p %v %w\n" PART(0), {5, 0, 7, 0}, EACH(2), {5, U, 7, U, U, U, U, U}},
    {"the second", UNDEFINED BOTH "%v = OpCompositeConstruct %uvec2 %x %s\n%w = OpCompositeConstruct %uvec2 %s %y\n%z = OpSelect %uvec2 %p %v %w\n" PART(1), {5, 0, 7, 0}, EACH(2), {U, 2, U, 2, 2, 2, 2, 2}},
};

// Bit fields at their edges, of every width: offset x, count y. Base 0xf0f0..., insert 0x6 (0110).
#define AT(w) "%n = OpUConvert %u" #w " %k" #w "\n"
#define FIELDS .globals = "%k8 = OpConstant %u32 0xa5\n%k16 = OpConstant %u32 0xa5c3\n%k32 = OpConstant %u32 0xa5c3f069\n%k64 = OpConstant %u64 0x123456789abcdef0\n"
static const struct row edges[] = {
    {"BitFieldUExtract: offset and count", "%r = OpBitFieldUExtract %u32 %k32 %x %y\n", {0, 31, 32, 32, 16, 17, 33, 8}, {32, 1, 0, 1, 16, 16, 0, 4}, {0xa5c3f069, 1, 0, U, 0xa5c3, U, U, 0}, FIELDS},
    {"BitFieldSExtract", "%r = OpBitFieldSExtract %u32 %k32 %x %y\n", {0, 31, 32, 32, 16, 17, 33, 4}, {32, 1, 0, 1, 16, 16, 0, 3}, {0xa5c3f069, M1, 0, U, 0xffffa5c3, U, U, 0xfffffffe}, FIELDS},
    {"BitFieldInsert", "%r = OpBitFieldInsert %u32 %k32 %u5 %x %y\n", {0, 31, 32, 32, 16, 17, 33, 4}, {32, 1, 0, 1, 16, 16, 0, 3}, {5, 0xa5c3f069, 0xa5c3f069, U, 0x0005f069, U, U, 0xa5c3f059}, FIELDS},
    {"far beyond, or so many", "%r = OpBitFieldUExtract %u32 %k32 %x %y\n", {M1, 0, 2, M1, 33, 0, 0, 0}, {2, M1, M1, M1, M1, 33, 0, 1}, {U, U, U, U, U, U, 0, 1}, FIELDS},
    {"of 64 bits: the low word of 8 at x", "%e = OpBitFieldUExtract %u64 %k64 %x %y\n%r = OpUConvert %u32 %e\n", {0, 32, 56, 64, 60, 61, 0, 63}, {64, 8, 8, 0, 4, 4, 8, 1}, {0x9abcdef0, 0x78, 0x12, 0, 1, U, 0xf0, 0}, FIELDS},
    {"the high word", "%e = OpBitFieldUExtract %u64 %k64 %x %y\n%z = OpBitcast %uvec2 %e\n" PART(1), {0, 32, 56, 64, 60, 61, 0, 63}, {64, 8, 8, 0, 4, 4, 8, 1}, {0x12345678, 0, 0, 0, 0, U, 0, 0}, FIELDS},
    {"with its sign: the high word", "%e = OpBitFieldSExtract %u64 %k64 %x %y\n%z = OpBitcast %uvec2 %e\n" PART(1), {0, 4, 8, 64, 60, 61, 28, 31}, {64, 4, 7, 0, 4, 4, 4, 1}, {0x12345678, M1, M1, 0, 0, U, M1, M1}, FIELDS},
    {"inserted: the high word", "%e = OpUConvert %u64 %u5\n%f = OpBitFieldInsert %u64 %k64 %e %x %y\n%z = OpBitcast %uvec2 %f\n" PART(1), {0, 32, 56, 64, 60, 61, 63, 31}, {64, 8, 8, 0, 4, 4, 1, 4}, {0, 0x12345605, 0x05345678, 0x12345678, 0x52345678, U, 0x92345678, 0x1234567a}, FIELDS},
    {"of 8 bits", AT(8) "%e = OpBitFieldSExtract %u8 %n %x %y\n%r = OpUConvert %u32 %e\n", {0, 7, 8, 8, 4, 5, 2, 1}, {8, 1, 0, 1, 4, 4, 3, 2}, {0xa5, 0xff, 0, U, 0xfa, U, 1, 0xfe}, FIELDS},
    {"of 16 bits", AT(16) "%m = OpUConvert %u16 %u5\n%e = OpBitFieldInsert %u16 %n %m %x %y\n%r = OpUConvert %u32 %e\n", {0, 15, 16, 16, 8, 9, 4, 1}, {16, 1, 0, 1, 8, 8, 3, 2}, {5, 0xa5c3, 0xa5c3, U, 0x05c3, U, 0xa5d3, 0xa5c3}, FIELDS},
    {"base not defined", UNDEFINED "%r = OpBitFieldUExtract %u32 %s %u0 %u1\n", {0}, {0}, EACH(U)},
    {"offset not defined", UNDEFINED "%r = OpBitFieldUExtract %u32 %x %s %u1\n", {0}, {0}, EACH(U)},
    {"count not defined", UNDEFINED "%r = OpBitFieldSExtract %u32 %x %u0 %s\n", {0}, {0}, EACH(U)},
    {"insert not defined", UNDEFINED "%r = OpBitFieldInsert %u32 %x %s %u0 %u1\n", {0}, {0}, EACH(U)},
    {"base of an insert not defined", UNDEFINED "%r = OpBitFieldInsert %u32 %s %x %u0 %u1\n", {0}, {0}, EACH(U)},
    {"offset of an insert not defined", UNDEFINED "%r = OpBitFieldInsert %u32 %x %x %s %u1\n", {0}, {0}, EACH(U)},
    {"count of an insert not defined", UNDEFINED "%r = OpBitFieldInsert %u32 %x %x %u0 %s\n", {0}, {0}, EACH(U)},
};

// Sum and carry, low and high: one operand is not defined.
static const struct row carried[] = {
    {"the first is not defined, the sum", UNDEFINED "%z = OpIAddCarry %uu %s %x\n" PART(0), {1}, {2}, EACH(U)},
    {"the first, the carry", UNDEFINED "%z = OpIAddCarry %uu %s %x\n" PART(1), {1}, {2}, EACH(U)},
    {"the second, the sum", UNDEFINED "%z = OpIAddCarry %uu %x %s\n" PART(0), {1}, {2}, EACH(U)},
    {"the second, the borrow", UNDEFINED "%z = OpISubBorrow %uu %x %s\n" PART(1), {1}, {2}, EACH(U)},
    {"high, of some lanes", "%z = OpUMulExtended %uu %x %y\n" PART(1), {M1, M1, 5, 0x10000}, {M1, 2, 6, 0x10000}, {0xfffffffe, 1, 0, 1}, 0x0b},
    {"8 bits: the carry", "%m = OpUConvert %u8 %x\n%n = OpUConvert %u8 %y\n%t = OpIAddCarry %bytes %m %n\n%b = OpCompositeExtract %u8 %t 1\n%r = OpUConvert %u32 %b\n",
     {0xff, 0x80, 0x7f, 1}, {1, 0x80, 0x80, 1}, {1, 1, 0, 0}, .globals = "%bytes = OpTypeStruct %u8 %u8\n"},
    {"8 bits with sign: the high", "%m = OpUConvert %u8 %x\n%n = OpUConvert %u8 %y\n%t = OpSMulExtended %bytes %m %n\n%b = OpCompositeExtract %u8 %t 1\n%r = OpUConvert %u32 %b\n",
     {0xff, 0x80, 0x7f, 0x80}, {1, 0x80, 0x7f, 0x7f}, {0xff, 0x40, 0x3f, 0xc0}, .globals = "%bytes = OpTypeStruct %u8 %u8\n"},
};

static void test_absorbed(void **state) { (void)state, CHECK_ROWS(absorbed); }
static void test_integers(void **state) { (void)state, CHECK_ROWS(integers); }
static void test_fields(void **state) { (void)state, CHECK_ROWS(fields); }
static void test_booleans(void **state) { (void)state, CHECK_ROWS(booleans); }
static void test_extended(void **state) { (void)state, CHECK_ROWS(extended); }
static void test_wraps(void **state) { (void)state, CHECK_ROWS(wraps); }

static void test_holes(void **state) { (void)state, CHECK_ROWS(holes); }
static void test_edges(void **state) { (void)state, CHECK_ROWS(edges); }
static void test_carried(void **state) { (void)state, CHECK_ROWS(carried); }
static void test_components(void **state) { (void)state, CHECK_ROWS(components); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components), cmocka_unit_test(test_holes), cmocka_unit_test(test_edges), cmocka_unit_test(test_carried),
        cmocka_unit_test(test_integers), cmocka_unit_test(test_absorbed), cmocka_unit_test(test_fields), cmocka_unit_test(test_booleans),
        cmocka_unit_test(test_extended), cmocka_unit_test(test_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
