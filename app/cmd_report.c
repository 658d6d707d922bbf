// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz report: what a campaign found, for people and for other tools.
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "args.h"
#include "report/view_proof.h"

#include <string.h>
#include <sys/stat.h>

struct report {
    const char *dir, *out, *format, *bundle, *form, *known;
};

// The campaign's database, up to date. False with a line.
static bool gather(struct arena *a, const char *dir, struct report_findings *v, struct err *e)
{
    struct stat st;
    if (stat(arena_printf(a, "%s/findings", dir), &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(e, "%s: no campaign folder (it has no findings/)", dir);
    uint32_t added;
    struct report_db *db = report_db_open(dir, e);
    bool ok = db && report_db_sync(db, dir, &added, e) && report_db_read(db, a, v, e);
    report_db_close(db);
    return ok;
}

// Marks what is known already.
static bool mark(struct arena *a, const struct report *r, struct report_findings *v, struct err *e)
{
    struct report_known *known;
    uint32_t n;
    struct stat st;
    if (!r->known)
        return true;
    if (stat(r->known, &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(e, "--known: %s is no folder", r->known);
    if (!report_known_read(a, r->known, &known, &n, e))
        return false;
    report_known_mark(a, v, known, n);
    return true;
}

static const char *base_name(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    return arena_strn(a, path + from, n - from);
}

// The page, and the summary on standard output.
static int write_html(struct arena *a, const struct report *r, const struct report_findings *v)
{
    struct err e = {0};
    struct spv_tools *tools = spv_tools_new();
    struct report_view *views = ARENA_ARRAY(a, struct report_view, v->buckets);
    struct text t = {.arena = a}, summary = {.arena = a};
    for (uint32_t i = 0; i < v->buckets; i++)
        report_view(tools, a, r->dir, &v->bucket[i], &views[i]);
    report_html(base_name(a, r->dir), version_number(), v, views, v->buckets, &t);
    spv_tools_free(tools);
    const char *out = r->out ? r->out : arena_printf(a, "%s/report.html", r->dir);
    if (strcmp(out, "-") == 0) {
        say_text(&t);
        return STATUS_GOOD;
    }
    if (!file_write(out, t.v, t.n, &e))
        return complain("report", "%s", e.msg);
    report_format_write(REPORT_FORMAT_TEXT, v, &summary);
    say_text(&summary);
    say("\n%s\n", out);
    return STATUS_GOOD;
}

static int write_format(struct arena *a, const struct report *r, const struct report_findings *v)
{
    struct err e = {0};
    enum report_format f;
    struct text t = {.arena = a};
    if (!report_format_find(r->format, &f)) {
        for (int k = 0; k < REPORT_FORMATS; k++)
            text_add(&t, ", %s", report_format_name((enum report_format)k));
        return complain("report", "--format: '%s' is none of html%s", r->format, t.v);
    }
    report_format_write(f, v, &t);
    if (!r->out || strcmp(r->out, "-") == 0)
        say_text(&t);
    else if (!file_write(r->out, t.v, t.n, &e))
        return complain("report", "%s", e.msg);
    return STATUS_GOOD;
}

static int write_bundle(struct arena *a, const struct report *r, const struct report_findings *v)
{
    struct err e = {0};
    const struct report_bucket *b = NULL;
    for (uint32_t i = 0; i < v->buckets; i++)
        if (strcmp(v->bucket[i].name, r->bundle) == 0)
            b = &v->bucket[i];
    if (!b)
        return complain("report", "--bundle: no bucket '%s' in %s (tanglefuzz report %s lists them)",
                        r->bundle, r->dir, r->dir);
    enum report_form form = report_form_guess(b->best->target);
    if (r->form && !report_form_find(r->form, &form))
        return complain("report", "--form: '%s' is none of generic, mesa, spirv-tools, llvm, glslang",
                        r->form);
    const char *to = r->out ? r->out : arena_printf(a, "%s/bundles/%s", r->dir, b->name);
    struct spv_tools *tools = spv_tools_new();
    struct report_view w;
    report_view(tools, a, r->dir, b, &w);
    bool ok = (r->out || dir_make(arena_printf(a, "%s/bundles", r->dir), &e)) &&
              report_bundle(tools, &w, form, to, &e);
    spv_tools_free(tools);
    if (!ok)
        return complain("report", "%s", e.msg);
    say("%s\n", to);
    return STATUS_GOOD;
}

static int report(const struct report *r)
{
    struct arena a = {0};
    struct err e = {0};
    struct report_findings v;
    int status;
    if (!gather(&a, r->dir, &v, &e) || !mark(&a, r, &v, &e))
        status = complain("report", "%s", e.msg);
    else if (r->bundle)
        status = write_bundle(&a, r, &v);
    else if (r->format && strcmp(r->format, "html") != 0)
        status = write_format(&a, r, &v);
    else
        status = write_html(&a, r, &v);
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    struct report r = {0};
    const struct arg_option options[] = {
        OPT_TEXT("format", 'f', "F",
                 "html (default), text, jsonl, results, failures, junit, sarif, prometheus",
                 &r.format),
        OPT_TEXT("out", 'o', "FILE", "write there (- is standard output); default DIR/report.html",
                 &r.out),
        OPT_TEXT("known", 'k', "DIR", "known bugs (docs/known.md): counted, shown last, no failures",
                 &r.known),
        OPT_TEXT("bundle", 'b', "BUCKET", "make a folder to be filed: DIR/bundles/BUCKET or --out",
                 &r.bundle),
        OPT_TEXT("form", 0, "P", "whose form its README has: mesa, spirv-tools, llvm, glslang, generic",
                 &r.form),
    };
    const struct arg_command command = {
        .name = "report",
        .rest = "DIR",
        .about = "Says what the campaigns of a folder found: buckets of findings with one cause, the "
                 "most\ndifferent ones first; as a page (DIR/report.html, which needs nothing else) "
                 "and on the terminal.\nThe database DIR/findings.db is brought up to date. results "
                 "and failures are CSV as deqp-runner\nwrites them; failures serves as its "
                 "baseline.\nWith --bundle: a folder that stands alone, to be attached to a bug "
                 "report.",
        .example = "tanglefuzz report tanglefuzz-out\n"
                   "tanglefuzz report tanglefuzz-out --format sarif -o findings.sarif\n"
                   "tanglefuzz report tanglefuzz-out --bundle bafimotuke --form mesa",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (r.form && !r.bundle)
        return complain("report", "--form needs --bundle");
    r.dir = args.rest[0];
    return report(&r);
}

const struct command cmd_report = {"report", "what was found: a page, buckets, bundles", run};
