// SPDX-License-Identifier: Apache-2.0
//
// The store: findings of campaigns to be asked, with what people said of their buckets. A few
// functions; behind them a campaign's folder with SQLite (store_sqlite.c), and room for another
// database (struct store_backend in store_parts.h). Identity of a finding is its digest.
#ifndef TF_STORE_STORE_H
#define TF_STORE_STORE_H

#include "finding.h"

enum { STORE_VERSION = 7 };

// A finding as it is listed.
struct store_finding {
    struct finding f;              // as it was found
    const struct finding *reduced; // its smallest reduction; NULL: it has none
    // What it is in a bucket by. Where it is not reduced, and all that were found like it and are
    // reduced are in one bucket, it is presumed to be of that bucket, and `now` is theirs.
    const struct diag_signature *now;
    bool presumed;
};
// What is shown of it: its smallest reduction, else itself.
static inline const struct finding *store_shown(const struct store_finding *r)
{
    return r->reduced ? r->reduced : &r->f;
}

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
    const struct diag_signature *signature; // its name is the bucket's
    const char *targets;                    // each once, joined by ", "
    const char *target_text;                // for people: the best finding's, and how many others
    struct store_mark mark;
    uint32_t findings, presumed; // presumed: those of them that are
    int64_t first_at, last_at;
    const struct store_finding *best; // the smallest that repeats
    const struct store_finding **row; // all: the smallest first, then by name
    const struct report_known *known; // filled by report_known_mark; NULL: it is new
};
// The class of its best finding.
static inline enum judge_class store_bucket_class(const struct store_bucket *b)
{
    return finding_class(store_shown(b->best));
}
// A folder whose record is not understood (of another version): it is left as it is.
struct store_left {
    const char *folder, *why;
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
    struct store_left *left;
    uint32_t left_count;
};

struct store;

// Opens the store of a campaign's folder, DIR/findings.db; makes it, or brings an older schema up
// to date. Several processes may write. Where DIR may not be written the store is in memory: it
// takes in folders and lists, and keeps nothing. NULL with a line: cannot be made, no database, of
// a newer version, a link.
struct store *store_open(const char *dir, struct err *e);
void store_close(struct store *s);
// A finding once, by the digest of `f`: *added is false where that is there. What a reduction
// changes is taken over.
bool store_put(struct store *s, const struct store_finding *f, bool *added, struct err *e);
// *there: whether it holds a finding of that digest.
bool store_has(struct store *s, const char *digest, bool *there, struct err *e);
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

// The finding in DIR/findings/NAME with its smallest reduction, as a row.
enum finding_read store_folder_read(struct arena *a, const char *dir, const char *name,
                                    struct store_finding *out, struct err *e);

#endif
