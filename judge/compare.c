// SPDX-License-Identifier: Apache-2.0
//
// Compares expected and observed memory: one verdict. Every bit under the masks is compared. The
// first wrong log entry decides the class.
#include "judge.h"

#include <string.h>

// The first difference in one row of the log.
struct row_diff {
    enum judge_class klass;
    bool has_site;
    uint32_t entry, site, word; // word: offset in the row
    uint32_t value;             // index in the entry
};

static uint32_t mask_of(const struct spv_memory *m, uint32_t i)
{
    return m->mask ? m->mask[i] : UINT32_MAX;
}

static unsigned bits(uint32_t v)
{
    return v ? count_ones(v) : 0;
}

// True if value i of an entry is a word of a ballot.
static bool is_ballot(const struct judge_entry *x, uint32_t i)
{
    return i < 8 && x->ballots >> i & 1;
}

uint32_t judge_wrong_bits(const struct spv_memory *expected, const struct spv_memory *observed,
                          size_t i)
{
    const uint32_t known = observed->mask ? observed->mask[i] : UINT32_MAX;
    return ((expected->words[i] ^ observed->words[i]) | ~known) &
           (expected->mask ? expected->mask[i] : UINT32_MAX);
}

// A row of the log: `stride` words, expected and observed, that begin at `base`.
struct row {
    const struct spv_memory *e, *o;
    size_t base;
    uint32_t stride;
};

static uint32_t wrong_at(const struct row *r, uint32_t i)
{
    return judge_wrong_bits(r->e, r->o, r->base + i);
}

// True if all bits of the word are defined. A row's count and an entry's header are read only then.
static bool whole(const struct spv_memory *m, size_t i)
{
    return mask_of(m, (uint32_t)i) == UINT32_MAX;
}

// Returns the class for two entries of one site whose values first differ at index `first`.
static enum judge_class value_class(const struct row *r, const struct judge_entry *x,
                                    uint32_t first)
{
    if (!is_ballot(x, first))
        return JUDGE_WRONG_VALUE;
    uint32_t missing = 0, extra = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!is_ballot(x, i))
            continue;
        const uint32_t want = r->e->words[r->base + x->at + i], wrong = wrong_at(r, x->at + i);
        missing |= want & wrong;
        extra |= ~want & wrong;
    }
    return missing && extra ? JUDGE_WRONG_SET : missing ? JUDGE_MISSING_LANES : JUDGE_EXTRA_LANES;
}

// Returns the number of entries before the next one of `site`; UINT32_MAX if there is none.
static uint32_t distance(struct judge_cursor c, uint32_t site)
{
    struct judge_entry x;
    for (uint32_t d = 0; judge_log_next(&c, &x); d++)
        if (x.site == site)
            return d;
    return UINT32_MAX;
}

// Returns the first difference of a row that has one. It has no site (JUDGE_WRONG_MEMORY) if it
// lies after the entries, or if a count or header is undefined in either memory.
static struct row_diff row_diff(const struct row *r)
{
    const uint32_t *e = r->e->words + r->base, *o = r->o->words + r->base;
    struct judge_cursor ec = {.row = e, .stride = r->stride}, oc = {.row = o, .stride = r->stride};
    struct row_diff d = {.klass = JUDGE_WRONG_MEMORY};
    bool open = !whole(r->e, r->base) || !whole(r->o, r->base);
    for (; !open; d.entry++) {
        struct judge_entry x = {0}, y = {0};
        struct judge_cursor e_before = ec, o_before = oc;
        bool has_x = judge_log_next(&ec, &x), has_y = judge_log_next(&oc, &y);
        if ((has_x && !whole(r->e, r->base + x.at - 1)) ||
            (has_y && !whole(r->o, r->base + y.at - 1)))
            break;
        if (!has_x && !has_y)
            break;
        d.has_site = true;
        d.site = has_x ? x.site : y.site;
        d.word = (has_x ? x.at : y.at) - 1;
        if (!has_y) {
            d.klass = JUDGE_MISSING_EXECUTION;
            return d;
        }
        if (!has_x) {
            d.klass = JUDGE_EXTRA_EXECUTION;
            return d;
        }
        if (x.site != y.site) {
            // The side that reaches the other's site after fewer entries shows what was added or
            // left out. If neither does, the expected site was not reached.
            uint32_t skipped = distance(e_before, y.site), added = distance(o_before, x.site);
            d.klass = added < skipped ? JUDGE_EXTRA_EXECUTION : JUDGE_MISSING_EXECUTION;
            if (d.klass == JUDGE_EXTRA_EXECUTION)
                d.site = y.site;
            return d;
        }
        if (e[x.at - 1] != o[y.at - 1]) {
            d.klass = JUDGE_WRONG_VALUE;
            return d;
        }
        for (uint32_t i = 0; i < x.n; i++) {
            if (wrong_at(r, x.at + i)) {
                d.klass = value_class(r, &x, i);
                d.word = x.at + i;
                d.value = i;
                return d;
            }
        }
    }
    d.has_site = false;
    for (d.word = 0; d.word < r->stride; d.word++)
        if (wrong_at(r, d.word))
            break;
    return d;
}

// Counts the live bits of a row: those of its count and its entries.
static uint64_t row_live(const uint32_t *e, const uint32_t *mask, uint32_t stride)
{
    uint32_t used = e[0] < stride - 1 ? e[0] : stride - 1;
    if (used == 0)
        return 0;
    uint64_t live = mask ? 0 : 32 * (uint64_t)(used + 1);
    for (uint32_t i = 0; i <= used && mask; i++)
        live += bits(mask[i]);
    return live;
}

struct log_first {
    bool any;
    uint32_t row;
    struct row_diff diff;
};

static void compare_log(const struct spv_case *c, const struct spv_memory *e,
                        const struct spv_memory *o, struct judge_verdict *v,
                        struct log_first *first)
{
    uint32_t stride = c->log_stride;
    for (uint32_t row = 0; row < e->count / stride; row++) {
        size_t base = (size_t)row * stride;
        const uint32_t *ew = e->words + base, *ow = o->words + base;
        const uint32_t *mask = e->mask ? e->mask + base : NULL;
        v->live_bits += row_live(ew, mask, stride);
        if (!o->mask && memcmp(ew, ow, stride * sizeof *ew) == 0)
            continue;
        const struct row r = {e, o, base, stride};
        uint64_t wrong = 0;
        for (uint32_t i = 0; i < stride; i++)
            wrong += bits(wrong_at(&r, i));
        if (wrong == 0)
            continue;
        v->wrong_bits += wrong;
        v->wrong_invocations++;
        struct row_diff d = row_diff(&r);
        // A difference with a site is preferred to one without, in any row.
        if (!first->any || (d.has_site && !first->diff.has_site) ||
            (d.has_site == first->diff.has_site && d.entry < first->diff.entry))
            *first = (struct log_first){.any = true, .row = row, .diff = d};
    }
}

static void place(struct judge_verdict *v, const struct spv_memory *e, const struct spv_memory *o,
                  uint32_t word)
{
    v->has_place = true;
    v->set = e->set;
    v->binding = e->binding;
    v->word = word;
    v->expected = e->words[word] & mask_of(e, word);
    v->observed = o->words[word] & mask_of(e, word);
    v->undefined = (mask_of(e, word) & ~mask_of(o, word)) != 0;
}

// Prints "expected X, observed Y". `hex`: the word is a set of lanes.
static void words_text(const struct judge_verdict *v, bool hex, char *out, size_t size)
{
    char want[40], seen[40];
    snprintf(want, sizeof want, hex ? "ballot word 0x%x" : "%u (0x%x)", v->expected, v->expected);
    snprintf(seen, sizeof seen, hex ? "0x%x" : "%u (0x%x)", v->observed, v->observed);
    snprintf(out, size, "expected %s, observed %s", want, v->undefined ? "no defined value" : seen);
}

// Describes the difference: lane sets as sets, other words as numbers.
static void log_text(const struct spv_case *c, struct judge_verdict *v)
{
    int n = snprintf(v->text, sizeof v->text,
                     "invocation %u, log entry %u, site %u: ", v->invocation, v->entry, v->site);
    size_t at = n > 0 ? (size_t)n : 0;
    char *p = v->text + at;
    size_t room = sizeof v->text - at;
    switch (v->klass) {
    case JUDGE_MISSING_EXECUTION:
        snprintf(p, room, "must be reached and was not");
        break;
    case JUDGE_EXTRA_EXECUTION:
        snprintf(p, room, "was reached and must not be");
        break;
    case JUDGE_MISSING_LANES:
    case JUDGE_EXTRA_LANES:
    case JUDGE_WRONG_SET: {
        // The log does not record which word of a ballot this is, so lanes are shown only for
        // ballots of one word.
        if (c->subgroup == 0 || c->subgroup > 32) {
            words_text(v, true, p, room);
            break;
        }
        char want[JUDGE_LANE_SET], got[JUDGE_LANE_SET];
        judge_lane_set(v->expected, want, sizeof want);
        judge_lane_set(v->observed, got, sizeof got);
        snprintf(p, room, "expected lanes %s, observed %s", want,
                 v->undefined ? "no defined value" : got);
        break;
    }
    default:
        words_text(v, false, p, room);
        break;
    }
}

void judge_compare(const struct spv_case *c, const struct spv_memory *expected,
                   const struct spv_memory *observed, uint32_t n, struct judge_verdict *out)
{
    *out = (struct judge_verdict){0};
    CHECK(n == c->buffer_count);
    uint32_t log = c->has_log ? spv_buffer_index(c, c->log_set, c->log_binding) : UINT32_MAX;
    const uint32_t lanes = judge_lanes_index(c);
    if (log < n && c->log_stride == 0)
        log = UINT32_MAX;
    struct log_first first = {0};
    for (uint32_t b = 0; b < n; b++) {
        const struct spv_memory *e = &expected[b], *o = &observed[b];
        CHECK(e->set == o->set && e->binding == o->binding && e->count == o->count);
        if (b == lanes)
            continue;
        uint32_t from = 0;
        if (b == log) {
            compare_log(c, e, o, out, &first);
            from = e->count / c->log_stride * c->log_stride;
        }
        for (uint32_t i = from; i < e->count; i++) {
            uint32_t m = mask_of(e, i), wrong = judge_wrong_bits(e, o, i);
            if ((e->words[i] ^ c->buffer[b].words[i]) & m)
                out->live_bits += bits(m);
            if (!wrong)
                continue;
            out->wrong_bits += bits(wrong);
            if (!out->has_place)
                place(out, e, o, i);
        }
    }
    if (first.any) {
        const struct row_diff *d = &first.diff;
        place(out, &expected[log], &observed[log], first.row * c->log_stride + d->word);
        out->klass = d->klass;
        out->has_site = d->has_site;
        out->invocation = first.row;
        out->entry = d->entry;
        out->site = d->site;
        out->value = d->value;
    } else if (out->has_place) {
        out->klass = JUDGE_WRONG_MEMORY;
    } else {
        out->klass = out->live_bits ? JUDGE_AGREES : JUDGE_NOTHING_COMPARED;
    }

    if (out->has_site) {
        log_text(c, out);
    } else if (out->has_place) {
        char words[160];
        words_text(out, false, words, sizeof words);
        snprintf(out->text, sizeof out->text, "buffer %u:%u, word %u: %s", out->set, out->binding,
                 out->word, words);
    } else if (out->klass == JUDGE_AGREES) {
        snprintf(out->text, sizeof out->text, "%llu bits agree",
                 (unsigned long long)out->live_bits);
    } else {
        snprintf(out->text, sizeof out->text, "%s", judge_class_line(out->klass));
    }
}
