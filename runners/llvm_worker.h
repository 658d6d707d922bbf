// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of the `llvm` targets. Private to runners/.
//
//   llvm_backend.c  options, the private root, jobs
//   llvm_verdict.c  classifies a failed job and names the pass at fault
//   llvm_parent.c   the parent of a forked child: passes jobs, waits, reaps
//   llvm_child.c    libLLVM through its C API: parse, verify, passes, back end
//   llvm_pipeline.c the text of a pipeline
//   llvm_pages.c    libLLVM's code in large pages
//   llvm_planted.c  injected wrong passes
//   llvm_machine.c  back ends other than SPIR-V
//   llvm_dump.c     a module as words, for the executor in backends/llir/
#ifndef TF_RUNNERS_LLVM_H
#define TF_RUNNERS_LLVM_H

#include "backend.h"

#include "printers/printers.h"

#include <sys/types.h>

// How far a child got with a job, and its results. Lies in memory shared by parent and child, so it
// survives a crash.
enum llvm_stage {
    LLVM_START,
    LLVM_PARSE,        // the LLVM IR text
    LLVM_VERIFY_INPUT, // it must be valid before any pass
    LLVM_PASSES,
    LLVM_VERIFY_OUTPUT,
    LLVM_BACK_END,
    LLVM_DONE,
};
struct llvm_job {
    unsigned level; // of the back end, 0 .. 3
    uint32_t limit; // maximum number of passes to run, as -opt-bisect-limit counts; UINT32_MAX: all
    bool no_passes; // the text has already been through the passes
    bool verify_each;         // verify after every pass; broken IR is a fatal error
    bool until_verified;      // no back end: LLVM_DONE means that the IR is valid
    bool keep_text;           // the resulting IR replaces the text
    char triple[40], cpu[24]; // target of a back end other than SPIR-V; "": SPIR-V
    bool wide;                // AMD: waves of 64 lanes
    bool assembly;            // that back end prints assembly: `words` holds `count` bytes of text
    bool judge_ir;            // no back end: the words are the IR itself (backends/llir/llir.h)
    bool brief;               // report only the message of a fatal error, no frames
};

enum { LLVM_PASSES_TEXT = 2048, LLVM_OUTPUT = 4096, LLVM_WORDS = 1 << 21, LLVM_TEXT = 1 << 24 };
struct llvm_shared {
    // Input.
    struct llvm_job job;
    char passes[LLVM_PASSES_TEXT]; // "": none
    uint32_t size;
    char text[LLVM_TEXT];
    // Output.
    volatile enum llvm_stage stage;
    volatile bool failed; // the stage failed, with its reason in the next field
    char why[LLVM_OUTPUT];
    uint32_t count;
    uint32_t words[LLVM_WORDS];
};

// ---- the parent's view (llvm_parent.c)

struct llvm_process {
    pid_t pid; // 0: none
    int sock;
    uint32_t jobs; // number of jobs done
};
struct llvm_parent {
    double seconds;
    struct llvm_shared *shared;
    int log; // an unnamed file that receives the child's standard error
    struct llvm_process child;
    uint32_t good; // number of jobs completed without a crash
};
bool llvm_parent_open(struct llvm_parent *p, struct err *e);
void llvm_parent_close(struct llvm_parent *p);
// Stores a text and a pipeline ("": none) for the next jobs. False if either is too long.
bool llvm_put(struct llvm_parent *p, const char *text, size_t size, const char *passes);
// Runs one job. `alone`: in a child of its own, while the other one waits. RUN_OK: the result is in
// p->shared. RUN_CRASHED: the child died with *status.
enum run_status llvm_run(struct llvm_parent *p, const struct llvm_job *job, bool alone,
                         int *status);
// The standard error of the last job; "" if it is empty.
char *llvm_output(const struct llvm_parent *p, struct arena *a);

// ---- the child (llvm_child.c)

// Loads libLLVM and initializes its SPIR-V target, once per process. False with one line in `e`.
bool llvm_load(const char *library, struct err *e);
const char *llvm_version(void);
// Sets options of LLVM's command line (`llc -help-hidden`) in this process and its later children.
// LLVM's C API ignores an option that it does not know.
enum { LLVM_FLAGS = 8 };
void llvm_flags(const char *const *flag, uint32_t n);
// Puts libLLVM's code into large pages (llvm_pages.c), once per process.
void llvm_large_pages(void);
// Runs the job in `shared`. LLVM may end the process.
void llvm_do(struct llvm_shared *shared);
// The child's main loop: for each byte read from `sock`, runs the job in `shared` and answers with
// a byte. Never returns. After a crash it prints its top frames on standard error.
TF_NORETURN void llvm_child(struct llvm_shared *shared, int sock);

// ---- pipelines (llvm_pipeline.c)

// `passes=random`: one to eight passes, drawn with the module as seed.
const char *llvm_random(struct arena *a, const uint32_t *words, size_t count);

// Looks up functions in a library and stores each in the pointer at `at`. False if one is missing.
struct llvm_symbol {
    const char *name;
    void *at;
};
bool llvm_symbols(void *so, const struct llvm_symbol *rows, size_t n); // llvm_dump.c

// ---- injected wrong passes (llvm_planted.c)

bool llvm_planted_load(void *so); // once, in llvm_load
bool llvm_is_planted(const char *name, size_t n);
void llvm_planted_run(const char *name, size_t n, void *context, void *module);

// ---- other back ends (llvm_machine.c)

// Fills the job's target for `cpu` ("": SPIR-V) and the language to print for it: `bare` without
// tokens. `text`: assembly instead of an object file. False with a list of the CPUs.
bool llvm_machine(const char *cpu, bool bare, bool text, struct llvm_job *job,
                  enum print_language *language, struct err *e);
bool llvm_machine_load(const char *library, const char *cpu, struct err *e); // after llvm_load

// ---- the backend's state, and failed jobs (llvm_verdict.c)

enum { FAULTY = 8 };
struct llvm {
    struct llvm_job job;
    struct llvm_parent parent;
    const char *passes;
    const char *code; // isa:llvm: assembly to run in place of LLVM's; NULL: none. First its path
    const char *flag[LLVM_FLAGS]; // options of LLVM's command line
    uint32_t flags;
    bool random;       // passes are drawn from each module
    uint32_t version;  // of the private root
    bool alone;        // each case runs in its own child
    bool optsize;      // functions get the attribute optsize
    bool bare;         // no convergence tokens
    bool compile_only; // check:llvm
    bool isa;          // isa:llvm: the executor in backends/isa/ runs the assembly
    int gen;           // enum amd_gen, for isa:llvm
    uint32_t wave;     // lanes of a wave
    bool with_text;    // run_options.driver_text requested the assembly
    enum print_language language;
    // Recent texts with the pass that broke their IR, so that a rerun need not bisect again.
    struct {
        uint64_t text; // hash
        char pass[120];
    } blamed[FAULTY];
    unsigned blames;
    char last_pass[160]; // with limit=N: the last pass and the IR unit it ran on
};

const char *llvm_stage_name(const struct llvm_shared *shared);
// Finds the line `BISECT: running pass (N) NAME on ...` of pass N; UINT32_MAX: the last one.
// Returns its N, and NAME unless size is 0. *on: the rest of the output from the IR unit on.
uint32_t llvm_bisect_line(char *text, uint32_t n, char *name, size_t size, const char **on);
// Describes how a child died, in one line without addresses, so that equal faults have equal lines.
void llvm_fatal_line(struct llvm *l, struct arena *a, int status, char *out, size_t size);
// Fills status and text after a stage failed.
void llvm_job_refused(struct llvm *l, struct arena *a, struct run_result *r);

// ---- a module as words (llvm_dump.c)

bool llvm_dump_load(void *so); // once, in llvm_load
// False if the words do not fit into `room`.
bool llvm_dump(void *module, uint32_t *words, uint32_t room, uint32_t *count);

#endif
