// SPDX-License-Identifier: Apache-2.0
//
// Derivatives (SPIR-V 3.3.16; Vulkan, "Derivative Operations"): differences between the values of
// the four lanes of a quad. Input: a tangle at the instruction. If it lacks a lane of an active
// quad, the run fails (E-derivative, R8). Output: for each lane the difference as float.c computes
// it, so the sign of a zero and rounded results are undefined.
//
// Fine derivatives are fully specified. The implementation chooses which difference a coarse one
// takes along an axis, and whether a plain one is fine or coarse, consistently within a module
// (R9).
#include "float.h"

enum axis { AXIS_X, AXIS_Y, AXES };
enum form { FORM_PLAIN, FORM_FINE, FORM_COARSE };

struct kind {
    enum form form;
    bool along[AXES]; // both set: Fwidth
};

static struct kind kind_of(uint32_t op)
{
    switch (op) {
    case SpvOpDPdx:
        return (struct kind){FORM_PLAIN, {true, false}};
    case SpvOpDPdy:
        return (struct kind){FORM_PLAIN, {false, true}};
    case SpvOpFwidth:
        return (struct kind){FORM_PLAIN, {true, true}};
    case SpvOpDPdxFine:
        return (struct kind){FORM_FINE, {true, false}};
    case SpvOpDPdyFine:
        return (struct kind){FORM_FINE, {false, true}};
    case SpvOpFwidthFine:
        return (struct kind){FORM_FINE, {true, true}};
    case SpvOpDPdxCoarse:
        return (struct kind){FORM_COARSE, {true, false}};
    case SpvOpDPdyCoarse:
        return (struct kind){FORM_COARSE, {false, true}};
    default:
        return (struct kind){FORM_COARSE, {true, true}}; // SpvOpFwidthCoarse
    }
}

// Returns the operand in a lane. With an injected fault (fault.h) an unknown operand is 0.
static struct exact operand(const struct machine *m, const struct inst *i, uint32_t plane,
                            uint32_t lane)
{
    struct exact x = float_operand(i, &m->v, plane, lane);
    if (!i->precise && !exact_is_small(x, i->width))
        x.ok = false;
    return !x.ok && m->group->run->o.fault != ORC_FAULT_NONE ? exact_int(0) : x;
}

// Returns the difference along an axis in the row or column that contains quad index `at`: P1 - P0
// or P3 - P2; P2 - P0 or P3 - P1.
static struct exact difference(const struct exact p[SPV_QUAD], enum axis axis, unsigned at)
{
    const unsigned step = axis == AXIS_X ? 1 : 2;
    return exact_add(p[at | step], exact_negate(p[at & ~step]));
}

// Returns the difference that a lane gets under a choice of R9.
static struct exact chosen(const struct exact p[SPV_QUAD], enum axis axis, unsigned at,
                           enum spv_coarse choice)
{
    const unsigned across = axis == AXIS_X ? 2 : 1;
    switch (choice) {
    case SPV_COARSE_FIRST:
        return difference(p, axis, 0);
    case SPV_COARSE_OTHER:
        return difference(p, axis, across);
    default:
        return difference(p, axis, at);
    }
}

static bool same(struct exact x, struct exact y)
{
    return x.ok && y.ok && exact_compare(x, y) == 0;
}

// Returns the result of a lane. Sets *open if it differs under another choice.
static struct exact result(const struct machine *m, const struct kind *kind,
                           const struct exact p[SPV_QUAD], unsigned at, bool *open)
{
    const struct spv_derivatives *d = &m->group->run->o.policy->derivatives;
    const bool coarse =
        kind->form == FORM_COARSE || (kind->form == FORM_PLAIN && d->plain_is_coarse);
    const bool both = kind->along[AXIS_X] && kind->along[AXIS_Y];
    struct exact sum = exact_int(0);
    for (enum axis axis = AXIS_X; axis < AXES; axis++) {
        if (!kind->along[axis])
            continue;
        struct exact x = chosen(p, axis, at,
                                !coarse          ? SPV_COARSE_OWN
                                : axis == AXIS_X ? d->x
                                                 : d->y);
        *open |= kind->form != FORM_FINE &&
                 !same(chosen(p, axis, 0, SPV_COARSE_FIRST), chosen(p, axis, 0, SPV_COARSE_OTHER));
        x.neg = x.neg && !both; // OpFwidth: sum of absolute values
        sum = exact_add(sum, x);
    }
    return sum;
}

bool derivative_run(struct machine *m, const struct inst *i)
{
    const struct run *run = m->group->run;
    const struct values *v = &m->v;
    const struct kind kind = kind_of(i->op);
    lane_mask cut = 0;
    LANES_EACH (l, v->active)
        cut |= quad_of(l) & ~v->active & ~m->near ? lane_bit(l) : 0;
    if (cut && run->o.fault == ORC_FAULT_NONE) // R8
        return machine_fail(m, RAN_UNDEFINED, "E-derivative", i->spv, cut,
                            "not all four invocations of the quad are active");
    if (m->p->rules->derivative)
        m->p->rules->derivative(m, i);
    for (uint32_t k = 0; k < i->comps; k++) {
        lane_mask ok = 0;
        uint64_t out[LANES_MAX]; // the result may overwrite the operand
        LANES_EACH (l, v->active) {
            struct exact p[SPV_QUAD];
            bool open = false;
            LANES_EACH (q, quad_of(l))
                p[q % SPV_QUAD] = operand(m, i, i->a + k, q);
            const struct exact x = result(m, &kind, p, l % SPV_QUAD, &open);
            run->stats->derivative_choices += open;
            if ((open && run->o.any_policy) || (!i->precise && !exact_is_small(x, i->width))) // R9
                continue;
            if (exact_encode(x, i->width, &out[l]) &&
                (!exact_is_zero(x) || run->o.fault != ORC_FAULT_NONE))
                ok |= lane_bit(l);
        }
        LANES_EACH (l, ok)
            plane_of(v, i->dst + k)[l] = out[l];
        define(v, i->dst + k, ok);
    }
    return true;
}
