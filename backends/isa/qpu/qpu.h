// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of Broadcom's GPUs (VideoCore VII, V3D 7.1) as Mesa's
// v3dv prints it. Which lanes run together is in the code itself: README.md.
#ifndef TF_QPU_H
#define TF_QPU_H

#include "isa/isa.h"

// Reads what v3dv prints while it compiles a shader (V3D_DEBUG=cs): the code with its uniforms, and
// the intermediate code, which shows the places of buffers. The text may be any bytes. NULL with
// *why filled: not a program, or something unsupported.
const struct isa_code *qpu_read(struct arena *a, const char *text, struct isa_result *why);

// v3dv's intermediate code between its passes (VIR), `text`, and what is needed to read it.
struct qpu_vir_texts {
    // The intermediate code before it, after a line "Just before v3d_compile: MESA_SHADER_".
    const char *nir;
    // VIR before it, and the machine code after it: they show numbers that VIR prints as "-nan".
    // NULL: none.
    const char *before, *machine;
    const char *text;
};
// Reads VIR. NULL with *why filled, as above.
const struct isa_code *qpu_vir_read(struct arena *a, const struct qpu_vir_texts *x,
                                    struct isa_result *why);

// ---- the table of operations (qpu_ops.def) ---------------------------------

struct qpu_row {
    const char *name;
    bool alu;           // computes each lane's result from values of the same lane
    const char *units;  // A add, M multiply
    const char *types;  // of result and sources, see qpu_program.h
    const char *source; // documentation of the operation
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t qpu_rows(struct qpu_row *out, uint32_t max);

#endif
