// SPDX-License-Identifier: Apache-2.0
//
// Encodes and decodes frames, and the numbers and strings in them.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

// ---- bytes -------------------------------------------------------------------

void wire_free(struct wire_buf *b)
{
    free(b->v);
    *b = (struct wire_buf){0};
}

uint8_t *wire_room(struct wire_buf *b, size_t more)
{
    if (b->at == b->n) {
        b->at = b->n = 0;
    } else if (b->at > b->cap / 2) {
        memmove(b->v, b->v + b->at, b->n - b->at);
        b->n -= b->at;
        b->at = 0;
    }
    if (b->cap - b->n < more) {
        size_t cap = b->cap * 2 > b->n + more ? b->cap * 2 : b->n + more;
#ifdef TANGLEFUZZ_TINY
        cap = b->n + more;
#endif
        b->v = mem_grow(b->v, cap);
        b->cap = cap;
    }
    return b->v + b->n;
}

void put_bytes(struct wire_buf *b, const void *v, size_t n)
{
    if (n)
        memcpy(wire_room(b, n), v, n);
    b->n += n;
}

void put_u32(struct wire_buf *b, uint32_t v)
{
    put_bytes(b, &v, sizeof v);
}

void put_u64(struct wire_buf *b, uint64_t v)
{
    put_bytes(b, &v, sizeof v);
}

void put_f64(struct wire_buf *b, double v)
{
    put_bytes(b, &v, sizeof v);
}

void put_str(struct wire_buf *b, const char *s)
{
    size_t n = strlen(s);
    put_u32(b, (uint32_t)n);
    put_bytes(b, s, n);
}

static const uint8_t *get(struct frame *f, size_t n)
{
    if (f->bad || (size_t)(f->end - f->p) < n) {
        f->bad = true;
        return NULL;
    }
    const uint8_t *p = f->p;
    f->p += n;
    return p;
}

void get_bytes(struct frame *f, void *v, size_t n)
{
    const uint8_t *p = get(f, n);
    if (p && n)
        memcpy(v, p, n);
    else if (n)
        memset(v, 0, n);
}

uint32_t get_u32(struct frame *f)
{
    uint32_t v;
    get_bytes(f, &v, sizeof v);
    return v;
}

uint64_t get_u64(struct frame *f)
{
    uint64_t v;
    get_bytes(f, &v, sizeof v);
    return v;
}

double get_f64(struct frame *f)
{
    double v;
    get_bytes(f, &v, sizeof v);
    return v;
}

double get_seconds(struct frame *f)
{
    const double most = 1e9, v = get_f64(f);
    f->bad |= !(v >= 0 && v <= most);
    return f->bad ? 0 : v;
}

const char *get_str(struct frame *f, struct arena *a)
{
    size_t n = get_u32(f);
    const uint8_t *p = get(f, n);
    return p ? arena_strn(a, (const char *)p, n) : "";
}

uint32_t *get_words(struct frame *f, struct arena *a, size_t n)
{
    const uint8_t *p = get(f, n * sizeof(uint32_t));
    return p ? arena_copy(a, p, n * sizeof(uint32_t)) : NULL;
}

// ---- frames ------------------------------------------------------------------

static const uint32_t frame_magic = 0x7a756674; // "tfuz"

size_t frame_begin(struct wire_buf *b, enum frame_kind kind)
{
    uint64_t size = 0;
    put_u32(b, frame_magic);
    size_t begin = b->n - b->at; // wire_room may move the bytes, but not relative to `at`
    put_u32(b, kind);
    put_bytes(b, &size, sizeof size);
    return begin;
}

void frame_end(struct wire_buf *b, size_t begin)
{
    uint8_t *head = b->v + b->at + begin;
    uint64_t size = (uint64_t)(b->v + b->n - head) - (FRAME_HEAD - sizeof frame_magic);
    memcpy(head + sizeof(uint32_t), &size, sizeof size);
}

bool frame_next(struct wire_buf *b, uint64_t limit, struct frame *f, bool *bad)
{
    *bad = false;
    if (b->n - b->at < FRAME_HEAD)
        return false;
    const uint8_t *head = b->v + b->at;
    uint32_t magic, kind;
    uint64_t size;
    memcpy(&magic, head, sizeof magic);
    memcpy(&kind, head + 4, sizeof kind);
    memcpy(&size, head + 8, sizeof size);
    if (magic != frame_magic || size > limit || kind < FRAME_OPEN || kind > FRAME_ALIVE) {
        *bad = true;
        return false;
    }
    if (b->n - b->at - FRAME_HEAD < size)
        return false;
    *f = (struct frame){
        .kind = (enum frame_kind)kind, .p = head + FRAME_HEAD, .end = head + FRAME_HEAD + size};
    b->at += FRAME_HEAD + (size_t)size;
    return true;
}
