// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs Intel's code. Small programs whose answers were worked out by hand; kept texts of the
// driver, and faults planted in them; text that is not a program.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_eu_texts.h"
#include "test_isa_trial.h"

#include <stdlib.h>

enum { WORDS = 64 };
#define RESOURCE "@resource_intel (%1 (0xdeaddead), %2 (0x0), %2 (0x0), %2 (0x0)) (desc_set=0, binding=0, x=0)\n"

static struct isa_result run(struct arena *a, const struct eu_source *s, enum eu_gen gen, uint32_t size, uint32_t local,
                             uint32_t words[WORDS])
{
    const struct spv_case c = isa_trial_case(a, local, 1, words, WORDS);
    struct isa_result out;
    isa_trial_run(a, eu_read(a, s, gen, size, &out), &c, (struct isa_options){0}, &out);
    return out;
}

// r3 is the lane, r6 its byte in the buffer, r8 is 7; what r8 holds after `text` is the lane's word.
#define BEGIN                                                                                                                  \
    "(W) mov (8|M0) r5.0<1>:uw 0x76543210:v\n(W) add (8|M0) r5.8<1>:uw r5.0<8;8,1>:uw 0x8:uw\n"                                \
    "(W) mov (16|M0) r3.0<1>:ud r5.0<8;8,1>:uw\n(W) shl (16|M0) r6.0<1>:ud r3.0<8;8,1>:ud 0x2:ud\n"                            \
    "(W) mov (16|M0) r8.0<1>:ud 0x7:ud\n"
#define END                                                                                                                    \
    "\nsend.dc1 (16|M0) null r6 r8 0x80 0x04025E00 {@1,$0} // a store\n"                                                       \
    "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT,@1}\n"

static void check_of(const char *text, uint32_t local, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = {.assembly = arena_printf(&a, "%s%s%s", BEGIN, text, END), .nir = RESOURCE};
    const struct isa_result r = run(&a, &s, EU_GFX12, 16, local, words);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, text);
    for (uint32_t i = 0; i < local; i++)
        if (words[i] != want(i))
            fail_msg("lane %u: 0x%x, not 0x%x, in\n%s", i, words[i], want(i), text);
    arena_free(&a);
}
static void check(const char *text, uint32_t (*want)(uint32_t lane))
{
    check_of(text, 16, want);
}

static void check_refused(const char *text, enum ran status, const char *why)
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = {.assembly = text, .nir = RESOURCE};
    const struct isa_result r = run(&a, &s, EU_GFX12, 16, 16, words);
    if (r.status != status || !strstr(r.text, why))
        fail_msg("%d %s, not %d %s", (int)r.status, r.text, (int)status, why);
    arena_free(&a);
}

// ---- control flow and masks

static uint32_t low_four_five(uint32_t l) { return l < 4 ? 5 : 7; }
static uint32_t low_four_six(uint32_t l) { return l < 4 ? 6 : 7; }
static uint32_t low_four_else(uint32_t l) { return l < 4 ? 5 : 9; }
static uint32_t five(uint32_t l) { return 5 + 0 * l; }
static uint32_t iteration(uint32_t l) { return l & 3; }
static uint32_t stayed(uint32_t l) { return UINT32_C(0x1111) << (l & 3); }
static uint32_t started(uint32_t l) { return 0xff + 0 * l; }
static uint32_t odd_skip(uint32_t l) { return l & 1 ? 7 : 10; }
static uint32_t half(uint32_t l) { return l < 8 ? 7 : 5; }
static uint32_t halted(uint32_t l) { return l < 4 ? 0 : 5; }

#define LOW4 "cmp (16|M0) (lt)f0.0 null<1>:ud r3.0<8;8,1>:ud 0x4:ud\n"

static void test_flow(void **state)
{
    (void)state;
    check(LOW4 "(f0.0) if (16|M0) L1 L1\nmov (16|M0) r8.0<1>:ud 0x5:ud\nL1:\nendif (16|M0) L2\nL2:", low_four_five);
    check(LOW4 "(f0.0) if (16|M0) L1 L2\nmov (16|M0) r8.0<1>:ud 0x5:ud\nelse (16|M0) L2 L2\nL1:\n"
               "mov (16|M0) r8.0<1>:ud 0x9:ud\nL2:\nendif (16|M0) L3\nL3:",
          low_four_else);
    // (W) writes lanes that are off.
    check(LOW4 "(f0.0) if (16|M0) L1 L1\n(W) mov (16|M0) r8.0<1>:ud 0x5:ud\nL1:\nendif (16|M0) L2\nL2:", five);
    check("mov (8|M8) r9.0<1>:ud 0x5:ud", half); // lanes 8 to 15
}

#define LOOP(in_break)                                                                                                         \
    "mov (16|M0) r10.0<1>:ud 0x0:ud\nand (16|M0) r12.0<1>:ud r3.0<8;8,1>:ud 0x3:ud\nL1:\n"                                     \
    "cmp (16|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n(f0.0) if (16|M0) L2 L2\n" in_break                         \
    "break (16|M0) L2 L3\nL2:\nendif (16|M0) L3\nL4:\nadd (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\nL3:\nwhile (16|M0) L1\nL5:\n"

static void test_loops(void **state)
{
    (void)state;
    check(LOOP("") "mov (16|M0) r8.0<1>:ud r10.0<8;8,1>:ud", iteration);
    check(LOOP("(W) mov (1|M0) r14.0<1>:ud ce<0;1,0>:ud\n(W) and (1|M0) r14.0<1>:ud r14.0<0;1,0>:ud sr0.2<0;1,0>:ud\n"
               "mov (16|M0) r8.0<1>:ud r14.0<0;1,0>:ud\n"),
          stayed);
    // All lanes meet after the loop; lanes that were not started are not among them.
    check_of(LOOP("") "(W) mov (1|M0) r14.0<1>:ud ce<0;1,0>:ud\n(W) and (1|M0) r14.0<1>:ud r14.0<0;1,0>:ud "
                      "sr0.2<0;1,0>:ud\nmov (16|M0) r8.0<1>:ud r14.0<0;1,0>:ud",
             8, started);
    // Odd lanes continue before they count; each lane counts three rounds in r10.
    check("mov (16|M0) r10.0<1>:ud 0x0:ud\nand (16|M0) r12.0<1>:ud r3.0<8;8,1>:ud 0x1:ud\nL1:\n"
          "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\ncmp (16|M0) (lt)f1.0 null<1>:d r10.0<8;8,1>:d 3:d\n"
          "cmp (16|M0) (ne)f0.0 null<1>:d r12.0<8;8,1>:d 0:d\n(f0.0) if (16|M0) L2 L2\ncont (16|M0) L2 L3\n"
          "L2:\nendif (16|M0) L3\nadd (16|M0) r8.0<1>:d r8.0<8;8,1>:d 1:d\nL3:\n"
          "(f1.0) while (16|M0) L1\nL5:",
          odd_skip);
    // Of gfx9: lanes wait at the endif, not at the nop before it, which a break jumps over.
    check("L0:\n" LOW4 "(f0.0) if (16|M0) L1 L3\nmov (16|M0) r8.0<1>:ud 0x5:ud\nelse.b (16|M0) L2 L3\nL1:\n"
          "break (16|M0) L3 L4\nmov (16|M0) r8.0<1>:ud 0x9:ud\nL2:\nnop\nL3:\nendif (16|M0) L4\nadd (16|M0) r8.0<1>:ud r8.0<8;8,1>:ud 0x1:ud\n"
          "break (16|M0) L4 L4\nL4:\nwhile (16|M0) L0\nL5:",
          low_four_six);
    // Lanes that halt wait at the end.
    check("mov (16|M0) r8.0<1>:ud 0x5:ud\n" LOW4 "(f0.0) halt (16|M0) L1 L2\nL1:\n"
          "send.dc1 (16|M0) null r6 r8 0x80 0x04025E00\nL2:\nmov (16|M0) r8.0<1>:ud 0x0:ud\n" LOW4
          "(~f0.0) mov (16|M0) r8.0<1>:ud 0x5:ud",
          halted);
}

// Push data of one register, in a program that reads the base workgroup and no number of its thread, as for one invocation:
// the base is 0, not what the register held before.
static void test_base_workgroup(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = {.assembly = BEGIN "mov (16|M0) r8.0<1>:ud r1.2<0;1,0>:ud\n"
                                                  "add (16|M0) r8.0<1>:ud r8.0<8;8,1>:ud r1.4<0;1,0>:ud\n"
                                                  "add (16|M0) r8.0<1>:ud r8.0<8;8,1>:ud 0x1:ud" END,
                                .nir = RESOURCE,
                                .push = "RANGE0 (32B): Vulkan push constants and API params\n"};
    const struct isa_result r = run(&a, &s, EU_GFX12, 16, 1, words);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(words[0], 1);
    arena_free(&a);
}

// The number of the thread: of two threads the second writes last. In Mesa 25.0 it follows the constants.
static void test_number_of_the_thread(void **state)
{
    static const struct {
        const char *code, *push, *own, *nir;
        uint32_t want;
    } rows[] = {
        {"mov (16|M0) r8.0<1>:ud r1.1<0;1,0>:ud", "RANGE0 (32B): Vulkan push constants\n", NULL, RESOURCE, 1},
        {"mov (16|M0) r8.0<1>:ud r2.1<0;1,0>:ud", "RANGE0 (64B): Vulkan push constants\n", NULL, RESOURCE, 1},
        {"mov (16|M0) r8.0<1>:ud r1.6<0;1,0>:ud", NULL, "x\n    RANGE0 (32B): Vulkan push constants\n", "y\nuniforms: 24\n" RESOURCE, 1},
        {"mov (16|M0) r8.0<1>:ud r1.1<0;1,0>:ud", NULL, "x\n    RANGE0 (32B): Vulkan push constants\n", "y\nuniforms: 24\n" RESOURCE, 0},
        {"mov (16|M0) r8.0<1>:ud r1.1<0;1,0>:ud", NULL, "RANGE0 (32B): Vulkan push constants\n", "y\nuniforms: 29\n" RESOURCE, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0};
        const struct eu_source s = {.assembly = arena_printf(&a, "%s%s%s", BEGIN, rows[i].code, END),
                                    .nir = rows[i].nir,
                                    .own = rows[i].own,
                                    .push = rows[i].push};
        const struct isa_result r = run(&a, &s, EU_GFX12, 16, 32, words);
        if (r.status != RAN_OK || words[3] != rows[i].want)
            fail_msg("row %zu: %s %u", i, r.text, words[3]);
        arena_free(&a);
    }
}

// ---- values

static uint32_t high(uint32_t l) { return (uint32_t)((uint64_t)(l + 0x10000000u) * 0xAAAAAAABu >> 32); }
static uint32_t next_lane(uint32_t l) { return (l + 1) % 16; }
static uint32_t nibble(uint32_t l) { return (l & 7) < 4 ? l & 7 : (l & 7) - 8; }
static uint32_t largest(uint32_t l) { return l > 6 ? l : 6; }
static uint32_t pairs(uint32_t l) { return l / 2 * 2; }
static uint32_t none(uint32_t l) { return UINT32_MAX - 0 * l; }
static uint32_t negative_nan(uint32_t l) { return 0xFFA00001 + 0 * l; }
static uint32_t votes(uint32_t l) { return l < 8 ? 1 : 0; }
static uint32_t bits_of_half(uint32_t l) { return 0x3f000000 + 0 * l; }
static uint32_t low_half(uint32_t l) { return (l + 0x10000000u) * 0xAAAAAAABu; }

static void test_values(void **state)
{
    (void)state;
    check("add (16|M0) r10.0<1>:ud r3.0<8;8,1>:ud 0x10000000:ud\n"
          "mul (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud 0xAAAB:uw\nmach (8|M0) r8.0<1>:ud r10.0<8;8,1>:ud 0xAAAAAAAB:ud {AccWrEn}\n"
          "mul (8|M8) acc0.0<1>:ud r11.0<8;8,1>:ud 0xAAAB:uw\nmach (8|M8) r9.0<1>:ud r11.0<8;8,1>:ud 0xAAAAAAAB:ud {AccWrEn}",
          high);
    // A register of each lane's own choice: lane l + 1.
    check("add (16|M0) r10.0<1>:d r3.0<8;8,1>:d 1:d\nand (16|M0) r10.0<1>:ud r10.0<8;8,1>:ud 0xF:ud\n"
          "shl (16|M0) a0.0<1>:uw r10.0<16;8,2>:uw 0x2:uw\nadd (16|M0) a0.0<1>:uw a0.0<8;8,1>:uw 0x60:uw\n"
          "mov (16|M0) r8.0<1>:ud r[a0.0]<1,0>:ud",
          next_lane);
    check("mov (16|M0) r10.0<1>:w 0xFEDC3210:v\nmov (16|M0) r8.0<1>:d r10.0<8;8,1>:w", nibble);
    check("sel (16|M0) (ge)f0.0 r8.0<1>:d r3.0<8;8,1>:d 6:d", largest);
    check("mov (16|M0) r8.0<1>:ud r3.0<2;2,0>:ud", pairs);
    // The second flag register; a number that is wider than its type.
    check("mov (16|M0) r8.0<1>:ud 0x7:ud\ncmp (16|M0) (lt)f1.0 null<1>:ud r3.0<8;8,1>:ud 0x4:ud\n"
          "(W) mov (1|M0) f0.0<1>:ud 0x0:ud\n(f1.0) mov (16|M0) r8.0<1>:ud 0x5:ud",
          low_four_five);
    check("mov (16|M0) r8.0<1>:ud -65531:uw", five);
    check("mov (16|M0) r10.0<1>:d -0x5:d\nmov (16|M0) r8<1>:d -r10<8;8,1>:d", five);
    check("mov (16|M0) r10.0<1>:ud 0x0:ud\nfbl (16|M0) r8.0<1>:ud r10.0<8;8,1>:ud", none);
    // The accumulator after a product and after a float; a divisor of 0 ends nothing.
    check("add (16|M0) r10.0<1>:ud r3.0<8;8,1>:ud 0x10000000:ud\nmul (16|M0) acc0.0<1>:ud r10.0<8;8,1>:ud 0xAAAB:uw\n"
          "mach (16|M0) r8.0<1>:ud r10.0<8;8,1>:ud 0xAAAAAAAB:ud {AccWrEn}\nmov (16|M0) r8.0<1>:ud acc0.0<8;8,1>:ud",
          low_half);
    check("mov (16|M0) acc0.0<1>:f 0x3F000000:f\nmov (16|M0) r8.0<1>:ud acc0.0<8;8,1>:ud", bits_of_half);
    // The second source of a selection, bit by bit: of a NaN the sign alone changes.
    check("mov (16|M0) r10.0<1>:ud 0x7FA00001:ud\n" LOW4 "(f0.0) sel (16|M0) r8.0<1>:f r3.0<8;8,1>:f -r10.0<8;8,1>:f\n"
          "(f0.0) mov (16|M0) r8.0<1>:ud 0xFFA00001:ud", negative_nan);
    // A float that becomes an integer there: -1.
    check("mov (16|M0) r10.0<1>:f 0xBFC00000:f\nmov (16|M0) acc0.0<1>:d r10.0<8;8,1>:f\n"
          "mov (16|M0) r8.0<1>:d acc0.0<8;8,1>:d", none);
    check("math.irem (16|M0) r10.0<1>:ud r3.0<8;8,1>:ud 0x0:ud\nmath.iqot (16|M0) r12.0<1>:ud r3.0<8;8,1>:ud 0x0:ud\n"
          "mov (16|M0) r8.0<1>:ud 0x5:ud", five);
    // Any of eight lanes.
    check("(W) mov (1|M0) f0.0<1>:ud 0x0:ud\n" LOW4 "mov (16|M0) r8.0<1>:ud 0x0:ud\n"
          "(f0.0.any8h) mov (16|M0) r8.0<1>:ud 0x1:ud",
          votes);
}

// A message's payload is that of both operands: here the address and x in the first one, y in the second.
static void test_payload(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = {.assembly = "mov (8|M0) r13.0<1>:ud 0x10:ud\nmov (8|M0) r14.0<1>:ud 10:ud\n"
                                            "mov (8|M0) r20.0<1>:ud 11:ud\n"
                                            "send.dc1 (8|M0) null r13 r20 0x40 0x04026C00\n"
                                            "(W) send.ts (8|M0) null r127 null 0x0 0x02000000 {EOT}\n",
                                .nir = RESOURCE};
    const struct isa_result r = run(&a, &s, EU_GFX12, 8, 8, words);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(words[4], 10);
    assert_int_equal(words[5], 11);
    arena_free(&a);
}

// The ids of the axes that a workgroup has, a register each; r1 is x, r2 y, r3 z.
static void test_axes(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = {
        .assembly = "mov (16|M0) r10.0<1>:ud r1.0<8;8,1>:uw\nmov (16|M0) r12.0<1>:ud r2.0<8;8,1>:uw\n"
                    "mov (16|M0) r14.0<1>:ud r3.0<8;8,1>:uw\nshl (16|M0) r16.0<1>:ud r12.0<8;8,1>:ud 0x4:ud\n"
                    "shl (16|M0) r18.0<1>:ud r14.0<8;8,1>:ud 0x8:ud\nadd (16|M0) r22.0<1>:ud r10.0<8;8,1>:ud r16.0<8;8,1>:ud\n"
                    "add (16|M0) r22.0<1>:ud r22.0<8;8,1>:ud r18.0<8;8,1>:ud\nshl (16|M0) r12.0<1>:ud r12.0<8;8,1>:ud 0x4:ud\n"
                    "shl (16|M0) r14.0<1>:ud r14.0<8;8,1>:ud 0x5:ud\nshl (16|M0) r20.0<1>:ud r10.0<8;8,1>:ud 0x2:ud\n"
                    "add (16|M0) r20.0<1>:ud r20.0<8;8,1>:ud r12.0<8;8,1>:ud\nadd (16|M0) r20.0<1>:ud r20.0<8;8,1>:ud r14.0<8;8,1>:ud\n"
                    "send.ugm (16|M0) null r20 r22:2 0x0 0x64000504\n(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n",
        .nir = RESOURCE "@load_local_invocation_id\n"};
    struct isa_result out;
    struct spv_case c = isa_trial_sized(&a, (const uint32_t[]){4, 2, 2}, 1, words, WORDS);
    const struct isa_code *code = eu_read(&a, &s, EU_GFX12_5, 16, &out);
    isa_trial_run(&a, code, &c, (struct isa_options){0}, &out);
    assert_string_equal(out.text, "");
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(words[i], i % 4 | i / 4 % 2 << 4 | i / 8 << 8);
    c = isa_trial_sized(&a, (const uint32_t[]){4, 1, 2}, 1, words, WORDS);
    isa_trial_run(&a, code, &c, (struct isa_options){0}, &out);
    assert_int_equal(out.status, RAN_UNSUPPORTED);
    assert_string_equal(out.text, "unsupported: local ids of axes x and z");
    arena_free(&a);
}

static uint32_t nine(uint32_t l) { return 9 + 0 * l; }
static uint32_t nothing(uint32_t l) { return 0 * l; }

// An address may be the last one of the registers; beyond them, and in registers that nothing wrote, is any number.
static void test_any_number(void **state)
{
    (void)state;
    check("(W) mov (8|M0) r255.0<1>:ud 0x9:ud\n(W) mov (1|M0) a0.0<1>:uw 0x1FFC:uw\n"
          "mov (16|M0) r8.0<1>:ud r[a0.0]<0;1,0>:ud",
          nine);
    static const char *const texts[] = {"(W) mov (1|M0) a0.0<1>:uw 0x2000:uw\nmov (16|M0) r8.0<1>:ud r[a0.0]<0;1,0>:ud",
                                        "mov (16|M0) r8.0<1>:ud s0.0<0;1,0>:ud"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0}, any = 0;
        const struct eu_source s = {.assembly = arena_printf(&a, "%s%s%s", BEGIN, texts[i], END), .nir = RESOURCE};
        const struct isa_result r = run(&a, &s, EU_GFX12, 16, 16, words);
        assert_string_equal(r.text, "");
        for (uint32_t k = 0; k < 16; k++)
            any |= words[k];
        assert_int_not_equal(any, 0);
        arena_free(&a);
    }
}

static uint32_t low_eight(uint32_t l) { return l < 8 ? 0 : 7; }

// Bytes for 8 or 16 lanes, whatever the instruction's size.
static void test_lanes_of_messages(void **state)
{
    (void)state;
    check("send.dc0 (16|M0) r8 r6 null 0x0 0x04110000", low_eight);
    check("send.dc0 (16|M0) r8 r6 null 0x0 0x04210100", nothing);
}

// ---- messages, by their descriptors

// Programs of eight lanes: r2 is the lane, r3 its byte, r4 is 10 + the lane; word i holds 100 + i.
#define EIGHT                                                                                                          \
    "mov (8|M0) r2.0<1>:uw 0x76543210:v\nmov (8|M0) r2.0<1>:ud r2.0<8;8,1>:uw\n"                                       \
    "shl (8|M0) r3.0<1>:ud r2.0<8;8,1>:ud 0x2:ud\nadd (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud 0xA:ud\n"

static void message(enum eu_gen gen, const char *text, uint32_t at, const char *want)
{
    struct arena a = {0};
    uint32_t words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 100 + i;
    const char *end = gen == EU_GFX12 ? "(W) send.ts (8|M0) null r127 null 0x0 0x02000000 {EOT}\n"
                                      : "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";
    const struct eu_source s = {.assembly = arena_printf(&a, "%s%s%s", EIGHT, text, end), .nir = RESOURCE};
    const struct isa_result r = run(&a, &s, gen, 8, 8, words);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, text);
    for (char *end_of; *want; want = end_of + (*end_of == ' '), at++) {
        const uint32_t x = (uint32_t)strtoul(want, &end_of, 10);
        if (words[at] != x)
            fail_msg("word %u is %u, not %u, after\n%s", at, words[at], x, text);
    }
    arena_free(&a);
}

#define SAVE "send.dc1 (8|M0) null r3 r10 0x40 0x02026E00\n" // r10, to the first words

static void test_ports(void **state)
{
    (void)state;
    // Untyped: x, then x and z of lanes 0 and 1.
    message(EU_GFX12, "send.dc1 (8|M0) r10 r3 null 0x0 0x02106E00\n" SAVE, 0, "100 101 102 103 104 105 106 107");
    message(EU_GFX12, "send.dc1 (8|M0) r10 r3 null 0x0 0x02106A00\nmov (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud\n" SAVE, 0,
            "102 103 104 105 106 107 108 109");
    // Bytes and halves, zero-extended.
    message(EU_GFX12, "send.dc0 (8|M0) r10 r3 null 0x0 0x02110000\n" SAVE, 0, "100 101 102");
    message(EU_GFX12, "send.dc0 (8|M0) null r3 r4 0x40 0x02030400\n", 0, "10 11 12");
    message(EU_GFX12, "mov (8|M0) r4.0<1>:ud 0x12345678:ud\nsend.dc0 (8|M0) null r3 r4 0x40 0x02030400\n", 0, "22136 22136");
    message(EU_GFX12, "mov (8|M0) r4.0<1>:ud 0x12345678:ud\nsend.dc0 (8|M0) null r3 r4 0x40 0x02030000\n", 0, "120 120");
    message(EU_GFX12, "mov (8|M0) r4.0<1>:ud 0x12345678:ud\nsend.dc0 (8|M0) null r3 r4 0x40 0x02030800\n", 0, "305419896");
    message(EU_GFX12, "send.dc0 (8|M0) null r3 null 0x0 0x0201C000\n", 0, "100"); // a fence
    // Out of bounds: 0, and dropped.
    message(EU_GFX12, "mov (8|M0) r5.0<1>:ud 0x1000:ud\nmov (8|M0) r10.0<1>:ud 7:ud\n"
                      "send.dc1 (8|M0) r10 r5 null 0x0 0x02106E00\nsend.dc1 (8|M0) null r5 r4 0x40 0x02026E00\n" SAVE,
            0, "0 0 0 0 0 0 0 0 108");
}

static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        uint32_t op;
        const char *old, *new;
    } rows[] = {
        {1, "100 101", "0 1"}, {2, "100 101", "110 111"}, {3, "100 101", "110 110"}, {4, "100 101", "10 11"},
        {5, "100 101", "101 102"}, {6, "100 101", "99 100"}, {7, "100 101", "110 112"}, {8, "100 101", "90 90"},
        {10, "100 101", "100 101"}, {11, "100 101", "10 11"}, {12, "100 101", "100 101"}, {13, "100 101", "10 11"},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        // bit 12: of eight lanes
        const char *text = arena_printf(&a, "send.dc1 (8|M0) r10 r3 r4 0x40 0x%08X\n", 0x02109000 | rows[i].op << 8);
        message(EU_GFX12, text, 0, rows[i].new);
        message(EU_GFX12, arena_printf(&a, "%s%s", text, SAVE), 0, rows[i].old);
    }
    // A compare-exchange: with the lane's own word in lane 0 alone.
    message(EU_GFX12, "add (8|M0) r6.0<1>:ud r2.0<8;8,1>:ud 0x5:ud\nmov (8|M0) r5.0<1>:ud 100:ud\n"
                      "send.dc1 (8|M0) r10 r3 r5 0x80 0x02109E00\n", 0, "5 101 102");
    // DG2: add, inc, dec, the least, the largest, exchange, compare-exchange, and, or, xor.
    static const struct {
        uint32_t op;
        const char *new;
    } lsc[] = {{8, "101 102"}, {9, "99 100"}, {11, "10 11"}, {12, "110 112"}, {13, "90 90"}, {14, "10 11"}, {15, "100 101"},
               {16, "10 11"}, {17, "100 101"}, {24, "0 1"}, {25, "110 111"}, {26, "110 110"}};
    for (size_t i = 0; i < sizeof lsc / sizeof *lsc; i++)
        message(EU_GFX12_5, arena_printf(&a, "send.ugm (8|M0) r10 r3 r4:1 0x0 0x%08X\n", 0x62100500 | lsc[i].op), 0, lsc[i].new);
    arena_free(&a);
}

static void test_other_memory(void **state)
{
    (void)state;
    // Shared memory: store, then load one word further.
    message(EU_GFX12, "send.dc1 (8|M0) null r3 r4 0x40 0x02026EFE\nshr (8|M0) r5.0<1>:ud r3.0<8;8,1>:ud 0x1:ud\n"
                      "and (8|M0) r5.0<1>:ud r5.0<8;8,1>:ud 0xFFFFFFFC:ud\nsend.dc1 (8|M0) r10 r5 null 0x0 0x02106EFE\n" SAVE,
            0, "10 10 11 11 12 12 13 13");
    // Scratch: blocks of eight words, at 16 times the third word of the header.
    message(EU_GFX12, "(W) mov (8|M0) r6.0<1>:ud r0.0<8;8,1>:ud\n(W) mov (1|M0) r6.2<1>:ud 0x4:ud\n"
                      "(W) send.dc0 (8|M0) null r6 r4 0x40 0x020A02FF\n(W) mov (1|M0) r6.2<1>:ud 0x2:ud\n"
                      "(W) send.dc0 (8|M0) null r6 r2 0x40 0x020A02FF\n(W) mov (1|M0) r6.2<1>:ud 0x4:ud\n"
                      "(W) send.dc0 (8|M0) r10 r6 null 0x0 0x021802FF\n" SAVE,
            0, "10 11 12 13 14 15 16 17");
    // DG2: two components; a block of one lane.
    message(EU_GFX12_5, "send.ugm (8|M0) r10 r3 null:0 0x0 0x62201500\nsend.ugm (8|M0) null r3 r11:1 0x0 0x62000504\n", 0,
            "101 102 103");
    message(EU_GFX12_5, "(W) send.ugm (1|M0) r10 r3 null:0 0x0 0x6210C500\nsend.ugm (8|M0) null r3 r4:1 0x0 0x62000504\n"
                        "(W) mov (1|M0) r3.0<1>:ud 0x80:ud\n(W) send.ugm (1|M0) null r3 r10:1 0x0 0x6200C504\n",
            32, "100 101 102 103 104 105 106 107");
    message(EU_GFX12_5, "send.slm (8|M0) null r3 r4:1 0x0 0x02000504\nsend.slm (8|M0) r10 r3 null:0 0x0 0x02100500\n"
                        "add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud 1:ud\nsend.ugm (8|M0) null r3 r10:1 0x0 0x62000504\n",
            0, "11 12 13 14");
}

// Each workgroup loads words of shared memory before it stores its own: none finds those of the one before.
static void test_shared_of_each_group(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct spv_case c = isa_trial_case(&a, 8, 3, words, WORDS);
    struct isa_result out;
    const struct eu_source s = {.assembly = EIGHT "shl (8|M0) r5.0<1>:ud r0.1<0;1,0>:ud 0x5:ud\n"
                                                  "add (8|M0) r6.0<1>:ud r3.0<8;8,1>:ud r5.0<8;8,1>:ud\n"
                                                  "send.dc1 (8|M0) r10 r3 null 0x0 0x02106EFE\n"
                                                  "send.dc1 (8|M0) null r3 r4 0x40 0x02026EFE\n"
                                                  "send.dc1 (8|M0) null r6 r10 0x40 0x02026E00\n"
                                                  "(W) send.ts (8|M0) null r127 null 0x0 0x02000000 {EOT}\n",
                                .nir = RESOURCE};
    isa_trial_run(&a, eu_read(&a, &s, EU_GFX12, 8, &out), &c, (struct isa_options){0}, &out);
    assert_int_equal(out.status, RAN_OK);
    for (uint32_t i = 0; i < 24; i++)
        if (!words[i] || words[i] == 10 + i % 8)
            fail_msg("word %u is %u", i, words[i]);
    arena_free(&a);
}

// ---- kept texts, and faults in them

static void kept_words(uint32_t want[WORDS])
{
    memset(want, 0, WORDS * sizeof *want);
    for (uint32_t l = 0; l < 8; l++) {
        want[4 * l] = UINT32_C(0x11) << (l & 3);
        want[4 * l + 1] = 0xff;
    }
}

static void test_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof eu_texts / sizeof *eu_texts; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0}, want[WORDS];
        const struct isa_result r = run(&a, &eu_texts[i].source, eu_texts[i].gen, eu_texts[i].size, 8, words);
        kept_words(want);
        if (r.status != RAN_OK || memcmp(words, want, sizeof want) != 0)
            fail_msg("%s: %s", eu_texts[i].name, r.status == RAN_OK ? "other words" : r.text);
        arena_free(&a);
    }
}

// Each changes the first place of `from` in the text for TGL with 16 lanes.
static const struct {
    const char *name, *from, *to;
} faults[] = {
    {"a wrong JIP of an if", "if (16|M0) L304 L304", "if (16|M0) L328 L328"},
    {"HALT for BREAK", "break (16|M0) L304 L328", "halt (16|M0) L304 L304"},
    {"NoMask added under a mask", "\nmov (16|M0) r16.0<1>", "\n(W) mov (16|M0) r12.0<1>"},
    {"a half skipped", "\nshl (16|M0) r12.0", "\nshl (4|M0) r12.0"},
    {"a flag clobbered", "(f0.0) if", "(f1.0) if"},
    {"a flag inverted", "(f0.0) if", "(~f0.0) if"},
    {"a wrong JIP", "while (16|M0) L120", "while (16|M0) L152"},
    {"the mask of started lanes ignored", "sr0.2<0;1,0>", "0xFFFF:ud {} //"},
    {"a region of one element", "r6.0<8;8,1>:d 0x4", "r6.0<0;1,0>:d 0x4"},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena a = {0};
        uint32_t words[WORDS] = {0}, want[WORDS];
        struct eu_source s = eu_texts[0].source;
        const char *at = strstr(s.assembly, faults[i].from);
        if (!at)
            fail_msg("'%s' is not in the text", faults[i].from);
        s.assembly = arena_printf(&a, "%.*s%s%s", (int)(at - s.assembly), s.assembly, faults[i].to, at + strlen(faults[i].from));
        const struct isa_result r = run(&a, &s, eu_texts[0].gen, eu_texts[0].size, 8, words);
        kept_words(want);
        if (r.status == RAN_OK && memcmp(words, want, sizeof want) == 0)
            fail_msg("not seen: %s", faults[i].name);
        arena_free(&a);
    }
}

// What ends a text of gfx9 is in its descriptor; a comment may be empty; a resource may be without a place.
static void test_texts(void **state)
{
    (void)state;
    struct arena a = {0};
    struct text nops = {.arena = &a};
    uint32_t words[WORDS] = {0};
    struct eu_source s = {.assembly = "nop //\n"
                                      "send (8|M0) null r127 0x27 0x02000010\nan instruction\n",
                          .nir = "@resource_intel (%1 (0xdeaddead), %2 (0x0))\n"};
    assert_string_equal(run(&a, &s, EU_GFX9, 16, 1, words).text, "");
    // As many instructions as fit, and one more.
    for (int i = 1; i < 1 << 14; i++)
        text_add(&nops, "nop\n");
    const char *end = "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT}\n";
    s.assembly = arena_printf(&a, "%s%s", nops.v, end);
    assert_string_equal(run(&a, &s, EU_GFX12, 16, 1, words).text, "");
    s.assembly = arena_printf(&a, "nop\n%s%s", nops.v, end);
    assert_non_null(strstr(run(&a, &s, EU_GFX12, 16, 1, words).text, "more than 16384 instructions"));
    // Regions of gfx9's align16 mode are printed as others; the driver's own text says that they are there.
    s = (struct eu_source){.assembly = end, .own = "add (16) r22:f -r20<4;0,0>.xyxy:f r20<4;0,0>.zwzw:f {Align16}\n"};
    assert_string_equal(run(&a, &s, EU_GFX9, 16, 1, words).text, "unsupported: align16 mode");
    // Push constants that no register holds.
    s = (struct eu_source){.assembly = end, .push = "RANGE0 (36B): Vulkan push constants and API params\n"};
    assert_string_equal(run(&a, &s, EU_GFX12, 16, 1, words).text, "unsupported: push constants");
    arena_free(&a);
}

// The table as rows: as many as fit, nothing beyond them, and the number of all.
static void test_table(void **state)
{
    (void)state;
    struct eu_row rows[200] = {{.name = NULL}};
    const uint32_t all = eu_rows(rows, 3);
    assert_in_range(all, 40, 190);
    assert_string_equal(rows[2].name, "and");
    assert_null(rows[3].name);
    assert_int_equal(eu_rows(rows, 200), all);
    assert_string_equal(rows[all - 1].name, "nop");
    assert_null(rows[all].name);
}

static void test_refusals(void **state)
{
    (void)state;
    const char end[] = "(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT}\n";
    struct arena a = {0};
    check_refused("", RAN_INVALID, "no program with an end");
    check_refused("nop\n", RAN_INVALID, "no program with an end");
    check_refused(arena_printf(&a, "nop\ncall (16|M0) L1 L1\n%s", end), RAN_UNSUPPORTED, "instruction 'call' at line 2");
    check_refused(arena_printf(&a, "mov (16|M0) r1.0<1>:ud r2.0<8;8>:bf\n%s", end), RAN_UNSUPPORTED, "source 'r2.0<8;8>:bf'");
    check_refused(arena_printf(&a, "mov (16|M0) r1.0<1>:ud r300.0<8;8,1>:ud\n%s", end), RAN_UNSUPPORTED, "source 'r300");
    check_refused(arena_printf(&a, "endif (16|M0) L7\n%s", end), RAN_UNSUPPORTED, "undefined label L7 at line 1");
    check_refused(arena_printf(&a, "send.dc1 (16|M0) null r6 r8 0x80 0x04025E05\n%s", end), RAN_UNSUPPORTED,
                  "entry 5 of the binding table at line 1");
    check_refused(arena_printf(&a, "send.dc1 (16|M0) null r6 r8 0x80 0x04029E00\n%s", end), RAN_UNSUPPORTED,
                  "message 0x04029e00 to unit 12 at line 1");
    check_refused(arena_printf(&a, "L1:\nwhile (16|M0) L1\n%s", end), RAN_OVER_LIMIT, "more than");
    static const struct {
        const char *text;
        enum ran status;
        const char *why;
    } rows[] = {
        {"mov (8|M0) r1.0<1>:ud sr0.0<0;1,0>:ud", RAN_UNSUPPORTED, "a source of this kind"},
        {"mov (8|M0) n0.0<1>:ud r1.0<8;8,1>:ud", RAN_UNSUPPORTED, "a destination of this kind"},
        {"mov (1|M0) r1.0<1>:uw ce<0;1,0>:uw", RAN_UNSUPPORTED, "state that is not a doubleword"},
        {"mov (8|M0) acc0.0<1>:q r1.0<4;4,1>:q", RAN_UNSUPPORTED, "this accumulator"},
        {"mov (8|M0) r1.0<1>:q acc0.0<4;4,1>:q", RAN_UNSUPPORTED, "this accumulator"},
        {"mov (16|M0) acc7.0<1>:d r1.0<8;8,1>:d", RAN_UNSUPPORTED, "this accumulator"}, // its last eight lanes
        {"mov (16|M0) r1.0<1>:ud r255.0<8;8,1>:ud", RAN_FAULT, "a region that leaves the registers"},
        {"mov (16|M0) r255.0<1>:ud r1.0<8;8,1>:ud", RAN_FAULT, "a region that leaves the registers"},
        {"mov (2|M0) r1.0<1>:ud r255.7<1;1,0>:ud", RAN_FAULT, "a region that leaves the registers"},
        {"mov (2|M0) r255.7<1>:ud 0:d", RAN_FAULT, "a region that leaves the registers"},
        // Over the end at once, not by the first element after it.
        {"mov (16|M0) r1.0<1>:ud r255.7<16;8,2>:ud", RAN_FAULT, "a region that leaves the registers"},
        {"mov (16|M0) r255.7<2>:ud r1.0<8;8,1>:ud", RAN_FAULT, "a region that leaves the registers"},
        {"cmp (16|M16) (eq)f0.1 null<1>:d r1.0<8;8,1>:d 0:d", RAN_UNSUPPORTED, "flags of lanes 16 to 31"},
        {"(f0.1) mov (16|M16) r1.0<1>:ud 0:ud", RAN_UNSUPPORTED, "flags of lanes 16 to 31"},
        {"send.dc0 (8|M0) null r1 r2 0x40 0x02030C00", RAN_UNSUPPORTED, "message 0x02030c00 to unit 10"},
        {"send.dc0 (8|M0) null r1 r2 0x40 0x02032400", RAN_UNSUPPORTED, "message 0x02032400 to unit 10"},
        {"send.dc1 (8|M0) r3 r1 r2 0x40 0x02109F00", RAN_UNSUPPORTED, "message 0x02109f00 to unit 12"},
        {"send.dc1 (8|M0) r3 r1 null 0x0 0x02186E00", RAN_UNSUPPORTED, "message 0x02186e00 to unit 12"},
        {"send.dc0 (8|M0) r3 r1 r2 0x40 0x02109700", RAN_UNSUPPORTED, "message 0x02109700 to unit 10"},
        {"send.ugm (8|M0) r3 r1 r2 0x0 0x6210051B", RAN_UNSUPPORTED, "message 0x6210051b to unit 15"},
        {"send.ugm (8|M0) r3 r1 null 0x0 0x62100480", RAN_UNSUPPORTED, "message 0x62100480 to unit 15"},
        {"send.ugm (8|M0) r3 r1 null 0x0 0x02100500", RAN_UNSUPPORTED, "message 0x02100500 to unit 15"},
        {"(W) and (1|M0) r6.0<1>:ud r0.5<0;1,0>:ud 0xFFFFFC00:ud\n(W) shr (1|M0) a0.0<1>:ud r6.0<0;1,0>:ud 0x4:ud\n"
         "send.ugm (8|M0) r3 r1 null a0.0 0x22100500 {ExBSO}", RAN_UNSUPPORTED, "message 0x22100500 to unit 15 at line 3"},
        {"(W) mov (8|M0) r6.0<1>:ud r0.0<8;8,1>:ud\n(W) mov (1|M0) r6.2<1>:ud 0x3F4:ud\n"
         "(W) send.dc0 (8|M0) null r6 r4 0x40 0x020A02FF", RAN_UNSUPPORTED, "scratch beyond 16384 bytes"},
        {"L1:\njmpi L1", RAN_UNSUPPORTED, "jmpi"},
        {"sendc.rc (16|M0) null r126 null 0x0 0x04031400", RAN_UNSUPPORTED, "message 0x04031400 to unit 5"},
        // Just beyond what operands can be.
        {"(f0.2) mov (8|M0) r1.0<1>:ud 0:d", RAN_UNSUPPORTED, "predicate '(f0.2)'"},
        {"mov (16|M0) r1.0<1>:ud r2.0<17;1,17>:ud", RAN_UNSUPPORTED, "source 'r2.0<17;1,17>:ud'"},
        {"mov (16|M0) r1.0<1>:ud r[a0.0,16385]<1,0>:ud", RAN_UNSUPPORTED, "source 'r[a0.0,16385]<1,0>:ud'"},
        {"mov (3|M0) r1.0<1>:ud 0:d", RAN_UNSUPPORTED, "lanes '(3|M0)'"},
        {"L1:\n(W) endif (8|M0) L1", RAN_UNSUPPORTED, "endif without a mask"},
        {"send.gtwy (8|M0) null r1 null 0x0 0x02000003", RAN_UNSUPPORTED, "message 0x02000003 to unit 3"},
        {"(W) send.dc0 (8|M0) null r1 r2 0x40 0x020A02FF", RAN_UNSUPPORTED, "an address without a buffer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_refused(arena_printf(&a, "%s\n%s", rows[i].text, end), rows[i].status, rows[i].why);
    check_refused(arena_printf(&a, "sync.bar null\n%s", end), RAN_FAULT, "a wait without a signal at line 1");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),  cmocka_unit_test(test_loops),  cmocka_unit_test(test_base_workgroup), cmocka_unit_test(test_number_of_the_thread), cmocka_unit_test(test_values), cmocka_unit_test(test_payload), cmocka_unit_test(test_axes), cmocka_unit_test(test_any_number), cmocka_unit_test(test_lanes_of_messages), cmocka_unit_test(test_ports), cmocka_unit_test(test_atomics), cmocka_unit_test(test_other_memory), cmocka_unit_test(test_shared_of_each_group),
        cmocka_unit_test(test_kept),  cmocka_unit_test(test_faults), cmocka_unit_test(test_texts), cmocka_unit_test(test_table), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
