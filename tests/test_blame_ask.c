// SPDX-License-Identifier: Apache-2.0
//
// The test of interest: workers do not wait for each other's runs.
#define _DEFAULT_SOURCE
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "blame/ask.h"
#include "mutants/mutants.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct slip {
    struct ask *k;
    struct spv_case *c;
    struct judged judged;
    struct run_result result;
};

static void *slip(void *user)
{
    struct slip *s = user;
    struct arena a = {0};
    ask_slipped(s->k, &s->k->worker[ASK_MAIN], &a, s->c, &s->k->kind, &s->judged.verdict, &s->result,
                JUDGE_PROMISE_UNKNOWN);
    arena_free(&a);
    return NULL;
}

static void the_lock_is_free_while_the_target_runs(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c;
    struct prediction *p;
    char dir[] = "/tmp/test_blame_ask.XXXXXX";
    assert_non_null(mkdtemp(dir));
    // The target tells that it runs, and goes on when it is told.
    const char *script = arena_printf(&a, "%s/slow", dir), *runs = arena_printf(&a, "%s/runs", dir),
               *go = arena_printf(&a, "%s/go", dir),
               *text = arena_printf(&a, "#!/bin/sh\necho $$ >%s.new\nmv %s.new %s\nuntil [ -e %s ]; do sleep 0.01; done\ncp \"$1\" \"$2\"\n",
                                    runs, runs, runs, go);
    assert_true(file_write(script, text, strlen(text), &e));
    assert_int_equal(chmod(script, 0755), 0);
    struct ask *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->target = arena_printf(&a, "exec-compiler:%s {in} {out} | mutant:fold-xor-of-uniform", script);
    k->self = getenv("TANGLEFUZZ");
    struct spv_tools *tools = spv_tools_new();
    const char *path =
        arena_printf(&a, "%s/corpus/mutants/fold-xor-of-uniform.spvasm", getenv("SOURCE_DIR"));
    assert_true(file_write(go, "", 0, &e));
    if (!spv_case_read(tools, &a, path, &c, &e) || !ask_start(k, &a, &c, &e))
        fail_msg("%s", e.msg);
    struct slip s = {.k = k, .c = &c};
    assert_int_equal(ask_again(k, &a, &c, 1, &p, &s.judged, &s.result), 1);
    // As if another operation had been wrong before: it looks at the case again, on the target.
    ask_now(k, &c);
    k->now_op = (struct blame_op){.opcode = SpvOpGroupNonUniformElect};
    pthread_t thread;
    assert_int_equal(unlink(go), 0);
    assert_int_equal(unlink(runs), 0);
    assert_int_equal(pthread_create(&thread, NULL, slip, &s), 0);
    while (access(runs, F_OK) != 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    // Who held the lock now would hold it until that run is over, which it is when we say go or its time is over.
    char *pid;
    size_t n;
    assert_true(file_read(&a, runs, 64, &pid, &n, &e));
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 100;
    assert_int_equal(pthread_mutex_timedlock(&k->lock, &end), 0);
    assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), 0), 0);
    pthread_mutex_unlock(&k->lock);
    assert_true(file_write(go, "", 0, &e));
    assert_int_equal(pthread_join(thread, NULL), 0);
    ask_end(k);
    free(k);
    spv_tools_free(tools);
    arena_free(&a);
    unlink(script);
    unlink(runs);
    unlink(go);
    rmdir(dir);
}

int main(void)
{
    run_own_add(&mut_backend);
    setenv("TANGLEFUZZ_CONTAIN", "no", 1); // its target writes that it runs
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lock_is_free_while_the_target_runs)};
    return cmocka_run_group_tests_name("blame_ask", tests, NULL, NULL);
}
