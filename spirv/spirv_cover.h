// SPDX-License-Identifier: Apache-2.0
//
// spirv_cover: the invocations of a draw without a device (spirv_stage.h has what a draw is). Each
// subgroup runs a block of quads of one primitive, or the next vertices. For the oracle, and for
// machines that run compiled code.
#ifndef TF_SPIRV_COVER_H
#define TF_SPIRV_COVER_H

#include "spirv.h"

// Returns the width and height of a subgroup's block of pixels, which consists of quads of one
// primitive: 2 x 2, 4 x 2, 4 x 4 and so on. For vertices the block is a row.
uint32_t spv_cover_width(const struct spv_case *c, uint32_t size, uint32_t *height);
// Returns the pixel of lane l, as spv_coverage_pixel, in the block at x, y, which is w pixels wide
// and h high.
uint32_t spv_cover_pixel(uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t l);

struct spv_cover_block {
    uint32_t primitive, x, y, w, h;
    lane_mask live;  // lanes whose pixel the primitive covers
    lane_mask quads; // lanes of quads with a live lane: the others are helpers
};
// Returns the number of blocks of `size` lanes, also of those without a live lane.
uint32_t spv_cover_blocks(const struct spv_case *c, uint32_t size);
// Fills *out with block k. False: no lane of it is live.
bool spv_cover_block(const struct spv_case *c, uint32_t size, uint32_t k,
                     struct spv_cover_block *out);

#endif
