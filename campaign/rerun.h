// SPDX-License-Identifier: Apache-2.0
//
// Runs a case on a target several times and collects the classes.
#ifndef TF_CAMPAIGN_RERUN_H
#define TF_CAMPAIGN_RERUN_H

#include "judge/judge.h"

struct rerun {
    uint32_t runs; // finished; 0: interrupted in the first
    uint32_t by_class[JUDGE_CLASSES];
    bool wrong;          // at least one run
    bool good;           // every run agrees, or compiles if the target only compiles
    struct judged shown; // the first wrong run, else the first
    struct run_result result;
    struct arena pool[2]; // one holds the shown run, the other is reused for each run
    struct arena between; // holds the separator case
};
// Runs the case of a prediction `runs` times, or once if the class cannot change. Between two runs
// it submits a separator case, whose answer is ignored. An interrupt ends it and the target's
// worker. `subgroup`: size for a case that has none. `policy`: the choices that the device last
// showed. `out` must be zero.
void rerun_case(struct rerun *out, struct spv_tools *tools, struct run_target *t,
                const struct prediction *p, uint32_t subgroup, uint32_t runs,
                struct shown_policy *policy);
void rerun_free(struct rerun *r);

#endif
