// SPDX-License-Identifier: Apache-2.0
//
// Reads a line of ir3's code between passes, and names registers for results that have none yet.
//    0034:007:   (rpt1)op.types result, (kill)sssa_12:2 (wrmask=0x3), imm[0.0,2,0x2], rpt: first
#include "ir3_level.h"

#include <stdlib.h>

static bool take(struct word *t, const char *text)
{
    return text_take(&t->s, &t->n, text);
}

static void blanks_skip(struct word *t)
{
    while (t->n && (*t->s == ' ' || *t->s == '\t'))
        *t = after(*t, 1);
}

// Returns where `text` begins in *t, and ends *t there; NULL: nowhere.
static const char *end_at(struct word *t, const char *text)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i + n <= t->n; i++)
        if (memcmp(t->s + i, text, n) == 0) {
            t->n = i;
            return t->s + i;
        }
    return NULL;
}

static size_t digits(struct word t)
{
    size_t n = 0;
    while (n < t.n && t.s[n] >= '0' && t.s[n] <= '9')
        n++;
    return n;
}

static bool number_take(struct word *t, uint32_t *out)
{
    const size_t n = digits(*t);
    const bool ok = parse_u32(t->s, n, out);
    *t = after(*t, n);
    return ok;
}

// ---- operands --------------------------------------------------------------

static void flags_skip(struct word *t, struct ir3_value *v)
{
    static const char *const hints[] = {
        "(kill)", "(unused)", "(early_clobber)", "(tied)", "(last)", "(sat)", "@{", "@"};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
            more |= take(t, hints[i]);
        if (take(t, "(absneg)"))
            more = v->neg = v->abs = true;
        else if (take(t, "(neg)") || take(t, "!"))
            more = v->neg = true;
        else if (take(t, "(abs)"))
            more = v->abs = true;
        else if (take(t, "(r)"))
            more = v->steps = true;
        else if (take(t, "(dummy)"))
            more = v->dummy = true;
    }
}

// "(wrmask=0x7)" at the end: how many registers.
static bool mask_read(struct word *t, struct ir3_value *v)
{
    char text[16], *end;
    struct word left = *t;
    const char *at = end_at(&left, " (wrmask=");
    v->count = 1;
    if (!at)
        return true;
    const size_t from = (size_t)(at - t->s) + strlen(" (wrmask=");
    const size_t n = t->n - from;
    if (!n || n >= sizeof text || t->s[t->n - 1] != ')')
        return false;
    memcpy(text, t->s + from, n);
    text[n] = 0;
    const unsigned long mask = strtoul(text, &end, 16);
    *t = left;
    for (v->count = 0; mask >> v->count & 1;)
        v->count++;
    return *end == ')' && v->count && v->count <= 32 && !(mask >> v->count);
}

// "r48.x" as an index of registers.
static bool place_take(struct word *t, uint32_t *out)
{
    uint32_t n;
    if (!number_take(t, &n) || t->n < 2 || *t->s != '.' || n > 511)
        return false;
    const char *c = strchr("xyzw", t->s[1]);
    if (!c || !*c)
        return false;
    *out = 4 * n + (uint32_t)(c - strchr("xyzw", 'x'));
    *t = after(*t, 2);
    return true;
}

// "imm[0.000000,3,0x3]"
static bool immediate_read(struct word t, struct ir3_value *v)
{
    char text[16], *end;
    const char *at = NULL;
    for (size_t i = 0; i + 1 < t.n; i++)
        at = t.s[i] == '0' && t.s[i + 1] == 'x' ? t.s + i : at;
    const size_t n = at ? t.n - (size_t)(at - t.s) : 0;
    if (!n || n >= sizeof text)
        return false;
    memcpy(text, at, n);
    text[n] = 0;
    const unsigned long long number = strtoull(text, &end, 16);
    v->kind = VALUE_NUMBER;
    v->number = (uint32_t)number;
    return is(word_of(end), "]") && number <= UINT32_MAX;
}

// "ssa_12:4(r48.x)": the register in brackets is the result's own.
static bool result_read(struct word t, struct ir3_value *v)
{
    v->kind = VALUE_RESULT;
    if (!number_take(&t, &v->id) || (take(&t, ":") && !number_take(&t, &v->name)))
        return false;
    if (!t.n)
        return true;
    v->at = UINT32_MAX;
    return take(&t, "(") && (take(&t, "r") || take(&t, "p")) && place_take(&t, &v->at) &&
           is(t, ")");
}

static bool begins_name(struct word t)
{
    return begins(t, "ssa_") || begins(t, "imm[") || begins(t, "undef") || begins(t, "arr[") ||
           (t.n > 1 && strchr("rcp", *t.s) && t.s[1] >= '0' && t.s[1] <= '9');
}

static bool value_read(struct word t, struct ir3_value *v)
{
    *v = (struct ir3_value){.text = t, .at = UINT32_MAX};
    flags_skip(&t, v);
    if (t.n && t.s[t.n - 1] == '}')
        t.n--;
    if (!mask_read(&t, v))
        return false;
    for (; t.n && !begins_name(t); t = after(t, 1)) {
        if (*t.s == 'h')
            v->half = true;
        else if (*t.s == 'u')
            v->uniform = true;
        else if (*t.s == 's' || *t.s == 'p')
            v->file = *t.s == 's' ? FILE_SHARED : FILE_PREDICATE;
        else
            return false;
    }
    if (take(&t, "ssa_"))
        return result_read(t, v);
    if (begins(t, "imm["))
        return immediate_read(t, v);
    if (is(t, "undef")) {
        v->kind = VALUE_UNDEFINED;
        return true;
    }
    v->kind = VALUE_PLACE;
    v->constant = begins(t, "c");
    const bool predicate = begins(t, "p");
    if (predicate != (v->file == FILE_PREDICATE) || begins(t, "arr["))
        return false;
    t = after(t, 1);
    if (!place_take(&t, &v->at) || t.n)
        return false;
    if (!v->constant && !predicate && v->at == 63 * 4 && !v->dummy) // no register
        v->kind = VALUE_UNDEFINED;
    return true;
}

// ---- lines -----------------------------------------------------------------

static bool marks_read(struct level_reader *l, struct word *t, struct ir3_line *at)
{
    static const char *const without[] = {"(sy)",   "(ss)",   "(ul)",   "(needs_helpers)", "(eogm)",
                                          "(eolm)", "(nop1)", "(nop2)", "(nop3)",          "(eq)"};
    for (bool more = true; more && begins(*t, "(") && !begins(*t, "(null)");) {
        more = false;
        for (size_t i = 0; i < sizeof without / sizeof *without; i++)
            more |= take(t, without[i]);
        if (take(t, "(jp)"))
            more = at->joins = true;
        else if (take(t, "(sat)"))
            more = at->saturates = true;
        else if (take(t, "(rpt"))
            more = number_take(t, &at->repeat) && at->repeat < 8 && take(t, ")");
        if (!more)
            return word_refuse(l->r.why, at->line, "the mark", *t);
    }
    return true;
}

// Returns the number of destinations, which the text does not separate from sources.
static uint32_t destinations(const struct ir3_line *at)
{
    static const char *const none[] = {"stib", "stc",   "stl",   "br",  "brao", "braa", "ball",
                                       "bany", "predt", "predf", "end", "bar",  "fence"};
    if (begins(at->op, "_meta:parallel_copy"))
        return at->values / 2;
    if (begins(at->op, "swz."))
        return at->values / 2;
    if (begins(at->op, "scan_clusters.macro.")) // a reduction has one source less than a scan
        return (at->values + 1) / 2;
    if (begins(at->op, "resinfo.") && at->values == 1) // Mesa 25.0 prints no result
        return 0;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const size_t n = strlen(none[i]);
        if (begins(at->op, none[i]) && (at->op.n == n || at->op.s[n] == '.'))
            return 0;
    }
    return at->values > 0;
}

static bool operands_read(struct level_reader *l, struct word t, struct ir3_line *at)
{
    VEC(struct ir3_value) v = {0};
    for (blanks_skip(&t); t.n;) {
        size_t n = 0;
        for (int depth = 0; n < t.n && (depth > 0 || t.s[n] != ','); n++)
            depth += (t.s[n] == '[') - (t.s[n] == ']');
        struct word one = {t.s, n};
        t = after(t, n + (n < t.n));
        blanks_skip(&t);
        if (begins(one, "off=")) {
            if (!parse_u32(one.s + 4, one.n - 4, &at->off))
                return word_refuse(l->r.why, at->line, "the operand", one);
        } else if (is(one, "s#0")) {
            continue;
        } else if (begins(one, "t#")) {
            struct ir3_value texture = {.kind = VALUE_NUMBER, .text = one, .count = 1};
            if (!parse_u32(one.s + 2, one.n - 2, &texture.number))
                return word_refuse(l->r.why, at->line, "the operand", one);
            *VEC_PUSH(l->r.a, &v) = texture;
        } else if (!value_read(one, VEC_PUSH(l->r.a, &v))) {
            return word_refuse(l->r.why, at->line, "the operand", one);
        }
    }
    at->value = v.v;
    at->values = (uint32_t)v.n;
    at->dsts = destinations(at);
    return true;
}

bool ir3_level_line(struct level_reader *l, struct word t, uint32_t number)
{
    struct ir3_line at = {.line = number};
    struct word counts = t;
    // "0034:007:" and a tab: numbers of the instruction and its uses.
    if (!digits(counts) || !end_at(&counts, "\t"))
        return word_refuse(l->r.why, number, "the line", t);
    t = after(t, counts.n + 1);
    end_at(&t, ", false-deps:");
    end_at(&t, ", rpt: ");
    struct word left = t;
    const char *target = end_at(&left, " target=");
    if (target) {
        at.target = after(t, left.n + strlen(" target="));
        t = left;
        l->targets = true;
    }
    while (t.n && t.s[t.n - 1] == ' ')
        t.n--;
    if (!marks_read(l, &t, &at))
        return false;
    const char *blank = t.n ? memchr(t.s, ' ', t.n) : NULL;
    at.op = (struct word){t.s, blank ? (size_t)(blank - t.s) : t.n};
    t = after(t, at.op.n);
    blanks_skip(&t);
    if (t.n > 6 && strchr("ufs", t.s[1]) && begins(t, "(") && t.s[5] == '(' && t.s[4] == ')') {
        // "(u32)(xy)"
        const char *close = memchr(t.s, ')', t.n);
        const size_t types = close ? (size_t)(close - t.s) + 1 : 0;
        close = close ? memchr(close + 1, ')', t.n - types) : NULL;
        if (!close)
            return word_refuse(l->r.why, number, "the operands", t);
        at.about = (struct word){t.s, (size_t)(close - t.s) + 1};
        t = after(t, at.about.n);
    }
    if (!at.op.n || !operands_read(l, t, &at))
        return l->r.why->status ? false : word_refuse(l->r.why, number, "the line", t);
    *VEC_PUSH(l->r.a, &l->line) = at;
    return true;
}

// ---- results ---------------------------------------------------------------

static int by_id(const void *a, const void *b)
{
    const struct ir3_result *x = a, *y = b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1) : x->name < y->name ? -1 : x->name > y->name;
}

static bool is_move(const struct ir3_line *at)
{
    return is(at->op, "mov.u32u32") || is(at->op, "mov.u16u16") || is(at->op, "mov.s32s32");
}

static bool is_scan(const struct ir3_line *at)
{
    return begins(at->op, "scan_clusters.macro.");
}

static bool is_exclusive(const struct ir3_line *at)
{
    return at->values - at->dsts == 3;
}

bool ir3_level_results(struct level_reader *l)
{
    for (size_t i = 0; i < l->line.n; i++)
        for (uint32_t k = 0; k < l->line.v[i].dsts; k++) {
            const struct ir3_line *at = &l->line.v[i];
            struct ir3_value *v = &at->value[k];
            if (v->kind != VALUE_RESULT)
                continue;
            struct ir3_result x = {
                .id = v->id, .name = v->name, .at = v->at, .file = v->file, .half = v->half};
            x.count = v->count;
            x.allocated = v->at != UINT32_MAX;
            x.moves_number = is_move(at) && at->values == 2 && at->value[1].kind == VALUE_NUMBER;
            x.number = x.moves_number ? at->value[1].number : 0;
            if (v->at ==
                UINT32_MAX) { // three registers: of an argument, unused ones may be missing
                const uint32_t n = x.count < 4 ? 4 : x.count;
                x.at = l->next[v->file] * (v->half && v->file != FILE_PREDICATE ? 2 : 1);
                l->next[v->file] += v->file == FILE_PREDICATE ? 1 : n;
            }
            if (v->at != UINT32_MAX && v->file == FILE_SHARED) {
                if (v->at < IR3_OWN)
                    return word_refuse(l->r.why, at->line, "the shared register", v->text);
                x.at -= IR3_OWN;
            }
            x.hidden = is_scan(at) && k > 0 && k != (is_exclusive(at) ? 2u : 1u);
            *VEC_PUSH(l->r.a, &l->result) = x;
            v->at = x.at;
            v->assigned = true;
        }
    if (l->result.n)
        qsort(l->result.v, l->result.n, sizeof *l->result.v, by_id);
    return true;
}

const struct ir3_result *ir3_level_result(const struct level_reader *l, const struct ir3_value *v)
{
    size_t low = 0, high = l->result.n;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (l->result.v[mid].id < v->id)
            low = mid + 1;
        else
            high = mid;
    }
    const struct ir3_result *found = NULL;
    for (; low < l->result.n && l->result.v[low].id == v->id; low++) {
        const struct ir3_result *x = &l->result.v[low];
        if (x->name != v->name ||
            (!v->name && (x->hidden || x->file != v->file || x->half != v->half)))
            continue;
        if (found) // two with the same text
            return NULL;
        found = x;
    }
    return found;
}

bool ir3_level_number(const struct level_reader *l, const struct ir3_value *v, uint32_t *out)
{
    const struct ir3_result *x = v->kind == VALUE_RESULT ? ir3_level_result(l, v) : NULL;
    *out = v->kind == VALUE_NUMBER ? v->number : x ? x->number : 0;
    return v->kind == VALUE_NUMBER || (x && x->moves_number);
}

// ---- names of registers ----------------------------------------------------

static struct word named(struct level_reader *l, const struct ir3_value *v, enum ir3_file file,
                         uint32_t at, bool text)
{
    const char *signs = v->neg && v->abs ? "(absneg)" : v->neg ? "(neg)" : v->abs ? "(abs)" : "";
    const char *steps = v->steps ? "(r)" : "", *half = v->half ? "h" : "";
    if (file == FILE_PREDICATE)
        return word_of(
            arena_printf(l->r.a, "%s%s%%p%u", v->neg ? "!" : "", v->uniform ? "u" : "", at));
    if (text)
        return word_of(arena_printf(l->r.a, "%s%s%s%c%u.%c", steps, signs, half,
                                    v->constant ? 'c' : 'r', at / 4, "xyzw"[at % 4]));
    return word_of(arena_printf(l->r.a, "%s%s%s%%%c%u", steps, signs, half,
                                file == FILE_SHARED ? 's' : 'o', at));
}

bool ir3_level_word(struct level_reader *l, const struct ir3_line *at, const struct ir3_value *v,
                    uint32_t k, struct word *out)
{
    const struct ir3_result *x = NULL;
    switch (v->kind) {
    case VALUE_NUMBER:
        *out = word_of(arena_printf(l->r.a, v->half ? "h(0x%x)" : "0x%x", v->number));
        return !v->neg && !v->abs && k == 0;
    case VALUE_PLACE:
        *out = named(l, v, v->file, v->at + k, true);
        return true;
    case VALUE_RESULT:
        x = ir3_level_result(l, v);
        break;
    case VALUE_UNDEFINED:
        *out = ir3_level_new(l, v->file, v->half);
        return v->file != FILE_PREDICATE;
    }
    if (v->assigned) {
        *out = named(l, v, v->file, v->at + k, false);
        return true;
    }
    if (!x || k >= (x->count < 4 ? 4 : x->count) || v->half != x->half)
        return word_refuse(l->r.why, at->line, "the value", v->text);
    *out = named(l, v, x->file, x->at + k, false);
    return true;
}

struct word ir3_level_new(struct level_reader *l, enum ir3_file file, bool half)
{
    const struct ir3_value v = {.half = half};
    const uint32_t at = l->next[file]++;
    return named(l, &v, file, half && file != FILE_PREDICATE ? 2 * at : at, false);
}
