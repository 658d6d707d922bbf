// SPDX-License-Identifier: Apache-2.0
//
// The place of a worker's crash: the innermost functions on its stack. The worker itself writes
// them as it dies, into memory shared with the supervisor. Private to runners/.
#ifndef TF_RUNNERS_CRASH_SITE_H
#define TF_RUNNERS_CRASH_SITE_H

#include <stdbool.h>
#include <stdint.h>

enum { CRASH_FRAMES = 3, CRASH_SITE_FD = 4 };

// The innermost functions on the stack, except those of the C and C++ runtime libraries (`abort`
// and the functions it calls).
struct crash_site {
    uint32_t frames; // number of frames; 0: unknown
    struct {
        uint64_t module; // hash of the module's file name, without its folder
        uint64_t offset; // of the function's first byte in the module
    } frame[CRASH_FRAMES];
};

// The supervisor's side: memory to share, and its descriptor for workers. NULL on failure.
struct crash_site *crash_site_new(int *fd);
void crash_site_free(struct crash_site *s, int fd);
// One hash of all frames; 0: unknown.
uint64_t crash_site_hash(const struct crash_site *s);
// Adds the next function outwards, unless it is in a runtime library. False if there are enough.
bool crash_site_add(struct crash_site *s, const char *module, uint64_t start);

// The worker's side: installs handlers for crash signals. A handler writes the crash site into the
// memory of descriptor CRASH_SITE_FD; then the signal kills the process as usual. Does nothing if
// that descriptor is not open.
void crash_site_watch(void);

#endif
