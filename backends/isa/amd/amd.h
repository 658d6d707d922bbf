// SPDX-License-Identifier: Apache-2.0
//
// amd: the machine code of AMD's GPUs as LLVM disassembles it, and a machine that runs it. Exec
// masks say who is together.
#ifndef TF_AMD_H
#define TF_AMD_H

#include "isa/isa.h"

// The generations that are known, oldest first.
enum amd_gen {
    AMD_GFX9,    // Vega
    AMD_GFX10,   // RDNA 1
    AMD_GFX10_3, // RDNA 2
    AMD_GFX11,   // RDNA 3, 3.5
    AMD_GFX12,   // RDNA 4
};
// From a name of the chip that stands in `device` ("AMD Radeon Graphics (RADV NAVI31)", "gfx1100").
// False for one that is not known.
bool amd_gen_of(const char *device, enum amd_gen *out);

// What a driver says of one shader; each NUL-terminated, NULL where it does not.
struct amd_source {
    const char *nir;      // the last intermediate code: which argument is which
    const char *ir;       // the back end's: which register each argument arrives in
    const char *assembly; // the machine code, disassembled by LLVM
    // Or LLVM's own assembly of a kernel `main` (gfx10 to gfx12), whose globals of these names are
    // the case's buffers, and `tf.groups` the size of the dispatch.
    bool llvm;
    const struct amd_global {
        const char *name;
        uint32_t set, binding;
    } *global;
    uint32_t globals;
};

// Reads a program for waves of `wave` lanes (32 or 64). Any text. NULL, with *why filled, when it
// is none or something in it is not known.
const struct isa_code *amd_read(struct arena *a, const struct amd_source *s, enum amd_gen gen,
                                uint32_t wave, struct isa_result *why);

// ---- the table of operations (ops.def) -------------------------------------

struct amd_row {
    const char *names;   // of all generations, with blanks between them
    const char *section; // of AMD's instruction set manuals
};
uint32_t amd_rows(struct amd_row *out, uint32_t max); // how many there are

#endif
