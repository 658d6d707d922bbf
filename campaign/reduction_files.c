// SPDX-License-Identifier: Apache-2.0
//
// The files of a reduction's folder.
#define _POSIX_C_SOURCE 200809L
#include "reduction_files.h"

#include "base/own.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_LIMIT = 1 << 20, REFUSED_LIMIT = 1 << 28, SCHEMA = 1 };

static const char *state_text(struct arena *a, uint64_t hash, const char *target, const char *kind)
{
    json_t *j = json_pack(
        "{s:i, s:s, s:o, s:s, s:s}", "schema", SCHEMA, "version", version_number(), "case",
        json_sprintf("%016llx", (unsigned long long)hash), "target", target, "class", kind);
    char *text = j ? json_dumps(j, JSON_INDENT(2)) : NULL;
    CHECK(text);
    const char *kept = arena_printf(a, "%s\n", text);
    free(text);
    json_decref(j);
    return kept;
}

bool reduction_files_open(struct reduction_files *f, struct arena *a, struct spv_tools *tools,
                          uint64_t hash, const char *target, const char *kind,
                          struct spv_case *start, struct err *e)
{
    f->best = arena_printf(a, "%s/reduced.spvasm", f->dir);
    const char *state = arena_printf(a, "%s/state.json", f->dir);
    const char *refused = arena_printf(a, "%s/refused", f->dir);
    const char *text = state_text(a, hash, target, kind);
    char *data;
    size_t size;
    f->resumed = false;
    if (!dir_make(f->dir, e))
        return false;
    if (file_exists(state)) {
        f->resumed = true;
        if (!file_read(a, state, STATE_LIMIT, &data, &size, e))
            return false;
        if (strcmp(data, text) != 0)
            return err_set(e,
                           "%s holds another reduction (another case, target, class or "
                           "version): choose another folder with --out, or remove it",
                           f->dir);
        struct spv_case best;
        if (file_exists(f->best)) {
            if (!spv_case_read(tools, a, f->best, &best, e))
                return false;
            *start = best;
        }
        if (file_exists(refused) && file_read(a, refused, REFUSED_LIMIT, &data, &size, e)) {
            uint64_t *v = ARENA_ARRAY(a, uint64_t, size / sizeof *v);
            memcpy(v, data, size / sizeof *v * sizeof *v);
            f->known = v;
            f->known_count = size / sizeof *v;
        }
    } else if (!spv_case_write(tools, start, f->best, e) ||
               !file_write(state, text, strlen(text), e)) {
        return false;
    }
    f->refused = own_append(refused, e);
    return f->refused;
}

bool reduction_files_best(struct reduction_files *f, struct spv_tools *tools,
                          const struct spv_case *c, struct err *e)
{
    // No fsync: losing a few hashes only means to ask again about a few candidates.
    fflush(f->refused);
    return spv_case_write(tools, c, f->best, e);
}

void reduction_files_refused(struct reduction_files *f, uint64_t hash)
{
    fwrite(&hash, sizeof hash, 1, f->refused);
}

bool reduction_files_end(struct reduction_files *f, struct arena *a, enum red_end end,
                         struct err *e)
{
    const char *name = red_end_name(end);
    return file_write(arena_printf(a, "%s/end", f->dir), name, strlen(name), e);
}

bool reduction_files_unfinished(struct arena *a, const char *dir)
{
    char *end;
    size_t size;
    return file_read(a, arena_printf(a, "%s/end", dir), STATE_LIMIT, &end, &size, NULL) &&
           strcmp(end, red_end_name(RED_INTERRUPTED)) == 0;
}

void reduction_files_close(struct reduction_files *f)
{
    if (f->refused)
        fclose(f->refused);
    f->refused = NULL;
}
