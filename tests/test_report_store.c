// SPDX-License-Identifier: Apache-2.0
//
// The findings database with others at it: who opens it while another one writes waits.
#define _POSIX_C_SOURCE 200809L
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "report/report.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char dir[] = "/tmp/test_report_store.XXXXXX";

static const char *database(struct arena *a)
{
    return arena_printf(a, "%s/findings.db", dir);
}

// Holds the database as somebody who writes does, and lets go after a while.
struct holder {
    sqlite3 *db;
    pthread_t thread;
};
static void *let_go(void *user)
{
    struct holder *h = user;
    nanosleep(&(struct timespec){.tv_nsec = 300 * 1000000L}, NULL);
    assert_int_equal(sqlite3_exec(h->db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    return NULL;
}

// A new database, before its journal is switched: there SQLite's own patience does not help.
static void waits_for_writer(void **state)
{
    (void)state;
    struct arena a = {0};
    struct holder h;
    struct err e = {0};
    assert_int_equal(sqlite3_open(database(&a), &h.db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(h.db, "BEGIN IMMEDIATE; CREATE TABLE other(x)", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(pthread_create(&h.thread, NULL, let_go, &h), 0);
    struct store *db = store_open(dir, &e);
    if (!db)
        fail_msg("%s", e.msg);
    store_close(db);
    pthread_join(h.thread, NULL);
    sqlite3_close(h.db);
    arena_free(&a);
}

enum { WRITERS = 6, ROUNDS = 20 };
struct writer {
    pthread_t thread;
    char msg[256];
};
static void *writes(void *user)
{
    struct writer *w = user;
    struct err e = {0};
    uint32_t added;
    struct store *db = store_open(dir, &e);
    if (!db || !store_sync(db, dir, &added, &e))
        snprintf(w->msg, sizeof w->msg, "%.200s", e.msg);
    store_close(db);
    return NULL;
}

static void several_open_a_new_one(void **state)
{
    (void)state;
    static const char *const files[] = {"findings.db", "findings.db-wal", "findings.db-shm"};
    struct arena a = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct writer w[WRITERS] = {0};
        for (size_t k = 0; k < 3; k++)
            unlink(arena_printf(&a, "%s/%s", dir, files[k]));
        for (int k = 0; k < WRITERS; k++)
            assert_int_equal(pthread_create(&w[k].thread, NULL, writes, &w[k]), 0);
        for (int k = 0; k < WRITERS; k++)
            pthread_join(w[k].thread, NULL);
        for (int k = 0; k < WRITERS; k++)
            assert_string_equal(w[k].msg, "");
    }
    arena_free(&a);
}

int main(void)
{
    struct arena a = {0};
    if (!mkdtemp(dir))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(waits_for_writer),
                                       cmocka_unit_test(several_open_a_new_one)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(database(&a));
    rmdir(dir);
    arena_free(&a);
    return failed;
}
