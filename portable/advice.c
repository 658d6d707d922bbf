// SPDX-License-Identifier: Apache-2.0
//
// Advice for the author: where an operation could move, how the shader's language declares the
// extension, and which loops wait for another invocation.
#include "portable_inner.h"

#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

#include <string.h>

enum { DEEP = 24 };

static bool flow_of(struct por_asker *w, uint32_t inst, struct spv_flow *out)
{
    const uint32_t f = spv_function_at(w->m, inst);
    if (f != UINT32_MAX)
        spv_flow_read(w->a, w->m, &w->m->functions[f], out);
    return f != UINT32_MAX;
}

// The header of the innermost construct around an instruction; SPV_NO_BLOCK: none.
static uint32_t innermost(const struct spv_flow *flow, uint32_t inst)
{
    const uint32_t b = spv_flow_at(flow, inst);
    if (b == SPV_NO_BLOCK)
        return SPV_NO_BLOCK;
    const uint32_t h = flow->block[b].construct;
    return h == b && flow->block[b].kind != SPV_LOOP ? spv_flow_around(flow, h)
                                                     : h; // before its own branch
}

// The first call of the function that an instruction is in; 0: none.
static uint32_t called_at(const struct spv_module *m, uint32_t inst)
{
    const uint32_t f = spv_function_at(m, inst);
    for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id)
            return k;
    return 0;
}

uint32_t por_around(struct por_asker *w, uint32_t inst)
{
    struct spv_flow flow;
    for (int depth = 0; inst && depth < DEEP; depth++, inst = called_at(w->m, inst)) {
        const uint32_t h = flow_of(w, inst, &flow) ? innermost(&flow, inst) : SPV_NO_BLOCK;
        if (h != SPV_NO_BLOCK)
            return w->m->blocks[flow.first + h].last;
    }
    return 0;
}

bool por_is_loop(struct por_asker *w, uint32_t header)
{
    const uint32_t b = spv_block_at(w->m, header);
    for (uint32_t k = b == UINT32_MAX ? header : w->m->blocks[b].first; k < header; k++)
        if (w->m->insts[k].op == SpvOpLoopMerge)
            return true;
    return false;
}

// ---- does it depend on inputs? -------------------------------------------------------

// True if `depends` holds for a branch that decides whether an instruction is executed.
static bool is_guarded(struct por_asker *w, uint32_t inst,
                       bool (*depends)(const struct por_asker *, uint32_t))
{
    struct spv_flow flow;
    if (!flow_of(w, inst, &flow))
        return false;
    for (uint32_t h = innermost(&flow, inst); h != SPV_NO_BLOCK; h = spv_flow_around(&flow, h))
        if (depends(w, w->m->blocks[flow.first + h].last))
            return true;
    // Could invocations have returned from the function before, by such a branch?
    const struct spv_function *f = &w->m->functions[spv_function_at(w->m, inst)];
    for (uint32_t k = f->first; k < inst; k++)
        if (w->m->insts[k].op == SpvOpReturn || w->m->insts[k].op == SpvOpReturnValue)
            for (uint32_t h = innermost(&flow, k); h != SPV_NO_BLOCK; h = spv_flow_around(&flow, h))
                if (depends(w, w->m->blocks[flow.first + h].last))
                    return true;
    return false;
}

bool por_guarded_by_inputs(struct por_asker *w, uint32_t inst)
{
    return is_guarded(w, inst, por_from_inputs);
}

bool por_guarded_by_workgroup(struct por_asker *w, uint32_t inst)
{
    return is_guarded(w, inst, por_from_workgroup);
}

bool por_counted_by_inputs(struct por_asker *w, uint32_t inst)
{
    struct spv_flow flow;
    const struct spv_module *m = w->m;
    if (!flow_of(w, inst, &flow))
        return false;
    for (uint32_t h = innermost(&flow, inst); h != SPV_NO_BLOCK; h = spv_flow_around(&flow, h)) {
        bool ends = false;
        if (flow.block[h].kind != SPV_LOOP || flow.block[h].merge == SPV_NO_BLOCK)
            continue;
        for (uint32_t b = 0; b < flow.n && !ends; b++)
            for (uint32_t k = 0; spv_flow_inside(&flow, h, b) && k < flow.block[b].succ_count; k++)
                ends |= flow.block[b].succ[k] == flow.block[h].merge &&
                        por_from_inputs(w, m->blocks[flow.first + b].last);
        const uint32_t first = m->blocks[flow.first + h].first,
                       last = m->blocks[flow.first + flow.block[h].merge].first;
        if (ends && first < last && por_varies(w, inst, first, last))
            return true;
    }
    return false;
}

bool por_undef_by_inputs(struct por_asker *w, uint32_t id, int depth)
{
    const struct spv_module *m = w->m;
    const struct spv_inst *d = spv_def(m, id);
    const bool made = d && (d->op == SpvOpCompositeConstruct || d->op == SpvOpCopyObject);
    for (uint32_t k = 0; made && k < d->n && depth <= DEEP; k++)
        if (por_undef_by_inputs(w, d->v[k], depth + 1))
            return true;
    if (!d || d->op != SpvOpPhi || depth > DEEP)
        return false;
    for (uint32_t k = 0; k + 1 < d->n; k += 2) {
        const struct spv_inst *value = spv_def(m, d->v[k]);
        const uint32_t from = m->block_of[d->v[k + 1]];
        if (!value || from == UINT32_MAX)
            continue;
        if (value->op != SpvOpUndef) {
            if (m->def[d->v[k]] < m->def[id] && por_undef_by_inputs(w, d->v[k], depth + 1))
                return true;
            continue;
        }
        if (por_condition(m, from) && por_from_inputs(w, m->blocks[from].last))
            return true;
        for (uint32_t j = w->uniform->first[from]; j < w->uniform->first[from + 1]; j++)
            if (por_from_inputs(w, m->blocks[w->uniform->control[j]].last))
                return true;
    }
    return false;
}

uint32_t por_divided_by_inputs(struct por_asker *w, uint32_t inst)
{
    const struct spv_module *m = w->m;
    const struct por_uniform *u = w->uniform;
    struct arena a = {0};
    bool *seen = ARENA_ARRAY(&a, bool, m->block_count + 1);
    uint32_t *stack = ARENA_ARRAY(&a, uint32_t, m->block_count + 1), n = 0, found = 0;
    const uint32_t start = spv_block_at(m, inst);
    if (start != UINT32_MAX)
        seen[start] = true, stack[n++] = start;
    while (n && !found) {
        const uint32_t b = stack[--n], f = spv_function_at(m, m->blocks[b].first);
        for (uint32_t k = u->first[b]; k < u->first[b + 1] && !found; k++) {
            const uint32_t by = u->control[k], condition = por_condition(m, by);
            if (condition && u->value[condition] != POR_SAME &&
                por_from_inputs(w, m->blocks[by].last))
                found = m->blocks[by].last;
            if (!seen[by])
                seen[by] = true, stack[n++] = by;
        }
        for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count && !found; k++) {
            const bool calls =
                m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id;
            const uint32_t from = calls ? spv_block_at(m, k) : UINT32_MAX;
            if (from != UINT32_MAX && !seen[from])
                seen[from] = true, stack[n++] = from;
        }
    }
    arena_free(&a);
    return found;
}

// ---- other places for an operation --------------------------------------------------

// True if a value is available before instruction `at`, or can be computed there, and nothing in at
// .. end changes it.
static bool ready(struct por_asker *w, uint32_t id, uint32_t at, uint32_t end, int depth)
{
    const struct spv_module *m = w->m;
    const struct spv_inst *d = spv_def(m, id);
    if (!d || depth > DEEP)
        return false;
    const uint32_t where = m->def[id];
    if (d->op == SpvOpLoad) { // can be loaded again if memory is not written between
        const uint32_t root = por_root(m, d->v[0]);
        const struct spv_inst *variable = root ? spv_def(m, root) : NULL;
        if (!variable ||
            (variable->v[0] != SpvStorageClassFunction && variable->v[0] != SpvStorageClassInput &&
             variable->v[0] != SpvStorageClassPushConstant &&
             variable->v[0] != SpvStorageClassUniform))
            return where < at;
        for (uint32_t k = at; k < end; k++)
            if ((m->insts[k].op == SpvOpStore && por_root(m, m->insts[k].v[0]) == root) ||
                m->insts[k].op == SpvOpFunctionCall)
                return false;
        return where < at || ready(w, d->v[0], at, end, depth + 1);
    }
    if (where < at) // blocks are in order: a block comes after its dominator
        return true;
    if (d->op == SpvOpPhi || spv_group_find(d->op) || spv_op_class(d->op) == SPV_CLASS_ATOMIC ||
        d->op == SpvOpFunctionCall)
        return false;
    for (uint32_t k = d->op == SpvOpExtInst ? 2 : 0; k < d->n; k++)
        if (spv_def(m, d->v[k]) && m->def[d->v[k]] >= at && !ready(w, d->v[k], at, end, depth + 1))
            return false;
    return true;
}

// Returns the outermost header around `inst` that the last run reached converged; 0: none.
// *movable: the operation's operands are available there.
static uint32_t before(struct por_asker *w, uint32_t inst, bool *movable, bool *selection)
{
    struct spv_flow flow;
    *movable = *selection = false;
    if (!w->unpromised || !inst || !flow_of(w, inst, &flow))
        return 0;
    for (uint32_t h = innermost(&flow, inst); h != SPV_NO_BLOCK; h = spv_flow_around(&flow, h)) {
        if (w->unpromised[flow.first + h] || flow.block[h].merge == SPV_NO_BLOCK)
            continue;
        const struct spv_inst *s = &w->m->insts[inst];
        const uint32_t at = flow.block[h].kind == SPV_LOOP ? w->m->blocks[flow.first + h].first
                                                           : w->m->blocks[flow.first + h].last,
                       end = w->m->blocks[flow.first + flow.block[h].merge].first;
        *movable = end > inst;
        *selection = h == innermost(&flow, inst) && flow.block[h].kind == SPV_SELECTION;
        for (uint32_t k = 0; k < s->n && *movable; k++)
            if (spv_def(w->m, s->v[k]) && w->m->def[s->v[k]] >= at)
                *movable = ready(w, s->v[k], at, end, 0);
        return at;
    }
    bool no;
    return before(w, called_at(w->m, inst), &no, &no);
}

// The module's source language (OpSource).
static uint32_t language(const struct spv_module *m)
{
    uint32_t found = SpvSourceLanguageUnknown;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        if (m->insts[k].op == SpvOpSource)
            found = m->insts[k].v[0];
    return found;
}

// How to declare the extension in that language.
static const char *declaration(const struct spv_module *m)
{
    switch (language(m)) {
    case SpvSourceLanguageGLSL:
        return "#extension GL_EXT_maximal_reconvergence : require, and void main() "
               "[[maximally_reconverges]]";
    case SpvSourceLanguageHLSL:
        return "dxc -fspv-enable-maximal-reconvergence";
    default:
        return "OpExecutionMode MaximallyReconvergesKHR";
    }
}

const char *por_promise_fix(struct por_asker *w, uint32_t inst)
{
    const struct spv_inst *s = &w->m->insts[inst];
    const struct spv_group_op *g = spv_group_find(s->op);
    bool movable, selection;
    const uint32_t at = before(w, inst, &movable, &selection), line = at ? por_line_near(w, at) : 0;
    const char *declare = arena_printf(
        w->a, "declare maximal reconvergence (%s) and require VK_KHR_shader_maximal_reconvergence",
        declaration(w->m));
    if (!line)
        return arena_printf(w->a, "%s, or move it to where all invocations have reconverged",
                            declare);
    // Shuffles and broadcasts read from chosen lanes, so more active lanes do no harm. A reduction,
    // scan or ballot must still leave out the lanes that the branch left out.
    if (movable && g &&
        (g->klass == SPV_GROUP_SHUFFLE || g->klass == SPV_GROUP_QUAD ||
         (g->klass == SPV_GROUP_BROADCAST && s->op != SpvOpGroupNonUniformBroadcastFirst)))
        return arena_printf(w->a, "move it before line %u, where all are converged; or %s", line,
                            declare);
    if (movable && selection && g && g->klass == SPV_GROUP_BALLOT)
        return arena_printf(w->a,
                            "%s; or take subgroupBallot(condition) before line %u, of the "
                            "condition there, where all are converged",
                            declare, line);
    if (movable && selection && g && (g->klass == SPV_GROUP_REDUCE || g->klass == SPV_GROUP_SCAN))
        return arena_printf(w->a,
                            "%s; or do it before line %u, where all are converged, with a value "
                            "that does not change the result where the condition there is false",
                            declare, line);
    return arena_printf(
        w->a, "%s, or move it out of the construct that line %u opens, where all are converged",
        declare, line);
}

const char *por_uniform_fix(struct por_asker *w, const char *other)
{
    return arena_printf(w->a,
                        "declare subgroup uniform control flow, which suffices here and more "
                        "devices have%s (VK_KHR_shader_subgroup_uniform_control_flow); or %s",
                        language(w->m) == SpvSourceLanguageGLSL
                            ? " (#extension GL_EXT_subgroup_uniform_control_flow : require, and "
                              "void main() [[subgroup_uniform_control_flow]])"
                            : "",
                        other);
}

// ---- loops that wait -----------------------------------------------------------------

// Finds an atomic in first .. last that computes the value and only observes writes of others: a
// load, an exchange, or a compare-exchange with a constant. Returns that instruction; 0: none.
static uint32_t looks(const struct spv_module *m, uint32_t id, uint32_t first, uint32_t last,
                      int depth)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || depth > DEEP || m->def[id] < first || m->def[id] > last)
        return 0;
    switch (d->op) {
    case SpvOpAtomicLoad:
    case SpvOpAtomicExchange:
        return m->def[id];
    case SpvOpAtomicCompareExchange:
        return spv_def(m, d->v[5]) && m->def[d->v[5]] < first ? m->def[id] : 0;
    case SpvOpLoad:
        for (uint32_t k = first; k <= last; k++)
            if (m->insts[k].op == SpvOpStore && m->insts[k].v[0] == d->v[0]) {
                const uint32_t found = looks(m, m->insts[k].v[1], first, last, depth + 1);
                if (found)
                    return found;
            }
        return 0;
    case SpvOpPhi:
    case SpvOpFunctionCall:
        return 0;
    default:
        if (spv_op_class(d->op) == SPV_CLASS_ATOMIC || spv_group_find(d->op))
            return 0;
    }
    for (uint32_t k = d->op == SpvOpExtInst ? 2 : 0; k < d->n; k++) {
        const uint32_t found = looks(m, d->v[k], first, last, depth + 1);
        if (found)
            return found;
    }
    return 0;
}

uint32_t por_waits(struct por_asker *w, uint32_t block, uint32_t *loop)
{
    struct spv_flow flow;
    const struct spv_module *m = w->m;
    const uint32_t end = m->blocks[block].last;
    if (m->insts[end].op != SpvOpBranchConditional || !flow_of(w, end, &flow))
        return 0;
    const uint32_t b = block - flow.first;
    for (uint32_t h = flow.block[b].construct; h != SPV_NO_BLOCK; h = spv_flow_around(&flow, h)) {
        if (flow.block[h].kind != SPV_LOOP || flow.block[h].merge == SPV_NO_BLOCK)
            continue;
        bool leaves = false;
        for (uint32_t k = 0; k < flow.block[b].succ_count; k++)
            leaves |= flow.block[b].succ[k] == flow.block[h].merge;
        // glslang leaves a loop from an arm of a selection: a block that only branches.
        for (uint32_t k = 0; k < flow.block[b].succ_count && !leaves; k++) {
            const struct spv_flow_block *arm = &flow.block[flow.block[b].succ[k]];
            leaves = arm->succ_count == 1 && arm->succ[0] == flow.block[h].merge;
        }
        const uint32_t first = m->blocks[flow.first + h].first,
                       last = m->blocks[flow.first + flow.block[h].merge].first;
        const uint32_t found =
            leaves && last > first ? looks(m, m->insts[end].v[0], first, last, 0) : 0;
        *loop = m->blocks[flow.first + h].last;
        return found;
    }
    return 0;
}
