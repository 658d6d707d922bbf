// SPDX-License-Identifier: Apache-2.0
//
// Who is active: divergence, reconvergence and escape, RULES.md D1 to E4.
//
// One tangle runs at a time. Where it splits, one part goes on and the others wait
// on the stack; where a part reaches the merge block, the continue target or the
// back edge of an open construct it parks there, and the next part runs. When
// nothing above a construct waits any more, all that parked goes on as one tangle.
//
//   M1  selection: its merge block            M4  loop: its continue target
//   M3  loop: its merge block, of all          M5  after a call: all that returned
//       iterations together                    E3, E4  parking further out is the escape
//
// Under a weaker model (docs/rules.md) the same is run, and a tangle is *sure* where the
// model promises it: the whole subgroup from the start on, through branches that all
// take, and again at the merge block of a construct that the sure whole entered and
// left. What a group operation gives to another tangle is not defined.
//
// Where it is asked what holds for any choice (D3, M2), all join and a tangle is *settled*
// where no choice has a say in it: from the start on, through branches, and again at each
// join that a rule demands. What a group operation gives to another tangle is not defined.
//
// R1: a lane parked at the loop's merge block does not wait for the continue
// target. R2: a loop entered by a second tangle is opened anew.
#include "machine.h"

#include <string.h>

enum { DEPTH_MAX = 1 << 16 };

static struct frame *push(struct machine *m, enum frame_kind kind, uint32_t block, lane_mask entered)
{
    if (m->depth == m->room) {
        uint32_t room = m->room * 2;
        struct frame *stack = ARENA_ARRAY(m->group->run->arena, struct frame, room);
        memcpy(stack, m->stack, m->depth * sizeof *stack);
        m->stack = stack;
        m->room = room;
    }
    struct frame *f = &m->stack[m->depth++];
    *f = (struct frame){.kind = (uint8_t)kind, .block = block, .entered = entered, .sure = m->sure,
                        .settled = m->settled, .path = m->path, .way = m->way};
    return f;
}

// A part of the current tangle waits. Under a weaker model nothing is promised of a
// part: only of the whole, and of the whole again where all of it comes together.
static void push_arm(struct machine *m, uint32_t block, lane_mask lanes, const char *rule)
{
    struct frame *f = push(m, FR_ARM, block, lanes);
    f->rule = rule;
    f->sure = m->sure && lanes == m->v.active;
    f->path = path_with(m->path, m->block, block);
}

// A value is no block: it must not be taken for one.
static uint64_t way_of_value(const struct machine *m, uint64_t value)
{
    return path_with(~m->way, m->block, value);
}

// The same for one value of a switch that keeps its values apart.
static void push_value_arm(struct machine *m, uint32_t block, lane_mask lanes, uint64_t value)
{
    push_arm(m, block, lanes, "D2");
    struct frame *f = &m->stack[m->depth - 1];
    f->path = path_with(f->path, m->block, value);
    f->way = way_of_value(m, value);
}

// ---- leaving a block -----------------------------------------------------------

// OpPhi: the moves of an edge for the lanes that take it. They go nowhere else
// before the target block, so it can be done at once.
static void take_edge(struct machine *m, const struct edge *e, lane_mask lanes)
{
    struct values *v = &m->v;
    if (!e->parallel || m->group->run->o.fault == ORC_FAULT_PHIS_IN_ORDER) {
        for (uint32_t k = 0; k < e->move_count; k++) {
            copy_plane(v, plane_of(v, e->moves[k].dst), plane_of(v, e->moves[k].src), lanes);
            v->defined[e->moves[k].dst] = (v->defined[e->moves[k].dst] & ~lanes) |
                                          (v->defined[e->moves[k].src] & lanes);
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

// A construct of the current function that `target` belongs to takes the lanes.
// `sure`: the part that comes is one that the model promises to be whole.
static bool park_in(struct frame *f, uint32_t target, lane_mask lanes, bool sure, uint64_t way)
{
    if (target == f->merge) { // M1, M3
        f->merge_mask |= lanes;
        f->parts++;
        return true;
    }
    if (f->kind != FR_LOOP)
        return false;
    if (target == f->cont) { // M4
        f->cont_mask |= lanes;
        f->cont_parts++;
        f->part_sure = sure;
        f->part_way = way;
        return true;
    }
    if (target == f->block) { // the back edge
        f->back_mask |= lanes;
        f->part_sure = sure;
        f->part_way = way;
        return true;
    }
    return false;
}

// A machine made wrong on purpose: does it pass by this construct's joining place? The
// part then goes on alone, up to a place where an outer construct takes it.
static bool passes_by(const struct frame *f, uint32_t target, enum orc_fault fault)
{
    switch (fault) {
    case ORC_FAULT_SPLIT_AT_MERGE: return f->kind == FR_SELECTION && target == f->merge;
    case ORC_FAULT_SPLIT_AFTER_LOOP: return f->kind == FR_LOOP && target == f->merge;
    case ORC_FAULT_SPLIT_AT_CONTINUE:
        return f->kind == FR_LOOP && target == f->cont && target != f->block;
    default: return false;
    }
}

// Does `target` end this part? Then the lanes park where they belong, and true.
static bool park(struct machine *m, uint32_t target, lane_mask lanes)
{
    struct run *run = m->group->run;
    if (!m->p->blocks[target].is_target)
        return false;
    struct waiting_case *fall_through = NULL;
    struct frame *falls = NULL;
    for (uint32_t d = m->depth; d-- > 0 && m->stack[d].kind != FR_CALL;) {
        struct frame *f = &m->stack[d];
        if (f->kind == FR_SELECTION || f->kind == FR_LOOP) {
            if (run->o.fault && passes_by(f, target, run->o.fault))
                return false;
            if (park_in(f, target, lanes, m->sure && lanes == m->v.active, m->way))
                return true;
        } else if (f->kind == FR_SWITCH && !fall_through) {
            const struct block *b = &m->p->blocks[f->block];
            for (uint32_t k = 0; k < b->case_count; k++)
                if (b->edges[b->cases[k].edge].target == target)
                    falls = f, fall_through = &m->cases[f->next + k];
        }
    }
    // A label that is also a construct's merge block or continue target was parked
    // there; what is left is a case that another one falls through to.
    if (!fall_through)
        return false;
    run->stats->choice_points++;
    choice_seen(m, target, falls->path, 1);
    if (choice_at(m, target, falls->path) != SPV_POLICY_JOIN)
        return false;
    fall_through->unsettled |= fall_through->lanes || !m->settled;
    fall_through->lanes |= lanes; // M2
    falls->part_sure = falls->part_sure && m->sure && lanes == m->v.active;
    falls->part_way = m->way;
    return true;
}

// The tangle `lanes` goes on at `block`; `rule` says why, for who watches.
static void go(struct machine *m, uint32_t block, lane_mask lanes, const char *rule, bool joined)
{
    m->block = block;
    m->next = 0;
    m->rule = rule;
    m->joined = joined;
    machine_activate(m, lanes);
}

static void tell(const struct machine *m, const struct inst *group)
{
    const struct orc_observer *o = m->group->run->o.observer;
    struct orc_event e = {.kind = group ? ORC_EVENT_GROUP : ORC_EVENT_BLOCK,
                          .workgroup = m->group->index,
                          .subgroup = m->id,
                          .depth = m->depth - 1,
                          .lanes = m->v.lanes,
                          .active = m->v.active,
                          .live = m->live,
                          .label = m->p->blocks[m->block].label,
                          .rule = m->rule,
                          .joined = m->joined};
    if (group) {
        const struct spv_inst *s = &m->p->m.insts[group->spv];
        e.op = s->op;
        e.id = s->result;
        e.cells = m->p->types[s->type].cells;
        e.values = plane_of(&m->v, group->dst);
        e.defined = &m->v.defined[group->dst];
    }
    o->see(o->user, &e);
}

// The part that ran has ended: what runs next? False when nothing is left.
static bool resume(struct machine *m)
{
    struct orc_stats *stats = m->group->run->stats;
    while (m->depth) {
        struct frame *f = &m->stack[m->depth - 1];
        uint32_t block = f->block;
        lane_mask lanes;
        switch (f->kind) {
        case FR_ARM:
            lanes = f->entered;
            m->depth--;
            m->sure = f->sure;
            m->settled = f->settled;
            m->path = f->path;
            m->way = f->way;
            go(m, block, lanes, f->rule, false);
            m->next = f->next;
            return true;
        case FR_SWITCH: {
            const struct block *b = &m->p->blocks[f->block];
            struct waiting_case *cases = m->cases + f->next;
            uint32_t k = 0;
            while (k < b->case_count && !cases[k].lanes)
                k++;
            if (k == b->case_count) {
                m->case_top = f->next;
                m->depth--;
                break;
            }
            lanes = cases[k].lanes;
            cases[k].lanes = 0;
            m->sure = f->part_sure && lanes == f->entered;
            m->settled = f->settled && !cases[k].unsettled;
            block = b->edges[b->cases[k].edge].target;
            m->path = path_with(f->path, f->block, block);
            m->way = path_with(f->part_way, f->block, block);
            go(m, block, lanes, "D2", false);
            return true;
        }
        case FR_SELECTION: {
            bool joined = f->parts > 1;
            lanes = f->merge_mask;
            block = f->merge;
            stats->reconvergences += joined;
            m->depth--;
            if (!lanes)
                break;
            m->sure = f->sure && lanes == f->entered;
            m->settled = f->settled;
            m->path = f->path;
            m->way = f->way;
            go(m, block, lanes, "M1", joined);
            return true;
        }
        case FR_LOOP: {
            if (f->cont_mask) {
                bool joined = f->cont_parts > 1;
                lanes = f->cont_mask;
                stats->reconvergences += joined;
                m->sure = f->part_sure && !joined;
                m->settled = f->settled;
                f->cont_mask = 0;
                f->cont_parts = 0;
                if (f->cont == f->block) { // a loop of one block: this is the next iteration
                    f->again = true;
                    f->iteration++;
                }
                m->path = path_with(f->path, f->cont, (uint64_t)f->iteration << 1 | !f->again);
                m->way = path_with(f->part_way, f->cont, f->iteration);
                go(m, f->cont, lanes, "M4", joined);
                return true;
            }
            if (f->merge_mask && m->group->run->o.fault == ORC_FAULT_LOOP_ENDS_WITH_FIRST) {
                f->merge_mask |= f->back_mask;
                f->back_mask = 0;
            }
            if (f->back_mask) {
                lanes = f->back_mask;
                m->sure = f->part_sure;
                m->settled = f->settled;
                f->back_mask = 0;
                f->again = true;
                f->iteration++;
                m->path = path_with(f->path, f->block, (uint64_t)f->iteration << 1);
                m->way = path_with(f->part_way, f->block, f->iteration);
                go(m, f->block, lanes, "loop", false);
                return true;
            }
            bool joined = f->parts > 1;
            lanes = f->merge_mask;
            block = f->merge;
            stats->reconvergences += joined;
            m->depth--;
            if (!lanes)
                break;
            m->sure = f->sure && lanes == f->entered;
            m->settled = f->settled;
            m->path = f->path;
            m->way = f->way;
            go(m, block, lanes, "M3", joined);
            return true;
        }
        default: { // FR_CALL, M5
            lanes = f->merge_mask;
            uint32_t next = f->next;
            bool joined = f->parts > 1;
            lane_mask apart = joined ? f->back_mask : 0; // of a fault, see leave()
            stats->reconvergences += joined;
            m->depth--;
            if (m->depth == 0) // the entry point itself
                return false;
            if (apart) {
                push_arm(m, block, lanes & ~apart, "M5");
                m->stack[m->depth - 1].next = next;
                lanes = apart;
            }
            if (!lanes)
                break;
            m->sure = f->part_sure && !joined;
            m->settled = f->settled;
            m->path = f->path;
            m->way = f->part_way;
            go(m, block, lanes, "M5", joined);
            m->next = next;
            if (m->group->run->o.observer)
                tell(m, NULL);
            return true;
        }
        }
    }
    return false;
}

// ---- terminators ----------------------------------------------------------------

static bool branch(struct machine *m, const struct edge *e)
{
    lane_mask lanes = m->v.active;
    take_edge(m, e, lanes);
    if (park(m, e->target, lanes))
        return resume(m);
    go(m, e->target, lanes, "", false);
    return true;
}

// D1
static bool conditional(struct machine *m, const struct block *b)
{
    lane_mask active = m->v.active, yes = 0;
    const uint64_t *c = plane_of(&m->v, b->plane);
    LANES_EACH (l, active)
        if (c[l] & 1)
            yes |= lane_bit(l);
    lane_mask part[2] = {yes, active & ~yes};
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
        if (park(m, b->edges[0].target, active))
            return resume(m);
        go(m, b->edges[0].target, active, "", false);
        return true;
    }
    m->group->run->stats->divergences++;
    // The second part waits below the first.
    for (int k = 1; k >= 0; k--) {
        take_edge(m, &b->edges[k], part[k]);
        if (!park(m, b->edges[k].target, part[k]))
            push_arm(m, b->edges[k].target, part[k], "D1");
    }
    return resume(m);
}

// Case that a selector value enters.
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

// Room for the lanes that wait for each case, as a stack of its own.
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

// D2, D3
static bool switch_over(struct machine *m, const struct block *b)
{
    struct run *run = m->group->run;
    const uint64_t *selector = plane_of(&m->v, b->plane);
    struct {
        lane_mask lanes;
        uint64_t value;
        uint32_t at;
    } part[LANES_MAX];
    uint32_t parts = 0;
    LANES_EACH (l, m->v.active) {
        uint32_t k = 0;
        while (k < parts && part[k].value != selector[l])
            k++;
        if (k == parts) {
            part[parts].value = selector[l];
            part[parts].lanes = 0;
            part[parts++].at = case_of(b, selector[l]);
        }
        part[k].lanes |= lane_bit(l);
    }
    run->stats->divergences += parts > 1;
    // Cases of this switch are not open yet: a label may be an outer target.
    uint32_t first = wait_for_cases(m, b->case_count), arms = 0;
    struct waiting_case *cases = m->cases + first;
    for (uint32_t k = 0; k < parts; k++) {
        const struct edge *e = &b->edges[b->cases[part[k].at].edge];
        take_edge(m, e, part[k].lanes);
        if (park(m, e->target, part[k].lanes)) {
            part[k].lanes = 0;
            continue;
        }
        // Several values may come this way: here, or (which a barrier makes matter) in
        // another subgroup.
        const struct switch_case *to = &b->cases[part[k].at];
        if (cases[part[k].at].lanes || (m->p->has_barrier && to->value_count + to->is_default > 1) ||
            (m->p->has_barrier && to->is_default))
            run->stats->choice_points++;
        choice_seen(m, e->target, m->path, 1);
        cases[part[k].at].unsettled |= cases[part[k].at].lanes != 0;
        cases[part[k].at].lanes |= part[k].lanes;
        arms++;
    }
    if (!arms) {
        m->case_top = first;
        return resume(m);
    }
    struct frame *f = push(m, FR_SWITCH, m->block, m->v.active);
    f->next = first;
    f->part_sure = m->sure && parts == 1; // what falls through joins by choice only (M2)
    f->part_way = way_of_value(m, part[0].value);
    // Where values do not come together, each on its own, in the order of the cases.
    for (uint32_t c = b->case_count; c-- > 0;) {
        uint32_t target = b->edges[b->cases[c].edge].target;
        if (!cases[c].lanes || choice_at(m, target, f->path) != SPV_POLICY_SPLIT)
            continue;
        cases[c].lanes = 0;
        for (uint32_t k = parts; k-- > 0;)
            if (part[k].lanes && part[k].at == c)
                push_value_arm(m, target, part[k].lanes, part[k].value);
    }
    return resume(m);
}

static bool leave(struct machine *m, bool *failed)
{
    const struct block *b = &m->p->blocks[m->block];
    struct values *v = &m->v;
    *failed = false;
    if (b->merge_kind == SpvOpSelectionMerge) {
        struct frame *f = push(m, FR_SELECTION, m->block, v->active);
        f->merge = b->merge;
    } else if (b->merge_kind == SpvOpLoopMerge) {
        struct frame *f = m->depth ? &m->stack[m->depth - 1] : NULL;
        if (f && f->kind == FR_LOOP && f->block == m->block && f->again)
            f->again = false; // M3: the relation is to the entry, not to this iteration
        else {
            f = push(m, FR_LOOP, m->block, v->active);
            f->merge = b->merge;
            f->cont = b->cont;
            m->path = path_with(m->path, m->block, 0);
        }
    }
    if (m->depth > DEPTH_MAX) {
        *failed = !machine_fail(m, ORC_OVER_LIMIT, NULL, b->end_spv, v->active,
                                "constructs nested more than %d deep", DEPTH_MAX);
        return false;
    }
    if ((b->end == END_CONDITIONAL || b->end == END_SWITCH) &&
        (v->defined[b->plane] & v->active) != v->active && !m->group->run->o.fault) {
        *failed = !machine_fail(m, ORC_UNDEFINED, "E-branch", b->end_spv,
                                v->active & ~v->defined[b->plane],
                                "the branch depends on an undefined value");
        return false;
    }
    switch (b->end) {
    case END_BRANCH: return branch(m, &b->edges[0]);
    case END_CONDITIONAL: return conditional(m, b);
    case END_SWITCH: return switch_over(m, b);
    case END_RETURN:
    case END_RETURN_VALUE: { // E3
        uint32_t d = m->depth - 1;
        while (m->stack[d].kind != FR_CALL)
            d--;
        struct frame *f = &m->stack[d];
        if (b->end == END_RETURN_VALUE && d > 0) {
            const struct inst *call = &m->p->blocks[f->block].insts[f->next - 1];
            for (uint32_t k = 0; k < b->cells; k++) {
                copy_plane(v, plane_of(v, call->dst + k), plane_of(v, b->plane + k), v->active);
                define(v, call->dst + k, v->defined[b->plane + k]);
            }
        }
        if (!f->parts && m->group->run->o.fault == ORC_FAULT_SPLIT_AFTER_CALL)
            f->back_mask = v->active; // which no call has
        f->merge_mask |= v->active;
        f->parts++;
        f->part_sure = m->sure;
        f->part_way = m->way;
        return resume(m);
    }
    default:
        *failed = !machine_fail(m, ORC_UNDEFINED, "E-unreachable", b->end_spv, v->active,
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
        }
    }
    memory_enter(m, f);
    struct frame *fr = push(m, FR_CALL, m->block, v->active);
    fr->next = m->next;
    m->path = path_with(m->path, i->spv, f->entry);
    m->way = path_with(m->way, i->spv, f->entry);
    go(m, f->entry, v->active, "call", false);
}

// OpControlBarrier: the whole workgroup, or it has no meaning.
static bool at_barrier(struct machine *m, const struct inst *i)
{
    if (m->v.active != m->live ||
        (m->p->weak && !(m->sure && promise_holds(m, i->spv, m->way))))
        return machine_fail(m, ORC_UNDEFINED, "E-barrier", i->spv, m->live & ~m->v.active,
                            "the barrier is not reached by all invocations of the subgroup "
                            "together");
    m->barrier_tag = path_with(m->path, i->spv, 0);
    m->waiting = true;
    return true;
}

static bool execute(struct machine *m, const struct inst *i)
{
    switch (i->klass) {
    case IN_GROUP:
        m->group->run->stats->group_ops++;
        m->group->run->stats->partial_group_ops += m->v.active != m->live;
        if (!(m->group->run->o.fault ? fault_group : group_run)(m, i))
            return false;
        // Of a tangle that the model promises nothing about, or of one by choice.
        if ((m->p->weak && !(m->sure && promise_holds(m, i->spv, m->way))) ||
            (!m->settled && m->group->run->o.any_policy))
            promise_withdraw(m, i);
        m->group->run->stats->group_results += lane_count(m->v.active);
        m->group->run->stats->live_results += lane_count(m->v.active & m->v.defined[i->dst]);
        if (m->group->run->o.observer)
            tell(m, i);
        return true;
    case IN_CALL: enter(m, i); return true;
    case IN_BARRIER: return at_barrier(m, i);
    default: return machine_execute(m, i);
    }
}

void machine_start(struct machine *m)
{
    const struct function *f = &m->p->functions[m->p->entry];
    m->depth = m->case_top = 0;
    m->sure = m->settled = true;
    m->path = m->way = 0;
    m->steps = 0;
    m->waiting = m->done = false;
    push(m, FR_CALL, f->entry, m->live);
    m->v.active = 0;
    go(m, f->entry, m->live, "I1", false);
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
            if (run->o.observer)
                tell(m, NULL);
            if (m->steps > run->o.step_limit)
                return machine_fail(m, ORC_OVER_LIMIT, NULL, b->end_spv, m->v.active,
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
        }
        if (m->block != at)
            continue; // in the callee
        bool failed;
        if (!leave(m, &failed)) {
            if (failed)
                return false;
            m->done = true;
        }
    }
    return true;
}
