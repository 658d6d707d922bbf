// SPDX-License-Identifier: Apache-2.0
//
// Private header of the farm worker's files.
#ifndef TF_CAMPAIGN_WORK_PARTS_H
#define TF_CAMPAIGN_WORK_PARTS_H

#include "work.h"

#include <pthread.h>
#include <stdatomic.h>

struct work {
    const struct work_options *o;
    const struct work_events *ev;
    struct farm *farm;
    char dir[1024]; // holds known/ and now/
    struct work_count *n;
    struct farm_patience patience; // for calls outside of a range
};

// ---- work_send.c: one thread talks to the store while a range runs

struct to_send {
    const char *dir, *name; // a campaign's folder, a finding in it
    bool again;             // sent before; it may be smaller now
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
        leave;      // another worker has the range; the store failed; do not wait for the store
    struct err err; // of `failed`

    // Under the lock.
    struct arena arena;
    VEC(struct to_send) queue; // oldest first
    size_t sent;               // number of them that are sent
    bool end;                  // no more will be added
    VEC(struct farm_tally) tally;
    VEC(const char *) reduce; // kept findings to be reduced
    uint64_t counts[STORE_PUTS];
};
void sender_start(struct sender *s, struct work *w, const struct farm_range *r, const char *out);
void sender_add(struct sender *s, const char *dir, const char *name, bool again);
// Waits until everything added is in the store. False if that will not happen.
bool sender_drain(struct sender *s);
// Ends the thread. False with a message if the range was lost or the store failed.
bool sender_stop(struct sender *s, struct err *e);
void sender_free(struct sender *s);

// ---- work_replay.c

// Replays the cases that this stream has not run. False with a message: the store failed.
bool work_replays(struct work *w, int64_t stream, struct err *e);

#endif
