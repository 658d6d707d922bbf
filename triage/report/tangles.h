// SPDX-License-Identifier: Apache-2.0
//
// The oracle's run of a case as a picture's steps.
#ifndef TF_REPORT_TANGLES_H
#define TF_REPORT_TANGLES_H

#include "oracle/oracle.h"
#include "report.h"

// The names that a case's own text gives to its ids, "%x" by id; NULL where it has no text, or one
// that does not go with the words. In `a`.
const char **tangles_names(struct arena *a, const struct spv_module *m, const char *text);

struct tangles {
    uint32_t workgroup, subgroup; // which to keep; UINT32_MAX: all
    size_t limit;                 // steps at most
    bool fold;      // iterations by the same lanes are left out (report_fold), before the limit
    bool one_order; // where an expectation has no answer: what one legal order of atomics gives,
                    // and floats rounded. Out: whether that is shown
    const struct diag_reason *reason; // of the same words: what is wrong by it is marked; or NULL
    // Out:
    bool cut; // there were more
    struct orc_result result;
    struct report_picture picture; // without a title
};
// Runs `words` (a module of the case's interface) on the case's inputs. Judged as if it
// reconverged maximally, whatever the case's model. All in `a`.
void tangles_run(struct arena *a, const struct spv_case *c, const uint32_t *words, size_t count,
                 uint32_t size, const struct spv_choices *policy, struct tangles *t);

// Leaves out iterations of a loop that the same lanes run in the same way, but the first and the
// last of them, and puts one step with `folded` in their place. Returns how many steps are left.
size_t report_fold(struct report_step *v, size_t n);

#endif
