// SPDX-License-Identifier: Apache-2.0
//
// Parses an operand: "r4..6", "-|ur3|", "!p0", "c[0x1][0x10]", "[r6..8+rZ+0x4]", "0x1f",
// "sr[0x21]".
#include "isa/isa_text.h"
#include "program.h"

#define is     text_is
#define begins text_starts

// Reads "12" or "12..14"; all numbers must be below `end`.
static bool range_read(const char *s, size_t n, uint32_t end, uint16_t *first, uint8_t *count)
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
    if (dots && (!parse_u32(dots + 2, n - k - 2, &b) || b <= a || b - a > 8))
        return false;
    if (a >= end || b > end)
        return false;
    *first = (uint16_t)a;
    *count = (uint8_t)(b - a);
    return true;
}

static bool register_read(const char *s, size_t n, struct nak_operand *out)
{
    static const struct {
        const char *name;
        enum nak_kind kind;
        uint32_t end;
    } files[] = {{"ur", OPERAND_UR, UNIFORMS - 1},
                 {"up", OPERAND_UP, PT},
                 {"r", OPERAND_R, REGISTERS - 1},
                 {"p", OPERAND_P, PT},
                 {"b", OPERAND_B, BARRIERS}};
    for (uint32_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const size_t k = strlen(files[i].name);
        if (begins(s, n, files[i].name) &&
            range_read(s + k, n - k, files[i].end, &out->reg, &out->count)) {
            out->kind = files[i].kind;
            return true;
        }
    }
    return false;
}

bool nak_predicate_read(const char *s, size_t n, struct nak_operand *out)
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
    return register_read(s, n, out) && (out->kind == OPERAND_P || out->kind == OPERAND_UP) &&
           out->count == 1;
}

// Reads "c[0x1][0x10]", "c[0x1][+0x10]" or "c[0x1][r2+0x10]".
static bool constant_read(const char *s, size_t n, struct nak_operand *out)
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
    out->reg = (uint16_t)buffer;
    out->index = NO_REGISTER;
    if (plus != at && (plus || *at == 'r' || *at == 'u')) {
        if (!register_read(at, (size_t)(first - at), &r) || r.count != 1 ||
            (r.kind != OPERAND_R && r.kind != OPERAND_UR))
            return false;
        out->index = r.reg;
        out->index_uniform = r.kind == OPERAND_UR;
        at = first;
    }
    at += plus != NULL;
    return at == end ? out->index != NO_REGISTER : parse_u32(at, (size_t)(end - at), &out->value);
}

// Reads "[r6..8.x4+ur2..4+0x10]"; each term is optional.
static bool address_read(const char *s, size_t n, struct nak_operand *out)
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
        } else if (register_read(at, k, &r) && r.kind == OPERAND_R && out->reg == NO_REGISTER &&
                   r.count <= 2) {
            out->reg = r.reg;
            out->count = r.count;
            out->shift = shift;
        } else if (r.kind == OPERAND_UR && out->index == NO_REGISTER && !shift && r.count <= 2) {
            out->index = r.reg;
            out->index_count = r.count;
        } else if (r.kind != OPERAND_NONE || out->value || !parse_u32(at, k, &out->value)) {
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
static bool value_read(const char *s, size_t n, struct nak_operand *out)
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
    return constant_read(s, n, out) ||
           (register_read(s, n, out) && (out->kind == OPERAND_R || out->kind == OPERAND_UR));
}

bool nak_operand_read(const char *s, size_t n, char type, struct nak_operand *out)
{
    *out = (struct nak_operand){.type = type};
    switch (type) {
    case 'p':
    case 'a':
    case 'k':
        if (!nak_predicate_read(s, n, out))
            return false;
        out->type = type;
        return true;
    case 'x':
        out->type = 'u';
        return n > 2 && *s == '[' && s[n - 1] == ']' && value_read(s + 1, n - 2, out);
    case 'S':
        return bracket_read(s, n, "sr[", out);
    case 't':
        return bracket_read(s, n, "LUT[", out) && out->value < 256;
    case 'i':
        out->kind = OPERAND_NUMBER;
        return parse_u32(s, n, &out->value) && out->value < 64;
    case 'A':
        return address_read(s, n, out);
    case 'C':
        return constant_read(s, n, out);
    case 'B':
        return register_read(s, n, out) && out->kind == OPERAND_B && out->count == 1;
    case 'G':
        return register_read(s, n, out) && out->count == 1 &&
               (out->kind == OPERAND_B || out->kind == OPERAND_R);
    default:
        return value_read(s, n, out);
    }
}
