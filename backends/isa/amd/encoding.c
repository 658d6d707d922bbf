// SPDX-License-Identifier: Apache-2.0
//
// Decodes instructions that LLVM's disassembler does not know. LLVM prints "(invalid instruction)"
// for the first word and then disassembles the second word as if it were an instruction.
#include "program.h"

#include <stdlib.h>
#include <string.h>

// Reads the encoding "; 001602f9" after the text: exactly one word of eight digits.
static bool word_read(const char *s, size_t n, uint32_t *out)
{
    const char *at = memchr(s, ';', n), *end = s + n;
    char digits[9] = "";
    if (!at)
        return false;
    for (at++; at < end && *at == ' '; at++)
        ;
    while (end > at && (end[-1] == ' ' || end[-1] == '\r'))
        end--;
    if (end - at != 8)
        return false;
    memcpy(digits, at, 8);
    if (strspn(digits, "0123456789abcdef") != 8)
        return false;
    *out = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

// Formats a source: a vector register, or for scalar ones a scalar register or a small number.
static const char *source(struct arena *a, uint32_t reg, uint32_t flags)
{
    const bool scalar = flags >> 4 & 1;
    if (scalar && reg >= 128 && reg <= 208)
        return flags & 7 ? NULL
                         : arena_printf(a, "%d", reg <= 192 ? (int)reg - 128 : 192 - (int)reg);
    if (scalar && reg > 101)
        return NULL;
    const char *v = arena_printf(a, "%c%u", scalar ? 's' : 'v', reg);
    v = flags >> 2 & 1 ? arena_printf(a, "|%s|", v) : v;
    v = flags >> 1 & 1 ? arena_printf(a, "-%s", v) : v;
    return flags & 1 ? arena_printf(a, "sext(%s)", v) : v;
}

const char *amd_encoding_text(struct arena *a, enum amd_gen gen, const char *first, size_t n,
                              const char *second, size_t second_n)
{
    static const char *const parts[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                        "WORD_0", "WORD_1", "DWORD"};
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    uint32_t op, sdwa;
    // v_cndmask_b32 (VOP2, opcode 0; 1 from gfx10 on) with the SDWA marker as its first source.
    // LLVM does not know sext() for it. The mask is vcc, as in VOPD.
    const uint32_t cndmask = gen >= AMD_GFX10 ? 0x020000f9 : 0x000000f9;
    if (gen > AMD_GFX10_3 || !word_read(first, n, &op) || !word_read(second, second_n, &sdwa) ||
        (op & 0xfe0001ff) != cndmask)
        return NULL;
    // The fields of the second word: "SDWA" in the manuals' chapter of microcode formats.
    const uint32_t dst = sdwa >> 8 & 7, pad = sdwa >> 11 & 3, one = sdwa >> 16 & 7,
                   two = sdwa >> 24 & 7;
    if (dst > 6 || one > 6 || two > 6 || pad > 2 || sdwa >> 13 & 7)
        return NULL;
    const char *a0 = source(a, sdwa & 255, sdwa >> 19 & 31),
               *a1 = source(a, op >> 9 & 255, sdwa >> 27 & 31);
    if (!a0 || !a1)
        return NULL;
    return arena_printf(
        a, "v_cndmask_b32_sdwa v%u, %s, %s dst_sel:%s dst_unused:%s src0_sel:%s src1_sel:%s",
        op >> 17 & 255, a0, a1, parts[dst], unused[pad], parts[one], parts[two]);
}
