// SPDX-License-Identifier: Apache-2.0
//
// State of growth, and the functions that do not depend on nested blocks.
//
// Each function draws from g->c and appends to g->at.block. Budgets limit the program for any
// choices. A choice that a budget forbids is still recorded (as the alternative taken), so that
// bytes keep their places.
#ifndef TF_GENERATOR_GROW_STATE_H
#define TF_GENERATOR_GROW_STATE_H

#include "tree/tree_form.h"

#include "grow_patterns.h"

enum {
    GROW_VARS_MAX = 4,    // of a function, without loop counters; one is for the accumulator
    GROW_COMMONS_MAX = 2, // Private variables
    GROW_PRESSURE_MAX = 32,
    GROW_RECENT = 4,      // recent operations that may be repeated
    GROW_PENDING_MAX = 4, // values waiting to be logged; with the variables they fill a log entry
};
#define GROW_NONE UINT32_MAX
#define GROW_ALL  0x10000u // a share: all of them

// How a result is observed.
enum grow_observation {
    SEE_NOW,     // logged after the operation
    SEE_FOLD,    // folded into the accumulator, which is logged at the end
    SEE_VAR,     // stored in a variable
    SEE_PENDING, // kept in an id, logged at the end of the block
    SEE_INSIDE,  // used only inside a selection after it
    SEE_BRANCH,  // used as a condition after it
    SEE_NEVER,
    GROW_OBSERVATIONS
};

struct gen_profile_row {
    const char *name;
    uint32_t nodes;     // statements, approximately
    uint32_t row_words; // words of a log row, at most
    uint32_t depth;     // nesting of constructs and calls, at most
    uint32_t functions; // at most, without main
};

// What this case is composed of: weights, 0 for never.
struct grow_swarm {
    uint16_t feature[GEN_FEATURE_COUNT];
    uint16_t observation[GROW_OBSERVATIONS];
    uint16_t pattern[GROW_PATTERN_COUNT];
};

// An estimate of which invocations execute a statement.
struct grow_odds {
    lane_mask lanes; // lanes that may, by the conditions on the lane alone
    uint32_t share;  // the fraction of them that do, by the other conditions
    uint32_t chance; // the probability that any do, by conditions uniform in a tangle
};

// The current position of growth in a function.
struct grow_place {
    struct gen_function *f;
    struct gen_block *block;
    uint32_t times; // executions of a statement here in one invocation, at most
    uint32_t depth;
    struct grow_odds odds;
    struct grow_exits {
        bool leave_loop, next_trip, leave_function;
    } may;
    bool together; // at the start of the block, all invocations of the workgroup were converged
                   // (grow_together)
    bool whole;    // at the start of the block, quads were whole (grow_whole)
    const struct gen_quad_counter *quad_counters; // counters of enclosing loops that quads go
                                                  // through whole
    bool no_calls;          // no calls: the model guarantees nothing after the end of a call
    bool quiet;             // the implementation chooses which invocations share a tangle (D3, M2):
                            // nothing may observe it
    bool bound;             // in a continue construct: no merge block may become unreachable
    bool straight;          // in a single-block loop: no statement that contains others
    uint32_t case_depth;    // depth of the enclosing switch case, no loop between; 0 without one
    uint32_t accumulator;   // variable, GROW_NONE before the first fold
    VEC(uint32_t) visible;  // values that are computed on every path to this place
    VEC(uint32_t) pending;  // values to be logged when their block ends
    VEC(uint32_t) counters; // of enclosing loops, innermost last
};

// A group operation with its operands, to be emitted once or several times.
struct grow_op {
    enum gen_group_op op;
    enum gen_as as;
    uint32_t width; // 0 means 1
    enum gen_source source;
    uint32_t n;
    const struct gen_expr *arg[2];
};

// Recent operations and conditions that may be repeated (grow_twin.c), each in its own function.
struct grow_recent {
    struct grow_op op[GROW_RECENT]; // ring buffer
    const struct gen_function *op_in[GROW_RECENT], *test_in;
    uint32_t ops; // number recorded so far
    const struct gen_expr *test;
};

// An operation that one function repeats (grow_repeat.c).
struct grow_repeat {
    struct grow_op op;
    const struct gen_function *in; // NULL: not drawn yet
};

struct grow {
    struct gen_choices *c;
    struct arena *arena;
    const struct gen_options *o;
    const struct gen_profile_row *profile;
    struct gen_program *p;
    // Grows statements (grow_stmt.c). Statements contain statements: all files call it, and it
    // calls all files. This is the only cycle in the call graph between files.
    void (*stmts)(struct grow *g, uint32_t first, uint32_t percent);
    struct grow_swarm swarm;
    bool weak;          // the model guarantees nothing in divergent control flow
    bool ops;           // the case can have group operations
    int32_t nodes;      // statements that may still be grown; closing a construct may overdraw it
    uint32_t words;     // words of the log row that are still free
    uint32_t functions; // functions started, without main
    bool main;          // true while the entry point itself is grown
    bool deciding;      // true while a condition is grown: results in it count as
                        // GEN_OBSERVE_BRANCH
    enum grow_pattern first; // shape that the program must begin with; GROW_PATTERN_COUNT: none, or
                             // already grown
    enum grow_pattern second; // the shape after it, in the same way
    bool pure;                // true while an expression is grown that may not add statements: a
                              // loop's condition
    bool deriving;            // the planned operation is emitted right here
    bool sampling;            // the current shape uses samples instead of derivatives
    bool late;                // the next continue construct begins with an operation
    struct gen_stmt *latch;   // the loop whose continue construct computes its condition, or NULL
    uint32_t latch_var;       // the variable that it sets
    struct grow_recent recent;
    struct grow_repeat repeat[2]; // index 0: the function being grown; 1: main
    struct grow_place at;
};

static inline bool grow_has(const struct grow *g, enum gen_feature f)
{
    return g->swarm.feature[f] > 0;
}
static inline void grow_note(struct grow *g, enum gen_feature f)
{
    g->p->used |= GEN_BIT(f);
}
// True if an element type is wanted. True if ballots may be read by arithmetic only.
static inline bool grow_has_as(const struct grow *g, enum gen_as as)
{
    return as == AS_U32 || grow_has(g, gen_as_row(as)->feature);
}
static inline bool grow_plain_ballots(const struct grow *g)
{
    return g->o->features & GEN_BIT(GEN_PLAIN_BALLOTS);
}

// ---- grow_odds.c: estimates of which invocations reach a place ------------------------

// Estimates the invocations for which the expression has this value; of a condition: 1 or 0.
struct grow_odds grow_odds_of(const struct grow *g, const struct gen_expr *e, uint32_t value);
// Estimates the invocations that enter case i of a switch.
struct grow_odds grow_odds_of_case(const struct grow *g, const struct gen_stmt *s, uint32_t i);
void grow_narrow(struct grow *g, const struct grow_odds *odds);
// Returns the estimated number of invocations of a subgroup that reach this place, in 1/GROW_ALL.
// It is low if probably none does.
uint32_t grow_expected(const struct grow *g);

// ---- grow_expr.c: expressions ---------------------------------------------------------

const struct gen_expr *grow_leaf(struct grow *g, enum gen_expr_kind kind, enum gen_type type,
                                 uint32_t n);
const struct gen_expr *grow_const(struct grow *g, uint32_t n);
const struct gen_expr *grow_const_bool(struct grow *g, bool yes);
const struct gen_expr *grow_var(struct grow *g, uint32_t var);
const struct gen_expr *grow_value(struct grow *g, uint32_t value);
// Returns the value as a number: a bool as 0 or 1, of a ballot one of its words. grow_word: that
// word.
const struct gen_expr *grow_value_u32(struct grow *g, uint32_t value);
const struct gen_expr *grow_word(struct grow *g, uint32_t value, uint32_t word);
const struct gen_expr *grow_alu(struct grow *g, enum gen_expr_kind kind, const struct gen_expr *a,
                                const struct gen_expr *b);
const struct gen_expr *grow_select(struct grow *g, const struct gen_expr *c,
                                   const struct gen_expr *a, const struct gen_expr *b);
// Grow any number; any condition, which is constant with a chance of about `fixed` in 100.
const struct gen_expr *grow_u32(struct grow *g, uint32_t depth);
const struct gen_expr *grow_bool(struct grow *g, uint32_t depth, uint32_t fixed);
// Grows a number of at most `most`, one less than a power of two. `uniform`: uniform in all
// invocations; otherwise it may differ between them.
const struct gen_expr *grow_small(struct grow *g, uint32_t most, bool uniform);
// Draws a number below `below`, the size of a subgroup or a part of it, for a lane, a distance or a
// mask. The ends, both sides of the middle and powers of two are frequent.
uint32_t grow_number_below(struct grow *g, uint32_t below);
// Grow a condition on a number, or on a value.
const struct gen_expr *grow_test(struct grow *g, const struct gen_expr *e);
const struct gen_expr *grow_value_test(struct grow *g, uint32_t value);
const struct gen_expr *grow_lane_test(struct grow *g);
const struct gen_expr *grow_lane(struct grow *g);  // SubgroupLocalInvocationId
const struct gen_expr *grow_group(struct grow *g); // WorkgroupId
const struct gen_expr *grow_own(struct grow *g);   // the invocation's own input word
const struct gen_expr *grow_uniform_at(struct grow *g, uint32_t n); // input word n
const struct gen_expr *grow_uniform(struct grow *g);                // a uniform number
const struct gen_expr *grow_uniform_test(struct grow *g);

// ---- grow_where.c: where invocations are converged: the workgroup, quads --------------

// True if all invocations of the workgroup are converged here, under this model.
bool grow_together(const struct grow *g);
// True if they also stay converged through the loop, as far as it has grown.
bool grow_goes_together(const struct grow *g, const struct gen_stmt *loop);
// True if the model does not guarantee the result of this operation. Such a result may only be
// logged.
bool grow_is_not_guaranteed(const struct grow *g, const struct gen_stmt *op);
// True if whole quads are needed by a requested feature, and quads are whole here.
bool grow_whole(const struct grow *g);
// True if the expression is uniform in each quad here. The second: true if the quads that enter arm
// i of an if or switch are whole, provided that they are before it. The third: true if quads stay
// whole through a loop, as far as it has grown.
bool grow_is_quad(const struct grow *g, const struct gen_expr *e);
bool grow_arm_is_quad(const struct grow *g, const struct gen_stmt *s, uint32_t i);
bool grow_loop_is_quad(const struct grow *g, const struct gen_stmt *loop);
// Marks the body (or continue construct) as that of a loop that quads go through whole.
void grow_quad_loop(struct grow *g, const struct gen_stmt *loop);

// ---- grow_place.c: single statements, values, variables, the log budget ---------------

// True if the log budget allows an entry of n words here. grow_pay takes it from the budget.
bool grow_affords(const struct grow *g, uint32_t n);
void grow_pay(struct grow *g, uint32_t n);
struct gen_stmt *grow_stmt_new(struct grow *g, enum gen_stmt_kind kind);
uint32_t grow_bind(struct grow *g, struct gen_stmt *s, enum gen_type type); // returns the value
uint32_t grow_bind_phi(struct grow *g, const struct gen_stmt *s, enum gen_type type);
void grow_set(struct grow *g, uint32_t var, const struct gen_expr *e);
void grow_log(struct grow *g, const struct gen_expr **expr, uint32_t n); // already paid
void grow_log_one(struct grow *g, const struct gen_expr *e);             // pays too
uint32_t grow_pick_var(struct grow *g);   // an existing or new variable that may be set
uint32_t grow_vars(const struct grow *g); // number of variables, without loop counters
// Logs, in one entry that is already paid, the pending values from index `first` on and, if `vars`,
// the current variables of the function. False if there is nothing to log.
bool grow_log_rest(struct grow *g, size_t first, bool vars);
// Forbids leaving the block from here on. Returns the old g->at.may for the caller to restore.
struct grow_exits grow_bar(struct grow *g);

// True if a statement that contains others is allowed here.
bool grow_can_nest(const struct grow *g);
// An open block. Closing it restores `outer`.
struct grow_mark {
    struct grow_place outer;
    uint32_t span;
    bool arm;              // arm of a selection: it may end with a leave
    bool last;             // last arm of a selection in which every path has an arm
    struct grow_odds odds; // for an arm: which invocations enter it
};
struct grow_mark grow_open_block(struct grow *g, struct gen_block *b, bool arm);
// Logs the values pending since the block was opened, if control reaches its end.
void grow_settle(struct grow *g, const struct grow_mark *m);
void grow_close_block(struct grow *g, struct grow_mark *m);

#endif
