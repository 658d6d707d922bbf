// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz farm work and farm regress: a worker of a farm. campaign/work.c does the work.
#include "base/interrupt.h"
#include "campaign/work.h"
#include "choices.h"
#include "cmd_farm.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

enum { KEEP = 20, LEASE = 300, PATIENCE = 600, REDUCE = 60 };

struct given {
    struct work_options o;
    struct choice_options how;
    const char *store, *target, *index;
    bool reduce;
};

struct worker {
    const struct context *x;
    const struct farm_range *range;
    struct status status;
    bool printed; // the stream's line is printed
    double patience;
};

// ---- while it runs -------------------------------------------------------------------------

static void opened(void *user, const struct campaign *c, int64_t stream)
{
    struct worker *w = user;
    const struct campaign_target *t = campaign_target(c, 0);
    if (!w->printed)
        say("stream %lld: %s, %s, %s, subgroups of %u, %s\n", (long long)stream, t->spec,
            t->info.device, t->info.driver, t->subgroup, spv_model_name(t->model));
    if (!w->printed && (t->dropped[0] || t->steered[0]))
        say("not generated: %s%s%s\n", t->dropped, t->dropped[0] && t->steered[0] ? ", " : "",
            t->steered);
    w->printed = true;
    say_flush();
}

static void range(void *user, const struct farm_range *r)
{
    struct worker *w = user;
    w->range = r;
    status_start(&w->status, 0, r->end - r->first);
    w->status.first = r->first;
}

static void found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct worker *w = user;
    (void)a;
    status_clear(&w->status);
    say("%s %s\n    %s\n", f->finding->flaky ? "flaky  " : "finding", f->finding->name,
        f->finding->verdict.text);
    say_flush();
}

static void own_bug(void *user, const char *file, const char *why)
{
    struct worker *w = user;
    status_clear(&w->status);
    complain(w->x, "bug in tanglefuzz, please report it: %s: %s", file, why);
}

static void ended(void *user, const struct farm_range *r, const struct campaign_stats *s)
{
    struct worker *w = user;
    char time[32];
    status_clear(&w->status);
    say("seeds %llu to %llu: %llu cases in %s, %llu agreed, %llu findings, %llu flaky\n",
        (unsigned long long)r->first, (unsigned long long)r->end - 1,
        (unsigned long long)s->sum.cases, status_time(time, sizeof time, s->seconds),
        (unsigned long long)s->sum.agreed, (unsigned long long)(s->sum.findings + s->sum.again),
        (unsigned long long)s->sum.flaky);
    say_flush();
}

static void replayed(void *user, const struct farm_replay *r, const char *klass)
{
    struct worker *w = user;
    status_clear(&w->status);
    say("replay  %s: %s\n", r->name, klass);
    say_flush();
}

// Called by any thread; prints one line on standard error.
static void away(void *user, const char *why, double waited)
{
    struct worker *w = user;
    char time[2][32];
    if (why && waited < 1)
        complain(w->x, "%s; waiting for it", why);
    else if (why)
        complain(w->x, "%s; waiting for it, %s of %s", why,
                 status_time(time[0], sizeof time[0], waited),
                 status_time(time[1], sizeof time[1], w->patience));
    else
        complain(w->x, "the store: is back");
}

static void lost(void *user, const char *why)
{
    struct worker *w = user;
    status_clear(&w->status);
    complain(w->x, "%s; continuing with the others", why);
}

static void unreduced(void *user, const char *why)
{
    struct worker *w = user;
    status_clear(&w->status);
    complain(w->x, "findings are not reduced: %s", why);
}

static bool tick(void *user, const struct campaign_stats *s)
{
    struct worker *w = user;
    if (s)
        status_tick(&w->status, s);
    return !interrupted();
}

static int work(struct context *x, struct given *g)
{
    struct worker w = {.x = x, .patience = g->o.patience};
    const struct work_events ev = {.user = &w,
                                   .opened = opened,
                                   .range = range,
                                   .found = found,
                                   .own_bug = own_bug,
                                   .ended = ended,
                                   .lost = lost,
                                   .replayed = replayed,
                                   .unreduced = unreduced,
                                   .away = away,
                                   .tick = tick};
    struct work_count n;
    const bool ok = work_run(&g->o, &ev, &n, &x->e);
    status_clear(&w.status);
    if (!ok && !n.ranges && !interrupted())
        return refuse(x);
    if (g->o.replays_only && ok) {
        say("%llu replays, %llu wrong\n", (unsigned long long)n.replays,
            (unsigned long long)n.replays_wrong);
        return n.replays_wrong ? STATUS_FOUND : STATUS_GOOD;
    }
    say("%llu ranges, %llu cases, %llu agreed, %llu findings: %llu sent, %llu there already, %llu "
        "only counted%s\n",
        (unsigned long long)n.ranges, (unsigned long long)n.cases, (unsigned long long)n.agreed,
        (unsigned long long)n.findings, (unsigned long long)n.sent, (unsigned long long)n.there,
        (unsigned long long)n.enough, interrupted() ? ", interrupted" : "");
    // A scheduler must know whether its index is done: an interruption is a failure then.
    if (!ok && !(interrupted() && !g->o.indexed))
        return refuse(x);
    if (g->o.indexed && n.already)
        say("index %llu: done already\n", (unsigned long long)g->o.index);
    return g->o.indexed && !n.done
               ? complain(x, "index %llu is not done%s", (unsigned long long)g->o.index,
                          n.refused ? ": its stream is paused, or ends before its seeds" : "")
               : STATUS_GOOD;
}

// ---- the command line ----------------------------------------------------------------------

static int run(struct context *x, struct given *g)
{
    struct work_options *o = &g->o;
    struct campaign_options *c = &o->campaign;
    if (!g->target)
        return complain(x, "needs --target SPEC (tanglefuzz targets lists the targets here)");
    if (g->index && (!parse_u64(g->index, strlen(g->index), &o->index) || o->index > UINT32_MAX))
        return complain(x, "--index: '%s' is not a number from 0 to 4294967295", g->index);
    o->indexed = g->index != NULL;
    if (o->indexed && !o->size)
        return complain(x, "--index needs --size: index I stands for seeds I*SIZE to (I+1)*SIZE-1");
    if (!(o->store = farm_address(x, g->store)) || !choice_campaign(x, &g->how, c))
        return refuse(x);
    c->self = x->self;
    c->targets = &g->target;
    c->target_count = 1;
    o->reduce = g->reduce ? REDUCE : 0;
    o->owner.name = o->owner.name ? o->owner.name : farm_owner_name(&x->arena);
    return work(x, g);
}

static int run_work(struct context *x, void *given)
{
    return run(x, given);
}

// Runs the regression cases only: the same worker, without seeds.
static int regress(struct context *x, void *user)
{
    struct given *g = user;
    if (!g->target)
        return complain(x, "needs --target SPEC (tanglefuzz targets lists the targets here)");
    if (strcmp(x->words[0], "add") == 0)
        return farm_regress_add_cases(x, g->store, g->target);
    if (strcmp(x->words[0], "run") != 0 || x->n > 1)
        return complain(x,
                        "'%s': unknown command; use farm regress add CASE... or farm regress run",
                        x->words[0]);
    g->o.replays_only = true;
    return run(x, g);
}

static const struct arg_option options[] = {
    OPT_STORE(store),
    OPT_TEXT("target", 't', "SPEC", "what to fuzz, see tanglefuzz targets (needed)", target),
    OPT_TEXT("expect-driver", 0, "TEXT",
             "refuse to start unless device or driver contains this text", o.campaign.expect),
    OPT_TEXT("index", 0, "I", "run only the seeds of this array index", index),
    OPT_U64("size", 0, "N", "seeds per range; default about ten minutes' worth", o.size, 1,
            UINT32_MAX),
    OPT_U64("ranges", 0, "N", "stop after N ranges", o.ranges, 1, UINT32_MAX),
    OPT_SECONDS("for", 0, "S", "take no more ranges after this time: 90, 90s, 10m, 2h", o.seconds),
    OPT_U32("jobs", 'j', "N", "workers of the target; default 1", o.campaign.jobs, 1,
            CAMPAIGN_JOBS_MAX),
    OPT_FLAG("reduce", 0, "reduce the first 3 findings of each bucket, a minute each", reduce),
    OPT_U32(
        "keep", 0, "N",
        "most findings to store per bucket and stream; the others are only\ncounted; default 20",
        o.keep, 1, 1000000),
    OPT_SECONDS("lease", 0, "S", "a worker silent for this long has lost its range; default 5m",
                o.owner.lease_seconds),
    OPT_SECONDS("store-wait", 0, "S",
                "how long to wait for a store that is down or full; default 10m", o.patience),
    OPT_TEXT("owner", 0, "NAME", "name of this worker in farm status; default host and job",
             o.owner.name),
    OPT_TEXT("out", 'o', "DIR", "keep each range's folder in DIR; default: keep nothing here",
             o.out),
    OPT_SECONDS("job-time", 0, "S", "timeout of one job, with compilation; default 60",
                o.campaign.run.job_seconds),
    OPT_U32("memory", 0, "MIB", "memory limit of a worker; default 4096", o.campaign.run.memory_mib,
            64, 1 << 20),
    CHOICE_OPTIONS(how, CHOICE_CAMPAIGN_MODELS),
};

static const struct given defaults = {.o = {.campaign = {.jobs = 1},
                                            .keep = KEEP,
                                            .owner = {.lease_seconds = LEASE},
                                            .patience = PATIENCE},
                                      .how = {.profile = "default",
                                              .log = "mixed",
                                              .stage = "compute",
                                              .model = CHOICE_PROMISED,
                                              .inputs = 1}};

const struct command cmd_farm_work = {
    .name = "farm work",
    .line = "fuzz a target for the store",
    .about = "Opens the target (a new driver version starts a new stream), replays the regression "
             "cases that\n"
             "this version has not run yet, then takes ranges of seeds from the store, runs them "
             "and sends its\n"
             "findings. Known bugs come from the store. If a worker dies, nothing is lost: its "
             "range is handed\n"
             "out again when its lease ends. If the store is down, it waits.\n"
             "Exit status: 0 all work is done, with or without findings; 2 it is not.",
    .example =
        "tanglefuzz farm work --target vulkan:driver=radv --expect-driver 'Mesa 26.2' --for 4h\n"
        "tanglefuzz farm work --target spirv-opt:-O --index \"$SLURM_ARRAY_TASK_ID\" --size 20000",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &defaults,
    .finishes = true,
    .many = true,
    .run = run_work,
};

static const struct arg_option regress_options[] = {
    OPT_STORE(store),
    OPT_TEXT("target", 't', "SPEC", "target whose streams run the cases (needed)", target),
    OPT_TEXT("expect-driver", 0, "TEXT",
             "run: refuse to start unless device or driver contains this text", o.campaign.expect),
    OPT_TEXT("owner", 0, "NAME", "name of this worker in farm status; default host and job",
             o.owner.name),
    OPT_SECONDS("job-time", 0, "S", "timeout of one job; default 60", o.campaign.run.job_seconds),
};
const struct command cmd_farm_regress = {
    .name = "farm regress",
    .line = "replay regression cases on each driver version",
    .rest = "add CASE...|run",
    .about = "add puts cases (files, or folders of them) into the store, for all streams of a "
             "target. run\n"
             "replays on the target what its driver version has not run yet: the added cases, and "
             "the smallest\n"
             "finding of each of the target's buckets. farm work does the same before it starts. "
             "farm status\n"
             "shows what a version fixed and what it broke.\n"
             "Exit status of run: 1 if a case is wrong.",
    .example = "tanglefuzz farm regress add corpus/regress --target vulkan:driver=radv\n"
               "tanglefuzz farm regress run --target vulkan:driver=radv",
    OPTIONS(regress_options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .defaults = &defaults,
    .finishes = true,
    .many = true,
    .run = regress,
};
