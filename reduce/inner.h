// SPDX-License-Identifier: Apache-2.0
//
// Private header of reduce.
//
//   reduce.c          runs the stages in order
//   search.c          distributes candidates to threads; the first interesting one in order wins
//   choices.c         stage 1: edits of the choice sequence
//   module.c          stage 2: the table of passes, and what counts as smaller
//   edit.c            queries about instructions
//   finish.c          clean-up after an edit (also cleanup_uses.c); conversion to words
//   pass_*.c          stage 2: one kind of edit each
//   measure.c         size and hash of a case
#ifndef TF_REDUCE_INNER_H
#define TF_REDUCE_INNER_H

#include "reduce.h"

// A list of candidates. `make` (on a worker's thread) builds candidate `index` as a case in `a`.
// False if it cannot be a case or is not smaller than the current one.
struct red_maker {
    const void *user;
    bool (*make)(const void *user, struct arena *a, uint32_t index, struct spv_case *out);
    bool generated;
};

struct red_search;
struct red_search *search_start(struct arena *a, const struct red_options *o,
                                const struct red_events *ev, struct red_stats *stats);
void search_stop(struct red_search *s);
// Tests candidates from .. n-1 in order. Returns the index of the first interesting one and copies
// it to *out, in `a`. Returns n if there is none, and UINT32_MAX if the search was stopped or out
// of time (search_end returns which).
uint32_t search_first(struct red_search *s, struct arena *a, const struct red_maker *m,
                      uint32_t from, uint32_t n, struct spv_case *out);
enum red_end search_end(const struct red_search *s);
// Reports an accepted case to the caller; false: stop.
bool search_accept(struct red_search *s, const struct spv_case *c);

// red_measure for a module that is already read; NULL: not a module.
void measure_module(const struct spv_case *c, const struct spv_module *m, struct red_size *out);

// Each stage replaces the best case so far by a smaller one; false: stopped.
bool choices_reduce(struct red_search *s, struct red_stats *stats, struct arena *a,
                    struct spv_case *best);
bool module_reduce(struct red_search *s, struct red_stats *stats, struct arena *a,
                   const struct red_options *o, struct spv_case *best);

#endif
