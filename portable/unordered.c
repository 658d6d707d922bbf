// SPDX-License-Identifier: Apache-2.0
//
// Buffers that hold a set (--unordered): a list that invocations fill in any order, by an atomic
// counter. Two memories are the same if their elements are, in any order.
#include "ask.h"

#include <stdlib.h>
#include <string.h>

// The array at the end of a buffer's block, in words.
struct elements {
    uint32_t set, binding, first, stride;
};

static bool elements_of(struct arena *a, const struct spv_module *m, const char *text,
                        struct elements *out)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *v = &m->insts[k];
        const struct spv_inst *to = v->op == SpvOpVariable ? spv_def(m, v->type) : NULL,
                              *block = to && to->n > 1 ? spv_def(m, to->v[1]) : NULL;
        if (!block || block->op != SpvOpTypeStruct || !block->n ||
            (v->v[0] != SpvStorageClassStorageBuffer && v->v[0] != SpvStorageClassUniform))
            continue;
        const uint32_t set = por_decoration(m, v->result, UINT32_MAX, SpvDecorationDescriptorSet),
                       last = block->n - 1u;
        *out = (struct elements){
            .set = set == UINT32_MAX ? 0 : set,
            .binding = por_decoration(m, v->result, UINT32_MAX, SpvDecorationBinding),
            .first = por_decoration(m, block->result, last, SpvDecorationOffset) / 4,
            .stride = por_decoration(m, block->v[last], UINT32_MAX, SpvDecorationArrayStride)};
        const char *name = spv_name(m, v->result), *type = spv_name(m, block->result),
                   *place = arena_printf(a, "%u:%u", out->set, out->binding);
        if ((name && strcmp(name, text) == 0) || (type && strcmp(type, text) == 0) ||
            strcmp(place, text) == 0) {
            out->stride = out->stride == UINT32_MAX ? 0 : out->stride / 4;
            return true;
        }
    }
    return false;
}

bool por_check_unordered(struct arena *a, const struct spv_case *c, const struct por_given *given,
                         struct err *e)
{
    struct spv_module m;
    struct elements x;
    if (given->unordered_count && !spv_module_read(a, c->words, c->count, &m, e))
        return false;
    for (uint32_t k = 0; k < given->unordered_count; k++) {
        if (!elements_of(a, &m, given->unordered[k], &x))
            return err_set(e,
                           "--unordered %s: the shader has no such buffer (a name, or "
                           "SET:BINDING)",
                           given->unordered[k]);
        if (!x.stride)
            return err_set(e, "--unordered %s: the buffer does not end in an array",
                           given->unordered[k]);
    }
    return true;
}

static int by_words(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y; // the number of words, then the words
    return memcmp(a + 1, b + 1, a[0] * sizeof *a);
}

// The elements of a buffer, sorted; each has its number of words in front. Undefined words are 0.
static uint32_t *sorted(struct arena *a, const struct spv_memory *m, const struct elements *x,
                        uint32_t *count)
{
    *count = x->first < m->count ? (m->count - x->first) / x->stride : 0;
    uint32_t *out = ARENA_ARRAY(a, uint32_t, (size_t)*count *(x->stride + 1) + 1);
    for (uint32_t k = 0; k < *count; k++) {
        uint32_t *to = out + (size_t)k * (x->stride + 1);
        *to++ = x->stride;
        for (uint32_t j = 0; j < x->stride; j++) {
            const uint32_t at = x->first + k * x->stride + j;
            to[j] = m->words[at] & (m->mask ? m->mask[at] : UINT32_MAX);
        }
    }
    qsort(out, *count, (x->stride + 1) * sizeof *out, by_words);
    return out;
}

bool por_same_set(struct por_table *b, const struct por_ran *x, const struct por_ran *y,
                  uint32_t buffer, uint32_t word)
{
    struct elements e;
    const struct spv_buffer *of = &b->c[POR_MAXIMAL].buffer[buffer];
    for (uint32_t k = 0; k < b->given->unordered_count; k++) {
        uint32_t n, m;
        struct arena a = {0};
        if (!elements_of(b->w.a, b->w.m, b->given->unordered[k], &e) || e.set != of->set ||
            e.binding != of->binding || word < e.first)
            continue;
        const uint32_t *left = sorted(&a, &x->r.memory[buffer], &e, &n),
                       *right = sorted(&a, &y->r.memory[buffer], &e, &m);
        const bool same =
            n == m && memcmp(left, right, (size_t)n * (e.stride + 1) * sizeof *left) == 0;
        arena_free(&a);
        return same;
    }
    return false;
}
