// SPDX-License-Identifier: Apache-2.0
//
// The parts of a bucket's view that need a run of the oracle: pictures and proofs.
#include "view_proof.h"

#include "tangles.h"

#include "judge/judge.h"
#include "printers/printers.h"

#include <string.h>

enum { STEPS = 120 };

static const char *svg(struct arena *a, struct tangles *t, const char *title, const char *subtitle)
{
    struct text out = {.arena = a};
    t->picture.title = title;
    t->picture.subtitle =
        t->cut ? arena_printf(a, "%s; the first %d steps", subtitle, STEPS) : subtitle;
    report_picture_svg(&t->picture, &out);
    return out.v;
}

// Sets the workgroup and subgroup of the first wrong value, by the shader's own record of its lanes
// if it has one.
static void place(struct arena *a, const struct report_view *w, uint32_t size, struct tangles *t)
{
    const struct spv_case *c = &w->c;
    struct spv_module m;
    uint32_t local[3], lanes = UINT32_MAX, at = w->verdict.invocation;
    *t = (struct tangles){.limit = STEPS};
    if (w->f->reason.has_place) {
        t->workgroup = w->f->reason.workgroup;
        t->subgroup = w->f->reason.subgroup;
        return;
    }
    if (!w->verdict.has_site || !spv_module_read(a, c->words, c->count, &m, NULL) ||
        !spv_local_size(c, &m, local, NULL))
        return;
    uint32_t group = local[0] * local[1] * local[2];
    t->workgroup = group ? at / group : 0;
    t->subgroup = group && size ? at % group / size : 0;
    if (c->has_lanes)
        lanes = spv_buffer_index(c, c->lanes_set, c->lanes_binding);
    struct spv_lane l;
    if (lanes < c->buffer_count && w->observed && spv_lanes_at(c, &w->observed[lanes], at, &l))
        t->subgroup = l.subgroup;
}

static void pictures(struct arena *a, struct report_view *w, uint32_t size)
{
    const struct spv_case *c = &w->c;
    const struct spv_choices *policy = c->has_policy ? &c->policy : NULL;
    struct tangles t;
    place(a, w, size, &t);
    t.reason = &w->f->reason;
    tangles_run(a, c, c->words, c->count, size, policy, &t);
    if (t.picture.count) {
        struct text steps = {.arena = a};
        const char *sub =
            arena_printf(a, "workgroup %u, subgroup %u of %u lanes", t.workgroup, t.subgroup, size);
        w->expected_svg = svg(a, &t, "Expected", sub);
        report_picture_text(&t.picture, false, &steps);
        w->expected_steps = steps.v;
    }
    if (!w->output)
        return;
    place(a, w, size, &t);
    tangles_run(a, c, w->output, w->output_count, size, policy, &t);
    if (t.picture.count)
        w->observed_svg = svg(a, &t, "Observed: the compiler's module",
                              arena_printf(a, "workgroup %u, subgroup %u of %u lanes", t.workgroup,
                                           t.subgroup, size));
}

static void prove(struct spv_tools *tools, struct arena *a, struct report_view *w, uint32_t size)
{
    const struct spv_case *c = &w->c;
    struct err e = {0};
    struct text t = {.arena = a};
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    struct orc_result mask, tag;
    struct report_proof *p = &w->proof;
    p->asked = true;
    p->valid = spv_validate(tools, SPV_ENV_VULKAN_1_3, c->words, c->count, &e);
    text_add(&t, "valid: %s (spirv-val of %s, vulkan1.3)%s%s\n", p->valid ? "yes" : "no",
             spv_tools_version(a), p->valid ? "" : ": ", p->valid ? "" : e.msg);
    orc_predict(a, c, size, &o, &mask);
    p->defined = mask.why.status == RAN_OK;
    text_add(&t,
             "defined: %s (no race, no read of an inactive lane, every loop ends: %llu "
             "instructions executed)%s%s\n",
             p->defined ? "yes" : "no", (unsigned long long)mask.stats.steps,
             p->defined ? "" : ": ", p->defined ? "" : mask.why.text);
    o.machine = ORC_TAG;
    orc_predict(a, c, size, &o, &tag);
    p->machines_agree = judge_same_result(&mask, &tag);
    text_add(&t,
             "models: %s (the mask machine and the tag machine, which share only the loader, "
             "arithmetic and memory)\n",
             p->machines_agree ? "both give the same memory, to the bit" : "they do not agree");
    p->words = t.v;
}

// Fills the case, and the module that a compiler wrote, in GLSL where that is possible.
static void in_glsl(struct spv_tools *tools, struct arena *a, struct report_view *w, uint32_t size)
{
    const struct print_words in = {w->c.words, w->c.count}, out = {w->output, w->output_count};
    struct text t = {.arena = a}, after = {.arena = a};
    const bool both = w->output && spv_validate(tools, SPV_ENV_VULKAN_1_3, out.v, out.n, NULL) &&
                      print_compared(a, PRINT_GLSL, &out, &in, size, &after);
    if (both ? print_compared(a, PRINT_GLSL, &in, &out, size, &t)
             : print_module(a, PRINT_GLSL, in.v, in.n, size, &t, NULL, NULL))
        w->glsl = arena_printf(a, "%s%s", report_drawn(a, &w->c), t.v);
    if (both && w->glsl)
        w->glsl_output = after.v;
}

void report_view(struct spv_tools *tools, struct arena *a, const char *dir,
                 const struct store_bucket *b, struct report_view *out)
{
    report_view_load(tools, a, dir, b, out);
    uint32_t size = out->c.subgroup ? out->c.subgroup : out->f->subgroup;
    if (!out->has_case || !size)
        return;
    pictures(a, out, size);
    prove(tools, a, out, size);
    if (out->proof.valid)
        in_glsl(tools, a, out, size);
}
