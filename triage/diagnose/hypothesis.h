// SPDX-License-Identifier: Apache-2.0
//
// Hypotheses about wrong memory. hypothesis.c runs one and reports which words it explains;
// hypothesis_list.c tries all of them; hypothesis_choose.c picks one that explains all words, and
// lists the rivals that do so too. No sentences here: see words.h. Private to the room.
#ifndef TF_DIAGNOSE_HYPOTHESIS_H
#define TF_DIAGNOSE_HYPOTHESIS_H

#include "reason.h"
#include "rows.h"
#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "trace.h"

// ---- one run (hypothesis.c)

// A case for which hypotheses are run.
struct hypotheses {
    struct arena *a;      // for results
    struct arena scratch; // for one run
    const struct spv_case *given;
    struct spv_case c; // the same case under maximal reconvergence
    const struct spv_memory *expected, *observed;
    uint32_t lanes_at; // index of the lane mapping's buffer; UINT32_MAX for none
    struct spv_module m;
    struct orc_program *program;
    struct orc_lanes lanes;
    bool mapped; // `lanes` is valid
    // Ignore words that a compiler's output does not determine. Else a hypothesis must predict
    // them: evidence that is too weak without control programs.
    bool only_defined;
    struct trace base;
    uint64_t steps, budget; // instructions: executed in all runs so far, and the limit
};
// False if the case cannot be run, or if the oracle's own result differs from `expected`.
bool hypotheses_open(struct hypotheses *r, struct arena *a, const struct spv_case *c,
                     const struct spv_memory *expected, const struct spv_memory *observed);
void hypotheses_close(struct hypotheses *r);

// Counts of the observed words that have an expected, defined bit.
struct hypothesis_words {
    uint32_t right, wrong;             // as expected, or not
    uint32_t right_given, wrong_given; // those that the hypothesis reproduces as observed
    uint32_t open; // those that it leaves undefined, at least in part: it may be true
};
// Runs a hypothesis. False if it cannot be run, or is undefined, or the budget is spent; then *out
// is all zeroes.
bool hypothesis_run(struct hypotheses *r, const struct diag_hypothesis *h,
                    struct hypothesis_words *out);
// Computes the memory that a hypothesis leaves, in r->scratch: valid until the next run. False as
// above.
bool hypothesis_predict(struct hypotheses *r, const struct diag_hypothesis *h,
                        struct orc_result *out);
// Reports whether it reproduces all words; whether it contradicts none.
static inline bool hypothesis_predicts(const struct hypothesis_words *w)
{
    return w->wrong_given == w->wrong && w->right_given == w->right;
}
static inline bool hypothesis_allows(const struct hypothesis_words *w)
{
    return w->wrong_given + w->right_given + w->open == w->wrong + w->right;
}
// Reports whether the hypothesis reproduces all observed words, at least one of them wrong.
static inline bool hypothesis_explains(const struct hypothesis_words *w)
{
    return w->wrong && hypothesis_predicts(w);
}
// Records the run as a list of moments, in r->a, without those of instructions that an edit added.
// Empty for DIAG_EDGE_ELSEWHERE.
void hypothesis_trace(struct hypotheses *r, const struct diag_hypothesis *h, struct trace *out);

// ---- the lanes that an operation counts (hypothesis_counted.c)

// Returns the lanes that lane `lane` of the operation at moment `at` would count.
lane_mask hypothesis_counts(const struct trace *t, size_t at, uint32_t lane,
                            const struct diag_hypothesis *h);
// Returns the next moment of the operation at or after `from` in the same subgroup, with these
// active lanes; SIZE_MAX for none.
size_t hypothesis_moment(const struct trace *t, uint32_t workgroup, uint32_t subgroup, uint32_t id,
                         lane_mask active, size_t from);

// ---- modules with one instruction edited (hypothesis_edit.c, hypothesis_helper.c,
// hypothesis_image.c)

// Builds the module of an edit, in `a`. False if it applies nowhere. *places: number of changes.
bool hypothesis_edit(struct arena *a, const struct hypotheses *r, const struct diag_hypothesis *h,
                     struct spv_case *out, uint32_t *places);
// Lists the edits to try on instruction i. At most HYPOTHESIS_EDITS.
enum { HYPOTHESIS_EDITS = 40 };
struct edit_list {
    struct diag_hypothesis v[HYPOTHESIS_EDITS];
    uint32_t n;
};
void hypothesis_edits(const struct hypotheses *r, uint32_t i, struct edit_list *out);

// ---- all hypotheses (hypothesis_list.c)

enum { HYPOTHESIS_FITS = 256, HYPOTHESIS_PER_KIND = 24 };
struct hypothesis_fits {
    struct hypotheses run;
    struct diag_reason fit[HYPOTHESIS_FITS]; // those that explain all words, the more likely first
    // Another one of its kind, or another description of the same lanes, is before it. It counts
    // only where experiments refute that one. At most HYPOTHESIS_PER_KIND of a kind are kept.
    bool spare[HYPOTHESIS_FITS];
    bool refuted[HYPOTHESIS_FITS]; // by an experiment
    uint32_t fits;
    bool untested; // no experiments will be made
    bool tested;   // experiments were made
};
// Tries hypotheses in the order that the probes and the compiler's change suggest; `s` may be NULL.
void hypothesis_try_all(struct hypothesis_fits *k, const struct diag_signature *s);

// ---- the choice (hypothesis_choose.c)

// Opens the case (as hypotheses_open) and tries hypotheses; none if it cannot be opened. *k: all
// zeroes but `untested`. The caller closes k->run.
void hypothesis_fits_of(struct hypothesis_fits *k, struct arena *a, const struct spv_case *c,
                        const struct spv_memory *expected, const struct spv_memory *observed,
                        const struct diag_signature *s);
// Chooses among the hypotheses that fit and are not refuted: one that a probe supports, else one
// that the compiler's change supports, else the first. Returns its index; k->fits: none. *rivals:
// other reasons that are supported as well.
uint32_t hypothesis_best(const struct hypothesis_fits *k, const struct diag_signature *s,
                         uint64_t *rivals);
// Returns the reason that the compiler's change is without any hypothesis; DIAG_WHY_UNKNOWN: none.
enum diag_why hypothesis_change(const struct diag_signature *s, bool observed);
// Fills the reason from that choice; without one, from probes and the compiler's change.
void hypothesis_choose(const struct hypothesis_fits *k, const struct diag_signature *s,
                       bool observed, struct diag_reason *out);

// ---- the first place where a hypothesis shows (hypothesis_place.c)

// Fills the place of a hypothesis that explains the case, and `why` if it is about the counted
// lanes.
void hypothesis_place(struct hypotheses *r, struct diag_reason *out);

#endif
