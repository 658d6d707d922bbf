// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files experiment_*.c. Private to the room.
#ifndef TF_DIAGNOSE_EXPERIMENT_PARTS_H
#define TF_DIAGNOSE_EXPERIMENT_PARTS_H

#include "experiment.h"
#include "hypothesis.h"

// Returns the name of a decoration that a change removes or inserts; "" for others.
const char *tweak_decoration_name(uint32_t d);
// Opens a program for predictions before the target is asked; *rules: its memory by the rules.
// False if it is not defined. Results are in `a`; close it with hypotheses_close.
bool experiment_open(struct hypotheses *r, struct arena *a, const struct spv_case *c,
                     struct orc_result *rules);
// Opens a program that the target ran. False if it left no memory that can be compared.
bool experiment_judge(struct arena *a, struct hypotheses *r, const struct spv_case *c,
                      const struct experiment_answer *answer);
// Reports whether the reason permits right memory on a program where it predicts wrong memory: it
// is about one operation and the program has another one, or the compiler did not make its change.
bool experiment_may_be_right(const struct diag_signature *s, const struct diag_reason *r,
                             const struct diag_tweak *t, const struct spv_case *c,
                             const struct experiment_answer *answer);
// Fills the record of a control program that the target ran, at the first word where hypothesis `h`
// predicts something else than the rival (NULL: than the rules). False if there is none.
bool experiment_show(struct hypotheses *r, const struct diag_tweak *t,
                     const struct diag_hypothesis *h, const struct diag_reason *rival,
                     struct diag_control *out);
// Tests a reason that is a change by a compiler, with at most `runs` runs; *out becomes
// DIAG_WHY_UNKNOWN if wrong memory occurs without the change. (experiment_change.c)
void experiment_change(const struct spv_case *c, const struct diag_signature *s,
                       const struct experiment_target *t, uint32_t runs, struct diag_reason *out);
// Finds the first instruction that returns a wrong result from right operands, with at most `runs`
// runs for the search and as many for control programs. Fills *out if there is one and at least two
// control programs show the same; else leaves it. Compute shaders of one dimension only.
// (experiment_result.c)
void experiment_result(const struct spv_case *c, const struct experiment_target *t, uint32_t runs,
                       struct diag_reason *out);
// Builds the case that a reason with a change `without` is about, in `a`. False if it cannot.
// (experiment_exposed.c)
bool experiment_exposed_case(struct arena *a, const struct spv_case *c, const struct diag_tweak *t,
                             uint32_t shown, struct spv_case *out);
// Asks about one more control program of such a reason.
enum experiment_drawn experiment_result_draw(const struct spv_case *c, const struct diag_reason *r,
                                             const struct diag_tweak *tweak,
                                             const struct experiment_target *t,
                                             struct diag_control *out);

#endif
