// SPDX-License-Identifier: Apache-2.0
//
// The rows of nir_ops.def as a table, and the check of operands against their types.
#include "nir_program.h"

#include <string.h>

// An operation with a name is printed as an intrinsic, unless it computes a value from others.
#define IS_INTRINSIC(unit)                                                                         \
    ((unit) != UNIT_VALUE && (unit) != UNIT_ALU && (unit) != UNIT_DEREF && (unit) != UNIT_PACK)

const struct nir_op nir_ops[NIR_IDS] = {
#define ALU(id, name, dst, src, value) {name, UNIT_ALU, dst, src, "", "", false},
#define OTHER(id, name, unit, dst, src, attributes, drivers)                                       \
    {name, unit, dst, src, attributes, drivers, IS_INTRINSIC(unit)},
#include "nir_ops.def"
};

uint32_t nir_rows(struct nir_row *out, uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < NIR_IDS; i++) {
        if (!*nir_ops[i].name)
            continue;
        if (n < max)
            out[n] = (struct nir_row){nir_ops[i].name, nir_ops[i].unit == UNIT_ALU, nir_ops[i].dst,
                                      nir_ops[i].src};
        n++;
    }
    return n;
}

// What the letters of a row stand for in one instruction.
struct letters {
    uint32_t n, f;             // bits, 0: not known yet
    uint32_t bits, components; // of V
};

static bool same(uint32_t *known, uint32_t v)
{
    if (!*known)
        *known = v;
    return *known == v;
}

// `wide`: a bool may also have 32 bits.
static bool fits(char type, uint32_t bits, uint32_t components, uint32_t expected, bool wide,
                 struct letters *l)
{
    switch (type) {
    case 'V':
        return same(&l->bits, bits) && same(&l->components, components);
    case 'W':
        return true;
    case 'B':
        return bits >= 32 && components <= 4;
    default:
        break;
    }
    if (components != expected)
        return false;
    switch (type) {
    case 'n':
        return same(&l->n, bits);
    case 'f':
        return bits >= 16 && same(&l->f, bits);
    case 'x':
        return true;
    case '1':
        return bits == 1 || (wide && bits == 32);
    case '8':
        return bits == 8;
    case 'w':
        return bits == 16;
    case 'u':
        return bits == 32;
    default: // 'q'
        return bits == 64;
    }
}

static bool value_fits(const struct nir_program *p, const struct nir_inst *in)
{
    const struct nir_def *d = &p->def[in->def];
    if (in->id == NIR_PHI) {
        for (uint32_t i = 0; i < in->srcs; i++)
            if (p->def[in->src[i].def].bits != d->bits ||
                p->def[in->src[i].def].components != d->components)
                return false;
        return true;
    }
    if (nir_ops[in->id].unit == UNIT_PACK) {
        const struct nir_def *s = &p->def[in->src[0].def];
        return s->bits * in->src[0].count == d->bits * d->components && s->bits != d->bits;
    }
    if (in->id != NIR_LOAD_CONST && in->id != NIR_UNDEFINED) // vecN
        return d->components == in->srcs && p->def[in->src[0].def].bits == d->bits;
    return true;
}

bool nir_types_fit(const struct nir_program *p, const struct nir_inst *in, struct isa_result *why)
{
    const struct nir_op *op = &nir_ops[in->id];
    struct letters l = {0};
    const struct nir_def *d = in->def == NIR_NO_DEF ? NULL : &p->def[in->def];
    const uint32_t components = op->unit == UNIT_ALU && d ? d->components : 1;
    // Bools of 32 bits are 0 and all ones.
    const bool wide = p->driver == NIR_PANVK || p->driver == NIR_ANV || p->driver == NIR_LAVAPIPE ||
                      p->driver == NIR_V3DV;
    const bool wide_result = wide && p->driver != NIR_PANVK && op->unit == UNIT_GROUP;
    bool ok = !*op->dst == !d;
    const bool own = in->id == NIR_PHI || op->unit == UNIT_DEREF || in->id == NIR_LOAD_PARAM;
    ok = ok && (own || in->srcs == strlen(op->src));
    for (uint32_t i = 0; ok && i < in->srcs && !own; i++)
        ok = fits(op->src[i], p->def[in->src[i].def].bits, in->src[i].count, components, wide, &l);
    ok = ok && (!d || fits(*op->dst, d->bits, d->components, components, wide_result, &l));
    ok = ok && ((op->unit != UNIT_VALUE && op->unit != UNIT_PACK) || value_fits(p, in));
    return ok || isa_refuse(why, RAN_INVALID, in->line, "operands of %.60s", op->name);
}
