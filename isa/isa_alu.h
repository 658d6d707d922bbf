// SPDX-License-Identifier: Apache-2.0
//
// What the rows of isa_ops.def say, in numbers. Private to isa/.
#ifndef TF_ISA_ALU_H
#define TF_ISA_ALU_H

#include "isa_program.h"

struct isa_alu {
    uint64_t a, b, c; // sources, as their types have them
    uint64_t d;       // what the destination held
    uint64_t r;       // answer; bits beyond its type are whatever they are
    uint64_t below;   // the lanes before this one
    uint64_t exec, lanes; // exec, and all lanes that a wave has
    bool scc;             // of scalars; of VCARRY and VCMP the lane's bit
};
// ISA_SALU and ISA_SCMP: fills r, scc, exec.
void isa_scalar_value(enum isa_id id, struct isa_alu *x);
// ISA_VALU, ISA_VCMP, ISA_VCARRY, ISA_VPACK (for one half): fills r, scc.
void isa_vector_value(enum isa_id id, struct isa_alu *x);

// Half floats, exact in a double.
double isa_half(uint64_t bits);
uint64_t isa_to_half(double v); // to the nearest, ties to even

#endif
