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
    // ---- supervisor's end; `options` is the target text after "name:", "" without any

    // Checks the options and fills the plan. False with a line that says what is
    // wrong and what there is.
    bool (*plan)(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e);
    // Target texts to ask in a worker what they offer (run_list). NULL, with `list`, for
    // what is always here.
    uint32_t (*places)(struct arena *a, const char ***specs);

    // ---- worker's end

    // Opens the subject; its state and `info`. NULL with one line.
    void *(*open)(struct arena *a, const char *options, const struct run_options *o,
                  struct run_info *info, struct err *e);
    // Runs one job; `a` is reset afterwards. False when the subject is lost (hang,
    // device loss): the worker then exits and a new one serves the next job. The
    // results up to the one that says so must have been given.
    bool (*run)(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink);
    void (*close)(void *state);
    // What one of `places` offers: rows for run_list. `spec` is the whole text.
    uint32_t (*list)(struct arena *a, const char *spec, const char *options,
                     struct run_listed **out);
};

// The backend that a target text names, and its options. NULL with a line that
// lists the backends.
const struct run_backend *run_backend_find(const char *spec, const char **options, struct err *e);

// Copies text as one line: newlines become " / ", other control bytes spaces;
// of what does not fit the end is kept.
void one_line(char *out, size_t size, const char *text, size_t n);

// VkSubgroupFeatureFlags: basic, vote, arithmetic, ballot, shuffle, relative shuffle.
enum { RUN_OPS_PLAIN = 1 | 2 | 4 | 8 | 16 | 32 };
// What a compiler's modules may use: everything that the generator can make.
void compiler_info(struct run_info *info, const char *name, const char *version);

// Gives one result for all cases of a job, whose module is the same. False after a hang: the
// worker has to go.
bool give_all(const struct run_job *job, struct run_sink *sink, struct run_result *r);
// A module that a command wrote; false, with the result filled, when it is none.
bool module_read(struct arena *a, const char *path, struct run_result *r);

// Whether a target text is a chain `A | B`; its first stage, and what stands behind it.
bool chain_is(const char *spec);
const char *chain_first(struct arena *a, const char *spec, const char **rest);
// The passes that `spirv-opt:random` runs on a module, with commas.
const char *opt_random(struct arena *a, const uint32_t *words, size_t count);

extern const struct run_backend vk_backend, check_backend, opt_backend, exec_backend,
    device_backend, roundtrip_backend, llvm_backend, chain_backend, clang_backend, glslang_backend, glslang_hlsl_backend,
    own_backend, fault_backend;

// What run_own_add made known, NULL when nothing was.
extern const struct run_own *own_subject;

#endif
