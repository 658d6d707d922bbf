// SPDX-License-Identifier: Apache-2.0
//
// isa: ir3's code between its passes. Programs by hand in the forms that Mesa 26.2 prints; what each
// lane must store follows from the source of the program in its comment.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_ir3_common.h"

static const char native[] =
    ";   driver_params              c0.x (4 vec4)\n@const(c8.x)\t0x00000003, 0x00000014, 0x00000000, 0x00000000\nend\n"
    "; CL: inputs: r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42) r48.x (SYSTEM_VALUE_WORKGROUP_ID slot=47)\n";

static struct isa_result try(struct arena *a, const char *text, const char *nir, struct ir3_trial *t)
{
    const struct spv_case c = isa_trial_case(a, 64, 1, t->words, IR3_WORDS);
    const struct ir3_source s = {.text = text, .native = native, .nir = nir};
    struct isa_result out;
    isa_trial_run(a, ir3_level_read(a, &s, 64, &out), &c, (struct isa_options){0}, &out);
    return out;
}

#define I     "\t0000:000: \t"
#define KEEPS "\t/* keeps:\n\t\t0000:000: \tstib.base0 ssa_1, ssa_2\n\t */\n"
#define SUCCS(s) "\t/* succs: " s " */\n\t/* physical succs: block0, block0 */\n}\n"
#define START                                                                                      \
    "block0 {\n" I "_meta:in ssa_1 (wrmask=0x7)\n" I "_meta:split ssa_2, ssa_1 (wrmask=0x7), off=0\n"
// Stores a value at the lane's word: its descriptor and offset are in registers.
#define STORE(v)                                                                                   \
    I "mov.u32u32 ssa_900, imm[0.000000,0,0x0]\n" I "mov.u32u32 ssa_901, imm[0.000000,0,0x0]\n" I   \
      "stib.base0 ssa_900, ssa_2, ssa_901, " v "\n" I "end\n" KEEPS "}\n"

// x = lane & 1 ? the lanes that are here : c8.y (20)
static const char branch[] =
    START I "and.b ssa_3, ssa_2, imm[0.000000,1,0x1]\n" I "cmps.s.ne pssa_4, ssa_3, imm[0.000000,0,0x0]\n" I
    "br pssa_4\n" KEEPS SUCCS("block1, block2 (div)")
    "block1 {\n\tpred: block0\n\tphysical pred: block0\n" I "(rpt1)movmsk sssa_5 (wrmask=0x3)\n" I
    "_meta:split sssa_6, sssa_5 (wrmask=0x3), off=1\n" I "mov.u32u32 ssa_7, sssa_6\n" I "jump\n" KEEPS SUCCS("block3")
    "block2 {\n\tpred: block0\n" I "mov.u32u32 ssa_8, c8.y\n" I "jump\n" KEEPS SUCCS("block3")
    "block3 {\n\tpred: block1, block2\n" I "_meta:phi ssa_9, ssa_7, ssa_8\n" STORE("ssa_9");

static uint32_t of_branch(uint32_t l)
{
    return l & 1 ? 0xaaaaaaaa : 20;
}

// for (i = 0; i != lane & 3; i++) {} x = i + the number of lanes that are here << 8
static const char loop[] =
    START I "and.b ssa_3, ssa_2, c8.x\n" I "mov.u32u32 ssa_4, imm[0.000000,0,0x0]\n" I "jump\n" KEEPS SUCCS("block1")
    "block1 {\n\tpred: block0, block3\n" I "_meta:phi ssa_5, ssa_4, ssa_8\n" I "cmps.u.eq pssa_6, ssa_5, ssa_3\n" I
    "br pssa_6\n" KEEPS SUCCS("block2, block3 (div)")
    "block2 {\n\tpred: block1\n" I "jump\n" KEEPS SUCCS("block4")
    "block3 {\n\tpred: block1\n" I "add.u ssa_8, ssa_5, imm[0.000000,1,0x1], rpt: first\n" I "jump\n" KEEPS SUCCS("block1")
    "block4 {\n\tpred: block2\n" I "(rpt1)movmsk sssa_10 (wrmask=0x3)\n" I
    "_meta:split sssa_11, sssa_10 (wrmask=0x3), off=0\n" I "cbits.b sssa_12, sssa_11\n" I
    "mov.u32u32 ssa_13, sssa_12\n" I "shl.b ssa_14, ssa_13, imm[0.000000,8,0x8]\n" I "add.u ssa_15, ssa_14, ssa_5\n"
    STORE("ssa_15");

static uint32_t of_loop(uint32_t l)
{
    return (l & 3) | 32 << 8; // in each half of the wave
}

// predt, predf: x = lane < 20 ? lane + 1 : lane + 2; one lane votes; parts of vectors
static const char predicated[] =
    START I "cmps.u.lt pssa_4, ssa_2, c8.y\n" I "predt pssa_4(p0.x)\n" KEEPS SUCCS("block1, block2 (div)")
    "block1 {\n\tpred: block0\n" I "add.u ssa_5, ssa_2, imm[0.000000,1,0x1]\n" I "predf pssa_4(p0.x)\n" KEEPS SUCCS("block3")
    "block2 {\n\tpred: block0\n" I "add.u ssa_6, ssa_2, imm[0.000000,2,0x2]\n" I "jump\n" KEEPS SUCCS("block3")
    "(jp)block3 {\n\tpred: block1, block2\n" I "_meta:phi ssa_7, ssa_5, ssa_6\n" I
    "_meta:collect ssa_8 (wrmask=0x3), imm[0.000000,9,0x9], ssa_7\n" I "_meta:split ssa_9, ssa_8 (wrmask=0x3), off=1\n"
    STORE("ssa_9");

static uint32_t of_predicated(uint32_t l)
{
    return l < 20 ? l + 1 : l + 2;
}

// Once registers are allocated: two registers change places.
static const char registers[] =
    "block0 {\n" I "_meta:in r0.x (wrmask=0x7)\n" I "_meta:split r0.x, (kill)r0.x (wrmask=0x7), off=0\n" I
    "add.u r1.x, r0.x, c8.x\n" I "mov.u32u32 r1.y, imm[0.000000,7,0x7]\n" I
    "_meta:parallel_copy r1.x, r1.y, (kill)r1.y, (kill)r1.x\n" I "shl.b r1.x, (kill)r1.x, imm[0.000000,8,0x8]\n" I
    "add.u r1.x, (kill)r1.x, (kill)(last)r1.y\n" I "stib.base0 imm[0.000000,0,0x0], r0.x, imm[0.000000,0,0x0], (kill)r1.x\n" I
    "end\n" KEEPS "}\n";

static uint32_t of_registers(uint32_t l)
{
    return (7 << 8) + l + 3;
}

// After ir3's last pass a branch names its target, the other lanes continue, and arguments are not named.
static const char targets[] =
    "block0 {\n" I "(ss)cmps.u.lt pp0.x, r0.x, c8.y\n" I "mov.u32u32 r1.x, imm[0.0,1,0x1]\n" I
    "br !pp0.x target=block2\n" KEEPS SUCCS("block1, block2 (div)")
    "block1 {\n\tpred: block0\n" I "(nop2)add.u r1.x, (kill)(last)r1.x, imm[0.0,4,0x4]\n" KEEPS SUCCS("block2")
    "(jp)block2 {\n\tpred: block0, block1\n" I "(rpt4)nop\n" I
    "(jp)stib.base0 imm[0.000000,0,0x0], r0.x, imm[0.000000,0,0x0], (kill)r1.x\n" I "end\n" KEEPS "}\n";

static uint32_t of_targets(uint32_t l)
{
    return l < 20 ? 5 : 1;
}

// The text omits that the condition is inverted: x = any lane is below 20 ? 5 : 1
static const char inverted[] =
    "block0 {\n" I "cmps.u.lt pp0.x, r0.x, c8.y\n" I "mov.u32u32 r1.x, imm[0.0,1,0x1]\n" I
    "ball pp0.x target=block2\n" KEEPS SUCCS("block1, block2 (con)")
    "block1 {\n\tpred: block0\n" I "mov.u32u32 r1.x, imm[0.0,5,0x5]\n" KEEPS SUCCS("block2")
    "(jp)block2 {\n\tpred: block0, block1\n" I
    "stib.base0 imm[0.000000,0,0x0], r0.x, imm[0.000000,0,0x0], r1.x\n" I "end\n" KEEPS "}\n";

static uint32_t of_inverted(uint32_t l)
{
    return 5 + 0 * l;
}

// Macros: ballot of lanes below 20, any, all, one lane, the first for which, the last of eight, sums.
static const char macros[] =
    START I "cmps.u.lt pssa_4, ssa_2, c8.y\n" I "ballot.macro.f16f16 sssa_5 (wrmask=0x3), pssa_4\n" I
    "_meta:split sssa_6, sssa_5 (wrmask=0x3), off=0\n" I "mov.u32u32 ssa_7, sssa_6\n" I "any.macro.f32f16 hssa_8, pssa_4\n" I
    "all.macro.f32f16 hssa_9, pssa_4\n" I "elect.macro.f16f16 hssa_10\n" I "cov.u16u32 ssa_11, hssa_8\n" I
    "cov.u16u32 ssa_12, hssa_9\n" I "cov.u16u32 ssa_13, hssa_10\n" I "cmps.u.gt pssa_14, ssa_2, imm[0.0,5,0x5]\n" I
    "read_cond.macro.f16f16 sssa_15, pssa_14, ssa_2\n" I "(null).f16f16 sssa_16, ssa_2\n" I
    "read_first.macro.f16f16 sssa_17, ssa_7\n" I "mov.u32u32 sssa_18, imm[0.000000,0,0x0]\n" I "mov.u32u32 ssa_19, c8.x\n" I
    "scan_clusters.macro.add.u.f16f16 (tied)sssa_20, (early_clobber)ssa_20, (early_clobber)ssa_20, (tied)sssa_18, ssa_19, ssa_2\n" I
    "mov.u32u32 ssa_21, sssa_20\n" I "mov.u32u32 ssa_22, sssa_15\n" I "mov.u32u32 ssa_23, sssa_16\n" I "mov.u32u32 ssa_24, sssa_17\n" I
    "sub.u ssa_25, ssa_24, ssa_7\n" I "shl.b ssa_26, ssa_11, imm[0.0,4,0x4]\n" I "shl.b ssa_27, ssa_12, imm[0.0,5,0x5]\n" I
    "shl.b ssa_28, ssa_13, imm[0.0,6,0x6]\n" I "shl.b ssa_29, ssa_22, imm[0.0,8,0x8]\n" I "shl.b ssa_30, ssa_23, imm[0.0,12,0xc]\n" I
    "shl.b ssa_31, ssa_21, imm[0.0,16,0x10]\n" I "add.u ssa_32, ssa_25, ssa_26\n" I "add.u ssa_33, ssa_32, ssa_27\n" I
    "add.u ssa_34, ssa_33, ssa_28\n" I "add.u ssa_35, ssa_34, ssa_29\n" I "add.u ssa_36, ssa_35, ssa_30\n" I
    "add.u ssa_37, ssa_36, ssa_31\n" STORE("ssa_37");

static uint32_t of_macros(uint32_t l)
{
    // Of eight clusters the last lane adds 3.
    return 1 << 4 | 0 << 5 | (l == 0) << 6 | 6 << 8 | 7 << 12 | 8 * 3 << 16;
}

// The exclusive scan: the other source and what clusters before it have.
static const char scan[] =
    START I "mov.u32u32 sssa_18, imm[0.000000,1,0x1]\n" I "mov.u32u32 ssa_19, imm[0.0,2,0x2]\n" I
    "scan_clusters.macro.mul.u.f16f16 (tied)sssa_20, ssa_20, ssa_20, ssa_20, (tied)sssa_18, ssa_19, ssa_2\n" I
    "mov.u32u32 ssa_21, ssa_20\n" STORE("ssa_21");

static uint32_t of_scan(uint32_t l)
{
    return l << l / 8; // doubled by each cluster before it
}

// The result of an atomic has the data's registers. x = what is there after a signed maximum with -1, plus one.
static const char atomic[] =
    START I "mov.u32u32 ssa_3, imm[0.000000,0,0x0]\n" I "_meta:collect ssa_5 (wrmask=0x3), undef, imm[-nan,-1,0xffffffff]\n" I
    "atomic.b.max.base0 (unused)(tied)ssa_6 (wrmask=0x3), ssa_3, ssa_2, (tied)ssa_5 (wrmask=0x3)\n" I
    "_meta:collect ssa_10 (wrmask=0x3), undef, imm[0.000000,0,0x0]\n" I
    "atomic.b.add.base0 (tied)ssa_11 (wrmask=0x3), ssa_3, ssa_2, (tied)ssa_10 (wrmask=0x3)\n" I
    "_meta:split ssa_7, ssa_11 (wrmask=0x3), off=0\n" I "add.u ssa_8, ssa_7, imm[0.000000,1,0x1], false-deps:ssa_6\n" STORE("ssa_8");

static uint32_t of_atomic(uint32_t l)
{
    return 100 + l + 1;
}

// As Mesa 25.0 prints a preamble: a size that nothing uses has no result, or none once registers are there, and a jump follows shpe.
static const char preamble[] =
    "block0 {\n" I "shps\n" KEEPS SUCCS("block1, block2 (con)")
    "block1 {\n\tpred: block0\n" I "mov.u32u32 ssa_20, imm[0.000000,0,0x0]\n" I "resinfo.base0 ssa_20\n" I
    "resinfo.base0 r63.x, imm[0.000000,0,0x0]\n" I "mov.u32u32 sssa_21, imm[0.000000,8,0x8]\n" I
    "mov.u32u32 ssa_22, imm[0.000000,16,0x10]\n" I "stc ssa_22, sssa_21\n" I "shpe\n" I "jump\n" KEEPS SUCCS("block2")
    "block2 {\n\tpred: block0, block1\n" I "_meta:in ssa_1 (wrmask=0x7)\n" I
    "_meta:split ssa_2, ssa_1 (wrmask=0x7), off=0\n" I "add.u ssa_3, ssa_2, c4.x\n" STORE("ssa_3");

static uint32_t of_preamble(uint32_t l)
{
    return l + 8;
}

static const struct {
    const char *name, *text, *nir;
    uint32_t (*want)(uint32_t lane);
} programs[] = {
    {"branch", branch, NULL, of_branch},
    {"loop", loop, NULL, of_loop},
    {"predicated", predicated, NULL, of_predicated},
    {"registers", registers, NULL, of_registers},
    {"targets", targets, NULL, of_targets},
    {"inverted", inverted, NULL, of_inverted},
    {"macros", macros, NULL, of_macros},
    {"scan", scan, NULL, of_scan},
    {"atomic", atomic, "(atomic_op=imax)", of_atomic},
    {"preamble", preamble, NULL, of_preamble},
};

static void lanes_store_what_the_source_says(void **state)
{
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct ir3_trial t = {0};
        for (uint32_t l = 0; l < 64; l++)
            t.words[l] = 100 + l;
        const struct isa_result r = try(&a, programs[i].text, programs[i].nir, &t);
        if (r.status != RAN_OK)
            fail_msg("%s: %s", programs[i].name, r.text);
        for (uint32_t l = 0; l < 64; l++)
            if (t.words[l] != programs[i].want(l))
                fail_msg("%s: lane %u stores 0x%x, not 0x%x", programs[i].name, l, t.words[l],
                         programs[i].want(l));
    }
    arena_free(&a);
}

static const char *changed(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void what_is_not_known_is_refused(void **state)
{
    static const struct {
        const char *text, *from, *to, *why;
    } bad[] = {
        {branch, "and.b", "frobnicate.b", "the operation 'frobnicate.b' at line 4"},
        {branch, "(rpt1)movmsk", "(frob)movmsk", "the mark"},
        {branch, "ssa_3, imm[0.000000,0,0x0]\n", "ssa_99, imm[0.000000,0,0x0]\n", "the value 'ssa_99'"},
        {branch, "block1, block2 (div)", "block1, block7 (div)", "the block 'block7'"},
        {branch, "pred: block1, block2", "pred: block1", "the form of '_meta:phi'"},
        {branch, "block2 {", "block1 {", "the block 'block1'"},
        {branch, "br pssa_4", "brac.2 pssa_4", "the operation 'brac.2'"},
        {branch, "jump\n", "jump\n" I "nop\n", "after the end of its block: 'nop'"},
        {preamble, "jump\n", "jump\n" I "jump\n", "after the end of its block: 'jump'"},
        {preamble, "resinfo.base0 r63.x", "resinfo.base0 r1.x", "the operands of 'resinfo.base0'"},
        {predicated, "predf", "predt.x", "the operation 'predt.x'"},
        {registers, "r1.x, r1.y, (kill)r1.y, (kill)r1.x", "r1.x, r1.y, (kill)r1.y", "the"},
        {targets, "(jp)block2", "block2", "lanes wait at an instruction without (jp)"},
        {macros, "elect.macro", "exotic.macro", "the operation 'exotic.macro.f16f16'"},
        {macros, "sssa_18, ssa_19, ssa_2", "sssa_18, ssa_19", "the"},
        {atomic, "(unused)(tied)ssa_6 (wrmask=0x3), ssa_3", "(unused)(tied)ssa_6 (wrmask=0x3), ssa_2", "a number that is not known"},
        {atomic, "atomic.b.max", "atomic.b.min", "the sign of 'atomic.b.min.base0'"},
        {loop, "cbits.b sssa_12, sssa_11", "cbits.b sssa_12, ssa_5", "a wave-wide result of per-lane sources"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ir3_trial t = {0};
        const struct isa_result r =
            try(&a, changed(&a, bad[i].text, bad[i].from, bad[i].to), "(atomic_op=imax)", &t);
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, bad[i].why))
            fail_msg("%s: %d '%s'", bad[i].to, (int)r.status, r.text);
    }
    arena_free(&a);
}

// Without the machine code's text, constants are not known.
static void constants_come_from_the_machine_code(void **state)
{
    struct arena a = {0};
    struct isa_result out;
    const struct ir3_source s = {.text = branch};
    (void)state;
    assert_null(ir3_level_read(&a, &s, 64, &out));
    assert_non_null(strstr(out.text, "constants, which the machine code's text would show"));
    arena_free(&a);
}

// A dump may be any bytes: changed ones are refused or run, and nothing else happens.
static void any_bytes_are_read(void **state)
{
    struct arena a = {0};
    struct rng chance = {5};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (uint32_t k = 0; k < 400; k++) {
            static const char bytes[] = "%:,()[]{}0129svbBr \n\t=-_";
            char *text = arena_str(&a, programs[i].text);
            const size_t n = strlen(text);
            for (uint64_t j = rng_below(&chance, 4) + 1; j; j--) {
                const size_t at = (size_t)rng_below(&chance, (uint32_t)n);
                if (rng_below(&chance, 8))
                    text[at] = bytes[rng_below(&chance, sizeof bytes - 1)];
                else
                    text[at] = text[(size_t)rng_below(&chance, (uint32_t)n)];
            }
            if (!rng_below(&chance, 8))
                text[rng_below(&chance, (uint32_t)n)] = 0;
            struct ir3_trial t = {0};
            const struct isa_result r = try(&a, text, programs[i].nir, &t);
            assert_true(r.status == RAN_OK || r.text[0]);
            arena_reset(&a);
        }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_store_what_the_source_says),
        cmocka_unit_test(what_is_not_known_is_refused),
        cmocka_unit_test(constants_come_from_the_machine_code),
        cmocka_unit_test(any_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
