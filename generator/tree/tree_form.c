// SPDX-License-Identifier: Apache-2.0
//
// Control flow, uniformity and measures of a tree, from its form alone.
#include "tree_form.h"

// Returns a mask of all bits up to the highest set bit of v.
static uint32_t bits_of(uint32_t v)
{
    for (unsigned i = 1; i < 32; i *= 2)
        v |= v >> i;
    return v;
}

uint32_t gen_expr_max(const struct gen_program *p, const struct gen_expr *e)
{
    uint32_t a, b;
    switch (e->kind) {
    case EXPR_CONST:
        return e->n;
    case EXPR_LANE:
        return p->subgroup - 1;
    case EXPR_LOCAL:
        return p->local_size - 1;
    case EXPR_GLOBAL:
        return p->groups * p->local_size - 1;
    case EXPR_GROUP:
        return p->groups - 1;
    case EXPR_SUBGROUP:
        return gen_local_subgroups(p) - 1;
    case EXPR_NARROW:
    case EXPR_ROUND:
        a = gen_expr_max(p, e->arg[0]);
        return a < 0xffff ? a : 0xffff;
    case EXPR_AND:
        a = gen_expr_max(p, e->arg[0]);
        b = gen_expr_max(p, e->arg[1]);
        return a < b ? a : b;
    case EXPR_OR:
    case EXPR_XOR:
        return bits_of(gen_expr_max(p, e->arg[0]) | gen_expr_max(p, e->arg[1]));
    case EXPR_SHR:
        a = gen_expr_max(p, e->arg[0]);
        return e->arg[1]->kind == EXPR_CONST ? a >> e->arg[1]->n : a;
    case EXPR_MOD:
        return e->arg[1]->n - 1;
    case EXPR_SELECT:
        a = gen_expr_max(p, e->arg[1]);
        b = gen_expr_max(p, e->arg[2]);
        return a > b ? a : b;
    default:
        return UINT32_MAX;
    }
}

uint32_t gen_local_subgroups(const struct gen_program *p)
{
    return spv_stage_row(p->stage)->has_workgroups ? (p->local_size + p->subgroup - 1) / p->subgroup
                                                   : 1;
}

bool gen_leads(const struct gen_function *f, const struct gen_stmt *branch)
{
    const struct gen_expr *c = branch->branch.cond;
    if (branch->branch.phi_count != 1 || branch->branch.has_other || c->kind != EXPR_VALUE ||
        c->n >= f->values.n)
        return false;
    const struct gen_stmt *def = f->values.v[c->n].def;
    return def->kind == STMT_OP && def->op.op == GROUP_ELECT && def->next == branch;
}

bool gen_is_leaders(const struct gen_function *f, const struct gen_expr *e,
                    const struct gen_stmt *op)
{
    if (!e || e->kind != EXPR_VALUE || e->n >= f->values.n)
        return false;
    const struct gen_stmt *def = f->values.v[e->n].def;
    return def->kind == STMT_IF && def->next == op && gen_leads(f, def) && def->branch.phi[0].b &&
           def->branch.phi[0].b->kind == EXPR_UNDEF;
}

const struct gen_block *gen_stmt_block(const struct gen_stmt *s, uint32_t i)
{
    switch (s->kind) {
    case STMT_IF:
        return i == 0 ? &s->branch.then : i == 1 && s->branch.has_other ? &s->branch.other : NULL;
    case STMT_LOOP:
        return i == 0 ? &s->loop.body : i == 1 ? &s->loop.next : NULL;
    case STMT_SWITCH:
        return i < s->select.n ? &s->select.at[i].body : NULL;
    default:
        return NULL;
    }
}

// ---- where control goes ------------------------------------------------------------

static bool block_leaves(const struct gen_block *b, unsigned how)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next)
        if (gen_stmt_leaves(s, how))
            return true;
    return false;
}

bool gen_stmt_leaves(const struct gen_stmt *s, unsigned how)
{
    if (s->kind == STMT_LEAVE)
        return how >> s->leave.how & 1;
    if (s->kind == STMT_LOOP)
        how &= ~(1u << LEAVE_BREAK | 1u << LEAVE_CONTINUE | 1u << LEAVE_BREAK_SWITCH);
    if (s->kind == STMT_SWITCH)
        how &= ~(1u << LEAVE_BREAK_SWITCH);
    const struct gen_block *in;
    for (uint32_t i = 0; how && (in = gen_stmt_block(s, i)); i++)
        if (block_leaves(in, how))
            return true;
    return false;
}

bool gen_block_ends(const struct gen_block *b)
{
    return b->last && gen_stmt_ends(b->last);
}

bool gen_stmt_ends(const struct gen_stmt *s)
{
    switch (s->kind) {
    case STMT_LEAVE:
        return true;
    case STMT_IF:
        return s->branch.has_other && gen_block_ends(&s->branch.then) &&
               gen_block_ends(&s->branch.other);
    case STMT_LOOP: // the test or the guard exits the loop, unless the body always leaves first
        if (s->loop.form == LOOP_INFINITE)
            return !block_leaves(&s->loop.body, 1u << LEAVE_BREAK);
        return s->loop.form == LOOP_DO && gen_block_ends(&s->loop.body) &&
               !block_leaves(&s->loop.body, 1u << LEAVE_BREAK | 1u << LEAVE_CONTINUE);
    case STMT_SWITCH:
        if (s->select.default_at == s->select.n)
            return false;
        for (uint32_t i = 0; i < s->select.n; i++) {
            const struct gen_case *c = &s->select.at[i];
            if ((!c->falls && !gen_block_ends(&c->body)) ||
                block_leaves(&c->body, 1u << LEAVE_BREAK_SWITCH))
                return false;
        }
        return true;
    default:
        return false;
    }
}

bool gen_expr_same(const struct gen_expr *e, uint32_t counter)
{
    switch (e->kind) {
    case EXPR_CONST:
    case EXPR_GROUP:
    case EXPR_INPUT_AT:
        return true;
    case EXPR_VAR:
        return e->n == counter;
    default:
        break;
    }
    for (int i = 0; i < 3 && e->arg[i]; i++)
        if (!gen_expr_same(e->arg[i], counter))
            return false;
    return e->kind >= EXPR_ALU_FIRST;
}

enum {
    LEAVES = 1u << LEAVE_BREAK | 1u << LEAVE_CONTINUE | 1u << LEAVE_RETURN | 1u << LEAVE_TERMINATE |
             1u << LEAVE_KILL
};

bool gen_begins_whole(const struct gen_program *p)
{
    return spv_stage_row(p->stage)->has_workgroups ? p->local_size % SPV_QUAD == 0 : p->full_quads;
}

uint32_t gen_subgroups(const struct gen_program *p)
{
    return p->target[0] * p->target[1];
}

bool gen_expr_spares(const struct gen_expr *cond)
{
    return cond->kind == EXPR_FREE || (cond->kind == EXPR_BOTH && (gen_expr_spares(cond->arg[0]) ||
                                                                   gen_expr_spares(cond->arg[1])));
}

bool gen_loop_together(const struct gen_stmt *s)
{
    return s->loop.form != LOOP_INFINITE &&
           (!s->loop.cond || gen_expr_same(s->loop.cond, s->loop.counter)) &&
           !block_leaves(&s->loop.body, LEAVES) && !block_leaves(&s->loop.next, LEAVES);
}

bool gen_stmt_joins(const struct gen_stmt *s)
{
    return !gen_stmt_leaves(s, LEAVES | 1u << LEAVE_BREAK_SWITCH);
}

bool gen_block_returns_early(const struct gen_block *b)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next)
        if (s->kind != STMT_LEAVE && gen_stmt_leaves(s, 1u << LEAVE_RETURN))
            return true;
    return false;
}

uint32_t gen_case_values(const struct gen_program *p, const struct gen_stmt *s, uint32_t i)
{
    const uint32_t most = gen_expr_max(p, s->select.selector);
    const uint32_t all = most >= 31 ? UINT32_MAX : (2u << most) - 1;
    uint32_t taken = 0;
    for (uint32_t k = 0; k < s->select.n; k++)
        taken |= s->select.at[k].labels;
    return (s->select.at[i].labels | (i == s->select.default_at ? ~taken : 0)) & all;
}

bool gen_case_mixed(const struct gen_program *p, const struct gen_stmt *s, uint32_t i)
{
    if (i > 0 && s->select.at[i - 1].falls && !gen_block_ends(&s->select.at[i - 1].body))
        return true;
    const uint32_t values = gen_case_values(p, s, i);
    return (values & (values - 1)) != 0;
}

bool gen_loop_bounds_itself(const struct gen_program *p, const struct gen_stmt *loop)
{
    const struct gen_expr *c = loop->loop.cond;
    return c && c->kind == EXPR_LT && c->arg[0]->kind == EXPR_VAR &&
           c->arg[0]->n == loop->loop.counter && gen_expr_max(p, c->arg[1]) <= loop->loop.limit;
}

uint32_t gen_loop_trips(const struct gen_stmt *loop)
{
    uint32_t n = loop->loop.limit;
    switch (loop->loop.form) {
    case LOOP_FOR:
        return n;
    case LOOP_DO:
        return n ? n : 1;
    case LOOP_INFINITE:
        break;
    }
    return n + 1; // the statements before the guard run once more
}

// ---- measures ------------------------------------------------------------------------

// Adds the measures of a block that runs `times` times at nesting `depth`.
static void measure_block(const struct gen_program *p, struct gen_function *f,
                          const struct gen_block *b, uint32_t times, uint32_t depth)
{
    uint32_t most = times;
    f->depth = depth > f->depth ? depth : f->depth;
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        if (s->kind == STMT_LOG) {
            f->logs = true;
            f->log_words += times * (s->log.n + 1);
        } else if (s->kind == STMT_CALL) {
            const struct gen_function *callee = p->functions.v[s->call.callee];
            f->log_words += times * callee->log_words;
            if (times * callee->executions > most)
                most = times * callee->executions;
            if (depth + 1 + callee->depth > f->depth)
                f->depth = depth + 1 + callee->depth;
        }
        uint32_t inner = s->kind == STMT_LOOP ? times * gen_loop_trips(s) : times;
        const struct gen_block *in;
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            measure_block(p, f, in, inner, depth + 1);
    }
    f->executions = most > f->executions ? most : f->executions;
}

void gen_measure(const struct gen_program *p, struct gen_function *f)
{
    f->logs = false;
    f->log_words = f->executions = f->depth = 0;
    measure_block(p, f, &f->body, 1, 0);
}
