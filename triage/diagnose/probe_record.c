// SPDX-License-Identifier: Apache-2.0
//
// Records what an instruction returns to each invocation, with its operands; and the same case in
// which the instruction returns what was recorded, for the oracle.
#include "probe_record.h"

#include "expose.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_ops.h"

#include <string.h>

// Returns the number of words that hold a value of the type in full; 0: it has no such form.
static uint32_t words_of(const struct spv_module *m, const struct spv_inst *t)
{
    const struct spv_inst *part = t && t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : NULL;
    if (part)
        return t->v[1] * words_of(m, part);
    if (!t)
        return 0;
    if (t->op == SpvOpTypeBool || (t->op == SpvOpTypeInt && t->v[0] <= 32))
        return 1;
    const bool number = t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat;
    return number && t->v[0] == 64 ? 2 : number && t->v[0] == 32 ? 1 : 0;
}

static const struct spv_inst *type_of(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->type ? spv_def(m, d->type) : NULL;
}

static uint32_t pair(struct exposing *r)
{
    return SPV_EDIT_DECLARE(&r->e, SpvOpTypeVector, 0, spv_edit_uint(&r->e), 2);
}

// Stores the value to the words from k on; returns the number of the word after them.
static uint32_t put(struct exposing *r, uint32_t words, uint32_t k, uint32_t id, uint32_t type)
{
    const struct spv_inst *t = spv_def(r->e.m, type);
    const uint32_t u = spv_edit_uint(&r->e);
    uint32_t w = id;
    if (t->op == SpvOpTypeVector) {
        for (uint32_t i = 0; i < t->v[1]; i++)
            k = put(r, words, k,
                    expose_value(r, SpvOpCompositeExtract, t->v[0], (const uint32_t[]){id, i}, 2),
                    t->v[0]);
        return k;
    }
    if (t->op != SpvOpTypeBool && t->v[0] == 64) {
        const uint32_t both = expose_value(r, SpvOpBitcast, pair(r), &id, 1);
        for (uint32_t i = 0; i < 2; i++, k++) {
            w = expose_value(r, SpvOpCompositeExtract, u, (const uint32_t[]){both, i}, 2);
            SPV_EDIT_INSERT(&r->e, r->code, SpvOpStore, expose_element(r, words, k), w);
        }
        return k;
    }
    if (t->op == SpvOpTypeBool)
        w = expose_value(
            r, SpvOpSelect, u,
            (const uint32_t[]){id, spv_edit_constant(&r->e, u, 1), spv_edit_constant(&r->e, u, 0)},
            3);
    else if (t->v[0] < 32)
        w = expose_value(r, SpvOpUConvert, u, &id, 1);
    else if (type != u)
        w = expose_value(r, SpvOpBitcast, u, &id, 1);
    SPV_EDIT_INSERT(&r->e, r->code, SpvOpStore, expose_element(r, words, k), w);
    return k + 1;
}

// Loads a value from the words from *k on, and moves *k past them.
static uint32_t get(struct exposing *r, uint32_t words, uint32_t *k, uint32_t type)
{
    const struct spv_inst *t = spv_def(r->e.m, type);
    const uint32_t u = spv_edit_uint(&r->e);
    uint32_t w[4] = {0}, at, n = 1;
    if (t->op == SpvOpTypeVector) {
        for (uint32_t i = 0; i < t->v[1]; i++)
            w[i] = get(r, words, k, t->v[0]);
        return expose_value(r, SpvOpCompositeConstruct, type, w, t->v[1]);
    }
    n += t->op != SpvOpTypeBool && t->v[0] == 64;
    for (uint32_t i = 0; i < n; i++) {
        at = expose_element(r, words, (*k)++);
        w[i] = expose_value(r, SpvOpLoad, u, &at, 1);
    }
    if (n == 2) {
        at = expose_value(r, SpvOpCompositeConstruct, pair(r), w, 2);
        return expose_value(r, SpvOpBitcast, type, &at, 1);
    }
    if (t->op == SpvOpTypeBool) {
        w[1] = spv_edit_constant(&r->e, u, 0);
        return expose_value(r, SpvOpINotEqual, type, w, 2);
    }
    if (t->v[0] < 32)
        return expose_value(r, t->v[1] ? SpvOpSConvert : SpvOpUConvert, type, w, 1);
    return type == u ? w[0] : expose_value(r, SpvOpBitcast, type, w, 1);
}

bool probe_records(const struct spv_module *m, uint32_t i)
{
    const struct spv_inst *x = &m->insts[i];
    const enum spv_op_class k = spv_op_class(x->op);
    const uint32_t words = x->result ? words_of(m, type_of(m, x->result)) : 0;
    return words && words <= PROBE_WORDS && x->op != SpvOpPhi && x->op != SpvOpFunctionCall &&
           x->op != SpvOpUndef && k != SPV_CLASS_ATOMIC && k != SPV_CLASS_CONSTANT_CREATION;
}

static void note_truth(const struct spv_module *m, uint32_t id, uint32_t first, uint32_t words,
                       struct probe_record *out)
{
    const struct spv_inst *t = type_of(m, id);
    t = t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : t;
    for (uint32_t k = 0; k < words; k++)
        out->truth[first + k] = t->op == SpvOpTypeBool;
}

// Returns the operands that are values, each once, no constants.
static void operands(const struct spv_module *m, const struct spv_inst *x, struct probe_record *out)
{
    uint16_t at[64];
    uint32_t rest, n = x->n <= 64 ? spv_operand_ids(x->op, x->v, x->n, 1, at, &rest) : 0;
    for (uint32_t k = 0; k < n && out->operands < PROBE_OPERANDS; k++) {
        const struct spv_inst *d = spv_def(m, x->v[at[k]]);
        bool again = !d || spv_op_class(d->op) == SPV_CLASS_CONSTANT_CREATION;
        for (uint32_t i = 0; i < out->operands; i++)
            again |= out->operand[i] == x->v[at[k]];
        const uint32_t words = again ? 0 : words_of(m, type_of(m, x->v[at[k]]));
        if (!words || words > PROBE_WORDS)
            continue;
        note_truth(m, x->v[at[k]], out->words, words, out);
        out->operand[out->operands++] = x->v[at[k]];
        out->words += words;
    }
}

// Returns the block's first instruction that is not a phi; 0: the label is unknown.
static uint32_t start_of(const struct spv_module *m, uint32_t label)
{
    const uint32_t b = label < m->bound ? m->block_of[label] : SPV_NO_BLOCK;
    uint32_t i = b == SPV_NO_BLOCK ? 0 : m->blocks[b].first + 1;
    while (i && m->insts[i].op == SpvOpPhi)
        i++;
    return i;
}

bool probe_record(struct arena *a, const struct spv_case *c, uint32_t id, uint32_t label,
                  struct probe_record *p, struct spv_case *out)
{
    struct spv_module *m = ARENA_NEW(a, struct spv_module);
    struct exposing r;
    *p = (struct probe_record){.id = id, .label = label};
    if (!spv_module_read(a, c->words, c->count, m, NULL) || !spv_def(m, id) ||
        !probe_records(m, m->def[id]) || !expose_open(&r, a, c, m))
        return false;
    const struct spv_inst *x = spv_def(m, id);
    p->result_words = words_of(m, type_of(m, id));
    p->words = 1 + p->result_words;
    p->invocations = r.invocations;
    note_truth(m, id, 1, p->result_words, p);
    if (label) {
        p->operand[p->operands++] = id;
        note_truth(m, id, p->words, p->result_words, p);
        p->words += p->result_words;
    } else {
        operands(m, x, p);
    }
    r.code = label ? start_of(m, label) : m->def[id] + 1;
    if (!r.code)
        return false;
    // The number of executions.
    const uint32_t u = spv_edit_uint(&r.e), at = expose_element(&r, p->words, 0);
    const uint32_t old = expose_value(&r, SpvOpLoad, u, &at, 1),
                   one = spv_edit_constant(&r.e, u, 1);
    const uint32_t next = expose_value(&r, SpvOpIAdd, u, (const uint32_t[]){old, one}, 2);
    SPV_EDIT_INSERT(&r.e, r.code, SpvOpStore, at, next);
    uint32_t k = put(&r, p->words, 1, id, x->type);
    r.code = m->def[id] + 1;
    for (uint32_t i = 0; i < p->operands; i++)
        k = put(&r, p->words, k, p->operand[i], spv_def(m, p->operand[i])->type);
    expose_close(&r, p->words, out);
    return true;
}

// Replaces a value by another one in the block and in those that it dominates; phis stay.
static void replace_from(struct exposing *r, const struct probe_record *p, uint32_t by)
{
    const struct spv_module *m = r->e.m;
    const uint32_t start = start_of(m, p->label);
    const struct spv_function *in = &m->functions[spv_function_at(m, start)];
    struct spv_flow f;
    spv_flow_read(r->e.a, m, in, &f);
    const uint32_t from = spv_flow_label(&f, p->label);
    for (uint32_t i = start; i < in->last; i++) {
        const uint32_t b = spv_flow_at(&f, i);
        struct spv_node *x = r->e.node.v[i];
        uint16_t at[64];
        uint32_t rest;
        if (b == SPV_NO_BLOCK || x->op == SpvOpPhi || x->n > 64 || !spv_flow_dominates(&f, from, b))
            continue;
        const uint32_t n = spv_edit_ids(&r->e, x, at, &rest);
        for (uint32_t k = 0; k < n; k++)
            if (x->v[at[k]] == p->id)
                x->v[at[k]] = by;
    }
}

bool probe_given(struct arena *a, const struct spv_case *c, const struct probe_record *p,
                 const uint32_t *words, struct spv_case *out)
{
    struct spv_module *m = ARENA_NEW(a, struct spv_module);
    struct exposing r;
    if (!spv_module_read(a, c->words, c->count, m, NULL) || !expose_open(&r, a, c, m))
        return false;
    const struct spv_inst *x = spv_def(m, p->id);
    uint32_t k = 1;
    r.code = p->label ? start_of(m, p->label) : m->def[p->id];
    const uint32_t from = get(&r, p->words, &k, x->type);
    if (!p->label)
        spv_edit_set(&r.e, r.code, SpvOpCopyObject, (const uint32_t[]){x->type, p->id, from}, 3);
    else
        replace_from(&r, p, from);
    expose_close(&r, p->words, out);
    memcpy(out->buffer[0].words, words, (size_t)p->invocations * p->words * sizeof *words);
    out->buffer[0].fill = SPV_FILL_WORDS;
    return true;
}
