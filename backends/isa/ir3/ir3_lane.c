// SPDX-License-Identifier: Apache-2.0
//
// Operations that move values between lanes.
#include "ir3_machine.h"

// Reads the source in all lanes of the wave, active or not.
static bool values(struct ir3_machine *m, const struct ir3_wave *w, const struct ir3_inst *in,
                   uint32_t out[LANES_MAX])
{
    return ir3_source(m, w, in, &in->src[0], 0, 'u', 32, lanes_below(m->p->size), out);
}

static bool movmsk(struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    for (uint32_t k = 0; k < in->count / 32; k++) {
        uint32_t v[LANES_MAX];
        LANES_EACH (l, on)
            v[l] = (uint32_t)(on >> 32 * k);
        ir3_write(w, &in->dst, k, on, v);
    }
    return true;
}

// In each cluster, the upper half gets the value of the last active lane of the lower half.
static bool brcst(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in,
                  lane_mask on)
{
    uint32_t v[LANES_MAX], out[LANES_MAX];
    lane_mask to = 0;
    if (!values(m, w, in, v))
        return false;
    LANES_EACH (l, on) {
        const uint32_t first = l / in->count * in->count, middle = first + in->count / 2;
        const lane_mask from = on & lanes_below(middle) & ~lanes_below(first);
        if (l < middle || !from)
            continue;
        out[l] = v[lane_last(from)];
        to |= lane_bit(l);
    }
    ir3_write(w, &in->dst, 0, to, out);
    return true;
}

static bool quad(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    uint32_t v[LANES_MAX], which[LANES_MAX] = {0}, out[LANES_MAX];
    if (!values(m, w, in, v) ||
        (in->srcs == 2 && !ir3_source(m, w, in, &in->src[1], 0, 'u', 32, on, which)))
        return false;
    LANES_EACH (l, on) {
        const uint32_t from = in->mode == MODE_BRCST   ? (l & ~3u) | (which[l] & 3)
                              : in->mode == MODE_HORIZ ? l ^ 1
                              : in->mode == MODE_VERT  ? l ^ 2
                                                       : l ^ 3;
        out[l] =
            from < m->p->size && lane_in(on, from) ? v[from] : (uint32_t)rng_next(&m->random_fill);
    }
    ir3_write(w, &in->dst, 0, on, out);
    return true;
}

// All lanes use the same distance. A lane whose source is inactive keeps its old value.
static bool shfl(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    const uint32_t size = m->p->size;
    uint32_t v[LANES_MAX], by[LANES_MAX], out[LANES_MAX];
    lane_mask to = 0;
    if (!values(m, w, in, v) || !ir3_source(m, w, in, &in->src[1], 0, 'u', 32, on, by))
        return false;
    const uint32_t n = by[lane_first(on)];
    LANES_EACH (l, on) {
        uint32_t from = size; // out of range
        if (by[l] != n)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "shfl with distances that differ between lanes");
        switch (in->mode) {
        case MODE_XOR:
            from = l ^ n;
            break;
        case MODE_UP:
            from = l - n;
            break;
        case MODE_DOWN:
            from = n < size ? l + n : size;
            break;
        case MODE_RUP:
            from = (l - n) % size;
            break;
        default:
            from = (l + n) % size;
            break;
        }
        if (from >= size || !lane_in(on, from))
            continue;
        out[l] = v[from];
        to |= lane_bit(l);
    }
    ir3_write(w, &in->dst, 0, to, out);
    return true;
}

bool ir3_lane(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on)
{
    switch (in->id) {
    case IR3_MOVMSK:
        return movmsk(w, in, on);
    case IR3_BRCST:
        return brcst(m, w, in, on);
    case IR3_QUAD:
        return quad(m, w, in, on);
    case IR3_SHFL:
        return shfl(m, w, in, on);
    default: { // getfiberid
        uint32_t v[LANES_MAX];
        LANES_EACH (l, on)
            v[l] = l;
        ir3_write(w, &in->dst, 0, on, v);
        return true;
    }
    }
}
