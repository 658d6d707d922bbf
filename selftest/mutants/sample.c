// SPDX-License-Identifier: Apache-2.0
//
// Transformations that treat samples and images like other arithmetic: an implicit LOD, which is a
// quad operation, sinks to its use; the choice of a sampler becomes an index without NonUniform;
// levels, biases and gradients are dropped; a texel is read before a write.
#include "ir.h"

bool ir_is_sample(const struct spv_node *i)
{
    return i->op == SpvOpImageSampleImplicitLod || i->op == SpvOpImageQueryLod;
}

static uint32_t of_samples(struct ir *m, mut_edit *edit)
{
    m->only = IR_SAMPLES;
    return edit(m);
}

MUT_EDIT(sink_sample_into_arm, of_samples, sink_into_arm)
MUT_EDIT(sink_sample_into_case, of_samples, sink_into_case)
MUT_EDIT(sink_sample_into_loop, of_samples, sink_into_loop)
MUT_EDIT(dup_sample_into_arms, of_samples, dup_into_arms)
MUT_EDIT(dup_sample_into_exits, of_samples, dup_into_exits)

// ---- OpSampledImage must be in the block of its uses -----------------------------------------

void ir_bring_images(struct ir *m)
{
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++) {
            struct spv_node *x = b->body.v[i];
            if (spv_op_class(x->op) != SPV_CLASS_IMAGE || x->op == SpvOpSampledImage || !x->n)
                continue;
            struct spv_node *both = ir_def(m, x->v[0]);
            if (!both || both->op != SpvOpSampledImage || both->block == b)
                continue;
            uint32_t *map = ir_map(m);
            struct spv_node *copy = ir_copy(m, both, map);
            ir_put(m, b, i++, copy);
            x->v[0] = copy->result;
        }
    }
}

// ---- each instruction of a kind ----------------------------------------------------------------

typedef bool change(struct ir *m, struct spv_edit_block *b, size_t at); // may change body[at]

static uint32_t each(struct ir *m, change *edit)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n; i++) {
            const size_t before = b->body.n;
            places += edit(m, b, i);
            i += b->body.n - before; // skip what it inserted before
        }
    }
    return places;
}

static uint32_t f32(struct ir *m)
{
    return SPV_EDIT_DECLARE(&m->e, SpvOpTypeFloat, 0, 32);
}

// Replaces the instruction by another one with the same result.
static void replace(struct ir *m, struct spv_node *x, SpvOp op, const uint32_t *v, uint32_t n)
{
    struct spv_node *y = spv_edit_make(&m->e, op, x->type, x->result, v, n);
    x->op = y->op;
    x->v = y->v;
    x->n = y->n;
}

static bool is_with(const struct spv_node *x, SpvOp op, uint32_t operand)
{
    return x->op == op && x->n > 2 && (x->v[2] & operand);
}

static bool level_zero(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    if (x->op != SpvOpImageSampleImplicitLod)
        return false;
    const uint32_t zero = spv_edit_constant(&m->e, f32(m), 0);
    replace(m, x, SpvOpImageSampleExplicitLod,
            (const uint32_t[]){x->v[0], x->v[1], SpvImageOperandsLodMask, zero}, 4);
    return true;
}

static bool no_bias(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    if (!is_with(x, SpvOpImageSampleImplicitLod, SpvImageOperandsBiasMask))
        return false;
    replace(m, x, x->op, (const uint32_t[]){x->v[0], x->v[1]}, 2);
    return true;
}

static bool no_gradients(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    if (!is_with(x, SpvOpImageSampleExplicitLod, SpvImageOperandsGradMask))
        return false;
    const uint32_t zero = spv_edit_constant(&m->e, f32(m), 0);
    replace(m, x, x->op, (const uint32_t[]){x->v[0], x->v[1], SpvImageOperandsLodMask, zero}, 4);
    return true;
}

static bool no_level(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    const bool fetch = is_with(x, SpvOpImageFetch, SpvImageOperandsLodMask);
    if (!fetch && !is_with(x, SpvOpImageSampleExplicitLod, SpvImageOperandsLodMask))
        return false;
    const struct spv_node *lod = ir_def(m, x->v[3]);
    if (!lod->block)
        return false; // a constant
    x->v[3] = spv_edit_constant(&m->e, lod->type, 0);
    return true;
}

MUT_EDIT(implicit_level_zero, each, level_zero)
MUT_EDIT(bias_lost, each, no_bias)
MUT_EDIT(gradients_lost, each, no_gradients)
MUT_EDIT(level_lost, each, no_level)

// ---- which image, which sampler --------------------------------------------------------------

static bool is_nonuniform(const struct ir *m, uint32_t id)
{
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpDecorate && x->v[0] == id && x->v[1] == SpvDecorationNonUniform)
        return true;
    return false;
}

static uint32_t forget_nonuniform(struct ir *m)
{
    uint32_t n = 0;
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpDecorate && x->v[1] == SpvDecorationNonUniform) {
        spv_edit_drop(&m->e, x->index);
        n++;
    }
    return n;
}

uint32_t nonuniform_lost(struct ir *m)
{
    return forget_nonuniform(m);
}

// True for an access chain into an array of images or samplers.
static bool is_element(const struct ir *m, const struct spv_node *x)
{
    const struct spv_node *v = x->op == SpvOpAccessChain && x->n == 2 ? ir_def(m, x->v[0]) : NULL;
    return v && v->op == SpvOpVariable && v->v[0] == SpvStorageClassUniformConstant;
}

static bool by_first(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    if (!is_element(m, x) || !is_nonuniform(m, x->result))
        return false;
    const uint32_t id = spv_edit_id(&m->e),
                   scope = spv_edit_constant(&m->e, spv_edit_uint(&m->e), SpvScopeSubgroup);
    spv_edit_capability(&m->e, SpvCapabilityGroupNonUniformBallot);
    ir_put(m, b, at,
           IR_MAKE(m, SpvOpGroupNonUniformBroadcastFirst, ir_def(m, x->v[1])->type, id, scope,
                   x->v[1]));
    x->v[1] = id;
    return true;
}

MUT_EDIT(index_is_first, each, by_first)

static bool first_sampler(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_node *x = b->body.v[at];
    const struct spv_node *type = is_element(m, x) ? ir_def(m, ir_def(m, x->type)->v[1]) : NULL;
    uint32_t index;
    if (!type || type->op != SpvOpTypeSampler || (ir_const_value(m, x->v[1], &index) && !index))
        return false;
    x->v[1] = spv_edit_constant(&m->e, spv_edit_uint(&m->e), 0);
    return true;
}

MUT_EDIT(sampler_is_first, each, first_sampler)

// ---- one sample for both arms ----------------------------------------------------------------

// Returns the constant index of the image (0) or the sampler (1) of a sample, and its access chain
// in *chain.
static bool part(const struct ir *m, const struct spv_node *x, uint32_t which,
                 const struct spv_node **chain, uint32_t *index)
{
    const struct spv_node *both = x->n ? ir_def(m, x->v[0]) : NULL;
    if (!both || both->op != SpvOpSampledImage)
        return false;
    const struct spv_node *load = ir_def(m, both->v[which]);
    *chain = load && load->op == SpvOpLoad ? ir_def(m, load->v[0]) : NULL;
    return *chain && is_element(m, *chain) && ir_const_value(m, (*chain)->v[1], index);
}

// True if one sample with selected indices can replace both.
static bool mergeable(const struct ir *m, const struct spv_node *x, const struct spv_node *y)
{
    const struct spv_node *cx, *cy;
    uint32_t ix, iy;
    if (x->op != y->op || x->type != y->type || x->n != y->n || x->n < 2)
        return false;
    for (uint32_t which = 0; which < 2; which++)
        if (!part(m, x, which, &cx, &ix) || !part(m, y, which, &cy, &iy) || cx->v[0] != cy->v[0])
            return false;
    for (uint32_t k = 1; k < x->n; k++)
        if (x->v[k] != y->v[k] && (k == 2 || !ir_same_value(m, x->v[k], y->v[k])))
            return false;
    return true;
}

// Loads images[c ? i : j] at the end of block h.
static uint32_t chosen(struct ir *m, struct spv_edit_block *h, const struct spv_node *x,
                       const struct spv_node *y, uint32_t which)
{
    const struct spv_node *cx, *cy, *load = ir_def(m, ir_def(m, x->v[0])->v[which]);
    uint32_t ix = 0, iy = 0, at;
    CHECK(part(m, x, which, &cx, &ix) && part(m, y, which, &cy, &iy));
    const uint32_t uint = spv_edit_uint(&m->e), chain = spv_edit_id(&m->e), id = spv_edit_id(&m->e);
    const uint32_t a = spv_edit_constant(&m->e, uint, ix), b = spv_edit_constant(&m->e, uint, iy);
    at = a;
    if (ix != iy) {
        at = spv_edit_id(&m->e);
        ir_add(m, h, IR_MAKE(m, SpvOpSelect, uint, at, h->end->v[0], a, b));
    }
    ir_add(m, h, IR_MAKE(m, SpvOpAccessChain, cx->type, chain, cx->v[0], at));
    ir_add(m, h, IR_MAKE(m, SpvOpLoad, load->type, id, chain));
    return id;
}

static bool flatten(struct ir *m, struct spv_edit_block *h, struct spv_node *x, struct spv_node *y)
{
    struct ir_uses slice = {0};
    for (uint32_t k = 1; k < x->n; k++) {
        struct spv_node *d = k == 2 ? NULL : ir_def(m, x->v[k]);
        if (d && d->block && !ir_dominates(d->block, h) && !ir_slice(m, d, h, &slice))
            return false;
        for (size_t j = 0; j < slice.n; j++) {
            ir_take(slice.v[j]->block, slice.v[j]);
            ir_add(m, h, slice.v[j]);
            slice.v[j]->block = h;
        }
        slice = (struct ir_uses){0};
    }
    const uint32_t type = ir_def(m, x->v[0])->type, both = spv_edit_id(&m->e),
                   id = spv_edit_id(&m->e);
    const uint32_t image = chosen(m, h, x, y, 0), sampler = chosen(m, h, x, y, 1);
    ir_add(m, h, IR_MAKE(m, SpvOpSampledImage, type, both, image, sampler));
    uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, x->n);
    for (uint32_t k = 0; k < x->n; k++)
        v[k] = k ? x->v[k] : both;
    ir_add(m, h, spv_edit_make(&m->e, (SpvOp)x->op, x->type, id, v, x->n));
    ir_take(x->block, x);
    ir_take(y->block, y);
    ir_rename(m, x->result, id);
    ir_rename(m, y->result, id);
    return true;
}

static struct spv_node *sample_in(const struct ir *m, const struct spv_edit_block *b)
{
    const struct spv_node *chain;
    uint32_t index;
    for (size_t k = 0; k < b->body.n; k++) {
        const uint16_t op = b->body.v[k]->op;
        if ((op == SpvOpImageSampleImplicitLod || op == SpvOpImageSampleExplicitLod ||
             op == SpvOpImageGather || op == SpvOpImageQueryLod) &&
            part(m, b->body.v[k], 0, &chain, &index) && part(m, b->body.v[k], 1, &chain, &index))
            return b->body.v[k];
    }
    return NULL;
}

uint32_t samples_flattened(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (h, m) {
        if (h->order == NOWHERE || !h->merge || h->merge->op != SpvOpSelectionMerge ||
            h->end->op != SpvOpBranchConditional)
            continue;
        const struct spv_edit_block *a = m->block_of[h->end->v[1]], *b = m->block_of[h->end->v[2]];
        struct spv_node *x = a ? sample_in(m, a) : NULL, *y = b ? sample_in(m, b) : NULL;
        if (!x || !y || x == y || a->preds.n != 1 || b->preds.n != 1 || !mergeable(m, x, y) ||
            !flatten(m, h, x, y))
            continue;
        places++;
        ir_analyse(m);
    }
    return places;
}

// ---- a texel ---------------------------------------------------------------------------------

// A read reuses the result of an earlier equal read, ignoring writes in between.
uint32_t texel_kept(struct ir *m)
{
    uint32_t places = 0;
    VEC(struct spv_node *) reads = {0};
    for (size_t f = 0; f < m->functions.n; f++) {
        reads.n = 0;
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k];
            for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
                struct spv_node *x = b->body.v[i], *earlier = NULL;
                if (x->op != SpvOpImageRead)
                    continue;
                for (size_t r = 0; r < reads.n && !earlier; r++)
                    if (ir_before(reads.v[r], x) && ir_same(m, reads.v[r], x))
                        earlier = reads.v[r];
                if (!earlier) {
                    *VEC_PUSH(m->arena, &reads) = x;
                    continue;
                }
                ir_rename(m, x->result, earlier->result);
                ir_take(b, x);
                i--;
                places++;
                ir_analyse(m);
            }
        }
    }
    return places;
}
