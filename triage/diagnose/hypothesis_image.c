// SPDX-License-Identifier: Apache-2.0
//
// Edits of image operations: the level, the texel, the image or sampler of an array.
#include "hypothesis_edit.h"

#include <string.h>

enum {
    OPERANDS = 16,
    LEVELS = 4
}; // words of an image operation; number of levels, and of array elements, that are tried

// Finds an optional operand of an image operation by its bit: *at is its index. Returns its number
// of words; 0 if it is absent. Operands are in the order of their bits.
static uint32_t operand_of(const struct spv_node *x, uint32_t first, uint32_t bit, uint32_t *at)
{
    uint32_t words = 0;
    *at = first + 1;
    if (x->n <= first || !(x->v[first] & bit))
        return 0;
    for (uint32_t b = 1; b <= bit; b <<= 1) {
        *at += words;
        words = !(x->v[first] & b) ? 0 : b == SpvImageOperandsGradMask ? 2 : 1;
    }
    return words;
}

// Returns the index of the optional operands; 0 if it is not a sample, fetch or gather.
static uint32_t optional_at(uint32_t op)
{
    switch (op) {
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageFetch:
        return 2;
    case SpvOpImageGather:
        return 3;
    default:
        return 0;
    }
}

static bool has(const struct spv_node *x, uint32_t bits)
{
    const uint32_t first = optional_at(x->op);
    return first && x->n > first && (x->v[first] & bits);
}

// Rewrites the operation without the operands `less` and with one more (`bit`, 0: none).
static bool with_operands(struct editor *k, uint32_t i, SpvOp op, uint32_t less, uint32_t bit,
                          uint32_t value)
{
    const struct spv_node *x = node_of(k, i);
    const uint32_t first = optional_at(x->op), mask = x->n > first ? x->v[first] & ~less : 0;
    uint32_t words[OPERANDS] = {x->type, x->result}, n = 2, at;
    for (uint32_t v = 0; v < first; v++)
        words[n++] = x->v[v];
    if (mask | bit)
        words[n++] = mask | bit;
    for (uint32_t b = 1; b && b <= (mask | bit); b <<= 1) {
        if (b == bit) {
            words[n++] = value;
            continue;
        }
        const uint32_t some = mask & b ? operand_of(x, first, b, &at) : 0;
        if (n + some >= OPERANDS)
            return false;
        for (uint32_t v = 0; v < some; v++)
            words[n++] = x->v[at + v];
    }
    spv_edit_set(&k->e, i, op, words, n);
    return true;
}

static bool is_implicit(uint32_t op)
{
    return op == SpvOpImageSampleImplicitLod || op == SpvOpImageSampleProjImplicitLod;
}

static SpvOp with_lod(uint32_t op)
{
    return op == SpvOpImageSampleImplicitLod       ? SpvOpImageSampleExplicitLod
           : op == SpvOpImageSampleProjImplicitLod ? SpvOpImageSampleProjExplicitLod
                                                   : (SpvOp)op;
}

static SpvOp without_lod(uint32_t op)
{
    return op == SpvOpImageSampleExplicitLod ? SpvOpImageSampleImplicitLod
                                             : SpvOpImageSampleProjImplicitLod;
}

static bool level(struct editor *k, uint32_t i)
{
    const uint32_t op = node_of(k, i)->op,
                   all = SpvImageOperandsBiasMask | SpvImageOperandsLodMask |
                         SpvImageOperandsGradMask | SpvImageOperandsMinLodMask;
    float lod = (float)k->h->value;
    uint32_t bits;
    memcpy(&bits, &lod, sizeof bits);
    const uint32_t f32 = SPV_EDIT_DECLARE(&k->e, SpvOpTypeFloat, 0, 32);
    const uint32_t value = op == SpvOpImageFetch
                               ? spv_edit_constant(&k->e, spv_edit_uint(&k->e), k->h->value)
                               : spv_edit_constant(&k->e, f32, bits);
    return with_operands(k, i, with_lod(op), all, SpvImageOperandsLodMask, value);
}

// Returns the number of components of an id's type, and the component type in *of.
static uint32_t components(const struct editor *k, uint32_t id, uint32_t *of)
{
    const uint32_t type = type_of(k, id);
    const struct spv_inst *t = spv_def(k->m, type);
    *of = t && t->op == SpvOpTypeVector ? t->v[0] : type;
    return t && t->op == SpvOpTypeVector ? t->v[1] : 1;
}

// Reads the next texel along an axis: adds to the texel coordinates of a fetch or read, or adds an
// offset to a sample.
static bool next_texel(struct editor *k, uint32_t i)
{
    const struct spv_node *x = node_of(k, i);
    const uint32_t axis = k->h->value & 1, step = k->h->value & 2 ? UINT32_MAX : 1;
    uint32_t of, parts[4] = {0};
    const uint32_t n = components(k, x->v[1], &of);
    if (n > 4 || axis >= n)
        return false;
    const bool whole = x->op == SpvOpImageFetch || x->op == SpvOpImageRead;
    const uint32_t i32 = whole ? of : SPV_EDIT_DECLARE(&k->e, SpvOpTypeInt, 0, 32, 1);
    for (uint32_t c = 0; c < n; c++)
        parts[c] = spv_edit_constant(&k->e, i32, c == axis ? step : 0);
    const uint32_t by =
        n == 1 ? parts[0]
               : spv_edit_declare(&k->e, SpvOpConstantComposite,
                                  SPV_EDIT_DECLARE(&k->e, SpvOpTypeVector, 0, i32, n), parts, n);
    if (!whole)
        return !has(x, SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask) &&
               with_operands(k, i, (SpvOp)x->op, 0, SpvImageOperandsConstOffsetMask, by);
    node_of(k, i)->v[1] = PUT(k, i, SpvOpIAdd, type_of(k, x->v[1]), x->v[1], by);
    return true;
}

static bool swapped(struct editor *k, uint32_t i)
{
    const struct spv_node *x = node_of(k, i);
    uint32_t of;
    if (components(k, x->v[1], &of) != 2)
        return false;
    node_of(k, i)->v[1] =
        PUT(k, i, SpvOpVectorShuffle, type_of(k, x->v[1]), x->v[1], x->v[1], 1, 0);
    return true;
}

// Reports whether an instruction is a chain into an array of descriptors.
static bool is_element(const struct spv_module *m, const struct spv_inst *x)
{
    const struct spv_inst *v = x->op == SpvOpAccessChain && x->n == 2 ? spv_def(m, x->v[0]) : NULL;
    return v && v->op == SpvOpVariable && v->v[0] == SpvStorageClassUniformConstant;
}

static bool element(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    const uint32_t type = type_of(k, x->v[1]), value = x->v[1];
    x->v[1] = k->h->edit == DIAG_EDIT_INDEX
                  ? spv_edit_constant(&k->e, spv_edit_uint(&k->e), k->h->value)
                  : PUT(k, i, SpvOpGroupNonUniformBroadcastFirst, type, scope(k), value);
    return x->v[1] != value;
}

static bool earlier(struct editor *k, uint32_t i)
{
    spv_edit_use(&k->e, node_of(k, i)->result, k->h->value);
    spv_edit_drop(&k->e, i);
    return true;
}

// ---- all together ------------------------------------------------------------------------------

void image_edits(const struct hypotheses *r, uint32_t i, uint32_t at, struct edit_list *out)
{
    const struct spv_module *m = &r->m;
    const struct spv_inst *x = &m->insts[i];
    const struct spv_node as = {.op = x->op, .n = x->n, .v = (uint32_t *)x->v};
    const bool sampled = optional_at(x->op), read = x->op == SpvOpImageRead;
    if (has(&as, SpvImageOperandsBiasMask))
        edit_add(out, at, DIAG_EDIT_NO_BIAS, 0);
    if (has(&as, SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask))
        edit_add(out, at, DIAG_EDIT_NO_OFFSET, 0);
    if (has(&as, SpvImageOperandsGradMask))
        edit_add(out, at, DIAG_EDIT_IMPLICIT, 0);
    for (uint32_t l = 0; l < LEVELS && sampled && x->op != SpvOpImageGather; l++)
        if (is_implicit(x->op) || has(&as, SpvImageOperandsLodMask | SpvImageOperandsGradMask))
            edit_add(out, at, DIAG_EDIT_LEVEL, l);
    for (uint32_t way = 0; (sampled || read) && way < 4; way++)
        edit_add(out, at, DIAG_EDIT_NEXT_TEXEL, way);
    if (sampled || read)
        edit_add(out, at, DIAG_EDIT_SWAPPED, 0);
    if (is_element(m, x)) {
        edit_add(out, at, DIAG_EDIT_INDEX_FIRST, 0);
        for (uint32_t e = 0; e < LEVELS; e++)
            edit_add(out, at, DIAG_EDIT_INDEX, e);
    }
    for (uint32_t b = i; read && out->n + 1 < HYPOTHESIS_EDITS && b-- > m->functions[0].first;)
        if (m->insts[b].op == SpvOpImageRead && m->insts[b].type == x->type)
            edit_add(out, at, DIAG_EDIT_EARLIER, m->insts[b].result);
}

bool image_edit(struct editor *k, uint32_t i)
{
    const SpvOp op = (SpvOp)node_of(k, i)->op;
    switch ((enum diag_edit)k->h->edit) {
    case DIAG_EDIT_NO_BIAS:
        return with_operands(k, i, op, SpvImageOperandsBiasMask, 0, 0);
    case DIAG_EDIT_NO_OFFSET:
        return with_operands(k, i, op, SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask,
                             0, 0);
    case DIAG_EDIT_IMPLICIT:
        return with_operands(k, i, without_lod(op),
                             SpvImageOperandsGradMask | SpvImageOperandsLodMask, 0, 0);
    case DIAG_EDIT_LEVEL:
        return level(k, i);
    case DIAG_EDIT_NEXT_TEXEL:
        return next_texel(k, i);
    case DIAG_EDIT_SWAPPED:
        return swapped(k, i);
    case DIAG_EDIT_INDEX:
    case DIAG_EDIT_INDEX_FIRST:
        return element(k, i);
    case DIAG_EDIT_EARLIER:
        return earlier(k, i);
    default:
        return false;
    }
}
