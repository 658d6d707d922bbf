// SPDX-License-Identifier: Apache-2.0
//
// Hangs, crashes and lost workers, made on a real driver: each is the result of
// the case that was at hand, and of no other.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sanitized.h"
#include "runners/target.h"
#include "test_run_common.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int setup(void **state)
{
    *state = fixture_new(&(struct run_options){.fence_seconds = 1, .job_seconds = 20});
    return 0;
}

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

// Waits until the worker has used a second of processor time since: no compilation of these shaders takes as
// much, so it spins, however busy or slow the machine is.
static uint64_t ticks_of(pid_t pid)
{
    char path[64], line[400] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *after = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    assert_non_null(after);
    assert_int_equal(sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system), 2);
    return user + system;
}
static void until_it_spins(struct run_target *t, struct arena *a, pid_t worker)
{
    const uint64_t enough = ticks_of(worker) + (uint64_t)sysconf(_SC_CLK_TCK);
    struct run_result *r = NULL;
    while (ticks_of(worker) < enough)
        assert_int_equal(run_take(t, a, 0.02, &r), 0);
}

// A child of `parent` (there is at most one in these tests), zombies not counted
// unless asked for; 0: none.
static pid_t child_of(pid_t parent, bool zombies)
{
    DIR *d = opendir("/proc");
    assert_non_null(d);
    pid_t found = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        char path[300], line[400], state = 0;
        int ppid = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *f = entry->d_name[0] > '0' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        if (!f)
            continue;
        char *after = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
        if (after && sscanf(after + 1, " %c %d", &state, &ppid) == 2 && ppid == parent &&
            (zombies || state != 'Z'))
            found = (pid_t)strtol(entry->d_name, NULL, 10);
        fclose(f);
    }
    closedir(d);
    return found;
}

// The process that serves a target: a child of ours, or of the fork server that is our child.
static pid_t worker_of_this(void)
{
    const pid_t child = child_of(getpid(), false), forked = child ? child_of(child, false) : 0;
    return forked ? forked : child;
}

static struct run_target *open_it(struct fixture *f, const char *spec, double fence, double job)
{
    struct err e = {0};
    struct run_options o = {.fence_seconds = fence, .job_seconds = job};
    // So that the only worker is this one's.
    if (f->lavapipe)
        run_kill(f->lavapipe);
    struct run_target *t = run_open(spec, f->self, &o, &e);
    if (!t)
        fail_msg("%s", e.msg);
    return t;
}

static struct run_result take_one(struct fixture *f, struct run_target *t)
{
    struct run_result *r = NULL;
    assert_int_equal(run_take(t, &f->arena, 300, &r), 1);
    return r[0];
}

static void submit_one(struct run_target *t, struct spv_case c)
{
    assert_true(run_submit(t, &c, 1, 0));
}

static void assert_status(const struct run_result *r, const char *status, const char *part)
{
    if (strcmp(run_status_name(r->status), status) != 0)
        fail_msg("%s: %s", run_status_name(r->status), r->text);
    assert_contains(r->text, part);
    assert_null(strchr(r->text, '\n'));
}

// ---- hangs ---------------------------------------------------------------------------

static void test_hang(void **state)
{
    struct fixture *f = need_lavapipe(state);
    // Case 1 of three spins; a job waits behind.
    struct spv_case c[3];
    for (uint32_t i = 0; i < 3; i++) {
        c[i] = make_counting(f, SHADER_SPIN, i == 1 ? 0 : 8);
        c[i].words = c[0].words;
    }
    const double begin = now_seconds();
    assert_true(run_submit(f->lavapipe, c, 3, 0));
    submit_one(f->lavapipe, make_counting(f, SHADER_DOUBLE, 40));
    struct run_result *r = NULL;
    assert_int_equal(run_take(f->lavapipe, &f->arena, 300, &r), 3);
    assert_true(now_seconds() - begin >= 1);
    assert_doubled(&r[0], 8);
    assert_status(&r[1], "hung", "the dispatch did not finish within 1 seconds");
    assert_status(&r[2], "skipped", "an earlier case of its job");
    struct run_result next = take_one(f, f->lavapipe);
    assert_doubled(&next, 40);
}

static void test_patience_of_the_supervisor(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_target *t = open_it(f, LAVAPIPE, 60, 4);
    submit_one(t, make_counting(f, SHADER_SPIN, 0));
    submit_one(t, make_counting(f, SHADER_DOUBLE, 6));
    struct run_result *results = NULL;
    // It comes back before there is an answer: the patience of four seconds is not over.
    assert_int_equal(run_take(t, &f->arena, 0, &results), 0);
    struct run_result r = take_one(f, t);
    assert_status(&r, "hung", "no answer after 4 seconds");
    r = take_one(f, t);
    assert_doubled(&r, 6);
    run_close(t);
}

// ---- deaths --------------------------------------------------------------------------

static void test_killed_in_a_job(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_target *t = open_it(f, LAVAPIPE, 60, 60);
    struct spv_case c[3];
    for (uint32_t i = 0; i < 3; i++) {
        c[i] = make_counting(f, SHADER_SPIN, i == 1 ? 0 : 8);
        c[i].words = c[0].words;
    }
    struct run_result *r = NULL;
    assert_true(run_submit(t, c, 3, 0));
    submit_one(t, make_counting(f, SHADER_DOUBLE, 40));
    submit_one(t, make_counting(f, SHADER_DOUBLE, 60));
    pid_t worker = child_of(getpid(), false);
    assert_true(worker > 0);
    until_it_spins(t, &f->arena, worker);
    kill(worker, SIGKILL);
    assert_int_equal(run_take(t, &f->arena, 30, &r), 3);
    assert_doubled(&r[0], 8);
    assert_status(&r[1], "crashed", "the worker died of SIGKILL");
    assert_status(&r[2], "skipped", "an earlier case of its job");
    for (uint32_t first = 40; first <= 60; first += 20) {
        struct run_result next = take_one(f, t);
        assert_doubled(&next, first);
    }
    assert_true(child_of(getpid(), false) != worker);
    run_close(t);
}

// What the worker printed goes to the result: here the dynamic linker's chatter,
// which is more than a pipe holds.
static void test_last_words(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_target *t = open_it(f, LAVAPIPE ",env=LD_DEBUG=bindings", 60, 60);
    pid_t worker = child_of(getpid(), false);
    submit_one(t, make_counting(f, SHADER_SPIN, 0));
    until_it_spins(t, &f->arena, worker);
    kill(worker, SIGTERM);
    struct run_result r = take_one(f, t);
    assert_status(&r, "crashed", "the worker died of SIGTERM: ");
    assert_contains(r.text, "normal symbol");
    run_close(t);
}

static void test_killed_between_jobs(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_target *t = open_it(f, LAVAPIPE, 60, 60);
    for (uint32_t i = 0; i < 5; i++) { // more often than a start may fail
        kill(worker_of_this(), SIGKILL);
        submit_one(t, make_counting(f, SHADER_DOUBLE, i));
        struct run_result r = take_one(f, t);
        assert_doubled(&r, i); // no case is blamed
    }
    run_close(t);
}

// Workers after the first one are forked; where their server is killed another one is started.
static void test_fork_server(void **state)
{
    struct fixture *f = need_lavapipe(state);
#if SANITIZED
    print_message("a sanitizer may have a thread of its own\n");
    skip();
#endif
    struct run_target *t = open_it(f, LAVAPIPE, 60, 60);
    const pid_t first = child_of(getpid(), false);
    assert_int_equal(child_of(first, true), 0);
    kill(first, SIGKILL);
    submit_one(t, make_counting(f, SHADER_DOUBLE, 1));
    struct run_result r = take_one(f, t);
    assert_doubled(&r, 1);
    const pid_t server = child_of(getpid(), false), second = child_of(server, false);
    assert_int_not_equal(second, 0);
    assert_true(t->worker.server.ahead); // its device is open; its threads are held
    assert_int_equal(getpgid(second), second); // a kill of its group reaches what the driver starts
    submit_one(t, make_counting(f, SHADER_SPIN, 0));
    until_it_spins(t, &f->arena, second);
    kill(server, SIGKILL);
    r = take_one(f, t);
    assert_status(&r, "crashed", "the worker died of SIGKILL");
    assert_true(r.outside);
    submit_one(t, make_counting(f, SHADER_DOUBLE, 2));
    r = take_one(f, t);
    assert_doubled(&r, 2);
    assert_int_not_equal(child_of(getpid(), false), server);
    run_close(t);
}

// The functions that a worker died in: the same each time, others in another pass.
static void test_crash_site(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *file, *target;
    } rows[] = {
        {"spirv-opt-loop-fusion-crash.spvasm", "spirv-opt:--loop-fusion=200"},
        {"spirv-opt-loop-peeling-nonuniform-crash.spvasm", "spirv-opt:--loop-peeling"},
    };
    uint64_t site[2] = {0, 0};
#if SANITIZED
    print_message("a sanitizer has handlers of its own\n");
    skip();
#endif
    for (int k = 0; k < 2; k++) {
        char path[400];
        struct spv_case c;
        struct err e = {0};
        snprintf(path, sizeof path, "%s/corpus/regress/%s", getenv("SOURCE_DIR"), rows[k].file);
        if (!spv_case_read(f->tools, &f->arena, path, &c, &e))
            fail_msg("%s", e.msg);
        struct run_target *t = open_it(f, rows[k].target, 60, 60);
        for (int i = 0; i < 3; i++) { // started, then forked
            struct run_result r;
            run_case(t, &f->arena, &c, 0, &r);
            if (r.status == RUN_OK) { // a newer SPIRV-Tools
                run_close(t);
                skip();
            }
            assert_status(&r, "crashed", "the worker died of SIGSEGV");
            assert_true(r.crash_site != 0 && r.ended);
            assert_true(i == 0 || r.crash_site == site[k]);
            site[k] = r.crash_site;
        }
        run_close(t);
    }
    assert_true(site[0] != site[1]);
}

static void test_worker_cannot_start_again(void **state)
{
    struct fixture *f = need_lavapipe(state);
    char dir[] = "/tmp/tf-self-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/self", dir);
    assert_int_equal(symlink(f->self, path), 0);
    const char *self = f->self;
    f->self = path;
    struct run_target *t = open_it(f, LAVAPIPE, 60, 60);
    f->self = self;
    unlink(path);
    rmdir(dir);
    kill(child_of(getpid(), false), SIGKILL);
    submit_one(t, make_counting(f, SHADER_DOUBLE, 1));
    submit_one(t, make_counting(f, SHADER_DOUBLE, 2));
    for (int i = 0; i < 2; i++) {
        struct run_result r = take_one(f, t);
        assert_status(&r, "failed", "3 workers in a row died before they were ready");
        assert_contains(r.text, "cannot run ");
    }
    submit_one(t, make_counting(f, SHADER_DOUBLE, 3)); // answered at once, nothing is tried
    struct run_result *r = NULL;
    assert_int_equal(run_take(t, &f->arena, 0, &r), 1);
    assert_int_equal(r[0].status, RUN_FAILED);
    run_close(t);
}

static void test_no_worker_at_all(void **state)
{
    need_lavapipe(state);
    struct err e = {0};
    assert_null(run_open(LAVAPIPE, "/nonesuch/tanglefuzz", NULL, &e));
    assert_contains(e.msg, "cannot run /nonesuch/tanglefuzz: No such file");
    assert_null(run_open(LAVAPIPE, "/bin/false", NULL, &e));
    assert_contains(e.msg, "the worker exited with status 1");
    assert_null(run_open(LAVAPIPE, "/bin/echo", NULL, &e));
    assert_contains(e.msg, "the worker exited with status 0: worker --fd 3");
}

// ---- signals, orphans, zombies -----------------------------------------------------------

static void test_interrupt(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_target *t = open_it(f, LAVAPIPE, 3600, 3600);
    pid_t worker = child_of(getpid(), false);
    assert_int_not_equal(getpgid(worker), getpgrp()); // a terminal's ctrl-C passes it by
    kill(worker, SIGINT);
    submit_one(t, make_counting(f, SHADER_DOUBLE, 1));
    struct run_result r = take_one(f, t);
    assert_doubled(&r, 1);
    assert_int_equal(child_of(getpid(), false), worker);
    submit_one(t, make_counting(f, SHADER_SPIN, 0));
    until_it_spins(t, &f->arena, worker);
    run_kill(t); // at once: an hour, the job's, is more than this test is given
    assert_int_equal(run_pending(t), 0);
    assert_int_equal(child_of(getpid(), true), 0);
    submit_one(t, make_counting(f, SHADER_DOUBLE, 2)); // and it may be used again
    r = take_one(f, t);
    assert_doubled(&r, 2);
    run_close(t);
}

// The supervisor is killed while its worker spins: the worker goes too.
static void test_no_orphan(void **state)
{
    struct fixture *f = need_lavapipe(state);
    run_kill(f->lavapipe);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t supervisor = fork();
    if (supervisor == 0) {
        // It would spin for an hour.
        struct run_options o = {.fence_seconds = 3600, .job_seconds = 3600};
        struct run_target *t = run_open(LAVAPIPE, f->self, &o, NULL);
        struct spv_case c = make_counting(f, SHADER_SPIN, 0);
        pid_t worker = child_of(getpid(), false);
        bool ok = t && run_submit(t, &c, 1, 0) &&
                  write(ready[1], &worker, sizeof worker) == (ssize_t)sizeof worker;
        nap(ok ? 3600 : 0);
        _exit(1);
    }
    close(ready[1]);
    pid_t worker = 0;
    assert_int_equal(read(ready[0], &worker, sizeof worker), (int)sizeof worker);
    close(ready[0]);
    assert_true(worker > 0);
    for (const uint64_t enough = ticks_of(worker) + (uint64_t)sysconf(_SC_CLK_TCK); ticks_of(worker) < enough;)
        nap(0.02);
    kill(supervisor, SIGKILL);
    waitpid(supervisor, NULL, 0);
    bool gone = false;
    while (!gone) { // for ever, ctest ends it
        nap(0.02);
        // Whoever takes it over may be slow to reap: a zombie is gone for us.
        char path[64], line[400] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)worker);
        FILE *stat = fopen(path, "r");
        char *after = stat && fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
        gone = !after || after[2] == 'Z';
        if (stat)
            fclose(stat);
    }
    assert_true(gone);
}

static void test_nothing_is_left(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    struct run_result r;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_doubled(&r, 1);
    run_close(f->lavapipe);
    f->lavapipe = NULL;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    int fds = 0;
    DIR *d = opendir("/proc/self/fd");
    while (readdir(d))
        fds++;
    closedir(d);
    // Opening and closing, crashes and all, leaves the same descriptors.
    for (int i = 0; i < 3; i++) {
        struct run_target *t = run_open(LAVAPIPE, f->self, NULL, NULL);
        assert_non_null(t);
        for (int k = 0; k < 2; k++) { // one that was started, one that was forked
            kill(worker_of_this(), SIGKILL);
            run_case(t, &f->arena, &c, 0, &r);
            assert_doubled(&r, 1);
        }
        run_close(t);
    }
    d = opendir("/proc/self/fd");
    while (readdir(d))
        fds--;
    closedir(d);
    assert_int_equal(fds, 0);
}

static int teardown(void **state)
{
    fixture_free(*state);
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_patience_of_the_supervisor),
        cmocka_unit_test(test_killed_in_a_job),
        cmocka_unit_test(test_last_words),
        cmocka_unit_test(test_killed_between_jobs),
        cmocka_unit_test(test_fork_server),
        cmocka_unit_test(test_crash_site),
        cmocka_unit_test(test_worker_cannot_start_again),
        cmocka_unit_test(test_no_worker_at_all),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_no_orphan),
        cmocka_unit_test(test_nothing_is_left),
    };
    return cmocka_run_group_tests_name("run_faults", tests, setup, teardown);
}
