// SPDX-License-Identifier: Apache-2.0
//
// NAK's text, any of it: read and run with a small limit by all schedules. No crash, no hang; what is refused says why
// in one line; the same twice. The first byte chooses what the intermediate code says.
#include "fuzz.h"
#include "nak/nak.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const nir[] = {"", " imul_high ", " umul_high ", " imul_high umul_high "};
    struct arena a = {0};
    struct spv_case c;
    struct isa_result r[2];
    const struct isa_options o = {.step_limit = 300, .junk = 1};
    const struct nak_source s = {.nir = nir[size ? *data % 4 : 0],
                                 .assembly = arena_strn(&a, size ? (const char *)data + 1 : "", size ? size - 1 : 0)};
    fz_machine_case(&a, 32, 2, &c);
    for (int k = 0; k < 2; k++) {
        const struct isa_code *p = nak_read(&a, &s, &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    fz_machine_same(r);
    CHECK(r[0].others == r[1].others);
    arena_free(&a);
    return 0;
}
