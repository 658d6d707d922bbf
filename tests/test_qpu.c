// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs VideoCore's code. Each operation on values whose answers were worked out
// by hand; flags, branches, lanes, memory, barriers; texts that are not programs.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_qpu_common.h"

#include <stdlib.h>

static void check(const char *program, struct qpu_trial t, uint32_t (*want)(uint32_t invocation))
{
    struct arena a = {0};
    const struct isa_result r = qpu_try(&a, &t, program);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, program);
    for (uint32_t i = 0; i < (t.local ? t.local : 16); i++)
        if (t.words[i] != want(i))
            fail_msg("invocation %u: 0x%x, not 0x%x, in\n%s", i, t.words[i], want(i), program);
    arena_free(&a);
}

static void check_refused(const char *program, enum ran status, const char *why)
{
    struct arena a = {0};
    struct qpu_trial t = {.step_limit = 1000};
    const struct isa_result r = qpu_try(&a, &t, program);
    if (r.status != status || !strstr(r.text, why))
        fail_msg("%d %s, not %d %s, of\n%s", (int)r.status, r.text, (int)status, why, program);
    arena_free(&a);
}

static struct qpu_trial counted(uint32_t local)
{
    struct qpu_trial t = {.local = local};
    for (uint32_t i = 0; i < QPU_WORDS; i++)
        t.words[i] = 100 + i;
    return t;
}

// ---- values: one row an operation, at least

// The sources' forms; `old`: what the result's register holds before.
static const struct value {
    const char *op, *to, *x, *y;
    uint32_t a, b, want;
} values[] = {
    {"add", "", "", "", 0xffffffff, 3, 2},
    {"sub", "", "", "", 3, 5, 0xfffffffe},
    {"min", "", "", "", 0xfffffffe, 1, 0xfffffffe},
    {"max", "", "", "", 0xfffffffe, 1, 1},
    {"max", "", "", "", 7, 3, 7},
    {"umin", "", "", "", 0xfffffffe, 1, 1},
    {"umin", "", "", "", 1, 2, 1},
    {"umax", "", "", "", 0xfffffffe, 1, 0xfffffffe},
    {"umax", "", "", "", 1, 2, 2},
    {"shl", "", "", "", 3, 33, 6},
    {"shr", "", "", "", 0x80000000, 31, 1},
    {"shr", "", "", "", 0x80000000, 36, 0x08000000},
    {"asr", "", "", "", 0x80000000, 63, 0xffffffff},
    {"asr", "", "", "", 0x40000000, 28, 4},
    {"ror", "", "", "", 0x80000001, 1, 0xc0000000},
    {"ror", "", "", "", 0x12345678, 32, 0x12345678},
    {"ror", "", "", "", 0x12345678, 8, 0x78123456},
    {"and", "", "", "", 12, 10, 8},
    {"or", "", "", "", 12, 10, 14},
    {"xor", "", "", "", 12, 10, 6},
    {"not", "", "", NULL, 5, 0, 0xfffffffa},
    {"neg", "", "", NULL, 5, 0, 0xfffffffb},
    {"clz", "", "", NULL, 0, 0, 32},
    {"clz", "", "", NULL, 0x00010000, 0, 15},
    {"mov", "", "", NULL, 0x7fc00001, 0, 0x7fc00001},
    {"fmov", "", ".abs", NULL, 0xbf800000, 0, 0x3f800000},
    {"fmov", "", ".l", NULL, 0x40003c00, 0, 0x3f800000},
    {"fmov", "", ".h", NULL, 0x40003c00, 0, 0x40000000},
    {"fmov", ".l", "", NULL, 0x40000000, 0, 0x55554000},
    {"fmov", ".h", "", NULL, 0x40000000, 0, 0x40005555},
    {"fadd", "", "", "", 0x3f800000, 0x40000000, 0x40400000},
    {"fadd", "", ".h", ".abs", 0x3c000000, 0xc0000000, 0x40400000},
    {"fsub", "", "", "", 0x3f800000, 0x40000000, 0xbf800000},
    {"fmul", "", "", "", 0x40000000, 0x40400000, 0x40c00000},
    {"fmin", "", "", "", 0x80000000, 0, 0x80000000},
    {"fmin", "", "", "", 0x7fc00000, 0x3f800000, 0x3f800000},
    {"fmax", "", "", "", 0x80000000, 0, 0},
    {"fmax", "", "", "", 0x3f800000, 0x7fc00000, 0x3f800000},
    {"fround", "", "", NULL, 0x40200000, 0, 0x40000000},
    {"ftrunc", "", "", NULL, 0xc0300000, 0, 0xc0000000},
    {"ffloor", "", "", NULL, 0xbf000000, 0, 0xbf800000},
    {"fceil", "", "", NULL, 0x3f000000, 0, 0x3f800000},
    {"ftoiz", "", "", NULL, 0xc0300000, 0, 0xfffffffe},
    {"ftouz", "", "", NULL, 0x4f800000, 0, 0xffffffff},
    {"ftouz", "", "", NULL, 0x40300000, 0, 2},
    {"ftoin", "", "", NULL, 0x40200000, 0, 2},
    {"ftoin", "", "", NULL, 0xc0300000, 0, 0xfffffffd},
    {"itof", "", "", NULL, 0xffffffff, 0, 0xbf800000},
    {"utof", "", "", NULL, 0xffffffff, 0, 0x4f800000},
    {"utof", ".h", "", NULL, 3, 0, 0x42005555},
    {"vfadd", "", "", "", 0x3c004000, 0x3c003c00, 0x40004200},
    {"vfadd", "", ".swp", ".ll", 0x3c004000, 0x3c003c00, 0x42004000},
    {"vfadd", "", ".hh", ".ff", 0x3c004000, 0x40000000, 0x42004200},
    {"vfmul", "", "", "", 0x40004000, 0x42003c00, 0x46004000},
    {"vfmin", "", "", "", 0x3c004000, 0x40003c00, 0x3c003c00},
    {"vfmax", "", "", "", 0x3c004000, 0x40003c00, 0x40004000},
};
enum { VALUES = sizeof values / sizeof *values, ROWS = 100 };

static const char *units_of(const char *op)
{
    struct qpu_row row[ROWS];
    const uint32_t n = qpu_rows(row, ROWS);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(row[i].name, op) == 0)
            return row[i].units;
    fail_msg("no operation %s", op);
    return "";
}

static void check_value(const struct value *v, char unit)
{
    struct arena a = {0};
    struct qpu_trial t = {0};
    const char *op = arena_printf(&a, v->y ? "%s rf20%s, rf21%s, rf22%s" : "%s rf20%s, rf21%s", v->op, v->to, v->x, v->y);
    const char *program =
        arena_printf(&a,
                     "nop ; nop ; ldunifrf.rf21 (0x%08x / 1.0)\nnop ; nop ; ldunifrf.rf22 (0x%08x / 1.0)\n"
                     "nop ; nop ; ldunifrf.rf20 (0x55555555 / 1.0)\n%s%s\n",
                     v->a, v->b, unit == 'A' ? "" : "nop ; ", op);
    const struct isa_result r = qpu_try(&a, &t, program);
    if (r.status != RAN_OK || t.words[3] != v->want)
        fail_msg("%s: %s 0x%x, not 0x%x", op, r.text, t.words[3], v->want);
    arena_free(&a);
}

static void test_values(void **state)
{
    (void)state;
    struct qpu_row row[ROWS];
    const uint32_t n = qpu_rows(row, ROWS);
    assert_true(n && n <= ROWS);
    for (uint32_t i = 0; i < VALUES; i++)
        for (const char *unit = units_of(values[i].op); *unit; unit++)
            check_value(&values[i], *unit);
    for (uint32_t i = 0; i < n; i++) {
        bool known = !row[i].alu;
        for (uint32_t k = 0; k < VALUES; k++)
            known |= strcmp(row[i].name, values[k].op) == 0;
        if (!known)
            fail_msg("no value of %s", row[i].name);
    }
}

static uint32_t product(uint32_t i) { return (0x89abcdef + i) * 0x12345678; }
static uint32_t low_product(uint32_t i) { return (0xabcdef + i) * 0x345678; }

static void test_products(void **state)
{
    (void)state;
#define FACTORS                                                                                                        \
    "nop ; nop ; ldunifrf.rf21 (0x89abcdef / 1.0)\nnop ; nop ; ldunifrf.rf22 (0x12345678 / 1.0)\nadd rf21, rf21, rf10\n"
    check(FACTORS "nop ; multop -, rf21, rf22\nnop ; umul24 rf20, rf21, rf22\n", (struct qpu_trial){0}, product);
    check(FACTORS "nop ; umul24 rf20, rf21, rf22\n", (struct qpu_trial){0}, low_product);
    // umul24 leaves nothing for the next one.
    check(FACTORS "nop ; multop -, rf21, rf22\nnop ; umul24 rf20, rf21, rf22\nnop ; umul24 rf20, rf21, rf22\n",
          (struct qpu_trial){0}, low_product);
}

// ---- flags

// In lanes 0 to 15, whether rf20 becomes 1.
static void check_lanes(const char *program, uint32_t local, uint32_t want)
{
    struct arena a = {0};
    struct qpu_trial t = {.local = local};
    const struct isa_result r = qpu_try(&a, &t, arena_printf(&a, "nop ; mov rf20, 0\n%s", program));
    uint32_t got = 0;
    for (uint32_t i = 0; i < 16; i++)
        got |= (uint32_t)(t.words[i] == 1) << i;
    if (r.status != RAN_OK || got != want)
        fail_msg("%s: lanes 0x%x, not 0x%x, of\n%s", r.text, got, want, program);
    arena_free(&a);
}

#define SHOW_A  "mov.ifa rf20, 1\n"
#define SHOW_NA "mov.ifna rf20, 1\n"
#define LOW(n)  "sub.pushc -, rf10, " #n "\n" // A in the lanes below n

static void test_flags(void **state)
{
    (void)state;
    check_lanes("xor.pushz -, rf10, 3\n" SHOW_A, 16, 0x0008);
    check_lanes("xor.pushz -, rf10, 3\n" SHOW_NA, 16, 0xfff7);
    check_lanes("sub.pushn -, rf10, 5\n" SHOW_A, 16, 0x001f);
    check_lanes(LOW(5) SHOW_A, 16, 0x001f);
    check_lanes("nop ; sub.pushc -, rf10, 5\n" SHOW_A, 16, 0x001f);
    check_lanes("add.pushc -, rf10, -3\n" SHOW_A, 16, 0xfff8);
    check_lanes("sub rf21, rf10, 8\nmin.pushc -, rf21, -4\n" SHOW_A, 16, 0xffe0); // -8..7 > -4
    check_lanes(LOW(5) "xor.andz -, rf10, 3\n" SHOW_A, 16, 0x0008);
    check_lanes(LOW(5) "xor.andnz -, rf10, 3\n" SHOW_A, 16, 0x0017);
    check_lanes(LOW(5) "xor.norz -, rf10, 9\n" SHOW_A, 16, 0xfde0);
    check_lanes(LOW(5) "xor.nornz -, rf10, 9\n" SHOW_A, 16, 0x0200);
    check_lanes(LOW(5) "sub.andc -, rf10, 3\n" SHOW_A, 16, 0x0007);
    check_lanes(LOW(5) "sub.andnc -, rf10, 3\n" SHOW_A, 16, 0x0018);
    check_lanes(LOW(5) "sub.norc -, rf10, 7\n" SHOW_A, 16, 0xff80);
    check_lanes(LOW(5) "sub.nornc -, rf10, 7\n" SHOW_A, 16, 0x0060);
    check_lanes(LOW(5) "sub.andn -, rf10, 3\n" SHOW_A, 16, 0x0007);
    check_lanes(LOW(5) "sub.andnn -, rf10, 3\n" SHOW_A, 16, 0x0018);
    check_lanes(LOW(5) "sub.norn -, rf10, 7\n" SHOW_A, 16, 0xff80);
    check_lanes(LOW(5) "sub.nornn -, rf10, 7\n" SHOW_A, 16, 0x0060);
    // A push keeps what A was in B; an update does not.
    check_lanes(LOW(5) "xor.pushz -, rf10, 9\nmov.ifb rf20, 1\n", 16, 0x001f);
    check_lanes(LOW(5) "xor.pushz -, rf10, 9\nmov.ifnb rf20, 1\n", 16, 0xffe0);
    check_lanes(LOW(5) "xor.pushz -, rf10, 9\nxor.andz -, rf10, 2\nmov.ifb rf20, 1\n", 16, 0x001f);
    // Conditions take the flags from before the instruction.
    check_lanes(LOW(5) "xor.pushz -, rf10, 9 ; mov.ifa rf20, 1\n", 16, 0x001f);
    check_lanes(LOW(5) "mov.ifa rf20, 1 ; mov.pushz -, 0\n", 16, 0x001f);
    // Comparisons of floats.
    check_lanes("itof rf21, rf10\nfcmp.pushn -, rf21, 0x40400000\n" SHOW_A, 16, 0x0007);
    check_lanes("itof rf21, rf10\nfcmp.pushc -, rf21, 0x40400000\n" SHOW_A, 16, 0x000f);
    check_lanes("itof rf21, rf10\nfcmp.pushz -, rf21, 0x40400000\n" SHOW_A, 16, 0x0008);
    check_lanes("nop ; nop ; ldunifrf.rf21 (0x7fc00000 / nan)\nfcmp.pushz -, rf21, rf21\n" SHOW_A, 16, 0);
    // A thread switch keeps them.
    check_lanes(LOW(5) "nop ; nop ; thrsw\nnop\nnop\n" SHOW_A, 16, 0x001f);
}

// ---- branches

#define SLOTS "nop\nnop\nnop\n"
static uint32_t seven(uint32_t i) { return 7 + 0 * i; }
static uint32_t nine(uint32_t i) { return 9 + 0 * i; }
static uint32_t slots(uint32_t i) { return 3 + 0 * i; }
static uint32_t rounds(uint32_t i) { return i; }
static uint32_t second(uint32_t i) { return 22 + 0 * i; }

static void check_branch(const char *flags, const char *branch, uint32_t local, bool taken)
{
    struct arena a = {0};
    const char *program = arena_printf(&a, "%snop ; mov rf20, 7\n%s 8, r:unif (0x00000000 / 0.0)\n" SLOTS "nop ; mov rf20, 9\n",
                                       flags, branch);
    check(program, counted(local), taken ? seven : nine);
    arena_free(&a);
}

static void test_branches(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool all, some, none, above; // taken if A is in all lanes, 0 to 4, none, 8 to 15
    } rows[] = {
        {"bu", true, true, true, true},          {"bu.a0", true, true, false, false},
        {"bu.na0", false, false, true, true},    {"bu.alla", true, false, false, false},
        {"bu.anya", true, true, false, true},    {"bu.allna", false, false, true, false},
        {"bu.anyna", false, true, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_branch("mov.pushz -, 0\n", rows[i].name, 16, rows[i].all);
        check_branch(LOW(5), rows[i].name, 16, rows[i].some);
        check_branch("mov.pushz -, 1\n", rows[i].name, 16, rows[i].none);
        check_branch("sub.pushc -, 7, rf10\n", rows[i].name, 16, rows[i].above);
    }
    // With p, lanes that were not started do not count: here 8 to 15.
    check_branch(LOW(8), "bu.allap", 8, true);
    check_branch(LOW(8), "bu.alla", 8, false);
    check_branch(LOW(8), "bu.anynap", 8, false);
    check_branch(LOW(8), "bu.anyna", 8, true);
    check_branch("sub.pushc -, 7, rf10\n", "bu.anyap", 8, false);
    check_branch("sub.pushc -, 7, rf10\n", "bu.anya", 8, true);
    check_branch("sub.pushc -, 7, rf10\n", "bu.allnap", 8, true);
    check_branch("sub.pushc -, 7, rf10\n", "bu.allna", 8, false);
    // Three delay slots are executed; what is skipped is not.
    check("nop ; mov rf20, 0\nbu 16, r:unif (0x00000000 / 0.0)\nadd rf20, rf20, 1\nadd rf20, rf20, 1\nadd rf20, rf20, 1\n"
          "add rf20, rf20, 8\nadd rf20, rf20, 8\n",
          counted(16), slots);
    // The stream of uniforms moves with a branch, by its uniform; without it, it continues.
    check("mov.pushz -, 0\nbu.alla 8, r:unif (0x00000004 / 0.0)\n" SLOTS
          "nop ; nop ; ldunifrf.rf20 (0x0000000b / 0.0)\nnop ; nop ; ldunifrf.rf20 (0x00000016 / 0.0)\n",
          counted(16), second);
    check("mov.pushz -, 1\nbu.alla 16, r:unif (0x00000004 / 0.0)\n" SLOTS
          "nop ; nop ; ldunifrf.rf20 (0x0000000b / 0.0)\nnop ; nop ; ldunifrf.rf20 (0x00000016 / 0.0)\n",
          counted(16), second);
    // A loop: each lane counts its own rounds, and the stream goes back.
    check("nop ; mov rf20, 0\nnop ; mov rf21, 0\nsub.pushc -, rf21, rf10 ; nop ; ldunifrf.rf22 (0x00000001 / 0.0)\n"
          "add.ifa rf20, rf20, rf22\nadd rf21, rf21, 1\nsub.pushc -, rf21, rf10\n"
          "bu.anya -64, r:unif (0xfffffff8 / 0.0)\n" SLOTS,
          counted(16), rounds);
}

// ---- lanes

static uint32_t lane_of(uint32_t i) { return i % 16; }
static uint32_t ballot_low(uint32_t i) { return i < 5 ? 0x11 : 77; }
static uint32_t ballot_all(uint32_t i) { return 0xffff + 0 * i; }
static uint32_t ballot_part(uint32_t i) { return i < 16 ? 0xffff : 0x000f; }
static uint32_t from_next(uint32_t i) { return 100 + (i + 1) % 16; }
static uint32_t first_above(uint32_t i) { return i < 5 ? 77 : 105; }

#define LOAD "add tmua, rf11, 0\nnop ; nop ; thrsw\nnop\nnop\nnop ; nop ; ldtmu.rf23\n"
#define KEEP "nop ; nop ; ldunifrf.rf20 (0x0000004d / 0.0)\n"

static void test_lanes(void **state)
{
    (void)state;
    check("nop ; mov rf20, rf10\n", counted(40), lane_of);
    check("ballot rf20, -1\n", counted(16), ballot_all);
    check("ballot rf20, 1\n", counted(20), ballot_part);
    // A condition selects the lanes that count, and those that take the result.
    check(KEEP "and rf21, rf10, 3\nxor.pushz -, rf21, 0\nmov rf22, 0\nmov.ifa rf22, 1\n" LOW(5) "ballot.ifa rf20, rf22\n",
          counted(16), ballot_low);
    check("add rf22, rf10, 1\n" LOAD "shuffle rf20, rf23, rf22\n", counted(16), from_next);
    check(LOAD KEEP LOW(5) "bcastf.ifna rf20, rf23\n", counted(16), first_above);
    // In the lanes that count, 0 or not.
#define NOT_0 "mov.pushz -, rf21\nnop ; mov rf20, 0\n" SHOW_NA
    check_lanes("alleq rf21, rf10\n" NOT_0, 16, 0);
    check_lanes("alleq rf21, 4\n" NOT_0, 16, 0xffff);
    check_lanes("and rf22, rf10, 8\nmov rf21, 0\n" LOW(7) "alleq.ifa rf21, rf22\n" NOT_0, 16, 0x007f);
    check_lanes("mov rf21, 0\n" LOW(1) "alleq.ifa rf21, rf10\n" NOT_0, 16, 1);
    check_lanes("nop ; nop ; ldunifrf.rf22 (0x80000000 / -0.0)\nxor.pushz -, rf10, 0\nmov.ifa rf22, 0\nallfeq rf21, rf22\n" NOT_0,
                16, 0xffff);
    check_lanes("nop ; nop ; ldunifrf.rf22 (0x80000000 / -0.0)\nxor.pushz -, rf10, 5\nmov.ifa rf22, 0\nalleq rf21, rf22\n" NOT_0, 16, 0);
    check_lanes("itof rf22, rf10\nallfeq rf21, rf22\n" NOT_0, 16, 0);
    // The first lane with or without the flag.
    check_lanes("sub.pushc -, 3, rf10\nflafirst rf20\n", 16, 0x0010);
    check_lanes("sub.pushc -, 3, rf10\nflnafirst rf20\n", 16, 0x0001);
    check_lanes("mov.pushz -, 1\nflafirst rf20\n", 16, 0);
    check_lanes("mov.pushz -, 0\nflnafirst rf20\n", 16, 0);
    // Lanes that were not started.
    check_lanes("msf.pushz -\nnop ; mov rf21, 0\nmov.ifa rf21, 1\nshuffle rf20, rf21, 12\n", 12, 0x0fff);
    check_lanes("msf.pushz -\nnop ; mov rf21, 0\nmov.ifa rf21, 1\nshuffle rf20, rf21, 11\n", 12, 0);
    // Threads have numbers of their own.
    check("tidx rf21\nshl rf21, rf21, 4\nadd rf20, rf21, rf10\n", counted(48), rounds);
}

// ---- memory

static void memory(const char *program, const char *want)
{
    struct arena a = {0};
    struct qpu_trial t = counted(16);
    // The program ends itself; lanes write a word of 16 each.
    const char *end = strstr(program, "END");
    const struct isa_result r = qpu_try(&a, &t, end ? arena_strn(&a, program, (size_t)(end - program)) : program);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, program);
    uint32_t at = 0;
    for (char *next; *want; want = next + (*next == ' '), at++) {
        const uint32_t x = (uint32_t)strtoul(want, &next, 0);
        if (t.words[at] != x)
            fail_msg("word %u is 0x%x, not 0x%x, after\n%s", at, t.words[at], x, program);
    }
    arena_free(&a);
}

#define AT(words) "nop ; nop ; ldunifrf.rf15 (0x" words " / 0.0)\nadd rf16, rf12, rf15\n" // a byte's address, hex
#define DATA(hex) "nop ; nop ; ldunifrf.rf17 (0x" hex " / 0.0)\nnop ; mov tmud, rf17\n"
#define ONE       "xor.pushz -, rf10, 0\n" // lane 0 alone
#define TAKE      "nop ; nop ; thrsw\nnop\nnop\nnop ; nop ; ldtmu.rf20\n"

static void test_accesses(void **state)
{
    (void)state;
    memory(LOAD "add rf20, rf23, 1\n", "101 102 103 104");
    // Lane 0 writes beyond the others' words, then lane i loads what word 32 + i holds.
#define AFTER "nop\nadd rf18, rf11, 12\nadd rf18, rf18, 12\nadd rf18, rf18, 12\nadd rf18, rf18, 12\nadd rf18, rf18, 8\n" \
              "add rf18, rf18, 8\nadd rf18, rf18, 8\nadd rf18, rf18, 8\nadd rf18, rf18, 8\nadd rf18, rf18, 8\n"          \
              "add rf18, rf18, 8\nadd rf18, rf18, 12\nadd rf18, rf18, 12\nmov tmua, rf18\n" TAKE
    memory(AFTER, "132 133 134");
    memory(AT("00000084") ONE DATA("00000007") "mov.ifa tmua, rf16\n" AFTER, "132 7 134");
    // Vectors, bytes and halves.
    memory(AT("00000084") ONE DATA("00000007") DATA("00000008") "mov.ifa tmuau, rf16 (0xfffffffa / -nan)\n" AFTER, "132 7 8 135");
    memory(AT("00000084") ONE DATA("00000007") DATA("00000008") DATA("00000009") DATA("0000000a")
               "mov.ifa tmuau, rf16 (0xfffffffc / -nan)\n" AFTER,
           "132 7 8 9 10 137");
    memory(AT("00000085") ONE DATA("12345678") "mov.ifa tmuau, rf16 (0xfffffffd / -nan)\n" AFTER, "132 0x7885 134");
    memory(AT("00000086") ONE DATA("12345678") "mov.ifa tmuau, rf16 (0xfffffffe / -nan)\n" AFTER, "132 0x56780085 134");
    memory("add tmuau, rf11, 0 (0xffffff7b / -nan)\nnop ; nop ; thrsw\nnop\nnop\nnop ; nop ; ldtmu.rf21\nnop ; nop ; ldtmu.rf22\n"
           "nop ; nop ; ldtmu.rf23\nsub rf20, rf23, rf21\nshl rf20, rf20, 8\nadd rf20, rf20, rf22\n",
           "0x265 0x266 0x267");
    memory("nop\nadd tmuau, rf12, 1 (0xffffff7d / -nan)\n" TAKE, "0 0");
    memory(AT("00000000") DATA("00aa5500") "add.ifa tmuau, rf11, 0 (0xffffffff / -nan)\n" "mov.pushz -, 0\n"
           "nop ; mov tmud, rf17\nmov tmuau, rf11 (0xffffffff / -nan)\nadd tmuau, rf11, 1 (0xfffffffd / -nan)\n" TAKE,
           "0x55 0x55");
    // Lanes that are not in an access keep what ldtmu's register holds.
    memory("nop ; mov rf20, 5\n" LOW(3) "add.ifa tmua, rf11, 0\n" TAKE, "100 101 102 5 5");
    // Results come in order.
    memory("mov tmua, rf11\nadd tmua, rf11, 4\nnop ; nop ; thrsw\nnop\nnop\nnop ; nop ; ldtmu.rf21\nnop ; nop ; ldtmu.rf22\n"
           "sub rf20, rf22, rf21\n",
           "1 1 1");
    // ldunifa: the word at an address, and the next one, from the fourth instruction on.
    memory("add rf21, rf12, 8\nmov unifa, rf21\nnop\nnop\nnop\nnop ; nop ; ldunifa\nnop ; nop ; ldunifarf.rf22\n"
           "shl rf20, rf22, 8\nor rf20, rf20, rf0\n",
           "0x6766 0x6766");
    memory("nop ; nop ; ldunif (0x0000000b / 0.0)\nnop ; mov rf20, rf0\n", "11 11");
}

static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        uint32_t op;
        const char *old, *new; // of lane 0 with 6, word 33 (133)
    } rows[] = {{0, "133", "139"}, {1, "133", "127"}, {2, "133", "6"},  {4, "133", "6"},   {5, "133", "133"},
                {6, "133", "6"},   {7, "133", "133"}, {8, "133", "4"},  {9, "133", "135"}, {10, "133", "131"}};
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *access = arena_printf(&a, AT("00000084") ONE DATA("00000006") "mov.ifa tmuau, rf16 (0x%08x / -nan)\n",
                                          0xffffff87 | rows[i].op << 3);
        memory(arena_printf(&a, "%s%s", access, TAKE), rows[i].old);
        memory(arena_printf(&a, "%s%s%s", access, TAKE, AFTER), arena_printf(&a, "132 %s 134", rows[i].new));
    }
    memory(AT("00000084") ONE "mov.ifa tmuau, rf16 (0xffffffc7 / -nan)\n" TAKE AFTER, "132 134 134");
    memory(AT("00000084") ONE "mov.ifa tmuau, rf16 (0xffffffcf / -nan)\n" TAKE AFTER, "132 132 134");
    memory(AT("00000084") ONE DATA("00000085") DATA("00000009") "mov.ifa tmuau, rf16 (0xffffff9a / -nan)\n" TAKE AFTER,
           "132 9 134");
    memory(AT("00000084") ONE DATA("00000084") DATA("00000009") "mov.ifa tmuau, rf16 (0xffffff9a / -nan)\n" TAKE AFTER,
           "132 133 134");
    // Only the word at the address is exchanged.
    memory("nop ; nop ; ldunifrf.rf17 (0x00000085 / 0.0)\n" AT("00000088") ONE "nop ; mov tmud, rf17\nmov.ifa tmua, rf16\n"
           AT("00000084") DATA("00000085") DATA("00000009") "mov.ifa tmuau, rf16 (0xffffff9a / -nan)\n" TAKE AFTER,
           "132 9 133 135");
    // Lane after lane: each gets the sum of those before.
    memory(AT("00000084") DATA("00000002") "mov tmuau, rf16 (0xffffff87 / -nan)\n" TAKE, "133 135 137 139");
    arena_free(&a);
}

static uint32_t other_thread(uint32_t i) { return 100 + (i + 16) % 32; }
static uint32_t sizes(uint32_t i) { return QPU_WORDS * 4 + 3 * 0 + 0 * i; }
static uint32_t groups(uint32_t i) { return 0x30000 + 0 * i; }

static void test_barriers(void **state)
{
    (void)state;
    // Each invocation stores its word to shared memory, then takes the other thread's.
    check(LOAD "nop ; nop ; ldunifrf.rf24 (shared_offset)\nshl rf25, rf13, 2\nnop ; mov tmud, rf23\nadd tmua, rf24, rf25\n"
               "nop ; nop ; thrsw\nnop\nnop\ntmuwt -\nbarrierid syncb ; nop ; thrsw\nnop\nnop\n"
               "xor rf25, rf13, 16 \nshl rf25, rf25, 2\nadd tmua, rf24, rf25\nnop ; nop ; thrsw\nnop\nnop\nnop ; nop ; ldtmu.rf20\n",
          counted(32), other_thread);
    check("nop ; nop ; ldunifrf.rf20 (ssbo_size[0])\n", counted(16), sizes);
    check("nop ; nop ; ldunifrf.rf20 (num_wg.x)\nnop ; nop ; ldunifrf.rf21 (63 / 0x00000000)\nshl rf20, rf20, 16\n"
          "add rf20, rf20, rf21\n",
          (struct qpu_trial){.groups = 3}, groups);
    // Spilled values: a thread has its own place.
    check("nop ; nop ; ldunifrf.rf24 (spill_offset)\nnop ; nop ; ldunifrf.rf25 (spill_size_per_thread)\ntidx rf26\n"
          "nop ; multop -, rf26, rf25\nnop ; umul24 rf26, rf26, rf25\nadd rf24, rf24, rf26\nshl rf25, rf10, 2\n"
          "add rf24, rf24, rf25 ; mov tmud, rf13\nmov tmua, rf24\nmov tmua, rf24\n" TAKE,
          counted(40), rounds);
}

static void test_groups(void **state)
{
    (void)state;
    struct arena a = {0};
    // rf3 holds the workgroup's x and y, rf2 its z: word x + 4y + 16z of each invocation 0 becomes 1 more.
    struct qpu_trial t = {.groups = 3, .y = 2, .z = 2};
    const struct isa_result r = qpu_try(&a, &t,
                                        "and rf20, rf3, 15\nshr rf21, rf3, 16\nshl rf21, rf21, 2\nadd rf20, rf20, rf21\n"
                                        "and rf21, rf2, 15\nshl rf21, rf21, 4\nadd rf20, rf20, rf21\n"
                                        "shl rf21, rf20, 6\nadd rf11, rf11, rf21\nadd rf20, rf20, 1\n");
    assert_int_equal(r.status, RAN_OK);
    for (uint32_t i = 0; i < QPU_WORDS; i++) {
        const uint32_t group = i / 16;
        assert_int_equal(t.words[i], group % 4 < 3 && group % 16 / 4 < 2 && group / 16 < 2 ? group + 1 : 0);
    }
    struct qpu_trial many = {.z = 65536};
    const struct isa_result refused = qpu_try(&a, &many, "");
    assert_int_equal(refused.status, RAN_UNSUPPORTED);
    assert_non_null(strstr(refused.text, "more than 65535 workgroups"));
    arena_free(&a);
}

// ---- refusals

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        enum ran status;
        const char *why;
    } rows[] = {
        {"frob rf20, rf10", RAN_UNSUPPORTED, "the operation 'frob' at line 12"},
        {"recip rf20, rf10", RAN_UNSUPPORTED, "the operation 'recip'"},
        {"nop ; shl rf20, rf10, 1", RAN_UNSUPPORTED, "the operation 'shl'"},
        {"fmul rf20, rf10, 1", RAN_UNSUPPORTED, "the operation 'fmul'"},
        {"add.ifc rf20, rf10, 1", RAN_UNSUPPORTED, "the suffix 'ifc'"},
        {"add.pushq -, rf10, 1", RAN_UNSUPPORTED, "the suffix 'pushq'"},
        {"add.pushz.andz -, rf10, 1", RAN_UNSUPPORTED, "the suffix 'andz'"},
        {"add.ifa.ifb rf20, rf10, 1", RAN_UNSUPPORTED, "the suffix 'ifb'"},
        {"add.ifa.pushz rf20, rf10, 1", RAN_UNSUPPORTED, "the condition and flag of 'add.ifa.pushz'"},
        {"fadd.pushz -, rf10, rf10", RAN_UNSUPPORTED, "the flag of 'fadd.pushz'"},
        {"max.pushc -, rf10, rf10", RAN_UNSUPPORTED, "the flag of 'max.pushc'"},
        {"add.pushz -, rf10, 1 ; sub.pushz -, rf10, 1", RAN_UNSUPPORTED, "flags of both"},
        {"add r3, rf10, 1", RAN_UNSUPPORTED, "the destination 'r3'"},
        {"add rf64, rf10, 1", RAN_UNSUPPORTED, "the destination 'rf64'"},
        {"add rf20, rf64, 1", RAN_UNSUPPORTED, "the operand 'rf64'"},
        {"add rf20, 12x, 1", RAN_UNSUPPORTED, "the operand '12x'"},
        {"add rf20, r4, 1", RAN_UNSUPPORTED, "the operand 'r4'"},
        {"add rf20, rf10", RAN_UNSUPPORTED, "the operand ''"},
        {"add rf20, rf10, 1, 2", RAN_UNSUPPORTED, "operands 'add rf20, rf10, 1, 2'"},
        {"add rf20, rf10.l, 1", RAN_UNSUPPORTED, "the form of 'rf10.l'"},
        {"add rf20.l, rf10, 1", RAN_UNSUPPORTED, "the form of 'rf20.l'"},
        {"fadd rf20, rf10.ll, rf10", RAN_UNSUPPORTED, "the form of 'rf10.ll'"},
        {"fmov tmud.l, rf10", RAN_UNSUPPORTED, "the form of"},
        {"mov.ifa tmud, rf10", RAN_UNSUPPORTED, "a condition of"},
        {"mov.ifa unifa, rf10", RAN_UNSUPPORTED, "a condition of"},
        {"mov syncb, rf10", RAN_UNSUPPORTED, "the destination of"},
        {"barrierid rf20", RAN_UNSUPPORTED, "the destination of"},
        {"msf rf20", RAN_UNSUPPORTED, "the destination of"},
        {"nop ; multop rf20, rf10, rf10", RAN_UNSUPPORTED, "the result of 'multop'"},
        {"fcmp rf20, rf10, rf10", RAN_UNSUPPORTED, "the result of 'fcmp'"},
        {"nop ; nop ; ldvary.rf20", RAN_UNSUPPORTED, "the signal 'ldvary.rf20'"},
        {"nop ; nop ; ldtmu", RAN_UNSUPPORTED, "the signal 'ldtmu'"},
        {"nop ; nop ; ldunif.rf3 (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the signal 'ldunif.rf3'"},
        {"nop ; nop ; ldtmu.tmud", RAN_UNSUPPORTED, "the signal 'ldtmu.tmud'"},
        {"nop ; nop ; ldunif", RAN_UNSUPPORTED, "no uniform for"},
        {"nop (0x00000000 / 0.0)", RAN_UNSUPPORTED, "a uniform for"},
        {"nop ; nop ; ldunif (0x00000000 / 0.0", RAN_UNSUPPORTED, "the uniform '0x00000000"},
        {"nop ; nop ; ldunif (push[0])", RAN_UNSUPPORTED, "the uniform 'push[0]' at line 12"},
        {"nop ; nop ; ldunif (62 / 0x00000000)", RAN_UNSUPPORTED, "the uniform '62 / 0x00000000'"},
        {"nop ; nop ; ldunif (63 / 0x00000003)", RAN_UNSUPPORTED, "the uniform '63 / 0x00000003'"},
        {"nop ; nop ; ldunif (ssbo[1])", RAN_UNSUPPORTED, "the uniform 'buffer'"},
        {"b.anya 8, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the branch"},
        {"bu.anyaq 8, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the branch"},
        {"bu 4, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the branch"},
        {"bu 8, a:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the branch"},
        {"bu lri, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "the branch"},
        {"bu 8000, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "a branch out of the code at line 12"},
        {"bu -8000, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "a branch out of the code"},
        {"bu 0, r:unif (0x00000002 / 0.0)", RAN_UNSUPPORTED, "a uniform stream at odd bytes"},
        {"bu 0, r:unif (0x00000000 / 0.0)\nbu 0, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "a branch in a delay slot"},
        {"nop ; nop ; thrsw\nbu 0, r:unif (0x00000000 / 0.0)", RAN_UNSUPPORTED, "a branch in a delay slot"},
        {"nop ; nop ; thrsw\nnop\nnop ; nop ; thrsw", RAN_UNSUPPORTED, "a thread switch in a delay slot"},
        {"bu 0, r:unif (0x00000000 / 0.0)\nnop ; nop ; thrsw", RAN_UNSUPPORTED, "a thread switch in a delay slot"},
        {"mov tmuau, rf11 (0x00000007 / 0.0)", RAN_UNSUPPORTED, "the access 0x7 with 0 rows"},
        {"mov tmud, 0 ; mov tmud, 0\nmov tmua, rf11", RAN_UNSUPPORTED, "the access 0xffffffff with 2 rows"},
        {"mov tmuau, rf11 (0xffffff87 / -nan)", RAN_UNSUPPORTED, "the access 0xffffff87 with 0 rows"},
        {"mov tmua, 0", RAN_FAULT, "an access of 4 bytes at 0x0 at line 12"},
        {"mov tmud, 0\nmov tmua, 0", RAN_FAULT, "a store of 4 bytes at 0x0 at line 13"},
        {"add tmua, rf11, 2", RAN_FAULT, "an access of 4 bytes"},
        {"mov unifa, 0\nnop\nnop\nnop\nnop ; nop ; ldunifa", RAN_FAULT, "ldunifa at 0x0"},
        {"nop ; nop ; ldtmu.rf20", RAN_STUCK, "ldtmu waits"},
        {"bu -32, r:unif (0xfffffffc / 0.0)\nnop\nnop\nnop", RAN_OVER_LIMIT, "more than 1000 instructions"},
        {"bu 0, r:unif (0x00000040 / 0.0)\nnop\nnop\nnop\nnop ; nop ; ldunif (0x00000000 / 0.0)", RAN_FAULT,
         "a uniform after the end of the stream"},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_refused(arena_printf(&a, "%s\n", rows[i].program), rows[i].status, rows[i].why);
    arena_free(&a);
}

static void refused_text(const char *text, const char *why)
{
    struct arena a = {0};
    struct isa_result r;
    assert_null(qpu_read(&a, text, &r));
    if (r.status != RAN_UNSUPPORTED || !strstr(r.text, why))
        fail_msg("%s, not %s", r.text, why);
    arena_free(&a);
}

static void test_texts(void **state)
{
    (void)state;
    refused_text("", "no machine code");
    refused_text(QPU_NIR, "no machine code");
    refused_text(QPU_NIR QPU_HEAD, "no machine code");
    refused_text(QPU_HEAD "0x0 nop ; nop\n", "no intermediate code");
    refused_text(QPU_NIR QPU_HEAD "0x0 nop ; nop\n" QPU_HEAD "0x0 nop ; nop\n", "a second compilation at line");
    refused_text(QPU_NIR "@load_ssbo (%9, %1) ()\n" QPU_HEAD "0x0 nop ; nop\n", "the index of a buffer at line 6");
    refused_text(QPU_NIR "@load_ssbo (%9 (0x40), %1) ()\n" QPU_HEAD "0x0 nop ; nop\n", "the index of a buffer");
    refused_text(QPU_NIR QPU_HEAD "0x0\n", "the operation ''");
    refused_text(QPU_NIR QPU_HEAD "0x0 nop ; nop ; ldunif (", "the uniform ''");
    // The end is reached without a thread switch.
    struct arena a = {0};
    struct qpu_trial t = {0};
    const struct spv_case c = qpu_case(&a, &t);
    struct isa_result r;
    isa_trial_run(&a, qpu_read(&a, QPU_NIR QPU_HEAD "0x0 nop ; nop\n", &r), &c, (struct isa_options){0}, &r);
    assert_int_equal(r.status, RAN_FAULT);
    assert_non_null(strstr(r.text, "the code's end"));
    // Another section before; blanks at a line's end and a line of them; names of several digits; a store before the load.
    const char *text = arena_printf(
        &a,
        "NIR after SPIR-V: MESA_SHADER_COMPUTE prog 1 NIR:\nshader: MESA_SHADER_COMPUTE\n%%1 = @load_ssbo (%%99, %%4)\n"
        "Just before v3d_compile: MESA_SHADER_COMPUTE prog 1 NIR:\n32 %%18 = mov %%17\n\n32 %%17 = mov %%2 (0x5, 0x0).y\n"
        "@store_ssbo (%%3, %%17, %%4)\n%%5 = @load_ssbo (%%17, %%4)\n%sMESA: info: \n%s",
        QPU_HEAD, qpu_lines(&a, QPU_BEGIN "nop ; mov rf20, 3 \t\r\n" QPU_END));
    isa_trial_run(&a, qpu_read(&a, text, &r), &c, (struct isa_options){0}, &r);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(t.words[15], 3);
    // 64 results may wait, and no more.
    for (uint32_t n = 64; n <= 65; n++) {
        struct text many = {.arena = &a};
        for (uint32_t i = 0; i < n; i++)
            text_add(&many, "mov tmua, rf11\n");
        const struct isa_result full = qpu_try(&a, &t, many.v);
        assert_int_equal(full.status, n == 64 ? RAN_OK : RAN_STUCK);
    }
    // The table fills no more rows than asked for.
    struct qpu_row row[3] = {{.name = "x"}, {.name = "x"}, {.name = "x"}};
    assert_true(qpu_rows(row, 2) > 3);
    assert_string_not_equal(row[1].name, "x");
    assert_string_equal(row[2].name, "x");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_products), cmocka_unit_test(test_flags),
        cmocka_unit_test(test_branches), cmocka_unit_test(test_lanes),    cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_atomics),  cmocka_unit_test(test_barriers), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests_name("qpu", tests, NULL, NULL);
}
