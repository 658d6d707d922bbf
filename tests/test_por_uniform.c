// SPDX-License-Identifier: Apache-2.0
//
// portable: static uniformity (portable/uniform.h) against runs of generated programs. A block that
// the analysis says all invocations execute together is never one for which a run promises nothing.
// TANGLEFUZZ_UNIFORM_SEEDS: the last seed; default 300. TANGLEFUZZ_UNIFORM_FIRST: the first; default 1.
#include "oracle/trace.h"
#include "portable/uniform.h"
#include "test_gen_common.h"

#include <stdlib.h>

struct counts {
    uint32_t programs, blocks, same, differ_seen;
};

// Runs one case under a weaker model and compares each block.
static void compare(struct arena *a, struct spv_case c, enum spv_model model,
                    const struct por_uniform *u, enum por_level promised, uint64_t seed,
                    struct counts *n)
{
    struct orc_why why;
    struct orc_result r;
    struct orc_trace t = {.arena = a};
    c.model = model;
    struct orc_program *p = orc_load_assumed(a, &c, &why);
    if (!p)
        return;
    orc_run(p, a, &c, 8, &(struct orc_options){.any_policy = true, .trace = &t, .order = 1}, &r);
    for (uint32_t k = 0; t.ran && k < u->m->block_count; k++) {
        n->blocks += t.ran[k];
        n->same += t.ran[k] && u->block[k] <= promised;
        n->differ_seen += t.ran[k] && t.unpromised[k];
        if (t.unpromised[k] && u->block[k] <= promised)
            fail_msg("seed %u: block %%%u differs in a run (model %s)", (unsigned)seed,
                     u->m->blocks[k].label, spv_model_name(model));
    }
}

static void one(uint64_t seed, struct counts *n)
{
    static const enum gen_profile profiles[] = {GEN_DEFAULT, GEN_SMALL};
    struct arena a = {0};
    struct spv_module m;
    struct err e;
    struct gen_options o = options_of(profiles[seed % 2]);
    struct gen_made made = make_seed(&a, seed, &o);
    assert_true(spv_module_read(&a, made.cases[0].words, made.cases[0].count, &m, &e));
    const struct por_uniform *u = por_uniform_of(&a, &m);
    compare(&a, made.cases[0], SPV_WORKGROUP_UNIFORM, u, POR_SAME, seed, n);
    compare(&a, made.cases[0], SPV_SUBGROUP_UNIFORM, u, POR_GROUPS, seed, n);
    n->programs++;
    arena_free(&a);
}

// Programs that the analysis was once wrong about.
static void once_wrong(void **state)
{
    struct counts n = {0};
    (void)state;
    one(28004, &n); // a case of a switch that continues the loop, with one target for all values
    assert_true(n.differ_seen > 0);
}

static void never_cannot_where_a_run_differs(void **state)
{
    const char *given = getenv("TANGLEFUZZ_UNIFORM_SEEDS");
    const uint64_t seeds = given ? strtoull(given, NULL, 10) : 300;
    struct counts n = {0};
    (void)state;
    const char *from = getenv("TANGLEFUZZ_UNIFORM_FIRST");
    for (uint64_t seed = from ? strtoull(from, NULL, 10) : 1; seed <= seeds; seed++)
        one(seed, &n);
    print_message("%u programs, %u blocks ran, %u of them cannot differ, %u differed\n", n.programs,
                  n.blocks, n.same, n.differ_seen);
    assert_true(n.same > n.blocks / 20 && n.differ_seen > n.blocks / 20); // both are met
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(once_wrong),
                                       cmocka_unit_test(never_cannot_where_a_run_differs)};
    return cmocka_run_group_tests_name("por_uniform", tests, NULL, NULL);
}
