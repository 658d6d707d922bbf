// SPDX-License-Identifier: Apache-2.0
//
// isa: code of ACO before the machine code. Programs by hand in the forms that Mesa 26.2 prints;
// what each lane must store follows from the source of the program in its comment.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
// clang-format on

#include "amd/amd.h"

#include "test_isa_trial.h"

enum { WORDS = 64, LANES_HERE = 32 };

static struct isa_result try(struct arena *a, enum aco_stage stage, uint32_t wave, const char *text,
                             uint32_t words[WORDS])
{
    const struct spv_case c = isa_trial_case(a, wave, 1, words, WORDS);
    const struct amd_source s = {.nir = "load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n",
                                 .ir = text};
    struct isa_result out;
    isa_trial_run(a, aco_read(a, &s, stage, AMD_GFX11, wave, &out), &c, (struct isa_options){0},
                  &out);
    return out;
}

#define START "ACO shader stage: SW (CS), HW (COMPUTE_SHADER)\nBB0\n/* logical preds: / linear preds: / kind: "
#define ARGUMENTS "*/\n\t s1: %1:s[0],  v1: %2:v[0] = p_startpgm\n\tp_logical_start\n"
// %4: the buffer's descriptor, %5: the lane's address.
#define BUFFER                                                                                     \
    "\t s2: %3 = p_create_vector %1, 0xffff8000\n"                                                 \
    "\t s4: %4 = s_load_dwordx4 %3, 0 storage:buffer semantics:private,reorder\n"                  \
    "\t v1: %5 = v_lshlrev_b32 2, %2\n"
#define BLOCK(n, logical, linear, kind)                                                            \
    "BB" #n "\n/* logical preds: " logical "/ linear preds: " linear "/ kind: " kind "*/\n"
#define STORE(x)                                                                                   \
    "\tbuffer_store_dword %4, %5, 0, " x                                                           \
    ",  s1: undef,  s1: undef offen disable_wqm storage:buffer\n\tp_logical_end\n\ts_endpgm\n"

// x = lane & 1 ? the lanes that are here : 7; the mask of a branch is a bit for each lane.
static const char branch[] = START "top-level, branch, " ARGUMENTS BUFFER
    "\t v1: %6 = v_and_b32 1, %2\n\t s1: %7 = v_cmp_lg_i32 0, %6\n\tp_logical_end\n\tp_cbranch_z %7\n"
    BLOCK(1, "BB0, ", "BB0, ", "uniform, ")
    "\tp_logical_start\n\t s1: %8 = p_parallelcopy %0:exec_lo\n\t v1: %9 = p_parallelcopy %8\n"
    "\tp_logical_end\n\tp_branch\n"
    BLOCK(2, "", "BB0, ", "uniform, ") "\tp_branch\n"
    BLOCK(3, "", "BB1, BB2, ", "invert, ") "\tp_branch\n"
    BLOCK(4, "BB0, ", "BB3, ", "uniform, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(5, "", "BB3, ", "uniform, ") "\tp_branch\n"
    BLOCK(6, "BB1, BB4, ", "BB4, BB5, ", "uniform, top-level, merge, ")
    "\t v1: %10 = p_phi %9, 7\n\tp_logical_start\n" STORE("%10");

static uint32_t of_branch(uint32_t l)
{
    return l & 1 ? 0xaaaaaaaa : 7;
}

// for (i = 0; i < 4; i++) { if (lane < 2) continue; x += i; }
// The lanes that continue are at the header with i + 1 while the others still need i.
static const char loop[] = START "uniform, top-level, loop-preheader, " ARGUMENTS BUFFER
    "\tp_logical_end\n\tp_branch\n"
    BLOCK(1, "BB0, BB4, BB11, ", "BB0, BB5, BB11, ", "uniform, loop-header, ")
    "\t s1: %6 = p_phi 0, %9, %13\n\t v1: %7 = p_phi 0, %7, %12\n\tp_logical_start\n"
    "\t s1: %8:scc = s_cmp_ge_u32 %6, 4\n\tp_logical_end\n\tp_cbranch_z %8:scc\n"
    BLOCK(2, "BB1, ", "BB1, ", "uniform, break, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(3, "BB1, ", "BB1, ", "branch, ")
    "\tp_logical_start\n\t s1: %9,  s1: %10:scc = s_add_u32 %6, 1\n\t s1: %11 = v_cmp_gt_u32 2, %2\n"
    "\tp_logical_end\n\tp_cbranch_z %11\n"
    BLOCK(4, "BB3, ", "BB3, ", "continue, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(5, "", "BB4, ", "uniform, ") "\tp_branch\n"
    BLOCK(6, "", "BB4, ", "uniform, ") "\tp_branch\n"
    BLOCK(7, "", "BB3, ", "uniform, ") "\tp_branch\n"
    BLOCK(8, "", "BB6, BB7, ", "invert, ") "\tp_branch\n"
    BLOCK(9, "BB3, ", "BB8, ", "uniform, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(10, "", "BB8, ", "uniform, ") "\tp_branch\n"
    BLOCK(11, "BB9, ", "BB9, BB10, ", "uniform, continue, merge, ")
    "\tp_logical_start\n\t v1: %12 = v_add_u32 %6, %7\n\t s1: %13,  s1: %14:scc = s_add_u32 %6, 1\n"
    "\tp_logical_end\n\tp_branch\n"
    BLOCK(12, "BB2, ", "BB2, ", "uniform, top-level, loop-exit, ")
    "\t v1: %15 = p_phi %7\n\tp_logical_start\n" STORE("%15");

static uint32_t of_loop(uint32_t l)
{
    return l < 2 ? 0 : 0 + 1 + 2 + 3;
}

// for (i = 0;; i++) { if (i >= lane & 3) break; } x = i at the break. In the exit all lanes meet.
static const char breaks[] = START "uniform, top-level, loop-preheader, " ARGUMENTS BUFFER
    "\t v1: %6 = v_and_b32 3, %2\n\tp_logical_end\n\tp_branch\n"
    BLOCK(1, "BB0, BB6, ", "BB0, BB6, ", "loop-header, branch, ")
    "\t s1: %7 = p_phi 0, %9\n\tp_logical_start\n\t s1: %8 = v_cmp_ge_u32 %7, %6\n"
    "\tp_logical_end\n\tp_cbranch_z %8\n"
    BLOCK(2, "BB1, ", "BB1, ", "break, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(3, "", "BB2, ", "uniform, ") "\tp_branch\n"
    BLOCK(4, "", "BB2, ", "uniform, ") "\tp_branch\n"
    BLOCK(5, "", "BB1, ", "uniform, ") "\tp_branch\n"
    BLOCK(6, "BB1, ", "BB4, BB5, ", "uniform, merge, ")
    "\tp_logical_start\n\t s1: %9,  s1: %10:scc = s_add_u32 %7, 1\n\tp_logical_end\n\tp_branch\n"
    BLOCK(7, "BB2, ", "BB3, ", "uniform, top-level, loop-exit, ")
    "\t v1: %11 = p_phi %7\n\tp_logical_start\n\t s1: %12,  s1: %13:scc = s_bcnt1_i32_b32 %0:exec_lo\n"
    "\t v1: %14 = v_lshl_add_u32 %12, 8, %11\n" STORE("%14");

static uint32_t of_breaks(uint32_t l)
{
    return 32 << 8 | (l & 3);
}

// b = lane & 1 ? lane & 2 : true; x = b ? 5 : 6. The masks of both sides become one.
static const char masks[] = START "top-level, branch, " ARGUMENTS BUFFER
    "\t v1: %6 = v_and_b32 1, %2\n\t s1: %7 = v_cmp_lg_i32 0, %6\n\tp_logical_end\n\tp_cbranch_z %7\n"
    BLOCK(1, "BB0, ", "BB0, ", "uniform, ")
    "\tp_logical_start\n\t v1: %8 = v_and_b32 2, %2\n\t s1: %9 = v_cmp_lg_i32 0, %8\n"
    "\tp_logical_end\n\tp_branch\n"
    BLOCK(2, "", "BB0, ", "uniform, ") "\tp_branch\n"
    BLOCK(3, "", "BB1, BB2, ", "invert, ") "\tp_branch\n"
    BLOCK(4, "BB0, ", "BB3, ", "uniform, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch\n"
    BLOCK(5, "", "BB3, ", "uniform, ") "\tp_branch\n"
    BLOCK(6, "BB1, BB4, ", "BB4, BB5, ", "uniform, top-level, merge, ")
    "\t s1: %10 = p_boolean_phi %9, -1\n\tp_logical_start\n\t v1: %13 = p_parallelcopy 6\n"
    "\t v1: %11 = v_cndmask_b32 %13, 5, %10\n" STORE("%11");

static uint32_t of_masks(uint32_t l)
{
    return l & 1 && !(l & 2) ? 6 : 5;
}

// Sums, scans, the first lane; parts of registers.
static const char groups[] = START "uniform, top-level, " ARGUMENTS BUFFER
    "\t s1: %6,  s1: %7,  s1: %8:scc = p_reduce %2,  lv1: undef,  lv1: undef op:iadd32 cluster_size:32\n"
    "\t v1: %9,  s1: %10,  s1: %11,  s1: %12:scc = p_exclusive_scan %2,  lv1: undef,  lv1: undef op:umax32 cluster_size:32\n"
    "\t v1: %13,  s1: %14,  s1: %15:scc = p_reduce %2,  lv1: undef,  lv1: undef op:ior32 cluster_size:4\n"
    "\t s1: %16 = p_elect %0:exec_lo\n\t s1: %17 = p_as_uniform %13\n"
    "\t v2b: %18,  v2b: %19 = p_split_vector %6\n\t v2b: %20 = p_extract_vector %13, 0\n"
    "\t v1: %21 = p_create_vector %20, %18\n\t v1: %22 = p_extract %21, 1, 16, 1\n"
    "\t v1: %23 = v_add3_u32 %21, %9, %16\n\t s1: %24 = p_parallelcopy %17\n"
    "\t v1: %25 = p_insert %22, 1, 8\n\t v1: %26 = v_add3_u32 %23, %24, %25\n" STORE("%26");

static uint32_t of_groups(uint32_t l)
{
    const uint32_t sum = 31 * 32 / 2, scan = l ? l - 1 : 0, any = (l & ~3u) | 3;
    return (sum << 16 | any) + scan + 1 + 3 + ((sum & 0xff) << 8);
}

// x = lane * 3 + 5, and in 16 bits + lane * 3 + 5: ACO prints the literal of `mk` last.
static const char literals[] = START "uniform, top-level, " ARGUMENTS BUFFER
    "\t v1: %6 = v_cvt_f32_u32 %2\n\t v1: %7 = p_parallelcopy 0x40a00000\n"
    "\t v1: %8 = v_fmamk_f32 %6, %7, 0x40400000\n\t v1: %9 = v_cvt_u32_f32 %8\n"
    "\t v2b: %10 = v_cvt_f16_f32 %6\n\t v2b: %11 = v_cvt_f16_f32 %7\n"
    "\t v2b: %12 = v_fmamk_f16 %10, %11, 0x4200\n\t v1: %13 = v_cvt_f32_f16 %12\n"
    "\t v1: %14 = v_cvt_u32_f32 %13\n\t v1: %15 = v_add_u32 %9, %14\n" STORE("%15");

static uint32_t of_literals(uint32_t l)
{
    return 2 * (l * 3 + 5);
}

// After register allocation: two registers change places; phis see copies after p_logical_end; exec is written.
static const char registers[] = START "top-level, branch, " ARGUMENTS
    "\t s2: %3:s[2-3] = p_create_vector %1:s[0], 0xffff8000\n"
    "\t s4: %4:s[4-7] = s_load_dwordx4 %3:s[2-3], 0 storage:buffer\n"
    "\t v1: %5:v[1] = v_lshlrev_b32 2, %2:v[0]\n\t s1: %6:s[8],  s1: %7:s[9] = p_parallelcopy 1, 2\n"
    "\t s1: %8:s[8],  s1: %9:s[9] = p_parallelcopy %7:s[9], %6:s[8]\n"
    "\t v1: %10:v[2] = v_and_b32 1, %2:v[0]\n\t s1: %11:vcc_lo = v_cmp_lg_i32 0, %10:v[2]\n"
    "\tp_logical_end\n\t s1: %12:s[10],  s1: %13:scc,  s1: %0:exec_lo = s_and_saveexec_b32 %11:vcc_lo, %0:exec_lo\n"
    "\tp_cbranch_z %0:exec_lo BB2, BB1\n"
    BLOCK(1, "BB0, ", "BB0, ", "uniform, ")
    "\tp_logical_start\n\tp_logical_end\n\t s1: %20:s[8] = p_parallelcopy 4\n\tp_branch BB3\n"
    BLOCK(2, "", "BB0, ", "uniform, ") "\tp_branch BB3\n"
    BLOCK(3, "", "BB1, BB2, ", "invert, ")
    "\t s1: %14:s[11] = p_linear_phi 16, 32\n"
    "\t s1: %0:exec_lo,  s1: %15:scc = s_andn2_b32 %12:s[10], %0:exec_lo\n\tp_cbranch_z %0:exec_lo BB5, BB4\n"
    BLOCK(4, "BB0, ", "BB3, ", "uniform, ") "\tp_logical_start\n\tp_logical_end\n\tp_branch BB6\n"
    BLOCK(5, "", "BB3, ", "uniform, ") "\tp_branch BB6\n"
    BLOCK(6, "BB1, BB4, ", "BB4, BB5, ", "uniform, top-level, merge, ")
    "\t v1: %16:v[2] = p_phi %20:s[8], %9:s[9]\n\t s1: %0:exec_lo = p_parallelcopy %12:s[10]\n\tp_logical_start\n"
    "\t v1: %17:v[2] = v_add_u32 %14:s[11], %16:v[2]\n"
    "\tbuffer_store_dword %4:s[4-7], %5:v[1], 0, %17:v[2] offen storage:buffer\n\tp_logical_end\n\ts_endpgm\n";

static uint32_t of_registers(uint32_t l)
{
    return 16 + (l & 1 ? 4 : 1);
}

static const struct {
    const char *name, *text;
    enum aco_stage stage;
    uint32_t (*want)(uint32_t lane);
} programs[] = {
    {"branch", branch, ACO_SELECTED, of_branch}, {"loop", loop, ACO_SELECTED, of_loop},
    {"breaks", breaks, ACO_SELECTED, of_breaks}, {"masks", masks, ACO_SELECTED, of_masks},
    {"literals", literals, ACO_SELECTED, of_literals}, {"groups", groups, ACO_SELECTED, of_groups}, {"registers", registers, ACO_ALLOCATED, of_registers},
};

static void lanes_store_what_the_source_says(void **state)
{
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        uint32_t words[WORDS] = {0};
        const struct isa_result r = try(&a, programs[i].stage, LANES_HERE, programs[i].text, words);
        if (r.status != RAN_OK)
            fail_msg("%s: %s", programs[i].name, r.text);
        assert_int_equal(r.uneven_line, 0);
        for (uint32_t l = 0; l < LANES_HERE; l++)
            if (words[l] != programs[i].want(l))
                fail_msg("%s: lane %u stores 0x%x, not 0x%x", programs[i].name, l, words[l],
                         programs[i].want(l));
    }
    arena_free(&a);
}

// Returns a text with the first `from` replaced by `to`.
static const char *changed(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void what_is_not_known_is_refused(void **state)
{
    static const struct {
        const char *text;
        enum aco_stage stage;
        const char *from, *to, *why;
    } bad[] = {
        {branch, ACO_SELECTED, "p_parallelcopy %8", "p_frobnicate %8", "the operation 'p_frobnicate' at line 17"},
        {branch, ACO_SELECTED, "v_and_b32", "v_frobnicate_b32", "the operation 'v_frobnicate_b32' at line 9"},
        {branch, ACO_SELECTED, "invert, ", "resume, ", "the edges"},
        {branch, ACO_SELECTED, "logical preds: BB1, BB4, ", "logical preds: BB1, BB9, ", "the edges of BB6"},
        {branch, ACO_SELECTED, "%9, 7", "%9", "the form of 'p_phi'"},
        {branch, ACO_SELECTED, "v_and_b32 1, %2", "v_and_b32 1, %99", "%99, which has no definition"},
        {branch, ACO_SELECTED, "v_and_b32 1, %2", "v_and_b32 1, %4", "the operands of 'v_and_b32'"},
        {branch, ACO_SELECTED, "v_and_b32 1, %2", "v_and_b32 1, %2 row_newshl:3", "the mark 'row_newshl:3'"},
        {branch, ACO_SELECTED, "v_cmp_lg_i32", "v_cmpx_lg_i32", "the operation 'v_cmpx_lg_i32'"},
        {branch, ACO_SELECTED, "\ts_endpgm\n", "", "BB6 without a branch at its end"},
        {branch, ACO_SELECTED, "BB6\n", "BB3\n", "the order of block 'BB3'"},
        {branch, ACO_SELECTED, "\tp_branch\n", "\tp_branch\n\ts_nop\n", "after the end of its block: 's_nop'"},
        {breaks, ACO_SELECTED, "loop-exit, ", "", "the kind of block before 'p_branch'"},
        {registers, ACO_ALLOCATED, "p_cbranch_z %0:exec_lo BB2, BB1", "p_cbranch_z %0:exec_lo BB4, BB1", "the targets 'BB4, BB1'"},
        {registers, ACO_ALLOCATED, "p_phi %20:s[8], %9:s[9]", "p_boolean_phi %20:s[8], %9:s[9]", "the form of 'p_boolean_phi'"},
        {registers, ACO_ALLOCATED, "v1: %16:v[2]", "s1: %16:v[2]", "the definition"},
        {groups, ACO_SELECTED, "op:iadd32", "op:fnord32", "the reduction"},
        {groups, ACO_SELECTED, "p_extract %21, 1, 16, 1", "p_extract %21, 2, 16, 1", "the operands of 'p_extract'"},
        {groups, ACO_SELECTED, "p_create_vector %20, %18", "p_create_vector %20, %6", "the operands of 'p_create_vector'"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t words[WORDS] = {0};
        const struct isa_result r = try(&a, bad[i].stage, LANES_HERE,
                                        changed(&a, bad[i].text, bad[i].from, bad[i].to), words);
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, bad[i].why))
            fail_msg("%s: '%s'", bad[i].to, r.text);
    }
    arena_free(&a);
}

// A scalar register that lanes reach with different values is noted: the compiler took for
// uniform what is not.
static void a_scalar_of_two_values_is_noted(void **state)
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    (void)state;
    const char *text = changed(&a, branch, "v1: %10 = p_phi %9, 7", "s1: %10 = p_phi %8, 7");
    const struct isa_result r = try(&a, ACO_SELECTED, LANES_HERE,
                                    changed(&a, text, "\tbuffer_store_dword %4, %5, 0, %10",
                                            "\t v1: %11 = p_parallelcopy %10\n\tbuffer_store_dword %4, %5, 0, %11"),
                                    words);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(r.uneven_line, 34);
    arena_free(&a);
}

// Mesa 22.3 copies for phis before p_logical_end, so that they miss what comes after it.
static void phis_are_copied_where_aco_copies_them(void **state)
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    (void)state;
    const char *text = changed(&a, registers, "SW (CS), HW (COMPUTE_SHADER)", "compute_cs");
    assert_int_equal(try(&a, ACO_ALLOCATED, LANES_HERE, text, words).status, RAN_OK);
    for (uint32_t l = 0; l < LANES_HERE; l++)
        assert_int_equal(words[l], 16 + (l & 1 ? 2 : 1));
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
            uint32_t words[WORDS] = {0};
            const struct isa_result r = try(&a, programs[i].stage, LANES_HERE, text, words);
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
        cmocka_unit_test(a_scalar_of_two_values_is_noted),
        cmocka_unit_test(phis_are_copied_where_aco_copies_them),
        cmocka_unit_test(any_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
