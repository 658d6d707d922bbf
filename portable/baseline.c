// SPDX-License-Identifier: Apache-2.0
//
// Baselines: results that are known, so that only new ones fail (portable.h).
#include "portable_inner.h"

#include <string.h>

static const char head[] = "# tanglefuzz portable: known results (shader, verdict, place)\n";

// Blanks, and what would end a field, become one blank.
static const char *field(struct arena *a, const char *text)
{
    struct text t = {.arena = a};
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p > ' ')
            text_addn(&t, p, 1);
        else if (t.n && t.v[t.n - 1] != ' ')
            text_addn(&t, " ", 1);
    while (t.n && t.v[t.n - 1] == ' ')
        t.v[--t.n] = 0;
    return t.n ? t.v : "";
}

static const char *spot(const struct por_place *p)
{
    return p->text && p->text[0] ? p->text : p->what && p->what[0] ? p->what : NULL;
}

static const char *line_of(struct arena *a, const char *path, const struct por_cell *c)
{
    const char *from = spot(&c->reason.from), *at = spot(&c->reason.at);
    at = at && from && strcmp(at, from) == 0 ? NULL : at;
    return arena_printf(a, "%s\t%s\t%s%s%s", field(a, path), por_status_rows[c->status].word,
                        field(a, from ? from
                                 : at ? at
                                      : c->reason.text),
                        from && at ? " | " : "", from && at ? field(a, at) : "");
}

static bool has(const char *text, const char *line)
{
    const size_t n = strlen(line);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (strcspn(p, "\n") == n && memcmp(p, line, n) == 0)
            return true;
    return false;
}

uint32_t por_take_baseline(struct por_answer *w, const char *path, struct arena *a,
                           const char *text)
{
    uint32_t n = 0;
    const uint32_t declared = por_declared(w);
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < w->sizes; s++) {
            struct por_cell *c = &w->cell[k][s];
            if (c->status == POR_PORTABLE)
                continue;
            bool first = k == declared;
            for (uint32_t j = 0; j < s; j++)
                first &= !por_same(&w->cell[k][j], c);
            c->known = has(text, line_of(a, path, c));
            n += first && c->known;
        }
    return n;
}

void por_write_baseline(const struct por_answer *w, const char *path, struct arena *a,
                        const char *text, struct text *out)
{
    const char *mine = arena_printf(a, "%s\t", field(a, path));
    const uint32_t k = por_declared(w);
    if (!*text)
        text_add(out, "%s", head);
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, "\n");
        if (strncmp(p, mine, strlen(mine)) != 0)
            text_add(out, "%.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    for (uint32_t s = 0; s < w->sizes; s++) {
        const struct por_cell *c = &w->cell[k][s];
        const char *line = c->status == POR_PORTABLE ? NULL : line_of(a, path, c);
        if (line && !(out->n && has(out->v, line)))
            text_add(out, "%s\n", line);
    }
}
