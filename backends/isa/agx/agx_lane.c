// SPDX-License-Identifier: Apache-2.0
//
// Operations between lanes, and special registers.
#include "agx_machine.h"

#include "isa/isa_bits.h"

#include <string.h>

static uint64_t special(const struct agx_machine *m, const struct agx_wave *w,
                        enum agx_special which, uint32_t lane)
{
    const uint32_t index = w->number * AGX_LANES + lane;
    uint32_t id[3];
    isa_local_id(m->local, index, id);
    switch (which) {
    case SPECIAL_GROUP_X:
    case SPECIAL_GROUP_Y:
    case SPECIAL_GROUP_Z:
        return m->group[which - SPECIAL_GROUP_X];
    case SPECIAL_LOCAL_X:
    case SPECIAL_LOCAL_Y:
    case SPECIAL_LOCAL_Z:
        return id[which - SPECIAL_LOCAL_X];
    case SPECIAL_LOCAL_INDEX:
        return index;
    case SPECIAL_LANE:
        return lane;
    case SPECIAL_WAVE:
        return w->number;
    case SPECIAL_ACTIVE_INDEX:
        return (uint64_t)__builtin_popcount(w->active & ((UINT32_C(1) << lane) - 1));
    case SPECIAL_ACTIVE_COUNT:
        return (uint64_t)__builtin_popcount(w->active);
    case SPECIAL_GLOBAL_X:
    case SPECIAL_GLOBAL_Y:
    case SPECIAL_GLOBAL_Z:
        return (uint64_t)m->group[which - SPECIAL_GLOBAL_X] * m->local[which - SPECIAL_GLOBAL_X] +
               id[which - SPECIAL_GLOBAL_X];
    case AGX_SPECIALS:
        break;
    }
    CHECK(!"the reader knows them all");
    return 0;
}

static bool ballot(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                   uint64_t out[AGX_LANES])
{
    lanes32 holds;
    if (!agx_compare(m, w, in, &holds))
        return false;
    holds &= w->active;
    for (uint32_t l = 0; l < AGX_LANES; l++)
        out[l] = in->quad ? holds >> (l & ~3u) & 15 : holds;
    return true;
}

// The lane that a lane reads; AGX_LANES or more: none.
static uint32_t source_lane(const struct agx_inst *in, uint32_t lane, uint64_t by)
{
    const uint64_t base = in->quad ? lane & ~3u : 0, within = lane - base,
                   size = in->quad ? 4 : AGX_LANES;
    const uint64_t at = in->way == WAY_XOR    ? within ^ by
                        : in->way == WAY_UP   ? within - by
                        : in->way == WAY_DOWN ? within + by
                                              : by;
    return at < size ? (uint32_t)(base + at) : (uint32_t)AGX_LANES;
}

// The hardware takes one lane of each quad: the low two bits of the second source must be the same
// in all active lanes of a quad (NIR's lowering for this driver says so). Code that breaks this is
// refused, as is a read of no lane.
static bool shuffle(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                    uint64_t out[AGX_LANES])
{
    uint64_t v[AGX_LANES], by[AGX_LANES];
    uint32_t low[AGX_LANES / 4];
    bool any[AGX_LANES / 4] = {false};
    if (!agx_source(m, w, in, &in->src[0], 0, v) || !agx_source(m, w, in, &in->src[1], 0, by))
        return false;
    for (uint32_t l = 0; l < AGX_LANES; l++) {
        const uint32_t bits = by[l] & 3, quad = l / 4;
        out[l] = 0;
        if (!(w->active >> l & 1))
            continue;
        if (any[quad] && low[quad] != bits)
            return agx_refuse(m, RAN_UNSUPPORTED, in, "lanes of a quad that read different lanes");
        low[quad] = bits;
        any[quad] = true;
        const uint32_t from = source_lane(in, l, by[l]);
        if (from >= AGX_LANES)
            return agx_refuse(m, RAN_UNSUPPORTED, in, "a lane that does not exist");
        out[l] = v[from];
    }
    return true;
}

static bool reduction(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in,
                      uint64_t out[AGX_LANES])
{
    static const enum isa_combine how[AGX_REDUCES] = {
        [REDUCE_AND] = ISA_IAND,  [REDUCE_OR] = ISA_IOR,    [REDUCE_XOR] = ISA_IXOR,
        [REDUCE_IADD] = ISA_IADD, [REDUCE_SMIN] = ISA_IMIN, [REDUCE_SMAX] = ISA_IMAX,
        [REDUCE_UMIN] = ISA_UMIN, [REDUCE_UMAX] = ISA_UMAX, [REDUCE_FADD] = ISA_FADD,
        [REDUCE_FMUL] = ISA_FMUL, [REDUCE_FMIN] = ISA_FMIN, [REDUCE_FMAX] = ISA_FMAX};
    uint64_t v[AGX_LANES];
    if (!agx_source(m, w, in, &in->src[0], 0, v))
        return false;
    const uint32_t bits = in->dst.bits;
    if (bits > 32 || (in->src[0].kind != OPERAND_NUMBER && in->src[0].bits != bits))
        return agx_refuse(m, RAN_UNSUPPORTED, in, "a result of this width");
    memset(out, 0, sizeof *out * AGX_LANES);
    isa_scanned(in->prefix ? ISA_EXCLUSIVE_SCAN : ISA_REDUCE, how[in->reduce], bits,
                in->id == AGX_QUAD ? 4 : AGX_LANES, w->active, v, out);
    return true;
}

bool agx_lane(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in)
{
    uint64_t out[AGX_LANES];
    if (in->id == AGX_MFSR)
        for (uint32_t l = 0; l < AGX_LANES; l++)
            out[l] = special(m, w, in->special, l);
    else if (!(in->id == AGX_BALLOT    ? ballot(m, w, in, out)
               : in->id == AGX_SHUFFLE ? shuffle(m, w, in, out)
                                       : reduction(m, w, in, out)))
        return false;
    agx_discard(m, w, in);
    agx_write(w, &in->dst, 0, w->active, out);
    return true;
}
