// SPDX-License-Identifier: Apache-2.0
//
// Images (SPIR-V 3.3.10; Vulkan, "Image Operations"). All texels of a level of a sampled image have
// the same value, so a sample's result depends only on its level (image_lod.c). A storage image is
// memory like a buffer (memory.c), at the address of a texel.
#include "image.h"

#include <string.h>

// ---- descriptors ----------------------------------------------------------------

// Returns the descriptor that a lane's value refers to. False if the run has failed.
static bool descriptor(struct machine *m, const struct inst *i, uint32_t lane, uint32_t plane,
                       struct bound *out)
{
    if (!lane_in(m->v.defined[plane], lane)) {
        if (m->group->run->trace)
            trace_fault(m, plane, lane_bit(lane));
        return machine_fail(m, RAN_UNDEFINED, "E-pointer", i->spv, lane_bit(lane),
                            "the choice of the descriptor depends on an undefined value");
    }
    const uint64_t pointer = plane_of(&m->v, plane)[lane];
    out->object = pointer_object(pointer);
    out->element = (uint32_t)pointer_offset(pointer);
    if (out->object < m->p->object_count) {
        out->state = &m->group->run->buffers[out->object];
        if (out->element < out->state->descriptors)
            return true;
    }
    return machine_fail(m, RAN_UNDEFINED, "E-bounds", i->spv, lane_bit(lane),
                        "the index is outside the array of descriptors");
}

// True if all lanes of the tangle use the same descriptor (R10). Otherwise the run fails.
static bool same_descriptor(struct machine *m, const struct inst *i, uint32_t plane)
{
    const uint64_t *x = plane_of(&m->v, plane);
    lane_mask other = 0;
    LANES_EACH (l, m->v.active & m->v.defined[plane])
        other |= x[l] != x[lane_first(m->v.active & m->v.defined[plane])] ? lane_bit(l) : 0;
    return !other ||
           machine_fail(
               m, RAN_UNDEFINED, "E-uniform", i->spv, other, // R10
               "the descriptor is not the same in the tangle, and is not decorated NonUniform "
               "with the capability for it");
}

// ---- texels ---------------------------------------------------------------------

// Returns component k of a texel whose format lacks it: those of (0, 0, 0, 1).
static uint64_t missing(char texel, uint32_t k)
{
    return k < 3 ? 0 : texel == 'f' ? UINT64_C(0x3f800000) : 1;
}

static void give(const struct values *v, uint32_t plane, uint32_t lane, uint64_t value, bool ok)
{
    if (ok)
        plane_of(v, plane)[lane] = value;
    v->defined[plane] = (v->defined[plane] & ~lane_bit(lane)) | (ok ? lane_bit(lane) : 0);
}

// Stores the value of a level. If `only` is not NONE, all components get that component's value.
// Undefined if the levels differ.
static void give_level(const struct machine *m, const struct inst *i, uint32_t lane,
                       const struct bound *b, struct levels levels, uint32_t only, bool ok)
{
    const struct spv_image *x = b->state->image;
    const uint32_t n = spv_texel_components(x->form.texel);
    const uint32_t *texel =
        x->values + ((size_t)b->element * x->levels + (ok ? levels.first : 0)) * n;
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint32_t from = only == NONE ? k : only;
        bool same = true; // equal in all of these levels
        for (uint32_t more = 1; from < n && ok && more <= levels.last - levels.first; more++)
            same &= texel[more * n + from] == texel[from];
        give(&m->v, i->dst + k, lane,
             from < n ? texel[from] : missing(spv_texel_type(x->form.texel), from), ok && same);
    }
}

// Stores 1 where the number is at most the depth of the level, else 0: assumed samplers compare so.
// Undefined if the levels differ.
static void compare_level(const struct machine *m, const struct inst *i, uint32_t lane,
                          const struct bound *b, struct levels levels, bool ok)
{
    const struct spv_image *x = b->state->image;
    const uint32_t n = spv_texel_components(x->form.texel);
    const uint32_t *texel = x->values + ((size_t)b->element * x->levels + levels.first) * n;
    const struct exact by = float_operand(i, &m->v, i->image->depth, lane);
    bool less = false, same = true;
    for (uint32_t k = 0; ok && k <= levels.last - levels.first; k++) {
        const struct exact depth = exact_decode(texel[k * n], 32);
        const bool now = exact_compare(by, depth) <= 0;
        same &= depth.ok && (!k || now == less);
        less = now;
    }
    for (uint32_t k = 0; k < i->comps; k++)
        give(&m->v, i->dst + k, lane, less ? UINT64_C(0x3f800000) : 0, ok && same && by.ok);
}

// Returns the number of texels of a level along each axis, layers last, and the number of axes.
static uint32_t extents(const struct bound *b, uint32_t level, uint32_t out[4])
{
    const struct spv_image_form *f = b->state->form;
    const bool cube = f->shape == SPV_IMAGE_CUBE || f->shape == SPV_IMAGE_CUBE_ARRAY;
    uint32_t n = cube ? 2 : spv_image_axes(f->shape);
    for (uint32_t k = 0; k < n; k++)
        out[k] = f->size[k] >> level ? f->size[k] >> level : 1;
    if (spv_image_layered(f->shape))
        out[n++] = f->layers;
    return n;
}

// Returns the index of the texel at a lane's integer coordinates, whether it is inside the level,
// and whether a coordinate is negative. A cube's third coordinate is the face, counted over all
// layers. False if the run has failed.
static bool texel_at(struct machine *m, const struct inst *i, uint32_t lane, const struct bound *b,
                     uint32_t level, uint64_t *texel, bool *inside, bool *below)
{
    const struct image_op *o = i->image;
    uint32_t size[4], n = extents(b, level, size);
    if (o->type->dim == SpvDimCube) {
        size[2] = 6 * b->state->form->layers;
        n = 3;
    }
    *texel = b->element;
    *inside = true;
    *below = false;
    for (uint32_t k = n; k-- > 0;) {
        const bool moved = o->offset != NONE && k < o->axes;
        const uint32_t unknown = !lane_in(m->v.defined[o->coordinate + k], lane) ? o->coordinate + k
                                 : moved && !lane_in(m->v.defined[o->offset + k], lane)
                                     ? o->offset + k
                                     : NONE;
        if (unknown != NONE) {
            if (m->group->run->trace)
                trace_fault(m, unknown, lane_bit(lane));
            return machine_fail(m, RAN_UNDEFINED, "E-pointer", i->spv, lane_bit(lane),
                                "the coordinates depend on an undefined value");
        }
        int64_t x = (int32_t)plane_of(&m->v, o->coordinate + k)[lane];
        if (moved)
            x += (int32_t)plane_of(&m->v, o->offset + k)[lane];
        *inside &= x >= 0 && x < size[k];
        *below |= x < 0;
        *texel = *texel * size[k] + (*inside ? (uint64_t)x : 0);
    }
    if (o->sample == NONE)
        return true;
    if (!lane_in(m->v.defined[o->sample], lane))
        return machine_fail(m, RAN_UNDEFINED, "E-pointer", i->spv, lane_bit(lane),
                            "the sample depends on an undefined value");
    const uint64_t sample = plane_of(&m->v, o->sample)[lane];
    *inside &= sample < SPV_IMAGE_SAMPLES;
    *texel = *texel * SPV_IMAGE_SAMPLES + (*inside ? sample : 0);
    return true;
}

// An access outside of the image. A write is discarded (Vulkan, "Image Writes"). A read is zero for
// a run that assumes robustImageAccess; otherwise the run fails.
// `below`: a coordinate is negative, so that no size of the image has it.
static bool out_of_image(struct machine *m, const struct inst *i, uint32_t lane, bool below)
{
    if (i->dst == NONE)
        return true;
    if (m->group->run->o.robust_images && m->group->run->trace) {
        trace_outside(m, i, below);
        for (uint32_t k = 0; k < i->comps; k++) {
            give(&m->v, i->dst + k, lane, 0, true);
            trace_known(m, i->dst + k, lane);
        }
        return true;
    }
    return machine_fail(m, RAN_UNDEFINED, "E-bounds", i->spv, lane_bit(lane),
                        "the texel is outside of the image");
}

// ---- instructions ---------------------------------------------------------------

static bool fetch(struct machine *m, const struct inst *i, uint32_t lane, const struct bound *b)
{
    const struct image_op *o = i->image;
    uint64_t level = 0, texel;
    bool inside, below;
    if (o->lod != NONE) {
        if (!lane_in(m->v.defined[o->lod], lane))
            return machine_fail(m, RAN_UNDEFINED, "E-pointer", i->spv, lane_bit(lane),
                                "the level depends on an undefined value");
        level = plane_of(&m->v, o->lod)[lane];
    }
    if (level >= b->state->image->levels)
        return out_of_image(m, i, lane, false);
    if (!texel_at(m, i, lane, b, (uint32_t)level, &texel, &inside, &below))
        return false;
    if (!inside)
        return out_of_image(m, i, lane, below);
    give_level(m, i, lane, b, (struct levels){(uint32_t)level, (uint32_t)level}, NONE, true);
    return true;
}

static bool access(struct machine *m, const struct inst *i, uint32_t lane, const struct bound *b)
{
    const struct image_op *o = i->image;
    const struct values *v = &m->v;
    const uint32_t n = spv_texel_components(b->state->form->texel);
    const bool reads = o->kind == IMAGE_READ;
    uint64_t texel;
    bool inside, below;
    if (!texel_at(m, i, lane, b, 0, &texel, &inside, &below))
        return false;
    if (o->kind == IMAGE_POINTER) {
        give(v, i->dst, lane,
             inside ? pointer_make(b->object, texel * n * 4) : pointer_make(POINTER_BAD, 0), true);
        return true;
    }
    if (!inside)
        return out_of_image(m, i, lane, below);
    if (!reads && i->comps < n)
        return machine_fail(m, RAN_INVALID, NULL, i->spv, lane_bit(lane),
                            "the image has more components than the instruction writes");
    order_note(m, i, ORDER_IMAGE, lane_bit(lane), !reads);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t plane = (reads ? i->dst : i->b) + k;
        if (reads && k >= i->comps)
            break;
        if (!memory_word(m, i, lane, b->object, (texel * n + k) * 4, reads, plane))
            return false;
    }
    for (uint32_t k = n; reads && k < i->comps; k++)
        give(v, i->dst + k, lane, missing(spv_texel_type(b->state->form->texel), k), true);
    return true;
}

static void size(const struct machine *m, const struct inst *i, uint32_t lane,
                 const struct bound *b)
{
    const struct image_op *o = i->image;
    const uint32_t levels = b->state->image ? b->state->image->levels : 1;
    uint32_t out[4] = {0};
    uint64_t level = 0;
    bool ok = true;
    if (o->lod != NONE) {
        ok = lane_in(m->v.defined[o->lod], lane);
        level = plane_of(&m->v, o->lod)[lane];
    }
    ok = ok && level < levels;
    const uint32_t n = extents(b, ok ? (uint32_t)level : 0, out);
    for (uint32_t k = 0; k < i->comps; k++)
        give(&m->v, i->dst + k, lane, out[k], ok && k < n);
}

static void query_lod(const struct machine *m, const struct inst *i, uint32_t lane,
                      const struct bound *image, const struct bound *sampler)
{
    struct levels level;
    uint64_t bits = 0;
    bool ok = image_levels(m, i, lane, image, sampler, &level);
    ok = ok && level.first == level.last && exact_encode(exact_int(level.first), 32, &bits);
    give(&m->v, i->dst, lane, bits, ok);
    for (uint32_t k = 1; k < i->comps; k++) // the unclamped LOD, which may be approximated (R11)
        give(&m->v, i->dst + k, lane, 0, false);
}

static bool coordinates_known(const struct machine *m, const struct image_op *o, uint32_t lane)
{
    bool ok = true;
    const uint32_t n = o->axes + (uint32_t)o->type->arrayed + (uint32_t)o->projective;
    for (uint32_t k = 0; k < n; k++)
        ok &= lane_in(m->v.defined[o->coordinate + k], lane);
    for (uint32_t k = 0; k < o->axes && o->offset != NONE; k++)
        ok &= lane_in(m->v.defined[o->offset + k], lane);
    return ok;
}

static bool sample(struct machine *m, const struct inst *i, uint32_t lane,
                   const struct bound *image)
{
    const struct image_op *o = i->image;
    struct bound sampler;
    struct levels level = {0};
    if (!descriptor(m, i, lane, o->sampler, &sampler))
        return false;
    if (!image->state->image || !sampler.state->sampler)
        return machine_fail(m, RAN_UNSUPPORTED, NULL, i->spv, lane_bit(lane),
                            "a descriptor whose kind has changed");
    if (sampler.state->sampler->linear && o->type->texel != 'f')
        return machine_fail(
            m, RAN_INVALID, NULL, i->spv, lane_bit(lane),
            "the sampler filters linearly between levels, but the image has integer components");
    if (o->kind == IMAGE_LOD) {
        query_lod(m, i, lane, image, &sampler);
        return true;
    }
    bool ok = coordinates_known(m, o, lane);
    uint32_t only = NONE;
    if (o->kind == IMAGE_GATHER && o->depth == NONE) {
        only = (uint32_t)plane_of(&m->v, o->texel)[lane];
        ok = ok && lane_in(m->v.defined[o->texel], lane) && only < 4;
        only = ok ? only : 0;
    } else if (o->kind != IMAGE_GATHER) {
        ok = image_levels(m, i, lane, image, &sampler, &level) && ok;
    }
    if (o->depth != NONE)
        compare_level(m, i, lane, image, ok ? level : (struct levels){0, 0}, ok);
    else
        give_level(m, i, lane, image, level, only, ok);
    return true;
}

static bool one_lane(struct machine *m, const struct inst *i, uint32_t lane)
{
    const struct image_op *o = i->image;
    struct bound b;
    if (!descriptor(m, i, lane, o->image, &b))
        return false;
    if (!b.state->form || (b.state->image != NULL) == o->type->storage)
        return machine_fail(m, RAN_UNSUPPORTED, NULL, i->spv, lane_bit(lane),
                            "a descriptor whose kind has changed");
    switch (o->kind) {
    case IMAGE_SAMPLE:
    case IMAGE_GATHER:
    case IMAGE_LOD:
        return sample(m, i, lane, &b);
    case IMAGE_FETCH:
        return fetch(m, i, lane, &b);
    case IMAGE_SIZE:
        size(m, i, lane, &b);
        return true;
    case IMAGE_LEVELS:
        give(&m->v, i->dst, lane, b.state->image ? b.state->image->levels : 1, true);
        return true;
    case IMAGE_SAMPLES:
        give(&m->v, i->dst, lane, spv_image_samples(b.state->form->shape), true);
        return true;
    default:
        return access(m, i, lane, &b);
    }
}

bool image_run(struct machine *m, const struct inst *i)
{
    const struct image_op *o = i->image;
    const lane_mask active = m->v.active;
    if ((!o->non_uniform && !same_descriptor(m, i, o->image)) ||
        (!o->any_sampler && o->sampler != NONE && !same_descriptor(m, i, o->sampler)))
        return false;
    if (o->implicit) {
        lane_mask cut = 0;
        LANES_EACH (l, active)
            cut |= quad_of(l) & ~active ? lane_bit(l) : 0; // fragment shaders have no images
        if (cut)                                           // R8
            return machine_fail(m, RAN_UNDEFINED, "E-derivative", i->spv, cut,
                                "its level comes from derivatives, and not all four invocations of "
                                "the quad are active");
    }
    LANES_EACH (l, active)
        if (!one_lane(m, i, l))
            return false;
    return true;
}
