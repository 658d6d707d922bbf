// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine that runs Mesa's NIR. Small functions whose answers were worked out by hand; faults
// planted in the text; text that is no program.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_nir_common.h"

static void check(const char *text, struct nir_trial t, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    const struct isa_result r = nir_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < (t.local ? t.local : t.size ? t.size : 32); i++)
        if (t.words[i] != want(i))
            fail_msg("invocation %u: %u (0x%x), not %u (0x%x)", i, t.words[i], t.words[i], want(i), want(i));
    arena_free(&a);
}

static struct nir_trial counted(uint32_t size)
{
    struct nir_trial t = {.size = size};
    for (uint32_t i = 0; i < NIR_WORDS; i++)
        t.words[i] = 100 + i;
    return t;
}

// ---- lanes ------------------------------------------------------------------------------------------------

#define ONE(expression) NIR_BEGIN NIR_LOAD("%10") expression NIR_STORE("%20") NIR_END
#define WITH(k, expression) ONE("    32 %11 = load_const (" k ")\n" expression)

static uint32_t next_of_cluster(uint32_t i) { return 100 + ((i & ~7u) | ((i + 3) & 7)); }
static uint32_t fifth(uint32_t i) { return 105 + 0 * i; }
static uint32_t crossed(uint32_t i) { return 100 + (i ^ 5); }
static uint32_t diagonal(uint32_t i) { return 100 + (i ^ 3); }
static uint32_t second_of_quad(uint32_t i) { return 100 + (i & ~3u) + 2; }
static uint32_t across_row(uint32_t i) { return 100 + (i ^ 1); }
static uint32_t across_column(uint32_t i) { return 100 + (i ^ 2); }
static uint32_t two_on(uint32_t i) { return i < 30 ? 102 + i : 7; }
static uint32_t two_back(uint32_t i) { return i > 1 ? 98 + i : 7; }
static uint32_t none(uint32_t i) { return 0 * i; }
static uint32_t one(uint32_t i) { return 1 + 0 * i; }
static uint32_t below_twelve(uint32_t i) { return i < 12 ? 0xfff : 0xfffff000; }
static uint32_t quad_holds_six(uint32_t i) { return i / 4 == 1; }
static uint32_t sum_to(uint32_t i) { return 100 * (i + 1) + i * (i + 1) / 2; }
static uint32_t sum_before(uint32_t i) { return 100 * i + (i ? i * (i - 1) / 2 : 0); }
static uint32_t most_of_four(uint32_t i) { return 100 + (i | 3); }
static uint32_t sum_of_those(uint32_t i) { return i < 12 ? i % 4 + 78 : 7; }
static uint32_t everybody(uint32_t i) { return 0xffffffff + 0 * i; }
static uint32_t low_or_all(uint32_t i) { return i < 12 ? 0xfff : 7; }
static uint32_t own_bit(uint32_t i) { return 0x9669u >> (i % 32) & 1; }
static uint32_t first_alone(uint32_t i) { return i == 0; }
static uint32_t third_word(uint32_t i) { return i >= 64 && i < 80 ? 0xffff : 7; }

static uint32_t swizzled(uint32_t i) { return (i & ~31u) | ((i & 28) ^ 9); }
static uint32_t two(uint32_t i) { return 0x40000000 + 0 * i; }

static void lanes_read_lanes(void **state)
{
    (void)state;
    struct nir_trial radv = counted(64);
    radv.driver = NIR_RADV;
    check("impl main {\n    con block b0:       // preds:\n    con 64     %0 = load_const (0xffffffffffffffff)\n"
          "    con 32     %1 = load_const (0x00000000)\n    div 32     %2 = @mbcnt_amd (%0, %1 (0x0))\n"
          "    con 32     %3 = load_const (0x00000002)\n    div 32     %4 = ishl %2, %3 (0x2)\n"
          "    con 32     %5 = @load_scalar_arg_amd (base=0, arg_upper_bound_u32_amd=0, arg_num_lsb_zero=2)\n"
          "    con 32     %6 = load_const (0xffff8000)\n    con 64     %7 = pack_64_2x32_split %5, %6\n"
          "    con 32x4   %8 = @load_global_amd (%7, %1 (0x0)) (base=0, access=none, align_mul=4, align_offset=0)\n"
          "    div 32     %9 = @masked_swizzle_amd (%2) (swizzle_mask=((id & 28) | 0) ^ 9, fetch_inactive=1)\n"
          "    @store_ssbo (%9, %8, %4) (wrmask=x, access=none, align_mul=4, align_offset=0, offset_shift=0)\n" NIR_END,
          radv, swizzled);
    // Lane 0 has 2.0, the others 1.0.
    check(ONE("    32 %11 = load_const (0x3f800000)\n    32 %12 = load_const (0x40000000)\n    1 %13 = ieq %0, %3\n"
              "    32 %14 = bcsel %13, %12, %11\n    32 %20 = @reduce (%14) (reduction_op=fmul, cluster_size=0)\n"),
          counted(32), two);
    // A window that begins behind both words holds nothing.
    check(WITH("0xffffffff", "    32 %12 = load_const (0x00000040)\n    32 %20 = extr_agx %11, %11, %12, %3\n"), counted(32), none);
    check(WITH("0x00000003", "    32 %20 = @rotate (%10, %11 (0x3)) (cluster_size=8)\n"), counted(32), next_of_cluster);
    check(WITH("0x00000005", "    32 %20 = @read_invocation (%10, %11)\n"), counted(32), fifth);
    check(WITH("0x00000005", "    32 %20 = @shuffle_xor (%10, %11)\n"), counted(32), crossed);
    check(WITH("0x00000005", "    32 %12 = ixor %0, %11\n    32 %20 = @shuffle (%10, %12)\n"), counted(128), crossed);
    check(WITH("0x00000002", "    32 %20 = @quad_broadcast (%10, %11)\n"), counted(32), second_of_quad);
    check(ONE("    32 %20 = @quad_swap_diagonal (%10)\n"), counted(32), diagonal);
    check(ONE("    32 %20 = @quad_swap_horizontal (%10)\n"), counted(32), across_row);
    check(ONE("    32 %20 = @quad_swap_vertical (%10)\n"), counted(32), across_column);
    // What comes from no lane is junk, and thrown away.
#define INSIDE(n, compare, shuffle) \
    WITH(n, "    32 %12 = load_const (0x00000007)\n    1 %13 = " compare "\n    32 %15 = load_const (0x00000002)\n    32 %14 = " shuffle "\n    32 %20 = bcsel %13, %14, %12\n")
    check(INSIDE("0x0000001e", "ult %0, %11", "@shuffle_down (%10, %15)"), counted(32), two_on);
    check(INSIDE("0x0000001e", "ult %0, %11", "@shuffle_down_uniform_ir3 (%10, %15)"), counted(32), two_on);
    check(INSIDE("0x00000002", "uge %0, %11", "@shuffle_up (%10, %15)"), counted(32), two_back);
    check(INSIDE("0x00000002", "uge %0, %11", "@shuffle_up_uniform_ir3 (%10, %15)"), counted(32), two_back);
    check(ONE("    1 %12 = @vote_ieq (%10)\n    32 %20 = b2i32 %12\n"), counted(32), none);
    check(ONE("    1 %12 = @vote_ieq (%2)\n    32 %20 = b2i32 %12\n"), counted(32), one);
    check(ONE("    1 %12 = @vote_feq (%10)\n    32 %20 = b2i32 %12\n"), counted(32), none);
    check(WITH("0x7fc00000", "    1 %12 = @vote_feq (%11)\n    32 %20 = b2i32 %12\n"), counted(32), none); // no number is equal to none
    check(ONE("    32x2 %11 = vec2 %2, %10\n    1 %12 = @vote_ieq (%11)\n    32 %20 = b2i32 %12\n"), counted(32), none);
    check(WITH("0x00000006", "    1 %12 = ieq %0, %11\n    1 %13 = @quad_vote_any (%12)\n    32 %20 = b2i32 %13\n"), counted(32), quad_holds_six);
    // Bits of lanes that do not run may be anything: they are not all 0, and the others are right.
    check(WITH("0x0000000c", "    32 %12 = load_const (0x00000fff)\n    32 %16 = inot %12\n    1 %13 = ult %0, %11\n    32 %17 = bcsel %13, %12, %16\n"
               "    if %13 {\n    block b1:\n    32 %14 = @ballot_relaxed (%4)\n    } else {\n    block b2:\n    32 %15 = @ballot_relaxed (%4)\n    }\n"
               "    block b3:\n    32 %18 = phi b1: %14, b2: %15\n    32 %20 = iand %18, %17\n"), counted(32), below_twelve);
    check(ONE("    32 %20 = @inclusive_scan (%10) (reduction_op=iadd)\n"), counted(64), sum_to);
    check(ONE("    32 %20 = @exclusive_scan (%10) (reduction_op=iadd)\n"), counted(64), sum_before);
    check(ONE("    32 %20 = @reduce (%10) (reduction_op=umax, cluster_size=4)\n"), counted(32), most_of_four);
    check(ONE("    32x4 %12 = @ballot (%4 (true))\n    32 %20 = mov %12.x\n"), counted(128), everybody);
    check(WITH("0x00009669", "    1 %12 = @inverse_ballot (%11)\n    32 %20 = b2i32 %12\n"), counted(32), own_bit);
    check(ONE("    1 %12 = @elect\n    32 %20 = b2i32 %12\n"), counted(32), first_alone);
}

// ---- structure ----------------------------------------------------------------------------------------------

static void an_if_splits_and_joins(void **state)
{
    (void)state;
    check(WITH("0x0000000c", "    32 %12 = load_const (0x00000007)\n    1 %13 = ult %0, %11\n    if %13 {\n    block b1:\n"
                             "    32 %14 = @inclusive_scan (%2) (reduction_op=iadd)\n"
                             "    32 %15 = @reduce (%14) (reduction_op=iadd, cluster_size=16)\n    32 %18 = load_const (0x00000003)\n    32 %17 = iand %0, %18\n"
                             "    32 %16 = iadd %15, %17\n    } else {\n    block b2:\n    32 %19 = @reduce (%3) (reduction_op=umin, cluster_size=0)\n"
                             "    }\n    block b3:\n    32 %20 = phi b1: %16, b2: %12\n"),
          counted(32), sum_of_those);
    check(WITH("0x0000000c", "    32 %12 = load_const (0x00000007)\n    1 %13 = ult %0, %11\n    // succs: b1 b2\n"
                             "    if %13 {\n    block b1: // preds: b0\n    32 %14 = @ballot (%4)\n    } else {\n"
                             "    block b2: // preds: b0\n    }\n    block b3: // preds: b1 b2\n"
                             "    32 %20 = phi b1: %14, b2: %12 (0x7)\n"),
          counted(32), low_or_all);
    check(WITH("0x00000006", "    32 %12 = load_const (0x00000007)\n    32 %16 = ushr %0, %11\n    1 %13 = ine %16, %3\n"
                             "    32 %17 = load_const (0x00000050)\n    1 %18 = ult %0, %17 (0x50)\n    1 %19 = iand %13, %18\n"
                             "    if %19 {\n    block b1:\n    32x4 %14 = @ballot (%4)\n    32 %15 = mov %14.z\n"
                             "    } else {\n    block b2:\n    }\n    block b3:\n    32 %20 = phi b1: %15, b2: %12 (0x7)\n"),
          counted(128), third_word);
}

// Lanes leave in the turn of their lowest two bits; word i is a ballot in the way out, word i + 32 one behind the loop.
static const char loop[] =
    NIR_BEGIN "    32 %5 = load_const (0x00000003)\n    32 %6 = iand %0, %5 (0x3)\n    32 %40 = load_const (0x00000020)\n"
    "    // succs: b1\n    loop {\n        block b1:   // preds: b0 b4\n"
    "        32  %7 = phi b0: %3 (0x0), b4: %9\n        32  %30 = phi b0: %3, b4: %7\n        1   %8 = ieq %7, %6\n"
    "        if %8 {\n            block b2:   // preds: b1\n            32 %10 = @ballot (%4 (true))\n"
    "            @store_ssbo (%10, %1, %0) (wrmask=x, offset_shift=2)\n            break\n            // succs: b5\n"
    "        } else {\n            block b3:  // preds: b1, succs: b4\n        }\n        block b4:   // preds: b3\n"
    "        32  %9 = iadd %7, %2 (0x1)\n        // succs: b1\n    }\n    block b5:   // preds: b2\n"
    "    32 %11 = @ballot (%4)\n    32 %12 = iadd %0, %40\n    32 %13 = iadd %11, %30\n"
    "    @store_ssbo (%13, %1, %12) (wrmask=x, offset_shift=2)\n" NIR_END;

static bool loop_right(const struct nir_trial *t)
{
    for (uint32_t i = 0; i < 32; i++)
        if (t->words[i] != 0x11111111u << (i & 3) || t->words[32 + i] != 0xffffffff + ((i & 3) ? (i & 3) - 1 : 0))
            return false;
    return true;
}

static void a_loop_is_left_by_turns(void **state)
{
    (void)state;
    struct arena a = {0};
    struct nir_trial t = {0};
    const struct isa_result r = nir_try(&a, &t, loop);
    assert_int_equal(r.status, RAN_OK);
    assert_true(loop_right(&t));
    arena_free(&a);
}

// Two values that change places at the head of a loop, and a continue that those of odd invocations take.
static uint32_t swapped(uint32_t i) { return i & 1 ? 0x00090007 : 0x00070009; }
static void phis_are_taken_at_once(void **state)
{
    (void)state;
    check(NIR_BEGIN
          "    32 %5 = load_const (0x00000007)\n    32 %6 = load_const (0x00000009)\n    32 %14 = iand %0, %2\n"
          "    32 %7 = iadd %14, %2\n    32 %8 = load_const (0x00000010)\n"
          "    loop {\n    block b1:\n    32 %10 = phi b0: %5, b3: %11, b5: %11\n    32 %11 = phi b0: %6, b3: %10, b5: %10\n"
          "    32 %12 = phi b0: %3, b3: %13, b5: %13\n    32 %13 = iadd %12, %2\n    1 %15 = ult %7, %13\n    if %15 {\n    block b2:\n    break\n"
          "    } else {\n    block b6:\n    }\n    block b7:\n    1 %16 = ine %14, %3\n    if %16 {\n    block b3:\n    continue\n    } else {\n    block b4:\n    }\n    block b5:\n    }\n"
          "    block b8:\n    32 %18 = ishl %11, %8\n    32 %20 = ior %18, %10\n" NIR_STORE("%20") NIR_END,
          counted(32), swapped);
}

static uint32_t of_the_other(uint32_t i) { return 100 + (i ^ 32); }
static void workgroups_are_counted_by_x_first(void **state)
{
    const struct spv_case c = {.groups = {3, 4, 5}};
    uint32_t at[3];
    (void)state;
    isa_group(&c, 2 + 3 * (1 + 4 * 3), at);
    assert_true(at[0] == 2 && at[1] == 1 && at[2] == 3);
}

static void subgroups_meet_at_barriers(void **state)
{
    (void)state;
    struct nir_trial t = counted(32);
    t.local = 64;
    static const char text[] =
        NIR_BEGIN NIR_LOAD("%10") "    32 %5 = load_const (0x00000002)\n    32 %6 = ishl %0, %5\n    32 %8 = load_const (0x00000080)\n"
        "    @store_shared (%10, %6) (base=64, wrmask=x, access=none)\n"
        "    @barrier (execution_scope=WORKGROUP, memory_scope=WORKGROUP, mem_semantics=ACQ|REL, mem_modes=shared)\n"
        "    32 %7 = ixor %6, %8\n    32 %20 = @load_shared (%7) (base=64, access=none)\n" NIR_STORE("%20") NIR_END;
    check(text, t, of_the_other);
    // One waits alone: the other one has ended, so that it goes on.
    struct arena a = {0};
    const struct isa_result r = nir_try(
        &a, &t,
        NIR_BEGIN "    32 %5 = load_const (0x00000020)\n    1 %6 = ult %0, %5\n    if %6 {\n    block b1:\n"
                  "    @barrier (execution_scope=WORKGROUP)\n    } else {\n    block b2:\n    }\n    block b3:\n" NIR_END);
    assert_int_equal(r.status, RAN_OK);
    arena_free(&a);
}

// `text` with the first `from` made `to`.
static const char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

// ---- without structure --------------------------------------------------------------------------------------------

// NVK's: lanes below 12 part from the others, and %9 of all is stored; where `sync` has them join, it is a ballot of all.
#define JUMPS(sync, last)                                                                                                  \
    "impl main {\n    div block b0:   // preds:\n    div 32   %0 = @load_sysval_nv (access=reorderable, base=33, divergent=1)\n"  \
    "    con 32   %3 = load_const (0x00000000)\n    con 32   %2 = load_const (0x00000001)\n    con 1    %4 = load_const (true)\n"   \
    "    con 32x2 %1 = @ldc_nv (%2 (0x1), %3 (0x0)) (base=0, access=none)\n    con 64   %5 = pack_64_2x32 %1\n"                    \
    "    con 32   %6 = load_const (0x0000000c)\n    div 1    %7 = ult %0, %6\n    con 32   %10 = load_const (0x00000002)\n"             \
    "    div 32   %11 = ishl %0, %10\n    con 32   %12 = load_const (0x00000400)\n    div 32   %8 = @bar_set_nv\n"                  \
    "    goto b1 if %7 else b2\n    // succs: b1 b2\n    div block b1:// preds: b0\n    div 32   %13 = @ballot (%4 (true))\n"           \
    "    goto b3\n    div block b2:// preds: b0\n    div 32   %14 = @ballot (%4 (true))\n    goto b3\n    div block b3:// preds: b1 b2\n"       \
    "    div 32   %15 = phi b1: %13, b2: %14\n" sync "    div 32   %9 = @ballot (%4 (true))\n"                                   \
    "    div 32   %16 = ixor %9, %15\n    @store_global_nv (%16, %11, %5) (base=0, access=none)\n" last "    goto b4\n    block b4:\n}\n"
#define SYNC "    @bar_sync_nv (%8, %8)\n"
#define OWN "    con 32   %19 = load_const (0x00000200)\n    div 32   %18 = iadd %0, %19\n"
#define MEET                                                                                                                  \
    "    @barrier (execution_scope=WORKGROUP)\n    con 32   %20 = load_const (0x00000080)\n    div 32   %21 = ixor %11, %20\n"      \
    "    div 32   %22 = @load_global_nv (%21, %5, %4) (base=0, access=none)\n    @store_global_nv (%22, %11, %5) (base=1024, access=none)\n"

static uint32_t the_others(uint32_t i) { return i < 12 ? 0xfffff000 : 0xfff; }
static uint32_t nobody(uint32_t i) { return 0 * i; }
static uint32_t across(uint32_t i) { return 0x200 + (i ^ 32); }
static void barriers_join_where_nothing_is_structured(void **state)
{
    (void)state;
    struct nir_trial t = counted(32);
    t.driver = NIR_NVK;
    check(JUMPS(SYNC, ""), t, the_others);
    check(JUMPS("", ""), t, nobody); // who is not joined stays apart, by every schedule
    // Who stores last is not promised.
    struct arena a = {0};
    struct isa_result r = nir_try(&a, &t, JUMPS("", "    @store_global_nv (%0, %3, %5) (base=1024, access=none)\n"));
    assert_int_equal(r.status, RAN_OK);
    assert_true(r.others > 0);
    r = nir_try(&a, &t, JUMPS(SYNC, "    @store_global_nv (%15, %3, %5) (base=1024, access=none)\n"));
    assert_int_equal(r.others, 0);
    // A barrier that only some reach, where others have gone on for good.
    r = nir_try(&a, &t, JUMPS("    @bar_sync_nv (%3, %8)\n    @bar_sync_nv (%11, %8)\n", ""));
    assert_string_equal(r.text, "bar_sync_nv of a barrier that lane 1 did not begin at line 26");
    r = nir_try(&a, &t, JUMPS("    div 32   %17 = @bar_break_nv (%11)\n", ""));
    assert_string_equal(r.text, "bar_break_nv of a barrier that lane 12 did not begin at line 25");
    // Who is taken out does not stop at the barrier, and nobody waits for them.
    check(replaced(&a, JUMPS(SYNC, ""), "    goto b3\n    div block b2", "    div 32   %17 = @bar_break_nv (%8)\n    goto b3\n    div block b2"),
          t, nobody);
    // Both subgroups store, stop at the workgroup's barrier, and read what the other one stored.
    struct nir_trial both = counted(32);
    both.driver = NIR_NVK;
    both.local = 64;
    r = nir_try(&a, &both, replaced(&a, JUMPS(SYNC OWN, MEET), "(%16, %11, %5)", "(%18, %11, %5)"));
    assert_string_equal(r.text, "");
    assert_int_equal(r.others, 0);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(both.words[256 + i], across(i));
    arena_free(&a);
}

// NVK's, before its own lowering: %5 is the buffer's address, %9 the address of the lane's word.
#define NVK_EARLY(code)                                                                                                    \
    "impl main {\n    block b0:   // preds:\n    32   %0 = @load_sysval_nv (access=reorderable, base=33)\n"                    \
    "    32   %3 = load_const (0x00000000)\n    32   %2 = load_const (0x00000001)\n    32   %4 = load_const (0x00000002)\n"      \
    "    32x2 %1 = @load_ubo (%2 (0x1), %3 (0x0)) (access=none, align_mul=16, align_offset=0, range_base=0, range=-1)\n"        \
    "    64   %5 = pack_64_2x32 %1\n    32   %6 = ishl %0, %4\n    64   %7 = u2u64 %6\n    64   %9 = iadd %5, %7\n" code "}\n"
#define AT(value, address) "    @store_global (" value ", " address ") (wrmask=x, access=none, align_mul=4, align_offset=0)\n"

static uint32_t sums(uint32_t i) { return i ? i + i - 1 : 0; }
static void addresses_before_nvk_lowers_them(void **state)
{
    (void)state;
    struct nir_trial t = counted(32);
    t.driver = NIR_NVK;
    // Each lane stores its number; then it adds what its neighbour below stored, which two loads read.
    check(NVK_EARLY(AT("%0", "%9") "    32   %11 = load_const (0x00000004)\n    32   %10 = usub_sat %6, %11 (0x4)\n"
                                   "    32   %12 = @load_global_constant_offset (%5, %10) (access=none, align_mul=4, align_offset=0)\n"
                                   "    32   %13 = @load_global_constant (%9) (access=none, align_mul=4, align_offset=0)\n"
                                   "    32   %14 = iadd %12, %13\n" AT("%14", "%9")),
          t, sums);
}

static void values_must_fit(void **state)
{
    struct arena a = {0};
    struct text text = {.arena = &a};
    struct nir_trial t = {.local = 1024};
    (void)state;
    text_add(&text, "%s", NIR_BEGIN);
    for (uint32_t i = 0; i < 33000; i++)
        text_add(&text, "    32 %%%u = iadd %%2, %%2\n", 100 + i);
    text_add(&text, "%s", NIR_STORE("%2") NIR_END);
    const struct isa_result r = nir_try(&a, &t, text.v);
    assert_int_equal(r.status, RAN_UNSUPPORTED);
    assert_string_equal(r.text, "unsupported: more values than the limit");
    arena_free(&a);
}

// ---- what must be seen ---------------------------------------------------------------------------------------------

// By hand: of random operands hardly any has its field in the word.
static void a_field_is_inserted(void **state)
{
    static const struct {
        uint32_t base, insert, at, bits, want;
    } rows[] = {
        {0xaabbccdd, 0x12345, 8, 12, 0xaab345dd}, {0xaabbccdd, 0x12345678, 0, 32, 0x12345678}, {0xaabbccdd, 0xff, 5, 0, 0xaabbccdd},
        {0, 0xffffffff, 31, 1, 0x80000000},       {0xffffffff, 0, 28, 4, 0x0fffffff},          {0xaabbccdd, 1, 28, 5, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct nir_trial t = {0};
        const struct isa_result r = nir_try(
            &a, &t,
            arena_printf(&a,
                         "%s    32 %%10 = load_const (0x%x)\n    32 %%11 = load_const (0x%x)\n    32 %%12 = load_const (0x%x)\n"
                                   "    32 %%13 = load_const (0x%x)\n    32 %%14 = bitfield_insert %%10, %%11, %%12, %%13\n"
                                   "    @store_ssbo (%%14, %%1, %%0) (wrmask=x, offset_shift=2)\n%s",
                         NIR_BEGIN, rows[i].base, rows[i].insert, rows[i].at, rows[i].bits, NIR_END));
        if (r.status != RAN_OK || t.words[0] != rows[i].want)
            fail_msg("row %zu: %s 0x%x, not 0x%x", i, r.text, t.words[0], rows[i].want);
        arena_free(&a);
    }
}

static void faults_in_the_text_are_seen(void **state)
{
    static const struct {
        const char *what, *from, *to;
    } faults[] = {
        {"a phi's sources changed places", "phi b0: %3 (0x0), b4: %9", "phi b0: %9, b4: %3"},
        {"a phi's source is another turn's", "b4: %7", "b4: %9"},
        {"the way out is of those who stay", "ieq %7, %6", "ine %7, %6"},
        {"the ballot moved out of the if", "        if %8 {\n            block b2:   // preds: b1\n            32 %10 = @ballot (%4 (true))\n",
         "        32 %10 = @ballot (%4 (true))\n        if %8 {\n            block b2:   // preds: b1\n"},
        {"the ballot moved behind the loop", "    32 %11 = @ballot (%4)\n", "    32 %11 = mov %10\n"},
        {"a step too far", "iadd %7, %2 (0x1)", "iadd %7, %5"},
        {"another operation", "iand %0, %5 (0x3)", "ior %0, %5 (0x3)"},
        {"an operand for another", "ieq %7, %6", "ieq %7, %0"},
        {"a break lost", "            break\n", ""},
        {"a break made a continue", "            break\n", "            continue\n"},
        {"a component lost", "(%10, %1, %0) (wrmask=x, offset_shift=2)", "(%10, %1, %0) (wrmask=x, offset_shift=1)"},
        {"another constant", "(0x00000003)", "(0x00000001)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena a = {0};
        struct nir_trial t = {0};
        const struct isa_result r = nir_try(&a, &t, replaced(&a, loop, faults[i].from, faults[i].to));
        if (r.status == RAN_UNSUPPORTED || (r.status == RAN_OK && loop_right(&t)))
            fail_msg("not seen: %s", faults[i].what);
        arena_free(&a);
    }
}

static void what_is_called_alike_must_be(void **state)
{
    struct arena a = {0};
    struct nir_trial t = {0};
    static const char text[] = NIR_BEGIN "    con 32 %10 = iadd %0, %2\n" NIR_STORE("%10") NIR_END;
    (void)state;
    struct isa_result r = nir_try(&a, &t, text);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(r.uneven_line, 8);
    r = nir_try(&a, &t, replaced(&a, text, "con", "div"));
    assert_int_equal(r.uneven_line, 0);
    r = nir_try(&a, &t, replaced(&a, text, "iadd %0", "iadd %2"));
    assert_int_equal(r.uneven_line, 0);
    // A phi to which some come with an undefined value is what the others bring.
    r = nir_try(&a, &t, NIR_BEGIN "    con 32 %10 = undefined\n    1 %11 = @elect\n    if %11 {\n    block b1:\n    } else {\n"
                                  "    block b2:\n    }\n    block b3:\n    con 32 %12 = phi b1: %2, b2: %10\n" NIR_STORE("%12") NIR_END);
    assert_int_equal(r.uneven_line, 0);
    assert_int_equal(t.words[31], 1);
    // Of a lane that is not there all get the same; by shuffles each its own.
    t = (struct nir_trial){.local = 8};
    r = nir_try(&a, &t, NIR_BEGIN "    con 32 %9 = load_const (0x0000000f)\n    con 32 %10 = @read_invocation (%2, %9)\n" NIR_END);
    assert_int_equal(r.uneven_line, 0);
    r = nir_try(&a, &t, NIR_BEGIN "    con 32 %9 = load_const (0x0000000f)\n    con 32 %10 = @shuffle (%2, %9)\n" NIR_END);
    assert_int_equal(r.uneven_line, 9);
    arena_free(&a);
}

static void what_is_undefined_is_junk(void **state)
{
    struct arena a = {0};
    struct nir_trial t = {0};
    (void)state;
    assert_int_equal(nir_try(&a, &t, ONE("    32 %20 = undefined\n")).status, RAN_OK);
    assert_int_not_equal(t.words[3], t.words[4]);
    // Of a lane that is not there.
    assert_int_equal(nir_try(&a, &t, WITH("0x00000001", "    32 %20 = @shuffle_up (%2, %11)\n")).status, RAN_OK);
    assert_int_not_equal(t.words[0], 1);
    assert_int_equal(t.words[1], 1);
    arena_free(&a);
}

static void what_is_no_program_is_refused(void **state)
{
    static const struct {
        const char *text, *says;
        enum ran status;
    } bad[] = {
        {"", "no complete function", RAN_INVALID},
        {NIR_BEGIN "    32 %9 = no_such_thing %0\n" NIR_END, "unsupported: operation 'no_such_thing' at line 8", RAN_UNSUPPORTED},
        {NIR_BEGIN "    32 %9 = @no_such_thing (%0)\n" NIR_END, "unsupported: operation '@no_such_thing' at line 8", RAN_UNSUPPORTED},
        {NIR_BEGIN "    32 %9 = @mbcnt_amd (%0, %0)\n" NIR_END, "unsupported: another driver's operation '@mbcnt_amd' at line 8", RAN_UNSUPPORTED},
        {NIR_BEGIN "    32 %9 = iadd %0\n" NIR_END, "operands of iadd at line 8", RAN_INVALID},
        {NIR_BEGIN "    32 %9 = iadd %0, %4\n" NIR_END, "operands of iadd at line 8", RAN_INVALID},
        {NIR_BEGIN "    64 %9 = iadd %0, %0\n" NIR_END, "operands of iadd at line 8", RAN_INVALID},
        {NIR_BEGIN "    32 %9 = iadd %0, %77\n" NIR_END, "%77 is not defined at line 8", RAN_INVALID},
        {NIR_BEGIN "    32 %0 = iadd %2, %2\n" NIR_END, "%0 is defined twice at line 8", RAN_INVALID},
        {NIR_BEGIN "    32 %9 = @rotate (%0, %2) (cluster_size=3)\n" NIR_END, "unsupported: attribute 'cluster_size=3' of rotate at line 8", RAN_UNSUPPORTED},
        {NIR_BEGIN "    32 %9 = @elect (no=1)\n" NIR_END, "unsupported: attribute 'no=1' of elect at line 8", RAN_UNSUPPORTED},
        {NIR_BEGIN "    break\n" NIR_END, "a break or continue outside of a loop at line 8", RAN_INVALID},
        {NIR_BEGIN "    } else {\n" NIR_END, "an else without an if at line 8", RAN_INVALID},
        {NIR_BEGIN "    loop {\n    }\n" NIR_END, "more than 100000 instructions at line 9", RAN_OVER_LIMIT},
        {NIR_BEGIN "    loop {\n    } continue {\n", "unsupported: line '} continue {' at line 9", RAN_UNSUPPORTED},
        {NIR_BEGIN "    block b1:\n    32 %9 = phi b7: %0\n" NIR_END, "a phi without a value from b0 at line 9", RAN_INVALID},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena a = {0};
        struct nir_trial t = {0};
        const struct isa_result r = nir_try(&a, &t, bad[i].text);
        assert_string_equal(r.text, bad[i].says);
        assert_int_equal(r.status, bad[i].status);
        arena_free(&a);
    }
}

// A text cut or changed anywhere gives an answer or a reason.
static void any_text_is_fit(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < sizeof loop; cut += 3) {
        struct arena a = {0};
        struct nir_trial t = {.step_limit = 2000};
        char text[sizeof loop];
        memcpy(text, loop, sizeof text);
        text[cut] = cut % 2 ? 0 : (char)(' ' + cut % 90);
        const struct isa_result r = nir_try(&a, &t, text);
        assert_true(r.status == RAN_OK || (r.text[0] && !strchr(r.text, '\n')));
        arena_free(&a);
    }
}

// Odd lanes take what the lane across reads, even ones count those of them below.
static uint32_t hk_want(uint32_t i)
{
    return i % 2 ? 100 + (i ^ 4) + 7 : 1000 + i / 2;
}

static void a_preamble_comes_first(void **state)
{
    static const char text[] =
        "impl main {\n    preamble @preamble\n    block b0:   // preds:\n    32x3 %0 = @load_global_invocation_id\n"
        "    64 %1 = @load_preamble (base=12)\n    32 %2 = @load_preamble (base=8)\n    32 %3 = load_const (0x00000001)\n"
        "    32 %4 = iand %0.x, %3\n    1 %5 = ine %4, %2\n    32 %6 = load_const (0x00000004)\n    if %5 {\n    block b1:\n"
        "    32 %7 = @load_agx (%1, %0.x) (access=none, base=0, format=r32_uint, sign_extend=1)\n    32 %8 = ixor %0.x, %6\n"
        "    32 %9 = @read_invocation (%7, %8)\n    32 %10 = load_const (0x00000007)\n    32 %11 = iadd %9, %10\n"
        "    } else {\n    block b2:\n    16 %12 = @load_active_subgroup_invocation_agx\n    32 %13 = u2u32 %12\n"
        "    32 %14 = load_const (0x000003e8)\n    32 %15 = iadd %13, %14\n    }\n    block b3:\n    32 %16 = phi b1: %11, b2: %15\n"
        "    @store_agx (%16, %1, %0.x) (access=none, base=0, format=r32_uint, sign_extend=0)\n}\n\ndecl_function @preamble ()\n\n"
        "impl @preamble {\n    block b0:\n    64 %0 = @load_preamble (base=4)\n    32 %1 = load_const (0x00000000)\n"
        "    32x4 %2 = @load_constant_agx (%0, %1) (access=speculatable, base=2, format=r32_uint, sign_extend=1)\n"
        "    64 %3 = pack_64_2x32_split %2.x, %2.y\n    @store_preamble (%3) (base=12)\n    64 %4 = @load_preamble (base=0)\n"
        "    32 %5 = load_const (0x00000005)\n    32x3 %6 = @load_constant_agx (%4, %5) (base=2, format=r32_uint, sign_extend=1)\n"
        "    @store_preamble (%6.x) (base=8)\n}\n";
    struct arena a = {0};
    struct nir_trial t = counted(32);
    (void)state;
    t.driver = NIR_HONEYKRISP;
    check(text, t, hk_want);
    const struct isa_result r = nir_try(&a, &t, "impl main {\n    block b0:\n    32 %0 = @load_preamble (base=9)\n}\n");
    assert_true(r.status == RAN_UNSUPPORTED && strstr(r.text, "the uniform half 9, which is not set at line 3"));
    arena_free(&a);
}

// Turnip's code with a preamble: one lane stores constants, then all run. In clusters of eight: what
// brcst_active_ir3, read_getlast_ir3, sums and scans give, with lanes 0 to 19 on.
static void turnip_runs_a_preamble(void **state)
{
    struct arena a = {0};
    struct nir_trial t = {.driver = NIR_TURNIP};
    (void)state;
    const char *text =
        "impl main {\n    block b0:   // preds:\n    1   %0 = @preamble_start_ir3\n    if %0 {\n    block b1: // preds: b0\n"
        "    32  %1 = @load_subgroup_size\n    @store_const_ir3 (%1) (base=16)\n    @prefetch_tex_ir3 (%1)\n    @preamble_end_ir3\n"
        "    } else {\n    block b2: // preds: b0\n    }\n    block b3: // preds: b1 b2\n"
        "    32  %2 = load_const (0x00000000)\n    32  %3 = @load_const_ir3 (%2 (0x0)) (base=16)\n"
        "    32  %4 = @load_local_invocation_index\n    32  %5 = @bindless_resource_ir3 (%2 (0x0)) (desc_set=0)\n"
        "    32  %6 = load_const (0x00000014)\n    1   %7 = ult %4, %6\n    32  %20 = load_const (0x00000010)\n"
        "    32  %21 = load_const (0x00000018)\n    32  %22 = load_const (0x00000008)\n    if %7 {\n    block b4: // preds: b3\n"
        "    32  %8 = @brcst_active_ir3 (%2 (0x0), %4) (cluster_size=8)\n    32  %9 = @read_getlast_ir3 (%4)\n"
        "    32  %10 = @reduce_clusters_ir3 (%4) (reduction_op=iadd)\n"
        "    32  %11 = @exclusive_scan_clusters_ir3 (%4, %2) (reduction_op=iadd)\n"
        "    32  %12 = ishl %9, %22\n    32  %13 = ishl %10, %20\n    32  %14 = ishl %11, %21\n    32  %15 = iadd %8, %12\n"
        "    32  %16 = iadd %13, %14\n    32  %17 = iadd %15, %16\n    32  %18 = iadd %17, %3\n"
        "    @store_ssbo_ir3 (%18, %5, %4, %4) (base=0, wrmask=x, offset_shift=2)\n"
        "    } else {\n    block b5: // preds: b3\n    32  %19 = @ssbo_atomic_ir3 (%5, %2 (0x0), %6, %4) (atomic_op=iadd, offset_shift=2)\n"
        "    }\n    block b6: // preds: b4 b5\n}\n";
    const struct isa_result r = nir_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t l = 0; l < 32; l++) {
        // The last active lanes of the clusters are 7, 15 and 19.
        const uint32_t brcst = l < 20 && l % 8 > 3 ? l / 8 * 8 + 3 : 0;
        const uint32_t before = l < 8 ? 0 : l < 16 ? 7 : 22;
        assert_int_equal(t.words[l], l < 20 ? brcst + (7 << 8) + (41u << 16) + (before << 24) + 32 : 20);
    }
    arena_free(&a);
}

// Mesa 25.0's NIR for Turnip: the preamble is a function of its own, and an offset counts elements, without saying so.
static void turnip_of_25_0(void **state)
{
    struct arena a = {0};
    struct nir_trial t = {.driver = NIR_TURNIP};
    (void)state;
    const char *text =
        "impl main {\n    preamble @preamble\n    con block b0:   // preds:\n    div 32 %0 = @load_preamble (base=0)\n"
        "    div 32 %1 = @load_preamble (base=1)\n    32 %2 = load_const (0x00000000)\n    32 %3 = @load_local_invocation_index\n"
        "    32 %4 = @bindless_resource_ir3 (%2 (0x0)) (desc_set=0)\n    32 %5 = ishl %3, %1\n    32 %6 = iadd %0, %3\n"
        "    @store_ssbo_ir3 (%6, %4, %5, %3) (base=64, wrmask=x, access=none)\n"
        "    32 %7 = @load_ssbo_ir3 (%4, %5, %3) (base=64, access=none)\n    32 %8 = load_const (0x00000003)\n"
        "    32 %9 = @ssbo_atomic_ir3 (%4, %5, %8, %3) (access=none, atomic_op=iadd)\n    16 %10 = i2i16 %7\n"
        "    32 %11 = load_const (0x00000100)\n    32 %12 = iadd %3, %11\n"
        "    @store_ssbo_ir3 (%10, %4, %5, %12) (base=0, wrmask=x, access=none)\n}\n\ndecl_function @preamble ()\n\n"
        "impl @preamble {\n    con block b0:\n    div 32 %0 = @load_subgroup_size\n    @store_preamble (%0) (base=0)\n"
        "    div 32 %1 = load_const (0x00000002)\n    @store_preamble (%1) (base=1)\n}\n";
    struct isa_result r = nir_try(&a, &t, text);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(t.words[l], 3);
        assert_int_equal(t.words[64 + l], 32 + l);
        assert_int_equal(((const uint16_t *)t.words)[256 + l], 32 + l);
    }
    r = nir_try(&a, &t, "impl main {\n    block b0:\n    32 %0 = @load_preamble (base=9)\n}\n");
    assert_int_equal(r.status, RAN_UNSUPPORTED);
    r = nir_try(&a, &t, "impl main {\n    block b0:\n    32 %0 = load_const (0x00000001)\n    @store_preamble (%0) (base=0)\n}\n");
    assert_int_equal(r.status, RAN_UNSUPPORTED);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turnip_runs_a_preamble), cmocka_unit_test(turnip_of_25_0),
        cmocka_unit_test(lanes_read_lanes),
        cmocka_unit_test(an_if_splits_and_joins),
        cmocka_unit_test(a_loop_is_left_by_turns),
        cmocka_unit_test(phis_are_taken_at_once),
        cmocka_unit_test(workgroups_are_counted_by_x_first),
        cmocka_unit_test(subgroups_meet_at_barriers),
        cmocka_unit_test(addresses_before_nvk_lowers_them),
        cmocka_unit_test(values_must_fit),
        cmocka_unit_test(barriers_join_where_nothing_is_structured),
        cmocka_unit_test(a_preamble_comes_first),
        cmocka_unit_test(a_field_is_inserted),
        cmocka_unit_test(faults_in_the_text_are_seen),
        cmocka_unit_test(what_is_called_alike_must_be),
        cmocka_unit_test(what_is_undefined_is_junk),
        cmocka_unit_test(what_is_no_program_is_refused),
        cmocka_unit_test(any_text_is_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
