// SPDX-License-Identifier: Apache-2.0
//
// Divergence and reconvergence. At a divergent branch, the lanes with the higher target wait there.
// Lanes that jump past waiting lanes wait too, and the lanes at the lowest instruction continue.
// Lanes that wait at an instruction marked (jp) join those that reach it. README.md lists the
// sources.
#include "ir3_machine.h"

enum { CLUSTER = 8 }; // lanes per cluster of getlast

static void park(struct ir3_wave *w, lane_mask lanes, uint32_t at)
{
    LANES_EACH (l, lanes) {
        w->waits_at[l] = at;
        w->waits_since[l] = w->branches;
    }
    w->waiting_lanes |= lanes;
    w->active &= ~lanes;
    w->lowest = at < w->lowest ? at : w->lowest;
}

static void stop_waiting(struct ir3_wave *w, lane_mask lanes)
{
    w->waiting_lanes &= ~lanes;
    w->lowest = UINT32_MAX;
    LANES_EACH (l, w->waiting_lanes)
        w->lowest = w->waits_at[l] < w->lowest ? w->waits_at[l] : w->lowest;
}

static lane_mask waiting(const struct ir3_wave *w, uint32_t at)
{
    lane_mask out = 0;
    LANES_EACH (l, w->waiting_lanes)
        out |= w->waits_at[l] == at ? lane_bit(l) : 0;
    return out;
}

// A jump may be reached without the mark: its lanes join at the target.
static bool joins(const struct ir3_inst *in)
{
    return in->joins || in->id == IR3_JUMP;
}

static bool unmarked(struct ir3_machine *m, uint32_t at)
{
    return isa_refuse(m->out, RAN_UNSUPPORTED, at < m->p->count ? m->p->inst[at].line : 0,
                      "lanes wait at an instruction without (jp)");
}

// No lane is active: resumes the waiting lanes at the lowest instruction.
static bool resume(struct ir3_machine *m, struct ir3_wave *w)
{
    const uint32_t at = w->lowest;
    const lane_mask here = waiting(w, at);
    if (at >= m->p->count)
        return isa_refuse(m->out, RAN_FAULT, 0, "a jump out of the program");
    if (!joins(&m->p->inst[at]))
        LANES_EACH (l, here)
            if (w->waits_since[l] != w->waits_since[lane_first(here)])
                return unmarked(m, at);
    stop_waiting(w, here);
    w->active = here;
    w->at = at;
    return true;
}

bool ir3_join(struct ir3_machine *m, struct ir3_wave *w)
{
    if (w->at != w->lowest) // active lanes are never below waiting ones
        return true;
    const lane_mask here = waiting(w, w->at);
    if (!joins(&m->p->inst[w->at]))
        return unmarked(m, w->at);
    stop_waiting(w, here);
    w->active |= here;
    return true;
}

// Sends the lanes in `taken` to `target`; the others fall through.
static bool branch(struct ir3_machine *m, struct ir3_wave *w, lane_mask taken, uint32_t target)
{
    const lane_mask rest = w->active & ~taken;
    if (!taken)
        return true;
    w->branches++;
    if (!rest && (!w->waiting_lanes || target <= w->lowest)) {
        w->at = target;
        return true;
    }
    park(w, taken, target);
    if (rest)
        park(w, rest, w->at);
    return resume(m, w);
}

static lane_mask condition(const struct ir3_wave *w, const struct ir3_operand *o)
{
    return w->active & (o->neg ? ~w->p[o->reg] : w->p[o->reg]);
}

// Returns the lanes of the first non-empty cluster, without its last one.
static lane_mask but_last(lane_mask active)
{
    const unsigned first = lane_first(active) / CLUSTER * CLUSTER;
    const lane_mask cluster = active & (lanes_below(first + CLUSTER) & ~lanes_below(first));
    return cluster & ~lane_bit(lane_last(cluster));
}

static bool target_of(const struct ir3_wave *w, const struct ir3_inst *in, lane_mask *taken)
{
    switch (in->id) {
    case IR3_BR:
        *taken = condition(w, &in->src[0]);
        return true;
    case IR3_BRAO:
        *taken = condition(w, &in->src[0]) | condition(w, &in->src[1]);
        return true;
    case IR3_BRAA:
        *taken = condition(w, &in->src[0]) & condition(w, &in->src[1]);
        return true;
    case IR3_BALL:
        *taken = condition(w, &in->src[0]) == w->active ? w->active : 0;
        return true;
    case IR3_BANY:
        *taken = condition(w, &in->src[0]) ? w->active : 0;
        return true;
    case IR3_GETONE:
        *taken = w->active & ~lane_bit(lane_first(w->active));
        return true;
    case IR3_GETLAST:
        *taken = but_last(w->active);
        return true;
    case IR3_JUMP:
        *taken = w->active;
        return true;
    case IR3_SHPS: // only the preamble's lane executes the preamble; others skip it
        *taken = w->preamble ? 0 : w->active;
        return true;
    default:
        return false;
    }
}

bool ir3_flow(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in)
{
    lane_mask taken;
    if (target_of(w, in, &taken)) {
        if (w->predication != PREDICATION_NONE)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s between predt and prede",
                              ir3_ops[in->id].name);
        return branch(m, w, taken, in->target);
    }
    switch (in->id) {
    case IR3_PREDT:
    case IR3_PREDF:
        w->predicate = w->p[in->srcs ? in->src[0].reg : 0];
        w->predication = in->id == IR3_PREDT ? PREDICATION_TRUE : PREDICATION_FALSE;
        return true;
    case IR3_PREDE:
        w->predication = PREDICATION_NONE;
        return true;
    case IR3_SHPE:
        w->ended = w->preamble;
        return w->preamble ||
               isa_refuse(m->out, RAN_FAULT, in->line, "shpe outside of the preamble");
    default: // end
        w->active = 0;
        if (w->waiting_lanes)
            return resume(m, w);
        w->ended = true;
        return true;
    }
}
