// SPDX-License-Identifier: Apache-2.0
//
// Static uniformity over all paths (uniform.h). Levels only rise, until nothing changes. A value
// gets the largest level of its operands; a block that of the conditions which decide whether it is
// executed; a phi also that of the paths to it; a variable that of the values, places and blocks of
// its stores. Functions are analysed once, for all their calls together.
#include "uniform.h"

#include "portable_inner.h"
#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

struct state {
    struct por_uniform *u;
    const struct spv_module *m;
    struct arena a;    // of the analysis only
    uint8_t *memory;   // [variable or pointer parameter] the level of its contents
    uint8_t *function; // [function] the level of its calls
    uint8_t *returned; // [function] the level of its result
    bool *ragged;      // [function] its invocations may return at different places
    uint32_t *owner;   // [block] its function
    bool *written;     // [variable] a buffer that the module writes
    bool far;          // the module writes through addresses
    bool lost;         // a store through an unknown pointer
    bool changed;
    uint16_t *at; // operands
};

static void raise(struct state *s, uint8_t *to, uint8_t level)
{
    if (level > *to)
        *to = level, s->changed = true;
}

static void raise_value(struct state *s, uint32_t id, uint8_t level, uint32_t because)
{
    if (id >= s->m->bound || level <= s->u->value[id])
        return;
    s->u->value[id] = level;
    s->u->because[id] = because;
    s->changed = true;
}

// The variable or parameter that a pointer points into; 0: unknown.
static uint32_t root_of(const struct spv_module *m, uint32_t id)
{
    for (int depth = 0; depth < 64; depth++) {
        const struct spv_inst *d = spv_def(m, id);
        if (!d)
            return 0;
        if (d->op == SpvOpVariable || d->op == SpvOpFunctionParameter)
            return id;
        if (d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain &&
            d->op != SpvOpCopyObject)
            return 0;
        id = d->v[0];
    }
    return 0;
}

static uint32_t storage_of(const struct spv_module *m, uint32_t pointer)
{
    const struct spv_inst *d = spv_def(m, pointer), *t = d ? spv_def(m, d->type) : NULL;
    return t && t->op == SpvOpTypePointer ? t->v[0] : UINT32_MAX;
}

uint32_t por_condition(const struct spv_module *m, uint32_t block)
{
    const struct spv_inst *t = &m->insts[m->blocks[block].last];
    return t->op == SpvOpBranchConditional || t->op == SpvOpSwitch ? t->v[0] : 0;
}

uint32_t por_source(const struct por_uniform *u, uint32_t id)
{
    for (uint32_t k = 0; k < u->m->bound && u->because[id]; k++)
        id = u->because[id];
    return id;
}

// ---- memory -------------------------------------------------------------------------

static uint8_t built_in(const struct spv_module *m, uint32_t variable)
{
    switch (por_decoration(m, variable, UINT32_MAX, SpvDecorationBuiltIn)) {
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInDeviceIndex:
        return POR_SAME;
    case SpvBuiltInSubgroupId:
        return POR_GROUPS;
    default:
        return POR_DIFFER;
    }
}

// The contents of the memory that a pointer points to.
static uint8_t contents(const struct state *s, uint32_t pointer)
{
    const uint32_t root = root_of(s->m, pointer);
    switch (storage_of(s->m, pointer)) {
    case SpvStorageClassPushConstant:
    case SpvStorageClassUniformConstant:
        return POR_SAME;
    case SpvStorageClassInput:
        return root ? built_in(s->m, root) : POR_DIFFER;
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        return !root || s->written[root] || s->far ? POR_DIFFER : POR_SAME;
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        return root && !s->lost ? s->memory[root] : POR_DIFFER;
    default: // Workgroup, addresses
        return POR_DIFFER;
    }
}

static void store(struct state *s, uint32_t pointer, uint8_t level)
{
    const uint32_t root = root_of(s->m, pointer), storage = storage_of(s->m, pointer);
    if (root)
        raise(s, &s->memory[root], level);
    else if (storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate)
        s->changed |= !s->lost, s->lost = true;
}

// Finds the buffers that the module writes; two variables on one binding are one buffer.
static void find_written(struct state *s)
{
    const struct spv_module *m = s->m;
    bool any = false;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        const bool writes = i->op == SpvOpStore || i->op == SpvOpCopyMemory ||
                            i->op == SpvOpCopyMemorySized ||
                            spv_op_class(i->op) == SPV_CLASS_ATOMIC;
        if (!writes || !i->n)
            continue;
        const uint32_t root = root_of(m, i->v[0]), storage = storage_of(m, i->v[0]);
        s->far |= storage == SpvStorageClassPhysicalStorageBuffer;
        if (storage != SpvStorageClassStorageBuffer && storage != SpvStorageClassUniform)
            continue;
        if (root && spv_def(m, root)->op == SpvOpVariable)
            s->written[root] = true;
        else
            any = true;
    }
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        for (uint32_t j = 0; m->insts[k].op == SpvOpVariable && j < m->inst_count &&
                             m->insts[j].op != SpvOpFunction;
             j++) {
            const uint32_t x = m->insts[k].result, y = m->insts[j].result;
            if (m->insts[j].op == SpvOpVariable && (any || s->written[y]) &&
                por_decoration(m, x, UINT32_MAX, SpvDecorationBinding) ==
                    por_decoration(m, y, UINT32_MAX, SpvDecorationBinding) &&
                por_decoration(m, x, UINT32_MAX, SpvDecorationDescriptorSet) ==
                    por_decoration(m, y, UINT32_MAX, SpvDecorationDescriptorSet))
                s->written[x] = true;
        }
}

// ---- values -------------------------------------------------------------------------

static void from_operands(struct state *s, const struct spv_inst *i, uint32_t from)
{
    uint32_t rest;
    const uint32_t n = spv_operand_ids(i->op, i->v, i->n, 1, s->at, &rest);
    for (uint32_t k = 0; k < n; k++)
        if (s->at[k] >= from)
            raise_value(s, i->result, s->u->value[i->v[s->at[k]]], i->v[s->at[k]]);
}

static void group(struct state *s, const struct spv_inst *i, uint8_t here)
{
    const struct spv_group_op *g = spv_group_find(i->op);
    const bool whole = g->klass == SPV_GROUP_VOTE || g->klass == SPV_GROUP_BALLOT ||
                       g->klass == SPV_GROUP_BROADCAST ||
                       (g->klass == SPV_GROUP_REDUCE && g->has_form && i->n > g->has_scope &&
                        i->v[g->has_scope] == SpvGroupOperationReduce);
    if (g->klass == SPV_GROUP_BITS && i->op != SpvOpGroupNonUniformInverseBallot &&
        i->op != SpvOpGroupNonUniformBallotBitCount)
        from_operands(s, i, g->has_scope);
    else
        raise_value(s, i->result, whole && here < POR_DIFFER ? POR_GROUPS : POR_DIFFER, 0);
}

static void phi(struct state *s, const struct spv_inst *i, uint8_t here)
{
    for (uint32_t k = 0; k + 1 < i->n; k += 2) {
        const uint32_t from = s->m->block_of[i->v[k + 1]];
        raise_value(s, i->result, s->u->value[i->v[k]], i->v[k]);
        if (from == UINT32_MAX)
            continue;
        const uint32_t way = por_condition(s->m, from);
        if (way)
            raise_value(s, i->result, s->u->value[way], way);
        if (s->u->block[from] > here) {
            const uint32_t b = s->u->branch[from];
            raise_value(s, i->result, s->u->block[from], b ? s->m->insts[b].v[0] : 0);
        }
    }
    raise_value(s, i->result, here, 0);
}

static void call(struct state *s, const struct spv_inst *i, uint8_t here)
{
    const struct spv_module *m = s->m;
    for (uint32_t f = 0; f < m->function_count; f++) {
        if (m->functions[f].id != i->v[0])
            continue;
        raise(s, &s->function[f], here);
        raise_value(s, i->result, s->returned[f], 0);
        uint32_t p = 0;
        for (uint32_t k = m->functions[f].first; k < m->functions[f].last && p + 1 < i->n; k++) {
            if (m->insts[k].op != SpvOpFunctionParameter)
                continue;
            const uint32_t to = m->insts[k].result, from = i->v[++p], root = root_of(m, from);
            raise_value(s, to, s->u->value[from], from);
            if (root && storage_of(m, to) != UINT32_MAX) { // both name one memory
                raise(s, &s->memory[to], s->memory[root]);
                raise(s, &s->memory[root], s->memory[to]);
            } else if (storage_of(m, to) != UINT32_MAX) {
                raise(s, &s->memory[to], POR_DIFFER);
            }
        }
    }
}

static void instruction(struct state *s, const struct spv_inst *i, uint8_t here)
{
    const struct spv_module *m = s->m;
    if (i->op == SpvOpStore) {
        const uint8_t a = s->u->value[i->v[0]], b = s->u->value[i->v[1]];
        store(s, i->v[0], a > b ? (a > here ? a : here) : b > here ? b : here);
    } else if (i->op == SpvOpCopyMemory || i->op == SpvOpCopyMemorySized) {
        store(s, i->v[0], POR_DIFFER);
    } else if (i->op == SpvOpFunctionCall) {
        call(s, i, here);
    } else if (i->op == SpvOpPhi) {
        phi(s, i, here);
    } else if (i->op == SpvOpLoad) {
        raise_value(s, i->result, s->u->value[i->v[0]], i->v[0]);
        raise_value(s, i->result, contents(s, i->v[0]), root_of(m, i->v[0]));
    } else if (spv_group_find(i->op)) {
        group(s, i, here);
    } else if (i->op == SpvOpExtInst) {
        for (uint32_t k = 2; k < i->n; k++)
            if (spv_def(m, i->v[k]))
                raise_value(s, i->result, s->u->value[i->v[k]], i->v[k]);
        if (i->n && storage_of(m, i->v[i->n - 1]) != UINT32_MAX) // Modf, Frexp
            store(s, i->v[i->n - 1], POR_DIFFER);
    } else if (i->result && i->type && i->op != SpvOpVariable && i->op != SpvOpFunctionParameter &&
               i->op != SpvOpUndef && i->op != SpvOpFunction) {
        switch (spv_op_class(i->op)) {
        case SPV_CLASS_ARITHMETIC:
        case SPV_CLASS_BIT:
        case SPV_CLASS_COMPOSITE:
        case SPV_CLASS_CONVERSION:
        case SPV_CLASS_RELATIONAL_AND_LOGICAL:
            from_operands(s, i, 0);
            break;
        case SPV_CLASS_MEMORY: // chains, lengths; the addresses, not the contents
            from_operands(s, i, 0);
            break;
        default:
            if (i->op == SpvOpImageRead || i->op == SpvOpImageTexelPointer ||
                spv_op_class(i->op) != SPV_CLASS_IMAGE)
                raise_value(s, i->result, POR_DIFFER, 0);
            else
                from_operands(s, i, 0);
        }
    }
}

// ---- blocks -------------------------------------------------------------------------

static void raise_block(struct state *s, uint32_t block, uint8_t level, uint32_t branch)
{
    if (level <= s->u->block[block])
        return;
    s->u->block[block] = level;
    s->u->branch[block] = branch;
    s->changed = true;
}

static void one_block(struct state *s, uint32_t k)
{
    const struct spv_module *m = s->m;
    struct por_uniform *u = s->u;
    const struct spv_block *b = &m->blocks[k];
    raise_block(s, k, s->function[s->owner[k]], 0);
    for (uint32_t j = u->first[k]; j < u->first[k + 1]; j++) {
        const uint32_t by = u->control[j], condition = por_condition(m, by);
        raise_block(s, k, u->block[by], u->branch[by]);
        if (condition)
            raise_block(s, k, u->value[condition], m->blocks[by].last);
    }
    for (uint32_t i = b->first; i <= b->last; i++)
        instruction(s, &m->insts[i], u->block[k]);
    const struct spv_inst *end = &m->insts[b->last];
    const uint32_t f = s->owner[k];
    if (end->op == SpvOpReturnValue) {
        const uint8_t v = u->value[end->v[0]];
        raise(s, &s->returned[f], v > u->block[k] ? v : u->block[k]);
    }
    for (uint32_t i = b->first; i <= b->last; i++)
        for (uint32_t g = 0; m->insts[i].op == SpvOpFunctionCall && g < m->function_count; g++)
            if (m->functions[g].id == m->insts[i].v[0] && s->ragged[g])
                s->changed |= !s->ragged[f], s->ragged[f] = true,
                                             raise(s, &s->function[f], POR_DIFFER);
}

// True if a block is in a case of a switch inside the loop with header h. Such a block continues
// the loop without the switch's merge, and its label promises nothing, also where all come to it.
static bool in_case(const struct spv_flow *flow, uint32_t h, uint32_t block)
{
    for (uint32_t b = 0; b < flow->n; b++)
        if (b != block && flow->block[b].kind == SPV_SWITCH && spv_flow_inside(flow, h, b) &&
            spv_flow_inside(flow, b, block))
            return true;
    return false;
}

// Constructs. A continue target promises nothing by itself: a loop that invocations continue from
// different places may differ as a whole.
static void constructs(struct state *s, const struct spv_flow *flow)
{
    for (uint32_t h = 0; h < flow->n; h++) {
        const struct spv_flow_block *x = &flow->block[h];
        // A case label promises nothing by itself, also where all invocations come to it.
        const uint32_t selector = por_condition(s->m, flow->first + h);
        for (uint32_t b = 0; x->kind == SPV_SWITCH && selector && b < flow->n; b++)
            if (b != h && spv_flow_inside(flow, h, b))
                raise_block(s, flow->first + b, s->u->value[selector],
                            s->m->blocks[flow->first + h].last);
        if (x->kind != SPV_LOOP || x->cont == SPV_NO_BLOCK)
            continue;
        // Invocations that leave in different iterations run the way out at different times.
        for (uint32_t b = 0; b < flow->n; b++)
            if (spv_flow_inside(flow, h, b))
                raise_block(s, flow->first + b, s->u->block[flow->first + h],
                            s->u->branch[flow->first + h]);
        for (uint32_t k = 0; k < flow->block[x->cont].pred_count; k++) {
            const uint32_t from = flow->first + flow->block[x->cont].pred[k];
            const uint8_t level = s->u->block[from];
            if (level <= s->u->block[flow->first + h] ||
                (flow->block[x->cont].pred_count == 1 &&
                 !in_case(flow, h, flow->block[x->cont].pred[k])))
                continue;
            for (uint32_t b = 0; b < flow->n; b++)
                if (spv_flow_inside(flow, h, b))
                    raise_block(s, flow->first + b, level, s->u->branch[from]);
        }
    }
}

struct por_uniform *por_uniform_of(struct arena *a, const struct spv_module *m)
{
    struct por_uniform *u = ARENA_NEW(a, struct por_uniform);
    struct state s = {.u = u, .m = m};
    uint32_t longest = 16;
    u->m = m;
    u->value = ARENA_ARRAY(a, uint8_t, m->bound);
    u->because = ARENA_ARRAY(a, uint32_t, m->bound);
    u->block = ARENA_ARRAY(a, uint8_t, m->block_count + 1);
    u->branch = ARENA_ARRAY(a, uint32_t, m->block_count + 1);
    por_control(a, u);
    s.memory = ARENA_ARRAY(&s.a, uint8_t, m->bound);
    s.written = ARENA_ARRAY(&s.a, bool, m->bound);
    s.function = ARENA_ARRAY(&s.a, uint8_t, m->function_count + 1);
    s.returned = ARENA_ARRAY(&s.a, uint8_t, m->function_count + 1);
    s.ragged = u->ragged = ARENA_ARRAY(a, bool, m->function_count + 1);
    s.owner = ARENA_ARRAY(&s.a, uint32_t, m->block_count + 1);
    for (uint32_t k = 0; k < m->inst_count; k++)
        longest = m->insts[k].n > longest ? m->insts[k].n : longest;
    s.at = ARENA_ARRAY(&s.a, uint16_t, longest);
    struct spv_flow *flow = ARENA_ARRAY(&s.a, struct spv_flow, m->function_count + 1);
    for (uint32_t f = 0; f < m->function_count; f++) {
        if (m->functions[f].block_count)
            spv_flow_read(&s.a, m, &m->functions[f], &flow[f]);
        uint32_t returns = 0;
        for (uint32_t k = m->functions[f].first; k < m->functions[f].last; k++)
            returns += m->insts[k].op == SpvOpReturn || m->insts[k].op == SpvOpReturnValue;
        s.ragged[f] = returns > 1;               // then the end of a call promises nothing
        for (uint32_t b = 0; b < flow[f].n; b++) // a return out of a construct
            s.ragged[f] |= !flow[f].block[b].succ_count &&
                           flow[f].block[b].construct != SPV_NO_BLOCK &&
                           spv_flow_reached(&flow[f], b);
        for (uint32_t k = 0; k < m->functions[f].block_count; k++)
            s.owner[m->functions[f].block_first + k] = f;
    }
    find_written(&s);
    do {
        s.changed = false;
        for (uint32_t k = 0; k < m->block_count; k++)
            one_block(&s, k);
        for (uint32_t f = 0; f < m->function_count; f++)
            constructs(&s, &flow[f]);
    } while (s.changed);
    arena_free(&s.a);
    return u;
}
