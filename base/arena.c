// SPDX-License-Identifier: Apache-2.0
//
// Arenas: chunks that double in size. Allocations are zeroed and keep their address until the arena
// is reset.
#include "base.h"

#include <stdlib.h>
#include <string.h>

// With AddressSanitizer, an access beyond an allocation is reported, as one beyond malloc's is.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define FENCES
#endif
#endif
#if defined(FENCES) || defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
static void fence(const void *p, size_t n)
{
    __asan_poison_memory_region(p, n);
}
static void open_fence(const void *p, size_t n)
{
    __asan_unpoison_memory_region(p, n);
}
#else
static void fence(const void *p, size_t n)
{
    (void)p, (void)n;
}
static void open_fence(const void *p, size_t n)
{
    (void)p, (void)n;
}
#endif

#ifdef TANGLEFUZZ_TINY
enum { FIRST_CHUNK = 32 };
#else
enum { FIRST_CHUNK = 64 * 1024 };
#endif
enum { ALIGN = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used; // of data[]
    size_t dirty;      // data[0 .. dirty) may be non-zero
    _Alignas(ALIGN) unsigned char data[];
};

size_t arena_bytes(size_t n, size_t each)
{
    CHECK(each == 0 || n <= SIZE_MAX / 2 / each);
    return n * each;
}

static struct arena_chunk *new_chunk(size_t n)
{
    // calloc returns zeroed pages, so fresh memory is not cleared twice.
    struct arena_chunk *c = mem_new(sizeof *c + n);
    c->size = n;
    fence(c->data, n);
    return c;
}

// Returns the next `size` bytes, rounded up to ALIGN. The first *dirty of them may be non-zero.
static unsigned char *take(struct arena *a, size_t size, size_t *dirty)
{
    CHECK(size <= SIZE_MAX / 4);
    size_t want = (size + ALIGN - 1) / ALIGN * ALIGN;
    struct arena_chunk *c = a->head;
    if (!c || c->size - c->used < want) {
        size_t n = c ? c->size * 2 : FIRST_CHUNK;
        if (n > ((size_t)64 << 20))
            n = (size_t)64 << 20;
        if (n < want)
            n = want;
        c = new_chunk(n);
        c->next = a->head;
        a->head = c;
    }
    unsigned char *p = c->data + c->used;
    *dirty = c->used >= c->dirty ? 0 : c->dirty - c->used < size ? c->dirty - c->used : size;
    c->used += want;
    if (c->used > c->dirty)
        c->dirty = c->used;
    a->used += want;
    open_fence(p, size);
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t dirty;
    unsigned char *p = take(a, size, &dirty);
    if (dirty)
        memset(p, 0, dirty);
    return p;
}

void *arena_room(struct arena *a, size_t size)
{
    size_t dirty;
    return take(a, size, &dirty);
}

void *arena_copy(struct arena *a, const void *data, size_t size)
{
    void *p = arena_room(a, size);
    if (size)
        memcpy(p, data, size);
    return p;
}

char *arena_strn(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

char *arena_str(struct arena *a, const char *s)
{
    return arena_strn(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    CHECK(n >= 0);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

void arena_free(struct arena *a)
{
    for (struct arena_chunk *c = a->head, *next; c; c = next) {
        next = c->next;
        open_fence(c->data, c->size);
        free(c);
    }
    *a = (struct arena){0};
}

void arena_reset(struct arena *a)
{
    const size_t used = a->used;
    if (!a->head || !a->head->next) {
        if (a->head) {
            a->head->used = 0;
            fence(a->head->data, a->head->size);
        }
        a->used = 0;
        return;
    }
    // Several chunks: from now on one that holds all of it, so that further resets free nothing.
    arena_free(a);
    a->head = new_chunk(used);
}

void *vec_grow(struct arena *a, void *old, size_t n, size_t *cap, size_t each, size_t more)
{
#ifdef TANGLEFUZZ_TINY
    size_t want = *cap + 1;
#else
    size_t want = *cap ? *cap * 2 : 16;
#endif
    if (want < n + more)
        want = n + more;
    unsigned char *v = arena_room(a, arena_bytes(want, each));
    if (n)
        memcpy(v, old, n * each);
    memset(v + n * each, 0, (want - n) * each);
    *cap = want;
    return v;
}
