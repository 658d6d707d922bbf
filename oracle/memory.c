// SPDX-License-Identifier: Apache-2.0
//
// Memory: access chains, loads and stores. race.c detects races.
#include "execute.h"

#include <string.h>

bool memory_race(struct machine *m, const struct inst *i, uint32_t lane, const char *how)
{
    // Without Coherent and the Vulkan memory model the specification orders it with no other
    // access.
    m->group->run->doubt_order |= !m->p->vulkan_memory && !(i->order & ORDER_NON_PRIVATE);
    if (m->group->run->trace)
        trace_access_fault(m, i, lane, true);
    return machine_fail(m, RAN_UNDEFINED, "E-race", i->spv, lane_bit(lane),
                        "it %s memory that another invocation uses, with no order between them",
                        how);
}

bool memory_out_of_bounds(struct machine *m, const struct inst *i, uint32_t lane)
{
    if (m->group->run->trace)
        trace_access_fault(m, i, lane, false);
    return machine_fail(m, RAN_UNDEFINED, "E-bounds", i->spv, lane_bit(lane),
                        "the access is out of bounds");
}

// ---- pointers -----------------------------------------------------------------

// OpAccessChain: an index out of bounds is undefined behaviour, whether memory is accessed or not.
static void chain_strays(struct machine *m, const struct inst *i, lane_mask bad, lane_mask unknown)
{
    if (i->object == NONE || (m->p->physical && i->object == 0))
        return; // not known to be a logical pointer
    machine_stray(m, "E-bounds", i->spv, bad, "an index is out of bounds");
    machine_stray(m, "E-pointer", i->spv, unknown, "an index depends on an undefined value");
}

bool memory_chain(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    uint64_t *d = plane_of(v, i->dst);
    const uint64_t *base = i->is_static ? NULL : plane_of(v, i->a);
    lane_mask ok = i->is_static ? ~(lane_mask)0 : v->defined[i->a];
    lane_mask known = ~(lane_mask)0, stray = 0;
    for (uint32_t k = 0; k < i->n; k++)
        known &= v->defined[i->steps[k].plane];
    ok &= known;
    const bool many = i->object != NONE && m->p->objects[i->object].many;
    if (i->n == 1 && !base && !i->bad && !many) { // the common case: one index into a known object
        const struct step *s = &i->steps[0];
        const uint64_t *index = plane_of(v, s->plane);
        const uint64_t sign = s->is_signed && s->width < 64 ? UINT64_C(1) << (s->width - 1) : 0;
        LANES_EACH (l, v->active & ok) {
            uint64_t offset = i->offset + index[l] * s->stride;
            bool bad = index[l] >= s->count || index[l] & sign || offset >> POINTER_SHIFT != 0;
            d[l] =
                bad ? pointer_make(POINTER_BAD, s->count != NONE) : pointer_make(i->object, offset);
            stray |= bad ? lane_bit(l) : 0;
        }
        chain_strays(m, i, stray, v->active & ~known);
        define(v, i->dst, ok);
        return true;
    }
    LANES_EACH (l, v->active & ok) {
        uint32_t object = base ? pointer_object(base[l]) : i->object;
        uint64_t offset = (base ? pointer_offset(base[l]) : 0) + i->offset;
        bool bad = i->bad, fixed = i->bad;
        uint64_t buffer = offset >> DESCRIPTOR_SHIFT; // of an array
        for (uint32_t k = 0; k < i->n; k++) {
            const struct step *s = &i->steps[k];
            uint64_t index = plane_of(v, s->plane)[l];
            // A negative index is out of bounds, like a large unsigned one.
            if (s->is_signed && s->width < 64 && (index >> (s->width - 1)) & 1)
                bad = true;
            bad |= index >= s->count;
            fixed |= index >= s->count && s->count != NONE;
            offset += bad ? 0 : index * s->stride;
            buffer += i->selects && k == 0 && !bad ? index : 0;
        }
        bad |= offset >> POINTER_SHIFT != 0 || (many && offset >> DESCRIPTOR_SHIFT != buffer);
        d[l] = bad ? pointer_make(POINTER_BAD, fixed) : pointer_make(object, offset);
        stray |= bad ? lane_bit(l) : 0;
    }
    chain_strays(m, i, stray, v->active & ~known);
    define(v, i->dst, ok);
    return true;
}

bool memory_locate(struct machine *m, const struct inst *i, uint32_t lane, uint32_t *object,
                   uint64_t *offset)
{
    if (i->is_static) {
        *object = i->object;
        *offset = i->offset;
        return true;
    }
    if (!lane_in(m->v.defined[i->a], lane) && m->group->run->trace)
        trace_fault(m, i->a, lane_bit(lane));
    if (!lane_in(m->v.defined[i->a], lane))
        return machine_fail(m, RAN_UNDEFINED, "E-pointer", i->spv, lane_bit(lane),
                            "the address depends on an undefined value");
    uint64_t p = plane_of(&m->v, i->a)[lane];
    *object = pointer_object(p);
    *offset = pointer_offset(p);
    // An address that the shader computed from a number must not reach another object.
    const bool astray = m->p->physical && *object && i->object == 0;
    return (*object < m->p->object_count && !astray) || memory_out_of_bounds(m, i, lane);
}

bool memory_helper_address(struct machine *m, const struct inst *i, uint32_t lane)
{
    uint32_t object = 0;
    uint64_t offset = 0, at, end;
    if (!i->is_static && m->p->physical && i->object == 0)
        return true;
    if (!memory_locate(m, i, lane, &object, &offset))
        return false;
    const struct object *o = &m->p->objects[object];
    uint64_t bytes = i->width / 8u;
    if (i->klass == IN_STORE) {
        bytes = 0;
        for (uint32_t k = 0; k < i->n; k++)
            if (bytes < i->layout[k].offset + i->layout[k].bytes)
                bytes = i->layout[k].offset + i->layout[k].bytes;
    }
    if (o->kind != OBJ_BUFFER)
        return object != POINTER_BAD || memory_out_of_bounds(m, i, lane);
    const bool inside = buffer_span(&m->group->run->buffers[object], offset, &at, &end);
    return (inside && at + bytes <= end) || memory_out_of_bounds(m, i, lane);
}

// True if all lanes of the tangle access the same buffer of an array (R10). Otherwise the run
// fails.
static bool same_buffer(struct machine *m, const struct inst *i)
{
    const lane_mask known = m->v.active & m->v.defined[i->a];
    const uint64_t *p = plane_of(&m->v, i->a);
    lane_mask other = 0;
    const uint32_t object = known ? pointer_object(p[lane_first(known)]) : NONE;
    if (object >= m->p->object_count || !m->p->objects[object].many)
        return true;
    LANES_EACH (l, known)
        other |=
            p[l] >> DESCRIPTOR_SHIFT != p[lane_first(known)] >> DESCRIPTOR_SHIFT ? lane_bit(l) : 0;
    return !other || machine_fail(m, RAN_UNDEFINED, "E-uniform", i->spv, other,
                                  "the buffer of an array is not the same in the tangle, and the "
                                  "pointer is not NonUniform or the module lacks the capability");
}
bool memory_uniform(struct machine *m, const struct inst *i)
{
    return !i->uniform || same_buffer(m, i);
}

// ---- buffers ------------------------------------------------------------------

// `silent`: a store of the value that is there, defined or not, for a run that forgives it.
static bool watched(struct machine *m, const struct inst *i, uint32_t lane, struct race *r,
                    bool is_load, bool silent)
{
    if (silent)
        raced_equal(m, r, lane, i);
    return silent || (is_load ? race_read : race_write)(m, r, lane, i) ||
           raced_forgives(m, r, lane, i, is_load) ||
           memory_race(m, i, lane, is_load ? "reads" : "writes");
}

// Little-endian, like the module's words. The sizes are constants so that the compiler can inline
// memcpy.
static inline uint64_t get_bytes(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 4:
        memcpy(&value, from, 4);
        break;
    case 8:
        memcpy(&value, from, 8);
        break;
    case 2:
        memcpy(&value, from, 2);
        break;
    default:
        memcpy(&value, from, 1);
    }
    return value;
}

static inline void put_bytes(uint8_t *to, uint64_t value, uint32_t bytes)
{
    switch (bytes) {
    case 4:
        memcpy(to, &value, 4);
        break;
    case 8:
        memcpy(to, &value, 8);
        break;
    case 2:
        memcpy(to, &value, 2);
        break;
    default:
        memcpy(to, &value, 1);
    }
}

bool buffer_span(const struct buffer_state *b, uint64_t offset, uint64_t *at, uint64_t *end)
{
    const uint64_t k = b->each ? offset >> DESCRIPTOR_SHIFT : 0;
    *at = b->each ? k * b->each + (offset & (DESCRIPTOR_BYTES - 1)) : offset;
    *end = b->each ? (k + 1) * b->each : b->size;
    return !b->each || k < b->descriptors;
}

static bool buffer_access(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                          uint64_t base)
{
    const struct run *run = m->group->run;
    const struct values *v = &m->v;
    const struct buffer_state *b = &run->buffers[object];
    const lane_mask bit = lane_bit(lane);
    uint64_t start, end;
    if (b->races)
        order_note(m, i, ORDER_BUFFER, bit, i->klass == IN_STORE);
    if (!buffer_span(b, base, &start, &end))
        return memory_out_of_bounds(m, i, lane);
    if (i->align && start % i->align)
        return machine_fail(m, RAN_UNDEFINED, "E-align", i->spv, bit,
                            "the address is not a multiple of %u, the value of its Aligned operand",
                            i->align);
    for (uint32_t k = 0; k < i->n; k++) {
        uint64_t at = start + i->layout[k].offset;
        uint32_t bytes = i->layout[k].bytes; // 1, 2, 4, 8
        if (at + bytes > end) {
            if (i->klass == IN_LOAD && m->p->objects[object].kind == OBJ_PUSH) {
                v->defined[i->dst + k] &= ~bit; // the case has no such word: undefined
                continue;
            }
            return memory_out_of_bounds(m, i, lane);
        }
        if (at & (bytes - 1))
            return machine_fail(m, RAN_UNDEFINED, "E-align", i->spv, bit,
                                "the address is not aligned");
        const uint64_t all = UINT64_MAX >> (64 - 8 * bytes);
        const bool silent =
            run->o.forgive && i->klass == IN_STORE &&
            get_bytes(b->defined + at, bytes) == (v->defined[i->b + k] & bit ? all : 0) &&
            get_bytes(b->data + at, bytes) == (plane_of(v, i->b + k)[lane] & all);
        for (uint64_t unit = at >> run->grain; b->races && unit <= (at + bytes - 1) >> run->grain;
             unit++)
            if (!watched(m, i, lane, race_at(b, unit), i->klass == IN_LOAD, silent))
                return false;
        if (i->klass == IN_LOAD) {
            plane_of(v, i->dst + k)[lane] = get_bytes(b->data + at, bytes);
            if (get_bytes(b->defined + at, bytes) == all)
                v->defined[i->dst + k] |= bit;
            else
                v->defined[i->dst + k] &= ~bit;
        } else {
            put_bytes(b->data + at, plane_of(v, i->b + k)[lane], bytes);
            put_bytes(b->defined + at, v->defined[i->b + k] & bit ? UINT64_MAX : 0, bytes);
        }
    }
    return true;
}

bool memory_word(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                 uint64_t at, bool is_load, uint32_t plane)
{
    const struct values *v = &m->v;
    const struct run *run = m->group->run;
    const struct buffer_state *b = &run->buffers[object];
    CHECK(at + 4 <= b->size);
    const lane_mask bit = lane_bit(lane);
    const bool silent =
        run->o.forgive && !is_load &&
        get_bytes(b->defined + at, 4) == (v->defined[plane] & bit ? UINT32_MAX : 0) &&
        get_bytes(b->data + at, 4) == (uint32_t)plane_of(v, plane)[lane];
    for (uint64_t unit = at >> run->grain; b->races && unit <= (at + 3) >> run->grain; unit++)
        if (!watched(m, i, lane, race_at(b, unit), is_load, silent))
            return false;
    if (is_load) {
        plane_of(v, plane)[lane] = get_bytes(b->data + at, 4);
        v->defined[plane] =
            (v->defined[plane] & ~bit) | (get_bytes(b->defined + at, 4) == UINT32_MAX ? bit : 0);
    } else {
        put_bytes(b->data + at, plane_of(v, plane)[lane], 4);
        put_bytes(b->defined + at, v->defined[plane] & bit ? UINT64_MAX : 0, 4);
    }
    if (run->trace)
        trace_word(m, i, lane, object, at, is_load, plane);
    return true;
}

// ---- cells --------------------------------------------------------------------

static bool shared_access(struct machine *m, const struct inst *i, uint32_t lane,
                          const struct object *o, uint64_t cell)
{
    struct workgroup *g = m->group;
    const struct values *v = &m->v;
    bool is_load = i->klass == IN_LOAD;
    order_note(m, i, ORDER_SHARED, lane_bit(lane), !is_load);
    for (uint32_t k = 0; k < i->comps; k++) {
        uint64_t at = o->plane + cell + k;
        const bool silent = g->run->o.forgive && !is_load &&
                            g->shared_defined[at] == lane_in(v->defined[i->b + k], lane) &&
                            g->shared[at] == plane_of(v, i->b + k)[lane];
        if (!watched(m, i, lane, &g->shared_races[at], is_load, silent))
            return false;
        if (is_load) {
            plane_of(v, i->dst + k)[lane] = g->shared[at];
            if (g->shared_defined[at])
                v->defined[i->dst + k] |= lane_bit(lane);
            else
                v->defined[i->dst + k] &= ~lane_bit(lane);
        } else {
            g->shared[at] = plane_of(v, i->b + k)[lane];
            g->shared_defined[at] = lane_in(v->defined[i->b + k], lane);
        }
    }
    return true;
}

static void copy_lane(const struct values *v, uint32_t dst, uint32_t src, uint32_t lane)
{
    plane_of(v, dst)[lane] = plane_of(v, src)[lane];
    v->defined[dst] = (v->defined[dst] & ~lane_bit(lane)) | (v->defined[src] & lane_bit(lane));
}

static void copy_active(const struct values *v, uint32_t dst, uint32_t src)
{
    uint64_t *to = plane_of(v, dst);
    const uint64_t *from = plane_of(v, src);
    if (v->full)
        memmove(to, from, v->lanes * sizeof *to);
    else
        for (uint32_t l = 0; l < v->lanes; l++)
            to[l] = (from[l] & v->on[l]) | (to[l] & ~v->on[l]);
    define(v, dst, v->defined[src]);
}

// ---- loads and stores -----------------------------------------------------------

// Fast path for the common case: each lane accesses one word of one buffer that no other invocation
// has accessed. Stops at the first lane for which this is not true. Returns the lanes that remain.
static inline lane_mask words_access(struct machine *m, const struct inst *i, bool is_load)
{
    const struct values *v = &m->v;
    const struct run *run = m->group->run;
    const lane_mask helpers = is_load ? 0 : v->active & m->helper; // R13: access checks them
    if (run->o.raced)                                              // raced.c sees each access
        return v->active;
    lane_mask left = v->active & ~helpers;
    if (i->is_static || i->n != 1 || !i->layout || i->layout[0].bytes != 4 || run->grain != 2 ||
        i->align > 4 || !left || left & ~v->defined[i->a])
        return v->active;
    const uint64_t *pointer = plane_of(v, i->a);
    const uint32_t object = pointer_object(pointer[lane_first(left)]);
    if (object >= m->p->object_count || m->p->objects[object].kind != OBJ_BUFFER)
        return v->active;
    const struct buffer_state *b = &run->buffers[object];
    if (b->each)
        return v->active;
    const uint64_t start = pointer_make(object, 0) - i->layout[0].offset;
    uint64_t *value = plane_of(v, is_load ? i->dst : i->b);
    lane_mask bad = is_load ? 0 : left & ~v->defined[i->b]; // lanes without a defined value
    const bool all_good = !bad;
    unsigned stop = LANES_MAX;
    struct stamp now = {.group = m->group->index,
                        .subgroup = m->id,
                        .phase = {m->order.phase, m->group->phase},
                        .order = i->order};
    LANES_EACH (l, left) {
        uint64_t at = pointer[l] - start; // huge for another object
        if (at >= b->size || b->size - at < 4 || at & 3) {
            stop = l;
            goto stopped;
        }
        if (b->races) {
            struct race *race = race_at(b, at >> 2);
            uint32_t me = race_invocation(m, l);
            if (!race_alone(race, me)) {
                stop = l;
                goto stopped;
            }
            struct stamp *was = is_load ? &race->reader : &race->writer;
            now.invocation = me;
            now.order = race_order(was, me, i->order);
            *was = now;
        }
        if (is_load) {
            value[l] = get_bytes(b->data + at, 4);
            if (get_bytes(b->defined + at, 4) != UINT32_MAX)
                bad |= lane_bit(l);
        } else {
            put_bytes(b->data + at, value[l], 4);
            put_bytes(b->defined + at, all_good || !lane_in(bad, l) ? UINT64_MAX : 0, 4);
        }
    }
stopped:;
    lane_mask done = left & lanes_below(stop);
    if (b->races)
        order_note(m, i, ORDER_BUFFER, done, !is_load);
    if (is_load)
        v->defined[i->dst] = (v->defined[i->dst] & ~done) | (done & ~bad);
    return (left & ~done) | helpers;
}

bool memory_strays(const struct machine *m, const struct inst *i, uint32_t lane)
{
    if (i->is_static || !lane_in(m->v.defined[i->a], lane))
        return false;
    const uint64_t p = plane_of(&m->v, i->a)[lane];
    const uint32_t object = pointer_object(p);
    uint64_t at, end, offset = pointer_offset(p);
    if (object >= m->p->object_count || (m->p->physical && object && i->object == 0))
        return true;
    const struct object *o = &m->p->objects[object];
    if (o->kind == OBJ_LANE || o->kind == OBJ_SHARED)
        return offset + (i->klass == IN_ATOMIC ? 1 : i->comps) > o->cells;
    if (i->klass == IN_ATOMIC)
        return o->kind == OBJ_BUFFER &&
               (!buffer_span(&m->group->run->buffers[object], offset, &at, &end) ||
                at + i->width / 8u > end || at % (i->width / 8u));
    if (!i->layout || o->kind == OBJ_PUSH)
        return false;
    if (!buffer_span(&m->group->run->buffers[object], offset, &at, &end) ||
        (i->align && at % i->align))
        return true;
    for (uint32_t k = 0; k < i->n; k++) {
        const uint64_t from = at + i->layout[k].offset;
        if (from + i->layout[k].bytes > end || from & (i->layout[k].bytes - 1))
            return true;
    }
    return false;
}

bool memory_forgives(struct machine *m, const struct inst *i, uint32_t lane)
{
    if (!m->group->run->o.forgive || !memory_strays(m, i, lane))
        return false;
    const uint32_t cells = i->klass == IN_LOAD ? i->comps : i->klass == IN_ATOMIC && i->dst != NONE;
    for (uint32_t k = 0; k < cells; k++) {
        plane_of(&m->v, i->dst + k)[lane] = 0;
        m->v.defined[i->dst + k] |= lane_bit(lane);
    }
    if (cells && i->klass == IN_ATOMIC)
        trace_strays(m, i, lane);
    return true;
}

static bool access(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    bool is_load = i->klass == IN_LOAD;
    // An invocation's own variable at a known offset: copies planes.
    if (i->is_static && m->p->objects[i->object].kind == OBJ_LANE) {
        uint32_t at = m->p->objects[i->object].plane + (uint32_t)i->offset;
        for (uint32_t k = 0; k < i->comps; k++)
            copy_active(v, is_load ? i->dst + k : at + k, is_load ? at + k : i->b + k);
        return true;
    }
    if (!memory_uniform(m, i))
        return false;
    lane_mask left = is_load ? words_access(m, i, true) : words_access(m, i, false);
    LANES_EACH (l, left) {
        uint32_t object = 0;
        uint64_t offset = 0;
        if (!is_load && i->layout && lane_in(m->helper, l)) {
            if (!memory_helper_address(m, i, l))
                return false;
            continue;
        }
        if (memory_forgives(m, i, l))
            continue;
        if (!memory_locate(m, i, l, &object, &offset))
            return false;
        const struct object *o = &m->p->objects[object];
        switch (o->kind) {
        case OBJ_LANE:
            if (offset + i->comps > o->cells)
                return memory_out_of_bounds(m, i, l);
            for (uint32_t k = 0; k < i->comps; k++) {
                uint32_t at = o->plane + (uint32_t)offset + k;
                copy_lane(v, is_load ? i->dst + k : at, is_load ? at : i->b + k, l);
            }
            break;
        case OBJ_SHARED:
            if (offset + i->comps > o->cells)
                return memory_out_of_bounds(m, i, l);
            if (!shared_access(m, i, l, o, offset))
                return false;
            break;
        default:
            if (!i->layout)
                return machine_fail(m, RAN_UNSUPPORTED, NULL, i->spv, lane_bit(l),
                                    "a pointer whose storage class has changed");
            if (!buffer_access(m, i, l, object, offset))
                return false;
        }
    }
    return true;
}

bool memory_load(struct machine *m, const struct inst *i)
{
    return access(m, i);
}
bool memory_store(struct machine *m, const struct inst *i)
{
    return access(m, i);
}

bool memory_length(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    const struct buffer_state *b = &m->group->run->buffers[i->object];
    uint64_t size = b->each ? b->each : b->size;
    uint64_t n = size > i->offset ? (size - i->offset) / i->n : 0;
    if (!memory_uniform(m, i))
        return false;
    LANES_EACH (l, v->active)
        plane_of(v, i->dst)[l] = n;
    define(v, i->dst, ~(lane_mask)0);
    return true;
}

void memory_enter(struct machine *m, const struct function *f)
{
    const struct values *v = &m->v;
    for (uint32_t k = 0; k < f->object_count; k++) {
        const struct object *o = &m->p->objects[f->objects[k]];
        if (m->group->run->trace)
            trace_fresh(m, o->plane, o->cells, v->active);
        for (uint32_t c = 0; c < o->cells; c++)
            if (o->init == NONE)
                define(v, o->plane + c, 0);
            else
                copy_active(v, o->plane + c, o->init + c);
        if (m->group->run->o.any_value)
            any_value_variable(m, o, v->active);
    }
}
