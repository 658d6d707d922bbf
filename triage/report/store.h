// SPDX-License-Identifier: Apache-2.0
//
// The findings of a campaign as a database: rows, buckets, known bugs, the formats of other tools.
#ifndef TF_REPORT_STORE_H
#define TF_REPORT_STORE_H

#include "blame/blame.h"

// ---- the findings database ---------------------------------------------------------

// DIR/findings.db: what the folders of a campaign say, to be asked. SQLite in WAL mode:
// several processes may write. The folders stay the truth: a database that was lost is made
// again by the next report_db_sync.
enum { REPORT_DB_VERSION = 2 };
struct report_db;
// Opens or makes it, and brings an older schema up to date. NULL with a line: cannot be
// made, no database, of a newer version.
struct report_db *report_db_open(const char *dir, struct err *e);
void report_db_close(struct report_db *db);
// Takes in what is new below `dir`: findings, their reductions, campaign.json. *added:
// findings that were not there. False with a line; then nothing of this call is in.
bool report_db_sync(struct report_db *db, const char *dir, uint32_t *added, struct err *e);

// A finding as the database has it. Texts are "" where not known.
struct report_row {
    int64_t id;
    const char *name, *folder; // folder: below DIR, "findings/NAME"
    const char *klass, *first_class, *text, *target, *family, *device, *replay, *generated;
    const char *rule, *taxonomy;
    const char *bucket, *signature; // of the reduced case where there is one
    const char *first_bucket;       // of the case as it was found
    const char *reduced;            // folder of the reduced case below DIR
    uint32_t subgroup, words;       // words: of the module, reduced where it is
    uint32_t first_words;           // before reduction
    uint64_t live_bits, wrong_bits;
    uint32_t reproduced, tries;
    int64_t found_at; // seconds since 1970
};
struct report_known;
struct report_bucket {
    const char *name, *signature, *klass, *family, *op, *path, *rule, *taxonomy, *culprit;
    const char *message, *targets; // targets: each once, joined by ", "
    const char *target_text;       // for people: the best finding's, and how many others
    uint32_t findings;
    int64_t first_at, last_at;
    const struct report_row *best;    // the smallest that repeats
    const struct report_row **row;    // all, as the database orders them
    const struct report_known *known; // filled by report_known_mark; NULL: it is new
};
struct report_campaign { // a row of campaign.json
    const char *target, *device, *driver, *ended, *version, *json;
    uint64_t cases, agreed, findings, live_bits;
    double seconds;
};
struct report_findings {
    struct report_row *row;
    uint32_t rows;
    // Furthest first: the one with most findings, then always the one that is least like
    // those before it, so that the first ten show ten different bugs.
    struct report_bucket *bucket;
    uint32_t buckets;
    struct report_campaign *campaign;
    uint32_t campaigns;
    const struct report_known *known; // as report_known_mark was given them
    uint32_t known_count;
};
bool report_db_read(struct report_db *db, struct arena *a, struct report_findings *out,
                    struct err *e);
// Copies the findings of campaign `from` that `into` has not, folders and all, and its rows of
// campaign.json. *copied counts findings, *known those that were there.
bool report_merge(const char *into, const char *from, uint32_t *copied, uint32_t *known,
                  struct err *e);

// ---- known bugs ------------------------------------------------------------------------

// A file NAME.known of a folder (docs/known.md): lines of a key and its value, after
// `tanglefuzz-known 1`; # starts a comment. Texts are "" where not given.
struct report_known {
    const char *path, *name;
    bool versioned;
    const char *bucket, *signature; // of the findings that it is; * in a signature: any part
    const char *klass;              // all of a class on the target
    const char *target;             // a target's text; * stands for any part
    const char *feature;            // of the generator: not generated for the target
    const char *cases;              // file name of cases that may fail on the target; * as above
    const char *reason, *link;
    const char *until; // driver's or compiler's version from which on it is fixed
};
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
                                                const struct blame_signature *s);
// Marks the buckets that are known, all of their findings, and moves them to the end.
void report_known_mark(struct arena *a, struct report_findings *f, const struct report_known *v,
                       uint32_t n);
// The first entry that lets a case of a suite fail on the target; NULL: it must pass. A case
// that has one and passes is fixed: say so.
const struct report_known *report_known_case(const struct report_known *v, uint32_t n,
                                             const char *target, const char *driver,
                                             const char *path);

// ---- formats -----------------------------------------------------------------------

// What the database holds in the forms that other tools read, printable (text_printable).
enum report_format {
    REPORT_FORMAT_TEXT,  // for a terminal: buckets in their order of review
    REPORT_FORMAT_JSONL, // JSON lines, schema docs/report.schema.json: campaigns, buckets, findings
    REPORT_FORMAT_RESULTS,    // results.csv as deqp-runner's: test,status,duration
    REPORT_FORMAT_FAILURES,   // failures.csv as deqp-runner's: test,status; serves as its baseline
    REPORT_FORMAT_JUNIT,      // JUnit XML, a test case a finding
    REPORT_FORMAT_SARIF,      // SARIF 2.1.0, a result a bucket, the signature as fingerprint
    REPORT_FORMAT_PROMETHEUS, // Prometheus' text format
    REPORT_FORMATS
};
const char *report_format_name(enum report_format f); // "jsonl"
bool report_format_find(const char *name, enum report_format *out);
void report_format_write(enum report_format f, const struct report_findings *v, struct text *out);

#endif
