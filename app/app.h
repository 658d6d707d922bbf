// SPDX-License-Identifier: Apache-2.0
//
// app: the command line, the only place that prints. Private to the program.
//
// Results go to standard output, everything about the run itself to standard error.
#ifndef TF_APP_APP_H
#define TF_APP_APP_H

#include "base/base.h"

enum exit_status {
    STATUS_GOOD = 0,  // nothing found, everything agrees
    STATUS_FOUND = 1, // findings, or checks that failed
    STATUS_BAD = 2,   // bad usage, bad input, or the environment
};

// One command: a row in main.c's table, a file cmd_NAME.c.
struct command {
    const char *name;
    const char *line;                  // for the list of commands; NULL: not listed
    int (*run)(int argc, char **argv); // argv[0] is the command's name; returns enum exit_status
};
extern const struct command cmd_bisect, cmd_check, cmd_doctor, cmd_explain, cmd_fuzz, cmd_gen, cmd_predict,
    cmd_print, cmd_reduce, cmd_replay, cmd_stats, cmd_targets, cmd_worker;
extern const struct command cmd_merge, cmd_report;
extern const struct command cmd_mutants;
extern const struct command cmd_survey;

// ---- printing (print.c) -----------------------------------------------------------

// To standard output: say as words for people and lines of JSON (text_printable), say_text as it is.
void say(const char *fmt, ...) TF_PRINTF(1, 2);
void say_text(const struct text *t);
// Pushes out what was said; false once standard output cannot be written any more
// (its reader has gone, the disk is full): no use in going on.
bool say_flush(void);
// At the end of main: `status`, or STATUS_BAD after a complaint when output was lost.
// A reader that has gone is no failure: it has seen all that it wanted.
int say_end(int status);
// "tanglefuzz COMMAND: message" on standard error; returns STATUS_BAD.
int complain(const char *command, const char *fmt, ...) TF_PRINTF(2, 3);

// "1 case", "2 cases": the number and the word, in `buf`, which is returned.
const char *count_of(char *buf, size_t size, uint64_t n, const char *word);

// This program's file, for workers to be started from.
const char *self_path(struct arena *a, const char *argv0);

#endif
