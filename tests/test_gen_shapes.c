// SPDX-License-Identifier: Apache-2.0
//
// generator: the shapes that are known to break compilers (bug classes T1 to
// T18) occur, each in a fair share of the programs.
#include "test_gen_common.h"

// ---- questions -----------------------------------------------------------------

static bool same(const struct gen_expr *a, const struct gen_expr *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->n == b->n && same(a->arg[0], b->arg[0]) &&
           same(a->arg[1], b->arg[1]) && same(a->arg[2], b->arg[2]);
}

static bool same_op(const struct gen_stmt *a, const struct gen_stmt *b)
{
    return a->kind == STMT_OP && b->kind == STMT_OP && a->op.op == b->op.op &&
           same(a->op.arg[0], b->op.arg[0]) && same(a->op.arg[1], b->op.arg[1]);
}

static bool reads(const struct gen_expr *e, enum gen_expr_kind kind, uint32_t n)
{
    return e && ((e->kind == kind && e->n == n) || reads(e->arg[0], kind, n) ||
                 reads(e->arg[1], kind, n) || reads(e->arg[2], kind, n));
}

static bool uses_value(const struct gen_stmt *s, uint32_t value)
{
    for (uint32_t i = 0; s->kind == STMT_LOG && i < s->log.n; i++)
        if (reads(s->log.expr[i], EXPR_VALUE, value))
            return true;
    return s->kind == STMT_SET && reads(s->set.expr, EXPR_VALUE, value);
}

// The first statement of a kind in the block itself, from `s` on.
static const struct gen_stmt *find(const struct gen_stmt *s, enum gen_stmt_kind kind)
{
    while (s && s->kind != kind)
        s = s->next;
    return s;
}

static bool ends_with(const struct gen_block *b, enum gen_leave how)
{
    return b->last && b->last->kind == STMT_LEAVE && b->last->leave.how == how;
}

static bool deep(const struct gen_block *b, bool (*is)(const struct gen_stmt *s))
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        const struct gen_block *in;
        if (is(s))
            return true;
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            if (deep(in, is))
                return true;
    }
    return false;
}

static bool is_op(const struct gen_stmt *s)
{
    return s->kind == STMT_OP;
}
static bool is_return(const struct gen_stmt *s)
{
    return s->kind == STMT_LEAVE && s->leave.how == LEAVE_RETURN;
}

// ---- shapes, each asked of one statement, which stands in block b of f --------------

struct place {
    const struct gen_program *p;
    const struct gen_function *f;
    uint32_t depth;
};

// loop { if (..) { op; break; } }
static bool t1(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    if (s->kind != STMT_LOOP)
        return false;
    for (const struct gen_stmt *in = s->loop.body.first; in; in = in->next)
        if (in->kind == STMT_IF && in != s->loop.guard &&
            ends_with(&in->branch.then, LEAVE_BREAK) && find(in->branch.then.first, STMT_OP))
            return true;
    return false;
}

// if (c) A; if (c) B; op
static bool t3(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    return s->kind == STMT_IF && s->next && s->next->kind == STMT_IF &&
           (same(s->branch.cond, s->next->branch.cond) ||
            same(s->branch.cond, s->next->branch.cond->arg[0])) &&
           find(s->next, STMT_OP);
}

// The same op in both arms.
static bool t4(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    if (s->kind != STMT_IF || !s->branch.has_other)
        return false;
    for (const struct gen_stmt *a = s->branch.then.first; a; a = a->next)
        for (const struct gen_stmt *b = s->branch.other.first; b; b = b->next)
            if (same_op(a, b))
                return true;
    return false;
}

// if (c) v = A; op(v)
static bool t5(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    if (s->kind != STMT_IF)
        return false;
    const struct gen_stmt *set = find(s->branch.then.first, STMT_SET);
    for (const struct gen_stmt *op = s->next; set && op; op = op->next)
        if (op->kind == STMT_OP && reads(op->op.arg[0], EXPR_VAR, set->set.var))
            return true;
    return false;
}

// x = op; if (c) y = op
static bool t6(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    for (const struct gen_stmt *i = s->next; s->kind == STMT_OP && i; i = i->next)
        for (const struct gen_stmt *y = i->kind == STMT_IF ? i->branch.then.first : NULL; y;
             y = y->next)
            if (same_op(s, y))
                return true;
    return false;
}

// x = op; if (c) use(x), and no other use in the block
static bool t7(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    bool inside = false;
    for (const struct gen_stmt *i = s->next; s->kind == STMT_OP && i; i = i->next) {
        if (uses_value(i, s->value))
            return false;
        for (const struct gen_stmt *y = i->kind == STMT_IF ? i->branch.then.first : NULL; y;
             y = y->next)
            inside = inside || uses_value(y, s->value);
    }
    return inside;
}

// A variable set in a loop that invocations leave at different times, read behind it.
static bool t8(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    const struct gen_stmt *set = s->kind == STMT_LOOP ? find(s->loop.body.first, STMT_SET) : NULL;
    if (!set || !(s->loop.cond || deep(&s->loop.body, is_return) || t1(at, s)))
        return false;
    for (const struct gen_stmt *i = s->next; i; i = i->next)
        for (uint32_t k = 0; i->kind == STMT_LOG && k < i->log.n; k++)
            if (reads(i->log.expr[k], EXPR_VAR, set->set.var))
                return true;
    return false;
}

// x = op; switch { case k: use(x) }, and no other use in the block.
static bool t7_case(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    uint32_t inside = 0;
    for (const struct gen_stmt *i = s->next; s->kind == STMT_OP && i; i = i->next) {
        if (uses_value(i, s->value))
            return false;
        for (uint32_t k = 0; i->kind == STMT_SWITCH && k < i->select.n; k++)
            for (const struct gen_stmt *y = i->select.at[k].body.first; y; y = y->next)
                inside += uses_value(y, s->value);
    }
    return inside == 1;
}

// x = op; if (c) leave; y = op
static bool t6_behind(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    bool left = false;
    for (const struct gen_stmt *i = s->next; s->kind == STMT_OP && i; i = i->next) {
        if (left && same_op(s, i))
            return true;
        left = left || (i->kind == STMT_IF && gen_block_ends(&i->branch.then));
    }
    return false;
}

// Two loop phis that change places.
static bool t17_swap(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    const struct gen_phi *phi = s->loop.phi;
    return s->kind == STMT_LOOP && s->loop.phi_count == 2 && phi[0].b && phi[1].b &&
           reads(phi[0].b, EXPR_VALUE, phi[1].value) && reads(phi[1].b, EXPR_VALUE, phi[0].value);
}

static bool t18_exchange(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    return s->kind == STMT_EXCHANGE;
}

// A trip count per invocation, and an op in the body.
static bool t10(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    return s->kind == STMT_LOOP && s->loop.cond && find(s->loop.body.first, STMT_OP);
}

// A loop in a loop, the inner one left by a break, an op behind it.
static bool t11(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    const struct gen_stmt *in = s->kind == STMT_LOOP ? find(s->loop.body.first, STMT_LOOP) : NULL;
    if (!in || !find(in, STMT_OP))
        return false;
    for (const struct gen_stmt *i = in->loop.body.first; i; i = i->next)
        if (i->kind == STMT_IF && ends_with(&i->branch.then, LEAVE_BREAK))
            return true;
    return false;
}

// Ops in two cases or more; a case that leaves the loop around.
static bool t12(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    uint32_t n = 0;
    const struct gen_block *in;
    for (uint32_t i = 0; s->kind == STMT_SWITCH && (in = gen_stmt_block(s, i)); i++)
        n += find(in->first, STMT_OP) != NULL;
    return n >= 2;
}
static bool t12_leave(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    return s->kind == STMT_SWITCH && gen_stmt_leaves(s, 1u << LEAVE_BREAK | 1u << LEAVE_CONTINUE);
}

static bool loop_returns(const struct gen_stmt *s)
{
    return s->kind == STMT_LOOP && deep(&s->loop.body, is_return);
}

// An early return in a callee's loop, an op behind the call.
static bool t13(const struct place *at, const struct gen_stmt *s)
{
    return s->kind == STMT_CALL && find(s, STMT_OP) &&
           deep(&at->p->functions.v[s->call.callee]->body, loop_returns);
}
static bool t13_continue(const struct place *at, const struct gen_stmt *s)
{
    (void)at;
    return s->kind == STMT_LOOP && deep(&s->loop.body, is_op) &&
           gen_stmt_leaves(&(struct gen_stmt){.kind = STMT_IF, .branch = {.then = s->loop.body}},
                           1u << LEAVE_CONTINUE);
}

// Ops of constants under partial masks.
static bool t15(const struct place *at, const struct gen_stmt *s)
{
    return at->depth > 0 && s->kind == STMT_OP && s->op.arg[0] && s->op.arg[0]->kind == EXPR_CONST;
}

static bool t18(const struct place *at, const struct gen_stmt *s)
{
    (void)s;
    return at->p->groups > 1;
}

// `percent`: of programs of the default profile, at least.
static const struct {
    const char *name;
    bool (*is)(const struct place *at, const struct gen_stmt *s);
    double percent;
} shapes[] = {
    {"T1 op in a break block", t1, 7},
    {"T3 one condition twice", t3, 2},
    {"T4 op in both arms", t4, 3},
    {"T5 op on a merged variable", t5, 4},
    {"T6 op again in a branch", t6, 3},
    {"T6 op again where some have left", t6_behind, 1},
    {"T7 result used in a branch only", t7, 5},
    {"T7 result used in a case only", t7_case, 0.5},
    {"T8 set in a loop, read behind", t8, 4},
    {"T10 divergent trips", t10, 8},
    {"T11 inner break, op behind", t11, 2},
    {"T12 ops in cases", t12, 5},
    {"T12 case leaves the loop", t12_leave, 1},
    {"T13 return in a callee's loop", t13, 1},
    {"T13 continue", t13_continue, 5},
    {"T15 op of a constant", t15, 15},
    {"T17 loop phis change places", t17_swap, 0.3},
    {"T18 workgroups", t18, 30},
    {"T18 values behind a barrier", t18_exchange, 5},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void look(struct place *at, const struct gen_block *b, bool seen[SHAPES])
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        for (int k = 0; k < SHAPES; k++)
            seen[k] = seen[k] || shapes[k].is(at, s);
        const struct gen_block *in;
        at->depth++;
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            look(at, in, seen);
        at->depth--;
    }
}

static void shapes_occur(void **state)
{
    enum { PROGRAMS = 3000 };
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t counts[SHAPES] = {0}, few = 0;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        struct gen_options o = options_of(GEN_DEFAULT);
        struct gen_made m = make_seed(a, seed, &o);
        bool seen[SHAPES] = {false};
        for (size_t i = 0; i < m.program->functions.n; i++) {
            struct place at = {m.program, m.program->functions.v[i], 0};
            look(&at, &at.f->body, seen);
        }
        for (int k = 0; k < SHAPES; k++)
            counts[k] += seen[k];
        arena_reset(a);
    }
    for (int k = 0; k < SHAPES; k++) {
        double percent = 100.0 * counts[k] / PROGRAMS;
        print_message("# %-34s %5.1f %%\n", shapes[k].name, percent);
        few += percent < shapes[k].percent;
    }
    assert_int_equal(few, 0);
}

// Observation is a choice: most results are not logged right behind the operation.
static void results_are_seen_in_many_ways(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t ops = 0, pinned = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct gen_options o = options_of(GEN_DEFAULT);
        struct gen_made m = make_seed(a, seed, &o);
        for (size_t i = 0; i < m.program->functions.n; i++) {
            const struct gen_function *f = m.program->functions.v[i];
            for (size_t v = 0; v < f->values.n; v++) {
                const struct gen_stmt *def = f->values.v[v].def;
                if (def->kind != STMT_OP)
                    continue;
                ops++;
                pinned += def->next && def->next->kind == STMT_LOG && def->next->log.n == 1 &&
                          reads(def->next->log.expr[0], EXPR_VALUE, (uint32_t)v);
            }
        }
        arena_reset(a);
    }
    print_message("# %u of %u operations logged at once\n", pinned, ops);
    assert_true(pinned * 10 < ops * 4 && pinned * 10 > ops);
}

// How often the function does the operation that it does most.
static uint32_t most_of_one(const struct gen_function *f)
{
    uint32_t most = 0;
    for (size_t v = 0; v < f->values.n; v++) {
        uint32_t n = 0;
        for (size_t w = 0; f->values.v[v].def->kind == STMT_OP && w < f->values.n; w++)
            n += same_op(f->values.v[v].def, f->values.v[w].def);
        most = n > most ? n : most;
    }
    return most;
}

// Percent of the programs that do one operation four times or more.
static double with_a_refrain(struct arena *a, gen_features features)
{
    enum { PROGRAMS = 600 };
    uint32_t n = 0;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        struct gen_options o = options_of(GEN_DEFAULT);
        o.features = features;
        struct gen_made m = make_seed(a, seed, &o);
        bool often = false;
        for (size_t i = 0; i < m.program->functions.n; i++)
            often = often || most_of_one(m.program->functions.v[i]) >= 4;
        n += often;
        arena_reset(a);
    }
    return 100.0 * n / PROGRAMS;
}

static void refrain_comes_again(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    const double without = with_a_refrain(a, GEN_DEFAULT_FEATURES & ~GEN_BIT(GEN_REPEAT));
    const double with = with_a_refrain(a, GEN_DEFAULT_FEATURES);
    print_message("# one operation four times: %.1f %%, with a refrain %.1f %%\n", without, with);
    assert_true(with > 3 * without && with > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_occur),
        cmocka_unit_test(results_are_seen_in_many_ways),
        cmocka_unit_test(refrain_comes_again),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
