// SPDX-License-Identifier: Apache-2.0
//
// Bits of words, and what combines two values in atomics and reductions.
#ifndef TF_ISA_BITS_H
#define TF_ISA_BITS_H

#include <stdint.h>

// The lowest of them, zeros above; and with the sign that the highest of them is.
static inline uint64_t isa_low(uint64_t v, uint32_t bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t isa_signed(uint64_t v, uint32_t bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

// `bits` bits from bit `at` on.
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

// Place of the highest one; -1: none.
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
    ISA_UINC, // one more, up to the operand, then 0
    ISA_UDEC, // one less, from the operand down
    ISA_XCHG,
};
// Of values of so many bits, zeros above them in `a` and `b`, as in the answer.
uint64_t isa_combined(enum isa_combine c, uint32_t bits, uint64_t a, uint64_t b);

#endif
