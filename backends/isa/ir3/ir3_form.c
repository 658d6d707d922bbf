// SPDX-License-Identifier: Apache-2.0
//
// Parses the operands of an instruction and checks them against its row: number, kinds of
// registers, allowed prefixes.
#include "ir3_reader.h"

// ---- operands --------------------------------------------------------------

void ir3_named(struct reader *r, const struct ir3_operand *o, uint32_t count)
{
    uint32_t *const most = o->kind == OPERAND_OWN         ? &r->p->registers
                           : o->kind == OPERAND_SHARED    ? &r->p->shared
                           : o->kind == OPERAND_PREDICATE ? &r->p->predicates
                                                          : NULL;
    const uint32_t end = ((o->half ? (o->reg + count + 1) / 2 : o->reg + count) + 3) & ~3u;
    if (most)
        *most = end > *most ? end : *most;
}

// Reads an operand of `count` consecutive registers; refuses it if some do not exist.
static bool operand(struct reader *r, struct word t, uint32_t count, struct ir3_operand *out)
{
    if (!ir3_operand_read(t.s, t.n, out) || (!r->virtual && t.n && memchr(t.s, '%', t.n)))
        return refuse(r, "the operand", t);
    const uint32_t room = r->virtual && memchr(t.s, '%', t.n) ? 2 * IR3_VIRTUAL
                          : out->kind == OPERAND_OWN          ? (out->half ? IR3_OWN : IR3_OWN)
                          : out->kind == OPERAND_SHARED ? (out->half ? 2 * IR3_SHARED : IR3_SHARED)
                          : out->kind == OPERAND_CONSTANT ? IR3_CONSTANTS
                                                          : UINT32_MAX;
    if (room != UINT32_MAX && (count > room || out->reg > room - count))
        return refuse(r, "registers that do not exist, from", t);
    ir3_named(r, out, count);
    return true;
}

// Reads an operand; with (r) it advances by one register in each of `n` repetitions.
static bool repeated(struct reader *r, struct word t, uint32_t n, struct ir3_operand *out)
{
    return operand(r, t, 1, out) && (!out->steps || operand(r, t, n, out));
}

static bool destination(struct reader *r, struct word t, uint32_t count, struct ir3_operand *out)
{
    return operand(r, t, count, out) &&
           ((out->kind != OPERAND_NUMBER && out->kind != OPERAND_CONSTANT && !out->neg &&
             !out->abs && !out->steps) ||
            refuse(r, "the destination", t));
}

// Reads a source that must be an unmodified full register.
static bool plain(struct reader *r, struct word t, uint32_t count, struct ir3_operand *out)
{
    return operand(r, t, count, out) &&
           (((out->kind == OPERAND_OWN || out->kind == OPERAND_SHARED) && !out->neg && !out->abs &&
             !out->steps && !out->half) ||
            refuse(r, "the source", t));
}

static bool wanted(struct reader *r, uint32_t n)
{
    return r->words == n || refuse(r, "the number of operands of", r->operation);
}

// Reads "r2.x+8".
static bool with_offset(struct reader *r, struct word t, struct ir3_inst *in,
                        struct ir3_operand *out)
{
    struct word rest = t;
    const char *sign = memchr(t.s, '+', t.n);
    sign = sign ? sign : memchr(t.s, '-', t.n);
    in->offset = 0;
    if (sign) {
        uint32_t v;
        const struct word digits = {sign + 1, t.n - (size_t)(sign - t.s) - 1};
        if (!parse_u32(digits.s, digits.n, &v) || v > 1 << 20)
            return refuse(r, "the address", t);
        in->offset = *sign == '-' ? -(int32_t)v : (int32_t)v;
        rest.n = (size_t)(sign - t.s);
    }
    return plain(r, rest, 1, out);
}

// Reads "l[r2.x+8]".
static bool local_place(struct reader *r, struct word t, struct ir3_inst *in,
                        struct ir3_operand *out)
{
    if (!begins(t, "l[") || t.s[t.n - 1] != ']')
        return refuse(r, "the address", t);
    return with_offset(r, (struct word){t.s + 2, t.n - 3}, in, out);
}

static bool count_read(struct reader *r, struct word t, uint32_t most, uint32_t *out)
{
    return (parse_u32(t.s, t.n, out) && *out && *out <= most) || refuse(r, "the count", t);
}

// ---- operations ------------------------------------------------------------

static bool alu_read(struct reader *r, struct ir3_inst *in)
{
    const char *types = ir3_ops[in->id].src;
    uint32_t halves = 0, whole = 0, each = 0;
    in->srcs = (uint32_t)strlen(types);
    if (!wanted(r, in->srcs + 1) || !destination(r, r->w[0], in->repeat + 1, &in->dst))
        return false;
    for (uint32_t i = 0; i < in->srcs; i++) {
        struct ir3_operand *s = &in->src[i];
        if (!repeated(r, r->w[i + 1], 1 + in->repeat, s) || s->kind == OPERAND_PREDICATE ||
            s->kind == OPERAND_NONE)
            return r->why->status ? false : refuse(r, "the source", r->w[i + 1]);
        const bool sized = s->kind != OPERAND_NUMBER || s->half;
        halves += sized && s->half;
        whole += sized && !s->half;
        each += s->kind == OPERAND_OWN;
        if ((types[i] == 'b' && s->abs) || (types[i] == 'f' && s->kind == OPERAND_NUMBER))
            return refuse(r, "the source", r->w[i + 1]);
    }
    if ((halves && whole) || (types[0] == 'h' && whole) || (types[0] == 'w' && halves))
        return refuse(r, "both half and full registers in", r->operation);
    if ((in->dst.kind == OPERAND_SHARED || in->dst.uniform) && each)
        return refuse(r, "a wave-wide result of per-lane sources, in", r->operation);
    return true;
}

static bool type_read(struct word *t, enum ir3_type *out)
{
    static const char *const names[IR3_TYPES] = {
        [TYPE_F16] = "f16", [TYPE_F32] = "f32", [TYPE_U16] = "u16", [TYPE_U32] = "u32",
        [TYPE_S16] = "s16", [TYPE_S32] = "s32", [TYPE_U8] = "u8"};
    for (uint32_t i = 0; i < IR3_TYPES; i++)
        if (begins(*t, names[i])) {
            *out = (enum ir3_type)i;
            *t = after(*t, strlen(names[i]));
            return true;
        }
    return false;
}

static bool half_type(enum ir3_type t)
{
    return t != TYPE_F32 && t != TYPE_U32 && t != TYPE_S32;
}

static bool move_read(struct reader *r, struct ir3_inst *in, struct word types)
{
    if (in->id == IR3_ALIAS) { // "alias.tex.b32.0 r40.x, (0x0)"
        uint32_t more;
        struct word v = r->words == 2 ? r->w[1] : types;
        if (!parse_u32(types.s, types.n, &more) || more || !wanted(r, 2) ||
            !plain(r, r->w[0], 1, &in->dst))
            return r->why->status ? false : refuse(r, "the operation", r->operation);
        v = v.n > 2 && *v.s == '(' && v.s[v.n - 1] == ')' ? (struct word){v.s + 1, v.n - 2} : v;
        in->srcs = 1;
        return operand(r, v, 1, &in->src[0]) &&
               ((!in->src[0].half && !in->src[0].neg && in->src[0].kind != OPERAND_PREDICATE) ||
                refuse(r, "the source", v));
    }
    if (!type_read(&types, &in->from) || !type_read(&types, &in->to) || types.n)
        return refuse(r, "the operation", r->operation);
    // Some conversions were never seen in compiled code; they are refused.
    if ((in->id == IR3_COV) == (in->from == in->to) && in->id != IR3_MOVS)
        return refuse(r, "the operation", r->operation);
    const uint32_t all = in->id == IR3_SWZ    ? 4
                         : in->id == IR3_MOVS ? 3
                                              : 2,
                   dsts = in->id == IR3_SWZ ? 2 : 1;
    if (!wanted(r, all))
        return false;
    struct ir3_operand *const o[] = {&in->dst, dsts == 2 ? &in->dst1 : &in->src[0],
                                     dsts == 2 ? &in->src[0] : &in->src[1], &in->src[1]};
    in->srcs = all - dsts;
    for (uint32_t i = 0; i < all; i++) {
        const bool to = i < dsts, lane = in->id == IR3_MOVS && i == 2;
        if (!(to ? destination(r, r->w[i], in->repeat + 1, o[i])
                 : repeated(r, r->w[i], in->repeat + 1, o[i])))
            return false;
        const bool number = o[i]->kind == OPERAND_NUMBER;
        const bool fits =
            lane ? number && o[i]->value < LANES_MAX
                 : (number ? in->id == IR3_MOV && in->from != TYPE_F16 && in->from != TYPE_F32
                           : o[i]->half == half_type(to ? in->to : in->from)) &&
                       !o[i]->neg && !o[i]->abs && o[i]->kind != OPERAND_NONE;
        if (!fits || o[i]->kind == OPERAND_PREDICATE)
            return refuse(r, to ? "the destination" : "the source", r->w[i]);
    }
    if (in->id == IR3_SWZ && (in->dst.kind != OPERAND_OWN || in->dst1.kind != OPERAND_OWN))
        return refuse(r, "the destination", r->w[0]);
    if (in->id == IR3_MOVS && (in->dst.kind != OPERAND_SHARED || in->src[0].kind != OPERAND_OWN))
        return refuse(r, "the destination", r->w[0]);
    return true;
}

// Reads "(u32)(xyzw)r2.x".
static bool masked(struct reader *r, struct word t, enum ir3_type *type, uint32_t *mask,
                   struct ir3_operand *out)
{
    const struct word whole = t;
    *mask = 0;
    if (!begins(t, "(") || (t = after(t, 1), !type_read(&t, type)) || !begins(t, ")("))
        return refuse(r, "the destination", whole);
    t = after(t, 2);
    for (; t.n && *t.s != ')'; t = after(t, 1)) {
        const char *c = strchr("xyzw", *t.s);
        if (!c || *t.s == 0)
            return refuse(r, "the destination", whole);
        *mask |= 1u << (c - strchr("xyzw", 'x'));
    }
    uint32_t count = 0;
    while (*mask >> count & 1)
        count++;
    if (!t.n || !count || *mask >> count)
        return refuse(r, "the destination", whole);
    return destination(r, after(t, 1), count, out) &&
           ((out->half == half_type(*type) && out->kind != OPERAND_PREDICATE) ||
            refuse(r, "the destination", whole));
}

static bool mode_read(struct word t, enum ir3_mode_kind kind, enum ir3_mode *out)
{
    static const struct {
        const char *text;
        enum ir3_mode_kind kind;
    } rows[IR3_MODES] = {
#define X(id, text, kind) {text, IR3_##kind},
        IR3_MODE_ROWS(X)
#undef X
    };
    for (uint32_t i = 0; i < IR3_MODES; i++)
        if (rows[i].kind == kind && is(t, rows[i].text)) {
            *out = (enum ir3_mode)i;
            return true;
        }
    return false;
}

// Reads "w64".
static bool lanes_read(struct reader *r, struct word t, uint32_t *out)
{
    return (begins(t, "w") && parse_u32(t.s + 1, t.n - 1, out) && *out >= 2 && *out <= LANES_MAX &&
            !(*out & (*out - 1))) ||
           refuse(r, "the operation", r->operation);
}

static bool lane_read(struct reader *r, struct ir3_inst *in, struct word rest)
{
    const bool no_repeat = !in->repeat || refuse(r, "repetitions of", r->operation);
    struct word first = cut(&rest, '.');
    switch (in->id) {
    case IR3_MOVMSK:
        return no_repeat && wanted(r, 1) && lanes_read(r, first, &in->count) &&
               (in->count >= 32 || refuse(r, "the operation", r->operation)) &&
               destination(r, r->w[0], in->count / 32, &in->dst) &&
               ((!in->dst.half && in->dst.kind != OPERAND_PREDICATE) ||
                refuse(r, "the destination", r->w[0]));
    case IR3_GETFIBERID:
        return no_repeat && wanted(r, 1) &&
               (is(first, "u32") || refuse(r, "the operation", r->operation)) &&
               destination(r, r->w[0], 1, &in->dst) &&
               ((!in->dst.half && in->dst.kind == OPERAND_OWN) ||
                refuse(r, "the destination", r->w[0]));
    case IR3_BRCST:
        in->srcs = 1;
        return no_repeat && wanted(r, 2) && lanes_read(r, first, &in->count) &&
               masked(r, r->w[0], &in->to, &in->mask, &in->dst) &&
               operand(r, r->w[1], 1, &in->src[0]) &&
               ((in->mask == 1 && in->src[0].kind == OPERAND_OWN && in->dst.kind == OPERAND_OWN &&
                 in->src[0].half == in->dst.half) ||
                refuse(r, "the source", r->w[1]));
    case IR3_QUAD:
        if (!mode_read(first, IR3_QUADS, &in->mode))
            return refuse(r, "the operation", r->operation);
        in->srcs = in->mode == MODE_BRCST ? 2 : 1;
        if (!no_repeat || !wanted(r, 1 + in->srcs) ||
            !masked(r, r->w[0], &in->to, &in->mask, &in->dst) ||
            !operand(r, r->w[1], 1, &in->src[0]) ||
            (in->srcs == 2 && !operand(r, r->w[2], 1, &in->src[1])))
            return false;
        return (in->mask == 1 && in->src[0].kind == OPERAND_OWN && in->dst.kind == OPERAND_OWN &&
                in->src[0].half == in->dst.half &&
                (in->srcs == 1 || in->src[1].kind == OPERAND_OWN)) ||
               refuse(r, "the operands of", r->operation);
    default: // shfl
        if (!mode_read(first, IR3_SHUFFLES, &in->mode) || !type_read(&rest, &in->to) || rest.n)
            return refuse(r, "the operation", r->operation);
        in->srcs = 2;
        return no_repeat && wanted(r, 3) && destination(r, r->w[0], 1, &in->dst) &&
               operand(r, r->w[1], 1, &in->src[0]) && operand(r, r->w[2], 1, &in->src[1]) &&
               ((in->dst.kind == OPERAND_OWN && in->src[0].kind == OPERAND_OWN &&
                 in->dst.half == in->src[0].half && in->dst.half == half_type(in->to) &&
                 in->src[1].kind != OPERAND_PREDICATE && !in->src[0].neg && !in->src[1].neg) ||
                refuse(r, "the operands of", r->operation));
    }
}

// Reads "u32.2.imm.base0".
static bool buffer_form(struct reader *r, struct ir3_inst *in, struct word rest)
{
    struct word type = cut(&rest, '.'), count = cut(&rest, '.'), mode = cut(&rest, '.');
    const bool typed =
        type_read(&type, &in->to) && !type.n && (in->to == TYPE_U32 || in->to == TYPE_S32);
    return (typed && is(mode, "imm") && parse_u32(count.s, count.n, &in->count) && in->count &&
            in->count <= 4 && rest.n == 5 && begins(rest, "base") &&
            (in->set = (uint32_t)(rest.s[4] - '0')) < 8) ||
           refuse(r, "the operation", r->operation);
}

static bool descriptor_read(struct reader *r, struct word t, struct ir3_inst *in)
{
    return parse_u32(t.s, t.n, &in->descriptor) || refuse(r, "the descriptor", t);
}

static bool isam_read(struct reader *r, struct ir3_inst *in, struct word rest)
{
    struct word sampler = r->words == 4 ? r->w[2] : rest, texture = r->words == 4 ? r->w[3] : rest;
    in->srcs = 1;
    if (rest.n != 5 || !begins(rest, "base") || (in->set = (uint32_t)(rest.s[4] - '0')) > 7)
        return refuse(r, "the operation", r->operation);
    if (!wanted(r, 4) || !is(sampler, "s#0") || !begins(texture, "t#"))
        return r->why->status ? false : refuse(r, "the operands of", r->operation);
    if (!masked(r, r->w[0], &in->to, &in->mask, &in->dst) ||
        !with_offset(r, r->w[1], in, &in->src[0]))
        return false;
    for (in->count = 0; in->mask >> in->count; in->count++)
        ;
    return descriptor_read(r, after(texture, 2), in) &&
           ((in->to == TYPE_U32 && in->dst.kind == OPERAND_OWN) ||
            refuse(r, "the destination", r->w[0]));
}

static bool memory_read(struct reader *r, struct ir3_inst *in, struct word rest)
{
    struct word first;
    in->srcs = 1;
    if (in->repeat)
        return refuse(r, "repetitions of", r->operation);
    switch (in->id) {
    case IR3_LDIB:
    case IR3_STIB:
        return buffer_form(r, in, rest) && wanted(r, 3) &&
               (in->id == IR3_LDIB ? destination(r, r->w[0], in->count, &in->dst)
                                   : plain(r, r->w[0], in->count, &in->dst)) &&
               ((!in->dst.half && in->dst.kind == OPERAND_OWN) ||
                refuse(r, "the operand", r->w[0])) &&
               with_offset(r, r->w[1], in, &in->src[0]) && descriptor_read(r, r->w[2], in);
    case IR3_RESINFO: // supported only if its result is unused
        return buffer_form(r, in, rest) && wanted(r, 2) && operand(r, r->w[0], 1, &in->dst) &&
               (in->dst.kind == OPERAND_NONE || refuse(r, "a result of", r->operation)) &&
               descriptor_read(r, r->w[1], in);
    case IR3_ATOMIC_B: // "atomic.b.add.untyped.1d.u32.1.imm.base0": dst has result and data
        first = cut(&rest, '.');
        if (!mode_read(first, IR3_ATOMICS, &in->mode) || !begins(rest, "untyped.1d."))
            return refuse(r, "the operation", r->operation);
        return buffer_form(r, in, after(rest, strlen("untyped.1d."))) && wanted(r, 3) &&
               plain(r, r->w[0], in->mode == ATOMIC_CMPXCHG ? 3 : 2, &in->dst) && in->count == 1 &&
               (in->dst.kind == OPERAND_OWN || refuse(r, "the operand", r->w[0])) &&
               with_offset(r, r->w[1], in, &in->src[0]) && descriptor_read(r, r->w[2], in);
    case IR3_ISAM:
        return isam_read(r, in, rest);
    case IR3_LDL:
    case IR3_STL:
        return (is(rest, "u32") || refuse(r, "the operation", r->operation)) && wanted(r, 3) &&
               count_read(r, r->w[2], 4, &in->count) &&
               (in->id == IR3_LDL ? destination(r, r->w[0], in->count, &in->dst) &&
                                        local_place(r, r->w[1], in, &in->src[0])
                                  : plain(r, r->w[1], in->count, &in->dst) &&
                                        local_place(r, r->w[0], in, &in->src[0])) &&
               ((!in->dst.half && in->dst.kind == OPERAND_OWN) ||
                refuse(r, "the operands of", r->operation));
    case IR3_ATOMIC_L: // "atomic.add.untyped.1d.u32.1.l"
        first = cut(&rest, '.');
        in->srcs = 2;
        if (!mode_read(first, IR3_ATOMICS, &in->mode) || !begins(rest, "untyped.1d."))
            return refuse(r, "the operation", r->operation);
        rest = after(rest, strlen("untyped.1d."));
        if (!type_read(&rest, &in->to) || !is(rest, ".1.l") ||
            (in->to != TYPE_U32 && in->to != TYPE_S32))
            return refuse(r, "the operation", r->operation);
        return wanted(r, 3) && destination(r, r->w[0], 1, &in->dst) &&
               local_place(r, r->w[1], in, &in->src[0]) &&
               plain(r, r->w[2], in->mode == ATOMIC_CMPXCHG ? 2 : 1, &in->src[1]) &&
               ((!in->dst.half && in->dst.kind == OPERAND_OWN) ||
                refuse(r, "the destination", r->w[0]));
    default: // "stc.u32 c[16], r48.w, 1"
        if (!is(rest, "u32") || !wanted(r, 3))
            return r->why->status ? false : refuse(r, "the operation", r->operation);
        first = r->w[0];
        return count_read(r, r->w[2], 4, &in->count) && plain(r, r->w[1], in->count, &in->src[0]) &&
               ((begins(first, "c[") && first.s[first.n - 1] == ']' &&
                 parse_u32(first.s + 2, first.n - 3, &in->descriptor) &&
                 in->descriptor <= IR3_CONSTANTS - in->count) ||
                refuse(r, "the constant", first));
    }
}

static bool flow_read(struct reader *r, struct ir3_inst *in, struct word rest)
{
    const uint32_t conditions = in->id == IR3_BR || in->id == IR3_BALL || in->id == IR3_BANY ? 1
                                : in->id == IR3_BRAO || in->id == IR3_BRAA                   ? 2
                                                                                             : 0;
    const bool target = conditions || in->id == IR3_GETONE || in->id == IR3_GETLAST ||
                        in->id == IR3_JUMP || in->id == IR3_SHPS;
    if (in->id == IR3_GETLAST ? !is(rest, "w8") : rest.n > 0)
        return refuse(r, "the operation", r->operation);
    if (in->repeat)
        return refuse(r, "repetitions of", r->operation);
    // Before p0.x is allocated, predt and predf name a predicate.
    if ((in->id == IR3_PREDT || in->id == IR3_PREDF) && r->virtual && r->words == 1) {
        in->srcs = 1;
        return operand(r, r->w[0], 1, &in->src[0]) &&
               ((in->src[0].kind == OPERAND_PREDICATE && !in->src[0].neg) ||
                refuse(r, "the condition", r->w[0]));
    }
    if (!wanted(r, conditions + target))
        return false;
    in->srcs = conditions;
    for (uint32_t i = 0; i < conditions; i++)
        if (!operand(r, r->w[i], 1, &in->src[i]) || in->src[i].kind != OPERAND_PREDICATE ||
            in->src[i].abs || in->src[i].steps)
            return r->why->status ? false : refuse(r, "the condition", r->w[i]);
    if (!target)
        return true;
    const struct word t = r->w[conditions];
    // Mesa's count of words has 16 bits: of a longer program it prints the first part, and of a
    // branch out of that part the distance.
    uint32_t far;
    if (begins(t, "#") && parse_u32(t.s + 1, t.n - 1, &far))
        return refuse(r, "the printed code ends before the target", t);
    return (begins(t, "#") && ir3_label_read(after(t, 1), &in->target)) ||
           refuse(r, "the label", t);
}

bool ir3_form_read(struct reader *r, struct ir3_inst *in, struct word rest)
{
    switch (ir3_ops[in->id].unit) {
    case UNIT_ALU:
        return alu_read(r, in);
    case UNIT_MOVE:
        return move_read(r, in, rest);
    case UNIT_LANE:
        return lane_read(r, in, rest);
    case UNIT_MEMORY:
        return memory_read(r, in, rest);
    case UNIT_FLOW:
        return flow_read(r, in, rest);
    case UNIT_NONE:
        break;
    }
    return wanted(r, 0) &&
           (!rest.n || in->id == IR3_FENCE || refuse(r, "the operation", r->operation));
}
