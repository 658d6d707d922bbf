// SPDX-License-Identifier: Apache-2.0
//
// Runs warps, one instruction of one fragment at a time, in the order of the schedule; workgroups
// one after the other; the dispatch once per schedule.
#include "machine.h"

#include <string.h>

static bool copy(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes)
{
    uint32_t room[LANES];
    const uint32_t *v = nak_any(m, w, &in->o[1], room);
    if (v)
        nak_write_any(w, &in->o[0], lanes, v);
    return v != NULL;
}

static bool run_inst(struct nak_machine *m, uint32_t warp)
{
    struct nak_warp *w = &m->w[warp];
    struct isa_fragment *s = &w->wave_fragments->v[w->wave_fragments->current];
    if (s->at >= m->p->count)
        return isa_refuse(m->out, RAN_FAULT, m->q.line, "execution runs past the last instruction");
    const struct nak_inst *in = &m->p->inst[s->at++];
    m->q.line = in->line;
    if (!isa_step(m->out, &m->steps, m->o->step_limit, m->q.line))
        return false;
    const uint32_t lanes =
        (uint32_t)s->lanes &
        (in->guard.kind == OPERAND_NONE ? UINT32_MAX : nak_predicate(w, &in->guard));
    if (!lanes)
        return true;
    switch (nak_ops[in->id].unit) {
    case NAK_VALUE:
    case NAK_CARRY:
    case NAK_WIDE:
    case NAK_TEST:
    case NAK_PREDICATES:
        return nak_compute(m, w, in, lanes);
    case NAK_LANES:
        return nak_lanes(m, w, in, lanes);
    case NAK_MOVE:
        return copy(m, w, in, lanes);
    case NAK_MEMORY:
        return nak_memory(m, w, in, lanes);
    case NAK_CONSTANT:
        return nak_constant(m, w, in, lanes);
    case NAK_SYSTEM:
        return nak_system(m, w, in, lanes);
    case NAK_BARRIER:
        return nak_barrier(m, w, in, lanes);
    case NAK_BRANCH:
        return nak_branch(m, w, in, lanes);
    case NAK_END:
        isa_fragments_end(&m->q, w->wave_fragments, lanes);
        return true;
    case NAK_GROUP:
        isa_fragments_group(w->wave_fragments, lanes);
        return true;
    case NAK_SKIP:
        return true;
    case NAK_STOP:
        return isa_refuse(m->out, RAN_FAULT, m->q.line, "a lane comes to a trap");
    }
    return true;
}

// May another fragment run after this operation? In kernels of CUDA only where the flow of control
// may change: elsewhere the uniform registers of the fragment would be lost. What only writes a
// barrier stops no lane.
static bool may_change(enum nak_id id)
{
    const enum nak_unit u = nak_ops[id].unit;
    return id == NAK_BSYNC || id == NAK_WARPSYNC || u == NAK_BRANCH || u == NAK_END ||
           u == NAK_GROUP || u == NAK_STOP;
}

static bool run_one(void *machine, uint32_t warp)
{
    struct nak_machine *m = machine;
    const struct isa_fragments *s = m->w[warp].wave_fragments;
    for (;;) {
        const uint32_t at = s->v[s->current].at;
        if (!run_inst(m, warp))
            return false;
        if (!m->p->cuda || may_change(m->p->inst[at].id))
            return true;
    }
}

static bool run_group(void *machine)
{
    struct nak_machine *m = machine;
    isa_schedule_begin(&m->q);
    isa_barrier_new(&m->q, 0, false); // reserves number 0, which means clear
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->warps; i++) {
        struct nak_warp *w = &m->w[i];
        const uint32_t left = m->invocations - i * LANES;
        for (uint32_t k = 0; k < m->p->size[NAK_R]; k++)
            isa_random_row(&m->random_fill, w->r[k], LANES);
        for (uint32_t k = 0; k < m->p->size[NAK_UR]; k++)
            w->ur[k] = (uint32_t)rng_next(&m->random_fill);
        for (uint32_t k = 0; k < m->p->size[NAK_P]; k++)
            w->p[k] = (uint32_t)rng_next(&m->random_fill);
        for (uint32_t k = 0; k < m->p->size[NAK_UP]; k++)
            w->up[k] = rng_next(&m->random_fill) & 1 ? UINT32_MAX : 0;
        w->p[PT] = w->up[PT] = UINT32_MAX;
        memset(w->b, 0xff, sizeof *w->b * m->p->size[NAK_B]);
        isa_fragments_begin(w->wave_fragments, left < LANES ? (1u << left) - 1 : UINT32_MAX);
    }
    return isa_fragments_run(&m->q, m, m->wave_fragments, m->warps, run_one, m->out);
}

static bool run_all(struct nak_machine *m)
{
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out) || !nak_place(m))
        return false;
    if (m->p->required[0] && memcmp(m->p->required, m->local, sizeof m->local) != 0)
        return isa_refuse(m->out, RAN_INVALID, 0, "launched with another size than .reqntid");
    m->warps = (m->invocations + LANES - 1) / LANES;
    m->q.choice = m->warps > 1;
    m->w = ARENA_ARRAY(m->a, struct nak_warp, m->warps);
    m->wave_fragments = isa_fragments_new(m->a, m->warps, LANES);
    for (uint32_t i = 0; i < m->warps; i++) {
        const uint32_t *size = m->p->size;
        m->w[i] = (struct nak_warp){.r = arena_room(m->a, sizeof *m->w->r * (size[NAK_R] + 1)),
                                    .ur = ARENA_ARRAY(m->a, uint32_t, size[NAK_UR]),
                                    .p = ARENA_ARRAY(m->a, uint32_t, size[NAK_P]),
                                    .up = ARENA_ARRAY(m->a, uint32_t, size[NAK_UP]),
                                    .b = arena_room(m->a, sizeof *m->w->b * size[NAK_B]),
                                    .wave_fragments = &m->wave_fragments[i]};
    }
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    return isa_groups(m->c, m->group, m, run_group);
}

static bool run_schedule(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                         const struct isa_options *o, uint32_t which, struct isa_result *out)
{
    struct nak_machine *m = ARENA_NEW(a, struct nak_machine);
    m->a = a;
    m->p = (const struct nak_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->o = o;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a, .random_fill = &m->random_fill, .pieces = true};
    m->q = isa_schedule(a, o, which);
    const bool ok = run_all(m);
    out->steps = m->steps;
    if (ok)
        isa_give(a, c, &m->memory, out);
    return m->q.choice;
}

void nak_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    isa_schedules(a, code, c, o, run_schedule, out);
}
