// SPDX-License-Identifier: Apache-2.0
//
// The combining operations of atomics and reductions.
#include "isa_bits.h"
#include "isa_float.h"

static uint64_t combined(enum isa_combine c, uint32_t bits, uint64_t a, uint64_t b)
{
    const int64_t x = isa_signed(a, bits), y = isa_signed(b, bits);
    switch (c) {
    case ISA_IADD:
        return a + b;
    case ISA_ISUB:
        return a - b;
    case ISA_IMUL:
        return a * b;
    case ISA_IMIN:
        return x < y ? a : b;
    case ISA_IMAX:
        return x > y ? a : b;
    case ISA_UMIN:
        return a < b ? a : b;
    case ISA_UMAX:
        return a > b ? a : b;
    case ISA_IAND:
        return a & b;
    case ISA_IOR:
        return a | b;
    case ISA_IXOR:
        return a ^ b;
    case ISA_FADD:
        return isa_rounded(isa_number(a, bits) + isa_number(b, bits), bits);
    case ISA_FMUL:
        return isa_rounded(isa_number(a, bits) * isa_number(b, bits), bits);
    case ISA_FMIN:
        return isa_least(a, b, bits);
    case ISA_FMAX:
        return isa_greatest(a, b, bits);
    case ISA_UINC:
        return a >= b ? 0 : a + 1;
    case ISA_UDEC:
        return !a || a > b ? b : a - 1;
    case ISA_XCHG:
        return b;
    }
    return 0;
}

uint64_t isa_combined(enum isa_combine c, uint32_t bits, uint64_t a, uint64_t b)
{
    return isa_low(combined(c, bits, a, b), bits);
}
