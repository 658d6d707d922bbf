// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction stands in the source that a module was made of.
#ifndef TF_SPIRV_LINES_H
#define TF_SPIRV_LINES_H

#include "spirv.h"

struct spv_line {
    const char *file; // "" where the module does not say
    uint32_t line;    // from 1; 0: the module does not say
    const char *text; // without leading blanks; "" where the module does not hold the source
};
// Of instruction `inst` of the view: by the last OpLine, or DebugLine of
// NonSemantic.Shader.DebugInfo.100, before it in its block. Strings live in `a`.
struct spv_line spv_line_of(struct arena *a, const struct spv_module *m, uint32_t inst);

#endif
