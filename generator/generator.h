// SPDX-License-Identifier: Apache-2.0
//
// generator: choices -> program tree -> SPIR-V words + dispatch + buffers = a case.
//
// The only source of randomness is a choice sequence (grow/choices.h). A seed, a fuzzer input, a
// reduced case and a replay are therefore all the same representation.
#ifndef TF_GENERATOR_H
#define TF_GENERATOR_H

#include "emit/emit.h"
#include "grow/grow.h"
#include "tree/tree_print.h"

// The same seed and version give the same bytes on every machine; whatever
// changes a module for a given choice sequence raises this.
enum { GEN_VERSION = 5 };

struct gen_made {
    struct gen_program *program;
    uint32_t case_count; // = inputs; they share words and differ in buffers
    struct spv_case *cases;
    const uint8_t *choices; // replays it
    size_t choice_count;
    const struct gen_span *spans;
    size_t span_count;
    gen_features used; // what is really in it
    uint64_t idioms;   // shapes that were put in on purpose, as bits (gen_idiom_row)
    struct gen_emitted emitted;
    bool free_choice; // what it means depends on what the implementation chooses (D3, M2)
    bool seeded;
    uint64_t seed; // when seeded
};

// Grows, checks and emits one program. Never fails: any choices give a valid,
// defined, terminating program. Everything lives in the arena of `c`.
void gen_make(struct gen_choices *c, const struct gen_options *o, struct gen_made *out);
// The simplest program for these options, which few things can fail on; `second`: a small one that
// is another.
void gen_make_simplest(struct arena *a, const struct gen_options *o, bool second,
                       struct gen_made *out);

// The `; from` line of its cases, which makes them again:
// "generator 2 seed=7 profile=default subgroup=8 max=128 inputs=2 features=0x3ffffff
// model=maximal choices 5f03...". gen_make has put it there; trailing zeros are left out.
void gen_from_line(const struct gen_made *m, const struct gen_options *o, struct text *out);
// Reads one back. False with what was wrong: not ours, another GEN_VERSION, damaged.
bool gen_from_read(struct arena *a, const char *line, struct gen_options *o,
                   const uint8_t **choices, size_t *n, struct err *e);

#endif
