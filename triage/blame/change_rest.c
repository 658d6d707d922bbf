// SPDX-License-Identifier: Apache-2.0
//
// What a compiler did to a small module whose group operations it left alone: an edge that goes
// elsewhere, a value that is lost.
#include "change.h"

#include <string.h>

int change_kind(const struct spv_module *m, const struct spv_block *b)
{
    return !b->merge                                 ? -1
           : m->insts[b->merge].op == SpvOpLoopMerge ? LOOP
           : m->insts[b->last].op == SpvOpSwitch     ? CASES
                                                     : TEST;
}

static const char *label_kind(const struct spv_module *m, uint32_t label)
{
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *x = &m->blocks[b];
        const struct spv_inst *merge = x->merge ? &m->insts[x->merge] : NULL;
        int kind = change_kind(m, x);
        if (merge && merge->v[0] == label)
            return kind == LOOP    ? "a loop's merge"
                   : kind == CASES ? "a switch's merge"
                                   : "an if's merge";
        if (kind == LOOP && merge->v[1] == label)
            return "a continue target";
    }
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *t = &m->insts[m->blocks[b].last];
        for (uint32_t v = 1; t->op == SpvOpSwitch && v < t->n; v++)
            if (t->v[v] == label)
                return "a case";
    }
    return "a block";
}

static const char *value_kind(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = id < m->bound ? spv_def(m, id) : NULL;
    const struct spv_op *row = d ? spv_op_find(d->op) : NULL;
    if (!row)
        return "a literal";
    return d->op == SpvOpUndef                         ? "undefined"
           : row->klass == SPV_CLASS_CONSTANT_CREATION ? "a constant"
                                                       : "a value";
}

// One block's end in both modules; false where it goes on alike.
static bool tell_edge(const struct spv_module *x, const struct spv_module *y, uint32_t bx,
                      uint32_t by, struct text *t)
{
    const struct spv_inst *i = &x->insts[x->blocks[bx].last], *o = &y->insts[y->blocks[by].last];
    uint32_t from = i->op == SpvOpBranch ? 0 : 1, k = from;
    bool branch = i->op == SpvOpBranch || i->op == SpvOpBranchConditional || i->op == SpvOpSwitch;
    if (!branch || i->op != o->op || i->n != o->n)
        return false;
    while (k < i->n && i->v[k] == o->v[k])
        k++;
    if (k == i->n)
        return false;
    bool other = i->op == SpvOpSwitch && k > 1 && o->v[k] == i->v[1];
    text_add(t, "%s: %s -> %s", i->op == SpvOpSwitch ? "label" : "branch", label_kind(x, i->v[k]),
             other ? "the default" : label_kind(x, o->v[k]));
    return true;
}

// One instruction in both modules.
static bool tell_operand(const struct spv_module *x, const struct spv_module *y,
                         const struct spv_inst *i, const struct spv_inst *o, struct text *t)
{
    if (i->op != o->op || i->n != o->n || i->op == SpvOpBranch)
        return false;
    for (uint32_t k = 0; k < i->n; k++)
        if (i->v[k] != o->v[k]) {
            if (spv_group_find(i->op))
                text_add(t, "%s of another value", spv_op_name(i->op));
            else if (i->op == SpvOpStore && k == 1 &&
                     strcmp(value_kind(y, o->v[k]), "a value") != 0)
                text_add(t, "a stored value lost");
            else
                text_add(t, "%s: %s -> %s", spv_op_name(i->op), value_kind(x, i->v[k]),
                         value_kind(y, o->v[k]));
            return true;
        }
    return false;
}

static uint32_t count_of(const struct spv_module *m, uint16_t op)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->inst_count; k++)
        n += m->insts[k].op == op;
    return n;
}

// The first block in the order of the module that went in whose end or contents are others. Only
// where the blocks are the same: a compiler that does much says nothing by it.
void change_rest(const struct spv_module *x, const struct spv_module *y, struct text *t)
{
    if (x->block_count != y->block_count)
        return;
    for (uint32_t b = 0; b < x->block_count; b++) {
        uint32_t label = x->blocks[b].label, c = label < y->bound ? y->block_of[label] : UINT32_MAX;
        if (c == UINT32_MAX || tell_edge(x, y, b, c, t))
            return;
    }
    for (uint32_t b = 0; b < x->block_count; b++) {
        const struct spv_block *p = &x->blocks[b], *q = &y->blocks[y->block_of[p->label]];
        for (uint32_t k = p->first, n = q->first; k <= p->last && n <= q->last; k++, n++) {
            const uint16_t op = x->insts[k].op;
            if (op != y->insts[n].op && count_of(x, op) > count_of(y, op)) {
                text_add(t, op == SpvOpStore ? "a stored value lost" : "%s gone", spv_op_name(op));
                return;
            }
            if (op != y->insts[n].op)
                return;
            if (tell_operand(x, y, &x->insts[k], &y->insts[n], t))
                return;
        }
    }
}
