// SPDX-License-Identifier: Apache-2.0
//
// Reads a line of ACO's code: definitions, the operation, operands. What follows them is left to
// the operation.
//    v1: %11:v[0],  s1: %7:scc = op (is16bit)%24:v[0], 0x1f,  s1: undef offen storage:buffer
#include "aco_reader.h"

// ---- registers -------------------------------------------------------------

static bool special_read(struct word t, struct aco_value *out)
{
    static const struct {
        const char *name;
        uint16_t reg;
        uint8_t bytes;
    } named[] = {
        {"vcc", REG_VCC, 0},   {"vcc_lo", REG_VCC, 4},   {"vcc_hi", REG_VCC + 1, 4},
        {"exec", REG_EXEC, 0}, {"exec_lo", REG_EXEC, 4}, {"exec_hi", REG_EXEC + 1, 4},
        {"m0", REG_M0, 4},     {"null", REG_NULL, 4},    {"scc", REG_SCC, 4},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (word_is(t, named[i].name)) {
            out->reg = named[i].reg;
            out->bytes = named[i].bytes;
            return true; // 0: a mask; aco_sizes
        }
    return false;
}

// Reads "4", "4-7" or "16:32" between brackets; `t` begins with '['. *t becomes what follows.
static bool range_read(struct word *t, char between, uint32_t *first, uint32_t *last)
{
    const char *close = t->n && *t->s == '[' ? memchr(t->s, ']', t->n) : NULL;
    if (!close)
        return false;
    const char *from = t->s + 1, *mid = memchr(from, between, (size_t)(close - from));
    const bool ok = parse_u32(from, (size_t)((mid ? mid : close) - from), first) &&
                    (!mid || parse_u32(mid + 1, (size_t)(close - mid) - 1, last));
    if (!mid)
        *last = *first;
    *t = word_after(*t, (size_t)(close - t->s) + 1);
    return ok;
}

// "v[4-7]", "s[2]", "v[7][16:32]", "vcc_lo"
static bool register_read(struct word t, struct aco_value *out)
{
    uint32_t first, last, low, high;
    out->fixed = true;
    if (special_read(t, out))
        return true;
    if (t.n < 4 || (*t.s != 'v' && *t.s != 's'))
        return false;
    out->vector = *t.s == 'v';
    t = word_after(t, 1);
    if (!range_read(&t, '-', &first, &last) || last < first || last - first > 31 ||
        last >= (out->vector ? REG_VECTORS : REG_SCALARS))
        return false;
    out->reg = (uint16_t)first;
    out->bytes = 4 * (last - first + 1);
    if (!t.n)
        return true;
    if (!range_read(&t, ':', &low, &high) || t.n || low % 8 || high % 8 || high <= low ||
        high > 8 * out->bytes)
        return false;
    out->byte = (uint8_t)(low / 8);
    out->bytes = (high - low) / 8;
    return out->byte < 4;
}

// "%12" or "%12:v[3]"
static bool temporary_read(struct word t, struct aco_value *out)
{
    const char *colon = memchr(t.s, ':', t.n);
    const size_t n = colon ? (size_t)(colon - t.s) : t.n;
    return t.n > 1 && *t.s == '%' && parse_u32(t.s + 1, n - 1, &out->id) && out->id < ACO_TEMPS &&
           (!colon ? out->id != 0 : register_read(word_after(t, n + 1), out));
}

// ---- operands --------------------------------------------------------------

static bool take(struct word *t, const char *text)
{
    return text_take(&t->s, &t->n, text);
}

// "v1: ", "s2: ", "lv1: ", "v2b: ": the class of a temporary.
static bool class_read(struct word *t, struct aco_value *out)
{
    struct word left = *t;
    uint32_t size;
    out->linear = take(&left, "lv");
    out->vector = out->linear || take(&left, "v");
    if (!out->vector && !take(&left, "s"))
        return false;
    size_t n = 0;
    while (n < left.n && left.s[n] >= '0' && left.s[n] <= '9')
        n++;
    if (!parse_u32(left.s, n, &size) || !size || size > 128)
        return false;
    left = word_after(left, n);
    out->bytes = take(&left, "b: ") ? size : take(&left, ": ") ? 4 * size : 0;
    *t = left;
    return out->bytes != 0;
}

// Marks of values that do not change what an operation computes.
static void hints_skip(struct word *t)
{
    static const char *const hints[] = {
        "(is16bit)",       "(is24bit)",        "(kill)",
        "(lateKill)",      "(latekill)",       "(nuw)",
        "(noCSE)",         "(precise)",        "(SzPreserve)",
        "(InfPreserve)",   "(NaNPreserve)",    "(SzInfPreserve)",
        "(SzNaNPreserve)", "(InfNaNPreserve)", "(SzInfNaNPreserve)",
    };
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
            more |= take(t, hints[i]);
    }
}

// Ends `t` before `text`, if it ends with it.
static bool drop(struct word *t, const char *text)
{
    const size_t n = strlen(text);
    const bool yes = t->n >= n && memcmp(t->s + t->n - n, text, n) == 0;
    t->n -= yes ? n : 0;
    return yes;
}

static void packed_read(struct word *t, struct aco_value *out)
{
    if (drop(t, "*[1,-1]"))
        out->neg_hi = 1;
    if (drop(t, "*[-1,1]"))
        out->neg_lo = 1;
    static const char *const halves[] = {".xx", ".xy", ".yx", ".yy"};
    for (uint8_t i = 0; i < 4; i++)
        if (drop(t, halves[i])) {
            out->swizzle_lo = i >> 1;
            out->swizzle_hi = !(i & 1);
        }
}

static bool operand_read(struct word t, struct aco_value *out)
{
    *out = (struct aco_value){0};
    if (t.n > 4 && memchr(t.s, ' ', t.n)) {
        out->kind = VALUE_UNDEFINED;
        return class_read(&t, out) && word_is(t, "undef");
    }
    const bool around = t.n > 5 && word_starts(t, "neg(");
    if (around) {
        t = word_after(t, 4);
        out->neg = drop(&t, ")");
    } else if (t.n > 1 && *t.s == '-' && (t.s[1] < '0' || t.s[1] > '9')) {
        t = word_after(t, 1);
        out->neg = true;
    }
    packed_read(&t, out);
    if (t.n > 2 && *t.s == '|' && drop(&t, "|"))
        out->abs = take(&t, "|");
    if (take(&t, "hi("))
        out->high = drop(&t, ")");
    else if (take(&t, "lo("))
        out->low = drop(&t, ")");
    hints_skip(&t);
    if (t.n && *t.s == '%') {
        out->kind = VALUE_REGISTER;
        return temporary_read(t, out);
    }
    out->kind = VALUE_NUMBER;
    out->text = t;
    return t.n && ((*t.s >= '0' && *t.s <= '9') || *t.s == '-');
}

// Does an operand begin here? Else a mark of the operation does.
static bool is_operand(struct word t)
{
    struct aco_value v;
    struct word left = t;
    if (class_read(&left, &v))
        return word_starts(left, "undef");
    return t.n && (strchr("%(|0123456789", *t.s) || (*t.s == '-' && t.n > 1) ||
                   word_starts(t, "neg(") || word_starts(t, "hi(") || word_starts(t, "lo("));
}

// Operands that must lie in neighbouring registers stand together in brackets, "(%1, %2)", which
// do not change what is computed.
static void brackets_drop(struct word *t)
{
    int depth = 0;
    if (t->n > 1 && *t->s == '(' && (t->s[1] == '%' || t->s[1] == '('))
        *t = word_after(*t, 1);
    for (size_t i = 0; i < t->n; i++)
        depth += (t->s[i] == '(') - (t->s[i] == ')');
    if (depth < 0)
        drop(t, ")");
}

// Returns the length of the operand at the start of `t`.
static size_t operand_length(struct word t)
{
    struct aco_value v;
    struct word left = t;
    size_t n = 0;
    if (class_read(&left, &v))
        return (size_t)(left.s - t.s) + strlen("undef");
    const bool group = t.n > 1 && *t.s == '(' && (t.s[1] == '%' || t.s[1] == '(');
    for (int depth = -group; n < t.n && (depth > 0 || (t.s[n] != ',' && t.s[n] != ' ')); n++)
        depth += (t.s[n] == '(' || t.s[n] == '[') - (t.s[n] == ')' || t.s[n] == ']');
    return n;
}

static void blanks_skip(struct word *t)
{
    while (t->n && *t->s == ' ')
        *t = word_after(*t, 1);
}

// ---- lines -----------------------------------------------------------------

static bool definitions_read(struct aco_reader *r, struct word t, struct aco_line *l)
{
    VEC(struct aco_value) v = {0};
    while (t.n) {
        struct aco_value *d = VEC_PUSH(r->a, &v);
        *d = (struct aco_value){0};
        blanks_skip(&t);
        const char *comma = memchr(t.s, ',', t.n);
        struct word one = {t.s, comma ? (size_t)(comma - t.s) : t.n};
        const struct word whole = one;
        t = word_after(t, one.n + (comma != NULL));
        if (!class_read(&one, d))
            return word_refuse(r->why, l->line, "the definition", whole);
        const uint32_t bytes = d->bytes;
        const bool vector = d->vector;
        hints_skip(&one);
        if (!temporary_read(one, d) || (d->fixed && d->vector != vector) ||
            (d->fixed && d->bytes && d->bytes != bytes && d->reg < REG_SCALARS &&
             d->reg != REG_NULL))
            return word_refuse(r->why, l->line, "the definition", whole);
        d->bytes = bytes;
    }
    l->def = v.v;
    l->defs = (uint32_t)v.n;
    return true;
}

static bool operands_read(struct aco_reader *r, struct word t, struct aco_line *l)
{
    VEC(struct aco_value) v = {0};
    for (blanks_skip(&t); is_operand(t);) {
        struct word one = {t.s, operand_length(t)};
        if (one.n > t.n)
            return word_refuse(r->why, l->line, "the operand", t);
        const struct word whole = one;
        brackets_drop(&one);
        if (!operand_read(one, VEC_PUSH(r->a, &v)))
            return word_refuse(r->why, l->line, "the operand", whole);
        one = whole;
        t = word_after(t, one.n);
        if (!t.n || *t.s != ',')
            break;
        t = word_after(t, 1);
        blanks_skip(&t);
    }
    blanks_skip(&t);
    l->src = v.v;
    l->srcs = (uint32_t)v.n;
    l->rest = t;
    return true;
}

bool aco_line_read(struct aco_reader *r, struct word t, uint32_t number)
{
    struct aco_line l = {.line = number};
    struct word defs = {t.s, 0};
    for (size_t i = 0; i + 3 <= t.n; i++)
        if (memcmp(t.s + i, " = ", 3) == 0) {
            defs.n = i;
            t = word_after(t, i + 3);
            break;
        }
    const char *blank = memchr(t.s, ' ', t.n);
    l.op = (struct word){t.s, blank ? (size_t)(blank - t.s) : t.n};
    if (!l.op.n)
        return word_refuse(r->why, number, "the line", t);
    if (!definitions_read(r, defs, &l) || !operands_read(r, word_after(t, l.op.n), &l))
        return false;
    *VEC_PUSH(r->a, &r->line) = l;
    return true;
}

// ---- sizes -----------------------------------------------------------------

static bool temp_new(struct aco_reader *r, const struct aco_line *l, const struct aco_value *d)
{
    struct aco_temp *t = &r->temp[d->id];
    const uint32_t words = (d->bytes + 3) / 4;
    uint32_t *end = d->vector ? &r->p->vectors : &r->p->scalars;
    if (t->known)
        return isa_refuse(r->why, RAN_UNSUPPORTED, l->line, "a second definition of %%%u", d->id);
    if (*end + words > UINT16_MAX)
        return isa_refuse(r->why, RAN_UNSUPPORTED, l->line, "more than %d registers", UINT16_MAX);
    *t = (struct aco_temp){true, d->vector, d->linear, (uint16_t)*end, d->bytes};
    *end += words;
    return true;
}

bool aco_sizes(struct aco_reader *r)
{
    for (size_t i = 0; r->temporary && i < r->line.n; i++)
        for (uint32_t k = 0; k < r->line.v[i].defs; k++)
            if (r->line.v[i].def[k].id && !temp_new(r, &r->line.v[i], &r->line.v[i].def[k]))
                return false;
    for (size_t i = 0; i < r->line.n; i++)
        for (uint32_t k = 0; k < r->line.v[i].srcs; k++) {
            struct aco_value *v = &r->line.v[i].src[k];
            if (v->kind == VALUE_REGISTER && v->fixed && !v->bytes)
                v->bytes = r->p->wave / 8;
            if (!r->temporary || v->kind != VALUE_REGISTER || !v->id)
                continue;
            if (!r->temp[v->id].known)
                return isa_refuse(r->why, RAN_UNSUPPORTED, r->line.v[i].line,
                                  "%%%u, which has no definition", v->id);
            v->bytes = r->temp[v->id].bytes;
            v->vector = r->temp[v->id].vector;
        }
    return true;
}
