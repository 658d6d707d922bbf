// SPDX-License-Identifier: Apache-2.0
//
// Detection of data races (Vulkan, "Memory Model"): two invocations access one location, at least
// one writes, not both are atomic, and they are not ordered for that location. Then the program is
// undefined (E-race). order.c maintains the order.
#include "execute.h"

enum want {
    WANT_ORDER,
    WANT_AVAILABLE,
    WANT_VISIBLE
}; // a read before a write; a write before a write; a write before a read

static const struct order_seen *seen_of(const struct machine *m, int level, enum order_class c,
                                        uint32_t lane)
{
    return &m->order.seen[((uint32_t)level * ORDER_CLASSES + c) * m->v.lanes + lane];
}

// True if the access of the stamp is ordered before the current access of `lane`, as far as `want`
// requires, by barriers of this level or a wider one. A private access is not ordered with other
// invocations.
static bool comes_before(const struct machine *m, const struct stamp *s, uint32_t lane,
                         const struct inst *i, enum order_class c, enum want want, int level)
{
    const bool forgive = m->group->run->o.forgive;
    if (s->invocation == ANYONE || s->group != m->group->index ||
        (!(s->order & i->order & ORDER_NON_PRIVATE) && !forgive))
        return false;
    // Forgiven, too: a read before a barrier that orders other memory, and a write after it.
    const bool read_first = forgive && want == WANT_ORDER;
    want = forgive ? WANT_ORDER : want;
    for (level = s->subgroup == m->id ? level : ORDER_WORKGROUP; level < ORDER_LEVELS; level++) {
        const struct order_seen *seen = seen_of(m, level, c, lane);
        const uint32_t phase = s->phase[level];
        // Forgiven: an acquire that is missing after a barrier.
        const uint32_t released = level == ORDER_WORKGROUP
                                      ? read_first ? m->group->phase : m->group->released[c].before
                                  : read_first ? m->order.phase
                                               : m->order.released[c].before;
        if (phase >= (forgive ? released : seen->before))
            continue;
        if (want >= WANT_AVAILABLE && !(s->order & ORDER_AVAILABLE << level) &&
            phase >= seen->available)
            continue;
        // A write that is available happens before a read that makes it visible itself. A write
        // that made itself available is visible wherever a fence has made its phase visible.
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
    return (struct stamp){.invocation = race_invocation(m, lane),
                          .group = m->group->index,
                          .subgroup = m->id,
                          .phase = {m->order.phase, m->group->phase},
                          .order = i->order};
}

// Merges two unordered accesses into one stamp, at the time of the later one, `with`. This loses
// information in two cases, which set doubt_order: accesses of different subgroups in different
// workgroup phases, and a private access with another one.
static void join(const struct machine *m, struct stamp *s, const struct stamp *with)
{
    const struct stamp was = *s;
    m->group->run->doubt_order |= (was.subgroup != with->subgroup &&
                                   was.phase[ORDER_WORKGROUP] != with->phase[ORDER_WORKGROUP]) ||
                                  ((was.order ^ with->order) & ORDER_NON_PRIVATE);
    *s = *with;
    s->invocation = was.invocation != ANYONE && was.group == with->group ? SEVERAL : ANYONE;
    s->subgroup = was.subgroup == with->subgroup ? with->subgroup : NONE;
    s->order &= was.order;
}

// Replaces the stamp `was` by the current access of `lane`, which is ordered after it.
static void replace(const struct machine *m, struct race *r, struct stamp *was, struct stamp now,
                    uint32_t lane, enum order_class c, uint16_t how)
{
    if (was->invocation && was->invocation != now.invocation) {
        r->several |= how;
        if (how == RACE_WRITTEN && !(was->order & ORDER_AVAILABLE << ORDER_WORKGROUP) &&
            was->phase[ORDER_WORKGROUP] >= seen_of(m, ORDER_WORKGROUP, c, lane)->available)
            r->several |= RACE_WRITTEN_NEAR;
    }
    now.order = race_order(was, now.invocation, now.order);
    *was = now;
}

// Location-order is not transitive: an access that is ordered after the last write need not be
// ordered after the writes before it. `s` is the last write of its kind; true if everything that
// happened before it is visible to this lane.
static bool sees_all_before(const struct machine *m, const struct stamp *s, uint32_t lane,
                            enum order_class c)
{
    const bool near = s->subgroup == m->id;
    for (int level = near ? ORDER_SUBGROUP : ORDER_WORKGROUP; s->invocation && level < ORDER_LEVELS;
         level++)
        if (seen_of(m, level, c, lane)->visible < s->phase[level] + !near)
            return false;
    return true;
}

// True if the access is ordered after the earlier accesses (`how`) of other invocations that were
// followed by another one. If not, sets doubt_order.
static bool after_several(const struct machine *m, const struct race *r, uint32_t lane,
                          const struct inst *i, enum order_class c, bool reads, uint16_t how)
{
    if (m->group->run->o.forgive)
        return true;
    bool ok = i->order & ORDER_NON_PRIVATE || !(r->several & how);
    for (int k = 0; k < 2 && ok && r->several & RACE_WRITTEN; k++) {
        const struct stamp *s = k ? &r->atomic : &r->writer;
        ok = !(s->invocation && s->subgroup != m->id && r->several & RACE_WRITTEN_NEAR) &&
             (!reads || i->order & ORDER_VISIBLE << ORDER_WORKGROUP ||
              sees_all_before(m, s, lane, c));
    }
    m->group->run->doubt_order |= !ok;
    return ok;
}

static enum order_class class_of(const struct inst *i)
{
    return (enum order_class)i->space;
}

static bool after(const struct machine *m, const struct stamp *s, uint32_t lane,
                  const struct inst *i, enum order_class c, enum want want)
{
    return !s->invocation || s->invocation == race_invocation(m, lane) ||
           comes_before(m, s, lane, i, c, want, ORDER_SUBGROUP);
}

bool race_ordered(const struct machine *m, const struct stamp *s, uint32_t lane,
                  const struct inst *i)
{
    return after(m, s, lane, i, class_of(i), WANT_ORDER);
}

bool race_read(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const enum order_class c = class_of(i);
    if (!after(m, &r->writer, lane, i, c, WANT_VISIBLE) ||
        !after(m, &r->atomic, lane, i, c, WANT_VISIBLE)) {
        // An earlier read may have made it visible.
        m->group->run->doubt_order |= r->reader.invocation &&
                                      after(m, &r->writer, lane, i, c, WANT_AVAILABLE) &&
                                      after(m, &r->atomic, lane, i, c, WANT_AVAILABLE);
        return false;
    }
    if (!after_several(m, r, lane, i, c, true, RACE_WRITTEN))
        return false;
    race_read_anyway(m, r, lane, i);
    return true;
}

void race_read_anyway(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const enum order_class c = class_of(i);
    const struct stamp now = stamp_of(m, lane, i);
    if (after(m, &r->reader, lane, i, c, WANT_ORDER))
        replace(m, r, &r->reader, now, lane, c, RACE_READ);
    else
        join(m, &r->reader, &now);
}

void race_equal(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const struct stamp now = stamp_of(m, lane, i);
    if (race_ordered(m, &r->equal, lane, i))
        r->equal = now;
    else
        join(m, &r->equal, &now);
}

bool race_write_over_reads(const struct machine *m, struct race *r, uint32_t lane,
                           const struct inst *i)
{
    if (!race_ordered(m, &r->writer, lane, i) || !race_ordered(m, &r->atomic, lane, i) ||
        !race_ordered(m, &r->equal, lane, i))
        return false;
    replace(m, r, &r->writer, stamp_of(m, lane, i), lane, class_of(i), RACE_WRITTEN);
    return true;
}

bool race_write(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    const enum order_class c = class_of(i);
    if (!after(m, &r->writer, lane, i, c, WANT_AVAILABLE) ||
        !after(m, &r->atomic, lane, i, c, WANT_AVAILABLE) ||
        !after(m, &r->reader, lane, i, c, WANT_ORDER) ||
        !after(m, &r->equal, lane, i, c, WANT_ORDER) ||
        !after_several(m, r, lane, i, c, false, RACE_READ | RACE_WRITTEN))
        return false;
    replace(m, r, &r->writer, stamp_of(m, lane, i), lane, c, RACE_WRITTEN);
    return true;
}

// Atomics of several invocations do not race, but their order is unspecified. The value that they
// leave is known only if all of them commute between two barriers that order them. `kind` has one
// bit for each class that commutes with itself. A subgroup's barrier orders them for this subgroup
// only; for others all atomics since the workgroup's barrier count.
bool race_atomic(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                 uint16_t kind, bool *clash)
{
    const enum order_class c = class_of(i);
    if (!after(m, &r->writer, lane, i, c, WANT_VISIBLE) ||
        !after(m, &r->reader, lane, i, c, WANT_ORDER) ||
        !after(m, &r->equal, lane, i, c, WANT_ORDER))
        return false;
    const struct stamp now = stamp_of(m, lane, i);
    const bool elsewhere = r->atomic.invocation &&
                           (r->atomic.invocation == ANYONE || r->atomic.group != m->group->index);
    if (elsewhere && ((r->kinds_ever | kind) & ATOMIC_IN_GROUP)) // no scope contains both
        return false;
    const bool over = comes_before(m, &r->atomic, lane, i, c, WANT_VISIBLE, ORDER_SUBGROUP);
    const bool alone =
        !r->atomic.invocation || (!elsewhere && (r->atomic.invocation == now.invocation || over));
    const bool in_subgroup = r->atomic.subgroup == m->id;
    for (int level = 0; level < ORDER_LEVELS; level++) {
        if (r->atomic.invocation && comes_before(m, &r->atomic, lane, i, c, WANT_VISIBLE, level))
            r->kinds[level] = 0; // all of them are ordered before
        r->kinds[level] |= kind;
    }
    r->kinds_ever |= kind;
    const uint16_t since = r->kinds[in_subgroup ? ORDER_SUBGROUP : ORDER_WORKGROUP],
                   all = elsewhere ? r->kinds_ever : since, kinds = all & ATOMIC_KINDS;
    if (!alone && (all & ATOMIC_SIZES) ==
                      ATOMIC_SIZES) // different locations: treated like non-atomic accesses
        return false;
    if (alone)
        replace(m, r, &r->atomic, now, lane, c, RACE_WRITTEN);
    else
        join(m, &r->atomic, &now);
    *clash = !alone && ((kinds & ATOMIC_ORDERED) || (kinds & (kinds - 1))); // N3
    return true;
}

const struct stamp *race_other(const struct machine *m, const struct race *r, uint32_t lane,
                               const struct inst *i)
{
    const bool reads = i->klass == IN_LOAD, updates = i->klass == IN_ATOMIC;
    const struct stamp *const all[] = {&r->writer, &r->atomic, &r->reader, &r->equal};
    const uint32_t n = reads ? 2 : 4;
    const enum want want[] = {reads || updates ? WANT_VISIBLE : WANT_AVAILABLE,
                              reads ? WANT_VISIBLE : WANT_AVAILABLE, WANT_ORDER, WANT_ORDER};
    for (uint32_t k = 0; k < n; k++)
        if (!(updates && k == 1) && !after(m, all[k], lane, i, class_of(i), want[k]))
            return all[k];
    for (uint32_t k = 0; k < n; k++) // an access before the last one; an atomic with another scope
        if (all[k]->invocation && all[k]->invocation != race_invocation(m, lane))
            return all[k];
    return NULL;
}
