// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz mutants: how many programs it takes to find each of the compilers and
// machines that we made wrong ourselves. No worker, no device: all in this process.
//
// Cost: every mutant pays for the making, validating and predicting of all programs up to
// the one that finds it, and for its own work and judging on them.
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "args.h"
#include "caselist.h"
#include "choices.h"
#include "interrupt.h"
#include "judge.h"
#include "mutants/mutants.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// What became of one mutant.
struct row {
    const struct mut_mutant *m;
    uint64_t cases;         // given to it
    double seconds;         // of CPU, until it was found or the programs ended
    bool killed;
    enum tri_class how;     // when killed
    char by[300];           // the program that did it
    uint64_t sampled, applied; // modules tried; of these it changed
    uint64_t ambiguous, skipped;
    uint64_t broken;        // modules of a transformation that are not valid: our own mistake
    char first_broken[500];
};

struct ruler {
    struct row *rows;
    uint32_t n, left;      // not killed yet
    struct spv_tools *tools;
    double shared;         // CPU seconds for the programs so far
    uint64_t programs, unusable;
    const char *stop;      // why no more is run, NULL when all is done
};
enum { SAMPLE = 200 };     // modules that "applied" is a share of

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A wrong compiler is found where its module leaves other bits, has no meaning, or does
// not end; a wrong machine where it leaves other bits or cannot run the program.
static bool is_kill(const struct mut_mutant *m, enum tri_class k)
{
    return tri_class_is_mismatch(k) || k == TRI_HANG || k == TRI_UNDEFINED_OUTPUT ||
           (k == TRI_CRASH && m->kind == MUT_FAULT);
}

static void try_case(struct ruler *r, struct row *row, struct arena *a, const struct prediction *p,
                     const uint32_t *words, size_t count, const char *by)
{
    struct run_result result = {.status = RUN_OK};
    struct judged judged;
    struct shown_policy shown = {0};
    if (row->m->kind == MUT_FAULT) {
        struct spv_case c = *p->c;
        c.has_policy = true;
        c.policy = p->policy;
        char name[80];
        snprintf(name, sizeof name, "%s", row->m->name);
        mut_backend.answer(name, a, &c, p->subgroup, &result);
    } else {
        result.words = words;
        result.word_count = count;
    }
    judge_result(a, r->tools, p, &result, &shown, &judged);
    enum tri_class k = judged.verdict.klass;
    row->ambiguous += k == TRI_AMBIGUOUS;
    row->skipped += k == TRI_SKIPPED;
    if (k == TRI_INVALID_OUTPUT) {
        if (!row->broken++)
            snprintf(row->first_broken, sizeof row->first_broken, "%.90s: %.390s", by,
                     judged.verdict.text);
        return;
    }
    if (!is_kill(row->m, k))
        return;
    row->killed = true;
    row->how = k;
    snprintf(row->by, sizeof row->by, "%s", by);
}

// One module with its input sets, against all mutants that have not been found yet.
static void try_module(struct ruler *r, struct arena *a, const struct spv_case *cases, uint32_t n,
                       const struct prediction *p, const char *by)
{
    for (uint32_t k = 0; k < r->n; k++) {
        struct row *row = &r->rows[k];
        bool sampling = row->m->kind == MUT_TRANSFORMATION && row->sampled < SAMPLE;
        if (row->killed && !sampling)
            continue;
        double start = cpu_seconds();
        const uint32_t *words = cases[0].words;
        size_t count = cases[0].count;
        uint32_t places = 1;
        if (row->m->kind == MUT_TRANSFORMATION)
            places = mut_compile(a, row->m, words, count, &words, &count);
        if (sampling) {
            row->sampled++;
            row->applied += places > 0;
        }
        if (row->killed)
            continue;
        row->cases++;
        for (uint32_t j = 0; j < n && places && !row->killed; j++)
            if (judge_usable(&p[j]))
                try_case(r, row, a, &p[j], words, count, by);
        row->seconds += cpu_seconds() - start;
        if (row->killed) {
            row->seconds += r->shared;
            r->left--;
        }
    }
}

// ---- where programs come from ---------------------------------------------------

static void tick(const struct ruler *r, uint64_t done, uint64_t all, bool last)
{
    static double next;
    if (!isatty(STDERR_FILENO) || (!last && now_seconds() < next))
        return;
    next = now_seconds() + 0.2;
    if (last)
        fputs("\r\033[K", stderr);
    else
        fprintf(stderr, "\r%llu of %llu programs, %u of %u mutants found\033[K",
                (unsigned long long)done, (unsigned long long)all, r->n - r->left, r->n);
    fflush(stderr);
}

static void generated(struct ruler *r, const struct gen_options *g, uint64_t first, uint64_t cases)
{
    struct arena a = {0};
    for (uint64_t k = 0; k < cases && r->left; k++) {
        static const uint32_t sizes[] = {4, 8, 16, 32, 64};
        struct gen_options one = *g;
        struct gen_choices c;
        struct gen_made made;
        struct err e;
        char by[64];
        if (interrupted()) {
            r->stop = "interrupted";
            break;
        }
        tick(r, k, cases, false);
        if (!one.subgroup)
            one.subgroup = sizes[k % 5];
        snprintf(by, sizeof by, "--seed %llu --subgroup %u", (unsigned long long)(first + k),
                 one.subgroup);
        check_context(by);
        arena_reset(&a);
        double start = cpu_seconds();
        gen_choices_seed(&c, &a, first + k);
        gen_make(&c, &one, &made);
        bool valid = spv_validate(r->tools, SPV_ENV_VULKAN_1_3, made.cases[0].words,
                                  made.cases[0].count, &e);
        const struct prediction *p = judge_predict(&a, made.cases, made.case_count, one.subgroup,
                                                   SPV_POLICY_JOIN);
        r->shared += cpu_seconds() - start;
        r->programs++;
        if (valid)
            try_module(r, &a, made.cases, made.case_count, p, by);
        else
            r->unusable++;
    }
    check_context(NULL);
    tick(r, 0, 0, true);
    arena_free(&a);
}

static bool from_files(struct ruler *r, const char *dir, struct err *e)
{
    struct arena keep = {0}, a = {0};
    struct caselist list;
    char *words[1] = {arena_str(&keep, dir)};
    bool ok = caselist_read(&keep, words, 1, &list, e);
    for (size_t k = 0; ok && k < list.n && r->left; k++) {
        struct spv_case c;
        if (interrupted()) {
            r->stop = "interrupted";
            break;
        }
        tick(r, k, list.n, false);
        arena_reset(&a);
        double start = cpu_seconds();
        ok = spv_case_read(r->tools, &a, list.v[k], &c, e);
        if (!ok)
            break;
        struct prediction *p = judge_predict(&a, &c, 1, judge_subgroup(&c, 32, NULL),
                                             SPV_POLICY_JOIN);
        r->shared += cpu_seconds() - start;
        r->programs++;
        if (judge_usable(p))
            try_module(r, &a, &c, 1, p, list.v[k]);
        else
            r->unusable++;
    }
    tick(r, 0, 0, true);
    arena_free(&a);
    arena_free(&keep);
    return ok;
}

// ---- the table ------------------------------------------------------------------

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

// Median of programs until found, of those that were; 0 when none was.
static uint64_t median(const struct ruler *r, struct arena *a)
{
    uint64_t *v = ARENA_ARRAY(a, uint64_t, r->n);
    size_t n = 0;
    for (uint32_t k = 0; k < r->n; k++)
        if (r->rows[k].killed)
            v[n++] = r->rows[k].cases;
    qsort(v, n, sizeof *v, by_number);
    return n ? v[n / 2] : 0;
}

static void table(const struct ruler *r, struct arena *a)
{
    say("%-28s %-8s %-14s %8s %9s %8s  %s\n", "mutant", "class", "kind", "programs", "CPU s",
        "applied", "found by");
    for (uint32_t k = 0; k < r->n; k++) {
        const struct row *w = &r->rows[k];
        char applied[16] = "-";
        if (w->sampled)
            snprintf(applied, sizeof applied, "%.0f %%",
                     100.0 * (double)w->applied / (double)w->sampled);
        say("%-28s %-8s %-14s %8llu %9.3f %8s  %s\n", w->m->name, w->m->classes,
            w->m->kind == MUT_FAULT ? "fault" : "transformation", (unsigned long long)w->cases,
            w->seconds, applied, w->killed ? tri_class_name(w->how) : "not found");
    }
    uint32_t killed = r->n - r->left;
    say("\n%u of %u mutants found in at most %llu programs; half of those found in at most %llu\n",
        killed, r->n, (unsigned long long)r->programs, (unsigned long long)median(r, a));
    if (r->unusable)
        say("%llu programs said nothing (invalid, or not judged)\n", (unsigned long long)r->unusable);
    if (r->stop)
        say("%s\n", r->stop);
}

static void json(const struct ruler *r, struct arena *a)
{
    json_t *rows = json_array(), *all;
    for (uint32_t k = 0; k < r->n; k++) {
        const struct row *w = &r->rows[k];
        json_t *x = json_pack("{ss ss ss ss sb sI sf sI sI sI}", "name", w->m->name, "classes",
                              w->m->classes, "kind",
                              w->m->kind == MUT_FAULT ? "fault" : "transformation", "line",
                              w->m->line, "found", w->killed, "programs", (json_int_t)w->cases,
                              "cpu_seconds", w->seconds, "sampled", (json_int_t)w->sampled,
                              "applied", (json_int_t)w->applied, "ambiguous",
                              (json_int_t)w->ambiguous);
        if (w->killed) {
            json_object_set_new(x, "how", json_string(tri_class_name(w->how)));
            json_object_set_new(x, "by", json_string(w->by));
        }
        json_array_append_new(rows, x);
    }
    all = json_pack("{so sI si si sI}", "mutants", rows, "programs", (json_int_t)r->programs,
                    "found", (int)(r->n - r->left), "of", (int)r->n, "median",
                    (json_int_t)median(r, a));
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    CHECK(text);
    say("%s\n", text);
    free(text);
    json_decref(all);
}

static int list(void)
{
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    for (uint32_t k = 0; k < n; k++)
        say("%-28s %-8s %s\n", all[k].name, all[k].classes, all[k].line);
    return STATUS_GOOD;
}

// Names to rows; all without any.
static int choose(struct ruler *r, struct arena *a, const char *only)
{
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    r->rows = ARENA_ARRAY(a, struct row, n);
    char *rest = only ? arena_str(a, only) : NULL;
    if (!only)
        for (uint32_t k = 0; k < n; k++)
            r->rows[r->n++].m = &all[k];
    while (rest) {
        char *name = rest;
        rest = strchr(rest, ',');
        if (rest)
            *rest++ = 0;
        const struct mut_mutant *m = mut_find(name);
        if (!m) {
            const char *names[200];
            for (uint32_t k = 0; k < n && k < 200; k++)
                names[k] = all[k].name;
            const char *near = args_nearest(name, names, n < 200 ? n : 200);
            return complain("mutants", "--only: no mutant is named '%s'%s%s%s (--list shows all)",
                            name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        for (uint32_t k = 0; k < r->n; k++)
            if (r->rows[k].m == m)
                return complain("mutants", "--only: '%s' is named twice", name);
        r->rows[r->n++].m = m;
    }
    r->left = r->n;
    return -1;
}

static int run(int argc, char **argv)
{
    uint64_t first = 0, cases = 10000;
    const char *only = NULL, *corpus = NULL;
    bool as_json = false, names = false;
    struct choice_options how = choice_defaults();
    const struct arg_option options[] = {
        OPT_U64("cases", 'n', "N", "programs at most; default 10000", &cases, 1, UINT64_MAX / 2),
        OPT_U64("first", 0, "SEED", "the first seed; default 0", &first, 0, UINT64_MAX / 2),
        OPT_TEXT("only", 0, "NAME,...", "these mutants alone", &only),
        OPT_TEXT("corpus", 0, "DIR", "the cases of a folder instead of generated programs", &corpus),
        OPT_TEXT("profile", 'p', "P", "size of the programs: small, default, large", &how.profile),
        OPT_U32("inputs", 0, "N", "input sets a program; default 1", &how.inputs, 1, 64),
        OPT_U32("subgroup", 0, "N", "subgroup size; else 4, 8, 16, 32, 64 in turn", &how.subgroup, 4,
                128),
        OPT_U32("max-invocations", 0, "N", "largest workgroup; default 128", &how.max_invocations, 1,
                1024),
        OPT_FLAG("json", 0, "as JSON", &as_json),
        OPT_FLAG("list", 0, "names, classes and what each does", &names),
    };
    const struct arg_command command = {
        .name = "mutants",
        .about = "Measures what our programs can tell: compilers and machines that we made wrong "
                 "ourselves, one\nmistake each, and how many programs it takes to find it. A mutant is "
                 "found by compared bits that\ndiffer (or a result without meaning or end). Each is a "
                 "target too: mutant:NAME.\n"
                 "Exit status: 0 all found, 1 some not found or a mutant is broken itself, 2 bad usage.",
        .example = "tanglefuzz mutants\ntanglefuzz mutants --only tail-merge-arms --cases 2000\n"
                   "tanglefuzz mutants --corpus my-cases",
        .options = options,
        .count = OPT_COUNT(options),
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (names)
        return list();
    struct gen_options g;
    said = choice_read("mutants", &how, &g);
    if (said >= 0)
        return said;
    struct arena a = {0};
    struct ruler r = {0};
    struct err e = {0};
    said = choose(&r, &a, only);
    if (said < 0) {
        said = STATUS_GOOD;
        r.tools = spv_tools_new();
        interrupt_catch();
        if (!corpus)
            generated(&r, &g, first, cases);
        else if (!from_files(&r, corpus, &e))
            said = complain("mutants", "%s", e.msg);
        spv_tools_free(r.tools);
        for (uint32_t k = 0; k < r.n; k++)
            if (!r.rows[k].killed)
                r.rows[k].seconds += r.shared;
        if (said == STATUS_GOOD) {
            if (as_json)
                json(&r, &a);
            else
                table(&r, &a);
            said = r.left ? STATUS_FOUND : STATUS_GOOD;
        }
        for (uint32_t k = 0; k < r.n; k++)
            if (r.rows[k].broken) {
                complain("mutants", "%s makes invalid modules: %s", r.rows[k].m->name,
                         r.rows[k].first_broken);
                said = said == STATUS_BAD ? said : STATUS_FOUND;
            }
    }
    arena_free(&a);
    return said;
}

const struct command cmd_mutants = {"mutants", "how soon our own wrong compilers are found", run};
