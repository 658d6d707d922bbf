// SPDX-License-Identifier: Apache-2.0
//
// Images: their variables, and the operations on them. emit_case.c fills them.
//
// Coordinates are multiples of 1/8, which arithmetic keeps exact. They change by one step along
// each axis of the quad, so the LOD does not depend on which two lanes it is computed from.
#include "emit_parts.h"

enum { EIGHTH = 8 };

// ---- variables ---------------------------------------------------------------------------------

static uint32_t variable(struct emit *e, uint32_t type, enum gen_image_binding binding,
                         const char *name)
{
    struct spv_writer *w = e->w;
    const uint32_t id = spv_new_id(w),
                   pointer = spv_type_pointer(w, SpvStorageClassUniformConstant, type);
    SPV_PUT(w, SPV_GLOBALS, SpvOpVariable, pointer, id, SpvStorageClassUniformConstant);
    spv_put_name(w, id, name);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, id, SpvDecorationDescriptorSet, 1);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, id, SpvDecorationBinding, binding);
    return id;
}

static uint32_t array_of(struct emit *e, uint32_t type, uint32_t n)
{
    const uint32_t size = emit_const(e, n), id = spv_new_id(e->w);
    SPV_PUT(e->w, SPV_GLOBALS, SpvOpTypeArray, id, type, size);
    return id;
}

void emit_image_variables(struct emit *e)
{
    struct spv_writer *w = e->w;
    struct emit_images *i = &e->images;
    if (e->p->used & GEN_SAMPLING) {
        const uint32_t f32 = spv_type_float(w, 32);
        i->image = spv_new_id(w);
        SPV_PUT(w, SPV_GLOBALS, SpvOpTypeImage, i->image, f32, SpvDim2D, 0, 0, 0, 1,
                SpvImageFormatUnknown);
        i->sampled = spv_new_id(w);
        SPV_PUT(w, SPV_GLOBALS, SpvOpTypeSampledImage, i->sampled, i->image);
        i->sampler = spv_new_id(w);
        SPV_PUT(w, SPV_GLOBALS, SpvOpTypeSampler, i->sampler);
        const uint32_t images = array_of(e, i->image, GEN_IMAGE_COUNT),
                       samplers = array_of(e, i->sampler, GEN_SAMPLER_COUNT);
        i->variable[GEN_IMAGES] = variable(e, images, GEN_IMAGES, "images");
        i->variable[GEN_SAMPLERS] = variable(e, samplers, GEN_SAMPLERS, "samplers");
        i->variable[GEN_TEXTURE] = variable(e, i->sampled, GEN_TEXTURE, "texture");
    }
    if (e->p->used & GEN_BIT(GEN_OP_IMAGE)) {
        i->store = spv_new_id(w);
        SPV_PUT(w, SPV_GLOBALS, SpvOpTypeImage, i->store, e->u32, SpvDim2D, 0, 0, 0, 2,
                SpvImageFormatR32ui);
        i->variable[GEN_STORE] = variable(e, i->store, GEN_STORE, "store");
        spv_capability(w, SpvCapabilityStorageImageExtendedFormats);
    }
}

// ---- operands --------------------------------------------------------------------------------

static void different(struct emit *e, uint32_t id)
{
    SPV_PUT(e->w, SPV_ANNOTATIONS, SpvOpDecorate, id, SpvDecorationNonUniform);
}

// Loads element `index` of an array of images or samplers.
static uint32_t element(struct emit *e, enum gen_image_binding of, uint32_t type, uint32_t index,
                        bool differs)
{
    const uint32_t pointer = spv_type_pointer(e->w, SpvStorageClassUniformConstant, type);
    const uint32_t at = SPV_VALUE(e->w, SpvOpAccessChain, pointer, e->images.variable[of], index);
    const uint32_t id = emit_load(e, type, at);
    if (differs) {
        different(e, at);
        different(e, id);
    }
    return id;
}

// Returns the image, or the image with its sampler; group_ops.h defines which one.
static uint32_t bound(struct emit *e, const struct gen_stmt *s, bool sampled)
{
    struct spv_writer *w = e->w;
    const struct emit_images *i = &e->images;
    const struct gen_expr *index = s->op.arg[1];
    if (s->op.n & GEN_IMAGE_COMBINED) {
        const uint32_t both = emit_load(e, i->sampled, i->variable[GEN_TEXTURE]);
        return sampled ? both : SPV_VALUE(w, SpvOpImage, i->image, both);
    }
    const bool differs = index && !gen_expr_same(index, UINT32_MAX);
    const uint32_t at = index ? emit_expr(e, index) : emit_const(e, s->op.n % GEN_IMAGE_COUNT);
    if (index)
        spv_capability(w, SpvCapabilitySampledImageArrayDynamicIndexing);
    if (differs) {
        spv_capability(w, SpvCapabilityShaderNonUniform);
        spv_capability(w, SpvCapabilitySampledImageArrayNonUniformIndexing);
        spv_extension(w, "SPV_EXT_descriptor_indexing");
    }
    const uint32_t image = element(e, GEN_IMAGES, i->image, at, differs);
    if (!sampled)
        return image;
    const bool by_index = index && (s->op.n & GEN_SAMPLER_INDEXED);
    const uint32_t which =
        by_index ? SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, at, emit_const(e, GEN_SAMPLER_COUNT - 1))
                 : emit_const(e, s->op.n / GEN_SAMPLER_ONE % GEN_SAMPLER_COUNT);
    const uint32_t sampler = element(e, GEN_SAMPLERS, i->sampler, which, by_index && differs);
    const uint32_t both = SPV_VALUE(w, SpvOpSampledImage, i->sampled, image, sampler);
    if (differs)
        different(e, both);
    return both;
}

static uint32_t bits(struct emit *e, uint32_t x, uint32_t by, uint32_t mask)
{
    const uint32_t y =
        by ? SPV_VALUE(e->w, SpvOpShiftRightLogical, e->u32, x, emit_const(e, by)) : x;
    return SPV_VALUE(e->w, SpvOpBitwiseAnd, e->u32, y, emit_const(e, mask));
}

static uint32_t const_float(struct emit *e, float v)
{
    return spv_const_f32(e->w, v);
}

static uint32_t to_float(struct emit *e, uint32_t x)
{
    return SPV_VALUE(e->w, SpvOpConvertUToF, spv_type_float(e->w, 32), x);
}

// (a, b)
static uint32_t pair(struct emit *e, uint32_t type, uint32_t a, uint32_t b)
{
    return SPV_VALUE(e->w, SpvOpCompositeConstruct, spv_type_vector(e->w, type, 2), a, b);
}

// Returns float(x + 1). It avoids zero, as a product of zero has no defined sign.
static uint32_t from_one(struct emit *e, uint32_t x)
{
    const uint32_t y = SPV_VALUE(e->w, SpvOpIAdd, e->u32, x, emit_const(e, 1));
    return to_float(e, y);
}

// Returns 2^(x & 3) eighths, which is 7/8 of that many texels. A device may overestimate the scale
// factor by up to the square root of two; the nearest level is then still x & 3, or the last level.
static uint32_t step_of(struct emit *e, uint32_t x)
{
    const uint32_t one = emit_const(e, 1), k = bits(e, x, 0, 3);
    const uint32_t texels = SPV_VALUE(e->w, SpvOpShiftLeftLogical, e->u32, one, k);
    const uint32_t f = to_float(e, texels), by = const_float(e, 1.0f / EIGHTH);
    return SPV_VALUE(e->w, SpvOpFMul, spv_type_float(e->w, 32), f, by);
}

// Returns coordinates that differ by one step per lane along each axis of the quad.
static uint32_t stepping(struct emit *e, uint32_t x)
{
    const uint32_t f32 = spv_type_float(e->w, 32), step = step_of(e, x);
    const uint32_t qx = from_one(e, bits(e, e->lane, 0, 1)),
                   qy = from_one(e, bits(e, e->lane, 1, 1));
    const uint32_t u = SPV_VALUE(e->w, SpvOpFMul, f32, qx, step),
                   v = SPV_VALUE(e->w, SpvOpFMul, f32, qy, step);
    return pair(e, f32, u, v);
}

// Returns coordinates inside the image that depend on the lane.
static uint32_t somewhere(struct emit *e)
{
    const uint32_t f32 = spv_type_float(e->w, 32), by = const_float(e, 1.0f / EIGHTH);
    const uint32_t x = from_one(e, bits(e, e->lane, 0, EIGHTH - 1));
    const uint32_t u = SPV_VALUE(e->w, SpvOpFMul, f32, x, by);
    return pair(e, f32, u, const_float(e, 0.5f));
}

// Returns the coordinates of a texel of a level: bits 2 and 3 of x, scaled to the level's width.
static uint32_t texel(struct emit *e, uint32_t x, uint32_t level)
{
    const uint32_t i32 = spv_type_int(e->w, 32, true), in = bits(e, x, 2, 3);
    const uint32_t at = SPV_VALUE(e->w, SpvOpShiftRightLogical, e->u32, in, level);
    const uint32_t u = SPV_VALUE(e->w, SpvOpBitcast, i32, at), v = spv_const_i32(e->w, 0);
    return pair(e, i32, u, v);
}

// Folds the components into one number, as for vectors.
static uint32_t folded(struct emit *e, uint32_t from, uint32_t n)
{
    struct spv_writer *w = e->w;
    const uint32_t f32 = spv_type_float(w, 32);
    uint32_t r = 0;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t part = SPV_VALUE(w, SpvOpCompositeExtract, f32, from, c);
        const uint32_t x = SPV_VALUE(w, SpvOpConvertFToU, e->u32, part);
        const uint32_t five = c ? SPV_VALUE(w, SpvOpIMul, e->u32, r, emit_const(e, 5)) : 0;
        r = c ? SPV_VALUE(w, SpvOpIAdd, e->u32, five, x) : x;
    }
    return r;
}

// ---- operations ------------------------------------------------------------------------------

// Reads the invocation's own texel and writes x to it.
static uint32_t swap(struct emit *e, uint32_t x)
{
    struct spv_writer *w = e->w;
    const uint32_t image = emit_load(e, e->images.store, e->images.variable[GEN_STORE]);
    const uint32_t u = bits(e, e->global, 0, STORE_WIDTH - 1);
    const uint32_t v = SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, e->global, emit_const(e, 5));
    const uint32_t at = pair(e, e->u32, u, v);
    const uint32_t old = e->op_id = SPV_VALUE(w, SpvOpImageRead, e->ballot, image, at);
    const uint32_t all = SPV_VALUE(w, SpvOpCompositeConstruct, e->ballot, x, x, x, x);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpImageWrite, image, at, all);
    return SPV_VALUE(w, SpvOpCompositeExtract, e->u32, old, 0);
}

uint32_t emit_image_op(struct emit *e, const struct gen_stmt *s)
{
    struct spv_writer *w = e->w;
    const uint32_t x = emit_expr(e, s->op.arg[0]);
    if (s->op.op == GROUP_IMAGE_SWAP)
        return swap(e, x);
    const uint32_t f32 = spv_type_float(w, 32), v4 = spv_type_vector(w, f32, 4);
    uint32_t id = 0, n = s->op.width;
    if (s->op.op == GROUP_FETCH) {
        const uint32_t level = SPV_VALUE(w, SpvOpUMod, e->u32, x, emit_const(e, IMAGE_LEVELS)),
                       at = texel(e, x, level);
        const uint32_t image = bound(e, s, false),
                       l = SPV_VALUE(w, SpvOpBitcast, spv_type_int(w, 32, true), level);
        id = SPV_VALUE(w, SpvOpImageFetch, v4, image, at, SpvImageOperandsLodMask, l);
        e->op_id = id;
        return folded(e, id, n);
    }
    const uint32_t both = bound(e, s, true);
    switch (s->op.op) {
    case GROUP_SAMPLE: {
        const uint32_t at = stepping(e, x);
        id = SPV_VALUE(w, SpvOpImageSampleImplicitLod, v4, both, at);
        break;
    }
    case GROUP_SAMPLE_BIAS: {
        const uint32_t at = stepping(e, x), bias = to_float(e, bits(e, x, 2, 1));
        id =
            SPV_VALUE(w, SpvOpImageSampleImplicitLod, v4, both, at, SpvImageOperandsBiasMask, bias);
        break;
    }
    case GROUP_QUERY_LOD: {
        const uint32_t at = stepping(e, x);
        spv_capability(w, SpvCapabilityImageQuery);
        id = SPV_VALUE(w, SpvOpImageQueryLod, spv_type_vector(w, f32, 2), both, at);
        n = 1; // only the level; the LOD before clamping is not an integer
        break;
    }
    case GROUP_SAMPLE_LOD: {
        const uint32_t at = somewhere(e), lod = to_float(e, bits(e, x, 0, 3));
        id = SPV_VALUE(w, SpvOpImageSampleExplicitLod, v4, both, at, SpvImageOperandsLodMask, lod);
        break;
    }
    case GROUP_SAMPLE_GRAD: {
        const uint32_t at = somewhere(e), step = step_of(e, x), none = const_float(e, 0);
        const uint32_t dx = pair(e, f32, step, none), dy = pair(e, f32, none, step);
        id = SPV_VALUE(w, SpvOpImageSampleExplicitLod, v4, both, at, SpvImageOperandsGradMask, dx,
                       dy);
        break;
    }
    default: { // gather
        const uint32_t at = somewhere(e),
                       component = emit_const(e, s->op.n / GEN_GATHER_ONE % IMAGE_COMPONENTS);
        id = SPV_VALUE(w, SpvOpImageGather, v4, both, at, component);
    }
    }
    e->op_id = id;
    return folded(e, id, n);
}
