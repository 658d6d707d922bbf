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

// The blocks that are reached come first, in reverse postorder.
static void sort_blocks(struct ir *m, struct ir_function *f)
{
    VEC(struct ir_block *) rest = {0};
    struct ir_block **was = arena_copy(m->arena, f->blocks.v, f->blocks.n * sizeof *was);
    for (size_t k = 0; k < f->blocks.n; k++)
        if (was[k]->order == NOWHERE)
            *VEC_PUSH(m->arena, &rest) = was[k];
    for (uint32_t k = 0; k < f->flow.reached; k++)
        f->blocks.v[k] = was[f->flow.order[k]];
    for (size_t k = 0; k < rest.n; k++)
        f->blocks.v[f->flow.reached + k] = rest.v[k];
}

static uint32_t number_of(const struct ir *m, uint32_t label)
{
    return m->block_of[label] ? m->block_of[label]->number : SPV_NO_BLOCK;
}

static void analyse(struct ir *m, struct ir_function *f)
{
    f->flow = (struct spv_flow){.n = (uint32_t)f->blocks.n};
    f->flow.block = ARENA_ARRAY(m->arena, struct spv_flow_block, f->blocks.n);
    f->flowing = arena_copy(m->arena, f->blocks.v, f->blocks.n * sizeof *f->flowing);
    for (uint32_t k = 0; k < f->flow.n; k++)
        f->blocks.v[k]->number = k;
    for (uint32_t k = 0; k < f->flow.n; k++) {
        const struct ir_block *b = f->blocks.v[k];
        struct spv_flow_block *x = &f->flow.block[k];
        uint32_t *labels[IR_LABELS], n = ir_labels(m, b->end, labels, IR_LABELS);
        const bool loop = b->merge && b->merge->op == SpvOpLoopMerge;
        x->succ = ARENA_ARRAY(m->arena, uint32_t, n);
        for (; x->succ_count < n; x->succ_count++)
            x->succ[x->succ_count] = number_of(m, *labels[x->succ_count]);
        x->kind = !b->merge                    ? SPV_NO_CONSTRUCT
                  : loop                       ? SPV_LOOP
                  : b->end->op == SpvOpSwitch  ? SPV_SWITCH
                                               : SPV_SELECTION;
        x->merge = b->merge ? number_of(m, b->merge->v[0]) : SPV_NO_BLOCK;
        x->cont = loop ? number_of(m, b->merge->v[1]) : SPV_NO_BLOCK;
    }
    spv_flow_analyse(m->arena, &f->flow);
    for (uint32_t k = 0; k < f->flow.n; k++) {
        struct ir_block *b = f->blocks.v[k];
        const struct spv_flow_block *x = &f->flow.block[k];
        b->order = x->order;
        b->idom = x->idom == SPV_NO_BLOCK ? NULL : f->flowing[x->idom];
        b->preds.n = 0;
        for (uint32_t p = 0; p < x->pred_count; p++)
            *VEC_PUSH(m->arena, &b->preds) = f->flowing[x->pred[p]];
    }
    sort_blocks(m, f);
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
        if (m->functions.v[k]->blocks.n)
            analyse(m, m->functions.v[k]);
}

bool ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
    return a->order != NOWHERE && b->order != NOWHERE && a->function == b->function &&
           spv_flow_dominates(&a->function->flow, a->number, b->number);
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
    (void)m;
    return header->order != NOWHERE && b->order != NOWHERE && header->function == b->function &&
           spv_flow_inside(&b->function->flow, header->number, b->number);
}

bool ir_past_branch(const struct ir *m, const struct ir_block *header, const struct ir_block *b)
{
    const struct ir_block *merge = ir_merge_of(m, header);
    return header != b && ir_dominates(header, b) && !(merge && ir_dominates(merge, b));
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
    (void)m;
    const uint32_t h = b->order == NOWHERE ? SPV_NO_BLOCK : spv_flow_loop(&b->function->flow, b->number);
    return h == SPV_NO_BLOCK ? NULL : b->function->flowing[h];
}

bool ir_in_continue(const struct ir *m, const struct ir_block *b)
{
    const struct spv_flow *g = &b->function->flow;
    (void)m;
    if (b->order == NOWHERE)
        return false;
    for (uint32_t h = spv_flow_loop(g, b->number); h != SPV_NO_BLOCK; h = spv_flow_around(g, h))
        if (g->block[h].kind == SPV_LOOP && spv_flow_in_continue(g, h, b->number))
            return true;
    return false;
}
