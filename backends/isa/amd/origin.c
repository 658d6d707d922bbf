// SPDX-License-Identifier: Apache-2.0
//
// Tracks where values come from, for the page of a finding. Each register and each word of memory
// has a tag: the last operation in the history of its value that reads other lanes or exec, and the
// lanes that were active then.
#include "machine.h"

#include <string.h>

struct tag {
    uint64_t time; // steps of all waves when the value was computed; 0: none
    uint64_t lanes;
    uint32_t line;
    bool spilled; // a scalar register kept in a lane (v_writelane_b32)
};
struct wave_tags {
    struct tag s[REG_SCALARS];
    struct tag bit[REG_SCALARS]; // for masks: the origin of a lane's own bit
    struct tag (*v)[LANES];
    struct tag *scratch;
    bool whole; // an operation enabled all lanes; before it, `outer` were active
    uint64_t outer;
};
struct amd_watch {
    struct wave_tags *wave;
    struct tag *memory[ISA_REGIONS], *lds;
    uint64_t time;
};

static struct tag later(struct tag x, struct tag y)
{
    return y.time > x.time ? y : x;
}

static struct wave_tags *tags_of(const struct amd_machine *m, const struct amd_wave *w)
{
    return &m->watch->wave[w - m->w];
}

void amd_origin_begin(struct amd_machine *m)
{
    struct amd_watch *x = m->watch = ARENA_NEW(m->a, struct amd_watch);
    x->wave = ARENA_ARRAY(m->a, struct wave_tags, m->waves);
    for (uint32_t i = 0; i < m->waves; i++) {
        x->wave[i].v = arena_alloc(m->a, sizeof(struct tag) * REG_VECTORS * LANES);
        x->wave[i].scratch = arena_alloc(m->a, sizeof(struct tag) * SCRATCH_WORDS * LANES);
    }
    x->lds = arena_alloc(m->a, sizeof(struct tag) * (LDS_BYTES / 4));
    m->out->origin = ARENA_ARRAY(m->a, struct isa_origin *, m->c->buffer_count);
    for (uint32_t i = 0; i < m->c->buffer_count; i++) {
        x->memory[i] = ARENA_ARRAY(m->a, struct tag, m->c->buffer[i].count);
        m->out->origin[i] = ARENA_ARRAY(m->a, struct isa_origin, m->c->buffer[i].count);
    }
}

void amd_origin_group(struct amd_machine *m)
{
    for (uint32_t i = 0; i < m->waves; i++) {
        struct wave_tags *t = &m->watch->wave[i];
        struct tag(*v)[LANES] = t->v, *scratch = t->scratch;
        memset(v, 0, sizeof *v * REG_VECTORS);
        memset(scratch, 0, sizeof *scratch * SCRATCH_WORDS * LANES);
        *t = (struct wave_tags){.v = v, .scratch = scratch};
    }
    memset(m->watch->lds, 0, sizeof *m->watch->lds * (LDS_BYTES / 4));
}

// ---- instructions ----------------------------------------------------------

// The latest tag among all registers of a source, for one lane.
static struct tag source_tag(const struct wave_tags *t, const struct amd_operand *o, uint32_t lane)
{
    struct tag out = {0};
    for (uint32_t k = 0; k < o->count; k++)
        if (o->kind == OPERAND_VECTOR && o->reg + k < REG_VECTORS)
            out = later(out, t->v[o->reg + k][lane]);
        else if (o->kind == OPERAND_SCALAR && o->reg + k < REG_SCALARS)
            out = later(out, o->type == 'm' ? t->bit[o->reg + k] : t->s[o->reg + k]);
    return out;
}

static bool reads_exec(const struct amd_inst *in)
{
    for (uint32_t k = in->dst; k < in->n; k++)
        if (in->o[k].kind == OPERAND_SCALAR &&
            (in->o[k].reg == REG_EXEC || in->o[k].reg == REG_EXEC + 1))
            return true;
    return false;
}

static bool writes_exec(const struct amd_inst *in)
{
    return in->exec || (in->dst && in->o[0].kind == OPERAND_SCALAR &&
                        (in->o[0].reg == REG_EXEC || in->o[0].reg == REG_EXEC + 1));
}

static bool saves_exec(enum amd_id id)
{
    return id >= AMD_S_AND_SAVEEXEC_B32 && id <= AMD_S_ANDN2_WREXEC_B64;
}

// Code enables all lanes for some operations and restores exec after them. Remembers the lanes that
// were active before, so that the temporarily enabled ones do not count.
static void follow_exec(const struct amd_machine *m, struct amd_wave *w, struct wave_tags *t,
                        const struct amd_inst *in)
{
    const bool saves = saves_exec(in->id);
    if (!saves && !writes_exec(in))
        return;
    const struct amd_operand *a = &in->o[in->dst];
    const bool all =
        in->n > in->dst && a->kind == OPERAND_NUMBER && (uint32_t)a->value == UINT32_MAX;
    const bool turns_on =
        all && (!saves || in->id == AMD_S_OR_SAVEEXEC_B32 || in->id == AMD_S_OR_SAVEEXEC_B64);
    if (turns_on && !t->whole)
        t->outer = wave_exec(m, w);
    t->whole = turns_on;
}

static void to_scalar(struct wave_tags *t, const struct amd_operand *o, struct tag value,
                      struct tag bit)
{
    for (uint32_t k = 0; k < o->count && o->reg + k < REG_SCALARS; k++) {
        t->s[o->reg + k] = value;
        t->bit[o->reg + k] = bit;
    }
}

static void note_lanes(struct wave_tags *t, const struct amd_inst *in, struct tag here,
                       uint32_t lane)
{
    if (in->id == AMD_V_WRITELANE_B32) {
        struct tag *to = &t->v[in->o[0].reg][lane];
        *to = source_tag(t, &in->o[1], lane);
        to->spilled = true;
        return;
    }
    if (in->id == AMD_V_READLANE_B32 && t->v[in->o[1].reg][lane].spilled) {
        here = t->v[in->o[1].reg][lane];
        here.spilled = false;
    }
    if (in->o[0].kind == OPERAND_SCALAR)
        to_scalar(t, &in->o[0], here, here);
    else
        LANES_EACH (l, here.lanes)
            t->v[in->o[0].reg][l] = here;
}

static void note_vector(const struct amd_machine *m, struct amd_wave *w, struct wave_tags *t,
                        const struct amd_inst *in, struct tag here)
{
    const bool looks = in->dpp != DPP_NONE || reads_exec(in);
    struct tag bit = {0};
    LANES_EACH (lane, wave_exec(m, w)) {
        struct tag x = {0};
        for (uint32_t k = in->dst; k < in->n; k++)
            x = later(x, source_tag(t, &in->o[k], lane));
        bit = later(bit, x);
        for (uint32_t k = 0; in->dst && in->o[0].kind == OPERAND_VECTOR && k < in->o[0].count; k++)
            if (in->o[0].reg + k < REG_VECTORS)
                t->v[in->o[0].reg + k][lane] = looks ? here : x;
    }
    for (uint32_t k = 0; k < in->dst; k++)
        if (in->o[k].kind == OPERAND_SCALAR)
            to_scalar(t, &in->o[k], here, bit);
}

void amd_origin_note(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in)
{
    struct wave_tags *t = tags_of(m, w);
    const enum amd_unit unit = amd_ops[in->id].unit;
    struct tag here = {++m->watch->time, t->whole ? t->outer : wave_exec(m, w), in->line, false};
    if (unit == AMD_SALU || unit == AMD_SCMP) {
        struct tag x = {0}, bit = {0};
        for (uint32_t k = in->dst; k < in->n; k++) {
            struct amd_operand mask = in->o[k];
            x = later(x, source_tag(t, &in->o[k], 0));
            mask.type = 'm';
            bit = later(bit, source_tag(t, &mask, 0));
        }
        if (in->dst)
            to_scalar(t, &in->o[0], reads_exec(in) || saves_exec(in->id) ? here : x, bit);
    } else if (unit == AMD_LANES) {
        const uint32_t select = in->n > 2 && in->o[2].kind != OPERAND_VECTOR
                                    ? (uint32_t)amd_scalar_read(m, w, &in->o[2]) & (m->p->wave - 1)
                                    : 0;
        note_lanes(t, in, here, select);
    } else if (amd_unit_in(unit, AMD_VECTORS)) {
        note_vector(m, w, t, in, here);
        if (in->with_next) {
            here.line = in[1].line;
            note_vector(m, w, t, in + 1, here);
        }
    }
    follow_exec(m, w, t, in);
}

// ---- memory ----------------------------------------------------------------

static struct tag *shadow(struct amd_machine *m, struct amd_wave *w, const uint8_t *p,
                          struct isa_origin **origin)
{
    struct wave_tags *t = tags_of(m, w);
    *origin = NULL;
    if (p >= m->lds && p < m->lds + LDS_BYTES)
        return &m->watch->lds[(p - m->lds) / 4];
    const uint8_t *own = (const uint8_t *)w->scratch;
    if (own && p >= own && p < own + sizeof(uint32_t) * SCRATCH_WORDS * LANES)
        return &t->scratch[(p - own) / 4];
    for (uint32_t i = 0; i < m->c->buffer_count; i++) // the case's buffers are the first regions
        if (p >= m->memory.v[i].bytes && p < m->memory.v[i].bytes + m->memory.v[i].size) {
            const size_t word = (size_t)(p - m->memory.v[i].bytes) / 4;
            *origin = &m->out->origin[i][word];
            return &m->watch->memory[i][word];
        }
    return NULL;
}

void amd_origin_access(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                       const struct amd_operand *data, uint32_t k, uint32_t lane, const uint8_t *p)
{
    struct wave_tags *t = tags_of(m, w);
    struct isa_origin *origin = NULL;
    struct tag *at = p ? shadow(m, w, p, &origin) : NULL, none = {0};
    const bool reads = in->dst && data == &in->o[0];
    if (data->kind != OPERAND_VECTOR || data->reg + k >= REG_VECTORS)
        return;
    if (reads) {
        t->v[data->reg + k][lane] = at ? *at : none;
        return;
    }
    if (!at)
        return;
    *at = t->v[data->reg + k][lane];
    if (origin)
        *origin = (struct isa_origin){at->line, in->line, at->lanes};
}
