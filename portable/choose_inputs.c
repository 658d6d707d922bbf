// SPDX-License-Identifier: Apache-2.0
//
// Chooses one of several shapes of invented inputs: the first with which the module shows a fault,
// or runs to its end through most blocks.
#include "ask.h"

#include <string.h>

enum { ARRAY_WORDS = 4096 };

struct por_shape por_shape(const struct por_given *given, uint32_t k)
{
    static const uint32_t scalars[POR_SHAPES] = {64, 256, 1, 8, 1024, 2, 64, 1};
    return (struct por_shape){.scalar = given->fill == POR_ZERO ? 0 : scalars[k % POR_SHAPES],
                              .seed = given->fill == POR_ZERO     ? 0
                                      : given->fill == POR_SEEDED ? given->seed
                                                                  : 1,
                              .words = ARRAY_WORDS,
                              .width = 64,
                              .counters = k < POR_SHAPES - 1, // the last shape draws counters, too
                              .identity = given->fill != POR_ZERO && k % 2,
                              .groups =
                                  k < POR_SHAPES - 2 ? 2 : 1}; // the last two use one workgroup
}

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

uint32_t por_rated_blocks(uint32_t rated)
{
    return (rated - 1) % 1000 ? (rated - 1) % 1000 : 1000;
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

// What was chosen so far.
struct choice {
    struct por_shape best;
    uint32_t most, from, last; // its rating and number; the number of the last one that was tried
    uint64_t steps;
};

enum { ENOUGH = DEFINED + 850 };

// Tries shapes until one runs to its end through most blocks, or shows a fault. Buffers of guessed
// length grow when the module accesses them out of bounds; offsets that are not aligned become
// multiples of 16. `blanks`: as in por_shape.
static bool choose(struct por_table *b, uint32_t size, bool blanks, struct spv_case *c,
                   struct choice *out, struct err *e)
{
    enum { GROWS = 3 };
    const struct por_given *given = b->given;
    *out = (struct choice){.best = por_shape(given, 0)};
    out->best.blanks = blanks;
    for (uint32_t k = 0; k < POR_SHAPES; k++) {
        struct por_shape shape = por_shape(given, k);
        struct por_ran r;
        enum passed passed = NOTHING;
        shape.blanks = blanks;
        for (uint32_t grown = 0; grown <= GROWS; grown++) {
            if (!por_fill_shape(b, &b->inputs, &shape, c, e))
                return false;
            if (!b->p[POR_MAXIMAL] && !b->refused[POR_MAXIMAL].text[0])
                por_load(b, c);
            b->w.c = &b->c[POR_MAXIMAL];
            b->w.inputs = &b->out->inputs;
            por_take(b, c);
            passed = through(b, size, &r);
            out->steps += (passed ? 2 : 1) * r.r.stats.lane_steps;
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
        const uint32_t rated = rate(b, size, &r, passed, out->most, &cell);
        out->last = k;
        if (rated > out->most) {
            out->most = rated;
            out->best = shape;
            out->from = k;
        }
        if (r.r.why.status >= RAN_UNSUPPORTED || !b->out->inputs.invented ||
            given->fill == POR_ZERO || rated >= ENOUGH || out->steps > POR_SPEND)
            break;
    }
    return true;
}

// Leaves the case filled by the best shape.
bool por_choose_shape(struct por_table *b, uint32_t size, struct err *e)
{
    const struct por_given *given = b->given;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case);
    struct choice choice, plain_choice;
    const bool blanks =
        !b->own && given->fill != POR_ZERO && por_has_blanks(b->w.a, b->bare, given);
    if (!choose(b, size, blanks, c, &choice, e))
        return false;
    // Without the blanks filled: as good if it runs as many blocks, but a fault that is absent with
    // them does not count.
    if (blanks) {
        if (!choose(b, size, false, c, &plain_choice, e))
            return false;
        const bool faulty = plain_choice.most >= FAULT || plain_choice.most < DEFINED;
        if (!faulty && (choice.most < POR_JUDGED
                            ? plain_choice.most > choice.most
                            : por_rated_blocks(plain_choice.most) >= por_rated_blocks(choice.most)))
            choice = plain_choice;
        else
            choice.last = POR_SHAPES;
    }
    struct por_shape best = choice.best;
    const uint32_t most = choice.most, from = choice.from, last = choice.last;
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
