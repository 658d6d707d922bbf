// SPDX-License-Identifier: Apache-2.0
//
// JSON files of a finding's folder.
#ifndef TF_STORE_JSON_H
#define TF_STORE_JSON_H

#include "base/base.h"

#include <jansson.h>

// Bounds on a file that is read from a campaign's folder, in bytes.
enum { STORE_FILE_MAX = 64 << 20, STORE_JSON_MAX = 16 << 20 };

// Returns the text of a key; "" if the key is absent or its value is not a string.
const char *json_text(const json_t *o, const char *key);
// Returns the file's JSON, which the caller releases. NULL if the file is absent or is not JSON;
// NULL with a message if it cannot be read.
json_t *json_file(struct arena *a, const char *path, struct err *e);

struct finding;
// Adds the versions of a record to its JSON; reads them. False: a class is not known.
void finding_versions_put(json_t *o, const struct finding *f);
bool finding_versions_read(struct arena *a, const json_t *o, struct finding *out);

#endif
