// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz worker --fd N: what runners/ start. Not for people.
#include "args.h"
#include "runners/runners.h"

static int run(int argc, char **argv)
{
    uint32_t fd = UINT32_MAX;
    const struct arg_option options[] = {
        OPT_U32("fd", 0, "N", "connection to the supervisor", &fd, 0, 1 << 20),
    };
    const struct arg_command command = {
        .name = "worker",
        .about = "Serves one device to a campaign. Started by tanglefuzz itself.",
        .example = "tanglefuzz worker --fd 3",
        .options = options,
        .count = OPT_COUNT(options),
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (fd == UINT32_MAX)
        return complain("worker", "needs --fd N; it is started by tanglefuzz itself");
    return run_worker_main((int)fd);
}

const struct command cmd_worker = {"worker", NULL, run};
