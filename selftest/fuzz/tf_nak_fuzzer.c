// SPDX-License-Identifier: Apache-2.0
//
// NAK's text, any of it: read and run with a small limit by all schedules. No crash, no hang; what
// is refused says why in one line; the same twice. The first byte chooses what the intermediate
// code says.
#include "fuzz.h"
#include "nak/nak.h"

static const struct isa_code *reader(struct arena *a, const char *text, uint8_t first,
                                     struct isa_result *why)
{
    static const char *const nir[] = {"", " imul_high ", " umul_high ", " imul_high umul_high "};
    const struct nak_source s = {.nir = nir[first % 4], .assembly = text};
    return nak_read(a, &s, why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fz_machine(data, size, reader);
}
