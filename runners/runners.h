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

struct run_result {
    enum run_status status;
    char text[600]; // one line: what happened, in the subject's own words where it has any
    struct spv_memory *memory; // one a buffer of the case, in its order; masks are NULL
    uint32_t memory_count;
    // What a compiler made of the module, when run_info.compiler; NULL from a device.
    const uint32_t *words;
    size_t word_count;
    // What the driver made of the shader, in its own words (intermediate code, machine code),
    // when run_options.driver_text asked for it and the driver tells; else NULL.
    const char *driver_text;
    double driver_seconds; // wall time inside the driver's calls for this case
    double driver_cpu;     // the same, processor time of all its threads and commands
    bool outside;          // RUN_CRASHED, but somebody else sent the worker SIGKILL
};

// ---- what a subject is -----------------------------------------------------

enum { RUN_SIZES = 8 }; // subgroup sizes 1, 2, 4 ... 128 as bits of a mask

struct run_info {
    bool compiler;    // answers with a module, not with memory; what follows tells what its
                      // modules may use
    bool compile_only; // answers RUN_COMPILED, never with memory
    char device[256]; // VkPhysicalDeviceProperties.deviceName
    char driver[256]; // driverName and driverInfo
    uint32_t vendor_id, device_id, driver_version, api_version;
    uint32_t subgroup_size;                    // the usual one
    uint32_t subgroup_min, subgroup_max;       // equal to it where sizes cannot be required
    bool size_control, full_subgroups;         // for compute
    char without[240]; // features of the generator that its language has no words for, and that
                       // nothing else here tells; by name, with commas
    bool tells;      // says what it made of a shader, when run_options.driver_text asks
    bool maximal_reconvergence;                // VK_KHR_shader_maximal_reconvergence, feature on
    bool subgroup_uniform;                     // VK_KHR_shader_subgroup_uniform_control_flow
    uint32_t subgroup_ops;                     // VkSubgroupFeatureFlags, for the compute stage
    bool int8, int16, int64, float16, float64; // arithmetic on them
    bool extended_types;                       // group operations on them too
    bool rotate, quad_control, vulkan_memory_model;
    uint32_t max_invocations, max_size[3], max_groups[3];
    uint32_t spirv_version; // highest SPIR-V version the device takes, 0x00010600
};

// Does it run programs with this feature of the generator? By name, as in `without`; what is not
// known here needs nothing (offers.c).
bool run_offers(const struct run_info *i, const char *feature);

// ---- targets -----------------------------------------------------------------

// One backend: how a kind of target is opened and what it answers to. The rows
// are in runners/backends.c.
struct run_backend;
struct run_target;

struct run_options {
    bool validate;        // Vulkan: the validation layers; a message makes the case RUN_REJECTED
    double fence_seconds; // timeout of one dispatch or command; 0: 10, or a sixth of the
                          // job's where that is more
    double job_seconds;   // timeout of a whole job, compilation included; 0: 60
    uint32_t memory_mib;  // that a worker may take; 0: 4096
    bool driver_text;     // ask the driver for its code; slower, and perhaps another compilation
};

// Opens a target; for a Vulkan device its worker is started and the device made.
// `self` is the program that can be run as a worker (argv: self "worker"). NULL
// with one clear line: unknown backend or option (and which there are), missing
// ICD or loader, no such device, a device without subgroups, ...
struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e);
void run_close(struct run_target *t);
const char *run_spec(const struct run_target *t); // as given
// The target text that does with this case what `spec` does, and goes on doing it when the case is
// changed: `spirv-opt:random` draws its passes from the module, here they are spelled out.
const char *run_pinned(struct arena *a, const char *spec, const struct spv_case *c);
const struct run_info *run_info(const struct run_target *t);
// Workers that were started so far, and of those that took the place of one that had grown
// over half of its memory between two jobs.
uint32_t run_starts(const struct run_target *t, uint32_t *recycled);
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
enum { RUN_DRIVER_TEXT = 1 << 20 }; // bytes of driver_text at most; the rest is cut off
// Submit one case and wait for it.
void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out);

// The worker's end: serves jobs from file descriptor `fd` until it is closed.
// Called by the hidden command `tanglefuzz worker`; returns the exit status.
int run_worker_main(int fd);

// ---- what is here ------------------------------------------------------------

// For `targets` and `doctor`: every backend with its options, every driver
// folder that set-up made, every physical device they show (asked in a child).
struct run_listed {
    char spec[512]; // a target text that opens it
    bool usable;
    struct run_info info; // when usable
    char why[512];        // when not: one line
};
uint32_t run_list(struct arena *a, const char *self, struct run_listed **out);
struct run_backend_row {
    const char *name, *syntax, *summary; // one line each
};
uint32_t run_backends(const struct run_backend_row **out);

// A subject that is part of the program itself, such as the wrong compilers that we
// measure ourselves with. It is served by a worker like any other.
struct run_own {
    struct run_backend_row row;
    // Reads the target text after "name:". False with a line that says what there is;
    // *compiler: it answers with modules (run_info.compiler).
    bool (*open)(const char *options, bool *compiler, struct err *e);
    // Answers one case, of the subgroup size `subgroup`: status, text, and memory or words, in `a`.
    void (*answer)(const char *options, struct arena *a, const struct spv_case *c,
                   uint32_t subgroup, struct run_result *out);
};
// Makes it known, at the start of the program and of its workers, before anything else
// here is called. At most one; *own must stay.
void run_own_add(const struct run_own *own);

#endif
