// SPDX-License-Identifier: Apache-2.0
//
// Mutation and crossover that use the spans of the choice sequence: delete a span, duplicate it,
// replace it by another of its kind, copy one from another input. This only speeds up fuzzing: any
// bytes are a valid input, and half of the time libFuzzer's own mutations are used.
#include "fuzz.h"

#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);
// libFuzzer provides it. Other engines do not, and do not call the functions above either.
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

// The spans of the sequence after the head.
struct parts {
    const struct gen_span *v; // offsets into the record
    size_t n;
    const uint8_t *record;
    size_t count;
};

static struct parts parts_of(struct arena *a, const uint8_t *data, size_t size)
{
    struct fz_case c;
    fz_make(a, data, size, &c);
    return (struct parts){c.made.spans, c.made.span_count, c.made.choices, c.made.choice_count};
}

static bool movable(const struct gen_span *s)
{
    return s->kind == GEN_SPAN_STMT || s->kind == GEN_SPAN_EXPR || s->kind == GEN_SPAN_BLOCK;
}

// Draws a movable span of a kind (-1: any). NULL if a few attempts find none.
static const struct gen_span *draw(const struct parts *p, struct rng *r, int kind)
{
    for (int tries = 0; tries < 32 && p->n; tries++) {
        const struct gen_span *s = &p->v[rng_below(r, (uint32_t)p->n)];
        if (movable(s) && s->end > s->first && s->end <= p->count &&
            (kind < 0 || s->kind == (unsigned)kind))
            return s;
    }
    return NULL;
}

// Writes head, record[0 .. at), `with`, record[from .. count) to `out`. Returns its size.
static size_t splice(uint8_t *out, size_t max_size, const uint8_t *head, size_t head_size,
                     const struct parts *p, size_t at, size_t from, const uint8_t *with, size_t n)
{
    uint8_t *copy = out;
    size_t room = max_size, used = 0;
    const struct {
        const uint8_t *v;
        size_t n;
    } piece[] = {
        {head, head_size}, {p->record, at}, {with, n}, {p->record + from, p->count - from}};
    for (size_t k = 0; k < sizeof piece / sizeof *piece; k++) {
        size_t take = piece[k].n < room ? piece[k].n : room;
        if (take)
            memmove(copy + used, piece[k].v, take);
        used += take;
        room -= take;
    }
    return used;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct rng r = {seed};
    if (size <= FZ_HEAD || rng_below(&r, 2) == 0)
        return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : size;
    struct arena a = {0};
    struct parts p = parts_of(&a, data, size);
    uint8_t head[FZ_HEAD];
    memcpy(head, data, FZ_HEAD);
    const struct gen_span *s = draw(&p, &r, -1), *o = s ? draw(&p, &r, s->kind) : NULL;
    size_t n = size;
    if (s && o) {
        const uint8_t *other = p.record + o->first;
        size_t length = o->end - o->first;
        switch (rng_below(&r, 4)) {
        case 0: // delete it
            n = splice(data, max_size, head, FZ_HEAD, &p, s->first, s->end, NULL, 0);
            break;
        case 1: // duplicate it
            n = splice(data, max_size, head, FZ_HEAD, &p, s->end, s->end, p.record + s->first,
                       s->end - s->first);
            break;
        case 2: // replace it by another of its kind
            n = splice(data, max_size, head, FZ_HEAD, &p, s->first, s->end, other, length);
            break;
        default: // insert another of its kind before it
            n = splice(data, max_size, head, FZ_HEAD, &p, s->first, s->first, other, length);
        }
    }
    arena_free(&a);
    return n;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *x, size_t x_size, const uint8_t *y, size_t y_size,
                                 uint8_t *out, size_t max_size, unsigned int seed)
{
    struct rng r = {seed};
    if (x_size <= FZ_HEAD || y_size <= FZ_HEAD)
        return 0;
    struct arena a = {0};
    struct parts p = parts_of(&a, x, x_size), q = parts_of(&a, y, y_size);
    const struct gen_span *s = draw(&p, &r, -1), *o = s ? draw(&q, &r, s->kind) : NULL;
    size_t n = 0;
    if (s && o)
        n = splice(out, max_size, rng_below(&r, 2) ? x : y, FZ_HEAD, &p, s->first,
                   rng_below(&r, 2) ? s->end : s->first, q.record + o->first, o->end - o->first);
    arena_free(&a);
    return n;
}
