// SPDX-License-Identifier: Apache-2.0
//
// What the rows of ops.def say, in numbers. Private to backends/isa/.
#ifndef TF_AMD_ALU_H
#define TF_AMD_ALU_H

#include "isa/isa_bits.h"
#include "isa/isa_float.h"
#include "program.h"

struct amd_alu {
    uint64_t a, b, c;     // sources, as their types have them
    uint64_t d;           // what the destination held
    uint64_t r;           // answer; bits beyond its type are whatever they are
    uint64_t below;       // the lanes before this one
    uint64_t exec, lanes; // exec, and all lanes that a wave has
    bool scc;             // of scalars; of VCARRY and VCMP the lane's bit
};
// AMD_SALU and AMD_SCMP: fills r, scc, exec.
void amd_scalar_value(enum amd_id id, struct amd_alu *x);
// AMD_VALU, AMD_VCMP, AMD_VCARRY, AMD_VPACK (for one half): fills r, scc.
void amd_vector_value(enum amd_id id, struct amd_alu *x);

#endif
