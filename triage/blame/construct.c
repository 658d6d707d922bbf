// SPDX-License-Identifier: Apache-2.0
//
// The structured constructs around an instruction, and the rule that fixes the
// tangle there. A construct holds the blocks that its header dominates and its
// merge block does not.
#include "construct.h"

#include <string.h>

enum { AROUND_MAX = 64, CALLS_MAX = 8 };

static const struct spv_block *block(const struct graph *g, uint32_t b)
{
    return &g->m->blocks[g->first + b];
}

static uint32_t label_block(const struct graph *g, uint32_t label)
{
    uint32_t b = label < g->m->bound ? g->m->block_of[label] : UINT32_MAX;
    return b >= g->first && b - g->first < g->n ? b - g->first : UINT32_MAX;
}

static const struct spv_inst *merge_of(const struct graph *g, uint32_t b)
{
    const struct spv_block *x = block(g, b);
    return x->merge ? &g->m->insts[x->merge] : NULL;
}

// Is block b between the header h and its merge block? A selection's header is not:
// what stands there runs before the branch.
static bool below(const struct graph *g, uint32_t h, uint32_t b)
{
    const struct spv_inst *i = merge_of(g, h);
    if (!i || !graph_dominates(g, h, b) || (h == b && i->op == SpvOpSelectionMerge))
        return false;
    uint32_t merge = label_block(g, i->v[0]);
    return merge == UINT32_MAX || !graph_dominates(g, merge, b);
}

// Is block x in the continue construct of the loop whose header is h?
static bool continues(const struct graph *g, uint32_t h, uint32_t x)
{
    const struct spv_inst *i = merge_of(g, h);
    uint32_t cont = i && i->op == SpvOpLoopMerge ? label_block(g, i->v[1]) : UINT32_MAX;
    return cont != UINT32_MAX && cont != h && graph_dominates(g, cont, x);
}

// Is block b inside the construct of header h? A loop's merge block or continue target may be
// dominated by a selection in the loop's body: it is not inside of that.
static bool inside(const struct graph *g, uint32_t h, uint32_t b)
{
    if (!below(g, h, b))
        return false;
    for (uint32_t x = h; x != 0; x = g->idom[x]) {
        uint32_t up = g->idom[x];
        if (below(g, up, h) && (!below(g, up, b) || continues(g, up, h) != continues(g, up, b)))
            return false;
    }
    return true;
}

// Does block b leave the selection of header h by another way than its merge block?
static bool escapes(struct arena *a, const struct graph *g, uint32_t h, uint32_t b)
{
    uint32_t merge = label_block(g, merge_of(g, h)->v[0]);
    return merge != UINT32_MAX && !graph_reaches(a, g, b, merge, h);
}

// The part of a loop that block b is in.
static const char *loop_part(struct arena *a, const struct graph *g, uint32_t h, uint32_t b)
{
    const struct spv_inst *i = merge_of(g, h);
    uint32_t merge = label_block(g, i->v[0]), cont = label_block(g, i->v[1]);
    if (continues(g, h, b))
        return "cont";
    if (h == b)
        return "head";
    // A block from which no way leads to the next iteration: on the way out.
    if (cont != UINT32_MAX && !graph_reaches(a, g, b, cont, merge) &&
        !graph_reaches(a, g, b, h, merge))
        return "break";
    return "loop";
}

// Does another case construct of the switch fall into the one that holds b?
static const char *switch_part(struct arena *a, const struct graph *g, uint32_t h, uint32_t b)
{
    const struct spv_inst *i = merge_of(g, h);
    uint32_t merge = label_block(g, i->v[0]);
    for (uint32_t s = 0; s < g->succ_count[h]; s++) {
        uint32_t label = g->succ[h][s];
        if (label == merge || !graph_dominates(g, label, b))
            continue;
        for (uint32_t t = 0; t < g->succ_count[h]; t++) {
            uint32_t other = g->succ[h][t];
            if (other != label && other != merge && graph_reaches(a, g, other, label, merge) &&
                !graph_dominates(g, label, other))
                return "fall";
        }
    }
    return "case";
}

static const char *part_of(struct arena *a, const struct graph *g, uint32_t h, uint32_t b)
{
    if (merge_of(g, h)->op == SpvOpLoopMerge)
        return loop_part(a, g, h, b);
    return g->m->insts[block(g, h)->last].op == SpvOpSwitch ? switch_part(a, g, h, b) : "if";
}

// What kind of construct has block x as its merge block: "if", "switch", "loop".
static const char *merges(const struct graph *g, uint32_t x)
{
    for (uint32_t h = 0; h < g->n; h++) {
        const struct spv_inst *i = merge_of(g, h);
        if (!i || label_block(g, i->v[0]) != x || g->idom[h] == UINT32_MAX)
            continue;
        return i->op == SpvOpLoopMerge                            ? "loop"
               : g->m->insts[block(g, h)->last].op == SpvOpSwitch ? "switch"
                                                                  : "if";
    }
    return NULL;
}

// The last reconvergence on the way to `inst` inside its innermost construct:
// "if", "switch", "loop", "call"; NULL for none. `around` is that construct's header.
static const char *behind(const struct graph *g, uint32_t b, uint32_t inst, uint32_t around)
{
    for (uint32_t x = b;; x = g->idom[x]) {
        uint32_t end = x == b ? inst : block(g, x)->last;
        for (uint32_t k = end; k > block(g, x)->first; k--)
            if (g->m->insts[k - 1].op == SpvOpFunctionCall)
                return "call";
        const char *m = merges(g, x);
        if (m)
            return m;
        if (x == 0 || g->idom[x] == UINT32_MAX || g->idom[x] == around || x == around)
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

// Parts from the outside in; returns how many. Calls are followed to their first caller.
static uint32_t parts(struct arena *a, const struct spv_module *m, uint32_t inst, const char **out,
                      uint32_t max, const char **after, uint32_t depth)
{
    const struct spv_function *f = function_at(m, inst);
    uint32_t at = block_at(m, inst), n = 0;
    *after = NULL;
    if (!f || at == UINT32_MAX)
        return 0;
    struct graph g;
    graph_make(a, m, f, &g);
    uint32_t b = at - g.first;
    if (b >= g.n || g.idom[b] == UINT32_MAX)
        return 0;
    uint32_t call = depth < CALLS_MAX ? call_of(m, f->id) : UINT32_MAX;
    if (call != UINT32_MAX) {
        const char *ignored;
        n = parts(a, m, call, out, max, &ignored, depth + 1);
        if (n < max)
            out[n++] = "call";
    }
    // Dominators of b from the entry down are the constructs from the outside in.
    uint32_t chain[AROUND_MAX], length = 0, innermost = UINT32_MAX;
    for (uint32_t x = b; length < AROUND_MAX; x = g.idom[x]) {
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
        const char *part = part_of(a, &g, innermost, b);
        bool selection = merge_of(&g, innermost)->op == SpvOpSelectionMerge;
        if (strcmp(part, "break") == 0) {
            way = part;
            part = "loop";
        } else if (!selection) {
            way = NULL;
        } else if (escapes(a, &g, innermost, b)) {
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
