// SPDX-License-Identifier: Apache-2.0
//
// Searches for the choices of an implementation (D3, M2, R9, D4) that explain an observed result.
#ifndef TF_JUDGE_POLICY_H
#define TF_JUDGE_POLICY_H

#include "judge.h"

enum policy_answer {
    POLICY_FOUND,     // these choices explain it
    POLICY_NONE,      // none do: bits are wrong that no choice affects, or all choices were tried
    POLICY_OUT,       // none of those tried do, and there are more: ambiguous
    POLICY_UNDEFINED, // under some choice the program has undefined behaviour
};

struct policy_search {
    enum policy_answer answer;
    uint32_t tried;    // runs of the oracle
    bool by_no_choice; // POLICY_NONE: `expected` holds only what is the same under every choice
    struct spv_choices choices; // POLICY_FOUND: the explanation; POLICY_NONE: the closest choices
    const struct spv_memory *expected; // POLICY_FOUND, POLICY_NONE: memory under `choices`
    struct judge_verdict verdict;      // verdict against `expected`
    char why[400];                     // POLICY_UNDEFINED
};

// Compares `observed` (one memory per buffer) with the oracle's result under different choices, in
// at most `budget` runs. Tries `first` before all others. Results live in `a`.
enum { POLICY_BUDGET = 300 };
void policy_search(struct arena *a, const struct prediction *p, const struct orc_lanes *lanes,
                   const struct spv_memory *observed, uint32_t count,
                   const struct spv_choices *first, uint32_t budget, struct policy_search *out);

// mapping.c: a case without a lanes buffer is judged for the linear mapping, but Vulkan
// ("Subgroups") guarantees no direct relationship between invocations and lanes. For a mismatch of
// a device, returns the name of another mapping under which the result is right, or NULL.
const char *other_mapping(const struct prediction *p, const struct run_result *r);

#endif
