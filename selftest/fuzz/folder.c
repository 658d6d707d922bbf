// SPDX-License-Identifier: Apache-2.0
//
// Bytes as the files of a folder.
#define _XOPEN_SOURCE 700 // nftw
#include "fuzz.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const uint8_t *fz_part(const uint8_t **data, size_t *size, size_t *part)
{
    const uint8_t *from = *data, *end = *size ? memchr(from, FZ_PART, *size) : NULL;
    *part = end ? (size_t)(end - from) : *size;
    *data += *part + (end != NULL);
    *size -= *part + (end != NULL);
    return from;
}

static char folder[64];

static int gone(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, gone, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fz_folder(void)
{
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/tanglefuzz-fz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        CHECK(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

void fz_file(struct arena *a, const char *name, const uint8_t *data, size_t size)
{
    struct err e;
    const char *path = arena_printf(a, "%s/%s", fz_folder(), name);
    if (size == 0)
        unlink(path);
    else if (!file_put(path, data, size, false, &e))
        check_failed(__FILE__, __LINE__, arena_str(a, e.msg));
}
