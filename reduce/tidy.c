// SPDX-License-Identifier: Apache-2.0
//
// What a change leaves behind is put right: functions that nobody calls and blocks that
// nobody reaches go; phis follow their predecessors; a use of what is gone becomes a zero,
// or goes too where its type has none; what nobody uses any more goes. What was unused
// before stays, for a fault may hang on it, and so do group operations, stores and calls,
// used or not: a pass takes those.
#include "edit.h"

#include <string.h>

enum { ROUNDS = 64, CHAIN = 64 };

struct block {
    uint32_t label; // id
    uint32_t first, term, merge; // nodes; merge: EDIT_NONE for none
    uint32_t header;             // id: whose continue target it is declared to be; 0
    bool declared, reached;
};

struct tidy {
    struct red_edit *e;
    VEC(struct block) block; // of the function at hand
    uint32_t *block_of;      // [label]: index + 1
    uint16_t *at;            // for inst_ids
    uint32_t *before;        // [id]: uses before the change
    bool changed, bad;
};

static uint32_t resolve(const struct red_edit *e, uint32_t id)
{
    for (int k = 0; k < CHAIN && id < e->id_limit && e->map[id]; k++)
        id = e->map[id];
    return id;
}

static void drop(struct tidy *t, uint32_t node)
{
    edit_drop(t->e, node);
    t->changed = true;
}

static uint32_t next_left(const struct red_edit *e, uint32_t i)
{
    do
        i = e->node.v[i].next;
    while (i != EDIT_NONE && e->node.v[i].gone);
    return i;
}

#define EACH_NODE(i, e)                                                                            \
    for (uint32_t i = (e)->first; i != EDIT_NONE; i = (e)->node.v[i].next)                         \
        if (!(e)->node.v[i].gone)

// ---- functions -------------------------------------------------------------------------

static void drop_functions(struct tidy *t)
{
    struct red_edit *e = t->e;
    bool *reached = ARENA_ARRAY(e->a, bool, e->id_limit);
    VEC(uint32_t) todo = {0};
    EACH_NODE(i, e)
    if (e->node.v[i].op == SpvOpEntryPoint)
        *VEC_PUSH(e->a, &todo) = e->node.v[i].w[2];
    while (todo.n) {
        uint32_t id = todo.v[--todo.n], i = e->def[id];
        if (reached[id] || i == EDIT_NONE)
            continue;
        reached[id] = true;
        for (; i != EDIT_NONE && e->node.v[i].op != SpvOpFunctionEnd; i = next_left(e, i))
            if (e->node.v[i].op == SpvOpFunctionCall)
                *VEC_PUSH(e->a, &todo) = resolve(e, e->node.v[i].w[3]);
    }
    bool in = false;
    EACH_NODE(i, e)
    {
        const struct edit_node *x = &e->node.v[i];
        if (x->op == SpvOpFunction)
            in = !reached[x->w[2]];
        if (!in)
            continue;
        if (x->op == SpvOpFunctionEnd)
            in = false;
        drop(t, i);
    }
}

// ---- blocks ----------------------------------------------------------------------------

// Fills t->block from the node of an OpFunction; gives that of its OpFunctionEnd.
static uint32_t collect(struct tidy *t, uint32_t i)
{
    struct red_edit *e = t->e;
    t->block.n = 0;
    for (i = next_left(e, i); i != EDIT_NONE && e->node.v[i].op != SpvOpFunctionEnd;
         i = next_left(e, i)) {
        const struct edit_node *x = &e->node.v[i];
        if (x->op == SpvOpLabel) {
            *VEC_PUSH(e->a, &t->block) = (struct block){
                .label = x->w[1], .first = i, .term = EDIT_NONE, .merge = EDIT_NONE};
            t->block_of[x->w[1]] = (uint32_t)t->block.n;
        } else if (t->block.n) {
            struct block *b = &t->block.v[t->block.n - 1];
            if (x->op == SpvOpLoopMerge || x->op == SpvOpSelectionMerge)
                b->merge = i;
            if (inst_is_terminator(x->op))
                b->term = i;
        }
    }
    for (size_t k = 0; k < t->block.n; k++)
        t->bad |= t->block.v[k].term == EDIT_NONE;
    return i;
}

static struct block *block_at(struct tidy *t, uint32_t label)
{
    uint32_t k = label < t->e->id_limit ? t->block_of[label] : 0;
    if (!k || k > t->block.n || t->block.v[k - 1].label != label) {
        t->bad = true;
        return NULL;
    }
    return &t->block.v[k - 1];
}

static uint32_t targets(struct tidy *t, const struct block *b, uint32_t **out)
{
    const struct edit_node *x = &t->e->node.v[b->term];
    *out = ARENA_ARRAY(t->e->a, uint32_t, x->n);
    return inst_targets(t->e, x->w, x->n, *out, x->n);
}

static void reach(struct tidy *t)
{
    VEC(uint32_t) todo = {0};
    if (t->block.n)
        *VEC_PUSH(t->e->a, &todo) = t->block.v[0].label;
    while (todo.n && !t->bad) {
        struct block *b = block_at(t, todo.v[--todo.n]), *other;
        if (!b || b->reached)
            continue;
        b->reached = true;
        uint32_t *to, n = targets(t, b, &to);
        for (uint32_t k = 0; k < n; k++)
            *VEC_PUSH(t->e->a, &todo) = to[k];
        if (b->merge == EDIT_NONE)
            continue;
        const struct edit_node *m = &t->e->node.v[b->merge];
        if ((other = block_at(t, m->w[1])))
            other->declared = true;
        if (m->op == SpvOpLoopMerge && (other = block_at(t, m->w[2]))) {
            other->declared = true;
            other->header = b->label;
        }
    }
}

// A block that is named and never reached: nothing but its end.
static void stub(struct tidy *t, struct block *b)
{
    struct red_edit *e = t->e;
    SpvOp op = b->header ? SpvOpBranch : SpvOpUnreachable;
    for (uint32_t i = next_left(e, b->first); i != b->term; i = next_left(e, i))
        drop(t, i);
    const struct edit_node *x = &e->node.v[b->term];
    if (x->op == op && (!b->header || x->w[1] == b->header))
        return;
    edit_set(e, b->term, op, &b->header, b->header ? 1 : 0);
    t->changed = true;
}

static void drop_blocks(struct tidy *t)
{
    struct red_edit *e = t->e;
    reach(t);
    for (size_t k = 0; k < t->block.n && !t->bad; k++) {
        struct block *b = &t->block.v[k];
        if (b->reached)
            continue;
        if (b->declared) {
            stub(t, b);
            continue;
        }
        for (uint32_t i = b->first; i != b->term; i = next_left(e, i))
            drop(t, i);
        drop(t, b->term);
    }
}

// ---- phis ------------------------------------------------------------------------------

static void fix_phi(struct tidy *t, uint32_t node, const uint32_t *preds, uint32_t n)
{
    struct red_edit *e = t->e;
    const struct edit_node x = e->node.v[node];
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, 2 + 2 * n), count = 2;
    bool *have = ARENA_ARRAY(e->a, bool, n + 1), same = true;
    v[0] = x.w[1];
    v[1] = x.w[2];
    for (uint32_t i = 3; i + 1 < x.n; i += 2) {
        uint32_t k = 0;
        while (k < n && (preds[k] != x.w[i + 1] || have[k]))
            k++;
        same &= k < n;
        if (k == n)
            continue;
        have[k] = true;
        v[count++] = x.w[i];
        v[count++] = x.w[i + 1];
    }
    for (uint32_t k = 0; k < n; k++) {
        if (have[k])
            continue;
        same = false;
        v[count++] = edit_zero(e, x.w[1]);
        v[count++] = preds[k];
        t->bad |= v[count - 2] == 0;
    }
    if (n <= 1) {
        if (n && resolve(e, v[2]) != x.w[2])
            edit_use(e, x.w[2], v[2]);
        drop(t, node);
    } else if (!same) {
        edit_set(e, node, SpvOpPhi, v, count);
        t->changed = true;
    }
}

static void fix_phis(struct tidy *t)
{
    struct red_edit *e = t->e;
    for (size_t k = 0; k < t->block.n && !t->bad; k++) {
        uint32_t i = next_left(e, t->block.v[k].first), n = 0;
        if (i == EDIT_NONE || e->node.v[i].op != SpvOpPhi)
            continue;
        uint32_t *preds = ARENA_ARRAY(e->a, uint32_t, t->block.n);
        for (size_t p = 0; p < t->block.n; p++) {
            uint32_t *to, count = targets(t, &t->block.v[p], &to);
            bool goes = false;
            for (uint32_t j = 0; j < count; j++)
                goes |= to[j] == t->block.v[k].label;
            if (goes)
                preds[n++] = t->block.v[p].label;
        }
        for (; i != EDIT_NONE && e->node.v[i].op == SpvOpPhi; i = next_left(e, i))
            fix_phi(t, i, preds, n);
    }
}

// ---- uses ------------------------------------------------------------------------------

static uint32_t type_of(const struct red_edit *e, uint32_t id)
{
    const struct spv_inst *d = id < e->m->bound ? spv_def(e->m, id) : NULL;
    return d ? d->type : 0;
}

static bool is_about(uint32_t op) // something else, which may be gone
{
    switch (op) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return true;
    default:
        return false;
    }
}

static void fix_entry_point(struct tidy *t, uint32_t node)
{
    struct red_edit *e = t->e;
    const struct edit_node x = e->node.v[node];
    uint32_t rest, n = inst_ids(e, x.w, x.n, t->at, &rest), count = 0;
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, x.n);
    for (uint32_t i = 1; i < x.n; i++) {
        bool gone = false;
        for (uint32_t k = 1; k < n; k++)
            gone |= t->at[k] == i && e->def[x.w[i]] == EDIT_NONE;
        if (!gone)
            v[count++] = x.w[i];
    }
    if (count + 1 == x.n)
        return;
    edit_set(e, node, SpvOpEntryPoint, v, count);
    t->changed = true;
}

static void fix_node(struct tidy *t, uint32_t node)
{
    struct red_edit *e = t->e;
    uint32_t rest, n = inst_ids(e, e->node.v[node].w, e->node.v[node].n, t->at, &rest);
    const uint32_t op = e->node.v[node].op;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t pos = t->at[k], id = e->node.v[node].w[pos];
        uint32_t to = resolve(e, id);
        if (to < e->id_limit && e->def[to] == EDIT_NONE) {
            if (op == SpvOpEntryPoint)
                continue;
            uint32_t type = type_of(e, id);
            to = is_about(op) || (op == SpvOpFunctionCall && pos == 3) || !type
                     ? 0
                     : edit_zero(e, type);
            if (!to) {
                t->bad |= inst_is_terminator(op) || op == SpvOpLoopMerge ||
                          op == SpvOpSelectionMerge || op == SpvOpFunction;
                drop(t, node);
                return;
            }
        }
        if (to != id) {
            edit_write(e, node)[pos] = to;
            t->changed = true;
        }
    }
}

static void fix_uses(struct tidy *t)
{
    EACH_NODE(i, t->e)
    {
        if (t->bad)
            return;
        fix_node(t, i);
        if (!t->e->node.v[i].gone && t->e->node.v[i].op == SpvOpEntryPoint)
            fix_entry_point(t, i);
    }
}

// ---- what nobody uses --------------------------------------------------------------------

static void count_uses(struct tidy *t, uint32_t *uses, uint32_t node, uint32_t by)
{
    struct red_edit *e = t->e;
    const struct edit_node *x = &e->node.v[node];
    uint32_t rest, n = inst_ids(e, x->w, x->n, t->at, &rest);
    if (x->op == SpvOpEntryPoint) {
        uses[x->w[2]] += by;
        return;
    }
    // The size of the workgroup may be a constant that only its decoration knows.
    bool size = x->op == SpvOpDecorate && x->n == 4 && x->w[2] == SpvDecorationBuiltIn &&
                x->w[3] == SpvBuiltInWorkgroupSize;
    bool first = is_about(x->op) && x->op != SpvOpExecutionMode && !size;
    for (uint32_t k = first; k < n; k++)
        if (x->w[t->at[k]] < e->id_limit && x->w[t->at[k]] != inst_result(x->w))
            uses[x->w[t->at[k]]] += by;
    for (uint32_t k = rest; k < x->n; k++)
        if (x->w[k] < e->id_limit && x->op != SpvOpDecorate && x->op != SpvOpMemberDecorate &&
            x->op != SpvOpExecutionMode && x->op != SpvOpLoopMerge)
            uses[x->w[k]] += by;
}

static void drop_dead(struct tidy *t)
{
    struct red_edit *e = t->e;
    uint32_t *uses = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    EACH_NODE(i, e) count_uses(t, uses, i, 1);
    for (uint32_t i = e->last; i != EDIT_NONE; i = e->node.v[i].prev) {
        const struct edit_node *x = &e->node.v[i];
        const uint32_t id = x->gone ? 0 : inst_result(x->w);
        if (!id || uses[id])
            continue;
        if (inst_is_pure(x->op) && !e->sweep && id < e->m->bound && !t->before[id])
            continue;
        if (!inst_is_pure(x->op) && !inst_is_type(x->op) && !inst_is_constant(x->op) &&
            x->op != SpvOpVariable && x->op != SpvOpExtInstImport && x->op != SpvOpString)
            continue;
        count_uses(t, uses, i, UINT32_MAX);
        drop(t, i);
    }
}

bool tidy(struct red_edit *e)
{
    struct tidy t = {.e = e};
    uint32_t longest = 1;
    for (size_t i = 0; i < e->node.n; i++)
        longest = e->node.v[i].n > longest ? e->node.v[i].n : longest;
    t.block_of = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    t.at = ARENA_ARRAY(e->a, uint16_t, longest + 2 * EDIT_NEW_IDS);
    struct red_edit was;
    t.before = ARENA_ARRAY(e->a, uint32_t, e->id_limit);
    if (!e->sweep) {
        edit_start(&was, e->a, &e->c, e->m);
        t.e = &was;
        for (uint32_t i = 0; i < e->m->inst_count; i++)
            count_uses(&t, t.before, i, 1);
        t.e = e;
    }
    for (int round = 0; round < ROUNDS && !t.bad; round++) {
        t.changed = false;
        drop_functions(&t);
        for (uint32_t i = e->first; i != EDIT_NONE && !t.bad; i = next_left(e, i))
            if (!e->node.v[i].gone && e->node.v[i].op == SpvOpFunction) {
                uint32_t start = i;
                i = collect(&t, i);
                if (!t.bad)
                    drop_blocks(&t);
                collect(&t, start);
                if (!t.bad)
                    fix_phis(&t);
                if (i == EDIT_NONE)
                    break;
            }
        if (!t.bad)
            fix_uses(&t);
        if (!t.bad)
            drop_dead(&t);
        if (!t.changed)
            return !t.bad;
    }
    return false;
}
