// SPDX-License-Identifier: Apache-2.0
//
// Draws random pipelines.
#include "llvm_worker.h"

#include <string.h>

enum { LONGEST = 8, HEADER = 5 };

// Passes that preserve a function's semantics and can each be used alone.
static const char *const steps[] = {
    "function(sroa)",
    "function(mem2reg)",
    "function(early-cse<memssa>)",
    "function(instcombine<no-verify-fixpoint>)",
    "function(simplifycfg)",
    "function(simplifycfg<hoist-common-insts;sink-common-insts>)",
    "function(gvn)",
    "function(newgvn)",
    "function(gvn-hoist)",
    "function(gvn-sink)",
    "function(jump-threading)",
    "function(correlated-propagation)",
    "function(dfa-jump-threading)",
    "function(speculative-execution)",
    "function(reassociate)",
    "function(nary-reassociate)",
    "function(sink)",
    "function(dse)",
    "function(adce)",
    "function(bdce)",
    "function(sccp)",
    "function(tailcallelim)",
    "function(constraint-elimination)",
    "function(mldst-motion)",
    "function(flatten-cfg)",
    "function(lower-switch)",
    "function(break-crit-edges)",
    "function(loop-simplify)",
    "function(lcssa)",
    "function(loop-unroll)",
    "function(loop-distribute)",
    "function(loop-load-elim)",
    "function(loop-fusion)",
    "function(loop-sink)",
    "function(loop-mssa(licm))",
    "function(loop-mssa(loop-rotate))",
    "function(loop-mssa(simple-loop-unswitch<nontrivial>))",
    "function(loop-mssa(loop-instsimplify))",
    "function(loop-mssa(loop-simplifycfg))",
    "function(loop(indvars))",
    "function(loop(loop-deletion))",
    "function(loop(loop-idiom))",
    "function(loop(loop-unroll-full))",
    "function(loop(loop-bound-split))",
    "function(loop(loop-flatten))",
    "cgscc(inline)",
    "cgscc(function-attrs)",
    "ipsccp",
    "globalopt",
    "deadargelim",
    "cgscc(argpromotion)",
};

const char *llvm_random(struct arena *a, const uint32_t *words, size_t count)
{
    // The header contains the generator's number, which a case file does not keep.
    struct rng rng = {count > HEADER ? hash64(words + HEADER, (count - HEADER) * sizeof *words)
                                     : 0};
    struct text t = {.arena = a};
    for (uint32_t n = 1 + rng_below(&rng, LONGEST); n; n--)
        text_add(&t, "%s%s", t.n ? "," : "", steps[rng_below(&rng, sizeof steps / sizeof *steps)]);
    return t.v;
}
