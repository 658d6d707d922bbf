// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/report: the lines of two texts, and which of them differ.
#ifndef TF_REPORT_DIFF_H
#define TF_REPORT_DIFF_H

#include "base/base.h"

struct diff_line {
    char mark; // ' ' in both, '-' only in the first, '+' only in the second
    const char *s;
    size_t n; // bytes, without the newline
};
// Returns the number of lines, in *out, by the longest common subsequence; 0 if a text has more
// than DIFF_LINES lines.
enum { DIFF_LINES = 800 };
size_t diff_lines(struct arena *a, const char *before, const char *after, struct diff_line **out);

#endif
