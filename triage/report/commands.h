// SPDX-License-Identifier: Apache-2.0
//
// The commands in a bundle's README. Each is run in an empty folder that has only the bundle's
// files, before the README is written; one that does not end as it must is left out.
#ifndef TF_REPORT_COMMANDS_H
#define TF_REPORT_COMMANDS_H

#include "base/base.h"

// How a command must end.
enum command_want {
    COMMAND_OK,      // exit status 0
    COMMAND_WRONG,   // exit status 1: `replay` reports a wrong result
    COMMAND_FAILS,   // any status but 0, or a signal
    COMMAND_CRASHES, // a signal, or 101, a panic of Rust
    COMMAND_REJECTS, // another status than 0 and 101, and no signal
    COMMAND_HANGS,   // it does not end within its time
};
// How it ended.
struct command_end {
    bool timed_out;
    uint32_t seconds;   // timed_out: after this time
    int status;         // as a shell reports it: 128 and a signal's number; 127: no such program
    const char *output; // the start of standard output, then of standard error
};
// True if it ended as it must. A program that is not there (126, 127) never does. `says`: a word
// that must be in its output; NULL: none.
bool report_command_shows(enum command_want want, const char *says, const struct command_end *e);
// True if the shell found no such program.
bool report_command_missing(const struct command_end *e);
// Returns how it ended, one line: "exit status 1: case.spvasm: wrong-memory: ...". The part after
// the colon is the most informative line of its output: the first that speaks of an error, else the
// first. It is left out if the command must end with 0 and did. In `a`, printable, without paths.
const char *report_command_ended(struct arena *a, enum command_want want,
                                 const struct command_end *e);

// Runs commands; campaign/bundle_run.h has one.
struct command_runner {
    void *user;
    const char *refused; // why no command may run that starts the finding's target; NULL: they may
    // Runs one line of a shell in `folder`, with no standard input, and waits `seconds` at most.
    // `out` is in `a`. False with a message: interrupted, or the shell cannot be started.
    bool (*run)(void *user, const char *folder, const char *line, uint32_t seconds, struct arena *a,
                struct command_end *out, struct err *e);
};
// Numbers of a bundle's commands.
struct command_count {
    uint32_t shown, left_out, unrun; // as it must be; not so; not run
};

#endif
