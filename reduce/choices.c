// SPDX-License-Identifier: Apache-2.0
//
// Stage 1: edits the choice sequence that generated a case. Input: bytes, and spans over them.
// Output: a smaller sequence (shortlex) that generates an interesting case. This code does not know
// what a choice means. It knows only that a span covers one element of the program, and that zero
// is the simplest choice.
#include "inner.h"

#include <string.h>

// A sequence to try.
struct edit {
    const uint8_t *v;
    uint32_t n;
    bool tried; // without success, as an edit of an earlier sequence
};
typedef VEC(struct edit) edits;

struct choices {
    struct gen_options o;
    uint32_t input;       // index of the case among the generated ones, from 0
    enum spv_model model; // the model and policy to judge it by, which `; from` does not record
    bool has_policy;
    enum spv_policy policy;
    const uint8_t *v;
    uint32_t n; // without trailing zeros
    const struct gen_span *spans;
    uint32_t span_count;
    edits edits;
    struct gen_options *options; // one per edit; NULL: all use `o`
    struct {
        uint64_t *v; // hashes of edits that were tried without success; open addressing, 0: free
        size_t size, used;
    } tried;
};

static uint32_t trimmed(const uint8_t *v, size_t n)
{
    while (n && v[n - 1] == 0)
        n--;
    return (uint32_t)n;
}

// True if x is shorter than y, or equally long and lexicographically smaller.
static bool shortlex(const uint8_t *x, uint32_t n, const uint8_t *y, uint32_t m)
{
    return n != m ? n < m : n && memcmp(x, y, n) < 0;
}

static bool make(const void *user, struct arena *a, uint32_t index, struct spv_case *out)
{
    const struct choices *s = user;
    const struct gen_options *o = s->options ? &s->options[index] : &s->o;
    const struct edit *e = &s->edits.v[index];
    struct gen_choices c;
    struct gen_made made;
    if (e->tried)
        return false;
    gen_choices_bytes(&c, a, e->v, e->n);
    gen_make(&c, o, &made);
    uint32_t n = trimmed(made.choices, made.choice_count);
    // Equal bytes count as smaller only with simpler options.
    if (!shortlex(made.choices, n, s->v, s->n) &&
        !(s->options && n == s->n && (!n || memcmp(made.choices, s->v, n) == 0)))
        return false;
    if (s->input >= made.case_count)
        return false;
    *out = made.cases[s->input];
    out->model = s->model;
    out->has_policy = s->has_policy;
    out->policy = (struct spv_choices){.base = s->policy}; // the labels have changed
    return true;
}

// ---- passes ---------------------------------------------------------------------------

// Plans [0 .. first) + [from .. to) + [end ..).
static void splice(struct choices *s, struct arena *a, uint32_t first, uint32_t end, uint32_t from,
                   uint32_t to)
{
    uint32_t tail = s->n > end ? s->n - end : 0;
    if (first >= s->n)
        return;
    to = to < s->n ? to : s->n;
    from = from < to ? from : to;
    uint8_t *v = arena_alloc(a, (size_t)first + (to - from) + tail);
    if (first)
        memcpy(v, s->v, first);
    if (to > from)
        memcpy(v + first, s->v + from, to - from);
    if (tail)
        memcpy(v + first + (to - from), s->v + end, tail);
    *VEC_PUSH(a, &s->edits) = (struct edit){.v = v, .n = first + (to - from) + tail};
}

static uint8_t *copy(struct choices *s, struct arena *a)
{
    uint8_t *v = arena_copy(a, s->v, s->n);
    *VEC_PUSH(a, &s->edits) = (struct edit){.v = v, .n = s->n};
    return v;
}

// Returns the next span after `i` that is not nested in it.
static uint32_t after(const struct choices *s, uint32_t i)
{
    uint32_t k = i + 1;
    while (k < s->span_count && s->spans[k].depth > s->spans[i].depth)
        k++;
    return k;
}

// Deletes runs of sibling spans: all of them, half, a quarter ... one (ddmin).
static void plan_delete(struct choices *s, struct arena *a)
{
    VEC(uint32_t) list = {0};
    for (uint32_t p = 0; p < s->span_count; p++) {
        list.n = 0;
        for (uint32_t k = p + 1; k < s->span_count && s->spans[k].depth > s->spans[p].depth;
             k = after(s, k))
            if (s->spans[k].end > s->spans[k].first)
                *VEC_PUSH(a, &list) = k;
        for (uint32_t size = (uint32_t)list.n; size; size /= 2)
            for (uint32_t i = 0; i + size <= list.n; i += size) {
                const struct gen_span *x = &s->spans[list.v[i]];
                const struct gen_span *y = &s->spans[list.v[i + size - 1]];
                splice(s, a, x->first, y->end, 0, 0);
            }
    }
}

// Replaces a span by a nested one of the same kind, or by all spans of that kind directly inside a
// nested one.
static void plan_hoist(struct choices *s, struct arena *a)
{
    for (uint32_t p = 0; p < s->span_count; p++) {
        const struct gen_span *outer = &s->spans[p];
        const uint32_t end = after(s, p);
        for (uint32_t k = p + 1; k < end; k++) {
            const struct gen_span *in = &s->spans[k];
            if (in->kind == outer->kind)
                splice(s, a, outer->first, outer->end, in->first, in->end);
            // All of its direct children of that kind.
            uint32_t first = UINT32_MAX, last = 0;
            for (uint32_t j = k + 1; j < end && s->spans[j].depth > in->depth; j = after(s, j))
                if (s->spans[j].kind == outer->kind) {
                    first = first == UINT32_MAX ? j : first;
                    last = j;
                }
            if (first != UINT32_MAX && first != last)
                splice(s, a, outer->first, outer->end, s->spans[first].first, s->spans[last].end);
        }
    }
}

// Sets whole spans to zero, outer spans first.
static void plan_zero(struct choices *s, struct arena *a)
{
    for (uint32_t k = 0; k < s->span_count; k++) {
        uint32_t first = s->spans[k].first, end = s->spans[k].end < s->n ? s->spans[k].end : s->n;
        bool any = false;
        for (uint32_t i = first; i < end; i++)
            any |= s->v[i] != 0;
        if (any && end - first > 1)
            memset(copy(s, a) + first, 0, end - first);
    }
}

// Sets all spans with equal bytes to zero at once, or deletes them all.
static void plan_equal(struct choices *s, struct arena *a)
{
    for (uint32_t k = 0; k < s->span_count; k++) {
        const struct gen_span *x = &s->spans[k];
        const uint32_t size = x->end - x->first;
        bool first = true;
        uint32_t twins = 0;
        if (size == 0 || x->end > s->n)
            continue;
        for (uint32_t j = 0; j < s->span_count && first; j++) {
            const struct gen_span *y = &s->spans[j];
            if (y->kind != x->kind || y->end - y->first != size || y->end > s->n ||
                memcmp(s->v + x->first, s->v + y->first, size) != 0)
                continue;
            first = j >= k;
            twins++;
        }
        if (!first || twins < 2)
            continue;
        uint8_t *zero = copy(s, a), *out = arena_alloc(a, s->n);
        uint32_t n = 0;
        for (uint32_t i = 0, j = 0; i < s->n;) {
            while (j < s->span_count && s->spans[j].first < i)
                j++;
            uint32_t at = j;
            while (at < s->span_count && s->spans[at].first == i &&
                   (s->spans[at].kind != x->kind || s->spans[at].end - i != size))
                at++;
            if (at < s->span_count && s->spans[at].first == i && s->spans[at].end <= s->n &&
                memcmp(s->v + i, s->v + x->first, size) == 0) {
                memset(zero + i, 0, size);
                i += size;
            } else {
                out[n++] = s->v[i++];
            }
        }
        *VEC_PUSH(a, &s->edits) = (struct edit){.v = out, .n = n};
    }
}

// Lowers each byte: to zero, to one, to half, by one.
static void plan_lower(struct choices *s, struct arena *a)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const uint8_t b = s->v[i], to[] = {0, 1, b / 2, (uint8_t)(b - 1)};
        for (size_t k = 0; k < sizeof to && to[k] < b; k++)
            if (k < 2 || to[k] > 1)
                copy(s, a)[i] = to[k];
    }
}

// Deletes up to 8 consecutive bytes, regardless of spans, for bytes that no span covers.
static void plan_cut(struct choices *s, struct arena *a)
{
    for (uint32_t size = 8; size; size /= 2)
        for (uint32_t i = 0; i + size <= s->n; i++)
            splice(s, a, i, i + size, 0, 0);
}

// Simpler options: smaller profile, subgroup and workgroup.
static void plan_options(struct choices *s, struct arena *a)
{
    struct gen_options v[16];
    uint32_t n = 0;
    for (uint32_t p = 0; p < (uint32_t)s->o.profile; p++) {
        v[n] = s->o;
        v[n++].profile = (enum gen_profile)p;
    }
    if (s->o.log != GEN_LOG_ENTRIES) {
        v[n] = s->o;
        v[n++].log = GEN_LOG_ENTRIES;
    }
    for (uint32_t size = 4; size < s->o.subgroup && n < 12; size *= 2) {
        v[n] = s->o;
        v[n++].subgroup = size;
    }
    if (s->o.max_invocations > s->o.subgroup) {
        v[n] = s->o;
        v[n++].max_invocations = s->o.subgroup;
    }
    s->options = ARENA_ARRAY(a, struct gen_options, n);
    for (uint32_t i = 0; i < n; i++) {
        s->options[i] = v[i];
        *VEC_PUSH(a, &s->edits) = (struct edit){.v = s->v, .n = s->n};
    }
}

static const struct {
    const char *name;
    void (*plan)(struct choices *s, struct arena *a);
} passes[] = {
    {"delete parts", plan_delete}, {"hoist parts", plan_hoist},     {"zero parts", plan_zero},
    {"equal parts", plan_equal},   {"simpler sizes", plan_options}, {"lower choices", plan_lower},
    {"cut choices", plan_cut},
};
enum { PASSES = sizeof passes / sizeof *passes };

// ---- edits tried without success -------------------------------------------------------------

// Whether a sequence is interesting does not depend on the sequence that it was edited from, and
// most edits are planned again after each success.
static uint64_t hash_of(const struct choices *s, const struct edit *e)
{
    uint64_t h = hash64(e->v, trimmed(e->v, e->n));
    const struct gen_options *o = s->options ? &s->options[e - s->edits.v] : &s->o;
    const uint32_t how[] = {(uint32_t)o->profile, o->subgroup, o->max_invocations,
                            (uint32_t)o->log};
    h = hash64_with(h, how, sizeof how);
    return h + (h == 0);
}

static uint64_t *slot_of(const struct choices *s, uint64_t hash)
{
    size_t at = (size_t)hash & (s->tried.size - 1);
    while (s->tried.v[at] && s->tried.v[at] != hash)
        at = (at + 1) & (s->tried.size - 1);
    return &s->tried.v[at];
}

static void remember(struct choices *s, struct arena *a, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        if (2 * (s->tried.used + 1) > s->tried.size) {
            uint64_t *old = s->tried.v;
            size_t n = s->tried.size;
            s->tried.size = n ? 2 * n : 4096;
            s->tried.v = ARENA_ARRAY(a, uint64_t, s->tried.size);
            for (size_t k = 0; k < n; k++)
                if (old[k])
                    *slot_of(s, old[k]) = old[k];
        }
        uint64_t hash = hash_of(s, &s->edits.v[i]), *slot = slot_of(s, hash);
        s->tried.used += *slot == 0;
        *slot = hash;
    }
}

static void mark_tried(struct choices *s)
{
    for (size_t i = 0; i < s->edits.n && s->tried.size; i++) {
        uint64_t hash = hash_of(s, &s->edits.v[i]);
        s->edits.v[i].tried = *slot_of(s, hash) == hash;
    }
}

// ---- the stage ----------------------------------------------------------------------------

// Reads a case's choice sequence and generates the case again to get its spans.
static bool read_from(struct arena *a, const struct spv_case *c, struct choices *s, struct err *e)
{
    const uint8_t *bytes;
    size_t n;
    if (!c->from)
        return err_set(e, "the case has no `; from` line");
    if (!gen_from_read(a, c->from, &s->o, &bytes, &n, e))
        return false;
    s->input = c->inputs_at ? c->inputs_at - 1 : 0;
    struct gen_choices again;
    struct gen_made made;
    gen_choices_bytes(&again, a, bytes, n);
    gen_make(&again, &s->o, &made);
    s->v = made.choices;
    s->n = trimmed(made.choices, made.choice_count);
    s->spans = made.spans;
    s->span_count = (uint32_t)made.span_count;
    if (s->input >= made.case_count || made.cases[0].count != c->count ||
        memcmp(made.cases[0].words, c->words, c->count * sizeof *c->words) != 0)
        return err_set(e, "the choices in its `; from` line do not generate this module");
    return true;
}

bool red_has_choices(struct arena *a, const struct spv_case *c, struct err *e)
{
    struct choices s;
    return read_from(a, c, &s, e);
}

bool choices_reduce(struct red_search *search, struct red_stats *stats, struct arena *a,
                    struct spv_case *best)
{
    struct choices *s = ARENA_NEW(a, struct choices);
    struct arena plan = {0}, now = {0};
    const struct red_maker maker = {.user = s, .make = make, .generated = true};
    struct err e;
    bool again = true, go = true;
    stats->stage = RED_CHOICES;
    if (!read_from(&now, best, s, &e)) {
        arena_free(&now);
        return true;
    }
    s->model = best->model;
    s->has_policy = best->has_policy;
    s->policy = best->policy.base;
    stats->now.choices = s->n;
    if (!stats->first.choices)
        stats->first.choices = s->n;
    for (stats->round = 1; again && go; stats->round++) {
        again = false;
        for (size_t p = 0; p < PASSES && go; p++) {
            stats->pass = passes[p].name;
            for (uint32_t at = 0; go;) {
                arena_reset(&plan);
                s->edits = (edits){0};
                s->options = NULL;
                passes[p].plan(s, &plan);
                mark_tried(s);
                struct spv_case found;
                const uint32_t n = (uint32_t)s->edits.n, from = at;
                at = search_first(search, a, &maker, at, n, &found);
                if (at != UINT32_MAX)
                    remember(s, a, from, at);
                if (at >= n) {
                    go = at != UINT32_MAX;
                    break;
                }
                *best = found;
                again = true;
                arena_reset(&now);
                s->input = best->inputs_at ? best->inputs_at - 1 : 0;
                CHECK(read_from(&now, best, s, &e));
                stats->now.choices = s->n;
                go = search_accept(search, best);
            }
        }
    }
    arena_free(&plan);
    arena_free(&now);
    return go;
}
