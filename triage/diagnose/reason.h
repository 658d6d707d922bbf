// SPDX-License-Identifier: Apache-2.0
//
// Why a value is wrong: what happened, derived from the observed values and from the tangles of the
// oracle's run; the rule that it breaks; and the single mistake with which the oracle produces
// exactly the observed values.
#ifndef TF_DIAGNOSE_REASON_H
#define TF_DIAGNOSE_REASON_H

#include "diagnose/diagnose.h"
#include "diagnose/facts.h"

// A hypothesis: a single mistake. A run of the oracle with it shows which words it explains.
struct diag_hypothesis {
    uint8_t mistake; // enum diag_mistake: selects the valid fields below
    // DIAG_RULE_BROKEN, DIAG_LANES_COUNTED: the fault, and its place (orc_options.fault_at), 0:
    // everywhere. DIAG_INST_EDITED: the instruction's result id or, if it has none, its block's
    // label; 0: all instructions of the kind.
    enum orc_fault fault;
    uint32_t at;
    uint8_t counted; // DIAG_LANES_COUNTED: enum diag_counted
    uint32_t block;  // DIAG_COUNTS_IN_EARLIER, DIAG_COUNTS_IN_LATER: the block's label
    uint32_t edge_from, edge_was, edge_is; // DIAG_EDGE_ELSEWHERE: the block, and the two labels
    uint8_t edit;                          // DIAG_INST_EDITED: enum diag_edit
    uint32_t value;                        // parameter of the edit
};

enum { DIAG_CONTROLS = 24 };
struct diag_reason {
    // enum diag_why; the likeliest one; `also`: why lanes are missing, if others are extra;
    // DIAG_ELSEWHERE if another branch explains the words as well.
    uint8_t why, also;
    uint8_t known;                     // enum diag_known
    uint8_t rule;                      // the broken rule, enum diag_rule; none if no rule is needed
    struct diag_hypothesis hypothesis; // DIAG_BY_HYPOTHESIS
    // The first place where it shows, if has_place.
    bool has_place;
    uint32_t workgroup, subgroup;
    uint32_t label; // of the block
    uint32_t op;    // result id of the group operation, or of the value; 0 for none
    uint32_t row;   // result id of the group operation that differs there; 0: the block as a whole
    uint32_t time;  // number of its earlier executions (or the block's) in the subgroup
    lane_mask tangle;  // the lanes that execute it
    lane_mask counted; // the lanes that `lane`, one of them, counts
    lane_mask wrong;   // lanes of the tangle that get a wrong value
    lane_mask helpers; // lanes of the tangle that are helpers
    uint32_t lane;
    uint32_t other;      // label of the block where they diverge or reconverge; 0: none
    uint32_t own, later; // DIAG_LATER_VALUE of a group operation: the execution that produced the
                         // lane's own value, and that whose value it holds; from 1; 0: not known
    uint64_t own_value, later_value;
    // DIAG_WRONG_RESULT: `op` is the instruction; other: 0, or the block at whose start its value
    // is wrong, though it is right where it is computed; own: the component; later: the number of
    // recorded operands; own_value, later_value: the right and the observed result of `lane`;
    // tangle, counted: of a ballot of `true`; also: DIAG_OTHER_ITERATION if all lanes that it
    // counts too much execute it at another time.
    // The case leaves no memory: the words, and the controls, are those of the case with this
    // change and with a record of result `shown`. Kind DIAG_NO_TWEAK: they are those of the case.
    struct diag_tweak without;
    uint32_t shown;
    uint64_t rivals; // 1 << enum diag_why: other reasons that explain the same words
    // Control programs that the target was asked about; 0: the reason is not tested. On `confirmed`
    // of them the reason predicts wrong memory, or other memory than its best rival, and that was
    // observed. control[0 .. controls): all of them, the most informative first.
    uint8_t asked, confirmed, controls;
    struct diag_control control[DIAG_CONTROLS];
};

// Finds the reason of a mismatch. `c`: the case with subgroup size and policy as it was judged.
// `expected`, `observed`: memory. `s`: the signature with the results of probes and the compiler's
// change (may be NULL). False if no reason is found: then why is DIAG_WHY_UNKNOWN.
bool diag_reason(const struct spv_case *c, const struct spv_memory *expected,
                 const struct spv_memory *observed, const struct diag_signature *s,
                 struct diag_reason *out);

// Adds to a reduced case's signature what a reason shows that survived experiments on the target.
// If one wrong operation is at fault: the fault of the oracle that explains it; findings with equal
// faults are one bug, whichever operation of the class shows it. If a compiler made code depend on
// the helper status: that this code is a load, if so.
void diag_signature_reasoned(struct diag_signature *s, const struct diag_reason *r);

// ---- as text (words_reason.c, words_stage.c) -------------------------------------------------

// Returns the title for a report, without a full stop; "" for unknown (facts.c).
const char *diag_why_title(enum diag_why w);
// Names of ids for readers: [bound], as "%x", or NULL; then the module's OpName or the number.
struct diag_names {
    const struct spv_module *m;
    const char *const *name;
};
// Returns "lane 3", "lanes 0, 4-7". In `a`.
const char *diag_lanes_words(struct arena *a, lane_mask m);
// Return sentences, each with a full stop: what happened; the rule that it breaks, with its
// section; the mistake that explains it. "" if not known. In `a`.
const char *diag_why_words(struct arena *a, const struct diag_reason *r,
                           const struct diag_names *n);
const char *diag_why_rule(struct arena *a, const struct diag_reason *r, enum spv_model model);
const char *diag_why_near(struct arena *a, const struct diag_reason *r, const struct diag_names *n);

#endif
