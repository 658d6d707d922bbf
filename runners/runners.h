// SPDX-License-Identifier: Apache-2.0
//
// runners: the same case on a real subject -> what it answered.
//
// A *target* is opened from a text ("vulkan:driver=lavapipe,size=8"; the table of
// backends is in docs/targets.md). The subject lives in a worker process: what
// it does to that process (crash, hang, device loss) is a result like any other,
// and the next job finds a fresh worker.
#ifndef TF_RUNNERS_H
#define TF_RUNNERS_H

#include "base/base.h"
#include "spirv/needs.h"
#include "spirv/spirv.h"

// ---- what a subject can do with a case -----------------------------------------

enum run_status {
    RUN_OK,          // it ran; memory holds what it left
    RUN_REJECTED,    // it refused the module or the pipeline
    RUN_CRASHED,     // the worker died of a signal or an unexpected exit
    RUN_HUNG,        // the fence's or the job's timeout ran out
    RUN_DEVICE_LOST, // VK_ERROR_DEVICE_LOST
    RUN_MEMORY,      // the worker took more memory than it may
    RUN_INVALID,     // a stage of a chain made a module that is not valid; the next was not asked
    RUN_COMPILED,    // a target that only compiles took it; there is no memory to look at
    RUN_SKIPPED,     // it does not offer what the case needs; counted, never a finding
    RUN_FAILED,      // the environment: out of memory, the worker cannot be started
    RUN_STATUSES
};
const char *run_status_name(enum run_status s);

// What an answer holds.
enum run_form {
    RUN_FORM_NONE,    // nothing to look at: not RUN_OK, or a target that only compiles
    RUN_FORM_MEMORY,  // `memory`, of a device
    RUN_FORM_SPIRV,   // `words`: the module that a compiler made
    RUN_FORM_LLVM_IR, // `words`: its intermediate representation, as backends/llir/llir.h has it
    RUN_FORMS
};

// Where machine code gave a word of memory its value: lines of driver_text, 0 for none.
struct run_origin {
    uint32_t line;     // the last operation on its way that looks at other lanes, or at who is on
    uint32_t store;    // the store
    uint32_t lanes[2]; // of the wave that were on at `line`, a bit each
};

enum { RUN_OTHERS = 16 }; // more memories than the first one

struct run_result {
    enum run_status status;
    char text[600]; // one line: what happened, in the subject's own words where it has any
    const char
        *said; // what it printed, where it did not come to an end: the last RUN_SAID bytes; NULL
    enum run_form form;
    struct spv_memory *memory; // one a buffer of the case, in its order; masks are NULL
    uint32_t memory_count;
    // Of machine code run here by several schedules, where these do not leave the same: what the
    // others left, `others` memories of memory_count buffers one after the other.
    struct spv_memory *other;
    uint32_t others;
    const uint32_t *words;
    size_t word_count;
    // What the driver made of the shader, in its own words (intermediate code, machine code),
    // when run_options.driver_text asked for it and the driver tells; else NULL.
    const char *driver_text;
    // [buffer][word], beside driver_text of a target whose machine code is run here; else NULL.
    const struct run_origin **origin;
    // The line of that machine code that uses a register for which a load is under way, and memory
    // as it is where all loads are done at once; 0 and NULL: there is none, or memory is the same.
    uint32_t early_line;
    struct spv_memory *prompt;
    // Of intermediate code run here: the first line whose value it calls the same for all lanes,
    // and was not; 0: none.
    uint32_t uneven_line;
    double driver_seconds; // wall time inside the driver's calls for this case
    double driver_cpu;     // the same, processor time of all its threads and commands
    bool outside;          // RUN_CRASHED, but another process sent the worker SIGKILL
    bool ended;            // the worker ended with this case: the next one has a fresh worker
    uint64_t crash_site;   // RUN_CRASHED: a hash of the functions that it died in, the same for the
                           // same build of the subject; 0: not known
    bool behind_passes;    // RUN_CRASHED: a compiler whose passes had come to their end
    bool maps_lanes;       // the subject chose which invocation is which lane
};

// ---- what a subject is -----------------------------------------------------

enum { RUN_SIZES = 8 }; // subgroup sizes 1, 2, 4 ... 128 as bits of a mask

struct run_info {
    enum run_form form; // of its answers; of a compiler what follows tells what modules may use
    char device[256];   // VkPhysicalDeviceProperties.deviceName
    char driver[256];   // driverName and driverInfo
    uint32_t vendor_id, device_id, driver_version, api_version;
    uint32_t subgroup_size;              // the usual one
    uint32_t subgroup_min, subgroup_max; // equal to it where sizes cannot be required
    spv_needs offers;                    // all that its modules may need; nothing else says it
    bool tells; // says what it made of a shader, when run_options.driver_text asks
    uint32_t max_invocations, max_size[3], max_groups[3];
    uint32_t spirv_version; // highest SPIR-V version the device takes, 0x00010600
};

static inline bool run_is_compiler(const struct run_info *i)
{
    return i->form == RUN_FORM_SPIRV || i->form == RUN_FORM_LLVM_IR;
}
static inline bool run_only_compiles(const struct run_info *i)
{
    return i->form == RUN_FORM_NONE;
}
// Does it offer all of them?
static inline bool run_offers(const struct run_info *i, spv_needs needs)
{
    return !(needs & ~i->offers);
}

// ---- kinds of targets -----------------------------------------------------------

// How the options of a kind are written.
enum run_syntax {
    RUN_SYNTAX_LIST,     // WORD or KEY=VALUE, with commas between them; "\," is a comma of a value
    RUN_SYNTAX_PIPELINE, // the same, but commas within () and <> separate nothing, and words go on
                         // with the value of `passes`, once it has been given
    RUN_SYNTAX_COMMAND,  // words with blanks between them; '...' and "..." hold together
};
// Who is to blame for what a target does.
enum run_subject {
    RUN_SUBJECT_KIND,    // the kind's own name
    RUN_SUBJECT_DRIVER,  // the option `driver`, or what run_info.driver begins with
    RUN_SUBJECT_PROGRAM, // the command's first word, without its folder
};
// How a list of passes is taken apart, to find the one at fault.
enum run_passes {
    RUN_PASSES_NONE,
    RUN_PASSES_WORDS,    // each word is a pass
    RUN_PASSES_PIPELINE, // the option `passes` is a pipeline, `limit` stops it
    RUN_PASSES_LIMIT,    // no list, but `limit` stops it
    RUN_PASSES_COMMAND,  // the words of a spirv-opt of any version that begin with '-'
};

// One row of the table of kinds (runners/kinds.c): all that the project knows of a kind.
struct run_backend;
struct run_kind {
    const char *name, *syntax, *summary; // one line each
    const struct run_backend *backend;   // how it is opened and run; NULL: `check` and `isa`
    enum run_form form;                  // of its answers
    enum run_syntax options;
    enum run_subject subject;
    enum run_passes passes;
    bool check;        // may stand after `check:`
    bool isa;          // and after `isa:`
    bool nir;          // and after `isa:nir:`
    bool maps_lanes;   // a device: it chooses which invocation is which lane
    spv_needs without; // what its language cannot express
    // A finding's folder may choose the target to be opened, without being asked about it: options
    // by key that it may have then, "" for words, and the one that it must have, or NULL. None:
    // never.
    const char *replay[9], *replay_must;
};
// The rows that people are shown.
uint32_t run_kinds(const struct run_kind **out);

// ---- target texts, parsed (spec.c) ---------------------------------------------------
//
//   TARGET = STAGE { " | " STAGE }       a chain: each stage gets what the one before it made
//   STAGE  = ["check:" | "isa:" | "isa:nir:"] NAME [":" OPTIONS]

struct run_option {
    const char *key, *value; // key "": a word
};
struct run_stage {
    const struct run_kind *kind; // NULL: there is none of that name
    const char *name;
    bool check; // compiles and runs nothing
    bool isa;   // compiles, and the machine of backends/isa/ runs the code
    bool nir;   // isa too: not machine code but the last intermediate code of a Mesa driver
    struct run_option *option;
    uint32_t count;
    const struct run_stage *next; // of a chain
};
// A target text's first stage. NULL with a line where quotes do not end or a stage is missing; a
// name that is not known is no fault here.
const struct run_stage *run_spec_parse(struct arena *a, const char *text, struct err *e);
// The text of all stages, which parses to the same; of one stage.
const char *run_spec_text(struct arena *a, const struct run_stage *s);
const char *run_stage_text(struct arena *a, const struct run_stage *s);
// Of a target that runs machine code: the target that runs what that was made of, the last
// intermediate code of the same driver. NULL where there is none.
const char *run_stage_before(struct arena *a, const char *spec);
// The value of an option, NULL where it is not given.
const char *run_stage_option(const struct run_stage *s, const char *key);
// A copy with the option set to a value.
struct run_stage *run_stage_with(struct arena *a, const struct run_stage *s, const char *key,
                                 const char *value);
// The driver or compiler that a stage is, in letters that a file's name may have. `driver`:
// run_info.driver; may be NULL.
const char *run_stage_subject(struct arena *a, const struct run_stage *s, const char *driver);
// The subjects of all stages with '+' between them; "check" for one that only compiles. "unknown"
// for what is no target text.
const char *run_family(struct arena *a, const char *spec, const char *driver);
// Whether commands of exec-compiler are contained on this machine (bubblewrap): no files but their
// own are written, no network. False with why not, one line.
bool run_contained(char *why, size_t size);
// Does it start a command of the user's, in any of its stages (exec-...)?
bool run_has_command(const char *spec);
// May a finding's folder choose it? Then it starts nothing but what set-up has brought.
bool run_harmless(const char *spec);
// The next part of a pipeline "a,b(c,d),e" and its length; NULL at the end.
const char *run_pipeline_part(const char **rest, size_t *n);

// ---- targets -----------------------------------------------------------------

struct run_target;

struct run_options {
    bool validate;        // Vulkan: the validation layers; a message makes the case RUN_REJECTED
    double fence_seconds; // timeout of one dispatch or command; 0: 10, or a sixth of the
                          // job's where that is more
    double job_seconds;   // timeout of a whole job, compilation included; 0: 60
    uint32_t memory_mib;  // that a worker may take; 0: 4096
    bool driver_text;     // ask the driver for its code; slower, and perhaps another compilation
    bool debugger;        // workers run in gdb, which prints a backtrace when they die
};

// Opens a target; for a Vulkan device its worker is started and the device made.
// `self` is the program that can be run as a worker (argv: self "worker"). NULL
// with one clear line: unknown kind or option (and which there are), missing
// ICD or loader, no such device, a device without subgroups, ...
struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e);
void run_close(struct run_target *t);
const char *run_spec(const struct run_target *t); // as given
// The target text that does with this case what `spec` does, and goes on doing it when the case is
// changed: `spirv-opt:random` draws its passes from the module, here they are spelled out.
const char *run_pinned(struct arena *a, const char *spec, const struct spv_case *c);
const struct run_info *run_info(const struct run_target *t);
// For a process that ends without closing its targets: kills all their workers and what those have
// started. Takes a quarter of a second at most.
void run_leave(void);
// Forgets the worker at once (after ctrl-C): kill and reap. Jobs that waited are
// dropped; a later submit starts a new worker, also where the target had been given up.
void run_kill(struct run_target *t);

// Hands over one job: n cases that share their words and differ in inputs (the
// module is compiled once); the subgroup size to require, or 0 for the target's
// own (the case's size when it has one). Copies what it needs. At most RUN_QUEUE
// jobs may wait, so that the worker never idles; returns false when full.
enum { RUN_QUEUE = 3, RUN_JOB_CASES = 64 };
bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup);
uint32_t run_pending(const struct run_target *t);
// The file descriptor to poll for reading while jobs are pending; the same for
// the target's whole life. It wakes for results, for a worker that died and for
// one that is over its time. A target belongs to the thread that opened it.
int run_fd(const struct run_target *t);
// Takes what has come. Returns the number of results (those of the oldest job, n
// of them, in `results`, which lives in `a`), or 0 when it is not done yet.
// Never blocks for longer than `seconds`. A worker that died or went over its
// time gives a result for the job it was at: the case that did it has the
// status, cases that were done before keep their results, the job's others are
// RUN_SKIPPED; jobs that waited behind are run by the next worker.
uint32_t run_take(struct run_target *t, struct arena *a, double seconds,
                  struct run_result **results);
enum { RUN_SAID = 1 << 16 };
enum { RUN_DRIVER_TEXT = 1 << 20 }; // bytes of driver_text at most; the rest is cut off
// Submit one case and wait for it.
void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out);

// The case once more in a worker that runs in gdb: the backtrace of its crash, a frame a line as
// gdb prints them, without arguments. "" where there is no gdb, or nothing crashes. In `a`.
const char *run_backtrace(struct arena *a, const char *spec, const char *self,
                          const struct run_options *o, const struct spv_case *c);

// The worker's end: serves jobs from file descriptor `fd` until it is closed.
// Called by the hidden command `tanglefuzz worker`; returns the exit status.
int run_worker_main(int fd);
// The same of a process that forks workers (fork_server.h): `tanglefuzz worker --fork-server`.
int run_fork_server_main(int fd);

// ---- what is here ------------------------------------------------------------

// For `targets` and `doctor`: every driver folder that set-up made, every physical device they
// show, every compiler that is here (asked in a child).
struct run_listed {
    char spec[512]; // a target text that opens it
    bool usable;
    struct run_info info; // when usable
    char why[512];        // when not: one line
};
uint32_t run_list(struct arena *a, const char *self, struct run_listed **out);

// A subject that is part of the program itself, such as the wrong compilers that we
// measure ourselves with. It is served by a worker like any other.
struct run_own {
    struct run_kind kind; // without `backend`
    // Reads the one word that its options are. False with a line that says what there is; *form: of
    // its answers.
    bool (*open)(const char *word, enum run_form *form, struct err *e);
    // Answers one case, of the subgroup size `subgroup`: status, text, and memory or words, in `a`.
    void (*answer)(const char *word, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                   struct run_result *out);
};
// Makes it known, at the start of the program and of its workers, before anything else
// here is called. At most one; *own must stay.
void run_own_add(const struct run_own *own);

#endif
