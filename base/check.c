// SPDX-License-Identifier: Apache-2.0
//
// CHECK and struct err. Internal bugs abort, failures of the environment fill a `struct err`, and
// missing memory ends the process.
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char context[201];

void check_context(const char *what)
{
    if (what)
        snprintf(context, sizeof context, "%s", what);
    else
        context[0] = 0;
}

void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "tanglefuzz: internal error at %s:%d: %s%s%s%s\n", file, line, what,
            context[0] ? " (while working on " : "", context, context[0] ? ")" : "");
    abort();
}

void out_of_memory(void)
{
    static const char line[] = "tanglefuzz: out of memory: make room, or ask for less at a time\n";
    ssize_t n = write(2, line, sizeof line - 1);
    (void)n;
    _exit(2);
}

void *mem_new(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    return p ? p : (out_of_memory(), NULL);
}

void *mem_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    return p ? p : (out_of_memory(), NULL);
}

bool err_set(struct err *e, const char *fmt, ...)
{
    if (e) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(e->msg, sizeof e->msg, fmt, args);
        va_end(args);
    }
    return false;
}

bool err_prefix(struct err *e, const char *fmt, ...)
{
    if (e) {
        struct err old = *e;
        va_list args;
        va_start(args, fmt);
        vsnprintf(e->msg, sizeof e->msg, fmt, args);
        va_end(args);
        size_t n = strlen(e->msg);
        snprintf(e->msg + n, sizeof e->msg - n, ": %s", old.msg);
    }
    return false;
}
