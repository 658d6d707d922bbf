// SPDX-License-Identifier: Apache-2.0
//
// What a backend gives to this room. Private to runners/.
//
// A backend has two ends. The supervisor's end reads the target text and says
// how the worker's process is to be started; it never touches a subject. The
// worker's end opens the subject, runs jobs on it and may die doing so.
#ifndef TF_RUNNERS_BACKEND_H
#define TF_RUNNERS_BACKEND_H

#include "runners.h"

// How a worker's process is started.
struct run_plan {
    const char **env; // "KEY=VALUE", over the supervisor's own environment; later ones win
    uint32_t env_count;
    const char **prefix; // words before the program's name, mostly none
    uint32_t prefix_count;
    bool contained; // the prefix's program starts the worker, and stays above it (contain.h)
};

// One job as the worker gets it: all cases share `words`.
struct run_job {
    const struct spv_case *cases;
    uint32_t n;        // 1 .. RUN_JOB_CASES
    uint32_t subgroup; // as in run_submit
};

// Time inside the subject, in seconds: on the wall, and of the processors.
struct run_time {
    double wall, cpu;
};
struct run_time run_time_now(void);
struct run_time run_time_since(struct run_time start);
void run_time_add(struct run_result *r, struct run_time t);

// Where a backend puts its answers.
struct run_sink {
    // Once for each case, in order, as soon as it is known; nothing is kept of *r.
    void (*result)(struct run_sink *sink, const struct run_result *r);
    struct run_time late; // driver time after the last result (cleaning up)
};

struct run_backend {
    // ---- supervisor's end; `s` is the target, one stage but for a chain

    // Checks the options and fills the plan. False with a line that says what is
    // wrong and what there is.
    bool (*plan)(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e);
    // Target texts to ask in a worker what they offer (run_list). NULL, with `list`, for
    // what is always here.
    uint32_t (*places)(struct arena *a, const char ***specs);

    // ---- worker's end

    // Loads what takes long to load and keeps it, without opening the subject; `open` comes later,
    // in a fork of this process. Starts no thread. False where that fails. NULL: nothing takes
    // long.
    bool (*load)(const struct run_options *o);
    // Opens the subject; its state and `info`. NULL with one line.
    void *(*open)(struct arena *a, const struct run_stage *s, const struct run_options *o,
                  struct run_info *info, struct err *e);
    // Runs one job; `a` is reset afterwards. False when the subject is lost (hang,
    // device loss): the worker then exits and a new one serves the next job. The
    // results up to the one that says so must have been given.
    bool (*run)(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink);
    void (*close)(void *state);
    // What one of `places` offers: rows for run_list. `spec` is the text of `s`.
    uint32_t (*list)(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out);
};

// The row of the table of kinds; NULL for none of that name.
const struct run_kind *kind_find(const char *name);
// What opens a target. NULL with a line that lists the kinds.
const struct run_backend *stage_backend(const struct run_stage *s, struct err *e);

// Copies text as one line: newlines become " / ", other control bytes spaces;
// of what does not fit the end is kept.
void one_line(char *out, size_t size, const char *text, size_t n);

// What a compiler's modules may use: everything that the generator can make but what its row says.
void compiler_info(struct run_info *info, const struct run_stage *s, const char *name,
                   const char *version);
// One row for run_list, of a compiler that is here.
uint32_t list_compiler(struct arena *a, const char *spec, const struct run_stage *s,
                       const char *name, const char *version, struct run_listed **out);
// For `places`: this one.
uint32_t one_place(struct arena *a, const char *spec, const char ***specs);

// What failed before a subject was asked: the status, and the error's text.
void result_set(struct run_result *r, enum run_status status, const struct err *e);
// The first line of a tool's file `version`, "of unknown version" where there is none.
const char *version_read(struct arena *a, const char *path);
// Gives one result for all cases of a job, whose module is the same. False after a hang: the
// worker has to go.
bool give_all(const struct run_job *job, struct run_sink *sink, struct run_result *r);
// A module that a command wrote; false, with the result filled, when it is none.
bool module_read(struct arena *a, const char *path, struct run_result *r);

// The passes that `spirv-opt:random` runs on a module, and how many.
size_t opt_random(struct arena *a, const uint32_t *words, size_t count, const char ***out);

// The folder of drivers that set-up brought: TANGLEFUZZ_DRIVERS, else share/tanglefuzz/drivers of
// the prefix that the program is installed in, else the build's. NULL where the build names none.
const char *drivers_dir(struct arena *a);

extern const struct run_backend chain_backend, vk_backend;

// Names a loader to take where the machine has no libvulkan.so.1.
#define VK_LOADER_VARIABLE "TANGLEFUZZ_VULKAN_LOADER"

// What run_own_add made known, NULL when nothing was.
extern const struct run_own *own_subject;

#endif
