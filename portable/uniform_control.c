// SPDX-License-Identifier: Apache-2.0
//
// Control dependence of blocks: which terminators decide whether a block is executed.
#include "uniform.h"

#include "spirv/spirv_flow.h"

struct post {
    const struct spv_flow *flow;
    uint32_t *parent; // [block] immediate post-dominator; n: the exit; SPV_NO_BLOCK: none known
    uint32_t *number; // [block] place in postorder from the entry; a later block has a lower one
};

static uint32_t meet(const struct post *p, uint32_t a, uint32_t b)
{
    const uint32_t n = p->flow->n;
    for (uint32_t steps = 0; a != b && a != n && b != n && steps < 4 * n; steps++)
        if (p->number[a] >
            p->number[b]) // a is earlier in the program: continue with what follows it
            a = p->parent[a];
        else
            b = p->parent[b];
    return a == b ? a : n;
}

// Computes post-dominators. Each return, and each block from which no path leads to one, leads to
// the exit. Repeats until nothing changes; a pass goes from the last block to the first.
static void post_dominators(struct arena *a, struct post *p)
{
    const struct spv_flow *f = p->flow;
    bool changed = true;
    p->parent = ARENA_ARRAY(a, uint32_t, f->n + 1);
    p->number = ARENA_ARRAY(a, uint32_t, f->n + 1);
    for (uint32_t k = 0; k <= f->n; k++)
        p->parent[k] = SPV_NO_BLOCK;
    p->parent[f->n] = f->n;
    // Postorder of a depth-first search on the reversed graph from the exit.
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, f->n + 1),
             *next = ARENA_ARRAY(a, uint32_t, f->n + 1),
             *order = ARENA_ARRAY(a, uint32_t, f->n + 1), count = 0, depth;
    bool *done = ARENA_ARRAY(a, bool, f->n + 1);
    for (uint32_t r = 0; r < f->reached; r++) {
        const uint32_t root = f->order[r];
        if (f->block[root].succ_count || done[root])
            continue;
        stack[0] = root, depth = 1, done[root] = true;
        while (depth) {
            const uint32_t b = stack[depth - 1];
            if (next[b] == f->block[b].pred_count) {
                order[count++] = b, depth--;
                continue;
            }
            const uint32_t q = f->block[b].pred[next[b]++];
            if (!done[q])
                done[q] = true, stack[depth++] = q;
        }
    }
    for (uint32_t k = 0; k < count; k++) // the exit's side first
        p->number[order[k]] = count - k;
    while (changed) {
        changed = false;
        for (uint32_t k = count; k-- > 0;) {
            const uint32_t b = order[k];
            uint32_t to = f->block[b].succ_count ? SPV_NO_BLOCK : f->n;
            for (uint32_t j = 0; j < f->block[b].succ_count; j++) {
                const uint32_t s = f->block[b].succ[j];
                if (!done[s])
                    to = f->n; // a loop without an end
                else if (p->parent[s] != SPV_NO_BLOCK)
                    to = to == SPV_NO_BLOCK ? s : meet(p, to, s);
            }
            changed |= to != p->parent[b];
            p->parent[b] = to;
        }
    }
}

typedef VEC(uint32_t) pairs;

// Lists (block, block that decides it) for one function.
static void of_function(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                        pairs *out)
{
    struct arena scratch = {0};
    struct spv_flow flow;
    struct post p = {.flow = &flow};
    if (!f->block_count)
        return;
    spv_flow_read(&scratch, m, f, &flow);
    post_dominators(&scratch, &p);
    for (uint32_t k = 0; k < flow.reached; k++) {
        const uint32_t b = flow.order[k];
        const struct spv_flow_block *x = &flow.block[b];
        for (uint32_t j = 0; x->succ_count > 1 && j < x->succ_count; j++)
            for (uint32_t at = x->succ[j], n = 0; at < flow.n && at != p.parent[b] && n <= flow.n;
                 at = p.parent[at], n++) {
                *VEC_PUSH(a, out) = flow.first + at;
                *VEC_PUSH(a, out) = flow.first + b;
            }
    }
    arena_free(&scratch);
}

void por_control(struct arena *a, struct por_uniform *u)
{
    const struct spv_module *m = u->m;
    struct arena scratch = {0};
    pairs all = {0};
    for (uint32_t k = 0; k < m->function_count; k++)
        of_function(&scratch, m, &m->functions[k], &all);
    u->first = ARENA_ARRAY(a, uint32_t, m->block_count + 2);
    u->control = ARENA_ARRAY(a, uint32_t, all.n / 2 + 1);
    for (size_t k = 0; k < all.n; k += 2)
        u->first[all.v[k] + 2]++;
    for (uint32_t k = 2; k < m->block_count + 2; k++)
        u->first[k] += u->first[k - 1];
    for (size_t k = 0; k < all.n; k += 2)
        u->control[u->first[all.v[k] + 1]++] = all.v[k + 1];
    arena_free(&scratch);
}
