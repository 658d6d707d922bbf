// SPDX-License-Identifier: Apache-2.0
//
// Runs waves, one instruction after the other, until they end or wait at a barrier. The waves of a
// workgroup take turns; workgroups run one after the other.
#include "machine.h"

#include <string.h>

enum { SLICE = 20000 };

// Why a wave's turn ended.
enum turn { TURN_ENDED, TURN_BARRIER, TURN_SLICE, TURN_FAILED };

// ---- scalar and control ----------------------------------------------------

static void run_scalar(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    static const struct amd_operand exec = {
        .kind = OPERAND_SCALAR, .type = 'm', .reg = REG_EXEC, .count = 2};
    struct amd_alu x = {.scc = w->scc, .exec = wave_exec(m, w), .lanes = wave_lanes(m)};
    const uint64_t before = x.exec;
    const uint32_t n = in->n - in->dst;
    x.a = amd_scalar_read(m, w, &in->o[in->dst]);
    if (n > 1)
        x.b = amd_scalar_read(m, w, &in->o[in->dst + 1]);
    if (n > 2)
        x.c = amd_scalar_read(m, w, &in->o[in->dst + 2]);
    if (in->dst && is_scalar(m, in->o[0].reg))
        x.d =
            w->s[in->o[0].reg] | (in->o[0].count > 1 ? (uint64_t)w->s[in->o[0].reg + 1] << 32 : 0);
    if (!w->scc_set) { // does the operation read it, and does it write it?
        struct amd_alu other = x;
        other.scc = !x.scc;
        amd_scalar_value(in->id, &other);
        amd_scalar_value(in->id, &x);
        if (other.r != x.r || other.exec != x.exec)
            amd_reads_unset(m);
        w->scc_set = other.scc == x.scc;
    } else {
        amd_scalar_value(in->id, &x);
    }
    w->scc = x.scc;
    // If exec is also the destination, the result replaces the new exec.
    if (x.exec != before)
        amd_scalar_write(m, w, &exec, x.exec);
    if (in->dst)
        amd_scalar_write(m, w, &in->o[0], x.r);
}

static bool jump(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    switch (in->id) {
    case AMD_S_CBRANCH_SCC0:
        return !wave_scc(m, w);
    case AMD_S_CBRANCH_SCC1:
        return wave_scc(m, w);
    case AMD_S_CBRANCH_VCCZ:
        return !wave_mask(m, w, REG_VCC);
    case AMD_S_CBRANCH_VCCNZ:
        return wave_mask(m, w, REG_VCC) != 0;
    case AMD_S_CBRANCH_EXECZ:
        return !wave_exec(m, w);
    case AMD_S_CBRANCH_EXECNZ:
        return wave_exec(m, w) != 0;
    default:
        return true;
    }
}

// Jumps to the address in a register; a call saves the return address.
static bool far_jump(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const uint64_t to = amd_scalar_read(m, w, &in->o[in->dst]) - amd_code_address(0);
    const uint64_t each = amd_code_address(1) - amd_code_address(0);
    if (to % each || to / each >= m->p->count)
        return isa_refuse(m->out, RAN_FAULT, m->line, "a jump out of the program");
    if (in->dst)
        amd_scalar_write(m, w, &in->o[0], amd_code_address(w->at));
    w->at = (uint32_t)(to / each);
    return true;
}

static void run_wait(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const int n = in->n ? (int)(in->o[0].value & 0xffff) : 0;
    switch (in->id) {
    case AMD_S_WAITCNT:
        if (in->vmcnt >= 0)
            amd_wait(m, w, COUNT_VM, in->vmcnt);
        if (in->lgkmcnt >= 0) {
            amd_wait(m, w, COUNT_LDS, in->lgkmcnt);
            amd_wait(m, w, COUNT_SCALAR, in->lgkmcnt);
        }
        break;
    case AMD_S_WAIT_LOADCNT:
        amd_wait(m, w, COUNT_VM, n);
        break;
    case AMD_S_WAIT_KMCNT:
        amd_wait(m, w, COUNT_SCALAR, n);
        break;
    case AMD_S_WAIT_DSCNT:
        amd_wait(m, w, COUNT_LDS, n);
        break;
    case AMD_S_WAIT_LOADCNT_DSCNT:
        amd_wait(m, w, COUNT_VM, n >> 8 & 63);
        amd_wait(m, w, COUNT_LDS, n & 63);
        break;
    default: // stores and LDS
        amd_wait(m, w, COUNT_LDS, n & 63);
    }
}

// Have all waves that still run signalled at least as often as this wave has waited?
static bool may_pass(const struct amd_machine *m, const struct amd_wave *w)
{
    for (uint32_t i = 0; i < m->waves; i++)
        if (!m->w[i].ended && m->w[i].signals < w->waits)
            return false;
    return true;
}

// *stop: the wave's turn ends.
static enum turn run_control(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                             bool *stop)
{
    *stop = false;
    switch (in->id) {
    case AMD_S_ENDPGM:
        *stop = w->ended = true;
        return TURN_ENDED;
    case AMD_S_BARRIER:
        w->signals++;
        w->waits++;
        *stop = true;
        return TURN_BARRIER;
    case AMD_S_BARRIER_SIGNAL:
        w->signals++;
        return TURN_SLICE;
    case AMD_S_BARRIER_WAIT:
        w->waits++;
        *stop = true;
        return TURN_BARRIER;
    case AMD_S_GETPC_B64:
        amd_scalar_write(m, w, &in->o[0], amd_code_address(w->at));
        return TURN_SLICE;
    case AMD_S_SETPC_B64:
    case AMD_S_SWAPPC_B64:
        if (far_jump(m, w, in))
            return TURN_SLICE;
        *stop = true;
        return TURN_FAILED;
    case AMD_S_BRANCH:
    case AMD_S_CBRANCH_SCC0:
    case AMD_S_CBRANCH_SCC1:
    case AMD_S_CBRANCH_VCCZ:
    case AMD_S_CBRANCH_VCCNZ:
    case AMD_S_CBRANCH_EXECZ:
    case AMD_S_CBRANCH_EXECNZ:
        if (jump(m, w, in))
            w->at = (uint32_t)in->o[0].value;
        return TURN_SLICE;
    default:
        run_wait(m, w, in);
        return TURN_SLICE;
    }
}

static bool run_other(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    switch (amd_ops[in->id].unit) {
    case AMD_SKIP:
        return true;
    case AMD_SALU:
    case AMD_SCMP:
        run_scalar(m, w, in);
        return true;
    case AMD_LANES:
        return amd_lanes(m, w, in);
    case AMD_LDS:
    case AMD_LDS_ATOMIC:
        return amd_lds(m, w, in);
    default:
        return amd_memory(m, w, in);
    }
}

// ---- turns -----------------------------------------------------------------

static enum turn run_turn(struct amd_machine *m, struct amd_wave *w)
{
    const struct amd_program *p = m->p;
    for (uint32_t i = 0; i < SLICE; i++) {
        bool stop;
        if (w->at >= p->count) {
            isa_refuse(m->out, RAN_FAULT, m->line, "execution runs past the last instruction");
            return TURN_FAILED;
        }
        const struct amd_inst *in = &p->inst[w->at++];
        m->line = in->line;
        if (!isa_step(m->out, &w->steps, m->step_limit, m->line))
            return TURN_FAILED;
        if ((uint32_t)in->id >= AMD_IDS) {
            if (!aco_step(m, w, in))
                return TURN_FAILED;
            continue;
        }
        const enum amd_unit unit = amd_ops[in->id].unit;
        if (m->watch)
            amd_origin_note(m, w, in);
        if (unit == AMD_CONTROL) {
            const enum turn t = run_control(m, w, in, &stop);
            if (stop)
                return t;
        } else if (amd_unit_in(unit, AMD_VECTORS)) {
            w->at += in->with_next;
            if (in->with_next ? !amd_vector_pair(m, w, in) : !amd_vector(m, w, in))
                return TURN_FAILED;
        } else if (!run_other(m, w, in)) {
            return TURN_FAILED;
        }
    }
    return TURN_SLICE;
}

static bool run_waves(struct amd_machine *m)
{
    bool *waiting = arena_alloc(m->a, m->waves);
    for (uint32_t left = m->waves; left;) {
        bool moved = false;
        for (uint32_t i = 0; i < m->waves; i++) {
            struct amd_wave *w = &m->w[i];
            if (w->ended || (waiting[i] && !may_pass(m, w)))
                continue;
            waiting[i] = false;
            moved = true;
            switch (run_turn(m, w)) {
            case TURN_ENDED:
                left--;
                break;
            case TURN_BARRIER:
                waiting[i] = true;
                break;
            case TURN_SLICE:
                break;
            case TURN_FAILED:
                return false;
            }
        }
        if (!moved)
            return isa_refuse(m->out, RAN_STUCK, m->line,
                              "waves wait at a barrier that other waves never reach");
    }
    return true;
}

static bool begin_group(struct amd_machine *m)
{
    if (m->watch)
        amd_origin_group(m);
    const uint32_t all = m->local[0] * m->local[1] * m->local[2];
    isa_shared_begin(&m->shared, &m->random_fill);
    for (uint32_t i = 0; i < m->waves; i++) {
        struct amd_wave *w = &m->w[i];
        uint32_t(*v)[LANES] = w->v, *s = w->s;
        *w = (struct amd_wave){.v = v, .s = s};
        for (uint32_t r = 0; r < m->p->scalars; r++)
            w->s[r] = (uint32_t)rng_next(&m->random_fill);
        for (uint32_t r = 0; r < m->p->named; r++)
            isa_random_row(&m->random_fill, w->v[r], m->p->wave);
        w->scc = (rng_next(&m->random_fill) & 1) ^ m->other_scc;
        const uint32_t lanes =
            all - i * m->p->wave < m->p->wave ? all - i * m->p->wave : m->p->wave;
        const uint64_t exec = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
        w->s[REG_EXEC] = (uint32_t)exec;
        if (m->p->wave == 64)
            w->s[REG_EXEC + 1] = (uint32_t)(exec >> 32);
        for (uint32_t l = 0; l < LANES; l++)
            w->lane_at[l] = exec >> l & 1 ? 0 : ACO_NONE;
        w->at = m->p->image ? m->p->image->entry : 0;
        if (!amd_arguments_give(m, w, i))
            return false;
    }
    return true;
}

static bool run_group(void *machine)
{
    struct amd_machine *m = machine;
    const bool ok = begin_group(m) && run_waves(m);
    for (uint32_t k = 0; k < m->waves; k++)
        m->out->steps += m->w[k].steps;
    return ok;
}

static bool run_all(struct amd_machine *m)
{
    uint32_t all;
    if (!isa_shape(m->a, m->c, m->local, &all, m->out))
        return false;
    m->waves = (uint32_t)((all + m->p->wave - 1) / m->p->wave);
    m->w = ARENA_ARRAY(m->a, struct amd_wave, m->waves);
    for (uint32_t i = 0; i < m->waves; i++) {
        m->w[i].v = arena_room(m->a, sizeof(uint32_t) * m->p->vectors * LANES);
        m->w[i].s = arena_room(m->a, sizeof(uint32_t) * m->p->scalars);
    }
    isa_shared_room(m->a, &m->shared, LDS_BYTES);
    m->lds = m->shared.bytes;
    if (!amd_place(m))
        return false;
    if (m->p->aco)
        m->moved = arena_room(m->a, arena_bytes(m->p->aco->most + 1, sizeof *m->moved));
    if (m->wants_origin && !m->p->aco)
        amd_origin_begin(m);
    return isa_groups(m->c, m->group, m, run_group);
}

// Returns the first line that reads SCC before it is written; 0: none.
static uint32_t run_once(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                         const struct isa_options *o, bool other_scc, struct isa_result *out)
{
    uint32_t unset_line = 0;
    struct amd_machine *m = ARENA_NEW(a, struct amd_machine);
    m->a = a;
    m->p = (const struct amd_program *)code; // its first member
    m->c = c;
    m->out = out;
    m->random_fill = (struct rng){o->random_fill};
    m->other_scc = other_scc;
    m->unset_line = &unset_line;
    m->memory = (struct isa_memory){.a = a};
    m->step_limit = o->step_limit;
    m->wants_origin = o->origin;
    m->prompt = o->prompt || m->p->aco; // waits come later
    if (run_all(m))
        isa_give(a, c, &m->memory, out);
    return unset_line;
}

// One bit hides in half of all runs what depends on it. So code that reads SCC before it is written
// runs with both values.
void amd_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    struct isa_result other = {0};
    const uint32_t unset_line = run_once(a, code, c, o, false, out);
    if (!unset_line || out->status != RAN_OK)
        return;
    run_once(a, code, c, o, true, &other);
    out->steps += other.steps;
    if (other.status != RAN_OK) {
        other.steps = out->steps;
        *out = other;
    } else if (!isa_same_memory(&other, out)) {
        out->other = ARENA_ARRAY(a, struct spv_memory *, 1);
        out->other[out->others++] = other.memory;
        out->unset_line = unset_line;
    }
}
