// SPDX-License-Identifier: Apache-2.0
//
// Fragments of a warp, the barriers that join them, and schedules.
#include "isa_fragments.h"
#include "isa_memory.h"

#include <stdio.h>
#include <string.h>

struct isa_schedule isa_schedule(struct arena *a, const struct isa_options *o, uint32_t which)
{
    return (struct isa_schedule){.a = a,
                                 .order = which < ISA_RANDOM ? (enum isa_order)which : ISA_RANDOM,
                                 .chance = {o->random_fill + which}};
}

void isa_schedule_begin(struct isa_schedule *q)
{
    q->barrier.n = q->named.n = 0;
}

struct isa_fragments *isa_fragments_new(struct arena *a, uint32_t waves, uint32_t lanes)
{
    struct isa_fragments *out = ARENA_ARRAY(a, struct isa_fragments, waves);
    for (uint32_t i = 0; i < waves; i++)
        out[i] = (struct isa_fragments){.v = ARENA_ARRAY(a, struct isa_fragment, lanes + 1),
                                        .most = lanes + 1,
                                        .wait_for = ARENA_ARRAY(a, uint32_t, lanes),
                                        .wait_at = ARENA_ARRAY(a, uint32_t, lanes)};
    return out;
}

static void add(struct isa_fragments *s, uint32_t at, uint64_t lanes)
{
    CHECK(s->n < s->most);
    s->v[s->n++] = (struct isa_fragment){.at = at, .lanes = lanes};
}

void isa_fragments_begin(struct isa_fragments *s, uint64_t lanes)
{
    s->n = s->current = 0;
    s->live = lanes;
    s->ended = s->waiting = 0;
    add(s, 0, lanes);
}

static void leave(struct isa_fragments *s, uint64_t lanes)
{
    s->v[s->current].lanes &= ~lanes;
}

// Removes empty fragments, so that there are never more fragments than lanes.
static void sweep(struct isa_fragments *s)
{
    uint32_t n = 0, current = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i == s->current)
            current = n;
        if (s->v[i].lanes)
            s->v[n++] = s->v[i];
    }
    s->current = current;
    s->n = n;
}

void isa_fragments_split(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes,
                         uint32_t at)
{
    q->choice = true;
    leave(s, lanes);
    add(s, at, lanes);
}

void isa_fragments_end(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes)
{
    leave(s, lanes);
    s->live &= ~lanes;
    s->ended |= lanes;
    sweep(s);
    isa_fragments_release(q, s);
}

void isa_fragments_group(struct isa_fragments *s, uint64_t lanes)
{
    struct isa_fragment *own = &s->v[s->current];
    if (lanes != own->lanes) { // the others stay in the current fragment
        leave(s, lanes);
        add(s, own->at, lanes);
        own = &s->v[s->n - 1];
    }
    own->at_group = true;
}

// ---- barriers ----------------------------------------------------------------------------------

uint32_t isa_barrier_new(struct isa_schedule *q, uint64_t lanes, bool named)
{
    if (named) {
        *VEC_PUSH(q->a, &q->named) = lanes;
        return ISA_BARRIER_NAMED | (uint32_t)(q->named.n - 1);
    }
    *VEC_PUSH(q->a, &q->barrier) = lanes;
    return (uint32_t)q->barrier.n - 1;
}

uint64_t *isa_barrier(struct isa_schedule *q, uint32_t id)
{
    return id & ISA_BARRIER_NAMED ? &q->named.v[id & ~(uint32_t)ISA_BARRIER_NAMED]
                                  : &q->barrier.v[id];
}

bool isa_barrier_known(const struct isa_schedule *q, uint64_t id)
{
    return id < q->barrier.n;
}

void isa_fragments_wait(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes,
                        uint32_t at)
{
    leave(s, lanes);
    LANES_EACH (l, lanes)
        s->wait_at[l] = at;
    s->waiting |= lanes;
    sweep(s);
    isa_fragments_release(q, s);
}

// Returns the lanes of a set whose entry in `values` equals that of the lowest lane.
static uint64_t same_value(uint64_t lanes, const uint32_t *values)
{
    const uint32_t value = values[lane_first(lanes)];
    uint64_t out = 0;
    LANES_EACH (l, lanes)
        out |= values[l] == value ? UINT64_C(1) << l : 0;
    return out;
}

void isa_fragments_release(struct isa_schedule *q, struct isa_fragments *s)
{
    uint64_t left = s->waiting;
    while (left) {
        uint64_t here = same_value(left, s->wait_for);
        left &= ~here;
        if (*isa_barrier(q, s->wait_for[lane_first(here)]) & ~s->ended & ~here)
            continue;
        s->waiting &= ~here;
        while (here) {
            const uint64_t together = same_value(here, s->wait_at);
            add(s, s->wait_at[lane_first(here)], together);
            here &= ~together;
        }
    }
}

// ---- schedules ---------------------------------------------------------------------------------

// Chooses the fragment that runs next. False if none can run.
static bool pick(struct isa_schedule *q, struct isa_fragments *s)
{
    uint32_t can = 0, newest = 0, next = UINT32_MAX, lowest = UINT32_MAX;
    if (s->n == 1 && s->v[0].lanes && !s->v[0].at_group) {
        s->current = 0;
        return true;
    }
    sweep(s);
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->v[i].at_group) {
            can++;
            newest = i;
            lowest = lowest == UINT32_MAX ? i : lowest;
            next = next == UINT32_MAX && i > s->current ? i : next;
        }
    if (!can)
        return false;
    if (q->order == ISA_DEPTH_FIRST) {
        s->current = newest;
    } else if (q->order == ISA_BREADTH_FIRST) { // round robin
        s->current = next == UINT32_MAX ? lowest : next;
    } else if (s->current >= s->n || s->v[s->current].at_group || !rng_below(&q->chance, 8)) {
        uint32_t k = rng_below(&q->chance, can);
        for (uint32_t i = 0; i < s->n; i++)
            if (!s->v[i].at_group && k-- == 0)
                s->current = i;
    }
    return true;
}

// Releases the workgroup barrier if all lanes that have not ended wait there. The fragments stay
// separate.
static bool group_pass(struct isa_fragments *wave, uint32_t waves)
{
    for (uint32_t i = 0; i < waves; i++) {
        uint64_t here = 0;
        for (uint32_t k = 0; k < wave[i].n; k++)
            here |= wave[i].v[k].lanes;
        if (here != wave[i].live)
            return false;
    }
    for (uint32_t i = 0; i < waves; i++)
        for (uint32_t k = 0; k < wave[i].n; k++)
            wave[i].v[k].at_group = false;
    return true;
}

bool isa_fragments_run(struct isa_schedule *q, void *machine, struct isa_fragments *wave,
                       uint32_t waves, isa_step_fn *step, struct isa_result *out)
{
    for (;;) {
        bool moved = false, left = false;
        for (uint32_t i = 0; i < waves; i++) {
            const uint32_t turn = q->order == ISA_DEPTH_FIRST     ? UINT32_MAX
                                  : q->order == ISA_BREADTH_FIRST ? 1
                                                                  : 1 + rng_below(&q->chance, 64);
            for (uint32_t k = 0; k < turn && pick(q, &wave[i]); k++) {
                moved = true;
                if (!step(machine, i))
                    return false;
            }
            left |= wave[i].live != 0;
        }
        if (!left)
            return true;
        if (!moved && !group_pass(wave, waves))
            return isa_refuse(out, RAN_STUCK, q->line, "lanes wait for others that never come");
    }
}

void isa_schedules(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                   const struct isa_options *o, isa_schedule_fn *run, struct isa_result *out)
{
    if (!run(a, code, c, o, 0, out))
        return;
    out->other = ARENA_ARRAY(a, struct spv_memory *, ISA_SCHEDULES - 1);
    for (uint32_t k = 1; k < ISA_SCHEDULES; k++) {
        struct isa_result again = {0};
        run(a, code, c, o, k, &again);
        const uint64_t steps = out->steps + again.steps;
        const bool differs = again.status != out->status;
        if (differs && out->status == RAN_OK)
            *out = again;
        out->steps = steps;
        if (differs) {
            const size_t n = strlen(out->text);
            snprintf(out->text + n, sizeof out->text - n,
                     " (under one schedule, not under another)");
            out->others = 0;
            return;
        }
        if (again.status == RAN_OK && !isa_same_memory(&again, out))
            out->other[out->others++] = again.memory;
    }
}
