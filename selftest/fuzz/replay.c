// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without an engine: once for each file in the arguments (a folder: each file in
// it, sorted by name). For compilers without libFuzzer, and for tests.
#define _DEFAULT_SOURCE // scandir
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool replay(const char *path, uint32_t *count)
{
    struct arena a = {0};
    struct err e = {{0}};
    struct stat st;
    bool ok = true;
    if (stat(path, &st) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(st.st_mode)) {
        struct dirent **entry = NULL;
        int n = scandir(path, &entry, NULL, alphasort);
        for (int k = 0; k < n; k++) {
            if (entry[k]->d_name[0] != '.')
                ok &= replay(arena_printf(&a, "%s/%s", path, entry[k]->d_name), count);
            free(entry[k]);
        }
        free(entry);
    } else {
        size_t size;
        char *data;
        if (file_read(&a, path, 1 << 24, &data, &size, &e)) {
            LLVMFuzzerTestOneInput((const uint8_t *)data, size);
            ++*count;
        } else {
            fprintf(stderr, "%s\n", e.msg);
            ok = false;
        }
    }
    arena_free(&a);
    return ok;
}

int main(int argc, char **argv)
{
    uint32_t count = 0;
    bool ok = true;
    if (argc < 2) {
        fprintf(stderr,
                "usage: %s FILE_OR_FOLDER...\n\nRuns each file through the fuzz target "
                "once. Exits with status 0, or aborts as in a fuzzer.\n"
                "example: %s corpus/seeds/choices\n",
                argv[0], argv[0]);
        return 2;
    }
    for (int k = 1; k < argc; k++)
        ok &= replay(argv[k], &count);
    printf("%u inputs\n", count);
    return ok && count ? 0 : 2;
}
