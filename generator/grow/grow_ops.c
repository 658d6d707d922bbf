// SPDX-License-Identifier: Apache-2.0
//
// Group operations: their weights, emission of one, and whether its result can be observed here.
#include "grow_parts.h"

uint16_t grow_op_weight(const struct grow *g, enum gen_group_op op)
{
    const struct gen_group_row *row = gen_group_row(op);
    if (!grow_has(g,
                  row->feature)) // first, as most are not wanted and this runs for each operation
                                 // of each plan
        return 0;
    bool some = row->kind == KIND_NONE;
    for (uint32_t i = 0; i < AS_COUNT; i++)
        some =
            some || (gen_kind_takes(row->kind, (enum gen_as)i) && grow_has_as(g, (enum gen_as)i));
    if (!some || (!grow_has(g, GEN_OP_BALLOT) && (gen_group_moves(op) || op == GROUP_INVERSE)))
        return 0;
    // Planned only where it is emitted at once, because it needs whole quads.
    if (gen_group_quads(op) && !(g->deriving && grow_whole(g)))
        return 0;
    if (op == GROUP_IMAGE_SWAP && g->weak) // the texel's content would depend on results that are
                                           // not guaranteed
        return 0;
    if (grow_plain_ballots(g) &&
        ((op >= GROUP_BALLOT_COUNT && op <= GROUP_INVERSE) || op == GROUP_ALL_EQUAL))
        return 0;
    // Their ballots are uniform, or those of the same tangle, only under maximal reconvergence.
    if ((op == GROUP_INVERSE || gen_group_parts(op)) && g->o->model != SPV_MAXIMAL &&
        g->o->model != SPV_ASSUMED_MAXIMAL)
        return 0;
    return (uint16_t)(row->share * g->swarm.feature[row->feature]);
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
    const bool not_guaranteed = grow_is_not_guaranteed(g, s),
               quad = grow_whole(g) && gen_op_quad(s);
    if (gen_group_derives(op->op))
        g->at.f->uses |= USES_LANE;
    if (gen_group_moves(op->op) || (op->op == GROUP_SHUFFLE && op->source != FROM_SELF)) {
        grow_note(g, GEN_OP_BALLOT);
        if (grow_plain_ballots(g))
            grow_note(g, GEN_PLAIN_BALLOTS);
    }
    if (gen_group_moves(op->op) || op->op == GROUP_SHUFFLE)
        g->at.f->uses |= USES_LANE;
    const uint32_t value = grow_bind(g, s, gen_group_type(op->op));
    g->at.f->values.v[value].not_guaranteed = not_guaranteed;
    g->at.f->quad.v[value] = quad;
    return value;
}

bool grow_observations(const struct grow *g, bool not_guaranteed,
                       uint16_t weights[GROW_OBSERVATIONS])
{
    const bool log = grow_affords(g, 1), nest = grow_can_nest(g);
    const bool possible[GROW_OBSERVATIONS] = {
        [SEE_NOW] = log,
        [SEE_FOLD] = grow_has(g, GEN_OBSERVE_FOLD) && !not_guaranteed,
        [SEE_VAR] = grow_has(g, GEN_OBSERVE_LATER) && !not_guaranteed,
        [SEE_PENDING] = log && grow_has(g, GEN_OBSERVE_LATER) && g->at.pending.n < GROW_PENDING_MAX,
        [SEE_INSIDE] = nest && grow_has(g, GEN_IF) && grow_has(g, GEN_OBSERVE_LATER),
        [SEE_BRANCH] = nest && (grow_has(g, GEN_IF) || grow_has(g, GEN_ELSE)) &&
                       grow_has(g, GEN_OBSERVE_BRANCH) && !not_guaranteed,
        [SEE_NEVER] = grow_has(g, GEN_OBSERVE_NEVER),
    };
    bool seen = false;
    for (int i = 0; i < GROW_OBSERVATIONS; i++) {
        weights[i] = possible[i] ? g->swarm.observation[i] : 0;
        seen = seen || (weights[i] && i != SEE_NEVER);
    }
    if (!seen && log) { // overrides the swarm rather than losing the result
        weights[SEE_NOW] = 1;
        seen = true;
    }
    return seen;
}

bool grow_can_see(const struct grow *g)
{
    uint16_t weights[GROW_OBSERVATIONS];
    return g->ops && !g->at.quiet && !gen_block_ends(g->at.block) &&
           grow_observations(g, g->weak && !grow_together(g), weights);
}

void grow_plain_ballot(struct grow *g)
{
    // If ballots are not wanted, takes the first possible operation.
    uint32_t i = 0;
    while (i < GROUP_OPS && !grow_op_weight(g, (enum gen_group_op)i))
        i++;
    const struct gen_expr *seen;
    if (i == GROUP_OPS) {
        seen = grow_u32(g, 0);
    } else {
        struct grow_op op = {.op = (enum gen_group_op)i};
        while (!gen_kind_takes(gen_group_row(op.op)->kind, op.as) || !grow_has_as(g, op.as))
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
    grow_log_one(g, seen);
}
