// SPDX-License-Identifier: Apache-2.0
//
// Who touched a word, and whether that is a data race (SPIR-V memory model: two
// invocations, one location, at least one write, not both atomic, not ordered for that
// location): the program is undefined, E-race. What is ordered says order.c.
#include "machine.h"

enum want {
    WANT_ORDER,
    WANT_AVAILABLE,
    WANT_VISIBLE
}; // a read before; a write before a write, a read

// Did what the stamp tells of come before what `lane` does now, as far as that is wanted, by barriers of
// this level or wider? An access that is private is ordered with no other invocation's.
static bool comes_before(const struct machine *m, const struct stamp *s, uint32_t lane,
                         const struct inst *i, enum order_class c, enum want want, int level)
{
    if (s->who == ANYONE || s->group != m->group->index ||
        !(s->order & i->order & ORDER_NON_PRIVATE))
        return false;
    for (level = s->subgroup == m->id ? level : ORDER_WORKGROUP; level < ORDER_LEVELS; level++) {
        const struct order_seen *seen =
            &m->order.seen[((uint32_t)level * ORDER_CLASSES + c) * m->v.lanes + lane];
        const uint32_t phase = s->phase[level];
        if (phase >= seen->before)
            continue;
        if (want >= WANT_AVAILABLE && !(s->order & ORDER_AVAILABLE << level) &&
            phase >= seen->available)
            continue;
        // A write that is available comes before an access that makes it visible by itself; one by
        // its own operation is, wherever a fence has made the phase visible.
        const bool itself = s->order & ORDER_AVAILABLE << level;
        if (want == WANT_VISIBLE && !(i->order & ORDER_VISIBLE << level) &&
            phase >= (itself ? seen->visible_itself : seen->visible))
            continue;
        return true;
    }
    return false;
}

static struct stamp stamp_of(const struct machine *m, uint32_t lane, const struct inst *i)
{
    return (struct stamp){.who = race_who(m, lane),
                          .group = m->group->index,
                          .subgroup = m->id,
                          .phase = {m->order.phase, m->group->phase},
                          .order = i->order};
}

// Two that are in no order are remembered as one, at the later time: that of `with`, which is now. What comes
// after the earlier by a barrier of the workgroup, and after the later by one of a subgroup, is then in doubt.
static void join(const struct machine *m, struct stamp *s, const struct stamp *with)
{
    const struct stamp was = *s;
    if (was.subgroup != with->subgroup && was.phase[ORDER_WORKGROUP] != with->phase[ORDER_WORKGROUP])
        m->group->run->doubt_order = true;
    *s = *with;
    s->who = was.who != ANYONE && was.group == with->group ? SEVERAL : ANYONE;
    s->subgroup = was.subgroup == with->subgroup ? with->subgroup : NONE;
    s->order &= was.order;
}

// Puts what is done now in the place of what it comes after.
static void replace(struct race *r, struct stamp *was, struct stamp now, uint16_t how)
{
    if (was->who && was->who != now.who)
        r->several |= how;
    now.order = race_order(was, now.who, now.order);
    *was = now;
}

// A private access where others have been that nothing tells of any more: by the letter it is ordered with none
// of them, whatever this invocation did there since.
static bool private_among_others(const struct machine *m, const struct race *r, const struct inst *i, uint16_t how)
{
    if (i->order & ORDER_NON_PRIVATE || !(r->several & how))
        return false;
    m->group->run->doubt_order = true;
    return true;
}

static enum order_class class_of(const struct inst *i)
{
    return i->n && i->layout ? ORDER_BUFFER : ORDER_SHARED;
}

static bool after(const struct machine *m, const struct stamp *s, uint32_t lane,
                  const struct inst *i, enum order_class c, enum want want)
{
    return !s->who || s->who == race_who(m, lane) || comes_before(m, s, lane, i, c, want, ORDER_SUBGROUP);
}

bool race_read(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const enum order_class c = class_of(i);
    if (!after(m, &r->writer, lane, i, c, WANT_VISIBLE) ||
        !after(m, &r->atomic, lane, i, c, WANT_VISIBLE) ||
        private_among_others(m, r, i, RACE_WRITTEN))
        return false;
    const struct stamp now = stamp_of(m, lane, i);
    if (after(m, &r->reader, lane, i, c, WANT_ORDER))
        replace(r, &r->reader, now, RACE_READ);
    else
        join(m, &r->reader, &now);
    return true;
}

bool race_write(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const enum order_class c = class_of(i);
    if (!after(m, &r->writer, lane, i, c, WANT_AVAILABLE) ||
        !after(m, &r->atomic, lane, i, c, WANT_AVAILABLE) ||
        !after(m, &r->reader, lane, i, c, WANT_ORDER) ||
        private_among_others(m, r, i, RACE_READ | RACE_WRITTEN))
        return false;
    replace(r, &r->writer, stamp_of(m, lane, i), RACE_WRITTEN);
    return true;
}

// Atomics of several invocations do not race, but their order is open. What they
// leave is known only where all of them, between two barriers that order them,
// commute: `kind` is one bit for each class that commutes with itself. A subgroup's barrier orders them for
// this subgroup alone: others still meet all that were since the workgroup's.
bool race_atomic(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                 uint16_t kind, bool *clash)
{
    const enum order_class c = i->n ? ORDER_BUFFER : ORDER_SHARED;
    if (!after(m, &r->writer, lane, i, c, WANT_VISIBLE) ||
        !after(m, &r->reader, lane, i, c, WANT_ORDER))
        return false;
    const struct stamp now = stamp_of(m, lane, i);
    const bool elsewhere =
        r->atomic.who && (r->atomic.who == ANYONE || r->atomic.group != m->group->index);
    if (elsewhere && ((r->kinds_ever | kind) & ATOMIC_IN_GROUP)) // no scope that has both
        return false;
    const bool over = comes_before(m, &r->atomic, lane, i, c, WANT_VISIBLE, ORDER_SUBGROUP);
    const bool alone = !r->atomic.who || (!elsewhere && (r->atomic.who == now.who || over));
    const bool in_subgroup = r->atomic.subgroup == m->id;
    for (int level = 0; level < ORDER_LEVELS; level++) {
        if (r->atomic.who && comes_before(m, &r->atomic, lane, i, c, WANT_VISIBLE, level))
            r->kinds[level] = 0; // all that was is over
        r->kinds[level] |= kind;
    }
    r->kinds_ever |= kind;
    if (alone)
        replace(r, &r->atomic, now, RACE_WRITTEN);
    else
        join(m, &r->atomic, &now);
    const uint16_t since = r->kinds[in_subgroup ? ORDER_SUBGROUP : ORDER_WORKGROUP],
                   kinds = (elsewhere ? r->kinds_ever : since) & ATOMIC_KINDS;
    *clash = !alone && ((kinds & ATOMIC_ORDERED) || (kinds & (kinds - 1))); // N3
    return true;
}
