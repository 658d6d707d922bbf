// SPDX-License-Identifier: Apache-2.0
//
// Kept reconvergence bugs: the cases of corpus/regress of kind `reconvergence`, and those whose
// name ends with a bug class. The build embeds the folder in the program.
#ifndef TF_CAMPAIGN_KEPT_H
#define TF_CAMPAIGN_KEPT_H

#include "spirv/spirv.h"

struct kept_bug {
    const char *name;    // of its files, with '-' for '.'
    const char *classes; // "T12"; "": its name has none
    const char *what;    // what goes wrong, in a sentence
    const char *seen;    // target and versions: "naga (30.0.1, 30.1.0)"
    struct spv_case c;   // with its expected memory
};

// Returns the bugs that shaders of a stage show, in the order of their names, in `a`.
const struct kept_bug *kept_bugs(struct arena *a, struct spv_tools *tools, enum spv_stage stage,
                                 uint32_t *n);

#endif
