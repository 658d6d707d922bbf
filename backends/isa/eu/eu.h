// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of Intel's GPUs (gfx9 to Xe3) as Intel's disassembler
// (IGA) prints it. Each lane has an instruction pointer of its own: README.md.
#ifndef TF_EU_H
#define TF_EU_H

#include "isa/isa.h"

enum eu_gen { EU_GFX9, EU_GFX11, EU_GFX12, EU_GFX12_5, EU_XE2 };

// What the driver says about a shader. NULL: it says nothing.
struct eu_source {
    bool fragment;        // a fragment shader; else a compute shader or a kernel
    const char *assembly; // IGA's text of the code
    const char *own;      // the driver's own text: gfx9's align16 mode, which IGA prints as another
    const char *nir;      // ANV's "Final NIR": which binding each entry of the binding table is
    const char *push;     // ANV's "Shader push map" (before DG2)
    // IGC's "ze_info": the arguments of a kernel and where they are; and which buffers they are.
    const char *kernel;
    const struct eu_place {
        uint32_t set, binding;
    } *argument;
    uint32_t arguments;
};
// Reads a program for subgroups of `size` lanes: 8, 16 or 32. The texts may be any bytes. NULL with
// *why filled: not a program, or something unsupported.
const struct isa_code *eu_read(struct arena *a, const struct eu_source *s, enum eu_gen gen,
                               uint32_t size, struct isa_result *why);

// ---- the table of operations (eu_ops.def) ----------------------------------

struct eu_row {
    const char *name;
    uint32_t sources;
    bool alu, integers, floats; // computes each lane's result; of integers; of floats
    const char *source;         // documentation of the operation
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t eu_rows(struct eu_row *out, uint32_t max);

#endif
