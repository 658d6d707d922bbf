// SPDX-License-Identifier: Apache-2.0
//
// Specialises the width of a workgroup that is one column by default.
#include "portable_inner.h"

void por_workgroup_width(const struct spv_module *m, struct spv_case *c, uint32_t invented,
                         struct por_inputs *in, struct text *t)
{
    uint32_t size[3];
    struct err e;
    if (!spv_local_size(c, m, size, &e) || size[0] != 1)
        return;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        uint32_t x = 0;
        if (s->op == SpvOpExecutionModeId && s->n == 5 && s->v[1] == SpvExecutionModeLocalSizeId)
            x = s->v[2];
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[1] == SpvDecorationBuiltIn &&
            s->v[2] == SpvBuiltInWorkgroupSize && spv_def(m, s->v[0]) && spv_def(m, s->v[0])->n)
            x = spv_def(m, s->v[0])->v[0];
        const uint32_t spec =
            x ? por_decoration(m, x, UINT32_MAX, SpvDecorationSpecId) : UINT32_MAX;
        if (spec == UINT32_MAX || c->spec_count == SPV_CASE_SPECS)
            continue;
        uint32_t width = invented;
        for (uint32_t j = 0; j < m->inst_count && m->insts[j].op != SpvOpFunction; j++) {
            const struct spv_inst *d =
                &m->insts[j]; // another constant of that id has a better value
            if (d->op == SpvOpSpecConstant && d->v[0] > 1 && d->v[0] <= 1024 &&
                por_decoration(m, d->result, UINT32_MAX, SpvDecorationSpecId) == spec)
                width = d->v[0];
        }
        c->spec[c->spec_count++] = (struct spv_spec){.id = spec, .value = width, .type = "u32"};
        text_add(t, "specialisation constant %u: %u, the workgroup's width (1 in the module)\n",
                 spec, width);
        in->width = width == invented;
        in->invented = true;
        return;
    }
}
