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
    X(PQfreemem) X(PQsetNoticeProcessor) X(PQsetErrorVerbosity) X(PQpingParams)                    \
    X(PQconnectionNeedsPassword)
// clang-format on

static struct {
#define X(name) __typeof__(&name) name;
    LIBPQ(X)
#undef X
} lib;
static const char *missing; // NULL: libpq is complete

static void load(void)
{
    void *h = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!h) {
        missing = "libpq.so.5 not found: install libpq5";
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
    char *dsn;
    PGconn *c; // NULL: not connected
    bool lost; // `c` must be opened again
    struct farm_patience patience;
    double used, reported; // when a call ended; when `away` was called last, 0: the store answers
    char state[8];
};

// Reports the first line of libpq's message. A connection error has the form "... FATAL:  53300:
// sorry, too many clients": moves the SQLSTATE to p->state.
static bool say_why(struct pq *p, const char *message, struct err *e)
{
    const int n = (int)strcspn(message, "\n");
    const char *code = strstr(message, ":  ");
    if (!n)
        return err_set(e, "the store: no answer");
    code = code && code < message + n ? code + 3 : "";
    if (strspn(code, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 5 || strncmp(code + 5, ": ", 2))
        return err_set(e, "the store: %.*s", n, message);
    snprintf(p->state, sizeof p->state, "%.5s", code);
    return err_set(e, "the store: %.*s%.*s", (int)(code - message), message,
                   n - (int)(code + 7 - message), code + 7);
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
            ok = err_set(
                e, "the store's address holds a password, which other users can see: put it into "
                   "the file that PGPASSFILE names (~/.pgpass), or into a service file");
    lib.PQconninfoFree(v);
    return ok;
}

static void no_notices(void *user, const char *message)
{
    (void)user;
    (void)message;
}

// The keywords for libpq. Those before dbname are defaults: the address overrides them. A silent
// network is noticed within 30 s. The last ones, for `nowhere`, override the address.
enum { KEYS = 6, NOWHERE = 3 };
static const char *const keys[] = {"fallback_application_name",
                                   "connect_timeout",
                                   "tcp_user_timeout",
                                   "keepalives_idle",
                                   "client_encoding",
                                   "dbname",
                                   "host",
                                   "hostaddr",
                                   "port",
                                   NULL};

static void values_of(const char *dsn, bool nowhere, const char *key[static KEYS + NOWHERE + 1],
                      const char *value[static KEYS + NOWHERE + 1])
{
    const char *const all[] = {"tanglefuzz", "10",        "30000",     "20", "UTF8",
                               dsn,          "localhost", "127.0.0.1", "1",  NULL};
    const size_t n = nowhere ? KEYS + NOWHERE : KEYS;
    memcpy(key, keys, n * sizeof *key);
    memcpy(value, all, n * sizeof *value);
    key[n] = value[n] = NULL;
}

static PGconn *new_connection(const char *dsn)
{
    const char *key[KEYS + NOWHERE + 1], *value[KEYS + NOWHERE + 1];
    values_of(dsn, false, key, value);
    PGconn *c = lib.PQconnectdbParams(key, value, 1);
    CHECK(c);
    lib.PQsetNoticeProcessor(c, no_notices, NULL);
    lib.PQsetErrorVerbosity(c, PQERRORS_VERBOSE);
    return c;
}

struct pq *pq_open(const char *dsn, struct err *e)
{
    const char *key[KEYS + NOWHERE + 1], *value[KEYS + NOWHERE + 1];
    const bool has_keyword = strchr(dsn, '=') || strstr(dsn, "://");
    if (!loaded(e) || (has_keyword && !no_secret(dsn, e)))
        return NULL;
    struct pq *p = calloc(1, sizeof *p);
    CHECK(p);
    p->dsn = strdup(dsn);
    CHECK(p->dsn);
    // Finds an invalid address, which waiting does not cure: libpq does not even try to connect
    // with it. The ping goes to a port without a server.
    values_of(dsn, true, key, value);
    if (lib.PQpingParams(key, value, 1) != PQPING_NO_ATTEMPT)
        return p;
    p->c = new_connection(dsn);
    say_why(p, lib.PQerrorMessage(p->c), e);
    pq_close(p);
    return NULL;
}

void pq_idle(struct pq *p, double seconds)
{
    if (p->c && now_seconds() - p->used >= seconds) {
        lib.PQfinish(p->c);
        p->c = NULL;
    }
}

void pq_close(struct pq *p)
{
    if (p) {
        pq_idle(p, 0);
        free(p->dsn);
    }
    free(p);
}

void pq_patience(struct pq *p, const struct farm_patience *patience)
{
    p->patience = *patience;
}

const char *pq_state(const struct pq *p)
{
    return p->state;
}

// Connects if necessary. With patience, a failed first try is repeated at once: libpq reports an
// SQLSTATE only the second time.
static bool connected(struct pq *p, struct err *e)
{
    bool again = p->c && p->lost;
    if (!p->c) {
        p->c = new_connection(p->dsn);
        p->lost = lib.PQstatus(p->c) != CONNECTION_OK;
        again = p->lost && p->patience.seconds > 0;
    }
    if (again) {
        lib.PQreset(p->c);
        p->lost = lib.PQstatus(p->c) != CONNECTION_OK;
    }
    p->state[0] = 0;
    return !p->lost || say_why(p, lib.PQerrorMessage(p->c), e);
}

// Records why a call failed. Without an SQLSTATE the connection counts as lost too: libpq may
// report it as good until its next use.
static bool failed(struct pq *p, PGresult *r, struct err *e)
{
    const char *state = lib.PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *message = lib.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(p->state, sizeof p->state, "%s", state ? state : "");
    say_why(p, message ? message : lib.PQerrorMessage(p->c), e);
    p->lost = lib.PQstatus(p->c) != CONNECTION_OK || !p->state[0];
    return false;
}

// ---- waiting ----------------------------------------------------------------------------

// Reports whether waiting may help: the server is away, is starting or full, or found a deadlock.
static bool may_pass(const struct pq *p)
{
    static const char *const states[] = {"08",    "53",    "57P01", "57P02",
                                         "57P03", "57P05", "40001", "40P01"};
    if (!p->state[0])
        return !lib.PQconnectionNeedsPassword(p->c);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strncmp(p->state, states[i], strlen(states[i])) == 0)
            return true;
    return false;
}

enum { REPORT_EVERY = 30, WAIT_MOST = 5 };

static void answered(struct pq *p)
{
    if (p->reported > 0 && p->patience.away)
        p->patience.away(p->patience.user, NULL, 0);
    p->reported = 0;
    p->used = now_seconds();
}

// Waits for about `seconds`, a random time, so that many rejected workers do not return together.
// After half a second calls `away`. False if the patience is over, or if `go_on` returns false.
static bool rest(struct pq *p, double seconds, double since, const struct err *why)
{
    const struct farm_patience *x = &p->patience;
    const double start = now_seconds(), some = start * 1e5 - (double)(uint64_t)(start * 1e5);
    for (double now = start; now < start + seconds * (0.5 + some / 2); now = now_seconds()) {
        if (x->away && now - since >= 0.5 && now - p->reported >= REPORT_EVERY) {
            x->away(x->user, why->msg, now - since);
            p->reported = now;
        }
        if (now - since >= x->seconds || (x->go_on && !x->go_on(x->user)))
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

// Runs a statement. NULL with a message. Retries while waiting may help and the patience lasts.
static PGresult *call(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n,
                      bool binary, struct err *e)
{
    struct err why = {0};
    double wait = 0.1;
    for (const double since = now_seconds();;) {
        if (connected(p, &why)) {
            PGresult *r = once(p, sql, v, n, binary);
            const ExecStatusType s = lib.PQresultStatus(r);
            if (s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK) {
                answered(p);
                return r;
            }
            failed(p, r, &why);
            lib.PQclear(r);
        }
        if (!may_pass(p) || !rest(p, wait, since, &why)) {
            if (p->reported > 0)
                err_set(e, "%s (waited %.0f s)", why.msg, now_seconds() - since);
            else
                err_set(e, "%s", why.msg);
            return NULL;
        }
        wait = wait < WAIT_MOST ? wait * 2 : WAIT_MOST;
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
    return *out || err_set(e, "the store: the answer is not JSON");
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
    if (!connected(p, e))
        return false;
    PGresult *r = lib.PQexec(p->c, sql);
    const ExecStatusType s = lib.PQresultStatus(r);
    const bool ok =
        s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK || s == PGRES_EMPTY_QUERY || failed(p, r, e);
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

void pq_idle(struct pq *p, double seconds)
{
    (void)p;
    (void)seconds;
}

void pq_patience(struct pq *p, const struct farm_patience *patience)
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
