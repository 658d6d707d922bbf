// SPDX-License-Identifier: Apache-2.0
//
// Makes instructions of ops.def from lines of ACO's code. ACO uses LLVM's names of the oldest
// generation; the order of operands differs for memory, and operands that machine code implies
// (scc, exec, m0) are written out.
#include "aco_reader.h"

static struct amd_inst plain(const struct aco_line *l, uint32_t id)
{
    struct amd_inst in = amd_plain(l->line);
    in.id = (enum amd_id)id;
    return in;
}

struct amd_inst *aco_inst(struct aco_reader *r, const struct aco_line *l, uint32_t id)
{
    struct amd_inst *in = VEC_PUSH(r->a, &r->inst);
    *in = plain(l, id);
    return in;
}

// ---- operands --------------------------------------------------------------

static uint32_t undefined_register(struct aco_reader *r, bool vector)
{
    enum { MOST = 16 };
    uint32_t *end = vector ? &r->p->vectors : &r->p->scalars;
    if (!r->undefined[vector]) {
        r->undefined[vector] = *end;
        *end += MOST;
    }
    return r->undefined[vector];
}

bool aco_operand(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v,
                 char type, struct amd_operand *out)
{
    struct word t = v->text;
    *out = (struct amd_operand){.type = type, .neg = v->neg, .abs = v->abs};
    if (v->kind == VALUE_NUMBER) {
        const bool pi = word_is(t, "1/(2*PI)");
        const char *s = pi ? "0.15915494" : t.s;
        if (!amd_operand_read(s, pi ? strlen(s) : t.n, type, out) || out->kind != OPERAND_NUMBER)
            return word_refuse(r->why, l->line, "the number", t);
        out->type = type;
        out->neg |= v->neg;
        out->abs |= v->abs;
        return true;
    }
    out->kind = v->vector ? OPERAND_VECTOR : OPERAND_SCALAR;
    out->count = (uint8_t)((v->bytes + 3) / 4);
    if (v->kind == VALUE_UNDEFINED)
        out->reg = (uint16_t)undefined_register(r, v->vector);
    else if (r->temporary && v->id)
        out->reg = r->temp[v->id].reg;
    else
        out->reg = v->reg;
    const uint8_t byte = r->temporary && v->id ? 0 : v->byte;
    out->high = byte == 2;
    return (v->bytes <= 64 && byte % 2 == 0) ||
           isa_refuse(r->why, RAN_UNSUPPORTED, l->line, "a part of a register of %.*s",
                      (int)l->op.n, l->op.s);
}

// A register that the machine code implies.
static bool is_implied(const struct aco_value *v)
{
    return v->kind == VALUE_REGISTER && v->fixed &&
           (v->reg == REG_SCC || v->reg == REG_EXEC || v->reg == REG_M0) && !v->vector;
}

// ---- marks after the operands ----------------------------------------------

static bool number_after(struct word t, const char *name, int64_t *out)
{
    uint32_t v;
    const size_t n = strlen(name);
    if (!word_starts(t, name) || t.n == n)
        return false;
    const bool minus = t.s[n] == '-';
    if (!parse_u32(t.s + n + minus, t.n - n - minus, &v))
        return false;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

// "src0_sel:ubyte1", "dst_sel:dword"
static bool part_read(struct word t, struct amd_operand *o)
{
    static const char *const names[] = {"dword", "byte0", "byte1", "byte2",
                                        "byte3", "word0", "word1"};
    if (t.n > 1 && (*t.s == 's' || *t.s == 'u')) {
        o->sext = *t.s == 's';
        t = word_after(t, 1);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_is(t, names[i])) {
            o->part = (enum amd_part)i;
            return true;
        }
    return false;
}

static void swizzle_read(struct amd_inst *in, uint32_t v)
{
    if ((v & 0xe000) == 0xc000) {
        in->swizzle = SWIZZLE_ROTATE;
        in->and_mask = v >> 10 & 1;
        in->or_mask = v >> 5 & 31;
    } else if (v & 0x8000) {
        in->swizzle = SWIZZLE_QUAD;
        for (uint32_t i = 0; i < 4; i++)
            in->perm[i] = v >> 2 * i & 3;
    } else {
        in->swizzle = SWIZZLE_BITS;
        in->and_mask = v & 31;
        in->or_mask = v >> 5 & 31;
        in->xor_mask = v >> 10 & 31;
    }
}

// Marks without an effect on the machine: caches, the order of memory, hints.
static bool is_hint(struct word t)
{
    static const char *const starts[] = {"storage:", "semantics:", "scope:"};
    static const char *const words[] = {"disable_wqm",   "slc",        "dlc",    "nv",
                                        "non_temporal",  "device",     "memory", "se",
                                        "high_temporal", "may_use_lds"};
    bool yes = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        yes |= word_starts(t, starts[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        yes |= word_is(t, words[i]);
    return yes;
}

static bool mark_read(struct amd_inst *in, struct word t)
{
    const bool permlane = in->id == AMD_V_PERMLANE16_B32 || in->id == AMD_V_PERMLANEX16_B32;
    static const char *const shared[] = {
        "quad_perm:", "row_", "wave_", "dpp8:", "offset:", "offen", "clamp", "glc", "bank_mask:"};
    int64_t v;
    if (is_hint(t))
        return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (word_starts(t, shared[i]))
            return amd_modifier_read(in, t.s, t.n);
    if (number_after(t, "offset0:", &v)) {
        in->offset = (int32_t)v;
        return true;
    }
    if (number_after(t, "offset1:", &v)) {
        in->offset1 = (int32_t)v;
        return v >= 0 && v < 256;
    }
    if (word_is(t, "bound_ctrl:1") || word_is(t, "fi")) {
        const bool bound = *t.s == 'b';
        if (permlane)
            in->op_sel |= bound ? 2 : 1;
        else if (bound)
            in->bound = true;
        else
            in->fi = true;
        return true;
    }
    if (word_is(t, "atomic_return"))
        return in->glc = true;
    if (word_is(t, "opsel_hi"))
        return in->dst && (in->o[0].high = true);
    if (word_is(t, "*2") || word_is(t, "*4") || word_is(t, "*0.5"))
        return in->omod = t.s[1] == '2' ? 1 : t.s[1] == '4' ? 2 : 3, true;
    if (word_starts(t, "dst_sel:"))
        return in->dst && part_read(word_after(t, 8), &in->o[0]) &&
               (in->unused = in->o[0].sext ? UNUSED_SEXT : UNUSED_PAD, in->o[0].sext = false, true);
    if (word_is(t, "dst_preserve"))
        return in->unused = UNUSED_PRESERVE, true;
    if (word_starts(t, "src0_sel:") || word_starts(t, "src1_sel:"))
        return part_read(word_after(t, 9), &in->o[in->dst + (t.s[3] == '1')]);
    return false;
}

static bool marks_read(struct aco_reader *r, const struct aco_line *l, struct amd_inst *in)
{
    for (struct word t = l->rest; t.n;) {
        const char *blank = memchr(t.s, ' ', t.n);
        const struct word one = {t.s, blank ? (size_t)(blank - t.s) : t.n};
        t = word_after(t, one.n + (blank != NULL));
        int64_t v;
        if (number_after(one, "imm:", &v)) { // the last source
            const struct amd_operand number = {
                .kind = OPERAND_NUMBER, .type = 'k', .value = (uint64_t)(int64_t)(int16_t)v};
            if (in->n == AMD_OPERANDS)
                return aco_refuse(r, l, "the operands of");
            in->o[in->n++] = number;
        } else if (one.n && !mark_read(in, one)) {
            return word_refuse(r->why, l->line, "the mark", one);
        }
    }
    if (in->id == AMD_DS_SWIZZLE_B32) {
        swizzle_read(in, (uint32_t)in->offset);
        in->offset = 0;
    }
    return true;
}

// ---- the order of operands -------------------------------------------------

// The sources of a line in the order of the row. `off`: an operand that is not there.
struct ordered {
    const struct aco_value *src[8];
    uint32_t n;
    bool off[8];
};

// A product with a literal and a sum: ACO prints the literal last, machine code between the others.
static bool literal_is_factor(enum amd_id id)
{
    return id == AMD_V_FMAMK_F32 || id == AMD_V_FMAMK_F16 || id == AMD_V_MADMK_F32 ||
           id == AMD_S_FMAMK_F32;
}

static bool order(struct aco_reader *r, const struct aco_line *l, enum amd_id id,
                  struct ordered *out)
{
    const struct aco_value *v = l->src;
    const enum amd_unit unit = amd_ops[id].unit;
    uint32_t n = l->srcs;
    const bool buffer = unit == AMD_BUFFER || unit == AMD_BUFFER_ATOMIC;
    const bool global = unit == AMD_GLOBAL || unit == AMD_GLOBAL_ATOMIC || unit == AMD_SCRATCH;
    while (buffer && n > 3 && v[n - 1].kind == VALUE_UNDEFINED) // a store's unused operands
        n--;
    if (n > 7 || (buffer && n != 3 && n != 4) || (global && n != 2 && n != 3))
        return aco_refuse(r, l, "the operands of");
    if (buffer) { // descriptor, address, offset, data -> data, address, descriptor, offset
        if (n == 4)
            out->src[out->n++] = &v[3];
        out->off[out->n] = v[1].kind == VALUE_UNDEFINED;
        out->src[out->n++] = &v[1];
        out->src[out->n++] = &v[0];
        out->src[out->n++] = &v[2];
    } else if (global) { // address, base, data -> address, data, base
        out->off[out->n] = v[0].kind == VALUE_UNDEFINED;
        out->src[out->n++] = &v[0];
        if (n == 3)
            out->src[out->n++] = &v[2];
        out->off[out->n] = v[1].kind == VALUE_UNDEFINED;
        out->src[out->n++] = &v[1];
    } else {
        for (uint32_t i = 0; i < n; i++)
            out->src[out->n++] = &v[i];
        if (literal_is_factor(id) && n == 3) {
            out->src[1] = &v[2];
            out->src[2] = &v[1];
        }
    }
    return true;
}

// Operations whose last source is the destination's old value.
static bool accumulates(enum amd_id id)
{
    switch (id) {
    case AMD_S_MULK_I32:
    case AMD_S_ADDK_I32:
    case AMD_S_CMOVK_I32:
    case AMD_S_CMOV_B32:
    case AMD_S_CMOV_B64:
    case AMD_S_BITSET0_B32:
    case AMD_S_BITSET0_B64:
    case AMD_S_BITSET1_B32:
    case AMD_S_BITSET1_B64:
    case AMD_V_FMAC_F32:
    case AMD_V_MAC_F32:
    case AMD_V_FMAC_F16:
    case AMD_S_FMAC_F32:
    case AMD_S_FMAC_F16:
    case AMD_V_WRITELANE_B32:
        return true;
    default:
        return false;
    }
}

static bool packed_marks(struct amd_inst *in, const struct aco_value *v, uint32_t k)
{
    const uint8_t bit = (uint8_t)(1u << k);
    const enum amd_unit unit = amd_ops[in->id].unit;
    const bool mix = in->id >= AMD_V_FMA_MIX_F32 && in->id <= AMD_V_MAD_MIXHI_F16;
    if (unit == AMD_VPACK) {
        in->op_sel |= v->swizzle_lo ? bit : 0;
        in->op_sel_hi = (uint8_t)(in->op_sel_hi & ~(v->swizzle_hi ? 0 : bit));
        in->neg_lo |= v->neg_lo || v->neg ? bit : 0;
        in->neg_hi |= v->neg_hi || v->neg ? bit : 0;
        return !v->abs && !v->high && !v->low;
    }
    if (mix) {
        in->op_sel_hi |= v->high || v->low ? bit : 0;
        in->op_sel |= v->high ? bit : 0;
        return !v->neg_lo && !v->neg_hi;
    }
    in->op_sel |= v->high ? bit : 0;
    return !v->low && !v->neg_lo && !v->neg_hi && (!v->high || !amd_unit_in(unit, AMD_SCALARS));
}

// ---- instructions ----------------------------------------------------------

static bool find(const struct aco_line *l, struct amd_inst *in)
{
    char name[64];
    if (l->op.n >= sizeof name)
        return false;
    memcpy(name, l->op.s, l->op.n);
    name[l->op.n] = 0;
    // ACO names comparisons of integers as those of floats: "lg" is "ne".
    char *lg = strstr(name, "v_cmp_lg_");
    if (lg && (lg[9] == 'i' || lg[9] == 'u'))
        memcpy(lg + 6, "ne", 2);
    return amd_name_find(name, l->op.n, in) && !in->exec;
}

// Moves the implied operands of a temporary to or from their registers.
static bool implied_moves(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v,
                          bool before)
{
    const uint32_t first = (uint32_t)r->piece.n;
    struct aco_value there = *v;
    if (!r->temporary || !v->id || v->reg == REG_EXEC)
        return true;
    there.id = 0;
    if (!(before ? aco_move(r, l, &there, 0, v, 0, 4) : aco_move(r, l, v, 0, &there, 0, 4)))
        return false;
    aco_moved(r, l, first);
    return true;
}

static bool sources_read(struct aco_reader *r, const struct aco_line *l, const struct ordered *s,
                         struct amd_inst *in)
{
    const struct amd_op *op = &amd_ops[in->id];
    for (uint32_t k = 0; k < s->n; k++) {
        struct amd_operand *o = &in->o[in->n];
        if (in->n == AMD_OPERANDS || k >= strlen(op->src))
            return aco_refuse(r, l, "the operands of");
        const char type = op->src[k];
        // An integer of a packed operation has 32 bits.
        const struct word number = s->src[k]->text;
        const bool whole = op->unit == AMD_VPACK && number.n && !memchr(number.s, '.', number.n);
        if (s->off[k])
            *o = (struct amd_operand){.kind = OPERAND_OFF, .type = type};
        else if (!aco_operand(r, l, s->src[k], whole ? 'u' : type, o))
            return false;
        o->type = type;
        if (op->unit == AMD_VPACK)
            o->neg = false;
        if (!packed_marks(in, s->src[k], k) ||
            (!s->off[k] && !amd_operand_fits(r->p, in, o, false)))
            return aco_refuse(r, l, "the operands of");
        in->n++;
    }
    return true;
}

static bool destinations_read(struct aco_reader *r, const struct aco_line *l, uint32_t defs,
                              struct amd_inst *in)
{
    const struct amd_op *op = &amd_ops[in->id];
    in->dst = (uint32_t)strlen(op->dst);
    if (defs != in->dst)
        return aco_refuse(r, l, "the definitions of");
    for (uint32_t k = 0; k < defs; k++) {
        if (!aco_operand(r, l, &l->def[k], op->dst[k], &in->o[k]) ||
            !amd_operand_fits(r->p, in, &in->o[k], true))
            return r->why->status ? false : aco_refuse(r, l, "the definitions of");
        in->n++;
    }
    return true;
}

// The destination's old value is copied to it first, where it is not there already.
static bool old_value(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v)
{
    const uint32_t first = (uint32_t)r->piece.n;
    if (!l->defs || !aco_move(r, l, &l->def[0], 0, v, 0, l->def[0].bytes))
        return r->why->status ? false : aco_refuse(r, l, "the definitions of");
    aco_moved(r, l, first);
    return true;
}

bool aco_build(struct aco_reader *r, const struct aco_line *l)
{
    struct amd_inst in = {0};
    struct ordered s = {0};
    if (!find(l, &in))
        return aco_refuse(r, l, "the operation");
    const struct amd_op *op = &amd_ops[in.id];
    if (op->unit == AMD_SKIP)
        return true;
    if (op->unit == AMD_CONTROL && in.id != AMD_S_ENDPGM)
        return aco_refuse(r, l, "the operation");
    if (!order(r, l, in.id, &s))
        return false;
    const bool immediate = strchr(op->src, 'k') != NULL;
    const bool returns = op->unit == AMD_BUFFER_ATOMIC && l->defs == 1;
    const size_t wanted = strlen(op->src) - immediate + accumulates(in.id);
    uint32_t defs = l->defs;
    while (s.n > wanted && is_implied(s.src[s.n - 1]))
        if (!implied_moves(r, l, s.src[--s.n], true))
            return false;
    if (accumulates(in.id) && (s.n != wanted || !old_value(r, l, s.src[--s.n])))
        return r->why->status ? false : aco_refuse(r, l, "the operands of");
    if (immediate && accumulates(in.id) && s.n)
        return aco_refuse(r, l, "the operands of");
    if (returns) { // the register of the data gets the result
        if (!old_value(r, l, s.src[0]))
            return false;
        s.src[0] = &l->def[0];
        defs = 0;
    }
    while (defs > strlen(op->dst) && is_implied(&l->def[defs - 1]))
        defs--;
    in = plain(l, in.id);
    if (in.id >= AMD_V_FMA_MIX_F32 && in.id <= AMD_V_MAD_MIXHI_F16)
        in.op_sel_hi = 0;
    if (!destinations_read(r, l, defs, &in) || !sources_read(r, l, &s, &in) ||
        !marks_read(r, l, &in))
        return false;
    if (returns && !in.glc)
        return aco_refuse(r, l, "the result of");
    if (!amd_inst_fits(r->p, &in, r->why))
        return false;
    *VEC_PUSH(r->a, &r->inst) = in;
    for (uint32_t k = defs; k < l->defs && !returns; k++)
        if (!implied_moves(r, l, &l->def[k], false))
            return false;
    return true;
}
