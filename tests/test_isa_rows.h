// SPDX-License-Identifier: Apache-2.0
//
// Answers of a machine's operations against those of LLVM.
#ifndef TF_TEST_ISA_ROWS_H
#define TF_TEST_ISA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

// The same word of a type: 'd', 'f' or a half of 'h' or 'e', where any NaN is one; else bit by bit.
static inline bool rows_same(char type, uint64_t x, uint64_t y)
{
    const int exponent = type == 'd' ? 52 : type == 'f' ? 23 : 10;
    const uint64_t all = type == 'd' ? 2047 : type == 'f' ? 255 : 31;
    if ((type != 'd' && type != 'f' && type != 'h' && type != 'e') || (x >> exponent & all) != all ||
        !(x << (64 - exponent)))
        return x == y;
    return (y >> exponent & all) == all && y << (64 - exponent);
}

#endif
