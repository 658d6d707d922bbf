// SPDX-License-Identifier: Apache-2.0
//
// Pruning, known bugs, and regression cases.
#include "farm_parts.h"

#include <string.h>

enum { TEXT_MOST = 16 << 20 };

// ---- pruning ---------------------------------------------------------------------------------

bool farm_prune(struct farm *f, double older_seconds, uint32_t keep, struct farm_pruned *out,
                struct err *e)
{
    enum { AT_ONCE = 20000 }; // findings per statement: at most a minute
    json_t *j = NULL;
    *out = (struct farm_pruned){0};
    bool ok = farm_call(f, &j, e, "prune_ranges", "d", older_seconds);
    out->ranges = (uint64_t)json_integer_value(j);
    for (uint64_t n = AT_ONCE; ok && n == AT_ONCE; out->findings += n) {
        json_decref(j);
        ok = farm_call(f, &j, e, "prune_findings", "duu", older_seconds, (uint64_t)keep,
                       (uint64_t)AT_ONCE);
        n = (uint64_t)json_integer_value(j);
    }
    json_decref(j);
    return ok;
}

// ---- known bugs ------------------------------------------------------------------------------

bool farm_known_add(struct farm *f, const char *path, struct err *e)
{
    struct arena a = {0};
    struct report_known k;
    char *text;
    size_t size;
    bool done;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t n = strlen(base), tail = strlen(".known");
    bool ok = (n > tail && base[0] != '.' && strcmp(base + n - tail, ".known") == 0) ||
              err_set(e, "%s: the file name must be NAME.known", path);
    ok = ok && file_read(&a, path, TEXT_MOST, &text, &size, e) &&
         report_known_parse(&a, path, text, size, &k, e) &&
         farm_ask(f, &done, e, "known_put", "ss", arena_strn(&a, base, n - tail), text);
    arena_free(&a);
    return ok;
}

bool farm_known_get(struct farm *f, const char *dir, uint32_t *n, struct err *e)
{
    struct arena a = {0};
    json_t *j, *x;
    size_t i;
    bool ok = dir_make(dir, e) && farm_call(f, &j, e, "known_list", "");
    *n = 0;
    if (!ok) {
        arena_free(&a);
        return false;
    }
    json_array_foreach(j, i, x)
    {
        const char *name = farm_text(&a, x, "name"), *body = farm_text(&a, x, "body");
        if (!name[0] || name[0] == '.' || strchr(name, '/'))
            ok = err_set(e, "the store: '%s' is not the name of a known bug",
                         text_printable(&a, name));
        ok = ok && file_write(arena_printf(&a, "%s/%s.known", dir, name), body, strlen(body), e);
        *n += ok;
    }
    json_decref(j);
    arena_free(&a);
    return ok;
}

// ---- regressions -----------------------------------------------------------------------------

bool farm_regress_add(struct farm *f, const char *name, const char *target, const char *text,
                      size_t size, bool *added, struct err *e)
{
    char digest[FINDING_DIGEST];
    finding_digest(text, size, "", target, "", digest);
    return farm_ask(f, added, e, "regress_put", "ssss", digest, name, target, text);
}

bool farm_replay_take(struct farm *f, struct arena *a, int64_t stream, const struct farm_owner *o,
                      bool *there, struct farm_replay *out, struct err *e)
{
    json_t *j;
    bool ok = farm_call(f, &j, e, "replay_take", "isd", stream, o->name, o->lease_seconds);
    *there = json_is_object(j);
    *out = (struct farm_replay){farm_text(a, j, "digest"), farm_text(a, j, "name"),
                                farm_text(a, j, "target"), farm_text(a, j, "body")};
    json_decref(j);
    return ok;
}

bool farm_replay_done(struct farm *f, const struct farm_replay *r, int64_t stream,
                      const char *klass, bool judged, bool good, struct err *e)
{
    bool done;
    return farm_ask(f, &done, e, "replay_done", "siss", r->digest, stream, klass,
                    judged ? good ? "true" : "false" : NULL);
}
