// SPDX-License-Identifier: Apache-2.0
//
// Reads sources (registers, constants, numbers) and writes destinations.
#include "ir3_machine.h"

#include <string.h>

static uint32_t half_of(uint32_t word, uint32_t k)
{
    return k & 1 ? word >> 16 : word & 0xffff;
}

static void put_half(uint32_t *word, uint32_t k, uint32_t v)
{
    *word = k & 1 ? (*word & 0xffff) | v << 16 : (*word & 0xffff0000) | (v & 0xffff);
}

bool ir3_source(struct ir3_machine *m, const struct ir3_wave *w, const struct ir3_inst *in,
                const struct ir3_operand *o, uint32_t k, char type, uint32_t wide, lane_mask on,
                uint32_t out[LANES_MAX])
{
    const uint32_t at = o->reg + (o->steps ? k : 0), width = o->half ? 16 : wide;
    const struct isa_span lanes = isa_span(on);
    uint32_t all = 0;
    switch (o->kind) {
    case OPERAND_OWN: {
        const uint32_t *row = w->r[o->half ? at / 2 : at];
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = o->half ? half_of(row[l], at) : row[l];
        break;
    }
    case OPERAND_CONSTANT:
        if (!m->known[at])
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "the undefined constant c%u.%c",
                              at / 4, "xyzw"[at % 4]);
        all = o->half ? ir3_demoted(type, m->constant[at]) : m->constant[at];
        break;
    case OPERAND_SHARED:
        all = o->half ? half_of(w->s[at / 2], at) : w->s[at];
        break;
    case OPERAND_NUMBER:
        all = width == 16 ? o->value & 0xffff : o->value;
        break;
    case OPERAND_PREDICATE:
    case OPERAND_NONE:
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "this kind of source");
    }
    for (uint32_t l = lanes.first; o->kind != OPERAND_OWN && l <= lanes.last; l++)
        out[l] = all;
    if (o->neg || o->abs)
        ir3_negate(type == 'h' || type == 'w' ? 's' : type, width, o->neg, o->abs, lanes, out);
    return true;
}

void ir3_write(struct ir3_wave *w, const struct ir3_operand *o, uint32_t k, lane_mask on,
               const uint32_t v[LANES_MAX])
{
    const uint32_t at = o->reg + k;
    if (!on)
        return;
    switch (o->kind) {
    case OPERAND_OWN: {
        uint32_t *row = w->r[o->half ? at / 2 : at];
        const struct isa_span lanes = isa_span(on);
        if (o->half)
            LANES_EACH (l, on)
                put_half(&row[l], at, v[l]);
        else if (lanes.whole)
            memcpy(row + lanes.first, v + lanes.first,
                   (lanes.last - lanes.first + 1) * sizeof *row);
        else
            LANES_EACH (l, on)
                row[l] = v[l];
        break;
    }
    case OPERAND_SHARED:
        if (o->half)
            put_half(&w->s[at / 2], at, v[lane_first(on)]);
        else
            w->s[at] = v[lane_first(on)];
        break;
    case OPERAND_PREDICATE:
        w->p[at] &= ~on;
        LANES_EACH (l, on)
            w->p[at] |= (lane_mask)(v[l] != 0) << l;
        break;
    case OPERAND_CONSTANT:
    case OPERAND_NUMBER:
    case OPERAND_NONE:
        break;
    }
}
