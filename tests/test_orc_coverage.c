// SPDX-License-Identifier: Apache-2.0
//
// Who the invocations of a fragment case are: a coverage that is made without a device, counted by hand; the words of
// one, read back; and every way in which words contradict themselves (R12, R13).
#include "test_orc_text.h"

#include <math.h>

enum { WORDS = 2 + 4 * 8 * 3 };

static const struct spv_case whole = {.stage = SPV_FRAGMENT, .target = {4, 2}, .cover = SPV_COVER_FULL};
// Pixel centres with x / 120 + y / 32 below 1, in sixteenths: of the upper row (y = 8) those with x below 90, pixels 0 to
// 5; of the lower one (y = 24) those below 30, pixels 0 and 1.
static const struct spv_case half = {.stage = SPV_FRAGMENT,
                                     .target = {8, 2},
                                     .cover = SPV_COVER_TRIANGLES,
                                     .vertex_count = 3,
                                     .vertex = {{0, 0}, {120, 0}, {0, 32}}};
// Its upper left corner, the centre of pixel 0, 0, is on an upper edge and on a left one; no other centre is inside.
static const struct spv_case corner = {.stage = SPV_FRAGMENT,
                                       .target = {2, 2},
                                       .cover = SPV_COVER_TRIANGLES,
                                       .vertex_count = 3,
                                       .vertex = {{8, 8}, {9, 8}, {8, 24}}};

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
    v = orc_coverage_make(&a, &corner, 4, false);
    assert_int_equal(v->subgroups, 1);
    assert_true(v->subgroup[0].live == 0x1);
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
        {2 + 3 * 5, 0, 2 + 3 * 5, 0, "in subgroup 0 lane 5 was not a helper in the ballot, but stored no row"},
        {2 + 3 * 5 + 1, 0x7f, 1, 8, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {2 + 3 * 6 + 2, 0x3f, 1, 8, "lanes 0 and 6 of subgroup 0 got different ballots at its start"},
        {2 + 3 * 1, SPV_COVERAGE_LIVE | 4, 1, 8, "subgroup 0 lane 1 logged pixel 4, 0 of a target of 4 x 2"},
        {2 + 3 * 1, SPV_COVERAGE_LIVE | 2, 1, 8, "lanes 0 and 1 of subgroup 0 are in one quad, but run for the pixels 0, 0 and 2, 0"},
        {2 + 3 * 8, 1, 1, 8, "word 26 is not zero, in the row of a subgroup that did not count itself"},
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

// ---- covers by chance ----------------------------------------------------------------------------------

static uint32_t draw(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

static void any_cover(uint64_t *seed, struct spv_case *c)
{
    static const uint32_t targets[][2] = {{8, 4}, {5, 3}, {4, 2}, {7, 7}, {12, 1}, {1, 9}, {16, 8}};
    const uint32_t which = draw(seed, sizeof targets / sizeof *targets), grid = 1u << draw(seed, 4);
    *c = (struct spv_case){.stage = SPV_FRAGMENT, .target = {targets[which][0], targets[which][1]}, .cover = SPV_COVER_TRIANGLES + draw(seed, 3)};
    c->vertex_count = spv_cover_vertices(c->cover) * (1 + draw(seed, 2));
    for (uint32_t k = 0; k < c->vertex_count; k++)
        for (int j = 0; j < 2; j++)
            c->vertex[k][j] = (uint16_t)(draw(seed, 16 * c->target[j] / grid + 1) * grid);
    if (c->cover == SPV_COVER_LINES && draw(seed, 2)) // level or upright
        for (uint32_t k = 0, j = draw(seed, 2); k < c->vertex_count; k += 2)
            c->vertex[k + 1][j] = c->vertex[k][j];
}

// Twice the area of a, b and p, in units that the caller chooses.
static int64_t turn(const int64_t a[2], const int64_t b[2], const int64_t p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

// By the top-left rule, which is what comes of moving the centre a little to the right, and much less down.
static bool is_in_triangle(const uint16_t (*v)[2], uint32_t px, uint32_t py)
{
    enum { K = 1 << 20 };
    const int64_t p[2] = {(16 * (int64_t)px + 8) * K + 1024, (16 * (int64_t)py + 8) * K + 1};
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        const int64_t a[2] = {(int64_t)v[k][0] * K, (int64_t)v[k][1] * K}, b[2] = {(int64_t)v[(k + 1) % 3][0] * K, (int64_t)v[(k + 1) % 3][1] * K};
        left += turn(a, b, p) < 0;
        right += turn(a, b, p) > 0;
    }
    return left == 3 || right == 3;
}

static bool is_on_line(const uint16_t (*v)[2], uint32_t px, uint32_t py)
{
    const double d[2] = {(double)v[1][0] - v[0][0], (double)v[1][1] - v[0][1]}, p[2] = {px, py};
    const int along = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
    const double at = 16 * p[along] + 8, low = fmin(v[0][along], v[1][along]), high = fmax(v[0][along], v[1][along]);
    return at >= low && at < high && floor((v[0][1 - along] + trunc((at - v[0][along]) * d[1 - along] / d[along])) / 16) == p[1 - along];
}

static bool is_covered(const struct spv_case *c, uint32_t primitive, uint32_t px, uint32_t py)
{
    const uint16_t (*v)[2] = c->vertex + primitive * spv_cover_vertices(c->cover);
    return c->cover == SPV_COVER_TRIANGLES ? is_in_triangle(v, px, py) : c->cover == SPV_COVER_LINES ? is_on_line(v, px, py) : v[0][0] / 16u == px && v[0][1] / 16u == py;
}

// What is made, lane by lane; and what its words are read as.
static void makes_what_is_covered(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{4, 2, 2}, {8, 4, 2}, {16, 4, 4}, {32, 8, 4}, {64, 8, 8}, {128, 16, 8}};
    uint64_t seed = 1;
    struct arena a = {0};
    for (int n = 0; n < 3000; n++) {
        const uint32_t *size = sizes[n % 6], w = size[1], h = size[2];
        const bool helpers = n / 6 % 2;
        struct spv_case c;
        any_cover(&seed, &c);
        if (n % 7 == 0)
            c.cover = SPV_COVER_FULL;
        const uint32_t primitives = c.cover == SPV_COVER_FULL ? 1 : c.vertex_count / spv_cover_vertices(c.cover);
        const struct orc_coverage *v = orc_coverage_make(&a, &c, size[0], helpers);
        uint32_t at = 0;
        for (uint32_t k = 0; k < primitives; k++)
            for (uint32_t y = 0; y < c.target[1]; y += h)
                for (uint32_t x = 0; x < c.target[0]; x += w) {
                    lane_mask live = 0, quads = 0;
                    uint32_t pixel[128];
                    for (uint32_t py = y; py < y + h; py++)
                        for (uint32_t px = x; px < x + w; px++) {
                            const uint32_t quad = (py - y) / 2 * (w / 2) + (px - x) / 2, lane = 4 * quad + 2 * (py % 2) + px % 2;
                            const bool in = px < c.target[0] && py < c.target[1] && (c.cover == SPV_COVER_FULL || is_covered(&c, k, px, py));
                            pixel[lane] = spv_coverage_pixel(px, py) & ~(in ? 0 : SPV_COVERAGE_LIVE);
                            live |= in ? lane_bit(lane) : 0;
                            for (uint32_t q = 0; q < 4 && in; q++)
                                quads |= lane_bit(4 * quad + q);
                        }
                    if (!live)
                        continue;
                    assert_true(at < v->subgroups);
                    assert_true(v->subgroup[at].live == live);
                    assert_true(v->subgroup[at].present == (helpers ? quads : live));
                    for (uint32_t l = 0; l < size[0]; l++)
                        assert_int_equal(v->pixel[at * size[0] + l], lane_in(quads, l) ? pixel[l] : UINT32_MAX);
                    at++;
                }
        assert_int_equal(v->subgroups, at);
        // Its words, and what is read of them: those of quads of helpers alone by the blocks.
        const uint32_t count = 2 + (at + 1) * spv_coverage_row(size[0]) * size[0];
        uint32_t *words = ARENA_ARRAY(&a, uint32_t, count);
        struct orc_coverage *back;
        struct err e;
        orc_coverage_words(v, words, count);
        assert_int_equal(words[0], at);
        assert_int_equal(words[1], at ? size[0] : 0);
        if (!orc_coverage_read(&a, &c, words, count, size[0], helpers, &back, &e))
            fail_msg("%s", e.msg);
        assert_int_equal(back->subgroups, at);
        for (uint32_t s = 0; s < at; s++) {
            assert_true(back->subgroup[s].live == v->subgroup[s].live && back->subgroup[s].present == v->subgroup[s].present);
            const uint32_t first = lane_first(v->subgroup[s].live), known = v->pixel[s * size[0] + first];
            for (uint32_t l = 0; l < size[0]; l++) {
                const uint32_t quad = l / 4, px = spv_coverage_x(known) / w * w + quad % (w / 2) * 2 + l % 2, py = spv_coverage_y(known) / h * h + quad / (w / 2) * 2 + l / 2 % 2;
                const uint32_t is = v->pixel[s * size[0] + l], guess = spv_coverage_pixel(px, py) & ~SPV_COVERAGE_LIVE;
                assert_int_equal(back->pixel[s * size[0] + l], is == UINT32_MAX ? guess : is);
            }
        }
        arena_reset(&a);
    }
    arena_free(&a);
}

// Does a primitive cover a pixel's centre, moved by up to an eighth of a pixel from its edges, or not?
static void how_often(const struct spv_case *c, uint32_t px, uint32_t py, uint32_t *least, uint32_t *most)
{
    const double x = 16 * (double)px + 8, y = 16 * (double)py + 8;
    const uint32_t each = spv_cover_vertices(c->cover);
    *least = *most = 0;
    for (uint32_t k = 0; k < c->vertex_count; k += each) {
        const uint16_t (*v)[2] = c->vertex + k;
        bool surely = true, perhaps = true;
        if (c->cover == SPV_COVER_POINTS) {
            const double far = fmax(fabs(x - v[0][0]), fabs(y - v[0][1]));
            surely = far < 6;
            perhaps = far <= 10;
        } else if (c->cover == SPV_COVER_LINES) {
            const int along = v[0][0] == v[1][0];
            const double t = along ? y : x, off = fabs(along ? x - v[0][0] : y - v[0][1]);
            const double low = fmin(v[0][along], v[1][along]), high = fmax(v[0][along], v[1][along]);
            if (v[0][1 - along] == v[1][1 - along]) {
                surely = off < 6 && t > low + 2 && t < high - 2;
                perhaps = off <= 10 && t >= low - 10 && t <= high + 10;
            } else {
                surely = false;
            }
        } else {
            double area = 0;
            for (int j = 0; j < 3; j++)
                area += (double)v[j][0] * v[(j + 1) % 3][1] - (double)v[(j + 1) % 3][0] * v[j][1];
            surely = area != 0;
            for (int j = 0; j < 3; j++) {
                const double ex = (double)v[(j + 1) % 3][0] - v[j][0], ey = (double)v[(j + 1) % 3][1] - v[j][1];
                const double to = (ex * (y - v[j][1]) - ey * (x - v[j][0])) * (area < 0 ? -1 : 1);
                const bool near = to * to <= 4 * (ex * ex + ey * ey);
                surely = surely && to > 0 && !near;
                perhaps = perhaps && (to >= 0 || near);
            }
        }
        *least += surely;
        *most += perhaps;
    }
}

// Each pixel is a subgroup of its own, as often as it has to be; one of them once less, as often as it may, and once more.
static void reads_what_may_be(void **state)
{
    (void)state;
    uint64_t seed = 5;
    struct arena a = {0};
    for (int n = 0; n < 250; n++) {
        struct spv_case c;
        any_cover(&seed, &c);
        const uint32_t pixels = c.target[0] * c.target[1], count = 2 + 400 * 12;
        for (uint32_t p = 0; p < pixels; p++)
            for (int how = 0; how < 4; how++) {
                uint32_t *words = ARENA_ARRAY(&a, uint32_t, count), subgroups = 0, least, most;
                struct orc_coverage *v;
                struct err e = {{0}};
                for (uint32_t q = 0; q < pixels; q++) {
                    const uint32_t x = q % c.target[0], y = q / c.target[0], lane = x % 2 + y % 2 * 2;
                    how_often(&c, x, y, &least, &most);
                    for (uint32_t k = how == 0 && p == q ? 1 : 0; k < (p != q || how < 2 ? least : how == 2 ? most : most + 1); k++) {
                        uint32_t *row = words + spv_coverage_at(4, subgroups++, lane);
                        row[0] = spv_coverage_pixel(x, y);
                        row[1] = row[2] = 1u << lane;
                    }
                }
                words[0] = subgroups;
                words[1] = subgroups ? 4 : 0;
                how_often(&c, p % c.target[0], p / c.target[0], &least, &most);
                const bool fits = how == 1 || how == 2 || (how == 0 && !least);
                const char *text = how == 3 ? arena_printf(&a, "%u invocations ran for pixel %u, %u, at most %u were expected", most + 1, p % c.target[0], p / c.target[0], most)
                                            : arena_printf(&a, "%u invocations ran for pixel %u, %u, at least %u were expected", least - 1, p % c.target[0], p / c.target[0], least);
                if (orc_coverage_read(&a, &c, words, count, 4, false, &v, &e) != fits || (!fits && strcmp(e.msg, text) != 0))
                    fail_msg("cover %u, pixel %u, %d: '%s'", c.cover, p, how, e.msg);
                arena_reset(&a);
            }
    }
    arena_free(&a);
}

// Rows that cannot be, of subgroups of 64: two words a mask.
static void refuses_masks(void **state)
{
    (void)state;
    static const struct spv_case large = {.stage = SPV_FRAGMENT, .target = {8, 8}, .cover = SPV_COVER_FULL};
    enum { COUNT = 2 + 2 * 64 * 5 };
    struct arena a = {0};
    struct orc_coverage *v;
    static const struct {
        uint32_t lane, word, is;
        const char *message;
    } rows[] = {
        {5, 0, 3, "subgroup 0 lane 5 logged pixel 3, 0 of a target of 8 x 8"}, // without SPV_COVERAGE_LIVE
        {5, 0, SPV_COVERAGE_LIVE | 8 << 14, "subgroup 0 lane 5 logged pixel 0, 8 of a target of 8 x 8"},
        {5, 0, SPV_COVERAGE_LIVE | 9 << 14 | 9, "subgroup 0 lane 5 logged pixel 9, 9 of a target of 8 x 8"},
        {5, 1, 0xfffffffe, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {5, 2, 0x7fffffff, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {5, 3, 0xfffffffe, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {5, 4, 0x7fffffff, "lanes 0 and 5 of subgroup 0 got different ballots at its start"},
        {UINT32_MAX, 3, 0xfffffffe, "in subgroup 0 lane 0 stored a row, but was a helper in the ballot"},
        {UINT32_MAX, 4, 0x7fffffff, "in subgroup 0 lane 63 stored a row, but was a helper in the ballot"},
        {UINT32_MAX, 1, 0xfffffffe, "in subgroup 0 a live lane does not exist or took no part in the first ballot"},
        {UINT32_MAX, 2, 0x7fffffff, "in subgroup 0 a live lane does not exist or took no part in the first ballot"},
        {3, 0, SPV_COVERAGE_LIVE | 1 << 14 | 2, "lanes 0 and 3 of subgroup 0 are in one quad, but run for the pixels 0, 0 and 2, 1"},
        {62, 0, SPV_COVERAGE_LIVE | 6 << 14 | 6, "lanes 60 and 62 of subgroup 0 are in one quad, but run for the pixels 6, 6 and 6, 6"},
    };
    uint32_t words[COUNT];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct err e = {{0}};
        orc_coverage_words(orc_coverage_make(&a, &large, 64, true), words, COUNT);
        assert_true(orc_coverage_read(&a, &large, words, COUNT, 64, true, &v, &e));
        for (uint32_t l = 0; l < 64; l++)
            if (rows[k].lane == l || rows[k].lane == UINT32_MAX)
                words[spv_coverage_at(64, 0, l) + rows[k].word] = rows[k].is;
        assert_false(orc_coverage_read(&a, &large, words, COUNT, 64, true, &v, &e));
        assert_string_equal(e.msg, rows[k].message);
    }
    // A lane beyond the subgroup, in the ballot of all.
    struct err e = {{0}};
    orc_coverage_words(orc_coverage_make(&a, &whole, 8, true), words, WORDS);
    for (uint32_t l = 0; l < 8; l++)
        words[spv_coverage_at(8, 0, l) + 1] = 0x1ff;
    assert_false(orc_coverage_read(&a, &whole, words, WORDS, 8, true, &v, &e));
    assert_string_equal(e.msg, "in subgroup 0 a live lane does not exist or took no part in the first ballot");
    arena_free(&a);
}

// A quad of helpers alone has no place where one of the others is not where a block has it.
static void guesses_nothing(void **state)
{
    (void)state;
    struct arena a = {0};
    struct orc_coverage *v;
    struct err e = {{0}};
    uint32_t words[WORDS] = {2, 8};
    // Of the upper row of 8 x 2 pixels 0 to 5 and of the lower one 0 and 1, as in `half`; the quad at 4 is the second one of its subgroup.
    for (int moved = 0; moved < 2; moved++) {
        memset(words, 0, sizeof words);
        words[0] = 2;
        words[1] = 8;
        for (uint32_t n = 0; n < 2; n++)
            for (uint32_t l = 0; l < 8; l++) {
                const uint32_t at = n && moved ? l ^ 4 : l, x = n * 4 + at / 4 * 2 + at % 2, y = at / 2 % 2;
                const bool in = y ? x < 2 : x < 6;
                uint32_t *row = words + spv_coverage_at(8, n, l);
                row[0] = in ? spv_coverage_pixel(x, y) : 0;
                row[1] = in ? 0xff : 0;
                row[2] = !in ? 0 : n == 0 ? 0x3f : moved ? 0x30 : 0x03;
            }
        if (!orc_coverage_read(&a, &half, words, WORDS, 8, true, &v, &e))
            fail_msg("%s", e.msg);
        for (uint32_t l = 0; l < 8; l++) {
            const bool helpers = moved ? l < 4 : l >= 4;
            assert_true((v->pixel[8 + l] == UINT32_MAX) == (moved && helpers));
        }
        assert_int_equal(v->pixel[6], spv_coverage_pixel(2, 1) & ~SPV_COVERAGE_LIVE);
        assert_int_equal(v->pixel[7], spv_coverage_pixel(3, 1) & ~SPV_COVERAGE_LIVE);
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
        cmocka_unit_test(makes_what_is_covered),
        cmocka_unit_test(reads_what_may_be),
        cmocka_unit_test(refuses_masks),
        cmocka_unit_test(guesses_nothing),
    };
    return cmocka_run_group_tests_name("orc_coverage", tests, NULL, NULL);
}
