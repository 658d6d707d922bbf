// SPDX-License-Identifier: Apache-2.0
//
// Injected faults of the mask machine: each breaks one rule (enum orc_fault), to measure whether
// programs detect it. fault.h has the places at which a fault applies.
//
// A machine with a fault has register values without definedness. It reads the stale value of an
// inactive lane, and it never reports that lane's value as undefined.
#include "fault.h"
#include "execute.h"
#include "flow.h"

#include "spirv/spirv_groups.h"

#include <string.h>

const char *orc_fault_name(enum orc_fault f)
{
#define FAULT_NAME(id, name) name,
    static const char *const names[] = {ORC_FAULT_ROWS(FAULT_NAME)};
    return names[f];
}

// ---- joins ------------------------------------------------------------------------

bool fault_joins_not(const struct machine *m, const struct frame *f, uint32_t target)
{
    if (!fault_in_block(m, f->block))
        return false;
    switch (m->group->run->o.fault) {
    case ORC_FAULT_SPLIT_AT_MERGE:
        return f->kind == FR_SELECTION && target == f->selection.merge_block;
    case ORC_FAULT_SPLIT_AFTER_LOOP:
        return f->kind == FR_LOOP && target == f->loop.merge_block;
    case ORC_FAULT_SPLIT_AT_CONTINUE: // a loop of one block has no other path to its header
        return f->kind == FR_LOOP && target == f->loop.continue_target && target != f->block;
    default:
        return false;
    }
}

void fault_iterations_end(struct frame *f)
{
    if (!f->loop.at_merge.lanes)
        return;
    f->loop.at_merge.lanes |= f->loop.at_header;
    f->loop.at_header = 0;
}

void fault_part_after_call(struct machine *m, lane_mask first)
{
    lane_mask others = m->v.active & ~first;
    if (!others)
        return;
    flow_push_part(m, m->block, others, "M5");
    m->stack[m->depth - 1].part.next = m->next;
    machine_activate(m, first);
}

// ---- lanes that a group operation counts --------------------------------------------

// Returns the innermost open construct of a kind in the current function, or NULL.
static const struct frame *innermost(const struct machine *m, enum frame_kind kind)
{
    for (uint32_t d = m->depth; d-- > 0;) {
        if (m->stack[d].kind == kind)
            return &m->stack[d];
        if (m->stack[d].kind == FR_CALL)
            break;
    }
    return NULL;
}

static lane_mask waiting_cases(const struct machine *m)
{
    const struct frame *f = innermost(m, FR_SWITCH);
    lane_mask all = 0;
    for (uint32_t k = 0; f && k < m->p->blocks[f->block].case_count; k++)
        all |= m->cases[f->cases.first + k].lanes;
    return all;
}

// True for an arithmetic operation over the tangle. Operations without a group operation operand
// have group_op 0, which is Reduce.
static bool is_reduction(const struct inst *i)
{
    return spv_group_find(i->op)->klass == SPV_GROUP_REDUCE &&
           i->group_op == SpvGroupOperationReduce;
}

// Returns inactive lanes that the fault makes the operation count.
static lane_mask ghosts(const struct machine *m, const struct inst *i)
{
    const struct frame *f = NULL;
    bool scan = i->group_op == SpvGroupOperationInclusiveScan ||
                i->group_op == SpvGroupOperationExclusiveScan;
    // Operands that must be uniform: these faults do not concern stale ones.
    if (spv_group_find(i->op)->uniform || i->group_op > SpvGroupOperationClusteredReduce)
        return 0;
    switch (m->group->run->o.fault) {
    case ORC_FAULT_BROKEN_LANES_STAY:
        f = innermost(m, FR_LOOP);
        return f ? f->loop.at_merge.lanes : 0;
    case ORC_FAULT_CONTINUED_LANES_STAY:
        f = innermost(m, FR_LOOP);
        return f ? f->loop.at_continue.lanes : 0;
    case ORC_FAULT_RETURNED_LANES_STAY:
        return innermost(m, FR_CALL)
            ->call.returned.lanes; // always found: the entry point is a call
    case ORC_FAULT_OTHER_ARM_STAYS:
        f = &m->stack[m->depth - 1];
        return f->kind == FR_PART ? f->entered : 0;
    case ORC_FAULT_DONE_ARM_STAYS:
        f = innermost(m, FR_SELECTION);
        return f ? f->selection.at_merge.lanes : 0;
    case ORC_FAULT_CASES_STAY:
        return waiting_cases(m);
    case ORC_FAULT_INACTIVE_IN_BALLOT:
        return i->op == SpvOpGroupNonUniformBallot ? m->live : 0;
    case ORC_FAULT_MISSING_IN_BALLOT:
        return i->op == SpvOpGroupNonUniformBallot && m->v.active == m->live
                   ? lanes_below(m->v.lanes)
                   : 0;
    case ORC_FAULT_MISSING_HALF:
        return i->op == SpvOpGroupNonUniformBallot && m->v.active == m->live &&
                       m->live == lanes_below(m->v.lanes / 2)
                   ? lanes_below(m->v.lanes)
                   : 0;
    case ORC_FAULT_MISSING_IN_CLUSTER:
        return i->group_op == SpvGroupOperationClusteredReduce && m->v.active == m->live
                   ? lanes_below(m->v.lanes)
                   : 0;
    case ORC_FAULT_INACTIVE_IN_PARTITION:
        return i->op == SpvOpGroupNonUniformPartitionNV ? m->live : 0;
    case ORC_FAULT_INACTIVE_IN_VOTE:
        return spv_group_find(i->op)->klass == SPV_GROUP_VOTE ? m->live : 0;
    case ORC_FAULT_INACTIVE_IN_QUAD:
        return i->op == SpvOpGroupNonUniformQuadAllKHR || i->op == SpvOpGroupNonUniformQuadAnyKHR
                   ? m->live
                   : 0;
    case ORC_FAULT_INACTIVE_IN_REDUCE:
        return is_reduction(i) ? m->live : 0;
    case ORC_FAULT_INACTIVE_IN_SCAN:
        return scan && i->op != SpvOpGroupNonUniformBallotBitCount ? m->live : 0;
    default:
        return 0;
    }
}

// ---- wrong results of an operation ----------------------------------------------

// Returns the instruction as the fault changes it.
static struct inst misread(const struct machine *m, const struct inst *i)
{
    struct inst w = *i;
    bool bits = i->op == SpvOpGroupNonUniformBallotBitCount;
    switch (m->group->run->o.fault) {
    case ORC_FAULT_SCAN_INCLUDES_SELF:
        if (!bits && i->group_op == SpvGroupOperationExclusiveScan)
            w.group_op = SpvGroupOperationInclusiveScan;
        break;
    case ORC_FAULT_SCAN_LEAVES_SELF_OUT:
        if (!bits && i->group_op == SpvGroupOperationInclusiveScan)
            w.group_op = SpvGroupOperationExclusiveScan;
        break;
    case ORC_FAULT_COUNT_INCLUDES_SELF:
        if (bits && i->group_op == SpvGroupOperationExclusiveScan)
            w.group_op = SpvGroupOperationInclusiveScan;
        break;
    case ORC_FAULT_HIGHEST_FOR_LOWEST:
        if (i->op == SpvOpGroupNonUniformBallotFindLSB)
            w.op = SpvOpGroupNonUniformBallotFindMSB;
        break;
    case ORC_FAULT_BROADCAST_IS_FIRST:
        if (i->op == SpvOpGroupNonUniformBroadcast) {
            w.op = SpvOpGroupNonUniformBroadcastFirst;
            w.n = 1;
        }
        break;
    case ORC_FAULT_SIGN_LOST:
        if (i->op == SpvOpGroupNonUniformSMin)
            w.op = SpvOpGroupNonUniformUMin;
        if (i->op == SpvOpGroupNonUniformSMax)
            w.op = SpvOpGroupNonUniformUMax;
        break;
    case ORC_FAULT_CLUSTER_IS_WHOLE:
        if (i->group_op == SpvGroupOperationClusteredReduce)
            w.group_op = SpvGroupOperationReduce;
        break;
    case ORC_FAULT_PARTS_ARE_WHOLE:
        if (spv_group_is_partitioned(i->group_op))
            w.group_op =
                i->group_op - SpvGroupOperationPartitionedReduceNV + SpvGroupOperationReduce;
        break;
    case ORC_FAULT_CLUSTER_OF_HALF:
        if (i->group_op == SpvGroupOperationClusteredReduce && i->cluster > 1)
            w.cluster = i->cluster / 2;
        break;
    default:
        break;
    }
    return w;
}

static void take_from(const struct inst *i, const struct values *v, unsigned lane, unsigned from)
{
    for (uint32_t k = 0; k < i->comps; k++)
        plane_of(v, i->dst + k)[lane] = plane_of(v, i->a + k)[from];
}

// Returns in `from` the lane that the faulty rotation or quad swap reads. False if the fault does
// not concern the operation.
static bool moved_from(const struct machine *m, const struct inst *i, unsigned l, unsigned *from)
{
    const struct values *v = &m->v;
    unsigned size = i->cluster ? i->cluster : v->lanes;
    uint64_t x = i->n > 1 ? plane_of(v, i->b)[l] : 0;
    if (m->group->run->o.fault == ORC_FAULT_ROTATE_BACK && i->op == SpvOpGroupNonUniformRotateKHR)
        *from = (l & ~(size - 1)) + ((l - (unsigned)x) & (size - 1));
    else if (m->group->run->o.fault == ORC_FAULT_QUAD_SWAP_MIXED &&
             i->op == SpvOpGroupNonUniformQuadSwap && x < 2)
        *from = l ^ (2u - (unsigned)x);
    else
        return false;
    return *from < v->lanes && size <= v->lanes;
}

// Overwrites results as the fault requires.
static void spoil(const struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    uint64_t *d = plane_of(v, i->dst);
    const uint64_t *index = i->op == SpvOpGroupNonUniformShuffle ? plane_of(v, i->b) : NULL;
    unsigned from;
    switch (m->group->run->o.fault) {
    case ORC_FAULT_ROTATE_BACK:
    case ORC_FAULT_QUAD_SWAP_MIXED:
        LANES_EACH (l, v->active)
            if (moved_from(m, i, l, &from))
                take_from(i, v, l, from);
        break;
    case ORC_FAULT_ONE_COMPONENT:
        for (uint32_t k = 1; k < i->comps && spv_group_find(i->op)->result == SPV_SHAPE_SAME; k++)
            LANES_EACH (l, v->active)
                plane_of(v, i->dst + k)[l] = d[l];
        break;
    case ORC_FAULT_SCAN_ADDS_SELF_TWICE:
        if (i->group_op != SpvGroupOperationInclusiveScan)
            break;
        for (uint32_t k = 0; k < i->comps; k++)
            LANES_EACH (l, v->active) {
                const uint64_t x = plane_of(v, i->a + k)[l], y = plane_of(v, i->dst + k)[l];
                const uint64_t both = i->op == SpvOpGroupNonUniformIAdd   ? x + y
                                      : i->op == SpvOpGroupNonUniformIMul ? x * y
                                                                          : y;
                plane_of(v, i->dst + k)[l] =
                    i->width < 64 ? both & ((UINT64_C(1) << i->width) - 1) : both;
            }
        break;
    case ORC_FAULT_FIRST_IS_LANE_ZERO:
        if (i->op == SpvOpGroupNonUniformBroadcastFirst)
            LANES_EACH (l, v->active)
                take_from(i, v, l, 0);
        break;
    case ORC_FAULT_ELECTS_LANE_ZERO:
        if (i->op == SpvOpGroupNonUniformElect)
            LANES_EACH (l, v->active)
                d[l] = l == 0;
        break;
    case ORC_FAULT_ELECTS_LAST:
        if (i->op == SpvOpGroupNonUniformElect)
            LANES_EACH (l, v->active)
                d[l] = l == lane_last(v->active);
        break;
    case ORC_FAULT_SHUFFLE_BY_FIRST_INDEX:
        if (index && index[lane_first(v->active)] < v->lanes)
            LANES_EACH (l, v->active)
                take_from(i, v, l, (unsigned)index[lane_first(v->active)]);
        break;
    case ORC_FAULT_SHUFFLE_IN_ROW: // rows of four lanes, as in quad permutes
        if (index)
            LANES_EACH (l, v->active)
                take_from(i, v, l, (l & ~3u) | (index[l] & 3));
        break;
    default:
        fault_quad(m, i);
        break;
    }
}

// Runs the operation as if the lanes `with` executed it, and stores the results in the lanes `to`.
// Those of them that are not in `with` get the first lane's result. All other lanes keep their
// values, and the results in `to` count as defined.
bool fault_run_as(struct machine *m, const struct inst *i, lane_mask with, lane_mask to)
{
    struct values *v = &m->v;
    const lane_mask active = v->active;
    const uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    uint64_t *kept = ARENA_ARRAY(m->group->run->arena, uint64_t, (size_t)cells * v->lanes);
    lane_mask *known = ARENA_ARRAY(m->group->run->arena, lane_mask, cells);
    memcpy(kept, plane_of(v, i->dst), (size_t)cells * v->lanes * sizeof *kept);
    memcpy(known, &v->defined[i->dst], cells * sizeof *known);
    bool ok = true;
    if (with) {
        machine_activate(m, with);
        ok = group_run(m, i);
        machine_activate(m, active);
    }
    for (uint32_t k = 0; k < cells; k++) {
        uint64_t *d = plane_of(v, i->dst + k);
        LANES_EACH (l, to & ~with)
            d[l] = with ? d[lane_first(with)] : 0;
        LANES_EACH (l, lanes_below(v->lanes) & ~to)
            d[l] = kept[(size_t)k * v->lanes + l];
        v->defined[i->dst + k] = known[k] | to;
    }
    return ok;
}

// Each lane counts the lanes that the hypothesis returns (orc_counter).
static bool count_by_hypothesis(struct machine *m, const struct inst *i)
{
    const struct orc_counter *c = m->group->run->o.counter;
    const struct orc_event e = flow_event(m, i);
    lane_mask counts[LANES_MAX] = {0}, left = m->v.active;
    LANES_EACH (l, m->v.active)
        counts[l] = c->counts(c->user, &e, l);
    while (left) {
        const lane_mask with = counts[lane_first(left)];
        lane_mask to = 0;
        LANES_EACH (l, left)
            to |= counts[l] == with ? lane_bit(l) : 0;
        if (fault_is(m, ORC_FAULT_COUNTED_SAME) && to == m->v.active && !(to & ~with))
            return fault_same_operand(m, i, with & ~to);
        if (!fault_run_as(m, i, with, to))
            return false;
        left &= ~to;
    }
    return true;
}

bool fault_group(struct machine *m, const struct inst *i)
{
    struct values *v = &m->v;
    bool done;
    if (!fault_in_value(m, i))
        return group_run(m, i);
    if (fault_is(m, ORC_FAULT_COUNTED) || fault_is(m, ORC_FAULT_COUNTED_SAME))
        return count_by_hypothesis(m, i);
    bool ok = fault_group_value(m, i, &done);
    if (!done)
        ok = fault_half(m, i, &done);
    if (!done)
        ok = fault_words(m, i, &done);
    if (done)
        return ok;
    const struct inst wrong = misread(m, i);
    lane_mask active = v->active, with = active | ghosts(m, i);
    if (m->group->run->o.fault == ORC_FAULT_UPPER_HALF_LOST && v->lanes > 4 && is_reduction(i))
        with = active & lanes_below(v->lanes / 2);
    if (with != active)
        return fault_run_as(m, i, with, active);
    if (!group_run(m, &wrong))
        return false;
    spoil(m, &wrong);
    return true;
}
