// SPDX-License-Identifier: Apache-2.0
//
// Who touched a word, and whether that is a data race (SPIR-V memory model: two
// invocations, one location, at least one write, not both atomic, no order between
// them): the program is undefined, E-race. Order is known to come from workgroup
// barriers with the right semantics, and from nothing else: what else a program may
// use to order accesses is reported as a race, which never blames a compiler wrongly.
#include "machine.h"

// Did an access of this workgroup in epoch `then` come before what happens now?
// Only when a barrier lies between. Nothing orders two workgroups.
static bool writer_before(const struct machine *m, const struct race *r, uint32_t epoch)
{
    return r->writer > m->group->index * m->group->size && r->writer_epoch < epoch;
}

static bool readers_before(const struct machine *m, const struct race *r, uint32_t epoch)
{
    return r->reader != ANYONE && r->reader_group == m->group->index && r->reader_epoch < epoch;
}

static bool atomics_before(const struct machine *m, const struct race *r, uint32_t epoch)
{
    return r->atomic != ANYONE && r->atomic_group == m->group->index && r->atomic_epoch < epoch;
}

// A plain access after atomics of others.
static bool after_atomics(const struct machine *m, const struct race *r, uint32_t me,
                          uint32_t epoch)
{
    return !r->atomic || r->atomic == me || atomics_before(m, r, epoch);
}

bool race_read(const struct machine *m, struct race *r, uint32_t me, uint32_t epoch)
{
    if (r->writer && r->writer != me && !writer_before(m, r, epoch))
        return false;
    if (!after_atomics(m, r, me, epoch))
        return false;
    if (r->reader == me || r->reader == 0 || readers_before(m, r, epoch))
        r->reader = me;
    else // an earlier reader is not ordered before this one: remember both
        r->reader = r->reader != ANYONE && r->reader_group == m->group->index ? SEVERAL : ANYONE;
    r->reader_epoch = epoch;
    r->reader_group = m->group->index;
    return true;
}

bool race_write(const struct machine *m, struct race *r, uint32_t me, uint32_t epoch)
{
    if (r->writer && r->writer != me && !writer_before(m, r, epoch))
        return false;
    if (!after_atomics(m, r, me, epoch))
        return false;
    if (r->reader && r->reader != me && !readers_before(m, r, epoch))
        return false;
    r->writer = me;
    r->writer_epoch = epoch;
    return true;
}

// Atomics of several invocations do not race, but their order is open. What they
// leave is known only where all of them, between two barriers that order them,
// commute: `kind` is one bit for each class that commutes with itself.
bool race_atomic(const struct machine *m, struct race *r, uint32_t me, uint32_t epoch,
                 uint16_t kind, bool *clash)
{
    if (r->writer && r->writer != me && !writer_before(m, r, epoch))
        return false;
    if (r->reader && r->reader != me && !readers_before(m, r, epoch))
        return false;
    bool elsewhere = r->atomic && (r->atomic == ANYONE || r->atomic_group != m->group->index);
    if (elsewhere && ((r->kinds_ever | kind) & ATOMIC_IN_GROUP)) // no scope that has both
        return false;
    bool alone = !r->atomic || (!elsewhere && (r->atomic == me || atomics_before(m, r, epoch)));
    if (!elsewhere && r->atomic && r->atomic_epoch < epoch && atomics_before(m, r, epoch))
        r->kinds = 0; // all that was is over
    r->kinds_ever |= kind;
    r->kinds |= kind;
    r->atomic = alone ? me : elsewhere ? ANYONE : SEVERAL;
    r->atomic_epoch = epoch;
    r->atomic_group = m->group->index;
    uint16_t kinds = (elsewhere ? r->kinds_ever : r->kinds) & ATOMIC_KINDS;
    *clash = !alone && ((kinds & ATOMIC_ORDERED) || (kinds & (kinds - 1))); // N3
    return true;
}
