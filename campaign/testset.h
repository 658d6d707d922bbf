// SPDX-License-Identifier: Apache-2.0
//
// Chooses test programs by what they find: each candidate runs against all mutants, and the set is
// built greedily. Candidates are all small programs (generator/enumerate/), and random ones. For a
// mutant that none of them finds, larger random programs are searched, also with derivatives and
// images, where a mutant needs them: the first that finds it is a candidate too.
#ifndef TF_CAMPAIGN_TESTSET_H
#define TF_CAMPAIGN_TESTSET_H

#include "generator/generator.h"
#include "judge/judge.h"
#include "mutants/mutants.h"

enum { TESTSET_MUTANTS = 256, TESTSET_DRAWS = 20 };

struct testset_options {
    enum spv_stage stage;
    enum spv_model model; // maximal or assumed-maximal
    uint32_t subgroup, inputs;
    uint32_t size;         // candidates: programs up to this size
    uint64_t random, seed; // and so many random ones, from this seed on
    uint64_t search;       // for a mutant that none of these finds: programs of profile default
    uint32_t tests;        // to choose, 1 ..
    // Called before each candidate; returns false to stop. `user` belongs to the caller.
    bool (*tick)(void *user, uint64_t done, uint64_t all);
    // True if the case may be a test; NULL: each may.
    bool (*fits)(void *user, struct arena *a, const struct spv_case *c);
    void *user;
};

// A program that is in the set, with the input set that finds its mutant. A random one is reduced:
// it finds the mutants that no test before it finds, or else the one that it was chosen for.
struct testset_test {
    struct spv_case c;
    bool random;
    uint32_t mutants; // that it finds
    // The mutant that it was chosen for: the first in the table that fewest tests before it find.
    const struct mut_mutant *mutant;
    char wrong[300]; // what the mutant stores, in words
    char rules[64];  // by which its operations' tangles were formed: "D1 M1"
};
// Mutants found by the first i + 1 tests; by as many random candidates, on average over
// TESTSET_DRAWS draws.
struct testset_step {
    uint32_t greedy;
    double random;
};
struct testset {
    struct testset_test *test;
    struct testset_step *step;
    uint32_t n;
    uint64_t candidates; // that may be tests, without those searched
    uint64_t searched;   // programs of profile default that were searched
    uint32_t findable;   // mutants that some candidate finds
    uint32_t mutants;    // of all
};

// Chooses the set: of programs on which both machines of the oracle agree. The same options choose
// the same set on every machine. It lives in `a`. False if tick stopped it.
bool testset_choose(struct arena *a, struct spv_tools *tools, const struct testset_options *o,
                    struct testset *out);

#endif
