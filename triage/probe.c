// SPDX-License-Identifier: Apache-2.0
//
// Does it matter which group operation stands at the first wrong place? The same module with
// the operation, and all that are alike, replaced by another one that shows who is together.
// If the target is wrong about that too, any operation would do: the bug is about the tangle.
#include "construct.h"

#include <string.h>

struct rewrite {
    struct arena *a;
    const struct spv_module *m;
    enum tri_probe kind;
    uint32_t bound;
    uint32_t *word;                 // [result of an operation that goes]: the new word
    struct words head, types, code; // before the types' end, new types, the functions
};

static void put(struct arena *a, struct words *w, uint16_t op, const uint32_t *v, uint32_t n)
{
    *VEC_PUSH(a, w) = (n + 1) << 16 | op;
    for (uint32_t i = 0; i < n; i++)
        *VEC_PUSH(a, w) = v[i];
}

// The declaration with these operands (type and result left out), there already or new.
static uint32_t declare(struct rewrite *r, uint16_t op, uint32_t type, const uint32_t *v, uint32_t n)
{
    for (uint32_t k = 0; k < r->m->inst_count; k++) {
        const struct spv_inst *i = &r->m->insts[k];
        if (i->op == op && i->type == type && i->n == n &&
            (n == 0 || memcmp(i->v, v, n * sizeof *v) == 0))
            return i->result;
    }
    uint32_t words[8], at = 0;
    // What this rewrite declared itself.
    for (size_t k = 0; k < r->types.n; k += r->types.v[k] >> 16) {
        const uint32_t *w = &r->types.v[k], skip = type ? 3 : 2;
        if ((w[0] & 0xffff) == op && w[0] >> 16 == n + skip && (!type || w[1] == type) &&
            (n == 0 || memcmp(w + skip, v, n * sizeof *v) == 0))
            return w[skip - 1];
    }
    uint32_t id = r->bound++;
    if (type)
        words[at++] = type;
    words[at++] = id;
    for (uint32_t i = 0; i < n; i++)
        words[at++] = v[i];
    put(r->a, &r->types, op, words, at);
    return id;
}

static uint32_t uint_type(struct rewrite *r)
{
    return declare(r, SpvOpTypeInt, 0, (const uint32_t[]){32, 0}, 2);
}

static bool has_capability(const struct spv_module *m, uint32_t c)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpCapability && m->insts[k].n && m->insts[k].v[0] == c)
            return true;
    return false;
}

static const uint32_t needs[TRI_PROBES] = {
    [TRI_PROBE_BALLOT] = SpvCapabilityGroupNonUniformBallot,
    [TRI_PROBE_SUM] = SpvCapabilityGroupNonUniformArithmetic,
    [TRI_PROBE_ELECT] = SpvCapabilityGroupNonUniform,
    [TRI_PROBE_OPERAND] = SpvCapabilityShader,
};

// What operation i works on, as far as it can be shown and is no constant; 0 else.
static uint32_t operand_of(const struct rewrite *r, const struct spv_inst *i)
{
    bool form = strcmp(op_class(i), "reduce") == 0 || strcmp(op_class(i), "scan") == 0;
    uint32_t at = form ? 2 : 1;
    const struct spv_inst *d = i->n > at ? spv_def(r->m, i->v[at]) : NULL;
    const struct spv_inst *t = d && d->type ? spv_def(r->m, d->type) : NULL;
    const struct spv_op *row = d ? spv_op_find(d->op) : NULL;
    bool constant = !row || strcmp(row->klass, "Constant-Creation") == 0;
    bool word = t && (t->op == SpvOpTypeBool || (t->op == SpvOpTypeInt && t->v[0] == 32));
    return word && !constant ? i->v[at] : 0;
}

// What the probe shows as a new word, in the code from here on; *op is the operation.
static uint32_t put_word(struct rewrite *r, const struct spv_inst *i, uint32_t scope, uint32_t *op)
{
    uint32_t u = uint_type(r), id = r->bound++;
    uint32_t zero = declare(r, SpvOpConstant, u, (const uint32_t[]){0}, 1);
    uint32_t one = declare(r, SpvOpConstant, u, (const uint32_t[]){1}, 1);
    uint32_t boolean = declare(r, SpvOpTypeBool, 0, NULL, 0);
    if (r->kind == TRI_PROBE_SUM) {
        put(r->a, &r->code, SpvOpGroupNonUniformIAdd,
            (const uint32_t[]){u, id, scope, SpvGroupOperationReduce, one}, 5);
        *op = id;
        return id;
    }
    if (r->kind == TRI_PROBE_OPERAND) {
        uint32_t from = operand_of(r, i);
        *op = id;
        if (!from)
            return 0;
        if (spv_def(r->m, spv_def(r->m, from)->type)->op == SpvOpTypeBool)
            put(r->a, &r->code, SpvOpSelect, (const uint32_t[]){u, id, from, one, zero}, 5);
        else
            put(r->a, &r->code, SpvOpBitcast, (const uint32_t[]){u, id, from}, 3);
        return id;
    }
    *op = r->bound++;
    if (r->kind == TRI_PROBE_ELECT) {
        put(r->a, &r->code, SpvOpGroupNonUniformElect, (const uint32_t[]){boolean, *op, scope}, 3);
        put(r->a, &r->code, SpvOpSelect, (const uint32_t[]){u, id, *op, one, zero}, 5);
        return id;
    }
    uint32_t vec = declare(r, SpvOpTypeVector, 0, (const uint32_t[]){u, 4}, 2);
    uint32_t yes = declare(r, SpvOpConstantTrue, boolean, NULL, 0);
    put(r->a, &r->code, SpvOpGroupNonUniformBallot, (const uint32_t[]){vec, *op, scope, yes}, 4);
    put(r->a, &r->code, SpvOpCompositeExtract, (const uint32_t[]){u, id, *op, 0}, 4);
    return id;
}

static bool is_word(const struct spv_module *m, uint32_t type)
{
    const struct spv_inst *t = spv_def(m, type);
    return t && t->op == SpvOpTypeInt && t->n == 2 && t->v[0] == 32;
}

// The new word that stands for what this instruction gives: it is an operation that goes, or
// made of one's result alone. 0: it stays.
static uint32_t shows(const struct rewrite *r, const struct spv_inst *i)
{
    if (!is_word(r->m, i->type) || i->n == 0)
        return 0;
    if (i->result < r->m->bound && r->word[i->result])
        return r->word[i->result];
    bool passes = i->op == SpvOpSelect || i->op == SpvOpCompositeExtract ||
                  i->op == SpvOpGroupNonUniformBallotBitCount;
    uint32_t first = i->v[0], last = i->v[i->n - 1];
    if (passes && first < r->m->bound && r->word[first])
        return r->word[first];
    return passes && last < r->m->bound ? r->word[last] : 0;
}

// Equal but for what they work on.
static bool alike(const struct spv_inst *x, const struct spv_inst *y)
{
    return x->op == y->op && x->n == y->n && strcmp(op_class(x), op_class(y)) == 0;
}

static bool has_scope(const struct spv_inst *x)
{
    return x->op != SpvOpGroupNonUniformQuadAllKHR && x->op != SpvOpGroupNonUniformQuadAnyKHR;
}

static void copy(struct rewrite *r, const struct spv_case *c, const struct spv_inst *i,
                 struct words *to)
{
    for (uint32_t w = 0; w < c->words[i->at] >> 16; w++)
        *VEC_PUSH(r->a, to) = c->words[i->at + w];
}

bool tri_probe(struct arena *a, const struct spv_case *c, const struct tri_verdict *v,
               enum tri_probe kind, struct spv_case *out, uint32_t *id)
{
    struct spv_module m;
    struct site s;
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    site_find(a, c, &m, v, &s);
    if (!s.has_op || m.insts[s.op].n == 0)
        return false;
    const struct spv_inst *op = &m.insts[s.op];
    struct rewrite r = {.a = a, .m = &m, .kind = kind, .bound = m.bound,
                        .word = ARENA_ARRAY(a, uint32_t, m.bound)};
    uint32_t replaced = 0, first_function = m.functions[0].first;
    if (!has_capability(&m, needs[kind]))
        put(a, &r.head, SpvOpCapability, &needs[kind], 1);
    for (uint32_t k = 0; k < m.inst_count; k++) {
        const struct spv_inst *i = &m.insts[k];
        if (k < first_function) {
            copy(&r, c, i, &r.head);
            continue;
        }
        if (alike(i, op)) {
            uint32_t made, scope = has_scope(i) ? i->v[0]
                                                : declare(&r, SpvOpConstant, uint_type(&r),
                                                          (const uint32_t[]){SpvScopeSubgroup}, 1);
            r.word[i->result] = put_word(&r, i, scope, &made);
            if (i == op)
                *id = made;
        }
        uint32_t word = shows(&r, i);
        if (word) {
            put(a, &r.code, SpvOpBitcast, (const uint32_t[]){i->type, i->result, word}, 3);
            replaced++;
            continue;
        }
        copy(&r, c, i, &r.code);
    }
    if (!replaced)
        return false;
    struct words all = {0};
    for (uint32_t w = 0; w < 5; w++)
        *VEC_PUSH(a, &all) = w == 3 ? r.bound : c->words[w];
    const struct words *parts[] = {&r.head, &r.types, &r.code};
    for (int p = 0; p < 3; p++)
        for (size_t w = 0; w < parts[p]->n; w++)
            *VEC_PUSH(a, &all) = parts[p]->v[w];
    *out = *c;
    out->words = all.v;
    out->count = all.n;
    out->body = NULL;
    out->expect_count = 0;
    return true;
}

uint32_t tri_site_op(const struct spv_case *c, const struct tri_verdict *v, bool inner)
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

bool tri_probe_is(const struct spv_case *c, const struct tri_verdict *v, enum tri_probe kind)
{
    static const uint32_t ops[TRI_PROBES] = {
        [TRI_PROBE_BALLOT] = SpvOpGroupNonUniformBallot,
        [TRI_PROBE_SUM] = SpvOpGroupNonUniformIAdd,
        [TRI_PROBE_ELECT] = SpvOpGroupNonUniformElect,
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
