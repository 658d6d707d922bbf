// SPDX-License-Identifier: Apache-2.0
//
// Conversions, casts between shapes, narrow and wide integers, dot products.
#include "test_orc_text.h"

// Results by hand: 0x80 as a signed byte is -128, 0xffffff80 in 32 bits.
static const struct row widths[] = {
    {"UConvert to 8 bits and back", "%n = OpUConvert %u8 %x\n%r = OpUConvert %u32 %n\n",
     {0x12345678, 0x80, 0xff, 0x100}, {0}, {0x78, 0x80, 0xff, 0}},
    {"SConvert from 8 bits", "%n = OpUConvert %u8 %x\n%s = OpBitcast %i8 %n\n"
     "%w = OpSConvert %i32 %s\n%r = OpBitcast %u32 %w\n",
     {0x7f, 0x80, 0xff, 0x100}, {0}, {0x7f, 0xffffff80, 0xffffffff, 0}},
    {"SConvert from 16 bits to 64: the high half",
     "%n = OpUConvert %u16 %x\n%s = OpBitcast %i16 %n\n%w = OpSConvert %i64 %s\n"
     "%v = OpBitcast %uvec2 %w\n%r = OpCompositeExtract %u32 %v 1\n",
     {0x7fff, 0x8000, 0x18000, 0}, {0}, {0, 0xffffffff, 0xffffffff, 0}},
    {"UConvert to 64 bits and a sum that carries into the high half",
     "%p = OpUConvert %u64 %x\n%q = OpUConvert %u64 %y\n%s = OpIAdd %u64 %p %q\n"
     "%v = OpBitcast %uvec2 %s\n%r = OpCompositeExtract %u32 %v 1\n",
     {0xffffffff, 0xffffffff, 1}, {1, 0, 1}, {1, 0, 0}},
    {"8-bit addition wraps", "%p = OpUConvert %u8 %x\n%q = OpUConvert %u8 %y\n%s = OpIAdd %u8 %p %q\n"
     "%r = OpUConvert %u32 %s\n", {250, 255, 1}, {10, 1, 1}, {4, 0, 2}},
    {"16-bit arithmetic shift", "%p = OpUConvert %u16 %x\n%s = OpBitcast %i16 %p\n"
     "%h = OpShiftRightArithmetic %i16 %s %y\n%b = OpBitcast %u16 %h\n%r = OpUConvert %u32 %b\n",
     {0x8000, 0x8000, 0x4000, 1}, {15, 16, 1, 0}, {0xffff, U, 0x2000, 1}},
};

static const struct row casts[] = {
    {"two words into one of 64 bits: the first is the low one",
     "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpBitcast %u64 %v\n%t = OpUConvert %u32 %w\n"
     "%r = OpIAdd %u32 %t %u0\n", {1, 2, 0xffffffff}, {7, 8, 9}, {1, 2, 0xffffffff}},
    {"four bytes of a word: the third", "%v = OpBitcast %u8vec4 %x\n%n = OpCompositeExtract %u8 %v 2\n"
     "%r = OpUConvert %u32 %n\n", {0x11223344, 0xff000000}, {0}, {0x22, 0}},
    {"halves put together again, swapped", "%v = OpBitcast %u16vec2 %x\n"
     "%z = OpVectorShuffle %u16vec2 %v %v 1 0\n%r = OpBitcast %u32 %z\n",
     {0x11223344, 0xffff0000}, {0}, {0x33441122, 0x0000ffff}},
    {"four halves into two words", "%v = OpBitcast %u16vec2 %x\n%z = OpBitcast %u16vec2 %y\n"
     "%q = OpVectorShuffle %u16vec4 %v %z 3 2 1 0\n%w = OpBitcast %uvec2 %q\n"
     "%r = OpCompositeExtract %u32 %w 0\n", {0}, {0x11223344, 0xffff0000}, {0x33441122, 0x0000ffff}},
    {"an undefined half makes the word undefined, the other one not",
     "%h = OpShiftLeftLogical %u32 %x %y\n%v = OpCompositeConstruct %uvec2 %h %x\n"
     "%w = OpBitcast %u64 %v\n%s = OpShiftRightLogical %u64 %w %u16c\n%r = OpUConvert %u32 %s\n",
     {1, 1}, {32, 0}, {U, 0x10000}},
    {"the same of the second half", "%h = OpShiftLeftLogical %u32 %x %y\n"
     "%v = OpCompositeConstruct %uvec2 %x %h\n%w = OpBitcast %u64 %v\n%r = OpUConvert %u32 %w\n",
     {1, 1}, {32, 0}, {U, 1}},
};

// Packed: bytes from the lowest. (1, 2, 3, 4) . (5, 6, 7, 8) = 70.
static const struct row dots[] = {
    {"UDot packed", "%r = OpUDot %u32 %x %y PackedVectorFormat4x8Bit\n",
     {0x04030201, 0xffffffff}, {0x08070605, 0xffffffff}, {70, 4 * 255 * 255}},
    {"SDot packed", "%s = OpSDot %i32 %x %y PackedVectorFormat4x8Bit\n%r = OpBitcast %u32 %s\n",
     {0x04030201, 0xffffffff, 0x80}, {0x08070605, 0xffffffff, 0x7f}, {70, 4, 0xffffc080}},
    {"SUDot packed: signed by unsigned", "%s = OpSUDot %i32 %x %y PackedVectorFormat4x8Bit\n"
     "%r = OpBitcast %u32 %s\n", {0xff, 1}, {0xff, 0xff}, {0xffffff01, 255}},
    {"SDot of bytes, 8-bit result: the low bits",
     "%v = OpBitcast %i8vec4 %x\n%w = OpBitcast %i8vec4 %y\n%s = OpSDot %i8 %v %w\n"
     "%b = OpBitcast %u8 %s\n%r = OpUConvert %u32 %b\n", {0x7f7f7f7f, 1}, {0x02020202, 0xff}, {0xf8, 0xff}},
    {"UDotAccSat", "%r = OpUDotAccSat %u32 %x %x %y PackedVectorFormat4x8Bit\n",
     {2, 2, 2}, {1, 0xfffffffb, 0xfffffffc}, {5, 0xffffffff, 0xffffffff}},
    {"SDotAccSat saturates below", "%q = OpBitcast %i32 %y\n"
     "%s = OpSDotAccSat %i32 %x %u1 %q PackedVectorFormat4x8Bit\n%r = OpBitcast %u32 %s\n",
     {0xff, 0xff, 1}, {0x80000000, 0x80000001, 0x7fffffff}, {0x80000000, 0x80000000, 0x7fffffff}},
    {"SUDotAccSat: -1 * 255 + y, and saturated", "%q = OpBitcast %i32 %y\n"
     "%s = OpSUDotAccSat %i32 %x %x %q PackedVectorFormat4x8Bit\n%r = OpBitcast %u32 %s\n",
     {0xff, 0xff, 1}, {0, 0x80000000, 0x7fffffff}, {0xffffff01, 0x80000000, 0x7fffffff}},
    {"SDotAccSat: an overflow before the last addition is undefined",
     "%v = OpBitcast %i8vec4 %x\n%w = OpBitcast %i8vec4 %y\n%z = OpBitcast %i8vec4 %u1\n"
     "%c = OpCompositeExtract %i8 %z 1\n%s = OpSDotAccSat %i8 %v %w %c\n"
     "%b = OpBitcast %u8 %s\n%r = OpUConvert %u32 %b\n",
     {0x0101, 0x4040}, {0x0101, 0x0101}, {2, U}},
};

static const struct row relaxed[] = {
    {"RelaxedPrecision: 16 bits with a sign are sure", "%s = OpIAdd %u32 %x %y\n%r = OpIAdd %u32 %s %u0\n",
     {1, 0x7fff, 0x7ffe, 0xffffffff}, {2, 1, 1, 1}, {3, U, 0x7fff, 0, 0, 0, 0, 0}, 0,
     "OpDecorate %s RelaxedPrecision\n"},
    {"RelaxedPrecision on a division", "%r = OpUDiv %u32 %x %u1\n", .annotations =
     "OpDecorate %r RelaxedPrecision\n", .refused = "unsupported: RelaxedPrecision"},
};

static void test_relaxed(void **state) { (void)state, CHECK_ROWS(relaxed); }
static void test_widths(void **state) { (void)state, CHECK_ROWS(widths); }
static void test_casts(void **state) { (void)state, CHECK_ROWS(casts); }
static void test_dots(void **state) { (void)state, CHECK_ROWS(dots); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_casts),
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_relaxed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
