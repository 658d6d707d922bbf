// SPDX-License-Identifier: Apache-2.0
//
// An atomic operation whose result nobody uses becomes a store of its value.
#include "pass.h"

// The operand that is the value; 0 for what has none.
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
        return 3; // pointer, scope, semantics, value
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
    return true; // a use of the result is none that is valid then
}

const struct red_pass pass_atomics = {"atomics", plan, apply};
