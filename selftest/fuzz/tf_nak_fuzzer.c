// SPDX-License-Identifier: Apache-2.0
//
// NAK assembly as text, valid or not: parses it and runs it with a small step limit under all
// schedules. It must not crash or hang, must explain a rejection in one line, and must give the
// same result twice. The first byte chooses the content of the intermediate code.
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
