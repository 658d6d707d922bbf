// SPDX-License-Identifier: Apache-2.0
//
// farm: the work of many machines in one PostgreSQL database: streams, leased ranges of seeds,
// findings with their files (each once), buckets with their triage marks, regressions by stream.
//
// Each call returns true if the store answered. It returns false with a message in *e if the store
// refuses (no privilege, an unknown name, another schema) or is away for longer than the patience;
// then its outputs are not valid. A call that writes may be repeated. Most calls are one statement,
// so one that fails has written nothing; farm_prune is several. Texts and
// arrays that a call returns are in the passed arena. Only one thread may use a store at a time.
#ifndef TF_FARM_H
#define TF_FARM_H

#include "store/known.h"
#include "store/store.h"

enum { FARM_SCHEMA = 1 };

// ---- the store ---------------------------------------------------------------------------

// How a call waits for a store that is away, is starting, has no free connection, or lost this
// connection. All zero: it does not wait.
struct farm_patience {
    double seconds; // of one call
    void *user;
    bool (*go_on)(
        void *user); // called often while it waits; false ends the wait. NULL: never ends it
    // Called after half a second of waiting, and then twice a minute; with `why` NULL, once, when
    // the store answers again. NULL: not called.
    void (*away)(void *user, const char *why, double waited);
};

struct farm;
// Opens a store. `dsn`: an address in libpq's form, "" for its environment variables (PGSERVICE,
// PGHOST ...). `patience` applies from the first connection on; NULL for none. NULL with a message:
// an unknown keyword, a password in the address, no libpq; the store refuses or is away; the
// database has no store, or one of another schema.
struct farm *farm_open(const char *dsn, const struct farm_patience *patience, struct err *e);
void farm_close(struct farm *f); // NULL: nothing to do
// Replaces the patience, which must not be NULL.
void farm_patience(struct farm *f, const struct farm_patience *patience);
// Closes the connection if the last call ended at least `seconds` ago: a server has fewer
// connections than there are workers. The next call opens a new one.
void farm_idle(struct farm *f, double seconds);
// Creates the store in a database, or migrates an older one, in one transaction. *was: its previous
// schema, 0 for none. Creates the roles tanglefuzz_work, _read and _triage if permitted, and grants
// their privileges. False also for a store of a newer schema. Does not wait.
bool farm_init(const char *dsn, uint32_t *was, struct err *e);

// ---- streams and seeds -------------------------------------------------------------------

// Work whose results may be combined.
struct farm_stream {
    const char *target;  // as --target takes it
    const char *device;  // its own description: campaign_device_text
    const char *driver;  // for readers
    uint32_t generator;  // GEN_VERSION
    const char *options; // JSON object: what is generated
};
// Finds the stream that is equal in all but `driver`, or creates it, with the regression cases of
// its target. *id: its number. `options` must be valid JSON. False also if a text is not UTF-8.
bool farm_stream_open(struct farm *f, const struct farm_stream *s, int64_t *id, struct err *e);

struct farm_named {
    int64_t id;
    const char *target, *driver;
};
// Lists the streams of a target (NULL: of all), the newest first.
bool farm_streams(struct farm *f, struct arena *a, const char *target, struct farm_named **out,
                  uint32_t *n, struct err *e);

// Changes a stream: whether its seeds are leased (`state`: "open", "paused"; NULL: unchanged), and
// its last seed + 1 (`end`; 0: unchanged). False also for an unknown stream.
bool farm_stream_set(struct farm *f, int64_t stream, const char *state, uint64_t end,
                     struct err *e);

// Seeds leased to a worker: first .. end-1.
struct farm_range {
    int64_t stream;
    uint64_t first, end;
    uint32_t lease; // number of leases, including this one
};
enum farm_taken {
    FARM_TAKEN,   // *out is the caller's
    FARM_NOTHING, // the stream has no more seeds, or is paused
    FARM_DONE     // only from farm_claim: these seeds are done
};
struct farm_owner {
    const char *name;     // node and job, for readers
    double lease_seconds; // so long after its last call about the range it counts as gone
};
// Leases a range of the stream: one whose lease expired, else `size` new seeds (0: for about ten
// minutes). A range that five workers did not finish is given up. *what: result; *out: range.
bool farm_take(struct farm *f, int64_t stream, uint64_t size, const struct farm_owner *o,
               enum farm_taken *what, struct farm_range *out, struct err *e);
// Leases exactly the seeds first .. end-1, even if the stream is paused or ends before. If another
// worker holds them, it loses them. False also if they overlap other ranges.
bool farm_claim(struct farm *f, int64_t stream, uint64_t first, uint64_t end,
                const struct farm_owner *o, enum farm_taken *what, struct farm_range *out,
                struct err *e);
// Renews the lease. *mine: false if another worker holds the range now, or it is done.
bool farm_beat(struct farm *f, const struct farm_range *r, const struct farm_owner *o, bool *mine,
               struct err *e);
// Ends the lease: the next worker takes the range at once. No effect if another worker holds it.
bool farm_release(struct farm *f, const struct farm_range *r, struct err *e);
// The number of findings of a bucket in a range, stored or not.
struct farm_tally {
    const struct diag_signature *signature;
    uint32_t n;
};
// Marks the range as done, even if another worker holds its lease. `summary`: the JSON text of
// campaign_json; `t`: tallies of n buckets. *counted: false if it was done before: nothing changes.
bool farm_done(struct farm *f, const struct farm_range *r, const char *summary,
               const struct farm_tally *t, uint32_t n, bool *counted, struct err *e);
// Lists the indices i of 0 .. count-1 whose seeds i*size .. (i+1)*size-1 are not all done, in
// order.
bool farm_missing(struct farm *f, struct arena *a, int64_t stream, uint64_t size, uint64_t count,
                  uint64_t **out, uint32_t *n, struct err *e);

// ---- findings ----------------------------------------------------------------------------

// Returns the farm as a store of findings (store/store.h): store_put, store_list, store_mark and
// store_copy, to a campaign's folder and from it. It is closed by farm_close, or by store_close.
struct store *farm_store(struct farm *f);
struct farm_pruned {
    uint64_t findings, ranges; // findings whose files were deleted; ranges merged with another one
};
// Shrinks what is older than so many seconds. The `keep` smallest findings (at least 1) of each
// bucket and target keep their files; the files of others are deleted. Adjacent done ranges of one
// stream and day are merged, with summed figures. The counts of findings, seeds and cases do not
// change. Uses several statements: those before an error have taken effect.
bool farm_prune(struct farm *f, double older_seconds, uint32_t keep, struct farm_pruned *out,
                struct err *e);

// ---- known bugs ------------------------------------------------------------------------------

// Stores the file NAME.known, and replaces one of that name. False also if the file cannot be read,
// has another name, or is not a known bug.
bool farm_known_add(struct farm *f, const char *path, struct err *e);
// Writes all known bugs into the folder, which is created. *n: their number. False also if a file
// cannot be written.
bool farm_known_get(struct farm *f, const char *dir, uint32_t *n, struct err *e);

// ---- regressions --------------------------------------------------------------------------

// Stores a case (the text of a case.spvasm) that each stream of the target runs. *added: false if
// it was there.
bool farm_regress_add(struct farm *f, const char *name, const char *target, const char *text,
                      size_t size, bool *added, struct err *e);
struct farm_replay {
    const char *digest, *name, *target, *text;
};
// Leases a case that the stream has not run and that no other worker holds. *there: false if there
// are none.
bool farm_replay_take(struct farm *f, struct arena *a, int64_t stream, const struct farm_owner *o,
                      bool *there, struct farm_replay *out, struct err *e);
// Stores the stream's result for a leased case. `klass`: name of its class; `judged`: it was right
// (`good`) or wrong; else neither. A second call changes nothing.
bool farm_replay_done(struct farm *f, const struct farm_replay *r, int64_t stream,
                      const char *klass, bool judged, bool good, struct err *e);

// ---- overview -------------------------------------------------------------------------------

struct farm_progress {
    int64_t id;
    const char *target, *driver, *state;
    uint64_t next_seed, seeds_done, leased, overdue, given_up; // the last three count ranges
    uint64_t cases, agreed, live_bits, findings, flaky;
    double seconds, rate, idle_seconds; // rate: cases a second, over the last hour
};
struct farm_bucket {
    const char *name, *signature, *klass, *sentence, *state, *note, *link;
    uint64_t kept, seen, streams, words;
    int64_t first_at, last_at; // seconds since 1970, by the server's clock
};
// A page of buckets, ordered by when they were first seen, the newest first.
struct farm_page {
    const char *state; // only this state; "other": any but new; NULL: all
    const char *after; // the buckets after this one; NULL: from the newest on
    uint64_t limit;    // at most so many; 0: all
};
// Lists the buckets of the page; *json: the same as a JSON array. Its time does not grow with the
// number of buckets in the store. False also if bucket `after` does not exist.
bool farm_buckets(struct farm *f, struct arena *a, const struct farm_page *p,
                  struct farm_bucket **out, uint32_t *n, const char **json, struct err *e);
// A case whose result differs between two driver versions.
struct farm_change {
    const char *name, *bucket, *target, *was_driver, *driver, *was, *klass;
    const char *change; // "fixed", "new", "came back"
    bool is_last;       // no newer version has run it
};
struct farm_status {
    struct farm_progress *stream;
    struct farm_bucket *bucket; // the first seen first
    struct farm_change *change; // the oldest first
    uint32_t streams, buckets, changes;
    uint64_t new_buckets, other_buckets; // number of all buckets, by state
    uint64_t findings, pushed, replays;
    const char *json; // all of it, as one object
};
// Reports the state of the store: all streams and changes, and of the buckets only the `newest` of
// state new and as many of other states (0: all).
bool farm_status(struct farm *f, struct arena *a, uint64_t newest, struct farm_status *out,
                 struct err *e);

#endif
