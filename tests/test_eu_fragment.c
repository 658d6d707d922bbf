// SPDX-License-Identifier: Apache-2.0
//
// isa: fragment shaders on the machine that runs Intel's code. Programs whose answers were worked out by hand: pixels,
// helpers, masks, the end; what is refused.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "eu/eu.h"

#include <string.h>

enum { WIDTH = 8, HEIGHT = 4, WORDS = WIDTH * HEIGHT };
#define RESOURCE "@resource_intel (%1 (0xdeaddead), %2 (0x0), %2 (0x0), %2 (0x0)) (desc_set=0, binding=0, x=0)\n"

// r12 is x, r14 y, r16 the pixel's byte in the buffer; f1.0 holds the lanes that are not helpers. What r18 holds after
// `text` is the pixel's word.
#define FIRST                                                                                                                  \
    "(W) add (32|M0) r10.0<1>:uw r1.4<1;4,0>:uw 0x11001010:v\nmov (16|M0) r12.0<1>:ud r10.0<8;4,1>:uw\n"                      \
    "mov (16|M0) r14.0<1>:ud r10.4<8;4,1>:uw\nshl (16|M0) r16.0<1>:ud r14.0<8;8,1>:ud 0x3:ud\n"                                \
    "add (16|M0) r16.0<1>:ud r16.0<8;8,1>:ud r12.0<8;8,1>:ud\nshl (16|M0) r16.0<1>:ud r16.0<8;8,1>:ud 0x2:ud\n"               \
    "(W) mov (1|M0) f1.0<1>:uw r1.14<0;1,0>:uw\nmov (16|M0) r18.0<1>:ud 0x7:ud\n"
#define LAST                                                                                                                   \
    "\n(f1.0) send.dc1 (16|M0) null r16 r18 0x80 0x04025E00\n"                                                                 \
    "(f1.0) sendc.rc (16|M0) null r126 null 0x0 0x04031400 {EOT}\n"

static const uint16_t corner[][2] = {{0, 0}, {16 * 5, 0}, {0, 16 * 5}}; // the pixels with x + y < 5, half of a quad cut

static struct isa_result run(struct arena *a, const char *text, enum eu_gen gen, uint32_t size, bool whole,
                             uint32_t words[WORDS])
{
    const struct eu_source s = {.fragment = true, .assembly = text, .nir = RESOURCE};
    struct spv_case c = {.stage = SPV_FRAGMENT,
                         .target = {WIDTH, HEIGHT},
                         .cover = whole ? SPV_COVER_FULL : SPV_COVER_TRIANGLES,
                         .vertex_count = whole ? 0 : 3,
                         .buffer_count = 1};
    const struct isa_options o = {.step_limit = 100000, .random_fill = 7};
    struct isa_result out;
    memcpy(c.vertex, corner, sizeof corner);
    c.buffer[0] = (struct spv_buffer){.count = WORDS, .words = words};
    const struct isa_code *code = eu_read(a, &s, gen, size, &out);
    if (code)
        isa_run(a, code, &c, &o, &out);
    if (out.status == RAN_OK && code)
        memcpy(words, out.memory[0].words, WORDS * sizeof *words);
    return out;
}

static bool covered(uint32_t x, uint32_t y)
{
    return x + y < 4; // the centre of 4, 0 lies on the edge, which owns none
}

static void check(const char *text, bool whole, uint32_t (*want)(uint32_t x, uint32_t y))
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct isa_result r = run(&a, arena_printf(&a, "%s%s%s", FIRST, text, LAST), EU_GFX12, 16, whole, words);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, text);
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH, should = whole || covered(x, y) ? want(x, y) : 0;
        if (words[i] != should)
            fail_msg("pixel %u, %u: 0x%x, not 0x%x, in\n%s", x, y, words[i], should, text);
    }
    arena_free(&a);
}

static uint32_t seven(uint32_t x, uint32_t y) { return 7 + 0 * (x + y); }
static uint32_t place(uint32_t x, uint32_t y) { return 16 * x + y; }
static uint32_t started(uint32_t x, uint32_t y) { return 0xfff + 0 * (x + y); }
static uint32_t across(uint32_t x, uint32_t y) { return 16 * (x ^ 1) + y; }
static uint32_t odd(uint32_t x, uint32_t y) { return (x + y) & 1 ? 5 : 0; }

#define SR(n) "(W) mov (1|M0) r20.0<1>:ud sr0." n "<0;1,0>:ud\nmov (16|M0) r18.0<1>:ud r20.0<0;1,0>:ud"
#define PLACE "shl (16|M0) r18.0<1>:ud r12.0<8;8,1>:ud 0x4:ud\nadd (16|M0) r18.0<1>:ud r18.0<8;8,1>:ud r14.0<8;8,1>:ud\n"

static void test_pixels(void **state)
{
    (void)state;
    check("", true, seven);
    check("", false, seven);
    check(PLACE, true, place);
    check(PLACE, false, place);
    check("sendc.rc (16|M0) null r126 null 0x0 0x04031400", false, seven); // not the last one
    // Helpers execute: of each quad the other pixel in its row.
    check(PLACE "mov (16|M0) r20.0<1>:ud r18.0<8;8,1>:ud\n(W) mov (8|M0) r18.0<2>:ud r20.1<8;4,2>:ud\n"
                "(W) mov (8|M0) r18.1<2>:ud r20.0<8;4,2>:ud",
          false, across);
}

// Memory of the thread, whose base is in the header: a block written and read.
static void test_scratch(void **state)
{
    (void)state;
    check("(W) mov (8|M0) r30.0<1>:ud r0.0<8;8,1>:ud\n(W) mov (1|M0) r30.2<1>:ud 0x4:ud\n"
          "(W) mov (8|M0) r31.0<1>:ud 0x7:ud\n(W) send.dc0 (8|M0) null r30 r31 0x40 0x020A02FF\n"
          "(W) send.dc0 (8|M0) r32 r30 null 0x0 0x021802FF\nmov (16|M0) r18.0<1>:ud r32.0<0;1,0>:ud",
          true, seven);
}

static void test_masks(void **state)
{
    (void)state;
    check(SR("3"), false, started);
    // `ce` is what was started, helpers too.
    check("(W) mov (1|M0) r20.0<1>:ud ce<0;1,0>:ud\n(W) and (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud sr0.3<0;1,0>:ud\n"
          "mov (16|M0) r18.0<1>:ud r20.0<0;1,0>:ud",
          false, started);
}

// Lanes that are demoted leave f1.0, and store nothing; a quad whose four lanes left halts.
static void test_demote(void **state)
{
    (void)state;
    check("add (16|M0) r20.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud\nand (16|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0x1:ud\n"
          "(f1.0) cmp (16|M0) (ne)f1.0 null<1>:ud r20.0<8;8,1>:ud 0x0:ud\n(~f1.0.any4h) halt (16|M0) L9 L9\n"
          "mov (16|M0) r18.0<1>:ud 0x5:ud\nL9:\nhalt (16|M0) L10 L10\nL10:",
          true, odd);
}

// 32 lanes: the second half's quads follow in a register of their own; Xe2 has a header before each.
static void halves(enum eu_gen gen, const char *first, const char *second, const char *store, const char *mask)
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    char *text = arena_printf(
        &a,
        "(W) add (32|M0) r40.0<1>:uw %s<1;4,0>:uw 0x11001010:v\n(W) add (32|M0) r44.0<1>:uw %s<1;4,0>:uw 0x11001010:v\n"
        "mov (16|M0) r50.0<1>:ud r40.0<8;4,1>:uw\nmov (16|M16) r54.0<1>:ud r44.0<8;4,1>:uw\n"
        "mov (16|M0) r60.0<1>:ud r40.4<8;4,1>:uw\nmov (16|M16) r64.0<1>:ud r44.4<8;4,1>:uw\n"
        "(W) mov (1|M0) f1.0<1>:uw %s\n",
        first, second, mask);
    for (int half = 0; half < 2; half++)
        text = arena_printf(&a,
                            "%sshl (16|M%d) r70.0<1>:ud r%d.0<8;8,1>:ud 0x3:ud\n"
                            "add (16|M%d) r70.0<1>:ud r70.0<8;8,1>:ud r%d.0<8;8,1>:ud\n"
                            "shl (16|M%d) r70.0<1>:ud r70.0<8;8,1>:ud 0x2:ud\n"
                            "add (16|M%d) r74.0<1>:ud r70.0<8;8,1>:ud 0x3:ud\n(f1.0) %s (16|M%d) null r70 r74%s\n",
                            text, 16 * half, half ? 64 : 60, 16 * half, half ? 54 : 50, 16 * half, 16 * half,
                            gen >= EU_GFX12_5 ? "send.ugm" : "send.dc1", 16 * half, store);
    text = arena_printf(&a, "%s(W) mov (1|M0) r90.0<1>:ud sr0.3<0;1,0>:ud\nsendc.rc (16|M0) null r80 null 0x0 0x04031400 {EOT}\n", text);
    const struct isa_result r = run(&a, text, gen, 32, true, words);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != 4 * i + 3)
            fail_msg("gen %d, pixel %u: %u", (int)gen, i, words[i]);
    arena_free(&a);
}

static void test_halves(void **state)
{
    (void)state;
    halves(EU_GFX12, "r1.4", "r2.4", " 0x80 0x04025E00", "r1.14<0;1,0>:uw\n(W) mov (1|M0) f1.1<1>:uw r2.14<0;1,0>:uw");
    halves(EU_XE2, "r0.20", "r1.20", ":1 0x0 0x62000504", "r0.30<0;1,0>:uw\n(W) mov (1|M0) f1.1<1>:uw r1.30<0;1,0>:uw");
}

// Each changes the first place of `from` in a program that stores its place; helpers are at its edge.
static const struct {
    const char *name, *from, *to;
} faults[] = {
    {"a helper stores", "\n(f1.0) send.dc1", "\nsend.dc1"},
    {"the mask of other lanes", "r1.14<0;1,0>:uw", "r1.13<0;1,0>:uw"},
    {"the mask inverted", "\n(f1.0) send.dc1", "\n(~f1.0) send.dc1"},
    {"x for y", "r10.4<8;4,1>:uw", "r10.0<8;4,1>:uw"},
    {"the next quad's place", "r1.4<1;4,0>:uw", "r1.6<1;4,0>:uw"},
    {"a row of a quad", "0x11001010:v", "0x00001010:v"},
    {"half of the lanes", "mov (16|M0) r14.0", "mov (8|M0) r14.0"},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0};
        bool seen = false;
        const char *text = FIRST PLACE LAST, *at = strstr(text, faults[i].from);
        assert_non_null(at);
        text = arena_printf(&a, "%.*s%s%s", (int)(at - text), text, faults[i].to, at + strlen(faults[i].from));
        const struct isa_result r = run(&a, text, EU_GFX12, 16, false, words);
        for (uint32_t k = 0; k < WORDS; k++) {
            const uint32_t x = k % WIDTH, y = k / WIDTH;
            seen |= words[k] != (covered(x, y) ? place(x, y) : 0);
        }
        if (r.status == RAN_OK && !seen)
            fail_msg("not seen: %s", faults[i].name);
        arena_free(&a);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum eu_gen gen;
        const char *why;
    } rows[] = {
        {FIRST LAST, EU_GFX12_5, "does not say with which lanes it starts"},
        {FIRST SR("2") LAST, EU_GFX12, "does not say with which lanes it starts"},
        {FIRST "sendc.rc (16|M0) null r126 null 0x0 0x04035400\n" LAST, EU_GFX12, "message 0x04035400 to unit 5"},
        {FIRST SR("1") LAST, EU_GFX12, "a source of this kind"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0};
        const struct isa_result r = run(&a, rows[i].text, rows[i].gen, 16, true, words);
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, rows[i].why))
            fail_msg("%d %s, not %s", (int)r.status, r.text, rows[i].why);
        arena_free(&a);
    }
    // Code of a fragment shader and a case that dispatches.
    struct arena a = {0};
    const struct eu_source s = {.fragment = true, .assembly = FIRST LAST, .nir = RESOURCE};
    const struct isa_options o = {.step_limit = 1000};
    const struct spv_case c = {.stage = SPV_COMPUTE};
    struct isa_result out;
    const struct isa_code *code = eu_read(&a, &s, EU_GFX12, 16, &out);
    assert_non_null(code);
    isa_run(&a, code, &c, &o, &out);
    assert_int_equal(out.status, RAN_INVALID);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels),   cmocka_unit_test(test_scratch), cmocka_unit_test(test_masks),    cmocka_unit_test(test_demote),
        cmocka_unit_test(test_halves),   cmocka_unit_test(test_faults), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
