// SPDX-License-Identifier: Apache-2.0
//
// Recording of the origins of uncertain values (trace_record.h): values, branches and results;
// memory is in trace_memory.c.
#include "trace_record.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_groups.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

// ---- allocation -----------------------------------------------------------------

static struct traced traced_of(struct arena *a, uint64_t n)
{
    struct traced t = {arena_room(a, arena_bytes(n, sizeof *t.origin)),
                       arena_room(a, arena_bytes(n, sizeof *t.wrote)),
                       arena_room(a, arena_bytes(n, sizeof *t.read)), n, NULL};
    t.rows = ARENA_ARRAY(a, uint64_t, n / TRACED_ROW / 64 + 1);
    return t;
}

void trace_start(struct run *run)
{
    const struct orc_program *p = run->p;
    struct orc_trace *out = run->o.trace;
    struct tracing *t = ARENA_NEW(run->arena, struct tracing);
    *out = (struct orc_trace){.arena = out->arena};
    t->out = out;
    out->ran = ARENA_ARRAY(out->arena, bool, p->block_count);
    out->unpromised = ARENA_ARRAY(out->arena, bool, p->block_count);
    t->object = ARENA_ARRAY(run->arena, struct traced, p->object_count);
    for (uint32_t k = 0; k < p->object_count; k++) {
        uint32_t j = 0; // variables with one binding share memory
        while (run->buffers[j].data != run->buffers[k].data)
            j++;
        if (!run->buffers[k].races)
            continue;
        t->object[k] =
            j < k ? t->object[j] : traced_of(run->arena, run->buffers[k].size >> run->grain);
    }
    t->shared = traced_of(run->arena, p->shared_cells);
    t->shared.rows = NULL; // trace_workgroup initialises them
    t->places =
        ARENA_ARRAY(run->arena, uint16_t, UINT16_MAX); // for the longest possible instruction
    t->operands = ARENA_ARRAY(run->arena, const struct trace_operands *, p->m.inst_count);
    run->trace = t;
}

void trace_machine(struct machine *m)
{
    struct arena *a = m->group->run->arena;
    m->origins = ARENA_ARRAY(a, uint32_t, arena_bytes(m->p->plane_count, m->v.lanes));
    m->doubt = ARENA_ARRAY(a, lane_mask, m->p->plane_count);
    m->origins_scratch = ARENA_ARRAY(a, uint32_t, (size_t)m->p->max_phi * m->v.lanes);
}

void trace_workgroup(struct workgroup *g)
{
    struct traced *t = &g->run->trace->shared;
    memset(t->origin, 0, t->count * sizeof *t->origin);
    memset(t->wrote, 0, t->count * sizeof *t->wrote);
    memset(t->read, 0, t->count * sizeof *t->read);
}

void trace_fresh(const struct machine *m, uint32_t plane, uint32_t cells, lane_mask lanes)
{
    for (uint32_t k = 0; k < cells; k++)
        if (m->doubt[plane + k] & lanes)
            LANES_EACH (l, lanes)
                put(m, plane + k, l, 0);
}

void trace_prepare(struct machine *m)
{
    for (uint32_t k = 0; k < m->p->object_count; k++) {
        const struct object *o = &m->p->objects[k];
        if (o->kind == OBJ_LANE)
            trace_fresh(m, o->plane, o->cells, lanes_below(m->v.lanes));
    }
}

// ---- copies ---------------------------------------------------------------------

void trace_move(const struct machine *m, uint32_t to, uint32_t from, lane_mask lanes)
{
    if (!((m->doubt[to] | m->doubt[from]) & lanes))
        return;
    LANES_EACH (l, lanes)
        origins_of(m, to)[l] = origins_of(m, from)[l];
    m->doubt[to] = (m->doubt[to] & ~lanes) | (m->doubt[from] & lanes);
}

void trace_edge(struct machine *m, const struct edge *e, lane_mask lanes)
{
    for (uint32_t k = 0; k < e->move_count; k++)
        memcpy(m->origins_scratch + (size_t)k * m->v.lanes, origins_of(m, e->moves[k].src),
               m->v.lanes * sizeof *m->origins);
    for (uint32_t k = 0; k < e->move_count; k++)
        if ((m->doubt[e->moves[k].src] | m->doubt[e->moves[k].dst]) & lanes || e->parallel)
            LANES_EACH (l, lanes)
                put(m, e->moves[k].dst, l, m->origins_scratch[(size_t)k * m->v.lanes + l]);
}

// ---- values ---------------------------------------------------------------------

const struct trace_operands *trace_operands(const struct machine *m, const struct inst *i)
{
    enum { OPERANDS = 16 };
    const struct orc_program *p = m->p;
    struct run *run = m->group->run;
    const struct spv_inst *s = &p->m.insts[i->spv];
    const struct trace_operands **known = &run->trace->operands[i->spv];
    if (*known)
        return *known;
    uint16_t *at = run->trace->places;
    uint32_t rest, n = 0, ids = spv_operand_ids(s->op, s->v, s->n, 1, at, &rest);
    n = ids < OPERANDS ? ids : OPERANDS;
    struct trace_operands *out = arena_alloc(run->arena, sizeof *out + n * sizeof *out->v);
    for (out->n = 0; out->n < n; out->n++) {
        const uint32_t id = s->v[at[out->n]];
        out->v[out->n] = (struct trace_operand){
            p->plane[id], p->types[p->type_of[id]].cells}; // an id without a value has no cells
    }
    return *known = out;
}

// The operands of one result cell, combined, in each lane.
struct made {
    uint32_t code[LANES_MAX];
    lane_mask lacks; // an operand is undefined
};

// True if each cell of the result depends on all cells of the operands.
static bool needs_all(const struct inst *i)
{
    return i->klass == IN_FLOAT_GLSL &&
           (i->op == GLSLstd450MatrixInverse || i->op == GLSLstd450Normalize ||
            i->op == GLSLstd450Cross || i->op == GLSLstd450Reflect || i->op == GLSLstd450Refract ||
            i->op == GLSLstd450FaceForward);
}

// Combines a plane of an operand. `undefined`: the lanes in which the result is.
static void join(const struct machine *m, const struct inst *i, uint32_t plane, lane_mask lanes,
                 lane_mask undefined, struct made *to)
{
    const lane_mask unknown = lanes & ~m->v.defined[plane];
    const uint32_t *from = origins_of(m, plane);
    to->lacks |= unknown;
    if (!(lanes & m->doubt[plane]) && !(unknown & undefined))
        return;
    if (!unknown && lanes == lanes_below(m->v.lanes)) { // a loop without a branch
        for (uint32_t l = 0; l < m->v.lanes; l++)
            to->code[l] = larger(to->code[l], from[l]);
        return;
    }
    LANES_EACH (l, lanes & m->doubt[plane] & ~unknown)
        to->code[l] = larger(to->code[l], from[l]);
    LANES_EACH (l, unknown & undefined)
        to->code[l] =
            larger(to->code[l], from[l] ? from[l] : code_of(ORC_ORIGIN_UNWRITTEN, i->spv));
}

// The cells of an operand that decide a cell of the result.
struct cells {
    uint32_t first, end;
};
static struct cells cells_for(const struct inst *i, const struct trace_operand *o, uint32_t cell,
                              uint32_t cells)
{
    const bool by_cell = o->cells == cells && !needs_all(i);
    return by_cell ? (struct cells){cell, cell + 1} : (struct cells){0, o->cells};
}

// A result of a group operation depends on the values of all lanes: returns their largest code.
static struct made join_lanes(const struct machine *m, const struct inst *i,
                              const struct trace_operands *o, uint32_t cell, uint32_t cells,
                              lane_mask undefined)
{
    struct made each = {.lacks = 0}, out = {.lacks = 0};
    for (int pass = 0; pass < 2; pass++) { // lanes with a result, then those without
        const lane_mask to = m->v.active & (pass ? undefined : ~undefined);
        uint32_t most = 0;
        if (!to)
            continue;
        for (uint32_t j = 0; j < o->n; j++) {
            const struct cells c = cells_for(i, &o->v[j], cell, cells);
            for (uint32_t k = c.first; k < c.end; k++)
                join(m, i, o->v[j].plane + k, m->v.active, pass ? m->v.active : 0, &each);
        }
        LANES_EACH (l, m->v.active)
            most = larger(most, each.code[l]);
        LANES_EACH (l, to)
            out.code[l] = most;
    }
    out.lacks = each.lacks ? m->v.active : 0;
    return out;
}

static enum orc_birth origin_here(const struct inst *i)
{
    if (i->klass == IN_FLOAT || i->klass == IN_FLOAT_GLSL)
        return ORC_ORIGIN_ROUNDED;
    if (i->klass != IN_GROUP)
        return ORC_ORIGIN_NOTHING;
    switch (spv_group_find(i->op)->klass) {
    case SPV_GROUP_VOTE: // AllEqual of a zero float
    case SPV_GROUP_DERIVATIVE:
        return ORC_ORIGIN_ROUNDED;
    case SPV_GROUP_BROADCAST:
    case SPV_GROUP_SHUFFLE:
    case SPV_GROUP_QUAD:
        return ORC_ORIGIN_INACTIVE;
    default:
        return ORC_ORIGIN_NOTHING;
    }
}

// Where a result has no value: sets that of one implementation, if it has one. Returns its origin.
static uint32_t value_lane(struct machine *m, const struct inst *i, uint32_t cell, uint32_t lane,
                           uint32_t code)
{
    struct values *v = &m->v;
    const uint32_t plane = i->dst + cell;
    uint64_t bits;
    const bool is_group = i->klass == IN_GROUP,
               is_float = i->klass == IN_FLOAT || i->klass == IN_FLOAT_GLSL;
    if ((is_float && rounded_value(i, v, cell, lane, &bits)) ||
        (is_group && i->is_float && rounded_group(i, v, cell, lane, &bits))) {
        plane_of(v, plane)[lane] = bits;
        v->defined[plane] |= lane_bit(lane);
        return larger(code, code_of(ORC_ORIGIN_ROUNDED, i->spv));
    }
    code = larger(code, code_of(origin_here(i), i->spv));
    if (m->group->run->o.forgive && orc_origin(code).birth == ORC_ORIGIN_NOTHING) {
        plane_of(v, plane)[lane] = 0;
        v->defined[plane] |= lane_bit(lane);
    }
    return code;
}

// Removes the lanes in which an OpSelect does not select an operand.
static lane_mask selected(const struct machine *m, const struct trace_operands *o, uint32_t operand,
                          uint32_t cell, lane_mask lanes)
{
    const uint32_t condition = o->v[0].plane + (o->v[0].cells == o->v[1].cells ? cell : 0);
    lane_mask out = operand ? lanes & ~m->v.defined[condition] : lanes;
    if (operand)
        LANES_EACH (l, lanes & m->v.defined[condition])
            out |= operand == (plane_of(&m->v, condition)[l] & 1 ? 1u : 2u) ? lane_bit(l) : 0;
    return out;
}

static void value(struct machine *m, const struct inst *i)
{
    const struct spv_inst *s = &m->p->m.insts[i->spv];
    const lane_mask active = m->v.active;
    const struct trace_operands *o = trace_operands(m, i);
    const bool is_select = s->op == SpvOpSelect, is_group = i->klass == IN_GROUP;
    lane_mask doubt = 0; // lanes with an operand that is uncertain
    for (uint32_t j = 0; j < o->n; j++)
        for (uint32_t c = 0; c < o->v[j].cells; c++)
            doubt |= m->doubt[o->v[j].plane + c];
    // Modf and Frexp write both results to consecutive planes.
    const uint32_t cells =
        i->dst == m->p->plane[s->result] ? m->p->types[s->type].cells : 2 * i->comps;
    for (uint32_t k = 0; k < cells; k++) {
        const uint32_t plane = i->dst + k;
        const lane_mask undefined = ~m->v.defined[plane];
        lane_mask lanes = (undefined | m->doubt[plane] | doubt) & active;
        uint64_t now[LANES_MAX / 64] = {0};
        struct made made;
        if (!lanes)
            continue;
        if (is_group) {
            lanes = active;
            made = join_lanes(m, i, o, k, cells, undefined);
        } else {
            made.lacks = 0;
            memset(made.code, 0, m->v.lanes * sizeof *made.code);
            for (uint32_t j = 0; j < o->n; j++) {
                const struct cells c = cells_for(i, &o->v[j], k, cells);
                const lane_mask in = is_select ? selected(m, o, j, k, lanes) : lanes;
                for (uint32_t n = c.first; n < c.end; n++)
                    join(m, i, o->v[j].plane + n, in, undefined, &made);
            }
        }
        LANES_EACH (l, lanes & undefined & ~made.lacks)
            made.code[l] = value_lane(m, i, k, l, made.code[l]);
        uint32_t *to = origins_of(m, plane);
        LANES_EACH (l, lanes) {
            to[l] = made.code[l];
            now[l / 64] |= (uint64_t)(made.code[l] != 0) << l % 64;
            if (orc_origin(made.code[l]).birth == ORC_ORIGIN_RACED)
                raced_carries(m, i->spv);
        }
        m->doubt[plane] = (m->doubt[plane] & ~lanes) | now[0] | (lane_mask)now[1] << 64;
    }
}

// Bits that Vulkan does not preserve (a NaN, a denormal) become defined, with a code.
static void quieten(const struct machine *m, const struct inst *i)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint32_t plane = i->dst + k;
        LANES_EACH (l, m->v.active & ~m->v.defined[plane]) {
            const uint32_t code = origins_of(m, plane)[l];
            if (orc_origin(code).birth > ORC_ORIGIN_ORDER)
                continue;
            m->v.defined[plane] |= lane_bit(l);
            put(m, plane, l, larger(code, code_of(ORC_ORIGIN_ROUNDED, i->spv)));
        }
    }
}

void trace_withdrawn(struct machine *m, const struct inst *i, enum orc_birth why)
{
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    for (uint32_t k = 0; k < cells; k++)
        LANES_EACH (l, m->v.active & ~m->v.defined[i->dst + k])
            put(m, i->dst + k, l, code_of(why, i->spv));
}

// ---- results --------------------------------------------------------------------

// Returns a number as 16 bits hold it: a float is rounded to nearest, an integer keeps the low
// half.
static uint64_t in_16_bits(uint64_t bits, const struct type *t, bool is_float)
{
    if (!is_float)
        return t->is_signed ? (uint64_t)(uint32_t)(int16_t)bits : bits & UINT16_MAX;
    return rounded_in_16(bits);
}

static void relax(struct machine *m, const struct inst *i)
{
    const struct orc_program *p = m->p;
    const struct spv_inst *s = &p->m.insts[i->spv];
    if (!p->relaxed || !p->relaxed[s->result] || i->dst != p->plane[s->result])
        return;
    const struct type *t = &p->types[s->type], *scalar = t;
    while (scalar->kind == TY_VECTOR || scalar->kind == TY_MATRIX)
        scalar = &p->types[scalar->elem];
    if (scalar->width != 32) // an integer or a float
        return;
    for (uint32_t k = 0; k < t->cells; k++)
        LANES_EACH (l, m->v.active)
            plane_of(&m->v, i->dst + k)[l] =
                in_16_bits(plane_of(&m->v, i->dst + k)[l], scalar, scalar->kind == TY_FLOAT);
}

static void births(struct machine *m, const struct inst *i)
{
    if ((i->klass == IN_IMAGE || i->klass == IN_TOGETHER) &&
        (i->image->kind == IMAGE_READ || i->dst == NONE))
        return; // traced while it executes
    switch (i->klass) {
    case IN_MOVE:
        for (uint32_t k = 0; k < i->n; k++)
            trace_move(m, i->moves[k].dst, i->moves[k].src, m->v.active);
        break;
    case IN_LOAD:
    case IN_STORE:
        trace_accesses(m, i);
        break;
    case IN_QUIETEN:
        quieten(m, i);
        break;
    case IN_ATOMIC: // traced while it executes
    case IN_FENCE:
    case IN_PRINT:
    case IN_ASSUME:
    case IN_LENGTH:
        break;
    default:
        value(m, i);
        break;
    }
}

void trace_result(struct machine *m, const struct inst *i)
{
    births(m, i);
    if (m->group->run->o.relaxed) // rounded results have a value by now
        relax(m, i);
}

void trace_known(const struct machine *m, uint32_t plane, uint32_t lane)
{
    put(m, plane, lane, 0);
}

// ---- events ---------------------------------------------------------------------

void trace_block(const struct machine *m)
{
    struct orc_trace *out = m->group->run->trace->out;
    out->ran[m->block] = true;
    if (m->p->weak && !out->unpromised[m->block])
        out->unpromised[m->block] =
            !m->sure || !promise_holds(m, m->p->m.blocks[m->block].first, m->way);
}

void trace_outside(const struct machine *m, const struct inst *i, bool below)
{
    struct orc_trace *out = m->group->run->trace->out;
    uint32_t k = 0;
    out->outside = out->outside ? out->outside : i->spv;
    while (k < out->belows && out->below[k] != i->spv)
        k++;
    if (below && k == out->belows && k < ORC_BELOWS)
        out->below[out->belows++] = i->spv;
}

void trace_branch(const struct machine *m, const struct block *b)
{
    struct orc_trace *out = m->group->run->trace->out;
    if (b->end != END_CONDITIONAL && b->end != END_SWITCH)
        return;
    LANES_EACH (l, m->v.active & m->v.defined[b->plane] & m->doubt[b->plane]) {
        const struct orc_origin o = orc_origin(origins_of(m, b->plane)[l]);
        if (!out->branches[o.birth]) {
            out->branches[o.birth] = b->end_spv;
            out->branch_origin[o.birth] = o;
        }
    }
}

void trace_fault(const struct machine *m, uint32_t plane, lane_mask lanes)
{
    struct orc_trace *out = m->group->run->trace->out;
    uint32_t code = 0;
    LANES_EACH (l, lanes)
        code = larger(code, origins_of(m, plane)[l]);
    out->fault = orc_origin(code);
}

// Returns for each word of a buffer the largest code of its units; NULL: all are certain.
static uint32_t *words_of(const struct run *run, const struct traced *in, uint32_t count)
{
    uint32_t *words = NULL;
    for (uint64_t row = 0; row * TRACED_ROW < in->count; row++) {
        const uint64_t end = (row + 1) * TRACED_ROW;
        if (!(in->rows[row / 64] >> row % 64 & 1))
            continue;
        for (uint64_t at = row * TRACED_ROW; at < end && at < in->count; at++) {
            if (!in->origin[at])
                continue;
            words = words ? words : ARENA_ARRAY(run->o.trace->arena, uint32_t, count);
            uint32_t *word = &words[at << run->grain >> 2];
            *word = larger(*word, in->origin[at]);
        }
    }
    return words;
}

void trace_collect(const struct run *run, struct orc_result *out)
{
    struct orc_trace *to = run->o.trace;
    to->words = ARENA_ARRAY(to->arena, uint32_t *, run->c->buffer_count);
    for (uint32_t k = 0; k < run->c->buffer_count; k++)
        for (uint32_t j = 0; j < run->p->object_count; j++) {
            const struct object *o = &run->p->objects[j];
            if (o->set == out->memory[k].set && o->binding == out->memory[k].binding &&
                run->trace->object[j].origin)
                to->words[k] = words_of(run, &run->trace->object[j], out->memory[k].count);
        }
}
