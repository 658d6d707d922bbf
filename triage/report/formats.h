// SPDX-License-Identifier: Apache-2.0
//
// Findings in the formats of other tools.
#ifndef TF_REPORT_FORMATS_H
#define TF_REPORT_FORMATS_H

#include "store/store.h"

// Formats: enumerator, name (--format NAME), file of templates/formats/.
//   text        for a terminal: buckets in order of review
//   jsonl       JSON lines, schema docs/report.schema.json: campaigns, buckets, findings
//   results     results.csv of deqp-runner: test,status,duration
//   failures    failures.csv of deqp-runner: test,status; can be its baseline
//   junit       JUnit XML: a test case per bucket, and a passed one per campaign with its count
//   sarif       SARIF 2.1.0, one result per bucket, with the signature as its fingerprint
//   prometheus  Prometheus' text format
//   markdown    a summary for a merge request
#define REPORT_FORMAT_ROWS(ROW)                                                                    \
    ROW(TEXT, "text", "text.txt")                                                                  \
    ROW(JSONL, "jsonl", "lines.jsonl")                                                             \
    ROW(RESULTS, "results", "results.csv")                                                         \
    ROW(FAILURES, "failures", "failures.csv")                                                      \
    ROW(JUNIT, "junit", "junit.xml")                                                               \
    ROW(SARIF, "sarif", "sarif.json")                                                              \
    ROW(PROMETHEUS, "prometheus", "prometheus.prom")                                               \
    ROW(MARKDOWN, "markdown", "summary.md")
#define REPORT_FORMAT_ID(id, name, file) REPORT_FORMAT_##id,
enum report_format { REPORT_FORMAT_ROWS(REPORT_FORMAT_ID) REPORT_FORMATS };
#define REPORT_FORMAT_LISTED(id, name, file) ", " name
#define REPORT_FORMAT_NAMES                  REPORT_FORMAT_ROWS(REPORT_FORMAT_LISTED)
bool report_format_find(const char *name, enum report_format *out); // by --format NAME; false: none
// Adds all campaigns, buckets and findings in a format; texts are made printable (text_printable).
// `place`: the campaign's folder, for paths and commands in it; SARIF needs it from the root of the
// repository (report_repository_path).
void report_format_write(enum report_format f, const struct store_findings *v, const char *place,
                         struct text *out);
// Returns the path of `dir` from the root of the git repository that contains it; `dir` itself if
// none does. In `a`.
const char *report_repository_path(struct arena *a, const char *dir);

#endif
