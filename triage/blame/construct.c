// SPDX-License-Identifier: Apache-2.0
//
// The structured constructs around an instruction (spirv_flow.h says what is inside of what), and
// the rule that fixes the tangle there.
#include "construct.h"

#include <string.h>

enum { AROUND_MAX = 64, CALLS_MAX = 8 };

static const struct spv_block *block(const struct spv_flow *g, uint32_t b)
{
    return &g->m->blocks[g->first + b];
}

// Does what stands in block b run inside the construct of header h? What stands in a selection's
// header runs before the branch.
static bool inside(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    return spv_flow_inside(g, h, b) && (h != b || g->block[h].kind == SPV_LOOP);
}

// Does block b leave the selection of header h by another way than its merge block?
static bool escapes(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    return g->block[h].merge != SPV_NO_BLOCK && !spv_flow_reaches(g, b, g->block[h].merge, h);
}

// The part of a loop that block b is in.
static const char *loop_part(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    const uint32_t merge = g->block[h].merge, cont = g->block[h].cont;
    if (h == b)
        return "head";
    if (spv_flow_in_continue(g, h, b))
        return "cont";
    // A block from which no way leads to the next iteration: on the way out.
    if (cont != SPV_NO_BLOCK && !spv_flow_reaches(g, b, cont, merge) &&
        !spv_flow_reaches(g, b, h, merge))
        return "break";
    return "loop";
}

// Does another case construct of the switch fall into the one that holds b?
static const char *switch_part(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    const struct spv_flow_block *x = &g->block[h];
    const uint32_t arm = spv_flow_arm(g, h, b);
    for (uint32_t t = 0; arm != SPV_NO_BLOCK && t < x->succ_count; t++) {
        const uint32_t to = x->succ[arm], other = x->succ[t];
        if (other != to && other != x->merge && spv_flow_reaches(g, other, to, x->merge) &&
            !spv_flow_structurally_dominates(g, to, other))
            return "fall";
    }
    return "case";
}

static const char *part_of(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    switch (g->block[h].kind) {
    case SPV_LOOP:
        return loop_part(g, h, b);
    case SPV_SWITCH:
        return switch_part(g, h, b);
    default:
        return "if";
    }
}

// What kind of construct has block x as its merge block: "if", "switch", "loop".
static const char *merges(const struct spv_flow *g, uint32_t x)
{
    const uint32_t h = spv_flow_merges(g, x);
    if (h == SPV_NO_BLOCK)
        return NULL;
    return g->block[h].kind == SPV_LOOP ? "loop" : g->block[h].kind == SPV_SWITCH ? "switch" : "if";
}

// The last reconvergence on the way to `inst` inside its innermost construct:
// "if", "switch", "loop", "call"; NULL for none. `around` is that construct's header.
static const char *behind(const struct spv_flow *g, uint32_t b, uint32_t inst, uint32_t around)
{
    for (uint32_t x = b;; x = g->block[x].idom) {
        uint32_t end = x == b ? inst : block(g, x)->last;
        for (uint32_t k = end; k > block(g, x)->first; k--)
            if (g->m->insts[k - 1].op == SpvOpFunctionCall)
                return "call";
        const char *m = merges(g, x);
        if (m)
            return m;
        if (x == 0 || g->block[x].idom == around || x == around)
            return NULL;
    }
}

static void set_rule(char rule[8], const char *part, const char *after)
{
    static const struct {
        const char *word, *rule;
    } rows[] = {{"if", "M1"}, {"switch", "M1"}, {"loop", "M3"}, {"call", "M5"}},
      parts[] = {{"if", "D1"},   {"case", "D2"}, {"fall", "M2"},  {"loop", "M4"},
                 {"head", "M4"}, {"cont", "M4"}, {"break", "M6"}, {"jump", "M6"}};
    const char *r = "I1";
    for (size_t k = 0; after && k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].word, after) == 0)
            r = rows[k].rule;
    for (size_t k = 0; !after && part && k < sizeof parts / sizeof *parts; k++)
        if (strcmp(parts[k].word, part) == 0)
            r = parts[k].rule;
    snprintf(rule, 8, "%s", r);
}

static uint32_t call_of(const struct spv_module *m, uint32_t function)
{
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (m->insts[i].op == SpvOpFunctionCall && m->insts[i].n && m->insts[i].v[0] == function)
            return i;
    return UINT32_MAX;
}

bool site_flow(struct arena *a, const struct spv_module *m, uint32_t inst, struct spv_flow *out,
               uint32_t *block)
{
    const uint32_t f = spv_function_at(m, inst);
    if (f == UINT32_MAX || !m->functions[f].block_count)
        return false;
    spv_flow_read(a, m, &m->functions[f], out);
    *block = spv_flow_at(out, inst);
    return spv_flow_reached(out, *block);
}

// Parts from the outside in; returns how many. Calls are followed to their first caller.
static uint32_t parts(struct arena *a, const struct spv_module *m, uint32_t inst, const char **out,
                      uint32_t max, const char **after, uint32_t depth)
{
    struct spv_flow g;
    uint32_t b, n = 0;
    *after = NULL;
    if (!site_flow(a, m, inst, &g, &b))
        return 0;
    const uint32_t f = m->functions[spv_function_at(m, inst)].id;
    uint32_t call = depth < CALLS_MAX ? call_of(m, f) : UINT32_MAX;
    if (call != UINT32_MAX) {
        const char *ignored;
        n = parts(a, m, call, out, max, &ignored, depth + 1);
        if (n < max)
            out[n++] = "call";
    }
    // Headers that structurally dominate b, from the entry down, are the constructs from the
    // outside in.
    uint32_t chain[AROUND_MAX], length = 0, innermost = UINT32_MAX;
    for (uint32_t x = b; length < AROUND_MAX; x = g.block[x].structural_idom) {
        if (inside(&g, x, b))
            chain[length++] = x;
        if (x == 0)
            break;
    }
    // What leaves a loop or goes on to its next iteration from inside a selection
    // belongs to the loop: whether the selection was needed to say so does not matter.
    const char *way = NULL;
    while (length && n < max) {
        innermost = chain[--length];
        const char *part = part_of(&g, innermost, b);
        bool selection = g.block[innermost].kind != SPV_LOOP;
        if (strcmp(part, "break") == 0) {
            way = part;
            part = "loop";
        } else if (!selection) {
            way = NULL;
        } else if (escapes(&g, innermost, b)) {
            way = way ? way : "jump";
            if (strcmp(part, "if") == 0)
                continue;
        }
        out[n++] = part;
    }
    if (way && n < max)
        out[n++] = way;
    *after = behind(&g, b, inst, innermost);
    return n;
}

void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst, struct text *out,
                    char rule[8])
{
    const char *v[AROUND_MAX], *after;
    uint32_t n = parts(a, m, inst, v, AROUND_MAX, &after, 0);
    for (uint32_t i = 0; i < n; i++)
        text_add(out, "%s%s", i ? "/" : "", v[i]);
    if (n == 0)
        text_add(out, "top");
    if (after)
        text_add(out, "+%s", after);
    set_rule(rule, n ? v[n - 1] : NULL, after);
}
