// SPDX-License-Identifier: Apache-2.0
//
// GLSL only: floats, derivatives in compute shaders, images and samplers. Images and samplers are
// not assigned to variables; each use prints the variable with its index, combined with the
// sampler.
#include "clike.h"

#include <math.h>
#include <string.h>

// Nine digits identify every float.
const char *clike_float(const struct clike *p, uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    if (!isnormal(v) && bits)
        return arena_printf(p->f->arena, "uintBitsToFloat(0x%xu)", bits);
    const char *digits = arena_printf(p->f->arena, "%.9g", (double)v);
    return strpbrk(digits, ".e") ? digits : arena_printf(p->f->arena, "%s.0", digits);
}

// ---- types and names -------------------------------------------------------------------------

// Returns the OpTypeImage of an image, a sampled image, or an array of these; NULL for a sampler.
static const struct spv_inst *image_type(const struct clike *p, uint32_t type)
{
    const struct spv_inst *t = spv_def(&p->f->m, type);
    while (t &&
           (t->op == SpvOpTypeArray || t->op == SpvOpTypePointer || t->op == SpvOpTypeSampledImage))
        t = spv_def(&p->f->m, t->v[t->op == SpvOpTypePointer ? 1 : 0]);
    return t && t->op == SpvOpTypeImage ? t : NULL;
}

static bool is_signed(const struct clike *p, const struct spv_inst *image)
{
    const struct spv_inst *t = spv_def(&p->f->m, image->v[0]);
    return t->op == SpvOpTypeInt && t->v[1];
}

// Returns "usampler2DArray"; kind: "texture", "sampler" or "image". NULL: GLSL has no such type.
static const char *image_name(const struct clike *p, const struct spv_inst *image, const char *kind)
{
    static const char *const dims[] = {
        [SpvDim1D] = "1D",     [SpvDim2D] = "2D",   [SpvDim3D] = "3D",
        [SpvDimCube] = "Cube", [SpvDimRect] = NULL, [SpvDimBuffer] = "Buffer"};
    const struct spv_inst *t = spv_def(&p->f->m, image->v[0]);
    const uint32_t dim = image->v[1];
    if (dim > SpvDimBuffer || !dims[dim] || image->v[2] == 1 || image->v[4] || t->v[0] != 32)
        return NULL;
    return arena_printf(p->f->arena, "%s%s%s%s",
                        t->op == SpvOpTypeFloat ? ""
                        : is_signed(p, image)   ? "i"
                                                : "u",
                        kind, dims[dim], image->v[3] ? "Array" : "");
}

static const char *format_name(uint32_t format)
{
    switch (format) {
    case SpvImageFormatR32f:
        return "r32f";
    case SpvImageFormatR32i:
        return "r32i";
    case SpvImageFormatR32ui:
        return "r32ui";
    case SpvImageFormatRgba32f:
        return "rgba32f";
    case SpvImageFormatRgba32i:
        return "rgba32i";
    case SpvImageFormatRgba32ui:
        return "rgba32ui";
    default:
        return NULL;
    }
}

const char *clike_opaque(const struct clike *p, uint32_t id)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    struct arena *a = p->f->arena;
    const char *text;
    switch (d->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return arena_printf(a, p->f->id[id].non_uniform ? "%s[nonuniformEXT(%s)]" : "%s[%s]",
                            clike_value(p, d->v[0]), clike_value(p, d->v[1]));
    case SpvOpSampledImage:
        text = arena_printf(a, "%s(%s, %s)", image_name(p, image_type(p, d->type), "sampler"),
                            clike_value(p, d->v[0]), clike_value(p, d->v[1]));
        break;
    default:
        text = clike_value(p, d->v[0]); // OpLoad, OpImage, OpCopyObject
    }
    const bool already = p->f->id[d->v[0]].non_uniform && d->op != SpvOpSampledImage;
    return p->f->id[id].non_uniform && !already ? arena_printf(a, "nonuniformEXT(%s)", text) : text;
}

// ---- declarations ------------------------------------------------------------------------------

static bool declare(struct clike *p, const struct spv_inst *var)
{
    const struct form_id *id = &p->f->id[var->result];
    const struct spv_inst *t = spv_def(&p->f->m, spv_def(&p->f->m, var->type)->v[1]), *image;
    const char *type = NULL, *of = "", *length = "", *how = "";
    uint32_t n;
    if (t->op == SpvOpTypeArray && form_constant(p->f, t->v[1], &n)) {
        length = arena_printf(p->f->arena, "[%u]", n);
        t = spv_def(&p->f->m, t->v[0]);
    }
    image = image_type(p, t->result);
    if (t->op == SpvOpTypeSampler) {
        type = "sampler";
    } else if (t->op == SpvOpTypeSampledImage) {
        type = image_name(p, image, "sampler");
    } else if (t->op == SpvOpTypeImage && t->v[5] == 1) {
        type = image_name(p, image, "texture");
    } else if (t->op == SpvOpTypeImage && t->v[5] == 2 && format_name(t->v[6])) {
        type = image_name(p, image, "image");
        of = arena_printf(p->f->arena, ", %s", format_name(t->v[6]));
        how = id->coherent ? "coherent " : "";
    }
    if (!type)
        return clike_refuse(p, var, "an image type that is not supported");
    text_add(p->out, "layout(set = %u, binding = %u%s) uniform %s%s %s%s;\n", id->set, id->binding,
             of, how, type, clike_value(p, var->result), length);
    return true;
}

bool clike_images(struct clike *p)
{
    for (size_t i = 0; i < p->f->opaque.n; i++)
        if (!declare(p, spv_def(&p->f->m, p->f->opaque.v[i])))
            return false;
    return true;
}

// ---- instructions ----------------------------------------------------------

static const struct {
    SpvOp op;
    const char *name;
} functions[] = {
    {SpvOpDPdx, "dFdx"},
    {SpvOpDPdy, "dFdy"},
    {SpvOpFwidth, "fwidth"},
    {SpvOpDPdxFine, "dFdxFine"},
    {SpvOpDPdyFine, "dFdyFine"},
    {SpvOpFwidthFine, "fwidthFine"},
    {SpvOpDPdxCoarse, "dFdxCoarse"},
    {SpvOpDPdyCoarse, "dFdyCoarse"},
    {SpvOpFwidthCoarse, "fwidthCoarse"},
    {SpvOpGroupNonUniformQuadAllKHR, "subgroupQuadAll"},
    {SpvOpGroupNonUniformQuadAnyKHR, "subgroupQuadAny"},
};

// GLSL's texel coordinates are signed.
static const char *texel(struct clike *p, uint32_t id)
{
    bool is_bool;
    const uint32_t n = form_components(p->f, form_type_of(p->f, id), &is_bool);
    return n == 1 ? arena_printf(p->f->arena, "int(%s)", clike_value(p, id))
                  : arena_printf(p->f->arena, "ivec%u(%s)", n, clike_value(p, id));
}

// Returns the call for an image operation, not converted to its type; NULL: not supported.
static const char *asked(struct clike *p, const struct spv_inst *in)
{
    // After the common operands: a mask, then one operand per bit.
    const uint32_t first = in->op == SpvOpImageGather ? 3 : 2,
                   extended = SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask;
    const uint32_t mask = in->n > first ? in->v[first] & ~extended : 0;
    const uint32_t *more = in->v + first + 1;
    struct arena *a = p->f->arena;
    const struct spv_inst *image = image_type(p, form_type_of(p->f, in->v[0]));
    const char *of = clike_value(p, in->v[0]), *at = in->n > 1 ? clike_value(p, in->v[1]) : "";
    uint32_t component;
    switch (in->op) {
    case SpvOpImageSampleImplicitLod:
        return !mask ? arena_printf(a, "texture(%s, %s)", of, at)
               : mask == SpvImageOperandsBiasMask
                   ? arena_printf(a, "texture(%s, %s, %s)", of, at, clike_value(p, more[0]))
                   : NULL;
    case SpvOpImageSampleExplicitLod:
        return mask == SpvImageOperandsLodMask
                   ? arena_printf(a, "textureLod(%s, %s, %s)", of, at, clike_value(p, more[0]))
               : mask == SpvImageOperandsGradMask
                   ? arena_printf(a, "textureGrad(%s, %s, %s, %s)", of, at, clike_value(p, more[0]),
                                  clike_value(p, more[1]))
                   : NULL;
    case SpvOpImageGather:
        return !mask && form_constant(p->f, in->v[2], &component)
                   ? arena_printf(a, "textureGather(%s, %s, %u)", of, at, component)
                   : NULL;
    case SpvOpImageFetch:
        if (image->v[1] == SpvDimBuffer)
            return mask ? NULL : arena_printf(a, "texelFetch(%s, %s)", of, texel(p, in->v[1]));
        return mask & ~(uint32_t)SpvImageOperandsLodMask
                   ? NULL
                   : arena_printf(a, "texelFetch(%s, %s, int(%s))", of, texel(p, in->v[1]),
                                  mask ? clike_value(p, more[0]) : "0");
    case SpvOpImageRead:
        return mask ? NULL : arena_printf(a, "imageLoad(%s, %s)", of, texel(p, in->v[1]));
    case SpvOpImageQueryLod:
        return arena_printf(a, "textureQueryLod(%s, %s)", of, at);
    case SpvOpImageQueryLevels:
        return arena_printf(a, "textureQueryLevels(%s)", of);
    case SpvOpImageQuerySizeLod:
        return arena_printf(a, "textureSize(%s, int(%s))", of, at);
    case SpvOpImageQuerySize:
        return arena_printf(a, image->v[5] == 2 ? "imageSize(%s)" : "textureSize(%s)", of);
    default:
        return NULL;
    }
}

static bool write(struct clike *p, const struct spv_inst *in)
{
    const struct spv_inst *image = image_type(p, form_type_of(p->f, in->v[0]));
    const uint32_t extended = SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask;
    bool is_bool;
    const uint32_t type = form_type_of(p->f, in->v[2]);
    if ((in->n > 3 && in->v[3] & ~extended) ||
        form_components(p->f, type, &is_bool) + form_floats(p->f, type) != 4)
        return clike_refuse(p, in, "its operands are not supported");
    clike_begin(p);
    text_add(p->out,
             is_signed(p, image) ? "imageStore(%s, %s, ivec4(%s))" : "imageStore(%s, %s, %s)",
             clike_value(p, in->v[0]), texel(p, in->v[1]), clike_value(p, in->v[2]));
    clike_end(p);
    return true;
}

bool clike_image_op(struct clike *p, const struct spv_inst *in, bool *mine)
{
    *mine = in->result && p->f->id[in->result].place == FORM_OPAQUE; // printed at its uses
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !*mine; i++)
        if (functions[i].op == in->op) {
            clike_result(p, in);
            text_add(p->out, "%s(%s)", functions[i].name, clike_value(p, in->v[0]));
            clike_end(p);
            return *mine = true;
        }
    if (*mine || (in->op != SpvOpImageWrite &&
                  (!in->n || !in->type || p->f->id[in->v[0]].place != FORM_OPAQUE)))
        return true;
    if (in->op == SpvOpImageWrite)
        return *mine = write(p, in);
    const char *text = asked(p, in);
    if (!text)
        return clike_refuse(p, in, "its operands are not supported");
    // All our integers are unsigned; GLSL returns signed ones, or the image's type.
    clike_result(p, in);
    text_add(p->out, "%s",
             form_floats(p->f, in->type)
                 ? text
                 : arena_printf(p->f->arena, "%s(%s)", clike_type(p, in->type), text));
    clike_end(p);
    return *mine = true;
}
