// SPDX-License-Identifier: Apache-2.0
//
// The decorations that lay out a module's types in memory, collected once: inputs are filled many
// times, and each element of an array asks for them.
#include "portable_inner.h"

// The member with this number of a struct; NULL: the module has no such type.
static uint32_t *member(const struct spv_module *m, const struct por_layouts *l, uint32_t *all,
                        uint32_t type, uint32_t k)
{
    const struct spv_inst *t = spv_def(m, type);
    return t && t->op == SpvOpTypeStruct && k < t->n ? &all[l->first[type] + k] : NULL;
}

const struct por_layouts *por_layouts_of(struct arena *a, const struct spv_module *m)
{
    struct por_layouts *l = ARENA_NEW(a, struct por_layouts);
    uint32_t n = 0;
    l->first = ARENA_ARRAY(a, uint32_t, m->bound);
    l->stride = ARENA_ARRAY(a, uint32_t, m->bound);
    l->spec = ARENA_ARRAY(a, uint32_t, m->bound);
    for (uint32_t k = 0; k < m->bound; k++)
        l->stride[k] = l->spec[k] = UINT32_MAX;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        if (m->insts[k].op == SpvOpTypeStruct) {
            l->first[m->insts[k].result] = n;
            n += m->insts[k].n;
        }
    l->offset = ARENA_ARRAY(a, uint32_t, n);
    l->matrix = ARENA_ARRAY(a, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        l->offset[k] = l->matrix[k] = UINT32_MAX;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        uint32_t *to = NULL;
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[0] < m->bound &&
            s->v[1] == SpvDecorationArrayStride)
            to = &l->stride[s->v[0]];
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[0] < m->bound &&
            s->v[1] == SpvDecorationSpecId)
            to = &l->spec[s->v[0]];
        if (s->op == SpvOpMemberDecorate && s->n == 4 && s->v[2] == SpvDecorationOffset)
            to = member(m, l, l->offset, s->v[0], s->v[1]);
        if (s->op == SpvOpMemberDecorate && s->n == 4 && s->v[2] == SpvDecorationMatrixStride)
            to = member(m, l, l->matrix, s->v[0], s->v[1]);
        if (to && *to == UINT32_MAX) // the first one counts
            *to = s->v[s->n - 1];
    }
    return l;
}
