// SPDX-License-Identifier: Apache-2.0
//
// Subgroups: one instruction after the other, each subgroup until it ends or waits at a barrier,
// those of a workgroup in turns, the workgroups one after the other.
//
// Who is together, in structured code: an if's lanes run its first part, then the others its
// second, and all that came to the end of either go on together behind it. Lanes that break wait
// behind the loop, lanes that come to the end of its body or `continue` at its first block, until
// nobody is left in the body.
#include "nir_machine.h"

#include <string.h>

enum { STEPS = 4000000 };

// ---- values
// -----------------------------------------------------------------------------------------------

static void alu(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const struct isa_span lanes = isa_span(w->active);
    struct nir_alu x = {.width = d->bits, .from = d->bits};
    uint64_t room[NIR_LANES];
    for (uint32_t i = in->srcs; i--;)
        if (nir_ops[in->id].src[i] != '1')
            x.from = m->p->def[in->src[i].def].bits;
    for (uint32_t k = 0; k < d->components; k++) {
        uint64_t *out = nir_row(m, w, in->def, k);
        for (uint32_t i = 0; i < 4; i++)
            x.v[i] = nir_source(m, w, in, i < in->srcs ? i : 0, k);
        nir_alu_rows(in->id, &x, lanes, lanes.whole ? out : room);
        if (!lanes.whole)
            LANES_EACH (lane, w->active)
                out[lane] = room[lane];
    }
}

// From and to several components that lie in one value, the lowest bits first.
static void pack(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const uint32_t from = m->p->def[in->src[0].def].bits;
    LANES_EACH (lane, w->active) {
        uint64_t v = 0;
        for (uint32_t k = 0; k < in->src[0].count; k++)
            v |= nir_source(m, w, in, 0, k)[lane] << k * from;
        for (uint32_t k = 0; k < d->components; k++)
            nir_row(m, w, in->def, k)[lane] = nir_bits(v >> k * d->bits, d->bits);
    }
}

static void value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    for (uint32_t k = 0; k < d->components; k++) {
        uint64_t *out = nir_row(m, w, in->def, k);
        const uint64_t junk = rng_next(&m->junk);
        LANES_EACH (lane, w->active) {
            if (in->id == NIR_LOAD_CONST)
                out[lane] = nir_bits(in->number[k], d->bits);
            else if (in->id == NIR_UNDEFINED)
                out[lane] = nir_bits(d->alike ? junk : junk * (2 * lane + 1), d->bits);
            else // vecN
                out[lane] = nir_source(m, w, in, k, 0)[lane];
        }
    }
}

// A value that the text calls the same for all, and is not.
static void look_alike(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    if (in->def == NIR_NO_DEF || !m->p->def[in->def].alike || m->out->uneven_line || !w->active)
        return;
    for (uint32_t k = 0; k < m->p->def[in->def].components; k++) {
        const uint64_t *v = nir_row(m, w, in->def, k);
        const uint64_t first = v[lane_first(w->active)];
        LANES_EACH (lane, w->active)
            if (v[lane] != first)
                m->out->uneven_line = in->line;
    }
}

bool nir_execute(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    bool ok = true;
    switch (nir_ops[in->id].unit) {
    case UNIT_ALU:
        alu(m, w, in);
        break;
    case UNIT_PACK:
        pack(m, w, in);
        break;
    case UNIT_VALUE:
        value(m, w, in);
        break;
    case UNIT_GROUP:
        ok = nir_group(m, w, in);
        break;
    case UNIT_MEMORY:
        ok = nir_memory(m, w, in);
        break;
    case UNIT_SYSTEM:
        ok = nir_system(m, w, in);
        break;
    case UNIT_FLOW:
    case UNIT_BARRIER:
        CHECK(!"of the caller's");
    }
    if (ok)
        look_alike(m, w, in);
    return ok;
}

// ---- phis: all of a block at once, each lane by the block that it comes from
// -------------------------------------

static bool phi(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in, uint64_t *out)
{
    const struct nir_def *d = &m->p->def[in->def];
    lane_mask open = 0; // lanes to which an undefined value comes
    LANES_EACH (lane, w->active) {
        uint32_t i = 0;
        while (i < in->srcs && in->number[i] != w->from[lane])
            i++;
        if (i == in->srcs)
            return isa_refuse(m->out, ISA_INVALID, in->line, "a phi without a value from b%u",
                              w->from[lane]);
        if (m->p->def[in->src[i].def].undefined)
            open |= lane_bit(lane);
        for (uint32_t k = 0; k < d->components; k++)
            out[k * m->p->size + lane] = nir_source(m, w, in, i, k)[lane];
    }
    // One value for all: where some come with none, it is the others'.
    const lane_mask sure = w->active & ~open;
    if (d->alike && sure)
        LANES_EACH (lane, open)
            for (uint32_t k = 0; k < d->components; k++)
                out[k * m->p->size + lane] = out[k * m->p->size + lane_first(sure)];
    return true;
}

bool nir_enter(struct nir_machine *m, struct nir_wave *w)
{
    const struct nir_inst *block = &m->p->inst[w->at++];
    const uint32_t first = w->at;
    uint64_t *out = m->phi;
    for (; w->at < m->p->count && m->p->inst[w->at].id == NIR_PHI; w->at++) {
        const struct nir_inst *in = &m->p->inst[w->at];
        w->steps++;
        if (!phi(m, w, in, out))
            return false;
        out += (size_t)m->p->def[in->def].components * m->p->size;
    }
    out = m->phi;
    for (uint32_t i = first; i < w->at; i++) {
        const struct nir_inst *in = &m->p->inst[i];
        for (uint32_t k = 0; k < m->p->def[in->def].components; k++, out += m->p->size)
            LANES_EACH (lane, w->active)
                nir_row(m, w, in->def, k)[lane] = out[lane];
        look_alike(m, w, in);
    }
    LANES_EACH (lane, w->active)
        w->from[lane] = block->target;
    return true;
}

// ---- structure
// --------------------------------------------------------------------------------------------

static void flow(struct nir_machine *m, struct nir_wave *w)
{
    const struct nir_inst *in = &m->p->inst[w->at];
    struct nir_frame *f = w->depth ? &w->frame[w->depth - 1] : NULL;
    switch (in->id) {
    case NIR_IF: {
        lane_mask yes = 0;
        const uint64_t *c = nir_source(m, w, in, 0, 0);
        LANES_EACH (lane, w->active)
            yes |= c[lane] & 1 ? lane_bit(lane) : 0;
        w->frame[w->depth++] = (struct nir_frame){.other = w->active & ~yes};
        w->active = yes;
        break;
    }
    case NIR_ELSE:
        f->joined |= w->active;
        w->active = f->other;
        break;
    case NIR_ENDIF:
        w->active |= f->joined;
        w->depth--;
        break;
    case NIR_LOOP:
        w->frame[w->depth++] = (struct nir_frame){0};
        break;
    case NIR_ENDLOOP:
        w->active |= f->again;
        f->again = 0;
        if (w->active) {
            w->at = in->target;
        } else {
            w->active = f->joined;
            w->depth--;
        }
        break;
    case NIR_BREAK:
    case NIR_CONTINUE:
        f = &w->frame[in->target];
        *(in->id == NIR_BREAK ? &f->joined : &f->again) |= w->active;
        w->active = 0;
        break;
    default:
        CHECK(!"structured");
    }
    w->at++;
}

static enum isa_turn run_turn(void *machine, uint32_t wave)
{
    struct nir_machine *m = machine;
    struct nir_wave *w = &m->w[wave];
    while (w->at < m->p->count) {
        const struct nir_inst *in = &m->p->inst[w->at];
        const enum nir_unit unit = nir_ops[in->id].unit;
        const bool jump = in->id != NIR_BLOCK && unit == UNIT_FLOW;
        if (!w->active && !jump) {
            w->at++;
            continue;
        }
        if (++w->steps > m->step_limit) {
            isa_refuse(m->out, ISA_OVER_LIMIT, in->line, "more than %llu instructions",
                       (unsigned long long)m->step_limit);
            return ISA_TURN_FAILED;
        }
        if (jump) {
            flow(m, w);
            continue;
        }
        if (in->id == NIR_BLOCK) {
            if (!nir_enter(m, w))
                return ISA_TURN_FAILED;
            continue;
        }
        w->at++;
        if (unit == UNIT_BARRIER) {
            if (!in->workgroup)
                continue;
            return ISA_TURN_BARRIER;
        }
        if (!nir_execute(m, w, in))
            return ISA_TURN_FAILED;
    }
    w->ended = true;
    return ISA_TURN_ENDED;
}

// ---- workgroups
// --------------------------------------------------------------------------------------------

static void begin_group(struct nir_machine *m)
{
    const struct nir_program *p = m->p;
    isa_shared_begin(&m->shared, &m->junk);
    for (uint32_t i = 0; i < m->waves; i++) {
        struct nir_wave *w = &m->w[i];
        uint64_t *v = w->v;
        uint32_t *from = w->from;
        *w = (struct nir_wave){
            .v = v, .from = from, .live = nir_lanes(m, i), .active = nir_lanes(m, i)};
        for (uint32_t d = 0; d < p->defs; d++)
            for (uint32_t k = 0; k < p->def[d].components; k++) {
                uint64_t *row = nir_row(m, w, d, k);
                const uint64_t junk = rng_next(&m->junk),
                               keep = nir_bits(UINT64_MAX, p->def[d].bits);
                for (uint32_t lane = 0; lane < p->size; lane++)
                    row[lane] = (junk ^ lane << 7) * (2 * lane + 1) & keep;
            }
        memset(from, 0xff, p->size * sizeof *from);
    }
}

static uint32_t most_phis(const struct nir_program *p)
{
    uint32_t most = 0, n = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        n = p->inst[i].id == NIR_PHI ? n + p->def[p->inst[i].def].components : 0;
        most = n > most ? n : most;
    }
    return most;
}

// One lane, before all workgroups.
static bool run_preamble(struct nir_machine *m)
{
    struct nir_machine own = *m;
    own.p = m->p->preamble;
    own.waves = 1;
    own.invocations = 1;
    own.w = ARENA_ARRAY(m->a, struct nir_wave, 1);
    own.w->v =
        arena_room(m->a, arena_bytes((size_t)own.p->components * own.p->size, sizeof(uint64_t)));
    own.w->from = ARENA_ARRAY(m->a, uint32_t, own.p->size);
    own.phi =
        arena_room(m->a, arena_bytes((size_t)most_phis(own.p) * own.p->size, sizeof(uint64_t)));
    begin_group(&own);
    const bool ok = own.p->jumps ? isa_refuse(m->out, ISA_UNSUPPORTED, 0, "goto in a preamble")
                                 : isa_turns(own.a, &own, own.waves, run_turn);
    m->out->steps += own.w->steps;
    return ok;
}

static bool run_all(struct nir_machine *m)
{
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out))
        return false;
    const uint32_t size = m->p->size;
    m->waves = (m->invocations + size - 1) / size;
    if ((uint64_t)m->p->components * size * m->waves > 1u << 25)
        return isa_refuse(m->out, ISA_UNSUPPORTED, 0, "more values than fit");
    m->w = ARENA_ARRAY(m->a, struct nir_wave, m->waves);
    for (uint32_t i = 0; i < m->waves; i++) {
        m->w[i].v =
            arena_room(m->a, arena_bytes((size_t)m->p->components * size, sizeof(uint64_t)));
        m->w[i].from = ARENA_ARRAY(m->a, uint32_t, size);
    }
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    m->phi = arena_room(m->a, arena_bytes((size_t)most_phis(m->p) * size, sizeof(uint64_t)));
    if (!nir_place(m) || (m->p->preamble && !run_preamble(m)))
        return false;
    const uint32_t *g = m->c->groups;
    for (uint64_t i = 0; i < (uint64_t)g[0] * g[1] * g[2]; i++) {
        isa_group(m->c, i, m->group);
        begin_group(m);
        const bool ok = m->p->jumps ? nir_goto_group(m) : isa_turns(m->a, m, m->waves, run_turn);
        for (uint32_t k = 0; k < m->waves; k++)
            m->out->steps += m->w[k].steps;
        if (!ok)
            return false;
    }
    return true;
}

static bool run_schedule(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                         const struct isa_options *o, uint32_t which, struct isa_result *out)
{
    const struct nir_program *p = (const struct nir_program *)code; // its first member
    struct nir_machine *m = ARENA_NEW(a, struct nir_machine);
    m->a = a;
    m->p = p;
    m->c = c;
    m->out = out;
    m->junk = (struct rng){o->junk};
    m->chance = (struct rng){o->junk + which};
    m->schedule = which < NIR_RANDOM ? (enum nir_schedule)which : NIR_RANDOM;
    m->step_limit = o->step_limit ? o->step_limit : STEPS;
    const bool ok = run_all(m);
    if (!ok)
        return m->choice;
    const uint32_t *words[SPV_CASE_BUFFERS];
    for (uint32_t i = 0; i < c->buffer_count; i++)
        words[i] = (const uint32_t *)m->region[i].bytes;
    isa_give(a, c, words, out);
    return m->choice;
}

void nir_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    isa_schedules(a, code, c, o, NIR_SCHEDULES, run_schedule, out);
}
