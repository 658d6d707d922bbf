// SPDX-License-Identifier: Apache-2.0
//
// Who the invocations of a fragment case are: a coverage that is made without a device, counted by hand; the words of
// one, read back; and every way in which words contradict themselves (R12, R13).
#include "test_orc_text.h"

enum { WORDS = 2 + 4 * 8 * 3 };

static const struct spv_case whole = {.stage = SPV_FRAGMENT, .target = {4, 2}, .cover = SPV_COVER_FULL};
// Pixel centres with x / 120 + y / 32 below 1, in sixteenths: of the upper row (y = 8) those with x below 90, pixels 0 to
// 5; of the lower one (y = 24) those below 30, pixels 0 and 1.
static const struct spv_case half = {.stage = SPV_FRAGMENT,
                                     .target = {8, 2},
                                     .cover = SPV_COVER_TRIANGLES,
                                     .vertex_count = 3,
                                     .vertex = {{0, 0}, {120, 0}, {0, 32}}};

static void makes_blocks(void **state)
{
    (void)state;
    struct arena a = {0};
    const struct orc_coverage *v = orc_coverage_make(&a, &whole, 8, true);
    assert_int_equal(v->subgroups, 1);
    assert_true(v->subgroup[0].live == 0xff && v->subgroup[0].present == 0xff);
    assert_int_equal(v->pixel[3], spv_coverage_pixel(1, 1));
    assert_int_equal(v->pixel[4], spv_coverage_pixel(2, 0));
    v = orc_coverage_make(&a, &half, 8, true);
    assert_int_equal(v->subgroups, 2);
    assert_true(v->subgroup[0].live == 0x3f && v->subgroup[0].present == 0xff);
    assert_true(v->subgroup[1].live == 0x03 && v->subgroup[1].present == 0x0f);
    assert_int_equal(v->pixel[6], spv_coverage_pixel(2, 1) & ~SPV_COVERAGE_LIVE);
    assert_int_equal(v->pixel[8 + 4], UINT32_MAX);
    v = orc_coverage_make(&a, &half, 4, false); // a quad each, without helpers
    assert_int_equal(v->subgroups, 3);
    assert_true(v->subgroup[0].live == 0xf && v->subgroup[2].live == 0x3 && v->subgroup[2].present == 0x3);
    arena_free(&a);
}

static void reads_back(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e = {{0}};
    uint32_t words[WORDS];
    struct orc_coverage *v;
    orc_coverage_words(orc_coverage_make(&a, &half, 8, true), words, WORDS);
    assert_int_equal(words[0], 2);
    assert_int_equal(words[1], 8);
    assert_int_equal(words[2], spv_coverage_pixel(0, 0));
    assert_int_equal(words[3], 0xff);
    assert_int_equal(words[4], 0x3f);
    assert_true(orc_coverage_read(&a, &half, words, WORDS, 8, true, &v, &e));
    assert_int_equal(v->subgroups, 2);
    assert_true(v->subgroup[1].live == 0x03);
    // A quad of helpers alone: all that was logged fits blocks, so it has its place in its own.
    assert_int_equal(v->pixel[8 + 4], spv_coverage_pixel(6, 0) & ~SPV_COVERAGE_LIVE);
    arena_free(&a);
}

static void refuses_contradictions(void **state)
{
    (void)state;
    // Words of a whole target of one subgroup: row of lane l at 2 + 3 l: pixel, participants, live.
    static const struct {
        uint32_t at, word, at2, word2;
        const char *message;
    } rows[] = {
        {0, 9, 0, 9, "9 subgroups counted themselves, the buffer has room for 4"},
        {1, 4, 1, 4, "SubgroupSize was 4 where 8 was required"},
        {2 + 3 * 5, 0, 2 + 3 * 5, 0, "in subgroup 0 lane 5 was no helper in the ballot, and stored no row"},
        {2 + 3 * 5 + 1, 0x7f, 1, 8, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {2 + 3 * 6 + 2, 0x3f, 1, 8, "lanes 0 and 6 of subgroup 0 got different ballots at its start"},
        {2 + 3 * 1, SPV_COVERAGE_LIVE | 4, 1, 8, "subgroup 0 lane 1 logged pixel 4, 0 of a target of 4 x 2"},
        {2 + 3 * 1, SPV_COVERAGE_LIVE | 2, 1, 8, "lanes 0 and 1 of subgroup 0 are of one quad, and run for the pixels 0, 0 and 2, 0"},
        {2 + 3 * 8, 1, 1, 8, "word 26 is not zero, in the row of a subgroup that nobody counted"},
        {0, 2, 1, 8, "no lane of subgroup 1 logged anything"},
    };
    struct arena a = {0};
    struct orc_coverage *v;
    uint32_t words[WORDS];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct err e = {{0}};
        orc_coverage_words(orc_coverage_make(&a, &whole, 8, true), words, WORDS);
        assert_true(orc_coverage_read(&a, &whole, words, WORDS, 8, true, &v, &e));
        words[rows[k].at] = rows[k].word;
        words[rows[k].at2] = rows[k].word2;
        assert_false(orc_coverage_read(&a, &whole, words, WORDS, 8, true, &v, &e));
        assert_string_equal(e.msg, rows[k].message);
    }
    // Nothing was drawn; a quad without its helpers, where full quads are required and where not.
    struct err e = {{0}};
    memset(words, 0, sizeof words);
    assert_false(orc_coverage_read(&a, &whole, words, WORDS, 8, true, &v, &e));
    assert_string_equal(e.msg, "no invocation ran for pixel 0, 0 of a target that is covered whole");
    orc_coverage_words(orc_coverage_make(&a, &half, 8, false), words, WORDS);
    assert_true(orc_coverage_read(&a, &half, words, WORDS, 8, false, &v, &e));
    assert_false(orc_coverage_read(&a, &half, words, WORDS, 8, true, &v, &e));
    assert_string_equal(e.msg, "a quad of subgroup 0, lanes 4 to 7, starts with fewer than four active invocations");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_blocks),
        cmocka_unit_test(reads_back),
        cmocka_unit_test(refuses_contradictions),
    };
    return cmocka_run_group_tests_name("orc_coverage", tests, NULL, NULL);
}
