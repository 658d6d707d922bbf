// SPDX-License-Identifier: Apache-2.0
//
// The memory of a run.
#include "isa_memory.h"

#include <string.h>

enum { PIECE = 16 };

struct isa_region *isa_region_add(struct isa_memory *m, uint64_t base, uint32_t size, bool writable)
{
    CHECK(m->n < ISA_REGIONS);
    struct isa_region *r = &m->v[m->n++];
    *r = (struct isa_region){base, size, arena_alloc(m->a, size + (size_t)PIECE), writable};
    for (uint32_t i = size; m->pieces && i < size + PIECE; i++)
        r->bytes[i] = (uint8_t)rng_next(m->random_fill);
    return r;
}

struct isa_region *isa_buffer_add(struct isa_memory *m, const struct spv_buffer *b, uint64_t base)
{
    struct isa_region *r = isa_region_add(m, base, b->count * 4, true);
    if (b->fill != SPV_FILL_ZERO)
        memcpy(r->bytes, b->words, r->size);
    return r;
}

void isa_buffers_add(struct isa_memory *m, const struct spv_case *c)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        isa_buffer_add(m, &c->buffer[i], UINT64_C(0x10000000000) * (i + 1) + 0x40000);
}

uint8_t *isa_at(const struct isa_memory *m, uint64_t address, uint32_t bytes, bool write)
{
    const uint32_t more = m->pieces && !write ? PIECE - 1 : 0;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct isa_region *r = &m->v[i];
        const uint32_t size = (r->size + more) & ~more;
        if (address >= r->base && address - r->base < size && size - (address - r->base) >= bytes)
            return write && !r->writable ? NULL : r->bytes + (address - r->base);
    }
    return NULL;
}

void isa_give(struct arena *a, const struct spv_case *c, const struct isa_memory *m,
              struct isa_result *out)
{
    out->memory = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
    out->memory_count = c->buffer_count;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        out->memory[i] = (struct spv_memory){.set = c->buffer[i].set,
                                             .binding = c->buffer[i].binding,
                                             .count = c->buffer[i].count,
                                             .words = arena_copy(a, m->v[i].bytes, m->v[i].size)};
}

bool isa_same_memory(const struct isa_result *x, const struct isa_result *y)
{
    for (uint32_t i = 0; i < x->memory_count; i++)
        if (memcmp(x->memory[i].words, y->memory[i].words,
                   x->memory[i].count * sizeof *x->memory[i].words) != 0)
            return false;
    return true;
}

uint8_t *isa_random_bytes(struct arena *a, struct rng *random_fill, size_t size)
{
    uint8_t *out = arena_room(a, size);
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t v = rng_next(random_fill);
        memcpy(out + i, &v, 8);
    }
    return out;
}

void isa_shared_room(struct arena *a, struct isa_shared *s, uint32_t size)
{
    *s = (struct isa_shared){.bytes = arena_room(a, size), .size = size};
}

void isa_shared_begin(struct isa_shared *s, struct rng *random_fill)
{
    s->random_fill = (struct rng){rng_next(random_fill)};
    s->made = false;
}

uint8_t *isa_shared(struct isa_shared *s)
{
    for (uint32_t i = 0; !s->made && i < s->size; i += 8) {
        const uint64_t v = rng_next(&s->random_fill);
        memcpy(s->bytes + i, &v, 8);
    }
    s->made = true;
    return s->bytes;
}
