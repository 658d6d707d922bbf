// SPDX-License-Identifier: Apache-2.0
//
// Operations that move values between lanes: readlane and similar, permlane, LDS permutations.
#include "machine.h"

#include <string.h>

static bool is_on(uint64_t exec, uint32_t lane)
{
    return exec >> lane & 1;
}

// Lane `i` of a row of 16 reads the lane given by nibble i of the selectors, in its own row or in
// the other row of its half (permlanex16).
static void permlane16(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                       bool other)
{
    const uint64_t exec = wave_exec(m, w);
    const uint64_t select =
        (uint32_t)amd_scalar_read(m, w, &in->o[2]) | amd_scalar_read(m, w, &in->o[3]) << 32;
    const bool fetch = in->op_sel & 1, bound = in->op_sel >> 1 & 1;
    uint32_t old[LANES];
    memcpy(old, w->v[in->o[1].reg], sizeof old);
    amd_use(m, w, &in->o[1]);
    LANES_EACH (lane, exec) {
        const uint32_t row = (lane & ~15u) ^ (other ? 16u : 0u);
        const uint32_t from = row | (select >> 4 * (lane & 15) & 15);
        if (fetch || is_on(exec, from))
            w->v[in->o[0].reg][lane] = old[from];
        else if (bound)
            w->v[in->o[0].reg][lane] = 0;
    }
}

static void permlane64(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    uint32_t old[LANES];
    if (m->p->wave != 64)
        return;
    memcpy(old, w->v[in->o[1].reg], sizeof old);
    amd_use(m, w, &in->o[1]);
    LANES_EACH (lane, wave_exec(m, w))
        w->v[in->o[0].reg][lane] = old[lane ^ 32];
}

// Returns the lane, within the same 32, that LDS's swizzle reads for `lane`.
static uint32_t swizzled(const struct amd_inst *in, uint32_t lane)
{
    const uint32_t base = lane & ~31u, at = lane & 31u;
    switch (in->swizzle) {
    case SWIZZLE_QUAD:
        return (lane & ~3u) | in->perm[lane & 3];
    case SWIZZLE_BITS:
        return base | (((at & in->and_mask) | in->or_mask) ^ in->xor_mask);
    case SWIZZLE_ROTATE: // to the left: lane i reads lane i + n
        return base | ((at + (in->and_mask ? 32u - in->or_mask : in->or_mask)) & 31);
    default:
        return lane;
    }
}

// LDS permutations. Inactive lanes do not read; a lane that reads an inactive one gets 0.
static void lds_move(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const uint64_t exec = wave_exec(m, w);
    // On gfx10 and gfx11, a lane of a wave of 64 reaches only its own half ("RDNA3.5 Instruction
    // Set Architecture", 12.5.2; RDNA4's DS_PERMUTE_B32 has the number of lanes).
    const uint32_t reach =
        m->p->wave == 64 && m->p->gen >= AMD_GFX10 && m->p->gen < AMD_GFX12 ? 32 : m->p->wave;
    struct amd_pending *p = amd_begin(m, w, COUNT_LDS);
    const struct amd_operand *data = &in->o[in->id == AMD_DS_SWIZZLE_B32 ? 1 : 2];
    uint32_t old[LANES];
    amd_use(m, w, &in->o[1]);
    amd_use(m, w, data);
    memcpy(old, w->v[data->reg], sizeof old);
    memset(p->v[0], 0, sizeof p->v[0]);
    LANES_EACH (lane, exec) {
        const uint32_t at = in->id == AMD_DS_SWIZZLE_B32
                                ? 0
                                : (w->v[in->o[1].reg][lane] + (uint32_t)in->offset) / 4 % reach;
        const uint32_t there = (lane & ~(reach - 1)) | at;
        if (in->id == AMD_DS_PERMUTE_B32)
            p->v[0][there] = old[lane];
        else if (in->id == AMD_DS_BPERMUTE_B32)
            p->v[0][lane] = is_on(exec, there) ? old[there] : 0;
        else
            p->v[0][lane] = is_on(exec, swizzled(in, lane)) ? old[swizzled(in, lane)] : 0;
    }
    p->reg = in->o[0].reg;
    p->count = 1;
    amd_began(m, w, p);
}

// Adds the number of active lanes to the LDS counter at an offset, or subtracts it. All active
// lanes get the old value.
static void append(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    struct amd_pending *p = amd_begin(m, w, COUNT_LDS);
    const uint32_t by = count_ones(p->lanes), at = (uint32_t)in->offset;
    uint32_t old = 0;
    if (at <= LDS_BYTES - 4) {
        memcpy(&old, isa_shared(&m->shared) + at, 4);
        const uint32_t new = in->id == AMD_DS_APPEND ? old + by : old - by;
        memcpy(m->lds + at, &new, 4);
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (is_on(p->lanes, lane))
            p->v[0][lane] = old;
    p->reg = in->o[0].reg;
    p->count = 1;
    amd_began(m, w, p);
}

static void swap(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    amd_use(m, w, &in->o[0]);
    amd_use(m, w, &in->o[1]);
    LANES_EACH (lane, wave_exec(m, w)) {
        uint32_t *x = &w->v[in->o[0].reg][lane], *y = &w->v[in->o[1].reg][lane], t = *x;
        *x = *y;
        *y = t;
    }
}

bool amd_lanes(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const uint64_t exec = wave_exec(m, w);
    const uint32_t mask = m->p->wave - 1;
    for (uint32_t i = in->dst; i < in->n; i++)
        if (in->o[i].kind == OPERAND_SCALAR)
            amd_use(m, w, &in->o[i]);
    switch (in->id) {
    case AMD_V_READFIRSTLANE_B32:
    case AMD_V_READLANE_B32: {
        const uint32_t lane = in->id == AMD_V_READLANE_B32
                                  ? (uint32_t)amd_scalar_read(m, w, &in->o[2]) & mask
                              : exec ? (uint32_t)__builtin_ctzll(exec)
                                     : 0;
        amd_use(m, w, &in->o[1]);
        amd_scalar_write(m, w, &in->o[0], amd_word(m, w, &in->o[1], 0, lane));
        return true;
    }
    case AMD_V_WRITELANE_B32:
        w->v[in->o[0].reg][amd_scalar_read(m, w, &in->o[2]) & mask] =
            (uint32_t)amd_scalar_read(m, w, &in->o[1]);
        return true;
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32:
        permlane16(m, w, in, in->id == AMD_V_PERMLANEX16_B32);
        return true;
    case AMD_V_PERMLANE64_B32:
        permlane64(m, w, in);
        return true;
    case AMD_V_SWAP_B32:
        swap(m, w, in);
        return true;
    case AMD_DS_APPEND:
    case AMD_DS_CONSUME:
        append(m, w, in);
        return true;
    default:
        lds_move(m, w, in);
        return true;
    }
}
