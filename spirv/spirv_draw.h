// SPDX-License-Identifier: Apache-2.0
//
// spirv_draw: how a fragment case is drawn (spirv_stage.h has what), for runners and for programs
// that run without tanglefuzz. Nothing is attached: depth, stencil and blending are off.
//
// The viewport is four times as wide and high as the target, which lies in its middle, and a
// scissor restricts drawing to the target. So a triangle larger than the target is still inside the
// clip volume. No implementation clips it into several primitives, which would form other
// subgroups.
#ifndef TF_SPIRV_DRAW_H
#define TF_SPIRV_DRAW_H

#include "spirv.h"

enum { SPV_DRAW_VIEW = 4 };
struct spv_draw {
    float x, y, width, height; // the viewport, in pixels
    uint32_t vertices;
    float at[SPV_COVER_VERTICES][2]; // x and y of each vertex, in normalized device coordinates
};
// Fills `out` for a case whose stage has pixels.
void spv_draw(const struct spv_case *c, struct spv_draw *out);
// Builds the vertex shader: Position is the input at location 0, a vec2, with 0 and 1; PointSize is
// 1. In `a`.
const uint32_t *spv_draw_vertex_shader(struct arena *a, size_t *count);

#endif
