// SPDX-License-Identifier: Apache-2.0
//
// What a target does not offer.
#include "runners.h"

enum { SPIRV_1_4 = 0x00010400, SUBGROUP_CLASSES = SPV_NEED_ROTATE_CLUSTERED + 1 };

spv_needs run_lacks(const struct run_info *i)
{
    const struct {
        spv_needs need;
        bool offered;
    } rows[] = {
        {SPV_NEED(QUAD_CONTROL), i->quad_control},
        {SPV_NEED(DERIVATIVES), i->derivatives},
        {SPV_NEED(DERIVATIVE_QUADS), i->derivative_quads},
        {SPV_NEED(FRAGMENT), i->fragment},
        {SPV_NEED(DEMOTE), i->demote},
        {SPV_NEED(IMAGES), i->images},
        {SPV_NEED(IMAGE_INDEX), i->image_index},
        {SPV_NEED(IMAGE_NONUNIFORM), i->image_nonuniform},
        {SPV_NEED(LANE_VALUE), i->lane_value},
        {SPV_NEED(INT8), i->int8 && i->extended_types},
        {SPV_NEED(INT16), i->int16 && i->extended_types},
        {SPV_NEED(INT64), i->int64 && i->extended_types},
        {SPV_NEED(FLOAT16), i->float16 && i->extended_types},
        {SPV_NEED(FLOAT64), i->float64},
        {SPV_NEED(SPIRV_1_4), !i->spirv_version || i->spirv_version >= SPIRV_1_4},
    };
    // spv_need counts the classes as Vulkan's bits do.
    spv_needs lacks =
        i->without | (~(spv_needs)i->subgroup_ops & (((spv_needs)1 << SUBGROUP_CLASSES) - 1));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        lacks |= rows[k].offered ? 0 : rows[k].need;
    return lacks;
}
