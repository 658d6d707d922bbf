// SPDX-License-Identifier: Apache-2.0
//
// Planning of a group operation with all its operands: any operation, a derivative, an image
// operation.
#include "grow_parts.h"

// ---- operands ---------------------------------------------------------------------------

// True if the value is a ballot of the tangle, so uniform in it. `full`: a ballot(true).
static bool is_ballot(const struct grow *g, uint32_t value, bool full)
{
    const struct gen_stmt *def = g->at.f->values.v[value].def;
    const struct gen_expr *of = def->op.arg[0];
    return def->op.op == GROUP_BALLOT && (!full || (of->kind == EXPR_CONST && of->n));
}

// Returns a ballot to read: an existing or a new one. `full`: a ballot(true). `same`: one that is
// uniform in the tangle.
static const struct gen_expr *some_ballot(struct grow *g, bool full, bool same)
{
    uint32_t fit[8], n = 0;
    for (size_t i = g->at.visible.n; i-- > 0 && n < 8;) {
        uint32_t v = g->at.visible.v[i];
        if (g->at.f->values.v[v].type == TYPE_BALLOT && !g->at.f->values.v[v].not_guaranteed &&
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
    const uint16_t ends = grow_plain_ballots(g) ? 0 : ballot; // they need operations on ballots
    const uint16_t weights[] = {1, (uint16_t)(3 * ends), (uint16_t)(2 * ends),
                                (uint16_t)(6 * ballot)};
    op->source = (enum gen_source)gen_weighted(g->c, weights, 4);
    const uint32_t n = grow_number_below(g, g->o->subgroup);
    op->n = op->source == FROM_XOR ? n : 0;
}

static enum gen_as plan_as(struct grow *g, enum gen_kind kind)
{
    static const uint16_t share[AS_COUNT] = {
        [AS_U32] = 20, [AS_I32] = 2, [AS_U8] = 1,  [AS_I8] = 1,  [AS_U16] = 1, [AS_I16] = 1,
        [AS_U64] = 1,  [AS_I64] = 1, [AS_F16] = 2, [AS_F32] = 2, [AS_F64] = 2, [AS_BOOL] = 3};
    uint16_t weights[AS_COUNT];
    for (uint32_t i = 0; i < AS_COUNT; i++) {
        const bool fits = gen_kind_takes(kind, (enum gen_as)i) && grow_has_as(g, (enum gen_as)i);
        const uint32_t often =
            i == AS_U32 ? 1 : g->swarm.feature[gen_as_row((enum gen_as)i)->feature];
        weights[i] = fits ? (uint16_t)(share[i] * often) : 0;
    }
    return (enum gen_as)gen_weighted(g->c, weights, AS_COUNT);
}

static uint32_t plan_constant(struct grow *g, enum gen_group_op op)
{
    const uint32_t size = g->o->subgroup;
    if (gen_group_row(op)->group == OVER_CLUSTERED) {
        const uint32_t n = 1u << gen_choose(g->c, 8);
        return n < size ? n : size;
    }
    const bool moves = gen_group_moves(op) && !gen_group_lane_value(op);
    const uint32_t n = grow_number_below(g, moves ? gen_group_by_below(op, size) : size);
    const bool beyond =
        gen_chance(g->c, moves && gen_group_reaches(op) && size < LANES_MAX ? 5 : 0);
    return !moves ? 0 : beyond ? size : n;
}

// ---- images -----------------------------------------------------------------------------

// Grows an image index: mostly a non-uniform one, if wanted. `quad`: uniform in each quad, for an
// implicit LOD.
static const struct gen_expr *an_index(struct grow *g, bool quad)
{
    const bool differs = gen_chance(g->c, grow_has(g, GEN_IMAGE_NONUNIFORM) ? 65 : 0);
    const uint32_t word = gen_choose(g->c, 16) % g->p->input_words;
    if (!differs)
        return grow_alu(g, EXPR_AND, grow_uniform_at(g, word), grow_const(g, GEN_IMAGE_COUNT - 1));
    return quad ? grow_quad_small(g, GEN_IMAGE_COUNT - 1)
                : grow_small(g, GEN_IMAGE_COUNT - 1, false);
}

static void plan_image(struct grow *g, struct grow_op *op, const struct gen_expr *on)
{
    enum { MOST = 7 }; // all operand bits that are used
    const bool quad = gen_group_quads(op->op);
    if (!quad)
        op->arg[0] = on ? on : grow_u32(g, 1);
    else
        op->arg[0] = on && grow_is_quad(g, on) ? on : grow_quad_small(g, MOST);
    if (op->op != GROUP_IMAGE_SWAP) {
        op->width = 1 + gen_choose(g->c, 4);
        op->n = gen_choose(g->c, GEN_IMAGE_CHOICES);
        const bool index = gen_chance(g->c, grow_has(g, GEN_IMAGE_INDEX) ? 45 : 0);
        if (index) {
            op->n &= ~(uint32_t)GEN_IMAGE_COMBINED;
            op->arg[1] = an_index(g, quad);
        }
    }
    grow_remember(g, op);
}

struct grow_op grow_image_plan(struct grow *g, enum gen_group_op first, enum gen_group_op last,
                               const struct gen_expr *on)
{
    uint16_t weights[GROUP_OPS] = {0};
    g->deriving = true;
    for (uint32_t i = first; i <= last; i++)
        weights[i] = grow_op_weight(g, (enum gen_group_op)i);
    g->deriving = false;
    struct grow_op op = {.op = (enum gen_group_op)gen_weighted(g->c, weights, GROUP_OPS)};
    plan_image(g, &op, on);
    return op;
}

// Emits a sample with implicit LOD of `on`, broadcast in the quad if needed, or of any number
// (NULL). Returns its value.
static uint32_t sample(struct grow *g, const struct gen_expr *on)
{
    const bool share = on && !grow_is_quad(g, on) && grow_op_weight(g, GROUP_QUAD_BROADCAST);
    if (share) {
        struct grow_op cast = {
            .op = GROUP_QUAD_BROADCAST, .n = gen_choose(g->c, SPV_QUAD), .arg[0] = on};
        on = grow_value_u32(g, grow_op_put(g, &cast));
    }
    const struct grow_op op = grow_image_plan(g, GROUP_SAMPLE, GROUP_QUERY_LOD, on);
    return grow_op_put(g, &op);
}

// ---- any operation ----------------------------------------------------------------------

struct grow_op grow_op_plan(struct grow *g, const struct gen_expr *on)
{
    uint16_t weights[GROUP_OPS];
    // The number of alternatives must not depend on operations by name, so that bytes of a choice
    // sequence keep their meaning.
    const uint32_t n = g->o->features & ~GEN_DEFAULT_FEATURES ? GROUP_OPS : GROUP_BY_NAME;
    for (uint32_t i = 0; i < n; i++)
        weights[i] = grow_op_weight(g, (enum gen_group_op)i);
    struct grow_op op;
    if (!on && grow_twin(g, &op))
        return op;
    op = (struct grow_op){.op = (enum gen_group_op)gen_weighted(g->c, weights, n)};
    if (gen_group_images(op.op)) {
        plan_image(g, &op, on);
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
    enum { PARTS = 4 }; // at most
    if (gen_group_parts(op.op))
        op.arg[1] = grow_small(g, PARTS - 1, false);
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
        op.n = op.op == GROUP_ROTATE_CLUSTER ? op.n : 0; // for ROTATE_CLUSTER, n is the cluster
                                                         // size
    } else if (op.op == GROUP_ROTATE_CLUSTER) {
        op.arg[1] = grow_const(g, grow_number_below(g, g->o->subgroup));
    }
    if (op.op == GROUP_SHUFFLE)
        plan_source(g, &op);
    grow_remember(g, &op);
    return op;
}

// ---- derivatives ------------------------------------------------------------------------

uint32_t grow_derive(struct grow *g, const struct gen_expr *on)
{
    if (g->sampling)
        return sample(g, on);
    uint16_t weights[GROUP_OPS] = {0};
    g->deriving = true;
    for (uint32_t i = GROUP_BY_NAME; i < GROUP_OPS; i++)
        weights[i] =
            gen_group_derives((enum gen_group_op)i) ? grow_op_weight(g, (enum gen_group_op)i) : 0;
    g->deriving = false;
    struct grow_op op = {.op = (enum gen_group_op)gen_weighted(g->c, weights, GROUP_OPS)};
    op.arg[0] = on ? on : grow_u32(g, 1);
    const bool vector = gen_chance(g->c, grow_has(g, GEN_VECTORS) ? 25 : 0);
    op.width = vector ? 2 + gen_choose(g->c, 3) : 1;
    grow_remember(g, &op);
    return grow_op_put(g, &op);
}
