// SPDX-License-Identifier: Apache-2.0
//
// The structured constructs around an instruction (spirv_flow.h defines what is inside a
// construct), and the rule that fixes the tangle there.
#include "construct.h"

#include "rows.h"

enum { CALLS_MAX = 8 };

static const struct spv_block *block(const struct spv_flow *g, uint32_t b)
{
    return &g->m->blocks[g->first + b];
}

// Reports whether code in block b runs inside the construct of header h. Code in a selection's
// header runs before the branch.
static bool inside(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    return spv_flow_inside(g, h, b) && (h != b || g->block[h].kind == SPV_LOOP);
}

// Reports whether block b leaves the selection of header h without reaching its merge block.
static bool escapes(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    return g->block[h].merge != SPV_NO_BLOCK && !spv_flow_reaches(g, b, g->block[h].merge, h);
}

// Returns the part of a loop that holds block b.
static enum diag_part loop_part(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    const uint32_t merge = g->block[h].merge, cont = g->block[h].cont;
    if (h == b)
        return DIAG_IN_HEAD;
    if (spv_flow_in_continue(g, h, b))
        return DIAG_IN_CONT;
    // A block without a path to the next iteration: on the path out.
    if (cont != SPV_NO_BLOCK && !spv_flow_reaches(g, b, cont, merge) &&
        !spv_flow_reaches(g, b, h, merge))
        return DIAG_IN_BREAK;
    return DIAG_IN_LOOP;
}

// Returns DIAG_IN_FALL if another case of the switch falls through to the one that holds b.
static enum diag_part switch_part(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    const struct spv_flow_block *x = &g->block[h];
    const uint32_t arm = spv_flow_arm(g, h, b);
    for (uint32_t t = 0; arm != SPV_NO_BLOCK && t < x->succ_count; t++) {
        const uint32_t to = x->succ[arm], other = x->succ[t];
        if (other != to && other != x->merge && spv_flow_reaches(g, other, to, x->merge) &&
            !spv_flow_structurally_dominates(g, to, other))
            return DIAG_IN_FALL;
    }
    return DIAG_IN_CASE;
}

static enum diag_part part_of(const struct spv_flow *g, uint32_t h, uint32_t b)
{
    switch (g->block[h].kind) {
    case SPV_LOOP:
        return loop_part(g, h, b);
    case SPV_SWITCH:
        return switch_part(g, h, b);
    default:
        return DIAG_IN_IF;
    }
}

static enum diag_construct construct_of(enum spv_construct kind)
{
    return kind == SPV_LOOP ? DIAG_LOOP : kind == SPV_SWITCH ? DIAG_SWITCH : DIAG_IF;
}

// Finds the last reconvergence before `inst` inside its innermost construct; false for none.
// `around` is that construct's header.
static bool last_join(const struct spv_flow *g, uint32_t b, uint32_t inst, uint32_t around,
                      uint8_t *after)
{
    for (uint32_t x = b;; x = g->block[x].idom) {
        uint32_t end = x == b ? inst : block(g, x)->last, h = spv_flow_merges(g, x);
        for (uint32_t k = end; k > block(g, x)->first; k--)
            if (g->m->insts[k - 1].op == SpvOpFunctionCall) {
                *after = DIAG_CALL;
                return true;
            }
        if (h != SPV_NO_BLOCK) {
            *after = (uint8_t)construct_of(g->block[h].kind);
            return true;
        }
        if (x == 0 || g->block[x].idom == around || x == around)
            return false;
    }
}

enum diag_rule construct_rule(const struct diag_path *p)
{
#define PART(id, name, rule) DIAG_##rule,
    static const enum diag_rule in[] = {DIAG_PART_ROWS(PART)};
    return p->is_after ? construct_rows[p->after].after : p->n ? in[p->part[p->n - 1]] : DIAG_I1;
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

static void push(struct diag_path *p, enum diag_part part)
{
    if (p->n < DIAG_PATH_MAX)
        p->part[p->n++] = (uint8_t)part;
}

// Appends parts from the outside in. Calls are followed to their first caller.
static void parts(struct arena *a, const struct spv_module *m, uint32_t inst, uint32_t depth,
                  struct diag_path *out)
{
    struct spv_flow g;
    uint32_t b;
    if (!site_flow(a, m, inst, &g, &b))
        return;
    const uint32_t f = m->functions[spv_function_at(m, inst)].id;
    uint32_t call = depth < CALLS_MAX ? call_of(m, f) : UINT32_MAX;
    if (call != UINT32_MAX) {
        parts(a, m, call, depth + 1, out);
        push(out, DIAG_IN_CALL);
    }
    // The constructs from the outside in are the headers that structurally dominate b, from the
    // entry down.
    uint32_t chain[DIAG_PATH_MAX], length = 0, innermost = UINT32_MAX;
    for (uint32_t x = b; length < DIAG_PATH_MAX; x = g.block[x].structural_idom) {
        if (inside(&g, x, b))
            chain[length++] = x;
        if (x == 0)
            break;
    }
    // A block that leaves a loop, or continues it, from inside a selection belongs to the loop:
    // whether the selection was needed for that does not matter.
    enum diag_part way = DIAG_PART_COUNT;
    while (length) {
        innermost = chain[--length];
        enum diag_part part = part_of(&g, innermost, b);
        if (part == DIAG_IN_BREAK) {
            way = part;
            part = DIAG_IN_LOOP;
        } else if (g.block[innermost].kind == SPV_LOOP) {
            way = DIAG_PART_COUNT;
        } else if (escapes(&g, innermost, b)) {
            way = way == DIAG_PART_COUNT ? DIAG_IN_JUMP : way;
            if (part == DIAG_IN_IF)
                continue;
        }
        push(out, part);
    }
    if (way != DIAG_PART_COUNT)
        push(out, way);
    out->is_after = last_join(&g, b, inst, innermost, &out->after);
}

void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst,
                    struct diag_path *out)
{
    *out = (struct diag_path){.known = true};
    parts(a, m, inst, 0, out);
}
