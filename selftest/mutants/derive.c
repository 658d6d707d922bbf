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

uint32_t sink_derivative_into_arm(struct ir *m)
{
    return of_derivatives(m, sink_into_arm);
}
uint32_t sink_derivative_into_case(struct ir *m)
{
    return of_derivatives(m, sink_into_case);
}
uint32_t sink_derivative_into_loop(struct ir *m)
{
    return of_derivatives(m, sink_into_loop);
}
uint32_t dup_derivative_into_arms(struct ir *m)
{
    return of_derivatives(m, dup_into_arms);
}
uint32_t dup_derivative_into_exits(struct ir *m)
{
    return of_derivatives(m, dup_into_exits);
}
