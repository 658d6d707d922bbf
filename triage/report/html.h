// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/report: shared by the files of the HTML report.
#ifndef TF_REPORT_HTML_H
#define TF_REPORT_HTML_H

#include "report.h"

// html/report.css, html/report.js and html/picture.css, embedded by the build. A rule of
// picture.css has a literal colour first, for readers that do not support CSS variables.
extern const char html_css[], html_js[], picture_css[];

// Adds a shader as it was and as it became, one line per line, with the lines that differ marked.
void html_diff(struct text *t, const char *before, const char *after);
// Adds the wrong rows of the log, entry by entry, and the wrong words of other buffers.
void html_lanes(struct text *t, const struct report_view *w);

#endif
