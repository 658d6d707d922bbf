// SPDX-License-Identifier: Apache-2.0
//
// Private to store: the interface that a database must implement, and what store_*.c share.
#ifndef TF_STORE_STORE_PARTS_H
#define TF_STORE_STORE_PARTS_H

#include "store.h"
#include "store_json.h"

// A folder that was read, in its state at that time.
struct store_folder {
    const char *name, *stamp, *digest; // digest "": its record was not understood,
    const char *left;                  // and this is why
};

// A database that implements the store. Each call may fail with a message. Calls between begin and
// end are atomic. put and mark may be repeated.
struct store_backend {
    void (*close)(struct store *s);
    bool (*begin)(struct store *s, struct err *e); // waits for other writers
    bool (*end)(struct store *s, struct err *e);
    void (*give_up)(struct store *s);
    bool (*put)(struct store *s, const struct store_finding *f, bool *added, struct err *e);
    bool (*has)(struct store *s, const char *digest, bool *there, struct err *e);
    // All findings, ordered by bucket, words and name; the marks of their buckets by name.
    bool (*read)(struct store *s, struct arena *a, struct store_findings *out, struct err *e);
    bool (*mark_of)(struct store *s, struct arena *a, const char *bucket, struct store_mark *out,
                    bool *there, struct err *e);
    bool (*mark)(struct store *s, const char *bucket, const struct store_mark *m, struct err *e);
    // Replaces the campaigns' rows, as JSON.
    bool (*campaigns)(struct store *s, const char *const *json, uint32_t n, struct err *e);
    // The folders that were read, by name; add one; remove one that is gone, with its finding.
    bool (*folders)(struct store *s, struct arena *a, struct store_folder **out, uint32_t *n,
                    struct err *e);
    bool (*folder)(struct store *s, const struct store_folder *f, struct err *e);
    bool (*forget)(struct store *s, const char *folder, struct err *e);
};
struct store {
    const struct store_backend *on;
    char dir[1024];
    bool kept; // false: in memory
};
// Opens the database of a folder, DIR/findings.db. NULL with a message.
struct store *store_sqlite_open(const char *dir, struct err *e);
// Makes SQLite end the process when it runs out of memory (store_sqlite_memory.c). Before any other
// call of SQLite.
void store_sqlite_prepare(void);
// Reads the marks in the database of another folder, without changing it; none if it has no
// database.
struct store_named_mark {
    const char *bucket;
    struct store_mark mark;
};
bool store_sqlite_marks(const char *dir, struct arena *a, struct store_named_mark **out,
                        uint32_t *n, struct err *e);

// Stores a finding that was read from a folder, and the folder's state. *added: as in store_put.
bool store_folder_put(struct store *s, struct arena *a, const char *dir,
                      const struct store_finding *f, bool *added, struct err *e);
// Parses a row of campaign.json.
struct store_campaign store_campaign_read(struct arena *a, const char *json);
// Replaces the campaigns' rows by those of DIR/campaign.json.
bool store_folder_campaigns(struct store *s, struct arena *a, const char *dir, struct err *e);

// Sorts buckets into their order of review.
void order_buckets(struct arena *a, struct store_bucket *v, uint32_t n);

#endif
