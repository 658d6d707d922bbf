// SPDX-License-Identifier: Apache-2.0
//
// What the files of a farm's worker share.
#ifndef TF_CAMPAIGN_WORK_PARTS_H
#define TF_CAMPAIGN_WORK_PARTS_H

#include "work.h"

#include <pthread.h>
#include <stdatomic.h>

struct work {
    const struct work_options *o;
    const struct work_events *ev;
    struct farm *farm;
    char dir[1024]; // below it: known/, now/
    struct work_count *n;
    struct farm_patience patience; // outside of a range
};

// ---- work_send.c: while a range runs, one thread speaks with the store

struct to_send {
    const char *dir, *name; // a campaign's folder, a finding in it
    bool again;             // it was sent before, and may be smaller now
};
struct sender {
    struct work *w;
    struct farm_range range;
    const char *out; // the campaign's folder
    int64_t stream;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    atomic_bool lost, failed,
        leave;      // somebody else has the range; the store is gone; do not wait for it
    struct err err; // of failed

    // Under the lock.
    struct arena arena;
    VEC(struct to_send) queue; // oldest first
    size_t sent;               // of them
    bool end;                  // no more come
    VEC(struct farm_tally) tally;
    VEC(const char *) reduce; // kept findings that are worth it
    uint64_t counts[FARM_ENOUGH + 1];
};
void sender_start(struct sender *s, struct work *w, const struct farm_range *r, const char *out);
void sender_add(struct sender *s, const char *dir, const char *name, bool again);
// Waits until all that was added is in the store; false when that will not be.
bool sender_drain(struct sender *s);
// Ends the thread. False with a line when the range is no longer ours or the store is gone.
bool sender_stop(struct sender *s, struct err *e);
void sender_free(struct sender *s);

// ---- work_replay.c

// Cases that this stream was not asked about. False with a line: the store failed.
bool work_replays(struct work *w, int64_t stream, struct err *e);

#endif
