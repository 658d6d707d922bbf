// SPDX-License-Identifier: Apache-2.0
//
// Threads that a driver starts are held until after a fork. A fork keeps only the calling thread,
// so a process with a driver's threads cannot be forked. A thread that was created but has not
// begun can be created in the fork as well: it has no stack and holds no lock. Private to runners/.
//
// The program's own pthread_create takes the place of libc's, for libraries that are loaded later
// too. Outside held_threads_begin and held_threads_end it calls libc's.
#ifndef TF_RUNNERS_HELD_THREADS_H
#define TF_RUNNERS_HELD_THREADS_H

// From here on, the threads that this process creates do not begin. A thread is not held, but
// begins at once, if it has attributes, if its identifier would be written to the caller's stack,
// or after the 64th. The caller must count the threads before it forks.
void held_threads_begin(void);
// New threads begin at once again.
void held_threads_end(void);
// In a fork: creates the held threads, each with the signal mask of its creator.
void held_threads_start(void);

#endif
