// SPDX-License-Identifier: Apache-2.0
//
// What the oracle tells beside memory: where a run failed and who failed first, what it counted, and who ran what
// together by which rule. Each is counted by hand from the few lines of its shader.
#include "test_orc_text.h"

// ---- where, and who -----------------------------------------------------------------------------

struct place {
    const char *rule;
    uint32_t op, invocation;
    struct row row;
};
#define THEN(cond, body) "OpSelectionMerge %j None\nOpBranchConditional " cond " %t %j\n%t = OpLabel\n" body "OpBranch %j\n%j = OpLabel\n"
#define END "%r = OpIAdd %u32 %x %u0\n"

static const struct place places[] = {
    {"E-bounds", SpvOpStore, 5, {"the first lane whose place is not there", "%at = OpIMul %u32 %lane %u3\n%p = OpAccessChain %word_ptr %out %u0 %at\n"
     "%late = OpUGreaterThan %bool %lane %u4\n" THEN("%late", "OpStore %p %x\n") END, .active = 0xff}},
    {"E-bounds", SpvOpLoad, 3, {"of those that are active", "%at = OpIAdd %u32 %lane %u16c\n%p = OpAccessChain %word_ptr %in %u0 %at\n%v = OpLoad %u32 %p\n" END, .active = 0xa8}},
    {"E-branch", SpvOpBranchConditional, 2, {"the first lane whose condition has no value", "%v = OpUDiv %u32 %u1 %x\n%c = OpIEqual %bool %v %u1\n" THEN("%c", "") END,
     .a = {1, 1, 0, 1, 0, 1, 1, 1}}},
    {"E-branch", SpvOpSwitch, 6, {"the same of a switch", "%v = OpUDiv %u32 %u1 %x\nOpSelectionMerge %j None\nOpSwitch %v %j 1 %t\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n" END,
     .a = {1, 1, 1, 0, 1, 1, 0, 0}, .active = 0x77}},
    {"E-assume", SpvOpAssumeTrueKHR, 4, {"the first lane that breaks it", "%c = OpULessThan %bool %lane %u4\nOpAssumeTrueKHR %c\n" END}},
    {"E-assume", SpvOpAssumeTrueKHR, 1, {"and one without a value", "%v = OpUDiv %u32 %u1 %x\n%c = OpIEqual %bool %v %u1\nOpAssumeTrueKHR %c\n" END, .a = {1, 0, 1, 1, 1, 1, 1, 1}}},
    {"E-pointer", SpvOpStore, 7, {"the first lane without an address", "%v = OpUDiv %u32 %lane %x\n%p = OpAccessChain %word_ptr %out %u0 %v\nOpStore %p %x\n" END,
     .a = {8, 8, 8, 8, 8, 8, 8, 0}, .active = 0x80}},
    {"E-uniform", SpvOpGroupNonUniformBroadcast, 2, {"the first of the tangle, of whom none is wrong alone", "%v = OpGroupNonUniformBroadcast %u32 %u3 %x %lane\n" END, .active = 0x3c}},
    {"E-unreachable", SpvOpUnreachable, 3, {"the first who comes there", "%c = OpUGreaterThan %bool %lane %u2\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpUnreachable\n%j = OpLabel\n" END}},
    {"E-barrier", SpvOpControlBarrier, 0, {"the first who is missing", "OpControlBarrier %u2 %u2 %u264\n" END, .active = 0xfe}},
    {"E-barrier", SpvOpControlBarrier, 4, {"another who is missing", "OpControlBarrier %u2 %u2 %u264\n" END, .active = 0xef}},
};

static void test_places(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
            const struct place *at = &places[k];
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            row_case(tools, &a, &at->row, &c);
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine}, &r);
            const char *end = arena_printf(&a, ", in workgroup 0, invocation %u", at->invocation);
            const size_t n = strlen(r.why.text), m = strlen(end);
            if (r.why.status != RAN_UNDEFINED || strcmp(r.why.rule, at->rule) != 0 || r.why.op != at->op || !r.why.has_place ||
                r.memory || r.why.workgroup != 0 || r.why.invocation != at->invocation || n < m || strcmp(r.why.text + n - m, end) != 0 ||
                !strstr(r.why.text, arena_printf(&a, "): undefined %s: ", at->rule))) {
                print_error("%s (%s): %s\n", at->row.name, machine == ORC_MASK ? "mask" : "tag", r.why.text);
                wrong++;
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// ---- what is counted ------------------------------------------------------------------------------

static struct orc_stats counted(const char *code, lane_mask active)
{
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    const struct row row = {"counted", code, .active = active};
    row_case(tools, &a, &row, &c);
    orc_predict(&a, &c, 0, NULL, &r);
    if (r.why.status != RAN_OK)
        fail_msg("%s", r.why.text);
    arena_free(&a);
    spv_tools_free(tools);
    return r.stats;
}

#define BALLOT(n) "%v" n " = OpGroupNonUniformBallot %uvec4 %u3 %true\n"
// Lanes 0 and 1 go to the continue target out of a selection, the others past it.
#define CONTINUE "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %b\n%b = OpLabel\n%c = OpULessThan %bool %lane %u2\n" \
    "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpBranch %k\n%j = OpLabel\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n" \
    "%g = OpULessThan %bool %m %u1\nOpBranchConditional %g %h %e\n%e = OpLabel\n"
static void test_counted(void **state)
{
    (void)state;
    const struct orc_stats none = counted(END, 0xff), some = counted(END, 0x0f);
    assert_int_equal(none.group_ops + none.group_results + none.returns_early + none.escapes + none.choice_points, 0);
    assert_int_equal(none.divergences, 0);
    assert_int_equal(some.divergences, 1); // the row's own condition
    assert_int_equal(some.reconvergences, 1);
    // One instruction more, by four lanes of one tangle.
    const struct orc_stats nop = counted("OpNop\n" END, 0x0f);
    assert_int_equal(nop.steps - some.steps, 1);
    assert_int_equal(nop.lane_steps - some.lane_steps, 4);
    // Three group operations: two by all of the four that are there, one by two of them.
    const struct orc_stats s = counted(BALLOT("0") "%c = OpULessThan %bool %lane %u2\n" THEN("%c", BALLOT("1")) BALLOT("2") END, 0x0f);
    assert_int_equal(s.group_ops, 3);
    assert_int_equal(s.partial_group_ops, 3); // of a subgroup of eight
    assert_int_equal(s.group_results, 4 + 2 + 4);
    assert_int_equal(s.live_results, 10);
    assert_int_equal(s.divergences, 2);
    assert_int_equal(s.reconvergences, 2);
    assert_int_equal(counted(BALLOT("0") END, 0xff).partial_group_ops, 0);
    // A shuffle from beyond the subgroup has no result for the last lane.
    const struct orc_stats down = counted("%d = OpGroupNonUniformShuffleDown %u32 %u3 %x %u1\n" END, 0xff);
    assert_int_equal(down.group_results, 8);
    assert_int_equal(down.live_results, 7);
    // A loop that lanes 0 and 1 leave by a break in a selection, and the others by the back edge after three times.
    const struct orc_stats l = counted("OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %b\n%b = OpLabel\n"
        "%c = OpULessThan %bool %lane %u2\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpBranch %e\n%j = OpLabel\nOpBranch %k\n"
        "%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u3\nOpBranchConditional %g %h %e\n%e = OpLabel\n" END, 0xff);
    assert_int_equal(l.divergences, 1);
    assert_int_equal(l.escapes, 1);
    assert_int_equal(l.reconvergences, 1); // M3
    const struct orc_stats together = counted(CONTINUE END, 0xff);
    assert_int_equal(together.escapes, 1);
    assert_int_equal(together.reconvergences, 1); // M4
    // Out of two selections to the merge block of a switch.
    const struct orc_stats out = counted("OpSelectionMerge %j None\nOpSwitch %lane %j 0 %p 1 %p\n%p = OpLabel\n%c = OpULessThan %bool %lane %u1\n"
        "OpSelectionMerge %q None\nOpBranchConditional %c %t %q\n%t = OpLabel\nOpBranch %j\n%q = OpLabel\nOpBranch %j\n%j = OpLabel\n" END, 0xff);
    assert_int_equal(out.escapes, 1);
    // Two calls, from which half returns early: out of a construct.
    const struct row calls = {"calls", "%a = OpFunctionCall %u32 %f %x\n%r = OpFunctionCall %u32 %f %a\n", .globals = "%ft = OpTypeFunction %u32 %u32\n",
        .functions = "%f = OpFunction %u32 None %ft\n%p = OpFunctionParameter %u32\n%s = OpLabel\n%l = OpLoad %u32 %lane_var\n%c = OpULessThan %bool %l %u4\n"
        "OpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpReturnValue %p\n%j = OpLabel\nOpReturnValue %l\nOpFunctionEnd\n"};
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    row_case(tools, &a, &calls, &c);
    orc_predict(&a, &c, 0, NULL, &r);
    assert_int_equal(r.stats.returns_early, 2);
    assert_int_equal(r.stats.divergences, 2);
    assert_int_equal(r.stats.reconvergences, 2); // M5
    // A switch whose default is also a literal's: values 0, 4, 5, 6, 7; and one label for 1 and 2. Four come where
    // another value has come, and one.
    arena_free(&a);
    spv_tools_free(tools);
    const struct orc_stats w = counted("OpSelectionMerge %j None\nOpSwitch %lane %d 0 %d 1 %o 2 %o 3 %q\n%d = OpLabel\nOpBranch %j\n%o = OpLabel\nOpBranch %j\n"
                                       "%q = OpLabel\nOpBranch %j\n%j = OpLabel\n" END, 0xff);
    assert_int_equal(w.choice_points, 4 + 1);
    assert_int_equal(w.divergences, 1);
    // One value, and a barrier: another subgroup may bring others to the default, or to a case of two literals.
    static const struct {
        const char *selector;
        uint32_t without, with;
    } ones[] = {{"%u4", 0, 1}, {"%u1", 0, 1}, {"%u3", 0, 0}};
    for (size_t k = 0; k < sizeof ones / sizeof *ones; k++)
        for (int barrier = 0; barrier < 2; barrier++) {
            char code[400];
            snprintf(code, sizeof code, "%sOpSelectionMerge %%j None\nOpSwitch %s %%d 0 %%d 1 %%o 2 %%o 3 %%q\n%%d = OpLabel\nOpBranch %%j\n%%o = OpLabel\nOpBranch %%j\n%%q = OpLabel\nOpBranch %%j\n%%j = OpLabel\n%%r = OpIAdd %%u32 %%x %%u0\n",
                     barrier ? "OpControlBarrier %u2 %u2 %u264\n" : "", ones[k].selector);
            assert_int_equal(counted(code, 0xff).choice_points, barrier ? ones[k].with : ones[k].without);
        }
}

// ---- where the rules leave a choice ------------------------------------------------------------------

// By hand: two values come to one label, six to the default; the label before them is the first point of all.
static void test_points(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    const struct row row = {"points", "OpSelectionMerge %j None\nOpSwitch %lane %d 0 %o 1 %o\n%o = OpLabel\nOpBranch %j\n%d = OpLabel\nOpBranch %j\n%j = OpLabel\n" END};
    row_case(tools, &a, &row, &c);
    orc_predict(&a, &c, 0, &(struct orc_options){.points = true}, &r);
    assert_int_equal(r.why.status, RAN_OK);
    assert_int_equal(r.point_count, 2);
    assert_int_equal(r.points[0].tangles, 2);
    assert_int_equal(r.points[1].tangles, 6);
    assert_int_not_equal(r.points[0].label, r.points[1].label);
    assert_int_not_equal(r.points[0].instance, 0);
    orc_predict(&a, &c, 0, &(struct orc_options){.points = false}, &r);
    assert_int_equal(r.point_count, 0);
    arena_free(&a);
    spv_tools_free(tools);
}

// Whom an Elect elects in a part of a subgroup no weaker model says: no word that rests on it may be compared.
static void test_elect_is_not_promised(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    struct spv_case c;
    struct orc_result r;
    const struct row row = {"elect", "OpStore %local %u8c\n%c = OpULessThan %bool %lane %u2\n" THEN("%c", "%e = OpGroupNonUniformElect %bool %u3\n%w = OpSelect %u32 %e %u5 %u4\nOpStore %local %w\n")
                            "%r = OpLoad %u32 %local\n"};
    row_case(tools, &a, &row, &c);
    c.model = SPV_SUBGROUP_UNIFORM;
    for (int elects = 0; elects < 2; elects++) { // the other reading is for what has no meaning by this one
        orc_predict(&a, &c, 0, &(struct orc_options){.elects = elects}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        for (uint32_t l = 0; l < LANES; l++) {
            assert_int_equal(r.memory[1].mask[l], l < 2 ? 0 : UINT32_MAX);
            if (l >= 2)
                assert_int_equal(r.memory[1].words[l], 8);
        }
    }
    arena_free(&a);
    spv_tools_free(tools);
}

// ---- who runs what together ---------------------------------------------------------------------

struct story {
    char text[2000];
    size_t n;
};

static void see(void *user, const struct orc_event *e)
{
    struct story *s = user;
    const int n = e->kind == ORC_EVENT_BLOCK
                      ? snprintf(s->text + s->n, sizeof s->text - s->n, "%s%s:%x ", e->rule, e->joined ? "+" : "", (unsigned)e->active)
                      : snprintf(s->text + s->n, sizeof s->text - s->n, "op%u:%x=%x/%x ", (unsigned)e->cells, (unsigned)e->active,
                                 (unsigned)e->values[lane_first(e->active)], (unsigned)e->defined[0]);
    assert_int_equal(e->workgroup, 0);
    assert_int_equal(e->subgroup, 0);
    assert_int_equal(e->lanes, 8);
    assert_int_equal(e->live, 0xff);
    s->n += (size_t)n;
    assert_true(s->n < sizeof s->text);
}

static void test_story(void **state)
{
    (void)state;
    static const struct {
        struct row row;
        const char *story; // rule (of a plain branch none), + where parts joined, lanes
    } rows[] = {
        {{"an arm", BALLOT("0") END}, "I1:ff :ff op4:ff=ff/ff M1:ff "},
        {{"an arm of some", BALLOT("0") END, .active = 0xf0}, "I1:ff D1:f0 op4:f0=f0/f0 M1+:ff "},
        {{"both arms", "%c = OpULessThan %bool %lane %u2\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\nOpBranch %j\n%e = OpLabel\n" BALLOT("0")
          "OpBranch %j\n%j = OpLabel\n" END}, "I1:ff :ff D1:3 D1:fc op4:fc=fc/fc M1+:ff M1:ff "},
        {{"twice round a loop", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n"
          "%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n" END}, "I1:ff :ff :ff M4:ff loop:ff M4:ff M3:ff M1:ff "},
        {{"a case for each", "OpSelectionMerge %j None\nOpSwitch %lane %d 0 %o 1 %o\n%o = OpLabel\nOpBranch %j\n%d = OpLabel\nOpBranch %j\n%j = OpLabel\n" END},
         "I1:ff :ff D2:3 D2:fc M1+:ff M1:ff "},
        {{"one falls through to another", "OpSelectionMerge %j None\nOpSwitch %lane %j 0 %o 1 %p\n%o = OpLabel\nOpBranch %p\n%p = OpLabel\nOpBranch %j\n%j = OpLabel\n" END},
         "I1:ff :ff D2:1 M2+:3 M1+:ff M1:ff "},
        {{"falls through to where nobody is", "OpSelectionMerge %j None\nOpSwitch %lane %j 0 %o 9 %p\n%o = OpLabel\nOpBranch %p\n%p = OpLabel\nOpBranch %j\n%j = OpLabel\n" END},
         "I1:ff :ff D2:1 M2:1 M1+:ff M1:ff "},
        {{"two parts continue", CONTINUE END}, "I1:ff :ff :ff :ff D1:3 M1:fc M4+:ff M3:ff M1:ff "},
        {{"one label twice", "%odd = OpBitwiseAnd %u32 %lane %u1\n%c = OpIEqual %bool %odd %u1\nOpSelectionMerge %j None\nOpBranchConditional %c %t %t\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n" END,
          .modes = "\nOpExecutionMode %main LocalSize 8 1 1\n", .is_invalid = true}, "I1:ff :ff :ff M1:ff M1:ff "},
        {{"a call", "%r = OpFunctionCall %u32 %f\n", .globals = "%ft = OpTypeFunction %u32\n", .functions = "%f = OpFunction %u32 None %ft\n%s = OpLabel\nOpReturnValue %u1\nOpFunctionEnd\n"},
         "I1:ff :ff call:ff M5:ff M1:ff "},
    };
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r;
        struct story s = {0};
        const struct orc_observer o = {see, &s};
        row_case(tools, &a, &rows[k].row, &c);
        c.model = rows[k].row.modes ? SPV_ASSUMED_MAXIMAL : SPV_MAXIMAL;
        orc_predict(&a, &c, 0, &(struct orc_options){.observer = &o}, &r);
        assert_int_equal(r.why.status, RAN_OK);
        if (strcmp(s.text, rows[k].story) != 0) {
            print_error("%s:\n  told     %s\n  expected %s\n", rows[k].row.name, s.text, rows[k].story);
            wrong++;
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// ---- what is printed ------------------------------------------------------------------------------

struct printed {
    uint32_t times, cells;
    lane_mask active;
    uint64_t values[8][LANES];
    lane_mask defined[8];
};

static void see_print(void *user, const struct orc_event *e)
{
    struct printed *p = user;
    if (e->kind != ORC_EVENT_PRINT)
        return;
    p->times++;
    p->cells = e->cells;
    p->active = e->active;
    assert_true(e->cells <= 8 && e->lanes == LANES);
    for (uint32_t k = 0; k < e->cells; k++) {
        memcpy(p->values[k], e->values + k * LANES, sizeof p->values[k]);
        p->defined[k] = e->defined[k];
    }
}

// Of a word, a vector and a quotient: four numbers, one after the other. What cannot be said is not printed.
static void test_prints(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        uint32_t times, cells;
    } table[] = {{" %x %v %q", 1, 4}, {"", 1, 0}, {" %x", 1, 1}, {" %v %x", 1, 3}, {" %z", 0, 0}, {" %x %z %q", 0, 0}, {" %e %x", 0, 0}};
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int some = 0; some < 2; some++) {
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            struct printed p = {0};
            const struct orc_observer o = {see_print, &p};
            char code[400];
            snprintf(code, sizeof code, "%%v = OpCompositeConstruct %%uvec2 %%y %%lane\n%%q = OpUDiv %%u32 %%u8c %%x\n%%z = OpUndef %%cm\n%%e = OpExtInst %%void %%print 1 %%format\n%%d = OpExtInst %%void %%print 1 %%format%s\n%%r = OpIAdd %%u32 %%x %%u0\n",
                     strstr(table[k].arguments, "%e") ? " %e %x" : table[k].arguments);
            const struct row row = {"prints", code, {0, 1, 2, 4, 8, 0, 1, 2}, {7, 6, 5, 4, 3, 2, 1, 0}, .active = some ? 0x5a : 0xff, .imports = "%print = OpExtInstImport \"NonSemantic.DebugPrintf\"\n",
                                    .names = "%format = OpString \"%u\"\n", .globals = "%cm = OpTypeFloat 16 BFloat16KHR\n", .is_invalid = true};
            row_case(tools, &a, &row, &c);
            orc_predict(&a, &c, 0, &(struct orc_options){.observer = &o}, &r);
            if (r.why.status != RAN_OK)
                fail_msg("%s: %s", table[k].arguments, r.why.text);
            assert_int_equal(p.times, table[k].times + 1); // the one that prints nothing comes before
            assert_int_equal(p.cells, table[k].times ? table[k].cells : 0);
            assert_int_equal(p.active, some ? 0x5a : 0xff);
            for (uint32_t l = 0; l < LANES; l++)
                if (lane_in(row.active, l) && k == 0) {
                    assert_int_equal(p.values[0][l], row.a[l]);
                    assert_int_equal(p.values[1][l], row.b[l]);
                    assert_int_equal(p.values[2][l], l);
                    assert_int_equal(lane_in(p.defined[3], l), row.a[l] != 0);
                    assert_true(lane_in(p.defined[0] & p.defined[1] & p.defined[2], l));
                    if (row.a[l])
                        assert_int_equal(p.values[3][l], 8 / row.a[l]);
                } else if (lane_in(row.active, l) && k == 3) {
                    assert_int_equal(p.values[1][l], l);
                    assert_int_equal(p.values[2][l], row.a[l]);
                }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prints), cmocka_unit_test(test_places), cmocka_unit_test(test_counted), cmocka_unit_test(test_points), cmocka_unit_test(test_elect_is_not_promised), cmocka_unit_test(test_story)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
