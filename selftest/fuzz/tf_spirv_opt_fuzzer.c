// SPDX-License-Identifier: Apache-2.0
//
// Runs the SPIRV-Tools optimizer on generated programs. The bytes choose a case and a pass
// pipeline. The output must be valid and must leave the same memory under the rules of the chosen
// model.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct fz_case c;
    struct fz_pipeline p;
    fz_make(&a, data, size, &c);
    fz_pipeline(&c.head, &p);
    fz_optimizer_keeps_meaning(&a, c.made.cases, c.made.case_count, &p);
    arena_free(&a);
    return 0;
}
