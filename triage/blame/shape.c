// SPDX-License-Identifier: Apache-2.0
//
// What a reduced module is made of, as far as a signature asks: its group operation, whether
// there is another one like it, its constructs.
#include "construct.h"

#include <string.h>

// "IAdd ClusteredReduce 2": opcode, form, size of clusters, whether of vectors.
void shape_op(const struct spv_module *m, const struct spv_inst *i, char *out, size_t size)
{
    const struct spv_inst *type = spv_def(m, i->type), *n = spv_def(m, spv_group_cluster(i));
    const char *form = spv_group_form_name(spv_group_form(i));
    char cluster[16] = "";
    if (n && n->op == SpvOpConstant && n->n)
        snprintf(cluster, sizeof cluster, " %u", n->v[0]);
    bool vector = form[0] && type && type->op == SpvOpTypeVector;
    snprintf(out, size, "%s%s%s%s%s", spv_group_name(i->op), form[0] ? " " : "", form, cluster,
             vector ? " vector" : "");
}

// Another operation like instruction `at`: on every way to it, or elsewhere; NULL for none.
const char *shape_pair(struct arena *a, const struct spv_module *m, uint32_t at)
{
    const struct spv_inst *i = &m->insts[at];
    const char *pair = NULL;
    struct spv_flow g;
    uint32_t b;
    bool reached = site_flow(a, m, at, &g, &b);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        if (k == at || m->insts[k].op != i->op || m->insts[k].n != i->n)
            continue;
        bool before = reached && k < at && spv_flow_dominates(&g, spv_flow_at(&g, k), b);
        pair = before ? "before" : pair ? pair : "beside";
    }
    return pair;
}

// What the module's switches do: a case falls into another, values share a case.
static const char *switches(struct arena *a, const struct spv_module *m)
{
    const char *found = NULL;
    for (uint32_t f = 0; f < m->function_count; f++) {
        struct spv_flow g;
        if (!m->functions[f].block_count)
            continue;
        spv_flow_read(a, m, &m->functions[f], &g);
        for (uint32_t b = 0; b < g.n; b++) {
            const struct spv_flow_block *h = &g.block[b];
            if (h->kind != SPV_SWITCH)
                continue;
            found = found ? found : "switch";
            for (uint32_t x = 0; x < h->succ_count; x++)
                for (uint32_t y = 0; y < h->succ_count; y++) {
                    const uint32_t from = h->succ[x], to = h->succ[y];
                    if (x != y && from == to && from != h->merge)
                        found = "switch, shared";
                    else if (from != to && from != h->merge && to != h->merge &&
                             spv_flow_reaches(&g, from, to, h->merge))
                        found = "switch, falls";
                }
        }
    }
    return found;
}

// Which arm of the innermost selection by a condition holds instruction `at`.
const char *shape_arm(struct arena *a, const struct spv_module *m, uint32_t at)
{
    struct spv_flow g;
    uint32_t b;
    if (!site_flow(a, m, at, &g, &b))
        return "";
    for (uint32_t x = b; x != 0; x = g.block[x].structural_idom) {
        const struct spv_flow_block *h = &g.block[g.block[x].structural_idom];
        const uint32_t end = m->blocks[g.first + g.block[x].structural_idom].last;
        if (m->insts[end].op != SpvOpBranchConditional || h->kind == SPV_NO_CONSTRUCT ||
            h->succ_count != 2 || h->succ[0] == h->succ[1] || h->merge == x)
            continue;
        for (uint32_t k = 0; k < 2; k++)
            if (h->succ[k] == x)
                return h->succ[1 - k] == h->merge ? "only arm"
                       : k == 0                   ? "first arm"
                                                  : "second arm";
    }
    return "";
}

// Next to a switch or a loop what else there is only leads the way.
void shape_flow(struct arena *a, const struct spv_module *m, char *out, size_t size)
{
    bool loop = false, call = false;
    uint32_t tests = 0, phis = 0;
    for (uint32_t k = 0; k + 1 < m->inst_count; k++) {
        loop |= m->insts[k].op == SpvOpLoopMerge;
        call |= m->insts[k].op == SpvOpFunctionCall;
        phis += m->insts[k].op == SpvOpPhi;
        tests += m->insts[k].op == SpvOpSelectionMerge && m->insts[k + 1].op != SpvOpSwitch;
    }
    const char *cases = switches(a, m);
    snprintf(out, size, "%s%s%s%s", loop ? "loop" : "", loop && cases ? ", " : "",
             cases   ? cases
             : loop  ? ""
             : tests ? tests > 1 ? "ifs" : "if"
             : call  ? "call"
                     : "top",
             phis > 1 ? ", phis" : "");
}
