// SPDX-License-Identifier: Apache-2.0
//
// The store opened and made, and how protocol.sql is called.
#include "farm_parts.h"

#include <stdlib.h>
#include <string.h>

extern const char farm_tables_sql[],
    farm_protocol_sql[]; // made by the build of tables.sql, protocol.sql

// ---- calls ---------------------------------------------------------------------------------

enum { ARGUMENTS_MAX = 6 };

static bool call(struct farm *f, json_t **out, struct err *e, const char *function,
                 const char *types, va_list v)
{
    struct arena a = {0};
    struct text sql = {.arena = &a};
    struct pq_param p[ARGUMENTS_MAX] = {{0}};
    uint32_t n = 0;
    text_add(&sql, "SELECT tanglefuzz.%s(", function);
    for (; types[n]; n++) {
        CHECK(n < ARGUMENTS_MAX);
        text_add(&sql, "%s$%u", n ? ", " : "", n + 1);
        if (types[n] == 's') {
            p[n].text = va_arg(v, const char *);
        } else if (types[n] == 'i') {
            p[n].text = arena_printf(&a, "%lld", (long long)va_arg(v, int64_t));
        } else if (types[n] == 'u') {
            p[n].text = arena_printf(&a, "%llu", (unsigned long long)va_arg(v, uint64_t));
        } else if (types[n] == 'd') {
            p[n].text = arena_printf(&a, "%.6f", va_arg(v, double));
        } else {
            CHECK(types[n] == 'j');
            json_t *j = va_arg(v, json_t *);
            char *text = json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY);
            CHECK(text);
            p[n].text = arena_str(&a, text);
            free(text);
            json_decref(j);
        }
    }
    text_add(&sql, ")");
    bool ok = pq_json(f->pq, sql.v, p, n, out, e);
    arena_free(&a);
    return ok;
}

bool farm_call(struct farm *f, json_t **out, struct err *e, const char *function, const char *types,
               ...)
{
    va_list v;
    va_start(v, types);
    bool ok = call(f, out, e, function, types, v);
    va_end(v);
    return ok;
}

bool farm_ask(struct farm *f, bool *out, struct err *e, const char *function, const char *types,
              ...)
{
    json_t *j;
    va_list v;
    va_start(v, types);
    bool ok = call(f, &j, e, function, types, v);
    va_end(v);
    *out = json_is_true(j);
    json_decref(j);
    return ok;
}

const char *farm_text(struct arena *a, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return arena_str(a, s ? s : "");
}

uint64_t farm_number(const json_t *o, const char *key)
{
    return (uint64_t)json_number_value(json_object_get(o, key));
}

// ---- open, make ------------------------------------------------------------------------------

struct farm *farm_open(const char *dsn, const struct farm_patience *patience, struct err *e)
{
    struct pq *pq = pq_open(dsn, e);
    if (!pq)
        return NULL;
    struct farm *f = calloc(1, sizeof *f);
    CHECK(f);
    f->pq = pq;
    if (patience)
        pq_patience(pq, patience);
    json_t *j = NULL;
    bool ok = farm_call(f, &j, e, "schema_version", "");
    const json_int_t has = json_integer_value(j);
    if (!ok && (strcmp(pq_state(pq), "3F000") == 0 || strcmp(pq_state(pq), "42883") == 0))
        err_set(e, "the database holds no farm: tanglefuzz farm init makes one");
    if (ok && has > FARM_SCHEMA)
        ok = err_set(e, "the store was made by a newer tanglefuzz (schema %d, this one knows %d)",
                     (int)has, FARM_SCHEMA);
    else if (ok && has < FARM_SCHEMA)
        ok = err_set(e,
                     "the store is of an older tanglefuzz (schema %d, this one has %d): its owner "
                     "has to run tanglefuzz farm init",
                     (int)has, FARM_SCHEMA);
    json_decref(j);
    if (ok)
        return f;
    farm_close(f);
    return NULL;
}

void farm_close(struct farm *f)
{
    if (f)
        pq_close(f->pq);
    free(f);
}

void farm_patience(struct farm *f, const struct farm_patience *patience)
{
    pq_patience(f->pq, patience);
}

void farm_idle(struct farm *f, double seconds)
{
    pq_idle(f->pq, seconds);
}

// What brings a store from schema i to i + 1. A new schema is a new row here, and raises
// FARM_SCHEMA.
static const char *const steps[FARM_SCHEMA] = {farm_tables_sql};

// The functions and views of any version, so that this one's take their place. One by one: what
// depends on a function goes with it.
static const char CLEAR[] =
    "DO $$ DECLARE x text; BEGIN LOOP"
    "  SELECT p.oid::regprocedure INTO x FROM pg_proc p JOIN pg_namespace n"
    "   ON n.oid = p.pronamespace WHERE n.nspname = 'tanglefuzz' LIMIT 1;"
    "  EXIT WHEN NOT FOUND; EXECUTE 'DROP FUNCTION ' || x || ' CASCADE'; END LOOP;"
    " FOR x IN SELECT quote_ident(viewname) FROM pg_views WHERE schemaname = 'tanglefuzz' LOOP"
    "  EXECUTE 'DROP VIEW IF EXISTS tanglefuzz.' || x || ' CASCADE'; END LOOP; END $$;";

// Inside of a transaction that has the store for itself.
static bool make(struct pq *pq, uint32_t *was, struct err *e)
{
    json_t *j = NULL;
    struct arena a = {0};
    bool ok =
        pq_script(pq,
                  "SET LOCAL client_min_messages = warning; SELECT pg_advisory_xact_lock(7463);"
                  "CREATE SCHEMA IF NOT EXISTS tanglefuzz; SET LOCAL search_path = tanglefuzz;"
                  "CREATE TABLE IF NOT EXISTS store(schema int NOT NULL)",
                  e) &&
        pq_json(pq, "SELECT max(schema) FROM store", NULL, 0, &j, e);
    *was = (uint32_t)json_integer_value(j);
    json_decref(j);
    if (ok && *was > FARM_SCHEMA)
        ok = err_set(e, "the store was made by a newer tanglefuzz (schema %u, this one knows %d)",
                     *was, FARM_SCHEMA);
    for (uint32_t v = *was; ok && v < FARM_SCHEMA; v++)
        ok = pq_script(pq, steps[v], e);
    ok = ok && pq_script(pq, CLEAR, e) && pq_script(pq, farm_protocol_sql, e) &&
         pq_script(
             pq, arena_printf(&a, "DELETE FROM store; INSERT INTO store VALUES (%d)", FARM_SCHEMA),
             e);
    arena_free(&a);
    return ok;
}

bool farm_init(const char *dsn, uint32_t *was, struct err *e)
{
    struct pq *pq = pq_open(dsn, e);
    bool ok = pq && pq_script(pq, "BEGIN", e) && make(pq, was, e) && pq_script(pq, "COMMIT", e);
    pq_close(pq);
    return ok;
}
