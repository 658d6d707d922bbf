// SPDX-License-Identifier: Apache-2.0
//
// Converts a picture to PNG by rsvg-convert.
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool report_picture_png(const struct text *svg, const char *path, struct err *e)
{
    struct arena a = {0};
    char *from = arena_printf(&a, "%s.tmp%ld.svg", path, (long)getpid());
    char *to = arena_printf(&a, "%s.tmp%ld.png", path, (long)getpid());
    char *argv[] = {"rsvg-convert", "-o", to, from, NULL};
    pid_t child;
    int how = 0, failed = 0;
    bool ok = file_write(from, svg->v, svg->n, e);
    if (ok && (failed = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ)) != 0)
        ok = err_set(e,
                     "%s: a PNG needs rsvg-convert, which cannot be started (%s): install "
                     "librsvg2-bin, or write a .svg",
                     path, strerror(failed));
    while (ok && waitpid(child, &how, 0) < 0)
        ok = errno == EINTR || err_set(e, "rsvg-convert: %s", strerror(errno));
    if (ok && (!WIFEXITED(how) || WEXITSTATUS(how) != 0))
        ok = err_set(e, "%s: rsvg-convert failed; write a .svg", path);
    ok = ok && file_move(to, path, e);
    unlink(from);
    unlink(to);
    arena_free(&a);
    return ok;
}
