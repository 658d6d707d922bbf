// SPDX-License-Identifier: Apache-2.0
//
// Runs all steps of `report` on a finding's folder with any content, as another process may leave
// it: takes it into a store, lists it, reads it back, puts it on the page and into a bundle. It
// must not crash, and each failure must report one line. Seeds: finding.json, case.spvasm,
// expected.mem, observed.mem, campaign.json.
#include "fuzz.h"
#include "report/report.h"
#include "triage/store/store_parts.h"

#include <string.h>
#include <unistd.h>

static void one_line(bool ok, const struct err *e)
{
    CHECK(ok || (e->msg[0] && !strchr(e->msg, '\n')));
}

static void load(void *user, struct arena *a, const struct store_bucket *b, struct report_view *out)
{
    (void)user;
    report_view_load(fz_tools(), a, fz_folder(), b, out);
}

static void show(struct arena *a, const struct store_findings *v)
{
    const struct report_views views = {NULL, load};
    struct report_view first;
    struct text page = {.arena = a};
    struct err e = {{0}};
    report_html("fuzz", "0", v, v->buckets, &views, &page);
    CHECK(page.n && strlen(page.v) == page.n);
    for (int f = 0; f < REPORT_FORMATS; f++) {
        struct text t = {.arena = a};
        report_format_write((enum report_format)f, v, "c", &t);
    }
    if (v->buckets) {
        const char *to = arena_printf(a, "%s/bundle", fz_folder());
        load(NULL, a, &v->bucket[0], &first);
        struct command_count commands;
        bool ok = report_bundle(fz_tools(), &first, report_form_guess(v->bucket[0].targets), to,
                                NULL, &commands, &e);
        one_line(ok, &e);
        if (ok) {
            const char **names;
            size_t n;
            CHECK(dir_list(a, to, &names, &n, &e));
            for (size_t i = 0; i < n; i++)
                unlink(arena_printf(a, "%s/%s", to, names[i]));
            CHECK(rmdir(to) == 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"findings/f/finding.json", "findings/f/case.spvasm",
                                        "findings/f/expected.mem", "findings/f/observed.mem",
                                        "campaign.json"};
    struct arena a = {0};
    struct err e = {{0}};
    uint32_t added;
    struct store_findings v;
    CHECK(dir_make(arena_printf(&a, "%s/findings/f", fz_folder()), &e));
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        size_t n;
        const uint8_t *part = fz_part(&data, &size, &n);
        fz_file(&a, files[k], part, n);
    }
    // Creates a new store, as the old one belongs to another input.
    for (int k = 0; k < 3; k++)
        unlink(arena_printf(&a, "%s/findings.db%s", fz_folder(),
                            (const char *[]){"", "-wal", "-shm"}[k]));
    struct store *s = store_open(fz_folder(), &e);
    CHECK(s);
    bool ok = store_sync(s, fz_folder(), &added, &e) && store_list(s, &a, &v, &e);
    one_line(ok, &e);
    if (ok)
        show(&a, &v);
    store_close(s);
    arena_free(&a);
    return 0;
}
