// SPDX-License-Identifier: Apache-2.0
//
// Builds a module. Input: instructions for each section, with sections in any order. Output: the
// module's words. Types and constants from spv_type_* and spv_const_* are unique.
#include "spirv.h"

#include <string.h>

#ifdef TANGLEFUZZ_TINY
enum { UNIQUE_FIRST = 2 };
#else
enum { UNIQUE_FIRST = 128 };
#endif

// A hash table with open addressing. An entry refers to an instruction in the section of globals.
struct unique_entry {
    uint32_t hash, at, id; // id 0: empty
};
struct spv_unique {
    struct unique_entry *v;
    uint32_t size, used; // size: a power of two
};

void spv_writer_start(struct spv_writer *w, struct arena *a, uint32_t version)
{
    *w = (struct spv_writer){.arena = a, .version = version, .next_id = 1};
    w->unique = ARENA_NEW(a, struct spv_unique);
    w->unique->size = UNIQUE_FIRST;
    w->unique->v = ARENA_ARRAY(a, struct unique_entry, UNIQUE_FIRST);
}

uint32_t spv_new_id(struct spv_writer *w)
{
    CHECK(w->next_id < SPV_ID_LIMIT - 1);
    return w->next_id++;
}

// Reserves an instruction of n operand words and writes its first word.
static uint32_t *put_head(struct spv_writer *w, enum spv_section s, SpvOp op, size_t n)
{
    CHECK(n < UINT16_MAX && s < SPV_SECTIONS);
    struct words *out = &w->section[s];
    VEC_RESERVE(w->arena, out, n + 1);
    uint32_t *v = out->v + out->n;
    out->n += n + 1;
    *v = (uint32_t)(n + 1) << 16 | (uint32_t)op;
    return v + 1;
}

void spv_put(struct spv_writer *w, enum spv_section s, SpvOp op, const uint32_t *v, size_t n)
{
    uint32_t *out = put_head(w, s, op, n);
    if (n)
        memcpy(out, v, n * sizeof *v);
}

static void put_result(struct spv_writer *w, enum spv_section s, SpvOp op, uint32_t type,
                       uint32_t id, const uint32_t *v, size_t n)
{
    uint32_t *out = put_head(w, s, op, n + (type ? 2 : 1));
    if (type)
        *out++ = type;
    *out++ = id;
    if (n)
        memcpy(out, v, n * sizeof *v);
}

uint32_t spv_put_value(struct spv_writer *w, SpvOp op, uint32_t type, const uint32_t *v, size_t n)
{
    CHECK(type != 0);
    uint32_t id = spv_new_id(w);
    put_result(w, SPV_FUNCTIONS, op, type, id, v, n);
    return id;
}

void spv_string_words(struct arena *a, struct words *out, const char *s)
{
    size_t size = strlen(s), n = size / 4 + 1;
    VEC_RESERVE(a, out, n);
    out->v[out->n + n - 1] = 0; // pads with zeros after the NUL
    memcpy(out->v + out->n, s, size);
    out->n += n;
}

void spv_put_name(struct spv_writer *w, uint32_t id, const char *name)
{
    struct words v = {0};
    *VEC_PUSH(w->arena, &v) = id;
    spv_string_words(w->arena, &v, name);
    spv_put(w, SPV_DEBUG, SpvOpName, v.v, v.n);
}

// ---- declared once ---------------------------------------------------------------

// True if the instruction (op, v) is in the section. A linear search: there are few capabilities
// and extensions.
static bool declared(const struct words *s, SpvOp op, const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < s->n; i += s->v[i] >> 16)
        if (s->v[i] == ((uint32_t)(n + 1) << 16 | (uint32_t)op) &&
            memcmp(s->v + i + 1, v, n * sizeof *v) == 0)
            return true;
    return false;
}

uint32_t spv_capability(struct spv_writer *w, SpvCapability c)
{
    uint32_t v = (uint32_t)c;
    if (!declared(&w->section[SPV_CAPABILITIES], SpvOpCapability, &v, 1))
        spv_put(w, SPV_CAPABILITIES, SpvOpCapability, &v, 1);
    return 0;
}

void spv_extension(struct spv_writer *w, const char *name)
{
    struct words v = {0};
    spv_string_words(w->arena, &v, name);
    if (!declared(&w->section[SPV_EXTENSIONS], SpvOpExtension, v.v, v.n))
        spv_put(w, SPV_EXTENSIONS, SpvOpExtension, v.v, v.n);
}

static uint32_t hash_words(uint32_t op, uint32_t type, const uint32_t *v, size_t n)
{
    uint64_t h = ((uint64_t)type << 32 | op) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (h >> 29) ^ v[i]) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

static void unique_grow(struct spv_writer *w)
{
    struct spv_unique *u = w->unique;
    struct unique_entry *old = u->v;
    uint32_t size = u->size;
    u->size *= 2;
    u->v = ARENA_ARRAY(w->arena, struct unique_entry, u->size);
    for (uint32_t i = 0; i < size; i++) {
        if (!old[i].id)
            continue;
        uint32_t k = old[i].hash & (u->size - 1);
        while (u->v[k].id)
            k = (k + 1) & (u->size - 1);
        u->v[k] = old[i];
    }
}

// Returns the id of a type (type == 0) or constant; creates it if needed.
static uint32_t unique(struct spv_writer *w, SpvOp op, uint32_t type, const uint32_t *v, size_t n)
{
    struct spv_unique *u = w->unique;
    if (u->used * 2 >= u->size)
        unique_grow(w);
    const size_t head = type ? 3 : 2;
    const uint32_t first = (uint32_t)(n + head) << 16 | (uint32_t)op;
    uint32_t hash = hash_words((uint32_t)op, type, v, n), k = hash & (u->size - 1);
    for (; u->v[k].id; k = (k + 1) & (u->size - 1)) {
        const uint32_t *have = w->section[SPV_GLOBALS].v + u->v[k].at;
        if (u->v[k].hash == hash && have[0] == first && (!type || have[1] == type) &&
            (n == 0 || memcmp(have + head, v, n * sizeof *v) == 0))
            return u->v[k].id;
    }
    CHECK(w->section[SPV_GLOBALS].n < UINT32_MAX);
    u->v[k] = (struct unique_entry){hash, (uint32_t)w->section[SPV_GLOBALS].n, spv_new_id(w)};
    u->used++;
    put_result(w, SPV_GLOBALS, op, type, u->v[k].id, v, n);
    return u->v[k].id;
}

// ---- types and constants ------------------------------------------------------------

uint32_t spv_type_void(struct spv_writer *w)
{
    return unique(w, SpvOpTypeVoid, 0, NULL, 0);
}
uint32_t spv_type_bool(struct spv_writer *w)
{
    return unique(w, SpvOpTypeBool, 0, NULL, 0);
}

uint32_t spv_type_int(struct spv_writer *w, unsigned bits, bool is_signed)
{
    return unique(w, SpvOpTypeInt, 0, (const uint32_t[]){bits, is_signed}, 2);
}

uint32_t spv_type_float(struct spv_writer *w, unsigned bits)
{
    return unique(w, SpvOpTypeFloat, 0, (const uint32_t[]){bits}, 1);
}

uint32_t spv_type_vector(struct spv_writer *w, uint32_t component, uint32_t count)
{
    return unique(w, SpvOpTypeVector, 0, (const uint32_t[]){component, count}, 2);
}

uint32_t spv_type_pointer(struct spv_writer *w, SpvStorageClass sc, uint32_t pointee)
{
    return unique(w, SpvOpTypePointer, 0, (const uint32_t[]){(uint32_t)sc, pointee}, 2);
}

uint32_t spv_type_function(struct spv_writer *w, uint32_t ret, const uint32_t *params, size_t n)
{
    uint32_t small[16];
    uint32_t *v = n < 16 ? small : ARENA_ARRAY(w->arena, uint32_t, n + 1);
    v[0] = ret;
    if (n)
        memcpy(v + 1, params, n * sizeof *v);
    return unique(w, SpvOpTypeFunction, 0, v, n + 1);
}

uint32_t spv_const_u32(struct spv_writer *w, uint32_t value)
{
    return unique(w, SpvOpConstant, spv_type_int(w, 32, false), &value, 1);
}

uint32_t spv_const_i32(struct spv_writer *w, int32_t value)
{
    return unique(w, SpvOpConstant, spv_type_int(w, 32, true), (const uint32_t[]){(uint32_t)value},
                  1);
}

uint32_t spv_const_f32(struct spv_writer *w, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return unique(w, SpvOpConstant, spv_type_float(w, 32), &word, 1);
}

uint32_t spv_const_bool(struct spv_writer *w, bool value)
{
    return unique(w, value ? SpvOpConstantTrue : SpvOpConstantFalse, spv_type_bool(w), NULL, 0);
}

uint32_t spv_const_composite(struct spv_writer *w, uint32_t type, const uint32_t *v, size_t n)
{
    return unique(w, SpvOpConstantComposite, type, v, n);
}

// ---- the module ------------------------------------------------------------------

const uint32_t *spv_writer_finish(struct spv_writer *w, size_t *count)
{
    enum { HEADER = 5 };
    size_t n = HEADER;
    for (int s = 0; s < SPV_SECTIONS; s++)
        n += w->section[s].n;
    uint32_t *v = ARENA_ARRAY(w->arena, uint32_t, n);
    v[0] = SpvMagicNumber;
    v[1] = w->version;
    v[2] = 0; // generator: not registered
    v[3] = w->next_id;
    v[4] = 0;
    size_t at = HEADER;
    for (int s = 0; s < SPV_SECTIONS; s++) {
        if (w->section[s].n)
            memcpy(v + at, w->section[s].v, w->section[s].n * sizeof *v);
        at += w->section[s].n;
    }
    *count = n;
    return v;
}
