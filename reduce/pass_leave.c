// SPDX-License-Identifier: Apache-2.0
//
// Makes a loop run once, in several variants. LEAVE: invocations that would start the next
// iteration return. Those that leave the loop become an arm of a selection, together with the code
// after the loop. OTHERS: all invocations continue after the loop; code before the first exit runs
// only for those that stay, as it would in their next iteration. LATE: values that are computed
// from the function's variables in the loop and used after it are computed again after it. If a
// loop has several exits, one of them may be kept and the others removed.
#include "pass.h"

#include <string.h>

enum { LEAVE, LEAVE_BEFORE, ONCE, OTHERS, LATE }; // BEFORE: an exit at the back edge returns too

static bool is_loop(const struct spv_module *m, uint32_t b)
{
    const struct spv_block *x = &m->blocks[b];
    return x->merge && m->insts[x->merge].op == SpvOpLoopMerge;
}

// For a block that leaves the loop by one side of a conditional branch, without a selection:
// returns the label of the other side; else 0.
static uint32_t stays_of(const struct spv_module *m, const struct spv_block *x,
                         const struct spv_block *head)
{
    const struct spv_inst *t = &m->insts[x->last];
    const uint32_t merge = m->insts[head->merge].v[0];
    if (t->op != SpvOpBranchConditional || (x->merge && x != head) ||
        (t->v[1] == merge) == (t->v[2] == merge))
        return 0;
    return t->v[1] == merge ? t->v[2] : t->v[1];
}

// For a loop with several exits: plans to keep only one of them.
static void plan_one_way(struct red_plan *p, uint32_t b)
{
    const struct spv_module *m = p->e.m;
    const uint32_t after = m->block_of[m->insts[m->blocks[b].merge].v[0]];
    uint32_t ways = 0;
    for (uint32_t k = b; k < after && k < m->block_count; k++)
        ways += stays_of(m, &m->blocks[k], &m->blocks[b]) != 0;
    for (uint32_t k = b; ways > 1 && k < after; k++)
        if (stays_of(m, &m->blocks[k], &m->blocks[b])) {
            PLAN(p, b, ONCE, 0, k + 1);
            PLAN(p, b, ONCE, LATE, k + 1);
            PLAN(p, b, LEAVE_BEFORE, 0, k + 1);
            PLAN(p, b, LEAVE_BEFORE, LATE, k + 1);
        }
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t b = 0; b < m->block_count; b++)
        if (is_loop(m, b)) {
            plan_one_way(p, b);
            PLAN(p, b, LEAVE, 0);
            PLAN(p, b, LEAVE_BEFORE, 0);
            PLAN(p, b, LEAVE, LATE);
            PLAN(p, b, LEAVE_BEFORE, LATE);
            PLAN(p, b, ONCE, LATE);
            PLAN(p, b, OTHERS, 0);
            PLAN(p, b, OTHERS, LATE);
        }
}

// ---- reads after the loop ---------------------------------------------------------------

// True if the instruction can be repeated after the loop: a load of a function variable, or a pure
// computation.
static bool repeats(const struct spv_module *m, uint32_t i)
{
    const struct spv_inst *x = &m->insts[i];
    const struct spv_inst *from = x->op == SpvOpLoad ? spv_def(m, x->v[0]) : NULL;
    if (x->op == SpvOpLoad)
        return from && from->op == SpvOpVariable && from->v[0] == SpvStorageClassFunction;
    return x->result && inst_is_pure(x->op) && x->op != SpvOpPhi;
}

// Replaces the ids in node k that have a replacement in `late`. True if there was one.
static bool use_late(struct spv_edit *e, uint32_t k, const uint32_t *late, uint16_t *at)
{
    uint32_t rest, n = spv_edit_ids(e, e->node.v[k], at, &rest);
    bool any = false;
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t id = e->node.v[k]->v[at[j]];
        if (id >= e->m->bound || !late[id])
            continue;
        e->node.v[k]->v[at[j]] = late[id];
        any = true;
    }
    return any;
}

// Repeats, at the beginning of block `after`, the loads and computations of the blocks before it
// whose results are used from there on. True if there are any.
static bool load_late(struct spv_edit *e, uint32_t first, uint32_t after)
{
    const struct spv_module *m = e->m;
    const uint32_t end = m->functions[spv_function_at(m, m->blocks[first].first)].last;
    uint32_t begin = m->blocks[after].first + 1, rest;
    uint16_t *at = id_places(e->a, m);
    bool *used = ARENA_ARRAY(e->a, bool, m->bound), any = false;
    uint32_t *late = ARENA_ARRAY(e->a, uint32_t, m->bound);
    while (m->insts[begin].op == SpvOpPhi)
        begin++;
    // Goes backward from the uses. The operands of a phi are used in other blocks.
    for (uint32_t i = end; i-- > m->blocks[first].first;) {
        const bool is_later = i >= begin && m->insts[i].op != SpvOpPhi;
        const bool again = i < m->blocks[after].first && used[m->insts[i].result] && repeats(m, i);
        uint32_t n = is_later || again ? spv_edit_ids(e, e->node.v[i], at, &rest) : 0;
        for (uint32_t j = 0; j < n; j++)
            used[e->node.v[i]->v[at[j]]] = true;
    }
    for (uint32_t i = m->blocks[first].first; i < m->blocks[after].first; i++) {
        if (!m->insts[i].result || !used[m->insts[i].result] || !repeats(m, i))
            continue;
        if (e->next_id + 8 > e->id_limit)
            return false;
        const struct spv_node *x = e->node.v[i];
        uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x->n + 2);
        const uint32_t id = spv_edit_id(e);
        v[0] = x->type;
        v[1] = id;
        memcpy(v + 2, x->v, x->n * sizeof *v);
        use_late(e, spv_edit_insert(e, begin, (SpvOp)x->op, v, x->n + 2), late, at);
        late[m->insts[i].result] = id;
    }
    for (uint32_t k = begin; k < end; k++)
        any |= m->insts[k].op != SpvOpPhi && use_late(e, k, late, at);
    return any;
}

// ---- returning instead of iterating -----------------------------------------------------------

static bool set_return(struct spv_edit *e, uint32_t f, uint32_t node)
{
    const struct spv_inst *fn = &e->m->insts[e->m->functions[f].first];
    const struct spv_inst *type = spv_def(e->m, fn->type);
    uint32_t zero = type->op == SpvOpTypeVoid ? 0 : spv_edit_zero(e, fn->type);
    spv_edit_set(e, node, zero ? SpvOpReturnValue : SpvOpReturn, &zero, zero != 0);
    return type->op == SpvOpTypeVoid || zero;
}

// Rewrites the end of a block that branches to the loop's header, to its merge block, or to its
// continue target without a merge instruction of its own.
static bool leave_block(struct spv_edit *e, uint32_t f, const struct spv_block *head,
                        const struct spv_block *x, uint32_t how)
{
    const uint32_t merge = e->m->insts[head->merge].v[0], cont = e->m->insts[head->merge].v[1];
    const uint32_t again = head->label, op = e->node.v[x->last]->op;
    uint32_t *w = e->node.v[x->last]->v;
    bool bare = op == SpvOpBranchConditional && (!x->merge || x->merge == head->merge);
    if (op == SpvOpBranch)
        return w[0] != again || set_return(e, f, x->last);
    if (!bare)
        return true;
    const uint32_t on = w[1] == again || w[2] == again ? again : w[1] == merge ? w[2] : w[1];
    const bool out = w[1] == merge || w[2] == merge;
    if (on == again && (!out || how == LEAVE_BEFORE))
        return set_return(e, f, x->last);
    if (on != again) {
        const uint32_t v[] = {out ? on : cont, SpvSelectionControlMaskNone};
        if (out || w[1] == cont || w[2] == cont)
            spv_edit_insert(e, x->last, SpvOpSelectionMerge, v, 2);
        return true;
    }
    // Adds a block after this one, which returns.
    const uint32_t to = spv_edit_id(e), v[] = {to, SpvSelectionControlMaskNone};
    const uint32_t side = w[1] == again ? 1 : 2, next = e->node.v[x->last]->next;
    spv_edit_insert(e, next, SpvOpLabel, &to, 1);
    const uint32_t end = spv_edit_insert(e, next, SpvOpReturn, NULL, 0);
    spv_edit_insert(e, x->last, SpvOpSelectionMerge, v, 2);
    w[side] = to;
    return set_return(e, f, end);
}

// ---- code for the invocations that stay ---------------------------------------------------------

// Marks the ids that instruction i uses; for a load, the variable.
static void mark(struct spv_edit *e, uint32_t i, uint16_t *at, bool *used)
{
    uint32_t rest, n = spv_edit_ids(e, e->node.v[i], at, &rest);
    for (uint32_t k = 0; k < n; k++)
        used[e->node.v[i]->v[at[k]]] = true;
}

// Moves the code before the first exit, except what its condition depends on, to the side that
// stays. Removes stores to what the condition depends on from the continue target, because the loop
// does not iterate again.
static bool others_alone(struct spv_edit *e, const struct spv_block *head)
{
    const struct spv_module *m = e->m;
    const uint32_t merge = m->insts[head->merge].v[0],
                   cont = m->block_of[m->insts[head->merge].v[1]];
    uint16_t *at = id_places(e->a, m);
    bool *used = ARENA_ARRAY(e->a, bool, m->bound);
    const struct spv_block *chain[8], *x = head;
    uint32_t n = 0;
    for (;; x = &m->blocks[m->block_of[m->insts[x->last].v[0]]]) {
        chain[n++] = x;
        if (m->insts[x->last].op != SpvOpBranch)
            break;
        if (n == 8 || m->block_of[m->insts[x->last].v[0]] == UINT32_MAX)
            return false;
    }
    const struct spv_inst *t = &m->insts[x->last];
    if (t->op != SpvOpBranchConditional || (t->v[1] == merge) == (t->v[2] == merge) ||
        cont == UINT32_MAX)
        return false;
    const uint32_t stays = m->block_of[t->v[t->v[1] == merge ? 2 : 1]];
    if (stays == UINT32_MAX || e->m->insts[m->blocks[stays].first + 1].op == SpvOpPhi)
        return false;
    used[t->v[0]] = true;
    uint32_t to = m->blocks[stays].first + 1, moved = 0;
    while (n--)
        for (uint32_t i = chain[n]->last - 1; i > chain[n]->first; i--) {
            const struct spv_inst *d = &m->insts[i];
            bool decides = d->result ? used[d->result] : d->op == SpvOpStore && used[d->v[0]];
            if (decides)
                mark(e, i, at, used);
            if (decides || d->op == SpvOpPhi || i == chain[n]->merge)
                continue;
            spv_edit_move(e, i, to);
            to = i;
            moved++;
        }
    for (uint32_t i = m->blocks[cont].first; i < m->blocks[cont].last; i++)
        if (m->insts[i].op == SpvOpStore && used[m->insts[i].v[0]])
            spv_edit_drop(e, i);
    return moved != 0;
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_module *m = e->m;
    const uint32_t b = s->v[0];
    const struct spv_block *head = &m->blocks[b];
    const uint32_t after = m->block_of[m->insts[head->merge].v[0]];
    const uint32_t f = spv_function_at(m, head->first);
    const struct spv_function *fn = &m->functions[f];
    if (after == UINT32_MAX || after <= b || (s->v[2] == LATE && !load_late(e, b, after)))
        return false;
    for (uint32_t k = b; s->v[3] && k < after; k++) {
        const uint32_t on = stays_of(m, &m->blocks[k], head);
        if (on && k + 1 != s->v[3])
            spv_edit_set(e, m->blocks[k].last, SpvOpBranch, &on, 1);
    }
    if (s->v[1] == OTHERS && !others_alone(e, head))
        return false;
    if (s->v[1] == ONCE || s->v[1] == OTHERS)
        return pass_loops.apply(e, &(struct red_step){{b, LOOP_ONCE}});
    spv_edit_drop(e, head->merge);
    for (uint32_t k = b; k < fn->block_first + fn->block_count; k++)
        if (e->next_id + 4 > e->id_limit || !leave_block(e, f, head, &m->blocks[k], s->v[1]))
            return false;
    return true;
}

const struct red_pass pass_leave = {"leaving at once", plan, apply};
