// SPDX-License-Identifier: Apache-2.0
//
// Options that control the generator, shared by gen, fuzz, stats and others.
#ifndef TF_APP_CHOICES_H
#define TF_APP_CHOICES_H

#include "args.h"
#include "campaign/campaign.h"
#include "generator/generator.h"

struct choice_options {
    const char *profile, *log, *stage, *only, *with, *without, *model;
    uint32_t subgroup, inputs, max_invocations; // subgroup, max_invocations: 0 if not given
};
#define CHOICE_DEFAULTS                                                                            \
    {.profile = "default", .log = "entries", .stage = "compute", .model = "maximal", .inputs = 1}

#define CHOICE_MODELS "maximal, assumed-maximal, subgroup-uniform, workgroup-uniform"
// Models of a campaign, which may depend on its targets.
#define CHOICE_PROMISED        "promised"
#define CHOICE_BEST            "best"
#define CHOICE_CAMPAIGN_MODELS CHOICE_PROMISED ", " CHOICE_BEST ", " CHOICE_MODELS
// Options for the size and shape of the programs.
#define CHOICE_SHAPE(c, sizes)                                                                     \
    OPT_WORD("profile", 'p', "P", "size of the programs", c.profile, "small, default, large"),     \
        OPT_WORD("log", 0, "L",                                                                    \
                 "what a program stores of its log: its entries, a digest of them, or mixed,\n"    \
                 "which is entries for one seed in sixteen; default entries, fuzz mixed",          \
                 c.log, "entries, digest, mixed"),                                                 \
        OPT_U32("inputs", 0, "N",                                                                  \
                "input sets per program; default 1, fuzz on Vulkan devices, Dawn and\n"            \
                "LLVM's machine code 8",                                                           \
                c.inputs, 1, 64),                                                                  \
        OPT_LANES("subgroup", sizes, c.subgroup, 4),                                               \
        OPT_U32("max-invocations", 0, "N", "invocations of the largest workgroup; default 256",    \
                c.max_invocations, 1, 1024)
#define CHOICE_OPTIONS(c, models)                                                                  \
    OPT_WORD("stage", 0, "S", "shader stage; default compute", c.stage, SPV_STAGE_NAMES),          \
        CHOICE_SHAPE(c, "subgroup size: 4, 8, 16, 32, 64, 128"),                                   \
        OPT_TEXT("only", 0, "LIST", "use only these features (tanglefuzz gen --features)",         \
                 c.only),                                                                          \
        OPT_TEXT("with", 0, "LIST", "also use these features, which are off by default", c.with),  \
        OPT_TEXT("without", 0, "LIST", "do not use these features", c.without),                    \
        OPT_WORD("model", 0, "M", "model to judge by; default the first", c.model, models)

// Converts the options to those of the generator; `subgroup` stays 0 if not given. False with a
// message in x->e.
bool choice_read(struct context *x, const struct choice_options *c, struct gen_options *out);
// The same, into the options of a campaign.
bool choice_campaign(struct context *x, const struct choice_options *c,
                     struct campaign_options *out);

#endif
