// SPDX-License-Identifier: Apache-2.0
//
// Shared by the edits of helper invocations and of images. Private to the room.
#ifndef TF_DIAGNOSE_HYPOTHESIS_EDIT_H
#define TF_DIAGNOSE_HYPOTHESIS_EDIT_H

#include "hypothesis.h"

#include "spirv/spirv_groups.h"

struct editor {
    struct spv_edit e;
    const struct spv_module *m;
    const struct diag_hypothesis *h;
};

static inline struct spv_node *node_of(const struct editor *k, uint32_t i)
{
    return k->e.node.v[i];
}
static inline uint32_t type_of(const struct editor *k, uint32_t id)
{
    const struct spv_inst *d = spv_def(k->m, id);
    return d ? d->type : 0;
}
static inline uint32_t scope(struct editor *k)
{
    return spv_edit_constant(&k->e, spv_edit_uint(&k->e), SpvScopeSubgroup);
}

// Puts an instruction with a result before node `before`; returns the result's id.
uint32_t edit_put(struct editor *k, uint32_t before, SpvOp op, uint32_t type, const uint32_t *v,
                  uint32_t n);
#define PUT(k, before, op, type, ...)                                                              \
    edit_put((k), (before), (op), (type), (const uint32_t[]){__VA_ARGS__},                         \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// Appends an edit with its value to a list; `at` names the instruction.
void edit_add(struct edit_list *l, uint32_t at, enum diag_edit edit, uint32_t value);

// For each file: the function that lists the edits to try on instruction i, which `at` names; and
// the function that applies the edit k->h to it. False if the edit does not apply to i.
void helper_edits(const struct hypotheses *r, uint32_t i, uint32_t at, struct edit_list *out);
bool helper_edit(struct editor *k, uint32_t i);
void image_edits(const struct hypotheses *r, uint32_t i, uint32_t at, struct edit_list *out);
bool image_edit(struct editor *k, uint32_t i);

#endif
