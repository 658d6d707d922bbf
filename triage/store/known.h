// SPDX-License-Identifier: Apache-2.0
//
// Known bugs: files that say which findings are counted and not reported.
#ifndef TF_STORE_KNOWN_H
#define TF_STORE_KNOWN_H

#include "store.h"

enum { REPORT_KNOWN_PATTERNS = 16 };

// A file NAME.known of a folder (docs/known.md): lines of a key and its value, after
// `tanglefuzz-known 2`; # starts a comment. Texts are "" where not given.
struct report_known {
    const char *path, *name;
    const char *bucket;     // of the findings that it is
    enum judge_class klass; // of them; JUDGE_AGREES: any
    const char *pass;       // at fault
    // Patterns, of which one must fit; * is any part.
    const char *message[REPORT_KNOWN_PATTERNS], *signature[REPORT_KNOWN_PATTERNS];
    uint32_t messages, signatures;
    const char *target;  // a target's text; * stands for any part
    const char *feature; // of the generator: not generated for the target
    const char *cases;   // file name of cases that may fail on the target; * as above
    const char *reason, *link;
    const char *upstream; // what its project knows of it: new, known, design, fixed
    const char *until;    // driver's or compiler's version from which on it is fixed
};
// How a page calls a bug that is known here: "new upstream", "known upstream", "by design", "fixed
// in 25.0"; "known" where the entry does not say. In `a`.
const char *report_known_state(struct arena *a, const struct report_known *k);
// Does the entry speak of findings, and not of a feature or a case alone?
bool report_known_of_findings(const struct report_known *k);
// Reads every *.known of a folder, by name; none when the folder is not there. False with
// "path:line: what".
bool report_known_read(struct arena *a, const char *dir, struct report_known **out, uint32_t *n,
                       struct err *e);
bool report_known_parse(struct arena *a, const char *path, const char *text, size_t size,
                        struct report_known *out, struct err *e);
// Does the entry speak of this target in this version (run_info.driver; NULL: not known)?
bool report_known_applies(const struct report_known *k, const char *target, const char *driver);
// The first entry that a finding falls under; NULL: it is new. Entries that name only a
// feature or a case speak of no finding.
const struct report_known *report_known_finding(const struct report_known *v, uint32_t n,
                                                const char *target, const char *driver,
                                                const struct diag_signature *s);
// Marks the buckets that are known, all of their findings, and moves them to the end.
void report_known_mark(struct arena *a, struct store_findings *f, const struct report_known *v,
                       uint32_t n);
// The first entry that lets a case of a suite fail on the target; NULL: it must pass. A case
// that has one and passes is fixed: say so.
const struct report_known *report_known_case(const struct report_known *v, uint32_t n,
                                             const char *target, const char *driver,
                                             const char *path);

#endif
