// SPDX-License-Identifier: Apache-2.0
//
// Where Mesa's drivers put a case's buffers and ids.
#ifndef TF_ISA_PLACES_H
#define TF_ISA_PLACES_H

#include "isa_memory.h"

enum { ISA_DESCRIPTOR = 16 }; // bytes, of a buffer

// A buffer's place in its set: those of a lower binding come before it.
uint32_t isa_place_in_set(const struct spv_case *c, uint32_t buffer);
// Invocation i of a workgroup.
static inline void isa_local_id(const uint32_t local[3], uint32_t i, uint32_t id[3])
{
    id[0] = i % local[0];
    id[1] = i / local[0] % local[1];
    id[2] = i / local[0] / local[1];
}

// Turnip: the buffer that is descriptor `k` of a set: a storage buffer has two, one for words and
// one for halves. buffer_count: none.
uint32_t isa_turnip_buffer(const struct spv_case *c, uint32_t set, uint32_t k);

// RADV: what it puts above the 32 bits of an address that it gives in one register; and a table of
// descriptors for each set, by address in the order of their numbers: how many there are. `format`
// is a descriptor's last word.
#define ISA_RADV_HIGH UINT64_C(0xffff800000000000)
uint32_t isa_radv_place(struct isa_memory *m, const struct spv_case *c, uint32_t format,
                        uint64_t set_base[SPV_CASE_BUFFERS]);

// NVK of Mesa 26.2: constant buffer 0 is the root table (base workgroup, workgroups, push
// constants), buffer 1 the descriptor set: address, bytes and a zero for each storage buffer. False
// with *out filled where there are several sets: the text does not say which buffer is which.
bool isa_nvk_place(struct isa_memory *m, const struct spv_case *c, struct isa_result *out);
// Bytes of a constant buffer; NULL: not known.
uint8_t *isa_nvk_constant(const struct isa_memory *m, uint64_t buffer, uint64_t byte,
                          uint32_t bytes);
// A system register of a lane, whose id in the workgroup is `local`. False: not known.
bool isa_nvk_register(int64_t which, uint32_t lane, const uint32_t local[3],
                      const uint32_t group[3], uint32_t *out);

#endif
