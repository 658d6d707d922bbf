// SPDX-License-Identifier: Apache-2.0
//
// Memory of a run: regions at addresses, shared memory, junk. Each region lies far from the others,
// so that what leaves one meets nothing.
#ifndef TF_ISA_MEMORY_H
#define TF_ISA_MEMORY_H

#include "isa.h"

struct isa_region {
    uint64_t base;
    uint32_t size; // bytes
    uint8_t *bytes;
    bool writable;
};

enum { ISA_REGIONS = SPV_CASE_BUFFERS + 72 };
struct isa_memory {
    struct isa_region v[ISA_REGIONS]; // the case's buffers come first, in their order
    uint32_t n;
    // Memory comes in pieces of 16 bytes: a load may look at the rest of the one in which a region
    // ends, where there is junk.
    bool pieces;
    struct arena *a;
    struct rng *junk;
};

struct isa_region *isa_region_add(struct isa_memory *m, uint64_t base, uint32_t size,
                                  bool writable);
// The case's buffer i, with what it holds at first.
struct isa_region *isa_buffer_add(struct isa_memory *m, const struct spv_buffer *b, uint64_t base);
// All of them, far from one another.
void isa_buffers_add(struct isa_memory *m, const struct spv_case *c);
// NULL where nothing is, or nothing that may be written.
uint8_t *isa_at(const struct isa_memory *m, uint64_t address, uint32_t bytes, bool write);
// 48 bits, with their sign above them.
static inline uint64_t isa_address(uint64_t v)
{
    return (uint64_t)((int64_t)(v << 16) >> 16);
}
// At the end of a run: *out gets what each buffer of the case holds.
void isa_give(struct arena *a, const struct spv_case *c, const struct isa_memory *m,
              struct isa_result *out);

// A register's junk, another value in each lane.
static inline void isa_junk_row(struct rng *junk, uint32_t *row, uint32_t lanes)
{
    const uint32_t v = (uint32_t)(rng_next(junk) >> 32);
    for (uint32_t l = 0; l < lanes; l++)
        row[l] = (v ^ l << 7) * (2 * l + 1);
}
// So many bytes of it, a multiple of 8.
uint8_t *isa_junk(struct arena *a, struct rng *junk, size_t size);

// Shared memory: junk until it is written. Made at the first access.
struct isa_shared {
    uint8_t *bytes;
    uint32_t size; // a multiple of 8
    struct rng junk;
    bool made;
};
void isa_shared_room(struct arena *a, struct isa_shared *s, uint32_t size);
void isa_shared_begin(struct isa_shared *s, struct rng *junk); // of a workgroup
uint8_t *isa_shared(struct isa_shared *s);

#endif
