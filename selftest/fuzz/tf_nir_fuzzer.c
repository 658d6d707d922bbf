// SPDX-License-Identifier: Apache-2.0
//
// Mesa NIR as text, valid or not: parses it and runs it with a small step limit. It must not crash
// or hang, must explain a rejection in one line, and must give the same result twice. The first
// byte chooses the driver and the subgroup size.
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
