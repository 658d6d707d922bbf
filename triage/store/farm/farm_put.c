// SPDX-License-Identifier: Apache-2.0
//
// Stores findings' folders.
#define _POSIX_C_SOURCE 200809L
#include "farm_parts.h"
#include "store/store_json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Larger files are left out: a driver's code for a shader can be large.
enum { FILE_MOST = 16 << 20, ALL_MOST = 256 << 20, DEPTH_MAX = 4 };

// ---- the files of a folder ---------------------------------------------------------------

struct files {
    struct arena *a;
    struct text bodies;
    json_t *paths; // [{path, at, size}]
};

static bool add_folder(struct files *x, const char *folder, const char *below, int depth,
                       struct err *e)
{
    const char **names;
    size_t n;
    bool ok = dir_list(x->a, folder, &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        const char *path = arena_printf(x->a, "%s/%s", folder, names[i]);
        const char *name = arena_printf(x->a, "%s%s", below, names[i]);
        struct stat st;
        char *data;
        size_t size;
        if (lstat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
            ok = add_folder(x, path, arena_printf(x->a, "%s/", name), depth + 1, e);
        } else if (S_ISREG(st.st_mode) && st.st_size <= FILE_MOST && x->bodies.n < ALL_MOST) {
            ok = file_read(x->a, path, FILE_MOST, &data, &size, e);
            json_t *row = ok ? json_pack("{s:s, s:I, s:I}", "path", name, "at",
                                         (json_int_t)x->bodies.n, "size", (json_int_t)size)
                             : NULL;
            if (row) { // a name that is not UTF-8 is not from tanglefuzz
                text_addn(&x->bodies, data, size);
                json_array_append_new(x->paths, row);
            }
        }
    }
    return ok;
}

// ---- one finding ---------------------------------------------------------------------------

// Returns the fields that the store's functions need; the record itself is one of the files.
static json_t *row_json(struct arena *a, const struct store_finding *r)
{
    const struct finding *f = &r->f, *shown = store_shown(r);
    // "findings/NAME/reduced/reduced-CLASS" -> "reduced/reduced-CLASS/"
    const char *below =
        r->reduced ? arena_printf(a, "%s/", shown->folder + strlen(f->folder) + 1) : "";
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:s, s:I, s:I}",
                     "digest", f->digest, "name", f->name, "class",
                     judge_class_name(finding_class(f)), "text", f->verdict.text, "target",
                     f->target, "rule", diag_rule_name(finding_rule(shown)), "taxonomy",
                     diag_bug_class(shown->signature->bug_class), "first",
                     farm_signature(a, f->signature), "now", farm_signature(a, r->now), "words",
                     (json_int_t)shown->words, "first_words", (json_int_t)f->words, "smallest",
                     arena_printf(a, "%scase.spvasm", below), "reproduced",
                     (json_int_t)shown->reproduced, "tries", (json_int_t)shown->tries);
}

// Queries whether the finding is wanted; with `files`, sends it.
static bool ask_or_send(struct farm *f, struct arena *a, int64_t stream, const char *owner,
                        uint32_t keep, json_t *finding, const struct files *files,
                        enum farm_put *out, uint32_t *kept, struct err *e)
{
    static const char *const words[] = {"new", "smaller", "there", "enough"};
    char *text = json_dumps(finding, JSON_COMPACT),
         *paths = files ? json_dumps(files->paths, JSON_COMPACT) : NULL;
    CHECK(text);
    const struct pq_param v[] = {
        {.text = arena_printf(a, "%lld", (long long)stream)},
        {.text = owner},
        {.text = arena_printf(a, "%u", keep)},
        {.text = text},
        {.text = paths},
        {.data = files ? files->bodies.v : NULL, .size = files ? files->bodies.n : 0},
    };
    json_t *j = NULL;
    bool ok = pq_json(f->pq, "SELECT tanglefuzz.finding_put($1, $2, $3, $4, $5, $6)", v, 6, &j, e);
    const char *did = json_string_value(json_object_get(j, "did"));
    for (int k = 0; ok && k < 4; k++)
        if (did && strcmp(did, words[k]) == 0)
            *out = (enum farm_put)k;
    *kept = (uint32_t)json_integer_value(json_object_get(j, "kept"));
    json_decref(j);
    free(text);
    free(paths);
    return ok;
}

static bool put(struct farm *f, struct arena *a, int64_t stream, const char *owner, uint32_t keep,
                const char *dir, const struct store_finding *s, enum farm_put *out, uint32_t *kept,
                struct err *e)
{
    struct files files = {.a = a, .bodies = {.arena = a}, .paths = json_array()};
    json_t *finding = row_json(a, s);
    text_addn(&files.bodies, "", 0);
    bool ok = finding ? ask_or_send(f, a, stream, owner, keep, finding, NULL, out, kept, e)
                      : err_set(e, "%s/%s: not a finding's folder", dir, s->f.folder);
    if (ok && (*out == FARM_NEW || *out == FARM_SMALLER))
        ok = add_folder(&files, arena_printf(a, "%s/%s", dir, s->f.folder), "", 0, e) &&
             ask_or_send(f, a, stream, owner, keep, finding, &files, out, kept, e);
    json_decref(files.paths);
    json_decref(finding);
    return ok;
}

bool farm_put(struct farm *f, int64_t stream, const char *owner, uint32_t keep, const char *dir,
              const char *name, enum farm_put *out, uint32_t *kept, struct err *e)
{
    struct arena a = {0};
    struct store_finding s;
    const enum finding_read got = store_folder_read(&a, dir, name, &s, e);
    bool ok = got == FINDING_READ ? put(f, &a, stream, owner, keep, dir, &s, out, kept, e)
              : got == FINDING_NONE
                  ? err_set(e, "%s/findings/%s: not a finding's folder", dir, name)
                  : false;
    arena_free(&a);
    return ok;
}

// ---- a campaign's folder -------------------------------------------------------------------

// Opens the stream of findings of a campaign without the store: it has no seeds.
static bool stream_of(struct farm *f, const struct store_finding *s, int64_t *id, struct err *e)
{
    return farm_stream_open(
        f, &(struct farm_stream){s->f.target, s->f.device, s->f.device, 0, "{\"pushed\": true}"},
        id, e);
}

// Sends the figures of the campaigns of a folder. One without campaign.json has none.
static bool push_campaigns(struct farm *f, struct arena *a, const char *dir, const char *owner,
                           uint32_t *n, struct err *e)
{
    const char *path = arena_printf(a, "%s/campaign.json", dir);
    char *data;
    size_t size, i;
    bool ok = true, added = false;
    if (access(path, F_OK) != 0 && !file_trouble())
        return true;
    if (!file_read(a, path, STORE_FILE_MAX, &data, &size, e))
        return false;
    json_t *all = json_loadb(data, size, 0, NULL), *row;
    if (!all)
        return err_set(e, "%s: not a campaign file", path);
    json_array_foreach(json_object_get(all, "campaigns"), i, row)
    {
        ok = ok && farm_ask(f, &added, e, "campaign_put", "sj", owner, json_incref(row));
        *n += ok && added;
    }
    json_decref(all);
    return ok;
}

bool farm_push(struct farm *f, const char *dir, const char *owner, uint32_t keep,
               struct farm_pushed *out, struct err *e)
{
    struct arena a = {0}, one = {0};
    const char **names, *findings = arena_printf(&a, "%s/findings", dir);
    struct stat st;
    *out = (struct farm_pushed){0};
    bool ok = (stat(findings, &st) == 0 && S_ISDIR(st.st_mode)) ||
              err_set(e, "%s: not a campaign folder (it has no findings/)", dir);
    size_t n = 0;
    ok = ok && dir_list(&a, findings, &names, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        struct store_finding s;
        enum farm_put did = FARM_THERE;
        int64_t stream;
        uint32_t kept;
        arena_reset(&one);
        const enum finding_read got = store_folder_read(&one, dir, names[i], &s, e);
        if (got != FINDING_READ) { // a record that is not understood is not sent
            ok = got != FINDING_FAILED;
            continue;
        }
        ok = stream_of(f, &s, &stream, e) &&
             put(f, &one, stream, owner, keep, dir, &s, &did, &kept, e);
        out->added += ok && (did == FARM_NEW || did == FARM_SMALLER);
        out->there += ok && did == FARM_THERE;
        out->enough += ok && did == FARM_ENOUGH;
    }
    ok = ok && push_campaigns(f, &a, dir, owner, &out->campaigns, e);
    arena_free(&one);
    arena_free(&a);
    return ok;
}
