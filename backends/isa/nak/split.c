// SPDX-License-Identifier: Apache-2.0
//
// Who is together: splits, and the barriers that join them. Nothing else does. README.md has the
// model.
#include "machine.h"

#include <string.h>

static void split_add(struct nak_warp *w, uint32_t at, uint32_t lanes)
{
    CHECK(w->splits < SPLITS);
    w->split[w->splits++] = (struct nak_split){.at = at, .lanes = lanes};
}

// Lanes leave the split that runs. One without lanes goes when the next is picked.
static void leave(struct nak_warp *w, uint32_t lanes)
{
    w->split[w->current].lanes &= ~lanes;
}

// Lanes of barriers that have all come go on, those of one barrier and place together. *wanted: one
// barrier, or 0 for all.
static void release(struct nak_machine *m, struct nak_warp *w)
{
    uint32_t left = w->waiting;
    while (left) {
        const uint32_t id = w->wait_for[lowest_lane(left)];
        uint32_t here = 0;
        EACH(l, left)
        here |= (uint32_t)(w->wait_for[l] == id) << l;
        left &= ~here;
        if (m->barrier.v[id].lanes & ~w->exited & ~here)
            continue;
        w->waiting &= ~here;
        while (here) {
            const uint32_t at = w->wait_at[lowest_lane(here)];
            uint32_t together = 0;
            EACH(l, here)
            together |= (uint32_t)(w->wait_at[l] == at) << l;
            here &= ~together;
            split_add(w, at, together);
        }
    }
}

// A split without lanes has to make room first: as many splits as lanes is the most.
static void sweep(struct nak_warp *w)
{
    uint32_t n = 0, current = 0;
    for (uint32_t i = 0; i < w->splits; i++) {
        if (i == w->current)
            current = n;
        if (w->split[i].lanes)
            w->split[n++] = w->split[i];
    }
    w->current = current;
    w->splits = n;
}

static uint32_t barrier_new(struct nak_machine *m, uint32_t lanes, bool warpsync)
{
    if (!m->barrier.n)
        VEC_PUSH(m->a, &m->barrier);
    *VEC_PUSH(m->a, &m->barrier) = (struct nak_barrier){lanes, warpsync};
    return (uint32_t)m->barrier.n - 1;
}

static bool known(const struct nak_machine *m, uint32_t id)
{
    return id && id < m->barrier.n && !m->barrier.v[id].warpsync;
}

static bool begin(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes)
{
    const uint32_t to = in->o[0].reg, id = barrier_new(m, lanes, false);
    EACH(l, lanes)
    {
        if (w->b[in->o[1].reg][l])
            return isa_refuse(m->out, ISA_UNSUPPORTED, m->line,
                              "bssy of a barrier that is not clear");
        w->b[to][l] = id;
    }
    return true;
}

static void wait(struct nak_machine *m, struct nak_warp *w, uint32_t lanes, uint32_t at)
{
    leave(w, lanes);
    EACH(l, lanes)
    w->wait_at[l] = at;
    w->waiting |= lanes;
    sweep(w);
    release(m, w);
}

static bool arrive(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                   uint32_t lanes)
{
    uint32_t stop = 0;
    EACH(l, lanes)
    {
        const uint32_t id = w->b[in->o[0].reg][l];
        if (!known(m, id))
            return isa_refuse(m->out, ISA_FAULT, m->line,
                              "bsync of a barrier that lane %u did not begin", l);
        w->wait_for[l] = id;
        stop |= m->barrier.v[id].lanes & 1u << l;
    }
    wait(m, w, stop, w->split[w->current].at);
    return true;
}

static bool warpsync(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                     uint32_t lanes)
{
    uint32_t room[LANES];
    const uint32_t *mask = nak_words(m, w, &in->o[0], 0, room);
    if (!mask)
        return false;
    EACH(l, lanes)
    {
        uint32_t id = 0;
        if (!(mask[l] >> l & 1))
            return isa_refuse(m->out, ISA_UNSUPPORTED, m->line,
                              "warpsync by a lane that its mask does not hold");
        EACH(k, w->waiting)
        if (m->barrier.v[w->wait_for[k]].warpsync && m->barrier.v[w->wait_for[k]].lanes == mask[l])
            id = w->wait_for[k];
        w->wait_for[l] = id                        ? id
                         : l == lowest_lane(lanes) ? barrier_new(m, mask[l], true)
                                                   : w->wait_for[lowest_lane(lanes)];
        if (m->barrier.v[w->wait_for[l]].lanes != mask[l])
            return isa_refuse(m->out, ISA_UNSUPPORTED, m->line, "warpsync with masks that differ");
    }
    wait(m, w, lanes, w->split[w->current].at);
    return true;
}

static bool withdraw(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                     uint32_t lanes)
{
    EACH(l, lanes)
    {
        const uint32_t id = w->b[in->o[1].reg][l];
        if (!known(m, id))
            return isa_refuse(m->out, ISA_FAULT, m->line,
                              "break of a barrier that lane %u did not begin", l);
        m->barrier.v[id].lanes &= ~(1u << l);
        w->b[in->o[0].reg][l] = id;
    }
    release(m, w);
    return true;
}

// To a register and back, for what does not fit: the number stands for the lanes.
static bool move(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    const struct nak_operand *to = &in->o[0], *from = &in->o[1];
    EACH(l, lanes)
    {
        uint32_t *src = from->kind == OPERAND_B ? &w->b[from->reg][l] : &w->r[from->reg][l];
        const uint32_t v = *src;
        if (v && !known(m, v))
            return isa_refuse(m->out, ISA_FAULT, m->line, "bmov of what is no barrier");
        if (HAS(in, MOD_CLEAR))
            *src = 0;
        *(to->kind == OPERAND_B ? &w->b[to->reg][l] : &w->r[to->reg][l]) = v;
    }
    return true;
}

bool nak_barrier(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    switch (in->id) {
    case NAK_BCLEAR:
        EACH(l, lanes)
        w->b[in->o[0].reg][l] = 0;
        return true;
    case NAK_BSSY:
        lanes &= nak_predicate(w, &in->o[2]);
        return !lanes || begin(m, w, in, lanes);
    case NAK_BSYNC:
        lanes &= nak_predicate(w, &in->o[1]);
        return !lanes || arrive(m, w, in, lanes);
    case NAK_BREAK:
        lanes &= nak_predicate(w, &in->o[2]);
        return !lanes || withdraw(m, w, in, lanes);
    case NAK_BMOV:
        return move(m, w, in, lanes);
    default:
        return warpsync(m, w, in, lanes);
    }
}

void nak_branch(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes)
{
    lanes &= nak_predicate(w, &in->o[0]);
    struct nak_split *s = &w->split[w->current];
    if (lanes == s->lanes) {
        s->at = in->o[1].value;
    } else if (lanes) {
        m->choice = true;
        leave(w, lanes);
        split_add(w, in->o[1].value, lanes);
    }
}

void nak_exit(struct nak_machine *m, struct nak_warp *w, uint32_t lanes)
{
    leave(w, lanes);
    w->exited |= lanes;
    sweep(w);
    release(m, w);
}

void nak_group_wait(struct nak_warp *w, uint32_t lanes)
{
    struct nak_split *s = &w->split[w->current];
    if (lanes != s->lanes) { // by a predicate: the others go on
        leave(w, lanes);
        split_add(w, s->at, lanes);
        s = &w->split[w->splits - 1];
    }
    s->at_group = true;
}

bool nak_pick(struct nak_machine *m, struct nak_warp *w)
{
    uint32_t can = 0, n = 0, at = 0;
    sweep(w);
    for (uint32_t i = 0; i < w->splits; i++)
        can |= (uint32_t)!w->split[i].at_group << i;
    if (!can)
        return false;
    const bool goes_on = w->current < w->splits && (can >> w->current & 1);
    switch (m->schedule) {
    case NAK_DEPTH_FIRST: // the newest
        w->current = 31 - (uint32_t)__builtin_clz(can);
        return true;
    case NAK_BREADTH_FIRST: // in turns
        at = w->current >= 31 ? 0 : can >> (w->current + 1) << (w->current + 1);
        w->current = lowest_lane(at ? at : can);
        return true;
    case NAK_RANDOM:
        if (goes_on && rng_below(&m->chance, 8))
            return true;
        n = rng_below(&m->chance, count_ones(can));
        EACH(i, can)
        if (n-- == 0)
            at = i;
        w->current = at;
        return true;
    }
    return false;
}
