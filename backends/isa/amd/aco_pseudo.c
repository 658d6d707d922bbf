// SPDX-License-Identifier: Apache-2.0
//
// ACO's own operations (p_...): copies, vectors of registers, reductions, hints. What an operation
// of ops.def computes is made from that.
#include "aco_reader.h"

#include "isa/isa_bits.h"

// ---- moves -----------------------------------------------------------------

static bool number_bytes(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v,
                         uint32_t bytes, uint64_t *out)
{
    struct amd_operand o;
    const bool hex = v->text.n > 2 && v->text.s[1] == 'x';
    if (bytes != 8 && bytes != 4 && bytes != 2 && bytes != 1)
        return aco_refuse(r, l, "the number of bytes of");
    if (!aco_operand(r, l, v, bytes == 8 ? 'q' : bytes == 2 ? 'e' : 'u', &o))
        return false;
    // The text does not show whether the upper half is zeros or copies of the sign.
    if (bytes == 8 && hex && o.value >> 31)
        return word_refuse(r->why, l->line, "the 64-bit number", v->text);
    *out = o.value;
    return true;
}

static bool register_of(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v,
                        uint32_t *reg, uint32_t *byte)
{
    struct aco_value whole = *v;
    struct amd_operand o;
    whole.byte = 0;
    whole.bytes = 4;
    if (!aco_operand(r, l, &whole, 'u', &o))
        return false;
    *reg = o.reg;
    *byte = v->kind == VALUE_REGISTER && !(r->temporary && v->id) ? v->byte : 0;
    return true;
}

static bool plain(const struct aco_value *v)
{
    return !v->neg && !v->abs && !v->high && !v->low;
}

bool aco_move(struct aco_reader *r, const struct aco_line *l, const struct aco_value *to,
              uint32_t to_at, const struct aco_value *from, uint32_t at, uint32_t bytes)
{
    uint32_t to_reg, to_byte, from_reg = 0, from_byte = 0;
    uint64_t number = 0;
    const bool constant = from->kind == VALUE_NUMBER;
    if (!plain(from) || (!to->vector && from->vector && !constant))
        return aco_refuse(r, l, "the operands of");
    if (!register_of(r, l, to, &to_reg, &to_byte) ||
        !(constant ? number_bytes(r, l, from, bytes, &number)
                   : register_of(r, l, from, &from_reg, &from_byte)))
        return false;
    to_byte += to_at;
    from_byte += at;
    for (uint32_t done = 0; done < bytes;) {
        uint32_t n = bytes - done;
        n = n < 4 - to_byte % 4 ? n : 4 - to_byte % 4;
        n = n < 4 - from_byte % 4 ? n : 4 - from_byte % 4;
        *VEC_PUSH(r->a, &r->piece) = (struct aco_piece){
            .to_vector = to->vector,
            .from_vector = from->vector && !constant,
            .all = to->linear,
            .number = constant,
            .to = (uint16_t)(to_reg + to_byte / 4),
            .from = (uint16_t)(from_reg + from_byte / 4),
            .to_bit = (uint8_t)(to_byte % 4 * 8),
            .from_bit = (uint8_t)(constant ? 0 : from_byte % 4 * 8),
            .bits = (uint8_t)(8 * n),
            .value = (uint32_t)isa_field(number, 8 * done, 8 * n),
        };
        done += n;
        to_byte += n;
        from_byte += n;
    }
    return true;
}

void aco_moved(struct aco_reader *r, const struct aco_line *l, uint32_t first)
{
    const uint32_t count = (uint32_t)r->piece.n - first;
    struct amd_inst *in = aco_inst(r, l, ACO_MOVE);
    in->offset = (int32_t)first;
    in->offset1 = (int32_t)count;
    r->most = count > r->most ? count : r->most;
}

static bool parallel_copy(struct aco_reader *r, const struct aco_line *l)
{
    const uint32_t first = (uint32_t)r->piece.n;
    if (l->defs != l->srcs)
        return aco_refuse(r, l, "the operands of");
    for (uint32_t i = 0; i < l->defs; i++)
        if (!aco_move(r, l, &l->def[i], 0, &l->src[i], 0, l->def[i].bytes))
            return false;
    aco_moved(r, l, first);
    return true;
}

// Numbers share what the other operands leave of the vector.
static bool create_vector(struct aco_reader *r, const struct aco_line *l)
{
    const uint32_t first = (uint32_t)r->piece.n;
    uint32_t left = l->defs ? l->def[0].bytes : 0, numbers = 0, at = 0;
    for (uint32_t i = 0; i < l->srcs; i++) {
        const bool number = l->src[i].kind == VALUE_NUMBER;
        numbers += number;
        if (!number && l->src[i].bytes > left)
            return aco_refuse(r, l, "the operands of");
        left -= number ? 0 : l->src[i].bytes;
    }
    if (l->defs != 1 || (numbers ? left % numbers : left))
        return aco_refuse(r, l, "the operands of");
    for (uint32_t i = 0; i < l->srcs; i++) {
        const uint32_t n = l->src[i].kind == VALUE_NUMBER ? left / numbers : l->src[i].bytes;
        if (!aco_move(r, l, &l->def[0], at, &l->src[i], 0, n))
            return false;
        at += n;
    }
    aco_moved(r, l, first);
    return true;
}

static bool small_number(const struct aco_line *l, uint32_t k, uint32_t *out)
{
    return k < l->srcs && l->src[k].kind == VALUE_NUMBER &&
           parse_u32(l->src[k].text.s, l->src[k].text.n, out);
}

static bool split_vector(struct aco_reader *r, const struct aco_line *l, bool one)
{
    const uint32_t first = (uint32_t)r->piece.n;
    uint32_t at = 0, index = 0;
    if (l->srcs != 1u + one || l->src[0].kind == VALUE_NUMBER ||
        (one && (l->defs != 1 || !small_number(l, 1, &index))))
        return aco_refuse(r, l, "the operands of");
    at = one ? index * l->def[0].bytes : 0;
    for (uint32_t i = 0; i < l->defs; i++) {
        if (at + l->def[i].bytes > l->src[0].bytes)
            return aco_refuse(r, l, "the operands of");
        if (!aco_move(r, l, &l->def[i], 0, &l->src[0], at, l->def[i].bytes))
            return false;
        at += l->def[i].bytes;
    }
    aco_moved(r, l, first);
    return true;
}

// ---- operations of ops.def -------------------------------------------------

static struct amd_operand number(uint64_t v, char type)
{
    return (struct amd_operand){.kind = OPERAND_NUMBER, .type = type, .value = v};
}

// Adds `id` with the destination and up to three sources, which have the types of its row.
static bool computed(struct aco_reader *r, const struct aco_line *l, uint32_t id,
                     const struct amd_operand *dst, const struct amd_operand *src, uint32_t n)
{
    struct amd_inst *in = aco_inst(r, l, id);
    in->dst = 1;
    in->o[in->n++] = *dst;
    for (uint32_t i = 0; i < n; i++)
        in->o[in->n++] = src[i];
    for (uint32_t i = 0; i < in->n; i++)
        if (!amd_operand_fits(r->p, in, &in->o[i], i == 0))
            return aco_refuse(r, l, "the operands of");
    return amd_inst_fits(r->p, in, r->why);
}

// A field of a register of up to a word, and the word that gets it.
struct field {
    struct amd_operand dst, src;
    uint32_t index, bits, at; // at: the first bit of the register
};

// Reads "p_extract value, index, bits, signed" and "p_insert value, index, bits"; `source`: the
// index counts fields of the source.
static bool field_read(struct aco_reader *r, const struct aco_line *l, bool source, bool sign,
                       struct field *out)
{
    struct aco_value whole;
    uint32_t bit = 0;
    if (!l->defs || l->srcs < 3 || !small_number(l, 1, &out->index) ||
        !small_number(l, 2, &out->bits) || (out->bits != 8 && out->bits != 16) ||
        l->src[0].kind != VALUE_REGISTER || !plain(&l->src[0]) || l->def[0].bytes != 4 ||
        (l->src[0].vector && !l->def[0].vector) || l->src[0].bytes > 4 ||
        out->index >= 32 / out->bits ||
        (source ? out->index + 1 : 1) * out->bits > 8 * l->src[0].bytes)
        return aco_refuse(r, l, "the operands of");
    whole = l->src[0];
    if (!(r->temporary && whole.id))
        bit = 8u * whole.byte;
    whole.byte = 0;
    whole.bytes = 4;
    out->at = bit + (source ? out->index * out->bits : 0);
    return aco_operand(r, l, &l->def[0], 'u', &out->dst) &&
           aco_operand(r, l, &whole, sign && l->def[0].vector ? 'i' : 'u', &out->src);
}

static bool field_add(struct aco_reader *r, const struct aco_line *l, bool sign,
                      const struct field *f)
{
    const struct amd_operand vector[] = {f->src, number(f->at, 'u'), number(f->bits, 'u')},
                             scalar[] = {f->src, number(f->bits << 16 | f->at, 'u')};
    return l->def[0].vector
               ? computed(r, l, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, &f->dst, vector, 3)
               : computed(r, l, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, &f->dst, scalar, 2);
}

static bool extract(struct aco_reader *r, const struct aco_line *l)
{
    struct field f = {0};
    uint32_t sign;
    if (!small_number(l, 3, &sign))
        return aco_refuse(r, l, "the operands of");
    return field_read(r, l, true, sign, &f) && field_add(r, l, sign, &f);
}

// The low bits of a value, moved up.
static bool insert(struct aco_reader *r, const struct aco_line *l)
{
    struct field f = {0};
    if (!field_read(r, l, false, false, &f) || !field_add(r, l, false, &f))
        return false;
    const struct amd_operand by = number(f.index * f.bits, 'u');
    return l->def[0].vector
               ? computed(r, l, AMD_V_LSHLREV_B32, &f.dst, (struct amd_operand[]){by, f.dst}, 2)
               : computed(r, l, AMD_S_LSHL_B32, &f.dst, (struct amd_operand[]){f.dst, by}, 2);
}

// The value of the first active lane, in scalar registers.
static bool as_uniform(struct aco_reader *r, const struct aco_line *l)
{
    struct amd_operand dst, src;
    if (l->defs != 1 || l->srcs != 1)
        return aco_refuse(r, l, "the operands of");
    if (!l->src[0].vector)
        return parallel_copy(r, l);
    if (l->def[0].vector || l->def[0].bytes % 4 || l->src[0].bytes != l->def[0].bytes ||
        l->src[0].byte || !plain(&l->src[0]))
        return aco_refuse(r, l, "the operands of");
    if (!aco_operand(r, l, &l->def[0], 'u', &dst) || !aco_operand(r, l, &l->src[0], 'u', &src))
        return false;
    dst.count = src.count = 1;
    for (uint32_t k = 0; k < l->def[0].bytes / 4; k++, dst.reg++, src.reg++)
        if (!computed(r, l, AMD_V_READFIRSTLANE_B32, &dst, &src, 1))
            return false;
    return true;
}

// The mask of the first active lane.
static bool elect(struct aco_reader *r, const struct aco_line *l)
{
    struct amd_operand dst, exec, low;
    const bool wide = r->p->wave == 64;
    const char type = wide ? 'q' : 'u';
    if (l->defs < 1 || l->srcs != 1 || l->def[0].vector || l->src[0].vector)
        return aco_refuse(r, l, "the operands of");
    if (!aco_operand(r, l, &l->def[0], type, &dst) || !aco_operand(r, l, &l->src[0], type, &exec))
        return false;
    low = dst;
    low.type = 'u';
    low.count = 1;
    return computed(r, l, wide ? AMD_S_FF1_B64 : AMD_S_FF1_B32, &low, &exec, 1) &&
           computed(r, l, wide ? AMD_S_LSHL_B64 : AMD_S_LSHL_B32, &dst,
                    (struct amd_operand[]){number(1, type), low}, 2);
}

// ---- reductions ------------------------------------------------------------

static bool combine_read(struct word t, enum isa_combine *c, uint32_t *bits)
{
    static const struct {
        const char *name;
        enum isa_combine combine;
    } names[] = {
        {"iadd", ISA_IADD}, {"imul", ISA_IMUL}, {"imin", ISA_IMIN}, {"imax", ISA_IMAX},
        {"umin", ISA_UMIN}, {"umax", ISA_UMAX}, {"iand", ISA_IAND}, {"ior", ISA_IOR},
        {"ixor", ISA_IXOR}, {"fadd", ISA_FADD}, {"fmul", ISA_FMUL}, {"fmin", ISA_FMIN},
        {"fmax", ISA_FMAX},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct word left = t;
        if (text_take(&left.s, &left.n, names[i].name) && parse_u32(left.s, left.n, bits)) {
            *c = names[i].combine;
            return *bits == 8 || *bits == 16 || *bits == 32 || *bits == 64;
        }
    }
    return false;
}

// Registers that the operation uses for itself have no known content afterwards.
static bool clobber(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v)
{
    if (v->kind != VALUE_REGISTER)
        return true;
    struct amd_inst *in = aco_inst(r, l, ACO_CLOBBER);
    in->n = 1;
    return aco_operand(r, l, v, 'u', &in->o[0]);
}

static bool reduction(struct aco_reader *r, const struct aco_line *l, uint32_t id)
{
    struct word t = l->rest;
    enum isa_combine combine;
    uint32_t bits, cluster = r->p->wave;
    const char *blank = memchr(t.s, ' ', t.n);
    const struct word op = {t.s, blank ? (size_t)(blank - t.s) : t.n};
    t = word_after(t, op.n + (blank != NULL));
    if (!word_starts(op, "op:") || !combine_read(word_after(op, 3), &combine, &bits) ||
        (t.n &&
         (!word_starts(t, "cluster_size:") ||
          !parse_u32(t.s + strlen("cluster_size:"), t.n - strlen("cluster_size:"), &cluster))))
        return word_refuse(r->why, l->line, "the reduction", l->rest);
    const uint32_t bytes = bits / 8;
    if (!l->defs || !l->srcs || l->src[0].kind == VALUE_NUMBER || !plain(&l->src[0]) ||
        !l->src[0].vector || l->src[0].bytes < bytes || l->def[0].bytes < bytes || l->src[0].byte ||
        l->def[0].byte || !cluster || cluster & (cluster - 1) || cluster > r->p->wave ||
        (!l->def[0].vector && id != ACO_REDUCE))
        return aco_refuse(r, l, "the operands of");
    struct amd_inst in = *aco_inst(r, l, id);
    r->inst.n--;
    in.dst = 1;
    in.n = 2;
    in.offset = (int32_t)(combine << 8 | bits);
    in.offset1 = (int32_t)cluster;
    if (!aco_operand(r, l, &l->def[0], 'u', &in.o[0]) ||
        !aco_operand(r, l, &l->src[0], 'u', &in.o[1]))
        return false;
    *VEC_PUSH(r->a, &r->inst) = in;
    for (uint32_t i = 1; i < l->defs; i++)
        if (!clobber(r, l, &l->def[i]))
            return false;
    for (uint32_t i = 1; i < l->srcs; i++)
        if (!clobber(r, l, &l->src[i]))
            return false;
    return true;
}

// ---- the rest --------------------------------------------------------------

static bool barrier(struct aco_reader *r, const struct aco_line *l)
{
    static const char name[] = "exec_scope:";
    for (struct word t = l->rest; t.n;) {
        const char *blank = memchr(t.s, ' ', t.n);
        const struct word one = {t.s, blank ? (size_t)(blank - t.s) : t.n};
        t = word_after(t, one.n + (blank != NULL));
        if (!word_starts(one, name))
            continue;
        const struct word scope = word_after(one, strlen(name));
        if (word_is(scope, "workgroup"))
            aco_inst(r, l, AMD_S_BARRIER);
        return word_is(scope, "workgroup") || word_is(scope, "subgroup") ||
               word_is(scope, "invocation") || word_refuse(r->why, l->line, "the scope", scope);
    }
    return aco_refuse(r, l, "the scope of");
}

// The arguments arrive in registers; before register allocation, temporaries get them.
static bool start(struct aco_reader *r, const struct aco_line *l)
{
    const uint32_t first = (uint32_t)r->piece.n;
    for (uint32_t i = 0; r->temporary && i < l->defs; i++) {
        struct aco_value there = l->def[i];
        there.id = 0;
        if (!l->def[i].fixed)
            return aco_refuse(r, l, "the definitions of");
        if (!aco_move(r, l, &l->def[i], 0, &there, 0, l->def[i].bytes))
            return false;
    }
    if (r->piece.n > first)
        aco_moved(r, l, first);
    return true;
}

// Prepares scratch memory, whose addresses are not modelled: nothing may use what it defines.
static bool init_scratch(struct aco_reader *r, const struct aco_line *l)
{
    for (size_t i = 0; i < r->line.n; i++)
        for (uint32_t k = 0; k < r->line.v[i].srcs; k++)
            for (uint32_t d = 0; d < l->defs; d++)
                if (r->line.v[i].src[k].id && r->line.v[i].src[k].id == l->def[d].id)
                    return word_refuse(r->why, r->line.v[i].line, "scratch in", r->line.v[i].op);
    for (uint32_t d = 0; d < l->defs; d++)
        if (!clobber(r, l, &l->def[d]))
            return false;
    return true;
}

bool aco_pseudo(struct aco_reader *r, const struct aco_line *l)
{
    static const char *const nothing[] = {"p_logical_start", "p_logical_end", "p_start_linear_vgpr",
                                          "p_end_linear_vgpr"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (word_is(l->op, nothing[i]))
            return (!l->defs || !l->srcs) || aco_refuse(r, l, "the operands of");
    if (word_is(l->op, "p_parallelcopy"))
        return parallel_copy(r, l);
    if (word_is(l->op, "p_create_vector"))
        return create_vector(r, l);
    if (word_is(l->op, "p_split_vector") || word_is(l->op, "p_extract_vector"))
        return split_vector(r, l, l->op.s[2] == 'e');
    if (word_is(l->op, "p_extract"))
        return extract(r, l);
    if (word_is(l->op, "p_insert"))
        return insert(r, l);
    if (word_is(l->op, "p_as_uniform"))
        return as_uniform(r, l);
    if (word_is(l->op, "p_elect"))
        return elect(r, l);
    if (word_is(l->op, "p_reduce"))
        return reduction(r, l, ACO_REDUCE);
    if (word_is(l->op, "p_inclusive_scan"))
        return reduction(r, l, ACO_INCLUSIVE_SCAN);
    if (word_is(l->op, "p_exclusive_scan"))
        return reduction(r, l, ACO_EXCLUSIVE_SCAN);
    if (word_is(l->op, "p_barrier"))
        return barrier(r, l);
    if (word_is(l->op, "p_init_scratch"))
        return init_scratch(r, l);
    if (word_is(l->op, "p_startpgm"))
        return start(r, l);
    return aco_refuse(r, l, "the operation");
}
