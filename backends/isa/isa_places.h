// SPDX-License-Identifier: Apache-2.0
//
// Where Mesa's drivers place the buffers and ids of a case.
#ifndef TF_ISA_PLACES_H
#define TF_ISA_PLACES_H

#include "isa_memory.h"

enum { ISA_DESCRIPTOR = 16 }; // bytes of a buffer's descriptor

// Returns the buffer's index within its set, in the order of bindings.
uint32_t isa_place_in_set(const struct spv_case *c, uint32_t buffer);
// Computes LocalInvocationId of invocation i.
static inline void isa_local_id(const uint32_t local[3], uint32_t i, uint32_t id[3])
{
    id[0] = i % local[0];
    id[1] = i / local[0] % local[1];
    id[2] = i / local[0] / local[1];
}

// Turnip: a storage buffer has one descriptor, or several, the first for 32-bit accesses, the
// others for smaller ones: isa_options.descriptors. Returns the buffer whose first descriptor is
// `k` in its set; buffer_count: none. False with *out filled: how many it has is not known.
bool isa_turnip_buffer(const struct spv_case *c, uint32_t descriptors, uint32_t set, uint32_t k,
                       uint32_t line, uint32_t *buffer, struct isa_result *out);
// Finds how many it has from two texts of NIR: `before` Mesa puts descriptors in the place of set
// and binding, and `after` that. ISA_DESCRIPTORS_OPEN: the texts do not decide it.
uint32_t isa_turnip_descriptors(const struct spv_case *c, const char *before, const char *after);

// v3dv names a buffer by an index. Fills the buffer of each of `n` indices (UINT32_MAX: too many)
// from what the code does with them. False with *out filled: that does not decide it.
enum { ISA_LOADED = 1, ISA_STORED = 2 };
bool isa_v3dv_place(struct arena *a, const struct spv_case *c, const uint8_t use[SPV_CASE_BUFFERS],
                    uint32_t n, uint32_t buffer[SPV_CASE_BUFFERS], struct isa_result *out);

// RADV passes the low 32 bits of some addresses in one register; ISA_RADV_HIGH is the upper half.
// isa_radv_place adds one table of descriptors for each set, stores the addresses in set_base, in
// the order of set numbers, and returns the number of sets. `format` is the last word of each
// descriptor.
#define ISA_RADV_HIGH UINT64_C(0xffff800000000000)
uint32_t isa_radv_place(struct isa_memory *m, const struct spv_case *c, uint32_t format,
                        uint64_t set_base[SPV_CASE_BUFFERS]);

// NVK of Mesa 26.2: constant buffer 0 is the root table (base workgroup, number of workgroups, push
// constants); constant buffer 1 is the descriptor set, with address, size in bytes and a zero for
// each storage buffer. False with *out filled if the case has several sets, because the text does
// not show which constant buffer is which.
// The set's address is ISA_NVK_SET.
#define ISA_NVK_SET UINT64_C(0x710000000000)
bool isa_nvk_place(struct isa_memory *m, const struct spv_case *c, struct isa_result *out);
// Returns bytes of a constant buffer; NULL if they are not known.
uint8_t *isa_nvk_constant(const struct isa_memory *m, uint64_t buffer, uint64_t byte,
                          uint32_t bytes);
// Honeykrisp: adds the root table, of which only the base workgroup is known, which is 0, and the
// table of descriptor set 0, in which a buffer's descriptor starts with its address, in the order
// of bindings. Returns their addresses, which the driver passes in uniforms from these halves on.
// False with *out filled: another descriptor set.
enum { ISA_HONEYKRISP_ROOT = 0, ISA_HONEYKRISP_SET = 4 };
bool isa_honeykrisp_place(struct isa_memory *m, const struct spv_case *c, uint64_t *root,
                          uint64_t *set, struct isa_result *out);

// Reads a system register of a lane whose id in the workgroup is `local`. False: not known.
bool isa_nvk_register(int64_t which, uint32_t lane, const uint32_t local[3],
                      const uint32_t group[3], uint32_t *out);

#endif
