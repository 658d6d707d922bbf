// SPDX-License-Identifier: Apache-2.0
//
// runners: texts of instructions that are kept by forms, against the printer that they were learned from. The printer is
// ours, with what real ones do: ranges, the same register twice, a constant that looks like one, a field that another
// part of the text depends on.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "runners/forms.h"

#include <string.h>

enum kind { PLAIN, RANGE, CONSTANT, PARITY, LIMIT, SMALL, NOTHING, KINDS, ONE = KINDS };
// Three fields, and the kind of the instruction.
static const uint8_t bits[FORM_FIELDS] = {8, 16, 24};

struct printer {
    char text[100];
    uint32_t calls;
};

static const char *print(void *context, const uint64_t code[2])
{
    struct printer *p = context;
    const unsigned kind = code[0] & 255, a = code[0] >> 8 & 255, b = code[0] >> 16 & 255, c = code[0] >> 24 & 255;
    p->calls++;
    switch (kind) {
    case PLAIN:
        snprintf(p->text, sizeof p->text, "\tadd v%u, v%u, -v%u x%u", a, b, c, (unsigned)code[1]);
        return p->text;
    case RANGE:
        snprintf(p->text, sizeof p->text, "load v[%u:%u], v%u, s[%u:%u] _v%u vv%u", a, a + 3, b, c, c + 1, a, a);
        return p->text;
    case CONSTANT:
        snprintf(p->text, sizeof p->text, "mov v%u, %u v%u", a, b, a);
        return p->text;
    case PARITY: // as of dual instructions
        snprintf(p->text, sizeof p->text, "dual v%u, v%u :: v%u", a, b, 2 * c + !(a & 1));
        return p->text;
    case LIMIT: // prints large numbers as something else
        snprintf(p->text, sizeof p->text, a < 128 ? "not v%u" : "not odd%u", a);
        return p->text;
    case SMALL: // with some constants the text says that a number is small
        snprintf(p->text, sizeof p->text, "add v%u, %u%s", a, b, b % 8 == 7 && a < 50 ? " small" : "");
        return p->text;
    case ONE: // the same for a single number
        snprintf(p->text, sizeof p->text, "add v%u, %u%s", a, b, b == 77 && a == 33 ? " 33" : "");
        return p->text;
    default:
        return NULL;
    }
}

// Asks for `n` instructions, each of which must be printed as by the printer. Returns the printer's calls.
static uint32_t ask(struct forms *f, struct printer *p, uint32_t n, uint32_t kinds, uint64_t seed)
{
    const uint32_t before = p->calls;
    uint32_t own = 0;
    for (uint32_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint64_t code[2] = {(seed >> 32 & 0xffffff00) | (seed >> 20 & 255) % kinds, seed >> 60};
        const struct form *x = forms_get(f, code, code, bits, NULL);
        const char *wanted = print(p, code);
        own++;
        if (!wanted) {
            assert_null(x);
            continue;
        }
        char text[200];
        assert_non_null(x);
        assert_ptr_equal(x, forms_find(f, code, code, bits));
        *form_put(text, x, code, bits) = 0;
        assert_string_equal(text, wanted);
    }
    return p->calls - before - own;
}

static void prints_the_same(void **state)
{
    (void)state;
    struct printer p = {0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct forms *f = forms_new(print, &p, 'v');
        (void)ask(f, &p, 2000, KINDS, seed);
        forms_free(f);
    }
}

// A form is learned once, whatever its registers are.
static void asks_rarely(void **state)
{
    (void)state;
    struct printer p = {0};
    struct forms *f = forms_new(print, &p, 'v');
    (void)ask(f, &p, 20000, PLAIN + 1, 1);
    for (uint64_t r = 0; r < 128; r++) {
        const uint64_t code[2] = {r << 8 | (r ^ 5) << 16 | (127 - r) << 24, 3};
        const uint32_t before = p.calls;
        assert_non_null(forms_get(f, code, code, bits, NULL));
        assert_int_equal(p.calls, before);
    }
    forms_free(f);
}

// Most instructions have no other one of their form: the first one is kept as it is.
static void learns_from_the_second_one(void **state)
{
    (void)state;
    struct printer p = {0};
    struct forms *f = forms_new(print, &p, 'v');
    const uint64_t first[2] = {PLAIN | 1 << 8 | 2 << 16 | 3 << 24, 0}, second[2] = {PLAIN | 4 << 8 | 5 << 16 | 6 << 24, 0};
    const struct form *x = forms_get(f, first, first, bits, "\tadd v1, v2, -v3 x0");
    assert_non_null(x);
    assert_ptr_equal(x, forms_get(f, first, first, bits, NULL));
    assert_int_equal(x->holes, 0);
    assert_int_equal(p.calls, 0);
    x = forms_get(f, second, second, bits, "\tadd v4, v5, -v6 x0");
    assert_non_null(x);
    assert_int_equal(x->holes, 3);
    assert_true(p.calls > 0);
    forms_free(f);
}

// The first instruction of a form may have any numbers: equal ones, and those that the printer tries.
static void learns_from_any(void **state)
{
    (void)state;
    static const uint32_t firsts[] = {0, 0x5b5b5b, 0x5c5b5b, 0x6b5b6b, 0x070707, 0x787878, 0x7f7f00, 0xff00ff, 0x80807f};
    struct printer p = {0};
    for (uint32_t kind = 0; kind < NOTHING; kind++)
        for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            struct forms *f = forms_new(print, &p, 'v');
            const uint64_t code[2] = {(uint64_t)firsts[i] << 8 | kind, 0};
            assert_non_null(forms_get(f, code, code, bits, NULL));
            for (uint32_t k = 0; k < 3000; k++) {
                const uint64_t other[2] = {(uint64_t)(k * 40503u & 0xffffff) << 8 | kind, 0};
                const struct form *x = forms_get(f, other, other, bits, NULL);
                char text[200];
                assert_non_null(x);
                *form_put(text, x, other, bits) = 0;
                assert_string_equal(text, print(&p, other));
            }
            forms_free(f);
        }
}

// Each form of a shape is compared with its own instruction, and with another one.
static void compares_each_form(void **state)
{
    (void)state;
    struct printer p = {0};
    struct forms *f = forms_new(print, &p, 'v');
    static const uint32_t asked[][3] = {{ONE, 1, 5},    {ONE, 2, 6},    {ONE, 3, 8},    {ONE, 33, 77}, {ONE, 34, 77},
                                        {SMALL, 60, 5}, {SMALL, 61, 6}, {SMALL, 62, 7}, {SMALL, 3, 7}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const uint64_t code[2] = {asked[i][0] | asked[i][1] << 8 | asked[i][2] << 16, 0};
        const struct form *x = forms_get(f, code, code, bits, NULL);
        char text[200];
        assert_non_null(x);
        *form_put(text, x, code, bits) = 0;
        assert_string_equal(text, print(&p, code));
    }
    forms_free(f);
}

// A text that the caller knows is not printed again, and a key may leave out what the text need not have.
static void takes_a_text_and_a_key(void **state)
{
    (void)state;
    struct printer p = {0};
    struct forms *f = forms_new(print, &p, 'v');
    const uint64_t code[2] = {CONSTANT | 200 << 8, 0}, key[2] = {CONSTANT | 200 << 8, 9};
    struct form *x = forms_get(f, code, code, bits, "mov v200, 0 v200");
    assert_non_null(x);
    assert_false(x->seen);
    x->seen = true;
    assert_true(forms_find(f, code, code, bits)->seen);
    assert_null(forms_find(f, key, code, bits));
    forms_make_room(f, 1 << 14);
    assert_non_null(forms_find(f, code, code, bits)); // there is room
    forms_make_room(f, 1 << 15);
    assert_null(forms_find(f, code, code, bits));
    forms_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_the_same),
        cmocka_unit_test(asks_rarely),
        cmocka_unit_test(learns_from_the_second_one),
        cmocka_unit_test(learns_from_any),
        cmocka_unit_test(compares_each_form),
        cmocka_unit_test(takes_a_text_and_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
