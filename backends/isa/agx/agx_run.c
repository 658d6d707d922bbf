// SPDX-License-Identifier: Apache-2.0
//
// Runs waves, one instruction after the other, until they end or wait at a barrier. The waves of a
// workgroup take turns; workgroups run one after the other. Before the first, one lane runs the
// preamble, which computes uniforms.
#include "agx_machine.h"

#include <string.h>

// ---- control flow ------------------------------------------------------------------

// The new counter of a lane, of which the instruction's condition holds or not.
static uint32_t counted(const struct agx_inst *in, uint32_t v, bool holds)
{
    const uint32_t n = (uint32_t)in->number;
    switch (in->id) {
    case AGX_IF:
        return v ? v + n : !holds;
    case AGX_ELSE:
        return !v ? n : v == 1 ? !holds : v;
    case AGX_WHILE:
        return v >= n ? v : holds ? 0 : n;
    case AGX_POP_EXEC:
        return v > n ? v - n : 0;
    default: // update_exec
        return v;
    }
}

// r0l counts, for each lane, the levels of nesting until it is active again.
static bool count_lanes(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    lanes32 holds = 0;
    if (in->condition) {
        if (!agx_compare(m, w, in, &holds)) // in inactive lanes, too
            return false;
        agx_discard(m, w, in);
    }
    w->active = 0;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        w->r[0][l] = (uint16_t)counted(in, w->r[0][l], holds >> l & 1);
        w->active |= (lanes32)!w->r[0][l] << l;
    }
    w->active &= w->live;
    return true;
}

static bool flow(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    switch (in->id) {
    case AGX_JMP_ANY:
        w->at = w->active ? in->target : w->at;
        return true;
    case AGX_JMP_NONE:
        w->at = w->active ? w->at : in->target;
        return true;
    default:
        return count_lanes(m, w, in);
    }
}

static bool execute(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    switch (agx_ops[in->id].unit) {
    case UNIT_LANE:
        return agx_lane(m, w, in);
    case UNIT_MEMORY:
        return agx_memory(m, w, in);
    case UNIT_FLOW:
        return flow(m, w, in);
    case UNIT_NONE:
        return true;
    default:
        return agx_alu(m, w, in);
    }
}

static enum isa_turn run_turn(void *machine, uint32_t wave)
{
    struct agx_machine *m = machine;
    struct agx_wave *w = &m->w[wave];
    const uint32_t end = w->preamble ? m->p->count : m->p->preamble;
    for (;;) {
        if (w->at >= end) {
            isa_refuse(m->out, RAN_FAULT, 0, "execution runs past the last instruction");
            return ISA_TURN_FAILED;
        }
        const struct agx_inst *in = &m->p->inst[w->at++];
        if (!isa_step(m->out, &w->steps, m->step_limit, in->line))
            return ISA_TURN_FAILED;
        if (in->id == AGX_STOP)
            return ISA_TURN_ENDED;
        if (in->id == AGX_BARRIER)
            return ISA_TURN_BARRIER;
        if (!execute(m, w, in))
            return ISA_TURN_FAILED;
    }
}

// ---- workgroups ----------------------------------------------------------------------

static void begin_wave(struct agx_machine *m, struct agx_wave *w, uint32_t number, uint32_t lanes)
{
    uint32_t row[AGX_LANES];
    w->number = number;
    w->live = w->active = lanes >= AGX_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    w->at = w->pendings = 0;
    w->preamble = false;
    w->steps = 0;
    for (uint32_t h = 0; h < AGX_HALVES; h++) {
        isa_random_row(&m->random_fill, row, AGX_LANES);
        for (uint32_t l = 0; l < AGX_LANES; l++)
            w->r[h][l] = (uint16_t)row[l];
    }
}

static void put_address(struct agx_machine *m, uint32_t half, uint64_t v)
{
    for (uint32_t k = 0; k < 4; k++) {
        m->uniform[half + k] = (uint16_t)(v >> 16 * k);
        m->known[half + k] = true;
    }
}

static bool preamble(struct agx_machine *m)
{
    struct agx_wave *w = &m->w[0];
    if (m->p->preamble == m->p->count)
        return true;
    begin_wave(m, w, 0, 1);
    w->preamble = true;
    w->at = m->p->preamble;
    const enum isa_turn t = run_turn(m, 0);
    m->out->steps += w->steps;
    return t == ISA_TURN_ENDED ||
           (t == ISA_TURN_BARRIER &&
            isa_refuse(m->out, RAN_UNSUPPORTED, 0, "a barrier in the preamble"));
}

static bool run_group(void *machine)
{
    struct agx_machine *m = machine;
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->waves; i++)
        begin_wave(m, &m->w[i], i, m->invocations - i * AGX_LANES);
    if (!isa_turns(m->a, m, m->waves, run_turn))
        return false;
    for (uint32_t i = 0; i < m->waves; i++)
        m->out->steps += m->w[i].steps;
    return true;
}

static bool run_all(struct agx_machine *m)
{
    uint64_t root, set;
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out))
        return false;
    m->waves = (m->invocations + AGX_LANES - 1) / AGX_LANES;
    m->w = ARENA_ARRAY(m->a, struct agx_wave, m->waves);
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    isa_buffers_add(&m->memory, m->c);
    if (!isa_honeykrisp_place(&m->memory, m->c, &root, &set, m->out))
        return false;
    put_address(m, ISA_HONEYKRISP_ROOT, root);
    put_address(m, ISA_HONEYKRISP_SET, set);
    return preamble(m) && isa_groups(m->c, m->group, m, run_group);
}

void agx_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    struct agx_machine *m = ARENA_NEW(a, struct agx_machine);
    m->a = a;
    m->p = (const struct agx_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a};
    m->step_limit = o->step_limit;
    if (run_all(m))
        isa_give(a, c, &m->memory, out);
}
