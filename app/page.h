// SPDX-License-Identifier: Apache-2.0
//
// The HTML page of a campaign's folder, for report and ci.
#ifndef TF_APP_PAGE_H
#define TF_APP_PAGE_H

#include "app.h"
#include "report/report.h"

// Adds the page of the findings in `dir`.
void page_text(struct context *x, const char *dir, const struct store_findings *v,
               struct text *out);
// Writes it to `path` and prints the path. False with a message in x->e.
bool page_write(struct context *x, const char *dir, const struct store_findings *v,
                const char *path);

#endif
