// SPDX-License-Identifier: Apache-2.0
//
// A command that keeps running: started once, then one line per job on its standard input and one
// line per answer on its standard output. Private to runners/. docs/protocol.md is the contract for
// authors of commands.
//
//   it prints at its start   ready TAB NAME [TAB subgroup=S] [TAB reconvergence=no]
//   it reads                 JOB TAB FIELD TAB FIELD ...
//   it answers               JOB TAB STATUS [TAB TEXT]     STATUS like a command's exit status
#ifndef TF_RUNNERS_SERVER_H
#define TF_RUNNERS_SERVER_H

#include "command.h"

enum {
    SERVER_LINE = 4096, // maximum bytes of an answer
    SERVER_JOBS = 256,  // number of jobs until it is restarted
};

struct server {
    char *const *words;
    char folder[200];           // its TMPDIR; input and output files lie there too
    double seconds;             // time limit of a job
    size_t memory;              // limit of resident memory in bytes
    char name[200];             // the name that it reports
    uint32_t subgroup;          // its only subgroup size; 0: any
    bool without_reconvergence; // it reports that it does not guarantee reconvergence
    // ---- private to server.c
    pid_t pid; // 0: none
    int to, from, output_fd;
    uint32_t job;    // number of the last job
    uint32_t served; // jobs served by this process
    char line[SERVER_LINE];
    size_t line_n;
    struct output output;
};

// `plan` for backends whose options are the command of a server.
bool server_plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e);
// Copies what the server reported to *info: name, subgroup size, reconvergence.
void server_info(const struct server *s, struct run_info *info);
// Creates its folder and starts it. False with a line if it cannot be started. `words` must stay
// valid.
bool server_open(struct server *s, char *const *words, const struct run_options *o, struct err *e);
void server_close(struct server *s);
// Returns a path in its folder with this ending, new for every job. Removes the file of the last
// job.
const char *server_path(const struct server *s, struct arena *a, const char *ending);
// True if the server has the case's subgroup size. Else RUN_SKIPPED.
bool server_has_size(const struct server *s, const struct spv_case *c, struct run_result *r);
// Sends one job and waits for the answer. `fields`: separated by tabs, for instance paths from
// server_path. Sets r->status and r->text as command_run does and adds the time to *r. The server
// is restarted after a crash, a timeout, SERVER_JOBS jobs, when it uses half of its memory limit,
// and when it breaks the contract. A broken contract is RUN_FAILED: the answer could belong to any
// job.
void server_ask(struct server *s, const char *fields, struct run_result *r);
// Runs a compiler job: a file with these bytes is the input, a SPIR-V module the output. `ending`:
// the file's; `more`: further fields, "" or each preceded by a tab.
void server_compile(struct server *s, struct arena *a, const void *data, size_t size,
                    const char *ending, const char *more, struct run_result *r);

// The program of servers/naga.rs; naga_there: false with one line if it is not installed.
const char *naga_program(struct arena *a);
bool naga_there(struct arena *a, const struct run_stage *s, struct err *e);

#endif
