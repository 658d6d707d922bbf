// SPDX-License-Identifier: Apache-2.0
//
// Runs each invocation of a subgroup alone until it ends or waits at a group operation. When all
// have stopped, executes the group operations whose groups are complete (llir_token.c).
#include "llir_machine.h"

#include <string.h>

enum { STEPS = 4 * 1000 * 1000, STATE = 1 << 28 };

bool llir_undefined(struct llir_machine *x, const struct llir_lane *l, const char *what)
{
    const struct llir_module *m = x->m;
    return llir_stop(x->out, RAN_UNDEFINED,
                     "%s (in @%s, instruction %u, workgroup %u %u %u, invocation %u)", what,
                     m->function[m->block[m->block_of[l->at]].function].name, l->at, x->group[0],
                     x->group[1], x->group[2], l->local_index);
}

// ---- control flow ------------------------------------------------------------------------------

// Enters a block. Reads all of its phis before writing any.
static bool enter(struct llir_machine *x, struct llir_lane *l, uint32_t to)
{
    const struct llir_module *m = x->m;
    const struct llir_block *b = &m->block[to];
    const uint32_t from = m->block_of[l->at];
    uint32_t n = 0, at = b->first;
    for (; m->inst[at].op == LLIR_PHI; at++) {
        const struct llir_inst *i = &m->inst[at];
        uint32_t k = 0;
        while (k < i->n && i->v[k + 1] != from)
            k += 2;
        if (k == i->n)
            return llir_stop(x->out, RAN_INVALID, "a phi without a value for the block before it");
        for (uint32_t c = 0; c < i->comps; c++, n++) {
            x->phi[n] = llir_value(x, l, i->v[k] + c);
            x->phi_poison[n] = (uint8_t)llir_poison(x, l, i->v[k] + c);
        }
    }
    n = 0;
    for (uint32_t p = b->first; p < at; p++)
        for (uint32_t c = 0; c < m->inst[p].comps; c++, n++)
            llir_set(x, l, m->inst[p].dst + c, x->phi[n], x->phi_poison[n]);
    l->at = at;
    return true;
}

static bool branch(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    uint32_t to = i->v[0];
    if (i->op != LLIR_BR) {
        const uint64_t v = llir_value(x, l, i->v[0]);
        if (llir_poison(x, l, i->v[0]))
            return llir_undefined(
                x, l, i->op == LLIR_SWITCH ? "a switch on poison" : "a branch on poison");
        to = i->op == LLIR_COND_BR ? i->v[v ? 1 : 2] : i->v[1];
        for (uint32_t k = 2; i->op == LLIR_SWITCH && k < i->n; k += 2)
            if (llir_value(x, l, i->v[k]) == v) {
                to = i->v[k + 1];
                break;
            }
    }
    return enter(x, l, to);
}

static bool call(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const struct llir_module *m = x->m;
    const struct llir_function *f = &m->function[i->v[0]];
    struct llir_frame frame = {.call = l->at, .entry = LLIR_NONE};
    if (f->entry_token != LLIR_NONE) {
        if (i->token == LLIR_NONE)
            return llir_stop(x->out, RAN_UNSUPPORTED,
                             "IR not judged: a call without a token to a "
                             "function that takes one");
        frame.entry = llir_token_instance(x, m->tokens + l->at, l->token[i->token], 0);
    }
    if (l->depth + 1 == LLIR_DEPTH)
        return llir_stop(x->out, RAN_UNSUPPORTED, "IR not judged: calls too deep");
    // Without recursion, parameters cannot overlap the arguments of the same call.
    for (uint32_t k = 0; k < f->params; k++)
        for (uint32_t c = 0; c < f->param_comps[k]; c++)
            llir_set(x, l, f->param[k] + c, llir_value(x, l, i->v[k + 1] + c),
                     llir_poison(x, l, i->v[k + 1] + c));
    l->frame[++l->depth] = frame;
    l->at = m->block[f->block].first;
    return true;
}

static void give_back(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    if (l->depth == 0) {
        l->ended = true;
        return;
    }
    const uint32_t back = l->frame[l->depth--].call;
    for (uint32_t c = 0; i->n && c < x->m->inst[back].comps; c++)
        llir_set(x, l, x->m->inst[back].dst + c, llir_value(x, l, i->v[0] + c),
                 llir_poison(x, l, i->v[0] + c));
    l->at = back + 1;
}

// Executes a call. *stays: do not advance to the next instruction (the lane waits, or has jumped).
static bool run_call(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i,
                     bool *stays)
{
    *stays = i->call == LLIR_CALL_OWN;
    if (i->token != LLIR_NONE && l->token[i->token] == LLIR_NONE)
        return llir_stop(x->out, RAN_INVALID, "a token that is used before its definition");
    if (i->call == LLIR_CALL_OWN)
        return call(x, l, i);
    if (i->call == LLIR_CALL_ENTRY) {
        l->token[i->own] = l->frame[l->depth].entry;
        return true;
    }
    if (i->call == LLIR_CALL_LOOP) {
        l->token[i->own] = llir_token_heart(x, l, i);
        return true;
    }
    if (llir_call_kinds[i->call] != LLIR_GROUP)
        return llir_intrinsic(x, l, i);
    *stays = l->waits = true;
    l->instance = x->o->fault == LLIR_FAULT_NO_TOKENS ? 0 : l->token[i->token];
    return true;
}

// Runs a lane until it ends or waits.
static bool run_lane(struct llir_machine *x, struct llir_lane *l)
{
    const uint64_t limit = x->o->step_limit ? x->o->step_limit : STEPS;
    while (!l->ended && !l->waits) {
        const struct llir_inst *i = &x->m->inst[l->at];
        bool good = true, stays = false;
        if (++l->steps > limit)
            return llir_stop(x->out, RAN_OVER_LIMIT,
                             "an invocation runs more than %llu instructions",
                             (unsigned long long)limit);
        switch (i->op) {
        case LLIR_BR:
        case LLIR_COND_BR:
        case LLIR_SWITCH:
            good = branch(x, l, i);
            stays = true;
            break;
        case LLIR_RET:
            give_back(x, l, i);
            stays = true;
            break;
        case LLIR_UNREACHABLE:
            good = llir_undefined(x, l, "it executes an unreachable instruction");
            break;
        case LLIR_CALL:
            good = run_call(x, l, i, &stays);
            break;
        case LLIR_ALLOCA:
        case LLIR_LOAD:
        case LLIR_STORE:
        case LLIR_GEP:
            good = llir_memory(x, l, i);
            break;
        default:
            good = llir_compute(x, l, i);
        }
        if (!good)
            return false;
        l->at += !stays;
    }
    return true;
}

// ---- groups ----------------------------------------------------------------

// Returns the lanes that wait at the same operation as lane n, with the same instance.
static lane_mask together(const struct llir_machine *x, uint32_t n)
{
    lane_mask group = 0;
    for (uint32_t k = 0; k < x->lanes; k++)
        if (x->lane[k].waits && x->lane[k].at == x->lane[n].at &&
            x->lane[k].instance == x->lane[n].instance)
            group |= lane_bit(k);
    return group;
}

static bool is_whole(struct llir_machine *x, lane_mask group, lane_mask waiting)
{
    const struct llir_lane *one = &x->lane[lane_first(group)];
    if (x->o->fault == LLIR_FAULT_NO_WAITING || x->o->fault == LLIR_FAULT_NO_TOKENS)
        return true;
    LANES_EACH (k, waiting & ~group)
        if (llir_token_may_come(x, &x->lane[k], one))
            return false;
    return true;
}

// Executes all complete groups once. False if the run must stop or if no group is complete.
static bool run_groups(struct llir_machine *x, lane_mask waiting)
{
    lane_mask ready[LANES_MAX], seen = 0;
    uint32_t n = 0;
    LANES_EACH (k, waiting) {
        if (lane_in(seen, k))
            continue;
        const lane_mask group = together(x, k);
        seen |= group;
        if (is_whole(x, group, waiting))
            ready[n++] = group;
        else
            x->out->waits++;
    }
    if (!n)
        return llir_stop(x->out, RAN_UNSUPPORTED,
                         "IR not judged: each group may have to wait for another");
    for (uint32_t g = 0; g < n; g++) {
        const uint32_t at = x->lane[lane_first(ready[g])].at;
        if (!llir_group(x, ready[g], &x->m->inst[at]))
            return false;
        x->out->group_ops++;
        x->out->partial += lane_count(ready[g]) < x->lanes;
        LANES_EACH (k, ready[g]) {
            x->lane[k].waits = false;
            x->lane[k].at++;
        }
    }
    return true;
}

static bool run_subgroup(struct llir_machine *x)
{
    for (;;) {
        lane_mask waiting = 0;
        for (uint32_t k = 0; k < x->lanes; k++) {
            if (!run_lane(x, &x->lane[k]))
                return false;
            waiting |= x->lane[k].waits ? lane_bit(k) : 0;
        }
        if (!waiting)
            return true;
        if (!run_groups(x, waiting))
            return false;
    }
}

// ---- the dispatch -----------------------------------------------------------------------------

static void start_lane(struct llir_machine *x, uint32_t k)
{
    const struct llir_module *m = x->m;
    struct llir_lane *l = &x->lane[k];
    const uint32_t cells = m->cells - m->const_cells, local = x->index * x->subgroup + k;
    l->number = k;
    l->local_index = local;
    l->local[0] = local % x->size[0];
    l->local[1] = local / x->size[0] % x->size[1];
    l->local[2] = local / x->size[0] / x->size[1];
    for (unsigned d = 0; d < 3; d++)
        l->global[d] = x->group[d] * x->size[d] + l->local[d];
    l->waits = l->ended = false;
    l->depth = 0;
    l->frame[0] = (struct llir_frame){.call = LLIR_NONE, .entry = 0};
    l->at = m->block[m->function[m->main].block].first;
    memset(l->poison, 1, cells);
    memset(l->token, 255, m->tokens * sizeof(uint32_t));
    memset(l->heart_parent, 255, m->tokens * sizeof(uint32_t));
    llir_memory_start(x, l);
}

static bool run_workgroup(struct llir_machine *x)
{
    const uint32_t all = x->size[0] * x->size[1] * x->size[2];
    x->subgroups = (all + x->subgroup - 1) / x->subgroup;
    for (x->index = 0; x->index < x->subgroups; x->index++) {
        const uint32_t left = all - x->index * x->subgroup;
        x->lanes = left < x->subgroup ? left : x->subgroup;
        llir_token_start(x);
        for (uint32_t k = 0; k < x->lanes; k++)
            start_lane(x, k);
        const bool good = run_subgroup(x);
        for (uint32_t k = 0; k < x->lanes; k++) {
            x->out->steps += x->lane[k].steps;
            x->lane[k].steps = 0;
        }
        if (!good)
            return false;
    }
    return true;
}

static bool prepare(struct llir_machine *x, struct arena *a)
{
    const struct llir_module *m = x->m;
    const uint32_t cells = m->cells - m->const_cells;
    struct spv_module own;
    struct err e = {0};
    if (!spv_module_read(a, x->c->words, x->c->count, &own, &e) ||
        !spv_local_size(x->c, &own, x->size, &e))
        return llir_stop(x->out, RAN_INVALID, "the case's own module: %.300s", e.msg);
    x->offset = ARENA_ARRAY(a, uint32_t, m->objects);
    for (uint32_t k = 0; k < m->objects; k++) {
        x->offset[k] = x->bytes;
        x->bytes += m->object[k].bytes;
        if ((uint64_t)x->subgroup * (x->bytes + 9ull * cells) > STATE)
            return llir_stop(x->out, RAN_UNSUPPORTED,
                             "IR not judged: too much memory per invocation");
    }
    x->lane = ARENA_ARRAY(a, struct llir_lane, x->subgroup);
    for (uint32_t k = 0; k < x->subgroup; k++) {
        struct llir_lane *l = &x->lane[k];
        l->v = ARENA_ARRAY(a, uint64_t, cells);
        l->poison = ARENA_ARRAY(a, uint8_t, cells);
        l->token = ARENA_ARRAY(a, uint32_t, m->tokens);
        l->heart_parent = ARENA_ARRAY(a, uint32_t, m->tokens);
        l->heart_count = ARENA_ARRAY(a, uint32_t, m->tokens);
        l->bytes = ARENA_ARRAY(a, uint8_t, x->bytes);
        l->bad = ARENA_ARRAY(a, bool, x->bytes);
    }
    x->phi = ARENA_ARRAY(a, uint64_t, cells);
    x->phi_poison = ARENA_ARRAY(a, uint8_t, cells);
    x->path = ARENA_ARRAY(a, struct llir_path *, m->blocks);
    x->buffer = ARENA_ARRAY(a, struct llir_buffer, x->c->buffer_count);
    for (uint32_t k = 0; k < x->c->buffer_count; k++) {
        const struct spv_buffer *b = &x->c->buffer[k];
        x->buffer[k] = (struct llir_buffer){.size = 4 * b->count,
                                            .bytes = arena_copy(a, b->words, 4 * (size_t)b->count),
                                            .bad = ARENA_ARRAY(a, bool, 4 * (size_t)b->count)};
    }
    return true;
}

static void take_memory(struct llir_machine *x, struct arena *a)
{
    x->out->memory_count = x->c->buffer_count;
    x->out->memory = ARENA_ARRAY(a, struct spv_memory, x->c->buffer_count);
    for (uint32_t k = 0; k < x->c->buffer_count; k++) {
        const struct spv_buffer *b = &x->c->buffer[k];
        struct spv_memory *m = &x->out->memory[k];
        *m = (struct spv_memory){.set = b->set,
                                 .binding = b->binding,
                                 .count = b->count,
                                 .words = ARENA_ARRAY(a, uint32_t, b->count),
                                 .mask = ARENA_ARRAY(a, uint32_t, b->count)};
        for (uint32_t w = 0; w < b->count; w++)
            for (uint32_t n = 0; n < 4; n++)
                if (!x->buffer[k].bad[4 * w + n]) {
                    m->words[w] |= (uint32_t)x->buffer[k].bytes[4 * w + n] << 8 * n;
                    m->mask[w] |= 255u << 8 * n;
                }
    }
}

void llir_run(struct arena *a, const uint32_t *words, size_t count, const struct spv_case *c,
              uint32_t subgroup, const struct llir_options *o, struct llir_result *out)
{
    static const struct llir_options usual;
    struct llir_module m;
    struct llir_machine x = {
        .m = &m, .c = c, .o = o ? o : &usual, .out = out, .arena = a, .subgroup = subgroup};
    *out = (struct llir_result){0};
    if (subgroup == 0 || subgroup > LANES_MAX) {
        llir_stop(out, RAN_INVALID, "subgroups of %u lanes", subgroup);
        return;
    }
    if (!llir_read(a, words, count, &m, out) || !prepare(&x, a))
        return;
    for (x.group[2] = 0; x.group[2] < c->groups[2]; x.group[2]++)
        for (x.group[1] = 0; x.group[1] < c->groups[1]; x.group[1]++)
            for (x.group[0] = 0; x.group[0] < c->groups[0]; x.group[0]++)
                if (!run_workgroup(&x))
                    return;
    take_memory(&x, a);
}
