// SPDX-License-Identifier: Apache-2.0
#include "census.h"

#include "judge/judge.h"
#include "oracle/oracle.h"

#include <stdlib.h>

// ---- a set of hashes ------------------------------------------------------------------------

static bool put(struct census_set *s, uint64_t hash)
{
    size_t at = hash & (s->room - 1);
    while (s->v[at] && s->v[at] != hash)
        at = (at + 1) & (s->room - 1);
    const bool fresh = !s->v[at];
    s->v[at] = hash;
    s->n += fresh;
    return fresh;
}

// Adds a hash other than 0. False if it is there already.
static bool add(struct census_set *s, uint64_t hash)
{
    if (2 * s->n >= s->room) {
        struct census_set larger = {.room = s->room ? 2 * s->room : 1024};
        larger.v = mem_new(larger.room * sizeof *larger.v);
        for (size_t i = 0; i < s->room; i++)
            if (s->v[i])
                put(&larger, s->v[i]);
        free(s->v);
        *s = larger;
    }
    return put(s, hash);
}

void census_free(struct census *s)
{
    free(s->seen.v);
    s->seen = (struct census_set){0};
}

// ---- one program ----------------------------------------------------------------------------

static void see(void *user, const struct orc_event *e)
{
    uint64_t *hash = user;
    if (e->kind != ORC_EVENT_GROUP)
        return;
    const struct {
        uint32_t op, workgroup, subgroup, zero;
        lane_mask active;
    } what = {e->op, e->workgroup, e->subgroup, 0, e->active};
    *hash = hash64_with(*hash, &what, sizeof what);
}

uint64_t census_behaviour(struct arena *a, const struct spv_case *cases, uint32_t n)
{
    uint64_t hash = 1;
    const struct orc_observer observer = {see, &hash};
    struct orc_why why;
    struct orc_program *p = orc_load(a, &cases[0], &why);
    for (uint32_t i = 0; p && i < n; i++) {
        struct orc_result r;
        orc_run(p, a, &cases[i], 0, &(struct orc_options){.observer = &observer}, &r);
    }
    return hash ? hash : 1;
}

static void wrong(struct census *s, uint64_t *count, const char *from, const char *what)
{
    if (!s->disagree && !s->undefined)
        snprintf(s->first, sizeof s->first, "%.300s: %.280s", from, what);
    ++*count;
}

uint64_t census_one(struct census *s, struct arena *a, const struct enumeration *all,
                    uint64_t number, const struct gen_options *g)
{
    struct gen_made made;
    uint64_t hash = 1;
    double start = thread_cpu_seconds();
    gen_make_number(a, all, number, g, &made);
    double now = thread_cpu_seconds();
    s->make += now - start;
    const struct orc_observer observer = {see, &hash};
    struct orc_why why;
    struct orc_program *p = orc_load(a, &made.cases[0], &why);
    for (uint32_t i = 0; p && i < made.case_count; i++) {
        struct orc_result mask, tag;
        start = now;
        orc_run(p, a, &made.cases[i], 0, &(struct orc_options){.observer = &observer}, &mask);
        now = thread_cpu_seconds();
        s->mask += now - start;
        start = now;
        orc_run(p, a, &made.cases[i], 0, &(struct orc_options){.machine = ORC_TAG}, &tag);
        now = thread_cpu_seconds();
        s->tag += now - start;
        why = mask.why;
        if (mask.why.status != RAN_OK)
            break;
        if (judge_same_result(&mask, &tag))
            continue;
        char what[200];
        judge_difference(&mask, &tag, what, sizeof what);
        wrong(s, &s->disagree, made.cases[i].from, what);
    }
    if (!p || why.status != RAN_OK)
        wrong(s, &s->undefined, made.cases[0].from, why.text);
    s->programs++;
    s->choices += made.free_choice;
    hash += hash == 0;
    s->behaviours += add(&s->seen, hash);
    return hash;
}
