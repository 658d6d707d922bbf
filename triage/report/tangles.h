// SPDX-License-Identifier: Apache-2.0
//
// A run of the oracle as steps of a picture.
#ifndef TF_REPORT_TANGLES_H
#define TF_REPORT_TANGLES_H

#include "oracle/oracle.h"
#include "report.h"

// Returns the names of ids in a case's text, [id] "%x", in `a`. NULL if it has no text, or the text
// does not match the words.
const char **tangles_names(struct arena *a, const struct spv_module *m, const char *text);

struct tangles {
    uint32_t workgroup, subgroup; // the ones to record; UINT32_MAX: all
    size_t limit;                 // maximum number of steps
    bool fold;                    // leave out equal iterations (report_fold), before the limit
    bool one_order; // if the expectation is undetermined: show the result of one legal order of
                    // atomics, with rounded floats. Out: whether that is shown
    bool by_source; // for the picture, if the module has lines
    bool diverged;  // only steps that some invocation of the subgroup misses, and those around them
    uint32_t line;  // 0: none; else `only`: only its steps and those around them; they are marked
    bool only;
    const struct diag_reason *reason; // of the same words: its wrong lanes are marked; or NULL
    // Out:
    bool cut; // there were more steps
    struct orc_result result;
    struct report_picture picture; // without a title
};
// Runs `words`, a module with the case's interface, on the case's inputs, with the rules of maximal
// reconvergence whatever the case's model is. All results are in `a`.
void tangles_run(struct arena *a, const struct spv_case *c, const uint32_t *words, size_t count,
                 uint32_t size, const struct spv_choices *policy, struct tangles *t);

// Marks the steps of t->line, and leaves out what t->diverged and t->only exclude, a step for each
// gap. Returns the number of steps that are left.
size_t report_focus(const struct tangles *t, struct report_step *v, size_t n);

// Replaces consecutive equal iterations of a loop, except the first and the last, by one step with
// `folded`. Returns the number of steps that are left.
size_t report_fold(struct report_step *v, size_t n);

#endif
