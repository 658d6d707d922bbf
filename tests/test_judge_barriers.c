// SPDX-License-Identifier: Apache-2.0
//
// Correct ways to write a barrier that no compiler may be blamed for, and wrong ones that it must
// be: made of generated programs whose invocations exchange values through memory.
#include "test_gen_common.h"

#include "judge/judge.h"
#include "spirv/spirv_edit.h"

enum change {
    SPLIT,      // release, barrier without semantics, acquire
    NARROWED,   // of the subgroup, where the workgroup is one
    GONE,       // no barrier
    NO_RELEASE, // barrier without semantics, acquire
    CHANGES
};

// Changes all workgroup barriers; how many.
static uint32_t change_barriers(struct arena *a, const struct spv_case *c, enum change what,
                                struct spv_case *out)
{
    struct spv_module m;
    struct spv_edit e;
    struct err err;
    uint32_t changed = 0;
    assert_true(spv_module_read(a, c->words, c->count, &m, &err));
    spv_edit_start(&e, a, c, &m, 0);
    const uint32_t uint = spv_edit_uint(&e), none = spv_edit_constant(&e, uint, 0),
                   subgroup = spv_edit_constant(&e, uint, SpvScopeSubgroup);
    for (uint32_t k = 0; k < m.inst_count; k++) {
        const struct spv_inst *i = &m.insts[k];
        if (i->op != SpvOpControlBarrier)
            continue;
        const uint32_t execution = i->v[0], memory = i->v[1],
                       storage = spv_def(&m, i->v[2])->v[0] &
                                 ~(uint32_t)SpvMemorySemanticsAcquireReleaseMask;
        const uint32_t release =
            spv_edit_constant(&e, uint, storage | SpvMemorySemanticsReleaseMask);
        const uint32_t acquire =
            spv_edit_constant(&e, uint, storage | SpvMemorySemanticsAcquireMask);
        const uint32_t after = spv_edit_next(&e, k);
        changed++;
        if (what == NARROWED) {
            spv_edit_set(&e, k, SpvOpControlBarrier, (const uint32_t[]){subgroup, memory, i->v[2]},
                         3);
            continue;
        }
        if (what == GONE) {
            spv_edit_drop(&e, k);
            continue;
        }
        if (what == SPLIT)
            SPV_EDIT_INSERT(&e, k, SpvOpMemoryBarrier, memory, release);
        SPV_EDIT_INSERT(&e, after, SpvOpMemoryBarrier, memory, acquire);
        spv_edit_set(&e, k, SpvOpControlBarrier, (const uint32_t[]){execution, memory, none}, 3);
    }
    spv_edit_write(&e, false);
    *out = e.c;
    return changed;
}

// Judges seeds whose programs have barriers until `n` were judged; by class.
static void judge_all(struct fixture *f, enum change what, uint32_t n,
                      uint32_t by_class[JUDGE_CLASSES])
{
    struct gen_options o = options_of(GEN_SMALL);
    struct err e;
    if (what == NARROWED)
        o.max_invocations = 8; // one subgroup
    memset(by_class, 0, JUDGE_CLASSES * sizeof *by_class);
    for (uint64_t seed = 0; n; seed++) {
        assert_true(seed < 20000);
        arena_reset(&f->arena);
        const struct gen_made made = make_seed(&f->arena, seed, &o);
        struct spv_case out;
        if (!(made.used & (GEN_BIT(GEN_SHARED) | GEN_BIT(GEN_THROUGH_BUFFER))) ||
            !change_barriers(&f->arena, &made.cases[0], what, &out))
            continue;
        if (!spv_validate(f->tools, SPV_ENV_VULKAN_1_3, out.words, out.count, &e))
            fail_msg("seed %llu: %s", (unsigned long long)seed, e.msg);
        const struct prediction *p =
            judge_predict(&f->arena, &made.cases[0], 1, o.subgroup, SPV_POLICY_JOIN);
        struct run_result r = {
            .status = RUN_OK, .form = RUN_FORM_SPIRV, .words = out.words, .word_count = out.count};
        struct shown_policy shown = {0};
        struct judged j;
        judge_result(&f->arena, f->tools, p, &r, &shown, &j);
        if (what <= NARROWED && j.verdict.klass != JUDGE_AGREES)
            print_error("seed %llu: %s: %s\n", (unsigned long long)seed,
                        judge_class_name(j.verdict.klass), j.verdict.text);
        by_class[j.verdict.klass]++;
        n--;
    }
}

static void correct_barriers_agree(void **state)
{
    uint32_t n[JUDGE_CLASSES];
    judge_all(*state, SPLIT, 150, n);
    assert_int_equal(n[JUDGE_AGREES], 150);
    judge_all(*state, NARROWED, 100, n);
    assert_int_equal(n[JUDGE_AGREES], 100);
}

// Not all of them matter: where an invocation reads what it wrote itself nothing needs order.
static void wrong_barriers_are_blamed(void **state)
{
    uint32_t n[JUDGE_CLASSES];
    judge_all(*state, GONE, 100, n);
    assert_true(n[JUDGE_UNDEFINED_OUTPUT] >= 50);
    judge_all(*state, NO_RELEASE, 100, n);
    assert_true(n[JUDGE_AGREES] < 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(correct_barriers_agree),
                                       cmocka_unit_test(wrong_barriers_are_blamed)};
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
