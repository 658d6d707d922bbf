// SPDX-License-Identifier: Apache-2.0
//
// Fills a template in one pass, block by block (fill.h has the language).
#include "fill.h"
#include "html.h"

#include <string.h>

enum { DEPTH_MAX = 16 }; // blocks and includes within each other

struct tag {
    const char *start, *end; // of all of it; with its line where it stands alone there
    char kind;               // '#', '^', '/', '>', '{' (raw), 's', or 0: a value
    char name[64];           // without kind and word
    const char *word;        // in `name`'s array: what follows '='; NULL: none
};
struct run {
    const char *name, *text;
    struct text *out;
    struct err *e;
    unsigned depth;
    void (*escape)(struct text *t, const char *s);
};

static void json(struct text *t, const char *s)
{
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            text_add(t, "\\%c", *s);
        else if (*s == '\n' || *s == '\t')
            text_add(t, "\\%c", *s == '\n' ? 'n' : 't');
        else if ((unsigned char)*s < 0x20)
            text_add(t, "\\u%04X", (unsigned)*s);
        else
            text_addn(t, s, 1);
}

static void plain(struct text *t, const char *s)
{
    text_addn(t, s, strlen(s));
}

static void set(struct fill *f, struct fill_value v)
{
    *VEC_PUSH(f->a, &f->values) = v;
}

void fill_text(struct fill *f, const char *name, const char *text)
{
    set(f, (struct fill_value){.name = name, .text = text ? text : ""});
}

void fill_number(struct fill *f, const char *name, uint64_t value)
{
    fill_text(f, name, arena_printf(f->a, "%llu", (unsigned long long)value));
}

void fill_flag(struct fill *f, const char *name, bool value)
{
    fill_text(f, name, value ? "1" : "");
}

void fill_list(struct fill *f, const char *name, uint32_t rows, fill_row *row, const void *user)
{
    set(f, (struct fill_value){name, "", row, user, rows});
}

static const struct fill_value *find(const struct fill *f, const char *name)
{
    for (; f; f = f->outer)
        for (size_t k = 0; k < f->values.n; k++)
            if (strcmp(f->values.v[k].name, name) == 0)
                return &f->values.v[k];
    return NULL;
}

static const char *embedded(const char *name)
{
    for (const struct embedded *x = fill_templates; x->name; x++)
        if (strcmp(x->name, name) == 0)
            return x->text;
    return NULL;
}

static bool wrong(struct run *r, const char *at, const char *what, const char *name)
{
    unsigned line = 1;
    for (const char *s = r->text; s < at; s++)
        line += *s == '\n';
    return err_set(r->e, "template %s:%u: %s '%s'", r->name, line, what, name);
}

// Reads the tag at `p`, which begins with "{{".
static bool read_tag(struct run *r, const char *p, struct tag *t)
{
    const char *name = p + 2, *end = strstr(name, "}}");
    *t = (struct tag){.start = p};
    if (strchr("#^/>{", *name))
        t->kind = *name++;
    else if (strncmp(name, "s:", 2) == 0) {
        t->kind = 's';
        name += 2;
    }
    const size_t n = end ? (size_t)(end - name) : 0;
    if (!n || n >= sizeof t->name || (t->kind == '{' && end[2] != '}'))
        return wrong(r, p, "not a tag", "{{");
    memcpy(t->name, name, n);
    char *word = strchr(t->name, '=');
    if (word) {
        *word = 0;
        t->word = word + 1;
    }
    t->end = end + (t->kind == '{' ? 3 : 2);
    if (t->kind && strchr("#^/>", t->kind) && (p == r->text || p[-1] == '\n') && *t->end == '\n')
        t->end++;
    return true;
}

static void literal(struct text *out, const char *p, const char *end)
{
    for (const char *from = p; p < end; from = p) {
        while (p < end && !(*p == '\\' && p[1] == '\n'))
            p++;
        text_addn(out, from, (size_t)(p - from));
        p += p < end ? 2 : 0;
    }
}

static const char *block(struct run *r, const char *p, const struct fill *f, const char *closing,
                         bool write);

// The block after tag `t`, `v` being the tag's value. Returns its end, NULL on an error.
static const char *inner(struct run *r, const struct tag *t, const struct fill *f,
                         const struct fill_value *v, bool write)
{
    if (!v->row || t->kind == '^') {
        const bool kept = t->word  ? strcmp(v->text, t->word) == 0
                          : v->row ? v->rows > 0
                                   : v->text[0] && strcmp(v->text, "0") != 0;
        return block(r, t->end, f, t->name, write && kept == (t->kind == '#'));
    }
    if (!v->rows || !write) { // without a row its names are not known
        struct tag x;
        const char *p = t->end;
        while ((p = strstr(p, "{{")) && read_tag(r, p, &x)) {
            if (x.kind == '/' && strcmp(x.name, t->name) == 0)
                return x.end;
            p += 2;
        }
        wrong(r, t->start, "no end of block", t->name);
        return NULL;
    }
    struct arena a = {0};
    const char *end = NULL;
    for (uint32_t i = 0; i < v->rows; i++) {
        struct fill row = {.a = &a, .outer = f};
        fill_flag(&row, "first", i == 0);
        v->row(&row, v->user, i);
        end = block(r, t->end, &row, t->name, true);
        arena_reset(&a);
        if (!end)
            break;
    }
    arena_free(&a);
    return end;
}

static bool run(const char *name, const char *text, const struct fill *f, struct text *out,
                unsigned depth, bool write, struct err *e);

// Everything from `p` to the end of block `closing` (NULL: of the text), written if `write`.
// Returns where that ends, NULL on an error.
static const char *block(struct run *r, const char *p, const struct fill *f, const char *closing,
                         bool write)
{
    if (++r->depth > DEPTH_MAX) {
        wrong(r, p, "too many blocks in", closing ? closing : "");
        return NULL;
    }
    for (struct tag t; p;) {
        const char *start = strstr(p, "{{"), *end = start ? start : p + strlen(p);
        if (write)
            literal(r->out, p, end);
        if (!start && closing) {
            wrong(r, p, "no end of block", closing);
            return NULL;
        }
        if (!start) {
            p = end;
            break;
        }
        if (!read_tag(r, start, &t))
            return NULL;
        p = t.end;
        if (t.kind == '/') {
            if (closing && strcmp(t.name, closing) == 0)
                break;
            wrong(r, start, "no such block is open:", t.name);
            return NULL;
        }
        if (t.kind == '>') {
            const char *text = embedded(t.name);
            if (!text)
                wrong(r, start, "no template", t.name);
            if (!text || !run(t.name, text, f, r->out, r->depth, write, r->e))
                return NULL;
            continue;
        }
        const struct fill_value *v = find(f, t.name);
        if (!v) {
            wrong(r, start, "no value is called", t.name);
            return NULL;
        }
        if (t.kind == '#' || t.kind == '^')
            p = inner(r, &t, f, v, write);
        else if (write && t.kind == 's')
            text_add(r->out, "%s", strcmp(v->text, "1") == 0 ? "" : "s");
        else if (write)
            (t.kind ? plain : r->escape)(r->out, v->text);
    }
    r->depth--;
    return p;
}

static bool run(const char *name, const char *text, const struct fill *f, struct text *out,
                unsigned depth, bool write, struct err *e)
{
    const char *dot = strrchr(name, '.');
    struct run r = {name, text, out, e, depth, plain};
    r.escape = dot && strcmp(dot, ".xml") == 0                                       ? text_xml
               : dot && (strncmp(dot, ".json", 5) == 0 || strcmp(dot, ".prom") == 0) ? json
                                                                                     : plain;
    return block(&r, text, f, NULL, write) != NULL;
}

bool fill_string(const char *name, const char *text, const struct fill *f, struct text *out,
                 struct err *e)
{
    return run(name, text, f, out, 0, true, e);
}

bool fill_has(const char *name)
{
    return embedded(name) != NULL;
}

void fill_template(const char *name, const struct fill *f, struct text *out)
{
    struct err e = {0};
    const char *text = embedded(name);
    CHECK(text);
    const bool ok = fill_string(name, text, f, out, &e);
    if (!ok)
        check_failed(__FILE__, __LINE__, e.msg);
}
