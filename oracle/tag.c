// SPDX-License-Identifier: Apache-2.0
//
// The tag machine: a second implementation of the rules, as literal as possible, to check the mask
// machine. It shares the loader, arithmetic and memory. It has no masks and no stack of waiting
// parts.
//
// Every invocation runs alone and carries a *tag*: a hash of the branches that it took since the
// last reconvergence. A branch adds itself to the tag (D1, D2). A construct remembers the tag with
// which its merge instruction was executed. It restores the tag at the merge block (M1, M3); at the
// continue target and the header it restores it and adds the iteration number (M4). A call restores
// the tag after the call (M5). Leaving through an outer construct drops the inner ones (E3, E4).
// Two invocations execute the same dynamic instance exactly if they execute the same instruction
// with the same tag.
//
// A group operation is executed for all invocations with its tag, as soon as no other invocation
// can still reach it: the one that is earliest in program order (counting calls and loop
// iterations) is executed first.
#include "execute.h"

#include <string.h>

enum scope_kind { SC_CALL, SC_SELECTION, SC_LOOP, SC_SWITCH };

struct scope {
    uint8_t kind;
    uint32_t block; // block of the call; header of the construct
    uint32_t next;  // SC_CALL: instruction after the call
    uint32_t merge, cont;
    uint32_t iteration;
    uint64_t tag; // T(M), T(FC)
    uint64_t way; // of the invocation when it opened the scope
};

enum lane_state { RUNNING, AT_GROUP, AT_BARRIER, LOST, ENDED };

struct walker {
    uint8_t state;
    uint32_t block, next;
    uint64_t tag, steps;
    uint64_t way; // see promised
    VEC(struct scope) scopes;
};

struct tags {
    struct machine *m;
    struct walker *lane; // [lanes]
    uint32_t *order;     // [block] position in an order in which every forward edge ascends
};

// ---- program order ------------------------------------------------------------------

// Computes the reverse depth-first postorder of the blocks of each function; back edges are
// ignored.
static void order_blocks(const struct orc_program *p, struct arena *a, uint32_t *order)
{
    uint8_t *seen = ARENA_ARRAY(a, uint8_t, p->block_count);
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, p->block_count);
    uint32_t *edge = ARENA_ARRAY(a, uint32_t, p->block_count);
    for (uint32_t f = 0; f < p->function_count; f++) {
        uint32_t depth = 0, place = p->block_count;
        if (!p->functions[f].block_count)
            continue;
        stack[depth++] = p->functions[f].entry;
        seen[stack[0]] = 1;
        while (depth) {
            uint32_t b = stack[depth - 1];
            if (edge[b] < p->blocks[b].edge_count) {
                uint32_t next = p->blocks[b].edges[edge[b]++].target;
                if (!seen[next]) {
                    seen[next] = 1;
                    stack[depth++] = next;
                }
            } else {
                order[b] = place--;
                depth--;
            }
        }
    }
}

// Returns the next scope that matters for program order, or NULL after the last.
static const struct scope *level(const struct walker *w, size_t *k)
{
    while (*k < w->scopes.n && w->scopes.v[*k].kind != SC_CALL && w->scopes.v[*k].kind != SC_LOOP)
        (*k)++;
    return *k < w->scopes.n ? &w->scopes.v[(*k)++] : NULL;
}

// Compares positions in program order, call by call and loop by loop, outermost first. Negative if
// x is earlier.
static int compare(const struct tags *t, const struct walker *x, const struct walker *y)
{
    for (size_t k = 1, j = 1;;) { // skips the call of the entry point
        const struct scope *a = level(x, &k), *b = level(y, &j);
        uint32_t place_a = t->order[a ? a->block : x->block];
        uint32_t place_b = t->order[b ? b->block : y->block];
        if (place_a != place_b)
            return place_a < place_b ? -1 : 1;
        bool loop_a = a && a->kind == SC_LOOP, loop_b = b && b->kind == SC_LOOP;
        if (loop_a != loop_b) // one is still in the first execution of the header
            return loop_b ? -1 : 1;
        uint32_t at_a = loop_a ? a->iteration : a ? a->next : x->next;
        uint32_t at_b = loop_b ? b->iteration : b ? b->next : y->next;
        if (at_a != at_b)
            return at_a < at_b ? -1 : 1;
        if (!a || !b)
            return 0;
    }
}

// ---- one invocation -----------------------------------------------------------

static struct scope *open(struct tags *t, struct walker *w, enum scope_kind kind, uint32_t block)
{
    struct scope *s = VEC_PUSH(t->m->group->run->arena, &w->scopes);
    *s = (struct scope){.kind = (uint8_t)kind, .block = block, .tag = w->tag, .way = w->way};
    return s;
}

// Takes an edge and executes its phis. True if the target is a merge block, continue target or
// header of an open construct.
static bool walk_to(struct tags *t, struct walker *w, uint32_t lane, const struct edge *e)
{
    struct machine *m = t->m;
    struct values *v = &m->v;
    uint32_t target = e->target;
    for (uint32_t k = 0; k < e->move_count; k++) {
        m->scratch[k] = plane_of(v, e->moves[k].src)[lane];
        m->scratch_defined[k] = v->defined[e->moves[k].src];
    }
    for (uint32_t k = 0; k < e->move_count; k++) {
        plane_of(v, e->moves[k].dst)[lane] = m->scratch[k];
        define(v, e->moves[k].dst, m->scratch_defined[k]);
    }
    w->block = target;
    w->next = 0;
    size_t fall_through = SIZE_MAX;
    for (size_t d = w->scopes.n; d-- > 0 && w->scopes.v[d].kind != SC_CALL;) {
        struct scope *s = &w->scopes.v[d];
        if (s->kind == SC_SWITCH) {
            const struct block *b = &m->p->blocks[s->block];
            for (uint32_t k = 0; k < b->case_count && fall_through == SIZE_MAX; k++)
                if (b->edges[b->cases[k].edge].target == target)
                    fall_through = d;
            continue;
        }
        if (target == s->merge) {
            w->tag = s->tag; // M1, M3; R1: no M4 of this loop
            w->way = s->way;
            w->scopes.n = d; // E4: leaves all inner constructs
            return true;
        }
        if (s->kind == SC_LOOP && (target == s->cont || target == s->block)) {
            bool header = target == s->block; // R6: the back edge belongs to its own loop
            s->iteration += header;
            if (s->iteration > m->p->blocks[s->block].most)
                machine_stray(m, "E-assume", m->p->blocks[s->block].end_spv, lane_bit(lane),
                              "the loop takes more iterations than its MaxIterations");
            w->way = path_with(w->way, target, s->iteration);
            w->tag = path_with(s->tag, target, ((uint64_t)s->iteration << 1) | !header); // M4
            w->scopes.n = d + 1;
            return true;
        }
    }
    const struct scope *s = fall_through != SIZE_MAX ? &w->scopes.v[fall_through] : NULL;
    if (s && choice_at(m, m->p->blocks[target].label, s->tag) == SPV_POLICY_JOIN) // R3
        w->tag = path_with(s->tag, s->block, target);                             // M2
    return false;                                                                 // M6
}

static void end_lanes(struct tags *t, lane_mask gone)
{
    LANES_EACH (l, gone)
        t->lane[l].state = ENDED;
}

// Stores the position of an invocation in run->here.
static void stand(const struct tags *t, const struct walker *w)
{
    struct run *run = t->m->group->run;
    run->here.n = 0;
    size_t k = 1; // after the call of the entry point
    for (const struct scope *s = level(w, &k); s; s = level(w, &k))
        *VEC_PUSH(run->arena, &run->here) = (struct helper_place){
            s->block, s->kind == SC_LOOP ? s->iteration : s->next, s->kind == SC_LOOP};
    *VEC_PUSH(run->arena, &run->here) = (struct helper_place){w->block, w->next, false};
}

// The invocation is lost: it waits where it continues (helper_way_back), or nowhere.
static void lose(struct tags *t, struct walker *w, uint32_t lane)
{
    struct machine *m = t->m;
    struct run *run = m->group->run;
    stand(t, w);
    helper_seen_last(m, lane_bit(lane));
    run->levels.n = 0;
    size_t d = w->scopes.n;
    while (w->scopes.v[--d].kind != SC_CALL) {
        const struct scope *s = &w->scopes.v[d];
        if (s->kind != SC_SWITCH)
            *VEC_PUSH(run->arena, &run->levels) =
                (struct helper_level){s->merge, s->kind == SC_LOOP ? s->cont : NONE, (uint32_t)d};
    }
    const uint32_t n = (uint32_t)run->levels.n;
    const uint32_t back = helper_way_back(m, w->block, run->levels.v, n, d > 0, lane_bit(lane));
    w->state = LOST;
    w->block = NONE;
    if (back == n) {
        const struct scope *s = &w->scopes.v[d];
        const struct inst *call = &m->p->blocks[s->block].insts[s->next - 1];
        for (uint32_t k = 0;
             call->dst != NONE && k < m->p->types[m->p->m.insts[call->spv].type].cells; k++)
            m->v.defined[call->dst + k] &= ~lane_bit(lane);
        w->block = s->block;
        w->next = s->next;
        w->tag = s->tag; // M5
        w->way = path_with(w->way, NONE, NONE);
        w->scopes.n = d;
    }
    if (back < n) {
        const struct scope *s = &w->scopes.v[run->levels.v[back].at];
        w->block = s->merge;
        w->next = 0;
        w->tag = s->tag; // M1, M3
        w->way = s->way;
        w->scopes.n = run->levels.v[back].at;
    }
}

// Leaves a block. False if the run has failed.
static bool walk_on(struct tags *t, struct walker *w, uint32_t lane)
{
    struct machine *m = t->m;
    const struct orc_program *p = m->p;
    const struct block *b = &p->blocks[w->block];
    const struct values *v = &m->v;
    if (b->merge_kind == SpvOpSelectionMerge)
        open(t, w, SC_SELECTION, w->block)->merge = b->merge;
    else if (b->merge_kind == SpvOpLoopMerge) {
        struct scope *s = w->scopes.n ? &w->scopes.v[w->scopes.n - 1] : NULL;
        if (!s || s->kind != SC_LOOP || s->block != w->block) { // not by the back edge
            s = open(t, w, SC_LOOP, w->block); // R2, R5: one scope for each entry and tag
            s->merge = b->merge;
            s->cont = b->cont;
            w->tag = path_with(s->tag, w->block, 0);
        }
    }
    if ((b->end == END_CONDITIONAL || b->end == END_SWITCH) &&
        !lane_in(v->defined[b->plane], lane)) {
        if (helper_lose(m, lane_bit(lane))) { // R14
            lose(t, w, lane);
            return true;
        }
        return machine_fail(m, RAN_UNDEFINED, "E-branch", b->end_spv, lane_bit(lane),
                            "the branch depends on an undefined value");
    }
    switch (b->end) {
    case END_BRANCH:
        walk_to(t, w, lane, &b->edges[0]);
        return true;
    case END_CONDITIONAL: {
        const struct edge *e = &b->edges[plane_of(v, b->plane)[lane] & 1 ? 0 : 1];
        w->tag = path_with(w->tag, w->block, e->target); // D1
        w->way = path_with(w->way, w->block, e->target);
        walk_to(t, w, lane, e);
        return true;
    }
    case END_SWITCH: {
        uint64_t value = plane_of(v, b->plane)[lane];
        uint32_t at = NONE, other = 0;
        for (uint32_t k = 0; k < b->case_count; k++) {
            if (b->cases[k].is_default)
                other = k;
            for (uint32_t j = 0; j < b->cases[k].value_count; j++)
                if (b->cases[k].values[j] == value)
                    at = k;
        }
        const struct edge *e = &b->edges[b->cases[at == NONE ? other : at].edge];
        uint64_t tag = w->tag;
        uint32_t header = w->block;
        w->tag = path_with(tag, header, e->target); // D2
        w->way = path_with(w->way, header, value);
        if (choice_at(m, m->p->blocks[e->target].label, tag) == SPV_POLICY_SPLIT) // D3 may: R3
            w->tag = path_with(w->tag, header, value);
        if (!walk_to(t, w, lane, e))
            open(t, w, SC_SWITCH, header)->tag = tag; // for fall-through
        return true;
    }
    case END_RETURN:
    case END_RETURN_VALUE: {
        while (w->scopes.v[w->scopes.n - 1].kind != SC_CALL) // E3
            w->scopes.n--;
        const struct scope *s = &w->scopes.v[w->scopes.n - 1];
        w->tag = s->tag; // M5
        w->scopes.n--;
        if (!w->scopes.n) {
            w->state = ENDED;
            if (m->p->rules->end)
                end_lanes(t, m->p->rules->end(m, lane_bit(lane), false));
            return true;
        }
        w->block = s->block;
        w->next = s->next;
        const struct inst *call = &p->blocks[s->block].insts[s->next - 1];
        for (uint32_t k = 0; b->end == END_RETURN_VALUE && k < b->cells; k++) {
            plane_of(v, call->dst + k)[lane] = plane_of(v, b->plane + k)[lane];
            define(v, call->dst + k, v->defined[b->plane + k]);
        }
        return true;
    }
    case END_TERMINATE:
    case END_KILL: // E1, N2
        w->state = ENDED;
        end_lanes(t, m->p->rules->end(m, lane_bit(lane), b->end == END_KILL)); // E2
        return true;
    default:
        return machine_fail(m, RAN_UNDEFINED, "E-unreachable", b->end_spv, lane_bit(lane),
                            "OpUnreachable was reached");
    }
}

// Runs one invocation up to its next group operation, barrier or end.
static bool walk(struct tags *t, uint32_t lane)
{
    struct machine *m = t->m;
    struct walker *w = &t->lane[lane];
    struct run *run = m->group->run;
    machine_activate(m, lane_bit(lane));
    while (w->state == RUNNING) {
        const struct block *b = &m->p->blocks[w->block];
        if (w->next == 0 && (w->steps += b->steps) > run->o.step_limit)
            return machine_fail(m, RAN_OVER_LIMIT, "E-limit", b->end_spv, lane_bit(lane),
                                "more than %llu instructions",
                                (unsigned long long)run->o.step_limit);
        if (w->next == b->inst_count) {
            if (!walk_on(t, w, lane))
                return false;
            continue;
        }
        const struct inst *i = &b->insts[w->next++];
        switch (i->klass) {
        case IN_TOGETHER:
        case IN_GROUP:
            w->state = AT_GROUP;
            break;
        case IN_BARRIER:
            w->state = i->order & ORDER_SUBGROUP_BARRIER ? AT_GROUP : AT_BARRIER;
            break;
        case IN_CALL: {
            for (uint32_t k = 0; k < i->call->param_count; k++)
                for (uint32_t c = 0; c < i->call->params[k].cells; c++) {
                    uint32_t dst = i->call->params[k].dst + c, src = i->call->params[k].src + c;
                    plane_of(&m->v, dst)[lane] = plane_of(&m->v, src)[lane];
                    define(&m->v, dst, m->v.defined[src]);
                }
            const struct function *f = &m->p->functions[i->call->function];
            memory_enter(m, f);
            struct scope *s = open(t, w, SC_CALL, w->block);
            s->next = w->next;
            w->tag = path_with(w->tag, i->spv, f->entry);
            w->way = path_with(w->way, i->spv, f->entry);
            w->block = f->entry;
            w->next = 0;
            break;
        }
        case IN_DEMOTE:
            end_lanes(t, helper_demote(m, lane_bit(lane)));
            break;            // E2, D4, R15
        default:              // D5: the tag stays
            if (i->uniform) { // R10
                w->state = AT_GROUP;
                break;
            }
            if (!machine_execute(m, i))
                return false;
        }
    }
    return true;
}

// ---- a subgroup -----------------------------------------------------------------

void tag_start(struct machine *m)
{
    struct arena *a = m->group->run->arena;
    struct tags *t = m->tags;
    if (!t) {
        t = m->tags = ARENA_NEW(a, struct tags);
        t->m = m;
        t->order = ARENA_ARRAY(a, uint32_t, m->p->block_count);
        order_blocks(m->p, a, t->order);
        t->lane = ARENA_ARRAY(a, struct walker, m->v.lanes);
    }
    const struct function *f = &m->p->functions[m->p->entry];
    m->waiting = false;
    m->done = !m->live;
    LANES_EACH (l, m->live) {
        struct walker *w = &t->lane[l];
        w->state = RUNNING;
        w->block = f->entry;
        w->next = 0;
        w->tag = w->way = w->steps = 0; // I1: all start with the same tag
        w->scopes.n = 0;
        open(t, w, SC_CALL, f->entry);
        machine_activate(m, lane_bit(l));
        memory_enter(m, f);
    }
}

// True if the model promises the tangle: it has all lanes of the subgroup, and they took the same
// branches, except inside constructs that they entered together and left by the merge block.
static bool promised(const struct tags *t, lane_mask tangle)
{
    const struct machine *m = t->m;
    const struct walker *w = &t->lane[lane_first(tangle)];
    LANES_EACH (l, m->live)
        if (!lane_in(tangle, l) || t->lane[l].way != w->way)
            return false;
    return promise_holds(m, m->p->blocks[w->block].insts[w->next - 1].spv, w->way);
}

static lane_mask lost(const struct tags *t)
{
    lane_mask all = 0;
    LANES_EACH (l, t->m->live)
        all |= t->lane[l].state == LOST ? lane_bit(l) : 0;
    return all;
}

// Continues those lost invocations for which no other invocation is before the place where they
// continue. Returns them.
static bool come_back(struct tags *t)
{
    lane_mask back = 0;
    LANES_EACH (l, t->m->live) {
        bool is_first = t->lane[l].state == LOST && t->lane[l].block != NONE;
        LANES_EACH (other, is_first ? t->m->live : 0) {
            const struct walker *w = &t->lane[other];
            is_first &= w->state == ENDED || w->block == NONE || compare(t, &t->lane[l], w) <= 0;
        }
        back |= is_first ? lane_bit(l) : 0;
    }
    LANES_EACH (l, back)
        t->lane[l].state = RUNNING;
    return back;
}

// Executes the earliest group operation. All invocations are at group operations or barriers, are
// lost, or have ended.
static bool fire(struct tags *t)
{
    struct machine *m = t->m;
    uint32_t first = NONE;
    LANES_EACH (l, m->live) {
        if (t->lane[l].state != AT_GROUP)
            continue;
        if (first == NONE || compare(t, &t->lane[l], &t->lane[first]) < 0)
            first = l;
    }
    const struct walker *w = &t->lane[first];
    lane_mask tangle = 0;
    LANES_EACH (l, m->live) {
        const struct walker *x = &t->lane[l];
        if (x->state == AT_GROUP && x->tag == w->tag && x->block == w->block && x->next == w->next)
            tangle |= lane_bit(l);
    }
    const struct inst *i = &m->p->blocks[w->block].insts[w->next - 1];
    machine_activate(m, tangle);
    m->path = w->tag;
    m->lost = lost(t);
    stand(t, w);
    m->near = helper_may_be_here(m);
    const bool sure = !m->p->weak || promised(t, tangle);
    if (i->klass == IN_BARRIER) {
        order_subgroup_barrier(m, i, sure);
    } else if (i->uniform) {
        if (!machine_execute(m, i))
            return false;
    } else {
        const bool image = i->klass == IN_TOGETHER;
        bool (*const run)(struct machine *, const struct inst *) =
            image ? image_run : m->p->rules->group;
        if (!run(m, i)) // C1, C2, R8, R9, R10, R11, R12, R13, R14
            return false;
        if (!sure && (!image || i->image->implicit))
            promise_withdraw(m, i);
        if (m->group->run->o.any_value && ((sure && !image) || m->group->run->o.any_bound))
            any_value_result(m, i);
    }
    LANES_EACH (l, tangle)
        t->lane[l].state = RUNNING;
    return true;
}

bool tag_run(struct machine *m)
{
    struct tags *t = m->tags;
    if (m->waiting) // all subgroups have reached the barrier
        LANES_EACH (l, m->live)
            t->lane[l].state = RUNNING;
    m->waiting = false;
    for (;;) {
        lane_mask group = 0, barrier = 0;
        LANES_EACH (l, m->live)
            if (!walk(t, l))
                return false;
        LANES_EACH (
            l, m->live) { // after all have run: the end of one lane may end others of its quad (E2)
            const uint8_t state = t->lane[l].state;
            group |= state == AT_GROUP ? lane_bit(l) : 0;
            barrier |= state == AT_BARRIER ? lane_bit(l) : 0;
        }
        if (come_back(t))
            continue;
        if (group) {
            if (!fire(t))
                return false;
            continue;
        }
        if (!barrier) {
            m->done = true;
            return true;
        }
        const struct walker *w = &t->lane[lane_first(barrier)];
        const struct inst *i = &m->p->blocks[w->block].insts[w->next - 1];
        lane_mask together = 0;
        LANES_EACH (l, barrier)
            if (t->lane[l].tag == w->tag && t->lane[l].block == w->block &&
                t->lane[l].next == w->next)
                together |= lane_bit(l);
        if (together != m->live || (m->p->weak && !promised(t, together)))
            return machine_fail(m, RAN_UNDEFINED, "E-barrier", i->spv, m->live & ~together,
                                "the barrier is not reached by all invocations of the subgroup "
                                "together");
        m->block = w->block;
        m->next = w->next;
        m->barrier_tag = path_with(w->tag, i->spv, 0); // R7
        m->waiting = true;
        return true;
    }
}
