// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: the parts of the HTML report.
#ifndef TF_REPORT_HTML_H
#define TF_REPORT_HTML_H

#include "report.h"

// html/report.css, html/report.js and html/picture.css, embedded by the build.
extern const char html_css[], html_js[], picture_css[];

// Text in HTML, SVG or XML: <, >, & and " escaped, control characters left out.
void html(struct text *t, const char *s);
// The wrong rows of the log entry by entry, or the wrong words of the buffers.
void html_lanes(struct text *t, const struct report_view *w);

#endif
