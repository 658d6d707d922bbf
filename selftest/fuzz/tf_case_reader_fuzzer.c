// SPDX-License-Identifier: Apache-2.0
//
// Reads any text with the case reader. Accepted text is printed and read again, and must yield the
// same case and the same text. Seeds: case files.
#include "spirv/spirv.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// True for a "seed" buffer with many words, which is slow and tests nothing more: the last word of
// its line has more than four characters.
static bool is_slow(const char *text, size_t size)
{
    for (const char *p = text, *end = text + size; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *stop = nl ? nl : end, *last = stop;
        while (last > p && last[-1] != ' ' && last[-1] != '\t')
            last--;
        for (const char *s = p; stop - s > 5; s++)
            if (memcmp(s, "seed ", 5) == 0 && stop - last > 4)
                return true;
        p = nl ? nl + 1 : end;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct spv_tools *tools; // created once: that takes longer than a case
    if (!tools)
        tools = spv_tools_new();
    if (is_slow((const char *)data, size))
        return 0;
    struct arena a = {0};
    struct spv_case c, again;
    struct err e = {{0}};
    struct text first = {.arena = &a}, second = {.arena = &a};
    const char *path = "/nowhere/fuzz.spvasm"; // in a folder that does not exist, so that no file
                                               // next to it is found
    if (spv_case_parse(tools, &a, path, (const char *)data, size, &c, &e)) {
        CHECK(spv_case_print(tools, &c, &first, &e));
        CHECK(spv_case_parse(tools, &a, path, first.v, first.n, &again, &e));
        CHECK(spv_case_print(tools, &again, &second, &e));
        CHECK(first.n == second.n && memcmp(first.v, second.v, first.n) == 0);
        CHECK(c.count == again.count && memcmp(c.words, again.words, c.count * 4) == 0);
    } else {
        CHECK(strncmp(e.msg, path, strlen(path)) == 0 && !strchr(e.msg, '\n'));
    }
    arena_free(&a);
    return 0;
}
