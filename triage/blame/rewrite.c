// SPDX-License-Identifier: Apache-2.0
//
// What probes of a module are written with.
#include "rewrite.h"

#include <string.h>

void rewrite_start(struct rewrite *r, struct arena *a, const struct spv_module *m)
{
    *r = (struct rewrite){.a = a, .m = m, .bound = m->bound};
}

void rewrite_put(struct arena *a, struct words *to, uint16_t op, const uint32_t *v, uint32_t n)
{
    *VEC_PUSH(a, to) = (n + 1) << 16 | op;
    for (uint32_t i = 0; i < n; i++)
        *VEC_PUSH(a, to) = v[i];
}

void rewrite_copy(struct rewrite *r, const struct spv_inst *i, struct words *to)
{
    for (uint32_t w = 0; w < r->m->words[i->at] >> 16; w++)
        *VEC_PUSH(r->a, to) = r->m->words[i->at + w];
}

void rewrite_capability(struct rewrite *r, uint32_t capability)
{
    for (uint32_t k = 0; k < r->m->inst_count; k++)
        if (r->m->insts[k].op == SpvOpCapability && r->m->insts[k].n &&
            r->m->insts[k].v[0] == capability)
            return;
    rewrite_put(r->a, &r->head, SpvOpCapability, &capability, 1);
}

uint32_t rewrite_declare(struct rewrite *r, uint16_t op, uint32_t type, const uint32_t *v,
                         uint32_t n)
{
    for (uint32_t k = 0; k < r->m->inst_count && op != SpvOpVariable; k++) {
        const struct spv_inst *i = &r->m->insts[k];
        if (i->op == op && i->type == type && i->n == n &&
            (n == 0 || memcmp(i->v, v, n * sizeof *v) == 0))
            return i->result;
    }
    uint32_t words[8], at = 0;
    // What this rewrite declared itself.
    for (size_t k = 0; k < r->types.n && op != SpvOpVariable; k += r->types.v[k] >> 16) {
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
    rewrite_put(r->a, &r->types, op, words, at);
    return id;
}

uint32_t rewrite_uint(struct rewrite *r)
{
    return rewrite_declare(r, SpvOpTypeInt, 0, (const uint32_t[]){32, 0}, 2);
}

void rewrite_finish(struct rewrite *r, const struct spv_case *c, struct spv_case *out)
{
    struct words all = {0};
    for (uint32_t w = 0; w < 5; w++)
        *VEC_PUSH(r->a, &all) = w == 3 ? r->bound : c->words[w];
    const struct words *parts[] = {&r->head, &r->types, &r->code};
    for (int p = 0; p < 3; p++)
        for (size_t w = 0; w < parts[p]->n; w++)
            *VEC_PUSH(r->a, &all) = parts[p]->v[w];
    *out = *c;
    out->words = all.v;
    out->count = all.n;
    out->body = NULL;
    out->expect_count = 0;
}
