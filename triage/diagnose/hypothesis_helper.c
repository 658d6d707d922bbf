// SPDX-License-Identifier: Apache-2.0
//
// Edits of the behaviour of helper invocations: group operations, loads, branches, demotes,
// terminations and queries of the helper status.
#include "hypothesis_edit.h"

#include "construct.h"

#include <string.h>

// ---- code inserted before an instruction -------------------------------------------------------

static uint32_t helper(struct editor *k, uint32_t before)
{
    return edit_put(k, before, SpvOpIsHelperInvocationEXT, spv_edit_bool(&k->e), NULL, 0);
}

static uint32_t live(struct editor *k, uint32_t before)
{
    return PUT(k, before, SpvOpLogicalNot, spv_edit_bool(&k->e), helper(k, before));
}

// Inserts a ballot of the lanes that are not helpers; of all lanes if all are helpers.
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

// Returns the index of an operation's value operand; UINT32_MAX for none.
static uint32_t value_at(const struct spv_node *x)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    const uint32_t at = g ? (g->has_scope ? 1u : 0u) + (g->has_form ? 1u : 0u) : 0;
    return !g || g->operand[0] == SPV_SHAPE_NONE || at >= x->n ? UINT32_MAX : at;
}

static bool is_scalar(const struct editor *k, uint32_t type)
{
    const struct spv_inst *t = spv_def(k->m, type);
    return t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat || t->op == SpvOpTypeBool);
}

// Changes the instruction's result id, and inserts a select with the old id after it.
static void select_after(struct editor *k, uint32_t i, uint32_t cond, uint32_t yes)
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
    select_after(k, i, words[1], x->v[1]);
    return true;
}

// Edits an operation to ignore helpers.
static bool helpers_out(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    const uint32_t at = value_at(x), u32 = spv_edit_uint(&k->e), boolean = spv_edit_bool(&k->e);
    switch (x->op) {
    case SpvOpGroupNonUniformElect: { // no other live lane is before it
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
    // The identity of these is not zero, but a repeated value of a live lane makes no difference.
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

// ---- helpers and memory ------------------------------------------------------------------------

static bool helpers_load(struct editor *k, uint32_t i, bool zero)
{
    const struct spv_node *x = node_of(k, i);
    const struct spv_inst *chain = spv_def(k->m, x->v[0]);
    if (x->op != SpvOpLoad || !chain || chain->op != SpvOpAccessChain || !is_scalar(k, x->type))
        return false;
    if (zero) {
        select_after(k, i, helper(k, i), spv_edit_zero(&k->e, x->type));
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

// ---- queries of the helper status --------------------------------------------------------------

// Returns the first instruction of the function's first block that is not a variable.
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

static bool queries(struct editor *k, uint32_t i, bool at_start)
{
    struct spv_node *x = node_of(k, i);
    if (!shape_queries_helper(k->m, &k->m->insts[i]))
        return false;
    const uint32_t start = start_of(k, i);
    if (at_start && start == i)
        return false;
    spv_edit_use(&k->e, x->result,
                 at_start ? helper(k, start) : spv_edit_constant(&k->e, spv_edit_bool(&k->e), 0));
    spv_edit_drop(&k->e, i);
    return true;
}

// ---- demotes and terminations ------------------------------------------------------------------

static bool demote(struct editor *k, uint32_t i)
{
    const struct spv_block *b = &k->m->blocks[spv_block_at(k->m, i)];
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

// Ends the block with a termination. The rest of it follows a branch that is never taken.
static bool demote_ends(struct editor *k, uint32_t i)
{
    if (node_of(k, i)->op != SpvOpDemoteToHelperInvocation)
        return false;
    const struct spv_block *b = &k->m->blocks[spv_block_at(k->m, i)];
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

// Does not take a side that only helpers would take.
static bool skips(struct editor *k, uint32_t i)
{
    struct spv_node *x = node_of(k, i);
    if (x->op != SpvOpBranchConditional)
        return false;
    const struct spv_block *b = &k->m->blocks[spv_block_at(k->m, i)];
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

// ---- all together ------------------------------------------------------------------------------

void helper_edits(const struct hypotheses *r, uint32_t i, uint32_t at, struct edit_list *out)
{
    static const enum diag_edit group[] = {DIAG_EDIT_HELPERS_OUT, DIAG_EDIT_HELPERS_ZERO,
                                           DIAG_EDIT_HELPERS_OWN, DIAG_NO_EDIT},
                                queries[] = {DIAG_EDIT_QUERY_START, DIAG_EDIT_QUERY_FALSE,
                                             DIAG_NO_EDIT},
                                load[] = {DIAG_EDIT_LOADS_ZERO, DIAG_EDIT_LOADS_FIRST,
                                          DIAG_NO_EDIT},
                                demotes[] = {DIAG_EDIT_DEMOTE_GONE, DIAG_EDIT_DEMOTE_FIRST,
                                             DIAG_EDIT_DEMOTE_LAST, DIAG_EDIT_DEMOTE_ENDS,
                                             DIAG_NO_EDIT},
                                none[] = {DIAG_NO_EDIT};
    const struct spv_module *m = &r->m;
    const struct spv_inst *x = &m->insts[i];
    const enum diag_edit *e = spv_group_find(x->op)                    ? group
                              : shape_queries_helper(m, x)             ? queries
                              : x->op == SpvOpLoad                     ? load
                              : x->op == SpvOpDemoteToHelperInvocation ? demotes
                                                                       : none;
    for (; *e; e++)
        edit_add(out, at, *e, 0);
    for (uint32_t side = 2; x->op == SpvOpBranchConditional && side-- > 0;)
        edit_add(out, at, DIAG_EDIT_SKIPS, side);
    const uint32_t f = spv_function_at(m, i);
    for (uint32_t b = 0; is_end(x->op) && b < m->block_count && out->n + 1 < HYPOTHESIS_EDITS; b++)
        if (m->blocks[b].merge && spv_function_at(m, m->blocks[b].first) == f &&
            m->insts[m->blocks[b].merge].op == SpvOpSelectionMerge)
            edit_add(out, at, DIAG_EDIT_END_GOES_ON, m->insts[m->blocks[b].merge].v[0]);
}

bool helper_edit(struct editor *k, uint32_t i)
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
    case DIAG_EDIT_QUERY_START:
        return queries(k, i, true);
    case DIAG_EDIT_QUERY_FALSE:
        return queries(k, i, false);
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
    default:
        return false;
    }
}
