// SPDX-License-Identifier: Apache-2.0
//
// Reads types, names and constants of LLVM IR.
#include "gallivm_program.h"

#include "isa/isa_float.h"

#include <stdlib.h>

bool gv_refuse(struct gv_reader *r, const char *what, struct word at)
{
    if (r->why->status != RAN_OK) // the first refusal counts
        return false;
    return word_refuse(r->why, r->line, what, at);
}

void gv_blanks(struct word *at)
{
    while (at->n && *at->s == ' ')
        *at = word_after(*at, 1);
}

bool gv_take(struct word *at, const char *text)
{
    gv_blanks(at);
    return text_take(&at->s, &at->n, text);
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_';
}

struct word gv_word(struct word *at)
{
    gv_blanks(at);
    size_t n = 0;
    while (n < at->n && in_word(at->s[n]))
        n++;
    const struct word out = {at->s, n};
    *at = word_after(*at, n);
    return out;
}

// ---- types -----------------------------------------------------------------------------------

static uint64_t up(uint64_t v, uint64_t align)
{
    return (v + align - 1) / align * align;
}

static struct gv_type *new_type(struct gv_reader *r, enum gv_kind kind, uint32_t bits)
{
    struct gv_type *t = ARENA_NEW(r->a, struct gv_type);
    *t = (struct gv_type){.kind = kind, .bits = bits, .slots = 1};
    t->size = t->align = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    return t;
}

const struct gv_type *gv_integer(struct gv_reader *r, uint32_t bits)
{
    return new_type(r, GV_INT, bits);
}

const struct gv_type *gv_pointer(struct gv_reader *r)
{
    return new_type(r, GV_PTR, 64);
}

static const struct gv_type *bounded(struct gv_reader *r, const struct gv_type *t, struct word at)
{
    enum { BYTES = 1 << 24 };
    if (t->size <= BYTES)
        return t;
    gv_refuse(r, "a type of too many bytes", at);
    return NULL;
}

// <8 x i32>, [16 x T]
static const struct gv_type *sequence(struct gv_reader *r, struct word *at, bool vector)
{
    const struct word count = gv_word(at);
    uint32_t n;
    if (!parse_u32(count.s, count.n, &n) || !n || n > 1u << 16 || !gv_take(at, "x ")) {
        gv_refuse(r, "the type", count);
        return NULL;
    }
    const struct gv_type *of = gv_read_type(r, at);
    if (!of)
        return NULL;
    if (!gv_take(at, vector ? ">" : "]") || (vector && (!gv_is_scalar(of) || n > GV_SLOTS))) {
        gv_refuse(r, "the type", *at);
        return NULL;
    }
    struct gv_type *t = new_type(r, vector ? GV_VECTOR : GV_ARRAY, 0);
    t->of = of;
    t->count = n;
    // A vector of few bits is packed.
    t->size = vector ? ((uint64_t)n * of->bits + 7) / 8 : n * of->size;
    t->align = vector ? t->size : of->align;
    t->slots = n * of->slots;
    return bounded(r, t, *at);
}

static const struct gv_type *finish(struct gv_reader *r, struct gv_type *t, struct word at,
                                    const struct gv_type **member, uint32_t n)
{
    t->count = n;
    t->member = member;
    t->offset = ARENA_ARRAY(r->a, uint64_t, n);
    t->slots = 0;
    t->size = 0;
    t->align = 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct gv_type *of = member[i];
        t->offset[i] = up(t->size, of->align ? of->align : 1);
        t->size = t->offset[i] + of->size;
        t->align = of->align > t->align ? of->align : t->align;
        t->slots += of->slots;
        if (!bounded(r, t, at))
            return NULL;
    }
    t->size = up(t->size, t->align);
    return bounded(r, t, at);
}

static const struct gv_type *structure(struct gv_reader *r, struct word *at)
{
    VEC(const struct gv_type *) member = {0};
    struct gv_type *t = new_type(r, GV_STRUCT, 0);
    while (!gv_take(at, "}")) {
        const struct gv_type *of = gv_read_type(r, at);
        if (!of)
            return NULL;
        *VEC_PUSH(r->a, &member) = of;
        if (!gv_take(at, ",") && (gv_blanks(at), !at->n || *at->s != '}')) {
            gv_refuse(r, "the type", *at);
            return NULL;
        }
    }
    return finish(r, t, *at, member.v, (uint32_t)member.n);
}

const struct gv_type *gv_pair(struct gv_reader *r, const struct gv_type *first)
{
    const struct gv_type *both[2] = {first, gv_integer(r, 1)};
    return finish(r, new_type(r, GV_STRUCT, 0), (struct word){"", 0},
                  arena_copy(r->a, both, sizeof both), 2);
}

static const struct gv_type *plain(struct gv_reader *r, struct word *at)
{
    static const struct {
        const char *name;
        enum gv_kind kind;
        uint32_t bits;
    } known[] = {
        {"half", GV_FLOAT, 16}, {"float", GV_FLOAT, 32}, {"double", GV_FLOAT, 64},
        {"ptr", GV_PTR, 64},    {"void", GV_VOID, 0},    {"token", GV_OTHER, 0},
        {"label", GV_OTHER, 0},
    };
    const struct word name = gv_word(at);
    uint32_t bits;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (word_is(name, known[i].name))
            return new_type(r, known[i].kind, known[i].bits);
    if (name.n > 1 && *name.s == 'i' && parse_u32(name.s + 1, name.n - 1, &bits) && bits &&
        bits <= 64)
        return gv_integer(r, bits);
    gv_refuse(r, "the type", name.n ? name : *at);
    return NULL;
}

const struct gv_type *gv_read_type(struct gv_reader *r, struct word *at)
{
    if (r->depth == GV_DEPTH) {
        gv_refuse(r, "a type of types", *at);
        return NULL;
    }
    r->depth++;
    const struct gv_type *t = gv_take(at, "<")   ? sequence(r, at, true)
                              : gv_take(at, "[") ? sequence(r, at, false)
                              : gv_take(at, "{") ? structure(r, at)
                                                 : plain(r, at);
    r->depth--;
    if (t && gv_take(at, "*")) {
        gv_refuse(r, "a pointer with a type, of LLVM before 15:", *at);
        return NULL;
    }
    return t;
}

// ---- names -----------------------------------------------------------------------------------

uint32_t gv_read_name(struct gv_reader *r, struct word *at, const struct gv_type *t)
{
    size_t n = 1;
    gv_blanks(at);
    const bool quoted = at->n > 1 && at->s[1] == '"';
    if (at->n && *at->s == '%')
        for (n += quoted;
             n < at->n &&
             (quoted ? at->s[n] != '"' : in_word(at->s[n]) || at->s[n] == '-' || at->s[n] == '$');
             n++)
            ;
    if (n == 1 || (quoted && n == at->n)) {
        gv_refuse(r, "a name", *at);
        return GV_NONE;
    }
    const struct word name = {at->s + 1 + quoted, n - 1 - quoted};
    *at = word_after(*at, n + quoted);
    uint32_t i = (uint32_t)hash64(name.s, name.n) & (GV_NAMES - 1);
    for (; r->name[i].s; i = (i + 1) & (GV_NAMES - 1))
        if (r->name[i].n == name.n && memcmp(r->name[i].s, name.s, name.n) == 0) {
            struct gv_value *v = &r->value.v[r->named[i]];
            if ((t != NULL) != (v->type != NULL) ||
                (t && (v->type->slots != t->slots || v->type->size != t->size))) {
                gv_refuse(r, "another type of", name);
                return GV_NONE;
            }
            return r->named[i];
        }
    if (++r->names > GV_NAMES / 2 || (t && t->slots > GV_SLOTS)) {
        gv_refuse(r, "too many names or elements:", name);
        return GV_NONE;
    }
    r->name[i] = name;
    r->named[i] = (uint32_t)r->value.n;
    *VEC_PUSH(r->a, &r->value) =
        (struct gv_value){.type = t, .at = r->slots, .line = r->line, .target = GV_NONE};
    r->slots += t ? t->slots : 0;
    return r->named[i];
}

// ---- constants -------------------------------------------------------------------------------

static void put(struct gv_reader *r, uint64_t v, bool undefined)
{
    *VEC_PUSH(r->a, &r->constant) = v;
    *VEC_PUSH(r->a, &r->undefined) = undefined;
}

static bool number(struct gv_reader *r, struct word *at, const struct gv_type *t, uint64_t *out)
{
    size_t n = 0;
    gv_blanks(at);
    while (n < at->n && (in_word(at->s[n]) || at->s[n] == '-' || at->s[n] == '+'))
        n++;
    const char *text = arena_strn(r->a, at->s, n);
    char *end;
    if (n > 2 && t->kind == GV_FLOAT && text[0] == '0' && text[1] == 'x') {
        const bool half = text[2] == 'H'; // others are written as doubles
        *out = strtoull(text + 2 + half, &end, 16);
        if (!half)
            *out = isa_rounded(isa_double(*out), t->bits);
    } else if (t->kind == GV_FLOAT) {
        *out = isa_rounded(strtod(text, &end), t->bits);
    } else {
        *out = text[0] == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
        *out = isa_low(*out, t->bits);
    }
    if (!n || *end)
        return gv_refuse(r, "the operand", *at);
    *at = word_after(*at, n);
    return true;
}

static bool constant(struct gv_reader *r, struct word *at, const struct gv_type *t);

// "TYPE VALUE, TYPE VALUE", as many as t has elements, up to `close`.
static bool constants(struct gv_reader *r, struct word *at, const struct gv_type *t,
                      const char *close)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const struct gv_type *of = gv_read_type(r, at);
        if (!of || of->slots != 1 || !gv_is_scalar(t->of))
            return of ? gv_refuse(r, "the operand", *at) : false;
        if (!constant(r, at, t->of) || (i + 1 < t->count && !gv_take(at, ",")))
            return gv_refuse(r, "the operand", *at);
    }
    return gv_take(at, close) || gv_refuse(r, "the operand", *at);
}

// What LLVM did not fold: "TYPE VALUE to TYPE)", "TYPE VALUE, iN ELEMENT)".
static bool folded(struct gv_reader *r, struct word *at, const struct gv_type *t)
{
    uint8_t bytes[GV_SLOTS * 8];
    uint64_t v[GV_SLOTS];
    const uint32_t from = (uint32_t)r->constant.n;
    const struct gv_type *of = gv_read_type(r, at);
    if (!of || of->slots > GV_SLOTS || !gv_is_plain(of) || !gv_is_plain(t) || !constant(r, at, of))
        return gv_refuse(r, "the operand", *at);
    memcpy(v, r->constant.v + from, of->slots * sizeof *v);
    if (gv_take(at, ",")) {
        const struct gv_type *index = gv_read_type(r, at);
        uint64_t k;
        if (!index || !number(r, at, index, &k) || of->kind != GV_VECTOR || k >= of->count)
            return gv_refuse(r, "the operand", *at);
        v[0] = v[k];
    } else {
        if (!gv_take(at, "to") || !gv_read_type(r, at) || of->size != t->size)
            return gv_refuse(r, "the operand", *at);
        gv_to_bytes(of, v, bytes);
        gv_from_bytes(t, bytes, v);
    }
    for (uint32_t i = 0; i < of->slots; i++)
        if (r->undefined.v[from + i])
            return gv_refuse(r, "the operand", *at);
    r->constant.n = r->undefined.n = from;
    for (uint32_t i = 0; i < t->slots; i++)
        put(r, v[i], false);
    return gv_take(at, ")") || gv_refuse(r, "the operand", *at);
}

static bool constant(struct gv_reader *r, struct word *at, const struct gv_type *t)
{
    static const struct {
        const char *name;
        uint64_t value;
        bool undefined;
    } known[] = {{"zeroinitializer", 0, false},
                 {"undef", 0, true},
                 {"poison", 0, true},
                 {"null", 0, false},
                 {"true", 1, false},
                 {"false", 0, false},
                 {"none", 0, false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (gv_take(at, known[i].name)) {
            for (uint32_t k = 0; k < t->slots; k++)
                put(r, known[i].value, known[i].undefined);
            return true;
        }
    uint64_t v;
    if (t->kind == GV_VECTOR && gv_take(at, "splat (")) {
        const size_t from = r->constant.n;
        if (!gv_read_type(r, at) || !constant(r, at, t->of))
            return false;
        for (uint32_t k = 1; k < t->count; k++)
            put(r, r->constant.v[from], r->undefined.v[from]);
        return gv_take(at, ")") || gv_refuse(r, "the operand", *at);
    }
    if (gv_take(at, "bitcast (") || gv_take(at, "extractelement ("))
        return folded(r, at, t);
    if (t->kind == GV_VECTOR && gv_take(at, "<"))
        return constants(r, at, t, ">");
    if (t->kind == GV_ARRAY && gv_take(at, "["))
        return constants(r, at, t, "]");
    if (!gv_is_scalar(t) || !number(r, at, t, &v))
        return gv_refuse(r, "the operand", *at);
    put(r, v, false);
    return true;
}

uint32_t gv_read_value(struct gv_reader *r, struct word *at, const struct gv_type *t)
{
    gv_blanks(at);
    if (at->n && *at->s == '%')
        return gv_read_name(r, at, t);
    const uint32_t from = (uint32_t)r->constant.n;
    if (t->slots > GV_SLOTS || !constant(r, at, t)) {
        gv_refuse(r, "the operand", *at);
        return GV_NONE;
    }
    *VEC_PUSH(r->a, &r->value) =
        (struct gv_value){.type = t, .at = from, .constant = true, .defined = true};
    return (uint32_t)r->value.n - 1;
}
