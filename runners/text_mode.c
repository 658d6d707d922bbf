// SPDX-License-Identifier: Apache-2.0
//
// A language without a word for MaximallyReconvergesKHR, and a compiler that keeps control flow as
// it is written: the mode goes back into the module that comes out.
#include "command.h"

#include <string.h>

static bool has_mode(const uint32_t *words, size_t count, uint32_t *at_extensions,
                     uint32_t *at_modes, uint32_t *main)
{
    *at_extensions = *at_modes = 0;
    for (size_t at = 5; at < count && words[at] >> 16 && words[at] >> 16 <= count - at;
         at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff, next = (uint32_t)at + (words[at] >> 16);
        if (op == SpvOpFunction)
            break;
        if (op == SpvOpCapability || op == SpvOpExtension)
            *at_extensions = next;
        if (op == SpvOpEntryPoint) {
            *at_modes = next;
            *main = words[at + 2];
        }
        if (op == SpvOpExecutionMode && words[at] >> 16 > 2 &&
            words[at + 2] == SpvExecutionModeMaximallyReconvergesKHR)
            return true;
    }
    return false;
}

void mode_give_back(struct arena *a, const struct spv_case *c, struct run_result *r)
{
    static const char name[] = "SPV_KHR_maximal_reconvergence";
    uint32_t extensions, modes, main = 0, text[sizeof name / 4 + 1] = {0};
    if (!has_mode(c->words, c->count, &extensions, &modes, &main) ||
        has_mode(r->words, r->word_count, &extensions, &modes, &main) || !extensions ||
        modes < extensions)
        return;
    const uint32_t n = sizeof text / sizeof *text;
    const uint32_t mode[] = {3u << 16 | SpvOpExecutionMode, main,
                             SpvExecutionModeMaximallyReconvergesKHR};
    struct words out = {0};
    memcpy(text, name, sizeof name - 1);
    VEC_RESERVE(a, &out, r->word_count + n + 4);
    for (size_t at = 0; at < r->word_count; at++) {
        if (at == extensions) {
            out.v[out.n++] = (n + 1) << 16 | SpvOpExtension;
            for (uint32_t i = 0; i < n; i++)
                out.v[out.n++] = text[i];
        }
        for (uint32_t i = 0; at == modes && i < 3; i++)
            out.v[out.n++] = mode[i];
        out.v[out.n++] = r->words[at];
    }
    r->words = out.v;
    r->word_count = out.n;
}
