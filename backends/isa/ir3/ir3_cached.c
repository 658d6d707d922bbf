// SPDX-License-Identifier: Apache-2.0
//
// Reads a compute shader from the data of Turnip's pipeline cache: what the driver prints costs a
// third of the time for a program. The data are Mesa's structures as they are in memory, after the
// keys: the shader's variant from its `info` on, the code, the state of its constants, the numbers
// that the code reads as constants. Their offsets are those of Mesa 26.2; everything whose meaning
// is known is compared, so that other structures are refused.
#include "ir3_program.h"

#include <string.h>

enum {
    HEADER = 32, // of the cache
    KEY = 32,
    // After the object's head and key, from here on:
    BEGIN = HEADER + 16 + KEY,
    CODE_BYTES = 268, // of the code and its padding
    CODE_WORDS = 276, // 16 bits; of the code
    INPUTS = 812,
    INPUT = 816,
    INPUT_BYTES = 5,
    MOST_INPUTS = 34,
    CODE = 1920,
    // After the code:
    PREAMBLE = 128,
    FIRST_NUMBER = 252,
    NUMBERS = 1440,
    INSTRUCTIONS = 1 << 16, // IR3_LABELS
};
// System values
enum { LOCAL_ID = 42, GROUP_ID = 47 };

static uint32_t word_at(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

// Are the constants those of a compute shader without uniform buffers: driver parameters at c0.x,
// the preamble's at c4.x, numbers?
static bool constants_known(const uint8_t *state)
{
    static const struct {
        uint16_t at;
        uint32_t value;
    } is[] = {{4, 1},           {12, UINT32_MAX}, {20, UINT32_MAX}, {28, UINT32_MAX},
              {36, UINT32_MAX}, {96, 4},          {124, 4}};
    static const uint16_t any[] = {8, PREAMBLE, 140, FIRST_NUMBER};
    for (uint32_t i = 0; i < NUMBERS; i += 4) {
        uint32_t want = 0;
        bool free = false;
        for (size_t k = 0; k < sizeof is / sizeof *is; k++)
            want = is[k].at == i ? is[k].value : want;
        for (size_t k = 0; k < sizeof any / sizeof *any; k++)
            free |= any[k] == i;
        if (!free && word_at(state + i) != want)
            return false;
    }
    return true;
}

static bool add_inputs(struct text *t, const uint8_t *variant)
{
    const uint32_t n = word_at(variant + INPUTS);
    text_add(t, "; CL: inputs:");
    for (uint32_t i = 0; i < n && i < MOST_INPUTS; i++) {
        const uint8_t *in = variant + INPUT + (size_t)i * INPUT_BYTES; // slot, register, mask
        if (in[0] != LOCAL_ID && in[0] != GROUP_ID)
            return false;
        text_add(t, " r%u.%c (SYSTEM_VALUE_%s)", in[1] / 4u, "xyzw"[in[1] % 4],
                 in[0] == LOCAL_ID ? "LOCAL_INVOCATION_ID" : "WORKGROUP_ID");
    }
    text_add(t, "\n");
    return n <= MOST_INPUTS;
}

static bool add_code(struct text *t, const uint8_t *code, uint32_t count)
{
    char line[IR3_LINE];
    uint32_t target;
    bool *jumped_to = ARENA_ARRAY(t->arena, bool, count + 1);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            uint64_t word;
            memcpy(&word, code + (size_t)i * sizeof word, sizeof word);
            if (pass == 0 && word >> 61)
                continue; // not of control flow
            if (!ir3_word_line(word, i, count, line, &target))
                return false;
            if (pass == 0) {
                if (target < count)
                    jumped_to[target] = true;
                continue;
            }
            if (jumped_to[i])
                text_add(t, "l%u:\n", i);
            text_addn(t, line, strlen(line));
            text_addn(t, "\n", 1);
        }
    return true;
}

const char *ir3_cached(struct arena *a, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    struct text t = {.arena = a};
    if (bytes < BEGIN + CODE || word_at(at) != HEADER || word_at(at + HEADER) != 1 ||
        word_at(at + HEADER + 8) != KEY || word_at(at + HEADER + 12) != bytes - BEGIN)
        return NULL;
    const uint8_t *variant = at + BEGIN;
    const size_t left = bytes - BEGIN - CODE;
    const uint32_t size = word_at(variant + CODE_BYTES);
    if (size % 8 || size > left || left - size < NUMBERS + 4)
        return NULL;
    const uint8_t *state = variant + CODE + size, *number = state + NUMBERS + 4;
    const uint32_t numbers = word_at(state + NUMBERS);
    const uint16_t words = (uint16_t)(word_at(variant + CODE_WORDS) & UINT16_MAX);
    const uint32_t first = word_at(state + FIRST_NUMBER);
    // Without its padding; Mesa's count of a longer program is too small.
    const uint32_t count = size / 4 > UINT16_MAX ? size / 8 : words / 2u;
    if (left - size != NUMBERS + 5 + (size_t)numbers * 4 || numbers % 4 || count > size / 8 ||
        count >= INSTRUCTIONS || !constants_known(state) || first > IR3_CONSTANTS / 4 ||
        numbers / 4 > IR3_CONSTANTS / 4 - first || (numbers && word_at(state + 140) != first))
        return NULL;
    // The lines are those of the driver's text, so that refusals name the same ones.
    text_add(&t, "Native code for a shader\n;\n;\n;\n;   driver_params c0.x (4 vec4)\n");
    text_add(&t, "%s;\n;\n", word_at(state + PREAMBLE) ? ";   preamble c4.x\n" : "");
    for (uint32_t i = 0; i < word_at(variant + INPUTS) && i < MOST_INPUTS; i++)
        text_add(&t, "\n");
    for (uint32_t i = 0; i < numbers; i += 4)
        text_add(&t, "@const(c%u.x) 0x%x, 0x%x, 0x%x, 0x%x\n", first + i / 4,
                 word_at(number + 4u * i), word_at(number + 4u * i + 4),
                 word_at(number + 4u * i + 8), word_at(number + 4u * i + 12));
    return add_code(&t, variant + CODE, count) && add_inputs(&t, variant) ? t.v : NULL;
}
