// SPDX-License-Identifier: Apache-2.0
//
// Addresses: the case's buffers, the tables of descriptors (one a descriptor set), push constants.
// Each lies far from the others, so that what leaves one meets nothing.
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { DESCRIPTOR = 16 }; // bytes, of a buffer
// What RADV puts above the 32 bits of an address that it gives in one register.
#define HIGH_HALF UINT64_C(0xffff800000000000)

uint8_t *amd_at(const struct amd_machine *m, uint64_t address, uint32_t bytes, bool write)
{
    // 48 bits, with their sign above them.
    address = (uint64_t)((int64_t)(address << 16) >> 16);
    for (uint32_t i = 0; i < m->regions; i++) {
        const struct amd_region *r = &m->region[i];
        if (address >= r->base && address - r->base < r->size &&
            r->size - (address - r->base) >= bytes)
            return write && !r->writable ? NULL : r->bytes + (address - r->base);
    }
    return NULL;
}

struct amd_region *amd_region_add(struct amd_machine *m, uint64_t base, uint32_t size,
                                  bool writable)
{
    CHECK(m->regions < REGIONS);
    struct amd_region *r = &m->region[m->regions++];
    *r = (struct amd_region){base, size, arena_alloc(m->a, size + 16u), writable};
    return r;
}

// A buffer's place in its set: those of a lower binding come before it.
static uint32_t place_in_set(const struct spv_case *c, uint32_t buffer)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        at += c->buffer[i].set == c->buffer[buffer].set &&
              c->buffer[i].binding < c->buffer[buffer].binding;
    return at;
}

bool amd_place(struct amd_machine *m)
{
    const struct spv_case *c = m->c;
    uint32_t sets[SPV_CASE_BUFFERS];
    if (m->p->image)
        return amd_image_place(m);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const uint32_t bytes = c->buffer[i].count * 4;
        struct amd_region *r =
            amd_region_add(m, UINT64_C(0x10000000000) * (i + 1) + 0x40000, bytes, true);
        if (c->buffer[i].fill != SPV_FILL_ZERO)
            memcpy(r->bytes, c->buffer[i].words, bytes);
        uint32_t k = 0;
        while (k < m->sets && sets[k] != c->buffer[i].set)
            k++;
        if (k == m->sets)
            sets[m->sets++] = c->buffer[i].set;
    }
    // In the order of their numbers, as arguments come.
    for (uint32_t i = 1; i < m->sets; i++)
        for (uint32_t k = i; k && sets[k - 1] > sets[k]; k--) {
            const uint32_t t = sets[k];
            sets[k] = sets[k - 1];
            sets[k - 1] = t;
        }
    // One table for all sets, 64 bytes for each place, so that few regions do.
    const uint32_t each = SPV_CASE_BUFFERS * DESCRIPTOR;
    struct amd_region *table = amd_region_add(m, HIGH_HALF + 0x10000, m->sets * each + 1, false);
    for (uint32_t k = 0; k < m->sets; k++)
        m->set_base[k] = table->base + k * each;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t k = 0;
        while (sets[k] != c->buffer[i].set)
            k++;
        const struct amd_region *r = &m->region[i];
        // Base, stride 0, bytes, and a format that raw accesses do not look at.
        const uint32_t words[4] = {(uint32_t)r->base, (uint32_t)(r->base >> 32), r->size,
                                   0x31016fac};
        memcpy(table->bytes + k * each + place_in_set(c, i) * DESCRIPTOR, words, sizeof words);
    }
    m->push_base = HIGH_HALF + 0x20000;
    struct amd_region *push = amd_region_add(m, m->push_base, SPV_CASE_PUSH * 4, false);
    memcpy(push->bytes, c->push, c->push_count * sizeof c->push[0]);
    return true;
}
