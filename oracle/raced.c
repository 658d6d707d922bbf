// SPDX-License-Identifier: Apache-2.0
//
// Races that a run with orc_options.forgive continues through, because no device can show them.
//
// Equal values. A store of the value that is there changes nothing. A later store of another value,
// which nothing orders after it, still races (struct race, `equal`). An invocation that has stored
// the value itself may load it.
//
// Dead values (orc_options.raced, two runs). The first run records each location that one
// invocation writes while others read it, the phase and the writer. A read may come before the
// write that shows the race, so a second run (`taint`) leaves no value to a load of such a location
// in that phase by another invocation: its origin is ORC_ORIGIN_RACED. The second run fails where
// such a value counts: at a store to memory that others can read, a branch, an address, an atomic,
// an image, a group operation that combines lanes. A shuffle or broadcast passes on the value of
// the lane that it reads.
#include "trace_record.h"

#include "spirv/spirv_groups.h"

#include <string.h>

struct raced_place {
    uint64_t key;    // 0: empty
    uint32_t writer; // as in struct stamp; 0: not one invocation
};

// What identifies a location in a phase; `by` and `wrote`: an invocation that stored the value
// which the stamp `wrote` had stored; else 0.
struct raced_key {
    uint32_t object, group, phase, by;
    uint64_t unit;
    struct stamp wrote;
};

// A location of Workgroup memory, in the current phase, or of a buffer, in any phase.
static struct raced_key place_of(const struct machine *m, const struct race *r)
{
    const struct workgroup *g = m->group;
    const struct run *run = g->run;
    struct raced_key key;
    memset(&key, 0, sizeof key); // with its padding: it is hashed
    if (g->shared_races && r >= g->shared_races && r < g->shared_races + run->p->shared_cells) {
        key.object = NONE;
        key.group = g->index;
        key.phase = g->phase;
        key.unit = (uint64_t)(r - g->shared_races);
        return key;
    }
    for (uint32_t k = 0; k < run->p->object_count; k++) { // variables of one binding share races
        const struct buffer_state *b = &run->buffers[k];
        if (b->races && r >= b->races && r < b->races + (b->size >> run->grain)) {
            key.object = k;
            key.unit = (uint64_t)(r - b->races);
            break;
        }
    }
    return key;
}

static uint64_t hash_of(const struct raced_key *key)
{
    const uint64_t h = hash64(key, sizeof *key);
    return h ? h : 1;
}

// Returns the entry of a key, or the empty one where it belongs; NULL if the table is empty.
static struct raced_place *entry_of(struct raced_place *v, uint32_t room, uint64_t key)
{
    uint32_t at = room ? (uint32_t)key & (room - 1) : 0;
    while (room && v[at].key && v[at].key != key)
        at = (at + 1) & (room - 1);
    return room ? &v[at] : NULL;
}

static struct raced_place *find(const struct orc_raced *t, uint64_t key)
{
    struct raced_place *p = entry_of(t->place, t->room, key);
    return p && p->key ? p : NULL;
}

// Adds a key, or returns the entry that has it. *is_new: it was added.
static struct raced_place *add(struct orc_raced *t, uint64_t key, bool *is_new)
{
    if (2 * t->count >= t->room) {
        const uint32_t room = t->room ? 2 * t->room : 64;
        struct raced_place *v = ARENA_ARRAY(t->arena, struct raced_place, room);
        for (uint32_t k = 0; k < t->room; k++)
            if (t->place[k].key)
                *entry_of(v, room, t->place[k].key) = t->place[k];
        t->place = v;
        t->room = room;
    }
    struct raced_place *p = entry_of(t->place, t->room, key);
    *is_new = !p->key;
    t->count += *is_new;
    p->key = key;
    return p;
}

// ---- equal values -----------------------------------------------------------------

// The key of "this invocation stored what the last writer had stored".
static uint64_t own_key(const struct machine *m, const struct race *r, uint32_t lane)
{
    struct raced_key key = place_of(m, r);
    key.by = race_invocation(m, lane);
    key.wrote.invocation = r->writer.invocation;
    key.wrote.group = r->writer.group;
    key.wrote.phase[0] = r->writer.phase[0];
    key.wrote.phase[1] = r->writer.phase[1];
    return hash_of(&key);
}

void raced_equal(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i)
{
    struct orc_raced *t = m->group->run->o.raced;
    bool is_new;
    if (t && r->writer.invocation && r->writer.invocation != race_invocation(m, lane))
        add(t, own_key(m, r, lane), &is_new);
    race_equal(m, r, lane, i);
}

// ---- dead values ------------------------------------------------------------------

static void note(const struct machine *m, bool **at, uint32_t spv)
{
    if (!*at)
        *at = ARENA_ARRAY(m->group->run->o.raced->arena, bool, m->p->m.inst_count);
    (*at)[spv] = true;
}

void raced_carries(const struct machine *m, uint32_t spv)
{
    note(m, &m->group->run->o.raced->carries, spv);
}

// Records a location with a race between reads and the write of `writer`. In the second run,
// returns whether the first one has recorded it.
static bool dead(const struct machine *m, const struct race *r, uint32_t writer)
{
    struct orc_raced *t = m->group->run->o.raced;
    const struct raced_key key = place_of(m, r);
    const uint64_t hash = hash_of(&key);
    if (t->taint) {
        const struct raced_place *p = find(t, hash);
        return p && (!p->writer || p->writer == writer);
    }
    bool is_new;
    struct raced_place *p = add(t, hash, &is_new);
    p->writer = is_new || p->writer == writer ? writer : 0;
    t->found = true;
    return true;
}

bool raced_forgives(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                    bool is_load)
{
    struct orc_raced *t = m->group->run->o.raced;
    if (!t || (i->klass != IN_LOAD && i->klass != IN_STORE))
        return false;
    if (!is_load) {
        if (!race_write_over_reads(m, r, lane, i))
            return false;
        note(m, &t->insts, i->spv);
        return dead(m, r, race_invocation(m, lane));
    }
    const bool by_atomic = !race_ordered(m, &r->atomic, lane, i);
    if (!by_atomic && find(t, own_key(m, r, lane))) {
        race_read_anyway(m, r, lane, i);
        return true;
    }
    const uint32_t wrote = trace_writer(m, r);
    if (wrote != NONE)
        note(m, &t->insts, wrote);
    return dead(m, r, by_atomic ? 0 : r->writer.invocation);
}

bool raced_taints(const struct machine *m, const struct race *r, uint32_t lane,
                  const struct inst *i)
{
    struct orc_raced *t = m->group->run->o.raced;
    if (!t || !t->taint)
        return false;
    const struct raced_key key = place_of(m, r);
    const struct raced_place *p = find(t, hash_of(&key));
    if (!p || p->writer == race_invocation(m, lane))
        return false;
    note(m, &t->insts, i->spv);
    return true;
}

// ---- where a value counts -----------------------------------------------------------

// True if an instruction passes values on, so that its result has no value if it uses one.
static bool passes_on(const struct machine *m, const struct inst *i, lane_mask *lanes)
{
    *lanes = m->v.active;
    switch (i->klass) {
    case IN_STORE: // to an invocation's own variables; others check each lane below
        LANES_EACH (l, m->v.active) {
            const uint32_t object =
                i->is_static ? i->object : pointer_object(plane_of(&m->v, i->a)[l]);
            if (object < m->p->object_count && m->p->objects[object].kind == OBJ_LANE)
                *lanes &= ~lane_bit(l);
        }
        return !*lanes;
    case IN_ATOMIC:
    case IN_ASSUME:
    case IN_PRINT:
    case IN_IMAGE:
    case IN_TOGETHER:
        return false;
    case IN_GROUP: {
        const enum spv_group_class c = spv_group_find(i->op)->klass;
        return c == SPV_GROUP_SHUFFLE ||
               (c == SPV_GROUP_BROADCAST && i->op != SpvOpGroupNonUniformBroadcastFirst);
    }
    default:
        return true;
    }
}

bool raced_counts(struct machine *m, const struct inst *i)
{
    const struct orc_raced *t = m->group->run->o.raced;
    lane_mask lanes;
    if (!t || !t->taint || passes_on(m, i, &lanes))
        return false;
    const struct trace_operands *o = trace_operands(m, i);
    for (uint32_t j = 0; j < o->n; j++)
        for (uint32_t k = 0; k < o->v[j].cells; k++)
            LANES_EACH (l, lanes & m->doubt[o->v[j].plane + k]) {
                const struct orc_origin from = orc_origin(origins_of(m, o->v[j].plane + k)[l]);
                if (from.birth != ORC_ORIGIN_RACED)
                    continue;
                m->group->run->trace->out->fault = from;
                return !machine_fail(m, RAN_UNDEFINED, "E-race", i->spv, lane_bit(l),
                                     "it uses a value that another invocation writes");
            }
    return false;
}
