// SPDX-License-Identifier: Apache-2.0
//
// Finds the operand words that are ids, and converts an edited module back to words (spirv_edit.h).
#include "spirv_edit.h"

#include "spirv_flow.h"

#include <string.h>

// ---- ids -----------------------------------------------------------------------------------

static uint32_t string_end(const uint32_t *v, uint32_t n, uint32_t i)
{
    while (i < n && v[i] >> 24)
        i++;
    return i < n ? i + 1 : n;
}

uint32_t spv_operand_ids(uint32_t op, const uint32_t *v, uint32_t n, uint32_t literal, uint16_t *at,
                         uint32_t *rest)
{
    const struct spv_op *row = spv_op_find(op);
    uint32_t count = 0, i = 0;
    *rest = n;
    if (!row)
        return 0;
    for (size_t k = 0; k < SPV_OPERANDS_MAX && row->operands[k].kind != SPV_OPERAND_END; k++) {
        while (i < n) {
            switch (row->operands[k].kind) {
            case SPV_OPERAND_ID:
                at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_STRING:
                i = string_end(v, n, i);
                break;
            case SPV_OPERAND_WIDE:
                return count;
            case SPV_OPERAND_PAIR_ID_LITERAL:
                at[count++] = (uint16_t)i;
                i += 2;
                break;
            case SPV_OPERAND_PAIR_ID_ID:
                at[count++] = (uint16_t)i++;
                if (i < n)
                    at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_PAIR_LITERAL_ID:
                i += literal;
                if (i < n)
                    at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_ENUM_ARGS:
                if (row->klass == SPV_CLASS_IMAGE) { // a mask, followed only by ids
                    for (i++; i < n; i++)
                        at[count++] = (uint16_t)i;
                    *rest = n;
                    return count;
                }
                *rest = i;
                return count;
            default:
                i++;
                break;
            }
            if (row->operands[k].quantifier != SPV_MANY)
                break;
        }
    }
    return count;
}

uint32_t spv_edit_literal_words(const struct spv_edit *e, uint32_t selector)
{
    uint32_t at = selector < e->next_id ? e->def[selector] : SPV_NO_NODE;
    const uint32_t type = at == SPV_NO_NODE ? 0 : e->node.v[at]->type;
    at = type && type < e->next_id ? e->def[type] : SPV_NO_NODE;
    const struct spv_node *t = at == SPV_NO_NODE ? NULL : e->node.v[at];
    return t && t->op == SpvOpTypeInt && t->v[0] > 32 ? 2 : 1;
}

uint32_t spv_edit_ids(const struct spv_edit *e, const struct spv_node *x, uint16_t *at,
                      uint32_t *rest)
{
    const uint32_t literal = x->op == SpvOpSwitch ? spv_edit_literal_words(e, x->v[0]) : 1;
    return spv_operand_ids(x->op, x->v, x->n, literal, at, rest);
}

uint16_t *spv_edit_places(struct spv_edit *e)
{
    uint32_t longest = 1;
    for (size_t i = 0; i < e->node.n; i++)
        longest = e->node.v[i]->n > longest ? e->node.v[i]->n : longest;
    return ARENA_ARRAY(e->a, uint16_t, longest);
}

// ---- words -----------------------------------------------------------------------------------

// True if the operands from `rest` on, which the grammar does not specify, are literals.
static bool only_literals(const struct spv_node *x, uint32_t rest)
{
    const uint32_t plain =
        SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask;
    switch (x->op) {
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpExecutionMode:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return true;
    case SpvOpLoad:
    case SpvOpStore:
        return rest >= x->n || (x->v[rest] & ~plain) == 0;
    default:
        return rest >= x->n;
    }
}

struct numbering {
    const struct spv_edit *e;
    uint16_t *at;
    uint32_t *number; // [id]: its new number; 0: not numbered yet
    uint32_t next;    // next number; the bound at the end
    bool keep;
};

static uint32_t number_of(struct numbering *n, uint32_t id)
{
    if (n->keep || id >= n->e->next_id)
        return id;
    if (!n->number[id])
        n->number[id] = n->next++;
    return n->number[id];
}

// Writes one instruction; returns its number of words.
static uint32_t write_node(struct numbering *n, const struct spv_node *x, uint32_t *w)
{
    const uint32_t head = 1u + (x->type != 0) + (x->result != 0);
    uint32_t rest;
    w[0] = (head + x->n) << 16 | x->op;
    if (x->result) // numbered before its type, as the assembly text lists them
        w[head - 1] = number_of(n, x->result);
    if (x->type)
        w[1] = number_of(n, x->type);
    if (x->n)
        memcpy(w + head, x->v, x->n * sizeof *w);
    if (n->keep) {
        n->next = x->result >= n->next ? x->result + 1 : n->next;
        return head + x->n;
    }
    const uint32_t ids = spv_edit_ids(n->e, x, n->at, &rest);
    for (uint32_t k = 0; k < ids; k++)
        w[head + n->at[k]] = number_of(n, x->v[n->at[k]]);
    return head + x->n;
}

void spv_edit_write(struct spv_edit *e, bool renumber)
{
    enum { HEADER = 5 };
    // A policy names labels of case constructs, so ids must not change.
    struct numbering n = {.e = e, .next = 1, .keep = !renumber || e->c.policy.count > 0};
    n.at = spv_edit_places(e);
    n.number = ARENA_ARRAY(e->a, uint32_t, e->next_id);
    size_t size = HEADER, at = HEADER;
    for (uint32_t i = e->first; i != SPV_NO_NODE; i = e->node.v[i]->next) {
        struct spv_node *x = e->node.v[i];
        uint32_t rest, ids = x->gone ? 0 : spv_edit_ids(e, x, n.at, &rest);
        if (x->gone)
            continue;
        size += 1u + (x->type != 0) + (x->result != 0) + x->n;
        n.keep |= !only_literals(x, rest);
        x->type = spv_edit_resolve(e, x->type);
        for (uint32_t k = 0; k < ids; k++)
            x->v[n.at[k]] = spv_edit_resolve(e, x->v[n.at[k]]);
    }
    uint32_t *w = ARENA_ARRAY(e->a, uint32_t, size);
    memcpy(w, e->m->words, HEADER * sizeof *w);
    for (uint32_t i = e->first; i != SPV_NO_NODE; i = e->node.v[i]->next)
        if (!e->node.v[i]->gone)
            at += write_node(&n, e->node.v[i], w + at);
    CHECK(at == size);
    w[3] = renumber ? n.next : e->next_id;
    e->c.words = w;
    e->c.count = size;
}
