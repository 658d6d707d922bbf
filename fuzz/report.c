// SPDX-License-Identifier: Apache-2.0
//
// A finding -> its bucket -> the one line.
#include "fuzz.h"

_Noreturn void fz_report(struct arena *a, const struct spv_case *c, const char *target,
                         const char *culprit, const struct tri_verdict *v)
{
    const char *family = tri_family(a, target, NULL), *how = tri_class_name(v->klass);
    const char *message = "";
    char bucket[16];
    if (tri_class_is_mismatch(v->klass))
        how = "mismatch"; // which lanes are wrong first is the program's doing
    else
        message = tri_normal_message(a, v->text);
    tri_bucket_name(arena_printf(a, "%s %s %s %s", family, culprit ? culprit : "", how, message),
                    bucket);
    fz_mismatch(c, target, bucket, how,
                arena_printf(a, "%s%s%s", v->text, culprit ? "; culprit " : "",
                             culprit ? culprit : ""));
}
