// SPDX-License-Identifier: Apache-2.0
//
// Unstructured code, as from NVK: branches split fragments of a subgroup, and bar_set_nv and
// bar_sync_nv join them (isa_fragments.h).
#include "nir_machine.h"

static bool sync(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *id = nir_source(m, w, in, 0, 0);
    const lane_mask all = w->active;
    lane_mask stop = 0;
    LANES_EACH (l, all) {
        if (!isa_barrier_known(&m->q, id[l]))
            return isa_refuse(m->out, RAN_FAULT, in->line,
                              "bar_sync_nv of a barrier that lane %u did not begin", l);
        w->wave_fragments->wait_for[l] = (uint32_t)id[l];
        // A lane that left the barrier continues.
        stop |= *isa_barrier(&m->q, (uint32_t)id[l]) & lane_bit(l);
    }
    isa_fragments_wait(&m->q, w->wave_fragments, (uint64_t)stop, w->at);
    return true;
}

static bool withdraw(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *id = nir_source(m, w, in, 0, 0);
    LANES_EACH (l, w->active) {
        if (!isa_barrier_known(&m->q, id[l]))
            return isa_refuse(m->out, RAN_FAULT, in->line,
                              "bar_break_nv of a barrier that lane %u did not begin", l);
        *isa_barrier(&m->q, (uint32_t)id[l]) &= ~(UINT64_C(1) << l);
        nir_row(m, w, in->def, 0)[l] = id[l];
    }
    isa_fragments_release(&m->q, w->wave_fragments);
    return true;
}

// ---- one instruction -------------------------------------------------------

static void branch(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *c = nir_source(m, w, in, 0, 0);
    lane_mask yes = 0;
    LANES_EACH (l, w->active)
        yes |= c[l] & 1 ? lane_bit(l) : 0;
    const lane_mask no = w->active & ~yes;
    w->at = yes ? in->target : in->other;
    if (yes && no)
        isa_fragments_split(&m->q, w->wave_fragments, (uint64_t)no, in->other);
}

static bool run_one(void *machine, uint32_t wave)
{
    struct nir_machine *m = machine;
    struct nir_wave *w = &m->w[wave];
    struct isa_fragment *s = &w->wave_fragments->v[w->wave_fragments->current];
    const struct nir_inst *in = &m->p->inst[s->at];
    bool ok = true;
    w->active = s->lanes;
    w->at = s->at;
    if (s->at >= m->p->count) { // the lanes end
        isa_fragments_end(&m->q, w->wave_fragments, s->lanes);
        return true;
    }
    if (!isa_step(m->out, &w->steps, m->step_limit, in->line))
        return false;
    if (in->id == NIR_BLOCK) {
        ok = nir_enter(m, w);
        s->at = w->at;
        return ok;
    }
    w->at++;
    switch (in->id) {
    case NIR_GOTO:
        w->at = in->target;
        break;
    case NIR_GOTO_IF:
        branch(m, w, in);
        break;
    case NIR_BAR_SET:
        nir_write_all(m, w, in, 0, isa_barrier_new(&m->q, s->lanes, false));
        break;
    case NIR_BAR_BREAK:
        s->at = w->at;
        return withdraw(m, w, in);
    case NIR_BAR_SYNC:
        s->at = w->at;
        return sync(m, w, in);
    case NIR_BARRIER:
        s->at_group = in->workgroup;
        break;
    default:
        if (nir_ops[in->id].unit == UNIT_FLOW)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "ifs or loops in code with goto");
        ok = nir_execute(m, w, in);
    }
    s->at = w->at;
    return ok;
}

bool nir_goto_group(struct nir_machine *m)
{
    isa_schedule_begin(&m->q);
    for (uint32_t i = 0; i < m->waves; i++) {
        m->w[i].wave_fragments = &m->wave_fragments[i];
        isa_fragments_begin(&m->wave_fragments[i], (uint64_t)m->w[i].live);
    }
    return isa_fragments_run(&m->q, m, m->wave_fragments, m->waves, run_one, m->out);
}
