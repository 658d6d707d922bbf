// SPDX-License-Identifier: Apache-2.0
//
// What is expected to go wrong: a text file, one line an expectation,
//
//     CLASS CASE TARGET
//     crash lavapipe-25.0-*.spvasm vulkan:driver=lavapipe
//     *     *-T2.spvasm            spirv-opt:*
//
// or a folder of known bugs (docs/known.md), whose entries with a `case` count. In the file:
// with * and ? as in file names; CASE is the file's name without its folder, TARGET is the rest of
// the line. Lines that start with # are comments.
#ifndef TF_CAMPAIGN_KNOWNFAILS_H
#define TF_CAMPAIGN_KNOWNFAILS_H

#include "report/report.h"

struct known_fail {
    const char *klass, *name, *target; // patterns
    const struct report_known *entry;  // of a folder of known bugs, in their place; NULL else
};
struct known_fails {
    struct known_fail *v;
    size_t n, cap;
};
// False with a line that names file and line: too few words, a class that there is not.
bool known_fails_read(struct arena *a, const char *path, struct known_fails *out, struct err *e);
// Is this case expected to fail on this target, in this class? JUDGE_AGREES asks for any class.
// `driver` (run_info.driver) says the version.
bool known_fails_has(const struct known_fails *k, const char *path, const char *target,
                     const char *driver, enum judge_class klass);

#endif
