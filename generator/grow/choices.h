// SPDX-License-Identifier: Apache-2.0
//
// Choices, the only source of randomness: any bytes are a valid sequence, zero is always the
// simplest choice, and reading past the end yields zeros.
#ifndef TF_GENERATOR_CHOICES_H
#define TF_GENERATOR_CHOICES_H

#include "base/base.h"

// A stretch of the recorded sequence that made one part of the tree.
struct gen_span {
    uint32_t first, end; // bytes of `record`
    uint16_t depth;      // spans inside which it lies
    uint16_t kind;       // enum gen_span_kind
};
enum gen_span_kind {
    GEN_SPAN_CASE,  // all of it
    GEN_SPAN_SETUP, // swarm, sizes, inputs
    GEN_SPAN_FUNCTION,
    GEN_SPAN_BLOCK, // a list of statements
    GEN_SPAN_STMT,  // one statement, with its "one more?"
    GEN_SPAN_EXPR,
};

struct gen_choices {
    struct arena *arena;
    bool seeded;   // from rng; else from bytes
    uint64_t seed; // what rng started from
    struct rng rng;
    const uint8_t *bytes;
    size_t count, at;
    VEC(uint8_t) record; // what replays this run: gen_choices_bytes(record) gives the same tree
    VEC(struct gen_span) spans;
    uint16_t depth;
};
void gen_choices_seed(struct gen_choices *c, struct arena *a, uint64_t seed);
void gen_choices_bytes(struct gen_choices *c, struct arena *a, const uint8_t *v, size_t n);
// A number 0 .. n-1, n >= 1. One recorded byte for n <= 256 (for n = 1 too, so
// that what follows stays where it is when a list shrinks), two for n <= 65536,
// four above.
uint32_t gen_choose(struct gen_choices *c, uint32_t n);
// True with about `percent` in 100 when seeded, never for 0, always for 100 and
// more; false is the simple one. Replayed from one byte.
bool gen_chance(struct gen_choices *c, uint32_t percent);
// Index of a weight, drawn in proportion (seeded); zero weights are never drawn;
// at least one is positive. Replayed from one byte.
uint32_t gen_weighted(struct gen_choices *c, const uint16_t *weights, uint32_t n);
uint32_t gen_span_open(struct gen_choices *c, enum gen_span_kind kind); // returns its index
void gen_span_close(struct gen_choices *c, uint32_t index);
void gen_span_drop(struct gen_choices *c, uint32_t index); // nothing came of it, the newest

#endif
