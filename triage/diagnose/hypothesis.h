// SPDX-License-Identifier: Apache-2.0
//
// Hypotheses about a wrong memory. hypothesis.c runs one and says which words it explains;
// hypothesis_list.c tries all that there are; hypothesis_choose.c takes one of those that explain
// everything, and says whether others do as well. Nothing here makes a sentence: words.h. Private
// to the room.
#ifndef TF_DIAGNOSE_HYPOTHESIS_H
#define TF_DIAGNOSE_HYPOTHESIS_H

#include "reason.h"
#include "rows.h"
#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "trace.h"

// ---- one run (hypothesis.c)

// A case whose hypotheses are run.
struct hypotheses {
    struct arena *a;      // kept
    struct arena scratch; // of one run
    const struct spv_case *given;
    struct spv_case c; // judged as if it reconverged maximally
    const struct spv_memory *expected, *observed;
    uint32_t lanes_at; // the buffer of the lane mapping, UINT32_MAX for none
    struct spv_module m;
    struct orc_program *program;
    struct orc_lanes lanes;
    bool mapped; // `lanes` holds
    struct trace base;
    uint64_t steps, budget; // instructions, of all runs so far and at most
};
// False where the case cannot be run, or what is right by the oracle is not `expected`.
bool hypotheses_open(struct hypotheses *r, struct arena *a, const struct spv_case *c,
                     const struct spv_memory *expected, const struct spv_memory *observed);
void hypotheses_close(struct hypotheses *r);

// Words that were observed, of those with a bit that is expected and has a value.
struct hypothesis_words {
    uint32_t right, wrong;             // as expected, or not
    uint32_t right_given, wrong_given; // of these: the run leaves each such bit as it was observed
};
// Runs a hypothesis. False where it cannot be run or has no meaning, or the budget is spent; then
// *out is all zeroes.
bool hypothesis_run(struct hypotheses *r, const struct diag_hypothesis *h,
                    struct hypothesis_words *out);
// Does it give every word as it was observed, a wrong one among them?
static inline bool hypothesis_explains(const struct hypothesis_words *w)
{
    return w->wrong && w->wrong_given == w->wrong && w->right_given == w->right;
}
// The run as a list of moments, in r->a, those of what an edit put in left out. Nothing for an edge
// that goes elsewhere.
void hypothesis_trace(struct hypotheses *r, const struct diag_hypothesis *h, struct trace *out);

// ---- whom an operation counts (hypothesis_counted.c)

// Whom lane `lane` of the operation at moment `at` would count.
lane_mask hypothesis_counts(const struct trace *t, size_t at, uint32_t lane,
                            const struct diag_hypothesis *h);
// The next moment of the operation at or after `from` in the same place, with these lanes;
// SIZE_MAX.
size_t hypothesis_moment(const struct trace *t, uint32_t workgroup, uint32_t subgroup, uint32_t id,
                         lane_mask active, size_t from);

// ---- modules with one instruction edited (hypothesis_edit.c, hypothesis_helper.c,
// hypothesis_image.c)

// The module of an edit, in `a`; false where there is no such place. *places: how many there were.
bool hypothesis_edit(struct arena *a, const struct hypotheses *r, const struct diag_hypothesis *h,
                     struct spv_case *out, uint32_t *places);
// Edits to ask about instruction i. At most HYPOTHESIS_EDITS.
enum { HYPOTHESIS_EDITS = 40 };
struct edit_list {
    struct diag_hypothesis v[HYPOTHESIS_EDITS];
    uint32_t n;
};
void hypothesis_edits(const struct hypotheses *r, uint32_t i, struct edit_list *out);

// ---- all that there are (hypothesis_list.c)

enum { HYPOTHESIS_FITS = 64 };
struct hypothesis_fits {
    struct hypotheses run;
    struct diag_reason fit[HYPOTHESIS_FITS]; // that explain every word, the likelier first
    uint32_t fits;
};
// Tries hypotheses in the order that probes and the compiler's change suggest; `s` may be NULL.
void hypothesis_try_all(struct hypothesis_fits *k, const struct diag_signature *s);

// ---- where one shows first (hypothesis_place.c)

// Fills the place of a hypothesis that explains the case, and `why` where it is about who is
// counted.
void hypothesis_place(struct hypotheses *r, struct diag_reason *out);

#endif
