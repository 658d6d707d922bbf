// SPDX-License-Identifier: Apache-2.0
//
// What can be said about a tree, or a part of it that is still grown, from its form alone.
#ifndef TF_GENERATOR_TREE_FORM_H
#define TF_GENERATOR_TREE_FORM_H

#include "tree.h"

// The largest value a u32 expression can have, as far as its form tells.
uint32_t gen_expr_max(const struct gen_program *p, const struct gen_expr *e);
// Does control never come out after it?
bool gen_stmt_ends(const struct gen_stmt *s);
bool gen_block_ends(const struct gen_block *b);
// Is there a way from inside the statement to what is around it, by one of these
// leaves (bits 1 << enum gen_leave)?
bool gen_stmt_leaves(const struct gen_stmt *s, unsigned how);
// Selector values that enter case i of a switch (bits; of a selector that is at most 31).
uint32_t gen_case_values(const struct gen_program *p, const struct gen_stmt *s, uint32_t i);
// Has the expression the same value in all invocations of the workgroup, as far as its form
// tells? `counter`: a variable that has (of a loop), or UINT32_MAX.
bool gen_expr_same(const struct gen_expr *e, uint32_t counter);
// Do all that come to the loop together go through it together? As far as it is grown.
bool gen_loop_together(const struct gen_stmt *loop);
// Do all that come to the statement together come out of it together? Not when some of them
// leave for further out.
bool gen_stmt_joins(const struct gen_stmt *s);
// Can an invocation return from inside a construct?
bool gen_block_returns_early(const struct gen_block *b);
// Can invocations with different selector values be in case i?
bool gen_case_mixed(const struct gen_program *p, const struct gen_stmt *s, uint32_t i);
// Are quads whole where the program begins?
bool gen_begins_whole(const struct gen_program *p);
// Fragments: subgroups at most; a quad needs a pixel that is covered.
uint32_t gen_subgroups(const struct gen_program *p);
// Does only an invocation that may leave its quad without emptying it of live ones come behind this
// condition?
bool gen_expr_spares(const struct gen_expr *cond);
// ---- quads (tree_quads.c) ------------------------------------------------------------
//
// A derivative needs its quad: all four invocations, together. Quads are *whole* at the start, and
// inside of constructs whose condition is the same in each quad; lost where a part of a quad
// leaves.

// What is the same in each quad where an expression or a statement stands.
struct gen_quads {
    const struct gen_function *f;
    const bool *values; // [value of f]
    const struct gen_quad_counter {
        uint32_t var; // of a loop around that quads go through whole
        const struct gen_quad_counter *outer;
    } *counters;
};
// Has the expression the same value in all invocations of a quad, as far as its form tells?
bool gen_expr_quad(const struct gen_quads *q, const struct gen_expr *e);
// Has the operation's result, where quads are whole?
bool gen_op_quad(const struct gen_stmt *op);
// Do quads that come whole to the statement, those that come out of it, come out whole? And to a
// loop's body, as far as it is grown?
bool gen_stmt_quads(const struct gen_quads *q, const struct gen_stmt *s);
bool gen_loop_quads(const struct gen_quads *q, const struct gen_stmt *loop);

// The values that are, in the whole function, where its quads come to it whole if ever.
struct gen_quads gen_quads_settle(struct arena *a, const struct gen_program *p,
                                  const struct gen_function *f);

// Is `counter < limit` implied by the loop's own condition?
bool gen_loop_bounds_itself(const struct gen_program *p, const struct gen_stmt *loop);
// Executions of the body per execution of the loop, at most.
uint32_t gen_loop_trips(const struct gen_stmt *loop);
// Blocks inside a statement, in order; NULL after the last.
const struct gen_block *gen_stmt_block(const struct gen_stmt *s, uint32_t i);
// Fills the last fields of a function whose callees are measured.
void gen_measure(const struct gen_program *p, struct gen_function *f);

#endif
