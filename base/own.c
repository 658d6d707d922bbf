// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "own.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool own_dir(const char *path, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISDIR(st.st_mode))
        return err_set(e, "%s: is not a real folder (a link?): remove it", path);
    return dir_make(path, e);
}

FILE *own_append(const char *path, struct err *e)
{
    struct stat st;
    // Without O_NONBLOCK, opening a pipe that has no reader would block forever.
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    int why = errno;
    const bool regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    FILE *f = regular ? fdopen(fd, "ab") : NULL;
    if (f)
        return f;
    if (fd >= 0) {
        why = errno;
        close(fd);
    }
    if ((fd >= 0 && !regular) || why == ELOOP || why == ENXIO)
        err_set(e, "%s: is not a regular file (a link?): remove it", path);
    else
        err_set(e, "%s: cannot write: %s", path, strerror(why));
    return NULL;
}
