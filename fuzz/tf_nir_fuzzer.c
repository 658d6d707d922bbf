// SPDX-License-Identifier: Apache-2.0
//
// Mesa's NIR as text, any of it: read and run with a small limit. No crash, no hang; what is refused says why
// in one line; the same twice. The first byte chooses driver and size of a subgroup.
#include "fuzz.h"
#include "nir/nir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct spv_case c;
    struct isa_result r[2];
    const uint8_t first = size ? *data : 0;
    const struct isa_options o = {.step_limit = 300, .junk = 1};
    const char *text = arena_strn(&a, size ? (const char *)data + 1 : "", size ? size - 1 : 0);
    fz_machine_case(&a, 32, 2, &c);
    for (int k = 0; k < 2; k++) {
        const struct isa_code *p = nir_read(&a, text, (enum nir_driver)(first % 16 % NIR_DRIVERS), 8u << (first >> 4 & 3), &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    fz_machine_same(r);
    arena_free(&a);
    return 0;
}
