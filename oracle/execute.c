// SPDX-License-Identifier: Apache-2.0
//
// Shared by both machines: the active lanes, instructions without control flow, and failure of a
// run.
#include "execute.h"

#include <string.h>

bool machine_fail(struct machine *m, enum ran status, const char *rule, uint32_t spv,
                  lane_mask lanes, const char *fmt, ...)
{
    const struct run *run = m->group->run;
    struct orc_why *why = run->why;
    char text[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    uint32_t invocation = lanes & m->live ? m->invocation[lane_first(lanes & m->live)] : 0;
    const bool written = status == RAN_UNSUPPORTED; // why_set has written it
    why_set(&m->p->m, why, status, rule, spv, "%s%s%s%s%s, in workgroup %u, invocation %u",
            written ? "" : ran_name(status), rule ? " " : "", rule ? rule : "", written ? "" : ": ",
            text, m->group->index, invocation);
    why->has_place = true;
    why->workgroup = m->group->index;
    why->invocation = invocation;
    return false;
}

void machine_stray(struct machine *m, const char *rule, uint32_t spv, lane_mask lanes,
                   const char *text)
{
    struct run *run = m->group->run;
    struct orc_why *why = run->why;
    if (!run->o.strict || !lanes || run->stray.status != RAN_OK)
        return;
    run->why = &run->stray;
    machine_fail(m, RAN_UNDEFINED, rule, spv, lanes, "%s", text);
    run->why = why;
}

void machine_activate(struct machine *m, lane_mask active)
{
    if (m->v.active == active)
        return;
    m->v.active = active;
    m->v.full = active == lanes_below(m->v.lanes);
    if (!m->v.full)
        for (uint32_t l = 0; l < m->v.lanes; l++)
            m->on[l] = lane_in(active, l) ? ~UINT64_C(0) : 0;
}

void copy_plane(const struct values *v, uint64_t *to, const uint64_t *from, lane_mask lanes)
{
    if (lanes == lanes_below(v->lanes))
        memmove(to, from, v->lanes * sizeof *to);
    else
        LANES_EACH (l, lanes)
            to[l] = from[l];
}

static bool assume(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    lane_mask broken = 0;
    LANES_EACH (l, v->active)
        if (!lane_in(v->defined[i->a], l) || !(plane_of(v, i->a)[l] & 1))
            broken |= lane_bit(l);
    if (broken && m->group->run->trace)
        trace_fault(m, i->a, broken);
    return !broken || machine_fail(m, RAN_UNDEFINED, "E-assume", i->spv, broken,
                                   "the assumed condition is false or undefined");
}

// The index of a vector's component: undefined behaviour out of range.
static void check_index(struct machine *m, const struct inst *i)
{
    const lane_mask known = m->v.active & m->v.defined[i->a];
    const uint64_t *index = plane_of(&m->v, i->a);
    lane_mask bad = m->v.active & ~known;
    LANES_EACH (l, known)
        bad |= index[l] >= i->n ? lane_bit(l) : 0;
    machine_stray(m, "E-bounds", i->spv, bad, "the index selects no component, or may select none");
}

// SPIR-V 3.3.13: a division by 0 is undefined behaviour, and so is one of the minimum by -1.
static void check_divisor(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    const uint64_t ones = UINT64_MAX >> (64 - i->width), least = ones ^ ones >> 1;
    lane_mask bad = 0;
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint64_t *x = plane_of(v, i->a + k), *y = plane_of(v, i->b + k);
        const lane_mask known = v->active & v->defined[i->b + k];
        bad |= v->active & ~known;
        LANES_EACH (l, known)
            if ((y[l] & ones) == 0 ||
                (i->is_signed && (y[l] & ones) == ones &&
                 (!lane_in(v->defined[i->a + k], l) || (x[l] & ones) == least)))
                bad |= lane_bit(l);
    }
    machine_stray(m, "E-arithmetic", i->spv, bad,
                  "the divisor is or may be 0, or the minimum is divided by -1");
}

static bool execute(struct machine *m, const struct inst *i)
{
    const struct values *v = &m->v;
    switch (i->klass) {
    case IN_ALU:
        return alu_run(i, v);
    case IN_INDEX:
        check_index(m, i);
        return true;
    case IN_DIVISOR:
        check_divisor(m, i);
        return true;
    case IN_RELAXED:
        relaxed_run(i, v);
        return true;
    case IN_NO_WRAP:
        machine_stray(m, "E-arithmetic", i->spv, no_wrap_run(i, v),
                      "the result wraps, and the decoration says that it does not");
        return true;
    case IN_ACROSS:
        across_run(i, v);
        return true;
    case IN_GLSL:
        return glsl_run(i, v);
    case IN_FLOAT:
        float_run(i, v);
        return true;
    case IN_FLOAT_GLSL:
        float_run_glsl(i, v);
        return true;
    case IN_QUIETEN:
        float_quieten(i, v);
        return true;
    case IN_MOVE:
        for (uint32_t k = 0; k < i->n; k++) {
            copy_plane(v, plane_of(v, i->moves[k].dst), plane_of(v, i->moves[k].src), v->active);
            define(v, i->moves[k].dst, v->defined[i->moves[k].src]);
        }
        return true;
    case IN_CHAIN:
        return memory_chain(m, i);
    case IN_FENCE:
        order_fence(m, i);
        return true;
    case IN_PRINT:
        return true; // only an observer sees it
    case IN_ASSUME:
        return assume(m, i);
    case IN_LOAD:
        return memory_load(m, i);
    case IN_STORE:
        return memory_store(m, i);
    case IN_ATOMIC:
        return atomic_run(m, i);
    case IN_HELPER:
        LANES_EACH (l, v->active)
            plane_of(v, i->dst)[l] = lane_in(m->helper, l);
        define(v, i->dst, v->active);
        return true;
    case IN_IMAGE:
        return image_run(m, i);
    default:
        return memory_length(m, i);
    }
}

bool machine_execute(struct machine *m, const struct inst *i)
{
    if (m->group->run->o.raced && raced_counts(m, i))
        return false;
    if (!execute(m, i))
        return false;
    if (m->group->run->watched) {
        if (m->group->run->trace)
            trace_result(m, i);
        else
            any_value_result(m, i);
    }
    return true;
}
