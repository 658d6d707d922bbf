// SPDX-License-Identifier: Apache-2.0
//
// The checker of expressions and group operations.
#include "tree_check.h"

#include "tree_print.h"

void check_wrong(struct checker *k, const char *what)
{
    k->errors++;
    text_add(k->out, "f%u", k->f->index);
    if (k->at) {
        text_add(k->out, ": ");
        gen_print_stmt(k->p, k->f, k->at, k->out);
    }
    text_add(k->out, ": %s\n", what);
}

// ---- expressions -------------------------------------------------------------------------

static void check_leaf(struct checker *k, const struct gen_expr *e)
{
    enum gen_type type = TYPE_U32;
    bool in_range = true;
    switch (e->kind) {
    case EXPR_CONST:
        type = e->type == TYPE_BOOL ? TYPE_BOOL : TYPE_U32;
        in_range = type == TYPE_U32 || e->n <= 1;
        break;
    case EXPR_INPUT_AT:
        in_range = e->n < k->p->input_words;
        break;
    case EXPR_PARAM:
        in_range = e->n < k->f->param_count;
        type = in_range ? k->f->param[e->n] : TYPE_VOID;
        break;
    case EXPR_VAR:
        in_range = e->n < k->f->vars.n;
        break;
    case EXPR_VALUE:
        in_range = e->n < k->f->values.n;
        type = in_range ? k->f->values.v[e->n].type : TYPE_VOID;
        must(k, !in_range || k->visible[e->n], "uses a value that may not have been computed");
        break;
    case EXPR_INPUT_BY:
        in_range = e->arg[0] && k->p->input_words >= 16;
        if (in_range)
            check_expr(k, e->arg[0], TYPE_U32);
        break;
    case EXPR_SUBGROUP:
        in_range = spv_stage_row(k->p->stage)->has_workgroups;
        break;
    case EXPR_UNDEF:
        check_wrong(k, "an undefined number outside of the phi of an election");
        break;
    case EXPR_HELPER:
    case EXPR_FREE:
        type = TYPE_BOOL;
        in_range = spv_stage_row(k->p->stage)->has_helpers;
        break;
    case EXPR_WORD:
        in_range = e->n < 4 && e->arg[0] && e->arg[0]->kind == EXPR_VALUE;
        if (in_range)
            check_expr(k, e->arg[0], TYPE_BALLOT);
        break;
    default:
        break;
    }
    must(k, in_range, "an operand that does not exist");
    must(k, e->type == type, "a leaf of the wrong type");
    must(k, k->f->uses >> e->kind & 1, "a leaf that is missing in the function's `uses`");
}

void check_expr(struct checker *k, const struct gen_expr *e, enum gen_type type)
{
    if (!e || e->kind >= EXPR_KINDS) {
        check_wrong(k, "a missing or unknown expression");
        return;
    }
    must(k, e->type == type, "an expression of the wrong type");
    if (e->kind < EXPR_ALU_FIRST) {
        check_leaf(k, e);
        return;
    }
    const struct gen_alu *row = gen_alu(e->kind);
    must(k, e->type == row->type, "an operation of the wrong type");
    for (int i = 0; i < 3; i++) {
        if (row->arg[i] != TYPE_VOID)
            check_expr(k, e->arg[i], row->arg[i]);
        else
            must(k, !e->arg[i], "too many operands");
    }
    if (k->errors) // the code below reads the operands
        return;
    must(k,
         (e->kind != EXPR_NARROW || feature(k, GEN_INT16)) &&
             (e->kind != EXPR_ROUND || feature(k, GEN_FLOAT32)),
         "an element type whose feature is not recorded");
    if (e->kind == EXPR_SHL || e->kind == EXPR_SHR)
        must(k, gen_expr_max(k->p, e->arg[1]) < 32, "shifts by 32 or more");
    if (e->kind == EXPR_MOD)
        must(k, e->arg[1]->kind == EXPR_CONST && e->arg[1]->n > 0, "a divisor that may be zero");
}

void check_bound(struct checker *k, const struct gen_stmt *s, uint32_t value, unsigned types)
{
    if (value >= k->f->values.n) {
        check_wrong(k, "binds a value that does not exist");
        return;
    }
    const struct gen_value *v = &k->f->values.v[value];
    must(k, v->def == s && (types >> v->type & 1), "binds a value of another statement or type");
    must(k, !k->visible[value], "binds a value twice");
    k->visible[value] = true;
}

// ---- group operations --------------------------------------------------------------------

// True if the expression is the value of a ballot(true), which is never empty.
static bool full_ballot(const struct checker *k, const struct gen_expr *e)
{
    if (e->kind != EXPR_VALUE)
        return false;
    const struct gen_stmt *def = k->f->values.v[e->n].def;
    return def->kind == STMT_OP && def->op.op == GROUP_BALLOT &&
           def->op.arg[0]->kind == EXPR_CONST && def->op.arg[0]->n == 1;
}

// Checks the constant n of the operation.
static void check_move(struct checker *k, const struct gen_stmt *s, const struct gen_group_row *row)
{
    const uint32_t n = s->op.n, size = k->p->subgroup;
    if (row->group == OVER_CLUSTERED)
        must(k, n >= 1 && n <= size && (n & (n - 1)) == 0, "an invalid cluster size");
    else if (gen_group_moves(s->op.op))
        must(k,
             n < gen_group_by_below(s->op.op, size) ||
                 (n == size && gen_group_reaches(s->op.op) && !s->op.arg[1]),
             "moves from a lane outside the subgroup");
    else if (gen_group_images(s->op.op))
        must(k, n < GEN_IMAGE_CHOICES && (!(n & GEN_IMAGE_COMBINED) || !s->op.arg[1]),
             "an image that does not exist");
    else
        must(k, s->op.op == GROUP_SHUFFLE || n == 0, "a constant on an operation without one");
    must(k, !gen_group_moves(s->op.op) || feature(k, GEN_OP_BALLOT),
         "a source that needs a ballot, whose feature is not recorded");
}

// Checks the additional rules of image operations.
static void check_image(struct checker *k, const struct gen_stmt *s)
{
    const struct gen_expr *index = s->op.arg[1];
    const bool quads = gen_group_quads(s->op.op), swap = s->op.op == GROUP_IMAGE_SWAP;
    must(k, k->f->uses >> (swap ? EXPR_GLOBAL : EXPR_LANE) & 1,
         "a leaf that is missing in the function's `uses`");
    must(k, !quads || gen_expr_quad(&k->quads, s->op.arg[0]),
         "a LOD that is not uniform in a quad");
    if (!index)
        return;
    must(k, !swap && feature(k, GEN_IMAGE_INDEX), "an index whose feature is not recorded");
    must(k, gen_expr_max(k->p, index) < GEN_IMAGE_COUNT, "an index outside the array");
    must(k, gen_expr_same(index, UINT32_MAX) || feature(k, GEN_IMAGE_NONUNIFORM),
         "a non-uniform index whose feature is not recorded");
    must(k, !quads || gen_expr_quad(&k->quads, index), "an index that is not uniform in a quad");
}

void check_group_op(struct checker *k, const struct gen_stmt *s)
{
    const struct gen_group_row *row = gen_group_row(s->op.op);
    const bool two = s->op.op == GROUP_BALLOT_BIT || gen_group_parts(s->op.op);
    must(k, feature(k, row->feature), "an operation whose feature is not recorded");
    if (s->op.op == GROUP_FIRST && gen_is_leaders(k->f, s->op.arg[0], s))
        must(k, s->op.as == AS_U32 && s->op.width == 1,
             "converts a number that is undefined in some invocations");
    else if (gen_group_arg(s->op.op) != TYPE_VOID)
        check_expr(k, s->op.arg[0], gen_group_arg(s->op.op));
    else
        must(k, !s->op.arg[0], "an operand too many");
    const bool value = gen_group_lane_value(s->op.op); // its lane is always an operand of the tree
    must(k, !value || s->op.arg[1], "a broadcast without its lane");
    const bool moves = gen_group_by_value(s->op.op) && s->op.arg[1];
    const bool images = gen_group_images(s->op.op);
    if (two || moves || (images && s->op.arg[1]))
        check_expr(k, s->op.arg[1], TYPE_U32);
    else
        must(k, !s->op.arg[1], "a second operand too many");
    if (k->errors)
        return;
    if (moves)
        must(k,
             (value || feature(k, GEN_AMOUNT) || s->op.arg[1]->kind == EXPR_CONST) &&
                 (s->op.n == 0 || row->group == OVER_CLUSTERED) &&
                 gen_expr_same(s->op.arg[1], UINT32_MAX) &&
                 gen_expr_max(k->p, s->op.arg[1]) < gen_group_by_below(s->op.op, k->p->subgroup),
             "moves by an amount that is too large or not uniform");
    if (s->op.op == GROUP_BALLOT_BIT)
        must(k, gen_expr_max(k->p, s->op.arg[1]) < k->p->subgroup,
             "reads a lane outside the subgroup");
    if (s->op.op == GROUP_FIND_FIRST || s->op.op == GROUP_FIND_LAST)
        must(k, full_ballot(k, s->op.arg[0]), "reads a ballot that may be empty");
    if (s->op.op == GROUP_INVERSE)
        must(k,
             s->op.arg[0]->kind == EXPR_VALUE &&
                 k->f->values.v[s->op.arg[0]->n].def->op.op == GROUP_BALLOT,
             "a ballot that may not be uniform");
    if (s->op.op == GROUP_SHUFFLE) {
        must(k, s->op.n < k->p->subgroup, "shuffles from a lane outside the subgroup");
        must(k, s->op.source == FROM_SELF || feature(k, GEN_OP_BALLOT),
             "a source that needs a ballot, whose feature is not recorded");
    }
    check_move(k, s, row);
    must(k, gen_kind_takes(row->kind, s->op.as),
         "an element type that the operation does not support");
    must(k, s->op.as == AS_U32 || feature(k, gen_as_row(s->op.as)->feature),
         "an element type whose feature is not recorded");
    const bool derives = gen_group_derives(s->op.op), quads = gen_group_quads(s->op.op);
    if (images)
        check_image(k, s);
    must(k,
         s->op.width == 1 ||
             (s->op.width <= 4 && (row->kind != KIND_NONE || derives) && feature(k, GEN_VECTORS)) ||
             (s->op.width <= 4 && images),
         "a vector on an operation without vectors");
    must(k, !quads || k->whole, "a derivative or implicit LOD where quads may not be whole");
    must(k, !derives || k->f->uses >> EXPR_LANE & 1,
         "a leaf that is missing in the function's `uses`");
    k->derives[k->f->index] |= quads;
    check_bound(k, s, s->value, 1u << gen_group_type(s->op.op));
}
