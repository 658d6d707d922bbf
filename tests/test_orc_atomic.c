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
    {"so is what comes before it", "%dbg = OpExtInst %void %info 1 %x\n%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}, 0, .imports = "%info = OpExtInstImport \"NonSemantic.Clspv.9\"\n"},
    {"what OpenCL tells of its source", "%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}, .imports = "%info = OpExtInstImport \"OpenCL.DebugInfo.100\"\n", .names = "%file = OpString \"a\"\n", .globals = "%src = OpExtInst %void %info DebugSource %file\n"},
    {"what others tell", "%d = OpExtInst %void %info DebugNoScope\n%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}, .imports = "%info = OpExtInstImport \"DebugInfo\"\n"},
    {"DebugNoScope of OpenCL", "%d = OpExtInst %void %info DebugNoScope\n%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}, .imports = "%info = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"},
    {"lines before a function's parameters", "%r = OpFunctionCall %u32 %f %x %y\n", {5, 6}, {7, 8}, {12, 14}, .names = "%file = OpString \"a\"\n", .globals = "%f_type = OpTypeFunction %u32 %u32 %u32\n",
     .functions = "%f = OpFunction %u32 None %f_type\nOpLine %file 1 1\n%p = OpFunctionParameter %u32\nOpNoLine\nOpLine %file 2 1\n%q = OpFunctionParameter %u32\n%s = OpLabel\n%sum = OpIAdd %u32 %p %q\nOpReturnValue %sum\nOpFunctionEnd\n", .is_invalid = true},
    {"an atomic on a float", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicExchange %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on a type other than integer"},
    {"a float: FAdd", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFAddEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on a type other than integer"},
    {"a float: FMin", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFMinEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on a type other than integer"},
    {"a float: FMax", WORD "%fp = OpAccessChain %f_ptr %floats %u0\n%o = OpAtomicFMaxEXT %f32 %fp %u1 %u0 %f1\n"
     "%r = OpIAdd %u32 %x %u0\n", .globals = "%float_array = OpTypeArray %f32 %u8c\n"
     "%floats_ptr = OpTypePointer Workgroup %float_array\n%f_ptr = OpTypePointer Workgroup %f32\n"
     "%floats = OpVariable %floats_ptr Workgroup\n", .interface = " %floats",
     .refused = "unsupported: an atomic on a type other than integer"},
    {"ExpectKHR is its value", "%r = OpExpectKHR %u32 %x %u1\n", {5, 6}, {0}, {5, 6}},
    {"AssumeTrueKHR of what is true", "%t = OpIEqual %bool %u1 %u1\nOpAssumeTrueKHR %t\n"
     "%r = OpIAdd %u32 %x %u0\n", {5, 6}, {0}, {5, 6}},
    {"AssumeTrueKHR of what is false", "%t = OpIEqual %bool %lane %u1\nOpAssumeTrueKHR %t\n"
     "%r = OpIAdd %u32 %x %u0\n", .refused = "E-assume"},
};

// What wraps is cut to its width, there, and where it is compared and divided afterwards.
#define SHARED_OF(w) .globals = "%a" #w " = OpTypeArray %u" #w " %u8c\n%a" #w "_ptr = OpTypePointer Workgroup %a" #w "\n%c" #w "_ptr = OpTypePointer Workgroup %u" #w "\n%more = OpVariable %a" #w "_ptr Workgroup\n", .interface = " %more", .is_invalid = true
// The first of the lanes writes x there, wide enough; %n is y.
#define FIRST_OF(w) "%q = OpAccessChain %c" #w "_ptr %more %u0\n%xw = OpUConvert %u" #w " %x\n%n = OpUConvert %u" #w " %y\n%only = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\nOpBranchConditional %only %t %j\n" \
    "%t = OpLabel\nOpStore %q %xw\nOpBranch %j\n%j = OpLabel\n" BARRIER
#define LAST_OF(w) BARRIER "%l = OpLoad %u" #w " %q\n%r = OpUConvert %u32 %l\n"
static const struct row wraps[] = {
    {"IIncrement wraps to what is small", START "%o = OpAtomicIIncrement %u32 %p %u2 %u0\n" BARRIER "%l = OpLoad %u32 %p\n%c = OpULessThan %bool %l %u8c\n%r = OpSelect %u32 %c %u1 %u0\n", {0xffffffff}, {0}, SAME(1)},
    {"IDecrement to the largest", START "%o = OpAtomicIDecrement %u32 %p %u2 %u0\n" BARRIER "%l = OpLoad %u32 %p\n%c = OpIEqual %bool %l %eight_less\n%r = OpSelect %u32 %c %u1 %u0\n", {0}, {0}, SAME(1), .globals = "%eight_less = OpConstant %u32 0xfffffff8\n"},
    {"IAdd, divided", START "%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n" BARRIER "%l = OpLoad %u32 %p\n%r = OpUDiv %u32 %l %u2\n", {0xffffffff}, SAME(1), SAME(3)},
    {"SMin by one", START "%o = OpAtomicSMin %u32 %p %u2 %u0 %y\n" END, {4}, SAME(5), SAME(4)},
    {"SMin of one less", START "%o = OpAtomicSMin %u32 %p %u2 %u0 %y\n" END, {5}, {9, 9, 9, 4, 9, 9, 9, 9}, SAME(4)},
    {"SMax by one", START "%o = OpAtomicSMax %u32 %p %u2 %u0 %y\n" END, {5}, SAME(4), SAME(5)},
    {"SMax of one more", START "%o = OpAtomicSMax %u32 %p %u2 %u0 %y\n" END, {4}, {1, 1, 1, 5, 1, 1, 1, 1}, SAME(5)},
    {"SMax below zero", START "%o = OpAtomicSMax %u32 %p %u2 %u0 %y\n" END, {0xfffffffe}, SAME(0xfffffffd), SAME(0xfffffffe)},
    {"UMin by one", START "%o = OpAtomicUMin %u32 %p %u2 %u0 %y\n" END, {4}, SAME(5), SAME(4)},
    {"UMax by one", START "%o = OpAtomicUMax %u32 %p %u2 %u0 %y\n" END, {5}, SAME(4), SAME(5)},
    {"SMin of 64 bits", FIRST_OF(64) "%o = OpAtomicSMin %u64 %q %u2 %u0 %n\n" LAST_OF(64), {5}, {9, 9, 9, 4, 9, 9, 9, 9}, SAME(4), SHARED_OF(64)},
    {"UMin of 64 bits, the high words", "%n = OpUConvert %u64 %y\n%k = OpShiftLeftLogical %u64 %n %u16c\n%m = OpShiftLeftLogical %u64 %k %u16c\n%q = OpAccessChain %c64_ptr %more %u0\n%only = OpIEqual %bool %lane %u0\nOpSelectionMerge %j None\nOpBranchConditional %only %t %j\n"
     "%t = OpLabel\nOpStore %q %m\nOpBranch %j\n%j = OpLabel\n" BARRIER "%o = OpAtomicUMin %u64 %q %u2 %u0 %m\n" BARRIER "%l = OpLoad %u64 %q\n%v = OpBitcast %uvec2 %l\n%r = OpCompositeExtract %u32 %v 1\n", {0}, {9, 9, 9, 4, 9, 9, 9, 9}, SAME(4), SHARED_OF(64)},
    {"an index that is the length", "%p = OpAccessChain %shared_word_ptr %shared %lane8\n%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-bounds"},
    {"an index that is the length in all lanes", "%i = OpIAdd %u32 %x %u8c\n%p = OpAccessChain %shared_word_ptr %shared %i\n%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-bounds"},
    {"the last one", "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %x\n%o = OpAtomicIAdd %u32 %own %u2 %u0 %y\n%r = OpLoad %u32 %own\n", {1, 2, 3, 4, 5, 6, 7, 8}, SAME(10), {11, 12, 13, 14, 15, 16, 17, 18}},
    {"of some lanes", START "%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n" "%r = OpIAdd %u32 %x %u0\n", {100, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {100, 2, 3, 4}},
};

#define MORE_2 .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .checks_more = true
#define MORE_AT(i) "%q = OpAccessChain %word_ptr %more %u0 " i "\n"
#define LANE_0(body) "%c0 = OpIEqual %bool %lane %u0\nOpSelectionMerge %j0 None\nOpBranchConditional %c0 %t0 %j0\n%t0 = OpLabel\n" body "OpBranch %j0\n%j0 = OpLabel\n"
#define LANE_1(body) "%c1 = OpIEqual %bool %lane %u1\nOpSelectionMerge %j1 None\nOpBranchConditional %c1 %t1 %j1\n%t1 = OpLabel\n" body "OpBranch %j1\n%j1 = OpLabel\n"
#define OR_AND_ADD "%oa = OpAtomicOr %u32 %q %u1 %u0 %u1\n%ob = OpAtomicIAdd %u32 %q %u1 %u0 %u2\n"
static const struct row words[] = {
    {"each lane its word", MORE_AT("%lane") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", {1}, {1, 2, 3, 4, 5, 6, 7, 8}, {1}, MORE_2, .more = {10, 10, 10, 10, 10, 10, 10, 10, 5}, .more_count = 9, .after = {11, 12, 13, 14, 15, 16, 17, 18, 5}},
    {"the last word", MORE_AT("%lane") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", {1}, SAME(1), {1}, MORE_2, .more = {1, 2, 3, 4, 5, 6, 7, 8}, .more_count = 8, .after = {2, 3, 4, 5, 6, 7, 8, 9}},
    {"one behind it", MORE_AT("%lane") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", MORE_2, .more_count = 7, .refused = "invocation 7"},
    {"two kinds of one lane, and another only looks", MORE_AT("%u0") LANE_0(OR_AND_ADD) LANE_1("%oc = OpAtomicLoad %u32 %q %u1 %u0\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {0}, {1}, MORE_2, .more = {4}, .more_count = 1, .after = {7}},
    {"in the workgroup's scope", MORE_AT("%u0") LANE_0("%oa = OpAtomicOr %u32 %q %u2 %u0 %u1\n%ob = OpAtomicIAdd %u32 %q %u2 %u0 %u2\n") LANE_1("%oc = OpAtomicLoad %u32 %q %u2 %u0\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {0}, {1}, MORE_2, .more = {4}, .more_count = 1, .after = {7}},
    {"in Workgroup memory", START LANE_0("%oa = OpAtomicOr %u32 %p %u2 %u0 %u1\n%ob = OpAtomicIAdd %u32 %p %u2 %u0 %u2\n") LANE_1("%oc = OpAtomicLoad %u32 %p %u2 %u0\n") END, {4}, {0}, SAME(7)},
    {"another exchanges", MORE_AT("%u0") LANE_0(OR_AND_ADD) LANE_1("%oc = OpAtomicExchange %u32 %q %u1 %u0 %u5\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {0}, {1}, MORE_2, .more = {4}, .more_count = 1, .after = {U}},
    {"a store by one, atomic", MORE_AT("%u0") LANE_0("OpAtomicStore %q %u1 %u0 %y\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {9}, {1}, MORE_2, .more = {4, 3}, .more_count = 2, .after = {9, 3}},
    {"of what is not defined", MORE_AT("%u0") "%s = OpUDiv %u32 %u1 %u0\n" LANE_0("OpAtomicStore %q %u1 %u0 %s\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {9}, {1}, MORE_2, .more = {4, 3}, .more_count = 2, .after = {U, 3}},
    {"and a number afterwards", MORE_AT("%u0") "%s = OpUDiv %u32 %u1 %u0\n" LANE_0("OpAtomicStore %q %u1 %u0 %s\nOpAtomicStore %q %u1 %u0 %u5\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {9}, {1}, MORE_2, .more = {4, 3}, .more_count = 2, .after = {5, 3}},
    {"CompareExchange by one", MORE_AT("%u0") LANE_0("%o = OpAtomicCompareExchange %u32 %q %u1 %u0 %u0 %u8c %u4\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {9}, {1}, MORE_2, .more = {4, 3}, .more_count = 2, .after = {8, 3}},
    {"that does not compare", MORE_AT("%u0") LANE_0("%o = OpAtomicCompareExchange %u32 %q %u1 %u0 %u0 %u8c %u3\n") "%r = OpIAdd %u32 %x %u0\n", {1}, {9}, {1}, MORE_2, .more = {4, 3}, .more_count = 2, .after = {4, 3}},
    {"a word at byte 6", "%q = OpAccessChain %word_ptr %more %u0\n%o = OpAtomicIAdd %u32 %q %u1 %u0 %u1\n%r = OpIAdd %u32 %x %u0\n", .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %odd Block\nOpMemberDecorate %odd 0 Offset 6\n",
     .globals = "%odd = OpTypeStruct %u32\n%odd_ptr = OpTypePointer StorageBuffer %odd\n%more = OpVariable %odd_ptr StorageBuffer\n", .interface = " %more", .more_count = 4, .refused = "E-align: the address is not aligned", .is_invalid = true},
    // The first failure is the one that is told.
    {"out of bounds, then an assumption", MORE_AT("%lane8") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %u1\n%c = OpIEqual %bool %lane %u8c\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %x %u0\n", MORE_2, .more_count = 4, .refused = "E-bounds"},
    {"the length of Workgroup memory, then an assumption", "%p = OpAccessChain %shared_word_ptr %shared %lane8\n%o = OpAtomicIAdd %u32 %p %u2 %u0 %y\n%c = OpIEqual %bool %lane %u8c\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-bounds"},
    {"a race, then an assumption", MORE_AT("%u0") LANE_0("OpStore %q %u5\n") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %u1\n%c = OpIEqual %bool %lane %u0\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %x %u0\n", MORE_2, .more_count = 4, .refused = "E-race"},
    {"a race in Workgroup memory, then an assumption", AT0 LANE_0("OpStore %p %u5\n") "%o = OpAtomicIAdd %u32 %p %u2 %u0 %u1\n%c = OpIEqual %bool %lane %u0\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-race"},
    {"no address, then an assumption", "%s = OpUDiv %u32 %x %u0\n" MORE_AT("%s") "%o = OpAtomicIAdd %u32 %q %u1 %u0 %u1\n%c = OpIEqual %bool %lane %u8c\nOpAssumeTrueKHR %c\n%r = OpIAdd %u32 %x %u0\n", MORE_2, .more_count = 4, .refused = "E-pointer"},
};

// ---- in one order ------------------------------------------------------------------------------------

// Results are what was there: forwards, backwards, and in orders that are drawn, which differ; all lanes have their turn.
static void test_orders(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (int in_buffer = 0; in_buffer < 2; in_buffer++)
        for (int exchanges = 0; exchanges < 2; exchanges++) {
            struct arena a = {0};
            struct spv_case c;
            char code[900];
            uint32_t was_first = 0, differ = 0, last[LANES] = {0};
            snprintf(code, sizeof code, "%s%%r = OpAtomic%s %%u32 %%p %s %%u0 %s\n", in_buffer ? "%p = OpAccessChain %word_ptr %more %u0 %u0\n" : START, exchanges ? "Exchange" : "IAdd", in_buffer ? "%u1" : "%u2", exchanges ? "%y" : "%u1");
            struct row row = {"orders", code, {10}, {100, 101, 102, 103, 104, 105, 106, 107}, .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more = {10}, .more_count = 1};
            row_case(tools, &a, &row, &c);
            for (uint32_t turn = 1; turn < 60; turn++) {
                struct orc_result r;
                uint32_t seen = 0, place[LANES];
                orc_predict(&a, &c, 0, &(struct orc_options){.order = turn}, &r);
                assert_int_equal(r.why.status, RAN_OK);
                for (uint32_t l = 0; l < LANES; l++) {
                    const uint32_t v = r.memory[1].words[l];
                    assert_true(!r.memory[1].mask || r.memory[1].mask[l] == UINT32_MAX);
                    place[l] = exchanges ? v - 100 : v - 10;
                    assert_true(v == 10 || (v >= (exchanges ? 100u : 10u) && v < (exchanges ? 108u : 18u)));
                    seen |= v == 10 ? 1u << 31 : 1u << place[l];
                    was_first |= v == 10 ? 1u << l : 0;
                    if (!exchanges && turn < 3)
                        assert_int_equal(place[l], turn == 1 ? l : LANES - 1 - l);
                }
                const uint32_t left = in_buffer ? r.memory[2].words[0] : 0;
                assert_int_equal(seen & 0xff, exchanges ? 0xff & ~(in_buffer ? 1u << (left - 100) : seen ^ 0xff) : 0xfe); // all others had a turn
                assert_int_equal(__builtin_popcount(seen), LANES);
                if (in_buffer)
                    assert_true((!r.memory[2].mask || r.memory[2].mask[0] == UINT32_MAX) && (exchanges ? left >= 100 && left < 108 : left == 18));
                differ += turn > 3 && memcmp(last, place, sizeof place) != 0;
                memcpy(last, place, sizeof place);
            }
            assert_true(differ > 50);
            assert_int_equal(was_first, 0xff);
            arena_free(&a);
        }
    spv_tools_free(tools);
}

// A word that was never written, and what comes of it: nothing in any lane. What the others bring changes that.
static void test_order_of_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        lane_mask defined;
    } table[] = {
        {AT0 "%r = OpAtomicIAdd %u32 %p %u2 %u0 %u1\n", 0},
        {AT0 "%r = OpAtomicExchange %u32 %p %u2 %u0 %u1\n", 0xfe}, // the first finds nothing
        {AT0 "%r = OpAtomicLoad %u32 %p %u2 %u0\n", 0},
        {START "%s = OpShiftLeftLogical %u32 %u1 %y\n%r = OpAtomicIAdd %u32 %p %u2 %u0 %s\n", 0x07}, // from lane 2 on it is lost
        {START "%s = OpShiftLeftLogical %u32 %u1 %y\n%r = OpAtomicExchange %u32 %p %u2 %u0 %s\n", 0xf7}, // lane 3 finds it
        {START "%s = OpShiftLeftLogical %u32 %u1 %y\n%r = OpAtomicCompareExchange %u32 %p %u2 %u0 %u0 %u5 %s\n", 0x07},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r;
        const struct row row = {"nothing", table[k].code, {10}, {0, 0, 32, 0, 0, 0, 0, 0}};
        row_case(tools, &a, &row, &c);
        orc_predict(&a, &c, 0, &(struct orc_options){.order = 1}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        for (uint32_t l = 0; l < LANES; l++)
            if ((!r.memory[1].mask || r.memory[1].mask[l] == UINT32_MAX) != lane_in(table[k].defined, l))
                fail_msg("%s, lane %u: mask 0x%x", table[k].code, l, r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

static void test_wraps(void **state) { (void)state, CHECK_ROWS(wraps); }
static void test_words(void **state) { (void)state, CHECK_ROWS(words); }
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
        cmocka_unit_test(test_copies), cmocka_unit_test(test_wraps), cmocka_unit_test(test_words),
        cmocka_unit_test(test_orders), cmocka_unit_test(test_order_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
