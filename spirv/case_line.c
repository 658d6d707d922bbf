// SPDX-License-Identifier: Apache-2.0
//
// Splits one line of a case or memory file. Input: its bytes. Output: its tokens and numbers, or a
// message "path:line: what was found, what was expected".
#include "case_inner.h"

#include <string.h>

bool line_bad(const struct line *l, const char *fmt, ...)
{
    char msg[800];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_set(l->e, "%s:%zu: %s", l->path, l->number, msg);
}

const char *line_shown(const struct line *l, struct token t)
{
    if (t.n == 0)
        return "the end of the line";
    size_t n = t.n > 40 ? 40 : t.n;
    char *s = arena_printf(l->arena, "\"%.*s%s\"", (int)n, t.s, n < t.n ? "..." : "");
    for (char *p = s; *p; p++)
        if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
            *p = '?';
    return s;
}

const char *line_start(struct line *l, const char *text, const char *end)
{
    const char *nl = memchr(text, '\n', (size_t)(end - text));
    l->number++;
    l->p = text;
    l->end = nl ? nl : end;
    return nl ? nl + 1 : end;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct token line_token(struct line *l)
{
    while (l->p < l->end && is_blank(*l->p))
        l->p++;
    struct token t = {l->p, 0};
    while (l->p < l->end && !is_blank(*l->p))
        l->p++;
    t.n = (size_t)(l->p - t.s);
    return t;
}

bool token_is(struct token t, const char *s)
{
    return t.n == strlen(s) && memcmp(t.s, s, t.n) == 0;
}

bool line_u64(struct line *l, const char *what, uint64_t low, uint64_t high, uint64_t *out)
{
    struct token t = line_token(l);
    if (!parse_u64(t.s, t.n, out) || *out < low || *out > high)
        return line_bad(l, "%s is %s, a number from %llu to %llu was expected", what,
                        line_shown(l, t), (unsigned long long)low, (unsigned long long)high);
    return true;
}

bool line_u32(struct line *l, const char *what, uint32_t low, uint32_t high, uint32_t *out)
{
    uint64_t v;
    if (!line_u64(l, what, low, high, &v))
        return false;
    *out = (uint32_t)v;
    return true;
}

bool line_place(struct line *l, uint32_t *set, uint32_t *binding)
{
    struct token t = line_token(l);
    const char *colon = t.n ? memchr(t.s, ':', t.n) : NULL;
    if (!colon || !parse_u32(t.s, (size_t)(colon - t.s), set) ||
        !parse_u32(colon + 1, (size_t)(t.s + t.n - colon - 1), binding))
        return line_bad(l, "%s, SET:BINDING such as 0:1 was expected", line_shown(l, t));
    const bool addresses = *set == SPV_ADDRESS_SET && *binding == 0;
    if ((*set >= CASE_SET_LIMIT && !addresses) || *binding >= CASE_BINDING_LIMIT)
        return line_bad(l, "%s, a set below %d and a binding below %d were expected",
                        line_shown(l, t), CASE_SET_LIMIT, CASE_BINDING_LIMIT);
    return true;
}

bool line_end(struct line *l)
{
    struct token t = line_token(l);
    return t.n == 0 || line_bad(l, "%s, the end of the line was expected", line_shown(l, t));
}

static bool is_hex(struct token t)
{
    return t.n > 2 && t.s[0] == '0' && (t.s[1] | 32) == 'x';
}

bool line_words(struct line *l, uint32_t max, uint32_t **words, uint32_t *count, bool *hex)
{
    struct words v = {0};
    *hex = false;
    for (struct token t; (t = line_token(l)).n;) {
        if (v.n == max)
            return line_bad(l, "more than %u words", max);
        if (!parse_u32(t.s, t.n, VEC_PUSH(l->arena, &v)))
            return line_bad(l, "word %zu is %s, a 32-bit number was expected", v.n - 1,
                            line_shown(l, t));
        *hex |= is_hex(t);
    }
    if (v.n == 0)
        return line_bad(l, "no words, at least one was expected");
    *words = v.v;
    *count = (uint32_t)v.n;
    return true;
}

// Parses one word of expected memory: NUMBER, ?, VALUE/MASK.
static bool memory_word(struct line *l, struct token t, size_t at, uint32_t *word, uint32_t *mask)
{
    const char *slash = memchr(t.s, '/', t.n);
    *mask = UINT32_MAX;
    if (token_is(t, "?"))
        *word = *mask = 0;
    else if (!slash && !parse_u32(t.s, t.n, word))
        return line_bad(l, "word %zu is %s, a 32-bit number, ? or VALUE/MASK was expected", at,
                        line_shown(l, t));
    else if (slash && (!parse_u32(t.s, (size_t)(slash - t.s), word) ||
                       !parse_u32(slash + 1, (size_t)(t.s + t.n - slash - 1), mask)))
        return line_bad(l, "word %zu is %s, VALUE/MASK of two 32-bit numbers was expected", at,
                        line_shown(l, t));
    if (*word & ~*mask)
        return line_bad(l, "word %zu is %s, a value with bits only inside its mask was expected",
                        at, line_shown(l, t));
    return true;
}

bool line_memory(struct line *l, struct spv_memory *out)
{
    struct spv_memory m = {0};
    if (!line_place(l, &m.set, &m.binding))
        return false;
    struct token type = line_token(l);
    if (!token_is(type, "u32"))
        return line_bad(l, "%s, \"u32\" was expected", line_shown(l, type));
    struct words words = {0}, masks = {0};
    bool all = true;
    for (struct token t; (t = line_token(l)).n;) {
        if (words.n == SPV_CASE_BUFFER_WORDS)
            return line_bad(l, "more than %d words", SPV_CASE_BUFFER_WORDS);
        size_t at = words.n;
        uint32_t *mask = VEC_PUSH(l->arena, &masks), *word = VEC_PUSH(l->arena, &words);
        if (!memory_word(l, t, at, word, mask))
            return false;
        all &= *mask == UINT32_MAX;
        m.hex |= is_hex(t) && !memchr(t.s, '/', t.n);
    }
    if (words.n == 0)
        return line_bad(l, "no words, at least one was expected");
    m.count = (uint32_t)words.n;
    m.words = words.v;
    m.mask = all ? NULL : masks.v;
    *out = m;
    return true;
}

static void print_word(struct text *out, uint32_t word, bool hex)
{
    text_addn(out, " ", 1);
    if (hex && word >= 10)
        text_hex(out, word);
    else
        text_u32(out, word);
}

void print_words(struct text *out, const uint32_t *words, uint32_t count, bool hex)
{
    for (uint32_t i = 0; i < count; i++)
        print_word(out, words[i], hex);
}

void print_memory(struct text *out, const struct spv_memory *m)
{
    text_add(out, "%u:%u u32", m->set, m->binding);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t mask = m->mask ? m->mask[i] : UINT32_MAX;
        if (mask == UINT32_MAX) {
            print_word(out, m->words[i], m->hex);
        } else if (mask == 0) {
            text_addn(out, " ?", 2);
        } else {
            text_addn(out, " ", 1);
            text_hex(out, m->words[i] & mask);
            text_addn(out, "/", 1);
            text_hex(out, mask);
        }
    }
    text_addn(out, "\n", 1);
}
