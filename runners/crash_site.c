// SPDX-License-Identifier: Apache-2.0
//
// The handler runs in a corrupted process: it allocates nothing and takes no lock except the
// dynamic linker's. A crash in the handler kills the process like any other.
#define _GNU_SOURCE
#include "crash_site.h"

#include "crash_walk.h"

#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct crash_site *crash_site_new(int *fd)
{
    *fd = memfd_create("crash-site", MFD_CLOEXEC);
    struct crash_site *s = MAP_FAILED;
    if (*fd >= 0 && ftruncate(*fd, sizeof *s) == 0)
        s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (s != MAP_FAILED)
        return s;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return NULL;
}

void crash_site_free(struct crash_site *s, int fd)
{
    if (s)
        munmap(s, sizeof *s);
    if (fd >= 0)
        close(fd);
}

uint64_t crash_site_hash(const struct crash_site *s)
{
    const struct crash_site seen = *s; // a worker may still be writing
    return seen.frames && seen.frames <= CRASH_FRAMES
               ? hash64(seen.frame, seen.frames * sizeof *seen.frame)
               : 0;
}

bool crash_site_add(struct crash_site *s, const char *module, uint64_t start)
{
    if (crash_in_runtime(module))
        return true;
    s->frame[s->frames].module = hash64(module, strlen(module));
    s->frame[s->frames].offset = start;
    return ++s->frames < CRASH_FRAMES;
}

static struct crash_site *site;

static bool note_place(void *seen, const struct crash_place *p)
{
    return crash_site_add(seen, p->module, p->start);
}

static void note(int number)
{
    struct crash_site seen = {.frames = 0};
    signal(number, SIG_DFL);
    crash_walk(note, note_place, &seen);
    *site = seen;
    raise(number); // delivered on return
}

void crash_site_watch(void)
{
    void *shared = mmap(NULL, sizeof *site, PROT_READ | PROT_WRITE, MAP_SHARED, CRASH_SITE_FD, 0);
    if (shared == MAP_FAILED)
        return;
    close(CRASH_SITE_FD); // processes that the worker starts must not inherit it
    site = shared;
    crash_watch(note);
}
