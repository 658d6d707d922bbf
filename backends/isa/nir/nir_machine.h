// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/nir/.
#ifndef TF_NIR_MACHINE_H
#define TF_NIR_MACHINE_H

#include "isa/isa_bits.h"
#include "isa/isa_fragments.h"
#include "isa/isa_places.h"
#include "nir_program.h"

enum { SHARED_BYTES = 64 << 10, SCRATCH_BYTES = 16 << 10 };

// An open construct with active or waiting lanes.
struct nir_frame {
    lane_mask other;  // lanes that will run the else branch
    lane_mask joined; // lanes that wait after the construct
    lane_mask again;  // of a loop: lanes that wait for the next iteration
};

struct nir_wave {
    uint64_t *v;    // p->size lanes for each component of each definition
    uint32_t *from; // the previous block of each lane
    lane_mask live, active;
    struct nir_frame frame[NIR_NESTING];
    uint32_t depth, at;
    bool ended;
    uint64_t steps;
    uint8_t *scratch;                     // SCRATCH_BYTES per lane, allocated on first use
    uint8_t *variables;                   // temp_bytes of the program per lane
    struct isa_fragments *wave_fragments; // for unstructured code
};

// Honeykrisp's file of uniforms, in 16-bit units.
enum { NIR_UNIFORMS = 512 };
struct nir_uniforms {
    uint16_t v[NIR_UNIFORMS];
    bool known[NIR_UNIFORMS];
};

// Turnip's file of constants, in words.
enum { NIR_CONSTANTS = 2048 };
struct nir_constants {
    uint32_t v[NIR_CONSTANTS];
    bool known[NIR_CONSTANTS];
};

struct nir_machine {
    struct arena *a;
    const struct nir_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    struct isa_memory memory;
    struct isa_shared shared;
    struct nir_wave *w; // of the current workgroup
    uint32_t waves;
    uint64_t *phi; // the phis of one block
    uint64_t step_limit;
    uint32_t descriptors; // isa_options
    uint32_t local[3], group[3], invocations;
    uint64_t set_base[SPV_CASE_BUFFERS]; // RADV: addresses of the sets' descriptors, by set number
    uint32_t sets;
    uint64_t set_at; // NVK: where the root table has the address of the set; 0: not read yet
    bool *address;   // RADV: of each instruction: an argument that is the low half of an address
    uint32_t indexed[SPV_CASE_BUFFERS], indices; // v3dv: the buffer of each index
    uint32_t *step; // early code: of each instruction, the bytes of a step of its pointer
    struct isa_schedule q;
    struct isa_fragments *wave_fragments; // one element per subgroup, for unstructured code
    struct nir_uniforms *uniforms;        // Honeykrisp: results of the preamble
    bool in_preamble;                     // Turnip: this is its one lane
    struct nir_constants *constants;      // Turnip: what the preamble stores
};

static inline uint64_t *nir_row(const struct nir_machine *m, const struct nir_wave *w, uint32_t def,
                                uint32_t k)
{
    return w->v + (size_t)(m->p->def[def].at + k) * m->p->size;
}
// Returns component k of source i.
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

// Each executes one instruction for the lanes of w->active; false with *out filled.
bool nir_group(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_memory(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_system(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Pointers, and what they lead to (nir_deref.c). Follows them in the case's module, before the run.
bool nir_deref_place(struct nir_machine *m);
// Computes a pointer.
bool nir_deref(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Loads a value from the driver through a pointer.
bool nir_deref_system(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Finds the bytes of an access; source `first` is the pointer. *out is NULL out of bounds.
bool nir_deref_at(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                  uint32_t first, uint32_t lane, uint32_t bytes, bool write, uint8_t **out);
// Names a buffer by set and binding, as a pointer does.
bool nir_vulkan_index(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Looks up a buffer by the first word of such a pointer.
bool nir_index_resource(const struct nir_machine *m, uint32_t handle, uint64_t *base,
                        uint32_t *bytes);
// Copies a source to the result.
bool nir_copy(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Executes any instruction other than control flow and barriers (nir_execute.c).
bool nir_execute(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Enters the block at w->at and executes its phis; w->at is then the next instruction.
bool nir_enter(struct nir_machine *m, struct nir_wave *w);

// Runs the subgroups of a workgroup to their end, for unstructured code (nir_goto.c).
bool nir_goto_group(struct nir_machine *m);

// Places the case's buffers and the driver's own tables.
bool nir_place(struct nir_machine *m);

// ---- drivers: one file each ------------------------------------------------

// Computes a value that only this driver's code uses, for w->active. False with *out filled.
bool nir_turnip_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Operations over clusters of lanes.
void nir_turnip_group(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Executes what concerns the preamble.
bool nir_turnip_preamble(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
void nir_radv_place(struct nir_machine *m);
bool nir_radv_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_nvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Returns bytes of a constant buffer; NULL if they are not known. Mesa 25.0 reads the address of
// the descriptor set from the root table, and no text says where that has it. Of a case without
// push constants it is the only value of 64 bits there: one place alone may be read so.
uint8_t *nir_nvk_constant(struct nir_machine *m, const struct nir_inst *in, uint64_t buffer,
                          uint64_t byte, uint32_t bytes);
// Places the root table and the descriptors.
bool nir_honeykrisp_place(struct nir_machine *m);
// Executes load_preamble or store_preamble.
bool nir_honeykrisp_uniforms(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_anv_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_panvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
bool nir_lavapipe_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in);
// Looks up a resource: the address and size in bytes of a buffer.
bool nir_turnip_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
bool nir_anv_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
bool nir_panvk_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
bool nir_v3dv_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
bool nir_powervr_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
// lavapipe: the handle of a buffer in a table, both by number.
uint32_t nir_lavapipe_handle(uint32_t table, uint32_t buffer);
bool nir_lavapipe_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes);
// Finds out which buffer has which index.
bool nir_v3dv_place(struct nir_machine *m);

// Writes a component of a result: one value in all active lanes, or an axis of LocalInvocationId.
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
