// SPDX-License-Identifier: Apache-2.0
//
// Pass pipelines of the SPIRV-Tools optimizer, drawn from choices.
#include "fuzz.h"

static void add(struct fz_pipeline *p, const char *flag)
{
    if (p->n < FZ_PASSES)
        p->flags[p->n++] = flag;
}

void fz_pipeline(struct gen_choices *c, struct fz_pipeline *out)
{
    static const char *const recipes[] = {"-O", "-Os", "--legalize-hlsl"};
    uint32_t count, length;
    const char *const *steps = spv_optimizer_steps(&count);
    *out = (struct fz_pipeline){0};
    for (uint32_t n = 1 + gen_choose(c, 4); n; n--) {
        uint32_t pick = gen_choose(c, count + 3);
        const char *const *recipe = pick < 3 ? spv_optimizer_recipe(recipes[pick], &length) : NULL;
        if (!recipe)
            add(out, steps[(pick - 3) % count]);
        for (uint32_t k = 0; recipe && k < length; k++)
            if (spv_optimizer_knows(recipe[k])) // the recipe may be newer than the library
                add(out, recipe[k]);
    }
}

const char *fz_pipeline_text(struct arena *a, const struct fz_pipeline *p)
{
    struct text t = {.arena = a};
    for (uint32_t k = 0; k < p->n; k++)
        text_add(&t, "%s%s", k ? "," : "", p->flags[k]);
    return t.v;
}
