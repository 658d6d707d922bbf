// SPDX-License-Identifier: Apache-2.0
//
// The stack of the mask machine: where the parts of a split tangle wait and reconverge (M1 to M5,
// E3, E4). flow.c has an overview. For a part that reaches a block, flow_park() decides whether it
// waits there; flow_resume() then selects the part that runs next.
#include "fault.h"
#include "flow.h"

#include <string.h>

struct frame *flow_push(struct machine *m, enum frame_kind kind, uint32_t block, lane_mask entered)
{
    if (m->depth == m->room) {
        uint32_t room = m->room * 2;
        struct frame *stack = ARENA_ARRAY(m->group->run->arena, struct frame, room);
        memcpy(stack, m->stack, m->depth * sizeof *stack);
        m->stack = stack;
        m->room = room;
    }
    struct frame *f = &m->stack[m->depth++];
    *f = (struct frame){.kind = (uint8_t)kind,
                        .block = block,
                        .entered = entered,
                        .sure = m->sure,
                        .decided = m->decided,
                        .path = m->path,
                        .way = m->way};
    return f;
}

// A part of the current tangle waits. A weaker model promises nothing for a part; it promises the
// tangle again where all of it reconverges.
void flow_push_part(struct machine *m, uint32_t block, lane_mask lanes, const char *rule)
{
    struct frame *f = flow_push(m, FR_PART, block, lanes);
    f->part.rule = rule;
    f->sure = m->sure && lanes == m->v.active;
    f->path = path_with(m->path, m->block, block);
}

// Inverts m->way, so that the hash of a selector value differs from that of a block.
uint64_t flow_way_of_value(const struct machine *m, uint64_t value)
{
    return path_with(~m->way, m->block, value);
}

// The same for one value of a switch whose values stay diverged.
void flow_push_value(struct machine *m, uint32_t block, lane_mask lanes, uint64_t value)
{
    flow_push_part(m, block, lanes, "D2");
    struct frame *f = &m->stack[m->depth - 1];
    f->path = path_with(f->path, m->block, value);
    f->way = flow_way_of_value(m, value);
}

// ---- a part ends ------------------------------------------------------------------

static void arrive(struct join *j, lane_mask lanes)
{
    j->lanes |= lanes;
    j->parts++;
}

// Adds a part that reaches `target` to the lanes that wait in this construct. False if the
// construct has no merge block, continue target or header there.
static bool park_in(struct frame *f, uint32_t target, lane_mask lanes, struct last_part part)
{
    if (f->kind == FR_SELECTION) {
        if (target != f->selection.merge_block)
            return false;
        arrive(&f->selection.at_merge, lanes); // M1
        return true;
    }
    if (target == f->loop.merge_block) {
        arrive(&f->loop.at_merge, lanes); // M3; R1: M4 does not wait for them
        return true;
    }
    if (target == f->loop.continue_target)
        arrive(&f->loop.at_continue, lanes); // M4
    else if (target == f->block)
        f->loop.at_header |= lanes; // R6: the back edge belongs to its own loop
    else
        return false;
    f->loop.last = part;
    return true;
}

// True if the parts of the construct join at `target`.
static bool joins_at(const struct frame *f, uint32_t target)
{
    return f->kind == FR_SELECTION
               ? target == f->selection.merge_block
               : target == f->loop.merge_block || target == f->loop.continue_target;
}

// Returns the case of an open switch that starts at `target`, or NULL.
static struct waiting_case *case_at(const struct machine *m, const struct frame *f, uint32_t target)
{
    const struct block *b = &m->p->blocks[f->block];
    struct waiting_case *found = NULL;
    for (uint32_t k = 0; k < b->case_count; k++)
        if (b->edges[b->cases[k].edge].target == target)
            found = &m->cases[f->cases.first + k];
    return found;
}

void flow_gone(struct machine *m, lane_mask gone)
{
    if (!gone)
        return;
    for (uint32_t d = 0; d < m->depth; d++) {
        struct frame *f = &m->stack[d];
        switch (f->kind) {
        case FR_CALL:
            f->call.returned.lanes &= ~gone;
            break;
        case FR_SELECTION:
            f->selection.at_merge.lanes &= ~gone;
            break;
        case FR_LOOP:
            f->loop.at_merge.lanes &= ~gone;
            f->loop.at_continue.lanes &= ~gone;
            break; // lanes at the header take the back edge together, at once
        case FR_PART:
            f->entered &= ~gone;
            break;
        default:
            break; // a switch's are in m->cases
        }
    }
    for (uint32_t k = 0; k < m->case_top; k++)
        m->cases[k].lanes &= ~gone;
}

// Stores the position of the current tangle in run->here.
static void stand(const struct machine *m)
{
    struct run *run = m->group->run;
    run->here.n = 0;
    for (uint32_t d = 1; d < m->depth; d++) { // skips the call of the entry point
        const struct frame *f = &m->stack[d];
        if (f->kind == FR_CALL)
            *VEC_PUSH(run->arena, &run->here) =
                (struct helper_place){f->block, f->call.next, false};
        else if (f->kind == FR_LOOP)
            *VEC_PUSH(run->arena, &run->here) =
                (struct helper_place){f->block, f->loop.iteration, true};
    }
    *VEC_PUSH(run->arena, &run->here) = (struct helper_place){m->block, m->next, false};
}

void flow_near(struct machine *m)
{
    m->near = 0;
    if (!m->lost)
        return;
    stand(m);
    m->near = helper_may_be_here(m);
}

void flow_lose(struct machine *m, lane_mask lost)
{
    struct run *run = m->group->run;
    uint32_t d = m->depth;
    stand(m);
    helper_seen_last(m, lost);
    run->levels.n = 0;
    while (m->stack[--d].kind != FR_CALL) {
        const struct frame *f = &m->stack[d];
        if (f->kind == FR_SELECTION)
            *VEC_PUSH(run->arena, &run->levels) =
                (struct helper_level){f->selection.merge_block, NONE, d};
        else if (f->kind == FR_LOOP)
            *VEC_PUSH(run->arena, &run->levels) =
                (struct helper_level){f->loop.merge_block, f->loop.continue_target, d};
    }
    const uint32_t n = (uint32_t)run->levels.n;
    const uint32_t back = helper_way_back(m, m->block, run->levels.v, n, d > 0, lost);
    struct frame *f = &m->stack[back < n ? run->levels.v[back].at : d];
    if (back < n && f->kind == FR_SELECTION)
        f->selection.at_merge.lanes |= lost; // M1
    else if (back < n)
        f->loop.at_merge.lanes |= lost; // M3
    if (back == n) {
        const struct inst *call = &m->p->blocks[f->block].insts[f->call.next - 1];
        for (uint32_t k = 0; k < call->comps; k++)
            m->v.defined[call->dst + k] &= ~lost;
        arrive(&f->call.returned, lost); // M5
    }
}

// If `target` ends this part, adds the lanes to those that wait there and returns true.
bool flow_park(struct machine *m, uint32_t target, lane_mask lanes)
{
    struct orc_stats *stats = m->group->run->stats;
    struct last_part part = {m->sure && lanes == m->v.active, m->way};
    if (fault_goes_outside(m, m->block, target, lanes))
        return true;
    if (!m->p->blocks[target].is_target)
        return false; // M6
    struct waiting_case *fall_through = NULL;
    struct frame *falls = NULL;
    bool inner = false; // the branch leaves an inner construct
    for (uint32_t d = m->depth; d-- > 0 && m->stack[d].kind != FR_CALL;) {
        struct frame *f = &m->stack[d];
        if (f->kind == FR_SELECTION || f->kind == FR_LOOP) {
            if (fault_passes_by(m, f, target))
                return false;
            if (park_in(f, target, lanes, part)) {
                stats->escapes += inner && joins_at(f, target); // E4: leaves all inner constructs
                return true;
            }
            inner = true;
        } else if (f->kind == FR_SWITCH && !fall_through) {
            fall_through = case_at(m, f, target);
            falls = f;
        }
    }
    // The search above has handled labels that are also a merge block or continue target of a
    // construct. What remains is a fall-through to another case.
    if (!fall_through)
        return false; // M6
    stats->choice_points++;
    choice_seen(m, m->p->blocks[target].label, falls->path, 1);
    if (choice_at(m, m->p->blocks[target].label, falls->path) != SPV_POLICY_JOIN)
        return false; // M2 may: R3
    fall_through->by_choice |= fall_through->lanes || !m->decided;
    fall_through->joined |= fall_through->lanes != 0;
    fall_through->fell = true;
    fall_through->lanes |= lanes; // M2
    falls->cases.last.sure = falls->cases.last.sure && part.sure;
    falls->cases.last.way = part.way;
    return true;
}

// Continues at `block` with the tangle `lanes`. `rule` is for the observer.
void flow_go(struct machine *m, uint32_t block, lane_mask lanes, const char *rule, bool joined)
{
    m->block = block;
    m->next = 0;
    m->rule = rule;
    m->joined = joined;
    machine_activate(m, lanes);
}

struct orc_event flow_event(const struct machine *m, const struct inst *group)
{
    struct orc_event e = {.kind = group ? ORC_EVENT_GROUP : ORC_EVENT_BLOCK,
                          .workgroup = m->group->index,
                          .subgroup = m->id,
                          .depth = m->depth - 1,
                          .lanes = m->v.lanes,
                          .active = m->v.active,
                          .live = m->live & ~m->ended & ~m->lost,
                          .helper = m->helper & ~m->ended & ~m->lost,
                          .quads = m->p->stage->has_pixels,
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
    return e;
}

void flow_report(const struct machine *m, const struct inst *group)
{
    const struct orc_observer *o = m->group->run->o.observer;
    const struct orc_event e = flow_event(m, group);
    o->see(o->user, &e);
}

void flow_report_print(const struct machine *m, const struct inst *print)
{
    const struct orc_observer *o = m->group->run->o.observer;
    const struct spv_inst *s = &m->p->m.insts[print->spv];
    struct orc_event e = flow_event(m, NULL);
    uint64_t *values = ARENA_ARRAY(m->group->run->arena, uint64_t, (size_t)print->n * m->v.lanes);
    lane_mask *defined = ARENA_ARRAY(m->group->run->arena, lane_mask, print->n);
    for (uint32_t k = 0; k < print->n; k++) {
        memcpy(values + (size_t)k * m->v.lanes, plane_of(&m->v, print->moves[k].src),
               m->v.lanes * sizeof *values);
        defined[k] = m->v.defined[print->moves[k].src];
    }
    e.kind = ORC_EVENT_PRINT;
    e.op = s->op;
    e.id = s->result;
    e.cells = print->n;
    e.values = values;
    e.defined = defined;
    o->see(o->user, &e);
}

// ---- what runs next -----------------------------------------------------------------

// Sets the state of the tangle that continues.
static void become(struct machine *m, bool sure, bool decided, uint64_t path, uint64_t way)
{
    m->sure = sure;
    m->decided = decided;
    m->path = path;
    m->way = way;
}

// Continues a part that waited. Like the functions below, returns false if no lane continues there.
static bool resume_part(struct machine *m, const struct frame *f)
{
    m->depth--;
    if (!f->entered) // E2
        return false;
    become(m, f->sure, f->decided, f->path, f->way);
    flow_go(m, f->block, f->entered, f->part.rule, false); // D1, D2
    m->next = f->part.next;
    return true;
}

// Continues the next case that has lanes. The lanes that fall through to it have arrived, because
// the loader has ordered the cases.
static bool resume_case(struct machine *m, const struct frame *f)
{
    const struct block *b = &m->p->blocks[f->block];
    struct waiting_case *cases = m->cases + f->cases.first;
    uint32_t k = 0;
    while (k < b->case_count && !cases[k].lanes)
        k++;
    if (k == b->case_count) {
        m->case_top = f->cases.first;
        m->depth--;
        return false;
    }
    const struct waiting_case now = cases[k];
    cases[k] = (struct waiting_case){.by_choice = now.by_choice};
    uint32_t block = b->edges[b->cases[k].edge].target;
    become(m, f->cases.last.sure && now.lanes == f->entered, f->decided && !now.by_choice,
           path_with(f->path, f->block, block), path_with(f->cases.last.way, f->block, block));
    flow_go(m, block, now.lanes, now.fell ? "M2" : "D2", now.joined);
    return true;
}

// The construct has ended. All lanes that reached its merge block continue as one tangle, with the
// state of the tangle that opened the construct; lanes that escaped are missing.
static bool resume_at_merge(struct machine *m, const struct frame *f, uint32_t block,
                            struct join at, const char *rule)
{
    bool joined = at.parts > 1;
    m->group->run->stats->reconvergences += joined;
    m->depth--;
    if (!at.lanes || fault_goes_outside(m, f->block, block, at.lanes))
        return false;
    m->lost &= ~at.lanes;
    become(m, f->sure && at.lanes == f->entered, f->decided, f->path, f->way);
    flow_go(m, block, at.lanes, rule, joined);
    return true;
}

static void next_iteration(struct machine *m, struct frame *f, lane_mask lanes)
{
    const struct block *b = &m->p->blocks[f->block];
    f->loop.again = true;
    f->loop.iteration++;
    if (f->loop.iteration > b->most)
        machine_stray(m, "E-assume", b->end_spv, lanes,
                      "the loop takes more iterations than its MaxIterations");
}

// Continues all lanes that reached the continue target in this iteration.
static bool resume_at_continue(struct machine *m, struct frame *f)
{
    struct join at = f->loop.at_continue;
    uint32_t block = f->loop.continue_target;
    bool joined = at.parts > 1;
    if (!at.lanes)
        return false;
    m->group->run->stats->reconvergences += joined;
    f->loop.at_continue = (struct join){0};
    if (block == f->block) // a loop of one block: this is the next iteration
        next_iteration(m, f, at.lanes);
    become(m, f->loop.last.sure && !joined, f->decided,
           path_with(f->path, block, (uint64_t)f->loop.iteration << 1 | !f->loop.again),
           path_with(f->loop.last.way, block, f->loop.iteration));
    flow_go(m, block, at.lanes, "M4", joined);
    return true;
}

// Starts the next iteration with all lanes that took the back edge.
static bool resume_at_header(struct machine *m, struct frame *f)
{
    lane_mask lanes = f->loop.at_header;
    if (!lanes)
        return false;
    f->loop.at_header = 0;
    next_iteration(m, f, lanes);
    become(m, f->loop.last.sure, f->decided,
           path_with(f->path, f->block, (uint64_t)f->loop.iteration << 1),
           path_with(f->loop.last.way, f->block, f->loop.iteration));
    flow_go(m, f->block, lanes, "loop", false);
    return true;
}

static bool resume_loop(struct machine *m, struct frame *f)
{
    if (resume_at_continue(m, f))
        return true;
    fault_ends_loop(m, f);
    if (resume_at_header(m, f))
        return true;
    return !fault_leaves_loop(m) &&
           resume_at_merge(m, f, f->loop.merge_block, f->loop.at_merge, "M3");
}

// Continues after a call with all lanes that returned, from any return of the callee.
static bool resume_after_call(struct machine *m, const struct frame *f)
{
    struct join at = f->call.returned;
    bool joined = at.parts > 1;
    m->group->run->stats->reconvergences += joined;
    m->depth--;
    if (m->depth == 0 || !at.lanes) // the entry point has no caller
        return false;
    m->lost &= ~at.lanes;
    become(m, f->call.last.sure && !joined, f->decided, f->path, f->call.last.way);
    flow_go(m, f->block, at.lanes, "M5", joined);
    m->next = f->call.next;
    fault_splits_after_call(m, f);
    if (m->group->run->o.observer)
        flow_report(m, NULL);
    return true;
}

// Selects the part that runs after the current one has ended. False if none is left.
bool flow_resume(struct machine *m)
{
    while (m->depth) {
        struct frame *f = &m->stack[m->depth - 1];
        bool goes_on;
        switch (f->kind) {
        case FR_PART:
            goes_on = resume_part(m, f);
            break;
        case FR_SWITCH:
            goes_on = resume_case(m, f);
            break;
        case FR_SELECTION:
            goes_on = resume_at_merge(m, f, f->selection.merge_block, f->selection.at_merge, "M1");
            break;
        case FR_LOOP:
            goes_on = resume_loop(m, f);
            break;
        default:
            goes_on = resume_after_call(m, f);
            break;
        }
        if (goes_on)
            return true;
    }
    return false;
}
