// SPDX-License-Identifier: Apache-2.0
//
// The command line, and the only room that prints. Private to the program.
//
// Results go to standard output; status lines and errors go to standard error.
#ifndef TF_APP_APP_H
#define TF_APP_APP_H

#include "base/base.h"
#include "spirv/spirv.h"

enum exit_status {
    STATUS_GOOD = 0,  // nothing found, everything agrees
    STATUS_FOUND = 1, // findings, or checks that failed
    STATUS_BAD = 2,   // bad usage, bad input, or an error of the environment
};

// The task that a command serves: `tanglefuzz --help` lists the commands in this order.
enum task {
    TASK_BUGS,      // from nothing to a report
    TASK_SHADER,    // look at one case or shader
    TASK_FINDINGS,  // work with findings and targets
    TASK_OURSELVES, // measure tanglefuzz itself
    TASKS,
    TASK_HIDDEN = TASKS, // not listed
};

// What a command runs with. start_command (prologue.c) creates it and frees it.
struct context {
    const struct command *command;
    struct arena arena;
    struct spv_tools *tools;
    const char *self; // path of this program, to start workers
    char **words;     // arguments that are not options, in their order
    uint32_t n;
    struct err e; // the last error, for refuse
};

// One command. Its file cmd_NAME.c declares a struct `given` for its options.
struct command {
    const char *name;
    enum task task;
    const char *line;    // summary for the list of commands, in the imperative
    const char *rest;    // its arguments, "CASE..."; NULL: takes none
    const char *about;   // paragraphs for --help
    const char *example; // command lines, one per line
    const struct arg_option *options;
    uint32_t count;
    uint32_t rest_min, rest_max; // number of arguments, without the options
    size_t size;                 // of its struct given
    const void *defaults;        // a struct given; NULL: all zero
    bool finishes;               // ctrl-C sets interrupted() and does not end the process
    bool many;                   // allocates many small objects: see heap.h
    int (*run)(struct context *x, void *given); // returns enum exit_status
    const struct command *const *sub; // subcommands, named "farm work", ended by NULL; such a
                                      // command has no options and no run
};
// clang-format off
#define COMMANDS(X)                                                                                \
    X(doctor) X(targets) X(fuzz) X(replay) X(reduce) X(report) X(show) X(ci) X(enumerate)          \
    X(portable) X(case) X(gen) X(print) X(predict) X(explain) X(check) X(bisect) X(recheck)        \
    X(bundle) X(survey) X(suite) X(merge) X(farm) X(completion) X(stats) X(mutants) X(worker)
// clang-format on
#define DECLARE(name) extern const struct command cmd_##name;
COMMANDS(DECLARE)
#undef DECLARE
extern const struct command *const commands[]; // in the order of the list, ended by NULL

// Parses the options and runs the command; argv[0] is its name. Returns an enum exit_status.
int start_command(const struct command *c, int argc, char **argv);
// Prints the text of `tanglefuzz COMMAND --help`.
void print_help(const struct command *c);

// ---- printing (print.c) -----------------------------------------------------------

// Both print to standard output. say escapes control characters (text_printable); say_text does
// not.
void say(const char *fmt, ...) TF_PRINTF(1, 2);
void say_text(const struct text *t);
// Flushes standard output. False once it cannot be written any more (its reader has closed it, the
// disk is full): the command should stop.
bool say_flush(void);
// Called at the end of main. Returns `status`, or STATUS_BAD after an error message if output was
// lost. A reader that closed the pipe is not an error.
int say_end(int status);
// Prints "tanglefuzz COMMAND: message" on standard error, without COMMAND if x is NULL. Returns
// STATUS_BAD.
int complain(const struct context *x, const char *fmt, ...) TF_PRINTF(2, 3);
// The same with the message of x->e.
int refuse(const struct context *x);
// The same with an id of the module after the message; 0: none.
int refuse_at(const struct context *x, uint32_t id);

// Writes "1 case", "2 cases" to `buf` and returns it.
const char *count_of(char *buf, size_t size, uint64_t n, const char *word);

#endif
