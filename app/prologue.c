// SPDX-License-Identifier: Apache-2.0
//
// Start of every command: parses the options, creates the context, runs the command, frees it.
#define _POSIX_C_SOURCE 200809L
#include "args.h"
#include "base/interrupt.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *self_path(struct arena *a, const char *argv0)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    return n > 0 ? arena_strn(a, path, (size_t)n) : arena_str(a, argv0);
}

int start_command(const struct command *c, int argc, char **argv)
{
    struct context x = {.command = c};
    char *given = arena_alloc(&x.arena, c->size + 1);
    if (c->defaults)
        memcpy(given, c->defaults, c->size);
    int status = args_parse(&x, given, argc, argv);
    if (status < 0) {
        x.self = self_path(&x.arena, argv[0]);
        x.tools = spv_tools_new();
        if (c->finishes)
            interrupt_catch();
        status = c->run(&x, given);
        spv_tools_free(x.tools);
    }
    arena_free(&x.arena);
    return status;
}
