// SPDX-License-Identifier: Apache-2.0
//
// Target `spirv-opt:random`: a pipeline of passes drawn from the module. The same module always
// gets the same pipeline, so a case replays. Code that changes the module (a reducer) first calls
// run_fixed, which returns the target with its passes listed. The passes are those of
// spv_optimizer_steps.
#include "backend.h"
#include "llvm_worker.h"

#include <string.h>

enum { LONGEST = 10, HEADER = 5 };

size_t opt_random(struct arena *a, const uint32_t *words, size_t count, const char ***out)
{
    // The header contains the generator's number, which a case file does not keep.
    struct rng rng = {count > HEADER ? hash64(words + HEADER, (count - HEADER) * sizeof *words)
                                     : 0};
    VEC(const char *) v = {0};
    uint32_t known;
    const char *const *steps = spv_optimizer_steps(&known);
    for (uint32_t n = 1 + rng_below(&rng, LONGEST); n; n--) {
        const char *step = steps[rng_below(&rng, known)];
        // Skips passes that this version lacks; the case may specialise constants.
        if (!spv_optimizer_knows(step) || strcmp(step, "--freeze-spec-const") == 0)
            continue;
        for (const char *const *before = spv_optimizer_before(step); *before; before++)
            *VEC_PUSH(a, &v) = *before;
        *VEC_PUSH(a, &v) = step;
    }
    if (!v.n)
        *VEC_PUSH(a, &v) = "--ssa-rewrite";
    *out = v.v;
    return v.n;
}

const char *run_fixed(struct arena *a, const char *spec, const struct spv_case *c)
{
    const struct run_stage *s = run_spec_parse(a, spec, NULL);
    const char *pipeline = s ? run_stage_option(s, "passes") : NULL, **passes;
    if (!s || !s->kind)
        return spec;
    if (s->kind->passes == RUN_PASSES_PIPELINE && pipeline && strcmp(pipeline, "random") == 0)
        return run_spec_text(a, run_stage_with(a, s, "passes", llvm_random(a, c->words, c->count)));
    if (s->kind->passes != RUN_PASSES_WORDS || s->count != 1 ||
        strcmp(s->option[0].value, "random") != 0)
        return spec;
    struct run_stage fixed = *s;
    fixed.count = (uint32_t)opt_random(a, c->words, c->count, &passes);
    fixed.option = ARENA_ARRAY(a, struct run_option, fixed.count);
    for (uint32_t i = 0; i < fixed.count; i++)
        fixed.option[i] = (struct run_option){"", passes[i]};
    return run_spec_text(a, &fixed);
}
