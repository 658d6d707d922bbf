// SPDX-License-Identifier: Apache-2.0
//
// The level that a sample reads (Vulkan, "Scale Factor Operation", "LOD Operation", "Image Level(s)
// Selection").
//
// An implementation may approximate: the scale factor is between the largest magnitude of a
// derivative in texels and sqrt(2) times the sum of the magnitudes; the LOD has a limited number of
// fraction bits; a LOD halfway between two levels is rounded in either direction; derivatives may
// be fine or coarse (R9). So this file computes bounds of the LOD that cover all of these. The
// level is known if both bounds select it (R11).
#include "image.h"

#include <math.h>

// The least and the greatest value that an implementation may compute.
struct bounds {
    double low, high;
};

// A LOD has at least 4 bits of fraction (mipmapPrecisionBits).
static const double fraction = 1.0 / 16;

// Every implementation supports a bias of this magnitude (maxSamplerLodBias is at least 2).
static const double sure_bias = 2;

static double double_of(struct exact x)
{
    const double v = ldexp((double)x.m, x.e);
    return x.neg ? -v : v;
}

static bool value_of(const struct machine *m, const struct inst *i, uint32_t plane, uint32_t lane,
                     struct exact *out)
{
    *out = float_operand(i, &m->v, plane, lane);
    return out->ok;
}

// Returns bounds of the magnitude of a coordinate's derivative along an axis of the quad: x (step
// 1) or y (step 2). R9: the difference of the lane's own row or column, or that of the other one.
static bool difference(const struct machine *m, const struct inst *i, uint32_t plane, uint32_t lane,
                       unsigned step, struct bounds *out)
{
    const uint32_t quad = lane & ~(SPV_QUAD - 1u);
    *out = (struct bounds){INFINITY, 0};
    for (unsigned at = 0; at < SPV_QUAD; at++) {
        struct exact from, to;
        if (at & step)
            continue;
        if (!value_of(m, i, plane, quad + at, &from) ||
            !value_of(m, i, plane, quad + (at | step), &to))
            return false;
        const struct exact d = exact_add(to, exact_negate(from));
        if (!d.ok)
            return false;
        out->low = fmin(out->low, fabs(double_of(d)));
        out->high = fmax(out->high, fabs(double_of(d)));
    }
    return true;
}

// Returns bounds of log2 of the scale factor, from derivatives.
static bool of_derivatives(const struct machine *m, const struct inst *i, uint32_t lane,
                           const struct spv_image_form *f, struct bounds *out)
{
    const struct image_op *o = i->image;
    *out = (struct bounds){0, 0};
    for (unsigned side = 1; side <= 2; side++) {
        double most = 0, sum = 0;
        for (uint32_t k = 0; k < o->axes; k++) {
            struct bounds d;
            struct exact x;
            if (o->implicit) {
                if (!difference(m, i, o->coordinate + k, lane, side, &d))
                    return false;
            } else {
                if (!value_of(m, i, (side == 1 ? o->dx : o->dy) + k, lane, &x))
                    return false;
                d.low = d.high = fabs(double_of(x));
            }
            most = fmax(most, d.low * f->size[k]);
            sum += d.high * f->size[k];
        }
        out->low = fmax(out->low, most);
        out->high = fmax(out->high, sqrt(2) * sum);
    }
    out->low = log2(out->low);
    out->high = log2(out->high);
    if (o->type->dim == SpvDimCube ||
        o->projective) // depends on the derivatives of a face or a quotient
        *out = (struct bounds){-INFINITY, INFINITY};
    return true;
}

// True if all lanes of the quad use one descriptor. Otherwise an implicit LOD is undefined
// (quadDivergentImplicitLod is not assumed).
static bool one_descriptor(const struct machine *m, const struct image_op *o, uint32_t lane)
{
    const uint64_t *x = plane_of(&m->v, o->image), *y = plane_of(&m->v, o->sampler);
    bool same = true;
    LANES_EACH (q, quad_of(lane))
        same &= x[q] == x[lane] && y[q] == y[lane];
    return same;
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static bool lod(const struct machine *m, const struct inst *i, uint32_t lane,
                const struct bound *image, const struct bound *sampler, struct bounds *out)
{
    const struct image_op *o = i->image;
    struct exact x;
    if (o->implicit && !one_descriptor(m, o, lane))
        return false;
    if (o->implicit || o->dx != NONE) {
        if (!of_derivatives(m, i, lane, image->state->form, out))
            return false;
    } else {
        if (o->lod == NONE || !value_of(m, i, o->lod, lane, &x))
            return false;
        out->low = out->high = double_of(x);
    }
    if (o->bias != NONE) {
        if (!value_of(m, i, o->bias, lane, &x))
            return false;
        const double bias = double_of(x), least = clamp(bias, -sure_bias, sure_bias);
        out->low += fmin(bias, least);
        out->high += fmax(bias, least);
    }
    const float *limits = sampler->state->sampler->lod + (size_t)2 * sampler->element;
    double low = limits[0];
    const double high = limits[1];
    if (o->min_lod != NONE) {
        if (!value_of(m, i, o->min_lod, lane, &x))
            return false;
        low = fmax(low, double_of(x));
    }
    if (low > high)
        return false;
    out->low = clamp(out->low, low, high);
    out->high = clamp(out->high, low, high);
    return true;
}

bool image_levels(const struct machine *m, const struct inst *i, uint32_t lane,
                  const struct bound *image, const struct bound *sampler, struct levels *out)
{
    struct bounds b;
    if (!lod(m, i, lane, image, sampler, &b))
        return false;
    const double last = image->state->image->levels - 1;
    b.low = clamp(b.low, 0, last);
    b.high = clamp(b.high, 0, last);
    if (sampler->state->sampler->linear) {
        out->first = out->last = (uint32_t)b.low;
        return b.low == b.high && b.low == floor(b.low);
    }
    out->first = (uint32_t)clamp(ceil(b.low - 0.5 - fraction), 0, last);
    out->last = (uint32_t)clamp(floor(b.high + 0.5 + fraction), 0, last);
    return true;
}
