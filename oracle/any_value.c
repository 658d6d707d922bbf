// SPDX-License-Identifier: Apache-2.0
//
// Drawn values. An undefined value is some value of its type; a run with orc_options.any_value
// draws one with a seed, so that results that do not depend on it are still correct. Such runs
// never produce an expectation. A compiler's output is run several times with different seeds: what
// is correct in all of them does not depend on an undefined value (judge/observe.c).
//
// Some values are restricted further than by their type: the result of an atomic is one that some
// order produces, a rounded float is near the exact result, and a result that a weaker model does
// not promise is that of some subset of lanes. These are drawn only with orc_options.any_bound;
// otherwise they stay undefined, and so do results that depend on them.
#include "execute.h"

static uint64_t draw(const struct run *run, uint64_t salt)
{
    static const uint64_t plain[] = {0, ~UINT64_C(0)}; // the first two seeds: all zeros, all ones
    if (run->o.any_value <= 2)
        return plain[run->o.any_value - 1];
    struct rng r = {run->o.any_value * UINT64_C(0x9e3779b97f4a7c15) ^ salt};
    return rng_next(&r);
}

// Called for each cell of a type with its number and its width in bits.
typedef void cell_fn(void *user, uint32_t cell, unsigned width);

// Calls `f` for each cell; returns the number of the next one. Skips pointers, because an address
// cannot be drawn.
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

// True if the undefined bits of a result may be any value of its type: the instruction itself
// leaves them undefined, and its operands are defined.
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
    if (i->klass == IN_GROUP) // a result depends on the other lanes' values
        lanes = m->v.active;
    for (uint32_t k = 0; k < s->n;
         k++) { // a literal that equals an id can only make this return false
        const uint32_t id =
            s->v[k] < m->p->m.bound ? s->v[k] : 0; // an id without a value has no cells
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
