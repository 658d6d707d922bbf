// SPDX-License-Identifier: Apache-2.0
//
// The merge repair. Some back ends put a merge instruction too early in its block. Its operands are
// correct, only its position is invalid. This moves it directly before the terminator and changes
// nothing else. The invalid module stays a finding; the repaired one only helps to find further
// bugs.
#include "spirv_flow.h"

#include <string.h>

bool spv_merge_repair(struct arena *a, const uint32_t *words, size_t count, const uint32_t **out)
{
    enum { HEADER = 5 };
    uint32_t *v = arena_copy(a, words, count * sizeof *words);
    const uint32_t *merge = NULL; // the merge instruction to move
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
