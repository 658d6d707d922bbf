// SPDX-License-Identifier: Apache-2.0
//
// runners: a timeout of 60 seconds, by clocks that the test sets.
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

#include <unistd.h>

// When it is over, in seconds after its begin, for what gets `share` of a processor until it has used `work`.
static double over_at(double share, double work)
{
    const double begun = 1000;
    struct timeout t;
    timeout_begin(&t, 60, begun);
    for (int looks = 0; looks < 1000; looks++) {
        const double now = t.next, ran = (now - begun) * share;
        assert_true(now >= begun);
        if (timeout_over(&t, now, 7 + (ran < work ? ran : work)))
            return now - begun;
        assert_true(t.next > now);
    }
    fail_msg("never over");
    return 0;
}

static void full_speed(void **state)
{
    (void)state;
    assert_true(over_at(1, 1e9) == 60);
    assert_true(over_at(0.95, 1e9) == 60); // two processes on a machine's last core and a half
    assert_true(over_at(4, 1e9) == 60);    // a driver of four threads
}

static void stands_still(void **state)
{
    (void)state;
    assert_true(over_at(1, 0) == 60);
    assert_true(over_at(1, 10) == 60);      // before the first look
    assert_true(over_at(0.005, 1e9) == 60); // wakes now and then
}

static void busy_machine(void **state)
{
    (void)state;
    const double half = over_at(0.5, 1e9), tenth = over_at(0.1, 1e9);
    assert_true(half > 90 && half < 130);
    assert_true(tenth > 400 && tenth <= 600 + 60);
    assert_true(over_at(0.02, 1e9) >= 600); // ten times as long, at most
    assert_true(over_at(0.02, 1e9) < 670);
    const double dead = over_at(0.3, 25); // moves, and then no more
    assert_true(dead > 83 && dead < 200);
}

static void processors(void **state)
{
    (void)state;
    const double begin = contain_processors(getpid()), own = thread_cpu_seconds();
    volatile uint32_t x = 1;
    while (thread_cpu_seconds() - own < 0.1)
        for (int k = 0; k < 1000000; k++) // that the kernel has no part in
            x = x * 5 + 1;
    const double used = contain_processors(getpid()) - begin;
    assert_true(used >= 0.07 && used < 5); // in ticks of 10 ms
    assert_true(contain_processors(0x7ffffff0) == 0);
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
