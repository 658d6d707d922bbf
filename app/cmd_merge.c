// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz merge: several campaigns' folders into one.
#include "app.h"
#include "args.h"
#include "report/report.h"

static int merge(const char *into, char **from, uint32_t n)
{
    struct err e = {0};
    uint32_t copied = 0, known = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c, k;
        if (!report_merge(into, from[i], &c, &k, &e))
            return complain("merge", "%s", e.msg);
        say("%s: %u new, %u there already\n", from[i], c, k);
        copied += c;
        known += k;
    }
    uint32_t added;
    struct report_db *db = report_db_open(into, &e);
    bool ok = db && report_db_sync(db, into, &added, &e);
    report_db_close(db);
    if (!ok)
        return complain("merge", "%s", e.msg);
    char text[32];
    say("%s: %s\n", into, count_of(text, sizeof text, copied + known, "finding"));
    return STATUS_GOOD;
}

static int run(int argc, char **argv)
{
    const char *out = NULL;
    const struct arg_option options[] = {
        OPT_TEXT("out", 'o', "DIR", "the campaign folder to merge into (needed); may be new", &out),
    };
    const struct arg_command command = {
        .name = "merge",
        .rest = "DIR...",
        .about = "Copies the findings and figures of campaign folders into one folder, each finding "
                 "once,\nand brings its database up to date. The folders that are read stay as they "
                 "are. Merging again\nadds nothing.",
        .example = "tanglefuzz merge monday tuesday --out week\ntanglefuzz report week",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = UINT32_MAX,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (!out)
        return complain("merge", "needs --out DIR, the folder to merge into");
    return merge(out, args.rest, args.n);
}

const struct command cmd_merge = {"merge", "join campaigns' folders into one", run};
