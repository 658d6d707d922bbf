// SPDX-License-Identifier: Apache-2.0
//
// isa: NAK's code before register allocation: values, vectors, phis, copies that happen at once,
// barriers in registers. Answers worked out by hand.
#include "test_nak_common.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

// %r0 is the invocation, {%r3 %r4} the address of its word.
#define BEGIN "block.u 0 L99 [] -> {\n%r0 = s2r sr[0x21]\n%r1 = shf.l.w.i32 %r0 rZ 0x2\n" \
              "%ur5 = copy c[0x1][0x0]\n%ur6 = copy c[0x1][0x4]\n%r3 %p2 = iadd3 %r1 %ur5 rZ\n" \
              "%r4 = iadd3.x rZ %ur6 rZ %p2 pF\n"
#define STORE(value) "st.global.a64.strong.gpu.b32 [{%r3 %r4}+rZ] " value "\nexit\n} -> []\n"

static void check(const char *text, uint32_t (*want)(uint32_t))
{
    struct arena a = {0};
    struct nak_trial t = {0};
    const struct isa_result r = nak_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s: %s", text, r.text);
    assert_int_equal(r.others, 0);
    for (uint32_t i = 0; i < 32; i++)
        if (t.words[i] != want(i))
            fail_msg("%s: invocation %u has 0x%x, not 0x%x", text, i, t.words[i], want(i));
    arena_free(&a);
}

static uint32_t seven(uint32_t i) { return 7 + 0 * i; }
static uint32_t twice_and_one(uint32_t i) { return 2 * i + 1; }
static uint32_t crossed(uint32_t i) { return 10 * (i + 1) + i; }
static uint32_t triangle(uint32_t i) { return i * (i + 1) / 2; }
static uint32_t is_odd(uint32_t i) { return i & 1; }

static void values_have_numbers_of_their_own(void **state)
{
    (void)state;
    // A number of each file, and the same number in another file.
    check(BEGIN "%r900000 = copy 0x7\n" STORE("%r900000"), seven);
    check(BEGIN "%r7 = iadd3 %r0 %r0 0x1\n%ur7 = copy 0x5\n" STORE("%r7"), twice_and_one);
    // A pair whose values are neither adjacent nor in order.
    check(BEGIN "%r20 = copy %r4\n%r10 = copy %r3\n%r7 = copy 0x7\nst.global.a64.strong.gpu.b32 [{%r10 %r20}] %r7\nexit\n} -> []\n", seven);
    // Both terms of an address are pairs of lanes.
    check(BEGIN "%r10 = copy rZ\n%r11 = copy 0x7\nst.global.a64.strong.gpu.b32 [{%r3 %r4}+{%r10 %r10}] %r11\nexit\n} -> []\n", seven);
    check(BEGIN "{%r10 %r11} = imad64 %r0 0x2 rZ\n%r12 = iadd3 %r10 0x1 %r11\n" STORE("%r12"), twice_and_one);
    check(BEGIN "%r10 = undef %r10\n%r11 = lop3.LUT[0xc0] %r10 rZ rZ\n%r12 = iadd3 %r11 0x7 rZ\n" STORE("%r12"), seven);
}

static void a_predicate_becomes_uniform(void **state)
{
    (void)state;
    check(BEGIN "%p9 = isetp.lt.u32 %r0 0x20\n%up10 = r2ur %p9\n%r12 = sel %up10 0x7 rZ\n" STORE("%r12"), seven);
    check(BEGIN "%p9 = isetp.ge.u32 %r0 0x20\n%up10 = r2ur %p9\n%r12 = sel %up10 rZ 0x7\n" STORE("%r12"), seven);
}

static void copies_happen_at_once(void **state)
{
    (void)state;
    check(BEGIN "%r10 = iadd3 %r0 0x1 rZ\n%r11 = copy %r0\npar_copy %r10 = %r11, %r11 = %r10\n"
                "%r12 = imad %r11 0xa %r10\n" STORE("%r12"), crossed);
    check(BEGIN "%r10 = iadd3 %r0 0x1 rZ\n%r11 = copy %r0\n%r10 %r11 = swap %r11 %r10\n"
                "%r12 = imad %r11 0xa %r10\n" STORE("%r12"), crossed);
    check(BEGIN "%r9 = lop3.LUT[0xc0] %r0 0x1 rZ\n%p10 = isetp.eq.i32 %r9 rZ\n%p11 = isetp.ne.i32 %r9 rZ\n"
                "%p10 %p11 = swap %p11 %p10\n%r12 = sel %p10 0x1 rZ\n" STORE("%r12"), is_odd);
}

// The sum of 1 to i, by a loop of i rounds: each lane leaves in a round of its own.
static const char loop[] = BEGIN
    "%b50 = bclear\n%b51 = bssy %b50 pT L4\n%r52 = bmov.32 %b51\n%r7 = copy rZ\n"
    "phi_src \xcf\x86" "0 = %r7, \xcf\x86" "1 = rZ\nbra pT L1\n} -> [1]\n"
    "block 1 L1 [0, 2] -> {\nphi_dst %r8 = \xcf\x86" "0, %r9 = \xcf\x86" "1\n%p10 = isetp.ge.u32 %r8 %r0\n@%p10 bra pT L3\n} -> [2, 3]\n"
    "block 2 L2 [1] -> {\n%r11 = iadd3 %r8 0x1 rZ\n%r12 = iadd3 %r9 %r11 rZ\n"
    "phi_src \xcf\x86" "0 = %r11, \xcf\x86" "1 = %r12\nbra pT L1\n} -> [1]\n"
    "block 3 L3 [1] -> {\n%b53 = bmov.32 %r52\nbsync %b53 pT\nnop L4\n%r60 = vote.any pT\n"
    "%p61 = isetp.eq.i32 %r60 0xffffffff\n%r62 = sel %p61 %r9 rZ\n" STORE("%r62");

static void phis_carry_values_round_a_loop(void **state)
{
    (void)state;
    check(loop, triangle);
}

// Mesa 25.0 leaves out the "%" of a guard's value, and the predicate of loads and branches.
static void the_forms_of_mesa_25(void **state)
{
    (void)state;
    check(BEGIN "%r9 = lop3.LUT[0xc0] %r0 0x1 rZ\n%p10 = isetp.eq.i32 %r9 rZ\n%r12 = copy 0x1\nst.global.a64.strong.gpu.b32 [{%r3 %r4}] %r12\n"
                "@!p10 bra L1\n} -> []\nblock 1 L2 [0] -> {\n%r13 = ld.global.a64.strong.gpu.b32 [{%r3 %r4}]\n"
                "%r14 = iadd3 %r13 -%r12 rZ\nst.global.a64.strong.gpu.b32 [{%r3 %r4}] %r14\n} -> []\nblock 2 L1 [0] -> {\nexit\n} -> []\n", is_odd);
    check(BEGIN "%r9 = lop3.LUT[0xc0] %r0 0x1 rZ\n%p1 = isetp.ne.i32 %r9 rZ\n%r12 = copy rZ\nst.global.a64.strong.gpu.b32 [{%r3 %r4}] %r12\n"
                "@!p1 exit\n%r12 = copy 0x1\n" STORE("%r12"), is_odd);
}

static void bad_lines_are_refused(void **state)
{
    static const struct {
        const char *line, *why;
    } bad[] = {
        {"par_copy r0 = r1, r2", "unsupported: the operands of 'par_copy' at line 1"},
        {"phi_src r0 = r1", "unsupported: the phi 'r0' at line 1"},
        {"phi_dst pT = \xcf\x86" "0", "unsupported: the destination 'pT' at line 1"},
        {"phi_src \xcf\x86" "99999999 = r1", "unsupported: the phi '??99999999' at line 1"},
        {"r0 = swap r1 r2", "unsupported: the operands of 'swap' at line 1"},
        {"%r99999999 = copy rZ", "unsupported: the destination '%r99999999' at line 1"},
        {"%p1 = copy %r2", "unsupported: another file's value, in 'copy' at line 1"},
        {"{%r1 %p2} = imad64 %r0 0x2 rZ", "unsupported: the destination '{%r1 %p2}' at line 1"},
        {"{%r1 %r2 %r3} = imad64 %r0 0x2 rZ", "unsupported: the destination '{%r1 %r2 %r3}' at line 1"},
        {"st.global.a64.strong.gpu.b32 [%r1+%r2+%r3] %r4", "unsupported: the operand '[%r1+%r2+%r3]' at line 1"},
    };
    (void)state;
    struct arena a = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nak_trial t = {0};
        assert_string_equal(nak_try(&a, &t, bad[i].line).text, bad[i].why);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_numbers_of_their_own), cmocka_unit_test(a_predicate_becomes_uniform),
        cmocka_unit_test(copies_happen_at_once),
        cmocka_unit_test(phis_carry_values_round_a_loop), cmocka_unit_test(the_forms_of_mesa_25),
        cmocka_unit_test(bad_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
