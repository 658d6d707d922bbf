// SPDX-License-Identifier: Apache-2.0
//
// Growth: choices -> tree. Inside of the generator alone.
//
//   grow_case.c   profile, swarm, sizes, the program as a whole, inputs
//   grow_stmt.c   blocks, statements, selections
//   grow_switch.c switches
//   grow_loop.c   loops
//   grow_call.c   functions and calls
//   grow_idiom.c  the smallest shapes that are known to break compilers
//   grow_idiom_table.c  where they fit
//   grow_shape.c  those of them that are loops
//   grow_fragment.c  the target of fragments, what is drawn, shapes about helpers
//   grow_quads.c  derivatives: where quads are whole, and the shapes made of them
//   grow_image.c  images: operands, and the shapes made of them
//   grow_ops.c    group operations, and what becomes of their results
//   grow_twin.c   operations and conditions that were there before
//   grow_expr.c   expressions
//   grow_memory.c memory that invocations share, values that live long
//   grow_odds.c   a guess at who gets where
//
// Each function draws from g->c and appends to g->at.block. Budgets bound what is
// grown whatever the choices are; a choice that a budget forbids is recorded all
// the same (as the one that was left), so that bytes keep their places.
#ifndef TF_GENERATOR_GROW_H
#define TF_GENERATOR_GROW_H

#include "tree.h"

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

// name, what it is called, bug class and shape
#define GROW_FLOW_IDIOMS(X)                                                                        \
    X(BREAK_BLOCK, "break-block", "T1, T2: loop { if (i == t) { op; break; } }")                   \
    X(TWO_IFS, "two-ifs", "T3: if (c) A; if (c) B; op")                                            \
    X(BOTH_ARMS, "both-arms", "T4: if (c) { A; v = op } else { B; v = op }")                       \
    X(BEHIND_MERGE, "behind-merge", "T5, T9: if (c) v = A; else v = B; op(v)")                     \
    X(AGAIN_INSIDE, "again-inside", "T6: x = op; if (c) y = op")                                   \
    X(CALLEE_LOOP, "callee-loop", "T13: early return in a callee's loop, op after the call")       \
    X(WATERFALL, "waterfall", "T3: loop { f = first(v); if (f == v) { op; break; } }")             \
    X(LEFT_EARLY, "left-early", "T8, T17: loop { v = op; if (..) break; } op(v)")                  \
    X(SAME_OR_SAME, "same-or-same", "T9: v = u; if (c) v = u2; op(v), both the same for all")      \
    X(REMAINDER, "remainder", "T10: for (i < t) op, unrolled")                                     \
    X(INNER_BREAK, "inner-break", "T11: loop { loop { if (c) break; } op }")                       \
    X(CASES, "cases", "T12: switch { case k: op } of one op")                                      \
    X(LATE_OP, "late-op", "T13: loop { if (c) continue; A } continue { op }")                      \
    X(DENSE, "dense", "T13: loop { if (c) continue; op; if (d) continue; op }")                    \
    X(TWO_LEVELS, "two-levels",                                                                    \
      "T14: loop { loop { if (c) { f = 1; break; } } if (f) break; op }")                          \
    X(FOLDED, "folded", "T15: if (few) op(constant)")                                              \
    X(QUADS, "quads", "T16: if (part of each quad) quad op")                                       \
    X(ONE_GROUP, "one-group", "T18: if (WorkgroupId == k) op")                                     \
    X(BACK_TO_BACK, "back-to-back", "T18: shuffle(shuffle(v))")                                    \
    X(CHAIN, "chain", "p = a && op && ..., as branches; if (p) op")                                \
    X(USED_INSIDE, "used-inside", "T7, T11: x = op; a case or a loop { use(x) }")                  \
    X(AGAIN_BEHIND, "again-behind", "T6: x = op; if (c) leave; y = op")                            \
    X(GOES_ON, "goes-on", "T12: loop { switch { case k: op; continue; } op }")                     \
    X(WAY_OUT, "way-out", "T1, T11, T13: loop { if (c) { loop { op } leave; } }")
// Only where derivatives are asked for.
#define GROW_DERIVED_IDIOMS(X)                                                                     \
    X(DERIVED_EARLY, "derived-early", "T7, T16: d = derivative; in a branch or case: use(d)")      \
    X(DERIVED_PHI, "derived-phi", "T5, T16: if (c) v = A; derivative(v)")                          \
    X(DERIVED_CALL, "derived-call", "T13, T16: derivative(f(v)), f left early by some")            \
    X(DERIVED_LOOP, "derived-loop", "T2, T16: loop by quad { derivative(i) }")                     \
    X(DERIVED_CASES, "derived-cases", "T12, T16: switch by quad { case k: derivative }")           \
    X(DERIVED_EXIT, "derived-exit", "T8, T16: loop { v = ..; if (c) break; } derivative(v)")       \
    X(DERIVED_SELECT, "derived-select", "T16: c ? derivative(a) : derivative(b), c of one lane")
// Only in the fragment stage.
#define GROW_FRAGMENT_IDIOMS(X)                                                                    \
    X(DEMOTE_SOME, "demote-some", "T19: if (c) demote; op")                                        \
    X(DEMOTE_KEPT, "demote-kept", "T19: x = op; if (c) demote; op(x)")                             \
    X(DEMOTE_LOOP, "demote-loop", "T19: loop { op; if (c) demote; if (helper) break; }")           \
    X(DEMOTE_CALL, "demote-call", "T13, T19: f() { if (c) demote; } op")                           \
    X(DEMOTE_DERIVED, "demote-derived", "T16, T19: if (c) demote; derivative")                     \
    X(END_SOME, "end-some", "T19: if (c) { terminate, kill or return } op")                        \
    X(HELPER_TOLD, "helper-told", "T20: ballot(helper); if (c) demote; ballot(helper)")            \
    X(HELPER_VOTE, "helper-vote", "T20: any(helper && c)")                                         \
    X(HELPER_QUAD, "helper-quad", "T20: v = A; if (helper) v = B; quad op(v)")                     \
    X(HELPER_LOOP, "helper-loop", "T20: for (i < (helper ? long : short)) v = ..; quad op(v)")     \
    X(HELPER_INDEX, "helper-index", "T20: quad op(in[helper ? i : k])")
// Only where images are sampled: those of derivatives, in the same order.
#define GROW_SAMPLED_IDIOMS(X)                                                                     \
    X(SAMPLED_EARLY, "sampled-early", "T7, T16: s = sample; in a branch or case: use(s)")          \
    X(SAMPLED_PHI, "sampled-phi", "T5, T16: if (c) v = A; sample(v of the quad)")                  \
    X(SAMPLED_CALL, "sampled-call", "T13, T16: sample(f(v)), f left early by some")                \
    X(SAMPLED_LOOP, "sampled-loop", "T2, T16: loop by quad { sample }")                            \
    X(SAMPLED_CASES, "sampled-cases", "T12, T16: switch by quad { case k: sample }")               \
    X(SAMPLED_EXIT, "sampled-exit", "T8, T16: loop { v = ..; if (c) break; } sample(v)")           \
    X(SAMPLED_SELECT, "sampled-select", "T16: c ? sample(a) : sample(b), c of one lane")
// Only where there are images.
#define GROW_IMAGE_IDIOMS(X)                                                                       \
    X(EITHER_SAMPLER, "either-sampler", "T4, T9: if (c) v = sample(s1); else v = sample(s2)")      \
    X(INDEX_PHI, "index-phi", "T9: i = A; if (c) i = B; sample(images[i])")                        \
    X(INDEX_WATERFALL, "index-waterfall",                                                          \
      "T3, T9: loop { f = first(i); if (f == i) { sample(images[f]); break; } }")                  \
    X(TEXEL_AGAIN, "texel-again", "T6: write and read a texel; if (c) again; again")
#define GROW_IDIOMS(X)                                                                             \
    GROW_FLOW_IDIOMS(X)                                                                            \
    GROW_DERIVED_IDIOMS(X) GROW_FRAGMENT_IDIOMS(X) GROW_SAMPLED_IDIOMS(X) GROW_IMAGE_IDIOMS(X)

enum grow_idiom {
#define X(id, name, line) IDIOM_##id,
    GROW_IDIOMS(X)
#undef X
        GROW_IDIOM_COUNT,
    IDIOM_BY_NAME = IDIOM_WAY_OUT + 1,      // from here on, those of features from GEN_BY_NAME on
    IDIOM_OF_FRAGMENTS = IDIOM_DEMOTE_SOME, // and from here on, those of the fragment stage
    IDIOM_OF_IMAGES = IDIOM_SAMPLED_EARLY   // and from here on, those of images
};

struct gen_profile_row {
    const char *name;
    uint32_t nodes;     // statements, about
    uint32_t row_words; // of a log row, at most
    uint32_t depth;     // constructs and calls inside each other
    uint32_t functions; // besides main
};
const struct gen_profile_row *gen_profile_row(enum gen_profile p);

// What this case is made of: weights, 0 for never.
struct grow_swarm {
    uint16_t feature[GEN_FEATURE_COUNT];
    uint16_t sight[GROW_SIGHTS];
    uint16_t idiom[GROW_IDIOM_COUNT];
};

// Who executes a statement.
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

// An operation that one function does again and again (grow_twin.c).
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

// ---- grow_case.c ---------------------------------------------------------------------

struct gen_program *gen_grow(struct gen_choices *c, const struct gen_options *o);
// Buffers of the cases, one set of inputs after the other.
void gen_grow_inputs(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct spv_buffer *inputs);
static inline bool grow_has(const struct grow *g, enum gen_feature f)
{
    return g->swarm.feature[f] > 0;
}
static inline void grow_note(struct grow *g, enum gen_feature f)
{
    g->p->used |= GEN_BIT(f);
}
// Can a log entry of n words be afforded here? Taking it makes it so.
bool grow_affords(const struct grow *g, uint32_t n);
void grow_pay(struct grow *g, uint32_t n);

// ---- grow_expr.c ---------------------------------------------------------------------

const struct gen_expr *grow_const(struct grow *g, uint32_t n);
const struct gen_expr *grow_const_bool(struct grow *g, bool yes);
const struct gen_expr *grow_var(struct grow *g, uint32_t var);
const struct gen_expr *grow_value(struct grow *g, uint32_t value);
// The value as a number: a bool as 0 or 1, of a ballot one of its words, or that word.
const struct gen_expr *grow_value_u32(struct grow *g, uint32_t value);
const struct gen_expr *grow_word(struct grow *g, uint32_t value, uint32_t word);
const struct gen_expr *grow_alu(struct grow *g, enum gen_expr_kind kind, const struct gen_expr *a,
                                const struct gen_expr *b);
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
const struct gen_expr *grow_group(struct grow *g); // WorkgroupId
const struct gen_expr *grow_own(struct grow *g);   // the invocation's own input word
const struct gen_expr *grow_uniform_at(struct grow *g, uint32_t n); // input word n
const struct gen_expr *grow_uniform(struct grow *g); // a number that is the same for all
const struct gen_expr *grow_uniform_test(struct grow *g);

// ---- grow_odds.c ---------------------------------------------------------------------

// For whom the expression has this value; a condition: 1 or 0.
struct grow_odds grow_odds_of(const struct grow *g, const struct gen_expr *e, uint32_t value);
// For whom case i of a switch is.
struct grow_odds grow_odds_of_case(const struct grow *g, const struct gen_stmt *s, uint32_t i);
void grow_narrow(struct grow *g, const struct grow_odds *odds);
// Invocations of a subgroup that get here, in 1/GROW_ALL; few where likely nobody does.
uint32_t grow_expected(const struct grow *g);

// ---- grow_ops.c ----------------------------------------------------------------------

// How often an operation is grown; 0: never in this case.
uint16_t grow_op_weight(const struct grow *g, enum gen_group_op op);
// Draws one; on `on` (a number) where that is not NULL and the operation has an operand.
struct grow_op grow_op_plan(struct grow *g, const struct gen_expr *on);
uint32_t grow_op_put(struct grow *g, const struct grow_op *op); // the value
// Is there an operation whose result could be seen here? Not after the end of a block.
bool grow_can_see(const struct grow *g);
void grow_see(struct grow *g, uint32_t value);
void grow_see_as(struct grow *g, uint32_t value, enum grow_sight how);
// Adds it to the function's sum, which has been left as it was, made unlike for each order, or
// xored.
enum grow_fold { FOLD_SUM, FOLD_ORDER, FOLD_XOR };
void grow_fold(struct grow *g, uint32_t value, enum grow_fold how);
// Draws, puts and sees one.
void grow_op(struct grow *g, const struct gen_expr *on);
// ballot(true), logged at once: the simplest observation there is.
void grow_plain_ballot(struct grow *g);

// ---- grow_quads.c --------------------------------------------------------------------

// Are derivatives wanted, and quads whole here?
bool grow_whole(const struct grow *g);
// Is the expression the same in each quad here? And a loop, as far as it is grown, gone through by
// whole quads?
bool grow_is_quad(const struct grow *g, const struct gen_expr *e);
bool grow_loop_is_quad(const struct grow *g, const struct gen_stmt *loop);
// From here on the body (or the continue construct) of a loop that quads go through whole.
void grow_quad_loop(struct grow *g, const struct gen_stmt *loop);
// A condition, or a number up to `most` (one less than a power of two), that is the same in each
// quad.
const struct gen_expr *grow_quad_test(struct grow *g);
const struct gen_expr *grow_quad_small(struct grow *g, uint32_t most);
// The condition with `percent` in 100, where it can tell quads apart; else NULL, and nothing is
// drawn where no derivatives are wanted.
const struct gen_expr *grow_now_and_then_quad(struct grow *g, uint32_t percent);
bool grow_can_derive(const struct grow *g, enum grow_idiom i);
void grow_derived(struct grow *g, enum grow_idiom i);

// A derivative of `on`, or of anything (NULL), put down: its value.
uint32_t grow_derive(struct grow *g, const struct gen_expr *on);

// ---- grow_fragment.c ---------------------------------------------------------------------

void grow_target(struct grow *g); // in place of grow_sizes
// Something to look at there must be: where no operation has a weight the first one that is wanted,
// but one of a feature (GEN_FEATURE_COUNT: of none).
void grow_want_op(struct grow *g, enum gen_feature but);
bool grow_can_fragment(const struct grow *g, enum grow_idiom i);
void grow_fragment(struct grow *g, enum grow_idiom i);
// What a case draws: as in struct spv_case.
struct gen_cover {
    enum spv_cover kind;
    uint32_t n;
    uint16_t vertex[SPV_COVER_VERTICES][2];
};
// No pixel twice.
void gen_grow_covers(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct gen_cover *covers);

// ---- grow_image.c --------------------------------------------------------------------

// The rest of an operation on images whose kind is drawn; on `on` (a number) where that is not NULL
// and fits.
void grow_image_plan(struct grow *g, struct grow_op *op, const struct gen_expr *on);
// An implicit LOD of `on`, of the quad, or of anything (NULL), put down: its value.
uint32_t grow_sample(struct grow *g, const struct gen_expr *on);
// A sample of images[index], seen.
void grow_sample_at(struct grow *g, const struct gen_expr *index);
bool grow_can_image(const struct grow *g, enum grow_idiom i);
void grow_imaged(struct grow *g, enum grow_idiom i);

// ---- grow_twin.c ---------------------------------------------------------------------

// An operation that was planned before and whose operands are here; false where none is drawn.
bool grow_twin(struct grow *g, struct grow_op *out);
// Between two statements: the refrain, or nothing. Without GEN_REFRAIN it draws no choice.
void grow_refrain(struct grow *g);
void grow_say(struct grow *g, const struct grow_op *op); // it may be repeated
// The same for a condition; NULL where none is drawn.
const struct gen_expr *grow_twin_test(struct grow *g);
void grow_say_test(struct grow *g, const struct gen_expr *e);

// ---- grow_stmt.c ---------------------------------------------------------------------

struct gen_stmt *grow_stmt_new(struct grow *g, enum gen_stmt_kind kind);
uint32_t grow_bind(struct grow *g, struct gen_stmt *s, enum gen_type type); // the value
uint32_t grow_bind_phi(struct grow *g, const struct gen_stmt *s, enum gen_type type);
// How many phis a statement gets, and of which types.
uint32_t grow_phis(struct grow *g, enum gen_type types[GEN_PHIS_MAX]);
const struct gen_expr *grow_phi_operand(struct grow *g, enum gen_type type);
void grow_set(struct grow *g, uint32_t var, const struct gen_expr *e);
void grow_log(struct grow *g, const struct gen_expr **expr, uint32_t n); // paid already
uint32_t grow_pick_var(struct grow *g);   // one that may be set, an old or a new one
uint32_t grow_vars(const struct grow *g); // how many there are, without loop counters
// Logs, in one entry and paid already, what is pending since `first` and, if wanted,
// the variables of the function as they are. False when there is nothing.
bool grow_log_rest(struct grow *g, size_t first, bool vars);

// An open block; what it shades is put back when it is closed.
struct grow_mark {
    struct grow_place outer;
    uint32_t span;
    bool arm;              // of a selection: its end may leave
    bool last;             // the last arm of one that has all
    struct grow_odds odds; // an arm: for whom it is
};
struct grow_mark grow_open_block(struct grow *g, struct gen_block *b, bool arm);
// Logs what is pending since the block was opened, if its end is reached.
void grow_settle(struct grow *g, const struct grow_mark *m);
void grow_close_block(struct grow *g, struct grow_mark *m);

// Block i of an if or switch (gen_stmt_block), opened.
struct grow_mark grow_open_arm(struct grow *g, struct gen_stmt *s, uint32_t i);
// Statements: one with about `first` in 100, one more with about `percent` each time.
void grow_stmts(struct grow *g, uint32_t first, uint32_t percent);
// Draws how the block ends, logs what is pending, puts back what was outside.
void grow_close(struct grow *g, struct grow_mark *m);
void grow_close_with(struct grow *g, struct grow_mark *m, enum gen_leave how);
// All three.
void grow_arm(struct grow *g, struct gen_stmt *s, uint32_t i, uint32_t first, uint32_t percent);

bool grow_can_nest(const struct grow *g);
bool grow_can_return(const struct grow *g);
// 0 none, else 1 or 2, which mean the same in both control masks: do, and do not.
unsigned grow_control(struct grow *g);
// A condition to branch on.
const struct gen_expr *grow_decide(struct grow *g);
struct gen_stmt *grow_if(struct grow *g, const struct gen_expr *cond, bool has_other);

// ---- grow_switch.c -------------------------------------------------------------------

// switch (e) of n cases with a label each, from `turn` on modulo 4; no default.
struct gen_stmt *grow_switch_plain(struct grow *g, const struct gen_expr *e, uint32_t n,
                                   uint32_t turn);
void grow_switch(struct grow *g);

// ---- grow_loop.c ---------------------------------------------------------------------

bool grow_can_loop(const struct grow *g);
uint32_t grow_loop_limit(struct grow *g, uint32_t least);
// A loop with its counter; the caller sets the condition before the body is opened.
struct gen_stmt *grow_loop(struct grow *g, enum gen_loop_form form, uint32_t limit);
// Values of its phis as it begins; before the condition and the body.
void grow_loop_values(struct grow *g, struct gen_stmt *loop);
// What is left when the body is closed: the continue construct, and the phis' way round.
void grow_loop_end(struct grow *g, struct gen_stmt *loop);
struct grow_mark grow_open_body(struct grow *g, struct gen_stmt *loop);
void grow_guard(struct grow *g, struct gen_stmt *loop);
// From here on all stay in the block: g->at.may as it was, for the caller to put back.
struct grow_exits grow_bar(struct grow *g);
void grow_any_loop(struct grow *g, enum gen_loop_form form);

// ---- grow_call.c ---------------------------------------------------------------------

// The statements of a function, and what it tells at its end; main always tells something.
void grow_body(struct grow *g, void (*body)(struct grow *g));
// Leaves the function, with what it has to tell.
void grow_return(struct grow *g);
bool grow_can_make_function(const struct grow *g);
// A function from scratch and a call of it. `body` grows its statements.
void grow_call_new(struct grow *g, void (*body)(struct grow *g));
bool grow_can_call(const struct grow *g);
void grow_any_call(struct grow *g);

// ---- grow_memory.c ------------------------------------------------------------------

// Do all invocations of the workgroup come here together, under this model?
bool grow_together(const struct grow *g);
// And through the loop, as far as it is grown?
bool grow_goes_together(const struct grow *g, const struct gen_stmt *loop);
// Is the result of this operation one that the model does not promise? Then nothing may
// depend on it but a log.
bool grow_is_loose(const struct grow *g, const struct gen_stmt *op);
bool grow_can_exchange(const struct grow *g);
void grow_exchange(struct grow *g);
void grow_atomic(struct grow *g);
// At the start and at the end of the entry point.
uint32_t grow_pressure(struct grow *g, uint32_t values[GROW_PRESSURE_MAX]);
void grow_pressure_end(struct grow *g, const uint32_t *values, uint32_t n);

// ---- grow_idiom.c --------------------------------------------------------------------

bool grow_can_idiom(const struct grow *g, enum grow_idiom i);
// How often a program begins with it: more where it tells less often, as measured.
extern const uint16_t grow_idiom_share[GROW_IDIOM_COUNT];
gen_features grow_idiom_features(enum grow_idiom i); // that it is made of
void grow_idiom(struct grow *g, enum grow_idiom i);

// ---- grow_shape.c: those that are made of loops ------------------------------------------

// loop { if (i == t) { op; leave; } ... }
void grow_loop_with_exit(struct grow *g, enum gen_leave how);
void grow_waterfall(struct grow *g, bool images); // images: what it is about is their index
void grow_left_early(struct grow *g);
void grow_remainder(struct grow *g);
void grow_inner_break(struct grow *g);
void grow_late_op(struct grow *g);
void grow_dense_continue(struct grow *g);
void grow_two_levels(struct grow *g);
void grow_goes_on(struct grow *g);
void grow_way_out(struct grow *g);
// A loop in which something stands alone, mostly; where there may be one.
bool grow_can_loop_around(const struct grow *g);
void grow_loop_around(struct grow *g, void (*body)(struct grow *g, const void *what),
                      const void *what);

#endif
