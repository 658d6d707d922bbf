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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phis), cmocka_unit_test(test_switches), cmocka_unit_test(test_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
