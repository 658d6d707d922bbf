// SPDX-License-Identifier: Apache-2.0
//
// What a driver prints on its standard streams while it compiles a pipeline.
#define _GNU_SOURCE // memfd_create
#include "vk.h"

#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Only one pipeline is created at a time.
enum { STREAMS = 2 };
static const int streams[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};
static FILE *heard[STREAMS]; // what a stream got; NULL: it is not captured
static int before[STREAMS] = {-1, -1};

static char **heard_text(struct vk_device *d)
{
    return d->code.dump ? &d->code.dumped : &d->code.text;
}

void vk_print_listen(struct vk_device *d)
{
    if (!d->code.printed && !d->code.dump)
        return;
    fflush(stdout);
    free(*heard_text(d));
    *heard_text(d) = NULL;
    for (int i = 0; i < 1 + d->code.dump; i++) {
        const int fd = memfd_create("printed", MFD_CLOEXEC);
        heard[i] = fd >= 0 ? fdopen(fd, "w+") : NULL;
        if (fd >= 0 && !heard[i])
            close(fd);
        before[i] = heard[i] ? dup(streams[i]) : -1;
        if (before[i] >= 0)
            dup2(fileno(heard[i]), streams[i]);
    }
}

static long size_of(FILE *f)
{
    const long n = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    return n >= 0 && n < 1L << 26 ? n : 0;
}

// A debug build of Mesa prints NIR after each pass on standard output, in another order than what
// goes to standard error: so that follows, after a line of its own.
void vk_print_heard(struct vk_device *d)
{
    static const char between[] = LEVELS_BETWEEN;
    if (!heard[0] && !heard[1])
        return;
    fflush(stdout);
    for (int i = 0; i < STREAMS; i++)
        if (before[i] >= 0) {
            dup2(before[i], streams[i]);
            close(before[i]);
            before[i] = -1;
        }
    const size_t out = (size_t)size_of(heard[0]), error = (size_t)size_of(heard[1]);
    char *text = *heard_text(d) = calloc(1, out + sizeof between + error + 1);
    CHECK(text);
    for (int i = 0; i < STREAMS; i++) {
        if (i && out && error)
            memcpy(text + strlen(text), between, sizeof between);
        if (!heard[i])
            continue;
        rewind(heard[i]);
        char *at = text + strlen(text);
        at[fread(at, 1, i ? error : out, heard[i])] = 0;
        fclose(heard[i]);
        heard[i] = NULL;
    }
}
