// SPDX-License-Identifier: Apache-2.0
//
// Bit fields of words, and the combining operations of atomics and reductions.
#ifndef TF_ISA_BITS_H
#define TF_ISA_BITS_H

#include "base/base.h"

// Returns the low `bits` bits of v, zero-extended or sign-extended.
static inline uint64_t isa_low(uint64_t v, uint32_t bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t isa_signed(uint64_t v, uint32_t bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

// Returns the `bits` bits of v that start at bit `at`.
static inline uint64_t isa_field(uint64_t v, uint64_t at, uint64_t bits)
{
    return isa_low(v >> at, (uint32_t)bits);
}

static inline uint64_t isa_reversed(uint64_t v, uint32_t bits)
{
    uint64_t out = 0;
    for (uint32_t i = 0; i < bits; i++)
        out |= (v >> i & 1) << (bits - 1 - i);
    return out;
}

// Returns the position of the highest one bit; -1 if v is 0.
static inline uint64_t isa_highest(uint64_t v)
{
    return v ? 63 - (uint64_t)__builtin_clzll(v) : UINT64_MAX;
}

enum isa_combine {
    ISA_IADD,
    ISA_ISUB,
    ISA_IMUL,
    ISA_IMIN,
    ISA_IMAX,
    ISA_UMIN,
    ISA_UMAX,
    ISA_IAND,
    ISA_IOR,
    ISA_IXOR,
    ISA_FADD,
    ISA_FMUL,
    ISA_FMIN,
    ISA_FMAX,
    ISA_UINC, // increments up to the operand, then wraps to 0
    ISA_UDEC, // decrements to 0, then wraps to the operand
    ISA_XCHG,
};
// Combines two values of `bits` bits. `a`, `b` and the result are zero-extended.
uint64_t isa_combined(enum isa_combine c, uint32_t bits, uint64_t a, uint64_t b);
// Returns the value that a reduction starts with; for operations that reductions use.
uint64_t isa_identity(enum isa_combine c, uint32_t bits);

enum isa_scan { ISA_REDUCE, ISA_INCLUSIVE_SCAN, ISA_EXCLUSIVE_SCAN };
// Combines the values of the lanes of `on` in ascending order, separately in each cluster of
// `cluster` lanes. Writes out[] of these lanes. `out` may be `v`.
void isa_scanned(enum isa_scan scan, enum isa_combine c, uint32_t bits, uint32_t cluster,
                 lane_mask on, const uint64_t *v, uint64_t *out);

#endif
