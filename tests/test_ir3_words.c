// SPDX-License-Identifier: Apache-2.0
//
// backends/isa/ir3: words of machine code against the lines that Turnip of Mesa 26.2 printed for them in
// programs of the generator (tests/ir3_words.txt: word, number of the instruction, line); data of its
// pipeline cache, made here.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_ir3_common.h"
#include "test_isa_rows.h"

enum { MANY = 1 << 20 };

// Bits that the disassembler does not print, by category: of loads, stores and atomics in memory.
static bool silent(uint64_t word, uint32_t bit)
{
    return word >> 61 == 6 && bit == 0;
}

static void words_are_printed_as_by_the_driver(void **state)
{
    struct arena a = {0};
    char *save, ours[IR3_LINE], other[IR3_LINE];
    uint32_t lines = 0, target;
    (void)state;
    char *text = rows_file(&a, "ir3_words.txt");
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), lines++) {
        char *at;
        const uint64_t word = strtoull(line, &at, 16);
        const uint32_t n = (uint32_t)strtoul(at, &at, 10);
        const char *want = at + 1, *jump = strchr(want, '#');
        if (!ir3_word_line(word, n, MANY, ours, &target) || strcmp(ours, want) != 0)
            fail_msg("%016llx: '%s', not '%s'", (unsigned long long)word, ours, want);
        // "s#0, t#0" does not jump
        if (jump && jump[1] == 'l')
            assert_int_equal(target, strtoul(jump + 2, NULL, 10));
        else
            assert_int_equal(target, IR3_NO_TARGET);
        // Each bit has a meaning, or is refused.
        for (uint32_t bit = 0; bit < 64; bit++)
            if (!silent(word, bit) && ir3_word_line(word ^ UINT64_C(1) << bit, n, MANY, other, &target) &&
                strcmp(ours, other) == 0)
                fail_msg("%016llx: bit %u says nothing in '%s'", (unsigned long long)word, bit, ours);
    }
    assert_true(lines > 1900);
    arena_free(&a);
}

static void words_that_no_program_had_are_refused(void **state)
{
    char line[IR3_LINE];
    uint32_t target, known = 0;
    struct rng r = {.state = 7};
    (void)state;
    for (uint32_t i = 0; i < 1000000; i++)
        known += ir3_word_line(rng_next(&r), i, MANY, line, &target);
    assert_true(known < 20000);
    // a category, an operation, a jump to before the code, an immediate float
    assert_false(ir3_word_line(UINT64_C(4) << 61, 0, MANY, line, &target));
    assert_false(ir3_word_line(UINT64_C(0x4500000000000000), 0, MANY, line, &target));
    assert_false(ir3_word_line(UINT64_C(0x01000000fffffff9), 6, MANY, line, &target));
    assert_true(ir3_word_line(UINT64_C(0x01000000fffffff9), 7, MANY, line, &target));
    assert_false(ir3_word_line(UINT64_C(0x0100000000000003), 7, 10, line, &target));
    assert_false(ir3_word_line(UINT64_C(0x2044400000000000), 0, MANY, line, &target));
}

// Mesa's description of the encoding says this; no program of the generator had it.
static void offsets_have_two_parts(void **state)
{
    char line[IR3_LINE];
    uint32_t target;
    (void)state;
    assert_true(ir3_word_line(UINT64_C(0xd1062d6c01800610), 0, MANY, line, &target));
    assert_string_equal(line, "(sy)stl.u32 l[r5.z+876], r2.x, 1");
    assert_true(ir3_word_line(UINT64_C(0xd1062dff01803e10), 0, MANY, line, &target));
    assert_string_equal(line, "(sy)stl.u32 l[r5.z-1], r2.x, 1");
}

// ---- the cache ---------------------------------------------------------------------

enum { NUMBERS_AT = 80 + 1920 + 4 * 8 };
struct cached {
    uint8_t v[NUMBERS_AT + 1445 + 16];
};

static void set(struct cached *c, uint32_t at, uint32_t v)
{
    memcpy(c->v + at, &v, sizeof v);
}

// Lane i writes the constant c8.y, 1234, to word i. The code has one word of padding.
static void fill(struct cached *c)
{
    static const uint64_t words[4] = {
        UINT64_C(0x202cc00100000021), // mov.u32u32 r0.y, c8.y
        UINT64_C(0xc026000100674100), // stib.b.untyped.1d.u32.1.imm.base0 r0.y, r0.x, 0
        UINT64_C(0x0300000000000000), // end
    };
    static const uint32_t ones[] = {12, 20, 28, 36};
    *c = (struct cached){0};
    set(c, 0, 32);
    set(c, 32, 1);
    set(c, 40, 32);
    set(c, 44, sizeof c->v - 80);
    set(c, 80 + 268, sizeof words);
    set(c, 80 + 276, 6);
    set(c, 80 + 812, 2);
    memcpy(c->v + 80 + 816, "\x2a\x00\x07\x00\x01\x2f\xc0\x07\x00\x01", 10);
    memcpy(c->v + 80 + 1920, words, sizeof words);
    for (uint32_t i = 0; i < 4; i++)
        set(c, NUMBERS_AT + ones[i], UINT32_MAX);
    set(c, NUMBERS_AT + 4, 1);
    set(c, NUMBERS_AT + 8, 12);
    set(c, NUMBERS_AT + 96, 4);
    set(c, NUMBERS_AT + 124, 4);
    set(c, NUMBERS_AT + 128, 4);
    set(c, NUMBERS_AT + 140, 8);
    set(c, NUMBERS_AT + 252, 8);
    set(c, NUMBERS_AT + 1440, 4);
    set(c, NUMBERS_AT + 1448, 1234);
}

static void the_cache_is_read(void **state)
{
    struct arena a = {0};
    struct cached c;
    struct ir3_trial t = {0};
    (void)state;
    fill(&c);
    const char *text = ir3_cached(&a, c.v, sizeof c.v);
    assert_non_null(text);
    assert_non_null(strstr(text, "\n@const(c8.x) 0x0, 0x4d2, 0x0, 0x0\nmov.u32u32 r0.y, c8.y\n"));
    const struct isa_result r = ir3_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(t.words[i], 1234);
    arena_free(&a);
}

// Any byte may have any value; what says where things are must be as expected.
static void other_caches_are_refused(void **state)
{
    static const uint32_t all[] = {0, 32, 40, 44, 80 + 268, NUMBERS_AT + 4, NUMBERS_AT + 16,
                                   NUMBERS_AT + 96, NUMBERS_AT + 140, NUMBERS_AT + 600, NUMBERS_AT + 1440};
    struct cached c;
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct arena a = {0};
        fill(&c);
        c.v[all[i]] ^= 64;
        if (ir3_cached(&a, c.v, sizeof c.v))
            fail_msg("byte %u may be anything", all[i]);
        arena_free(&a);
    }
    for (uint32_t i = 0; i < sizeof c.v; i++) {
        struct arena a = {0};
        fill(&c);
        c.v[i] = (uint8_t)~c.v[i];
        (void)ir3_cached(&a, c.v, sizeof c.v);
        assert_null(ir3_cached(&a, c.v, i));
        arena_free(&a);
    }
    fill(&c); // an argument that the machine does not have
    struct arena a = {0};
    c.v[80 + 816] = 43;
    assert_null(ir3_cached(&a, c.v, sizeof c.v));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_printed_as_by_the_driver),
        cmocka_unit_test(words_that_no_program_had_are_refused),
        cmocka_unit_test(offsets_have_two_parts),
        cmocka_unit_test(the_cache_is_read),
        cmocka_unit_test(other_caches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
