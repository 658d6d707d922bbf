// SPDX-License-Identifier: Apache-2.0
//
// The enumeration of small programs. A second enumerator, which knows nothing of the first, builds
// every tree of statements by brute force and keeps those that the definition in
// generator/enumerate/README.md allows: both must have the same programs, each once. Every program
// is valid, and both machines of the oracle agree on it.
#include "test_gen_common.h"

#include "judge/judge.h"
#include "oracle/oracle.h"

#include <stdlib.h>

// ---- brute force -----------------------------------------------------------------------

typedef VEC(const struct enu_node *) trees;

static trees naive_blocks(struct arena *a, uint32_t size);

static void keep(struct arena *a, trees *to, struct enu_node n)
{
    *VEC_PUSH(a, to) = arena_copy(a, &n, sizeof n);
}

// All statements of a size, whatever is in them.
static trees naive_statements(struct arena *a, uint32_t size)
{
    trees all = {0};
    if (size == 1) {
        for (uint8_t i = 0; i < ENU_OP_COUNT; i++)
            keep(a, &all, (struct enu_node){.kind = ENU_OP, .detail = i});
        keep(a, &all, (struct enu_node){.kind = ENU_BARRIER});
        for (uint8_t i = 0; i < ENU_COND_COUNT; i++)
            keep(a, &all, (struct enu_node){.kind = ENU_DEMOTE, .detail = i});
        for (uint8_t i = 0; i < ENU_EXIT_COUNT; i++)
            keep(a, &all, (struct enu_node){.kind = ENU_EXIT, .detail = i});
    }
    for (uint32_t x = 0; x < size; x++)
        for (uint32_t y = 0; x + y < size; y++)
            for (uint32_t z = 0; x + y + z < size; z++) {
                const uint32_t own = size - x - y - z;
                if (own > 2)
                    continue;
                trees bx = naive_blocks(a, x), by = naive_blocks(a, y), bz = naive_blocks(a, z);
                for (size_t i = 0; i < bx.n; i++)
                    for (size_t j = 0; j < by.n; j++)
                        for (size_t k = 0; k < bz.n; k++) {
                            struct enu_node n = {.block = {bx.v[i], by.v[j], bz.v[k]}};
                            n.kind = ENU_LOOP;
                            n.detail = ENU_GUARDED;
                            if (own == 2)
                                keep(a, &all, n);
                            if (own == 2)
                                continue;
                            n.kind = ENU_SWITCH;
                            for (n.detail = 0; n.detail < 2; n.detail++)
                                keep(a, &all, n);
                            n.kind = ENU_IF;
                            for (n.detail = 0; !z && n.detail < ENU_COND_COUNT; n.detail++)
                                keep(a, &all, n);
                            n.kind = ENU_LOOP;
                            for (n.detail = 0; !y && !z && n.detail < ENU_GUARDED; n.detail++)
                                keep(a, &all, n);
                            n.kind = ENU_CALL;
                            n.detail = 0;
                            if (!y && !z)
                                keep(a, &all, n);
                        }
            }
    return all;
}

static trees naive_blocks(struct arena *a, uint32_t size)
{
    trees all = {0};
    if (!size)
        *VEC_PUSH(a, &all) = NULL;
    for (uint32_t n = 1; n <= size; n++) {
        trees first = naive_statements(a, n), rest = naive_blocks(a, size - n);
        for (size_t i = 0; i < first.n; i++)
            for (size_t k = 0; k < rest.n; k++) {
                struct enu_node s = *first.v[i];
                s.next = rest.v[k];
                keep(a, &all, s);
            }
    }
    return all;
}

// ---- the definition, as a filter -------------------------------------------------------

static bool has(const struct enu_node *b, enum enu_kind kind)
{
    for (; b; b = b->next)
        if (b->kind == kind || has(b->block[0], kind) || has(b->block[1], kind) ||
            has(b->block[2], kind))
            return true;
    return false;
}

static bool shows(const struct enu_node *b)
{
    return has(b, ENU_OP) || has(b, ENU_BARRIER);
}

static const struct enu_node *tail(const struct enu_node *b)
{
    while (b && b->next)
        b = b->next;
    return b;
}

// Control never reaches the end of the block.
static bool ends(const struct enu_node *b)
{
    const struct enu_node *t = tail(b);
    return t && (t->kind == ENU_EXIT || (t->kind == ENU_IF && ends(t->block[0]) && ends(t->block[1])));
}

static bool ends_with(const struct enu_node *b, enum enu_exit how)
{
    const struct enu_node *t = tail(b);
    return t && t->kind == ENU_EXIT && t->detail == how;
}

// True if the block has such an exit of the construct around it.
static bool exits(const struct enu_node *b, enum enu_exit how)
{
    for (; b; b = b->next) {
        const bool own = (b->kind == ENU_LOOP && how != ENU_RETURN) ||
                         (b->kind == ENU_SWITCH && how == ENU_LEAVE) || b->kind == ENU_CALL;
        if (b->kind == ENU_EXIT && b->detail == how)
            return true;
        for (uint32_t i = 0; !own && i < ENU_BLOCKS; i++)
            if (exits(b->block[i], how))
                return true;
    }
    return false;
}

struct around {
    bool fragment, main, loop, in_switch, divergent;
    uint32_t *choices; // switches of the program whose fall-through is observed
};

static bool allowed(const struct enu_node *b, struct around at);

static bool allowed_statement(const struct enu_node *s, struct around at)
{
    struct around in = at;
    const struct enu_node *x = s->block[0], *y = s->block[1], *z = s->block[2];
    switch (s->kind) {
    case ENU_OP:
        return true;
    case ENU_BARRIER:
        return !at.fragment && at.main && !at.divergent;
    case ENU_DEMOTE:
        return at.fragment && s->detail != ENU_UNIFORM && (s->detail != ENU_COUNTER || at.loop);
    case ENU_EXIT:
        return s->detail == ENU_RETURN  ? !at.main || !at.fragment
               : s->detail == ENU_LEAVE ? at.in_switch
                                        : at.loop;
    case ENU_IF:
        in.divergent |= s->detail != ENU_UNIFORM;
        return x && (s->detail != ENU_COUNTER || at.loop) && allowed(x, in) && allowed(y, in);
    case ENU_LOOP:
        in.loop = true;
        in.in_switch = false;
        in.divergent |= s->detail != ENU_COUNTED || exits(x, ENU_BREAK) || exits(x, ENU_CONTINUE);
        if (s->detail == ENU_GUARDED)
            return !ends(x) && !ends(y) && !exits(x, ENU_CONTINUE) && !exits(y, ENU_CONTINUE) &&
                   !ends_with(z, ENU_CONTINUE) && allowed(x, in) && allowed(y, in) &&
                   allowed(z, in);
        return x && !ends_with(x, ENU_CONTINUE) && !(s->detail == ENU_DO && ends(x)) &&
               allowed(x, in);
    case ENU_SWITCH:
        in.in_switch = in.divergent = true;
        if (s->detail && shows(y)) {
            ++*at.choices;
            if (!at.main || at.loop)
                return false;
        }
        return x && !ends(z) && !(s->detail && (ends(x) || !y)) && !ends_with(x, ENU_LEAVE) &&
               !ends_with(y, ENU_LEAVE) && allowed(x, in) && allowed(y, in) && allowed(z, in);
    case ENU_CALL:
        in = (struct around){.fragment = at.fragment, .choices = at.choices};
        return shows(x) && !ends_with(x, ENU_RETURN) && allowed(x, in);
    }
    return false;
}

static bool allowed(const struct enu_node *b, struct around at)
{
    for (const struct enu_node *s = b; s; s = s->next) {
        if (s->next && (s->kind == ENU_EXIT ||
                        (s->kind == ENU_IF && ends(s->block[0]) && ends(s->block[1]))))
            return false;
        if (s->next && s->kind == ENU_OP && s->next->kind == ENU_OP && s->next->detail <= s->detail)
            return false;
        if (!allowed_statement(s, at))
            return false;
    }
    return true;
}

// No invocation returns before the last barrier, or in the statement with it.
static bool meets(const struct enu_node *main)
{
    bool returned = false;
    for (const struct enu_node *s = main; s; s = s->next) {
        struct enu_node alone = *s;
        alone.next = NULL;
        returned |= exits(&alone, ENU_RETURN);
        if (returned && has(&alone, ENU_BARRIER))
            return false;
    }
    return true;
}

static bool is_program(const struct enu_node *main, bool fragment)
{
    uint32_t choices = 0;
    const struct around at = {.fragment = fragment, .main = true, .choices = &choices};
    return shows(main) && allowed(main, at) && choices <= 1 && meets(main) &&
           !ends_with(main, ENU_RETURN);
}

// ---- the tests -------------------------------------------------------------------------

static int by_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const char *text_of(struct arena *a, const struct enu_node *n)
{
    struct text t = {.arena = a};
    enu_text(n, &t);
    return t.v;
}

static void compare(struct arena *a, enum spv_stage stage, uint32_t size)
{
    const struct enumeration *all = enu_make(a, stage, size);
    const uint64_t first = enu_count(all, size - 1), end = enu_count(all, size);
    VEC(const char *) ours = {0}, naive = {0};
    for (uint64_t n = first; n < end; n++) {
        assert_int_equal(enu_size_of(all, n), size);
        *VEC_PUSH(a, &ours) = text_of(a, enu_sketch(all, a, n));
    }
    const trees every = naive_blocks(a, size);
    for (size_t i = 0; i < every.n; i++)
        if (is_program(every.v[i], stage == SPV_FRAGMENT))
            *VEC_PUSH(a, &naive) = text_of(a, every.v[i]);
    qsort(ours.v, ours.n, sizeof *ours.v, by_text);
    qsort(naive.v, naive.n, sizeof *naive.v, by_text);
    for (size_t i = 0; i < ours.n && i < naive.n; i++)
        if (strcmp(ours.v[i], naive.v[i]) != 0)
            fail_msg("size %u: ours has '%s', brute force '%s'", size, ours.v[i], naive.v[i]);
    assert_int_equal(ours.n, naive.n);
    for (size_t i = 1; i < ours.n; i++)
        assert_string_not_equal(ours.v[i - 1], ours.v[i]);
    print_message("# size %u, stage %d: %zu programs of %zu trees\n", size, (int)stage, ours.n,
                  every.n);
}

static void brute_force_finds_the_same(void **state)
{
    struct fixture *f = *state;
    for (uint32_t size = 1; size <= 3; size++) {
        compare(&f->arena, SPV_COMPUTE, size);
        compare(&f->arena, SPV_FRAGMENT, size);
        arena_reset(&f->arena);
    }
}

static void numbers_do_not_depend_on_the_largest_size(void **state)
{
    struct fixture *f = *state;
    const struct enumeration *small = enu_make(&f->arena, SPV_COMPUTE, 2),
                             *large = enu_make(&f->arena, SPV_COMPUTE, 5);
    assert_int_equal(enu_count(small, 2), enu_count(large, 2));
    for (uint64_t n = 0; n < enu_count(small, 2); n++)
        assert_string_equal(text_of(&f->arena, enu_sketch(small, &f->arena, n)),
                            text_of(&f->arena, enu_sketch(large, &f->arena, n)));
}

static void both_machines_agree(struct fixture *f, enum spv_stage stage, uint32_t size)
{
    struct arena a = {0};
    const struct enumeration *all = enu_make(&f->arena, stage, size);
    const struct gen_options o = {.subgroup = 4, .inputs = 2};
    for (uint64_t n = 0; n < enu_count(all, size); n++, arena_reset(&a)) {
        struct gen_made m;
        struct err e = {""};
        char what[200];
        gen_make_number(&a, all, n, &o, &m);
        if (n % 16 == 0 &&
            !spv_validate(f->tools, SPV_ENV_VULKAN_1_3, m.cases[0].words, m.cases[0].count, &e))
            fail_msg("%s: %s", m.cases[0].from, e.msg);
        for (uint32_t i = 0; i < m.case_count; i++) {
            struct orc_result mask, tag;
            orc_predict(&a, &m.cases[i], 0, &(struct orc_options){0}, &mask);
            orc_predict(&a, &m.cases[i], 0, &(struct orc_options){.machine = ORC_TAG}, &tag);
            if (mask.why.status != RAN_OK)
                fail_msg("%s: %s", m.cases[0].from, mask.why.text);
            if (judge_same_result(&mask, &tag))
                continue;
            judge_difference(&mask, &tag, what, sizeof what);
            fail_msg("%s: %s", m.cases[0].from, what);
        }
    }
    arena_free(&a);
}

static void machines_agree_on_compute(void **state)
{
    both_machines_agree(*state, SPV_COMPUTE, 3);
}

static void machines_agree_on_fragments(void **state)
{
    both_machines_agree(*state, SPV_FRAGMENT, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force_finds_the_same),
        cmocka_unit_test(numbers_do_not_depend_on_the_largest_size),
        cmocka_unit_test(machines_agree_on_compute),
        cmocka_unit_test(machines_agree_on_fragments),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
