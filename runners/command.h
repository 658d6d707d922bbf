// SPDX-License-Identifier: Apache-2.0
//
// Runs external commands for a worker: splits the command text into words, runs the program with
// limits in its own process group, keeps its output, and kills all processes that it started.
// Private to runners/. docs/protocol.md is the contract for authors of commands.
#ifndef TF_RUNNERS_COMMAND_H
#define TF_RUNNERS_COMMAND_H

#include "backend.h"
#include "output.h"

#include "printers/printers.h"

#include <sys/types.h>

enum {
    COMMAND_FILE_LIMIT = 256 << 20, // maximum bytes of a file that a command writes
};

// Splits the command of a stage into words, NULL at the end. `{tools}` becomes the folder of tools
// from scripts/drivers.sh. Shell syntax is not supported: use a script instead.
bool command_words(struct arena *a, const struct run_stage *s, char ***words, struct err *e);
// True if a word of the command contains this mark.
bool command_names(const struct run_stage *s, const char *mark);
// False with a line in `e` if the first word is not an executable program.
bool command_there(struct arena *a, const char *backend, const char *program, struct err *e);
// Returns the words with every `mark` replaced by `file`.
char **command_with(struct arena *a, char *const *words, const char *mark, const char *file);
// The folder of tools that scripts/drivers.sh creates (NAME/bin/PROGRAM, NAME/version).
const char *command_tools(struct arena *a);

// Runs the words with `folder` for temporary files. r->status and r->text report how it ended:
//   exit status 0       RUN_OK
//   77                  RUN_SKIPPED    it does not support the case
//   124                 RUN_HUNG       the system under test did not finish
//   125, 126, 127       RUN_FAILED     the environment: no device, no such program
//   128 + a signal      RUN_CRASHED    the system under test died of that signal
//   any other           RUN_REJECTED
// The command itself died of a signal: RUN_CRASHED. It did not finish within `seconds`: RUN_HUNG.
// The text is the cause of death (output_reason), else the end of the output. After a failure *r
// also has all of the output, in `a`. RUN_MEMORY: it and its child processes use more than `memory`
// bytes (0: CONTAIN_MEMORY). RUN_CRASHED: they exceed the limits of processes or files in
// contain.h.
void command_run(char *const *words, const char *folder, double seconds, size_t memory,
                 struct arena *a, struct run_result *r);

// Returns the first line that `program --version` prints, in `a`; `program` if it prints none.
const char *command_version(struct arena *a, const char *program, const char *folder);

// Writes a case file with the requested subgroup size.
bool command_case(struct spv_tools *tools, struct arena *a, const struct spv_case *c,
                  uint32_t subgroup, const char *path, struct err *e);
// Reads the memory file that the command wrote into *r: RUN_REJECTED if it is not a memory file.
void command_memory(const char *path, struct arena *a, const struct spv_case *c,
                    struct run_result *r);

// ---- lower-level functions, for commands that keep running (server.h)

// The command's descriptors; `in` -1: its standard input is empty.
struct command_ends {
    int in, out, err;
};
// Starts a contained command: its own process group, limits (`seconds` and five more of CPU), only
// the descriptors in `ends` open. It is killed when this process dies. -1: it could not be started.
pid_t command_start(char *const *words, const char *folder, double seconds,
                    const struct command_ends *ends);
// Reads the available output. False at end of file.
bool command_listen(int fd, struct output *s);
// Kills and reaps all processes that this process or its children started, except the kept ones:
// commands that keep running between jobs. Release a kept process before reaping it.
void command_kill_all(void);
enum { COMMAND_KEPT = 8 };
void command_keep(pid_t pid, bool keep);
// Maps an exit status to a result.
enum run_status command_status(uint32_t code);
// Describes how a process ended, from waitpid's status; empty for exit status 0. Returns the
// length.
int command_ended(int status, char *text, size_t size);

// Prints a job's module in another language. False, with *r skipped, if the language cannot express
// it.
bool print_job(struct arena *a, enum print_language language, const struct run_job *job,
               struct text *out, struct run_result *r);

// Declares MaximallyReconvergesKHR in the module of *r if the case's module declares it and *r's
// does not (text_mode.c).
void mode_restore(struct arena *a, const struct spv_case *c, struct run_result *r);

// Reads a file that a command wrote. False unless it is a plain file of at most COMMAND_FILE_LIMIT
// bytes.
bool command_read(struct arena *a, const char *path, char **data, size_t *size);

#endif
