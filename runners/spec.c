// SPDX-License-Identifier: Apache-2.0
//
// The only parser of target specs: text to stages and options, and back. Printing and re-parsing a
// spec yields the same stages.
#include "backend.h"

#include <string.h>

// Returns the next "|" outside quotes, else the end of the text.
static const char *stage_end(const char *s)
{
    char quote = 0;
    for (; *s && (quote || *s != '|'); s++)
        if (quote ? *s == quote : *s == '\'' || *s == '"')
            quote = quote ? 0 : *s;
    return s;
}

// ---- options -------------------------------------------------------------------------

struct options {
    struct run_option *v;
    size_t n, cap;
};

// Adds a word or KEY=VALUE. A word that begins with '-' is a flag, including its value.
static void add_option(struct arena *a, struct options *out, const char *text)
{
    const size_t key = text[0] == '-' ? 0 : strcspn(text, "=<(");
    struct run_option *o = VEC_PUSH(a, out);
    *o = key && text[key] == '=' ? (struct run_option){arena_strn(a, text, key), text + key + 1}
                                 : (struct run_option){"", text};
}

static void read_list(struct arena *a, const char *s, struct options *out)
{
    while (*s) {
        char *word = arena_alloc(a, strlen(s) + 1), *o = word;
        for (; *s && *s != ','; *o++ = *s++)
            if (s[0] == '\\' && s[1] == ',')
                s++;
        add_option(a, out, word);
        if (*s && !*++s)
            add_option(a, out, ""); // after a trailing comma
    }
}

const char *run_pipeline_part(const char **rest, size_t *n)
{
    const char *part = *rest, *at = part;
    int depth = 0;
    for (; *at && (depth || *at != ','); at++)
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
    *n = (size_t)(at - part);
    *rest = *at ? at + 1 : at;
    return *part ? part : NULL;
}

// A word after `passes=...` belongs to its value.
static void read_pipeline(struct arena *a, const char *s, struct options *out)
{
    size_t n;
    for (const char *part; (part = run_pipeline_part(&s, &n));) {
        add_option(a, out, arena_strn(a, part, n));
        const struct run_option *last = &out->v[out->n - 1];
        for (size_t i = 0; i + 1 < out->n && !last->key[0] && last->value[0]; i++) {
            struct run_option *o = &out->v[i];
            if (strcmp(o->key, "passes") == 0 && o->value[0]) {
                o->value = arena_printf(a, "%s,%s", o->value, last->value);
                out->n--;
                break;
            }
        }
    }
}

// Splits at blanks outside quotes. Shell syntax is not supported.
static bool read_command(struct arena *a, const char *text, struct options *out, struct err *e)
{
    for (const char *s = text + strspn(text, " "); *s; s += strspn(s, " ")) {
        char *word = arena_alloc(a, strlen(s) + 1), *o = word, quote = 0;
        for (; *s && (quote || *s != ' '); s++) {
            if (quote ? *s == quote : *s == '\'' || *s == '"')
                quote = quote ? 0 : *s;
            else
                *o++ = *s;
        }
        if (quote)
            return err_set(e, "unclosed %c in '%.200s'", quote, text);
        *VEC_PUSH(a, out) = (struct run_option){"", word};
    }
    return true;
}

// ---- text to stages --------------------------------------------------------------------

static bool read_stage(struct arena *a, const char *text, struct run_stage *out, struct err *e)
{
    static const char check[] = "check", isa[] = "isa", nir[] = "nir";
    struct options o = {0};
    size_t n = strcspn(text, ":");
    bool ok = true;
    if ((n == sizeof check - 1 && strncmp(text, check, n) == 0) ||
        (n == sizeof isa - 1 && strncmp(text, isa, n) == 0)) {
        out->check = *text == 'c';
        out->isa = !out->check;
        text += text[n] ? n + 1 : n;
        n = strcspn(text, ":");
    }
    if (out->isa && n == sizeof nir - 1 && strncmp(text, nir, n) == 0) {
        out->nir = true;
        text += text[n] ? n + 1 : n;
        n = strcspn(text, ":");
    }
    out->name = arena_strn(a, text, n);
    out->kind = kind_find(out->name);
    if (text[n]) { // a kind with ':' in its name
        const size_t both = n + 1 + strcspn(text + n + 1, ":");
        const char *name = arena_strn(a, text, both);
        const struct run_kind *kind = kind_find(name);
        if (kind) {
            out->name = name;
            out->kind = kind;
            n = both;
        }
    }
    const char *options = text[n] ? text + n + 1 : "";
    switch (out->kind ? out->kind->options : RUN_SYNTAX_LIST) {
    case RUN_SYNTAX_LIST:
        read_list(a, options, &o);
        break;
    case RUN_SYNTAX_PIPELINE:
        read_pipeline(a, options, &o);
        break;
    case RUN_SYNTAX_COMMAND:
        ok = read_command(a, options, &o, e) || err_prefix(e, "%s", out->name);
        break;
    }
    out->option = o.v;
    out->count = (uint32_t)o.n;
    return ok;
}

const struct run_stage *run_spec_parse(struct arena *a, const char *text, struct err *e)
{
    struct run_stage *first = NULL, **to = &first;
    for (const char *end; text; text = *end ? end + 1 : NULL) {
        end = stage_end(text);
        const char *from = text + strspn(text, " ");
        size_t n = end > from ? (size_t)(end - from) : 0;
        while (n && from[n - 1] == ' ')
            n--;
        if (!n && (first || *end)) {
            err_set(e, "a stage is missing: COMPILER | COMPILER-OR-DEVICE");
            return NULL;
        }
        struct run_stage *s = ARENA_NEW(a, struct run_stage);
        if (!read_stage(a, arena_strn(a, from, n), s, e))
            return NULL;
        *to = s;
        to = (struct run_stage **)&s->next;
    }
    return first;
}

// ---- stages to text --------------------------------------------------------------------

// Adds a word of a command. A single quote inside it is put into double quotes.
static void add_word(struct text *t, const char *word)
{
    if (word[0] && !word[strcspn(word, " '\"|")]) {
        text_add(t, "%s", word);
        return;
    }
    text_addn(t, "'", 1);
    for (; *word; word++)
        if (*word == '\'')
            text_add(t, "'\"'\"'");
        else
            text_addn(t, word, 1);
    text_addn(t, "'", 1);
}

static void add_value(struct text *t, enum run_syntax syntax, const char *value)
{
    if (syntax == RUN_SYNTAX_COMMAND) {
        add_word(t, value);
        return;
    }
    for (; *value; value++) {
        if (*value == ',' && syntax == RUN_SYNTAX_LIST)
            text_addn(t, "\\", 1);
        text_addn(t, value, 1);
    }
}

static void add_stage(struct text *t, const struct run_stage *s)
{
    const enum run_syntax syntax = s->kind ? s->kind->options : RUN_SYNTAX_LIST;
    text_add(t, "%s%s", s->check ? "check:" : s->nir ? "isa:nir:" : s->isa ? "isa:" : "", s->name);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct run_option *o = &s->option[i];
        text_add(t, "%s%s%s",
                 !i                             ? ":"
                 : syntax == RUN_SYNTAX_COMMAND ? " "
                                                : ",",
                 o->key, o->key[0] ? "=" : "");
        add_value(t, syntax, o->value);
    }
}

const char *run_stage_text(struct arena *a, const struct run_stage *s)
{
    struct text t = {.arena = a};
    add_stage(&t, s);
    return t.v;
}

const char *run_spec_text(struct arena *a, const struct run_stage *s)
{
    struct text t = {.arena = a};
    for (; s; s = s->next) {
        if (t.n)
            text_add(&t, " | ");
        add_stage(&t, s);
    }
    return t.v;
}

// ---- reading and changing options --------------------------------------------------------

const char *run_stage_option(const struct run_stage *s, const char *key)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (strcmp(s->option[i].key, key) == 0)
            return s->option[i].value;
    return NULL;
}

struct run_stage *run_stage_with(struct arena *a, const struct run_stage *s, const char *key,
                                 const char *value)
{
    struct run_stage *new = arena_copy(a, s, sizeof *s);
    uint32_t at = 0;
    new->option = ARENA_ARRAY(a, struct run_option, s->count + 1);
    if (s->count)
        memcpy(new->option, s->option, s->count * sizeof *s->option);
    while (at < s->count && strcmp(s->option[at].key, key) != 0)
        at++;
    new->count += at == s->count;
    new->option[at] = (struct run_option){arena_str(a, key), arena_str(a, value)};
    return new;
}

// ---- names for findings ----------------------------------------------------------------

const char *run_stage_family(struct arena *a, const struct run_stage *s, const char *driver)
{
    const enum run_attribution by = s->kind ? s->kind->attribution : RUN_BY_KIND;
    const char *word = s->name, *named = run_stage_option(s, "driver");
    size_t n = strlen(word);
    if (by == RUN_BY_PROGRAM && s->count) {
        const char *slash = strrchr(s->option[0].value, '/');
        word = slash ? slash + 1 : s->option[0].value;
        n = strlen(word);
    } else if (by == RUN_BY_DRIVER && named) {
        word = named;
        n = strlen(word);
    } else if (by == RUN_BY_DRIVER && driver && driver[0]) {
        word = driver;
        n = strcspn(word, " (,");
    }
    char *out = arena_strn(a, word, n);
    for (char *c = out; *c; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || strchr("-_.+", *c)))
            *c = '-';
    }
    return out;
}

const char *run_family(struct arena *a, const char *spec, const char *driver)
{
    struct text t = {.arena = a};
    const struct run_stage *s = run_spec_parse(a, spec, NULL);
    text_addn(&t, "", 0);
    if (!s)
        text_add(&t, "unknown");
    for (; s; s = s->next)
        text_add(&t, "%s%s", t.n ? "+" : "", s->check ? "check" : run_stage_family(a, s, driver));
    return t.v;
}

const char *run_stage_before(struct arena *a, const char *spec)
{
    const struct run_stage *s = run_spec_parse(a, spec, NULL);
    if (!s || s->next || !s->isa || s->nir || !s->kind || !s->kind->nir)
        return NULL;
    struct run_stage before = *s;
    before.nir = true;
    return run_stage_text(a, &before);
}

static bool may_replay(const struct run_stage *s)
{
    const struct run_kind *k = s->kind;
    if (!k || !k->replay[0] || (s->check && !k->check) || (s->isa && !k->isa) ||
        (s->nir && !k->nir) || (k->replay_must && !run_stage_option(s, k->replay_must)))
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct run_option *o = &s->option[i];
        bool known = false;
        for (size_t r = 0; r < sizeof k->replay / sizeof *k->replay && k->replay[r]; r++)
            known |= strcmp(o->key, k->replay[r]) == 0;
        // A driver's name is a folder name and must not lead outside the drivers folder.
        if (!known || strpbrk(o->value, "/{"))
            return false;
    }
    return true;
}

bool run_has_command(const char *spec)
{
    struct arena a = {0};
    bool any = false;
    for (const struct run_stage *s = run_spec_parse(&a, spec, NULL); s && !any; s = s->next)
        any = s->kind && s->kind->options == RUN_SYNTAX_COMMAND;
    arena_free(&a);
    return any;
}

bool run_harmless(const char *spec)
{
    struct arena a = {0};
    const struct run_stage *s = run_spec_parse(&a, spec, NULL);
    bool all = s != NULL;
    for (; s && all; s = s->next)
        all = may_replay(s);
    arena_free(&a);
    return all;
}
