// SPDX-License-Identifier: Apache-2.0
//
// Growth: turns choices into a program tree.
#ifndef TF_GENERATOR_GROW_H
#define TF_GENERATOR_GROW_H

#include "tree/features.h"

#include "choices.h"

struct gen_program; // tree/tree.h

enum gen_profile { GEN_SMALL, GEN_DEFAULT, GEN_LARGE };
const char *gen_profile_name(enum gen_profile p);

// The default of gen_options.max_invocations: for compute shaders, and for draws. Workgroups above
// the second are rare (grow_case.c).
enum { GEN_INVOCATIONS = 256, GEN_INVOCATIONS_USUAL = 128 };

// How a program logs. The log of a stage with helpers, and under a model that leaves results
// undefined, is always entries.
enum gen_log {
    GEN_LOG_ENTRIES, // each entry is stored
    GEN_LOG_DIGEST,  // one word for each invocation, computed from the entries: fewer stores
    GEN_LOG_MIXED,   // entries for one seed in sixteen, else a digest
};
enum { GEN_LOGS = 3 };
const char *gen_log_name(enum gen_log l);

struct gen_options {
    gen_features features; // features that may be generated; 0: the default of the stage
    enum gen_profile profile;
    enum spv_stage stage;
    uint32_t subgroup;        // subgroup size that the case is generated for, 4 .. 128
    uint32_t max_invocations; // of a workgroup, or of a target in pixels (at least 48); 0: default
    uint32_t inputs;          // number of input sets of the module, 1 ..
    enum spv_model model;
    enum gen_log log;
};

// Grows the tree. The options must be complete (no defaults left). Never fails: any choices yield a
// tree.
struct gen_program *gen_grow(struct gen_choices *c, const struct gen_options *o);
// Fills the input words of `n` cases, one set after the other.
void gen_grow_inputs(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct spv_buffer *inputs);
// What one case draws; the fields are those of struct spv_case.
struct gen_cover {
    enum spv_cover kind;
    uint32_t n;
    uint16_t vertex[SPV_COVER_VERTICES][2];
};
// Draws the covers of `n` cases of a fragment program. No pixel is covered twice.
void gen_grow_covers(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct gen_cover *covers);

// A shape that is known to break compilers: its name, and a line with its bug classes and
// pseudo-code.
struct gen_pattern {
    const char *name, *line;
};
const struct gen_pattern *gen_pattern_row(uint32_t i); // NULL after the last; i is also its bit
                                                       // number in gen_made

#endif
