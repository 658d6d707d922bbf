// SPDX-License-Identifier: Apache-2.0
//
// Chooses test programs by what they find: each candidate runs against all mutants, and the set is
// built greedily. Candidates are all small programs (generator/enumerate/), and random ones. For a
// mutant that none of them finds, larger random programs are searched, also with derivatives and
// images, where a mutant needs them: the first that finds it is a candidate too.
//
// The cases of kept reconvergence bugs (kept.h) are candidates too, and each bug is one thing more
// to find. Only its own case counts as finding it: which other programs a real compiler gets wrong
// is not known here.
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
    // What generated programs may use, of all features, as campaign_keep_offered leaves it; 0: all.
    gen_features offered;
    // Called before each candidate; returns false to stop. `user` belongs to the caller.
    bool (*tick)(void *user, uint64_t done, uint64_t all);
    // True if the case may be a test; NULL: each may.
    bool (*fits)(void *user, struct arena *a, const struct spv_case *c);
    // True if the target runs the test, right or wrong. NULL: no target is asked.
    bool (*runs)(void *user, struct arena *a, const struct spv_case *c);
    void *user;
};

// A program that is in the set, with the input set that finds its mutant. A random one is reduced:
// it finds the mutants that no test before it finds, or else the one that it was chosen for.
struct testset_test {
    struct spv_case c;
    bool random;
    uint32_t mutants; // that it finds
    // What it was chosen for: the kept bug that it is the case of, or else the first mutant in the
    // table that fewest tests before it find.
    const char *name, *line, *classes;
    const char *seen; // of a kept bug: target and versions; NULL: it was chosen for a mutant
    char wrong[300];  // what the mutant stores, in words; "": it was chosen for a kept bug
    char rules[64];   // by which its operations' tangles were formed: "D1 M1"
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
    uint64_t candidates; // that may be tests, without those searched and those of kept bugs
    uint64_t searched;   // programs of profile default that were searched
    uint32_t findable;   // mutants that some candidate finds
    uint32_t mutants;    // of all
    uint32_t kept, kept_candidates, kept_all; // kept bugs: whose case is a test; may be; all
};

// Chooses the set: of programs on which both machines of the oracle agree. The same options choose
// the same set on every machine. It lives in `a`. False if tick stopped it.
bool testset_choose(struct arena *a, struct spv_tools *tools, const struct testset_options *o,
                    struct testset *out);

#endif
