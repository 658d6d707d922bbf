// SPDX-License-Identifier: Apache-2.0
//
// Atomic instructions (SPIR-V 3.3.18) on buffers and Workgroup memory.
//
// The order of several invocations is unknown, and the first one cannot know whether others follow.
// So the *result* of an atomic is undefined. The final contents of memory are defined if the order
// does not matter (race.c).
#include "execute.h"

#include <string.h>

// Returns in `kind` the class of an atomic; 0: it only reads. False for other instructions.
static bool kind_of(uint32_t op, uint16_t *kind)
{
    switch (op) {
    case SpvOpAtomicLoad:
        *kind = 0;
        return true;
    case SpvOpAtomicStore:
    case SpvOpAtomicExchange:
    case SpvOpAtomicCompareExchange:
        *kind = ATOMIC_ORDERED;
        return true;
    case SpvOpAtomicIIncrement:
    case SpvOpAtomicIDecrement:
    case SpvOpAtomicIAdd:
    case SpvOpAtomicISub:
        *kind = ATOMIC_ADD;
        return true;
    case SpvOpAtomicAnd:
        *kind = ATOMIC_AND;
        return true;
    case SpvOpAtomicOr:
        *kind = ATOMIC_OR;
        return true;
    case SpvOpAtomicXor:
        *kind = ATOMIC_XOR;
        return true;
    case SpvOpAtomicSMin:
        *kind = ATOMIC_SMIN;
        return true;
    case SpvOpAtomicUMin:
        *kind = ATOMIC_UMIN;
        return true;
    case SpvOpAtomicSMax:
        *kind = ATOMIC_SMAX;
        return true;
    case SpvOpAtomicUMax:
        *kind = ATOMIC_UMAX;
        return true;
    case SpvOpAtomicFAddEXT: // sums round, depending on the order; min and max are uncertain for
                             // NaNs and zeros
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
        *kind = ATOMIC_ORDERED;
        return true;
    default:
        return false;
    }
}

bool atomic_knows(uint32_t op)
{
    uint16_t kind;
    return kind_of(op, &kind);
}

// Returns the new contents of memory. x: the old contents; y: Value.
static uint64_t updated(uint32_t op, unsigned w, uint64_t x, uint64_t y, uint64_t comparator)
{
    switch (op) {
    case SpvOpAtomicStore:
    case SpvOpAtomicExchange:
        return y;
    case SpvOpAtomicCompareExchange:
        return x == comparator ? y : x;
    case SpvOpAtomicIIncrement:
        return x + 1;
    case SpvOpAtomicIDecrement:
        return x - 1;
    case SpvOpAtomicIAdd:
        return x + y;
    case SpvOpAtomicISub:
        return x - y;
    case SpvOpAtomicAnd:
        return x & y;
    case SpvOpAtomicOr:
        return x | y;
    case SpvOpAtomicXor:
        return x ^ y;
    case SpvOpAtomicSMin:
        return sign_extend(x, w) < sign_extend(y, w) ? x : y;
    case SpvOpAtomicUMin:
        return x < y ? x : y;
    case SpvOpAtomicSMax:
        return sign_extend(x, w) > sign_extend(y, w) ? x : y;
    case SpvOpAtomicUMax:
        return x > y ? x : y;
    case SpvOpAtomicFAddEXT:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
        return rounded_atomic(op, w, x, y);
    default:
        return x; // OpAtomicLoad
    }
}

// Returns the contents of a word after a lane's operation. Clears *ok if they are undefined.
static uint64_t next(const struct values *v, const struct inst *i, uint32_t lane, uint64_t old,
                     bool *ok)
{
    uint64_t value = i->b != NONE ? plane_of(v, i->b)[lane] : 0;
    uint64_t comparator = i->c != NONE ? plane_of(v, i->c)[lane] : 0;
    if (i->op == SpvOpAtomicStore || i->op == SpvOpAtomicExchange)
        *ok = true; // the old value does not matter
    if (i->b != NONE)
        *ok = *ok && lane_in(v->defined[i->b], lane);
    if (i->c != NONE)
        *ok = *ok && lane_in(v->defined[i->c], lane);
    return updated(i->op, i->width, old, value, comparator) & width_mask(i->width);
}

// In a run with orc_options.order the result is the old contents of the word.
static void in_order(struct machine *m, const struct inst *i, uint32_t lane, uint64_t old, bool ok)
{
    if (!m->group->run->o.order || i->dst == NONE)
        return;
    plane_of(&m->v, i->dst)[lane] = old;
    m->v.defined[i->dst] = (m->v.defined[i->dst] & ~lane_bit(lane)) | (ok ? lane_bit(lane) : 0);
}

// Returns the active lanes in the order of the run (N3).
static uint32_t lanes_in_order(const struct machine *m, uint8_t out[LANES_MAX])
{
    const uint32_t order = m->group->run->o.order;
    uint32_t n = 0;
    LANES_EACH (l, m->v.active)
        out[n++] = (uint8_t)l;
    struct rng r = {order ^ m->steps * UINT64_C(0x9e3779b97f4a7c15)};
    for (uint32_t k = n; order > 1 && k-- > 1;) {
        const uint32_t other = order == 2 ? n - 1 - k : (uint32_t)(rng_next(&r) % (k + 1));
        if (order == 2 && other >= k)
            break;
        const uint8_t was = out[k];
        out[k] = out[other];
        out[other] = was;
    }
    return n;
}

static bool on_buffer(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                      uint64_t offset, uint16_t kind)
{
    const struct run *run = m->group->run;
    struct buffer_state *b = &run->buffers[object];
    uint32_t bytes = i->width / 8u;
    uint64_t at, end;
    if (!buffer_span(b, offset, &at, &end) || at + bytes > end)
        return memory_out_of_bounds(m, i, lane);
    if (at % bytes)
        return machine_fail(m, RAN_UNDEFINED, "E-align", i->spv, lane_bit(lane),
                            "the address is not aligned");
    bool clash = false, ok = true;
    for (uint64_t unit = at >> run->grain; unit <= (at + bytes - 1) >> run->grain; unit++) {
        bool here;
        if (!race_atomic(m, race_at(b, unit), lane, i, kind, &here))
            return memory_race(m, i, lane, "updates");
        clash |= here;
    }
    uint64_t value = 0;
    memcpy(&value, b->data + at, bytes);
    for (uint32_t k = 0; k < bytes; k++)
        ok &= b->defined[at + k] != 0;
    const bool was_defined = ok;
    in_order(m, i, lane, value, ok);
    if (kind & ATOMIC_KINDS) {
        value = next(&m->v, i, lane, value, &ok);
        memcpy(b->data + at, &value, bytes);
        memset(b->defined + at,
               ok && (!clash || run->o.order) && (!i->is_float || run->o.order) ? 0xff : 0, bytes);
    }
    if (run->trace)
        trace_atomic(m, i, lane, object, offset, kind & ATOMIC_KINDS, was_defined, clash);
    return true;
}

static bool on_shared(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                      uint64_t at, uint16_t kind)
{
    struct workgroup *g = m->group;
    bool clash, ok = g->shared_defined[at];
    if (!race_atomic(m, &g->shared_races[at], lane, i, kind, &clash))
        return memory_race(m, i, lane, "updates");
    const bool was_defined = ok;
    in_order(m, i, lane, g->shared[at], ok);
    if (kind & ATOMIC_KINDS) {
        g->shared[at] = next(&m->v, i, lane, g->shared[at], &ok);
        g->shared_defined[at] =
            ok && (!clash || g->run->o.order) && (!i->is_float || g->run->o.order);
    }
    if (g->run->trace)
        trace_atomic(m, i, lane, object, at - m->p->objects[object].plane, kind & ATOMIC_KINDS,
                     was_defined, clash);
    return true;
}

bool atomic_run(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    uint16_t kind = 0;
    kind_of(i->op, &kind);
    if (i->group_op == SpvScopeWorkgroup)
        kind |= ATOMIC_IN_GROUP;
    order_note(m, i, (enum order_class)i->space, v->active, kind != 0);
    if (kind & ATOMIC_KINDS)
        kind |= i->width == 64 ? ATOMIC_LONG : ATOMIC_SHORT;
    uint8_t lanes[LANES_MAX];
    const uint32_t n = lanes_in_order(m, lanes);
    lane_mask counted = 0;
    if (!memory_uniform(m, i))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t l = lanes[k];
        uint32_t object = 0;
        uint64_t offset = 0;
        if (lane_in(m->helper, l)) {
            if (!memory_helper_address(m, i, l))
                return false;
            continue;
        }
        if (memory_forgives(m, i, l))
            continue;
        if (!memory_locate(m, i, l, &object, &offset))
            return false;
        const struct object *o = &m->p->objects[object];
        // R12: the increment of word 0 that draws a subgroup number. Other uses have an undefined
        // result.
        const bool draws = i->op == SpvOpAtomicIAdd && object == m->p->coverage && offset == 0 &&
                           lane_in(v->defined[i->b], l) && plane_of(v, i->b)[l] == 1;
        counted |= draws ? lane_bit(l) : 0;
        bool laid_out = i->n != 0; // from the pointer's storage class
        if ((laid_out && o->kind == OBJ_BUFFER && !on_buffer(m, i, l, object, offset, kind)) ||
            (!laid_out && o->kind == OBJ_SHARED && offset < o->cells &&
             !on_shared(m, i, l, object, o->plane + offset, kind)))
            return false;
        if (o->kind != (laid_out ? OBJ_BUFFER : OBJ_SHARED) || (!laid_out && offset >= o->cells))
            return memory_out_of_bounds(m, i, l);
    }
    if (i->dst != NONE && !m->group->run->o.order)
        define(v, i->dst, 0); // N1, N3: it is unknown what other invocations have done by now
    if (i->dst != NONE)
        LANES_EACH (l, counted) { // R12: the logged subgroup number
            plane_of(v, i->dst)[l] = m->id;
            v->defined[i->dst] |= lane_bit(l);
        }
    return true;
}
