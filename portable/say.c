// SPDX-License-Identifier: Apache-2.0
//
// Prints the answer as text for a terminal.
#include "portable_inner.h"

#include <string.h>

const char *por_sentence(struct arena *a, const char *text)
{
    char *s = arena_str(a, text);
    if (s[0] >= 'a' && s[0] <= 'z')
        s[0] = (char)(s[0] - 'a' + 'A');
    return s;
}

static bool same_place(const struct por_place *x, const struct por_place *y)
{
    return !x->what == !y->what &&
           (!x->what || (x->line == y->line && strcmp(x->what, y->what) == 0));
}

bool por_same(const struct por_cell *x, const struct por_cell *y)
{
    const struct por_reason *a = &x->reason, *b = &y->reason;
    if (x->status != y->status || strcmp(a->rule, b->rule) != 0)
        return false;
    const bool placed = (a->from.what && a->from.line) || (a->at.what && a->at.line);
    return placed ? same_place(&a->from, &b->from) && same_place(&a->at, &b->at)
                  : strcmp(a->text, b->text) == 0;
}

// "8, 16 and 32 lanes"
const char *por_sizes(struct arena *a, const struct por_answer *w, uint32_t k,
                      const struct por_cell *c)
{
    struct text t = {.arena = a};
    uint32_t left = 0;
    for (uint32_t s = 0; s < w->sizes; s++)
        left += por_same(&w->cell[k][s], c);
    for (uint32_t s = 0; s < w->sizes; s++) {
        if (!por_same(&w->cell[k][s], c))
            continue;
        left--;
        text_add(&t, "%u%s", w->size[s], left > 1 ? ", " : left ? " and " : " lanes");
    }
    return t.v;
}

bool por_first(const struct por_answer *w, uint32_t k, uint32_t s)
{
    const struct por_cell *c = &w->cell[k][s];
    for (uint32_t j = 0; j < s; j++)
        if (por_same(&w->cell[k][j], c))
            return false;
    // A weaker model already shows the same reason.
    for (uint32_t j = 0; j < k; j++)
        for (uint32_t n = 0; n < w->sizes; n++)
            if (por_same(&w->cell[j][n], c))
                return false;
    return c->status != POR_PORTABLE;
}

const char *por_models(const struct por_answer *w, uint32_t k, uint32_t s)
{
    uint32_t more = 0;
    for (uint32_t j = k + 1; j < POR_MODELS; j++)
        more += por_same(&w->cell[j][s], &w->cell[k][s]);
    return k + more < POR_MODELS - 1
               ? (more ? "Vulkan alone, also with subgroup uniform control flow"
                       : por_model_line(k))
           : k ? por_model_line(k)
               : "any model";
}

static void quote(const struct por_place *p, struct text *out)
{
    if (p->line && p->text[0])
        text_add(out, "    %5u | %s\n", p->line, p->text);
}

static void wrapped(const char *text, const char *start, struct text *out)
{
    enum { WIDTH = 96 };
    size_t at = strlen(start);
    text_add(out, "%s", start);
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, " ");
        if (at + n + 1 > WIDTH) {
            text_add(out, "\n   ");
            at = 3;
        }
        text_add(out, " %.*s", (int)n, p);
        at += n + 1;
        p += n + strspn(p + n, " ");
    }
    text_add(out, "\n");
}

static void reason(const struct por_answer *w, uint32_t k, uint32_t s, struct arena *a,
                   struct text *out)
{
    const struct por_cell *c = &w->cell[k][s];
    text_add(out, "\n%s: %s, %s%s%s\n", por_status_rows[c->status].brief, por_models(w, k, s),
             por_sizes(a, w, k, c), c->reason.rule[0] ? ", " : "", c->reason.rule);
    const struct por_place *from = &c->reason.from, *at = &c->reason.at;
    if (from->what && from->line)
        quote(from, out);
    if (at->what && at->line && (!from->what || at->line != from->line))
        quote(at, out);
    wrapped(por_sentence(a, c->reason.text), "   ", out);
    if (por_suppressed(c))
        wrapped(c->known ? "the baseline has it; it does not count for the exit status"
                         : "the source says that this is intended; it does not count for the exit "
                           "status",
                "   ", out);
    else if (c->reason.fix[0])
        wrapped(c->reason.fix, "    fix:", out);
}

uint32_t por_declared(const struct por_answer *w)
{
    uint32_t declared = 0;
    for (uint32_t k = 0; k < w->m.inst_count && w->m.insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &w->m.insts[k];
        if (s->op == SpvOpExecutionMode && s->v[1] == SpvExecutionModeMaximallyReconvergesKHR)
            declared = 2;
        if (s->op == SpvOpExecutionMode &&
            s->v[1] == SpvExecutionModeSubgroupUniformControlFlowKHR && !declared)
            declared = 1;
    }
    return declared;
}

bool por_suppressed(const struct por_cell *c)
{
    static const char mark[] = "portable: ok";
    const struct por_place *all[] = {&c->reason.from, &c->reason.at};
    if (c->known)
        return true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k]->text && strstr(all[k]->text, "//") && strstr(strstr(all[k]->text, "//"), mark))
            return true;
    return false;
}

static enum por_status verdict(const struct por_answer *w, bool all)
{
    enum por_status worst = POR_PORTABLE;
    bool unknown = false;
    const uint32_t k = por_declared(w);
    for (uint32_t s = 0; s < w->sizes; s++) {
        const struct por_cell *c = &w->cell[k][s];
        if (!all && por_suppressed(c))
            continue;
        unknown |= c->status == POR_UNKNOWN;
        if (c->status != POR_UNKNOWN && c->status > worst)
            worst = c->status;
    }
    return worst <= POR_UNREACHED && unknown ? POR_UNKNOWN : worst;
}

enum por_status por_verdict(const struct por_answer *w)
{
    return verdict(w, true);
}

enum por_status por_verdict_left(const struct por_answer *w)
{
    return verdict(w, false);
}

const char *por_headline(struct arena *a, const struct por_answer *w)
{
    const enum por_status v = por_verdict(w);
    const uint32_t k = por_declared(w);
    struct text sizes = {.arena = a};
    uint32_t n = 0;
    for (uint32_t s = 0; s < w->sizes; s++)
        if (w->cell[k][s].status == v)
            text_add(&sizes, "%s%u", n++ ? ", " : "", w->size[s]);
    return arena_printf(
        a, "%s%s%s%s%s%s%s%s",
        v == POR_UNREACHED && w->nothing ? "nothing was stored: the inputs did not reach a store"
                                         : por_status_rows[v].line,
        n < w->sizes ? " (at " : "", n < w->sizes ? sizes.v : "", n < w->sizes ? " lanes)" : "",
        v == POR_PORTABLE && w->by_size ? ", but it depends on the subgroup size (notes)" : "",
        v <= POR_LETTER && w->alone ? "; " : "", v <= POR_LETTER && w->alone ? w->alone : "",
        w->blocks_ran < w->blocks
            ? arena_printf(a, "; %u of %u blocks ran", w->blocks_ran, w->blocks)
            : "");
}

void por_text(const struct por_answer *w, const char *path, struct arena *a, struct text *out)
{
    enum { NAME = 40, CELL = 8 };
    bool used[POR_STATUSES] = {false};
    uint32_t tried = 0;
    const uint32_t declared = por_declared(w);
    text_add(out, "%s: %s\n\n%*s", path, por_headline(a, w), NAME, "");
    for (uint32_t s = 0; s < w->sizes; s++)
        text_add(out, "%*u", CELL, w->size[s]);
    text_add(out, " lanes\n");
    for (uint32_t k = 0; k < POR_MODELS; k++) {
        text_add(out, "%-*s", NAME,
                 arena_printf(a, "%s%s", por_model_line(k), k == declared ? " (this shader)" : ""));
        for (uint32_t s = 0; s < w->sizes; s++) {
            const struct por_cell *c = &w->cell[k][s];
            used[c->status] = true;
            tried |= c->status == POR_PORTABLE ? c->tried : 0;
            text_add(out, "%*s", CELL,
                     arena_printf(a, "%s%s", por_status_rows[c->status].brief,
                                  c->tried && c->status == POR_PORTABLE ? "*" : ""));
        }
        text_add(out, "\n");
    }
    text_add(out, "\n");
    for (int s = 0; s < POR_STATUSES; s++)
        if (used[s])
            text_add(out, "%-7s %s\n", por_status_rows[s].brief, por_status_rows[s].line);
    if (tried)
        text_add(out, "*       tried, not proved: %s%s%s\n",
                 tried & POR_TRIED_ORDERS ? "the result is the same in other orders of atomics"
                                          : "",
                 tried & POR_TRIED_ORDERS && tried != POR_TRIED_ORDERS ? "; " : "",
                 tried & POR_TRIED_RUN     ? "some code was not reached (notes)"
                 : tried & POR_TRIED_NOTED ? "see the notes"
                                           : "");
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < w->sizes; s++)
            if (por_first(w, k, s))
                reason(w, k, s, a, out);
    if (w->notes.n)
        text_add(out, "\nnotes:\n");
    for (size_t k = 0; k < w->notes.n; k++)
        wrapped(por_sentence(a, w->notes.v[k]), "  -", out);
    if (w->inputs.text[0]) {
        text_add(out, "\ninvented inputs (override with --data):\n");
        for (const char *p = w->inputs.text; *p; p += strcspn(p, "\n"), p += *p == '\n')
            text_add(out, "  %.*s\n", (int)strcspn(p, "\n"), p);
    }
    if (w->blocks)
        text_add(out, "\n%u of %u blocks ran\n", w->blocks_ran, w->blocks);
}
