// SPDX-License-Identifier: Apache-2.0
//
// Where the rules leave a choice (D3, M2): which choices of an implementation explain
// what it showed?
#ifndef TF_JUDGE_POLICY_H
#define TF_JUDGE_POLICY_H

#include "judge.h"

enum policy_answer {
    POLICY_FOUND,     // these choices explain it
    POLICY_NONE,      // none does: bits are wrong that no choice has a say in, or all were tried
    POLICY_OUT,       // none of those tried does, and there are more: ambiguous
    POLICY_UNDEFINED, // under some choice the program has no meaning
};

struct policy_search {
    enum policy_answer answer;
    uint32_t tried;                    // runs of the oracle
    bool by_no_choice;                 // POLICY_NONE: `expected` is what no choice has a say in
    struct spv_choices choices;        // POLICY_FOUND: the ones; POLICY_NONE: the nearest
    const struct spv_memory *expected; // POLICY_FOUND, POLICY_NONE: what they give
    struct judge_verdict verdict;      // against it
    char why[400];                     // POLICY_UNDEFINED
};

// Compares `observed` (a memory a buffer) with what the oracle gives under one choice
// after the other, within `budget` runs; `first` before all others. Results live in `a`.
enum { POLICY_BUDGET = 300 };
void policy_search(struct arena *a, const struct prediction *p, const struct orc_lanes *lanes,
                   const struct spv_memory *observed, uint32_t count,
                   const struct spv_choices *first, uint32_t budget, struct policy_search *out);

// mapping.c: a case without a lanes buffer is judged for the linear mapping, and "there is no
// direct relationship" between invocations and lanes (Vulkan, "Subgroups"). Of a device's answer
// that is wrong: the name of another mapping under which it is right, or NULL.
const char *other_mapping(const struct prediction *p, const struct run_result *r);

#endif
