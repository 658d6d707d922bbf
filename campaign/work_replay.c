// SPDX-License-Identifier: Apache-2.0
//
// Replays on a new driver version: the smallest case of each bucket of its target, and added
// regression cases.
#include "work_parts.h"

#include "rerun.h"

#include <string.h>

// Runs the case and returns its class; *judged and *good are as farm_replay_done takes them.
static const char *ask(struct spv_tools *tools, struct arena *a, struct run_target *t,
                       const char *path, bool *judged, bool *good)
{
    struct spv_case c;
    struct shown_policy policy = {0};
    struct rerun r = {0};
    *judged = *good = false;
    if (!spv_case_read(tools, a, path, &c, NULL))
        return "unreadable";
    const uint32_t subgroup = judge_subgroup(&c, 0, run_info(t));
    struct prediction *p = judge_predict(a, &c, 1, subgroup, SPV_POLICY_JOIN);
    rerun_case(&r, tools, t, p, 0, CAMPAIGN_RERUNS, &policy);
    const char *klass = r.runs ? judge_class_name(r.shown.verdict.klass) : "interrupted";
    *judged = r.good || r.wrong;
    *good = r.good;
    rerun_free(&r);
    return klass;
}

static const char *replay(struct work *w, struct spv_tools *tools, const struct farm_replay *x,
                          bool *judged, bool *good)
{
    struct arena a = {0};
    const struct campaign_options *o = &w->o->campaign;
    const char *path = arena_printf(&a, "%s/replay.spvasm", w->dir), *klass = "not-run";
    *judged = *good = false;
    // Other users can write to the store, so it may not choose a program to run.
    const bool may = strcmp(x->target, o->targets[0]) == 0 || run_harmless(x->target);
    if (may && file_write(path, x->text, strlen(x->text), NULL)) {
        struct run_target *t = run_open(x->target, o->self, &o->run, NULL);
        klass = t ? ask(tools, &a, t, path, judged, good) : "no-target";
        if (t)
            run_close(t);
    }
    arena_free(&a);
    return klass;
}

bool work_replays(struct work *w, int64_t stream, struct err *e)
{
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    bool ok = true, there = true;
    while (ok && there && w->ev->tick(w->ev->user, NULL)) {
        struct farm_replay x;
        bool judged, good;
        arena_reset(&a);
        ok = farm_replay_take(w->farm, &a, stream, &w->o->owner, &there, &x, e);
        if (!ok || !there)
            break;
        farm_idle(w->farm, 0);
        const char *klass = replay(w, tools, &x, &judged, &good);
        if (!w->ev->tick(w->ev->user, NULL))
            break; // interrupted: another worker replays it after the lease
        ok = farm_replay_done(w->farm, &x, stream, klass, judged, good, e);
        w->n->replays++;
        w->n->replays_wrong += judged && !good;
        if (w->ev->replayed)
            w->ev->replayed(w->ev->user, &x, klass);
    }
    arena_free(&a);
    spv_tools_free(tools);
    return ok;
}
