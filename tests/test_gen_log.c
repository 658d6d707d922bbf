// SPDX-License-Identifier: Apache-2.0
//
// generator: what a program writes to its log. Each invocation's row is entries from word 1 on, as many words as
// word 0 says where it ends, and zeros after them; or it is one word, a digest of them.
#include "test_gen_common.h"

#include "judge/judge.h"
#include "oracle/oracle.h"

struct seen {
    uint32_t rows, entries;
    uint32_t uncounted; // words behind what word 0 counts that are not zero
};

static void look(const struct gen_made *m, const struct spv_memory *log, struct seen *s)
{
    const struct spv_case *c = &m->cases[0];
    for (uint32_t at = 0; at < log->count; at += c->log_stride) {
        const uint32_t *row = log->words + at;
        struct judge_cursor walk = {.row = row, .stride = c->log_stride};
        struct judge_entry x;
        uint32_t used = 0;
        while (judge_log_next(&walk, &x)) {
            assert_in_range(x.site, 1, m->program->sites);
            assert_in_range(x.n, 1, GEN_LOG_MAX);
            used = x.at + x.n - 1;
            s->entries++;
        }
        assert_int_equal(row[0], used);
        for (uint32_t i = used + 1; i < c->log_stride; i++)
            s->uncounted += row[i] != 0;
        s->rows++;
    }
}

static struct seen rows_of(struct arena *a, enum spv_stage stage, enum gen_profile profile)
{
    struct seen s = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct gen_options o = options_of(profile);
        o.stage = stage;
        const struct gen_made m = make_seed(a, seed, &o);
        struct orc_result r;
        orc_predict(a, &m.cases[0], o.subgroup, NULL, &r);
        assert_int_equal(r.why.status, RAN_OK);
        for (uint32_t k = 0; k < r.memory_count; k++)
            if (r.memory[k].binding == m.cases[0].log_binding)
                look(&m, &r.memory[k], &s);
        arena_reset(a);
    }
    return s;
}

static void rows_are_counted(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (int p = GEN_SMALL; p <= GEN_LARGE; p++) {
        const struct seen s = rows_of(a, SPV_COMPUTE, (enum gen_profile)p);
        assert_int_equal(s.uncounted, 0);
        assert_true(s.rows > 2000 && s.entries > s.rows / 2);
    }
}

// Helpers' stores are lost, so each entry is counted when it is written.
static void rows_of_fragments(void **state)
{
    const struct seen s = rows_of(&((struct fixture *)*state)->arena, SPV_FRAGMENT, GEN_DEFAULT);
    assert_int_equal(s.uncounted, 0);
    assert_true(s.rows > 2000 && s.entries > s.rows / 4);
}

// ---- the digest ---------------------------------------------------------------------------------

// A program with a digest is the same program: the same choices, another emission.
static void a_digest_is_one_word(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        o.stage = seed % 4 ? SPV_COMPUTE : SPV_VERTEX;
        o.log = GEN_LOG_DIGEST;
        const struct gen_made m = make_seed(a, seed, &o);
        o.log = GEN_LOG_ENTRIES;
        const struct gen_made entries = make_seed(a, seed, &o);
        const struct spv_case *c = &m.cases[0];
        const uint32_t all = m.program->groups * m.program->local_size;
        struct orc_result r;
        assert_true(m.digest && !entries.digest && !c->has_log && entries.cases[0].has_log);
        assert_int_equal(m.choice_count, entries.choice_count);
        assert_memory_equal(m.choices, entries.choices, m.choice_count);
        assert_int_equal(c->buffer[c->log_binding].count, all);
        if (c->has_lanes)
            assert_int_equal(c->buffer[c->lanes_binding].count, all);
        orc_predict(a, c, o.subgroup, NULL, &r);
        assert_int_equal(r.why.status, RAN_OK);
        for (uint32_t k = 0; k < r.memory_count; k++) // each word is compared
            if (r.memory[k].binding == c->log_binding && r.memory[k].mask)
                for (uint32_t i = 0; i < r.memory[k].count; i++)
                    assert_int_equal(r.memory[k].mask[i], UINT32_MAX);
        struct gen_options again;
        const uint8_t *choices;
        size_t n;
        struct err e;
        struct gen_choices replay;
        struct gen_made same;
        assert_true(gen_from_read(a, c->from, &again, &choices, &n, &e));
        assert_int_equal(again.log, GEN_LOG_DIGEST);
        gen_choices_bytes(&replay, a, choices, n);
        gen_make(&replay, &again, &same);
        assert_int_equal(same.cases[0].count, c->count);
        assert_memory_equal(same.cases[0].words, c->words, c->count * sizeof *c->words);
        arena_reset(a);
    }
}

static bool is_digest(struct arena *a, uint64_t seed, enum gen_log log, enum spv_stage stage,
                      enum spv_model model)
{
    struct gen_options o = options_of(GEN_SMALL);
    o.log = log;
    o.stage = stage;
    o.model = model;
    return make_seed(a, seed, &o).digest;
}

// Helpers' stores are lost, and a weak model leaves results undefined, which would make a digest
// undefined as well.
static void not_all_have_a_digest(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t mixed = 0;
    for (uint64_t seed = 0; seed < 80; seed++) {
        mixed += is_digest(a, seed, GEN_LOG_MIXED, SPV_COMPUTE, SPV_ASSUMED_MAXIMAL);
        assert_true(is_digest(a, seed, GEN_LOG_DIGEST, SPV_VERTEX, SPV_MAXIMAL));
        assert_false(is_digest(a, seed, GEN_LOG_DIGEST, SPV_FRAGMENT, SPV_MAXIMAL));
        assert_false(is_digest(a, seed, GEN_LOG_DIGEST, SPV_COMPUTE, SPV_SUBGROUP_UNIFORM));
        assert_false(is_digest(a, seed, GEN_LOG_DIGEST, SPV_COMPUTE, SPV_WORKGROUP_UNIFORM));
        assert_false(is_digest(a, seed, GEN_LOG_ENTRIES, SPV_COMPUTE, SPV_MAXIMAL));
        arena_reset(a);
    }
    assert_int_equal(mixed, 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted),
        cmocka_unit_test(rows_of_fragments),
        cmocka_unit_test(a_digest_is_one_word),
        cmocka_unit_test(not_all_have_a_digest),
    };
    return cmocka_run_group_tests_name("generator log", tests, fixture_up, fixture_down);
}
