// SPDX-License-Identifier: Apache-2.0
//
// Floats as the machines compute with them.
#ifndef TF_ISA_FLOAT_H
#define TF_ISA_FLOAT_H

#include <stdint.h>

// Half floats, exact in a double.
double isa_half(uint64_t bits);
uint64_t isa_to_half(double v); // to the nearest, ties to even
// To a whole number of 1 to 64 bits, towards zero; the nearest there is for one too large, 0 for
// none.
uint64_t isa_to_unsigned(double v, int bits);
uint64_t isa_to_signed(double v, int bits);

#endif
