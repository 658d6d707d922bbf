// SPDX-License-Identifier: Apache-2.0
//
// CHECK and struct err: our own bugs abort, the environment's failures are told.
#include "base.h"

#include <stdlib.h>
#include <string.h>

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
