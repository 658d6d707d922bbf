// SPDX-License-Identifier: Apache-2.0
//
// Source lines: maps an instruction to the line of source that it was compiled from.
#ifndef TF_SPIRV_LINES_H
#define TF_SPIRV_LINES_H

#include "spirv.h"

struct spv_line {
    const char *file; // "": the module does not name it
    uint32_t line;    // from 1; 0: unknown
    const char *text; // without leading blanks; "" if the module does not contain the source
};
// Returns the source line of instruction `inst`, from the last OpLine, or DebugLine of
// NonSemantic.Shader.DebugInfo.100, before it in its block. Strings live in `a`.
struct spv_line spv_line_of(struct arena *a, const struct spv_module *m, uint32_t inst);

#endif
