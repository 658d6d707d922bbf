// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs AMD's machine code. Small programs whose answers were worked out from the
// manuals; faults planted in the text of a loop with a break; text that is no program.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_amd_common.h"

// Ends a program: lane i writes v8 to word i.
#define STORE                                                                                       \
    "\tv_lshlrev_b32_e32 v1, 2, v0\n\tbuffer_store_b32 v8, v1, s[4:7], 0 offen\n\ts_endpgm\n"
#define LOAD                                                                                        \
    "\tv_lshlrev_b32_e32 v1, 2, v0\n\tbuffer_load_b32 v2, v1, s[4:7], 0 offen\n"

// Runs it; each lane of the first wave must leave want(lane).
static void check(const char *text, struct amd_trial t, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    const struct isa_result r = amd_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < (t.wave ? t.wave : 32); i++)
        if (t.words[i] != want(i))
            fail_msg("lane %u: %u (0x%x), not %u (0x%x)", i, t.words[i], t.words[i], want(i), want(i));
    arena_free(&a);
}

static struct amd_trial counted(uint32_t wave)
{
    struct amd_trial t = {.gen = AMD_GFX11, .wave = wave};
    for (uint32_t i = 0; i < AMD_WORDS; i++)
        t.words[i] = 100 + i;
    return t;
}

// ---- lanes ---------------------------------------------------------------------------------------------

static uint32_t odd_of_pair(uint32_t lane) { return 100 + (lane | 1); }
static uint32_t before_in_row(uint32_t lane) { return lane & 15 ? 100 + lane - 1 : 7; }
static uint32_t before_or_zero(uint32_t lane) { return lane & 15 ? 100 + lane - 1 : 0; }
static uint32_t other_half_row(uint32_t lane) { return 100 + (lane ^ 16); }
static uint32_t swapped_halves(uint32_t lane) { return 100 + (lane ^ 32); }
static uint32_t only_active(uint32_t lane) { return lane < 4 ? (lane ^ 1) + 100 : 7; }
static uint32_t next_or_zero(uint32_t lane) { return lane % 32 < 8 ? (lane % 32 < 7 ? 101 + lane : 0) : 7; }

static void lanes_read_lanes(void **state)
{
    (void)state;
#define MOVE(how) AMD_BUFFER_SET_UP LOAD "\tv_mov_b32_e32 v8, 7\n\ts_waitcnt vmcnt(0)\n" how STORE
    check(MOVE("\tv_mov_b32_dpp v8, v2 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf\n"), counted(32), odd_of_pair);
    check(MOVE("\tv_mov_b32_dpp v8, v2 row_shr:1 row_mask:0xf bank_mask:0xf\n"), counted(32), before_in_row);
    check(MOVE("\tv_mov_b32_dpp v8, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\n"), counted(32),
          before_or_zero);
    check(MOVE("\ts_mov_b32 s8, 0x76543210\n\ts_mov_b32 s9, 0xfedcba98\n\tv_permlanex16_b32 v8, v2, s8, s9\n"), counted(32),
          other_half_row);
#undef MOVE
}

static void lanes_that_are_off_are_not_read(void **state)
{
    (void)state;
    check(AMD_BUFFER_SET_UP LOAD "\tv_mov_b32_e32 v8, 7\n\ts_waitcnt vmcnt(0)\n\ts_mov_b32 exec_lo, 15\n"
                          "\tv_mov_b32_dpp v8, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
                          "\ts_mov_b32 exec_lo, -1\n" STORE,
          counted(32), only_active);
    // LDS's permutation gives 0 for them.
    check(AMD_BUFFER_SET_UP LOAD "\tv_mov_b32_e32 v8, 7\n\tv_add_nc_u32_e32 v3, 4, v1\n\ts_waitcnt vmcnt(0)\n"
                          "\ts_movk_i32 exec_lo, 0xff\n\tds_bpermute_b32 v8, v3, v2\n\ts_waitcnt lgkmcnt(0)\n"
                          "\ts_mov_b32 exec_lo, -1\n" STORE,
          counted(32), next_or_zero);
}

static void halves_of_a_wave_of_64(void **state)
{
    (void)state;
    check(AMD_BUFFER_SET_UP LOAD "\ts_waitcnt vmcnt(0)\n\tv_permlane64_b32 v8, v2\n" STORE, counted(64), swapped_halves);
}

// ---- exec, vcc, scc --------------------------------------------------------------------------------------

static uint32_t arms(uint32_t lane) { return lane < 10 ? 1 : 2; }
static uint32_t three_or_less(uint32_t lane) { return lane & 3; }
static uint32_t carried(uint32_t lane) { return lane == 31 ? 1 : 0; }

static void exec_is_what_the_text_makes_of_it(void **state)
{
    (void)state;
    check(AMD_BUFFER_SET_UP "\tv_cmp_gt_u32_e32 vcc_lo, 10, v0\n\ts_and_saveexec_b32 s8, vcc_lo\n\tv_mov_b32_e32 v8, 1\n"
                     "\ts_xor_b32 exec_lo, exec_lo, s8\n\tv_mov_b32_e32 v8, 2\n\ts_mov_b32 exec_lo, s8\n" STORE,
          counted(32), arms);
    // A loop that lanes leave in their own iteration.
    check(AMD_BUFFER_SET_UP "\tv_and_b32_e32 v3, 3, v0\n\ts_mov_b32 s8, 0\n\ts_mov_b32 s9, exec_lo\nBB1:\n"
                     "\tv_cmp_eq_u32_e32 vcc_lo, s8, v3\n\ts_and_saveexec_b32 s10, vcc_lo\n\tv_mov_b32_e32 v8, s8\n"
                     "\ts_and_not1_b32 exec_lo, s10, exec_lo\n\ts_add_i32 s8, s8, 1\n\ts_cbranch_execnz BB1\n"
                     "\ts_mov_b32 exec_lo, s9\n" STORE,
          counted(32), three_or_less);
    check(AMD_BUFFER_SET_UP "\tv_mov_b32_e32 v3, -1\n\tv_lshrrev_b32_e32 v4, 5, v0\n\tv_cmp_eq_u32_e32 vcc_lo, 31, v0\n"
                     "\tv_cndmask_b32_e64 v4, 0, 1, vcc_lo\n\tv_add_co_u32 v3, s8, v3, v4\n"
                     "\tv_add_co_ci_u32_e64 v8, s8, 0, 0, s8\n" STORE,
          counted(32), carried);
}

static uint32_t both(uint32_t lane) { return lane + 3; }

static void a_pair_reads_before_it_writes(void **state)
{
    (void)state; // the second reads v2 as it was
    check(AMD_BUFFER_SET_UP "\tv_add_nc_u32_e32 v2, 3, v0\n\tv_mov_b32_e32 v8, 0\n"
                     "\tv_dual_mov_b32 v2, 9 :: v_dual_add_nc_u32 v8, 0, v2\n" STORE,
          counted(32), both);
}

static uint32_t high_of_literal(uint32_t lane) { return lane; }

// A literal has 32 bits; for 64 without a sign there are zeros above them ("Literal Constants").
static void literals_have_32_bits(void **state)
{
    (void)state;
    check(AMD_BUFFER_SET_UP "\tv_mad_u64_u32 v[2:3], null, v0, 1, 0xffffffffcccccccc\n"
          "\tv_add_nc_u32_e32 v8, v3, v0\n" STORE, counted(32), high_of_literal);
}

static uint32_t two_halves(uint32_t lane) { return lane << 16 | (lane + 1); }
static uint32_t byte_two(uint32_t lane) { return (uint32_t)(int32_t)(int8_t)(lane + 100); }
static uint32_t zero_above(uint32_t lane) { return lane + 2; }

static void parts_of_registers(void **state)
{
    (void)state;
    struct amd_trial old = {.gen = AMD_GFX9, .wave = 64};
    check(AMD_BUFFER_SET_UP "\tv_mov_b16_e32 v8.h, v0.l\n\tv_add_nc_u16 v8.l, v0.l, 1\n" STORE, counted(32), two_halves);
    check("\ts_movk_i32 s1, 0x8000\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n"
          "\tv_add_u32_e32 v2, 0x64, v0\n\tv_lshlrev_b32_e32 v2, 16, v2\n"
          "\tv_mov_b32_sdwa v8, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2\n"
          "\tv_lshlrev_b32_e32 v1, 2, v0\n\tbuffer_store_dword v8, v1, s[4:7], 0 offen\n\ts_endpgm\n",
          old, byte_two);
    // 16 bits leave zeros above them before gfx10.
    check("\ts_movk_i32 s1, 0x8000\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n"
          "\tv_mov_b32_e32 v8, -1\n\tv_add_u16_e32 v8, 2, v0\n"
          "\tv_lshlrev_b32_e32 v1, 2, v0\n\tbuffer_store_dword v8, v1, s[4:7], 0 offen\n\ts_endpgm\n",
          old, zero_above);
}

static char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static uint32_t sign_of_byte(uint32_t lane) { return lane < 28 ? (uint32_t)(int32_t)(int8_t)(lane + 112) : 9; }

static uint32_t sign_or_zero(uint32_t lane) { return lane < 28 ? sign_of_byte(lane) : 0; }

// v_cndmask_b32 with sext(): two lines of LLVM's text, of which the second is the first one's other half.
static void what_llvm_does_not_disassemble(void **state)
{
    struct arena a = {0};
    struct amd_trial old = {.gen = AMD_GFX9, .wave = 64};
    static const char text[] =
        "\ts_movk_i32 s1, 0x8000\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n"
        "\tv_add_u32_e32 v2, 0x70, v0\n\tv_lshlrev_b32_e32 v2, 8, v2\n\tv_mov_b32_e32 v3, 9\n"
        "\tv_cmp_gt_u32_e32 vcc, 28, v0\n"
        "(invalid instruction)   ; 001004f9\n\tv_frob_b32 v0   ; 09060603\n" // v8, v3, sext(v2) BYTE_1
        "\tv_lshlrev_b32_e32 v1, 2, v0\n\tbuffer_store_dword v8, v1, s[4:7], 0 offen\n\ts_endpgm\n";
    (void)state;
    check(text, old, sign_of_byte);
    // Its first source may be a number: 0 is 128 there.
    check(replaced(&a, text, "09060603", "09860680"), old, sign_or_zero);
    // Another operation there, which is this one from gfx10 on.
    old.gen = AMD_GFX10;
    check(replaced(&a, text, "001004f9", "021004f9"), old, sign_of_byte);
    old.gen = AMD_GFX9;
    static const char *const other[][2] = {{"001004f9", "021004f9"},
                                           {"001004f9", "00100403"},   // no SDWA
                                           {"09060603", "0f060603"},   // no part of a register
                                           {"09060603", "09060603 00000001"}}; // two words
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        struct amd_trial t = old;
        const struct isa_result r = amd_try(&a, &t, replaced(&a, text, other[i][0], other[i][1]));
        assert_int_equal(r.status, RAN_UNSUPPORTED);
        assert_non_null(strstr(r.text, "(invalid instruction) at line 8"));
    }
    arena_free(&a);
}

// ---- memory ------------------------------------------------------------------------------------------------

static uint32_t kept_low(uint32_t lane) { return (uint32_t)((int8_t)(lane + 128)) << 16 | 0x5678; }
static uint32_t kept_high(uint32_t lane) { return 0x12340000 | (uint16_t)(int8_t)(lane + 128); }
static uint32_t moved_half(uint32_t lane) { return lane + 1000; }

// Loads of a byte or a short to half of a register leave the other half as it is; stores take
// the upper half.
static void halves_from_memory(void **state)
{
    (void)state;
#define MOVE(load) AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 2, v0\n\tv_add_nc_u32_e32 v2, 0x80, v0\n"           \
    "\tds_store_b8 v1, v2 offset:1\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32_e32 v8, 0x12345678\n" load           \
    "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n" STORE
    check(MOVE("\tds_load_i8_d16_hi v8, v1 offset:1\n"), counted(32), kept_low);
    check(MOVE("\tds_load_i8_d16 v8, v1 offset:1\n"), counted(32), kept_high);
    check(MOVE("\tscratch_store_b8 off, v2, off offset:5\n\tscratch_load_d16_hi_i8 v8, off, off offset:5\n"),
          counted(32), kept_low);
#undef MOVE
    check(AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 2, v0\n\tv_add_nc_u32_e32 v2, 0x3e8, v0\n"
          "\tv_lshlrev_b32_e32 v2, 16, v2\n\tds_store_b16_d16_hi v1, v2 offset:2\n\ts_waitcnt lgkmcnt(0)\n"
          "\tds_load_u16 v3, v1 offset:2\n\ts_waitcnt lgkmcnt(0)\n\tv_lshlrev_b32_e32 v3, 16, v3\n"
          "\tscratch_store_d16_hi_b16 off, v3, off\n\tscratch_load_u16 v8, off, off\n\ts_waitcnt vmcnt(0)\n" STORE,
          counted(32), moved_half);
}

static void a_load_is_there_after_its_wait(void **state)
{
    struct arena a = {0};
    (void)state;
    for (int waits = 0; waits < 3; waits++) {
        struct amd_trial t = counted(32);
        // Of two loads under way the first is done where one may be left.
        const char *text = arena_printf(
            &a, AMD_BUFFER_SET_UP LOAD "\tbuffer_load_b32 v3, v1, s[4:7], 0 offen offset:4\n%s\tv_mov_b32_e32 v8, v%d\n" STORE,
            waits ? "\ts_waitcnt vmcnt(1)\n" : "", waits < 2 ? 2 : 3);
        const struct isa_result r = amd_try(&a, &t, text);
        assert_int_equal(r.status, RAN_OK);
        assert_int_equal(r.early_line != 0, waits != 1);
        assert_int_equal(t.words[5] == 105, waits == 1);
        t = counted(32); // without waits at all
        t.prompt = true;
        assert_int_equal(amd_try(&a, &t, text).early_line, 0);
        assert_int_equal(t.words[5], waits < 2 ? 105 : 106);
    }
    arena_free(&a);
}

static uint32_t from_the_other_wave(uint32_t lane) { return (lane ^ 32) + 1; }

static void barriers_order_waves(void **state)
{
    (void)state; // both waves of a workgroup of 64 write to LDS, then read what the other wrote
    struct amd_trial t = counted(32);
    t.local = 64;
#define BOTH(barrier)                                                                               \
    AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v3, 2, v0\n\tv_add_nc_u32_e32 v4, 1, v0\n\tds_store_b32 v3, v4\n" \
               "\ts_waitcnt lgkmcnt(0)\n" barrier "\tv_xor_b32_e32 v5, 0x80, v3\n\tds_load_b32 v8, v5\n" \
               "\ts_waitcnt lgkmcnt(0)\n" STORE
    check(BOTH("\ts_barrier\n"), t, from_the_other_wave);
    t.gen = AMD_GFX12;
    check(BOTH("\ts_barrier_signal -1\n\ts_barrier_wait -1\n"), t, from_the_other_wave);
    struct arena a = {0};
    t.gen = AMD_GFX11;
    struct isa_result r = amd_try(&a, &t, BOTH(""));
    assert_int_equal(r.status, RAN_OK);
    assert_int_not_equal(t.words[0], from_the_other_wave(0)); // junk: nobody had written it
    r = amd_try(&a, &t, AMD_BUFFER_SET_UP "\tv_readfirstlane_b32 s8, v0\n\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 BB1\n"
                                   "\ts_barrier\n\ts_barrier\nBB1:\n\ts_endpgm\n");
    assert_int_equal(r.status, RAN_OK); // who has ended is waited for by nobody
    arena_free(&a);
}

// SCC that is not written yet may hold either value: what depends on it is seen.
static void a_flag_that_is_not_set_has_both_values(void **state)
{
    static const struct {
        const char *code;
        uint32_t others;
        uint32_t line; // of `code`, the first that reads SCC
    } flag[] = {
        {"\ts_cselect_b32 s8, 5, 3\n\tv_mov_b32_e32 v8, s8\n", 1, 1},
        {"\tv_mov_b32_e32 v8, 5\n\ts_cbranch_scc1 BB1\n\tv_mov_b32_e32 v8, 3\nBB1:\n", 1, 2},
        {"\tv_mov_b32_e32 v8, 5\n\ts_cbranch_scc0 BB1\n\tv_mov_b32_e32 v8, 3\nBB1:\n", 1, 2},
        {"\ts_mov_b32 s8, 1\n\ts_addc_u32 s8, s8, s8\n\tv_mov_b32_e32 v8, s8\n", 1, 2},
        {"\ts_cselect_b32 s8, 5, 3\n\tv_mov_b32_e32 v8, 5\n", 0, 0}, // the result is not used
        {"\ts_mov_b32 s8, 1\n\ts_cmp_eq_u32 s8, 1\n\ts_cselect_b32 s8, 5, 3\n\tv_mov_b32_e32 v8, s8\n", 0, 0},
        {"\ts_cselect_b32 s8, 5, 3\n\ts_cmp_eq_u32 s8, s8\n\ts_cselect_b32 s8, 5, 3\n\tv_mov_b32_e32 v8, s8\n", 0, 0},
    };
    struct arena a = {0};
    uint32_t before = 0;
    (void)state;
    for (const char *s = AMD_BUFFER_SET_UP; *s; s++)
        before += *s == '\n';
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) {
        struct amd_trial t = counted(32);
        const struct isa_result r = amd_try(&a, &t, arena_printf(&a, "%s%s%s", AMD_BUFFER_SET_UP, flag[i].code, STORE));
        if (r.status != RAN_OK || r.others != flag[i].others)
            fail_msg("%s: %s, %u others", flag[i].code, r.text, r.others);
        assert_int_equal(r.unset_line, r.others ? before + flag[i].line : 0);
        if (r.others)
            assert_int_not_equal(r.memory[0].words[0], r.other[0][0].words[0]);
    }
    arena_free(&a);
}

static uint32_t own_id(uint32_t lane) { return lane; }

static void junk_is_in_what_nobody_wrote(void **state)
{
    struct arena a = {0};
    struct amd_trial t = counted(32);
    (void)state;
    t.local = 20; // 12 lanes never start
    check(AMD_BUFFER_SET_UP "\tv_mov_b32_e32 v8, v0\n\tv_cmp_gt_u32_e32 vcc_lo, 20, v0\n\ts_or_saveexec_b32 s8, -1\n"
                     "\tv_mov_b32_e32 v9, v0\n\ts_mov_b32 exec_lo, s8\n" STORE "\n",
          (struct amd_trial){.gen = AMD_GFX11, .wave = 32}, own_id);
    const struct isa_result r = amd_try(&a, &t, AMD_BUFFER_SET_UP "\tv_mov_b32_e32 v8, 0\n\ts_mov_b32 exec_lo, -1\n"
                                                           "\tv_lshlrev_b32_e32 v2, 24, v0\n\tv_mov_b32_e32 v8, v9\n"
                                                           "\ts_mov_b32 exec_lo, 0xfffff\n" STORE);
    assert_int_equal(r.status, RAN_OK);
    assert_int_not_equal(t.words[0], t.words[1]);
    assert_int_equal(t.words[20], 120); // they store nothing
    // The last two registers, named only together.
    t = counted(32);
    const struct isa_result last =
        amd_try(&a, &t, AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 3, v0\n\tbuffer_store_b64 v[254:255], v1, s[4:7], 0 offen\n"
                                          "\ts_endpgm\n");
    assert_int_equal(last.status, RAN_OK);
    assert_int_not_equal(t.words[0], t.words[1]);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t l = 0; l + 1 < 32; l++)
            assert_int_not_equal(t.words[2 * l + k], t.words[2 * l + 2 + k]);
    arena_free(&a);
}

static uint32_t twice(uint32_t lane) { return 2 * lane; }

// |-x| - -x
static void signs_of_sources(void **state)
{
    (void)state;
    check(AMD_BUFFER_SET_UP "\tv_cvt_f32_u32_e32 v2, v0\n\tv_sub_f32_e64 v3, -v2, 0\n\tv_sub_f32_e64 v8, |v3|, v3\n"
                            "\tv_cvt_u32_f32_e32 v8, v8\n" STORE,
          (struct amd_trial){.gen = AMD_GFX11, .wave = 32}, twice);
}

// ---- faults in the text --------------------------------------------------------------------------------------

static const char loop[] =
    AMD_BUFFER_SET_UP "\tv_and_b32_e32 v3, 3, v0\n\tv_lshlrev_b32_e32 v4, 3, v0\n\ts_mov_b32 s8, 0\n\ts_mov_b32 s9, exec_lo\n"
               "\tbuffer_load_b32 v5, v4, s[4:7], 0 offen\n"
               "BB1:\n\tv_cmp_eq_u32_e32 vcc_lo, s8, v3\n\ts_and_saveexec_b32 s10, vcc_lo\n"
               "\tv_mov_b32_e32 v8, exec_lo\n\ts_ff1_i32_b32 s11, exec_lo\n\tv_readlane_b32 s12, v0, s11\n"
               "\tv_mov_b32_e32 v9, s12\n"
               "\ts_and_not1_b32 exec_lo, s10, exec_lo\n\ts_add_i32 s8, s8, 1\n\ts_cbranch_execnz BB1\n"
               "\ts_mov_b32 exec_lo, s9\n\tv_mov_b32_e32 v6, exec_lo\n"
               "\ts_waitcnt vmcnt(0)\n\tv_add_nc_u32_e32 v9, v9, v5\n\tv_xor_b32_e32 v9, v9, v6\n"
               "\tbuffer_store_b64 v[8:9], v4, s[4:7], 0 offen\n\ts_endpgm\n";

static void faults_in_the_text_are_seen(void **state)
{
    static const struct {
        const char *what, *from, *to;
    } faults[] = {
        {"exec is not restored", "\ts_mov_b32 exec_lo, s9\n", ""},
        {"saveexec is a move", "s_and_saveexec_b32 s10, vcc_lo", "s_mov_b32 s10, vcc_lo"},
        {"the wrong lane", "v_readlane_b32 s12, v0, s11", "v_readlane_b32 s12, v0, 5"},
        {"no wait", "\ts_waitcnt vmcnt(0)\n", ""},
        {"a wait for less", "\ts_waitcnt vmcnt(0)\n", "\ts_waitcnt vmcnt(1)\n"},
        {"lanes stay that should have left", "s_and_not1_b32 exec_lo, s10, exec_lo", "s_or_b32 exec_lo, s10, exec_lo"},
        {"the ballot is of all", "v_mov_b32_e32 v8, exec_lo", "v_mov_b32_e32 v8, s9"},
        {"the branch is the other one", "s_cbranch_execnz BB1", "s_cbranch_execz BB1"},
    };
    struct arena a = {0};
    struct amd_trial right = counted(32);
    (void)state;
    assert_int_equal(amd_try(&a, &right, loop).status, RAN_OK);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(right.words[2 * i], 0x11111111u << (i & 3));
        assert_int_equal(right.words[2 * i + 1], ((i & 3) + 100 + 2 * i) ^ 0xffffffff);
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct amd_trial t = counted(32);
        t.step_limit = 2000;
        const struct isa_result r = amd_try(&a, &t, replaced(&a, loop, faults[i].from, faults[i].to));
        if (r.status == RAN_UNSUPPORTED ||
            (r.status == RAN_OK && memcmp(t.words, right.words, sizeof t.words) == 0))
            fail_msg("not seen: %s", faults[i].what);
    }
    arena_free(&a);
}

// ---- where values come from --------------------------------------------------------------------------------

// A sum of all lanes with all of them turned on for it, kept in a lane meanwhile as a spilled register is,
// and a comparison per lane that says nothing of others.
static void words_say_where_they_come_from(void **state)
{
    struct arena a = {0};
    struct amd_trial t = counted(32);
    (void)state;
    t.origin = true;
    const struct isa_result r = amd_try(
        &a, &t,
        AMD_BUFFER_SET_UP "\tv_lshlrev_b32_e32 v1, 3, v0\n\ts_mov_b32 exec_lo, 0xff\n" // lines 4, 5
        "\tv_mov_b32_e32 v2, 1\n\ts_or_saveexec_b32 s8, -1\n"
        "\tv_add_nc_u32_dpp v2, v2, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\n" // line 8
        "\ts_mov_b32 exec_lo, s8\n\tv_readlane_b32 s9, v2, 7\n"                         // line 10
        "\tv_writelane_b32 v5, s9, 3\n\tv_cmp_gt_u32_e32 vcc_lo, 4, v0\n\tv_readlane_b32 s10, v5, 3\n"
        "\tv_mov_b32_e32 v3, s10\n\tv_cndmask_b32_e32 v4, v3, v0, vcc_lo\n"
        "\tbuffer_store_b64 v[3:4], v1, s[4:7], 0 offen\n\tbuffer_store_b32 v2, v1, s[4:7], 0 offen offset:512\n"
        "\tbuffer_store_b32 v0, v1, s[4:7], 0 offen offset:1024\n\ts_endpgm\n");
    assert_int_equal(r.status, RAN_OK);
    assert_non_null(r.origin);
    const struct {
        uint32_t word, line, store;
        uint64_t lanes;
    } want[] = {{0, 10, 16, 0xff}, {15, 10, 16, 0xff}, {128, 8, 17, 0xff}, {256, 0, 18, 0}, {16, 0, 0, 0}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct isa_origin *x = &r.origin[0][want[i].word];
        if (x->line != want[i].line || x->store != want[i].store || x->lanes != want[i].lanes)
            fail_msg("word %u: line %u, store %u, lanes 0x%llx", want[i].word, x->line, x->store,
                     (unsigned long long)x->lanes);
    }
    arena_free(&a);
}

// ---- what is no program ----------------------------------------------------------------------------------------

static void refused_by_name_and_line(void **state)
{
    static const struct {
        const char *text, *says;
        enum ran status;
    } bad[] = {
        {"", "no instruction", RAN_INVALID},
        {"\ts_nop 0\n\tv_frobnicate_b32 v0, v1\n", "unsupported: v_frobnicate_b32 at line 2", RAN_UNSUPPORTED},
        {"\tv_mov_b32_e32 v256, 0\n", "unsupported: operand 'v256' of v_mov_b32 at line 1", RAN_UNSUPPORTED},
        {"\tv_mov_b32_e32 s0, 0\n", "operand 's0'", RAN_UNSUPPORTED},
        {"\tv_mov_b32_e32 v0\n", "1 operands of v_mov_b32", RAN_UNSUPPORTED},
        {"\tv_mov_b32_e32 v0, v1, v2\n", "operands of v_mov_b32", RAN_UNSUPPORTED},
        {"\tv_lshlrev_b64 v[0:2], 0, v[1:2]\n", "operand 'v[0:2]'", RAN_UNSUPPORTED},
        {"\tv_add_nc_u32_e32 v0, v1, -v2\n", "neg or abs of v_add_nc_u32", RAN_UNSUPPORTED},
        {"\tv_add_nc_u32_e32 v0, v1, v2 frob:1\n", "modifier 'frob:1'", RAN_UNSUPPORTED},
        {"\ts_add_u32 s0, s1, v0\n", "operand 'v0'", RAN_UNSUPPORTED},
        {"\tbuffer_load_b32 v0, v1, s[4:7], 0 idxen\n", "modifier 'idxen'", RAN_UNSUPPORTED},
        {"\tbuffer_load_b32 v0, v1, s[4:7], 0\n", "kinds of operands", RAN_UNSUPPORTED},
        {"\ts_branch BB7\n", "no label 'BB7'", RAN_INVALID},
        {"(invalid instruction)\n", "unsupported: (invalid instruction)", RAN_UNSUPPORTED},
        {"\t(then repeated 3 times)\n", "a repetition of nothing", RAN_INVALID},
        {"\ts_nop 0\n", "past the last instruction", RAN_FAULT},
        {"\tv_nop\n\ts_nop 0\n", "past the last instruction", RAN_FAULT},
        {"BB0:\n\ts_branch BB0\n", "more than 2000 instructions", RAN_OVER_LIMIT},
        {"\ts_load_b32 s4, s[8:9], null\n", "a scalar load of address", RAN_FAULT},
        {"\ts_waitcnt vmcnt(x)\n", "s_waitcnt", RAN_UNSUPPORTED},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct amd_trial t = {.gen = AMD_GFX11, .step_limit = 2000};
        const struct isa_result r = amd_try(&a, &t, bad[i].text);
        if (r.status != bad[i].status || !strstr(r.text, bad[i].says))
            fail_msg("'%s': %d, %s", bad[i].text, (int)r.status, r.text);
    }
    arena_free(&a);
}

// Words of a program put together at random, and its bytes changed: whatever comes is an answer.
static void any_text_is_answered(void **state)
{
    struct rng rng = {19};
    struct arena a = {0};
    (void)state;
    for (int n = 0; n < 3000; n++) {
        char text[sizeof loop];
        memcpy(text, loop, sizeof text);
        for (uint32_t k = 0, changes = 1 + rng_below(&rng, 4); k < changes; k++) {
            const uint32_t at = rng_below(&rng, sizeof loop - 1), from = rng_below(&rng, sizeof loop - 1);
            switch (rng_below(&rng, 3)) {
            case 0:
                text[at] = (char)(1 + rng_below(&rng, 126));
                break;
            case 1:
                text[at] = loop[from];
                break;
            default:
                for (uint32_t i = 0; i < 12 && at + i < sizeof loop - 1 && from + i < sizeof loop - 1; i++)
                    text[at + i] = loop[from + i];
            }
        }
        struct amd_trial t = counted(32);
        t.step_limit = 500;
        t.gen = n % 2 ? AMD_GFX11 : AMD_GFX12;
        const struct isa_result r = amd_try(&a, &t, text);
        assert_true(r.status == RAN_OK || r.text[0]);
        assert_null(strchr(r.text, '\n'));
        arena_reset(&a);
    }
    arena_free(&a);
}

// LLVM's code before gfx11 reaches scratch through a descriptor that a kernel gets: a scalar offset counts the bytes of
// all lanes, others those of one. A wave's own part lies where the descriptor and its offset say.
static void scratch_behind_a_descriptor(void **state)
{
    static const char text[] =
        "\t.text\nmain:\n"
        "\ts_movk_i32 s32, 0x400\n" // 32 bytes a lane
        "\ts_add_u32 s0, s0, s4\n\ts_addc_u32 s1, s1, 0\n"
        "\ts_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s4\n"
        "\tv_mov_b32_e32 v4, 9\n\tv_lshlrev_b32_e32 v3, 2, v0\n"
        "\tbuffer_store_dword v0, off, s[0:3], s32 offset:4\n" // at 36
        "\tbuffer_store_dword v4, off, s[0:3], 0 offset:40\n"
        "\tv_mov_b32_e32 v5, 36\n"
        "\tbuffer_load_dword v2, v5, s[0:3], 0 offen\n"
        "\tbuffer_load_dword v6, v5, s[0:3], 0 offen offset:4\n"
        "\ts_getpc_b64 s[6:7]\n\ts_add_u32 s6, s6, b@gotpcrel32@lo+4\n\ts_addc_u32 s7, s7, b@gotpcrel32@hi+12\n"
        "\ts_load_dwordx2 s[6:7], s[6:7], 0x0\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "\tv_lshl_add_u32 v2, v6, 8, v2\n\tglobal_store_dword v3, v2, s[6:7]\n\ts_endpgm\n"
        "\t.section\t.rodata,\"a\",@progbits\n\t.amdhsa_kernel main\n"
        "\t\t.amdhsa_user_sgpr_count 4\n\t\t.amdhsa_user_sgpr_private_segment_buffer 1\n"
        "\t\t.amdhsa_system_sgpr_private_segment_wavefront_offset 1\n\t.end_amdhsa_kernel\n";
    static const struct amd_global global = {"b", 0, 0};
    static const struct {
        enum amd_gen gen;
        uint32_t wave;
    } rows[] = {{AMD_GFX10, 32}, {AMD_GFX10_3, 32}, {AMD_GFX9, 64}};
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[64] = {0};
        const struct spv_case c = isa_trial_case(&a, 64, 1, words, 64); // two waves, or one
        char *sized = arena_str(&a, text);
        if (rows[i].wave == 64)
            strstr(sized, "0x400")[2] = '8'; // 32 bytes a lane
        const struct amd_source s = {.assembly = sized, .llvm = true, .global = &global, .globals = 1};
        struct isa_result r;
        isa_trial_run(&a, amd_read(&a, &s, rows[i].gen, rows[i].wave, &r), &c, (struct isa_options){0}, &r);
        if (r.status != RAN_OK)
            fail_msg("%s", r.text);
        for (uint32_t l = 0; l < 64; l++)
            assert_int_equal(words[l], 9 << 8 | l);
    }
    struct isa_result r;
    const struct amd_source s = {.assembly = text, .llvm = true, .global = &global, .globals = 1};
    assert_null(amd_read(&a, &s, AMD_GFX9, 32, &r)); // gfx9 has waves of 64 lanes alone
    assert_int_equal(r.status, RAN_INVALID);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_behind_a_descriptor),
        cmocka_unit_test(lanes_read_lanes),
        cmocka_unit_test(lanes_that_are_off_are_not_read),
        cmocka_unit_test(halves_of_a_wave_of_64),
        cmocka_unit_test(exec_is_what_the_text_makes_of_it),
        cmocka_unit_test(a_flag_that_is_not_set_has_both_values),
        cmocka_unit_test(a_pair_reads_before_it_writes),
        cmocka_unit_test(parts_of_registers),
        cmocka_unit_test(literals_have_32_bits),
        cmocka_unit_test(what_llvm_does_not_disassemble),
        cmocka_unit_test(halves_from_memory),
        cmocka_unit_test(a_load_is_there_after_its_wait),
        cmocka_unit_test(barriers_order_waves),
        cmocka_unit_test(junk_is_in_what_nobody_wrote),
        cmocka_unit_test(signs_of_sources),
        cmocka_unit_test(faults_in_the_text_are_seen),
        cmocka_unit_test(words_say_where_they_come_from),
        cmocka_unit_test(refused_by_name_and_line),
        cmocka_unit_test(any_text_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
