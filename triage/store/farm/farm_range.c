// SPDX-License-Identifier: Apache-2.0
//
// Streams and their leased seeds.
#include "farm_parts.h"

#include <string.h>

bool farm_stream_open(struct farm *f, const struct farm_stream *s, int64_t *id, struct err *e)
{
    json_t *options = json_loads(s->options, 0, NULL), *j;
    CHECK(options);
    json_t *d = json_pack("{s:s, s:s, s:s, s:i, s:o}", "target", s->target, "device", s->device,
                          "driver", s->driver, "generator", (int)s->generator, "options", options);
    if (!d)
        return err_set(e, "%s: its description is not UTF-8", s->target);
    bool ok = farm_call(f, &j, e, "stream_open", "j", d);
    *id = json_integer_value(json_object_get(j, "id"));
    json_decref(j);
    return ok;
}

bool farm_streams(struct farm *f, struct arena *a, const char *target, struct farm_named **out,
                  uint32_t *n, struct err *e)
{
    json_t *j, *x;
    size_t i;
    bool ok = farm_call(f, &j, e, "stream_list", "s", target);
    *n = (uint32_t)json_array_size(j);
    *out = ARENA_ARRAY(a, struct farm_named, *n);
    json_array_foreach(j, i, x)(*out)[i] = (struct farm_named){
        (int64_t)farm_number(x, "id"), farm_text(a, x, "target"), farm_text(a, x, "driver")};
    json_decref(j);
    return ok;
}

bool farm_stream_set(struct farm *f, int64_t stream, const char *state, uint64_t end, struct err *e)
{
    struct arena a = {0};
    bool there;
    const char *to = end ? arena_printf(&a, "%llu", (unsigned long long)end) : NULL;
    bool ok =
        farm_ask(f, &there, e, "stream_set", "iss", stream, state, to) &&
        (there || err_set(e, "the store has no stream %lld (tanglefuzz farm status lists them)",
                          (long long)stream));
    arena_free(&a);
    return ok;
}

static bool read_range(bool ok, json_t *j, int64_t stream, enum farm_taken *what,
                       struct farm_range *out)
{
    *what = json_is_object(j) ? FARM_TAKEN : json_is_string(j) ? FARM_DONE : FARM_NOTHING;
    *out = (struct farm_range){stream, (uint64_t)json_integer_value(json_object_get(j, "first")),
                               (uint64_t)json_integer_value(json_object_get(j, "end")),
                               (uint32_t)json_integer_value(json_object_get(j, "lease"))};
    json_decref(j);
    return ok;
}

bool farm_take(struct farm *f, int64_t stream, uint64_t size, const struct farm_owner *o,
               enum farm_taken *what, struct farm_range *out, struct err *e)
{
    struct arena a = {0};
    json_t *j;
    const char *n = size ? arena_printf(&a, "%llu", (unsigned long long)size) : NULL;
    bool ok = farm_call(f, &j, e, "range_take", "issd", stream, n, o->name, o->lease_seconds);
    arena_free(&a);
    return read_range(ok, j, stream, what, out);
}

bool farm_claim(struct farm *f, int64_t stream, uint64_t first, uint64_t end,
                const struct farm_owner *o, enum farm_taken *what, struct farm_range *out,
                struct err *e)
{
    json_t *j;
    bool ok =
        farm_call(f, &j, e, "range_claim", "iuusd", stream, first, end, o->name, o->lease_seconds);
    return read_range(ok, j, stream, what, out);
}

bool farm_beat(struct farm *f, const struct farm_range *r, const struct farm_owner *o, bool *mine,
               struct err *e)
{
    return farm_ask(f, mine, e, "range_beat", "iuud", r->stream, r->first, (uint64_t)r->lease,
                    o->lease_seconds);
}

bool farm_release(struct farm *f, const struct farm_range *r, struct err *e)
{
    bool mine;
    return farm_ask(f, &mine, e, "range_release", "iuu", r->stream, r->first, (uint64_t)r->lease);
}

json_t *farm_signature(struct arena *a, const struct diag_signature *s)
{
    return json_pack("{s:s, s:s, s:s, s:s}", "name", s->name, "signature", s->text, "class",
                     judge_class_name(s->klass), "sentence", diag_sentence(a, s));
}

bool farm_done(struct farm *f, const struct farm_range *r, const char *summary,
               const struct farm_tally *t, uint32_t n, bool *counted, struct err *e)
{
    struct arena a = {0};
    json_t *all = json_array(), *sum = json_loads(summary, 0, NULL);
    CHECK(all && sum);
    for (uint32_t i = 0; i < n; i++) {
        json_t *j = farm_signature(&a, t[i].signature);
        json_object_set_new(j, "n", json_integer(t[i].n));
        json_array_append_new(all, j);
    }
    arena_free(&a);
    return farm_ask(f, counted, e, "range_done", "iujj", r->stream, r->first, sum, all);
}

bool farm_missing(struct farm *f, struct arena *a, int64_t stream, uint64_t size, uint64_t count,
                  uint64_t **out, uint32_t *n, struct err *e)
{
    json_t *j, *x;
    size_t i;
    bool ok = farm_call(f, &j, e, "range_missing", "iuu", stream, size, count);
    *n = (uint32_t)json_array_size(j);
    *out = ARENA_ARRAY(a, uint64_t, *n);
    json_array_foreach(j, i, x)(*out)[i] = (uint64_t)json_integer_value(x);
    json_decref(j);
    return ok;
}
