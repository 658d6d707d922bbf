// SPDX-License-Identifier: Apache-2.0
#include "choices.h"

#include <string.h>

struct choice_options choice_defaults(void)
{
    return (struct choice_options){.profile = "default", .model = "maximal", .inputs = 1};
}

int choice_read(const char *command, const struct choice_options *c, struct gen_options *out)
{
    struct err e = {0};
    *out = (struct gen_options){.features = GEN_ALL_FEATURES,
                                .subgroup = c->subgroup,
                                .inputs = c->inputs,
                                .max_invocations = c->max_invocations};
    if (strcmp(c->profile, "small") == 0)
        out->profile = GEN_SMALL;
    else if (strcmp(c->profile, "default") == 0)
        out->profile = GEN_DEFAULT;
    else if (strcmp(c->profile, "large") == 0)
        out->profile = GEN_LARGE;
    else
        return complain(command, "--profile: '%s' is none of small, default, large", c->profile);
    static const enum spv_model models[] = {SPV_MAXIMAL, SPV_ASSUMED_MAXIMAL, SPV_SUBGROUP_UNIFORM,
                                            SPV_WORKGROUP_UNIFORM};
    size_t k = 0;
    while (k < 4 && strcmp(c->model, spv_model_name(models[k])) != 0)
        k++;
    if (k == 4)
        return complain(command, "--model: '%s' is none of maximal, assumed-maximal, "
                                 "subgroup-uniform, workgroup-uniform", c->model);
    out->model = models[k];
    gen_features only = GEN_ALL_FEATURES, without = 0;
    if (c->only && !gen_features_parse(c->only, &only, &e))
        return complain(command, "--only: %s", e.msg);
    if (c->without && !gen_features_parse(c->without, &without, &e))
        return complain(command, "--without: %s", e.msg);
    out->features = only & ~without;
    if (!out->features)
        return complain(command, "--only and --without leave no feature");
    if (c->subgroup & (c->subgroup - 1))
        return complain(command, "--subgroup: %u is not a power of two", c->subgroup);
    return -1;
}
