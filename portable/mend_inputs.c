// SPDX-License-Identifier: Apache-2.0
//
// Inputs for a module that cannot be judged with any shape: it leaves a buffer, races or does not
// end because of what was invented. Changes one thing of the best shape at a time, and keeps what
// lets the module run on.
#include "ask.h"

#include <string.h>

enum { TRIES = 120, STEPS = 12 * 1000 * 1000 };

struct mending {
    struct por_table *b;
    uint32_t size, rated, tries;
    uint32_t least; // a rating of blocks: an answer with fewer is about other code
    uint64_t steps;
    struct por_shape *best;
    struct spv_case *c;
};

// Keeps the shape if it is better. False: enough has been tried, or the module can be judged.
static bool try(struct mending *m, struct por_shape shape)
{
    struct err e;
    struct por_table *b = m->b;
    if (m->rated >= POR_JUDGED || m->tries++ == TRIES || m->steps > STEPS ||
        !por_fill_shape(b, &b->inputs, &shape, m->c, &e))
        return false;
    por_take(b, m->c);
    struct por_cell cell;
    const uint32_t rated = b->p[POR_MAXIMAL] ? por_rate(b, m->size, &m->steps, &cell) : 0;
    if (rated > m->rated && por_rated_blocks(rated) >= m->least) {
        m->rated = rated;
        *m->best = shape;
        return rated < POR_JUDGED;
    }
    return true;
}

static bool number(struct mending *m, const struct por_set *what)
{
    static const uint32_t values[] = {1, 0, 2, 4, 32, 128, 16, 512, 3, 8};
    struct por_shape shape = *m->best;
    uint32_t k = 0;
    while (k < shape.sets &&
           (shape.set[k].variable != what->variable || shape.set[k].byte != what->byte))
        k++;
    if (k == POR_SETS - 1) // the last one is for other ways (ask_again.c)
        return true;
    shape.sets = k < shape.sets ? shape.sets : k + 1;
    for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
        shape.set[k] = *what;
        shape.set[k].value = values[j];
        if (!try(m, shape))
            return false;
    }
    return true;
}

// For a loop that waits for a flag which invented inputs do not have: all flags are set, for one
// workgroup, whose atomics count from zero.
static bool flags(struct mending *m, const struct por_shape *from)
{
    uint32_t n = 0;
    const struct por_set *all = por_flags(m->b->w.a, m->b->w.m, &n);
    m->steps = 0; // the run that did not end took all of them
    for (uint32_t k = 0; k < 2 * n; k++) {
        struct por_shape shape = *from;
        shape.flag = all[k / 2];
        shape.groups = shape.counters = 1;
        shape.scalar = k % 2 ? 1 : shape.scalar;
        if (!try(m, shape))
            return false;
    }
    return true;
}

void por_mend(struct por_table *b, uint32_t size, struct por_shape *shape)
{
    struct mending m = {
        .b = b, .size = size, .best = shape, .c = ARENA_NEW(b->w.a, struct spv_case)};
    struct por_cell first;
    struct err e;
    uint32_t n = 0;
    if (!por_fill_shape(b, &b->inputs, shape, m.c, &e))
        return;
    por_take(b, m.c);
    const uint32_t rated = m.rated = por_rate(b, size, &m.steps, &first);
    if (strcmp(first.reason.rule, "E-barrier") == 0) // inputs that hide it answer another question
        return;
    if (strcmp(first.reason.rule, "E-limit") == 0)
        m.least = por_rated_blocks(rated);
    const struct por_set *all = por_numbers(b->w.a, b->w.m, &n);
    struct por_shape next = *shape;
    bool more = strcmp(first.reason.rule, "E-limit") != 0 || flags(&m, &next);
    for (uint32_t k = 1; more && k <= 2; k++) {
        next = *shape;
        next.ordered = k;
        more = try(&m, next);
    }
    if (more && b->out->inputs.width) {
        next = *shape;
        next.width = size;
        more = try(&m, next);
    }
    for (uint32_t round = 1; more && n && round < POR_SETS; round++)
        for (uint32_t k = 0; more && k < n; k++)
            more = number(&m, &all[k]);
    for (uint32_t k = 0; m.rated > rated && k < shape->sets; k++)
        por_note(b, arena_printf(b->w.a, "chosen so that the shader runs to its end: %s = %u",
                                 shape->set[k].name, shape->set[k].value));
    if (shape->flag.variable)
        por_note(b, arena_printf(b->w.a,
                                 "chosen so that the shader runs to its end: one workgroup, and "
                                 "%u in all elements of %s, for which a loop waits",
                                 shape->flag.value, shape->flag.name));
    if (shape->ordered)
        por_note(b, "integers in arrays were invented as their positions: with small numbers, in "
                    "any order, the shader does not run to its end");
    b->partly |= m.rated > rated;
    if (m.rated >= POR_JUDGED)
        por_note(b, arena_printf(b->w.a, "with other invented inputs, not known: %s %s",
                                 first.reason.text, first.reason.fix));
}
