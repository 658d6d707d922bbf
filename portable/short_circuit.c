// SPDX-License-Identifier: Apache-2.0
//
// HLSL 2021 evaluates one side only of ?:, && and || on scalars. glslang evaluates both, as HLSL
// did before. This file moves what only one side needs into a branch of its own.
#include "portable_inner.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_groups.h"

#include <string.h>

enum { SIDES_MAX = 1000, ROOM_OF_IDS = 8 }; // ids of one rewriting: three labels and a type or two

// The operands of the instruction that joins two sides.
struct joined {
    uint32_t inst, condition;
    uint32_t side[2]; // the value where the condition is true, false
    uint32_t first;   // the first instruction that may move
    uint32_t n[2];    // instructions that only this side needs
    uint8_t *of;      // [inst - first] 1 + side; 0: stays
};

static bool is_bool(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id), *t = d ? spv_def(m, d->type) : NULL;
    return t && t->op == SpvOpTypeBool;
}

static bool joins(const struct spv_module *m, uint32_t inst, struct joined *out)
{
    const struct spv_inst *s = &m->insts[inst];
    if ((s->op != SpvOpSelect && s->op != SpvOpLogicalAnd && s->op != SpvOpLogicalOr) ||
        !is_bool(m, s->v[0]))
        return false;
    *out = (struct joined){.inst = inst, .condition = s->v[0]};
    out->side[0] = s->op == SpvOpLogicalOr ? s->v[0] : s->v[1];
    out->side[1] = s->op == SpvOpLogicalOr ? s->v[1] : s->op == SpvOpSelect ? s->v[2] : s->v[0];
    return true;
}

// True if moving the instruction changes nothing but whether it is executed.
static bool can_move(const struct spv_inst *s)
{
    switch (spv_op_class(s->op)) {
    case SPV_CLASS_ARITHMETIC:
    case SPV_CLASS_BIT:
    case SPV_CLASS_COMPOSITE:
    case SPV_CLASS_CONVERSION:
    case SPV_CLASS_RELATIONAL_AND_LOGICAL:
        return true;
    default:
        return s->result && s->type &&
               (s->op == SpvOpLoad || s->op == SpvOpAccessChain || s->op == SpvOpExtInst ||
                s->op == SpvOpImageFetch || s->op == SpvOpImageRead || spv_group_find(s->op));
    }
}

// True if it matters whether the instruction is executed: it reads memory, or other invocations.
static bool matters(const struct spv_module *m, const struct spv_inst *s)
{
    const struct spv_inst *to = s->op == SpvOpLoad ? spv_def(m, s->v[0]) : NULL,
                          *type = to ? spv_def(m, to->type) : NULL;
    return (type && type->v[0] != SpvStorageClassFunction && to->op != SpvOpVariable) ||
           s->op == SpvOpImageFetch || s->op == SpvOpImageRead || spv_group_find(s->op);
}

// Finds what only one side needs, backwards from the joining instruction. False: nothing that
// matters.
static bool sides(struct arena *a, const struct spv_module *m, const uint32_t *uses, uint32_t block,
                  uint16_t *at, struct joined *j)
{
    uint32_t rest;
    bool any = false;
    uint32_t *mine = ARENA_ARRAY(a, uint32_t, 2 * (size_t)m->bound); // [side][id] uses by the side
    const uint32_t known = spv_def(m, j->condition) ? m->def[j->condition] : 0;
    j->first = m->blocks[block].first + 1;
    if (known >= j->first && known < j->inst)
        j->first = known + 1;
    j->of = ARENA_ARRAY(a, uint8_t, j->inst - j->first + 1);
    for (uint32_t k = 0; k < 2; k++)
        if (j->side[k] != j->condition)
            mine[k * m->bound + j->side[k]]++;
    for (uint32_t i = j->inst; i-- > j->first;) {
        const struct spv_inst *s = &m->insts[i];
        if (s->op == SpvOpLine || s->op == SpvOpNoLine)
            continue;
        const bool moves = can_move(s);
        for (uint32_t k = 0; k < 2 && moves; k++) {
            if (!mine[k * m->bound + s->result] ||
                mine[k * m->bound + s->result] != uses[s->result])
                continue;
            j->of[i - j->first] = (uint8_t)(1 + k);
            j->n[k]++;
            any |= matters(m, s);
            const uint32_t n = spv_operand_ids(s->op, s->v, s->n, 1, at, &rest);
            for (uint32_t o = 0; o < n; o++)
                mine[k * m->bound + s->v[at[o]]]++;
        }
        if (!moves && !(s->op == SpvOpVariable))
            break; // it may write what the others read
    }
    return any;
}

// The line of an instruction, as the operands of an OpLine.
static const struct spv_inst *line_of(const struct spv_module *m, uint32_t inst, uint32_t first)
{
    for (uint32_t k = inst; k-- > first;)
        if (m->insts[k].op == SpvOpLine)
            return &m->insts[k];
    return NULL;
}

static void put_line(struct spv_edit *e, const struct spv_inst *line, uint32_t before)
{
    if (line)
        spv_edit_insert(e, before, SpvOpLine, line->v, line->n);
}

// Writes the new words to `a`.
static void rewrite(struct arena *a, struct spv_case *c, const struct spv_module *m, uint32_t block,
                    const struct joined *j)
{
    struct spv_edit e;
    const struct spv_inst *s = &m->insts[j->inst];
    const uint32_t label = m->blocks[block].label, start = m->blocks[block].first;
    uint32_t from[2] = {label, label};
    spv_edit_start(&e, a, c, m, ROOM_OF_IDS);
    const uint32_t merge = spv_edit_id(&e);
    for (uint32_t k = 0; k < 2; k++)
        from[k] = j->n[k] ? spv_edit_id(&e) : label;
    SPV_EDIT_INSERT(&e, j->inst, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    SPV_EDIT_INSERT(&e, j->inst, SpvOpBranchConditional, j->condition, j->n[0] ? from[0] : merge,
                    j->n[1] ? from[1] : merge);
    for (uint32_t k = 0; k < 2; k++) {
        if (!j->n[k])
            continue;
        SPV_EDIT_INSERT(&e, j->inst, SpvOpLabel, from[k]);
        for (uint32_t i = j->first; i < j->inst; i++)
            if (j->of[i - j->first] == 1 + k) {
                put_line(&e, line_of(m, i, start), j->inst);
                spv_edit_move(&e, i, j->inst);
            }
        SPV_EDIT_INSERT(&e, j->inst, SpvOpBranch, merge);
    }
    SPV_EDIT_INSERT(&e, j->inst, SpvOpLabel, merge);
    spv_edit_set(&e, j->inst, SpvOpPhi,
                 (const uint32_t[]){s->type, s->result, j->side[0], from[0], j->side[1], from[1]},
                 6);
    put_line(&e, line_of(m, j->inst, start), j->inst + 1);
    for (uint32_t i = 0; i < m->inst_count; i++)
        for (uint32_t k = 1; m->insts[i].op == SpvOpPhi && k < m->insts[i].n; k += 2)
            if (e.node.v[i]->op == SpvOpPhi && i != j->inst && e.node.v[i]->v[k] == label)
                e.node.v[i]->v[k] = merge;
    spv_edit_write(&e, false);
    c->words = e.c.words;
    c->count = e.c.count;
}

// Rewrites the last joining instruction of the first block that has one, so that an outer one comes
// before those in its sides. False: there is none.
static bool one(struct arena *a, struct spv_case *c)
{
    struct spv_module m;
    struct err e;
    struct arena scratch = {0};
    struct joined j;
    uint32_t rest, longest = 16;
    bool done = false;
    if (!spv_module_read(&scratch, c->words, c->count, &m, &e))
        return false;
    for (uint32_t k = 0; k < m.inst_count; k++)
        longest = m.insts[k].n > longest ? m.insts[k].n : longest;
    uint16_t *at = ARENA_ARRAY(&scratch, uint16_t, longest);
    uint32_t *uses = ARENA_ARRAY(&scratch, uint32_t, m.bound);
    for (uint32_t k = m.function_count ? m.functions[0].first : 0; k < m.inst_count; k++) {
        const uint32_t n = spv_operand_ids(m.insts[k].op, m.insts[k].v, m.insts[k].n, 1, at, &rest);
        for (uint32_t o = 0; o < n; o++)
            uses[m.insts[k].v[at[o]]]++;
    }
    for (uint32_t b = 0; b < m.block_count && !done; b++) {
        const struct spv_block *x = &m.blocks[b];
        bool loop = false;
        for (uint32_t k = x->first; k <= x->last; k++)
            loop |= m.insts[k].op == SpvOpLoopMerge;
        for (uint32_t k = x->last; k > x->first && !done && !loop; k--)
            if (joins(&m, k, &j) && sides(&scratch, &m, uses, b, at, &j)) {
                rewrite(a, c, &m, b, &j);
                done = true;
            }
    }
    arena_free(&scratch);
    return done;
}

void por_short_circuit(struct arena *a, struct spv_case *c)
{
    struct arena turn[2] = {{0}, {0}}; // the words of the last rewriting, and of the one before
    uint32_t k = 0;
    for (; k < SIDES_MAX; k++) {
        arena_reset(&turn[k % 2]);
        if (!one(&turn[k % 2], c))
            break;
    }
    if (k) {
        uint32_t *words = ARENA_ARRAY(a, uint32_t, c->count);
        memcpy(words, c->words, c->count * sizeof *words);
        c->words = words;
    }
    arena_free(&turn[0]);
    arena_free(&turn[1]);
}
