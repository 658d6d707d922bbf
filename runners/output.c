// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "output.h"

#include "backend.h"

#include <string.h>

// Keywords of the lines in which a library reports a fatal error.
static const struct {
    const char *word;
    bool from_here; // drop the start of the line, which depends on the case
    bool more;      // the next line may have the message
} words[] = {
    {"LLVM ERROR", false, false},
    {"Assertion ", false, false},
    {"assertion failed", false, false},
    {"terminate called", false, true},
    {"panicked at", false, true},
    {"validation failed", false, false},
    // Mesa prints it next to the shader instruction, then again followed by the rest of its stack.
    {"Unhandled ", true, false},
};
enum { WORDS = sizeof words / sizeof *words };

// Handles a complete line.
static void take_line(struct output_state *r)
{
    r->line[r->line_n] = 0;
    for (size_t n = r->line_n; n && (unsigned char)r->line[n - 1] <= ' '; n--)
        r->line[n - 1] = 0;
    r->line_n = 0;
    const size_t have = strlen(r->text), end = have ? have - 1 : 0;
    if (r->continued && (strncmp(r->line, "  what(): ", 10) == 0 || r->text[end] == ':'))
        snprintf(r->text + have, sizeof r->text - have, "\n%.*s", (int)(sizeof r->text - have - 2),
                 r->line);
    r->continued = false;
    const bool random_fill = text_mend(r->line);
    for (int k = 0; k < WORDS; k++) {
        const char *at = strstr(r->line, words[k].word);
        if (!at || (words[k].from_here && (random_fill || at[strlen(at) - 1] == ':')))
            continue;
        memmove(r->text, words[k].from_here ? at : r->line,
                strlen(words[k].from_here ? at : r->line) + 1);
        r->continued = words[k].more;
        break;
    }
}

static void add_byte(struct output_state *r, char byte)
{
    if (byte == '\n')
        take_line(r);
    else if (byte && r->line_n + 1 < sizeof r->line)
        r->line[r->line_n++] = byte;
}

void output_clear(struct output *s)
{
    s->n = 0;
    s->reason = (struct output_state){.line_n = 0};
}

void output_add(struct output *s, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_byte(&s->reason, text[i]);
    if (n > sizeof s->tail) {
        text += n - sizeof s->tail;
        n = sizeof s->tail;
    }
    const size_t keep = sizeof s->tail - n;
    if (s->n > keep) {
        memmove(s->tail, s->tail + (s->n - keep), keep);
        s->n = keep;
    }
    memcpy(s->tail + s->n, text, n);
    s->n += n;
}

bool run_names_error(const char *printed)
{
    struct output_state r = {.line_n = 0};
    for (const char *p = printed; *p; p++)
        add_byte(&r, *p);
    take_line(&r);
    return r.text[0];
}

// Returns the start of the first line that mentions an error; the size of the text if no line does.
static size_t error_line(const char *text, size_t n)
{
    for (size_t line = 0, end; line < n; line = end + 1) {
        for (end = line; end < n && text[end] != '\n'; end++)
            ;
        for (size_t i = line; i + 5 <= end; i++)
            if (strncasecmp(text + i, "error", 5) == 0 || strncasecmp(text + i, "fatal", 5) == 0)
                return line;
    }
    return n;
}

void output_reason(const struct output *s, char *out, size_t size)
{
    struct output_state last = s->reason;
    take_line(&last);
    if (last.text[0]) {
        one_line(out, size, last.text, strlen(last.text));
        return;
    }
    const size_t from = s->n < size ? s->n : error_line(s->tail, s->n);
    const char *end = from < s->n ? memchr(s->tail + from, '\n', s->n - from) : NULL;
    if (end)
        one_line(out, size, s->tail + from, (size_t)(end - s->tail) - from);
    else
        one_line(out, size, s->tail, s->n);
}
