// SPDX-License-Identifier: Apache-2.0
//
// Emission: tree -> SPIR-V words -> case.
#ifndef TF_GENERATOR_EMIT_H
#define TF_GENERATOR_EMIT_H

#include "base/base.h"
#include "spirv/spirv.h"

struct gen_program; // tree/tree.h

// Bindings of set 0, and places among the buffers of the case.
enum { GEN_INPUTS, GEN_LOG, GEN_LANES, GEN_HEAP, GEN_BUFFERS };

// One group operation of a program, as it stands in the module.
struct gen_placed {
    uint32_t id;      // of its result
    const char *name; // of the operation, and of the element type ("" for u32)
    const char *type;
    uint32_t width; // components
    uint32_t depth; // constructs of its function around it
};
// Instructions of a block that do nothing but show what the program did: the log, the lane
// mapping.
struct gen_harness {
    uint32_t label, count;
};
// What stands where in the words.
struct gen_emitted {
    const struct gen_placed *ops;
    uint32_t op_count;
    const struct gen_harness *harness;
    uint32_t harness_count;
};

// The case of a tree that gen_check finds nothing wrong with: words, dispatch, buffers and images.
// The contents of GEN_INPUTS and the cover of a fragment program are left to the caller.
void gen_emit(const struct gen_program *p, struct arena *a, enum spv_model model,
              struct spv_case *c, struct gen_emitted *out);

#endif
