// SPDX-License-Identifier: Apache-2.0
//
// The store: findings of campaigns to be asked, with what people said of their buckets. A few
// functions; behind them a campaign's folder with SQLite (store_sqlite.c), and room for another
// database (struct store_backend in store_parts.h). Identity of a finding is its digest.
#ifndef TF_STORE_STORE_H
#define TF_STORE_STORE_H

#include "diagnose/diagnose.h"

enum { STORE_VERSION = 6, STORE_DIGEST = 17 };

// What makes findings one bug, and the bucket that is named after it. Texts are "" where not known.
struct store_signature {
    const char *bucket; // ten letters
    const char *text, *family, *klass, *op, *path, *message, *culprit;
    const char *about;    // "op", "any", "guard", "" (enum diag_about)
    const char *sentence; // what was done to whom; "" where that is not known
};

// A finding. Texts are "" where not known.
struct store_finding {
    const char *digest; // of case, class, target and device: store_digest
    const char *name;
    const char *folder;  // below the campaign's folder, "findings/NAME"
    const char *reduced; // the same of the smallest reduced case
    const char *klass, *first_class, *text, *target, *family, *device, *driver, *replay, *generated;
    const char *rule, *taxonomy;
    const char *promise; // the weakest model that promises what is wrong (judge_promise_name); "":
                         // not of this class
    struct store_signature now;   // of the reduced case where there is one
    struct store_signature first; // of the case as it was found; listed: its bucket alone
    // Listed: it is not reduced, and all that were found like it and are reduced are in one bucket.
    // So it is shown there, and `now` is theirs.
    bool presumed;
    uint32_t subgroup, words; // words: of the module, reduced where it is
    uint32_t first_words;     // before reduction
    uint64_t live_bits, wrong_bits;
    uint32_t reproduced, tries; // re-runs of the finding and of its reduced case
    int64_t found_at;           // seconds since 1970, UTC
};

// What people say of a bucket. It outlives the bucket's findings.
enum store_state {
    STORE_NEW,
    STORE_TRIAGED, // somebody has looked at it
    STORE_FILED,   // its project was told: `link`
    STORE_FIXED,
    STORE_WONT, // stays as it is
    STORE_STATES
};
const char *store_state_name(enum store_state s); // "filed"
bool store_state_find(const char *name, enum store_state *out);
struct store_mark {
    enum store_state state;
    const char *note, *link; // "": none
    int64_t at;              // when, seconds since 1970; 0: never
};

struct report_known;
struct store_bucket {
    const char *name, *signature, *klass, *family, *op, *path, *rule, *taxonomy, *culprit;
    const char *about, *sentence;  // as in struct store_signature
    const char *message, *targets; // targets: each once, joined by ", "
    const char *target_text;       // for people: the best finding's, and how many others
    struct store_mark mark;
    uint32_t findings, presumed; // presumed: those of them that are
    int64_t first_at, last_at;
    const struct store_finding *best; // the smallest that repeats
    const struct store_finding **row; // all: the smallest first, then by name
    const struct report_known *known; // filled by report_known_mark; NULL: it is new
};
struct store_campaign { // a row of campaign.json
    const char *target, *device, *driver, *ended, *version, *json;
    uint64_t cases, agreed, findings, live_bits;
    double seconds;
};
struct store_findings {
    struct store_finding *row;
    uint32_t rows;
    // Furthest first: the one with most findings, then always the one that is least like
    // those before it, so that the first ten show ten different bugs.
    struct store_bucket *bucket;
    uint32_t buckets;
    struct store_campaign *campaign;
    uint32_t campaigns;
    const struct report_known *known; // as report_known_mark was given them
    uint32_t known_count;
};

struct store;

// Opens the store of a campaign's folder, DIR/findings.db; makes it, or brings an older schema up
// to date. Several processes may write. Where DIR may not be written the store is in memory: it
// takes in folders and lists, and keeps nothing. NULL with a line: cannot be made, no database, of
// a newer version, a link.
struct store *store_open(const char *dir, struct err *e);
void store_close(struct store *s);
// A finding once: *added is false where its digest is there. What a reduction changes is taken
// over.
bool store_put(struct store *s, const struct store_finding *f, bool *added, struct err *e);
// *there: the finding of that digest, in *out.
bool store_find(struct store *s, struct arena *a, const char *digest, struct store_finding *out,
                bool *there, struct err *e);
// All there is, in buckets, in order of review.
bool store_list(struct store *s, struct arena *a, struct store_findings *out, struct err *e);
// The bucket of that name, or the one that holds most of those findings that were in a bucket of
// that name before they were reduced. NULL: none. A mark goes the same way.
const struct store_bucket *store_bucket_named(const struct store_findings *v, const char *name);
// Keeps the buckets alone that were first seen at `since` or later (seconds since 1970; 0: any
// time), and of which `before`, an earlier campaign (NULL: none), has neither the name nor findings
// like all of theirs.
void store_keep_new(struct arena *a, struct store_findings *v, int64_t since,
                    const struct store_findings *before);
// Says something of a bucket; NULL texts stay as they were. False where nothing is stored under
// that name or the store keeps nothing.
bool store_mark(struct store *s, const char *bucket, const struct store_mark *m, struct err *e);
// Takes in what is new or changed in the campaign's folder `dir`, and lets go of what is gone from
// it: findings, their reductions, campaign.json. The folders are the truth: all but marks can be
// made again from them. Reads a folder only when its time has changed. *added: findings that were
// not there. False with a line; then nothing of this call is in.
bool store_sync(struct store *s, const char *dir, uint32_t *added, struct err *e);
// Locks the campaign's folder for who reads campaign.json and writes it again, until the descriptor
// is closed. Waits for who does the same. -1 with a line.
int store_lock(const char *dir, struct err *e);
// Copies the findings of campaign `from` that `into` has not, folders with their times and all,
// its rows of campaign.json, and its marks of buckets of which `into` says nothing. Reads what is
// in `from`, and of `into` only what is new since its store was opened last. *copied counts
// findings, *known those that were there.
bool store_merge(const char *into, const char *from, uint32_t *copied, uint32_t *known,
                 struct err *e);

// A finding's folder DIR/findings/NAME read; false where it holds none (the line is empty), and
// with a line where it cannot be read.
bool store_folder_read(struct arena *a, const char *dir, const char *name,
                       struct store_finding *out, struct err *e);
// A finding's identity: its case (the text of case.spvasm), class, target and device.
const char *store_digest(const char *text, size_t size, const char *klass, const char *target,
                         const char *device, char out[STORE_DIGEST]);

#endif
