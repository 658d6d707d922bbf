// SPDX-License-Identifier: Apache-2.0
//
// Private to store: what store_*.c share, and the database of a folder.
#ifndef TF_STORE_STORE_PARTS_H
#define TF_STORE_STORE_PARTS_H

#include "backend.h"

extern const struct store_backend store_folder_backend; // store_files.c

// A folder that was read, in its state at that time.
struct store_folder {
    const char *name, *stamp, *digest; // digest "": its record was not understood,
    const char *left;                  // and this is why
};

// ---- the database of a folder (store_sqlite.c) -------------------------------------------
// Each call may fail with a message. Calls between begin and end are atomic.

// Opens DIR/findings.db. NULL with a message.
struct store *store_sqlite_open(const char *dir, struct err *e);
void store_sqlite_close(struct store *s);
bool store_sqlite_begin(struct store *s, struct err *e); // waits for other writers
bool store_sqlite_end(struct store *s, struct err *e);
void store_sqlite_give_up(struct store *s);
bool store_sqlite_put(struct store *s, const struct store_finding *f, bool *added, struct err *e);
bool store_sqlite_has(struct store *s, const char *digest, bool *there, struct err *e);
bool store_sqlite_read(struct store *s, struct arena *a, struct store_findings *out, struct err *e);
bool store_sqlite_mark(struct store *s, const char *bucket, const struct store_mark *m, bool *there,
                       struct err *e);
bool store_sqlite_marks(struct store *s, struct arena *a, struct store_named_mark **out,
                        uint32_t *n, struct err *e);
// Reads the marks in the database of a folder that is not open, without changing it; none if it has
// no database.
bool store_sqlite_marks_of(const char *dir, struct arena *a, struct store_named_mark **out,
                           uint32_t *n, struct err *e);
// The folders that were read, by name; adds one; removes one that is gone, with its finding.
bool store_sqlite_folders(struct store *s, struct arena *a, struct store_folder **out, uint32_t *n,
                          struct err *e);
bool store_sqlite_folder(struct store *s, const struct store_folder *f, struct err *e);
bool store_sqlite_forget(struct store *s, const char *folder, struct err *e);
// Makes SQLite end the process when it runs out of memory (store_sqlite_memory.c). Before any other
// call of SQLite.
void store_sqlite_prepare(void);

// Stores a finding that was read from a folder, and the folder's state. *added: it was not there.
bool store_folder_put(struct store *s, struct arena *a, const char *dir,
                      const struct store_finding *f, bool *added, struct err *e);
// Parses a row of campaign.json.
struct store_campaign store_campaign_read(struct arena *a, const json_t *row);

// Sorts buckets into their order of review.
void order_buckets(struct arena *a, struct store_bucket *v, uint32_t n);

#endif
