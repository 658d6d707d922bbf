// SPDX-License-Identifier: Apache-2.0
//
// Parses operands: registers, predicates, constants, numbers.
#include "ir3_program.h"
#include "isa/isa_text.h"

#include <stdlib.h>

static const char components[] = "xyzw";

#define skip text_take

// Parses "12.z" as 50.
static bool place_read(const char *s, size_t n, uint32_t *out)
{
    const char *dot = memchr(s, '.', n);
    const char *letter = dot && dot + 2 == s + n ? strchr(components, dot[1]) : NULL;
    if (!letter || !*letter || !parse_u32(s, (size_t)(dot - s), out) || *out > 511)
        return false;
    *out = *out * 4 + (uint32_t)(letter - components);
    return true;
}

static bool register_read(const char *s, size_t n, struct ir3_operand *out)
{
    const uint32_t own = IR3_OWN, shared = out->half ? 2 * IR3_SHARED : IR3_SHARED;
    uint32_t at;
    if (!place_read(s, n, &at))
        return false;
    if (at == 63 * 4 && !out->half) {
        out->kind = OPERAND_NONE;
        return true;
    }
    out->kind = at < own ? OPERAND_OWN : OPERAND_SHARED;
    out->reg = at < own ? at : at - own;
    return at < own || at - own < shared;
}

// "o200", "s64", "p5": registers of code that has none yet, by their index.
static bool virtual_read(const char *s, size_t n, struct ir3_operand *out)
{
    out->kind = *s == 'o'   ? OPERAND_OWN
                : *s == 's' ? OPERAND_SHARED
                : *s == 'p' ? OPERAND_PREDICATE
                            : OPERAND_NONE;
    return out->kind != OPERAND_NONE && parse_u32(s + 1, n - 1, &out->reg) &&
           out->reg < IR3_VIRTUAL;
}

static bool number_read(const char *s, size_t n, uint32_t *out)
{
    char digits[16], *end;
    const bool neg = n && *s == '-';
    s += neg;
    n -= neg;
    if (!n || n >= sizeof digits)
        return false;
    memcpy(digits, s, n);
    digits[n] = 0;
    if (digits[0] < '0' || digits[0] > '9')
        return false;
    const unsigned long long v = strtoull(digits, &end, n > 2 && digits[1] == 'x' ? 16 : 10);
    *out = neg ? 0 - (uint32_t)v : (uint32_t)v;
    return !*end && v <= UINT32_MAX;
}

bool ir3_operand_read(const char *s, size_t n, struct ir3_operand *out)
{
    *out = (struct ir3_operand){0};
    for (bool more = true; more;) {
        more = false;
        if (skip(&s, &n, "(last)"))
            more = true;
        else if (skip(&s, &n, "(r)"))
            more = out->steps = true;
        else if (skip(&s, &n, "(neg)") || skip(&s, &n, "(not)") || skip(&s, &n, "!"))
            more = out->neg = true;
        else if (skip(&s, &n, "(abs)"))
            more = out->abs = true;
        else if (skip(&s, &n, "(absneg)"))
            more = out->abs = out->neg = true;
    }
    if (skip(&s, &n, "h(")) {
        out->half = true;
        out->kind = OPERAND_NUMBER;
        return n && s[n - 1] == ')' && number_read(s, n - 1, &out->value);
    }
    out->half = skip(&s, &n, "h");
    if (n > 3 && skip(&s, &n, "up0.")) {
        out->uniform = true;
        s -= 3;
        n += 3;
    }
    if (n == 4 && skip(&s, &n, "p0.")) {
        const char *letter = strchr(components, *s);
        out->kind = OPERAND_PREDICATE;
        out->reg = letter ? (uint32_t)(letter - components) : 0;
        out->half = false;
        return letter && *letter;
    }
    if (n > 3 && s[0] == 'u' && s[1] == '%' && s[2] == 'p') {
        out->uniform = true;
        s++;
        n--;
    }
    if (n > 2 && *s == '%')
        return virtual_read(s + 1, n - 1, out);
    if (n && *s == 'r')
        return register_read(s + 1, n - 1, out);
    if (n && *s == 'c') {
        out->kind = OPERAND_CONSTANT;
        return place_read(s + 1, n - 1, &out->reg) && out->reg < IR3_CONSTANTS;
    }
    out->kind = OPERAND_NUMBER;
    return !out->half && number_read(s, n, &out->value);
}
