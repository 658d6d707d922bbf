// SPDX-License-Identifier: Apache-2.0
//
// Choices: the only source of randomness. Any bytes are a valid sequence, zero is always the
// simplest choice, and reading past the end yields zeros.
#ifndef TF_GENERATOR_CHOICES_H
#define TF_GENERATOR_CHOICES_H

#include "base/base.h"

// The range of the recorded sequence that produced one part of the tree.
struct gen_span {
    uint32_t first, end; // bytes of `record`
    uint16_t depth;      // number of spans around it
    uint16_t kind;       // enum gen_span_kind
};
enum gen_span_kind {
    GEN_SPAN_CASE,  // the entire sequence
    GEN_SPAN_SETUP, // swarm, sizes, inputs
    GEN_SPAN_FUNCTION,
    GEN_SPAN_BLOCK, // a list of statements
    GEN_SPAN_STMT,  // one statement, with its choice "one more?"
    GEN_SPAN_EXPR,
};

struct gen_choices {
    struct arena *arena;
    bool seeded;   // true: choices come from `rng`; false: from `bytes`
    uint64_t seed; // initial seed of `rng`
    struct rng rng;
    const uint8_t *bytes;
    size_t count, at;
    VEC(uint8_t) record; // replays this run: gen_choices_bytes(record) yields the same tree
    VEC(struct gen_span) spans;
    uint16_t depth;
};
void gen_choices_seed(struct gen_choices *c, struct arena *a, uint64_t seed);
void gen_choices_bytes(struct gen_choices *c, struct arena *a, const uint8_t *v, size_t n);
// Returns a number 0 .. n-1, n >= 1. Records one byte for n <= 256, two for n <= 65536, otherwise
// four. It records one for n = 1 too, so that later choices keep their places when a list shrinks.
uint32_t gen_choose(struct gen_choices *c, uint32_t n);
// True in about `percent` of 100 cases if seeded; never for 0, always for 100 or more. False is the
// simpler choice. Replayed from one byte.
bool gen_chance(struct gen_choices *c, uint32_t percent);
// Returns the index of a weight, drawn in proportion (if seeded). Never draws a zero weight; at
// least one must be positive. Replayed from one byte.
uint32_t gen_weighted(struct gen_choices *c, const uint16_t *weights, uint32_t n);
uint32_t gen_span_open(struct gen_choices *c, enum gen_span_kind kind); // returns its index
void gen_span_close(struct gen_choices *c, uint32_t index);
void gen_span_drop(struct gen_choices *c, uint32_t index); // removes the newest span, which
                                                           // produced nothing

#endif
