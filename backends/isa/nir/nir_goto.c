// SPDX-License-Identifier: Apache-2.0
//
// Code that is structured no more, as NVK's is: who is together is a set of strands, lanes that
// stand at one instruction. A branch parts a strand; bar_set_nv begins a barrier of those who run
// it, and bar_sync_nv holds its lanes until all of them have come or ended: then those at one place
// go on together. Nothing else joins. Which strand runs next is not promised: the schedule chooses
// (backends/isa/nak/README.md has the sources).
#include "nir_machine.h"

static void leave(struct nir_wave *w, lane_mask lanes)
{
    w->strand[w->current].lanes &= ~lanes;
}

// Strands without lanes make room: there are at most as many as lanes.
static void sweep(struct nir_wave *w)
{
    uint32_t n = 0, current = 0;
    for (uint32_t i = 0; i < w->strands; i++) {
        if (i == w->current)
            current = n;
        if (w->strand[i].lanes)
            w->strand[n++] = w->strand[i];
    }
    w->current = current;
    w->strands = n;
}

static void add(struct nir_wave *w, uint32_t at, lane_mask lanes)
{
    CHECK(w->strands < NIR_LANES + 1);
    w->strand[w->strands++] = (struct nir_strand){.at = at, .lanes = lanes};
}

// ---- barriers
// ---------------------------------------------------------------------------------------------

// Lanes of barriers that have all come go on, those of one barrier and place together.
static void release(struct nir_machine *m, struct nir_wave *w)
{
    lane_mask left = w->waiting;
    while (left) {
        const uint32_t id = w->wait_for[lane_first(left)];
        lane_mask here = 0;
        LANES_EACH (l, left)
            here |= w->wait_for[l] == id ? lane_bit(l) : 0;
        left &= ~here;
        if (m->barrier.v[id] & w->live & ~here)
            continue;
        w->waiting &= ~here;
        while (here) {
            const uint32_t at = w->wait_at[lane_first(here)];
            lane_mask together = 0;
            LANES_EACH (l, here)
                together |= w->wait_at[l] == at ? lane_bit(l) : 0;
            here &= ~together;
            add(w, at, together);
        }
    }
}

static bool sync(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *id = nir_source(m, w, in, 0, 0);
    const lane_mask all = w->active;
    lane_mask stop = 0;
    LANES_EACH (l, all) {
        if (id[l] >= m->barrier.n)
            return isa_refuse(m->out, ISA_FAULT, in->line,
                              "bar_sync_nv of a barrier that lane %u did not begin", l);
        w->wait_for[l] = (uint32_t)id[l];
        w->wait_at[l] = w->at;
        stop |= m->barrier.v[id[l]] & lane_bit(l); // who is no more in it goes on
    }
    leave(w, stop);
    w->waiting |= stop;
    sweep(w);
    release(m, w);
    return true;
}

static bool withdraw(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *id = nir_source(m, w, in, 0, 0);
    LANES_EACH (l, w->active) {
        if (id[l] >= m->barrier.n)
            return isa_refuse(m->out, ISA_FAULT, in->line,
                              "bar_break_nv of a barrier that lane %u did not begin", l);
        m->barrier.v[id[l]] &= ~lane_bit(l);
        nir_row(m, w, in->def, 0)[l] = id[l];
    }
    release(m, w);
    return true;
}

// ---- one instruction
// ----------------------------------------------------------------------------------------

static void branch(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *c = nir_source(m, w, in, 0, 0);
    lane_mask yes = 0;
    LANES_EACH (l, w->active)
        yes |= c[l] & 1 ? lane_bit(l) : 0;
    const lane_mask no = w->active & ~yes;
    w->at = yes ? in->target : in->other;
    if (yes && no) {
        m->choice = true;
        leave(w, no);
        add(w, in->other, no);
    }
}

static bool run_one(struct nir_machine *m, struct nir_wave *w)
{
    struct nir_strand *s = &w->strand[w->current];
    const struct nir_inst *in = &m->p->inst[s->at];
    bool ok = true;
    w->active = s->lanes;
    w->at = s->at;
    if (s->at >= m->p->count) { // its end
        w->live &= ~w->active;
        leave(w, w->active);
        sweep(w);
        release(m, w);
        return true;
    }
    if (++w->steps > m->step_limit)
        return isa_refuse(m->out, ISA_OVER_LIMIT, in->line, "more than %llu instructions",
                          (unsigned long long)m->step_limit);
    if (in->id == NIR_BLOCK) {
        ok = nir_enter(m, w);
        s->at = w->at;
        return ok;
    }
    w->at++;
    switch (in->id) {
    case NIR_GOTO:
        w->at = in->target;
        break;
    case NIR_GOTO_IF:
        branch(m, w, in);
        break;
    case NIR_BAR_SET:
        nir_write_all(m, w, in, 0, m->barrier.n);
        *VEC_PUSH(m->a, &m->barrier) = w->active;
        break;
    case NIR_BAR_BREAK:
        s->at = w->at;
        return withdraw(m, w, in);
    case NIR_BAR_SYNC:
        s->at = w->at;
        return sync(m, w, in);
    case NIR_BARRIER:
        s->at_group = in->workgroup;
        break;
    default:
        if (nir_ops[in->id].unit == UNIT_FLOW)
            return isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "ifs or loops beside goto");
        ok = nir_execute(m, w, in);
    }
    s->at = w->at;
    return ok;
}

// ---- schedules
// ------------------------------------------------------------------------------------------------

// Chooses the strand that runs next; false where none can.
static bool pick(struct nir_machine *m, struct nir_wave *w)
{
    uint32_t can = 0, newest = 0, next = UINT32_MAX, lowest = UINT32_MAX;
    if (w->strands == 1 && w->strand[0].lanes && !w->strand[0].at_group) {
        w->current = 0;
        return true;
    }
    sweep(w);
    for (uint32_t i = 0; i < w->strands; i++)
        if (!w->strand[i].at_group) {
            can++;
            newest = i;
            lowest = lowest == UINT32_MAX ? i : lowest;
            next = next == UINT32_MAX && i > w->current ? i : next;
        }
    if (!can)
        return false;
    if (m->schedule == NIR_DEPTH_FIRST) {
        w->current = newest;
    } else if (m->schedule == NIR_BREADTH_FIRST) {
        w->current = next == UINT32_MAX ? lowest : next;
    } else if (w->current >= w->strands || w->strand[w->current].at_group ||
               !rng_below(&m->chance, 8)) {
        uint32_t k = rng_below(&m->chance, can);
        for (uint32_t i = 0; i < w->strands; i++)
            if (!w->strand[i].at_group && k-- == 0)
                w->current = i;
    }
    return true;
}

// All that have not ended wait at the workgroup's barrier: they go on, as they came.
static bool group_pass(struct nir_machine *m)
{
    for (uint32_t i = 0; i < m->waves; i++) {
        lane_mask here = 0;
        for (uint32_t k = 0; k < m->w[i].strands; k++)
            here |= m->w[i].strand[k].lanes;
        if (here != m->w[i].live)
            return isa_refuse(m->out, ISA_STUCK, 0, "lanes wait for others that never come");
    }
    for (uint32_t i = 0; i < m->waves; i++)
        for (uint32_t k = 0; k < m->w[i].strands; k++)
            m->w[i].strand[k].at_group = false;
    return true;
}

bool nir_goto_group(struct nir_machine *m)
{
    m->barrier.n = 0;
    for (uint32_t i = 0; i < m->waves; i++) {
        struct nir_wave *w = &m->w[i];
        w->strand = ARENA_ARRAY(m->a, struct nir_strand, NIR_LANES + 1);
        add(w, 0, w->live);
    }
    for (;;) {
        bool moved = false;
        lane_mask left = 0;
        for (uint32_t i = 0; i < m->waves; i++) {
            struct nir_wave *w = &m->w[i];
            const uint32_t turn = m->schedule == NIR_DEPTH_FIRST ? UINT32_MAX
                                  : m->schedule == NIR_BREADTH_FIRST
                                      ? 1
                                      : 1 + rng_below(&m->chance, 64);
            for (uint32_t k = 0; k < turn && pick(m, w); k++) {
                moved = true;
                if (!run_one(m, w))
                    return false;
            }
            left |= w->live;
        }
        if (!left)
            return true;
        if (!moved && !group_pass(m))
            return false;
    }
}
