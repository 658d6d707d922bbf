// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz enumerate: all programs up to a size. With a target: a campaign over their numbers,
// and a certificate. Without: counts them, in the oracle alone. Or prints one of them.
#include "args.h"
#include "base/interrupt.h"
#include "campaign/campaign.h"
#include "campaign/census.h"
#include "campaign/targetlist.h"
#include "case_files.h"
#include "fuzz_report.h"
#include "fuzz_run.h"
#include "report/certificate.h"
#include "seeds.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_LANES = 4, USUAL_INPUTS = 2, FINDINGS_MAX = 200 };

struct given {
    struct campaign_options o;
    struct arg_texts targets;
    const char *targets_file, *numbers, *out, *stage, *model;
    uint64_t number; // UINT64_MAX: not given
    bool json, tree, list;
};

// ---- one program -----------------------------------------------------------------------

static int one(struct context *x, const struct given *g, const struct enumeration *all,
               const struct gen_options *o)
{
    struct gen_made m;
    struct text t = {.arena = &x->arena};
    const uint64_t count = enu_count(all, ENU_SIZE_MAX);
    if (g->number >= count)
        return complain(x, "--number: there are %llu programs of at most %d constructs",
                        (unsigned long long)count, ENU_SIZE_MAX);
    gen_make_number(&x->arena, all, g->number, o, &m);
    if (g->tree) {
        gen_print(m.program, &t);
        say_text(&t);
        return STATUS_GOOD;
    }
    if (!g->out)
        m.case_count = 1; // they differ in their inputs only
    return case_files_write(x, &x->arena, &m, g->out) ? STATUS_GOOD : refuse(x);
}

// ---- without a target ------------------------------------------------------------------

static void list_one(const struct enumeration *all, struct arena *a, uint64_t number, uint64_t hash)
{
    struct text t = {.arena = a};
    enu_text(enu_sketch(all, a, number), &t);
    say("%llu %u %016llx %s\n", (unsigned long long)number, enu_size_of(all, number),
        (unsigned long long)hash, t.v);
}

static int count(struct context *x, const struct given *g, const struct enumeration *all,
                 const struct gen_options *o)
{
    struct census s = {0};
    struct arena a = {0};
    struct status shown;
    const double start = now_seconds();
    uint64_t n = g->o.first_seed;
    status_start(&shown, 0, 0);
    for (; n < g->o.end_seed && !interrupted(); n++, arena_reset(&a)) {
        if (g->o.seconds > 0 && now_seconds() - start >= g->o.seconds)
            break;
        const uint64_t hash = census_one(&s, &a, all, n, o);
        if (g->list)
            list_one(all, &a, n, hash);
        if (shown.terminal && now_seconds() >= shown.next) {
            char line[80];
            snprintf(line, sizeof line, "program %llu of %llu", (unsigned long long)n,
                     (unsigned long long)g->o.end_seed);
            status_line(&shown, line);
            shown.next = now_seconds() + STATUS_REDRAW;
        }
    }
    status_clear(&shown);
    const uint64_t equal = s.programs - s.behaviours;
    if (g->json)
        say("{\"programs\": %llu, \"behaviours\": %llu, \"equal\": %llu, \"choices\": %llu, "
            "\"disagree\": %llu, \"undefined\": %llu, \"next\": %llu, \"seconds\": %.3f}\n",
            (unsigned long long)s.programs, (unsigned long long)s.behaviours,
            (unsigned long long)equal, (unsigned long long)s.choices,
            (unsigned long long)s.disagree, (unsigned long long)s.undefined, (unsigned long long)n,
            s.make + s.mask + s.tag);
    else if (!g->list)
        say("%llu programs, %llu behaviours (%llu equal to an earlier one), %llu with a choice of "
            "the implementation\n"
            "CPU: %.2f s to make them, %.2f s mask machine, %.2f s tag machine; %.0f programs a "
            "second\n"
            "%llu disagreements of the machines, %llu undefined\n",
            (unsigned long long)s.programs, (unsigned long long)s.behaviours,
            (unsigned long long)equal, (unsigned long long)s.choices, s.make, s.mask, s.tag,
            s.make + s.mask + s.tag > 0 ? (double)s.programs / (s.make + s.mask + s.tag) : 0,
            (unsigned long long)s.disagree, (unsigned long long)s.undefined);
    const bool bad = s.disagree || s.undefined;
    if (bad)
        complain(x, "bug in tanglefuzz, please report it: %s", s.first);
    census_free(&s);
    arena_free(&a);
    return bad ? STATUS_FOUND : STATUS_GOOD;
}

// ---- with a target ---------------------------------------------------------------------

// What the certificate lists.
struct found_list {
    struct arena *a;
    const struct enumeration *all;
    VEC(struct certificate_finding) v;
};

static void found(void *user, const struct campaign_found *f)
{
    struct found_list *l = user;
    if (l->v.n == FINDINGS_MAX)
        return;
    struct text t = {.arena = l->a};
    enu_text(enu_sketch(l->all, l->a, f->seed), &t);
    *VEC_PUSH(l->a, &l->v) = (struct certificate_finding){
        .name = arena_str(l->a, f->finding->name),
        .title = arena_str(l->a, report_title(l->a, f->finding, f->finding->signature)),
        .program = t.v};
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct certificate_finding *)x)->name,
                  ((const struct certificate_finding *)y)->name);
}

static struct certificate certificate_of(const struct campaign *c, const struct campaign_stats *s,
                                         const struct found_list *l, uint32_t target)
{
    const struct campaign_options *o = campaign_options(c);
    const struct campaign_count *n = &s->target[target];
    const struct campaign_target *t = campaign_target(c, target);
    struct certificate x = {.target = t->spec,
                            .version = t->info.driver[0] ? t->info.driver : t->info.device,
                            .stage = spv_stage_row(o->stage)->name,
                            .model = spv_model_name(t->model),
                            .subgroup = t->subgroup,
                            .inputs = o->inputs,
                            .size = o->size,
                            .count = enu_count(l->all, o->size),
                            .first = o->first_seed,
                            .end = o->end_seed,
                            .done = s->next_seed,
                            .left_out = n->left_out,
                            .without = t->dropped,
                            .cases = n->cases,
                            .agreed = n->agreed,
                            .skipped = n->skipped,
                            .unjudged = n->unjudged,
                            .nothing = n->nothing,
                            .compiled = n->compiled,
                            .wrong = n->findings + n->again + n->known,
                            .flaky = n->flaky,
                            .seconds = s->seconds,
                            .finding = l->v.v,
                            .findings = (uint32_t)l->v.n};
    for (uint32_t k = 1; k <= o->size; k++)
        x.by_size[k] = enu_count(l->all, k) - enu_count(l->all, k - 1);
    return x;
}

// Writes OUT/certificate.json and OUT/certificate.md; of several targets, with the label.
static bool write_certificates(struct context *x, const struct campaign *c,
                               const struct campaign_stats *s, struct found_list *l)
{
    const struct campaign_options *o = campaign_options(c);
    bool ok = true;
    if (l->v.n)
        qsort(l->v.v, l->v.n, sizeof *l->v.v, by_name);
    for (uint32_t i = 0; i < o->target_count; i++)
        for (int json = 0; json < 2 && ok; json++) {
            struct text t = {.arena = &x->arena};
            const struct certificate made = certificate_of(c, s, l, i);
            certificate_write(&made, json, &t);
            const char *path = arena_printf(
                &x->arena, "%s/certificate%s%s.%s", o->out, o->target_count > 1 ? "-" : "",
                o->target_count > 1 ? campaign_target(c, i)->label : "", json ? "json" : "md");
            ok = file_write(path, t.v, t.n, &x->e);
        }
    return ok;
}

static int run_targets(struct context *x, struct given *g, const struct enumeration *all)
{
    struct campaign *c = campaign_open(&g->o, &x->e);
    if (!c)
        return refuse(x);
    if (!g->json)
        fuzz_print_head(c);
    struct campaign_stats *s = ARENA_NEW(&x->arena, struct campaign_stats);
    struct found_list l = {.a = &x->arena, .all = all};
    const struct fuzz_how how = {.json = g->json, .found = found, .user = &l};
    bool gone;
    const bool ok = fuzz_run(x, c, &how, s, &gone) && write_certificates(x, c, s, &l);
    if (g->json)
        say("%s\n", campaign_json(&x->arena, c, s));
    else
        fuzz_print_summary(c, s);
    if (ok && !g->json)
        say("  certificate  %s/certificate.md\n", g->o.out);
    const int status = ok ? fuzz_outcome(x, c, s) : refuse(x);
    campaign_close(c);
    return status;
}

// ---- the command -------------------------------------------------------------------------

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct campaign_options *o = &g->o;
    const bool single = g->number != UINT64_MAX;
    if (!targetlist_read(&x->arena, g->targets.v, g->targets.n, g->targets_file,
                         CAMPAIGN_TARGETS_MAX, (const char ***)&o->targets, &o->target_count,
                         &x->e))
        return refuse(x);
    if (single && (o->target_count || g->numbers || g->list))
        return complain(x, "--number prints one program: it goes with -o, --tree, --stage, "
                           "--subgroup, --inputs and --model only");
    if (!single && !o->size)
        return complain(x, "needs --size K (all programs up to it), or --number N (one of them)");
    if (!single && (g->tree || (g->out && !o->target_count)))
        return complain(x, "%s needs %s", g->tree ? "--tree" : "--out",
                        g->tree ? "--number N" : "--target SPEC or --number N");
    if (o->target_count && g->list)
        return complain(x, "--list needs no target: it prints the programs");
    CHECK(spv_stage_find(g->stage, strlen(g->stage), &o->stage));
    const struct enumeration *all = enu_make(&x->arena, o->stage, single ? ENU_SIZE_MAX : o->size);
    struct gen_options made = {.subgroup = o->subgroup ? o->subgroup : USUAL_LANES,
                               .inputs = o->inputs,
                               .stage = o->stage};
    for (int m = SPV_MAXIMAL; single && m <= SPV_ASSUMED_MAXIMAL; m++)
        if (strcmp(g->model, spv_model_name((enum spv_model)m)) == 0)
            made.model = (enum spv_model)m;
    if (single)
        return one(x, g, all, &made);
    const uint64_t count_all = enu_count(all, o->size);
    o->end_seed = count_all;
    if (g->numbers && !seeds_read(g->numbers, &o->first_seed, &o->end_seed))
        return complain(x, "--numbers: '%s' is not A:B with A less than B, nor A: or A",
                        g->numbers);
    if (o->first_seed >= count_all)
        return complain(x, "--numbers: there are %llu programs of at most %u constructs",
                        (unsigned long long)count_all, o->size);
    o->end_seed = o->end_seed < count_all ? o->end_seed : count_all;
    if (!o->target_count)
        return count(x, g, all, &made);
    o->self = x->self;
    o->out = g->out ? g->out : "tanglefuzz-out";
    o->choose_model = CAMPAIGN_MODEL_BEST;
    return run_targets(x, g, all);
}

static const struct arg_option options[] = {
    OPT_U32("size", 'k', "K", "all programs of at most K constructs and operations", o.size, 1,
            ENU_SIZE_MAX),
    OPT_TEXTS("target", 't', "SPEC",
              "target to run them on; may be repeated; without, they are counted", targets),
    OPT_TARGETS(targets_file),
    OPT_TEXT("numbers", 0, "A:B",
             "only the programs A to B-1, for a part of the work; A: has no end", numbers),
    OPT_WORD("stage", 0, "S", "shader stage; default compute", stage, "compute, fragment"),
    OPT_LANES("subgroup", "subgroup size; default the target's, without one 4", o.subgroup, 4),
    OPT_U32("inputs", 0, "N", "input sets per program; default 2", o.inputs, 1, 64),
    OPT_SECONDS("time", 0, "S", "stop after this time: 90, 90s, 10m, 2h", o.seconds),
    OPT_U32("jobs", 'j', "N", "workers of each target; default 1", o.jobs, 1, CAMPAIGN_JOBS_MAX),
    OPT_TEXT("out", 'o', "PATH", "output folder; default tanglefuzz-out; with --number, a file",
             out),
    OPT_U64("number", 'n', "N", "print the program of this number, as a case", number, 0,
            UINT64_MAX - 1),
    OPT_FLAG("tree", 0, "with --number: print it as pseudo-code", tree),
    OPT_WORD("model", 0, "M", "with --number: model to judge by; default maximal", model,
             "maximal, assumed-maximal"),
    OPT_FLAG("list", 0, "print number, size, behaviour and text of each program", list),
    OPT_FLAG("json", 0, "print JSON lines: findings, then a summary", json),
    OPT_SECONDS("job-time", 0, "S", "timeout of one job, with compilation; default 60",
                o.run.job_seconds),
    OPT_U32("keep", 0, "N",
            "folders of one bucket; further findings of it are only counted;\n0: all; default 5",
            o.keep, 0, 1000000),
};

const struct command cmd_enumerate = {
    .name = "enumerate",
    .task = TASK_BUGS,
    .line = "run all small programs on targets: a certificate, or the smallest bugs",
    .about = "Runs every structured program of at most K constructs and operations, each with a "
             "fixed number, and\n"
             "keeps what goes wrong, as fuzz does. DIR/certificate.md and certificate.json state "
             "what was run and\n"
             "what was wrong. fuzz --resume DIR continues. Without a target: runs them on both "
             "machines of the\n"
             "oracle, and counts programs and distinct behaviours. generator/enumerate/README.md "
             "defines them.\n"
             "Exit status: 0 all agree, 1 findings, 2 bad usage or environment, or nothing "
             "compared.",
    .example = "tanglefuzz enumerate --size 3 --target spirv-opt:-O\n"
               "tanglefuzz enumerate --size 3\n"
               "tanglefuzz enumerate --number 1000 --tree",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults =
        &(const struct given){.o = {.keep = CAMPAIGN_KEEP, .inputs = USUAL_INPUTS, .jobs = 1},
                              .stage = "compute",
                              .model = "maximal",
                              .number = UINT64_MAX},
    .finishes = true,
    .many = true,
    .run = run,
};
