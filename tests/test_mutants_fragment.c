// SPDX-License-Identifier: Apache-2.0
//
// Mutants that fragment programs tell: each makes valid modules, of a fair share of the generated programs, and
// leaves compute programs as they are.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "generator/generator.h"
#include "mutants/mutants.h"

#include <string.h>

enum { SEEDS = 150, MUTANTS_MAX = 256 };

static void modules_are_valid(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    const uint32_t n = mut_all(&all);
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    uint32_t changed[MUTANTS_MAX] = {0}, fragments = 0;
    assert_true(n <= MUTANTS_MAX);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct gen_options o = {
            .stage = SPV_FRAGMENT, .subgroup = 4u << seed % 4, .inputs = 1, .profile = GEN_DEFAULT};
        struct gen_choices c;
        struct gen_made made;
        arena_reset(&a);
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &o, &made);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t *words;
            size_t count;
            struct err e;
            if (all[k].kind != MUT_TRANSFORMATION)
                continue;
            const uint32_t places = mut_compile(&a, &all[k], made.cases[0].words, made.cases[0].count, &words, &count);
            changed[k] += places > 0;
            if (places && !spv_validate(tools, SPV_ENV_VULKAN_1_3, words, count, &e))
                fail_msg("%s makes an invalid module of seed %u: %s", all[k].name, (unsigned)seed, e.msg);
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        fragments += all[k].detected_by == MUT_FRAGMENTS;
        if (all[k].detected_by == MUT_FRAGMENTS && changed[k] < SEEDS / 50)
            fail_msg("%s changes %u of %d programs", all[k].name, changed[k], SEEDS);
    }
    assert_true(fragments >= 15);
    spv_tools_free(tools);
    arena_free(&a);
}

static void compute_stays(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    const uint32_t n = mut_all(&all);
    struct arena a = {0};
    for (uint64_t seed = 0; seed < 30; seed++) {
        const struct gen_options o = {.subgroup = 8, .inputs = 1, .profile = GEN_DEFAULT};
        struct gen_choices c;
        struct gen_made made;
        arena_reset(&a);
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &o, &made);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t *words;
            size_t count;
            if (all[k].detected_by == MUT_FRAGMENTS)
                assert_int_equal(mut_compile(&a, &all[k], made.cases[0].words, made.cases[0].count, &words, &count), 0);
        }
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_are_valid),
        cmocka_unit_test(compute_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
