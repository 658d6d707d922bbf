// SPDX-License-Identifier: Apache-2.0
//
// The oracle's run of a case is kept as a list of events. The tangle that a wrong ballot stands
// for is found in it by its lanes; of each lane that is missing or too many it tells what the
// lane does before and after.
#include "manner.h"

#include <stdio.h>
#include <string.h>

enum { EVENTS = 20000, CODES = 8 };

struct moment {
    uint32_t workgroup, subgroup, id; // id: of a group operation, 0 for a block
    lane_mask active, live;
    const char *rule;
};
struct watch {
    struct arena *a;
    VEC(struct moment) v;
};

static void see(void *user, const struct orc_event *e)
{
    struct watch *w = user;
    if (w->v.n >= EVENTS)
        return;
    *VEC_PUSH(w->a, &w->v) = (struct moment){.workgroup = e->workgroup,
                                             .subgroup = e->subgroup,
                                             .active = e->active,
                                             .live = e->live,
                                             .id = e->kind == ORC_EVENT_GROUP ? e->id : 0,
                                             .rule = e->rule ? e->rule : ""};
}

static void run(struct watch *w, const struct spv_case *c)
{
    struct spv_case mine = *c;
    struct orc_observer o = {see, w};
    struct orc_options options = {.policy = c->has_policy ? &c->policy : NULL, .observer = &o};
    struct orc_result r;
    if (mine.model != SPV_MAXIMAL)
        mine.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(w->a, &mine, c->subgroup, &options, &r);
}

// ---- what lanes do ----------------------------------------------------------------------

struct codes {
    const char *v[CODES];
    uint32_t n;
};

static void add(struct codes *k, const char *code)
{
    uint32_t at = 0;
    while (at < k->n && strcmp(k->v[at], code) < 0)
        at++;
    if (k->n == CODES || (at < k->n && strcmp(k->v[at], code) == 0))
        return;
    memmove(k->v + at + 1, k->v + at, (k->n - at) * sizeof *k->v);
    k->v[at] = code;
    k->n++;
}

static bool same_place(const struct moment *x, const struct moment *y)
{
    return x->workgroup == y->workgroup && x->subgroup == y->subgroup;
}

// Where a lane is that is counted and should not be: the rule by which it goes on.
static const char *where_is(const struct watch *w, size_t at, unsigned lane)
{
    const struct moment *v = w->v.v, *t = &v[at];
    if (!lane_in(t->live, lane))
        return "absent";
    for (size_t i = at + 1; i < w->v.n; i++)
        if (v[i].id == t->id && same_place(&v[i], t) && lane_in(v[i].active, lane))
            return "again";
    for (size_t i = at + 1; i < w->v.n; i++)
        if (same_place(&v[i], t) && lane_in(v[i].active, lane))
            // Of two arms the one that runs first is nobody's promise.
            return strcmp(v[i].rule, "D1") == 0 ? "M1" : v[i].rule[0] ? v[i].rule : "goes on";
    return "ended";
}

// What kept or will keep lanes from those that they should be with.
static const char *what_parts(const struct watch *w, size_t at, lane_mask tangle)
{
    const struct moment *v = w->v.v, *t = &v[at];
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < at; i++) {
        lane_mask here = v[i].active & tangle;
        if (same_place(&v[i], t) && here && here != tangle)
            last = i;
    }
    for (size_t i = last + 1; last != SIZE_MAX && i <= at; i++)
        if (same_place(&v[i], t) && (v[i].active & tangle) == tangle)
            return v[i].rule[0] ? v[i].rule : "joined";
    for (size_t i = at + 1; last == SIZE_MAX && i < w->v.n; i++) {
        lane_mask here = v[i].active & tangle;
        if (same_place(&v[i], t) && here && here != tangle)
            return strcmp(v[i].rule, "D2") == 0   ? "before D2"
                   : strcmp(v[i].rule, "D1") == 0 ? "before D1"
                                                  : "before a branch";
    }
    return "never apart";
}

static void tell(struct text *t, const char *what, const struct codes *k)
{
    if (!k->n)
        return;
    text_add(t, "%s%s: ", t->n ? "; " : "", what);
    for (uint32_t i = 0; i < k->n; i++)
        text_add(t, "%s%s", i ? "/" : "", k->v[i]);
}

void manner_of(const struct spv_case *c, uint32_t ballot, const struct spv_memory *e,
               const struct spv_memory *o, char out[MANNER_MAX])
{
    struct arena a = {0};
    struct watch w = {.a = &a};
    struct codes extra = {.n = 0}, missing = {.n = 0};
    struct text t = {.arena = &a};
    text_addn(&t, "", 0);
    run(&w, c);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < e[b].count && !extra.n && !missing.n; i++) {
            uint32_t mask = e[b].mask ? e[b].mask[i] : UINT32_MAX;
            uint32_t x = e[b].words[i], y = o[b].words[i];
            size_t at = 0;
            if (((x ^ y) & mask) == 0)
                continue;
            while (at < w.v.n && (w.v.v[at].id != ballot || (uint32_t)w.v.v[at].active != x))
                at++;
            if (at == w.v.n)
                continue;
            // A tangle holds at least the lane that asks; what is no set of lanes is no ballot.
            if ((y & mask) == 0 || (c->subgroup < 32 && y >> c->subgroup))
                continue;
            for (unsigned l = 0; l < 32; l++)
                if (y & ~x & 1u << l)
                    add(&extra, where_is(&w, at, l));
            if (x & ~y)
                add(&missing, what_parts(&w, at, w.v.v[at].active));
        }
    tell(&t, "extra", &extra);
    tell(&t, "missing", &missing);
    snprintf(out, MANNER_MAX, "%s", t.v);
    arena_free(&a);
}

void manner_of_place(const struct spv_case *c, uint32_t id, char out[MANNER_MAX])
{
    struct arena a = {0};
    struct watch w = {.a = &a};
    bool part = false;
    run(&w, c);
    for (size_t i = 0; i < w.v.n; i++)
        part |= w.v.v[i].id == id && w.v.v[i].active != w.v.v[i].live;
    snprintf(out, MANNER_MAX, "%s", part ? "part" : "whole");
    arena_free(&a);
}

uint32_t manner_order(const struct spv_case *c, uint32_t *ids, uint32_t max)
{
    struct arena a = {0};
    struct watch w = {.a = &a};
    uint32_t n = 0;
    run(&w, c);
    for (size_t i = 0; i < w.v.n && n < max; i++) {
        uint32_t k = 0;
        while (k < n && ids[k] != w.v.v[i].id)
            k++;
        if (w.v.v[i].id && k == n)
            ids[n++] = w.v.v[i].id;
    }
    arena_free(&a);
    return n;
}
