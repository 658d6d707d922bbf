// SPDX-License-Identifier: Apache-2.0
//
// Computes one element of a result; the names that the rows of gallivm_ops.def use.
#include "gallivm_program.h"

#include "isa/isa_float.h"

static uint64_t quotient(int64_t a, int64_t b)
{
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static uint64_t remainder_of(int64_t a, int64_t b)
{
    return b == -1 ? 0 : (uint64_t)(a % b);
}

static uint64_t of_unsigned(uint64_t a, uint32_t n)
{
    return n == 32 ? isa_of_single((float)a) : isa_rounded((double)a, n);
}

static uint64_t of_signed(int64_t a, uint32_t n)
{
    return n == 32 ? isa_of_single((float)a) : isa_rounded((double)a, n);
}

#define S(v) isa_signed(v, s)
#define F(v) isa_number(v, s)
#define R(v) isa_rounded(v, n)

uint64_t gv_element(enum gv_op op, uint32_t n, uint32_t s, uint64_t a, uint64_t b, uint64_t c,
                    uint64_t random_fill)
{
    switch (op) {
#define BINARY(id, name, value)                                                                    \
    case GV_##id:                                                                                  \
        return isa_low(value, n);
#define CAST(id, name, value)     BINARY(id, name, value)
#define FUNCTION(id, name, value) BINARY(id, name, value)
#define COMPARE(id, name, value)                                                                   \
    case GV_##id:                                                                                  \
        return value;
#define FCOMPARE(id, name, value) COMPARE(id, name, value)
#include "gallivm_ops.def"
    default:
        CHECK(!"a row");
        return 0;
    }
}
