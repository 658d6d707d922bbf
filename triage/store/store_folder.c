// SPDX-License-Identifier: Apache-2.0
//
// A campaign's folder into the store: what is new since it was looked at, what is gone. A finding's
// folder may have any name.
#define _POSIX_C_SOURCE 200809L
#include "store_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *json_text(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

json_t *json_file(struct arena *a, const char *path, struct err *e)
{
    char *data;
    size_t size;
    struct err why;
    if (file_read(a, path, STORE_JSON_MAX, &data, &size, &why))
        return json_loadb(data, size, 0, NULL);
    if (file_trouble())
        *e = why;
    return NULL;
}

// What is known of a file: false where it is not there, with a line where nobody can tell.
static bool look_at(const char *path, struct stat *st, struct err *e)
{
    return stat(path, st) == 0 ||
           (file_trouble() && err_set(e, "%s: cannot be looked at: %s", path, strerror(errno)));
}

// ---- one folder ------------------------------------------------------------------------

static int64_t number(const json_t *o, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(o, key));
}

// What the folder tells is blamed; of folders that say nothing of it what can be said.
static struct store_signature signature_of(struct arena *a, const json_t *o)
{
    const json_t *b = json_object_get(o, "blame");
    const char *text = json_text(o, "signature"), *family = json_text(b, "family");
    const char *klass = json_text(b, "class");
    char name[16];
    family = family[0] ? family : run_family(a, json_text(o, "target"), NULL);
    klass = klass[0] ? klass : json_text(o, "class");
    if (!text[0])
        text = arena_printf(a, "0|%s|%s||||", family, klass);
    diag_bucket_name(text, name);
    return (struct store_signature){.bucket = arena_str(a, name),
                                    .text = arena_str(a, text),
                                    .family = arena_str(a, family),
                                    .klass = arena_str(a, klass),
                                    .op = arena_str(a, json_text(b, "op")),
                                    .path = arena_str(a, json_text(b, "where")),
                                    .message = arena_str(a, json_text(b, "message")),
                                    .culprit = arena_str(a, json_text(b, "culprit")),
                                    .about = arena_str(a, json_text(b, "about")),
                                    .sentence = arena_str(a, json_text(b, "sentence"))};
}

// The smallest reduction below a finding's folder: its folder's path, NULL for none.
static const char *reduced_of(struct arena *a, const char *folder, json_t **json, struct err *e)
{
    const char **names;
    size_t n;
    dir_list(a, arena_printf(a, "%s/reduced", folder), &names, &n, e);
    const char *best = NULL;
    off_t least = 0;
    *json = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *sub = arena_printf(a, "%s/reduced/%s", folder, names[i]);
        struct stat st;
        if (!look_at(arena_printf(a, "%s/case.spv", sub), &st, e) || (best && st.st_size >= least))
            continue;
        json_t *j = json_file(a, arena_printf(a, "%s/finding.json", sub), e);
        if (!j)
            continue;
        json_decref(*json);
        *json = j;
        best = sub;
        least = st.st_size;
    }
    return best;
}

static uint32_t words_of(struct arena *a, const char *folder, struct err *e)
{
    struct stat st;
    return look_at(arena_printf(a, "%s/case.spv", folder), &st, e) ? (uint32_t)(st.st_size / 4) : 0;
}

bool store_folder_read(struct arena *a, const char *dir, const char *name,
                       struct store_finding *out, struct err *e)
{
    struct err why = {0};
    const char *path = arena_printf(a, "%s/findings/%s", dir, name);
    json_t *o = json_file(a, arena_printf(a, "%s/finding.json", path), &why), *small;
    struct stat st = {0};
    char *text = "", digest[STORE_DIGEST];
    size_t size = 0;
    if (!o) {
        *e = why;
        return false;
    }
    look_at(arena_printf(a, "%s/finding.json", path), &st, &why);
    struct err unread;
    if (!file_read(a, arena_printf(a, "%s/case.spvasm", path), STORE_FILE_MAX, &text, &size,
                   &unread) &&
        file_trouble())
        why = unread;
    const char *reduced = reduced_of(a, path, &small, &why);
    const json_t *told = small ? small : o;
    int64_t found_at = number(o, "found_at");
    *out = (struct store_finding){
        .digest =
            arena_str(a, store_digest(text, size, json_text(o, "class"), json_text(o, "target"),
                                      json_text(o, "device"), digest)),
        .name = arena_str(a, name),
        .folder = arena_printf(a, "findings/%s", name),
        .reduced = reduced ? reduced + strlen(dir) + 1 : "",
        .family = run_family(a, json_text(o, "target"), json_text(o, "driver")),
        .now = signature_of(a, told),
        .first = signature_of(a, o),
        .subgroup = (uint32_t)number(o, "subgroup"),
        .words = words_of(a, reduced ? reduced : path, &why),
        .first_words = words_of(a, path, &why),
        .live_bits = (uint64_t)number(o, "live_bits"),
        .wrong_bits = (uint64_t)number(o, "wrong_bits"),
        .reproduced = (uint32_t)(number(o, "reproduced") + number(small, "reproduced")),
        .tries = (uint32_t)(number(o, "tries") + number(small, "tries")),
        .found_at = found_at ? found_at : (int64_t)st.st_mtime,
    };
    const struct {
        const char **to, *key;
        const json_t *from;
    } texts[] = {{&out->klass, "class", o},         {&out->first_class, "first_class", o},
                 {&out->text, "text", o},           {&out->target, "target", o},
                 {&out->device, "device", o},       {&out->driver, "driver", o},
                 {&out->replay, "replay", o},       {&out->rule, "rule", told},
                 {&out->generated, "generated", o}, {&out->taxonomy, "taxonomy", told},
                 {&out->promise, "promise", told}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        *texts[k].to = arena_str(a, json_text(texts[k].from, texts[k].key));
    json_decref(small);
    json_decref(o);
    *e = why;
    return !why.msg[0];
}

// When the finding and its reductions were written; "" where there is none.
static const char *stamp_of(struct arena *a, const char *dir, const char *name)
{
    struct stat f, r = {0};
    if (stat(arena_printf(a, "%s/findings/%s/finding.json", dir, name), &f) != 0)
        return "";
    stat(arena_printf(a, "%s/findings/%s/reduced", dir, name), &r);
    return arena_printf(a, "%lld.%09ld %lld.%09ld %lld", (long long)f.st_mtim.tv_sec,
                        f.st_mtim.tv_nsec, (long long)r.st_mtim.tv_sec, r.st_mtim.tv_nsec,
                        (long long)f.st_size);
}

bool store_folder_put(struct store *s, struct arena *a, const char *dir,
                      const struct store_finding *f, bool *added, struct err *e)
{
    struct store_folder seen = {f->name, stamp_of(a, dir, f->name), f->digest};
    return s->on->put(s, f, added, e) && s->on->folder(s, &seen, e);
}

// ---- campaign.json ---------------------------------------------------------------------

struct store_campaign store_campaign_read(struct arena *a, const char *text)
{
    struct store_campaign c = {.json = arena_str(a, text),
                               .target = "",
                               .device = "",
                               .driver = "",
                               .ended = "",
                               .version = ""};
    json_t *j = json_loads(text, 0, NULL);
    const struct {
        const char *key, **to;
    } texts[] = {{"target", &c.target},
                 {"device", &c.device},
                 {"driver", &c.driver},
                 {"ended", &c.ended},
                 {"version", &c.version}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        *texts[k].to = arena_str(a, json_text(j, texts[k].key));
    const struct {
        const char *key;
        uint64_t *to;
    } counts[] = {{"cases", &c.cases},
                  {"agreed", &c.agreed},
                  {"findings", &c.findings},
                  {"live_bits", &c.live_bits}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k].to = (uint64_t)json_integer_value(json_object_get(j, counts[k].key));
    c.seconds = json_number_value(json_object_get(j, "seconds"));
    json_decref(j);
    return c;
}

// ---- the whole ---------------------------------------------------------------------------

// What was taken in and is gone or changed is let go of. `fresh`: the names to be read.
static bool compare(struct store *s, struct arena *a, const char *dir, const char ***fresh,
                    size_t *fresh_n, struct err *e)
{
    struct store_folder *old;
    uint32_t n, k = 0;
    const char **names;
    VEC(const char *) v = {0};
    if (!s->on->folders(s, a, &old, &n, e))
        return false;
    size_t have;
    if (!dir_list(a, arena_printf(a, "%s/findings", dir), &names, &have, e))
        return false;
    for (size_t i = 0; i < have || k < n;) {
        int order = i == have ? 1 : k == n ? -1 : strcmp(names[i], old[k].name);
        if (order == 0 && strcmp(old[k].stamp, stamp_of(a, dir, names[i])) != 0)
            order = 1; // as if it were gone; then it is met again as new
        if (order > 0) {
            // Another folder of the same finding takes its place.
            for (uint32_t m = 0; m < n; m++)
                if (m != k && strcmp(old[m].digest, old[k].digest) == 0)
                    *VEC_PUSH(a, &v) = old[m].name;
            if (!s->on->forget(s, old[k++].name, e))
                return false;
        } else {
            if (order < 0)
                *VEC_PUSH(a, &v) = names[i];
            k += order == 0;
            i++;
        }
    }
    *fresh = v.v;
    *fresh_n = v.n;
    return true;
}

bool store_folder_campaigns(struct store *s, struct arena *a, const char *dir, struct err *e)
{
    struct err why = {0};
    json_t *all = json_file(a, arena_printf(a, "%s/campaign.json", dir), &why), *row;
    if (why.msg[0]) {
        *e = why;
        return false;
    }
    VEC(const char *) v = {0};
    size_t i;
    json_array_foreach(json_object_get(all, "campaigns"), i, row)
    {
        char *text = json_dumps(row, JSON_COMPACT);
        CHECK(text);
        *VEC_PUSH(a, &v) = arena_str(a, text);
        free(text);
    }
    json_decref(all);
    return s->on->campaigns(s, v.v, (uint32_t)v.n, e);
}

bool store_sync(struct store *s, const char *dir, uint32_t *added, struct err *e)
{
    struct arena a = {0}, one = {0};
    const char **names = NULL;
    size_t n = 0;
    *added = 0;
    bool ok = s->on->begin(s, e) && compare(s, &a, dir, &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        struct store_finding f;
        bool is_new = false;
        arena_reset(&one);
        ok = store_folder_read(&one, dir, names[i], &f, e)
                 ? store_folder_put(s, &one, dir, &f, &is_new, e)
                 : !e->msg[0];
        *added += is_new;
    }
    ok = ok && store_folder_campaigns(s, &a, dir, e) && s->on->end(s, e);
    if (!ok)
        s->on->give_up(s);
    arena_free(&one);
    arena_free(&a);
    return ok;
}
