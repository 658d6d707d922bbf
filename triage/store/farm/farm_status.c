// SPDX-License-Identifier: Apache-2.0
//
// The state of the store.
#include "farm_parts.h"

#include <stdlib.h>
#include <string.h>

// Members of a struct and the JSON keys that hold them.
enum kind { TEXT, NUMBER, REAL, SIGNED, BOOL };
struct field {
    const char *key;
    size_t to;
    enum kind kind;
};

static void fill(struct arena *a, void *to, const json_t *j, const struct field *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *at = (char *)to + f[i].to;
        const json_t *v = json_object_get(j, f[i].key);
        switch (f[i].kind) {
        case TEXT:
            *(const char **)(void *)at = farm_text(a, j, f[i].key);
            break;
        case NUMBER:
            *(uint64_t *)(void *)at = (uint64_t)json_number_value(v);
            break;
        case SIGNED:
            *(int64_t *)(void *)at = (int64_t)json_number_value(v);
            break;
        case REAL:
            *(double *)(void *)at = json_number_value(v);
            break;
        case BOOL:
            *(bool *)(void *)at = json_is_true(v);
            break;
        }
    }
}

#define F(type, member, kind) {#member, offsetof(struct type, member), kind}
static const struct field progress[] = {
    F(farm_progress, id, SIGNED),        F(farm_progress, target, TEXT),
    F(farm_progress, driver, TEXT),      F(farm_progress, state, TEXT),
    F(farm_progress, next_seed, NUMBER), F(farm_progress, seeds_done, NUMBER),
    F(farm_progress, leased, NUMBER),    F(farm_progress, overdue, NUMBER),
    F(farm_progress, given_up, NUMBER),  F(farm_progress, cases, NUMBER),
    F(farm_progress, agreed, NUMBER),    F(farm_progress, live_bits, NUMBER),
    F(farm_progress, findings, NUMBER),  F(farm_progress, flaky, NUMBER),
    F(farm_progress, seconds, REAL),     F(farm_progress, rate, REAL),
    F(farm_progress, idle_seconds, REAL)};
static const struct field buckets[] = {F(farm_bucket, name, TEXT),
                                       F(farm_bucket, signature, TEXT),
                                       {"class", offsetof(struct farm_bucket, klass), TEXT},
                                       F(farm_bucket, sentence, TEXT),
                                       F(farm_bucket, state, TEXT),
                                       F(farm_bucket, note, TEXT),
                                       F(farm_bucket, link, TEXT),
                                       F(farm_bucket, kept, NUMBER),
                                       F(farm_bucket, seen, NUMBER),
                                       F(farm_bucket, streams, NUMBER),
                                       F(farm_bucket, words, NUMBER),
                                       F(farm_bucket, first_at, SIGNED),
                                       F(farm_bucket, last_at, SIGNED)};
static const struct field changes[] = {F(farm_change, name, TEXT),
                                       F(farm_change, bucket, TEXT),
                                       F(farm_change, target, TEXT),
                                       F(farm_change, was, TEXT),
                                       F(farm_change, driver, TEXT),
                                       F(farm_change, was_driver, TEXT),
                                       F(farm_change, change, TEXT),
                                       F(farm_change, is_last, BOOL),
                                       {"class", offsetof(struct farm_change, klass), TEXT}};

// Converts all objects of an array. *n: their number.
static void *list(struct arena *a, const json_t *j, size_t each, const struct field *f,
                  size_t fields, uint32_t *n)
{
    *n = (uint32_t)json_array_size(j);
    char *v = arena_alloc(a, arena_bytes(*n, each));
    for (uint32_t i = 0; i < *n; i++)
        fill(a, v + i * each, json_array_get(j, i), f, fields);
    return v;
}
#define LIST(a, j, type, f, n) list(a, j, sizeof(struct type), f, sizeof(f) / sizeof *(f), n)

static const char *limit_text(struct arena *a, uint64_t n)
{
    return n ? arena_printf(a, "%llu", (unsigned long long)n) : NULL;
}

static const char *dump(struct arena *a, const json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    const char *kept = arena_str(a, text);
    free(text);
    return kept;
}

bool farm_buckets(struct farm *f, struct arena *a, const struct farm_page *p,
                  struct farm_bucket **out, uint32_t *n, const char **json, struct err *e)
{
    json_t *j;
    bool ok = farm_call(f, &j, e, "buckets", "sss", p->state, p->after, limit_text(a, p->limit)) &&
              (json_is_array(j) || err_set(e, "the store has no bucket '%s'", p->after));
    *out = LIST(a, j, farm_bucket, buckets, n);
    *json = ok ? dump(a, j) : "";
    json_decref(j);
    return ok;
}

bool farm_status(struct farm *f, struct arena *a, uint64_t newest, struct farm_status *out,
                 struct err *e)
{
    json_t *j;
    *out = (struct farm_status){0};
    if (!farm_call(f, &j, e, "status", "s", limit_text(a, newest)))
        return false;
    out->stream = LIST(a, json_object_get(j, "streams"), farm_progress, progress, &out->streams);
    out->bucket = LIST(a, json_object_get(j, "buckets"), farm_bucket, buckets, &out->buckets);
    out->change = LIST(a, json_object_get(j, "changes"), farm_change, changes, &out->changes);
    out->new_buckets = farm_number(j, "new_buckets");
    out->other_buckets = farm_number(j, "other_buckets");
    out->findings = farm_number(j, "findings");
    out->pushed = farm_number(j, "pushed");
    out->replays = farm_number(j, "replays");
    out->json = dump(a, j);
    json_decref(j);
    return true;
}
