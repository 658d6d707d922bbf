// SPDX-License-Identifier: Apache-2.0
//
// Growth of operations, blocks and constructs. A file calls only functions listed above its own
// section here. To grow nested statements it calls g->stmts.
#ifndef TF_GENERATOR_GROW_PARTS_H
#define TF_GENERATOR_GROW_PARTS_H

#include "grow_state.h"

// Grows statements: one with a chance of about `first` percent, then one more with about `percent`
// each time.
static inline void grow_stmts(struct grow *g, uint32_t first, uint32_t percent)
{
    g->stmts(g, first, percent);
}

// ---- grow_ops.c: group operations: weights, and the statement -------------------------

// Returns how often an operation is grown; 0: never in this case.
uint16_t grow_op_weight(const struct grow *g, enum gen_group_op op);
uint32_t grow_op_put(struct grow *g, const struct grow_op *op); // returns the value it binds
// Computes the weights of the possible observations of a result here. False if none of them makes
// it visible. Second argument: the model does not guarantee the result, so it may only be logged.
bool grow_observations(const struct grow *g, bool not_guaranteed,
                       uint16_t weights[GROW_OBSERVATIONS]);
// True if a group operation is possible here and its result can be observed. False after the end of
// a block.
bool grow_can_see(const struct grow *g);
// Emits ballot(true), logged at once: the simplest observation.
void grow_plain_ballot(struct grow *g);

// ---- grow_twin.c: repeated operations and conditions ----------------------------------

// True if there is a repeated operation (grow_repeat.c) whose operands are available here.
bool grow_repeat_is_here(const struct grow *g);
// Draws an earlier operation whose operands are available here. False if none is drawn.
bool grow_twin(struct grow *g, struct grow_op *out);
void grow_remember(struct grow *g, const struct grow_op *op); // records an operation that may be
                                                              // repeated
// The same for a condition; NULL if none is drawn.
const struct gen_expr *grow_twin_test(struct grow *g);
void grow_remember_test(struct grow *g, const struct gen_expr *e);

// ---- grow_quads.c: expressions that are uniform in each quad --------------------------

// Grow a condition, or a number up to `most` (one less than a power of two), that is uniform in
// each quad.
const struct gen_expr *grow_quad_test(struct grow *g);
const struct gen_expr *grow_quad_small(struct grow *g, uint32_t most);
// Returns such a condition with a chance of `percent` in 100 where quads are whole; otherwise NULL.
// Draws nothing if quads are not needed.
const struct gen_expr *grow_now_and_then_quad(struct grow *g, uint32_t percent);

// ---- grow_plan.c: a group operation with all its operands -----------------------------

// Draws an operation. If `on` (a number) is not NULL and the operation has an operand, it is
// applied to `on`.
struct grow_op grow_op_plan(struct grow *g, const struct gen_expr *on);
// Draws one of the image operations from `first` to `last` that have a weight. It is applied to
// `on` if possible.
struct grow_op grow_image_plan(struct grow *g, enum gen_group_op first, enum gen_group_op last,
                               const struct gen_expr *on);
// Emits a derivative of `on`, or of any number (NULL), and returns its value. If g->sampling, a
// sample with implicit LOD instead.
uint32_t grow_derive(struct grow *g, const struct gen_expr *on);

// ---- grow_block.c: arms, how blocks end, selections -----------------------------------

// Draws how many phis a statement has, and their types.
uint32_t grow_phis(struct grow *g, enum gen_type types[GEN_PHIS_MAX]);
const struct gen_expr *grow_phi_operand(struct grow *g, enum gen_type type);
bool grow_can_return(const struct grow *g);
// Emits a return, with the result or a last log entry.
void grow_return(struct grow *g);
// Draws how the block ends, logs the pending values, and restores the outer state.
void grow_close(struct grow *g, struct grow_mark *m);
void grow_close_with(struct grow *g, struct grow_mark *m, enum gen_leave how);
// Opens block i of an if or switch (gen_stmt_block).
struct grow_mark grow_open_arm(struct grow *g, struct gen_stmt *s, uint32_t i);
// Opens, fills and closes it.
void grow_arm(struct grow *g, struct gen_stmt *s, uint32_t i, uint32_t first, uint32_t percent);
// Draws a control: 0 none, otherwise 1 or 2, which mean the same in both control masks (do, and do
// not).
unsigned grow_control(struct grow *g);
// Draws a condition to branch on.
const struct gen_expr *grow_decide(struct grow *g);
struct gen_stmt *grow_if(struct grow *g, const struct gen_expr *cond, bool has_other);

// ---- grow_see.c: how results are observed ---------------------------------------------

void grow_see(struct grow *g, uint32_t value);
void grow_see_as(struct grow *g, uint32_t value, enum grow_observation how);
// Adds the value to the function's accumulator. The old content is kept, multiplied by 3 (so that
// the order matters), or xored with a constant.
enum grow_fold { FOLD_SUM, FOLD_ORDER, FOLD_XOR };
void grow_fold(struct grow *g, uint32_t value, enum grow_fold how);
// Plans and emits one operation, and observes its result.
void grow_op(struct grow *g, const struct gen_expr *on);
// The same if the result can be observed (grow_can_see): for a value; for a planned operation; for
// any operation.
void grow_see_here(struct grow *g, uint32_t value);
void grow_put_here(struct grow *g, const struct grow_op *op);
void grow_op_here(struct grow *g, const struct gen_expr *on);

// ---- grow_repeat.c: one repeated operation -------------------------------------------

// Between two statements: emits the repeated operation, or nothing. Draws no choice without
// GEN_REPEAT.
void grow_repeat(struct grow *g);

// ---- grow_memory.c: memory that invocations share, values that live long --------------

bool grow_can_exchange(const struct grow *g);
void grow_exchange(struct grow *g);
void grow_atomic(struct grow *g);
// Grow values at the start of the entry point that are used only at its end.
uint32_t grow_pressure(struct grow *g, uint32_t values[GROW_PRESSURE_MAX]);
void grow_pressure_end(struct grow *g, const uint32_t *values, uint32_t n);

// ---- grow_switch.c: switches ----------------------------------------------------------

// Grows switch (e) with n cases of one label each. The labels start at `turn`, modulo 4. No
// default.
struct gen_stmt *grow_switch_plain(struct grow *g, const struct gen_expr *e, uint32_t n,
                                   uint32_t turn);
void grow_switch(struct grow *g);

// ---- grow_loop.c: loops ---------------------------------------------------------------

bool grow_can_loop(const struct grow *g);
// True if grow_loop_around can grow a loop with an exit here.
bool grow_can_loop_around(const struct grow *g);
uint32_t grow_loop_limit(struct grow *g, uint32_t least);
// Grows a loop with its counter. The caller sets the condition before it opens the body.
struct gen_stmt *grow_loop(struct grow *g, enum gen_loop_form form, uint32_t limit);
// Grows the phis' initial values. Call it before the condition and the body.
void grow_loop_values(struct grow *g, struct gen_stmt *loop);
// Grows the rest after the body is closed: the continue construct and the phis' values for the next
// iteration.
void grow_loop_end(struct grow *g, struct gen_stmt *loop);
struct grow_mark grow_open_body(struct grow *g, struct gen_stmt *loop);
void grow_guard(struct grow *g, struct gen_stmt *loop);
void grow_any_loop(struct grow *g, enum gen_loop_form form);

// ---- grow_call.c: functions and calls -------------------------------------------------

// Grows the statements of a function and its last log entry or result. The entry point always logs
// something.
void grow_body(struct grow *g, void (*body)(struct grow *g));
bool grow_can_make_function(const struct grow *g);
// Grows a new function and a call of it. `body` grows its statements.
void grow_call_new(struct grow *g, void (*body)(struct grow *g));
// The same, with a bool as the first parameter.
void grow_call_by_bool(struct grow *g, void (*body)(struct grow *g));
bool grow_can_call(const struct grow *g);
void grow_any_call(struct grow *g);

#endif
