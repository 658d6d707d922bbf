// SPDX-License-Identifier: Apache-2.0
//
// Edits of a candidate (spirv_edit.h): queries about instructions, and the clean-up after an edit.
// Private to reduce.
#ifndef TF_REDUCE_EDIT_H
#define TF_REDUCE_EDIT_H

#include "inner.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"

enum { EDIT_NEW_IDS = 64 }; // most ids that one edit may create

void edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m);
// finish.c: cleans up and writes the words to e->c. False if the edit cannot be repaired.
bool edit_finish(struct spv_edit *e);

// Cleans up after an edit. False if the edit cannot be repaired, or if the clean-up does not
// converge.
bool cleanup(struct spv_edit *e);

// ---- reading ---------------------------------------------------------------------------

// True if the instruction has no effect but its result, and is not a group operation.
bool inst_is_pure(uint32_t op);
bool inst_is_constant(uint32_t op); // OpConstant..., OpUndef
bool inst_is_type(uint32_t op);
// Returns where the labels are among a terminator's operands.
struct spv_labels inst_labels(const struct spv_edit *e, const struct spv_node *x);
// Writes the labels, with repetitions, to `out`; returns their number. `out` must have space for
// all operands.
uint32_t inst_targets(const struct spv_edit *e, const struct spv_node *x, uint32_t *out);

#endif
