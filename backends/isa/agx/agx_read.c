// SPDX-License-Identifier: Apache-2.0
//
// Parses text into instructions, each checked against its row. A line of machine code is
//   offset: bytes   operation operands
// both numbers in hexadecimal. Offsets start at 0 in the shader and again in its preamble.
#include "agx_program.h"

#include "isa/isa_text.h"

#include <stdlib.h>

enum { INSTRUCTIONS = 200000, WORDS = 12, REGISTERS = 4 };
#define NO_TARGET UINT32_MAX

struct reader {
    struct arena *a;
    struct isa_result *why;
    uint32_t line;
    VEC(struct agx_inst) inst;
    uint32_t starts[2], sections; // index of the first instruction of each section
};

static bool refuse(struct reader *r, const char *what, struct word t)
{
    return word_refuse(r->why, r->line, what, t);
}

// ---- words -----------------------------------------------------------------

// Removes the next word before a comma.
static struct word next_word(struct word *t)
{
    const char *comma = t->n ? memchr(t->s, ',', t->n) : NULL;
    const struct word out = {t->s, comma ? (size_t)(comma - t->s) : t->n};
    *t = word_after(*t, out.n + (comma != NULL));
    return word_trimmed(out);
}

static bool read_number(struct word t, int64_t *out)
{
    char digits[24], *end;
    if (!t.n || t.n >= sizeof digits)
        return false;
    memcpy(digits, t.s, t.n);
    digits[t.n] = 0;
    const size_t sign = digits[0] == '-';
    if (digits[sign] < '0' || digits[sign] > '9')
        return false;
    *out = strtoll(digits, &end, 10);
    return !*end;
}

static bool read_real(struct word t, float *out)
{
    char digits[32], *end;
    if (!t.n || t.n >= sizeof digits || strspn(t.s, "-+.e0123456789") < t.n)
        return false;
    memcpy(digits, t.s, t.n);
    digits[t.n] = 0;
    *out = strtof(digits, &end);
    return !*end && strpbrk(digits, ".e");
}

// Returns the index of a word in a list; n if it is not there.
static uint32_t find(const char *const *names, uint32_t n, struct word t)
{
    uint32_t i = 0;
    while (i < n && !word_is(t, names[i]))
        i++;
    return i;
}

// One register or uniform: r3, r3l, r3h, dr4, u5, u5h, du6.
static bool read_half(struct word t, struct agx_operand *out)
{
    const bool pair = text_take(&t.s, &t.n, "d");
    const bool uniform = word_starts(t, "u");
    if (!uniform && !word_starts(t, "r"))
        return false;
    t = word_after(t, 1);
    const char last = t.n ? t.s[t.n - 1] : 0;
    const bool part = last == 'l' || last == 'h';
    int64_t n;
    if ((part && pair) || (part && !--t.n) || !read_number(t, &n) || n < 0)
        return false;
    out->kind = uniform ? OPERAND_UNIFORM : OPERAND_REGISTER;
    out->bits = pair ? 64 : part ? 16 : 32;
    out->half = n > UINT16_MAX ? UINT16_MAX : (uint32_t)n * 2 + (last == 'h');
    return out->half + out->bits / 16 <= (uniform ? (uint32_t)AGX_UNIFORMS : (uint32_t)AGX_HALVES);
}

// Up to four consecutive registers, with a line between two: r4, r5 and r6 are one operand.
static bool read_halves(struct word t, struct agx_operand *out)
{
    struct agx_operand one = {0};
    for (out->count = 0; t.n; out->count++) {
        const char *line = memchr(t.s, '_', t.n);
        const size_t n = line ? (size_t)(line - t.s) : t.n;
        if (!read_half((struct word){t.s, n}, &one) || out->count == REGISTERS)
            return false;
        if (!out->count) {
            out->kind = one.kind;
            out->bits = one.bits;
            out->half = one.half;
        } else if (one.kind != out->kind || one.bits != out->bits ||
                   one.half != out->half + out->count * out->bits / 16) {
            return false;
        }
        t = word_after(t, n + (line != NULL));
    }
    return out->count > 0;
}

static bool read_operand(struct reader *r, struct word t, struct agx_operand *out)
{
    const struct word whole = t;
    *out = (struct agx_operand){.bits = 32, .count = 1};
    if (word_is(t, "_")) {
        out->count = 0;
        return true;
    }
    for (; t.n && (*t.s == '$' || *t.s == '^'); t = word_after(t, 1))
        out->discard |= *t.s == '^';
    while (!read_real(t, &out->real)) {
        const char *dot = NULL;
        for (size_t i = 0; i < t.n; i++)
            dot = t.s[i] == '.' ? t.s + i : dot;
        if (!dot)
            break;
        const struct word mark = word_after(t, (size_t)(dot - t.s));
        if (word_is(mark, ".neg"))
            out->neg = true;
        else if (word_is(mark, ".abs"))
            out->abs = true;
        else if (word_is(mark, ".sx"))
            out->sx = true;
        else
            return refuse(r, "the operand", whole);
        t.n -= mark.n;
    }
    if (read_real(t, &out->real)) {
        out->kind = OPERAND_FLOAT;
        return true;
    }
    if (read_number(t, &out->number)) {
        out->kind = OPERAND_NUMBER;
        return true;
    }
    return read_halves(t, out) || refuse(r, "the operand", whole);
}

static const struct agx_condition conditions[] = {
    {"ieq", COMPARE_EQ, false, false, false},  {"ine", COMPARE_EQ, false, false, true},
    {"ult", COMPARE_LT, false, false, false},  {"ugte", COMPARE_LT, false, false, true},
    {"ugt", COMPARE_GT, false, false, false},  {"ulte", COMPARE_GT, false, false, true},
    {"seq", COMPARE_EQ, false, true, false},   {"nseq", COMPARE_EQ, false, true, true},
    {"slt", COMPARE_LT, false, true, false},   {"sgte", COMPARE_LT, false, true, true},
    {"sgt", COMPARE_GT, false, true, false},   {"slte", COMPARE_GT, false, true, true},
    {"feq", COMPARE_EQ, true, false, false},   {"fneq", COMPARE_EQ, true, false, true},
    {"flt", COMPARE_LT, true, false, false},   {"fnlt", COMPARE_LT, true, false, true},
    {"fgt", COMPARE_GT, true, false, false},   {"fngt", COMPARE_GT, true, false, true},
    {"fltn", COMPARE_LTN, true, false, false}, {"fnltn", COMPARE_LTN, true, false, true},
    {"fgte", COMPARE_GE, true, false, false},  {"fngte", COMPARE_GE, true, false, true},
    {"flte", COMPARE_LE, true, false, false},  {"fnlte", COMPARE_LE, true, false, true},
    {"fgtn", COMPARE_GTN, true, false, false}, {"fngtn", COMPARE_GTN, true, false, true},
};

static const struct agx_condition *condition_of(struct word t)
{
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (word_is(t, conditions[i].name))
            return &conditions[i];
    return NULL;
}

static const char *const formats[AGX_FORMATS] = {"i8", "i16", "i32"};
static const char *const atomics[AGX_ATOMICS] = {"add",  "sub",  "xchg", "cmpxchg", "umin", "imin",
                                                 "umax", "imax", "and",  "or",      "xor"};
static const char *const reduces[AGX_REDUCES] = {"and",  "or",   "xor",  "iadd", "smin", "smax",
                                                 "umin", "umax", "fadd", "fmul", "fmin", "fmax"};
static const char *const ways[AGX_WAYS] = {"", "xor", "up", "down"};
static const char *const masks[] = {"none", "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                    "w",    "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
static const char *const specials[AGX_SPECIALS] = {"threadgroup_in_grid_x",
                                                   "threadgroup_in_grid_y",
                                                   "threadgroup_in_grid_z",
                                                   "thread_in_threadgroup_x",
                                                   "thread_in_threadgroup_y",
                                                   "thread_in_threadgroup_z",
                                                   "thread_index_in_threadgroup",
                                                   "thread_index_in_simdgroup",
                                                   "simdgroup_index_in_threadgroup",
                                                   "active_thread_index_in_simdgroup",
                                                   "total_active_threads_in_simdgroup",
                                                   "thread_in_grid_x",
                                                   "thread_in_grid_y",
                                                   "thread_in_grid_z"};

// ---- an operation's words ----------------------------------------------------

// Reads a word as what `letter` stands for. False: it is something else.
static bool read_word(struct reader *r, char letter, struct word t, struct agx_inst *in)
{
    static const char *const coherent[] = {"coherent1", "coherent2", "coherent"};
    static const char *const shifts[] = {"", "lsl 1", "lsl 2", "lsl 3", "lsl 4"};
    const uint32_t n_masks = sizeof masks / sizeof *masks;
    switch (letter) {
    case 'd':
        return read_operand(r, t, &in->dst) && in->dst.kind == OPERAND_REGISTER &&
               in->dst.count == 1;
    case 's':
    case 'm':
    case 'b':
    case 'x':
        return in->srcs < AGX_SOURCES && read_operand(r, t, &in->src[in->srcs++]);
    case 'n':
        return read_number(t, &in->number);
    case 'l':
        in->shift = find(shifts, 5, t);
        return in->shift && in->shift < 5;
    case 'F':
        in->format = (enum agx_format)find(formats, AGX_FORMATS, t);
        return in->format < AGX_FORMATS;
    case 'M':
        in->mask = find(masks, n_masks, t);
        return in->mask && in->mask < n_masks;
    case 'h':
        return find(coherent, 3, t) < 3;
    case 'w':
        in->group = word_is(t, "b");
        return in->group || word_is(t, "a");
    case 'c':
        return (in->condition = condition_of(t)) != NULL;
    case 'a':
        in->atomic = (enum agx_atomic)find(atomics, AGX_ATOMICS, t);
        return in->atomic < AGX_ATOMICS;
    case 'o':
        in->reduce = (enum agx_reduce)find(reduces, AGX_REDUCES, t);
        return in->reduce < AGX_REDUCES;
    case 'r':
        in->nearest = word_is(t, "rte");
        return in->nearest || word_is(t, "rtz");
    case 'k':
        return in->saturates = word_is(t, "sat");
    case 'z':
        return word_is(t, "cache");
    case 'q':
        return in->quad = word_is(t, "quad");
    case 'p':
        return in->prefix = word_is(t, "prefix");
    case 'v':
        in->way = (enum agx_way)find(ways, AGX_WAYS, t);
        return in->way && in->way < AGX_WAYS;
    default: // R: no driver's code has it
        return false;
    }
}

static bool read_words(struct reader *r, struct word t, struct agx_inst *in, const char *row)
{
    t = word_trimmed(t);
    bool more = t.n > 0;
    struct word w = more ? next_word(&t) : t;
    for (; *row; row++) {
        const bool optional = *row == '(';
        row += optional;
        if (more &&
            (optional ? *row != 'R' && read_word(r, *row, w, in) : read_word(r, *row, w, in))) {
            more = t.n > 0;
            w = more ? next_word(&t) : t;
        } else if (!optional) {
            return r->why->text[0] ? false : refuse(r, "the operand", w);
        } else if (*row == 'l' || *row == 'v') {
            in->shift = *row == 'l' ? 0 : in->shift;
            in->way = *row == 'v' ? WAY_INDEX : in->way;
        }
        row += optional;
    }
    return !more || refuse(r, "the operand", w);
}

// An access to shared memory whose base is 0 has no base in the text.
static bool read_local(struct reader *r, struct word t, struct agx_inst *in)
{
    const bool atomic = in->id == AGX_LATOMIC;
    uint32_t words = 1;
    for (size_t i = 0; i < t.n; i++)
        words += t.s[i] == ',';
    if (words != 4)
        return read_words(r, t, in, agx_ops[in->id].operands);
    if (!read_words(r, t, in, atomic ? "mmxa" : "mxFM"))
        return false;
    in->src[in->srcs] = in->src[in->srcs - 1];
    in->src[in->srcs++ - 1] = (struct agx_operand){.kind = OPERAND_NUMBER, .bits = 32, .count = 1};
    return true;
}

// In the text "mov" is also a read of a special register and a store to uniforms. "ballot" without
// sources is that of all active lanes.
static bool read_alias(struct reader *r, struct word t, struct agx_inst *in)
{
    struct word rest = word_trimmed(t), first = next_word(&rest);
    if (in->id == AGX_BALLOT && !rest.n) {
        in->srcs = 2;
        in->src[0] = in->src[1] =
            (struct agx_operand){.kind = OPERAND_NUMBER, .bits = 32, .count = 1};
        in->condition = conditions; // 0 equals 0
        return read_word(r, 'd', first, in) || refuse(r, "the operand", first);
    }
    if (in->id == AGX_MOV && (word_starts(first, "u") || word_starts(first, "du"))) {
        in->id = AGX_USTORE;
    } else if (in->id == AGX_MOV) {
        const struct word second = word_trimmed(rest);
        const uint32_t which = find(specials, AGX_SPECIALS, second);
        if (which < AGX_SPECIALS) {
            in->id = AGX_MFSR;
            in->special = (enum agx_special)which;
            return read_word(r, 'd', first, in) || refuse(r, "the operand", first);
        }
    }
    if (in->id == AGX_LLOAD || in->id == AGX_LSTORE || in->id == AGX_LATOMIC)
        return read_local(r, t, in);
    return read_words(r, t, in, agx_ops[in->id].operands);
}

// Checks what the rows do not say about operands.
static bool check(struct reader *r, const struct agx_inst *in)
{
    const bool memory = agx_ops[in->id].unit == UNIT_MEMORY;
    const uint32_t values = (uint32_t)__builtin_popcount(in->mask);
    const struct agx_operand *to = &in->src[0];
    bool fits = true;
    if (!memory) {
        for (uint32_t i = 0; i < in->srcs; i++)
            fits &= in->src[i].count == 1;
    } else if (in->id == AGX_USTORE) {
        fits = to->kind == OPERAND_UNIFORM && in->src[1].kind == OPERAND_REGISTER &&
               to->bits * to->count == in->src[1].bits * in->src[1].count;
    } else if (in->id == AGX_ATOMIC || in->id == AGX_LATOMIC) {
        const struct agx_operand *v = &in->src[1];
        fits = to->kind != OPERAND_UNIFORM && to->count <= 1 && to->bits == 32 &&
               v->kind == OPERAND_REGISTER && v->bits == 32 &&
               v->count == (in->atomic == ATOMIC_CMPXCHG ? 2 : 1);
    } else if (in->id != AGX_WAIT) {
        fits = to->kind == OPERAND_REGISTER && to->count == values && to->bits <= 32 &&
               (in->format != FORMAT_I32 || to->bits == 32);
    }
    return fits ||
           isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "operands of %s", agx_ops[in->id].name);
}

static enum agx_id id_of(struct word name)
{
    uint32_t i = 0;
    while (i < AGX_IDS && !word_is(name, agx_ops[i].name))
        i++;
    return (enum agx_id)i;
}

// ---- lines -------------------------------------------------------------------

// Removes "  2a: 0e1198856c000000 " from a line. False: another line.
static bool take_place(struct word *t, uint32_t *at)
{
    static const char digits[] = "0123456789abcdef";
    struct word w = word_trimmed(*t);
    size_t n = strspn(w.s, digits);
    if (!n || n > 6 || n >= w.n || w.s[n] != ':')
        return false;
    *at = (uint32_t)strtoul(w.s, NULL, 16);
    w = word_trimmed(word_after(w, n + 1));
    n = w.n ? strspn(w.s, digits) : 0;
    if (n < 4 || n % 2 || n >= w.n || w.s[n] != ' ')
        return false;
    *t = word_trimmed(word_after(w, n));
    return true;
}

static bool read_line(struct reader *r, struct word t)
{
    struct agx_inst in = {.line = r->line, .target = NO_TARGET};
    if (!take_place(&t, &in.at))
        return true;
    if (!in.at) {
        if (r->sections == 2)
            return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "a third shader");
        r->starts[r->sections++] = (uint32_t)r->inst.n;
    }
    if (!r->sections)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "code without a start");
    if (r->inst.n == INSTRUCTIONS)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d instructions",
                          INSTRUCTIONS);
    size_t n = 0;
    while (n < t.n && t.s[n] != ' ')
        n++;
    const struct word name = {t.s, n};
    in.id = id_of(name);
    if (in.id == AGX_IDS)
        return refuse(r, "the operation", name);
    if (!read_alias(r, word_after(t, n), &in) || !check(r, &in))
        return false;
    *VEC_PUSH(r->a, &r->inst) = in;
    return true;
}

// Finds the instruction at which each jump of a section ends.
static bool find_targets(struct reader *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        struct agx_inst *in = &r->inst.v[i];
        if (in->id != AGX_JMP_ANY && in->id != AGX_JMP_NONE)
            continue;
        for (uint32_t k = from; k < to; k++)
            if (r->inst.v[k].at == in->at + in->number)
                in->target = k;
        if (in->target == NO_TARGET)
            return isa_refuse(r->why, RAN_UNSUPPORTED, in->line, "a jump to no instruction");
    }
    return true;
}

const struct isa_code *agx_read(struct arena *a, const char *text, struct isa_result *why)
{
    struct reader r = {.a = a, .why = why};
    struct word t;
    *why = (struct isa_result){0};
    while (text_line(&text, &t)) {
        r.line++;
        if (!read_line(&r, t))
            return NULL;
    }
    const uint32_t count = (uint32_t)r.inst.n;
    if (!count) {
        isa_refuse(why, RAN_UNSUPPORTED, 0, "no machine code");
        return NULL;
    }
    const uint32_t preamble = r.sections == 2 ? r.starts[1] : count;
    if (!find_targets(&r, 0, preamble) || !find_targets(&r, preamble, count))
        return NULL;
    struct agx_program *p = ARENA_NEW(a, struct agx_program);
    *p = (struct agx_program){{agx_run}, r.inst.v, count, preamble};
    return &p->code;
}
