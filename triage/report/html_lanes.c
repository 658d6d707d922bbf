// SPDX-License-Identifier: Apache-2.0
//
// Expected and observed values, lane by lane, for the HTML report. A word of a ballot is shown as a
// strip of lanes: in both, missing, or extra.
#include "html.h"

enum { ROWS_MAX = 16, ENTRIES_MAX = 24, WORDS_MAX = 64, STRIP_MAX = 32 };

static uint32_t mask_of(const struct spv_memory *m, size_t i)
{
    return m->mask ? m->mask[i] : UINT32_MAX;
}

static bool differs(const struct spv_memory *e, const struct spv_memory *o, size_t from, size_t n)
{
    for (size_t i = from; i < from + n && i < e->count; i++)
        if (judge_wrong_bits(e, o, i))
            return true;
    return false;
}

static void strip(struct text *t, uint32_t e, uint32_t o, uint32_t lanes, bool observed)
{
    text_add(t, "<span class=\"bits\">");
    for (uint32_t l = 0; l < lanes; l++) {
        bool want = e >> l & 1, got = o >> l & 1;
        const char *kind = !observed     ? (want ? "on" : "")
                           : want && got ? "on"
                           : want        ? "miss"
                           : got         ? "extra"
                                         : "";
        text_add(t, "<i class=\"%s\" title=\"lane %u\"></i>", kind, l);
    }
    text_add(t, "</span>");
}

static void words(struct text *t, const struct spv_memory *e, const struct spv_memory *o, size_t at,
                  const struct judge_entry *x, uint32_t lanes, bool observed)
{
    const struct spv_memory *m = observed ? o : e;
    for (uint32_t i = 0; i < x->n && i < 8; i++) {
        size_t k = at + x->at + i;
        if (k >= m->count)
            return;
        bool ballot = (x->ballots >> i & 1) && lanes && lanes <= STRIP_MAX;
        if (observed && mask_of(e, k) & ~mask_of(o, k)) {
            text_add(t, "no defined value ");
            continue;
        }
        if (!observed && mask_of(e, k) == 0)
            text_add(t, "? ");
        else if (ballot)
            strip(t, e->words[k] & mask_of(e, k), o->words[k] & mask_of(e, k), lanes, observed);
        if (mask_of(e, k))
            text_add(t, m->words[k] < 4096 && !ballot ? "%u " : "0x%x ", m->words[k]);
    }
}

static void invocation(struct text *t, const struct report_view *w, uint32_t log, uint32_t row)
{
    const struct spv_case *c = &w->c;
    const struct spv_memory *e = &w->expected[log], *o = &w->observed[log];
    size_t base = (size_t)row * c->log_stride;
    uint32_t lanes =
        c->has_lanes ? spv_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
    text_add(t, "<tr class=\"head\"><td colspan=\"4\">invocation %u", row);
    struct spv_lane l;
    if (lanes < c->buffer_count && spv_lanes_at(c, &w->observed[lanes], row, &l))
        text_add(t, ", subgroup %u, lane %u", l.subgroup, l.lane);
    text_add(t, "</td></tr>\n");
    struct judge_cursor ec = {.row = e->words + base, .stride = c->log_stride};
    struct judge_cursor oc = {.row = o->words + base, .stride = c->log_stride};
    if (mask_of(o, base) != UINT32_MAX) { // the number of entries is undefined
        text_add(t, "<tr class=\"wrong\"><td></td><td></td><td></td><td class=\"seen\">no defined "
                    "value</td></tr>\n");
        return;
    }
    for (uint32_t k = 0; k < ENTRIES_MAX; k++) {
        struct judge_entry x = {0}, y = {0};
        bool has_x = judge_log_next(&ec, &x), has_y = judge_log_next(&oc, &y);
        if (!has_x && !has_y)
            break;
        bool wrong =
            has_x != has_y || x.site != y.site || x.n != y.n || differs(e, o, base + x.at, x.n);
        text_add(t, "<tr class=\"%s\"><td>%u</td><td>%s%u</td><td>", wrong ? "wrong" : "", k,
                 has_x && has_y && x.site != y.site ? "&ne; " : "", has_x ? x.site : y.site);
        if (has_x)
            words(t, e, o, base, &x, c->subgroup, false);
        else
            text_add(t, "not reached");
        text_add(t, "</td><td class=\"seen\">");
        bool known = has_y && mask_of(o, base + y.at - 1) == UINT32_MAX;
        if (known && has_x && x.site != y.site)
            text_add(t, "site %u: ", y.site);
        if (has_y && !known)
            text_add(t, "no defined value");
        else if (has_y)
            words(t, e, o, base, &y, c->subgroup, true);
        else
            text_add(t, "not reached");
        text_add(t, "</td></tr>\n");
    }
}

void html_lanes(struct text *t, const struct report_view *w)
{
    const struct spv_case *c = &w->c;
    uint32_t log =
        c->has_log && c->log_stride ? spv_buffer_index(c, c->log_set, c->log_binding) : UINT32_MAX;
    uint32_t lanes =
        c->has_lanes ? spv_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
    uint32_t shown = 0, left = 0;
    text_add(t,
             "<div class=\"scroll\"><table class=\"lanes\"><thead><tr><th>%s</th><th>%s</th>"
             "<th>Expected</th><th>Observed</th></tr></thead><tbody>\n",
             log < c->buffer_count ? "Entry" : "Buffer", log < c->buffer_count ? "Site" : "Word");
    if (log < c->buffer_count) {
        const struct spv_memory *e = &w->expected[log], *o = &w->observed[log];
        for (uint32_t row = 0; row < e->count / c->log_stride; row++) {
            if (!differs(e, o, (size_t)row * c->log_stride, c->log_stride))
                continue;
            if (shown < ROWS_MAX)
                invocation(t, w, log, row);
            left += shown++ >= ROWS_MAX;
        }
    }
    for (uint32_t b = 0, words_shown = 0; b < c->buffer_count; b++) {
        const struct spv_memory *e = &w->expected[b], *o = &w->observed[b];
        if (b == log || b == lanes)
            continue;
        for (uint32_t i = 0; i < e->count && words_shown < WORDS_MAX; i++)
            if (differs(e, o, i, 1)) {
                words_shown++;
                char seen[REPORT_WORD_TEXT];
                text_add(t,
                         "<tr class=\"wrong\"><td>%u:%u</td><td>%u</td><td>%u (0x%x)</td>"
                         "<td class=\"seen\">%s</td></tr>\n",
                         e->set, e->binding, i, e->words[i], e->words[i],
                         report_word_text(o, i, mask_of(e, i), seen));
            }
    }
    text_add(t, "</tbody></table></div>\n");
    if (left)
        text_add(t, "<p class=\"sub\">and %u more wrong invocations</p>\n", left);
}
