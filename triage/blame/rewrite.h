// SPDX-License-Identifier: Apache-2.0
//
// A module written again with something put in: the declarations that it needs, the functions
// instruction by instruction. Private to the room.
#ifndef TF_BLAME_REWRITE_H
#define TF_BLAME_REWRITE_H

#include "construct.h"

struct rewrite {
    struct arena *a;
    const struct spv_module *m;
    uint32_t bound;
    struct words head, types,
        code; // up to the functions; new types, constants, variables; functions
};
void rewrite_start(struct rewrite *r, struct arena *a, const struct spv_module *m);
// One instruction; v: type and result too, where it has them.
void rewrite_put(struct arena *a, struct words *to, uint16_t op, const uint32_t *v, uint32_t n);
void rewrite_copy(struct rewrite *r, const struct spv_inst *i, struct words *to);
// At the module's start, where it is not there.
void rewrite_capability(struct rewrite *r, uint32_t capability);
// The type, constant or variable with these operands (type and result left out), there already or
// new. `type` 0: a type.
uint32_t rewrite_declare(struct rewrite *r, uint16_t op, uint32_t type, const uint32_t *v,
                         uint32_t n);
uint32_t rewrite_uint(struct rewrite *r);
// *out: the case with the new module, without what is only true of the old one.
void rewrite_finish(struct rewrite *r, const struct spv_case *c, struct spv_case *out);

#endif
