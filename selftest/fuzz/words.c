// SPDX-License-Identifier: Apache-2.0
//
// Bytes as words of a module that may be invalid. Bytes that start with the SPIR-V magic number are
// the module itself. Others are edits followed by choices: the generator produces a module, and the
// edits change a few of its words. Such modules reach far deeper code than random words.
#include "fuzz.h"

#include <string.h>

enum { MAGIC = 0x07230203, EDIT = 8, EDITS_MAX = 8, WORDS_MAX = 1 << 16 };

// Finds the instruction that contains word `at`, and its length. False if the words up to there are
// not instructions.
static bool instruction(const uint32_t *words, size_t n, size_t at, size_t *first, size_t *length)
{
    for (*first = 5; *first < n; *first += *length) {
        *length = words[*first] >> 16;
        if (*length == 0 || *length > n - *first)
            return false;
        if (*first + *length > at)
            return true;
    }
    return false;
}

// Applies one edit: sets a word, flips a bit, adds a small number, or copies a word from elsewhere;
// deletes or duplicates an instruction. Returns the new number of words.
static size_t change(uint32_t *words, size_t n, const uint8_t *edit)
{
    uint32_t value;
    size_t at = 5 + (size_t)(edit[0] | edit[1] << 8) % (n - 5), first, length;
    memcpy(&value, edit + 4, sizeof value);
    switch (edit[2] % 6) {
    case 0:
        words[at] = value;
        return n;
    case 1:
        words[at] ^= UINT32_C(1) << (value % 32);
        return n;
    case 2:
        words[at] = words[5 + value % (n - 5)];
        return n;
    case 3:
        words[at] += (uint32_t)edit[3] - 128;
        return n;
    case 4:
        if (!instruction(words, n, at, &first, &length))
            return n;
        memmove(words + first, words + first + length, (n - first - length) * sizeof *words);
        return n - length;
    default:
        if (!instruction(words, n, at, &first, &length) || n + length > WORDS_MAX)
            return n;
        memmove(words + first + length, words + first, (n - first) * sizeof *words);
        return n + length;
    }
}

static void edited(struct arena *a, const uint8_t *data, size_t size, struct spv_case *c)
{
    struct fz_case z;
    size_t edits = size ? data[0] % (EDITS_MAX + 1) : 0, head = 1 + edits * EDIT;
    if (head > size)
        head = size, edits = size ? (size - 1) / EDIT : 0;
    fz_make(a, data + head, size - head, &z);
    *c = z.made.cases[0];
    uint32_t *words = ARENA_ARRAY(a, uint32_t, WORDS_MAX);
    if (c->count > WORDS_MAX / 2)
        return;
    memcpy(words, c->words, c->count * sizeof *words);
    c->words = words;
    for (size_t k = 0; k < edits && c->count > 6; k++)
        c->count = change(words, c->count, data + 1 + k * EDIT);
}

static void whole(struct arena *a, const uint8_t *data, size_t size, struct spv_case *c)
{
    static const uint32_t zeros[64];
    *c = (struct spv_case){.groups = {1, 1, 1}, .subgroup = 8, .model = SPV_ASSUMED_MAXIMAL};
    c->count = size / 4;
    c->words = arena_copy(a, data, c->count * 4);
    c->buffer_count = 3;
    for (uint32_t k = 0; k < c->buffer_count; k++)
        c->buffer[k] = (struct spv_buffer){
            .binding = k, .count = 64, .words = arena_copy(a, zeros, sizeof zeros)};
}

void fz_words(struct arena *a, const uint8_t *data, size_t size, struct spv_case *out)
{
    uint32_t magic = 0;
    if (size >= sizeof magic)
        memcpy(&magic, data, sizeof magic);
    (magic == MAGIC ? whole : edited)(a, data, size, out);
}
