// SPDX-License-Identifier: Apache-2.0
//
// The state of growth, and the parts of it that know nothing of blocks within blocks.
//
// Each function draws from g->c and appends to g->at.block. Budgets bound what is
// grown whatever the choices are; a choice that a budget forbids is recorded all
// the same (as the one that was left), so that bytes keep their places.
#ifndef TF_GENERATOR_GROW_STATE_H
#define TF_GENERATOR_GROW_STATE_H

#include "tree/tree_form.h"

#include "grow_idioms.h"

enum {
    GROW_VARS_MAX = 4,    // of a function, without loop counters; one is for the accumulator
    GROW_COMMONS_MAX = 2, // Private variables
    GROW_PRESSURE_MAX = 32,
    GROW_SAID = 4,        // operations that may be repeated
    GROW_PENDING_MAX = 4, // values waiting to be logged; with the variables they fill an entry
};
#define GROW_NONE UINT32_MAX
#define GROW_ALL  0x10000u // a share: all of them

// What can become of a result.
enum grow_sight {
    SEE_NOW,     // logged after the operation
    SEE_FOLD,    // folded into the accumulator, which is logged at the end
    SEE_VAR,     // kept in a variable
    SEE_PENDING, // kept in an id, logged at the end of the block
    SEE_INSIDE,  // used only in a branch after it
    SEE_BRANCH,  // a condition after it
    SEE_NEVER,
    GROW_SIGHTS
};

struct gen_profile_row {
    const char *name;
    uint32_t nodes;     // statements, about
    uint32_t row_words; // of a log row, at most
    uint32_t depth;     // constructs and calls inside each other
    uint32_t functions; // besides main
};

// What this case is made of: weights, 0 for never.
struct grow_swarm {
    uint16_t feature[GEN_FEATURE_COUNT];
    uint16_t sight[GROW_SIGHTS];
    uint16_t idiom[GROW_IDIOM_COUNT];
};

// Which invocations execute a statement.
struct grow_odds {
    lane_mask lanes; // may, by what conditions ask of the lane
    uint32_t share;  // of them that do, by the other conditions
    uint32_t chance; // that any do, by conditions that are the same for all of a tangle
};

// Where growth stands in a function.
struct grow_place {
    struct gen_function *f;
    struct gen_block *block;
    uint32_t times; // executions of a statement here, in one invocation, at most
    uint32_t depth;
    struct grow_odds odds;
    struct grow_exits {
        bool leave_loop, next_trip, leave_function;
    } may;
    bool together; // when the block began: all invocations of the workgroup (grow_together)
    bool whole;    // when the block began: quads are (grow_whole)
    const struct gen_quad_counter *quad_counters; // of loops around that they go through whole
    bool no_calls;          // the end of one would promise nothing to what is after it
    bool quiet;             // who shares a tangle here is left open (D3, M2): nothing may tell
    bool bound;             // in a continue construct: no merge block may be out of reach
    bool straight;          // in a loop of one block: no statement that holds others
    uint32_t case_depth;    // depth of the switch case around, no loop between; 0 without one
    uint32_t accumulator;   // variable, GROW_NONE before the first fold
    VEC(uint32_t) visible;  // values that have been computed wherever this is executed
    VEC(uint32_t) pending;  // those to be logged when their block ends
    VEC(uint32_t) counters; // of the loops around, innermost last
};

// A group operation with its operands, to be put down once or more.
struct grow_op {
    enum gen_group_op op;
    enum gen_as as;
    uint32_t width; // 0 is 1
    enum gen_source source;
    uint32_t n;
    const struct gen_expr *arg[2];
};

// What was grown last and may be grown again (grow_twin.c): each in its function.
struct grow_said {
    struct grow_op op[GROW_SAID]; // a ring
    const struct gen_function *op_in[GROW_SAID], *test_in;
    uint32_t ops; // so far
    const struct gen_expr *test;
};

// An operation that one function does again and again (grow_refrain.c).
struct grow_refrain {
    struct grow_op op;
    const struct gen_function *in; // NULL before there is one
};

struct grow {
    struct gen_choices *c;
    struct arena *arena;
    const struct gen_options *o;
    const struct gen_profile_row *profile;
    struct gen_program *p;
    // Grows statements (grow_stmt.c). Statements hold statements: all parts call it, and it calls
    // all parts; no file calls in a ring but through here.
    void (*stmts)(struct grow *g, uint32_t first, uint32_t percent);
    struct grow_swarm swarm;
    bool weak;          // the model promises nothing in divergent flow
    bool ops;           // there are group operations in it
    int32_t nodes;      // statements that may still be grown; what closes a construct may overdraw
    uint32_t words;     // of the log row, still free
    uint32_t functions; // begun, without main
    bool main;          // growing the entry point itself
    bool deciding;      // growing a condition: results in it count as GEN_OBSERVE_BRANCH
    enum grow_idiom first; // that the program is to begin with; GROW_IDIOM_COUNT: none, or it has
    bool pure;             // growing what no statement may be put down for: a loop's condition
    bool deriving;         // the operation that is planned is put down right here
    bool sampling;         // the shape that is grown is of samples, not of derivatives
    bool late;             // the next continue construct to be grown begins with an operation
    struct grow_said said;
    struct grow_refrain refrain[2]; // of the function that is grown, and of main
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
// Is an element type wanted? Are ballots to be looked into by arithmetic alone?
static inline bool grow_has_as(const struct grow *g, enum gen_as as)
{
    return as == AS_U32 || grow_has(g, gen_as_row(as)->feature);
}
static inline bool grow_plain_ballots(const struct grow *g)
{
    return g->o->features & GEN_BIT(GEN_PLAIN_BALLOTS);
}

// ---- grow_odds.c: a guess at which invocations get where ------------------------------

// Which invocations have this value of the expression; of a condition: 1 or 0.
struct grow_odds grow_odds_of(const struct grow *g, const struct gen_expr *e, uint32_t value);
// Which get to case i of a switch.
struct grow_odds grow_odds_of_case(const struct grow *g, const struct gen_stmt *s, uint32_t i);
void grow_narrow(struct grow *g, const struct grow_odds *odds);
// Invocations of a subgroup that get here, in 1/GROW_ALL; few where likely none does.
uint32_t grow_expected(const struct grow *g);

// ---- grow_expr.c: expressions ---------------------------------------------------------

const struct gen_expr *grow_leaf(struct grow *g, enum gen_expr_kind kind, enum gen_type type,
                                 uint32_t n);
const struct gen_expr *grow_const(struct grow *g, uint32_t n);
const struct gen_expr *grow_const_bool(struct grow *g, bool yes);
const struct gen_expr *grow_var(struct grow *g, uint32_t var);
const struct gen_expr *grow_value(struct grow *g, uint32_t value);
// The value as a number: a bool as 0 or 1, of a ballot one of its words, or that word.
const struct gen_expr *grow_value_u32(struct grow *g, uint32_t value);
const struct gen_expr *grow_word(struct grow *g, uint32_t value, uint32_t word);
const struct gen_expr *grow_alu(struct grow *g, enum gen_expr_kind kind, const struct gen_expr *a,
                                const struct gen_expr *b);
const struct gen_expr *grow_select(struct grow *g, const struct gen_expr *c,
                                   const struct gen_expr *a, const struct gen_expr *b);
// Any number; any condition, constant with about `fixed` in 100.
const struct gen_expr *grow_u32(struct grow *g, uint32_t depth);
const struct gen_expr *grow_bool(struct grow *g, uint32_t depth, uint32_t fixed);
// A number of at most `most`, one less than a power of two, that differs between
// invocations or (`uniform`) does not.
const struct gen_expr *grow_small(struct grow *g, uint32_t most, bool uniform);
// A condition on a number, or on a value.
const struct gen_expr *grow_test(struct grow *g, const struct gen_expr *e);
const struct gen_expr *grow_value_test(struct grow *g, uint32_t value);
const struct gen_expr *grow_lane_test(struct grow *g);
const struct gen_expr *grow_lane(struct grow *g);  // SubgroupLocalInvocationId
const struct gen_expr *grow_group(struct grow *g); // WorkgroupId
const struct gen_expr *grow_own(struct grow *g);   // the invocation's own input word
const struct gen_expr *grow_uniform_at(struct grow *g, uint32_t n); // input word n
const struct gen_expr *grow_uniform(struct grow *g); // a number that is the same for all
const struct gen_expr *grow_uniform_test(struct grow *g);

// ---- grow_where.c: which invocations come together: the workgroup, quads --------------

// Do all invocations of the workgroup come here together, under this model?
bool grow_together(const struct grow *g);
// And through the loop, as far as it is grown?
bool grow_goes_together(const struct grow *g, const struct gen_stmt *loop);
// Is the result of this operation one that the model does not promise? Then nothing may
// depend on it but a log.
bool grow_is_loose(const struct grow *g, const struct gen_stmt *op);
// Are derivatives wanted, and quads whole here?
bool grow_whole(const struct grow *g);
// Is the expression the same in each quad here? And a loop, as far as it is grown, gone through by
// whole quads?
bool grow_is_quad(const struct grow *g, const struct gen_expr *e);
bool grow_loop_is_quad(const struct grow *g, const struct gen_stmt *loop);
// From here on the body (or the continue construct) of a loop that quads go through whole.
void grow_quad_loop(struct grow *g, const struct gen_stmt *loop);

// ---- grow_place.c: single statements, values, variables, the budget of the log --------

// Can a log entry of n words be afforded here? Taking it makes it so.
bool grow_affords(const struct grow *g, uint32_t n);
void grow_pay(struct grow *g, uint32_t n);
struct gen_stmt *grow_stmt_new(struct grow *g, enum gen_stmt_kind kind);
uint32_t grow_bind(struct grow *g, struct gen_stmt *s, enum gen_type type); // the value
uint32_t grow_bind_phi(struct grow *g, const struct gen_stmt *s, enum gen_type type);
void grow_set(struct grow *g, uint32_t var, const struct gen_expr *e);
void grow_log(struct grow *g, const struct gen_expr **expr, uint32_t n); // paid already
void grow_log_one(struct grow *g, const struct gen_expr *e);             // and paid
uint32_t grow_pick_var(struct grow *g);   // one that may be set, an old or a new one
uint32_t grow_vars(const struct grow *g); // how many there are, without loop counters
// Logs, in one entry and paid already, what is pending since `first` and, if wanted,
// the variables of the function as they are. False when there is nothing.
bool grow_log_rest(struct grow *g, size_t first, bool vars);
// From here on all stay in the block: g->at.may as it was, for the caller to put back.
struct grow_exits grow_bar(struct grow *g);

// May a statement that holds others stand here?
bool grow_can_nest(const struct grow *g);
// An open block; what it shades is put back when it is closed.
struct grow_mark {
    struct grow_place outer;
    uint32_t span;
    bool arm;              // of a selection: its end may leave
    bool last;             // the last arm of one that has all
    struct grow_odds odds; // an arm: for which invocations it is
};
struct grow_mark grow_open_block(struct grow *g, struct gen_block *b, bool arm);
// Logs what is pending since the block was opened, if its end is reached.
void grow_settle(struct grow *g, const struct grow_mark *m);
void grow_close_block(struct grow *g, struct grow_mark *m);

#endif
