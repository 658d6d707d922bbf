// SPDX-License-Identifier: Apache-2.0
//
// What lets a fork server open a target in advance: threads that begin in the fork, and the check that forks
// share nothing.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sanitized.h"
#include "runners/fork_safety.h"
#include "runners/held_threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void need_plain(void)
{
#if SANITIZED
    print_message("a sanitizer has threads and a pthread_create of its own\n");
    skip();
#endif
}

static pthread_t thread;
static int begun;

static void *begin(void *argument)
{
    begun = *(int *)argument;
    return argument;
}

// Runs `part` in a fork; returns its exit status.
static int in_fork(int (*part)(void))
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(part());
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int starts_held(void)
{
    void *result = NULL;
    held_threads_start();
    return pthread_join(thread, &result) == 0 && result ? *(int *)result * 10 + begun : 0;
}

// A held thread begins in each fork, with its argument and its identifier, and not before.
static void test_held(void **state)
{
    static int argument = 3;
    pthread_t on_stack;
    (void)state;
    need_plain();
    held_threads_begin();
    assert_int_equal(pthread_create(&thread, NULL, begin, &argument), 0);
    assert_true(fork_keeps_threads());
    assert_int_equal(begun, 0);
    // An identifier on the stack would be written after its function has returned.
    assert_int_equal(pthread_create(&on_stack, NULL, begin, &argument), 0);
    assert_int_equal(pthread_join(on_stack, NULL), 0);
    assert_int_equal(begun, 3);
    begun = 0;
    held_threads_end();
    for (int i = 0; i < 2; i++)
        assert_int_equal(in_fork(starts_held), 33);
    assert_int_equal(begun, 0);
}

static void *wait_for_byte(void *fd)
{
    char byte;
    return read(*(int *)fd, &byte, 1) == 1 ? fd : NULL;
}

static int last; // of the descriptors that the test was started with

// A thread that was joined may still be ending.
static void until_alone(void)
{
    while (!fork_keeps_threads())
        sched_yield();
}

static void test_thread_is_not_safe(void **state)
{
    int ends[2];
    (void)state;
    need_plain();
    until_alone();
    assert_int_equal(pipe(ends), 0);
    const int before = last;
    for (int i = 0; i < 2; i++)
        last = ends[i] > last ? ends[i] : last;
    assert_true(fork_is_safe(last));
    assert_int_equal(pthread_create(&thread, NULL, wait_for_byte, &ends[0]), 0);
    assert_false(fork_is_safe(last));
    assert_int_equal(write(ends[1], "x", 1), 1);
    void *result = NULL;
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &ends[0]);
    until_alone();
    assert_true(fork_is_safe(last));
    close(ends[0]);
    close(ends[1]);
    last = before;
}

static void test_child_is_not_safe(void **state)
{
    (void)state;
    need_plain();
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_false(fork_is_safe(last));
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(fork_is_safe(last));
}

static void test_shared_memory_is_not_safe(void **state)
{
    (void)state;
    need_plain();
    void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    assert_false(fork_is_safe(last));
    munmap(shared, 4096);
    assert_true(fork_is_safe(last));
}

// Opens `path` at a descriptor after `last`.
static int open_late(const char *path, int memory)
{
    const int fd = path ? open(path, O_RDONLY) : memory;
    assert_true(fd >= 0);
    const int late = fcntl(fd, F_DUPFD, last + 1);
    close(fd);
    return late;
}

static int memory_fd;

static int has_own_memory(void)
{
    const bool ok = fork_renew_files(last) && ftruncate(memory_fd, 100) == 0;
    return ok && lseek(memory_fd, 0, SEEK_END) == 100 ? 7 : 0;
}

static void test_files(void **state)
{
    (void)state;
    need_plain();
    int fd = open_late("/dev/null", -1);
    assert_true(fork_is_safe(last));
    close(fd);
    fd = open_late("/proc/self/maps", -1);
    assert_false(fork_is_safe(last));
    close(fd);
    // An empty file in memory is renewed, so what one fork writes is not there in the next.
    memory_fd = open_late(NULL, memfd_create("memory", 0));
    assert_true(fork_is_safe(last));
    assert_int_equal(in_fork(has_own_memory), 7);
    assert_int_equal(lseek(memory_fd, 0, SEEK_END), 0);
    assert_int_equal(ftruncate(memory_fd, 1), 0);
    assert_false(fork_is_safe(last));
    close(memory_fd);
}

int main(void)
{
    enum { DESCRIPTORS = 1024 };
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        last = fcntl(fd, F_GETFD) < 0 ? last : fd;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_thread_is_not_safe),
        cmocka_unit_test(test_child_is_not_safe),
        cmocka_unit_test(test_shared_memory_is_not_safe),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests_name("fork_safety", tests, NULL, NULL);
}
