// SPDX-License-Identifier: Apache-2.0
//
// What the tests of generator/ share: cmocka, and a program made from a seed or bytes.
#ifndef TF_TEST_GEN_COMMON_H
#define TF_TEST_GEN_COMMON_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "generator/generator.h"
#include "tree/tree_form.h"

#include <string.h>

struct fixture {
    struct arena arena;
    struct spv_tools *tools;
};

static inline int fixture_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){.tools = spv_tools_new()};
    *state = &f;
    return 0;
}

static inline int fixture_down(void **state)
{
    struct fixture *f = *state;
    spv_tools_free(f->tools);
    arena_free(&f->arena);
    return 0;
}

static inline struct gen_options options_of(enum gen_profile p)
{
    return (struct gen_options){.profile = p, .subgroup = 8, .inputs = 1};
}

static inline struct gen_made make_seed(struct arena *a, uint64_t seed, const struct gen_options *o)
{
    struct gen_choices c;
    struct gen_made m;
    gen_choices_seed(&c, a, seed);
    gen_make(&c, o, &m);
    return m;
}

static inline struct gen_made make_bytes(struct arena *a, const uint8_t *v, size_t n,
                                         const struct gen_options *o)
{
    struct gen_choices c;
    struct gen_made m;
    gen_choices_bytes(&c, a, v, n);
    gen_make(&c, o, &m);
    return m;
}

static inline void assert_valid(struct fixture *f, const struct gen_made *m)
{
    struct err e = {""};
    const struct spv_case *c = &m->cases[0];
    // SPIR-V 1.3 but for what newer controls need, and volatile loads of HelperInvocation.
    assert_true(c->words[1] == 0x00010300 || m->used & (GEN_BIT(GEN_PEEL) | GEN_BIT(GEN_HELPERS) | GEN_BIT(GEN_OP_LANE_VALUE)));
    const enum spv_env env = c->words[1] > 0x00010500   ? SPV_ENV_VULKAN_1_3
                             : c->words[1] > 0x00010300 ? SPV_ENV_VULKAN_1_2
                                                        : SPV_ENV_VULKAN_1_1;
    if (!spv_validate(f->tools, env, c->words, c->count, &e))
        fail_msg("%s: %s", c->from, e.msg);
}

static inline void assert_same_words(const struct gen_made *a, const struct gen_made *b)
{
    assert_int_equal(a->cases[0].count, b->cases[0].count);
    assert_memory_equal(a->cases[0].words, b->cases[0].words, a->cases[0].count * sizeof(uint32_t));
}

static inline const struct gen_function *main_of(const struct gen_program *p)
{
    return p->functions.v[p->functions.n - 1];
}

#endif
