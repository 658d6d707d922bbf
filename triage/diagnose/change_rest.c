// SPDX-License-Identifier: Apache-2.0
//
// What a compiler did to a small module without changing its group operations: a changed branch
// target, a lost value.
#include "change.h"

#include <string.h>

// Reports whether all labels of a switch are its merge block.
static bool is_empty_switch(const struct spv_module *m, const struct spv_block *b)
{
    const struct spv_inst *t = &m->insts[b->last];
    const uint32_t selector = t->op == SpvOpSwitch ? t->v[0] : 0;
    const struct spv_inst *d = selector ? spv_def(m, selector) : NULL;
    const struct spv_labels l =
        spv_labels(t->op, t->n, spv_literal_words(d ? spv_def(m, d->type) : NULL));
    bool empty = t->op == SpvOpSwitch;
    for (uint32_t k = 0; k < l.count; k++)
        empty &= t->v[l.first + k * l.step] == m->insts[b->merge].v[0];
    return empty;
}

// Reports whether a selection only leaves a loop, or continues it, on one side. Then it is a plain
// branch with a merge instruction that a compiler added.
static bool is_bare(const struct spv_module *m, const struct spv_block *b)
{
    const struct spv_inst *t = &m->insts[b->last], *merge = &m->insts[b->merge];
    if (t->op != SpvOpBranchConditional || (t->v[1] != merge->v[0] && t->v[2] != merge->v[0]))
        return false;
    const uint32_t other = t->v[1] == merge->v[0] ? t->v[2] : t->v[1];
    bool bare = false;
    for (uint32_t k = 0; k < m->block_count; k++) {
        const struct spv_inst *l = m->blocks[k].merge ? &m->insts[m->blocks[k].merge] : NULL;
        bare |= l && l->op == SpvOpLoopMerge && (l->v[0] == other || l->v[1] == other);
    }
    return bare;
}

int change_kind(const struct spv_module *m, const struct spv_block *b)
{
    return !b->merge || is_empty_switch(m, b)        ? -1
           : m->insts[b->merge].op == SpvOpLoopMerge ? DIAG_LOOP
           : m->insts[b->last].op == SpvOpSwitch     ? DIAG_SWITCH
           : is_bare(m, b)                           ? -1
                                                     : DIAG_IF;
}

static enum diag_label label_kind(const struct spv_module *m, uint32_t label)
{
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const struct spv_inst *merge = x->merge ? &m->insts[x->merge] : NULL;
        int kind = change_kind(m, x);
        if (merge && merge->v[0] == label)
            return kind == DIAG_LOOP     ? DIAG_TO_LOOP_MERGE
                   : kind == DIAG_SWITCH ? DIAG_TO_SWITCH_MERGE
                                         : DIAG_TO_IF_MERGE;
        if (kind == DIAG_LOOP && merge->v[1] == label)
            return DIAG_TO_CONTINUE;
    }
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *t = &m->insts[m->blocks[b].last];
        for (uint32_t v = 1; t->op == SpvOpSwitch && v < t->n; v++)
            if (t->v[v] == label)
                return DIAG_TO_CASE;
    }
    return DIAG_TO_BLOCK;
}

static enum diag_value value_kind(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = id < m->bound ? spv_def(m, id) : NULL;
    const struct spv_op *row = d ? spv_op_find(d->op) : NULL;
    if (!row)
        return DIAG_OF_LITERAL;
    return d->op == SpvOpUndef                         ? DIAG_OF_UNDEFINED
           : row->klass == SPV_CLASS_CONSTANT_CREATION ? DIAG_OF_CONSTANT
                                                       : DIAG_OF_VALUE;
}

// Compares the end of a block in both modules; false if the targets are the same.
static bool describe_edge(const struct spv_module *x, const struct spv_module *y, uint32_t bx,
                          uint32_t by, struct diag_change *out)
{
    const struct spv_inst *i = &x->insts[x->blocks[bx].last], *o = &y->insts[y->blocks[by].last];
    uint32_t k = i->op == SpvOpBranch ? 0 : 1;
    bool branch = i->op == SpvOpBranch || i->op == SpvOpBranchConditional || i->op == SpvOpSwitch;
    if (!branch || i->op != o->op || i->n != o->n)
        return false;
    while (k < i->n && i->v[k] == o->v[k])
        k++;
    if (k == i->n)
        return false;
    bool other = i->op == SpvOpSwitch && k > 1 && o->v[k] == i->v[1];
    out->did = i->op == SpvOpSwitch ? DIAG_CASE_EDGE : DIAG_EDGE;
    out->label_from = (uint8_t)label_kind(x, i->v[k]);
    out->label_to = other ? DIAG_TO_DEFAULT : (uint8_t)label_kind(x, o->v[k]);
    return true;
}

// Compares an instruction in both modules.
static bool describe_operand(const struct spv_module *x, const struct spv_module *y,
                             const struct spv_inst *i, const struct spv_inst *o,
                             struct diag_change *out)
{
    if (i->op != o->op || i->op == SpvOpBranch)
        return false;
    if (i->n != o->n) { // optional operands, of an image operation
        if (spv_op_class(i->op) != SPV_CLASS_IMAGE)
            return false;
        out->did = DIAG_OPERAND;
        out->opcode = i->op;
        out->value_from = i->n > o->n ? DIAG_OF_VALUE : DIAG_OF_LITERAL;
        out->value_to = i->n > o->n ? DIAG_OF_LITERAL : DIAG_OF_VALUE;
        return true;
    }
    for (uint32_t k = 0; k < i->n; k++)
        if (i->v[k] != o->v[k]) {
            out->opcode = i->op;
            out->value_from = (uint8_t)value_kind(x, i->v[k]);
            out->value_to = (uint8_t)value_kind(y, o->v[k]);
            bool lost = i->op == SpvOpStore && k == 1 && out->value_to != DIAG_OF_VALUE;
            out->did = spv_group_find(i->op) ? DIAG_OP_OPERAND
                       : lost                ? DIAG_STORE_LOST
                                             : DIAG_OPERAND;
            return true;
        }
    return false;
}

static bool same(const struct spv_inst *i, const struct spv_inst *o)
{
    return i->op == o->op && i->n == o->n && memcmp(i->v, o->v, i->n * sizeof *i->v) == 0;
}

static uint32_t count_of(const struct spv_module *m, uint16_t op)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++)
        n += m->insts[k].op == op;
    return n;
}

// Returns the kind of the operand that replaced an id in the other module.
static enum diag_value instead(const struct spv_module *x, const struct spv_module *y, uint32_t id)
{
    for (uint32_t k = x->functions[0].first; k < x->inst_count; k++) {
        const struct spv_inst *i = &x->insts[k],
                              *o = i->result && i->result < y->bound ? spv_def(y, i->result) : NULL;
        for (uint32_t v = 0; o && o->op == i->op && o->n == i->n && v < i->n; v++)
            if (i->v[v] == id && o->v[v] != id)
                return value_kind(y, o->v[v]);
    }
    return DIAG_OF_LITERAL;
}

// Reports whether an instruction is in a function that is called.
static bool is_called(const struct spv_module *m, uint32_t inst)
{
    const uint32_t f = m->functions[spv_function_at(m, inst)].id;
    bool called = false;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++)
        called |= m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == f;
    return called;
}

// Finds the first block, in the order of the input module, whose end or contents differ. Requires
// the same blocks: the differences after a large change are not informative.
void change_rest(const struct spv_module *x, const struct spv_module *y, struct diag_change *out)
{
    if (x->block_count != y->block_count)
        return;
    for (uint32_t b = 0; b < x->block_count; b++) {
        uint32_t label = x->blocks[b].label, c = label < y->bound ? y->block_of[label] : UINT32_MAX;
        if (c == UINT32_MAX || describe_edge(x, y, b, c, out))
            return;
    }
    for (uint32_t b = 0; b < x->block_count; b++) {
        const struct spv_block *p = &x->blocks[b], *q = &y->blocks[y->block_of[p->label]];
        for (uint32_t k = p->first, n = q->first; k <= p->last && n <= q->last; k++, n++) {
            const uint16_t op = x->insts[k].op;
            if (!same(&x->insts[k], &y->insts[n]) && count_of(x, op) > count_of(y, op)) {
                out->did = op == SpvOpStore ? DIAG_STORE_LOST : DIAG_INST_GONE;
                out->opcode = op;
                out->value_to =
                    (uint8_t)(op == SpvOpIsHelperInvocationEXT ? instead(x, y, x->insts[k].result)
                                                               : DIAG_OF_LITERAL);
                out->called = op == SpvOpDemoteToHelperInvocation && is_called(x, k);
                return;
            }
            const bool demote = op == SpvOpDemoteToHelperInvocation ||
                                y->insts[n].op == SpvOpDemoteToHelperInvocation;
            if (op != y->insts[n].op && demote) {
                out->did = DIAG_INST_MOVED;
                out->opcode = SpvOpDemoteToHelperInvocation;
                out->later = op == SpvOpDemoteToHelperInvocation;
            }
            if (op != y->insts[n].op)
                return;
            if (describe_operand(x, y, &x->insts[k], &y->insts[n], out))
                return;
        }
    }
}
