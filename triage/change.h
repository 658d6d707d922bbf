// SPDX-License-Identifier: Apache-2.0
//
// Inside of change.c and change_rest.c.
#ifndef TF_TRIAGE_CHANGE_H
#define TF_TRIAGE_CHANGE_H

#include "construct.h"

// Kinds of constructs, those that tell most about an operation's place first.
enum { LOOP, CASES, CALL, TEST, KINDS };
// Of the construct that a block is the header of; -1 for none.
int change_kind(const struct spv_module *m, const struct spv_block *b);
// What a compiler changed where no group operation changed: where a branch goes, what an
// instruction works on. Nothing where it did more than a few of these.
void change_rest(const struct spv_module *x, const struct spv_module *y, struct text *t);

#endif
