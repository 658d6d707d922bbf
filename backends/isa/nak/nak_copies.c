// SPDX-License-Identifier: Apache-2.0
//
// Lines that copy several values, before NAK lowers them to single copies:
//   phi_src φ0 = rZ, φ1 = %r0        at the end of a block: phis, read at
//   phi_dst %r11 = φ0, %r12 = φ1     the start of the block that follows
//   par_copy r0 = r8, r6 = r0        all sources are read before a destination is written
//   r1 r0 = swap r0 r1               the same
// A phi is one register of each lane, so that the value may come by any path. Mesa's nak/ir.rs
// (OpPhiSrcs, OpPhiDsts, OpParCopy, OpSwap) describes them.
#include "nak_reader.h"

static const char phi_prefix[] = "\xcf\x86"; // φ

enum { MANY = 4096 }; // copies of a line

bool nak_copies_begin(const struct nak_reader *r, size_t i)
{
    return i < r->t.n && (word_is(r->t.v[i], "phi_src") || word_is(r->t.v[i], "phi_dst") ||
                          word_is(r->t.v[i], "par_copy"));
}

static bool is_phi(struct word t)
{
    return word_starts(t, phi_prefix);
}

static bool operand(struct nak_reader *r, struct word t, bool phi, bool destination,
                    struct nak_operand *out)
{
    const size_t k = sizeof phi_prefix - 1;
    uint32_t number;
    if (phi) {
        *out = (struct nak_operand){.kind = OPERAND_R, .type = 'V', .count = 1};
        out->reg = is_phi(t) && parse_u32(t.s + k, t.n - k, &number)
                       ? nak_files_extra(&r->files, number)
                       : UINT32_MAX;
        return out->reg != UINT32_MAX || word_refuse(r->why, r->line, "the phi", t);
    }
    if (!nak_operand_read(&r->files, t.s, t.n, 'V', out))
        return word_refuse(r->why, r->line, "the operand", t);
    const bool register_ = out->kind != OPERAND_NUMBER && out->kind != OPERAND_C;
    if (destination && (!register_ || out->neg || (out->kind == OPERAND_P && out->reg == PT)))
        return word_refuse(r->why, r->line, "the destination", t);
    return true;
}

static bool copy(struct nak_reader *r, const struct nak_operand *to, const struct nak_operand *from,
                 const struct nak_operand *guard)
{
    const struct nak_inst in = {
        .id = NAK_COPY,
        .line = r->line,
        .dst = 1,
        .n = 2,
        .o = {*to, *from},
        .guard = *guard,
        .uniform = to->kind == OPERAND_UR || to->kind == OPERAND_UP,
    };
    return nak_reader_add(r, &in);
}

// All sources are kept in registers that the code does not name, then written.
static bool parallel(struct nak_reader *r, size_t n, const struct nak_operand *to,
                     struct nak_operand *from, const struct nak_operand *guard)
{
    for (size_t i = 0; i < n; i++) {
        const struct nak_operand held = {.kind = OPERAND_R,
                                         .type = 'V',
                                         .count = 1,
                                         .reg = nak_files_extra(&r->files, UINT32_MAX)};
        if (!copy(r, &held, &from[i], guard))
            return false;
        from[i] = held;
    }
    for (size_t i = 0; i < n; i++)
        if (!copy(r, &to[i], &from[i], guard))
            return false;
    return true;
}

bool nak_copies_read(struct nak_reader *r, size_t at, const struct nak_operand *guard)
{
    const struct word name = r->t.v[at];
    const size_t n = (r->t.n - at - 1) / 3;
    const bool to_phi = word_is(name, "phi_src"), from_phi = word_is(name, "phi_dst");
    VEC(struct nak_operand) to = {0}, from = {0};
    if (r->t.n != at + 1 + 3 * n || n > MANY)
        return word_refuse(r->why, r->line, "the operands of", name);
    for (size_t i = 0; i < n; i++) {
        const struct word *t = &r->t.v[at + 1 + 3 * i];
        if (!word_is(t[1], "="))
            return word_refuse(r->why, r->line, "the operands of", name);
        if (!operand(r, t[0], to_phi, true, VEC_PUSH(r->a, &to)) ||
            !operand(r, t[2], from_phi, false, VEC_PUSH(r->a, &from)))
            return false;
    }
    if (!to_phi && !from_phi)
        return parallel(r, n, to.v, from.v, guard);
    // Phis differ from all values, so these copies cannot disturb each other.
    for (size_t i = 0; i < n; i++)
        if (!copy(r, &to.v[i], &from.v[i], guard))
            return false;
    return true;
}

bool nak_swap_read(struct nak_reader *r, size_t at, size_t equals, const struct nak_operand *guard)
{
    const struct word *t = r->t.v;
    struct nak_operand to[2], from[2];
    if (equals != at + 2 || r->t.n != equals + 4)
        return word_refuse(r->why, r->line, "the operands of", t[equals + 1]);
    for (size_t i = 0; i < 2; i++)
        if (!operand(r, t[at + i], false, true, &to[i]) ||
            !operand(r, t[equals + 2 + i], false, false, &from[i]))
            return false;
    return parallel(r, 2, to, from, guard);
}
