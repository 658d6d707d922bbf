// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz fuzz: parses the options, prints findings and a summary. campaign/campaign.c does the
// work.
#include "args.h"
#include "campaign/campaign.h"
#include "campaign/targetlist.h"
#include "choices.h"
#include "fuzz_report.h"
#include "fuzz_run.h"
#include "on_finding.h"
#include "reduce_all.h"
#include "seeds.h"

#include <string.h>

enum { STOP_AFTER = 200 };

// Values of --model that choose a model for each target.

struct given {
    struct campaign_options o;
    struct arg_texts targets;
    const char *targets_file, *seeds, *day, *out, *resume, *on_finding;
    uint64_t cases;
    uint32_t jobs; // 0: not given
    struct choice_options how;
    bool json, reduce;
};

// Reduces the campaign's findings, after the campaign has released its folder.
static int reduce_them(struct context *x, const struct campaign_options *o, uint32_t jobs,
                       bool json)
{
    const struct batch_options b = {.dir = o->out,
                                    .self = x->self,
                                    .targets = o->targets,
                                    .target_count = o->target_count,
                                    .run = o->run,
                                    .per_bucket = REDUCE_PER_BUCKET,
                                    .jobs = jobs,
                                    .each = REDUCE_SECONDS};
    if (!json)
        say("\n");
    return reduce_all(x, &b, json);
}

// Copies the campaign's options, to use them after it is closed.
static struct campaign_options kept_options(struct arena *a, const struct campaign_options *o)
{
    struct campaign_options kept = *o;
    const char **targets = ARENA_ARRAY(a, const char *, o->target_count);
    for (uint32_t i = 0; i < o->target_count; i++)
        targets[i] = arena_str(a, o->targets[i]);
    kept.targets = targets;
    kept.out = arena_str(a, o->out);
    return kept;
}

static int fuzz(struct context *x, const struct campaign_options *o, bool resume,
                const struct given *g)
{
    const bool json = g->json;
    const uint32_t jobs = g->jobs ? g->jobs : processor_count(BATCH_JOBS_MAX); // for reductions
    struct campaign *c = resume ? campaign_resume(o, &x->e) : campaign_open(o, &x->e);
    if (!c)
        return refuse(x);
    o = campaign_options(c);
    if (!json)
        fuzz_print_head(c);
    struct campaign_stats *s = ARENA_NEW(&x->arena, struct campaign_stats);
    const struct fuzz_how how = {.json = json, .on_finding = g->on_finding};
    bool gone;
    bool ok = fuzz_run(x, c, &how, s, &gone);
    if (json)
        say("%s\n", campaign_json(&x->arena, c, s));
    else
        fuzz_print_summary(c, s);
    int status;
    if (!ok)
        status = refuse(x);
    else if (gone && s->stopped && !s->sum.findings && !s->sum.again && !s->own_bugs)
        status = complain(x,
                          "standard output: its reader has closed it; stopped after %llu cases, "
                          "without a finding",
                          (unsigned long long)s->sum.cases);
    else
        status = fuzz_outcome(x, c, s);
    const struct campaign_options kept = kept_options(&x->arena, o);
    campaign_close(c);
    if (g->reduce && ok && !s->stopped && s->sum.findings &&
        reduce_them(x, &kept, jobs, json) == STATUS_BAD)
        status = STATUS_BAD;
    return status;
}

// ---- the command line ----------------------------------------------------------------

// --resume: takes the campaign's options from its folder.
static int resume_it(struct context *x, struct given *g)
{
    const struct choice_options d = CHOICE_DEFAULTS, *h = &g->how;
    struct campaign_options *o = &g->o;
    if (g->seeds || g->day || g->cases || g->out || o->known || h->only || h->with || h->without ||
        h->subgroup || h->max_invocations || h->inputs || o->keep != CAMPAIGN_KEEP ||
        strcmp(h->profile, d.profile) != 0 || strcmp(h->log, "mixed") != 0 ||
        strcmp(h->stage, d.stage) != 0 || strcmp(h->model, CHOICE_PROMISED) != 0 || o->run.validate)
        return complain(
            x, "--resume takes the campaign's options from its folder; with it you may give only "
               "--jobs, --time, --stop-after, --reduce, --json and the same --target again");
    if (!targetlist_read(&x->arena, g->targets.v, g->targets.n, g->targets_file,
                         CAMPAIGN_TARGETS_MAX, (const char ***)&o->targets, &o->target_count,
                         &x->e))
        return refuse(x);
    o->out = g->resume;
    o->jobs = g->jobs;
    return fuzz(x, o, true, g);
}

static int start_it(struct context *x, struct given *g)
{
    struct campaign_options *o = &g->o;
    if (!targetlist_read(&x->arena, g->targets.v, g->targets.n, g->targets_file,
                         CAMPAIGN_TARGETS_MAX, (const char ***)&o->targets, &o->target_count,
                         &x->e))
        return refuse(x);
    if (!o->target_count)
        return complain(x, "needs --target SPEC (tanglefuzz targets lists the targets here)");
    if (g->seeds && (g->cases || g->day))
        return complain(x, g->day ? "--seeds and --day both set the first seed: choose one"
                                  : "--seeds and --cases both set the number of seeds: choose one");
    if (g->day && !seeds_of_day(g->day, &o->first_seed))
        return complain(x, "--day: '%s' is not a date like 2026-11-25, nor today", g->day);
    o->end_seed = g->cases ? o->first_seed + g->cases : UINT64_MAX;
    if (g->seeds && !seeds_read(g->seeds, &o->first_seed, &o->end_seed))
        return complain(x, "--seeds: '%s' is not A:B with A less than B, nor A: or A", g->seeds);
    if (!choice_campaign(x, &g->how, o))
        return refuse(x);
    o->out = g->out ? g->out : "tanglefuzz-out";
    o->jobs = g->jobs ? g->jobs : 1;
    o->stop_after = o->stop_after == CAMPAIGN_AS_BEFORE ? STOP_AFTER : o->stop_after;
    return fuzz(x, o, false, g);
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    g->o.self = x->self;
    if ((g->out && !*g->out) || (g->resume && !*g->resume))
        return complain(x, "%s: '' is not a folder name", g->resume ? "--resume" : "--out");
    return g->resume ? resume_it(x, g) : start_it(x, g);
}

static const struct arg_option options[] = {
    OPT_TEXTS("target", 't', "SPEC",
              "target to fuzz, see tanglefuzz targets (needed); may be\n"
              "repeated: then each case runs on all of them",
              targets),
    OPT_TARGETS(targets_file),
    OPT_TEXT("seeds", 's', "A:B",
             "seeds A to B-1; A: has no end; A is one seed; default 0:", seeds),
    OPT_TEXT("day", 0, "DATE",
             "begin with the first seed of that day (UTC), or today: new\nprograms each night",
             day),
    OPT_U64("cases", 'n', "N", "number of seeds, from 0 or the day's first", cases, 1,
            UINT64_MAX / 2),
    OPT_SECONDS("time", 0, "S", "generate no more cases after this time: 90, 90s, 10m, 2h",
                o.seconds),
    OPT_U32("jobs", 'j', "N",
            "workers of each target; default 1, for --reduce the number of\nprocessors", jobs, 1,
            CAMPAIGN_JOBS_MAX),
    OPT_TEXT("out", 'o', "DIR", "output folder; default tanglefuzz-out", out),
    OPT_TEXT(
        "known", 'k', "DIR",
        "known bugs (docs/known.md): features that they need are not\ngenerated; findings that "
        "they explain are counted, not reported",
        o.known),
    OPT_TEXT("expect-driver", 0, "TEXT",
             "refuse to start unless device or driver contains this text", o.expect),
    OPT_TEXT("resume", 0, "DIR", "continue the campaign that wrote DIR, also after kill -9",
             resume),
    OPT_FLAG("reduce", 0, "at the end, reduce the first findings of each bucket (see reduce)",
             reduce),
    OPT_ON_FINDING(on_finding),
    OPT_FLAG("json", 0, "print JSON lines: findings, then a summary", json),
    OPT_SECONDS("job-time", 0, "S", "timeout of one job, with compilation; default 60",
                o.run.job_seconds),
    OPT_U32("memory", 0, "MIB", "memory limit of a worker; default 4096", o.run.memory_mib, 64,
            1 << 20),
    OPT_FLAG("validate", 0, "run with the Vulkan validation layers", o.run.validate),
    OPT_U32("stop-after", 0, "N", "stop after N buckets, 0: never; default 200", o.stop_after, 0,
            CAMPAIGN_AS_BEFORE - 1),
    OPT_U32("keep", 0, "N",
            "folders of one bucket; further findings of it are only counted;\n0: all; default 5",
            o.keep, 0, 1000000),
    CHOICE_OPTIONS(how, CHOICE_CAMPAIGN_MODELS),
};

const struct command cmd_fuzz = {
    .name = "fuzz",
    .task = TASK_BUGS,
    .line = "run random programs on targets, keep what goes wrong",
    .about =
        "Generates random programs, predicts what every invocation must see, runs them on one or\n"
        "several targets and keeps each mismatch, crash, hang and rejection as a folder in\n"
        "DIR/findings. A mismatch is run 3 times more; it counts if 2 of these runs show the same\n"
        "class, else it is flaky. Each target is judged by what it promises. --model best also\n"
        "takes targets that promise nothing, and judges those as assumed-maximal.\n"
        "Without --seeds, --cases and --time it runs until ctrl-C, which finishes and saves.\n"
        "Exit status: 0 nothing found, 1 findings, 2 bad usage or environment, or nothing "
        "compared.",
    .example = "tanglefuzz fuzz --target vulkan:driver=lavapipe --time 10m\n"
               "tanglefuzz fuzz --target vulkan:driver=lavapipe --target spirv-opt:-O \\\n"
               "    --seeds 0:2000 --jobs 2 --out both\n"
               "tanglefuzz fuzz --resume both",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults =
        &(const struct given){.o = {.stop_after = CAMPAIGN_AS_BEFORE, .keep = CAMPAIGN_KEEP},
                              .how = {.profile = "default",
                                      .log = "mixed",
                                      .stage = "compute",
                                      .model = CHOICE_PROMISED}},
    .finishes = true,
    .many = true,
    .run = run,
};
