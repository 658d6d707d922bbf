// SPDX-License-Identifier: Apache-2.0
//
// Saves the case of a finding, prints the report line, and aborts.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

void fz_save(const struct spv_case *c, const char *target)
{
    const char *save = getenv("TANGLEFUZZ_SAVE");
    struct err e = {{0}};
    if (!save || !save[0])
        return;
    if (!spv_case_write(fz_tools(), c, save, &e))
        fprintf(stderr, "tanglefuzz: %s\n", e.msg);
    fprintf(stderr, "tanglefuzz: target %s\n", target);
}

_Noreturn void fz_mismatch(const struct spv_case *c, const char *target, const char *bucket,
                           const char *klass, const char *about)
{
    fprintf(stderr, "tanglefuzz: %s\ntanglefuzz: target %s\n", about ? about : klass, target);
    fz_save(c, target);
    if (!getenv("TANGLEFUZZ_SAVE"))
        fprintf(stderr, "tanglefuzz: run this input again with TANGLEFUZZ_SAVE=case.spvasm, then "
                        "tanglefuzz replay case.spvasm --target TARGET\n");
    char line[DIAG_FARM_LINE];
    diag_farm_line(bucket, klass, line);
    fprintf(stderr, "%s\n", line);
    fflush(stderr);
    abort();
}
