// SPDX-License-Identifier: Apache-2.0
//
// Statements -> blocks. Each construct is the plain form of structured SPIR-V:
// only merge blocks, continue targets, loop headers and switch targets have
// several predecessors (S1), and both labels of a branch differ (S2).
#include "emit.h"

static void put_label(struct emit *e, uint32_t label)
{
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpLabel, label);
}

static void put_branch(struct emit *e, uint32_t label)
{
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranch, label);
}

static void emit_block(struct emit *e, const struct gen_block *b);

// A block of its own that goes on at `next`, if it does.
static void emit_arm(struct emit *e, uint32_t label, const struct gen_block *b, uint32_t next)
{
    put_label(e, label);
    emit_block(e, b);
    if (!gen_block_ends(b))
        put_branch(e, next);
}

static void emit_merge(struct emit *e, const struct gen_stmt *s, uint32_t label)
{
    put_label(e, label);
    if (gen_stmt_ends(s))
        SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpUnreachable);
}

// ---- the log ------------------------------------------------------------------------------

// Appends to the invocation's row: word 0 counts the words behind it that are
// used. The place is held inside the row without a branch, so that a wrong compiler
// cannot make one invocation write over another's.
static void emit_log(struct emit *e, const struct gen_stmt *s)
{
    struct spv_writer *w = e->w;
    const uint32_t n = s->log.n, size = n + 1;
    uint32_t v[GEN_LOG_MAX], ballots = 0; // which values are sets of lanes
    for (uint32_t i = 0; i < n; i++) {
        v[i] = emit_expr(e, s->log.expr[i]);
        ballots |= (uint32_t)(s->log.expr[i]->kind == EXPR_WORD) << i;
    }
    uint32_t counter = emit_buffer_at(e, GEN_LOG, e->row);
    uint32_t used = emit_load(e, e->u32, counter);
    uint32_t last = emit_const(e, e->p->row_words - 1 - size);
    uint32_t fits = SPV_VALUE(w, SpvOpULessThan, e->bool_type, used, last);
    uint32_t at = SPV_VALUE(w, SpvOpSelect, e->u32, fits, used, last);
    uint32_t index = SPV_VALUE(w, SpvOpIAdd, e->u32, e->entries, at);
    uint32_t head = emit_const(e, ballots << 24 | s->log.site << 8 | n);
    emit_store(e, emit_buffer_at(e, GEN_LOG, index), head);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = SPV_VALUE(w, SpvOpIAdd, e->u32, index, emit_const(e, i + 1));
        emit_store(e, emit_buffer_at(e, GEN_LOG, to), v[i]);
    }
    emit_store(e, counter, SPV_VALUE(w, SpvOpIAdd, e->u32, at, emit_const(e, size)));
}

// ---- selections ---------------------------------------------------------------------------

static void emit_if(struct emit *e, const struct gen_stmt *s)
{
    uint32_t cond = emit_expr(e, s->branch.cond);
    uint32_t then = spv_new_id(e->w), other = s->branch.has_other ? spv_new_id(e->w) : 0;
    uint32_t merge = spv_new_id(e->w);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge, s->branch.control);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, then, other ? other : merge);
    emit_arm(e, then, &s->branch.then, merge);
    if (other)
        emit_arm(e, other, &s->branch.other, merge);
    emit_merge(e, s, merge);
}

static void emit_switch(struct emit *e, const struct gen_stmt *s)
{
    const uint32_t n = s->select.n;
    uint32_t v[2 + 2 * GEN_CASES_MAX], merge = spv_new_id(e->w);
    v[0] = emit_expr(e, s->select.selector);
    v[1] = s->select.has_other ? spv_new_id(e->w) : merge;
    for (uint32_t i = 0; i < n; i++) {
        v[2 + 2 * i] = i;
        v[3 + 2 * i] = spv_new_id(e->w);
    }
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge, s->select.control);
    spv_put(e->w, SPV_FUNCTIONS, SpvOpSwitch, v, 2 + 2 * n);
    uint32_t outer = e->switch_merge;
    e->switch_merge = merge;
    for (uint32_t i = 0; i < n; i++)
        emit_arm(e, v[3 + 2 * i], &s->select.block[i], merge);
    if (s->select.has_other)
        emit_arm(e, v[1], &s->select.other, merge);
    e->switch_merge = outer;
    emit_merge(e, s, merge);
}

// ---- loops ----------------------------------------------------------------------------------

// counter < limit && cond, without what the other half implies.
static uint32_t emit_loop_test(struct emit *e, const struct gen_stmt *s)
{
    uint32_t cond = s->loop.cond ? emit_expr(e, s->loop.cond) : 0;
    if (cond && gen_loop_bounds_itself(e->p, s))
        return cond;
    uint32_t i = emit_load(e, e->u32, e->var[s->loop.counter]);
    uint32_t bound = SPV_VALUE(e->w, SpvOpULessThan, e->bool_type, i, emit_const(e, s->loop.limit));
    return cond ? SPV_VALUE(e->w, SpvOpLogicalAnd, e->bool_type, bound, cond) : bound;
}

static void emit_loop(struct emit *e, const struct gen_stmt *s)
{
    struct spv_writer *w = e->w;
    const uint32_t outer_merge = e->loop_merge, outer_continue = e->loop_continue;
    const uint32_t counter = e->var[s->loop.counter];
    uint32_t header = spv_new_id(w), body = spv_new_id(w), next = spv_new_id(w);
    uint32_t merge = spv_new_id(w);

    emit_store(e, counter, emit_const(e, 0));
    put_branch(e, header);
    put_label(e, header);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpLoopMerge, merge, next, s->loop.control);
    if (s->loop.form == LOOP_FOR) {
        uint32_t test = spv_new_id(w);
        put_branch(e, test);
        put_label(e, test);
        uint32_t cond = emit_loop_test(e, s);
        SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, body, merge);
    } else {
        put_branch(e, body);
    }
    e->loop_merge = merge;
    e->loop_continue = next;
    emit_arm(e, body, &s->loop.body, next);
    e->loop_merge = outer_merge;
    e->loop_continue = outer_continue;

    put_label(e, next);
    uint32_t i = emit_load(e, e->u32, counter);
    emit_store(e, counter, SPV_VALUE(w, SpvOpIAdd, e->u32, i, emit_const(e, 1)));
    if (s->loop.form == LOOP_DO) {
        uint32_t cond = emit_loop_test(e, s);
        SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, cond, header, merge);
    } else {
        put_branch(e, header);
    }
    emit_merge(e, s, merge);
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
        e->value[s->value] = id;
}

static void emit_leave(struct emit *e, const struct gen_stmt *s)
{
    switch (s->leave.how) {
    case LEAVE_BREAK:
        put_branch(e, e->loop_merge);
        break;
    case LEAVE_CONTINUE:
        put_branch(e, e->loop_continue);
        break;
    case LEAVE_BREAK_SWITCH:
        put_branch(e, e->switch_merge);
        break;
    case LEAVE_RETURN:
        if (s->leave.result) {
            uint32_t result = emit_expr(e, s->leave.result);
            SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpReturnValue, result);
        } else {
            SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpReturn);
        }
        break;
    }
}

static void emit_block(struct emit *e, const struct gen_block *b)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        switch (s->kind) {
        case STMT_LET:
            e->value[s->value] = emit_expr(e, s->let.expr);
            break;
        case STMT_OP:
            e->value[s->value] = emit_group_op(e, s);
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
        case STMT_LEAVE:
            emit_leave(e, s);
            break;
        case STMT_KINDS:
            break;
        }
    }
}

void emit_body(struct emit *e, const struct gen_block *b)
{
    emit_block(e, b);
    if (!gen_block_ends(b))
        SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpReturn);
}
