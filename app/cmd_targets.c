// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz targets: lists the kinds of target, and the devices found.
#include "args.h"
#include "devices.h"

static int run(struct context *x, void *given)
{
    (void)given;
    const struct run_kind *rows;
    uint32_t n = run_kinds(&rows);
    say("kinds of target:\n");
    for (uint32_t i = 0; i < n; i++)
        say("  %s\n      %s\n", rows[i].syntax, rows[i].summary);
    struct run_listed *devices;
    n = run_list(&x->arena, x->self, &devices);
    say("\ncompilers and devices found here:\n");
    for (uint32_t i = 0; i < n; i++)
        devices_print(&devices[i]);
    if (!n)
        say("  none (tanglefuzz doctor shows what is missing)\n");
    return STATUS_GOOD;
}

const struct command cmd_targets = {
    .name = "targets",
    .task = TASK_BUGS,
    .line = "list kinds of target, and devices",
    .about = "Lists the kinds of target that --target takes, and the devices found here with the "
             "target text\n"
             "that opens each.",
    .example = "tanglefuzz targets",
    .run = run,
};
