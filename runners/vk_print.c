// SPDX-License-Identifier: Apache-2.0
//
// What a driver prints on its standard streams while it compiles a pipeline.
#define _GNU_SOURCE // memfd_create
#include "vk.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Only one pipeline is created at a time.
static FILE *heard;
static int before[2] = {-1, -1}; // the streams that are captured, in the order of `streams`
static const int streams[2] = {STDOUT_FILENO, STDERR_FILENO};

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
    const int fd = memfd_create("printed", MFD_CLOEXEC);
    heard = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (fd >= 0 && !heard)
        close(fd);
    for (int i = 0; heard && i < 1 + d->code.dump; i++) {
        before[i] = dup(streams[i]);
        if (before[i] >= 0)
            dup2(fileno(heard), streams[i]);
    }
}

void vk_print_heard(struct vk_device *d)
{
    if (!heard)
        return;
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        if (before[i] >= 0) {
            dup2(before[i], streams[i]);
            close(before[i]);
            before[i] = -1;
        }
    const long n = fseek(heard, 0, SEEK_END) == 0 ? ftell(heard) : -1;
    if (n >= 0 && n < 1L << 26) {
        char *text = *heard_text(d) = calloc(1, (size_t)n + 1);
        CHECK(text);
        rewind(heard);
        text[fread(text, 1, (size_t)n, heard)] = 0;
    }
    fclose(heard);
    heard = NULL;
}
