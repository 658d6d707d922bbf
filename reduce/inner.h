// SPDX-License-Identifier: Apache-2.0
//
// Inside of reduce.
//
//   reduce.c          the stages, one after the other
//   search.c          candidates to threads; the first good one in order wins
//   choices.c         stage 1: edits of the choice sequence
//   module.c          stage 2: the table of passes, and when to start over
//   edit.c            what the passes ask of instructions
//   tidy.c, finish.c  what a change leaves behind; words again
//   pass_*.c          stage 2: one kind of edit each
//   measure.c         how big a case is
#ifndef TF_REDUCE_INNER_H
#define TF_REDUCE_INNER_H

#include "reduce.h"

// One candidate. `make` (on a worker's thread) turns it into a case in `a`, false
// when it cannot be one or is no smaller than what is there.
struct red_maker {
    const void *user;
    bool (*make)(const void *user, struct arena *a, uint32_t index, struct spv_case *out);
    bool generated;
};

struct red_search;
struct red_search *search_start(struct arena *a, const struct red_options *o,
                                const struct red_events *ev, struct red_stats *stats);
void search_stop(struct red_search *s);
// Asks about candidates from .. n-1 in order. Gives the index of the first that is
// interesting, with a copy of it in `a`; n when none is; UINT32_MAX when the time was
// up or someone stopped it (search_end says which).
uint32_t search_first(struct red_search *s, struct arena *a, const struct red_maker *m,
                      uint32_t from, uint32_t n, struct spv_case *out);
enum red_end search_end(const struct red_search *s);
// Told about what was accepted; false: stop.
bool search_accept(struct red_search *s, const struct spv_case *c);

// red_measure of a module that is read already; NULL: it is none.
void measure_module(const struct spv_case *c, const struct spv_module *m, struct red_size *out);

// Each stage takes the best case so far and leaves a better one; false: stopped.
bool choices_reduce(struct red_search *s, struct red_stats *stats, struct arena *a,
                    struct spv_case *best);
bool module_reduce(struct red_search *s, struct red_stats *stats, struct arena *a,
                   const struct red_options *o, struct spv_case *best);

#endif
