// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz mutants: counts how many programs it takes to find each deliberately broken compiler
// or machine. Without --per-second it needs no worker and no device.
#include "args.h"
#include "base/interrupt.h"
#include "campaign/mutbench.h"
#include "choices.h"
#include "status.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct given {
    uint64_t first, cases;
    uint32_t size;
    const char *only, *corpus, *target; // of --per-second
    bool json, list;
    struct choice_options how;
};

// ---- the table ------------------------------------------------------------------

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

// Returns the median number of programs until found, over the mutants found, and in *most the
// largest; 0 if none was.
static uint64_t median(const struct mutbench *r, struct arena *a, uint64_t *most)
{
    uint64_t *v = ARENA_ARRAY(a, uint64_t, r->n);
    size_t n = 0;
    for (uint32_t k = 0; k < r->n; k++)
        if (r->rows[k].killed)
            v[n++] = r->rows[k].cases;
    qsort(v, n, sizeof *v, by_number);
    *most = n ? v[n - 1] : 0;
    return n ? v[n / 2] : 0;
}

static void table(const struct mutbench *r, struct arena *a)
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
            w->seconds, applied, w->killed ? judge_class_name(w->how) : "not found");
    }
    uint32_t killed = r->n - r->left;
    uint64_t most;
    const uint64_t half = median(r, a, &most);
    say("\n%u of %u mutants found in at most %llu programs; half of those found in at most %llu\n",
        killed, r->n, (unsigned long long)most, (unsigned long long)half);
    if (r->unusable)
        say("%llu programs were not used (invalid, or not judged)\n",
            (unsigned long long)r->unusable);
    if (r->stop)
        say("%s\n", r->stop);
}

// The smallest program that finds each mutant.
static void witnesses(const struct mutbench *r, uint32_t size)
{
    uint32_t by_size[ENU_SIZE_MAX + 1] = {0};
    say("%-28s %-8s %4s %8s  %s\n", "mutant", "class", "size", "programs", "smallest program");
    for (uint32_t k = 0; k < r->n; k++) {
        const struct row *w = &r->rows[k];
        by_size[w->killed ? w->size : 0]++;
        say("%-28s %-8s ", w->m->name, w->m->classes);
        if (w->killed)
            say("%4u %8llu  %s\n", w->size, (unsigned long long)w->cases, w->by);
        else
            say("   - %8llu  not found\n", (unsigned long long)w->cases);
    }
    say("\n%u of %u mutants found:", r->n - r->left, r->n);
    for (uint32_t n = 1; n <= size; n++)
        say(" %u at size %u%s", by_size[n], n, n < size ? "," : "\n");
    if (r->stop)
        say("%s\n", r->stop);
}

// Returns how many programs detect the mutant per second of the target's work; 0 if nothing ran.
static double power(const struct mutbench *r, uint32_t k)
{
    return r->driver_seconds > 0 ? (double)r->rows[k].kills / r->driver_seconds : 0;
}

static void per_second(const struct mutbench *r, const struct mutbench *folder)
{
    const uint64_t used = r->programs - r->unusable;
    say("%-28s %8s %10s", "mutant", "detect", "per second");
    say(folder ? " %10s %8s\n" : "\n", "the folder", "ratio");
    for (uint32_t k = 0; k < r->n; k++) {
        const double here = power(r, k), there = folder ? power(folder, k) : 0;
        say("%-28s %6.2f %% %10.3f", r->rows[k].m->name,
            used ? 100.0 * (double)r->rows[k].kills / (double)used : 0, here);
        if (there > 0)
            say(" %10.3f %8.2f", there, here / there);
        else if (folder)
            say(" %10s", "-");
        say("\n");
    }
    say("\n%llu programs, %.4f s of the target each", (unsigned long long)used,
        used ? r->driver_seconds / (double)used : 0);
    if (folder) {
        const uint64_t n = folder->programs - folder->unusable;
        say("; the folder: %llu cases, %.4f s each", (unsigned long long)n,
            n ? folder->driver_seconds / (double)n : 0);
    }
    say("\n");
    if (r->stop)
        say("%s\n", r->stop);
}

static json_t *power_json(const struct mutbench *r, uint32_t k)
{
    return json_pack("{sI sf}", "tell", (json_int_t)r->rows[k].kills, "a_second", power(r, k));
}

static json_t *work_json(const struct mutbench *r)
{
    return json_pack("{sI sf}", "programs", (json_int_t)(r->programs - r->unusable), "seconds",
                     r->driver_seconds);
}

static void say_json(json_t *all)
{
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    CHECK(text);
    say("%s\n", text);
    free(text);
    json_decref(all);
}

static void per_second_json(const struct mutbench *r, const struct mutbench *folder)
{
    json_t *rows = json_array(), *all;
    for (uint32_t k = 0; k < r->n; k++) {
        json_t *x = json_pack("{ss so}", "name", r->rows[k].m->name, "generated", power_json(r, k));
        if (folder)
            json_object_set_new(x, "folder", power_json(folder, k));
        json_array_append_new(rows, x);
    }
    all = json_pack("{so so}", "mutants", rows, "generated", work_json(r));
    if (folder)
        json_object_set_new(all, "folder", work_json(folder));
    say_json(all);
}

static void json(const struct mutbench *r, struct arena *a)
{
    json_t *rows = json_array(), *all;
    uint64_t most;
    const uint64_t half = median(r, a, &most);
    for (uint32_t k = 0; k < r->n; k++) {
        const struct row *w = &r->rows[k];
        json_t *x =
            json_pack("{ss ss ss ss sb sI sf sI sI sI}", "name", w->m->name, "classes",
                      w->m->classes, "kind", w->m->kind == MUT_FAULT ? "fault" : "transformation",
                      "line", w->m->line, "found", w->killed, "programs", (json_int_t)w->cases,
                      "cpu_seconds", w->seconds, "sampled", (json_int_t)w->sampled, "applied",
                      (json_int_t)w->applied, "ambiguous", (json_int_t)w->ambiguous);
        if (w->killed && w->size)
            json_object_set_new(x, "size", json_integer(w->size));
        if (w->killed) {
            json_object_set_new(x, "how", json_string(judge_class_name(w->how)));
            json_object_set_new(x, "by", json_string(w->by));
        }
        json_array_append_new(rows, x);
    }
    all = json_pack("{so sI si si sI}", "mutants", rows, "programs", (json_int_t)r->programs,
                    "found", (int)(r->n - r->left), "of", (int)r->n, "median", (json_int_t)half);
    say_json(all);
}

static int list(void)
{
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    for (uint32_t k = 0; k < n; k++)
        say("%-28s %-8s %s\n", all[k].name, all[k].classes, all[k].line);
    return STATUS_GOOD;
}

// Sets a row for each name in `only`, or for all mutants if it is NULL.
static int choose(struct context *x, struct mutbench *r, const char *only)
{
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    r->rows = ARENA_ARRAY(&x->arena, struct row, n);
    char *rest = only ? arena_str(&x->arena, only) : NULL;
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
            const char *near = text_nearest(name, names, n < 200 ? n : 200);
            return complain(x, "--only: unknown mutant '%s'%s%s%s (--list shows all)", name,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        for (uint32_t k = 0; k < r->n; k++)
            if (r->rows[k].m == m)
                return complain(x, "--only: '%s' is given twice", name);
        r->rows[r->n++].m = m;
    }
    r->left = r->n;
    return -1;
}

static void tick(struct mutbench *r, uint64_t done, uint64_t all)
{
    struct status *s = r->user;
    char line[120];
    if (!s->terminal || now_seconds() < s->next)
        return;
    s->next = now_seconds() + STATUS_REDRAW;
    snprintf(line, sizeof line, "%llu of %llu programs, %u of %u mutants found",
             (unsigned long long)done, (unsigned long long)all, r->n - r->left, r->n);
    status_line(s, line);
}

// Measures how many programs detect each mutant per second of the target's work: generated programs
// and, for comparison, the cases of a folder.
static int measure_power(struct context *x, const struct given *given, struct gen_options *g)
{
    struct status shown;
    const struct run_options o = {0};
    struct mutbench r = {.tools = x->tools, .tick = tick, .user = &shown}, folder;
    int status = choose(x, &r, given->only);
    if (status >= 0)
        return status;
    r.target = run_open(given->target, x->self, &o, &x->e);
    if (!r.target)
        return refuse(x);
    r.subgroup = g->subgroup ? g->subgroup : run_info(r.target)->subgroup_size;
    g->subgroup = r.subgroup;
    folder = r;
    folder.rows = arena_copy(&x->arena, r.rows, r.n * sizeof *r.rows);
    status_start(&shown, 0, 0);
    mutbench_generated(&r, g, given->first, given->cases);
    const bool read = !given->corpus || mutbench_files(&folder, given->corpus, &x->e);
    status_clear(&shown);
    run_close(r.target);
    if (!read)
        return refuse(x);
    if (r.programs == r.unusable)
        return complain(x, "--per-second: %s ran no program", given->target);
    if (given->json)
        per_second_json(&r, given->corpus ? &folder : NULL);
    else
        per_second(&r, given->corpus ? &folder : NULL);
    return STATUS_GOOD;
}

static int run(struct context *x, void *user)
{
    const struct given *given = user;
    struct gen_options g;
    struct status shown;
    struct mutbench r = {.tools = x->tools, .tick = tick, .user = &shown};
    if (given->list)
        return list();
    if (!choice_read(x, &given->how, &g))
        return refuse(x);
    if (given->size && (given->target || given->corpus || given->first))
        return complain(x, "--size runs all small programs: it does not go with --per-second, "
                           "--corpus or --first");
    if (given->target)
        return measure_power(x, given, &g);
    int status = choose(x, &r, given->only);
    if (status >= 0)
        return status;
    status_start(&shown, 0, 0);
    if (given->size)
        mutbench_enumerated(&r, &g, given->size);
    else if (!given->corpus)
        mutbench_generated(&r, &g, given->first, given->cases);
    else if (!mutbench_files(&r, given->corpus, &x->e))
        status = refuse(x);
    status_clear(&shown);
    for (uint32_t k = 0; k < r.n; k++)
        if (!r.rows[k].killed)
            r.rows[k].seconds += r.shared;
    if (status < 0) {
        if (given->json)
            json(&r, &x->arena);
        else if (given->size)
            witnesses(&r, given->size);
        else
            table(&r, &x->arena);
        status = r.left ? STATUS_FOUND : STATUS_GOOD;
    }
    for (uint32_t k = 0; k < r.n; k++)
        if (r.rows[k].broken) {
            complain(x, "mutant %s produces invalid modules: %s", r.rows[k].m->name,
                     r.rows[k].first_broken);
            status = status == STATUS_BAD ? status : STATUS_FOUND;
        }
    return status;
}

static const struct arg_option options[] = {
    OPT_U64("cases", 'n', "N", "largest number of programs; default 10000", cases, 1,
            UINT64_MAX / 2),
    OPT_U64("first", 0, "SEED", "the first seed; default 0", first, 0, UINT64_MAX / 2),
    OPT_U32("size", 'k', "K",
            "all programs of at most K constructs instead of random ones (see\nenumerate): the "
            "smallest that finds each mutant",
            size, 1, ENU_SIZE_MAX),
    OPT_TEXT("only", 0, "NAME,...", "only these mutants; default all", only),
    OPT_TEXT("corpus", 0, "DIR", "cases of a folder instead of generated programs", corpus),
    OPT_TEXT("per-second", 0, "TARGET",
             "count programs that detect a mutant per second of this target's\nwork; --corpus then "
             "adds a column",
             target),
    OPT_TEXT("with", 0, "LIST", "also use these features, which are off by default", how.with),
    CHOICE_SHAPE(how, "subgroup size; default 4, 8, 16, 32, 64 in turn"),
    OPT_FLAG("json", 0, "print JSON", json),
    OPT_FLAG("list", 0, "list the mutants: name, classes, description", list),
};

const struct command cmd_mutants = {
    .name = "mutants",
    .task = TASK_OURSELVES,
    .line = "count programs until broken compilers are caught",
    .about =
        "Measures the fuzzer with deliberately broken compilers and machines, each with one "
        "mistake: how\n"
        "many programs does it take to find each? A mutant is found when compared bits differ, or "
        "when a\n"
        "result is undefined or does not end. Each is also a target: mutant:NAME.\n"
        "Exit status: 0 all found, 1 some not found or a mutant is itself broken, 2 bad usage.",
    .example = "tanglefuzz mutants\ntanglefuzz mutants --size 3\ntanglefuzz mutants --only "
               "tail-merge-arms --cases 2000\n"
               "tanglefuzz mutants --corpus my-cases\n"
               "tanglefuzz mutants --per-second vulkan:driver=lavapipe --cases 500 --corpus "
               "corpus/external",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.cases = 10000, .how = CHOICE_DEFAULTS},
    .finishes = true,
    .many = true,
    .run = run,
};
