// SPDX-License-Identifier: Apache-2.0
//
// Executes a program: instructions, thread switches, workgroups. A workgroup's threads run in turns
// that end at a barrier.
#include "isa/isa_float.h"
#include "isa/isa_places.h"
#include "qpu_machine.h"

#include <string.h>

// ---- one instruction ------------------------------------------------------------------

static bool next_uniform(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                         uint32_t *out)
{
    if (t->uniform >= m->p->uniforms)
        return qpu_refuse(m, RAN_FAULT, in, "a uniform after the end of the stream");
    *out = m->uniform[t->uniform++];
    return true;
}

static void put_lanes(uint32_t *row, const uint32_t *v, lanes16 on, enum qpu_pack pack)
{
    for (uint32_t l = 0; l < QPU_LANES; l++) {
        if (!(on >> l & 1))
            continue;
        const uint32_t half = pack ? (uint32_t)isa_of_half(isa_single(v[l])) : 0;
        row[l] = pack == PACK_LOW    ? (row[l] & 0xffff0000) | half
                 : pack == PACK_HIGH ? (row[l] & 0xffff) | half << 16
                                     : v[l];
    }
}

// Writes a result to its destination; accesses start here.
static bool put(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                const struct qpu_target *to, enum qpu_pack pack, const uint32_t *v, lanes16 on)
{
    uint32_t config = UINT32_MAX;
    switch (to->place) {
    case PLACE_NONE:
        break;
    case PLACE_REGISTER:
        put_lanes(t->r[to->reg], v, on, pack);
        break;
    case PLACE_UNIFA: // uniform: of any lane that was started
        t->unifa =
            v[(uint32_t)rng_next(&m->random_fill) % (uint32_t)__builtin_popcount(t->started)];
        t->unifa_age = 0;
        break;
    case PLACE_TMUD:
        if (t->data_rows == DATA_ROWS)
            return qpu_refuse(m, RAN_UNSUPPORTED, in, "too many rows of data");
        memcpy(t->data[t->data_rows++], v, sizeof t->data[0]);
        break;
    case PLACE_TMUAU:
        if (!next_uniform(m, t, in, &config))
            return false;
        return qpu_access(m, t, in, v, on & t->started, config);
    case PLACE_TMUA:
        return qpu_access(m, t, in, v, on & t->started, config);
    case PLACE_SYNCB:
        t->sync = true;
        break;
    }
    return true;
}

static void set_flags(struct qpu_thread *t, const struct qpu_alu *x, lanes16 flag)
{
    static const lanes16 all = (1 << QPU_LANES) - 1;
    switch (x->flag) {
    case FLAG_NONE:
        break;
    case FLAG_PUSH:
        t->b = t->a;
        t->a = flag;
        break;
    case FLAG_AND:
        t->a &= flag;
        break;
    case FLAG_AND_NOT:
        t->a &= ~flag & all;
        break;
    case FLAG_NOR:
        t->a = ~(t->a | flag) & all;
        break;
    case FLAG_NOR_NOT:
        t->a = ~(t->a | ~flag) & all;
        break;
    }
}

static bool arrive(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                   const struct qpu_load *load, uint32_t *row, lanes16 *of)
{
    uint32_t v = 0;
    *of = UINT32_MAX;
    switch (load->from) {
    case ARRIVAL_UNIFORM:
        if (!next_uniform(m, t, in, &v))
            return false;
        for (uint32_t l = 0; l < QPU_LANES; l++)
            row[l] = v;
        return true;
    case ARRIVAL_UNIFA:
        return qpu_unifa(m, t, in, row);
    case ARRIVAL_TMU:
        return qpu_result(m, t, in, row, of);
    }
    return false;
}

// All operands are read before anything is written; conditions take the flags from before.
static bool alus(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in)
{
    qpu_row v[2] = {{0}}, row[2];
    lanes16 on[2], flag[2], of[2];
    for (uint32_t i = 0; i < 2; i++) {
        on[i] = qpu_lanes(t, in->alu[i].cond);
        qpu_compute(m, t, &in->alu[i], v[i], &flag[i]);
    }
    for (uint32_t i = 0; i < in->loads; i++)
        if (!arrive(m, t, in, &in->load[i], row[i], &of[i]))
            return false;
    for (uint32_t i = 0; i < 2; i++)
        if (!put(m, t, in, &in->alu[i].to, in->alu[i].pack, v[i], on[i]))
            return false;
    for (uint32_t i = 0; i < in->loads; i++)
        if (!put(m, t, in, &in->load[i].to, PACK_NONE, row[i], of[i]))
            return false;
    for (uint32_t i = 0; i < 2; i++)
        set_flags(t, &in->alu[i], flag[i]);
    return true;
}

static bool taken(const struct qpu_thread *t, const struct qpu_inst *in)
{
    static const lanes16 all = (1 << QPU_LANES) - 1;
    const lanes16 of = in->started ? t->started : all;
    const lanes16 with = (in->branch_not ? ~t->a : t->a) & of;
    switch (in->branch) {
    case BRANCH_ALWAYS:
        return true;
    case BRANCH_A0:
        return t->a & 1;
    case BRANCH_NA0:
        return !(t->a & 1);
    case BRANCH_ALL:
        return with == of;
    case BRANCH_ANY:
        return with;
    }
    return false;
}

// VIR: nothing has delay slots.
static bool step_vir(struct qpu_machine *m, struct qpu_thread *t, bool *switches)
{
    if (t->at >= m->p->count) {
        *switches = t->ends = true;
        return true;
    }
    const struct qpu_inst *in = &m->p->inst[t->at++];
    t->unifa_age = DELAY_UNIFA;
    t->uniform = in->uniform;
    *switches = in->thread_switch;
    if (!isa_step(m->out, &t->steps, m->step_limit, in->line))
        return false;
    if (!in->jumps)
        return alus(m, t, in);
    if (taken(t, in))
        t->at = in->target;
    return true;
}

// The uniform of a branch says, in bytes, how the stream moves with it.
static bool branch(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in)
{
    uint32_t move = 0;
    if (t->jump_in || t->switch_in)
        return qpu_refuse(m, RAN_UNSUPPORTED, in, "a branch in a delay slot");
    if (!next_uniform(m, t, in, &move))
        return false;
    if (move % 4)
        return qpu_refuse(m, RAN_UNSUPPORTED, in, "a uniform stream at odd bytes");
    if (taken(t, in)) {
        t->jump_in = DELAY_BRANCH + 1;
        t->jump_to = in->target;
        t->jump_uniform = (uint32_t)((int64_t)t->uniform + (int32_t)move / 4);
    }
    return true;
}

// ---- threads ---------------------------------------------------------------------------

// The first of two switches in a row is the last one before that which ends the thread.
static bool begin_switch(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in)
{
    if (t->switched) {
        t->last = true;
        return true;
    }
    if (t->switch_in || t->jump_in)
        return qpu_refuse(m, RAN_UNSUPPORTED, in, "a thread switch in a delay slot");
    t->switch_in = DELAY_SWITCH + 1;
    t->ends = t->last;
    return true;
}

// Executes an instruction and what follows its delay slots.
static bool step(struct qpu_machine *m, struct qpu_thread *t, bool *switches)
{
    if (t->at >= m->p->count)
        return isa_refuse(m->out, RAN_FAULT, 0, "the code's end without a thread switch");
    const struct qpu_inst *in = &m->p->inst[t->at++];
    t->unifa_age++;
    if (!isa_step(m->out, &t->steps, m->step_limit, in->line) ||
        !(in->jumps ? branch(m, t, in) : alus(m, t, in)) ||
        (in->thread_switch && !begin_switch(m, t, in)))
        return false;
    t->switched = in->thread_switch;
    if (t->jump_in && !--t->jump_in) {
        t->at = t->jump_to;
        t->uniform = t->jump_uniform;
    }
    *switches = t->switch_in && !--t->switch_in;
    return true;
}

static enum isa_turn run_turn(void *machine, uint32_t i)
{
    struct qpu_machine *m = machine;
    struct qpu_thread *t = &m->t[i];
    for (;;) {
        bool switches = false;
        if (!(m->p->vir ? step_vir : step)(m, t, &switches))
            return ISA_TURN_FAILED;
        if (switches && t->ends)
            return ISA_TURN_ENDED;
        if (switches && t->sync) {
            t->sync = false;
            return ISA_TURN_BARRIER;
        }
    }
}

// ---- workgroups ------------------------------------------------------------------------

static uint32_t bits_of_index(uint32_t invocations)
{
    uint32_t bits = 6;
    while (UINT32_C(1) << bits < invocations)
        bits++;
    return bits;
}

// Registers 2 and 3 hold the workgroup's id and the invocation's index.
static void begin_thread(struct qpu_machine *m, uint32_t i)
{
    struct qpu_thread *t = &m->t[i];
    const uint32_t first = i * QPU_LANES, left = m->invocations - first;
    *t = (struct qpu_thread){.number = i, .r = t->r};
    t->started = (UINT32_C(1) << (left < QPU_LANES ? left : QPU_LANES)) - 1;
    for (uint32_t k = 0; k < m->p->registers; k++)
        isa_random_row(&m->random_fill, t->r[k], QPU_LANES);
    t->a = (lanes16)rng_next(&m->random_fill) & 0xffff;
    t->b = (lanes16)rng_next(&m->random_fill) & 0xffff;
    for (uint32_t l = 0; l < QPU_LANES; l++) {
        t->r[2][l] = (first + l) << (32 - bits_of_index(m->invocations)) | m->group[2];
        t->r[3][l] = m->group[1] << 16 | m->group[0];
    }
}

static bool run_group(void *machine)
{
    struct qpu_machine *m = machine;
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->threads; i++)
        begin_thread(m, i);
    if (!isa_turns(m->a, m, m->threads, run_turn))
        return false;
    for (uint32_t i = 0; i < m->threads; i++)
        m->out->steps += m->t[i].steps;
    return true;
}

static bool uniform_value(struct qpu_machine *m, const struct qpu_uniform *u, uint32_t *out)
{
    const bool buffer = u->kind == UNIFORM_SSBO || u->kind == UNIFORM_SSBO_SIZE;
    if (u->kind == UNIFORM_UNKNOWN || (buffer && u->v >= m->p->indices))
        return isa_refuse(m->out, RAN_UNSUPPORTED, u->line, "the uniform '%s'",
                          u->text ? u->text : "buffer");
    switch (u->kind) {
    case UNIFORM_CONSTANT:
        *out = u->v;
        break;
    case UNIFORM_SSBO:
        *out = BUFFER_BASE(m->buffer[u->v]);
        break;
    case UNIFORM_SSBO_SIZE:
        *out = m->memory.v[m->buffer[u->v]].size;
        break;
    case UNIFORM_GROUPS:
        *out = m->c->groups[u->v];
        break;
    case UNIFORM_BASE:
        *out = 0;
        break;
    case UNIFORM_SHARED:
        *out = SHARED_BASE;
        break;
    case UNIFORM_SPILL:
        *out = SPILL_BASE;
        break;
    case UNIFORM_SPILL_SIZE:
        *out = SPILL_BYTES;
        break;
    case UNIFORM_UNKNOWN:
        break;
    }
    return true;
}

static bool spills(const struct qpu_program *p)
{
    bool found = false;
    for (uint32_t i = 0; i < p->uniforms; i++)
        found |= p->uniform[i].kind == UNIFORM_SPILL;
    return found;
}

static bool begin(struct qpu_machine *m)
{
    const struct qpu_program *p = m->p;
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out))
        return false;
    if (m->c->groups[0] > 0xffff || m->c->groups[1] > 0xffff || m->c->groups[2] > 0xffff)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more than 65535 workgroups");
    if (p->indices && !isa_v3dv_place(m->a, m->c, p->use, p->indices, m->buffer, m->out))
        return false;
    m->threads = (m->invocations + QPU_LANES - 1) / QPU_LANES;
    m->t = ARENA_ARRAY(m->a, struct qpu_thread, m->threads);
    for (uint32_t i = 0; i < m->threads; i++)
        m->t[i].r = ARENA_ARRAY(m->a, qpu_row, p->registers);
    for (uint32_t i = 0; i < m->c->buffer_count; i++)
        if (m->c->buffer[i].count > 1 << 20)
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "buffers of more than 4 MiB");
        else
            isa_buffer_add(&m->memory, &m->c->buffer[i], BUFFER_BASE(i));
    if (spills(p)) {
        struct isa_region *r =
            isa_region_add(&m->memory, SPILL_BASE, m->threads * SPILL_BYTES, true);
        r->bytes = isa_random_bytes(m->a, &m->random_fill, r->size);
    }
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    m->uniform = ARENA_ARRAY(m->a, uint32_t, p->uniforms + 1);
    for (uint32_t i = 0; i < p->uniforms; i++)
        if (!uniform_value(m, &p->uniform[i], &m->uniform[i]))
            return false;
    return true;
}

void qpu_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    struct qpu_machine *m = ARENA_NEW(a, struct qpu_machine);
    m->a = a;
    m->p = (const struct qpu_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a};
    m->step_limit = o->step_limit;
    if (begin(m) && isa_groups(c, m->group, m, run_group))
        isa_give(a, c, &m->memory, out);
}
