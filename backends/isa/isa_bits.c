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

uint64_t isa_identity(enum isa_combine c, uint32_t bits)
{
    const uint64_t top = UINT64_C(1) << (bits - 1);
    switch (c) {
    case ISA_IMUL:
        return 1;
    case ISA_IMIN:
        return top - 1;
    case ISA_IMAX:
        return top;
    case ISA_UMIN:
    case ISA_IAND:
        return isa_low(UINT64_MAX, bits);
    case ISA_FADD: // 0 as in SPIR-V, not -0
        return 0;
    case ISA_FMUL:
        return isa_rounded(1, bits);
    case ISA_FMIN:
        return isa_rounded((double)INFINITY, bits);
    case ISA_FMAX:
        return isa_rounded(-(double)INFINITY, bits);
    default:
        return 0;
    }
}

void isa_scanned(enum isa_scan scan, enum isa_combine c, uint32_t bits, uint32_t cluster,
                 lane_mask on, const uint64_t *v, uint64_t *out)
{
    for (uint32_t at = 0; on; at += cluster) {
        const lane_mask part = on & (lanes_below(cluster) << at);
        uint64_t sum = 0;
        bool any = false;
        LANES_EACH (lane, part) {
            const uint64_t own = v[lane], before = any ? sum : isa_identity(c, bits);
            sum = any ? isa_combined(c, bits, sum, own) : own;
            any = true;
            out[lane] = scan == ISA_EXCLUSIVE_SCAN ? before : sum;
        }
        if (scan == ISA_REDUCE)
            LANES_EACH (lane, part)
                out[lane] = sum;
        on &= ~part;
    }
}
