// SPDX-License-Identifier: Apache-2.0
//
// Atomics: what memory holds where the order does not matter, races, results; and
// copies of memory.
#include "test_orc_text.h"

#define AT0 "%p = OpAccessChain %shared_word_ptr %shared %u0\n"
#define BARRIER "OpControlBarrier %u2 %u2 %u264\n"
// shared[lane] = x, ordered; then the row's atomics on shared[0]; then shared[0] to all.
#define START                                                                                      \
    "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %x\n" BARRIER AT0
#define END BARRIER "%r = OpLoad %u32 %p\n"
#define SAME(v) {v, v, v, v, v, v, v, v}
#define BY_LANE(then_code, else_code)                                                              \
    "%first = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\n"                             \
    "OpBranchConditional %first %t %e\n%t = OpLabel\n" then_code                                   \
    "OpBranch %j\n%e = OpLabel\n" else_code "OpBranch %j\n%j = OpLabel\n"

// x of lane 0 is the first value, y what each lane brings.
static const struct row workgroup[] = {
    {"IAdd", START "%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n" END, {100},
     {1, 2, 3, 4, 5, 6, 7, 8}, SAME(136)},
    {"ISub", START "%o = OpAtomicISub %u32 %p %u2 %u0 %y\n" END, {100},
     {1, 2, 3, 4, 5, 6, 7, 8}, SAME(64)},
    {"IIncrement", START "%o = OpAtomicIIncrement %u32 %p %u2 %u0\n" END, {0xffffffff}, {0}, SAME(7)},
    {"IDecrement", START "%o = OpAtomicIDecrement %u32 %p %u2 %u0\n" END, {3}, {0}, SAME(0xfffffffb)},
    {"And", START "%o = OpAtomicAnd %u32 %p %u2 %u0 %y\n" END, {0xff},
     {0xfe, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, SAME(0x7c)},
    {"Or", START "%o = OpAtomicOr %u32 %p %u2 %u0 %y\n" END, {0x100}, {1, 2, 4, 8, 16, 32, 64, 128},
     SAME(0x1ff)},
    {"Xor", START "%o = OpAtomicXor %u32 %p %u2 %u0 %y\n" END, {1}, {1, 2, 4, 8, 8, 4, 3, 0}, SAME(1)},
    {"SMin", START "%o = OpAtomicSMin %u32 %p %u2 %u0 %y\n" END, {5}, {1, 0xfffffffe, 7}, SAME(0xfffffffe)},
    {"UMin", START "%o = OpAtomicUMin %u32 %p %u2 %u0 %y\n" END, {5}, SAME(0xfffffffe), SAME(5)},
    {"SMax", START "%o = OpAtomicSMax %u32 %p %u2 %u0 %y\n" END, {5}, SAME(0xfffffffe), SAME(5)},
    {"UMax", START "%o = OpAtomicUMax %u32 %p %u2 %u0 %y\n" END, {5}, {1, 0xfffffffe, 7}, SAME(0xfffffffe)},
    {"IAdd of 64 bits carries", "%a = OpAccessChain %long_ptr %longs %u0\n%only = OpIEqual %bool %lane %u0\n"
     "OpSelectionMerge %j None\nOpBranchConditional %only %t %j\n%t = OpLabel\nOpStore %a %almost\nOpBranch %j\n"
     "%j = OpLabel\n" BARRIER "%w = OpUConvert %u64 %y\n%o = OpAtomicIAdd %u64 %a %u2 %u0 %w\n" BARRIER
     "%l = OpLoad %u64 %a\n%v = OpBitcast %uvec2 %l\n%r = OpCompositeExtract %u32 %v 1\n", {0},
     {1, 2, 3, 4, 5, 6, 7, 8}, SAME(8), .globals = "%almost = OpConstant %u64 0x7fffffff0\n"
     "%long_array = OpTypeArray %u64 %u2\n%longs_ptr = OpTypePointer Workgroup %long_array\n"
     "%long_ptr = OpTypePointer Workgroup %u64\n%longs = OpVariable %longs_ptr Workgroup\n", .interface = " %longs"},
    {"Exchange: who is last?", START "%o = OpAtomicExchange %u32 %p %u2 %u0 %y\n" END, {5}, {1, 2}, SAME(U)},
    {"CompareExchange", START "%o = OpAtomicCompareExchange %u32 %p %u2 %u0 %u0 %y %u5\n" END, {5},
     {1, 2}, SAME(U)},
    {"CompareExchange with a comparator that is not defined", START "%s = OpShiftLeftLogical %u32 %u1 %active\n"
     "%first = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\nOpBranchConditional %first %t %j\n%t = OpLabel\n"
     "%o = OpAtomicCompareExchange %u32 %p %u2 %u0 %u0 %y %s\nOpBranch %j\n%j = OpLabel\n" END, {5}, {1}, SAME(U)},
    {"Exchange by one of a word never written", AT0 "%first = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\n"
     "OpBranchConditional %first %t %j\n%t = OpLabel\n%o = OpAtomicExchange %u32 %p %u2 %u0 %u5\nOpBranch %j\n"
     "%j = OpLabel\n" END, {0}, {0}, SAME(5)},
    {"Store", START "OpAtomicStore %p %u2 %u0 %y\n" END, {5}, {1, 2}, SAME(U)},
    {"Load changes nothing", START "%o = OpAtomicLoad %u32 %p %u2 %u0\n" END, {5}, {0}, SAME(5)},
    {"a result is undefined", START "%r = OpAtomicIAdd %u32 %p %u2 %u0 %y\n", {5}, {0}, SAME(U)},
    {"a loaded value, too", START "%r = OpAtomicLoad %u32 %p %u2 %u0\n", {5}, {0}, SAME(U)},
    {"on a word never written", AT0 "%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n" END, {0}, {0}, SAME(U)},
    {"of an undefined value", START "%s = OpShiftLeftLogical %u32 %u1 %y\n"
     "%o = OpAtomicIAdd %u32 %p %u2 %u0 %s\n" END, {0}, {0, 0, 0, 32}, SAME(U)},
};

static const struct row order[] = {
    {"Add and sub of others commute", START BY_LANE("%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n",
     "%q = OpAtomicISub %u32 %p %u2 %u0 %y\n") END, {100}, {1, 2, 3, 4, 1, 1, 1, 1}, SAME(106)},
    {"Add and or of others do not", START BY_LANE("%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n",
     "%q = OpAtomicOr %u32 %p %u2 %u0 %y\n") END, {100}, {1, 2, 3, 4, 1, 1, 1, 1}, SAME(U)},
    {"SMin and UMin do not", START BY_LANE("%o = OpAtomicSMin %u32 %p %u2 %u0 %y\n",
     "%q = OpAtomicUMin %u32 %p %u2 %u0 %y\n") END, {100}, {1, 2, 3, 4, 1, 1, 1, 1}, SAME(U)},
    // Each lane: or, then add. The others' add may come between.
    {"two kinds of each", START "%o = OpAtomicOr %u32 %p %u2 %u0 %u1\n"
     "%q = OpAtomicIAdd %u32 %p %u2 %u0 %u2\n" END, {0}, {0}, SAME(U)},
    {"two kinds with a barrier between: (0 | 1) + 8 * 2", START "%o = OpAtomicOr %u32 %p %u2 %u0 %u1\n"
     BARRIER "%q = OpAtomicIAdd %u32 %p %u2 %u0 %u2\n" END, {0}, {0}, SAME(17)},
    // Lane 0 ors and adds; the others add: one of them may add before lane 0's or.
    {"two kinds of one, one of the others",
     START "%first = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\n"
     "OpBranchConditional %first %t %j\n%t = OpLabel\n%o = OpAtomicOr %u32 %p %u2 %u0 %u1\n"
     "OpBranch %j\n%j = OpLabel\n%q = OpAtomicIAdd %u32 %p %u2 %u0 %u2\n" END, {0}, {0}, SAME(U)},
    {"two kinds on one's own word", START "%o = OpAtomicOr %u32 %own %u2 %u0 %u4\n"
     "%q = OpAtomicIAdd %u32 %own %u2 %u0 %u1\n%z = OpAtomicExchange %u32 %own %u2 %u0 %y\n"
     "%n = OpAtomicIIncrement %u32 %own %u2 %u0\n%r = OpLoad %u32 %own\n", {0},
     {1, 2, 3, 4, 5, 6, 7, 8}, {2, 3, 4, 5, 6, 7, 8, 9}},
    {"what one leaves in another's word, after a barrier",
     START "%far = OpBitwiseXor %u32 %lane %u1\n%f = OpAccessChain %shared_word_ptr %shared %far\n"
     "%o = OpAtomicExchange %u32 %f %u2 %u0 %y\n" BARRIER "%r = OpLoad %u32 %own\n", {0},
     {1, 2, 3, 4, 5, 6, 7, 8}, {2, 1, 4, 3, 6, 5, 8, 7}},
    {"a lost word is good again after an ordered store",
     START "%o = OpAtomicExchange %u32 %p %u2 %u0 %y\n" BARRIER
     "%first = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\n"
     "OpBranchConditional %first %t %j\n%t = OpLabel\nOpStore %p %u3\nOpBranch %j\n%j = OpLabel\n" END,
     {0}, {0}, SAME(3)},
};

#define WORD "%p = OpAccessChain %word_ptr %in %u0 %u0\n"
#define BUFFER_BARRIER "OpControlBarrier %u2 %u2 %u72\n"
static const struct row buffers[] = {
    {"IAdd on a buffer", BUFFER_BARRIER WORD "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n" BUFFER_BARRIER
     "%r = OpLoad %u32 %p\n", {100}, {1, 2, 3, 4, 5, 6, 7, 8}, SAME(136)},
    {"Exchange on a buffer", BUFFER_BARRIER WORD "%o = OpAtomicExchange %u32 %p %u1 %u0 %y\n"
     BUFFER_BARRIER "%r = OpLoad %u32 %p\n", {100}, {1, 2, 3, 4, 5, 6, 7, 8}, SAME(U)},
    {"a barrier of other memory orders nothing", BUFFER_BARRIER WORD
     "%o = OpAtomicOr %u32 %p %u1 %u0 %y\n" BARRIER "%q = OpAtomicIAdd %u32 %p %u1 %u0 %y\n"
     BUFFER_BARRIER "%r = OpLoad %u32 %p\n", {100}, {1, 2, 3, 4, 5, 6, 7, 8}, SAME(U)},
    {"a store before others' atomics", WORD "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n",
     .refused = "E-race"}, // %x of lane 0 is that word, read before
    {"a plain load after others' atomics", BUFFER_BARRIER WORD
     "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n%r = OpLoad %u32 %p\n", .refused = "E-race"},
    {"a plain store after others' atomics", BUFFER_BARRIER WORD
     "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n%first = OpIEqual %bool %lane %u4\n"
     "OpSelectionMerge %j None\nOpBranchConditional %first %t %j\n%t = OpLabel\nOpStore %p %u3\n"
     "OpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-race"},
    {"an atomic after another's plain store", BUFFER_BARRIER WORD
     "%first = OpIEqual %bool %lane %u4\n"
     "OpSelectionMerge %j None\nOpBranchConditional %first %t %j\n%t = OpLabel\nOpStore %p %u3\n"
     "OpBranch %j\n%j = OpLabel\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n",
     .refused = "E-race"},
    {"a branch on a result", BUFFER_BARRIER WORD "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n"
     "%first = OpIEqual %bool %o %u4\nOpSelectionMerge %j None\nOpBranchConditional %first %t %j\n"
     "%t = OpLabel\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-branch"},
    {"out of bounds", "%big = OpIAdd %u32 %lane8 %u8c\n%p = OpAccessChain %word_ptr %in %u0 %big\n"
     "%o = OpAtomicIAdd %u32 %p %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-bounds"},
    {"scope Subgroup", WORD "%o = OpAtomicIAdd %u32 %p %u3 %u0 %y\n%r = OpIAdd %u32 %x %u0\n",
     .refused = "unsupported: its scope"},
};

static const struct row copies[] = {
    {"CopyMemory from a buffer to a variable", "OpCopyMemory %local %py\n%r = OpLoad %u32 %local\n", {0},
     {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
    {"CopyMemory of an undefined value", "OpCopyMemory %local %local2\n%r = OpLoad %u32 %local\n", {0},
     {0}, SAME(U)},
    {"CopyMemory races as a store does", WORD "OpCopyMemory %p %py\n%r = OpIAdd %u32 %x %u0\n",
     .refused = "E-race"},
    {"what only tells something is ignored", "%dbg = OpExtInst %void %nothing 1 %file %x\n%line = OpIAdd %u32 %x %u0\n"
     "OpLine %file 1 1\n%r = OpIAdd %u32 %line %u0\nOpNoLine\n", {5, 6}, {0}, {5, 6}, 0,
     .imports = "%nothing = OpExtInstImport \"NonSemantic.DebugPrintf\"\n",
     .names = "%file = OpString \"a\"\nOpName %r \"r\"\nOpModuleProcessed \"by hand\"\n"},
    {"an atomic on a float", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicExchange %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on what is no integer"},
    {"a float: FAdd", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFAddEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on what is no integer"},
    {"a float: FMin", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFMinEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on what is no integer"},
    {"a float: FMax", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFMaxEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on what is no integer"},
    {"ExpectKHR is its value", "%r = OpExpectKHR %u32 %x %u1\n", {5, 6}, {0}, {5, 6}},
    {"AssumeTrueKHR of what is true", "%t = OpIEqual %bool %u1 %u1\nOpAssumeTrueKHR %t\n"
     "%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}},
    {"AssumeTrueKHR of what is false", "%t = OpIEqual %bool %lane %u1\nOpAssumeTrueKHR %t\n"
     "%r = OpIAdd %u32 %x %u0\n", .refused = "E-assume"},
};

static void test_workgroup(void **state) { (void)state, CHECK_ROWS(workgroup); }
static void test_order(void **state) { (void)state, CHECK_ROWS(order); }
static void test_buffers(void **state) { (void)state, CHECK_ROWS(buffers); }
static void test_copies(void **state) { (void)state, CHECK_ROWS(copies); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workgroup),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
