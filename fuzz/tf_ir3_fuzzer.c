// SPDX-License-Identifier: Apache-2.0
//
// Qualcomm's machine code as text, any of it: read and run with a small limit. No crash, no hang;
// what is refused says why in one line; the same twice. The first byte chooses the size of a wave.
#include "fuzz.h"
#include "ir3/ir3.h"

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
        const struct isa_code *p = ir3_read(&a, text, 16u << (first & 3), &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    fz_machine_same(r);
    arena_free(&a);
    return 0;
}
