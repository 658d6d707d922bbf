// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs the code of Apple's GPUs. Each operation on values whose answers were
// worked out by hand; control flow, lanes, memory, the preamble; texts that are not programs.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_agx_common.h"

#include <stdlib.h>

static void check(const char *program, struct agx_trial t, uint32_t (*want)(uint32_t invocation))
{
    struct arena a = {0};
    const struct isa_result r = agx_try(&a, &t, program);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, program);
    for (uint32_t i = 0; i < (t.local ? t.local : 32); i++)
        if (t.words[i] != want(i))
            fail_msg("invocation %u: 0x%x, not 0x%x, in\n%s", i, t.words[i], want(i), program);
    arena_free(&a);
}

static void check_refused(const char *program, enum ran status, const char *why)
{
    struct arena a = {0};
    struct agx_trial t = {.step_limit = 1000};
    const struct isa_result r = agx_try(&a, &t, program);
    if (r.status != status || !strstr(r.text, why))
        fail_msg("%d %s, not %d %s, of\n%s", (int)r.status, r.text, (int)status, why, program);
    arena_free(&a);
}

// ---- values: r4, r5 and r6 are the sources, r8 the result, which held 0xabcdef01

static const struct value {
    const char *code;
    uint32_t a, b, c, want;
} values[] = {
    {"iadd r8, r4, r5", 0xffffffff, 3, 0, 2},
    {"iadd r8, r4, r5, lsl 1", 1, 3, 0, 7},
    {"iadd r8, r4, r5, lsl 4", 1, 3, 0, 49},
    {"iadd r8, r4l, r5h", 0x1ffff, 0x30005, 0, 0x10002},
    {"iadd r8, r4l.sx, r5h.sx", 0x1ffff, 0x80000005, 0, 0xffff7fff},
    {"iadd r8l, r4, r5", 0xffff, 3, 0, 0xabcd0002},
    {"iadd r8h, r4, r5", 0xffff, 3, 0, 0x0002ef01},
    {"iadd r8, r4, 255", 1, 0, 0, 256},
    {"iadd r8, r4, r5, sat", 0xfffffff0, 0x20, 0, 0xffffffff},
    {"iadd r8, r4.sx, r5.sx, sat", 0x7ffffff0, 0x20, 0, 0x7fffffff},
    {"iadd r8, r4.sx, r5.sx, sat", 0x80000000, 0xffffffff, 0, 0x80000000},
    {"iadd r8, r4.sx, r5, sat", 5, 7, 0, 12},
    {"iadd r8, r4, r5.sx, sat", 0x7fffffff, 7, 0, 0x7fffffff},
    {"iadd r8l, r4l.sx, r5l.sx, sat", 0x7fff, 1, 0, 0xabcd7fff},
    {"isub r8, r4, r5", 3, 5, 0, 0xfffffffe},
    {"isub r8, r4, r5, lsl 2", 30, 5, 0, 10},
    {"isub r8, r4, r5, sat", 3, 5, 0, 0},
    {"isub r8, r4, r5, sat", 5, 3, 0, 2},
    {"isub r8, r4.sx, r5.sx, sat", 0x80000000, 1, 0, 0x80000000},
    {"imul r8, r4, r5", 0x10001, 0x10003, 0, 0x40003},
    {"imul r8, r4l.sx, r5l", 0xffff, 3, 0, 0xfffffffd},
    {"imul dr10, r4, r5\nmov r8, r11", 0x80000000, 6, 0, 3},
    {"imul dr10, r4.sx, r5.sx\nmov r8, r11", 0xfffffffe, 3, 0, 0xffffffff},
    {"imul dr10, r4.sx, r5.sx\nmov r8, r10", 0xfffffffe, 3, 0, 0xfffffffa},
    {"imadd r8, r4, r5, r6", 3, 5, 7, 22},
    {"imadd r8, r4, r5, r6, lsl 3", 3, 5, 7, 71},
    {"imsub r8, r4, r5, r6", 3, 5, 7, 8},
    {"imsub r8, r4, r5, r6, lsl 1", 3, 5, 7, 1},
    {"imadd dr10, r4, r5, dr12\nmov r8, r11", 0xffffffff, 2, 0, 1},
    {"u8_to_f r8, r4, rte", 0x1ff, 0, 0, 0x437f0000},
    {"s8_to_f r8, r4, rte", 0x1ff, 0, 0, 0xbf800000},
    {"u16_to_f r8, r4, rte", 0x1ffff, 0, 0, 0x477fff00},
    {"s16_to_f r8, r4, rte", 0x1ffff, 0, 0, 0xbf800000},
    {"u32_to_f r8, r4, rte", 0xffffffff, 0, 0, 0x4f800000},
    {"s32_to_f r8, r4, rte", 0xffffffff, 0, 0, 0xbf800000},
    {"u32_to_f r8l, r4, rte", 3, 0, 0, 0xabcd4200},
    {"f_to_u16 r8, r4, rtz", 0x47c35000, 0, 0, 0xffff},
    {"f_to_s16 r8, r4, rtz", 0xc7c35000, 0, 0, 0xffff8000},
    {"f_to_u32 r8, r4, rtz", 0x40700000, 0, 0, 3},
    {"f_to_u32 r8, r4, rtz", 0xbf800000, 0, 0, 0},
    {"f_to_s32 r8, r4, rtz", 0xc0700000, 0, 0, 0xfffffffd},
    {"f_to_s32 r8, r4, rtz", 0x4f800000, 0, 0, 0x7fffffff},
    {"f_to_u32 r8, r4h, rtz", 0x42000000, 0, 0, 3},
    {"shl r8, r4, r5", 3, 4, 0, 48},
    {"shl r8, r4, r5", 3, 0x84, 0, 48},
    {"shl r8, r4, 32", 3, 0, 0, 0},
    {"shl r8, r4, 64", 3, 0, 0, 0},
    {"shr r8, r4, r5", 0x80000000, 4, 0, 0x08000000},
    {"shr r8, r4, 64", 0x80000000, 0, 0, 0},
    {"shr r8, r4h, 4", 0x12345678, 0, 0, 0x123},
    {"bfi r8, r4, r5, 8, 4", 0xffffffff, 0x25, 0, 0xfffff5ff},
    {"bfi r8, r4, r5, r6, 0", 0xffffffff, 0x25, 8, 0x25ff},
    {"bfeil r8, r4, r5, 8, 4", 0xfffffff0, 0x1234, 0, 0xfffffff2},
    {"bfeil r8, r4, r5, 8, 4", 0xffffffff, 0x1234, 0, 0xfffffff2},
    {"bfeil r8, r4, r5, 8, 4", 0, 0x1234, 0, 2},
    {"bfi r8, r4, r5, 28, 8", 0, 0xff, 0, 0xf0000000},
    {"extr r8, r4, r5, 100, 0", 1, 2, 0, 0},
    {"shlhi r8, r4, r5, 36, 4", 0, 0x55, 0, 0x50},
    {"shrhi r8, r4, r5, 8, 4", 0, 0xffffffff, 0, 0x0f000000},
    {"bfeil r8, 0, r5, r6, 0", 0, 0x1234, 4, 0x123},
    {"extr r8, r4, r5, 8, 0", 0x11223344, 0x55667788, 0, 0x88112233},
    {"extr r8, r4, r5, r6, 4", 0x11223344, 0x55667788, 32, 8},
    {"shlhi r8, r4, r5, 8, 0", 0, 0xab000001, 0, 0xab},
    {"shlhi r8, r4, r5, 36, 4", 0xffffffff, 5, 0, 0xffffff5f},
    {"shrhi r8, r4, r5, 8, 0", 0xffffffff, 0x1234, 0, 0x34ffffff},
    {"shrhi r8, r4, r5, 40, 0", 0xffffffff, 0x1234, 0, 0x12},
    {"asr r8, r4, 4, 0, 0", 0x80000000, 0, 0, 0xf8000000},
    {"asr r8, r4, 100, 0, 0", 0x80000000, 0, 0, 0xffffffff},
    {"asr r8, r4, 64, 0, 0", 5, 0, 0, 0},
    {"asr r8, r4l, r5, 0, 0", 0x8000, 4, 0, 0xfffff800},
    {"asrh r8, r4, 36, 0, 0", 0x80000000, 0, 0, 0xf8000000},
    {"asrh r8, r4, 4, 0, 0", 0x12345678, 0, 0, 0x80000000},
    {"not r8, r4", 0x0f, 0, 0, 0xfffffff0},
    {"not r8l, r4", 0x0f, 0, 0, 0xabcdfff0},
    {"mov r8, r4", 0x12345678, 0, 0, 0x12345678},
    {"mov r8h, r4l", 0x12345678, 0, 0, 0x5678ef01},
    {"mov r8, 32", 0, 0, 0, 32},
    {"zero r8, r4, r5", 5, 7, 0, 0},
    {"one r8, r4, r5", 5, 7, 0, 0xffffffff},
    {"and r8, r4, r5", 12, 10, 0, 8},
    {"andn1 r8, r4, r5", 12, 10, 0, 2},
    {"andn2 r8, r4, r5", 12, 10, 0, 4},
    {"xor r8, r4, r5", 12, 10, 0, 6},
    {"or r8, r4, r5", 12, 10, 0, 14},
    {"nor r8, r4, r5", 12, 10, 0, 0xfffffff1},
    {"xnor r8, r4, r5", 12, 10, 0, 0xfffffff9},
    {"orn1 r8, r4, r5", 12, 10, 0, 0xfffffffb},
    {"orn2 r8, r4, r5", 12, 10, 0, 0xfffffffd},
    {"nand r8, r4, r5", 12, 10, 0, 0xfffffff7},
    {"bitrev r8, r4", 0x80000001, 0, 0, 0x80000001},
    {"bitrev r8, r4", 3, 0, 0, 0xc0000000},
    {"popcnt r8, r4", 0xf0f01, 0, 0, 9},
    {"ffs r8, r4", 0x50, 0, 0, 6},
    {"ffs r8, r4", 0, 0, 0, 0xffffffff},
    {"fadd r8, r4, r5", 0x3f800000, 0x40000000, 0, 0x40400000},
    {"fadd r8, r4, r5.neg", 0x3f800000, 0x40000000, 0, 0xbf800000},
    {"fadd r8, r4.abs.neg, 1.5", 0xbf800000, 0, 0, 0x3f000000},
    {"fadd r8, r4, -0.0", 0x80000000, 0, 0, 0x80000000},
    {"fadd r8l, r4, r5", 0x3f800000, 0x40000000, 0, 0xabcd4200},
    {"fadd r8, r4, r5, sat", 0x3f800000, 0x40000000, 0, 0x3f800000},
    {"fadd r8, r4, r5, sat", 0xbf800000, 0, 0, 0},
    {"fadd r8, r4, r5, sat", 0x3e800000, 0x3e800000, 0, 0x3f000000},
    {"fadd r8, r4, r5", 1, 0, 0, 0}, // not normal
    {"fadd r8, r4, r5", 0x80000001, 0x80000000, 0, 0x80000000},
    {"fmul r8, r4, r5", 0x40400000, 0x40000000, 0, 0x40c00000},
    {"fmul r8, r4, r5", 0x00800000, 0x3f000000, 0, 0},
    {"ffma r8, r4, r5, r6", 0x40400000, 0x40000000, 0x3f800000, 0x40e00000},
    {"hadd r8l, r4l, r5h", 0x3c00, 0x40000000, 0, 0xabcd4200},
    {"hmul r8l, r4l, r5l", 0x4200, 0x4000, 0, 0xabcd4600},
    {"hfma r8h, r4l, r5l, r6l", 0x4200, 0x4000, 0x3c00, 0x4700ef01},
    {"floor r8, r4", 0xbfc00000, 0, 0, 0xc0000000},
    {"ceil r8, r4", 0xbfc00000, 0, 0, 0xbf800000},
    {"trunc r8, r4", 0xbfc00000, 0, 0, 0xbf800000},
    {"rint r8, r4", 0x40200000, 0, 0, 0x40000000},
    {"rint r8, r4", 0x40600000, 0, 0, 0x40800000},
    {"csel r8, r4, r5, 1, 2, ieq", 5, 5, 0, 1},
    {"csel r8, r4, r5, 1, 2, ieq", 5, 4, 0, 2},
    {"csel r8, r4, r5, 1, 2, ult", 5, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, ult", 0xffffffff, 6, 0, 2},
    {"csel r8, r4, r5, 1, 2, ugt", 0xffffffff, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, ugt", 6, 6, 0, 2},
    {"csel r8, r4, r5l, 1, 2, ieq", 0xffffffff, 0xffff, 0, 2},
    {"csel r8, r4, r5l, 1, 2, seq", 0xffffffff, 0xffff, 0, 1},
    {"csel r8, r4, r5l, 1, 2, seq", 0x1ffff, 0xffff, 0, 2},
    {"csel r8, r4l, r5, 1, 2, seq", 0xffff, 0x1ffff, 0, 2},
    {"csel r8, r4, r5, 1, 2, slt", 0xffffffff, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, sgt", 6, 0xffffffff, 0, 1},
    {"csel r8, r4, r5, 1, 2, sgt", 0xffffffff, 6, 0, 2},
    {"csel r8, r4, 200, 1, 2, sgt", 100, 0, 0, 2},
    {"csel r8, r4, r5, r6, r4, ine", 5, 6, 7, 7},
    {"csel r8, r4, r5, 1, 2, ugte", 6, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, ulte", 7, 6, 0, 2},
    {"csel r8, r4, r5, 1, 2, nseq", 7, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, sgte", 0xffffffff, 6, 0, 2},
    {"csel r8, r4, r5, 1, 2, slte", 0xffffffff, 6, 0, 1},
    {"csel r8, r4, r5, 1, 2, feq", 0x80000000, 0, 0, 1},
    {"csel r8, r4, r5, 1, 2, fneq", 0x7fc00000, 0x7fc00000, 0, 1},
    {"csel r8, r4, r5, 1, 2, flt", 0xbf800000, 0x3f800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, flt", 0x7fc00000, 0x3f800000, 0, 2},
    {"csel r8, r4, r5, 1, 2, fgt", 0x3f800000, 0xbf800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, fgte", 0x3f800000, 0x3f800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, fgte", 0x3f800000, 0x40000000, 0, 2},
    {"csel r8, r4, r5, 1, 2, flte", 0x3f800000, 0x3f800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, flte", 0x40000000, 0x3f800000, 0, 2},
    {"csel r8, r4, r5, 1, 2, fnlt", 0x7fc00000, 0x3f800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, fngt", 0x3f800000, 0xbf800000, 0, 2},
    {"csel r8, r4, r5, 1, 2, fngte", 0x3f800000, 0x3f800000, 0, 2},
    {"csel r8, r4, r5, 1, 2, fnlte", 0x3f800000, 0x3f800000, 0, 2},
    {"csel r8, r4, r5, r4, r5, fltn", 0x3f800000, 0xbf800000, 0, 0xbf800000},
    {"csel r8, r4, r5, r4, r5, fgtn", 0x3f800000, 0xbf800000, 0, 0x3f800000},
    {"csel r8, r4, r5, 1, 2, fnltn", 0x3f800000, 0xbf800000, 0, 1},
    {"csel r8, r4, r5, 1, 2, fngtn", 0x3f800000, 0xbf800000, 0, 2},
    {"csel r8l, r4, r5, r6, 2, ieq", 5, 5, 0x12345678, 0xabcd5678},
    {"ldimm r8, 4294967295", 0, 0, 0, 0xffffffff},
    {"ldimm r8h, 7", 0, 0, 0, 0x7ef01},
    {"mov dr10, dr4\nmov r8, r11", 1, 2, 0, 2},
    {"mov $r8, ^r4", 9, 0, 0, 9},
    {"mov r9l, ^r4l\nshr r8, r4, 16", 0x70005, 0, 0, 7}, // the other half stays
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct value *v = &values[i];
        struct arena a = {0};
        struct agx_trial t = {0};
        const char *program =
            arena_printf(&a, "ldimm r4, %u\nldimm r5, %u\nldimm r6, %u\nldimm r8, 2882400001\nldimm r12, 1\nldimm r13, 0\n%s\n",
                         v->a, v->b, v->c, v->code);
        const struct isa_result r = agx_try(&a, &t, program);
        if (r.status != RAN_OK)
            fail_msg("%s, in %s", r.text, v->code);
        if (t.words[0] != v->want || t.words[31] != v->want)
            fail_msg("0x%x, not 0x%x: %s of 0x%x 0x%x 0x%x", t.words[0], v->want, v->code, v->a, v->b, v->c);
        arena_free(&a);
    }
}

// Every operation of one lane has a row above.
static void test_every_operation(void **state)
{
    struct agx_row row[128];
    const uint32_t n = agx_rows(row, 128);
    (void)state;
    assert_in_range(n, 60, 128);
    for (uint32_t i = 0; i < n; i++) {
        bool there = false;
        const size_t length = strlen(row[i].name);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            there |= strncmp(values[k].code, row[i].name, length) == 0 && values[k].code[length] == ' ';
        if (row[i].alu && !there)
            fail_msg("no row for %s", row[i].name);
        assert_true(row[i].source[0]);
    }
    memset(row, 0, sizeof row);
    assert_int_equal(agx_rows(row, 3), n);
    assert_non_null(row[2].name);
    assert_null(row[3].name);
    assert_int_equal(agx_rows(row, 0), n);
}

// ---- control flow ----------------------------------------------------------------

static uint32_t odd_or_even(uint32_t i) { return i % 2 ? 111 : 222; }
static uint32_t nested(uint32_t i) { return i < 8 ? (i < 4 ? 1 : 2) : 3; }
static uint32_t trips(uint32_t i) { return i % 4; }
static uint32_t own(uint32_t i) { return i; }
static uint32_t seven(uint32_t i) { return i < 8 ? 7 : 9; }
static uint32_t nine_below_four(uint32_t i) { return i < 4 ? 9 : 7; }
static uint32_t nine_and_seven(uint32_t i) { return i < 8 ? 9 : 7; }
static uint32_t continued(uint32_t i) { return i % 2 ? 4 : 2; }
static uint32_t jumped(uint32_t i) { return i * 0 + 5; }

static void test_flow(void **state)
{
    const struct agx_trial t = {0};
    (void)state;
    check("and r4, r1, 1\nif r4, 1, 1, ieq\nmov r8, 111\nelse 0.0, 0.0, 1, feq\nmov r8, 222\npop_exec 1\n", t, odd_or_even);
    check("and r4, r1, 1\nif r4, 1, 1, cache, ine\nmov r8, 222\nelse 0.0, 0.0, 1, feq\nmov r8, 111\npop_exec 1, cache\n", t,
          odd_or_even);
    check("if r1, 8, 1, ult\nif r1, 4, 1, ult\nmov r8, 1\nelse 0.0, 0.0, 1, feq\nmov r8, 2\npop_exec 1\n"
          "else 0.0, 0.0, 1, feq\nmov r8, 3\npop_exec 1\n",
          t, nested);
    // An else with a condition: lanes 0 to 7 leave, and of the others those below 16 enter.
    check("mov r8, 9\nif r1, 8, 1, ult\nmov r8, 7\nelse r1, 16, 1, ult\nmov r8, 9\npop_exec 1\n", t, seven);
    // A loop of lane % 4 iterations.
    check("and r4, r1, 3\nmov r8, 0\nif 0.0, 0.0, 1, feq\nwhile r8, r4, 1, ult\niadd r8, r8, 1\njmp_any -16\npop_exec 1\n", t,
          trips);
    // A lane that breaks by its counter and an update; the jump is taken while a lane is left.
    check("mov r8, r1\nif r1, 40, 1, ult\nldimm r0l, 2\nupdate_exec\njmp_none 16\nmov r8, 77\npop_exec 2\n", t, own);
    // A continue: odd lanes skip the second increment until the loop's end wakes them.
    check("and r4, r1, 1\nmov r8, 0\nmov r9, 0\nif 0.0, 0.0, 2, feq\nwhile r9, 2, 2, ult\niadd r9, r9, 1\niadd r8, r8, 1\n"
          "if r4, 1, 1, ieq\niadd r8, r8, 1\npop_exec 1\njmp_any -48\npop_exec 2\n",
          t, continued);
    check("mov r8, 5\njmp_any 16\nmov r8, 6\njmp_none 16\n", t, jumped);
    // Lanes that the counter holds come back only when it is 0.
    check("mov r8, 9\nldimm r10l, 0\nif r1, 8, 1, ult\nif 0.0, 0.0, 1, feq\nmov r8, 7\npop_exec 1\nmov r8, 7\npop_exec 1\n", t,
          seven);
    check("mov r8, 9\nif r1, 8, 1, ult\nif 0.0, 0.0, 1, feq\npop_exec 1\nmov r8, 7\npop_exec 0\nmov r8, 7\npop_exec 1\n", t, seven);
    check("mov r8, 5\nif r1, 99, 1, ugte\njmp_none 16\njmp_none 0\npop_exec 1\n", t, jumped);
    check_refused("jmp_any 0\n", RAN_OVER_LIMIT, "more than 1000 instructions");
    check_refused("jmp_any 4\n", RAN_UNSUPPORTED, "a jump to no instruction at line 7");
}

// An inexact sum matters only in an active lane.
static void test_inexact_sums(void **state)
{
    const char *sum = "ldimm r4, 1065353216\nldimm r5, 1065353216\ncsel r6, r1, 4, r4, 0, %s\nldimm r9, 562036736\n"
                      "csel r6, r1, 4, r9, r6, %s\nmov r8, 9\nif r1, 8, 1, %s\nffma r8, r4, r5, r6\nmov r8, 7\n"
                      "else 0.0, 0.0, 1, feq\nmov r8, 9\npop_exec 1\n";
    struct arena a = {0};
    const struct agx_trial t = {0};
    (void)state;
    // r6 is 2^-60 in lanes below 4.
    check_refused(arena_printf(&a, sum, "ugte", "ult", "ult"), RAN_UNSUPPORTED, "an inexact sum");
    // So does the minimum of NaN, which lanes 4 to 7 have.
    const char *least = "ldimm r5, 2143289344\nbfeil r6, 0, r1, 2, 1\ncsel r4, r6, 1, r5, 0, ieq\nmov r8, 9\nif r1, %u, 1, ult\n"
                        "csel r8, r4, 1.5, 9, 9, fltn\nelse 0.0, 0.0, 1, feq\nmov r8, 7\npop_exec 1\n";
    check(arena_printf(&a, least, 4), t, nine_below_four);
    check_refused("ldimm r4, 2147483648\ncsel r8, r4, 0.0, r4, 0, fgtn\n", RAN_UNSUPPORTED, "of both zeros");
    check_refused(arena_printf(&a, least, 8), RAN_UNSUPPORTED, "a minimum of NaN");
    check_refused(arena_printf(&a, least, 5), RAN_UNSUPPORTED, "a minimum of NaN");
    check(arena_printf(&a, sum, "ugte", "ult", "ugte"), t, nine_and_seven);
    arena_free(&a);
}

// ---- lanes -----------------------------------------------------------------------

static uint32_t below_five(uint32_t i) { return i * 0 + 31; }
static uint32_t odd_lanes(uint32_t i) { return i % 2 ? 0xaaaaaaaa : 5; }
static uint32_t quad_ballot(uint32_t i) { return i < 4 ? 15 : i < 8 ? 1 : 0; }
static uint32_t from_seven(uint32_t i) { return i * 0 + 7; }
static uint32_t flipped(uint32_t i) { return i ^ 5; }
static uint32_t one_down(uint32_t i) { return i == 31 ? 31 : i + 1; }
static uint32_t one_up(uint32_t i) { return i ? i - 1 : 0; }
static uint32_t quad_flipped(uint32_t i) { return i ^ 3; }
static uint32_t quad_second(uint32_t i) { return (i & ~3u) + 1; }
static uint32_t total(uint32_t i) { return i * 0 + 496; }
static uint32_t before(uint32_t i) { return i * (i - 1) / 2; }
static uint32_t odd_total(uint32_t i) { return i % 2 ? 256 : 5; }
static uint32_t quad_total(uint32_t i) { return (i & ~3u) * 4 + 6; }
static uint32_t least_before(uint32_t i) { return i ? 0 : 0x7fffffff; }
static uint32_t half_identity(uint32_t i) { return i ? 0 : 0x7fff; }
static uint32_t index_of_odd(uint32_t i) { return i % 2 ? i / 2 : 16; }
static uint32_t eight_or_twelve(uint32_t i) { return i % 2 ? 12 : 8; }
static uint32_t sixteen(uint32_t i) { return i * 0 + 16; }

static void test_lanes(void **state)
{
    const struct agx_trial t = {0};
    (void)state;
    check("ballot r8, r1, 5, ult\n", t, below_five);
    check("mov r8, 5\nand r4, r1, 1\nif r4, 1, 1, ieq\nballot r8\npop_exec 1\n", t, odd_lanes);
    check("ballot r8, r1, 5, quad, ult\n", t, quad_ballot);
    check("u32_to_f r4, r1, rte\nballot r8, r4, 4.5, flt\n", t, below_five);
    check("shuffle r8, r1, 7\n", t, from_seven);
    check("mov r4, 5\nshuffle r8, r1, r4, xor\n", t, flipped);
    check("mov r8, r1\nif r1, 31, 1, ult\nshuffle r8, r1, 1, down\npop_exec 1\n", t, one_down);
    check("mov r8, r1\nif r1, 0, 1, ine\nshuffle r8, r1, 1, up\npop_exec 1\n", t, one_up);
    check("shuffle r8, r1, 3, quad, xor\n", t, quad_flipped);
    check("shuffle r8, r1, 1, quad\n", t, quad_second);
    check("simd r8, r1, iadd\n", t, total);
    check("simd r8, r1, prefix, iadd\n", t, before);
    check("mov r8, 5\nand r4, r1, 1\nif r4, 1, 1, ieq\nsimd r8, r1, iadd\npop_exec 1\n", t, odd_total);
    check("quad r8, r1, iadd\n", t, quad_total);
    check("mov r4, 0\nsimd r8, r4, prefix, smin\n", t, least_before);
    check("simd r8l, 0, prefix, smin\nmov r8, r8l\n", t, half_identity);
    check("mov r8, active_thread_index_in_simdgroup\n", t, own);
    check("and r4, r1, 1\nshl r4, r4, 2\niadd r4, r4, 8\nshuffle r8, r1, r4\n", t, eight_or_twelve); // one lane of a quad
    check("and r4, r1, 1\nif r4, 1, 1, ieq\nmov r8, active_thread_index_in_simdgroup\nelse 0.0, 0.0, 1, feq\n"
          "mov r8, total_active_threads_in_simdgroup\npop_exec 1\n",
          t, index_of_odd);
    check("and r4, r1, 1\nif r4, 1, 1, ieq\nmov r8, total_active_threads_in_simdgroup\nelse 0.0, 0.0, 1, feq\n"
          "mov r8, total_active_threads_in_simdgroup\npop_exec 1\n",
          t, sixteen);
    check_refused("shuffle r8, r1, r1\n", RAN_UNSUPPORTED, "lanes of a quad that read different lanes");
    check_refused("mov r4, 32\nshuffle r8, r1, r4\n", RAN_UNSUPPORTED, "a lane that does not exist");
    check_refused("shuffle r8, r1, 1, down\n", RAN_UNSUPPORTED, "a lane that does not exist");
    check_refused("if r1, 8, 1, ult\nshuffle r8, r1, 4, quad\npop_exec 1\n", RAN_UNSUPPORTED, "a lane that does not exist");
    check_refused("simd r8, r1l, iadd\n", RAN_UNSUPPORTED, "a result of this width");
    check_refused("simd dr8, dr4, iadd\n", RAN_UNSUPPORTED, "a result of this width");
}

// Each reduction, of lanes that hold 12 and 10.
static void test_reductions(void **state)
{
    static const struct {
        const char *op;
        uint32_t even, odd, want;
    } rows[] = {
        {"and", 12, 10, 8},           {"or", 12, 10, 14},          {"xor", 12, 10, 0},
        {"iadd", 12, 10, 352},        {"smin", 12, 0xfffffffe, 0xfffffffe}, {"smax", 12, 0xfffffffe, 12},
        {"umin", 12, 0xfffffffe, 12}, {"umax", 12, 0xfffffffe, 0xfffffffe},
        {"fadd", 0x3f800000, 0x40000000, 0x42400000}, {"fmul", 0x3f800000, 0x40000000, 0x47800000},
        {"fmin", 0x3f800000, 0xc0000000, 0xc0000000}, {"fmax", 0x3f800000, 0xc0000000, 0x3f800000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct agx_trial t = {0};
        const struct isa_result r =
            agx_try(&a, &t, arena_printf(&a, "ldimm r5, %u\nldimm r6, %u\nand r4, r1, 1\ncsel r4, r4, 0, r5, r6, ieq\nsimd r8, r4, %s\n",
                                         rows[i].even, rows[i].odd, rows[i].op));
        if (r.status != RAN_OK || t.words[3] != rows[i].want)
            fail_msg("%s: %s 0x%x", rows[i].op, r.text, t.words[3]);
        arena_free(&a);
    }
}

// ---- memory ----------------------------------------------------------------------

static uint32_t loaded(uint32_t i) { return 100 + i; }
static uint32_t next_word(uint32_t i) { return 101 + i; }
static uint32_t low_half(uint32_t i) { return (100 + i) & 0xffff; }
static uint32_t second_byte(uint32_t i) { return i * 0; }
static uint32_t two_words(uint32_t i) { return 100 + i + 102 + i; }
static uint32_t neighbour(uint32_t i) { return i ^ 1; }
static uint32_t added(uint32_t i) { return i * 0 + 32; }
static uint32_t eight(uint32_t i) { return i * 0 + 8; }
static uint32_t swapped(uint32_t i) { return i * 0 + 77; }

static struct agx_trial counted(void)
{
    struct agx_trial t = {0};
    for (uint32_t i = 0; i < AGX_WORDS; i++)
        t.words[i] = 100 + i;
    return t;
}

static void test_memory(void **state)
{
    (void)state;
    check("load r8, dr2, r1, i32, x, a\nwait a\n", counted(), loaded);
    check("load r8, dr2, r1, i32, y, b\nwait b\n", counted(), next_word);
    check("iadd r10, r2, 3\nmov r11, r3\nload r8, dr10, r1, i32, x, a\nwait a\n", counted(), loaded); // rounded down
    check("load r8, dr2, r1.sx, i32, x, coherent, a\nwait a\n", counted(), loaded);
    check("load r8_r9, dr2, r1, i32, xz, a\nwait a\niadd r8, r8, r9\n", counted(), two_words);
    check("load r8l, dr2, r1, lsl 1, i16, x, a\nwait a\nmov r8, r8l\n", counted(), low_half);
    check("shl r4, r1, 2\niadd r4, r4, 1\nload r8l, dr2, r4, i8, x, a\nwait a\nmov r8, r8l\n", counted(), second_byte);
    check("shl r4, r1, 2\nload r8l, dr2, r4, i8, x, a\nwait a\nmov r8, r8l\n", counted(), loaded);
    check("shl r4, r1, 1\nstore r1l, dr2, 200, i16, y, a\nload r8l, dr2, r4, i16, x, a\nwait a\nmov r8, r8l\n", counted(), loaded);
    check("mov r8, 8\nmov r5, 1\nmov r6, 0\nstore r6, dr2, 300, i32, x, a\nif r1, 24, 1, ugte\n"
          "atomic _, r5, dr2, 300, add, coherent1, a\npop_exec 1\nload r8, dr2, 300, i32, x, a\nwait a\n",
          counted(), eight);
    // Shared memory, in words of a base in bytes; a barrier; a base of 0.
    check("shl r4l, r1l, 2\nlstore r1, r4l, 0, i32, x\nbarrier\nxor r5, r1, 1\nshl r5l, r5l, 2\nlload r8, r5l, 0, i32, x\n",
          counted(), neighbour);
    check("mov r4, 0\nlstore r4, 0, i32, x\nmov r5, 1\nlatomic r6, r5, 0, add\nlload r8, 0, i32, x\n", counted(), added);
    // Every lane adds to a word of the buffer; then lane 0 of all compares and swaps.
    check("mov r5, 1\nmov r6, 0\nstore r6, dr2, 300, i32, x, a\natomic _, r5, dr2, 300, add, coherent1, a\n"
          "load r8, dr2, 300, i32, x, a\nwait a\n",
          counted(), added);
    check("mov r5, 77\nmov r6, 100\nstore r6, dr2, 300, i32, x, a\natomic r9, r5_r6, dr2, 300, cmpxchg, coherent, b\nwait b\n"
          "load r8, dr2, 300, i32, x, a\nwait a\n",
          counted(), swapped);
    check_refused("ldimm r4, 100000\nload r8, dr2, r4, i32, x, a\n", RAN_FAULT, "which is not mapped");
    check_refused("ldimm r4, 100000\nstore r8, dr2, r4, i32, x, a\n", RAN_FAULT, "which is not mapped");
    check_refused("ldimm r4l, 40000\nlload r8, r4l, 0, i32, x\n", RAN_FAULT, "outside of shared memory");
    check("mov r4, 0\nlstore r4, 0, i32, x\nmov r5, 1\nlatomic r8, r5, 0, add\n", counted(), own);
    // What arrived at once does not arrive again.
    check("mov r4, 0\nlstore r4, 0, i32, x\nlatomic r8, r4, 0, add\nlload r9, 0, i32, x\nmov r8, 8\nmov r9, 8\nwait a\nand r8, r8, r9\n",
          counted(), eight);
    check_refused("iadd r8, r4.neg, r5\n", RAN_UNSUPPORTED, "a sign where bits are read");
    check_refused("iadd r8, r4, r5.abs\n", RAN_UNSUPPORTED, "a sign where bits are read");
    check_refused("iadd r8, r4, 1.5\n", RAN_UNSUPPORTED, "a float where bits are read");
    check_refused("fadd r8, r4, 1\n", RAN_UNSUPPORTED, "an integer where a float is read");
    check_refused("iadd r8, r4, r5, lsl 1, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("iadd dr8, r4, r5, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("iadd r8, dr4, r5, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("iadd r8, r4, dr4, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("imul r8, r4, r5, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("imadd r8, r4, r5, r6, sat\n", RAN_UNSUPPORTED, "this saturation");
    check_refused("lload r8, r4l, r5l, i32, x\n", RAN_UNSUPPORTED, "an index into shared memory");
    check_refused("lload r8, r4l, 1, i32, x\n", RAN_UNSUPPORTED, "an index into shared memory");
    check_refused("load r8, r2, r1, i32, x, a\n", RAN_UNSUPPORTED, "this base");
    check_refused("mov u40, r1\n", RAN_UNSUPPORTED, "outside of the preamble");
    check_refused("mov r8, u40\n", RAN_UNSUPPORTED, "the uniform half 80, which is not set");
}

// Each atomic, on a word that holds 12, by one lane with 10 or -2.
static void test_atomics(void **state)
{
    static const struct {
        const char *op;
        uint32_t v, want;
    } rows[] = {{"add", 10, 22},         {"sub", 10, 2},  {"xchg", 10, 10},        {"umin", 0xfffffffe, 12},
                {"imin", 0xfffffffe, 0xfffffffe}, {"umax", 0xfffffffe, 0xfffffffe}, {"imax", 0xfffffffe, 12},
                {"and", 10, 8},          {"or", 10, 14},  {"xor", 10, 6}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct agx_trial t = {.local = 1};
        const struct isa_result r = agx_try(
            &a, &t, arena_printf(&a, "mov r6, 12\nstore r6, dr2, 9, i32, x, a\nldimm r5, %u\natomic r8, r5, dr2, 9, %s, a\nwait a\n",
                                 rows[i].v, rows[i].op));
        if (r.status != RAN_OK || t.words[9] != rows[i].want || t.words[0] != 12 || t.words[10])
            fail_msg("%s: %s 0x%x, old 0x%x", rows[i].op, r.text, t.words[9], t.words[0]);
        arena_free(&a);
    }
}

// A load that is not waited for, a register that is not read again, a lane that was never started and a
// register that was never written hold random values.
static void test_random(void **state)
{
    static const char *const programs[] = {
        "load r8, dr2, r1, i32, x, a\n",
        "load r8, dr2, r1, i32, x, a\nwait b\n",
        "mov r8, 5\nload r8, dr2, r1, i32, x, a\n",
        "mov r8, 5\nmov r9, 1\natomic r8, r9, dr2, 400, add, a\n",
        "mov r8, 5\nmov r9, ^r8\n",
        "mov r8, r20\n",
        "lload r8, 0, i32, x\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct arena a = {0};
        struct agx_trial t = counted();
        const struct isa_result r = agx_try(&a, &t, programs[i]);
        assert_int_equal(r.status, RAN_OK);
        if (t.words[3] == 103 || t.words[3] == 5 || t.words[3] == 0)
            fail_msg("0x%x, in\n%s", t.words[3], programs[i]);
        arena_free(&a);
    }
    // It comes at the wait, and no sooner. Other registers stay.
    check("mov r9, r1\nload r8, dr2, r1, i32, x, a\nmov r10, r9\nwait a\nmov r8, r10\n", counted(), own);
    check("load r8, dr2, r1, i32, x, a\nload r9, dr2, r1, i32, y, b\nwait b\nwait a\n", counted(), loaded);
    check("load r9, dr2, r1, i32, x, b\nload r8, dr2, r1, i32, y, a\nwait a\nwait b\n", counted(), next_word);
}

// ---- workgroups, preambles, texts ---------------------------------------------------

static void test_ids(void **state)
{
    struct arena a = {0};
    struct agx_trial t = {.local = 40, .groups = 3};
    (void)state;
    const struct isa_result r = agx_try(
        &a, &t,
        "mov r4, threadgroup_in_grid_x\nmov r1, thread_in_grid_x\nmov r6, simdgroup_index_in_threadgroup\n"
        "mov r9, thread_index_in_simdgroup\nshl r6, r6, 8\nshl r4, r4, 16\nor r8, r9, r6\nor r8, r8, r4\n");
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    assert_int_equal(r.steps, 3 * 2 * (6 + 8 + 2)); // of three workgroups of two waves
    for (uint32_t i = 0; i < 120; i++)
        assert_int_equal(t.words[i], (i / 40) << 16 | (i % 40 / 32) << 8 | i % 40 % 32);
    check("mov r8, thread_in_threadgroup_x\n", (struct agx_trial){0}, own);
    check("mov r8, thread_in_grid_x\n", (struct agx_trial){0}, own);
    check("mov r4, thread_in_threadgroup_y\nmov r5, thread_in_grid_z\niadd r8, r4, r5\niadd r8, r8, r1\n", (struct agx_trial){0}, own);
    arena_free(&a);
}

static void refused_text(const char *text, const char *why)
{
    struct arena a = {0};
    struct isa_result r;
    assert_null(agx_read(&a, text, &r));
    if (r.status != RAN_UNSUPPORTED || !strstr(r.text, why))
        fail_msg("%s, not %s", r.text, why);
    arena_free(&a);
}

static void test_texts(void **state)
{
    static const struct {
        const char *line, *why;
    } rows[] = {
        {"nonsense r1", "the operation 'nonsense' at line 1"},
        {"iadd r1", "the operand '' at line 1"},
        {"iadd r1, r2, r3, r4", "the operand 'r4'"},
        {"iadd r1, r2, r3, lsl 5", "the operand 'lsl 5'"},
        {"iadd 5, r2, r3", "the operand '5'"},
        {"iadd r1_r2, r2, r3", "the operand 'r1_r2'"},
        {"iadd r1, r2_r3, r3", "operands of iadd"},
        {"iadd r128, r2, r3", "the operand 'r128'"},
        {"iadd r127, u256, r3", "the operand 'u256'"},
        {"iadd r1, r2.yx, r3", "the operand 'r2.yx'"},
        {"iadd r1, q2, r3", "the operand 'q2'"},
        {"mov dr127, r1", "the operand 'dr127'"},
        {"mov r1, dr2l", "the operand 'dr2l'"},
        {"mov r1, u", "the operand 'u'"},
        {"fadd r1, r2, 0.00000000000000000000000000000000001", "the operand '0.0"},
        {"mov r1, core_index", "the operand 'core_index'"},
        {"mov u4, r1_r2", "operands of uniform_store"},
        {"load r1, du2, 0, f16, x, a", "the operand 'f16'"},
        {"load r1, du2, 0, i32, xy, a", "operands of load"},
        {"load r1l, du2, 0, i32, x, a", "operands of load"},
        {"load r1_r3, du2, 0, i32, xy, a", "the operand 'r1_r3'"},
        {"load r1, du2, 0, i32, x, c", "the operand 'c'"},
        {"atomic r1, r2, du2, 0, nand, a", "the operand 'nand'"},
        {"atomic r1, r2_r3, du2, 0, add, a", "operands of atomic"},
        {"atomic r1, r2, du2, 0, cmpxchg, a", "operands of atomic"},
        {"if r1, 2, 1, xyz", "the operand 'xyz'"},
        {"shuffle r1, r2, r3, rotate, up", "the operand 'rotate'"},
        {"u32_to_f r1, r2, rtn", "the operand 'rtn'"},
        {"stop 1", "the operand '1'"},
        {"wait", "the operand ''"},
    };
    (void)state;
    refused_text("", "no machine code");
    refused_text("block0 {\n   2 = device_load u0:u1, #5, xyz, #0x0, slot 0\n}\n 12: zz\n  0: 12  stop\n", "no machine code");
    refused_text("   0; 8800    stop\n   0: 8800stop\n", "no machine code");
    refused_text("   8: 8800    stop\n", "code without a start at line 1");
    refused_text("   0: 8800    stop\n   0: 8800    stop\n   0: 8800    stop\n", "a third shader at line 3");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        refused_text(arena_printf(&a, "   0: 8800    %s\n", rows[i].line), rows[i].why);
        arena_free(&a);
    }
}

static void test_preamble(void **state)
{
    struct arena a = {0};
    struct agx_trial t = {.local = 4};
    (void)state;
    const char *text = arena_printf(
        &a, "shader: x\n%sblock0 {\n   2 = device_load u0:u1\n}\n%s",
        agx_lines(&a, AGX_BEGIN "iadd r8, r1, u6\nimadd r8, r8, 1, u7h\n" AGX_END),
        agx_lines(&a, "ldimm r3, 70000\nmov u6, r3\nldimm r4l, 5\nldimm r4h, 7\nmov u7l_u7h, r4l_r4h\nload r8_r9, du2, 0, i32, xy, a\n"
                      "wait a\nmov du8, dr8\nstop\n"));
    const struct isa_result r = agx_run_text(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(t.words[i], 70007 + i);
    assert_int_equal(r.steps, 9 + 6 + 2 + 2);
    // A preamble that waits for others, and code without an end.
    struct agx_trial again = {0};
    assert_int_equal(agx_run_text(&a, &again, "  0: 8800   stop\n  0: 6800   barrier\n").status, RAN_UNSUPPORTED);
    assert_int_equal(agx_run_text(&a, &again, "  0: 6800   barrier\n").status, RAN_FAULT);
    arena_free(&a);
}

// Changed bytes of a program: an answer, and no access out of bounds (with sanitizers).
static void any_text_is_answered(void **state)
{
    static const char good[] = AGX_BEGIN "and r4, r1, 3\nif r4, 1, 1, ieq\nshuffle r8, r1, 3, quad, xor\nsimd r8, r8, prefix, iadd\n"
                                         "pop_exec 1\nlstore r8, r4l, 0, i32, x\n" AGX_END;
    struct rng random = {99};
    (void)state;
    for (uint32_t n = 0; n < 3000; n++) {
        struct arena a = {0};
        struct agx_trial t = {.step_limit = 500};
        char *text = arena_strn(&a, agx_lines(&a, good), strlen(agx_lines(&a, good)));
        for (uint32_t k = 0; k < 3; k++)
            text[rng_next(&random) % strlen(text)] = (char)(1 + rng_next(&random) % 126);
        const struct isa_result r = agx_run_text(&a, &t, text);
        assert_true(r.status == RAN_OK || r.text[0]);
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_every_operation), cmocka_unit_test(test_flow),
        cmocka_unit_test(test_inexact_sums), cmocka_unit_test(test_lanes),      cmocka_unit_test(test_reductions),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_atomics),    cmocka_unit_test(test_random),          cmocka_unit_test(test_ids),
        cmocka_unit_test(test_texts),      cmocka_unit_test(test_preamble),        cmocka_unit_test(any_text_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
