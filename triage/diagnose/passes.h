// SPDX-License-Identifier: Apache-2.0
//
// Finds the pass of a driver's compiler that makes a case go wrong: runs the driver's code after
// each of its passes (levels/levels.h) on the case, and compares each result with the oracle's.
#ifndef TF_DIAGNOSE_PASSES_H
#define TF_DIAGNOSE_PASSES_H

#include "diagnose.h"
#include "levels/levels.h"

enum { PASSES_NONE = UINT32_MAX }; // no such level

// The result of a level.
enum passes_seen {
    PASSES_RIGHT,
    PASSES_WRONG,
    PASSES_SKIPPED, // no machine knows it, or nothing could be judged
};
struct passes_level {
    enum passes_seen seen;
    enum judge_class klass;
    uint32_t uneven; // the line of the level whose value is wrongly marked as uniform; 0: none
    char text[400];  // what is wrong, or why it was skipped; one line
};

// Why the pass is not certain; the first that applies.
enum passes_doubt {
    PASSES_SURE,
    PASSES_NOT_SHOWN, // the last level is right: the fault is not in what was dumped
    PASSES_FIRST,     // the first level is wrong: the fault is in a pass before it
    PASSES_AGAIN,     // a level is wrong, and a later one is right again
    PASSES_GAP,       // levels between the right and the wrong one were skipped
    PASSES_UNEVEN,    // a level up to the right one marks a value as uniform that is not
    PASSES_DIED,      // the compiler ends while this pass runs, and prints no more
    PASSES_UNNAMED,   // it ends after the last level, `pass`; which pass follows is not known
    PASSES_DOUBTS
};
const char *passes_doubt_line(enum passes_doubt d); // one sentence without a full stop

struct passes {
    struct levels levels;
    struct passes_level *level; // one for each of levels.v
    uint32_t ran, skipped;      // numbers of levels
    // The first level of those at the end that are all wrong, and the last right one before it.
    uint32_t wrong, right;
    uint32_t marked; // PASSES_UNEVEN: the last level up to `right` that marks such a value
    enum passes_doubt doubt;
    enum judge_class klass; // of level `wrong`
    const char *pass;       // that made it: at fault if `doubt` is PASSES_SURE. NULL: not shown
    const char *target;     // the target that prints the dump; NULL: from a file
    const char *after;      // PASSES_DIED, PASSES_UNNAMED: the pass of the last level; NULL: none
    uint32_t runs;          // of the target
};

// Judges the levels of a dump. `machine`: the result of the machine code, for a level
// LEVEL_MACHINE; NULL: none.
void passes_judge(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  const struct levels *l, const struct run_result *machine, struct passes *out);
// Lets a target (isa:vulkan:driver=nvk ...) dump its code for the predicted case, and judges it.
// If the compiler crashes, hangs or refuses the case, the last level that it began to print names
// the pass: the next one of a small program that it compiles. False with a line in `e`: not such a
// target, nothing is wrong, or its dump cannot be read.
bool passes_find(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                 const char *target, const char *self, const struct run_options *o,
                 struct passes *out, struct err *e);
// Can passes_find ask this target?
bool passes_known(const char *target);
// Is `pass` at fault for sure?
static inline bool passes_sure(const struct passes *b)
{
    return b->pass && (b->doubt == PASSES_SURE || b->doubt == PASSES_DIED);
}
// For passes_find: the compiler of `dumped` ended with `r` (passes_died.c).
bool passes_died(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                 const char *dumped, enum level_driver driver, const char *self,
                 const struct run_options *o, const struct run_result *r, struct passes *out,
                 struct err *e);

// A line that only one of two texts has.
struct passes_change {
    bool added; // in the second text, else only in the first
    uint32_t line;
    const char *text;
    uint32_t n; // bytes of the line
};
// Returns the number of differences from `before` to `after`; UINT32_MAX if there are more than
// PASSES_CHANGES. Comments and the width of blanks do not count.
enum { PASSES_CHANGES = 400 };
uint32_t passes_difference(struct arena *a, const char *before, const char *after,
                           struct passes_change **out);

#endif
