// SPDX-License-Identifier: Apache-2.0
//
// base: what every room stands on, and nothing of the domain.
//
// Memory lives in arenas: zeroed, never NULL, freed together. Growing arrays
// live in arenas too. Failures of the environment fill a `struct err`; our own
// bugs abort through CHECK.
#ifndef TF_BASE_H
#define TF_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define TF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TF_NORETURN          __attribute__((noreturn))
#else
#define TF_PRINTF(fmt, args)
#define TF_NORETURN
#endif

// ---- which tanglefuzz this is ------------------------------------------------

const char *version_number(void); // "0.1.0"
const char *version_commit(void); // "c27591b", "" where the build had no repository

// ---- our own bugs -----------------------------------------------------------

// CHECK(cond): a fact that only a mistake of ours can break. Aborts, naming the
// place and what was being worked on (check_context).
#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
TF_NORETURN void check_failed(const char *file, int line, const char *what);

// Names the case at hand for the message of a failed CHECK; kept per thread.
// `what` is copied (cut at 200 bytes); NULL clears it.
void check_context(const char *what);

// ---- memory that there is not --------------------------------------------------

// Says so in one line and ends the process with status 2: what it has written is whole, and who it
// started dies with it.
TF_NORETURN void out_of_memory(void);
// malloc, zeroed, and realloc, which end so. To be freed with free.
void *mem_new(size_t size);
void *mem_grow(void *old, size_t size);

// ---- errors of the environment ----------------------------------------------

// One clear line: what, where, what to do. Empty while nothing failed.
struct err {
    char msg[1024];
};

// Fills `e` (which may be NULL) and returns false, so that a function can
// `return err_set(...)`. The message has no trailing newline.
bool err_set(struct err *e, const char *fmt, ...) TF_PRINTF(2, 3);
// Puts "text: " before a message that is there already; returns false.
bool err_prefix(struct err *e, const char *fmt, ...) TF_PRINTF(2, 3);

// ---- arena ------------------------------------------------------------------

struct arena_chunk;
struct arena {
    struct arena_chunk *head; // newest chunk first
    size_t used;              // bytes handed out since the last reset
};

// Zeroed memory, aligned for any scalar, never NULL (out_of_memory:
// callers bound their sizes first). `size` 0 gives a valid pointer.
void *arena_alloc(struct arena *a, size_t size);
// The same without zeroing: for callers that write all of it before they read.
void *arena_room(struct arena *a, size_t size);
#define ARENA_NEW(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), arena_bytes((n), sizeof(T))))
size_t arena_bytes(size_t n, size_t each); // n * each, CHECKed against overflow
void *arena_copy(struct arena *a, const void *data, size_t size);
char *arena_str(struct arena *a, const char *s);
char *arena_strn(struct arena *a, const char *s, size_t n); // adds the final NUL
char *arena_printf(struct arena *a, const char *fmt, ...) TF_PRINTF(2, 3);
// Forgets everything allocated, keeps the largest chunk for the next turn.
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

// ---- growing arrays ---------------------------------------------------------

// struct { T *v; size_t n, cap; }, which grows in an arena:
//   VEC(uint32_t) words = {0};
//   *VEC_PUSH(a, &words) = 7;
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *v;                                                                                      \
        size_t n, cap;                                                                             \
    }
// Address of a new, zeroed last element.
#define VEC_PUSH(a, vec)                                                                           \
    (((vec)->n == (vec)->cap ? (void)((vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap,    \
                                                          sizeof(*(vec)->v), 1))                   \
                             : (void)0),                                                           \
     &(vec)->v[(vec)->n++])
// Room for `more` elements past n; they are zeroed when first reserved.
#define VEC_RESERVE(a, vec, more)                                                                  \
    ((vec)->cap - (vec)->n >= (size_t)(more)                                                       \
         ? (void)0                                                                                 \
         : (void)((vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap, sizeof(*(vec)->v),     \
                                      (size_t)(more))))
void *vec_grow(struct arena *a, void *old, size_t n, size_t *cap, size_t each, size_t more);

struct words {
    uint32_t *v;
    size_t n, cap;
};

// ---- random numbers and hashes ----------------------------------------------

// splitmix64: the one source of pseudo-random numbers of the project. Same
// seed, same numbers, on every machine.
struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *r);
// Uniform in 0 .. n-1; n >= 1.
uint32_t rng_below(struct rng *r, uint32_t n);

uint64_t hash64(const void *data, size_t size); // XXH3
// Continues a hash: the hash of (h, data).
uint64_t hash64_with(uint64_t h, const void *data, size_t size);

// ---- lane masks -------------------------------------------------------------

// A set of lanes of one subgroup, bit l = lane l. Vulkan's ballots hold 128.
#define LANES_MAX 128
__extension__ typedef unsigned __int128 lane_mask;

static inline lane_mask lane_bit(unsigned l)
{
    return (lane_mask)1 << l;
}
static inline lane_mask lanes_below(unsigned n)
{
    return n >= LANES_MAX ? ~(lane_mask)0 : ((lane_mask)1 << n) - 1;
}
static inline bool lane_in(lane_mask m, unsigned l)
{
    return (bool)((m >> l) & 1);
}
// Ones of a word. In line: without a popcnt instruction to rely on, the compiler's own is a call.
static inline unsigned count_ones(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}
static inline unsigned lane_count(lane_mask m)
{
    return count_ones((uint64_t)m) + ((uint64_t)(m >> 64) ? count_ones((uint64_t)(m >> 64)) : 0);
}
// Lowest and highest lane of a set that is not empty.
static inline unsigned lane_first(lane_mask m)
{
    return (uint64_t)m ? (unsigned)__builtin_ctzll((uint64_t)m)
                       : 64u + (unsigned)__builtin_ctzll((uint64_t)(m >> 64));
}
static inline unsigned lane_last(lane_mask m)
{
    return (uint64_t)(m >> 64) ? 127u - (unsigned)__builtin_clzll((uint64_t)(m >> 64))
                               : 63u - (unsigned)__builtin_clzll((uint64_t)m);
}
// for (lanes of m, lowest first): LANES_EACH(l, m) { ... }
// In halves: with 128 bits at once, finding the next lane costs more than most bodies.
#define LANES_EACH(l, m)                                                                           \
    for (lane_mask l##_all = (m); l##_all; l##_all = 0)                                            \
        for (unsigned l##_base = 0; l##_base < LANES_MAX; l##_base += 64)                          \
            for (uint64_t l##_left = (uint64_t)(l##_all >> l##_base); l##_left;                    \
                 l##_left &= l##_left - 1)                                                         \
                for (unsigned l = l##_base + (unsigned)__builtin_ctzll(l##_left), l##_once = 1;    \
                     l##_once; l##_once = 0)

// ---- text -------------------------------------------------------------------

// A text that grows in an arena; `v` is always NUL-terminated once written to.
struct text {
    struct arena *arena;
    char *v;
    size_t n, cap;
};
void text_add(struct text *t, const char *fmt, ...) TF_PRINTF(2, 3);
void text_addn(struct text *t, const char *s, size_t n);
void text_u32(struct text *t, uint32_t value); // decimal, without printf's cost
void text_hex(struct text *t, uint64_t value); // 0x..., no leading zeros
// Words of others (of a file, a device, a module), safe to be shown on a terminal: control
// characters but line feed and tab become "\x1b" or "\u009b" (C1), so do what turns the writing
// direction round and bytes that are no UTF-8. Inside of a JSON string it stays JSON. `s` itself
// where nothing is to do.
const char *text_printable(struct arena *a, const char *s);
// Puts '?' in the place of every byte that is no UTF-8. True when there was one.
bool text_mend(char *s);
// The nearest of `n` names to what was typed, NULL when none is near.
const char *text_nearest(const char *typed, const char *const *names, size_t n);
// One word of a command for a shell: as it is, or in quotes where a shell would read more than
// letters in it.
void text_quote(struct text *t, const char *word);
const char *shell_quote(struct arena *a, const char *word);

// Reads one unsigned number, decimal or 0x hexadecimal, that fills s[0..n)
// whole. False when it is not one or exceeds 64 bits.
bool parse_u64(const char *s, size_t n, uint64_t *out);
bool parse_u32(const char *s, size_t n, uint32_t *out);

// ---- files ------------------------------------------------------------------

// Reads a whole file (at most `limit` bytes) into the arena; the byte after the
// end is a NUL. "-" reads standard input. Pipes and devices are refused, but for those that a shell
// hands over (/dev/fd/N): one in somebody's folder would never end.
// False with a line, and errno: 0 for what is there and is no file to be read.
bool file_read(struct arena *a, const char *path, size_t limit, char **data, size_t *size,
               struct err *e);
// Whether errno, after something could not be opened or looked at, says other than that it is not
// there or not ours to read: then nobody knows what is there.
bool file_trouble(void);
// Writes a file whole or not at all: a temporary beside it, synced, renamed. What is there and is
// no regular file (a device, a link) is not replaced: false.
bool file_write(const char *path, const void *data, size_t size, struct err *e);
// The same where nobody else looks yet (a temporary folder): in its place from the first byte.
// `synced`: for a folder that file_move puts in place. A file or link that is there goes.
bool file_put(const char *path, const void *data, size_t size, bool synced, struct err *e);
// Renames a file or folder, and syncs the folder that it is in then (and a folder that is moved,
// but not the files in it). False with a line, and errno.
bool file_move(const char *from, const char *to, struct err *e);
// Makes a folder and the folders above it; fine when it is there already.
bool dir_make(const char *path, struct err *e);
// A folder's entries by name, without those that start with a dot; none where there is none. False
// with a line when it cannot be read.
bool dir_list(struct arena *a, const char *path, const char ***names, size_t *n, struct err *e);
// Removes a folder with all that is in it, as far as that is allowed; links are not followed.
void dir_remove(const char *path);
// Makes a folder in TMPDIR that is this process's own, to be removed by it; those of processes that
// are gone are removed here.
bool dir_temporary(char *path, size_t size, struct err *e);
// Locks the folder for this process (flock) until the descriptor is closed. -1 with a line: another
// process has had it locked for so many seconds, or there is none.
int dir_lock(const char *path, double seconds, struct err *e);

// Seconds of a clock that only goes forward.
double now_seconds(void);
// Processors that this process may run on, 1 .. most.
uint32_t processor_count(uint32_t most);
// Seconds of processor time: of this process and its children that have ended; of this thread.
double cpu_seconds(void);
double thread_cpu_seconds(void);

#endif
