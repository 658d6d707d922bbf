// SPDX-License-Identifier: Apache-2.0
//
// Further rounds with other inputs: numbers that branches compare with, and counts that no subgroup
// size divides.
#include "ask.h"

// Adds the inputs of a round to the text about the first ones.
static void text_more(struct por_table *b, const char *with)
{
    b->more = arena_printf(b->w.a, "%s%s%s", b->more, b->more[0] ? "; " : "", with);
}

// Counts the blocks with group operations, atomics or barriers that a run with these inputs reaches
// at this size and no run reached before.
static uint32_t news(struct por_table *b, uint32_t size, const struct por_shape *shape,
                     struct spv_case *c)
{
    struct err e;
    struct por_ran r;
    uint32_t n = 0;
    if (!por_fill_shape(b, &b->inputs, shape, c, &e))
        return 0;
    por_take(b, c);
    b->forgive = true;
    por_run(b, &b->now, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &r);
    b->forgive = false;
    b->spent += r.r.stats.lane_steps;
    for (uint32_t k = 0; r.t.ran && k < b->w.m->block_count; k++)
        n += r.t.ran[k] && !b->reached[k] && por_first_that_counts(b->w.m, k);
    return n;
}

// Counts divisible by the subgroup size hide the effect of a guard (i < count) on the last
// subgroup. Checks whether the verdict changes with a count that is not divisible.
static void partly(struct por_table *b, uint32_t size, const struct por_inputs *first,
                   const struct por_set *set, uint32_t n)
{
    const uint32_t k = por_declared(b->out);
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case),
                    *was = ARENA_NEW(b->w.a, struct spv_case);
    struct por_cell cell, maximal;
    struct err e;
    bool fine = true;
    for (uint32_t s = 0; s < b->out->sizes; s++)
        fine &= b->out->cell[k][s].status <= POR_ORDER;
    *was = b->c[POR_MAXIMAL];
    for (uint32_t j = 0; fine && j < n && b->spent < POR_SPEND; j++) {
        struct por_shape shape = first->shape;
        struct por_ran x;
        if (shape.sets == POR_SETS)
            break;
        shape.set[shape.sets++] = set[j];
        if (!por_fill_shape(b, &b->inputs, &shape, c, &e))
            break;
        por_take(b, c);
        por_run(b, &b->here, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
        b->spent += 3 * x.r.stats.lane_steps;
        por_judge_run(b, POR_MAXIMAL, &x, &(struct por_cell){.status = POR_UNKNOWN}, &maximal);
        const size_t notes = b->out->notes.n;
        if (maximal.status == POR_UNDEFINED) // perhaps by the letter only, as with the other count
            por_go_on(b, &b->here, size, &x, &maximal);
        b->out->notes.n = notes;
        struct por_ran full = x;
        cell = maximal;
        if (k != POR_MAXIMAL && maximal.status < POR_UNDEFINED &&
            !(b->agree && maximal.status != POR_RECONVERGENCE)) {
            por_run(b, &b->weak, k, size, &(struct orc_options){.any_policy = true}, &x);
            por_judge_run(b, k, &x, &maximal, &cell);
            if (cell.status == POR_RECONVERGENCE && por_elections(b, k, size, &full, &x))
                cell.status = POR_PORTABLE;
        }
        b->forgive = false;
        if (cell.status != POR_RECONVERGENCE && cell.status != POR_UNDEFINED)
            continue;
        por_note(b, arena_printf(b->w.a, "worse with %s = %u, which is not a multiple of %u: %s",
                                 set[j].name, set[j].value, size, cell.reason.text));
        b->partly = true;
        break;
    }
    por_take(b, was);
    b->out->inputs = *first;
}

// For an atomic that one invocation reached: more workgroups, if their number is invented.
static void more_groups(struct por_table *b, const struct por_inputs *first, struct spv_case *c)
{
    enum { GROUPS = 16, RUNS = 80 };
    struct por_shape shape = first->shape;
    struct err e;
    shape.groups = GROUPS;
    b->spent += b->one_run * RUNS * b->out->sizes;
    if (b->spent > POR_SPEND || !first->groups || !por_alone(b) ||
        !por_fill_shape(b, &b->inputs, &shape, c, &e))
        return;
    por_take(b, c);
    b->with = arena_printf(b->w.a, "%u workgroups", GROUPS);
    for (uint32_t s = 0; s < b->out->sizes; s++) {
        struct por_ran x;
        por_one_size(b, &b->here, s, &x);
    }
    text_more(b, b->with);
}

// A fault that one workgroup may not have keeps the answer from being known: what does the rest
// show with one?
static void one_group(struct por_table *b, const struct por_inputs *first, struct spv_case *c)
{
    struct por_shape shape = first->shape;
    struct err e;
    const uint32_t row = por_declared(b->out);
    bool open = false;
    for (uint32_t s = 0; s < b->out->sizes; s++)
        open |= b->out->cell[row][s].status == POR_UNKNOWN;
    shape.groups = 1;
    if (!open || !b->w.several || !first->groups || !por_fill_shape(b, &b->inputs, &shape, c, &e))
        return;
    por_take(b, c);
    b->with = "one workgroup";
    for (uint32_t s = 0; s < b->out->sizes; s++) {
        struct por_ran x;
        por_one_size(b, &b->here, s, &x);
    }
    text_more(b, b->with);
}

// For code that the invented numbers do not reach: tries the numbers that branches compare with,
// one by one. Those that reach new code get a round of their own.
void por_other_ways(struct por_table *b, uint32_t size)
{
    enum { ROUNDS = 3, RUNS_OF_A_ROUND = 10 };
    struct por_answer *out = b->out;
    uint32_t n = 0, uneven = 0, missing = 0;
    const struct por_inputs first = out->inputs;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case),
                    *was = ARENA_NEW(b->w.a, struct spv_case);
    *was = b->c[POR_MAXIMAL];
    for (uint32_t k = 0; k < b->w.m->block_count; k++)
        missing += !b->reached[k] && por_first_that_counts(b->w.m, k);
    if (!first.invented || b->given->fill == POR_ZERO)
        return;
    const struct por_set *set = por_branch_values(b->w.a, b->bare, b->w.m, &n, &uneven);
    n -= uneven;
    partly(b, size, &first, set + n, uneven);
    more_groups(b, &first, c);
    one_group(b, &first, c);
    for (uint32_t round = 0; round < ROUNDS && missing; round++) {
        uint32_t most = 0, best = 0;
        struct por_shape shape = first.shape;
        if (shape.sets == POR_SETS)
            break;
        struct por_set *one = &shape.set[shape.sets++];
        for (uint32_t k = 0; k < n && b->spent < POR_SPEND; k++) {
            *one = set[k];
            const uint32_t more = news(b, size, &shape, c);
            if (more > most)
                most = more, best = k;
        }
        b->spent += b->one_run * RUNS_OF_A_ROUND * out->sizes;
        if (!most || b->spent > POR_SPEND)
            break;
        *one = set[best];
        news(b, size, &shape, c);
        b->with = arena_printf(b->w.a, "%s = %u", set[best].name, set[best].value);
        for (uint32_t s = 0; s < out->sizes; s++) {
            struct por_ran x;
            por_one_size(b, &b->here, s, &x);
        }
        text_more(b, b->with);
        missing -= most < missing ? most : missing;
    }
    out->inputs = first;
    por_take(b, was);
    por_exact(b, size, &first);
    out->inputs = first;
    por_vary(b, size);
    out->inputs = first;
    if (b->more[0])
        out->inputs.text = arena_printf(b->w.a, "%sthen the same with %s\n", first.text, b->more);
    por_take(b, was);
}
