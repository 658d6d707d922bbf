// SPDX-License-Identifier: Apache-2.0
//
// AMD machine code as text, valid or not: parses it and runs it with a small step limit. It must
// not crash or hang, must explain a rejection in one line, and must give the same result twice. The
// first byte chooses generation, wave size and dialect.
#include "amd/amd.h"
#include "fuzz.h"

static const struct isa_code *reader(struct arena *a, const char *text, uint8_t first,
                                     struct isa_result *why)
{
    static const struct amd_global buffers[] = {{"buffer.in", 0, 0}, {"buffer.out", 0, 1}};
    const enum amd_gen gen = (enum amd_gen)(first % 5);
    const struct amd_source s = {
        .nir = gen < AMD_GFX11 ? "load_scalar_arg_amd (base=1, arg_num_lsb_zero=2)\n"
                               : "load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n",
        .ir = gen < AMD_GFX11 ? "s2: %1:s[2-3],  s1: %2:s[0],  s1: %3:s[8],  v1: %4:v[0],  v1: "
                                "%5:v[1],  v1: %6:v[2] = p_startpgm\n"
                              : "s1: %1:s[0],  v1: %2:v[0] = p_startpgm\n",
        .assembly = text,
        .llvm = first & 0x80,
        .global = buffers,
        .globals = 2};
    return amd_read(a, &s, gen, gen == AMD_GFX9 || (first & 0x40) ? 64 : 32, why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fz_machine(data, size, reader);
}
