// SPDX-License-Identifier: Apache-2.0
//
// Why a value is wrong: what happened, argued from the values that were observed and from the
// tangles of the oracle's run; the rule that says otherwise; and with which single mistake the
// oracle gives just what was observed.
#ifndef TF_DIAGNOSE_REASON_H
#define TF_DIAGNOSE_REASON_H

#include "diagnose/diagnose.h"
#include "diagnose/facts.h"

// A hypothesis: one mistake, and no other. The oracle's run with it shows which words it explains.
struct diag_hypothesis {
    uint8_t mistake; // enum diag_mistake: which of the fields below hold
    // DIAG_RULE_BROKEN, DIAG_LANES_COUNTED: the fault, and where (orc_options.fault_at), 0:
    // everywhere. DIAG_INST_EDITED: the instruction's result id or, where it has none, its block's
    // label; 0: all of the kind.
    enum orc_fault fault;
    uint32_t at;
    uint8_t counted;                       // DIAG_LANES_COUNTED: enum diag_counted
    uint32_t block;                        // of DIAG_COUNTS_IN_EARLIER and _IN_LATER: its label
    uint32_t edge_from, edge_was, edge_is; // DIAG_EDGE_ELSEWHERE: the block, and the two labels
    uint8_t edit;                          // DIAG_INST_EDITED: enum diag_edit
    uint32_t value;                        // the edit's
};

struct diag_reason {
    uint8_t why, also; // enum diag_why; of several the likeliest; `also`: where lanes are missing
                       // beside some too many
    uint8_t known;     // enum diag_known
    uint8_t rule;      // enum diag_rule that says otherwise; none where it needs no such rule
    struct diag_hypothesis hypothesis; // DIAG_BY_HYPOTHESIS
    // The first place where it shows; has_place false: none is known.
    bool has_place;
    uint32_t workgroup, subgroup;
    uint32_t label; // the block
    uint32_t op;    // result id of the group operation, or of the value; 0 for none
    uint32_t row;   // result id of the group operation that gives it there; 0: the block as a whole
    uint32_t time;  // how many times that, or the block, was executed in the subgroup before
    lane_mask tangle;  // who executes it
    lane_mask counted; // whom one of them, `lane`, counts
    lane_mask wrong;   // lanes of the tangle to whom something wrong is given
    lane_mask helpers; // lanes of the tangle that are helpers
    uint32_t lane;
    uint32_t other;      // label: the block that parts them, or where they came together; 0: none
    uint32_t own, later; // DIAG_LATER_VALUE of a group operation: which execution made the lane's
                         // own value, and which the one that it holds; from 1, 0 for not known
    uint64_t own_value, later_value;
    uint64_t rivals; // 1 << enum diag_why: other reasons that give the same words
};

// The reason of a mismatch: the case with subgroup size and policy as it was judged, memory as it
// was expected and observed. `s`: what probes and the compiler's change say (may be NULL). False
// where there is nothing to argue about: then why is DIAG_WHY_UNKNOWN.
bool diag_reason(const struct spv_case *c, const struct spv_memory *expected,
                 const struct spv_memory *observed, const struct diag_signature *s,
                 struct diag_reason *out);

// ---- in words (words_reason.c, words_stage.c) ------------------------------------------------

// As a report's title has it, without a full stop; "" for unknown (facts.c).
const char *diag_why_title(enum diag_why w);
// Names of ids for people: [bound] with "%x", or NULL; where NULL, the module's OpName or number.
struct diag_names {
    const struct spv_module *m;
    const char *const *name;
};
// Returns "lane 3", "lanes 0, 4-7". In `a`.
const char *diag_lanes_words(struct arena *a, lane_mask m);
// Return sentences, each with a full stop: what happened; the rule that says otherwise, with its
// section; the near miss. "" where nothing is known. In `a`.
const char *diag_why_words(struct arena *a, const struct diag_reason *r,
                           const struct diag_names *n);
const char *diag_why_rule(struct arena *a, const struct diag_reason *r, enum spv_model model);
const char *diag_why_near(struct arena *a, const struct diag_reason *r, const struct diag_names *n);

#endif
