// SPDX-License-Identifier: Apache-2.0
//
// The project's only global state: a signal handler needs it.
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int asked; // other threads read it

static void on_signal(int number)
{
    // Worker processes exit with their parent, so there is nothing to clean up.
    if (atomic_exchange(&asked, 1))
        _exit(128 + number);
}

void interrupt_catch(void)
{
    // Without SA_RESTART, a signal interrupts poll().
    struct sigaction a = {.sa_handler = on_signal};
    sigemptyset(&a.sa_mask);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
    // nohup ignores it: the campaign outlives the login session.
    struct sigaction was;
    if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &a, NULL);
}

bool interrupted(void)
{
    return atomic_load(&asked) != 0;
}
