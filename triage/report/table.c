// SPDX-License-Identifier: Apache-2.0
//
// Expected and observed memory as text: lanes.txt of a finding's folder.
#include "report.h"

#include <string.h>

enum { VALUE_TEXT = 560 };

static bool differs(const struct spv_memory *e, const struct spv_memory *o, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        if (judge_wrong_bits(e, o, i))
            return true;
    return false;
}

const char *report_word_text(const struct spv_memory *o, size_t i, uint32_t expected,
                             char out[REPORT_WORD_TEXT])
{
    if (o->mask && expected & ~o->mask[i])
        snprintf(out, REPORT_WORD_TEXT, "no defined value");
    else
        snprintf(out, REPORT_WORD_TEXT, "%u (0x%x)", o->words[i], o->words[i]);
    return out;
}

// The values of an entry: numbers, lane sets, "?" where `mask` expects no defined value, and a text
// where `unknown` (the defined bits, or NULL) lacks bits that must be defined.
static void values(const struct spv_memory *m, const uint32_t *mask, const uint32_t *unknown,
                   size_t at, const struct judge_entry *x, uint32_t subgroup, char *out,
                   size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < x->n && used < size; i++) {
        uint32_t v = m->words[at + i];
        bool ballot = i < 8 && x->ballots >> i & 1;
        const char *gap = i ? " " : "";
        char lanes[JUDGE_LANE_SET];
        judge_lane_set(v, lanes, sizeof lanes);
        int k;
        if (unknown && (~unknown[at + i] & (mask ? mask[at + i] : UINT32_MAX)))
            k = snprintf(out + used, size - used, "%sno defined value", gap);
        else if (mask && mask[at + i] == 0)
            k = snprintf(out + used, size - used, "%s?", gap);
        else if (ballot && subgroup && subgroup <= 32)
            k = snprintf(out + used, size - used, "%s%s", gap, lanes);
        else
            k = snprintf(out + used, size - used, ballot || v > 0xffff ? "%s0x%x" : "%s%u", gap, v);
        used += k > 0 ? (size_t)k : 0;
    }
}

// One entry, or "-".
static void cell(const struct spv_memory *m, const uint32_t *mask, const uint32_t *unknown,
                 size_t base, const struct judge_entry *x, bool has, uint32_t subgroup, char *out,
                 size_t size)
{
    if (!has) {
        snprintf(out, size, "-");
        return;
    }
    if (unknown && unknown[base + x->at - 1] != UINT32_MAX) {
        snprintf(out, size, "no defined value");
        return;
    }
    char v[VALUE_TEXT];
    values(m, mask, unknown, base + x->at, x, subgroup, v, sizeof v);
    snprintf(out, size, "site %-5u %s", x->site, v);
}

static void row_table(const struct spv_case *c, const struct spv_memory *e,
                      const struct spv_memory *o, const struct spv_memory *lanes, uint32_t row,
                      struct text *out)
{
    size_t base = (size_t)row * c->log_stride;
    text_add(out, "invocation %u", row);
    struct spv_lane l;
    if (lanes && spv_lanes_at(c, lanes, row, &l))
        text_add(out, " (subgroup %u, lane %u of %u)", l.subgroup, l.lane, l.size);
    text_add(out, "\n  entry  %-38s  %s\n", "expected", "observed");
    struct judge_cursor ec = {.row = e->words + base, .stride = c->log_stride};
    struct judge_cursor oc = {.row = o->words + base, .stride = c->log_stride};
    bool any = false;
    const bool counted =
        !o->mask || o->mask[base] == UINT32_MAX; // else the number of its entries is undefined
    for (uint32_t i = 0; counted; i++) {
        struct judge_entry x, y;
        bool has_x = judge_log_next(&ec, &x), has_y = judge_log_next(&oc, &y);
        if (!has_x && !has_y)
            break;
        bool wrong = has_x != has_y || x.site != y.site || x.n != y.n || x.at != y.at ||
                     differs(e, o, base + x.at, x.n);
        any |= wrong;
        char want[VALUE_TEXT + 32], got[VALUE_TEXT + 32];
        cell(e, e->mask, NULL, base, &x, has_x, c->subgroup, want, sizeof want);
        // An undefined word is not shown as observed either: it may have any value.
        bool same_place = has_x && has_y && x.at == y.at && x.n == y.n;
        cell(o, same_place ? e->mask : NULL, o->mask, base, &y, has_y, c->subgroup, got,
             sizeof got);
        text_add(out, "%c %5u  %-38s  %s\n", wrong ? '*' : ' ', i, want, got);
    }
    if (!any)
        for (uint32_t i = 0; i < c->log_stride; i++)
            if (differs(e, o, base + i, 1)) {
                char seen[REPORT_WORD_TEXT];
                text_add(
                    out, "* word %-4u expected %-10u observed %s\n", i, e->words[base + i],
                    report_word_text(o, base + i, e->mask ? e->mask[base + i] : UINT32_MAX, seen));
            }
}

void report_table(const struct spv_case *c, const struct spv_memory *expected,
                  const struct spv_memory *observed, uint32_t n, uint32_t max_rows,
                  uint32_t max_words, struct text *out)
{
    uint32_t log =
        c->has_log && c->log_stride ? spv_buffer_index(c, c->log_set, c->log_binding) : UINT32_MAX;
    uint32_t lanes =
        c->has_lanes ? spv_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
    if (log < n) {
        const struct spv_memory *e = &expected[log], *o = &observed[log];
        uint32_t shown = 0, left = 0;
        for (uint32_t row = 0; row < e->count / c->log_stride; row++) {
            if (!differs(e, o, (size_t)row * c->log_stride, c->log_stride))
                continue;
            if (shown == max_rows) {
                left++;
                continue;
            }
            if (shown++)
                text_add(out, "\n");
            row_table(c, e, o, lanes < n ? &observed[lanes] : NULL, row, out);
        }
        if (left)
            text_add(out, "\n... and %u more wrong invocation%s\n", left, left == 1 ? "" : "s");
    }
    for (uint32_t b = 0; b < n; b++) {
        if (b == log || b == lanes)
            continue;
        const struct spv_memory *e = &expected[b], *o = &observed[b];
        uint32_t shown = 0, left = 0;
        for (uint32_t i = 0; i < e->count; i++) {
            if (!differs(e, o, i, 1))
                continue;
            if (shown == max_words) {
                left++;
                continue;
            }
            if (shown++ == 0)
                text_add(out, "%sbuffer %u:%u\n  %8s  %-22s  %s\n", out->n ? "\n" : "", e->set,
                         e->binding, "word", "expected", "observed");
            uint32_t m = e->mask ? e->mask[i] : UINT32_MAX;
            char want[40];
            if (m == UINT32_MAX)
                snprintf(want, sizeof want, "%u (0x%x)", e->words[i], e->words[i]);
            else
                snprintf(want, sizeof want, "0x%x in bits 0x%x", e->words[i], m);
            char seen[REPORT_WORD_TEXT];
            text_add(out, "* %8u  %-22s  %s\n", i, want, report_word_text(o, i, m, seen));
        }
        if (left)
            text_add(out, "... and %u more wrong word%s\n", left, left == 1 ? "" : "s");
    }
}
