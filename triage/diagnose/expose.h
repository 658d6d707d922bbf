// SPDX-License-Identifier: Apache-2.0
//
// A case with one more buffer, to which its code stores values for a probe: some words for each
// invocation, by GlobalInvocationId.x. Private to the room.
#ifndef TF_DIAGNOSE_EXPOSE_H
#define TF_DIAGNOSE_EXPOSE_H

#include "spirv/spirv_edit.h"

enum { EXPOSE_OPERANDS = 6 };
struct exposing {
    struct spv_edit e;
    uint32_t invocations;       // of the dispatch
    uint32_t binding;           // of the buffer, in set 0
    uint32_t buffer, global;    // variables: the buffer, GlobalInvocationId
    uint32_t decorations, code; // insert before these nodes; the caller sets `code`
};
// Starts the edit of module `m` of case `c`, and declares the buffer. False if the case has the
// maximum number of buffers, or is not 1 to 4,096 invocations wide in x.
bool expose_open(struct exposing *r, struct arena *a, const struct spv_case *c,
                 const struct spv_module *m);
// Inserts an instruction with at most EXPOSE_OPERANDS operands before `code`; returns its result.
uint32_t expose_value(struct exposing *r, SpvOp op, uint32_t type, const uint32_t *v, uint32_t n);
// Inserts code that computes the pointer to the invocation's word `k` of `words`; returns it.
uint32_t expose_element(struct exposing *r, uint32_t words, uint32_t k);
// Writes the module. The case's first buffer is the new one: `words` zeroes for each invocation.
void expose_close(struct exposing *r, uint32_t words, struct spv_case *out);

#endif
