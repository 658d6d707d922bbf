// SPDX-License-Identifier: Apache-2.0
//
// Private to pseudo.c (structure) and pseudo_value.c (values, instructions).
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
    uint32_t merge[PSEUDO_DEPTH], cont[PSEUDO_DEPTH], depth; // labels of the constructs around
    bool loop[PSEUDO_DEPTH], in_switch[PSEUDO_DEPTH];
};

void pseudo_line(struct printer *p); // the indentation of a new one
void pseudo_name(struct printer *p, uint32_t id);
// As an expression; `depth`: of those around it.
void pseudo_value(struct printer *p, uint32_t id, int depth);
// Its line; nothing where it stands where it is used, or is structure.
void pseudo_instruction(struct printer *p, const struct spv_inst *i);
// A value that may stand where it is used.
bool pseudo_pure(const struct spv_inst *i);

#endif
