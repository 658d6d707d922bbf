// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the rows of ops.def. Private to backends/isa/.
#ifndef TF_AMD_ALU_H
#define TF_AMD_ALU_H

#include "isa/isa_bits.h"
#include "isa/isa_float.h"
#include "program.h"

struct amd_alu {
    uint64_t a, b, c;     // sources, extended by their types
    uint64_t d;           // old value of the destination
    uint64_t r;           // result; bits above its type are arbitrary
    uint64_t below;       // mask of the lanes below this one
    uint64_t exec, lanes; // exec, and all lanes of a wave
    bool scc;             // scalars: scc; VCARRY and VCMP: the lane's bit
};
// For AMD_SALU and AMD_SCMP: sets r, scc and exec.
void amd_scalar_value(enum amd_id id, struct amd_alu *x);
// For AMD_VALU, AMD_VCMP, AMD_VCARRY and AMD_VPACK (one half): sets r and scc.
void amd_vector_value(enum amd_id id, struct amd_alu *x);

#endif
