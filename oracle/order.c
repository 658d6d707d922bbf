// SPDX-License-Identifier: Apache-2.0
//
// The order that barriers and fences establish (order.h).
//
// Happens-before: an access, then a release of its storage class by the same invocation, then a
// barrier that both invocations pass, then an acquire of that class by the other one. A barrier
// orders *all* earlier accesses of a class, if every invocation has released its own, or none of
// them. A finer analysis might order more; run.doubt_order marks such runs.
//
// Availability: after a write, the same invocation makes it available in the scope, either by the
// write itself (MakePointerAvailable, a coherent variable, an atomic) or by a release with
// MakeAvailable. Visibility: the reader makes it visible, by the read itself or by an acquire with
// MakeVisible before the read.
#include "machine.h"

#include <string.h>

static struct order_seen *seen_of(const struct machine *m, enum order_level level,
                                  enum order_class c, uint32_t lane)
{
    return &m->order.seen[(level * ORDER_CLASSES + c) * m->v.lanes + lane];
}

void order_start(struct machine *m)
{
    struct order *o = &m->order;
    struct order_seen *seen = o->seen;
    memset(seen, 0, (size_t)ORDER_LEVELS * ORDER_CLASSES * m->v.lanes * sizeof *seen);
    *o = (struct order){.seen = seen};
}

void order_note(struct machine *m, const struct inst *i, enum order_class c, lane_mask lanes,
                bool writes)
{
    for (int level = 0; level < ORDER_LEVELS; level++) {
        m->order.unreleased[level][c] |= lanes;
        if (writes && !(i->order & ORDER_AVAILABLE << level))
            m->order.unavailable[level][c] |= lanes;
    }
}

static bool names(const struct inst *i, int level, int c)
{
    return (i->order & ORDER_IN_SUBGROUP << level) && (i->order & ORDER_OF_SHARED << c);
}

static void release(struct machine *m, const struct inst *i, lane_mask lanes)
{
    for (int level = 0; i->order & ORDER_RELEASE && level < ORDER_LEVELS; level++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            if (!names(i, level, c))
                continue;
            m->order.unreleased[level][c] &= ~lanes;
            if (i->order & ORDER_AVAILABLE)
                m->order.unavailable[level][c] &= ~lanes;
        }
}

static void acquire(struct machine *m, const struct inst *i, lane_mask lanes)
{
    for (int level = 0; i->order & ORDER_ACQUIRE && level < ORDER_LEVELS; level++)
        for (int c = 0; c < ORDER_CLASSES; c++) {
            const struct order_released *released =
                level == ORDER_WORKGROUP ? &m->group->released[c] : &m->order.released[c];
            LANES_EACH (l, names(i, level, c) ? lanes : 0) {
                struct order_seen *s = seen_of(m, (enum order_level)level, (enum order_class)c, l);
                s->before = released->before;
                s->available = released->available;
                if (i->order & ORDER_VISIBLE) {
                    s->visible = released->available;
                    s->visible_itself = released->before;
                }
            }
        }
}

void order_fence(struct machine *m, const struct inst *i)
{
    release(m, i, m->v.active);
    acquire(m, i, m->v.active);
}

// Ends a phase. `held`: lanes with unreleased accesses; `hidden`: lanes with writes that are not
// available. With separate fences a finer analysis might still order these.
static void end_phase(struct run *run, struct order_released *released, uint32_t phase,
                      lane_mask held, lane_mask hidden)
{
    run->doubt_order |= (held || hidden) && run->p->has_fence;
    if (held)
        return;
    released->before = phase;
    if (!hidden)
        released->available = phase;
}

static void subgroup_phase(struct machine *m)
{
    struct order *o = &m->order;
    o->phase++;
    for (int c = 0; c < ORDER_CLASSES; c++)
        end_phase(m->group->run, &o->released[c], o->phase,
                  o->unreleased[ORDER_SUBGROUP][c] & m->live,
                  o->unavailable[ORDER_SUBGROUP][c] & m->live);
}

void order_subgroup_barrier(struct machine *m, const struct inst *i, bool promised)
{
    release(m, i, m->v.active);
    if (m->v.active != m->live || !promised) { // not the full subgroup: orders nothing
        m->group->run->doubt_order = true;
        return;
    }
    subgroup_phase(m);
    acquire(m, i, m->v.active);
}

void order_workgroup_barrier(struct workgroup *g, const struct inst *i)
{
    lane_mask held[ORDER_CLASSES] = {0}, hidden[ORDER_CLASSES] = {0};
    for (uint32_t s = 0; s < g->subgroups; s++) {
        struct machine *m = &g->machines[s];
        if (!m->live)
            continue;
        release(m, i, m->live);
        subgroup_phase(m);
        for (int c = 0; c < ORDER_CLASSES; c++) {
            held[c] |= m->order.unreleased[ORDER_WORKGROUP][c] & m->live;
            hidden[c] |= m->order.unavailable[ORDER_WORKGROUP][c] & m->live;
        }
    }
    g->phase++;
    for (int c = 0; c < ORDER_CLASSES; c++)
        end_phase(g->run, &g->released[c], g->phase, held[c], hidden[c]);
    for (uint32_t s = 0; s < g->subgroups; s++)
        acquire(&g->machines[s], i, g->machines[s].live);
}
