// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic whose result depends on several components: casts between shapes, and integer dot
// products. Input and output as in alu.c.
#include "execute.h"

__extension__ typedef __int128 wide;

// OpBitcast (3.3.11): "lower-ordered bits to the lower-numbered components". Converts components of
// i->width bits to i->comps components of i->width2 bits.
static void cast(const struct inst *i, const struct values *v)
{
    const unsigned from = i->width, to = i->width2;
    for (uint32_t k = 0; k < i->comps; k++) {
        uint64_t *d = plane_of(v, i->dst + k);
        if (to >= from) { // several components into one
            uint32_t parts = to / from, first = k * parts;
            lane_mask ok = ~(lane_mask)0;
            for (uint32_t j = 0; j < parts; j++)
                ok &= v->defined[i->a + first + j];
            LANES_EACH (l, v->active) {
                uint64_t value = 0;
                for (uint32_t j = 0; j < parts; j++)
                    value |= plane_of(v, i->a + first + j)[l] << (j * from);
                d[l] = value;
            }
            define(v, i->dst + k, ok);
        } else { // one component into several
            uint32_t parts = from / to, source = i->a + k / parts;
            LANES_EACH (l, v->active)
                d[l] = (plane_of(v, source)[l] >> (k % parts * to)) & width_mask(to);
            define(v, i->dst + k, v->defined[source]);
        }
    }
}

// Returns component `k` of a vector, or of four 8-bit components packed in a 32-bit scalar.
static wide component(const struct inst *i, const struct values *v, uint32_t plane, uint32_t k,
                      uint32_t lane, bool is_signed)
{
    uint64_t value =
        i->n ? plane_of(v, plane)[lane] >> (8 * k) & 0xff : plane_of(v, plane + k)[lane];
    return is_signed ? sign_extend(value, i->n ? 8 : i->width) : (wide)value;
}

// OpSDot and its variants (3.3.13). Without saturation the result is the low bits of the exact
// one. An accumulating variant saturates the last addition and is undefined if an earlier one
// overflows. The order of the additions is unspecified, so the sums of all positive and of all
// negative terms must fit.
static void dot(const struct inst *i, const struct values *v)
{
    bool signed1 = i->op != SpvOpUDot && i->op != SpvOpUDotAccSat;
    bool signed2 = i->op == SpvOpSDot || i->op == SpvOpSDotAccSat;
    bool saturates =
        i->op == SpvOpSDotAccSat || i->op == SpvOpUDotAccSat || i->op == SpvOpSUDotAccSat;
    const unsigned w = i->width2;
    const wide top = signed1 ? (wide)(width_mask(w) >> 1) : (wide)width_mask(w);
    const wide bottom = signed1 ? -top - 1 : 0;
    uint32_t terms = i->n ? 4 : i->comps, planes = i->n ? 1 : i->comps;
    lane_mask ok = saturates ? v->defined[i->c] : ~(lane_mask)0;
    for (uint32_t k = 0; k < planes; k++)
        ok &= v->defined[i->a + k] & v->defined[i->b + k];
    LANES_EACH (l, v->active & ok) {
        wide sum = 0, high = 0, low = 0; // of all terms; of the positive ones; of the negative ones
        for (uint32_t k = 0; k < terms; k++) {
            wide a = component(i, v, i->a, k, l, signed1), b = component(i, v, i->b, k, l, signed2);
            // Without saturation only the low bits matter.
            wide term = saturates ? a * b : (wide)((uint64_t)a * (uint64_t)b);
            sum += term;
            *(term > 0 ? &high : &low) += term;
        }
        if (saturates) {
            if (high > top || low < bottom) {
                ok &= ~lane_bit(l);
                continue;
            }
            uint64_t c = plane_of(v, i->c)[l];
            sum += signed1 ? sign_extend(c, w) : (wide)c;
            sum = sum > top ? top : sum < bottom ? bottom : sum;
        }
        plane_of(v, i->dst)[l] = (uint64_t)sum & width_mask(w);
    }
    define(v, i->dst, ok);
}

bool across_knows(uint32_t op)
{
    switch (op) {
    case SpvOpBitcast:
    case SpvOpSDot:
    case SpvOpUDot:
    case SpvOpSUDot:
    case SpvOpSDotAccSat:
    case SpvOpUDotAccSat:
    case SpvOpSUDotAccSat:
        return true;
    default:
        return false;
    }
}

void across_run(const struct inst *i, const struct values *v)
{
    if (i->op == SpvOpBitcast)
        cast(i, v);
    else
        dot(i, v);
}

// RelaxedPrecision (3.20): "32-bit ... at 16 bits or more". The result is defined only if it fits
// in 16 bits.
void relaxed_run(const struct inst *i, const struct values *v)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint64_t *d = plane_of(v, i->dst + k);
        lane_mask bad = 0;
        LANES_EACH (l, v->active) {
            int64_t value = i->is_signed ? sign_extend(d[l], i->width) : (int64_t)d[l];
            if (value > INT16_MAX || value < INT16_MIN)
                bad |= lane_bit(l);
        }
        v->defined[i->dst + k] &= ~bad;
    }
}

// NoSignedWrap, NoUnsignedWrap (`is_signed` selects; SPIR-V 3.2.19): if the instruction "does
// overflow or underflow, behavior is undefined". Here only the result is undefined (docs/rules.md,
// "Undefined values").
lane_mask no_wrap_run(const struct inst *i, const struct values *v)
{
    const unsigned w = i->width;
    lane_mask wrapped = 0;
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint64_t *d = plane_of(v, i->dst + k), *a = plane_of(v, i->a + k);
        const uint64_t *b = i->op == SpvOpSNegate ? a : plane_of(v, i->b + k);
        lane_mask bad = 0;
        LANES_EACH (l, v->active & v->defined[i->dst + k]) {
            wide x = i->is_signed ? (wide)sign_extend(a[l], w) : (wide)a[l], exact;
            wide y = i->is_signed ? (wide)sign_extend(b[l], w) : (wide)b[l];
            switch (i->op) {
            case SpvOpIAdd:
                exact = x + y;
                break;
            case SpvOpISub:
                exact = x - y;
                break;
            case SpvOpSNegate:
                exact = -x;
                break;
            case SpvOpShiftLeftLogical: // times a power of two, less than 2^127
                exact = x * ((wide)1 << b[l]);
                break;
            default: // a product of two unsigned 64-bit numbers may exceed `wide`
                if (!i->is_signed && x && y > (wide)width_mask(w) / x) {
                    bad |= lane_bit(l);
                    continue;
                }
                exact = x * y;
            }
            if (exact != (i->is_signed ? (wide)sign_extend(d[l], w) : (wide)d[l]))
                bad |= lane_bit(l);
        }
        v->defined[i->dst + k] &= ~bad;
        wrapped |= bad;
    }
    return wrapped;
}
