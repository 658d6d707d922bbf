// SPDX-License-Identifier: Apache-2.0
//
// One run of a loaded program: attaches its buffers, runs the workgroups one after another and the
// subgroups of each in turn, which meet at control barriers, provides built-ins, and collects the
// final contents of the buffers.
#include "dispatch.h"
#include "execute.h"

#include <string.h>

// ---- a run's memory -------------------------------------------------------------

bool run_fail(const struct run *run, enum ran status, const char *fmt, ...)
{
    *run->why = (struct orc_why){.status = status};
    va_list args;
    va_start(args, fmt);
    why_reason(run->why, 0, fmt, args);
    va_end(args);
    return false;
}

// Divides the memory of an array of buffers: sets their number and the size of each.
static bool attach_many(struct run *run, uint32_t object, const struct spv_buffer *from)
{
    const struct object *o = &run->p->objects[object];
    struct buffer_state *b = &run->buffers[object];
    b->descriptors = from->elements ? from->elements : 1;
    b->each = b->size / b->descriptors;
    if ((from->elements && !o->many) || from->count % b->descriptors ||
        (o->many && b->each > DESCRIPTOR_BYTES))
        return run_fail(
            run, RAN_INVALID,
            "variable %%%u is %s, the case has %u buffers of %u words together at %u:%u", o->id,
            o->many ? "an array of buffers of at most 64 MiB" : "one buffer", b->descriptors,
            from->count, o->set, o->binding);
    if (o->descriptors != NONE && o->descriptors > b->descriptors)
        return run_fail(run, RAN_INVALID,
                        "variable %%%u has %u descriptors, the case has %u at %u:%u", o->id,
                        o->descriptors, b->descriptors, o->set, o->binding);
    if (!o->many)
        b->each = 0;
    return true;
}

static void attach(struct run *run, uint32_t object, const uint32_t *words, uint32_t count)
{
    struct buffer_state *b = &run->buffers[object];
    b->size = (uint64_t)count * 4;
    b->data = arena_copy(run->arena, words, b->size);
    b->defined = arena_room(run->arena, b->size);
    memset(b->defined, 0xff, b->size);
    if (run->p->objects[object].may_be_written) {
        const uint64_t units = b->size >> run->grain;
        b->races = arena_room(run->arena, arena_bytes(units, sizeof *b->races));
        b->raced = ARENA_ARRAY(run->arena, uint64_t, units / 64 + 1);
    }
}

// Returns the first variable that has the same binding as variable k.
static uint32_t first_on_binding(const struct orc_program *p, uint32_t k)
{
    uint32_t j = 0;
    while (p->objects[j].kind != OBJ_BUFFER || p->objects[j].set != p->objects[k].set ||
           p->objects[j].binding != p->objects[k].binding)
        j++;
    return j;
}

// Checks the size of the state of all buffers: for each byte its value and whether it is defined;
// for buffers that are written, also a race record for each word (for each byte if accesses may be
// that small).
static bool buffers_fit(struct run *run)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < run->p->object_count; k++) {
        const struct object *o = &run->p->objects[k];
        const uint32_t first = o->kind == OBJ_BUFFER ? first_on_binding(run->p, k) : NONE;
        for (uint32_t i = 0; first == k && i < run->c->buffer_count; i++)
            if (run->c->buffer[i].set == o->set && run->c->buffer[i].binding == o->binding) {
                const uint64_t size = 4 * (uint64_t)run->c->buffer[i].count;
                bytes +=
                    2 * size + (o->may_be_written ? (size >> run->grain) * sizeof(struct race) : 0);
            }
    }
    return bytes <= ORC_STATE_LIMIT ||
           run_fail(run, RAN_UNSUPPORTED,
                    "the state of the buffers needs %llu MiB, the limit is %u",
                    (unsigned long long)(bytes >> 20), (unsigned)ORC_STATE_LIMIT >> 20);
}

// Attaches the buffers of the case. Variables with one binding share their state.
static bool attach_buffers(struct run *run)
{
    const struct orc_program *p = run->p;
    const struct spv_case *c = run->c;
    run->buffers = ARENA_ARRAY(run->arena, struct buffer_state, p->object_count);
    for (uint32_t k = 0; k < p->object_count;
         k++) // a write through one variable is visible through all
        if (p->objects[k].kind == OBJ_BUFFER && p->objects[k].may_be_written)
            p->objects[first_on_binding(p, k)].may_be_written = true;
    if (!buffers_fit(run))
        return false;
    for (uint32_t k = 0; k < p->object_count; k++) {
        const struct object *o = &p->objects[k];
        if (o->kind == OBJ_PUSH)
            attach(run, k, c->push, c->push_count);
        if (o->kind != OBJ_BUFFER && o->kind != OBJ_BOUND)
            continue;
        uint32_t at = 0;
        if ((o->kind == OBJ_BOUND || o->image) && !bind_descriptors(run, k))
            return false;
        if (o->kind == OBJ_BOUND)
            continue;
        while (at < c->buffer_count &&
               (c->buffer[at].set != o->set || c->buffer[at].binding != o->binding))
            at++;
        if (at == c->buffer_count && !o->id)
            continue; // addresses point to nothing
        if (at == c->buffer_count)
            return run_fail(run, RAN_INVALID,
                            "variable %%%u is bound to %u:%u, for which the case has no buffer",
                            o->id, o->set, o->binding);
        if (!o->image && c->buffer[at].image.count)
            return run_fail(run, RAN_INVALID,
                            "variable %%%u is a buffer, and the case has an image at %u:%u", o->id,
                            o->set, o->binding);
        const uint32_t first = first_on_binding(p, k);
        if (first == k) {
            attach(run, k, c->buffer[at].words, c->buffer[at].count);
            if (!o->image && !attach_many(run, k, &c->buffer[at]))
                return false;
            continue;
        }
        // Only allowed with a trace or if no variable writes it: a compiler may assume that the two
        // do not overlap.
        if (!run->o.trace && p->objects[first].may_be_written)
            return run_fail(run, RAN_UNSUPPORTED,
                            "two variables on binding %u:%u, one of them written", o->set,
                            o->binding);
        run->buffers[k] = run->buffers[first];
        if (o->image ? !bind_descriptors(run, k) : !attach_many(run, k, &c->buffer[at]))
            return false;
    }
    return true;
}

// True if the module logged something else than its actual invocations (spirv_stage.h). The lanes
// that took part in the first ballot may be undefined (R14); everything else must be defined.
static bool logs_other(const struct run *run, struct arena *a, const struct spv_memory *logged,
                       const uint8_t *defined)
{
    const struct orc_coverage *v = run->coverage;
    const uint32_t masks = spv_coverage_mask(v->size), row = spv_coverage_row(v->size);
    uint32_t *want = ARENA_ARRAY(a, uint32_t, logged->count);
    orc_coverage_words(v, want, logged->count);
    for (uint32_t w = 0; w < logged->count; w++) {
        const uint32_t at = w < SPV_COVERAGE_HEAD ? 0 : (w - SPV_COVERAGE_HEAD) % row;
        uint32_t known = UINT32_MAX;
        if (defined)
            memcpy(&known, defined + (size_t)w * 4, sizeof known);
        if (((logged->words[w] ^ want[w]) & known) ||
            (known != UINT32_MAX && (at < 1 || at > masks)))
            return true;
    }
    return false;
}

void run_collect(const struct run *run, struct arena *a, struct orc_result *out)
{
    const struct spv_case *c = run->c;
    out->memory = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
    out->memory_count = c->buffer_count;
    for (uint32_t k = 0; k < c->buffer_count; k++) {
        struct spv_memory *to = &out->memory[k];
        *to = (struct spv_memory){
            .set = c->buffer[k].set, .binding = c->buffer[k].binding, .count = c->buffer[k].count};
        const void *words = c->buffer[k].words;
        const uint8_t *defined = NULL;
        for (uint32_t j = 0; j < run->p->object_count; j++) {
            const struct object *o = &run->p->objects[j];
            if (o->kind != OBJ_BUFFER || o->set != to->set || o->binding != to->binding)
                continue;
            const struct buffer_state *b = &run->buffers[j];
            words = b->data;
            if (b->size && memchr(b->defined, 0, b->size))
                defined = b->defined;
        }
        to->words = arena_copy(a, words, (size_t)to->count * 4);
        if (run->coverage && to->set == c->coverage_set && to->binding == c->coverage_binding) {
            out->logs_other = logs_other(run, a, to, defined);
            orc_coverage_words(run->coverage, to->words,
                               to->count); // the coverage of this prediction
            continue;
        }
        if (defined)
            to->mask = arena_copy(a, defined, (size_t)to->count * 4);
        for (uint32_t w = 0; defined && w < to->count; w++)
            to->words[w] &= to->mask[w];
    }
}

// ---- subgroups ----------------------------------------------------------------

// Returns component c of the LocalInvocationId of invocation i.
static uint32_t local_id(const uint32_t size[3], uint32_t i, uint32_t c)
{
    return c == 0 ? i % size[0] : c == 1 ? i / size[0] % size[1] : i / size[0] / size[1];
}

static uint32_t pixel_at(const struct machine *m, uint32_t lane)
{
    return m->group->run->coverage->pixel[m->invocation[lane]];
}

// Returns the bits of x or y of the pixel's centre.
static uint32_t frag_coord(const struct machine *m, uint32_t lane, uint32_t c)
{
    const uint32_t p = pixel_at(m, lane);
    const float at = 0.5f + (float)(c == 0 ? spv_coverage_x(p) : spv_coverage_y(p));
    uint32_t bits;
    memcpy(&bits, &at, sizeof bits);
    return c < 2 ? bits : 0;
}

// Returns the lanes for which a built-in is defined. Components z and w of FragCoord never are, nor
// is the pixel of a quad without a live lane.
static lane_mask builtin_defined(const struct machine *m, uint32_t builtin, uint32_t c)
{
    lane_mask known = m->live;
    if (builtin == SpvBuiltInFragCoord)
        LANES_EACH (l, m->live)
            if (c > 1 || pixel_at(m, l) == UINT32_MAX)
                known &= ~lane_bit(l);
    return known;
}

static uint32_t builtin_value(const struct machine *m, uint32_t builtin, uint32_t lane, uint32_t c)
{
    const struct workgroup *g = m->group;
    const uint32_t *size = m->p->local_size, *groups = g->run->c->groups;
    uint32_t i = m->invocation[lane];
    lane_mask mask = 0;
    switch (builtin) {
    case SpvBuiltInWorkgroupId:
        return g->id[c];
    case SpvBuiltInNumWorkgroups:
        return groups[c];
    case SpvBuiltInLocalInvocationId:
        return local_id(size, i, c);
    case SpvBuiltInGlobalInvocationId:
        return g->id[c] * size[c] + local_id(size, i, c);
    case SpvBuiltInLocalInvocationIndex:
        return i;
    case SpvBuiltInSubgroupId:
        return m->id;
    case SpvBuiltInNumSubgroups:
        return g->subgroups;
    case SpvBuiltInSubgroupSize:
        return g->run->subgroup;
    case SpvBuiltInSubgroupLocalInvocationId:
        return lane;
    case SpvBuiltInVertexIndex:
        return spv_coverage_x(pixel_at(m, lane));
    case SpvBuiltInInstanceIndex:
        return 0;
    case SpvBuiltInHelperInvocation:
        return lane_in(m->helper, lane);
    case SpvBuiltInFragCoord:
        return frag_coord(m, lane, c);
    case SpvBuiltInSubgroupEqMask:
        mask = lane_bit(lane);
        break;
    case SpvBuiltInSubgroupGeMask:
        mask = ~lanes_below(lane);
        break;
    case SpvBuiltInSubgroupGtMask:
        mask = ~lanes_below(lane + 1);
        break;
    case SpvBuiltInSubgroupLeMask:
        mask = lanes_below(lane + 1);
        break;
    case SpvBuiltInSubgroupLtMask:
        mask = lanes_below(lane);
        break;
    default:
        return 0;
    }
    // "the bits beyond SubgroupSize are zero"
    return (uint32_t)((mask & lanes_below(g->run->subgroup)) >> (32 * c));
}

// Returns the number of scalars of a built-in; 0: not supported.
static uint32_t builtin_cells(const struct spv_stage_row *stage, uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInGlobalInvocationId:
        return 3;
    case SpvBuiltInLocalInvocationIndex:
    case SpvBuiltInSubgroupId:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupLocalInvocationId:
        return 1;
    case SpvBuiltInVertexIndex:
    case SpvBuiltInInstanceIndex:
        return stage->has_vertices ? 1 : 0;
    case SpvBuiltInHelperInvocation:
        return stage->has_helpers ? 1 : 0;
    case SpvBuiltInFragCoord:
        return stage->has_pixels ? 4 : 0;
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        return 4;
    default:
        return 0;
    }
}

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
    if (!attach_buffers(run))
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
