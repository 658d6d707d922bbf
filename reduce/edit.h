// SPDX-License-Identifier: Apache-2.0
//
// The edit of a candidate (spirv_edit.h), what the passes ask of instructions, and what puts right
// what a change leaves behind. Inside of reduce.
#ifndef TF_REDUCE_EDIT_H
#define TF_REDUCE_EDIT_H

#include "inner.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"

enum { EDIT_NEW_IDS = 64 }; // largest number that one edit makes

void edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m);
// finish.c: the words, tidied, into e->c. False when the edit makes no sense.
bool edit_finish(struct spv_edit *e);

// tidy.c: false when there is no end to it.
bool tidy(struct spv_edit *e);

// ---- reading ---------------------------------------------------------------------------

// Changes nothing but its result, and no group operation.
bool inst_is_pure(uint32_t op);
bool inst_is_constant(uint32_t op); // OpConstant..., OpUndef
bool inst_is_type(uint32_t op);
// Where the labels that a terminator goes to stand among its operands.
struct spv_labels inst_labels(const struct spv_edit *e, const struct spv_node *x);
// The labels, with repetitions; how many. `out` has room for its operands.
uint32_t inst_targets(const struct spv_edit *e, const struct spv_node *x, uint32_t *out);

#endif
