// SPDX-License-Identifier: Apache-2.0
//
// Operations with one value per lane: source modifiers (DPP, SDWA, op_sel, neg, abs), the row's
// expression, destination modifiers (clamp, output modifier, halves and bytes of registers).
#include "machine.h"

#include <string.h>

// ---- DPP -------------------------------------------------------------------

bool amd_dpp_lane(const struct amd_inst *in, uint32_t wave, uint32_t lane, uint32_t *from)
{
    const uint32_t row = lane & ~15u, at = lane & 15u, by = in->dpp_value;
    int64_t to = lane;
    switch (in->dpp) {
    case DPP_NONE:
        break;
    case DPP_QUAD_PERM:
        to = (lane & ~3u) | in->perm[lane & 3];
        break;
    case DPP_8:
        to = (lane & ~7u) | in->perm[lane & 7];
        break;
    case DPP_ROW_SHL:
        to = at + by < 16 ? (int64_t)(lane + by) : -1;
        break;
    case DPP_ROW_SHR:
        to = at >= by ? (int64_t)(lane - by) : -1;
        break;
    case DPP_ROW_ROR:
        to = row | ((at - by) & 15);
        break;
    case DPP_ROW_MIRROR:
        to = row | (15 - at);
        break;
    case DPP_ROW_HALF_MIRROR:
        to = row | (at & 8) | (7 - (at & 7));
        break;
    case DPP_ROW_SHARE:
        to = row | (by & 15);
        break;
    case DPP_ROW_XMASK:
        to = row | (at ^ (by & 15));
        break;
    case DPP_ROW_BCAST: // lane 15 of a row to the next row; lane 31 to the rows 2 and 3
        to = by == 15 ? (int64_t)row - 1 : lane >= 32 ? 31 : -1;
        break;
    case DPP_WAVE_SHL:
        to = lane + 1 < wave ? (int64_t)lane + 1 : -1;
        break;
    case DPP_WAVE_SHR:
        to = (int64_t)lane - 1;
        break;
    case DPP_WAVE_ROL:
        to = (lane + 1) & (wave - 1);
        break;
    case DPP_WAVE_ROR:
        to = (lane - 1) & (wave - 1);
        break;
    }
    *from = to < 0 ? 0 : (uint32_t)to;
    return to >= 0 && to < wave;
}

// ---- sources ---------------------------------------------------------------

static bool is_mix(enum amd_id id)
{
    return id >= AMD_V_FMA_MIX_F32 && id <= AMD_V_MAD_MIXHI_F16;
}

static uint32_t part_of(uint32_t v, enum amd_part part, bool sext)
{
    switch (part) {
    case PART_ALL:
        return v;
    case PART_WORD0:
    case PART_WORD1:
        v = v >> (part == PART_WORD1 ? 16 : 0) & 0xffff;
        return sext ? (uint32_t)(int16_t)v : v;
    default:
        v = v >> 8 * (part - PART_BYTE0) & 0xff;
        return sext ? (uint32_t)(int8_t)v : v;
    }
}

static uint64_t sign_of(char type)
{
    return type == 'd' ? UINT64_C(1) << 63 : type == 'e' ? 0x8000 : 0x80000000;
}

// Returns one source of one lane, converted to its type and with its modifiers applied.
static uint64_t source(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                       const struct amd_operand *o, uint32_t k, uint32_t lane, bool high)
{
    uint64_t v;
    bool neg = o->neg, abs = o->abs;
    if (is_mix(in->id)) {
        // op_sel_hi selects a half as the source, op_sel which one; neg_hi means abs here.
        const bool half = in->op_sel_hi >> k & 1 && in->op_sel_hi != 255;
        const uint32_t word = amd_word(m, w, o, 0, lane);
        v = word;
        if (half)
            v = isa_of_single((float)isa_half(in->op_sel >> k & 1 ? word >> 16 : word & 0xffff));
    } else if (o->kind == OPERAND_NUMBER && amd_ops[in->id].unit == AMD_VPACK) {
        v = o->value >> (high ? 16 : 0) & 0xffff;
        v = o->type == 'j' ? (uint64_t)(int16_t)v : v;
    } else if (o->kind == OPERAND_NUMBER) {
        v = o->value;
    } else if (o->type == 'm') {
        v = amd_scalar_read(m, w, o) >> lane & 1;
    } else {
        const uint32_t low = part_of(amd_word(m, w, o, 0, lane), o->part, o->sext);
        switch (o->type) {
        case 'i':
            v = (uint64_t)(int32_t)low;
            break;
        case 'h':
        case 'e':
            v = high ? low >> 16 : low & 0xffff;
            break;
        case 'j':
            v = (uint64_t)(int16_t)(high ? low >> 16 : low);
            break;
        case 'q':
        case 'l':
        case 'd':
            v = low | (uint64_t)amd_word(m, w, o, 1, lane) << 32;
            break;
        default:
            v = low;
        }
    }
    if (abs)
        v &= ~sign_of(o->type);
    if (neg)
        v ^= sign_of(o->type);
    return v;
}

// ---- destination -----------------------------------------------------------

static uint64_t clamped(char type, uint64_t r)
{
    const int64_t v = (int64_t)r;
    switch (type) {
    case 'u':
        return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : r;
    case 'h':
        return v < 0 ? 0 : v > UINT16_MAX ? UINT16_MAX : r;
    case 'i':
        return (uint64_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
    case 'j':
        return (uint64_t)(v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
    case 'f': {
        const float f = isa_single(r);
        return !(f > 0) ? 0 : f > 1 ? 0x3f800000 : r;
    }
    case 'e': {
        const double f = isa_half(r);
        return !(f > 0) ? 0 : f > 1 ? 0x3c00 : r;
    }
    default:
        return r;
    }
}

static uint64_t output(const struct amd_inst *in, char type, uint64_t r)
{
    if (in->omod) {
        float f = isa_single(r);
        f = in->omod == 1 ? f * 2 : in->omod == 2 ? f * 4 : f / 2;
        r = isa_of_single(f);
    }
    return in->clamp ? clamped(type, r) : r;
}

// Merges a 16-bit result into its register. The other half is preserved from gfx10 on; before, it
// becomes 0.
static uint32_t with_half(const struct amd_machine *m, const struct amd_inst *in, uint32_t old,
                          uint64_t r)
{
    const bool mixhi = in->id == AMD_V_FMA_MIXHI_F16 || in->id == AMD_V_MAD_MIXHI_F16;
    const bool mixlo = in->id == AMD_V_FMA_MIXLO_F16 || in->id == AMD_V_MAD_MIXLO_F16;
    const bool high = in->o[0].high || mixhi || (!mixlo && in->op_sel >> (in->n - in->dst) & 1);
    const bool keep = m->p->gen >= AMD_GFX10 || high || mixlo;
    const uint32_t v = (uint32_t)r & 0xffff;
    if (high)
        return (old & 0xffff) | v << 16;
    return (keep ? old & 0xffff0000 : 0) | v;
}

static uint32_t with_part(const struct amd_inst *in, uint32_t old, uint32_t r)
{
    const enum amd_part part = in->o[0].part;
    if (part == PART_ALL)
        return r;
    const uint32_t width = part >= PART_WORD0 ? 16 : 8;
    const uint32_t at =
        part >= PART_WORD0 ? 16 * (uint32_t)(part - PART_WORD0) : 8 * (uint32_t)(part - PART_BYTE0);
    const uint32_t mask = ((UINT32_C(1) << width) - 1) << at;
    uint32_t rest = 0;
    if (in->unused == UNUSED_PRESERVE)
        rest = old;
    else if (in->unused == UNUSED_SEXT && (r >> (width - 1) & 1))
        rest = at + width < 32 ? ~UINT32_C(0) << (at + width) : 0;
    return (rest & ~mask) | (r << at & mask);
}

static uint32_t one_word(const struct amd_machine *m, const struct amd_inst *in, uint32_t old,
                         uint64_t r)
{
    const char type = in->o[0].type;
    const bool sdwa = in->o[0].part || in->unused;
    if (strchr("hje", type) && !sdwa)
        return with_half(m, in, old, r);
    return with_part(in, old, (uint32_t)(strchr("hje", type) ? r & 0xffff : r));
}

// ---- one instruction -------------------------------------------------------

// The results of an instruction before they are written.
struct answers {
    uint64_t lanes; // lanes to write
    uint64_t bits;  // result bits of VCMP and VCARRY
    uint64_t r[LANES];
};

// What an instruction does to its lanes: the lane that each reads its first source from, and the
// sources, a row each.
struct fetched {
    uint8_t from[LANES];
    uint64_t none; // lanes whose first source is zero
    uint64_t v[3][LANES];
};

// Decides which lanes DPP reads; lanes that keep their destination leave out->lanes.
static void lanes_choose(const struct amd_machine *m, const struct amd_inst *in, uint64_t exec,
                         struct fetched *f, struct answers *out)
{
    LANES_EACH (lane, exec) {
        uint32_t from;
        const bool found =
            amd_dpp_lane(in, m->p->wave, lane, &from) && (in->fi || (exec >> from & 1));
        const bool out_of_it =
            !(in->row_mask >> lane / 16 & 1) || !(in->bank_mask >> lane / 4 % 4 & 1);
        f->from[lane] = (uint8_t)from;
        if (!found)
            f->none |= UINT64_C(1) << lane;
        if (out_of_it || (!found && !in->bound))
            out->lanes &= ~(UINT64_C(1) << lane);
    }
}

// Reads a vector source whose bits are a whole register or pair, or half of one; false: of another
// kind.
static bool row_read(const struct amd_wave *w, const struct amd_operand *o, bool high,
                     struct isa_span lanes, uint64_t *out)
{
    if (o->kind != OPERAND_VECTOR || o->part)
        return false;
    const uint32_t *low = w->v[o->reg], shift = high ? 16 : 0;
    switch (o->type) {
    case 'u':
    case 'f':
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = low[l];
        break;
    case 'i':
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = (uint64_t)(int32_t)low[l];
        break;
    case 'h':
    case 'e':
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = low[l] >> shift & 0xffff;
        break;
    case 'j':
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = (uint64_t)(int16_t)(low[l] >> shift);
        break;
    case 'q':
    case 'l':
    case 'd':
        if (o->count != 2)
            return false;
        for (uint32_t l = lanes.first; l <= lanes.last; l++)
            out[l] = low[l] | (uint64_t)w->v[o->reg + 1][l] << 32;
        break;
    default:
        return false;
    }
    const uint64_t sign = sign_of(o->type), keep = o->abs ? ~sign : UINT64_MAX,
                   flip = o->neg ? sign : 0;
    for (uint32_t l = lanes.first; (o->abs || o->neg) && l <= lanes.last; l++)
        out[l] = (out[l] & keep) ^ flip;
    return true;
}

// Reads source `k` for the lanes that are written.
static void fetch(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in, uint32_t k,
                  uint64_t lanes, struct fetched *f)
{
    const struct amd_operand *o = &in->o[in->dst + k];
    const bool high = o->high || in->op_sel >> k & 1, moved = !k && in->dpp;
    const struct isa_span span = isa_span(lanes);
    uint64_t *out = f->v[k];
    if (!moved && !is_mix(in->id) && o->kind != OPERAND_VECTOR && o->type != 'm') {
        const uint64_t v = source(m, w, in, o, k, span.first, high); // the same for all lanes
        for (uint32_t l = span.first; l <= span.last; l++)
            out[l] = v;
    } else if (moved || is_mix(in->id) || !row_read(w, o, high, span, out)) {
        LANES_EACH (lane, lanes)
            out[lane] = !moved                ? source(m, w, in, o, k, lane, high)
                        : f->none >> lane & 1 ? 0
                                              : source(m, w, in, o, k, f->from[lane], high);
    }
}

static uint64_t packed(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                       struct amd_alu *x, uint32_t lane)
{
    uint64_t out = 0;
    uint64_t *const to[] = {&x->a, &x->b, &x->c};
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t k = 0; k < in->n - in->dst && k < 3; k++) {
            const struct amd_operand *o = &in->o[in->dst + k];
            const bool high = (half ? in->op_sel_hi : in->op_sel) >> k & 1;
            *to[k] = source(m, w, in, o, k, lane, high);
            if ((half ? in->neg_hi : in->neg_lo) >> k & 1)
                *to[k] ^= 0x8000;
        }
        amd_vector_value(in->id, x);
        out |= (output(in, in->o[0].type, x->r) & 0xffff) << 16 * half;
    }
    return out;
}

static void compute(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                    struct answers *out)
{
    const enum amd_unit unit = amd_ops[in->id].unit;
    const uint64_t exec = wave_exec(m, w);
    const uint32_t n = in->n - in->dst < 3 ? in->n - in->dst : 3;
    struct fetched f;
    const uint32_t *old = in->dst && in->o[0].kind == OPERAND_VECTOR ? w->v[in->o[0].reg] : NULL;
    const bool half = old && strchr("hje", in->o[0].type);
    out->lanes = exec;
    out->bits = f.none = 0;
    for (uint32_t k = in->dst; k < in->n; k++)
        amd_use(m, w, &in->o[k]);
    if (in->dpp)
        lanes_choose(m, in, exec, &f, out);
    for (uint32_t k = 0; k < n && unit != AMD_VPACK && out->lanes; k++)
        fetch(m, w, in, k, out->lanes, &f);
    struct amd_alu x = {.exec = exec};
    uint64_t *const to[] = {&x.a, &x.b, &x.c};
    LANES_EACH (lane, out->lanes) {
        x.below = (UINT64_C(1) << lane) - 1;
        x.d = !old ? 0 : old[lane];
        if (half) // accumulated: the half that is written
            x.d = in->o[0].high ? x.d >> 16 : x.d & 0xffff;
        if (unit == AMD_VPACK) {
            out->r[lane] = packed(m, w, in, &x, lane);
            continue;
        }
        for (uint32_t k = 0; k < n; k++)
            *to[k] = f.v[k][lane];
        x.scc = false;
        amd_vector_value(in->id, &x);
        out->r[lane] = unit == AMD_VALU ? output(in, in->o[0].type, x.r) : x.r;
        out->bits |= (uint64_t)x.scc << lane;
    }
}

static void write_answers(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                          const struct answers *out)
{
    const struct amd_op *op = &amd_ops[in->id];
    const struct amd_operand *o = &in->o[0];
    if (op->unit == AMD_VCMP) {
        const struct amd_operand exec = {
            .kind = OPERAND_SCALAR, .type = 'm', .reg = REG_EXEC, .count = 2};
        if (in->dst)
            amd_scalar_write(m, w, o, out->bits);
        if (in->exec)
            amd_scalar_write(m, w, &exec, out->bits);
        return;
    }
    const bool whole =
        op->unit == AMD_VPACK || (!o->part && !in->unused && !strchr("hje", o->type));
    const bool wide = strchr("qld", o->type) && o->reg + 1u < m->p->vectors;
    LANES_EACH (lane, out->lanes) {
        uint32_t *to = &w->v[o->reg][lane];
        *to = whole ? (uint32_t)out->r[lane] : one_word(m, in, *to, out->r[lane]);
        if (wide)
            w->v[o->reg + 1][lane] = (uint32_t)(out->r[lane] >> 32);
    }
    amd_mirror(m, w, o->reg, out->lanes);
    if (op->unit == AMD_VCARRY)
        amd_scalar_write(m, w, &in->o[1], out->bits);
}

bool amd_vector(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    struct answers out;
    compute(m, w, in, &out);
    write_answers(m, w, in, &out);
    return true;
}

bool amd_vector_pair(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    struct answers first, second;
    compute(m, w, &in[0], &first);
    compute(m, w, &in[1], &second);
    write_answers(m, w, &in[0], &first);
    write_answers(m, w, &in[1], &second);
    return true;
}
