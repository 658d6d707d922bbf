// SPDX-License-Identifier: Apache-2.0
//
// A command that stays: started once, one line a job on its standard input, one line an answer on
// its standard output. Private to runners/. The contract for its authors is docs/protocol.md.
//
//   it says at its start   ready TAB NAME [TAB subgroup=S] [TAB reconvergence=no]
//   it gets                JOB TAB FIELD TAB FIELD ...
//   it answers             JOB TAB STATUS [TAB TEXT]     STATUS as a command's exit status
#ifndef TF_RUNNERS_SERVER_H
#define TF_RUNNERS_SERVER_H

#include "command.h"

enum {
    SERVER_LINE = 4096, // bytes of an answer
    SERVER_JOBS = 256,  // then a fresh one takes its place
};

struct server {
    char *const *words;
    char folder[200];           // its TMPDIR; what goes in and out lies there too
    double seconds;             // that a job may take
    size_t memory;              // bytes that it may have resident
    char name[200];             // what it says that it is
    uint32_t subgroup;          // the one size of subgroups that it has; 0: any
    bool without_reconvergence; // it says that it does not promise it
    // ---- server.c's own
    pid_t pid; // 0: none
    int to, from, said_fd;
    uint32_t job;    // the number of the last one
    uint32_t served; // by this process
    char line[SERVER_LINE];
    size_t line_n;
    struct said said;
};

// `plan` of the backends whose options are a server's command.
bool server_plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e);
// Sets what it has said of itself in *info: name, size of subgroups, promise.
void server_info(const struct server *s, struct run_info *info);
// Makes its folder and starts it: what cannot be started is told here. `words` must stay.
bool server_open(struct server *s, char *const *words, const struct run_options *o, struct err *e);
void server_close(struct server *s);
// A path in its folder for this ending, new for every job. What was there under the last job's
// number is removed.
const char *server_path(const struct server *s, struct arena *a, const char *ending);
// Has it the size that a case names? Else RUN_SKIPPED.
bool server_has_size(const struct server *s, const struct spv_case *c, struct run_result *r);
// Asks for one job and waits. `fields`: with tabs between them, of the paths above. r->status and
// r->text as of command_run; the time that it took is added to *r. It is started anew after a
// crash, a timeout, SERVER_JOBS jobs, when it has half of its memory, and when it does not keep to
// the contract, which is RUN_FAILED: nobody knows then what it answered for.
void server_ask(struct server *s, const char *fields, struct run_result *r);
// A job of a compiler: a file of these bytes goes in, a SPIR-V module comes out. `ending` is the
// file's; `more`: further fields, "" or each with a tab before it.
void server_compile(struct server *s, struct arena *a, const void *data, size_t size,
                    const char *ending, const char *more, struct run_result *r);

// The server of servers/naga.rs, and whether it is here; else one line.
const char *naga_program(struct arena *a);
bool naga_there(struct arena *a, const struct run_stage *s, struct err *e);

#endif
