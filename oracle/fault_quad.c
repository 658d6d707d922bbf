// SPDX-License-Identifier: Apache-2.0
//
// Injected faults of quad operations and derivatives (fault.h). Input: the correct result in its
// planes. Output: a wrong result, computed with the host's floats; no expectation uses it.
#include "execute.h"
#include "fault.h"

#include <string.h>

static float number(const struct values *v, uint32_t plane, uint32_t lane)
{
    const uint32_t bits = (uint32_t)plane_of(v, plane)[lane];
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void put(const struct values *v, uint32_t plane, uint32_t lane, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    plane_of(v, plane)[lane] = bits;
}

static bool is_along(uint32_t op, bool y)
{
    return y ? op == SpvOpDPdy || op == SpvOpDPdyFine || op == SpvOpDPdyCoarse
             : op == SpvOpDPdx || op == SpvOpDPdxFine || op == SpvOpDPdxCoarse;
}

// Returns the derivative of four values, indexed by quad index, for one of them; Fwidth without
// absolute values.
static float slope(uint32_t op, bool mixed, const float p[SPV_QUAD], uint32_t at)
{
    const float x = p[at | 1] - p[at & ~1u], y = p[at | 2] - p[at & ~2u];
    return is_along(op, mixed) ? x : is_along(op, !mixed) ? y : x + y;
}

// Reads the values of the four invocations with consecutive LocalInvocationIndex; for those in
// another subgroup the lane's own value.
static void by_index(const struct machine *m, uint32_t plane, uint32_t lane, float p[SPV_QUAD])
{
    const uint32_t first = m->invocation[lane] & ~(SPV_QUAD - 1u);
    for (uint32_t k = 0; k < SPV_QUAD; k++)
        p[k] = number(&m->v, plane, lane);
    LANES_EACH (l, m->live)
        if ((m->invocation[l] & ~(SPV_QUAD - 1u)) == first)
            p[m->invocation[l] % SPV_QUAD] = number(&m->v, plane, l);
}

static void derivative(const struct machine *m, const struct inst *i, uint32_t k)
{
    const enum orc_fault fault = m->group->run->o.fault;
    const struct values *v = &m->v;
    const bool width = !is_along(i->op, false) && !is_along(i->op, true);
    const bool fine = i->op == SpvOpDPdxFine || i->op == SpvOpDPdyFine || i->op == SpvOpFwidthFine;
    float right[LANES_MAX];
    LANES_EACH (l, v->active)
        right[l] = number(v, i->dst + k, l);
    LANES_EACH (l, v->active) {
        const uint32_t first = lane_first(quad_of(l));
        float p[SPV_QUAD], x = right[l];
        for (uint32_t q = 0; q < SPV_QUAD; q++)
            p[q] = number(v, i->a + k, first + q);
        if (fault == ORC_FAULT_DERIVATIVE_AXES_MIXED && !width)
            x = slope(i->op, true, p, l % SPV_QUAD);
        else if (fault == ORC_FAULT_DERIVATIVE_BACKWARDS && !width)
            x = -x;
        else if (fault == ORC_FAULT_DERIVATIVE_FINE_IS_COARSE && fine)
            x = right[first];
        else if (fault == ORC_FAULT_DERIVATIVE_WIDTH_SIGNED && width)
            x = slope(i->op, false, p, l % SPV_QUAD);
        else if (fault == ORC_FAULT_DERIVATIVE_OF_INDICES && m->p->quads == SPV_QUADS_2X2) {
            by_index(m, i->a + k, l, p);
            x = slope(i->op, false, p, m->invocation[l] % SPV_QUAD);
            x = width && x < 0 ? -x : x;
        }
        put(v, i->dst + k, l, x);
    }
}

void fault_quad(const struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    const uint32_t klass = spv_group_find(i->op)->klass;
    for (uint32_t k = 0; k < i->comps && klass == SPV_GROUP_DERIVATIVE; k++)
        derivative(m, i, k);
    if (m->group->run->o.fault != ORC_FAULT_QUAD_BROADCAST_IS_FIRST ||
        i->op != SpvOpGroupNonUniformQuadBroadcast)
        return;
    for (uint32_t k = 0; k < i->comps; k++)
        LANES_EACH (l, v->active)
            plane_of(v, i->dst + k)[l] = plane_of(v, i->a + k)[lane_first(quad_of(l))];
}
