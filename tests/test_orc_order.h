// SPDX-License-Identifier: Apache-2.0
//
// The memory model of a compute dispatch, read literally (Vulkan, appendix "Memory Model"): a program is steps
// that sets of invocations take one after the other; every *pair* of accesses is asked what orders it.
//
// Two workgroups of two subgroups of four. A step is two events of each invocation that takes it: the access or
// the release, then the acquire. Words 0 and 1 are of a buffer, 2 and 3 Workgroup memory.
#ifndef TF_TEST_ORC_ORDER_H
#define TF_TEST_ORC_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SIZE = 4, GROUP = 8, ALL = 16, WORDS = 4, MOST = 9, EVENTS = 2 * MOST * ALL };
enum { IN_SUBGROUP, IN_WORKGROUP, NOT }; // scopes

enum what { LOAD, STORE, ADD, ADD_IN_GROUP, OR, EXCHANGE, FENCE, BARRIER };

struct step {
    enum what what;
    uint32_t lanes; // of all invocations
    // An access. Under GLSL450, with Coherent, and of atomics: not private, of scope IN_WORKGROUP.
    uint32_t word;
    bool non_private;
    int own; // scope in which a write makes itself available, a read what it reads visible
    // BARRIER, FENCE:
    int execution, memory;  // scopes; execution: of a barrier
    bool of[2];             // buffers, Workgroup memory
    bool release, acquire;
    bool available, visible; // Make...
};
struct program {
    bool vulkan; // the memory model
    uint32_t n;
    struct step step[MOST];
};

static bool is_atomic(const struct step *s) { return s->what >= ADD && s->what <= EXCHANGE; }
static bool is_access(const struct step *s) { return s->what < FENCE; }
static bool does(const struct step *s, uint32_t p) { return s->lanes >> p & 1; }
static uint32_t space(const struct step *s) { return s->word >= 2; }

// Does the scope as p has it hold q?
static bool holds_both(int scope, uint32_t p, uint32_t q)
{
    return scope == IN_SUBGROUP ? p / SIZE == q / SIZE : scope == IN_WORKGROUP && p / GROUP == q / GROUP;
}

// "Happens-before", by fences that name memory `of`: event -> all that come after it.
struct order {
    uint64_t after[EVENTS][(EVENTS + 63) / 64];
};
static uint32_t event(uint32_t step, bool acquires, uint32_t p) { return (2 * step + acquires) * ALL + p; }

static bool releases(const struct step *s, uint32_t p, uint32_t of) { return !is_access(s) && s->release && s->of[of] && does(s, p); }
static bool acquires(const struct step *s, uint32_t p, uint32_t of) { return !is_access(s) && s->acquire && s->of[of] && does(s, p); }

// Do p and q pass this barrier together? `generous`: also where only some of their subgroup come by.
static bool together(const struct step *s, uint32_t p, uint32_t q, bool generous)
{
    const uint32_t all = 0xfu << p / SIZE * SIZE;
    return s->what == BARRIER && holds_both(s->execution, p, q) && does(s, p) && does(s, q) &&
           (generous || s->execution == IN_WORKGROUP || (s->lanes & all) == all);
}

// "Synchronizes-with" by control barriers: release of p in step r, a barrier that both pass, acquire of q; each
// in the other's scope. The first such acquire, or n.
static uint32_t synchronizes(const struct program *g, uint32_t r, uint32_t p, uint32_t q, uint32_t of, bool generous)
{
    uint32_t b = r, a;
    while (b < g->n && !together(&g->step[b], p, q, generous))
        b++;
    for (a = b; a < g->n; a++)
        if (acquires(&g->step[a], q, of) && holds_both(g->step[a].memory, q, p))
            break;
    return holds_both(g->step[r].memory, p, q) ? a : g->n;
}

static void order_make(const struct program *g, uint32_t of, bool generous, struct order *o)
{
    memset(o, 0, sizeof *o);
    for (uint32_t h = 2 * g->n; h-- > 0;)
        for (uint32_t p = 0; p < ALL; p++) {
            const struct step *s = &g->step[h / 2];
            uint32_t next[1 + ALL], n = 0;
            if (h + 1 < 2 * g->n)
                next[n++] = (h + 1) * ALL + p; // program order
            for (uint32_t q = 0; q < ALL && h % 2 == 0 && releases(s, p, of); q++) {
                const uint32_t a = synchronizes(g, h / 2, p, q, of, generous);
                if (p != q && a < g->n)
                    next[n++] = event(a, true, q);
            }
            uint64_t *mine = o->after[h * ALL + p];
            for (uint32_t k = 0; k < n; k++) {
                mine[next[k] / 64] |= UINT64_C(1) << next[k] % 64;
                for (uint32_t w = 0; w < (EVENTS + 63) / 64; w++)
                    mine[w] |= o->after[next[k]][w];
            }
        }
}

static bool comes_after(const struct order *o, uint32_t first, uint32_t then)
{
    return o->after[first][then / 64] >> then % 64 & 1;
}

static bool same_word(const struct step *s, uint32_t p, const struct step *t, uint32_t q)
{
    return is_access(s) && is_access(t) && s->word == t->word && does(s, p) && does(t, q) &&
           (s->word < 2 || p / GROUP == q / GROUP);
}

// Is step k of z an availability operation on what p does in step i, for q? Its own or a later one of p on that
// word, or a release; `generous`: or another invocation's release (a chain).
static bool makes_available(const struct program *g, uint32_t k, uint32_t z, uint32_t i, uint32_t p, uint32_t q, bool generous)
{
    const struct step *s = &g->step[i], *f = &g->step[k];
    if (is_access(f))
        return z == p && f->what != LOAD && same_word(s, p, f, z) && holds_both(f->own, p, q);
    return (z == p || generous) && releases(f, z, space(s)) && f->available && holds_both(f->memory, z, q);
}

// The same of visibility, for what q does in step j: its own or an earlier one of q on that word, or an acquire of q.
static bool makes_visible(const struct program *g, uint32_t k, uint32_t j, uint32_t q, uint32_t p)
{
    const struct step *t = &g->step[j], *f = &g->step[k];
    if (is_access(f))
        return f->what != STORE && same_word(t, q, f, q) && holds_both(f->own, q, p);
    return acquires(f, q, space(t)) && f->visible && holds_both(f->memory, q, p);
}

// "Location-ordered": is what p does in step i before what q does in step j?
static bool before(const struct program *g, const struct order *o, uint32_t i, uint32_t p, uint32_t j, uint32_t q, bool generous)
{
    const struct step *s = &g->step[i], *t = &g->step[j];
    const uint32_t x = event(i, false, p), y = event(j, false, q);
    if (p == q)
        return i < j;
    if (!s->non_private || !t->non_private || !comes_after(o, x, y))
        return false;
    if (s->what == LOAD)
        return true;
    for (uint32_t k = i; k < j; k++)
        for (uint32_t z = 0; z < ALL; z++) {
            const uint32_t at = event(k, false, z);
            if (!makes_available(g, k, z, i, p, q, generous) || (at != x && !comes_after(o, x, at)) || !comes_after(o, at, y))
                continue;
            if (t->what == STORE)
                return true;
            for (uint32_t v = k; v <= j; v++) {
                const uint32_t then = event(v, !is_access(&g->step[v]), q);
                if (makes_visible(g, v, j, q, p) && comes_after(o, at, then) && (then == y || comes_after(o, then, y)))
                    return true;
            }
        }
    return false;
}

static bool unordered(const struct program *g, const struct order o[2], uint32_t i, uint32_t p, uint32_t j,
                      uint32_t q, bool generous)
{
    const struct step *s = &g->step[i], *t = &g->step[j];
    return p != q && same_word(s, p, t, q) && !before(g, &o[space(s)], i, p, j, q, generous) &&
           !before(g, &o[space(s)], j, q, i, p, generous);
}

// "Two conflicting accesses": one writes, not both are atomic, or their scope has not both.
static bool conflict(const struct step *s, uint32_t p, const struct step *t, uint32_t q)
{
    if (is_atomic(s) && is_atomic(t))
        return p / GROUP != q / GROUP && (s->what == ADD_IN_GROUP || t->what == ADD_IN_GROUP);
    return s->what != LOAD || t->what != LOAD;
}

static bool races(const struct program *g, const struct order o[2], bool generous)
{
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t j = i; j < g->n; j++)
            for (uint32_t p = 0; p < ALL; p++)
                for (uint32_t q = 0; q < ALL; q++)
                    if (same_word(&g->step[i], p, &g->step[j], q) &&
                        conflict(&g->step[i], p, &g->step[j], q) && unordered(g, o, i, p, j, q, generous))
                        return true;
    return false;
}

static bool commute(enum what x, enum what y)
{
    if (x == ADD_IN_GROUP)
        x = ADD;
    if (y == ADD_IN_GROUP)
        y = ADD;
    return x == y && x != EXCHANGE;
}

// Before step `end`: may the order of two updates of a word, as workgroup w sees it, be seen? Not where
// somebody later overwrites the word after both.
static bool open_order(const struct program *g, const struct order o[2], uint32_t word, uint32_t w, uint32_t end)
{
    const struct step at = {.what = LOAD, .word = word, .lanes = 0xffff};
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t j = i; j < end; j++)
            for (uint32_t p = 0; p < ALL; p++)
                for (uint32_t q = 0; q < ALL; q++) {
                    const struct step *s = &g->step[i], *t = &g->step[j];
                    if (!same_word(s, p, &at, w * GROUP) || !same_word(t, q, &at, w * GROUP) ||
                        !is_atomic(s) || !is_atomic(t) || commute(s->what, t->what) ||
                        !unordered(g, o, i, p, j, q, false))
                        continue;
                    bool over = false;
                    for (uint32_t z = j; z < end; z++)
                        for (uint32_t e = 0; e < ALL; e++)
                            over |= (g->step[z].what == STORE || g->step[z].what == EXCHANGE) &&
                                    same_word(&g->step[z], e, t, q) &&
                                    before(g, &o[space(t)], i, p, z, e, false) &&
                                    before(g, &o[space(t)], j, q, z, e, false);
                    if (!over)
                        return true;
                }
    return false;
}

static uint32_t value_of(uint32_t k) { return 3 * k + 1; }

// What the word holds for workgroup w before step `end`; false where that is not known.
static bool holds(const struct program *g, const struct order o[2], uint32_t word, uint32_t w, uint32_t end, uint32_t *value)
{
    bool known = word < 2; // Workgroup memory begins undefined
    *value = word;
    for (uint32_t k = 0; k < end; k++)
        for (uint32_t p = 0; p < ALL; p++) {
            const struct step *s = &g->step[k], at = {.word = word, .lanes = 0xffff};
            if (!same_word(s, p, &at, w * GROUP))
                continue;
            if (s->what == STORE || s->what == EXCHANGE)
                *value = value_of(k), known = true;
            else if (s->what == OR)
                *value |= value_of(k);
            else if (s->what != LOAD)
                *value += value_of(k);
        }
    return known && !open_order(g, o, word, w, end);
}

#endif
