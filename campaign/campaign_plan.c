// SPDX-License-Identifier: Apache-2.0
//
// Groups the targets. In: what each target offers. Out: groups of targets with the same subgroup
// size and model; each group generates only what all of its members can run. Reasons:
// docs/decisions/0010-several-targets.md.
#include "campaign_parts.h"

#include <string.h>

const char *campaign_device_text(struct arena *a, const struct run_info *info)
{
    if (run_is_compiler(info))
        return arena_printf(a, "compiler: %s\nversion: %s\n", info->device, info->driver);
    return arena_printf(a,
                        "device: %s\n"
                        "driver: %s\n"
                        "vendor 0x%x, device 0x%x, driver version 0x%x, Vulkan %u.%u.%u\n"
                        "subgroup size: %u (%u to %u)\n",
                        info->device, info->driver, info->vendor_id, info->device_id,
                        info->driver_version, info->api_version >> 22 & 0x7f,
                        info->api_version >> 12 & 0x3ff, info->api_version & 0xfff,
                        info->subgroup_size, info->subgroup_min, info->subgroup_max);
}

// Chooses the model by which a target is judged.
static bool choose_model(const struct campaign_options *o, struct campaign_target *t, struct err *e)
{
    bool promised = run_offers(&t->info, SPV_NEED(MAXIMAL_RECONVERGENCE));
    t->model = o->choose_model == CAMPAIGN_MODEL_GIVEN ? o->model : SPV_MAXIMAL;
    if (promised || t->model != SPV_MAXIMAL)
        return true;
    if (o->choose_model == CAMPAIGN_MODEL_BEST) {
        t->model = SPV_ASSUMED_MAXIMAL;
        return true;
    }
    return err_set(
        e,
        "%s (%s) does not promise maximal reconvergence; use --model "
        "assumed-maximal to judge it as if it did, or --model best to do so only for such targets",
        t->info.device, t->info.driver);
}

// True for a target that runs cases of any size, as compilers do; it joins the first one that does
// not.
static bool any_size(const struct run_info *i)
{
    return run_is_compiler(i);
}

// Chooses the subgroup size of the cases.
static bool choose_subgroup(const struct campaign *c, struct campaign_target *t, struct err *e)
{
    const struct run_info *i = &t->info;
    uint32_t s = c->o.subgroup;
    for (uint32_t k = 0; k < c->o.target_count && !s && any_size(i); k++)
        if (!any_size(&c->target[k].info))
            s = c->target[k].info.subgroup_size;
    s = s ? s : i->subgroup_size;
    if (s < 4 || s > LANES_MAX || (s & (s - 1)))
        return err_set(e, "subgroup size %u is not supported: use 4, 8, 16, 32, 64 or 128", s);
    const bool usual = s == i->subgroup_size, control = run_offers(i, SPV_NEED(SIZE_CONTROL));
    if (!usual && (!control || s < i->subgroup_min || s > i->subgroup_max))
        return err_set(e, "%s cannot run subgroups of %u: it supports %u to %u%s", i->device, s,
                       i->subgroup_min, i->subgroup_max,
                       control ? "" : ", and the size cannot be chosen");
    t->subgroup = s;
    return true;
}

void campaign_keep_offered(struct gen_options *g, const struct run_info *info, char *dropped,
                           size_t size)
{
    size_t n = strlen(dropped);
    for (int f = 0; f < GEN_FEATURE_COUNT; f++) {
        gen_features bit = GEN_BIT(f);
        if (!(g->features & bit) ||
            run_offers(info, gen_feature_needs((enum gen_feature)f, g->stage)))
            continue;
        g->features &= ~bit;
        int k = snprintf(dropped + n, size - n, "%s%s", n ? ", " : "",
                         gen_feature_name((enum gen_feature)f));
        n += k > 0 && (size_t)k < size - n ? (size_t)k : 0;
    }
    if (!run_offers(info, SPV_NEED(BALLOT_LOOKS)))
        g->features |= GEN_BIT(GEN_PLAIN_BALLOTS);
    uint32_t most = g->max_invocations ? g->max_invocations : GEN_INVOCATIONS;
    if (info->max_invocations && info->max_invocations < most)
        g->max_invocations = info->max_invocations;
}

static uint32_t group_for(struct campaign *c, const struct campaign_target *t)
{
    for (uint32_t g = 0; g < c->groups; g++)
        if (c->group[g].gen.subgroup == t->subgroup && c->group[g].gen.model == t->model)
            return g;
    c->group[c->groups] = (struct group){.gen = {.features = c->o.features,
                                                 .profile = c->o.profile,
                                                 .log = c->o.log,
                                                 .stage = c->o.stage,
                                                 .inputs = c->o.inputs,
                                                 .model = t->model,
                                                 .subgroup = t->subgroup,
                                                 .max_invocations = c->o.max_invocations}};
    return c->groups++;
}

// Appends a word to a label, with '-' for letters that a folder's name should not have; of a path
// only the last component.
static void add_label(struct text *t, const char *word)
{
    if (t->n && t->v[t->n - 1] != '-')
        text_addn(t, "-", 1);
    for (const char *p = word; *p && t->n < 40; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                      (*p >= '0' && *p <= '9') || *p == '.' || *p == '_';
        if (*p == '/')
            t->n = 0;
        else if (letter || (t->n && t->v[t->n - 1] != '-'))
            text_addn(t, letter ? p : "-", 1);
    }
}

// Returns a short unique name: "vulkan:driver=lavapipe,size=8" -> "lavapipe-8", the values of the
// options, or the kind if there are none. A second target with the same label gets a number.
static const char *make_label(struct campaign *c, uint32_t at)
{
    struct text t = {.arena = &c->arena};
    text_addn(&t, "", 0);
    for (const struct run_stage *s = run_spec_parse(&c->arena, c->target[at].spec, NULL); s;
         s = s->next) {
        if (!s->count)
            add_label(&t, s->name);
        for (uint32_t i = 0; i < s->count; i++)
            add_label(&t, s->option[i].value);
    }
    while (t.n && t.v[t.n - 1] == '-')
        t.n--;
    const char *label = arena_printf(&c->arena, "%.*s", (int)t.n, t.v);
    uint32_t same = 1;
    for (uint32_t k = 0; k < at; k++)
        same += strncmp(c->target[k].label, label, t.n) == 0;
    return same == 1 && t.n ? label : arena_printf(&c->arena, "%s.%u", label, at + 1);
}

bool campaign_takes_stage(const char *spec, const struct run_info *info, enum spv_stage stage,
                          struct err *e)
{
    const spv_needs needs = spv_stage_row(stage)->needs;
    return run_offers(info, needs) ||
           err_set(e, "%s does not support %s here", spec, spv_need_meaning(needs & ~info->offers));
}

// Programs of an enumeration that a target cannot run are left out and counted. A target that runs
// next to none of them is refused: each program needs one of these.
static bool runs_some(const struct campaign *c, uint32_t t, struct err *e)
{
    const gen_features needed =
        GEN_BIT(GEN_OP_BALLOT) | GEN_BIT(GEN_OP_BROADCAST_FIRST) | GEN_BIT(GEN_OP_REDUCE);
    return !c->all || c->group[c->group_of[t]].gen.features & needed ||
           err_set(e, "%s offers no group operation that small programs have", c->target[t].spec);
}

bool plan_targets(struct campaign *c, struct err *e)
{
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        struct campaign_target *x = &c->target[t];
        x->device = campaign_device_text(&c->arena, &x->info);
        x->label = make_label(c, t);
        if (!campaign_takes_stage(x->spec, &x->info, c->o.stage, e) || !choose_model(&c->o, x, e) ||
            !choose_subgroup(c, x, e))
            return false;
        c->group_of[t] = group_for(c, x);
        struct group *g = &c->group[c->group_of[t]];
        campaign_keep_offered(&g->gen, &x->info, g->dropped, sizeof g->dropped);
    }
    known_steer(c);
    for (uint32_t t = 0; t < c->o.target_count; t++)
        if (!runs_some(c, t, e))
            return false;
    for (uint32_t t = 0; t < c->o.target_count; t++)
        c->target[t].dropped = c->group[c->group_of[t]].dropped;
    // For the generator an empty set means all features.
    for (uint32_t g = 0; g < c->groups; g++)
        if (!c->group[g].gen.features)
            return err_set(e,
                           "no feature is left to generate: change --only, --without or --known");
    return true;
}
