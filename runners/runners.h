// SPDX-License-Identifier: Apache-2.0
//
// Runs a case on a target: a driver, a compiler or another system under test.
//
// A *target* is opened from a spec ("vulkan:driver=lavapipe,size=8"; docs/targets.md lists the
// kinds). The system under test runs in a worker process. If it crashes, hangs or loses its device,
// that is a result like any other, and the next job gets a fresh worker.
#ifndef TF_RUNNERS_H
#define TF_RUNNERS_H

#include "base/base.h"
#include "spirv/needs.h"
#include "spirv/spirv.h"

// ---- results of running a case ---------------------------------------------------

enum run_status {
    RUN_OK,          // it ran; `memory` holds the contents afterwards
    RUN_REJECTED,    // it rejected the module or the pipeline
    RUN_CRASHED,     // the worker died of a signal or an unexpected exit
    RUN_HUNG,        // the fence's or the job's timeout ran out
    RUN_DEVICE_LOST, // VK_ERROR_DEVICE_LOST
    RUN_MEMORY,      // the worker exceeded its memory limit
    RUN_INVALID,     // a stage of a chain produced an invalid module; the next stage did not run
    RUN_COMPILED,    // a compile-only target accepted it; no memory is compared
    RUN_SKIPPED,     // it does not support what the case needs; counted, never a finding
    RUN_FAILED,      // the environment: out of memory, the worker cannot be started
    RUN_STATUSES
};
const char *run_status_name(enum run_status s); // "device lost"; "unknown" for other numbers

// The form of a result.
enum run_form {
    RUN_FORM_NONE,    // nothing to compare: not RUN_OK, or a compile-only target
    RUN_FORM_MEMORY,  // `memory`, from a device
    RUN_FORM_SPIRV,   // `words`: the module that a compiler produced
    RUN_FORM_LLVM_IR, // `words`: LLVM IR, as defined in backends/llir/llir.h
    RUN_FORMS
};

// The origin of a memory word in machine code: lines of driver_text, 0 for none.
struct run_origin {
    uint32_t
        line; // the last operation in its history that reads other lanes or the set of active lanes
    uint32_t store;    // the store
    uint32_t lanes[2]; // lanes of the wave that were active at `line`, one bit each
};

enum { RUN_OTHERS = 16 }; // memories in addition to the first

struct run_result {
    enum run_status status;
    char text[600];      // one line: what happened, in the target's own words where possible
    const char *printed; // output of a failed run: the last RUN_OUTPUT bytes; NULL: none
    // RUN_CRASHED on another machine: the stack that its device program reported, as gdb prints
    // it; NULL: none.
    const char *backtrace;
    enum run_form form;
    struct spv_memory *memory; // one per buffer of the case, in order; masks are NULL
    uint32_t memory_count;
    // If machine code run by several schedules leaves different memory: `others` further memories,
    // each of memory_count buffers, one after the other.
    struct spv_memory *other;
    uint32_t others;
    // Not 0: `other` is not of schedules. This line was the first to read a flag that no
    // instruction had set, and the flag held the other value. A line of driver_text, or of the
    // machine code if that is NULL.
    uint32_t unset_line;
    const uint32_t *words;
    size_t word_count;
    // What the driver produced for the shader, as the driver prints it (intermediate code, machine
    // code), if run_options.driver_text requested it and the driver can print it; else NULL.
    const char *driver_text;
    // [buffer][word], only together with driver_text of a target whose machine code is run here;
    // else NULL.
    const struct run_origin **origin;
    // The line of the machine code that uses a register with an outstanding load, and the memory if
    // each load completes at once. 0 and NULL: no such line, or the memory is the same.
    uint32_t early_line;
    struct spv_memory *prompt;
    // For intermediate code run here: the first line whose value is marked uniform but was not; 0:
    // none.
    uint32_t uneven_line;
    double driver_seconds; // wall time in driver calls for this case
    double driver_cpu;     // the same as CPU time of all threads and commands
    bool outside;          // RUN_CRASHED, but another process sent the worker SIGKILL
    bool ended;            // the worker ended with this case; the next case gets a fresh worker
    uint64_t crash_site; // RUN_CRASHED: a hash of the innermost functions; equal for the same build
                         // of the system under test; 0: unknown
    bool after_passes;   // RUN_CRASHED: the compiler had completed its passes
    bool maps_lanes;     // the target chose the mapping of invocations to lanes
};

// ---- properties of a target --------------------------------------------------

struct run_info {
    enum run_form form; // form of its results; for a compiler, the fields below limit the modules
                        // that it is given
    char device[256];   // VkPhysicalDeviceProperties.deviceName
    char driver[256];   // driverName and driverInfo
    uint32_t vendor_id, device_id, driver_version, api_version;
    uint32_t subgroup_size;              // the default
    uint32_t subgroup_min, subgroup_max; // equal to the default if the size cannot be required
    spv_needs offers;     // all that its modules may need; this is the only field that declares it
    bool has_driver_text; // it can print what it produced for a shader (run_options.driver_text)
    uint32_t max_invocations, max_size[3], max_groups[3];
    uint32_t spirv_version; // highest SPIR-V version that the device accepts, 0x00010600
};

static inline bool run_is_compiler(const struct run_info *i)
{
    return i->form == RUN_FORM_SPIRV || i->form == RUN_FORM_LLVM_IR;
}
static inline bool run_only_compiles(const struct run_info *i)
{
    return i->form == RUN_FORM_NONE;
}
// True if it offers all of `needs`.
static inline bool run_offers(const struct run_info *i, spv_needs needs)
{
    return !(needs & ~i->offers);
}

// ---- kinds of targets -----------------------------------------------------------

// The syntax of a kind's options.
enum run_syntax {
    RUN_SYNTAX_LIST,     // WORD or KEY=VALUE, separated by commas; "\," is a comma inside a value
    RUN_SYNTAX_PIPELINE, // the same, but commas inside () and <> do not separate, and once `passes`
                         // is given, further words belong to its value
    RUN_SYNTAX_COMMAND,  // words separated by blanks; '...' and "..." quote
};
// The part of a target that a finding is attributed to.
enum run_attribution {
    RUN_BY_KIND,    // the kind's name
    RUN_BY_DRIVER,  // the option `driver`, or the start of run_info.driver
    RUN_BY_PROGRAM, // the command's first word, without its folder
};
// How to parse a list of passes, in order to find the one at fault.
enum run_passes {
    RUN_PASSES_NONE,
    RUN_PASSES_WORDS,    // each word is a pass
    RUN_PASSES_PIPELINE, // the option `passes` is a pipeline, `limit` stops it
    RUN_PASSES_LIMIT,    // no list, but `limit` stops after N passes
    RUN_PASSES_COMMAND,  // words that begin with '-', for a spirv-opt of any version
};

// One row of the table of kinds (runners/kinds.c): all properties of a kind.
struct run_backend;
struct run_kind {
    const char *name, *syntax, *summary; // one line each
    const struct run_backend *backend;   // opens and runs it; NULL: `check` and `isa`
    enum run_form form;                  // form of its results
    enum run_syntax options;
    enum run_attribution attribution;
    enum run_passes passes;
    bool check;        // allowed after `check:`
    bool isa;          // allowed after `isa:`
    bool nir;          // allowed after `isa:nir:`
    bool maps_lanes;   // a device: it chooses the mapping of invocations to lanes
    bool many_inputs;  // if its results are memory: compiles a module once for all its inputs, and
                       // an input costs little next to that
    spv_needs without; // features that its language cannot express
    // A finding's folder may choose this target without confirmation if it has only these option
    // keys ("": words) and the key `replay_must`, unless that is NULL. Empty: never.
    const char *replay[9], *replay_must;
};
// Returns the number of kinds shown to users, with that of run_own_add last; *out: their rows.
uint32_t run_kinds(const struct run_kind **out);

// ---- target specs, parsed (spec.c) ---------------------------------------------------
//
//   TARGET = STAGE { " | " STAGE }       a chain: each stage gets the module of the one before it
//   STAGE  = ["check:" | "isa:" | "isa:nir:"] NAME [":" OPTIONS]

struct run_option {
    const char *key, *value; // key "": a plain word
};
struct run_stage {
    const struct run_kind *kind; // NULL: no kind has that name
    const char *name;
    bool check; // compiles, runs nothing
    bool isa;   // compiles; the executor in backends/isa/ runs the code
    bool nir;   // with isa: runs the last intermediate code of a Mesa driver instead of its machine
                // code
    struct run_option *option;
    uint32_t count;
    const struct run_stage *next; // the next stage of a chain
};
// Parses a target spec and returns its first stage. NULL with a line in `e` if a quote is not
// closed or a stage is missing. Unknown kinds are not an error here.
const struct run_stage *run_spec_parse(struct arena *a, const char *text, struct err *e);
// Return the spec of all stages, which parses to the same stages; the spec of this stage alone.
const char *run_spec_text(struct arena *a, const struct run_stage *s);
const char *run_stage_text(struct arena *a, const struct run_stage *s);
// Returns the spec of the same target with the driver's last intermediate code run in place of its
// machine code: "isa:vulkan:..." -> "isa:nir:vulkan:...". NULL: not such a target.
const char *run_stage_before(struct arena *a, const char *spec);
// Returns KEY=VALUE with which a driver of Mesa, by the name that option `driver` takes, prints its
// code for a compute shader; NULL: not known, or `driver` is NULL. (vk_dump.c)
const char *run_dump_variable(const char *driver);
// Returns the value of an option; NULL: not given.
const char *run_stage_option(const struct run_stage *s, const char *key);
// Returns a copy of the stage with the option set: replaced if it was given, else added.
struct run_stage *run_stage_with(struct arena *a, const struct run_stage *s, const char *key,
                                 const char *value);
// Returns the name of the driver or compiler of a stage (enum run_attribution), in characters that
// are safe in a file name. `driver`: run_info.driver, used if no option names one; may be NULL.
const char *run_stage_family(struct arena *a, const struct run_stage *s, const char *driver);
// Returns the names (run_stage_family) of all stages joined by '+'; "check" for a stage that only
// compiles. "unknown" if `spec` is not a target spec.
const char *run_family(struct arena *a, const char *spec, const char *driver);
// True if this machine can contain commands of exec-compiler (bubblewrap): they write no files but
// their own, and have no network. False: they run without that; `why` has the reason, one line.
bool run_contained(char *why, size_t size);
// True if any stage starts a command given by the user (exec-...).
bool run_has_command(const char *spec);
// True if a finding's folder may choose the target: each stage has only options in run_kind.replay,
// without a path, so it starts only programs from scripts/drivers.sh and scripts/servers.sh.
bool run_harmless(const char *spec);
// Returns a value for PATH: the tools of scripts/drivers.sh that the target names, then the others,
// LLVM's of scripts/llvm.sh, the folder of a command that the target starts, and this process's
// PATH.
const char *run_path(struct arena *a, const char *spec);
// Returns the next element of a pipeline "a,b(c,d),e" at *rest, and its length; advances *rest.
// NULL at the end.
const char *run_pipeline_part(const char **rest, size_t *n);

// ---- targets -----------------------------------------------------------------

struct run_target;

struct run_options {
    bool validate; // Vulkan: enable the validation layers; a message makes the case RUN_REJECTED
    double fence_seconds; // timeout of one dispatch or command; 0: 10, or a sixth of the job's
                          // timeout if that is more
    double job_seconds;   // timeout of one job, including compilation; 0: 60
    uint32_t memory_mib;  // memory limit of a worker; 0: 4096
    bool driver_text;     // request the driver's code; slower, and may change the compilation
    bool debugger;        // run workers in gdb, which prints a backtrace when they die
};

// Opens a target. For a Vulkan device, starts its worker and creates the device. `self` is the
// program to run as a worker (argv: self "worker"). NULL with one line in `e`: unknown kind or
// option (with the valid ones), missing ICD or loader, no such device, a device without subgroups,
// ...
struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e);
// Ends the worker, within 2 seconds, or at once if jobs wait: these are dropped. NULL: no effect.
void run_close(struct run_target *t);
const char *run_spec(const struct run_target *t); // as given
// Returns a spec that does the same for this case and keeps doing it when the case changes.
// `random` of spirv-opt and llvm draws passes by the module; here they are listed.
const char *run_fixed(struct arena *a, const char *spec, const struct spv_case *c);
const struct run_info *run_info(const struct run_target *t);
// For a process that exits without closing its targets: kills all their workers and the processes
// that these started. Takes at most a quarter of a second.
void run_leave(void);
// Kills and reaps the worker at once (after ctrl-C). Waiting jobs are dropped. A later submit
// starts a new worker, even if the target had been given up.
void run_kill(struct run_target *t);

// Submits one job: n cases (1 .. RUN_JOB_CASES) that share their words and differ in inputs; the
// module is compiled once. `subgroup`: the size to require; 0: the case's or else the target's own.
// Copies its arguments. False if run_queue jobs wait; several may, so that the worker is never
// idle. A job that cannot run is accepted too: run_take reports RUN_SKIPPED or RUN_FAILED.
enum { RUN_QUEUE = 3, RUN_QUEUE_FAR = 12, RUN_JOB_CASES = 64 };
// How many jobs may wait: RUN_QUEUE, or RUN_QUEUE_FAR at the end of a slow link, so that
// the way there costs nothing.
uint32_t run_queue(const struct run_target *t);
bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup);
uint32_t run_pending(const struct run_target *t); // number of jobs submitted and not yet taken
// The file descriptor to poll for reading while jobs are pending; it never changes. It wakes for
// results, for a dead worker and for a worker over its time. A target belongs to the thread that
// opened it.
int run_fd(const struct run_target *t);
// Takes the results of the oldest job: returns n, the number of its cases; *results lives in `a`.
// Returns 0 if no job is pending, or if it is not done within `seconds`. If a worker dies or
// exceeds its time, the case that caused it gets that status, earlier cases keep their results, and
// the job's other cases are RUN_SKIPPED. The next worker runs the waiting jobs.
uint32_t run_take(struct run_target *t, struct arena *a, double seconds,
                  struct run_result **results);
enum { RUN_OUTPUT = 1 << 16 };
enum { RUN_DRIVER_TEXT = 1 << 20 }; // maximum bytes of driver_text; the rest is cut off
enum { RUN_DUMP = 1 << 25 };        // the same for the option `dump`
// Submits one case and waits for its result, in `a`. No job may be pending.
void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out);

// Runs the case again in a worker under gdb and returns the backtrace of its crash: one frame per
// line as gdb prints it, without arguments; FILE@0xOFFSET for a function without a name. "" if gdb
// is not installed, the target cannot be opened or nothing crashes. In `a`.
const char *run_backtrace(struct arena *a, const char *spec, const char *self,
                          const struct run_options *o, const struct spv_case *c);

// Reports whether a line of a program's output names a fatal error as libraries print it: an
// assertion, LLVM ERROR, a panic. Such a crash is known by that line.
bool run_names_error(const char *printed);

// The worker's side: serves jobs from file descriptor `fd` until it is closed. Called by the hidden
// command `tanglefuzz worker`. Returns the exit status: 2 if `fd` is not open.
int run_worker_main(int fd);
// Loads the driver, then forks a worker for each request on `fd` (fork_server.h), until it is
// closed. Called by `tanglefuzz worker --fork-server`. Returns the exit status.
int run_fork_server_main(int fd);

// ---- available targets ---------------------------------------------------------

// One row for `targets` and `doctor`.
struct run_listed {
    char spec[512]; // a target spec that opens it
    bool usable;
    struct run_info info; // when usable
    char why[512];        // if not usable: the reason, one line
};
// Lists every physical device of the drivers from scripts/drivers.sh, and every installed compiler;
// each driver and compiler is queried in a worker of its own, for at most 30 seconds. Returns the
// number of rows. In `a`.
uint32_t run_list(struct arena *a, const char *self, struct run_listed **out);

// A target built into the program, such as the wrong compilers used to measure the fuzzer. A worker
// serves it like any other target.
struct run_own {
    struct run_kind kind; // without `backend`
    // Reads its only option, one word. False with a line that lists the valid words; *form: the
    // form of its results.
    bool (*open)(const char *word, enum run_form *form, struct err *e);
    // Runs one case at subgroup size `subgroup` and fills status, text, and memory or words, in
    // `a`.
    void (*answer)(const char *word, struct arena *a, const struct spv_case *c, uint32_t subgroup,
                   struct run_result *out);
};
// Registers the target; at most one. Call it first in the program and in its workers, before any
// other function of this header. *own must stay valid.
void run_own_add(const struct run_own *own);

// The folder of tools that scripts/drivers.sh downloads; "": unknown.
const char *run_tools(struct arena *a);

#endif
