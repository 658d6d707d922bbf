// SPDX-License-Identifier: Apache-2.0
//
// Expected failures: a text file with one expectation per line,
//
//     CLASS CASE TARGET
//     crash lavapipe-25.0-*.spvasm vulkan:driver=lavapipe
//     *     *-T2.spvasm            spirv-opt:*
//
// or a folder of known bugs (docs/known.md), of which the entries with a `case` are used. In the
// file, * and ? match as in file names; CASE is the file's name without its folder, TARGET is the
// rest of the line. A line that starts with # is a comment.
#ifndef TF_CAMPAIGN_KNOWNFAILS_H
#define TF_CAMPAIGN_KNOWNFAILS_H

#include "report/report.h"

struct known_fail {
    const char *klass, *name, *target; // patterns
    const struct report_known *entry; // from a folder of known bugs, instead of patterns; else NULL
};
struct known_fails {
    struct known_fail *v;
    size_t n, cap;
};
// Reads the expectations. False with a message that names file and line: too few words, or an
// unknown class.
bool known_fails_read(struct arena *a, const char *path, struct known_fails *out, struct err *e);
// True if the case is expected to fail on the target in this class; JUDGE_AGREES matches any class.
// `driver` (run_info.driver) contains the version.
bool known_fails_has(const struct known_fails *k, const char *path, const char *target,
                     const char *driver, enum judge_class klass);

#endif
