// SPDX-License-Identifier: Apache-2.0
//
// Runs threads: one operation, the loop over instructions, workgroups.
#include "eu_machine.h"

#include <string.h>

// ---- one operation ----

static bool logic(enum eu_id id)
{
    return id == EU_AND || id == EU_OR || id == EU_XOR || id == EU_NOT;
}

// A move between registers of one type copies bits; modifiers of a float change the sign alone.
static bool copies(const struct eu_inst *in, const struct eu_operand *o)
{
    return (in->id == EU_MOV || in->id == EU_SEL || in->id == EU_CSEL) && o->type == in->dst.type &&
           !in->dst.saturate && eu_types[o->type].real;
}

static uint64_t copied(const struct eu_operand *o, uint64_t v)
{
    const uint64_t sign = UINT64_C(1) << (8 * eu_types[o->type].bytes - 1);
    v = o->abs ? v & ~sign : v;
    return o->neg ? v ^ sign : v;
}

// sel with a condition is a minimum or maximum: of a NaN and a number it takes the number.
static bool first_chosen(const struct eu_inst *in, bool real, const struct eu_value v[EU_SOURCES])
{
    if (real && v[1].f != v[1].f)
        return true;
    return eu_holds(in->condition, real, v[0], v[1]);
}

struct lane_result {
    uint64_t bits;
    bool holds;
    eu_wide exact;
};

// bfn: each bit is the one of the table that the bits of the sources number.
static uint32_t by_table(uint32_t table, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out = 0;
    for (uint32_t k = 0; k < 8; k++)
        if (table >> k & 1)
            out |= (k & 1 ? a : ~a) & (k & 2 ? b : ~b) & (k & 4 ? c : ~c);
    return (uint32_t)out;
}

// Computes one lane: `chosen` is its predicate, for sel.
static struct lane_result compute(const struct eu_inst *in, struct eu_thread *t, uint32_t i,
                                  uint64_t bits[EU_SOURCES][EU_LANES], bool chosen)
{
    static const struct eu_value zero;
    const struct eu_operand plain = {.type = in->dst.type};
    const bool real = eu_types[in->src[0].type].real;
    struct eu_value v[EU_SOURCES] = {zero, zero, zero}, x;
    struct lane_result out = {0, false, 0};
    for (uint32_t k = 0; k < eu_ops[in->id].srcs; k++)
        v[k] = eu_value_of(&in->src[k], bits[k][i], logic(in->id));
    uint32_t from = 0;
    switch (in->id) {
    case EU_CMP:
        out.holds = eu_holds(in->condition, real, v[0], v[1]);
        out.bits = out.holds ? UINT64_MAX : 0;
        return out;
    case EU_SEL:
        from = (in->condition ? first_chosen(in, real, v) : chosen) ? 0 : 1;
        break;
    case EU_CSEL:
        from = eu_holds(in->condition, real, v[2], zero) ? 0 : 1;
        break;
    case EU_MACH: // the accumulator holds the product with the low half of b
        out.exact = t->acc[i] + (((v[0].i * (v[1].i >> 16))) << 16);
        v[0].i = out.exact >> 32;
        break;
    case EU_MACL:
        v[0].i = out.exact = t->acc[i] + (((v[0].i * (v[1].i >> 16))) << 16);
        break;
    case EU_BFN:
        v[0].i = by_table(in->table, bits[0][i], bits[1][i], bits[2][i]);
        break;
    default:
        break;
    }
    if (from)
        v[0] = v[1];
    if (copies(in, &in->src[from])) {
        out.bits = copied(&in->src[from], bits[from][i]);
        x.f = v[0].f;
        x.i = 0;
    } else {
        x = eu_alu(in->id, in->src[0].type, in->dst.type, v);
        out.bits = eu_bits_of(&in->dst, x, real);
    }
    if (in->id == EU_ADDC)
        out.exact = x.i >> 32;
    else if (in->id == EU_SUBB)
        out.exact = x.i < 0;
    else if (in->id != EU_MACH && in->id != EU_MACL)
        out.exact = eu_types[in->dst.type].real ? (eu_wide)out.bits
                    : real                      ? eu_value_of(&plain, out.bits, false).i
                                                : x.i;
    if (in->condition && in->id != EU_SEL && in->id != EU_CSEL) {
        out.holds = eu_holds(in->condition, eu_types[in->dst.type].real,
                             eu_value_of(&plain, out.bits, false), zero);
    }
    return out;
}

static bool alu(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in)
{
    uint64_t bits[EU_SOURCES][EU_LANES], v[EU_LANES] = {0};
    uint32_t lanes = eu_span(in) & (in->all ? UINT32_MAX : t->on), chosen, held = 0;
    if (!eu_predicate(m, t, in, &chosen))
        return false;
    for (uint32_t k = 0; k < eu_ops[in->id].srcs; k++)
        if (!eu_source(m, t, in, &in->src[k], bits[k]))
            return false;
    if (in->id != EU_SEL || in->condition)
        lanes &= chosen;
    const bool to_acc = in->dst.file == FILE_ACC;
    for (uint32_t i = 0; i < in->size; i++) {
        const uint32_t lane = in->first + i;
        if (!(lanes >> lane & 1))
            continue;
        const struct lane_result r = compute(in, t, i, bits, chosen >> lane & 1);
        v[i] = r.bits;
        held |= r.holds ? eu_bit(lane) : 0;
        if (to_acc)
            t->acc[eu_accumulator(&in->dst, i * in->dst.h) % ACCUMULATORS] = r.exact;
        if (in->writes_acc)
            t->acc[i] = r.exact;
    }
    if (!eu_write(m, t, in, lanes, v))
        return false;
    return !in->condition || in->id == EU_SEL || in->id == EU_CSEL ||
           eu_set_flags(m, t, in, lanes, held);
}

// ---- threads ----

// Executes until the thread ends or reaches a barrier.
static enum isa_turn turn(void *machine, uint32_t number)
{
    struct eu_machine *m = machine;
    struct eu_thread *t = &m->t[number];
    while (!t->ended) {
        if (t->at >= m->p->count) {
            isa_refuse(m->out, RAN_FAULT, 0, "the thread runs past the end of the code");
            return ISA_TURN_FAILED;
        }
        const struct eu_inst *in = &m->p->inst[t->at];
        bool ok = true;
        if (m->p->joins[t->at] && t->waiting)
            eu_join(t);
        if (!isa_step(m->out, &t->steps, m->step_limit, in->line))
            return ISA_TURN_FAILED;
        switch (eu_ops[in->id].unit) {
        case UNIT_FLOW:
            if (!eu_flow(m, t, in))
                return ISA_TURN_FAILED;
            continue;
        case UNIT_ALU:
            ok = alu(m, t, in);
            break;
        case UNIT_SEND: {
            uint32_t lanes;
            ok = eu_predicate(m, t, in, &lanes) &&
                 eu_send(m, t, in, lanes & (in->all ? UINT32_MAX : t->on));
            break;
        }
        case UNIT_WAIT:
            t->at++;
            if (!t->signalled)
                return isa_refuse(m->out, RAN_FAULT, in->line, "a wait without a signal"),
                       ISA_TURN_FAILED;
            t->signalled = false;
            return ISA_TURN_BARRIER;
        case UNIT_NONE:
            break;
        }
        if (!ok)
            return ISA_TURN_FAILED;
        t->at++;
    }
    return ISA_TURN_ENDED;
}

// Starts a thread with these lanes.
static bool begin(struct eu_machine *m, uint32_t number, uint32_t started, uint32_t dispatched)
{
    struct eu_thread *t = &m->t[number];
    uint8_t *r = t->r;
    *t = (struct eu_thread){
        .r = r, .number = number, .started = started, .dispatched = dispatched, .on = started};
    t->unstarted = (uint32_t)rng_next(&m->random_fill);
    for (size_t k = 0; k < (size_t)EU_REGISTERS * m->p->grf; k += 8) {
        const uint64_t v = rng_next(&m->random_fill);
        memcpy(r + k, &v, 8);
    }
    for (size_t k = 0; k < FLAG_BYTES; k++)
        t->flag[k] = (uint8_t)(rng_next(&m->random_fill) >> 56);
    for (size_t k = 0; k < ADDRESS_BYTES; k++)
        t->address[k] = (uint8_t)(rng_next(&m->random_fill) >> 56);
    for (size_t k = 0; k < EU_SCALARS; k++)
        t->scalar[k] = (uint8_t)(rng_next(&m->random_fill) >> 56);
    for (size_t k = 0; k < ACCUMULATORS; k++)
        t->acc[k] = (eu_wide)(rng_next(&m->random_fill) >> 1);
    return eu_payload(m, t);
}

// Runs the threads that have begun.
static bool threads_run(struct eu_machine *m)
{
    const bool ok = isa_turns(m->a, m, m->threads, turn);
    for (uint32_t i = 0; i < m->threads; i++)
        m->out->steps += m->t[i].steps;
    return ok;
}

static bool group(void *machine)
{
    struct eu_machine *m = machine;
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->threads; i++) {
        const uint32_t left = m->invocations - i * m->p->size;
        const uint32_t lanes = (uint32_t)lanes_below(left < m->p->size ? left : m->p->size);
        if (!begin(m, i, lanes, lanes))
            return false;
    }
    return threads_run(m);
}

// Runs the thread of m->quad.
static bool quads_run(struct eu_machine *m, bool whole)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < m->quads; i++)
        live |= (uint32_t)m->quad[i].live << SPV_QUAD * i;
    const uint32_t all = (uint32_t)lanes_below(SPV_QUAD * m->quads);
    m->quads = 0;
    return begin(m, 0, whole ? all : live, live) && threads_run(m);
}

// A draw: each thread runs quads of one primitive, without gaps between them; Mesa's compiler
// relies on that. The driver has the hardware start whole quads if the code reads their mask, and
// before DG2 always; else it starts the live lanes.
static bool draw(struct eu_machine *m)
{
    const uint32_t blocks = spv_cover_blocks(m->c, SPV_QUAD);
    const bool quads = m->p->reads_quads || m->p->gen < EU_GFX12_5;
    if (quads ? m->p->reads_dispatched : !m->p->reads_dispatched)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0,
                          "a fragment shader that does not say with which lanes it starts");
    for (uint32_t k = 0; k < blocks; k++) {
        struct spv_cover_block b;
        if (!spv_cover_block(m->c, SPV_QUAD, k, &b))
            continue;
        const bool full = SPV_QUAD * m->quads == m->p->size;
        if (m->quads && (full || b.primitive != m->quad[0].primitive) && !quads_run(m, quads))
            return false;
        m->quad[m->quads++] = b;
    }
    return !m->quads || quads_run(m, quads);
}

void eu_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
            const struct isa_options *o, struct isa_result *out)
{
    const struct eu_program *p = (const struct eu_program *)code;
    struct eu_machine *m = ARENA_NEW(a, struct eu_machine);
    *m = (struct eu_machine){.a = a, .p = p, .c = c, .out = out, .step_limit = o->step_limit};
    m->random_fill = (struct rng){o->random_fill};
    m->invocations = p->size;
    if (p->fragment != spv_stage_row(c->stage)->has_pixels) {
        isa_refuse(out, RAN_INVALID, 0, "the code is of another stage than the case");
        return;
    }
    if (!p->fragment && !isa_shape(a, c, m->local, &m->invocations, out))
        return;
    if (!p->kernel.known &&
        (p->fragment ? c->push_count || p->push_bytes
                     : p->gen < EU_GFX12_5 && (c->push_count || p->push_bytes % 32))) {
        isa_refuse(out, RAN_UNSUPPORTED, 0, "push constants");
        return;
    }
    m->threads = (m->invocations + p->size - 1) / p->size;
    m->t = ARENA_ARRAY(a, struct eu_thread, m->threads);
    for (uint32_t i = 0; i < m->threads; i++)
        m->t[i].r = ARENA_ARRAY(a, uint8_t, (size_t)(EU_REGISTERS + EU_GATHERED) * p->grf);
    m->memory.a = a;
    m->memory.random_fill = &m->random_fill;
    isa_buffers_add(&m->memory, c);
    isa_shared_room(a, &m->shared, SHARED_BYTES);
    if (!eu_kernel_memory(m))
        return;
    if (p->fragment ? draw(m) : isa_groups(c, m->group, m, group))
        isa_give(a, c, &m->memory, out);
}
