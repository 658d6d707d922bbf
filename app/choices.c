// SPDX-License-Identifier: Apache-2.0
#include "choices.h"

#include <string.h>

bool choice_read(struct context *x, const struct choice_options *c, struct gen_options *out)
{
    static const char *const profiles[] = {
        [GEN_SMALL] = "small", [GEN_DEFAULT] = "default", [GEN_LARGE] = "large"};
    static const enum spv_model models[] = {SPV_MAXIMAL, SPV_ASSUMED_MAXIMAL, SPV_SUBGROUP_UNIFORM,
                                            SPV_WORKGROUP_UNIFORM};
    *out = (struct gen_options){
        .subgroup = c->subgroup, .inputs = c->inputs, .max_invocations = c->max_invocations};
    for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++)
        if (strcmp(c->profile, profiles[k]) == 0)
            out->profile = (enum gen_profile)k;
    for (int k = 0; k < GEN_LOGS; k++)
        if (strcmp(c->log, gen_log_name((enum gen_log)k)) == 0)
            out->log = (enum gen_log)k;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        if (strcmp(c->model, spv_model_name(models[k])) == 0)
            out->model = models[k];
    if (c->stage)
        CHECK(spv_stage_find(c->stage, strlen(c->stage), &out->stage));
    gen_features only = gen_features_of(out->stage), with = 0, without = 0;
    if (c->only && !gen_features_parse(c->only, &only, &x->e))
        return err_prefix(&x->e, "--only");
    if (c->with && !gen_features_parse(c->with, &with, &x->e))
        return err_prefix(&x->e, "--with");
    if (c->without && !gen_features_parse(c->without, &without, &x->e))
        return err_prefix(&x->e, "--without");
    const gen_features other = gen_features_beyond(out->stage);
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        if ((c->only ? only | with : with) & other & GEN_BIT(f))
            return err_set(
                &x->e, "feature '%s' is not available in the %s stage: choose another with --stage",
                gen_feature_name((enum gen_feature)f), spv_stage_row(out->stage)->name);
    out->features = (only | with) & ~without;
    return out->features ||
           err_set(&x->e, "--only and --without leave no feature: keep at least one");
}

bool choice_campaign(struct context *x, const struct choice_options *c,
                     struct campaign_options *out)
{
    struct gen_options made;
    if (!choice_read(x, c, &made))
        return false;
    out->choose_model = strcmp(c->model, CHOICE_PROMISED) == 0 ? CAMPAIGN_MODEL_PROMISED
                        : strcmp(c->model, CHOICE_BEST) == 0   ? CAMPAIGN_MODEL_BEST
                                                               : CAMPAIGN_MODEL_GIVEN;
    out->profile = made.profile;
    out->log = made.log;
    out->stage = made.stage;
    out->features = made.features;
    out->inputs = made.inputs;
    out->model = made.model;
    out->subgroup = made.subgroup;
    out->max_invocations = made.max_invocations;
    return true;
}
