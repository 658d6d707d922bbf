// SPDX-License-Identifier: Apache-2.0
//
// isa: code that v3dv made for generated programs (tests/qpu), run by the machine for VideoCore's code: the memory is what
// the oracle expects, and with a fault planted it is another one.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "qpu/qpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"loop", "trips", "divergent", "floats", "shared", "shuffles"};
enum { TEXTS = sizeof names / sizeof *names };

static const char *path_of(struct arena *a, const char *name, const char *end)
{
    const char *root = getenv("SOURCE_DIR");
    return arena_printf(a, "%s/%s%s", root ? root : ".", name, end);
}

static void read_case(struct arena *a, const char *name, struct spv_case *c)
{
    struct spv_tools *tools = spv_tools_new();
    struct err e = {0};
    if (!spv_case_read(tools, a, path_of(a, name, ".spvasm"), c, &e))
        fail_msg("%s", e.msg);
    assert_true(c->expect_count);
    spv_tools_free(tools);
}

static char *read_text(struct arena *a, const char *name)
{
    char *text;
    size_t size;
    assert_true(file_read(a, path_of(a, name, ".txt"), 1 << 20, &text, &size, NULL));
    return text;
}

static void run(struct arena *a, const char *text, const struct spv_case *c, struct isa_result *out)
{
    const struct isa_options o = {.random_fill = 3, .step_limit = 100000};
    const struct isa_code *code = qpu_read(a, text, out);
    if (code)
        isa_run(a, code, c, &o, out);
}

// Does the memory hold every word that is expected?
static bool as_expected(const struct spv_case *c, const struct isa_result *r)
{
    uint32_t compared = 0;
    for (uint32_t i = 0; r->status == RAN_OK && i < c->expect_count; i++) {
        const struct spv_memory *want = &c->expect[i];
        for (uint32_t k = 0; k < r->memory_count; k++) {
            const struct spv_memory *got = &r->memory[k];
            if (got->set != want->set || got->binding != want->binding)
                continue;
            for (uint32_t w = 0; w < want->count && w < got->count; w++) {
                const uint32_t mask = want->mask ? want->mask[w] : UINT32_MAX;
                compared += mask != 0;
                if ((want->words[w] ^ got->words[w]) & mask)
                    return false;
            }
        }
    }
    return compared > 0;
}

static void test_right(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TEXTS; i++) {
        struct arena a = {0};
        struct spv_case c;
        struct isa_result r;
        const char *name = arena_printf(&a, "tests/qpu/%s", names[i]);
        read_case(&a, name, &c);
        run(&a, read_text(&a, name), &c, &r);
        if (!as_expected(&c, &r))
            fail_msg("%s: %d %s", names[i], (int)r.status, r.text);
        arena_free(&a);
    }
}

// Replaces the n-th `from` of the text; NULL: there are fewer.
static const char *planted(struct arena *a, const char *text, const char *from, const char *to, uint32_t n)
{
    const char *at = strstr(text, " QPU:");
    for (at = at ? strstr(at, from) : NULL; at && n; n--)
        at = strstr(at + 1, from);
    return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : NULL;
}

static void test_planted(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        uint32_t least; // of all texts, so many are seen
    } rows[] = {
        {"mov.ifa rf", "mov rf", 30},       {".ifna ", ".ifa ", 14},  {".pushz -", ".pushn -", 40},
        {".andz -", ".andnz -", 2},         {"ballot.ifa", "ballot", 3}, {"ldunif (", "ldunifrf.rf63 (", 35},
        {"shuffle rf", "add rf", 4},        {"mov tmud, rf", "mov -, rf", 30}, {"umul24", "add", 18},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t seen = 0, all = 0;
        for (uint32_t i = 0; i < TEXTS; i++) {
            struct arena a = {0};
            struct spv_case c;
            const char *name = arena_printf(&a, "tests/qpu/%s", names[i]), *wrong;
            read_case(&a, name, &c);
            const char *text = read_text(&a, name);
            for (uint32_t n = 0; (wrong = planted(&a, text, rows[k].from, rows[k].to, n)); n++) {
                struct isa_result r;
                run(&a, wrong, &c, &r);
                all++;
                seen += r.status != RAN_UNSUPPORTED && !as_expected(&c, &r);
            }
            arena_free(&a);
        }
        if (seen < rows[k].least)
            fail_msg("'%s' made '%s': %u of %u seen, not %u", rows[k].from, rows[k].to, seen, all, rows[k].least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_planted)};
    return cmocka_run_group_tests_name("qpu_texts", tests, NULL, NULL);
}
