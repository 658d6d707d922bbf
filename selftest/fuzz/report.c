// SPDX-License-Identifier: Apache-2.0
//
// Reports a finding: computes its bucket and prints the report line.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

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
    return false;
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
