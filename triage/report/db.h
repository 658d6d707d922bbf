// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: the database's handle, and the fields of a signature's text.
#ifndef TF_REPORT_DB_H
#define TF_REPORT_DB_H

#include "report.h"

#include <jansson.h>
#include <sqlite3.h>

struct report_db {
    sqlite3 *sql;
    char path[1024];
};
// False with "PATH: what SQLite says".
bool db_failed(struct report_db *db, struct err *e);
bool db_exec(struct report_db *db, const char *sql, struct err *e);
// A statement, ready to be bound; NULL with a line.
sqlite3_stmt *db_prepare(struct report_db *db, const char *sql, struct err *e);
void db_bind_text(sqlite3_stmt *s, int at, const char *text);

// "1|family|class|op|path|message|culprit" taken apart, in `a`; missing fields are "".
struct signature_fields {
    const char *family, *klass, *op, *path, *message, *culprit;
};
void signature_split(struct arena *a, const char *text, struct signature_fields *out);

// A folder's entries by name, without those that start with a dot; none when it cannot
// be read.
size_t dir_list(struct arena *a, const char *path, const char ***names);
// A key's text, "" where it is not there or no text.
const char *json_text(const json_t *o, const char *key);
json_t *json_file(struct arena *a, const char *path);

// Puts the buckets into their order of review.
void order_buckets(struct arena *a, struct report_bucket *v, uint32_t n);

#endif
