// SPDX-License-Identifier: Apache-2.0
//
// The merge repair: a back end that puts a merge instruction somewhere before the end of
// its block has said which block it merges at, in the wrong place. Here such instructions
// are moved to where they belong, right before the terminator; nothing else is changed.
// What was not valid stays a finding; the repaired module only shows what lies behind.
#include "spirv_flow.h"

#include <string.h>

bool spv_merge_repair(struct arena *a, const uint32_t *words, size_t count, const uint32_t **out)
{
    enum { HEADER = 5 };
    uint32_t *v = arena_copy(a, words, count * sizeof *words);
    const uint32_t *merge = NULL; // held back
    size_t at = HEADER, to = HEADER;
    bool moved = false;
    while (at < count) {
        const uint32_t op = words[at] & 0xffff, n = words[at] >> 16;
        if (n == 0 || n > count - at)
            return false;
        if ((op == SpvOpSelectionMerge || op == SpvOpLoopMerge) && !merge) {
            merge = words + at;
            at += n;
            continue;
        }
        if (merge && spv_ends_block(op)) {
            memcpy(v + to, merge, (merge[0] >> 16) * sizeof *v);
            to += merge[0] >> 16;
            merge = NULL;
        } else if (merge && op == SpvOpLabel) {
            return false;
        } else if (merge) {
            moved = true;
        }
        memcpy(v + to, words + at, n * sizeof *v);
        to += n;
        at += n;
    }
    *out = v;
    return moved && to == count;
}
