// SPDX-License-Identifier: Apache-2.0
//
// How a command of a bundle ended, in a line.
#define _GNU_SOURCE
#include "commands.h"

#include "diagnose/diagnose.h"

#include <string.h>

enum {
    LINE_MAX_BYTES = 200,
    NOT_EXECUTABLE = 126,
    NO_PROGRAM = 127,
    RUST_PANIC = 101, // the status of a program of Rust that panicked
};

bool report_command_missing(const struct command_end *e)
{
    return !e->timed_out && (e->status == NO_PROGRAM || e->status == NOT_EXECUTABLE);
}

bool report_command_shows(enum command_want want, const char *says, const struct command_end *e)
{
    const bool crash = e->status > 128 || e->status == RUST_PANIC;
    if (e->timed_out || want == COMMAND_HANGS)
        return e->timed_out && want == COMMAND_HANGS;
    if (report_command_missing(e) || (says && !strstr(e->output, says)))
        return false;
    switch (want) {
    case COMMAND_OK:
        return e->status == 0;
    case COMMAND_WRONG:
        return e->status == 1;
    case COMMAND_CRASHES:
        return crash;
    case COMMAND_REJECTS:
        return e->status && !crash;
    default:
        return e->status != 0;
    }
}

// True if a line of output speaks of an error.
static bool speaks(const char *line, size_t n)
{
    static const char *const words[] = {"error", "Error",   "ERROR",  "panicked",  "Assertion",
                                        "FAIL",  "Failure", "wrong-", "Unhandled", "Cannot select"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (memmem(line, n, words[k], strlen(words[k])))
            return true;
    return false;
}

// The most informative line; "" if there is none.
static const char *telling(struct arena *a, const char *output)
{
    const char *best = "";
    size_t length = 0;
    for (const char *s = output; s && *s;) {
        const size_t n = strcspn(s, "\n"), blank = strspn(s, " \t");
        const bool first = !length && blank < n;
        if (first || speaks(s, n)) {
            best = s + (blank < n ? blank : 0);
            length = n - (size_t)(best - s);
        }
        if (speaks(s, n))
            break;
        s += n + (s[n] != 0);
    }
    length = length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES;
    while (length && ((unsigned char)best[length] & 0xc0) == 0x80) // not inside a character
        length--;
    return text_printable(a, diag_without_paths(a, arena_strn(a, best, length)));
}

const char *report_command_ended(struct arena *a, enum command_want want,
                                 const struct command_end *e)
{
    const char *how = e->timed_out ? arena_printf(a, "did not end in %u seconds", e->seconds)
                      : e->status > 128
                          ? arena_printf(a, "exit status %d, died of signal %d (%s)", e->status,
                                         e->status - 128, strsignal(e->status - 128))
                          : arena_printf(a, "exit status %d", e->status);
    const char *line = want == COMMAND_OK && !e->status ? "" : telling(a, e->output);
    return line[0] ? arena_printf(a, "%s: %s", how, line) : how;
}
