// SPDX-License-Identifier: Apache-2.0
//
// Decodes the control flow of a block: terminator, edges with their phis, merge instruction, and
// the order in which the cases of a switch run.
#include "machine.h"

#include <string.h>

struct flow {
    struct orc_program *p;
    struct orc_why *why;
    uint32_t block, function;
};

static bool invalid(struct flow *f, uint32_t spv, const char *what)
{
    return why_set(&f->p->m, f->why, RAN_INVALID, NULL, spv, "%s", what);
}

static bool block_of(struct flow *f, uint32_t spv, uint32_t label, uint32_t *out)
{
    const struct function *fn = &f->p->functions[f->function];
    *out = f->p->m.block_of[label];
    if (*out < fn->entry || *out >= fn->entry + fn->block_count) // NONE is outside every function
        return invalid(f, spv, "names a label that is not in its function");
    return true;
}

// Decodes an edge: the phis of `target` for lanes that come from this block.
static bool edge(struct flow *f, uint32_t spv, uint32_t label, struct edge *out)
{
    struct orc_program *p = f->p;
    const struct spv_module *m = &p->m;
    if (!block_of(f, spv, label, &out->target))
        return false;
    uint32_t from = m->blocks[f->block].label;
    const struct spv_block *to = &m->blocks[out->target];
    uint32_t count = 0;
    for (uint32_t k = to->first; k < to->last; k++)
        if (m->insts[k].op == SpvOpPhi)
            count += p->types[m->insts[k].type].cells;
    if (count == 0)
        return true;
    out->moves = ARENA_ARRAY(p->arena, struct move, count);
    for (uint32_t k = to->first; k < to->last; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op != SpvOpPhi)
            continue;
        uint32_t value = 0;
        for (uint32_t j = 0; j + 1 < s->n; j += 2)
            if (s->v[j + 1] == from)
                value = s->v[j];
        if (!value)
            return invalid(f, k, "has no value for one of its block's predecessors");
        uint32_t src = p->plane[value], cells = p->types[s->type].cells;
        if (src == NONE || p->types[p->type_of[value]].cells != cells)
            return why_set(m, f->why, RAN_UNSUPPORTED, NULL, k,
                           "operand %%%u is not supported by the oracle", value);
        for (uint32_t j = 0; j < cells; j++)
            out->moves[out->move_count++] = (struct move){p->plane[s->result] + j, src + j};
    }
    for (uint32_t a = 0; a < out->move_count; a++) // true if an earlier write feeds a later read
        for (uint32_t b = a + 1; b < out->move_count && !out->parallel; b++)
            out->parallel = out->moves[a].dst == out->moves[b].src;
    if (out->move_count > p->max_phi)
        p->max_phi = out->move_count;
    return true;
}

static bool plane(struct flow *f, uint32_t spv, uint32_t id, uint32_t *out)
{
    *out = f->p->plane[id];
    return *out != NONE || why_set(&f->p->m, f->why, RAN_UNSUPPORTED, NULL, spv,
                                   "operand %%%u is not supported by the oracle", id);
}

// ---- switches -----------------------------------------------------------------

// Finds the cases that control can reach from `start` without leaving the switch. The search stops
// at the merge block, at the switch itself, and at other cases.
static void falls_to(struct flow *f, const bool *is_case, bool *seen, uint32_t merge,
                     uint32_t start, bool *to)
{
    const struct spv_module *m = &f->p->m;
    VEC(uint32_t) work = {0};
    *VEC_PUSH(f->p->arena, &work) = start;
    while (work.n) {
        uint32_t b = work.v[--work.n];
        const struct spv_inst *end = &m->insts[m->blocks[b].last];
        // A switch has the default, then pairs of literal and label; a 64-bit literal has two
        // words.
        uint32_t pair = end->op != SpvOpSwitch                              ? 1
                        : f->p->types[f->p->type_of[end->v[0]]].width == 64 ? 3
                                                                            : 2;
        for (uint32_t k = 0; k < end->n; k++) {
            bool is_label = end->op == SpvOpBranch ||
                            (end->op == SpvOpBranchConditional && (k == 1 || k == 2)) ||
                            (end->op == SpvOpSwitch && k >= 1 && (k - 1) % pair == 0);
            if (!is_label || end->v[k] >= m->bound)
                continue;
            uint32_t next = m->block_of[end->v[k]];
            if (next == NONE || next == merge || next == f->block || seen[next])
                continue;
            seen[next] = true;
            if (is_case[next])
                to[next] = true;
            else
                *VEC_PUSH(f->p->arena, &work) = next;
        }
    }
}

// Sorts the cases so that a case comes after all cases that fall through to it, because M2 waits
// for their lanes.
static void order_cases(struct flow *f, struct block *b, uint32_t merge)
{
    struct orc_program *p = f->p;
    uint32_t n = b->case_count, blocks = p->block_count;
    if (n < 2)
        return;
    bool *is_case = ARENA_ARRAY(p->arena, bool, blocks);
    for (uint32_t k = 0; k < n; k++)
        is_case[b->edges[b->cases[k].edge].target] = true;
    bool *falls = ARENA_ARRAY(p->arena, bool, arena_bytes(n, n)); // [from][to]
    bool *seen = ARENA_ARRAY(p->arena, bool, blocks), *to = ARENA_ARRAY(p->arena, bool, blocks);
    for (uint32_t k = 0; k < n; k++) {
        memset(seen, 0, blocks);
        memset(to, 0, blocks);
        uint32_t start = b->edges[b->cases[k].edge].target;
        if (start == merge)
            continue;
        falls_to(f, is_case, seen, merge, start, to);
        for (uint32_t j = 0; j < n; j++)
            falls[k * n + j] = j != k && to[b->edges[b->cases[j].edge].target];
    }
    struct switch_case *sorted = ARENA_ARRAY(p->arena, struct switch_case, n);
    bool *taken = ARENA_ARRAY(p->arena, bool, n);
    for (uint32_t at = 0; at < n; at++) {
        uint32_t pick = NONE;
        for (uint32_t k = 0; k < n && pick == NONE; k++) {
            bool ready = !taken[k];
            for (uint32_t j = 0; j < n && ready; j++)
                ready = taken[j] || !falls[j * n + k];
            if (ready)
                pick = k;
        }
        for (uint32_t k = 0; k < n && pick == NONE; k++) // a cycle: only in invalid modules
            if (!taken[k])
                pick = k;
        taken[pick] = true;
        sorted[at] = b->cases[pick];
    }
    b->cases = sorted;
}

enum { CASES_MAX = 1024 };

// True if the literal occurs twice. spirv-val accepts this, and compilers differ in the case they
// choose.
static bool ambiguous(const struct block *b, uint64_t literal)
{
    for (uint32_t c = 0; c < b->edge_count; c++)
        for (uint32_t k = 0; k < b->cases[c].value_count; k++)
            if (b->cases[c].values[k] == literal)
                return true;
    return false;
}

static bool read_switch(struct flow *f, struct block *b, const struct spv_inst *s)
{
    struct orc_program *p = f->p;
    const struct type *t = &p->types[p->type_of[s->v[0]]];
    if (!plane(f, b->end_spv, s->v[0], &b->plane))
        return false;
    if (t->kind != TY_INT)
        return invalid(f, b->end_spv, "its selector is not an integer");
    uint32_t literal = t->width == 64 ? 2 : 1, values = (s->n - 2u) / (literal + 1);
    if (values > CASES_MAX)
        return why_set(&p->m, f->why, RAN_UNSUPPORTED, NULL, b->end_spv, "more than %d cases",
                       CASES_MAX);
    b->edges = ARENA_ARRAY(p->arena, struct edge, values + 1);
    b->cases = ARENA_ARRAY(p->arena, struct switch_case, values + 1);
    uint64_t keep = t->width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << t->width) - 1;
    for (uint32_t k = 0; k <= values; k++) { // the cases, then the default
        const uint32_t *v = k < values ? s->v + 2 + k * (literal + 1) : NULL;
        uint32_t label = v ? v[literal] : s->v[1], target, at;
        if (!block_of(f, b->end_spv, label, &target))
            return false;
        for (at = 0; at < b->edge_count; at++)
            if (b->edges[at].target == target)
                break;
        struct switch_case *c = &b->cases[at];
        if (at == b->edge_count) {
            if (!edge(f, b->end_spv, label, &b->edges[b->edge_count++]))
                return false;
            b->case_count++;
            *c =
                (struct switch_case){.edge = at, .values = ARENA_ARRAY(p->arena, uint64_t, values)};
            p->blocks[target].is_target = true; // M2
        }
        if (!v) {
            c->is_default = true;
            continue;
        }
        uint64_t value = (v[0] | (literal == 2 ? (uint64_t)v[1] << 32 : 0)) & keep;
        if (ambiguous(b, value))
            return invalid(f, b->end_spv, "two of its literals are equal");
        c->values[c->value_count++] = value;
    }
    order_cases(f, b, b->merge_kind == SpvOpSelectionMerge ? b->merge : NONE);
    return true;
}

// ---- a block's end --------------------------------------------------------------

bool load_flow(struct orc_program *p, uint32_t block, uint32_t function, struct orc_why *why)
{
    struct flow f = {.p = p, .why = why, .block = block, .function = function};
    const struct spv_block *from = &p->m.blocks[block];
    struct block *b = &p->blocks[block];
    const struct spv_inst *s = &p->m.insts[from->last];
    b->end_spv = from->last;
    if (from->merge) {
        const struct spv_inst *merge = &p->m.insts[from->merge];
        b->merge_kind = (uint8_t)merge->op;
        if (merge->op == SpvOpLoopMerge) {
            // 246 or 247 (OpLoopMerge, OpSelectionMerge): fits in uint8_t.
            if (!block_of(&f, from->merge, merge->v[1], &b->cont))
                return false;
            const uint32_t before =
                SpvLoopControlDependencyLengthMask | SpvLoopControlMinIterationsMask;
            const uint32_t at = 3 + lane_count(merge->v[2] & before);
            b->most = merge->v[2] & SpvLoopControlMaxIterationsMask && at < merge->n ? merge->v[at]
                                                                                     : UINT32_MAX;
            p->blocks[b->cont].is_target = true; // M4
            b->is_target = true; // S1: a loop header may have several predecessors (R2)
        }
        if (!block_of(&f, from->merge, merge->v[0], &b->merge))
            return false;
        p->blocks[b->merge].is_target = true; // M1, M3
    }
    switch (s->op) {
    case SpvOpBranch:
        b->end = END_BRANCH;
        b->edges = ARENA_ARRAY(p->arena, struct edge, 1);
        b->edge_count = 1;
        return edge(&f, from->last, s->v[0], &b->edges[0]);
    case SpvOpBranchConditional:
        b->end = END_CONDITIONAL;
        b->edges = ARENA_ARRAY(p->arena, struct edge, 2);
        b->edge_count = 2;
        if (p->types[p->type_of[s->v[0]]].kind != TY_BOOL)
            return invalid(&f, from->last, "its condition is not a boolean");
        return plane(&f, from->last, s->v[0], &b->plane) &&
               edge(&f, from->last, s->v[1], &b->edges[0]) &&
               edge(&f, from->last, s->v[2], &b->edges[1]);
    case SpvOpSwitch:
        b->end = END_SWITCH;
        return read_switch(&f, b, s);
    case SpvOpReturn:
        b->end = END_RETURN;
        return true;
    case SpvOpReturnValue: {
        const struct type *t = &p->types[p->type_of[s->v[0]]];
        uint32_t result = p->m.insts[p->m.functions[function].first].type;
        b->end = END_RETURN_VALUE;
        b->cells = t->cells;
        if (t->cells != p->types[result].cells)
            return invalid(&f, from->last, "returns a value that is not of its function's type");
        return plane(&f, from->last, s->v[0], &b->plane);
    }
    case SpvOpTerminateInvocation:
        b->end = END_TERMINATE;
        return true;
    case SpvOpKill:
        b->end = END_KILL;
        return true;
    case SpvOpUnreachable:
        b->end = END_UNREACHABLE;
        return true;
    default:
        return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, from->last, "%s", spv_op_name(s->op));
    }
}
