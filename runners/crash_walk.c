// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "crash_walk.h"

#include "base/sanitized.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unwind.h>

struct walk {
    void (*note)(int number);
    bool (*visit)(void *user, const struct crash_place *p);
    void *user;
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *c, void *user)
{
    const struct walk *w = user;
    int exact = 0;
    const uintptr_t at = _Unwind_GetIPInfo(c, &exact) - (exact ? 0 : 1);
    const uintptr_t start = _Unwind_GetRegionStart(c);
    Dl_info of;
    if (start == (uintptr_t)w->note || start == (uintptr_t)crash_walk || !dladdr((void *)at, &of) ||
        !of.dli_fname)
        return _URC_NO_REASON;
    const char *slash = strrchr(of.dli_fname, '/');
    const struct crash_place p = {.module = slash ? slash + 1 : of.dli_fname,
                                  .symbol = of.dli_sname,
                                  .start = (start ? start : at) - (uintptr_t)of.dli_fbase,
                                  .at = at - (uintptr_t)of.dli_fbase};
    return w->visit(w->user, &p) ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

void crash_walk(void (*note)(int number), bool (*visit)(void *user, const struct crash_place *p),
                void *user)
{
    struct walk w = {note, visit, user};
    _Unwind_Backtrace(visit_frame, &w);
}

#if SANITIZED
void crash_watch(void (*note)(int number))
{
    (void)note;
}
#else
static bool ignore(void *user, const struct crash_place *p)
{
    (void)user, (void)p;
    return true;
}

void crash_watch(void (*note)(int number))
{
    static char stack[1 << 16]; // for the main thread, whose own stack may have overflowed
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    crash_walk(note, ignore, NULL); // load what the unwinder needs before a crash
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = note, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
}
#endif
