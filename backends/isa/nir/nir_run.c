// SPDX-License-Identifier: Apache-2.0
//
// Runs subgroups, one instruction after the other, until they end or wait at a barrier. The
// subgroups of a workgroup take turns; workgroups run one after the other.
//
// Reconvergence of structured code: the lanes of an if run the then branch, the others the else
// branch, and all that reach the end of either continue together after the if. Lanes that break
// wait after the loop. Lanes that reach the end of the body or `continue` wait at its first block,
// until no lane is left in the body.
#include "nir_machine.h"

#include <string.h>

// ---- structure -------------------------------------------------------------

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
    case NIR_RETURN:
        w->active = 0;
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
        if (!isa_step(m->out, &w->steps, m->step_limit, in->line))
            return ISA_TURN_FAILED;
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

// ---- workgroups ------------------------------------------------------------

// Variables begin with random contents, or with 0 where their declaration says so.
static void begin_variables(struct nir_machine *m, uint8_t *bytes)
{
    const struct nir_program *p = m->p;
    for (uint32_t i = 0; i < p->temp_bytes * p->size; i += 8) {
        const uint64_t v = rng_next(&m->random_fill);
        memcpy(bytes + i, &v, 8);
    }
    for (size_t i = 0; i < p->variable.n; i++) {
        const struct nir_variable *v = &p->variable.v[i];
        for (uint32_t lane = 0; v->zero && v->mode == NIR_TEMP && lane < p->size; lane++)
            memset(bytes + (size_t)p->temp_bytes * lane + v->at, 0, v->bytes);
        if (v->zero && v->mode == NIR_SHARED)
            memset(isa_shared(&m->shared) + v->at, 0, v->bytes);
    }
}

static void begin_group(struct nir_machine *m)
{
    const struct nir_program *p = m->p;
    isa_shared_begin(&m->shared, &m->random_fill);
    if (p->counts_barriers)
        memset(isa_shared(&m->shared), 0, SHARED_BYTES);
    for (uint32_t i = 0; i < m->waves; i++) {
        struct nir_wave *w = &m->w[i];
        uint32_t *from = w->from;
        uint8_t *variables = w->variables;
        *w = (struct nir_wave){.v = w->v,
                               .from = from,
                               .variables = variables,
                               .live = nir_lanes(m, i),
                               .active = nir_lanes(m, i)};
        for (uint32_t d = 0; d < p->defs; d++)
            for (uint32_t k = 0; k < p->def[d].components; k++) {
                uint64_t *row = nir_row(m, w, d, k);
                const uint64_t random_fill = rng_next(&m->random_fill),
                               keep = isa_low(UINT64_MAX, p->def[d].bits);
                for (uint32_t lane = 0; lane < p->size; lane++)
                    row[lane] = (random_fill ^ lane << 7) * (2 * lane + 1) & keep;
            }
        memset(from, 0xff, p->size * sizeof *from);
        begin_variables(m, variables);
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

static bool has_preamble(const struct nir_program *p)
{
    bool yes = p->preamble != NULL;
    for (uint32_t i = 0; i < p->count; i++)
        yes |= p->inst[i].id == NIR_PREAMBLE_START_IR3;
    return yes;
}

// Runs the preamble with one lane, before all workgroups.
static bool run_preamble(struct nir_machine *m)
{
    struct nir_machine own = *m;
    own.p = m->p->preamble ? m->p->preamble : m->p; // Turnip's is a part of the program
    own.in_preamble = true;
    own.waves = 1;
    own.invocations = 1;
    own.w = ARENA_ARRAY(m->a, struct nir_wave, 1);
    own.w->v =
        arena_room(m->a, arena_bytes((size_t)own.p->components * own.p->size, sizeof(uint64_t)));
    own.w->from = ARENA_ARRAY(m->a, uint32_t, own.p->size);
    own.w->variables = arena_room(m->a, arena_bytes(own.p->temp_bytes, own.p->size));
    own.phi =
        arena_room(m->a, arena_bytes((size_t)most_phis(own.p) * own.p->size, sizeof(uint64_t)));
    begin_group(&own);
    const bool ok = own.p->jumps ? isa_refuse(m->out, RAN_UNSUPPORTED, 0, "goto in a preamble")
                                 : isa_turns(own.a, &own, own.waves, run_turn);
    m->out->steps += own.w->steps;
    return ok;
}

static bool run_group(void *machine)
{
    struct nir_machine *m = machine;
    begin_group(m);
    const bool ok = m->p->jumps ? nir_goto_group(m) : isa_turns(m->a, m, m->waves, run_turn);
    for (uint32_t k = 0; k < m->waves; k++)
        m->out->steps += m->w[k].steps;
    return ok;
}

static bool run_all(struct nir_machine *m)
{
    if (!isa_shape(m->a, m->c, m->local, &m->invocations, m->out))
        return false;
    const uint32_t size = m->p->size;
    m->waves = (m->invocations + size - 1) / size;
    if ((uint64_t)m->p->components * size * m->waves > 1u << 25)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more values than the limit");
    m->w = ARENA_ARRAY(m->a, struct nir_wave, m->waves);
    for (uint32_t i = 0; i < m->waves; i++) {
        m->w[i].v =
            arena_room(m->a, arena_bytes((size_t)m->p->components * size, sizeof(uint64_t)));
        m->w[i].from = ARENA_ARRAY(m->a, uint32_t, size);
        m->w[i].variables = arena_room(m->a, arena_bytes(m->p->temp_bytes, size));
    }
    if (m->p->jumps && size > 64)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "goto in subgroups of %u", size);
    if (m->p->jumps)
        m->wave_fragments = isa_fragments_new(m->a, m->waves, size);
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    m->phi = arena_room(m->a, arena_bytes((size_t)most_phis(m->p) * size, sizeof(uint64_t)));
    if (!nir_place(m) || (has_preamble(m->p) && !run_preamble(m)))
        return false;
    return isa_groups(m->c, m->group, m, run_group);
}

static bool run_schedule(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                         const struct isa_options *o, uint32_t which, struct isa_result *out)
{
    struct nir_machine *m = ARENA_NEW(a, struct nir_machine);
    m->a = a;
    m->p = (const struct nir_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->memory = (struct isa_memory){.a = a, .random_fill = &m->random_fill, .pieces = true};
    m->q = isa_schedule(a, o, which);
    m->step_limit = o->step_limit;
    m->descriptors = o->descriptors;
    if (run_all(m))
        isa_give(a, c, &m->memory, out);
    return m->q.choice;
}

void nir_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    isa_schedules(a, code, c, o, run_schedule, out);
}
