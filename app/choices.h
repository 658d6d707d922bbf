// SPDX-License-Identifier: Apache-2.0
//
// The options that say what the generator may make: gen and fuzz share them.
#ifndef TF_APP_CHOICES_H
#define TF_APP_CHOICES_H

#include "args.h"
#include "generator/generator.h"

struct choice_options {
    const char *profile, *only, *without, *model;
    uint32_t subgroup, inputs, max_invocations; // subgroup, max_invocations: 0 when not given
};
struct choice_options choice_defaults(void);

#define CHOICE_OPTIONS(c)                                                                          \
    OPT_TEXT("profile", 'p', "P", "size of the programs: small, default, large", &(c).profile),    \
        OPT_U32("inputs", 0, "N", "input sets a program; default 1", &(c).inputs, 1, 64),          \
        OPT_U32("subgroup", 0, "N", "subgroup size: 4, 8, 16, 32, 64, 128", &(c).subgroup, 4,      \
                128),                                                                              \
        OPT_U32("max-invocations", 0, "N", "largest workgroup; default 128", &(c).max_invocations, \
                1, 1024),                                                                          \
        OPT_TEXT("only", 0, "LIST", "features to use, see tanglefuzz gen --features", &(c).only),  \
        OPT_TEXT("without", 0, "LIST", "features to leave out", &(c).without),                     \
        OPT_TEXT("model", 0, "M", "model to judge by, see the man page; default maximal\n(of fuzz: what each target promises)", &(c).model)

// What was given -> the generator's options; `subgroup` stays 0 when not given.
// Returns -1, or an exit status after a complaint.
int choice_read(const char *command, const struct choice_options *c, struct gen_options *out);

#endif
