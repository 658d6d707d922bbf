// SPDX-License-Identifier: Apache-2.0
//
// Reads kept bugs from the embedded files NAME.spvasm and NAME.toml. Of TOML only what
// scripts/findings.py accepts for the fields that are read: a string, or a list of strings, on one
// line. tests/findings_test.sh checks the files.
#include "kept.h"

#include <stdlib.h>
#include <string.h>

// Defined by the build (cmake/embed.cmake); the last one has no name.
extern const struct embedded {
    const char *name, *text;
} kept_files[];

static const char *text_of(const char *file)
{
    for (const struct embedded *x = kept_files; x->name; x++)
        if (strcmp(x->name, file) == 0)
            return x->text;
    return NULL;
}

// Returns the strings of a field, joined by ", "; "" without the field.
static const char *field(struct arena *a, const char *toml, const char *name)
{
    struct text t = {.arena = a};
    const size_t n = strlen(name);
    bool inside = false;
    text_addn(&t, "", 0);
    while (toml && (strncmp(toml, name, n) != 0 || strncmp(toml + n, " = ", 3) != 0)) {
        toml = strchr(toml, '\n');
        toml += toml != NULL;
    }
    for (const char *c = toml; c && *c && *c != '\n'; c++) {
        if (*c == '"') {
            inside = !inside;
            text_add(&t, "%s", inside && t.n ? ", " : "");
        } else if (inside) {
            c += *c == '\\';
            text_addn(&t, c, 1);
        }
    }
    return t.v;
}

// Returns the bug class at the end of a name, "T12" of "naga-loop-break-in-switch-T12", or "".
static const char *class_of(const char *name)
{
    const char *last = strrchr(name, '-');
    const bool is =
        last && last[1] == 'T' && last[2] && strspn(last + 2, "0123456789") == strlen(last + 2);
    return is ? last + 1 : "";
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct kept_bug *)x)->name, ((const struct kept_bug *)y)->name);
}

const struct kept_bug *kept_bugs(struct arena *a, struct spv_tools *tools, enum spv_stage stage,
                                 uint32_t *n)
{
    static const char end[] = ".spvasm";
    VEC(struct kept_bug) v = {0};
    for (const struct embedded *x = kept_files; x->name; x++) {
        const size_t stem = strlen(x->name) - (sizeof end - 1);
        struct kept_bug b;
        struct err e;
        if (strlen(x->name) < sizeof end || strcmp(x->name + stem, end) != 0)
            continue;
        char *name = arena_strn(a, x->name, stem);
        const char *toml = text_of(arena_printf(a, "%s.toml", name));
        b.classes = class_of(name);
        if (!*b.classes && strcmp(field(a, toml, "kind"), "reconvergence") != 0)
            continue;
        CHECK(spv_case_parse(tools, a, x->name, x->text, strlen(x->text), &b.c, &e));
        if (b.c.stage != stage)
            continue;
        b.what = field(a, toml, "what");
        const char *versions = field(a, toml, "seen_wrong");
        b.seen = arena_printf(a, *versions ? "%s (%s)" : "%s", field(a, toml, "target"), versions);
        for (char *c = name; *c; c++)
            if (*c == '.')
                *c = '-';
        b.name = name;
        *VEC_PUSH(a, &v) = b;
    }
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_name);
    *n = (uint32_t)v.n;
    return v.v;
}
