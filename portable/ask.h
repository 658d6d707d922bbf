// SPDX-License-Identifier: Apache-2.0
//
// What ask.c, ask_notes.c and ask_again.c share: a table that is being filled, and its runs.
// Private to portable/.
#ifndef TF_PORTABLE_ASK_H
#define TF_PORTABLE_ASK_H

#include "portable_inner.h"

enum { POR_MAXIMAL = POR_MODELS - 1 };
// Instructions, one an invocation, that trying other inputs may take beside the table.
enum { POR_SPEND = 40 * 1000 * 1000 };

struct por_table {
    struct por_asker w;
    struct por_answer *out;
    struct arena load, scratch;
    // What runs leave: of the first size that has an answer, of the size at hand, of the run at
    // hand.
    struct arena keep, here, now;
    struct spv_case c[POR_MODELS];
    struct orc_program *p[POR_MODELS];
    struct orc_why refused[POR_MODELS];
    const struct spv_case *bare;
    const struct por_given *given;
    bool own;
    uint64_t spent;    // of POR_SPEND
    uint64_t one_run;  // what a run with the first inputs takes
    bool partly;       // with counts that no subgroup divides it comes out otherwise
    bool waits;        // some loop may wait for another invocation
    uint32_t *reached; // [block] a bit each: of the sizes at which somebody ran it
    const char *more;  // of all of them
    const char *with;  // the inputs of a further round, for its reasons; "" in the first one
};

struct por_ran {
    struct orc_result r;
    struct orc_trace t;
};

// ask.c. One run under model k; leaves its memory in the arena, which is reset first.
void por_run(struct por_table *b, struct arena *in, uint32_t k, uint32_t size,
             const struct orc_options *how, struct por_ran *out);
// The case with the inputs of a shape; the inputs of a filled case, for the programs that are
// loaded.
bool por_fill_shape(struct por_table *b, const struct por_shape *shape, struct spv_case *c,
                    struct err *e);
void por_take(struct por_table *b, const struct spv_case *c);
void por_note(struct por_table *b, const char *text); // once
// What a run under model k says; `maximal` is what was said under maximal reconvergence.
void por_judge_run(struct por_table *b, uint32_t k, const struct por_ran *x,
                   const struct por_cell *maximal, struct por_cell *out);
// A word that two runs leave different; `rounded`: also of floats that were rounded. False: none.
bool por_differ(const struct por_ran *x, const struct por_ran *y, bool rounded, uint32_t *buffer,
                uint32_t *word);
// Somebody is elected in every tangle, whatever it is: true where it does not matter who, and how
// many.
bool por_elections(struct por_table *b, uint32_t k, uint32_t size, const struct por_ran *maximal,
                   struct por_ran *x);
// All models at size s, into the table; *maximal: the run under maximal reconvergence, in arena
// `in`.
void por_one_size(struct por_table *b, struct arena *in, uint32_t s, struct por_ran *maximal);

// ask_notes.c. The first group operation, atomic or barrier of a block; 0: none.
uint32_t por_first_that_counts(const struct spv_module *m, uint32_t block);
void por_coverage(struct por_table *b, uint32_t s, const struct orc_trace *t);
void por_unreached(struct por_table *b);
void por_aliases(struct por_table *b);
void por_lost_decoration(struct por_table *b);
void por_precision(struct por_table *b, uint32_t size, const struct por_ran *first);
void por_mapping(struct por_table *b, uint32_t size, const struct por_ran *first);

// ask_again.c
void por_other_ways(struct por_table *b, uint32_t size);

#endif
