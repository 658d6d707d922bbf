// SPDX-License-Identifier: Apache-2.0
//
// Shared by change.c, change_place.c and change_rest.c.
#ifndef TF_DIAGNOSE_CHANGE_H
#define TF_DIAGNOSE_CHANGE_H

#include "construct.h"

// Returns the diag_construct whose header a block is; -1 for none.
int change_kind(const struct spv_module *m, const struct spv_block *b);

// Where an instruction stands.
struct place {
    uint8_t to[DIAG_CONSTRUCT_COUNT];    // enum diag_side
    bool diverged[DIAG_CONSTRUCT_COUNT]; // after a selection of that kind at whose merge block no
                                         // lanes join
    uint32_t ifs, ifs_before;            // number of selections around it, and before it
    bool returns;                        // DIAG_WAY_OUT of a loop: by a return
};
// Fills *out for instruction `inst`. `wrapped`: ignore the outermost call (change_wrapped).
void change_place(struct arena *a, const struct spv_module *m, uint32_t inst, bool wrapped,
                  struct place *out);
// Reports whether the entry point only calls one function, which has no other call.
bool change_wrapped(const struct spv_module *m);
// Reports whether the operation's operand was computed in a loop before it, or is loaded from a
// variable that was written there.
bool change_is_left(struct arena *a, const struct spv_module *m, uint32_t inst);
// For a module whose group operations did not change: finds a changed branch target or operand.
// Leaves *out unset if the compiler changed more than a few of these.
void change_rest(const struct spv_module *x, const struct spv_module *y, struct diag_change *out);

#endif
