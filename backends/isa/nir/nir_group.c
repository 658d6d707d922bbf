// SPDX-License-Identifier: Apache-2.0
//
// Operations that move values between lanes: votes, ballots, shuffles, quads, reductions, scans. An
// inactive lane has no value: reading it returns a random value.
#include "nir_machine.h"

static bool on(const struct nir_wave *w, uint32_t lane)
{
    return lane < NIR_LANES && lane_in(w->active, lane);
}

static lane_mask voted(const struct nir_machine *m, const struct nir_wave *w,
                       const struct nir_inst *in, uint32_t source)
{
    const uint64_t *v = nir_source(m, w, in, source, 0);
    lane_mask yes = 0;
    LANES_EACH (lane, w->active)
        if (v[lane] & 1)
            yes |= lane_bit(lane);
    return yes;
}

// ---- ballots and votes -----------------------------------------------------

static void ballot(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    lane_mask yes = voted(m, w, in, 0);
    if (in->id == NIR_BALLOT_RELAXED) // bits of inactive lanes are undefined
        yes |= (rng_next(&m->random_fill) | (lane_mask)rng_next(&m->random_fill) << 64) &
               ~w->active & lanes_below(m->p->size);
    for (uint32_t k = 0; k < d->components; k++)
        nir_write_all(m, w, in, k, k * d->bits < NIR_LANES ? (uint64_t)(yes >> k * d->bits) : 0);
}

static void inverse_ballot(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint32_t first = lane_first(w->active), bits = m->p->def[in->src[0].def].bits;
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active)
        out[lane] = lane / bits < in->src[0].count
                        ? nir_source(m, w, in, 0, lane / bits)[first] >> lane % bits & 1
                        : 0;
}

static bool all_equal(const struct nir_machine *m, const struct nir_wave *w,
                      const struct nir_inst *in)
{
    const struct nir_alu x = {.from = m->p->def[in->src[0].def].bits, .width = 1};
    bool all = true;
    for (uint32_t k = 0; k < in->src[0].count; k++) {
        const uint64_t *v = nir_source(m, w, in, 0, k), *first = &v[lane_first(w->active)];
        LANES_EACH (lane, w->active) {
            struct nir_alu pair = x;
            uint64_t same;
            for (uint32_t i = 0; i < 4; i++)
                pair.v[i] = i == 0 ? &v[lane] : first;
            nir_alu_rows(in->id == NIR_VOTE_FEQ ? NIR_FEQ : NIR_IEQ, &pair,
                         (struct isa_span){0, 0, true}, &same);
            all &= same & 1;
        }
    }
    return all;
}

static void quad_vote(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const lane_mask yes = voted(m, w, in, 0), no = w->active & ~yes;
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active) {
        const lane_mask quad = (lane_mask)15 << (lane & ~3u);
        out[lane] = in->id == NIR_QUAD_VOTE_ANY ? (yes & quad) != 0 : (no & quad) == 0;
    }
}

// ---- from another lane -----------------------------------------------------

// Returns the lane that `lane` reads.
static uint32_t reads(const struct nir_machine *m, const struct nir_wave *w,
                      const struct nir_inst *in, uint32_t lane)
{
    const uint32_t first = lane_first(w->active);
    // Operations whose source must be uniform use the first lane's source.
    const uint32_t own = in->srcs > 1 ? (uint32_t)nir_source(m, w, in, 1, 0)[lane] : 0;
    const uint32_t common = in->srcs > 1 ? (uint32_t)nir_source(m, w, in, 1, 0)[first] : 0;
    switch (in->id) {
    case NIR_READ_FIRST:
        return first;
    case NIR_AS_UNIFORM: // any active lane's value; schedules differ
        return m->q.order == ISA_BREADTH_FIRST ? lane_last(w->active) : first;
    case NIR_READ_INVOCATION: // Honeykrisp lowers shuffles to it, so sources may differ
        return m->p->driver == NIR_HONEYKRISP ? own : common;
    case NIR_SHUFFLE:
        return own;
    case NIR_SHUFFLE_XOR:
        return lane ^ own;
    case NIR_SHUFFLE_UP:
        return lane - own;
    case NIR_SHUFFLE_DOWN:
        return lane + own;
    case NIR_SHUFFLE_XOR_IR3:
        return lane ^ common;
    case NIR_SHUFFLE_UP_IR3:
        return lane - common;
    case NIR_SHUFFLE_DOWN_IR3:
        return lane + common;
    case NIR_ROTATE: {
        const uint32_t cluster = in->cluster ? in->cluster : m->p->size;
        return (lane & ~(cluster - 1)) | ((lane + common) & (cluster - 1));
    }
    case NIR_QUAD_BROADCAST:
        return (lane & ~3u) | (own & 3);
    case NIR_QUAD_SWAP_HORIZONTAL:
        return lane ^ 1;
    case NIR_QUAD_SWAP_VERTICAL:
        return lane ^ 2;
    case NIR_QUAD_SWAP_DIAGONAL:
        return lane ^ 3;
    default: // masked_swizzle_amd: in 32 lanes
        return (lane & ~31u) | (((lane & in->and_mask) | in->or_mask) ^ in->xor_mask);
    }
}

static void read_other(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const uint64_t same =
        rng_next(&m->random_fill); // if all lanes read the same inactive lane, all get this value
    LANES_EACH (lane, w->active) {
        const uint32_t from = reads(m, w, in, lane);
        const uint64_t random_fill = in->id == NIR_READ_INVOCATION && m->p->driver != NIR_HONEYKRISP
                                         ? same
                                         : rng_next(&m->random_fill);
        for (uint32_t k = 0; k < d->components; k++)
            nir_row(m, w, in->def, k)[lane] =
                on(w, from) ? nir_source(m, w, in, 0, k)[from] : isa_low(random_fill, d->bits);
    }
}

// Reads from one lane in which the second source is true. If there are several, a random one is
// used: the operation's definition allows any, and so does the lowering of shuffles.
static void read_where(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const lane_mask yes = voted(m, w, in, 1);
    lane_mask left = yes;
    if (yes)
        for (uint32_t skip = rng_below(&m->random_fill, lane_count(yes)); skip; skip--)
            left &= left - 1;
    const uint32_t from = yes ? lane_first(left) : 0;
    for (uint32_t k = 0; k < m->p->def[in->def].components; k++)
        nir_write_all(m, w, in, k,
                      yes ? nir_source(m, w, in, 0, k)[from] : rng_next(&m->random_fill));
}

// ---- reductions ------------------------------------------------------------

static void reduce(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in, uint32_t k)
{
    const uint32_t cluster = in->cluster && in->cluster < m->p->size ? in->cluster : m->p->size;
    const enum isa_scan scan = in->id == NIR_REDUCE           ? ISA_REDUCE
                               : in->id == NIR_INCLUSIVE_SCAN ? ISA_INCLUSIVE_SCAN
                                                              : ISA_EXCLUSIVE_SCAN;
    isa_scanned(scan, in->combine, m->p->def[in->def].bits, cluster, w->active,
                nir_source(m, w, in, 0, k), nir_row(m, w, in->def, k));
}

static void count_below(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *mask = nir_source(m, w, in, 0, 0), *more = nir_source(m, w, in, 1, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active)
        out[lane] = isa_low(count_ones(mask[lane] & (uint64_t)lanes_below(lane)) + more[lane], 32);
}

// Looks at a mask: a bit, the number of bits, the first or last bit. A mask without a bit has no
// first and no last one: SPIR-V leaves the result undefined.
static void look_at(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint32_t bits = m->p->def[in->src[0].def].bits;
    uint64_t *out = nir_row(m, w, in->def, 0);
    LANES_EACH (lane, w->active) {
        const uint32_t at = in->srcs > 1 ? (uint32_t)nir_source(m, w, in, 1, 0)[lane] : 0;
        lane_mask v = 0;
        for (uint32_t k = 0; k < in->src[0].count && k * bits < NIR_LANES; k++)
            v |= (lane_mask)nir_source(m, w, in, 0, k)[lane] << k * bits;
        v &= lanes_below(m->p->size);
        switch (in->id) {
        case NIR_BALLOT_BIT: // of a bit beyond the mask: undefined
            out[lane] = at < m->p->size ? lane_in(v, at) : rng_next(&m->random_fill) & 1;
            break;
        case NIR_BALLOT_COUNT:
            out[lane] = lane_count(v);
            break;
        case NIR_BALLOT_INCLUSIVE:
            out[lane] = lane_count(v & (lanes_below(lane) | lane_bit(lane)));
            break;
        case NIR_BALLOT_EXCLUSIVE:
            out[lane] = lane_count(v & lanes_below(lane));
            break;
        default:
            out[lane] = !v                         ? isa_low(rng_next(&m->random_fill), 32)
                        : in->id == NIR_BALLOT_LSB ? lane_first(v)
                                                   : lane_last(v);
        }
    }
}

bool nir_group(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const lane_mask yes = in->srcs && nir_ops[in->id].src[0] == '1' ? voted(m, w, in, 0) : 0;
    switch (in->id) {
    case NIR_BALLOT:
    case NIR_BALLOT_RELAXED:
        ballot(m, w, in);
        break;
    case NIR_INVERSE_BALLOT:
        inverse_ballot(m, w, in);
        break;
    case NIR_BALLOT_BIT:
    case NIR_BALLOT_COUNT:
    case NIR_BALLOT_INCLUSIVE:
    case NIR_BALLOT_EXCLUSIVE:
    case NIR_BALLOT_LSB:
    case NIR_BALLOT_MSB:
        look_at(m, w, in);
        break;
    case NIR_BRCST_ACTIVE_IR3:
    case NIR_READ_GETLAST_IR3:
    case NIR_REDUCE_IR3:
    case NIR_INCLUSIVE_SCAN_IR3:
    case NIR_EXCLUSIVE_SCAN_IR3:
        nir_turnip_group(m, w, in);
        break;
    case NIR_PREAMBLE_START_IR3:
        nir_write_all(m, w, in, 0, m->in_preamble);
        break;
    case NIR_ELECT_ANY_IR3:
    case NIR_ELECT:
        nir_write_all(m, w, in, 0, 0);
        nir_row(m, w, in->def, 0)[lane_first(w->active)] = 1;
        break;
    case NIR_FIRST_INVOCATION:
        nir_write_all(m, w, in, 0, lane_first(w->active));
        break;
    case NIR_LAST_INVOCATION:
        nir_write_all(m, w, in, 0, lane_last(w->active));
        break;
    case NIR_VOTE_ANY:
        nir_write_all(m, w, in, 0, yes != 0);
        break;
    case NIR_VOTE_ALL:
        nir_write_all(m, w, in, 0, yes == w->active);
        break;
    case NIR_VOTE_IEQ:
    case NIR_VOTE_FEQ:
        nir_write_all(m, w, in, 0, all_equal(m, w, in));
        break;
    case NIR_QUAD_VOTE_ANY:
    case NIR_QUAD_VOTE_ALL:
        quad_vote(m, w, in);
        break;
    case NIR_QUAD_BALLOT_AGX: {
        uint64_t *out = nir_row(m, w, in->def, 0);
        LANES_EACH (lane, w->active)
            out[lane] = (uint64_t)(yes >> (lane & ~3u)) & 15;
        break;
    }
    case NIR_ACTIVE_INVOCATION_AGX: {
        uint64_t *out = nir_row(m, w, in->def, 0);
        LANES_EACH (lane, w->active)
            out[lane] = lane_count(w->active & lanes_below(lane));
        break;
    }
    case NIR_ACTIVE_COUNT_AGX:
        nir_write_all(m, w, in, 0, lane_count(w->active));
        break;
    case NIR_READ_COND:
        read_where(m, w, in);
        break;
    case NIR_REDUCE:
    case NIR_INCLUSIVE_SCAN:
    case NIR_EXCLUSIVE_SCAN:
        for (uint32_t k = 0; k < m->p->def[in->def].components; k++)
            reduce(m, w, in, k);
        break;
    case NIR_MBCNT:
        count_below(m, w, in);
        break;
    default:
        read_other(m, w, in);
    }
    return true;
}
