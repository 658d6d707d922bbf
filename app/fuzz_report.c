// SPDX-License-Identifier: Apache-2.0
//
// What fuzz prints before and after a campaign. With several targets the summary ends with a table,
// one row per target.
#include "fuzz_report.h"
#include "app.h"
#include "status.h"

#include <string.h>

typedef unsigned long long ull;

// Prints text after a name, broken at blanks before column 80 and indented below it.
static void wrapped(const char *name, const char *text)
{
    size_t in = strlen(name), at = in;
    say("%s", name);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " ");
        if (at > in && at + 1 + n > 79) {
            say("\n%*s", (int)in, "");
            at = in;
        }
        say("%s%.*s", at > in ? " " : "", (int)n, p);
        at += n + (at > in);
        p += n + strspn(p + n, " ");
    }
    say("\n");
}

// ---- before --------------------------------------------------------------------------

// Prints a notice if a target is a command and nothing contains it.
static void say_containment(const struct campaign_options *o)
{
    char why[200];
    bool command = false;
    for (uint32_t i = 0; i < o->target_count; i++)
        command |= run_has_command(o->targets[i]);
    if (command && !run_contained(why, sizeof why))
        say("commands are not contained: %s\n", why);
}

static void head_of_one(const struct campaign_options *o, const struct campaign_target *t)
{
    char n[32];
    say("target  %s, %s\n", o->targets[0], count_of(n, sizeof n, o->jobs, "worker"));
    say("%s %s, subgroups of %u\n", run_is_compiler(&t->info) ? "through" : "device ",
        t->info.device, t->subgroup);
    say("%s %s\n", run_is_compiler(&t->info) ? "version" : "driver ", t->info.driver);
    say("output  %s\n", o->out);
    say_containment(o);
    if (t->dropped[0])
        wrapped("not generated, because the device does not offer it: ", t->dropped);
    if (t->steered[0])
        wrapped("not generated, because known bugs need it: ", t->steered);
}

static void head_of_many(const struct campaign *c, const struct campaign_options *o)
{
    char n[32];
    say("%u targets, %s each; output %s\n", o->target_count,
        count_of(n, sizeof n, o->jobs, "worker"), o->out);
    say_containment(o);
    for (uint32_t i = 0; i < o->target_count; i++) {
        const struct campaign_target *t = campaign_target(c, i);
        say("  %-2u %s\n", i + 1, t->spec);
        char device[600];
        snprintf(device, sizeof device, "%s, %s", t->info.device, t->info.driver);
        wrapped("       ", device);
        say("       subgroups of %u, %s\n", t->subgroup, spv_model_name(t->model));
        // Features that some target of the same size and model does not offer.
        if (t->dropped[0])
            wrapped("       without ", t->dropped);
        if (t->steered[0])
            wrapped("       not generated at this size, because known bugs need it: ", t->steered);
    }
}

void fuzz_print_head(const struct campaign *c)
{
    const struct campaign_options *o = campaign_options(c);
    if (o->target_count == 1)
        head_of_one(o, campaign_target(c, 0));
    else
        head_of_many(c, o);
    say("\n");
    say_flush();
}

// ---- after ---------------------------------------------------------------------------

static void skips(const struct campaign_count *n)
{
    if (n->skipped)
        say("  skipped      %llu\n", (ull)n->skipped);
    if (n->unjudged)
        say("  unjudged     %llu\n", (ull)n->unjudged);
    for (uint32_t i = 0; i < n->reasons; i++)
        say("    %8llu  %s\n", (ull)n->reason[i].n, n->reason[i].text);
}

static void findings(const struct campaign_options *o, const struct campaign_stats *s)
{
    const struct campaign_count *n = &s->sum;
    char text[64];
    say("  findings     %llu", (ull)n->findings);
    if (n->findings)
        say(" in %s, in %s/findings", count_of(text, sizeof text, s->buckets, "bucket"), o->out);
    say("\n");
    if (n->further)
        say("  only counted %llu of buckets with %u folders each (--keep)\n", (ull)n->further,
            o->keep);
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (n->by_class[k])
            say("    %8llu  %s\n", (ull)n->by_class[k], judge_class_name((enum judge_class)k));
    if (n->again)
        say("  known        %llu of them were found before\n", (ull)n->again);
}

// Prints known bugs and how often each was seen. One that was not seen may be fixed, or may need
// features that are not generated.
static void known(const struct campaign *c, const struct campaign_stats *s)
{
    const struct report_known *v;
    uint32_t n = campaign_known(c, &v);
    if (n)
        say("  known bugs   %llu wrong results, not reported\n", (ull)s->sum.known);
    for (uint32_t i = 0; i < n; i++) {
        const bool of_findings = report_known_of_findings(&v[i]);
        bool here = false;
        for (uint32_t t = 0; t < campaign_options(c)->target_count; t++)
            here |= report_known_applies(&v[i], campaign_target(c, t)->spec,
                                         campaign_target(c, t)->info.driver);
        say("    %8llu  %s: %s%s%s\n", (ull)s->known[i], v[i].name, v[i].reason,
            v[i].link[0] ? ", " : "", v[i].link);
        if (!here)
            say("              names another target, or is fixed in this version\n");
        else if (of_findings && !v[i].feature[0] && !s->known[i])
            say("              not seen: it may be fixed; replay its case to check\n");
    }
}

// Prints quarantines and reasons of skipped cases of one target.
static void notes(const struct campaign_count *n)
{
    if (n->quarantine)
        say("               quarantined %llu time%s, %llu modules not run\n", (ull)n->quarantine,
            n->quarantine == 1 ? "" : "s", (ull)n->held);
    for (uint32_t i = 0; i < n->reasons; i++)
        say("    %8llu skipped: %s\n", (ull)n->reason[i].n, n->reason[i].text);
}

static void table(const struct campaign *c, const struct campaign_options *o,
                  const struct campaign_stats *s)
{
    say("\n       cases   agreed  skipped  findings  flaky       bits  driver\n");
    for (uint32_t i = 0; i < o->target_count; i++) {
        const struct campaign_count *n = &s->target[i];
        say("  %-2u %s\n", i + 1, campaign_target(c, i)->spec);
        say("  %10llu %8llu %8llu %9llu %6llu %10llu  %4.0f %%\n", (ull)n->cases, (ull)n->agreed,
            (ull)n->skipped, (ull)(n->findings + n->again), (ull)n->flaky,
            (ull)campaign_live_median(n), campaign_driver_share(s, n, s->jobs) * 100);
        if (n->rerun)
            say("               stability: %.0f%% of %llu re-runs\n", campaign_stability(n) * 100,
                (ull)n->rerun);
        notes(n);
        for (int k = 0; k < JUDGE_CLASSES; k++)
            if (n->by_class[k])
                say("    %8llu %s\n", (ull)n->by_class[k], judge_class_name((enum judge_class)k));
        if (n->compiled)
            say("    %8llu compiled only\n", (ull)n->compiled);
    }
}

// Prints the command that resumes. It names the targets again if they run programs, which the
// folder may not choose.
static void resume_command(const struct campaign_options *o)
{
    struct arena a = {0};
    bool harmless = true;
    for (uint32_t i = 0; i < o->target_count; i++)
        harmless &= run_harmless(o->targets[i]);
    say("  continue     tanglefuzz fuzz --resume %s", shell_quote(&a, o->out));
    for (uint32_t i = 0; i < o->target_count && !harmless; i++)
        say(" --target %s", shell_quote(&a, o->targets[i]));
    say("\n");
    arena_free(&a);
}

void fuzz_print_summary(const struct campaign *c, const struct campaign_stats *s)
{
    const struct campaign_options *o = campaign_options(c);
    const struct campaign_count *all = &s->sum;
    char time[32], n[64];
    const char *why = s->stopped ? ", interrupted" : s->enough ? ", enough findings" : "";
    say("\n%s in %s (%.1f/s)%s\n", count_of(n, sizeof n, all->cases, "case"),
        status_time(time, sizeof time, s->seconds),
        s->seconds > 0 ? (double)all->cases / s->seconds : 0, why);
    if (o->inputs > 1)
        say("  modules      %llu, with %u inputs each\n", (ull)all->modules, o->inputs);
    else if (o->target_count > 1)
        say("  modules      %llu, each for all targets of its size and model\n", (ull)all->modules);
    if (all->compiled)
        say("  compiled     %llu, and not run\n", (ull)all->compiled);
    if (all->compared || !all->compiled) {
        say("  agreed       %llu\n", (ull)all->agreed);
        say("  compared     at least %llu bits per case, median %llu\n", (ull)all->live_min,
            (ull)campaign_live_median(all));
    }
    uint32_t workers = s->jobs * s->targets;
    say("  driver       %.1f%% of the time of %s was spent in driver calls\n",
        campaign_driver_share(s, all, workers) * 100, count_of(n, sizeof n, workers, "worker"));
    if (all->nothing)
        say("  empty        %llu cases in which nothing was compared\n", (ull)all->nothing);
    if (all->left_out)
        say("  left out     %llu programs that need what the target does not offer\n",
            (ull)all->left_out);
    if (all->other_mapping)
        say("  remapped     %llu, predicted again for the observed lane mapping\n",
            (ull)all->other_mapping);
    if (all->outside)
        say("  killed       %llu workers by another process; their cases were run again\n",
            (ull)all->outside);
    if (all->rerun)
        say("  stability    %.0f%% of %llu re-runs showed the same class\n",
            campaign_stability(all) * 100, (ull)all->rerun);
    if (s->end_reason[0])
        say("  ended early  %s\n", s->end_reason);
    if (o->target_count == 1)
        skips(all);
    if (s->own_bugs)
        say("  own bugs     %llu bugs in tanglefuzz, in %s/ours\n", (ull)s->own_bugs, o->out);
    findings(o, s);
    known(c, s);
    if (o->target_count > 1)
        table(c, o, s);
    if (s->next_seed < o->end_seed)
        resume_command(o);
}

int fuzz_outcome(const struct context *x, const struct campaign *c, const struct campaign_stats *s)
{
    const struct campaign_options *o = campaign_options(c);
    const struct campaign_count *n = &s->sum;
    if (n->cases >= CAMPAIGN_REFUSALS && n->by_class[JUDGE_REJECTED] == n->cases)
        return complain(x, "NOTHING WAS COMPARED: each module was rejected. A compiler that does "
                           "not know maximal reconvergence can be judged by less: --model M, or "
                           "tanglefuzz ci, which finds what it takes");
    if (n->findings || n->again || s->own_bugs)
        return STATUS_FOUND;
    for (uint32_t i = 0; i < o->target_count; i++)
        if (campaign_unstable(&s->target[i]))
            return complain(
                x,
                "%s is unstable: %llu of %llu cases are flaky, so agreement proves little "
                "(does it return stale results?)",
                campaign_target(c, i)->spec, (ull)s->target[i].flaky, (ull)s->target[i].cases);
    if (n->cases == 0 && n->skipped)
        return complain(x, "every case was skipped: %s", n->reason[0].text);
    if (n->cases == 0 && n->unjudged)
        return complain(x, "NOTHING WAS COMPARED: no output could be judged: %s",
                        n->reason[0].text);
    if (n->compared && n->live_total == 0)
        return complain(x,
                        "NOTHING WAS COMPARED: none of %llu cases has a bit that may be compared",
                        (ull)n->compared);
    if (n->cases == 0 && o->end_seed > o->first_seed)
        return complain(x, "NOTHING WAS COMPARED: no case finished %s",
                        s->stopped ? "before the interruption" : "before the time limit");
    // If one of several targets compared nothing, it has not passed.
    for (uint32_t i = 0; i < o->target_count && n->cases; i++)
        if (!s->target[i].live_total && !s->target[i].compiled)
            return complain(x, "NOTHING WAS COMPARED on %s%s%s", campaign_target(c, i)->spec,
                            s->target[i].reasons ? ": " : "",
                            s->target[i].reasons ? s->target[i].reason[0].text : "");
    return STATUS_GOOD;
}
