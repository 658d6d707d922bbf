// SPDX-License-Identifier: Apache-2.0
//
// Private to farm: a connection to PostgreSQL that comes back when it is lost. libpq is loaded when
// the first one is opened, so that the program starts where there is none.
#ifndef TF_FARM_PQ_H
#define TF_FARM_PQ_H

#include "base/base.h"

#include <jansson.h>

struct pq_param {
    const char *text; // NULL: SQL's NULL, unless data
    const void *data; // bytes, as bytea
    size_t size;
};
struct pq_cell {
    const char *v; // bytes, with a NUL after them
    size_t size;
};

// For how long a call is tried again when the connection fails, and who may end that earlier.
struct pq_patience {
    double seconds;
    void *user;
    bool (*go_on)(void *user, const char *why); // a few times a second while it waits; NULL: always
};

struct pq;
// DSN: libpq's words or URI, "" for what its environment says (PGSERVICE, PGHOST ...). NULL with a
// line: no libpq, nobody answers, no right; nothing is tried again. A password in the DSN is
// refused.
struct pq *pq_open(const char *dsn, struct err *e);
void pq_close(struct pq *p);
void pq_patience(struct pq *p, const struct pq_patience *patience);
// The SQLSTATE of the last call that failed, "" where the server did not say one.
const char *pq_state(const struct pq *p);

// Runs "SELECT f($1, ...)", whose one value is JSON. It may be sent twice. *out is the caller's;
// JSON null for SQL's NULL.
bool pq_json(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, json_t **out,
             struct err *e);
// Rows of a query, cells in binary form. What `row` returns false for ends it. Not tried again once
// a row came.
bool pq_rows(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, void *user,
             bool (*row)(void *user, const struct pq_cell *cell, uint32_t n, struct err *e),
             struct err *e);
// Statements without parameters; not tried again.
bool pq_script(struct pq *p, const char *sql, struct err *e);

#endif
