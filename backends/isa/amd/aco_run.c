// SPDX-License-Identifier: Apache-2.0
//
// Runs what ACO's code has beyond machine code. After instruction selection, each lane follows the
// logical edges of the blocks, and the wave visits them along the linear edges: in a block, the
// lanes that are at it run. A wave continues where lanes wait, as the exec masks that ACO inserts
// later make it do.
#include "machine.h"

#include "isa/isa_bits.h"

#include <string.h>

// ---- moves -----------------------------------------------------------------

static uint32_t scalar_word(struct amd_machine *m, struct amd_wave *w, uint32_t reg)
{
    const struct amd_operand o = {
        .kind = OPERAND_SCALAR, .type = 'u', .reg = (uint16_t)reg, .count = 1};
    return amd_word(m, w, &o, 0, 0);
}

static uint32_t with_bits(const struct aco_piece *p, uint32_t old, uint32_t v)
{
    const uint32_t mask = (uint32_t)isa_low(UINT64_MAX, p->bits) << p->to_bit;
    return (old & ~mask) | (v << p->to_bit & mask);
}

static void read_piece(struct amd_machine *m, struct amd_wave *w, const struct aco_piece *p,
                       uint32_t out[LANES])
{
    const uint32_t all = p->number ? p->value : p->from_vector ? 0 : scalar_word(m, w, p->from);
    for (uint32_t l = 0; l < (p->to_vector ? m->p->wave : 1); l++)
        out[l] = (p->from_vector ? w->v[p->from][l] : all) >> (p->number ? 0 : p->from_bit);
}

static void write_piece(struct amd_machine *m, struct amd_wave *w, const struct aco_piece *p,
                        uint64_t lanes, const uint32_t in[LANES])
{
    if (p->to_vector) {
        const uint64_t to = p->all ? wave_lanes(m) : lanes;
        LANES_EACH (l, to)
            w->v[p->to][l] = with_bits(p, w->v[p->to][l], in[l]);
    } else if (p->to == REG_SCC) {
        w->scc = in[0] & 1;
        w->scc_set = true;
    } else if (p->mask) {
        const uint32_t active = (uint32_t)(lanes >> 32 * p->word);
        w->s[p->to] = (w->s[p->to] & ~active) | (in[0] & active);
    } else if (p->to != REG_NULL) {
        w->s[p->to] = with_bits(p, w->s[p->to], in[0]);
    }
}

// Reads all pieces, then writes them in the given lanes.
static void move(struct amd_machine *m, struct amd_wave *w, struct aco_moves moves, uint64_t lanes)
{
    const struct aco_piece *p = m->p->aco->piece + moves.first;
    for (uint32_t i = 0; i < moves.count; i++)
        read_piece(m, w, &p[i], m->moved[i]);
    for (uint32_t i = 0; i < moves.count; i++)
        write_piece(m, w, &p[i], lanes, m->moved[i]);
}

// ---- reductions ------------------------------------------------------------

static uint64_t lane_value(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o,
                           uint32_t bits, uint32_t lane)
{
    return isa_low(amd_word(m, w, o, 0, lane) |
                       (bits > 32 ? (uint64_t)amd_word(m, w, o, 1, lane) << 32 : 0),
                   bits);
}

static void reduce(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    const enum isa_scan scan = (uint32_t)in->id == ACO_REDUCE           ? ISA_REDUCE
                               : (uint32_t)in->id == ACO_INCLUSIVE_SCAN ? ISA_INCLUSIVE_SCAN
                                                                        : ISA_EXCLUSIVE_SCAN;
    const uint32_t bits = in->offset & 0xff;
    const enum isa_combine combine = (enum isa_combine)(in->offset >> 8);
    const uint64_t exec = wave_exec(m, w);
    const struct amd_operand *dst = &in->o[0];
    uint64_t v[LANES] = {0};
    const uint32_t cluster = (uint32_t)in->offset1;
    LANES_EACH (l, exec)
        v[l] = lane_value(m, w, &in->o[1], bits, l);
    isa_scanned(scan, combine, bits, cluster, exec, v, v);
    if (dst->kind == OPERAND_SCALAR) { // the value of the wave's last lane, active or not
        const uint64_t last = exec & ~(uint64_t)lanes_below(m->p->wave - cluster);
        const uint64_t r = last ? v[lane_first(last)] : isa_identity(combine, bits);
        for (uint32_t k = 0; k < dst->count; k++)
            w->s[dst->reg + k] = (uint32_t)(r >> 32 * k);
        return;
    }
    LANES_EACH (l, exec)
        for (uint32_t k = 0; k < dst->count; k++)
            w->v[dst->reg + k][l] = (uint32_t)(v[l] >> 32 * k);
}

static void clobber(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o)
{
    for (uint32_t k = 0; k < o->count; k++)
        if (o->kind == OPERAND_VECTOR)
            isa_random_row(&m->random_fill, w->v[o->reg + k], LANES);
        else if (o->reg == REG_SCC)
            w->scc = rng_next(&m->random_fill) & 1;
        else if (o->reg != REG_NULL)
            w->s[o->reg + k] = (uint32_t)rng_next(&m->random_fill);
}

// ---- blocks ----------------------------------------------------------------

static uint64_t lanes_at(const struct amd_machine *m, const struct amd_wave *w, uint32_t block)
{
    uint64_t out = 0;
    for (uint32_t l = 0; l < m->p->wave; l++)
        out |= (uint64_t)(w->lane_at[l] == block) << l;
    return out;
}

static void exec_set(struct amd_machine *m, struct amd_wave *w, uint64_t lanes)
{
    w->s[REG_EXEC] = (uint32_t)lanes;
    if (m->p->wave == 64)
        w->s[REG_EXEC + 1] = (uint32_t)(lanes >> 32);
}

// A scalar register has one value, even if lanes arrive by several edges. If these give it
// different ones, the code is wrong about what is uniform.
static void uneven_note(struct amd_machine *m, struct amd_wave *w, const struct aco_block *to,
                        struct aco_moves moves)
{
    const struct aco_piece *p = m->p->aco->piece + moves.first;
    uint32_t v[LANES];
    for (uint32_t i = 0; i < moves.count && !m->out->uneven_line; i++) {
        if (p[i].to_vector || p[i].mask)
            continue;
        read_piece(m, w, &p[i], v);
        if (with_bits(&p[i], w->s[p[i].to], v[0]) != w->s[p[i].to])
            m->out->uneven_line = to->line;
    }
}

static void lanes_send(struct amd_machine *m, struct amd_wave *w, uint64_t lanes, uint32_t block,
                       struct aco_moves moves)
{
    if (!lanes)
        return;
    if (lanes_at(m, w, block) & ~lanes)
        uneven_note(m, w, &m->p->aco->block[block], moves);
    move(m, w, moves, lanes);
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            w->lane_at[l] = block;
}

static void arrive(struct amd_machine *m, struct amd_wave *w, uint32_t block)
{
    const uint64_t lanes = lanes_at(m, w, block);
    exec_set(m, w, lanes);
    if (lanes)
        move(m, w, m->p->aco->block[block].arrive, lanes);
}

// Returns the lanes in the loop, less those that wait at its header if `header` is false.
static uint64_t lanes_in_loop(const struct amd_machine *m, const struct amd_wave *w,
                              const struct aco_block *b, bool header)
{
    uint64_t out = 0;
    for (uint32_t l = 0; l < m->p->wave; l++)
        out |= (uint64_t)(w->lane_at[l] >= b->header + !header && w->lane_at[l] < b->exit) << l;
    return out;
}

// Returns which of the linear edges the wave takes, after its lanes have left the block.
static uint32_t way(const struct amd_machine *m, const struct amd_wave *w,
                    const struct aco_block *b, bool condition)
{
    switch (b->leave) {
    case LEAVE_ONE:
        return 0;
    case LEAVE_UNIFORM:
        return !condition;
    case LEAVE_BRANCH:
    case LEAVE_INVERT:
        return lanes_at(m, w, b->linear[0]) == 0;
    case LEAVE_BREAK:
    case LEAVE_LOOP:
        return lanes_in_loop(m, w, b, true) != 0;
    case LEAVE_CONTINUE:
        return lanes_in_loop(m, w, b, false) != 0;
    }
    return 0;
}

static bool leave(struct amd_machine *m, struct amd_wave *w, uint32_t block)
{
    const struct aco_block *b = &m->p->aco->block[block];
    const uint64_t lanes = wave_exec(m, w);
    const bool asks = b->leave == LEAVE_UNIFORM || b->leave == LEAVE_BRANCH;
    const uint64_t condition = asks ? amd_scalar_read(m, w, &b->condition) : 0;
    uint32_t to = way(m, w, b, condition != 0), by = 0;
    if (b->leave == LEAVE_BRANCH) {
        lanes_send(m, w, lanes & condition, b->logical[0], b->phi[0]);
        lanes_send(m, w, lanes & ~condition, b->logical[1], b->phi[1]);
    } else if (lanes) {
        by = b->leave == LEAVE_UNIFORM && b->logical[0] != b->linear[to];
        if (b->logical[by] == ACO_NONE ||
            (b->leave == LEAVE_UNIFORM && b->logical[by] != b->linear[to]))
            return isa_refuse(m->out, RAN_UNSUPPORTED, m->line, "lanes without a way on");
        lanes_send(m, w, lanes, b->logical[by], b->phi[by]);
    }
    if (b->leave != LEAVE_UNIFORM)
        to = way(m, w, b, false);
    if (b->linear[to] == ACO_NONE)
        return isa_refuse(m->out, RAN_UNSUPPORTED, m->line, "a wave without a way on");
    move(m, w, b->linear_phi[to], lanes);
    w->at = m->p->aco->block[b->linear[to]].start;
    return true;
}

bool aco_step(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    switch ((uint32_t)in->id) {
    case ACO_MOVE:
        move(m, w, (struct aco_moves){(uint32_t)in->offset, (uint32_t)in->offset1},
             wave_exec(m, w));
        return true;
    case ACO_CLOBBER:
        clobber(m, w, &in->o[0]);
        return true;
    case ACO_BRANCH:
        w->at = (uint32_t)in->o[amd_scalar_read(m, w, &in->o[0]) ? 2 : 1].value;
        return true;
    case ACO_ARRIVE:
        arrive(m, w, (uint32_t)in->offset);
        return true;
    case ACO_LEAVE:
        return leave(m, w, (uint32_t)in->offset);
    default:
        reduce(m, w, in);
        return true;
    }
}
