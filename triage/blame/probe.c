// SPDX-License-Identifier: Apache-2.0
//
// Does it matter which group operation stands at the first wrong place? The same module with
// the operation, and all that are alike, replaced by another one that shows who is together.
// If the target is wrong about that too, any operation would do: the bug is about the tangle.
#include "rewrite.h"

#include <string.h>

struct probe {
    struct rewrite w;
    enum blame_probe kind;
    uint32_t *word; // [result of an operation that goes]: the new word
};

static const uint32_t needs[BLAME_PROBES] = {
    [BLAME_PROBE_BALLOT] = SpvCapabilityGroupNonUniformBallot,
    [BLAME_PROBE_SUM] = SpvCapabilityGroupNonUniformArithmetic,
    [BLAME_PROBE_ELECT] = SpvCapabilityGroupNonUniform,
    [BLAME_PROBE_OPERAND] = SpvCapabilityShader,
};

// What operation i works on, as far as it can be shown and is no constant; 0 else.
static uint32_t operand_of(const struct probe *r, const struct spv_inst *i)
{
    bool form = strcmp(blame_op_class(i), "reduce") == 0 || strcmp(blame_op_class(i), "scan") == 0;
    uint32_t at = form ? 2 : 1;
    const struct spv_inst *d = i->n > at ? spv_def(r->w.m, i->v[at]) : NULL;
    const struct spv_inst *t = d && d->type ? spv_def(r->w.m, d->type) : NULL;
    const struct spv_op *row = d ? spv_op_find(d->op) : NULL;
    bool constant = !row || strcmp(row->klass, "Constant-Creation") == 0;
    bool word = t && (t->op == SpvOpTypeBool || (t->op == SpvOpTypeInt && t->v[0] == 32));
    return word && !constant ? i->v[at] : 0;
}

// What the probe shows as a new word, in the code from here on; *op is the operation.
static uint32_t put_word(struct probe *r, const struct spv_inst *i, uint32_t scope, uint32_t *op)
{
    uint32_t u = rewrite_uint(&r->w), id = r->w.bound++;
    uint32_t zero = rewrite_declare(&r->w, SpvOpConstant, u, (const uint32_t[]){0}, 1);
    uint32_t one = rewrite_declare(&r->w, SpvOpConstant, u, (const uint32_t[]){1}, 1);
    uint32_t boolean = rewrite_declare(&r->w, SpvOpTypeBool, 0, NULL, 0);
    if (r->kind == BLAME_PROBE_SUM) {
        rewrite_put(r->w.a, &r->w.code, SpvOpGroupNonUniformIAdd,
                    (const uint32_t[]){u, id, scope, SpvGroupOperationReduce, one}, 5);
        *op = id;
        return id;
    }
    if (r->kind == BLAME_PROBE_OPERAND) {
        uint32_t from = operand_of(r, i);
        *op = id;
        if (!from)
            return 0;
        if (spv_def(r->w.m, spv_def(r->w.m, from)->type)->op == SpvOpTypeBool)
            rewrite_put(r->w.a, &r->w.code, SpvOpSelect, (const uint32_t[]){u, id, from, one, zero},
                        5);
        else
            rewrite_put(r->w.a, &r->w.code, SpvOpBitcast, (const uint32_t[]){u, id, from}, 3);
        return id;
    }
    *op = r->w.bound++;
    if (r->kind == BLAME_PROBE_ELECT) {
        rewrite_put(r->w.a, &r->w.code, SpvOpGroupNonUniformElect,
                    (const uint32_t[]){boolean, *op, scope}, 3);
        rewrite_put(r->w.a, &r->w.code, SpvOpSelect, (const uint32_t[]){u, id, *op, one, zero}, 5);
        return id;
    }
    uint32_t vec = rewrite_declare(&r->w, SpvOpTypeVector, 0, (const uint32_t[]){u, 4}, 2);
    uint32_t yes = rewrite_declare(&r->w, SpvOpConstantTrue, boolean, NULL, 0);
    rewrite_put(r->w.a, &r->w.code, SpvOpGroupNonUniformBallot,
                (const uint32_t[]){vec, *op, scope, yes}, 4);
    rewrite_put(r->w.a, &r->w.code, SpvOpCompositeExtract, (const uint32_t[]){u, id, *op, 0}, 4);
    return id;
}

static bool is_word(const struct spv_module *m, uint32_t type)
{
    const struct spv_inst *t = spv_def(m, type);
    return t && t->op == SpvOpTypeInt && t->n == 2 && t->v[0] == 32;
}

// The new word that stands for what this instruction gives: it is an operation that goes, or
// made of one's result alone. 0: it stays.
static uint32_t shows(const struct probe *r, const struct spv_inst *i)
{
    if (!is_word(r->w.m, i->type) || i->n == 0)
        return 0;
    if (i->result < r->w.m->bound && r->word[i->result])
        return r->word[i->result];
    bool passes = i->op == SpvOpSelect || i->op == SpvOpCompositeExtract ||
                  i->op == SpvOpGroupNonUniformBallotBitCount;
    uint32_t first = i->v[0], last = i->v[i->n - 1];
    if (passes && first < r->w.m->bound && r->word[first])
        return r->word[first];
    return passes && last < r->w.m->bound ? r->word[last] : 0;
}

// Equal but for what they work on.
static bool alike(const struct spv_inst *x, const struct spv_inst *y)
{
    return x->op == y->op && x->n == y->n && strcmp(blame_op_class(x), blame_op_class(y)) == 0;
}

static bool has_scope(const struct spv_inst *x)
{
    return x->op != SpvOpGroupNonUniformQuadAllKHR && x->op != SpvOpGroupNonUniformQuadAnyKHR;
}

bool blame_probe(struct arena *a, const struct spv_case *c, const struct judge_verdict *v,
                 enum blame_probe kind, struct spv_case *out, uint32_t *id)
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
    rewrite_start(&r.w, a, &m);
    rewrite_capability(&r.w, needs[kind]);
    for (uint32_t k = 0; k < m.inst_count; k++) {
        const struct spv_inst *i = &m.insts[k];
        if (k < first_function) {
            rewrite_copy(&r.w, i, &r.w.head);
            continue;
        }
        if (alike(i, op)) {
            uint32_t made, scope = has_scope(i)
                                       ? i->v[0]
                                       : rewrite_declare(&r.w, SpvOpConstant, rewrite_uint(&r.w),
                                                         (const uint32_t[]){SpvScopeSubgroup}, 1);
            r.word[i->result] = put_word(&r, i, scope, &made);
            if (i == op)
                *id = made;
        }
        uint32_t word = shows(&r, i);
        if (word) {
            rewrite_put(a, &r.w.code, SpvOpBitcast, (const uint32_t[]){i->type, i->result, word},
                        3);
            replaced++;
            continue;
        }
        rewrite_copy(&r.w, i, &r.w.code);
    }
    if (!replaced)
        return false;
    rewrite_finish(&r.w, c, out);
    return true;
}

uint32_t blame_site_op(const struct spv_case *c, const struct judge_verdict *v, bool inner)
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

uint32_t blame_site_reader(const struct spv_case *c, const struct judge_verdict *v)
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

bool blame_probe_is(const struct spv_case *c, const struct judge_verdict *v, enum blame_probe kind)
{
    static const uint32_t ops[BLAME_PROBES] = {
        [BLAME_PROBE_BALLOT] = SpvOpGroupNonUniformBallot,
        [BLAME_PROBE_SUM] = SpvOpGroupNonUniformIAdd,
        [BLAME_PROBE_ELECT] = SpvOpGroupNonUniformElect,
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
