// SPDX-License-Identifier: Apache-2.0
//
// Recording of the origins of uncertain values in memory (trace_record.h), and of the accesses that
// race.
#include "trace_record.h"

#include <string.h>

// The units of one cell of an access; empty if nothing is recorded for it.
struct spot {
    const struct traced *in;
    uint64_t at, end;
};

// Initialises the entries of a row on its first use.
static void prepare(const struct traced *t, uint64_t unit)
{
    const uint64_t row = unit / TRACED_ROW, bit = UINT64_C(1) << row % 64, from = row * TRACED_ROW,
                   left = t->count - from, n = left < TRACED_ROW ? left : TRACED_ROW;
    if (t->rows[row / 64] & bit)
        return;
    t->rows[row / 64] |= bit;
    memset(t->origin + from, 0, n * sizeof *t->origin);
    memset(t->wrote + from, 0, n * sizeof *t->wrote);
    memset(t->read + from, 0, n * sizeof *t->read);
}

static struct spot spot_at(const struct machine *m, uint32_t object, uint64_t byte, uint32_t bytes)
{
    const struct run *run = m->group->run;
    const struct traced *in = &run->trace->object[object];
    const struct spot s = {in, byte >> run->grain, ((byte + bytes - 1) >> run->grain) + 1};
    if (s.end > in->count)
        return (struct spot){0};
    prepare(in, s.at);
    prepare(in, s.end - 1);
    return s;
}

static struct spot spot_of(const struct machine *m, const struct inst *i, uint32_t object,
                           uint64_t offset, uint32_t k)
{
    const struct object *o = &m->p->objects[object];
    uint64_t start, end;
    if (o->kind == OBJ_SHARED) {
        const uint64_t at = o->plane + offset + k;
        return (struct spot){&m->group->run->trace->shared, at, at + 1};
    }
    if (!buffer_span(&m->group->run->buffers[object], offset, &start, &end))
        return (struct spot){0};
    return i->layout ? spot_at(m, object, start + i->layout[k].offset, i->layout[k].bytes)
                     : spot_at(m, object, start, i->width / 8u);
}

static void note_site(const struct machine *m, const struct inst *i, uint32_t lane, struct site *s)
{
    const uint32_t me = race_invocation(m, lane);
    *s = (struct site){.inst = i->spv + 1,
                       .phase = {m->order.phase, m->group->phase},
                       .by = me,
                       .other = s->by == me ? s->other : s->inst};
}

static void note_write(const struct machine *m, const struct inst *i, uint32_t lane,
                       const struct spot *s, uint32_t code)
{
    for (uint64_t k = s->at; k < s->end; k++) {
        s->in->origin[k] = code;
        note_site(m, i, lane, &s->in->wrote[k]);
    }
}

static uint32_t note_read(const struct machine *m, const struct inst *i, uint32_t lane,
                          const struct spot *s)
{
    uint32_t code = 0;
    for (uint64_t k = s->at; k < s->end; k++) {
        code = larger(code, s->in->origin[k]);
        note_site(m, i, lane, &s->in->read[k]);
    }
    return code;
}

// Sets the code of a value that was read.
static void put_read(const struct machine *m, const struct inst *i, uint32_t plane, uint32_t lane,
                     uint32_t code)
{
    const bool known =
        lane_in(m->v.defined[plane], lane) || (code && orc_origin(code).birth != ORC_ORIGIN_ORDER);
    put(m, plane, lane, known ? code : code_of(ORC_ORIGIN_UNWRITTEN, i->spv));
    if (m->group->run->o.forgive && !known) {
        plane_of(&m->v, plane)[lane] = 0;
        m->v.defined[plane] |= lane_bit(lane);
    }
}

void trace_strays(const struct machine *m, const struct inst *i, uint32_t lane)
{
    for (uint32_t k = 0; k < (i->klass == IN_LOAD ? i->comps : 1); k++)
        put(m, i->dst + k, lane, code_of(ORC_ORIGIN_NOTHING, i->spv));
}

static struct race *races_of(const struct machine *m, uint32_t object, uint64_t unit)
{
    struct run *run = m->group->run;
    return m->p->objects[object].kind == OBJ_SHARED ? &m->group->shared_races[unit]
                                                    : race_at(&run->buffers[object], unit);
}

static bool is_raced(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                     const struct spot *s)
{
    for (uint64_t k = s->at; m->group->run->o.raced && k < s->end; k++)
        if (raced_taints(m, races_of(m, object, k), lane, i))
            return true;
    return false;
}

// The common case, for all lanes at once: an invocation's own variable, at a place that is known
// when the module is loaded. False if it is not that, or needs more than copies of codes.
static bool trace_own(const struct machine *m, const struct inst *i)
{
    const struct object *o = i->is_static ? &m->p->objects[i->object] : NULL;
    const bool is_load = i->klass == IN_LOAD;
    if (!o || o->kind != OBJ_LANE || m->doubt[i->a] & m->v.active)
        return false;
    for (uint32_t k = 0; is_load && k < i->comps; k++)
        if (m->v.active & ~m->v.defined[i->dst + k])
            return false;
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint32_t at = o->plane + (uint32_t)i->offset + k, from = is_load ? at : i->b + k;
        trace_move(m, is_load ? i->dst + k : at, from, m->v.active);
        LANES_EACH (l, m->group->run->o.raced ? m->v.active & m->doubt[from] : 0)
            if (orc_origin(origins_of(m, from)[l]).birth == ORC_ORIGIN_RACED)
                raced_carries(m, i->spv);
    }
    return true;
}

static void trace_access(const struct machine *m, const struct inst *i, uint32_t lane)
{
    const bool is_load = i->klass == IN_LOAD;
    if (!is_load && i->layout && lane_in(m->helper, lane)) // R13
        return;
    if (m->group->run->o.forgive && memory_strays(m, i, lane)) {
        if (is_load)
            trace_strays(m, i, lane);
        return;
    }
    const uint32_t by = origins_of(m, i->a)[lane]; // code of the address
    const uint64_t pointer = plane_of(&m->v, i->a)[lane], offset = pointer_offset(pointer);
    const uint32_t object = pointer_object(pointer);
    const struct object *o = &m->p->objects[object];
    const bool recorded = o->kind == OBJ_SHARED ||
                          (o->kind != OBJ_LANE && m->group->run->trace->object[object].count);
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint32_t mine = (is_load ? i->dst : i->b) + k;
        const uint32_t at = o->plane + (uint32_t)offset + k;
        const struct spot s = recorded ? spot_of(m, i, object, offset, k) : (struct spot){0};
        if (is_load)
            put_read(m, i, mine, lane,
                     o->kind == OBJ_LANE ? origins_of(m, at)[lane] : note_read(m, i, lane, &s));
        if (is_load && is_raced(m, i, lane, object, &s)) {
            m->v.defined[mine] &= ~lane_bit(lane);
            put(m, mine, lane, code_of(ORC_ORIGIN_RACED, i->spv));
        }
        const uint32_t code = larger(origins_of(m, mine)[lane], by);
        if (orc_origin(code).birth == ORC_ORIGIN_RACED)
            raced_carries(m, i->spv);
        if (is_load || o->kind == OBJ_LANE)
            put(m, is_load ? mine : at, lane, code);
        else
            note_write(m, i, lane, &s, code);
    }
}

void trace_accesses(const struct machine *m, const struct inst *i)
{
    if (!trace_own(m, i))
        LANES_EACH (l, m->v.active)
            trace_access(m, i, l);
}

void trace_atomic(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                  uint64_t offset, bool writes, bool was_defined, bool clash)
{
    const struct spot s = spot_of(m, i, object, offset, 0);
    const uint32_t order = code_of(ORC_ORIGIN_ORDER, i->spv);
    uint32_t code = 0;
    struct orc_trace *out = m->group->run->trace->out;
    const uint32_t me = race_invocation(m, lane);
    if (!out->updated_by)
        out->updated_by = ARENA_ARRAY(out->arena, uint32_t, m->p->m.inst_count);
    uint32_t *by = &out->updated_by[i->spv];
    *by = !*by || *by == me ? me : UINT32_MAX;
    out->atomics++;
    for (uint64_t k = s.at; k < s.end; k++)
        code = larger(code, s.in->origin[k]);
    const bool unwritten = !was_defined && !code; // else a code says why it is undefined
    if (i->dst != NONE)
        put_read(m, i, i->dst, lane, larger(code, order));
    if (!writes) {
        note_read(m, i, lane, &s);
        return;
    }
    const bool replaced = i->op == SpvOpAtomicStore || i->op == SpvOpAtomicExchange;
    if (replaced)
        code = 0; // the old value does not matter
    code = larger(code, i->b != NONE ? origins_of(m, i->b)[lane] : 0);
    code = larger(code, i->c != NONE ? origins_of(m, i->c)[lane] : 0);
    code = larger(code, clash ? order : 0);
    if (code && unwritten && !replaced) // a lesser code must not hide it
        code = larger(code, code_of(ORC_ORIGIN_UNWRITTEN, i->spv));
    note_write(m, i, lane, &s, code);
}

void trace_word(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                uint64_t at, bool is_load, uint32_t plane)
{
    const struct spot s = spot_at(m, object, at, 4);
    if (is_load)
        put_read(m, i, plane, lane, note_read(m, i, lane, &s));
    else
        note_write(m, i, lane, &s, origins_of(m, plane)[lane]);
}

// ---- races ----------------------------------------------------------------------

static bool is_of(const struct site *s, const struct stamp *by)
{
    return s->inst && memcmp(s->phase, by->phase, sizeof s->phase) == 0;
}

uint32_t trace_writer(const struct machine *m, const struct race *r)
{
    const struct workgroup *g = m->group;
    const struct run *run = g->run;
    const struct site *site = NULL;
    if (r >= g->shared_races && r < g->shared_races + run->p->shared_cells)
        site = &run->trace->shared.wrote[r - g->shared_races];
    for (uint32_t k = 0; k < run->p->object_count && !site; k++) {
        const struct buffer_state *b = &run->buffers[k];
        if (b->races && r >= b->races && r < b->races + (b->size >> run->grain)) {
            prepare(&run->trace->object[k], (uint64_t)(r - b->races));
            site = &run->trace->object[k].wrote[r - b->races];
        }
    }
    return site && is_of(site, &r->writer) ? site->inst - 1 : NONE;
}

// Stores the access that `lane` races with in one unit. False if it is not in this unit.
static bool raced_in(const struct machine *m, const struct inst *i, uint32_t lane,
                     const struct race *r, const struct site *wrote, const struct site *read)
{
    struct orc_trace *out = m->group->run->trace->out;
    const struct stamp *other = race_other(m, r, lane, i);
    if (!other)
        return false;
    const bool reads = other == &r->reader || (other == &r->atomic && !is_of(wrote, other) &&
                                               is_of(read, other)); // OpAtomicLoad is an atomic
    const struct site *site = reads ? read : wrote;
    out->has_other = true;
    out->other_reads = reads;
    out->other_invocation = other->invocation >= SEVERAL ? UINT32_MAX : other->invocation - 1;
    // Of several accesses, the last one may be this invocation's own.
    const bool own =
        other->invocation >= SEVERAL && site->other && site->by == race_invocation(m, lane);
    out->other_inst = !is_of(site, other) ? i->spv // another lane of the same instruction
                      : own               ? site->other - 1
                                          : site->inst - 1;
    return true;
}

// The same for all units of one cell.
static bool raced(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                  uint64_t offset, uint32_t k)
{
    const struct run *run = m->group->run;
    if (i->klass == IN_IMAGE || i->klass == IN_TOGETHER) // its pointer is not an address
        return false;
    const struct spot s = spot_of(m, i, object, offset, k);
    for (uint64_t at = s.at; at < s.end; at++)
        if (raced_in(m, i, lane, races_of(m, object, at), &s.in->wrote[at], &s.in->read[at])) {
            run->trace->out->byte = offset + (i->layout ? i->layout[k].offset : k);
            return true;
        }
    return false;
}

// True if a step of the chain is beyond its array's length in a lane: *out has the index.
static bool is_beyond(const struct machine *m, const struct inst *chain, uint32_t lane,
                      struct orc_trace *out)
{
    for (uint32_t n = 0; n < chain->n; n++) {
        const struct step *s = &chain->steps[n];
        const uint64_t v = plane_of(&m->v, s->plane)[lane];
        const unsigned up = 64u - s->width;
        const int64_t index = s->is_signed ? (int64_t)(v << up) >> up : (int64_t)(v & INT64_MAX);
        if (s->count == NONE || (index >= 0 && (uint64_t)index < s->count))
            continue;
        out->index = index;
        out->length = s->count;
        return true;
    }
    return false;
}

// Finds the index that made a pointer bad: of the access chain whose result it is.
static void stray_index(const struct machine *m, uint32_t pointer, uint32_t lane,
                        struct orc_trace *out)
{
    for (uint32_t b = 0; b < m->p->block_count; b++)
        for (uint32_t k = 0; k < m->p->blocks[b].inst_count; k++) {
            const struct inst *i = &m->p->blocks[b].insts[k];
            if (i->klass == IN_CHAIN && i->dst == pointer && is_beyond(m, i, lane, out))
                return;
        }
}

void trace_access_fault(const struct machine *m, const struct inst *i, uint32_t lane, bool race)
{
    struct orc_trace *out = m->group->run->trace->out;
    const uint64_t pointer = plane_of(&m->v, i->a)[lane], offset = pointer_offset(pointer);
    const uint32_t object = pointer_object(pointer);
    out->fault = orc_origin(origins_of(m, i->a)[lane]);
    out->fixed = object == POINTER_BAD && offset;
    out->length = 0;
    if (!race && out->fixed)
        stray_index(m, i->a, lane, out);
    if (object >= m->p->object_count)
        return;
    out->variable = m->p->objects[object].id;
    out->object = true;
    out->many = m->p->objects[object].many;
    out->byte = offset;
    const uint32_t cells = i->klass == IN_ATOMIC ? 1 : i->comps;
    for (uint32_t k = 0; race && k < cells; k++)
        if (raced(m, i, lane, object, offset, k))
            return;
}
