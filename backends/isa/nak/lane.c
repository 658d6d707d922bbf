// SPDX-License-Identifier: Apache-2.0
//
// Operations that move values between lanes. The participants are the lanes of the fragment that
// runs the operation. The value from a lane that does not participate is undefined ("PTX ISA",
// shfl.sync): a random value here.
#include "machine.h"

#include <string.h>

static bool shuffle(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                    uint32_t lanes)
{
    uint32_t room[3][LANES], r[LANES], inside = 0;
    const uint32_t *v = nak_words(m, w, &in->o[2], 0, room[0]);
    const uint32_t *by = nak_words(m, w, &in->o[3], 0, room[1]),
                   *c = nak_words(m, w, &in->o[4], 0, room[2]);
    if (!v || !by || !c)
        return false;
    EACH(l, lanes)
    {
        const uint32_t b = by[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
        const uint32_t last = (l & segment) | (clamp & ~segment);
        const uint32_t first = l & segment;
        uint32_t from;
        bool in_it;
        if (HAS(in, MOD_UP)) {
            from = l - b;
            in_it = (int32_t)from >= (int32_t)last;
        } else {
            from = HAS(in, MOD_DOWN) ? l + b : HAS(in, MOD_BFLY) ? l ^ b : first | (b & ~segment);
            in_it = from <= last;
        }
        from = in_it ? from : l;
        inside |= (uint32_t)in_it << l;
        r[l] = lanes >> from & 1 ? v[from] : (uint32_t)rng_next(&m->random_fill);
    }
    nak_write(w, &in->o[0], 0, lanes, r);
    nak_write_bits(w, &in->o[1], lanes, inside);
    return true;
}

static void vote(struct nak_warp *w, const struct nak_inst *in, uint32_t lanes)
{
    uint32_t r[LANES];
    const uint32_t yes = nak_predicate(w, &in->o[2]) & lanes;
    const bool answer = HAS(in, MOD_ANY)   ? yes != 0
                        : HAS(in, MOD_ALL) ? yes == lanes
                                           : yes == lanes || !yes;
    for (uint32_t l = 0; l < LANES; l++)
        r[l] = yes;
    nak_write(w, &in->o[0], 0, lanes, r);
    nak_write_bits(w, &in->o[1], lanes, answer ? UINT32_MAX : 0);
}

static bool match(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes)
{
    uint64_t v[LANES];
    uint32_t same[LANES] = {0}, all = UINT32_MAX;
    const bool any = in->id == NAK_MATCH_ANY;
    nak_values(m, w, &in->o[in->dst], v);
    EACH(l, lanes)
    EACH(k, lanes)
    same[l] |= (uint32_t)(v[l] == v[k]) << k;
    EACH(l, lanes)
    if (same[l] != lanes)
        all = 0;
    for (uint32_t l = 0; l < LANES; l++)
        same[l] = any ? same[l] : lanes & all;
    nak_write(w, &in->o[any ? 0 : 1], 0, lanes, same);
    if (!any)
        nak_write_bits(w, &in->o[0], lanes, all);
    return true;
}

enum isa_combine nak_combine(const struct nak_inst *in)
{
    const bool sign = in->type[0] == MOD_I32 || in->type[0] == MOD_I64;
    switch (in->set) {
    case MOD_AND:
        return ISA_IAND;
    case MOD_OR:
        return ISA_IOR;
    case MOD_XOR:
        return ISA_IXOR;
    case MOD_MIN:
        return sign ? ISA_IMIN : ISA_UMIN;
    case MOD_MAX:
        return sign ? ISA_IMAX : ISA_UMAX;
    case MOD_INC:
        return ISA_UINC;
    case MOD_DEC:
        return ISA_UDEC;
    case MOD_EXCH:
    case MOD_CMPEXCH:
        return ISA_XCHG;
    default:
        return ISA_IADD;
    }
}

// R2UR takes the value of one lane; no documentation specifies which. If the values differ, the
// schedule chooses.
static uint32_t one_of(struct nak_machine *m, const uint32_t *v, uint32_t lanes)
{
    uint32_t n = 0, which;
    EACH(l, lanes)
    m->q.choice |= v[l] != v[lowest_lane(lanes)];
    if (m->q.order == ISA_DEPTH_FIRST)
        return v[lowest_lane(lanes)];
    if (m->q.order == ISA_BREADTH_FIRST)
        return v[31 - (uint32_t)__builtin_clz(lanes)];
    which = rng_below(&m->q.chance, count_ones(lanes));
    EACH(l, lanes)
    if (n++ == which)
        return v[l];
    return 0;
}

bool nak_lanes(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in, uint32_t lanes)
{
    uint32_t room[LANES], r[LANES], sum;
    const uint32_t *v;
    switch (in->id) {
    case NAK_SHFL:
        return shuffle(m, w, in, lanes);
    case NAK_VOTE:
        vote(w, in, lanes);
        return true;
    case NAK_MATCH_ANY:
    case NAK_MATCH_ALL:
        return match(m, w, in, lanes);
    default:
        v = nak_any(m, w, &in->o[1], room);
        if (!v)
            return false;
        sum = v[lowest_lane(lanes)];
        if (in->id == NAK_R2UR)
            sum = one_of(m, v, lanes);
        else
            EACH(l, lanes & (lanes - 1))
        sum = (uint32_t)isa_combined(nak_combine(in), 32, sum, v[l]);
        for (uint32_t l = 0; l < LANES; l++)
            r[l] = sum;
        nak_write_any(w, &in->o[0], lanes, r);
        return true;
    }
}
