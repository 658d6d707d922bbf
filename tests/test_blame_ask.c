// SPDX-License-Identifier: Apache-2.0
//
// The test of interest: workers do not wait for each other's runs.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "blame/ask.h"
#include "mutants/mutants.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double RUN = 0.5, SHORT = 0.25;

struct slip {
    struct ask *k;
    struct spv_case *c;
    struct judged judged;
    struct run_result result;
    double seconds;
    atomic_bool done;
};

static void *slip(void *user)
{
    struct slip *s = user;
    struct arena a = {0};
    const double start = now_seconds();
    ask_slipped(s->k, &s->k->worker[ASK_MAIN], &a, s->c, &s->k->kind, &s->judged.verdict, &s->result);
    s->seconds = now_seconds() - start;
    atomic_store(&s->done, true);
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
    const char *script = arena_printf(&a, "%s/slow", dir),
               *text = "#!/bin/sh\nsleep 0.5\ncp \"$1\" \"$2\"\n";
    assert_true(file_write(script, text, strlen(text), &e));
    assert_int_equal(chmod(script, 0755), 0);
    struct ask *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->target = arena_printf(&a, "exec-compiler:%s {in} {out} | mutant:fold-xor-of-uniform", script);
    k->self = getenv("TANGLEFUZZ");
    struct spv_tools *tools = spv_tools_new();
    const char *path =
        arena_printf(&a, "%s/corpus/mutants/fold-xor-of-uniform.spvasm", getenv("SOURCE_DIR"));
    if (!spv_case_read(tools, &a, path, &c, &e) || !ask_start(k, &a, &c, &e))
        fail_msg("%s", e.msg);
    struct slip s = {.k = k, .c = &c};
    assert_int_equal(ask_again(k, &a, &c, 1, &p, &s.judged, &s.result), 1);
    // As if another operation had been wrong before: it looks at the case again, on the target.
    ask_now(k, &c);
    k->now_op = (struct blame_op){.opcode = SpvOpGroupNonUniformElect};
    pthread_t thread;
    double longest = 0;
    assert_int_equal(pthread_create(&thread, NULL, slip, &s), 0);
    while (!atomic_load(&s.done)) {
        const double start = now_seconds();
        pthread_mutex_lock(&k->lock);
        pthread_mutex_unlock(&k->lock);
        const double waited = now_seconds() - start;
        longest = waited > longest ? waited : longest;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(s.seconds > RUN);
    if (longest > SHORT)
        fail_msg("a worker waited %.3f s for the lock", longest);
    ask_end(k);
    free(k);
    spv_tools_free(tools);
    arena_free(&a);
    unlink(script);
    rmdir(dir);
}

int main(void)
{
    run_own_add(&mut_backend);
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lock_is_free_while_the_target_runs)};
    return cmocka_run_group_tests_name("blame_ask", tests, NULL, NULL);
}
