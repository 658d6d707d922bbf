// SPDX-License-Identifier: Apache-2.0
//
// What a reduced module is made of, as far as a signature asks: its group operation, whether
// there is another one like it, its constructs.
#include "construct.h"

#include <string.h>

// "IAdd ClusteredReduce 2": opcode, form, size of clusters, whether of vectors.
void shape_op(const struct spv_module *m, const struct spv_inst *i, char *out, size_t size)
{
    static const char *const forms[] = {" Reduce", " InclusiveScan", " ExclusiveScan",
                                        " ClusteredReduce"};
    const char *name = spv_op_name(i->op), *form = "";
    const struct spv_inst *type = spv_def(m, i->type);
    size_t skip = strncmp(name, "OpGroupNonUniform", 17) == 0 ? 17 : 2;
    char cluster[16] = "";
    bool has_form = strcmp(blame_op_class(i), "reduce") == 0 ||
                    strcmp(blame_op_class(i), "scan") == 0 ||
                    i->op == SpvOpGroupNonUniformBallotBitCount;
    if (has_form && i->n >= 2 && i->v[1] < 4)
        form = forms[i->v[1]];
    const struct spv_inst *n = form == forms[3] && i->n > 3 ? spv_def(m, i->v[3]) : NULL;
    if (n && n->op == SpvOpConstant && n->n)
        snprintf(cluster, sizeof cluster, " %u", n->v[0]);
    bool vector = has_form && type && type->op == SpvOpTypeVector;
    snprintf(out, size, "%s%s%s%s", name + skip, form, cluster, vector ? " vector" : "");
}

// Another operation like instruction `at`: on every way to it, or elsewhere; NULL for none.
const char *shape_pair(struct arena *a, const struct spv_module *m, uint32_t at)
{
    const struct spv_inst *i = &m->insts[at];
    const struct spv_function *f = function_at(m, at);
    const char *pair = NULL;
    struct graph g;
    if (!f)
        return NULL;
    graph_make(a, m, f, &g);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        if (k == at || m->insts[k].op != i->op || m->insts[k].n != i->n)
            continue;
        bool here = function_at(m, k) == f && k < at;
        pair = here && graph_dominates(&g, block_at(m, k) - g.first, block_at(m, at) - g.first)
                   ? "before"
               : pair ? pair
                      : "beside";
    }
    return pair;
}

// What the module's switches do: a case falls into another, values share a case.
static const char *switches(struct arena *a, const struct spv_module *m)
{
    const char *found = NULL;
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *t = &m->insts[m->blocks[b].last];
        if (t->op != SpvOpSwitch || !m->blocks[b].merge)
            continue;
        const struct spv_function *f = function_at(m, m->blocks[b].last);
        uint32_t merge = m->block_of[m->insts[m->blocks[b].merge].v[0]];
        struct graph g;
        graph_make(a, m, f, &g);
        found = found ? found : "switch";
        for (uint32_t x = 1; x < t->n; x += 2)
            for (uint32_t y = 1; y < t->n; y += 2) {
                // A wide selector's literals take two words: what is no label is passed over.
                uint32_t from = t->v[x] < m->bound ? m->block_of[t->v[x]] : UINT32_MAX;
                uint32_t to = t->v[y] < m->bound ? m->block_of[t->v[y]] : UINT32_MAX;
                if (from < g.first || to < g.first || from - g.first >= g.n || to - g.first >= g.n)
                    continue;
                if (x != y && from == to && from != merge)
                    found = "switch, shared";
                else if (from != to && from != merge && to != merge &&
                         graph_reaches(a, &g, from - g.first, to - g.first, merge - g.first))
                    found = "switch, falls";
            }
    }
    return found;
}

// Which arm of the innermost selection by a condition holds instruction `at`.
const char *shape_arm(struct arena *a, const struct spv_module *m, uint32_t at)
{
    const struct spv_function *f = function_at(m, at);
    struct graph g;
    if (!f)
        return "";
    graph_make(a, m, f, &g);
    const uint32_t b = block_at(m, at) - g.first;
    if (b >= g.n || g.idom[b] == UINT32_MAX)
        return "";
    for (uint32_t x = b; x != 0; x = g.idom[x]) {
        const struct spv_block *h = &m->blocks[g.first + g.idom[x]];
        const struct spv_inst *t = &m->insts[h->last];
        if (t->op != SpvOpBranchConditional || !h->merge || t->v[1] == t->v[2] ||
            m->insts[h->merge].v[0] == m->blocks[g.first + x].label)
            continue;
        for (uint32_t k = 1; k <= 2; k++)
            if (t->v[k] == m->blocks[g.first + x].label)
                return t->v[3 - k] == m->insts[h->merge].v[0] ? "only arm"
                       : k == 1                               ? "first arm"
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
