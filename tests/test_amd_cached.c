// SPDX-License-Identifier: Apache-2.0
//
// backends/isa/amd: a shader in the data of RADV's pipeline cache, made here: its lines, its arguments, what is refused.
// The disassembler is ours: the upper half of a word says which line it is.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_amd_common.h"

enum { STATISTICS = 112, CODE = 64, SHADER = 656 + STATISTICS + CODE, PIPELINE = 40, OTHER = 80 + PIPELINE };
struct cached {
    uint8_t v[1800];
    size_t n, shader; // where the shader begins
};

// The program adds words 1 and 3 of the push constants and the workgroup's id; lane i writes the sum to word i.
static const char *const line[] = {
    NULL,
    "\ts_add_i32 s0, s0, s1",
    "\ts_add_i32 s0, s0, s4",
    "\ts_mov_b32 s0, 0",
    "\ts_movk_i32 s3, 0x8000",
    "\ts_load_b128 s[8:11], s[2:3], null",
    "\ts_waitcnt lgkmcnt(0)",
    "\tv_mov_b32_e32 v1, s0",
    "\tv_lshlrev_b32_e32 v0, 2, v0",
    "\tbuffer_store_b32 v1, v0, s[8:11], 0 offen",
    "\ts_endpgm",
    "\ts_getpc_b64 s[8:9]",
};
#define BRANCH 0xbfa00001u
enum { UNKNOWN = 99, GETPC = 11, WORDS = 14 };
static const uint32_t program[WORDS] = {1 << 16, 2 << 16, BRANCH,  3 << 16, 4 << 16, 5 << 16,      0,
                                        6 << 16, 7 << 16, 8 << 16, 9 << 16, 9,       0x000a0000, 0xdead0000};

static size_t print(void *context, const uint8_t *code, size_t bytes, char *out, size_t size)
{
    uint32_t word, *calls = context;
    memcpy(&word, code, sizeof word);
    const uint32_t i = word >> 16, n = i == 5 || i == 9 ? 8 : 4; // two of them have two words
    ++*calls;
    if (!i || i > GETPC || n > bytes)
        return 0;
    snprintf(out, size, "%s", line[i]);
    return n;
}

static void set(struct cached *c, size_t at, uint32_t v)
{
    memcpy(c->v + c->shader + at, &v, sizeof v);
}

static void set_place(struct cached *c, size_t at, int first, int n)
{
    c->v[c->shader + at] = (uint8_t)first;
    c->v[c->shader + at + 1] = (uint8_t)n;
}

// The cache holds the shader, and the pipeline before or after it. The code has a word of padding.
static void fill(struct cached *c, bool after)
{
    uint32_t head[] = {32, 2, UINT32_MAX, 32, 0};
    *c = (struct cached){.n = (size_t)(after ? 80 + SHADER + 48 + PIPELINE : OTHER + 48 + SHADER)};
    c->shader = after ? 80 : OTHER + 48;
    memcpy(c->v, head, 4);
    memcpy(c->v + 32, head + 1, 4);
    head[4] = after ? SHADER : PIPELINE;
    memcpy(c->v + 36, head + 2, 12);
    head[4] = after ? PIPELINE : SHADER;
    memcpy(c->v + (after ? 80 + SHADER : OTHER), head + 2, 12);
    set(c, 52, 4 << 1 | 1 << 7 | 1 << 10); // four user registers, x of the workgroup's id, the wave
    set(c, 64, 32);
    set(c, 72, 10);
    set(c, 84, 1);
    for (size_t i = 0; i < 62; i++)
        set_place(c, 112 + 2 * i, -1, 0);
    set_place(c, 112, 2, 1);
    set_place(c, 184, 0, 2);
    set(c, 236, 1);
    c->v[c->shader + 321] = 32;
    c->v[c->shader + 323] = 5;
    c->v[c->shader + 324] = 255;
    set(c, 464, 32);
    set(c, 468, 1);
    set(c, 472, 1);
    set(c, 624, SHADER);
    set(c, 632, CODE);
    set(c, 636, 4 * (WORDS - 1));
    set(c, 648, STATISTICS);
    memcpy(c->v + c->shader + 656 + STATISTICS, program, sizeof program);
}

static const char *text_of(struct arena *a, const struct cached *c, struct amd_cached *found)
{
    uint32_t calls = 0;
    return amd_cached_find(c->v, c->n, found) ? amd_cached_text(a, found, AMD_GFX11, print, &calls) : NULL;
}

static void the_cache_is_read(void **state)
{
    (void)state;
    for (int after = 0; after < 2; after++) {
        struct arena a = {0};
        struct cached c;
        struct amd_cached found;
        struct isa_result r;
        uint32_t words[64] = {0};
        fill(&c, after);
        const char *text = text_of(&a, &c, &found);
        assert_non_null(text);
        assert_non_null(strstr(text, "\ts_branch BB4\n\ts_mov_b32 s0, 0\nBB4:\n\ts_movk_i32 s3, 0x8000\n"));
        assert_int_equal(found.wave, 32);
        struct spv_case x = isa_trial_case(&a, 32, 2, words, 64);
        x.push_count = 4;
        memcpy(x.push, (uint32_t[]){1, 20, 300, 4000}, 16);
        const struct amd_source s = {.abi = &found.abi, .assembly = text};
        isa_trial_run(&a, amd_read(&a, &s, AMD_GFX11, 32, &r), &x, (struct isa_options){0}, &r);
        if (r.status != RAN_OK)
            fail_msg("%s", r.text);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(words[i], 4021);
        arena_free(&a);
    }
}

// The arguments before gfx11 and from gfx12 on, and an address of push constants.
static void arguments_are_where_the_gpu_puts_them(void **state)
{
    static const struct {
        enum amd_gen gen;
        const char *from; // the register that is written
        uint32_t want;
    } is[] = {
        {AMD_GFX10, "v_mov_b32_e32 v5, s5", 1},        // the workgroup's y
        {AMD_GFX10, "v_mov_b32_e32 v5, s6", 1},        // one wave, the first one
        {AMD_GFX10, "v_mov_b32_e32 v5, v1", 0},        // y of the invocation
        {AMD_GFX12, "v_mov_b32_e32 v5, ttmp9", 0},     // the workgroup's x
        {AMD_GFX11, "v_mov_b32_e32 v5, s5", 1},
        {AMD_GFX11, "v_lshrrev_b32_e32 v5, 31, v0", 0}, // all of the invocation
    };
    struct amd_abi abi = {.push = 3, .inlined = -1, .user = 4, .group = {true, true, false}, .wave_info = true};
    (void)state;
    memset(abi.set, 255, sizeof abi.set);
    abi.set[0] = 2;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        struct arena a = {0};
        uint32_t words[64] = {0};
        struct isa_result r;
        struct spv_case x = isa_trial_case(&a, 32, 1, words, 64);
        x.groups[1] = 2;
        const bool new = is[i].gen >= AMD_GFX11;
        const struct amd_source s = {
            .abi = &abi,
            .assembly = arena_printf(&a,
                                     "\t%s\n\tv_and_b32_e32 v0, 0x3ff, v0\n\tv_lshlrev_b32_e32 v0, 2, v0\n\ts_movk_i32 s3, 0x8000\n"
                                     "\t%s s[8:11], s[2:3], %s\n\t%s\n\tbuffer_store_%s v5, v0, s[8:11], %s offen\n\ts_endpgm\n",
                                     is[i].from, new ? "s_load_b128" : "s_load_dwordx4", new ? "null" : "0x0",
                                     is[i].gen == AMD_GFX12 ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)",
                                     new ? "b32" : "dword", is[i].gen == AMD_GFX12 ? "null" : "0")};
        isa_trial_run(&a, amd_read(&a, &s, is[i].gen, 32, &r), &x, (struct isa_options){0}, &r);
        if (r.status != RAN_OK)
            fail_msg("%s: %s", is[i].from, r.text);
        for (uint32_t k = 0; k < 32; k++)
            if (words[k] != is[i].want)
                fail_msg("%s: %u in lane %u", is[i].from, words[k], k);
        arena_free(&a);
    }
}

// Any byte may have any value; what says where things are must be as expected.
static void other_caches_are_refused(void **state)
{
    static const uint16_t all[] = {0, 84, 112, 113, 114, 176, 184, 185, 190, 234, 236, 237, 321, 323, 324,
                                   464, 468, 624, 632, 636, 640, 644, 648, 652};
    struct amd_cached found;
    struct cached c;
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fill(&c, true);
        c.v[c.shader + all[i]] ^= 66;
        if (amd_cached_find(c.v, c.n, &found))
            fail_msg("byte %u of the shader may be anything", all[i]);
    }
    for (uint32_t i = 0; i < c.n; i++) {
        struct arena a = {0};
        fill(&c, i & 1);
        for (uint32_t bit = 0; bit < 8; bit++) {
            c.v[i] ^= (uint8_t)(1u << bit);
            (void)text_of(&a, &c, &found);
            c.v[i] ^= (uint8_t)(1u << bit);
        }
        assert_false(amd_cached_find(c.v, i, &found));
        arena_free(&a);
    }
    fill(&c, true);
    c.v[0] = 31; // another head
    assert_false(amd_cached_find(c.v, c.n, &found));
    fill(&c, true);
    c.v[32] = 3; // another number of objects
    assert_false(amd_cached_find(c.v, c.n, &found));
    fill(&c, true); // two shaders
    memcpy(c.v + 80 + SHADER, c.v + 36, 12);
    memcpy(c.v + 80 + SHADER + 48, c.v + 80, SHADER);
    assert_false(amd_cached_find(c.v, c.n - PIPELINE + SHADER, &found));
}

// The driver then prints.
static void code_that_needs_the_driver_is_refused(void **state)
{
    const struct {
        uint32_t word;
        const char *want; // NULL: refused
    } is[] = {
        {UNKNOWN << 16, "\n(invalid instruction) ; 00630000\nBB4:\n\ts_movk_i32 s3, 0x8000 ; 00040000\n\ts_load"},
        {GETPC << 16, NULL},
        {0xbfa0fff0, NULL},               // before the code
        {0xbfa00100, NULL},               // after it
        {0xbfa1fffc, "BB0:\n\ts_add_i32"}, // s_cbranch_scc0 to the first word
        {0xbfa60009, "\ts_cbranch_execnz BB13\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        struct arena a = {0};
        struct cached c;
        struct amd_cached found;
        fill(&c, true);
        set(&c, 656 + STATISTICS + 12, is[i].word);
        const char *text = text_of(&a, &c, &found);
        if (!is[i].want ? text != NULL : !text || !strstr(text, is[i].want))
            fail_msg("%08x: %s", is[i].word, text ? text : "refused");
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_is_read),
        cmocka_unit_test(arguments_are_where_the_gpu_puts_them),
        cmocka_unit_test(other_caches_are_refused),
        cmocka_unit_test(code_that_needs_the_driver_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
