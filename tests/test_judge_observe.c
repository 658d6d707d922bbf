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
    assert_int_equal(w->p->made.why.status, RAN_OK);
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
    // What nobody expects is as it is there, in every buffer: the module is not run.
    static const char undefined[] = "%some = OpUndef %uint\n" ARM("", STORE) "%z = OpSelect %uint %low %id %some\nOpStore %p %z\n";
    start(&w, "assumed-maximal", "; buffer 0:1 zero 3\n; buffer 0:2 zero 7\n", undefined);
    assert_int_equal(w.p->made.memory[0].mask[2], 0);
    assert_int_equal(judge(&w, undefined), JUDGE_AGREES);
    assert_int_equal(w.r.memory_count, 3);
    for (uint32_t b = 0; b < 3; b++) {
        assert_null(w.r.memory[b].mask);
        assert_int_equal(w.r.memory[b].binding, b);
        assert_int_equal(w.r.memory[b].count, w.in.buffer[b].count);
    }
    // All of it but its end is another module.
    struct shown_policy none = {0};
    w.r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_SPIRV, .words = w.in.words, .word_count = w.in.count - 1};
    judge_result(&w.a, w.tools, w.p, &w.r, &none, &w.j);
    assert_int_equal(w.j.verdict.klass, JUDGE_INVALID_OUTPUT);
    // Whatever stood in the verdict before.
    struct judge_verdict v;
    memset(&v, 0xaa, sizeof v);
    assert_false(observe_module(&w.a, w.tools, w.p, &w.p->policy, w.p->made.memory, &w.r, &v));
    assert_int_equal(v.repair_at, 0);
    assert_false(v.has_place);
    stop(&w);
    // What the case tells itself is not what the module does: it is run all the same.
    start(&w, "assumed-maximal", "; expect 0:0 u32 0 7 0 0 0\n", ARM("", STORE));
    assert_int_equal(judge(&w, ARM("", STORE)), JUDGE_WRONG_MEMORY);
    assert_string_equal(w.j.verdict.text, "buffer 0:0, word 1: expected 7 (0x7), observed 1 (0x1)");
    stop(&w);
    start(&w, "assumed-maximal", "; expect 0:0 u32 0x0 0x7 0x0 0x0 0x0\n", ARM("", STORE));
    assert_int_equal(judge(&w, ARM("", STORE)), JUDGE_WRONG_MEMORY);
    assert_true(w.r.memory[0].hex); // it is shown as it was told
    stop(&w);
}

// A compiler's module is dispatched by the name of the input's first GLCompute entry point.
static void read_entries(struct world *w, const char *before, const char *entries, const char *names, struct spv_case *c)
{
    struct err e = {0};
    const char *text = arena_printf(&w->a, "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model assumed-maximal\n; buffer 0:0 zero 1\n\n"
        "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%sOpMemoryModel Logical GLSL450\n%s%s"
        "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
        "%%a = OpFunction %%void None %%fn\n%%la = OpLabel\nOpReturn\nOpFunctionEnd\n"
        "%%b = OpFunction %%void None %%fn\n%%lb = OpLabel\nOpReturn\nOpFunctionEnd\n", before, entries, names);
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), c, &e))
        fail_msg("%s\n%s", e.msg, text);
}

static void test_entries(void **state)
{
    (void)state;
#define COMPUTE(f, name) "OpEntryPoint GLCompute %" f " \"" name "\"\n"
#define VERTEX(f, name) "OpEntryPoint Vertex %" f " \"" name "\"\n"
#define MODE(f) "OpExecutionMode %" f " LocalSize 4 1 1\n"
// Five ids before all others: the last one is 5, the number of GLCompute.
#define FIVE(last) "%i1 = OpExtInstImport \"GLSL.std.450\"\n%i2 = OpExtInstImport \"GLSL.std.450\"\n%i3 = OpExtInstImport \"GLSL.std.450\"\n" \
    "%i4 = OpExtInstImport \"GLSL.std.450\"\n%i5 = OpExtInstImport \"" last "\"\n"
    static const struct {
        const char *before, *in, *out, *gone, *names;
    } rows[] = {
        {"", COMPUTE("a", "main") MODE("a"), COMPUTE("b", "main") MODE("b"), NULL, ""},
        {"", COMPUTE("a", "main") MODE("a"), COMPUTE("a", "other") MODE("a"), "main", ""},
        {"", COMPUTE("a", "one") COMPUTE("b", "two") MODE("a") MODE("b"), COMPUTE("a", "one") MODE("a"), NULL, ""},
        {"", COMPUTE("a", "one") COMPUTE("b", "two") MODE("a") MODE("b"), COMPUTE("b", "two") MODE("b"), "one", ""},
        {"", COMPUTE("a", "one") MODE("a"), COMPUTE("b", "two") COMPUTE("a", "one") MODE("a") MODE("b"), NULL, ""},
        {"", VERTEX("b", "shown") COMPUTE("a", "main") MODE("a"), COMPUTE("a", "main") MODE("a"), NULL, ""},
        {"", COMPUTE("a", "main") MODE("a"), VERTEX("b", "main") COMPUTE("a", "other") MODE("a"), "main", ""},
        {FIVE("GLSL.std.450"), COMPUTE("a", "main") MODE("a"), COMPUTE("b", "main") MODE("b"), NULL, ""},
        {FIVE("NonSemantic.main"), COMPUTE("a", "emantic.main") MODE("a"), COMPUTE("a", "main") MODE("a"), "emantic.main", ""},
        // A member of %5 that is named so is none.
        {"%i1 = OpExtInstImport \"GLSL.std.450\"\n%i2 = OpExtInstImport \"GLSL.std.450\"\n%i3 = OpExtInstImport \"GLSL.std.450\"\n", COMPUTE("a", "main") MODE("a"), COMPUTE("a", "other") MODE("a"), "main",
         "OpMemberName %s 0 \"main\"\n%word = OpTypeInt 32 0\n%s = OpTypeStruct %word\n"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct world w = {.tools = spv_tools_new()};
        struct spv_case made;
        struct shown_policy shown = {0};
        read_entries(&w, rows[k].before, rows[k].in, "", &w.in);
        read_entries(&w, rows[k].before, rows[k].out, rows[k].names, &made);
        w.p = judge_predict(&w.a, &w.in, 1, 4, SPV_POLICY_JOIN);
        assert_int_equal(w.p->made.why.status, RAN_OK);
        w.r = (struct run_result){.status = RUN_OK, .form = RUN_FORM_SPIRV, .words = made.words, .word_count = made.count};
        judge_result(&w.a, w.tools, w.p, &w.r, &shown, &w.j);
        if (w.j.verdict.klass != (rows[k].gone ? JUDGE_INVALID_OUTPUT : JUDGE_NOTHING_COMPARED))
            fail_msg("row %zu: %s %s", k, judge_class_name(w.j.verdict.klass), w.j.verdict.text);
        if (rows[k].gone)
            assert_string_equal(w.j.verdict.text, arena_printf(&w.a, "the output has no GLCompute entry point named \"%s\", as the input has", rows[k].gone));
        stop(&w);
    }
}

// What is drawn for a value that is not defined: zeros are among it, what nobody expects does not count, and what no
// draw can tell is said to be open.
#define SOME "%some = OpUndef %uint\n"
#define BRANCH(then) "%odd = OpIEqual %bool %some %u1\nOpSelectionMerge %m None\nOpBranchConditional %odd %t %m\n%t = OpLabel\n" then "OpBranch %m\n%m = OpLabel\n"
#define OLD "%u4 = OpIAdd %uint %u1 %u3\n%q = OpAccessChain %uint_ptr %out %u0 %u4\n%old = OpAtomicIAdd %uint %q %u1 %u0 %u1\n"
static void test_drawn(void **state)
{
    (void)state;
    struct world w;
    start(&w, "assumed-maximal", "", "OpStore %p %id\n");
    assert_int_equal(judge(&w, SOME "%none = OpIEqual %bool %some %u0\n%v = OpSelect %uint %none %u9 %id\nOpStore %p %v\n"), JUDGE_WRONG_MEMORY);
    // The first word alone.
    assert_int_equal(judge(&w, SOME "%none = OpIEqual %bool %some %u0\n%w0 = OpIEqual %bool %id %u0\n%both = OpLogicalAnd %bool %none %w0\n%v = OpSelect %uint %both %u9 %id\nOpStore %p %v\n"), JUDGE_WRONG_MEMORY);
    assert_int_equal(judge(&w, SOME BRANCH("") "OpStore %p %id\n"), JUDGE_AGREES);
    assert_int_equal(judge(&w, SOME BRANCH("OpStore %p %u9\n") "OpStore %p %id\n"), JUDGE_AGREES);
    stop(&w);
    // Lanes 2 and 3 leave what they like.
    static const char two[] = SOME "%v = OpSelect %uint %low %id %some\nOpStore %p %v\n";
    start(&w, "assumed-maximal", "", two);
    assert_int_equal(w.p->made.memory[0].mask[3], 0);
    assert_int_equal(judge(&w, SOME BRANCH("") "%v = OpSelect %uint %low %id %u9\nOpStore %p %v\n"), JUDGE_AGREES);
    assert_int_equal(judge(&w, SOME BRANCH("") "%v = OpSelect %uint %low %u9 %id\nOpStore %p %v\n"), JUDGE_UNDEFINED_OUTPUT);
    stop(&w);
    // Each lane takes another number from 0 to 3, which one is open.
    start(&w, "assumed-maximal", "", OLD "OpStore %p %id\n");
    assert_int_equal(w.p->made.memory[0].words[4], 4);
    assert_int_equal(judge(&w, OLD "OpStore %p %old\n"), JUDGE_UNJUDGED);
    assert_string_equal(w.j.verdict.text, "the output may be right: it leaves values that are only partly known");
    assert_int_equal(judge(&w, OLD "%zero = OpIMul %uint %old %u0\n%v = OpIAdd %uint %zero %id\nOpStore %p %v\n"), JUDGE_AGREES);
    // Whatever it is, a branch on it does nothing.
    assert_int_equal(judge(&w, OLD "%odd = OpIEqual %bool %old %u1\nOpSelectionMerge %m None\nOpBranchConditional %odd %t %m\n%t = OpLabel\n"
                               "OpBranch %m\n%m = OpLabel\nOpStore %p %id\n"), JUDGE_AGREES);
    // It counts only where what is drawn is zero: that draw alone tells that nothing can be told.
    assert_int_equal(judge(&w, OLD SOME "OpStore %p %id\n%none = OpIEqual %bool %some %u0\nOpSelectionMerge %m None\nOpBranchConditional %none %t %m\n%t = OpLabel\n%zero = OpIEqual %bool %old %u0\n"
                               "OpSelectionMerge %m2 None\nOpBranchConditional %zero %t2 %m2\n%t2 = OpLabel\nOpStore %p %u9\nOpBranch %m2\n%m2 = OpLabel\nOpBranch %m\n%m = OpLabel\n"), JUDGE_UNJUDGED);
    // That it is below 4 is more than is known.
    assert_int_equal(judge(&w, OLD "%top = OpUDiv %uint %old %u4\n%v = OpIAdd %uint %top %id\nOpStore %p %v\n"), JUDGE_UNJUDGED);
    assert_int_equal(judge(&w, OLD "%r = OpAccessChain %uint_ptr %out %u0 %old\n%x = OpLoad %uint %r\nOpStore %p %id\n"), JUDGE_UNJUDGED);
    assert_int_equal(strncmp(w.j.verdict.text, "the output may be right: OpLoad %", 33), 0);
    assert_non_null(strstr(w.j.verdict.text, "undefined E-pointer"));
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
    assert_int_equal(judge(&w, COUNT "OpStore %p %n\nOpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n"
                               "%b2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n2 = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b2\n"
                               "OpStore %p %n2\nOpBranch %e\n%e = OpLabel\n"), JUDGE_WRONG_MEMORY);
    assert_string_equal(w.j.verdict.text, "buffer 0:0, word 0: expected 4 (0x4), observed 2 (0x2)");
    // By the letter a branch on it has no meaning; as maximal reconvergence has it all take it.
#define IF_TWO(then) COUNT "OpStore %p %n\nOpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n" \
    "%b2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n2 = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b2\n" \
    "%is = OpIEqual %bool %n2 %u2\nOpSelectionMerge %m None\nOpBranchConditional %is %m %else\n%else = OpLabel\nOpStore %p %u9\nOpBranch %m\n" \
    "%m = OpLabel\n" then "OpBranch %e\n%e = OpLabel\n"
    assert_int_equal(judge(&w, IF_TWO("")), JUDGE_AGREES);
    assert_int_equal(judge(&w, IF_TWO("OpStore %p %n2\n")), JUDGE_WRONG_MEMORY);
    assert_string_equal(w.j.verdict.text, "buffer 0:0, word 0: expected 4 (0x4), observed 2 (0x2)");
    // There, and what is stored is what is expected: 2 and 2 more.
    assert_int_equal(judge(&w, COUNT "OpStore %p %n\nOpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n"
                               "%b2 = OpGroupNonUniformBallot %uvec4 %u3 %true\n%n2 = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %b2\n"
                               "%n4 = OpIAdd %uint %n2 %u2\nOpStore %p %n4\nOpBranch %e\n%e = OpLabel\n"), JUDGE_AGREES);
    stop(&w);
    // Who is elected in a part of a subgroup is a choice: here everybody.
#define ELECTED "OpSelectionMerge %e None\nOpBranchConditional %low %t %e\n%t = OpLabel\n%one = OpGroupNonUniformElect %bool %u3\n" \
    "OpSelectionMerge %m None\nOpBranchConditional %one %s %m\n%s = OpLabel\nOpStore %p %u9\nOpBranch %m\n%m = OpLabel\nOpBranch %e\n%e = OpLabel\n"
    start(&w, "workgroup-uniform", "; policy split\n", ELECTED);
    assert_int_equal(w.p->made.memory[0].words[1], 9);
    assert_int_equal(judge(&w, "OpNop\n" ELECTED), JUDGE_AGREES);
    assert_int_equal(w.j.tried, 0); // under the choices that it was predicted for
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unchanged), cmocka_unit_test(test_repaired),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_weaker),
                                       cmocka_unit_test(test_entries), cmocka_unit_test(test_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
