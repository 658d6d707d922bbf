// SPDX-License-Identifier: Apache-2.0
//
// A value that is not defined is some value of its type, which one nobody knows. Here a run takes
// one: drawn by a seed, the same for all bits of one value, so that what does not depend on it
// comes out as it must. Never for an expectation. A module that is to be blamed is run so several
// times: what is right in all of them does not depend on what is not defined (judge/observe.c).
//
// Some values are less free than "any of its type": the result of an atomic operation is one that
// some order gives, a float that was rounded lies near the exact one, what a weaker model does not
// promise is some subset's. Those are drawn only where orc_options.any_bound asks for it; else they
// stay undefined, and so does what depends on them.
#include "machine.h"

static uint64_t draw(const struct run *run, uint64_t salt)
{
    static const uint64_t plain[] = {0, ~UINT64_C(0)}; // the first two seeds: all zeros, all ones
    if (run->o.any_value <= 2)
        return plain[run->o.any_value - 1];
    struct rng r = {run->o.any_value * UINT64_C(0x9e3779b97f4a7c15) ^ salt};
    return rng_next(&r);
}

// What is done to each cell of a type: its number, and its width in bits.
typedef void cell_fn(void *user, uint32_t cell, unsigned width);

// Returns the cell after the last. Pointers are left out: there is no address to draw.
static uint32_t each_cell(const struct orc_program *p, uint32_t type, uint32_t cell, cell_fn *f,
                          void *user)
{
    const struct type *t = &p->types[type];
    switch (t->kind) {
    case TY_BOOL:
    case TY_INT:
    case TY_FLOAT:
    case TY_VECTOR:
    case TY_MATRIX:
        for (uint32_t k = 0; k < t->cells; k++)
            f(user, cell++, t->width);
        return cell;
    case TY_ARRAY:
        for (uint32_t k = 0; k < t->count; k++)
            cell = each_cell(p, t->elem, cell, f, user);
        return cell;
    case TY_STRUCT:
        for (uint32_t k = 0; k < t->member_count; k++)
            cell = each_cell(p, t->member[k].type, cell, f, user);
        return cell;
    default:
        return cell + t->cells;
    }
}

struct planes {
    const struct machine *m;
    lane_mask lanes;
};

static void draw_plane(void *user, uint32_t plane, unsigned width)
{
    const struct planes *to = user;
    const struct machine *m = to->m;
    const struct run *run = m->group->run;
    LANES_EACH (l, to->lanes & ~m->v.defined[plane])
        plane_of(&m->v, plane)[l] =
            draw(run, ((uint64_t)plane << 40) ^ ((uint64_t)m->invocation[l] << 20) ^
                          run->stats->lane_steps) &
            (UINT64_MAX >> (64 - width));
    m->v.defined[plane] |= to->lanes;
}

static void any_value_of_type(const struct machine *m, uint32_t type, uint32_t plane,
                              lane_mask lanes)
{
    struct planes to = {m, lanes};
    each_cell(m->p, type, plane, draw_plane, &to);
}

static void draw_shared(void *user, uint32_t cell, unsigned width)
{
    struct workgroup *g = user;
    if (!g->shared_defined[cell])
        g->shared[cell] = draw(g->run, cell) & (UINT64_MAX >> (64 - width));
    g->shared_defined[cell] = true;
}

// Is what is undefined in this result free: does it come from the instruction itself, whose
// operands are defined, and is it any value of the type?
static bool is_free(const struct machine *m, const struct inst *i, lane_mask lanes)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    if (i->klass != IN_ALU && i->klass != IN_ACROSS && i->klass != IN_NO_WRAP &&
        i->klass != IN_GLSL && i->klass != IN_GROUP)
        return false;
    if (i->op == SpvOpGroupNonUniformFAdd || i->op == SpvOpGroupNonUniformFMul ||
        i->op == SpvOpGroupNonUniformFMin || i->op == SpvOpGroupNonUniformFMax)
        return false; // rounded
    if (i->klass == IN_GROUP && spv_group_find(i->op)->klass == SPV_GROUP_DERIVATIVE)
        return false;
    if (i->klass == IN_GROUP) // the others' values count as well
        lanes = m->v.active;
    for (uint32_t k = 0; k < s->n; k++) { // literals that look like ids make it less free, no more
        const uint32_t id = s->v[k] < m->p->m.bound ? s->v[k] : 0; // what is no value has no cells
        for (uint32_t c = 0; c < m->p->types[m->p->type_of[id]].cells; c++)
            if (lanes & ~m->v.defined[m->p->plane[id] + c])
                return false;
    }
    return true;
}

void any_value_result(struct machine *m, const struct inst *i)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    const struct type *t = &m->p->types[s->type];
    const uint32_t plane = m->p->plane[s->result];
    lane_mask lacks = 0;
    for (uint32_t k = 0; k < t->cells; k++)
        lacks |= m->v.active & ~m->v.defined[plane + k];
    if (lacks && (m->group->run->o.any_bound || is_free(m, i, lacks)))
        any_value_of_type(m, s->type, plane, lacks);
}

void any_value_shared(struct workgroup *g)
{
    const struct orc_program *p = g->run->p;
    for (uint32_t k = 0; k < p->object_count; k++)
        if (p->objects[k].kind == OBJ_SHARED)
            each_cell(p, p->objects[k].type, p->objects[k].plane, draw_shared, g);
}

void any_value_variable(const struct machine *m, const struct object *o, lane_mask lanes)
{
    any_value_of_type(m, o->type, o->plane, lanes);
}

void any_value_constants(const struct machine *m)
{
    const struct orc_program *p = m->p;
    for (uint32_t id = 0; id < p->m.bound; id++)
        if (load_is_constant(p, p->plane[id]))
            any_value_of_type(m, p->type_of[id], p->plane[id], lanes_below(m->v.lanes));
}
