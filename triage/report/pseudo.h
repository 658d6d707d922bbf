// SPDX-License-Identifier: Apache-2.0
//
// Private to pseudo.c (structure) and pseudo_value.c (values and instructions).
#ifndef TF_REPORT_PSEUDO_H
#define TF_REPORT_PSEUDO_H

#include "report.h"

#include "spirv/spirv_groups.h"

enum { PSEUDO_DEPTH = 40 };

struct printer {
    struct arena *a;
    const struct spv_module *m;
    struct text *out;
    uint32_t *uses;     // [id]
    bool *done;         // [block index]: printed
    const char **names; // [id]: OpName, NULL for none
    uint32_t indent;
    uint32_t merge[PSEUDO_DEPTH], cont[PSEUDO_DEPTH], depth; // labels of the enclosing constructs
    bool loop[PSEUDO_DEPTH], in_switch[PSEUDO_DEPTH];
};

void pseudo_line(struct printer *p); // begins a line with its indentation
void pseudo_name(struct printer *p, uint32_t id);
// Adds a value as an expression; `depth`: number of enclosing expressions.
void pseudo_value(struct printer *p, uint32_t id, int depth);
// Adds an instruction's line; nothing if it is printed inline or is part of the structure.
void pseudo_instruction(struct printer *p, const struct spv_inst *i);
// Whether a value may be printed inline, at its use.
bool pseudo_pure(const struct spv_inst *i);

#endif
