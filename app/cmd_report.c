// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz report: what a campaign found, for people and for other tools.
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "args.h"
#include "triage/triage.h"

#include <string.h>
#include <sys/stat.h>

struct report {
    const char *dir, *out, *format;
};

// The campaign's database, up to date. False with a line.
static bool gather(struct arena *a, const char *dir, struct tri_findings *v, struct err *e)
{
    struct stat st;
    if (stat(arena_printf(a, "%s/findings", dir), &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(e, "%s: no campaign folder (it has no findings/)", dir);
    uint32_t added;
    struct tri_db *db = tri_db_open(dir, e);
    bool ok = db && tri_db_sync(db, dir, &added, e) && tri_db_read(db, a, v, e);
    tri_db_close(db);
    return ok;
}

static int write_out(const struct report *r, const struct text *t, struct err *e)
{
    if (!r->out || strcmp(r->out, "-") == 0) {
        say_text(t);
        return STATUS_GOOD;
    }
    if (!file_write(r->out, t->v, t->n, e))
        return complain("report", "%s", e->msg);
    return STATUS_GOOD;
}

static int report(struct report *r)
{
    struct arena a = {0};
    struct err e = {0};
    struct tri_findings v;
    enum tri_format f = TRI_FORMAT_TEXT;
    int status = STATUS_GOOD;
    if (r->format && !tri_format_find(r->format, &f)) {
        struct text all = {.arena = &a};
        for (int k = 0; k < TRI_FORMATS; k++)
            text_add(&all, "%s%s", k ? ", " : "", tri_format_name((enum tri_format)k));
        status = complain("report", "--format: '%s' is none of %s", r->format, all.v);
    } else if (!gather(&a, r->dir, &v, &e)) {
        status = complain("report", "%s", e.msg);
    } else {
        struct text t = {.arena = &a};
        tri_format_write(f, &v, &t);
        status = write_out(r, &t, &e);
    }
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    struct report r = {0};
    const struct arg_option options[] = {
        OPT_TEXT("format", 'f', "F",
                 "text, jsonl, results, failures, junit, sarif, prometheus; default text",
                 &r.format),
        OPT_TEXT("out", 'o', "FILE", "write there instead of standard output", &r.out),
    };
    const struct arg_command command = {
        .name = "report",
        .rest = "DIR",
        .about = "Says what the campaigns of a folder found: buckets of findings with one cause, the "
                 "most\ndifferent ones first. The database DIR/findings.db is brought up to date.\n"
                 "results and failures are CSV as deqp-runner writes them; failures serves as its "
                 "baseline.",
        .example = "tanglefuzz report tanglefuzz-out\n"
                   "tanglefuzz report tanglefuzz-out --format sarif -o findings.sarif",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    r.dir = args.rest[0];
    return report(&r);
}

const struct command cmd_report = {"report", "what was found, in buckets", run};
