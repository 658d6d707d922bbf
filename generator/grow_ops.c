// SPDX-License-Identifier: Apache-2.0
//
// Group operations, and what becomes of their results. A log right after each
// operation would pin it to its place and hide every fault that moves it, so the
// ways to see a result are drawn.
#include "grow.h"

// Is an element type wanted?
static bool has_as(const struct grow *g, enum gen_as as)
{
    return as == AS_U32 || grow_has(g, gen_as_row(as)->feature);
}

static bool is_plain(const struct grow *g)
{
    return g->o->features & GEN_BIT(GEN_PLAIN_BALLOTS);
}

uint16_t grow_op_weight(const struct grow *g, enum gen_group_op op)
{
    const struct gen_group_row *row = gen_group_row(op);
    if (!grow_has(g,
                  row->feature)) // first, for most are not: asked for each operation of each plan
        return 0;
    bool some = row->kind == KIND_NONE;
    for (uint32_t i = 0; i < AS_COUNT; i++)
        some = some || (gen_kind_takes(row->kind, (enum gen_as)i) && has_as(g, (enum gen_as)i));
    if (!some || ((gen_group_moves(op) || op == GROUP_INVERSE) && !grow_has(g, GEN_OP_BALLOT)))
        return 0;
    // Not planned for elsewhere: it has to stand where its quads are whole.
    if (gen_group_quads(op) && !(g->deriving && grow_whole(g)))
        return 0;
    if (op == GROUP_IMAGE_SWAP && g->weak) // what it holds would rest on what is not promised
        return 0;
    if (is_plain(g) && ((op >= GROUP_BALLOT_COUNT && op <= GROUP_INVERSE) || op == GROUP_ALL_EQUAL))
        return 0;
    // What must be the same for all is so only where tangles are as we say.
    if (op == GROUP_INVERSE && g->o->model != SPV_MAXIMAL && g->o->model != SPV_ASSUMED_MAXIMAL)
        return 0;
    return (uint16_t)(row->share * g->swarm.feature[row->feature]);
}

// ---- operations --------------------------------------------------------------------

// A ballot of the tangle, the same for all of it? Of a true one: `full`.
static bool is_ballot(const struct grow *g, uint32_t value, bool full)
{
    const struct gen_stmt *def = g->at.f->values.v[value].def;
    const struct gen_expr *of = def->op.arg[0];
    return def->op.op == GROUP_BALLOT && (!full || (of->kind == EXPR_CONST && of->n));
}

// A ballot to look into: one that is there, or a new one. `full`: a ballot(true); `same`: one that
// is the same for all.
static const struct gen_expr *some_ballot(struct grow *g, bool full, bool same)
{
    uint32_t fit[8], n = 0;
    for (size_t i = g->at.visible.n; i-- > 0 && n < 8;) {
        uint32_t v = g->at.visible.v[i];
        if (g->at.f->values.v[v].type == TYPE_BALLOT && !g->at.f->values.v[v].loose &&
            (!(full || same) || is_ballot(g, v, full)))
            fit[n++] = v;
    }
    uint32_t pick = gen_choose(g->c, 8);
    bool fresh = gen_chance(g->c, 40);
    if (n && !fresh)
        return grow_value(g, fit[pick % n]);
    struct grow_op op = {.op = GROUP_BALLOT};
    op.arg[0] = full ? grow_const_bool(g, true) : grow_bool(g, 1, 40);
    return grow_value(g, grow_op_put(g, &op));
}

static void plan_source(struct grow *g, struct grow_op *op)
{
    const uint16_t ballot = grow_has(g, GEN_OP_BALLOT) ? 1 : 0;
    const uint16_t ends = is_plain(g) ? 0 : ballot; // found by an operation of their own
    const uint16_t weights[] = {1, (uint16_t)(3 * ends), (uint16_t)(2 * ends),
                                (uint16_t)(6 * ballot)};
    op->source = (enum gen_source)gen_weighted(g->c, weights, 4);
    uint32_t n = gen_choose(g->c, 8);
    op->n = op->source == FROM_XOR ? (n + 1) % g->o->subgroup : 0;
}

static enum gen_as plan_as(struct grow *g, enum gen_kind kind)
{
    static const uint16_t share[AS_COUNT] = {
        [AS_U32] = 20, [AS_I32] = 2, [AS_U8] = 1,  [AS_I8] = 1,  [AS_U16] = 1, [AS_I16] = 1,
        [AS_U64] = 1,  [AS_I64] = 1, [AS_F16] = 2, [AS_F32] = 2, [AS_F64] = 2, [AS_BOOL] = 3};
    uint16_t weights[AS_COUNT];
    for (uint32_t i = 0; i < AS_COUNT; i++) {
        const bool fits = gen_kind_takes(kind, (enum gen_as)i) && has_as(g, (enum gen_as)i);
        const uint32_t often =
            i == AS_U32 ? 1 : g->swarm.feature[gen_as_row((enum gen_as)i)->feature];
        weights[i] = fits ? (uint16_t)(share[i] * often) : 0;
    }
    return (enum gen_as)gen_weighted(g->c, weights, AS_COUNT);
}

static uint32_t plan_constant(struct grow *g, enum gen_group_op op)
{
    uint32_t n = gen_choose(g->c, 16), size = g->o->subgroup;
    if (gen_group_row(op)->group == OVER_CLUSTERED) {
        n = 1u << n % 8;
        return n < size ? n : size;
    }
    if (!gen_group_moves(op) || gen_group_lane_value(op))
        return 0;
    return op == GROUP_QUAD_BROADCAST ? n % 4 : op == GROUP_QUAD_SWAP ? n % 3 : n % size;
}

struct grow_op grow_op_plan(struct grow *g, const struct gen_expr *on)
{
    uint16_t weights[GROUP_OPS];
    // A byte of a choice sequence means the same whether there are more of them in the table.
    const uint32_t n = g->o->features & ~GEN_DEFAULT_FEATURES ? GROUP_OPS : GROUP_BY_NAME;
    for (uint32_t i = 0; i < n; i++)
        weights[i] = grow_op_weight(g, (enum gen_group_op)i);
    struct grow_op op;
    if (!on && grow_twin(g, &op))
        return op;
    op = (struct grow_op){.op = (enum gen_group_op)gen_weighted(g->c, weights, n)};
    if (gen_group_images(op.op)) {
        grow_image_plan(g, &op, on);
        return op;
    }
    switch (gen_group_arg(op.op)) {
    case TYPE_BALLOT:
        op.arg[0] = some_ballot(g, op.op == GROUP_FIND_FIRST || op.op == GROUP_FIND_LAST,
                                op.op == GROUP_INVERSE);
        break;
    case TYPE_BOOL:
        op.arg[0] = on ? grow_test(g, on) : grow_bool(g, 1, op.op == GROUP_BALLOT ? 40 : 8);
        break;
    case TYPE_U32:
        op.arg[0] = on ? on : grow_u32(g, 1);
        break;
    case TYPE_VOID:
        break;
    }
    if (op.op == GROUP_BALLOT_BIT)
        op.arg[1] = grow_small(g, g->o->subgroup - 1, false);
    op.as = plan_as(g, gen_group_row(op.op)->kind);
    uint32_t width = 1 + gen_choose(g->c, 4);
    bool vector = gen_chance(g->c, grow_has(g, GEN_VECTORS) ? 25 : 0);
    const bool takes = gen_group_row(op.op)->kind != KIND_NONE || gen_group_derives(op.op);
    op.width = vector && takes ? width : 1;
    op.n = plan_constant(g, op.op);
    const bool amount = gen_chance(g->c, grow_has(g, GEN_AMOUNT) ? 50 : 0);
    const struct gen_expr *by = grow_uniform_at(g, gen_choose(g->c, 16) % g->p->input_words);
    if ((amount && gen_group_by_value(op.op)) || gen_group_lane_value(op.op)) {
        op.arg[1] =
            grow_alu(g, EXPR_AND, by, grow_const(g, gen_group_by_below(op.op, g->o->subgroup) - 1));
        op.n = op.op == GROUP_ROTATE_CLUSTER ? op.n : 0; // there it is the size of clusters
    } else if (op.op == GROUP_ROTATE_CLUSTER) {
        op.arg[1] = grow_const(g, gen_choose(g->c, 16) % g->o->subgroup);
    }
    if (op.op == GROUP_SHUFFLE)
        plan_source(g, &op);
    grow_say(g, &op);
    return op;
}

uint32_t grow_op_put(struct grow *g, const struct grow_op *op)
{
    const struct gen_group_row *row = gen_group_row(op->op);
    struct gen_stmt *s = grow_stmt_new(g, STMT_OP);
    s->op.op = op->op;
    s->op.as = op->as;
    s->op.width = op->width ? op->width : 1;
    s->op.source = op->source;
    s->op.n = op->n;
    s->op.arg[0] = op->arg[0];
    s->op.arg[1] = op->arg[1];
    grow_note(g, row->feature);
    if (op->as != AS_U32)
        grow_note(g, gen_as_row(op->as)->feature);
    if (s->op.width > 1 && !gen_group_images(op->op))
        grow_note(g, GEN_VECTORS);
    if (gen_group_images(op->op)) {
        g->at.f->uses |= op->op == GROUP_IMAGE_SWAP ? 1u << EXPR_GLOBAL : USES_LANE;
        if (op->arg[1])
            grow_note(g, GEN_IMAGE_INDEX);
        if (op->arg[1] && !gen_expr_same(op->arg[1], GROW_NONE))
            grow_note(g, GEN_IMAGE_NONUNIFORM);
    }
    if (gen_group_moves(op->op) && !gen_group_lane_value(op->op) && op->arg[1] &&
        op->arg[1]->kind != EXPR_CONST)
        grow_note(g, GEN_AMOUNT);
    const bool loose = grow_is_loose(g, s), quad = grow_whole(g) && gen_op_quad(s);
    if (gen_group_derives(op->op))
        g->at.f->uses |= USES_LANE;
    if (gen_group_moves(op->op) || (op->op == GROUP_SHUFFLE && op->source != FROM_SELF)) {
        grow_note(g, GEN_OP_BALLOT);
        if (is_plain(g))
            grow_note(g, GEN_PLAIN_BALLOTS);
    }
    if (gen_group_moves(op->op) || op->op == GROUP_SHUFFLE)
        g->at.f->uses |= USES_LANE;
    const uint32_t value = grow_bind(g, s, gen_group_type(op->op));
    g->at.f->values.v[value].loose = loose;
    g->at.f->quad.v[value] = quad;
    return value;
}

// ---- results ------------------------------------------------------------------------

static void see_now(struct grow *g, uint32_t value)
{
    // All that a ballot may hold, where that is more than a word.
    uint32_t n = g->at.f->values.v[value].type == TYPE_BALLOT ? (g->o->subgroup + 31) / 32 : 1;
    if (!gen_chance(g->c, 60) || !grow_affords(g, n))
        n = 1;
    const struct gen_expr **v = ARENA_ARRAY(g->arena, const struct gen_expr *, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = n > 1 ? grow_word(g, value, i) : grow_value_u32(g, value);
    grow_pay(g, n);
    grow_log(g, v, n);
}

void grow_fold(struct grow *g, uint32_t value, enum grow_fold how)
{
    struct grow_place *at = &g->at;
    if (at->accumulator == GROW_NONE) {
        at->accumulator = (uint32_t)at->f->vars.n;
        *VEC_PUSH(g->arena, &at->f->vars) = (struct gen_var){0};
    }
    const struct gen_expr *old = grow_var(g, at->accumulator);
    switch (how) {
    case FOLD_ORDER: // unlike a sum it tells the order
        old = grow_alu(g, EXPR_MUL, old, grow_const(g, 3));
        break;
    case FOLD_XOR:
        old = grow_alu(g, EXPR_XOR, old, grow_const(g, 0x9e3779b9));
        break;
    case FOLD_SUM:
        break;
    }
    grow_set(g, at->accumulator, grow_alu(g, EXPR_ADD, old, grow_value_u32(g, value)));
    grow_note(g, GEN_OBSERVE_FOLD);
}

// if (something) { use of the value; ... }
static void see_inside(struct grow *g, uint32_t value)
{
    struct gen_stmt *s = grow_if(g, grow_decide(g), false);
    struct grow_mark m = grow_open_arm(g, s, 0);
    if (grow_affords(g, 1))
        see_now(g, value);
    else if (!g->at.f->values.v[value].loose)
        grow_see_as(g, value, SEE_VAR);
    grow_stmts(g, 30, 30);
    grow_close(g, &m);
}

static void see_branch(struct grow *g, uint32_t value)
{
    g->deciding = true;
    const struct gen_expr *cond = grow_value_test(g, value);
    g->deciding = false;
    bool other = gen_chance(g->c, grow_has(g, GEN_ELSE) ? 40 : 0) || !grow_has(g, GEN_IF);
    struct gen_stmt *s = grow_if(g, cond, other);
    grow_arm(g, s, 0, 97, 55);
    if (other)
        grow_arm(g, s, 1, 93, 50);
    grow_note(g, GEN_OBSERVE_BRANCH);
}

void grow_see_as(struct grow *g, uint32_t value, enum grow_sight how)
{
    switch (how) {
    case SEE_NOW:
        see_now(g, value);
        break;
    case SEE_FOLD:
        grow_fold(g, value, (enum grow_fold)gen_choose(g->c, 3));
        break;
    case SEE_VAR: {
        uint32_t var = grow_pick_var(g);
        grow_set(g, var, grow_value_u32(g, value));
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    }
    case SEE_PENDING:
        grow_pay(g, 1);
        *VEC_PUSH(g->arena, &g->at.pending) = value;
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    case SEE_INSIDE:
        see_inside(g, value);
        grow_note(g, GEN_OBSERVE_LATER);
        break;
    case SEE_BRANCH:
        see_branch(g, value);
        break;
    case SEE_NEVER:
        grow_note(g, GEN_OBSERVE_NEVER);
        break;
    case GROW_SIGHTS:
        break;
    }
}

// Weights of what is possible here. `loose`: for what the model does not promise, to be logged
// and no more.
static bool sights(const struct grow *g, bool loose, uint16_t weights[GROW_SIGHTS])
{
    const bool log = grow_affords(g, 1), nest = grow_can_nest(g);
    const bool possible[GROW_SIGHTS] = {
        [SEE_NOW] = log,
        [SEE_FOLD] = grow_has(g, GEN_OBSERVE_FOLD) && !loose,
        [SEE_VAR] = grow_has(g, GEN_OBSERVE_LATER) && !loose,
        [SEE_PENDING] = log && grow_has(g, GEN_OBSERVE_LATER) && g->at.pending.n < GROW_PENDING_MAX,
        [SEE_INSIDE] = nest && grow_has(g, GEN_IF) && grow_has(g, GEN_OBSERVE_LATER),
        [SEE_BRANCH] = nest && (grow_has(g, GEN_IF) || grow_has(g, GEN_ELSE)) &&
                       grow_has(g, GEN_OBSERVE_BRANCH) && !loose,
        [SEE_NEVER] = grow_has(g, GEN_OBSERVE_NEVER),
    };
    bool seen = false;
    for (int i = 0; i < GROW_SIGHTS; i++) {
        weights[i] = possible[i] ? g->swarm.sight[i] : 0;
        seen = seen || (weights[i] && i != SEE_NEVER);
    }
    if (!seen && log) { // better against the swarm than not at all
        weights[SEE_NOW] = 1;
        seen = true;
    }
    return seen;
}

bool grow_can_see(const struct grow *g)
{
    uint16_t weights[GROW_SIGHTS];
    return g->ops && !g->at.quiet && !gen_block_ends(g->at.block) &&
           sights(g, g->weak && !grow_together(g), weights);
}

void grow_see(struct grow *g, uint32_t value)
{
    uint16_t weights[GROW_SIGHTS];
    // What stands between grow_can_see and here may have used up the log.
    if (!sights(g, g->at.f->values.v[value].loose, weights))
        return;
    grow_see_as(g, value, (enum grow_sight)gen_weighted(g->c, weights, GROW_SIGHTS));
}

void grow_op(struct grow *g, const struct gen_expr *on)
{
    g->deriving = true;
    struct grow_op op = grow_op_plan(g, on);
    g->deriving = false;
    grow_see(g, grow_op_put(g, &op));
}

void grow_plain_ballot(struct grow *g)
{
    // The first operation there is, if ballots are not wanted.
    uint32_t i = 0;
    while (i < GROUP_OPS && !grow_op_weight(g, (enum gen_group_op)i))
        i++;
    const struct gen_expr *seen;
    if (i == GROUP_OPS) {
        seen = grow_u32(g, 0);
    } else {
        struct grow_op op = {.op = (enum gen_group_op)i};
        while (!gen_kind_takes(gen_group_row(op.op)->kind, op.as) || !has_as(g, op.as))
            op.as++;
        op.n = gen_group_row(op.op)->group == OVER_CLUSTERED;
        if (gen_group_arg(op.op) == TYPE_BOOL)
            op.arg[0] = grow_const_bool(g, true);
        else if (gen_group_arg(op.op) == TYPE_U32)
            op.arg[0] = grow_const(g, 1);
        if (gen_group_lane_value(op.op))
            op.arg[1] = grow_alu(g, EXPR_AND, grow_uniform_at(g, 0), grow_const(g, SPV_QUAD - 1));
        seen = grow_value_u32(g, grow_op_put(g, &op));
    }
    const struct gen_expr **v = ARENA_NEW(g->arena, const struct gen_expr *);
    *v = seen;
    grow_pay(g, 1);
    grow_log(g, v, 1);
}
