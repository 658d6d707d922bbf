// SPDX-License-Identifier: Apache-2.0
//
// Which loop construct a block lies in: a block that the header dominates and the
// merge block does not. So the blocks on the way out of a loop, by a break or by a
// return, belong to it (L4), and its merge block to the loop around.
#include "form_loops.h"

#include <string.h>

struct dominance {
    const struct spv_module *m;
    uint32_t first, n, words; // the function's blocks; 64-bit words of a set of them
    uint64_t *set;            // n sets: who dominates a block
    bool *reached;            // is there a way to it?
};

static uint64_t *set_of(const struct dominance *d, uint32_t block)
{
    return d->set + (size_t)block * d->words;
}

static bool dominates(const struct dominance *d, uint32_t a, uint32_t b)
{
    return set_of(d, b)[a / 64] >> (a % 64) & 1;
}

// Narrows the successor's set to those who dominate `from` too, or itself.
static bool narrow(struct dominance *d, uint32_t from, uint32_t label)
{
    uint32_t to = d->m->block_of[label] - d->first;
    d->reached[to] = true;
    uint64_t *at = set_of(d, to);
    const uint64_t *by = set_of(d, from);
    bool changed = false;
    for (uint32_t w = 0; w < d->words; w++) {
        uint64_t next = at[w] & (by[w] | (w == to / 64 ? (uint64_t)1 << (to % 64) : 0));
        changed |= next != at[w];
        at[w] = next;
    }
    return changed;
}

// Every block's set, from "all" down to what no way goes round.
static void find_dominators(struct dominance *d)
{
    memset(set_of(d, 0), 0, d->words * sizeof(uint64_t));
    set_of(d, 0)[0] = 1;
    d->reached[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < d->n; b++) {
            if (!d->reached[b])
                continue;
            const struct spv_block *block = &d->m->blocks[d->first + b];
            const struct spv_inst *end = &d->m->insts[block->last];
            switch (end->op) {
            case SpvOpBranch:
                changed |= narrow(d, b, end->v[0]);
                break;
            case SpvOpBranchConditional:
                changed |= narrow(d, b, end->v[1]);
                changed |= narrow(d, b, end->v[2]);
                break;
            case SpvOpSwitch:
                changed |= narrow(d, b, end->v[1]);
                for (uint32_t i = 3; i < end->n; i += 2)
                    changed |= narrow(d, b, end->v[i]);
                break;
            default:
                break;
            }
        }
    }
}

static void find_loops(struct form *f, const struct dominance *d)
{
    for (uint32_t b = 0; b < d->n; b++) {
        uint32_t deepest = FORM_NONE, around = FORM_NONE;
        for (uint32_t h = 0; h < d->n && d->reached[b]; h++) {
            const struct spv_block *block = &f->m.blocks[d->first + h];
            if (!block->merge || f->m.insts[block->merge].op != SpvOpLoopMerge || !d->reached[h] ||
                !dominates(d, h, b))
                continue;
            uint32_t merge = f->m.block_of[f->m.insts[block->merge].v[0]] - d->first;
            if (d->reached[merge] && dominates(d, merge, b))
                continue;
            if (deepest == FORM_NONE || dominates(d, deepest, h)) {
                around = deepest;
                deepest = h;
            } else if (around == FORM_NONE || dominates(d, around, h)) {
                around = h;
            }
        }
        f->loop_of[d->first + b] = deepest == FORM_NONE ? FORM_NONE : d->first + deepest;
        f->loop_around[d->first + b] = around == FORM_NONE ? FORM_NONE : d->first + around;
    }
}

// Does the terminator of block b, in the module's order, go to this label?
static bool goes_to(const struct spv_module *m, uint32_t b, uint32_t label)
{
    const struct spv_inst *end = &m->insts[m->blocks[b].last];
    if (end->op == SpvOpBranch)
        return end->v[0] == label;
    if (end->op == SpvOpBranchConditional)
        return end->v[1] == label || end->v[2] == label;
    bool found = end->op == SpvOpSwitch && end->v[1] == label;
    for (uint32_t i = 3; end->op == SpvOpSwitch && i < end->n; i += 2)
        found |= end->v[i] == label;
    return found;
}

static bool joins_elsewhere(const struct spv_module *m, uint32_t label)
{
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *block = &m->blocks[b];
        const struct spv_inst *merge = block->merge ? &m->insts[block->merge] : NULL;
        if (merge && (merge->v[0] == label || (merge->op == SpvOpLoopMerge &&
                                               merge->v[1] == label && block->label != label)))
            return true;
        if (m->insts[block->last].op == SpvOpSwitch && goes_to(m, b, label))
            return true;
    }
    return false;
}

// A header with two ways in that is no place to join: who came by different ways stays
// apart through the loop (R2). No other language can say that.
static bool entered_split(const struct form *f, const struct dominance *d, struct err *e)
{
    for (uint32_t h = 0; h < d->n; h++) {
        const struct spv_block *header = &f->m.blocks[d->first + h];
        uint32_t ways = 0;
        if (!header->merge || f->m.insts[header->merge].op != SpvOpLoopMerge)
            continue;
        for (uint32_t b = 0; b < d->n; b++)
            ways +=
                d->reached[b] && !dominates(d, h, b) && goes_to(&f->m, d->first + b, header->label);
        if (ways > 1 && !joins_elsewhere(&f->m, header->label)) {
            err_set(e, "a loop that is entered by two ways, which stay apart (R2) (%%%u)",
                    header->label);
            return true;
        }
    }
    return false;
}

bool form_loops(struct form *f, struct err *e)
{
    f->loop_of = ARENA_ARRAY(f->arena, uint32_t, f->m.block_count);
    f->loop_around = ARENA_ARRAY(f->arena, uint32_t, f->m.block_count);
    for (uint32_t i = 0; i < f->m.function_count; i++) {
        const struct spv_function *fn = &f->m.functions[i];
        if (!fn->block_count)
            continue;
        struct dominance d = {.m = &f->m, .first = fn->block_first, .n = fn->block_count};
        d.words = (d.n + 63) / 64;
        d.set = ARENA_ARRAY(f->arena, uint64_t, (size_t)d.n * d.words);
        d.reached = ARENA_ARRAY(f->arena, bool, d.n);
        memset(d.set, 0xff, (size_t)d.n * d.words * sizeof(uint64_t));
        find_dominators(&d);
        find_loops(f, &d);
        if (entered_split(f, &d, e))
            return false;
    }
    return true;
}
