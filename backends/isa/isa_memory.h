// SPDX-License-Identifier: Apache-2.0
//
// The memory of a run: regions at addresses, shared memory, random fill. Regions lie far from each
// other, so that an access out of bounds never hits another region.
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
    // If set, a load may read past the end of a region, up to the next multiple of 16 bytes; these
    // bytes are random.
    bool pieces;
    struct arena *a;
    struct rng *random_fill;
};

struct isa_region *isa_region_add(struct isa_memory *m, uint64_t base, uint32_t size,
                                  bool writable);
// Adds one buffer of the case with its initial contents.
struct isa_region *isa_buffer_add(struct isa_memory *m, const struct spv_buffer *b, uint64_t base);
// Adds all of the case's buffers, far from each other.
void isa_buffers_add(struct isa_memory *m, const struct spv_case *c);
// Returns the bytes at an address; NULL if no region holds them, or for a write to a read-only one.
uint8_t *isa_at(const struct isa_memory *m, uint64_t address, uint32_t bytes, bool write);
// Sign-extends a 48-bit address.
static inline uint64_t isa_address(uint64_t v)
{
    return (uint64_t)((int64_t)(v << 16) >> 16);
}
// At the end of a run: copies the contents of each buffer of the case to *out.
void isa_give(struct arena *a, const struct spv_case *c, const struct isa_memory *m,
              struct isa_result *out);
// Do two results of one case have the same memory?
bool isa_same_memory(const struct isa_result *x, const struct isa_result *y);

// Fills a register with random values that differ from lane to lane.
static inline void isa_random_row(struct rng *random_fill, uint32_t *row, uint32_t lanes)
{
    const uint32_t v = (uint32_t)(rng_next(random_fill) >> 32);
    for (uint32_t l = 0; l < lanes; l++)
        row[l] = (v ^ l << 7) * (2 * l + 1);
}
// Returns `size` random bytes; `size` is a multiple of 8.
uint8_t *isa_random_bytes(struct arena *a, struct rng *random_fill, size_t size);

// Shared memory. It is filled with random bytes at the first access.
struct isa_shared {
    uint8_t *bytes;
    uint32_t size; // a multiple of 8
    struct rng random_fill;
    bool made;
};
void isa_shared_room(struct arena *a, struct isa_shared *s, uint32_t size);
void isa_shared_begin(struct isa_shared *s, struct rng *random_fill); // at the start of a workgroup
uint8_t *isa_shared(struct isa_shared *s);

#endif
