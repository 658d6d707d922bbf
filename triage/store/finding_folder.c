// SPDX-License-Identifier: Apache-2.0
//
// Reads a finding's folder. Another program may have written it, so its contents are checked.
#define _POSIX_C_SOURCE 200809L
#include "finding.h"
#include "store_json.h"

#include <errno.h>
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

const char *finding_digest(const char *text, size_t size, const char *klass, const char *target,
                           const char *device, char out[FINDING_DIGEST])
{
    const char *parts[] = {klass, target, device};
    uint64_t h = hash64(text, size);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        h = hash64_with(h, parts[k], strlen(parts[k]) + 1);
    snprintf(out, FINDING_DIGEST, "%016llx", (unsigned long long)h);
    return out;
}

// Reads a file that may be absent. False with a message if it exists and cannot be read.
static bool read_if_there(struct arena *a, const char *path, size_t most, char **data, size_t *size,
                          bool *there, struct err *e)
{
    struct err why;
    *there = file_read(a, path, most, data, size, &why);
    return *there || !file_trouble() || err_set(e, "%s", why.msg);
}

enum finding_read finding_read(struct arena *a, const char *dir, const char *folder,
                               struct finding *out, struct err *e)
{
    const char *path = arena_printf(a, "%s/%s", dir, folder), *slash = strrchr(folder, '/');
    char *json, *text = "", digest[FINDING_DIGEST];
    size_t json_size, size = 0;
    bool there;
    struct stat st;
    if (!read_if_there(a, arena_printf(a, "%s/finding.json", path), STORE_JSON_MAX, &json,
                       &json_size, &there, e))
        return FINDING_FAILED;
    if (!there)
        return FINDING_NONE;
    if (!finding_parse(a, json, json_size, NULL, out, e)) {
        err_prefix(e, "%s", folder);
        return FINDING_LEFT;
    }
    if (!read_if_there(a, arena_printf(a, "%s/case.spvasm", path), STORE_FILE_MAX, &text, &size,
                       &there, e))
        return FINDING_FAILED;
    out->name = arena_str(a, slash ? slash + 1 : folder);
    out->folder = arena_str(a, folder);
    out->digest = arena_str(a, finding_digest(text, size, judge_class_name(finding_class(out)),
                                              out->target, out->device, digest));
    // Older records have no time: use that of the file.
    if (!out->found_at && stat(arena_printf(a, "%s/finding.json", path), &st) == 0)
        out->found_at = (int64_t)st.st_mtime;
    return FINDING_READ;
}

enum finding_read finding_read_reduced(struct arena *a, const char *dir, const char *folder,
                                       struct finding *out, struct err *e)
{
    const char **names;
    size_t n;
    enum finding_read got = FINDING_NONE;
    if (!dir_list(a, arena_printf(a, "%s/%s/reduced", dir, folder), &names, &n, e))
        return FINDING_FAILED;
    for (size_t i = 0; i < n; i++) {
        struct finding f;
        switch (finding_read(a, dir, arena_printf(a, "%s/reduced/%s", folder, names[i]), &f, e)) {
        case FINDING_FAILED:
            return FINDING_FAILED;
        case FINDING_READ:
            if (got != FINDING_READ || f.words < out->words)
                *out = f;
            got = FINDING_READ;
            break;
        case FINDING_LEFT: // the smallest record that is understood counts
            got = got == FINDING_READ ? got : FINDING_LEFT;
            break;
        case FINDING_NONE:
            break;
        }
    }
    return got;
}
