// SPDX-License-Identifier: Apache-2.0
//
// How a finding becomes one stable bucket on a fuzzing farm. ClusterFuzz takes the line that
// starts with "ASSERTION FAILED: " as the crash state, cuts it at 80 characters, folds digits,
// and merges states that are merely similar, except where they hold "FuzzerHash=": those are
// compared exactly. So: letters only, no seed, lane, value or path, and short.
#include "diagnose.h"

const char *diag_farm_bucket(struct arena *a, const char *target, const char *culprit,
                             const struct judge_verdict *v, char bucket[16])
{
    const char *how = judge_class_name(v->klass), *message = "";
    if (judge_class_is_mismatch(v->klass))
        how = "mismatch"; // the class depends on the program, not on the bug
    else
        message = diag_normal_message(a, v->text);
    diag_bucket_name(arena_printf(a, "%s %s %s %s", run_family(a, target, NULL),
                                  culprit ? culprit : "", how, message),
                     bucket);
    return how;
}

void diag_farm_line(const char *bucket, const char *how, char out[DIAG_FARM_LINE])
{
    snprintf(out, DIAG_FARM_LINE, "ASSERTION FAILED: tanglefuzz FuzzerHash=%s %s", bucket, how);
}
