// SPDX-License-Identifier: Apache-2.0
//
// spirv: dominators and constructs of a function. Blocks are spoken of by their letters: their
// labels in the text, in this order.
#include "test_spv_common.h"

#include "spirv/spirv_flow.h"

static const char head[] =
    "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%uint = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"
    "%c = OpConstantTrue %bool\n%u = OpConstant %uint 1\n%l = OpConstant %long 1\n"
    "%main = OpFunction %void None %fn\n";

enum { A, B, C, D, E, F, G, H, I, J, LETTERS };

static void flow_of(struct fixture *f, const char *body, struct spv_module *m, struct spv_flow *out)
{
    char text[4096];
    size_t count;
    snprintf(text, sizeof text, "%s%sOpFunctionEnd\n", head, body);
    const uint32_t *words = assembled(f, text, &count);
    struct err e = {{0}};
    if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, words, count, &e))
        fail_msg("%s", e.msg);
    assert_true(spv_module_read(&f->arena, words, count, m, NULL));
    spv_flow_read(&f->arena, m, &m->functions[0], out);
}

// The blocks for which the question is true, as letters.
#define WHICH(out, condition)                                                                      \
    char out[LETTERS + 1] = "";                                                                    \
    for (uint32_t b = 0, to = 0; b < g.n; b++)                                                     \
        if (condition)                                                                             \
    out[to++] = (char)('a' + b)

static void finds_dominators(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    // a -> b (if: c or d) -> e; f is not reached.
    flow_of(f,
            "%a = OpLabel\nOpBranch %b\n"
            "%b = OpLabel\nOpSelectionMerge %e None\nOpBranchConditional %c %cc %d\n"
            "%cc = OpLabel\nOpBranch %e\n"
            "%d = OpLabel\nOpBranch %e\n"
            "%e = OpLabel\nOpReturn\n"
            "%ff = OpLabel\nOpReturn\n",
            &m, &g);
    assert_int_equal(g.n, 6);
    assert_int_equal(g.reached, 5);
    static const uint32_t order[] = {A, B, C, D, E}; // of two arms the first one first
    assert_memory_equal(g.order, order, sizeof order);
    assert_int_equal(g.block[E].idom, B);
    assert_int_equal(g.block[F].idom, SPV_NO_BLOCK);
    assert_int_equal(g.block[E].pred_count, 2);
    assert_int_equal(g.block[E].pred[0], C);
    WHICH(by_b, spv_flow_dominates(&g, B, b));
    assert_string_equal(by_b, "bcde");
    WHICH(by_c, spv_flow_dominates(&g, C, b));
    assert_string_equal(by_c, "c");
    assert_false(spv_flow_dominates(&g, F, F)); // what is not reached
    assert_true(spv_flow_reaches(&g, A, E, C));
    assert_false(spv_flow_reaches(&g, C, D, SPV_NO_BLOCK));
    assert_false(spv_flow_reaches(&g, A, E, B));
}

// A merge block that an inner selection dominates: the loop is left from one arm alone, so
// every way to what comes after the loop leads through the selection in it.
static void merge_dominated_by_inner_selection(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    flow_of(f,
            "%a = OpLabel\nOpBranch %b\n"
            "%b = OpLabel\nOpLoopMerge %h %g None\nOpBranch %cc\n"
            "%cc = OpLabel\nOpSelectionMerge %e None\nOpBranchConditional %c %d %e\n"
            "%d = OpLabel\nOpBranch %h\n" // out of the loop
            "%e = OpLabel\nOpSelectionMerge %ff None\nOpBranchConditional %c %ff %i\n"
            "%ff = OpLabel\nOpBranch %g\n"
            "%g = OpLabel\nOpBranch %b\n"
            "%h = OpLabel\nOpReturn\n"
            "%i = OpLabel\nOpReturn\n",
            &m, &g);
    assert_true(spv_flow_dominates(&g, C, H));
    assert_true(spv_flow_dominates(&g, D, H));
    WHICH(selection, spv_flow_inside(&g, C, b));
    assert_string_equal(selection, "cd");
    // The other way out of the loop, by a return, is part of it; so is the selection before it.
    WHICH(loop, spv_flow_inside(&g, B, b));
    assert_string_equal(loop, "bcdefgi");
    assert_int_equal(g.block[H].construct, SPV_NO_BLOCK);
    assert_int_equal(g.block[D].construct, C);
    assert_int_equal(spv_flow_around(&g, C), B);
    assert_int_equal(spv_flow_around(&g, B), SPV_NO_BLOCK);
    assert_int_equal(spv_flow_merges(&g, H), B);
    assert_int_equal(spv_flow_arm(&g, C, D), 0);
    assert_int_equal(spv_flow_arm(&g, C, H), SPV_NO_BLOCK);
    assert_int_equal(spv_flow_arm(&g, C, C), SPV_NO_BLOCK);
    assert_int_equal(spv_flow_arm(&g, E, I), 1);
}

// The same with a continue target: nobody comes there but by one arm.
static void continue_dominated_by_inner_selection(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    flow_of(f,
            "%a = OpLabel\nOpBranch %b\n"
            "%b = OpLabel\nOpLoopMerge %h %ff None\nOpBranch %cc\n"
            "%cc = OpLabel\nOpSelectionMerge %e None\nOpBranchConditional %c %d %e\n"
            "%d = OpLabel\nOpBranch %ff\n"
            "%e = OpLabel\nOpReturn\n"
            "%ff = OpLabel\nOpBranch %g\n"
            "%g = OpLabel\nOpBranchConditional %c %b %h\n"
            "%h = OpLabel\nOpReturn\n",
            &m, &g);
    assert_true(spv_flow_dominates(&g, D, F));
    WHICH(selection, spv_flow_inside(&g, C, b));
    assert_string_equal(selection, "cd");
    WHICH(rest, spv_flow_in_continue(&g, B, b));
    assert_string_equal(rest, "fg");
    assert_int_equal(g.block[G].construct, B);
    assert_int_equal(spv_flow_loop(&g, D), B);
    assert_int_equal(spv_flow_loop(&g, H), SPV_NO_BLOCK);
    assert_int_equal(spv_flow_merges(&g, F), SPV_NO_BLOCK);
}

// A merge block to which no way leads ends its construct all the same, and so does one behind it.
static void merge_that_is_not_reached(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    flow_of(f,
            "%a = OpLabel\nOpSelectionMerge %g None\nOpBranchConditional %c %b %ff\n"
            "%b = OpLabel\nOpSelectionMerge %e None\nOpBranchConditional %c %cc %d\n"
            "%cc = OpLabel\nOpReturn\n"
            "%d = OpLabel\nOpReturn\n"
            "%e = OpLabel\nOpBranch %g\n"
            "%ff = OpLabel\nOpBranch %g\n"
            "%g = OpLabel\nOpReturn\n",
            &m, &g);
    assert_false(spv_flow_reached(&g, E));
    assert_int_equal(g.block[E].construct, A);
    assert_int_equal(g.block[G].construct, SPV_NO_BLOCK);
    WHICH(inner, spv_flow_inside(&g, B, b));
    assert_string_equal(inner, "bcd");
    WHICH(outer, spv_flow_inside(&g, A, b));
    assert_string_equal(outer, "abcdef");
    // One arm alone leads to g, which is not inside of anything for that.
    assert_true(spv_flow_dominates(&g, F, G));
    assert_false(spv_flow_structurally_dominates(&g, F, G));
}

static void cases_of_a_switch(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    // 1 falls through to 2, which breaks from a selection; the default leaves at once.
    flow_of(f,
            "%a = OpLabel\nOpSelectionMerge %g None\nOpSwitch %l %g 1 %b 4294967297 %cc\n"
            "%b = OpLabel\nOpBranch %cc\n"
            "%cc = OpLabel\nOpSelectionMerge %e None\nOpBranchConditional %c %d %e\n"
            "%d = OpLabel\nOpBranch %g\n"
            "%e = OpLabel\nOpBranch %ff\n"
            "%ff = OpLabel\nOpBranch %g\n"
            "%g = OpLabel\nOpReturn\n",
            &m, &g);
    assert_int_equal(g.block[A].kind, SPV_SWITCH);
    assert_int_equal(g.block[A].succ_count, 3); // its literals have two words
    assert_int_equal(g.block[A].succ[2], C);
    assert_int_equal(spv_flow_arm(&g, A, B), 1);
    static const uint32_t second[] = {C, D, E, F};
    for (size_t k = 0; k < sizeof second / sizeof *second; k++)
        assert_int_equal(spv_flow_arm(&g, A, second[k]), 2);
    assert_int_equal(spv_flow_arm(&g, A, G), SPV_NO_BLOCK);
    WHICH(inner, spv_flow_inside(&g, C, b));
    assert_string_equal(inner, "cd");
    assert_int_equal(spv_flow_around(&g, C), A);
}

static void loops_in_loops(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_flow g;
    // The inner loop is one block, its own continue target; it stands in the outer's continue
    // construct.
    flow_of(f,
            "%a = OpLabel\nOpBranch %b\n"
            "%b = OpLabel\nOpLoopMerge %ff %cc None\nOpBranchConditional %c %cc %ff\n"
            "%cc = OpLabel\nOpBranch %d\n"
            "%d = OpLabel\nOpLoopMerge %e %d None\nOpBranchConditional %c %d %e\n"
            "%e = OpLabel\nOpBranch %b\n"
            "%ff = OpLabel\nOpReturn\n",
            &m, &g);
    WHICH(outer, spv_flow_inside(&g, B, b));
    assert_string_equal(outer, "bcde");
    WHICH(again, spv_flow_in_continue(&g, B, b));
    assert_string_equal(again, "cde");
    WHICH(inner, spv_flow_inside(&g, D, b));
    assert_string_equal(inner, "d");
    assert_true(spv_flow_in_continue(&g, D, D));
    assert_false(spv_flow_in_continue(&g, B, B));
    assert_int_equal(spv_flow_loop(&g, D), D);
    assert_int_equal(spv_flow_loop(&g, E), B);
    assert_int_equal(spv_flow_around(&g, D), B);
    assert_int_equal(g.block[B].kind, SPV_LOOP); // though its branch has a condition
    assert_int_equal(spv_flow_arm(&g, B, C), SPV_NO_BLOCK);
}

static void places(void **state)
{
    struct fixture *f = *state;
    size_t count;
    struct spv_module m;
    struct spv_flow g;
    const uint32_t *words = assembled(f, SAMPLE, &count);
    assert_true(spv_module_read(&f->arena, words, count, &m, NULL));
    for (uint32_t i = 0; i < m.inst_count; i++) {
        uint32_t block = UINT32_MAX, function = UINT32_MAX;
        for (uint32_t b = 0; b < m.block_count; b++)
            if (i >= m.blocks[b].first && i <= m.blocks[b].last)
                block = b;
        for (uint32_t k = 0; k < m.function_count; k++)
            if (i >= m.functions[k].first && i <= m.functions[k].last)
                function = k;
        assert_int_equal(spv_block_at(&m, i), block);
        assert_int_equal(spv_function_at(&m, i), function);
    }
    spv_flow_read(&f->arena, &m, &m.functions[1], &g);
    assert_int_equal(g.first, 1);
    assert_int_equal(spv_flow_label(&g, 22), 1);
    assert_int_equal(spv_flow_label(&g, 18), SPV_NO_BLOCK); // another function's
    assert_int_equal(spv_flow_label(&g, 5), SPV_NO_BLOCK);  // no label
    assert_int_equal(spv_flow_at(&g, m.blocks[2].first), 1);
    assert_int_equal(spv_flow_at(&g, 0), SPV_NO_BLOCK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_dominators),
        cmocka_unit_test(merge_dominated_by_inner_selection),
        cmocka_unit_test(continue_dominated_by_inner_selection),
        cmocka_unit_test(merge_that_is_not_reached),
        cmocka_unit_test(cases_of_a_switch),
        cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests_name("spv_flow", tests, fixture_up, fixture_down);
}
