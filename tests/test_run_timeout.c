// SPDX-License-Identifier: Apache-2.0
//
// runners: a timeout of 60 seconds, by clocks that the test sets.
#define _GNU_SOURCE
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "runners/contain.h"
#include "runners/timeout.h"

#include "base/base.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// When it is over, in seconds after its begin, for what gets `share` of a processor until it has used `work`, and lacks
// one for a part `lacks` of the time until then.
static double over_at(double share, double lacks, double work)
{
    const double begun = 1000;
    struct timeout t;
    timeout_begin(&t, 60, begun);
    for (int looks = 0; looks < 1000; looks++) {
        const double now = t.next, end = share > 0 ? work / share : 0, ran = now - begun < end ? now - begun : end;
        assert_true(now >= begun);
        if (timeout_over(&t, now, (struct contain_processors){7 + ran * share, 5 + ran * lacks}))
            return now - begun;
        assert_true(t.next > now);
    }
    fail_msg("never over");
    return 0;
}

static void full_speed(void **state)
{
    (void)state;
    assert_true(over_at(1, 0, 1e9) == 60);
    assert_true(over_at(0.95, 0.05, 1e9) == 60);
    assert_true(over_at(2, 6, 1e9) == 60); // eight threads on two cores
}

static void stands_still(void **state)
{
    (void)state;
    assert_true(over_at(0, 0, 0) == 60);
    assert_true(over_at(1, 0, 10) == 60);    // before the first look
    assert_true(over_at(0.2, 0, 1e9) == 60); // wakes now and then
}

static void busy_machine(void **state)
{
    (void)state;
    const double half = over_at(0.5, 0.5, 1e9), tenth = over_at(0.1, 0.9, 1e9);
    assert_true(half > 90 && half < 130);
    assert_true(tenth > 400 && tenth < 600);
    assert_true(over_at(0.02, 0.98, 1e9) >= 600); // ten times as long, at most
    assert_true(over_at(0.02, 0.98, 1e9) < 670);
    // Sixteen threads that lack a processor, or a device elsewhere that says anything.
    assert_true(over_at(0.02, 16, 1e9) >= 600 && over_at(0.02, 16, 1e9) < 670);
    assert_true(over_at(1e-9, 1e30, 1e9) < 670);
    const double dead = over_at(0.3, 0.7, 25); // works, and then stands still
    assert_true(dead > 100 && dead < 115);
}

// Of children that share one processor.
static void processors(void **state)
{
    (void)state;
    enum { MANY = 4 };
    pid_t child[MANY];
    cpu_set_t all, one;
    const double begin = contain_processors(getpid()).used, own = thread_cpu_seconds();
    volatile uint32_t x = 1;
    while (thread_cpu_seconds() - own < 0.1)
        for (int k = 0; k < 1000000; k++) // that the kernel has no part in
            x = x * 5 + 1;
    const double used = contain_processors(getpid()).used - begin;
    assert_true(used >= 0.07 && used < 5); // in ticks of 10 ms
    assert_true(contain_processors(0x7ffffff0).used == 0);
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (size_t k = 0; !CPU_COUNT(&one); k++)
        if (CPU_ISSET(k, &all))
            CPU_SET(k, &one);
    for (int k = 0; k < MANY; k++) {
        child[k] = fork();
        assert_true(child[k] >= 0);
        if (child[k] == 0) {
            alarm(300); // whatever becomes of this test
            sched_setaffinity(0, sizeof one, &one);
            for (;;)
                x = x * 5 + 1;
        }
    }
    FILE *f = fopen("/proc/self/schedstat", "r"); // not every kernel has it
    for (double most = 0; f && most < 0.2;) {
        const double now = contain_processors(getpid()).lacked;
        most = now > most ? now : most;
    }
    if (f)
        fclose(f);
    for (int k = 0; k < MANY; k++)
        kill(child[k], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_speed),
        cmocka_unit_test(stands_still),
        cmocka_unit_test(busy_machine),
        cmocka_unit_test(processors),
    };
    return cmocka_run_group_tests_name("timeouts of workers", tests, NULL, NULL);
}
