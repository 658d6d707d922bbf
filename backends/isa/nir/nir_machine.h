// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/nir/.
#ifndef TF_NIR_MACHINE_H
#define TF_NIR_MACHINE_H

#include "isa/isa_bits.h"
#include "isa/isa_places.h"
#include "isa/isa_strands.h"
#include "nir_program.h"

enum { SHARED_BYTES = 64 << 10, SCRATCH_BYTES = 16 << 10 };

// An open construct of the structure that some lanes are in.
struct nir_frame {
    lane_mask other;  // lanes that have yet to run the else part
    lane_mask joined; // lanes that wait behind the construct
    lane_mask again;  // of a loop: lanes that wait for the next turn
};

struct nir_wave {
    uint64_t *v;    // a row of p->size lanes for each component of each definition
    uint32_t *from; // the block that each lane was in last
    lane_mask live, active;
    struct nir_frame frame[NIR_NESTING];
    uint32_t depth, at;
    bool ended;
    uint64_t steps;
    uint8_t *scratch;            // SCRATCH_BYTES a lane, made on first use
    struct isa_strands *strands; // not structured
};

// Honeykrisp's file of uniform values, in halves.
enum { NIR_UNIFORMS = 512 };
struct nir_uniforms {
    uint16_t v[NIR_UNIFORMS];
    bool known[NIR_UNIFORMS];
};

struct nir_machine {
    struct arena *a;
    const struct nir_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng junk;
    struct isa_memory memory;
    struct isa_shared shared;
    struct nir_wave *w; // of the workgroup
    uint32_t waves;
    uint64_t *phi; // values of one block's phis
    uint64_t step_limit;
    uint32_t local[3], group[3], invocations;
    uint64_t set_base[SPV_CASE_BUFFERS]; // RADV: where a set's descriptors are, in their order
    uint32_t sets;
    struct isa_schedule q;
    struct isa_strands *strands;   // one a subgroup, where code is not structured
    struct nir_uniforms *uniforms; // Honeykrisp: what the preamble leaves
};

static inline uint64_t *nir_row(const struct nir_machine *m, const struct nir_wave *w, uint32_t def,
                                uint32_t k)
{
    return w->v + (size_t)(m->p->def[def].at + k) * m->p->size;
}
// Component k of source i.
static inline const uint64_t *nir_source(const struct nir_machine *m, const struct nir_wave *w,
                                         const struct nir_inst *in, uint32_t i, uint32_t k)
{
    return nir_row(m, w, in->src[i].def, in->src[i].component[k]);
}
static inline lane_mask nir_lanes(const struct nir_machine *m, uint32_t wave)
{
    const uint32_t left = m->invocations - wave * m->p->size;
    return lanes_below(left < m->p->size ? left : m->p->size);
}

// Each runs one instruction for the lanes of w->active; false with *out filled.
bool nir_group(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_memory(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_system(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// One that is neither flow nor barrier, whichever it is (nir_execute.c).
bool nir_execute(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Enters the block of instruction w->at: its phis; w->at stands behind them.
bool nir_enter(struct nir_machine *m, struct nir_wave *w);

// A workgroup's subgroups to their end, where code is not structured (nir_goto.c).
bool nir_goto_group(struct nir_machine *m);

// Places the case's buffers, and what the driver has beside them.
bool nir_place(struct nir_machine *m);

// ---- drivers: a file each --------------------------------------------------

// A value that only this driver's code asks for, in w->active. False with *out filled.
bool nir_turnip_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_radv_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_nvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// A table of descriptors.
bool nir_honeykrisp_place(struct nir_machine *m);
// load_preamble, store_preamble.
bool nir_honeykrisp_uniforms(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Where a resource lies: address and bytes of a buffer.
bool nir_turnip_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);

// A component of an answer: the same in all lanes of w->active; an axis of the local id.
static inline void nir_write_all(const struct nir_machine *m, const struct nir_wave *w,
                                 const struct nir_inst *in, uint32_t k, uint64_t v)
{
    uint64_t *out = nir_row(m, w, in->def, k);
    LANES_EACH (lane, w->active)
        out[lane] = isa_low(v, m->p->def[in->def].bits);
}
static inline void nir_write_local(const struct nir_machine *m, const struct nir_wave *w,
                                   const struct nir_inst *in, uint32_t k, uint32_t axis)
{
    uint64_t *out = nir_row(m, w, in->def, k);
    LANES_EACH (lane, w->active) {
        uint32_t id[3];
        isa_local_id(m->local, (uint32_t)(w - m->w) * m->p->size + lane, id);
        out[lane] = id[axis];
    }
}

#endif
