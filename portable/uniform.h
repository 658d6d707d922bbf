// SPDX-License-Identifier: Apache-2.0
//
// Static uniformity: which values may differ between the invocations of a workgroup, and which
// blocks some of them may leave out, over all paths and all inputs.
#ifndef TF_PORTABLE_UNIFORM_H
#define TF_PORTABLE_UNIFORM_H

#include "base/base.h"
#include "spirv/spirv.h"

enum por_level {
    POR_SAME,   // the same in the whole workgroup; a block: all invocations execute it together
    POR_GROUPS, // the same in each subgroup
    POR_DIFFER, // may differ in a subgroup
};

struct por_uniform {
    const struct spv_module *m;
    uint8_t *value; // [id] enum por_level
    uint8_t *block; // [block of the module] enum por_level
    uint32_t
        *because;     // [id] the operand (an id) that makes it differ; 0: the id itself is a source
    uint32_t *branch; // [block] the terminator that makes a part execute it; 0: the callers
    bool *ragged; // [function] the end of a call promises nothing: it returns in several places, or
                  // calls such a function
    // Control dependence: the blocks whose terminators decide whether block b is executed are
    // control[first[b]] .. control[first[b + 1] - 1] (Ferrante, Ottenstein and Warren).
    uint32_t *first, *control;
};

// Analyses a module. The result lives in `a`. A level is never too low for a program whose
// behaviour is defined: tests check that against runs. It may be too high.
struct por_uniform *por_uniform_of(struct arena *a, const struct spv_module *m);
// Control dependence only: fills `first` and `control` (uniform_control.c).
void por_control(struct arena *a, struct por_uniform *u);
// The condition or selector of a block's terminator; 0: it has none.
uint32_t por_condition(const struct spv_module *m, uint32_t block);
// The source of a value's level: follows `because` to an id without one.
uint32_t por_source(const struct por_uniform *u, uint32_t id);

#endif
