// SPDX-License-Identifier: Apache-2.0
//
// Qualcomm's machine code as text, any of it: read and run with a small limit. No crash, no hang;
// what is refused says why in one line; the same twice. The first byte chooses the size of a wave.
#include "fuzz.h"
#include "ir3/ir3.h"

static const struct isa_code *reader(struct arena *a, const char *text, uint8_t first,
                                     struct isa_result *why)
{
    return ir3_read(a, text, 16u << (first & 3), why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fz_machine(data, size, reader);
}
