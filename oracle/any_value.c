// SPDX-License-Identifier: Apache-2.0
//
// A value that is not defined is some value of its type, which one nobody knows. Here a run takes
// one: drawn by a seed, the same for all bits of one value, so that what does not depend on it
// comes out as it must. Never for an expectation. A module that is to be blamed is run so several
// times: what is right in all of them does not depend on what is not defined (judge/observe.c).
//
// Some values are less free than "any of its type": the result of an atomic operation is one that
// some order gives, a float that was rounded lies near the exact one, what a weaker model does not
// promise is some subset's. A run that took one of those is in doubt (orc_result.doubt_value): what
// it shows to be wrong need not be.
#include "machine.h"

static uint64_t draw(const struct run *run, uint64_t salt)
{
    static const uint64_t plain[] = {0, ~UINT64_C(0)}; // the first two seeds: all zeros, all ones
    if (run->o.any_value <= 2)
        return plain[run->o.any_value - 1];
    struct rng r = {run->o.any_value * UINT64_C(0x9e3779b97f4a7c15) ^ salt};
    return rng_next(&r);
}

static void one_plane(const struct machine *m, uint32_t plane, unsigned width, lane_mask lanes)
{
    const struct values *v = &m->v;
    const struct run *run = m->group->run;
    LANES_EACH (l, lanes & ~v->defined[plane])
        plane_of(v, plane)[l] =
            draw(run, ((uint64_t)plane << 40) ^ ((uint64_t)m->invocation[l] << 20) ^
                          run->stats->lane_steps) &
            (UINT64_MAX >> (64 - width));
    v->defined[plane] |= lanes;
}

// Returns the plane after the last. Pointers stay as they are: there is no address to draw.
static uint32_t any_value_of_type(const struct machine *m, uint32_t type, uint32_t plane,
                                  lane_mask lanes)
{
    const struct type *t = &m->p->types[type];
    switch (t->kind) {
    case TY_BOOL:
    case TY_INT:
    case TY_FLOAT:
    case TY_VECTOR:
    case TY_MATRIX:
        for (uint32_t k = 0; k < t->cells; k++)
            one_plane(m, plane++, t->width, lanes);
        return plane;
    case TY_ARRAY:
        for (uint32_t k = 0; k < t->count; k++)
            plane = any_value_of_type(m, t->elem, plane, lanes);
        return plane;
    case TY_STRUCT:
        for (uint32_t k = 0; k < t->member_count; k++)
            plane = any_value_of_type(m, t->member[k].type, plane, lanes);
        return plane;
    default:
        return plane + t->cells;
    }
}

// What an instruction gives is less free than any value.
static bool is_bound(const struct inst *i)
{
    return i->klass == IN_ATOMIC || i->klass == IN_FLOAT || i->klass == IN_FLOAT_GLSL ||
           i->klass == IN_QUIETEN || i->klass == IN_RELAXED ||
           (i->klass == IN_GROUP && i->is_float);
}

void any_value_result(struct machine *m, const struct inst *i)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    if (!s->result || !s->type || m->p->plane[s->result] == NONE)
        return;
    const struct type *t = &m->p->types[s->type];
    const uint32_t plane = m->p->plane[s->result];
    lane_mask lacks = 0;
    for (uint32_t k = 0; k < t->cells; k++)
        lacks |= m->v.active & ~m->v.defined[plane + k];
    if (!lacks)
        return;
    m->group->run->doubt_value |= is_bound(i) || (i->klass == IN_LOAD && m->group->run->clashed);
    any_value_of_type(m, s->type, plane, lacks);
}

void any_value_variable(const struct machine *m, const struct object *o, lane_mask lanes)
{
    any_value_of_type(m, o->type, o->plane, lanes);
}

void any_value_constants(const struct machine *m)
{
    const struct orc_program *p = m->p;
    for (uint32_t id = 1; id < p->m.bound; id++)
        if (p->plane[id] != NONE && p->plane[id] < p->const_room && p->type_of[id] &&
            load_is_constant(p, p->plane[id]))
            any_value_of_type(m, p->type_of[id], p->plane[id], lanes_below(m->v.lanes));
}
