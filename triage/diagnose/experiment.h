// SPDX-License-Identifier: Apache-2.0
//
// Experiments: what the target does with other programs, each the reduced case with one change. A
// reason is reported only if it predicts what is observed on them; of a crash or a rejection only
// what was tried is reported. A program is valid and defined before the target is asked.
#ifndef TF_DIAGNOSE_EXPERIMENT_H
#define TF_DIAGNOSE_EXPERIMENT_H

#include "reason.h"

// ---- the programs (experiment_programs.c)

struct tweaks {
    struct diag_tweak *v;
    size_t n, cap;
};
// Lists all changes of a program, in `a`: changes of values and constructs; with `tokens` also
// those that leave each value as it is (decorations, hints).
void tweaks_of(struct arena *a, const struct spv_case *c, const struct spv_module *m, bool tokens,
               struct tweaks *out);
// Builds the changed program, in `a`. Ids and the numbers of instructions stay. False if the change
// does not apply. The caller must validate the program and check that it is defined.
bool tweak_apply(struct arena *a, const struct spv_case *c, const struct spv_module *m,
                 const struct diag_tweak *t, struct spv_case *out);
bool tweak_equal(const struct diag_tweak *x, const struct diag_tweak *y);

// ---- the target

struct experiment_answer {
    struct judge_verdict verdict;
    // Choices of the rules that explain the result, if the rules leave any.
    bool chose;
    struct spv_choices policy;
    const struct spv_memory *expected, *observed; // NULL: none
    const uint32_t *output;                       // the module that a compiler produced; NULL: none
    size_t output_count;
    const char *text; // the target's own message; NULL: none
    uint64_t site;    // run_result.crash_site
};
struct experiment_target {
    void *user;
    // Asks the target about a program. False: it is not valid or not defined, and was not asked.
    bool (*ask)(void *user, struct arena *a, const struct spv_case *c,
                struct experiment_answer *out);
    bool (*stop)(void *stop_user); // true: ask no more; NULL: never
    void *stop_user;
};

// A target that is open, asked by experiment_ask (experiment_ask.c). The caller fills it.
struct experiment_worker {
    struct run_target *target;
    struct spv_tools *tools;
    struct shown_policy policy;
    uint64_t step_limit; // of the oracle; 0: its own
};
bool experiment_ask(void *user, struct arena *a, const struct spv_case *c,
                    struct experiment_answer *out);

// ---- the results

// Finds the reason of a mismatch as diag_reason does, and tests it on control programs: at most
// EXPERIMENT_RUNS runs of the target. Only a reason that predicts what is observed on all of them,
// and something else than the rules or than its best rival on at least two, is returned.
// `output`: the module that a compiler produced; NULL: none. (experiment_reason.c)
enum { EXPERIMENT_RUNS = DIAG_CONTROLS };
bool diag_reason_tested(const struct spv_case *c, const struct spv_memory *expected,
                        const struct spv_memory *observed, const struct diag_signature *s,
                        const struct experiment_target *t, struct diag_reason *out);

// Finds the reason of a case that leaves no memory: of a crash, or of a compiler's output with
// undefined behaviour. Only a hypothesis that diag_reason_tested returns for the case without one
// operation, and with which the case has undefined behaviour, is returned. At most EXPERIMENT_RUNS
// programs are tried for it. (experiment_exposed.c)
bool diag_reason_exposed(const struct spv_case *c, const struct diag_signature *s,
                         const struct experiment_target *t, struct diag_reason *out);

// What one more control program, drawn at random by `seed` among those that the reason was not
// tested on, shows of it. (experiment_draw.c)
enum experiment_drawn {
    EXPERIMENT_NONE,    // no other program could be asked
    EXPERIMENT_AGREES,  // it predicts what is observed
    EXPERIMENT_NARROW,  // it predicts wrong memory, and the target is right
    EXPERIMENT_REFUTED, // it predicts something else
};
enum experiment_drawn diag_reason_draw(const struct spv_case *c, const struct diag_signature *s,
                                       const struct diag_reason *r, uint64_t seed,
                                       const struct experiment_target *t, struct diag_control *out);

// Finds which tokens matter of a case that crashes the target, or that it rejects: asks about
// programs with one token changed, at most DIAG_TRIALS. `was`: the kind of the case's failure, from
// the target's own message alone. `target`, `driver`: as in diag_signature. (experiment_crash.c)
void diag_crash_trials(const struct spv_case *c, const struct diag_signature *was,
                       const char *target, const char *driver, const struct experiment_target *t,
                       struct diag_trials *out);

// ---- as text (words_experiment.c)

// Returns the change: "with OpGroupNonUniformUMin in place of OpGroupNonUniformIAdd". In `a`.
const char *diag_tweak_words(struct arena *a, const struct diag_tweak *t,
                             const struct diag_names *n);
// Returns a sentence about one control program of the reason; "" if it has none. In `a`.
const char *diag_control_words(struct arena *a, const struct diag_reason *r,
                               const struct diag_names *n);
// Returns sentences: with which changes it fails as well, and with which it does not; "" if none
// was tried. In `a`.
const char *diag_trials_words(struct arena *a, const struct diag_trials *t,
                              const struct diag_names *n);

#endif
