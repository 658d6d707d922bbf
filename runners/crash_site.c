// SPDX-License-Identifier: Apache-2.0
//
// The handler runs in a corrupted process: it allocates nothing and takes no lock except the
// dynamic linker's. A crash in the handler kills the process like any other.
#define _GNU_SOURCE
#include "crash_site.h"

#include "base/base.h"
#include "base/sanitized.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

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

#if SANITIZED
void crash_site_watch(void) // a sanitizer has its own handlers, which report more
{
}
#else

static struct crash_site *site;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Libraries that a crash passes through but does not start in.
static bool is_runtime(const char *name)
{
    static const char *const prefixes[] = {"libc.so",   "libc-",  "libpthread", "libgcc_s",
                                           "libstdc++", "libc++", "ld-linux",   "linux-vdso"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static void note(int number);

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *c, void *user)
{
    struct crash_site *s = user;
    int exact = 0;
    const uintptr_t at = _Unwind_GetIPInfo(c, &exact) - (exact ? 0 : 1);
    const uintptr_t start = _Unwind_GetRegionStart(c);
    Dl_info of;
    if (start == (uintptr_t)note || !dladdr((void *)at, &of) || !of.dli_fname ||
        is_runtime(base_name(of.dli_fname)))
        return _URC_NO_REASON;
    const char *name = base_name(of.dli_fname);
    s->frame[s->frames].module = hash64(name, strlen(name));
    s->frame[s->frames].offset = (start ? start : at) - (uintptr_t)of.dli_fbase;
    return ++s->frames < CRASH_FRAMES ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static void note(int number)
{
    struct crash_site seen = {.frames = 0};
    signal(number, SIG_DFL);
    _Unwind_Backtrace(note_frame, &seen);
    *site = seen;
    raise(number); // delivered on return
}

void crash_site_watch(void)
{
    static char stack[1 << 16]; // for the main thread, whose own stack may have overflowed
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    struct crash_site ignored = {.frames = 0};
    void *shared = mmap(NULL, sizeof *site, PROT_READ | PROT_WRITE, MAP_SHARED, CRASH_SITE_FD, 0);
    if (shared == MAP_FAILED)
        return;
    close(CRASH_SITE_FD); // processes that the worker starts must not inherit it
    site = shared;
    _Unwind_Backtrace(note_frame, &ignored); // load what the unwinder needs before a crash
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = note, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
}
#endif
