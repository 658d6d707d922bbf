// SPDX-License-Identifier: Apache-2.0
//
// Operations, blocks and constructs. A file calls those that stand above it here, no other; what
// grows the statements in between is called through g->stmts.
#ifndef TF_GENERATOR_GROW_PARTS_H
#define TF_GENERATOR_GROW_PARTS_H

#include "grow_state.h"

// Statements: one with about `first` in 100, one more with about `percent` each time.
static inline void grow_stmts(struct grow *g, uint32_t first, uint32_t percent)
{
    g->stmts(g, first, percent);
}

// ---- grow_ops.c: group operations: which are wanted, one put down ---------------------

// How often an operation is grown; 0: never in this case.
uint16_t grow_op_weight(const struct grow *g, enum gen_group_op op);
uint32_t grow_op_put(struct grow *g, const struct grow_op *op); // the value
// What can become of a result here: weights. False where nothing shows it. `loose`: for what the
// model does not promise, to be logged and no more.
bool grow_sights(const struct grow *g, bool loose, uint16_t weights[GROW_SIGHTS]);
// Is there an operation whose result could be seen here? Not after the end of a block.
bool grow_can_see(const struct grow *g);
// ballot(true), logged at once: the simplest observation there is.
void grow_plain_ballot(struct grow *g);

// ---- grow_twin.c: operations and conditions that were there before --------------------

// Is there a refrain that can be put down here: is what it reads there?
bool grow_refrain_is_here(const struct grow *g);
// An operation that was planned before and whose operands are here; false where none is drawn.
bool grow_twin(struct grow *g, struct grow_op *out);
void grow_say(struct grow *g, const struct grow_op *op); // it may be repeated
// The same for a condition; NULL where none is drawn.
const struct gen_expr *grow_twin_test(struct grow *g);
void grow_say_test(struct grow *g, const struct gen_expr *e);

// ---- grow_quads.c: what is the same in each quad --------------------------------------

// A condition, or a number up to `most` (one less than a power of two), that is the same in each
// quad.
const struct gen_expr *grow_quad_test(struct grow *g);
const struct gen_expr *grow_quad_small(struct grow *g, uint32_t most);
// The condition with `percent` in 100, where it can tell quads apart; else NULL, and nothing is
// drawn where no derivatives are wanted.
const struct gen_expr *grow_now_and_then_quad(struct grow *g, uint32_t percent);

// ---- grow_plan.c: a group operation with all its operands -----------------------------

// Draws an operation; on `on` (a number) where that is not NULL and the operation has an operand.
struct grow_op grow_op_plan(struct grow *g, const struct gen_expr *on);
// One of the operations on images from `first` to `last` that are wanted, `on` where that fits.
struct grow_op grow_image_plan(struct grow *g, enum gen_group_op first, enum gen_group_op last,
                               const struct gen_expr *on);
// A derivative of `on`, or of anything (NULL), put down: its value. Where g->sampling, an implicit
// LOD of it.
uint32_t grow_derive(struct grow *g, const struct gen_expr *on);

// ---- grow_block.c: arms, how blocks end, selections -----------------------------------

// How many phis a statement gets, and of which types.
uint32_t grow_phis(struct grow *g, enum gen_type types[GEN_PHIS_MAX]);
const struct gen_expr *grow_phi_operand(struct grow *g, enum gen_type type);
bool grow_can_return(const struct grow *g);
// Leaves the function, with what it has to tell.
void grow_return(struct grow *g);
// Draws how the block ends, logs what is pending, puts back what was outside.
void grow_close(struct grow *g, struct grow_mark *m);
void grow_close_with(struct grow *g, struct grow_mark *m, enum gen_leave how);
// Block i of an if or switch (gen_stmt_block), opened.
struct grow_mark grow_open_arm(struct grow *g, struct gen_stmt *s, uint32_t i);
// Opened, filled and closed.
void grow_arm(struct grow *g, struct gen_stmt *s, uint32_t i, uint32_t first, uint32_t percent);
// 0 none, else 1 or 2, which mean the same in both control masks: do, and do not.
unsigned grow_control(struct grow *g);
// A condition to branch on.
const struct gen_expr *grow_decide(struct grow *g);
struct gen_stmt *grow_if(struct grow *g, const struct gen_expr *cond, bool has_other);

// ---- grow_see.c: what becomes of results ----------------------------------------------

void grow_see(struct grow *g, uint32_t value);
void grow_see_as(struct grow *g, uint32_t value, enum grow_sight how);
// Adds it to the function's sum, which has been left as it was, made unlike for each order, or
// xored.
enum grow_fold { FOLD_SUM, FOLD_ORDER, FOLD_XOR };
void grow_fold(struct grow *g, uint32_t value, enum grow_fold how);
// Plans, puts and sees one operation.
void grow_op(struct grow *g, const struct gen_expr *on);
// The same, where it can be seen (grow_can_see): a value; a planned operation; any one.
void grow_see_here(struct grow *g, uint32_t value);
void grow_put_here(struct grow *g, const struct grow_op *op);
void grow_op_here(struct grow *g, const struct gen_expr *on);

// ---- grow_refrain.c: one operation again and again ------------------------------------

// Between two statements: the refrain, or nothing. Without GEN_REFRAIN it draws no choice.
void grow_refrain(struct grow *g);

// ---- grow_memory.c: memory that invocations share, values that live long --------------

bool grow_can_exchange(const struct grow *g);
void grow_exchange(struct grow *g);
void grow_atomic(struct grow *g);
// At the start and at the end of the entry point.
uint32_t grow_pressure(struct grow *g, uint32_t values[GROW_PRESSURE_MAX]);
void grow_pressure_end(struct grow *g, const uint32_t *values, uint32_t n);

// ---- grow_switch.c: switches ----------------------------------------------------------

// switch (e) of n cases with a label each, from `turn` on modulo 4; no default.
struct gen_stmt *grow_switch_plain(struct grow *g, const struct gen_expr *e, uint32_t n,
                                   uint32_t turn);
void grow_switch(struct grow *g);

// ---- grow_loop.c: loops ---------------------------------------------------------------

bool grow_can_loop(const struct grow *g);
// A loop in which something stands alone, mostly; where there may be one.
bool grow_can_loop_around(const struct grow *g);
uint32_t grow_loop_limit(struct grow *g, uint32_t least);
// A loop with its counter; the caller sets the condition before the body is opened.
struct gen_stmt *grow_loop(struct grow *g, enum gen_loop_form form, uint32_t limit);
// Values of its phis as it begins; before the condition and the body.
void grow_loop_values(struct grow *g, struct gen_stmt *loop);
// What is left when the body is closed: the continue construct, and the phis' way round.
void grow_loop_end(struct grow *g, struct gen_stmt *loop);
struct grow_mark grow_open_body(struct grow *g, struct gen_stmt *loop);
void grow_guard(struct grow *g, struct gen_stmt *loop);
void grow_any_loop(struct grow *g, enum gen_loop_form form);

// ---- grow_call.c: functions and calls -------------------------------------------------

// The statements of a function, and what it tells at its end; main always tells something.
void grow_body(struct grow *g, void (*body)(struct grow *g));
bool grow_can_make_function(const struct grow *g);
// A function from scratch and a call of it. `body` grows its statements.
void grow_call_new(struct grow *g, void (*body)(struct grow *g));
bool grow_can_call(const struct grow *g);
void grow_any_call(struct grow *g);

#endif
