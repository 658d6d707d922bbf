// SPDX-License-Identifier: Apache-2.0
//
// Runs enumerated programs in the oracle, without a target: how many there are, whether both
// machines agree, and how many behaviours they have.
//
// The behaviour of a program is what its operations see: for all input sets, the operations that
// ran in each subgroup, in order, each with the lanes that executed it.
#ifndef TF_CAMPAIGN_CENSUS_H
#define TF_CAMPAIGN_CENSUS_H

#include "generator/generator.h"

struct census_set { // of hashes
    uint64_t *v;
    size_t n, room;
};

struct census {
    uint64_t programs, behaviours; // equal to an earlier one: programs - behaviours
    uint64_t choices;              // with a choice of the implementation (D3, M2)
    uint64_t disagree, undefined;  // bugs in tanglefuzz
    char first[600];               // the first of these
    double make, mask, tag;        // seconds of CPU time: making programs, each machine
    struct census_set seen;
};

// Runs the program of a number, with the options' subgroup size, inputs and model. Returns the hash
// of its behaviour. Everything but `s->seen` is in `a`.
uint64_t census_one(struct census *s, struct arena *a, const struct enumeration *all,
                    uint64_t number, const struct gen_options *g);
// Returns the hash of the behaviour of a program, given as its cases. Never 0.
uint64_t census_behaviour(struct arena *a, const struct spv_case *cases, uint32_t n);
void census_free(struct census *s);

#endif
