// SPDX-License-Identifier: Apache-2.0
//
// Code that no input reached: what a result could show of it is not decided by all paths, other
// than for group operations, atomics and barriers (uniform.h).
#include "ask.h"

#include "spirv/spirv_flow.h"

// True if the instruction writes memory that several invocations see; `shown`: memory that outlives
// the dispatch, by an atomic, too.
static bool writes(const struct spv_module *m, const struct spv_inst *s, bool shown)
{
    const enum spv_op_class class = spv_op_class(s->op);
    const bool atomic = shown && class == SPV_CLASS_ATOMIC && s->op != SpvOpAtomicLoad;
    if (s->op == SpvOpImageWrite)
        return true;
    if (s->op != SpvOpStore && s->op != SpvOpCopyMemory && !atomic)
        return false;
    const struct spv_inst *d = spv_def(m, s->v[0]), *type = d ? spv_def(m, d->type) : NULL;
    if (!type || type->op != SpvOpTypePointer)
        return true; // a texel pointer, or one that is not typed
    return type->v[0] != SpvStorageClassFunction && type->v[0] != SpvStorageClassPrivate &&
           !(shown && type->v[0] == SpvStorageClassWorkgroup);
}

static bool has_effect(const struct spv_module *m, const struct spv_inst *s, int depth)
{
    enum { DEEP = 6 };
    if (s->op != SpvOpFunctionCall)
        return writes(m, s, false);
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t k = m->functions[f].first;
             m->functions[f].id == s->v[0] && k <= m->functions[f].last; k++)
            if (depth >= DEEP || has_effect(m, &m->insts[k], depth + 1))
                return true;
    return false;
}

// True if the instruction computes or accesses something: control flow alone has no effect, and
// what only debuggers read has the type void.
static bool computes(const struct spv_module *m, const struct spv_inst *s)
{
    const struct spv_inst *type = s->type ? spv_def(m, s->type) : NULL;
    return s->op == SpvOpStore || (s->result && s->op != SpvOpPhi && s->op != SpvOpVariable &&
                                   type && type->op != SpvOpTypeVoid);
}

// The first instruction of a block that has an effect; 0: none. In a block with group operations,
// atomics or barriers, only others that write count.
static uint32_t effect_in(const struct spv_module *m, uint32_t block)
{
    const bool plain = !por_first_that_counts(m, block);
    for (uint32_t k = m->blocks[block].first; k <= m->blocks[block].last; k++)
        if (has_effect(m, &m->insts[k], 0) || (plain && computes(m, &m->insts[k])))
            return k;
    return 0;
}

// True if something calls the function of a block, or it is an entry point.
static bool is_called(const struct spv_module *m, uint32_t block)
{
    const uint32_t f = spv_function_at(m, m->blocks[block].first);
    for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count; k++)
        if ((m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id) ||
            (m->insts[k].op == SpvOpEntryPoint && m->insts[k].v[1] == m->functions[f].id))
            return true;
    return false;
}

// True if a value depends on nothing but constants, the user's specialisation, and the subgroup
// size.
static bool is_fixed(const struct por_table *b, uint32_t id, int depth)
{
    enum { DEEP = 12 };
    const struct spv_module *m = b->w.m;
    const struct spv_inst *d = spv_def(m, id);
    const bool *invented = b->out->inputs.constant;
    if (!d || depth > DEEP)
        return false;
    if (d->op >= SpvOpConstantTrue && d->op <= SpvOpSpecConstant)
        return !(invented && invented[id]) &&
               por_free_constant(m, &b->c[POR_MAXIMAL], id) == UINT32_MAX;
    if (d->op == SpvOpLoad)
        return por_decoration(m, d->v[0], UINT32_MAX, SpvDecorationBuiltIn) ==
               SpvBuiltInSubgroupSize;
    if (d->op != SpvOpBitcast && (d->op < SpvOpSNegate || d->op > SpvOpNot))
        return false;
    for (uint32_t k = 0; k < d->n; k++)
        if (!is_fixed(b, d->v[k], depth + 1))
            return false;
    return true;
}

static bool is_excluded(const struct por_table *b, uint32_t block, int depth)
{
    enum { DEEP = 6 };
    const struct spv_module *m = b->w.m;
    const struct por_uniform *u = b->w.uniform;
    bool all = true, some = false, called = false;
    if (b->reached[block] || depth > DEEP)
        return false;
    for (uint32_t k = u->first[block]; k < u->first[block + 1] && all; k++) {
        const uint32_t by = u->control[k], condition = por_condition(m, by);
        const bool ran = b->reached[by] == (1u << b->out->sizes) - 1;
        some |= by != block; // a loop decides only how often it runs
        all = by == block || (ran && condition && is_fixed(b, condition, 0)) ||
              is_excluded(b, by, depth + 1);
    }
    if (all && some)
        return true;
    const uint32_t f = spv_function_at(m, m->blocks[block].first);
    for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id) {
            called = true;
            if (!is_excluded(b, spv_block_at(m, k), depth + 1))
                return false;
        }
    return called;
}

bool por_excluded(const struct por_table *b, uint32_t block)
{
    return is_excluded(b, block, 0);
}

// Nothing that outlives the dispatch was written: no result can be judged.
static void nothing_stored(struct por_table *b)
{
    const struct spv_module *m = b->w.m;
    uint32_t first = 0;
    for (uint32_t k = 0; k < m->block_count; k++)
        for (uint32_t i = m->blocks[k].first; i <= m->blocks[k].last; i++) {
            if (!writes(m, &m->insts[i], true))
                continue;
            if (b->reached[k])
                return;
            if (!first && is_called(m, k) && !por_excluded(b, k))
                first = i;
        }
    for (uint32_t k = 0; first && k < POR_MODELS * b->out->sizes; k++) {
        struct por_cell *c = &b->out->cell[k % POR_MODELS][k / POR_MODELS];
        if (c->status != POR_PORTABLE)
            continue;
        b->out->nothing |= k % POR_MODELS == por_declared(b->out);
        *c = (struct por_cell){
            .status = POR_UNREACHED,
            .reason = {.text = arena_printf(b->w.a,
                                            "nothing was stored: no input reached %s, nor any "
                                            "other store to a buffer or image.",
                                            por_inst_text(&b->w, first)),
                       .fix = "provide inputs that reach it, with --data or --set",
                       .at = por_place(b->w.a, m, first)}};
    }
}

void por_not_run(struct por_table *b)
{
    enum { MOST = 4 };
    const struct spv_module *m = b->w.m;
    struct text lines = {.arena = b->w.a};
    uint32_t left = 0, listed = 0, last = 0;
    for (uint32_t k = 0; k < m->block_count; k++) {
        const bool real = m->insts[m->blocks[k].last].op != SpvOpUnreachable;
        const bool left_out = !b->reached[k] && real && is_called(m, k) && !por_excluded(b, k);
        const uint32_t at = left_out ? effect_in(m, k) : 0,
                       line = at ? por_place(b->w.a, m, at).line : 0;
        if (!at)
            continue;
        left++;
        if (line && line != last && listed++ < MOST)
            text_add(&lines, "%s%u", lines.n ? ", " : "", line);
        last = line;
    }
    if (left)
        por_note(b, arena_printf(b->w.a, "%u block%s never reached with these inputs%s%s%s", left,
                                 left == 1 ? " was" : "s were",
                                 !lines.n      ? ""
                                 : listed == 1 ? " (line "
                                               : " (lines ",
                                 lines.n ? lines.v : "",
                                 !lines.n        ? ""
                                 : listed > MOST ? ", ...)"
                                                 : ")"));
    for (uint32_t k = 0; left && k < POR_MODELS * b->out->sizes; k++)
        b->out->cell[k % POR_MODELS][k / POR_MODELS].tried |= POR_TRIED_RUN;
    nothing_stored(b);
}
