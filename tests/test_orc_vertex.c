// SPDX-License-Identifier: Apache-2.0
//
// Which invocations a vertex case has: those that a device logged, each vertex at least once; made without a device, the
// vertices in order. A module that knows its vertex by VertexIndex alone gets what was logged.
#include "test_orc_text.h"

enum { VERTICES = 6, LANES4 = 4, WORDS = 2 + VERTICES * LANES4 * 3 };

static const struct spv_case list = {.stage = SPV_VERTEX, .target = {VERTICES, 1}};

// Word `column` (vertex, participants, live) of a row.
static uint32_t at(uint32_t subgroup, uint32_t lane, uint32_t column)
{
    return (uint32_t)spv_coverage_at(LANES4, subgroup, lane) + column;
}

static void makes_them_in_order(void **state)
{
    (void)state;
    struct arena a = {0};
    for (uint32_t size = 1; size <= 8; size *= 2) {
        const struct orc_coverage *v = orc_coverage_make(&a, &list, size, false);
        assert_int_equal(v->subgroups, (VERTICES + size - 1) / size);
        for (uint32_t i = 0; i < VERTICES; i++) {
            assert_true(lane_in(v->subgroup[i / size].live, i % size));
            assert_int_equal(v->pixel[i], SPV_COVERAGE_LIVE | i);
        }
        for (uint32_t s = 0; s < v->subgroups; s++)
            assert_true(v->subgroup[s].live == v->subgroup[s].present);
    }
    const struct orc_coverage *v = orc_coverage_make(&a, &list, LANES4, false);
    assert_true(v->subgroup[1].live == 3);
    arena_free(&a);
}

// What stands in two subgroups of four, the second with two vertices, and then otherwise.
static void reads_what_was_logged(void **state)
{
    (void)state;
    const uint32_t mark = SPV_COVERAGE_LIVE;
    const struct {
        struct {
            uint32_t at, word;
        } edit[8];
        uint32_t again;
        const char *message; // NULL: it is taken
    } rows[] = {
        {{{at(0, 0, 0), mark | 1}, {at(0, 1, 0), mark | 0}}, 0, NULL}, // in another order
        {{{at(0, 1, 0), mark | 0}}, 0, "0 invocations ran for vertex 1, at least 1 were expected"},
        {{{at(0, 1, 0), mark | 6}}, 0, "subgroup 0 lane 1 logged vertex 6 of 6"},
        {{{at(0, 1, 0), 1}}, 0, "subgroup 0 lane 1 logged vertex 1 of 6"},
        // Vertices 5 and 2 a second time.
        {{{at(1, 2, 0), mark | 5}, {at(1, 3, 0), mark | 2}, {at(1, 0, 1), 15}, {at(1, 1, 1), 15}, {at(1, 2, 1), 15},
          {at(1, 3, 1), 15}, {0, 2}},
         2, NULL},
        {{{at(1, 0, 1), 7}, {at(1, 1, 1), 7}}, 0,
         "in subgroup 1 a live lane does not exist or took no part in the first ballot"},
        {{{at(1, 0, 2), 1}, {at(1, 1, 2), 1}}, 0, "in subgroup 1 lane 1 stored a row, but was a helper in the ballot"},
        // Lane 2 takes part and logs nothing.
        {{{at(1, 0, 1), 7}, {at(1, 1, 1), 7}, {at(1, 0, 2), 7}, {at(1, 1, 2), 7}}, 1, NULL},
        {{{at(1, 0, 1), 7}}, 0, "lanes 0 and 1 of subgroup 1 got different ballots at its start"},
        {{{1, 8}}, 0, "SubgroupSize was 8 where 4 was required"},
    };
    struct arena a = {0};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct err e = {{0}};
        struct orc_coverage *v;
        uint32_t words[WORDS];
        orc_coverage_words(orc_coverage_make(&a, &list, LANES4, false), words, WORDS);
        for (size_t i = 0; i < 8 && rows[k].edit[i].word; i++)
            words[rows[k].edit[i].at] = rows[k].edit[i].word;
        for (uint32_t l = 0; rows[k].again == 2 && l < LANES4; l++) // a ballot of live lanes is one of all
            words[at(1, l, 2)] = 15;
        const bool ok = orc_coverage_read(&a, &list, words, WORDS, LANES4, false, &v, &e);
        if (rows[k].message) {
            assert_false(ok);
            assert_string_equal(e.msg, rows[k].message);
            continue;
        }
        if (!ok)
            fail_msg("%zu: %s", k, e.msg);
        assert_int_equal(v->again, rows[k].again);
        assert_int_equal(v->silent, rows[k].again == 1);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_them_in_order),
        cmocka_unit_test(reads_what_was_logged),
    };
    return cmocka_run_group_tests_name("orc_vertex", tests, NULL, NULL);
}
