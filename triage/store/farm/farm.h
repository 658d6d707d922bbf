// SPDX-License-Identifier: Apache-2.0
//
// farm: the one store of many machines' work, in PostgreSQL: streams, ranges of seeds that are
// leased, findings once with their files, buckets with what people said of them, regressions by
// stream.
//
// What holds for each call: it is one statement, and one that writes may be sent twice. It returns
// true when the store answered. It returns false with one line in *e when the store refuses (no
// right, a wrong name, another schema) or is away for longer than the patience; what it would have
// written is then not written, and its outputs say nothing. Texts and arrays that it gives out lie
// in the arena that it was given. A store is used by one thread at a time.
#ifndef TF_FARM_H
#define TF_FARM_H

#include "store/known.h"
#include "store/store.h"

enum { FARM_SCHEMA = 1 };

// ---- the store ---------------------------------------------------------------------------

// How a call waits for a store that is away, starts, has no room for one more connection, or lost
// this one. All zero: not at all.
struct farm_patience {
    double seconds; // of one call
    void *user;
    bool (*go_on)(void *user); // asked often while it waits; false ends it. NULL: always
    // Told when a call has waited half a second, and twice a minute from then on; `why` is NULL
    // once when the store answers again. NULL: not told.
    void (*away)(void *user, const char *why, double waited);
};

struct farm;
// In: an address as libpq takes it, "" for what its environment says (PGSERVICE, PGHOST ...); the
// patience, NULL for none, which holds from the first connection on. Out: the store. NULL with a
// line: words that libpq does not know, a password in the address, no libpq; the store refuses or
// is away; there is no store in the database, or one of another schema.
struct farm *farm_open(const char *dsn, const struct farm_patience *patience, struct err *e);
void farm_close(struct farm *f); // NULL: nothing to do
// From now on.
void farm_patience(struct farm *f, const struct farm_patience *patience);
// Gives the connection back to the server when the last call ended `seconds` ago or earlier: a
// server has fewer connections than there are workers. The next call makes a new one.
void farm_idle(struct farm *f, double seconds);
// Makes the store in a database, or brings an older one up to date, in one transaction. Out: *was,
// its schema before, 0 for none. The roles tanglefuzz_work, _read and _triage are made where that
// is allowed, and get their rights. False with a line too for a store of a newer schema. Nothing
// is waited for.
bool farm_init(const char *dsn, uint32_t *was, struct err *e);

// ---- streams and seeds -------------------------------------------------------------------

// Work whose results may be put together.
struct farm_stream {
    const char *target;  // as --target takes it
    const char *device;  // what it tells: campaign_device_text
    const char *driver;  // for people
    uint32_t generator;  // GEN_VERSION
    const char *options; // JSON object: what is made
};
// Out: *id, the number of the stream that is equal in all but `driver`; it is made where it is new.
// False with a line too for texts that are no UTF-8.
bool farm_stream_open(struct farm *f, const struct farm_stream *s, int64_t *id, struct err *e);

struct farm_named {
    int64_t id;
    const char *target, *driver;
};
// Out: the *n streams of a target (NULL: of all), the newest first.
bool farm_streams(struct farm *f, struct arena *a, const char *target, struct farm_named **out,
                  uint32_t *n, struct err *e);

// Changes a stream: its seeds are given out or not (`state`: "open", "paused"; NULL: as it is), and
// none from `end` on (0: as it is). False with a line too where there is no such stream.
bool farm_stream_set(struct farm *f, int64_t stream, const char *state, uint64_t end,
                     struct err *e);

// Seeds that a worker has for a while: first .. end-1.
struct farm_range {
    int64_t stream;
    uint64_t first, end;
    uint32_t lease; // how often they were given out, this time too
};
enum farm_taken {
    FARM_TAKEN,   // *out is the caller's
    FARM_NOTHING, // the stream has no more seeds, or is paused
    FARM_DONE     // farm_claim alone: these seeds are done
};
struct farm_owner {
    const char *name;     // node and job, for people
    double lease_seconds; // so long after its last call for the range it is taken for gone
};
// Out: *what, and in *out the next range of the stream: one whose lease ran out, else `size` new
// seeds (0: about ten minutes' worth).
bool farm_take(struct farm *f, int64_t stream, uint64_t size, const struct farm_owner *o,
               enum farm_taken *what, struct farm_range *out, struct err *e);
// The same for the seeds first .. end-1 and no others; another worker that has them loses them.
// False with a line too where they overlap other ranges.
bool farm_claim(struct farm *f, int64_t stream, uint64_t first, uint64_t end,
                const struct farm_owner *o, enum farm_taken *what, struct farm_range *out,
                struct err *e);
// Renews the lease. Out: *mine, false when another worker has the range now, or it is done.
bool farm_beat(struct farm *f, const struct farm_range *r, const struct farm_owner *o, bool *mine,
               struct err *e);
// Gives the range back: the next worker takes it at once. Nothing happens where it is another's.
bool farm_release(struct farm *f, const struct farm_range *r, struct err *e);
// How many findings of a bucket a range had, kept or not.
struct farm_tally {
    const struct diag_signature *signature;
    uint32_t n;
};
// The range is done. In: `summary`, the JSON text of campaign_json; a tally of each of n buckets.
// Out: *counted, false where the range was done before: then nothing changes.
bool farm_done(struct farm *f, const struct farm_range *r, const char *summary,
               const struct farm_tally *t, uint32_t n, bool *counted, struct err *e);
// Out: those *n of the indices 0 .. count-1 whose `size` seeds each are not done, in order.
bool farm_missing(struct farm *f, struct arena *a, int64_t stream, uint64_t size, uint64_t count,
                  uint64_t **out, uint32_t *n, struct err *e);

// ---- findings ----------------------------------------------------------------------------

enum farm_put {
    FARM_NEW,
    FARM_SMALLER, // it took the place of a larger one
    FARM_THERE,   // nothing changed
    FARM_ENOUGH   // `keep` findings of its bucket and stream are there: it is not stored
};
// Stores the finding in DIR/findings/NAME with its files, once. Out: what became of it; *kept, how
// many of its bucket and stream there are now, 0 where it was there. False with a line too for a
// folder that cannot be read or holds no finding.
bool farm_put(struct farm *f, int64_t stream, const char *owner, uint32_t keep, const char *dir,
              const char *name, enum farm_put *out, uint32_t *kept, struct err *e);
struct farm_pushed {
    uint32_t added, there, enough; // findings, by what became of them
    uint32_t campaigns;            // whose figures are new
};
// Stores the folder DIR of a campaign that ran without the store: its findings, each as farm_put
// does, and its figures once. False with a line too where DIR has no findings/. What was sent
// before an error stays; to send all again is right.
bool farm_push(struct farm *f, const char *dir, const char *owner, uint32_t keep,
               struct farm_pushed *out, struct err *e);
// Writes the `top` findings to look at first (0: all; of one bucket where that is not NULL) into
// DIR, as a campaign's folder for report, replay and reduce: findings/, campaign.json with a row a
// stream, marks, known/. What is there stays. Out: *pulled, those that were not there. False with a
// line too for names that lead out of DIR and for what cannot be written; a finding's folder is
// whole or not there.
bool farm_pull(struct farm *f, const char *dir, uint64_t top, const char *bucket, uint32_t *pulled,
               struct err *e);
struct farm_pruned {
    uint64_t findings, ranges; // whose files are gone; joined with the range before them
};
// Makes the store smaller by what is older than so many seconds. Of each bucket and target the
// `keep` smallest findings (at least 1) stay whole; the files of others go. Done ranges of one day
// and stream whose seeds follow each other become one, with the sums of all. What is counted of
// findings, seeds and cases stays as it is. Several statements: what went before an error is gone.
bool farm_prune(struct farm *f, double older_seconds, uint32_t keep, struct farm_pruned *out,
                struct err *e);

// ---- what people say ----------------------------------------------------------------------

// Says something of a bucket; a NULL state (store_state_name), note or link stays. False with a
// line too where there is no such bucket, or no such state.
bool farm_mark(struct farm *f, const char *bucket, const char *state, const char *note,
               const char *link, struct err *e);
// Stores the file NAME.known; one of that name is replaced. False with a line too for a file that
// cannot be read, is called otherwise, or is no known bug.
bool farm_known_add(struct farm *f, const char *path, struct err *e);
// Writes all known bugs into the folder, which is made. Out: *n, how many. False with a line too
// for what cannot be written.
bool farm_known_get(struct farm *f, const char *dir, uint32_t *n, struct err *e);

// ---- regressions --------------------------------------------------------------------------

// Stores a case (the text of a case.spvasm) that each stream of the target is asked about. Out:
// *added, false where it was there.
bool farm_regress_add(struct farm *f, const char *name, const char *target, const char *text,
                      size_t size, bool *added, struct err *e);
struct farm_replay {
    const char *digest, *name, *target, *text;
};
// Out: *there, false for none; a case that the stream has not answered and that no other worker has
// for the time of its lease.
bool farm_replay_take(struct farm *f, struct arena *a, int64_t stream, const struct farm_owner *o,
                      bool *there, struct farm_replay *out, struct err *e);
// The stream's answer. In: the class; `judged`: it was right (`good`) or wrong, else neither. An
// answer that is there stays.
bool farm_replay_done(struct farm *f, const struct farm_replay *r, int64_t stream,
                      const char *klass, bool judged, bool good, struct err *e);

// ---- the whole at a glance ------------------------------------------------------------------

struct farm_progress {
    int64_t id;
    const char *target, *driver, *state;
    uint64_t next_seed, seeds_done, leased, overdue, given_up;
    uint64_t cases, agreed, live_bits, findings, flaky;
    double seconds, rate, idle_seconds; // rate: cases a second, over the last hour
};
struct farm_bucket {
    const char *name, *signature, *klass, *sentence, *state, *note, *link;
    uint64_t kept, seen, streams, words;
    int64_t first_at, last_at; // seconds since 1970, the server's
};
// A page of buckets, in the order in which they were first seen, the newest first.
struct farm_page {
    const char *state; // of this state; "other": of any but new; NULL: all
    const char *after; // those that come after this bucket; NULL: from the newest on
    uint64_t limit;    // at most so many; 0: all
};
// Out: the *n buckets of the page. Its time does not grow with their number in the store. False
// with a line too where there is no bucket `after`.
bool farm_buckets(struct farm *f, struct arena *a, const struct farm_page *p,
                  struct farm_bucket **out, uint32_t *n, const char **json, struct err *e);
// What another driver version changed about a case.
struct farm_change {
    const char *name, *bucket, *target, *was_driver, *driver, *was, *klass;
    const char *change; // "fixed", "new", "came back"
    bool is_last;       // nothing newer was asked
};
struct farm_status {
    struct farm_progress *stream;
    struct farm_bucket *bucket; // the first seen first
    struct farm_change *change; // the oldest first
    uint32_t streams, buckets, changes;
    uint64_t new_buckets, other_buckets; // all that there are, by state
    uint64_t findings, pushed, replays;
    const char *json; // all of it, as one object
};
// Out: the whole store, but of buckets the `newest` of state new and as many of other states (0:
// all).
bool farm_status(struct farm *f, struct arena *a, uint64_t newest, struct farm_status *out,
                 struct err *e);

#endif
