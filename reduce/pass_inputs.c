// SPDX-License-Identifier: Apache-2.0
//
// Lowers initial contents of buffers: all words to zero, runs of words to zero, single words lower.
#include "pass.h"

enum { SOME = 64 }; // words of a buffer that are lowered one by one

static void plan(struct red_plan *p)
{
    const struct spv_case *c = &p->e.c;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct spv_buffer *x = &c->buffer[b];
        bool any = false;
        for (uint32_t i = 0; i < x->count; i++)
            any |= x->words[i] != 0;
        if (!any)
            continue;
        for (uint32_t size = x->count; size > x->count / SOME; size /= 2)
            for (uint32_t i = 0; i < x->count; i += size)
                PLAN(p, b, i, i + size < x->count ? i + size : x->count, 0);
        for (uint32_t i = 0; i < x->count && i < SOME; i++)
            if (x->words[i] > 1) {
                PLAN(p, b, i, i + 1, 1);
                PLAN(p, b, i, i + 1, x->words[i] & 15);
                PLAN(p, b, i, i + 1, x->words[i] / 2);
            }
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    struct spv_buffer *x = &e->c.buffer[s->v[0]];
    bool all_zero = true;
    x->words = arena_copy(e->a, x->words, x->count * sizeof *x->words);
    for (uint32_t i = s->v[1]; i < s->v[2]; i++)
        x->words[i] = s->v[3];
    for (uint32_t i = 0; i < x->count; i++)
        all_zero &= x->words[i] == 0;
    x->fill = all_zero ? SPV_FILL_ZERO : SPV_FILL_WORDS;
    return true;
}

const struct red_pass pass_inputs = {"inputs", plan, apply};
