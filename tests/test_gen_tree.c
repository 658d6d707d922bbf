// SPDX-License-Identifier: Apache-2.0
//
// generator: the checker tells each mistake that growth could make, the rule about
// ends of blocks, and the printer.
#include "test_gen_common.h"

// ---- mistakes ------------------------------------------------------------------

// One mistake, put into a statement where it fits. `f` is its function.
typedef bool (*spoil_fn)(struct gen_program *p, struct gen_function *f, struct gen_stmt *s);

static struct gen_expr *writable(const struct gen_expr *e)
{
    return (struct gen_expr *)(uintptr_t)e;
}

static bool shift_too_far(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_SET || s->set.expr->kind != EXPR_SHR)
        return false;
    writable(s->set.expr->arg[1])->n = 32;
    return true;
}

static bool divide_by_zero(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_SET || s->set.expr->kind != EXPR_MOD)
        return false;
    writable(s->set.expr->arg[1])->n = 0;
    return true;
}

static bool wrong_type(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_OP || s->op.op != GROUP_ANY || !f->vars.n)
        return false;
    struct gen_expr *e = writable(s->op.arg[0]);
    *e = (struct gen_expr){.kind = EXPR_VAR, .type = TYPE_U32};
    return true;
}

static bool beyond_the_inputs(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_SET || s->set.expr->kind != EXPR_INPUT_AT)
        return false;
    writable(s->set.expr)->n = p->input_words;
    return true;
}

// A log of a value that is bound only behind it.
static bool use_before(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_LOG || s->log.expr[0]->kind != EXPR_VALUE)
        return false;
    for (struct gen_stmt *t = s->next; t; t = t->next)
        if (t->kind == STMT_OP && f->values.v[t->value].type == TYPE_U32) {
            writable(s->log.expr[0])->n = t->value;
            return true;
        }
    return false;
}

// A value bound in one arm, seen behind the selection.
static bool use_from_arm(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_IF || !s->next || s->next->kind != STMT_LOG ||
        s->next->log.expr[0]->kind != EXPR_VALUE)
        return false;
    for (struct gen_stmt *t = s->branch.then.first; t; t = t->next)
        if (t->kind == STMT_OP && f->values.v[t->value].type == TYPE_U32) {
            writable(s->next->log.expr[0])->n = t->value;
            return true;
        }
    return false;
}

static bool two_sites(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_LOG || p->sites < 2)
        return false;
    s->log.site = s->log.site % p->sites + 1;
    return true;
}

static bool behind_the_end(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_SET || !s->next || f->has_result)
        return false;
    s->kind = STMT_LEAVE;
    s->leave.how = LEAVE_RETURN;
    s->leave.result = NULL;
    return true;
}

static bool no_loop_to_leave(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s != f->body.last || s->kind == STMT_LEAVE)
        return false;
    s->kind = STMT_LEAVE;
    s->leave.how = LEAVE_CONTINUE;
    s->leave.result = NULL;
    return true;
}

static bool no_result(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_LEAVE || !s->leave.result)
        return false;
    s->leave.result = NULL;
    return true;
}

static bool unguarded(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_LOOP || s->loop.form != LOOP_INFINITE)
        return false;
    // A guard by a number per invocation: mask with one bit more, which is too large.
    struct gen_expr *t = writable(s->loop.guard->branch.cond->arg[1]);
    struct gen_expr *most = t->kind == EXPR_CONST ? t : writable(t->arg[1]);
    if (most != t && gen_expr_max(p, t->arg[0]) <= s->loop.limit)
        return false; // as small without a mask: the number of one of few workgroups
    most->n = 2 * s->loop.limit + 1;
    return true;
}

static bool round_the_guard(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_LOOP || s->loop.form != LOOP_INFINITE)
        return false;
    struct gen_stmt *in = s->loop.body.first;
    if (in == s->loop.guard || in->kind != STMT_IF || !in->branch.then.last ||
        gen_stmt_ends(in->branch.then.last))
        return false;
    in->branch.then.last->kind = STMT_LEAVE;
    in->branch.then.last->leave.how = LEAVE_CONTINUE;
    in->branch.then.last->leave.result = NULL;
    return true;
}

static bool too_long(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_LOOP || s->loop.form != LOOP_FOR)
        return false;
    s->loop.limit = GEN_TRIPS_MAX + 1;
    return true;
}

static bool foreign_counter(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_LOOP || !s->next || s->next->kind != STMT_LOOP)
        return false;
    s->next->loop.counter = s->loop.counter;
    return true;
}

static bool set_counter(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_SET)
        return false;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.v[i].counter) {
            s->set.var = i;
            return true;
        }
    return false;
}

static bool shared_default(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_SWITCH || s->select.default_at == s->select.n || s->select.n < 2)
        return false;
    // A label less: its value now takes the default as well.
    const uint32_t other = s->select.default_at ? 0 : 1;
    if (!gen_case_values(p, s, s->select.default_at) || !gen_case_values(p, s, other))
        return false;
    s->select.at[other].labels = 0x80000000;
    p->used &= ~GEN_BIT(GEN_SWITCH_SHARED);
    return true;
}

static bool label_twice(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_SWITCH || s->select.n < 2 || !s->select.at[0].labels)
        return false;
    s->select.at[1].labels |= s->select.at[0].labels;
    return true;
}

static bool falls_nowhere(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_SWITCH)
        return false;
    s->select.at[s->select.n - 1].falls = true;
    return true;
}

// An operation whose result depends on what the implementation chooses.
static bool told_choice(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_SWITCH || p->choice != s)
        return false;
    for (uint32_t i = 0; i < s->select.n; i++)
        for (struct gen_stmt *in = s->select.at[i].body.first; in; in = in->next)
            if (gen_case_mixed(p, s, i) && in->kind == STMT_OP) {
                p->choice = NULL;
                return true;
            }
    return false;
}

static bool bare_with_code(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_IF || s->branch.then.first == s->branch.then.last ||
        !(p->used & GEN_BIT(GEN_BARE_EXIT)))
        return false;
    s->branch.bare = true;
    return true;
}

static bool half_a_phi(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_IF || !s->branch.phi_count || !s->branch.phi[0].b)
        return false;
    s->branch.phi[0].b = NULL;
    return true;
}

static bool return_in_continue(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_LOOP || !s->loop.next.first || f->has_result)
        return false;
    for (struct gen_stmt *in = s->loop.next.first; in; in = in->next)
        if (in->kind == STMT_IF && in->branch.then.last && !gen_block_ends(&in->branch.then) &&
            !in->branch.phi_count && in->branch.then.last->kind == STMT_LOG) {
            in->branch.then.last->kind = STMT_LEAVE;
            in->branch.then.last->leave.how = LEAVE_RETURN;
            in->branch.then.last->leave.result = NULL;
            return true;
        }
    return false;
}

static bool recursion(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_CALL)
        return false;
    s->call.callee = f->index;
    return true;
}

static bool empty_ballot(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_OP || (s->op.op != GROUP_FIND_FIRST && s->op.op != GROUP_FIND_LAST))
        return false;
    writable(f->values.v[s->op.arg[0]->n].def->op.arg[0])->n = 0;
    return true;
}

static bool absent_lane(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_OP || s->op.op != GROUP_BALLOT_BIT ||
        gen_expr_max(p, s->op.arg[1]->arg[0]) < p->subgroup)
        return false;
    writable(s->op.arg[1]->arg[1])->n = p->subgroup * 2 - 1;
    return true;
}

static bool far_shuffle(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_OP || s->op.op != GROUP_SHUFFLE)
        return false;
    s->op.n = p->subgroup;
    return true;
}

static bool far_move(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_OP || s->op.op != GROUP_BROADCAST)
        return false;
    s->op.n = p->subgroup + 1; // the size itself is allowed
    return true;
}

static bool odd_cluster(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_OP || gen_group_row(s->op.op)->group != OVER_CLUSTERED)
        return false;
    s->op.n = 3;
    return true;
}

static bool and_of_floats(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_OP || gen_group_row(s->op.op)->kind != KIND_INT)
        return false;
    s->op.as = AS_F32;
    return true;
}

static bool wide_ballot(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_OP || s->op.op != GROUP_BALLOT)
        return false;
    s->op.width = 2;
    return true;
}

// A barrier in a branch that differs between invocations ...
static bool split_barrier(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_IF || s->branch.bare || gen_expr_same(s->branch.cond, UINT32_MAX))
        return false;
    for (struct gen_stmt *x = s->next; x && f->body.first; x = x->next)
        if (x->kind == STMT_EXCHANGE && s->branch.then.last &&
            s->branch.then.last->kind == STMT_SET) {
            *s->branch.then.last = (struct gen_stmt){.kind = STMT_EXCHANGE, .value = x->value};
            s->branch.then.last->exchange = x->exchange;
            return true;
        }
    return false;
}

// ... or behind one that some have returned in.
static bool barrier_of_the_rest(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_IF || !s->branch.then.last || s->branch.then.last->kind != STMT_LOG ||
        s->branch.phi_count)
        return false;
    for (struct gen_stmt *x = s->next; x; x = x->next)
        if (x->kind == STMT_EXCHANGE) {
            s->branch.then.last->kind = STMT_LEAVE;
            s->branch.then.last->leave.how = LEAVE_RETURN;
            s->branch.then.last->leave.result = NULL;
            return true;
        }
    return false;
}

static bool far_word(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_EXCHANGE)
        return false;
    s->exchange.n = p->local_size;
    return true;
}

static bool mixed_amount(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p;
    if (s->kind != STMT_OP || !gen_group_moves(s->op.op) || !s->op.arg[1])
        return false;
    f->uses |= 1u << EXPR_LANE;
    *writable(s->op.arg[1]->arg[0]) = (struct gen_expr){.kind = EXPR_LANE, .type = TYPE_U32};
    return true;
}

static bool far_lane(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_OP || s->op.op != GROUP_QUAD_BROADCAST_VALUE)
        return false;
    *writable(s->op.arg[1]->arg[1]) = (struct gen_expr){.kind = EXPR_CONST, .type = TYPE_U32, .n = SPV_QUAD};
    return true;
}

static bool lost_lane(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_OP || !gen_group_lane_value(s->op.op))
        return false;
    s->op.arg[1] = NULL;
    return true;
}

static bool false_promise(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)p, (void)f;
    if (s->kind != STMT_LOOP || s->loop.control != SpvLoopControlMaxIterationsMask)
        return false;
    s->loop.control_n = gen_loop_trips(s);
    return s->loop.control_n > 0;
}

static bool strange_common(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)s;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.v[i].common) {
            f->vars.v[i].common = (uint32_t)p->commons.n + 1;
            return true;
        }
    return false;
}

static bool hidden_feature(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)f;
    if (s->kind != STMT_SWITCH)
        return false;
    p->used &= ~GEN_BIT(GEN_SWITCH);
    return true;
}

static bool short_rows(struct gen_program *p, struct gen_function *f, struct gen_stmt *s)
{
    (void)s;
    p->row_words = main_of(p)->log_words;
    return f == main_of(p);
}

static const struct {
    spoil_fn spoil;
    const char *told;
} mistakes[] = {
    {shift_too_far, "shifts by 32 or more"},
    {divide_by_zero, "a divisor that may be zero"},
    {wrong_type, "an expression of the wrong type"},
    {beyond_the_inputs, "an operand that does not exist"},
    {use_before, "uses a value that may not have been computed"},
    {use_from_arm, "uses a value that may not have been computed"},
    {two_sites, "a log site that is unknown or used twice"},
    {behind_the_end, "a statement after the end of its block"},
    {no_loop_to_leave, "leaves a loop outside of one"},
    {no_result, "a missing or unknown expression"},
    {unguarded, "an infinite loop without a valid guard"},
    {round_the_guard, "an infinite loop without a valid guard"},
    {too_long, "a loop with a limit above the maximum"},
    {foreign_counter, "a loop counter that is not a counter or belongs to another loop"},
    {set_counter, "sets something that is not a plain variable"},
    {shared_default, "a case that several selector values may enter, without its feature"},
    {label_twice, "a label that occurs twice"},
    {falls_nowhere, "a fall-through from the last case or without its feature"},
    {told_choice, "an operation or call whose tangle depends on a choice of the implementation"},
    {bare_with_code, "a branch that needs a merge block but has none"},
    {half_a_phi, "a phi with an operand missing or too many"},
    {return_in_continue, "returns from a continue construct"},
    {recursion, "calls a function whose index is not lower"},
    {empty_ballot, "reads a ballot that may be empty"},
    {absent_lane, "reads a lane outside the subgroup"},
    {far_shuffle, "shuffles from a lane outside the subgroup"},
    {far_move, "moves from a lane outside the subgroup"},
    {odd_cluster, "an invalid cluster size"},
    {and_of_floats, "an element type that the operation does not support"},
    {wide_ballot, "a vector on an operation without vectors"},
    {split_barrier, "a barrier that invocations may reach diverged"},
    {barrier_of_the_rest, "a barrier that invocations may reach diverged"},
    {far_word, "an exchange with an invocation outside the workgroup"},
    {mixed_amount, "moves by an amount that is too large or not uniform"},
    {far_lane, "moves by an amount that is too large or not uniform"},
    {lost_lane, "a broadcast without its lane"},
    {false_promise, "a loop control with a number that is not allowed or not true"},
    {strange_common, "an invalid Private variable"},
    {hidden_feature, "a switch whose feature is not recorded"},
    {short_rows, "log rows that are too short"},
};

static bool spoil_block(spoil_fn spoil, struct gen_program *p, struct gen_function *f,
                        const struct gen_block *b)
{
    for (struct gen_stmt *s = b->first; s; s = s->next) {
        if (spoil(p, f, s))
            return true;
        const struct gen_block *in;
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            if (spoil_block(spoil, p, f, in))
                return true;
    }
    return false;
}

static bool spoil_program(spoil_fn spoil, struct gen_program *p)
{
    for (size_t i = 0; i < p->functions.n; i++)
        if (spoil_block(spoil, p, p->functions.v[i], &p->functions.v[i]->body))
            return true;
    return false;
}

static void every_mistake_is_told(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        uint32_t told = 0;
        for (uint64_t seed = 0; seed < 4000 && told < 3; seed++) {
            struct gen_options o = options_of(GEN_LARGE);
            o.features = gen_features_of(o.stage) | GEN_BIT(GEN_OP_LANE_VALUE);
            struct gen_made m = make_seed(a, seed, &o);
            struct text t = {.arena = a};
            if (!spoil_program(mistakes[k].spoil, m.program)) {
                arena_reset(a);
                continue;
            }
            if (!gen_check(m.program, &t) || !strstr(t.v, mistakes[k].told))
                fail_msg("'%s' not told of seed %llu, but: %s", mistakes[k].told,
                         (unsigned long long)seed, t.v ? t.v : "nothing");
            told++;
            arena_reset(a);
        }
        if (!told)
            fail_msg("'%s': nowhere to make that mistake", mistakes[k].told);
    }
}

static void all_mistakes_are_told(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    struct gen_options o = options_of(GEN_DEFAULT);
    struct gen_made m = make_bytes(a, NULL, 0, &o);
    struct text t = {.arena = a};
    struct gen_stmt *log = main_of(m.program)->body.last;
    assert_int_equal(gen_check(m.program, &t), 0);
    log->log.site = 7;
    log->log.n = 0;
    m.program->used = 0;
    assert_int_equal(gen_check(m.program, &t), 3);
    assert_non_null(
        strstr(t.v, "f0: x0 = ballot(true): an operation whose feature is not recorded\n"));
    assert_non_null(strstr(t.v, "f0: log #7: : a log site that is unknown or used twice\n"));
    assert_non_null(strstr(t.v, "f0: log #7: : a log entry of the wrong size\n"));
}

// ---- ends of blocks ------------------------------------------------------------

static struct gen_block block_of(struct gen_stmt *s)
{
    return (struct gen_block){s, s};
}

static void ends(void **state)
{
    (void)state;
    struct gen_stmt set = {.kind = STMT_SET};
    struct gen_stmt ret = {.kind = STMT_LEAVE, .leave = {.how = LEAVE_RETURN}};
    struct gen_stmt brk = {.kind = STMT_LEAVE, .leave = {.how = LEAVE_BREAK}};
    struct gen_stmt out = {.kind = STMT_LEAVE, .leave = {.how = LEAVE_BREAK_SWITCH}};
    assert_false(gen_stmt_ends(&set));
    assert_true(gen_stmt_ends(&ret) && gen_stmt_ends(&brk) && gen_stmt_ends(&out));

    struct gen_stmt iff = {.kind = STMT_IF, .branch = {.then = block_of(&ret)}};
    assert_false(gen_stmt_ends(&iff)); // without else
    iff.branch.has_other = true;
    assert_false(gen_stmt_ends(&iff));
    iff.branch.other = block_of(&set);
    assert_false(gen_stmt_ends(&iff));
    iff.branch.other = block_of(&brk);
    assert_true(gen_stmt_ends(&iff));

    struct gen_stmt loop = {.kind = STMT_LOOP, .loop = {.form = LOOP_FOR, .body = block_of(&ret)}};
    assert_false(gen_stmt_ends(&loop)); // the test lets out
    loop.loop.form = LOOP_DO;
    assert_true(gen_stmt_ends(&loop));
    loop.loop.body = block_of(&iff); // return or break
    assert_false(gen_stmt_ends(&loop));

    loop.loop.form = LOOP_INFINITE;
    assert_false(gen_stmt_ends(&loop));
    loop.loop.body = block_of(&ret); // nothing breaks
    assert_true(gen_stmt_ends(&loop));

    struct gen_case cases[2] = {{.body = block_of(&ret)}};
    struct gen_stmt sw = {.kind = STMT_SWITCH, .select = {.n = 2, .at = cases, .default_at = 2}};
    assert_false(gen_stmt_ends(&sw)); // the default is the merge block
    sw.select.default_at = 1;
    assert_false(gen_stmt_ends(&sw));
    cases[1].body = block_of(&ret);
    assert_true(gen_stmt_ends(&sw));
    cases[0] = (struct gen_case){.falls = true};
    assert_true(gen_stmt_ends(&sw)); // by way of the next
    iff.branch.other = block_of(&out);
    cases[0].body = block_of(&iff); // return, or out of the switch
    assert_false(gen_stmt_ends(&sw));
}

// ---- quads ----------------------------------------------------------------------------

static const struct gen_expr *alu_of(struct arena *a, enum gen_expr_kind kind, enum gen_type type,
                                     const struct gen_expr *x, const struct gen_expr *y)
{
    struct gen_expr *e = ARENA_NEW(a, struct gen_expr);
    *e = (struct gen_expr){kind, type, 0, {x, y}};
    return e;
}

// A case has whole quads if none of the cases that fall into it lost a part of a quad.
static void cases_that_fall(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    const struct gen_expr lane = {.kind = EXPR_LANE, .type = TYPE_U32}, group = {.kind = EXPR_GROUP, .type = TYPE_U32};
    const struct gen_expr two = {.kind = EXPR_CONST, .type = TYPE_U32, .n = 2};
    const struct gen_expr *odd = alu_of(a, EXPR_EQ, TYPE_BOOL, &lane, &two);
    const struct gen_expr *quad = alu_of(a, EXPR_EQ, TYPE_BOOL, alu_of(a, EXPR_SHR, TYPE_U32, &lane, &two), &two);
    struct gen_stmt out = {.kind = STMT_LEAVE, .leave = {.how = LEAVE_BREAK_SWITCH}};
    struct gen_stmt iff = {.kind = STMT_IF, .branch = {.cond = odd, .then = block_of(&out)}};
    struct gen_case cases[3] = {{.labels = 1, .falls = true, .body = block_of(&iff)}, {.labels = 2, .falls = true}, {.labels = 4}};
    struct gen_stmt sw = {.kind = STMT_SWITCH, .select = {.selector = &group, .n = 3, .at = cases, .default_at = 3}};
    const struct gen_function f = {0};
    const struct gen_quads q = {&f, NULL, NULL};
    assert_true(gen_case_quads(&q, &sw, 0));
    assert_false(gen_case_quads(&q, &sw, 1));
    assert_false(gen_case_quads(&q, &sw, 2)); // by way of the empty case
    cases[1].falls = false;
    assert_true(gen_case_quads(&q, &sw, 2));
    iff.branch.cond = quad; // quads leave as a whole
    assert_true(gen_case_quads(&q, &sw, 1));
    sw.select.selector = &lane;
    assert_false(gen_case_quads(&q, &sw, 0));
}

// ---- the printer ------------------------------------------------------------------

// Braces balance, each log site is there once, no function is missing.
static void prints(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        struct gen_made m = make_seed(a, seed, &o);
        struct text t = {.arena = a};
        gen_print(m.program, &t);
        int open = 0;
        uint32_t logs = 0;
        for (const char *s = t.v; *s; s++) {
            open += (*s == '{') - (*s == '}');
            logs += *s == '#';
            assert_true(open >= 0);
        }
        assert_int_equal(open, 0);
        assert_int_equal(logs, m.program->sites);
        assert_non_null(strstr(t.v, "\nvoid main() {\n"));
        for (uint32_t i = 0; i + 1 < m.program->functions.n; i++)
            assert_non_null(strstr(t.v, arena_printf(a, " f%u(", i)));
        arena_reset(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_is_told),
        cmocka_unit_test(all_mistakes_are_told),
        cmocka_unit_test(ends),
        cmocka_unit_test(cases_that_fall),
        cmocka_unit_test(prints),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
