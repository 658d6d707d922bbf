// SPDX-License-Identifier: Apache-2.0
//
// Runs waves, one instruction after the other, until they end or wait at a barrier. The waves of a
// workgroup take turns; workgroups run one after the other. Before the first, one lane runs the
// preamble, which computes constants.
#include "ir3_machine.h"

#include <string.h>

// ---- instructions ----------------------------------------------------------

static bool alu(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    const char *types = ir3_ops[in->id].src;
    uint32_t wide = 32;
    for (uint32_t i = 0; i < in->srcs; i++)
        wide = in->src[i].half || types[i] == 'h' ? 16 : wide;
    const uint32_t to = in->dst.kind == OPERAND_PREDICATE ? wide : in->dst.half ? 16 : 32;
    for (uint32_t k = 0; k <= in->repeat; k++) {
        uint32_t src[3][LANES_MAX], out[LANES_MAX];
        for (uint32_t i = 0; i < in->srcs; i++)
            if (!ir3_source(m, w, in, &in->src[i], k, types[i], wide, on, src[i]))
                return false;
        const uint32_t *const rows[3] = {src[0], src[in->srcs > 1], src[in->srcs > 2 ? 2 : 0]};
        // No documentation specifies whether the product is rounded before the sum.
        LANES_EACH (l, in->id == IR3_MAD_F16 || in->id == IR3_MAD_F32 ? on : 0) {
            const uint32_t v[3] = {src[0][l], src[1][l], src[2][l]};
            if (!ir3_exact(wide, v))
                return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                                  "%s with an inexact product or sum", ir3_ops[in->id].name);
        }
        ir3_alu(in->id, wide, to, rows, isa_span(on), out);
        ir3_write(w, &in->dst, k, on, out);
    }
    return true;
}

static bool move(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    const char type = in->from == TYPE_F16 || in->from == TYPE_F32 ? 'f' : 'u';
    uint32_t v[LANES_MAX], other[LANES_MAX];
    if (in->id == IR3_ALIAS) {
        if (!ir3_source(m, w, in, &in->src[0], 0, 'u', 32, on, v))
            return false;
        if (w->aliases == ALIASES || in->src[0].kind == OPERAND_OWN)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "this kind of alias");
        w->alias[w->aliases].reg = in->dst.reg;
        w->alias[w->aliases++].value = v[lane_first(on)];
        return true;
    }
    if (in->id == IR3_SWZ) { // reads both sources before writing
        if (!ir3_source(m, w, in, &in->src[0], 0, type, 32, on, v) ||
            !ir3_source(m, w, in, &in->src[1], 0, type, 32, on, other))
            return false;
        LANES_EACH (l, on) {
            v[l] = ir3_convert(in->from, in->to, v[l]);
            other[l] = ir3_convert(in->from, in->to, other[l]);
        }
        ir3_write(w, &in->dst, 0, on, v);
        ir3_write(w, &in->dst1, 0, on, other);
        return true;
    }
    for (uint32_t k = 0; k <= in->repeat; k++) {
        const lane_mask read = in->id == IR3_MOVS ? lanes_below(m->p->size) : on;
        if (!ir3_source(m, w, in, &in->src[0], k, type, 32, read, v))
            return false;
        if (in->id == IR3_MOVS) {
            if (in->src[1].value >= m->p->size)
                return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "movs from lane %u",
                                  in->src[1].value);
            v[lane_first(on)] = v[in->src[1].value];
        }
        LANES_EACH (l, on)
            v[l] = ir3_convert(in->from, in->to, v[l]);
        ir3_write(w, &in->dst, k, on, v);
    }
    return true;
}

static bool execute(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in)
{
    const lane_mask on = ir3_on(w);
    if (!on)
        return true;
    switch (ir3_ops[in->id].unit) {
    case UNIT_ALU:
        return alu(m, w, in, on);
    case UNIT_MOVE:
        return move(m, w, in, on);
    case UNIT_LANE:
        return ir3_lane(m, w, in, on);
    case UNIT_MEMORY:
        return ir3_memory(m, w, in, on);
    case UNIT_NONE:
        return true;
    case UNIT_FLOW:
        break;
    }
    CHECK(!"control flow is the caller's");
    return false;
}

static enum isa_turn run_turn(void *machine, uint32_t wave)
{
    struct ir3_machine *m = machine;
    struct ir3_wave *w = &m->w[wave];
    while (!w->ended) {
        if (w->at >= m->p->count) {
            isa_refuse(m->out, RAN_FAULT, 0, "execution runs past the last instruction");
            return ISA_TURN_FAILED;
        }
        const struct ir3_inst *in = &m->p->inst[w->at];
        if (!isa_step(m->out, &w->steps, m->step_limit, in->line))
            return ISA_TURN_FAILED;
        if (!ir3_join(m, w))
            return ISA_TURN_FAILED;
        w->at++;
        if (in->id == IR3_BAR) {
            return ISA_TURN_BARRIER;
        }
        if (!(ir3_ops[in->id].unit == UNIT_FLOW ? ir3_flow(m, w, in) : execute(m, w, in)))
            return ISA_TURN_FAILED;
    }
    return ISA_TURN_ENDED;
}

// ---- workgroups ------------------------------------------------------------

static void begin_wave(struct ir3_machine *m, struct ir3_wave *w, lane_mask lanes)
{
    const struct ir3_wave own = *w;
    *w = (struct ir3_wave){
        .r = own.r, .s = own.s, .p = own.p, .live = lanes, .active = lanes, .lowest = UINT32_MAX};
    for (uint32_t i = 0; i < m->p->registers; i++)
        isa_random_row(&m->random_fill, w->r[i], m->p->size);
    for (uint32_t i = 0; i < m->p->shared; i++)
        w->s[i] = (uint32_t)rng_next(&m->random_fill);
    for (uint32_t i = 0; i < m->p->predicates; i++)
        w->p[i] = (lane_mask)rng_next(&m->random_fill) << 64 | rng_next(&m->random_fill);
}

static bool preamble(struct ir3_machine *m)
{
    struct ir3_wave *w = &m->w[0];
    memcpy(m->constant, m->p->constant, sizeof m->constant);
    memcpy(m->known, m->p->known, sizeof m->known);
    if (m->p->driver_words) {
        // Mesa's driver parameters: number of workgroups, base workgroup, subgroup size, workgroup
        // size, log2 of the subgroup size.
        const uint32_t words[16] = {m->c->groups[0],
                                    m->c->groups[1],
                                    m->c->groups[2],
                                    0,
                                    0,
                                    0,
                                    0,
                                    m->p->size,
                                    m->local[0],
                                    m->local[1],
                                    m->local[2],
                                    (uint32_t)__builtin_ctz(m->p->size)};
        memcpy(m->constant, words, sizeof words);
        for (uint32_t i = 0; i < 12; i++)
            m->known[i] = true;
    }
    if (!m->p->preamble)
        return true;
    begin_wave(m, w, lane_bit(0));
    w->preamble = true;
    const enum isa_turn t = run_turn(m, 0);
    m->out->steps += w->steps;
    return t == ISA_TURN_ENDED ||
           (t == ISA_TURN_BARRIER &&
            isa_refuse(m->out, RAN_UNSUPPORTED, 0, "a barrier in the preamble"));
}

static void begin_group(struct ir3_machine *m)
{
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->waves; i++) {
        struct ir3_wave *w = &m->w[i];
        const uint32_t first = i * m->p->size, left = m->invocations - first;
        begin_wave(m, w, lanes_below(left < m->p->size ? left : m->p->size));
        if (m->p->local_id != UINT32_MAX)
            LANES_EACH (l, w->live) {
                uint32_t id[3];
                isa_local_id(m->local, first + l, id);
                for (uint32_t k = 0; k < 3; k++)
                    w->r[m->p->local_id + k][l] = id[k];
            }
        for (uint32_t k = 0; k < 3 && m->p->group_id != UINT32_MAX; k++)
            w->s[m->p->group_id + k] = m->group[k];
    }
}

static bool run_group(void *machine)
{
    struct ir3_machine *m = machine;
    begin_group(m);
    if (!isa_turns(m->a, m, m->waves, run_turn))
        return false;
    for (uint32_t i = 0; i < m->waves; i++)
        m->out->steps += m->w[i].steps;
    return true;
}

static bool run_all(struct ir3_machine *m)
{
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out))
        return false;
    const uint32_t size = m->p->size;
    m->waves = (m->invocations + size - 1) / size;
    m->w = ARENA_ARRAY(m->a, struct ir3_wave, m->waves);
    for (uint32_t i = 0; i < m->waves; i++) {
        m->w[i].r = arena_room(m->a, arena_bytes(m->p->registers + 1, sizeof *m->w[i].r));
        m->w[i].s = arena_room(m->a, arena_bytes(m->p->shared, sizeof *m->w[i].s));
        m->w[i].p = ARENA_ARRAY(m->a, lane_mask, m->p->predicates);
    }
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    isa_buffers_add(&m->memory, m->c);
    return preamble(m) && isa_groups(m->c, m->group, m, run_group);
}

void ir3_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    struct ir3_machine *m = ARENA_NEW(a, struct ir3_machine);
    m->a = a;
    m->p = (const struct ir3_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a};
    m->step_limit = o->step_limit;
    m->descriptors = o->descriptors;
    if (run_all(m))
        isa_give(a, c, &m->memory, out);
}
