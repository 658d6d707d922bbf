// SPDX-License-Identifier: Apache-2.0
//
// Kernels of CUDA in the machine of backends/isa/nak: small programs in SASS and PTX, written for
// this test, whose answers were worked out by hand; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "test_cuda.h"

static const struct cuda_trial sass = {0}, ptx = {.ptx = true};

static void check(const char *body, uint32_t (*want)(uint32_t))
{
    LEAVES(&sass, body, want(i));
}

static uint32_t three_more(uint32_t i) { return i + 3; }
static uint32_t four_times(uint32_t i) { return 4 * i; }
static uint32_t is_low(uint32_t i) { return i < 7; }
static uint32_t negative(uint32_t i) { return 0 - i; }
static uint32_t low_bits(uint32_t i) { return i & 3; }
static uint32_t third(uint32_t i) { return i / 3; }
static uint32_t high_word(uint32_t i) { return i >> 1; }
static uint32_t constant(uint32_t i) { return 0x3c000001 + 0 * i; }
static uint32_t all(uint32_t i) { return UINT32_MAX + 0 * i; }
static uint32_t by_parity(uint32_t i) { return i & 1 ? 0xaaaaaaaa : 0x55555555; }
static uint32_t by_fours(uint32_t i) { return 0x11111111u << (i & 3); }
static uint32_t zero_and(uint32_t i) { return 0 * i; }

static void values(void **state)
{
    (void)state;
    check(I "VIADD R4, R0, 0x3" N, three_more);
    check(I "MOV R5, 0x2" N I "IADD3 R4, R0, 0x5, -R5" N, three_more);
    check(I "SHF.L.U32 R4, R0, 0x2, RZ" N, four_times);
    check(I "IMAD.SHL.U32 R4, R0, 0x4, RZ" N, four_times);
    check(I "LEA R4, R0, RZ, 0x2" N, four_times);
    check(I "LEA.HI R4, R0, RZ, RZ, 0x1f" N, high_word);
    check(I "ISETP.LT.U32.AND P0, PT, R0, 0x7, PT" N I "SEL R4, RZ, 0x1, !P0" N, is_low);
    check(I "IMAD.MOV R4, RZ, RZ, -R0" N, negative);
    check(I "LOP3.LUT P1, R4, R0, 0x3, RZ, 0xc0, !PT" N, low_bits);
    check(I "MOV R5, 0xaaaaaaab" N I "IMAD.HI.U32 R4, R0, R5, RZ" N
          I "SHF.R.U32.HI R4, RZ, 0x1, R4" N, third);
    check(I "HFMA2.MMA R4, -RZ, RZ, 1, 5.9604644775390625e-08" N, constant);
    check(I "REDUX UR6, R0" N I "IMAD.U32 R4, RZ, RZ, UR6" N, zero_and);
}

// The lanes of each mask meet; lanes of other masks do not take part.
static void masks(void **state)
{
    (void)state;
    check(I "MOV R6, 0xffffffff" N I "WARPSYNC.EXCLUSIVE R6" N I "VOTE.ANY R4, PT, PT" N, all);
    check(I "LOP3.LUT R5, R0, 0x1, RZ, 0xc0, !PT" N I "ISETP.NE.U32.AND P0, PT, R5, RZ, PT" N
          I "SEL R6, 0xaaaaaaaa, 0x55555555, P0" N I "BSSY B1, `(.L_2)" N
          I "WARPSYNC.COLLECTIVE R6, `(.L_1)" N I "VOTE.ANY R4, PT, PT" N I "ENDCOLLECTIVE" N
          ".L_1:\n" I "BSYNC B1" N ".L_2:\n", by_parity);
    // The fast path of BRA.DIV is for one mask only: here are four, and together all lanes.
    check(I "LOP3.LUT R5, R0, 0x3, RZ, 0xc0, !PT" N I "MOV R6, 0x11111111" N
          I "SHF.L.U32 R6, R6, R5, RZ" N I "R2UR P0, URZ, R6" N I "REDUX.OR UR6, R6" N
          I "@!P0 BRA.DIV UR6, `(.L_1)" N I "VOTE.ANY R4, PT, PT" N ".L_3:\n" I "BRA `(.L_4)" N
          ".L_1:\n" I "WARPSYNC.COLLECTIVE R6, `(.L_2)" N I "VOTE.ANY R4, PT, PT" N
          I "ENDCOLLECTIVE" N ".L_2:\n" I "BRA `(.L_3)" N ".L_4:\n", by_fours);
    // Odd lanes arrive separately, with the same mask: only the slow path waits for them.
    check(I "LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT" N I "@P1 BRA `(.L_5)" N ".L_5:\n"
          I "MOV R6, 0xffffffff" N I "R2UR P0, URZ, R6" N I "REDUX.OR UR6, R6" N
          I "@!P0 BRA.DIV UR6, `(.L_1)" N I "VOTE.ANY R4, PT, PT" N ".L_3:\n" I "BRA `(.L_4)" N
          ".L_1:\n" I "WARPSYNC.COLLECTIVE R6, `(.L_2)" N I "VOTE.ANY R4, PT, PT" N
          I "ENDCOLLECTIVE" N ".L_2:\n" I "BRA `(.L_3)" N ".L_4:\n", all);
}

// An address before the buffer's start, and a negative offset back to it.
static void addresses(void **state)
{
    (void)state;
    check(I "IADD3 R2, P1, R2, 0x40, RZ" N I "IADD3.X R3, R3, RZ, RZ, P1, !PT" N
          I "MOV R4, 0x7" N I "STG.E desc[UR4][R2.64+-0x40], R4" N
          I "LDG.E R4, desc[UR4][R2.64+-0x40]" N I "IADD3 R2, P1, R2, -0x40, RZ" N
          I "IADD3.X R3, R3, -0x1, RZ, P1, !PT" N I "IADD3 R4, R0, R4, -0x4" N, three_more);
}

static void refused(const char *body, const char *why)
{
    cuda_refuses(&sass, body, why);
}

static void what_is_not_understood(void **state)
{
    (void)state;
    refused(I "YIELD.NOW" N, "unsupported: the operation 'YIELD.NOW' at line 6");
    refused(I "IADD3.FOO R4, R0, R0, RZ" N, "the operation 'IADD3.FOO");
    refused(I "VIADD R4, R0" N, "the operands of 'VIADD R4, R0'");
    refused(I "BRA `(.L_9)" N, "the undefined label '.L_9'");
    refused(I "LDC R4, c[0x3][0x10]" N, "the constant c[0x3][0x10]");
    refused(I "BSSY B0, `(.L_1)" N I "NOP" N ".L_1:\n" I "BSYNC B0" N,
            "BSSY of a place that does not follow its BSYNC");
    refused(I "MOV R6, 0xf" N I "WARPSYNC R6" N, "lane 4 waits for the lanes 0xf, without itself");
    refused(I "BPT.TRAP 0x1" N, "a lane comes to a trap");
}

// A vote waits for its mask, in whatever order lanes come; a lane outside of its mask is a fault.
static void ptx_waits(void **state)
{
    static const char text[] =
        ".visible .entry tf_main(\n  .param .u64 buffer0)\n{\n  .reg .pred %true, %odd;\n"
        "  .reg .b32 %m, %x, %r;\n  .reg .b64 %d, %w;\n  setp.eq.u32 %true, 0, 0;\n"
        "  mov.u32 %x, %tid.x;\n  ld.param.u64 %d, [buffer0];\n  mul.wide.u32 %w, %x, 4;\n"
        "  add.s64 %d, %d, %w;\n  and.b32 %r, %x, 1;\n  setp.ne.u32 %odd, %r, 0;\n"
        "  vote.sync.ballot.b32 %m, %odd, 4294967295;\n  @%odd bra $odd;\n"
        "  not.b32 %m, %m;\n$odd:\n  vote.sync.ballot.b32 %r, %true, %m;\n"
        "  st.global.u32 [%d], %r;\n  exit;\n}\n";
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    (void)state;
    const struct isa_result r = cuda_try(&a, &ptx, text, words);
    assert_string_equal(r.text, "");
    assert_int_equal(r.others, 0);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words[i], by_parity(i));
    // Without the inversion, even lanes are not in their own mask.
    char *wrong = arena_printf(&a, "%s", text);
    memcpy(strstr(wrong, "not.b32 %m"), "mov", 3);
    assert_non_null(strstr(cuda_try(&a, &ptx, wrong, words).text, "without itself"));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(masks),
        cmocka_unit_test(addresses),
        cmocka_unit_test(what_is_not_understood),
        cmocka_unit_test(ptx_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
