// SPDX-License-Identifier: Apache-2.0
//
// nak: the machine code of NVIDIA's GPUs (Volta and later) as NAK, the compiler of NVK, prints it
// before it is encoded, and a machine that runs it. Who is together is what branches and
// convergence barriers make of it.
#ifndef TF_NAK_H
#define TF_NAK_H

#include "isa/isa.h"

// What the driver says of one shader; each NUL-terminated, NULL where it does not.
struct nak_source {
    const char *nir;      // the last intermediate code: of what the text leaves out
    const char *assembly; // "NAK assembly"
};

// Reads a program. Any text. NULL, with *why filled, when it is none or something in it is not
// known.
const struct isa_code *nak_read(struct arena *a, const struct nak_source *s,
                                struct isa_result *why);

// ---- the table of operations (ops.def) -------------------------------------

struct nak_row {
    const char *name;   // without its modifiers
    const char *mods;   // those that it may have
    const char *source; // who says what it does
};
uint32_t nak_rows(struct nak_row *out, uint32_t max); // how many there are

#endif
