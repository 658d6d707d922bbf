// SPDX-License-Identifier: Apache-2.0
//
// Private to the clean-up after an edit: its state.
#ifndef TF_REDUCE_CLEANUP_H
#define TF_REDUCE_CLEANUP_H

#include "edit.h"

struct block {
    uint32_t label;              // id
    uint32_t first, term, merge; // nodes; merge: SPV_NO_NODE if none
    uint32_t header; // label of the loop header that declares it as continue target; 0: none
    bool declared, reached;
};

struct cleanup {
    struct spv_edit *e;
    VEC(struct block) block; // of the current function
    uint32_t *block_of;      // [label]: index + 1
    uint16_t *at;            // for spv_edit_ids
    uint32_t *before;        // [id]: uses before the edit
    bool changed, bad;
};

static inline void drop(struct cleanup *t, uint32_t node)
{
    spv_edit_drop(t->e, node);
    t->changed = true;
}

#define EACH_NODE(i, e)                                                                            \
    for (uint32_t i = (e)->first; i != SPV_NO_NODE; i = (e)->node.v[i]->next)                      \
        if (!(e)->node.v[i]->gone)

// ---- cleanup_uses.c

// Replaces uses of removed ids by zeros, or removes the using instructions.
void cleanup_fix_uses(struct cleanup *t);
// Adds `by` to the use count of each id that the node uses.
void cleanup_count_uses(struct cleanup *t, uint32_t *uses, uint32_t node, uint32_t by);
// Removes instructions whose results became unused.
void cleanup_drop_dead(struct cleanup *t);

#endif
