// SPDX-License-Identifier: Apache-2.0
//
// Warps: one instruction of one split after the other, as the schedule has it; workgroups one after
// the other; the whole dispatch once for each schedule.
#include "machine.h"

#include <string.h>

enum { STEPS = 4000000 };

static bool run_one(struct nak_machine *m, struct nak_warp *w)
{
    struct nak_split *s = &w->split[w->current];
    if (s->at >= m->p->count)
        return isa_refuse(m->out, ISA_FAULT, m->line, "the end of the text is reached");
    const struct nak_inst *in = &m->p->inst[s->at++];
    m->line = in->line;
    if (++m->steps > m->step_limit)
        return isa_refuse(m->out, ISA_OVER_LIMIT, m->line, "more than %llu instructions",
                          (unsigned long long)m->step_limit);
    const uint32_t lanes =
        s->lanes & (in->guard.kind == OPERAND_NONE ? UINT32_MAX : nak_predicate(w, &in->guard));
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
    case NAK_MEMORY:
        return nak_memory(m, w, in, lanes);
    case NAK_CONSTANT:
        return nak_constant(m, w, in, lanes);
    case NAK_SYSTEM:
        return nak_system(m, w, in, lanes);
    case NAK_BARRIER:
        return nak_barrier(m, w, in, lanes);
    case NAK_BRANCH:
        nak_branch(m, w, in, lanes);
        return true;
    case NAK_END:
        nak_exit(m, w, lanes);
        return true;
    case NAK_GROUP:
        nak_group_wait(w, lanes);
        return true;
    case NAK_SKIP:
        return true;
    }
    return true;
}

// May the split go on without being asked? Only where no other could run.
static bool alone(const struct nak_warp *w)
{
    return w->splits == 1 && w->split[0].lanes && !w->split[0].at_group;
}

// A warp's turn. *moved: it ran.
static bool run_turn(struct nak_machine *m, struct nak_warp *w, bool *moved)
{
    const uint32_t turn = m->schedule == NAK_DEPTH_FIRST     ? UINT32_MAX
                          : m->schedule == NAK_BREADTH_FIRST ? 1
                                                             : 1 + rng_below(&m->chance, 64);
    for (uint32_t i = 0; i < turn; i++) {
        w->current = alone(w) ? 0 : w->current;
        if (!alone(w) && !nak_pick(m, w))
            return true;
        *moved = true;
        if (!run_one(m, w))
            return false;
    }
    return true;
}

// All that have not ended wait at the workgroup's barrier: they go on, as they came.
static bool group_pass(struct nak_machine *m)
{
    uint32_t waits = 0, left = 0;
    for (uint32_t i = 0; i < m->warps; i++) {
        struct nak_warp *w = &m->w[i];
        left += count_ones(w->launched & ~w->exited);
        for (uint32_t k = 0; k < w->splits; k++)
            waits += w->split[k].at_group ? count_ones(w->split[k].lanes) : 0;
    }
    if (waits != left)
        return isa_refuse(m->out, ISA_STUCK, m->line, "lanes wait for others that never come");
    for (uint32_t i = 0; i < m->warps; i++)
        for (uint32_t k = 0; k < m->w[i].splits; k++)
            m->w[i].split[k].at_group = false;
    return true;
}

static bool run_group(struct nak_machine *m)
{
    for (;;) {
        bool moved = false, left = false;
        for (uint32_t i = 0; i < m->warps; i++) {
            if (!run_turn(m, &m->w[i], &moved))
                return false;
            left |= m->w[i].exited != m->w[i].launched;
        }
        if (!left)
            return true;
        if (!moved && !group_pass(m))
            return false;
    }
}

static void begin_group(struct nak_machine *m)
{
    m->barrier.n = 0;
    isa_shared_begin(&m->shared, &m->junk);
    for (uint32_t i = 0; i < m->warps; i++) {
        struct nak_warp *w = &m->w[i];
        uint32_t(*r)[LANES] = w->r;
        uint8_t *local = w->local;
        const uint32_t left = m->invocations - i * LANES;
        *w = (struct nak_warp){.r = r, .local = local};
        for (uint32_t k = 0; k < m->p->registers; k++)
            isa_junk_row(&m->junk, w->r[k], LANES);
        for (uint32_t k = 0; k < UNIFORMS; k++)
            w->ur[k] = (uint32_t)rng_next(&m->junk);
        for (uint32_t k = 0; k < PT; k++) {
            w->p[k] = (uint32_t)rng_next(&m->junk);
            w->up[k] = rng_next(&m->junk) & 1 ? UINT32_MAX : 0;
        }
        w->p[PT] = w->up[PT] = UINT32_MAX;
        memset(w->b, 0xff, sizeof w->b);
        w->launched = left >= LANES ? UINT32_MAX : (1u << left) - 1;
        w->split[0].lanes = w->launched;
        w->splits = 1;
    }
}

static bool run_all(struct nak_machine *m)
{
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out) || !nak_place(m))
        return false;
    m->warps = (m->invocations + LANES - 1) / LANES;
    m->choice = m->warps > 1;
    m->w = ARENA_ARRAY(m->a, struct nak_warp, m->warps);
    for (uint32_t i = 0; i < m->warps; i++)
        m->w[i].r = arena_room(m->a, sizeof(uint32_t) * LANES * (m->p->registers + 1));
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    const uint32_t *g = m->c->groups;
    for (uint64_t i = 0; i < (uint64_t)g[0] * g[1] * g[2]; i++) {
        isa_group(m->c, i, m->group);
        begin_group(m);
        if (!run_group(m))
            return false;
    }
    return true;
}

static bool run_schedule(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                         const struct isa_options *o, uint32_t which, struct isa_result *out)
{
    const struct nak_program *p = (const struct nak_program *)code; // its first member
    struct nak_machine *m = ARENA_NEW(a, struct nak_machine);
    const uint32_t *words[SPV_CASE_BUFFERS];
    m->a = a;
    m->p = p;
    m->c = c;
    m->out = out;
    m->o = o;
    m->junk = (struct rng){o->junk};
    m->chance = (struct rng){o->junk + which};
    m->schedule = which < NAK_RANDOM ? (enum nak_schedule)which : NAK_RANDOM;
    m->step_limit = o->step_limit ? o->step_limit : STEPS;
    const bool ok = run_all(m);
    out->steps = m->steps;
    if (!ok)
        return m->choice;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        words[i] = (const uint32_t *)m->region[i].bytes;
    isa_give(a, c, words, out);
    return m->choice;
}

void nak_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    isa_schedules(a, code, c, o, NAK_SCHEDULES, run_schedule, out);
}
