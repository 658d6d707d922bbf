// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz merge: joins campaign folders into one.
#include "args.h"
#include "report/report.h"

struct given {
    const char *out;
};

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    uint32_t copied = 0, known = 0;
    if (!g->out)
        return complain(x, "needs --out DIR, the folder to merge into");
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t c, k;
        if (!store_merge(g->out, x->words[i], &c, &k, &x->e))
            return refuse(x);
        say("%s: %u new, %u there already\n", x->words[i], c, k);
        copied += c;
        known += k;
    }
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
