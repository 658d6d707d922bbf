// SPDX-License-Identifier: Apache-2.0
//
// generator: programs of the fragment stage. The same words for the same choices, valid modules from any bytes, and
// what a case draws: no pixel twice, all inside of the target.
#include "test_gen_common.h"

#include "generator/grow/grow_patterns.h"

static struct gen_options fragments(uint64_t n)
{
    struct gen_options o = options_of((enum gen_profile)(n % 3));
    o.stage = SPV_FRAGMENT;
    o.subgroup = 4u << n % 6;
    o.model = n % 5 == 4 ? SPV_ASSUMED_MAXIMAL : SPV_MAXIMAL;
    return o;
}

// XXH3 over words, inputs and covers of seeds 0 .. 127.
static void golden_hash(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    const uint64_t golden = 0x48270528e5c17b3e;
    uint64_t h = 0;
    for (uint64_t seed = 0; seed < 128; seed++) {
        struct gen_options o = fragments(seed);
        o.inputs = 3;
        struct gen_made m = make_seed(a, seed, &o);
        h = hash64_with(h, m.cases[0].words, m.cases[0].count * sizeof(uint32_t));
        for (uint32_t i = 0; i < m.case_count; i++) {
            const struct spv_case *c = &m.cases[i];
            h = hash64_with(h, c->buffer[0].words, c->buffer[0].count * sizeof(uint32_t));
            h = hash64_with(h, c->vertex, c->vertex_count * sizeof c->vertex[0]);
        }
        arena_reset(a);
    }
    if (h != golden)
        fail_msg("0x%016llx", (unsigned long long)h);
}

static void seeds_are_valid(void **state)
{
    struct fixture *f = *state;
    uint64_t patterns = 0;
    for (uint64_t seed = 0; seed < 900; seed++) {
        const struct gen_options o = fragments(seed);
        struct gen_made m = make_seed(&f->arena, seed, &o);
        assert_valid(f, &m);
        patterns |= m.patterns;
        arena_reset(&f->arena);
    }
    // All shapes occur, but for that of one workgroup among several, and those of images.
    const uint64_t all = ((uint64_t)1 << PATTERN_OF_IMAGES) - 1;
    assert_int_equal(patterns | (uint64_t)1 << PATTERN_ONE_GROUP, all);
}

// Of the vertex stage: the same words for the same choices, valid, and none of what the stage has not.
static void vertices_are_valid(void **state)
{
    struct fixture *f = *state;
    const uint64_t golden = 0xc9c6e42b0cd27160;
    uint64_t h = 0;
    for (uint64_t seed = 0; seed < 128; seed++) {
        struct gen_options o = fragments(seed);
        o.stage = SPV_VERTEX;
        const struct gen_made m = make_seed(&f->arena, seed, &o);
        const struct spv_case *c = &m.cases[0];
        assert_valid(f, &m);
        assert_true(c->has_coverage && !c->has_lanes && c->target[0] >= 1 && c->target[1] == 1);
        assert_true((m.used & gen_features_beyond(SPV_VERTEX)) == 0);
        assert_int_equal(c->buffer[1].count, c->target[0] * c->log_stride);
        h = hash64_with(h, c->words, c->count * sizeof(uint32_t));
        arena_reset(&f->arena);
    }
    if (h != golden)
        fail_msg("0x%016llx", (unsigned long long)h);
}

// In a loop that quads go through whole nobody ends early: a derivative before would find a part of a quad in the
// next iteration.
static void none_ends_in_a_loop_of_quads(void **state)
{
    struct fixture *f = *state;
    const struct gen_options o = {.stage = SPV_FRAGMENT, .subgroup = 32, .inputs = 1, .profile = GEN_DEFAULT};
    struct gen_made m = make_seed(&f->arena, 718524, &o);
    assert_valid(f, &m);
    arena_reset(&f->arena);
}

static void any_bytes_are_valid(void **state)
{
    struct fixture *f = *state;
    struct rng r = {77};
    for (uint32_t i = 0; i < 3000; i++) {
        uint8_t bytes[1024];
        const uint32_t n = rng_below(&r, sizeof bytes), most = 1 + rng_below(&r, 256);
        for (uint32_t k = 0; k < n; k++)
            bytes[k] = (uint8_t)rng_below(&r, most);
        const struct gen_options o = fragments(i);
        struct gen_made m = make_bytes(&f->arena, bytes, n, &o), again = make_bytes(&f->arena, m.choices, m.choice_count, &o);
        assert_same_words(&m, &again);
        if (i % 20 == 0)
            assert_valid(f, &m);
        arena_reset(&f->arena);
    }
}

// Where nothing but a quad's vote is wanted, and not all quads are full, there is nothing to look at: not an operation
// without a weight (gen_weighted).
static void votes_alone(void **state)
{
    struct fixture *f = *state;
    uint32_t some = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct gen_options o = fragments(seed);
        o.features = GEN_BIT(GEN_OP_QUAD_VOTE) | (seed % 2 ? GEN_BIT(GEN_OP_BALLOT) : 0);
        struct gen_made m = make_seed(&f->arena, seed, &o);
        some += m.cases[0].count > 0;
        if (seed % 20 == 0)
            assert_valid(f, &m);
        arena_reset(&f->arena);
    }
    assert_int_equal(some, 300);
}

// The case as a file, and the line that makes it again.
static void written_and_read(void **state)
{
    struct fixture *f = *state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct gen_options o = fragments(seed), from;
        struct gen_made m = make_seed(&f->arena, seed, &o);
        struct spv_case c;
        struct text t = {.arena = &f->arena};
        struct err e = {""};
        const uint8_t *choices;
        size_t n;
        if (!spv_case_print(f->tools, &m.cases[0], &t, &e) ||
            !spv_case_parse(f->tools, &f->arena, "made", t.v, t.n, &c, &e) ||
            !gen_from_read(&f->arena, c.from, &from, &choices, &n, &e))
            fail_msg("seed %u: %s", (unsigned)seed, e.msg);
        assert_int_equal(from.stage, SPV_FRAGMENT);
        struct gen_made again = make_bytes(&f->arena, choices, n, &from);
        assert_same_words(&m, &again);
        assert_int_equal(again.cases[0].cover, c.cover);
        assert_int_equal(again.cases[0].vertex_count, c.vertex_count);
        assert_memory_equal(again.cases[0].vertex, c.vertex, c.vertex_count * sizeof c.vertex[0]);
        arena_reset(&f->arena);
    }
}

// Twice the area that the triangle and the half plane left of each edge have in common with a point: inside of it?
static bool inside(const uint16_t (*v)[2], int64_t x, int64_t y)
{
    int sign = 0;
    for (int i = 0; i < 3; i++) {
        const uint16_t *a = v[i], *b = v[(i + 1) % 3];
        const int64_t side = ((int64_t)b[0] - a[0]) * (y - a[1]) - ((int64_t)b[1] - a[1]) * (x - a[0]);
        if (side == 0 || (sign && (side > 0) != (sign > 0)))
            return false;
        sign = side > 0 ? 1 : -1;
    }
    return true;
}

static void no_pixel_twice(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t partial = 0, kinds[SPV_COVERS] = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct gen_options o = fragments(seed);
        o.inputs = 4;
        struct gen_made m = make_seed(a, seed, &o);
        for (uint32_t i = 0; i < m.case_count; i++) {
            const struct spv_case *c = &m.cases[i];
            kinds[c->cover]++;
            partial += c->cover != SPV_COVER_FULL;
            for (uint32_t k = 0; k < c->vertex_count; k++)
                assert_true(c->vertex[k][0] <= c->target[0] * SPV_SUBPIXELS && c->vertex[k][1] <= c->target[1] * SPV_SUBPIXELS);
            for (uint32_t p = 0; c->cover == SPV_COVER_TRIANGLES && p < c->target[0] * c->target[1]; p++) {
                const uint32_t x = p % c->target[0] * SPV_SUBPIXELS + 8, y = p / c->target[0] * SPV_SUBPIXELS + 8;
                uint32_t times = 0;
                for (uint32_t k = 0; k < c->vertex_count; k += 3)
                    times += inside(&c->vertex[k], x, y);
                if (times > 1)
                    fail_msg("seed %u, inputs %u: pixel %u is drawn %u times", (unsigned)seed, i, p, times);
            }
        }
        arena_reset(a);
    }
    for (int k = 0; k < SPV_COVERS; k++)
        assert_true(kinds[k] > 40);
    assert_true(partial > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_hash),      cmocka_unit_test(seeds_are_valid),
        cmocka_unit_test(vertices_are_valid),
        cmocka_unit_test(none_ends_in_a_loop_of_quads), cmocka_unit_test(any_bytes_are_valid),
        cmocka_unit_test(votes_alone),
        cmocka_unit_test(written_and_read), cmocka_unit_test(no_pixel_twice),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
