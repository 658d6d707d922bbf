// SPDX-License-Identifier: Apache-2.0
//
// From a sketch to the program tree: each condition, selector and operand has one fixed expression.
// A function's own input is its parameter. Variables and loop counters are values (feature "ssa").
//
// Results are used in three ways, so that an operation that moves is seen. A ballot and an election
// are logged where they are; a broadcast directly before a construct is logged inside it, at the
// start of its first block; sums are folded into a variable, which is logged where the function
// ends.
#include "enumerate.h"
#include "tree/tree_form.h"

#include <string.h>

enum { NONE = UINT16_MAX };

struct lower {
    struct arena *a;
    struct gen_program *p;
    struct gen_function *f;
    uint32_t counter; // variable of the innermost loop
    // Conditions that are computed where the function begins, so that all their uses are one value.
    const struct gen_expr *known[ENU_COND_COUNT];
    uint32_t sums;                // variable into which sums are folded; NONE: it has none
    const struct gen_expr *later; // a value to log at the start of the next block; or NULL
};

// ---- expressions -----------------------------------------------------------------------

static const struct gen_expr *leaf(struct lower *l, enum gen_expr_kind kind, enum gen_type type,
                                   uint32_t n)
{
    struct gen_expr *e = ARENA_NEW(l->a, struct gen_expr);
    *e = (struct gen_expr){.kind = kind, .type = type, .n = n};
    l->f->uses |= 1u << kind;
    return e;
}

static const struct gen_expr *number(struct lower *l, uint32_t n)
{
    return leaf(l, EXPR_CONST, TYPE_U32, n);
}

static const struct gen_expr *alu(struct lower *l, enum gen_expr_kind kind,
                                  const struct gen_expr *x, const struct gen_expr *y)
{
    struct gen_expr *e = ARENA_NEW(l->a, struct gen_expr);
    *e = (struct gen_expr){.kind = kind, .type = gen_alu(kind)->type, .arg = {x, y}};
    return e;
}

// bits & n != 0
static const struct gen_expr *test(struct lower *l, const struct gen_expr *bits, uint32_t n)
{
    return alu(l, EXPR_NE, alu(l, EXPR_AND, bits, number(l, n)), number(l, 0));
}

static const struct gen_expr *lane(struct lower *l)
{
    return leaf(l, EXPR_LANE, TYPE_U32, 0);
}

static const struct gen_expr *input(struct lower *l)
{
    return leaf(l, l->f->param_count ? EXPR_PARAM : EXPR_INPUT_OWN, TYPE_U32, 0);
}

// What operations work on: differs between invocations.
static const struct gen_expr *datum(struct lower *l)
{
    return alu(l, EXPR_SHR, input(l), number(l, 4));
}

static const struct gen_expr *counted(struct lower *l, enum gen_expr_kind how,
                                      const struct gen_expr *to)
{
    return alu(l, how, leaf(l, EXPR_VAR, TYPE_U32, l->counter), to);
}

static const struct gen_expr *cond(struct lower *l, enum enu_cond c)
{
    if (l->known[c])
        return l->known[c];
    switch (c) {
    case ENU_LANE:
        return test(l, lane(l), 1);
    case ENU_INPUT:
        return test(l, input(l), 1);
    case ENU_UNIFORM:
        return test(l, leaf(l, EXPR_INPUT_AT, TYPE_U32, 0), 2);
    default:
        return counted(l, EXPR_GE, alu(l, EXPR_AND, lane(l), number(l, 1)));
    }
}

// ---- statements ------------------------------------------------------------------------

static void note(struct lower *l, enum gen_feature f)
{
    l->p->used |= GEN_BIT(f);
}

static struct gen_stmt *put(struct lower *l, struct gen_block *b, enum gen_stmt_kind kind)
{
    struct gen_stmt *s = ARENA_NEW(l->a, struct gen_stmt);
    s->kind = kind;
    *(b->last ? &b->last->next : &b->first) = s;
    return b->last = s;
}

static const struct gen_expr *bind(struct lower *l, struct gen_stmt *s, enum gen_type type)
{
    s->value = (uint32_t)l->f->values.n;
    *VEC_PUSH(l->a, &l->f->values) = (struct gen_value){.type = type, .def = s};
    return leaf(l, EXPR_VALUE, type, s->value);
}

static void put_log(struct lower *l, struct gen_block *b, const struct gen_expr *v)
{
    struct gen_stmt *s = put(l, b, STMT_LOG);
    s->log.site = ++l->p->sites;
    s->log.n = 1;
    s->log.expr = ARENA_ARRAY(l->a, const struct gen_expr *, 1);
    s->log.expr[0] = v;
}

static const struct gen_expr *sums(struct lower *l)
{
    return leaf(l, EXPR_VAR, TYPE_U32, l->sums);
}

// sums = 3 * sums + v: depends on the order, too.
static void fold(struct lower *l, struct gen_block *b, const struct gen_expr *v)
{
    struct gen_stmt *s = put(l, b, STMT_SET);
    s->set.var = l->sums;
    s->set.expr = alu(l, EXPR_ADD, alu(l, EXPR_MUL, sums(l), number(l, 3)), v);
}

static bool has_blocks(const struct enu_node *n)
{
    return n && (n->kind == ENU_IF || n->kind == ENU_LOOP || n->kind == ENU_SWITCH);
}

static void put_op(struct lower *l, struct gen_block *b, const struct enu_node *n)
{
    const enum enu_op which = (enum enu_op)n->detail;
    static const enum gen_group_op rows[] = {[ENU_BALLOT] = GROUP_BALLOT,
                                             [ENU_ELECT] = GROUP_ELECT,
                                             [ENU_FIRST] = GROUP_FIRST,
                                             [ENU_ADD] = GROUP_REDUCE_ADD};
    struct gen_stmt *s = put(l, b, STMT_OP);
    const enum gen_group_op op = rows[which];
    s->op.op = op;
    s->op.width = 1;
    if (gen_group_arg(op) == TYPE_BOOL)
        s->op.arg[0] = leaf(l, EXPR_CONST, TYPE_BOOL, 1);
    else if (gen_group_arg(op) == TYPE_U32)
        s->op.arg[0] = datum(l);
    note(l, gen_group_row(op)->feature);
    const struct gen_expr *v = bind(l, s, gen_group_type(op));
    if (v->type == TYPE_BALLOT) {
        struct gen_expr *word = ARENA_NEW(l->a, struct gen_expr);
        *word = (struct gen_expr){.kind = EXPR_WORD, .type = TYPE_U32, .arg = {v}};
        l->f->uses |= 1u << EXPR_WORD;
        v = word;
    } else if (v->type == TYPE_BOOL) {
        struct gen_expr *bit = ARENA_NEW(l->a, struct gen_expr);
        *bit = (struct gen_expr){
            .kind = EXPR_SELECT, .type = TYPE_U32, .arg = {v, number(l, 1), number(l, 0)}};
        v = bit;
    }
    if (which == ENU_ADD)
        fold(l, b, v);
    else if (which == ENU_FIRST && has_blocks(n->next))
        l->later = v;
    else
        put_log(l, b, v);
}

static void put_barrier(struct lower *l, struct gen_block *b)
{
    struct gen_stmt *s = put(l, b, STMT_EXCHANGE);
    s->exchange.memory = MEMORY_SHARED;
    s->exchange.how = MEET_NEIGHBOUR;
    s->exchange.n = l->p->local_size / 2;
    s->exchange.expr = datum(l);
    l->f->uses |= 1u << EXPR_LOCAL;
    note(l, GEN_SHARED);
    put_log(l, b, bind(l, s, TYPE_U32));
}

static void put_block(struct lower *l, struct gen_block *to, const struct enu_node *b);

// True if the block has a barrier or, unless `barrier`, another operation.
static bool any(const struct enu_node *b, bool barrier)
{
    for (; b; b = b->next) {
        if (b->kind == ENU_BARRIER || (!barrier && b->kind == ENU_OP))
            return true;
        for (uint32_t i = 0; i < ENU_BLOCKS; i++)
            if (any(b->block[i], barrier))
                return true;
    }
    return false;
}

static struct gen_stmt *put_if(struct lower *l, struct gen_block *b, const struct gen_expr *c)
{
    struct gen_stmt *s = put(l, b, STMT_IF);
    s->branch.cond = c;
    note(l, GEN_IF);
    return s;
}

static void put_leave(struct lower *l, struct gen_block *b, enum gen_leave how)
{
    static const enum gen_feature features[] = {[LEAVE_BREAK] = GEN_BREAK,
                                                [LEAVE_CONTINUE] = GEN_CONTINUE,
                                                [LEAVE_BREAK_SWITCH] = GEN_SWITCH,
                                                [LEAVE_RETURN] = GEN_RETURN};
    if (how == LEAVE_RETURN && l->sums != NONE)
        put_log(l, b, sums(l));
    put(l, b, STMT_LEAVE)->leave.how = how;
    note(l, features[how]);
}

static void put_loop(struct lower *l, struct gen_block *b, const struct enu_node *n)
{
    struct gen_stmt *s = put(l, b, STMT_LOOP);
    const uint32_t outer = l->counter;
    s->loop.counter = l->counter = (uint32_t)l->f->vars.n;
    *VEC_PUSH(l->a, &l->f->vars) = (struct gen_var){.counter = true};
    s->loop.limit = ENU_TRIPS;
    const struct gen_expr *own = alu(l, EXPR_AND, input(l), number(l, 1));
    switch ((enum enu_loop)n->detail) {
    case ENU_COUNTED:
        note(l, GEN_FOR);
        break;
    case ENU_WHILE:
    case ENU_DO:
        s->loop.form = n->detail == ENU_DO ? LOOP_DO : LOOP_FOR;
        s->loop.cond = counted(l, EXPR_LT, alu(l, EXPR_ADD, own, number(l, 1)));
        note(l, n->detail == ENU_DO ? GEN_DO_WHILE : GEN_FOR);
        note(l, GEN_DIVERGENT_TRIPS);
        break;
    default:
        s->loop.form = LOOP_INFINITE;
        s->loop.limit = ENU_TRIPS - 1; // the statements before the guard run once more
        note(l, GEN_INFINITE);
    }
    put_block(l, &s->loop.body, n->block[0]);
    if (n->detail == ENU_GUARDED) {
        struct gen_stmt *guard = put_if(l, &s->loop.body, counted(l, EXPR_GE, own));
        s->loop.guard = guard;
        put_block(l, &guard->branch.then, n->block[1]);
        put_leave(l, &guard->branch.then, LEAVE_BREAK);
        put_block(l, &s->loop.body, n->block[2]);
    }
    l->counter = outer;
}

// switch (lane % 3): each value has at most one case.
static void put_switch(struct lower *l, struct gen_block *b, const struct enu_node *n)
{
    struct gen_stmt *s = put(l, b, STMT_SWITCH);
    struct gen_case *at = ARENA_ARRAY(l->a, struct gen_case, ENU_BLOCKS);
    s->select.selector = alu(l, EXPR_MOD, lane(l), number(l, ENU_BLOCKS));
    s->select.at = at;
    s->select.n = n->block[2] ? 3 : 2;
    s->select.default_at = 2;
    at[0] = (struct gen_case){.labels = 1u << 0, .falls = n->detail};
    at[1] = (struct gen_case){.labels = 1u << 1};
    note(l, GEN_SWITCH);
    if (n->detail)
        note(l, GEN_SWITCH_FALL);
    for (uint32_t i = 0; i < s->select.n; i++)
        put_block(l, &at[i].body, n->block[i]);
    // An operation shows which invocations fell into its case: the choice is visible.
    if (n->detail && any(n->block[1], false))
        l->p->choice = s;
}

// True if the function has a sum, which its callees' do not count for.
static bool adds(const struct enu_node *b)
{
    for (; b; b = b->next) {
        if (b->kind == ENU_OP && b->detail == ENU_ADD)
            return true;
        for (uint32_t i = 0; b->kind != ENU_CALL && i < ENU_BLOCKS; i++)
            if (adds(b->block[i]))
                return true;
    }
    return false;
}

// True if the function itself branches on the condition.
static bool branches(const struct enu_node *b, enum enu_cond c)
{
    for (; b; b = b->next) {
        if ((b->kind == ENU_IF || b->kind == ENU_DEMOTE) && b->detail == c)
            return true;
        for (uint32_t i = 0; b->kind != ENU_CALL && i < ENU_BLOCKS; i++)
            if (branches(b->block[i], c))
                return true;
    }
    return false;
}

static void compute(struct lower *l, const struct enu_node *body, enum enu_cond c)
{
    if (!branches(body, c))
        return;
    const struct gen_expr *v = cond(l, c);
    struct gen_stmt *s = put(l, &l->f->body, STMT_LET);
    s->let.expr = v;
    l->known[c] = bind(l, s, TYPE_BOOL);
}

static void put_function(struct lower *l, const struct enu_node *body)
{
    struct gen_function *f = l->f;
    l->sums = NONE;
    if (adds(body)) {
        l->sums = (uint32_t)f->vars.n;
        *VEC_PUSH(l->a, &f->vars) = (struct gen_var){0};
    }
    compute(l, body, ENU_LANE);
    compute(l, body, ENU_INPUT);
    put_block(l, &f->body, body);
    if (l->sums != NONE && !gen_block_ends(&f->body))
        put_log(l, &f->body, sums(l));
    f->index = (uint32_t)l->p->functions.n;
    *VEC_PUSH(l->a, &l->p->functions) = f;
    gen_measure(l->p, f);
}

static void put_call(struct lower *l, struct gen_block *b, const struct enu_node *n)
{
    struct lower in = {.a = l->a, .p = l->p, .f = ARENA_NEW(l->a, struct gen_function)};
    in.f->param_count = 1;
    in.f->param[0] = TYPE_U32;
    put_function(&in, n->block[0]);
    struct gen_stmt *s = put(l, b, STMT_CALL);
    s->call.callee = in.f->index;
    s->call.arg = ARENA_ARRAY(l->a, const struct gen_expr *, 1);
    s->call.arg[0] = input(l);
    note(l, GEN_CALL);
}

static void put_demote(struct lower *l, struct gen_block *b, enum enu_cond c)
{
    const struct gen_expr *spares = leaf(l, EXPR_FREE, TYPE_BOOL, 0);
    struct gen_stmt *s = put_if(l, b, alu(l, EXPR_BOTH, spares, cond(l, c)));
    put(l, &s->branch.then, STMT_DEMOTE);
    note(l, GEN_DEMOTE);
}

static void put_stmt(struct lower *l, struct gen_block *to, const struct enu_node *n)
{
    static const enum gen_leave leaves[] = {[ENU_BREAK] = LEAVE_BREAK,
                                            [ENU_CONTINUE] = LEAVE_CONTINUE,
                                            [ENU_LEAVE] = LEAVE_BREAK_SWITCH,
                                            [ENU_RETURN] = LEAVE_RETURN};
    struct gen_stmt *s;
    switch (n->kind) {
    case ENU_OP:
        put_op(l, to, n);
        break;
    case ENU_BARRIER:
        put_barrier(l, to);
        break;
    case ENU_IF:
        s = put_if(l, to, cond(l, (enum enu_cond)n->detail));
        put_block(l, &s->branch.then, n->block[0]);
        s->branch.has_other = n->block[1] != NULL;
        if (s->branch.has_other)
            note(l, GEN_ELSE);
        put_block(l, &s->branch.other, n->block[1]);
        break;
    case ENU_LOOP:
        put_loop(l, to, n);
        break;
    case ENU_SWITCH:
        put_switch(l, to, n);
        break;
    case ENU_CALL:
        put_call(l, to, n);
        break;
    case ENU_DEMOTE:
        put_demote(l, to, (enum enu_cond)n->detail);
        break;
    case ENU_EXIT:
        put_leave(l, to, leaves[n->detail]);
        break;
    }
}

static void put_block(struct lower *l, struct gen_block *to, const struct enu_node *b)
{
    if (l->later) {
        put_log(l, to, l->later);
        l->later = NULL;
    }
    for (; b; b = b->next)
        put_stmt(l, to, b);
}

// ---- the program -----------------------------------------------------------------------

gen_features enu_features(enum spv_stage stage)
{
    static const enum gen_feature always[] = {GEN_IF,
                                              GEN_ELSE,
                                              GEN_FOR,
                                              GEN_DO_WHILE,
                                              GEN_INFINITE,
                                              GEN_SWITCH,
                                              GEN_BREAK,
                                              GEN_CONTINUE,
                                              GEN_RETURN,
                                              GEN_CALL,
                                              GEN_OP_ELECT,
                                              GEN_OP_BALLOT,
                                              GEN_OP_BROADCAST_FIRST,
                                              GEN_OP_REDUCE,
                                              GEN_SWITCH_FALL,
                                              GEN_SSA,
                                              GEN_PHI,
                                              GEN_DIVERGENT_TRIPS};
    gen_features set = GEN_BIT(spv_stage_row(stage)->has_helpers ? GEN_DEMOTE : GEN_SHARED);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        set |= GEN_BIT(always[i]);
    return set;
}

static void set_size(struct gen_program *p, const struct enu_node *main)
{
    p->groups = 1;
    if (spv_stage_row(p->stage)->has_workgroups) {
        p->local_size = any(main, true) ? 2 * p->subgroup : p->subgroup;
    } else {
        enum { SIDE = 4 };
        p->target[0] = p->target[1] = SIDE;
        p->local_size = (SIDE + 1) * (SIDE + 1); // helpers may lie outside
    }
    p->input_words = p->local_size < 16 ? 16 : p->local_size;
}

struct gen_program *enu_tree(struct arena *a, const struct enu_node *main, enum spv_stage stage,
                             uint32_t subgroup)
{
    struct gen_program *p = ARENA_NEW(a, struct gen_program);
    p->stage = stage;
    p->subgroup = subgroup;
    p->helper_way = HELPER_OP;
    p->ssa = true;
    struct lower l = {.a = a, .p = p, .f = ARENA_NEW(a, struct gen_function)};
    note(&l, GEN_SSA);
    note(&l, GEN_PHI);
    set_size(p, main);
    put_function(&l, main);
    const uint32_t words = l.f->log_words;
    for (p->row_mask = 1; p->row_mask + 1 < words;)
        p->row_mask = 2 * p->row_mask + 1;
    p->row_words = (p->row_mask + GEN_LOG_MAX + 2 + 3) / 4 * 4;
    return p;
}

void enu_inputs(struct arena *a, const struct gen_program *p, uint32_t n, struct spv_buffer *inputs)
{
    for (uint32_t k = 0; k < n; k++) {
        struct spv_buffer *b = &inputs[k];
        struct rng draw = {k};
        b->fill = SPV_FILL_WORDS;
        b->count = p->input_words;
        b->words = ARENA_ARRAY(a, uint32_t, b->count);
        for (uint32_t i = 0; i < b->count; i++) {
            const uint32_t drawn = (uint32_t)rng_next(&draw);
            const uint32_t own = k == 0 ? i >> 1 & 1 : k == 1 ? i % 3 == 0 : drawn & 1;
            b->words[i] = (7 * i + 3 * k + 1) << 4 | (k % 2 ? 0u : 2u) | own;
        }
    }
}
