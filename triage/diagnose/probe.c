// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether the choice of group operation matters at the first wrong place: builds the same
// module with the operation, and all equal ones, replaced by another one that shows the tangle. If
// the target is wrong about that too, any operation would show the bug, so it is about the tangle.
#include "construct.h"
#include "spirv/spirv_edit.h"

#include <string.h>

struct probe {
    struct spv_edit e;
    enum diag_probe kind;
    uint32_t *word; // [result of a replaced operation]: the new word
};

static const SpvCapability needs[DIAG_PROBES] = {
    [DIAG_PROBE_BALLOT] = SpvCapabilityGroupNonUniformBallot,
    [DIAG_PROBE_SUM] = SpvCapabilityGroupNonUniformArithmetic,
    [DIAG_PROBE_ELECT] = SpvCapabilityGroupNonUniform,
    [DIAG_PROBE_OPERAND] = SpvCapabilityShader,
};

// Returns the operand of operation i if it is a word or condition and not a constant; else 0.
static uint32_t operand_of(const struct probe *r, const struct spv_inst *i)
{
    const uint32_t at = spv_group_first(spv_group_find(i->op));
    const struct spv_inst *d = i->n > at ? spv_def(r->e.m, i->v[at]) : NULL;
    const struct spv_inst *t = d && d->type ? spv_def(r->e.m, d->type) : NULL;
    bool constant = !d || spv_op_class(d->op) == SPV_CLASS_CONSTANT_CREATION;
    bool word = t && (t->op == SpvOpTypeBool || (t->op == SpvOpTypeInt && t->v[0] == 32));
    return word && !constant ? i->v[at] : 0;
}

// Inserts the probe before node `at` and returns its result as a word; *op is the operation.
static uint32_t put_word(struct probe *r, uint32_t at, uint32_t scope, uint32_t *op)
{
    struct spv_edit *e = &r->e;
    uint32_t u = spv_edit_uint(e), id = spv_edit_id(e);
    uint32_t zero = spv_edit_constant(e, u, 0), one = spv_edit_constant(e, u, 1);
    uint32_t boolean = spv_edit_bool(e);
    if (r->kind == DIAG_PROBE_SUM) {
        SPV_EDIT_INSERT(e, at, SpvOpGroupNonUniformIAdd, u, id, scope, SpvGroupOperationReduce,
                        one);
        *op = id;
        return id;
    }
    if (r->kind == DIAG_PROBE_OPERAND) {
        uint32_t from = operand_of(r, &e->m->insts[at]);
        *op = id;
        if (!from)
            return 0;
        if (spv_def(e->m, spv_def(e->m, from)->type)->op == SpvOpTypeBool)
            SPV_EDIT_INSERT(e, at, SpvOpSelect, u, id, from, one, zero);
        else
            SPV_EDIT_INSERT(e, at, SpvOpBitcast, u, id, from);
        return id;
    }
    *op = spv_edit_id(e);
    if (r->kind == DIAG_PROBE_ELECT) {
        SPV_EDIT_INSERT(e, at, SpvOpGroupNonUniformElect, boolean, *op, scope);
        SPV_EDIT_INSERT(e, at, SpvOpSelect, u, id, *op, one, zero);
        return id;
    }
    uint32_t vec = SPV_EDIT_DECLARE(e, SpvOpTypeVector, 0, u, 4);
    uint32_t yes = spv_edit_constant(e, boolean, 1);
    SPV_EDIT_INSERT(e, at, SpvOpGroupNonUniformBallot, vec, *op, scope, yes);
    SPV_EDIT_INSERT(e, at, SpvOpCompositeExtract, u, id, *op, 0);
    return id;
}

static bool is_word(const struct spv_module *m, uint32_t type)
{
    const struct spv_inst *t = spv_def(m, type);
    return t && t->op == SpvOpTypeInt && t->n == 2 && t->v[0] == 32;
}

// Returns the new word that replaces this instruction: it is a replaced operation, or is derived
// only from one. 0: it stays.
static uint32_t shows(const struct probe *r, const struct spv_inst *i)
{
    if (!is_word(r->e.m, i->type) || i->n == 0)
        return 0;
    if (i->result < r->e.m->bound && r->word[i->result])
        return r->word[i->result];
    bool passes = i->op == SpvOpSelect || i->op == SpvOpCompositeExtract ||
                  i->op == SpvOpGroupNonUniformBallotBitCount;
    uint32_t first = i->v[0], last = i->v[i->n - 1];
    if (passes && first < r->e.m->bound && r->word[first])
        return r->word[first];
    return passes && last < r->e.m->bound ? r->word[last] : 0;
}

// Equal except for the operands.
static bool same_form(const struct spv_inst *x, const struct spv_inst *y)
{
    return x->op == y->op && x->n == y->n && spv_group_class(x) == spv_group_class(y);
}

bool diag_probe(struct arena *a, const struct spv_case *c, const struct judge_verdict *v,
                enum diag_probe kind, struct spv_case *out, uint32_t *id)
{
    struct spv_module m;
    struct site s;
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    site_find(a, c, &m, v, &s);
    if (!s.has_op || m.insts[s.op].n == 0)
        return false;
    const struct spv_inst *op = &m.insts[s.op];
    struct probe r = {.kind = kind, .word = ARENA_ARRAY(a, uint32_t, m.bound)};
    uint32_t replaced = 0, first_function = m.functions[0].first;
    spv_edit_start(&r.e, a, c, &m, 0);
    spv_edit_capability(&r.e, needs[kind]);
    for (uint32_t k = first_function; k < m.inst_count; k++) {
        const struct spv_inst *i = &m.insts[k];
        if (same_form(i, op)) {
            uint32_t made,
                scope = spv_group_find(i->op)->has_scope
                            ? i->v[0]
                            : spv_edit_constant(&r.e, spv_edit_uint(&r.e), SpvScopeSubgroup);
            r.word[i->result] = put_word(&r, k, scope, &made);
            if (i == op)
                *id = made;
        }
        uint32_t word = shows(&r, i);
        if (word) {
            spv_edit_set(&r.e, k, SpvOpBitcast, (const uint32_t[]){i->type, i->result, word}, 3);
            replaced++;
        }
    }
    if (!replaced)
        return false;
    spv_edit_write(&r.e, false);
    *out = r.e.c;
    return true;
}

uint32_t diag_site_op(const struct spv_case *c, const struct judge_verdict *v, bool inner)
{
    struct arena a = {0};
    struct spv_module m;
    struct site s = {0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        site_find(&a, c, &m, v, &s);
    uint32_t at = inner ? s.inner : s.has_op ? s.op : s.guard;
    uint32_t id = at ? m.insts[at].result : 0;
    arena_free(&a);
    return id;
}

uint32_t diag_site_reader(const struct spv_case *c, const struct judge_verdict *v)
{
    struct arena a = {0};
    struct spv_module m;
    struct site s = {0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        site_find(&a, c, &m, v, &s);
    uint32_t id = s.bits ? m.insts[s.bits].result : 0;
    arena_free(&a);
    return id;
}

bool diag_probe_is(const struct spv_case *c, const struct judge_verdict *v, enum diag_probe kind)
{
    static const uint32_t ops[DIAG_PROBES] = {
        [DIAG_PROBE_BALLOT] = SpvOpGroupNonUniformBallot,
        [DIAG_PROBE_SUM] = SpvOpGroupNonUniformIAdd,
        [DIAG_PROBE_ELECT] = SpvOpGroupNonUniformElect,
    };
    struct arena a = {0};
    struct spv_module m;
    struct site s = {0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        site_find(&a, c, &m, v, &s);
    bool is = s.has_op && m.insts[s.op].op == ops[kind];
    arena_free(&a);
    return is;
}

// A finding about a barrier that some invocations do not reach only has a message. A ballot in the
// barrier's place shows which invocations are converged there.
bool diag_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                         uint32_t *id)
{
    struct spv_module m;
    struct spv_edit e;
    uint32_t barriers = 0, barrier = 0;
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || !m.function_count)
        return false;
    for (uint32_t k = m.functions[0].first; k < m.inst_count; k++)
        if (m.insts[k].op == SpvOpControlBarrier) {
            barrier = k;
            barriers++;
        }
    if (barriers != 1) // with several, the wrong one is not known
        return false;
    spv_edit_start(&e, a, c, &m, 0);
    spv_edit_capability(&e, SpvCapabilityGroupNonUniformBallot);
    spv_edit_capability(&e, SpvCapabilityGroupNonUniform);
    const uint32_t u = spv_edit_uint(&e);
    const uint32_t four = SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, u, 4);
    const uint32_t yes = spv_edit_constant(&e, spv_edit_bool(&e), 1);
    const uint32_t scope = spv_edit_constant(&e, u, SpvScopeSubgroup);
    *id = spv_edit_id(&e);
    spv_edit_set(&e, barrier, SpvOpGroupNonUniformBallot, (const uint32_t[]){four, *id, scope, yes},
                 4);
    spv_edit_write(&e, false);
    *out = e.c;
    return true;
}
