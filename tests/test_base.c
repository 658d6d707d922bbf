// SPDX-License-Identifier: Apache-2.0
//
// base: arenas, growing arrays, numbers in text, files, lane masks, random numbers.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void arenas(void **state)
{
    (void)state;
    struct arena a = {0};
    unsigned char *p[200];
    for (int turn = 0; turn < 3; turn++) {
        for (size_t k = 0; k < 200; k++) {
            size_t n = k * 37 % 5000;
            p[k] = arena_alloc(&a, n);
            assert_int_equal((uintptr_t)p[k] % 16, 0);
            for (size_t j = 0; j < n; j++)
                assert_int_equal(p[k][j], 0); // zeroed, after a reset too
            memset(p[k], 0xa5, n);
        }
        for (size_t k = 1; turn && k < 200; k++) // the first turn took several chunks, this one
            assert_ptr_equal(p[k], p[k - 1] + ((k - 1) * 37 % 5000 + 15) / 16 * 16);
        for (size_t k = 0; k < 200; k++) // and nothing overlaps
            for (size_t j = 0; j < k * 37 % 5000; j++)
                assert_int_equal(p[k][j], 0xa5);
        arena_reset(&a);
        assert_int_equal(a.used, 0);
    }
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_free(&a);
}

static void vectors(void **state)
{
    (void)state;
    struct arena a = {0};
    VEC(uint32_t) v = {0};
    for (uint32_t k = 0; k < 1000; k++)
        *VEC_PUSH(&a, &v) = k * k;
    assert_int_equal(v.n, 1000);
    for (uint32_t k = 0; k < 1000; k++)
        assert_int_equal(v.v[k], k * k);
    VEC_RESERVE(&a, &v, 5000);
    assert_true(v.cap >= 6000);
    assert_int_equal(v.v[999], 999 * 999);
    arena_free(&a);
}

static void numbers(void **state)
{
    (void)state;
    uint64_t v;
    uint32_t w;
    struct {
        const char *text;
        bool ok;
        uint64_t value;
    } rows[] = {{"0", true, 0},
                {"18446744073709551615", true, UINT64_MAX},
                {"18446744073709551616", false, 0},
                {"0xffffffffffffffff", true, UINT64_MAX},
                {"0x10000000000000000", false, 0},
                {"0x", false, 0},
                {"", false, 0},
                {"-1", false, 0},
                {" 1", false, 0},
                {"12a", false, 0},
                {"0xG", false, 0},
                {"0x1F", true, 31}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bool ok = parse_u64(rows[k].text, strlen(rows[k].text), &v);
        assert_int_equal(ok, rows[k].ok);
        if (ok)
            assert_true(v == rows[k].value);
    }
    assert_false(parse_u32("4294967296", 10, &w));
    assert_true(parse_u32("4294967295", 10, &w));
    struct arena a = {0};
    struct text t = {.arena = &a};
    text_u32(&t, 0);
    text_addn(&t, " ", 1);
    text_u32(&t, UINT32_MAX);
    text_add(&t, " %s ", "and");
    text_hex(&t, 0);
    text_addn(&t, " ", 1);
    text_hex(&t, UINT64_MAX);
    assert_string_equal(t.v, "0 4294967295 and 0x0 0xffffffffffffffff");
    for (int k = 0; k < 2000; k++)
        text_add(&t, "%d,", k);
    assert_int_equal(strlen(t.v), t.n);
    arena_free(&a);
}

static void printable(void **state)
{
    (void)state;
    struct arena a = {0};
    const char *fine = "a\tb\n\xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82";
    assert_ptr_equal(text_printable(&a, fine), fine);
    static const char *const rows[][2] = {
        {"\033[31mred", "\\x1b[31mred"},   {"x\r\x7fy", "x\\x0d\\u007fy"},
        {"\xc2\x9b" "31m", "\\u009b31m"}, {"\x9b" "2J", "\\x9b2J"}, // C1: as UTF-8, as a byte
        {"\xe2\x80\xae" "txt", "\\u202etxt"}, {"\xc0\x9b", "\\xc0\\x9b"}, // turned round; overlong
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, {"end\xe2\x82", "end\\xe2\\x82"}, // surrogate; cut
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(text_printable(&a, rows[k][0]), rows[k][1]);
    arena_free(&a);
}

static void files(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e;
    char dir[] = "/tmp/tanglefuzz-base-XXXXXX", *data;
    size_t n;
    assert_non_null(mkdtemp(dir));
    char *deep = arena_printf(&a, "%s/a/b/c", dir);
    assert_true(dir_make(deep, &e));
    assert_true(dir_make(deep, &e));
    char *path = arena_printf(&a, "%s/file", deep);
    assert_true(file_write(path, "hello", 5, &e));
    assert_true(file_read(&a, path, 100, &data, &n, &e));
    assert_int_equal(n, 5);
    assert_string_equal(data, "hello");
    assert_false(file_read(&a, path, 4, &data, &n, &e));
    assert_non_null(strstr(e.msg, "larger than the limit of 4 bytes"));
    assert_false(file_read(&a, deep, 100, &data, &n, &e));
    assert_non_null(strstr(e.msg, "is a folder"));
    assert_false(dir_make(path, &e));
    assert_non_null(strstr(e.msg, "a file of that name is there"));
    // What cannot be written says so and leaves no temporary.
    assert_false(file_write("/dev/full/x", "y", 1, &e));
    assert_non_null(strstr(e.msg, "/dev/full/x: cannot write"));
    char *gone = arena_printf(&a, "%s/none/x", dir);
    assert_false(file_write(gone, "y", 1, &e));
    assert_int_equal(access(gone, F_OK), -1);
    char *rm = arena_printf(&a, "rm -r %s", dir);
    assert_int_equal(system(rm), 0);
    arena_free(&a);
}

static void lanes(void **state)
{
    (void)state;
    assert_true(lanes_below(0) == 0);
    assert_true(lanes_below(64) == UINT64_MAX);
    assert_true(lanes_below(128) == ~(lane_mask)0);
    lane_mask m = lane_bit(0) | lane_bit(63) | lane_bit(64) | lane_bit(127);
    assert_int_equal(lane_count(m), 4);
    assert_int_equal(lane_first(m), 0);
    assert_int_equal(lane_last(m), 127);
    assert_int_equal(lane_first(m & ~lanes_below(64)), 64);
    assert_int_equal(lane_last(m & lanes_below(64)), 63);
    unsigned seen[4], n = 0;
    LANES_EACH (l, m)
        seen[n++] = l;
    assert_int_equal(n, 4);
    assert_int_equal(seen[1], 63);
    assert_int_equal(seen[2], 64);
    assert_int_equal(seen[3], 127);
}

static void randomness(void **state)
{
    (void)state;
    // The published first outputs of splitmix64 from 1234567.
    struct rng r = {1234567};
    assert_true(rng_next(&r) == UINT64_C(6457827717110365317));
    assert_true(rng_next(&r) == UINT64_C(3203168211198807973));
    uint32_t counts[7] = {0};
    for (int k = 0; k < 7000; k++)
        counts[rng_below(&r, 7)]++;
    for (int k = 0; k < 7; k++)
        assert_in_range(counts[k], 800, 1200);
    // XXH3 of nothing, as published.
    assert_true(hash64("", 0) == UINT64_C(0x2d06800538d394c2));
}

static void errors(void **state)
{
    (void)state;
    struct err e;
    assert_false(err_set(&e, "%s", "broken"));
    assert_false(err_prefix(&e, "file %d", 3));
    assert_string_equal(e.msg, "file 3: broken");
    assert_false(err_set(NULL, "nobody listens"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas),     cmocka_unit_test(vectors), cmocka_unit_test(numbers), cmocka_unit_test(printable),
        cmocka_unit_test(files),      cmocka_unit_test(lanes),   cmocka_unit_test(randomness),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
