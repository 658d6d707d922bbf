// SPDX-License-Identifier: Apache-2.0
//
// Instances of tokens, and which lanes may still reach an operation.
//
// **Which lanes run together.** Each execution of a token's definition produces an instance. A
// heart's instance is identified by (the heart, the instance of its operand, the count of
// executions with that operand); an entry's by the call, including the call's own token. Equal
// instances have one number. That is L3 to the letter. Two invocations execute an operation
// together exactly if they reach it with the same instance. A cycle that holds a use of a token
// also holds its definition (L2), so no lane reaches an operation twice with one instance.
//
// **When a group is complete.** Each lane runs until it ends or waits at a group operation. A group
// (operation, instance) may run if no lane that waits elsewhere can still reach it. A lane that
// holds the instance can reach it if a path leads there without executing the token's definition. A
// lane that does not hold the instance must obtain it first: it must have executed the heart fewer
// times with that operand than the instance's count, and it must be able to reach the heart, which
// is the same question for the heart and its operand. In another function, the question applies to
// the call where the two call stacks diverge. The answer is conservative: paths ignore conditions.
//
// **Why some group can always run.** Suppose A waits at U with instance t, B waits at V with s, and
// each can still reach the other. Then a closed walk leads through U and V, and by L2 it executes
// the definitions of both tokens. Counts with one operand only increase, so a lane that executes
// the definition of t again has left t and cannot reach U with t. If A executes both definitions on
// its path to V, then the s that B holds was created under the t that A has left, so A cannot
// obtain that s. LLVM's verifier does not check all of L2. If IR violates it, no group may be able
// to run; the run then ends as "not judged", never with a guess.
#include "llir_machine.h"

#include <string.h>

void llir_token_start(struct llir_machine *x)
{
    x->instance.n = 0;
    if (!x->found)
        x->found = ARENA_ARRAY(x->arena, uint32_t, x->found_room = 1024);
    memset(x->found, 0, x->found_room * sizeof *x->found);
    llir_token_instance(x, LLIR_NONE, 0, 0); // main's: I1
}

static void find_room(struct llir_machine *x)
{
    if (2 * x->instance.n < x->found_room)
        return;
    x->found_room *= 2;
    x->found = ARENA_ARRAY(x->arena, uint32_t, x->found_room);
    for (uint32_t k = 0; k < x->instance.n; k++) {
        uint32_t at = (uint32_t)hash64(&x->instance.v[k], sizeof x->instance.v[k]);
        while (x->found[at & (x->found_room - 1)])
            at++;
        x->found[at & (x->found_room - 1)] = k + 1;
    }
}

uint32_t llir_token_instance(struct llir_machine *x, uint32_t what, uint32_t parent, uint32_t n)
{
    const struct llir_instance of = {what, parent, n};
    find_room(x);
    uint32_t at = (uint32_t)hash64(&of, sizeof of), k;
    while ((k = x->found[at & (x->found_room - 1)])) {
        if (memcmp(&x->instance.v[k - 1], &of, sizeof of) == 0)
            return k - 1;
        at++;
    }
    *VEC_PUSH(x->arena, &x->instance) = of;
    return (x->found[at & (x->found_room - 1)] = (uint32_t)x->instance.n) - 1;
}

uint32_t llir_token_heart(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint32_t parent = x->o->fault == LLIR_FAULT_NO_PARENT ? 0 : l->token[i->token];
    if (l->heart_parent[i->own] != parent) {
        l->heart_parent[i->own] = parent;
        l->heart_count[i->own] = 0;
    }
    const uint32_t n = ++l->heart_count[i->own];
    return llir_token_instance(x, i->own, parent, x->o->fault == LLIR_FAULT_NO_ITERATIONS ? 1 : n);
}

// ---- paths -----------------------------------------------------------------------------------

static uint32_t branches(const struct llir_inst *end, uint32_t *first, uint32_t *step)
{
    switch (end->op) {
    case LLIR_BR:
        *first = 0;
        *step = 1;
        return 1;
    case LLIR_COND_BR:
        *first = 1;
        *step = 1;
        return 2;
    case LLIR_SWITCH:
        *first = 1;
        *step = 2;
        return end->n / 2;
    default:
        *first = *step = 0;
        return 0;
    }
}

// Returns the blocks that are reachable from the end of `from` without passing a block that defines
// the token.
static const uint64_t *enterable(struct llir_machine *x, uint32_t from, uint32_t token)
{
    const struct llir_module *m = x->m;
    for (struct llir_path *p = x->path[from]; p; p = p->next)
        if (p->token == token)
            return p->blocks;
    struct llir_path *p = ARENA_NEW(x->arena, struct llir_path);
    uint32_t *stack = ARENA_ARRAY(x->arena, uint32_t, m->blocks + 1), n = 0;
    *p = (struct llir_path){.from = from,
                            .token = token,
                            .next = x->path[from],
                            .blocks = ARENA_ARRAY(x->arena, uint64_t, m->blocks / 64 + 1)};
    x->path[from] = p;
    stack[n++] = from;
    while (n) {
        const struct llir_block *b = &m->block[stack[--n]];
        const struct llir_inst *end = &m->inst[b->first + b->count - 1];
        uint32_t first, step;
        const uint32_t count = branches(end, &first, &step);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t to = end->v[first + k * step];
            if (p->blocks[to / 64] >> (to % 64) & 1)
                continue;
            p->blocks[to / 64] |= (uint64_t)1 << (to % 64);
            if (m->token[token].block != to)
                stack[n++] = to;
        }
    }
    return p->blocks;
}

// Is there a path from after instruction `p` to `q` that does not execute the token's definition?
static bool leads(struct llir_machine *x, uint32_t p, uint32_t q, uint32_t token)
{
    const struct llir_module *m = x->m;
    const struct llir_token *t = &m->token[token];
    const uint32_t from = m->block_of[p], to = m->block_of[q];
    if (from == to && q > p && !(t->inst > p && t->inst < q))
        return true;
    if (t->block == from && t->inst > p)
        return false;
    if (t->block == to && t->inst < q)
        return false;
    const uint64_t *blocks = enterable(x, from, token);
    return blocks[to / 64] >> (to % 64) & 1;
}

// Could a lane get from after `p` to `q` with this instance of q's token?
static bool may(struct llir_machine *x, const struct llir_lane *l, uint32_t p, uint32_t q,
                uint32_t token, uint32_t instance)
{
    const struct llir_module *m = x->m;
    if (l->token[token] == instance)
        return leads(x, p, q, token);
    if (m->token[token].parent == LLIR_NONE)
        return false;
    const struct llir_instance *of = &x->instance.v[instance];
    if (l->heart_parent[token] == of->parent && l->heart_count[token] >= of->n)
        return false;
    return may(x, l, p, m->token[token].inst, m->token[token].parent, of->parent);
}

bool llir_token_may_come(struct llir_machine *x, const struct llir_lane *l,
                         const struct llir_lane *other)
{
    const struct llir_inst *inst = x->m->inst;
    uint32_t d = 0; // frames that both share
    while (d < l->depth && d < other->depth && l->frame[d + 1].entry == other->frame[d + 1].entry)
        d++;
    const uint32_t p = d == l->depth ? l->at : l->frame[d + 1].call;
    if (d == other->depth)
        return may(x, l, p, other->at, inst[other->at].token, other->instance);
    const uint32_t call = other->frame[d + 1].call;
    if (inst[call].token == LLIR_NONE)
        return true;
    return may(x, l, p, call, inst[call].token, x->instance.v[other->frame[d + 1].entry].parent);
}
