// SPDX-License-Identifier: Apache-2.0
//
// Formats the output of debugPrintf. A conversion has flags, width and precision, `vN` for a
// vector, and one of d i o u x X a A e E f F g G, or `ul`, `lu`, `lx` for 64 bits.
#include "printf_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LANES_SHOWN = 4 };

struct arguments {
    const struct spv_module *m;
    const struct orc_event *e;
    const struct spv_inst *call;
    uint32_t lane, at, cell; // the next argument, its first cell
};

static const struct spv_inst *scalar_of(const struct spv_module *m, const struct spv_inst *type)
{
    return type && type->op == SpvOpTypeVector ? spv_def(m, type->v[0]) : type;
}

static double as_double(uint64_t bits, uint32_t width)
{
    double wide;
    float narrow;
    const uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    if (width != 16)
        return width == 64 ? wide : (double)narrow;
    const uint32_t e = low >> 10 & 31, f = low & 1023;
    const uint32_t made = (low & 0x8000) << 16 | (e == 31 ? 0x7f800000 : (e + 112) << 23) | f << 13;
    memcpy(&narrow, &made, sizeof narrow);
    if (!e) // zero and denormals
        narrow = (float)f / 16777216.0f * (low & 0x8000 ? -1.0f : 1.0f);
    return (double)narrow;
}

// Adds one scalar; `flags`: the text between '%' and the letter.
static void scalar(struct text *t, const char *flags, char letter, const struct spv_inst *type,
                   uint64_t bits, bool defined)
{
    char spec[24], out[400];
    if (!defined || !type || !type->n) {
        text_add(t, "?");
        return;
    }
    const uint32_t width = type->v[0];
    if (strchr("aAeEfFgG", letter)) {
        snprintf(spec, sizeof spec, "%%%s%c", flags, letter);
        snprintf(out, sizeof out, spec,
                 type->op == SpvOpTypeFloat ? as_double(bits, width) : (double)bits);
    } else {
        const bool is_signed = strchr("di", letter) != NULL && width < 64;
        const uint64_t sign = is_signed && width ? (uint64_t)1 << (width - 1) : 0;
        snprintf(spec, sizeof spec, "%%%sll%c", flags, letter);
        snprintf(out, sizeof out, spec, (long long)((bits ^ sign) - sign));
    }
    text_add(t, "%s", out);
}

// Adds the next argument.
static void argument(struct text *t, struct arguments *g, const char *flags, char letter)
{
    const uint32_t id = g->at < g->call->n ? g->call->v[g->at++] : 0;
    const struct spv_inst *d = id ? spv_def(g->m, id) : NULL,
                          *type = d ? spv_def(g->m, d->type) : NULL;
    const uint32_t cells = type && type->op == SpvOpTypeVector ? type->v[1] : 1;
    if (!type) {
        text_add(t, "?");
        return;
    }
    for (uint32_t k = 0; k < cells; k++, g->cell++) {
        const bool there = g->cell < g->e->cells;
        text_add(t, "%s", k ? ", " : "");
        scalar(t, flags, letter, scalar_of(g->m, type),
               there ? g->e->values[(size_t)g->cell * g->e->lanes + g->lane] : 0,
               there && lane_in(g->e->defined[g->cell], g->lane));
    }
}

static const char *printed_by(struct arena *a, const struct spv_module *m,
                              const struct orc_event *e, const char *format,
                              const struct spv_inst *call, uint32_t lane)
{
    struct text t = {.arena = a};
    struct arguments g = {m, e, call, lane, 3, 0};
    text_addn(&t, "", 0);
    for (const char *p = format; *p; p++) {
        char flags[8] = "";
        size_t n = 0;
        if (*p != '%' || p[1] == '%') {
            text_addn(&t, p, 1);
            p += *p == '%';
            continue;
        }
        for (p++; *p && (strchr("-+ #.", *p) || isdigit((unsigned char)*p)); p++)
            if (n < 5)
                flags[n++] = *p;
        p += *p == 'v' && isdigit((unsigned char)p[1]) ? 2 : 0;
        p += *p == 'l';
        if (!*p || !strchr("dioxXuaAeEfFgG", *p)) {
            text_add(&t, "?");
            p -= *p == 0;
            continue;
        }
        argument(&t, &g, flags, *p);
        p += *p == 'u' && p[1] == 'l'; // %ul
    }
    return text_printable(a, t.v);
}

const char *printf_text(struct arena *a, const struct spv_module *m, const struct orc_event *e)
{
    const struct spv_inst *call = spv_def(m, e->id),
                          *d = call && call->n > 2 ? spv_def(m, call->v[2]) : NULL;
    const char *format = d && d->op == SpvOpString ? spv_string(d->v, d->n) : NULL, *first = NULL;
    struct text t = {.arena = a};
    uint32_t shown = 0;
    bool same = true;
    if (!format)
        return "?";
    LANES_EACH (l, e->active) {
        const char *text = printed_by(a, m, e, format, call, l);
        first = first ? first : text;
        same &= strcmp(first, text) == 0;
        if (shown++ < LANES_SHOWN)
            text_add(&t, "%s%u: \"%s\"", shown > 1 ? "; " : "", l, text);
    }
    if (same)
        return arena_printf(a, "\"%s\"", first ? first : "");
    return shown <= LANES_SHOWN
               ? t.v
               : arena_printf(a, "%s; and %u lanes more", t.v, shown - LANES_SHOWN);
}
