// SPDX-License-Identifier: Apache-2.0
//
// Reads sources and writes destinations.
#include "isa/isa_places.h"
#include "machine.h"

#include <string.h>

// The constants of a kernel of CUDA. Buffer 2 has tables of ptxas. Buffer 0 has the parameters:
// addresses of buffers, then the numbers of workgroups. The stack's start and the descriptor of
// global memory, which no operation here uses, are 0.
static bool parameter(struct nak_machine *m, uint32_t buffer, uint32_t byte, uint32_t *out)
{
    const struct cuda_source *s = m->p->cuda;
    const uint32_t at = byte - m->p->parameters_at, groups = at - 8 * s->buffers;
    const uint32_t descriptor = s->sm && s->sm < 90 ? 0x118 : 0x208;
    *out = 0;
    if (buffer == 2 && byte % 4 == 0 && byte < m->p->table_bytes) {
        memcpy(out, m->p->table + byte, 4);
        return true;
    }
    if (buffer == 0 && (byte == 0x28 || byte == descriptor || byte == descriptor + 4))
        return true;
    if (buffer == 0 && byte % 4 == 0 && byte >= m->p->parameters_at && at < 8 * s->buffers) {
        const struct cuda_place *b = &s->buffer[at / 8];
        const uint32_t i = spv_buffer_index(m->c, b->set, b->binding);
        if (i != UINT32_MAX)
            *out = (uint32_t)(m->memory.v[i].base >> (at % 8 ? 32 : 0));
        return true;
    }
    if (buffer == 0 && byte % 4 == 0 && byte >= m->p->parameters_at && groups < 12) {
        *out = m->c->groups[groups / 4];
        return true;
    }
    return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "the constant c[0x%x][0x%x]", buffer,
                      byte);
}

bool nak_constant_word(struct nak_machine *m, uint32_t buffer, uint32_t byte, uint32_t *out)
{
    if (m->p->cuda)
        return parameter(m, buffer, byte, out);
    const bool beyond = byte % 4 || (buffer && byte >= m->c->buffer_count * ISA_DESCRIPTOR);
    const uint8_t *at = beyond ? NULL : isa_nvk_constant(&m->memory, buffer, byte, 4);
    if (!at)
        return isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "the constant c[0x%x][0x%x]", buffer,
                          byte);
    memcpy(out, at, 4);
    return true;
}

static const uint32_t *all(uint32_t v, uint32_t room[LANES])
{
    for (uint32_t l = 0; l < LANES; l++)
        room[l] = v;
    return room;
}

const uint32_t *nak_words(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                          uint32_t k, uint32_t room[LANES])
{
    uint32_t v = 0;
    switch (o->kind) {
    case OPERAND_R:
        return w->r[nak_register(o, k)];
    case OPERAND_UR:
        return all(w->ur[nak_register(o, k)], room);
    case OPERAND_C:
        if (o->index != NO_REGISTER) {
            isa_refuse(m->out, RAN_UNSUPPORTED, m->q.line, "a constant indexed by a register");
            return NULL;
        }
        return nak_constant_word(m, o->reg, o->value + 4 * k, &v) ? all(v, room) : NULL;
    default:
        return all(k ? 0 : o->value, room);
    }
}

void nak_values(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                uint64_t out[LANES])
{
    uint32_t room[LANES];
    const bool pair = o->type == 'd' || (o->type == 'q' && o->count == 2);
    const uint32_t *low = nak_words(m, w, o, 0, room);
    memset(out, 0, LANES * sizeof *out);
    if (!low)
        return;
    // A number is the upper half of a 64-bit float.
    const bool upper = o->type == 'd' && o->kind == OPERAND_NUMBER;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = upper ? (uint64_t)low[l] << 32 : low[l];
    if (pair && !upper) {
        const uint32_t *high = nak_words(m, w, o, 1, room);
        for (uint32_t l = 0; high && l < LANES; l++)
            out[l] |= (uint64_t)high[l] << 32;
    }
    const uint64_t sign = o->type == 'd'   ? UINT64_C(1) << 63
                          : o->type == 'h' ? 0x80008000
                                           : 0x80000000;
    if (o->swizzle)
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t h =
                (uint32_t)(o->swizzle == 1 ? out[l] & 0xffff : out[l] >> 16 & 0xffff);
            out[l] = h | h << 16;
        }
    for (uint32_t l = 0; l < LANES; l++) {
        if (o->abs)
            out[l] &= ~sign;
        if (o->neg)
            out[l] = o->type == 'b' ? (uint32_t)~out[l] : out[l] ^ sign;
    }
}

uint32_t nak_predicate(const struct nak_warp *w, const struct nak_operand *o)
{
    const uint32_t v = o->kind == OPERAND_UP  ? w->up[o->reg]
                       : o->kind == OPERAND_P ? w->p[o->reg]
                                              : UINT32_MAX;
    return o->neg ? ~v : v;
}

void nak_write(struct nak_warp *w, const struct nak_operand *o, uint32_t k, uint32_t lanes,
               const uint32_t v[LANES])
{
    if (o->kind == OPERAND_UR) {
        w->ur[nak_register(o, k)] = v[lowest_lane(lanes)];
    } else if (o->kind == OPERAND_R) {
        uint32_t *r = w->r[nak_register(o, k)];
        for (uint32_t l = 0; l < LANES; l++)
            r[l] = lanes >> l & 1 ? v[l] : r[l];
    }
}

void nak_write_bits(struct nak_warp *w, const struct nak_operand *o, uint32_t lanes, uint32_t bits)
{
    if (o->kind == OPERAND_UP)
        w->up[o->reg] = bits >> lowest_lane(lanes) & 1 ? UINT32_MAX : 0;
    else if (o->kind == OPERAND_P)
        w->p[o->reg] = (w->p[o->reg] & ~lanes) | (bits & lanes);
}

const uint32_t *nak_any(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                        uint32_t room[LANES])
{
    if (o->kind == OPERAND_B)
        return w->b[o->reg];
    if (o->kind != OPERAND_P && o->kind != OPERAND_UP)
        return nak_words(m, w, o, 0, room);
    const uint32_t bits = nak_predicate(w, o);
    for (uint32_t l = 0; l < LANES; l++)
        room[l] = bits >> l & 1;
    return room;
}

void nak_write_any(struct nak_warp *w, const struct nak_operand *o, uint32_t lanes,
                   const uint32_t v[LANES])
{
    uint32_t bits = 0;
    for (uint32_t l = 0; l < LANES; l++)
        bits |= (uint32_t)(v[l] != 0) << l;
    for (uint32_t l = 0; o->kind == OPERAND_B && l < LANES; l++)
        if (lanes >> l & 1)
            w->b[o->reg][l] = v[l];
    nak_write(w, o, 0, lanes, v);
    nak_write_bits(w, o, lanes, bits);
}
