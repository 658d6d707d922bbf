// SPDX-License-Identifier: Apache-2.0
//
// Commands of others, run from a worker: a text becomes words; a program runs with
// limits in a process group of its own; what it says is kept, what it started is
// killed. Private to runners/. The contract for its authors is docs/protocol.md.
#ifndef TF_RUNNERS_COMMAND_H
#define TF_RUNNERS_COMMAND_H

#include "backend.h"
#include "said.h"

#include "printers/printers.h"

#include <sys/types.h>

enum {
    COMMAND_FILE_LIMIT = 256 << 20, // bytes of a file that it writes
};

// The words of a stage's command. `{tools}` becomes the folder of the tools that set-up brought.
// NULL at the end. Shell syntax is not known: a script serves whoever needs it.
bool command_words(struct arena *a, const struct run_stage *s, char ***words, struct err *e);
// Does a word of it have this mark?
bool command_names(const struct run_stage *s, const char *mark);
// False with a line when the first word is no program that can be run.
bool command_there(struct arena *a, const char *backend, const char *program, struct err *e);
// The words with every `mark` replaced by `file`.
char **command_with(struct arena *a, char *const *words, const char *mark, const char *file);
// The folder of tools, as scripts/drivers.sh makes them (NAME/bin/PROGRAM, NAME/version).
const char *command_tools(struct arena *a);

// Runs the words with `folder` for temporary files. r->status and r->text say how it ended:
//   exit status 0       RUN_OK
//   77                  RUN_SKIPPED    it cannot do what the case needs
//   124                 RUN_HUNG       the subject did not come to an end
//   125, 126, 127       RUN_FAILED     the environment: no device, no such program
//   128 + a signal      RUN_CRASHED    the subject died of it
//   any other           RUN_REJECTED
// Died of a signal itself: RUN_CRASHED; not done after `seconds`: RUN_HUNG. The text has why it
// died (said_why), else the end of its output; r->said all of it, in `a`, where it did not end
// well.
// More than `memory` bytes (0: CONTAIN_MEMORY) in it and what it started: RUN_MEMORY; more
// processes or files than contain.h says: RUN_CRASHED.
void command_run(char *const *words, const char *folder, double seconds, size_t memory,
                 struct arena *a, struct run_result *r);

// A case file, with the subgroup size that is asked for.
bool command_case(struct spv_tools *tools, struct arena *a, const struct spv_case *c,
                  uint32_t subgroup, const char *path, struct err *e);
// The memory file that it wrote, as the answer in *r: RUN_REJECTED where it is none.
void command_memory(const char *path, struct arena *a, const struct spv_case *c,
                    struct run_result *r);

// ---- its parts, for a command that stays (server.h)

// The descriptors that it gets; `in` -1: its standard input is empty.
struct command_ends {
    int in, out, said;
};
// Starts it, contained: a process group of its own, limits (`seconds` and five more of CPU),
// nothing open but the ends; it dies with us. -1: it could not be started.
pid_t command_start(char *const *words, const char *folder, double seconds,
                    const struct command_ends *ends);
// Reads what is there. False at its end.
bool command_listen(int fd, struct said *s);
// Kills and reaps all that this process has started, and what that has started, but those that are
// kept: commands that stay beside others. Who keeps a process gives it back before reaping it.
void command_kill_all(void);
enum { COMMAND_KEPT = 8 };
void command_keep(pid_t pid, bool keep);
// What an exit status says.
enum run_status command_status(uint32_t code);
// How a process ended, of waitpid's status; nothing for exit status 0. The length.
int command_ended(int status, char *text, size_t size);

// A job's module in another language; false, with *r skipped, where that has no words for it.
bool print_job(struct arena *a, enum print_language language, const struct run_job *job,
               struct text *out, struct run_result *r);

// Declares MaximallyReconvergesKHR in the module of *r where the case's own does and it does not
// (text_mode.c).
void mode_give_back(struct arena *a, const struct spv_case *c, struct run_result *r);

// Reads a file that a command wrote: a plain file of at most COMMAND_FILE_LIMIT bytes, or false.
bool command_read(struct arena *a, const char *path, char **data, size_t *size);

#endif
