// SPDX-License-Identifier: Apache-2.0
//
// Control flow where the cases of corpus/rules do not go: phis of what has no value, switches in switches, many constructs
// in each other, and barriers of a subgroup under a weaker model.
#include "test_orc_text.h"

#define BALLOT(n) "%v" n " = OpGroupNonUniformBallot %uvec4 %u3 %true\n%b" n " = OpCompositeExtract %u32 %v" n " 0\n"

// ---- phis -----------------------------------------------------------------------------------------

#define ARM "%c = OpULessThan %bool %lane %u3\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\nOpBranch %j\n%e = OpLabel\nOpBranch %j\n%j = OpLabel\n"
#define LOOP(values) "OpBranch %h\n%h = OpLabel\n" values "OpLoopMerge %q %k None\nOpBranch %k\n%k = OpLabel\n%m = OpIAdd %u32 %n %u1\n" \
    "%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %q\n%q = OpLabel\n"

static const struct row phis[] = {
    {"no value comes from one side", ARM "%r = OpPhi %u32 %x %t %none %e\n", .a = {1, 2, 3, 4, 5, 6, 7, 8},
     .r = {1, 2, 3, U, U, U, U, U}, .globals = "%none = OpUndef %u32\n"},
    {"nor from the other", ARM "%r = OpPhi %u32 %none %t %x %e\n", .a = {1, 2, 3, 4, 5, 6, 7, 8},
     .r = {U, U, U, 4, 5, 6, 7, 8}, .globals = "%none = OpUndef %u32\n"},
    {"a value comes into what had none", LOOP("%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %none %then %x %k\n") "%r = OpIAdd %u32 %w %u1\n", .a = {1, 2, 3, 4, 5, 6, 7, 8},
     .r = {2, 3, 4, 5, 6, 7, 8, 9}, .globals = "%none = OpUndef %u32\n"},
    {"two change places, one without a value", LOOP("%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %none %then %z %k\n%z = OpPhi %u32 %x %then %w %k\n") "%r = OpIAdd %u32 %w %u0\n",
     .a = {1, 2, 3, 4, 5, 6, 7, 8}, .r = {1, 2, 3, 4, 5, 6, 7, 8}, .globals = "%none = OpUndef %u32\n"},
    {"and the other one", LOOP("%n = OpPhi %u32 %u0 %then %m %k\n%w = OpPhi %u32 %none %then %z %k\n%z = OpPhi %u32 %x %then %w %k\n") "%r = OpIAdd %u32 %z %u0\n",
     .a = {1, 2, 3, 4, 5, 6, 7, 8}, .r = {U, U, U, U, U, U, U, U}, .globals = "%none = OpUndef %u32\n"},
};

static void test_phis(void **state)
{
    (void)state;
    CHECK_ROWS(phis);
}

// ---- a switch in a switch -----------------------------------------------------------------------------

// Lanes 0 to 3 are in the case of the outer one; there 0 falls through to where 1 is, and all join (M2).
static const struct row switches[] = {
    {"falls through in the inner one", "%o = OpShiftRightLogical %u32 %lane %u2\nOpSelectionMerge %oj None\nOpSwitch %o %oj 0 %oc 1 %od\n%oc = OpLabel\n"
     "OpSelectionMerge %j None\nOpSwitch %lane %d 0 %p 1 %q\n%p = OpLabel\nOpBranch %q\n%q = OpLabel\n" BALLOT("1") "OpStore %local %b1\nOpBranch %j\n"
     "%d = OpLabel\n" BALLOT("2") "OpStore %local %b2\nOpBranch %j\n%j = OpLabel\nOpBranch %oj\n%od = OpLabel\n" BALLOT("3") "OpStore %local %b3\nOpBranch %oj\n%oj = OpLabel\n"
     "%r = OpLoad %u32 %local\n", .r = {3, 3, 0xc, 0xc, 0xf0, 0xf0, 0xf0, 0xf0}},
    {"and in the outer one, behind an inner one", "%o = OpShiftRightLogical %u32 %lane %u1\nOpSelectionMerge %oj None\nOpSwitch %o %oj 0 %oc 1 %od\n%oc = OpLabel\n"
     "OpSelectionMerge %j None\nOpSwitch %lane %j 0 %p\n%p = OpLabel\nOpBranch %j\n%j = OpLabel\nOpBranch %od\n%od = OpLabel\n" BALLOT("3") "OpStore %local %b3\nOpBranch %oj\n%oj = OpLabel\n"
     "%r = OpLoad %u32 %local\n", .r = {0xf, 0xf, 0xf, 0xf, U, U, U, U}},
};

static void test_switches(void **state)
{
    (void)state;
    CHECK_ROWS(switches);
}

// ---- many constructs in each other ------------------------------------------------------------------

// Of `DEEP` selections lane l leaves at number 6 * (8 - l): each merge block adds the lanes that are there. By hand: what
// a lane has at the end is the sum of the tangles of all selections that it came to.
enum { DEEP = 44, EACH = 6 };

static void test_deep(void **state)
{
    (void)state;
    struct arena a = {0};
    char *code = arena_printf(&a, "OpStore %%local %%u0\n"), *end = arena_printf(&a, "%s", "");
    struct row row = {"deep"};
    for (uint32_t k = 0; k < DEEP; k++) {
        const uint32_t here = 8 - k / EACH, inside = 8 - (k + 1) / EACH; // lanes below
        code = arena_printf(&a, "%s%%c%u = OpULessThan %%bool %%lane %%n%u\nOpSelectionMerge %%j%u None\nOpBranchConditional %%c%u %%t%u %%j%u\n%%t%u = OpLabel\n", code, k, inside, k, k, k, k, k);
        end = arena_printf(&a, "OpBranch %%j%u\n%%j%u = OpLabel\n%%w%u = OpGroupNonUniformBallot %%uvec4 %%u3 %%true\n%%a%u = OpCompositeExtract %%u32 %%w%u 0\n"
                           "%%o%u = OpLoad %%u32 %%local\n%%p%u = OpIAdd %%u32 %%o%u %%a%u\nOpStore %%local %%p%u\n%s", k, k, k, k, k, k, k, k, k, k, end);
        for (uint32_t l = 0; l < here; l++)
            row.r[l] += (1u << here) - 1;
    }
    row.code = arena_printf(&a, "%s%s%%r = OpLoad %%u32 %%local\n", code, end);
    row.globals = "%n0 = OpConstant %u32 0\n%n1 = OpConstant %u32 1\n%n2 = OpConstant %u32 2\n%n3 = OpConstant %u32 3\n%n4 = OpConstant %u32 4\n%n5 = OpConstant %u32 5\n"
                  "%n6 = OpConstant %u32 6\n%n7 = OpConstant %u32 7\n%n8 = OpConstant %u32 8\n";
    check_rows(&row, 1);
    arena_free(&a);
}


// ---- other models, other readings -----------------------------------------------------------------------

#define ALONE_MODES "\nOpExecutionMode %main LocalSize 8 1 1\n"
#define OWN "%own = OpAccessChain %shared_word_ptr %shared %lane\n"
#define OTHER "%l = OpBitwiseXor %u32 %lane %u1\n%other = OpAccessChain %shared_word_ptr %shared %l\n"
// All of a subgroup, or of the workgroup, meet; what was stored before may be loaded after it.
#define SUBGROUP_MEETS "OpControlBarrier %u3 %u3 %u264\n"
#define GROUP_MEETS "OpControlBarrier %u2 %u2 %u264\n"
#define HALVES(then_code, else_code) "%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %e\n%t = OpLabel\n" then_code "OpBranch %j\n%e = OpLabel\n" else_code "OpBranch %j\n%j = OpLabel\n"
#define SWAPPED {2, 1, 4, 3, 6, 5, 8, 7}
#define AS_THEY_ARE {1, 2, 3, 4, 5, 6, 7, 8}
#define CALLED(body) .functions = "%f = OpFunction %void None %fn\n%fs = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"

struct reading {
    struct row row;
    enum spv_model model;
    bool any_policy;
    enum spv_policy policy;
    bool mask_only; // any_policy is of the mask machine alone
};

#define ODD "%odd = OpBitwiseAnd %u32 %lane %u1\n%isodd = OpIEqual %bool %odd %u1\n"

static const struct reading readings[] = {
    // S2 forbids one label twice under maximal reconvergence alone (SPIR-V 1.6 forbids it to all): both ways are one way, and it ends at the merge block.
    {{"both labels are the merge block", ODD HALVES("OpBranchConditional %isodd %j %j\n%t2 = OpLabel\n", "") BALLOT("0") "%r = OpIAdd %u32 %b0 %u0\n", .r = {255, 255, 255, 255, 255, 255, 255, 255}, .modes = ALONE_MODES, .is_invalid = true}, SPV_ASSUMED_MAXIMAL},
    {{"both labels are the continue target", ODD "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %b\n%b = OpLabel\n%c = OpULessThan %bool %lane %u4\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n"
      "%t = OpLabel\nOpBranchConditional %isodd %k %k\n%j = OpLabel\nOpBranch %k\n%k = OpLabel\n" BALLOT("0") "OpStore %local %b0\n%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %u2\nOpBranchConditional %g %h %e\n%e = OpLabel\n%r = OpLoad %u32 %local\n",
      .r = {255, 255, 255, 255, 255, 255, 255, 255}, .modes = ALONE_MODES, .is_invalid = true}, SPV_ASSUMED_MAXIMAL},
    {{"both labels are a block like any other", ODD "OpSelectionMerge %j None\nOpBranchConditional %isodd %t %t\n%t = OpLabel\n" BALLOT("0") "OpStore %local %b0\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n", .r = {255, 255, 255, 255, 255, 255, 255, 255}, .modes = ALONE_MODES, .is_invalid = true}, SPV_ASSUMED_MAXIMAL},

    // Barriers of a subgroup order what it did, where it is whole and no choice has a say in who it is.
    {{"a subgroup meets", OWN "OpStore %own %x\n" SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}},
    {{"whatever is chosen", OWN "OpStore %own %x\n" SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}, .any_policy = true, .mask_only = true},
    {{"after a part has joined", OWN "OpStore %own %x\n" HALVES("", "") SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}, .any_policy = true, .mask_only = true},
    {{"half of a subgroup", OWN "OpStore %own %x\n" HALVES(SUBGROUP_MEETS OTHER "%v = OpLoad %u32 %other\nOpStore %local %v\n", "") "%r = OpLoad %u32 %local\n", AS_THEY_ARE, .refused = "E-race"}},
    {{"both halves, each alone", OWN "OpStore %own %x\n" HALVES(SUBGROUP_MEETS, SUBGROUP_MEETS) OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .refused = "E-race"}},
    {{"in a case that all values enter, where all join", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\n" SUBGROUP_MEETS "OpBranch %j\n%j = OpLabel\n" OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}},
    {{"in a case that all values enter, each alone", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\n" SUBGROUP_MEETS "OpBranch %j\n%j = OpLabel\n" OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .refused = "E-race"},
     .policy = SPV_POLICY_SPLIT},
    {{"in a case that all values enter, whatever is chosen", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\n" SUBGROUP_MEETS "OpBranch %j\n%j = OpLabel\n" OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .refused = "E-race"},
     .any_policy = true, .mask_only = true},
    {{"behind it", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\nOpBranch %j\n%j = OpLabel\n" SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}, .any_policy = true, .mask_only = true},
    {{"a subgroup meets in uniform flow", OWN "OpStore %own %x\n" SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}, SPV_SUBGROUP_UNIFORM},
    {{"and behind a construct that it left", OWN "OpStore %own %x\n" HALVES("", "") SUBGROUP_MEETS OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .r = SWAPPED}, SPV_SUBGROUP_UNIFORM},
    {{"but not where two ways lead to one case", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\n" SUBGROUP_MEETS "OpBranch %j\n%j = OpLabel\n" OTHER "%r = OpLoad %u32 %other\n", AS_THEY_ARE, .refused = "E-race"}, SPV_SUBGROUP_UNIFORM},

    // Barriers of the workgroup: all of a subgroup, in one dynamic instance.
    {{"one barrier in both arms, by a call in each", HALVES("%z1 = OpFunctionCall %void %f\n", "%z2 = OpFunctionCall %void %f\n") "%r = OpIAdd %u32 %x %u0\n", .refused = "E-barrier", CALLED(GROUP_MEETS)}},
    {{"by a call behind both", HALVES("", "") "%z1 = OpFunctionCall %void %f\n%r = OpIAdd %u32 %x %u0\n", AS_THEY_ARE, .r = AS_THEY_ARE, CALLED(GROUP_MEETS)}},
    {{"two calls, the barrier twice", "%z1 = OpFunctionCall %void %f\n%z2 = OpFunctionCall %void %f\n%r = OpIAdd %u32 %x %u0\n", AS_THEY_ARE, .r = AS_THEY_ARE, CALLED(GROUP_MEETS)}},
    {{"after one has fallen through to the others", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %p 0 %o\n%o = OpLabel\nOpBranch %p\n%p = OpLabel\n" GROUP_MEETS OTHER "%v = OpLoad %u32 %other\nOpStore %local %v\nOpBranch %j\n%j = OpLabel\n"
      "%r = OpLoad %u32 %local\n", AS_THEY_ARE, .r = SWAPPED}},
    {{"the same where it does not join them", OWN "OpStore %own %x\nOpSelectionMerge %j None\nOpSwitch %lane %p 0 %o\n%o = OpLabel\nOpBranch %p\n%p = OpLabel\n" GROUP_MEETS OTHER "%v = OpLoad %u32 %other\nOpStore %local %v\nOpBranch %j\n%j = OpLabel\n"
      "%r = OpLoad %u32 %local\n", AS_THEY_ARE, .refused = "E-barrier"}, .policy = SPV_POLICY_DIRECT},
    {{"in a loop that some leave early", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n" GROUP_MEETS "%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %x\nOpBranchConditional %g %h %e\n%e = OpLabel\n"
      "%r = OpIAdd %u32 %m %u0\n", {3, 3, 3, 2, 3, 3, 3, 3}, .refused = "E-barrier"}},
    {{"that all leave at once", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %u0 %then %m %k\nOpLoopMerge %e %k None\nOpBranch %k\n%k = OpLabel\n" GROUP_MEETS "%m = OpIAdd %u32 %n %u1\n%g = OpULessThan %bool %m %x\nOpBranchConditional %g %h %e\n%e = OpLabel\n"
      "%r = OpIAdd %u32 %m %u0\n", {3, 3, 3, 3, 3, 3, 3, 3}, .r = {3, 3, 3, 3, 3, 3, 3, 3}}},
    {{"in a tangle that is whole, but of which nothing is promised", "OpSelectionMerge %j None\nOpSwitch %lane %o 8 %j\n%o = OpLabel\n" GROUP_MEETS "OpBranch %j\n%j = OpLabel\n%r = OpIAdd %u32 %x %u0\n", .refused = "E-barrier"}, SPV_SUBGROUP_UNIFORM},

    // Who is in the tangle of a call that some return from early; loops in loops; one value of many.
    {{"a call that half return from early", "%r = OpFunctionCall %u32 %early\n", .r = {0xff0f, 0xff0f, 0xff0f, 0xff0f, 0xfff0, 0xfff0, 0xfff0, 0xfff0}, .globals = "%ft2 = OpTypeFunction %u32\n",
      .functions = "%early = OpFunction %u32 None %ft2\n%fs = OpLabel\n%w = OpFunctionCall %u32 %inner\n" BALLOT("9") "%b8 = OpShiftLeftLogical %u32 %b9 %u8c\n%fr = OpBitwiseOr %u32 %b8 %w\nOpReturnValue %fr\nOpFunctionEnd\n"
      "%inner = OpFunction %u32 None %ft2\n%is = OpLabel\n%il = OpLoad %u32 %lane_var\n%ic = OpULessThan %bool %il %u4\nOpSelectionMerge %ij None\nOpBranchConditional %ic %it %ij\n%it = OpLabel\n" BALLOT("7") "OpReturnValue %b7\n%ij = OpLabel\n"
      BALLOT("6") "OpReturnValue %b6\nOpFunctionEnd\n"}},
};

static void test_readings(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++)
        for (int machine = ORC_MASK; machine <= (readings[k].mask_only ? ORC_MASK : ORC_TAG); machine++) {
            const struct reading *at = &readings[k];
            const struct spv_choices choices = {.base = at->policy};
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            row_case(tools, &a, &at->row, &c);
            c.model = at->model;
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine, .any_policy = at->any_policy, .policy = at->any_policy ? NULL : &choices}, &r);
            if (at->row.refused ? strcmp(r.why.rule, at->row.refused) != 0 || r.memory : r.why.status != RAN_OK) {
                print_error("%s (machine %d): '%s', expected %s\n", at->row.name, machine, r.why.text, at->row.refused ? at->row.refused : "to run");
                wrong++;
            }
            for (uint32_t l = 0; !at->row.refused && r.why.status == RAN_OK && l < LANES; l++)
                if ((r.memory[1].mask && ~r.memory[1].mask[l]) || r.memory[1].words[l] != at->row.r[l]) {
                    print_error("%s (machine %d), lane %u: 0x%x, expected 0x%x\n", at->row.name, machine, l, r.memory[1].words[l], at->row.r[l]);
                    wrong++;
                }
            arena_free(&a);
        }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phis), cmocka_unit_test(test_switches), cmocka_unit_test(test_deep), cmocka_unit_test(test_readings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
