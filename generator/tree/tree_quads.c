// SPDX-License-Identifier: Apache-2.0
//
// Where quads are whole: the values that are uniform in the four invocations of a quad, and the
// statements that keep quads whole. Growth and the checker both call this. Each of them keeps its
// own state (struct gen_quads).
#include "tree_form.h"

static bool is_counter(const struct gen_quads *q, uint32_t var)
{
    for (const struct gen_quad_counter *c = q->counters; c; c = c->outer)
        if (c->var == var)
            return true;
    return false;
}

// True for lane >> k with k >= 2, and for lane & mask with a multiple of four: the result
// identifies the quad and does not depend on the position in it.
static bool is_of_quad(const struct gen_expr *e)
{
    const struct gen_expr *a = e->arg[0], *b = e->arg[1];
    if ((e->kind != EXPR_SHR && e->kind != EXPR_AND) || a->kind != EXPR_LANE ||
        b->kind != EXPR_CONST)
        return false;
    return e->kind == EXPR_SHR ? b->n >= 2 : b->n % SPV_QUAD == 0;
}

bool gen_expr_quad(const struct gen_quads *q, const struct gen_expr *e)
{
    switch (e->kind) {
    case EXPR_CONST:
    case EXPR_GROUP:
    case EXPR_INPUT_AT:
        return true;
    case EXPR_VAR:
        return is_counter(q, e->n);
    case EXPR_VALUE:
        return q->values[e->n];
    case EXPR_WORD:
        return gen_expr_quad(q, e->arg[0]);
    default:
        break;
    }
    if (e->kind < EXPR_ALU_FIRST || is_of_quad(e))
        return e->kind >= EXPR_ALU_FIRST;
    for (int i = 0; i < 3 && e->arg[i]; i++)
        if (!gen_expr_quad(q, e->arg[i]))
            return false;
    return true;
}

bool gen_op_quad(const struct gen_stmt *op)
{
    switch (op->op.op) {
    case GROUP_BALLOT: // uniform in the tangle, which contains the quad
    case GROUP_ALL:
    case GROUP_ANY:
    case GROUP_ALL_EQUAL:
    case GROUP_FIRST:
    case GROUP_QUAD_ALL:
    case GROUP_QUAD_ANY:
    case GROUP_QUAD_BROADCAST:
    case GROUP_QUAD_BROADCAST_VALUE:
    case GROUP_SAMPLE: // its operand is uniform in the quad
    case GROUP_SAMPLE_BIAS:
    case GROUP_QUERY_LOD:
        return true;
    default:
        return gen_group_row(op->op.op)->group == OVER_REDUCE &&
               gen_group_op(op->op.op)->klass == SPV_GROUP_REDUCE;
    }
}

static bool block_quads(const struct gen_quads *q, const struct gen_block *b)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next)
        if (!gen_stmt_quads(q, s))
            return false;
    return true;
}

bool gen_loop_quads(const struct gen_quads *q, const struct gen_stmt *s)
{
    const struct gen_quad_counter own = {s->loop.counter, q->counters};
    const struct gen_quads in = {q->f, q->values, &own};
    return (!s->loop.cond || gen_expr_quad(&in, s->loop.cond)) && block_quads(&in, &s->loop.body) &&
           block_quads(&in, &s->loop.next);
}

bool gen_case_quads(const struct gen_quads *q, const struct gen_stmt *s, uint32_t i)
{
    if (!gen_expr_quad(q, s->select.selector))
        return false;
    for (; i > 0 && s->select.at[i - 1].falls; i--)
        if (!block_quads(q, &s->select.at[i - 1].body))
            return false;
    return true;
}

bool gen_stmt_quads(const struct gen_quads *q, const struct gen_stmt *s)
{
    if (gen_stmt_joins(s) || s->kind == STMT_LEAVE)
        return true;
    switch (s->kind) {
    case STMT_IF:
        return gen_expr_quad(q, s->branch.cond) && block_quads(q, &s->branch.then) &&
               block_quads(q, &s->branch.other);
    case STMT_LOOP:
        return gen_loop_quads(q, s);
    case STMT_SWITCH:
        for (uint32_t i = 0; i < s->select.n; i++)
            if (!block_quads(q, &s->select.at[i].body))
                return false;
        return gen_expr_quad(q, s->select.selector);
    default:
        return true;
    }
}

// ---- an entire function -------------------------------------------------------------------

// Clears `values` for operations that may run where quads are not whole, as their results may
// differ in a quad. True if it cleared one.
static bool unsettle(const struct gen_quads *q, bool *values, const struct gen_block *b, bool whole)
{
    bool changed = false;
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        const struct gen_quad_counter own = {s->kind == STMT_LOOP ? s->loop.counter : 0,
                                             q->counters};
        struct gen_quads in = *q;
        bool inside = whole;
        if (s->kind == STMT_OP && !whole && values[s->value]) {
            values[s->value] = false;
            changed = true;
        }
        if (s->kind == STMT_IF)
            inside = whole && gen_expr_quad(q, s->branch.cond);
        if (s->kind == STMT_LOOP && (inside = whole && gen_loop_quads(q, s)))
            in.counters = &own;
        const struct gen_block *part;
        for (uint32_t i = 0; (part = gen_stmt_block(s, i)); i++) {
            if (s->kind == STMT_SWITCH)
                inside = whole && gen_case_quads(q, s, i);
            changed |= unsettle(&in, values, part, inside);
        }
        whole = whole && gen_stmt_quads(q, s);
    }
    return changed;
}

// Starts from the most optimistic assumption and clears values until nothing changes. So a value
// that depends on an earlier iteration of a loop counts as uniform if that one does.
struct gen_quads gen_quads_settle(struct arena *a, const struct gen_program *p,
                                  const struct gen_function *f)
{
    bool *values = ARENA_ARRAY(a, bool, f->values.n + 1);
    const struct gen_quads q = {f, values, NULL};
    for (size_t i = 0; i < f->values.n; i++)
        values[i] = f->values.v[i].def && f->values.v[i].def->kind == STMT_OP &&
                    gen_op_quad(f->values.v[i].def);
    while (unsettle(&q, values, &f->body, gen_begins_whole(p)))
        continue;
    return q;
}
