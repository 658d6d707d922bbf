// SPDX-License-Identifier: Apache-2.0
//
// The stack of a process that dies of a signal, from inside the handler. Private to runners/ and
// device/.
#ifndef TF_RUNNERS_CRASH_WALK_H
#define TF_RUNNERS_CRASH_WALK_H

#include <stdbool.h>
#include <stdint.h>

// A function on the stack.
struct crash_place {
    const char *module; // file name of the program or library, without its folder
    const char *symbol; // as the linker spells it; NULL: none is known
    uint64_t start, at; // offsets in the module: of the function's first byte, of the address
};

// Calls `note` with the signal's number when this process crashes, on a stack of its own in the
// main thread. The signal then has its default action again: `note` raises it. Does nothing under a
// sanitizer, which has handlers of its own.
void crash_watch(void (*note)(int number));
// For `note`: visits the functions on the stack, innermost first, except `note` itself, until
// `visit` returns false. It allocates nothing and takes no lock except the dynamic linker's.
void crash_walk(void (*note)(int number), bool (*visit)(void *user, const struct crash_place *p),
                void *user);
// True for a library that a crash passes through but does not start in: C's, C++'s, the system's.
bool crash_in_runtime(const char *module);

#endif
