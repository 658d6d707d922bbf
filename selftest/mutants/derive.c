// SPDX-License-Identifier: Apache-2.0
//
// Transformations that compilers apply to derivatives as to other arithmetic, though derivatives
// are quad operations: they sink them to their uses or copy them into both sides of a branch, where
// only some invocations of a quad execute them.
#include "ir.h"

static uint32_t of_derivatives(struct ir *m, mut_edit *edit)
{
    m->only = IR_DERIVATIVES;
    return edit(m);
}

MUT_EDIT(sink_derivative_into_arm, of_derivatives, sink_into_arm)
MUT_EDIT(sink_derivative_into_case, of_derivatives, sink_into_case)
MUT_EDIT(sink_derivative_into_loop, of_derivatives, sink_into_loop)
MUT_EDIT(dup_derivative_into_arms, of_derivatives, dup_into_arms)
MUT_EDIT(dup_derivative_into_exits, of_derivatives, dup_into_exits)
