// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of NVIDIA's GPUs (Volta and later) as NAK, NVK's
// compiler, prints it before encoding. Branches and convergence barriers determine which lanes run
// together.
#ifndef TF_NAK_H
#define TF_NAK_H

#include "isa/isa.h"

// What the driver reports about one shader. Strings end in NUL; NULL if not reported.
struct nak_source {
    const char *nir;      // the last intermediate code: shows what the text omits; needed
    const char *assembly; // "NAK assembly"
};

// Reads a program for warps of 32 lanes. The texts may be any bytes. NULL with *why filled: a text
// is NULL, not a program, or contains something unsupported.
const struct isa_code *nak_read(struct arena *a, const struct nak_source *s,
                                struct isa_result *why);

// A kernel of CUDA. Its parameters: the addresses of the buffers, then the three numbers of
// workgroups.
struct cuda_source {
    const char *text; // PTX, or what nvdisasm prints
    const struct cuda_place {
        uint32_t set, binding;
    } *buffer;
    uint32_t buffers;
    uint32_t sm; // of SASS: 75, 80, 86, 89, 90; 0: 90
};
// Reads PTX with masks that the program computes, as print_ptx writes it (cuda_ptx.c).
const struct isa_code *ptx_read(struct arena *a, const struct cuda_source *s,
                                struct isa_result *why);
// Reads SASS, the machine code that ptxas compiles it to, as nvdisasm prints it (cuda_sass.c).
const struct isa_code *sass_read(struct arena *a, const struct cuda_source *s,
                                 struct isa_result *why);

// ---- the table of operations (ops.def) -------------------------------------

struct nak_row {
    const char *name;   // without modifiers
    const char *mods;   // the allowed modifiers
    const char *source; // documentation of the operation
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t nak_rows(struct nak_row *out, uint32_t max);

#endif
