// SPDX-License-Identifier: Apache-2.0
//
// Choices. Input: a seed or bytes. Output: numbers, and a record of bytes that reproduces the
// numbers.
//
// The record holds the outcome of a choice, not the random number that produced it, and each call
// site records one choice whatever the alternatives are. So a byte keeps its meaning when weights,
// budgets or lists before it change. Reduction by editing bytes depends on this.
#include "choices.h"

void gen_choices_seed(struct gen_choices *c, struct arena *a, uint64_t seed)
{
    *c = (struct gen_choices){.arena = a, .seeded = true, .seed = seed, .rng = {seed}};
}

void gen_choices_bytes(struct gen_choices *c, struct arena *a, const uint8_t *v, size_t n)
{
    *c = (struct gen_choices){.arena = a, .bytes = v, .count = n};
}

// Returns the next `size` bytes as a number, low byte first; zeros past the end.
static uint32_t next_bytes(struct gen_choices *c, unsigned size)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < size; i++, c->at++)
        if (c->at < c->count)
            v |= (uint32_t)c->bytes[c->at] << (8 * i);
    return v;
}

static uint32_t record(struct gen_choices *c, uint32_t v, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        *VEC_PUSH(c->arena, &c->record) = (uint8_t)(v >> (8 * i));
    return v;
}

uint32_t gen_choose(struct gen_choices *c, uint32_t n)
{
    CHECK(n >= 1);
    unsigned size = n <= 1u << 8 ? 1 : n <= 1u << 16 ? 2 : 4;
    uint32_t v = c->seeded ? rng_below(&c->rng, n) : next_bytes(c, size) % n;
    return record(c, v, size);
}

bool gen_chance(struct gen_choices *c, uint32_t percent)
{
    bool yes = c->seeded ? rng_below(&c->rng, 100) < percent : next_bytes(c, 1) & 1;
    // A fixed outcome stays fixed whatever the bytes contain.
    yes = percent == 0 ? false : percent >= 100 ? true : yes;
    return record(c, yes, 1);
}

uint32_t gen_weighted(struct gen_choices *c, const uint16_t *weights, uint32_t n)
{
    CHECK(n >= 1 && n <= 256);
    uint32_t sum = 0, first = n;
    for (uint32_t i = 0; i < n; i++) {
        sum += weights[i];
        if (weights[i] && first == n)
            first = i;
    }
    CHECK(sum > 0);
    uint32_t pick;
    if (c->seeded) {
        uint32_t left = rng_below(&c->rng, sum);
        for (pick = 0; left >= weights[pick]; pick++)
            left -= weights[pick];
    } else {
        pick = next_bytes(c, 1) % n;
        if (!weights[pick])
            pick = first;
    }
    return record(c, pick, 1);
}

uint32_t gen_span_open(struct gen_choices *c, enum gen_span_kind kind)
{
    uint32_t at = (uint32_t)c->record.n;
    *VEC_PUSH(c->arena, &c->spans) = (struct gen_span){at, at, c->depth++, (uint16_t)kind};
    return (uint32_t)c->spans.n - 1;
}

void gen_span_close(struct gen_choices *c, uint32_t index)
{
    CHECK(index < c->spans.n && c->depth == c->spans.v[index].depth + 1);
    c->spans.v[index].end = (uint32_t)c->record.n;
    c->depth--;
}

void gen_span_drop(struct gen_choices *c, uint32_t index)
{
    CHECK(index + 1 == c->spans.n && c->depth == c->spans.v[index].depth + 1);
    c->spans.n--;
    c->depth--;
}
