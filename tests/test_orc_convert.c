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

// The name of a vector's type, which is declared where the head does not have it.
static void vector_type(char *name, size_t room, char *types, unsigned bits, unsigned n)
{
    static const char *const there[] = {"%u8vec4", "%u16vec2", "%u16vec4", "%uvec2", "%uvec4"};
    snprintf(name, room, bits == 32 ? "%%uvec%u" : "%%u%uvec%u", bits == 32 ? n : bits, n);
    for (size_t k = 0; k < sizeof there / sizeof *there; k++)
        if (strcmp(name, there[k]) == 0)
            return;
    snprintf(types + strlen(types), 60, "%s = OpTypeVector %%u%u %u\n", name, bits, n);
}

// Every cast between shapes: of `from` components of so many bits to `to`. The bytes are those of the operand,
// the lowest first; one of its components is not defined in lanes 2 and 5, in the last of them in lane 6.
static void test_all_casts(void **state)
{
    (void)state;
    static const unsigned bits[] = {8, 16, 32, 64};
    struct spv_tools *tools = spv_tools_new();
    uint32_t checked = 0;
    for (unsigned f = 0; f < 4; f++)
        for (unsigned n = 1; n <= 4; n++)
            for (unsigned t = 0; t < 4; t++) {
                const unsigned from = bits[f], to = bits[t], m = from * n / to;
                if (from * n % to || m < 1 || m > 4 || from == to)
                    continue;
                char types[400] = "", code[3000], list[64] = "", names[2][16] = {"", ""};
                size_t at, end;
                if (n > 1)
                    vector_type(names[0], sizeof names[0], types, from, n);
                if (m > 1)
                    vector_type(names[1], sizeof names[1], types, to, m);
                at = strlen(types);
                for (unsigned k = 0; k < n; k++)
                    at += (size_t)snprintf(types + at, sizeof types - at, "%%seed%u = OpConstant %%u32 %u\n", k, 0x3b9f57c1u * (k + 1));
                for (unsigned part = 0; part < m; part++)
                    for (unsigned high = 0; high < (to == 64 ? 2u : 1u); high++) {
                        struct row row = {code, code, .globals = types};
                        uint8_t bytes[LANES][32];
                        at = end = 0;
                        for (unsigned k = 0; k < n; k++) {
                            const char *shift = k == n - 1 ? "%y" : k == n / 2 ? "%gone" : "%u0";
                            if (!k)
                                at += (size_t)snprintf(code + at, sizeof code - at, "%%odd = OpBitwiseAnd %%u32 %%y %%u16c\n%%gone = OpIMul %%u32 %%odd %%u16c\n");
                            at += (size_t)snprintf(code + at, sizeof code - at, "%%w%u = OpBitwiseXor %%u32 %%x %%seed%u\n%%s%u = OpShiftLeftLogical %%u32 %%w%u %s\n", k, k, k, k, shift);
                            if (from == 64)
                                at += (size_t)snprintf(code + at, sizeof code - at, "%%v%u = OpCompositeConstruct %%uvec2 %%s%u %%lane\n%%c%u = OpBitcast %%u64 %%v%u\n", k, k, k, k);
                            else
                                at += (size_t)snprintf(code + at, sizeof code - at, "%%c%u = %s %%u%u %%s%u\n", k, from == 32 ? "OpCopyObject" : "OpUConvert", from, k);
                            end += (size_t)snprintf(list + end, sizeof list - end, " %%c%u", k);
                        }
                        if (n > 1)
                            at += (size_t)snprintf(code + at, sizeof code - at, "%%v = OpCompositeConstruct %s%s\n", names[0], list);
                        at += m > 1 ? (size_t)snprintf(code + at, sizeof code - at, "%%t = OpBitcast %s %s\n%%e = OpCompositeExtract %%u%u %%t %u\n", names[1], n > 1 ? "%v" : "%c0", to, part)
                                    : (size_t)snprintf(code + at, sizeof code - at, "%%e = OpBitcast %%u%u %%v\n", to);
                        snprintf(code + at, sizeof code - at, to == 64 ? "%%h = OpBitcast %%uvec2 %%e\n%%r = OpCompositeExtract %%u32 %%h %u\n" : to == 32 ? "%%r = OpCopyObject %%u32 %%e\n" : "%%r = OpUConvert %%u32 %%e\n", high);
                        for (uint32_t l = 0; l < LANES; l++) {
                            row.a[l] = 0x01020304u * (l + 3);
                            row.b[l] = l == 2 || l == 5 ? 16 : l == 6 ? 32 : 0; // 16 shifts, and 256 too far
                            const unsigned lost = l == 2 || l == 5 ? n / 2 : n - 1;
                            for (unsigned k = 0; k < n; k++) {
                                const uint32_t word = (row.a[l] ^ 0x3b9f57c1u * (k + 1)) << (k == n - 1 ? row.b[l] & 31 : 0);
                                const uint64_t value = from == 64 ? word | (uint64_t)l << 32 : word;
                                memcpy(bytes[l] + k * from / 8, &value, from / 8);
                            }
                            const unsigned first = part * to / 8, last = first + to / 8 - 1, least = lost * from / 8, most = least + from / 8 - 1;
                            const bool gone = row.b[l] && first <= most && least <= last && !(row.b[l] == 16 && lost == n - 1);
                            memcpy(&row.r[l], bytes[l] + first + 4 * high, to < 32 ? to / 8 : 4);
                            row.r[l] = gone ? U : row.r[l];
                        }
                        check_row(tools, &row);
                        checked++;
                    }
            }
    spv_tools_free(tools);
    assert_true(checked > 20);
}

// Of vectors, and with what is not defined; four ways to be the one that is not.
#define BYTES4(v, a, b, c, d) "%n" #v "0 = OpUConvert %u8 " a "\n%n" #v "1 = OpUConvert %u8 " b "\n%n" #v "2 = OpUConvert %u8 " c "\n%n" #v "3 = OpUConvert %u8 " d "\n" \
    "%" #v " = OpCompositeConstruct %u8vec4 %n" #v "0 %n" #v "1 %n" #v "2 %n" #v "3\n"
#define GONE "%s = OpShiftLeftLogical %u32 %x %y\n" // not where y is 32
#define WORDS4(v, a, b, c, d) "%" #v " = OpCompositeConstruct %uvec4 " a " " b " " c " " d "\n"
#define FIVES {5, 5, 5, 5, 5, 5, 5, 5}
#define SOME_GONE {0, 32, 0, 0, 32, 0, 0, 0}
#define DOT_OF(what, a, b, of_zero) {what, GONE a b "%r = OpUDot %u32 %v %w\n", FIVES, SOME_GONE, {of_zero, U, of_zero, of_zero, U, of_zero, of_zero, of_zero}}
static const struct row more_dots[] = {
    DOT_OF("UDot: the first of the first is not defined", WORDS4(v, "%s", "%u1", "%u2", "%u3"), WORDS4(w, "%u1", "%u2", "%u3", "%u4"), 5 + 2 + 6 + 12),
    DOT_OF("the last", WORDS4(v, "%u1", "%u1", "%u2", "%s"), WORDS4(w, "%u1", "%u2", "%u3", "%u4"), 1 + 2 + 6 + 20),
    DOT_OF("the second of the second", WORDS4(w, "%u1", "%s", "%u2", "%u3"), WORDS4(v, "%u1", "%u2", "%u3", "%u4"), 1 + 10 + 6 + 12),
    DOT_OF("the third of the second", WORDS4(w, "%u1", "%u1", "%s", "%u3"), WORDS4(v, "%u1", "%u2", "%u3", "%u4"), 1 + 2 + 15 + 12),
    {"packed: the first is not defined", GONE "%r = OpUDot %u32 %s %u2 PackedVectorFormat4x8Bit\n", FIVES, SOME_GONE, {10, U, 10, 10, U, 10, 10, 10}},
    {"packed: the second", GONE "%r = OpUDot %u32 %u2 %s PackedVectorFormat4x8Bit\n", FIVES, SOME_GONE, {10, U, 10, 10, U, 10, 10, 10}},
    {"saturated: what is added", GONE "%r = OpUDotAccSat %u32 %u2 %u2 %s PackedVectorFormat4x8Bit\n", FIVES, SOME_GONE, {9, U, 9, 9, U, 9, 9, 9}},
    // What lies behind a vector is no part of it.
    {"of two, behind which are others", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec2 %y %u1\n%o = OpIAdd %u32 %x %u5\n%q = OpIAdd %u32 %y %u5\n%r = OpUDot %u32 %v %w\n", {1, 2, 3}, {4, 5, 6}, {8, 15, 24}},
    {"with sign", "%v = OpCompositeConstruct %ivec2 %i1 %i1\n%w = OpCompositeConstruct %ivec2 %i1 %i1\n%o = OpIAdd %u32 %x %u5\n%q = OpIAdd %u32 %y %u5\n%d = OpSDot %i32 %v %w\n%r = OpBitcast %u32 %d\n", {1, 2, 3}, {4, 5, 6}, {2, 2, 2, 2, 2, 2, 2, 2}, .globals = "%i1 = OpConstant %i32 1\n"},
    {"saturated", "%v = OpCompositeConstruct %uvec2 %x %y\n%w = OpCompositeConstruct %uvec2 %y %u1\n%o = OpIAdd %u32 %x %u5\n%q = OpIAdd %u32 %y %u5\n%r = OpUDotAccSat %u32 %v %w %u2\n", {1, 2, 3}, {4, 5, 6}, {10, 17, 26, 2, 2, 2, 2, 2}},
    {"behind it is what is not defined", "%v = OpCompositeConstruct %uvec2 %x %y\n%s = OpShiftLeftLogical %u32 %u1 %active\n%s2 = OpShiftLeftLogical %u32 %u1 %active\n%r = OpUDot %u32 %v %v\n", {1, 2, 3}, {4, 5, 6}, {17, 29, 45}},
    {"packed, behind which is what is not defined", "%v = OpIAdd %u32 %x %y\n%s = OpShiftLeftLogical %u32 %u1 %active\n%r = OpUDot %u32 %v %v PackedVectorFormat4x8Bit\n", {1, 2, 3}, {4, 5, 6}, {25, 49, 81}},
    {"of 16 bits", "%p = OpUConvert %u16 %x\n%q = OpUConvert %u16 %y\n%v = OpCompositeConstruct %u16vec2 %p %q\n%d = OpUDot %u16 %v %v\n%r = OpUConvert %u32 %d\n",
     {3, 0xffff, 0x100, 300, 0, 0, 0, 0}, {4, 0, 0x100, 0, 0, 0, 0, 0}, {25, 1, 0, 90000 & 0xffff}},
    {"of 64 bits: the high word", "%p = OpUConvert %u64 %x\n%q = OpUConvert %u64 %y\n%v = OpCompositeConstruct %lvec2 %p %q\n%d = OpUDot %u64 %v %v\n%h = OpBitcast %uvec2 %d\n%r = OpCompositeExtract %u32 %h 1\n",
     {0x10000, 0xffffffff, 0, 5}, {0x20000, 0xffffffff, 0x40000, 6}, {5, 0xfffffffc, 16, 0}, .globals = "%lvec2 = OpTypeVector %u64 2\n"},
    {"of 64 bits with sign: the high word", "%a = OpBitcast %i32 %x\n%b = OpBitcast %i32 %y\n%p = OpSConvert %i64 %a\n%q = OpSConvert %i64 %b\n%v = OpCompositeConstruct %lvec2 %p %q\n"
     "%w = OpCompositeConstruct %lvec2 %q %q\n%d = OpSDot %i64 %v %w\n%h = OpBitcast %uvec2 %d\n%r = OpCompositeExtract %u32 %h 1\n",
     {0xffffffff, 3, 0x80000000, 5}, {2, 0xfffffffe, 0x7fffffff, 6}, {0, 0xffffffff, 0xffffffff, 0}, .globals = "%lvec2 = OpTypeVector %i64 2\n"},
    // In 8 bits: -128 .. 127, 0 .. 255. Sums of products of x and of y with 1, and what is added.
#define SUM8(op, a, b, t, c) BYTES4(v, "%x", "%y", "%u0", "%u0") BYTES4(w, a, b, "%u0", "%u0") "%sv = OpBitcast %" t "8vec4 %v\n%sw = OpBitcast %" t "8vec4 %w\n%bc = OpUConvert %u8 " c "\n%sc = OpBitcast %" t "8 %bc\n" \
    "%d = " op " %" t "8 %sv %sw %sc\n%b = OpBitcast %u8 %d\n%r = OpUConvert %u32 %b\n"
    {"SDotAccSat: 127 fits and 128 does not", SUM8("OpSDotAccSat", "%u1", "%u1", "i", "%u0"), {100, 100, 100, 127, 0x80, 0x80, 0x81, 1}, {27, 28, 0x9c, 0, 0, 0xff, 0xff, 0xfe}, {127, U, 0, 127, 0x80, U, 0x80, 0xff}},
    {"two overflow, the lanes between do not", SUM8("OpSDotAccSat", "%u1", "%u1", "i", "%u1"), {100, 100, 100, 100, 0, 1, 2, 3}, {28, 26, 29, 25, 0, 1, 2, 3}, {U, 127, U, 126, 1, 3, 5, 7}},
    {"what is below zero overflows alone", SUM8("OpSDotAccSat", "%u2", "%u2", "i", "%u0"), {64, 63, 0xc0, 0xbf, 63, 1, 0, 0}, {0xff, 0xff, 1, 1, 0x80, 0, 0, 0}, {U, 124, 0x82, U, U, 2, 0, 0}},
    {"saturated above", SUM8("OpSDotAccSat", "%u1", "%u1", "i", "%u3"), {120, 120, 120, 123, 126, 0x80, 0xfd, 0}, {3, 4, 5, 1, 1, 0, 0, 0}, {126, 127, 127, 127, 127, 0x83, 0, 3}},
    {"saturated below", SUM8("OpSDotAccSat", "%u1", "%u1", "i", "%minus"), {0x80, 0x81, 0x82, 0x83, 0x84, 0, 3, 100}, {0}, {0x80, 0x80, 0x80, 0x80, 0x81, 0xfd, 0, 97}, .globals = "%minus = OpConstant %u32 0xfd\n"},
    {"UDotAccSat: 255 fits and 256 does not", SUM8("OpUDotAccSat", "%u1", "%u1", "u", "%u0"), {200, 200, 0, 255, 255, 128, 1, 0}, {55, 56, 255, 0, 1, 128, 1, 0}, {255, U, 255, 255, U, U, 2, 0}},
    {"saturated", SUM8("OpUDotAccSat", "%u1", "%u1", "u", "%u4"), {200, 200, 200, 255, 0, 1, 2, 3}, {50, 51, 52, 0, 0, 0, 0, 0}, {254, 255, 255, 255, 4, 5, 6, 7}},
    {"SUDotAccSat: a signed by 255", BYTES4(v, "%x", "%u0", "%u0", "%u0") BYTES4(w, "%y", "%u0", "%u0", "%u0") "%sv = OpBitcast %i8vec4 %v\n%bc = OpUConvert %u8 %u1\n%sc = OpBitcast %i8 %bc\n"
     "%d = OpSUDotAccSat %i8 %sv %w %sc\n%b = OpBitcast %u8 %d\n%r = OpUConvert %u32 %b\n", {0xff, 0xff, 0xff, 1, 1, 0, 0, 0}, {127, 128, 129, 127, 128, 255, 0, 0}, {0x82, 0x81, U, 127, U, 1, 1, 1}},
    {"SUDot: a signed by an unsigned", BYTES4(v, "%x", "%x", "%u0", "%u0") BYTES4(w, "%y", "%u1", "%u0", "%u0") "%sv = OpBitcast %i8vec4 %v\n%d = OpSUDot %i32 %sv %w\n%r = OpBitcast %u32 %d\n",
     {0xff, 0x80, 0x7f, 1, 0, 0, 0, 0}, {0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0}, {0xffffff00, 0xffff8000, 0x7f00, 129}},
};

static const struct row more_relaxed[] = {
    {"RelaxedPrecision with a sign", "%a = OpBitcast %i32 %x\n%b = OpIAdd %i32 %a %a\n%r = OpBitcast %u32 %b\n", {0xffffffff, 0x3fff, 0x4000, 0xffffc000, 0xffffbfff, 0, 1, 2}, {0},
     {0xfffffffe, 0x7ffe, U, 0xffff8000, U, 0, 2, 4}, 0, "OpDecorate %b RelaxedPrecision\n"},
    {"without one", "%b = OpIAdd %u32 %x %x\n%r = OpIAdd %u32 %b %u0\n", {0xffffffff, 0x3fff, 0x4000, 0x8000, 0, 1, 2, 3}, {0}, {U, 0x7ffe, U, U, 0, 2, 4, 6}, 0, "OpDecorate %b RelaxedPrecision\n"},
    {"of some lanes", "%b = OpIAdd %u32 %x %x\n%r = OpIAdd %u32 %b %u0\n", {0xffffffff, 0x3fff, 0x4000, 0x8000, 0, 1, 2, 3}, {0}, {U, 0x7ffe, U, U, 0, 2, 4, 6}, 0x6e, "OpDecorate %b RelaxedPrecision\n"},
    {"of a vector, the first", "%v = OpCompositeConstruct %uvec2 %x %y\n%z = OpIAdd %uvec2 %v %v\n%r = OpCompositeExtract %u32 %z 0\n", {1, 0x4000, 1, 0x4000}, {1, 1, 0x4000, 0x4000}, {2, U, 2, U}, 0, "OpDecorate %z RelaxedPrecision\n"},
    {"the second", "%v = OpCompositeConstruct %uvec2 %x %y\n%z = OpIAdd %uvec2 %v %v\n%r = OpCompositeExtract %u32 %z 1\n", {1, 0x4000, 1, 0x4000}, {1, 1, 0x4000, 0x4000}, {2, 2, U, U}, 0, "OpDecorate %z RelaxedPrecision\n"},
    {"what has no value has none", "%s = OpShiftLeftLogical %u32 %x %y\n%z = OpBitwiseOr %u32 %s %u1\n%r = OpIAdd %u32 %z %u0\n", {2, 2, 2, 2, 2, 2, 2, 2}, {0, 32}, {3, U, 3, 3, 3, 3, 3, 3}, 0, "OpDecorate %z RelaxedPrecision\n"},
#define RELAXED(op, a, ...) {op, "%z = " op " %u32 " a "\n%r = OpIAdd %u32 %z %u0\n", {1, 0x7fff, 0x8000, 0x10001}, {1, 1, 1, 1, 1, 1, 1, 1}, __VA_ARGS__, 0, "OpDecorate %z RelaxedPrecision\n"}
    RELAXED("OpISub", "%x %y", {0, 0x7ffe, 0x7fff, U, U, U, U, U}), RELAXED("OpIMul", "%x %y", {1, 0x7fff, U, U}), RELAXED("OpNot", "%x", {U, U, U, U, U, U, U, U}),
    RELAXED("OpBitwiseAnd", "%x %y", {1, 1, 0, 1}), RELAXED("OpBitwiseOr", "%x %y", {1, 0x7fff, U, U, 1, 1, 1, 1}), RELAXED("OpBitwiseXor", "%x %y", {0, 0x7ffe, U, U, 1, 1, 1, 1}),
    RELAXED("OpCopyObject", "%x", {1, 0x7fff, U, U}), RELAXED("OpLoad", "%px", {1, 0x7fff, U, U}),
    {"OpSNegate", "%a = OpBitcast %i32 %x\n%z = OpSNegate %i32 %a\n%r = OpBitcast %u32 %z\n", {1, 0x8000, 0x8001, 0x10001}, {0}, {0xffffffff, 0xffff8000, U, U}, 0, "OpDecorate %z RelaxedPrecision\n"},
    {"OpCompositeExtract", "%v = OpCompositeConstruct %uvec2 %x %y\n%z = OpCompositeExtract %u32 %v 0\n%r = OpIAdd %u32 %z %u0\n", {1, 0x7fff, 0x8000, 0x10001}, {0}, {1, 0x7fff, U, U}, 0, "OpDecorate %z RelaxedPrecision\n"},
};

// What must not wrap, where one operand is not defined, of 64 bits, and of both signs.
#define LONGS "%p = OpUConvert %u64 %x\n%q = OpUConvert %u64 %y\n"
#define HIGH_OF(z) "%h = OpBitcast %uvec2 " z "\n%r = OpCompositeExtract %u32 %h 1\n"
static const struct row more_wraps[] = {
    {"not defined, and does not wrap", "%s = OpShiftLeftLogical %u32 %x %y\n%r = OpIAdd %u32 %s %u1\n", {2, 2, 0xffffffff, 2, 2, 2, 2, 2}, {0, 32}, {3, U, U, 3, 3, 3, 3, 3}, 0, "OpDecorate %r NoUnsignedWrap\n"},
    {"a product of nothing", LONGS "%z = OpIMul %u64 %p %q\n" HIGH_OF("%z"), {0, 5, 0xffffffff, 0x10000}, {5, 0, 0xffffffff, 0x10000}, {0, 0, 0xfffffffe, 1}, 0, "OpDecorate %z NoUnsignedWrap\n"},
    {"the largest product, and one that is too large", LONGS "%a = OpIMul %u64 %p %p\n%z = OpIMul %u64 %a %q\n" HIGH_OF("%z"), {0xffffffff, 0xffffffff, 0x80000000, 0x80000000, 0x80000000, 1, 1, 1},
     {1, 2, 3, 4, 5, 9, 0xffffffff, 0}, {0xfffffffe, U, 0xc0000000, U, U, 0, 0, 0}, 0, "OpDecorate %z NoUnsignedWrap\n"},
    {"(2^64 - 1) = 3 * 0x5555555555555555, and 4", "%v = OpCompositeConstruct %uvec2 %x %x\n%p = OpBitcast %u64 %v\n%q = OpUConvert %u64 %y\n%z = OpIMul %u64 %p %q\n" HIGH_OF("%z"),
     {0x55555555, 0x55555555, 0xffffffff, 0xffffffff, 0x7fffffff, 0x80000000, 0, 0}, {3, 4, 1, 2, 2, 2, 2, 0}, {0xffffffff, U, 0xffffffff, U, 0xfffffffe, U, 0, 0}, 0, "OpDecorate %z NoUnsignedWrap\n"},
    {"with sign, of 64 bits", "%v = OpCompositeConstruct %uvec2 %u0 %x\n%p = OpBitcast %u64 %v\n%q = OpUConvert %u64 %y\n%z = OpIMul %u64 %p %q\n" HIGH_OF("%z"),
     {0x40000000, 0x3fffffff, 0x40000000, 0xc0000000, 0xbfffffff, 0x80000000, 0x80000000, 0xffffffff}, {1, 2, 2, 2, 2, 1, 2, 5}, {0x40000000, 0x7ffffffe, U, 0x80000000, U, 0x80000000, U, 0xfffffffb}, 0, "OpDecorate %z NoSignedWrap\n"},
    {"a sum of 64 bits", "%v = OpCompositeConstruct %uvec2 %x %x\n%p = OpBitcast %u64 %v\n%w = OpCompositeConstruct %uvec2 %y %y\n%q = OpBitcast %u64 %w\n%z = OpIAdd %u64 %p %q\n" HIGH_OF("%z"),
     {0xffffffff, 0x80000000, 0x7fffffff, 1, 0xffffffff, 0, 0, 0}, {0, 0x7fffffff, 0x7fffffff, 1, 1, 0, 0, 0}, {0xffffffff, 0xffffffff, 0xfffffffe, 2, U}, 0, "OpDecorate %z NoUnsignedWrap\n"},
    {"a difference with sign", "%r = OpISub %u32 %x %y\n", {0x80000000, 0x7fffffff, 0, 0, 0xffffffff, 5, 0x80000000, 0}, {1, 0xffffffff, 0x80000000, 0x7fffffff, 0x7fffffff, 5, 0, 1}, {U, U, U, 0x80000001, 0x80000000, 0, 0x80000000, 0xffffffff}, 0, "OpDecorate %r NoSignedWrap\n"},
    {"both, and only one is broken", "%r = OpIAdd %u32 %x %y\n", {0x7fffffff, 0xffffffff, 5, 0x80000000}, {1, 1, 6, 0x7fffffff}, {U, U, 11, 0xffffffff}, 0, "OpDecorate %r NoSignedWrap\nOpDecorate %r NoUnsignedWrap\n"},
    {"a shift, both", "%r = OpShiftLeftLogical %u32 %x %y\n", {1, 1, 3, 0xffffffff, 0, 0x40000000, 1, 1}, {30, 31, 30, 1, 31, 1, 32, 0}, {0x40000000, U, U, U, 0, U, U, 1}, 0, "OpDecorate %r NoSignedWrap\nOpDecorate %r NoUnsignedWrap\n"},
    {"SNegate, both: only of 0", "%r = OpSNegate %u32 %x\n", {0, 1, 0x80000000, 0xffffffff}, {0}, {0, U, U, U}, 0, "OpDecorate %r NoSignedWrap\nOpDecorate %r NoUnsignedWrap\n"},
    {"of some lanes", "%r = OpIAdd %u32 %x %y\n", {0xffffffff, 1, 0xffffffff, 3, 4, 0xffffffff}, {1, 1, 1, 1, 1, 0, 0, 0}, {U, 2, U, 4, 5, 0xffffffff, 0, 0}, 0x3d, "OpDecorate %r NoUnsignedWrap\n"},
};

static void test_more_dots(void **state) { (void)state, CHECK_ROWS(more_dots); }
static void test_more_relaxed(void **state) { (void)state, CHECK_ROWS(more_relaxed); }
static void test_more_wraps(void **state) { (void)state, CHECK_ROWS(more_wraps); }
static void test_relaxed(void **state) { (void)state, CHECK_ROWS(relaxed); }
static void test_widths(void **state) { (void)state, CHECK_ROWS(widths); }
static void test_casts(void **state) { (void)state, CHECK_ROWS(casts); }
static void test_dots(void **state) { (void)state, CHECK_ROWS(dots); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths), cmocka_unit_test(test_all_casts), cmocka_unit_test(test_more_dots),
        cmocka_unit_test(test_more_relaxed), cmocka_unit_test(test_more_wraps),
        cmocka_unit_test(test_casts),
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_relaxed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
