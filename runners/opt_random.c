// SPDX-License-Identifier: Apache-2.0
//
// `spirv-opt:random`: a pipeline of passes drawn from the module itself. The same module
// always gets the same pipeline, so that a case replays; whoever changes the module
// (a reducer) pins the pipeline first: run_pinned gives the target with it spelled out. The passes
// are those of spv_optimizer_steps.
#include "backend.h"
#include "llvm.h"

#include <string.h>

enum { LONGEST = 10, HEADER = 5 };

const char *opt_random(struct arena *a, const uint32_t *words, size_t count)
{
    // The header has the generator's number, which a case file does not keep.
    struct rng rng = {count > HEADER ? hash64(words + HEADER, (count - HEADER) * sizeof *words) : 0};
    struct text t = {.arena = a};
    uint32_t known;
    const char *const *steps = spv_optimizer_steps(&known);
    for (uint32_t n = 1 + rng_below(&rng, LONGEST); n; n--) {
        const char *step = steps[rng_below(&rng, known)], *before = spv_optimizer_before(step);
        // Versions know different ones, and the case may specialise.
        if (!spv_optimizer_knows(step) || strcmp(step, "--freeze-spec-const") == 0)
            continue;
        text_add(&t, "%s%s%s%s", t.n ? "," : "", before ? before : "", before ? "," : "", step);
    }
    return t.n ? t.v : "--ssa-rewrite";
}

const char *run_pinned(struct arena *a, const char *spec, const struct spv_case *c)
{
    const char *rest, *first = chain_first(a, spec, &rest);
    if (strncmp(first, "llvm:", 5) == 0)
        return llvm_pinned(a, spec, c);
    if (strcmp(first, "spirv-opt:random") != 0)
        return spec;
    return arena_printf(a, "spirv-opt:%s%s", opt_random(a, c->words, c->count), rest);
}
