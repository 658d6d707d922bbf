// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the rows of qpu_ops.def for all lanes. Floats have 32 bits.
#include "isa/isa_bits.h"
#include "isa/isa_float.h"
#include "qpu_machine.h"

#include <math.h>
#include <string.h>

// Names of the rows' expressions.
#define S(v)     ((int32_t)(v))
#define F(v)     ((double)isa_single(v))
#define R(v)     isa_of_single((float)(v))
#define NO_CARRY 0 // refused by the reader
#define HALF(a, b, op, at)                                                                         \
    (uint32_t)(isa_of_half(isa_half((a) >> (at) & 0xffff) op isa_half((b) >> (at) & 0xffff))       \
               << (at))
#define HALVES(op) (HALF(a, b, op, 0) | HALF(a, b, op, 16))

static uint32_t least(uint32_t a, uint32_t b)
{
    return (uint32_t)isa_least(a, b, 32);
}

static uint32_t greatest(uint32_t a, uint32_t b)
{
    return (uint32_t)isa_greatest(a, b, 32);
}

static uint32_t halves(uint32_t a, uint32_t b, uint64_t pick(uint64_t, uint64_t, uint32_t))
{
    return (uint32_t)(pick(a & 0xffff, b & 0xffff, 16) | pick(a >> 16, b >> 16, 16) << 16);
}

// ---- operands and results ------------------------------------------------------------

static uint32_t unpacked(uint32_t v, enum qpu_unpack u)
{
    switch (u) {
    case UNPACK_NONE:
        break;
    case UNPACK_ABS:
        return v & 0x7fffffff;
    case UNPACK_LOW:
        return R(isa_half(v & 0xffff));
    case UNPACK_HIGH:
        return R(isa_half(v >> 16));
    case UNPACK_BOTH_LOW:
        return (v & 0xffff) * 0x10001;
    case UNPACK_BOTH_HIGH:
        return (v >> 16) * 0x10001;
    case UNPACK_SWAP:
        return v << 16 | v >> 16;
    case UNPACK_HALVES:
        return (uint32_t)isa_of_half(F(v)) * 0x10001;
    }
    return v;
}

static void operand(const struct qpu_thread *t, const struct qpu_operand *o, uint32_t *out)
{
    for (uint32_t l = 0; l < QPU_LANES; l++)
        out[l] = unpacked(o->immediate ? o->v : t->r[o->v][l], o->unpack);
}

// The reader refuses what this does not know.
static uint32_t carry(enum qpu_id id, uint32_t a, uint32_t b)
{
    switch ((int)id) {
#define ALU(id, name, units, types, value, carry, source)                                          \
    case QPU_##id:                                                                                 \
        return carry;
#define OTHER(id, name, units, types, source)
#include "qpu_ops.def"
    }
    return 0;
}

// A comparison: not even two NaN are equal, and less or equal is its carry.
static bool compared(char on, uint32_t a, uint32_t b)
{
    return on == 'z' ? F(a) == F(b) : on == 'n' ? F(a) < F(b) : F(a) <= F(b);
}

static lanes16 flags(const struct qpu_alu *x, const uint32_t *a, const uint32_t *b,
                     const uint32_t *out)
{
    lanes16 flag = 0;
    for (uint32_t l = 0; l < QPU_LANES; l++) {
        const bool set = x->id == QPU_FCMP ? compared(x->on, a[l], b[l])
                         : x->on == 'z'    ? !out[l]
                         : x->on == 'n'    ? out[l] >> 31
                                           : carry(x->id, a[l], b[l]);
        flag |= (lanes16)set << l;
    }
    return flag;
}

// ---- rows -------------------------------------------------------------------------

static void evaluate(enum qpu_id id, const uint32_t *x, const uint32_t *y, uint32_t *out)
{
    switch ((int)id) {
#define ALU(id, name, units, types, value, carry, source)                                          \
    case QPU_##id:                                                                                 \
        for (uint32_t l = 0; l < QPU_LANES; l++) {                                                 \
            const uint32_t a = x[l], b = y[l];                                                     \
            (void)b;                                                                               \
            out[l] = value;                                                                        \
        }                                                                                          \
        break;
#define OTHER(id, name, units, types, source)
#include "qpu_ops.def"
    }
}

// The product of 32 bits is that of the low 24, which umul24 computes, and the rest, which multop
// computes before it.
static uint32_t low24(uint32_t a, uint32_t b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

void qpu_compute(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_alu *x,
                 uint32_t *out, lanes16 *flag)
{
    qpu_row a = {0}, b = {0};
    operand(t, &x->src[0], a);
    operand(t, &x->src[1], b);
    if (qpu_ops[x->id].alu)
        evaluate(x->id, a, b, out);
    else if (x->id == QPU_MULTOP)
        for (uint32_t l = 0; l < QPU_LANES; l++)
            t->rtop[l] = a[l] * b[l] - low24(a[l], b[l]);
    else if (x->id == QPU_UMUL24)
        for (uint32_t l = 0; l < QPU_LANES; l++) {
            out[l] = low24(a[l], b[l]) + t->rtop[l];
            t->rtop[l] = 0;
        }
    else
        qpu_between(m, t, x, a, b, out);
    *flag = x->flag ? flags(x, a, b, out) : 0;
}
