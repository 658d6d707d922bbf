// SPDX-License-Identifier: Apache-2.0
//
// Shared by the float files: reading an operand of a lane as an exact number, and writing a result.
#ifndef TF_ORACLE_FLOAT_H
#define TF_ORACLE_FLOAT_H

#include "exact.h"
#include "execute.h"

struct exact float_operand(const struct inst *i, const struct values *v, uint32_t plane,
                           uint32_t lane);
// Writes the bits of a result in one lane. False if the result is undefined. The sign of a zero is
// undefined unless `zero` is set.
bool float_put(const struct values *v, uint32_t plane, uint32_t lane, struct exact r,
               unsigned width, bool zero);

// Sums of products (OpDot, matrix products): cell k is the sum of a[a + t * a_step] * b[b + t *
// b_step].
struct terms {
    uint32_t count, a, a_step, b, b_step;
};
struct terms float_terms(const struct inst *i, uint32_t k);

// float_convert.c: conversions, and GLSL.std.450 with results of another shape.
bool convert_run(const struct inst *i, const struct values *v);      // false: not implemented here
void convert_run_glsl(const struct inst *i, const struct values *v); // what float.def does not have

#endif
