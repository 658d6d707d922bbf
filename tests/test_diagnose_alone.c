// SPDX-License-Identifier: Apache-2.0
//
// Operations by themselves, and exposed in their program: valid, with a meaning, and told apart by
// machines that are wrong about one of them alone.
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

static void is_good(const struct spv_case *c, struct orc_result *r)
{
    struct err e;
    if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, c->words, c->count, &e))
        fail_msg("%s", e.msg);
    orc_predict(&arena, c, c->subgroup, NULL, r);
    if (r->why.status != RAN_OK)
        fail_msg("%s", r->why.text);
}

static bool machine_is_wrong(const char *mutant, const struct spv_case *c, const struct orc_result *right)
{
    struct orc_why why;
    struct orc_result seen;
    struct orc_program *p = orc_load(&arena, c, &why);
    assert_non_null(p);
    mut_run(p, &arena, mut_find(mutant), c, c->subgroup, NULL, &seen);
    bool wrong = false;
    for (uint32_t i = 0; i < right->memory[0].count; i++)
        wrong |= ((right->memory[0].words[i] ^ seen.memory[0].words[i]) &
                  (right->memory[0].mask ? right->memory[0].mask[i] : UINT32_MAX)) != 0;
    return wrong;
}

enum { REDUCE = SpvGroupOperationReduce, IN = SpvGroupOperationInclusiveScan,
       EX = SpvGroupOperationExclusiveScan, CLUSTER = SpvGroupOperationClusteredReduce };
#define OP(x) SpvOpGroupNonUniform##x

static void machines(void **state)
{
    (void)state;
    static const struct {
        const char *mutant;
        struct diag_alone q;
        bool wrong;
    } rows[] = {
        {"scan-includes-self", {OP(IAdd), EX, 1, false, false, 4}, true},
        {"scan-includes-self", {OP(IAdd), IN, 1, false, false, 4}, false},
        {"scan-leaves-self-out", {OP(IAdd), IN, 1, false, false, 4}, true},
        {"inactive-in-vote", {OP(All), 0, 1, false, true, 4}, true},
        {"inactive-in-vote", {OP(AllEqual), 0, 1, false, true, 4}, true},
        {"inactive-in-vote", {OP(All), 0, 1, false, false, 4}, false},
        {"inactive-in-quad", {OP(QuadAnyKHR), 0, 1, false, true, 4}, true},
        {"inactive-in-ballot", {OP(Ballot), 0, 1, false, true, 4}, true},
        {"inactive-in-ballot", {OP(Ballot), 0, 1, false, false, 4}, false},
        {"inactive-in-reduce", {OP(IAdd), REDUCE, 1, false, true, 4}, true},
        {"inactive-in-scan", {OP(SMin), EX, 1, false, true, 4}, true},
        {"one-component", {OP(IAdd), REDUCE, 1, true, false, 4}, true},
        {"one-component", {OP(IAdd), REDUCE, 1, false, false, 4}, false},
        {"one-component", {OP(Shuffle), 0, 1, true, false, 4}, true},
        {"sign-lost", {OP(SMin), REDUCE, 1, false, false, 4}, true},
        {"sign-lost", {OP(UMin), REDUCE, 1, false, false, 4}, false},
        {"upper-half-lost", {OP(IAdd), REDUCE, 1, false, false, 8}, true},
        {"cluster-is-whole", {OP(IAdd), CLUSTER, 1, false, false, 4}, true},
        {"cluster-of-half", {OP(IAdd), CLUSTER, 2, false, false, 4}, true},
        {"shuffle-in-row", {OP(Shuffle), 0, 1, false, false, 8}, true},
        {"shuffle-in-row", {OP(Shuffle), 0, 1, false, false, 4}, false},
        {"shuffle-by-first-index", {OP(Shuffle), 0, 1, false, false, 4}, true},
        {"first-is-lane-zero", {OP(BroadcastFirst), 0, 1, false, true, 4}, true},
        {"first-is-lane-zero", {OP(BroadcastFirst), 0, 1, false, false, 4}, false},
        {"elects-lane-zero", {OP(Elect), 0, 1, false, true, 4}, true},
        {"elects-last", {OP(Elect), 0, 1, false, false, 4}, true},
        {"broadcast-is-first", {OP(Broadcast), 0, 1, false, false, 4}, true},
        {"rotate-back", {OP(RotateKHR), 0, 1, false, false, 4}, true},
        {"quad-swap-mixed", {OP(QuadSwap), 0, 1, false, false, 4}, true},
        {"count-includes-self", {OP(BallotBitCount), EX, 1, false, false, 4}, true},
        {"highest-for-lowest", {OP(BallotFindLSB), 0, 1, false, false, 4}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spv_case c;
        struct orc_result right;
        assert_true(diag_alone(tools, &arena, &rows[i].q, SPV_MAXIMAL, &c));
        is_good(&c, &right);
        if (machine_is_wrong(rows[i].mutant, &c, &right) != rows[i].wrong)
            fail_msg("%s, row %zu", rows[i].mutant, i);
    }
}

// All that can be asked, under both models: valid, and some word of it is fixed.
static void all_are_programs(void **state)
{
    (void)state;
    static const uint16_t ops[] = {
        OP(Elect), OP(All), OP(Any), OP(AllEqual), OP(Broadcast), OP(BroadcastFirst), OP(Ballot),
        OP(BallotBitCount), OP(BallotFindLSB), OP(BallotFindMSB), OP(Shuffle), OP(ShuffleXor),
        OP(ShuffleUp), OP(ShuffleDown), OP(IAdd), OP(FAdd), OP(IMul), OP(FMul), OP(SMin), OP(UMin),
        OP(FMin), OP(SMax), OP(UMax), OP(FMax), OP(BitwiseAnd), OP(BitwiseOr), OP(BitwiseXor),
        OP(LogicalAnd), OP(LogicalOr), OP(LogicalXor), OP(QuadBroadcast), OP(QuadSwap), OP(QuadAllKHR),
        OP(QuadAnyKHR), OP(RotateKHR),
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        uint32_t fixed = 0; // the lowest of all lanes is 0: over all that is asked
        for (uint32_t k = 0; k < 4; k++) {
            struct diag_alone q = {ops[i], ops[i] == OP(BallotBitCount) ? k % 3 : k, 2, k == 1, k & 1, 4};
            struct spv_case c;
            struct orc_result r;
            assert_true(diag_alone(tools, &arena, &q, k & 2 ? SPV_MAXIMAL : SPV_ASSUMED_MAXIMAL, &c));
            is_good(&c, &r);
            for (uint32_t w = 0; w < r.memory[0].count; w++)
                fixed += r.memory[0].words[w] != 0;
        }
        assert_true(fixed > 0);
    }
    struct diag_alone none = {SpvOpGroupNonUniformInverseBallot, 0, 1, false, false, 4};
    struct spv_case c;
    assert_false(diag_alone(tools, &arena, &none, SPV_MAXIMAL, &c));
}

// The plan goes from the plainest to the operation itself.
static void plan(void **state)
{
    (void)state;
    struct diag_alone q = {OP(SMax), EX, 1, true, true, 8};
    struct spv_case c;
    struct spv_module m;
    struct diag_plan p;
    assert_true(diag_alone(tools, &arena, &q, SPV_MAXIMAL, &c));
    assert_true(spv_module_read(&arena, c.words, c.count, &m, NULL));
    uint32_t id = 0;
    for (uint32_t k = 0; k < m.inst_count && !id; k++)
        id = m.insts[k].op == q.op ? m.insts[k].result : 0;
    diag_alone_plan(&arena, &c, id, true, &p);
    assert_true(p.n > 8);
    const struct diag_op first = diag_alone_op(&p.v[0]);
    assert_string_equal(diag_operation_words(&arena, &first), "IAdd Reduce");
    assert_false(p.v[0].part || p.v[0].vector);
    assert_int_equal(p.v[0].lanes, 4);
    const struct diag_alone *last = &p.v[p.n - 1];
    const struct diag_op itself = diag_alone_op(last);
    assert_string_equal(diag_operation_words(&arena, &itself), "SMax ExclusiveScan vector");
    assert_true(last->part && last->lanes == 8);
    diag_alone_plan(&arena, &c, 1, true, &p); // no operation
    assert_int_equal(p.n, 0);
}

// Each operation of a case exposed: valid, with a meaning, and the count is right.
static void exposed(void **state)
{
    (void)state;
    static const char *const names[] = {"M4-continue-target-joins", "M3-loop-exit-joins-all-iterations",
                                        "D2-switch-by-value", "M5-E3-call-return-joins"};
    uint32_t seen = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct spv_case c, x;
        struct spv_module m;
        struct err e;
        struct orc_result r;
        if (!spv_case_read(tools, &arena, arena_printf(&arena, "%s/corpus/rules/%s.spvasm",
                                                       getenv("SOURCE_DIR"), names[n]), &c, &e))
            fail_msg("%s", e.msg);
        c.subgroup = c.subgroup ? c.subgroup : 4;
        assert_true(spv_module_read(&arena, c.words, c.count, &m, NULL));
        for (uint32_t k = 0; k < m.inst_count; k++)
            for (int what = DIAG_EXPOSE_ALONE; what <= DIAG_EXPOSE_COUNT; what++) {
                if (m.insts[k].op != SpvOpGroupNonUniformBallot ||
                    !diag_expose(&arena, &c, m.insts[k].result, (enum diag_expose)what, &x))
                    continue;
                is_good(&x, &r);
                uint64_t sum = 0;
                for (uint32_t w = 0; w < r.memory[0].count; w++)
                    sum += r.memory[0].words[w];
                assert_int_equal(x.buffer_count, c.buffer_count + 1);
                assert_true(sum > 0); // somebody came by
                seen++;
            }
    }
    assert_true(seen >= 12);
}

// A barrier gives way to a ballot, whose result can be stored where the module had no buffer.
static void barrier(void **state)
{
    (void)state;
    const char *form = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
                       "OpExecutionMode %%1 LocalSize 4 1 1\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
                       "%%4 = OpTypeInt 32 0\n%%5 = OpConstant %%4 2\n%%6 = OpConstant %%4 264\n"
                       "%%1 = OpFunction %%2 None %%3\n%%7 = OpLabel\n%s%sOpReturn\nOpFunctionEnd\n";
    const char *one = "OpControlBarrier %5 %5 %6\n";
    for (int barriers = 0; barriers < 3; barriers++) {
        struct spv_case c = {.groups = {1, 1, 1}, .subgroup = 4, .model = SPV_ASSUMED_MAXIMAL}, x, y;
        struct orc_result r;
        uint32_t id;
        const char *text = arena_printf(&arena, form, barriers > 0 ? one : "", barriers > 1 ? one : "");
        assert_true(spv_assemble(tools, &arena, text, strlen(text), 1, &c.words, &c.count, NULL));
        assert_int_equal(diag_barrier_ballot(&arena, &c, &x, &id), barriers == 1);
        if (barriers != 1)
            continue;
        assert_true(diag_expose(&arena, &x, id, DIAG_EXPOSE_ALONE, &y));
        is_good(&y, &r);
        for (uint32_t l = 0; l < 4; l++)
            assert_int_equal(r.memory[0].words[l], 15);
    }
}

int main(void)
{
    tools = spv_tools_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines), cmocka_unit_test(all_are_programs), cmocka_unit_test(plan),
        cmocka_unit_test(exposed), cmocka_unit_test(barrier),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spv_tools_free(tools);
    arena_free(&arena);
    return failed;
}
