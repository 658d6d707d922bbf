// SPDX-License-Identifier: Apache-2.0
//
// What a store must implement, for the rooms that do: the folder (store_folder.c, store_files.c),
// and PostgreSQL (farm/farm_store.c). store.c and store_copy.c do the rest for all of them.
#ifndef TF_STORE_BACKEND_H
#define TF_STORE_BACKEND_H

#include "store.h"
#include "store_json.h"

struct store_named_mark {
    const char *bucket;
    struct store_mark mark;
};
// A finding to be stored, and its files: the folder DIR/f->f.folder, or those in another store.
struct store_source {
    const struct store_finding *f;
    const char *dir; // NULL: in `from`
    struct store *from;
};

// Each call returns false with a message if it fails; then its outputs are not valid.
struct store_backend {
    void (*close)(struct store *s);
    // Passes the chosen findings to `each`, one by one, until it returns false; `f` is valid only
    // during that call. *left: number of those whose record is not understood.
    bool (*each)(struct store *s, const struct store_choice *c, uint32_t *left, void *user,
                 bool (*each)(void *user, const struct store_finding *f, struct err *e),
                 struct err *e);
    // Writes the files of a finding into the folder `to`, which is created.
    bool (*fetch)(struct store *s, const struct store_finding *f, const char *to, struct err *e);
    // Fills the findings, in any order, and what is left; nothing else.
    bool (*read)(struct store *s, struct arena *a, struct store_findings *out, struct err *e);
    // Lists all marks that were set.
    bool (*marks)(struct store *s, struct arena *a, struct store_named_mark **out, uint32_t *n,
                  struct err *e);
    // Returns the figures of campaigns, objects as in campaign.json; the caller releases the array.
    json_t *(*campaigns)(struct store *s, struct arena *a, struct err *e);
    bool (*put)(struct store *s, const struct store_source *x, const struct store_sender *by,
                struct store_kept *out, struct err *e);
    // As store_mark. *there: false if the store has no bucket of that name.
    bool (*mark)(struct store *s, const char *bucket, const struct store_mark *m, bool *there,
                 struct err *e);
    // Adds the figures that are new. *n: their number.
    bool (*add_campaigns)(struct store *s, struct arena *a, const json_t *rows,
                          const struct store_sender *by, uint32_t *n, struct err *e);
};
struct store {
    const struct store_backend *on;
    char dir[1024]; // of a folder; "": the store is not a folder
    bool kept;      // false: in memory
    bool source;    // opened by store_open_source
};

#endif
