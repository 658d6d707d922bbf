// SPDX-License-Identifier: Apache-2.0
//
// Inside of change.c, change_place.c and change_rest.c.
#ifndef TF_DIAGNOSE_CHANGE_H
#define TF_DIAGNOSE_CHANGE_H

#include "construct.h"

// Of the construct that a block is the header of; -1 for none.
int change_kind(const struct spv_module *m, const struct spv_block *b);

// Where an instruction stands.
struct place {
    uint8_t to[DIAG_CONSTRUCT_COUNT]; // enum diag_side
    bool apart[DIAG_CONSTRUCT_COUNT]; // behind a selection of the kind, where nobody joins
    uint32_t ifs, ifs_before;         // selections around it, and before it
};
// `wrapped`: the call around all (change_wrapped) does not count.
void change_place(struct arena *a, const struct spv_module *m, uint32_t inst, bool wrapped,
                  struct place *out);
// Does the entry point nothing but call one function, which nobody else calls?
bool change_wrapped(const struct spv_module *m);
// Does the operation work on what was computed in a loop before it, or on what it reads of a
// variable that was written there?
bool change_is_left(struct arena *a, const struct spv_module *m, uint32_t inst);
// What a compiler changed where no group operation changed: where a branch goes, what an
// instruction works on. Nothing where it did more than a few of these.
void change_rest(const struct spv_module *x, const struct spv_module *y, struct diag_change *out);

#endif
