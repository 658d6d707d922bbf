// SPDX-License-Identifier: Apache-2.0
//
// Qualcomm machine code as text, valid or not: parses it and runs it with a small step limit. It
// must not crash or hang, must explain a rejection in one line, and must give the same result
// twice. The first byte chooses the wave size.
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
