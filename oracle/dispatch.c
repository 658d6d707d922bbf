// SPDX-License-Identifier: Apache-2.0
//
// One run of a loaded program: runs the workgroups one after another and the subgroups of each in
// turn, which meet at control barriers.
#include "dispatch.h"
#include "execute.h"

#include <string.h>

bool run_fail(const struct run *run, enum ran status, const char *fmt, ...)
{
    *run->why = (struct orc_why){.status = status};
    va_list args;
    va_start(args, fmt);
    why_reason(run->why, 0, fmt, args);
    va_end(args);
    return false;
}

// ---- subgroups ----------------------------------------------------------------

// Fills the planes of constants in all lanes, once for all workgroups, because nothing else writes
// them. Clears all other planes.
static void fill_planes(const struct orc_program *p, struct values *v)
{
    uint32_t zero = 0; // planes from here to k are to be cleared
    for (uint32_t k = 0; k < p->plane_count && k < p->const_room; k++) {
        if (!p->is_const[k])
            continue;
        memset(plane_of(v, zero), 0, (size_t)(k - zero) * v->lanes * sizeof *v->planes);
        zero = k + 1;
        for (uint32_t l = 0; l < v->lanes; l++)
            plane_of(v, k)[l] = p->const_value[k];
    }
    memset(plane_of(v, zero), 0, (size_t)(p->plane_count - zero) * v->lanes * sizeof *v->planes);
}

// Initialises the global variables and built-ins of a subgroup that starts.
static void prepare(struct machine *m)
{
    const struct orc_program *p = m->p;
    struct values *v = &m->v;
    memset(v->defined, 0, p->plane_count * sizeof *v->defined);
    for (uint32_t k = 0; k < p->plane_count && k < p->const_room; k++)
        if (p->is_const[k] && p->const_defined[k])
            v->defined[k] = ~(lane_mask)0;
    if (p->rules->start)
        p->rules->start(m);
    for (uint32_t k = 0; k < p->object_count; k++) {
        const struct object *o = &p->objects[k];
        if (o->kind != OBJ_LANE || o->function != NONE)
            continue;
        for (uint32_t c = 0; c < o->cells; c++) {
            const struct spv_case *given = m->group->run->c;
            if (o->uniform && p->uniform_words <= given->push_count) {
                v->defined[o->plane + c] = m->live;
                LANES_EACH (l, m->live)
                    plane_of(v, o->plane + c)[l] =
                        given->push[given->push_count - p->uniform_words + o->uniform - 1 + c];
                continue;
            }
            if (o->init == NONE && o->builtin == NONE)
                continue;
            v->defined[o->plane + c] =
                o->init == NONE ? builtin_defined(m, o->builtin, c) : v->defined[o->init + c];
            LANES_EACH (l, m->live)
                plane_of(v, o->plane + c)[l] = o->init == NONE ? builtin_value(m, o->builtin, l, c)
                                                               : plane_of(v, o->init + c)[l];
        }
    }
    if (m->group->run->o.any_value) {
        any_value_constants(m);
        for (uint32_t k = 0; k < p->object_count; k++)
            if (p->objects[k].kind == OBJ_LANE && p->objects[k].function == NONE)
                any_value_variable(m, &p->objects[k], m->live);
    }
    if (m->group->run->trace)
        trace_prepare(m);
    order_start(m);
    (m->group->run->o.machine == ORC_TAG ? tag_start : machine_start)(m);
}

static bool make_machines(struct run *run, struct workgroup *g)
{
    const struct orc_program *p = run->p;
    uint64_t planes = (uint64_t)p->plane_count * run->subgroup;
    uint64_t bytes =
        (planes * 8 + p->plane_count * sizeof(lane_mask)) * (g->one_by_one ? 1 : g->subgroups);
    uint64_t limit = run->o.memory_limit ? run->o.memory_limit : ORC_MEMORY_LIMIT;
    if (bytes > limit)
        return run_fail(run, RAN_UNSUPPORTED,
                        "the values of a workgroup need %llu MiB, the limit is %llu",
                        (unsigned long long)(bytes >> 20), (unsigned long long)(limit >> 20));
    g->machines = ARENA_ARRAY(run->arena, struct machine, g->subgroups);
    for (uint32_t s = 0; s < g->subgroups; s++) {
        struct machine *m = &g->machines[s];
        if (s && g->one_by_one) {
            *m = g->machines[0];
            m->id = s;
            continue;
        }
        m->p = p;
        m->group = g;
        m->id = s;
        m->v.lanes = run->subgroup;
        m->v.planes = arena_room(run->arena, arena_bytes(planes, sizeof *m->v.planes));
        fill_planes(p, &m->v);
        m->v.defined = ARENA_ARRAY(run->arena, lane_mask, p->plane_count);
        m->on = ARENA_ARRAY(run->arena, uint64_t, run->subgroup);
        m->order.seen = ARENA_ARRAY(run->arena, struct order_seen,
                                    (size_t)ORDER_LEVELS * ORDER_CLASSES * run->subgroup);
        m->v.on = m->on;
        m->room = 16;
        m->stack = ARENA_ARRAY(run->arena, struct frame, m->room);
        m->scratch = ARENA_ARRAY(run->arena, uint64_t, (size_t)p->max_phi * run->subgroup);
        m->scratch_defined = ARENA_ARRAY(run->arena, lane_mask, p->max_phi);
        if (run->trace)
            trace_machine(m);
    }
    g->shared = ARENA_ARRAY(run->arena, uint64_t, p->shared_cells);
    g->shared_defined = ARENA_ARRAY(run->arena, bool, p->shared_cells);
    g->shared_races = ARENA_ARRAY(run->arena, struct race, p->shared_cells);
    return true;
}

// Assigns invocations to the lanes of subgroups, by the mapping that a device reported, or in an
// order that keeps quads together (R8).
static bool place_lanes(struct run *run, struct workgroup *g)
{
    const struct orc_lanes *lanes = run->o.lanes;
    const struct orc_program *p = run->p;
    for (uint32_t s = 0; s < g->subgroups; s++)
        g->machines[s].live = 0;
    for (uint32_t i = 0; run->coverage && i < g->subgroups * run->subgroup;
         i++) // stage_rules.start sets the live lanes
        g->machines[i / run->subgroup].invocation[i % run->subgroup] = i;
    if (run->coverage)
        return true;
    for (uint32_t i = 0; i < g->size; i++) {
        uint32_t at = g->index * g->size + i;
        if (lanes && at >= lanes->invocations)
            return run_fail(run, RAN_INVALID, "the lane mapping is shorter than the dispatch");
        const uint32_t place = spv_quads_place(p->quads, p->local_size, i);
        uint32_t s = lanes ? lanes->subgroup[at] : place / run->subgroup;
        uint32_t l = lanes ? lanes->lane[at] : place % run->subgroup;
        if (s >= g->subgroups || l >= run->subgroup || lane_in(g->machines[s].live, l))
            return run_fail(run, RAN_INVALID,
                            "the lane mapping has no valid lane for invocation %u", i);
        g->machines[s].live |= lane_bit(l);
        g->machines[s].invocation[l] = i;
    }
    return true;
}

// ---- workgroups ---------------------------------------------------------------

// Checks that all subgroups wait at the same barrier, or that all have finished.
static bool meet(struct workgroup *g, bool *done)
{
    struct machine *first = NULL, *ended = NULL;
    for (uint32_t s = 0; s < g->subgroups; s++) {
        struct machine *m = &g->machines[s];
        if (!m->live)
            continue;
        if (m->waiting && !first)
            first = m;
        if (m->done)
            ended = m;
    }
    *done = !first;
    if (!first)
        return true;
    uint32_t block = first->block;
    const struct inst *at = &g->run->p->blocks[block].insts[first->next - 1];
    if (ended)
        return machine_fail(first, RAN_UNDEFINED, "E-barrier", at->spv, first->live,
                            "another subgroup has ended and will never reach the barrier");
    for (uint32_t s = 0; s < g->subgroups; s++) {
        struct machine *m = &g->machines[s];
        if (m->live && m->barrier_tag != first->barrier_tag) // R7
            return machine_fail(m, RAN_UNDEFINED, "E-barrier", at->spv, m->live,
                                "the subgroups stand at different barriers");
    }
    order_workgroup_barrier(g, at);
    return true;
}

// Returns the n-th of `count` in an order (N3): 0, 1: increasing; 2: decreasing; else rotated.
static uint32_t nth(uint32_t order, uint32_t n, uint32_t count)
{
    switch (order) {
    case 0:
    case 1:
        return n;
    case 2:
        return count - 1 - n;
    case 3:
        return (n + count / 2) % count;
    default:
        return count - 1 - (n + count / 3) % count;
    }
}

static bool run_workgroup(struct run *run, struct workgroup *g)
{
    const struct orc_program *p = run->p;
    if (!place_lanes(run, g))
        return false;
    g->phase = 0;
    memset(g->released, 0, sizeof g->released);
    g->uniform.n = 0;
    memset(g->shared_races, 0, p->shared_cells * sizeof *g->shared_races);
    for (uint32_t k = 0; k < p->shared_cells; k++)
        g->shared_defined[k] = false;
    for (uint32_t k = 0; k < p->object_count; k++) {
        const struct object *o = &p->objects[k];
        for (uint32_t c = 0; o->kind == OBJ_SHARED && o->init != NONE && c < o->cells; c++) {
            g->shared[o->plane + c] = p->const_value[o->init + c];
            g->shared_defined[o->plane + c] = p->const_defined[o->init + c];
        }
    }
    if (run->o.any_value)
        any_value_shared(g);
    if (run->trace)
        trace_workgroup(g);
    bool (*advance)(struct machine *) = run->o.machine == ORC_TAG ? tag_run : machine_run;
    for (uint32_t s = 0; s < g->subgroups && !g->one_by_one; s++)
        prepare(&g->machines[s]);
    for (bool done = false; !done;) {
        for (uint32_t n = 0; n < g->subgroups; n++) {
            const uint32_t s = nth(run->o.order, n, g->subgroups);
            if (g->one_by_one)
                prepare(&g->machines[s]);
            if (!g->machines[s].done && !advance(&g->machines[s]))
                return false;
        }
        if (!meet(g, &done))
            return false;
    }
    if (run->stray.status == RAN_OK)
        return true;
    *run->why = run->stray;
    return false;
}

// Returns the coverage in the case's `; expect` lines; NULL if there is none. False with run->why
// filled if it contradicts itself.
static bool expected_coverage(const struct run *run, const struct orc_coverage **out)
{
    const struct spv_case *c = run->c;
    struct orc_coverage *found;
    struct err e;
    for (uint32_t k = 0; k < c->expect_count; k++) {
        const struct spv_memory *m = &c->expect[k];
        if (m->mask || m->set != c->coverage_set || m->binding != c->coverage_binding)
            continue;
        if (!orc_coverage_read(run->arena, c, m->words, m->count, run->subgroup,
                               orc_full_quads(run->p), &found, &e))
            return run_fail(run, RAN_INVALID, "coverage %u:%u: %.300s", m->set, m->binding, e.msg);
        *out = found;
    }
    return true;
}

// Returns how many subgroups fit in the buffer of the coverage; UINT32_MAX if the case has none.
static uint32_t coverage_room(const struct spv_case *c, uint32_t size)
{
    for (uint32_t k = 0; k < c->buffer_count && c->has_coverage; k++)
        if (c->buffer[k].set == c->coverage_set && c->buffer[k].binding == c->coverage_binding)
            return spv_coverage_room(size, c->buffer[k].count);
    return UINT32_MAX;
}

bool run_cover(struct run *run)
{
    const struct orc_program *p = run->p;
    const struct orc_coverage *given = run->o.lanes ? run->o.lanes->coverage : NULL;
    if (p->stage->has_helpers && run->subgroup < SPV_QUAD)
        return run_fail(run, RAN_INVALID, "a subgroup of %u holds no quad (R12)", run->subgroup);
    if (!given && !expected_coverage(run, &given))
        return false;
    run->coverage =
        given ? given
              : orc_coverage_make(run->arena, run->c, run->subgroup,
                                  p->stage->has_helpers && (p->full_quads || p->wants_quads));
    if (run->coverage->silent)
        return run_fail(run, RAN_UNSUPPORTED, "%u lanes run for vertices that are not known",
                        run->coverage->silent);
    if (run->coverage->size != run->subgroup)
        return run_fail(run, RAN_INVALID, "the coverage has subgroups of %u, %u were expected",
                        run->coverage->size, run->subgroup);
    const uint32_t room = coverage_room(run->c, run->subgroup);
    if (run->coverage->subgroups > room)
        return run_fail(run, RAN_INVALID,
                        "the coverage has %u subgroups, its buffer has room for %u (R12)",
                        run->coverage->subgroups, room);
    return true;
}

// Returns the number of invocations of the draw, including helpers.
static uint32_t drawn(const struct run *run)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < run->coverage->subgroups; k++) {
        struct machine m = {
            .p = run->p, .id = k, .group = &(struct workgroup){.run = (struct run *)run}};
        run->p->rules->start(&m);
        n += lane_count(m.live);
    }
    return n;
}

bool run_dispatch(struct run *run)
{
    const struct orc_program *p = run->p;
    uint64_t size = (uint64_t)p->local_size[0] * p->local_size[1] * p->local_size[2];
    const uint32_t *groups = run->c->groups;
    uint64_t count = (uint64_t)groups[0] * groups[1] * groups[2];
    if (size > 4096)
        return run_fail(run, RAN_UNSUPPORTED, "workgroups of %llu invocations",
                        (unsigned long long)size);
    if (count > (1u << 20))
        return run_fail(run, RAN_UNSUPPORTED, "a dispatch of %llu workgroups",
                        (unsigned long long)count);
    // The state of each invocation and of each word of memory is kept until the end.
    if (size * count > ORC_INVOCATIONS_LIMIT)
        return run_fail(run, RAN_UNSUPPORTED, "a dispatch of %llu invocations, the limit is %u",
                        (unsigned long long)(size * count), (unsigned)ORC_INVOCATIONS_LIMIT);
    uint64_t words = 0;
    for (uint32_t k = 0; k < run->c->buffer_count; k++)
        words += run->c->buffer[k].count;
    if (words > ORC_BUFFERS_LIMIT / sizeof(uint32_t))
        return run_fail(run, RAN_UNSUPPORTED, "buffers of %llu MiB together, the limit is %u",
                        (unsigned long long)(words >> 18), (unsigned)ORC_BUFFERS_LIMIT >> 20);
    for (uint32_t k = 0; k < p->object_count; k++) {
        const struct object *o = &p->objects[k];
        if (o->builtin != NONE && o->cells != builtin_cells(p->stage, o->builtin))
            return run_fail(run, RAN_UNSUPPORTED, "built-in %u", o->builtin);
    }
    if (p->quads != SPV_QUADS_OF_LANES && run->subgroup < SPV_QUAD)
        return run_fail(run, RAN_INVALID, "a subgroup of %u holds no quad (R8)", run->subgroup);
    struct err e;
    if (run->o.lanes && !run->coverage && !orc_lanes_fit(run->o.lanes, p->quads, p->local_size, &e))
        return run_fail(run, RAN_INVALID, "%.300s", e.msg);
    run->doubt_order |= p->atomic_order;
    if (!run_attach(run))
        return false;
    if (run->o.trace)
        trace_start(run);
    struct workgroup g = {.run = run,
                          .size = (uint32_t)size,
                          .subgroups = (uint32_t)((size + run->subgroup - 1) / run->subgroup)};
    if (run->coverage) {
        g.subgroups = run->coverage->subgroups;
        g.size = drawn(run);
    } else if (run->o.lanes) // a device may spread invocations over more subgroups than needed
        for (uint32_t k = 0; k < run->o.lanes->invocations; k++)
            if (run->o.lanes->subgroup[k] >= g.subgroups && run->o.lanes->subgroup[k] < size)
                g.subgroups = run->o.lanes->subgroup[k] + 1;
    // Without barriers no subgroup waits: each one ends before the next starts, and all use the
    // same planes. A fault may expose stale values, so it needs planes that start with zeros.
    g.one_by_one = !p->has_barrier && run->o.fault == ORC_FAULT_NONE && run->o.machine == ORC_MASK;
    if (!make_machines(run, &g))
        return false;
    for (uint32_t n = 0; n < count; n++) {
        g.index = nth(run->o.order, n, (uint32_t)count);
        g.id[0] = g.index % groups[0];
        g.id[1] = g.index / groups[0] % groups[1];
        g.id[2] = g.index / groups[0] / groups[1];
        if (!run_workgroup(run, &g))
            return false;
    }
    return !run->derived.n || helper_check_derivatives(&g.machines[0]);
}
