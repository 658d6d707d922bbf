// SPDX-License-Identifier: Apache-2.0
//
// Reasons of very small cases, which few control programs show: each is found where it is true, and not
// where another mistake leaves the same words. The targets run in this process.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/experiment.h"
#include "mutants/mutants.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;

// A program with one buffer `out`, and what the rest declares.
#define HEAD(width, words, more)                                                                   \
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero " words \
    "\nOpCapability Shader\nOpCapability GroupNonUniformBallot\n"                                  \
    "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformPartitionedEXT\n"         \
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_NV_shader_subgroup_partitioned\"\n" \
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %lane_in %out\n"         \
    "OpExecutionMode %main LocalSize " width " 1 1\n"                                              \
    "OpExecutionMode %main MaximallyReconvergesKHR\nOpDecorate %words ArrayStride 4\n"             \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"                                \
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"                                 \
    "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n"                                      \
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n"     \
    "%v4 = OpTypeVector %u 4\n%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"      \
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"             \
    "%pi = OpTypePointer Input %u\n%pf = OpTypePointer Function %u\n%lane_in = OpVariable %pi Input\n" \
    "%out = OpVariable %pb StorageBuffer\n%zero = OpConstant %u 0\n%one = OpConstant %u 1\n"       \
    "%three = OpConstant %u 3\n%yes = OpConstantTrue %bool\n%main = OpFunction %void None %f\n"    \
    "%start = OpLabel\n" more "OpReturn\nOpFunctionEnd\n"

// One lane, and a ballot of true.
static const char alone[] = HEAD("1", "1",
                                 "%b = OpGroupNonUniformBallot %v4 %three %yes\n"
                                 "%x = OpCompositeExtract %u %b 0\n"
                                 "%p = OpAccessChain %pw %out %zero %zero\nOpStore %p %x\n");

// A sum in a loop that lane 0 executes twice, used only after it.
static const char sunk[] =
    HEAD("2", "2",
         "%i = OpVariable %pf Function\n%s = OpVariable %pf Function\n%lane = OpLoad %u %lane_in\n"
         "OpStore %i %zero\nOpBranch %loop\n%loop = OpLabel\nOpLoopMerge %end %next None\n"
         "OpBranch %body\n%body = OpLabel\nOpBranch %next\n%next = OpLabel\n"
         "%low = OpIEqual %bool %lane %zero\n%at = OpLoad %u %i\n"
         "%sum = OpGroupNonUniformIAdd %u %three Reduce %at\nOpStore %s %sum\nOpStore %i %one\n"
         "%first = OpULessThan %bool %at %one\n%again = OpLogicalAnd %bool %first %low\n"
         "OpBranchConditional %again %loop %end\n%end = OpLabel\n%x = OpLoad %u %s\n"
         "%p = OpAccessChain %pw %out %zero %lane\nOpStore %p %x\n");

// A value that is stored in a loop: without the store it is undefined, as it is if the loop is skipped.
static const char lost[] =
    HEAD("1", "1",
         "%i = OpVariable %pf Function\n%s = OpVariable %pf Function\nOpStore %i %zero\nOpBranch %loop\n"
         "%loop = OpLabel\nOpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n"
         "%at = OpLoad %u %i\n%more = OpULessThan %bool %at %one\n"
         "OpBranchConditional %more %body %end\n%body = OpLabel\n"
         "%b = OpGroupNonUniformBallot %v4 %three %yes\n%x = OpCompositeExtract %u %b 0\n"
         "OpStore %s %x\nOpBranch %next\n%next = OpLabel\nOpStore %i %x\nOpBranch %loop\n"
         "%end = OpLabel\n%y = OpLoad %u %s\n%p = OpAccessChain %pw %out %zero %zero\nOpStore %p %y\n");

// A sum over the parts of one case's lanes: undefined if the partition has other lanes.
static const char parts[] =
    HEAD("2", "2",
         "%lane = OpLoad %u %lane_in\nOpSelectionMerge %end None\nOpSwitch %lane %end 0 %zeroth 1 %other\n"
         "%zeroth = OpLabel\n%part = OpGroupNonUniformPartitionEXT %v4 %three\n"
         "%sum = OpGroupNonUniformIAdd %u %three PartitionedReduceEXT %one %part\nOpBranch %end\n"
         "%other = OpLabel\nOpBranch %end\n%end = OpLabel\n");

// A sum, and a ballot whose lanes matter to nothing.
static const char harmless[] =
    HEAD("2", "2",
         "%lane = OpLoad %u %lane_in\nOpSelectionMerge %end None\nOpSwitch %lane %end 0 %zeroth 1 %other\n"
         "%zeroth = OpLabel\n%b = OpGroupNonUniformBallot %v4 %three %yes\n"
         "%sum = OpGroupNonUniformIAdd %u %three Reduce %one\nOpBranch %end\n"
         "%other = OpLabel\nOpBranch %end\n%end = OpLabel\n");

static void parse(struct arena *a, const char *text, struct spv_case *out)
{
    struct err e;
    if (!spv_case_parse(tools, a, "case", text, strlen(text), out, &e) ||
        !spv_validate(tools, SPV_ENV_VULKAN_1_3, out->words, out->count, &e))
        fail_msg("%s", e.msg);
}

static void read_case(struct arena *a, const char *name, struct spv_case *out)
{
    struct err e;
    const char *source = getenv("SOURCE_DIR");
    const char *path = arena_printf(a, "%s/corpus/%s.spvasm", source ? source : ".", name);
    if (!spv_case_read(tools, a, path, out, &e))
        fail_msg("%s", e.msg);
}

// A target of this process.
struct target {
    const char *compiler; // this mutant's compiler; NULL: none
    enum orc_fault fault; // a machine with this fault
    bool stuck;           // word 0 of the last buffer is always 15
    bool spoils;          // ... is 2 more than it must be in programs without OpGroupNonUniformIAdd or a store in a loop
    bool crashes;         // it stops at OpGroupNonUniformIAdd
    uint32_t asked;
};

static bool has(struct arena *a, const struct spv_case *c, SpvOp op)
{
    struct spv_module m;
    bool is = false;
    assert_true(spv_module_read(a, c->words, c->count, &m, NULL));
    for (uint32_t i = 0; i < m.inst_count; i++)
        is |= m.insts[i].op == op;
    return is;
}

static void compile(struct arena *a, const char *name, const struct spv_case *c, struct spv_case *out)
{
    const struct mut_mutant *all;
    const uint32_t n = mut_all(&all);
    *out = *c;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0) {
            mut_compile(a, &all[i], c->words, c->count, &out->words, &out->count);
            return;
        }
    fail_msg("%s", name);
}

static bool ask(void *user, struct arena *a, const struct spv_case *c, struct experiment_answer *out)
{
    struct target *t = user;
    struct orc_result right, made;
    struct spv_case with = *c;
    orc_predict(a, c, c->subgroup, NULL, &right);
    if (right.why.status != RAN_OK || !spv_validate(tools, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL))
        return false;
    t->asked++;
    *out = (struct experiment_answer){.verdict.klass = JUDGE_CRASH};
    if (t->compiler) {
        compile(a, t->compiler, c, &with);
        out->output = with.words;
        out->output_count = with.count;
    }
    orc_predict(a, &with, c->subgroup, &(struct orc_options){.fault = t->fault}, &made);
    if (made.why.status != RAN_OK || (t->crashes && has(a, c, SpvOpGroupNonUniformIAdd)))
        return true;
    uint32_t *word = &made.memory[c->buffer_count - 1].words[0];
    *word = t->stuck ? 15 : *word + (t->spoils && !has(a, c, SpvOpGroupNonUniformIAdd) ? 2 : 0);
    judge_compare(c, right.memory, made.memory, c->buffer_count, &out->verdict);
    out->expected = right.memory;
    out->observed = made.memory;
    return true;
}

// Finds the reason of a case on a target. `extra`: the rule by which a probe shows extra lanes; or none.
static bool reason(struct arena *a, struct target *t, const struct spv_case *c, enum diag_rule extra,
                   struct diag_reason *out)
{
    struct experiment_answer x;
    struct diag_signature s;
    const struct experiment_target asked = {t, ask, NULL, NULL};
    assert_true(ask(t, a, c, &x));
    diag_signature(c, &x.verdict, "mutant:x", NULL, NULL, t->compiler, &s);
    if (x.output)
        diag_signature_changed(&s, c, x.output, x.output_count);
    if (extra) {
        s.probed = true;
        s.about = DIAG_ANY_OP;
        s.pattern.extra.rules = 1u << extra;
    }
    return x.observed ? diag_reason_tested(c, x.expected, x.observed, &s, &asked, out)
                      : diag_reason_exposed(c, &s, &asked, out);
}

// All lanes of the ballot exist but the upper half: width 4 of 8. Both faults leave the same words.
static void a_missing_half(void **state)
{
    static const enum orc_fault faults[] = {ORC_FAULT_MISSING_HALF, ORC_FAULT_MISSING_IN_BALLOT};
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct diag_reason is;
    read_case(&a, "mutants/missing-half-in-ballot", &c);
    for (int k = 0; k < 2; k++) {
        struct target t = {.fault = faults[k]};
        assert_true(reason(&a, &t, &c, DIAG_NO_RULE, &is));
        assert_int_equal(is.why, DIAG_ABSENT_LANES);
        assert_int_equal(is.hypothesis.fault, faults[k]);
    }
    arena_free(&a);
}

// What is stored is changed in control programs, and what an image operation uses.
static void stored_values(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct spv_module m;
    struct tweaks all;
    struct diag_reason is;
    uint32_t stores = 0, texels = 0;
    struct target t = {.compiler = "fold-ballot-of-true"}, stuck = {.stuck = true};
    parse(&a, alone, &c);
    assert_true(reason(&a, &t, &c, DIAG_NO_RULE, &is));
    assert_int_equal(is.why, DIAG_WHOLE_SUBGROUP);
    for (uint32_t i = 0; i < is.controls; i++)
        stores += is.control[i].tweak.opcode == SpvOpStore;
    assert_int_equal(stores, 1);
    assert_false(reason(&a, &stuck, &c, DIAG_NO_RULE, &is)); // 15 whatever is stored
    read_case(&a, "mutants/texel-kept", &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    tweaks_of(&a, &c, &m, false, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct diag_tweak *x = &all.v[i];
        texels += x->opcode == SpvOpImageWrite && x->kind == DIAG_TWEAK_COMPLEMENT && x->operand == 2;
        assert_false(x->opcode == SpvOpStore && x->kind == DIAG_TWEAK_COMPLEMENT && x->operand != 1);
        assert_false(x->opcode == SpvOpImageWrite && x->operand == 0 && x->kind != DIAG_TWEAK_GONE);
    }
    assert_true(texels > 0);
    arena_free(&a);
}

// A probe shows which lanes are counted, no hypothesis the words: the compiler's move is tested.
static void a_move(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct diag_reason is;
    struct target t = {.compiler = "sink-out-of-loop"};
    parse(&a, sunk, &c);
    assert_true(reason(&a, &t, &c, DIAG_M3, &is));
    assert_int_equal(is.why, DIAG_LEFT_LOOP);
    assert_int_equal(is.known, DIAG_BY_CHANGE);
    t.spoils = true; // also wrong without the change
    reason(&a, &t, &c, DIAG_M3, &is);
    assert_int_not_equal(is.why, DIAG_LEFT_LOOP);
    arena_free(&a);
}

// A branch past the loop leaves the same words as a lost store. The compiler changed no branch in the
// one case, and nothing else in the other.
static void no_branch(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct diag_reason is;
    struct target t = {.compiler = "loop-value-lost"}, edge = {.compiler = "switch-continue-is-break"};
    parse(&a, lost, &c);
    assert_true(reason(&a, &t, &c, DIAG_NO_RULE, &is));
    assert_int_equal(is.why, DIAG_VALUE_LOST);
    assert_int_equal(is.known, DIAG_BY_CHANGE);
    read_case(&a, "mutants/switch-continue-is-break", &c);
    assert_true(reason(&a, &edge, &c, DIAG_NO_RULE, &is));
    assert_int_equal(is.why, DIAG_ELSEWHERE);
    assert_int_equal(is.known, DIAG_BY_HYPOTHESIS);
    arena_free(&a);
}

// A machine that stops because of a wrong partition: the partition is stored, without the sum.
static void a_crash(void **state)
{
    static const struct {
        enum orc_fault fault;
        enum diag_why why;
    } rows[] = {{ORC_FAULT_INACTIVE_IN_PARTITION, DIAG_INACTIVE}, {ORC_FAULT_CASES_STAY, DIAG_OTHER_CASE}};
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct spv_module m;
    struct diag_reason is;
    struct diag_control control;
    parse(&a, parts, &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    const struct diag_names names = {&m, NULL};
    for (int k = 0; k < 2; k++) {
        struct target t = {.fault = rows[k].fault};
        assert_true(reason(&a, &t, &c, DIAG_NO_RULE, &is));
        assert_int_equal(is.why, rows[k].why);
        assert_int_equal(is.without.kind, DIAG_TWEAK_GONE);
        assert_int_equal(spv_def(&m, is.shown)->op, SpvOpGroupNonUniformPartitionNV);
        for (uint32_t i = 0; i < is.controls; i++)
            assert_true(is.control[i].tweak.at == UINT32_MAX || is.control[i].tweak.at < m.inst_count);
        assert_non_null(strstr(diag_why_near(&a, &is, &names), "The case itself leaves no memory: these "
                                                               "are the words that it leaves without "));
        assert_true(diag_control_words(&a, &is, &names)[0]);
        for (uint64_t seed = 0; seed < 4; seed++)
            assert_int_not_equal(diag_reason_draw(&c, NULL, &is, seed,
                                                  &(struct experiment_target){&t, ask, NULL, NULL},
                                                  &control),
                                 EXPERIMENT_REFUTED);
    }
    // A right machine that cannot run the sum; a wrong one whose wrong value does no harm to it.
    struct target right = {.crashes = true},
                  wrong = {.crashes = true, .fault = ORC_FAULT_INACTIVE_IN_BALLOT};
    assert_false(reason(&a, &right, &c, DIAG_NO_RULE, &is));
    assert_true(right.asked > 1);
    parse(&a, harmless, &c);
    assert_false(reason(&a, &wrong, &c, DIAG_NO_RULE, &is));
    assert_true(wrong.asked > 1);
    arena_free(&a);
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_half), cmocka_unit_test(stored_values), cmocka_unit_test(a_move),
        cmocka_unit_test(no_branch),      cmocka_unit_test(a_crash),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    return failed;
}
