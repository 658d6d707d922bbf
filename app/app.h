// SPDX-License-Identifier: Apache-2.0
//
// app: the command line, the only place that prints. Private to the program.
//
// Results go to standard output, everything about the run itself to standard error.
#ifndef TF_APP_APP_H
#define TF_APP_APP_H

#include "base/base.h"
#include "spirv/spirv.h"

enum exit_status {
    STATUS_GOOD = 0,  // nothing found, everything agrees
    STATUS_FOUND = 1, // findings, or checks that failed
    STATUS_BAD = 2,   // bad usage, bad input, or the environment
};

// What a user wants: the list of commands is ordered by it.
enum task {
    TASK_BUGS,      // from nothing to a report
    TASK_SHADER,    // one case or shader
    TASK_FINDINGS,  // more to do with findings
    TASK_OURSELVES, // tanglefuzz itself, measured
    TASKS,
    TASK_HIDDEN = TASKS, // not listed
};

// What a command runs with (prologue.c): made before it, freed after it.
struct context {
    const struct command *command;
    struct arena arena;
    struct spv_tools *tools;
    const char *self; // this program's file, for workers to be started from
    char **words;     // those besides the options, in their order
    uint32_t n;
    struct err e; // of what failed last, for refuse
};

// One command: a file cmd_NAME.c with a struct `given` for its options, a row in main.c's table.
struct command {
    const char *name;
    enum task task;
    const char *line;    // for the list of commands
    const char *rest;    // "CASE...", NULL: takes no words
    const char *about;   // paragraphs for --help
    const char *example; // command lines, one a line
    const struct arg_option *options;
    uint32_t count;
    uint32_t rest_min, rest_max; // words besides the options
    size_t size;                 // of the struct given
    const void *defaults;        // one of them, NULL: all zero
    bool finishes;               // ctrl-C asks it to finish (interrupted()) and does not end it
    bool many;                   // makes many small objects: heap.h
    int (*run)(struct context *x, void *given); // returns enum exit_status
    const struct command *const *sub; // commands below it, named "farm work", NULL ends them; then
                                      // no options and no run
};
// clang-format off
#define COMMANDS(X)                                                                                \
    X(doctor) X(targets) X(fuzz) X(replay) X(reduce) X(report) /* from nothing to a report */      \
    X(portable) X(case) X(gen) X(print) X(predict) X(explain) X(check) X(bisect) X(recheck)        \
    X(survey) X(merge) X(farm) X(completion) X(stats) X(mutants) X(worker)
// clang-format on
#define DECLARE(name) extern const struct command cmd_##name;
COMMANDS(DECLARE)
#undef DECLARE
extern const struct command *const commands[]; // in the order of the list; NULL ends it

// Parses and runs; argv[0] is the command's name. Returns an enum exit_status.
int start_command(const struct command *c, int argc, char **argv);
// Prints what `tanglefuzz COMMAND --help` says.
void print_help(const struct command *c);

// ---- printing (print.c) -----------------------------------------------------------

// To standard output: say as words for people and lines of JSON (text_printable), say_text as it
// is.
void say(const char *fmt, ...) TF_PRINTF(1, 2);
void say_text(const struct text *t);
// Pushes out what was said; false once standard output cannot be written any more
// (its reader has gone, the disk is full): no use in going on.
bool say_flush(void);
// At the end of main: `status`, or STATUS_BAD after a complaint when output was lost.
// A reader that has gone is no failure: it has seen all that it wanted.
int say_end(int status);
// "tanglefuzz COMMAND: message" on standard error, without a command where x is NULL; returns
// STATUS_BAD.
int complain(const struct context *x, const char *fmt, ...) TF_PRINTF(2, 3);
// The same with the message of x->e.
int refuse(const struct context *x);
// And with an id of the module behind it; 0: none.
int refuse_at(const struct context *x, uint32_t id);

// "1 case", "2 cases": the number and the word, in `buf`, which is returned.
const char *count_of(char *buf, size_t size, uint64_t n, const char *word);

#endif
