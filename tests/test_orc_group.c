// SPDX-License-Identifier: Apache-2.0
//
// Group operations beyond 32-bit integers: other widths, vectors, booleans, floats,
// clusters, partitions.
#include "test_orc_text.h"

#define G(op) "OpGroupNonUniform" op
#define SAME(v) {v, v, v, v, v, v, v, v}
#define COUNTING {1, 2, 3, 4, 5, 6, 7, 8}
#define BYTE "%n = OpUConvert %u8 %x\n%sn = OpBitcast %i8 %n\n"
#define FROM_BYTE "%r = OpUConvert %u32 %b\n"
#define LONG "%v0 = OpCompositeConstruct %uvec2 %x %y\n%n = OpBitcast %u64 %v0\n"
#define HIGH "%v1 = OpBitcast %uvec2 %b\n%r = OpCompositeExtract %u32 %v1 1\n"
#define VEC_XY "%v = OpCompositeConstruct %uvec2 %x %y\n"
#define BOOL "%t = OpINotEqual %bool %x %u0\n"
#define FROM_BOOL "%r = OpSelect %u32 %b %u1 %u0\n"

static const struct row widths[] = {
    {"IAdd of bytes wraps", BYTE "%b = " G("IAdd") " %u8 %u3 Reduce %n\n" FROM_BYTE,
     {100, 100, 100, 0, 0, 0, 0, 1}, {0}, SAME(45)},
    {"SMin of bytes", BYTE "%c = " G("SMin") " %i8 %u3 Reduce %sn\n%b = OpBitcast %u8 %c\n" FROM_BYTE,
     {1, 0x80, 3, 0x7f, 0xff}, {0}, SAME(0x80)},
    {"SMax of bytes, exclusive: the least byte first", BYTE
     "%c = " G("SMax") " %i8 %u3 ExclusiveScan %sn\n%b = OpBitcast %u8 %c\n" FROM_BYTE,
     {0xfe, 0xff, 3, 0x7f, 0xff}, {0}, {0x80, 0xfe, 0xff, 3, 0x7f, 0x7f, 0x7f, 0x7f}},
    {"SMin of bytes, exclusive: the largest first", BYTE
     "%c = " G("SMin") " %i8 %u3 ExclusiveScan %sn\n%b = OpBitcast %u8 %c\n" FROM_BYTE,
     {0x7e, 1, 0x80}, {0}, {0x7f, 0x7e, 1, 0x80, 0x80, 0x80, 0x80, 0x80}},
    {"BitwiseAnd of bytes, exclusive", BYTE "%b = " G("BitwiseAnd") " %u8 %u3 ExclusiveScan %n\n" FROM_BYTE,
     {0x7e, 3, 2, 1}, {0}, {0xff, 0x7e, 2, 2}},
    {"IAdd of 64 bits carries", LONG "%b = " G("IAdd") " %u64 %u3 InclusiveScan %n\n" HIGH,
     {0xffffffff, 1, 0xffffffff, 1}, {0, 0, 1, 0}, {0, 1, 2, 3, 3, 3, 3, 3}},
    {"UMax of 64 bits", LONG "%b = " G("UMax") " %u64 %u3 Reduce %n\n" HIGH, {9, 0, 0}, {1, 2, 1}, SAME(2)},
    {"IMul of 16 bits", "%n = OpUConvert %u16 %x\n%b = " G("IMul") " %u16 %u3 Reduce %n\n" FROM_BYTE,
     {0x100, 0x81, 3, 1, 1, 1, 1, 1}, {0}, SAME(0x8300)},
    {"Shuffle of 64 bits", LONG "%z = OpBitwiseXor %u32 %lane %u1\n%b = " G("Shuffle") " %u64 %u3 %n %z\n" HIGH,
     {0}, COUNTING, {2, 1, 4, 3, 6, 5, 8, 7}},
    {"BroadcastFirst of a byte", BYTE "%b = " G("BroadcastFirst") " %u8 %u3 %n\n" FROM_BYTE,
     {7, 200, 3}, {0}, {0, 200, 200, 200, 200, 200, 200, 200}, 0xfe},
};

static const struct row shapes[] = {
    {"IAdd of a vector", VEC_XY "%w = " G("IAdd") " %uvec2 %u3 InclusiveScan %v\n"
     "%r = OpCompositeExtract %u32 %w 1\n", {0}, COUNTING, {1, 3, 6, 10, 15, 21, 28, 36}},
    {"a vector's component is undefined alone", "%s = OpShiftLeftLogical %u32 %x %y\n"
     "%v = OpCompositeConstruct %uvec2 %s %y\n%w = " G("UMax") " %uvec2 %u3 Reduce %v\n"
     "%r = OpCompositeExtract %u32 %w 1\n", {0}, {32, 1}, SAME(32)},
    {"ShuffleXor of a vector", VEC_XY "%w = " G("ShuffleXor") " %uvec2 %u3 %v %u2\n"
     "%r = OpCompositeExtract %u32 %w 1\n", {0}, COUNTING, {3, 4, 1, 2, 7, 8, 5, 6}},
    {"AllEqual of a vector: one component differs", VEC_XY "%b = " G("AllEqual") " %bool %u3 %v\n" FROM_BOOL,
     SAME(5), {1, 1, 1, 1, 1, 1, 1, 2}, SAME(0)},
    {"AllEqual of a vector", VEC_XY "%b = " G("AllEqual") " %bool %u3 %v\n" FROM_BOOL,
     SAME(5), SAME(1), SAME(1)},
    {"Ballot of an undefined predicate: the word that it stands in", "%s = OpShiftLeftLogical %u32 %x %y\n"
     "%t = OpINotEqual %bool %s %u0\n%w = " G("Ballot") " %uvec4 %u3 %t\n%r = OpCompositeExtract %u32 %w 0\n",
     {1, 0, 1}, {32}, SAME(U)},
    {"Ballot of an undefined predicate: another word", "%s = OpShiftLeftLogical %u32 %x %y\n"
     "%t = OpINotEqual %bool %s %u0\n%w = " G("Ballot") " %uvec4 %u3 %t\n%r = OpCompositeExtract %u32 %w 1\n",
     {1, 0, 1}, {32}, SAME(0)},
    {"Broadcast of a boolean", BOOL "%b = " G("Broadcast") " %bool %u3 %t %u2\n" FROM_BOOL,
     {0, 0, 7}, {0}, SAME(1)},
    {"ShuffleUp of a boolean", BOOL "%b = " G("ShuffleUp") " %bool %u3 %t %u1\n" FROM_BOOL,
     {1, 0, 1, 1}, {0}, {U, 1, 0, 1, 1, 0, 0, 0}},
    {"LogicalXor", BOOL "%b = " G("LogicalXor") " %bool %u3 InclusiveScan %t\n" FROM_BOOL,
     {1, 0, 1, 1, 0, 0, 1, 0}, {0}, {1, 1, 0, 1, 1, 1, 0, 0}},
    {"LogicalAnd, exclusive", BOOL "%b = " G("LogicalAnd") " %bool %u3 ExclusiveScan %t\n" FROM_BOOL,
     {1, 1, 0, 1, 1, 1, 1, 1}, {0}, {1, 1, 1, 0, 0, 0, 0, 0}},
    {"LogicalOr", BOOL "%b = " G("LogicalOr") " %bool %u3 Reduce %t\n" FROM_BOOL, {0, 0, 4}, {0}, SAME(1)},
    {"LogicalOr of a vector of booleans", BOOL "%tt = OpCompositeConstruct %bvec2 %t %false\n"
     "%w = " G("LogicalOr") " %bvec2 %u3 Reduce %tt\n%b = OpCompositeExtract %bool %w 0\n" FROM_BOOL,
     {0, 0, 4}, {0}, SAME(1)},
};

static const struct row clusters[] = {
    {"UMax in clusters of two", "%r = " G("UMax") " %u32 %u3 ClusteredReduce %x %u2\n",
     {1, 2, 4, 3, 5, 6, 8, 7}, {0}, {2, 2, 4, 4, 6, 6, 8, 8}},
    {"in clusters of one", "%r = " G("IAdd") " %u32 %u3 ClusteredReduce %x %u1\n", COUNTING, {0}, COUNTING},
    {"in clusters of all", "%r = " G("IAdd") " %u32 %u3 ClusteredReduce %x %u8c\n", COUNTING, {0}, SAME(36)},
    {"a cluster larger than the group", "%r = " G("IAdd") " %u32 %u3 ClusteredReduce %x %u16c\n", COUNTING,
     {0}, SAME(U)},
    {"an undefined value stays in its cluster", "%s = OpShiftLeftLogical %u32 %x %y\n"
     "%r = " G("BitwiseOr") " %u32 %u3 ClusteredReduce %s %u4\n", {1, 2, 4, 8, 1, 2, 4, 8}, {0, 32},
     {U, U, U, U, 15, 15, 15, 15}},
    {"LogicalAnd in clusters, not all active", BOOL "%b = " G("LogicalAnd") " %bool %u3 ClusteredReduce %t %u4\n"
     FROM_BOOL, {1, 0, 1, 1, 1, 0, 1, 1}, {0}, {1, 0, 1, 1, 0, 0, 0, 0}, 0xfd},
    {"Rotate in clusters of four", "%r = " G("RotateKHR") " %u32 %u3 %x %u1 %u4\n", COUNTING, {0},
     {2, 3, 4, 1, 6, 7, 8, 5}},
    {"QuadBroadcast", "%r = " G("QuadBroadcast") " %u32 %u3 %x %u2\n", COUNTING, {0}, {3, 3, 3, 3, 7, 7, 7, 7}},
    {"QuadBroadcast of an inactive one", "%r = " G("QuadBroadcast") " %u32 %u3 %x %u2\n", COUNTING, {0},
     {U, U, 0, U, 7, 7, 7, 7}, 0xfb},
};

// Bits of floats.
#define P1 0x3f800000u
#define P2 0x40000000u
#define P3 0x40400000u
#define N2 0xc0000000u
#define E24 0x4b800000u
#define FLOAT(op) "%f = " op "\n%r = OpBitcast %u32 %f\n"
#define DOUBLE "%d = OpFConvert %f64 %fx\n"
static const struct row floats[] = {
    {"FAdd: 1 + ... + 8 = 36", FLOAT(G("FAdd") " %f32 %u3 Reduce %fx"),
     {P1, P2, P3, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000, 0x41000000}, {0}, SAME(0x42100000)},
    {"FAdd, exclusive: the identity is a zero", FLOAT(G("FAdd") " %f32 %u3 ExclusiveScan %fx"), SAME(P1), {0},
     {U, P1, P2, P3, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000}},
    {"FAdd that cancels", FLOAT(G("FAdd") " %f32 %u3 InclusiveScan %fx"), {P2, N2, P1, P1, P1, P1, P1, P1}, {0},
     {P2, U, P1, P2, P3, 0x40800000, 0x40a00000, 0x40c00000}},
    // 2^24 - 2^24 + 1: 2^24 + 1 would round, in another order.
    {"FAdd that is exact in one order only", FLOAT(G("FAdd") " %f32 %u3 InclusiveScan %fx"),
     {E24, 0xcb800000, P1, 0, 0, 0, 0, 0}, {0}, {E24, U, U, U, U, U, U, U}},
    {"FAdd with a NaN", FLOAT(G("FAdd") " %f32 %u3 InclusiveScan %fx"), {P1, P1, 0x7fc00000, P1}, {0},
     {P1, P2, U, U, U, U, U, U}},
    {"FMul", FLOAT(G("FMul") " %f32 %u3 ExclusiveScan %fx"), {P2, P3, N2, 0x3f000000, P1, P1, P1, 0}, {0},
     {P1, P2, 0x40c00000, 0xc1400000, 0xc0c00000, 0xc0c00000, 0xc0c00000, 0xc0c00000}},
    {"FMul with a zero", FLOAT(G("FMul") " %f32 %u3 Reduce %fx"), {P2, 0}, {0}, SAME(U)},
    // 2^100 * 2^-100 * 2^100 * 2^100 ...: in another order it overflows.
    {"FMul whose factors could overflow", FLOAT(G("FMul") " %f32 %u3 InclusiveScan %fx"),
     {0x71800000, 0x0d800000, 0x71800000, P1, P1, P1, P1, P1}, {0},
     {0x71800000, P1, U, U, U, U, U, U}},
    // 2^8 and seven ones: ones neither grow nor shrink a product, though 2^16 would be too large for a half.
    {"FMul of halves that are one", "%h = OpFConvert %f16 %fx\n%p = " G("FMul") " %f16 %u3 Reduce %h\n"
     FLOAT("OpFConvert %f32 %p"), {0x43800000, P1, P1, P1, P1, P1, P1, P1}, {0}, SAME(0x43800000)},
    // 2^-8 and seven ones; 2^-8 * 2^8 * 2^8 is too large in another order.
    {"FMul of small halves", "%h = OpFConvert %f16 %fx\n%p = " G("FMul") " %f16 %u3 InclusiveScan %h\n"
     FLOAT("OpFConvert %f32 %p"), {0x3b800000, P1, P1, P1, P1, 0x43800000, 0x43800000, P1}, {0},
     {0x3b800000, 0x3b800000, 0x3b800000, 0x3b800000, 0x3b800000, P1, U, U}},
    {"FMin", FLOAT(G("FMin") " %f32 %u3 Reduce %fx"), {P1, N2, P3, P1, P1, P1, P1, P1}, {0}, SAME(N2)},
    {"FMax, exclusive: the identity is infinite", FLOAT(G("FMax") " %f32 %u3 ExclusiveScan %fx"),
     {P1, N2, P3, P1, P1, P1, P1, P1}, {0}, {U, P1, P1, P3, P3, P3, P3, P3}},
    {"FMax of a zero", FLOAT(G("FMax") " %f32 %u3 Reduce %fx"), {N2, 0, N2, N2, N2, N2, N2, N2}, {0}, SAME(U)},
    {"FMin with a NaN", FLOAT(G("FMin") " %f32 %u3 InclusiveScan %fx"), {P1, 0x7fc00000, N2}, {0},
     {P1, U, U, U, U, U, U, U}},
    {"FAdd of doubles: 2^24 + 1", DOUBLE "%f = " G("FAdd") " %f64 %u3 Reduce %d\n%r = OpConvertFToU %u32 %f\n",
     {E24, P1}, {0}, SAME(16777217)},
    {"FAdd in clusters", FLOAT(G("FAdd") " %f32 %u3 ClusteredReduce %fx %u2"), {P1, P2, P1, P1, P3, N2, P2, N2},
     {0}, {P3, P3, P2, P2, P1, P1, U, U}},
    {"AllEqual", "%b = " G("AllEqual") " %bool %u3 %fx\n" FROM_BOOL, SAME(P1), {0}, SAME(1)},
    {"AllEqual, not", "%b = " G("AllEqual") " %bool %u3 %fx\n" FROM_BOOL, {P1, P2, P1, P1, P1, P1, P1, P1}, {0}, SAME(0)},
    {"AllEqual of zeros", "%b = " G("AllEqual") " %bool %u3 %fx\n" FROM_BOOL, {0, 0x80000000}, {0}, SAME(U)},
    {"Shuffle of floats", "%z = OpBitwiseXor %u32 %lane %u1\n" FLOAT(G("Shuffle") " %f32 %u3 %fx %z"),
     {P1, P2, P3, 0x3eaaaaab}, {0}, {P2, P1, 0x3eaaaaab, P3}},
};

#define BY_Y "%p = " G("PartitionNV") " %uvec4 %y\n"
static const struct row partitions[] = {
    {"PartitionNV", BY_Y "%r = OpCompositeExtract %u32 %p 0\n", {0}, {1, 2, 1, 3, 2, 1, 1, 9},
     {0x65, 0x12, 0x65, 8, 0x12, 0x65, 0x65, 0x80}},
    {"PartitionNV of active lanes", BY_Y "%r = OpCompositeExtract %u32 %p 0\n", {0}, {0, 2, 0, 3, 2, 0, 0, 0},
     {0, 0x12, 0x64, 8, 0x12, 0x64, 0x64, 0}, 0x7e},
    {"PartitionNV of zeros of floats", "%p = " G("PartitionNV") " %uvec4 %fx\n%r = OpCompositeExtract %u32 %p 0\n",
     {0, 0x80000000}, {0}, SAME(U)},
    {"IAdd by partition", BY_Y "%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING,
     {1, 2, 1, 3, 2, 1, 1, 9}, {17, 7, 17, 4, 7, 17, 17, 8}},
    {"IAdd by partition, inclusive", BY_Y "%r = " G("IAdd") " %u32 %u3 PartitionedInclusiveScanNV %x %p\n", COUNTING,
     {1, 2, 1, 3, 2, 1, 1, 9}, {1, 2, 4, 4, 7, 10, 17, 8}},
    {"IMul by partition, exclusive", BY_Y "%r = " G("IMul") " %u32 %u3 PartitionedExclusiveScanNV %x %p\n", COUNTING,
     {1, 2, 1, 3, 2, 1, 1, 9}, {1, 1, 1, 1, 2, 3, 18, 1}},
    {"FAdd by partition", BY_Y FLOAT(G("FAdd") " %f32 %u3 PartitionedReduceNV %fx %p"),
     {P1, P2, P3, P1, N2, P1, P1, P2}, {1, 2, 1, 3, 2, 1, 1, 9},
     {0x40c00000, U, 0x40c00000, P1, U, 0x40c00000, 0x40c00000, P2}},
    {"no partition: a lane is not in its own", "%p = OpCompositeConstruct %uvec4 %y %u0 %u0 %u0\n"
     "%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {2, 1, 4, 8, 16, 32, 64, 128},
     .refused = "E-uniform"},
    {"no partition: they overlap", "%p = OpCompositeConstruct %uvec4 %y %u0 %u0 %u0\n"
     "%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {3, 2, 4, 8, 16, 32, 64, 128},
     .refused = "E-uniform"},
    {"a ballot that is not defined", "%s = OpShiftLeftLogical %u32 %u1 %y\n"
     "%p = OpCompositeConstruct %uvec4 %s %u0 %u0 %u0\n"
     "%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {0, 1, 2, 3, 4, 5, 6, 32}, SAME(U)},
};

static void test_widths(void **state) { (void)state, CHECK_ROWS(widths); }
static void test_shapes(void **state) { (void)state, CHECK_ROWS(shapes); }
static void test_clusters(void **state) { (void)state, CHECK_ROWS(clusters); }
static void test_floats(void **state) { (void)state, CHECK_ROWS(floats); }
static void test_partitions(void **state) { (void)state, CHECK_ROWS(partitions); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),   cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_clusters), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
