// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz suite: a small set of tests, chosen by what they find, in the form of a project's own
// test suite.
#define _POSIX_C_SOURCE 200809L
#include "args.h"
#include "base/interrupt.h"
#include "campaign/campaign.h"
#include "campaign/testset.h"
#include "judge/judge.h"
#include "report/suite.h"
#include "runners/runners.h"
#include "status.h"

#include <string.h>
#include <sys/stat.h>

enum { TESTS_MAX = 1000, RANDOM_MAX = 1000000, USUAL_LANES = 8 };
static const char FLAG[] = "-O"; // of spirv-opt, for the form spirv-tools

struct given {
    struct testset_options o;
    const char *form, *out, *stage, *model, *target;
};

// What the choice calls back with.
struct choosing {
    struct status shown;
    const char *form;
    struct run_target *target; // NULL: none given
};

static bool fits(void *user, struct arena *a, const struct spv_case *c)
{
    return suite_fits(a, ((const struct choosing *)user)->form, c);
}

static bool runs(void *user, struct arena *a, const struct spv_case *c)
{
    struct run_result r;
    run_case(((const struct choosing *)user)->target, a, c, c->subgroup, &r);
    return r.status != RUN_SKIPPED && r.status != RUN_FAILED;
}

static bool tick(void *user, uint64_t done, uint64_t all)
{
    struct status *s = &((struct choosing *)user)->shown;
    if (s->terminal && now_seconds() >= s->next) {
        char line[80];
        snprintf(line, sizeof line, "candidate %llu of %llu", (unsigned long long)done,
                 (unsigned long long)all);
        status_line(s, line);
        s->next = now_seconds() + STATUS_REDRAW;
    }
    return !interrupted();
}

// Runs the optimizer on a case. Returns its output as text, or NULL if it is not right.
static const char *optimized(struct context *x, struct run_target *t, const struct prediction *p)
{
    struct run_result *results;
    struct judged judged;
    struct shown_policy shown = {0};
    const char *text;
    uint32_t got = 0;
    CHECK(run_submit(t, p->c, 1, p->subgroup));
    while (!got)
        got = run_take(t, &x->arena, 1, &results);
    judge_result(&x->arena, x->tools, p, results, &shown, &judged);
    return judged.verdict.klass == JUDGE_AGREES && results->form == RUN_FORM_SPIRV &&
                   spv_disassemble(x->tools, &x->arena, results->words, results->word_count, &text,
                                   NULL)
               ? text
               : NULL;
}

// Fills in a test, with its expectation.
static void fill_test(struct context *x, const struct given *g, const struct testset_test *chosen,
                      uint32_t at, struct run_target *optimizer, struct suite_test *t)
{
    const struct prediction *p =
        judge_predict(&x->arena, &chosen->c, 1, g->o.subgroup, SPV_POLICY_JOIN);
    *t = (struct suite_test){.name = arena_printf(&x->arena, "%03u-%s", at + 1, chosen->name),
                             .line = chosen->line,
                             .classes = chosen->classes,
                             .seen = chosen->seen,
                             .mutants = chosen->mutants,
                             .rules = chosen->rules,
                             .wrong = chosen->wrong,
                             .program = chosen->c.from,
                             .c = chosen->c,
                             .flag = FLAG};
    t->c.expect_count = p->made.memory_count;
    for (uint32_t i = 0; i < p->made.memory_count; i++)
        t->c.expect[i] = p->made.memory[i];
    if (optimizer)
        t->output = optimized(x, optimizer, p);
}

static const struct suite_step *steps_of(struct arena *a, const struct testset *s, uint32_t *n)
{
    static const uint32_t at[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    struct suite_step *v = ARENA_ARRAY(a, struct suite_step, sizeof at / sizeof *at + 1);
    *n = 0;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (at[i] < s->n || at[i] == s->n)
            v[(*n)++] = (struct suite_step){at[i], s->step[at[i] - 1].greedy,
                                            (uint32_t)(s->step[at[i] - 1].random + 0.5)};
    if (s->n && (!*n || v[*n - 1].tests != s->n))
        v[(*n)++] = (struct suite_step){s->n, s->step[s->n - 1].greedy,
                                        (uint32_t)(s->step[s->n - 1].random + 0.5)};
    return v;
}

static int write_suite(struct context *x, const struct given *g, const struct testset *set)
{
    struct run_target *optimizer = NULL;
    uint32_t left_out;
    struct suite s = {.n = set->n,
                      .subgroup = g->o.subgroup,
                      .findable = set->findable,
                      .mutants = set->mutants,
                      .kept = set->kept,
                      .kept_candidates = set->kept_candidates,
                      .kept_all = set->kept_all,
                      .candidates = set->candidates,
                      .searched = set->searched};
    struct suite_test *tests = ARENA_ARRAY(&x->arena, struct suite_test, set->n);
    if (strcmp(g->form, "spirv-tools") == 0) {
        optimizer = run_open(arena_printf(&x->arena, "spirv-opt:%s", FLAG), x->self,
                             &(struct run_options){0}, &x->e);
        if (!optimizer)
            return refuse(x);
    }
    for (uint32_t i = 0; i < set->n; i++)
        fill_test(x, g, &set->test[i], i, optimizer, &tests[i]);
    if (optimizer)
        run_close(optimizer);
    s.test = tests;
    s.step = steps_of(&x->arena, set, &s.steps);
    s.command =
        arena_printf(&x->arena,
                     "tanglefuzz suite --form %s --tests %u --size %u --random %llu --search %llu "
                     "--seed %llu --stage %s --model %s --subgroup %u --inputs %u %s"
                     "--out DIR",
                     g->form, g->o.tests, g->o.size, (unsigned long long)g->o.random,
                     (unsigned long long)g->o.search, (unsigned long long)g->o.seed, g->stage,
                     spv_model_name(g->o.model), g->o.subgroup, g->o.inputs,
                     g->target ? arena_printf(&x->arena, "--target '%s' ", g->target) : "");
    if (!suite_write(x->tools, &s, g->form, g->out, &left_out, &x->e))
        return refuse(x);
    say("%u tests in %s, chosen from %llu programs; %u left out: the form cannot express them\n",
        s.n - left_out, g->out, (unsigned long long)s.candidates, left_out);
    say("they find %u of %u mutants; some candidate finds %u\n",
        s.n ? set->step[s.n - 1].greedy : 0, s.mutants, s.findable);
    say("%u of %u kept bugs are among them; %u can be\n", s.kept, s.kept_all, s.kept_candidates);
    say("\ntests   found  as many at random\n");
    for (uint32_t i = 0; i < s.steps; i++)
        say("%5u %7u %7u\n", s.step[i].tests, s.step[i].greedy, s.step[i].random);
    return STATUS_GOOD;
}

// Opens the target and reads from it what was not given: subgroup size, model; and what it offers.
// NULL with a message in x->e.
static struct run_target *ask_target(struct context *x, struct given *g)
{
    char dropped[1000] = "";
    struct gen_options made = {.features = GEN_ALL_FEATURES & ~GEN_BIT(GEN_PLAIN_BALLOTS),
                               .stage = g->o.stage};
    struct run_target *t = run_open(g->target, x->self, &(struct run_options){0}, &x->e);
    if (!t)
        return NULL;
    const struct run_info info = *run_info(t);
    const bool large =
        info.subgroup_size >= 4 ||
        err_set(&x->e, "%s has subgroups of %u, fewer than 4", g->target, info.subgroup_size);
    if (!large || !campaign_takes_stage(g->target, &info, g->o.stage, &x->e)) {
        run_close(t);
        return NULL;
    }
    campaign_keep_offered(&made, &info, dropped, sizeof dropped);
    g->o.offered = made.features;
    if (!g->o.subgroup)
        g->o.subgroup = info.subgroup_size;
    if (!g->model && !run_offers(&info, SPV_NEED(MAXIMAL_RECONVERGENCE)))
        g->o.model = SPV_ASSUMED_MAXIMAL;
    return t;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct testset set;
    struct choosing choosing = {.form = g->form};
    struct stat st;
    if (!g->form)
        return complain(x, "needs --form FORM: %s", SUITE_FORM_NAMES);
    if (!g->out)
        return complain(x, "needs --out DIR, a folder that does not exist yet");
    if (lstat(g->out, &st) == 0)
        return complain(x, "%s: exists already; remove it or choose another folder", g->out);
    CHECK(spv_stage_find(g->stage, strlen(g->stage), &g->o.stage));
    if (!spv_stage_row(g->o.stage)->has_workgroups && strcmp(g->form, "lit") != 0)
        return complain(x, "--form %s: only compute shaders; for fragments use --form lit",
                        g->form);
    if (g->model && strcmp(g->model, spv_model_name(SPV_ASSUMED_MAXIMAL)) == 0)
        g->o.model = SPV_ASSUMED_MAXIMAL;
    if (g->target && !(choosing.target = ask_target(x, g)))
        return refuse(x);
    if (!g->o.subgroup)
        g->o.subgroup = USUAL_LANES;
    g->o.tick = tick;
    g->o.fits = fits;
    g->o.runs = choosing.target ? runs : NULL;
    g->o.user = &choosing;
    status_start(&choosing.shown, 0, 0);
    const bool chosen = testset_choose(&x->arena, x->tools, &g->o, &set);
    status_clear(&choosing.shown);
    run_close(choosing.target);
    if (!chosen)
        return complain(x, "interrupted: nothing was written");
    return write_suite(x, g, &set);
}

static const struct arg_option options[] = {
    OPT_WORD("form", 0, "FORM", "what the project's runner takes", form,
             "amber, cts, lit, offload, spirv-tools, webgpu"),
    OPT_U32("tests", 'n', "N", "number of tests, at most; default 20", o.tests, 1, TESTS_MAX),
    OPT_TEXT("out", 'o', "DIR", "folder to write; it must not exist (needed)", out),
    OPT_U32("size", 'k', "K",
            "candidates: all programs of at most K constructs (see enumerate);\ndefault 3", o.size,
            1, 5),
    OPT_U64("random", 0, "R", "and so many small random programs; default 500", o.random, 0,
            RANDOM_MAX),
    OPT_U64("search", 0, "R",
            "for a mutant that none of these finds: search so many larger random\n"
            "programs, also with derivatives and images; default 5000",
            o.search, 0, RANDOM_MAX),
    OPT_U64("seed", 's', "SEED", "seed of the first random program; default 0", o.seed, 0,
            UINT64_MAX / 2),
    OPT_WORD("stage", 0, "S", "shader stage; default compute", stage, "compute, fragment"),
    OPT_TEXT("target", 't', "SPEC",
             "only tests that this target can run, of its subgroup size, and of\n"
             "model assumed-maximal if it does not promise maximal reconvergence",
             target),
    OPT_WORD("model", 0, "M",
             "assumed-maximal: for a target that does not know the execution\n"
             "mode; default maximal, or the target's",
             model, "maximal, assumed-maximal"),
    OPT_LANES("subgroup", "subgroup size of the tests; default the target's, without one 8",
              o.subgroup, 4),
    OPT_U32("inputs", 0, "N", "input sets of a candidate; default 2", o.inputs, 1, 64),
};

const struct command cmd_suite = {
    .name = "suite",
    .task = TASK_FINDINGS,
    .line = "write a small test suite for another project, chosen by what it finds",
    .about =
        "Runs candidates against all mutants (see mutants), chooses tests greedily by the mutants "
        "that they\n"
        "find, and writes them as a folder that the project's own runner takes, with a README for "
        "the\n"
        "reviewer. Kept reconvergence bugs of compilers and drivers are found as mutants are, each "
        "by its own\n"
        "case. Each test is named by the mistake that it was chosen for, and states the rules that "
        "it\n"
        "exercises and what the mistake stores. The same options write the same folder.",
    .example = "tanglefuzz suite --form amber --tests 20 --out my-suite\n"
               "tanglefuzz suite --form lit --target naga --tests 100 --out naga-suite\n"
               "tanglefuzz suite --form spirv-tools --tests 5 --size 2 --random 0 --out my-tests",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults =
        &(const struct given){
            .o = {.size = 3, .random = 500, .search = 5000, .tests = 20, .inputs = 2},
            .stage = "compute"},
    .finishes = true,
    .many = true,
    .run = run,
};
