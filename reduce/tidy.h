// SPDX-License-Identifier: Apache-2.0
//
// Private to tidy.c and tidy_uses.c: what is put right after a change, while it is.
#ifndef TF_REDUCE_TIDY_H
#define TF_REDUCE_TIDY_H

#include "edit.h"

enum { TIDY_CHAIN = 64 };

struct block {
    uint32_t label; // id
    uint32_t first, term, merge; // nodes; merge: EDIT_NONE for none
    uint32_t header;             // id: whose continue target it is declared to be; 0
    bool declared, reached;
};

struct tidy {
    struct red_edit *e;
    VEC(struct block) block; // of the function at hand
    uint32_t *block_of;      // [label]: index + 1
    uint16_t *at;            // for inst_ids
    uint32_t *before;        // [id]: uses before the change
    bool changed, bad;
};

static inline uint32_t resolve(const struct red_edit *e, uint32_t id)
{
    for (int k = 0; k < TIDY_CHAIN && id < e->id_limit && e->map[id]; k++)
        id = e->map[id];
    return id;
}

static inline void drop(struct tidy *t, uint32_t node)
{
    edit_drop(t->e, node);
    t->changed = true;
}

static inline uint32_t next_left(const struct red_edit *e, uint32_t i)
{
    do
        i = e->node.v[i].next;
    while (i != EDIT_NONE && e->node.v[i].gone);
    return i;
}

#define EACH_NODE(i, e)                                                                            \
    for (uint32_t i = (e)->first; i != EDIT_NONE; i = (e)->node.v[i].next)                         \
        if (!(e)->node.v[i].gone)

// ---- tidy_uses.c

// Uses of what is gone become zeros, or go too.
void tidy_fix_uses(struct tidy *t);
// Adds `by` to the count of each id that the node uses.
void tidy_count_uses(struct tidy *t, uint32_t *uses, uint32_t node, uint32_t by);
// Drops what nobody uses any more.
void tidy_drop_dead(struct tidy *t);

#endif
