// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz report: the findings of a campaign as a page, for other tools, and as bundles.
#define _GNU_SOURCE // strptime, timegm
#include "args.h"
#include "base/own.h"
#include "bundle_write.h"
#include "campaign/found.h"
#include "farm/farm.h"
#include "page.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct given {
    const char *out, *format, *bundle, *form, *target, *known, *since;
    const char *mark, *state, *note, *link;
    bool alone;
};

// Reports whether the argument is the address of a farm's database, and not a folder.
static bool is_address(const char *word)
{
    return access(word, F_OK) != 0 && (strchr(word, '=') || strstr(word, "://"));
}

// Opens the campaign's folder, or the farm's database.
static struct store *open_store(struct arena *a, const char *word, struct err *e)
{
    if (is_address(word)) {
        struct farm *f = farm_open(word, NULL, e);
        return f ? farm_store(f) : NULL;
    }
    errno = 0;
    if (dir_exists(arena_printf(a, "%s/findings", word)))
        return store_updated(word, e);
    if (errno == EACCES || access(word, F_OK) != 0)
        err_set(e, "%s: %s%s", word, errno == EACCES ? "cannot be read: " : "", strerror(errno));
    else
        err_set(e, "%s: no campaign folder (it has no findings/)", word);
    return NULL;
}

// Sets the requested mark, and lists the findings. False with a message.
static bool gather(struct context *x, const struct given *g, struct store_findings *v)
{
    struct arena *a = &x->arena;
    struct err *e = &x->e;
    struct store_mark m = {.note = g->note, .link = g->link};
    if (g->state)
        CHECK(store_state_find(g->state, &m.state)); // the option allows only these
    struct store *s = open_store(a, x->words[0], e);
    const bool ok = s && (!g->mark || store_mark(s, g->mark, &m, e)) && store_list(s, a, v, e);
    store_close(s);
    return ok;
}

// --since: a date, "2026-11-22" or "2026-11-22T09:30" (UTC), or an earlier campaign's folder.
static bool keep_new(struct context *x, const struct given *g, struct store_findings *v)
{
    struct arena *a = &x->arena;
    struct store_findings before;
    struct tm t = {0};
    if (!g->since)
        return true;
    if (found_campaign(a, g->since)) {
        const bool ok = store_read(g->since, a, &before, &x->e);
        if (ok)
            store_keep_new(a, v, 0, &before);
        return ok;
    }
    const char *end = strptime(g->since, "%Y-%m-%d", &t);
    if (end && *end == 'T')
        end = strptime(end, "T%H:%M", &t);
    if (!end || *end)
        return err_set(&x->e,
                       "--since: '%s' is neither a date (2026-11-22, 2026-11-22T09:30) nor a "
                       "campaign's folder",
                       g->since);
    store_keep_new(a, v, (int64_t)timegm(&t), NULL);
    return true;
}

// Marks known bugs.
static bool mark(struct context *x, const struct given *g, struct store_findings *v)
{
    struct arena *a = &x->arena;
    struct err *e = &x->e;
    struct report_known *known;
    uint32_t n;
    if (!g->known)
        return true;
    if (!dir_exists(g->known))
        return err_set(e, "--known: %s is not a folder: make it, or leave out --known", g->known);
    if (!report_known_read(a, g->known, &known, &n, e))
        return false;
    report_known_mark(a, v, known, n);
    return true;
}

// Writes the page, and the summary to standard output.
static int write_html(struct context *x, const struct given *g, const struct store_findings *v)
{
    struct arena *a = &x->arena;
    struct text t = {.arena = a}, summary = {.arena = a};
    const char *out = g->out ? g->out : arena_printf(a, "%s/report.html", x->words[0]);
    page_text(x, x->words[0], v, &t);
    if (strcmp(out, "-") == 0) {
        say_text(&t);
        return STATUS_GOOD;
    }
    if (!file_write(out, t.v, t.n, &x->e))
        return refuse(x);
    report_format_write(REPORT_FORMAT_TEXT, v, x->words[0], &summary);
    say_text(&summary);
    say("\n%s\n", out);
    return STATUS_GOOD;
}

static int write_format(struct context *x, const struct given *g, const struct store_findings *v)
{
    struct arena *a = &x->arena;
    enum report_format f;
    struct text t = {.arena = a};
    CHECK(report_format_find(g->format, &f)); // the option allows only these
    const char *place =
        f == REPORT_FORMAT_SARIF ? report_repository_path(a, x->words[0]) : x->words[0];
    report_format_write(f, v, place, &t);
    if (!g->out || strcmp(g->out, "-") == 0)
        say_text(&t);
    else if (!file_write(g->out, t.v, t.n, &x->e))
        return refuse(x);
    return STATUS_GOOD;
}

static int write_bundle(struct context *x, const struct given *g, const struct store_findings *v)
{
    struct arena *a = &x->arena;
    const struct store_bucket *b = store_bucket_named(v, g->bundle);
    if (b && strcmp(b->signature->name, g->bundle) != 0)
        complain(x, "bucket %s is %s since its findings were reduced", g->bundle,
                 b->signature->name);
    if (!b)
        return complain(x, "--bundle: no bucket '%s' in %s (tanglefuzz report %s lists them)",
                        g->bundle, x->words[0], x->words[0]);
    const char *bundles = arena_printf(a, "%s/bundles", x->words[0]);
    const struct bundle_given how = {
        g->form, g->target, g->alone,
        g->out ? g->out : arena_printf(a, "%s/%s", bundles, b->signature->name)};
    if (!g->out && !own_dir(bundles, &x->e))
        return refuse(x);
    return bundle_write(x, &(struct looked){.dir = x->words[0], .bucket = b}, &how);
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    struct store_findings v;
    if ((g->form || g->alone || g->target) && !g->bundle)
        return complain(x, "--%s needs --bundle",
                        g->form     ? "form"
                        : g->target ? "target"
                                    : "alone");
    if (!g->mark != !g->state)
        return complain(x, "--mark BUCKET and --state S need each other");
    if ((g->note || g->link) && !g->mark)
        return complain(x, "--note and --link need --mark BUCKET");
    if (is_address(x->words[0]) && !g->mark && (g->bundle || strcmp(g->format, "html") == 0))
        return complain(x, "%s needs the findings' files: tanglefuzz farm pull copies them",
                        g->bundle ? "--bundle" : "a page");
    if (!gather(x, g, &v) || !keep_new(x, g, &v) || !mark(x, g, &v))
        return refuse(x);
    if (g->mark)
        return STATUS_GOOD;
    if (g->bundle)
        return write_bundle(x, g, &v);
    return strcmp(g->format, "html") == 0 ? write_html(x, g, &v) : write_format(x, g, &v);
}

static const struct arg_option options[] = {
    OPT_WORD("format", 'f', "F", "what to write; default: html", format,
             "html" REPORT_FORMAT_NAMES),
    OPT_TEXT("out", 'o', "FILE", "write there (- is standard output); default DIR/report.html",
             out),
    OPT_TEXT("known", 'k', "DIR",
             "known bugs (docs/known.md): counted and shown last, not failures", known),
    OPT_TEXT("since", 0, "WHEN",
             "only buckets that are new since a date (2026-11-22, 2026-11-22T09:30, UTC)\nor an "
             "earlier campaign's folder",
             since),
    OPT_TEXT("bundle", 'b', "BUCKET",
             "write a folder for a bug report: DIR/bundles/BUCKET or --out", bundle),
    OPT_WORD("form", 0, "P", "the project whose form its README and tests have", form,
             REPORT_FORM_NAMES),
    OPT_FLAG("alone", 0, "with --bundle: do not run the case on the other available targets",
             alone),
    OPT_TEXT("target", 't', "SPEC",
             "with --bundle: the target of its finding, with folders. Commands that\n"
             "start your own program or driver run only if it is given",
             target),
    OPT_TEXT("mark", 0, "BUCKET", "set the state of a bucket, which reports then show", mark),
    OPT_WORD("state", 0, "S", "with --mark: the new state", state,
             "new, triaged, filed, fixed, wont"),
    OPT_TEXT("note", 0, "TEXT", "with --mark: a comment", note),
    OPT_TEXT("link", 0, "URL", "with --mark: the bug report", link),
};

const struct command cmd_report = {
    .name = "report",
    .task = TASK_BUGS,
    .line = "show findings: a page, buckets, bundles",
    .rest = "DIR",
    .about =
        "Shows the findings of a folder's campaigns: buckets of findings with one cause, the "
        "most\ndifferent buckets first, as a page (DIR/report.html, which needs no other file) "
        "and on the terminal.\nUpdates the database DIR/findings.db. DIR may be the address of a "
        "farm's store, for --mark and a\n--format but html. --format results and failures "
        "are CSV files of deqp-runner; failures can be its\nbaseline. With --bundle: writes a "
        "self-contained folder to be attached to a bug report; each command\nof its README is run "
        "first, in an empty folder.\nExit status: 0 written, with findings or without; 2 bad usage "
        "or a folder that cannot be read.",
    .example = "tanglefuzz report tanglefuzz-out\n"
               "tanglefuzz report tanglefuzz-out --format sarif -o findings.sarif\n"
               "tanglefuzz report tanglefuzz-out --bundle bafimotuke --form mesa\n"
               "tanglefuzz report 'host=db dbname=farm' --format text\n"
               "tanglefuzz report tanglefuzz-out --mark bafimotuke --state filed --link URL",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.format = "html"},
    .finishes = true,
    .run = run,
};
