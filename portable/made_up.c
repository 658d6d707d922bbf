// SPDX-License-Identifier: Apache-2.0
//
// Memory that was never written, and perhaps does not count: of a word that holds several numbers,
// only those that were written may be read. Runs with several contents of that memory show it:
// zeros, ones, and two drawn ones; then two drawn ones with other inputs, which may let it count.
#include "ask.h"

enum { DRAWN = 3, CONTENTS = 4 }; // orc_options.any_value: 1: zeros; 2: ones; the others are drawn

// True if all runs, with contents `from` and further ones, come to their end and leave the same
// memory.
static bool is_same(struct por_table *b, uint32_t size, uint64_t from)
{
    struct por_ran first, other;
    struct por_cell cell;
    uint32_t buffer, word;
    bool same = true;
    for (uint64_t k = from; same && k <= CONTENTS; k++) {
        struct por_ran *now = k == from ? &first : &other;
        b->made_up = k;
        por_run(b, k == from ? &b->weak : &b->other, POR_MAXIMAL, size,
                &(struct orc_options){.any_policy = true}, now);
        por_judge_run(b, POR_MAXIMAL, now, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
        same = now->r.why.status == RAN_OK && cell.status == POR_PORTABLE &&
               (k == from || !por_differ(b, &first, &other, true, &buffer, &word));
    }
    b->made_up = 0;
    return same;
}

bool por_does_not_count(struct por_table *b, uint32_t size, const struct por_ran *x,
                        const struct por_cell *own)
{
    const struct por_inputs inputs = b->out->inputs;
    struct err e;
    bool same = own->status == POR_UNKNOWN && !b->made_up &&
                (x->r.why.status == RAN_OK || x->t.fault.birth == ORC_ORIGIN_UNWRITTEN);
    if (!same)
        return false;
    if (b->plain.asked == size) {
        b->made_up = b->plain.answer ? CONTENTS : 0;
        return b->plain.answer;
    }
    same = is_same(b, size, 1);
    b->plain.asked = size;
    b->plain.answer = false;
    if (!same)
        return false;
    struct spv_case *was = ARENA_NEW(b->w.a, struct spv_case),
                    *c = ARENA_NEW(b->w.a, struct spv_case);
    const struct por_shape shape = por_other_contents(&inputs.shape, 0);
    *was = b->c[POR_MAXIMAL];
    if (inputs.invented && b->given->fill != POR_ZERO &&
        por_fill_shape(b, &b->contents, &shape, c, &e)) {
        const struct por_plain plain = b->plain;
        por_take(b, c);
        same = is_same(b, size, DRAWN);
        por_take(b, was);
        b->plain = plain;
    }
    b->plain.answer = same;
    b->out->inputs = inputs;
    b->made_up = same ? CONTENTS : 0;
    return same;
}
