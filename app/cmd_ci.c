// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz ci: one run of a compiler's pipeline. Finds the strongest model whose modules the
// compiler takes, fuzzes the seeds that each run repeats and then those of the day, reduces one
// finding of each bucket, and writes the results in the formats of a pipeline. All of the work is
// that of fuzz, reduce and report.
#define _POSIX_C_SOURCE 200809L // strdup
#include "args.h"
#include "base/interrupt.h"
#include "base/own.h"
#include "fuzz_report.h"
#include "fuzz_run.h"
#include "page.h"
#include "reduce_all.h"
#include "seeds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIXED = 200,    // default of --fixed
    PROBES = 4,     // modules by which a model or a feature is tried
    SHARDS_MAX = 64 // of one run
};

struct given {
    struct campaign_options o;
    struct arg_texts targets, compilers;
    const char *out, *shard, *day;
    uint64_t fixed, cases;
    double reduce;
    bool no_reduce;
};

struct ci {
    struct context *x;
    struct given *g;
    struct campaign_options o; // of both campaigns
    struct text note;          // what the target does not take
    uint32_t shard, shards;    // 0 .. shards-1
    uint64_t day;              // its first seed
    double start;
    // Of both campaigns together:
    uint64_t live, compiled, findings, own_bugs, not_done; // not_done: of the fixed seeds
    const char *why;                                       // nothing was compared
};

// ---- by which model the target is judged -------------------------------------------------

static void probe_found(void *user, struct arena *a, const struct campaign_found *f)
{
    const char **message = user;
    (void)a;
    if (!*message)
        *message = strdup(f->finding->verdict.text);
}

static void probe_own_bug(void *user, const char *file, const char *why)
{
    (void)user, (void)file, (void)why; // the campaign itself reports it
}

static bool probe_tick(void *user, const struct campaign_stats *s)
{
    (void)user, (void)s;
    return !interrupted();
}

struct probed {
    uint64_t cases, rejected; // modules answered; of them not taken
    bool opened;              // else the message says why not
    const char *message;      // of the first that was not taken, or why none was answered
};

// Runs `n` modules with these features. Leaves nothing in the folder.
static struct probed probe(struct ci *c, enum spv_model model, gen_features features, uint64_t n)
{
    struct arena *a = &c->x->arena;
    struct campaign_options o = c->o;
    char *found = NULL;
    struct err e = {0};
    o.choose_model = CAMPAIGN_MODEL_GIVEN;
    o.model = model;
    o.features = features;
    o.out = arena_printf(a, "%s/probe", c->o.out);
    o.known = NULL;
    o.jobs = 1;
    o.keep = 1;
    o.end_seed = n;
    struct campaign *k = campaign_open(&o, &e);
    struct campaign_stats *s = ARENA_NEW(a, struct campaign_stats);
    const struct campaign_events ev = {&found, probe_found, probe_own_bug, probe_tick};
    if (k && !campaign_run(k, &ev, s, &e))
        s->sum.cases = 0;
    if (k)
        campaign_close(k);
    const struct probed out = {.opened = k != NULL,
                               .cases = s->sum.cases,
                               .rejected = s->sum.by_class[JUDGE_REJECTED],
                               .message =
                                   arena_str(a, e.msg[0]         ? e.msg
                                                : found          ? found
                                                : s->sum.reasons ? s->sum.reason[0].text
                                                                 : "no module was answered")};
    free(found);
    dir_remove(o.out);
    return out;
}

// Chooses the strongest model whose modules the target takes. False after a message: it takes none.
static bool choose_model(struct ci *c)
{
    static const enum spv_model models[] = {SPV_MAXIMAL, SPV_SUBGROUP_UNIFORM,
                                            SPV_WORKGROUP_UNIFORM};
    const char *first = NULL, *why = NULL;
    bool opened = false;
    c->o.choose_model = CAMPAIGN_MODEL_GIVEN;
    for (size_t i = 0; i < sizeof models / sizeof *models && !interrupted(); i++) {
        c->o.model = models[i];
        const struct probed p = probe(c, models[i], c->o.features, PROBES);
        if (p.cases > p.rejected) {
            text_add(
                &c->note,
                i ? "It does not take modules with maximal reconvergence (%s), so it is judged "
                    "by what it promises: %s control flow."
                  : "",
                why, spv_model_name(models[i]));
            return true;
        }
        first = first ? first : p.message;
        opened |= p.opened;
        why = why ? why : p.opened ? p.message : "it does not promise it";
    }
    if (!opened && !interrupted())
        return complain(c->x, "%s", first), false;
    complain(c->x,
             "NOTHING WAS COMPARED: %s takes no module, with or without maximal reconvergence: %s",
             c->o.targets[0], interrupted() ? "interrupted" : first);
    return false;
}

// Returns the features with which a probe of feature `f` certainly shows it: a type is that of a
// group operation.
static gen_features shown_by(const struct ci *c, enum gen_feature f)
{
    const gen_features moves =
        GEN_BIT(GEN_OP_REDUCE) | GEN_BIT(GEN_OP_SHUFFLE) | GEN_BIT(GEN_OP_BROADCAST_FIRST);
    return GEN_BIT(f) | (GEN_BIT(f) & GEN_OF_TYPES ? c->o.features & moves
                         : f == GEN_SWITCH_FALL    ? c->o.features & GEN_BIT(GEN_SWITCH)
                                                   : 0);
}

// Leaves out features that the target does not take: an older compiler does not know their
// capabilities.
static void choose_features(struct ci *c)
{
    const char *message = NULL;
    uint32_t n = 0;
    for (int f = 0; f < GEN_FEATURE_COUNT && !interrupted(); f++) {
        const gen_features bit = GEN_BIT(f);
        if (!(c->o.features & bit) || !gen_feature_needs((enum gen_feature)f, c->o.stage))
            continue;
        const struct probed p = probe(c, c->o.model, shown_by(c, (enum gen_feature)f), PROBES);
        if (!p.rejected || 2 * p.rejected < p.cases)
            continue;
        c->o.features &= ~bit;
        message = message ? message : p.message;
        text_add(&c->note, "%s%s",
                 n++         ? ", "
                 : c->note.n ? " Not taken either: "
                             : "Not taken: ",
                 gen_feature_name((enum gen_feature)f));
    }
    if (n)
        text_add(&c->note, " (%s). None of this is generated.", message);
}

// ---- the two campaigns -------------------------------------------------------------------

// Runs seeds first .. end-1 for at most `seconds`. False after a message.
static bool fuzz(struct ci *c, uint64_t first, uint64_t end, double seconds, bool fixed)
{
    struct campaign_options o = c->o;
    struct campaign_stats *s = ARENA_NEW(&c->x->arena, struct campaign_stats);
    const struct fuzz_how how = {.json = false};
    bool gone;
    if (first >= end || interrupted())
        return true;
    o.first_seed = first;
    o.end_seed = end;
    o.seconds = seconds;
    struct campaign *k = campaign_open(&o, &c->x->e);
    if (!k)
        return refuse(c->x), false;
    say("\n%s, seeds %llu to %llu\n", fixed ? "seeds of each run" : "seeds of the day",
        (unsigned long long)first, (unsigned long long)end - 1);
    fuzz_print_head(k);
    const bool ok = fuzz_run(c->x, k, &how, s, &gone);
    fuzz_print_summary(k, s);
    c->live += s->sum.live_total;
    c->compiled += s->sum.compiled;
    c->findings += s->sum.findings;
    c->own_bugs += s->own_bugs;
    c->not_done += fixed ? end - s->next_seed : 0;
    if (!c->why || s->sum.reasons)
        c->why = arena_str(&c->x->arena, s->sum.reasons     ? s->sum.reason[0].text
                                         : s->sum.findings  ? "every case is a finding"
                                         : s->end_reason[0] ? s->end_reason
                                                            : "no case finished in time");
    campaign_close(k);
    return ok || (refuse(c->x), false);
}

static double left(const struct ci *c)
{
    const double spent = now_seconds() - c->start;
    return c->g->o.seconds > spent + 1 ? c->g->o.seconds - spent : 1;
}

static bool fuzz_all(struct ci *c)
{
    const uint64_t n = c->g->fixed, part = DAY_SEEDS / c->shards;
    const uint64_t fresh = c->day + c->shard * part;
    const uint64_t most = c->g->cases && c->g->cases < part ? c->g->cases : part;
    return fuzz(c, n * c->shard / c->shards, n * (c->shard + 1) / c->shards,
                c->g->cases ? 0 : c->g->o.seconds / 2, true) &&
           fuzz(c, fresh, fresh + most, c->g->cases ? 0 : left(c), false);
}

// ---- results -------------------------------------------------------------------------------

static bool reduce(struct ci *c)
{
    const struct batch_options b = {.dir = c->o.out,
                                    .self = c->x->self,
                                    .targets = c->o.targets,
                                    .target_count = 1,
                                    .run = c->o.run,
                                    .per_bucket = 1,
                                    .jobs = c->o.jobs,
                                    .seconds = c->g->reduce,
                                    .each = c->g->reduce < REDUCE_SECONDS ? c->g->reduce
                                                                          : REDUCE_SECONDS};
    if (!c->findings || c->g->no_reduce || interrupted())
        return true;
    say("\n");
    // A finding that cannot be reduced is reported as it was found.
    return reduce_all(c->x, &b, false) != STATUS_BAD || !c->x->e.msg[0];
}

static bool write_file(struct ci *c, enum report_format f, const struct store_findings *v,
                       const char *place, const char *name)
{
    struct text t = {.arena = &c->x->arena};
    const char *path = arena_printf(&c->x->arena, "%s/%s", c->o.out, name);
    report_format_write(f, v, place, &t);
    if (!file_write(path, t.v, t.n, &c->x->e))
        return refuse(c->x), false;
    say("%s\n", path);
    return true;
}

static bool write_results(struct ci *c, struct store_findings *v)
{
    struct arena *a = &c->x->arena;
    struct err *e = &c->x->e;
    struct report_known *known;
    uint32_t n = 0;
    if (!store_read(c->o.out, a, v, e) ||
        (c->o.known && !report_known_read(a, c->o.known, &known, &n, e)))
        return refuse(c->x), false;
    if (c->o.known)
        report_known_mark(a, v, known, n);
    v->target_given = c->o.targets[0];
    say("\n");
    return write_file(c, REPORT_FORMAT_MARKDOWN, v, c->o.out, "summary.md") &&
           write_file(c, REPORT_FORMAT_JUNIT, v, c->o.out, "junit.xml") &&
           write_file(c, REPORT_FORMAT_SARIF, v, report_repository_path(a, c->o.out),
                      "findings.sarif") &&
           (page_write(c->x, c->o.out, v, arena_printf(a, "%s/report.html", c->o.out)) ||
            (refuse(c->x), false));
}

// Prints a line for each bug and for each bucket that was not reduced; decides the exit status.
static int outcome(struct ci *c, const struct store_findings *v)
{
    uint32_t fails = 0;
    for (int raw = 0; raw < 2; raw++)
        for (uint32_t i = 0; i < v->buckets; i++) {
            const struct store_bucket *b = &v->bucket[i];
            if (!report_fails(b) || (raw != 0) == (b->best->reduced != NULL))
                continue;
            say("%s%s %s: %s\n", fails++ ? "" : "\n", raw ? "not reduced" : "bug",
                b->signature->name, report_title(&c->x->arena, store_shown(b->best), b->signature));
        }
    if (fails)
        say("%s\n", report_headline(&c->x->arena, v));
    if (c->o.note)
        say("\n%s\n", c->o.note);
    if (c->not_done)
        say("%llu of the seeds that each run repeats were not reached in half of the time\n",
            (unsigned long long)c->not_done);
    if (!c->live && !c->compiled)
        complain(c->x, "NOTHING WAS COMPARED: %s", c->why ? c->why : "interrupted");
    if (fails || c->own_bugs)
        return STATUS_FOUND;
    return c->live || c->compiled ? STATUS_GOOD : STATUS_BAD;
}

// ---- the command line ------------------------------------------------------------------------

static bool read_shard(struct ci *c, const char *s)
{
    uint64_t at = 1, of = 1;
    const size_t n = s ? strcspn(s, "/") : 0;
    const bool ok =
        !s || (s[n] && parse_u64(s, n, &at) && parse_u64(s + n + 1, strlen(s + n + 1), &of) &&
               at >= 1 && at <= of && of <= SHARDS_MAX);
    c->shard = (uint32_t)at - 1;
    c->shards = (uint32_t)of;
    return ok || (complain(c->x, "--shard: '%s' is not I/N with I from 1 to N and N at most %d", s,
                           SHARDS_MAX),
                  false);
}

static bool read_day(struct ci *c, const char *s)
{
    return seeds_of_day(s, &c->day) ||
           (complain(c->x, "--day: '%s' is not a date like 2026-11-25, nor today", s), false);
}

static bool read_target(struct ci *c, const struct given *g)
{
    const char **target = ARENA_ARRAY(&c->x->arena, const char *, 1);
    if (g->targets.n + g->compilers.n != 1)
        return complain(c->x, g->targets.n + g->compilers.n
                                  ? "takes one compiler or target a run: use a job of the pipeline "
                                    "for each"
                                  : "needs --compiler 'my-opt {in} -o {out}' or --target SPEC"),
               false;
    *target = g->targets.n ? g->targets.v[0]
                           : arena_printf(&c->x->arena, "exec-compiler:%s", g->compilers.v[0]);
    c->o.targets = target;
    c->o.target_count = 1;
    return true;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct ci c = {.x = x, .g = g, .o = g->o, .note.arena = &x->arena, .start = now_seconds()};
    struct store_findings v;
    const char *earlier = arena_printf(&x->arena, "%s/campaign.json", g->out);
    c.o.self = x->self;
    c.o.out = g->out;
    c.o.jobs = g->o.jobs ? g->o.jobs : processor_count(BATCH_JOBS_MAX);
    c.o.keep = CAMPAIGN_KEEP;
    c.o.features = GEN_DEFAULT_FEATURES;
    if (!read_target(&c, g) || !read_shard(&c, g->shard) || !read_day(&c, g->day))
        return STATUS_BAD;
    if (access(earlier, F_OK) == 0)
        return complain(x,
                        "%s: has the results of an earlier run: remove it or choose another "
                        "--out",
                        g->out);
    if (!own_dir(g->out, &x->e))
        return refuse(x);
    if (!choose_model(&c))
        return STATUS_BAD;
    choose_features(&c);
    c.o.note = c.note.n ? c.note.v : NULL;
    if (!fuzz_all(&c) || !reduce(&c) || !write_results(&c, &v))
        return STATUS_BAD;
    return outcome(&c, &v);
}

static const struct arg_option options[] = {
    OPT_TEXTS("compiler", 'c', "CMD",
              "the compiler: a command that reads SPIR-V from {in} and writes\n"
              "{out}; the same as --target 'exec-compiler:CMD'",
              compilers),
    OPT_TEXTS("target", 't', "SPEC", "another target, see tanglefuzz targets", targets),
    OPT_SECONDS("time", 0, "S", "time to fuzz: 90, 90s, 10m, 2h; default 10m", o.seconds),
    OPT_SECONDS("reduce-time", 0, "S", "time to reduce what was found; default 5m", reduce),
    OPT_FLAG("no-reduce", 0, "do not reduce findings", no_reduce),
    OPT_TEXT("known", 'k', "DIR", "known bugs (docs/known.md): counted and listed, not failures",
             o.known),
    OPT_TEXT("shard", 0, "I/N", "this is job I of N, which divide the seeds", shard),
    OPT_U64("fixed", 0, "N", "seeds that each run repeats, 0 to N-1; default 200", fixed, 0,
            DAY_SEEDS),
    OPT_TEXT("day", 0, "DATE", "the day whose seeds are run then; default today (UTC)", day),
    OPT_U64("cases", 'n', "N", "seeds of the day instead of a time limit", cases, 1, DAY_SEEDS),
    OPT_U32("jobs", 'j', "N", "workers; default: the number of processors", o.jobs, 1,
            CAMPAIGN_JOBS_MAX),
    OPT_TEXT("out", 'o', "DIR", "output folder; default tanglefuzz-ci", out),
    OPT_SECONDS("job-time", 0, "S", "timeout of one case; default 60", o.run.job_seconds),
    OPT_U32("memory", 0, "MIB", "memory limit of a worker; default 4096", o.run.memory_mib, 64,
            1 << 20),
};

const struct command cmd_ci = {
    .name = "ci",
    .task = TASK_BUGS,
    .line = "fuzz a compiler in its pipeline",
    .about =
        "Fuzzes one compiler or driver for a fixed time, for a pipeline: first the seeds that "
        "each\n"
        "run repeats (at most half of the time), then those of the day. Then it reduces one\n"
        "finding of each bucket and writes to DIR: summary.md for a merge request, junit.xml (a\n"
        "test per bucket, and a passed one with the number of cases that agreed), findings.sarif\n"
        "with paths from the root of the repository, and report.html. A compiler that does not\n"
        "take modules with maximal reconvergence is judged by what it promises.\n"
        "Exit status: 0 no new bug, 1 bugs that are not known, 2 bad usage or environment, or\n"
        "nothing compared.",
    .example = "tanglefuzz ci --compiler 'build/bin/my-opt {in} -o {out}' --time 10m\n"
               "tanglefuzz ci --target vulkan:driver=lavapipe --known known-bugs --shard 2/4",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults =
        &(const struct given){.o = {.seconds = 600, .profile = GEN_DEFAULT, .log = GEN_LOG_MIXED},
                              .out = "tanglefuzz-ci",
                              .day = "today",
                              .fixed = FIXED,
                              .reduce = 300},
    .finishes = true,
    .many = true,
    .run = run,
};
