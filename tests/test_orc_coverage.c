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
    assert_string_equal(e.msg, "0 invocations ran for pixel 0, 0, at least 1 were expected");
    orc_coverage_words(orc_coverage_make(&a, &half, 8, false), words, WORDS);
    assert_true(orc_coverage_read(&a, &half, words, WORDS, 8, false, &v, &e));
    assert_false(orc_coverage_read(&a, &half, words, WORDS, 8, true, &v, &e));
    assert_string_equal(e.msg, "a quad of subgroup 0, lanes 4 to 7, starts with fewer than four active invocations");
    arena_free(&a);
}

// Pixels of a target of 8 x 4, a letter each: '#' is covered surely, '+' perhaps, '.' not; 2 surely by two primitives.
static void takes_what_the_cover_covers(void **state)
{
    (void)state;
    static const struct {
        enum spv_cover cover;
        uint32_t n;
        uint16_t vertex[6][2];
        const char *rows[4];
    } rows[] = {
        // x + y = 64 goes through centres; x + 2 y = 128 keeps 8 / sqrt(5) away from all.
        {SPV_COVER_TRIANGLES, 3, {{0, 0}, {64, 0}, {0, 64}}, {"###+....", "##+.....", "#+......", "+......."}},
        {SPV_COVER_TRIANGLES, 3, {{0, 0}, {0, 64}, {128, 0}}, {"#######.", "#####...", "###.....", "#......."}},
        {SPV_COVER_TRIANGLES, 6, {{0, 0}, {64, 0}, {0, 64}, {0, 0}, {0, 64}, {64, 0}},
         {"222+....", "22+.....", "2+......", "+......."}},
        // On the centre of a pixel, on the corner of four, and a little beside: half a pixel less an eighth.
        {SPV_COVER_POINTS, 3, {{8, 8}, {48, 32}, {109, 56}}, {"#.......", "..++....", "..++....", "......#."}},
        {SPV_COVER_LINES, 2, {{24, 24}, {88, 24}}, {"........", ".+###+..", "........", "........"}},
        {SPV_COVER_LINES, 2, {{40, 64}, {40, 0}}, {"..#.....", "..#.....", "..#.....", "..#....."}},
        {SPV_COVER_LINES, 2, {{0, 0}, {128, 64}}, {"++++++++", "++++++++", "++++++++", "++++++++"}},
    };
    struct arena a = {0};
    struct orc_coverage *v;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (uint32_t p = 0; p < 32; p++)
            for (uint32_t times = 0; times < 3; times++) {
                // Each pixel is a subgroup of its own, as often as it surely is covered; pixel p this often.
                struct spv_case c = {.stage = SPV_FRAGMENT, .target = {8, 4}, .cover = rows[k].cover, .vertex_count = rows[k].n};
                uint32_t words[2 + 80 * 12] = {0, 4}, n = 0;
                struct err e = {{0}};
                memcpy(c.vertex, rows[k].vertex, sizeof rows[k].vertex);
                for (uint32_t q = 0; q < 32; q++) {
                    const char is = rows[k].rows[q / 8][q % 8];
                    const uint32_t lane = (q & 1) | (q >> 3 & 1) << 1;
                    for (uint32_t i = 0; i < (q == p ? times : is == '#' ? 1u : is == '2' ? 2u : 0u); i++) {
                        uint32_t *row = words + spv_coverage_at(4, n++, lane);
                        row[0] = spv_coverage_pixel(q % 8, q / 8);
                        row[1] = 15;
                        row[2] = 1u << lane;
                    }
                }
                words[0] = n;
                const char is = rows[k].rows[p / 8][p % 8];
                const bool right = is == '2' ? times == 2 : is == '#' ? times == 1 : is == '.' ? times == 0 : times < 2;
                if (orc_coverage_read(&a, &c, words, sizeof words / sizeof *words, 4, false, &v, &e) != right &&
                    (is != '+' || rows[k].n < 6)) // two that may
                    fail_msg("row %u, pixel %u, %u: %s", (unsigned)k, p, times, e.msg);
            }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_blocks),
        cmocka_unit_test(reads_back),
        cmocka_unit_test(refuses_contradictions),
        cmocka_unit_test(takes_what_the_cover_covers),
    };
    return cmocka_run_group_tests_name("orc_coverage", tests, NULL, NULL);
}
