// SPDX-License-Identifier: Apache-2.0
//
// Where a worker crashed: the functions on its stack, written by the worker itself as it dies, into
// memory that the supervisor shares. Private to runners/.
#ifndef TF_RUNNERS_CRASH_SITE_H
#define TF_RUNNERS_CRASH_SITE_H

#include <stdint.h>

enum { CRASH_FRAMES = 3, CRASH_SITE_FD = 4 };

// Of the innermost functions on the stack those that are the subject's: of the libraries of C and
// C++, the way into `abort` and the like is left out.
struct crash_site {
    uint32_t frames; // so many of them; 0: nothing is known
    struct {
        uint64_t module; // a hash of the file's name without its folder
        uint64_t offset; // of the function's first byte, in the module
    } frame[CRASH_FRAMES];
};

// The supervisor's end: memory to share, and its descriptor for workers. NULL where there is none.
struct crash_site *crash_site_new(int *fd);
void crash_site_free(struct crash_site *s, int fd);
// One number for all of it; 0 where nothing is known.
uint64_t crash_site_hash(const struct crash_site *s);

// The worker's end: from now on signals that a crash sends are noted in the memory that descriptor
// CRASH_SITE_FD shares, and then kill the process as they would have. Nothing where that is not
// open.
void crash_site_watch(void);

#endif
