// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz reduce: finds the smallest case that a target gets wrong in the same way as the given
// one, or reduces all findings of a campaign. campaign/reduction.c and campaign/batch.c do the
// work.
#include "args.h"
#include "base/interrupt.h"
#include "base/own.h"
#include "campaign/found.h"
#include "campaign/reduction.h"
#include "reduce_all.h"
#include "status.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct given {
    struct reduction_options o;
    struct arg_texts targets;
    const char *out, *stage;
    uint32_t per_bucket;
    double each;
    bool json;
};

struct reduce {
    const struct given *g;
    struct status status;
    double next; // when to print the progress next, in seconds since the start
};

// ---- while it runs -----------------------------------------------------------------

static void begin(void *user, const struct reduction *r)
{
    const struct reduce *z = user;
    if (z->g->json)
        return;
    say("case    %s: %s in %u of %u runs\ntarget  %s\n", r->options->input,
        judge_class_name(r->klass), r->first_hits, ASK_TRIES, r->target);
    if (r->pass)
        say("pass    %s\n", r->pass);
    if (r->no_choices)
        say("        %s: only its module is reduced\n", r->no_choices);
    if (r->resumed)
        say("        continuing from %s\n", r->best);
    say_flush();
}

static void progress(struct reduce *r, const struct red_stats *s)
{
    char line[320], time[32], left[48] = "", limit[48] = "", t[32];
    double rate = s->seconds > 0 ? (double)s->candidates / s->seconds : 0;
    if (r->g->o.seconds > s->seconds)
        snprintf(limit, sizeof limit, ", at most %s left",
                 status_time(t, sizeof t, r->g->o.seconds - s->seconds));
    if (rate > 0 && s->of > s->at)
        snprintf(left, sizeof left, ", at most %s more in this pass",
                 status_time(t, sizeof t, (double)(s->of - s->at) / rate));
    snprintf(line, sizeof line,
             "%s  %u -> %u instructions  %llu candidates  %.0f/s  %s %u, %s %u/%u%s%s",
             status_time(time, sizeof time, s->seconds), s->first.instructions, s->now.instructions,
             (unsigned long long)s->candidates, rate,
             s->stage == RED_CHOICES ? "choices" : "module", s->round, s->pass ? s->pass : "",
             s->at, s->of, left, limit);
    status_line(&r->status, line);
}

static bool tick(void *user, const struct red_stats *s)
{
    struct reduce *r = user;
    if (s->seconds >= r->next) {
        r->next = s->seconds + (r->status.terminal ? STATUS_REDRAW : STATUS_PLAIN);
        progress(r, s);
    }
    return !interrupted();
}

// ---- at the end --------------------------------------------------------------------

static void show_size(const char *what, const struct red_size *s)
{
    char b[6][32];
    say("  %-12s %s (%u in functions), %s, %s, %s, %s, %s\n", what,
        count_of(b[0], 32, s->instructions, "instruction"), s->body,
        count_of(b[1], 32, s->loops, "loop"), count_of(b[2], 32, s->branches, "selection"),
        count_of(b[3], 32, s->group_ops, "group op"), count_of(b[4], 32, s->calls, "call"),
        count_of(b[5], 32, s->invocations, "invocation"));
}

static void summary(const struct reduction *r)
{
    const struct ask_counts *n = &r->counts;
    const struct red_stats *s = &r->stats;
    char time[32], b[32];
    say("%s in %s, %s, %.0f/s: %s\n", judge_class_name(r->klass),
        status_time(time, sizeof time, s->seconds),
        count_of(b, sizeof b, s->candidates, "candidate"),
        s->seconds > 0 ? (double)s->candidates / s->seconds : 0, red_end_name(r->end));
    show_size("before", &s->first);
    show_size("after", &s->now);
    if (s->first.choices)
        say("  choices      %u -> %u bytes\n", s->first.choices, s->now.choices);
    say("  seen again   %u of %u runs (the first case: %u of %u)\n", r->hits, ASK_TRIES,
        r->first_hits, ASK_TRIES);
    say("  candidates   %llu smaller and the same, %llu right, %llu wrong in another class, "
        "%llu with nothing to compare, %llu not judged\n",
        (unsigned long long)n->same, (unsigned long long)n->agreed, (unsigned long long)n->other,
        (unsigned long long)n->nothing, (unsigned long long)n->none);
    say("  before the target: %llu invalid, %llu undefined, %llu over the limits, %llu not "
        "known to the oracle, %llu tried before\n",
        (unsigned long long)n->invalid, (unsigned long long)n->undefined,
        (unsigned long long)n->over_limit, (unsigned long long)n->unsupported,
        (unsigned long long)s->cached);
    say("  runs         %llu of the target\n", (unsigned long long)n->runs);
    say("  case         %s\n  finding      %s\n", r->best, r->finding);
    for (uint32_t i = 0; i < r->slips; i++)
        say("  another bug  %s\n", r->slippage[i]);
}

static json_t *size_json(const struct red_size *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "instructions",
                     (json_int_t)s->instructions, "body", (json_int_t)s->body, "loops",
                     (json_int_t)s->loops, "selections", (json_int_t)s->branches, "group_ops",
                     (json_int_t)s->group_ops, "calls", (json_int_t)s->calls, "invocations",
                     (json_int_t)s->invocations, "buffer_words", (json_int_t)s->buffer_words,
                     "choices", (json_int_t)s->choices);
}

static void summary_json(const struct reduction *r)
{
    const struct ask_counts *n = &r->counts;
    const struct red_stats *s = &r->stats;
    json_t *j = json_pack(
        "{s:i, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:s, "
        "s:s, s:o, s:o}",
        "schema", 1, "type", "reduction", "class", judge_class_name(r->klass), "end",
        red_end_name(r->end), "seconds", s->seconds, "candidates", (json_int_t)s->candidates,
        "cached", (json_int_t)s->cached, "improvements", (json_int_t)s->improvements, "runs",
        (json_int_t)n->runs, "invalid", (json_int_t)n->invalid, "undefined",
        (json_int_t)n->undefined, "over_limit", (json_int_t)n->over_limit, "unsupported",
        (json_int_t)n->unsupported, "machines_disagree", (json_int_t)n->machines, "reproduced",
        (int)r->hits, "tries", (int)ASK_TRIES, "case", r->best, "finding", r->finding, "before",
        size_json(&s->first), "after", size_json(&s->now));
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    say("%s\n", text);
    free(text);
    json_decref(j);
}

// ---- the command line ----------------------------------------------------------------

// Names the output folder: CASE.spvasm -> CASE.reduced; a finding's folder -> FINDING/reduced.
static const char *folder_for(struct arena *a, const char *word, const char *folder)
{
    size_t n = strlen(word);
    if (folder)
        return arena_printf(a, "%s/reduced", folder);
    if (n > 7 && strcmp(word + n - 7, ".spvasm") == 0)
        n -= 7;
    return arena_printf(a, "%.*s.reduced", (int)n, word);
}

static int reduce_one(struct context *x, struct given *g, const char *word)
{
    struct reduction_options *o = &g->o;
    struct reduce z = {.g = g};
    struct reduction r;
    const char *folder, *given = g->targets.n ? g->targets.v[0] : NULL;
    if (!(o->target = found_target(&x->arena, word, given, &x->e)) ||
        !found_case(&x->arena, word, &folder, &o->input, &x->e))
        return refuse(x);
    o->dir = g->out ? g->out : folder_for(&x->arena, word, folder);
    if (!g->out && !own_dir(o->dir, &x->e))
        return refuse(x);
    status_start(&z.status, o->seconds, 0);
    z.next = z.status.terminal ? 0 : STATUS_PLAIN;
    const struct reduction_events ev = {.user = &z, .begin = begin, .tick = tick};
    bool ok = reduction_run(&x->arena, x->tools, o, &ev, &r, &x->e);
    status_clear(&z.status);
    if (!ok)
        return refuse(x);
    if (g->json)
        summary_json(&r);
    else
        summary(&r);
    if (r.counts.machines)
        return complain(x,
                        "bug in tanglefuzz, please report it: the oracle's two machines disagree "
                        "on %llu candidates",
                        (unsigned long long)r.counts.machines);
    return r.hits ? STATUS_GOOD
                  : complain(x, "%s: the target got it right in all of %u runs", r.best, ASK_TRIES);
}

static int reduce_campaign(struct context *x, const struct given *g)
{
    const struct reduction_options *d = &g->o;
    if (g->out || g->stage || d->keep_slips || d->subgroup || x->n > 1)
        return complain(x,
                        "%s is a campaign: --out, --stage, --keep-class, --subgroup and further "
                        "arguments are for "
                        "single cases",
                        x->words[0]);
    const struct batch_options o = {.dir = x->words[0],
                                    .self = x->self,
                                    .targets = g->targets.v,
                                    .target_count = g->targets.n,
                                    .run = d->run,
                                    .per_bucket = g->per_bucket,
                                    .jobs = d->jobs,
                                    .seconds = d->seconds,
                                    .each = g->each > 0 ? g->each : REDUCE_SECONDS};
    return reduce_all(x, &o, g->json);
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct reduction_options *o = &g->o;
    int status = STATUS_GOOD;
    o->jobs = o->jobs ? o->jobs : processor_count(RED_JOBS_MAX);
    if (found_campaign(&x->arena, x->words[0]))
        return reduce_campaign(x, g);
    if (g->per_bucket != REDUCE_PER_BUCKET || g->each > 0)
        return complain(x, "--per-bucket and --each need a campaign folder, and %s is not one",
                        x->words[0]);
    if (g->targets.n > 1 || (g->out && x->n > 1))
        return complain(x, "with one case only: %s",
                        g->out && x->n > 1 ? "--out" : "a second --target");
    o->self = x->self;
    o->bisect = true;
    o->seconds = o->seconds > 0 ? o->seconds : REDUCE_SECONDS;
    o->choices = !g->stage || g->stage[0] == 'c';
    o->module = !g->stage || g->stage[0] == 'm';
    for (uint32_t i = 0; i < x->n && !interrupted(); i++)
        status = reduce_one(x, g, x->words[i]) == STATUS_GOOD ? status : STATUS_BAD;
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXTS(
        "target", 't', "SPEC",
        "target that gets the case wrong, see tanglefuzz targets; default for a\nFINDING: its own. "
        "CAMPAIGN: only to allow targets that run programs",
        targets),
    OPT_TEXT("out", 'o', "DIR", "output folder; default CASE.reduced or FINDING/reduced", out),
    OPT_SECONDS("time", 0, "S", "stop after 90, 90s, 10m, 2h; default 5m, for a CAMPAIGN no limit",
                o.seconds),
    OPT_U32("jobs", 'j', "N", "workers, each opens the target; default: one per processor", o.jobs,
            1, RED_JOBS_MAX),
    OPT_U32("per-bucket", 0, "N",
            "for a CAMPAIGN: findings to reduce per bucket, 0: all; default 3", per_bucket, 0,
            UINT32_MAX),
    OPT_SECONDS("each", 0, "S", "for a CAMPAIGN: time limit of one reduction; default 5m", each),
    OPT_SECONDS("job-time", 0, "S", "timeout of one run (each hang costs as much); default 60",
                o.run.job_seconds),
    OPT_WORD("stage", 0, "S", "run only this stage; default both", stage, "choices, module"),
    OPT_FLAG("keep-class", 0, "keep one candidate of each other class (another bug)", o.keep_slips),
    OPT_LANES("subgroup", "subgroup size, if the case does not fix one", o.subgroup, 1),
    OPT_FLAG("json", 0, "print the summary as one JSON object", json),
};

const struct command cmd_reduce = {
    .name = "reduce",
    .task = TASK_BUGS,
    .line = "make a case smaller, or all findings of a campaign",
    .rest = "CASE|FINDING|CAMPAIGN",
    .about = "Reduces a case that a target gets wrong: first the recorded choices of the "
             "generator, if there\n"
             "are any, then the module. Each candidate is valid and has defined behaviour, and "
             "must fail on the\n"
             "target in the same way. DIR/reduced.spvasm is always the smallest so far; the same "
             "command\n"
             "continues from it. At the end it prints why it stopped: 1-minimal (no further edit "
             "works), time,\n"
             "or interrupted. For a target with several passes it first finds the pass at fault "
             "and drops the\n"
             "others.\n"
             "For a CAMPAIGN folder it reduces the first findings of each bucket, one bucket after "
             "another. The\n"
             "same command continues an interrupted run; then report shows the buckets.\n"
             "Exit status: 0 reduced, 2 bad usage, the target gets the case right, or it cannot be "
             "judged.",
    .example = "tanglefuzz reduce tanglefuzz-out --jobs 2\n"
               "tanglefuzz reduce tanglefuzz-out/findings/s000123-missing-lanes\n"
               "tanglefuzz reduce case.spvasm --target vulkan:driver=lavapipe -o small "
               "--time 10m --jobs 2",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.per_bucket = REDUCE_PER_BUCKET},
    .finishes = true,
    .many = true,
    .run = run,
};
