// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions of a text. Early NIR has those of the module; the line
// "decl_function" before one says that the shader begins with it. Without such lines it is the only
// one.
#define _GNU_SOURCE // memmem
#include "nir_program.h"

// Reads the name in "impl NAME {" or "decl_function NAME (...)".
static struct word name_of(struct word line, const char *start, char stop)
{
    const struct word s = word_after(line, strlen(start));
    const char *end = memchr(s.s, stop, s.n);
    size_t n = end ? (size_t)(end - s.s) : s.n;
    while (n && s.s[n - 1] == ' ')
        n--;
    return (struct word){s.s, n};
}

uint32_t nir_functions_find(struct arena *a, const char *text, const char *end,
                            struct nir_function **out)
{
    VEC(struct nir_function) found = {0};
    struct word declared = {"", 0};
    bool entry = false;
    uint32_t line = 0;
    for (struct word s; text < end && text_line(&text, &s);) {
        line++;
        if (word_starts(s, "decl_function ")) {
            declared = name_of(s, "decl_function ", '(');
            entry = memmem(s.s, s.n, "(entrypoint)", strlen("(entrypoint)")) != NULL;
        } else if (word_starts(s, "impl ")) {
            const struct word name = name_of(s, "impl ", '{');
            const bool same = name.n == declared.n && memcmp(name.s, declared.s, name.n) == 0;
            *VEC_PUSH(a, &found) = (struct nir_function){
                .name = name, .body = text, .line = line, .entry = !same || entry};
        }
    }
    *out = found.v;
    return (uint32_t)found.n;
}
