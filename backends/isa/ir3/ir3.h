// SPDX-License-Identifier: Apache-2.0
//
// ir3: the machine code of Qualcomm's GPUs (Adreno 6xx and 7xx) as Turnip prints it, and a machine
// that runs it. Who is together follows from branches and the marks (jp): README.md.
#ifndef TF_IR3_H
#define TF_IR3_H

#include "isa/isa.h"

// Reads a program ("IR3 Assembly") for waves of `size` lanes, 1 to 128. Any text. NULL, with *why
// filled, when it is none or something in it is not known.
const struct isa_code *ir3_read(struct arena *a, const char *text, uint32_t size,
                                struct isa_result *why);

// ---- the table of operations (ir3_ops.def) ---------------------------------

struct ir3_row {
    const char *name;
    bool alu;              // one value a lane from those of the same lane
    const char *dst, *src; // types, see ir3_program.h
    const char *source;    // who says what it does
};
uint32_t ir3_rows(struct ir3_row *out, uint32_t max); // how many there are

#endif
