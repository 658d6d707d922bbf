// SPDX-License-Identifier: Apache-2.0
//
// base: arenas, growing arrays, errors, hashes, lane masks, text and files, for all rooms. Nothing
// here knows SPIR-V.
//
// Memory lives in arenas: zeroed, never NULL, freed together. Growing arrays live in arenas too.
// Failures of the environment fill a `struct err`; internal bugs abort through CHECK.
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

// ---- version ------------------------------------------------------------------

const char *version_number(void); // "0.1.0"
const char *version_commit(void); // "c27591b"; "" if the build had no repository

// ---- internal errors -----------------------------------------------------------

// CHECK(cond) aborts if `cond` is false, which only a bug in tanglefuzz can cause. Prints the place
// and the case that was being processed (check_context).
#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
TF_NORETURN void check_failed(const char *file, int line, const char *what);

// Names the current case for the message of a failed CHECK. Kept per thread. `what` is copied (cut
// at 200 bytes); NULL clears it.
void check_context(const char *what);

// ---- out of memory ---------------------------------------------------------------

// Prints one line and exits with status 2. Files are written atomically, so none is left
// half-written; worker processes exit with their parent.
TF_NORETURN void out_of_memory(void);
// mem_new is a zeroed malloc. mem_grow is realloc: added bytes are not zeroed. Neither returns NULL
// (see out_of_memory). Free with free().
void *mem_new(size_t size);
void *mem_grow(void *old, size_t size);

// ---- errors of the environment ----------------------------------------------

// One line: what failed, where, and what to do. Empty while nothing failed.
struct err {
    char msg[1024];
};

// Fills `e` (which may be NULL) and returns false, so that a function can `return err_set(...)`.
// The message has no trailing newline.
bool err_set(struct err *e, const char *fmt, ...) TF_PRINTF(2, 3);
// Puts "text: " before the message that `e` (may be NULL) already holds; returns false.
bool err_prefix(struct err *e, const char *fmt, ...) TF_PRINTF(2, 3);

// ---- arena ------------------------------------------------------------------

struct arena_chunk;
struct arena {
    struct arena_chunk *head; // newest chunk first
    size_t used;              // bytes allocated since the last reset
};

// Returns zeroed memory, aligned for any scalar, never NULL (see out_of_memory). Callers bound
// their sizes first. `size` 0 returns a valid pointer.
void *arena_alloc(struct arena *a, size_t size);
// The same without zeroing, for callers that write all of it before they read.
void *arena_room(struct arena *a, size_t size);
#define ARENA_NEW(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), arena_bytes((n), sizeof(T))))
size_t arena_bytes(size_t n, size_t each); // n * each, CHECKed against overflow
void *arena_copy(struct arena *a, const void *data, size_t size);
char *arena_str(struct arena *a, const char *s);
char *arena_strn(struct arena *a, const char *s, size_t n); // all n bytes, and a final NUL
char *arena_printf(struct arena *a, const char *fmt, ...) TF_PRINTF(2, 3);
// Frees everything except the largest chunk, which the next allocations reuse.
void arena_reset(struct arena *a);
void arena_free(struct arena *a); // frees everything; the arena is then empty and usable

// ---- growing arrays ---------------------------------------------------------

// A struct { T *v; size_t n, cap; } that grows in an arena:
//   VEC(uint32_t) words = {0};
//   *VEC_PUSH(a, &words) = 7;
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *v;                                                                                      \
        size_t n, cap;                                                                             \
    }
// Returns the address of a new, zeroed last element.
#define VEC_PUSH(a, vec)                                                                           \
    (((vec)->n == (vec)->cap ? (void)((vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap,    \
                                                          sizeof(*(vec)->v), 1))                   \
                             : (void)0),                                                           \
     &(vec)->v[(vec)->n++])
// Reserves space for `more` elements past n. They are zeroed when first reserved.
#define VEC_RESERVE(a, vec, more)                                                                  \
    ((vec)->cap - (vec)->n >= (size_t)(more)                                                       \
         ? (void)0                                                                                 \
         : (void)((vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap, sizeof(*(vec)->v),     \
                                      (size_t)(more))))
// Copies an array to a larger one. Only for the two macros above.
void *vec_grow(struct arena *a, void *old, size_t n, size_t *cap, size_t each, size_t more);

struct words {
    uint32_t *v;
    size_t n, cap;
};

// ---- random numbers and hashes ----------------------------------------------

// splitmix64, the project's only source of pseudo-random numbers. The same seed produces the same
// numbers on every machine.
struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *r);
// Returns a number uniform in 0 .. n-1; n >= 1.
uint32_t rng_below(struct rng *r, uint32_t n);

uint64_t hash64(const void *data, size_t size); // XXH3
// Returns the hash of `data` with seed h, to combine hashes. Not the hash of joined data.
uint64_t hash64_with(uint64_t h, const void *data, size_t size);

// ---- lane masks -------------------------------------------------------------

// A set of lanes of one subgroup: bit l is lane l. Vulkan's ballots hold 128 bits.
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
// Returns the number of bits set. Written out, because without a popcnt instruction the compiler's
// builtin is a function call.
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
// Return the lowest and the highest lane of a non-empty set.
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
// Loops over the lanes of m, lowest first: LANES_EACH(l, m) { ... }. `break` in the body acts like
// `continue`; only return and goto leave the loop. It works in 64-bit halves: with 128 bits at
// once, finding the next lane costs more than most bodies.
#define LANES_EACH(l, m)                                                                           \
    for (lane_mask l##_all = (m); l##_all; l##_all = 0)                                            \
        for (unsigned l##_base = 0; l##_base < LANES_MAX; l##_base += 64)                          \
            for (uint64_t l##_left = (uint64_t)(l##_all >> l##_base); l##_left;                    \
                 l##_left &= l##_left - 1)                                                         \
                for (unsigned l = l##_base + (unsigned)__builtin_ctzll(l##_left), l##_once = 1;    \
                     l##_once; l##_once = 0)

// ---- text -------------------------------------------------------------------

// Text that grows in an arena. `v` is NUL-terminated after the first write.
struct text {
    struct arena *arena;
    char *v;
    size_t n, cap;
};
void text_add(struct text *t, const char *fmt, ...) TF_PRINTF(2, 3);
void text_addn(struct text *t, const char *s, size_t n);
void text_u32(struct text *t, uint32_t value); // decimal; faster than printf
void text_hex(struct text *t, uint64_t value); // 0x..., no leading zeros
// Escapes text from outside (a file, a device, a module) so that a terminal can show it. These
// become "\x1b" or "\u009b" (DEL, C1): control characters except line feed and tab, characters that
// change the writing direction, and invalid UTF-8. Valid JSON stays valid JSON, unless it contains
// a carriage return. Returns `s` itself if nothing needs escaping.
const char *text_printable(struct arena *a, const char *s);
// Replaces, in place, each byte that is not valid UTF-8 by '?'. True if there was one.
bool text_mend(char *s);
// Returns the name with the fewest edits from `typed`: at most 2, or 1 if `typed` has up to 3
// characters. NULL if no name is that similar.
const char *text_nearest(const char *typed, const char *const *names, size_t n);
// Add or return one word of a shell command, quoted if it is empty or contains characters special
// to a shell. They add no space around it.
void text_quote(struct text *t, const char *word);
const char *shell_quote(struct arena *a, const char *word);
// Adds text to XML or HTML: escapes its special characters, and leaves out control characters that
// XML 1.0 does not allow.
void text_xml(struct text *t, const char *s);

// Parses one unsigned number, decimal or 0x hexadecimal, that fills all of s[0..n). False if it is
// not a number or does not fit.
bool parse_u64(const char *s, size_t n, uint64_t *out);
bool parse_u32(const char *s, size_t n, uint32_t *out);

// ---- files ------------------------------------------------------------------

// Reads a file of at most `limit` bytes into the arena and adds a NUL after its end. "-" reads
// standard input. Pipes and devices are rejected, because reading them might never end; those that
// a shell passes (/dev/fd/N) are accepted. False with a message in `e` and errno: 0 if the path
// exists but is not a regular file, EFBIG if the file exceeds `limit`.
bool file_read(struct arena *a, const char *path, size_t limit, char **data, size_t *size,
               struct err *e);
// Call it after a path could not be opened or examined. False if errno shows that the path does not
// exist, cannot exist (such as ENOTDIR, ELOOP) or may not be accessed (EACCES). True for any other
// error, such as EIO or EMFILE: a later attempt may succeed.
bool file_trouble(void);
// True if the path names a regular file, or a folder; links are followed. If it names nothing,
// errno says why.
bool file_exists(const char *path);
bool dir_exists(const char *path);
// Writes a file atomically: writes a temporary file next to it, syncs and renames it. False if
// `path` exists and is not a regular file (a device, a link): it would be replaced.
bool file_write(const char *path, const void *data, size_t size, struct err *e);
// Writes a file that no other process reads yet (in a temporary folder), without a temporary file.
// `synced`: syncs it, for a folder that file_move later puts in place. Replaces an existing file or
// link.
bool file_put(const char *path, const void *data, size_t size, bool synced, struct err *e);
// Renames a file or folder and syncs the folder that now contains it. A moved folder is synced too,
// but not the files in it. False with a message in `e` and errno.
bool file_move(const char *from, const char *to, struct err *e);
// Makes a folder and its parents. An existing folder is not an error.
bool dir_make(const char *path, struct err *e);
// Lists a folder's entries, sorted by name, without those that start with a dot. The list is empty,
// without an error, if file_trouble is false: the folder does not exist, is not a folder, or may
// not be read. False with a message in `e` for other errors.
bool dir_list(struct arena *a, const char *path, const char ***names, size_t *n, struct err *e);
// Removes a folder and everything in it that permissions allow. Does not follow links.
void dir_remove(const char *path);
// Makes a temporary folder in TMPDIR for this process, which must remove it. Also removes the
// temporary folders of processes that no longer exist.
bool dir_temporary(char *path, size_t size, struct err *e);
// Locks the folder for this process (flock) until the returned descriptor is closed. Returns -1
// with a message if the folder cannot be opened, or if another process still holds the lock after
// `seconds`. If the file system cannot lock folders, returns a descriptor without a lock.
int dir_lock(const char *path, double seconds, struct err *e);

// Seconds of a monotonic clock.
double now_seconds(void);
// Processors that this process may run on: 1 .. `most`.
uint32_t processor_count(uint32_t most);
// Returns the name of this machine, "" if it has none; in `a`.
const char *host_name(struct arena *a);
// Processor time in seconds: of this process and its ended children; of this thread.
double cpu_seconds(void);
double thread_cpu_seconds(void);

#endif
