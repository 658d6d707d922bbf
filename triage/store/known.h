// SPDX-License-Identifier: Apache-2.0
//
// Known bugs: files that select findings to count without reporting them.
#ifndef TF_STORE_KNOWN_H
#define TF_STORE_KNOWN_H

#include "store.h"

enum { REPORT_KNOWN_PATTERNS = 16 };

// A file NAME.known of a folder (docs/known.md): the line `tanglefuzz-known 2`, then lines of a key
// and its value; # starts a comment. Texts are "" if not given.
struct report_known {
    const char *path, *name;
    const char *bucket;     // name of the bucket of its findings
    enum judge_class klass; // of its findings; JUDGE_AGREES: any
    const char *pass;       // the pass at fault
    // Patterns, one of which must fit; * is any text.
    const char *message[REPORT_KNOWN_PATTERNS], *signature[REPORT_KNOWN_PATTERNS];
    uint32_t messages, signatures;
    const char *target;  // a target's text; * is any text
    const char *feature; // feature of the generator: not generated for the target
    const char *cases;   // file name of cases that may fail on the target; * as above
    const char *reason, *link;
    const char *upstream; // its project's state: new, known, design, fixed
    const char *until;    // the driver's or compiler's version in which it is fixed
};
// Returns the label of a known bug for a page: "new upstream", "known upstream", "by design",
// "fixed in 25.0"; "known" if the entry does not specify it. In `a`.
const char *report_known_state(struct arena *a, const struct report_known *k);
// Reports whether the entry selects findings, and not only a feature or a case.
bool report_known_of_findings(const struct report_known *k);
// Reads all *.known files of a folder, by name; none if the folder does not exist. False with
// "path:line: problem".
bool report_known_read(struct arena *a, const char *dir, struct report_known **out, uint32_t *n,
                       struct err *e);
bool report_known_parse(struct arena *a, const char *path, const char *text, size_t size,
                        struct report_known *out, struct err *e);
// Reports whether the entry applies to this target in this version (run_info.driver; NULL: not
// known).
bool report_known_applies(const struct report_known *k, const char *target, const char *driver);
// Returns the first entry that matches a finding; NULL: it is new. Entries that only name a feature
// or a case match no finding.
const struct report_known *report_known_finding(const struct report_known *v, uint32_t n,
                                                const char *target, const char *driver,
                                                const struct diag_signature *s);
// Marks the buckets all of whose findings are known, and moves them to the end.
void report_known_mark(struct arena *a, struct store_findings *f, const struct report_known *v,
                       uint32_t n);
// Returns the first entry that permits a case of a suite to fail on the target; NULL: it must pass.
// If a permitted case passes, the bug is fixed, which the caller should report.
const struct report_known *report_known_case(const struct report_known *v, uint32_t n,
                                             const char *target, const char *driver,
                                             const char *path);

#endif
