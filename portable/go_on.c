// SPDX-License-Identifier: Apache-2.0
//
// Runs that continue after what ends one, as devices do: is the fault one of the specification's
// letter only, and what comes after it?
#include "ask.h"

#include <string.h>

static bool is_made_up(enum orc_birth birth)
{
    return birth == ORC_ORIGIN_NOTHING || birth == ORC_ORIGIN_UNWRITTEN;
}

// True if a word of memory, or a branch, rests on a value that the run made up where there was
// none: *out explains it.
static bool forgave_values(struct por_table *b, const struct por_ran *x, struct por_cell *out)
{
    *out = (struct por_cell){.reason = {.text = "", .fix = ""}};
    for (uint32_t k = 0; k < ORC_ORIGINS; k++) {
        const uint32_t at = is_made_up((enum orc_birth)k) ? x->t.branches[k] : 0;
        if (at) {
            out->status = por_reason_value(&b->w, x->t.branch_origin[k], por_inst_text(&b->w, at),
                                           at, &out->reason);
            return true;
        }
    }
    for (uint32_t k = 0; k < x->r.memory_count; k++)
        for (uint32_t i = 0; x->t.words[k] && i < x->r.memory[k].count; i++) {
            const struct orc_origin o = orc_origin(x->t.words[k][i]);
            if (!is_made_up(o.birth))
                continue;
            out->status =
                por_reason_value(&b->w, o, por_word_text(&b->w, k, i), o.inst, &out->reason);
            return true;
        }
    return false;
}

static void by_the_letter(struct por_table *b, const struct por_cell *race)
{
    por_note(b, arena_printf(b->w.a, "undefined by the letter only: %s", race->reason.text));
}

// True if a continued run shows a fault, where the run before ended with what is not known. Notes
// the latter.
static bool is_next(struct por_table *b, const struct por_cell *first, const struct por_cell *next)
{
    if (first->status != POR_UNKNOWN ||
        (next->status != POR_UNDEFINED && next->status != POR_RECONVERGENCE))
        return false;
    por_note(b, arena_printf(b->w.a, "before that, not known: %s %s", first->reason.text,
                             first->reason.fix));
    return true;
}

// A run that continues. If the value of a load that races counts, the race ends it after all:
// returns the instruction where it counts, else 0.
static uint32_t run_on(struct por_table *b, uint32_t size, struct por_ran *x)
{
    const struct orc_options o = {.any_policy = true};
    b->forgive = true;
    por_run(b, &b->now, POR_MAXIMAL, size, &o, x);
    if (x->t.fault.birth != ORC_ORIGIN_RACED)
        return 0;
    const uint32_t counts = por_ended_at(b, &x->r.why);
    b->loads_end = true;
    por_run(b, &b->now, POR_MAXIMAL, size, &o, x);
    b->loads_end = false;
    return counts;
}

bool por_go_on(struct por_table *b, struct arena *in, uint32_t size, struct por_ran *maximal,
               struct por_cell *own)
{
    struct por_cell again, value;
    struct por_ran x;
    const bool race = strcmp(own->reason.rule, "E-race") == 0;
    if (maximal->r.why.status != RAN_OK && maximal->r.why.status != RAN_UNDEFINED)
        return false;
    const uint32_t counts = run_on(b, size, &x);
    const bool dead = b->raced.found;
    const uint32_t end = x.r.why.at;
    if (x.r.why.status != RAN_OK) {
        por_judge_run(b, POR_MAXIMAL, &x, &(struct por_cell){.status = POR_UNKNOWN}, &again);
        const bool only =
            !dead || (por_dead_at_once(b, por_ended_at(b, &x.r.why)) && !por_dead_by_inputs(b));
        b->forgive = false;
        if (!race && is_next(b, own, &again))
            *own = again;
        const bool same = por_same(own, &again);
        if (race && own->status == POR_UNDEFINED && only && !same &&
            !por_equal_by_inputs(b, size, end, own)) {
            by_the_letter(b, own);
            *own = again;
            b->forgive = again.status == POR_UNKNOWN; // a weaker model may show more
        } else if (race && counts && same)
            own->reason.text = arena_printf(b->w.a, "%s The value that is read decides %s.",
                                            own->reason.text, por_inst_text(&b->w, counts));
        return false;
    }
    if (race && dead && (own->status == POR_UNKNOWN || por_dead_by_inputs(b))) {
        b->forgive = false;
        return false;
    }
    if (race && por_equal_by_inputs(b, size, 0, own)) {
        b->forgive = false;
        return false;
    }
    por_run(b, in, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, maximal);
    por_judge_run(b, POR_MAXIMAL, maximal, &(struct por_cell){.status = POR_UNKNOWN}, &again);
    if (!race && is_next(b, own, &again))
        *own = again;
    if (race && own->status == POR_UNDEFINED && forgave_values(b, maximal, &value)) {
        by_the_letter(b, own);
        *own = value;
        return false;
    }
    if (!race || forgave_values(b, maximal, &value) || again.status > POR_RECONVERGENCE)
        return false;
    *own = again;
    return true;
}
