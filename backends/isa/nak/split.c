// SPDX-License-Identifier: Apache-2.0
//
// Branches, and the barriers that join fragments. README.md describes the model.
#include "machine.h"

#include <inttypes.h>
#include <string.h>

// Is `id` the number of a barrier? 0 means that the register is clear.
static bool known(const struct nak_machine *m, uint32_t id)
{
    return id && isa_barrier_known(&m->q, id);
}

static bool begin(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes)
{
    const uint32_t to = in->o[0].reg, id = isa_barrier_new(&m->q, lanes, false);
    EACH(l, lanes)
    {
        if (w->b[in->o[1].reg][l] && !m->p->cuda)
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line,
                              "bssy of a barrier that is not clear");
        w->b[to][l] = id;
    }
    return true;
}

static bool arrive(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                   uint32_t lanes)
{
    struct isa_fragments *s = w->wave_fragments;
    uint32_t stop = 0;
    EACH(l, lanes)
    {
        const uint32_t id = w->b[in->o[0].reg][l];
        if (!known(m, id))
            return isa_refuse(m->out, RAN_FAULT, m->q.line,
                              "bsync of a barrier that lane %u did not begin", l);
        s->wait_for[l] = id;
        stop |= (uint32_t)*isa_barrier(&m->q, id) & 1u << l;
    }
    isa_fragments_wait(&m->q, s, stop, s->v[s->current].at);
    return true;
}

// Each lane waits for those of its own mask: a fragment may hold lanes of several masks.
static bool gather(struct nak_machine *m, struct nak_warp *w, const uint32_t *mask, uint32_t lanes)
{
    struct isa_fragments *s = w->wave_fragments;
    uint32_t left = lanes;
    while (left) {
        uint32_t named = mask[lowest_lane(left)];
        uint32_t id = 0, same = 0;
        EACH(l, left)
        same |= (uint32_t)(mask[l] == named) << l;
        left &= ~same;
        if (same & ~named)
            return isa_refuse(m->out, RAN_FAULT, m->q.line,
                              "lane %u waits for the lanes 0x%x, without itself",
                              lowest_lane(same & ~named), named);
        // Lanes that are here too, with a false guard, have come.
        named &= ~((uint32_t)s->v[s->current].lanes & ~lanes);
        EACH(k, (uint32_t)s->waiting)
        if (s->wait_for[k] & ISA_BARRIER_NAMED && *isa_barrier(&m->q, s->wait_for[k]) == named)
            id = s->wait_for[k];
        id = id ? id : isa_barrier_new(&m->q, named, true);
        EACH(l, same)
        s->wait_for[l] = id;
    }
    isa_fragments_wait(&m->q, s, lanes, s->v[s->current].at);
    return true;
}

static bool warpsync(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                     uint32_t lanes)
{
    struct isa_fragments *s = w->wave_fragments;
    uint32_t room[LANES];
    const uint32_t *mask = nak_words(m, w, &in->o[0], 0, room);
    if (!mask)
        return false;
    if (m->p->cuda)
        return gather(m, w, mask, lanes);
    EACH(l, lanes)
    {
        uint32_t id = 0;
        if (!(mask[l] >> l & 1))
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line,
                              "warpsync by a lane that is not in its mask");
        EACH(k, (uint32_t)s->waiting)
        if (s->wait_for[k] & ISA_BARRIER_NAMED && *isa_barrier(&m->q, s->wait_for[k]) == mask[l])
            id = s->wait_for[k];
        s->wait_for[l] = id                        ? id
                         : l == lowest_lane(lanes) ? isa_barrier_new(&m->q, mask[l], true)
                                                   : s->wait_for[lowest_lane(lanes)];
        if (*isa_barrier(&m->q, s->wait_for[l]) != mask[l])
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line,
                              "warpsync with masks that differ");
    }
    isa_fragments_wait(&m->q, s, lanes, s->v[s->current].at);
    return true;
}

static bool withdraw(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                     uint32_t lanes)
{
    EACH(l, lanes)
    {
        const uint32_t id = w->b[in->o[1].reg][l];
        if (!known(m, id))
            return isa_refuse(m->out, RAN_FAULT, m->q.line,
                              "break of a barrier that lane %u did not begin", l);
        *isa_barrier(&m->q, id) &= ~(UINT64_C(1) << l);
        w->b[in->o[0].reg][l] = id;
    }
    isa_fragments_release(&m->q, w->wave_fragments);
    return true;
}

// Spills a barrier to a register or restores it; the barrier's number represents its lanes.
static bool move(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    const struct nak_operand *to = &in->o[0], *from = &in->o[1];
    EACH(l, lanes)
    {
        uint32_t *src = from->kind == OPERAND_B ? &w->b[from->reg][l] : &w->r[from->reg][l];
        const uint32_t v = *src;
        if (v && !known(m, v))
            return isa_refuse(m->out, RAN_FAULT, m->q.line,
                              "bmov of a value that is not a barrier");
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

// Lanes go to `at`.
static void leave(struct nak_machine *m, struct nak_warp *w, uint32_t lanes, uint32_t at)
{
    struct isa_fragment *s = &w->wave_fragments->v[w->wave_fragments->current];
    if (lanes == s->lanes)
        s->at = at;
    else if (lanes)
        isa_fragments_split(&m->q, w->wave_fragments, lanes, at);
}

// Each lane goes to the byte of the code that its registers name.
static bool to_place(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                     uint32_t lanes)
{
    uint64_t byte[LANES];
    nak_values(m, w, &in->o[0], byte);
    while (lanes) {
        const uint64_t first = byte[lowest_lane(lanes)],
                       to = first + (in->id == NAK_BRX ? (uint64_t)(int32_t)in->o[1].value : 0),
                       k = to / SASS_BYTES;
        uint32_t same = 0;
        EACH(l, lanes)
        same |= (uint32_t)(byte[l] == first) << l;
        if (to % SASS_BYTES || k >= m->p->places || m->p->place[k] == NO_REGISTER)
            return isa_refuse(m->out, RAN_FAULT, m->q.line, "a %s to byte 0x%" PRIx64,
                              in->id == NAK_BRX ? "branch" : "return", to);
        leave(m, w, same, m->p->place[k]);
        lanes &= ~same;
    }
    return m->out->status == RAN_OK;
}

bool nak_branch(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes)
{
    const struct isa_fragments *f = w->wave_fragments;
    const struct isa_fragment *s = &f->v[f->current];
    if (in->id == NAK_RET || in->id == NAK_BRX)
        return to_place(m, w, in, lanes);
    if (in->id == NAK_BRA_DIV || in->id == NAK_BRA_CONV) { // all go, or none
        const struct nak_operand *mask = &in->o[1];
        const uint32_t all = mask->kind == OPERAND_NONE     ? (uint32_t)f->live
                             : mask->kind == OPERAND_NUMBER ? mask->value
                                                            : w->ur[mask->reg];
        const bool diverged = all != (uint32_t)s->lanes || (lanes & nak_predicate(w, &in->o[0]));
        lanes = diverged == (in->id == NAK_BRA_DIV) ? (uint32_t)s->lanes : 0;
    } else {
        lanes &= nak_predicate(w, &in->o[0]);
    }
    leave(m, w, lanes, in->o[in->n - 1].value);
    return true;
}
