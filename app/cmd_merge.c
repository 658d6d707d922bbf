// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz merge: joins campaign folders into one.
#include "args.h"
#include "report/report.h"

struct given {
    const char *out;
};

static bool merge(struct context *x, const char *dir, const char *out, struct store_copied *n)
{
    static const struct store_copying how = {.marks = STORE_MARKS_MISSING};
    struct store *from = store_open_source(dir, &x->e),
                 *into = from ? store_make(out, &x->e) : NULL;
    *n = (struct store_copied){0};
    const bool ok = into && store_copy(into, from, &how, n, &x->e);
    store_close(into);
    store_close(from);
    return ok;
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    uint32_t copied = 0, known = 0;
    bool ok = true;
    if (!g->out)
        return complain(x, "needs --out DIR, the folder to merge into");
    for (uint32_t i = 0; ok && i < x->n; i++) {
        struct store_copied n;
        ok = merge(x, x->words[i], g->out, &n);
        if (ok)
            say("%s: %u new, %u there already\n", x->words[i], n.put[STORE_ADDED],
                n.put[STORE_THERE]);
        copied += n.put[STORE_ADDED];
        known += n.put[STORE_THERE];
    }
    if (!ok)
        return refuse(x);
    char text[32];
    say("%s: %s\n", g->out, count_of(text, sizeof text, copied + known, "finding"));
    return STATUS_GOOD;
}

static const struct arg_option options[] = {
    OPT_TEXT("out", 'o', "DIR", "the campaign folder to merge into (needed); may be new", out),
};

const struct command cmd_merge = {
    .name = "merge",
    .task = TASK_FINDINGS,
    .line = "join campaign folders into one",
    .rest = "DIR...",
    .about = "Copies the findings and figures of campaign folders into one folder, each finding "
             "once, and updates\n"
             "its database. The source folders are not changed. Merging them again adds nothing.",
    .example = "tanglefuzz merge monday tuesday --out week\ntanglefuzz report week",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .run = run,
};
