// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz targets: the table of backends and the devices found.
#include "args.h"
#include "devices.h"

static int run(int argc, char **argv)
{
    const struct arg_command command = {
        .name = "targets",
        .about = "Lists the kinds of target that --target takes, and the devices found here with "
                 "the\ntarget text that opens each.",
        .example = "tanglefuzz targets",
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    const struct run_kind *rows;
    uint32_t n = run_kinds(&rows);
    say("kinds of target:\n");
    for (uint32_t i = 0; i < n; i++)
        say("  %s\n      %s\n", rows[i].syntax, rows[i].summary);
    struct arena a = {0};
    struct run_listed *devices;
    n = run_list(&a, self_path(&a, argv[0]), &devices);
    say("\ncompilers and devices that are here:\n");
    for (uint32_t i = 0; i < n; i++)
        devices_print(&devices[i]);
    if (!n)
        say("  none (tanglefuzz doctor says what is missing)\n");
    arena_free(&a);
    return STATUS_GOOD;
}

const struct command cmd_targets = {"targets", "list kinds of target, and devices", run};
