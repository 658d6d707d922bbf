// SPDX-License-Identifier: Apache-2.0
//
// Emits statements as blocks. Each construct has the plain form of structured SPIR-V: only merge
// blocks, continue targets, loop headers and switch targets have several predecessors (S1), and
// both labels of a branch differ (S2).
#include "emit_parts.h"

static void put_branch(struct emit *e, uint32_t label)
{
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranch, label);
}

static struct emit_join new_join(struct emit *e)
{
    return (struct emit_join){.label = spv_new_id(e->w)};
}

static void emit_block(struct emit *e, const struct gen_block *b);

// The operands of phis from one predecessor.
struct incoming {
    uint32_t value[GEN_PHIS_MAX], from; // from 0: not a predecessor
};

static struct incoming emit_incoming(struct emit *e, const struct gen_phi *phi, uint32_t n, bool b)
{
    struct incoming in = {.from = e->block};
    for (uint32_t i = 0; i < n; i++)
        in.value[i] = emit_expr(e, b ? phi[i].b : phi[i].a);
    return in;
}

// Emits a block that continues at `next` if its end is reached. Returns the operands of the phis
// there.
static struct incoming emit_arm(struct emit *e, uint32_t label, const struct gen_block *b,
                                struct emit_join *next, const struct gen_phi *phi, uint32_t n,
                                bool second)
{
    struct incoming in = {.from = 0};
    emit_label(e, label);
    emit_block(e, b);
    if (gen_block_ends(b))
        return in;
    in = emit_incoming(e, phi, n, second);
    emit_jump(e, next);
    return in;
}

static void emit_merge(struct emit *e, const struct gen_stmt *s, const struct emit_join *at)
{
    emit_joined(e, at);
    if (gen_stmt_ends(s))
        SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpUnreachable);
}

// ---- selections ---------------------------------------------------------------------------

static uint32_t type_of(const struct emit *e, uint32_t value)
{
    return e->f->values.v[value].type == TYPE_BOOL ? e->bool_type : e->u32;
}

// `if (cond) break` or continue, directly by the branch.
static void emit_bare_exit(struct emit *e, const struct gen_stmt *s)
{
    uint32_t cond = emit_expr(e, s->branch.cond), next = spv_new_id(e->w);
    bool breaks = s->branch.then.first->leave.how == LEAVE_BREAK;
    struct emit_join *out = breaks ? e->loop_merge : e->loop_continue;
    emit_edge(e, out);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, out->label, next);
    emit_label(e, next);
}

static void emit_if(struct emit *e, const struct gen_stmt *s)
{
    const struct gen_phi *phi = s->branch.phi;
    const uint32_t n = s->branch.phi_count;
    if (s->branch.bare) {
        emit_bare_exit(e, s);
        return;
    }
    uint32_t cond = emit_expr(e, s->branch.cond);
    struct incoming b = {.from = 0};
    if (!s->branch.has_other)
        b = emit_incoming(e, phi, n, true);
    uint32_t then = spv_new_id(e->w), other = s->branch.has_other ? spv_new_id(e->w) : 0;
    struct emit_join merge = new_join(e);
    const uint32_t *before = emit_keep(e);
    if (!other)
        emit_edge(e, &merge);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge.label, s->branch.control);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, then, other ? other : merge.label);
    struct incoming a = emit_arm(e, then, &s->branch.then, &merge, phi, n, false);
    emit_restore(e, before);
    if (other)
        b = emit_arm(e, other, &s->branch.other, &merge, phi, n, true);
    emit_merge(e, s, &merge);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v[4], k = 0;
        if (a.from)
            v[k++] = a.value[i], v[k++] = a.from;
        if (b.from)
            v[k++] = b.value[i], v[k++] = b.from;
        e->value[phi[i].value] = spv_put_value(e->w, SpvOpPhi, type_of(e, phi[i].value), v, k);
    }
}

static void emit_switch(struct emit *e, const struct gen_stmt *s)
{
    const uint32_t n = s->select.n, default_at = s->select.default_at;
    struct emit_join at[GEN_CASES_MAX + 1];
    uint32_t v[2 + 2 * 32], k = 2;
    v[0] = emit_expr(e, s->select.selector);
    for (uint32_t i = 0; i <= n; i++)
        at[i] = new_join(e); // the last is the merge block
    v[1] = at[default_at].label;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t label = 0; label < 32; label++)
            if (s->select.at[i].labels >> label & 1)
                v[k++] = label, v[k++] = at[i].label;
    for (uint32_t i = 0; i < n + (default_at == n); i++)
        emit_edge(e, &at[i]);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpSelectionMerge, at[n].label, s->select.control);
    spv_put(e->w, SPV_FUNCTIONS, SpvOpSwitch, v, k);
    struct emit_join *outer = e->switch_merge;
    e->switch_merge = &at[n];
    for (uint32_t i = 0; i < n; i++) {
        emit_joined(e, &at[i]);
        emit_block(e, &s->select.at[i].body);
        if (!gen_block_ends(&s->select.at[i].body))
            emit_jump(e, &at[s->select.at[i].falls ? i + 1 : n]);
    }
    e->switch_merge = outer;
    emit_merge(e, s, &at[n]);
}

// ---- loops ----------------------------------------------------------------------------------

// Emits counter < limit && cond, without a half that the other one implies.
static uint32_t emit_loop_test(struct emit *e, const struct gen_stmt *s)
{
    uint32_t cond = s->loop.cond ? emit_expr(e, s->loop.cond) : 0;
    if (cond && gen_loop_bounds_itself(e->p, s))
        return cond;
    uint32_t i = emit_load(e, e->u32, e->var[s->loop.counter]);
    uint32_t bound = SPV_VALUE(e->w, SpvOpULessThan, e->bool_type, i, emit_const(e, s->loop.limit));
    return cond ? SPV_VALUE(e->w, SpvOpLogicalAnd, e->bool_type, bound, cond) : bound;
}

// Emits the phis of a loop. emit_back_edge fills in the operands from the back edge later.
static void emit_loop_phis(struct emit *e, const struct gen_stmt *s, const struct incoming *first,
                           size_t holes[GEN_PHIS_MAX])
{
    for (uint32_t i = 0; i < s->loop.phi_count; i++) {
        const uint32_t value = s->loop.phi[i].value;
        const uint32_t v[4] = {first->value[i], first->from};
        e->value[value] = spv_put_value(e->w, SpvOpPhi, type_of(e, value), v, 4);
        holes[i] = e->w->section[SPV_FUNCTIONS].n - 2;
    }
}

static void put_loop_merge(struct emit *e, const struct gen_stmt *s, uint32_t merge, uint32_t next)
{
    const uint32_t v[] = {merge, next, s->loop.control, s->loop.control_n};
    spv_put(e->w, SPV_FUNCTIONS, SpvOpLoopMerge, v, s->loop.control_n ? 4 : 3);
}

// A loop while it is emitted.
struct open_loop {
    uint32_t header;
    struct emit_join merge, next;
    size_t holes[GEN_PHIS_MAX];
    struct emit_around around;
};

// Emits the back edge: increments the counter, completes the phis, and tests the condition of a do
// loop.
static void emit_back_edge(struct emit *e, const struct gen_stmt *s, struct open_loop *o)
{
    struct spv_writer *w = e->w;
    const uint32_t counter = e->var[s->loop.counter];
    struct incoming again = emit_incoming(e, s->loop.phi, s->loop.phi_count, true);
    for (uint32_t i = 0; i < s->loop.phi_count; i++) {
        w->section[SPV_FUNCTIONS].v[o->holes[i]] = again.value[i];
        w->section[SPV_FUNCTIONS].v[o->holes[i] + 1] = again.from;
    }
    uint32_t i = emit_load(e, e->u32, counter);
    emit_store(e, counter, SPV_VALUE(w, SpvOpIAdd, e->u32, i, emit_const(e, 1)));
    emit_around_end(e, &o->around);
    uint32_t cond = s->loop.form == LOOP_DO ? emit_loop_test(e, s) : 0;
    if (s->loop.single)
        put_loop_merge(e, s, o->merge.label, o->header);
    if (cond) {
        emit_edge(e, &o->merge);
        SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, o->header, o->merge.label);
    } else {
        put_branch(e, o->header);
    }
}

// Emits the test and the body of a loop that is not a single block.
static void emit_iteration(struct emit *e, const struct gen_stmt *s, struct open_loop *o)
{
    struct spv_writer *w = e->w;
    struct emit_join *const outer_merge = e->loop_merge, *const outer_next = e->loop_continue;
    const uint32_t body = spv_new_id(w);
    uint32_t cond = s->loop.head_tests ? emit_loop_test(e, s) : 0;
    put_loop_merge(e, s, o->merge.label, o->next.label);
    if (s->loop.form == LOOP_FOR && !cond) {
        uint32_t test = spv_new_id(w);
        put_branch(e, test);
        emit_label(e, test);
        cond = emit_loop_test(e, s);
    }
    if (cond) {
        emit_edge(e, &o->merge);
        SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, body, o->merge.label);
    } else {
        put_branch(e, body);
    }
    e->loop_merge = &o->merge;
    e->loop_continue = &o->next;
    emit_arm(e, body, &s->loop.body, &o->next, NULL, 0, false);
    e->loop_merge = outer_merge;
    e->loop_continue = outer_next;
}

static void emit_loop(struct emit *e, const struct gen_stmt *s)
{
    struct open_loop o = {.header = spv_new_id(e->w)};
    o.next = new_join(e);
    o.merge = new_join(e);
    emit_store(e, e->var[s->loop.counter], emit_const(e, 0));
    struct incoming first = emit_incoming(e, s->loop.phi, s->loop.phi_count, false);
    const uint32_t before = e->block;
    put_branch(e, o.header);
    emit_label(e, o.header);
    emit_around(e, s, before, &o.around);
    emit_loop_phis(e, s, &first, o.holes);
    if (s->loop.single) {
        emit_block(e, &s->loop.body);
    } else {
        emit_iteration(e, s, &o);
        if (e->slots && !o.next.in.n) // no path: any values will do
            emit_restore(e, o.around.first);
        emit_joined(e, &o.next);
        emit_block(e, &s->loop.next);
    }
    emit_back_edge(e, s, &o);
    emit_merge(e, s, &o.merge);
}

// ---- the rest ----------------------------------------------------------------------------------

static void emit_call(struct emit *e, const struct gen_stmt *s)
{
    const struct gen_function *callee = e->p->functions.v[s->call.callee];
    uint32_t v[1 + GEN_PARAMS_MAX];
    v[0] = e->function[s->call.callee];
    for (uint32_t i = 0; i < callee->param_count; i++)
        v[1 + i] = emit_expr(e, s->call.arg[i]);
    uint32_t type = callee->has_result ? e->u32 : e->void_type;
    uint32_t id = spv_put_value(e->w, SpvOpFunctionCall, type, v, 1 + callee->param_count);
    if (callee->has_result)
        emit_bind(e, s->value, id);
}

static void emit_leave(struct emit *e, const struct gen_stmt *s)
{
    switch (s->leave.how) {
    case LEAVE_BREAK:
        emit_jump(e, e->loop_merge);
        break;
    case LEAVE_CONTINUE:
        emit_jump(e, e->loop_continue);
        break;
    case LEAVE_BREAK_SWITCH:
        emit_jump(e, e->switch_merge);
        break;
    case LEAVE_TERMINATE:
    case LEAVE_KILL:
        emit_end(e, s->leave.how);
        break;
    case LEAVE_RETURN:
        if (s->leave.result) {
            uint32_t result = emit_expr(e, s->leave.result);
            SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpReturnValue, result);
        } else {
            emit_log_end(e);
            SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpReturn);
        }
        break;
    }
}

static void note_op(struct emit *e, const struct gen_stmt *s)
{
    *VEC_PUSH(e->w->arena, &e->ops) = (struct gen_placed){.id = e->op_id,
                                                          .name = gen_group_row(s->op.op)->text,
                                                          .type = gen_as_row(s->op.as)->text,
                                                          .width = s->op.width,
                                                          .depth = e->depth - 1};
}

static void emit_block(struct emit *e, const struct gen_block *b)
{
    e->depth++;
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        switch (s->kind) {
        case STMT_LET:
            emit_bind(e, s->value, emit_expr(e, s->let.expr));
            break;
        case STMT_OP:
            emit_bind(e, s->value, emit_group_op(e, s));
            note_op(e, s);
            break;
        case STMT_SET:
            emit_store(e, e->var[s->set.var], emit_expr(e, s->set.expr));
            break;
        case STMT_LOG:
            emit_log(e, s);
            break;
        case STMT_IF:
            emit_if(e, s);
            break;
        case STMT_LOOP:
            emit_loop(e, s);
            break;
        case STMT_SWITCH:
            emit_switch(e, s);
            break;
        case STMT_CALL:
            emit_call(e, s);
            break;
        case STMT_EXCHANGE:
            emit_bind(e, s->value, emit_exchange(e, s));
            break;
        case STMT_ATOMIC:
            emit_atomic(e, s);
            break;
        case STMT_DEMOTE:
            emit_demote(e);
            break;
        case STMT_LEAVE:
            emit_leave(e, s);
            break;
        case STMT_KINDS:
            break;
        }
    }
    e->depth--;
}

void emit_body(struct emit *e, const struct gen_block *b)
{
    emit_block(e, b);
    if (gen_block_ends(b))
        return;
    emit_log_end(e);
    SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpReturn);
}
