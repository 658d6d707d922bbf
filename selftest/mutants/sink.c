// SPDX-License-Identifier: Apache-2.0
//
// Moves a group operation down to the use of its result: into a branch, a case, a loop, or out of a
// loop. Lanes that do not reach the use then no longer take part.
#include "ir.h"

// The operation, and the instructions of its block that depend on it: pure ones, and stores to
// variables that only carry a value.
struct group {
    struct ir_uses moved;
    struct spv_edit_block *to; // common dominator of the real uses
};

static struct spv_edit_block *common(struct spv_edit_block *a, struct spv_edit_block *b)
{
    while (a && !ir_dominates(a, b))
        a = a->idom == a ? NULL : a->idom;
    return a;
}

// True if a store to a function variable only carries a value: all loads come after it, and all
// other stores before it. Returns the loads.
static bool passes_on(const struct ir *m, const struct spv_node *store, struct ir_uses *loads)
{
    const struct spv_node *v = ir_def(m, store->v[0]);
    *loads = (struct ir_uses){0};
    if (!v || v->op != SpvOpVariable || v->v[0] != SpvStorageClassFunction)
        return false;
    struct ir_uses u = ir_uses(m, v->result);
    for (size_t k = 0; k < u.n; k++) {
        if (u.v[k] == store)
            continue;
        if (u.v[k]->op == SpvOpLoad && ir_before(store, u.v[k]))
            *VEC_PUSH(m->arena, loads) = u.v[k];
        else if (u.v[k]->op != SpvOpStore || u.v[k]->v[0] != v->result || !ir_before(u.v[k], store))
            return false;
    }
    return loads->n > 0;
}

static void use_in(struct group *g, struct spv_edit_block *b)
{
    g->to = g->to ? common(g->to, b) : b;
}

static bool gather(const struct ir *m, struct spv_node *op, struct group *g)
{
    *g = (struct group){0};
    *VEC_PUSH(m->arena, &g->moved) = op;
    for (size_t k = 0; k < g->moved.n; k++) {
        const uint32_t id = g->moved.v[k]->result;
        struct ir_uses u = ir_uses(m, id), loads;
        for (size_t j = 0; id && j < u.n; j++) {
            struct spv_node *i = u.v[j];
            if (i->block->order == NOWHERE)
                return false;
            if (i->block == op->block && i->op != SpvOpPhi && ir_is_pure(m, i)) {
                if (!ir_holds(&g->moved, i))
                    *VEC_PUSH(m->arena, &g->moved) = i;
            } else if (i->block == op->block && i->op == SpvOpStore && i->v[1] == id &&
                       passes_on(m, i, &loads)) {
                *VEC_PUSH(m->arena, &g->moved) = i;
                for (size_t l = 0; l < loads.n; l++)
                    use_in(g, loads.v[l]->block);
            } else if (i->op != SpvOpPhi) {
                use_in(g, i->block);
            } else {
                for (uint32_t p = 0; p + 1 < i->n; p += 2)
                    if (i->v[p] == id)
                        use_in(g, m->block_of[i->v[p + 1]]);
            }
        }
    }
    return g->to && g->to != op->block && ir_dominates(op->block, g->to);
}

static bool earlier(const struct spv_node *a, const struct spv_node *b)
{
    return a->place < b->place;
}

static void move_down(struct ir *m, struct group *g)
{
    for (size_t k = 1; k < g->moved.n; k++) // sort by position
        for (size_t j = k; j > 0 && earlier(g->moved.v[j], g->moved.v[j - 1]); j--) {
            struct spv_node *t = g->moved.v[j];
            g->moved.v[j] = g->moved.v[j - 1];
            g->moved.v[j - 1] = t;
        }
    for (size_t k = g->moved.n; k-- > 0;) {
        ir_take(g->moved.v[k]->block, g->moved.v[k]);
        ir_put(m, g->to, ir_phis(g->to), g->moved.v[k]);
    }
}

enum way { INTO_ARM, INTO_CASE, INTO_LOOP, OUT_OF_LOOP };

static bool is_way(const struct ir *m, const struct spv_edit_block *from,
                   const struct spv_edit_block *to, enum way way)
{
    const struct spv_edit_block *loop = ir_loop_of(m, from);
    if (way == OUT_OF_LOOP)
        return loop && !ir_inside(m, loop, to);
    for (const struct spv_edit_block *h = to; h != from; h = h->idom) {
        const struct spv_edit_block *up = h->idom;
        if (h->merge && h->merge->op == SpvOpLoopMerge && ir_inside(m, h, to))
            return way == INTO_LOOP;
        if (up->merge && up->merge->op == SpvOpSelectionMerge && ir_past_branch(m, up, to))
            return way == (up->end->op == SpvOpSwitch ? INTO_CASE : INTO_ARM);
    }
    return false;
}

static uint32_t sink(struct ir *m, enum way way)
{
    uint32_t places = 0;
    IR_EACH_BLOCK (b, m) {
        for (size_t i = 0; i < b->body.n && b->order != NOWHERE; i++) {
            struct group g;
            if (!ir_is_group(m, b->body.v[i]) || !gather(m, b->body.v[i], &g) ||
                !is_way(m, b, g.to, way))
                continue;
            move_down(m, &g);
            places++;
            ir_analyse(m);
            i = (size_t)-1; // restart: the block has changed
        }
    }
    return places;
}

MUT_EDIT(sink_into_arm, sink, INTO_ARM)
MUT_EDIT(sink_into_case, sink, INTO_CASE)
MUT_EDIT(sink_into_loop, sink, INTO_LOOP)
MUT_EDIT(sink_out_of_loop, sink, OUT_OF_LOOP)
