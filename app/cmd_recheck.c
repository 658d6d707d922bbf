// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz recheck: runs known findings on other versions and reports which are fixed.
#include "args.h"
#include "base/interrupt.h"
#include "campaign/recheck.h"
#include "campaign/targetlist.h"
#include "status.h"

#include <string.h>

enum { RUNS_MAX = 1000, TARGETS_MAX = 32 };

struct given {
    struct arg_texts targets;
    const char *targets_file, *format, *out;
    struct run_options o;
    uint32_t runs;
    bool read_only;
};

struct progress {
    struct status status;
    uint32_t of;
    double start, next;
};

static bool tick(void *user, uint32_t done)
{
    struct progress *p = user;
    const double seconds = now_seconds() - p->start;
    if (seconds >= p->next) {
        char line[100], time[32];
        p->next = seconds + (p->status.terminal ? STATUS_REDRAW : STATUS_PLAIN);
        snprintf(line, sizeof line, "%s  %u of %u", status_time(time, sizeof time, seconds), done,
                 p->of);
        status_line(&p->status, line);
    }
    return !interrupted();
}

// Prints how many findings have each outcome. Returns the exit status, decided by the last target.
static int outcome(struct context *x, const struct report_checks *c)
{
    uint32_t n[REPORT_CHANGES + 1] = {0}, in, wrong = 0, judged = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct report_check *last = &c->at[(size_t)i * c->targets + c->targets - 1];
        n[report_became(c, i, &in)]++;
        wrong += last->asked && last->wrong;
        judged += last->asked && (last->wrong || last->good);
    }
    fprintf(stderr,
            "%u: %u still wrong, %u fixed, %u new, %u come and go, %u not seen, %u not judged\n",
            c->n, n[REPORT_STILL], n[REPORT_FIXED], n[REPORT_NEW], n[REPORT_CHANGES],
            n[REPORT_NOT_SEEN], n[REPORT_NOT_JUDGED]);
    if (interrupted())
        return complain(x, "interrupted");
    for (uint32_t i = 0; i < c->n && !judged; i++)
        if (c->at[(size_t)i * c->targets + c->targets - 1].text)
            return complain(x, "nothing could be judged on %s: %s", c->target[c->targets - 1],
                            c->at[(size_t)i * c->targets + c->targets - 1].text);
    return wrong ? STATUS_FOUND : judged ? STATUS_GOOD : STATUS_BAD;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct recheck_list list = {0};
    struct report_checks checks;
    struct progress p = {.start = now_seconds()};
    struct recheck_options o = {.self = x->self, .run = g->o, .runs = g->runs};
    enum report_checks_format f;
    struct text t = {.arena = &x->arena};
    const char **targets;
    if (!targetlist_read(&x->arena, g->targets.v, g->targets.n, g->targets_file, TARGETS_MAX,
                         &targets, &o.target_count, &x->e))
        return refuse(x);
    o.targets = targets;
    for (uint32_t i = 0; i < x->n; i++)
        if (!recheck_read(&x->arena, x->words[i], &list, &x->e))
            return refuse(x);
    if (!list.n)
        return complain(x, "%s: contains no finding", x->words[0]);
    p.of = (uint32_t)list.n * (o.target_count ? o.target_count : 1);
    status_start(&p.status, 0, 0);
    p.next = p.status.terminal ? 0 : STATUS_PLAIN;
    const bool ok = recheck_run(&x->arena, x->tools, &list, &o, tick, &p, &checks, &x->e);
    status_clear(&p.status);
    if (!ok)
        return refuse(x);
    uint32_t remembered;
    if (!g->read_only && !recheck_remember(&x->arena, &checks, &remembered, &x->e))
        complain(x, "%s (--read-only does not try)", x->e.msg);
    CHECK(report_checks_find(g->format, &f)); // args.c accepted it
    report_checks_write(f, &checks, &t);
    if (!g->out || strcmp(g->out, "-") == 0)
        say_text(&t);
    else if (!file_write(g->out, t.v, t.n, &x->e))
        return refuse(x);
    say_flush();
    return outcome(x, &checks);
}

static const struct arg_option options[] = {
    OPT_TEXTS("target", 't', "SPEC",
              "a target to run on; repeat it for several, oldest version first.\n" RECHECK_PASSES
              ": the passes of the finding. Default: each finding's own target",
              targets),
    OPT_TARGETS(targets_file),
    OPT_WORD("format", 'f', "F", "output format; default text", format, "text, json, junit, csv"),
    OPT_TEXT("out", 'o', "FILE", "output file; default standard output", out),
    OPT_U32("runs", 'n', "K", "runs of each finding; default 3", runs, 1, RUNS_MAX),
    OPT_SECONDS("job-time", 0, "S", "timeout of one run; default 60", o.job_seconds),
    OPT_FLAG("read-only", 0, "do not write the results into the findings' folders", read_only),
};

const struct command cmd_recheck = {
    .name = "recheck",
    .task = TASK_FINDINGS,
    .line = "compare known findings against another version",
    .rest = "DIR...",
    .about = "Runs known findings on other versions: the smallest case of each bucket of a "
             "campaign, each\n"
             "finding or bundle folder, or each case of a suite (corpus/regress). Reports for each "
             "whether it\n"
             "is wrong in all versions, fixed in one, new in one, or comes and goes. Findings "
             "remember it: report\n"
             "and show then say \"wrong in 25.0.7; fixed in 26.2.6\".\n"
             "Exit status: 0 nothing is wrong on the last target, 1 something is, 2 nothing could "
             "be judged\n"
             "there, or bad usage.",
    .example = "tanglefuzz recheck my-campaign --target vulkan:driver=lavapipe-25.0 \\\n"
               "    --target vulkan:driver=lavapipe-26.2\n"
               "tanglefuzz recheck my-campaign --target spirv-opt:" RECHECK_PASSES " \\\n"
               "    --target 'exec-compiler:/opt/new/bin/spirv-opt " RECHECK_PASSES
               " {in} -o {out}' --format junit",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.format = "text", .runs = 3},
    .finishes = true,
    .run = run,
};
