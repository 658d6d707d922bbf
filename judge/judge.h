// SPDX-License-Identifier: Apache-2.0
//
// case -> oracle -> expected; expected x observed -> verdict. What every command that asks a
// target shares, and the fuzz targets.
#ifndef TF_JUDGE_H
#define TF_JUDGE_H

#include "oracle/oracle.h"
#include "runners/runners.h"
#include "triage/triage.h"

// What is expected of one case before any device has been asked.
struct prediction {
    const struct spv_case *c;
    uint32_t subgroup;           // the size predicted for
    struct spv_choices policy;   // and the choices of D3 and M2
    struct orc_program *program; // NULL when the oracle cannot load it; shared by input sets
    struct orc_result made;      // under the default lane mapping, or the one in `; expect`
    // All buffers by the case's own `; expect` lines, what they leave out by the
    // oracle; NULL when the case has none.
    struct spv_memory *told;
};

// Predicts n cases that share words, specialisation and dispatch. Always gives n
// predictions; what they are worth says judge_usable. Everything lives in `a`.
struct prediction *judge_predict(struct arena *a, const struct spv_case *cases, uint32_t n,
                                 uint32_t subgroup, enum spv_policy policy);
// The same with a limit on steps: a case that needs more is not usable. 0: the oracle's. What is
// needed only meanwhile goes to `scratch`, which is reset; NULL: to `a`.
struct prediction *judge_predict_within(struct arena *a, struct arena *scratch,
                                        const struct spv_case *cases, uint32_t n,
                                        uint32_t subgroup, enum spv_policy policy,
                                        uint64_t step_limit);
// Did two runs of the oracle give the same: status, rule, words and masks?
bool judge_same_result(const struct orc_result *x, const struct orc_result *y);
// The first place where the mask machine's result x and the tag machine's y differ, as one
// line; false when there is none.
bool judge_difference(const struct orc_result *x, const struct orc_result *y, char *text,
                      size_t size);
// Whether something may be expected of the case: defined by the oracle, or told by
// its `; expect` lines where the oracle does not know an instruction or gave up.
bool judge_usable(const struct prediction *p);
// The subgroup size that a case is judged for; 0 when nobody says one.
uint32_t judge_subgroup(const struct spv_case *c, uint32_t asked, const struct run_info *info);

struct judged {
    struct tri_verdict verdict;
    const struct spv_memory *expected; // what explains it, or the nearest to it; may be NULL
    struct spv_choices policy;         // under which
    bool chose;                        // the rules left a choice
    bool any_policy;                   // `expected` is what no choice has a say in
    uint32_t tried;                    // runs of the oracle in search of choices that explain it
    bool other_mapping;                // predicted again for the lane mapping that was seen
};

// Choices that a device showed: tried first next time.
struct shown_policy {
    struct spv_choices choices;
    uint64_t module; // to which choices.at belong
};

// The verdict on what a target answered. Where the rules leave a choice, any
// choices that explain it will do (policy.h); *shown is tried first and remembers them.
// Where a compiler answered with a module, the oracle runs it and *r gets its memory.
void judge_result(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  struct run_result *r, struct shown_policy *shown, struct judged *out);

// What the module in *r leaves in memory (observe.c). False with the verdict when it is
// invalid, has no meaning or cannot be judged.
bool observe_module(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                    enum spv_policy policy, const struct spv_memory *expected, struct run_result *r,
                    struct tri_verdict *verdict);

#endif
