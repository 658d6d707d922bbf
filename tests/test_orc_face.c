// SPDX-License-Identifier: Apache-2.0
//
// The room's face: which entry point is run and what its modes promise, modules that are none, and what options a run keeps
// to itself.
#include "test_orc_text.h"

struct module {
    const char *name;
    const char *head;    // capabilities, memory model, entry points, modes; NULL: the usual
    const char *body;    // functions; NULL: %main that returns
    enum spv_stage stage;
    enum spv_model model;
    bool assumed;
    enum ran status;
    const char *text; // NULL: it loads
    bool full_quads;  // orc_full_quads
};
#define CAPS "OpCapability Shader\nOpCapability Linkage\nOpCapability Addresses\nOpCapability QuadControlKHR\nOpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension \"SPV_KHR_quad_control\"\nOpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n"
#define BARE "OpCapability Shader\nOpCapability QuadControlKHR\n"
#define NO_EXTENSION "MaximallyReconvergesKHR without OpExtension \"SPV_KHR_maximal_reconvergence\" (S3)"
#define ONE_LABEL(id) id " = OpFunction %void None %fn\n" id "_start = OpLabel\n" id "_c = OpUndef %bool\nOpSelectionMerge " id "_j None\nOpBranchConditional " id "_c " id "_j " id "_j\n" id "_j = OpLabel\nOpReturn\nOpFunctionEnd\n"
#define LOGICAL "OpMemoryModel Logical GLSL450\n"
#define COMPUTE(id) "OpEntryPoint GLCompute " id " \"" id "\"\n"
#define FRAGMENT(id) "OpEntryPoint Fragment " id " \"" id "\"\n"
#define SIZE(id) "OpExecutionMode " id " LocalSize 8 1 1\n"
#define MAXIMAL(id) "OpExecutionMode " id " MaximallyReconvergesKHR\n"
#define UNIFORM(id) "OpExecutionMode " id " SubgroupUniformControlFlowKHR\n"
#define UPPER(id) "OpExecutionMode " id " OriginUpperLeft\n"
#define FULL(id) "OpExecutionMode " id " RequireFullQuadsKHR\n"
#define RETURNS(id) id " = OpFunction %void None %fn\n" id "_start = OpLabel\nOpReturn\nOpFunctionEnd\n"
#define NO_MAXIMAL "the case is to be judged by the model 'maximal', but its entry point does not declare MaximallyReconvergesKHR (judge it as 'assumed-maximal')"
#define NO_UNIFORM "the case is to be judged by the model 'subgroup-uniform', but its entry point does not declare SubgroupUniformControlFlowKHR"
static const struct module modules[] = {
    {"plain", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main")},
    {"the other stage's entry point", CAPS LOGICAL FRAGMENT("%main") UPPER("%main"), .status = RAN_INVALID, .text = "the module has no GLCompute entry point"},
    {"the other one's", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .stage = SPV_FRAGMENT, .status = RAN_INVALID, .text = "the module has no Fragment entry point"},
    {"none", CAPS LOGICAL, .status = RAN_INVALID, .text = "the module has no GLCompute entry point"},
    {"of two stages the second", CAPS LOGICAL FRAGMENT("%other") COMPUTE("%main") UPPER("%other") SIZE("%main") MAXIMAL("%main"), RETURNS("%other") RETURNS("%main")},
    {"of two stages the first", CAPS LOGICAL FRAGMENT("%other") COMPUTE("%main") UPPER("%other") MAXIMAL("%other") SIZE("%main"), RETURNS("%other") RETURNS("%main"), .stage = SPV_FRAGMENT},
    {"of two the first, which promises nothing", CAPS LOGICAL COMPUTE("%main") COMPUTE("%other") SIZE("%main") SIZE("%other") MAXIMAL("%other"), RETURNS("%main") RETURNS("%other"), .status = RAN_INVALID, .text = NO_MAXIMAL},
    {"of two the first, which promises it", CAPS LOGICAL COMPUTE("%main") COMPUTE("%other") SIZE("%main") SIZE("%other") MAXIMAL("%main"), RETURNS("%main") RETURNS("%other")},
    {"promised by nobody", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .status = RAN_INVALID, .text = NO_MAXIMAL},
    {"promised by nobody, assumed", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .assumed = true},
    {"less is promised", CAPS LOGICAL COMPUTE("%main") SIZE("%main") UNIFORM("%main"), .status = RAN_INVALID, .text = NO_MAXIMAL},
    {"uniform", CAPS LOGICAL COMPUTE("%main") SIZE("%main") UNIFORM("%main"), .model = SPV_SUBGROUP_UNIFORM},
    {"uniform by another one", CAPS LOGICAL COMPUTE("%main") COMPUTE("%other") SIZE("%main") SIZE("%other") UNIFORM("%other"), RETURNS("%main") RETURNS("%other"), .model = SPV_SUBGROUP_UNIFORM, .status = RAN_INVALID, .text = NO_UNIFORM},
    {"not uniform", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .model = SPV_SUBGROUP_UNIFORM, .status = RAN_INVALID, .text = NO_UNIFORM},
    {"not uniform, assumed", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .model = SPV_SUBGROUP_UNIFORM, .assumed = true},
    {"more than uniform", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), .model = SPV_SUBGROUP_UNIFORM},
    {"of the workgroup, which nobody declares", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), .model = SPV_WORKGROUP_UNIFORM},
    {"addresses of 64 bits", CAPS "OpMemoryModel Physical64 OpenCL\n" COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), .status = RAN_UNSUPPORTED, .text = "OpMemoryModel (word %u): unsupported: an addressing model that is neither Logical nor PhysicalStorageBuffer64"},
    {"an entry point that is no function", CAPS LOGICAL COMPUTE("%void") "OpExecutionMode %void LocalSize 8 1 1\n" MAXIMAL("%void"), .status = RAN_INVALID, .text = "its function has no body"},
    {"one without a body", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main") "OpDecorate %main LinkageAttributes \"main\" Import\n", "%main = OpFunction %void None %fn\nOpFunctionEnd\n", .status = RAN_INVALID, .text = "its function has no body"},
    {"full quads", CAPS LOGICAL FRAGMENT("%main") UPPER("%main") MAXIMAL("%main") FULL("%main"), .stage = SPV_FRAGMENT, .full_quads = true},
    {"full quads without maximal reconvergence", CAPS LOGICAL FRAGMENT("%main") UPPER("%main") FULL("%main"), .stage = SPV_FRAGMENT, .model = SPV_WORKGROUP_UNIFORM},
    {"no full quads", CAPS LOGICAL FRAGMENT("%main") UPPER("%main") MAXIMAL("%main"), .stage = SPV_FRAGMENT},
    {"full quads of another one", CAPS LOGICAL FRAGMENT("%main") FRAGMENT("%other") UPPER("%main") UPPER("%other") MAXIMAL("%main") FULL("%other"), RETURNS("%main") RETURNS("%other"), .stage = SPV_FRAGMENT},
    {"a mode with a number that is another's", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 6023 1 1\n" MAXIMAL("%main"), .status = RAN_INVALID, .text = "a workgroup size of 6023 x 1 x 1 cannot be run"},
    {"as large as may be", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 4096 1 1\n" MAXIMAL("%main")},
    {"too large along y", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 5 4097 3\n" MAXIMAL("%main"), .status = RAN_INVALID, .text = "a workgroup size of 5 x 4097 x 3 cannot be run"},
    {"too large along z", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 2 3 4097\n" MAXIMAL("%main"), .status = RAN_INVALID, .text = "a workgroup size of 2 x 3 x 4097 cannot be run"},
    {"no extension", BARE LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), .status = RAN_INVALID, .text = NO_EXTENSION},
    {"another one", BARE "OpExtension \"SPV_KHR_quad_control\"\n" LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), .status = RAN_INVALID, .text = NO_EXTENSION},
    {"one of the source's language", BARE LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main") "OpSourceExtension \"SPV_KHR_maximal_reconvergence\"\n", .status = RAN_INVALID, .text = NO_EXTENSION},
    {"the extension behind another", BARE "OpExtension \"SPV_KHR_quad_control\"\nOpExtension \"SPV_KHR_maximal_reconvergence\"\n" LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main")},
    {"no extension, assumed", BARE LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), .assumed = true},
    {"no extension, and nobody asks", BARE LOGICAL COMPUTE("%main") SIZE("%main"), .model = SPV_WORKGROUP_UNIFORM},
    {"two labels that are one", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), ONE_LABEL("%main"), .status = RAN_INVALID, .text = "its two labels are equal, which S2 forbids"},
    {"two labels that are one, where nobody goes", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), RETURNS("%main") ONE_LABEL("%unused")},
    {"two labels that are one, by a weaker model, assumed", CAPS LOGICAL COMPUTE("%main") SIZE("%main"), ONE_LABEL("%main"), .model = SPV_SUBGROUP_UNIFORM, .assumed = true},
    {"no function at all", CAPS LOGICAL, "", .status = RAN_INVALID, .text = "the module has no GLCompute entry point"},
    {"a function before the entry point's", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), RETURNS("%used") "%main = OpFunction %void None %fn\n%main_start = OpLabel\n%z = OpFunctionCall %void %used\nOpReturn\nOpFunctionEnd\n"},
    {"what nobody knows, where nobody goes", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"),
     "%event = OpTypeEvent\n%none = OpUndef %event\n" RETURNS("%main") "%unused = OpFunction %void None %fn\n%unused_start = OpLabel\n%copy = OpCopyObject %event %none\nOpEmitVertex\nOpReturn\nOpFunctionEnd\n"},
    {"a size of nothing", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 8 0 1\n" MAXIMAL("%main"), .status = RAN_INVALID, .text = "workgroup size: 8 x 0 x 1, at least 1 x 1 x 1 was expected"},
    {"two labels that are one, in what is called", CAPS LOGICAL COMPUTE("%main") SIZE("%main") MAXIMAL("%main"), "%main = OpFunction %void None %fn\n%main_start = OpLabel\n%z = OpFunctionCall %void %used\nOpReturn\nOpFunctionEnd\n" ONE_LABEL("%used"), .status = RAN_INVALID,
     .text = "its two labels are equal, which S2 forbids"},
    {"no quads", CAPS LOGICAL COMPUTE("%main") "OpExecutionMode %main LocalSize 2 3 5\nOpExecutionMode %main DerivativeGroupLinearKHR\n" MAXIMAL("%main"), .status = RAN_INVALID,
     .text = "a workgroup of 2 x 3 x 5 has no quads as the entry point's derivative group mode requires them (R8)"},
};

static void module_case(struct spv_tools *tools, struct arena *a, const struct module *m, struct spv_case *c)
{
    struct err e;
    const char *text = arena_printf(a, "%s%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%s", m->head, m->body ? m->body : RETURNS("%main"));
    *c = (struct spv_case){.groups = {1, 1, 1}, .subgroup = LANES, .stage = m->stage, .model = m->model, .target = {4, 2}, .cover = SPV_COVER_FULL};
    if (!spv_assemble(tools, a, text, strlen(text), 1, &c->words, &c->count, &e))
        fail_msg("%s: %s", m->name, e.msg);
}

static void test_modules(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) {
        const struct module *m = &modules[k];
        struct arena a = {0};
        struct spv_case c;
        struct orc_why why;
        memset(&why, 0x55, sizeof why);
        module_case(tools, &a, m, &c);
        const struct orc_program *p = (m->assumed ? orc_load_assumed : orc_load)(&a, &c, &why);
        const char *begins = m->text ? strchr(m->text, '%') : NULL; // what is behind the place
        const char *ends = begins ? begins + 2 : m->text;
        const size_t n = strlen(why.text), of = ends ? strlen(ends) : 0;
        if ((p != NULL) != (m->text == NULL) || why.status != m->status || (!p && (n < of || strcmp(why.text + n - of, ends) != 0)) || (p && orc_full_quads(p) != m->full_quads) ||
            (p && (why.text[0] || why.rule[0] || why.has_place))) {
            print_error("%s: %d '%s', expected '%s'\n", m->name, (int)why.status, why.text, m->text ? m->text : "to load");
            wrong++;
        }
        // What is missing is missing at the entry point.
        if (m->text && (strcmp(m->text, NO_MAXIMAL) == 0 || strcmp(m->text, NO_UNIFORM) == 0)) {
            assert_int_equal(why.op, SpvOpEntryPoint);
            assert_string_equal(why.rule, "S3");
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// Words that are no module, and instructions that are newer than we are.
static void test_words(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    static const struct {
        uint32_t word[3], n; // behind the header and its capability
        enum ran status;
    } rows[] = {
        {{1u << 16 | 0xfff0}, 1, RAN_UNSUPPORTED},
        {{2u << 16 | 0xfff0, 5}, 2, RAN_UNSUPPORTED},
        {{2u << 16 | SpvOpCapability, 2, 1u << 16 | 0xfff1}, 3, RAN_UNSUPPORTED},
        {{0}, 1, RAN_INVALID},
        {{SpvOpCapability, 1u << 16 | 0xfff1}, 2, RAN_INVALID}, // of no words: nobody looks behind it
        {{9u << 16 | SpvOpName}, 1, RAN_INVALID},               // it ends behind the module
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct orc_why why;
        struct spv_case c = {.groups = {1, 1, 1}, .subgroup = LANES};
        uint32_t *words = ARENA_ARRAY(&a, uint32_t, 16);
        const uint32_t head[] = {SpvMagicNumber, 0x10600, 0, 20, 0, 2u << 16 | SpvOpCapability, SpvCapabilityShader};
        memcpy(words, head, sizeof head);
        memcpy(words + 7, rows[k].word, sizeof rows[k].word);
        c.words = words;
        c.count = 7 + rows[k].n;
        assert_null(orc_load(&a, &c, &why));
        if (why.status != rows[k].status)
            fail_msg("row %u: %d, '%s'", (unsigned)k, (int)why.status, why.text);
        arena_free(&a);
    }
    spv_tools_free(tools);
}

static void test_lines(void **state)
{
    (void)state;
    struct arena a = {0};
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_OK}), "ok");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_UNSUPPORTED}), "unsupported");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_UNSUPPORTED, .text = "unsupported: more"}), "unsupported: more");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_UNSUPPORTED, .text = "x"}), "x");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_UNDEFINED, .text = "a line"}), "undefined: a line");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_INVALID, .text = "x"}), "invalid: x");
    assert_string_equal(orc_why_line(&a, &(struct orc_why){.status = RAN_OVER_LIMIT}), "over limit");
    arena_free(&a);
}

// ---- options ---------------------------------------------------------------------------------------------

#define BALLOT "%v = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b = OpCompositeExtract %u32 %v 0\n"
#define CHOICE "%two = OpShiftRightLogical %u32 %lane %u1\nOpSelectionMerge %j None\nOpSwitch %two %d 0 %c 1 %c\n%c = OpLabel\n" BALLOT "OpStore %local %b\nOpBranch %j\n%d = OpLabel\nOpStore %local %u5\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n"
static void counts_events(void *user, const struct orc_event *e) { (void)e, ++*(uint32_t *)user; }

static void test_options(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0}, scratch = {0};
    struct spv_case c;
    struct orc_result r, again;
    const struct row plain = {"plain", BALLOT "%r = OpIAdd %u32 %b %u0\n"}, choice = {"choice", CHOICE};
    row_case(tools, &a, &plain, &c);
    // What a run needs is elsewhere, what it leaves is not.
    orc_predict(&a, &c, 0, &(struct orc_options){.scratch = &scratch}, &r);
    const size_t used = scratch.used;
    orc_predict(&a, &c, 0, &(struct orc_options){.scratch = &scratch}, &again);
    assert_true(used > 0 && scratch.used == used); // what was there is gone
    arena_free(&scratch);
    for (uint32_t l = 0; l < LANES; l++)
        assert_true(r.memory[1].words[l] == 0xff && again.memory[1].words[l] == 0xff);
    // The case's subgroup size, or else the caller's.
    orc_predict(&a, &c, 4, NULL, &r);
    assert_int_equal(r.memory[1].words[0], 0xff);
    c.subgroup = 0;
    orc_predict(&a, &c, 4, NULL, &r);
    assert_int_equal(r.memory[1].words[0], 0xf);
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_INVALID);
    assert_string_equal(r.why.text, "a subgroup size of 0 cannot be run");
    static const struct {
        uint32_t size;
        const char *says; // NULL: it runs
    } sizes[] = {{1, NULL}, {2, NULL}, {3, "a subgroup size of 3 cannot be run"}, {6, "a subgroup size of 6 cannot be run"}, {LANES_MAX, NULL}, {2 * LANES_MAX, "a subgroup size of 256 cannot be run"}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        orc_predict(&a, &c, sizes[k].size, NULL, &r);
        assert_int_equal(r.why.status, sizes[k].says ? RAN_INVALID : RAN_OK);
        assert_string_equal(r.why.text, sizes[k].says ? sizes[k].says : "");
        assert_int_equal(r.memory != NULL, !sizes[k].says);
    }
    // What does not load does not run, and says why; one that is watched ends after as many steps as it may.
    const struct row knows_no = {"what nobody knows", "OpEmitVertex\n%r = OpIAdd %u32 %x %y\n", .is_invalid = true};
    row_case(tools, &a, &knows_no, &c);
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_UNSUPPORTED);
    assert_null(r.memory);
    row_case(tools, &a, &plain, &c);
    orc_predict(&a, &c, 0, &(struct orc_options){.step_limit = 3}, &r);
    assert_int_equal(r.why.status, RAN_OVER_LIMIT);
    // Where it is asked what holds for any choice, all join, whatever the policy: the ballot in the case has no value.
    row_case(tools, &a, &choice, &c);
    const struct spv_choices split = {.base = SPV_POLICY_SPLIT};
    orc_predict(&a, &c, 0, &(struct orc_options){.policy = &split}, &r);
    assert_int_equal(r.memory[1].words[0], 3);
    orc_predict(&a, &c, 0, &(struct orc_options){.policy = &split, .any_policy = true, .points = true}, &r);
    assert_int_equal(r.memory[1].mask[0], 0);
    assert_int_equal(r.memory[1].words[7], 5);
    assert_int_equal(r.point_count, 2);
    assert_int_equal(r.stats.group_ops, 1);
    // Where all are of one side there is nothing to choose.
    const struct row one_side = {"one side", CHOICE, .active = 3};
    struct spv_case c1;
    row_case(tools, &a, &one_side, &c1);
    orc_predict(&a, &c1, 0, &(struct orc_options){.any_policy = true, .points = true}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    assert_int_equal(r.point_count, 0);
    // A model that is counted first: nobody is told twice, and nothing is counted twice.
    c.model = SPV_WORKGROUP_UNIFORM;
    uint32_t events = 0, all = 0;
    const struct orc_observer o = {counts_events, &events}, o2 = {counts_events, &all};
    orc_predict(&a, &c, 0, &(struct orc_options){.observer = &o, .points = true}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    assert_int_equal(r.stats.group_ops, 1);
    assert_int_equal(r.point_count, 2);
    c.model = SPV_MAXIMAL;
    orc_predict(&a, &c, 0, &(struct orc_options){.observer = &o2}, &again);
    assert_int_equal(events, all);
    assert_int_equal(r.stats.steps, again.stats.steps);
    // Nobody asks for elections.
    const struct row elects = {"elects", "%c = OpULessThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%e = OpGroupNonUniformElect %bool %u3\nOpSelectionMerge %jj None\nOpBranchConditional %e %tt %jj\n"
                               "%tt = OpLabel\nOpBranch %jj\n%jj = OpLabel\nOpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n"};
    row_case(tools, &a, &elects, &c);
    c.model = SPV_SUBGROUP_UNIFORM;
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.why.status, RAN_UNDEFINED);
    orc_predict(&a, &c, 0, &(struct orc_options){.step_limit = 0}, &r);
    assert_int_equal(r.why.status, RAN_UNDEFINED);
    orc_predict(&a, &c, 0, &(struct orc_options){.elects = true}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    // An election on which nothing hangs but a word has no value, whoever asks.
    const struct row word = {"word", "%c = OpULessThan %bool %lane %u3\nOpStore %local %u5\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n%e = OpGroupNonUniformElect %bool %u3\n%s = OpSelect %u32 %e %u1 %u2\n"
                             "OpStore %local %s\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n"};
    row_case(tools, &a, &word, &c);
    c.model = SPV_SUBGROUP_UNIFORM;
    orc_predict(&a, &c, 0, &(struct orc_options){.elects = true}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    assert_int_equal(r.memory[1].mask[0], 0);
    assert_int_equal(r.memory[1].words[3], 5);
    arena_free(&a);
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modules), cmocka_unit_test(test_words), cmocka_unit_test(test_lines), cmocka_unit_test(test_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
