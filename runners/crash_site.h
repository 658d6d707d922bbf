// SPDX-License-Identifier: Apache-2.0
//
// Where a worker crashed: the functions on its stack, written by the worker itself as it dies, into
// memory that the supervisor shares. Private to runners/.
#ifndef TF_RUNNERS_CRASH_SITE_H
#define TF_RUNNERS_CRASH_SITE_H

#include <stdint.h>

enum { CRASH_FRAMES = 3, CRASH_SITE_FD = 4 };

// The innermost functions on the stack, without those of the C and C++ runtime libraries (`abort`
// and what it calls).
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

// The worker's end: installs handlers for the signals of a crash. A handler writes the site into
// the memory behind descriptor CRASH_SITE_FD; then the signal kills the process as it would have.
// Does nothing where that descriptor is not open.
void crash_site_watch(void);

#endif
