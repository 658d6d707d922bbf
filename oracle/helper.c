// SPDX-License-Identifier: Apache-2.0
//
// Helper invocations of a fragment shader, for both machines: which lanes are helpers, which have
// ended, and group operations in which an implementation may leave out helpers (R13, R14). Compute
// shaders have no helpers.
//
// A helper is a lane like any other, except that its stores and atomics have no effect. Three rules
// make its participation in a group operation uncertain:
//   - A quad in which only helpers are left may end at any time (D4, E2). A run takes one of the
//     two extremes (spv_choices.quads_end): they run to their own end, or they end at once. With
//     any_policy a lane of such a quad may be present or absent.
//   - Without maximal reconvergence a helper may be inactive in group operations, except those of
//     quads.
//   - After OpKill a lane has ended or is a helper (N2), and no specification defines where it
//     would continue.
// The result of a group operation is defined if it is the same with and without each of these
// lanes. The result in such a lane itself is undefined. A helper that branches on an undefined
// result is lost (lost.c).
#include "execute.h"

#include "spirv/spirv_groups.h"

#include <string.h>

// Returns the lanes of all quads that contain a lane of m.
static lane_mask whole_quads(lane_mask m)
{
    lane_mask all = 0;
    LANES_EACH (l, m)
        all |= quad_of(l);
    return all;
}

void helper_start(struct machine *m)
{
    const struct orc_covered *s = &m->group->run->coverage->subgroup[m->id];
    // Helpers that were inactive in the first ballot may or may not take part in the next one.
    m->absent_at_start = m->p->wants_quads ? whole_quads(s->live) & ~s->present : 0;
    m->live = s->present | m->absent_at_start;
    m->helper = m->live & ~s->live;
    m->helper_quads = m->group->run->helper_quads ? m->group->run->helper_quads[m->id] : 0;
}

// Returns the helpers in quads of `lanes` that have no other lanes left.
static lane_mask left_alone(const struct machine *m, lane_mask lanes)
{
    const lane_mask here = m->live & ~m->ended, live = whole_quads(here & ~m->helper);
    return whole_quads(lanes) & here & ~live;
}

// Some lanes have become helpers or have ended in one tangle. Returns the lanes that end with them
// under this run's choice.
static lane_mask quads_end(struct machine *m, lane_mask lanes, bool ended)
{
    struct run *run = m->group->run;
    const lane_mask alone = left_alone(m, lanes);
    if (run->watch_quads) {
        // A helper that ends together with a live lane of its quad was not alone before; in another
        // order the lanes of the other quads might have been.
        const lane_mask with = ended ? whole_quads(lanes & ~m->helper) : 0;
        run->watch_quads[m->id] |= (ended ? lanes & m->helper & ~with : 0) | alone;
    }
    run->stats->helper_choices += alone != 0;
    return run->o.policy->quads_end ? alone : 0; // D4, E2
}

// Returns the lanes of quads that may be incomplete, whose quad results are undefined. For a
// derivative whose group is the primitive: all lanes.
static lane_mask incomplete_quads(const struct machine *m, bool derivative)
{
    return derivative && !m->p->quad_derivatives && m->near ? ~(lane_mask)0 : whole_quads(m->near);
}

lane_mask helper_demote(struct machine *m, lane_mask lanes)
{
    const lane_mask fresh = lanes & ~m->helper;
    m->helper |= lanes;
    for (uint32_t k = 0; k < m->p->object_count; k++) // R15: a variable that is not volatile
        if (m->p->objects[k].builtin == SpvBuiltInHelperInvocation)
            m->v.defined[m->p->objects[k].plane] &= ~fresh;
    const lane_mask gone = fresh ? quads_end(m, lanes, false) : 0;
    m->ended |= gone;
    m->lost &= ~gone;
    return gone;
}

lane_mask helper_end(struct machine *m, lane_mask lanes, bool killed)
{
    m->ended |= lanes;
    if (killed) { // N2
        m->killed |= lanes;
        m->group->run->stats->helper_choices++;
    }
    const lane_mask gone = quads_end(m, lanes, true);
    m->ended |= gone;
    m->lost &= ~gone;
    return gone;
}

// ---- group operations ---------------------------------------------------------------

static bool of_quads(const struct inst *i)
{
    const enum spv_group_class k = spv_group_find(i->op)->klass;
    return k == SPV_GROUP_QUAD || k == SPV_GROUP_DERIVATIVE;
}

// Returns the lanes of the tangle that may be absent.
static lane_mask unsure(const struct machine *m)
{
    const struct run *run = m->group->run;
    const lane_mask active = m->v.active;
    lane_mask u = m->absent_at_start & active;
    if (m->p->weak)
        u |= m->helper & active;
    if (run->o.any_policy) {
        u |= active & whole_quads(m->helper_quads) & ~whole_quads(active & ~m->helper);
        u = m->killed ? active : u;
    }
    return u;
}

enum { CELLS = 16 };

struct outcome {
    uint64_t value[CELLS][LANES_MAX];
    lane_mask ok[CELLS];
};

static void keep(const struct machine *m, const struct inst *i, uint32_t cells, struct outcome *out)
{
    for (uint32_t k = 0; k < cells; k++) {
        memcpy(out->value[k], plane_of(&m->v, i->dst + k), m->v.lanes * sizeof **out->value);
        out->ok[k] = m->v.defined[i->dst + k];
    }
}

// Runs the operation again without some lanes, and makes the results undefined that differ.
static void without(struct machine *m, const struct inst *i, uint32_t cells, lane_mask active,
                    lane_mask fewer, struct outcome *out)
{
    struct orc_why why = *m->group->run->why;
    machine_activate(m, fewer);
    const bool ran = group_run(m, i);
    if (!ran)
        *m->group->run->why = why;
    for (uint32_t k = 0; k < cells; k++) {
        const uint64_t *now = plane_of(&m->v, i->dst + k);
        LANES_EACH (l, fewer)
            if (!ran || !lane_in(m->v.defined[i->dst + k], l) || now[l] != out->value[k][l])
                out->ok[k] &= ~lane_bit(l);
    }
    machine_activate(m, active);
}

bool helper_group(struct machine *m, const struct inst *i)
{
    const lane_mask active = m->v.active, doubt = of_quads(i) && !m->killed ? 0 : unsure(m);
    const enum spv_group_class klass = spv_group_find(i->op)->klass;
    if (!group_run(m, i))
        return false;
    if ((!doubt && !m->near) || klass == SPV_GROUP_BITS)
        return true;
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    const bool unknown =
        doubt && (cells > CELLS || doubt == active || spv_group_is_partitioned(i->group_op));
    if (m->near || unknown) {
        const lane_mask known =
            of_quads(i) && !unknown ? ~incomplete_quads(m, klass == SPV_GROUP_DERIVATIVE) : 0;
        for (uint32_t k = 0; k < cells; k++)
            define(&m->v, i->dst + k, m->v.defined[i->dst + k] & known);
        if (!doubt || unknown)
            return true;
    }
    struct outcome out;
    keep(m, i, cells, &out);
    without(m, i, cells, active, active & ~doubt, &out);
    // Equal results with all and with none of these lanes do not exclude a different one with some
    // of them, so leave out each lane alone too.
    LANES_EACH (l, doubt)
        without(m, i, cells, active, active & ~lane_bit(l), &out);
    for (uint32_t k = 0; k < cells; k++) {
        memcpy(plane_of(&m->v, i->dst + k), out.value[k], m->v.lanes * sizeof **out.value);
        m->v.defined[i->dst + k] = out.ok[k] & ~doubt;
    }
    return true;
}

// ---- derivatives --------------------------------------------------------------------

void helper_derivative(struct machine *m, const struct inst *i)
{
    struct run *run = m->group->run;
    if (m->p->quad_derivatives || run->o.fault != ORC_FAULT_NONE)
        return;
    *VEC_PUSH(run->arena, &run->derived) =
        (struct derived){path_with(m->path, i->spv, 3), i->spv, lane_count(m->v.active),
                         lane_count(m->near), m->near == 0};
}

bool helper_check_derivatives(struct machine *m)
{
    struct run *run = m->group->run;
    for (size_t k = 0; k < run->derived.n; k++) {
        struct derived *d = &run->derived.v[k];
        for (size_t j = 0; j < k && d->invocations; j++)
            if (run->derived.v[j].at == d->at) {
                run->derived.v[j].invocations += d->invocations;
                run->derived.v[j].lost += d->lost;
                run->derived.v[j].sure |= d->sure;
                d->invocations = 0;
            }
    }
    for (size_t k = 0; k < run->derived.n; k++) {
        const struct derived *d = &run->derived.v[k];
        if (d->invocations && (d->invocations + d->lost < m->group->size || (d->lost && d->sure)))
            return machine_fail(
                m, RAN_UNDEFINED, "E-derivative", d->spv, m->live,
                "without QuadDerivativesKHR all invocations of the primitive must be active");
    }
    return true;
}
