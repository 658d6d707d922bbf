// SPDX-License-Identifier: Apache-2.0
//
// What lavapipe of Mesa 26.2 passes to a program. The resources begin with 16 pairs of an address
// and a size: the push constants, then each descriptor set's table. A table has 16 bytes for each
// buffer, in the order of bindings: address, size in bytes. Of what a thread has, the second
// address is shared memory.
#include "gallivm_machine.h"

#include "isa/isa_places.h"

enum {
    TABLES = 16,
    PAIR = 16,
    CONTEXT_BYTES = 64,
    SHARED_BYTES = 1 << 16,
    STACK_BYTES = 1 << 22,
    PUSH = SPV_CASE_PUSH * 4,
};
#define AT(k) (UINT64_C(0x1000000000000) * (k))

static void pair(uint8_t *to, uint64_t address, uint32_t bytes)
{
    const uint32_t words[4] = {(uint32_t)address, (uint32_t)(address >> 32), bytes, 0};
    memcpy(to, words, sizeof words);
}

void gv_place(struct gv_machine *m)
{
    isa_buffers_add(&m->memory, m->c);
    struct isa_region *tables =
        isa_region_add(&m->memory, AT(1), TABLES * SPV_CASE_BUFFERS * PAIR, false);
    struct isa_region *resources = isa_region_add(&m->memory, AT(2), 3 * TABLES * PAIR, false);
    struct isa_region *push = isa_region_add(&m->memory, AT(3), PUSH, false);
    struct isa_region *thread = isa_region_add(&m->memory, AT(4), 3 * 8, false);
    struct isa_region *context = isa_region_add(&m->memory, AT(5), CONTEXT_BYTES, false);
    m->stack = isa_region_add(&m->memory, AT(6), STACK_BYTES, true);
    struct isa_region *shared = isa_region_add(&m->memory, AT(7), SHARED_BYTES, true);
    isa_shared_room(m->a, &m->shared, SHARED_BYTES);
    m->shared.bytes = shared->bytes;
    for (uint32_t i = 0; i < m->c->push_count && i < SPV_CASE_PUSH; i++)
        memcpy(push->bytes + 4 * (size_t)i, &m->c->push[i], 4);
    pair(resources->bytes, push->base, PUSH);
    for (uint32_t i = 0; i < m->c->buffer_count; i++) {
        const uint32_t set = m->c->buffer[i].set;
        if (set + 1 >= TABLES)
            continue; // no such table: an access faults
        const uint32_t table = set * SPV_CASE_BUFFERS * PAIR;
        pair(resources->bytes + (size_t)(set + 1) * PAIR, tables->base + table,
             SPV_CASE_BUFFERS * PAIR);
        pair(tables->bytes + table + (size_t)isa_place_in_set(m->c, i) * PAIR, m->memory.v[i].base,
             m->memory.v[i].size);
    }
    memcpy(thread->bytes + 8, &shared->base, 8);
    for (uint32_t i = 0; i < CONTEXT_BYTES; i++)
        context->bytes[i] = (uint8_t)rng_next(&m->random_fill);
    m->resources = resources->base;
    m->thread = thread->base;
    m->context = context->base;
}
