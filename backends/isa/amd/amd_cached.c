// SPDX-License-Identifier: Apache-2.0
//
// Reads a compute shader from the data of RADV's pipeline cache: three texts of each shader cost as
// much as a third of compiling it. The data hold Mesa's structures as they are in memory: the
// shader's registers and sizes, where its arguments are, statistics, the code. Their offsets are
// those of Mesa 26.2; what is not known is refused, and so are other structures.
#include "amd.h"

#include <string.h>

enum {
    HEADER = 32, // of the cache
    OBJECT = 12, // the head of an object: type, bytes of its key and of itself
    KEY = 32,
    // From the shader's begin:
    SHARED_VECTORS = 12,
    LDS_BYTES = 24,
    RSRC2 = 52, // what the GPU puts into registers for a compute shader
    WORKGROUP = 64,
    PUSHED = 72,     // 64 bits: words of the push constants that are passed in registers
    SETS_USED = 84,  // a bit each
    SETS = 112,      // where each is: the first register, and how many; none: -1, 0
    USER_DATA = 176, // the same for others
    SCRATCH = USER_DATA + 2 * 2,
    PUSH = USER_DATA + 3 * 2,
    INLINED = USER_DATA + 4 * 2,
    USER_DATA_END = USER_DATA + 30 * 2,
    SETS_PASSED = 236,
    WAVE = 321,
    STAGE = 323, // and the next one: 255 for none
    COMPUTE = 5,
    BLOCK = 464, // three words
    BYTES = 624, // of all
    CODE_BYTES = 632,
    USED_BYTES = 636, // without padding
    TEXTS = 640,      // two sizes
    STATISTICS = 648,
    DEBUG = 652,
    END = 656,
    LINE = 1024,
    MOST_BYTES = 1 << 22,
};

static uint32_t word_at(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

// Finds the only shader among the cache's objects: the other one is the pipeline, which is small.
static const uint8_t *shader_of(const uint8_t *data, size_t bytes)
{
    size_t at = HEADER + 4;
    const uint8_t *found = NULL;
    if (bytes < at || word_at(data) != HEADER || word_at(data + HEADER) != 2)
        return NULL;
    for (int i = 0; i < 2; i++) {
        if (bytes - at < OBJECT + KEY + 4 || word_at(data + at + 4) != KEY)
            return NULL;
        const uint32_t size = word_at(data + at + 8);
        at = (at + OBJECT + KEY + 7) & ~(size_t)7;
        if (size > bytes - at)
            return NULL;
        if (size > END) {
            if (found || word_at(data + at + BYTES) != size)
                return NULL;
            found = data + at;
        }
        at += size;
        if (i == 0)
            at = (at + 3) & ~(size_t)3;
        if (at > bytes)
            return NULL;
    }
    return found;
}

static bool sizes_known(const uint8_t *shader, struct amd_cached *out)
{
    const uint32_t all = word_at(shader + BYTES), code = word_at(shader + CODE_BYTES),
                   statistics = word_at(shader + STATISTICS);
    out->bytes = word_at(shader + USED_BYTES);
    out->code = shader + END + statistics;
    out->wave = shader[WAVE];
    return word_at(shader) == 0 && !word_at(shader + TEXTS) && !word_at(shader + TEXTS + 4) &&
           !word_at(shader + DEBUG) && all <= MOST_BYTES && statistics <= all && code <= all &&
           all == END + statistics + code && out->bytes <= code && out->bytes && code % 4 == 0 &&
           out->bytes % 4 == 0 && (out->wave == 32 || out->wave == 64);
}

// Reads a register that is passed, or -1 if it is not. False: it is several, or none of the user's.
static bool place_of(const uint8_t *shader, uint32_t at, uint32_t count, uint32_t user, int8_t *out)
{
    *out = (int8_t)shader[at];
    return *out == -1 ? shader[at + 1] == 0
                      : shader[at + 1] == count && *out >= 0 && (uint32_t)*out + count <= user;
}

static bool arguments_known(const uint8_t *shader, struct amd_abi *out)
{
    const uint32_t rsrc2 = word_at(shader + RSRC2), user = rsrc2 >> 1 & 31,
                   used = word_at(shader + SETS_USED);
    int8_t scratch;
    *out = (struct amd_abi){.user = (uint8_t)user,
                            .group = {rsrc2 >> 7 & 1, rsrc2 >> 8 & 1, rsrc2 >> 9 & 1},
                            .wave_info = rsrc2 >> 10 & 1,
                            .shared = word_at(shader + SHARED_VECTORS) != 0};
    memcpy(&out->pushed, shader + PUSHED, sizeof out->pushed);
    for (uint32_t i = 0; i < AMD_SETS; i++)
        if (!place_of(shader, SETS + 2 * i, 1, user, &out->set[i]) ||
            (out->set[i] >= 0) != (word_at(shader + SETS_PASSED) >> i & 1) ||
            (out->set[i] < 0 && (used >> i & 1)))
            return false;
    const uint32_t pushed = count_ones(out->pushed);
    for (uint32_t at = USER_DATA; at < USER_DATA_END; at += 2) {
        int8_t *place = at == SCRATCH   ? &scratch
                        : at == PUSH    ? &out->push
                        : at == INLINED ? &out->inlined
                                        : NULL;
        const uint32_t count = at == SCRATCH ? 2 : at == INLINED ? pushed : 1;
        if (place ? !place_of(shader, at, count, user, place) : shader[at] != 255 || shader[at + 1])
            return false;
    }
    return (out->inlined >= 0) == (pushed > 0);
}

bool amd_cached_find(const void *data, size_t bytes, struct amd_cached *out)
{
    const uint8_t *shader = shader_of(data, bytes);
    if (!shader || !sizes_known(shader, out) || shader[STAGE] != COMPUTE ||
        shader[STAGE + 1] != 255)
        return false;
    const uint8_t *block = shader + BLOCK;
    const uint64_t all = (uint64_t)word_at(block) * word_at(block + 4) * word_at(block + 8);
    return all == word_at(shader + WORKGROUP) && arguments_known(shader, &out->abi);
}

// ---- the text ----------------------------------------------------------------

struct piece {
    uint32_t at, words, target; // target: where a branch goes; UINT32_MAX: not a branch
    const char *text;
    size_t n;
};

// The branch that a word is, or NULL.
static const char *branch_of(uint32_t word, enum amd_gen gen)
{
    static const char *const names[] = {"s_branch",        "s_cbranch_scc0",  "s_cbranch_scc1",
                                        "s_cbranch_vccz",  "s_cbranch_vccnz", "s_cbranch_execz",
                                        "s_cbranch_execnz"};
    const uint32_t op = word >> 16 & 127;
    if (word >> 23 != 0x17f)
        return NULL;
    if (gen >= AMD_GFX11)
        return op >= 32 && op < 39 ? names[op - 32] : NULL;
    return op == 2 ? names[0] : op >= 4 && op < 10 ? names[op - 3] : NULL;
}

// Prints the instruction at `at`. False: it is not one whose text is known.
static bool print(struct arena *a, const struct amd_cached *c, enum amd_gen gen,
                  amd_printer *printer, void *context, struct piece *out)
{
    char line[LINE];
    const uint8_t *code = c->code + (size_t)out->at * 4;
    const uint32_t word = word_at(code), left = c->bytes / 4 - out->at;
    const char *branch = branch_of(word, gen);
    const int16_t jump = (int16_t)(word & UINT16_MAX);
    out->target = UINT32_MAX;
    out->words = 1;
    if (branch) {
        out->target = (uint32_t)((int32_t)out->at + 1 + jump);
        out->text = branch;
        out->n = strlen(branch);
        return out->target <= c->bytes / 4;
    }
    const size_t n = printer(context, code, (size_t)left * 4, line, sizeof line);
    if (!n) // as RADV says it; its own words for other instructions are refused
        snprintf(line, sizeof line, "(invalid instruction)");
    else
        out->words = (uint32_t)n / 4;
    // Constants of the shader come after the code. Of writelane LLVM reads two words of three.
    if (n % 4 || out->words > left || strstr(line, "s_getpc") ||
        (gen >= AMD_GFX10 && n == 8 && word >> 16 == 0xd761 && (word_at(code + 4) & 511) == 255))
        return false;
    out->n = strlen(line);
    out->text = arena_strn(a, line, out->n);
    return true;
}

const char *amd_cached_text(struct arena *a, const struct amd_cached *c, enum amd_gen gen,
                            amd_printer *printer, void *context)
{
    const uint32_t words = c->bytes / 4;
    struct piece *piece = ARENA_ARRAY(a, struct piece, words);
    bool *jumped_to = ARENA_ARRAY(a, bool, words + 1);
    struct text t = {.arena = a};
    uint32_t n = 0;
    bool invalid = false;
    for (uint32_t at = 0; at < words; at += piece[n++].words) {
        piece[n].at = at;
        if (!print(a, c, gen, printer, context, &piece[n]))
            return NULL;
        if (piece[n].target != UINT32_MAX)
            jumped_to[piece[n].target] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct piece *p = &piece[i];
        if (jumped_to[p->at]) {
            text_add(&t, "BB%u:\n", p->at);
            jumped_to[p->at] = false;
        }
        if (p->target != UINT32_MAX) {
            text_add(&t, "\t%s BB%u\n", p->text, p->target);
            continue;
        }
        text_addn(&t, p->text, p->n);
        // A word that is not an instruction is read from the words after the text.
        if (invalid || *p->text == '(')
            text_add(&t, " ; %.8x", word_at(c->code + (size_t)p->at * 4));
        invalid = *p->text == '(';
        text_addn(&t, "\n", 1);
    }
    if (jumped_to[words])
        text_add(&t, "BB%u:\n", words);
    return t.v;
}
