// SPDX-License-Identifier: Apache-2.0
//
// An injected fault (fault.h): a reduction or scan of 64-bit integers computes their two 32-bit
// words separately, without a carry, and compares each word by itself.
#include "execute.h"
#include "fault.h"

static bool is_concerned(const struct inst *i)
{
    switch (i->op) {
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupNonUniformIMul:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupNonUniformUMax:
        return i->width == 64;
    default:
        return false;
    }
}

// Replaces the operand by word `half` of each active lane's value `of`.
static void put_word(const struct values *v, const struct inst *i, const uint64_t *of,
                     unsigned half)
{
    for (uint32_t c = 0; c < i->comps; c++)
        LANES_EACH (l, v->active)
            plane_of(v, i->a + c)[l] = of[(size_t)c * v->lanes + l] >> (32 * half) & UINT32_MAX;
}

bool fault_words(struct machine *m, const struct inst *i, bool *done)
{
    struct values *v = &m->v;
    struct arena *a = m->group->run->arena;
    const size_t cells = (size_t)i->comps * v->lanes;
    *done = fault_is(m, ORC_FAULT_BY_WORDS) && is_concerned(i);
    if (!*done)
        return true;
    struct inst word = *i;
    word.width = 32;
    const uint64_t *old = arena_copy(a, plane_of(v, i->a), cells * sizeof *old);
    put_word(v, i, old, 0);
    bool ok = group_run(m, &word);
    const uint64_t *low = arena_copy(a, plane_of(v, i->dst), cells * sizeof *low);
    put_word(v, i, old, 1);
    ok = ok && group_run(m, &word);
    for (uint32_t c = 0; c < i->comps; c++)
        LANES_EACH (l, v->active) {
            const size_t at = (size_t)c * v->lanes + l;
            uint64_t *to = &plane_of(v, i->dst + c)[l];
            *to = *to << 32 | (low[at] & UINT32_MAX);
            plane_of(v, i->a + c)[l] = old[at];
        }
    return ok;
}
