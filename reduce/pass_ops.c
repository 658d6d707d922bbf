// SPDX-License-Identifier: Apache-2.0
//
// Simplifies a group operation: the word that shows its result becomes a ballot of true or a sum of
// ones of the same form; or its opcode becomes a simpler one of its family; or its form becomes a
// plain reduction. Changes one operation, or all equal ones at once, because a bug may need two
// equal operations. So findings of one bug end in the same program.
#include "pass.h"

#include <string.h>

enum { BALLOT, SUM, SWAP, FORM };

static bool is_arithmetic(uint32_t op)
{
    const struct spv_group_op *g = spv_group_find(op);
    return g && g->klass == SPV_GROUP_REDUCE;
}

static bool is_ballot_of_true(const struct spv_module *m, const struct spv_inst *x)
{
    const struct spv_inst *d =
        x->op == SpvOpGroupNonUniformBallot && x->n == 2 ? spv_def(m, x->v[1]) : NULL;
    return d && d->op == SpvOpConstantTrue;
}

uint32_t op_weight(const struct spv_module *m, const struct spv_inst *x)
{
    return is_ballot_of_true(m, x) ? 1 : x->op == SpvOpGroupNonUniformIAdd ? 3 : 4;
}

uint32_t op_rank(const struct spv_inst *x)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    if (!g || !g->family)
        return 0;
    return 4 * g->rank + (is_arithmetic(x->op) && x->n >= 2 ? x->v[1] & 3 : 0);
}

// ---- places ------------------------------------------------------------------------------

static bool same_form(const struct spv_inst *x, const struct spv_inst *y)
{
    return x->op == y->op && x->n == y->n && (!is_arithmetic(x->op) || x->v[1] == y->v[1]);
}

static void plan_both(struct red_plan *p, uint32_t what, uint32_t i, uint32_t to, bool several)
{
    if (several)
        PLAN(p, what, i, to, 1);
    PLAN(p, what, i, to, 0);
}

// True if the simpler operation g accepts the operand of instruction x. AllEqual takes values of
// any type, All and Any only bools.
static bool takes(const struct spv_module *m, const struct spv_inst *x,
                  const struct spv_group_op *g)
{
    const struct spv_inst *d =
        g->operand[0] == SPV_SHAPE_BOOL && x->n ? spv_def(m, x->v[x->n - 1]) : NULL;
    const struct spv_inst *t = d ? spv_def(m, d->type) : NULL;
    return g->operand[0] != SPV_SHAPE_BOOL || (t && t->op == SpvOpTypeBool);
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        const struct spv_group_op *g = spv_group_find(x->op), *plainer;
        bool several = false;
        if (!g || x->op == SpvOpGroupNonUniformBallotBitExtract)
            continue;
        for (uint32_t k = 0; k < m->inst_count; k++)
            several |= k != i && same_form(x, &m->insts[k]);
        if (!is_ballot_of_true(m, x))
            plan_both(p, BALLOT, i, 0, several);
        if (is_arithmetic(x->op))
            plan_both(p, SUM, i, 0, several);
        for (uint32_t k = 0; k < g->rank && (plainer = spv_group_member(g->family, k)); k++)
            if (takes(m, x, plainer))
                plan_both(p, SWAP, i, plainer->opcode, several);
        for (uint32_t f = 0; is_arithmetic(x->op) && f < x->v[1] && x->v[1] <= 3; f++)
            plan_both(p, FORM, i, f, several);
    }
}

// ---- edits -------------------------------------------------------------------------------

static bool is_word(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *t = spv_def(m, id);
    return t && t->op == SpvOpTypeInt && t->v[0] == 32;
}

// Inserts the new operation before instruction i; returns it as a word of type `as`.
static uint32_t put_new(struct spv_edit *e, uint32_t i, uint32_t what, uint32_t as)
{
    const struct spv_inst *x = &e->m->insts[i];
    uint32_t u = spv_edit_uint(e), id = spv_edit_id(e);
    bool scoped = spv_group_find(x->op)->has_scope;
    uint32_t scope = scoped ? x->v[0] : spv_edit_constant(e, u, SpvScopeSubgroup);
    if (what == BALLOT) {
        uint32_t four = SPV_EDIT_DECLARE(e, SpvOpTypeVector, 0, u, 4), ballot = spv_edit_id(e);
        uint32_t yes = spv_edit_constant(e, spv_edit_bool(e), 1);
        spv_edit_capability(e, SpvCapabilityGroupNonUniformBallot);
        spv_edit_insert(e, i, SpvOpGroupNonUniformBallot,
                        (const uint32_t[]){four, ballot, scope, yes}, 4);
        spv_edit_insert(e, i, SpvOpCompositeExtract, (const uint32_t[]){u, id, ballot, 0}, 4);
    } else {
        uint32_t one = spv_edit_constant(e, u, 1);
        bool cluster = x->v[1] == SpvGroupOperationClusteredReduce && x->n > 3;
        uint32_t v[6] = {u, id, scope, x->v[1], one, cluster ? x->v[3] : 0};
        spv_edit_capability(e, cluster ? SpvCapabilityGroupNonUniformClustered
                                       : SpvCapabilityGroupNonUniformArithmetic);
        spv_edit_insert(e, i, SpvOpGroupNonUniformIAdd, v, cluster ? 6 : 5);
    }
    if (as == u)
        return id;
    uint32_t cast = spv_edit_id(e);
    spv_edit_insert(e, i, SpvOpBitcast, (const uint32_t[]){as, cast, id}, 3);
    return cast;
}

// Replaces the words that show operation i's result by the new operation's result.
static bool replace(struct spv_edit *e, uint32_t i, uint32_t what)
{
    const struct spv_module *m = e->m;
    const struct spv_inst *x = &m->insts[i];
    if (is_word(m, x->type)) {
        spv_edit_use(e, x->result, put_new(e, i, what, x->type));
        spv_edit_drop(e, i);
        return true;
    }
    uint32_t shown = 0, others = 0;
    for (uint32_t k = m->functions[0].first; k < m->inst_count; k++) {
        const struct spv_inst *u = &m->insts[k];
        bool uses = false;
        for (uint32_t o = 0; o < u->n; o++)
            uses |= u->v[o] == x->result; // a literal equal to the id also counts as a use: then
                                          // the operation stays
        if (!uses)
            continue;
        if (!is_word(m, u->type) || !inst_is_pure(u->op) || e->next_id + 12 > e->id_limit) {
            others++;
            continue;
        }
        spv_edit_use(e, u->result, put_new(e, i, what, u->type));
        spv_edit_drop(e, k);
        shown++;
    }
    if (!others)
        spv_edit_drop(e, i);
    return shown != 0;
}

static bool change(struct spv_edit *e, uint32_t i, const struct red_step *s)
{
    const struct spv_inst *x = &e->m->insts[i];
    const uint32_t n = x->n + 2u;
    uint32_t *v = ARENA_ARRAY(e->a, uint32_t, n);
    v[0] = x->type;
    v[1] = x->result;
    memcpy(v + 2, x->v, x->n * sizeof *v);
    if (s->v[0] == SWAP) {
        spv_edit_set(e, i, (SpvOp)s->v[2], v, n);
        return true;
    }
    v[3] = s->v[2]; // after type, result and scope
    spv_edit_set(e, i, (SpvOp)x->op, v, x->v[1] == SpvGroupOperationClusteredReduce ? 5 : n);
    spv_edit_capability(e, SpvCapabilityGroupNonUniformArithmetic);
    return true;
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_inst *x = &e->m->insts[s->v[1]];
    bool any = false;
    for (uint32_t i = 0; i < e->m->inst_count; i++) {
        if (i != s->v[1] && !(s->v[3] && same_form(x, &e->m->insts[i])))
            continue;
        if (e->next_id + 12 > e->id_limit)
            return false;
        any |= s->v[0] == BALLOT || s->v[0] == SUM ? replace(e, i, s->v[0]) : change(e, i, s);
    }
    return any;
}

const struct red_pass pass_ops = {"operations", plan, apply};
