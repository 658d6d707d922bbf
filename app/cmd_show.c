// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz show: one bug on one screen.
#include "args.h"
#include "lookup.h"
#include "report/view_proof.h"

#include <stdlib.h>
#include <unistd.h>

enum { OTHERS = 4 }; // names of other buckets that are printed

static int run(struct context *x, void *user)
{
    struct looked found;
    struct report_view w;
    struct text t = {.arena = &x->arena};
    (void)user;
    if (!lookup(x, true, &found))
        return refuse(x);
    report_view(x->tools, &x->arena, found.dir, found.bucket, &w);
    report_screen(&w, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), &t);
    if (found.others) {
        text_add(&t, "\nothers here: ");
        for (uint32_t i = 1; i < found.others->buckets && i <= OTHERS; i++)
            text_add(&t, "%s%s", i > 1 ? ", " : "", found.others->bucket[i].signature->name);
        text_add(&t, "%s (tanglefuzz show %s BUCKET)\n",
                 found.others->buckets > OTHERS + 1 ? ", ..." : "", found.dir);
    }
    say_text(&t);
    return STATUS_GOOD;
}

const struct command cmd_show = {
    .name = "show",
    .task = TASK_BUGS,
    .line = "show one bug on one screen",
    .rest = "FINDING|CAMPAIGN [BUCKET]",
    .about =
        "Prints a bug's title, on which versions it is wrong, why it is wrong, its shader in "
        "GLSL or what a\n"
        "compiler changed in it, expected and observed values, and the command that runs it "
        "again: 40 lines\n"
        "of 100 columns. FINDING is a folder, also of a bundle; BUCKET is the name of a bucket "
        "or a finding\n"
        "of the campaign; without it the campaign's first bucket is shown, and others are named.\n"
        "Exit status: 0 shown, 2 bad usage or no such finding.",
    .example = "tanglefuzz show tanglefuzz-out bafimotuke\n"
               "tanglefuzz show tanglefuzz-out/findings/s000123-missing-lanes",
    .rest_min = 1,
    .rest_max = 2,
    .run = run,
};
