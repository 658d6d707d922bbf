// SPDX-License-Identifier: Apache-2.0
//
// Parses an operand: "r4..6", "-|ur3|", "!p0", "c[0x1][0x10]", "[r6..8+rZ+0x4]", "0x1f",
// "sr[0x21]".
#include "isa/isa_text.h"
#include "program.h"

#define is     text_is
#define begins text_starts

enum { MOST = 8 }; // registers of an operand

// Reads "12" or "12..14"; all numbers must be below `end`.
static bool range_read(const char *s, size_t n, uint32_t end, uint32_t *first, uint8_t *count)
{
    uint32_t a, b;
    const char *dots = NULL;
    for (size_t i = 0; i + 1 < n && !dots; i++)
        if (s[i] == '.' && s[i + 1] == '.')
            dots = s + i;
    const size_t k = dots ? (size_t)(dots - s) : n;
    if (!parse_u32(s, k, &a))
        return false;
    b = a + 1;
    if (dots && (!parse_u32(dots + 2, n - k - 2, &b) || b <= a || b - a > MOST))
        return false;
    if (a >= end || b > end)
        return false;
    *first = a;
    *count = (uint8_t)(b - a);
    return true;
}

static const struct {
    const char *name;
    enum nak_kind kind;
    uint32_t end;
} files[NAK_FILES] = {
    [NAK_R] = {"r", OPERAND_R, REGISTERS - 1},
    [NAK_UR] = {"ur", OPERAND_UR, UNIFORMS - 1},
    [NAK_P] = {"p", OPERAND_P, PT},
    [NAK_UP] = {"up", OPERAND_UP, PT},
    [NAK_B] = {"b", OPERAND_B, BARRIERS},
};

// Returns the entry of a number in a growing array.
static uint32_t *entry(struct nak_files *f, uint32_t **v, uint32_t *size, uint32_t at)
{
    if (at >= *size) {
        const uint32_t more = at + at / 2 + 64;
        uint32_t *grown = ARENA_ARRAY(f->a, uint32_t, more);
        if (*size)
            memcpy(grown, *v, *size * sizeof **v);
        *v = grown;
        *size = more;
    }
    return &(*v)[at];
}

// The numbers of registers come first in each file, PT included.
static uint32_t added(struct nak_files *f, enum nak_file k)
{
    const uint32_t least = files[k].end + 1;
    f->size[k] = f->size[k] < least ? least : f->size[k];
    return f->size[k]++;
}

uint32_t nak_files_extra(struct nak_files *f, uint32_t k)
{
    if (k == UINT32_MAX)
        return added(f, NAK_R);
    if (k >= NAK_SSA_END)
        return UINT32_MAX;
    uint32_t *known = entry(f, &f->phi, &f->phis, k);
    return *known = *known ? *known : added(f, NAK_R);
}

// Reads "%r12", a value before register allocation.
static bool value_name(struct nak_files *f, const char *s, size_t n, uint32_t *file, uint32_t *reg)
{
    for (*file = 0; n > 1 && *s == '%' && *file < NAK_FILES; ++*file) {
        const size_t k = strlen(files[*file].name) + 1;
        uint32_t number;
        if (!begins(s + 1, n - 1, files[*file].name) || !parse_u32(s + k, n - k, &number))
            continue;
        if (number >= NAK_SSA_END)
            return false;
        uint32_t *known = entry(f, &f->number[*file], &f->numbers[*file], number);
        *known = *known ? *known : added(f, (enum nak_file) * file);
        *reg = *known;
        return true;
    }
    return false;
}

// Reads "{%r1 %r2}", values of one file.
static bool vector_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    uint32_t *list = ARENA_ARRAY(f->a, uint32_t, MOST), file = 0, first = 0;
    out->count = 0;
    for (const char *at = s + 1, *end = s + n - 1; at < end; out->count++) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        const size_t k = (size_t)((blank ? blank : end) - at);
        if (out->count == MOST || !value_name(f, at, k, &file, &list[out->count]) ||
            (out->count && file != first))
            return false;
        first = file;
        at += k + 1;
    }
    out->kind = files[first].kind;
    out->reg = list[0];
    out->list = list;
    return out->count > 0;
}

static bool register_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    uint32_t file;
    out->list = NULL;
    if (n > 2 && *s == '{' && s[n - 1] == '}')
        return vector_read(f, s, n, out);
    out->count = 1;
    if (value_name(f, s, n, &file, &out->reg)) {
        out->kind = files[file].kind;
        return true;
    }
    for (file = 0; file < NAK_FILES; file++) {
        const size_t k = strlen(files[file].name);
        if (!begins(s, n, files[file].name) ||
            !range_read(s + k, n - k, files[file].end, &out->reg, &out->count))
            continue;
        out->kind = files[file].kind;
        const uint32_t end = out->reg + out->count;
        f->size[file] = f->size[file] < end ? end : f->size[file];
        return true;
    }
    return false;
}

bool nak_predicate_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    *out = (struct nak_operand){.type = 'p', .count = 1};
    if (n && *s == '!') {
        out->neg = true;
        s++, n--;
    }
    if (is(s, n, "pT") || is(s, n, "pF")) {
        out->kind = OPERAND_P;
        out->reg = PT;
        out->neg ^= s[1] == 'F';
        return true;
    }
    return register_read(f, s, n, out) && (out->kind == OPERAND_P || out->kind == OPERAND_UP) &&
           out->count == 1;
}

// Reads "c[0x1][0x10]", "c[0x1][+0x10]" or "c[0x1][r2+0x10]".
static bool constant_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    uint32_t buffer;
    struct nak_operand r;
    const char *mid = memchr(s, ']', n), *end = s + n - 1;
    if (!begins(s, n, "c[") || !mid || mid + 2 >= end || mid[1] != '[' || *end != ']' ||
        !parse_u32(s + 2, (size_t)(mid - s) - 2, &buffer) || buffer > 31)
        return false;
    const char *at = mid + 2, *plus = memchr(at, '+', (size_t)(end - at));
    const char *first = plus ? plus : end;
    out->kind = OPERAND_C;
    out->reg = buffer;
    out->list = NULL;
    out->index = NO_REGISTER;
    if (plus != at && (plus || strchr("ru%", *at))) {
        if (!register_read(f, at, (size_t)(first - at), &r) || r.count != 1 ||
            (r.kind != OPERAND_R && r.kind != OPERAND_UR))
            return false;
        out->index = r.reg;
        out->index_uniform = r.kind == OPERAND_UR;
        at = first;
    }
    at += plus != NULL;
    return at == end ? out->index != NO_REGISTER : parse_u32(at, (size_t)(end - at), &out->value);
}

// Adds registers to an address, of one lane or of the warp. Machine code has at most one term of
// each kind; earlier code has any two.
static bool term_add(struct nak_operand *out, const struct nak_operand *r, uint8_t shift)
{
    const bool uniform = r->kind == OPERAND_UR, second = out->index == NO_REGISTER && !shift;
    if ((r->kind != OPERAND_R && !uniform) || r->count > 2)
        return false;
    if (second && (uniform || out->reg != NO_REGISTER)) {
        out->index = r->reg;
        out->index_count = r->count;
        out->index_list = r->list;
        out->index_uniform = uniform;
    } else if (out->reg == NO_REGISTER) {
        out->reg = r->reg;
        out->count = r->count;
        out->list = r->list;
        out->uniform = uniform;
        out->shift = shift;
    } else {
        return false;
    }
    return true;
}

// Reads "[r6..8.x4+ur2..4+0x10]"; each term is optional.
static bool address_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    if (n < 2 || s[0] != '[' || s[n - 1] != ']')
        return false;
    *out = (struct nak_operand){
        .kind = OPERAND_A, .type = 'A', .reg = NO_REGISTER, .index = NO_REGISTER};
    for (const char *at = s + 1, *end = s + n - 1; at < end;) {
        const char *plus = memchr(at, '+', (size_t)(end - at));
        size_t k = (size_t)((plus ? plus : end) - at);
        struct nak_operand r = {0};
        uint8_t shift = 0;
        static const struct {
            const char *name;
            uint8_t shift;
        } strides[] = {{".x4", 2}, {".x8", 3}, {".x16", 4}};
        for (uint32_t i = 0; i < 3; i++) {
            const size_t m = strlen(strides[i].name);
            if (k > m && begins(at + k - m, m, strides[i].name)) {
                shift = strides[i].shift;
                k -= m;
                break;
            }
        }
        if (is(at, k, "rZ")) {
        } else if (register_read(f, at, k, &r)) {
            if (!term_add(out, &r, shift))
                return false;
        } else if (out->value || !parse_u32(at, k, &out->value)) {
            return false;
        }
        at += k;
        at = plus ? plus + 1 : end;
    }
    return true;
}

// Reads the number in brackets: "sr[0x21]", "LUT[0xc0]", "[0x4440]".
static bool bracket_read(const char *s, size_t n, const char *name, struct nak_operand *out)
{
    const size_t k = strlen(name);
    out->kind = OPERAND_NUMBER;
    return begins(s, n, name) && n > k + 1 && s[n - 1] == ']' &&
           parse_u32(s + k, n - k - 1, &out->value);
}

// Reads a register, a number or a constant, with its modifiers.
static bool value_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    const bool real = strchr("fdh", out->type) != NULL, turned = strchr("nfdhb", out->type) != NULL;
    if (out->type == 'h' && n > 3 && (begins(s + n - 3, 3, ".xx") || begins(s + n - 3, 3, ".yy"))) {
        out->swizzle = s[n - 1] == 'x' ? 1 : 2;
        n -= 3;
    }
    if (n && turned && *s == (out->type == 'b' ? '!' : '-')) {
        out->neg = true;
        s++, n--;
    }
    if (real && n > 2 && *s == '|' && s[n - 1] == '|') {
        out->abs = true;
        s++, n -= 2;
    }
    out->count = 1;
    if (is(s, n, "rZ") || (n && *s >= '0' && *s <= '9')) {
        out->kind = OPERAND_NUMBER;
        return *s == 'r' || parse_u32(s, n, &out->value);
    }
    return constant_read(f, s, n, out) ||
           (register_read(f, s, n, out) && (out->kind == OPERAND_R || out->kind == OPERAND_UR));
}

// Reads a value of any file.
static bool any_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out)
{
    const bool found =
        nak_predicate_read(f, s, n, out) || (register_read(f, s, n, out) && out->kind == OPERAND_B);
    if (!found)
        *out = (struct nak_operand){.type = 'u'};
    if (!found && !value_read(f, s, n, out))
        return false;
    out->type = 'V';
    return out->count == 1;
}

bool nak_operand_read(struct nak_files *f, const char *s, size_t n, char type,
                      struct nak_operand *out)
{
    *out = (struct nak_operand){.type = type};
    switch (type) {
    case 'p':
    case 'a':
    case 'k':
        if (!nak_predicate_read(f, s, n, out))
            return false;
        out->type = type;
        return true;
    case 'x':
        out->type = 'u';
        return n > 2 && *s == '[' && s[n - 1] == ']' && value_read(f, s + 1, n - 2, out);
    case 'S':
        return bracket_read(s, n, "sr[", out);
    case 't':
        return bracket_read(s, n, "LUT[", out) && out->value < 256;
    case 'i':
        out->kind = OPERAND_NUMBER;
        return parse_u32(s, n, &out->value) && out->value < 64;
    case 'A':
        return address_read(f, s, n, out);
    case 'C':
        return constant_read(f, s, n, out);
    case 'B':
        return register_read(f, s, n, out) && out->kind == OPERAND_B && out->count == 1;
    case 'G':
        return register_read(f, s, n, out) && out->count == 1 &&
               (out->kind == OPERAND_B || out->kind == OPERAND_R);
    case 'V':
        return any_read(f, s, n, out);
    default:
        return value_read(f, s, n, out);
    }
}
