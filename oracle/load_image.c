// SPDX-License-Identifier: Apache-2.0
//
// Decodes instructions on images and samplers: descriptors, kinds of instructions, operands.
#include "load.h"

bool load_image_knows(uint32_t op)
{
    switch (op) {
    case SpvOpSampledImage:
    case SpvOpImage:
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageDrefGather:
    case SpvOpImageGather:
    case SpvOpImageFetch:
    case SpvOpImageRead:
    case SpvOpImageWrite:
    case SpvOpImageTexelPointer:
    case SpvOpImageQuerySize:
    case SpvOpImageQuerySizeLod:
    case SpvOpImageQueryLod:
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
        return true;
    default:
        return false;
    }
}

static bool compares_depth(uint32_t op)
{
    return op == SpvOpImageSampleDrefImplicitLod || op == SpvOpImageSampleDrefExplicitLod ||
           op == SpvOpImageSampleProjDrefImplicitLod || op == SpvOpImageSampleProjDrefExplicitLod ||
           op == SpvOpImageDrefGather;
}

// Adds a move to the result's one or two planes.
static struct inst *moves(struct code *c)
{
    struct inst *i = code_add(c, IN_MOVE);
    i->moves = ARENA_ARRAY(c->p->arena, struct move, 2);
    return i;
}

static void move(struct inst *i, uint32_t from)
{
    i->moves[i->n] = (struct move){i->dst + i->n, from};
    i->n++;
}

bool load_descriptor(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const uint32_t pointer = c->p->plane[s->v[0]];
    if (code_type(c, s->result) != &c->p->types[code_type(c, s->v[0])->elem])
        return code_invalid(c, "value and pointer are of different types");
    if (pointer == NONE)
        return code_unknown_pointer(c, s->v[0], "a descriptor from an unknown pointer");
    struct inst *i = moves(c);
    for (uint32_t k = 0; k < code_type(c, s->result)->cells; k++)
        move(i, pointer);
    c->info[s->result] = c->info[s->v[0]];
    return true;
}

// OpSampledImage, OpImage: combine an image with a sampler, or extract the image.
static bool sampled_image(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    uint32_t image, sampler = NONE;
    const bool both = s->op == SpvOpSampledImage;
    if (!code_operand(c, s->v[0], &image) || (both && !code_operand(c, s->v[1], &sampler)))
        return false;
    if (code_type(c, s->v[0])->kind != (both ? TY_IMAGE : TY_SAMPLED) ||
        (both && code_type(c, s->v[1])->kind != TY_SAMPLER))
        return code_invalid(c, "its operands are not of its kind");
    struct inst *i = moves(c);
    move(i, image);
    if (both)
        move(i, sampler);
    c->info[s->result] = c->info[s->v[0]];
    if (both)
        c->info[s->result].is_static &= c->info[s->v[1]].is_static;
    return true;
}

static uint32_t axes_of(uint32_t dim)
{
    switch (dim) {
    case SpvDim1D:
    case SpvDimBuffer:
        return 1;
    case SpvDim2D:
        return 2;
    case SpvDim3D:
    case SpvDimCube:
        return 3;
    default:
        return 0;
    }
}

static bool non_uniform(const struct code *c, uint32_t id, const struct image_type *t)
{
    enum image_array kind = t->dim == SpvDimBuffer
                                ? t->storage ? ARRAY_STORAGE_TEXEL : ARRAY_UNIFORM_TEXEL
                            : t->storage ? ARRAY_STORAGE
                                         : ARRAY_SAMPLED;
    return c->non_uniform[id] && c->p->has_image_array[kind];
}

// Decodes the image operands, which are in the order of their bits.
static bool image_operands(struct code *c, uint32_t at, struct image_op *o, uint16_t *order)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    uint32_t access[3] = {0}, n = 1, skipped;
    if (at >= s->n)
        return load_order_of_access(c, SpvStorageClassImage, c->info[s->v[0]].coherent, NULL, 0,
                                    order);
    const uint32_t mask = s->v[at++];
    const struct {
        uint32_t bit;
        uint32_t *plane;
        uint32_t ids;
    } rows[] = {
        {SpvImageOperandsBiasMask, &o->bias, 1},
        {SpvImageOperandsLodMask, &o->lod, 1},
        {SpvImageOperandsGradMask, &o->dx, 2},
        {SpvImageOperandsConstOffsetMask, &o->offset, 1},
        {SpvImageOperandsOffsetMask, &o->offset, 1},
        {SpvImageOperandsConstOffsetsMask, &skipped, 1},
        {SpvImageOperandsSampleMask, &o->sample, 1},
        {SpvImageOperandsMinLodMask, &o->min_lod, 1},
    };
    uint32_t known = SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsMakeTexelAvailableMask |
                     SpvImageOperandsMakeTexelVisibleMask | SpvImageOperandsVolatileTexelMask |
                     SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask |
                     SpvImageOperandsNontemporalMask;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        known |= rows[k].bit;
        if (!(mask & rows[k].bit))
            continue;
        if (at + rows[k].ids > s->n)
            return code_invalid(c, "has too few image operands");
        if (!code_operand(c, s->v[at], rows[k].plane) ||
            (rows[k].ids > 1 && !code_operand(c, s->v[at + 1], &o->dy)))
            return false;
        at += rows[k].ids;
    }
    if (mask & ~known)
        return code_unsupported(c, "a newer image operand");
    if (mask & SpvImageOperandsNonPrivateTexelMask)
        access[0] = SpvMemoryAccessNonPrivatePointerMask;
    for (int k = 0; k < 2; k++)
        if (mask &
            (k ? SpvImageOperandsMakeTexelVisibleMask : SpvImageOperandsMakeTexelAvailableMask)) {
            access[0] |=
                k ? SpvMemoryAccessMakePointerVisibleMask : SpvMemoryAccessMakePointerAvailableMask;
            if (at >= s->n)
                return code_invalid(c, "has too few image operands");
            access[n++] = s->v[at++];
        }
    return load_order_of_access(c, SpvStorageClassImage, c->info[s->v[0]].coherent, access, n,
                                order);
}

// Sets the kind of instruction. Returns the position of its image operands.
static uint32_t kind_of(const struct spv_inst *s, struct image_op *o)
{
    switch (s->op) {
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageSampleExplicitLod:
        o->kind = IMAGE_SAMPLE;
        o->implicit =
            s->op == SpvOpImageSampleImplicitLod || s->op == SpvOpImageSampleProjImplicitLod;
        o->projective =
            s->op == SpvOpImageSampleProjImplicitLod || s->op == SpvOpImageSampleProjExplicitLod;
        return 2;
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
        o->kind = IMAGE_SAMPLE;
        o->implicit = s->op == SpvOpImageSampleDrefImplicitLod ||
                      s->op == SpvOpImageSampleProjDrefImplicitLod;
        o->projective = s->op == SpvOpImageSampleProjDrefImplicitLod ||
                        s->op == SpvOpImageSampleProjDrefExplicitLod;
        return 3;
    case SpvOpImageDrefGather:
        o->kind = IMAGE_GATHER;
        return 3;
    case SpvOpImageQueryLod:
        o->kind = IMAGE_LOD;
        o->implicit = true;
        return 2;
    case SpvOpImageGather:
        o->kind = IMAGE_GATHER;
        return 3;
    case SpvOpImageFetch:
        o->kind = IMAGE_FETCH;
        return 2;
    case SpvOpImageRead:
        o->kind = IMAGE_READ;
        return 2;
    case SpvOpImageWrite:
        o->kind = IMAGE_WRITE;
        return 3;
    case SpvOpImageTexelPointer:
        o->kind = IMAGE_POINTER;
        return 3;
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
        o->kind = s->op == SpvOpImageQueryLevels ? IMAGE_LEVELS : IMAGE_SAMPLES;
        return 1;
    default:
        o->kind = IMAGE_SIZE;
        return 2; // SpvOpImageQuerySizeLod, SpvOpImageQuerySize
    }
}

static bool is_query(const struct image_op *o)
{
    return o->kind == IMAGE_SIZE || o->kind == IMAGE_LEVELS || o->kind == IMAGE_SAMPLES;
}

static bool with_sampler(const struct image_op *o)
{
    return o->kind == IMAGE_SAMPLE || o->kind == IMAGE_GATHER || o->kind == IMAGE_LOD;
}

// Rejects an instruction; the reason names the image's type instead of the instruction.
static bool unsupported_type(struct code *c, const char *what)
{
    code_unsupported(c, what);
    c->why->op = SpvOpTypeImage;
    return false;
}

// Sets the image that the instruction uses. False if it is invalid or unsupported.
static bool image_of(struct code *c, struct image_op *o)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const struct type *t = code_type(c, s->v[0]);
    if (o->kind == IMAGE_POINTER) {
        if (t->kind != TY_POINTER || c->p->plane[s->v[0]] == NONE)
            return code_unknown_pointer(c, s->v[0], "a texel of an unknown image");
        t = &c->p->types[t->elem];
    }
    if (!code_operand(c, s->v[0], &o->image))
        return false;
    if (t->kind != (with_sampler(o) ? TY_SAMPLED : TY_IMAGE))
        return code_invalid(c, with_sampler(o) ? "its operand is not a sampled image"
                                               : "its operand is not an image");
    o->sampler = with_sampler(o) ? o->image + 1 : NONE;
    o->type = t->image;
    o->axes = (uint8_t)axes_of(t->image->dim);
    if (!o->axes || (t->image->multisampled && t->image->dim != SpvDim2D))
        return unsupported_type(c, "rectangles, input attachments");
    if (!t->image->texel)
        return unsupported_type(c, "an image whose components are not of 32 bits");
    const bool storage =
        o->kind == IMAGE_READ || o->kind == IMAGE_WRITE || o->kind == IMAGE_POINTER;
    if (storage ? !t->image->storage : !is_query(o) && t->image->storage)
        return code_invalid(c, storage ? "its image is not a storage image"
                                       : "its image cannot be sampled");
    return true;
}

// Decodes the coordinates: as many as the image requires, 32-bit floats for sampling, 32-bit
// integers otherwise.
static bool coordinates(struct code *c, struct image_op *o)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const struct type *t = code_type(c, s->v[1]);
    const struct type *scalar = t->kind == TY_VECTOR ? &c->p->types[t->elem] : t;
    if (!code_operand(c, s->v[1], &o->coordinate))
        return false;
    if (scalar->kind != (with_sampler(o) ? TY_FLOAT : TY_INT) || scalar->width != 32)
        return code_unsupported(c, "coordinates that are not of 32 bits");
    const uint32_t layer = o->type->arrayed && o->kind != IMAGE_LOD &&
                           !(o->type->dim == SpvDimCube && !with_sampler(o));
    return t->cells >= o->axes + layer + (uint32_t)o->projective ||
           code_invalid(c, "has too few coordinates");
}

bool load_image(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    if (s->op == SpvOpSampledImage || s->op == SpvOpImage)
        return sampled_image(c);
    if (compares_depth(s->op) && !p->assumed) // samplers of a case do not compare
        return why_set(&p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "%s at %%%u",
                       spv_op_name(s->op), s->result);
    if (!p->rules->images)
        return code_unsupported(c,
                                arena_printf(p->arena, "an image in a %s shader", p->stage->name));
    struct image_op *o = ARENA_NEW(p->arena, struct image_op);
    *o = (struct image_op){.sampler = NONE,
                           .coordinate = NONE,
                           .offset = NONE,
                           .lod = NONE,
                           .bias = NONE,
                           .min_lod = NONE,
                           .dx = NONE,
                           .dy = NONE,
                           .texel = NONE,
                           .sample = NONE,
                           .depth = NONE};
    const uint32_t at = kind_of(s, o);
    uint16_t order;
    if (!image_of(c, o))
        return false;
    if (!is_query(o) && !coordinates(c, o))
        return false;
    if (o->implicit && p->quads == SPV_QUADS_OF_LANES) // R8
        return why_set(&p->m, c->why, RAN_INVALID, "R8", c->spv,
                       "a compute shader needs DerivativeGroupQuadsKHR or DerivativeGroupLinearKHR "
                       "for it (R8)");
    if (s->op == SpvOpImageQuerySizeLod && !code_operand(c, s->v[1], &o->lod))
        return false;
    const bool compares = compares_depth(s->op);
    if (compares && !code_operand(c, s->v[2], &o->depth))
        return false;
    if (compares && code_type(c, s->v[2])->width != 32)
        return code_unsupported(c, "a comparison with a number that is not of 32 bits");
    if ((o->kind == IMAGE_GATHER || o->kind == IMAGE_WRITE) && !compares &&
        !code_operand(c, s->v[2], &o->texel))
        return false;
    if (o->kind == IMAGE_POINTER && o->type->multisampled && !code_operand(c, s->v[2], &o->sample))
        return false;
    if (!image_operands(c, at, o, &order)) // spv_module_read has checked the other operands' number
        return false;
    if (!is_query(o) && (o->sample != NONE) != o->type->multisampled)
        return code_invalid(c, o->type->multisampled ? "names no sample of its image"
                                                     : "its image has one sample");
    o->non_uniform = non_uniform(c, s->v[0], o->type);
    o->any_sampler = c->non_uniform[s->v[0]] && p->has_image_array[ARRAY_SAMPLED];
    const struct pointer_info *info = &c->info[s->v[0]];
    const bool separate = o->non_uniform || info->is_static;
    struct inst *i = code_add(c, o->implicit || !separate ? IN_TOGETHER : IN_IMAGE);
    const struct type *value = s->result ? &p->types[s->type] : code_type(c, s->v[2]);
    i->image = o;
    i->a = o->image;
    i->b = o->texel;
    i->width = 32;
    i->comps = value->cells;
    i->order = order;
    i->space = ORDER_IMAGE;
    if (value->cells > 4 || (o->kind != IMAGE_POINTER && value->width != 32))
        return code_unsupported(c, "a value that is not of up to four 32-bit components");
    if (o->kind == IMAGE_WRITE)
        load_mark_written(p, info->object);
    if (s->result)
        load_quieten(c, s->type, i->dst);
    return true;
}
