// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of Apple's GPUs (M1 and M2, "AGX2") as Mesa's Honeykrisp
// prints it. Each lane has a counter of nesting, which decides whether it is active: README.md.
#ifndef TF_AGX_H
#define TF_AGX_H

#include "isa/isa.h"

// Reads what Honeykrisp prints while it compiles a compute shader (AGX_MESA_DEBUG=shaders): the
// machine code, and that of its preamble. Other text is skipped. The text may be any bytes. NULL
// with *why filled: no machine code, several shaders, or something unsupported.
const struct isa_code *agx_read(struct arena *a, const char *text, struct isa_result *why);

// ---- the table of operations (agx_ops.def) ---------------------------------

struct agx_row {
    const char *name;
    bool alu;             // computes each lane's result from values of the same lane
    const char *operands; // see agx_program.h
    const char *source;   // documentation of the operation
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t agx_rows(struct agx_row *out, uint32_t max);

#endif
