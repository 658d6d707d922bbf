// SPDX-License-Identifier: Apache-2.0
//
// What later runs showed on other versions: a list in the finding's record, which `recheck` writes.
#define _POSIX_C_SOURCE 200809L
#include "finding.h"
#include "store_json.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static json_t *one_json(const struct finding_version *v)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:I}", "target", v->target, "driver", v->driver, "class",
                          judge_class_name(v->klass), "at", (json_int_t)v->at);
    CHECK(o);
    return o;
}

void finding_versions_put(json_t *o, const struct finding *f)
{
    json_t *list = f->versions ? json_array() : NULL;
    for (uint32_t i = 0; i < f->versions; i++)
        json_array_append_new(list, one_json(&f->version[i]));
    if (list)
        json_object_set_new(o, "versions", list);
}

static bool class_find(const char *name, enum judge_class *out)
{
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (strcmp(judge_class_name((enum judge_class)k), name) == 0) {
            *out = (enum judge_class)k;
            return true;
        }
    return false;
}

bool finding_versions_read(struct arena *a, const json_t *o, struct finding *out)
{
    const json_t *list = json_object_get(o, "versions");
    const size_t n = json_array_size(list);
    struct finding_version *v = ARENA_ARRAY(a, struct finding_version, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(list, i);
        v[i] = (struct finding_version){
            .target = arena_str(a, json_text(x, "target")),
            .driver = arena_str(a, json_text(x, "driver")),
            .at = (int64_t)json_integer_value(json_object_get(x, "at")),
        };
        if (!class_find(json_text(x, "class"), &v[i].klass))
            return false;
    }
    out->version = v;
    out->versions = (uint32_t)n;
    return true;
}

// A store knows a folder of reductions by its time (store_folder.c).
static void touch_reductions(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    if (n > 8 && strncmp(slash - 8, "/reduced", 8) == 0)
        utimensat(AT_FDCWD, arena_strn(a, path, n), NULL, 0);
}

bool finding_version_add(struct arena *a, const char *path, const struct finding_version *v,
                         struct err *e)
{
    const char *file = arena_printf(a, "%s/finding.json", path);
    json_t *o = json_file(a, file, e);
    if (strcmp(json_text(o, "type"), "finding") != 0) {
        json_decref(o);
        return err_set(e, "%s: not a finding's record", file);
    }
    json_t *list = json_object_get(o, "versions"), *x;
    size_t i;
    if (!json_is_array(list)) {
        list = json_array();
        json_object_set_new(o, "versions", list);
    }
    json_array_foreach(list, i, x)
    {
        if (strcmp(json_text(x, "target"), v->target) == 0 &&
            strcmp(json_text(x, "driver"), v->driver) == 0)
            break;
    }
    if (i < json_array_size(list))
        json_array_set_new(list, i, one_json(v));
    else
        json_array_append_new(list, one_json(v));
    char *text = json_dumps(o, JSON_COMPACT);
    CHECK(text);
    const char *line = arena_printf(a, "%s\n", text);
    free(text);
    json_decref(o);
    const bool ok = file_write(file, line, strlen(line), e);
    if (ok)
        touch_reductions(a, path);
    return ok;
}

// ---- in words ----

// The version in the text of a driver: "radv Mesa 26.2.6-1" -> "26.2.6"; else the target.
static const char *short_version(struct arena *a, const char *target, const char *driver)
{
    const char *mesa = strstr(driver, "Mesa ");
    for (const char *s = mesa ? mesa : driver; *s; s++) {
        const size_t n = strspn(s, "0123456789.");
        if (n > 2 && memchr(s, '.', n) && *s != '.')
            return arena_strn(a, s, s[n - 1] == '.' ? n - 1 : n);
        s += n ? n - 1 : 0;
    }
    return target;
}

static bool is_wrong(enum judge_class k)
{
    return judge_class_is_finding(k) || k == JUDGE_FLAKY;
}

const char *finding_versions_words(struct arena *a, const struct finding *f)
{
    struct text t = {.arena = a};
    const char *last = "";
    bool wrong = false;
    struct finding_version *all = ARENA_ARRAY(a, struct finding_version, f->versions + 1u);
    uint32_t n = 0;
    // The version on which it was found, unless it was run again.
    bool again = !f->versions;
    for (uint32_t i = 0; i < f->versions; i++)
        again |= strcmp(f->version[i].driver, f->driver) == 0 &&
                 (f->driver[0] || strcmp(f->version[i].target, f->target) == 0);
    if (!again)
        all[n++] = (struct finding_version){f->target, f->driver, finding_class(f), f->found_at};
    for (uint32_t i = 0; i < f->versions; i++)
        all[n++] = f->version[i];
    for (uint32_t i = 0; i < n; i++) {
        const bool is = is_wrong(all[i].klass);
        if (!is && all[i].klass != JUDGE_AGREES)
            continue;
        const char *word = is ? "wrong" : wrong ? "fixed" : "right";
        const char *version = short_version(a, all[i].target, all[i].driver);
        if (strcmp(word, last) == 0)
            text_add(&t, ", %s", version);
        else
            text_add(&t, "%s%s in %s", t.n ? "; " : "", word, version);
        last = word;
        wrong |= is;
    }
    return f->versions && t.n ? t.v : "";
}
