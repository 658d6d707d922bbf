// SPDX-License-Identifier: Apache-2.0
//
// Growing text, UTF-8, shell quoting, and parsing and printing numbers.
#include "base.h"

#include <string.h>

static char *text_room(struct text *t, size_t more)
{
    if (t->cap - t->n < more + 1) {
        size_t cap = t->cap ? t->cap * 2 : 256;
#ifdef TANGLEFUZZ_TINY
        cap = t->cap + 1;
#endif
        if (cap < t->n + more + 1)
            cap = t->n + more + 1;
        char *v = arena_alloc(t->arena, cap);
        if (t->n)
            memcpy(v, t->v, t->n);
        t->v = v;
        t->cap = cap;
    }
    return t->v + t->n;
}

void text_addn(struct text *t, const char *s, size_t n)
{
    char *p = text_room(t, n);
    if (n)
        memcpy(p, s, n);
    p[n] = 0;
    t->n += n;
}

void text_add(struct text *t, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    char *p = text_room(t, 0);
    size_t room = t->cap - t->n;
    int n = vsnprintf(p, room, fmt, args);
    va_end(args);
    CHECK(n >= 0);
    if ((size_t)n >= room)
        vsnprintf(text_room(t, (size_t)n), (size_t)n + 1, fmt, again);
    va_end(again);
    t->n += (size_t)n;
}

void text_u32(struct text *t, uint32_t value)
{
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    text_addn(t, digits + at, sizeof digits - at);
}

void text_hex(struct text *t, uint64_t value)
{
    char digits[18];
    size_t at = sizeof digits;
    do
        digits[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    digits[--at] = 'x';
    digits[--at] = '0';
    text_addn(t, digits + at, sizeof digits - at);
}

bool parse_u64(const char *s, size_t n, uint64_t *out)
{
    unsigned base = 10;
    if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
        n -= 2;
    }
    if (n == 0)
        return false;
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        unsigned d;
        if (c >= '0' && c <= '9')
            d = (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            d = (unsigned)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            d = (unsigned)(c - 'A') + 10;
        else
            return false;
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *out = v;
    return true;
}

bool parse_u32(const char *s, size_t n, uint32_t *out)
{
    uint64_t v;
    if (!parse_u64(s, n, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

// Decodes the code point at s into *code. Returns its length in bytes; 0: invalid UTF-8.
static size_t utf8_at(const unsigned char *s, uint32_t *code)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        if (s[k] >> 6 != 2)
            return 0;
        *code = *code << 6 | (s[k] & 0x3fu);
    }
    bool whole = n && *code >= least[n] && *code <= 0x10ffff && *code >> 11 != 0x1b;
    return whole ? n : 0;
}

bool text_mend(char *s)
{
    bool any = false;
    uint32_t code;
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_at((const unsigned char *)s, &code);
        any |= n == 0;
        if (!n)
            *s = '?';
    }
    return any;
}

static bool may_be_shown(uint32_t code)
{
    bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return !control && !turns;
}

const char *text_printable(struct arena *a, const char *s)
{
    struct text t = {.arena = a};
    const unsigned char *p = (const unsigned char *)s;
    size_t kept = 0; // bytes of s already copied to `t`; 0 while nothing was escaped
    uint32_t code;
    for (size_t at = 0; p[at];) {
        size_t n = utf8_at(p + at, &code);
        if (n && may_be_shown(code)) {
            at += n;
            continue;
        }
        text_addn(&t, s + kept, at - kept);
        text_add(&t, n && code >= 0x7f ? "\\u%04x" : "\\x%02x", n ? code : p[at]);
        kept = at += n ? n : 1;
    }
    if (!kept)
        return s;
    text_add(&t, "%s", s + kept);
    return t.v;
}

void text_xml(struct text *t, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<':
            text_add(t, "&lt;");
            break;
        case '>':
            text_add(t, "&gt;");
            break;
        case '&':
            text_add(t, "&amp;");
            break;
        case '"':
            text_add(t, "&quot;");
            break;
        default:
            if ((unsigned char)*s >= 0x20 || *s == '\n' || *s == '\t')
                text_addn(t, s, 1);
        }
}

void text_quote(struct text *t, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_@%+=:,./-";
    if (word[0] && !word[strspn(word, plain)]) {
        text_add(t, "%s", word);
        return;
    }
    text_addn(t, "'", 1);
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
        text_add(t, "%.*s'\\''", (int)(quote - word), word);
    text_add(t, "%s'", word);
}

const char *shell_quote(struct arena *a, const char *word)
{
    struct text t = {.arena = a};
    text_quote(&t, word);
    return t.v;
}

// ---- hints -----------------------------------------------------------------------

enum { NEAR_MAX = 32 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Returns the Levenshtein distance of two short strings.
static unsigned distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NEAR_MAX || m > NEAR_MAX)
        return NEAR_MAX;
    unsigned row[NEAR_MAX + 1];
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned before = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned change = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

const char *text_nearest(const char *typed, const char *const *names, size_t n)
{
    const char *best = NULL;
    unsigned least_far = strlen(typed) > 3 ? 3 : 2;
    for (size_t i = 0; i < n; i++) {
        unsigned d = distance(typed, names[i]);
        if (d < least_far) {
            least_far = d;
            best = names[i];
        }
    }
    return best;
}
