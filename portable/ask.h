// SPDX-License-Identifier: Apache-2.0
//
// State shared by ask.c, ask_notes.c and ask_again.c: the table being filled and the oracle's runs.
// Private to portable/.
#ifndef TF_PORTABLE_ASK_H
#define TF_PORTABLE_ASK_H

#include "portable_inner.h"

enum { POR_MAXIMAL = POR_MODELS - 1 };
// Budget for trying further inputs once the table is filled, in instructions per invocation.
enum { POR_SPEND = 40 * 1000 * 1000 };

struct por_ran {
    struct orc_result r;
    struct orc_trace t;
};

// What a run depends on (runs.c).
struct por_run_key {
    uint64_t inputs[2]; // hashes
    uint64_t made_up;
    uint32_t model, size, order, flags;
};

struct por_table {
    struct por_asker w;
    struct por_answer *out;
    struct arena load, scratch;
    // Memory of runs: of the first size that has an answer, of the current size, of the current
    // run.
    struct arena keep, here, now;
    struct arena other;            // of a run that is compared with the one in `weak`
    struct arena weak;             // of a run under a weaker model, while `here` is in use
    struct arena inputs, contents; // inputs that are tried: of a round; of one question in it
    struct arena races;            // of `raced`
    struct por_runs {              // runs that were made before (runs.c)
        struct arena all;
        const struct por_kept *last; // NULL: none
        bool hashed;                 // `inputs` are those of the current inputs
        uint64_t inputs[2];
    } runs;
    struct orc_raced raced; // of the last run
    uint64_t made_up; // not 0: memory that was never written has contents (orc_options.any_value)
    struct spv_case c[POR_MODELS];
    struct orc_program *p[POR_MODELS];
    struct orc_why refused[POR_MODELS];
    const struct spv_case *bare;
    const struct por_given *given;
    bool own;
    struct por_plain {
        bool known; // `ran` was made with the current inputs, without options, in arena `now`
        uint32_t size;
        struct por_ran ran;
        uint32_t asked; // size at which por_does_not_count was asked with the current inputs
        bool answer;
    } plain;
    bool agree;        // all models promise the same (models.c)
    uint64_t spent;    // of POR_SPEND
    uint64_t one_run;  // cost of a run with the first inputs
    bool partly;       // the result is less certain for counts that no subgroup size divides
    bool forgive;      // runs continue after what ends one (orc_options)
    bool loads_end;    // but not after a load that races
    uint32_t outside;  // a read outside of its image; 0: none
    struct por_below { // reads at a negative coordinate, which is outside of every size
        uint32_t inst;
        uint32_t varied; // number of sets of ordinary numbers that show it
    } below[ORC_BELOWS];
    uint32_t belows;
    bool waits;        // some loop may wait for another invocation
    uint8_t *updates;  // [instruction] an atomic: 1: one invocation executed it; 2: several
    uint32_t *reached; // [block] bit s: some invocation ran it at size s
    const char *more;  // text that lists the inputs of all further rounds
    const char *with;  // the inputs of the current further round; "" in the first round
};

// ask.c. Runs the case under model k and resets arena `in` first. The result lives in `in`.
void por_run(struct por_table *b, struct arena *in, uint32_t k, uint32_t size,
             const struct orc_options *how, struct por_ran *out);
// runs.c. False: such a run cannot be looked up.
bool por_run_key(struct por_table *b, uint32_t k, uint32_t size, const struct orc_options *how,
                 struct por_run_key *out);
// True if a run with this key was made and kept: *out is its result, as por_run leaves it.
bool por_run_again(struct por_table *b, const struct por_run_key *key, struct arena *in,
                   struct por_ran *out);
// Adds what a run left, and what is known of its races, to the digest of given->made. `found`: it
// was looked up.
void por_run_note(struct por_table *b, const struct por_ran *x, bool found);
// Keeps the result of a run, if there is room.
void por_run_keep(struct por_table *b, const struct por_run_key *key, const struct por_ran *x);
// The instruction where a run ended.
uint32_t por_ended_at(const struct por_table *b, const struct orc_why *why);
// por_fill_shape fills `c` with inputs of a shape, which live in arena `in`: b->w.a, or one of
// those for tried inputs, which it resets first. por_take copies the inputs of a filled case to the
// loaded programs.
bool por_fill_shape(struct por_table *b, struct arena *in, const struct por_shape *shape,
                    struct spv_case *c, struct err *e);
void por_take(struct por_table *b, const struct spv_case *c);
void por_load(struct por_table *b, const struct spv_case *c); // loads the programs of all models
// models.c. True if all models promise the same: every operation whose result they decide is
// executed by all invocations together, by all paths.
bool por_models_agree(const struct por_asker *w);
// True if results may depend on which lane an invocation is.
bool por_has_lanes(const struct spv_module *m);
// choose_inputs.c. Leaves the case filled. False with a message: the module cannot be filled.
bool por_choose_shape(struct por_table *b, uint32_t size, struct err *e);
// Rates a run with these inputs, at least POR_JUDGED if it can be judged; *cell is its cell under
// maximal reconvergence. *steps grows by its cost.
enum { POR_JUDGED = 900 * 1000 };
// por_rated_blocks: the part of a rating that counts blocks, per mille.
uint32_t por_rated_blocks(uint32_t rated);
uint32_t por_rate(struct por_table *b, uint32_t size, uint64_t *steps, struct por_cell *cell);
// mend_inputs.c. Changes a shape with which the module cannot be judged, until it can be.
void por_mend(struct por_table *b, uint32_t size, struct por_shape *shape);
void por_note(struct por_table *b, const char *text); // at most once per text
// Computes the cell for a run under model k. `maximal` is the cell under maximal reconvergence.
void por_judge_run(struct por_table *b, uint32_t k, const struct por_ran *x,
                   const struct por_cell *maximal, struct por_cell *out);
// Finds a word that differs between two runs. `rounded`: also compares rounded floats. False: no
// such word.
bool por_differ(struct por_table *b, const struct por_ran *x, const struct por_ran *y, bool rounded,
                uint32_t *buffer, uint32_t *word);
// unordered.c: true if the word is in an array whose elements have no order, and both runs leave
// the same elements.
bool por_same_set(struct por_table *b, const struct por_ran *x, const struct por_ran *y,
                  uint32_t buffer, uint32_t word);
// An election always succeeds in every tangle. True if the result depends neither on which
// invocation is elected nor on how many are.
bool por_elections(struct por_table *b, uint32_t k, uint32_t size, const struct por_ran *maximal,
                   struct por_ran *x);
// go_on.c. The run ended early, or left something undefined. Runs again in a way that forgives it,
// so that what comes after it is found. Returns whether only the letter of the specification was
// broken: then *own is the cell of that run. *maximal: the run that continued. Leaves b->forgive
// set if that run came to its end, or to what is not known after a race of the letter only.
bool por_go_on(struct por_table *b, struct arena *in, uint32_t size, struct por_ran *maximal,
               struct por_cell *own);
// made_up.c. The cell of a run is not known because of memory that was never written. True if the
// results are the same whatever that memory holds, as far as runs with several contents show: then
// b->made_up is set, and further runs have contents.
bool por_does_not_count(struct por_table *b, uint32_t size, const struct por_ran *x,
                        const struct por_cell *own);
// equal_stores.c. Returns shape k < OTHERS with the sizes of `shape` and other contents.
enum { OTHERS = 4 };
struct por_shape por_other_contents(const struct por_shape *shape, uint32_t k);
// A run came through the race of *own, perhaps because all invocations stored the
// same value. True if with other invented values it does not: then *own is not known. `end`: the
// word where the run ended after that race; 0: it came to its end.
bool por_equal_by_inputs(struct por_table *b, uint32_t size, uint32_t end, struct por_cell *own);
// dead_loads.c. True if other inputs may let the value of a load that races count, where with these
// it does not.
bool por_dead_by_inputs(struct por_table *b);
// The run ended early, at instruction `end`. True if nevertheless no value of a load that races can
// count: each use has been executed, and left the value out.
bool por_dead_at_once(const struct por_table *b, uint32_t end);
// Runs all models at size s and fills the table. *maximal: the run under maximal reconvergence, in
// arena `in`.
void por_one_size(struct por_table *b, struct arena *in, uint32_t s, struct por_ran *maximal);

// ask_notes.c. The first group operation, atomic or barrier of a block; 0: none.
uint32_t por_first_that_counts(const struct spv_module *m, uint32_t block);
void por_coverage(struct por_table *b, uint32_t s, const struct orc_trace *t);
void por_unreached(struct por_table *b);
// not_run.c. Notes stores that no input reached. Cells become "not reached" if nothing was stored.
void por_not_run(struct por_table *b);
// True if no input can lead to a block at the sizes that were judged: constants that are not
// invented, or the subgroup size, decide every branch to it.
bool por_excluded(const struct por_table *b, uint32_t block);
void por_several(struct por_table *b);
void por_remainders(struct por_table *b);
void por_aliases(struct por_table *b);
void por_lost_decoration(struct por_table *b);
void por_precision(struct por_table *b, uint32_t size, const struct por_ran *first);
void por_mapping(struct por_table *b, uint32_t size, const struct por_ran *first);

// outside.c. por_saw_outside records reads outside of images in a run; por_varied_outside those of
// a run with ordinary numbers. por_outside notes the first one, or takes it for a fault by the
// letter.
void por_saw_outside(struct por_table *b, const struct orc_trace *t);
void por_varied_outside(struct por_table *b, const struct orc_trace *t);
void por_outside(struct por_table *b, uint32_t size);

// alone.c. True if the order of an atomic may count: its result is used, or it is not a sum.
bool por_order_counts(const struct spv_module *m, uint32_t inst);
// Records the invocations that executed atomics; returns one that inputs let one invocation reach;
// says so.
void por_updated(struct por_table *b, const struct orc_trace *t);
uint32_t por_alone(struct por_table *b);
void por_say_alone(struct por_table *b);

// Sets of ordinary numbers that must show what one might owe to an invented number.
enum { POR_SHOWN = 3, POR_ORDINARY = 6 }; // POR_ORDINARY: all
// vary.c. Fills the table again with ordinary numbers that show something worse. Leaves the case
// and the inputs changed.
void por_vary(struct por_table *b, uint32_t size);
// exact.c. Notes accesses that leave an array of exactly as many elements as a number says with
// which the index is tested later. `first`: the inputs so far. Leaves the case changed.
void por_exact(struct por_table *b, uint32_t size, const struct por_inputs *first);
// ask_again.c
void por_other_ways(struct por_table *b, uint32_t size);

#endif
