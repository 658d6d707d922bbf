// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine for Intel's code on code of IGC: unstructured branches, arguments of a kernel, what only that compiler
// emits. Kept texts, faults in them, and "ze_info" that says something else.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_eu_kernels.h"
#include "test_isa_trial.h"

enum { WORDS = 64, LOCAL = 24, TABLE = 32 };

static struct isa_result run_sized(struct arena *a, const struct eu_source *s, enum eu_gen gen, const uint32_t size[3],
                                   uint32_t words[WORDS])
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i < TABLE ? 0 : 5 * i - 155;
    const struct spv_case c = isa_trial_sized(a, size, 1, words, WORDS);
    struct isa_result out;
    isa_trial_run(a, eu_read(a, s, gen, 16, &out), &c, (struct isa_options){0}, &out);
    return out;
}

static struct isa_result run(struct arena *a, const struct eu_source *s, enum eu_gen gen, uint32_t words[WORDS])
{
    return run_sized(a, s, gen, (const uint32_t[]){LOCAL, 1, 1}, words);
}

// The text with the first place of `from` changed.
static const char *changed(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("'%s' is not in the text", from);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

// What the kernel leaves, by its C text.
static void kept_words(uint32_t out[WORDS])
{
    uint32_t v[LOCAL], all[2] = {0};
    for (uint32_t i = TABLE; i < WORDS; i++)
        out[i] = 5 * i - 155;
    for (uint32_t l = 0; l < LOCAL; l++) {
        uint32_t n = 0;
        v[l] = 7 * l;
        for (uint32_t i = 0; i < (l & 3) + 2; i++) {
            if (v[l] & 1) {
                v[l] = 3 * v[l] + 1;
                if (v[l] > 90)
                    break;
            } else {
                v[l] = v[l] / 2 + out[TABLE + i];
                if (v[l] == 9)
                    continue;
            }
            n += (v[l] ^ i) % 5;
        }
        all[l / 16] |= (uint32_t)(v[l] > 20) << l % 16;
        out[l] = n << 8;
    }
    for (uint32_t l = 0; l < LOCAL; l++)
        out[l] |= v[l] | all[l / 16] << 16;
    memset(out + LOCAL, 0, (TABLE - LOCAL) * sizeof *out);
}

static void test_kept(void **state)
{
    (void)state;
    uint32_t words[WORDS], want[WORDS];
    kept_words(want);
    for (size_t i = 0; i < sizeof eu_kernels / sizeof *eu_kernels; i++) {
        struct arena a = {0};
        const struct isa_result r = run(&a, &eu_kernels[i].source, eu_kernels[i].gen, words);
        if (r.status != RAN_OK)
            fail_msg("%s: %s", eu_kernels[i].name, r.text);
        for (uint32_t k = 0; k < WORDS; k++)
            if (words[k] != want[k])
                fail_msg("%s: word %u is 0x%x, not 0x%x", eu_kernels[i].name, k, words[k], want[k]);
        arena_free(&a);
    }
}

// Lines may end in a carriage return and a newline.
static void test_returns(void **state)
{
    (void)state;
    struct arena a = {0};
    struct text t = {.arena = &a};
    uint32_t words[WORDS], want[WORDS];
    struct eu_source s = eu_kernels[1].source;
    for (const char *c = s.kernel; *c; c++)
        text_add(&t, "%s%c", *c == '\n' ? "\r" : "", *c);
    s.kernel = t.v;
    const struct isa_result r = run(&a, &s, eu_kernels[1].gen, words);
    kept_words(want);
    assert_int_equal(r.status, RAN_OK);
    assert_memory_equal(words, want, sizeof want);
    arena_free(&a);
}

// Blanks at the ends of lines, and a part that is not about arguments.
static void test_other_parts(void **state)
{
    (void)state;
    struct arena a = {0};
    struct text t = {.arena = &a};
    uint32_t words[WORDS], want[WORDS];
    struct eu_source s = eu_kernels[0].source;
    for (const char *c = s.kernel; *c; c++)
        text_add(&t, "%s%c", *c == '\n' ? " " : "", *c);
    text_add(&t, "    properties_of_something:\n      - size:            4000\n        offset:          9\n");
    text_add(&t, "    per_thread_payload_arguments:\n      - arg_type:        local_id\n    kernels_misc_info:\n"
                 "      - size:            4000\n");
    s.kernel = t.v;
    const struct isa_result r = run(&a, &s, eu_kernels[0].gen, words);
    kept_words(want);
    assert_string_equal(r.text, "");
    assert_memory_equal(words, want, sizeof want);
    arena_free(&a);
}

// Arguments that do not fit the register begin in memory; the local ids follow in the next whole register.
static void test_more_arguments(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS], want[WORDS];
    struct eu_source s = eu_kernels[0].source;
    s.kernel = changed(&a, s.kernel, "    per_thread_payload_arguments:",
                       "      - arg_type:        group_count\n        offset:          40\n        size:            12\n"
                       "    per_thread_payload_arguments:");
    s.assembly = changed(&a, s.assembly, "0x0:ud {I@2}", "0x20:ud {I@2}");
    const struct isa_result r = run(&a, &s, eu_kernels[0].gen, words);
    kept_words(want);
    assert_string_equal(r.text, "");
    assert_memory_equal(words, want, sizeof want);
    arena_free(&a);
}

// Sixteen threads, of which each finds the same ids of x in memory of its own.
static void test_more_threads(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS], want[WORDS];
    kept_words(want);
    const struct isa_result r = run_sized(&a, &eu_kernels[0].source, EU_GFX12_5, (const uint32_t[]){16, 16, 1}, words);
    assert_string_equal(r.text, "");
    assert_memory_equal(words, want, 16 * sizeof *want);
    for (uint32_t i = 16; i < TABLE; i++)
        assert_int_equal(words[i], 0);
    arena_free(&a);
}

// A workgroup of 6 x 2 x 2: r1, r2 and r3 hold the ids of a lane.
static void test_three_axes(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS];
    struct eu_source s = eu_kernels[0].source;
    const char *begin = strstr(s.assembly, "nop\nnop\n"), *end = strstr(strstr(s.assembly, "L840:"), "(W) mov (1|M0) a0.0"),
               *line = strstr(end, "bfn.0xFE");
    assert_true(begin && end && line);
    s.assembly = arena_printf(&a, "%.*s%s%.*s%s", (int)(begin - s.assembly), s.assembly,
                              "mov (16|M0) r5.0<1>:d r1.0<1;1,0>:uw\nmov (16|M0) r7.0<1>:d r2.0<1;1,0>:uw\n"
                              "mov (16|M0) r9.0<1>:d r3.0<1;1,0>:uw\nshl (16|M0) r11.0<1>:d r7.0<1;1,0>:d 4:w\n"
                              "shl (16|M0) r13.0<1>:d r9.0<1;1,0>:d 8:w\nadd (16|M0) r26.0<1>:d r5.0<1;1,0>:d r11.0<1;1,0>:d\n"
                              "add (16|M0) r26.0<1>:d r26.0<1;1,0>:d r13.0<1;1,0>:d\nmul (16|M0) r7.0<1>:d r7.0<1;1,0>:d 6:w\n"
                              "mul (16|M0) r9.0<1>:d r9.0<1;1,0>:d 12:w\nadd (16|M0) r5.0<1>:d r5.0<1;1,0>:d r7.0<1;1,0>:d\n"
                              "add (16|M0) r5.0<1>:d r5.0<1;1,0>:d r9.0<1;1,0>:d\n",
                              (int)(line - end), end, strchr(line, '\n') + 1);
    const struct isa_result r = run_sized(&a, &s, EU_GFX12_5, (const uint32_t[]){6, 2, 2}, words);
    assert_string_equal(r.text, "");
    for (uint32_t i = 0; i < LOCAL; i++)
        assert_int_equal(words[i], i % 6 | i / 6 % 2 << 4 | i / 12 << 8);
    arena_free(&a);
}

// Each changes the first place of `from` in the text for DG2.
static const struct {
    const char *name, *from, *to;
} faults[] = {
    {"a target that is another block", "goto (16|M0) L448 L824", "goto (16|M0) L448 L592"},
    {"a backward branch that is none", "goto.b (16|M0) L824 L360", "goto (16|M0) L824 L840"},
    {"a branch inverted", "(f1.0) goto", "(~f1.0) goto"},
    {"a wrong JIP", "goto (16|M0) L448 L824", "goto (16|M0) L840 L824"},
    {"the other function of three bits", "bfn.0xFE", "bfn.0x80"},
    {"the other surface", "a0.0<1>:ud r4.2", "a0.0<1>:ud r4.3"},
    {"the other half of the local ids", "r5.0<1>:d r1.0<1;1,0>:uw", "r5.0<1>:d r1.8<1;1,0>:uw"},
    {"the number of the thread forgotten", "r0.4<0;1,0>:uw 0xFF:uw", "r0.4<0;1,0>:uw 0x0:uw"},
    {"the mask of started lanes ignored", "sr0.2<0;1,0>:ud r3.3", "r3.3<0;1,0>:ud r3.3"},
    {"a product without its high half", "mach (8|M0) r20.0<1>:ud", "mov (8|M0) r20.0<1>:ud r18.0<1;1,0>:ud //"},
};

static void test_faults(void **state)
{
    (void)state;
    uint32_t words[WORDS], want[WORDS];
    kept_words(want);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena a = {0};
        struct eu_source s = eu_kernels[0].source;
        const char *at = strstr(s.assembly, faults[i].from);
        if (!at)
            fail_msg("'%s' is not in the text", faults[i].from);
        s.assembly = arena_printf(&a, "%.*s%s%s", (int)(at - s.assembly), s.assembly, faults[i].to, at + strlen(faults[i].from));
        const struct isa_result r = run(&a, &s, EU_GFX12_5, words);
        if (r.status == RAN_OK && memcmp(words, want, sizeof want) == 0)
            fail_msg("not seen: %s", faults[i].name);
        arena_free(&a);
    }
}

// Xe3: the bytes of s0 name the payload's registers, addresses of 64 bits before the data.
static void test_gathered(void **state)
{
    static const char store[] = "send.ugm (16|M0) null r17 r15:1 0x0 0x04000584";
    static const char form[] = "(W) mov (1|M0) s0.1<1>:uq %s:uq\nsend.ugm (16|M0) null r[s0.8] 0x0 0x06000584";
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS], want[WORDS];
    kept_words(want);
    for (int k = 0; k < 2; k++) { // the address of the higher lanes and the data, exchanged
        struct eu_source s = eu_kernels[1].source;
        s.assembly = changed(&a, s.assembly, store, arena_printf(&a, form, k ? "0x120F11" : "0x0F1211"));
        const struct isa_result r = run(&a, &s, EU_XE2, words);
        if (k ? r.status == RAN_OK && memcmp(words, want, sizeof want) == 0
              : r.status != RAN_OK || memcmp(words, want, sizeof want) != 0)
            fail_msg("%d: %s: word 0 is 0x%x, not 0x%x", k, r.text, words[0], want[0]);
    }
    arena_free(&a);
}

static void refused(const char *from, const char *to, const char *why)
{
    struct arena a = {0};
    uint32_t words[WORDS];
    struct eu_source s = eu_kernels[0].source;
    const char *at = strstr(s.kernel, from);
    assert_non_null(at);
    s.kernel = arena_printf(&a, "%.*s%s%s", (int)(at - s.kernel), s.kernel, to, at + strlen(from));
    const struct isa_result r = run(&a, &s, EU_GFX12_5, words);
    if (r.status != RAN_UNSUPPORTED || !strstr(r.text, why))
        fail_msg("%d '%s', not '%s'", (int)r.status, r.text, why);
    arena_free(&a);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("arg_bypointer", "arg_by_magic", "argument 'arg_by_magic' at line 11");
    refused("local_id", "global_id", "argument of a thread 'global_id'");
    refused("offset:          8", "offset:          9999", "an argument at byte 9999");
    refused("size:            4", "size:            400", "an argument of 400 bytes");
    refused("local_id\n        offset:          0", "local_id\n        offset:          64", "local ids at byte 64 at line");
    refused("inline_data_payload_size: 32", "inline_data_payload_size: 320", "arguments of 320 bytes in registers");
    refused("size:            96", "size:            1025", "in registers");
    refused("offset:          8", "offset:          1025", "an argument at byte 1025");
    // Only addresses have an address mode.
    refused("arg_bypointer\n        offset:          8\n        size:            4",
            "group_count\n        offset:          8\n        size:            4", "an argument of 4 bytes");
}

// Keys before the first argument, and the largest sizes, change nothing.
static void test_other_keys(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"payload_arguments:\n", "payload_arguments:\n        addrmode:        bindless\n        offset:          4\n"},
        {"payload_arguments:\n", "payload_arguments:\n\n"},
        {"addrmode:        stateless", "access_type:     bindless"},
    };
    uint32_t words[WORDS], want[WORDS];
    kept_words(want);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct eu_source s = eu_kernels[0].source;
        s.kernel = changed(&a, s.kernel, rows[i][0], rows[i][1]);
        const struct isa_result r = run(&a, &s, EU_GFX12_5, words);
        if (r.status != RAN_OK || memcmp(words, want, sizeof want) != 0)
            fail_msg("%zu: %s", i, r.text);
        arena_free(&a);
    }
    struct arena a = {0};
    struct eu_source s = eu_kernels[0].source;
    s.kernel = changed(&a, s.kernel, "size:            96", "size:            1024");
    struct isa_result r = run(&a, &s, EU_GFX12_5, words);
    assert_int_equal(r.status, RAN_OK);
    s.kernel = changed(&a, eu_kernels[0].source.kernel, "offset:          8", "offset:          1024");
    r = run(&a, &s, EU_GFX12_5, words);
    assert_null(strstr(r.text, "an argument at byte"));
    arena_free(&a);
}

// ---- single instructions, on lanes 0 to 15; r5 is the lane, r7 seven times it

static uint32_t by_table(uint32_t l) { return (l & (7 * l)) | (~l & 3); }
static uint32_t low(uint32_t l) { return (7 * l + 0x12345) * 0x10003; }
static uint32_t word_sum(uint32_t l) { return (15 - l) & 0xffff; }
static uint32_t skipped(uint32_t l) { return l; }

// The kept text of DG2 with `text` in place of its computations; it ends with a store of r26.
static struct eu_source shortened(struct arena *a, const char *text)
{
    struct eu_source s = eu_kernels[0].source;
    const char *begin = strstr(s.assembly, "L360:"), *end = strstr(s.assembly, "L840:");
    const char *address = strstr(end, "(W) mov (1|M0) a0.0"), *line = strstr(address, "bfn.0xFE");
    s.assembly = arena_printf(a, "%.*s%s\n%.*s%s", (int)(begin - s.assembly), s.assembly, text,
                              (int)(line - address), address, strchr(line, '\n') + 1);
    return s;
}

static void check(const char *text, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    uint32_t words[WORDS];
    const struct eu_source s = shortened(&a, text);
    const struct isa_result r = run(&a, &s, EU_GFX12_5, words);
    if (r.status != RAN_OK)
        fail_msg("%s, in\n%s", r.text, text);
    for (uint32_t l = 0; l < 16; l++)
        if (words[l] != want(l))
            fail_msg("lane %u: 0x%x, not 0x%x, in\n%s", l, words[l], want(l), text);
    arena_free(&a);
}

// The ids of a workgroup: the last one of 2 x 3 x 4 wrote last.
static void test_groups(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct eu_source s = shortened(&a, "mov (16|M0) r26.0<1>:ud r2.1<0;1,0>:ud\n"
                                             "mad (16|M0) r26.0<1>:d r26.0<1;0>:d r2.6<0;0>:d 16:w\n"
                                             "mad (16|M0) r26.0<1>:d r26.0<1;0>:d r2.7<0;0>:d 256:w");
    struct spv_case c = isa_trial_sized(&a, (const uint32_t[]){LOCAL, 1, 1}, 1, words, WORDS);
    memcpy(c.groups, (const uint32_t[]){2, 3, 4}, sizeof c.groups);
    struct isa_result out;
    isa_trial_run(&a, eu_read(&a, &s, EU_GFX12_5, 16, &out), &c, (struct isa_options){0}, &out);
    assert_string_equal(out.text, "");
    assert_int_equal(words[0], 1 + 16 * 2 + 256 * 3);
    arena_free(&a);
}

// An argument that is another buffer than the case's.
static void test_other_buffers(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        struct arena a = {0};
        uint32_t words[WORDS];
        const struct eu_place place = {k, !k};
        struct eu_source s = eu_kernels[0].source;
        s.argument = &place;
        const struct isa_result r = run(&a, &s, EU_GFX12_5, words);
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, "argument 0: not a buffer of the case"))
            fail_msg("%s", r.text);
        arena_free(&a);
    }
}

static void test_values(void **state)
{
    (void)state;
    // a ? b : c by bits
    check("bfn.0xD8 (16|M0) r26.0<1>:ud r5.0<1;0>:ud r7.0<1;0>:ud 0x3:uw", by_table);
    check("add (16|M0) r26.0<1>:d r7.0<1;1,0>:d 74565:d\nmul (16|M0) acc0.0<1>:d r26.0<1;1,0>:d 0x3:uw\n"
          "mach (16|M0) r26.0<1>:d r26.0<1;1,0>:d 0x10003:d", low);
    // Accumulators of words: an element each.
    check("mov (16|M0) r30.0<1>:w r5.0<2;1,0>:w\nmov (16|M0) r30.0<1>:w r5.0<1;1,0>:d\n"
          "add (16|M0) acc2.0<1>:w -r30.0<1;1,0>:w 15:w\nmov (16|M0) acc0.0<1>:w 1:w\n"
          "mov (16|M0) r26.0<1>:d acc2.0<1;1,0>:uw", word_sum);
    // A jump of the whole thread; its flag is bit 0.
    check("mov (16|M0) r26.0<1>:d r5.0<1;1,0>:d\n(W) mov (1|M0) f1.0<1>:uw 0x1:uw\n(W&f1.0) jmpi L1000\n"
          "mov (16|M0) r26.0<1>:d 77:d\nL1000:\n(W) mov (1|M0) f1.0<1>:uw 0xFFFE:uw\n(W&f1.0) jmpi L1100\n"
          "(W) jmpi L1200\nL1100:\nmov (16|M0) r26.0<1>:d 78:d\nL1200:", skipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_returns),
        cmocka_unit_test(test_other_parts),
        cmocka_unit_test(test_more_arguments),
        cmocka_unit_test(test_more_threads),
        cmocka_unit_test(test_three_axes),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_gathered),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_keys),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_other_buffers),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
