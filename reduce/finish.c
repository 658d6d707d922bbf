// SPDX-License-Identifier: Apache-2.0
//
// A changed module as words: tidied, its ids numbered as they appear. So two edits that
// come to the same give the same words, and ids do not grow with every edit.
#include "edit.h"

#include <string.h>

// Are the words from `rest` on, of which the grammar says no more, literals?
static bool only_literals(const struct edit_node *x, uint32_t rest)
{
    const uint32_t plain = SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask |
                           SpvMemoryAccessNontemporalMask;
    switch (x->op) {
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpExecutionMode:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return true;
    case SpvOpLoad:
    case SpvOpStore:
        return rest >= x->n || (x->w[rest] & ~plain) == 0;
    default:
        return rest >= x->n;
    }
}

struct numbering {
    const struct red_edit *e;
    uint16_t *at;
    uint32_t *number; // [id]: its new number, 0 for none yet
    uint32_t next;
    bool keep; // an instruction may hide ids: leave all as they are
};

static uint32_t number_of(struct numbering *n, uint32_t id)
{
    if (n->keep || id >= n->e->id_limit)
        return id;
    if (!n->number[id])
        n->number[id] = n->next++;
    return n->number[id];
}

static void write_node(struct numbering *n, const struct edit_node *x, uint32_t *w)
{
    memcpy(w, x->w, x->n * sizeof *w);
    const uint32_t id = inst_result(x->w);
    if (id) // the text has it first
        w[1 + (inst_type(x->w) != 0)] = number_of(n, id);
    uint32_t rest, ids = inst_ids(n->e, x->w, x->n, n->at, &rest);
    for (uint32_t k = 0; k < ids; k++)
        w[n->at[k]] = number_of(n, x->w[n->at[k]]);
    if (n->keep && id >= n->next)
        n->next = id + 1;
}

bool edit_finish(struct red_edit *e)
{
    if (!tidy(e))
        return false;
    size_t size = 5;
    uint32_t longest = 1;
    for (uint32_t i = e->first; i != EDIT_NONE; i = e->node.v[i].next)
        if (!e->node.v[i].gone) {
            size += e->node.v[i].n;
            longest = e->node.v[i].n > longest ? e->node.v[i].n : longest;
        }
    // A policy names the labels of its choice points.
    struct numbering n = {.e = e, .next = 1, .keep = e->c.policy.count > 0};
    n.at = ARENA_ARRAY(e->a, uint16_t, longest);
    n.number = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    for (uint32_t i = e->first; i != EDIT_NONE; i = e->node.v[i].next) {
        const struct edit_node *x = &e->node.v[i];
        uint32_t rest;
        if (x->gone)
            continue;
        inst_ids(e, x->w, x->n, n.at, &rest);
        n.keep |= !only_literals(x, rest);
    }
    uint32_t *w = ARENA_ARRAY(e->a, uint32_t, size), at = 5;
    memcpy(w, e->m->words, 5 * sizeof *w);
    for (uint32_t i = e->first; i != EDIT_NONE; i = e->node.v[i].next)
        if (!e->node.v[i].gone) {
            write_node(&n, &e->node.v[i], w + at);
            at += e->node.v[i].n;
        }
    w[3] = n.next;
    e->c.words = w;
    e->c.count = size;
    return true;
}
