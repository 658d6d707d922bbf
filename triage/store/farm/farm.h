// SPDX-License-Identifier: Apache-2.0
//
// farm: the one store of many machines' work, in PostgreSQL: streams, ranges of seeds that are
// leased, findings once with their files, buckets with what people said of them, regressions by
// stream.
//
// Each call is one statement. All that write may be sent twice. A connection that is lost, and a
// server that starts or is full, is waited for (farm_patience); else false with a line. A store is
// used by one thread at a time.
#ifndef TF_FARM_H
#define TF_FARM_H

#include "store/known.h"
#include "store/store.h"

enum { FARM_SCHEMA = 1 };

// ---- the store ---------------------------------------------------------------------------

struct farm;
// DSN as libpq takes it; "" for what its environment says (PGSERVICE, PGHOST, ...). NULL with a
// line: nobody answers, no store there, another schema.
struct farm *farm_open(const char *dsn, struct err *e);
void farm_close(struct farm *f);
// Makes the store in a database, or brings an older one up to date; *was: its schema before, 0 for
// none. Roles tanglefuzz_work, _read and _triage are made where that is allowed, and get their
// rights.
bool farm_init(const char *dsn, uint32_t *was, struct err *e);
// For how many seconds a call waits for a store that is away. `go_on`, which may be NULL, is asked
// meanwhile.
void farm_patience(struct farm *f, double seconds, void *user,
                   bool (*go_on)(void *user, const char *why));

// ---- streams and seeds -------------------------------------------------------------------

// Work whose results may be put together.
struct farm_stream {
    const char *target;  // as --target takes it
    const char *device;  // what it tells: campaign_device_text
    const char *driver;  // for people
    uint32_t generator;  // GEN_VERSION
    const char *options; // JSON object: what is made
};
// The stream's number; it is made where it is new.
bool farm_stream_open(struct farm *f, const struct farm_stream *s, int64_t *id, struct err *e);
// Streams of a target (NULL: all), the newest first.
struct farm_named {
    int64_t id;
    const char *target, *driver;
};
bool farm_streams(struct farm *f, struct arena *a, const char *target, struct farm_named **out,
                  uint32_t *n, struct err *e);

// Gives out its seeds or not ("open", "paused"; NULL: as it is), and none from `end` on (0: as it
// is).
bool farm_stream_set(struct farm *f, int64_t stream, const char *state, uint64_t end,
                     struct err *e);

// Seeds that somebody has for a while: first .. end-1.
struct farm_range {
    int64_t stream;
    uint64_t first, end;
    uint32_t lease; // how often they were given out, this time too
};
enum farm_taken { FARM_TAKEN, FARM_NOTHING, FARM_DONE };
struct farm_owner {
    const char *name;     // node and job, for people
    double lease_seconds; // until it is taken for gone, from its last call
};
// The next range: one whose lease ran out, else `size` new seeds (0: about ten minutes' worth).
bool farm_take(struct farm *f, int64_t stream, uint64_t size, const struct farm_owner *o,
               enum farm_taken *what, struct farm_range *out, struct err *e);
// These seeds. FARM_DONE: nothing is left to do. False too where they overlap others.
bool farm_claim(struct farm *f, int64_t stream, uint64_t first, uint64_t end,
                const struct farm_owner *o, enum farm_taken *what, struct farm_range *out,
                struct err *e);
// *mine: false when somebody else has it now.
bool farm_beat(struct farm *f, const struct farm_range *r, const struct farm_owner *o, bool *mine,
               struct err *e);
bool farm_release(struct farm *f, const struct farm_range *r, struct err *e);
// How many findings of a bucket a range had, kept or not.
struct farm_tally {
    struct store_signature signature;
    uint32_t n;
};
// The range is done; `summary`: campaign_json. *counted: false where it was done before.
bool farm_done(struct farm *f, const struct farm_range *r, const char *summary,
               const struct farm_tally *t, uint32_t n, bool *counted, struct err *e);
// The indices below `count` that are not done, of ranges of `size` seeds.
bool farm_missing(struct farm *f, struct arena *a, int64_t stream, uint64_t size, uint64_t count,
                  uint64_t **out, uint32_t *n, struct err *e);

// ---- findings ----------------------------------------------------------------------------

enum farm_put { FARM_NEW, FARM_SMALLER, FARM_THERE, FARM_ENOUGH };
// The finding in DIR/findings/NAME with its files, once: FARM_SMALLER replaces one that is there
// and larger. FARM_ENOUGH: `keep` findings of its bucket and stream are there. *kept: how many now;
// 0 where it is there.
bool farm_put(struct farm *f, int64_t stream, const char *owner, uint32_t keep, const char *dir,
              const char *name, enum farm_put *out, uint32_t *kept, struct err *e);
// A campaign of the folder DIR, finished elsewhere: its findings, and its figures once.
struct farm_pushed {
    uint32_t added, there, enough, campaigns;
};
bool farm_push(struct farm *f, const char *dir, const char *owner, uint32_t keep,
               struct farm_pushed *out, struct err *e);
// The `top` findings to look at first (0: all; of one bucket where that is not NULL), as a
// campaign's folder for report, replay and reduce: findings/, campaign.json with a row a stream,
// marks, known/. What is there stays. *pulled counts those that were not there.
bool farm_pull(struct farm *f, const char *dir, uint64_t top, const char *bucket, uint32_t *pulled,
               struct err *e);

// ---- what people say ----------------------------------------------------------------------

// NULL texts and state stay. False where there is no such bucket.
bool farm_mark(struct farm *f, const char *bucket, const char *state, const char *note,
               const char *link, struct err *e);
// A file NAME.known, checked.
bool farm_known_add(struct farm *f, const char *path, struct err *e);
// Writes all of them into the folder, which is made. *n: how many.
bool farm_known_get(struct farm *f, const char *dir, uint32_t *n, struct err *e);

// ---- regressions --------------------------------------------------------------------------

// A case (the text of case.spvasm) that each stream of the target is asked about. *added: it was
// not there.
bool farm_regress_add(struct farm *f, const char *name, const char *target, const char *text,
                      size_t size, bool *added, struct err *e);
struct farm_replay {
    const char *digest, *name, *target, *text;
};
// A case that the stream has not answered; *there: false for none.
bool farm_replay_take(struct farm *f, struct arena *a, int64_t stream, const struct farm_owner *o,
                      bool *there, struct farm_replay *out, struct err *e);
// `judged`: it was right or wrong; else neither.
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
    uint64_t findings, pushed, replays;
    const char *json; // all of it, as one object
};
bool farm_status(struct farm *f, struct arena *a, struct farm_status *out, struct err *e);

#endif
