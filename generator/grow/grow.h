// SPDX-License-Identifier: Apache-2.0
//
// Growth: choices -> tree.
#ifndef TF_GENERATOR_GROW_H
#define TF_GENERATOR_GROW_H

#include "tree/features.h"

#include "choices.h"

struct gen_program; // tree/tree.h

enum gen_profile { GEN_SMALL, GEN_DEFAULT, GEN_LARGE };
const char *gen_profile_name(enum gen_profile p);

struct gen_options {
    gen_features features; // that may be generated; 0: GEN_DEFAULT_FEATURES
    enum gen_profile profile;
    enum spv_stage stage;
    uint32_t subgroup;        // the size the case is made for, 4 .. 128
    uint32_t max_invocations; // of a workgroup, or pixels of a target (48 at least); 0: 128
    uint32_t inputs;          // input sets of the module, 1 ..
    enum spv_model model;
};

// The tree for these options, which leave nothing to a default. Never fails: any choices give one.
struct gen_program *gen_grow(struct gen_choices *c, const struct gen_options *o);
// The input words of `n` cases, one set after the other.
void gen_grow_inputs(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct spv_buffer *inputs);
// What a case draws: as in struct spv_case.
struct gen_cover {
    enum spv_cover kind;
    uint32_t n;
    uint16_t vertex[SPV_COVER_VERTICES][2];
};
// Of `n` cases of a fragment program; no pixel twice.
void gen_grow_covers(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct gen_cover *covers);

// A shape that is known to break compilers: its name, bug classes and what it is.
struct gen_idiom {
    const char *name, *line;
};
const struct gen_idiom *gen_idiom_row(uint32_t i); // NULL after the last; bit i of `idioms`

#endif
