// SPDX-License-Identifier: Apache-2.0
//
// Words -> nodes -> words; predecessors, block order, dominators, constructs.
#include "ir.h"

#include <string.h>

// ---- reading --------------------------------------------------------------------

static void read_block(struct ir *m, const struct spv_block *from, struct ir_function *f)
{
    struct spv_edit_block *b = ARENA_NEW(m->arena, struct spv_edit_block);
    b->label = from->label;
    b->function = f;
    for (uint32_t k = from->first + 1; k <= from->last; k++) {
        struct spv_node *x = m->e.node.v[k];
        if (k == from->last)
            b->end = x;
        else if (k == from->merge)
            b->merge = x;
        else if (x->op != SpvOpLine && x->op != SpvOpNoLine)
            *VEC_PUSH(m->arena, &b->body) = x;
    }
    *VEC_PUSH(m->arena, &f->blocks) = b;
}

bool ir_read(struct ir *m, struct arena *a, const uint32_t *words, size_t count)
{
    struct spv_module *s = ARENA_NEW(a, struct spv_module);
    const struct spv_case c = {.words = words, .count = count};
    struct err e;
    *m = (struct ir){.arena = a};
    if (!spv_module_read(a, words, count, s, &e) || !s->function_count)
        return false;
    spv_edit_start(&m->e, a, &c, s, 0);
    for (uint32_t k = 0; k < s->functions[0].first; k++)
        if (s->insts[k].op == SpvOpLine || s->insts[k].op == SpvOpNoLine)
            spv_edit_drop(&m->e, k);
    for (uint32_t k = 0; k < s->function_count; k++) {
        const struct spv_function *from = &s->functions[k];
        struct ir_function *f = ARENA_NEW(a, struct ir_function);
        f->head = m->e.node.v[from->first];
        f->foot = m->e.node.v[from->last];
        for (uint32_t j = from->first + 1; j < from->last; j++)
            if (s->insts[j].op == SpvOpFunctionParameter)
                *VEC_PUSH(a, &f->params) = m->e.node.v[j];
        for (uint32_t j = 0; j < from->block_count; j++)
            read_block(m, &s->blocks[from->block_first + j], f);
        *VEC_PUSH(a, &m->functions) = f;
    }
    ir_analyse(m);
    return true;
}

// ---- writing --------------------------------------------------------------------

// True for names and decorations of ids that no longer exist.
static bool is_left_over(const struct ir *m, const struct spv_node *i)
{
    switch (i->op) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
        return !ir_def(m, i->v[0]) && (i->v[0] >= m->bound || !m->block_of[i->v[0]]);
    default:
        return false;
    }
}

static void append_block(struct ir *m, const struct spv_edit_block *b)
{
    spv_edit_append(&m->e, spv_edit_make(&m->e, SpvOpLabel, 0, b->label, NULL, 0));
    for (size_t i = 0; i < b->body.n; i++)
        spv_edit_append(&m->e, b->body.v[i]);
    if (b->merge)
        spv_edit_append(&m->e, b->merge);
    spv_edit_append(&m->e, b->end);
}

const uint32_t *ir_write(struct ir *m, size_t *count)
{
    ir_analyse(m);
    IR_EACH_HEAD(x, m)
    if (is_left_over(m, x))
        spv_edit_drop(&m->e, x->index);
    spv_edit_cut(&m->e, m->functions.v[0]->head->index);
    for (size_t k = 0; k < m->functions.n; k++) {
        const struct ir_function *f = m->functions.v[k];
        spv_edit_append(&m->e, f->head);
        for (size_t j = 0; j < f->params.n; j++)
            spv_edit_append(&m->e, f->params.v[j]);
        for (size_t j = 0; j < f->blocks.n; j++)
            append_block(m, f->blocks.v[j]);
        spv_edit_append(&m->e, f->foot);
    }
    spv_edit_write(&m->e, false);
    *count = m->e.c.count;
    return m->e.c.words;
}

// ---- analysis -------------------------------------------------------------------

uint32_t ir_labels(const struct ir *m, const struct spv_node *end, uint32_t **out, uint32_t max)
{
    // The selector of a copied switch has no definition until the next analysis. Its literals then
    // have one word, as in all generated programs.
    const struct spv_node *d = end->op == SpvOpSwitch ? ir_def(m, end->v[0]) : NULL;
    const struct spv_node *type = d ? ir_def(m, d->type) : NULL;
    const uint32_t literal = type && type->n && type->v[0] > 32 ? 2 : 1;
    const struct spv_labels l = spv_labels(end->op, end->n, literal);
    uint32_t n = 0;
    for (; n < l.count && n < max; n++)
        out[n] = &end->v[l.first + n * l.step];
    return n;
}

uint32_t ir_ids(const struct spv_node *i, uint32_t **out, uint32_t max)
{
    uint16_t at[IR_IDS];
    uint32_t rest;
    if (i->op == SpvOpSwitch) { // ir_labels returns its labels
        out[0] = &i->v[0];
        return 1;
    }
    CHECK(i->n <= IR_IDS);
    uint32_t n = spv_operand_ids(i->op, i->v, i->n, 1, at, &rest);
    n = n < max ? n : max;
    for (uint32_t k = 0; k < n; k++)
        out[k] = &i->v[at[k]];
    return n;
}

// Puts reachable blocks first, in reverse postorder.
static void sort_blocks(struct ir *m, struct ir_function *f)
{
    VEC(struct spv_edit_block *) rest = {0};
    struct spv_edit_block **was = arena_copy(m->arena, f->blocks.v, f->blocks.n * sizeof *was);
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
        const struct spv_edit_block *b = f->blocks.v[k];
        struct spv_flow_block *x = &f->flow.block[k];
        uint32_t *labels[IR_LABELS], n = ir_labels(m, b->end, labels, IR_LABELS);
        const bool loop = b->merge && b->merge->op == SpvOpLoopMerge;
        x->succ = ARENA_ARRAY(m->arena, uint32_t, n);
        for (; x->succ_count < n; x->succ_count++)
            x->succ[x->succ_count] = number_of(m, *labels[x->succ_count]);
        x->kind = !b->merge                   ? SPV_NO_CONSTRUCT
                  : loop                      ? SPV_LOOP
                  : b->end->op == SpvOpSwitch ? SPV_SWITCH
                                              : SPV_SELECTION;
        x->merge = b->merge ? number_of(m, b->merge->v[0]) : SPV_NO_BLOCK;
        x->cont = loop ? number_of(m, b->merge->v[1]) : SPV_NO_BLOCK;
    }
    spv_flow_analyse(m->arena, &f->flow);
    for (uint32_t k = 0; k < f->flow.n; k++) {
        struct spv_edit_block *b = f->blocks.v[k];
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
    m->bound = m->e.next_id;
    m->def = ARENA_ARRAY(m->arena, struct spv_node *, m->bound);
    m->block_of = ARENA_ARRAY(m->arena, struct spv_edit_block *, m->bound);
    IR_EACH_HEAD(x, m)
    if (x->result)
        m->def[x->result] = x;
    for (size_t k = 0; k < m->functions.n; k++) {
        struct ir_function *f = m->functions.v[k];
        m->def[f->head->result] = f->head;
        for (size_t j = 0; j < f->params.n; j++)
            m->def[f->params.v[j]->result] = f->params.v[j];
        for (size_t j = 0; j < f->blocks.n; j++) {
            struct spv_edit_block *b = f->blocks.v[j];
            m->block_of[b->label] = b;
            for (size_t i = 0; i < b->body.n; i++) {
                struct spv_node *x = b->body.v[i];
                x->block = b;
                x->place = (uint32_t)i;
                if (x->result)
                    m->def[x->result] = x;
            }
            b->end->block = b;
            b->end->place = (uint32_t)b->body.n;
            if (b->merge) {
                b->merge->block = b;
                b->merge->place = (uint32_t)b->body.n;
            }
        }
    }
    for (size_t k = 0; k < m->functions.n; k++)
        if (m->functions.v[k]->blocks.n)
            analyse(m, m->functions.v[k]);
}

bool ir_dominates(const struct spv_edit_block *a, const struct spv_edit_block *b)
{
    return a->order != NOWHERE && b->order != NOWHERE && a->function == b->function &&
           spv_flow_dominates(&a->function->flow, a->number, b->number);
}

bool ir_before(const struct spv_node *a, const struct spv_node *b)
{
    if (!a->block) // a constant or a parameter
        return true;
    if (!b->block)
        return false;
    return a->block == b->block ? a->place < b->place : ir_dominates(a->block, b->block);
}

// ---- constructs -----------------------------------------------------------------

struct spv_edit_block *ir_merge_of(const struct ir *m, const struct spv_edit_block *header)
{
    return header->merge ? m->block_of[header->merge->v[0]] : NULL;
}

struct spv_edit_block *ir_continue_of(const struct ir *m, const struct spv_edit_block *header)
{
    return header->merge && header->merge->op == SpvOpLoopMerge ? m->block_of[header->merge->v[1]]
                                                                : NULL;
}

bool ir_inside(const struct ir *m, const struct spv_edit_block *header,
               const struct spv_edit_block *b)
{
    (void)m;
    return header->order != NOWHERE && b->order != NOWHERE && header->function == b->function &&
           spv_flow_inside(&b->function->flow, header->number, b->number);
}

bool ir_past_branch(const struct ir *m, const struct spv_edit_block *header,
                    const struct spv_edit_block *b)
{
    const struct spv_edit_block *merge = ir_merge_of(m, header);
    return header != b && ir_dominates(header, b) && !(merge && ir_dominates(merge, b));
}

bool ir_is_merge(const struct ir *m, const struct spv_edit_block *b)
{
    for (size_t k = 0; k < b->function->blocks.n; k++)
        if (ir_merge_of(m, b->function->blocks.v[k]) == b)
            return true;
    return false;
}

bool ir_has_dead_preds(const struct ir *m, const struct spv_edit_block *b)
{
    for (size_t k = 0; k < b->function->blocks.n; k++) {
        const struct spv_edit_block *p = b->function->blocks.v[k];
        uint32_t *labels[IR_LABELS],
            n = p->order == NOWHERE ? ir_labels(m, p->end, labels, IR_LABELS) : 0;
        for (uint32_t j = 0; j < n; j++)
            if (*labels[j] == b->label)
                return true;
    }
    return false;
}

struct spv_edit_block *ir_loop_of(const struct ir *m, const struct spv_edit_block *b)
{
    (void)m;
    const uint32_t h =
        b->order == NOWHERE ? SPV_NO_BLOCK : spv_flow_loop(&b->function->flow, b->number);
    return h == SPV_NO_BLOCK ? NULL : b->function->flowing[h];
}

bool ir_in_continue(const struct ir *m, const struct spv_edit_block *b)
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
