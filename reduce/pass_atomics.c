// SPDX-License-Identifier: Apache-2.0
//
// Replaces an atomic operation by a store of its value. Uses of its result become zeros.
#include "pass.h"

// Returns the index of the value operand; 0 if there is none.
static uint32_t value_of(uint32_t op)
{
    switch (op) {
    case SpvOpAtomicExchange:
    case SpvOpAtomicIAdd:
    case SpvOpAtomicISub:
    case SpvOpAtomicSMin:
    case SpvOpAtomicUMin:
    case SpvOpAtomicSMax:
    case SpvOpAtomicUMax:
    case SpvOpAtomicAnd:
    case SpvOpAtomicOr:
    case SpvOpAtomicXor:
        return 3; // operands: pointer, scope, semantics, value
    default:
        return 0;
    }
}

static void plan(struct red_plan *p)
{
    const struct spv_module *m = p->e.m;
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (value_of(m->insts[i].op) < m->insts[i].n && value_of(m->insts[i].op))
            PLAN(p, i);
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const struct spv_inst *i = &e->m->insts[s->v[0]];
    spv_edit_set(e, s->v[0], SpvOpStore, (const uint32_t[]){i->v[0], i->v[value_of(i->op)]}, 2);
    return true; // the clean-up replaces uses of the result
}

const struct red_pass pass_atomics = {"atomics", plan, apply};
