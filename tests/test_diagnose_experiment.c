// SPDX-License-Identifier: Apache-2.0
//
// Experiments: the programs, and reasons that survive them or do not. The targets run in this process:
// mutants, on their cases of corpus/mutants, and machines that are wrong in a known way.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/experiment.h"
#include "diagnose/probe_record.h"
#include "mutants/mutants.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;

static void read_case(struct arena *a, const char *name, struct spv_case *out)
{
    struct err e;
    const char *source = getenv("SOURCE_DIR");
    const char *path = arena_printf(a, "%s/corpus/%s.spvasm", source ? source : ".", name);
    if (!spv_case_read(tools, a, path, out, &e))
        fail_msg("%s", e.msg);
}

// A target of this process.
struct machine {
    const struct mut_mutant *mutant;
    uint32_t always; // without a mutant: the word that each group operation of the case leaves
    enum orc_fault fault; // or: it has this fault
    uint16_t from, to; // or: the opcode that is taken for another one
    // Word 0 of the last buffer is also wrong: in all programs, or in those without OpGroupNonUniformIAdd.
    enum { SPOILS_NONE, SPOILS_ALL, SPOILS_WITHOUT } spoils;
    uint32_t lost, after; // or: this value is 5 from the start of this block on
    uint32_t asked;
};

static bool has_sum(struct arena *a, const struct spv_case *c)
{
    struct spv_module m;
    bool has = false;
    assert_true(spv_module_read(a, c->words, c->count, &m, NULL));
    for (uint32_t i = 0; i < m.inst_count; i++)
        has |= m.insts[i].op == SpvOpGroupNonUniformIAdd;
    return has;
}

static void run(const struct machine *k, struct arena *a, const struct spv_case *c,
                const struct orc_result *right, struct experiment_answer *out)
{
    struct orc_result wrong;
    struct orc_why why;
    struct spv_case made = *c;
    struct judge_verdict v = {.klass = JUDGE_UNDEFINED_OUTPUT};
    *out = (struct experiment_answer){.expected = right->memory};
    if (k->from) {
        struct spv_module m;
        uint32_t *words = arena_copy(a, c->words, c->count * sizeof *words);
        assert_true(spv_module_read(a, words, c->count, &m, NULL));
        for (uint32_t i = 0; i < m.inst_count; i++)
            if (m.insts[i].op == k->from) // the result type and the result are before the operands
                words[m.insts[i].v - words - 3] += (uint32_t)k->to - k->from;
        made.words = words;
        orc_predict(a, &made, c->subgroup, NULL, &wrong);
    } else if (k->lost) {
        struct probe_record p;
        assert_true(probe_record(a, c, k->lost, k->after, &p, &made));
        uint32_t *words = ARENA_ARRAY(a, uint32_t, p.invocations * p.words);
        for (uint32_t i = 0; i < p.invocations * p.words; i++)
            words[i] = 5;
        assert_true(probe_given(a, c, &p, words, &made));
        orc_predict(a, &made, c->subgroup, NULL, &wrong);
        wrong.memory++; // without the record
    } else if (k->fault) {
        orc_predict(a, c, c->subgroup, &(struct orc_options){.fault = k->fault}, &wrong);
    } else if (!k->mutant) {
        struct spv_memory *m = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
        for (uint32_t b = 0; b < c->buffer_count; b++) {
            m[b] = right->memory[b];
            m[b].words = arena_copy(a, m[b].words, m[b].count * sizeof *m[b].words);
            for (uint32_t i = 0; i < m[b].count; i++)
                if (m[b].words[i] != c->buffer[b].words[i])
                    m[b].words[i] = k->always;
        }
        wrong = (struct orc_result){.memory = m, .why.status = RAN_OK};
    } else if (k->mutant->kind == MUT_FAULT) {
        mut_run(orc_load(a, c, &why), a, k->mutant, c, c->subgroup, NULL, &wrong);
        for (uint32_t b = 0; b < c->buffer_count && wrong.why.status == RAN_OK; b++)
            wrong.memory[b].mask = NULL; // a device has no mask
    } else {
        mut_compile(a, k->mutant, c->words, c->count, &made.words, &made.count);
        orc_predict(a, &made, c->subgroup, NULL, &wrong);
        out->output = made.words;
        out->output_count = made.count;
    }
    if (k->spoils && wrong.why.status == RAN_OK && (k->spoils == SPOILS_ALL || !has_sum(a, c)))
        wrong.memory[c->buffer_count - 1].words[0] += 2;
    if (wrong.why.status == RAN_OK) {
        judge_compare(c, right->memory, wrong.memory, c->buffer_count, &v);
        out->observed = wrong.memory;
    }
    out->verdict = v;
}

static bool ask(void *user, struct arena *a, const struct spv_case *c, struct experiment_answer *out)
{
    struct machine *k = user;
    struct orc_result right;
    orc_predict(a, c, c->subgroup, NULL, &right);
    if (right.why.status != RAN_OK || !spv_validate(tools, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL))
        return false;
    k->asked++;
    run(k, a, c, &right, out);
    return true;
}

// What is known of a mutant's case before experiments, as each_mutant of test_diagnose_reason.c has it.
static void first_run(struct arena *a, struct machine *k, const struct spv_case *c,
                      struct experiment_answer *x, struct diag_signature *s)
{
    const struct mut_mutant *m = k->mutant;
    assert_true(ask(k, a, c, x));
    struct judge_verdict v = {.klass = x->verdict.klass};
    if (x->observed)
        judge_compare(c, x->expected, x->observed, c->buffer_count, &v);
    diag_signature(c, &v, "mutant:x", NULL, NULL, m ? m->name : NULL, s);
    if (m && m->kind == MUT_TRANSFORMATION)
        diag_signature_changed(s, c, x->output, x->output_count);
    if (m && m->fault >= ORC_FAULT_INACTIVE_IN_BALLOT) {
        s->about = DIAG_THE_OP;
        s->probed = true;
    }
    k->asked = 0;
}

static bool at_once(void *user)
{
    (void)user;
    return true;
}

// Every tenth mutant: its reason survives, and all programs are recorded.
static void mutants(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    const uint32_t n = mut_all(&all);
    uint32_t tried = 0;
    for (uint32_t i = 1; i < n; i += 10) {
        struct arena a = {0};
        struct spv_case c;
        struct machine k = {.mutant = &all[i]};
        struct experiment_answer x;
        struct diag_signature s;
        struct diag_reason was, is;
        read_case(&a, arena_printf(&a, "mutants/%s", all[i].name), &c);
        first_run(&a, &k, &c, &x, &s);
        diag_reason(&c, x.expected, x.observed, &s, &was);
        diag_reason_tested(&c, x.expected, x.observed, &s,
                           &(struct experiment_target){&k, ask, NULL, NULL}, &is);
        if (is.why != was.why)
            print_error("%s: %s, then %s\n", all[i].name, diag_why_name((enum diag_why)was.why),
                        diag_why_name((enum diag_why)is.why));
        assert_int_equal(is.why, was.why);
        assert_true(k.asked <= EXPERIMENT_RUNS && is.asked >= 2 && is.confirmed >= 2);
        if (is.known == DIAG_BY_HYPOTHESIS) {
            assert_int_equal(is.asked, k.asked);
            assert_int_equal(is.controls, is.asked);
            assert_int_equal(is.control[0].predicted, is.control[0].observed);
            assert_true(is.control[0].predicted != is.control[0].expected || is.control[0].rival_why);
        }
        // Nothing is reported if nothing may be asked.
        assert_false(diag_reason_tested(&c, x.expected, x.observed, &s,
                                        &(struct experiment_target){&k, ask, at_once, NULL}, &is));
        tried++;
        arena_free(&a);
    }
    assert_true(tried >= 12);
}

// Faults that no mutant has, on cases of drivers and compilers that have them.
static void faults(void **state)
{
    static const struct {
        enum orc_fault fault;
        const char *name;
        enum diag_why why;
    } rows[] = {
        {ORC_FAULT_CLEARS_OTHERS, "regress/anv-26.2-quad-vote-clears-lanes-that-left-T8", DIAG_CLEARED},
        {ORC_FAULT_INLINED, "regress/spirv-cross-select-sinks-group-op-T7", DIAG_WHERE_CHOSEN},
        {ORC_FAULT_ATOMIC_SIGN_LOST, "regress/naga-atomic-smax-is-unsigned", DIAG_ATOMIC},
        {ORC_FAULT_BY_WORDS, "regress/spirv-cross-bitcast-to-int64-lost", DIAG_OPERATION},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct spv_case c;
        struct machine k = {.fault = rows[i].fault};
        struct experiment_answer x;
        struct diag_signature s;
        struct diag_reason is;
        struct diag_control control;
        read_case(&a, rows[i].name, &c);
        first_run(&a, &k, &c, &x, &s);
        diag_reason_tested(&c, x.expected, x.observed, &s,
                           &(struct experiment_target){&k, ask, NULL, NULL}, &is);
        if (is.why != rows[i].why)
            fail_msg("%s: %s", rows[i].name, diag_why_name((enum diag_why)is.why));
        assert_true(is.confirmed >= 2);
        for (uint64_t seed = 0; seed < 8; seed++)
            assert_int_not_equal(diag_reason_draw(&c, &s, &is, seed,
                                                  &(struct experiment_target){&k, ask, NULL, NULL},
                                                  &control),
                                 EXPERIMENT_REFUTED);
        arena_free(&a);
    }
}

// A shuffle that only the lanes evaluate that choose it: one of them reads a lane that does not. The
// output's word is undefined there, which the reason predicts. Without experiments there is none.
static const char shuffle[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero 4\n"
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformShuffle\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %lane_in %out\nOpExecutionMode %main LocalSize 4 1 1\n"
    "OpExecutionMode %main MaximallyReconvergesKHR\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n"
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n"
    "%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"
    "%pi = OpTypePointer Input %u\n%lane_in = OpVariable %pi Input\n"
    "%out = OpVariable %pb StorageBuffer\n%zero = OpConstant %u 0\n%one = OpConstant %u 1\n"
    "%three = OpConstant %u 3\n%main = OpFunction %void None %f\n%start = OpLabel\n"
    "%lane = OpLoad %u %lane_in\n%from = OpIAdd %u %lane %three\n"
    "%other = OpGroupNonUniformShuffleXor %u %three %from %one\n%low = OpULessThan %bool %lane %three\n"
    "%some = OpSelect %u %low %other %zero\n"
    "%p = OpAccessChain %pw %out %zero %lane\nOpStore %p %some\nOpReturn\nOpFunctionEnd\n";

static void an_undefined_word(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e;
    struct spv_case c;
    struct machine k = {.fault = ORC_FAULT_INLINED};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason is;
    struct spv_module m;
    if (!spv_case_parse(tools, &a, "shuffle", shuffle, sizeof shuffle - 1, &c, &e) ||
        !spv_validate(tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
        fail_msg("%s", e.msg);
    first_run(&a, &k, &c, &x, &s);
    assert_true(x.observed[0].mask && !x.observed[0].mask[2] && x.observed[0].mask[1]);
    assert_false(diag_reason(&c, x.expected, x.observed, &s, &is));
    assert_true(diag_reason_tested(&c, x.expected, x.observed, &s,
                                   &(struct experiment_target){&k, ask, NULL, NULL}, &is));
    assert_int_equal(is.why, DIAG_WHERE_CHOSEN);
    assert_true(is.control[0].undefined);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    assert_non_null(strstr(diag_control_words(&a, &is, &(struct diag_names){&m, NULL}),
                           "this reading predicts no defined value in word "));
    arena_free(&a);
}

// A scan of ones by one lane.
static const char scan[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero 1\n"
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %out\nOpExecutionMode %main LocalSize 1 1 1\n"
    "OpExecutionMode %main MaximallyReconvergesKHR\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n"
    "%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"
    "%out = OpVariable %pb StorageBuffer\n%zero = OpConstant %u 0\n%one = OpConstant %u 1\n"
    "%three = OpConstant %u 3\n%main = OpFunction %void None %f\n%start = OpLabel\n"
    "%sum = OpGroupNonUniformIAdd %u %three InclusiveScan %one\n"
    "%same = OpIEqual %bool %one %three\n%some = OpSelect %u %same %zero %sum\n"
    "%p = OpAccessChain %pw %out %zero %zero\nOpStore %p %some\nOpReturn\nOpFunctionEnd\n";

static void read_scan(struct arena *a, struct spv_case *out)
{
    struct err e;
    if (!spv_case_parse(tools, a, "scan", scan, sizeof scan - 1, out, &e) ||
        !spv_validate(tools, SPV_ENV_VULKAN_1_3, out->words, out->count, &e))
        fail_msg("%s", e.msg);
}

// Four lanes with 1, 0, 0 and 1. A machine that adds the two differences, not their absolute values, returns -2, 0, 0 and 2.
static const char width[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero 4\n"
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability ComputeDerivativeGroupLinearKHR\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %lane %out\nOpExecutionMode %main LocalSize 4 1 1\n"
    "OpExecutionMode %main DerivativeGroupLinearKHR\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n%pu = OpTypePointer Input %u\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"
    "%out = OpVariable %pb StorageBuffer\n%lane = OpVariable %pu Input\n%zero = OpConstant %u 0\n"
    "%one = OpConstant %u 1\n%two = OpConstant %u 2\n%bits = OpConstant %u 12801\n%main = OpFunction %void None %f\n%start = OpLabel\n"
    "%l = OpLoad %u %lane\n%by = OpShiftLeftLogical %u %l %two\n%moved = OpShiftRightLogical %u %bits %by\n%bit = OpBitwiseAnd %u %moved %one\n"
    "%x = OpConvertUToF %float %bit\n%w = OpFwidth %float %x\n%as = OpBitcast %u %w\n"
    "%p = OpAccessChain %pw %out %zero %l\nOpStore %p %as\nOpReturn\nOpFunctionEnd\n";

// In some control programs the machine's differences are +1 and -1. Their sum is a zero of floating-point arithmetic, whose sign
// is not defined. Such a program neither refutes the reason nor confirms it.
static void an_open_word(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct err e;
    struct machine k = {.mutant = mut_find("width-is-a-sum")};
    const struct experiment_target t = {&k, ask, NULL, NULL};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason is;
    struct diag_control control;
    if (!spv_case_parse(tools, &a, "width", width, sizeof width - 1, &c, &e) ||
        !spv_validate(tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
        fail_msg("%s", e.msg);
    first_run(&a, &k, &c, &x, &s);
    s.about = DIAG_THE_OP;
    s.probed = true;
    assert_true(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    assert_int_equal(is.why, DIAG_OPERATION);
    assert_int_equal(is.hypothesis.fault, ORC_FAULT_DERIVATIVE_WIDTH_SIGNED);
    assert_true(is.confirmed >= 2 && is.confirmed < is.asked);
    for (uint64_t seed = 0; seed < 16; seed++)
        assert_int_not_equal(diag_reason_draw(&c, &s, &is, seed, &t, &control), EXPERIMENT_REFUTED);
    arena_free(&a);
}

// The word is 0 whatever is asked: "an exclusive scan" explains it, and one more question refutes that.
static void a_wrong_reason(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct machine k = {.always = 0};
    const struct experiment_target t = {&k, ask, NULL, NULL};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason planted, is;
    struct diag_control control;
    bool refuted = false;
    read_scan(&a, &c);
    first_run(&a, &k, &c, &x, &s);
    s.about = DIAG_THE_OP;
    s.probed = true;
    assert_true(diag_reason(&c, x.expected, x.observed, &s, &planted));
    assert_int_equal(planted.why, DIAG_OPERATION);
    assert_false(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    assert_int_equal(is.why, DIAG_WHY_UNKNOWN);
    assert_in_range(is.asked, 1, EXPERIMENT_RUNS);
    for (uint64_t seed = 0; seed < 8; seed++)
        refuted |= diag_reason_draw(&c, &s, &planted, seed, &t, &control) == EXPERIMENT_REFUTED;
    assert_true(refuted);
    arena_free(&a);
}

// The same word of a machine that takes an inclusive scan for an exclusive one.
static void the_right_reason(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct machine k = {.mutant = mut_find("scan-leaves-self-out")};
    const struct experiment_target t = {&k, ask, NULL, NULL};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason is;
    struct diag_control control;
    struct spv_module m;
    assert_non_null(k.mutant);
    read_scan(&a, &c);
    first_run(&a, &k, &c, &x, &s);
    assert_true(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    assert_int_equal(is.why, DIAG_OPERATION);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    const struct diag_names names = {&m, NULL};
    const char *text = diag_control_words(&a, &is, &names);
    assert_non_null(strstr(text, arena_printf(&a, "predicts %u ", is.control[0].predicted)));
    for (uint64_t seed = 0; seed < 8; seed++)
        assert_int_not_equal(diag_reason_draw(&c, &s, &is, seed, &t, &control),
                             EXPERIMENT_REFUTED);
    arena_free(&a);
}

// A machine that takes OpIEqual for OpINotEqual: no hypothesis knows that, but the instruction is found.
static void a_wrong_result(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct machine k = {.from = SpvOpIEqual, .to = SpvOpINotEqual};
    const struct experiment_target t = {&k, ask, NULL, NULL};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason is;
    struct diag_control control;
    struct spv_module m;
    uint32_t agrees = 0;
    read_scan(&a, &c);
    first_run(&a, &k, &c, &x, &s);
    assert_true(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    assert_int_equal(is.why, DIAG_WRONG_RESULT);
    assert_int_equal(is.known, DIAG_BY_RECORD);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    assert_int_equal(spv_def(&m, is.op)->op, SpvOpIEqual);
    assert_in_range(is.confirmed, 2, is.asked);
    assert_int_equal(is.controls, is.asked);
    assert_int_equal(is.wrong, 1);
    assert_int_equal(is.own_value, 0);
    assert_int_equal(is.later_value, 1);
    const struct diag_names names = {&m, NULL};
    assert_non_null(strstr(diag_why_words(&a, &is, &names), "returns a wrong result to lane 0 (workgroup "
                                                            "0, subgroup 0). Lane 0: true instead of false."));
    assert_non_null(strstr(diag_control_words(&a, &is, &names), "such programs were run. The result is wrong"));
    for (uint64_t seed = 0; seed < 8; seed++) {
        const enum experiment_drawn d = diag_reason_draw(&c, &s, &is, seed, &t, &control);
        assert_int_not_equal(d, EXPERIMENT_REFUTED);
        agrees += d == EXPERIMENT_AGREES;
    }
    assert_true(agrees);
    // Something else is wrong as well: always, or in control programs.
    for (k.spoils = SPOILS_ALL; k.spoils <= SPOILS_WITHOUT; k.spoils++) {
        first_run(&a, &k, &c, &x, &s);
        assert_false(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    }
    arena_free(&a);
}

// A machine that loses a value after a loop: it is right where it is computed.
static void a_lost_value(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct machine k = {0};
    const struct experiment_target t = {&k, ask, NULL, NULL};
    struct experiment_answer x;
    struct diag_signature s;
    struct diag_reason is;
    struct spv_module m;
    read_case(&a, "mutants/loop-value-lost", &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    k.after = m.blocks[m.block_count - 1].label;
    for (uint32_t i = 0; i < m.inst_count; i++)
        if (m.insts[i].op == SpvOpCompositeExtract && spv_def(&m, m.insts[i].v[0])->op == SpvOpGroupNonUniformBallot)
            k.lost = m.insts[i].result;
    first_run(&a, &k, &c, &x, &s);
    assert_true(diag_reason_tested(&c, x.expected, x.observed, &s, &t, &is));
    assert_int_equal(is.why, DIAG_WRONG_RESULT);
    assert_int_equal(is.op, k.lost);
    assert_int_equal(is.other, k.after);
    assert_int_equal(is.later_value, 5);
    assert_non_null(strstr(diag_why_words(&a, &is, &(struct diag_names){&m, NULL}),
                           "is right where it is computed, and wrong at the start of block"));
    arena_free(&a);
}

// Values of all kinds: what is recorded is what they are, and giving them back changes nothing; giving back another word
// does.
static const char kinds[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model maximal\n; buffer 0:0 zero 2\n"
    "OpCapability Shader\nOpCapability Int64\nOpCapability Int16\nOpCapability GroupNonUniform\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %id %out\nOpExecutionMode %main LocalSize 2 1 1\n"
    "OpExecutionMode %main MaximallyReconvergesKHR\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n"
    "%short = OpTypeInt 16 1\n%long = OpTypeInt 64 0\n%float = OpTypeFloat 32\n"
    "%v2 = OpTypeVector %u 2\n%v3 = OpTypeVector %u 3\n%b2 = OpTypeVector %bool 2\n"
    "%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n%pi = OpTypePointer Input %v3\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pw = OpTypePointer StorageBuffer %u\n"
    "%id = OpVariable %pi Input\n%out = OpVariable %pb StorageBuffer\n%zero = OpConstant %u 0\n"
    "%one = OpConstant %u 1\n%k = OpConstant %u 70003\n%main = OpFunction %void None %f\n%start = OpLabel\n"
    "%all = OpLoad %v3 %id\n%x = OpCompositeExtract %u %all 0\n%word = OpBitwiseXor %u %x %k\n"
    "%pair = OpCompositeConstruct %v2 %word %k\n%wide = OpBitcast %long %pair\n%wide2 = OpIAdd %long %wide %wide\n"
    "%narrow = OpSConvert %short %word\n%neg = OpSNegate %short %narrow\n%back = OpSConvert %u %neg\n"
    "%real = OpConvertUToF %float %word\n%int = OpConvertFToU %u %real\n"
    "%twice = OpCompositeConstruct %v2 %int %back\n%same = OpULessThan %b2 %pair %twice\n"
    "%first = OpCompositeExtract %bool %same 0\n%low = OpUConvert %u %wide2\n"
    "%sum = OpIAdd %u %low %back\n%some = OpSelect %u %first %int %sum\n%sum2 = OpIAdd %u %some %sum\n"
    "%p = OpAccessChain %pw %out %zero %x\nOpStore %p %sum2\nOpReturn\nOpFunctionEnd\n";

static void records(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e;
    struct spv_case c, with, given;
    struct spv_module m;
    struct orc_result right, made;
    struct probe_record p;
    uint32_t recorded = 0, moved = 0;
    if (!spv_case_parse(tools, &a, "kinds", kinds, sizeof kinds - 1, &c, &e) ||
        !spv_module_read(&a, c.words, c.count, &m, &e))
        fail_msg("%s", e.msg);
    orc_predict(&a, &c, 4, NULL, &right);
    assert_int_equal(right.why.status, RAN_OK);
    for (uint32_t i = m.functions[0].first; i < m.inst_count; i++) {
        if (!probe_records(&m, i) || !probe_record(&a, &c, m.insts[i].result, 0, &p, &with))
            continue;
        if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, with.words, with.count, &e))
            fail_msg("%s", e.msg);
        orc_predict(&a, &with, 4, NULL, &made);
        assert_int_equal(made.why.status, RAN_OK);
        assert_int_equal(made.memory[0].words[0], 1); // executions
        assert_memory_equal(made.memory[1].words, right.memory[0].words, 8);
        uint32_t *words = arena_copy(&a, made.memory[0].words, p.invocations * p.words * sizeof *words);
        assert_true(probe_given(&a, &c, &p, words, &given));
        orc_predict(&a, &given, 4, NULL, &made);
        assert_int_equal(made.why.status, RAN_OK);
        assert_memory_equal(made.memory[1].words, right.memory[0].words, 8);
        words[1] ^= 1;
        assert_true(probe_given(&a, &c, &p, words, &given));
        orc_predict(&a, &given, 4, NULL, &made);
        moved += made.why.status != RAN_OK || memcmp(made.memory[1].words, right.memory[0].words, 8) != 0;
        recorded++;
    }
    assert_int_equal(recorded, 18);
    assert_true(moved >= 14);
    arena_free(&a);
}

// A target that crashes on OpIEqual.
static bool crash(void *user, struct arena *a, const struct spv_case *c,
                  struct experiment_answer *out)
{
    struct spv_module m;
    *out = (struct experiment_answer){.verdict = {.klass = JUDGE_AGREES}, .text = "out of paper"};
    ++*(uint32_t *)user;
    if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, c->words, c->count, NULL) ||
        !spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    for (uint32_t i = 0; i < m.inst_count; i++)
        if (m.insts[i].op == SpvOpIEqual)
            out->verdict.klass = JUDGE_CRASH;
    return true;
}

static void tokens_of_a_crash(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c;
    struct spv_module m;
    struct diag_signature was;
    struct diag_trials t;
    uint32_t asked = 0, fails = 0;
    const struct judge_verdict v = {.klass = JUDGE_CRASH};
    read_scan(&a, &c);
    diag_signature(&c, &v, "mutant:x", NULL, "out of paper", NULL, &was);
    diag_crash_trials(&c, &was, "mutant:x", NULL, &(struct experiment_target){&asked, crash, NULL, NULL},
                      &t);
    assert_in_range(t.n, 4, DIAG_TRIALS);
    for (uint32_t i = 0; i < t.n; i++) {
        const struct diag_tweak *x = &t.trial[i].tweak;
        const bool gone = x->kind == DIAG_TWEAK_OPCODE && x->from == SpvOpIEqual;
        assert_int_equal(t.trial[i].fails, !gone);
        fails += !gone;
    }
    assert_true(fails && fails < t.n);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    const char *text = diag_trials_words(&a, &t, &(struct diag_names){&m, NULL});
    assert_non_null(strstr(text, "It does not fail in this way with OpINotEqual"));
    diag_crash_trials(&c, &was, "mutant:x", NULL,
                      &(struct experiment_target){&asked, crash, at_once, NULL}, &t);
    assert_int_equal(t.n, 0);
    arena_free(&a);
}

// All changes of a case give modules that can be read, and no two are equal.
static void programs(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c, with;
    struct spv_module m, made;
    struct tweaks all;
    uint32_t valid = 0;
    read_case(&a, "regress/spirv-opt-loop-unswitch-T2", &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    tweaks_of(&a, &c, &m, true, &all);
    assert_true(all.n > 30);
    for (size_t i = 0; i < all.n; i++) {
        for (size_t k = 0; k < i; k++)
            assert_false(tweak_equal(&all.v[i], &all.v[k]));
        if (!tweak_apply(&a, &c, &m, &all.v[i], &with))
            continue;
        assert_true(spv_module_read(&a, with.words, with.count, &made, NULL));
        assert_false(with.count == c.count &&
                     memcmp(with.words, c.words, c.count * sizeof *c.words) == 0);
        valid += spv_validate(tools, SPV_ENV_VULKAN_1_3, with.words, with.count, NULL);
    }
    assert_true(2 * valid > all.n);
    arena_free(&a);
}

// A program for more invocations has larger buffers, but storage images of the size of their form: what does not fit would not
// reach a worker.
static void more_invocations_with_images(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_case c, with;
    struct spv_module m;
    struct tweaks all;
    uint32_t larger = 0;
    read_case(&a, "ops/image-read-and-write", &c);
    assert_true(spv_module_read(&a, c.words, c.count, &m, NULL));
    tweaks_of(&a, &c, &m, true, &all);
    for (size_t i = 0; i < all.n; i++) {
        if (!tweak_apply(&a, &c, &m, &all.v[i], &with))
            continue;
        for (uint32_t b = 0; b < with.buffer_count; b++)
            if (with.buffer[b].image.count)
                assert_int_equal(with.buffer[b].count, spv_image_words(&with.buffer[b].image));
            else
                larger += with.buffer[b].count == 2 * c.buffer[b].count;
    }
    assert_true(larger > 0);
    arena_free(&a);
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),         cmocka_unit_test(a_wrong_reason),
        cmocka_unit_test(the_right_reason), cmocka_unit_test(tokens_of_a_crash),
        cmocka_unit_test(mutants),          cmocka_unit_test(a_wrong_result),
        cmocka_unit_test(an_open_word),
        cmocka_unit_test(records),          cmocka_unit_test(a_lost_value),
        cmocka_unit_test(faults),           cmocka_unit_test(an_undefined_word),
        cmocka_unit_test(more_invocations_with_images),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    return failed;
}
