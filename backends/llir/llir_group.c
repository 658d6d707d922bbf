// SPDX-License-Identifier: Apache-2.0
//
// Group operations, for the invocations that execute one together. A poison operand in one of them
// poisons every result that depends on it.
#include "llir_machine.h"

static uint64_t arithmetic(const struct llir_inst *i, uint64_t a, uint64_t b)
{
    const int64_t sa = llir_signed(a, i->width), sb = llir_signed(b, i->width);
    switch (i->call) {
    case LLIR_CALL_SUM:
    case LLIR_CALL_PREFIX_SUM:
        return a + b;
    case LLIR_CALL_PRODUCT:
    case LLIR_CALL_PREFIX_PRODUCT:
        return a * b;
    case LLIR_CALL_GROUP_UMIN:
        return a < b ? a : b;
    case LLIR_CALL_GROUP_UMAX:
        return a > b ? a : b;
    case LLIR_CALL_GROUP_SMIN:
        return sa < sb ? a : b;
    case LLIR_CALL_GROUP_SMAX:
        return sa > sb ? a : b;
    case LLIR_CALL_GROUP_AND:
        return a & b;
    case LLIR_CALL_GROUP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

// Computes component k of a reduction or an exclusive scan.
static void combine(struct llir_machine *x, lane_mask group, const struct llir_inst *i, uint32_t k)
{
    const bool scan = i->call == LLIR_CALL_PREFIX_SUM || i->call == LLIR_CALL_PREFIX_PRODUCT;
    uint64_t all = i->call == LLIR_CALL_PREFIX_PRODUCT;
    bool poison = false, first = !scan;
    LANES_EACH (n, group) {
        struct llir_lane *l = &x->lane[n];
        const uint64_t own = llir_value(x, l, i->v[1] + k);
        const bool bad = llir_poison(x, l, i->v[1] + k);
        if (scan)
            llir_set(x, l, i->dst + k, poison ? 0 : all, poison);
        all = (first ? own : arithmetic(i, all, own)) & llir_ones(i->width);
        poison |= bad;
        first = false;
    }
    if (!scan)
        LANES_EACH (n, group)
            llir_set(x, &x->lane[n], i->dst + k, poison ? 0 : all, poison);
}

// Reads each component from the lane that the operation selects.
static bool move(struct llir_machine *x, lane_mask group, const struct llir_inst *i)
{
    uint64_t v[LANES_MAX];
    bool poison[LANES_MAX];
    for (uint32_t k = 0; k < i->comps; k++) {
        LANES_EACH (n, group) {
            const struct llir_lane *l = &x->lane[n];
            uint64_t from = i->call == LLIR_CALL_QUAD_X   ? n ^ 1
                            : i->call == LLIR_CALL_QUAD_Y ? n ^ 2
                                                          : n ^ 3;
            bool bad = false;
            if (i->call == LLIR_CALL_READ_LANE) {
                from = llir_value(x, l, i->v[2]);
                bad = llir_poison(x, l, i->v[2]);
            }
            poison[n] = bad || from >= x->lanes || !lane_in(group, (unsigned)from) ||
                        llir_poison(x, &x->lane[from], i->v[1] + k);
            v[n] = poison[n] ? 0 : llir_value(x, &x->lane[from], i->v[1] + k);
        }
        LANES_EACH (n, group)
            llir_set(x, &x->lane[n], i->dst + k, v[n], poison[n]);
    }
    return true;
}

static void vote(struct llir_machine *x, lane_mask group, const struct llir_inst *i)
{
    lane_mask set = 0;
    bool poison = false, equal = true;
    const unsigned first = lane_first(group);
    LANES_EACH (n, group) {
        const struct llir_lane *l = &x->lane[n];
        poison |= llir_poison(x, l, i->v[1]);
        set |= llir_value(x, l, i->v[1]) ? lane_bit(n) : 0;
        equal &= llir_value(x, l, i->v[1]) == llir_value(x, &x->lane[first], i->v[1]);
    }
    LANES_EACH (n, group) {
        struct llir_lane *l = &x->lane[n];
        if (i->call == LLIR_CALL_BALLOT)
            for (uint32_t k = 0; k < 4; k++)
                llir_set(x, l, i->dst + k, poison ? 0 : (uint32_t)(set >> 32 * k), poison);
        else
            llir_set(x, l, i->dst,
                     !poison && (i->call == LLIR_CALL_ALL   ? set == group
                                 : i->call == LLIR_CALL_ANY ? set != 0
                                                            : equal),
                     poison);
    }
}

bool llir_group(struct llir_machine *x, lane_mask group, const struct llir_inst *i)
{
    switch (i->call) {
    case LLIR_CALL_BALLOT:
    case LLIR_CALL_ALL:
    case LLIR_CALL_ANY:
    case LLIR_CALL_ALL_EQUAL:
        vote(x, group, i);
        return true;
    case LLIR_CALL_ELECT:
        LANES_EACH (n, group)
            llir_set(x, &x->lane[n], i->dst, n == lane_first(group), false);
        return true;
    case LLIR_CALL_READ_LANE:
    case LLIR_CALL_QUAD_X:
    case LLIR_CALL_QUAD_Y:
    case LLIR_CALL_QUAD_DIAGONAL:
        return move(x, group, i);
    default:
        for (uint32_t k = 0; k < i->comps; k++)
            combine(x, group, i, k);
        return true;
    }
}
