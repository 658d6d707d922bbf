// SPDX-License-Identifier: Apache-2.0
//
// Output of tanglefuzz portable as JSON, and as SARIF for editors and CI.
#ifndef TF_APP_PORTABLE_JSON_H
#define TF_APP_PORTABLE_JSON_H

#include "portable/portable.h"

void portable_json(const struct por_answer *w, const char *path, struct text *out);
void portable_sarif(const struct por_answer *w, const char *path, struct text *out);

#endif
