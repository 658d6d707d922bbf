// SPDX-License-Identifier: Apache-2.0
//
// Where the parts of a split tangle wait, park and come together: M1 to M5, E3 and E4. flow.c says what the
// whole is; here is its stack. A part that comes to a block asks flow_park() whether it ends there;
// where it does, flow_resume() says what runs next.
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
    *f = (struct frame){.kind = (uint8_t)kind, .block = block, .entered = entered, .sure = m->sure,
                        .settled = m->settled, .path = m->path, .way = m->way};
    return f;
}

// A part of the current tangle waits. Under a weaker model nothing is promised of a
// part: only of the whole, and of the whole again where all of it comes together.
void flow_push_arm(struct machine *m, uint32_t block, lane_mask lanes, const char *rule)
{
    struct frame *f = flow_push(m, FR_ARM, block, lanes);
    f->rule = rule;
    f->sure = m->sure && lanes == m->v.active;
    f->path = path_with(m->path, m->block, block);
}

// A value is no block: it must not be taken for one.
uint64_t flow_way_of_value(const struct machine *m, uint64_t value)
{
    return path_with(~m->way, m->block, value);
}

// The same for one value of a switch that keeps its values apart.
void flow_push_value_arm(struct machine *m, uint32_t block, lane_mask lanes, uint64_t value)
{
    flow_push_arm(m, block, lanes, "D2");
    struct frame *f = &m->stack[m->depth - 1];
    f->path = path_with(f->path, m->block, value);
    f->way = flow_way_of_value(m, value);
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
bool flow_park(struct machine *m, uint32_t target, lane_mask lanes)
{
    struct run *run = m->group->run;
    if (!m->p->blocks[target].is_target)
        return false;
    struct waiting_case *fall_through = NULL;
    struct frame *falls = NULL;
    bool inner = false; // out of a construct: the escape E4
    for (uint32_t d = m->depth; d-- > 0 && m->stack[d].kind != FR_CALL;) {
        struct frame *f = &m->stack[d];
        if (f->kind == FR_SELECTION || f->kind == FR_LOOP) {
            if (run->o.fault && passes_by(f, target, run->o.fault))
                return false;
            run->stats->escapes +=
                inner && (target == f->merge || (f->kind == FR_LOOP && target == f->cont));
            if (park_in(f, target, lanes, m->sure && lanes == m->v.active, m->way))
                return true;
            inner = true;
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
    fall_through->joined |= fall_through->lanes != 0;
    fall_through->fell = true;
    fall_through->lanes |= lanes; // M2
    falls->part_sure = falls->part_sure && m->sure && lanes == m->v.active;
    falls->part_way = m->way;
    return true;
}

// The tangle `lanes` goes on at `block`; `rule` says why, for who watches.
void flow_go(struct machine *m, uint32_t block, lane_mask lanes, const char *rule, bool joined)
{
    m->block = block;
    m->next = 0;
    m->rule = rule;
    m->joined = joined;
    machine_activate(m, lanes);
}

void flow_tell(const struct machine *m, const struct inst *group)
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
bool flow_resume(struct machine *m)
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
            flow_go(m, block, lanes, f->rule, false);
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
            const char *rule = cases[k].fell ? "M2" : "D2";
            bool joined = cases[k].joined;
            cases[k] = (struct waiting_case){.unsettled = cases[k].unsettled};
            m->sure = f->part_sure && lanes == f->entered;
            m->settled = f->settled && !cases[k].unsettled;
            block = b->edges[b->cases[k].edge].target;
            m->path = path_with(f->path, f->block, block);
            m->way = path_with(f->part_way, f->block, block);
            flow_go(m, block, lanes, rule, joined);
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
            flow_go(m, block, lanes, "M1", joined);
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
                flow_go(m, f->cont, lanes, "M4", joined);
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
                flow_go(m, f->block, lanes, "loop", false);
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
            flow_go(m, block, lanes, "M3", joined);
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
                flow_push_arm(m, block, lanes & ~apart, "M5");
                m->stack[m->depth - 1].next = next;
                lanes = apart;
            }
            if (!lanes)
                break;
            m->sure = f->part_sure && !joined;
            m->settled = f->settled;
            m->path = f->path;
            m->way = f->part_way;
            flow_go(m, block, lanes, "M5", joined);
            m->next = next;
            if (m->group->run->o.observer)
                flow_tell(m, NULL);
            return true;
        }
        }
    }
    return false;
}
