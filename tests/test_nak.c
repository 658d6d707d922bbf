// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs NAK's text. Small programs whose answers were worked out by hand; faults
// planted in the text of a driver; text that is none.
#include "test_nak_common.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void check(const char *body, uint32_t local, uint32_t (*want)(uint32_t))
{
    struct arena a = {0};
    struct nak_trial t = {.local = local};
    const struct isa_result r = nak_try(&a, &t, arena_printf(&a, NAK_SET_UP "%s" NAK_STORE, body));
    if (r.status != RAN_OK)
        fail_msg("%s: %s", body, r.text);
    assert_int_equal(r.others, 0);
    for (uint32_t i = 0; i < (local ? local : 32); i++)
        if (t.words[i] != want(i))
            fail_msg("%s: invocation %u has 0x%x, not 0x%x", body, i, t.words[i], want(i));
    arena_free(&a);
}

// ---- lanes ---------------------------------------------------------------------------------------

static uint32_t lane_xor_1(uint32_t i) { return i ^ 1; }
static uint32_t from_below(uint32_t i) { return i % 8 ? i - 1 : i; }
static uint32_t from_above(uint32_t i) { return i % 8 == 7 ? i : i + 1; }
static uint32_t has_above(uint32_t i) { return i % 8 != 7; }
static uint32_t equal_all(uint32_t i) { return 1 + 0 * i; }
static uint32_t all_lanes(uint32_t i) { return UINT32_MAX + 0 * i; }
static uint32_t no_lanes(uint32_t i) { return 0 * i; }
static uint32_t third_of_four(uint32_t i) { return (i & ~3u) + 2; }
static uint32_t odd_lanes(uint32_t i) { return i & 1 ? 0xaaaaaaaa : i; }
static uint32_t below_seven(uint32_t i) { return i < 7; }
static uint32_t equal_to_mine(uint32_t i) { return 0x11111111u << (i & 3); }
static uint32_t sum_of_all(uint32_t i) { return (void)i, 496; }
static uint32_t lowest_bit(uint32_t i) { return i ? (uint32_t)__builtin_ctz(i) : UINT32_MAX; }

static void lanes_give_each_other_values(void **state)
{
    (void)state;
    check("r2 = shfl.bfly r0 0x1 0x1f\n", 0, lane_xor_1);
    check("r2 = shfl.up r0 0x1 0x1800\n", 0, from_below);
    check("r2 = shfl.down r0 0x1 0x181f\n", 0, from_above);
    check("r2 = shfl.idx r0 0x2 0x1c03\n", 0, third_of_four);
    check("r2 p0 = shfl.down r0 0x1 0x181f\nr2 = sel p0 0x1 rZ\n", 0, has_above);
    check("r3 = mov 0x7\np0 r4 = match.all r3\np1 r4 = match.all r0\nr2 = sel p0 0x1 0x2\nr2 = sel p1 0x3 r2\n", 0, equal_all);
    check("r3 = lop3.LUT[0xc0] r0 0x1 rZ\np0 = isetp.ne.i32 r3 rZ\nr2 = mov r0\n@p0 r2 = vote.any pT\n", 0, odd_lanes);
    check("p0 = isetp.lt.u32 r0 0x7\np1 = vote.all p0\np2 = vote.any p0\nr2 = sel !p1 rZ 0x5\n"
          "p1 = plop3 p0 p2 pT LUT[0xc0] LUT[0x0]\nr2 = sel p1 0x1 r2\n", 0, below_seven);
    check("r3 = mov 0x7\np0 r2 = match.all r3\n", 0, all_lanes);
    check("p0 r2 = match.all r0\n", 0, no_lanes);
    check("r3 = lop3.LUT[0xc0] r0 0x3 rZ\nr2 = match.any r3\n", 0, equal_to_mine);
    check("ur1 = redux.sum r0\nr2 = mov ur1\n", 0, sum_of_all);
    check("r2 = brev r0\nr2 = flo.samt r2\n", 0, lowest_bit);
}

static uint32_t top_alone(uint32_t i) { return 0x80000000 + 0 * i; }
static uint32_t without_denormal(uint32_t i) { return 0x04000400 + 0 * i; }
static uint32_t with_denormal(uint32_t i) { return 0x04010401 + 0 * i; }
static uint32_t minus_two(uint32_t i) { return (uint32_t)-2 + 0 * i; }
static uint32_t minus_one(uint32_t i) { return (uint32_t)-1 + 0 * i; }
static uint32_t three(uint32_t i) { return 3 + 0 * i; }

// What the rows do not reach: no number as 64 bits, halves whose denormal sources count as zero, signs of atomics.
static void numbers_at_their_edges(void **state)
{
    (void)state;
    check("r3 = mov 0x7fc00000\nr4..6 = f2i.i64.f32.rz r3\nr2 = mov r5\n", 0, top_alone);
    check("r3 = mov 0x7fc00000\nr2 = f2i.i32.f32.rz r3\n", 0, no_lanes);
    check("r3 = mov 0x10001\nr4 = mov 0x4000400\nr2 = hadd2.ftz r3 r4\n", 0, without_denormal);
    check("r3 = mov 0x10001\nr4 = mov 0x4000400\nr2 = hadd2 r3 r4\n", 0, with_denormal);
#define ATOM(what) "r3 = mov 0xffffffff\nst.shared.strong.cta.b32 [r0.x4+rZ] r3\nr4 = mov " what " [r0.x4+rZ] r4\n" \
                   "r2 = ld.shared.strong.cta.b32 [r0.x4+rZ], pT\n"
    check(ATOM("0x3\natom.min.i32.shared.strong.cta"), 0, minus_one);
    check(ATOM("0x3\natom.min.u32.shared.strong.cta"), 0, three);
    check(ATOM("0x3\natom.max.i32.shared.strong.cta"), 0, three);
    check("r3 = iadd3 r0 0xffffffff rZ\nur1 = redux.min.i32 r3\nr2 = mov ur1\n", 0, minus_one);
    check("r3 = iadd3 r0 0xffffffff rZ\nur1 = redux.min.u32 r3\nr2 = mov ur1\n", 0, no_lanes);
    check(ATOM("0xfffffffe\natom.min.i32.shared.strong.cta"), 0, minus_two);
}

static uint32_t inverse(uint32_t i) { return 63 - i; }

static void a_warp_waits_for_the_other(void **state)
{
    (void)state; // both write to shared memory, then read what the other one wrote
    static const char both[] = "r3 = iadd3 0x3f -r0 rZ\nst.shared.strong.cta.b32 [r0.x4+rZ] r0\n%s"
                               "r2 = ld.shared.strong.cta.b32 [r3.x4+rZ], pT\n";
    struct arena a = {0};
    struct nak_trial t = {.local = 64};
    check(arena_printf(&a, both, "bar.sync\n"), 64, inverse);
    const struct isa_result r =
        nak_try(&a, &t, arena_printf(&a, NAK_SET_UP "%s" NAK_STORE, arena_printf(&a, both, "")));
    assert_int_equal(r.status, RAN_OK);
    assert_true(r.others > 0); // it depends on who comes first
    arena_free(&a);
}

// ---- who is together -----------------------------------------------------------------------------

// A driver's text of a loop that lanes leave in turns, a ballot before they leave, and one behind.
static const char loop[] =
    "block.u 0 L2 [] -> {\n"
    "      r2    = s2r sr[0x21]                                // delay=2 wr:0\n"
    "      r3    = lop3.LUT[0xc0] r2 0x3 rZ                    // delay=1 wt=000001\n"
    "      b0    = bclear                                      // delay=1\n"
    "      b0    = bssy b0 pT L0                               // delay=1\n"
    "      r4    = mov rZ                                      // delay=2\n"
    "} -> [1]\n"
    "block 1 L1 [0, 4] -> {\n"
    "      b1    = bclear                                      // delay=1\n"
    "      b1    = bssy b1 pT L3                               // delay=1\n"
    "      p0    = isetp.eq.i32 r4 r3                          // delay=13\n"
    "@!p0          bra pT L7                                   // delay=1\n"
    "} -> [2, 3]\n"
    "block 2 L6 [1] -> {\n"
    "      r6    = shf.l.w.i32 r2 rZ 0x4                       // delay=4\n"
    "      r6 p0 = iadd3 r6 c[0x1][0x0] rZ                     // delay=3\n"
    "      r5    = vote.any pT                                 // delay=1\n"
    "      r7    = iadd3.x rZ c[0x1][0x4] rZ p0 pF             // delay=5\n"
    "              st.global.a64.strong.gpu.b32 [r6..8+rZ] r5  // delay=1 rd:0\n"
    "      r8    = shfl.bfly r2 0x4 0x1f                       // delay=1\n"
    "              st.global.a64.strong.gpu.b32 [r6..8+rZ+0x8] r8 // delay=1\n"
    "      r0    = mov c[0x1][0x0]                             // delay=1\n"
    "      r1    = mov c[0x1][0x4]                             // delay=1\n"
    "      r5    = mov 0x1                                     // delay=1 wt=000001\n"
    "              bra pT L5                                   // delay=1\n"
    "} -> [4]\n"
    "block 3 L7 [1] -> {\n"
    "      r4    = iadd3 r4 0x1 rZ                             // delay=1\n"
    "      r5    = mov 0xffffffff                              // delay=2\n"
    "} -> [4]\n"
    "block 4 L5 [2, 3] -> {\n"
    "              bsync b1 pT                                 // delay=1 yld\n"
    "              nop L3                                      // delay=1\n"
    "      p0    = isetp.lt.u32 r5 0x2                         // delay=13\n"
    "@!p0          bra pT L1                                   // delay=1\n"
    "} -> [5, 1]\n"
    "block.u 6 L9 [5] -> {\n"
    "              bsync b0 pT                                 // delay=1 yld\n"
    "              nop L0                                      // delay=1\n"
    "      ur0   = vote.any pT                                 // delay=3\n"
    "      r3    = mov ur0                                     // delay=1\n"
    "      ur0   = r2ur r0                                     // delay=1 wr:0\n"
    "      ur1   = r2ur r1                                     // delay=1 wr:1\n"
    "      r2    = lea r2 4 0x4                                // delay=5\n"
    "              st.global.a64.strong.gpu.b32 [r2+ur0..2] r3 // delay=2 wt=000011 rd:0\n"
    "              exit                                        // delay=1 wt=000001\n"
    "} -> []\n";

static bool loop_is_right(const struct nak_trial *t)
{
    for (uint32_t i = 0; i < 32; i++)
        if (t->words[4 * i] != 0x11111111u << (i & 3) || t->words[4 * i + 1] != UINT32_MAX || t->words[4 * i + 2] != (i ^ 4))
            return false;
    return true;
}

static void lanes_leave_a_loop_in_turns(void **state)
{
    struct arena a = {0};
    struct nak_trial t = {0};
    (void)state;
    const struct isa_result r = nak_try(&a, &t, loop);
    assert_string_equal(r.text, "");
    assert_int_equal(r.others, 0);
    assert_true(loop_is_right(&t));
    arena_free(&a);
}

// The text with every line in turn changed by `edit`, where that applies: how many there are, and how
// many give another memory, another one by some schedule, or no end.
static void plant(const char *what, char *(*edit)(struct arena *, const char *line, size_t n), uint32_t least)
{
    struct arena a = {0};
    uint32_t all = 0, seen = 0;
    for (const char *at = loop; *at;) {
        const char *end = strchr(at, '\n') + 1;
        char *line = edit(&a, at, (size_t)(end - at));
        if (line) {
            struct nak_trial t = {0};
            const char *text = arena_printf(&a, "%.*s%s%s", (int)(at - loop), loop, line, end);
            const struct isa_result r = nak_try(&a, &t, text);
            all++;
            seen += r.status != RAN_OK || r.others || !loop_is_right(&t);
            if (r.status == RAN_UNSUPPORTED)
                fail_msg("%s: %s", what, r.text);
        }
        at = end;
    }
    print_message("%s: %u of %u seen\n", what, seen, all);
    assert_true(all && seen >= least);
    arena_free(&a);
}

static char *without(struct arena *a, const char *line, size_t n, const char *word)
{
    char *s = arena_strn(a, line, n);
    return strstr(s, word) ? arena_str(a, "") : NULL;
}
static char *without_bsync(struct arena *a, const char *line, size_t n) { return without(a, line, n, " bsync "); }
static char *without_bssy(struct arena *a, const char *line, size_t n) { return without(a, line, n, " bssy "); }
static char *exchanged(struct arena *a, const char *line, size_t n, const char *from, const char *to)
{
    char *s = arena_strn(a, line, n);
    return strstr(s, from) ? replaced(a, s, from, to) : NULL;
}
static char *other_lane(struct arena *a, const char *line, size_t n)
{
    return exchanged(a, line, n, "shfl.bfly r2 0x4", "shfl.bfly r2 0x5");
}
static char *guard_inverted(struct arena *a, const char *line, size_t n) { return exchanged(a, line, n, "@!p0", "@p0 "); }
static char *branch_dropped(struct arena *a, const char *line, size_t n) { return without(a, line, n, " bra "); }
static char *vote_dropped(struct arena *a, const char *line, size_t n) { return without(a, line, n, " vote."); }
static char *comparison_inverted(struct arena *a, const char *line, size_t n)
{
    char *s = exchanged(a, line, n, "isetp.eq", "isetp.ne");
    return s ? s : exchanged(a, line, n, "isetp.lt", "isetp.ge");
}

static void faults_in_the_text_are_seen(void **state)
{
    (void)state;
    // The inner barrier joins what parts again at once: nothing is seen of its bsync.
    plant("bsync dropped", without_bsync, 1);
    plant("bssy dropped", without_bssy, 2);
    plant("lane of a shuffle", other_lane, 1);
    plant("predicate inverted", guard_inverted, 2);
    plant("comparison inverted", comparison_inverted, 2);
    plant("branch dropped", branch_dropped, 3);
    plant("vote dropped", vote_dropped, 2);
}

// Each arm begins a barrier in the same register: it is each lane's own.
static uint32_t halves_of_arms(uint32_t i) { return i & 1 ? i & 2 ? 0xaaaaaaaa : i : i & 2 ? i : 0x55555555; }

static void arms_share_a_register(void **state)
{
    (void)state;
    struct arena a = {0};
    struct nak_trial t = {0};
    const struct isa_result r = nak_try(&a, &t, NAK_SET_UP
        "r2 = mov r0\nr3 = lop3.LUT[0xc0] r0 0x1 rZ\np0 = isetp.ne.i32 r3 rZ\nr3 = lop3.LUT[0xc0] r0 0x2 rZ\np1 = isetp.ne.i32 r3 rZ\n"
        "b0 = bclear\nb0 = bssy b0 pT L8\n@p0 bra pT L1\n"
        "b1 = bclear\nb1 = bssy b1 pT L9\n@p1 bra pT L2\nr4 = iadd3 rZ rZ rZ\nblock 2 L2 [] -> {\nbsync b1 pT\nnop L9\n"
        "r3 = vote.any pT\n@!p1 r2 = mov r3\nbra pT L3\n"
        "block 4 L1 [] -> {\nb1 = bclear\nb1 = bssy b1 pT L7\n@!p1 bra pT L4\nr4 = iadd3 rZ rZ rZ\nblock 5 L4 [] -> {\nbsync b1 pT\nnop L7\n"
        "r3 = vote.any pT\n@p1 r2 = mov r3\nblock 6 L3 [] -> {\nbsync b0 pT\nnop L8\n" NAK_STORE);
    assert_string_equal(r.text, "");
    assert_int_equal(r.others, 0);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(t.words[i], halves_of_arms(i));
    arena_free(&a);
}

static void lanes_that_end_are_not_waited_for(void **state)
{
    struct arena a = {0};
    struct nak_trial t = {0};
    (void)state;
    static const char text[] = NAK_SET_UP "p0 = isetp.lt.u32 r0 0x10\nb0 = bclear\nb0 = bssy b0 pT L0\n@p0 bra pT L1\n%s\n"
                                          "block 1 L1 [] -> {\nbsync b0 pT\nnop L0\nr2 = vote.any pT\n" NAK_STORE;
    struct isa_result r = nak_try(&a, &t, arena_printf(&a, text, "exit"));
    assert_string_equal(r.text, "");
    assert_int_equal(t.words[3], 0xffff);
    assert_int_equal(t.words[16], 0);
    t = (struct nak_trial){0};
    r = nak_try(&a, &t, arena_printf(&a, text, "b0 = break b0 pT\nbra pT L5\nblock 3 L5 [] -> {\nr2 = vote.any pT\n" NAK_STORE));
    assert_string_equal(r.text, "");
    assert_int_equal(t.words[3], 0xffff);
    assert_int_equal(t.words[16], 0xffff0000);
    arena_free(&a);
}

static uint32_t all_of_warp(uint32_t i) { return (void)i, UINT32_MAX; }
static uint32_t by_half(uint32_t i) { return i < 16 ? 0xffff : 0xffff0000; }
static uint32_t lower_or_five(uint32_t i) { return i < 16 ? 0xffff : 5; }

#define HALF "p0 = isetp.lt.u32 r0 0x10\n"
static void barriers_in_other_forms(void **state)
{
    (void)state;
    check(HALF "@p0 bra pT L1\nr4 = iadd3 rZ rZ rZ\nblock 1 L1 [] -> {\nwarpsync 0xffffffff\nr2 = vote.any pT\n", 0, all_of_warp);
    // One barrier is kept in a register while another one has its place.
    check(HALF "b0 = bclear\nb0 = bssy b0 pT L8\n@p0 bra pT L2\nr4 = iadd3 rZ rZ rZ\nblock 2 L2 [] -> {\nr5 = bmov.32.clear b0\n"
          "b0 = bssy b0 pT L9\nbsync b0 pT\nnop L9\nb0 = bmov.32 r5\nbsync b0 pT\nnop L8\nr2 = vote.any pT\n", 0, all_of_warp);
    // Those for whom the predicate is false do not stop.
    check(HALF "b0 = bclear\nb0 = bssy b0 pT L0\nbsync b0 p0\nnop L0\nr2 = vote.any pT\n", 0, by_half);
    // Who is taken out sets the others free at once: they come to the workgroup's barrier.
    check(HALF "b0 = bclear\nb0 = bssy b0 pT L0\n@p0 bra pT L1\nb0 = break b0 pT\nbar.sync\nr2 = mov 0x5\nbra pT L5\n"
          "block 1 L1 [] -> {\nbsync b0 pT\nnop L0\nr2 = vote.any pT\nbar.sync\nblock 3 L5 [] -> {\n", 0, lower_or_five);
}

static void what_depends_on_the_schedule_is_told(void **state)
{
    struct arena a = {0};
    struct nak_trial t = {0};
    (void)state; // a uniform register that both arms write, and read only later
    const struct isa_result r = nak_try(&a, &t, NAK_SET_UP
        "p0 = isetp.lt.u32 r0 0x10\nb0 = bclear\nb0 = bssy b0 pT L0\n@p0 bra pT L1\nur0 = mov 0x5\nbra pT L2\n"
        "block 1 L1 [] -> {\nur0 = mov 0x6\nblock 2 L2 [] -> {\nbsync b0 pT\nnop L0\nr2 = mov ur0\n" NAK_STORE);
    assert_int_equal(r.status, RAN_OK);
    assert_true(r.others > 0);
    arena_free(&a);
}

static void junk_is_in_what_nobody_wrote(void **state)
{
    struct arena a = {0};
    struct nak_trial t = {.local = 20};
    (void)state; // from a lane that never started
    const struct isa_result r = nak_try(&a, &t, NAK_SET_UP "r2 = shfl.idx r0 0x19 0x1f\n@!pT r2 = mov rZ\n" NAK_STORE);
    assert_int_equal(r.status, RAN_OK);
    assert_int_not_equal(t.words[0], t.words[1]);
    assert_int_equal(t.words[20], 0);
    arena_free(&a);
}

// ---- what is refused -----------------------------------------------------------------------------

static void what_is_not_known_is_refused_by_name(void **state)
{
    static const struct {
        const char *text, *nir, *why;
        enum ran status;
    } bad[] = {
        {"", "", "no instruction", RAN_INVALID},
        {"r1 = frob r2\n", "", "unsupported: the operation 'frob' at line 1", RAN_UNSUPPORTED},
        {"nop\nr1 = mov.hi r2\n", "", "unsupported: the operation 'mov.hi' at line 2", RAN_UNSUPPORTED},
        {"r1 = mov r300\n", "", "unsupported: the operand 'r300' at line 1", RAN_UNSUPPORTED},
        {"r1 = mov r2 r3\n", "", "unsupported: too many operands of 'mov' at line 1", RAN_UNSUPPORTED},
        {"ur1 = mov r2\n", "", "unsupported: a uniform result of per-lane values, in 'mov' at line 1", RAN_UNSUPPORTED},
        {"bra pT L5\n", "", "unsupported: the undefined label L5 at line 1", RAN_UNSUPPORTED},
        {"r1 = mov c[0x0][0x40]\nexit\n", "", "unsupported: the constant c[0x0][0x40] at line 1", RAN_UNSUPPORTED},
        {"r1 = flo r2\nexit\n", "%1 = ifind_msb %2", "unsupported: ifind_msb: the text of flo does not show whether it is signed", RAN_UNSUPPORTED},
        {"r2..4 = imad64 -0x1 r0 rZ\nexit\n", "", "unsupported: the operand '-0x1' at line 1", RAN_UNSUPPORTED},
        {"r0 = mov 0xffffffff\nr2..4 = imad64 r0 r0 rZ\nexit\n", "= umul_2x32_64 x imul_2x32_64 ",
         "unsupported: a product that may be signed or unsigned at line 2", RAN_UNSUPPORTED},
        {"r1 = mov rZ\n", "", "execution runs past the last instruction at line 1", RAN_FAULT},
        {"r1 = ld.global.a64.strong.gpu.b32 [rZ+rZ], pT\n", "", "an access to 0x0, which is not mapped at line 1", RAN_FAULT},
        {"block 0 L0 [] -> {\nbra pT L0\n", "", "more than 100000 instructions at line 2", RAN_OVER_LIMIT},
        {"warpsync 0x1\nexit\n", "", "unsupported: warpsync by a lane that is not in its mask at line 1", RAN_UNSUPPORTED},
        {"r5 = mov 0x77\nb0 = bmov.32 r5\nexit\n", "", "bmov of a value that is not a barrier at line 2", RAN_FAULT},
        {"b0 = bclear\nb0 = bssy b0 pT L0\nb0 = bssy b0 pT L0\nnop L0\nexit\n", "",
         "unsupported: bssy of a barrier that is not clear at line 3", RAN_UNSUPPORTED},
        {"bsync b0 pT\n", "", "bsync of a barrier that lane 0 did not begin at line 1", RAN_FAULT},
    };
    struct arena a = {0};
    (void)state;
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct nak_trial t = {.nir = bad[i].nir};
        const struct isa_result r = nak_try(&a, &t, bad[i].text);
        assert_string_equal(r.text, bad[i].why);
        assert_int_equal(r.status, bad[i].status);
    }
    arena_free(&a);
}

static void every_row_names_its_source(void **state)
{
    struct nak_row row[200];
    (void)state;
    const uint32_t n = nak_rows(row, 200);
    assert_true(n > 40 && n <= 200);
    for (uint32_t i = 0; i < n; i++)
        assert_true(row[i].name[0] && row[i].source[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_give_each_other_values), cmocka_unit_test(numbers_at_their_edges), cmocka_unit_test(a_warp_waits_for_the_other),
        cmocka_unit_test(lanes_leave_a_loop_in_turns),  cmocka_unit_test(faults_in_the_text_are_seen),
        cmocka_unit_test(arms_share_a_register),        cmocka_unit_test(lanes_that_end_are_not_waited_for),
        cmocka_unit_test(barriers_in_other_forms),
        cmocka_unit_test(what_depends_on_the_schedule_is_told), cmocka_unit_test(junk_is_in_what_nobody_wrote),
        cmocka_unit_test(what_is_not_known_is_refused_by_name), cmocka_unit_test(every_row_names_its_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
