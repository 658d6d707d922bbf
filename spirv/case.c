// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing case files, the names in them, and seeded contents.
#include "case_inner.h"

#include <string.h>

const char *spv_model_name(enum spv_model m)
{
    static const char *const names[] = {
        [SPV_MAXIMAL] = "maximal",
        [SPV_SUBGROUP_UNIFORM] = "subgroup-uniform",
        [SPV_WORKGROUP_UNIFORM] = "workgroup-uniform",
        [SPV_ASSUMED_MAXIMAL] = "assumed-maximal",
    };
    CHECK((unsigned)m < sizeof names / sizeof *names);
    return names[m];
}

const char *spv_policy_name(enum spv_policy p)
{
    static const char *const names[SPV_POLICIES] = {
        [SPV_POLICY_JOIN] = "join",
        [SPV_POLICY_DIRECT] = "direct",
        [SPV_POLICY_SPLIT] = "split",
    };
    CHECK((unsigned)p < SPV_POLICIES);
    return names[p];
}

void spv_seed_fill(uint64_t seed, uint32_t *words, size_t count)
{
    struct rng r = {seed};
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)rng_next(&r);
}

const char *case_path(struct arena *a, const char *path, const char *name)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? arena_printf(a, "%.*s/%s", (int)(slash - path), path, name) : arena_str(a, name);
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && strcmp(s + n - m, end) == 0;
}

// Reads a bare module: one workgroup, no resources, any subgroup size.
static bool words_read(const char *path, char *data, size_t size, struct spv_case *out,
                       struct err *e)
{
    if (size % 4 || size < 20)
        return err_set(e,
                       "%s: %zu bytes, a whole number of at least five 4-byte words was "
                       "expected of a .spv file",
                       path, size);
    *out = (struct spv_case){
        .words = (const uint32_t *)(const void *)data, // arena memory is aligned
        .count = size / 4,
        .groups = {1, 1, 1},
        .path = path,
    };
    return true;
}

bool spv_case_read(struct spv_tools *t, struct arena *a, const char *path, struct spv_case *out,
                   struct err *e)
{
    char *data;
    size_t size;
    if (!file_read(a, path, CASE_FILE_LIMIT, &data, &size, e))
        return false;
    if (ends_with(path, ".spv"))
        return words_read(arena_str(a, path), data, size, out, e);
    return spv_case_parse(t, a, path, data, size, out, e);
}

bool spv_case_write(struct spv_tools *t, const struct spv_case *c, const char *path, struct err *e)
{
    struct arena a = {0};
    struct text text = {.arena = &a};
    bool ok = spv_case_print(t, c, &text, e);
    if (!ok)
        err_prefix(e, "%s", path);
    ok = ok && file_write(path, text.v, text.n, e);
    arena_free(&a);
    return ok;
}
