// SPDX-License-Identifier: Apache-2.0
//
// What the loader reads of a module beside its arithmetic: memory operands and scopes of the Vulkan memory model, addresses,
// arrays of buffers, floats in atomics, and what it refuses of them. Values and refusals are worked out by hand from the
// SPIR-V specification; `is_invalid` rows say what spirv-val would not let pass, or what it knows nothing of.
#include "test_orc_text.h"

#define SAME(v) {v, v, v, v, v, v, v, v}
#define ONE_TO_EIGHT {1, 2, 3, 4, 5, 6, 7, 8}
#define SWAPPED {2, 1, 4, 3, 6, 5, 8, 7}
#define THEN(cond, body) "OpSelectionMerge %j None\nOpBranchConditional " cond " %t %j\n%t = OpLabel\n" body "OpBranch %j\n%j = OpLabel\n"

// ---- memory operands --------------------------------------------------------------------------------------

// Each lane's own word of Workgroup memory, a barrier that releases and acquires it, the word of lane ^ 1.
#define VULKAN .capabilities = "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\n", .model = "OpMemoryModel Logical Vulkan\n", .is_invalid = true
#define PLACES "%own = OpAccessChain %shared_word_ptr %shared %lane\n%o = OpBitwiseXor %u32 %lane %u1\n%far = OpAccessChain %shared_word_ptr %shared %o\n"
#define MEET "OpControlBarrier %u2 %u2 %u264\n"
#define SWAP(stores, loads) PLACES "OpStore %own %x" stores "\n" MEET "%r = OpLoad %u32 %far" loads "\n", .a = ONE_TO_EIGHT, VULKAN
#define AVAILABLE " MakePointerAvailable|NonPrivatePointer %u2"
#define VISIBLE " MakePointerVisible|NonPrivatePointer %u2"
#define GOOD .r = SWAPPED
#define RACE .refused = "E-race"
static const struct row operands[] = {
    {"available and visible by the accesses", SWAP(AVAILABLE, VISIBLE), GOOD},
    {"behind the number that Aligned has", SWAP(" Aligned|MakePointerAvailable|NonPrivatePointer 4 %u2", " Aligned|MakePointerVisible|NonPrivatePointer 4 %u2"), GOOD},
    {"both in both", SWAP(" MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u2 %u4", " MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u4 %u2"), GOOD},
    {"both the other way round: each is of itself alone", SWAP(" MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u4 %u2", VISIBLE), RACE},
    {"the same of the load", SWAP(AVAILABLE, " MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u2 %u4"), RACE},
    {"Volatile and Nontemporal beside it", SWAP(" Volatile|MakePointerAvailable|NonPrivatePointer %u2", " Nontemporal|MakePointerVisible|NonPrivatePointer %u2"), GOOD},
    {"to the subgroup, which all are of", SWAP(" MakePointerAvailable|NonPrivatePointer %u3", " MakePointerVisible|NonPrivatePointer %u3"), GOOD},
    {"to the device", SWAP(" MakePointerAvailable|NonPrivatePointer %u1", " MakePointerVisible|NonPrivatePointer %u1"), GOOD},
    {"to all devices", SWAP(" MakePointerAvailable|NonPrivatePointer %u0", " MakePointerVisible|NonPrivatePointer %u0"), GOOD},
    {"to the queue family", SWAP(" MakePointerAvailable|NonPrivatePointer %u5", " MakePointerVisible|NonPrivatePointer %u5"), GOOD},
    {"available to nobody else", SWAP(" MakePointerAvailable|NonPrivatePointer %u4", VISIBLE), RACE},
    {"visible to nobody else", SWAP(AVAILABLE, " MakePointerVisible|NonPrivatePointer %u4"), RACE},
    {"a private store", SWAP(" MakePointerAvailable %u2", VISIBLE), RACE},
    {"a private load", SWAP(AVAILABLE, " MakePointerVisible %u2"), RACE},
    {"not made available", SWAP(" NonPrivatePointer", VISIBLE), RACE},
    {"not made visible", SWAP(AVAILABLE, " NonPrivatePointer"), RACE},
    {"a store without operands", SWAP("", VISIBLE), RACE},
    {"a load without operands", SWAP(AVAILABLE, ""), RACE},
    {"a store with the operand None", SWAP(" None", VISIBLE), RACE},
    {"a store that is Aligned alone", SWAP(" Aligned 4", VISIBLE), RACE},
    {"what is not private without the other model says nothing", PLACES "OpStore %own %x None\n" MEET "%r = OpLoad %u32 %far None\n", .a = ONE_TO_EIGHT, GOOD},
    {"a scope that is not known", PLACES "OpStore %own %x MakePointerAvailable|NonPrivatePointer %x\n%r = OpIAdd %u32 %x %y\n", VULKAN,
     .refused = "unsupported: a memory operand whose scope is not a constant"},
    {"a scope that is missing", PLACES "OpStore %own %x !40\n%r = OpIAdd %u32 %x %y\n", VULKAN, .refused = "unsupported: a memory operand whose scope is not a constant"},
    {"a scope that is missing behind one", PLACES "OpStore %own %x !56 %u2\n%r = OpIAdd %u32 %x %y\n", VULKAN,
     .refused = "unsupported: a memory operand whose scope is not a constant"},
    {"the second scope is not known", PLACES "OpStore %own %x MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u2 %x\n%r = OpIAdd %u32 %x %y\n", VULKAN,
     .refused = "unsupported: a memory operand whose scope is not a constant"},
};

// OpCopyMemory: of two lists of operands the first is the target's, the second the source's; one is of both.
#define INTO(lists) PLACES "OpStore %own %x" AVAILABLE "\n" MEET "OpCopyMemory %local %far" lists "\n%r = OpLoad %u32 %local\n", .a = ONE_TO_EIGHT, VULKAN
#define OUT_OF(lists) PLACES "OpStore %local %x\nOpCopyMemory %own %local" lists "\n" MEET "%r = OpLoad %u32 %far" VISIBLE "\n", .a = ONE_TO_EIGHT, VULKAN
static const struct row copies[] = {
    {"the source's operands behind None", INTO(" None" VISIBLE), GOOD},
    {"the source's operands behind Nontemporal", INTO(" Nontemporal" VISIBLE), GOOD},
    {"the source's operands behind Aligned", INTO(" Aligned 4" VISIBLE), GOOD},
    {"the source's operands behind a scope", INTO(AVAILABLE VISIBLE), GOOD},
    {"the source's operands behind another scope", INTO(VISIBLE VISIBLE), GOOD},
    {"the source's operands behind all of them", INTO(" Aligned|MakePointerAvailable|MakePointerVisible|NonPrivatePointer 4 %u4 %u4" VISIBLE), GOOD},
    {"the source's operands behind Aligned and a scope", INTO(" Aligned|MakePointerAvailable|NonPrivatePointer 4 %u4" VISIBLE), GOOD},
    {"the source's operands, with Aligned, behind NonPrivatePointer", INTO(" NonPrivatePointer Aligned|MakePointerVisible|NonPrivatePointer 4 %u2"), GOOD},
    {"the target's operands are not the source's", INTO(VISIBLE " None"), RACE},
    {"nor are these", INTO(VISIBLE " NonPrivatePointer"), RACE},
    {"one list is of the source too", INTO(VISIBLE), GOOD},
    {"one list with Aligned", INTO(" Aligned|MakePointerVisible|NonPrivatePointer 4 %u2"), GOOD},
    {"no list", INTO(""), RACE},
    {"the target's operands before None", OUT_OF(AVAILABLE " None"), GOOD},
    {"the target's operands before others", OUT_OF(" Aligned|MakePointerAvailable|NonPrivatePointer 4 %u2 Aligned 4"), GOOD},
    {"the source's operands are not the target's", OUT_OF(" None" AVAILABLE), RACE},
    {"one list is of the target too", OUT_OF(AVAILABLE), GOOD},
    {"a copy without a list", OUT_OF(""), RACE},
    {"a vector", "%v = OpCompositeConstruct %uvec2 %x %y\nOpStore %va %v\nOpCopyMemory %vb %va\n%w = OpLoad %uvec2 %vb\n%a = OpCompositeExtract %u32 %w 0\n%b = OpCompositeExtract %u32 %w 1\n"
     "%c = OpShiftLeftLogical %u32 %b %u8c\n%r = OpBitwiseOr %u32 %a %c\n", ONE_TO_EIGHT, SWAPPED, {0x201, 0x102, 0x403, 0x304, 0x605, 0x506, 0x807, 0x708},
     .globals = "%vp = OpTypePointer Private %uvec2\n%va = OpVariable %vp Private\n%vb = OpVariable %vp Private\n", .interface = " %va %vb"},
};

static void test_operands(void **state)
{
    (void)state;
    CHECK_ROWS(operands);
    CHECK_ROWS(copies);
}

// ---- barriers and fences ------------------------------------------------------------------------------------

#define BARRIER(operands) PLACES "OpStore %own %x\n" operands "%r = OpLoad %u32 %far\n", .a = ONE_TO_EIGHT
#define SEMANTICS "%s_sc = OpConstant %u32 272\n%s_ar = OpConstant %u32 264\n%s_r = OpConstant %u32 260\n%s_a = OpConstant %u32 258\n%s_buffers = OpConstant %u32 72\n%s_all = OpConstant %u32 2376\n"
static const struct row barriers[] = {
    {"AcquireRelease", BARRIER("OpControlBarrier %u2 %u2 %s_ar\n"), GOOD, .globals = SEMANTICS},
    {"SequentiallyConsistent is both", BARRIER("OpControlBarrier %u2 %u2 %s_sc\n"), GOOD, .globals = SEMANTICS},
    {"of more than Workgroup memory", BARRIER("OpControlBarrier %u2 %u2 %s_all\n"), GOOD, .globals = SEMANTICS},
    {"Release alone", BARRIER("OpControlBarrier %u2 %u2 %s_r\n"), RACE, .globals = SEMANTICS},
    {"Acquire alone", BARRIER("OpControlBarrier %u2 %u2 %s_a\n"), RACE, .globals = SEMANTICS},
    {"a fence that releases, a barrier that acquires", BARRIER("OpMemoryBarrier %u2 %s_r\nOpControlBarrier %u2 %u2 %s_a\n"), GOOD, .globals = SEMANTICS},
    {"the other way round", BARRIER("OpMemoryBarrier %u2 %s_a\nOpControlBarrier %u2 %u2 %s_r\n"), RACE, .globals = SEMANTICS},
    {"a fence that does both, then one more behind", BARRIER("OpMemoryBarrier %u2 %s_sc\nOpControlBarrier %u2 %u2 %u0\nOpMemoryBarrier %u2 %s_sc\n"), GOOD, .globals = SEMANTICS},
    {"of buffers", BARRIER("OpControlBarrier %u2 %u2 %s_buffers\n"), RACE, .globals = SEMANTICS},
    {"no semantics", BARRIER("OpControlBarrier %u2 %u2 %u0\n"), RACE},
    {"of the subgroup", BARRIER("OpControlBarrier %u3 %u3 %s_ar\n"), GOOD, .globals = SEMANTICS},
    {"executed by the subgroup, memory of the workgroup", BARRIER("OpControlBarrier %u3 %u2 %s_ar\n"), GOOD, .globals = SEMANTICS},
    {"memory of the device", BARRIER("OpControlBarrier %u2 %u1 %s_ar\n"), GOOD, .globals = SEMANTICS},
    {"memory of the queue family", BARRIER("OpControlBarrier %u2 %u5 %s_ar\n"), GOOD, .globals = SEMANTICS, .is_invalid = true},
    {"memory of all devices", BARRIER("OpControlBarrier %u2 %u0 %s_ar\n"), GOOD, .globals = SEMANTICS},
    {"memory of the invocation alone", BARRIER("OpControlBarrier %u2 %u4 %s_ar\n"), RACE, .globals = SEMANTICS},
    {"a fence alone, executed together or not", BARRIER("OpMemoryBarrier %u2 %s_ar\n"), RACE, .globals = SEMANTICS},
};

static void test_barriers(void **state)
{
    (void)state;
    CHECK_ROWS(barriers);
}

// What the oracle does not look at might order these (E-race is said with a doubt): what is not Coherent, fences and
// barriers of a subgroup, atomics that acquire or release.
static void test_doubt(void **state)
{
    (void)state;
    static const struct {
        bool doubt;
        struct row row;
    } rows[] = {
        {false, {"nothing there", PLACES "OpStore %own %x\n%r = OpLoad %u32 %far\n"}},
        {false, {"a barrier of the workgroup", PLACES "OpStore %own %x\nOpControlBarrier %u2 %u2 %u0\n%r = OpLoad %u32 %far\n"}},
        {false, {"a fence, which nobody waits for", PLACES "OpStore %own %x\nOpMemoryBarrier %u2 %u264\n%r = OpLoad %u32 %far\n"}},
        {false, {"what a fence has released, and nobody acquires", PLACES "OpStore %own %x\nOpMemoryBarrier %u2 %u264\nOpControlBarrier %u2 %u2 %u0\n%r = OpLoad %u32 %far\n"}},
        {true, {"what a barrier holds back, where there are fences", PLACES "OpStore %own %x\nOpControlBarrier %u2 %u2 %u0\nOpMemoryBarrier %u2 %u264\n%r = OpLoad %u32 %far\n"}},
        {false, {"a word that all load of what nobody writes", PLACES "%p = OpAccessChain %word_ptr %in %u0 %u1\nOpStore %own %x\nOpMemoryBarrier %u2 %u264\n%w = OpLoad %u32 %p\nOpControlBarrier %u2 %u2 %u0\n%r = OpLoad %u32 %far\n"}},
        {true, {"a word of what somebody writes", PLACES "%p = OpAccessChain %word_ptr %out %u0 %u1\nOpStore %own %x\nOpMemoryBarrier %u2 %u264\n%w = OpLoad %u32 %p\nOpControlBarrier %u2 %u2 %u0\n%r = OpLoad %u32 %far\n"}},
        {true, {"where there were fences", PLACES "OpMemoryBarrier %u2 %u264\nOpStore %own %x\nOpControlBarrier %u2 %u2 %u0\n%r = OpLoad %u32 %far\n"}},
        {true, {"where there are barriers of a subgroup", PLACES "OpStore %own %x\nOpControlBarrier %u3 %u3 %u0\n%r = OpLoad %u32 %far\n"}},
        {false, {"a relaxed atomic", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u0 %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"one that acquires", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u2 %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"one that releases", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u4 %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"one that does both", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u8c %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"SequentiallyConsistent", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u16c %u1\n%r = OpLoad %u32 %far\n"}},
        {false, {"Relaxed, of buffers", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u64c %u1\n%r = OpLoad %u32 %far\n", .globals = "%u64c = OpConstant %u32 64\n"}},
        {true, {"AcquireRelease, of buffers", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u72 %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"an exchange whose second semantics acquire", PLACES "OpStore %own %x\n%z = OpAtomicCompareExchange %u32 %pr %u1 %u0 %u2 %u1 %u5\n%r = OpLoad %u32 %far\n", .is_invalid = true}},
        {false, {"an exchange whose value is 2", PLACES "OpStore %own %x\n%z = OpAtomicCompareExchange %u32 %pr %u1 %u0 %u0 %u2 %u5\n%r = OpLoad %u32 %far\n"}},
        {false, {"a value of 2 that is added", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u0 %u2\n%r = OpLoad %u32 %far\n"}},
        {true, {"semantics that are not known", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %x %u1\n%r = OpLoad %u32 %far\n", .is_invalid = true}},
        {true, {"the first of two", PLACES "OpStore %own %x\n%z = OpAtomicIAdd %u32 %pr %u1 %u2 %u1\n%w = OpAtomicIAdd %u32 %pr %u1 %u0 %u1\n%r = OpLoad %u32 %far\n"}},
        {true, {"a buffer that is not Coherent", "%l = OpBitwiseXor %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %lane\n%q = OpAccessChain %word_ptr %more %u0 %l\nOpStore %p %x\n%r = OpLoad %u32 %q\n",
                .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8}},
        {false, {"one that is", "%l = OpBitwiseXor %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %lane\n%q = OpAccessChain %word_ptr %more %u0 %l\nOpStore %p %x\n%r = OpLoad %u32 %q\n",
                 .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8}},
        {true, {"a member that is NonWritable", "%l = OpBitwiseXor %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %lane\n%q = OpAccessChain %word_ptr %more %u0 %l\nOpStore %p %x\n%r = OpLoad %u32 %q\n",
                .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpMemberDecorate %block 0 Restrict\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8, .is_invalid = true}},
        {false, {"a member that is", "%l = OpBitwiseXor %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %lane\n%q = OpAccessChain %word_ptr %more %u0 %l\nOpStore %p %x\n%r = OpLoad %u32 %q\n",
                 .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpMemberDecorate %block 0 Coherent\n", .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 8}},
    };
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r;
        row_case(tools, &a, &rows[k].row, &c);
        orc_predict(&a, &c, 0, NULL, &r);
        if (strcmp(r.why.rule, "E-race") != 0 || r.doubt_order != rows[k].doubt) {
            print_error("%s: %s, %s\n", rows[k].row.name, r.why.text, r.doubt_order ? "in doubt" : "sure");
            wrong++;
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// ---- addresses ------------------------------------------------------------------------------------------------

// Two blocks of four words at 1 << 40 and (1 << 40) + (1 << 26); %base is the first one's address, by lane %at of either.
#define PHYSICAL .capabilities = "OpCapability PhysicalStorageBufferAddresses\n", .model = "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n", .is_invalid = true
#define BLOCKS PHYSICAL, .annotations = "OpDecorate %address_words ArrayStride 4\nOpDecorate %address_word ArrayStride 4\nOpMemberDecorate %address_block 0 Offset 0\nOpDecorate %address_block Block\n", \
    .globals = "%base = OpConstant %u64 1099511627776\n%step = OpConstant %u64 67108864\n%l4 = OpConstant %u64 4\n%i_minus = OpConstant %i32 -1\n%address_words = OpTypeRuntimeArray %u32\n%address_block = OpTypeStruct %address_words\n" \
    "%address = OpTypePointer PhysicalStorageBuffer %address_block\n%address_word = OpTypePointer PhysicalStorageBuffer %u32\n%ulong2 = OpTypeVector %u64 2\n%plain_word = OpTypePointer PhysicalStorageBuffer %u32\n%address_long = OpTypePointer PhysicalStorageBuffer %u64\n" \
    "%half_ptr = OpTypePointer PhysicalStorageBuffer %u16\n%other_ptr = OpTypePointer Function %u64\n%kind = OpTypePointer StorageBuffer %u32\n", \
    .more = {1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14}, .more_count = 8, .more_elements = 2, .more_addressed = true
#define FIRST "%p = OpConvertUToPtr %address %base\n"
// The lane for which `a` is `b` adds 1 to the word, the others 4 to the first two words as one number.
#define LONG_AND(word, none, a, b) FIRST "%u7 = OpIAdd %u32 %u3 %u4\n%q = OpAccessChain %address_word %p " none " " word "\n%long = OpConvertUToPtr %address_long %base\n%c = OpIEqual %bool " a " " b "\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n" \
    "%t = OpLabel\n%o = OpAtomicIAdd %u32 %q %u1 %u0 %u1\nOpBranch %j\n%e = OpLabel\n%o2 = OpAtomicIAdd %u64 %long %u1 %u0 %l4\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n"
static const struct row addresses[] = {
    {"a word of the first block", FIRST "%i = OpBitwiseAnd %u32 %lane %u3\n%q = OpAccessChain %address_word %p %u0 %i\n%r = OpLoad %u32 %q Aligned 4\n", .r = {1, 2, 3, 4, 1, 2, 3, 4}, BLOCKS},
    {"blocks that differ: an address is of its own lane", "%b = OpShiftRightLogical %u32 %lane %u2\n%bl = OpUConvert %u64 %b\n%m = OpIMul %u64 %bl %step\n%n = OpIAdd %u64 %base %m\n%p = OpConvertUToPtr %address %n\n"
     "%i = OpBitwiseAnd %u32 %lane %u3\n%q = OpAccessChain %address_word %p %u0 %i\n%r = OpLoad %u32 %q Aligned 4\n", .r = {1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14}, BLOCKS},
    {"OpPtrAccessChain counts in ArrayStride, back as well", FIRST "%q = OpAccessChain %address_word %p %u0 %u3\n%i = OpBitwiseAnd %u32 %lane %u3\n%s = OpBitcast %i32 %i\n%n = OpSNegate %i32 %s\n%back = OpIAdd %u32 %i %u0\n"
     "%w = OpPtrAccessChain %address_word %q %u0\n%r = OpLoad %u32 %w Aligned 4\n", .r = SAME(4), BLOCKS},
    {"OpPtrAccessChain by the lane", FIRST "%q = OpAccessChain %address_word %p %u0 %u0\n%i = OpBitwiseAnd %u32 %lane %u3\n%w = OpPtrAccessChain %address_word %q %i\n%r = OpLoad %u32 %w Aligned 4\n", .r = {1, 2, 3, 4, 1, 2, 3, 4}, BLOCKS},
    {"OpPtrAccessChain into a part of an element", "%p = OpConvertUToPtr %address_two %base\n%q = OpPtrAccessChain %address_word %p %u1 %u1\n%r = OpLoad %u32 %q Aligned 4\n", .r = SAME(4), PHYSICAL,
     .annotations = "OpDecorate %address_two ArrayStride 8\nOpDecorate %two_words ArrayStride 4\nOpDecorate %address_word ArrayStride 4\n",
     .globals = "%base = OpConstant %u64 1099511627776\n%two_words = OpTypeArray %u32 %u2\n%address_two = OpTypePointer PhysicalStorageBuffer %two_words\n%address_word = OpTypePointer PhysicalStorageBuffer %u32\n", .more = {1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14},
     .more_count = 8, .more_elements = 2, .more_addressed = true},
    {"an address as a number, and back", FIRST "%n = OpConvertPtrToU %u64 %p\n%m = OpIAdd %u64 %n %l4\n%q = OpConvertUToPtr %address_word %m\n%r = OpLoad %u32 %q Aligned 4\n", .r = SAME(2), BLOCKS},
    {"an address as two words, and back", FIRST "%v = OpBitcast %uvec2 %p\n%low = OpCompositeExtract %u32 %v 0\n%high = OpCompositeExtract %u32 %v 1\n%low4 = OpIAdd %u32 %low %u4\n%w = OpCompositeConstruct %uvec2 %low4 %high\n"
     "%q = OpBitcast %address_word %w\n%r = OpLoad %u32 %q Aligned 4\n", .r = SAME(2), BLOCKS},
    {"an address that is not what Aligned says", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%r = OpLoad %u32 %q Aligned 8\n", BLOCKS, .refused = "E-align"},
    {"one that is", FIRST "%q = OpAccessChain %address_word %p %u0 %u2\n%r = OpLoad %u32 %q Aligned 8\n", .r = SAME(3), BLOCKS},
    {"a store that is not", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\nOpStore %q %x Aligned 8\n%r = OpIAdd %u32 %x %y\n", BLOCKS, .refused = "E-align"},
    {"Aligned to 32768", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%r = OpLoad %u32 %q Aligned 32768\n", BLOCKS, .refused = "E-align"},
    {"a scope is no alignment", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%r = OpLoad %u32 %q MakePointerVisible|NonPrivatePointer %u2\n", .r = SAME(2), BLOCKS},
    {"Aligned without a number", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%r = OpLoad %u32 %q !2\n", .r = SAME(2), BLOCKS},
    {"a copy that is Aligned without a number", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\nOpCopyMemory %q %px !2\n%r = OpIAdd %u32 %x %u1\n", {7}, .r = {8}, .active = 1, BLOCKS, .checks_more = true, .after = {1, 7, 3, 4, 0x11, 0x12, 0x13, 0x14}},
    {"an atomic by an address", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%o = OpAtomicIAdd %u32 %q %u1 %u0 %y\n%r = OpIAdd %u32 %x %u0\n", ONE_TO_EIGHT, ONE_TO_EIGHT, ONE_TO_EIGHT, BLOCKS,
     .checks_more = true, .after = {1, 2 + 36, 3, 4, 0x11, 0x12, 0x13, 0x14}},
    // Atomics of 32 and of 64 bits are not of the same locations, so nothing orders them.
    {"atomics of two sizes on one word", LONG_AND("%u0", "%u0", "%lane", "%u0"), BLOCKS, .refused = "E-race"},
    {"on the other half", LONG_AND("%u1", "%u0", "%lane", "%u0"), BLOCKS, .refused = "E-race"},
    {"the long one first", LONG_AND("%u1", "%u0", "%lane", "%u7"), BLOCKS, .refused = "E-race"},
    {"behind each other", LONG_AND("%u2", "%u0", "%lane", "%u0"), ONE_TO_EIGHT, {0}, ONE_TO_EIGHT, BLOCKS, .checks_more = true, .after = {1 + 7 * 4, 2, 4, 4, 0x11, 0x12, 0x13, 0x14}},
    {"of one lane", LONG_AND("%u0", "%u0", "%u0", "%lane") "%o3 = OpAtomicIAdd %u64 %long %u1 %u0 %l4\n", ONE_TO_EIGHT, {0}, {1, 0, 0, 0, 0, 0, 0, 0}, .active = 1, BLOCKS, .checks_more = true, .after = {6, 2, 3, 4, 0x11, 0x12, 0x13, 0x14}},
    {"an address as a number of 32 bits", FIRST "%n = OpConvertPtrToU %u32 %p\n%r = OpIAdd %u32 %n %x\n", BLOCKS, .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"a number of 32 bits as an address", "%p = OpConvertUToPtr %address %x\n%r = OpIAdd %u32 %x %x\n", BLOCKS, .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"an address as two numbers", FIRST "%n = OpConvertPtrToU %ulong2 %p\n%r = OpIAdd %u32 %x %x\n", BLOCKS, .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"two numbers as an address", "%two = OpCompositeConstruct %ulong2 %base %base\n%p = OpConvertUToPtr %address %two\n%r = OpIAdd %u32 %x %x\n", BLOCKS,
     .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"a pointer that is no address as a number", "%n = OpConvertPtrToU %u64 %local\n%r = OpIAdd %u32 %x %x\n", BLOCKS, .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"a number as a pointer that is no address", "%n = OpConvertUToPtr %kind %base\n%r = OpIAdd %u32 %x %x\n", BLOCKS, .refused = "unsupported: an address converted to or from a number that is not of 64 bits"},
    {"what nobody knows as an address", "%p = OpConvertUToPtr %address %f\n%r = OpIAdd %u32 %x %x\n", BLOCKS, .refused = "unsupported: operand %"},
    {"OpPtrAccessChain without an ArrayStride", FIRST "%q = OpAccessChain %plain_word %p %u0 %u1\n%w = OpPtrAccessChain %plain_word %q %u1\n%r = OpLoad %u32 %w Aligned 4\n", BLOCKS,
     .refused = "unsupported: OpPtrAccessChain on other pointers than addresses with an ArrayStride"},
    {"OpPtrAccessChain of what is no address", "%w = OpPtrAccessChain %kind %px %u0\n%r = OpLoad %u32 %w\n", BLOCKS, .refused = "unsupported: OpPtrAccessChain on other pointers than addresses with an ArrayStride"},
    {"OpPtrAccessChain by what nobody knows", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%w = OpPtrAccessChain %address_word %q %lost\n%r = OpLoad %u32 %w Aligned 4\n", PHYSICAL,
     .annotations = "OpDecorate %address_words ArrayStride 4\nOpDecorate %address_word ArrayStride 4\nOpMemberDecorate %address_block 0 Offset 0\nOpDecorate %address_block Block\n",
     .globals = "%lost = OpSpecConstantOp %u32 CompositeExtract %null2 2\n%base = OpConstant %u64 1099511627776\n%address_words = OpTypeRuntimeArray %u32\n%address_block = OpTypeStruct %address_words\n"
     "%address = OpTypePointer PhysicalStorageBuffer %address_block\n%address_word = OpTypePointer PhysicalStorageBuffer %u32\n", .more = {1, 2, 3, 4}, .more_count = 4, .more_elements = 1, .more_addressed = true,
     .refused = "unsupported: OpPtrAccessChain on other pointers than addresses with an ArrayStride"},
    {"OpPtrAccessChain by a boolean", FIRST "%q = OpAccessChain %address_word %p %u0 %u1\n%w = OpPtrAccessChain %address_word %q %true\n%r = OpLoad %u32 %w Aligned 4\n", BLOCKS,
     .refused = "unsupported: OpPtrAccessChain on other pointers than addresses with an ArrayStride"},
};

static void test_addresses(void **state)
{
    (void)state;
    CHECK_ROWS(addresses);
}

// ---- arrays of buffers (R10) ------------------------------------------------------------------------------------

// Two buffers of four words; the upper half of the lanes reads of the second one.
#define AT "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n"
#define BY_HALF "%h = OpShiftRightLogical %u32 %lane %u2\n%i = OpBitwiseAnd %u32 %lane %u3\n"
#define TWO .more = {1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14}, .more_count = 8, .more_elements = 2, .interface = " %more", .is_invalid = true
#define STORAGE TWO, .globals = "%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n"
#define UNIFORM TWO, .globals = "%ub_words = OpTypeArray %uvec4 %u1\n%ub = OpTypeStruct %ub_words\n%two_blocks = OpTypeArray %ub %u2\n%more_ptr = OpTypePointer Uniform %two_blocks\n%more = OpVariable %more_ptr Uniform\n%uword = OpTypePointer Uniform %u32\n"
#define UB "OpDecorate %ub Block\nOpMemberDecorate %ub 0 Offset 0\nOpDecorate %ub_words ArrayStride 16\n"
#define MAY_DIFFER .capabilities = "OpCapability StorageBufferArrayNonUniformIndexing\n"
#define UB_MAY_DIFFER .capabilities = "OpCapability UniformBufferArrayNonUniformIndexing\n"
#define HALVES {1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14}
#define READ(chain) BY_HALF "%p = " chain "\n%r = OpLoad %u32 %p\n"
#define F "%f_type = OpTypeFunction %u32 %word_ptr\n"
static const struct row arrays[] = {
    {"NonUniform, with the capability", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .r = HALVES, .annotations = AT "OpDecorate %p NonUniform\n", STORAGE, MAY_DIFFER},
    {"NonUniform before all other decorations", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .r = HALVES, .names = "OpDecorate %p NonUniform\n", .annotations = AT, STORAGE, MAY_DIFFER},
    {"without the capability", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT "OpDecorate %p NonUniform\n", STORAGE, .refused = "E-uniform"},
    {"with that of Uniform blocks", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT "OpDecorate %p NonUniform\n", STORAGE, UB_MAY_DIFFER, .refused = "E-uniform"},
    {"not decorated", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT, STORAGE, MAY_DIFFER, .refused = "E-uniform"},
    {"decorated at the index alone", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT "OpDecorate %h NonUniform\n", STORAGE, MAY_DIFFER, .refused = "E-uniform"},
    {"the same of an assumed model", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .r = HALVES, .annotations = AT "OpDecorate %h NonUniform\n", STORAGE, MAY_DIFFER, .assumed = true},
    {"there, without the capability", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT "OpDecorate %h NonUniform\n", STORAGE, .assumed = true, .refused = "E-uniform"},
    {"there, at another index", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .r = HALVES, .annotations = AT "OpDecorate %i NonUniform\n", STORAGE, MAY_DIFFER, .assumed = true},
    {"there, nowhere", READ("OpAccessChain %word_ptr %more %h %u0 %i"), .annotations = AT "OpDecorate %lane NonUniform\n", STORAGE, MAY_DIFFER, .assumed = true, .refused = "E-uniform"},
    {"there, at an earlier chain's index", BY_HALF "%b = OpInBoundsAccessChain %block_ptr %more %h\n%p = OpAccessChain %word_ptr %b %u0 %i\n%r = OpLoad %u32 %p\n", .r = HALVES,
     .annotations = AT "OpDecorate %h NonUniform\n", STORAGE, MAY_DIFFER, .assumed = true},
    {"there, through OpInBoundsAccessChain", BY_HALF "%b = OpAccessChain %block_ptr %more %h\n%p = OpInBoundsAccessChain %word_ptr %b %u0 %i\n%r = OpLoad %u32 %p\n", .r = HALVES,
     .annotations = AT "OpDecorate %h NonUniform\n", STORAGE, MAY_DIFFER, .assumed = true},
    {"one buffer for all", READ("OpAccessChain %word_ptr %more %u1 %u0 %i"), .r = {0x11, 0x12, 0x13, 0x14, 0x11, 0x12, 0x13, 0x14}, .annotations = AT, STORAGE},
    {"one buffer for all, by an index that is not known", "%h = OpAtomicLoad %u32 %pr %u1 %u0\n%g = OpIAdd %u32 %x %u1\n%i = OpBitwiseAnd %u32 %lane %u3\n%p = OpAccessChain %word_ptr %more %g %u0 %i\n%r = OpLoad %u32 %p\n",
     .r = {0x11, 0x12, 0x13, 0x14, 0x11, 0x12, 0x13, 0x14}, .annotations = AT, STORAGE},
    {"a parameter, of whose buffer nothing is known", BY_HALF "%p = OpAccessChain %word_ptr %more %h %u0 %i\n%r = OpFunctionCall %u32 %f %p\n", .annotations = AT "OpDecorate %p NonUniform\n", TWO, MAY_DIFFER,
     .globals = F "%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n",
     .functions = "%f = OpFunction %u32 None %f_type\n%f_p = OpFunctionParameter %word_ptr\n%f_s = OpLabel\n%f_v = OpLoad %u32 %f_p\nOpReturnValue %f_v\nOpFunctionEnd\n", .refused = "E-uniform"},
    {"a parameter that is NonUniform itself", BY_HALF "%p = OpAccessChain %word_ptr %more %h %u0 %i\n%r = OpFunctionCall %u32 %f %p\n", .r = HALVES, .annotations = AT "OpDecorate %f_p NonUniform\n", TWO, MAY_DIFFER,
     .globals = F "%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n",
     .functions = "%f = OpFunction %u32 None %f_type\n%f_p = OpFunctionParameter %word_ptr\n%f_s = OpLabel\n%f_v = OpLoad %u32 %f_p\nOpReturnValue %f_v\nOpFunctionEnd\n"},
    {"a chain from within one of them", BY_HALF "%a = OpAccessChain %words_ptr %more %u1 %u0\n%p = OpAccessChain %word_ptr %a %i\n%r = OpLoad %u32 %p\n", .r = {0x11, 0x12, 0x13, 0x14, 0x11, 0x12, 0x13, 0x14}, .annotations = AT, TWO,
     .globals = "%words_ptr = OpTypePointer StorageBuffer %words\n%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n"},
    {"a store", BY_HALF "%p = OpAccessChain %word_ptr %more %h %u0 %i\nOpStore %p %x\n%r = OpIAdd %u32 %x %u0\n", .annotations = AT, STORAGE, MAY_DIFFER, .refused = "E-uniform"},
    {"an atomic", BY_HALF "%p = OpAccessChain %word_ptr %more %h %u0 %i\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", .annotations = AT, STORAGE, MAY_DIFFER, .refused = "E-uniform"},
    {"the length", BY_HALF "%p = OpAccessChain %block_ptr %more %h\n%r = OpArrayLength %u32 %p 0\n", .annotations = AT, STORAGE, MAY_DIFFER, .refused = "E-uniform"},
    {"the length, NonUniform", BY_HALF "%p = OpAccessChain %block_ptr %more %h\n%r = OpArrayLength %u32 %p 0\n", .r = SAME(4), .annotations = AT "OpDecorate %p NonUniform\n", STORAGE, MAY_DIFFER},
    {"the length of one", "%p = OpAccessChain %block_ptr %more %u1\n%r = OpArrayLength %u32 %p 0\n", .r = SAME(4), .annotations = AT, STORAGE},
    {"Uniform blocks", READ("OpAccessChain %uword %more %h %u0 %u0 %i"), .r = HALVES, .annotations = AT UB "OpDecorate %p NonUniform\n", UNIFORM, UB_MAY_DIFFER},
    {"Uniform blocks without the capability", READ("OpAccessChain %uword %more %h %u0 %u0 %i"), .annotations = AT UB "OpDecorate %p NonUniform\n", UNIFORM, MAY_DIFFER, .refused = "E-uniform"},
    {"Uniform blocks, not decorated", READ("OpAccessChain %uword %more %h %u0 %u0 %i"), .annotations = AT UB, UNIFORM, UB_MAY_DIFFER, .refused = "E-uniform"},
    {"beyond the last buffer", "%p = OpAccessChain %word_ptr %more %u2 %u0 %u0\n%r = OpLoad %u32 %p\n", .annotations = AT, STORAGE, .refused = "E-bounds"},
    {"beyond the last word of the first", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u4\n%r = OpLoad %u32 %p\n", .annotations = AT, STORAGE, .refused = "E-bounds"},
    {"beyond the last word of the first, by so much that it would be the second's", "%p = OpAccessChain %word_ptr %more %u0 %u0 %words26\n%r = OpLoad %u32 %p\n", .annotations = AT, TWO,
     .globals = "%words26 = OpConstant %u32 16777216\n%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n", .refused = "E-bounds"},
    {"the same by an index that is not known", "%i = OpIAdd %u32 %x %words26\n%p = OpAccessChain %word_ptr %more %u0 %u0 %i\n%r = OpLoad %u32 %p\n", .annotations = AT, TWO,
     .globals = "%words26 = OpConstant %u32 16777216\n%two_blocks = OpTypeArray %block %u2\n%more_ptr = OpTypePointer StorageBuffer %two_blocks\n%more = OpVariable %more_ptr StorageBuffer\n", .refused = "E-bounds"},
};
#undef F

static void test_arrays(void **state)
{
    (void)state;
    CHECK_ROWS(arrays);
}

// ---- floats that come from elsewhere ---------------------------------------------------------------------------------

// Which NaN it is nobody knows, of floats alone; each as wide as it is.
#define HELD(members, offset1, offset2, ...) .annotations = AT "OpDecorate %held Block\nOpMemberDecorate %held 0 Offset 0\nOpMemberDecorate %held 1 Offset " #offset1 "\nOpMemberDecorate %held 2 Offset " #offset2 "\n", .interface = " %more", \
    .globals = "%held = OpTypeStruct " members "\n%held_ptr = OpTypePointer StorageBuffer %held\n%more = OpVariable %held_ptr StorageBuffer\n", .more = __VA_ARGS__, .is_invalid = true
#define NAN32 0x7fc00000u
#define ONE32 0x3f800000u
#define HELD_LOADED "%s = OpLoad %held %more\n"
#define WORD_OF(k) HELD_LOADED "%e = OpCompositeExtract %f32 %s " #k "\n%r = OpBitcast %u32 %e\n"
static const struct row quiet[] = {
    {"a NaN", WORD_OF(0), .r = SAME(U), HELD("%f32 %u32 %f32", 4, 8, {NAN32, NAN32, NAN32}), .more_count = 3},
    {"its bits as a number", HELD_LOADED "%r = OpCompositeExtract %u32 %s 1\n", .r = SAME(NAN32), HELD("%f32 %u32 %f32", 4, 8, {NAN32, NAN32, NAN32}), .more_count = 3},
    {"a NaN behind a number", WORD_OF(2), .r = SAME(U), HELD("%f32 %u32 %f32", 4, 8, {NAN32, NAN32, NAN32}), .more_count = 3},
    {"one, behind them", WORD_OF(2), .r = SAME(ONE32), HELD("%f32 %u32 %f32", 4, 8, {NAN32, NAN32, ONE32}), .more_count = 3},
    {"the third of three", WORD_OF(2), .r = SAME(U), HELD("%f32 %f32 %f32", 4, 8, {ONE32, ONE32, NAN32}), .more_count = 3},
    {"and the first of them", WORD_OF(0), .r = SAME(ONE32), HELD("%f32 %f32 %f32", 4, 8, {ONE32, NAN32, NAN32}), .more_count = 3},
    {"a double whose lower half would be a NaN", HELD_LOADED "%e = OpCompositeExtract %f64 %s 1\n%l = OpBitcast %u64 %e\n%r = OpUConvert %u32 %l\n", .r = SAME(NAN32), HELD("%f32 %f64 %u32", 8, 16, {ONE32, 0, NAN32, 0x3ff00000, 0}), .more_count = 5},
    {"a double that is one, and tells it in its upper half", HELD_LOADED "%e = OpCompositeExtract %f64 %s 1\n%l = OpBitcast %u64 %e\n%r = OpUConvert %u32 %l\n", .r = SAME(U), HELD("%f32 %f64 %u32", 8, 16, {ONE32, 0, 0, 0x7ff80000, 0}), .more_count = 5},
    {"a float behind a double", WORD_OF(1), .r = SAME(ONE32), HELD("%f64 %f32 %u32", 8, 12, {0, 0x3ff00000, ONE32, 0}), .more_count = 4},
    {"a NaN behind a double", WORD_OF(1), .r = SAME(U), HELD("%f64 %f32 %u32", 8, 12, {0, 0x3ff00000, NAN32, 0}), .more_count = 4},
    {"a vector and a number", HELD_LOADED "%v = OpCompositeExtract %vec2 %s 0\n%e = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %e\n", .r = SAME(U), HELD("%vec2 %u32 %f32", 8, 12, {ONE32, NAN32, NAN32, ONE32}), .more_count = 4},
    {"the number behind a vector", HELD_LOADED "%r = OpCompositeExtract %u32 %s 1\n", .r = SAME(NAN32), HELD("%vec2 %u32 %f32", 8, 12, {ONE32, NAN32, NAN32, ONE32}), .more_count = 4},
};

// Modf and Frexp of other than floats of 32 bits (test_orc_float.c has these). x is 2.5 and y 3.25: 2 and a half; 0.625 * 2^2, 0.8125 * 2^2.
#define OF_25 .a = SAME(0x40200000), .b = SAME(0x40500000)
#define SECOND(type) .globals = "%second_ptr = OpTypePointer Private " type "\n%second = OpVariable %second_ptr Private\n", .interface = " %second"
#define XY_FLOATS "%fv = OpCompositeConstruct %vec2 %fx %fy\n"
#define AS_BITS(of) "%r = OpBitcast %u32 " of "\n"
static const struct row halves[] = {
    {"Modf of a double", "%d = OpFConvert %f64 %fx\n%m = OpExtInst %f64 %glsl Modf %d %second\n%w = OpLoad %f64 %second\n%s = OpFAdd %f64 %w %m\n%n = OpFConvert %f32 %s\n" AS_BITS("%n"), OF_25, SAME(0x40200000), SECOND("%f64")},
    {"Frexp of a vector, the second part", XY_FLOATS "%m = OpExtInst %vec2 %glsl Frexp %fv %second\n%e = OpCompositeExtract %f32 %m 1\n" AS_BITS("%e"), OF_25, SAME(0x3f500000), SECOND("%ivec2")},
    {"Frexp of a double", "%d = OpFConvert %f64 %fx\n%m = OpExtInst %f64 %glsl Frexp %d %second\n%w = OpLoad %i32 %second\n" AS_BITS("%w"), OF_25, SAME(2), SECOND("%i32")},
#define NO_SHAPE .refused = "has operands of another shape than its result", .is_invalid = true
    {"Modf to a vector of it", XY_FLOATS "%m = OpExtInst %f32 %glsl Modf %fx %fv\n" AS_BITS("%m"), OF_25, NO_SHAPE},
    {"Modf to what is wider", "%m = OpExtInst %f32 %glsl Modf %fx %second\n" AS_BITS("%m"), OF_25, SECOND("%f64"), NO_SHAPE},
    {"Modf of a double to a double, and the part as a float", "%d = OpFConvert %f64 %fx\n%m = OpExtInst %f32 %glsl Modf %d %second\n" AS_BITS("%m"), OF_25, SECOND("%f64"), NO_SHAPE},
    {"Frexp to a number of 64 bits", "%d = OpFConvert %f64 %fx\n%m = OpExtInst %f64 %glsl Frexp %d %second\n%n = OpFConvert %f32 %m\n" AS_BITS("%n"), OF_25, SECOND("%i64"), NO_SHAPE},
};

static void test_quiet(void **state)
{
    (void)state;
    CHECK_ROWS(quiet);
    CHECK_ROWS(halves);
}

// ---- chains ---------------------------------------------------------------------------------------------------------

#define OWN(type) "%own = " type "\n%own_ptr = OpTypePointer Private %own\n%more = OpVariable %own_ptr Private\n%own_word = OpTypePointer Private %u32\n%own_float = OpTypePointer Private %f32\n%own_vec = OpTypePointer Private %vec2\n"
#define WORDS "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 4\nOpDecorate %rows ArrayStride 16\nOpDecorate %row4 ArrayStride 4\n"
#define ROWS_OF "%row4 = OpTypeArray %u32 %u4\n%rows = OpTypeArray %row4 %u2\n%s2 = OpTypeStruct %rows\n%more_ptr = OpTypePointer StorageBuffer %s2\n%rows_ptr = OpTypePointer StorageBuffer %rows\n%row_ptr = OpTypePointer StorageBuffer %row4\n%more = OpVariable %more_ptr StorageBuffer\n", \
    .interface = " %more", .more = {9, 1, 2, 3, 4, 11, 12, 13, 14}, .more_count = 9
static const struct row chains[] = {
    {"from a parameter, of which nothing is known", "%own = OpAccessChain %shared_word_ptr %shared %lane\nOpStore %own %x\n%r = OpFunctionCall %u32 %f %shared\n", .a = ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .is_invalid = true, .globals = "%ft = OpTypeFunction %u32 %shared_ptr\n",
     .functions = "%f = OpFunction %u32 None %ft\n%f_p = OpFunctionParameter %shared_ptr\n%f_s = OpLabel\n%f_l = OpLoad %u32 %lane_var\n%f_q = OpAccessChain %shared_word_ptr %f_p %f_l\n%f_v = OpLoad %u32 %f_q\nOpReturnValue %f_v\nOpFunctionEnd\n"},
    {"a known one for a parameter", "%own = OpAccessChain %shared_word_ptr %shared %u5\n%six = OpIEqual %bool %lane %u5\n" THEN("%six", "OpStore %own %x\n") "OpControlBarrier %u2 %u2 %u264\n%r = OpFunctionCall %u32 %f %own\n", .a = ONE_TO_EIGHT, .r = SAME(6), .is_invalid = true,
     .globals = "%ft = OpTypeFunction %u32 %shared_word_ptr\n", .functions = "%f = OpFunction %u32 None %ft\n%f_p = OpFunctionParameter %shared_word_ptr\n%f_s = OpLabel\n%f_v = OpLoad %u32 %f_p\nOpReturnValue %f_v\nOpFunctionEnd\n"},
    {"one out of bounds for a parameter", "%own = OpAccessChain %shared_word_ptr %shared %u8c\n%r = OpFunctionCall %u32 %f %own\n", .is_invalid = true, .refused = "E-bounds",
     .globals = "%ft = OpTypeFunction %u32 %shared_word_ptr\n", .functions = "%f = OpFunction %u32 None %ft\n%f_p = OpFunctionParameter %shared_word_ptr\n%f_s = OpLabel\n%f_v = OpLoad %u32 %f_p\nOpReturnValue %f_v\nOpFunctionEnd\n"},
    {"an index that is not known behind known ones", "%i = OpBitwiseAnd %u32 %lane %u3\n%b = OpAccessChain %rows_ptr %more %u0\n%q = OpAccessChain %row_ptr %b %u1\n%p = OpAccessChain %word_ptr %q %i\n%r = OpLoad %u32 %p\n",
     .r = {11, 12, 13, 14, 11, 12, 13, 14}, .annotations = AT WORDS, .globals = ROWS_OF},
    {"known ones behind one that is not", "%i = OpBitwiseAnd %u32 %lane %u1\n%b = OpAccessChain %rows_ptr %more %u0\n%q = OpAccessChain %row_ptr %b %i\n%p = OpAccessChain %word_ptr %q %u2\n%r = OpLoad %u32 %p\n",
     .r = {3, 13, 3, 13, 3, 13, 3, 13}, .annotations = AT WORDS, .globals = ROWS_OF},
    {"known, not, and known again", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %i %u3\n%r = OpLoad %u32 %p\n", .r = {4, 14, 4, 14, 4, 14, 4, 14}, .annotations = AT WORDS, .globals = ROWS_OF},
    {"not known behind not known", "%i = OpBitwiseAnd %u32 %lane %u1\n%h = OpShiftRightLogical %u32 %lane %u1\n%q = OpAccessChain %row_ptr %more %u0 %i\n%p = OpAccessChain %word_ptr %q %h\n%r = OpLoad %u32 %p\n",
     .r = {1, 11, 2, 12, 3, 13, 4, 14}, .annotations = AT WORDS, .globals = ROWS_OF},
    {"all known, in three chains", "%b = OpAccessChain %rows_ptr %more %u0\n%q = OpAccessChain %row_ptr %b %u1\n%p = OpAccessChain %word_ptr %q %u2\n%r = OpLoad %u32 %p\n", .r = SAME(13), .annotations = AT WORDS, .globals = ROWS_OF},
    {"a copy of a pointer", "%q = OpAccessChain %row_ptr %more %u0 %u1\n%c = OpCopyObject %row_ptr %q\n%p = OpAccessChain %word_ptr %c %u2\n%r = OpLoad %u32 %p\n", .r = SAME(13), .annotations = AT WORDS, .globals = ROWS_OF},
    {"a bad index before one that is there", "%q = OpAccessChain %row_ptr %more %u0 %u2\n%p = OpAccessChain %word_ptr %q %u0\n%r = OpLoad %u32 %p\n", .annotations = AT WORDS, .globals = ROWS_OF, .refused = "E-bounds", .is_invalid = true},
    {"a bad index before one that is not known", "%i = OpBitwiseAnd %u32 %lane %u1\n%q = OpAccessChain %row_ptr %more %u0 %u2\n%p = OpAccessChain %word_ptr %q %i\n%r = OpLoad %u32 %p\n", .annotations = AT WORDS, .globals = ROWS_OF, .refused = "E-bounds",
     .is_invalid = true},
    {"and behind it", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %word_ptr %more %u0 %i %u4\n%r = OpLoad %u32 %p\n", .annotations = AT WORDS, .globals = ROWS_OF, .refused = "E-bounds", .is_invalid = true},
    {"an atomic at a bad index", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u4\n%o = OpAtomicIAdd %u32 %p %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", .annotations = AT WORDS, .globals = ROWS_OF, .refused = "E-bounds", .is_invalid = true},
    {"a store at a bad index", "%p = OpAccessChain %word_ptr %more %u0 %u0 %u4\nOpStore %p %x\n%r = OpIAdd %u32 %x %u0\n", .annotations = AT WORDS, .globals = ROWS_OF, .refused = "E-bounds", .is_invalid = true},
    {"a vector that is said to be by rows", "%p = OpAccessChain %f_sb %more %u0 %u1\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n", .r = SAME(0x40000000), .is_invalid = true,
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 RowMajor\n",
     .globals = "%s2 = OpTypeStruct %vec2\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%f_sb = OpTypePointer StorageBuffer %f32\n", .interface = " %more", .more = {0x3f800000, 0x40000000}, .more_count = 2},
    {"a vector, of whose parts rows would be said", "%p = OpAccessChain %v_sb %more %u0\n%v = OpLoad %vec2 %p\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n", .r = SAME(0x40000000), .is_invalid = true,
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 RowMajor\n",
     .globals = "%s2 = OpTypeStruct %vec2\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%v_sb = OpTypePointer StorageBuffer %vec2\n", .interface = " %more", .more = {0x3f800000, 0x40000000}, .more_count = 2},
    {"OpPtrAccessChain of what has no address", "%q = OpPtrAccessChain %word_ptr %px %u1\n%r = OpLoad %u32 %q\n", .is_invalid = true, .annotations = "OpDecorate %word_ptr ArrayStride 4\n", .refused = "OpPtrAccessChain on other pointers than addresses with an ArrayStride"},
    {"an index of 8 bits that would be negative with a sign", "%p = OpAccessChain %own_word %more %c200\nOpStore %p %x\n%r = OpLoad %u32 %p\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT,
     .globals = "%c200 = OpConstant %u8 200\n%u256 = OpConstant %u32 256\n" OWN("OpTypeArray %u32 %u256"), .interface = " %more"},
    {"one that is", "%p = OpAccessChain %own_word %more %minus\nOpStore %p %x\n%r = OpLoad %u32 %p\n", .globals = "%minus = OpConstant %i8 -56\n%u256 = OpConstant %u32 256\n" OWN("OpTypeArray %u32 %u256"), .interface = " %more",
     .refused = "E-bounds", .is_invalid = true},
    {"an index of 16 bits with a sign", "%p = OpAccessChain %own_word %more %i7\nOpStore %p %x\n%q = OpAccessChain %own_word %more %u7\n%r = OpLoad %u32 %q\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT,
     .globals = "%i7 = OpConstant %i16 7\n%u7 = OpConstant %u64 7\n" OWN("OpTypeArray %u32 %u8c"), .interface = " %more"},
    {"an index of 64 bits, far beyond", "%p = OpAccessChain %word_ptr %more %u0 %far\n%r = OpLoad %u32 %p\n", .annotations = AT, .globals = "%far = OpConstant %u64 0x4000000000000000\n%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more_count = 4,
     .refused = "E-bounds"},
    {"an index without a value", "%p = OpAccessChain %own_word %more %none\nOpStore %p %x\n%r = OpLoad %u32 %p\n", .globals = "%none = OpUndef %u32\n" OWN("OpTypeArray %u32 %u8c"), .interface = " %more", .refused = "E-pointer"},
    // RowMajor and MatrixStride mean nothing where there is no layout, and nothing to a column that lies in one piece.
    {"a column of a matrix by columns", "%p = OpAccessChain %col_ptr %more %u0 %u1\n%v = OpLoad %vec2 %p\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n", .r = SAME(0x40800000),
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 ColMajor\nOpMemberDecorate %s2 0 MatrixStride 8\n",
     .globals = "%s2 = OpTypeStruct %mat2\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%col_ptr = OpTypePointer StorageBuffer %vec2\n", .interface = " %more",
     .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000}, .more_count = 4},
    {"an array of matrices by rows", "%i = OpBitwiseAnd %u32 %lane %u1\n%p = OpAccessChain %f_sb %more %u0 %i %u1 %u0\n%f = OpLoad %f32 %p\n%r = OpBitcast %u32 %f\n",
     .r = {0x40000000, 0x40c00000, 0x40000000, 0x40c00000, 0x40000000, 0x40c00000, 0x40000000, 0x40c00000},
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpMemberDecorate %s2 0 RowMajor\nOpMemberDecorate %s2 0 MatrixStride 8\nOpDecorate %ms ArrayStride 16\n",
     .globals = "%ms = OpTypeArray %mat2 %u2\n%s2 = OpTypeStruct %ms\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%f_sb = OpTypePointer StorageBuffer %f32\n", .interface = " %more",
     .more = {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000, 0x41000000}, .more_count = 8},
    {"the same type where it has no layout: a column, and a part of it", "%v = OpCompositeConstruct %vec2 %f1 %f2\n%w = OpCompositeConstruct %vec2 %fx %f3\n%m = OpCompositeConstruct %mat2 %v %w\n%pm = OpAccessChain %own_mat %more %u0\nOpStore %pm %m\n"
     "%q = OpAccessChain %own_vec %more %u0 %u1\n%col = OpLoad %vec2 %q\n%e = OpCompositeExtract %f32 %col 1\n%i = OpBitwiseAnd %u32 %lane %u1\n%z = OpAccessChain %own_float %more %u0 %u0 %i\n%g = OpLoad %f32 %z\n%s = OpFAdd %f32 %e %g\n%r = OpBitcast %u32 %s\n",
     .r = {0x40800000, 0x40a00000, 0x40800000, 0x40a00000, 0x40800000, 0x40a00000, 0x40800000, 0x40a00000}, .annotations = "OpMemberDecorate %own 0 Offset 0\nOpMemberDecorate %own 0 RowMajor\nOpMemberDecorate %own 0 MatrixStride 16\n",
     .globals = OWN("OpTypeStruct %mat2") "%own_mat = OpTypePointer Private %mat2\n", .interface = " %more", .is_invalid = true},
};

static void test_chains(void **state)
{
    (void)state;
    CHECK_ROWS(chains);
}

// Each lane exchanges its own half of a word, its own byte of Workgroup memory: nobody else's.
static const struct row small[] = {
    {"atomics of 16 bits", "%n = OpUConvert %u16 %x\n%p = OpAccessChain %half_ptr %more %u0 %lane\n%o = OpAtomicExchange %u16 %p %u1 %u0 %n\n%r = OpIAdd %u32 %x %u0\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .is_invalid = true,
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %halves ArrayStride 2\n",
     .globals = "%halves = OpTypeRuntimeArray %u16\n%s2 = OpTypeStruct %halves\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%half_ptr = OpTypePointer StorageBuffer %u16\n", .interface = " %more", .more_count = 4,
     .checks_more = true, .after = {0x20001, 0x40003, 0x60005, 0x80007}},
    {"atomics of 16 bits, then of 32", "%n = OpUConvert %u16 %x\n%p = OpAccessChain %half_ptr %more %u0 %lane\n%o = OpAtomicExchange %u16 %p %u1 %u0 %n\n%z = OpAtomicIAdd %u32 %pr %u1 %u0 %u0\n%r = OpIAdd %u32 %x %u0\n", ONE_TO_EIGHT, .r = ONE_TO_EIGHT, .is_invalid = true,
     .annotations = AT "OpDecorate %s2 Block\nOpMemberDecorate %s2 0 Offset 0\nOpDecorate %halves ArrayStride 2\n",
     .globals = "%halves = OpTypeRuntimeArray %u16\n%s2 = OpTypeStruct %halves\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n%half_ptr = OpTypePointer StorageBuffer %u16\n", .interface = " %more", .more_count = 4,
     .checks_more = true, .after = {0x20001, 0x40003, 0x60005, 0x80007}},
};
static void test_small(void **state)
{
    (void)state;
    CHECK_ROWS(small);
}

// ---- decorations --------------------------------------------------------------------------------------------------

#define READS "%p = OpAccessChain %word_ptr %more %u0 %u1\n%r = OpLoad %u32 %p\n"
#define SIMPLE .globals = "%more = OpVariable %block_ptr StorageBuffer\n", .interface = " %more", .more = {1, 2}, .more_count = 2
static const struct row decorations[] = {
    {"Binding before DescriptorSet", READS, .r = SAME(2), .annotations = "OpDecorate %more Binding 2\nOpDecorate %more DescriptorSet 0\n", SIMPLE},
    {"no Binding", READS, .annotations = "OpDecorate %more DescriptorSet 0\n", SIMPLE, .refused = "for which the case has no buffer", .is_invalid = true},
    {"no DescriptorSet", READS, .annotations = "OpDecorate %more Binding 2\n", SIMPLE, .refused = "for which the case has no buffer", .is_invalid = true},
    {"a Binding without a number", READS, .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more !33\n", SIMPLE, .refused = "for which the case has no buffer", .is_invalid = true},
    {"a Binding without a number behind one that has it", READS, .r = SAME(2), .annotations = AT "OpDecorate %more !33\n", SIMPLE, .is_invalid = true},
    {"the first decoration of all", READS, .r = SAME(2), .names = "OpDecorate %more Binding 2\n", .annotations = "OpDecorate %more DescriptorSet 0\n", SIMPLE},
    {"a decoration of nothing", READS, .annotations = AT "!0x00020047 %more\n", SIMPLE, .refused = "word ", .is_invalid = true},
    {"a decoration of no member", READS, .annotations = AT "!0x00030048 %block !0\n", SIMPLE, .refused = "word ", .is_invalid = true},
    {"a group for two, by a group with a name", READS, .r = SAME(2), .names = "OpName %g \"g\"\n", .annotations = "OpDecorate %g DescriptorSet 0\nOpDecorate %g Binding 2\n%g = OpDecorationGroup\nOpGroupDecorate %g %more\n", SIMPLE},
    {"another group's decorations", READS, .annotations = "OpDecorate %h DescriptorSet 0\nOpDecorate %h Binding 2\n%h = OpDecorationGroup\nOpDecorate %g DescriptorSet 0\n%g = OpDecorationGroup\nOpGroupDecorate %g %more\n", SIMPLE,
     .refused = "for which the case has no buffer", .is_invalid = true},
    {"two members by a group", "%p = OpAccessChain %word_ptr %more %u0\n%q = OpAccessChain %word_ptr %more %u1\n%a = OpLoad %u32 %p\n%b = OpLoad %u32 %q\n%r = OpIAdd %u32 %a %b\n", .r = SAME(4), .is_invalid = true,
     .annotations = AT "OpDecorate %s2 Block\nOpDecorate %g Offset 4\n%g = OpDecorationGroup\nOpGroupMemberDecorate %g %s2 0 %s2 1\n",
     .globals = "%s2 = OpTypeStruct %u32 %u32\n%more_ptr = OpTypePointer StorageBuffer %s2\n%more = OpVariable %more_ptr StorageBuffer\n", .interface = " %more", .more = {1, 2}, .more_count = 2},
};

// `times` groups of `decorations` for `targets` values and %more.
static void check_groups(uint32_t times, uint32_t decorations_each, uint32_t targets, const char *refused)
{
    struct arena a = {0};
    struct row row = {"many groups", READS, .r = SAME(2), SIMPLE, .refused = refused, .is_invalid = true};
    char *text = arena_printf(&a, "OpDecorate %%g DescriptorSet 0\nOpDecorate %%g Binding 2\n"), *list = arena_printf(&a, "%s", "");
    for (uint32_t k = 0; k < decorations_each; k++)
        text = arena_printf(&a, "%sOpDecorate %%g Flat\n", text);
    for (uint32_t k = 0; k < targets; k++)
        list = arena_printf(&a, "%s %%u1", list);
    text = arena_printf(&a, "%s%%g = OpDecorationGroup\n", text);
    for (uint32_t k = 0; k < times; k++)
        text = arena_printf(&a, "%sOpGroupDecorate %%g%s %%more\n", text, list);
    row.annotations = text;
    check_rows(&row, 1);
    arena_free(&a);
}

static void test_decorations(void **state)
{
    (void)state;
    CHECK_ROWS(decorations);
    check_groups(1, 0, 300, NULL); // more than there is room for at first
    check_groups(1, 30, 100, NULL);
    check_groups(1000, 0, 0, NULL);
    check_groups(1001, 0, 0, "unsupported: more than 1000 groups of decorations");
    check_groups(3, 380, 1000, "unsupported: more than 1048576 decorations by groups");
}

// ---- switches -------------------------------------------------------------------------------------------------------

// The default falls through to a case; a way to there is behind an inner switch of 64 bits, whose literals have two words.
#define INNER(switch_) "%long = OpUConvert %u64 %lane\n%o = OpShiftRightLogical %u32 %lane %u2\nOpSelectionMerge %oj None\nOpSwitch %o %od 1 %oc\n%od = OpLabel\nOpSelectionMerge %j None\n" switch_ "%un = OpLabel\nOpUnreachable\n%p = OpLabel\nOpBranch %j\n" \
    "%j = OpLabel\nOpBranch %oc\n%oc = OpLabel\n%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b = OpCompositeExtract %u32 %v 0\nOpStore %local %b\nOpBranch %oj\n%oj = OpLabel\n%r = OpLoad %u32 %local\n", .r = SAME(0xff)
static const struct row switches[] = {
    {"by 64 bits", INNER("OpSwitch %long %un 0 %p 1 %p 2 %p 3 %p\n")},
    {"by 64 bits, behind the default", INNER("OpSwitch %long %p 9 %un\n")},
    {"by 64 bits, behind the last", INNER("OpSwitch %long %p 9 %un 0x900000009 %un 3 %p\n")},
    {"by 32 bits", INNER("OpSwitch %lane %un 0 %p 1 %p 2 %p 3 %p\n")},
    {"by one of 32 bits", INNER("OpSwitch %o %un 0 %p\n")},
    {"by one of 64 bits", INNER("OpSwitch %zero64 %un 0 %p\n"), .globals = "%zero64 = OpConstant %u64 0\n"},
    {"by a default alone", INNER("OpSwitch %o %p\n")},
    {"cases in a circle, where nobody goes", "OpSelectionMerge %j None\nOpSwitch %x %j 1 %p 2 %q\n%p = OpLabel\nOpBranch %q\n%q = OpLabel\nOpBranch %p\n%j = OpLabel\n%r = OpIAdd %u32 %x %u5\n", .r = SAME(5), .is_invalid = true},
    {"by a condition", INNER("OpBranchConditional %true %p %un\n")},
    {"by the other arm", INNER("OpBranchConditional %false %un %p\n")},
    {"a literal of 64 bits whose low half is another's", "%big = OpConvertUToF %f32 %x\n%long = OpBitcast %u64 %both\nOpSelectionMerge %j None\nOpSwitch %long %d 1 %p 0x100000001 %q\n%p = OpLabel\nOpStore %local %u1\nOpBranch %j\n%q = OpLabel\nOpStore %local %u2\nOpBranch %j\n"
     "%d = OpLabel\nOpStore %local %u3\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n", .r = SAME(2), .globals = "%both = OpConstantComposite %uvec2 %u1 %u1\n"},
    {"a literal of 8 bits with a sign", "%n = OpSConvert %i8 %m\nOpSelectionMerge %j None\nOpSwitch %n %d -1 %p\n%p = OpLabel\nOpStore %local %u1\nOpBranch %j\n%d = OpLabel\nOpStore %local %u3\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n",
     .r = SAME(1), .globals = "%m = OpConstant %i32 -1\n"},
};

// Lanes 0 and 1 have the last two of `cases` literals.
static void check_cases(uint32_t cases, const char *refused)
{
    struct arena a = {0};
    struct row row = {"many cases", .r = {1, 1, 2, 2, 2, 2, 2, 2}, .refused = refused};
    char *text = arena_printf(&a, "%s", "");
    for (uint32_t k = cases; k-- > 0;)
        text = arena_printf(&a, "%s %u %%p", text, k);
    row.code = arena_printf(&a, "OpSelectionMerge %%j None\nOpSwitch %%lane %%d%s\n%%p = OpLabel\nOpBranch %%j\n%%d = OpLabel\nOpBranch %%j\n%%j = OpLabel\n%%r = OpPhi %%u32 %%u1 %%p %%u2 %%d\n", text);
    if (cases > 8)
        for (int k = 2; k < LANES; k++)
            row.r[k] = 1;
    check_rows(&row, 1);
    arena_free(&a);
}

static void test_switches(void **state)
{
    (void)state;
    CHECK_ROWS(switches);
    check_cases(2, NULL);
    check_cases(1024, NULL);
    check_cases(1025, "unsupported: more than 1024 cases");
}

// ---- floats --------------------------------------------------------------------------------------------------------

#define FLOATS .globals = "%f_words = OpTypeRuntimeArray %f32\n%f_block = OpTypeStruct %f_words\n%f_block_ptr = OpTypePointer StorageBuffer %f_block\n%f_ptr = OpTypePointer StorageBuffer %f32\n" \
    "%f_wg = OpTypePointer Workgroup %f32\n%f_shared_ptr = OpTypePointer Workgroup %f32\n%more = OpVariable %f_block_ptr StorageBuffer\n%f_shared = OpVariable %f_shared_ptr Workgroup\n", .interface = " %more %f_shared", \
    .annotations = AT "OpDecorate %more Coherent\nOpDecorate %f_words ArrayStride 4\nOpDecorate %f_block Block\nOpMemberDecorate %f_block 0 Offset 0\n", .more_count = 8
#define ONLY "%first = OpIEqual %bool %lane %u0\n"
#define AN_ATOMIC(op) "%p = OpAccessChain %f_ptr %more %u0 %u0\n" op "%r = OpIAdd %u32 %x %u0\n"
static const struct row floats[] = {
    // 1.0, a NaN, a denormal, infinity, -0.0, 2.5, another NaN, the smallest that is none: only what no arithmetic may change
    {"from a buffer: no NaN, no denormal has bits", "%p = OpAccessChain %f_ptr %more %u0 %lane\n%v = OpLoad %f32 %p\n%r = OpBitcast %u32 %v\n", FLOATS,
     .more = {0x3f800000, 0x7fc00001, 0x00000001, 0x7f800000, 0x80000000, 0x40200000, 0xff800001, 0x00800000}, .r = {0x3f800000, U, U, 0x7f800000, 0x80000000, 0x40200000, U, 0x00800000}},
    {"an exchange of floats is not judged", AN_ATOMIC("%o = OpAtomicExchange %f32 %p %u1 %u0 %f1\n"), FLOATS, .refused = "unsupported: an atomic on a type other than integer"},
    {"but by who takes a model for granted", ONLY THEN("%first", "%p = OpAccessChain %f_ptr %more %u0 %u0\n%o = OpAtomicExchange %f32 %p %u1 %u0 %f3\n") "%r = OpIAdd %u32 %x %u0\n", FLOATS, .assumed = true,
     .checks_more = true, .after = {0x40400000}},
    {"a store", ONLY THEN("%first", "%p = OpAccessChain %f_ptr %more %u0 %u0\nOpAtomicStore %p %u1 %u0 %f3\n") "%r = OpIAdd %u32 %x %u0\n", FLOATS, .assumed = true, .checks_more = true, .after = {0x40400000}},
    {"a load", AN_ATOMIC("%o = OpAtomicLoad %f32 %p %u1 %u0\n"), FLOATS, .a = {5}, .r = {5}, .assumed = true, .more = {7}, .checks_more = true, .after = {7}},
    {"a sum is what rounding makes of it", AN_ATOMIC("%o = OpAtomicFAddEXT %f32 %p %u1 %u0 %f1\n"), FLOATS, .assumed = true, .more = {0x3f800000, 1}, .checks_more = true, .after = {U, 1}},
    {"a minimum", AN_ATOMIC("%o = OpAtomicFMinEXT %f32 %p %u1 %u0 %f1\n"), FLOATS, .assumed = true, .more = {0x3f800000, 1}, .checks_more = true, .after = {U, 1}},
    {"a maximum", AN_ATOMIC("%o = OpAtomicFMaxEXT %f32 %p %u1 %u0 %f1\n"), FLOATS, .assumed = true, .more = {0x3f800000, 1}, .checks_more = true, .after = {U, 1}},
    {"integer sums of floats", AN_ATOMIC("%o = OpAtomicIAdd %f32 %p %u1 %u0 %f1\n"), FLOATS, .assumed = true, .is_invalid = true, .refused = "unsupported: an atomic on a type that it does not allow"},
    {"float sums of integers", "%o = OpAtomicFAddEXT %u32 %px %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", FLOATS, .assumed = true, .is_invalid = true, .refused = "unsupported: an atomic on a type that it does not allow"},
    {"float minima of integers", "%o = OpAtomicFMinEXT %u32 %px %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", FLOATS, .assumed = true, .is_invalid = true, .refused = "unsupported: an atomic on a type that it does not allow"},
    {"float maxima of integers", "%o = OpAtomicFMaxEXT %u32 %px %u1 %u0 %x\n%r = OpIAdd %u32 %x %u0\n", FLOATS, .assumed = true, .is_invalid = true, .refused = "unsupported: an atomic on a type that it does not allow"},
    {"an exchange of booleans", "%p = OpAccessChain %b_wg %flags %u0\n%o = OpAtomicExchange %bool %p %u1 %u0 %true\n%r = OpIAdd %u32 %x %u0\n", .assumed = true, .is_invalid = true,
     .globals = "%b_wg = OpTypePointer Workgroup %bool\n%b_array = OpTypeArray %bool %u1\n%b_wg_array = OpTypePointer Workgroup %b_array\n%flags = OpVariable %b_wg_array Workgroup\n", .interface = " %flags",
     .refused = "unsupported: an atomic on a type that it does not allow"},
};

static void test_floats(void **state)
{
    (void)state;
    CHECK_ROWS(floats);
}

// ---- arrays of images ------------------------------------------------------------------------------

// An index that differs by the lane is for what is NonUniform, and whose array's capability the module declares.
static void test_image_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *type, *capability, *read, *at;
        bool storage;
        struct spv_image_form form;
    } kinds[] = {
        {"%u32 2D 0 0 0 2 R32ui", "StorageImageArrayNonUniformIndexing", "OpImageRead", "%at2", true, {.shape = SPV_IMAGE_2D, .size = {4, 4, 1}, .layers = 1, .texel = SPV_R32UI, .count = 2}},
        {"%u32 2D 0 0 0 1 R32ui", "SampledImageArrayNonUniformIndexing", "OpImageFetch", "%at2", false, {.shape = SPV_IMAGE_2D, .size = {4, 4, 1}, .layers = 1, .texel = SPV_RGBA32UI, .count = 2}},
        {"%u32 Buffer 0 0 0 2 R32ui", "StorageTexelBufferArrayNonUniformIndexing", "OpImageRead", "%u1", true, {.shape = SPV_IMAGE_BUFFER, .size = {4, 1, 1}, .layers = 1, .texel = SPV_R32UI, .count = 2}},
        {"%u32 Buffer 0 0 0 1 R32ui", "UniformTexelBufferArrayNonUniformIndexing", "OpImageFetch", "%u1", false, {.shape = SPV_IMAGE_BUFFER, .size = {4, 1, 1}, .layers = 1, .texel = SPV_RGBA32UI, .count = 2}},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t other = 0; other <= sizeof kinds / sizeof *kinds; other++) // the capability that is there; the last: none
            for (int decorated = 0; decorated < 2; decorated++) {
                struct arena a = {0};
                struct spv_case c;
                struct orc_result r;
                struct row row = {"image arrays", arena_printf(&a, "%%h = OpBitwiseAnd %%u32 %%lane %%u1\n%%at2 = OpCompositeConstruct %%uvec2 %%u1 %%u1\n%%pi = OpAccessChain %%image_ptr %%more %%h\n%%im = OpLoad %%image %%pi\n"
                                                               "%%t = %s %%uvec4 %%im %s\n%%r = OpCompositeExtract %%u32 %%t 0\n", kinds[k].read, kinds[k].at),
                                  .annotations = arena_printf(&a, "OpDecorate %%more DescriptorSet 0\nOpDecorate %%more Binding 2\n%s", decorated ? "OpDecorate %im NonUniform\nOpDecorate %pi NonUniform\n" : ""),
                                  .globals = arena_printf(&a, "%%image = OpTypeImage %s\n%%all = OpTypeArray %%image %%u2\n%%all_ptr = OpTypePointer UniformConstant %%all\n%%image_ptr = OpTypePointer UniformConstant %%image\n%%more = OpVariable %%all_ptr UniformConstant\n", kinds[k].type),
                                  .interface = " %more", .is_invalid = true,
                                  .capabilities = arena_printf(&a, "OpCapability SampledBuffer\nOpCapability ImageBuffer\n%s%s\n", other < 4 ? "OpCapability " : "", other < 4 ? kinds[other].capability : "")};
                row_case(tools, &a, &row, &c);
                if (kinds[k].storage) {
                    c.buffer[2] = (struct spv_buffer){.binding = 2, .count = (uint32_t)spv_image_words(&kinds[k].form), .image = kinds[k].form};
                    c.buffer[2].words = ARENA_ARRAY(&a, uint32_t, c.buffer[2].count);
                    c.buffer_count = 3;
                } else {
                    c.image[0] = (struct spv_image){.binding = 2, .form = kinds[k].form, .levels = 1};
                    c.image[0].values = ARENA_ARRAY(&a, uint32_t, spv_image_values(&c.image[0]));
                    c.image_count = 1;
                }
                orc_predict(&a, &c, 0, NULL, &r);
                const bool runs = decorated && other == k;
                if (runs ? r.why.status != RAN_OK : strcmp(r.why.rule, "E-uniform") != 0)
                    fail_msg("%s, %s, %s: %s", kinds[k].type, other < 4 ? kinds[other].capability : "no capability", decorated ? "NonUniform" : "not decorated", r.why.text);
                arena_free(&a);
            }
    spv_tools_free(tools);
}

// ---- floats that come from memory ----------------------------------------------------------------------

// A struct of all sorts in a buffer, every word of it a NaN's: floats have no bits there, integers have.
#define MIXED .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %mix Block\nOpDecorate %row ArrayStride 4\n" \
    "OpMemberDecorate %mix 0 Offset 0\nOpMemberDecorate %mix 1 Offset 4\nOpMemberDecorate %mix 2 Offset 8\nOpMemberDecorate %mix 3 Offset 16\nOpMemberDecorate %mix 4 Offset 24\n" \
    "OpMemberDecorate %mix 5 Offset 32\nOpMemberDecorate %mix 6 Offset 40\nOpMemberDecorate %mix 7 Offset 48\n", \
    .globals = "%row = OpTypeArray %f32 %u2\n%mix = OpTypeStruct %f32 %u32 %f32 %f64 %row %vec2 %uvec2 %f32\n%mix_ptr = OpTypePointer StorageBuffer %mix\n%more = OpVariable %mix_ptr StorageBuffer\n", .interface = " %more", .more_count = 13
#define MEMBER(how) "%all = OpLoad %mix %more\n" how
#define FLOAT_AT(at) MEMBER("%e = OpCompositeExtract %f32 %all " at "\n%r = OpBitcast %u32 %e\n")
#define WORD_AT(at) MEMBER("%r = OpCompositeExtract %u32 %all " at "\n")
#define NANS {0x7fc00001, 0x7fc00002, 0x7fc00003, 0, 1, 0x7ff80000, 0x7fc00006, 0x7fc00007, 0x7fc00008, 0x7fc00009, 0x7fc0000a, 0x7fc0000b, 0x7fc0000c}
// Words that are a NaN of 32 bits alone where one of 64 is read: 0x3f800000_7fc00000 is a number.
#define NUMBERS {0x3f800000, 0x7fc00002, 0x40000000, 0, 0x7fc00000, 0x3f800000, 0x3f800006, 0x3f800007, 0x3f800008, 0x3f800009, 0x7fc0000a, 0x7fc0000b, 0x3f80000c}
static const struct row mixed[] = {
    {"a float", FLOAT_AT("0"), .r = SAME(U), MIXED, .more = NANS}, {"a word beside it", WORD_AT("1"), .r = SAME(0x7fc00002), MIXED, .more = NANS}, {"a float behind it", FLOAT_AT("2"), .r = SAME(U), MIXED, .more = NANS},
    {"a double", MEMBER("%e = OpCompositeExtract %f64 %all 3\n%v = OpBitcast %uvec2 %e\n%r = OpCompositeExtract %u32 %v 1\n"), .r = SAME(U), MIXED, .more = NANS},
    {"an array's first", FLOAT_AT("4 0"), .r = SAME(U), MIXED, .more = NANS}, {"its second", FLOAT_AT("4 1"), .r = SAME(U), MIXED, .more = NANS}, {"a vector's first", FLOAT_AT("5 0"), .r = SAME(U), MIXED, .more = NANS},
    {"its second", FLOAT_AT("5 1"), .r = SAME(U), MIXED, .more = NANS}, {"a vector of words", WORD_AT("6 1"), .r = SAME(0x7fc0000b), MIXED, .more = NANS}, {"the last", FLOAT_AT("7"), .r = SAME(U), MIXED, .more = NANS},
    {"a number", FLOAT_AT("0"), .r = SAME(0x3f800000), MIXED, .more = NUMBERS}, {"behind a word", FLOAT_AT("2"), .r = SAME(0x40000000), MIXED, .more = NUMBERS},
    {"a double whose low word is a NaN's", MEMBER("%e = OpCompositeExtract %f64 %all 3\n%v = OpBitcast %uvec2 %e\n%r = OpCompositeExtract %u32 %v 0\n"), .r = SAME(0x7fc00000), MIXED, .more = NUMBERS},
    {"an array's second", FLOAT_AT("4 1"), .r = SAME(0x3f800007), MIXED, .more = NUMBERS}, {"a vector's second", FLOAT_AT("5 1"), .r = SAME(0x3f800009), MIXED, .more = NUMBERS}, {"the last number", FLOAT_AT("7"), .r = SAME(0x3f80000c), MIXED, .more = NUMBERS},
    {"a copy of all", "%all = OpLoad %mix %more\n%c = OpCopyObject %mix %all\n%e = OpCompositeExtract %f32 %c 7\n%r = OpBitcast %u32 %e\n", .r = SAME(0x3f80000c), MIXED, .more = NUMBERS},
};
static void test_mixed(void **state) { (void)state, CHECK_ROWS(mixed); }

// ---- functions --------------------------------------------------------------------------------------------

#define UNARY "%ft = OpTypeFunction %u32 %u32\n"
#define UNARY_OF(f, body) "%" f " = OpFunction %u32 None %ft\n%p" f " = OpFunctionParameter %u32\n%s" f " = OpLabel\n" body "OpFunctionEnd\n"
static const struct row functions[] = {
    {"a variable begins anew with each call", "%a = OpFunctionCall %u32 %f %x\n%b = OpFunctionCall %u32 %f %a\n%r = OpIAdd %u32 %a %b\n", {1, 2, 3}, .r = {17, 19, 21, 15, 15, 15, 15, 15}, .globals = UNARY,
     .functions = UNARY_OF("f", "%v = OpVariable %u32_fn_ptr Function %u5\n%l = OpLoad %u32 %v\n%sum = OpIAdd %u32 %l %pf\nOpStore %v %sum\n%m = OpLoad %u32 %v\nOpReturnValue %m\n")},
    {"without a value it has none", "%a = OpFunctionCall %u32 %f %x\n%r = OpFunctionCall %u32 %f %x\n", {1, 2, 3}, .r = SAME(U), .globals = UNARY,
     .functions = UNARY_OF("f", "%v = OpVariable %u32_fn_ptr Function\n%l = OpLoad %u32 %v\nOpStore %v %pf\nOpReturnValue %l\n")},
    {"lines between its parameters", "%r = OpFunctionCall %u32 %f %y %x\n", {1, 2, 3}, {11, 12, 13, 14, 15, 16, 17, 18}, {10, 10, 10, 14, 15, 16, 17, 18}, .names = "%file = OpString \"f\"\n", .globals = "%ft2 = OpTypeFunction %u32 %u32 %u32\n",
     .functions = "%f = OpFunction %u32 None %ft2\nOpLine %file 1 1\n%pa = OpFunctionParameter %u32\nOpLine %file 2 1\nOpNoLine\n%pb = OpFunctionParameter %u32\n%sf = OpLabel\n%d = OpISub %u32 %pa %pb\nOpReturnValue %d\nOpFunctionEnd\n"},
    {"a function that two call", "%a = OpFunctionCall %u32 %f %x\n%b = OpFunctionCall %u32 %g %x\n%r = OpIAdd %u32 %a %b\n", {1, 2, 3}, .r = {6, 10, 14, 2, 2, 2, 2, 2}, .globals = UNARY,
     .functions = UNARY_OF("f", "%cf = OpFunctionCall %u32 %h %pf\nOpReturnValue %cf\n") UNARY_OF("g", "%cg = OpFunctionCall %u32 %h %pg\nOpReturnValue %cg\n") UNARY_OF("h", "%d = OpIAdd %u32 %ph %ph\n%e = OpIAdd %u32 %d %u1\nOpReturnValue %e\n")},
    {"what nobody calls may be anything", "%r = OpIAdd %u32 %x %u0\n", {1, 2, 3}, .r = {1, 2, 3}, .globals = UNARY, .functions = UNARY_OF("f", "%b = OpGroupAll %bool %u3 %true\nOpReturnValue %pf\n"), .is_invalid = true},
    {"a call by a call by itself", "%r = OpFunctionCall %u32 %f %x\n", .refused = "is a recursive call", .globals = UNARY, .functions = UNARY_OF("f", "%cf = OpFunctionCall %u32 %g %pf\nOpReturnValue %cf\n") UNARY_OF("g", "%cg = OpFunctionCall %u32 %f %pg\nOpReturnValue %cg\n"), .is_invalid = true},
    {"two parameters, the second a vector", "%v = OpCompositeConstruct %uvec2 %x %y\n%r = OpFunctionCall %u32 %f %y %v\n", {1, 2, 3}, {4, 5, 6}, {9, 12, 15}, .globals = "%ft = OpTypeFunction %u32 %u32 %uvec2\n",
     .functions = "%f = OpFunction %u32 None %ft\n%p = OpFunctionParameter %u32\n%q = OpFunctionParameter %uvec2\n%s = OpLabel\n%a = OpCompositeExtract %u32 %q 0\n%b = OpCompositeExtract %u32 %q 1\n%c = OpIAdd %u32 %a %b\n%d = OpIAdd %u32 %c %p\nOpReturnValue %d\nOpFunctionEnd\n"},
    {"a result that is a vector", "%v = OpFunctionCall %uvec2 %f %x\n%r = OpCompositeExtract %u32 %v 1\n", {1, 2, 3}, .r = {2, 3, 4, 1, 1, 1, 1, 1}, .globals = "%ft = OpTypeFunction %uvec2 %u32\n",
     .functions = "%f = OpFunction %uvec2 None %ft\n%p = OpFunctionParameter %u32\n%s = OpLabel\n%a = OpIAdd %u32 %p %u1\n%b = OpCompositeConstruct %uvec2 %p %a\nOpReturnValue %b\nOpFunctionEnd\n"},
    {"RelaxedPrecision of an input", "%r = OpIAdd %u32 %x %u0\n", {1, 2, 3}, .r = {1, 2, 3}, .annotations = "OpDecorate %lane_var RelaxedPrecision\n"},
    {"of a Private variable", "%r = OpIAdd %u32 %x %u0\n", .annotations = "OpDecorate %own RelaxedPrecision\n", .globals = "%own_ptr = OpTypePointer Private %u32\n%own = OpVariable %own_ptr Private\n", .interface = " %own", .refused = "RelaxedPrecision"},
    {"five thousand words of a function", "%q = OpAccessChain %own_word %big %i4999\nOpStore %q %x\n%all = OpLoad %five %big\n%r = OpCompositeExtract %u32 %all 4999\n", {1, 2, 3}, .r = {1, 2, 3},
     .globals = "%n5000 = OpConstant %u32 5000\n%i4999 = OpConstant %u32 4999\n%five = OpTypeArray %u32 %n5000\n%five_ptr = OpTypePointer Private %five\n%own_word = OpTypePointer Private %u32\n%big = OpVariable %five_ptr Private\n", .interface = " %big"},
    {"and of a function's own", "%r = OpFunctionCall %u32 %f %x\n", {1, 2, 3}, .r = {1, 2, 3}, .globals = UNARY "%n5000 = OpConstant %u32 5000\n%i4999 = OpConstant %u32 4999\n%five = OpTypeArray %u32 %n5000\n%five_ptr = OpTypePointer Function %five\n",
     .functions = UNARY_OF("f", "%big = OpVariable %five_ptr Function\n%q = OpAccessChain %u32_fn_ptr %big %i4999\nOpStore %q %pf\n%all = OpLoad %five %big\n%e = OpCompositeExtract %u32 %all 4999\nOpReturnValue %e\n")},
    {"nothing and lines", "OpNop\nOpLine %file 1 1\n%r = OpIAdd %u32 %x %u0\nOpNoLine\n", {1, 2, 3}, .r = {1, 2, 3}, .names = "%file = OpString \"a\"\n"},
};
static void test_functions(void **state) { (void)state, CHECK_ROWS(functions); }

// Calls of calls: so many that they are still followed, and more.
static void test_deep_calls(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (uint32_t deep = 199; deep <= 204; deep++) {
        static char text[40000];
        struct arena a = {0};
        struct spv_case c;
        struct orc_why why;
        size_t n = 0;
        for (uint32_t k = 0; k < deep; k++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%%f%u_ = OpFunction %%u32 None %%ft\n%%p%u_ = OpFunctionParameter %%u32\n%%s%u_ = OpLabel\n", k, k, k);
            n += (size_t)(k + 1 < deep ? snprintf(text + n, sizeof text - n, "%%c%u_ = OpFunctionCall %%u32 %%f%u_ %%p%u_\nOpReturnValue %%c%u_\nOpFunctionEnd\n", k, k + 1, k, k)
                                       : snprintf(text + n, sizeof text - n, "OpReturnValue %%p%u_\nOpFunctionEnd\n", k));
        }
        const struct row row = {"deep", "%r = OpFunctionCall %u32 %f0_ %x\n", .globals = UNARY, .functions = text};
        row_case(tools, &a, &row, &c);
        const bool loads = orc_load(&a, &c, &why) != NULL;
        if (loads != (deep <= 201) || (!loads && !strstr(why.text, "unsupported: calls nested more than 200 deep")))
            fail_msg("%u functions: %s", deep, loads ? "loaded" : why.text);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_image_arrays), cmocka_unit_test(test_functions), cmocka_unit_test(test_deep_calls), cmocka_unit_test(test_mixed),
        
        cmocka_unit_test(test_operands),  cmocka_unit_test(test_barriers), cmocka_unit_test(test_doubt), cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_arrays),   cmocka_unit_test(test_floats),  cmocka_unit_test(test_small),
        cmocka_unit_test(test_chains),    cmocka_unit_test(test_decorations), cmocka_unit_test(test_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
