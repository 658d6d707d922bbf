// SPDX-License-Identifier: Apache-2.0
//
// Injected faults of the upper half of a subgroup (fault.h): a group operation does not read lanes,
// bits or distances from half the subgroup size on.
#include "execute.h"
#include "fault.h"

#include "spirv/spirv_groups.h"

// What is lost: the active lanes of the upper half; the bit of the second operand that selects the
// half; the bits of a ballot operand from the middle on.
enum lost { LOST_LANES, LOST_INDEX, LOST_BITS };

static bool is_concerned(const struct inst *i, enum orc_fault fault, enum lost *what)
{
    static const struct {
        enum orc_fault fault;
        SpvOp op; // OpNop: asked below
        enum lost what;
    } rows[] = {
        {ORC_FAULT_UPPER_BALLOT, SpvOpGroupNonUniformBallot, LOST_LANES},
        {ORC_FAULT_UPPER_ELECT, SpvOpGroupNonUniformElect, LOST_LANES},
        {ORC_FAULT_UPPER_FIRST, SpvOpGroupNonUniformBroadcastFirst, LOST_LANES},
        {ORC_FAULT_UPPER_VOTE, SpvOpNop, LOST_LANES},
        {ORC_FAULT_UPPER_SCAN, SpvOpNop, LOST_LANES},
        {ORC_FAULT_UPPER_CLUSTER, SpvOpNop, LOST_LANES},
        {ORC_FAULT_UPPER_BROADCAST, SpvOpGroupNonUniformBroadcast, LOST_INDEX},
        {ORC_FAULT_UPPER_SHUFFLE, SpvOpGroupNonUniformShuffle, LOST_INDEX},
        {ORC_FAULT_UPPER_XOR, SpvOpGroupNonUniformShuffleXor, LOST_INDEX},
        {ORC_FAULT_UPPER_UP, SpvOpGroupNonUniformShuffleUp, LOST_INDEX},
        {ORC_FAULT_UPPER_DOWN, SpvOpGroupNonUniformShuffleDown, LOST_INDEX},
        {ORC_FAULT_UPPER_ROTATE, SpvOpGroupNonUniformRotateKHR, LOST_INDEX},
        {ORC_FAULT_UPPER_BIT, SpvOpGroupNonUniformBallotBitExtract, LOST_INDEX},
        {ORC_FAULT_UPPER_COUNT, SpvOpGroupNonUniformBallotBitCount, LOST_BITS},
        {ORC_FAULT_UPPER_FIND, SpvOpGroupNonUniformBallotFindLSB, LOST_BITS},
        {ORC_FAULT_UPPER_FIND, SpvOpGroupNonUniformBallotFindMSB, LOST_BITS},
        {ORC_FAULT_UPPER_INVERSE, SpvOpGroupNonUniformInverseBallot, LOST_BITS},
    };
    const uint8_t klass = spv_group_find(i->op)->klass;
    const bool scan = i->group_op == SpvGroupOperationInclusiveScan ||
                      i->group_op == SpvGroupOperationExclusiveScan;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].fault != fault)
            continue;
        *what = rows[k].what;
        if (rows[k].op == i->op || (fault == ORC_FAULT_UPPER_VOTE && klass == SPV_GROUP_VOTE))
            return true;
        if (klass == SPV_GROUP_REDUCE && i->op != SpvOpGroupNonUniformBallotBitCount &&
            ((fault == ORC_FAULT_UPPER_SCAN && scan) ||
             (fault == ORC_FAULT_UPPER_CLUSTER && i->group_op == SpvGroupOperationClusteredReduce)))
            return true;
    }
    return false;
}

// Runs the operation with a changed operand: cell c of the planes from `plane` on keeps only the
// bits of keep[c]. The operand has its value again afterwards.
static bool run_with(struct machine *m, const struct inst *i, uint32_t plane, uint32_t cells,
                     const uint32_t keep[4])
{
    const struct values *v = &m->v;
    uint64_t old[4][LANES_MAX];
    for (uint32_t c = 0; c < cells; c++)
        LANES_EACH (l, v->active) {
            old[c][l] = plane_of(v, plane + c)[l];
            plane_of(v, plane + c)[l] &= keep[c];
        }
    const bool ok = group_run(m, i);
    for (uint32_t c = 0; c < cells; c++)
        LANES_EACH (l, v->active)
            plane_of(v, plane + c)[l] = old[c][l];
    return ok;
}

bool fault_half(struct machine *m, const struct inst *i, bool *done)
{
    const struct values *v = &m->v;
    const uint32_t half = v->lanes / 2;
    const lane_mask active = v->active, lower = active & lanes_below(half);
    enum lost what = LOST_LANES;
    *done = half >= 4 && is_concerned(i, m->group->run->o.fault, &what);
    if (!*done)
        return true;
    if (what == LOST_LANES)
        return lower == active ? group_run(m, i) : fault_run_as(m, i, lower, active);
    uint32_t keep[4] = {half - 1};
    for (uint32_t c = 0; what == LOST_BITS && c < 4; c++)
        keep[c] = (uint32_t)(lanes_below(half) >> (32 * c));
    return run_with(m, i, what == LOST_BITS ? i->a : i->b, what == LOST_BITS ? 4 : 1, keep);
}
