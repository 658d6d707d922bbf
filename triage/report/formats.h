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
//   junit       JUnit XML, one test case per finding
//   sarif       SARIF 2.1.0, one result per bucket, with the signature as its fingerprint
//   prometheus  Prometheus' text format
#define REPORT_FORMAT_ROWS(ROW)                                                                    \
    ROW(TEXT, "text", "text.txt")                                                                  \
    ROW(JSONL, "jsonl", "lines.jsonl")                                                             \
    ROW(RESULTS, "results", "results.csv")                                                         \
    ROW(FAILURES, "failures", "failures.csv")                                                      \
    ROW(JUNIT, "junit", "junit.xml")                                                               \
    ROW(SARIF, "sarif", "sarif.json")                                                              \
    ROW(PROMETHEUS, "prometheus", "prometheus.prom")
#define REPORT_FORMAT_ID(id, name, file) REPORT_FORMAT_##id,
enum report_format { REPORT_FORMAT_ROWS(REPORT_FORMAT_ID) REPORT_FORMATS };
#define REPORT_FORMAT_LISTED(id, name, file) ", " name
#define REPORT_FORMAT_NAMES                  REPORT_FORMAT_ROWS(REPORT_FORMAT_LISTED)
bool report_format_find(const char *name, enum report_format *out); // by --format NAME; false: none
// Adds all campaigns, buckets and findings in a format; texts are made printable (text_printable).
void report_format_write(enum report_format f, const struct store_findings *v, struct text *out);

#endif
