// SPDX-License-Identifier: Apache-2.0
//
// Results of cases that were run again on one or several targets, in the formats of other tools,
// and how each bug changed from one version to the next.
#ifndef TF_REPORT_CHECKS_H
#define TF_REPORT_CHECKS_H

#include "judge/judge.h"

struct report_check {
    bool asked; // the case was run there; else `text` has the reason, or is empty
    enum judge_class klass;
    bool good, wrong;    // right in each run; wrong in at least one
    bool known;          // expected to fail there
    uint32_t hits, runs; // runs with the class; all runs
    const char *text;    // one line
    const char *driver;  // run_info.driver of the target; NULL: it was not asked
    double seconds;
};
struct report_checks {
    const char *const *target; // in the order of their versions, the oldest first
    uint32_t targets;
    const char **name, **file; // of each case
    uint32_t n;
    struct report_check *at; // [case * targets + target]
};
// How case i changed over the targets. *in: the target of the change.
enum report_became {
    REPORT_NOT_JUDGED, // in none of them
    REPORT_NOT_SEEN,   // never wrong
    REPORT_STILL,      // wrong in all that were judged
    REPORT_FIXED,      // wrong, and right from *in on
    REPORT_NEW,        // right, and wrong from *in on
    REPORT_CHANGES,    // changes more than once
};
enum report_became report_became(const struct report_checks *c, uint32_t i, uint32_t *in);
const char *report_became_words(struct arena *a, const struct report_checks *c,
                                uint32_t i); // "fixed in X"

enum report_checks_format {
    REPORT_CHECKS_TEXT,  // one row per case, one column per target
    REPORT_CHECKS_JSON,  // JSON lines, one object per case
    REPORT_CHECKS_JUNIT, // one suite per target
    REPORT_CHECKS_CSV,   // rows and columns of the text
    REPORT_CHECKS_FORMATS
};
bool report_checks_find(const char *name, enum report_checks_format *out); // "junit"
void report_checks_write(enum report_checks_format f, const struct report_checks *c,
                         struct text *out);

#endif
