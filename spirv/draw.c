// SPDX-License-Identifier: Apache-2.0
#include "spirv_draw.h"

void spv_draw(const struct spv_case *c, struct spv_draw *out)
{
    // Larger than the target but inside the clip volume: no edge crosses the target.
    static const uint16_t whole[][2] = {{0, 0}, {2, 0}, {0, 2}};
    const float margin = (SPV_DRAW_VIEW - 1) / 2.0f; // of the target's size, on each side
    const float w = (float)c->target[0], h = (float)c->target[1];
    const bool full = c->cover == SPV_COVER_FULL;
    *out = (struct spv_draw){.x = -margin * w,
                             .y = -margin * h,
                             .width = SPV_DRAW_VIEW * w,
                             .height = SPV_DRAW_VIEW * h,
                             .vertices = full ? 3 : c->vertex_count};
    for (uint32_t i = 0; i < out->vertices; i++)
        for (int k = 0; k < 2; k++) {
            const float at =
                full ? whole[i][k] : (float)c->vertex[i][k] / SPV_SUBPIXELS / (float)c->target[k];
            out->at[i][k] = (at + margin) * 2 / SPV_DRAW_VIEW - 1;
        }
}

static uint32_t interface(struct spv_writer *w, SpvStorageClass sc, uint32_t type, SpvDecoration d,
                          uint32_t n)
{
    const uint32_t id = spv_new_id(w), pointer = spv_type_pointer(w, sc, type);
    SPV_PUT(w, SPV_GLOBALS, SpvOpVariable, pointer, id, (uint32_t)sc);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, id, (uint32_t)d, n);
    return id;
}

static uint32_t one_or_zero(struct spv_writer *w, uint32_t type, bool one)
{
    const uint32_t id = spv_new_id(w);
    SPV_PUT(w, SPV_GLOBALS, SpvOpConstant, type, id, one ? 0x3f800000u : 0u);
    return id;
}

const uint32_t *spv_draw_vertex_shader(struct arena *a, size_t *count)
{
    struct spv_writer writer, *w = &writer;
    struct words v = {0};
    spv_writer_start(w, a, 0x00010000);
    spv_capability(w, SpvCapabilityShader);
    SPV_PUT(w, SPV_MEMORY_MODEL, SpvOpMemoryModel, SpvAddressingModelLogical,
            SpvMemoryModelGLSL450);
    const uint32_t none = spv_type_void(w), f32 = spv_type_float(w, 32);
    const uint32_t vec2 = spv_type_vector(w, f32, 2), vec4 = spv_type_vector(w, f32, 4);
    const uint32_t zero = one_or_zero(w, f32, false), one = one_or_zero(w, f32, true);
    const uint32_t in = interface(w, SpvStorageClassInput, vec2, SpvDecorationLocation, 0);
    const uint32_t position =
        interface(w, SpvStorageClassOutput, vec4, SpvDecorationBuiltIn, SpvBuiltInPosition);
    const uint32_t size =
        interface(w, SpvStorageClassOutput, f32, SpvDecorationBuiltIn, SpvBuiltInPointSize);
    const uint32_t main = spv_new_id(w), type = spv_type_function(w, none, NULL, 0),
                   label = spv_new_id(w);
    *VEC_PUSH(a, &v) = SpvExecutionModelVertex;
    *VEC_PUSH(a, &v) = main;
    spv_string_words(a, &v, "main");
    *VEC_PUSH(a, &v) = in;
    *VEC_PUSH(a, &v) = position;
    *VEC_PUSH(a, &v) = size;
    spv_put(w, SPV_ENTRY_POINTS, SpvOpEntryPoint, v.v, v.n);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpFunction, none, main, SpvFunctionControlMaskNone, type);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpLabel, label);
    const uint32_t at = SPV_VALUE(w, SpvOpLoad, vec2, in);
    const uint32_t whole = SPV_VALUE(w, SpvOpCompositeConstruct, vec4, at, zero, one);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpStore, position, whole);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpStore, size, one);
    SPV_PUT0(w, SPV_FUNCTIONS, SpvOpReturn);
    SPV_PUT0(w, SPV_FUNCTIONS, SpvOpFunctionEnd);
    return spv_writer_finish(w, count);
}
