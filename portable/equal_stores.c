// SPDX-License-Identifier: Apache-2.0
//
// Several invocations store to one place, and store the same value there: no device can show that
// race. Are the values the same only because of the inputs that were invented? Runs with other
// invented values show it.
#include "ask.h"

#include <string.h>

enum { STEPS = 8 * 1000 * 1000 }; // of all runs together, before the last one

// Shapes with the same sizes and other contents: drawn with other seeds; integers in arrays that
// differ; another number outside arrays.
struct por_shape por_other_contents(const struct por_shape *shape, uint32_t k)
{
    enum { NUMBER = 3, SEED = 1000 };
    struct por_shape out = *shape;
    out.seed = SEED + k;
    if (k == 2)
        out.ordered = 1;
    if (k == 3)
        out.scalar = shape->scalar == NUMBER ? NUMBER + 2 : NUMBER;
    return out;
}

// True if a run ended because two stores race.
static bool stores_race(const struct por_table *b, const struct por_ran *x)
{
    const struct spv_module *m = b->w.m;
    return strcmp(x->r.why.rule, "E-race") == 0 && x->t.has_other &&
           m->insts[por_ended_at(b, &x->r.why)].op == SpvOpStore &&
           m->insts[x->t.other_inst].op == SpvOpStore;
}

// True if the race with other contents is known to be one of other instructions.
static bool is_elsewhere(const struct por_reason *own, const struct por_reason *other)
{
    return own->at.line && other->at.line &&
           (own->at.line != other->at.line || strcmp(own->at.file, other->at.file) != 0);
}

bool por_equal_by_inputs(struct por_table *b, uint32_t size, uint32_t end, struct por_cell *own)
{
    const struct por_inputs first = b->out->inputs;
    const bool forgave = b->forgive;
    bool differ = false;
    uint64_t steps = 0;
    struct err e;
    if (!first.invented || b->given->fill == POR_ZERO)
        return false;
    struct spv_case *was = ARENA_NEW(b->w.a, struct spv_case),
                    *c = ARENA_NEW(b->w.a, struct spv_case);
    *was = b->c[POR_MAXIMAL];
    for (uint32_t k = 0; k < OTHERS && !differ && steps < STEPS; k++) {
        const struct por_shape shape = por_other_contents(&first.shape, k);
        struct por_ran x;
        struct por_cell cell;
        if (!por_fill_shape(b, &b->contents, &shape, c, &e))
            break;
        por_take(b, c);
        b->forgive = true;
        por_run(b, &b->now, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
        if (x.t.fault.birth == ORC_ORIGIN_RACED) { // where the value is loaded, as in por_go_on
            b->loads_end = true;
            por_run(b, &b->now, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
            b->loads_end = false;
        }
        b->forgive = false;
        steps += x.r.stats.lane_steps;
        if (!stores_race(b, &x) || x.r.why.at == end)
            continue;
        por_judge_run(b, POR_MAXIMAL, &x, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
        if (is_elsewhere(&own->reason, &cell.reason))
            continue;
        differ = cell.status == POR_UNDEFINED || own->status == POR_UNKNOWN;
        if (differ && own->status == POR_UNDEFINED)
            own->reason.fix = arena_printf(
                b->w.a,
                "with the invented inputs the values are the same, with others they are not: %s "
                "Provide real ones with --data to find out",
                cell.reason.text);
    }
    b->forgive = forgave;
    b->out->inputs = first;
    por_take(b, was);
    if (differ)
        own->status = POR_UNKNOWN;
    return differ;
}
