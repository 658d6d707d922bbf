// SPDX-License-Identifier: Apache-2.0
//
// Private to farm: PostgreSQL, with at most one connection, which is made when a call needs it and
// made again when it is lost. libpq is loaded when the first one is opened, so that the program
// starts where there is none.
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
// Takes an address; the first call connects. DSN: libpq's words or URI, "" for what its environment
// says (PGSERVICE, PGHOST ...). NULL with a line: no libpq, no words of libpq's, a password in the
// DSN.
struct pq *pq_open(const char *dsn, struct err *e);
void pq_close(struct pq *p);
// Until it is called nothing is waited for.
void pq_patience(struct pq *p, const struct farm_patience *patience);
// Gives the connection back when the last call ended so long ago; the next call makes another.
void pq_idle(struct pq *p, double seconds);
// The SQLSTATE of the last call that failed, "" where the server did not say one.
const char *pq_state(const struct pq *p);

// Each call below: false with a line when the server refuses, or is away for longer than patience.

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
