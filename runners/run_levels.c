// SPDX-License-Identifier: Apache-2.0
//
// Runs the levels of a driver's dump.
#include "run_levels.h"

#include "isa_answer.h"

#include <string.h>

void run_level(struct arena *a, const struct levels *l, uint32_t i, uint32_t size,
               const struct spv_case *c, struct run_result *out)
{
    struct isa_result why;
    *out = (struct run_result){.status = RUN_SKIPPED};
    const struct isa_code *code = levels_code(a, l, i, size, &why);
    if (code)
        isa_answer_places(a, code, c, 0, levels_descriptors(l, c), out);
    else
        snprintf(out->text, sizeof out->text, "%.400s%s", why.text,
                 why.line ? " of the level" : "");
}

// A driver that runs here itself, and prints its code.
static bool is_lavapipe(const char *driver)
{
    enum level_driver d;
    return driver && levels_driver_of(driver, &d) && d == LEVELS_LAVAPIPE;
}

// A driver of whose code NIR alone can be run: by isa:nir:.
static bool is_nir_only(const char *driver)
{
    enum level_driver d;
    return driver && levels_driver_of(driver, &d) && levels_only_nir(d);
}

const char *run_levels_target(struct arena *a, const char *spec)
{
    const struct run_stage *s = run_spec_parse(a, spec, NULL);
    if (!s || s->next || !s->kind || !s->kind->nir)
        return NULL;
    if (s->nir && !is_nir_only(run_stage_option(s, "driver")))
        return NULL;
    if (!s->isa && !s->check && !is_lavapipe(run_stage_option(s, "driver")))
        return NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->option[i].key[0] && strcmp(s->option[i].value, "dump") == 0)
            return spec;
    return arena_printf(a, "%s%cdump", run_spec_text(a, s), s->count ? ',' : ':');
}
