// SPDX-License-Identifier: Apache-2.0
//
// Printing for all commands. An error of standard output is remembered, and reported once at the
// end.
#define _GNU_SOURCE // vasprintf
#include "app.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first error of standard output; 0 while it works. Global, like stdio's own state.
static int lost;

static void note(bool ok)
{
    if (!ok && !lost)
        lost = errno ? errno : EIO;
}

void say(const char *fmt, ...)
{
    struct arena a = {0};
    va_list args;
    char *line = NULL;
    va_start(args, fmt);
    int n = vasprintf(&line, fmt, args);
    va_end(args);
    if (n < 0)
        out_of_memory();
    errno = 0;
    note(fputs(text_printable(&a, line), stdout) >= 0);
    free(line);
    arena_free(&a);
}

void say_text(const struct text *t)
{
    errno = 0;
    if (t->n)
        note(fwrite(t->v, 1, t->n, stdout) == t->n);
}

bool say_flush(void)
{
    errno = 0;
    note(fflush(stdout) == 0);
    // poll reports a pipe without a reader before the next write.
    struct pollfd p = {.fd = STDOUT_FILENO};
    if (!lost && poll(&p, 1, 0) > 0 && p.revents & POLLERR)
        lost = EPIPE;
    return lost == 0;
}

int say_end(int status)
{
    if (say_flush() || lost == EPIPE)
        return status;
    return complain(NULL, "standard output: cannot write: %s", strerror(lost));
}

int complain(const struct context *x, const char *fmt, ...)
{
    char line[2048];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    fflush(stdout);
    struct arena a = {0};
    fprintf(stderr, "tanglefuzz%s%s: %s\n", x ? " " : "", x ? x->command->name : "",
            text_printable(&a, line));
    arena_free(&a);
    return STATUS_BAD;
}

int refuse(const struct context *x)
{
    return complain(x, "%s", x->e.msg);
}

int refuse_at(const struct context *x, uint32_t id)
{
    return id ? complain(x, "%s (%%%u)", x->e.msg, id) : refuse(x);
}

const char *count_of(char *buf, size_t size, uint64_t n, const char *word)
{
    snprintf(buf, size, "%llu %s%s", (unsigned long long)n, word, n == 1 ? "" : "s");
    return buf;
}
