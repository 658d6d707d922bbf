// SPDX-License-Identifier: Apache-2.0
//
// Reports a finding: computes its bucket and prints the report line.
#define _POSIX_C_SOURCE 200809L // readlink
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KNOWN_BYTES = 1 << 16 };

bool fz_known_in(const char *file, const char *bucket)
{
    struct arena a = {0};
    struct err e;
    char *text, name[16];
    size_t size;
    bool known = false;
    if (file_read(&a, file, KNOWN_BYTES, &text, &size, &e)) {
        const char *line = arena_strn(&a, text, size);
        for (size_t n; *line && !known; line += n + (line[n] == '\n')) {
            n = strcspn(line, "\n");
            diag_bucket_name(arena_strn(&a, line, n), name);
            known = line[0] != '#' && strcmp(name, bucket) == 0;
        }
    }
    arena_free(&a);
    return known;
}

// Looks in known.txt, in the folder of this program.
static bool shipped_as_known(const char *bucket)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "known.txt");
    if (n <= 0)
        return false;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    memcpy(slash + 1, "known.txt", sizeof "known.txt");
    return fz_known_in(path, bucket);
}

bool fz_is_known(const char *bucket)
{
    const char *at = getenv("TANGLEFUZZ_KNOWN");
    const size_t n = strlen(bucket);
    while (at && *at) {
        const size_t length = strcspn(at, ",");
        if (length == n && memcmp(at, bucket, n) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return shipped_as_known(bucket);
}

void fz_report(struct arena *a, const struct spv_case *c, const char *target, const char *culprit,
               const struct judge_verdict *v)
{
    char bucket[16];
    const char *how = diag_farm_bucket(a, target, culprit, v, bucket);
    if (fz_is_known(bucket))
        return;
    fz_mismatch(
        c, target, bucket, how,
        arena_printf(a, "%s%s%s", v->text, culprit ? "; culprit " : "", culprit ? culprit : ""));
}
