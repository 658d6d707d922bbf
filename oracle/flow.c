// SPDX-License-Identifier: Apache-2.0
//
// The mask machine: divergence, reconvergence and escape (D1 to E4 of docs/rules.md). flow_join.c
// has its stack.
//
// One tangle runs at a time. Where it splits, one part continues and the others wait on the stack.
// A part that reaches the merge block, the continue target or the header of an open construct waits
// there, and the next part runs. When all parts above a construct have ended, the lanes that wait
// there continue as one tangle.
//
//   M1  selection: its merge block            M4  loop: its continue target
//   M3  loop: its merge block, of all          M5  after a call: all that returned
//       iterations together                    E3, E4  waiting further out is the escape
//
// A weaker model (docs/rules.md) runs the same, and m->sure marks the tangles that it promises: all
// lanes of the subgroup, from the start through branches that all take, and again at the merge
// block of a construct that all of them entered and left. The result of a group operation in any
// other tangle is undefined.
//
// With orc_options.any_policy all choices (D3, M2) join, and m->decided marks the tangles that are
// independent of choices: from the start, through branches, and again at each join that a rule
// demands. The result of a group operation in any other tangle is undefined.
#include "flow.h"
#include "execute.h"
#include "fault.h"

#include <string.h>

enum { DEPTH_MAX = 1 << 16 };

// ---- leaving a block -----------------------------------------------------------

// OpPhi: executes the moves of an edge for the lanes that take it. They execute nothing else before
// the target block, so the moves can be done at once.
static void take_edge(struct machine *m, const struct edge *e, lane_mask lanes)
{
    struct values *v = &m->v;
    if (m->group->run->trace && e->move_count)
        trace_edge(m, e, lanes);
    if (!e->parallel || fault_is(m, ORC_FAULT_PHIS_IN_ORDER)) {
        for (uint32_t k = 0; k < e->move_count; k++) {
            copy_plane(v, plane_of(v, e->moves[k].dst), plane_of(v, e->moves[k].src), lanes);
            v->defined[e->moves[k].dst] =
                (v->defined[e->moves[k].dst] & ~lanes) | (v->defined[e->moves[k].src] & lanes);
        }
        return;
    }
    for (uint32_t k = 0; k < e->move_count; k++) {
        copy_plane(v, m->scratch + (size_t)k * v->lanes, plane_of(v, e->moves[k].src), lanes);
        m->scratch_defined[k] = v->defined[e->moves[k].src];
    }
    for (uint32_t k = 0; k < e->move_count; k++) {
        copy_plane(v, plane_of(v, e->moves[k].dst), m->scratch + (size_t)k * v->lanes, lanes);
        v->defined[e->moves[k].dst] =
            (v->defined[e->moves[k].dst] & ~lanes) | (m->scratch_defined[k] & lanes);
    }
}

// ---- terminators ----------------------------------------------------------------

static bool branch(struct machine *m, const struct edge *e)
{
    lane_mask lanes = m->v.active;
    take_edge(m, e, lanes);
    if (flow_park(m, e->target, lanes))
        return flow_resume(m);
    flow_go(m, e->target, lanes, "", false);
    return true;
}

// OpBranchConditional
static bool conditional(struct machine *m, const struct block *b)
{
    lane_mask active = m->v.active, yes = 0;
    const uint64_t *c = plane_of(&m->v, b->plane);
    LANES_EACH (l, active)
        if (c[fault_follows_first(m) ? lane_first(active) : l] & 1)
            yes |= lane_bit(l);
    lane_mask part[2] = {yes, active & ~yes}; // D1
    if (!part[0] || !part[1]) {
        const struct edge *e = &b->edges[part[0] ? 0 : 1];
        m->path = path_with(m->path, m->block, e->target);
        m->way = path_with(m->way, m->block, e->target);
        return branch(m, e);
    }
    if (b->edges[0].target == b->edges[1].target) { // only without the execution mode (S2)
        m->path = path_with(m->path, m->block, b->edges[0].target);
        m->way = path_with(m->way, m->block, b->edges[0].target);
        take_edge(m, &b->edges[0], active);
        if (flow_park(m, b->edges[0].target, active))
            return flow_resume(m);
        flow_go(m, b->edges[0].target, active, "", false);
        return true;
    }
    m->group->run->stats->divergences++;
    // The second part waits below the first on the stack; in orders 2 and 4 the first below the
    // second (N3).
    const bool swap = m->group->run->o.order && m->group->run->o.order % 2 == 0;
    for (int n = 1; n >= 0; n--) {
        const int k = swap ? 1 - n : n;
        take_edge(m, &b->edges[k], part[k]);
        if (!flow_park(m, b->edges[k].target, part[k]))
            flow_push_part(m, b->edges[k].target, part[k], "D1");
    }
    return flow_resume(m);
}

// Returns the case that a selector value enters.
static uint32_t case_of(const struct block *b, uint64_t value)
{
    uint32_t other = 0;
    for (uint32_t k = 0; k < b->case_count; k++) {
        if (b->cases[k].is_default)
            other = k;
        for (uint32_t j = 0; j < b->cases[k].value_count; j++)
            if (b->cases[k].values[j] == value)
                return k;
    }
    return other;
}

// Allocates entries for the lanes that wait for each of n cases; returns the index of the first.
static uint32_t wait_for_cases(struct machine *m, uint32_t n)
{
    if (m->case_room - m->case_top < n) {
        uint32_t room = m->case_room * 2 + n;
        struct waiting_case *cases = ARENA_ARRAY(m->group->run->arena, struct waiting_case, room);
        if (m->case_top)
            memcpy(cases, m->cases, m->case_top * sizeof *cases);
        m->cases = cases;
        m->case_room = room;
    }
    m->case_top += n;
    memset(m->cases + m->case_top - n, 0, n * sizeof *m->cases);
    return m->case_top - n;
}

// The lanes of the current tangle that have the same selector value.
struct value_part {
    lane_mask lanes;
    uint64_t value;
    uint32_t at; // index of the case
};

static uint32_t parts_by_value(const struct machine *m, const struct block *b,
                               struct value_part *part)
{
    const uint64_t *selector = plane_of(&m->v, b->plane);
    uint32_t parts = 0;
    LANES_EACH (l, m->v.active) {
        const uint64_t value = selector[fault_follows_first(m) ? lane_first(m->v.active) : l];
        uint32_t k = 0;
        while (k < parts && part[k].value != value)
            k++;
        if (k == parts)
            part[parts++] = (struct value_part){0, value, case_of(b, value)};
        part[k].lanes |= lane_bit(l); // D2: equal values stay together
    }
    return parts;
}

// OpSwitch
static bool switch_over(struct machine *m, const struct block *b)
{
    struct run *run = m->group->run;
    struct value_part part[LANES_MAX];
    uint32_t parts = parts_by_value(m, b, part), arms = 0;
    run->stats->divergences += parts > 1;
    // The frame is pushed after this loop: a label may be a target of an outer construct.
    uint32_t first = wait_for_cases(m, b->case_count);
    struct waiting_case *cases = m->cases + first;
    for (uint32_t k = 0; k < parts; k++) {
        const struct edge *e = &b->edges[b->cases[part[k].at].edge];
        struct waiting_case *to = &cases[part[k].at];
        const struct switch_case *labels = &b->cases[part[k].at];
        take_edge(m, e, part[k].lanes);
        if (flow_park(m, e->target, part[k].lanes)) {
            part[k].lanes = 0;
            continue;
        }
        // Several values may enter this case: in this subgroup, or (which matters with barriers) in
        // another one.
        run->stats->choice_points +=
            to->lanes || (m->p->has_barrier && (labels->is_default || labels->value_count > 1));
        choice_seen(m, m->p->blocks[e->target].label, m->path, 1);
        to->by_choice |= to->lanes != 0;
        to->lanes |= part[k].lanes; // D2; D3 may: other values that enter the case
        arms++;
    }
    if (!arms) {
        m->case_top = first;
        return flow_resume(m);
    }
    struct frame *f = flow_push(m, FR_SWITCH, m->block, m->v.active);
    f->cases.first = first;
    f->cases.last.sure = m->sure && parts == 1; // what falls through joins only by choice (M2)
    f->cases.last.way = flow_way_of_value(m, part[0].value);
    // SPV_POLICY_SPLIT: each value of a case runs separately, in the order of the cases.
    for (uint32_t c = b->case_count; c-- > 0;) {
        uint32_t target = b->edges[b->cases[c].edge].target;
        if (!cases[c].lanes ||
            choice_at(m, m->p->blocks[target].label, f->path) != SPV_POLICY_SPLIT)
            continue;
        cases[c].lanes = 0; // D3 may: R3
        for (uint32_t k = parts; k-- > 0;)
            if (part[k].lanes && part[k].at == c)
                flow_push_value(m, target, part[k].lanes, part[k].value);
    }
    return flow_resume(m);
}

// OpReturn, OpReturnValue: the lanes wait at the end of the call.
static bool leave_function(struct machine *m, const struct block *b)
{
    struct values *v = &m->v;
    uint32_t d = m->depth - 1;
    while (m->stack[d].kind != FR_CALL) // E3: leaves all constructs of this function, no other
        d--;
    uint32_t inside = d + 1; // a construct, or waiting cases
    while (inside < m->depth && m->stack[inside].kind == FR_PART)
        inside++;
    m->group->run->stats->returns_early += inside < m->depth;
    struct frame *f = &m->stack[d];
    if (d == 0 && m->p->rules->end)
        flow_gone(m, m->p->rules->end(m, v->active, false));
    if (b->end == END_RETURN_VALUE && d > 0) {
        const struct inst *call = &m->p->blocks[f->block].insts[f->call.next - 1];
        for (uint32_t k = 0; k < b->cells; k++) {
            copy_plane(v, plane_of(v, call->dst + k), plane_of(v, b->plane + k), v->active);
            define(v, call->dst + k, v->defined[b->plane + k]);
            if (m->group->run->trace)
                trace_move(m, call->dst + k, b->plane + k, v->active);
        }
    }
    fault_returns(m, f);
    f->call.returned.lanes |= v->active; // M5
    f->call.returned.parts++;
    f->call.last = (struct last_part){m->sure, m->way};
    return flow_resume(m);
}

// OpTerminateInvocation, OpKill: the lanes do not wait anywhere (E1).
static bool terminate(struct machine *m, const struct block *b)
{
    flow_gone(m, m->p->rules->end(m, m->v.active, b->end == END_KILL)); // E2, N2
    return flow_resume(m);
}

// OpDemoteToHelperInvocation
static void demote(struct machine *m)
{
    const lane_mask gone = helper_demote(m, m->v.active); // R15
    flow_gone(m, gone);                                   // E2, D4
    if (gone & m->v.active) {
        m->sure = false;
        machine_activate(m, m->v.active & ~gone);
    }
}

// Opens a construct for the current tangle, by the block's merge instruction.
static void open_construct(struct machine *m, const struct block *b)
{
    if (b->merge_kind == SpvOpSelectionMerge) {
        struct frame *f = flow_push(m, FR_SELECTION, m->block, m->v.active);
        f->selection.merge_block = b->merge;
        return;
    }
    struct frame *f = m->depth ? &m->stack[m->depth - 1] : NULL;
    if (f && f->kind == FR_LOOP && f->block == m->block && f->loop.again) {
        f->loop.again = false; // M3: the relation belongs to the entry, not to this iteration
        return;
    }
    f = flow_push(m, FR_LOOP, m->block, m->v.active); // R2, R5: one frame for each entry and tangle
    f->loop.merge_block = b->merge;
    f->loop.continue_target = b->cont;
    m->path = path_with(m->path, m->block, 0);
}

static bool leave(struct machine *m, bool *failed)
{
    const struct block *b = &m->p->blocks[m->block];
    struct values *v = &m->v;
    *failed = false;
    if (b->merge_kind)
        open_construct(m, b);
    if (m->depth > DEPTH_MAX) {
        *failed = !machine_fail(m, RAN_OVER_LIMIT, "E-limit", b->end_spv, v->active,
                                "constructs nested more than %d deep", DEPTH_MAX);
        return false;
    }
    const lane_mask unknown =
        b->end == END_CONDITIONAL || b->end == END_SWITCH ? v->active & ~v->defined[b->plane] : 0;
    const lane_mask lost = helper_lose(m, unknown);
    if (unknown & ~lost && !fault_any(m)) {
        if (m->group->run->trace)
            trace_fault(m, b->plane, unknown);
        *failed = !machine_fail(m, RAN_UNDEFINED, "E-branch", b->end_spv, unknown & ~lost,
                                "the branch depends on an undefined value");
        return false;
    }
    if (lost) { // R14
        flow_lose(m, lost);
        m->sure = false;
        machine_activate(m, v->active & ~lost);
        if (!v->active)
            return flow_resume(m);
    }
    if (m->group->run->trace)
        trace_branch(m, b);
    switch (b->end) {
    case END_BRANCH:
        return branch(m, &b->edges[0]);
    case END_CONDITIONAL:
        return conditional(m, b);
    case END_SWITCH:
        return switch_over(m, b);
    case END_RETURN:
    case END_RETURN_VALUE:
        return leave_function(m, b);
    case END_TERMINATE:
    case END_KILL:
        return terminate(m, b);
    default:
        *failed = !machine_fail(m, RAN_UNDEFINED, "E-unreachable", b->end_spv, v->active,
                                "OpUnreachable was reached");
        return false;
    }
}

// ---- running --------------------------------------------------------------------

static void enter(struct machine *m, const struct inst *i)
{
    struct values *v = &m->v;
    const struct function *f = &m->p->functions[i->call->function];
    for (uint32_t k = 0; k < i->call->param_count; k++) {
        const struct param *p = &i->call->params[k];
        for (uint32_t c = 0; c < p->cells; c++) {
            copy_plane(v, plane_of(v, p->dst + c), plane_of(v, p->src + c), v->active);
            define(v, p->dst + c, v->defined[p->src + c]);
            if (m->group->run->trace)
                trace_move(m, p->dst + c, p->src + c, v->active);
        }
    }
    memory_enter(m, f);
    struct frame *fr = flow_push(m, FR_CALL, m->block, v->active);
    fr->call.next = m->next;
    m->path = path_with(m->path, i->spv, f->entry);
    m->way = path_with(m->way, i->spv, f->entry);
    flow_go(m, f->entry, v->active, "call", false);
}

// OpControlBarrier: undefined unless all invocations of the workgroup reach it together.
static bool at_barrier(struct machine *m, const struct inst *i)
{
    if (i->order & ORDER_SUBGROUP_BARRIER) {
        order_subgroup_barrier(m, i,
                               (!m->p->weak || (m->sure && promise_holds(m, i->spv, m->way))) &&
                                   (m->decided || !m->group->run->o.any_policy));
        return true;
    }
    if (m->v.active != m->live || (m->p->weak && !(m->sure && promise_holds(m, i->spv, m->way))))
        return machine_fail(m, RAN_UNDEFINED, "E-barrier", i->spv, m->live & ~m->v.active,
                            "the barrier is not reached by all invocations of the subgroup "
                            "together");
    m->barrier_tag = path_with(m->path, i->spv, 0); // R7
    m->waiting = true;
    return true;
}

// An image operation that needs a uniform descriptor or derivatives. If it needs derivatives, its
// result is undefined in a tangle without a promise.
static bool together(struct machine *m, const struct inst *i)
{
    flow_near(m);
    if (m->group->run->o.raced && raced_counts(m, i))
        return false;
    if (!image_run(m, i)) // R8, R10, R11: for this tangle
        return false;
    if (m->group->run->trace)
        trace_result(m, i);
    const bool withdrawn =
        i->image->implicit && ((m->p->weak && !(m->sure && promise_holds(m, i->spv, m->way))) ||
                               (!m->decided && m->group->run->o.any_policy));
    if (withdrawn)
        promise_withdraw(m, i);
    if (m->group->run->o.any_value && m->group->run->o.any_bound)
        any_value_result(m, i);
    if (m->group->run->o.observer && i->dst != NONE)
        flow_report(m, i);
    return true;
}

static bool execute(struct machine *m, const struct inst *i)
{
    switch (i->klass) {
    case IN_GROUP:
        m->group->run->stats->group_ops++;
        m->group->run->stats->partial_group_ops += m->v.active != m->live;
        flow_near(m);
        bool (*const group)(struct machine *, const struct inst *) =
            fault_any(m) ? fault_group : m->p->rules->group;
        if (m->group->run->o.raced && raced_counts(m, i))
            return false;
        if (!group(m, i)) // C1, C2, R8, R9, R12, R13, R14
            return false;
        // Undefined in a tangle without a promise, or in one that depends on choices.
        if (fault_any(m))
            fault_made(m, i);
        if (m->group->run->trace)
            trace_result(m, i);
        const bool withdrawn = (m->p->weak && !(m->sure && promise_holds(m, i->spv, m->way))) ||
                               (!m->decided && m->group->run->o.any_policy);
        if (withdrawn)
            promise_withdraw(m, i);
        if (m->group->run->o.any_value && (!withdrawn || m->group->run->o.any_bound))
            any_value_result(m, i);
        m->group->run->stats->group_results += lane_count(m->v.active);
        m->group->run->stats->live_results += lane_count(m->v.active & m->v.defined[i->dst]);
        if (m->group->run->o.observer)
            flow_report(m, i);
        return true;
    case IN_TOGETHER:
        return together(m, i);
    case IN_CALL:
        enter(m, i);
        return true;
    case IN_PRINT:
        if (m->group->run->o.observer)
            flow_report_print(m, i);
        return true;
    case IN_BARRIER:
        return at_barrier(m, i);
    case IN_DEMOTE:
        demote(m);
        return true;
    default:
        return (fault_any(m) ? fault_execute : machine_execute)(m, i); // D5: nothing else splits
    }
}

void machine_start(struct machine *m)
{
    const struct function *f = &m->p->functions[m->p->entry];
    m->depth = m->case_top = 0;
    m->sure = m->decided = true;
    m->path = m->way = 0;
    m->steps = 0;
    m->waiting = m->done = false;
    flow_push(m, FR_CALL, f->entry, m->live);
    m->v.active = 0;
    flow_go(m, f->entry, m->live, "I1", false);
    memory_enter(m, f);
    m->done = !m->live;
}

bool machine_run(struct machine *m)
{
    struct run *run = m->group->run;
    m->waiting = false;
    while (!m->done) {
        const struct block *b = &m->p->blocks[m->block];
        if (m->next == 0) {
            m->steps += b->steps;
            run->stats->steps += b->steps;
            run->stats->lane_steps += (uint64_t)b->steps * lane_count(m->v.active);
            if (fault_any(m))
                fault_enters(m);
            if (run->o.observer)
                flow_report(m, NULL);
            if (run->trace)
                trace_block(m);
            if (m->steps > run->o.step_limit)
                return machine_fail(m, RAN_OVER_LIMIT, "E-limit", b->end_spv, m->v.active,
                                    "more than %llu instructions",
                                    (unsigned long long)run->o.step_limit);
        }
        uint32_t at = m->block;
        while (m->next < b->inst_count) {
            const struct inst *i = &b->insts[m->next++];
            if (!execute(m, i))
                return false;
            if (i->klass == IN_CALL)
                break;
            if (m->waiting)
                return true;
            if (i->klass == IN_DEMOTE && !m->v.active)
                break;
        }
        if (m->block != at)
            continue;       // in the callee
        if (!m->v.active) { // all lanes ended by a demote
            m->done = !flow_resume(m);
            continue;
        }
        bool failed;
        if (!leave(m, &failed)) {
            if (failed)
                return false;
            m->done = true;
        }
    }
    return true;
}
