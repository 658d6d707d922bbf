// SPDX-License-Identifier: Apache-2.0
//
// A case on a target again, as often as asked: what it came to each time.
#ifndef TF_CAMPAIGN_RERUN_H
#define TF_CAMPAIGN_RERUN_H

#include "judge/judge.h"

struct rerun {
    uint32_t runs; // that came to an end; 0: interrupted in the first
    uint32_t by_class[JUDGE_CLASSES];
    bool wrong;          // at least once
    bool good;           // each time: it agrees, or compiles where nothing runs
    struct judged shown; // the first wrong one, else the first
    struct run_result result;
    struct arena pool[2]; // what is shown lies in one, the other is used for run after run
    struct arena between; // the other case
};
// Runs the case of a prediction `runs` times, another one between each two, which is not judged;
// once where asking again changes nothing. An interrupt ends it, and the target's worker.
// `subgroup`: the size of a case that has none. `policy`: the one the device showed last. `out`
// starts as zero.
void rerun_case(struct rerun *out, struct spv_tools *tools, struct run_target *t,
                const struct prediction *p, uint32_t subgroup, uint32_t runs,
                struct shown_policy *policy);
void rerun_free(struct rerun *r);

#endif
