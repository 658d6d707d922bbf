// SPDX-License-Identifier: Apache-2.0
//
// Reads a serialized module. Accepts any words: everything is checked here, so that the machine
// need not check it.
#include "llir_reader.h"

#include <string.h>

enum { BOUND = 1 << 22, CELLS = 1 << 20, COMPS = 256 };

bool llir_is(const uint32_t *words, size_t count)
{
    return count >= LLIR_HEADER && words[0] == LLIR_MAGIC && words[1] == LLIR_VERSION;
}

bool llir_stop(struct llir_result *out, enum ran status, const char *fmt, ...)
{
    va_list args;
    out->status = status;
    va_start(args, fmt);
    vsnprintf(out->text, sizeof out->text, fmt, args);
    va_end(args);
    for (char *s = out->text; *s; s++) // names of a module may hold any bytes
        if ((unsigned char)*s < ' ')
            *s = '?';
    return false;
}

struct record {
    uint32_t kind, n; // number of words after the first one
    const uint32_t *v;
};

static bool next(const struct reader *r, size_t *at, struct record *rec)
{
    const uint32_t word = *at < r->count ? r->words[*at] : 0, n = word >> 8;
    if (!n || n > r->count - *at)
        return false;
    *rec = (struct record){word & 255, n - 1, r->words + *at + 1};
    *at += n;
    return true;
}

// ---- first walks: types, constants, globals, functions, blocks -------------------------------

static bool add_type(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    struct llir_type t = {0};
    if (rec->n != 3)
        return llir_bad(r, "a type");
    t.kind = (uint8_t)rec->v[0];
    switch (t.kind) {
    case LLIR_TY_INT:
        if (rec->v[1] == 0 || rec->v[1] > 64)
            return llir_no(r, arena_printf(m->arena, "integers of %u bits", rec->v[1]));
        t.width = (uint8_t)rec->v[1];
        t.comps = 1;
        break;
    case LLIR_TY_HALF:
    case LLIR_TY_FLOAT:
    case LLIR_TY_DOUBLE:
        t.width = (uint8_t)(8 << t.kind);
        t.comps = 1;
        break;
    case LLIR_TY_POINTER:
    case LLIR_TY_HANDLE:
        t.width = 64;
        t.comps = 1;
        break;
    case LLIR_TY_VECTOR:
        if (rec->v[2] >= m->types || m->type[rec->v[2]].comps != 1 || !rec->v[1])
            return llir_bad(r, "a vector's type");
        if (rec->v[1] > COMPS)
            return llir_no(r, "vectors of more than 256 components");
        t.width = m->type[rec->v[2]].width;
        t.comps = rec->v[1];
        break;
    default: // values of this type have no cells
        break;
    }
    m->type[m->types++] = t;
    return true;
}

// Assigns a type and cells to an id.
static bool define(struct reader *r, uint32_t id, uint32_t type)
{
    struct llir_module *m = r->m;
    if (id == 0 || id >= m->bound || m->type_of[id] != LLIR_NONE || type >= m->types)
        return llir_bad(r, "an id or a type");
    m->type_of[id] = type;
    if (m->type[type].comps) {
        m->cell[id] = m->cells;
        m->cells += m->type[type].comps;
    }
    return m->cells <= CELLS || llir_no(r, "more values than the limit");
}

// Grows the arrays of constant cells.
static void keep_cells(struct llir_module *m)
{
    if (m->cells <= m->const_room)
        return;
    const uint32_t room = 2 * m->cells + 256;
    uint64_t *value = ARENA_ARRAY(m->arena, uint64_t, room);
    uint8_t *poison = ARENA_ARRAY(m->arena, uint8_t, room);
    if (m->const_room) {
        memcpy(value, m->const_value, m->const_room * sizeof *value);
        memcpy(poison, m->const_poison, m->const_room * sizeof *poison);
    }
    m->const_value = value;
    m->const_poison = poison;
    m->const_room = room;
}

static bool add_constant(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    if (rec->n < 3 || !define(r, rec->v[0], rec->v[1]))
        return rec->n < 3 ? llir_bad(r, "a constant") : false;
    const uint32_t at = m->cell[rec->v[0]], kind = rec->v[2];
    const struct llir_type *t = &m->type[rec->v[1]];
    if (at == LLIR_NONE)
        return true;
    keep_cells(m);
    for (uint32_t i = 0; i < t->comps; i++) {
        m->const_poison[at + i] = kind == LLIR_POISON  ? LLIR_IS_POISON
                                  : kind == LLIR_UNDEF ? LLIR_IS_UNDEF
                                                       : LLIR_HAS;
        if (kind == LLIR_INTEGER && rec->n == 5 && t->comps == 1) {
            m->const_value[at] = (rec->v[3] | (uint64_t)rec->v[4] << 32) & llir_ones(t->width);
        } else if (kind == LLIR_VECTOR && rec->n == 3 + t->comps) {
            const uint32_t id = rec->v[3 + i], from = id < m->bound ? m->cell[id] : LLIR_NONE;
            if (from == LLIR_NONE || from >= at)
                return llir_bad(r, "a vector's component");
            m->const_value[at + i] = m->const_value[from];
            m->const_poison[at + i] = m->const_poison[from];
        } else if (kind == LLIR_INTEGER || kind == LLIR_VECTOR || kind > LLIR_VECTOR) {
            return llir_bad(r, "a constant");
        }
    }
    return true;
}

static bool add_function(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    if (rec->n < 5 || rec->v[3] > 256 || rec->n < 5 + 2 * rec->v[3] || rec->v[1] >= m->types ||
        rec->v[0] >= m->bound || m->function_of[rec->v[0]] != LLIR_NONE)
        return llir_bad(r, "a function");
    struct llir_function *f = &m->function[m->functions];
    const uint32_t at = 4 + 2 * rec->v[3];
    const char *name = (const char *)(rec->v + at);
    if (!memchr(name, 0, (rec->n - at) * sizeof(uint32_t)))
        return llir_bad(r, "a name");
    *f = (struct llir_function){.name = name,
                                .id = rec->v[0],
                                .block = m->blocks,
                                .params = rec->v[3],
                                .comps = m->type[rec->v[1]].comps,
                                .declared = rec->v[2] != 0,
                                .arguments = rec->v[3],
                                .entry_token = LLIR_NONE};
    if (f->declared)
        f->call = (uint8_t)llir_call_find(name, &f->arguments);
    else if (strcmp(name, "main") == 0)
        m->main = m->functions;
    f->param = ARENA_ARRAY(m->arena, uint32_t, f->params);
    f->param_comps = ARENA_ARRAY(m->arena, uint32_t, f->params);
    for (uint32_t i = 0; i < f->params; i++) {
        const uint32_t id = rec->v[4 + 2 * i];
        if (!define(r, id, rec->v[5 + 2 * i]))
            return false;
        f->param[i] = m->cell[id];
        f->param_comps[i] = m->type[m->type_of[id]].comps;
    }
    m->function_of[f->id] = m->functions++;
    return true;
}

static bool add_inst(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    if (rec->n < 5 || !m->functions || !m->function[m->functions - 1].blocks)
        return llir_bad(r, "an instruction");
    if (!define(r, rec->v[1], rec->v[2]))
        return false;
    struct llir_block *b = &m->block[m->blocks - 1];
    if (rec->v[0] == LLIR_CALL && m->type[rec->v[2]].kind == LLIR_TY_TOKEN) {
        r->token_of[rec->v[1]] = m->tokens;
        m->token[m->tokens++] = (struct llir_token){.inst = m->insts, .block = m->blocks - 1};
    }
    m->block_of[m->insts] = m->blocks - 1;
    m->insts++;
    b->count++;
    return true;
}

static bool add(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    switch (rec->kind) {
    case LLIR_UNKNOWN:
        if (!rec->n || !memchr(rec->v, 0, rec->n * sizeof(uint32_t)))
            return llir_bad(r, "a string");
        return llir_no(r, (const char *)rec->v);
    case LLIR_TYPE:
        return add_type(r, rec);
    case LLIR_CONSTANT: // read by the walk before this one
        return true;
    case LLIR_GLOBAL:
        return true;
    case LLIR_FUNCTION:
        return add_function(r, rec);
    case LLIR_BLOCK:
        if (!m->functions || m->function[m->functions - 1].declared)
            return llir_bad(r, "a block");
        m->block[m->blocks++] =
            (struct llir_block){.first = m->insts, .function = m->functions - 1};
        m->function[m->functions - 1].blocks++;
        return true;
    case LLIR_INST:
        return add_inst(r, rec);
    default:
        return llir_bad(r, "an unknown kind of record");
    }
}

static bool add_global(struct reader *r, const struct record *rec)
{
    struct llir_module *m = r->m;
    if (rec->n < 4 || rec->v[0] == 0 || rec->v[0] >= m->bound ||
        m->type_of[rec->v[0]] != LLIR_NONE || m->cell[rec->v[0]] != LLIR_NONE)
        return llir_bad(r, "a global");
    if (rec->v[1] > LLIR_OBJECT_BYTES)
        return llir_no(r, "a global of more than 64 KiB");
    m->cell[rec->v[0]] = m->cells++;
    keep_cells(m);
    const uint32_t object = llir_new_object(m, rec->v[1]);
    struct llir_object *o = &m->object[object];
    m->const_value[m->cell[rec->v[0]]] = llir_pointer(object, 0);
    o->each = rec->v[3];
    o->init = ARENA_ARRAY(m->arena, uint32_t, rec->n - 4);
    for (uint32_t k = 4; k < rec->n; k++) {
        const uint32_t id = rec->v[k];
        if (id >= m->bound || m->type_of[id] == LLIR_NONE || m->cell[id] == LLIR_NONE)
            return llir_no(r, "an initial value of an unsupported type");
        const struct llir_type *t = &m->type[m->type_of[id]];
        if (o->inits && (t->comps != o->comps || t->width != o->width))
            return llir_bad(r, "a global whose elements have different shapes");
        o->comps = t->comps;
        o->width = t->width;
        o->init[o->inits++] = m->cell[id];
    }
    return true;
}

// ---- last walk: instructions ------------------------------------------------------------

static bool is_end(uint8_t op)
{
    return op == LLIR_RET || op == LLIR_BR || op == LLIR_COND_BR || op == LLIR_SWITCH ||
           op == LLIR_UNREACHABLE;
}

static bool read_inst(struct reader *r, const struct record *rec, uint32_t at)
{
    struct llir_module *m = r->m;
    struct llir_inst *i = &m->inst[at];
    const struct llir_type *t = &m->type[rec->v[2]];
    const struct llir_block *b = &m->block[m->block_of[at]];
    struct llir_function *f = &m->function[b->function];
    const uint32_t token = rec->v[4];
    if (rec->v[0] > 255)
        return llir_no(r, "an unknown opcode");
    *i = (struct llir_inst){.op = (uint8_t)rec->v[0],
                            .flags = (uint8_t)rec->v[3],
                            .predicate = (uint8_t)(rec->v[3] >> 8),
                            .to = t->width,
                            .width = t->width,
                            .comps = t->comps,
                            .dst = m->cell[rec->v[1]],
                            .token = LLIR_NONE,
                            .own = LLIR_NONE,
                            .n = rec->n - 5};
    i->v = arena_copy(m->arena, rec->v + 5, i->n * sizeof *i->v);
    if (token && (token >= m->bound || r->token_of[token] == LLIR_NONE))
        return llir_bad(r, "a token");
    i->token = token ? r->token_of[token] : LLIR_NONE;
    if (is_end(i->op) != (at + 1 == b->first + b->count))
        return llir_bad(r, "a block that ends too early, or not at all");
    if (!llir_shapes(r, i, f))
        return false;
    if (r->token_of[rec->v[1]] != LLIR_NONE) {
        i->own = r->token_of[rec->v[1]];
        if (i->call == LLIR_CALL_ENTRY)
            f->entry_token = i->own;
        else if (i->call != LLIR_CALL_LOOP || i->token == LLIR_NONE)
            return llir_no(r, m->function[i->v[0]].name);
        m->token[i->own].parent = i->call == LLIR_CALL_LOOP ? i->token : LLIR_NONE;
    } else if (i->call == LLIR_CALL_ENTRY || i->call == LLIR_CALL_LOOP) {
        return llir_bad(r, "a token definition of the wrong type");
    } else if (llir_call_kinds[i->call] == LLIR_GROUP && i->token == LLIR_NONE) {
        return llir_no(r, "a group operation without a token");
    }
    return true;
}

// False if a call can reach its own function again.
static bool calls_end(const struct llir_module *m, uint32_t function, uint32_t depth)
{
    const struct llir_function *f = &m->function[function];
    if (depth > 64)
        return false;
    for (uint32_t b = f->block; b < f->block + f->blocks; b++)
        for (uint32_t k = 0; k < m->block[b].count; k++) {
            const struct llir_inst *i = &m->inst[m->block[b].first + k];
            if (i->op == LLIR_CALL && i->call == LLIR_CALL_OWN && !calls_end(m, i->v[0], depth + 1))
                return false;
        }
    return true;
}

static bool walk(struct reader *r, bool first)
{
    struct record rec;
    for (size_t at = LLIR_HEADER; at < r->count;) {
        if (!next(r, &at, &rec))
            return llir_bad(r, "a record that is too long");
        if (first) {
            const bool early = rec.kind == LLIR_CONSTANT || rec.kind == LLIR_GLOBAL;
            if (rec.kind == LLIR_TYPE ? !add_type(r, &rec)
                                      : early && (rec.kind == LLIR_GLOBAL ? !add_global(r, &rec)
                                                                          : !add_constant(r, &rec)))
                return false;
        } else if (rec.kind != LLIR_TYPE && !add(r, &rec)) {
            return false;
        }
    }
    return true;
}

bool llir_read(struct arena *a, const uint32_t *words, size_t count, struct llir_module *m,
               struct llir_result *out)
{
    *m = (struct llir_module){.arena = a, .main = LLIR_NONE};
    struct reader r = {.m = m, .out = out, .words = words, .count = count};
    if (!llir_is(words, count))
        return llir_bad(&r, "its first words");
    m->bound = words[2];
    if (m->bound > BOUND || m->bound > count)
        return llir_bad(&r, "its bound");
    m->type = ARENA_ARRAY(a, struct llir_type, count);
    m->cell = ARENA_ARRAY(a, uint32_t, m->bound + 1);
    m->type_of = ARENA_ARRAY(a, uint32_t, m->bound + 1);
    m->function_of = ARENA_ARRAY(a, uint32_t, m->bound + 1);
    r.token_of = ARENA_ARRAY(a, uint32_t, m->bound + 1);
    memset(m->cell, 255, m->bound * sizeof(uint32_t));
    memset(m->type_of, 255, m->bound * sizeof(uint32_t));
    memset(m->function_of, 255, m->bound * sizeof(uint32_t));
    memset(r.token_of, 255, m->bound * sizeof(uint32_t));
    m->block_of = ARENA_ARRAY(a, uint32_t, count);
    m->block = ARENA_ARRAY(a, struct llir_block, count);
    m->function = ARENA_ARRAY(a, struct llir_function, count);
    m->token = ARENA_ARRAY(a, struct llir_token, count);
    m->object = ARENA_ARRAY(a, struct llir_object, count);
    // Constants come first, so that all later cells belong to an invocation.
    if (!walk(&r, true))
        return false;
    m->const_cells = m->cells;
    m->globals = m->objects;
    if (!walk(&r, false))
        return false;
    if (m->main == LLIR_NONE || m->function[m->main].params)
        return llir_bad(&r, "no function main");
    m->inst = ARENA_ARRAY(a, struct llir_inst, m->insts);
    struct record rec;
    uint32_t n = 0;
    for (size_t at = LLIR_HEADER; at < count && next(&r, &at, &rec);)
        if (rec.kind == LLIR_INST && !read_inst(&r, &rec, n++))
            return false;
    for (uint32_t b = 0; b < m->blocks; b++) {
        const struct llir_block *block = &m->block[b];
        const bool entry = block->count && b == m->function[block->function].block;
        if (!block->count)
            return llir_bad(&r, "an empty block");
        for (uint32_t k = 0; k < block->count; k++)
            if (m->inst[block->first + k].op == LLIR_PHI &&
                (entry || (k && m->inst[block->first + k - 1].op != LLIR_PHI)))
                return llir_bad(&r, "a phi in the wrong place");
    }
    for (uint32_t f = 0; f < m->functions; f++)
        if (!m->function[f].declared && !m->function[f].blocks)
            return llir_bad(&r, "an empty function");
    return calls_end(m, m->main, 0) || llir_no(&r, "recursion");
}
