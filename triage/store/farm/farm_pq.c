// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "farm_pq.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef TANGLEFUZZ_LIBPQ
#include <dlfcn.h>
#include <libpq-fe.h>
#include <pthread.h>

// ---- libpq -----------------------------------------------------------------------------

// clang-format off
#define LIBPQ(X)                                                                                   \
    X(PQconnectdbParams) X(PQstatus) X(PQerrorMessage) X(PQfinish) X(PQreset) X(PQexec)            \
    X(PQexecParams) X(PQresultStatus) X(PQresultErrorField) X(PQntuples) X(PQnfields)              \
    X(PQgetvalue) X(PQgetlength) X(PQgetisnull) X(PQclear) X(PQconninfoParse) X(PQconninfoFree)    \
    X(PQfreemem) X(PQsetNoticeProcessor)
// clang-format on

static struct {
#define X(name) __typeof__(&name) name;
    LIBPQ(X)
#undef X
} lib;
static const char *missing; // NULL: all is there

static void load(void)
{
    void *h = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!h) {
        missing = "there is no libpq.so.5: install libpq5";
        return;
    }
#define X(name)                                                                                    \
    *(void **)(void *)&lib.name = dlsym(h, #name);                                                 \
    missing = lib.name ? missing : "libpq.so.5 has no " #name;
    LIBPQ(X)
#undef X
}

static bool loaded(struct err *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return !missing || err_set(e, "%s", missing);
}

// ---- the connection --------------------------------------------------------------------

struct pq {
    PGconn *c;
    struct pq_patience patience;
    char state[8];
};

// libpq's messages are lines, the first says what.
static bool say_why(struct pq *p, const char *message, struct err *e)
{
    const size_t n = strcspn(message, "\n");
    (void)p;
    return err_set(e, "the store: %.*s", n ? (int)n : 9, n ? message : "no answer");
}

static bool no_secret(const char *dsn, struct err *e)
{
    char *why = NULL;
    PQconninfoOption *v = lib.PQconninfoParse(dsn, &why);
    if (!v) {
        err_set(e, "the store's address: %.*s", why ? (int)strcspn(why, "\n") : 0, why ? why : "");
        lib.PQfreemem(why);
        return false;
    }
    bool ok = true;
    for (PQconninfoOption *o = v; o->keyword; o++)
        if (strcmp(o->keyword, "password") == 0 && o->val && o->val[0])
            ok = err_set(e,
                         "the store's address holds a password, which others can see: put it into "
                         "the file that PGPASSFILE names (~/.pgpass), or into a service file");
    lib.PQconninfoFree(v);
    return ok;
}

static void no_notices(void *user, const char *message)
{
    (void)user;
    (void)message;
}

struct pq *pq_open(const char *dsn, struct err *e)
{
    // Ours first: what the address says wins. A network that is silent is noticed within 30 s.
    const char *const keys[] = {"fallback_application_name",
                                "connect_timeout",
                                "tcp_user_timeout",
                                "keepalives_idle",
                                "client_encoding",
                                "dbname",
                                NULL};
    const char *const values[] = {"tanglefuzz", "10", "30000", "20", "UTF8", dsn, NULL};
    const bool has_keyword = strchr(dsn, '=') || strstr(dsn, "://");
    if (!loaded(e) || (has_keyword && !no_secret(dsn, e)))
        return NULL;
    struct pq *p = calloc(1, sizeof *p);
    CHECK(p);
    p->c = lib.PQconnectdbParams(keys, values, 1);
    if (p->c && lib.PQstatus(p->c) == CONNECTION_OK) {
        lib.PQsetNoticeProcessor(p->c, no_notices, NULL);
        return p;
    }
    say_why(p, p->c ? lib.PQerrorMessage(p->c) : "out of memory", e);
    pq_close(p);
    return NULL;
}

void pq_close(struct pq *p)
{
    if (p && p->c)
        lib.PQfinish(p->c);
    free(p);
}

void pq_patience(struct pq *p, const struct pq_patience *patience)
{
    p->patience = *patience;
}

const char *pq_state(const struct pq *p)
{
    return p->state;
}

// Is the connection gone? What the server did not say is libpq's: it may take a lost one for good
// until it is used once more.
static bool is_lost(const struct pq *p)
{
    return lib.PQstatus(p->c) != CONNECTION_OK || !p->state[0];
}

// Does it get better by itself: a server that is away, starts, is full, or a deadlock?
static bool may_pass(const struct pq *p)
{
    static const char *const states[] = {"57P01", "57P02", "57P03", "40001", "40P01"};
    if (is_lost(p) || strncmp(p->state, "08", 2) == 0 || strncmp(p->state, "53", 2) == 0)
        return true;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(p->state, states[i]) == 0)
            return true;
    return false;
}

// Waits in small steps; false when somebody does not want to go on.
static bool rest(const struct pq *p, double seconds, const char *why)
{
    for (const double end = now_seconds() + seconds; now_seconds() < end;) {
        if (p->patience.go_on && !p->patience.go_on(p->patience.user, why))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    }
    return true;
}

enum { PARAMS_MAX = 8 };

static PGresult *once(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n,
                      bool binary)
{
    const char *values[PARAMS_MAX];
    int sizes[PARAMS_MAX], forms[PARAMS_MAX];
    CHECK(n <= PARAMS_MAX);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = v[i].data ? v[i].data : v[i].text;
        sizes[i] = (int)v[i].size;
        forms[i] = v[i].data != NULL;
    }
    return lib.PQexecParams(p->c, sql, (int)n, NULL, values, sizes, forms, binary);
}

// NULL with a line. Tries again while it may pass and there is patience.
static PGresult *call(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n,
                      bool binary, struct err *e)
{
    double wait = 0.1;
    for (const double since = now_seconds();;) {
        PGresult *r = once(p, sql, v, n, binary);
        const ExecStatusType s = lib.PQresultStatus(r);
        if (s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK)
            return r;
        const char *state = r ? lib.PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
        const char *message = r ? lib.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY) : NULL;
        snprintf(p->state, sizeof p->state, "%s", state ? state : "");
        say_why(p, message ? message : lib.PQerrorMessage(p->c), e);
        lib.PQclear(r);
        struct err why = {0};
        if (e)
            why = *e;
        if (!may_pass(p) || now_seconds() - since >= p->patience.seconds || !rest(p, wait, why.msg))
            return NULL;
        wait = wait < 2 ? wait * 2 : 2;
        if (is_lost(p))
            lib.PQreset(p->c);
    }
}

bool pq_json(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, json_t **out,
             struct err *e)
{
    PGresult *r = call(p, sql, v, n, false, e);
    *out = NULL;
    if (!r)
        return false;
    if (lib.PQntuples(r) < 1 || lib.PQgetisnull(r, 0, 0))
        *out = json_null();
    else
        *out = json_loadb(lib.PQgetvalue(r, 0, 0), (size_t)lib.PQgetlength(r, 0, 0),
                          JSON_DECODE_ANY, NULL);
    lib.PQclear(r);
    return *out || err_set(e, "the store: an answer that is no JSON");
}

bool pq_rows(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, void *user,
             bool (*row)(void *user, const struct pq_cell *cell, uint32_t n, struct err *e),
             struct err *e)
{
    struct pq_cell cell[PARAMS_MAX];
    PGresult *r = call(p, sql, v, n, true, e);
    bool ok = r != NULL;
    for (int i = 0; ok && i < lib.PQntuples(r); i++) {
        const int cells = lib.PQnfields(r);
        CHECK(cells <= PARAMS_MAX);
        for (int k = 0; k < cells; k++)
            cell[k] = (struct pq_cell){lib.PQgetvalue(r, i, k), (size_t)lib.PQgetlength(r, i, k)};
        ok = row(user, cell, (uint32_t)cells, e);
    }
    lib.PQclear(r);
    return ok;
}

bool pq_script(struct pq *p, const char *sql, struct err *e)
{
    PGresult *r = lib.PQexec(p->c, sql);
    const ExecStatusType s = lib.PQresultStatus(r);
    const bool ok = s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK || s == PGRES_EMPTY_QUERY;
    if (!ok) {
        const char *state = r ? lib.PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
        snprintf(p->state, sizeof p->state, "%s", state ? state : "");
        say_why(p, lib.PQerrorMessage(p->c), e);
    }
    lib.PQclear(r);
    return ok;
}

#else // built without libpq

static const char NONE[] =
    "this tanglefuzz was built without PostgreSQL: install libpq-dev, configure and build again";

struct pq *pq_open(const char *dsn, struct err *e)
{
    (void)dsn;
    err_set(e, NONE);
    return NULL;
}

void pq_close(struct pq *p)
{
    (void)p;
}

void pq_patience(struct pq *p, const struct pq_patience *patience)
{
    (void)p;
    (void)patience;
}

const char *pq_state(const struct pq *p)
{
    (void)p;
    return "";
}

bool pq_json(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, json_t **out,
             struct err *e)
{
    (void)p;
    (void)sql;
    (void)v;
    (void)n;
    *out = NULL;
    return err_set(e, NONE);
}

bool pq_rows(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, void *user,
             bool (*row)(void *user, const struct pq_cell *cell, uint32_t n, struct err *e),
             struct err *e)
{
    (void)p;
    (void)sql;
    (void)v;
    (void)n;
    (void)user;
    (void)row;
    return err_set(e, NONE);
}

bool pq_script(struct pq *p, const char *sql, struct err *e)
{
    (void)p;
    (void)sql;
    return err_set(e, NONE);
}

#endif
