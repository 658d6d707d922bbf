// SPDX-License-Identifier: Apache-2.0
//
// The sections of what nvdisasm prints: the code, and the table of constant buffer 2, "c[0x2]".
#include "cuda_sass.h"

// "/*0010*/ .byte 0x00, 0x01": numbers, the lowest byte first.
static bool numbers(struct cuda_reader *r, struct word t, uint32_t bytes)
{
    while (t.n) {
        const char *comma = memchr(t.s, ',', t.n);
        const size_t n = comma ? (size_t)(comma - t.s) : t.n;
        uint32_t v;
        if (!cuda_parse(word_trimmed((struct word){t.s, n}), &v))
            return cuda_refuse(r, "the constants", t);
        for (uint32_t i = 0; i < bytes; i++)
            *VEC_PUSH(r->a, &r->table) = (uint8_t)(v >> 8 * i);
        t = word_after(t, comma ? n + 1 : n);
    }
    return true;
}

static bool constants(struct cuda_reader *r, struct word t)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } sizes[] = {{".byte", 1}, {".short", 2}, {".word", 4}};
    uint32_t zeros;
    if (word_starts(t, "/*")) {
        size_t n = 2;
        while (n < t.n && t.s[n - 1] != '/')
            n++;
        t = word_trimmed(word_after(t, n));
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (word_starts(t, sizes[i].name))
            return numbers(r, word_after(t, strlen(sizes[i].name)), sizes[i].bytes);
    if (!word_starts(t, ".zero"))
        return !t.n || t.s[t.n - 1] == ':' || word_starts(t, "//") || word_starts(t, ".align") ||
               word_starts(t, ".sectionflags") || cuda_refuse(r, "the constants", t);
    if (!cuda_parse(word_trimmed(word_after(t, 5)), &zeros) || zeros > SASS_TABLE_MOST)
        return cuda_refuse(r, "the constants", t);
    for (uint32_t i = 0; i < zeros; i++)
        *VEC_PUSH(r->a, &r->table) = 0;
    return true;
}

bool sass_section(struct cuda_reader *r, struct word t, bool *code)
{
    *code = false;
    if (word_starts(t, ".section\t") || word_starts(t, ".section ")) {
        const struct word name = word_trimmed(word_after(t, 8));
        r->section = word_starts(name, ".text.")           ? SASS_CODE
                     : word_starts(name, ".nv.constant2.") ? SASS_TABLE
                                                           : SASS_OTHER;
        return true;
    }
    *code = r->section == SASS_CODE;
    return r->section != SASS_TABLE || constants(r, t);
}
