// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz worker --fd N: started by runners/, not by users.
#include "args.h"
#include "runners/runners.h"

struct given {
    uint32_t fd;
    bool fork_server;
};

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    if (g->fd == UINT32_MAX)
        return complain(x, "needs --fd N; it is started by tanglefuzz itself");
    return g->fork_server ? run_fork_server_main((int)g->fd) : run_worker_main((int)g->fd);
}

static const struct arg_option options[] = {
    OPT_U32("fd", 0, "N", "connection to the supervisor", fd, 0, 1 << 20),
    OPT_FLAG("fork-server", 0, "load the driver, then fork a worker for each request", fork_server),
};

const struct command cmd_worker = {
    .name = "worker",
    .task = TASK_HIDDEN,
    .about = "Serves one device to a campaign. Started by tanglefuzz itself.",
    .example = "tanglefuzz worker --fd 3",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.fd = UINT32_MAX},
    .run = run,
};
