// SPDX-License-Identifier: Apache-2.0
//
// Findings in the formats of other tools.
#ifndef TF_REPORT_FORMATS_H
#define TF_REPORT_FORMATS_H

#include "store/store.h"

// What a store holds in the forms that other tools read, printable (text_printable).
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
bool report_format_find(const char *name, enum report_format *out);
void report_format_write(enum report_format f, const struct store_findings *v, struct text *out);

#endif
