// SPDX-License-Identifier: Apache-2.0
//
// What a compiler did: each wrong compiler on its case of corpus/mutants/, which was written by
// hand, and on a case that it leaves alone.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "mutants/mutants.h"
#include "diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;
static struct arena arena;

static struct spv_case read_case(const char *name)
{
    struct spv_case c;
    struct err e = {0};
    const char *root = getenv("SOURCE_DIR");
    if (!spv_case_read(tools, &arena, arena_printf(&arena, "%s/corpus/mutants/%s.spvasm", root, name),
                       &c, &e))
        fail_msg("%s", e.msg);
    return c;
}

// Mutants that make the same change in different places: a family each.
static bool one_family(const char *a, const char *b)
{
    static const char *const families[] = {
        "|unswitch-by-parameter|unswitch-loop|",
        "|hoist-out-of-rest|hoist-out-of-arm|", "|return-block-behind-loop|break-block-behind-flag|",
        "|joined-constants-are-first|load-is-scalar|uniform-values|",
        "|shared-memory-wraps|latch-after-stores|"}; // no name for either change
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (strstr(families[k], arena_printf(&arena, "|%s|", a)) && strstr(families[k], arena_printf(&arena, "|%s|", b)))
            return true;
    return false;
}

static void every_compiler(void **state)
{
    (void)state;
    static const struct {
        const char *mutant, *text;
    } rows[] = {
        {"duplicate-into-arms", "copied, if: behind -> in"},
        {"duplicate-into-cases", "copied, switch: behind -> in"},
        {"duplicate-into-exits", "copied, loop: behind -> on the way out"},
        {"duplicate-into-continues", "copied, loop: in continue -> in"},
        {"tail-merge-arms", "merged, if: in -> behind"},
        {"hoist-common-op", "merged, if: in -> before"},
        {"hoist-out-of-arm", "moved, if: in -> before"},
        {"hoist-out-of-case", "moved, switch: in -> before"},
        {"hoist-out-of-loop", "moved, loop: in -> before"},
        {"sink-into-arm", "moved, if: before -> in"},
        {"sink-into-case", "moved, switch: before -> in"},
        {"sink-into-loop", "moved, loop: before -> in"},
        {"sink-out-of-loop", "moved, loop: in -> behind"},
        {"sink-derivative-into-arm", "derivative moved, if: before -> in"},
        {"sink-derivative-into-case", "derivative moved, switch: before -> in"},
        {"sink-derivative-into-loop", "derivative moved, loop: before -> in"},
        {"duplicate-derivative-into-arms", "derivative copied, if: behind -> in"},
        {"duplicate-derivative-into-exits", "derivative copied, loop: behind -> on the way out"},
        {"reuse-in-branch", "reused, into a branch"},
        {"reuse-in-loop", "reused, into a loop"},
        {"reuse-behind", "reused, behind"},
        {"partial-redundancy", "reused, by a phi"},
        {"break-block-into-merge", "moved, loop: on the way out -> behind"},
        {"break-block-behind-flag", "moved, loop: on the way out -> behind, ifs+"},
        {"unswitch-loop", "copied, loops+, ifs+"},
        {"unswitch-by-parameter", "copied, loops+, ifs+"},
        {"unroll-with-remainder", "copied, loops+"},
        {"thread-jump", "copied, if: behind -> in, ifs-"},
        {"fold-sum-of-uniform", "IAdd Reduce gone"},
        {"fold-scan-of-uniform", "IAdd ExclusiveScan gone"},
        {"fold-xor-of-uniform", "BitwiseXor Reduce gone"},
        {"fold-ballot-of-true", "Ballot gone"},
        {"fold-elect", "Elect gone"},
        {"fold-vote", "Any gone"},
        {"uniform-branch", "BroadcastFirst new for a branch"},
        {"uniform-switch", "BroadcastFirst new for a switch"},
        {"uniform-values", "BroadcastFirst new for a value"},
        {"uniform-after-loop", "BroadcastFirst new for a value behind a loop"},
        {"switch-continue-is-break", "branch: a continue target -> a switch's merge"},
        {"loop-break-leaves-switch", "branch: a loop's merge -> a switch's merge"},
        {"fall-through-lost", "branch: a case -> a switch's merge"},
        {"last-case-is-default", "label: a case -> the default"},
        {"loop-value-lost", "a stored value lost"},
        {"shuffles-share-scratch", "OpGroupNonUniformShuffle of another value"},
        {"barrier-left-out", "OpControlBarrier gone"},
        {"workgroup-is-first", "OpCompositeExtract: a value -> a constant"},
        {"sink-sample-into-arm", "sample moved, if: before -> in"},
        {"sink-sample-into-case", "sample moved, switch: before -> in"},
        {"sink-sample-into-loop", "sample moved, loop: before -> in"},
        {"duplicate-sample-into-arms", "sample copied, if: behind -> in"},
        {"duplicate-sample-into-exits", "sample copied, loop: behind -> on the way out"},
        {"samples-flattened", "an index new, not NonUniform"},
        {"nonuniform-lost", "NonUniform gone"},
        {"index-is-first", "BroadcastFirst new for a descriptor's index"},
        {"sampler-is-first", "OpAccessChain: a constant -> a constant"},
        {"implicit-level-zero", "OpImageSampleImplicitLod gone"},
        {"bias-lost", "OpImageSampleImplicitLod: a value -> a literal"},
        {"gradients-lost", "OpImageSampleExplicitLod: a value -> a literal"},
        {"level-lost", "OpImageSampleExplicitLod: a value -> a constant"},
        {"texel-kept", "OpImageRead gone"},
        {"helpers-not-in-votes", "helpers asked for vote"},
        {"helpers-not-in-quad-votes", "helpers asked for quad"},
        {"helpers-not-in-ballots", "helpers asked for ballot"},
        {"helpers-not-in-sums", "helpers asked for reduce"},
        {"helpers-not-in-quads", "QuadSwap new for a value, helpers asked+"},
        {"helpers-not-in-shuffles", "Shuffle new for a value, helpers asked+"},
        {"first-is-live", "helpers asked for broadcast"},
        {"elected-is-live", "helpers asked for elect"},
        {"helpers-not-in-derivatives", "helpers asked for derivative"},
        {"helpers-load-zero", "helpers asked for quad"},
        {"helpers-index-first", "helpers asked for OpAccessChain"},
        {"demote-lost", "OpDemoteToHelperInvocation gone, demotes-"},
        {"demote-lost-in-call", "OpDemoteToHelperInvocation gone out of a call, demotes-"},
        {"demote-early", "OpDemoteToHelperInvocation moved up"},
        {"demote-late", "OpDemoteToHelperInvocation moved down"},
        {"demote-is-kill", "ifs+, demotes-, ends+"},
        {"kill-is-demote", "OpTerminateInvocation gone, demotes+, ends-"},
        {"helper-stale", "OpIsHelperInvocationEXT gone for a value, helpers asked-"},
        {"helper-never", "OpIsHelperInvocationEXT gone for a constant, helpers asked-"},
        {"loop-without-live-ends", "helpers asked for OpBranchConditional of a loop"},
        {"arm-of-helpers-skipped", "helpers asked for OpBranchConditional"},
        {"hoist-out-of-rest", "moved, if: in -> before"},
        {"return-block-behind-loop", "moved, loop: on the way out -> behind, by a return, ifs+"},
        {"narrowed-sum", "OpGroupNonUniformIAdd of another value"},
        {"undefined-is-uniform", "BroadcastFirst gone"},
        {"joined-constants-are-first", "BroadcastFirst new for a value"},
        {"load-is-scalar", "BroadcastFirst new for a value"},
        {"subgroup-is-first", "OpIEqual: a value -> a constant"},
        {"shared-memory-wraps", ""},
        {"latch-after-stores", ""},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    const struct mut_mutant *v;
    uint32_t n = mut_all(&v), compilers = 0;
    for (uint32_t i = 0; i < n; i++)
        compilers += v[i].kind == MUT_TRANSFORMATION;
    assert_int_equal(compilers, ROWS); // a new one wants its row
    for (uint32_t i = 0; i < ROWS; i++) {
        struct spv_case c = read_case(rows[i].mutant);
        const uint32_t *out;
        size_t count;
        struct diag_change change, back;
        struct diag_signature s = {.probed = true};
        assert_true(mut_compile(&arena, mut_find(rows[i].mutant), c.words, c.count, &out, &count) > 0);
        const bool did = diag_change(c.words, c.count, out, count, &change);
        assert_string_equal(diag_change_words(&arena, &change), rows[i].text);
        s.change = change;
        assert_int_equal(did, change.did != DIAG_DID_NOTHING);
        if (did && (change.did != DIAG_OPERAND || change.value_from == DIAG_OF_VALUE))
            assert_non_null(strstr(diag_sentence(&arena, &s), "the compiler ")); // in a report's words
        // A reader meets no word of the signature's own.
        static const char *const own[] = {"->", "+", " - ", "behind", "apart", "copied", "way out", "asked"};
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (strstr(diag_place_words(&arena, &s), own[k]))
                fail_msg("%s: %s", rows[i].mutant, diag_place_words(&arena, &s));
        assert_int_equal(strlen(diag_change_detail(&arena, &change)) > 0,
                         strlen(rows[i].text) > 0 && change.did != DIAG_STORE_LOST &&
                             strchr(rows[i].text, ' ') != NULL);
        // Two compilers, two texts. Some change derivatives alone; probes show what a compiler inserts for helpers.
        for (uint32_t k = 0; k < i; k++)
            if (mut_find(rows[k].mutant)->detected_by == mut_find(rows[i].mutant)->detected_by &&
                mut_find(rows[i].mutant)->detected_by != MUT_FRAGMENTS &&
                !one_family(rows[i].mutant, rows[k].mutant))
                assert_string_not_equal(rows[i].text, rows[k].text);
        // The other way round it is another change, or none that is known.
        diag_change(out, count, c.words, c.count, &back);
        const bool both_ways = change.did == DIAG_OP_OPERAND || change.did == DIAG_INST_MOVED ||
                               (change.did == DIAG_OPERAND && change.value_from == change.value_to);
        if (!both_ways)
            assert_string_not_equal(rows[i].text, diag_change_words(&arena, &back));
    }
}

static void nothing(void **state)
{
    (void)state;
    struct spv_case c = read_case("sink-into-loop");
    struct diag_change change = {.did = DIAG_MOVED};
    assert_false(diag_change(c.words, c.count, c.words, c.count, &change));
    assert_string_equal(diag_change_words(&arena, &change), "");
    change.did = DIAG_MOVED;
    assert_false(diag_change(c.words, c.count, c.words, 7, &change)); // no module
    assert_string_equal(diag_change_words(&arena, &change), "");
    // Sizes alone say little: an empty selection went.
    struct diag_signature s;
    struct judge_verdict v = {.klass = JUDGE_WRONG_MEMORY, .has_place = true, .set = c.buffer[0].set,
                            .binding = c.buffer[0].binding};
    diag_signature(&c, &v, "mutant:x", NULL, NULL, NULL, &s);
    diag_signature_probed(&s, DIAG_ANY, &(struct diag_pattern){.extra = {.rules = 1u << DIAG_M4}});
    char before[sizeof s.text];
    strcpy(before, s.text);
    diag_signature_changed(&s, &c, c.words, c.count);
    assert_string_equal(s.text, before); // nothing seen: what is known counts
    const uint32_t *out;
    size_t count;
    mut_compile(&arena, mut_find("sink-into-loop"), c.words, c.count, &out, &count);
    diag_signature_changed(&s, &c, out, count);
    assert_string_equal(s.text, "2|mutant|wrong-code||moved, loop: before -> in||");
    assert_string_equal(diag_place_words(&arena, &s), "moved a group operation (from before the loop to inside the loop)");
    assert_non_null(strstr(diag_sentence(&arena, &s), "moved a group operation"));
}

// An operation stands in an arm that continues the loop, the same one after that selection and another before it, all within one
// more selection: only its place relative to the inner selection distinguishes the last operation from the one before.
static void after_an_arm_that_leaves(void **state)
{
    (void)state;
    static const char assembly[] =
        "OpCapability Shader\n"
        "OpCapability GroupNonUniformArithmetic\n"
        "OpExtension \"SPV_KHR_maximal_reconvergence\"\n"
        "OpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %1 \"main\" %2\n"
        "OpExecutionMode %1 LocalSize 3 1 1\n"
        "OpExecutionMode %1 MaximallyReconvergesKHR\n"
        "OpDecorate %3 ArrayStride 4\n"
        "OpDecorate %4 Block\n"
        "OpMemberDecorate %4 0 Offset 0\n"
        "OpDecorate %5 DescriptorSet 0\n"
        "OpDecorate %5 Binding 1\n"
        "OpDecorate %2 BuiltIn SubgroupLocalInvocationId\n"
        "%6 = OpTypeVoid\n"
        "%7 = OpTypeBool\n"
        "%8 = OpTypeInt 32 0\n"
        "%9 = OpConstant %8 3\n"
        "%10 = OpTypePointer StorageBuffer %8\n"
        "%3 = OpTypeRuntimeArray %8\n"
        "%4 = OpTypeStruct %3\n"
        "%11 = OpTypePointer StorageBuffer %4\n"
        "%5 = OpVariable %11 StorageBuffer\n"
        "%12 = OpTypePointer Input %8\n"
        "%2 = OpVariable %12 Input\n"
        "%13 = OpTypeFunction %6\n"
        "%14 = OpConstant %8 0\n"
        "%15 = OpConstant %8 1\n"
        "%16 = OpConstantFalse %7\n"
        "%1 = OpFunction %6 None %13\n"
        "%17 = OpLabel\n"
        "%18 = OpLoad %8 %2\n"
        "%19 = OpGroupNonUniformElect %7 %9\n"
        "%20 = OpLogicalNot %7 %19\n"
        "OpSelectionMerge %21 None\n"
        "OpBranchConditional %20 %22 %21\n"
        "%22 = OpLabel\n"
        "OpBranch %23\n"
        "%23 = OpLabel\n"
        "OpLoopMerge %24 %25 None\n"
        "OpBranch %26\n"
        "%26 = OpLabel\n"
        "%27 = OpBitwiseAnd %8 %18 %15\n"
        "%28 = OpINotEqual %7 %27 %14\n"
        "OpSelectionMerge %29 None\n"
        "OpBranchConditional %28 %30 %29\n"
        "%30 = OpLabel\n"
        "%31 = OpGroupNonUniformElect %7 %9\n"
        "OpBranch %25\n"
        "%29 = OpLabel\n"
        "%32 = OpGroupNonUniformElect %7 %9\n"
        "%33 = OpSelect %8 %32 %15 %14\n"
        "%34 = OpAccessChain %10 %5 %14 %14\n"
        "OpStore %34 %33\n"
        "OpBranch %25\n"
        "%25 = OpLabel\n"
        "OpBranchConditional %16 %23 %24\n"
        "%24 = OpLabel\n"
        "OpBranch %21\n"
        "%21 = OpLabel\n"
        "OpReturn\n"
        "OpFunctionEnd\n";
    const uint32_t *words, *out;
    size_t n, count;
    struct diag_change change;
    struct err e = {{0}};
    if (!spv_assemble(tools, &arena, assembly, strlen(assembly), 1, &words, &n, &e))
        fail_msg("%s", e.msg);
    assert_true(mut_compile(&arena, mut_find("hoist-common-op"), words, n, &out, &count) > 0);
    assert_true(diag_change(words, n, out, count, &change));
    assert_string_equal(diag_change_words(&arena, &change), "merged, if: in -> before");
}

// What is done to the operations of one name: which bug an operation shows.
static void one_operation(void **state)
{
    (void)state;
    static const struct {
        const char *mutant;
        uint16_t op;
        unsigned what;
    } rows[] = {
        {"fold-elect", SpvOpGroupNonUniformElect, DIAG_OP_FEWER},
        {"hoist-out-of-arm", SpvOpGroupNonUniformBallot, DIAG_OP_ELSEWHERE},
        {"tail-merge-arms", SpvOpGroupNonUniformBallot, DIAG_OP_ELSEWHERE | DIAG_OP_FEWER},
        {"duplicate-into-arms", SpvOpGroupNonUniformBallot, DIAG_OP_ELSEWHERE | DIAG_OP_MORE},
        {"reuse-in-branch", SpvOpGroupNonUniformBallot, DIAG_OP_FEWER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spv_module m;
        const uint32_t *out;
        size_t n;
        uint32_t seen = 0;
        struct spv_case c = read_case(rows[i].mutant);
        assert_true(mut_compile(&arena, mut_find(rows[i].mutant), c.words, c.count, &out, &n) > 0);
        assert_true(spv_module_read(&arena, c.words, c.count, &m, NULL));
        for (uint32_t k = 0; k < m.inst_count; k++) {
            const uint32_t id = m.insts[k].result;
            if (m.insts[k].op != rows[i].op)
                continue;
            assert_int_equal(diag_change_of_op(c.words, c.count, id, out, n), rows[i].what);
            assert_int_equal(diag_change_of_op(c.words, c.count, id, c.words, c.count), 0);
            assert_int_equal(diag_change_of_op(c.words, c.count, id, out, 7), 0); // no module
            seen++;
        }
        assert_true(seen > 0);
    }
}

// The loop is left from a case of a switch alone, whose header so dominates what comes after the
// loop. That is in the switch after the loop, and moved in front of it; it is not in the first one.
static void after_a_loop_left_from_a_case(void **state)
{
    (void)state;
    static const char head[] =
        "OpCapability Shader\nOpCapability GroupNonUniformBallot\n"
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %lane_in\n"
        "OpExecutionMode %main LocalSize 8 1 1\nOpDecorate %lane_in BuiltIn LocalInvocationIndex\n"
        "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"
        "%uvec4 = OpTypeVector %uint 4\n%fn = OpTypeFunction %void\n"
        "%in_ptr = OpTypePointer Input %uint\n%u3 = OpConstant %uint 3\n"
        "%true = OpConstantTrue %bool\n%lane_in = OpVariable %in_ptr Input\n"
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n%lane = OpLoad %uint %lane_in\n"
        "OpBranch %loop\n%loop = OpLabel\nOpLoopMerge %after %cont None\nOpBranch %body\n"
        "%body = OpLabel\nOpSelectionMerge %cont None\nOpSwitch %lane %cont 1 %case\n"
        "%case = OpLabel\nOpBranch %after\n%cont = OpLabel\nOpBranch %loop\n%after = OpLabel\n";
    static const char *const rest[] = {
        "OpSelectionMerge %end None\nOpSwitch %lane %end 1 %one\n%one = OpLabel\n"
        "%op = OpGroupNonUniformBallot %uvec4 %u3 %true\nOpBranch %end\n",
        "%op = OpGroupNonUniformBallot %uvec4 %u3 %true\n"
        "OpSelectionMerge %end None\nOpSwitch %lane %end 1 %one\n%one = OpLabel\nOpBranch %end\n"};
    const uint32_t *words[2];
    size_t count[2];
    struct diag_change change;
    for (int k = 0; k < 2; k++) {
        const char *module = arena_printf(&arena, "%s%s%%end = OpLabel\nOpReturn\nOpFunctionEnd\n",
                                          head, rest[k]);
        struct err e = {0};
        if (!spv_assemble(tools, &arena, module, strlen(module), 1, &words[k], &count[k], &e))
            fail_msg("%s", e.msg);
    }
    assert_true(diag_change(words[0], count[0], words[1], count[1], &change));
    assert_string_equal(diag_change_words(&arena, &change), "moved, switch: in -> before");
}

// What one compiler does is the same over another construct, and with what is no matter beside it.
static void in_another_form(void **state)
{
    (void)state;
    static const char head[] =
        "OpCapability Shader\nOpCapability GroupNonUniformBallot\n"
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %lane_in\n"
        "OpExecutionMode %main LocalSize 8 1 1\nOpDecorate %lane_in BuiltIn LocalInvocationIndex\n"
        "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
        "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
        "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"
        "%uvec4 = OpTypeVector %uint 4\n%fn = OpTypeFunction %void\n%words = OpTypeRuntimeArray %uint\n"
        "%block = OpTypeStruct %words\n%block_ptr = OpTypePointer StorageBuffer %block\n"
        "%out = OpVariable %block_ptr StorageBuffer\n%uint_ptr = OpTypePointer StorageBuffer %uint\n"
        "%in_ptr = OpTypePointer Input %uint\n%var_ptr = OpTypePointer Function %uint\n"
        "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u3 = OpConstant %uint 3\n"
        "%true = OpConstantTrue %bool\n%lane_in = OpVariable %in_ptr Input\n"
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
        "%i = OpVariable %var_ptr Function\n%v = OpVariable %var_ptr Function\n"
        "%lane = OpLoad %uint %lane_in\n%low = OpULessThan %bool %lane %u1\n"
        "%p = OpAccessChain %uint_ptr %out %u0 %lane\n";
    // Who goes round once more, and in the body the operation.
    static const char loop[] = "OpStore %i %u0\nOpBranch %l\n%l = OpLabel\nOpLoopMerge %m %c None\nOpBranch %h\n"
                               "%h = OpLabel\n%n = OpLoad %uint %i\n%less = OpULessThan %bool %n %lane\n"
                               "OpBranchConditional %less %b %m\n%b = OpLabel\n";
#define BALLOT(id) "%" id " = OpGroupNonUniformBallot %uvec4 %u3 %true\n"
#define SHOW(id) "%x" id " = OpCompositeExtract %uint %" id " 0\nOpStore %p %x" id "\n"
    static const struct {
        const char *mutant, *before, *body, *text;
    } rows[] = {
        // Who is not in the arm that returns: the other arm.
        {"hoist-out-of-arm", "",
         "OpSelectionMerge %m None\nOpBranchConditional %low %a %m\n%a = OpLabel\nOpReturn\n%m = OpLabel\n"
         BALLOT("op") SHOW("op"), "moved, if: in -> before"},
        {"hoist-out-of-case", "",
         "OpSelectionMerge %m None\nOpSwitch %lane %m 0 %a\n%a = OpLabel\nOpReturn\n%m = OpLabel\n"
         BALLOT("op") SHOW("op"), "moved, switch: in -> before"},
        // After a loop, some of which had it on their way out.
        {"partial-redundancy", "",
         "OpBranch %l\n%l = OpLabel\nOpLoopMerge %m %c None\nOpBranch %h\n%h = OpLabel\n"
         "OpSelectionMerge %s None\nOpBranchConditional %low %a %s\n%a = OpLabel\n" BALLOT("one") "OpBranch %m\n"
         "%s = OpLabel\nOpBranch %m\n%c = OpLabel\nOpBranch %l\n%m = OpLabel\n" BALLOT("op") SHOW("op"),
         "reused, by a phi"},
        // A switch that goes nowhere else is none.
        {"hoist-common-op", "",
         "OpSelectionMerge %m None\nOpBranchConditional %low %a %b\n%a = OpLabel\n" BALLOT("one")
         "OpBranch %m\n%b = OpLabel\n" BALLOT("op") SHOW("op") "OpBranch %m\n%m = OpLabel\n"
         "OpSelectionMerge %e None\nOpSwitch %lane %e\n%e = OpLabel\n", "merged, if: in -> before"},
        // A selection in a loop is copied with it.
        {"unroll-with-remainder", loop, BALLOT("op")
         "OpSelectionMerge %e None\nOpBranchConditional %true %a %e\n%a = OpLabel\n" SHOW("op")
         "OpReturn\n%e = OpLabel\nOpBranch %c\n%c = OpLabel\n%more = OpIAdd %uint %n %u1\nOpStore %i %more\n"
         "OpBranch %l\n%m = OpLabel\n", "copied, loops+"},
        // The first of two stores, and the second of the same value.
        {"loop-value-lost", loop, "OpBranch %c\n%c = OpLabel\n" BALLOT("op") "%x = OpCompositeExtract %uint %op 0\n"
         "OpStore %v %x\nOpStore %i %x\nOpBranch %l\n%m = OpLabel\n%y = OpLoad %uint %v\nOpStore %p %y\n",
         "a stored value lost"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint32_t *words, *out;
        size_t n, count;
        struct diag_change change;
        struct err e = {{0}};
        const char *module = arena_printf(&arena, "%s%s%sOpReturn\nOpFunctionEnd\n", head, rows[k].before, rows[k].body);
        if (!spv_assemble(tools, &arena, module, strlen(module), 1, &words, &n, &e))
            fail_msg("%s: %s", rows[k].mutant, e.msg);
        if (!mut_compile(&arena, mut_find(rows[k].mutant), words, n, &out, &count))
            fail_msg("%s does nothing", rows[k].mutant);
        assert_true(diag_change(words, n, out, count, &change));
        assert_string_equal(diag_change_words(&arena, &change), rows[k].text);
    }
#undef BALLOT
#undef SHOW
}

// naga's entry point calls a function that has all, its loops are bounded by branches with merge instructions, and it says
// broadcasts as shuffles: no operation moves by that, and one that does is seen.
static void said_in_another_way(void **state)
{
    (void)state;
    static const char head[] =
        "OpCapability Shader\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n"
        "%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%true = OpConstantTrue %bool\n%u3 = OpConstant %uint 3\n"
        "%v4 = OpTypeVector %uint 4\n%fn = OpTypeFunction %void\n",
        op[] = "%op = OpGroupNonUniformBallot %v4 %u3 %true\n", open[] = "OpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\n",
        shut[] = "OpBranch %m\n%m = OpLabel\n", end[] = "OpReturn\nOpFunctionEnd\n",
        cast[] = "%c = OpGroupNonUniformBroadcast %uint %u3 %u3 %u3\n", shuffle[] = "%s = OpGroupNonUniformShuffle %uint %u3 %u3 %u3\n",
        loop[] = "OpBranch %l\n%l = OpLabel\nOpLoopMerge %m %k None\nOpBranch %b\n%b = OpLabel\n", leave[] = "OpBranchConditional %true %m %d\n%d = OpLabel\n",
        of[] = "OpSelectionMerge %e None\nOpSwitch %u3 %e 0 %s\n%s = OpLabel\n", over[] = "%e = OpLabel\n",
        round[] = "OpBranch %k\n%k = OpLabel\nOpBranch %l\n%m = OpLabel\n",
        main_is[] = "%main = OpFunction %void None %fn\n%x = OpLabel\n", other_is[] = "%f = OpFunction %void None %fn\n%x = OpLabel\n",
        call[] = "%main = OpFunction %void None %fn\n%y = OpLabel\n%z = OpFunctionCall %void %f\n";
    const struct {
        const char *text, *in, *out;
    } rows[] = {
        {"", arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, op, shut, end),
         arena_printf(&arena, "%s%s%s%s%s%s%s%s", head, other_is, open, op, shut, end, call, end)},
        {"moved, if: in -> behind", arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, op, shut, end),
         arena_printf(&arena, "%s%s%s%s%s%s%s%s", head, other_is, open, shut, op, end, call, end)},
        // A broadcast said as a shuffle is the same; what moves with it is seen.
        {"", arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, cast, shut, end),
         arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, shuffle, shut, end)},
        {"moved, if: in -> behind", arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, cast, shut, end),
         arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, shut, shuffle, end)},
        {"Shuffle new for a value", arena_printf(&arena, "%s%s%s%s%s%s", head, main_is, open, cast, shut, end),
         arena_printf(&arena, "%s%s%s%s%s%s%s", head, main_is, open, cast, shuffle, shut, end)},
        // A merge instruction before a branch that leaves a loop or stays makes no selection of it.
        {"", arena_printf(&arena, "%s%s%s%s%s%s%s", head, main_is, loop, leave, op, round, end),
         arena_printf(&arena, "%s%s%sOpSelectionMerge %%d None\n%s%s%s%s", head, main_is, loop, leave, op, round, end)},
        // What a case does on its way out of a loop is not moved where it leaves the switch alone.
        {"branch: a loop's merge -> a switch's merge", arena_printf(&arena, "%s%s%s%s%sOpBranch %%m\n%s%s%s", head, main_is, loop, of, op, over, round, end),
         arena_printf(&arena, "%s%s%s%s%sOpBranch %%e\n%s%s%s", head, main_is, loop, of, op, over, round, end)},
        // Called twice it is not around all.
        {"moved, call: apart -> in", arena_printf(&arena, "%s%s%s%s", head, main_is, op, end),
         arena_printf(&arena, "%s%s%s%s%s%%w = OpFunctionCall %%void %%f\n%s", head, other_is, op, end, call, end)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint32_t *in, *out;
        size_t n, count;
        struct diag_change change;
        struct err e = {{0}};
        if (!spv_assemble(tools, &arena, rows[k].in, strlen(rows[k].in), 1, &in, &n, &e) ||
            !spv_assemble(tools, &arena, rows[k].out, strlen(rows[k].out), 1, &out, &count, &e))
            fail_msg("%zu: %s", k, e.msg);
        diag_change(in, n, out, count, &change);
        assert_string_equal(diag_change_words(&arena, &change), rows[k].text);
    }
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_compiler), cmocka_unit_test(nothing), cmocka_unit_test(in_another_form),
                                       cmocka_unit_test(after_an_arm_that_leaves),
                                       cmocka_unit_test(after_a_loop_left_from_a_case), cmocka_unit_test(one_operation),
                                       cmocka_unit_test(said_in_another_way)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    arena_free(&arena);
    return failed;
}
