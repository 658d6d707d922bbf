// SPDX-License-Identifier: Apache-2.0
//
// Cases that were run again on one target or several: what each came to, as other tools read it,
// and what became of a bug from one version to the next.
#ifndef TF_REPORT_CHECKS_H
#define TF_REPORT_CHECKS_H

#include "judge/judge.h"

struct report_check {
    bool asked; // it was run there; else `text` says why not, or nothing
    enum judge_class klass;
    bool good, wrong;    // each time; at least once
    bool known;          // it is expected to fail there
    uint32_t hits, runs; // that showed the class; of all
    const char *text;    // one line
    double seconds;
};
struct report_checks {
    const char *const *target; // in the order of their versions, the oldest first
    uint32_t targets;
    const char **name, **file; // of each case
    uint32_t n;
    struct report_check *at; // [case * targets + target]
};
// What became of case i, and in which target.
enum report_became {
    REPORT_NOT_JUDGED, // nowhere
    REPORT_NOT_SEEN,   // wrong nowhere
    REPORT_STILL,      // wrong in all that were judged
    REPORT_FIXED,      // wrong, and right from *in on
    REPORT_NEW,        // right, and wrong from *in on
    REPORT_CHANGES,    // neither
};
enum report_became report_became(const struct report_checks *c, uint32_t i, uint32_t *in);
const char *report_became_words(struct arena *a, const struct report_checks *c,
                                uint32_t i); // "fixed in X"

enum report_checks_format {
    REPORT_CHECKS_TEXT,  // a row a case, a column a target
    REPORT_CHECKS_JSON,  // a JSON object a line: each case
    REPORT_CHECKS_JUNIT, // a suite a target
    REPORT_CHECKS_CSV,   // as the text
    REPORT_CHECKS_FORMATS
};
bool report_checks_find(const char *name, enum report_checks_format *out); // "junit"
void report_checks_write(enum report_checks_format f, const struct report_checks *c,
                         struct text *out);

#endif
