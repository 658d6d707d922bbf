// SPDX-License-Identifier: Apache-2.0
//
// Words and lines of a text.
#ifndef TF_ISA_TEXT_H
#define TF_ISA_TEXT_H

#include "isa.h"

#include <string.h>

static inline bool text_is(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(s, word, n) == 0;
}

static inline bool text_starts(const char *s, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}

// Skips `word` if the text starts with it; else returns false.
static inline bool text_take(const char **s, size_t *n, const char *word)
{
    const size_t k = strlen(word);
    if (!text_starts(*s, *n, word))
        return false;
    *s += k;
    *n -= k;
    return true;
}

struct word {
    const char *s;
    size_t n;
};

static inline bool word_is(struct word t, const char *text)
{
    return text_is(t.s, t.n, text);
}

static inline bool word_starts(struct word t, const char *text)
{
    return text_starts(t.s, t.n, text);
}

static inline struct word word_after(struct word t, size_t n)
{
    return (struct word){t.s + n, t.n - n};
}

// Without blanks and tabs at its ends.
static inline struct word word_trimmed(struct word t)
{
    while (t.n && (*t.s == ' ' || *t.s == '\t'))
        t = word_after(t, 1);
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
        t.n--;
    return t;
}

// Reads the next line, without its newline, and advances *at. False at the end of the text.
static inline bool text_line(const char **at, struct word *out)
{
    *out = (struct word){*at, strcspn(*at, "\n")};
    const bool more = **at != 0;
    *at += out->n + ((*at)[out->n] == '\n');
    return more;
}

// Refuses "WHAT 'word'" as unsupported; returns false.
static inline bool word_refuse(struct isa_result *why, uint32_t line, const char *what,
                               struct word t)
{
    return isa_refuse(why, RAN_UNSUPPORTED, line, "%s '%.*s'", what, (int)(t.n < 80 ? t.n : 80),
                      t.s);
}

#endif
