// SPDX-License-Identifier: Apache-2.0
//
// A call goes, its result becomes zero; a function that nobody calls goes with it.
#include "pass.h"

static void plan(struct red_plan *p)
{
    for (uint32_t i = 0; i < p->e.m->inst_count; i++)
        if (p->e.m->insts[i].op == SpvOpFunctionCall)
            PLAN(p, i);
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    spv_edit_drop(e, s->v[0]);
    return true;
}

const struct red_pass pass_calls = {"calls", plan, apply};
