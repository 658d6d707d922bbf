// SPDX-License-Identifier: Apache-2.0
//
// isa: the reader of v3dv's code between its passes (VIR), on programs by hand; texts that are not such code.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_qpu_common.h"

static const char nir[] = QPU_NIR;

// t10 is the lane, t11 the address of the invocation's word; t20 is stored there.
#define BEGIN                                                                                                          \
    "BLOCK 0:\nmov t1, rf2\neidx t10\nnop t2; ldunif (0x0000001a / 0.000000)\nshr t3, t1, t2\nshl t4, t3, 2\n"         \
    "nop t12; ldunif (ssbo[0])\nadd t11, t12, t4\n"
#define END "mov tmud, t20\nadd tmua, t11, 0\nnop null; thrsw\ntmuwt t90\nnop null; thrsw\n"

static const char *machine; // machine code of numbers that VIR prints as "-nan"

static const struct isa_code *vir_read(struct arena *a, const char *before, const char *text, struct isa_result *why)
{
    const struct qpu_vir_texts x = {.nir = nir, .before = before, .machine = machine, .text = text};
    return qpu_vir_read(a, &x, why);
}

static struct isa_result try(struct arena *a, struct qpu_trial *t, const char *before, const char *text)
{
    const struct spv_case c = qpu_case(a, t);
    struct isa_result out;
    isa_trial_run(a, vir_read(a, before, text, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

static void check(const char *before, const char *program, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    struct qpu_trial t = {.local = 16};
    const struct isa_result r = try(&a, &t, before, arena_printf(&a, "%s%s%s", BEGIN, program, END));
    if (r.status != RAN_OK)
        fail_msg("%s at %u, in\n%s", r.text, r.line, program);
    for (uint32_t i = 0; i < 16; i++)
        if (t.words[i] != want(i))
            fail_msg("lane %u: 0x%x, not 0x%x, in\n%s", i, t.words[i], want(i), program);
    arena_free(&a);
}

static uint32_t lane(uint32_t i) { return i; }
static uint32_t low_is_7(uint32_t i) { return i < 5 ? 7 : i; }
static uint32_t none(uint32_t i) { return i * 0; }
static uint32_t all(uint32_t i) { return i | UINT32_MAX; }
static uint32_t minus_3(uint32_t i) { return i < 5 ? (uint32_t)-3 : i; }
static uint32_t half(uint32_t i) { return i * 0 + 0x3f000000; }
static uint32_t product(uint32_t i) { return i * 3; }

static void values_and_blocks(void **state)
{
    (void)state;
    check(NULL, "mov t20, t10\n", lane);
    check(NULL, "mov t20, t10\nsub.pushc null, t10, 5\nmov.ifa t20, 7\n", low_is_7);
    check(NULL, "nop t5; ldunif (0x00000003 / 0.000000)\numul24_rtop0 t20, t10, t5\n", product);
    check(NULL, "mov t20, 0.500000\n", half);
    // A branch goes to its first successor, at once; each uniform belongs to its instruction.
    check(NULL, "mov t20, t10\nmov.pushz null, t20\nbu.anyap  8, r:unif (0x00000000 / 0.000000)\n-> BLOCK 2, 1\n"
                "BLOCK 1:\nnop t20; ldunif (0x00000009 / 0.000000)\n-> BLOCK 2\nBLOCK 2:\n", lane);
    check(NULL, "mov t20, t10\nmov.pushz null, t20\nbu.alla  8, r:unif (0x00000000 / 0.000000)\n-> BLOCK 2, 1\n"
                "BLOCK 1:\nnop t20; ldunif (0x00000000 / 0.000000)\n-> BLOCK 2\nBLOCK 2:\n", none);
    // A loop: the lane counts down, lane by lane.
    check(NULL, "mov t20, 0\nmov t30, t10\n-> BLOCK 1\nBLOCK 1:\nmov.pushz null, t30\nadd.ifna t20, t20, 1\nsub.ifna t30, t30, 1\n"
                "mov.pushz null, t30\nbu.anynap  8, r:unif (0x00000000 / 0.000000)\n-> BLOCK 1, 2\nBLOCK 2:\n", lane);
}

// VIR prints -16 to -1 as "-nan"; the text before shows which.
static void numbers_of_the_text_before(void **state)
{
    struct arena a = {0};
    (void)state;
    const char *low = "mov t20, t10\nsub.pushc null, t10, 5\nmov.ifa t20, -nan\n";
    const char *before = "BLOCK 0:\nnop t50; ldunif (0xfffffffd / -nan)\nmov t20, t10\nmov.ifa t20, t50\nmov.ifa t21, t51\n";
    check(before, low, minus_3);
    check("nop t50; ldunif (0xffffffff / -nan)\nmov t20, t50\n", "mov t20, -nan\n", all);
    // Two such operations, in the same order.
    check("nop t50; ldunif (0xfffffffd / -nan)\nmov.ifa t20, t10\nmov.ifa t20, t50\n",
          "mov t20, t10\nsub.pushc null, t10, 5\nmov.ifa t20, 3\nmov.ifa t20, -nan\n", minus_3);
    static const char *const open[] = {
        NULL, "", "mov.ifa t20, t50\n",
        "nop t50; ldunif (0x00000003 / 0.0)\nmov.ifa t20, t50\n",
        "nop t50; ldunif (0xfffffffd / -nan)\nmov.ifa t20, t50\nnop t51; ldunif (0xfffffffe / -nan)\nmov.ifa t20, t51\n",
        "nop t50; ldunif (0xfffffffd / -nan)\nnop t50; ldunif (0xfffffffd / -nan)\nmov.ifa t20, t50\n",
        "nop t50; ldunif (0xfffffffd / -nan)\nmov.ifna t20, t50\nmov.ifa t21, t50\n",
    };
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        struct qpu_trial t = {.local = 16};
        const struct isa_result r = try(&a, &t, open[i], arena_printf(&a, "%s%s%s", BEGIN, low, END));
        if (r.status != RAN_UNSUPPORTED || strcmp(r.text, "unsupported: the operand '-nan' at line 11") != 0)
            fail_msg("%zu: %s", i, r.text);
    }
    arena_free(&a);
}

static uint32_t low_is_minus_5(uint32_t i) { return i < 5 ? (uint32_t)-5 : i; }
static uint32_t two(uint32_t i) { return i < 5 ? (uint32_t)-3 : i < 9 ? (uint32_t)-5 : i; }

// Where the text before has another operation, machine code and the operation's destination show the number.
static void numbers_of_both_texts(void **state)
{
#define CODE "0x38402187bb03f002 eidx rf7                      ; nop                         ; ldunif (ssbo[0])\n"
#define BRANCH "0x0200008d0020d000 bu.anynap  136, r:unif (0x00000004 / 0.000000)\n"
#define NOP "0x38003186bb03f000 nop                           ; nop                         ; thrsw\n"
    static const char low[] = "mov t20, t10\nsub.pushc null, t10, 5\nmov.ifa t20, -nan\n";
    static const char loads[] = "nop t50; ldunif (0xfffffffd / -nan)\nnop t51; ldunif (0xfffffffb / -nan)\n";
    static const char both[] = "mov t20, t10\nsub.pushc null, t10, 9\nmov.ifa t20, -nan\nmov t21, t20\nsub.pushc null, t10, 5\n"
                               "mov.ifa t21, -nan\nmov t20, t21\n";
    static const char branch[] = "mov t20, t10\nsub.pushc null, t10, 5\nbu.alla  8, r:unif (0x00000000 / 0.000000)\n-> BLOCK 2, 1\n"
                                 "BLOCK 1:\nmov.ifa t20, -nan\n-> BLOCK 2\nBLOCK 2:\n";
    static const struct {
        const char *vir, *before, *machine;
        uint32_t (*want)(uint32_t); // NULL: not known
    } rows[] = {
        {low, "mov t20, t50\n", CODE "0x3bcc1746bb143000 nop                           ; mov.ifa rf29, -3\n", minus_3},
        {low, "mov.ifna t20, t51\n", CODE "0x3bcc1746bb143000 mov.ifa rf29, -5                ; nop\n", low_is_minus_5},
        // Two of one kind: their destinations show which is which. Machine code has another order.
        {both, "mov t20, t51\nadd t21, t50, t1\n", CODE "0x3bcc1746bb143000 mov.ifa rf2, -3                ; mov.ifa rf3, -5\n", two},
        // A destination with two numbers, of which machine code has one alone.
        {low, "mov.ifna t20, t50\nadd t20, t1, t51\n", CODE "0x3bcc1746bb143000 mov.ifa rf2, -5                ; nop\n", low_is_minus_5},
        // The part after a branch, which begins after three more instructions.
        {branch, "mov t20, t51\n", CODE BRANCH NOP NOP "0x1 mov.ifa rf2, -3 ; nop\n" "0x1 mov.ifa rf2, -5 ; nop\n", low_is_minus_5},
        // Not known: neither text alone, another number, another operation, place or part, one too many.
        {low, "mov t20, t50\n", NULL, NULL},
        {low, "mov t20, t50\n", CODE, NULL},
        {low, "mov t21, t50\n", CODE "0x1 mov.ifa rf29, -3 ; nop\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifa rf29, -5 ; nop\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifna rf29, -3 ; nop\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifa -3, rf29 ; nop\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifa rf29, -3 ; mov.ifa rf30, -3\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifa rf29, -3 ; mov.ifa rf30, -5\n", NULL},
        {low, "mov t20, t50\n", CODE "0x1 mov.ifa rf29, -3 ; nop\n" BRANCH NOP NOP NOP, NULL},
        {branch, "mov t20, t51\n", CODE BRANCH NOP NOP "0x1 mov.ifa rf2, -5 ; nop\n", NULL},
        {both, "mov t20, t51\nadd t21, t50, t51\n", CODE "0x1 mov.ifa rf2, -3 ; mov.ifa rf3, -5\n", NULL},
        {both, "mov t20, t51\nadd t21, t50, t1\n", CODE "0x1 mov.ifa rf2, -3 ; mov.ifa rf3, -3\n", NULL},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        machine = rows[i].machine;
        const char *before = arena_printf(&a, "%s%s", loads, rows[i].before);
        if (rows[i].want) {
            check(before, rows[i].vir, rows[i].want);
            continue;
        }
        struct qpu_trial t = {.local = 16};
        const struct isa_result r = try(&a, &t, before, arena_printf(&a, "%s%s%s", BEGIN, rows[i].vir, END));
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, "unsupported: the operand '-nan'"))
            fail_msg("%zu: %s", i, r.text);
    }
    machine = NULL;
    arena_free(&a);
}

static void what_is_not_vir_is_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "no code"},
        {"mov t1, t2\n", "an instruction outside of a block: 'mov t1, t2'"},
        {"BLOCK x:\n", "the block 'BLOCK x:'"},
        {"BLOCK 0:\nfrob t1, t2\n", "the operation 'frob' at line 2"},
        {"BLOCK 0:\nmov t1, rf99\n", "the operand 'rf99'"},
        {"BLOCK 0:\nmov t99999999, t1\n", "the destination 't99999999'"},
        {"BLOCK 0:\nmov t1\n", "the operand ''"},
        {"BLOCK 0:\nnop t5; ldvary.rf0\n", "the signal 'ldvary.rf0'"},
        {"BLOCK 0:\nnop t5\n", "the destination of 'nop t5'"},
        {"BLOCK 0:\nadd t5, t6, t7; ldunif (0x00000001 / 0.0)\n", "a signal of 'add t5, t6, t7'"},
        {"BLOCK 0:\nnop t5; ldunif\n", "no uniform for 'nop t5; ldunif'"},
        {"BLOCK 0:\nmov t5, t6 (0x00000001 / 0.0)\n", "a uniform for 'mov t5, t6'"},
        {"BLOCK 0:\nbu  8, r:unif (0x00000000 / 0.0)\nmov t1, t2\n", "an instruction after the branch: 'mov t1, t2'"},
        {"BLOCK 0:\nmov t1, t2\n-> BLOCK 1\nBLOCK 2:\nmov t1, t2\n", "the way to the next block"},
        {"BLOCK 0:\nmov t1, t2\n-> BLOCK 1, 2\nBLOCK 1:\nmov t1, t2\n", "two blocks without a branch"},
        {"BLOCK 0:\nbu  8, r:unif (0x00000000 / 0.0)\n-> BLOCK 3\n", "the way to the next block"},
        {"BLOCK 0:\nmov t1, t2\nBLOCK 1:\nmov t1, t2\n", "the way to the next block"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct isa_result why;
        assert_null(vir_read(&a, NULL, bad[i].text, &why));
        if (why.status != RAN_UNSUPPORTED || !strstr(why.text, bad[i].why))
            fail_msg("%s, not %s", why.text, bad[i].why);
    }
    struct isa_result why;
    assert_null(qpu_vir_read(&a, &(struct qpu_vir_texts){.nir = "", .text = "BLOCK 0:\nmov t1, t2\n"}, &why));
    assert_string_equal(why.text, "unsupported: no intermediate code");
    struct qpu_trial t = {.local = 16, .step_limit = 1000};
    const struct isa_result endless = try(&a, &t, NULL, "BLOCK 0:\nbu  8, r:unif (0x00000000 / 0.0)\n-> BLOCK 0\n");
    assert_int_equal(endless.status, RAN_OVER_LIMIT);
    arena_free(&a);
}

// A barrier, which all threads of the workgroup reach; the word of the other thread is read after it.
static void threads_wait_at_a_barrier(void **state)
{
    struct arena a = {0};
    struct qpu_trial t = {.local = 32};
    (void)state;
    const struct isa_result r =
        try(&a, &t, NULL, BEGIN "mov tmud, t3\nadd tmua, t11, 0\nnop null; thrsw\ntmuwt t90\nbarrierid syncb\nnop null; thrsw\n"
                          "nop t5; ldunif (0x00000040 / 0.0)\nxor t6, t11, t5\nadd tmua, t6, 0\nnop null; thrsw\nnop t20; ldtmu.rf0\n"
                          "nop t7; ldunif (0x00000100 / 0.0)\nadd t11, t11, t7\n" END);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(t.words[64 + i], i ^ 16);
    arena_free(&a);
}

// A dump may be any bytes: changed ones are refused or run, and nothing else happens.
static void any_bytes_are_read(void **state)
{
    static const char text[] =
        BEGIN "mov t20, t10\nsub.pushc null, t10, 5\nmov.ifa t20, -nan\nbu.anyap  8, r:unif (0x00000000 / 0.000000)\n"
              "-> BLOCK 2, 1\nBLOCK 1:\nnop t20; ldunif (0x00000009 / 0.000000)\n-> BLOCK 2\nBLOCK 2:\n" END;
    static const char before[] = "nop t50; ldunif (0xfffffffd / -nan)\nmov.ifa t20, t50\n";
    struct rng chance = {7};
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct arena a = {0};
        struct qpu_trial t = {.local = 16, .step_limit = 1000};
        char *mine = arena_strn(&a, text, sizeof text - 1);
        for (uint64_t k = rng_next(&chance) % 4; k < 4; k++)
            mine[rng_next(&chance) % (sizeof text - 1)] = "0129t,;.:-> ()\nBLOCKrfmov\xff"[rng_next(&chance) % 27];
        machine = i % 3 ? mine : NULL;
        try(&a, &t, i % 2 ? before : mine, mine);
        machine = NULL;
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_blocks),
        cmocka_unit_test(numbers_of_the_text_before),
        cmocka_unit_test(numbers_of_both_texts),
        cmocka_unit_test(what_is_not_vir_is_refused),
        cmocka_unit_test(threads_wait_at_a_barrier), cmocka_unit_test(any_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
