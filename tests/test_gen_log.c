// SPDX-License-Identifier: Apache-2.0
//
// generator: what a program writes to its log. Each invocation's row is entries from word 1 on, as many words as
// word 0 says where it ends, and nothing behind them.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted),
        cmocka_unit_test(rows_of_fragments),
    };
    return cmocka_run_group_tests_name("generator log", tests, fixture_up, fixture_down);
}
