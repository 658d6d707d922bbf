// SPDX-License-Identifier: Apache-2.0
//
// The interface between a backend and this room. Private to runners/.
//
// A backend has two sides. The supervisor's side reads the target spec and decides how to start the
// worker process; it never touches the system under test. The worker's side opens the system under
// test and runs jobs on it. It may crash while doing so.
#ifndef TF_RUNNERS_BACKEND_H
#define TF_RUNNERS_BACKEND_H

#include "runners.h"

// How a worker's process is started.
struct run_plan {
    const char **env; // "KEY=VALUE", added to the supervisor's environment; later ones win
    uint32_t env_count;
    const char **prefix; // command-line words before the program's name, usually none
    uint32_t prefix_count;
    bool contained; // the prefix's program starts the worker and remains its parent (contain.h)
};

struct wire_buf;

// One job as the worker receives it: all cases share `words`.
struct run_job {
    const struct spv_case *cases;
    uint32_t n;        // 1 .. RUN_JOB_CASES
    uint32_t subgroup; // as in run_submit
};

// Time inside the system under test, in seconds: wall-clock and CPU.
struct run_time {
    double wall, cpu;
};
struct run_time run_time_now(void);
struct run_time run_time_since(struct run_time start);
void run_time_add(struct run_result *r, struct run_time t);

// Receives a backend's results.
struct run_sink {
    // Called once for each case, in order, as soon as its result is known. *r is not kept.
    void (*result)(struct run_sink *sink, const struct run_result *r);
    struct run_time late; // time in the driver after the last result (cleanup)
};

struct run_backend {
    // ---- supervisor's side; `s` is the target: one stage, except for a chain

    // Checks the options and fills the plan. False with a line in `e` that names the wrong option
    // and lists the valid ones.
    bool (*plan)(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e);
    // Target specs that a worker opens to list their devices (run_list). NULL, with `list`: the
    // target always exists.
    uint32_t (*places)(struct arena *a, const char ***specs);

    // ---- worker's side

    // Does slow loading in advance, without opening the system under test. `open` is called later,
    // in a fork of this process. Starts no thread. False if loading fails. NULL: nothing is slow to
    // load.
    bool (*load)(const struct run_options *o);
    // Opens the system under test. Returns its state and fills `info`. NULL with one line in `e`.
    void *(*open)(struct arena *a, const struct run_stage *s, const struct run_options *o,
                  struct run_info *info, struct err *e);
    // Runs one job; `a` is reset afterwards. False when the system under test is lost (hang, device
    // loss): then the worker exits, and a new one serves the next job. The results up to the one
    // that reports the loss must be in `sink`.
    bool (*run)(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink);
    void (*close)(void *state);
    // `open` may also run in a fork server, whose forks then use the state (fork_server.h). Saves
    // the time of `open` after a crash; false if that is short.
    bool opens_ahead;
    // Serves the supervisor's connection by itself, by a device program, in place of open, run and
    // close: bytes already read from it are in `in`. Returns the exit status. NULL: it does not.
    int (*serve)(int fd, const struct wire_buf *in, struct arena *a, const struct run_stage *s,
                 const struct run_options *o);
    // Lists what one of `places` offers: rows for run_list. `spec` is the text of `s`. NULL: the
    // target is opened to list it.
    uint32_t (*list)(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out);
};

// The row in the table of kinds; NULL: no kind has that name.
const struct run_kind *kind_find(const char *name);
// The backend that opens a target. NULL with a line that lists the kinds.
const struct run_backend *stage_backend(const struct run_stage *s, struct err *e);

// Copies text as one line: newlines become " / ", other control bytes spaces. Keeps the end if the
// text does not fit.
void one_line(char *out, size_t size, const char *text, size_t n);

// Fills what a compiler's modules may use: all features of the generator except those that its row
// excludes.
void compiler_info(struct run_info *info, const struct run_stage *s, const char *name,
                   const char *version);
// One row for run_list, for a compiler that is installed.
uint32_t list_compiler(struct arena *a, const char *spec, const struct run_stage *s,
                       const char *name, const char *version, struct run_listed **out);
// For `places`: the target itself.
uint32_t one_place(struct arena *a, const char *spec, const char ***specs);

// Records a failure before the system under test ran: the status, and the error's text.
void result_set(struct run_result *r, enum run_status status, const struct err *e);
// The first line of a tool's file `version`; "of unknown version" if it has no such file.
const char *version_read(struct arena *a, const char *path);
// Reports one result for all cases of a job (they share the module). False after a hang: the worker
// must exit.
bool result_all(const struct run_job *job, struct run_sink *sink, struct run_result *r);
// Reads a module that a command wrote. False, with the result filled, if it is not a module.
bool module_read(struct arena *a, const char *path, struct run_result *r);

// Returns how many passes `spirv-opt:random` runs on a module; *out: their options.
size_t opt_random(struct arena *a, const uint32_t *words, size_t count, const char ***out);

// The folder of drivers from scripts/drivers.sh: TANGLEFUZZ_DRIVERS, else share/tanglefuzz/drivers
// of the installation prefix, else the build's. NULL if the build names none.
const char *drivers_dir(struct arena *a);
// A file in a driver's folder: it is an OpenCL driver, for target `opencl` only.
#define OPENCL_MARK "opencl"

extern const struct run_backend chain_backend, vk_backend, vk_far_backend;
// True if a stage of kind `vulkan` names a driver of another architecture, for vk_far_backend.
bool vk_is_far(const struct run_stage *s);

// Names a Vulkan loader to use on a machine without libvulkan.so.1.
#define VK_LOADER_VARIABLE "TANGLEFUZZ_VULKAN_LOADER"

// The target that run_own_add registered; NULL: none.
extern const struct run_own *own_target;

#endif
