// SPDX-License-Identifier: Apache-2.0
//
// Properties of a tree that follow from its form alone. The functions also accept a tree that is
// still growing.
#ifndef TF_GENERATOR_TREE_FORM_H
#define TF_GENERATOR_TREE_FORM_H

#include "tree.h"

// Returns an upper bound of a u32 expression, as far as its form shows.
uint32_t gen_expr_max(const struct gen_program *p, const struct gen_expr *e);
// Returns the number of subgroups of a workgroup; 1 in a stage without workgroups.
uint32_t gen_local_subgroups(const struct gen_program *p);
// The value of an elected invocation: `if (elected) ..` with a phi that is undefined elsewhere.
// True if the IF directly follows its election; if `op`, directly after the IF, reads this phi's
// value.
bool gen_leads(const struct gen_function *f, const struct gen_stmt *branch);
bool gen_is_leaders(const struct gen_function *f, const struct gen_expr *e,
                    const struct gen_stmt *op);
// True if control never continues after it.
bool gen_stmt_ends(const struct gen_stmt *s);
bool gen_block_ends(const struct gen_block *b);
// True if the statement can branch to a construct around it by one of these leaves (bits 1 << enum
// gen_leave).
bool gen_stmt_leaves(const struct gen_stmt *s, unsigned how);
// Returns the selector values that enter case i of a switch, as bits. The selector is at most 31.
uint32_t gen_case_values(const struct gen_program *p, const struct gen_stmt *s, uint32_t i);
// True if the expression is uniform in the workgroup, as far as its form shows. `counter`: a
// variable known to be uniform (of a loop), or UINT32_MAX.
bool gen_expr_same(const struct gen_expr *e, uint32_t counter);
// True if all invocations that enter the loop converged stay converged in every iteration, as far
// as it has grown.
bool gen_loop_together(const struct gen_stmt *loop);
// True if all invocations that reach the statement converged leave it converged. False if some of
// them leave for a construct further out.
bool gen_stmt_joins(const struct gen_stmt *s);
// True if an invocation can return from inside a construct.
bool gen_block_returns_early(const struct gen_block *b);
// True if invocations with different selector values can be in case i.
bool gen_case_mixed(const struct gen_program *p, const struct gen_stmt *s, uint32_t i);
// True if quads are whole where the program begins.
bool gen_begins_whole(const struct gen_program *p);
// Fragments: returns the largest possible number of subgroups: one per pixel, as a quad exists only
// if a pixel of it is covered.
uint32_t gen_subgroups(const struct gen_program *p);
// True if the condition holds only for invocations that can leave their quad with another live
// invocation left in it.
bool gen_expr_spares(const struct gen_expr *cond);
// ---- quads (tree_quads.c) ------------------------------------------------------------
//
// A derivative needs all four invocations of its quad, converged: then the quad is *whole*. Quads
// are whole at the start (gen_begins_whole) and inside constructs whose condition is uniform in
// each quad. They stop being whole after a statement in which only some invocations of a quad
// leave.

// What is uniform in each quad at some point of the program.
struct gen_quads {
    const struct gen_function *f;
    const bool *values; // [value of f]
    const struct gen_quad_counter {
        uint32_t var; // counter of an enclosing loop that quads go through whole
        const struct gen_quad_counter *outer;
    } *counters;
};
// True if the expression is uniform in each quad, as far as its form shows.
bool gen_expr_quad(const struct gen_quads *q, const struct gen_expr *e);
// True if the operation's result is uniform in each quad, provided that quads are whole.
bool gen_op_quad(const struct gen_stmt *op);
// True if quads that enter the statement whole also leave it whole (those that leave it). The
// second: true if quads stay whole in the loop's body, as far as it has grown.
bool gen_stmt_quads(const struct gen_quads *q, const struct gen_stmt *s);
bool gen_loop_quads(const struct gen_quads *q, const struct gen_stmt *loop);
// True if quads that reach the switch whole run case i whole: by its selector, and out of the cases
// that fall into it, which a part of a quad may have left.
bool gen_case_quads(const struct gen_quads *q, const struct gen_stmt *s, uint32_t i);

// Computes the values that are uniform in each quad in all of the function, if its quads are whole
// at its start.
struct gen_quads gen_quads_settle(struct arena *a, const struct gen_program *p,
                                  const struct gen_function *f);

// True if the loop's own condition implies `counter < limit`.
bool gen_loop_bounds_itself(const struct gen_program *p, const struct gen_stmt *loop);
// Returns the executions of the body per execution of the loop, at most.
uint32_t gen_loop_trips(const struct gen_stmt *loop);
// Returns block i inside a statement, in order; NULL after the last.
const struct gen_block *gen_stmt_block(const struct gen_stmt *s, uint32_t i);
// Computes the measures (the last fields) of a function. Its callees must have been measured.
void gen_measure(const struct gen_program *p, struct gen_function *f);

#endif
