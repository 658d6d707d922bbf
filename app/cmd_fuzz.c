// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz fuzz: options in, findings and a summary out. The work is campaign.c's.
#include "args.h"
#include "campaign.h"
#include "choices.h"
#include "interrupt.h"
#include "status.h"

#include <string.h>

enum { STOP_AFTER = 1000 };

struct fuzz {
    struct status status;
    bool json;
};

// ---- while it runs -----------------------------------------------------------------

static void found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct fuzz *z = user;
    const struct tri_finding *x = f->finding;
    status_clear(&z->status);
    if (z->json) {
        say("%s\n", tri_finding_json(a, f->name, f->folder, x));
    } else {
        char seen[64];
        if (x->tries)
            snprintf(seen, sizeof seen, "%u of %u re-runs", x->reproduced, x->tries);
        else
            snprintf(seen, sizeof seen, "not run again");
        say("%s %s (%s%s)\n    %s\n", x->flaky ? "flaky  " : "finding", f->name, seen,
            f->again ? ", known already" : "", x->verdict->text);
    }
    say_flush();
}

static void ours(void *user, const char *file, const char *why)
{
    struct fuzz *z = user;
    status_clear(&z->status);
    complain("fuzz", "our own mistake, please report it: %s: %s", file, why);
}

static bool tick(void *user, const struct campaign_stats *s)
{
    struct fuzz *z = user;
    status_tick(&z->status, s);
    return !interrupted() && say_flush();
}

// ---- at the end --------------------------------------------------------------------

static void summary(const struct campaign_options *o, const struct campaign_stats *s)
{
    char time[32], n[64];
    const char *why = s->stopped ? ", interrupted" : s->enough ? ", enough findings" : "";
    say("\n%s in %s (%.1f/s)%s\n", count_of(n, sizeof n, s->cases, "case"),
        status_time(time, sizeof time, s->seconds),
        s->seconds > 0 ? (double)s->cases / s->seconds : 0, why);
    if (o->inputs > 1)
        say("  modules      %llu, with %u inputs each\n", (unsigned long long)s->modules,
            o->inputs);
    if (s->compiled)
        say("  compiled     %llu, and not run\n", (unsigned long long)s->compiled);
    if (s->compared || !s->compiled) {
        say("  agreed       %llu\n", (unsigned long long)s->agreed);
        say("  live bits    at least %llu a case, median %llu\n", (unsigned long long)s->live_min,
            (unsigned long long)campaign_live_median(s));
    }
    say("  driver       %.1f%% of the wall time of %s inside its calls\n",
        campaign_driver_share(s) * 100, count_of(n, sizeof n, s->jobs, "worker"));
    if (s->nothing)
        say("  no live bit  %llu: nothing was compared there\n", (unsigned long long)s->nothing);
    if (s->other_mapping)
        say("  remapped     %llu: predicted again for the lane mapping that was seen\n",
            (unsigned long long)s->other_mapping);
    if (s->skipped)
        say("  skipped      %llu\n", (unsigned long long)s->skipped);
    for (uint32_t i = 0; i < s->reasons; i++)
        say("    %8llu  %s\n", (unsigned long long)s->reason[i].n, s->reason[i].text);
    if (s->ours)
        say("  our mistakes %llu, in %s/ours\n", (unsigned long long)s->ours, o->out);
    say("  findings     %llu%s", (unsigned long long)s->findings, s->findings ? "" : "\n");
    if (s->findings)
        say(", in %s/findings\n", o->out);
    for (int k = 0; k < TRI_CLASSES; k++)
        if (s->by_class[k])
            say("    %8llu  %s\n", (unsigned long long)s->by_class[k],
                tri_class_name((enum tri_class)k));
    if (s->again)
        say("  known        %llu of them were there already\n", (unsigned long long)s->again);
    if (s->next_seed < o->end_seed)
        say("  go on with   --seeds %llu:\n", (unsigned long long)s->next_seed);
}

static int outcome(const struct campaign_options *o, const struct campaign_stats *s)
{
    if (s->findings || s->again || s->ours)
        return STATUS_FOUND;
    if (s->cases == 0 && s->skipped)
        return complain("fuzz", "every case was skipped: %s", s->reason[0].text);
    if (s->compared && s->live_total == 0)
        return complain("fuzz", "NOTHING WAS COMPARED: not one of %llu cases has a live bit",
                        (unsigned long long)s->compared);
    if (s->cases == 0 && !s->stopped && o->end_seed > o->first_seed)
        return complain("fuzz", "no case came to an end in the time given");
    return STATUS_GOOD;
}

static int fuzz(const struct campaign_options *o, bool json)
{
    struct arena a = {0};
    struct err e = {0};
    interrupt_catch();
    struct campaign *c = campaign_open(o, &e);
    if (!c)
        return complain("fuzz", "%s", e.msg);
    const struct run_info *info = campaign_info(c);
    struct fuzz z = {.json = json};
    uint64_t total = o->end_seed == UINT64_MAX ? 0 : o->end_seed - o->first_seed;
    status_start(&z.status, o->seconds, total);
    if (!json) {
        char n[32];
        say("target  %s, %s\n", o->target, count_of(n, sizeof n, o->jobs, "worker"));
        say("%s %s, subgroups of %u\n", info->compiler ? "through" : "device ", info->device,
            campaign_subgroup(c));
        say("%s %s\n", info->compiler ? "version" : "driver ", info->driver);
        say("output  %s\n", o->out);
        if (campaign_dropped(c)[0])
            say("left out, for the device does not offer it: %s\n", campaign_dropped(c));
        say("\n");
        say_flush();
    }
    const struct campaign_events ev = {.user = &z, .found = found, .ours = ours, .tick = tick};
    struct campaign_stats *s = ARENA_NEW(&a, struct campaign_stats);
    bool ok = campaign_run(c, &ev, s, &e);
    status_clear(&z.status);
    if (json)
        say("%s\n", campaign_json(&a, o, info, s));
    else
        summary(o, s);
    int status = ok ? outcome(o, s) : complain("fuzz", "%s", e.msg);
    campaign_close(c);
    arena_free(&a);
    return status;
}

// ---- the command line ----------------------------------------------------------------

// "A:B", "A:" or "A", which is one seed.
static bool read_seeds(const char *s, uint64_t *first, uint64_t *end)
{
    size_t n = strcspn(s, ":");
    if (!parse_u64(s, n, first) || *first == UINT64_MAX)
        return false;
    *end = *first + 1;
    if (!s[n])
        return true;
    *end = UINT64_MAX;
    return !s[n + 1] || (parse_u64(s + n + 1, strlen(s + n + 1), end) && *end > *first);
}

static int run(int argc, char **argv)
{
    const char *target = NULL, *seeds = NULL, *out = "tanglefuzz-out";
    uint64_t cases = 0;
    struct choice_options how = choice_defaults();
    struct campaign_options o = {.jobs = 1, .stop_after = STOP_AFTER};
    bool json = false;
    const struct arg_option options[] = {
        OPT_TEXT("target", 't', "SPEC", "what to fuzz, see tanglefuzz targets (needed)", &target),
        OPT_TEXT("seeds", 's', "A:B", "seeds A to B-1; A: goes on without end; default 0:", &seeds),
        OPT_U64("cases", 'n', "N", "so many seeds", &cases, 1, UINT64_MAX / 2),
        OPT_SECONDS("time", 0, "S", "make no more cases after 90, 90s, 10m, 2h", &o.seconds),
        OPT_U32("jobs", 'j', "N", "workers, each with the device open; default 1", &o.jobs, 1,
                CAMPAIGN_JOBS_MAX),
        OPT_TEXT("out", 'o', "DIR", "output folder; default tanglefuzz-out", &out),
        OPT_FLAG("json", 0, "JSON lines on standard output: findings, then a summary", &json),
        OPT_FLAG("validate", 0, "run under the Vulkan validation layers", &o.run.validate),
        OPT_U32("stop-after", 0, "N", "stop after N findings, 0: never; default 1000",
                &o.stop_after, 0, UINT32_MAX),
        CHOICE_OPTIONS(how),
    };
    const struct arg_command command = {
        .name = "fuzz",
        .about = "Makes random programs, predicts what every invocation must see, runs them on a "
                 "target and\nkeeps each disagreement, crash, hang and rejection as a folder in "
                 "DIR/findings. A wrong\nanswer is run 3 times more; it counts when 2 of them show "
                 "the same class, else it is flaky.\nWithout --seeds, --cases and --time it runs "
                 "until ctrl-C, which finishes and saves.\nExit status: 0 nothing found, 1 "
                 "findings, 2 bad usage or environment.",
        .example = "tanglefuzz fuzz --target vulkan:driver=lavapipe --time 10m\n"
                   "tanglefuzz fuzz --target vulkan:driver=lavapipe --seeds 0:2000 --jobs 2 "
                   "--out lavapipe-out",
        .options = options,
        .count = OPT_COUNT(options),
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (!target)
        return complain("fuzz", "needs --target SPEC (tanglefuzz targets lists what is here)");
    if (seeds && cases)
        return complain("fuzz", "--seeds and --cases say both how many: choose one");
    o.end_seed = cases ? cases : UINT64_MAX;
    if (seeds && !read_seeds(seeds, &o.first_seed, &o.end_seed))
        return complain("fuzz", "--seeds: '%s' is not A:B with A below B, nor A:", seeds);
    struct gen_options g = {0};
    said = choice_read("fuzz", &how, &g);
    if (said >= 0)
        return said;
    o.profile = g.profile;
    o.features = g.features;
    o.inputs = g.inputs;
    o.model = g.model;
    o.subgroup = g.subgroup;
    o.max_invocations = g.max_invocations;
    struct arena a = {0};
    o.target = target;
    o.out = out;
    o.self = self_path(&a, argv[0]);
    said = fuzz(&o, json);
    arena_free(&a);
    return said;
}

const struct command cmd_fuzz = {"fuzz", "run random programs on a target, keep what is wrong",
                                 run};
