// SPDX-License-Identifier: Apache-2.0
//
// Draws the table as a standalone picture. Below it: the reasons, each with its source lines.
#include "portable_inner.h"

#include <string.h>

enum { LEFT = 16, NAME = 250, CELL = 74, ROW = 28, HEAD = 84, LINE = 18, WIDTH = 860, WRAP = 108 };

static void words(struct text *out, uint32_t x, uint32_t y, const char *style, const char *s)
{
    text_add(out, "<text x=\"%u\" y=\"%u\" %s>", x, y, style);
    text_xml(out, s);
    text_add(out, "</text>\n");
}

// Writes a paragraph from line y on; returns the y of the next line.
static uint32_t paragraph(struct arena *a, struct text *out, uint32_t y, const char *style,
                          const char *s)
{
    while (*s) {
        size_t n = strlen(s);
        if (n > WRAP) {
            n = WRAP;
            while (n && s[n] != ' ')
                n--;
            n = n ? n : WRAP;
        }
        words(out, LEFT + 12, y, style, arena_strn(a, s, n));
        s += n + strspn(s + n, " ");
        y += LINE;
    }
    return y;
}

static uint32_t quoted(struct arena *a, struct text *out, uint32_t y, const struct por_place *p)
{
    if (!p->what || !p->line || !p->text[0])
        return y;
    text_add(out,
             "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"20\" rx=\"3\" fill=\"#f1f3f6\"/>\n",
             LEFT + 12, y - 14, WIDTH - 2 * LEFT - 12);
    words(out, LEFT + 18, y, "font-family=\"monospace\" font-size=\"12\" fill=\"#20242b\"",
          arena_printf(a, "%4u  %.100s", p->line, p->text));
    return y + 24;
}

static uint32_t reason(const struct por_answer *w, uint32_t k, uint32_t s, struct arena *a,
                       struct text *out, uint32_t y)
{
    const struct por_cell *c = &w->cell[k][s];
    const struct por_place *from = &c->reason.from, *at = &c->reason.at;
    text_add(out, "<rect x=\"%d\" y=\"%u\" width=\"6\" height=\"16\" fill=\"%s\"/>\n", LEFT, y - 13,
             por_status_rows[c->status].colour);
    words(out, LEFT + 12, y, "font-weight=\"bold\" font-size=\"13\" fill=\"#20242b\"",
          arena_printf(a, "%s: %s, %s", por_status_rows[c->status].word, por_models(w, k, s),
                       por_sizes(a, w, k, c)));
    y = quoted(a, out, y + 24, from);
    if (!from->what || from->line != at->line)
        y = quoted(a, out, y, at);
    y = paragraph(a, out, y, "font-size=\"13\" fill=\"#20242b\"", por_sentence(a, c->reason.text));
    if (c->reason.fix[0])
        y = paragraph(a, out, y, "font-size=\"13\" fill=\"#1d5b8f\"",
                      arena_printf(a, "Fix: %s.", c->reason.fix));
    return y + 12;
}

void por_svg(const struct por_answer *w, const char *path, struct arena *a, struct text *out)
{
    struct text body = {.arena = a};
    const uint32_t declared = por_declared(w);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    words(&body, LEFT, 28, "font-weight=\"bold\" font-size=\"17\" fill=\"#20242b\"",
          arena_printf(a, "%s: %s", name, por_status_rows[por_verdict(w)].word));
    words(&body, LEFT, 48, "font-size=\"13\" fill=\"#555b66\"", por_headline(a, w));
    for (uint32_t s = 0; s < w->sizes; s++)
        words(&body, NAME + s * CELL + CELL / 2, HEAD - 8,
              "text-anchor=\"middle\" font-size=\"12\" fill=\"#555b66\"",
              arena_printf(a, "%u lanes", w->size[s]));
    uint32_t y = HEAD;
    for (uint32_t k = 0; k < POR_MODELS; k++, y += ROW) {
        words(&body, LEFT, y + 18,
              k == declared ? "font-size=\"13\" font-weight=\"bold\" fill=\"#20242b\""
                            : "font-size=\"13\" fill=\"#20242b\"",
              por_model_line(k));
        for (uint32_t s = 0; s < w->sizes; s++) {
            const struct por_cell *c = &w->cell[k][s];
            text_add(&body,
                     "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\"/>\n",
                     NAME + s * CELL + 2, y + 2, CELL - 4, ROW - 4,
                     por_status_rows[c->status].colour);
            words(&body, NAME + s * CELL + CELL / 2, y + 18,
                  "text-anchor=\"middle\" font-size=\"11\" fill=\"#20242b\"",
                  arena_printf(a, "%s%s", por_status_rows[c->status].cell,
                               c->tried && c->status == POR_PORTABLE ? "*" : ""));
        }
    }
    y += 30;
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < w->sizes; s++)
            if (por_first(w, k, s))
                y = reason(w, k, s, a, &body, y);
    for (size_t k = 0; k < w->notes.n; k++)
        y = paragraph(a, &body, y, "font-size=\"12\" fill=\"#555b66\"",
                      por_sentence(a, w->notes.v[k]));
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 "
             "%d %u\" font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
             "fill=\"#ffffff\"/>\n%s</svg>\n",
             WIDTH, y + 8, WIDTH, y + 8, body.v);
}
