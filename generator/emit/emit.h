// SPDX-License-Identifier: Apache-2.0
//
// Emission: turns a program tree into SPIR-V words and a case.
#ifndef TF_GENERATOR_EMIT_H
#define TF_GENERATOR_EMIT_H

#include "base/base.h"
#include "spirv/spirv.h"

struct gen_program; // tree/tree.h

// Bindings of set 0, and indices of the case's buffers.
enum { GEN_INPUTS, GEN_LOG, GEN_LANES, GEN_HEAP, GEN_BUFFERS };

// One group operation of the program, and its place in the module.
struct gen_placed {
    uint32_t id;      // id of its result
    const char *name; // names of the operation and of the element type ("" for u32)
    const char *type;
    uint32_t width; // components
    uint32_t depth; // number of constructs around it in its function
};
// Instructions of a block that only record what the program did: the log, the lane mapping.
struct gen_harness {
    uint32_t label, count;
};
// Where operations and harness code are in the words.
struct gen_emitted {
    const struct gen_placed *ops;
    uint32_t op_count;
    const struct gen_harness *harness;
    uint32_t harness_count;
};

// Emits a tree that has passed gen_check as a case: words, dispatch, buffers and images. The caller
// fills in the contents of GEN_INPUTS and the cover of a fragment program.
void gen_emit(const struct gen_program *p, struct arena *a, enum spv_model model,
              struct spv_case *c, struct gen_emitted *out);

#endif
