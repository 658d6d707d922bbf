// SPDX-License-Identifier: Apache-2.0
#include "cross_check.h"

#include "rerun.h"

#include "base/interrupt.h"

#include <string.h>

// Returns "device, driver", or only one if a compiler reports the same text for both.
static const char *version_of(struct arena *a, const struct run_info *i)
{
    const bool both = i->device[0] && i->driver[0] && strcmp(i->device, i->driver) != 0;
    return arena_printf(a, "%s%s%s", i->device, both ? ", " : "", i->driver);
}

// Runs the case once. False if its result cannot be judged.
static bool ask(struct arena *a, struct spv_tools *tools, struct run_target *t,
                const struct spv_case *c, enum judge_class *klass, const char **text)
{
    struct shown_policy policy = {0};
    struct rerun r = {0};
    const uint32_t size = judge_subgroup(c, 0, run_info(t));
    if (size)
        rerun_case(&r, tools, t, judge_predict(a, c, 1, size, policy.choices.base), 0, 1, &policy);
    *klass = r.shown.verdict.klass;
    *text = r.runs && r.result.driver_text ? arena_str(a, r.result.driver_text) : NULL;
    const bool judged = r.runs && (r.good || r.wrong);
    rerun_free(&r);
    return judged;
}

static bool one(struct arena *a, struct spv_tools *tools, const char *self, const char *spec,
                const struct spv_case *c, struct finding_cross_check *out, const char **device,
                const char **text)
{
    const struct run_options o = {.driver_text = true, .fence_seconds = 10};
    struct run_target *t = run_open(spec, self, &o, NULL);
    if (!t)
        return false;
    *out = (struct finding_cross_check){.target = arena_str(a, spec),
                                        .driver = version_of(a, run_info(t))};
    *device = arena_str(a, run_info(t)->device);
    const bool judged = ask(a, tools, t, c, &out->klass, text);
    run_close(t);
    return judged;
}

// Returns the text of a listed target for this subgroup size. lavapipe's subgroup size follows from
// LP_NATIVE_VECTOR_WIDTH: that many bits in 32-bit words.
static const char *for_size(struct arena *a, const struct run_listed *x, uint32_t subgroup)
{
    const struct run_stage *s = run_spec_parse(a, x->spec, NULL);
    const char *driver =
        s && !s->next && !s->check && !s->isa ? run_stage_option(s, "driver") : NULL;
    const bool lavapipe =
        driver && strncmp(driver, "lavapipe", 8) == 0 && subgroup >= 2 && subgroup <= 16;
    return lavapipe && subgroup != x->info.subgroup_size
               ? arena_printf(a, "%s,env=LP_NATIVE_VECTOR_WIDTH=%u", x->spec, 32 * subgroup)
               : x->spec;
}

// True for a target that only re-encodes the module: it proves nothing.
static bool does_nothing(const char *spec)
{
    return strcmp(spec, "spirv-as") == 0;
}

void cross_check_finding(struct arena *a, struct spv_tools *tools, const char *self, bool others,
                         struct report_view *w)
{
    const char *own = w->f->target, *text = NULL, *device = NULL;
    struct finding_cross_check x = {0};
    struct run_listed *here;
    if (!w->has_case || !w->proof.valid || !w->proof.defined)
        return;
    if (run_harmless(own)) {
        one(a, tools, self, own, &w->c, &x, &w->device, &text);
        w->version = x.driver;
        w->target_output = text ? text : w->target_output;
    }
    const uint32_t n = others ? run_list(a, self, &here) : 0;
    struct finding_cross_check *v = ARENA_ARRAY(a, struct finding_cross_check, n);
    w->cross_check = v;
    for (uint32_t i = 0; i < n && !interrupted(); i++)
        if (here[i].usable && strcmp(here[i].spec, own) != 0 && !does_nothing(here[i].spec) &&
            one(a, tools, self, for_size(a, &here[i], w->c.subgroup), &w->c, &v[w->cross_checks],
                &device, &text))
            w->cross_checks++;
}
