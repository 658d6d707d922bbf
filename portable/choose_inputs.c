// SPDX-License-Identifier: Apache-2.0
//
// Chooses one of several shapes of invented inputs: the first with which the module shows a fault,
// or runs to its end through most blocks.
#include "ask.h"

#include <string.h>

// Counts reachable blocks and the blocks that some invocation ran.
static void count_blocks(const struct por_table *b, const struct orc_trace *t, uint32_t *all,
                         uint32_t *ran)
{
    *all = *ran = 0;
    for (uint32_t k = 0; k < b->w.m->block_count; k++) {
        const uint32_t last = b->w.m->insts[b->w.m->blocks[k].last].op;
        *all += last != SpvOpUnreachable;
        *ran += t->ran && t->ran[k];
    }
}

// What a run came through: nothing; a race that only the letter of the specification knows; such a
// race, and then it could not be judged.
enum passed { NOTHING, RACE, RACE_TO_UNKNOWN };

// Rates a run with a shape: best is a fault that is certain, then a run without one, then one
// through a race, then one that cannot be judged after a race, then one that cannot be judged;
// among these, the one that runs most blocks.
enum { FAULT = 2 * 1000 * 1000, DEFINED = 1000 * 1000, HALF = 800 * 1000, RACED = 100 * 1000 };
// `most`: the best rating so far.
static uint32_t rate(struct por_table *b, uint32_t size, const struct por_ran *r,
                     enum passed passed, uint32_t most, struct por_cell *cell)
{
    uint32_t all, ran;
    count_blocks(b, &r->t, &all, &ran);
    por_judge_run(b, POR_MAXIMAL, r, &(struct por_cell){.status = POR_UNKNOWN}, cell);
    uint32_t out = passed == RACE_TO_UNKNOWN           ? HALF
                   : cell->status == POR_UNDEFINED     ? FAULT
                   : cell->status <= POR_RECONVERGENCE ? DEFINED
                                                       : RACED;
    out -= passed == RACE ? RACED : 0;
    if (passed == NOTHING && most < DEFINED - RACED && por_does_not_count(b, size, r, cell))
        out = DEFINED - RACED;
    b->made_up = 0;
    return out + (all ? 1000 * ran / all : 0) + 1;
}

static enum passed through(struct por_table *b, uint32_t size, struct por_ran *out)
{
    const struct orc_options o = {.any_policy = true};
    struct por_cell cell;
    por_run(b, &b->now, POR_MAXIMAL, size, &o, out);
    const uint32_t at = out->r.why.at;
    if (strcmp(out->r.why.rule, "E-race") != 0)
        return NOTHING;
    por_judge_run(b, POR_MAXIMAL, out, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
    const bool sure = cell.status == POR_UNDEFINED;
    b->forgive = true;
    por_run(b, &b->now, POR_MAXIMAL, size, &o, out);
    bool loads = b->raced.found; // values that were dead so far
    if (out->t.fault.birth == ORC_ORIGIN_RACED) {
        b->loads_end = true;
        por_run(b, &b->now, POR_MAXIMAL, size, &o, out);
        b->loads_end = loads = false;
    }
    b->forgive = false;
    if (out->r.why.status == RAN_OK)
        return RACE;
    if (out->r.why.at == at) {
        por_run(b, &b->now, POR_MAXIMAL, size, &o, out);
        return NOTHING;
    }
    por_judge_run(b, POR_MAXIMAL, out, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
    return sure && loads && cell.status == POR_UNKNOWN ? RACE_TO_UNKNOWN : RACE;
}

uint32_t por_rate(struct por_table *b, uint32_t size, uint64_t *steps, struct por_cell *cell)
{
    struct por_ran r;
    const enum passed passed = through(b, size, &r);
    *steps += (passed ? 2 : 1) * r.r.stats.lane_steps;
    return rate(b, size, &r, passed, 0, cell);
}

// Tries shapes until one runs to its end through most blocks, or shows a fault. Leaves the case
// filled by the best one. Buffers of guessed length grow when the module accesses them out of
// bounds; offsets that are not aligned become multiples of 16.
bool por_choose_shape(struct por_table *b, uint32_t size, struct err *e)
{
    enum { ENOUGH = DEFINED + 850, GROWS = 3 };
    uint64_t steps = 0;
    const struct por_given *given = b->given;
    struct por_shape best = por_shape(given, 0);
    uint32_t most = 0, from = 0, last = 0; // the number of the best shape, and of the last one
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case);
    for (uint32_t k = 0; k < POR_SHAPES; k++) {
        struct por_shape shape = por_shape(given, k);
        struct por_ran r;
        enum passed passed = NOTHING;
        for (uint32_t grown = 0; grown <= GROWS; grown++) {
            if (!por_fill_shape(b, &b->inputs, &shape, c, e))
                return false;
            if (!b->p[POR_MAXIMAL] && !b->refused[POR_MAXIMAL].text[0])
                por_load(b, c);
            b->w.c = &b->c[POR_MAXIMAL];
            b->w.inputs = &b->out->inputs;
            por_take(b, c);
            passed = through(b, size, &r);
            steps += (passed ? 2 : 1) * r.r.stats.lane_steps;
            const bool crooked = strcmp(r.r.why.rule, "E-align") == 0 && !shape.aligned;
            shape.aligned |= crooked;
            if (crooked)
                continue;
            if (strcmp(r.r.why.rule, "E-bounds") != 0 || !r.t.variable || r.t.byte > (1u << 22))
                break;
            shape.words =
                shape.words * 8 > r.t.byte / 2 ? shape.words * 8 : (uint32_t)(r.t.byte / 2);
        }
        struct por_cell cell;
        const uint32_t rated = rate(b, size, &r, passed, most, &cell);
        last = k;
        if (rated > most) {
            most = rated;
            best = shape;
            from = k;
        }
        if (r.r.why.status >= RAN_UNSUPPORTED || !b->out->inputs.invented ||
            given->fill == POR_ZERO || rated >= ENOUGH || steps > POR_SPEND)
            break;
    }
    const bool mend = most < POR_JUDGED && b->p[POR_MAXIMAL] && b->out->inputs.invented &&
                      given->fill != POR_ZERO;
    if (mend)
        por_mend(b, size, &best);
    const struct por_plain plain = b->plain;
    if (!por_fill_shape(b, b->w.a, &best, c, e))
        return false;
    if (best.aligned)
        por_note(b, "elements of arrays were invented as multiples of 16, because an address that "
                    "must be aligned depends on them: other numbers leave it undefined");
    b->partly |= best.aligned;
    por_take(b, c);
    if (!mend && from == last) // the same inputs again
        b->plain = plain;
    return true;
}
