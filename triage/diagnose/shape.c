// SPDX-License-Identifier: Apache-2.0
//
// The shape of a reduced module, as a signature needs it: its group operation, other operations
// like it, its constructs.
#include "construct.h"

struct diag_op shape_op(const struct spv_module *m, const struct spv_inst *i)
{
    const struct spv_inst *type = spv_def(m, i->type), *n = spv_def(m, spv_group_cluster(i));
    struct diag_op op = {.opcode = i->op, .form = spv_group_form(i)};
    op.has_form = spv_group_form_name(op.form)[0] != 0;
    op.form = op.has_form ? op.form : 0;
    op.vector = op.has_form && type && type->op == SpvOpTypeVector;
    if (n && n->op == SpvOpConstant && n->n)
        op.cluster = n->v[0];
    return op;
}

bool shape_queries_helper(const struct spv_module *m, const struct spv_inst *i)
{
    if (i->op != SpvOpLoad || !i->n)
        return i->op == SpvOpIsHelperInvocationEXT;
    for (uint32_t k = 0; k < m->functions[0].first; k++) {
        const struct spv_inst *d = &m->insts[k];
        if (d->op == SpvOpDecorate && d->n == 3 && d->v[0] == i->v[0] &&
            d->v[1] == SpvDecorationBuiltIn && d->v[2] == SpvBuiltInHelperInvocation)
            return true;
    }
    return false;
}

bool diag_op_same(const struct diag_op *x, const struct diag_op *y)
{
    return x->opcode == y->opcode && x->has_form == y->has_form && x->form == y->form &&
           x->cluster == y->cluster && x->vector == y->vector;
}

enum diag_pair shape_pair(struct arena *a, const struct spv_module *m, uint32_t at)
{
    const struct spv_inst *i = &m->insts[at];
    enum diag_pair pair = DIAG_NO_PAIR;
    struct spv_flow g;
    uint32_t b;
    bool reached = site_flow(a, m, at, &g, &b);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        if (k == at || m->insts[k].op != i->op || m->insts[k].n != i->n)
            continue;
        bool before = reached && k < at && spv_flow_dominates(&g, spv_flow_at(&g, k), b);
        pair = before ? DIAG_PAIR_BEFORE : pair ? pair : DIAG_PAIR_OTHER;
    }
    return pair;
}

static enum diag_cases more_of(enum diag_cases x, enum diag_cases y)
{
    return x > y ? x : y;
}

// Returns the most informative property of the module's switches: fall-through, shared cases.
static enum diag_cases switches(struct arena *a, const struct spv_module *m)
{
    enum diag_cases found = DIAG_NO_CASES;
    for (uint32_t f = 0; f < m->function_count; f++) {
        struct spv_flow g;
        if (!m->functions[f].block_count)
            continue;
        spv_flow_read(a, m, &m->functions[f], &g);
        for (uint32_t b = 0; b < g.n; b++) {
            const struct spv_flow_block *h = &g.block[b];
            if (h->kind != SPV_SWITCH)
                continue;
            found = more_of(found, DIAG_CASES);
            for (uint32_t x = 0; x < h->succ_count; x++)
                for (uint32_t y = 0; y < h->succ_count; y++) {
                    const uint32_t from = h->succ[x], to = h->succ[y];
                    if (x != y && from == to && from != h->merge)
                        found = more_of(found,
                                        !x || !y ? DIAG_CASES_SHARED_DEFAULT : DIAG_CASES_SHARED);
                    else if (from != to && from != h->merge && to != h->merge &&
                             spv_flow_reaches(&g, from, to, h->merge))
                        found = more_of(found, !x   ? DIAG_CASES_DEFAULT_FALLS
                                               : !y ? DIAG_CASES_FALL_TO_DEFAULT
                                                    : DIAG_CASES_FALL);
                }
        }
    }
    return found;
}

// Reports whether a block inside a switch, but not in an inner loop, goes to the merge block of the
// loop around the switch.
static bool leaves_from_switch(struct arena *a, const struct spv_module *m)
{
    bool leaves = false;
    for (uint32_t f = 0; f < m->function_count; f++) {
        struct spv_flow g;
        if (!m->functions[f].block_count)
            continue;
        spv_flow_read(a, m, &m->functions[f], &g);
        for (uint32_t h = 0; h < g.n; h++) {
            const uint32_t loop =
                g.block[h].kind == SPV_SWITCH ? spv_flow_loop(&g, h) : SPV_NO_BLOCK;
            for (uint32_t b = 0; b < g.n && loop != SPV_NO_BLOCK; b++)
                for (uint32_t k = 0; k < g.block[b].succ_count && spv_flow_inside(&g, h, b); k++)
                    leaves |= g.block[b].succ[k] == g.block[loop].merge;
        }
    }
    return leaves;
}

enum diag_arm shape_arm(struct arena *a, const struct spv_module *m, uint32_t at)
{
    struct spv_flow g;
    uint32_t b;
    if (!site_flow(a, m, at, &g, &b))
        return DIAG_NO_ARM;
    for (uint32_t x = b; x != 0; x = g.block[x].structural_idom) {
        const struct spv_flow_block *h = &g.block[g.block[x].structural_idom];
        const uint32_t end = m->blocks[g.first + g.block[x].structural_idom].last;
        if (m->insts[end].op != SpvOpBranchConditional || h->kind == SPV_NO_CONSTRUCT ||
            h->succ_count != 2 || h->succ[0] == h->succ[1] || h->merge == x)
            continue;
        for (uint32_t k = 0; k < 2; k++)
            if (h->succ[k] == x)
                return h->succ[1 - k] == h->merge ? DIAG_ONLY_ARM
                       : k == 0                   ? DIAG_FIRST_ARM
                                                  : DIAG_SECOND_ARM;
    }
    return DIAG_NO_ARM;
}

struct diag_flow shape_flow(struct arena *a, const struct spv_module *m)
{
    struct diag_flow f = {.cases = (uint8_t)switches(a, m), .left = leaves_from_switch(a, m)};
    uint32_t ifs = 0, phis = 0, atomics = 0;
    for (uint32_t k = 0; k + 1 < m->inst_count; k++) {
        f.loop |= m->insts[k].op == SpvOpLoopMerge;
        f.call |= m->insts[k].op == SpvOpFunctionCall;
        phis += m->insts[k].op == SpvOpPhi;
        const struct spv_op *row = spv_op_find(m->insts[k].op);
        if (row && row->klass == SPV_CLASS_ATOMIC && m->insts[k].op != SpvOpAtomicLoad &&
            m->insts[k].op != SpvOpAtomicStore && m->insts[k].op != f.atomic) {
            f.atomic = m->insts[k].op;
            atomics++;
        }
        ifs += m->insts[k].op == SpvOpSelectionMerge && m->insts[k + 1].op != SpvOpSwitch;
    }
    f.phis = phis > 1;
    f.atomic = atomics == 1 ? f.atomic : 0;
    f.ifs = ifs > 1 ? 2 : (uint8_t)ifs;
    return f;
}
