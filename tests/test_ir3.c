// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs Qualcomm's code. Small programs whose answers were worked out by hand;
// faults planted in the text; text that is no program.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_ir3_common.h"

static void check(const char *text, struct ir3_trial t, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    const struct isa_result r = ir3_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < (t.local ? t.local : t.size ? t.size : 64); i++)
        if (t.words[i] != want(i))
            fail_msg("invocation %u: %u (0x%x), not %u (0x%x), in\n%s", i, t.words[i], t.words[i],
                     want(i), want(i), text);
    arena_free(&a);
}

static void check_refused(const char *text, enum ran status, const char *why)
{
    struct arena a = {0};
    struct ir3_trial t = {0};
    const struct isa_result r = ir3_try(&a, &t, text);
    if (r.status != status || !strstr(r.text, why))
        fail_msg("%d %s, not %d %s", (int)r.status, r.text, (int)status, why);
    arena_free(&a);
}

static struct ir3_trial counted(uint32_t size, uint32_t local)
{
    struct ir3_trial t = {.size = size, .local = local};
    for (uint32_t i = 0; i < IR3_WORDS; i++)
        t.words[i] = 100 + i;
    return t;
}

#define LOAD "ldib.b.untyped.1d.u32.1.imm.base0 r2.x, r0.x, 0\n"

// ---- lanes
// ------------------------------------------------------------------------------------------------

static uint32_t everybody(uint32_t i)
{
    return 0xffffffff + 0 * i;
}
static uint32_t forty_high(uint32_t i)
{
    return 0xff + 0 * i;
}
static uint32_t crossed(uint32_t i)
{
    return 100 + (i ^ 5);
}
static uint32_t three_on(uint32_t i)
{
    return 100 + (i + 3) % 64;
}
static uint32_t three_back(uint32_t i)
{
    return 100 + (i + 61) % 64;
}
static uint32_t kept_above(uint32_t i)
{
    return i < 37 ? 103 + i : 7;
}
static uint32_t fourth(uint32_t i)
{
    return i % 8 < 4 ? 7 : 100 + i / 8 * 8 + 3;
}
static uint32_t second(uint32_t i)
{
    return i < 2 ? 100 + i : i % 8 < 4 ? 7 : 101 + i / 8 * 8 + (i < 8 ? 0 : 2);
}
static uint32_t vertical(uint32_t i)
{
    return 100 + (i ^ 2);
}
static uint32_t diagonal(uint32_t i)
{
    return 100 + (i ^ 3);
}
static uint32_t horizontal(uint32_t i)
{
    return 100 + (i ^ 1);
}
static uint32_t of_quad(uint32_t i)
{
    return 100 + (i & ~3u) + 1;
}
static uint32_t lane_nine(uint32_t i)
{
    return 109 + 0 * i;
}
static uint32_t nine_below_five(uint32_t i)
{
    return i < 5 ? 109 : 7;
}
static uint32_t own(uint32_t i)
{
    return i;
}

static uint32_t half_of_three(uint32_t i)
{
    return 0x4200 + 0 * i;
}

static void lanes_read_lanes(void **state)
{
    (void)state;
    check("movmsk.w64 r48.z\n(ss)mov.u32u32 r1.x, r48.w\n" IR3_END, counted(64, 64), everybody);
    check("movmsk.w64 r48.z\n(ss)mov.u32u32 r1.x, r48.w\n" IR3_END, counted(64, 40), forty_high);
    check(LOAD "shfl.xor.u32 r1.x, r2.x, 5\n" IR3_END, counted(64, 64), crossed);
    check(LOAD "shfl.rdown.u32 r1.x, r2.x, 3\n" IR3_END, counted(64, 64), three_on);
    check(LOAD "shfl.rup.u32 r1.x, r2.x, 3\n" IR3_END, counted(64, 64), three_back);
    check(LOAD "mov.u32u32 r1.x, 7\nshfl.down.u32 r1.x, r2.x, 3\n" IR3_END, counted(64, 40),
          kept_above);
    check(LOAD "mov.u32u32 r1.x, 7\nbrcst.active.w8 (u32)(x)r1.x, r2.x\n" IR3_END, counted(64, 64),
          fourth);
    // Lanes 2 and 3 do not run.
    check(LOAD "mov.u32u32 r1.x, 7\nshr.b r3.x, r0.x, 1\ncmps.s.eq p0.x, r3.x, 1\nbr p0.x, #l1\n"
               "brcst.active.w8 (u32)(x)r1.x, r2.x\ncmps.u.lt p0.x, r0.x, 2\nbr !p0.x, "
               "#l1\nmov.u32u32 r1.x, r2.x\nl1:\n(jp)nop\n" IR3_END,
          counted(64, 64), second);
    check(LOAD "quad_shuffle.diag (u32)(x)r1.x, r2.x\n" IR3_END, counted(64, 64), diagonal);
    check(LOAD "quad_shuffle.horiz (u32)(x)r1.x, r2.x\n" IR3_END, counted(64, 64), horizontal);
    check(LOAD "quad_shuffle.vert (u32)(x)r1.x, r2.x\n" IR3_END, counted(64, 64), vertical);
    check(LOAD "mov.u32u32 r3.x, 1\nquad_shuffle.brcst (u32)(x)r1.x, r2.x, r3.x\n" IR3_END,
          counted(64, 64), of_quad);
    check(LOAD "movs.u32u32 r49.x, r2.x, 9\nmov.u32u32 r1.x, r49.x\n" IR3_END, counted(64, 64),
          lane_nine);
    check("mov.u32u32 r2.x, 0x3fc00000\nadd.f hr9.x, r2.x, r2.x\ncov.u16u32 r1.x, hr9.x\n" IR3_END, counted(64, 64), half_of_three);
    check("getfiberid.u32 r1.x\n" IR3_END, counted(128, 128), own);
    // A lane that does not run is read all the same.
    check(LOAD "mov.u32u32 r1.x, 7\ncmps.u.lt p0.x, r0.x, 5\nbr !p0.x, #l1\nmovs.u32u32 r49.x, r2.x, 9\nmov.u32u32 r1.x, r49.x\n"
               "l1:\n(jp)nop\n" IR3_END,
          counted(64, 64), nine_below_five);
}

// ---- who is together
// ----------------------------------------------------------------------------------------

#define COUNT(to) "movmsk.w32 r50.x\ncbits.b r50.x, r50.x\nmov.u32u32 " to ", r50.x\n"
static uint32_t split(uint32_t i)
{
    return i < 10 ? 10 : 22;
}
static uint32_t all_again(uint32_t i)
{
    return 32 + 0 * i;
}
static uint32_t by_turn(uint32_t i)
{
    return i % 4 < 3 ? 8 : 8;
}
static uint32_t left(uint32_t i)
{
    return 32 - 8 * (i % 4);
}
static uint32_t once(uint32_t i)
{
    return i == 0;
}
static uint32_t sum(uint32_t i)
{
    return i * (i + 1) / 2;
}
static uint32_t seven_up(uint32_t i)
{
    return i % 8 == 7 && i < 8 ? 1 : i >= 8 ? 1 : 0;
}
static uint32_t even_odd(uint32_t i)
{
    return i & 1 ? 5 : 4;
}

#define TWO_ARMS                                                                                   \
    "cmps.u.lt p0.x, r0.x, 10\nbr !p0.x, #l5\n" COUNT("r1.x") "jump #l6\nl5:\n(jp)nop\n" COUNT(    \
        "r1.x") "l6:\n"
// Two branches park lanes at one jump, which bears no mark: they jump together.
#define TWO_TO_A_JUMP                                                                              \
    "and.b r3.x, r0.x, 3\ncmps.s.eq p0.x, r3.x, 1\nbr p0.x, #l1\ncmps.s.eq p0.x, r3.x, 2\n"          \
    "br p0.x, #l1\n" COUNT("r1.x") "jump #l2\nl1:\njump #l3\nl3:\n" COUNT("r1.x") "l2:\n(jp)nop\n"
static uint32_t sixteen(uint32_t i)
{
    return 16 + 0 * i;
}

static void branches_split_and_marks_join(void **state)
{
    (void)state;
    check(TWO_ARMS "(jp)nop\n" IR3_END, counted(32, 32), split);
    check(TWO_TO_A_JUMP IR3_END, counted(32, 32), sixteen);
    check(TWO_ARMS "(jp)nop\n" COUNT("r1.x") IR3_END, counted(32, 32), all_again);
    // A loop that lanes leave in turns: who leaves waits below, those that stay count less and
    // less.
    check("and.b r3.x, r0.x, 3\nmov.u32u32 r48.y, 0\nl1:\nmov.u32u32 r4.x, r48.y\n" COUNT(
              "r1.x") "cmps.s.eq p0.x, r4.x, r3.x\nbr p0.x, #l2\nadd.u r48.y, r48.y, 1\njump "
                      "#l1\nl2:\n(jp)nop\n" IR3_END,
          counted(32, 32), left);
    check("and.b r3.x, r0.x, 3\nmov.u32u32 r48.y, 0\nl1:\ncmps.s.eq p0.x, r3.x, r48.y\nbr !p0.x, "
          "#l2\n" COUNT(
              "r1.x") "jump #l3\nl2:\n(jp)add.u r48.y, r48.y, 1\njump #l1\nl3:\n(jp)nop\n" IR3_END,
          counted(32, 32), by_turn);
    check("mov.u32u32 r1.x, 0\ngetone #l1\nmov.u32u32 r1.x, 1\nl1:\n(jp)nop\n" IR3_END,
          counted(32, 32), once);
    check("mov.u32u32 r1.x, 0\ngetlast.w8 #l1\nmov.u32u32 r1.x, 1\nl1:\n(jp)nop\n" IR3_END,
          counted(32, 32), seven_up);
    // An inclusive sum, lane after lane.
    check("mov.u32u32 r48.y, 0\nl1:\n(jp)getone #l2\nmov.u32u32 r1.x, r48.y\nadd.u r1.x, r1.x, "
          "r0.x\nmov.u32u32 r48.y, r1.x\njump #l3\n"
          "l2:\n(jp)jump #l1\nl3:\n(jp)nop\n" IR3_END,
          counted(32, 32), sum);
    check("and.b r3.x, r0.x, 1\ncmps.s.eq p0.x, r3.x, 0\npredt\nmov.u32u32 r1.x, "
          "4\npredf\nmov.u32u32 r1.x, 5\nprede\n" IR3_END,
          counted(32, 32), even_odd);
}

// ---- values
// ---------------------------------------------------------------------------------------------------

static uint32_t halves(uint32_t i)
{
    return (i & 0xffff) << 16 | (0x1234 + 0 * i);
}
static uint32_t two_steps(uint32_t i)
{
    return (i + 1) * 1000 + i + 11;
}
static uint32_t constant(uint32_t i)
{
    return 0xaaab + 44 + 0 * i;
}
static uint32_t from_preamble(uint32_t i)
{
    return 63 + i;
}
static uint32_t swapped(uint32_t i)
{
    return 3 * i - i;
}
static uint32_t signed_byte(uint32_t i)
{
    return i < 28 ? 100 + i : 100 + i - 256;
}
static uint32_t added(uint32_t i)
{
    return 101 + i;
}
static uint32_t shared_sum(uint32_t i)
{
    return 2016 + 0 * i;
}
static uint32_t other_wave(uint32_t i)
{
    return (i + 64) % 128;
}

static uint32_t plain(uint32_t i)
{
    return 100 + i;
}
static uint32_t four_times(uint32_t i)
{
    return 4 * i;
}

static void values_and_memory(void **state)
{
    (void)state;
    check("mov.u32u32 r1.x, 0x1234\ncov.u32u16 hr2.y, r0.x\n" IR3_END, counted(64, 64), halves);
    check("add.u r3.x, r0.x, 1\nadd.u r3.y, r0.x, 11\n(rpt1)mov.u32u32 r4.x, (r)r3.x\nmull.u r1.x, "
          "r4.x, 1000\n"
          "add.u r1.x, r1.x, r4.y\n" IR3_END,
          counted(64, 64), two_steps);
    check("@const(c8.x)\t0x00000003, 0x0000aaab, 0x0000002c, 0xd0d0d0d0\nmov.u32u32 r1.x, "
          "c8.y\nadd.u r1.x, r1.x, c8.z\n" IR3_END,
          counted(64, 64), constant);
    check(";   driver_params              c0.x (4 vec4)\nshps #l1\ngetone #l1\nadd.u r48.w, c1.w, "
          "-1\nstc.u32 c[16], r48.w, 1\nshpe\n"
          "l1:\n(jp)add.u r1.x, r0.x, c4.x\n" IR3_END,
          counted(64, 64), from_preamble);
    check("mull.u r3.x, r0.x, 3\nmov.u32u32 r3.y, r0.x\nswz.u32u32 r3.x, r3.y, r3.y, r3.x\nsub.u "
          "r1.x, r3.y, r3.x\n" IR3_END,
          counted(64, 64), swapped);
    check(LOAD "cov.u32u8 hr6.x, r2.x\ncov.u8s32 r1.x, hr6.x\n" IR3_END, counted(64, 64),
          signed_byte);
    check("mov.u32u32 r3.y, 1\natomic.b.add.untyped.1d.u32.1.imm.base0 r3.x, r0.x, "
          "0\nldib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 0\n" IR3_END,
          counted(64, 64), added);
    check("mov.u32u32 r3.x, 0\nmov.u32u32 r4.x, 0\nstl.u32 l[r3.x+8], r4.x, "
          "1\natomic.add.untyped.1d.u32.1.l r3.y, l[r3.x+8], r0.x\n"
          "bar.g\nldl.u32 r1.x, l[r3.x+8], 1\n" IR3_END,
          counted(64, 64), shared_sum);
    check("shl.b r3.x, r0.x, 2\nstl.u32 l[r3.x], r0.x, 1\nfence.g.l.r.w\nbar.g\nadd.u r3.y, r0.x, "
          "64\nand.b r3.y, r3.y, 127\n"
          "shl.b r3.y, r3.y, 2\nldl.u32 r1.x, l[r3.y], 1\n" IR3_END,
          counted(64, 128), other_wave);
    check(LOAD "absneg.s r1.x, (neg)r2.x\nabsneg.s r1.x, (neg)r1.x\n" IR3_END, counted(64, 64),
          plain);
    check(
        "mov.u32u32 r3.x, 0x40400000\ncov.u32f32 r3.y, r0.x\nmad.f32 r3.z, r3.x, r3.y, r3.y\n" // 3
                                                                                               // i
                                                                                               // +
                                                                                               // i
        "cov.f32u32 r1.x, r3.z\n" IR3_END,
        counted(64, 64), four_times);
    check("alias.tex.b32.0 r40.x, (0x9)\nisam.v.base0 (u32)(x)r1.x, r40.x, s#0, t#0\n" IR3_END,
          counted(64, 64), lane_nine);
}

// ---- refusals
// ---------------------------------------------------------------------------------------------------

static void what_is_not_known_is_refused_by_name(void **state)
{
    (void)state;
    check_refused("foo r1.x, r0.x\n" IR3_END, RAN_UNSUPPORTED, "the operation 'foo' at line 1");
    check_refused("nopx\n" IR3_END, RAN_UNSUPPORTED, "the operation 'nopx'");
    check_refused("add.u.w8 r1.x, r0.x, 1\n" IR3_END, RAN_UNSUPPORTED, "the operation 'add.u.w8'");
    check_refused("nop\nadd.u r1.x, r0.x\n" IR3_END, RAN_UNSUPPORTED,
                  "the number of operands of 'add.u' at line 2");
    check_refused("add.u r1.x, r0.x, q7\n" IR3_END, RAN_UNSUPPORTED, "the operand 'q7' at line 1");
    check_refused("(zz)add.u r1.x, r0.x, 1\n" IR3_END, RAN_UNSUPPORTED, "the mark 'zz'");
    check_refused("add.u r48.x, r0.x, 1\n" IR3_END, RAN_UNSUPPORTED,
                  "a wave-wide result of per-lane sources");
    check_refused("add.u r1.x, r0.x, hr3.x\n" IR3_END, RAN_UNSUPPORTED,
                  "both half and full registers");
    check_refused("br p0.x, #l9\n" IR3_END, RAN_UNSUPPORTED, "the undefined label l9");
    check_refused("add.u r1.x, r0.x, c9.x\n" IR3_END, RAN_UNSUPPORTED,
                  "the undefined constant c9.x");
    check_refused("stib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 4\n" IR3_END, RAN_UNSUPPORTED,
                  "descriptor 4 of set 0");
    check_refused("(rpt2)ldl.u32 r1.x, l[r0.x], 1\n" IR3_END, RAN_UNSUPPORTED, "repetitions");
    check_refused("mov.u32u32 r47.w, 0\n(rpt1)mov.u32u32 r47.w, 1\n" IR3_END, RAN_UNSUPPORTED,
                  "registers that do not exist");
    check_refused("ldl.u32 r1.x, l[r0.x+40000], 1\n" IR3_END, RAN_FAULT,
                  "of byte 40000 of shared memory");
    check_refused("mov.u32u32 r3.x, 0x3f800001\nmad.f32 r1.x, r3.x, r3.x, r3.x\n" IR3_END,
                  RAN_UNSUPPORTED, "mad.f32 with an inexact product or sum");
    check_refused("l1:\njump #l1\n" IR3_END, RAN_OVER_LIMIT, "instructions at line 2");
    check_refused("predt\nbr p0.x, #l1\nl1:\nprede\n" IR3_END, RAN_UNSUPPORTED,
                  "br between predt and prede");
    check_refused("jump #l2\nend\nl2:\nnop\n", RAN_FAULT, "past the last instruction");
    check_refused("nop\n", RAN_UNSUPPORTED, "no end");
    check_refused("jump #1048\n" IR3_END, RAN_UNSUPPORTED,
                  "the printed code ends before the target '#1048'");
    check_refused("getfiberid.u32 r0.x\ncmps.u.lt p0.x, r0.x, 9\njump #l2\nl1:\n(jp)end\nl2:\nbr p0.x, #l1\n",
                  RAN_FAULT, "a jump out of the program");
    check_refused("movs.u32u32 r49.x, r2.x, 70\n" IR3_END, RAN_UNSUPPORTED, "movs from lane 70");
    check_refused("shpe\n" IR3_END, RAN_FAULT, "shpe outside of the preamble at line 1");
    check_refused("", RAN_INVALID, "no instruction");
    // Lanes wait at l1, others run past them: nothing says that they join.
    check_refused("cmps.u.lt p0.x, r0.x, 9\nbr p0.x, #l1\nnop\nl1:\nnop\n" IR3_END, RAN_UNSUPPORTED,
                  "lanes wait at an instruction without (jp) at line 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_read_lanes),
        cmocka_unit_test(branches_split_and_marks_join),
        cmocka_unit_test(values_and_memory),
        cmocka_unit_test(what_is_not_known_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
