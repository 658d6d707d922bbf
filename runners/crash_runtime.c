// SPDX-License-Identifier: Apache-2.0
#include "crash_walk.h"

#include <string.h>

bool crash_in_runtime(const char *module)
{
    static const char *const prefixes[] = {
        "libc.so",     "libc-",      "libpthread", "libgcc_s",  "libstdc++", "libc++",
        "ld-linux",    "linux-vdso", "ntdll.dll",  "kernel32.", "KERNEL32.", "kernelbase.",
        "KERNELBASE.", "msvcrt",     "ucrtbase",   "vcruntime", "VCRUNTIME"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(module, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}
