// SPDX-License-Identifier: Apache-2.0
//
// generator: choices, spans, feature lists, the from line.
#include "test_gen_common.h"

static void recorded_and_replayed(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    static const uint16_t weights[] = {0, 3, 0, 5};
    struct gen_choices c, again;
    uint32_t seen[200][4];
    gen_choices_seed(&c, a, 42);
    for (int i = 0; i < 200; i++) {
        seen[i][0] = gen_choose(&c, 7);
        seen[i][1] = gen_choose(&c, 1000);
        seen[i][2] = gen_chance(&c, 30);
        seen[i][3] = gen_weighted(&c, weights, 4);
        assert_true(seen[i][0] < 7 && seen[i][1] < 1000);
        assert_true(weights[seen[i][3]]);
    }
    assert_int_equal(c.record.n, 200 * 5); // 1000 takes two bytes
    gen_choices_bytes(&again, a, c.record.v, c.record.n);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(seen[i][0], gen_choose(&again, 7));
        assert_int_equal(seen[i][1], gen_choose(&again, 1000));
        assert_int_equal(seen[i][2], gen_chance(&again, 30));
        assert_int_equal(seen[i][3], gen_weighted(&again, weights, 4));
    }
    assert_memory_equal(c.record.v, again.record.v, c.record.n);
}

static void any_bytes_and_none(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    static const uint16_t weights[] = {0, 3, 0, 5};
    static const uint8_t odd[] = {0xff, 0xff, 0xff, 2, 0xff, 0xff};
    struct gen_choices c;
    gen_choices_bytes(&c, a, odd, sizeof odd);
    assert_int_equal(gen_choose(&c, 7), 0xff % 7);
    assert_int_equal(gen_choose(&c, 1000), 0xffff % 1000);
    assert_int_equal(gen_weighted(&c, weights, 4), 1); // 2 is never drawn: the first that is
    assert_false(gen_chance(&c, 0));
    assert_true(gen_chance(&c, 1));
    // The end: zeros, and what zero is.
    assert_int_equal(gen_choose(&c, 7), 0);
    assert_false(gen_chance(&c, 99));
    assert_true(gen_chance(&c, 100));
    assert_int_equal(gen_weighted(&c, weights, 4), 1);
    assert_int_equal(gen_choose(&c, UINT32_MAX), 0);
    assert_int_equal(gen_choose(&c, 1), 0); // records too
    assert_int_equal(c.record.n, 6 + 3 + 4 + 1 + 1);
}

static void proportions(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    static const uint16_t weights[] = {1, 0, 9};
    struct gen_choices c;
    int chance = 0, third = 0, counts[5] = {0};
    gen_choices_seed(&c, a, 1);
    for (int i = 0; i < 10000; i++) {
        chance += gen_chance(&c, 30);
        third += gen_weighted(&c, weights, 3) == 2;
        counts[gen_choose(&c, 5)]++;
    }
    assert_in_range(chance, 2800, 3200);
    assert_in_range(third, 8800, 9200);
    for (int i = 0; i < 5; i++)
        assert_in_range(counts[i], 1800, 2200);
}

// Each span lies in the one it was opened in, and all of the record in the first.
static void assert_spans(const struct gen_made *m)
{
    uint32_t open[64], depth = 0;
    assert_true(m->span_count > 4);
    assert_int_equal(m->spans[0].kind, GEN_SPAN_CASE);
    assert_int_equal(m->spans[0].first, 0);
    assert_int_equal(m->spans[0].end, m->choice_count);
    for (uint32_t i = 0; i < m->span_count; i++) {
        const struct gen_span *s = &m->spans[i];
        assert_true(s->first <= s->end && s->depth <= depth && s->depth < 64);
        depth = s->depth;
        if (depth) {
            const struct gen_span *outer = &m->spans[open[depth - 1]];
            assert_true(s->first >= outer->first && s->end <= outer->end);
        }
        if (i && m->spans[i - 1].depth >= s->depth) // beside the one before
            assert_true(s->first >= m->spans[i - 1].first);
        open[depth++] = i;
    }
}

static void spans(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        struct gen_made m = make_seed(a, seed, &o);
        assert_spans(&m);
        // A statement's span begins with its "one more": deleting it deletes the statement.
        for (size_t i = 0; i < m.span_count; i++)
            if (m.spans[i].kind == GEN_SPAN_STMT)
                assert_int_equal(m.choices[m.spans[i].first], 1);
        arena_reset(a);
    }
}

// Cutting out the last statement of main leaves all before it as it was.
static void deleting_a_span_deletes_a_statement(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t shorter = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct gen_options o = options_of(GEN_DEFAULT);
        // Where variables are values, a statement may have no words.
        o.features = GEN_DEFAULT_FEATURES & ~GEN_BIT(GEN_SSA);
        struct gen_made m = make_seed(a, seed, &o);
        const struct gen_span *last = NULL;
        for (size_t i = 0; i < m.span_count; i++)
            if (m.spans[i].kind == GEN_SPAN_STMT)
                last = &m.spans[i];
        if (!last)
            continue;
        uint8_t *v = arena_copy(a, m.choices, m.choice_count);
        memmove(v + last->first, v + last->end, m.choice_count - last->end);
        struct gen_made less = make_bytes(a, v, m.choice_count - (last->end - last->first), &o);
        shorter += less.cases[0].count < m.cases[0].count;
        assert_int_equal(less.program->local_size, m.program->local_size);
        arena_reset(a);
    }
    assert_true(shorter > 1800);
}

static void feature_lists(void **state)
{
    (void)state;
    gen_features set = 0;
    struct err e;
    assert_true(gen_features_parse("if,ballot,partial-subgroup", &set, &e));
    assert_true(set == (GEN_BIT(GEN_IF) | GEN_BIT(GEN_OP_BALLOT) | GEN_BIT(GEN_PARTIAL)));
    assert_true(gen_features_parse("", &set, &e));
    assert_true(set == 0);
    assert_false(gen_features_parse("if,balot", &set, &e));
    assert_non_null(strstr(e.msg, "'balot'"));
    assert_false(gen_features_parse("bal", &set, &e)); // the start of one is none
    assert_false(gen_features_parse("ballots", &set, &e));
    for (uint32_t f = 0; f < GEN_FEATURE_COUNT; f++) {
        assert_true(gen_features_parse(gen_feature_name((enum gen_feature)f), &set, &e));
        assert_true(set == GEN_BIT(f));
        assert_true(strlen(gen_feature_line((enum gen_feature)f)) > 5);
    }
}

// A set as a number is the same set again, in whatever bits; no number holds what is no feature.
static void features_as_numbers(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    struct rng r = {11};
    for (uint32_t i = 0; i < 500; i++) {
        const gen_features all = (gen_features)rng_next(&r) << 64 | rng_next(&r);
        const gen_features set = i < GEN_FEATURE_COUNT ? GEN_BIT(i) : all & GEN_ALL_FEATURES;
        gen_features back = 0;
        struct text t = {.arena = a};
        gen_features_text(set, &t);
        assert_true(gen_features_read(t.v, t.n, &back));
        assert_true(back == set);
    }
    static const char *const bad[] = {
        "", "0x", "-1", "ballot", "0x1g", "0x10000000000000000000000000000000000000000",
        "0xffffffffffffffffffffffffffffffff", "0x8000000000000000000000000000000 ",
        "0xg0000000000000000", "18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gen_features set;
        assert_false(gen_features_read(bad[i], strlen(bad[i]), &set));
    }
}

static void from_line(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    struct err e;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3)), back;
        o.subgroup = 4u << seed % 6;
        o.inputs = 1 + (uint32_t)seed % 3;
        o.features = seed % 2 ? 0 : GEN_ALL_FEATURES & ~GEN_BIT(GEN_SWITCH);
        struct gen_made m = make_seed(a, seed, &o);
        const uint8_t *bytes;
        size_t n;
        if (!gen_from_read(a, m.cases[0].from, &back, &bytes, &n, &e))
            fail_msg("%s: %s", m.cases[0].from, e.msg);
        struct gen_made again = make_bytes(a, bytes, n, &back);
        assert_same_words(&m, &again);
        assert_int_equal(m.case_count, again.case_count);
        for (uint32_t i = 0; i < m.case_count; i++) {
            const struct spv_buffer *x = &m.cases[i].buffer[0], *y = &again.cases[i].buffer[0];
            assert_int_equal(x->count, y->count);
            assert_memory_equal(x->words, y->words, x->count * sizeof(uint32_t));
        }
        arena_reset(a);
    }
    static const char *const bad[] = {
        "",
        "glslang",
        "generator 999 profile=default subgroup=8 choices 00",
        "generator 2 profile=default choices 00",
        "generator 2 subgroup=8 profile=default",
        "generator 2 subgroup=7 choices 00",
        "generator 2 subgroup=8 colour=blue choices 00",
        "generator 2 subgroup=8 choices 0",
        "generator 2 subgroup=8 choices 0g",
        "generator 2 subgroup=8 features=0xffffffffffffffff choices 00",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gen_options o;
        const uint8_t *bytes;
        size_t n;
        e.msg[0] = 0;
        assert_false(gen_from_read(a, bad[i], &o, &bytes, &n, &e));
        assert_true(e.msg[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_and_replayed),
        cmocka_unit_test(any_bytes_and_none),
        cmocka_unit_test(proportions),
        cmocka_unit_test(spans),
        cmocka_unit_test(deleting_a_span_deletes_a_statement),
        cmocka_unit_test(feature_lists),
        cmocka_unit_test(features_as_numbers),
        cmocka_unit_test(from_line),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
