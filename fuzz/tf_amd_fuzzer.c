// SPDX-License-Identifier: Apache-2.0
//
// AMD's machine code as text, any of it: read and run with a small limit. No crash, no hang; what is
// refused says why in one line; the same twice. The first byte chooses generation, waves and dialect.
#include "fuzz.h"
#include "amd/amd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct amd_global buffers[] = {{"buffer.in", 0, 0}, {"buffer.out", 0, 1}};
    struct arena a = {0};
    struct spv_case c;
    struct isa_result r[2];
    const uint8_t first = size ? *data : 0;
    const enum amd_gen gen = (enum amd_gen)(first % 5);
    const struct isa_options o = {.step_limit = 300, .junk = 1};
    fz_machine_case(&a, 32, 2, &c);
    const struct amd_source s = {
        .nir = gen < AMD_GFX11 ? "load_scalar_arg_amd (base=1, arg_num_lsb_zero=2)\n"
                               : "load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n",
        .ir = gen < AMD_GFX11 ? "s2: %1:s[2-3],  s1: %2:s[0],  s1: %3:s[8],  v1: %4:v[0],  v1: %5:v[1],  v1: %6:v[2] = p_startpgm\n"
                              : "s1: %1:s[0],  v1: %2:v[0] = p_startpgm\n",
        .assembly = arena_strn(&a, size ? (const char *)data + 1 : "", size ? size - 1 : 0),
        .llvm = first & 0x80, .global = buffers, .globals = 2};
    for (int k = 0; k < 2; k++) {
        const struct isa_code *p = amd_read(&a, &s, gen, gen == AMD_GFX9 || (first & 0x40) ? 64 : 32, &r[k]);
        if (p)
            isa_run(&a, p, &c, &o, &r[k]);
    }
    fz_machine_same(r);
    arena_free(&a);
    return 0;
}
