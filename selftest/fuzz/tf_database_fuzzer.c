// SPDX-License-Identifier: Apache-2.0
//
// Opens any bytes as findings.db, as another process may leave it: reads its marks, lists findings,
// marks one, syncs with a folder. It must not crash, and each failure must report one line. Seeds:
// databases.
#include "fuzz.h"
#include "triage/store/store_parts.h"

#include <string.h>
#include <unistd.h>

static void one_line(bool ok, const struct err *e)
{
    CHECK(ok || (e->msg[0] && !strchr(e->msg, '\n')));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct err e = {{0}};
    struct store_findings v;
    struct store_named_mark *marks;
    uint32_t n;
    CHECK(dir_make(arena_printf(&a, "%s/findings", fz_folder()), &e));
    for (int k = 0; k < 2; k++)
        unlink(arena_printf(&a, "%s/findings.db%s", fz_folder(), k ? "-wal" : "-shm"));
    fz_file(&a, "findings.db", data, size);
    one_line(store_sqlite_marks_of(fz_folder(), &a, &marks, &n, &e), &e);
    struct store *s = store_open(fz_folder(), &e);
    one_line(s, &e);
    if (s) {
        bool ok = store_list(s, &a, &v, &e);
        one_line(ok, &e);
        for (uint32_t i = 0; ok && i < v.buckets; i++) {
            struct text t = {.arena = &a};
            text_add(&t, "%s %s %u", v.bucket[i].signature->name, v.bucket[i].targets,
                     v.bucket[i].findings);
        }
        if (ok && v.buckets)
            one_line(store_mark(s, v.bucket[0].signature->name,
                                &(struct store_mark){.state = STORE_FILED, .note = "n"}, &e),
                     &e);
        one_line(store_sync(s, fz_folder(), &n, &e), &e);
        store_close(s);
    }
    arena_free(&a);
    return 0;
}
