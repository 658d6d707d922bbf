// SPDX-License-Identifier: Apache-2.0
//
// The checker of the program tree. Checks the rules that growth must keep, one by one. It reports
// every mistake with its function and statement.
#include "tree_check.h"

// ---- statements --------------------------------------------------------------------

static void check_block(struct checker *k, const struct gen_block *b);

static void check_log(struct checker *k, const struct gen_stmt *s)
{
    bool known = s->log.site >= 1 && s->log.site <= k->p->sites;
    must(k, known && !k->sites[s->log.site], "a log site that is unknown or used twice");
    if (known)
        k->sites[s->log.site] = true;
    must(k, s->log.n >= 1 && s->log.n <= GEN_LOG_MAX, "a log entry of the wrong size");
    for (uint32_t i = 0; i < s->log.n; i++)
        check_expr(k, s->log.expr[i], TYPE_U32);
}

static void bind_phi(struct checker *k, const struct gen_stmt *s, const struct gen_phi *phi)
{
    must(k, feature(k, GEN_PHI), "a phi whose feature is not recorded");
    check_bound(k, s, phi->value, 1u << TYPE_U32 | 1u << TYPE_BOOL);
    if (phi->b && phi->b->kind == EXPR_UNDEF && phi->value < k->f->values.n)
        k->visible[phi->value] = false; // only the operation after it may read the value
}

// An arm has a value for each phi exactly if control reaches its end.
static void check_incoming(struct checker *k, const struct gen_stmt *s, bool other, bool reaches)
{
    for (uint32_t i = 0; i < s->branch.phi_count; i++) {
        const struct gen_phi *phi = &s->branch.phi[i];
        const struct gen_expr *e = other ? phi->b : phi->a;
        must(k, (e != NULL) == reaches, "a phi with an operand missing or too many");
        if (other && e && e->kind == EXPR_UNDEF && gen_leads(k->f, s))
            continue;
        if (e && phi->value < k->f->values.n)
            check_expr(k, e, k->f->values.v[phi->value].type);
    }
}

static void open_block(struct checker *k, const struct gen_block *b);
static void close_block(struct checker *k, const struct gen_block *b);

static void check_bare(struct checker *k, const struct gen_stmt *s)
{
    const struct gen_stmt *in = s->branch.then.first;
    must(k, feature(k, GEN_BARE_EXIT), "a bare exit whose feature is not recorded");
    must(k,
         in && !in->next && in->kind == STMT_LEAVE &&
             (in->leave.how == LEAVE_BREAK || in->leave.how == LEAVE_CONTINUE) &&
             !s->branch.has_other && !s->branch.phi_count && !s->branch.control,
         "a branch that needs a merge block but has none");
}

static void check_branch(struct checker *k, const struct gen_stmt *s)
{
    check_expr(k, s->branch.cond, TYPE_BOOL);
    must(k, feature(k, s->branch.has_other ? GEN_ELSE : GEN_IF),
         "an if whose feature is not recorded");
    must(k, s->branch.has_other || !s->branch.other.first, "statements in an absent else arm");
    must(k, s->branch.control == 0 || feature(k, GEN_CONTROLS),
         "a control whose feature is not recorded");
    must(k, s->branch.phi_count <= GEN_PHIS_MAX, "too many phis");
    if (s->branch.bare)
        check_bare(k, s);
    if (!s->branch.has_other)
        check_incoming(k, s, true, true);
    const bool together = k->together, whole = k->whole, spared = k->spared;
    k->spared = spared || gen_expr_spares(s->branch.cond);
    k->together = together && gen_expr_same(s->branch.cond, UINT32_MAX);
    k->whole = whole && gen_expr_quad(&k->quads, s->branch.cond);
    open_block(k, &s->branch.then);
    check_incoming(k, s, false, !gen_block_ends(&s->branch.then));
    close_block(k, &s->branch.then);
    k->spared = spared;
    if (s->branch.has_other) {
        open_block(k, &s->branch.other);
        check_incoming(k, s, true, !gen_block_ends(&s->branch.other));
        close_block(k, &s->branch.other);
    }
    k->together = together;
    k->whole = whole;
    for (uint32_t i = 0; i < s->branch.phi_count; i++)
        bind_phi(k, s, &s->branch.phi[i]);
}

// True if the infinite loop has a valid guard: `if (counter >= t) { ...; break or return }`, with t
// at most the limit, and no path to the continue target before it.
static bool guarded(const struct gen_program *p, const struct gen_stmt *s)
{
    const unsigned round = 1u << LEAVE_CONTINUE;
    for (const struct gen_stmt *in = s->loop.body.first; in; in = in->next) {
        if (gen_stmt_leaves(in, round))
            return false;
        if (in != s->loop.guard)
            continue;
        if (in->kind != STMT_IF || !in->branch.cond || in->branch.cond->kind != EXPR_GE)
            return false;
        const struct gen_expr *a = in->branch.cond->arg[0], *b = in->branch.cond->arg[1];
        const struct gen_stmt *last = in->branch.then.last;
        return a->kind == EXPR_VAR && a->n == s->loop.counter &&
               gen_expr_max(p, b) <= s->loop.limit && last && last->kind == STMT_LEAVE &&
               (last->leave.how == LEAVE_BREAK || last->leave.how == LEAVE_RETURN);
    }
    return false;
}

static void check_single(struct checker *k, const struct gen_stmt *s)
{
    must(k, feature(k, GEN_SINGLE_BLOCK), "a single-block loop whose feature is not recorded");
    must(k, s->loop.form == LOOP_DO && !s->loop.next.first,
         "a single-block loop that needs several blocks");
    for (const struct gen_stmt *in = s->loop.body.first; in; in = in->next)
        must(k, !gen_stmt_block(in, 0) && in->kind != STMT_LEAVE,
             "a single-block loop that needs several blocks");
}

static void check_loop(struct checker *k, const struct gen_stmt *s)
{
    static const enum gen_feature needs[] = {GEN_FOR, GEN_DO_WHILE, GEN_INFINITE};
    must(k, feature(k, needs[s->loop.form]), "a loop whose feature is not recorded");
    must(k, s->loop.control == 0 || s->loop.control_n || feature(k, GEN_CONTROLS),
         "a control whose feature is not recorded");
    must(k, s->loop.limit <= GEN_TRIPS_MAX, "a loop with a limit above the maximum");
    uint32_t c = s->loop.counter;
    must(k, c < k->f->vars.n && k->f->vars.v[c].counter && !k->counting[c],
         "a loop counter that is not a counter or belongs to another loop");
    if (c < k->f->vars.n)
        k->counting[c] = true;
    if (s->loop.form == LOOP_INFINITE)
        must(k, !s->loop.cond && guarded(k->p, s), "an infinite loop without a valid guard");
    else
        must(k, !s->loop.guard, "a guard on a loop that is not infinite");
    must(k, !s->loop.head_tests || (s->loop.form == LOOP_FOR && feature(k, GEN_HEADER_TEST)),
         "a header test on the wrong loop or without its feature");
    must(k, !s->loop.next.first || feature(k, GEN_CONTINUE_CODE),
         "code in a continue construct whose feature is not recorded");
    must(k,
         !s->loop.control_n ||
             (feature(k, GEN_PEEL) && (s->loop.control == SpvLoopControlPeelCountMask ||
                                       s->loop.control == SpvLoopControlPartialCountMask ||
                                       (s->loop.control == SpvLoopControlMaxIterationsMask &&
                                        s->loop.control_n > gen_loop_trips(s)))),
         "a loop control with a number that is not allowed or not true");
    must(k, s->loop.phi_count <= GEN_PHIS_MAX, "too many phis");
    if (s->loop.single)
        check_single(k, s);
    for (uint32_t i = 0; i < s->loop.phi_count; i++)
        if (s->loop.phi[i].value < k->f->values.n)
            check_expr(k, s->loop.phi[i].a, k->f->values.v[s->loop.phi[i].value].type);
    for (uint32_t i = 0; i < s->loop.phi_count; i++)
        bind_phi(k, s, &s->loop.phi[i]);
    const bool at_end = s->loop.form == LOOP_DO && !s->loop.single;
    if (s->loop.cond && !at_end)
        check_expr(k, s->loop.cond, TYPE_BOOL);
    const bool in_loop = k->in_loop, in_switch = k->in_switch, bound_in = k->bound_in;
    const bool together = k->together, whole = k->whole;
    const struct gen_quad_counter own = {s->loop.counter, k->quads.counters};
    k->together = together && gen_loop_together(s);
    k->whole = whole && gen_loop_quads(&k->quads, s);
    k->quads.counters = k->whole ? &own : own.outer;
    k->in_loop = true;
    k->in_switch = false;
    check_block(k, &s->loop.body);
    k->in_loop = false;
    k->bound_in = true;
    open_block(k, &s->loop.next);
    for (uint32_t i = 0; i < s->loop.phi_count; i++)
        if (s->loop.phi[i].value < k->f->values.n)
            check_expr(k, s->loop.phi[i].b, k->f->values.v[s->loop.phi[i].value].type);
    if (s->loop.cond && at_end) // it may read values of the continue construct
        check_expr(k, s->loop.cond, TYPE_BOOL);
    close_block(k, &s->loop.next);
    must(k, !gen_block_ends(&s->loop.next), "a continue construct whose end is not reached");
    k->in_loop = in_loop;
    k->in_switch = in_switch;
    k->bound_in = bound_in;
    k->together = together;
    k->whole = whole;
    k->quads.counters = own.outer;
}

static bool shows_tangles(const struct gen_block *b)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        const struct gen_block *in;
        if (s->kind == STMT_OP || s->kind == STMT_CALL || s->kind == STMT_EXCHANGE)
            return true;
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            if (shows_tangles(in))
                return true;
    }
    return false;
}

static void check_case(struct checker *k, const struct gen_stmt *s, uint32_t i)
{
    const struct gen_case *c = &s->select.at[i];
    const uint32_t values = gen_case_values(k->p, s, i);
    must(k, !c->falls || (i + 1 < s->select.n && feature(k, GEN_SWITCH_FALL)),
         "a fall-through from the last case or without its feature");
    must(k, (values & (values - 1)) == 0 || feature(k, GEN_SWITCH_SHARED),
         "a case that several selector values may enter, without its feature");
    must(k, c->labels || i == s->select.default_at, "a case that no selector value can enter");
    for (uint32_t other = 0; other < i; other++)
        must(k, !(c->labels & s->select.at[other].labels), "a label that occurs twice");
    must(k, !gen_case_mixed(k->p, s, i) || k->p->choice == s || !shows_tangles(&c->body),
         "an operation or call whose tangle depends on a choice of the implementation");
    check_block(k, &c->body);
}

static void check_switch(struct checker *k, const struct gen_stmt *s)
{
    check_expr(k, s->select.selector, TYPE_U32);
    must(k, feature(k, GEN_SWITCH), "a switch whose feature is not recorded");
    must(k, s->select.control == 0 || feature(k, GEN_CONTROLS),
         "a control whose feature is not recorded");
    must(k, s->select.n >= 1 && s->select.n <= GEN_CASES_MAX && s->select.default_at <= s->select.n,
         "an invalid number of cases");
    if (k->errors) // the code below reads the cases
        return;
    const bool in_switch = k->in_switch, together = k->together, whole = k->whole;
    k->in_switch = true;
    k->together = false;
    for (uint32_t i = 0; i < s->select.n; i++) {
        k->whole = whole && gen_case_quads(&k->quads, s, i);
        check_case(k, s, i);
    }
    k->in_switch = in_switch;
    k->together = together;
    k->whole = whole;
}

static void check_call(struct checker *k, const struct gen_stmt *s)
{
    if (s->call.callee >= k->f->index) {
        check_wrong(k, "calls a function whose index is not lower");
        return;
    }
    const struct gen_function *callee = k->p->functions.v[s->call.callee];
    must(k, feature(k, callee->has_result ? GEN_CALL_VALUE : GEN_CALL),
         "a call whose feature is not recorded");
    must(k, !k->derives[s->call.callee] || k->whole,
         "a call of a function with derivatives where quads may not be whole");
    k->derives[k->f->index] |= k->derives[s->call.callee];
    for (uint32_t i = 0; i < callee->param_count; i++)
        check_expr(k, s->call.arg[i], callee->param[i]);
    if (callee->has_result)
        check_bound(k, s, s->value, 1u << TYPE_U32);
}

static void check_exchange(struct checker *k, const struct gen_stmt *s)
{
    must(k, feature(k, s->exchange.memory == MEMORY_SHARED ? GEN_SHARED : GEN_THROUGH_BUFFER),
         "an exchange whose feature is not recorded");
    must(k, k->together, "a barrier that invocations may reach diverged");
    must(k, s->exchange.n < k->p->local_size,
         "an exchange with an invocation outside the workgroup");
    must(k, k->f->uses >> EXPR_LOCAL & 1, "a leaf that is missing in the function's `uses`");
    check_expr(k, s->exchange.expr, TYPE_U32);
    check_bound(k, s, s->value, 1u << TYPE_U32);
}

static void check_atomic(struct checker *k, const struct gen_stmt *s)
{
    must(k, feature(k, GEN_ATOMIC), "an atomic operation whose feature is not recorded");
    must(k, s->atomic.op < GEN_ATOMIC_COUNT, "an unknown atomic operation");
    check_expr(k, s->atomic.expr, TYPE_U32);
}

static void check_leave(struct checker *k, const struct gen_stmt *s)
{
    bool result = s->leave.how == LEAVE_RETURN && k->f->has_result;
    if (result)
        check_expr(k, s->leave.result, TYPE_U32);
    else
        must(k, !s->leave.result, "a result in a function without result");
    const bool main = k->f->index + 1 == k->p->functions.n;
    const bool ends = s->leave.how == LEAVE_TERMINATE || s->leave.how == LEAVE_KILL;
    must(k, !ends || (main && feature(k, GEN_TERMINATE)),
         "ends the invocation outside the entry point or without its feature");
    must(k,
         !spv_stage_row(k->p->stage)->has_helpers || k->spared ||
             !(ends || (main && s->leave.how == LEAVE_RETURN)),
         "may end all live invocations of a quad");
    if (s->leave.how == LEAVE_BREAK_SWITCH)
        must(k, k->in_switch, "leaves a switch outside of one");
    else if (s->leave.how != LEAVE_RETURN && !ends)
        must(k, k->in_loop, "leaves a loop outside of one");
    else
        must(k, !k->bound_in, "returns from a continue construct");
}

static void check_stmt(struct checker *k, const struct gen_stmt *s)
{
    switch (s->kind) {
    case STMT_LET:
        must(k, s->let.expr != NULL, "a LET without expression");
        if (s->let.expr) {
            check_expr(k, s->let.expr, s->let.expr->type);
            check_bound(k, s, s->value, 1u << s->let.expr->type);
        }
        break;
    case STMT_OP:
        check_group_op(k, s);
        break;
    case STMT_SET:
        must(k, s->set.var < k->f->vars.n && !k->f->vars.v[s->set.var].counter,
             "sets something that is not a plain variable");
        check_expr(k, s->set.expr, TYPE_U32);
        break;
    case STMT_LOG:
        check_log(k, s);
        break;
    case STMT_IF:
        check_branch(k, s);
        break;
    case STMT_LOOP:
        check_loop(k, s);
        break;
    case STMT_SWITCH:
        check_switch(k, s);
        break;
    case STMT_CALL:
        check_call(k, s);
        break;
    case STMT_EXCHANGE:
        check_exchange(k, s);
        break;
    case STMT_ATOMIC:
        check_atomic(k, s);
        break;
    case STMT_DEMOTE:
        must(k, feature(k, GEN_DEMOTE) && spv_stage_row(k->p->stage)->has_helpers,
             "a demote in the wrong stage or without its feature");
        must(k, k->spared, "may demote all live invocations of a quad");
        break;
    case STMT_LEAVE:
        check_leave(k, s);
        break;
    default:
        check_wrong(k, "an unknown statement");
    }
}

static void open_block(struct checker *k, const struct gen_block *b)
{
    const struct gen_stmt *outer = k->at;
    const bool together = k->together, whole = k->whole;
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        k->at = s;
        check_stmt(k, s);
        k->together = k->together && gen_stmt_joins(s);
        k->whole = k->whole && gen_stmt_quads(&k->quads, s);
        k->at = s;
        must(k, s->next || b->last == s, "a block whose `last` is not its last statement");
        must(k, !s->next || !gen_stmt_ends(s), "a statement after the end of its block");
        must(k, !k->bound_in || s->kind == STMT_LEAVE || !gen_stmt_ends(s),
             "an unreachable merge block in a continue construct");
    }
    k->together = together;
    k->whole = whole;
    k->at = outer;
}

static void hide(struct checker *k, const struct gen_stmt *s, uint32_t value)
{
    if (value < k->f->values.n && k->f->values.v[value].def == s)
        k->visible[value] = false;
}

// Hides the values that the block bound: they may not be used after it.
static void close_block(struct checker *k, const struct gen_block *b)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        if (s->kind == STMT_LET || s->kind == STMT_OP || s->kind == STMT_CALL ||
            s->kind == STMT_EXCHANGE)
            hide(k, s, s->value);
        for (uint32_t i = 0; s->kind == STMT_IF && i < s->branch.phi_count; i++)
            hide(k, s, s->branch.phi[i].value);
        for (uint32_t i = 0; s->kind == STMT_LOOP && i < s->loop.phi_count; i++)
            hide(k, s, s->loop.phi[i].value);
    }
}

static void check_block(struct checker *k, const struct gen_block *b)
{
    open_block(k, b);
    close_block(k, b);
}

// ---- functions and program -----------------------------------------------------------

static void check_function(struct checker *k, bool main)
{
    const struct gen_function *f = k->f;
    for (uint32_t i = 0; i < f->vars.n; i++)
        must(k,
             !f->vars.v[i].common || (feature(k, GEN_PRIVATE) && !f->vars.v[i].counter &&
                                      f->vars.v[i].common <= k->p->commons.n),
             "an invalid Private variable");
    k->together = main;
    k->whole = gen_begins_whole(k->p);
    must(k, !k->p->two_by_two || (k->whole && (k->p->used & GEN_QUADS)),
         "2 by 2 quads where quads are not whole or not needed");
    must(k, f->param_count <= GEN_PARAMS_MAX, "too many parameters");
    must(k, !main || (f->param_count == 0 && !f->has_result), "an entry point with a signature");
    must(k, !f->has_result || gen_block_ends(&f->body),
         "a path to the end of the function without a result");
    check_block(k, &f->body);
    if (k->errors)
        return;
    struct gen_function again = *f;
    gen_measure(k->p, &again);
    must(k,
         again.logs == f->logs && again.log_words == f->log_words &&
             again.executions == f->executions && again.depth == f->depth,
         "measures that are missing or wrong");
    must(k, f->executions <= GEN_EXECUTIONS_MAX, "a statement that may run too often");
    must(k, f->depth <= GEN_DEPTH_MAX, "constructs and calls nested too deeply");
    must(k, !main || f->log_words > 0, "a program that logs nothing");
    must(k, !main || f->log_words < k->p->row_words, "log rows that are too short");
    must(k, !main || k->p->row_mask + GEN_LOG_MAX + 2 <= k->p->row_words,
         "log rows that are too short");
    must(k, !main || f->log_words <= k->p->row_mask + 1, "log rows that are too short");
}

uint32_t gen_check(const struct gen_program *p, struct text *out)
{
    uint32_t errors = 0;
    bool *sites = ARENA_ARRAY(out->arena, bool, p->sites + 1);
    bool *derives = ARENA_ARRAY(out->arena, bool, p->functions.n);
    for (uint32_t i = 0; i < p->functions.n; i++) {
        const struct gen_function *f = p->functions.v[i];
        struct checker k = {.p = p, .f = f, .sites = sites, .out = out, .derives = derives};
        k.quads = gen_quads_settle(out->arena, p, f);
        k.visible = ARENA_ARRAY(out->arena, bool, f->values.n);
        k.counting = ARENA_ARRAY(out->arena, bool, f->vars.n);
        must(&k, f->index == i, "a function whose index differs from its position");
        check_function(&k, i + 1 == p->functions.n);
        errors += k.errors;
    }
    if (p->functions.n == 0) {
        text_add(out, "no entry point\n");
        errors++;
    }
    return errors;
}
