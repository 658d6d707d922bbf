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
    {"QuadSwap in no direction that there is", "%r = " G("QuadSwap") " %u32 %u3 %x %u3\n", COUNTING, {0}, SAME(U), .is_invalid = true},
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

// Two components of floats: any zero, NaN or denormal among them is not told by its bits.
#define VEC_F "%v = OpCompositeConstruct %vec2 %fx %fy\n"
#define EQUAL_F "%b = " G("AllEqual") " %bool %u3 %v\n" FROM_BOOL
#define ALL(v) {v, v, v, v, v, v, v, v}
static const struct row equals[] = {
    {"AllEqual of a float vector", VEC_F EQUAL_F, ALL(P1), ALL(P2), ALL(1)},
    {"the second differs in the last lane", VEC_F EQUAL_F, ALL(P1), {P2, P2, P2, P2, P2, P2, P2, P3}, ALL(0)},
    {"the first differs in the first lane", VEC_F EQUAL_F, {P2, P1, P1, P1, P1, P1, P1, P1}, ALL(P2), ALL(0)},
    {"the second is a zero in one", VEC_F EQUAL_F, ALL(P1), {P2, P2, P2, 0, P2, P2, P2, P2}, ALL(U)},
    {"the first is", VEC_F EQUAL_F, {P1, P1, P1, P1, P1, 0x80000000, P1, P1}, ALL(P2), ALL(U)},
    {"the second is a NaN in the last", VEC_F EQUAL_F, ALL(P1), {P2, P2, P2, P2, P2, P2, P2, 0x7fc00000}, ALL(U)},
    {"a zero where nobody is", VEC_F EQUAL_F, ALL(P1), {P2, P2, P2, 0, P2, P2, P2, P2}, ALL(1), 0xf7},
    {"infinite ones", VEC_F EQUAL_F, ALL(P1), ALL(0x7f800000), ALL(U)},
    {"of halves", VEC_F "%w = OpFConvert %hvec2 %v\n%b = " G("AllEqual") " %bool %u3 %w\n" FROM_BOOL, ALL(P1), ALL(P2), ALL(1)},
    {"of doubles, of which one is zero", VEC_F "%w = OpFConvert %dvec2 %v\n%b = " G("AllEqual") " %bool %u3 %w\n" FROM_BOOL, ALL(P1), {P2, 0, P2, P2, P2, P2, P2, P2}, ALL(U)},
    {"AllEqual of what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%b = " G("AllEqual") " %bool %u3 %s\n" FROM_BOOL, ALL(5), {0, 0, 0, 0, 0, 0, 0, 32}, ALL(U)},
    {"where nobody is", "%s = OpShiftLeftLogical %u32 %x %y\n%b = " G("AllEqual") " %bool %u3 %s\n" FROM_BOOL, ALL(5), {0, 0, 0, 0, 0, 0, 0, 32}, ALL(1), 0x7f},
    {"All of what is not defined in the first lane", "%s = OpShiftLeftLogical %u32 %x %y\n%t = OpINotEqual %bool %s %u0\n%b = " G("All") " %bool %u3 %t\n" FROM_BOOL, ALL(5), {32}, ALL(U)},
    {"Any of what is not defined in the last", "%s = OpShiftLeftLogical %u32 %x %y\n%t = OpINotEqual %bool %s %u0\n%b = " G("Any") " %bool %u3 %t\n" FROM_BOOL, ALL(5), {0, 0, 0, 0, 0, 0, 0, 32}, ALL(U)},
    {"Partition of a float vector", VEC_F "%p = " G("PartitionNV") " %uvec4 %v\n%r = OpCompositeExtract %u32 %p 0\n", {P1, P1, P2, P2, P1, P1, P2, P2}, {P1, P2, P1, P2, P1, P2, P1, P2}, {0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88}},
    {"the other words", VEC_F "%p = " G("PartitionNV") " %uvec4 %v\n%q = OpCompositeExtract %u32 %p 1\n%t = OpCompositeExtract %u32 %p 3\n%r = OpBitwiseOr %u32 %q %t\n", {P1, P1, P2, P2, P1, P1, P2, P2}, ALL(P1), ALL(0)},
    {"with a zero: all words", VEC_F "%p = " G("PartitionNV") " %uvec4 %v\n%r = OpCompositeExtract %u32 %p 3\n", ALL(P1), {P1, 0, P1, P1, P1, P1, P1, P1}, ALL(U)},
};

// Ballots that lanes hold: bits beyond the subgroup do not count; a word that is not defined.
#define HELD "%w = OpCompositeConstruct %uvec4 %x %y %u0 %u0\n"
#define COUNT(op) "%r = " G("BallotBitCount") " %u32 %u3 " op " %w\n"
#define FIND(op) "%r = " G("BallotFind" op) " %u32 %u3 %w\n"
#define M1 0xffffffffu
static const struct row ballots[] = {
    {"BallotBitCount", HELD COUNT("Reduce"), {0xff, 0x1ff, M1, 0, 0x100, 1, 0x80, 0x55}, {0, M1, 5, 1, 1, 1, 1, 1}, {8, 8, 8, 0, 0, 1, 1, 4}},
    {"inclusive", HELD COUNT("InclusiveScan"), ALL(M1), {0}, COUNTING},
    {"exclusive", HELD COUNT("ExclusiveScan"), ALL(M1), {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"inclusive, of odd ones", HELD COUNT("InclusiveScan"), ALL(0xaa), {0}, {0, 1, 1, 2, 2, 3, 3, 4}},
    {"exclusive, of some lanes", HELD COUNT("ExclusiveScan"), ALL(0xaa), {0}, {0, 0, 1, 1, 2, 2, 3, 3}, 0x99},
    {"the lowest", HELD FIND("LSB"), {1, 0x80, 0x100, 0xaa, 0, 0x54, M1, 0x180}, ALL(M1), {0, 7, U, 1, U, 2, 0, 7}},
    {"the highest", HELD FIND("MSB"), {1, 0x80, 0x100, 0xaa, 0, 0x54, M1, 0x180}, ALL(M1), {0, 7, U, 7, U, 6, 7, 7}},
    {"the first has none", HELD FIND("MSB"), {0, 0x80, 0x100, 0xaa, 1, 0x54, M1, 0x180}, ALL(M1), {U, 7, U, 7, 0, 6, 7, 7}},
    {"a word that is not defined", "%s = OpShiftLeftLogical %u32 %u1 %y\n%w = OpCompositeConstruct %uvec4 %x %u0 %u0 %s\n" COUNT("Reduce"), ALL(3), {32, 0, 0, 32, 0, 0, 0, 32}, {U, 2, 2, U, 2, 2, 2, U}},
    {"BallotBitExtract", HELD "%b = " G("BallotBitExtract") " %bool %u3 %w %lane\n" FROM_BOOL, ALL(0xa5), {0}, {1, 0, 1, 0, 0, 1, 0, 1}},
    {"at the size of the subgroup", HELD "%b = " G("BallotBitExtract") " %bool %u3 %w %y\n" FROM_BOOL, ALL(M1), {8, 7, 0, 9, 6, M1, 31, 1}, {U, 1, 1, U, 1, U, U, 1}},
    {"of a word that is not defined", "%s = OpShiftLeftLogical %u32 %u1 %y\n%w = OpCompositeConstruct %uvec4 %x %s %u0 %u0\n%b = " G("BallotBitExtract") " %bool %u3 %w %u1\n" FROM_BOOL, ALL(3), {32, 0, 0, 32, 0, 0, 0, 32}, {U, 1, 1, U, 1, 1, 1, U}},
    {"by what is not defined", HELD "%s = OpShiftLeftLogical %u32 %u1 %y\n%b = " G("BallotBitExtract") " %bool %u3 %w %s\n" FROM_BOOL, ALL(3), {32, 0, 0, 32, 0, 0, 0, 32}, {U, 1, 1, U, 1, 1, 1, U}},
    {"InverseBallot", "%w = OpCompositeConstruct %uvec4 %u5 %u0 %u0 %u0\n%b = " G("InverseBallot") " %bool %u3 %w\n" FROM_BOOL, {0}, {0}, {1, 0, 1}},
    {"of some lanes", "%w = OpCompositeConstruct %uvec4 %u5 %u0 %u0 %u0\n%b = " G("InverseBallot") " %bool %u3 %w\n" FROM_BOOL, {0}, {0}, {1, 0, 1}, 0xf6},
    {"Ballot: the other words", BOOL "%w = " G("Ballot") " %uvec4 %u3 %t\n%a = OpCompositeExtract %u32 %w 1\n%c = OpCompositeExtract %u32 %w 3\n%r = OpBitwiseOr %u32 %a %c\n", ALL(1), {0}, ALL(0)},
};

// The first failure is the one that is told: what comes after it is not reached.
#define THEN_OUT "%far = OpAccessChain %word_ptr %out %u0 %u264\nOpStore %far %x\n%r = OpIAdd %u32 %x %u0\n"
#define SAYS(what, code, told) {what, code THEN_OUT, COUNTING, .refused = told}
static const struct row firsts[] = {
    SAYS("InverseBallot", "%w = OpCompositeConstruct %uvec4 %x %u0 %u0 %u0\n%b = " G("InverseBallot") " %bool %u3 %w\n", "Value must be the same in all active invocations"),
    SAYS("its second word", "%w = OpCompositeConstruct %uvec4 %u0 %x %u0 %u0\n%b = " G("InverseBallot") " %bool %u3 %w\n", "Value must be the same in all active invocations"),
    SAYS("its last word", "%w = OpCompositeConstruct %uvec4 %u0 %u0 %u0 %x\n%b = " G("InverseBallot") " %bool %u3 %w\n", "Value must be the same in all active invocations"),
    SAYS("a word that is not defined", "%s = OpUDiv %u32 %u1 %u0\n%w = OpCompositeConstruct %uvec4 %u0 %u0 %s %u0\n%b = " G("InverseBallot") " %bool %u3 %w\n", "Value must be the same in all active invocations"),
    SAYS("Broadcast", "%b = " G("Broadcast") " %u32 %u3 %x %lane\n", "undefined E-uniform: Id must be the same in all active invocations"),
    SAYS("of what is not defined", "%s = OpUDiv %u32 %u1 %u0\n%b = " G("Broadcast") " %u32 %u3 %x %s\n", "Id must be the same in all active invocations"),
    SAYS("QuadBroadcast", "%b = " G("QuadBroadcast") " %u32 %u3 %x %lane\n", "Id must be the same in all active invocations"),
    SAYS("Rotate", "%b = " G("RotateKHR") " %u32 %u3 %x %lane\n", "Delta must be the same in all active invocations"),
    SAYS("a partition", "%p = OpCompositeConstruct %uvec4 %x %u0 %u0 %u0\n%b = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", "Ballot is not a partition of the active invocations, in workgroup 0, invocation 2"),
    SAYS("with one who is not there", "%p = OpCompositeConstruct %uvec4 %u264 %u0 %u0 %u0\n%b = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", "Ballot is not a partition of the active invocations, in workgroup 0, invocation 0"),
};

// Who moves what: by more than there are, of one who is not there, of one who has no value.
#define NOT_5 "%s = OpShiftLeftLogical %u32 %x %y\n" // lane 5 has none
#define OF_5 {0, 0, 0, 0, 0, 32, 0, 0}
#define FIRST_NOT {32}
static const struct row moved[] = {
    {"BroadcastFirst of who has no value", NOT_5 "%r = " G("BroadcastFirst") " %u32 %u3 %s\n", COUNTING, FIRST_NOT, ALL(U)},
    {"of who has one", NOT_5 "%r = " G("BroadcastFirst") " %u32 %u3 %s\n", COUNTING, OF_5, ALL(1)},
    {"Broadcast of who has none", NOT_5 "%r = " G("Broadcast") " %u32 %u3 %s %u5\n", COUNTING, OF_5, ALL(U)},
    {"of who is not there", NOT_5 "%r = " G("Broadcast") " %u32 %u3 %x %u5\n", COUNTING, {0}, ALL(U), 0xdf},
    {"of one beyond the subgroup", "%r = " G("Broadcast") " %u32 %u3 %x %u8c\n", COUNTING, {0}, ALL(U)},
    {"Shuffle", "%r = " G("Shuffle") " %u32 %u3 %x %y\n", COUNTING, {8, 7, 6, 5, 0xffffffff, 3, 128, 1}, {U, 8, 7, 6, U, 4, U, 2}},
    {"by what is not defined", NOT_5 "%z = OpISub %u32 %s %s\n%r = " G("Shuffle") " %u32 %u3 %x %z\n", COUNTING, {32, 0, 0, 0, 0, 32, 0, 0}, {U, 1, 1, 1, 1, U, 1, 1}},
    {"ShuffleXor beyond", "%r = " G("ShuffleXor") " %u32 %u3 %x %y\n", COUNTING, {8, 1, 2, 3, 4, 0x80, 7, 0xffffffff}, {U, 1, 1, 1, 1, U, 2, U}},
    {"ShuffleUp by 3", "%r = " G("ShuffleUp") " %u32 %u3 %x %u3\n", COUNTING, {0}, {U, U, U, 1, 2, 3, 4, 5}},
    {"by the lane", "%r = " G("ShuffleUp") " %u32 %u3 %x %y\n", COUNTING, {0, 1, 2, 3, 5, 0xffffffff, 7, 6}, {1, 1, 1, 1, U, U, U, 2}},
    {"ShuffleDown by 3", "%r = " G("ShuffleDown") " %u32 %u3 %x %u3\n", COUNTING, {0}, {4, 5, 6, 7, 8, U, U, U}},
    {"by the lane", "%r = " G("ShuffleDown") " %u32 %u3 %x %y\n", COUNTING, {7, 7, 0xfffffff9, 0xffffffff, 8, 2, 1, 0}, {8, U, U, U, U, 8, 8, 8}},
    {"Rotate by one more than there are", "%r = " G("RotateKHR") " %u32 %u3 %x %n9\n", COUNTING, {0}, {2, 3, 4, 5, 6, 7, 8, 1}, .globals = "%n9 = OpConstant %u32 9\n"},
    {"Rotate by none in clusters of one", "%r = " G("RotateKHR") " %u32 %u3 %x %u1 %u1\n", COUNTING, {0}, COUNTING},
    {"in clusters of all", "%r = " G("RotateKHR") " %u32 %u3 %x %u1 %u8c\n", COUNTING, {0}, {2, 3, 4, 5, 6, 7, 8, 1}},
    {"in clusters of more", "%r = " G("RotateKHR") " %u32 %u3 %x %u1 %u16c\n", COUNTING, {0}, ALL(U)},
    {"Rotate of some", "%r = " G("RotateKHR") " %u32 %u3 %x %u1 %u4\n", COUNTING, {0}, {2, 3, U, 1, U, 7, 8, U}, 0xe7},
    {"QuadSwap horizontal", "%r = " G("QuadSwap") " %u32 %u3 %x %u0\n", COUNTING, {0}, {2, 1, 4, 3, 6, 5, 8, 7}},
    {"vertical", "%r = " G("QuadSwap") " %u32 %u3 %x %u1\n", COUNTING, {0}, {3, 4, 1, 2, 7, 8, 5, 6}},
    {"diagonal, of some", "%r = " G("QuadSwap") " %u32 %u3 %x %u2\n", COUNTING, {0}, {4, 0, U, 1, 8, 0, 0, 5}, 0x9d},
    {"QuadBroadcast of the last", "%r = " G("QuadBroadcast") " %u32 %u3 %x %u3\n", COUNTING, {0}, {4, 4, 4, 4, 8, 8, 8, 8}},
    {"Elect of some", "%b = " G("Elect") " %bool %u3\n" FROM_BOOL, {0}, {0}, {0, 0, 1}, 0xfc},
};
#define QUAD_VOTE(op) BOOL "%b = " G("Quad" op "KHR") " %bool %t\n" FROM_BOOL
#define VOTES .capabilities = "OpCapability QuadControlKHR\nOpExtension \"SPV_KHR_quad_control\"\n", .is_invalid = true
static const struct row quads[] = {
    {"QuadAll", QUAD_VOTE("All"), {1, 1, 1, 1, 1, 0, 1, 1}, {0}, {1, 1, 1, 1, 0, 0, 0, 0}, VOTES},
    {"QuadAny", QUAD_VOTE("Any"), {0, 0, 0, 0, 0, 1, 0, 0}, {0}, {0, 0, 0, 0, 1, 1, 1, 1}, VOTES},
    {"QuadAll of some", QUAD_VOTE("All"), {1, 0, 1, 1, 1, 0, 1, 1}, {0}, {1, 0, 1, 1, 0, 0, 0, 0}, 0xfd, VOTES},
    {"QuadAny of some", QUAD_VOTE("Any"), {0, 1, 0, 0, 0, 1, 0, 0}, {0}, {0, 0, 0, 0, 1, 1, 1, 1}, 0xfd, VOTES},
    {"QuadAll of what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%t = OpINotEqual %bool %s %u0\n%b = " G("QuadAllKHR") " %bool %t\n" FROM_BOOL, ALL(1), {32}, {U, U, U, U, 1, 1, 1, 1}, VOTES},
    {"QuadAny of what is not defined", "%s = OpShiftLeftLogical %u32 %x %y\n%t = OpINotEqual %bool %s %u0\n%b = " G("QuadAnyKHR") " %bool %t\n" FROM_BOOL, ALL(1), {0, 0, 0, 0, 0, 0, 32, 0}, {1, 1, 1, 1, U, U, U, U}, VOTES},
};

// Of halves, at the edges of what is exact in every order: 11 digits, 2^-14 to 2^15. Bits of floats of 32 bits.
#define HALVES(op) "%h = OpFConvert %f16 %fx\n%p = " G(op) " %f16 %u3 Reduce %h\n" FLOAT("OpFConvert %f32 %p")
#define POW(n) ((uint32_t)(127 + (n)) << 23)
static const struct row halves[] = {
    {"FAdd: 1024 and 7 ones", HALVES("FAdd"), {POW(10), P1, P1, P1, P1, P1, P1, P1}, {0}, ALL(0x4480e000)},
    {"2047", HALVES("FAdd"), {POW(10), POW(9), POW(8), POW(7), POW(6), POW(5), POW(4), 0x41700000}, {0}, ALL(0x44ffe000)},
    {"2048 and 7 ones", HALVES("FAdd"), {POW(11), P1, P1, P1, P1, P1, P1, P1}, {0}, ALL(U)},
    {"24576", HALVES("FAdd"), {POW(14), POW(13), 0, 0, 0, 0, 0, 0}, {0}, ALL(0x46c00000)},
    {"2^15 of two halves of it", HALVES("FAdd"), {POW(14), POW(14), 0, 0, 0, 0, 0, 0}, {0}, ALL(U)},
    {"its parts cancel", HALVES("FAdd"), {POW(14), POW(14), POW(14) | 0x80000000, 0, 0, 0, 0, 0}, {0}, ALL(U)},
    {"2^-13 of two halves of it", HALVES("FAdd"), {POW(-14), POW(-14), 0, 0, 0, 0, 0, 0}, {0}, ALL(POW(-13))},
    {"parts of 2^-15", HALVES("FAdd"), {POW(-14) | 0x400000, POW(-14) | 0x400000, 0, 0, 0, 0, 0, 0}, {0}, ALL(U)},
    {"only zeros", HALVES("FAdd"), {0}, {0}, ALL(U)},
    {"FMul: 2^15 and ones", HALVES("FMul"), {POW(15), P1, P1, P1, P1, P1, P1, P1}, {0}, ALL(POW(15))},
    {"2^14 and a half", HALVES("FMul"), {POW(14), POW(-1), P1, P1, P1, P1, P1, P1}, {0}, ALL(POW(13))},
    {"2^15, two and a half", HALVES("FMul"), {POW(15), POW(-1), POW(1), P1, P1, P1, P1, P1}, {0}, ALL(U)},
    {"2^-14 and ones", HALVES("FMul"), {POW(-14), P1, P1, P1, P1, P1, P1, P1}, {0}, ALL(POW(-14))},
    {"2^-14, a half and two", HALVES("FMul"), {POW(-14), POW(-1), POW(1), P1, P1, P1, P1, P1}, {0}, ALL(U)},
    {"six times three, 128 and 1/128", HALVES("FMul"), {P3, P3, P3, P3, P3, P3, POW(7), POW(-7)}, {0}, ALL(U)},
    {"six times three", HALVES("FMul"), {P3, P3, P3, P3, P3, P3, P1, P1}, {0}, ALL(0x44364000)},
    {"3/4 eight times: 6561 has too many digits", HALVES("FMul"), ALL(0x3f400000), {0}, ALL(U)},
    {"3/4 six times", HALVES("FMul"), {0x3f400000, 0x3f400000, 0x3f400000, 0x3f400000, 0x3f400000, 0x3f400000, P1, P1}, {0}, ALL(0x3e364000)},
    {"3/8 six times and 2^6: 2^-12 and more", HALVES("FMul"), {0x3ec00000, 0x3ec00000, 0x3ec00000, 0x3ec00000, 0x3ec00000, 0x3ec00000, POW(6), P1}, {0}, ALL(0x3e364000)},
    {"FMin of negative ones", HALVES("FMin"), {N2, 0xc0400000, N2, N2, N2, N2, N2, N2}, {0}, ALL(0xc0400000)},
    {"FMax of negative ones", HALVES("FMax"), {N2, 0xc0400000, N2, N2, N2, N2, N2, N2}, {0}, ALL(N2)},
    {"FMin of equal ones", HALVES("FMin"), ALL(P3), {0}, ALL(P3)},
    {"FMax with what is not defined in the first lane", "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n" FLOAT(G("FMax") " %f32 %u3 InclusiveScan %g"), ALL(P3), {32}, ALL(U)},
    {"in the last", "%s = OpShiftLeftLogical %u32 %x %y\n%g = OpBitcast %f32 %s\n" FLOAT(G("FMax") " %f32 %u3 InclusiveScan %g"), ALL(P3), {0, 0, 0, 0, 0, 0, 0, 32}, {P3, P3, P3, P3, P3, P3, P3, U}},
    {"FAdd by parts that are not defined", "%s = OpShiftLeftLogical %u32 %u1 %y\n%p = OpCompositeConstruct %uvec4 %s %u0 %u0 %u0\n" FLOAT(G("FAdd") " %f32 %u3 PartitionedReduceNV %fx %p"), ALL(P3), {0, 1, 2, 3, 32, 5, 6, 7}, ALL(U)},
    {"FMin in clusters larger than the group", FLOAT(G("FMin") " %f32 %u3 ClusteredReduce %fx %u16c"), ALL(P3), {0}, ALL(U)},
};

static const struct row parts[] = {
    {"SMin, exclusive, by partition", BY_Y "%r = " G("SMin") " %u32 %u3 PartitionedExclusiveScanNV %x %p\n", COUNTING, {1, 2, 1, 3, 2, 1, 1, 9}, {0x7fffffff, 0x7fffffff, 1, 0x7fffffff, 2, 1, 1, 0x7fffffff}},
    {"FMul, inclusive, by partition", BY_Y FLOAT(G("FMul") " %f32 %u3 PartitionedInclusiveScanNV %fx %p"), {P1, P2, P3, P1, N2, P1, P2, P2}, {1, 2, 1, 3, 2, 1, 1, 9}, {P1, P2, P3, P1, 0xc0800000, P3, 0x40c00000, P2}},
    {"FMax, exclusive, by partition", BY_Y FLOAT(G("FMax") " %f32 %u3 PartitionedExclusiveScanNV %fx %p"), {P1, P2, P3, P1, N2, P1, P2, P2}, {1, 2, 1, 3, 2, 1, 1, 9}, {U, U, P1, U, P2, P3, P3, U}},
    {"one part of all", "%p = " G("Ballot") " %uvec4 %u3 %true\n%r = " G("UMax") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {0}, ALL(7), 0x7f},
    {"each alone", "%bit8 = OpShiftLeftLogical %u32 %u1 %lane\n%p = OpCompositeConstruct %uvec4 %bit8 %u0 %u0 %u0\n%r = " G("UMax") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {0}, COUNTING},
    {"a part of the second word", "%p = OpCompositeConstruct %uvec4 %y %u1 %u0 %u0\n%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {1, 2, 4, 8, 16, 32, 64, 128}, .refused = "E-uniform"},
    {"of the last word", "%p = OpCompositeConstruct %uvec4 %y %u0 %u0 %u1\n%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {1, 2, 4, 8, 16, 32, 64, 128}, .refused = "E-uniform"},
    {"a set that is not the other's", "%p = OpCompositeConstruct %uvec4 %y %u0 %u0 %u0\n%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {3, 3, 12, 4, 16, 32, 64, 128}, .refused = "E-uniform"},
    {"a word of the ballot that is not defined", "%s = OpShiftLeftLogical %u32 %u0 %y\n%b8 = OpShiftLeftLogical %u32 %u1 %lane\n%p = OpCompositeConstruct %uvec4 %b8 %u0 %u0 %s\n%r = " G("IAdd") " %u32 %u3 PartitionedReduceNV %x %p\n", COUNTING, {32}, ALL(U)},
};

static void test_equals(void **state) { (void)state, CHECK_ROWS(equals); }
static void test_ballots(void **state) { (void)state, CHECK_ROWS(ballots); }
static void test_firsts(void **state) { (void)state, CHECK_ROWS(firsts); }
static void test_moved(void **state) { (void)state, CHECK_ROWS(moved); }
static void test_quads(void **state) { (void)state, CHECK_ROWS(quads); }
static void test_halves(void **state) { (void)state, CHECK_ROWS(halves); }
static void test_parts(void **state) { (void)state, CHECK_ROWS(parts); }
static void test_widths(void **state) { (void)state, CHECK_ROWS(widths); }
static void test_shapes(void **state) { (void)state, CHECK_ROWS(shapes); }
static void test_clusters(void **state) { (void)state, CHECK_ROWS(clusters); }
static void test_floats(void **state) { (void)state, CHECK_ROWS(floats); }
static void test_partitions(void **state) { (void)state, CHECK_ROWS(partitions); }

// An id is the same for all invocations of a workgroup that are at one dynamic instance, not at one instruction:
// two subgroups, each twice round a loop, by the first and then by the second.
static void test_instances(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (int k = 0; k < 4; k++) {
        const bool differs = k & 1;
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r;
        char code[900];
        snprintf(code, sizeof code, "%%s = OpShiftRightLogical %%u32 %%lane %%u2\nOpBranch %%h\n%%h = OpLabel\n%%n = OpPhi %%u32 %%u0 %%then %%m %%k\n%%sum = OpPhi %%u32 %%u0 %%then %%new %%k\nOpLoopMerge %%e %%k None\nOpBranch %%k\n%%k = OpLabel\n"
                                    "%%b = " G("Broadcast") " %%u32 %%u3 %%x %s\n%%new = OpIAdd %%u32 %%sum %%b\n%%m = OpIAdd %%u32 %%n %%u1\n%%g = OpULessThan %%bool %%m %%u2\nOpBranchConditional %%g %%h %%e\n%%e = OpLabel\n%%r = OpIAdd %%u32 %%new %%u0\n", differs ? "%s" : "%n");
        const struct row row = {"instances", code, COUNTING};
        row_case(tools, &a, &row, &c);
        c.subgroup = 4;
        orc_predict(&a, &c, 0, &(struct orc_options){.machine = k < 2 ? ORC_MASK : ORC_TAG}, &r);
        if (differs ? strcmp(r.why.rule, "E-uniform") != 0 || !strstr(r.why.text, "Id differs from that of another subgroup at the same dynamic instance") : r.why.status != RAN_OK)
            fail_msg("%s", r.why.text);
        for (uint32_t l = 0; l < LANES && !differs; l++)
            assert_int_equal(r.memory[1].words[l], l < 4 ? 1 + 2 : 5 + 6);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),   cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_clusters), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_partitions), cmocka_unit_test(test_equals), cmocka_unit_test(test_ballots), cmocka_unit_test(test_firsts),
        cmocka_unit_test(test_moved), cmocka_unit_test(test_quads), cmocka_unit_test(test_halves), cmocka_unit_test(test_parts), cmocka_unit_test(test_instances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
