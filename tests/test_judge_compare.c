// SPDX-License-Identifier: Apache-2.0
//
// Every class of mismatch, from buffers made by hand: a log of 4 rows of 16 words,
// a plain buffer of 4 words, and the lanes buffer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/report.h"

enum { ROWS = 4, STRIDE = 16, PLAIN = 4, LOG = 0, OUT = 1, LANES = 2, BUFFERS = 3 };

struct world {
    struct spv_case c;
    uint32_t zero[ROWS * STRIDE];
    uint32_t words[2][BUFFERS][ROWS * STRIDE]; // expected, observed
    uint32_t mask[BUFFERS][ROWS * STRIDE];
    struct spv_memory expected[BUFFERS], observed[BUFFERS];
    struct judge_verdict v;
};

static uint32_t *row(struct world *w, int side, uint32_t r)
{
    return w->words[side][LOG] + r * STRIDE;
}

// Appends an entry to a row of one side, or of both with side -1.
static void put(struct world *w, int side, uint32_t r, uint32_t site, uint32_t n,
                const uint32_t *values)
{
    for (int s = 0; s < 2; s++) {
        if (side >= 0 && side != s)
            continue;
        uint32_t *p = row(w, s, r), at = p[0] + 1;
        p[at] = site << 8 | n;
        memcpy(p + at + 1, values, n * sizeof *values);
        p[0] += n + 1;
    }
}

static void put1(struct world *w, int side, uint32_t r, uint32_t site, uint32_t value)
{
    put(w, side, r, site, 1, &value);
}

// Bit 24 of the header marks the first value.
static void ballot(struct world *w, int side, uint32_t r, uint32_t site, uint32_t lanes)
{
    put1(w, side, r, 1 << 16 | site, lanes);
}

static struct world start(void)
{
    static const uint32_t counts[BUFFERS] = {ROWS * STRIDE, PLAIN, ROWS * 3};
    struct world w = {0};
    w.c.buffer_count = BUFFERS;
    w.c.has_log = w.c.has_lanes = true;
    w.c.log_binding = LOG;
    w.c.log_stride = STRIDE;
    w.c.lanes_binding = LANES;
    for (uint32_t b = 0; b < BUFFERS; b++) {
        w.c.buffer[b] = (struct spv_buffer){.binding = b, .count = counts[b]};
        for (uint32_t i = 0; i < ROWS * STRIDE; i++)
            w.mask[b][i] = UINT32_MAX;
    }
    return w;
}

static const struct judge_verdict *compare(struct world *w)
{
    for (uint32_t b = 0; b < BUFFERS; b++) {
        struct spv_memory m = {.binding = b, .count = w->c.buffer[b].count};
        w->c.buffer[b].words = w->zero;
        m.words = w->words[0][b];
        m.mask = w->mask[b];
        w->expected[b] = m;
        m.words = w->words[1][b];
        m.mask = NULL;
        w->observed[b] = m;
    }
    judge_compare(&w->c, w->expected, w->observed, BUFFERS, &w->v);
    return &w->v;
}

static void agrees(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 5, 70);
    ballot(&w, -1, 2, 6, 0xf);
    // The lanes buffer is what the prediction was made for: it is not compared.
    w.words[1][LANES][4] = 99;
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_AGREES);
    assert_int_equal(v->live_bits, 6 * 32);
    assert_int_equal(v->wrong_bits, 0);
    assert_false(v->has_place);
}

static void plain_words_are_live_when_written(void **state)
{
    (void)state;
    struct world w = start();
    w.words[0][OUT][2] = w.words[1][OUT][2] = 7;
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_AGREES);
    assert_int_equal(v->live_bits, 32);
}

static void wrong_value(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 5, 70);
    put1(&w, 0, 1, 5, 71);
    put1(&w, 1, 1, 5, 72);
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_WRONG_VALUE);
    assert_true(v->has_site);
    assert_int_equal(v->invocation, 1);
    assert_int_equal(v->entry, 0);
    assert_int_equal(v->site, 5);
    assert_int_equal(v->expected, 71);
    assert_int_equal(v->observed, 72);
    assert_int_equal(v->word, STRIDE + 2);
    assert_int_equal(v->wrong_invocations, 1);
    assert_int_equal(v->wrong_bits, 4); // 71 ^ 72 = 0b1111
    assert_string_equal(
        v->text, "invocation 1, log entry 0, site 5: expected 71 (0x47), observed 72 (0x48)");
}

// Of several wrong rows: one with a site before one without, the earlier entry, then the earlier row.
static void first_of_rows(void **state)
{
    (void)state;
    struct world w = start();
    row(&w, 1, 1)[STRIDE - 1] = 7; // behind all entries: no site
    row(&w, 1, 2)[STRIDE - 2] = 7;
    assert_int_equal(compare(&w)->word, STRIDE + STRIDE - 1);
    assert_false(w.v.has_site);
    w = start();
    put1(&w, -1, 0, 5, 70);
    put1(&w, 0, 0, 6, 71);
    put1(&w, 1, 0, 6, 72);
    row(&w, 1, 1)[STRIDE - 1] = 7;
    assert_int_equal(compare(&w)->invocation, 0);
    assert_true(w.v.has_site);
    assert_int_equal(w.v.entry, 1);
    // A header whose marks go on behind its last value: the next entry is no lanes.
    w = start();
    const uint32_t header = 1 << 25 | 1 << 24 | 6 << 8 | 1;
    for (int side = 0; side < 2; side++) {
        uint32_t *p = row(&w, side, 0);
        p[0] = 4;
        p[1] = header;
        p[2] = side ? 7 : 15;
        p[3] = (side ? 9 : 6) << 8 | 1;
        p[4] = 1;
    }
    assert_int_equal(compare(&w)->klass, JUDGE_MISSING_LANES);
    // Whether the last word of the row before is defined does not matter to a row without entries.
    for (int side = 0; side < 2; side++) {
        w = start();
        put1(&w, side, 1, 5, 70);
        w.mask[LOG][STRIDE - 1] = 0;
        compare(&w);
        w.observed[LOG].mask = w.mask[LOG];
        judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
        assert_int_equal(w.v.klass, side ? JUDGE_EXTRA_EXECUTION : JUDGE_MISSING_EXECUTION);
        assert_int_equal(w.v.invocation, 1);
    }
}

// A word without a defined value: wrong in every bit that is expected, and shown as none.
static void undefined_is_wrong(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 5, 70);
    put1(&w, -1, 1, 5, 71);
    ballot(&w, -1, 2, 6, 0xf);
    compare(&w);
    assert_int_equal(w.v.klass, JUDGE_AGREES);
    uint32_t log[ROWS * STRIDE], out[PLAIN];
    memset(log, 0xff, sizeof log);
    memset(out, 0xff, sizeof out);
    w.observed[LOG].mask = log;
    w.observed[OUT].mask = out;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.klass, JUDGE_AGREES); // all of it is defined
    out[2] = 0xfffffff0;                     // as it was, which is right, in all but four bits
    w.mask[OUT][3] = 0;                      // nothing expected there
    out[3] = 0;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.klass, JUDGE_WRONG_MEMORY);
    assert_int_equal(w.v.wrong_bits, 4);
    assert_true(w.v.undefined);
    assert_string_equal(w.v.text,
                        "buffer 0:1, word 2: expected 0 (0x0), observed no defined value");
    // Whatever is expected: it has no value that could be the right one.
    w.words[0][OUT][2] = 0xf;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.wrong_bits, 4);
    // A part that is not expected may be undefined: what is expected was observed otherwise.
    w.mask[OUT][2] = 0xfff0;
    w.words[0][OUT][2] = 0x60;
    w.words[1][OUT][2] = 0x50;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_string_equal(w.v.text, "buffer 0:1, word 2: expected 96 (0x60), observed 80 (0x50)");
    out[2] = 0;
    log[2 * STRIDE + 2] = 0;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.klass, JUDGE_WRONG_SET);
    assert_string_equal(
        w.v.text,
        "invocation 2, log entry 0, site 6: expected ballot word 0xf, observed no defined value");
    log[STRIDE + 2] = 0;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.klass, JUDGE_WRONG_VALUE);
    assert_string_equal(
        w.v.text,
        "invocation 1, log entry 0, site 5: expected 71 (0x47), observed no defined value");
    struct arena a = {0};
    struct text table = {.arena = &a};
    report_table(&w.c, w.expected, w.observed, BUFFERS, 8, 8, &table);
    assert_non_null(strstr(table.v, "site 5     no defined value"));
    assert_non_null(strstr(table.v, "       2  0x60 in bits 0xfff0     no defined value"));
    arena_free(&a);
}

// An entry whose header, or a row whose count, has no defined value is not read: no site is made
// up.
static void undefined_is_not_read(void **state)
{
    (void)state;
    static const uint32_t places[] = {0, 1};
    for (size_t k = 0; k < 2; k++) {
        struct world w = start();
        put1(&w, -1, 1, 5, 71);
        compare(&w);
        uint32_t log[ROWS * STRIDE];
        memset(log, 0xff, sizeof log);
        log[STRIDE + places[k]] = 0;
        w.words[1][LOG][STRIDE + places[k]] = 0;
        w.observed[LOG].mask = log;
        judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
        assert_int_equal(w.v.klass, JUDGE_WRONG_MEMORY);
        assert_false(w.v.has_site);
        assert_true(w.v.undefined);
        assert_int_equal(w.v.wrong_bits, 32);
        struct arena a = {0};
        struct text table = {.arena = &a};
        report_table(&w.c, w.expected, w.observed, BUFFERS, 8, 8, &table);
        assert_non_null(strstr(table.v, "no defined value"));
        assert_null(strstr(table.v, "site 0"));
        arena_free(&a);
    }
}

static void ballots(void **state)
{
    (void)state;
    static const struct {
        uint32_t expected, observed;
        enum judge_class klass;
        const char *text;
    } rows[] = {
        {0x0f, 0x07, JUDGE_MISSING_LANES, "expected lanes {0-3}, observed {0-2}"},
        {0x01, 0x81, JUDGE_EXTRA_LANES, "expected lanes {0}, observed {0,7}"},
        {0x0f, 0xf0, JUDGE_WRONG_SET, "expected lanes {0-3}, observed {4-7}"},
    };
    for (size_t i = 0; i < 3; i++) {
        struct world w = start();
        w.c.subgroup = 8;
        ballot(&w, 0, 3, 9, rows[i].expected);
        ballot(&w, 1, 3, 9, rows[i].observed);
        const struct judge_verdict *v = compare(&w);
        assert_int_equal(v->klass, rows[i].klass);
        assert_int_equal(v->invocation, 3);
        assert_int_equal(v->site, 9);
        assert_non_null(strstr(v->text, rows[i].text));
    }
}

// Of an entry with numbers and ballot words the first wrong value decides; all
// marked words of the entry are one set.
static void ballots_beside_numbers(void **state)
{
    (void)state;
    const uint32_t site = 0x5u << 16 | 9, e[4] = {0xf, 1, 0xff, 2};
    struct world w = start();
    w.c.subgroup = 64;
    put(&w, 0, 0, site, 4, e);
    put(&w, 1, 0, site, 4, (const uint32_t[]){0xf, 1, 0xff, 3});
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_VALUE);
    row(&w, 1, 0)[2] = 0x7;
    assert_int_equal(compare(&w)->klass, JUDGE_MISSING_LANES);
    assert_non_null(strstr(w.v.text, "expected ballot word 0xf, observed 0x7"));
    row(&w, 1, 0)[4] = 0x1ff;
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_SET);
    row(&w, 1, 0)[2] = 0xf;
    assert_int_equal(compare(&w)->klass, JUDGE_EXTRA_LANES);
    row(&w, 1, 0)[3] = 0;
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_VALUE);
}

// A bit that is not defined makes no difference, whatever the class would be.
static void masked_bits_are_not_compared(void **state)
{
    (void)state;
    struct world w = start();
    ballot(&w, 0, 0, 9, 0x0f);
    ballot(&w, 1, 0, 9, 0x8f);
    w.mask[LOG][2] = ~0x80u;
    assert_int_equal(compare(&w)->klass, JUDGE_AGREES);
    assert_int_equal(w.v.live_bits, 3 * 32 - 1);
    row(&w, 1, 0)[2] = 0x87;
    assert_int_equal(compare(&w)->klass, JUDGE_MISSING_LANES);
    assert_int_equal(w.v.wrong_bits, 1);
}

static void missing_execution(void **state)
{
    (void)state;
    struct world w = start();
    for (uint32_t r = 0; r < ROWS; r++)
        put1(&w, -1, r, 1, r);
    put1(&w, 0, 2, 4, 8); // the last of its row
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_MISSING_EXECUTION);
    assert_int_equal(v->invocation, 2);
    assert_int_equal(v->entry, 1);
    assert_int_equal(v->site, 4);
    assert_int_equal(v->word, 2 * STRIDE + 3);
}

// One left out, others behind it: known by the next expected site, which is seen.
static void missing_execution_in_the_middle(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, 0, 0, 4, 8);
    put1(&w, -1, 0, 6, 8);
    put1(&w, -1, 0, 7, 8);
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_MISSING_EXECUTION);
    assert_int_equal(v->site, 4);
}

static void extra_execution(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 1, 1);
    put1(&w, 1, 1, 4, 8);
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_EXTRA_EXECUTION);
    assert_int_equal(v->invocation, 1);
    assert_int_equal(v->site, 4);
}

static void extra_execution_in_the_middle(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, 1, 0, 4, 8);
    put1(&w, -1, 0, 6, 8);
    put1(&w, -1, 0, 7, 8);
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_EXTRA_EXECUTION);
    assert_int_equal(v->site, 4);
}

static void wrong_memory(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 1, 1);
    w.words[0][OUT][3] = 5;
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_WRONG_MEMORY);
    assert_false(v->has_site);
    assert_int_equal(v->binding, OUT);
    assert_int_equal(v->word, 3);
    assert_int_equal(v->expected, 5);
    assert_int_equal(v->observed, 0);
}

// A word behind a row's entries belongs to nobody.
static void stray_store_in_the_log(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 1, 1, 1);
    row(&w, 1, 1)[12] = 5;
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_WRONG_MEMORY);
    assert_false(v->has_site);
    assert_int_equal(v->word, STRIDE + 12);
    // A wrong entry tells more, also in a later row and beside wrong memory elsewhere.
    put1(&w, 0, 3, 2, 1);
    put1(&w, 1, 3, 2, 2);
    w.words[1][OUT][0] = 1;
    v = compare(&w);
    assert_int_equal(v->klass, JUDGE_WRONG_VALUE);
    assert_int_equal(v->invocation, 3);
    assert_int_equal(v->wrong_invocations, 2);
}

// The smallest entry comes first, then the smallest invocation.
static void order(void **state)
{
    (void)state;
    struct world w = start();
    for (uint32_t r = 0; r < ROWS; r++) {
        put1(&w, 0, r, 1, 10);
        put1(&w, 1, r, 1, r >= 2 ? 11 : 10);
        put1(&w, 0, r, 2, 20);
        put1(&w, 1, r, 2, 21);
    }
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->entry, 0);
    assert_int_equal(v->invocation, 2);
    assert_int_equal(v->wrong_invocations, 4);
}

static void nothing_compared(void **state)
{
    (void)state;
    struct world w = start();
    assert_int_equal(compare(&w)->klass, JUDGE_NOTHING_COMPARED);
    // Entries of which nothing is defined are worth nothing either.
    put1(&w, -1, 0, 1, 1);
    memset(w.mask[LOG], 0, sizeof w.mask[LOG]);
    row(&w, 1, 0)[2] = 77;
    assert_int_equal(compare(&w)->klass, JUDGE_NOTHING_COMPARED);
    assert_int_equal(w.v.live_bits, 0);
    assert_true(w.v.text[0] != 0);
}

// Rows come from a device: a count or a header beyond the row is read no further.
static void damaged_rows(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, ROWS - 1, 1, 1);
    row(&w, 1, ROWS - 1)[0] = UINT32_MAX;
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_EXTRA_EXECUTION); // the zero behind is a header of site 0
    row(&w, 1, ROWS - 1)[0] = 2;
    row(&w, 1, ROWS - 1)[1] = 1 << 8 | 255;
    v = compare(&w);
    assert_int_equal(v->klass, JUDGE_MISSING_EXECUTION);
    assert_int_equal(v->site, 1);
}

// Without a log declared the log's buffer is memory like any other.
static void no_log(void **state)
{
    (void)state;
    struct world w = start();
    w.c.has_log = false;
    put1(&w, 0, 0, 1, 1);
    put1(&w, 1, 0, 1, 2);
    const struct judge_verdict *v = compare(&w);
    assert_int_equal(v->klass, JUDGE_WRONG_MEMORY);
    assert_int_equal(v->live_bits, 3 * 32);
    assert_int_equal(v->wrong_invocations, 0);
}

static void names(void **state)
{
    (void)state;
    for (int k = 0; k < JUDGE_CLASSES; k++) {
        assert_true(judge_class_name((enum judge_class)k)[0] != 0);
        assert_true(judge_class_line((enum judge_class)k)[0] != 0);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(judge_class_name((enum judge_class)k),
                                    judge_class_name((enum judge_class)i));
    }
    assert_true(judge_class_is_finding(JUDGE_HANG));
    assert_false(judge_class_is_mismatch(JUDGE_HANG));
    assert_true(judge_class_is_mismatch(JUDGE_WRONG_MAPPING));
    assert_false(judge_class_is_finding(JUDGE_FLAKY));
    assert_false(judge_class_is_finding(JUDGE_AGREES));
}

static uint32_t log_row(const uint32_t *row, uint32_t stride, struct judge_entry *out, uint32_t max)
{
    struct judge_cursor c = {.row = row, .stride = stride};
    uint32_t n = 0;
    while (n < max && judge_log_next(&c, &out[n]))
        n++;
    return n;
}

static void log_rows(void **state)
{
    (void)state;
    const uint32_t good[8] = {5, 3 << 8 | 1, 9, 4 << 8 | 2, 1, 2, 0xdead, 0xdead};
    struct judge_entry e[4];
    assert_int_equal(log_row(good, 8, e, 4), 2);
    assert_int_equal(e[0].site, 3);
    assert_int_equal(e[0].at, 2);
    assert_int_equal(e[1].site, 4);
    assert_int_equal(e[1].n, 2);
    assert_int_equal(e[1].at, 4);
    assert_int_equal(log_row(good, 8, e, 1), 1);
    // A shader that ran out of room counted on: what fits is read.
    const uint32_t full[4] = {9, 3 << 8 | 1, 9, 4 << 8 | 2};
    assert_int_equal(log_row(full, 4, e, 4), 1);
    assert_int_equal(log_row(full, 1, e, 4), 0);
    assert_int_equal(log_row(full, 0, e, 4), 0);
    const uint32_t over[5] = {4, 3 << 8 | 3, 1, 2, 3}; // as many words as the row has, with the count
    assert_int_equal(log_row(over, 4, e, 4), 0);
    const uint32_t none[4] = {1, 3 << 8}; // an entry without values
    assert_int_equal(log_row(none, 4, e, 4), 1);
    assert_int_equal(e[0].n, 0);
}

static void lane_sets(void **state)
{
    (void)state;
    static const struct {
        uint32_t v;
        const char *text;
    } rows[] = {
        {0, "{}"},
        {1, "{0}"},
        {0x8000060f, "{0-3,9,10,31}"},
        {UINT32_MAX, "{0-31}"},
        {0x55555555, "{0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30}"},
    };
    char text[JUDGE_LANE_SET];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        judge_lane_set(rows[i].v, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
    judge_lane_set(1, text, 4); // just room enough
    assert_string_equal(text, "{0}");
    // 14 pairs with two gaps are the longest.
    judge_lane_set(0xdb6db6db, text, sizeof text);
    assert_int_equal(text[strlen(text) - 1], '}');
    memset(text, 'x', sizeof text);
    judge_lane_set(0x55555555, text, 8); // cut, never over the end
    assert_true(strlen(text) < 8);
    assert_int_equal(text[8], 'x');
}

static void table(void **state)
{
    (void)state;
    struct arena a = {0};
    struct world w = start();
    w.c.subgroup = 8;
    put1(&w, -1, 1, 3, 7);
    ballot(&w, 0, 1, 9, 0xf);
    ballot(&w, 1, 1, 9, 0x7);
    put1(&w, 0, 2, 3, 7);
    w.words[1][LANES][3] = 0;
    w.words[1][LANES][4] = 1;
    w.words[1][LANES][5] = 8;
    compare(&w);
    struct text t = {.arena = &a};
    report_table(&w.c, w.expected, w.observed, BUFFERS, 1, 4, &t);
    assert_string_equal(t.v, "invocation 1 (subgroup 0, lane 1 of 8)\n"
                             "  entry  expected                                observed\n"
                             "      0  site 3     7                            site 3     7\n"
                             "*     1  site 9     {0-3}                        site 9     {0-2}\n"
                             "\n... and 1 more wrong invocation\n");
    arena_free(&a);
}

// The words of the verdict, for every class; the place, and which value of the entry it is.
static void places_and_words(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 5, 70);
    w.words[0][OUT][1] = w.words[1][OUT][1] = 3;
    assert_string_equal(compare(&w)->text, "128 bits agree");
    assert_int_equal(w.v.live_bits, 4 * 32);
    w = start();
    assert_string_equal(compare(&w)->text, judge_class_line(JUDGE_NOTHING_COMPARED));
    // The third value of the second entry.
    w = start();
    put1(&w, -1, 1, 5, 70);
    put(&w, 0, 1, 6, 4, (const uint32_t[]){1, 2, 3, 4});
    put(&w, 1, 1, 6, 4, (const uint32_t[]){1, 2, 7, 9});
    compare(&w);
    assert_int_equal(w.v.entry, 1);
    assert_int_equal(w.v.value, 2);
    assert_int_equal(w.v.word, STRIDE + 3 + 1 + 2);
    assert_int_equal(w.v.wrong_bits, 1 + 3); // 3 ^ 7, 4 ^ 9
    // As many values is as much part of an entry as its site is.
    w = start();
    put(&w, 0, 2, 6, 2, (const uint32_t[]){1, 2});
    put(&w, 1, 2, 6, 1, (const uint32_t[]){1});
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_VALUE);
    assert_int_equal(w.v.word, 2 * STRIDE + 1);
    // Neither side has the other's site: the expected one was not reached.
    w = start();
    put1(&w, 0, 3, 4, 1);
    put1(&w, 1, 3, 5, 1);
    assert_int_equal(compare(&w)->klass, JUDGE_MISSING_EXECUTION);
    assert_int_equal(w.v.site, 4);
    assert_int_equal(w.v.word, 3 * STRIDE + 1);
    assert_string_equal(w.v.text, "invocation 3, log entry 0, site 4: must be reached and was not");
    w = start();
    put1(&w, -1, 3, 4, 1);
    put1(&w, 1, 3, 5, 1);
    assert_int_equal(compare(&w)->klass, JUDGE_EXTRA_EXECUTION);
    assert_int_equal(w.v.word, 3 * STRIDE + 3);
    assert_string_equal(w.v.text, "invocation 3, log entry 1, site 5: was reached and must not be");
    // The observed site is one entry away, the expected one two: it was put in.
    w = start();
    put1(&w, 1, 0, 7, 1);
    put1(&w, -1, 0, 4, 1);
    put1(&w, -1, 0, 5, 1);
    put1(&w, 0, 0, 7, 1);
    assert_int_equal(compare(&w)->klass, JUDGE_EXTRA_EXECUTION);
    assert_int_equal(w.v.site, 7);
}

// Lanes are named where a word of a ballot is the whole of it; a value behind the eighth is a number.
static void ballots_by_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t subgroup;
        const char *text;
    } rows[] = {{0, "expected ballot word 0x3, observed 0x1"}, {31, "expected lanes {0,1}, observed {0}"},
                {32, "expected lanes {0,1}, observed {0}"},    {33, "expected ballot word 0x3, observed 0x1"},
                {64, "expected ballot word 0x3, observed 0x1"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct world w = start();
        w.c.subgroup = rows[k].subgroup;
        ballot(&w, 0, 0, 2, 3);
        ballot(&w, 1, 0, 2, 1);
        assert_int_equal(compare(&w)->klass, JUDGE_MISSING_LANES);
        assert_non_null(strstr(w.v.text, rows[k].text));
        uint32_t log[ROWS * STRIDE];
        memset(log, 0xff, sizeof log);
        log[2] = 0;
        w.observed[LOG].mask = log;
        judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
        assert_non_null(strstr(w.v.text, "observed no defined value"));
    }
    // Lanes too many in one word, others missing in the next.
    struct world w = start();
    put(&w, 0, 0, 3u << 16 | 9, 3, (const uint32_t[]){3, 0x11000000, 5});
    put(&w, 1, 0, 3u << 16 | 9, 3, (const uint32_t[]){7, 0x01000000, 5});
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_SET);
    // All marks are set, and the ninth value has none.
    w = start();
    const uint32_t e[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, o[9] = {1, 1, 1, 1, 1, 1, 1, 1, 3};
    put(&w, 0, 0, 0xffu << 16 | 9, 9, e);
    put(&w, 1, 0, 0xffu << 16 | 9, 9, o);
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_VALUE);
    assert_int_equal(w.v.value, 8);
}

// A row that says that more was written than there is room for is live to its end, and no further.
static void live_bits(void **state)
{
    (void)state;
    static const uint32_t counts[][2] = {{0, 0}, {1, 2}, {STRIDE - 2, STRIDE - 1}, {STRIDE - 1, STRIDE}, {STRIDE, STRIDE}, {99, STRIDE}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct world w = start();
        row(&w, 0, 1)[0] = row(&w, 1, 1)[0] = counts[k][0];
        compare(&w);
        assert_int_equal(w.v.live_bits, 32 * counts[k][1]);
        w.expected[LOG].mask = NULL; // all is defined
        judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
        assert_int_equal(w.v.live_bits, 32 * counts[k][1]);
        for (uint32_t i = 0; i < ROWS * STRIDE; i++)
            w.mask[LOG][i] = 1;
        compare(&w);
        assert_int_equal(w.v.live_bits, counts[k][1]);
    }
    // Of memory: the bits that are defined of words that are not what they were.
    struct world w = start();
    w.zero[1] = w.words[0][OUT][1] = w.words[1][OUT][1] = 6; // as it was
    w.words[0][OUT][2] = w.words[1][OUT][2] = 6;
    w.mask[OUT][2] = 0x0f;
    w.words[0][OUT][3] = w.words[1][OUT][3] = 0xf0;
    w.mask[OUT][3] = 0x0f; // what differs is not defined
    assert_int_equal(compare(&w)->live_bits, 4);
}

// Wrong bits of all rows and words together; the first word outside the log is the place. What stands behind
// the last whole row is memory.
static void sums(void **state)
{
    (void)state;
    struct world w = start();
    put1(&w, -1, 0, 5, 70);
    put1(&w, 0, 1, 5, 1), put1(&w, 1, 1, 5, 2);
    put1(&w, 0, 3, 5, 1), put1(&w, 1, 3, 5, 6);
    w.words[1][OUT][0] = 1, w.words[1][OUT][2] = 0x700;
    compare(&w);
    assert_int_equal(w.v.wrong_bits, 2 + 3 + 1 + 3);
    assert_int_equal(w.v.wrong_invocations, 2);
    assert_int_equal(w.v.invocation, 1);
    w = start();
    w.words[0][OUT][1] = 0xff1, w.words[1][OUT][1] = 0xfe2;
    w.mask[OUT][1] = 0x0f;
    w.words[1][OUT][3] = 1;
    w.c.buffer[OUT].set = 3;
    compare(&w); // the sets of memory and buffer
    for (uint32_t side = 0; side < 2; side++)
        (side ? w.observed : w.expected)[OUT].set = 3;
    judge_compare(&w.c, w.expected, w.observed, BUFFERS, &w.v);
    assert_int_equal(w.v.wrong_bits, 3);
    assert_int_equal(w.v.set, 3);
    assert_int_equal(w.v.word, 1);
    assert_int_equal(w.v.expected, 1);
    assert_int_equal(w.v.observed, 2);
    assert_string_equal(w.v.text, "buffer 3:1, word 1: expected 1 (0x1), observed 2 (0x2)");
    // Three rows of 20 words, and four words more.
    w = start();
    w.c.log_stride = 20;
    w.words[1][LOG][60] = 1;
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_MEMORY);
    assert_int_equal(w.v.word, 60);
    assert_int_equal(w.v.wrong_invocations, 0);
    w.c.log_stride = 0; // no rows at all
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_MEMORY);
    // A count that the prediction leaves open: the row is memory.
    w = start();
    put1(&w, 0, 1, 5, 1), put1(&w, 1, 1, 5, 2);
    w.mask[LOG][STRIDE] = 0xff;
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_MEMORY);
    assert_int_equal(w.v.word, STRIDE + 2);
    w.mask[LOG][STRIDE] = UINT32_MAX, w.mask[LOG][STRIDE + 1] = 0xff; // the same of a header
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_MEMORY);
    assert_int_equal(w.v.word, STRIDE + 2);
    // A value that is left open leaves the next entry's header as it is.
    w = start();
    put1(&w, -1, 1, 5, 1);
    put1(&w, 0, 1, 6, 1), put1(&w, 1, 1, 6, 2);
    w.mask[LOG][STRIDE + 2] = 0;
    assert_int_equal(compare(&w)->klass, JUDGE_WRONG_VALUE);
    assert_int_equal(w.v.entry, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_of_rows), cmocka_unit_test(agrees),
        cmocka_unit_test(plain_words_are_live_when_written),
        cmocka_unit_test(wrong_value),
        cmocka_unit_test(undefined_is_wrong),
        cmocka_unit_test(undefined_is_not_read),
        cmocka_unit_test(ballots),
        cmocka_unit_test(ballots_beside_numbers),
        cmocka_unit_test(masked_bits_are_not_compared),
        cmocka_unit_test(missing_execution),
        cmocka_unit_test(missing_execution_in_the_middle),
        cmocka_unit_test(extra_execution),
        cmocka_unit_test(extra_execution_in_the_middle),
        cmocka_unit_test(wrong_memory),
        cmocka_unit_test(stray_store_in_the_log),
        cmocka_unit_test(order),
        cmocka_unit_test(nothing_compared),
        cmocka_unit_test(damaged_rows),
        cmocka_unit_test(no_log),
        cmocka_unit_test(names),
        cmocka_unit_test(log_rows),
        cmocka_unit_test(lane_sets),
        cmocka_unit_test(table),
        cmocka_unit_test(places_and_words),
        cmocka_unit_test(ballots_by_size),
        cmocka_unit_test(live_bits),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
