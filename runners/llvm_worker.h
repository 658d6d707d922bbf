// SPDX-License-Identifier: Apache-2.0
//
// The rows `llvm`: what its two files share. Private to runners/.
//
//   llvm_backend.c  options, the private root, jobs
//   llvm_verdict.c  what a failed job comes to, and the pass to blame
//   llvm_parent.c   a forked child at work: hand over, wait, bury
//   llvm_child.c    libLLVM through its C API: parse, verify, passes, back end
//   llvm_pipeline.c the text of a pipeline
//   llvm_pages.c    libLLVM's code in large pages
//   llvm_planted.c  a wrong pass of our own
//   llvm_machine.c  back ends that compile and no more
//   llvm_dump.c     a module as words, for the machine of backends/llir/
#ifndef TF_RUNNERS_LLVM_H
#define TF_RUNNERS_LLVM_H

#include "backend.h"

#include "printers/printers.h"

#include <sys/types.h>

// How far a child came, and what it left there. Lies in memory that parent and child
// share, so that it is known after a crash.
enum llvm_stage {
    LLVM_START,
    LLVM_PARSE,        // our text
    LLVM_VERIFY_INPUT, // it is to be valid before any pass
    LLVM_PASSES,
    LLVM_VERIFY_OUTPUT,
    LLVM_BACK_END,
    LLVM_DONE,
};
struct llvm_job {
    unsigned level;           // of the back end, 0 .. 3
    uint32_t limit;           // passes to run at most, as -opt-bisect-limit counts; UINT32_MAX: all
    bool no_passes;           // the text has been through them
    bool verify_each;         // after every pass, one that breaks the IR is a fatal error
    bool until_verified;      // no back end: LLVM_DONE means that the IR is valid
    bool keep_text;           // and the IR replaces the text
    char triple[40], cpu[24]; // of another back end than SPIR-V's; ""
    bool assembly;            // of it: the answer is text, in `words` as bytes (`count` of them)
    bool judge_ir;            // no back end: the words are the IR itself (backends/llir/llir.h)
    bool brief;               // of a fatal error the message alone, no frames
};

enum { LLVM_PASSES_TEXT = 2048, LLVM_SAID = 4096, LLVM_WORDS = 1 << 21, LLVM_TEXT = 1 << 24 };
struct llvm_shared {
    // What to do.
    struct llvm_job job;
    char passes[LLVM_PASSES_TEXT]; // "" for none
    uint32_t size;
    char text[LLVM_TEXT];
    // What came of it.
    volatile enum llvm_stage stage;
    volatile bool failed; // the stage said no; `said` has why
    char said[LLVM_SAID];
    uint32_t count;
    uint32_t words[LLVM_WORDS];
};

// ---- the parent's view (llvm_parent.c)

struct llvm_process {
    pid_t pid; // 0: none
    int sock;
    uint32_t jobs; // that it has done
};
struct llvm_parent {
    double seconds;
    struct llvm_shared *shared;
    int said; // a file without a name: what a child writes to its standard error
    struct llvm_process child;
    uint32_t good; // jobs that it got through
};
bool llvm_parent_open(struct llvm_parent *p, struct err *e);
void llvm_parent_close(struct llvm_parent *p);
// Puts a text and a pipeline ("" for none) where the next jobs find them. False when one is too
// long.
bool llvm_put(struct llvm_parent *p, const char *text, size_t size, const char *passes);
// Does one job on it. `alone`: in a child that does nothing else; the other one waits. RUN_OK:
// p->shared says what came of it. RUN_CRASHED: the child died, *status says how.
enum run_status llvm_run(struct llvm_parent *p, const struct llvm_job *job, bool alone,
                         int *status);
// What the last job wrote to its standard error, "" when nothing.
char *llvm_said(const struct llvm_parent *p, struct arena *a);

// ---- the child (llvm_child.c)

// Loads libLLVM and makes its SPIR-V target ready; once a process. False with one line.
bool llvm_load(const char *library, struct err *e);
const char *llvm_version(void);
// Puts libLLVM's code into large pages (llvm_pages.c); once a process.
void llvm_large_pages(void);
// Does the job that lies in `shared`. LLVM may end the process.
void llvm_do(struct llvm_shared *shared);
// The child: does the jobs that lie in `shared`, each when a byte comes from `sock`, and
// answers with a byte; never returns. A crash tells its top frames on standard error.
TF_NORETURN void llvm_child(struct llvm_shared *shared, int sock);

// ---- pipelines (llvm_pipeline.c)

// `passes=random`: one to eight passes, drawn from the module itself.
const char *llvm_random(struct arena *a, const uint32_t *words, size_t count);

// Functions of a library: each goes to the pointer at `at`. False when one is missing.
struct llvm_symbol {
    const char *name;
    void *at;
};
bool llvm_symbols(void *so, const struct llvm_symbol *rows, size_t n); // llvm_dump.c

// ---- the wrong pass (llvm_planted.c)

bool llvm_planted_load(void *so); // once, in llvm_load
bool llvm_is_planted(const char *name, size_t n);
void llvm_planted_run(void *context, void *module);

// ---- other back ends (llvm_machine.c)

// Fills what the job says of `cpu` ("": SPIR-V's) and the language that is printed for it. `text`:
// as assembly rather than an object. False with the CPUs that there are.
bool llvm_machine(const char *cpu, bool text, struct llvm_job *job, enum print_language *language,
                  struct err *e);
bool llvm_machine_load(const char *library, const char *cpu, struct err *e); // behind llvm_load

// ---- the backend's state, and what a failed job comes to (llvm_verdict.c)

enum { BLAMED = 8 };
struct llvm {
    struct llvm_job job;
    struct llvm_parent parent;
    const char *passes;
    bool random;       // they are drawn from each module
    uint32_t version;  // of the private root
    bool alone;        // each case in a child of its own
    bool optsize;      // functions have the attribute
    bool compile_only; // check:llvm
    bool isa;          // isa:llvm: the machine of backends/isa/ runs the assembly,
    int gen;           // an enum amd_gen
    bool tells;        // and its assembly is asked for
    enum print_language language;
    // Which pass broke the IR was asked for these texts lately: a re-run need not ask again.
    struct {
        uint64_t text; // hash
        char pass[120];
    } blamed[BLAMED];
    unsigned blames;
    char last_pass[160]; // with limit=N: its name and what it ran on
};

const char *llvm_stage_name(const struct llvm_shared *shared);
// The line `BISECT: running pass (N) NAME on ...` of pass N, the last one for UINT32_MAX: N, and
// NAME unless size is 0. *on: what it ran on, up to the end of all that was said.
uint32_t llvm_bisect_line(char *said, uint32_t n, char *name, size_t size, const char **on);
// How a child died, as one line without what differs between cases of one fault: addresses.
void llvm_fatal_line(struct llvm *l, struct arena *a, int status, char *out, size_t size);
// A stage said no: the status and its text.
void llvm_job_refused(struct llvm *l, struct arena *a, struct run_result *r);

// ---- a module as words (llvm_dump.c)

bool llvm_dump_load(void *so); // once, in llvm_load
// False when there is not enough room.
bool llvm_dump(void *module, uint32_t *words, uint32_t room, uint32_t *count);

#endif
