// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction of a small module stands to the module's constructs.
#include "change.h"

#include <string.h>

static bool has_part(const char *path, const char *part)
{
    const size_t n = strlen(part), end = strcspn(path, "+");
    for (const char *p = path; p < path + end; p += strcspn(p, "/+") + 1)
        if (strncmp(p, part, n) == 0 && strchr("/+", p[n])) // also at the end
            return true;
    return false;
}

// To the function's calls: behind one, before one, or neither.
static char to_calls(const struct spv_flow *g, uint32_t b, uint32_t inst)
{
    const struct spv_module *m = g->m;
    char c = 'o';
    for (uint32_t h = 0; h < g->n; h++)
        for (uint32_t k = m->blocks[g->first + h].first; k <= m->blocks[g->first + h].last; k++) {
            if (m->insts[k].op != SpvOpFunctionCall)
                continue;
            if (h == b ? k < inst : spv_flow_dominates(g, h, b))
                return 'a';
            if (h == b || spv_flow_dominates(g, b, h))
                c = 'f';
        }
    return c;
}

// To the function's constructs of the kind: in one, behind one, before one, or neither; in how
// many, behind how many.
static char to_constructs(const struct spv_flow *g, uint32_t b, int kind, uint32_t *depth,
                          uint32_t *behind)
{
    const struct spv_module *m = g->m;
    bool before = false;
    *depth = *behind = 0;
    for (uint32_t h = 0; h < g->n; h++) {
        if (change_kind(m, &m->blocks[g->first + h]) != kind)
            continue;
        if (spv_flow_dominates(g, g->block[h].merge, b))
            ++*behind;
        else if (spv_flow_inside(g, h, b) && (h != b || kind == LOOP))
            ++*depth;
        else if (spv_flow_dominates(g, b, h))
            before = true;
    }
    return *depth ? 'i' : *behind ? 'a' : before ? 'f' : 'o';
}

void change_place(struct arena *a, const struct spv_module *m, uint32_t inst, char place[KINDS],
                  uint32_t *depth, uint32_t *behind)
{
    struct text path = {.arena = a};
    struct spv_flow g;
    char ignored[8];
    uint32_t unused, too;
    text_addn(&path, "", 0);
    construct_path(a, m, inst, &path, ignored);
    spv_flow_read(a, m, &m->functions[spv_function_at(m, inst)], &g);
    const uint32_t b = spv_flow_at(&g, inst);
    const char *p = path.v;
    place[LOOP] = to_constructs(&g, b, LOOP, &unused, &too);
    place[CASES] = to_constructs(&g, b, CASES, &unused, &too);
    place[CALL] = has_part(p, "call") ? 'i' : to_calls(&g, b, inst);
    place[TEST] = to_constructs(&g, b, TEST, depth, behind);
    // What the call's place says, where the function's own says nothing.
    if (has_part(p, "loop") || has_part(p, "head") || has_part(p, "cont"))
        place[LOOP] = has_part(p, "break") ? 'x' : has_part(p, "cont") ? 'c' : 'i';
    if (has_part(p, "case") || has_part(p, "fall"))
        place[CASES] = 'i';
}

// Is instruction `at` behind a loop that holds instruction `in`?
static bool is_behind_loop_of(const struct spv_flow *g, uint32_t at, uint32_t in)
{
    const uint32_t b = spv_flow_at(g, at), d = spv_flow_at(g, in);
    for (uint32_t h = 0; h < g->n; h++)
        if (g->block[h].kind == SPV_LOOP && spv_flow_inside(g, h, d) &&
            spv_flow_dominates(g, g->block[h].merge, b))
            return true;
    return false;
}

bool change_is_left(struct arena *a, const struct spv_module *m, uint32_t inst)
{
    const struct spv_inst *i = &m->insts[inst];
    const struct spv_inst *d = i->n > 1 ? spv_def(m, i->v[1]) : NULL;
    struct spv_flow g;
    uint32_t b;
    if (!d || !d->result || !site_flow(a, m, inst, &g, &b))
        return false;
    bool left = is_behind_loop_of(&g, inst, m->def[d->result]);
    const struct spv_inst *variable = d->op == SpvOpLoad ? spv_def(m, d->v[0]) : NULL;
    for (uint32_t k = 0; k < m->inst_count && !left && variable && variable->op == SpvOpVariable;
         k++)
        left = m->insts[k].op == SpvOpStore && m->insts[k].v[0] == variable->result &&
               is_behind_loop_of(&g, inst, k);
    return left;
}
