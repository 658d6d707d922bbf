// SPDX-License-Identifier: Apache-2.0
//
// Which mutant is on, from the environment: MUTANT its number (0 or not set: none), MUTANT_SEEN a file of MUTANTS_MOST
// bytes in which those that were asked for are 1, MUTANT_MS the processor time after which the program is killed.
#define _GNU_SOURCE
#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

int mutant_now;
unsigned char mutant_seen[MUTANTS_MOST] __attribute__((aligned(4096)));

__attribute__((constructor)) static void start(void)
{
    const char *now = getenv("MUTANT"), *seen = getenv("MUTANT_SEEN"), *ms = getenv("MUTANT_MS");
    if (now)
        mutant_now = atoi(now);
    if (seen) { // the file itself, so that nothing is lost where the program dies
        int fd = open(seen, O_RDWR);
        if (fd < 0 || mmap(mutant_seen, MUTANTS_MOST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
            abort();
        close(fd);
    }
    if (ms) {
        struct itimerval t = { .it_value = { .tv_sec = atoi(ms) / 1000, .tv_usec = atoi(ms) % 1000 * 1000 } };
        setitimer(ITIMER_PROF, &t, NULL);
        struct rlimit most = { 4l << 30, 4l << 30 }, none = { 0, 0 };
        setrlimit(RLIMIT_AS, &most);
        setrlimit(RLIMIT_CORE, &none);
    }
}
