// SPDX-License-Identifier: Apache-2.0
//
// Answers of a machine's operations against those of LLVM.
#ifndef TF_TEST_ISA_ROWS_H
#define TF_TEST_ISA_ROWS_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The same word of a type: 'd', 'f' or a half of 'h' or 'e', where any NaN is one; else bit by bit.
static inline bool rows_same(char type, uint64_t x, uint64_t y)
{
    const int exponent = type == 'd' ? 52 : type == 'f' ? 23 : 10;
    const uint64_t all = type == 'd' ? 2047 : type == 'f' ? 255 : 31;
    if ((type != 'd' && type != 'f' && type != 'h' && type != 'e') || (x >> exponent & all) != all ||
        !(x << (64 - exponent)))
        return x == y;
    return (y >> exponent & all) == all && y << (64 - exponent);
}

enum { ROWS_TUPLES = 40, ROWS_SOURCES = 4 };
struct rows_row {
    char name[64];
    uint32_t to, n, sources, from[ROWS_SOURCES]; // bits
    uint64_t v[ROWS_TUPLES][ROWS_SOURCES + 1];   // a, b, c, d, answer
};

// "add.u:32:32:32 1,2=3 ..."
static inline void rows_read(char *line, struct rows_row *out)
{
    char *save, *part, *word = strtok_r(line, " ", &save);
    *out = (struct rows_row){0};
    snprintf(out->name, sizeof out->name, "%s", strtok_r(word, ":", &part));
    out->to = (uint32_t)strtoul(strtok_r(NULL, ":", &part), NULL, 10);
    for (char *s; out->sources < ROWS_SOURCES && (s = strtok_r(NULL, ":", &part));)
        out->from[out->sources++] = (uint32_t)strtoul(s, NULL, 10);
    while ((word = strtok_r(NULL, " ", &save)) && out->n < ROWS_TUPLES) {
        uint32_t k = 0;
        char *at = word;
        for (; *at && *at != '='; at += *at == ',')
            out->v[out->n][k++] = strtoull(at, &at, 16);
        CHECK(k == out->sources);
        out->v[out->n++][ROWS_SOURCES] = strtoull(at + 1, NULL, 16);
    }
}

// The file NAME of tests/, for strtok_r.
static inline char *rows_file(struct arena *a, const char *name)
{
    const char *root = getenv("SOURCE_DIR");
    char *text;
    size_t size;
    CHECK(file_read(a, arena_printf(a, "%s/tests/%s", root ? root : ".", name), 1 << 20, &text, &size, NULL));
    return text;
}

#endif
