// SPDX-License-Identifier: Apache-2.0
//
// A hypothesis as a module: one instruction of it (or all of a kind) does something else. What
// compilers and drivers do to images and to helper invocations is told in this way: the module that
// would do it is run by the rules as they are. Nothing here has to be valid for anybody but the
// oracle, which refuses what has no meaning.
#include "reading.h"

#include "construct.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_groups.h"

#include <string.h>

struct editor {
    struct spv_edit e;
    const struct spv_module *m;
    const struct diag_reading *h;
};

static struct spv_node *node_of(const struct editor *k, uint32_t i)
{
    return k->e.node.v[i];
}

// ---- what stands in front of an instruction ---------------------------------------------------

static uint32_t put(struct editor *k, uint32_t before, SpvOp op, uint32_t type, const uint32_t *v,
                    uint32_t n)
{
    uint32_t words[8] = {type, spv_edit_id(&k->e)};
    CHECK(n + 2 <= sizeof words / sizeof *words);
    if (n)
        memcpy(words + 2, v, n * sizeof *v);
    spv_edit_insert(&k->e, before, op, words, n + 2);
    return words[1];
}
#define PUT(k, before, op, type, ...)                                                              \
    put((k), (before), (op), (type), (const uint32_t[]){__VA_ARGS__},                              \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t scope(struct editor *k)
{
    return spv_edit_constant(&k->e, spv_edit_uint(&k->e), SpvScopeSubgroup);
}

static uint32_t helper(struct editor *k, uint32_t before)
{
    return put(k, before, SpvOpIsHelperInvocationEXT, spv_edit_bool(&k->e), NULL, 0);
}

static uint32_t live(struct editor *k, uint32_t before)
{
    return PUT(k, before, SpvOpLogicalNot, spv_edit_bool(&k->e), helper(k, before));
}

// A ballot of those who are no helpers; of all where nobody else is there.
static uint32_t live_ones(struct editor *k, uint32_t before)
{
    const uint32_t boolean = spv_edit_bool(&k->e), u32 = spv_edit_uint(&k->e), how = scope(k);
    const uint32_t four = SPV_EDIT_DECLARE(&k->e, SpvOpTypeVector, 0, u32, 4), is = live(k, before);
    const uint32_t any = PUT(k, before, SpvOpGroupNonUniformAny, boolean, how, is);
    const uint32_t none = PUT(k, before, SpvOpLogicalNot, boolean, any);
    return PUT(k, before, SpvOpGroupNonUniformBallot, four, how,
               PUT(k, before, SpvOpLogicalOr, boolean, is, none));
}

static uint32_t of_first_live(struct editor *k, uint32_t before, uint32_t type, uint32_t value)
{
    const uint32_t first = PUT(k, before, SpvOpGroupNonUniformBallotFindLSB, spv_edit_uint(&k->e),
                               scope(k), live_ones(k, before));
    return PUT(k, before, SpvOpGroupNonUniformShuffle, type, scope(k), value, first);
}

// Where an instruction's value comes first in its operands; UINT32_MAX for none.
static uint32_t value_at(const struct spv_node *x)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    const uint32_t at = g ? (g->has_scope ? 1u : 0u) + (g->has_form ? 1u : 0u) : 0;
    return !g || g->operand[0] == SPV_SHAPE_NONE || at >= x->n ? UINT32_MAX : at;
}

static uint32_t type_of(const struct editor *k, uint32_t id)
{
    const struct spv_inst *d = spv_def(k->m, id);
    return d ? d->type : 0;
}

static bool is_scalar(const struct editor *k, uint32_t type)
{
    const struct spv_inst *t = spv_def(k->m, type);
    return t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat || t->op == SpvOpTypeBool);
}

// The instruction gets another result id, and what is put behind it the old one: a select.
static void behind(struct editor *k, uint32_t i, uint32_t cond, uint32_t yes)
{
    struct spv_node *x = node_of(k, i);
    const uint32_t id = x->result, next = spv_edit_next(&k->e, i);
    x->result = spv_edit_id(&k->e);
    SPV_EDIT_INSERT(&k->e, next, SpvOpSelect, x->type, id, cond, yes, x->result);
}

// ---- helpers and group operations --------------------------------------------------------------

static bool helpers_zero(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    const uint32_t at = value_at(x), type = at == UINT32_MAX ? 0 : type_of(k, x->v[at]);
    if (!type || !is_scalar(k, type) || spv_group_find(x->op)->klass == SPV_GROUP_BITS)
        return false;
    x->v[at] = PUT(k, i, SpvOpSelect, type, helper(k, i), spv_edit_zero(&k->e, type), x->v[at]);
    return true;
}

static bool helpers_own(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    const enum spv_group_class klass = (enum spv_group_class)spv_group_find(x->op)->klass;
    if ((klass != SPV_GROUP_QUAD && klass != SPV_GROUP_SHUFFLE && klass != SPV_GROUP_BROADCAST) ||
        !is_scalar(k, x->type) || x->op == SpvOpGroupNonUniformQuadAllKHR ||
        x->op == SpvOpGroupNonUniformQuadAnyKHR || x->n > 3)
        return false;
    uint32_t words[5] = {spv_edit_bool(&k->e), spv_edit_id(&k->e), x->v[0], helper(k, i)};
    if (x->n > 2)
        words[4] = x->v[2];
    spv_edit_insert(&k->e, i, (SpvOp)x->op, words, x->n + 2);
    behind(k, i, words[1], x->v[1]);
    return true;
}

// As if they were not there.
static bool helpers_out(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    const uint32_t at = value_at(x), u32 = spv_edit_uint(&k->e), boolean = spv_edit_bool(&k->e);
    switch (x->op) {
    case SpvOpGroupNonUniformElect: { // the first of them: nobody before it
        const uint32_t before = PUT(k, i, SpvOpGroupNonUniformBallotBitCount, u32, scope(k),
                                    SpvGroupOperationExclusiveScan, live_ones(k, i));
        const uint32_t first =
            PUT(k, i, SpvOpIEqual, boolean, before, spv_edit_constant(&k->e, u32, 0));
        const uint32_t words[] = {x->type, x->result, first, live(k, i)};
        spv_edit_set(&k->e, i, SpvOpLogicalAnd, words, 4);
        return true;
    }
    case SpvOpGroupNonUniformBroadcastFirst:
        if (!is_scalar(k, x->type))
            return false;
        x->v[1] = of_first_live(k, i, x->type, x->v[1]);
        return true;
    // The identity of these is no zero, but one value more of those that are there makes no
    // difference.
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAllEqual:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupNonUniformUMax:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupNonUniformLogicalAnd: {
        const uint32_t type = type_of(k, x->v[at]);
        if (!is_scalar(k, type))
            return false;
        const uint32_t other = of_first_live(k, i, type, x->v[at]);
        x->v[at] = PUT(k, i, SpvOpSelect, type, helper(k, i), other, x->v[at]);
        return true;
    }
    case SpvOpGroupNonUniformQuadAllKHR:
        x->v[0] = PUT(k, i, SpvOpLogicalOr, boolean, x->v[0], helper(k, i));
        return true;
    default:
        return false;
    }
}

// ---- helpers and memory
// --------------------------------------------------------------------------

static bool helpers_load(struct editor *k, uint32_t i, bool zero)
{
    const struct spv_node *x = node_of(k, i);
    const struct spv_inst *chain = spv_def(k->m, x->v[0]);
    if (x->op != SpvOpLoad || !chain || chain->op != SpvOpAccessChain || !is_scalar(k, x->type))
        return false;
    if (zero) {
        behind(k, i, helper(k, i), spv_edit_zero(&k->e, x->type));
        return true;
    }
    uint32_t words[8] = {chain->type, spv_edit_id(&k->e)};
    const uint32_t last = chain->n - 1, type = type_of(k, chain->v[last]);
    if (chain->n + 2u > sizeof words / sizeof *words || !last || !is_scalar(k, type))
        return false;
    memcpy(words + 2, chain->v, chain->n * sizeof *words);
    words[2 + last] = PUT(k, i, SpvOpSelect, type, helper(k, i), spv_edit_constant(&k->e, type, 0),
                          chain->v[last]);
    spv_edit_insert(&k->e, i, SpvOpAccessChain, words, chain->n + 2u);
    node_of(k, i)->v[0] = words[1];
    return true;
}

// ---- who is a helper
// -----------------------------------------------------------------------------

// The first instruction of the function's first block that is no variable.
static uint32_t start_of(const struct editor *k, uint32_t i)
{
    while (k->m->insts[i].op != SpvOpFunction)
        i--;
    while (k->m->insts[i].op != SpvOpLabel)
        i++;
    do
        i++;
    while (k->m->insts[i].op == SpvOpVariable);
    return i;
}

static bool asks(struct editor *k, uint32_t i, bool at_start)
{
    struct spv_node *x = node_of(k, i);
    if (!shape_asks_helpers(k->m, &k->m->insts[i]))
        return false;
    const uint32_t start = start_of(k, i);
    if (at_start && start == i)
        return false;
    spv_edit_use(&k->e, x->result,
                 at_start ? helper(k, start) : spv_edit_constant(&k->e, spv_edit_bool(&k->e), 0));
    spv_edit_drop(&k->e, i);
    return true;
}

// ---- demote, and the end
// --------------------------------------------------------------------------

static uint32_t block_of(const struct spv_module *m, uint32_t i)
{
    return spv_block_at(m, i);
}

static bool demote(struct editor *k, uint32_t i)
{
    const struct spv_block *b = &k->m->blocks[block_of(k->m, i)];
    if (node_of(k, i)->op != SpvOpDemoteToHelperInvocation)
        return false;
    const uint32_t end = b->merge ? b->merge : b->last;
    uint32_t first = b->first + 1;
    while (k->m->insts[first].op == SpvOpPhi || k->m->insts[first].op == SpvOpVariable)
        first++;
    const uint32_t to = k->h->edit == DIAG_EDIT_DEMOTE_FIRST ? first : end;
    if (i == to || i + 1 == to)
        return false;
    spv_edit_move(&k->e, i, to);
    return true;
}

// The block ends there: what follows comes after a branch that nobody takes.
static bool demote_ends(struct editor *k, uint32_t i)
{
    if (node_of(k, i)->op != SpvOpDemoteToHelperInvocation)
        return false;
    const struct spv_block *b = &k->m->blocks[block_of(k->m, i)];
    const uint32_t end = spv_edit_id(&k->e), rest = spv_edit_id(&k->e), was = b->label;
    if (b->merge && k->m->insts[b->merge].op == SpvOpLoopMerge)
        return false;
    const uint32_t yes = spv_edit_constant(&k->e, spv_edit_bool(&k->e), 1);
    SPV_EDIT_INSERT(&k->e, i, SpvOpSelectionMerge, rest, SpvSelectionControlMaskNone);
    SPV_EDIT_INSERT(&k->e, i, SpvOpBranchConditional, yes, end, rest);
    SPV_EDIT_INSERT(&k->e, i, SpvOpLabel, end);
    spv_edit_insert(&k->e, i, SpvOpTerminateInvocation, NULL, 0);
    spv_edit_set(&k->e, i, SpvOpLabel, &rest, 1);
    for (uint32_t p = k->e.first; p != SPV_NO_NODE; p = spv_edit_next(&k->e, p))
        for (uint32_t v = 1; node_of(k, p)->op == SpvOpPhi && v < node_of(k, p)->n; v += 2)
            if (node_of(k, p)->v[v] == was)
                node_of(k, p)->v[v] = rest;
    return true;
}

static bool is_end(uint32_t op)
{
    return op == SpvOpTerminateInvocation || op == SpvOpKill;
}

static bool end_goes_on(struct editor *k, uint32_t i)
{
    if (!is_end(node_of(k, i)->op))
        return false;
    spv_edit_insert(&k->e, i, SpvOpDemoteToHelperInvocation, NULL, 0);
    spv_edit_set(&k->e, i, SpvOpBranch, &k->h->value, 1);
    return true;
}

// A side that helpers alone would take is not taken.
static bool skips(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    if (x->op != SpvOpBranchConditional)
        return false;
    const struct spv_block *b = &k->m->blocks[block_of(k->m, i)];
    const uint32_t boolean = spv_edit_bool(&k->e), at = b->merge ? b->merge : i, own = x->v[0],
                   is = live(k, at);
    const uint32_t side = k->h->value ? own : PUT(k, at, SpvOpLogicalNot, boolean, own);
    const uint32_t any = PUT(k, at, SpvOpGroupNonUniformAny, boolean, scope(k),
                             PUT(k, at, SpvOpLogicalAnd, boolean, is, side));
    x->v[0] = k->h->value ? PUT(k, at, SpvOpLogicalAnd, boolean, own, any)
                          : PUT(k, at, SpvOpLogicalOr, boolean, own,
                                PUT(k, at, SpvOpLogicalNot, boolean, any));
    return true;
}

// ---- images
// -------------------------------------------------------------------------------------------

enum {
    OPERANDS = 16,
    LEVELS = 4
}; // words of an image operation; levels, and elements of arrays, that are asked about

// The image operation's optional operands, in the order of their bits: where the one of a bit
// begins; how many words it has. 0 where there is none.
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

// Where the optional operands begin; 0: it is none that samples or fetches.
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

// The operation with fewer of its operands, and one more (`bit`, 0: none).
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

// The number of components of an id's type, and what they are.
static uint32_t components(const struct editor *k, uint32_t id, uint32_t *of)
{
    const uint32_t type = type_of(k, id);
    const struct spv_inst *t = spv_def(k->m, type);
    *of = t && t->op == SpvOpTypeVector ? t->v[0] : type;
    return t && t->op == SpvOpTypeVector ? t->v[1] : 1;
}

// Coordinates in texels, of a fetch or a read, one further along an axis; of a sample an offset.
static bool beside(struct editor *k, uint32_t i)
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

// A chain into an array of descriptors.
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

// ---- all together
// -----------------------------------------------------------------------------------------

static bool edit(struct editor *k, uint32_t i)
{
    const struct spv_node *x = node_of(k, i);
    const bool group = spv_group_find(x->op) != NULL;
    switch ((enum diag_edit)k->h->edit) {
    case DIAG_EDIT_HELPERS_OUT:
        return group && helpers_out(k, i);
    case DIAG_EDIT_HELPERS_ZERO:
        return group && helpers_zero(k, i);
    case DIAG_EDIT_HELPERS_OWN:
        return group && helpers_own(k, i);
    case DIAG_EDIT_LOADS_ZERO:
        return helpers_load(k, i, true);
    case DIAG_EDIT_LOADS_FIRST:
        return helpers_load(k, i, false);
    case DIAG_EDIT_SKIPS:
        return skips(k, i);
    case DIAG_EDIT_ASKS_START:
        return asks(k, i, true);
    case DIAG_EDIT_ASKS_NOBODY:
        return asks(k, i, false);
    case DIAG_EDIT_DEMOTE_GONE:
        if (x->op != SpvOpDemoteToHelperInvocation)
            return false;
        spv_edit_drop(&k->e, i);
        return true;
    case DIAG_EDIT_DEMOTE_FIRST:
    case DIAG_EDIT_DEMOTE_LAST:
        return demote(k, i);
    case DIAG_EDIT_DEMOTE_ENDS:
        return demote_ends(k, i);
    case DIAG_EDIT_END_GOES_ON:
        return end_goes_on(k, i);
    case DIAG_EDIT_NO_BIAS:
        return with_operands(k, i, (SpvOp)x->op, SpvImageOperandsBiasMask, 0, 0);
    case DIAG_EDIT_NO_OFFSET:
        return with_operands(k, i, (SpvOp)x->op,
                             SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask, 0, 0);
    case DIAG_EDIT_IMPLICIT:
        return with_operands(k, i, without_lod(x->op),
                             SpvImageOperandsGradMask | SpvImageOperandsLodMask, 0, 0);
    case DIAG_EDIT_LEVEL:
        return level(k, i);
    case DIAG_EDIT_BESIDE:
        return beside(k, i);
    case DIAG_EDIT_SWAPPED:
        return swapped(k, i);
    case DIAG_EDIT_INDEX:
    case DIAG_EDIT_INDEX_FIRST:
        return element(k, i);
    case DIAG_EDIT_EARLIER:
        return earlier(k, i);
    case DIAG_NO_EDIT:
    case DIAG_EDIT_COUNT:
        break;
    }
    return false;
}

static uint32_t called(const struct spv_module *m, uint32_t i)
{
    const uint32_t b = block_of(m, i);
    return m->insts[i].result ? m->insts[i].result : b == UINT32_MAX ? 0 : m->blocks[b].label;
}

bool reading_edit(struct arena *a, const struct reader *r, const struct diag_reading *h,
                  struct spv_case *out, uint32_t *places)
{
    struct editor k = {.m = &r->m, .h = h};
    *places = 0;
    spv_edit_start(&k.e, a, &r->c, &r->m, 0);
    for (uint32_t i = r->m.functions[0].first; i < r->m.inst_count; i++)
        if (block_of(&r->m, i) != UINT32_MAX && (!h->at || called(&r->m, i) == h->at))
            *places += edit(&k, i);
    if (!*places)
        return false;
    spv_edit_write(&k.e, false);
    *out = k.e.c;
    return true;
}

static bool is_fragment(const struct reader *r)
{
    return r->c.stage == SPV_FRAGMENT;
}

uint32_t reading_edits(const struct reader *r, uint32_t i, struct diag_reading out[READING_EDITS])
{
    const struct spv_module *m = &r->m;
    const struct spv_inst *x = &m->insts[i];
    const struct spv_node as = {.op = x->op, .n = x->n, .v = (uint32_t *)x->v};
    const uint32_t id = called(m, i);
    uint32_t n = 0;
#define ADD(kind, what)                                                                            \
    out[n++] = (struct diag_reading)                                                               \
    {                                                                                              \
        .at = id, .edit = (uint8_t)(kind), .value = (what)                                         \
    }
    if (block_of(m, i) == UINT32_MAX)
        return 0;
    if (is_fragment(r)) {
        if (spv_group_find(x->op)) {
            ADD(DIAG_EDIT_HELPERS_OUT, 0);
            ADD(DIAG_EDIT_HELPERS_ZERO, 0);
            ADD(DIAG_EDIT_HELPERS_OWN, 0);
        } else if (shape_asks_helpers(m, x)) {
            ADD(DIAG_EDIT_ASKS_START, 0);
            ADD(DIAG_EDIT_ASKS_NOBODY, 0);
        } else if (x->op == SpvOpLoad) {
            ADD(DIAG_EDIT_LOADS_ZERO, 0);
            ADD(DIAG_EDIT_LOADS_FIRST, 0);
        } else if (x->op == SpvOpDemoteToHelperInvocation) {
            for (enum diag_edit e = DIAG_EDIT_DEMOTE_GONE; e <= DIAG_EDIT_DEMOTE_ENDS; e++)
                ADD(e, 0);
        } else if (x->op == SpvOpBranchConditional) {
            ADD(DIAG_EDIT_SKIPS, 1);
            ADD(DIAG_EDIT_SKIPS, 0);
        }
        const uint32_t f = spv_function_at(m, i);
        for (uint32_t b = 0; is_end(x->op) && b < m->block_count && n + 1 < READING_EDITS; b++)
            if (m->blocks[b].merge && spv_function_at(m, m->blocks[b].first) == f &&
                m->insts[m->blocks[b].merge].op == SpvOpSelectionMerge)
                ADD(DIAG_EDIT_END_GOES_ON, m->insts[m->blocks[b].merge].v[0]);
    }
    const uint32_t optional = optional_at(x->op);
    if (has(&as, SpvImageOperandsBiasMask))
        ADD(DIAG_EDIT_NO_BIAS, 0);
    if (has(&as, SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask))
        ADD(DIAG_EDIT_NO_OFFSET, 0);
    if (has(&as, SpvImageOperandsGradMask))
        ADD(DIAG_EDIT_IMPLICIT, 0);
    for (uint32_t l = 0; l < LEVELS && optional && x->op != SpvOpImageGather; l++)
        if (is_implicit(x->op) || has(&as, SpvImageOperandsLodMask | SpvImageOperandsGradMask))
            ADD(DIAG_EDIT_LEVEL, l);
    for (uint32_t way = 0; (optional || x->op == SpvOpImageRead) && way < 4; way++)
        ADD(DIAG_EDIT_BESIDE, way);
    if (optional || x->op == SpvOpImageRead)
        ADD(DIAG_EDIT_SWAPPED, 0);
    if (is_element(m, x)) {
        ADD(DIAG_EDIT_INDEX_FIRST, 0);
        for (uint32_t e = 0; e < LEVELS; e++)
            ADD(DIAG_EDIT_INDEX, e);
    }
    for (uint32_t b = i;
         x->op == SpvOpImageRead && n + 1 < READING_EDITS && b-- > m->functions[0].first;)
        if (m->insts[b].op == SpvOpImageRead && m->insts[b].type == x->type)
            ADD(DIAG_EDIT_EARLIER, m->insts[b].result);
#undef ADD
    return n;
}
