// SPDX-License-Identifier: Apache-2.0
//
// The values of loads that race were dead in a run: nothing that others can see used them. Would
// other inputs change that? Follows such a value forwards through the module. Inputs must decide
// neither whether the load and the store are executed, nor where, nor what leaves the value out: a
// branch, a choice of two values, the lane that a shuffle reads.
#include "ask.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

struct slice {
    struct por_table *b;
    bool *carries;  // [id] a value, or a variable of one invocation, that may carry it
    uint16_t *at;   // scratch
    bool more;      // something was added in this round
    bool by_inputs; // inputs may decide what becomes of it
};

static void carry(struct slice *s, uint32_t id)
{
    s->more |= !s->carries[id];
    s->carries[id] = true;
}

// True if inputs decide whether some way to the block is taken.
static bool is_decided_by_inputs(const struct slice *s, uint32_t block)
{
    struct por_asker *w = &s->b->w;
    const struct por_uniform *u = w->uniform;
    if (por_condition(w->m, block) && por_from_inputs(w, w->m->blocks[block].last))
        return true;
    for (uint32_t k = u->first[block]; k < u->first[block + 1]; k++)
        if (por_from_inputs(w, w->m->blocks[u->control[k]].last))
            return true;
    return false;
}

static void phi(struct slice *s, const struct spv_inst *i)
{
    const struct spv_module *m = s->b->w.m;
    bool any = false;
    for (uint32_t k = 0; k + 1 < i->n; k += 2)
        any |= s->carries[i->v[k]];
    for (uint32_t k = 0; any && k + 1 < i->n; k += 2) {
        const uint32_t from = m->block_of[i->v[k + 1]];
        s->by_inputs |= from == UINT32_MAX || is_decided_by_inputs(s, from);
    }
    if (any)
        carry(s, i->result);
}

// A store to a variable of one invocation: a load of the variable may read the value.
static bool is_own(const struct spv_module *m, uint32_t variable)
{
    const struct spv_inst *d = spv_def(m, variable);
    return d && d->op == SpvOpVariable &&
           (d->v[0] == SpvStorageClassFunction || d->v[0] == SpvStorageClassPrivate);
}

// True if an operand carries the value. A variable itself does only where it is passed on.
static bool carries(const struct slice *s, const struct spv_inst *i, uint32_t id)
{
    return id < s->b->w.m->bound && s->carries[id] &&
           (i->op == SpvOpFunctionCall || i->op == SpvOpCopyMemory || !is_own(s->b->w.m, id));
}

static void follow(struct slice *s, uint32_t inst)
{
    struct por_asker *w = &s->b->w;
    const struct spv_module *m = w->m;
    const struct spv_inst *i = &m->insts[inst];
    const uint32_t root = i->op == SpvOpStore || i->op == SpvOpLoad ? por_root(m, i->v[0]) : 0;
    uint32_t rest;
    if (i->op == SpvOpPhi) {
        phi(s, i);
        return;
    }
    if (i->op == SpvOpStore && is_own(m, root) && s->carries[root]) // it may overwrite the value
        s->by_inputs |= por_guarded_by_inputs(w, inst) || por_from_inputs(w, inst);
    bool uses = i->op == SpvOpLoad && is_own(m, root) && s->carries[root];
    const uint32_t n = spv_operand_ids(i->op, i->v, i->n, 1, s->at, &rest);
    for (uint32_t k = 0; k < n; k++)
        uses |= carries(s, i, i->v[s->at[k]]);
    for (uint32_t k = i->op == SpvOpExtInst ? 2 : rest; k < i->n; k++) // perhaps an id
        uses |= carries(s, i, i->v[k]);
    if (!uses)
        return;
    const struct spv_group_op *g = spv_group_find(i->op);
    s->by_inputs |= por_guarded_by_inputs(w, inst) || i->op == SpvOpFunctionCall ||
                    i->op == SpvOpReturnValue || i->op == SpvOpCopyMemory ||
                    (i->op == SpvOpSelect && por_value_from_inputs(w, i->v[0])) ||
                    (g && i->n > 2u && por_value_from_inputs(w, i->v[2]));
    if (i->op == SpvOpStore && is_own(m, root))
        carry(s, root);
    if (i->result && i->type)
        carry(s, i->result);
}

// True if every use of the value of a load that races stands after it in its block, and no use
// passed the value on.
static bool is_used_up(const struct por_table *b, uint32_t load, uint32_t end)
{
    const struct spv_module *m = b->w.m;
    const uint32_t block = spv_block_at(m, load), id = m->insts[load].result;
    uint32_t waits = load; // invocations may stand at the next barrier or in the next call
    do
        waits++;
    while (waits < m->inst_count && m->insts[waits].op != SpvOpControlBarrier &&
           m->insts[waits].op != SpvOpFunctionCall);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        bool uses = false;
        for (uint32_t j = 0; i->op != SpvOpName && i->op != SpvOpDecorate && j < i->n; j++)
            uses |= i->v[j] == id; // or a literal
        if (uses && (spv_block_at(m, k) != block || k <= load || k > waits || b->raced.carries[k] ||
                     (spv_block_at(m, end) == block && end <= k)))
            return false;
    }
    return block != UINT32_MAX;
}

bool por_dead_at_once(const struct por_table *b, uint32_t end)
{
    const bool *raced = b->raced.insts;
    for (uint32_t k = 0; raced && b->raced.carries && k < b->w.m->inst_count; k++)
        if (raced[k] && b->w.m->insts[k].op == SpvOpLoad && !is_used_up(b, k, end))
            return false;
    return raced && b->raced.carries;
}

bool por_dead_by_inputs(struct por_table *b)
{
    const struct spv_module *m = b->w.m;
    const bool *raced = b->raced.insts;
    struct arena a = {0};
    struct slice s = {.b = b, .carries = ARENA_ARRAY(&a, bool, m->bound), .more = true};
    uint32_t longest = 16;
    for (uint32_t k = 0; k < m->inst_count; k++)
        longest = m->insts[k].n > longest ? m->insts[k].n : longest;
    s.at = ARENA_ARRAY(&a, uint16_t, longest);
    for (uint32_t k = 0; raced && k < m->inst_count; k++) {
        if (!raced[k])
            continue;
        s.by_inputs |= por_from_inputs(&b->w, k) || por_guarded_by_inputs(&b->w, k);
        if (m->insts[k].op == SpvOpLoad)
            carry(&s, m->insts[k].result);
    }
    while (s.more && !s.by_inputs) {
        s.more = false;
        for (uint32_t k = 0; k < m->inst_count && !s.by_inputs; k++)
            if (m->insts[k].op != SpvOpName && m->insts[k].op != SpvOpDecorate)
                follow(&s, k);
    }
    arena_free(&a);
    return s.by_inputs && b->out->inputs.invented;
}
