// SPDX-License-Identifier: Apache-2.0
//
// Mesa's NIR as text, any of it: read and run with a small limit. No crash, no hang; what is
// refused says why in one line; the same twice. The first byte chooses driver and size of a
// subgroup.
#include "fuzz.h"
#include "nir/nir.h"

static const struct isa_code *reader(struct arena *a, const char *text, uint8_t first,
                                     struct isa_result *why)
{
    return nir_read(a, text, (enum nir_driver)(first % 16 % NIR_DRIVERS), 8u << (first >> 4 & 3),
                    why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fz_machine(data, size, reader);
}
