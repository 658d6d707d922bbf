// SPDX-License-Identifier: Apache-2.0
//
// Variables as values (feature "ssa"): what mem2reg leaves of the program. A load of a variable is
// its current value, a store replaces it, and where paths with different values meet there is a
// phi. Emission goes along the structured program, so that all edges into a block are known when it
// begins, except for the back edge of a loop.
#include "emit_parts.h"

void emit_slots(struct emit *e, uint32_t n)
{
    e->slots = n;
    e->now = ARENA_ARRAY(e->w->arena, uint32_t, n);
}

const uint32_t *emit_keep(const struct emit *e)
{
    return e->slots ? arena_copy(e->w->arena, e->now, e->slots * sizeof *e->now) : NULL;
}

void emit_restore(struct emit *e, const uint32_t *kept)
{
    for (uint32_t i = 0; i < e->slots; i++)
        e->now[i] = kept[i];
}

void emit_edge(struct emit *e, struct emit_join *to)
{
    if (e->slots)
        *VEC_PUSH(e->w->arena, &to->in) = (struct emit_edge){e->block, emit_keep(e)};
}

void emit_jump(struct emit *e, struct emit_join *to)
{
    emit_edge(e, to);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpBranch, to->label);
}

// Returns the value of a variable where the edges meet.
static uint32_t meet(struct emit *e, const struct emit_join *at, uint32_t slot)
{
    bool same = true;
    for (size_t i = 1; i < at->in.n; i++)
        same = same && at->in.v[i].now[slot] == at->in.v[0].now[slot];
    if (same)
        return at->in.v[0].now[slot];
    uint32_t *v = ARENA_ARRAY(e->w->arena, uint32_t, 2 * at->in.n);
    for (size_t i = 0; i < at->in.n; i++) {
        v[2 * i] = at->in.v[i].now[slot];
        v[2 * i + 1] = at->in.v[i].from;
    }
    return spv_put_value(e->w, SpvOpPhi, e->u32, v, (uint32_t)(2 * at->in.n));
}

void emit_joined(struct emit *e, const struct emit_join *at)
{
    emit_label(e, at->label);
    for (uint32_t i = 0; i < e->slots && at->in.n; i++)
        e->now[i] = meet(e, at, i);
}

// ---- loops ----------------------------------------------------------------------------

static void mark(bool *set, uint32_t pointer)
{
    if (pointer & EMIT_SLOT)
        set[pointer & ~EMIT_SLOT] = true;
}

// Marks the variables that the block stores to.
static void mark_stored(const struct emit *e, const struct gen_block *b, bool *set)
{
    for (const struct gen_stmt *s = b->first; s; s = s->next) {
        const struct gen_block *in;
        if (s->kind == STMT_SET)
            mark(set, e->var[s->set.var]);
        if (s->kind == STMT_LOG)
            mark(set, e->used_var);
        if (s->kind == STMT_LOOP)
            mark(set, e->var[s->loop.counter]);
        for (uint32_t i = 0; (in = gen_stmt_block(s, i)); i++)
            mark_stored(e, in, set);
    }
}

void emit_around(struct emit *e, const struct gen_stmt *loop, uint32_t from,
                 struct emit_around *out)
{
    *out = (struct emit_around){.hole = ARENA_ARRAY(e->w->arena, size_t, e->slots)};
    bool *set = ARENA_ARRAY(e->w->arena, bool, e->slots);
    if (!e->slots)
        return;
    mark(set, e->var[loop->loop.counter]);
    mark_stored(e, &loop->loop.body, set);
    mark_stored(e, &loop->loop.next, set);
    for (uint32_t i = 0; i < e->slots; i++) {
        if (!set[i])
            continue;
        const uint32_t v[4] = {e->now[i], from};
        e->now[i] = spv_put_value(e->w, SpvOpPhi, e->u32, v, 4);
        out->hole[i] = e->w->section[SPV_FUNCTIONS].n - 2;
    }
    out->first = emit_keep(e);
}

void emit_around_end(struct emit *e, const struct emit_around *a)
{
    for (uint32_t i = 0; i < e->slots; i++)
        if (a->hole[i]) {
            e->w->section[SPV_FUNCTIONS].v[a->hole[i]] = e->now[i];
            e->w->section[SPV_FUNCTIONS].v[a->hole[i] + 1] = e->block;
        }
}
