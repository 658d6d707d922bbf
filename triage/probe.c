// SPDX-License-Identifier: Apache-2.0
//
// Does it matter which group operation stands at the first wrong place? The same module
// with the operation's result replaced by the size of its tangle. If the target is wrong
// about that too, any operation would do: the bug is about who is together.
#include "construct.h"

#include <string.h>

struct rewrite {
    struct arena *a;
    const struct spv_module *m;
    uint32_t bound;
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
        if (i->op == op && i->type == type && i->n == n && memcmp(i->v, v, n * sizeof *v) == 0)
            return i->result;
    }
    uint32_t id = r->bound++, words[8], at = 0;
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

// The tangle's size as a new id, in the code from here on. Of a ballot it is a sum, of
// all others a ballot's bits: what is wrong about one need not be about the other.
static uint32_t put_size(struct rewrite *r, uint32_t scope, bool sum)
{
    uint32_t u = uint_type(r), id = r->bound++;
    if (sum) {
        uint32_t one = declare(r, SpvOpConstant, u, (const uint32_t[]){1}, 1);
        put(r->a, &r->code, SpvOpGroupNonUniformIAdd,
            (const uint32_t[]){u, id, scope, SpvGroupOperationReduce, one}, 5);
        return id;
    }
    uint32_t vec = declare(r, SpvOpTypeVector, 0, (const uint32_t[]){u, 4}, 2);
    uint32_t boolean = declare(r, SpvOpTypeBool, 0, NULL, 0);
    uint32_t yes = declare(r, SpvOpConstantTrue, boolean, NULL, 0), ballot = r->bound++;
    put(r->a, &r->code, SpvOpGroupNonUniformBallot, (const uint32_t[]){vec, ballot, scope, yes}, 4);
    put(r->a, &r->code, SpvOpGroupNonUniformBallotBitCount,
        (const uint32_t[]){u, id, scope, SpvGroupOperationReduce, ballot}, 5);
    return id;
}

// Is this value made of the op's result alone, a word that shows it? Then it is replaced.
static bool shows(const struct rewrite *r, const struct spv_inst *i, const struct spv_inst *op)
{
    const struct spv_inst *t = spv_def(r->m, i->type);
    bool word = t && t->op == SpvOpTypeInt && t->n == 2 && t->v[0] == 32;
    if (!word || i->n == 0)
        return false;
    return i == op || ((i->op == SpvOpSelect || i->op == SpvOpCompositeExtract ||
                        i->op == SpvOpGroupNonUniformBallotBitCount) &&
                       (i->v[0] == op->result || i->v[i->n - 1] == op->result));
}

bool tri_probe(struct arena *a, const struct spv_case *c, const struct tri_verdict *v,
               struct spv_case *out)
{
    struct spv_module m;
    struct site s;
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    site_find(a, c, &m, v, &s);
    if (!s.has_op || m.insts[s.op].n == 0)
        return false;
    const struct spv_inst *op = &m.insts[s.op];
    bool sum = strcmp(op_class(op), "ballot") == 0;
    struct rewrite r = {.a = a, .m = &m, .bound = m.bound};
    uint32_t size = 0, replaced = 0, first_function = m.functions[0].first;
    for (uint32_t k = 0; k < m.inst_count; k++) {
        const struct spv_inst *i = &m.insts[k];
        uint32_t n = c->words[i->at] >> 16;
        struct words *to = k < first_function ? &r.head : &r.code;
        bool is_result = size && i != op && shows(&r, i, op);
        if (k == 0)
            put(a, &r.head, SpvOpCapability,
                (const uint32_t[]){sum ? SpvCapabilityGroupNonUniformArithmetic
                                       : SpvCapabilityGroupNonUniformBallot}, 1);
        if (k == 0 && has_capability(&m, r.head.v[1]))
            r.head.n = 0;
        if (i == op && shows(&r, i, op)) {
            size = put_size(&r, i->v[0], sum);
            is_result = true;
        }
        if (is_result) {
            put(a, &r.code, SpvOpBitcast, (const uint32_t[]){i->type, i->result, size}, 3);
            replaced++;
            continue;
        }
        for (uint32_t w = 0; w < n; w++)
            *VEC_PUSH(a, to) = c->words[i->at + w];
        if (i == op)
            size = put_size(&r, i->v[0], sum);
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
