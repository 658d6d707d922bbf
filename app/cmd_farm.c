// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz farm init, status, buckets, missing: set up and inspect a store that many machines
// share. The table of all subcommands.
#define _POSIX_C_SOURCE 200809L
#include "cmd_farm.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- the store's address -------------------------------------------------------------------

const char *farm_address(struct context *x, const char *given)
{
    static const char *const names[] = {"PGSERVICE", "PGHOST", "PGDATABASE"};
    if (!given)
        given = getenv("TANGLEFUZZ_STORE");
    if (given && given[0])
        return given;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return "";
    err_set(&x->e, "no store given: use --store DSN, TANGLEFUZZ_STORE, or libpq's PGSERVICE");
    return NULL;
}

struct farm *farm_given(struct context *x, const char *given)
{
    const char *dsn = farm_address(x, given);
    return dsn ? farm_open(dsn, NULL, &x->e) : NULL;
}

const char *farm_owner_name(struct arena *a)
{
    const char *host = host_name(a);
    const char *job = getenv("SLURM_ARRAY_JOB_ID"), *task = getenv("SLURM_ARRAY_TASK_ID"),
               *ci = getenv("CI_JOB_ID");
    if (job && task)
        return arena_printf(a, "%s slurm %s_%s", host, job, task);
    if (ci)
        return arena_printf(a, "%s ci %s", host, ci);
    return arena_printf(a, "%s %ld", host, (long)getpid());
}

// ---- farm init -----------------------------------------------------------------------------

struct given {
    const char *store, *target;
    struct farm_page page;
    uint64_t size, count, stream;
    bool json, all;
};
enum { BUCKETS_SHOWN = 20 };

static int init(struct context *x, void *user)
{
    const struct given *g = user;
    const char *dsn = farm_address(x, x->n ? x->words[0] : g->store);
    uint32_t was;
    if (!dsn || !farm_init(dsn, &was, &x->e))
        return refuse(x);
    if (was == FARM_SCHEMA)
        say("the store exists already (schema %d); its functions and rights are replaced\n",
            FARM_SCHEMA);
    else if (was)
        say("the store was upgraded from schema %u to schema %d\n", was, FARM_SCHEMA);
    else
        say("the store is ready (schema %d)\n", FARM_SCHEMA);
    return STATUS_GOOD;
}

static const struct arg_option init_options[] = {OPT_STORE(store)};
const struct command cmd_farm_init = {
    .name = "farm init",
    .line = "create the store in a database, or upgrade it",
    .rest = "[DSN]",
    .about =
        "Creates schema tanglefuzz in a PostgreSQL database (13 or later), or upgrades an older "
        "one; no\n"
        "findings are lost. If its rights suffice, it also creates the roles tanglefuzz_work,\n"
        "tanglefuzz_read and tanglefuzz_triage, which you grant to your own users.",
    .example = "tanglefuzz farm init 'host=db dbname=farm'",
    OPTIONS(init_options),
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = init,
};

// ---- farm status ---------------------------------------------------------------------------

static void show_stream(const struct farm_progress *s)
{
    char idle[32];
    say("%4lld  %s, %.*s\n", (long long)s->id, s->target, (int)strcspn(s->driver, "\n"), s->driver);
    say("      %llu seeds, %llu cases, %llu agreed, %llu findings, %llu flaky; %.1f cases/s in the "
        "last hour\n",
        (unsigned long long)s->seeds_done, (unsigned long long)s->cases,
        (unsigned long long)s->agreed, (unsigned long long)s->findings,
        (unsigned long long)s->flaky, s->rate);
    say("      %llu at work%s", (unsigned long long)s->leased,
        strcmp(s->state, "open") == 0 ? "" : ", paused");
    if (s->overdue)
        say(", %llu overdue", (unsigned long long)s->overdue);
    if (s->given_up)
        say(", %llu GIVEN UP: their seeds killed five workers each",
            (unsigned long long)s->given_up);
    if (s->seeds_done && !s->leased)
        say(", nothing done for %s", status_time(idle, sizeof idle, s->idle_seconds));
    say("\n");
}

static void show_bucket(const struct farm_bucket *b)
{
    say("  %-10s  %-7s  %llu seen, %llu kept, %llu stream%s, %llu words: %s\n", b->name, b->state,
        (unsigned long long)b->seen, (unsigned long long)b->kept, (unsigned long long)b->streams,
        b->streams == 1 ? "" : "s", (unsigned long long)b->words,
        b->sentence[0] ? b->sentence : b->signature);
    if (b->link[0] || b->note[0])
        say("              %s%s%s\n", b->link, b->link[0] && b->note[0] ? "  " : "", b->note);
}

// Prints the buckets, newest first.
static void show_buckets(const struct farm_status *s, bool is_new)
{
    uint64_t more = is_new ? s->new_buckets : s->other_buckets;
    if (more)
        say("%s buckets\n", is_new ? "new" : "other");
    for (uint32_t i = s->buckets; i-- > 0;)
        if ((strcmp(s->bucket[i].state, "new") == 0) == is_new) {
            show_bucket(&s->bucket[i]);
            more -= more > 0;
        }
    if (more)
        say("  %llu more: see --all, or farm buckets\n", (unsigned long long)more);
}

static void show_change(const struct farm_change *c)
{
    say("  %s in %.*s: %s (%s in %.*s): %s, %s\n", c->change, (int)strcspn(c->driver, "\n"),
        c->driver, c->klass, c->was, (int)strcspn(c->was_driver, "\n"), c->was_driver, c->name,
        c->target);
}

static int status(struct context *x, void *user)
{
    const struct given *g = user;
    struct farm_status s;
    struct farm *f = farm_given(x, g->store);
    const bool ok =
        f && farm_status(f, &x->arena, g->json || g->all ? 0 : BUCKETS_SHOWN, &s, &x->e);
    farm_close(f);
    if (!ok)
        return refuse(x);
    if (g->json) {
        say("%s\n", s.json);
        return STATUS_GOOD;
    }
    char b[3][32];
    say("%s, %s in %s, %llu replays\n", count_of(b[0], 32, s.streams, "stream"),
        count_of(b[1], 32, s.findings, "finding"),
        count_of(b[2], 32, s.new_buckets + s.other_buckets, "bucket"),
        (unsigned long long)s.replays);
    for (uint32_t i = 0; i < s.streams; i++)
        show_stream(&s.stream[i]);
    show_buckets(&s, true);
    show_buckets(&s, false);
    if (s.changes)
        say("regression cases whose result changed with a driver version\n");
    for (uint32_t i = 0; i < s.changes; i++)
        show_change(&s.change[i]);
    return STATUS_GOOD;
}

static const struct arg_option status_options[] = {
    OPT_STORE(store),
    OPT_FLAG("all", 0, "print all buckets, not only the newest 20", all),
    OPT_FLAG("json", 0, "print everything as one JSON object", json),
};
const struct command cmd_farm_status = {
    .name = "farm status",
    .line = "show streams, buckets and regressions",
    .about = "Prints the streams (a target and a driver version) with their figures and the ranges "
             "that are\n"
             "leased or overdue, the buckets with their marks, and the regression cases whose "
             "result changed\n"
             "from one driver version to the next.",
    .example = "tanglefuzz farm status",
    OPTIONS(status_options),
    .size = sizeof(struct given),
    .run = status,
};

// ---- farm buckets --------------------------------------------------------------------------

static int buckets(struct context *x, void *user)
{
    const struct given *g = user;
    struct farm_page p = g->page;
    struct farm_bucket *v = NULL;
    const char *json;
    uint32_t n = 0;
    p.limit += !g->json; // one more, to know if there is a next page
    struct farm *f = farm_given(x, g->store);
    const bool ok = f && farm_buckets(f, &x->arena, &p, &v, &n, &json, &x->e);
    farm_close(f);
    if (!ok)
        return refuse(x);
    if (g->json)
        say("%s\n", json);
    for (uint32_t i = 0; i < n && i < g->page.limit && !g->json; i++)
        show_bucket(&v[i]);
    if (n > g->page.limit)
        say("the next page: --after %s\n", v[g->page.limit - 1].name);
    return STATUS_GOOD;
}

static const struct arg_option buckets_options[] = {
    OPT_STORE(store),
    OPT_WORD("state", 0, "S", "only buckets in this state; other: any but new", page.state,
             "new, triaged, filed, fixed, wont, other"),
    OPT_U64("limit", 0, "N", "most buckets to print; default 50", page.limit, 1, 1000000),
    OPT_TEXT("after", 0, "NAME", "start after this bucket", page.after),
    OPT_FLAG("json", 0, "print a JSON array", json),
};
const struct command cmd_farm_buckets = {
    .name = "farm buckets",
    .line = "list buckets, page by page",
    .about = "Prints buckets, newest first, and the option for the next page. New buckets come "
             "before the first\n"
             "page, so no bucket is skipped or printed twice.",
    .example = "tanglefuzz farm buckets --state new --limit 100",
    OPTIONS(buckets_options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.page.limit = 50},
    .run = buckets,
};

// ---- farm missing --------------------------------------------------------------------------

static int missing(struct context *x, void *user)
{
    const struct given *g = user;
    struct farm_named *named = NULL;
    uint32_t named_count = 0, n = 0;
    uint64_t *v = NULL;
    if (!g->size || !g->count || (!g->target == !g->stream))
        return complain(x, "needs --size and --count, and either --target or --stream");
    struct farm *f = farm_given(x, g->store);
    bool ok = f != NULL;
    int64_t stream = (int64_t)g->stream;
    if (ok && g->target) {
        ok =
            farm_streams(f, &x->arena, g->target, &named, &named_count, &x->e) &&
            (named_count ||
             err_set(&x->e, "the store has no stream of target '%s' (see farm status)", g->target));
        stream = ok ? named[0].id : 0;
    }
    ok = ok && farm_missing(f, &x->arena, stream, g->size, g->count, &v, &n, &x->e);
    farm_close(f);
    if (!ok)
        return refuse(x);
    for (uint32_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && v[k] == v[k - 1] + 1; k++)
            ;
        say("%s%llu", i ? "," : "", (unsigned long long)v[i]);
        if (k > i + 1)
            say("-%llu", (unsigned long long)v[k - 1]);
    }
    say("\n");
    return STATUS_GOOD;
}

static const struct arg_option missing_options[] = {
    OPT_STORE(store),
    OPT_TEXT("target", 't', "SPEC", "the newest stream of this target", target),
    OPT_U64("stream", 0, "N", "or this stream, a number that farm status shows", stream, 1,
            INT32_MAX),
    OPT_U64("size", 0, "N", "seeds per index, the same as for farm work (needed)", size, 1,
            INT64_MAX),
    OPT_U64("count", 0, "N", "number of indices (needed)", count, 1, 10000000),
};
const struct command cmd_farm_missing = {
    .name = "farm missing",
    .line = "list the array indices that are not done",
    .about = "Prints which of the indices 0 to N-1 of an array are not done, in Slurm's form "
             "(2,5-7). Prints an\n"
             "empty line if all are done.",
    .example = "tanglefuzz farm missing --target spirv-opt:-O --size 4000 --count 20",
    OPTIONS(missing_options),
    .size = sizeof(struct given),
    .run = missing,
};

// ---- farm ----------------------------------------------------------------------------------

static const struct command *const sub[] = {&cmd_farm_init,
                                            &cmd_farm_work,
                                            &cmd_farm_status,
                                            &cmd_farm_buckets,
                                            &cmd_farm_pull,
                                            &cmd_farm_bucket,
                                            &cmd_farm_known,
                                            &cmd_farm_regress,
                                            &cmd_farm_push,
                                            &cmd_farm_missing,
                                            &cmd_farm_stream,
                                            &cmd_farm_prune,
                                            NULL};
const struct command cmd_farm = {
    .name = "farm",
    .task = TASK_FINDINGS,
    .line = "run on many machines with one store (PostgreSQL)",
    .rest = "COMMAND",
    .about =
        "Many machines fuzz for weeks and send their findings to one PostgreSQL database. Workers "
        "are\n"
        "started by your own scheduler: a Slurm array, a Kubernetes Job, a CI system, or by hand.\n"
        "examples/farm/README.md is for operators.",
    .example =
        "tanglefuzz farm init 'host=db dbname=farm'\n"
        "tanglefuzz farm work --store 'host=db dbname=farm' --target vulkan:driver=radv --for 4h\n"
        "tanglefuzz farm status --store 'host=db dbname=farm'",
    .sub = sub,
};
