// SPDX-License-Identifier: Apache-2.0
//
// The store: findings of campaigns and the triage marks of their buckets. One interface over a
// campaign's folder with SQLite, and over PostgreSQL (farm_store in farm/farm.h); backend.h
// declares what a store implements. A finding is identified by its digest.
#ifndef TF_STORE_STORE_H
#define TF_STORE_STORE_H

#include "finding.h"

enum { STORE_VERSION = 8 };

// A finding in a list.
struct store_finding {
    struct finding f;              // as found, before reduction
    const struct finding *reduced; // its smallest reduction; NULL: none
    // The signature of its bucket. If it is not reduced, and all reduced findings with the same
    // first signature are in one bucket, it is presumed to be in that bucket: `now` is theirs.
    const struct diag_signature *now;
    bool presumed;
};
// Returns the finding to show: its smallest reduction, else itself.
static inline const struct finding *store_shown(const struct store_finding *r)
{
    return r->reduced ? r->reduced : &r->f;
}

// The triage state of a bucket. It outlives the bucket's findings.
enum store_state {
    STORE_NEW,
    STORE_TRIAGED, // a person has looked at it
    STORE_FILED,   // reported to its project: `link`
    STORE_FIXED,
    STORE_WONT, // it will not be fixed
    STORE_STATES
};
const char *store_state_name(enum store_state s);               // "filed"
bool store_state_find(const char *name, enum store_state *out); // false: unknown; *out unchanged
struct store_mark {
    enum store_state state;
    const char *note, *link; // "": none
    int64_t at;              // time of the mark, seconds since 1970; 0: never
};

struct report_known;
struct store_bucket {
    const struct diag_signature *signature; // its name is the bucket's name
    const char *targets;                    // each once, joined by ", "
    const char *target_text;                // for readers: the best finding's, and how many others
    struct store_mark mark;
    uint32_t findings, presumed;      // presumed: how many of them are
    uint64_t further;                 // findings that campaigns counted and that have no folder
    int64_t first_at, last_at;        // when its findings were found, seconds since 1970
    const struct store_finding *best; // the smallest; if possible not presumed, not flaky
    const struct store_finding **row; // all findings: the smallest first, then by name
    const struct report_known *known; // filled by report_known_mark; NULL: it is new
};
// Returns the class of its best finding.
static inline enum judge_class store_bucket_class(const struct store_bucket *b)
{
    return finding_class(store_shown(b->best));
}
// A folder whose record is not understood (of another version). It is not changed.
struct store_left {
    const char *folder, *why;
};
// Findings of a bucket that a campaign counted and that have no folder.
struct store_further {
    const char *bucket; // by its name before reduction
    uint64_t findings;
};
// A known bug that a campaign counted (docs/known.md).
struct store_seen {
    const char *name, *reason;
    uint64_t seen;
};
struct store_campaign { // a row of campaign.json
    const char *target, *device, *driver, *ended, *version, *json;
    const char *note; // why the target is judged as it is; "": nothing special
    uint64_t cases, agreed, findings, live_bits;
    const struct store_further *further;
    uint32_t further_count;
    const struct store_seen *seen; // those that were seen
    uint32_t seen_count;
    uint64_t skipped, compiled; // compiled: by a target that only compiles
    double seconds;
};
struct store_findings {
    struct store_finding *row;
    uint32_t rows;
    // In order of review: the bucket with most findings first, then always the bucket that differs
    // most from those before it, so that the first ten show ten different bugs.
    struct store_bucket *bucket;
    uint32_t buckets;
    struct store_campaign *campaign;
    uint32_t campaigns;
    const struct report_known *known; // as passed to report_known_mark
    uint32_t known_count;
    // The caller's target with the machine's folders, for commands; NULL: as the findings name it.
    const char *target_given;
    struct store_left *left;
    uint32_t left_count;
};

struct store;

// Opens the store of a campaign's folder, DIR/findings.db; creates it, or migrates an older schema.
// Several processes may write. If DIR is not writable, the store is in memory: store_sync and
// store_list work, and nothing is kept. NULL with a message: it cannot be created, or is not a
// database, or has a newer version, or is a link.
struct store *store_open(const char *dir, struct err *e);
// The same, and updated by store_sync. store_make: for a folder that may be new; it is made.
struct store *store_updated(const char *dir, struct err *e);
struct store *store_make(const char *dir, struct err *e);
// Opens a campaign's folder only to copy from it: it is not changed, and only store_copy works.
// NULL with a message if it has no findings/.
struct store *store_open_source(const char *dir, struct err *e);
void store_close(struct store *s); // NULL: nothing to do

// The sender of findings, and how many of them are kept. All zero: all are kept. A folder keeps
// all.
struct store_sender {
    const char *name; // node and job, for readers
    int64_t stream;   // of their seeds (farm/farm.h); 0: they have none, as in a pushed campaign
    uint32_t keep;    // most findings of their stream and their bucket before reduction
};
enum store_put {
    STORE_ADDED,
    STORE_SMALLER, // it replaced a larger one
    STORE_THERE,   // nothing changed
    STORE_ENOUGH,  // not stored: there are store_sender.keep of them
    STORE_PUTS
};
struct store_kept {
    enum store_put did;
    uint32_t kept; // how many of its stream and bucket are stored now; for ADDED and ENOUGH
};
// Stores the finding `f` of folder `dir` with its files, once by its digest. May be repeated. False
// with a message, also if its files cannot be read.
bool store_put(struct store *s, const char *dir, const struct store_finding *f,
               const struct store_sender *by, struct store_kept *out, struct err *e);
// Lists all findings in buckets, in order of review, in `a`. A bucket without a mark inherits that
// of a bucket in which one of its findings was before its reduction.
bool store_list(struct store *s, struct arena *a, struct store_findings *out, struct err *e);
// Returns the bucket of that name; else the bucket with most findings that were in a bucket of that
// name before their reduction; NULL: none.
const struct store_bucket *store_bucket_named(const struct store_findings *v, const char *name);
// Keeps only the buckets that were first seen at `since` or later (seconds since 1970; 0: any time)
// and that `before`, an earlier campaign (NULL: none), did not have: neither a bucket of their
// name, nor buckets named by the first signatures of all their findings.
void store_keep_new(struct arena *a, struct store_findings *v, int64_t since,
                    const struct store_findings *before);
// Sets the mark of a bucket: always the state, unless it is STORE_STATES; a NULL note or link stays
// unchanged; `at` 0: now.
// False with a message, also if the store has no bucket of that name, or is in memory.
bool store_mark(struct store *s, const char *bucket, const struct store_mark *m, struct err *e);
// Updates the store from the campaign's folder `dir`: adds what is new or changed and removes what
// is gone: findings, their reductions, campaign.json. The folders are the source: everything but
// marks can be rebuilt from them. Reads a folder only if its time has changed. *added: number of
// findings in new or changed folders. False with a message; then nothing of this call is stored.
bool store_sync(struct store *s, const char *dir, uint32_t *added, struct err *e);
// Locks the campaign's folder for a process that reads and rewrites campaign.json, until the
// descriptor is closed. Waits for other holders of the lock. -1 with a message.
int store_lock(const char *dir, struct err *e);
// Opens, updates and lists the store of a campaign's folder.
bool store_read(const char *dir, struct arena *a, struct store_findings *out, struct err *e);

// Which findings of a store: the `top` to review first (0: all), of one bucket (NULL: of all). A
// folder as a source has no order, and copies all.
struct store_choice {
    uint64_t top;
    const char *bucket;
};
struct store_copying {
    struct store_choice choice;
    struct store_sender by;
    // Marks of the buckets that `into` has: copy none, to those without a mark, or to all.
    enum { STORE_MARKS_NONE, STORE_MARKS_MISSING, STORE_MARKS_ALL } marks;
};
struct store_copied {
    uint32_t put[STORE_PUTS]; // number of findings by result
    uint32_t left;            // not copied: their records are not understood
    uint32_t campaigns;       // number with new figures
};
// Copies findings of one store into another, which may be a folder that is new: their files and
// times, the figures of campaigns, and marks of buckets. Does not change `from`. False with a
// message, also if a folder `from` has no findings/; what was copied before stays, and a repeated
// call completes the copy.
bool store_copy(struct store *into, struct store *from, const struct store_copying *how,
                struct store_copied *out, struct err *e);

// Reads the finding in DIR/findings/NAME (finding_read) with its smallest reduction.
enum finding_read store_folder_read(struct arena *a, const char *dir, const char *name,
                                    struct store_finding *out, struct err *e);

#endif
