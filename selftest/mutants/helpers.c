// SPDX-License-Identifier: Apache-2.0
//
// Transformations that treat helper invocations of fragment shaders wrongly: group operations
// ignore them, their loops end early, demote is lowered to something else, or a query returns the
// state at the start of the program.
#include "ir.h"

#include <string.h>

// A position in a block. New instructions go before it, and it advances with each.
struct spot {
    struct ir *m;
    struct spv_edit_block *b;
    size_t at;
};

static uint32_t put(struct spot *s, SpvOp op, uint32_t type, const uint32_t *v, uint32_t n)
{
    const uint32_t id = spv_edit_id(&s->m->e);
    ir_put(s->m, s->b, s->at++, spv_edit_make(&s->m->e, op, type, id, v, n));
    return id;
}
#define PUT(s, op, type, ...)                                                                      \
    put((s), (op), (type), (const uint32_t[]){__VA_ARGS__},                                        \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static bool is_fragment(const struct ir *m)
{
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpEntryPoint)
        return x->v[0] == SpvExecutionModelFragment;
    return false;
}

static uint32_t scope(struct ir *m)
{
    return spv_edit_constant(&m->e, spv_edit_uint(&m->e), SpvScopeSubgroup);
}

static uint32_t helper(struct spot *s)
{
    return put(s, SpvOpIsHelperInvocationEXT, spv_edit_bool(&s->m->e), NULL, 0);
}

static uint32_t live(struct spot *s)
{
    const uint32_t h = helper(s);
    return PUT(s, SpvOpLogicalNot, spv_edit_bool(&s->m->e), h);
}

// Adds the capabilities and the extension for helper queries, demote and votes.
static void allow(struct ir *m)
{
    const char name[] = "SPV_EXT_demote_to_helper_invocation";
    uint32_t at = SPV_NO_NODE;
    spv_edit_capability(&m->e, SpvCapabilityDemoteToHelperInvocation);
    spv_edit_capability(&m->e, SpvCapabilityGroupNonUniformVote);
    IR_EACH_HEAD(x, m)
    {
        const char *is = x->op == SpvOpExtension ? spv_string(x->v, x->n) : NULL;
        if (is && strcmp(is, name) == 0)
            return;
        if ((x->op == SpvOpExtInstImport || x->op == SpvOpMemoryModel) && at == SPV_NO_NODE)
            at = x->index;
    }
    struct words v = {0};
    spv_string_words(m->arena, &v, name);
    spv_edit_insert(&m->e, at, SpvOpExtension, v.v, (uint32_t)v.n);
}

static bool is_one_number(const struct ir *m, uint32_t type)
{
    const struct spv_node *d = ir_def(m, type);
    return d && (d->op == SpvOpTypeInt || d->op == SpvOpTypeFloat || d->op == SpvOpTypeBool);
}

// Changes the instruction at the position `s`, which is also `s->at`. Returns whether it did. New
// instructions go before it, and afterwards `s->at` is the instruction's own index again.
typedef bool helper_rule(struct spot *s, struct spv_node *i);

static uint32_t everywhere(struct ir *m, helper_rule *rule)
{
    uint32_t places = 0;
    if (!is_fragment(m))
        return 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spot s = {m, m->functions.v[f]->blocks.v[k], 0};
            for (; s.at < s.b->body.n; s.at++)
                places += rule(&s, s.b->body.v[s.at]);
        }
    if (places)
        allow(m);
    return places;
}

// Puts SELECT(cond, a, b) after the instruction; uses of the instruction's result become uses of
// it.
static void select_after(struct spot *s, struct spv_node *i, uint32_t cond, uint32_t a, uint32_t b)
{
    const uint32_t id = spv_edit_id(&s->m->e);
    ir_rename(s->m, i->result, id);
    ir_put(s->m, s->b, ++s->at, IR_MAKE(s->m, SpvOpSelect, i->type, id, cond, a, b));
}

// ---- group operations that ignore helpers ----------------------------------------------------

static bool vote(struct spot *s, struct spv_node *i)
{
    const bool all = i->op == SpvOpGroupNonUniformAll || i->op == SpvOpGroupNonUniformQuadAllKHR;
    const bool any = i->op == SpvOpGroupNonUniformAny || i->op == SpvOpGroupNonUniformQuadAnyKHR;
    if (!all && !any)
        return false;
    const uint32_t at = i->op == SpvOpGroupNonUniformAll || i->op == SpvOpGroupNonUniformAny,
                   own = i->v[at];
    const uint32_t is = all ? helper(s) : live(s);
    i->v[at] = PUT(s, all ? SpvOpLogicalOr : SpvOpLogicalAnd, spv_edit_bool(&s->m->e), own, is);
    return true;
}

static bool subgroup_vote(struct spot *s, struct spv_node *i)
{
    return i->op != SpvOpGroupNonUniformQuadAllKHR && i->op != SpvOpGroupNonUniformQuadAnyKHR &&
           vote(s, i);
}

static bool quad_vote(struct spot *s, struct spv_node *i)
{
    return i->op != SpvOpGroupNonUniformAll && i->op != SpvOpGroupNonUniformAny && vote(s, i);
}

static bool ballot(struct spot *s, struct spv_node *i)
{
    if (i->op != SpvOpGroupNonUniformBallot)
        return false;
    const uint32_t is = live(s);
    i->v[1] = PUT(s, SpvOpLogicalAnd, spv_edit_bool(&s->m->e), i->v[1], is);
    return true;
}

// Sums and other operations whose identity is zero.
static bool sum(struct spot *s, struct spv_node *i)
{
    const bool zero = i->op == SpvOpGroupNonUniformIAdd || i->op == SpvOpGroupNonUniformBitwiseOr ||
                      i->op == SpvOpGroupNonUniformBitwiseXor || i->op == SpvOpGroupNonUniformUMax;
    if (!zero || !is_one_number(s->m, i->type))
        return false;
    const uint32_t h = helper(s);
    i->v[2] = PUT(s, SpvOpSelect, i->type, h, ir_null(s->m, i->type), i->v[2]);
    return true;
}

static bool quad_read(struct spot *s, struct spv_node *i)
{
    if ((i->op != SpvOpGroupNonUniformQuadSwap && i->op != SpvOpGroupNonUniformQuadBroadcast) ||
        !is_one_number(s->m, i->type))
        return false;
    const uint32_t h = helper(s);
    const uint32_t there = PUT(s, (SpvOp)i->op, spv_edit_bool(&s->m->e), i->v[0], h, i->v[2]);
    select_after(s, i, there, i->v[1], i->result);
    return true;
}

static bool shuffle(struct spot *s, struct spv_node *i)
{
    if ((i->op != SpvOpGroupNonUniformShuffle && i->op != SpvOpGroupNonUniformShuffleXor) ||
        !is_one_number(s->m, i->type))
        return false;
    const uint32_t h = helper(s);
    const uint32_t there = PUT(s, (SpvOp)i->op, spv_edit_bool(&s->m->e), i->v[0], h, i->v[2]);
    select_after(s, i, there, ir_null(s->m, i->type), i->result);
    return true;
}

// Returns the first live lane; without a live one, the first active lane.
static uint32_t first_live(struct spot *s)
{
    struct spv_edit *e = &s->m->e;
    const uint32_t u32 = spv_edit_uint(e), how = scope(s->m);
    const uint32_t four = SPV_EDIT_DECLARE(e, SpvOpTypeVector, 0, u32, 4);
    const uint32_t is = live(s), any = PUT(s, SpvOpGroupNonUniformAny, spv_edit_bool(e), how, is);
    const uint32_t none = PUT(s, SpvOpLogicalNot, spv_edit_bool(e), any);
    const uint32_t counted = PUT(s, SpvOpLogicalOr, spv_edit_bool(e), is, none);
    const uint32_t set = PUT(s, SpvOpGroupNonUniformBallot, four, how, counted);
    spv_edit_capability(e, SpvCapabilityGroupNonUniformBallot);
    return PUT(s, SpvOpGroupNonUniformBallotFindLSB, u32, how, set);
}

static bool broadcast_first(struct spot *s, struct spv_node *i)
{
    if (i->op != SpvOpGroupNonUniformBroadcastFirst)
        return false;
    const uint32_t from = first_live(s);
    spv_edit_capability(&s->m->e, SpvCapabilityGroupNonUniformShuffle);
    uint32_t *v = ARENA_ARRAY(s->m->arena, uint32_t, 3);
    v[0] = i->v[0];
    v[1] = i->v[1];
    v[2] = from;
    i->op = SpvOpGroupNonUniformShuffle;
    i->v = v;
    i->n = 3;
    return true;
}

static bool elect(struct spot *s, struct spv_node *i)
{
    if (i->op != SpvOpGroupNonUniformElect)
        return false;
    const uint32_t from = first_live(s),
                   lane = ir_builtin(s->m, SpvBuiltInSubgroupLocalInvocationId);
    const uint32_t own = PUT(s, SpvOpLoad, spv_edit_uint(&s->m->e), lane);
    uint32_t *v = ARENA_ARRAY(s->m->arena, uint32_t, 2);
    v[0] = own;
    v[1] = from;
    i->op = SpvOpIEqual;
    i->v = v;
    i->n = 2;
    return true;
}

static bool derivative(struct spot *s, struct spv_node *i)
{
    if (i->op < SpvOpDPdx || i->op > SpvOpFwidthCoarse || !is_one_number(s->m, i->type))
        return false;
    const uint32_t h = helper(s);
    i->v[0] = PUT(s, SpvOpSelect, i->type, h, ir_null(s->m, i->type), i->v[0]);
    return true;
}

static bool load(struct spot *s, struct spv_node *i)
{
    const struct spv_node *from = i->op == SpvOpLoad ? ir_def(s->m, i->v[0]) : NULL;
    if (!from || from->op != SpvOpAccessChain || !is_one_number(s->m, i->type))
        return false;
    const uint32_t h = helper(s);
    select_after(s, i, h, ir_null(s->m, i->type), i->result);
    return true;
}

// Only for an address that is used by loads alone.
static bool place(struct spot *s, struct spv_node *i)
{
    if (i->op != SpvOpAccessChain || i->n != 3 || !ir_def(s->m, i->v[2]) ||
        !ir_def(s->m, i->v[2])->block)
        return false;
    const struct ir_uses u = ir_uses(s->m, i->result);
    for (size_t k = 0; k < u.n; k++)
        if (u.v[k]->op != SpvOpLoad)
            return false;
    const uint32_t h = helper(s);
    i->v[2] = PUT(s, SpvOpSelect, spv_edit_uint(&s->m->e), h,
                  spv_edit_constant(&s->m->e, spv_edit_uint(&s->m->e), 0), i->v[2]);
    return true;
}

MUT_EDIT(helpers_not_in_votes, everywhere, subgroup_vote)
MUT_EDIT(helpers_not_in_quad_votes, everywhere, quad_vote)
MUT_EDIT(helpers_not_in_ballots, everywhere, ballot)
MUT_EDIT(helpers_not_in_sums, everywhere, sum)
MUT_EDIT(helpers_not_in_quads, everywhere, quad_read)
MUT_EDIT(helpers_not_in_shuffles, everywhere, shuffle)
MUT_EDIT(first_is_live, everywhere, broadcast_first)
MUT_EDIT(elected_is_live, everywhere, elect)
MUT_EDIT(helpers_not_in_derivatives, everywhere, derivative)
MUT_EDIT(helpers_load_zero, everywhere, load)
MUT_EDIT(helpers_index_first, everywhere, place)

// ---- demote and terminate --------------------------------------------------------------------

static bool lose(struct spot *s, struct spv_node *i)
{
    if (i->op != SpvOpDemoteToHelperInvocation)
        return false;
    ir_take(s->b, i);
    s->at--;
    return true;
}

static bool lose_in_call(struct spot *s, struct spv_node *i)
{
    const struct spv_node *entry = NULL;
    IR_EACH_HEAD(x, s->m)
    if (x->op == SpvOpEntryPoint)
        entry = x;
    return entry && s->b->function->head->result != entry->v[1] && lose(s, i);
}

static bool early(struct spot *s, struct spv_node *i)
{
    const size_t first = ir_phis(s->b);
    if (i->op != SpvOpDemoteToHelperInvocation || s->at <= first)
        return false;
    ir_take(s->b, i);
    ir_put(s->m, s->b, first, i);
    return true;
}

static uint32_t moved_late(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t at = 0; at + 1 < b->body.n; at++) {
            struct spv_node *i = b->body.v[at];
            if (i->op != SpvOpDemoteToHelperInvocation)
                continue;
            ir_take(b, i);
            ir_add(m, b, i);
            places++;
            break;
        }
    }
    return places;
}

// The block ends with OpKill; the rest of it follows after a branch that is never taken.
static uint32_t ended(struct ir *m)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        if (b->merge && b->merge->op == SpvOpLoopMerge)
            continue;
        for (size_t at = 0; at < b->body.n; at++) {
            struct spv_node *i = b->body.v[at];
            if (i->op != SpvOpDemoteToHelperInvocation)
                continue;
            ir_take(b, i);
            struct spv_edit_block *rest = ir_split(m, b, at), *end = ir_new_block(m, b->function);
            const uint32_t yes = ir_truth(m, true);
            end->end = IR_MAKE(m, SpvOpKill, 0, 0, 0);
            end->end->n = 0;
            b->merge = IR_MAKE(m, SpvOpSelectionMerge, 0, 0, rest->label, 0);
            b->end = IR_MAKE(m, SpvOpBranchConditional, 0, 0, yes, end->label, rest->label);
            places++;
            break;
        }
    }
    return places;
}

// The invocation continues at the merge block of the construct, which has no phis.
static uint32_t went_on(struct ir *m)
{
    uint32_t places = 0;
    for (size_t f = 0; f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spv_edit_block *b = m->functions.v[f]->blocks.v[k], *h = b->idom;
            const bool ends = b->end->op == SpvOpTerminateInvocation || b->end->op == SpvOpKill;
            while (ends && h && h->idom != h &&
                   !(h->merge && h->merge->v[0] != b->label && ir_inside(m, h, b)))
                h = h->idom;
            if (!ends || !h || h == b || !h->merge || h->merge->op != SpvOpSelectionMerge ||
                !ir_inside(m, h, b))
                continue;
            struct spv_edit_block *to = m->block_of[h->merge->v[0]];
            if (!to || ir_phis(to) || to->end->op == SpvOpUnreachable)
                continue;
            struct spv_node *demote = IR_MAKE(m, SpvOpDemoteToHelperInvocation, 0, 0, 0);
            demote->n = 0;
            ir_add(m, b, demote);
            ir_branch(m, b, to->label);
            places++;
        }
    return places;
}

MUT_EDIT(demote_lost, everywhere, lose)
MUT_EDIT(demote_lost_in_call, everywhere, lose_in_call)
MUT_EDIT(demote_early, everywhere, early)
uint32_t demote_late(struct ir *m)
{
    return moved_late(m);
}
uint32_t demote_is_kill(struct ir *m)
{
    return ended(m);
}

uint32_t kill_is_demote(struct ir *m)
{
    const uint32_t places = is_fragment(m) ? went_on(m) : 0;
    if (places)
        allow(m);
    return places;
}

// ---- queries of helpers ----------------------------------------------------------------------

// Returns the variable HelperInvocation; 0 if there is none.
static uint32_t builtin(const struct ir *m)
{
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpDecorate && x->n == 3 && x->v[1] == SpvDecorationBuiltIn &&
        x->v[2] == SpvBuiltInHelperInvocation)
        return x->v[0];
    return 0;
}

static bool queries(const struct ir *m, const struct spv_node *i)
{
    return i->op == SpvOpIsHelperInvocationEXT ||
           (i->op == SpvOpLoad && i->n > 1 && i->v[0] == builtin(m));
}

// A later query returns the value loaded first in the function.
static bool stale(struct spot *s, struct spv_node *i)
{
    if (!queries(s->m, i))
        return false;
    struct spv_edit_block *entry = s->b->function->blocks.v[0];
    for (size_t k = 0; k < entry->body.n; k++) {
        const struct spv_node *first = entry->body.v[k];
        if (first->op != SpvOpLoad || first->v[0] != builtin(s->m) || first->n > 1)
            continue;
        ir_rename(s->m, i->result, first->result);
        ir_take(s->b, i);
        s->at--;
        return true;
    }
    return false;
}

static bool never(struct spot *s, struct spv_node *i)
{
    if (!queries(s->m, i))
        return false;
    ir_rename(s->m, i->result, ir_truth(s->m, false));
    ir_take(s->b, i);
    s->at--;
    return true;
}

MUT_EDIT(helper_stale, everywhere, stale)
MUT_EDIT(helper_never, everywhere, never)

// ---- code that only helpers execute ----------------------------------------------------------

// At an exit condition of a loop: all invocations leave once no live one would stay.
static bool cut(struct spot *s)
{
    struct spv_node *end = s->b->end;
    const struct spv_edit_block *header = ir_loop_of(s->m, s->b);
    const struct spv_edit_block *merge = header ? ir_merge_of(s->m, header) : NULL;
    if (!merge || end->op != SpvOpBranchConditional ||
        (s->b->merge && s->b->merge->op != SpvOpLoopMerge))
        return false;
    const bool second = end->v[2] == merge->label;
    if (!second && end->v[1] != merge->label)
        return false;
    const uint32_t type = spv_edit_bool(&s->m->e), is = live(s);
    const uint32_t stays = second ? end->v[0] : PUT(s, SpvOpLogicalNot, type, end->v[0]);
    const uint32_t both = PUT(s, SpvOpLogicalAnd, type, is, stays);
    const uint32_t any = PUT(s, SpvOpGroupNonUniformAny, type, scope(s->m), both);
    const uint32_t none = second ? any : PUT(s, SpvOpLogicalNot, type, any);
    end->v[0] = PUT(s, second ? SpvOpLogicalAnd : SpvOpLogicalOr, type, end->v[0], none);
    return true;
}

// Skips an arm that only helpers would execute.
static bool skip(struct spot *s)
{
    struct spv_node *end = s->b->end;
    if (end->op != SpvOpBranchConditional || !s->b->merge ||
        s->b->merge->op != SpvOpSelectionMerge || end->v[2] != s->b->merge->v[0])
        return false;
    const uint32_t type = spv_edit_bool(&s->m->e), is = live(s);
    const uint32_t both = PUT(s, SpvOpLogicalAnd, type, is, end->v[0]);
    const uint32_t any = PUT(s, SpvOpGroupNonUniformAny, type, scope(s->m), both);
    end->v[0] = PUT(s, SpvOpLogicalAnd, type, end->v[0], any);
    return true;
}

static uint32_t at_ends(struct ir *m, bool (*rule)(struct spot *s))
{
    uint32_t places = 0;
    for (size_t f = 0; is_fragment(m) && f < m->functions.n; f++)
        for (size_t k = 0; k < m->functions.v[f]->blocks.n; k++) {
            struct spot s = {m, m->functions.v[f]->blocks.v[k],
                             m->functions.v[f]->blocks.v[k]->body.n};
            places += s.b->order != NOWHERE && rule(&s);
        }
    if (places)
        allow(m);
    return places;
}

MUT_EDIT(loop_without_live_ends, at_ends, cut)
MUT_EDIT(arm_of_helpers_skipped, at_ends, skip)
