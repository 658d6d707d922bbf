// SPDX-License-Identifier: Apache-2.0
//
// `spirv-opt:random`: a pipeline of passes drawn from the module itself. The same module
// always gets the same pipeline, so that a case replays; whoever changes the module
// (a reducer) pins the pipeline first: run_pinned gives the target with it spelled out.
#include "backend.h"

#include <string.h>

// Passes that keep a shader's meaning for every input, whatever stands before them; where a pass
// states a precondition, with what gives it.
static const char *const steps[] = {
    "--ccp",
    "--cfg-cleanup",
    "--code-sink",
    "--combine-access-chains",
    "--convert-local-access-chains",
    "--copy-propagate-arrays",
    "--eliminate-dead-branches",
    "--eliminate-dead-branches,--merge-return",
    "--eliminate-dead-branches,--merge-return,--inline-entry-points-exhaustive",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-const",
    "--eliminate-dead-functions",
    "--eliminate-dead-inserts",
    "--eliminate-dead-variables",
    "--eliminate-local-multi-store",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--fix-func-call-param",
    "--fold-spec-const-op-composite",
    "--if-conversion",
    "--inline-entry-points-opaque",
    "--local-redundancy-elimination",
    "--loop-fission=1",
    "--loop-fusion=200",
    "--loop-invariant-code-motion",
    "--loop-peeling",
    "--loop-unroll",
    "--loop-unroll-partial=3",
    "--loop-unswitch",
    "--merge-blocks",
    "--private-to-local",
    "--reduce-load-size",
    "--redundancy-elimination",
    "--replace-invalid-opcode",
    "--scalar-replacement=0",
    "--simplify-instructions",
    "--ssa-rewrite",
    "--strength-reduction",
    "--trim-capabilities",
    "--unify-const",
    "--vector-dce",
    "--workaround-1209",
    "--wrap-opkill",
};
enum { STEPS = sizeof steps / sizeof steps[0], LONGEST = 10, HEADER = 5 };

const char *opt_random(struct arena *a, const uint32_t *words, size_t count)
{
    // The header has the generator's number, which a case file does not keep.
    struct rng rng = {count > HEADER ? hash64(words + HEADER, (count - HEADER) * sizeof *words) : 0};
    struct text t = {.arena = a};
    for (uint32_t n = 1 + rng_below(&rng, LONGEST); n; n--) {
        const char *step = steps[rng_below(&rng, STEPS)];
        if (spv_optimizer_knows(step) || strchr(step, ',')) // versions know different ones
            text_add(&t, "%s%s", t.n ? "," : "", step);
    }
    return t.n ? t.v : "--ssa-rewrite";
}

const char *run_pinned(struct arena *a, const char *spec, const struct spv_case *c)
{
    const char *rest, *first = chain_first(a, spec, &rest);
    if (strcmp(first, "spirv-opt:random") != 0)
        return spec;
    return arena_printf(a, "spirv-opt:%s%s", opt_random(a, c->words, c->count), rest);
}
