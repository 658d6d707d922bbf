// SPDX-License-Identifier: Apache-2.0
//
// The options that say what the generator may make.
#ifndef TF_APP_CHOICES_H
#define TF_APP_CHOICES_H

#include "args.h"
#include "generator/generator.h"

struct choice_options {
    const char *profile, *stage, *only, *with, *without, *model;
    uint32_t subgroup, inputs, max_invocations; // subgroup, max_invocations: 0 when not given
};
#define CHOICE_DEFAULTS {.profile = "default", .stage = "compute", .model = "maximal", .inputs = 1}

#define CHOICE_MODELS "maximal, assumed-maximal, subgroup-uniform, workgroup-uniform"
// The programs' size and shape.
#define CHOICE_SHAPE(c, sizes)                                                                     \
    OPT_WORD("profile", 'p', "P", "size of the programs", c.profile, "small, default, large"),     \
        OPT_U32("inputs", 0, "N", "input sets a program; default 1, of fuzz on Vulkan devices 8",  \
                c.inputs, 1, 64),                                                                  \
        OPT_LANES("subgroup", sizes, c.subgroup, 4),                                               \
        OPT_U32("max-invocations", 0, "N", "largest workgroup; default 128", c.max_invocations, 1, \
                1024)
#define CHOICE_OPTIONS(c, models)                                                                  \
    OPT_WORD("stage", 0, "S", "stage of the shaders; default compute", c.stage, SPV_STAGE_NAMES),  \
        CHOICE_SHAPE(c, "subgroup size: 4, 8, 16, 32, 64, 128"),                                   \
        OPT_TEXT("only", 0, "LIST", "features to use, see tanglefuzz gen --features", c.only),     \
        OPT_TEXT("with", 0, "LIST", "features too that are used by name alone", c.with),           \
        OPT_TEXT("without", 0, "LIST", "features to leave out", c.without),                        \
        OPT_WORD("model", 0, "M", "model to judge by, the first where not given", c.model, models)

// What was given -> the generator's options; `subgroup` stays 0 when not given.
// False with a line in x->e.
bool choice_read(struct context *x, const struct choice_options *c, struct gen_options *out);

#endif
