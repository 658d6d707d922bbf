// SPDX-License-Identifier: Apache-2.0
//
// Maps the invocations of a workgroup to quads.
#include "spirv_groups.h"

enum spv_quads spv_quads_of(const struct spv_module *m)
{
    uint32_t entry = 0;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *i = &m->insts[k];
        if (i->op == SpvOpEntryPoint && !entry && i->v[0] == SpvExecutionModelGLCompute)
            entry = i->v[1];
        if (i->op != SpvOpExecutionMode || i->v[0] != entry)
            continue;
        if (i->v[1] == SpvExecutionModeDerivativeGroupQuadsKHR)
            return SPV_QUADS_2X2;
        if (i->v[1] == SpvExecutionModeDerivativeGroupLinearKHR)
            return SPV_QUADS_LINEAR;
    }
    return SPV_QUADS_OF_LANES;
}

// VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151 and DerivativeGroupLinearKHR-10152
bool spv_quads_fit(enum spv_quads q, const uint32_t size[3])
{
    switch (q) {
    case SPV_QUADS_2X2:
        return size[0] % 2 == 0 && size[1] % 2 == 0;
    case SPV_QUADS_LINEAR:
        return size[0] * size[1] * size[2] % SPV_QUAD == 0;
    default:
        return true;
    }
}

uint32_t spv_quads_place(enum spv_quads q, const uint32_t size[3], uint32_t i)
{
    if (q != SPV_QUADS_2X2)
        return i;
    const uint32_t area = size[0] * size[1], x = i % size[0], y = i / size[0] % size[1];
    return i / area * area + (y / 2 * (size[0] / 2) + x / 2) * SPV_QUAD + (y & 1) * 2 + (x & 1);
}

uint32_t spv_quads_first(enum spv_quads q, const uint32_t size[3], uint32_t i)
{
    if (q != SPV_QUADS_2X2)
        return i - i % SPV_QUAD;
    return i - (i % size[0] & 1) - (i / size[0] % size[1] & 1) * size[0];
}
