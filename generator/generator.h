// SPDX-License-Identifier: Apache-2.0
//
// Program generator. Input: a choice sequence (grow/choices.h) and options. Output: one program
// tree, its SPIR-V module, and one case per input set (module, dispatch, buffers).
//
// The choice sequence is the only source of randomness. So a seed, a fuzzer input, a reduced case
// and a replay all have the same representation.
#ifndef TF_GENERATOR_H
#define TF_GENERATOR_H

#include "emit/emit.h"
#include "enumerate/enumerate.h"
#include "grow/grow.h"
#include "tree/tree_print.h"

// The same seed and version produce the same bytes on every machine. Raise this number with every
// change that alters the module of an existing choice sequence.
enum { GEN_VERSION = 8 };

struct gen_made {
    struct gen_program *program;
    uint32_t case_count; // number of input sets; the cases share their words and differ in buffers
    struct spv_case *cases;
    const uint8_t *choices; // the recorded choices: they replay the program
    size_t choice_count;
    const struct gen_span *spans;
    size_t span_count;
    gen_features used; // the features that the program uses
    uint64_t patterns; // shapes that growth inserted on purpose, as bits (gen_pattern_row)
    struct gen_emitted emitted;
    bool digest;      // it logs as a digest
    bool free_choice; // the result depends on a choice of the implementation (D3, M2)
    bool seeded;
    uint64_t seed; // valid if `seeded`
};

// Grows, checks and emits one program. Never fails: any choices yield a valid, defined, terminating
// program. `features`, `max_invocations` and `inputs` may be 0 for their defaults; `subgroup` must
// be a power of two, 4 .. 128. Allocates everything in the arena of `c`.
void gen_make(struct gen_choices *c, const struct gen_options *o, struct gen_made *out);
// Generates the simplest program for these options, in which few things can fail. `second`: a
// different small program (profile small, seed 0).
void gen_make_simplest(struct arena *a, const struct gen_options *o, bool second,
                       struct gen_made *out);

// Makes the program of a number of an enumeration (enumerate/enumerate.h), with the options'
// subgroup size, inputs and model, which must be complete. It has no choices. Its cases' `; from`
// line is "enumeration 1 number=42 stage=compute subgroup=4 inputs=2 model=maximal: SKETCH".
void gen_make_number(struct arena *a, const struct enumeration *all, uint64_t number,
                     const struct gen_options *o, struct gen_made *out);

// Writes the `; from` line of the cases, from which they can be regenerated: "generator 5 seed=7
// profile=default subgroup=8 max=128 inputs=2 features=0x3ffffff model=maximal choices 5f03...".
// Leaves out trailing zero choices. gen_make has already stored the line in the cases.
void gen_from_line(const struct gen_made *m, const struct gen_options *o, struct text *out);
// Parses such a line; ignores its seed, because the choices are complete. False with a message in
// `e` if another tool wrote it, its GEN_VERSION differs, or it is damaged.
bool gen_from_read(struct arena *a, const char *line, struct gen_options *o,
                   const uint8_t **choices, size_t *n, struct err *e);

#endif
