// SPDX-License-Identifier: Apache-2.0
//
// A shader in GLSL as a compiler got it and as it left it, with the lines that differ marked.
#include "diff.h"
#include "html.h"

void html_diff(struct text *t, const char *before, const char *after)
{
    struct diff_line *v;
    const size_t n = diff_lines(t->arena, before, after, &v);
    text_add(t, "<pre class=\"diff\">");
    for (size_t i = 0; i < n; i++) {
        text_add(t, "<span class=\"%s\">%c ",
                 v[i].mark == ' '   ? "both"
                 : v[i].mark == '-' ? "gone"
                                    : "came",
                 v[i].mark);
        text_xml(t, arena_strn(t->arena, v[i].s, v[i].n));
        text_add(t, "</span>\n");
    }
    if (!n)
        text_xml(t, after);
    text_add(t, "</pre>\n");
}
