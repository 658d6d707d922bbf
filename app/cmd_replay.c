// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz replay: runs cases on targets and prints the verdicts. With --known, a folder of cases
// is a regression suite: expected failures are allowed, and a case that no longer fails is
// reported.
#include "args.h"
#include "base/interrupt.h"
#include "campaign/caselist.h"
#include "campaign/found.h"
#include "campaign/knownfails.h"
#include "campaign/rerun.h"
#include "campaign/targetlist.h"

#include "judge/judge.h"
#include "report/checks.h"
#include "report/report.h"

#include <string.h>

enum { RUNS_MAX = 1000000, TABLE_WORDS = 16, TARGETS_MAX = 32 };

struct asked {
    struct run_target *target;
    struct shown_policy policy;    // the choices that the target last showed
    uint64_t agreed, wrong, other; // numbers of cases
    uint64_t known, passes;        // wrong as expected; right although expected to be wrong
};

struct given {
    struct arg_texts targets;
    const char *targets_file, *known, *driver_text, *format, *out;
    struct run_options o;
    uint32_t runs, subgroup;
    bool fuzzer_hash;
};

struct replay {
    struct context *x;
    const struct given *g;
    struct asked target[TARGETS_MAX];
    uint32_t targets;
    struct known_fails known;
    struct report_checks checks; // for --format
    bool table;                  // a format other than text
    bool unreadable;
};

static bool stopped(void *user)
{
    (void)user;
    return interrupted();
}

// Prints why the result is wrong, if a reason survives its control programs.
static void show_reason(struct spv_tools *tools, struct arena *a, const struct spv_case *given,
                        uint32_t size, const struct asked *q, const struct rerun *t)
{
    struct experiment_worker w = {q->target, tools, q->policy, 0};
    const struct experiment_target on = {&w, experiment_ask, stopped, NULL};
    const struct run_result *r = &t->result;
    struct spv_case c = *given;
    struct diag_signature s;
    struct diag_reason why;
    struct finding_sentences words;
    struct text text = {.arena = a};
    c.subgroup = size;
    if (t->shown.chose) {
        c.has_policy = true;
        c.policy = t->shown.policy;
    }
    diag_signature(&c, &t->shown.verdict, run_spec(q->target), NULL, NULL, NULL, &s);
    const bool module = r->form == RUN_FORM_SPIRV;
    if (module)
        diag_signature_changed(&s, &c, r->words, r->word_count);
    finding_reason(a, &c, t->shown.expected, r->memory, module ? r->words : NULL, r->word_count, &s,
                   &on, &why);
    report_reason_words(a, &c, &why, NULL, &words);
    report_reason_text(&words, &text);
    say_text(&text);
}

// Prints the verdict. `named`: with the target, because there are several.
static void show(const struct replay *r, const struct asked *q, struct arena *a,
                 const struct spv_case *c, uint32_t size, const char *path, const char *expected,
                 const struct rerun *t)
{
    const bool named = r->targets > 1;
    const struct judged *j = &t->shown;
    enum judge_class k = j->verdict.klass;
    say("%s: %s%s%s%s", path, named ? run_spec(q->target) : "", named ? ": " : "", expected,
        judge_class_name(k));
    if (t->runs > 1)
        say(" in %u of %u runs", t->by_class[k], t->runs);
    say(": %s\n", j->verdict.text);
    for (int i = 0; i < JUDGE_CLASSES; i++)
        if (t->by_class[i] && (enum judge_class)i != k)
            say("  %s in %u of %u runs\n", judge_class_name((enum judge_class)i), t->by_class[i],
                t->runs);
    if (j->chose && j->tried) {
        struct text choices = {.arena = a};
        spv_choices_print(&j->policy, &choices);
        if (k == JUDGE_AGREES)
            say("  (with the choices %s)\n", choices.v);
        else if (k == JUDGE_AMBIGUOUS)
            say("  (none of the %u choices tried explains it)\n", j->tried);
        else
            say("  (%s)\n", j->any_policy ? "whatever the implementation chooses"
                                          : "no choice of the implementation explains it");
    }
    if (j->other_mapping)
        say("  (expected for the lane mapping that the device showed)\n");
    if (judge_class_is_mismatch(k) && !judge_class_is_mapping(k) && j->expected) {
        struct text table = {.arena = a};
        report_table(c, j->expected, t->result.memory, t->result.memory_count, 1, TABLE_WORDS,
                     &table);
        say_text(&table);
        if (!expected[0])
            show_reason(r->x->tools, a, c, size, q, t);
    }
    say_flush();
}

// Prints the line by which a fuzzing farm buckets, on standard error like a sanitizer's.
static void print_farm_line(struct arena *a, const char *target, const struct judge_verdict *v)
{
    char bucket[16], line[DIAG_FARM_LINE];
    diag_farm_line(bucket, diag_farm_bucket(a, target, NULL, v, bucket), line);
    fprintf(stderr, "%s\n", line);
}

// Writes the driver's intermediate and machine code to the file of --driver-text.
static void write_driver_text(struct replay *r, const struct run_result *result)
{
    const char *text = result->driver_text;
    if (!text)
        say("  (the driver does not report its code)\n");
    else if (file_write(r->g->driver_text, text, strlen(text), &r->x->e))
        say("  (the driver's code: %s)\n", r->g->driver_text);
    else
        r->unreadable = refuse(r->x) != STATUS_GOOD;
}

static void replay_on(struct replay *r, struct asked *q, struct arena *a, const struct spv_case *c,
                      const char *path)
{
    const char *spec = run_spec(q->target), *expected = "";
    uint32_t size = judge_subgroup(c, r->g->subgroup, run_info(q->target));
    struct prediction *p = judge_predict(a, c, 1, size, q->policy.choices.base);
    struct rerun t = {0};
    rerun_case(&t, r->x->tools, q->target, p, r->g->subgroup, r->g->runs, &q->policy);
    if (t.runs) {
        enum judge_class k = t.shown.verdict.klass;
        const char *driver = run_info(q->target)->driver;
        if (t.wrong && known_fails_has(&r->known, path, spec, driver, k)) {
            expected = "known to fail: ";
            q->known++;
        } else if (t.good && known_fails_has(&r->known, path, spec, driver, JUDGE_AGREES)) {
            expected = "known to fail, but does not: ";
            q->passes++;
        } else {
            q->wrong += t.wrong;
            q->agreed += t.good;
            q->other += !t.wrong && !t.good;
        }
        if (r->table)
            r->checks.at[(r->checks.n - 1) * r->targets + (size_t)(q - r->target)] =
                (struct report_check){.asked = true,
                                      .klass = k,
                                      .good = t.good,
                                      .wrong = t.wrong,
                                      .known = expected[0],
                                      .hits = t.by_class[k],
                                      .runs = t.runs,
                                      .text = arena_str(&r->x->arena, t.shown.verdict.text)};
        else
            show(r, q, a, c, size, path, expected, &t);
        if (r->g->driver_text)
            write_driver_text(r, &t.result);
        if (r->g->fuzzer_hash && t.wrong && !expected[0])
            print_farm_line(a, spec, &t.shown.verdict);
    }
    rerun_free(&t);
}

static void replay_case(struct replay *r, struct arena *a, const char *path)
{
    struct spv_case c;
    if (!spv_case_read(r->x->tools, a, path, &c, &r->x->e)) {
        refuse(r->x);
        r->unreadable = true;
        return;
    }
    r->checks.name[r->checks.n] = r->checks.file[r->checks.n] = path;
    r->checks.n++;
    for (uint32_t t = 0; t < r->targets && !interrupted(); t++)
        replay_on(r, &r->target[t], a, &c, path);
}

// Prints a summary per target if there are several cases.
static void figures(const struct replay *r, size_t cases)
{
    for (uint32_t t = 0; t < r->targets && cases > 1 && !r->table; t++) {
        const struct asked *q = &r->target[t];
        if (r->targets > 1)
            say("%s: ", run_spec(q->target));
        say("%llu agreed, %llu wrong, %llu not judged", (unsigned long long)q->agreed,
            (unsigned long long)q->wrong, (unsigned long long)q->other);
        if (r->known.n)
            say(", %llu known to fail, %llu unexpected passes", (unsigned long long)q->known,
                (unsigned long long)q->passes);
        say("%s\n", interrupted() ? ", interrupted" : "");
    }
}

static int outcome(const struct replay *r)
{
    uint64_t wrong = 0, other = 0;
    for (uint32_t t = 0; t < r->targets; t++) {
        wrong += r->target[t].wrong + r->target[t].passes;
        other += r->target[t].other;
    }
    if (r->unreadable)
        return STATUS_BAD;
    return wrong ? STATUS_FOUND : other || interrupted() ? STATUS_BAD : STATUS_GOOD;
}

static bool open_targets(struct replay *r, const char *const *specs, uint32_t n)
{
    for (; r->targets < n; r->targets++)
        if (!(r->target[r->targets].target =
                  run_open(specs[r->targets], r->x->self, &r->g->o, &r->x->e)))
            return false;
    return true;
}

// Writes the results in the format of --format. False with a message in `e`.
static bool write_table(struct replay *r, struct err *e)
{
    enum report_checks_format f;
    struct text t = {.arena = &r->x->arena};
    if (!r->table)
        return true;
    CHECK(report_checks_find(r->g->format, &f)); // args.c accepted it
    report_checks_write(f, &r->checks, &t);
    if (r->g->out && strcmp(r->g->out, "-") != 0)
        return file_write(r->g->out, t.v, t.n, e);
    say_text(&t);
    return true;
}

// Without --target: one finding's folder, whose case runs on its own target. False with a message.
static bool own_target(struct context *x, const char ***specs, uint32_t *n)
{
    const char *folder, *path, *target;
    if (x->n > 1)
        return err_set(&x->e, "needs --target SPEC: only one finding's folder at a time runs on "
                              "its own target");
    if (!(target = found_target(&x->arena, x->words[0], NULL, &x->e)) ||
        !found_case(&x->arena, x->words[0], &folder, &path, &x->e))
        return false;
    x->words[0] = arena_str(&x->arena, path);
    *specs = ARENA_ARRAY(&x->arena, const char *, 1);
    (*specs)[0] = target;
    *n = 1;
    return true;
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct replay r = {.x = x, .g = g, .table = strcmp(g->format, "text") != 0};
    struct arena a = {0};
    struct caselist cases;
    const char **specs;
    uint32_t n;
    g->o.driver_text = g->driver_text != NULL;
    if (!targetlist_read(&x->arena, g->targets.v, g->targets.n, g->targets_file, TARGETS_MAX,
                         &specs, &n, &x->e))
        return refuse(x);
    if (!n && !own_target(x, &specs, &n))
        return refuse(x);
    if (g->driver_text && (n > 1 || x->n > 1))
        return complain(x, "--driver-text is for one case on one target");
    if (g->out && !r.table)
        return complain(x, "--out needs --format json, junit or csv");
    int status = STATUS_BAD;
    if (!caselist_read(&x->arena, x->words, x->n, &cases, &x->e) ||
        (g->known && !known_fails_read(&x->arena, g->known, &r.known, &x->e)) ||
        !open_targets(&r, specs, n)) {
        refuse(x);
    } else {
        r.checks =
            (struct report_checks){.target = specs,
                                   .targets = n,
                                   .name = ARENA_ARRAY(&x->arena, const char *, cases.n),
                                   .file = ARENA_ARRAY(&x->arena, const char *, cases.n),
                                   .at = ARENA_ARRAY(&x->arena, struct report_check, cases.n * n)};
        for (size_t i = 0; i < cases.n && !interrupted(); i++) {
            replay_case(&r, &a, cases.v[i]);
            arena_reset(&a);
        }
        figures(&r, cases.n);
        status = write_table(&r, &x->e) ? outcome(&r) : refuse(x);
    }
    for (uint32_t t = 0; t < r.targets; t++)
        run_close(r.target[t].target);
    arena_free(&a);
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXTS(
        "target", 't', "SPEC",
        "where to run, see tanglefuzz targets; may be repeated; default for a\nFINDING: its own",
        targets),
    OPT_TARGETS(targets_file),
    OPT_TEXT("known", 0, "FILE",
             "expected failures: lines of CLASS CASE TARGET, or a folder of known\nbugs "
             "(docs/known.md)",
             known),
    OPT_WORD("format", 'f', "F", "output format; default text", format, "text, json, junit, csv"),
    OPT_TEXT("out", 'o', "FILE", "output file, for a format other than text; default: print", out),
    OPT_U32("runs", 'n', "K", "runs of each case; default 1", runs, 1, RUNS_MAX),
    OPT_LANES("subgroup", "subgroup size of cases that do not fix one", subgroup, 1),
    OPT_SECONDS("job-time", 0, "S", "timeout of one run; default 60", o.job_seconds),
    OPT_TEXT("driver-text", 0, "FILE",
             "write the driver's intermediate and machine code for the case, if\nit "
             "reports them",
             driver_text),
    OPT_FLAG("fuzzer-hash", 0,
             "for ClusterFuzz: print FuzzerHash=BUCKET on standard error for each\nwrong case",
             fuzzer_hash),
    OPT_FLAG("validate", 0, "run with the Vulkan validation layers", o.validate),
};

const struct command cmd_replay = {
    .name = "replay",
    .task = TASK_BUGS,
    .line = "run cases on targets again",
    .rest = "CASE...|FINDING",
    .about = "Runs case files, or all *.spvasm of a folder, and compares memory with their `; "
             "expect` lines or\n"
             "else with the oracle. For a mismatch it shows the first wrong invocation, entry by "
             "entry. With\n"
             "--known a folder is a regression suite: failures listed there are expected, and one "
             "that no\n"
             "longer fails is reported. Exit status: 0 all as expected, 1 some not, 2 bad usage, "
             "no device, or\n"
             "a case that could not be judged.",
    .example =
        "tanglefuzz replay tanglefuzz-out/findings/s000123-missing-lanes -n 10\n"
        "tanglefuzz replay case.spvasm --target check:vulkan:driver=radv --driver-text radv.txt\n"
        "tanglefuzz replay case.spvasm --target isa:llvm:cpu=gfx1100 --driver-text amd.s\n"
        "tanglefuzz replay case.spvasm --target isa:llvm:cpu=gfx1100,code=amd-changed.s",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.runs = 1, .format = "text"},
    .finishes = true,
    .run = run,
};
