// SPDX-License-Identifier: Apache-2.0
//
// What a compiler's module leaves in memory (observe.c): unchanged modules, modules that spirv-val refuses and
// what lies behind, modules that promise less. In: one shader of four invocations, each with its own word of 0:0;
// the lines that the compiler put in it are in the rows.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"

static const char head[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %lii %out\n"
    "OpExecutionMode %main LocalSize 4 1 1\n"
    "OpDecorate %lii BuiltIn LocalInvocationIndex\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %out DescriptorSet 0\n"
    "OpDecorate %out Binding 0\n%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"
    "%uvec4 = OpTypeVector %uint 4\n%fn = OpTypeFunction %void\n%words = OpTypeRuntimeArray %uint\n"
    "%block = OpTypeStruct %words\n%block_ptr = OpTypePointer StorageBuffer %block\n"
    "%uint_ptr = OpTypePointer StorageBuffer %uint\n%in_ptr = OpTypePointer Input %uint\n"
    "%true = OpConstantTrue %bool\n%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n"
    "%u2 = OpConstant %uint 2\n%u3 = OpConstant %uint 3\n%u9 = OpConstant %uint 9\n"
    "%out = OpVariable %block_ptr StorageBuffer\n%lii = OpVariable %in_ptr Input\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%id = OpLoad %uint %lii\n"
    "%p = OpAccessChain %uint_ptr %out %u0 %id\n%low = OpULessThan %bool %id %u2\n";
static const char tail[] = "OpReturn\nOpFunctionEnd\n";

struct world {
    struct arena a;
    struct spv_tools *tools;
    struct spv_case in;
    struct prediction *p;
    struct run_result r;
    struct judged j;
};

static void read_case(struct world *w, const char *model, const char *lines, const char *code, struct spv_case *c)
{
    struct err e = {0};
    const char *text = arena_printf(&w->a, "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model %s\n"
                                           "; buffer 0:0 zero 5\n%s\n%s%s%s", model, lines, head, code, tail);
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), c, &e))
        fail_msg("%s\n%s", e.msg, text);
}

// Lanes 0 and 1 store their index, and 9 more with `%v = OpIAdd %uint %id %u9`.
#define ARM(between, body) "OpSelectionMerge %end None\n" between "OpBranchConditional %low %then %end\n%then = OpLabel\n" body \
    "OpBranch %end\n%end = OpLabel\n"
#define STORE "OpStore %p %id\n"

static void start(struct world *w, const char *model, const char *lines, const char *code)
{
    *w = (struct world){.tools = spv_tools_new()};
    read_case(w, model, lines, code, &w->in);
    w->p = judge_predict(&w->a, &w->in, 1, 4, SPV_POLICY_JOIN);
    assert_int_equal(w->p->made.why.status, ORC_OK);
}

static enum judge_class judge(struct world *w, const char *code)
{
    struct spv_case made;
    struct shown_policy shown = {0};
    read_case(w, "assumed-maximal", "", code, &made);
    w->r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_SPIRV, .words = made.words, .word_count = made.count};
    memset(&w->j, 0xaa, sizeof w->j);
    judge_result(&w->a, w->tools, w->p, &w->r, &shown, &w->j);
    return w->j.verdict.klass;
}

static void stop(struct world *w)
{
    spv_tools_free(w->tools);
    arena_free(&w->a);
}

static void test_unchanged(void **state)
{
    (void)state;
    struct world w;
    start(&w, "assumed-maximal", "", ARM("", STORE));
    assert_int_equal(judge(&w, ARM("", STORE)), JUDGE_AGREES);
    assert_int_equal(w.j.verdict.live_bits, 32);
    assert_int_equal(w.r.memory_count, 1);
    assert_int_equal(w.r.memory[0].words[1], 1);
    assert_null(w.r.memory[0].mask); // as a device answers
    // Of the same size, and another module; a larger one.
    assert_int_equal(judge(&w, ARM("", "OpStore %p %u9\n")), JUDGE_WRONG_MEMORY);
    assert_int_equal(judge(&w, ARM("", STORE) ARM("", STORE)), JUDGE_INVALID_OUTPUT); // twice the ids
    assert_int_equal(judge(&w, ARM("", STORE) "%v = OpIAdd %uint %id %u9\nOpStore %p %v\n"), JUDGE_WRONG_MEMORY);
    // A device that maps lanes as it likes, and a shader that does not care.
    struct shown_policy shown = {0};
    w.r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = w.p->made.memory, .memory_count = 1, .maps_lanes = true};
    judge_result(&w.a, w.tools, w.p, &w.r, &shown, &w.j);
    assert_int_equal(w.j.verdict.klass, JUDGE_AGREES);
    stop(&w);
    // What the case tells itself is not what the module does: it is run all the same.
    start(&w, "assumed-maximal", "; expect 0:0 u32 0 7 0 0 0\n", ARM("", STORE));
    assert_int_equal(judge(&w, ARM("", STORE)), JUDGE_WRONG_MEMORY);
    assert_string_equal(w.j.verdict.text, "buffer 0:0, word 1: expected 7 (0x7), observed 1 (0x1)");
    stop(&w);
}

// A merge instruction that is not the last but one is no valid module; the verdict says what the module would be
// with it moved there.
static void test_repaired(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        enum judge_class repaired;
        const char *text;
    } rows[] = {
        {ARM("%k = OpIAdd %uint %id %u1\n", STORE), JUDGE_AGREES, "agrees"},
        {ARM("%k = OpIAdd %uint %id %u1\n", "OpStore %p %k\n"), JUDGE_WRONG_MEMORY, "wrong-memory"},
        {ARM("%k = OpIAdd %uint %id %u1\n", STORE "%q = OpAccessChain %uint_ptr %out %u0 %u9\nOpStore %q %id\n"),
         JUDGE_UNDEFINED_OUTPUT, "OpStore of %"},
        {ARM("%k = OpIAdd %uint %id %u1\n", STORE "%o = OpAtomicIAdd %uint %p %u3 %u0 %u0\n"), JUDGE_SKIPPED, "OpAtomicIAdd %"},
        {ARM("%k = OpIAdd %uint %id %u1\n", STORE) "OpBranch %head\n%head = OpLabel\nOpLoopMerge %out_ %go None\nOpBranch %go\n"
         "%go = OpLabel\nOpBranchConditional %true %head %out_\n%out_ = OpLabel\n", JUDGE_HANG, "it does not end"},
        {ARM("%k = OpIAdd %uint %id %u1\n", "OpStore %p %low\n"), JUDGE_INVALID_OUTPUT, "not valid either"},
    };
    struct world w;
    start(&w, "assumed-maximal", "", ARM("", STORE));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(judge(&w, rows[k].code), JUDGE_INVALID_OUTPUT);
        const struct judge_verdict *v = &w.j.verdict;
        static const char after[] = "; after the merge repair: ";
        assert_true(v->repair_at > 10 && v->repair_at < strlen(v->text));
        assert_int_equal(strncmp(v->text + v->repair_at, after, strlen(after)), 0);
        assert_int_equal(strncmp(v->text + v->repair_at + strlen(after), rows[k].text, strlen(rows[k].text)), 0);
        if (v->repaired != rows[k].repaired)
            fail_msg("row %zu: %s", k, judge_class_name(v->repaired));
    }
    // Nothing to move: nothing is said of it.
    assert_int_equal(judge(&w, ARM("", "OpStore %p %low\n")), JUDGE_INVALID_OUTPUT);
    assert_int_equal(w.j.verdict.repair_at, 0);
    assert_null(strstr(w.j.verdict.text, "repair"));
    assert_true(strlen(w.j.verdict.text) > 10);
    stop(&w);
}

static void test_words(void **state)
{
    (void)state;
    struct world w;
    start(&w, "assumed-maximal", "", ARM("", STORE));
    assert_int_equal(judge(&w, ARM("", STORE) "OpBranch %head\n%head = OpLabel\nOpLoopMerge %out_ %go None\nOpBranch %go\n"
                                              "%go = OpLabel\nOpBranchConditional %true %head %out_\n%out_ = OpLabel\n"), JUDGE_HANG);
    const unsigned long long steps = w.p->made.stats.steps;
    assert_string_equal(w.j.verdict.text, arena_printf(&w.a, "the output does not end: more than %llu instructions in a subgroup, "
                                                             "where all of the input takes %llu", 64 * steps + 200000, steps));
    assert_int_equal(judge(&w, ARM("", STORE "%o = OpAtomicIAdd %uint %p %u3 %u0 %u0\n")), JUDGE_SKIPPED);
    assert_int_equal(strncmp(w.j.verdict.text, "the output cannot be judged: OpAtomicIAdd %", 43), 0);
    assert_int_equal(judge(&w, ARM("", STORE "%q = OpAccessChain %uint_ptr %out %u0 %u9\nOpStore %q %id\n")), JUDGE_UNDEFINED_OUTPUT);
    assert_non_null(strstr(w.j.verdict.text, "undefined E-bounds"));
    // A word more of which nothing is known, where nothing is expected: right. Where something is: wrong, or open.
    assert_int_equal(judge(&w, "%some = OpUndef %uint\n" ARM("", STORE) "%z = OpSelect %uint %low %id %some\nOpStore %p %z\n"), JUDGE_WRONG_MEMORY);
    assert_string_equal(w.j.verdict.text, "buffer 0:0, word 2: expected 0 (0x0), observed no defined value");
    assert_int_equal(judge(&w, "%some = OpUndef %uint\n%none = OpBitwiseAnd %uint %some %u0\n" ARM("", STORE)
                               "%z = OpSelect %uint %low %id %none\nOpStore %p %z\n"), JUDGE_AGREES);
    stop(&w);
}

// A weaker model: the module promises less than its input and is no worse; where it gives another value than
// maximal reconvergence would, it is wrong. Lanes 0 and 1 are counted in an arm that only they reach.
#define COUNT "%b = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b\n"
static void test_weaker(void **state)
{
    (void)state;
    static const char all_store[] = COUNT "OpStore %p %n\n";
    struct world w;
    start(&w, "workgroup-uniform", "", all_store);
    assert_int_equal(w.p->made.memory[0].words[3], 4);
    assert_int_equal(judge(&w, all_store), JUDGE_AGREES);
    assert_int_equal(judge(&w, "OpNop\n" COUNT "OpStore %p %n\n"), JUDGE_AGREES);
    // In a loop's body, that all lanes run once: its own merge promises nothing, and it is right.
    assert_int_equal(judge(&w, "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %c None\nOpBranch %s\n%s = OpLabel\nOpSelectionMerge %e None\n"
                               "OpBranchConditional %low %x %y\n%x = OpLabel\nOpBranch %m\n%y = OpLabel\nOpBranch %m\n%e = OpLabel\nOpBranch %c\n"
                               "%c = OpLabel\nOpBranch %h\n%m = OpLabel\n" COUNT "OpStore %p %n\n"), JUDGE_AGREES);
    // In an arm of lanes 0 and 1: what it leaves is not promised, and would be 2.
    assert_true(judge_class_is_mismatch(judge(&w, COUNT "OpStore %p %n\nOpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n"
                               "%b2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n2 = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b2\n"
                               "OpStore %p %n2\nOpBranch %e\n%e = OpLabel\n")) ||
                w.j.verdict.klass == JUDGE_UNDEFINED_OUTPUT);
    // There, and what is stored is what is expected: 2 and 2 more.
    assert_int_equal(judge(&w, COUNT "OpStore %p %n\nOpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n"
                               "%b2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n2 = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b2\n"
                               "%n4 = OpIAdd %uint %n2 %u2\nOpStore %p %n4\nOpBranch %e\n%e = OpLabel\n"), JUDGE_AGREES);
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unchanged), cmocka_unit_test(test_repaired),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_weaker)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
