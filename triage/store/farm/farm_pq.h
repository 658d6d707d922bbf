// SPDX-License-Identifier: Apache-2.0
//
// Private to farm: PostgreSQL, with at most one connection, which is opened when a call needs it,
// and again if it is lost. libpq is loaded by the first pq_open, so the program also starts on a
// machine without it.
#ifndef TF_FARM_PQ_H
#define TF_FARM_PQ_H

#include "farm.h"

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

struct pq;
// Stores an address; the first call connects. `dsn`: keywords or a URI in libpq's form, "" for its
// environment variables (PGSERVICE, PGHOST ...). NULL with a message: no libpq, an unknown keyword,
// a password in the address.
struct pq *pq_open(const char *dsn, struct err *e);
void pq_close(struct pq *p);
// Without this call nothing waits.
void pq_patience(struct pq *p, const struct farm_patience *patience);
// Closes the connection if the last call ended at least so long ago; the next call opens another.
void pq_idle(struct pq *p, double seconds);
// Returns the SQLSTATE of the last failed call, "" if the server sent none.
const char *pq_state(const struct pq *p);

// Each call below returns false with a message if the server refuses, or is away for longer than
// the patience.

// Runs "SELECT f($1, ...)", which returns one JSON value. It may be sent twice. The caller releases
// *out; it is JSON null for SQL's NULL.
bool pq_json(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, json_t **out,
             struct err *e);
// Runs a query and passes each row, with cells in binary form, to `row`; stops if that returns
// false. Does not retry after the first row.
bool pq_rows(struct pq *p, const char *sql, const struct pq_param *v, uint32_t n, void *user,
             bool (*row)(void *user, const struct pq_cell *cell, uint32_t n, struct err *e),
             struct err *e);
// Runs statements without parameters; does not retry.
bool pq_script(struct pq *p, const char *sql, struct err *e);

#endif
