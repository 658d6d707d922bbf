// SPDX-License-Identifier: Apache-2.0
//
// Float results that are not exact, for runs with a trace. They are computed with the host's
// arithmetic in double precision and rounded to the result's width: one of the values that an
// implementation may return. Never used for an expectation. The public functions are in execute.h.
#ifndef TF_ORACLE_ROUNDED_H
#define TF_ORACLE_ROUNDED_H

#include "float.h"

// The number that bits of a float of 16, 32 or 64 bits stand for, and the bits of a number.
double rounded_number(uint64_t bits, unsigned width);
uint64_t rounded_bits(double d, unsigned width);
// The number in a plane, of the width of the instruction's operands.
double rounded_operand(const struct inst *i, const struct values *v, uint32_t plane, uint32_t lane);
// A component of an instruction of GLSL.std.450 for one lane. False: no value.
bool rounded_glsl(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                  uint64_t *bits);

#endif
