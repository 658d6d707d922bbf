// SPDX-License-Identifier: Apache-2.0
//
// isa: AMD's operations from lane to lane, a row each, with the lanes that are on and what each of
// them must get: worked out from "VOP3 Instructions" and "LDS & GDS Instructions" of AMD's manuals.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_amd_common.h"

// Lane i has 100 + i in v2, i in v0, 4 * i in v1, 7 in v8; what it has in v8 behind the row's text
// is its word.
static const char *program(struct arena *a, enum amd_gen gen, const char *text)
{
    const bool old = gen < AMD_GFX11;
    return arena_printf(
        a,
        "%s\tv_lshlrev_b32_e32 v1, 2, v0\n\tv_add_%s_e32 v2, 0x64, v0\n\tv_mov_b32_e32 v8, 7\n%s"
        "\ts_mov_b32 exec_lo, -1\n\ts_mov_b32 exec_hi, -1\n\tbuffer_store_%s v8, v1, s[4:7], 0 "
        "offen\n\ts_endpgm\n",
        old ? "\ts_movk_i32 s1, 0x8000\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_waitcnt "
              "lgkmcnt(0)\n"
            : AMD_BUFFER_SET_UP,
        gen == AMD_GFX9 ? "u32" : "nc_u32", text, old ? "dword" : "b32");
}

static uint32_t reversed(uint32_t l)
{
    return 100 + (l ^ 15);
}
static uint32_t reversed_other(uint32_t l)
{
    return 100 + (l ^ 31);
}
static uint32_t low_four_of_rows(uint32_t l)
{
    return l < 32 ? (l & 15) < 12 ? 7 : reversed(l) : 7;
}
static uint32_t low_four_or_zero(uint32_t l)
{
    return (l & 15) < 4 ? 0 : 7;
}
static uint32_t low_four_fetched(uint32_t l)
{
    return (l & 15) < 4 ? reversed(l) : 7;
}
static uint32_t low_four_swapped(uint32_t l)
{
    return (l & 15) < 4 ? 100 + (l ^ 3) : 7;
}
static uint32_t seven(uint32_t l)
{
    return l * 0 + 7;
}
static uint32_t halves(uint32_t l)
{
    return 100 + (l ^ 32);
}
static uint32_t halves_of_some(uint32_t l)
{
    return l == 3 || l == 40 ? 100 + (l ^ 32) : 7;
}
static uint32_t quad(uint32_t l)
{
    return 100 + (l & ~3u) + (uint32_t[]){3, 0, 2, 2}[l & 3];
}
static uint32_t bits(uint32_t l)
{
    return 100 + (l & ~31u) + (((l & 3) | 16) ^ 1);
} // bit 4: 1, 3 and 2: 0, 1: p, 0: i
static uint32_t rotated(uint32_t l)
{
    return 100 + (l & ~31u) + ((l + 5) & 31);
}
static uint32_t rotated_back(uint32_t l)
{
    return 100 + (l & ~31u) + ((l - 5) & 31);
}
static uint32_t next_of_on(uint32_t l)
{
    return l < 8 ? l < 7 ? 101 + l : 0 : 7;
}
static uint32_t pushed(uint32_t l)
{
    return 100 + ((l - 3) & 31);
}
static uint32_t pushed_64(uint32_t l)
{
    return 100 + ((l - 3) & 63);
}
static uint32_t pulled_halves(uint32_t l)
{
    return 100 + (l & 32) + ((l + 3) & 31);
}
static uint32_t pulled_64(uint32_t l)
{
    return 100 + ((l + 3) & 63);
}
static uint32_t pushed_eight(uint32_t l)
{
    return l >= 3 && l < 8 ? 100 + l - 3 : l < 8 ? 0 : 7;
}
static uint32_t five(uint32_t l)
{
    return l < 20 ? 8 + 5 : 7;
}
static uint32_t swapped(uint32_t l)
{
    return l < 5 ? 1000 + 100 + l : 7;
}
static uint32_t lane_six(uint32_t l)
{
    return l * 0 + 106;
}
static uint32_t lane_forty(uint32_t l)
{
    return l * 0 + 140;
}
static uint32_t lane_nine(uint32_t l)
{
    return l * 0 + 109;
}
static uint32_t lane_none(uint32_t l)
{
    return l * 0 + 100;
}
static uint32_t written(uint32_t l)
{
    return l == 9 ? 0x55 : 7;
}
static uint32_t written_44(uint32_t l)
{
    return l == 44 ? 0x55 : 7;
}
static uint32_t below(uint32_t l)
{
    return 5 + l;
}
static uint32_t below_of_high(uint32_t l)
{
    return 5 + (l > 32 ? l - 32 : 0);
}
static uint32_t below_odd(uint32_t l)
{
    return l / 2;
}
static uint32_t before_with_wait(uint32_t l)
{
    return l < 31 ? 101 + l : 100;
}

#define SELECT "\ts_mov_b32 s8, 0x89abcdef\n\ts_mov_b32 s9, 0x01234567\n" // lane i of a row: 15 - i
#define LDS    "\ts_waitcnt lgkmcnt(0)\n"
static const struct row {
    const char *text;
    uint32_t (*want)(uint32_t lane);
    enum amd_gen gen;
    uint32_t wave;
} rows[] = {
    {SELECT "\tv_permlane16_b32 v8, v2, s8, s9\n", reversed, AMD_GFX11, 32},
    {SELECT "\tv_permlane16_b32 v8, v2, s8, s9\n", reversed, AMD_GFX11, 64},
    {SELECT "\tv_permlanex16_b32 v8, v2, s8, s9\n", reversed_other, AMD_GFX11, 64},
    // Lanes 0 to 3 of each row are on, and ask for 12 to 15, which are not.
    {SELECT "\ts_mov_b32 exec_lo, 0x000f000f\n\tv_permlane16_b32 v8, v2, s8, s9\n", seven,
     AMD_GFX11, 32},
    {SELECT "\ts_mov_b32 exec_lo, 0x000f000f\n\tv_permlane16_b32 v8, v2, s8, s9 op_sel:[0,1]\n",
     low_four_or_zero, AMD_GFX11, 32},
    {SELECT "\ts_mov_b32 exec_lo, 0x000f000f\n\tv_permlane16_b32 v8, v2, s8, s9 op_sel:[1,0]\n",
     low_four_fetched, AMD_GFX11, 32},
    {SELECT "\ts_mov_b32 exec_lo, 0x000f000f\n\tv_permlane16_b32 v8, v2, s8, s9 op_sel:[1,1]\n",
     low_four_fetched, AMD_GFX11, 32},
    {"\ts_mov_b32 s8, 0x0123\n\ts_mov_b32 s9, 0\n\ts_mov_b32 exec_lo, "
     "0x000f000f\n\tv_permlane16_b32 v8, v2, s8, s9\n",
     low_four_swapped, AMD_GFX11, 32},
    {SELECT "\ts_mov_b32 exec_lo, 0xf000f000\n\tv_permlane16_b32 v8, v2, s8, s9 op_sel:[1,0]\n",
     low_four_of_rows, AMD_GFX11, 32},
    {"\tv_permlane64_b32 v8, v2\n", halves, AMD_GFX11, 64},
    {"\ts_mov_b32 exec_lo, 8\n\ts_mov_b32 exec_hi, 256\n\tv_permlane64_b32 v8, v2\n",
     halves_of_some, AMD_GFX11, 64},
    {"\tv_permlane64_b32 v8, v2\n", seven, AMD_GFX11, 32}, // does nothing there
    {"\tds_swizzle_b32 v8, v2 offset:swizzle(QUAD_PERM,3,0,2,2)\n" LDS, quad, AMD_GFX11, 64},
    {"\tds_swizzle_b32 v8, v2 offset:swizzle(BITMASK_PERM,\"100pi\")\n" LDS, bits, AMD_GFX11, 64},
    {"\tds_swizzle_b32 v8, v2 offset:swizzle(ROTATE,0,5)\n" LDS, rotated, AMD_GFX9, 64},
    {"\tds_swizzle_b32 v8, v2 offset:swizzle(ROTATE,1,5)\n" LDS, rotated_back, AMD_GFX9, 64},
    {"\ts_movk_i32 exec_lo, 0xff\n\tds_swizzle_b32 v8, v2 offset:swizzle(ROTATE,0,1)\n" LDS,
     next_of_on, AMD_GFX11, 32},
    {"\tds_permute_b32 v8, v1, v2 offset:12\n" LDS, pushed, AMD_GFX11, 32},
    {"\tds_permute_b32 v8, v1, v2 offset:12\n" LDS, pushed_64, AMD_GFX9, 64},
    {"\ts_movk_i32 exec_lo, 0xff\n\tds_permute_b32 v8, v1, v2 offset:12\n" LDS, pushed_eight,
     AMD_GFX11, 32},
    {"\tds_bpermute_b32 v8, v1, v2 offset:12\n" LDS, pulled_halves, AMD_GFX11, 64},
    {"\tds_bpermute_b32 v8, v1, v2 offset:12\n" LDS, pulled_halves, AMD_GFX10, 64},
    {"\tds_bpermute_b32 v8, v1, v2 offset:12\n" LDS, pulled_64, AMD_GFX9, 64},
    // A counter in LDS at 16 holds 8, and five lanes of 20 append.
    {"\tv_mov_b32_e32 v3, 8\n\tv_mov_b32_e32 v4, 0\n\tds_store_b32 v4, v3 offset:16\n" LDS
     "\ts_mov_b32 exec_lo, 31\n\tds_append v5 offset:16\n" LDS
     "\ts_mov_b32 exec_lo, 0xfffff\n\tds_load_b32 v8, v4 offset:16\n" LDS,
     five, AMD_GFX11, 32},
    {"\tv_mov_b32_e32 v3, 18\n\tv_mov_b32_e32 v4, 0\n\tds_store_b32 v4, v3 offset:16\n" LDS
     "\ts_mov_b32 exec_lo, 31\n\tds_consume v5 offset:16\n" LDS
     "\ts_mov_b32 exec_lo, 0xfffff\n\tds_load_b32 v8, v4 offset:16\n" LDS,
     five, AMD_GFX11, 32},
    {"\tv_mov_b32_e32 v3, 13\n\tv_mov_b32_e32 v4, 0\n\tds_store_b32 v4, v3 offset:16\n" LDS
     "\ts_mov_b32 exec_lo, 0xfffff\n\tds_append v8 offset:16\n" LDS, // what it was
     five, AMD_GFX11, 32},
    {"\tv_add_nc_u32_e32 v5, 0x3e8, v2\n\ts_mov_b32 exec_lo, 31\n\tv_swap_b32 v8, v5\n", swapped,
     AMD_GFX11, 32},
    {"\tv_add_nc_u32_e32 v5, 0x3e8, v2\n\ts_mov_b32 exec_lo, 31\n\tv_swap_b32 v5, v8\n", swapped,
     AMD_GFX11, 32},
    {"\tv_readlane_b32 s8, v2, 6\n\tv_mov_b32_e32 v8, s8\n", lane_six, AMD_GFX11, 32},
    {"\ts_mov_b32 s9, 38\n\tv_readlane_b32 s8, v2, s9\n\tv_mov_b32_e32 v8, s8\n", lane_six,
     AMD_GFX11, 32},
    {"\ts_mov_b32 s9, 40\n\tv_readlane_b32 s8, v2, s9\n\tv_mov_b32_e32 v8, s8\n", lane_forty,
     AMD_GFX11, 64},
    {"\ts_movk_i32 exec_lo, 0x600\n\tv_readfirstlane_b32 s8, v2\n\ts_mov_b32 exec_lo, "
     "-1\n\tv_mov_b32_e32 v8, s8\n",
     lane_nine, AMD_GFX11, 32},
    {"\ts_mov_b32 exec_lo, 0\n\tv_readfirstlane_b32 s8, v2\n\ts_mov_b32 exec_lo, "
     "-1\n\tv_mov_b32_e32 v8, s8\n",
     lane_none, AMD_GFX11, 32},
    {"\ts_mov_b32 exec_lo, 0\n\tv_writelane_b32 v8, 0x55, 41\n", written, AMD_GFX11, 32},
    {"\tv_writelane_b32 v8, 0x55, 44\n", written_44, AMD_GFX11, 64},
    {"\tv_mbcnt_lo_u32_b32 v8, -1, 5\n", below, AMD_GFX11, 32},
    {"\tv_mbcnt_hi_u32_b32 v8, -1, 5\n", below_of_high, AMD_GFX11, 64},
    {"\tv_mbcnt_lo_u32_b32 v3, 0xaaaaaaaa, 0\n\tv_mbcnt_hi_u32_b32 v8, 0xaaaaaaaa, v3\n", below_odd,
     AMD_GFX11, 64},
    // Of two under way the first is done where one may be left.
    {"\tv_add_nc_u32_e32 v3, 4, v1\n\tds_bpermute_b32 v8, v3, v2\n\tds_bpermute_b32 v9, v1, "
     "v2\n\ts_waitcnt lgkmcnt(1)\n",
     before_with_wait, AMD_GFX11, 32},
};

static void lanes_get_what_the_manuals_say(void **state)
{
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct amd_trial t = {.gen = rows[i].gen, .wave = rows[i].wave};
        const struct isa_result r = amd_try(&a, &t, program(&a, t.gen, rows[i].text));
        if (r.status != RAN_OK || r.early_line)
            fail_msg("row %zu: %s, early at line %u\n%s", i, r.text, r.early_line, rows[i].text);
        for (uint32_t l = 0; l < t.wave; l++)
            if (t.words[l] != rows[i].want(l))
                fail_msg("row %zu, lane %u: %u, not %u\n%s", i, l, t.words[l], rows[i].want(l),
                         rows[i].text);
        arena_reset(&a);
    }
    arena_free(&a);
}

// Whatever reads a register of a load under way is told of, by its line; on gfx12 the whole wave is
// one for bpermute.
static void sources_under_way_are_told_of(void **state)
{
    static const char *const uses[] = {"\tv_permlane16_b32 v8, v5, s8, s9\n",
                                       "\tv_permlane64_b32 v8, v5\n",
                                       "\tds_swizzle_b32 v8, v5 offset:swizzle(SWAP,1)\n",
                                       "\tds_bpermute_b32 v8, v5, v2\n",
                                       "\tds_bpermute_b32 v8, v1, v5\n",
                                       "\tv_swap_b32 v5, v8\n",
                                       "\tv_swap_b32 v8, v5\n",
                                       "\tv_readlane_b32 s8, v5, 3\n",
                                       "\tv_readfirstlane_b32 s8, v5\n",
                                       "\tv_writelane_b32 v8, s12, 3\n",
                                       "\tv_readlane_b32 s8, v2, s12\n",
                                       "\tv_permlane16_b32 v8, v2, s12, s9\n",
                                       "\tv_permlane16_b32 v8, v2, s8, s12\n"};
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        for (int waits = 0; waits < 2; waits++) {
            struct amd_trial t = {.gen = AMD_GFX11, .wave = 64};
            const char *wait =
                waits ? "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n" : "\n"; // a line of its own either way
            const struct isa_result r =
                amd_try(&a, &t,
                        program(&a, t.gen,
                                arena_printf(&a,
                                             "\tbuffer_load_b32 v5, v1, s[4:7], 0 "
                                             "offen\n\ts_load_b32 s12, s[0:1], null\n%s%s" LDS,
                                             wait, uses[i])));
            if (r.status != RAN_OK || r.early_line != (waits ? 0 : 10))
                fail_msg("%s: %s, early at line %u", uses[i], r.text, r.early_line);
        }
    struct amd_trial t = {.gen = AMD_GFX12, .wave = 64};
    assert_int_equal(
        amd_try(&a, &t,
                program(&a, t.gen, "\tds_bpermute_b32 v8, v1, v2 offset:12\n\ts_wait_dscnt 0x0\n"))
            .status,
        RAN_OK);
    for (uint32_t l = 0; l < 64; l++)
        assert_int_equal(t.words[l], pulled_64(l));
    arena_free(&a);
}

// Each wait waits for its own kind, until as many are left as it says.
static void waits_are_of_a_kind(void **state)
{
    static const char vm[] = "\tbuffer_load_b32 v5, v1, s[4:7], 0 offen\n",
                      sm[] = "\ts_load_b32 s12, s[0:1], null\n",
                      lds[] = "\tds_bpermute_b32 v5, v1, v2\n";
    static const struct {
        enum amd_gen gen;
        const char *load, *wait;
        bool early;
    } kinds[] = {
        {AMD_GFX11, vm, "s_waitcnt vmcnt(0)", false},
        {AMD_GFX11, vm, "s_waitcnt lgkmcnt(0)", true},
        {AMD_GFX11, lds, "s_waitcnt lgkmcnt(0)", false},
        {AMD_GFX11, lds, "s_waitcnt vmcnt(0)", true},
        {AMD_GFX11, sm, "s_waitcnt lgkmcnt(0)", false},
        {AMD_GFX11, sm, "s_waitcnt vmcnt(0)", true},
        {AMD_GFX12, vm, "s_wait_loadcnt 0x0", false},
        {AMD_GFX12, vm, "s_wait_loadcnt 0x1", true},
        {AMD_GFX12, vm, "s_wait_dscnt 0x0", true},
        {AMD_GFX12, sm, "s_wait_kmcnt 0x0", false},
        {AMD_GFX12, sm, "s_wait_loadcnt 0x0", true},
        {AMD_GFX12, lds, "s_wait_dscnt 0x0", false},
        {AMD_GFX12, lds, "s_wait_dscnt 0x1", true},
        {AMD_GFX12, lds, "s_wait_kmcnt 0x0", true},
        {AMD_GFX12, vm, "s_wait_loadcnt_dscnt 0x1", false},
        {AMD_GFX12, vm, "s_wait_loadcnt_dscnt 0x100", true},
        {AMD_GFX12, lds, "s_wait_loadcnt_dscnt 0x100", false},
        {AMD_GFX12, lds, "s_wait_loadcnt_dscnt 0x1", true},
        {AMD_GFX12, lds, "s_wait_storecnt_dscnt 0x100", false},
        {AMD_GFX12, lds, "s_wait_storecnt_dscnt 0x1", true},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct amd_trial t = {.gen = kinds[i].gen, .wave = 32};
        const char *use = kinds[i].load == sm ? "s12" : "v5";
        const struct isa_result r =
            amd_try(&a, &t,
                    program(&a, t.gen,
                            arena_printf(&a, "%s\t%s\n\tv_mov_b32_e32 v8, %s\n", kinds[i].load,
                                         kinds[i].wait, use)));
        if (r.status != RAN_OK || (r.early_line != 0) != kinds[i].early)
            fail_msg("%s after %s: %s, early at line %u", kinds[i].wait, kinds[i].load, r.text,
                     r.early_line);
    }
    arena_free(&a);
}

// Shared vector registers: one for lanes 0 to 31 and 32 to 63 both. That there are any, the back end's
// code says, in two ways: Mesa 22.3's, and that of later ones.
static void halves_share_registers(void **state)
{
    static const struct {
        const char *ir;
        enum amd_gen gen;
        bool shared;
    } kinds[] = {{"v1: %31,  s2: %30 = p_bpermute %28, %1, %27\n", AMD_GFX10, true},
                 {"v1: %31,  s2: %30 = p_bpermute %28, %1, %27\n", AMD_GFX10_3, true},
                 {"v1: %31,  s2: %30 = p_bpermute %28, %1, %27\n", AMD_GFX9, false},
                 {"v1: %31 = p_bpermute_shared_vgpr %28, %1, %27\n", AMD_GFX10, true},
                 {"v1: %31 = p_permlane64_shared_vgpr %28\n", AMD_GFX10, true},
                 {"v1: %31 = p_bpermute_readlane %28, %1, %27\n", AMD_GFX10, false}};
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct amd_trial t = {.gen = kinds[i].gen, .wave = 64, .ir = kinds[i].ir};
        const struct isa_result r =
            amd_try(&a, &t,
                    program(&a, t.gen, "\tv_mov_b32_e32 v13, 9\n\ts_mov_b32 exec_lo, 0\n\tv_mov_b32_e32 v13, v2\n"
                                       "\ts_mov_b32 exec_lo, -1\n\tv_mov_b32_e32 v8, v13\n"));
        assert_int_equal(r.status, RAN_OK);
        for (uint32_t l = 0; l < 64; l++)
            assert_int_equal(t.words[l], kinds[i].shared || l >= 32 ? 100 + 32 + (l & 31) : 9);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_get_what_the_manuals_say),
        cmocka_unit_test(sources_under_way_are_told_of),
        cmocka_unit_test(waits_are_of_a_kind),
        cmocka_unit_test(halves_share_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
