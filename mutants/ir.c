// SPDX-License-Identifier: Apache-2.0
//
// Words -> nodes -> words; predecessors, order, dominators, constructs.
#include "ir.h"

#include <string.h>

// ---- reading --------------------------------------------------------------------

static struct ir_inst *node(struct arena *a, const struct spv_inst *s)
{
    struct ir_inst *i = ARENA_NEW(a, struct ir_inst);
    *i = (struct ir_inst){.op = s->op, .type = s->type, .result = s->result, .n = s->n};
    i->v = arena_copy(a, s->v, s->n * sizeof *s->v);
    return i;
}

static void read_block(struct ir *m, const struct spv_module *s, const struct spv_block *from,
                       struct ir_function *f)
{
    struct ir_block *b = ARENA_NEW(m->arena, struct ir_block);
    b->label = from->label;
    b->function = f;
    for (uint32_t k = from->first + 1; k <= from->last; k++) {
        const struct spv_inst *i = &s->insts[k];
        if (k == from->last)
            b->end = node(m->arena, i);
        else if (k == from->merge)
            b->merge = node(m->arena, i);
        else if (i->op != SpvOpLine && i->op != SpvOpNoLine)
            *VEC_PUSH(m->arena, &b->body) = node(m->arena, i);
    }
    *VEC_PUSH(m->arena, &f->blocks) = b;
}

bool ir_read(struct ir *m, struct arena *a, const uint32_t *words, size_t count)
{
    struct spv_module s;
    struct err e;
    *m = (struct ir){.arena = a};
    if (!spv_module_read(a, words, count, &s, &e))
        return false;
    m->version = s.version;
    m->next_id = s.bound;
    uint32_t first = s.function_count ? s.functions[0].first : s.inst_count;
    for (uint32_t k = 0; k < first; k++)
        if (s.insts[k].op != SpvOpLine && s.insts[k].op != SpvOpNoLine)
            *VEC_PUSH(a, &m->head) = node(a, &s.insts[k]);
    for (uint32_t k = 0; k < s.function_count; k++) {
        const struct spv_function *from = &s.functions[k];
        struct ir_function *f = ARENA_NEW(a, struct ir_function);
        f->head = node(a, &s.insts[from->first]);
        for (uint32_t j = from->first + 1; j < from->last; j++)
            if (s.insts[j].op == SpvOpFunctionParameter)
                *VEC_PUSH(a, &f->params) = node(a, &s.insts[j]);
        for (uint32_t j = 0; j < from->block_count; j++)
            read_block(m, &s, &s.blocks[from->block_first + j], f);
        *VEC_PUSH(a, &m->functions) = f;
    }
    ir_analyse(m);
    return true;
}

// ---- writing --------------------------------------------------------------------

static void put(struct ir *m, struct words *w, const struct ir_inst *i)
{
    uint32_t n = 1 + (i->type ? 1u : 0) + (i->result ? 1u : 0) + i->n;
    *VEC_PUSH(m->arena, w) = n << 16 | i->op;
    if (i->type)
        *VEC_PUSH(m->arena, w) = i->type;
    if (i->result)
        *VEC_PUSH(m->arena, w) = i->result;
    for (uint32_t k = 0; k < i->n; k++)
        *VEC_PUSH(m->arena, w) = i->v[k];
}

// Names and decorations of what is no more go with it.
static bool is_left_over(const struct ir *m, const struct ir_inst *i)
{
    switch (i->op) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
        return i->v[0] >= m->bound || (!m->def[i->v[0]] && !m->block_of[i->v[0]]);
    default:
        return false;
    }
}

const uint32_t *ir_write(struct ir *m, size_t *count)
{
    struct words w = {0};
    ir_analyse(m);
    const uint32_t header[5] = {SpvMagicNumber, m->version, 0, m->next_id, 0};
    for (int k = 0; k < 5; k++)
        *VEC_PUSH(m->arena, &w) = header[k];
    for (size_t k = 0; k < m->head.n; k++)
        if (!is_left_over(m, m->head.v[k]))
            put(m, &w, m->head.v[k]);
    for (size_t k = 0; k < m->functions.n; k++) {
        const struct ir_function *f = m->functions.v[k];
        put(m, &w, f->head);
        for (size_t j = 0; j < f->params.n; j++)
            put(m, &w, f->params.v[j]);
        for (size_t j = 0; j < f->blocks.n; j++) {
            const struct ir_block *b = f->blocks.v[j];
            put(m, &w, &(struct ir_inst){.op = SpvOpLabel, .result = b->label});
            for (size_t i = 0; i < b->body.n; i++)
                put(m, &w, b->body.v[i]);
            if (b->merge)
                put(m, &w, b->merge);
            put(m, &w, b->end);
        }
        put(m, &w, &(struct ir_inst){.op = SpvOpFunctionEnd});
    }
    *count = w.n;
    return w.v;
}

// ---- analysis -------------------------------------------------------------------

uint32_t ir_labels(const struct ir *m, const struct ir_inst *end, uint32_t **out, uint32_t max)
{
    uint32_t n = 0;
    switch (end->op) {
    case SpvOpBranch:
        out[n++] = &end->v[0];
        break;
    case SpvOpBranchConditional:
        out[n++] = &end->v[1];
        out[n++] = &end->v[2];
        break;
    case SpvOpSwitch: {
        const struct ir_inst *selector = m->def[end->v[0]];
        const struct ir_inst *type = selector ? m->def[selector->type] : NULL;
        uint32_t literal = type && type->n && type->v[0] > 32 ? 2 : 1;
        out[n++] = &end->v[1];
        for (uint32_t k = 2 + literal; k < end->n && n < max; k += literal + 1)
            out[n++] = &end->v[k];
        break;
    }
    default:
        break;
    }
    return n;
}

uint32_t ir_ids(const struct ir_inst *i, uint32_t **out, uint32_t max)
{
    const struct spv_op *op = spv_op_find(i->op);
    uint32_t n = 0, at = 0;
    for (uint32_t k = 0; op && op->operands[k].kind != SPV_OPERAND_END && at < i->n;) {
        uint32_t kind = op->operands[k].kind;
        bool again = op->operands[k].quantifier == SPV_MANY;
        if (kind == SPV_OPERAND_ENUM_ARGS || kind == SPV_OPERAND_WIDE)
            break; // what follows names constants at most
        if (kind == SPV_OPERAND_STRING) {
            while (at < i->n && (i->v[at] >> 24) && (i->v[at] >> 16 & 255) &&
                   (i->v[at] >> 8 & 255) && (i->v[at] & 255))
                at++;
            at++;
        } else if (kind == SPV_OPERAND_PAIR_LITERAL_ID) {
            break; // a switch's labels: ir_labels knows their width
        } else if (kind == SPV_OPERAND_PAIR_ID_ID) {
            for (uint32_t j = 0; j < 2 && at < i->n && n < max; j++)
                out[n++] = &i->v[at++];
        } else {
            if (kind == SPV_OPERAND_ID && n < max)
                out[n++] = &i->v[at];
            at++;
        }
        k += !again;
    }
    return n;
}

static void number(struct ir *m, struct ir_function *f)
{
    // Depth first with a stack of its own; the last successor first, so that the first
    // one comes first in reverse postorder.
    VEC(struct ir_block *) stack = {0};
    VEC(uint32_t) at = {0};
    VEC(struct ir_block *) post = {0};
    VEC(struct ir_block *) rest = {0};
    for (size_t k = 0; k < f->blocks.n; k++) {
        f->blocks.v[k]->order = NOWHERE;
        f->blocks.v[k]->idom = NULL;
        f->blocks.v[k]->preds.n = 0;
    }
    if (!f->blocks.n)
        return;
    f->blocks.v[0]->order = 0;
    *VEC_PUSH(m->arena, &stack) = f->blocks.v[0];
    *VEC_PUSH(m->arena, &at) = 0;
    while (stack.n) {
        struct ir_block *b = stack.v[stack.n - 1];
        uint32_t *labels[IR_LABELS], n = ir_labels(m, b->end, labels, IR_LABELS);
        uint32_t k = at.v[at.n - 1]++;
        if (k == n) {
            *VEC_PUSH(m->arena, &post) = b;
            stack.n--;
            at.n--;
            continue;
        }
        struct ir_block *next = m->block_of[*labels[n - 1 - k]];
        if (next->order == NOWHERE) {
            next->order = 0;
            *VEC_PUSH(m->arena, &stack) = next;
            *VEC_PUSH(m->arena, &at) = 0;
        }
    }
    for (size_t k = 0; k < f->blocks.n; k++)
        if (f->blocks.v[k]->order == NOWHERE)
            *VEC_PUSH(m->arena, &rest) = f->blocks.v[k];
    f->blocks.n = 0;
    for (size_t k = post.n; k-- > 0;) {
        post.v[k]->order = (uint32_t)f->blocks.n;
        *VEC_PUSH(m->arena, &f->blocks) = post.v[k];
    }
    for (size_t k = 0; k < rest.n; k++)
        *VEC_PUSH(m->arena, &f->blocks) = rest.v[k];
}

static struct ir_block *meet(struct ir_block *a, struct ir_block *b)
{
    while (a != b) {
        while (a->order > b->order)
            a = a->idom;
        while (b->order > a->order)
            b = b->idom;
    }
    return a;
}

static void dominators(struct ir *m, struct ir_function *f)
{
    for (size_t k = 0; k < f->blocks.n && f->blocks.v[k]->order != NOWHERE; k++) {
        struct ir_block *b = f->blocks.v[k];
        uint32_t *labels[IR_LABELS], n = ir_labels(m, b->end, labels, IR_LABELS);
        for (uint32_t j = 0; j < n; j++) {
            struct ir_block *to = m->block_of[*labels[j]];
            if (!to->preds.n || to->preds.v[to->preds.n - 1] != b)
                *VEC_PUSH(m->arena, &to->preds) = b;
        }
    }
    struct ir_block *entry = f->blocks.v[0];
    entry->idom = entry;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 1; k < f->blocks.n && f->blocks.v[k]->order != NOWHERE; k++) {
            struct ir_block *b = f->blocks.v[k], *idom = NULL;
            for (size_t j = 0; j < b->preds.n; j++)
                if (b->preds.v[j]->idom)
                    idom = idom ? meet(idom, b->preds.v[j]) : b->preds.v[j];
            changed |= idom != b->idom;
            b->idom = idom;
        }
    }
}

void ir_analyse(struct ir *m)
{
    m->bound = m->next_id;
    m->def = ARENA_ARRAY(m->arena, struct ir_inst *, m->bound);
    m->block_of = ARENA_ARRAY(m->arena, struct ir_block *, m->bound);
    for (size_t k = 0; k < m->head.n; k++)
        if (m->head.v[k]->result)
            m->def[m->head.v[k]->result] = m->head.v[k];
    for (size_t k = 0; k < m->functions.n; k++) {
        struct ir_function *f = m->functions.v[k];
        m->def[f->head->result] = f->head;
        for (size_t j = 0; j < f->params.n; j++)
            m->def[f->params.v[j]->result] = f->params.v[j];
        for (size_t j = 0; j < f->blocks.n; j++) {
            struct ir_block *b = f->blocks.v[j];
            m->block_of[b->label] = b;
            for (size_t i = 0; i < b->body.n; i++) {
                struct ir_inst *x = b->body.v[i];
                x->block = b;
                x->index = (uint32_t)i;
                if (x->result)
                    m->def[x->result] = x;
            }
            b->end->block = b;
            b->end->index = (uint32_t)b->body.n;
            if (b->merge) {
                b->merge->block = b;
                b->merge->index = (uint32_t)b->body.n;
            }
        }
    }
    for (size_t k = 0; k < m->functions.n; k++)
        if (m->functions.v[k]->blocks.n) {
            number(m, m->functions.v[k]);
            dominators(m, m->functions.v[k]);
        }
}

bool ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
    if (a->order == NOWHERE || b->order == NOWHERE || a->function != b->function)
        return false;
    while (b->order > a->order)
        b = b->idom;
    return a == b;
}

bool ir_before(const struct ir_inst *a, const struct ir_inst *b)
{
    if (!a->block) // a constant, a parameter
        return true;
    if (!b->block)
        return false;
    return a->block == b->block ? a->index < b->index : ir_dominates(a->block, b->block);
}

// ---- constructs -----------------------------------------------------------------

struct ir_block *ir_merge_of(const struct ir *m, const struct ir_block *header)
{
    return header->merge ? m->block_of[header->merge->v[0]] : NULL;
}

struct ir_block *ir_continue_of(const struct ir *m, const struct ir_block *header)
{
    return header->merge && header->merge->op == SpvOpLoopMerge ? m->block_of[header->merge->v[1]]
                                                                : NULL;
}

bool ir_inside(const struct ir *m, const struct ir_block *header, const struct ir_block *b)
{
    const struct ir_block *merge = ir_merge_of(m, header);
    return ir_dominates(header, b) && !(merge && ir_dominates(merge, b));
}

bool ir_is_merge(const struct ir *m, const struct ir_block *b)
{
    for (size_t k = 0; k < b->function->blocks.n; k++)
        if (ir_merge_of(m, b->function->blocks.v[k]) == b)
            return true;
    return false;
}

bool ir_has_dead_preds(const struct ir *m, const struct ir_block *b)
{
    for (size_t k = 0; k < b->function->blocks.n; k++) {
        const struct ir_block *p = b->function->blocks.v[k];
        uint32_t *labels[IR_LABELS],
            n = p->order == NOWHERE ? ir_labels(m, p->end, labels, IR_LABELS) : 0;
        for (uint32_t j = 0; j < n; j++)
            if (*labels[j] == b->label)
                return true;
    }
    return false;
}

struct ir_block *ir_loop_of(const struct ir *m, const struct ir_block *b)
{
    if (b->order == NOWHERE)
        return NULL;
    for (const struct ir_block *h = b;; h = h->idom) {
        if (h->merge && h->merge->op == SpvOpLoopMerge && ir_inside(m, h, b))
            return (struct ir_block *)h;
        if (h == h->idom)
            return NULL;
    }
}

bool ir_in_continue(const struct ir *m, const struct ir_block *b)
{
    if (b->order == NOWHERE)
        return false;
    for (const struct ir_block *h = b;; h = h->idom) {
        const struct ir_block *cont = ir_continue_of(m, h);
        // A loop of one block is its own continue target.
        if (cont && ir_inside(m, h, b) && (cont == h ? b == h : ir_dominates(cont, b)))
            return true;
        if (h == h->idom)
            return false;
    }
}
