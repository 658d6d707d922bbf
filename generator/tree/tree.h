// SPDX-License-Identifier: Apache-2.0
//
// The program tree. Growth builds it; the checker, the printer and emission read it. It never
// changes after growth.
//
// Every program is defined by construction: values are unsigned 32-bit numbers, bools and ballots;
// arithmetic is total; variables are initialized at the start of their function; loops are bounded
// by their own counters; calls go only to functions of a lower index. tree_check.c checks these
// rules one by one.
#ifndef TF_GENERATOR_TREE_H
#define TF_GENERATOR_TREE_H

#include "expr.h"

enum {
    GEN_DEPTH_MAX = 6,       // constructs and calls inside each other
    GEN_TRIPS_MAX = 5,       // iterations of one loop
    GEN_EXECUTIONS_MAX = 64, // of one statement in one invocation
    GEN_PARAMS_MAX = 3,
    GEN_LOG_MAX = 8,   // words of one log entry
    GEN_CASES_MAX = 6, // case constructs of a switch, the default among them
    GEN_PHIS_MAX = 2,  // of one selection or loop
};

// ---- statements ------------------------------------------------------------------

enum gen_stmt_kind {
    STMT_LET, // value = expression
    STMT_OP,  // value = group operation
    STMT_SET, // variable = expression
    STMT_LOG, // appends an entry to the invocation's log row
    STMT_IF,
    STMT_LOOP,
    STMT_SWITCH,
    STMT_CALL,
    STMT_EXCHANGE, // value = the value of another invocation of the workgroup
    STMT_ATOMIC,   // atomic operation on a word of the heap
    STMT_DEMOTE,   // makes the invocation a helper (fragment)
    STMT_LEAVE,    // break, continue, return or end of the program: ends its block
    STMT_KINDS
};

// Memory that invocations share: an array of local_size words in Workgroup memory; or the heap, a
// buffer of GEN_HEAP_WORDS words for atomics followed by one word per invocation.
enum { GEN_HEAP_WORDS = 8 };
enum gen_memory { MEMORY_SHARED, MEMORY_HEAP };
// Every invocation writes its word, and after a barrier all of them ...
enum gen_meeting {
    MEET_NEIGHBOUR, // ... read the word of invocation (own + n) % local_size
    MEET_SUM,       // ... add their value to word n and read it after another barrier
};
// Atomic operations on the heap. Each has a word of its own, so the order of operations is not
// visible. Columns: name, spelling, opcode, initial content of the word.
#define GEN_ATOMICS(X)                                                                             \
    X(ADD, "add", IAdd, 0)                                                                         \
    X(UMIN, "umin", UMin, 0xffffffff)                                                              \
    X(UMAX, "umax", UMax, 0)                                                                       \
    X(SMIN, "smin", SMin, 0x7fffffff)                                                              \
    X(SMAX, "smax", SMax, 0x80000000)                                                              \
    X(AND, "and", And, 0xffffffff)                                                                 \
    X(OR, "or", Or, 0)                                                                             \
    X(XOR, "xor", Xor, 0)
enum gen_atomic {
#define X(id, text, opcode, first) ATOMIC_##id,
    GEN_ATOMICS(X)
#undef X
        GEN_ATOMIC_COUNT
};
struct gen_atomic_row {
    const char *text;
    SpvOp opcode;
    uint32_t first;
};
const struct gen_atomic_row *gen_atomic_row(enum gen_atomic op);

struct gen_stmt;
// Statements in order. Only the last one may end the block (gen_stmt_ends).
struct gen_block {
    struct gen_stmt *first, *last;
};

// A value bound where control reconverges (OpPhi; feature "phi").
// Of an if: visible after it. `a` is evaluated at the end of `then`. `b` is evaluated at the end of
// `other`, or before the branch if `other` is absent. NULL for an arm that does not reach the merge
// block.
// Of a loop: visible in its condition, its body, its continue construct and after the loop (with
// the value at the exit). `a` is evaluated before the loop, `b` at the end of the continue
// construct.
struct gen_phi {
    uint32_t value;
    const struct gen_expr *a, *b; // of the value's type: u32 or bool
    // `b` is UNDEF only in the phi of an elected invocation (gen_is_leaders).
};

// One case construct of a switch.
struct gen_case {
    uint32_t labels; // selector values 0 .. 31 that enter it, as bits; the default may have none
    bool falls;      // its end, if reached, continues in the next case (never set in the last)
    struct gen_block body;
};

enum gen_loop_form {
    LOOP_FOR,      // for (i = 0; i < limit && cond; i++) body
    LOOP_DO,       // i = 0; do body while (++i < limit && cond)
    LOOP_INFINITE, // for (i = 0;; i++) body, left through its guard at the latest
};

enum gen_leave {
    LEAVE_BREAK,        // leaves the innermost loop, also from inside switches
    LEAVE_CONTINUE,     // continues the innermost loop, also from inside switches
    LEAVE_BREAK_SWITCH, // leaves the innermost switch; no loop between
    LEAVE_RETURN,
    LEAVE_TERMINATE, // ends the invocation, in the entry point of a fragment shader
    LEAVE_KILL,      // the same with OpKill
};

struct gen_stmt {
    enum gen_stmt_kind kind;
    uint32_t value; // LET, OP, EXCHANGE, CALL with result: index of the value that it binds (an IF
                    // or LOOP binds those of its phis)
    struct gen_stmt *next;
    union {
        struct {
            const struct gen_expr *expr;
        } let;
        struct {
            enum gen_group_op op;
            enum gen_as as; // element type; AS_U32 if the kind is KIND_NONE
            uint32_t width; // components, 1 .. 4; above 1 only with a kind, derivatives and images
            enum gen_source source; // SHUFFLE
            uint32_t n; // SHUFFLE with FROM_XOR and moves: see group_ops.h; clusters: their size, a
                        // power of two up to the subgroup size
            const struct gen_expr *arg[2]; // as in the row of the op; the second of a move is NULL
                                           // or the amount
        } op;
        struct {
            uint32_t var;
            const struct gen_expr *expr;
        } set;
        struct {
            uint32_t site;                // 1 ..; each number occurs once in the program
            uint32_t n;                   // 1 .. GEN_LOG_MAX
            const struct gen_expr **expr; // u32 each
        } log;
        struct {
            const struct gen_expr *cond;
            bool has_other;
            // No merge instruction (feature "bare-exit"): `then` is one BREAK or CONTINUE, and the
            // branch goes directly to its target. No `other`, phis or control.
            bool bare;
            struct gen_block then, other;
            uint32_t phi_count;
            struct gen_phi phi[GEN_PHIS_MAX];
            SpvSelectionControlMask control;
        } branch;
        struct {
            enum gen_loop_form form;
            uint32_t counter; // variable that only this loop uses
            uint32_t limit;   // 0 .. GEN_TRIPS_MAX
            // FOR and DO: NULL for a plain counted loop. Cannot use values or loops of the body. Of
            // a DO that is not `single` it may use values of `next`.
            const struct gen_expr *cond;
            struct gen_block body;
            // In the continue construct, before the counter is incremented (feature
            // "continue-code"). All invocations that enter it reach its end. Unreachable if the
            // body neither reaches its end nor continues.
            struct gen_block next;
            bool head_tests; // FOR: the header itself branches (feature "header-test")
            bool single;     // DO: header, body and continue target are one block; its statements
                             // contain no others (feature "single-block"); no `next`
            uint32_t phi_count;
            struct gen_phi phi[GEN_PHIS_MAX];
            // INFINITE: `if (counter >= t) { ...; break or return }` in `body` itself, with t at
            // most the limit. No path reaches the continue target before it. If the guard returns
            // and nothing breaks, the loop ends its block.
            const struct gen_stmt *guard;
            SpvLoopControlMask control;
            uint32_t control_n; // PeelCount, PartialCount, MaxIterations (feature "peel")
        } loop;
        struct {
            const struct gen_expr *selector; // its upper bound is gen_expr_max
            uint32_t n;                      // 1 .. GEN_CASES_MAX
            struct gen_case *at;             // n cases, in the order of OpSwitch's targets
            uint32_t default_at;             // index of the default case; n: the default is the
                                             // merge block
            // A *mixed* case (gen_case_mixed) leaves the implementation a choice (rules D3, M2). It
            // contains nothing that shows which invocations share a tangle: no operation and no
            // call. The only exception is the one switch that is the program's `choice`.
            SpvSelectionControlMask control;
        } select;
        struct {
            uint32_t callee; // index of a function, lower than the caller's
            const struct gen_expr **arg;
        } call;
        // In the entry point, where all invocations of the workgroup are converged.
        struct {
            enum gen_memory memory;
            enum gen_meeting how;
            uint32_t n; // below local_size
            const struct gen_expr *expr;
        } exchange;
        struct {
            enum gen_atomic op;
            const struct gen_expr *expr;
        } atomic;
        struct {
            enum gen_leave how;
            const struct gen_expr *result; // for RETURN from a function with a result
        } leave;
    };
};

// ---- functions, program ------------------------------------------------------------

struct gen_var {
    uint32_t first; // initial value
    bool counter;   // loop counter: only its loop sets it
    // Private variable shared by all functions that use the same number: that number + 1. Holds
    // `first` when the entry point begins. 0: local to the function.
    uint32_t common;
};

struct gen_value {
    enum gen_type type;
    const struct gen_stmt *def;
    bool not_guaranteed; // used only by growth: the model does not guarantee the value
};

// Builtins that a function loads at its start: bit number = enum gen_expr_kind.
enum {
    USES_LANE = 1 << EXPR_LANE,
    USES_LOCAL = 1 << EXPR_LOCAL,
    USES_GROUP = 1 << EXPR_GROUP,
    USES_GLOBAL = 1 << EXPR_GLOBAL | 1 << EXPR_INPUT_OWN | 1 << EXPR_INPUT_HERE,
};

struct gen_function {
    uint32_t index;
    bool has_result; // u32
    uint32_t param_count;
    enum gen_type param[GEN_PARAMS_MAX];
    VEC(struct gen_var) vars;
    VEC(struct gen_value) values;
    uint32_t uses;  // 1 << kind, for each leaf in the function
    bool logs;      // contains a LOG itself
    bool together;  // used only by growth: every call is where all invocations are converged
    bool whole;     // used only by growth: every call is where quads are whole
    VEC(bool) quad; // used only by growth, per value: uniform in each quad
    struct gen_block body;
    // Measures of one call (gen_measure):
    uint32_t log_words;  // words logged, at most
    uint32_t executions; // executions of the most executed statement, at most
    uint32_t depth;      // nesting of constructs and calls
};

struct gen_program {
    VEC(struct gen_function *) functions; // callees before callers, main last
    uint32_t subgroup, local_size, groups, input_words;
    bool ssa;    // emission keeps variables as values (feature "ssa")
    bool digest; // emission keeps a digest of the log instead of its entries
    enum gen_stored {
        STORED_NOT,
        STORED_ALONE,
        STORED_TOGETHER
    } stored;        // emission keeps values in variables, or in one array (feature "stored")
    bool two_by_two; // the workgroup is local_size / 2 by 2, and quads are 2 by 2 in it
    enum spv_stage stage;
    uint32_t target[2]; // fragments: pixels; local_size exceeds every invocation's y * width + x
    bool full_quads;    // RequireFullQuadsKHR, QuadDerivativesKHR
    enum gen_helper_way {
        HELPER_OP,
        HELPER_VOLATILE,
        HELPER_BUILTIN
    } helper_way;          // how EXPR_HELPER is computed
    VEC(uint32_t) commons; // initial values of Private variables
    uint32_t sites;        // number of log sites
    uint32_t row_words;    // words of one invocation's log row: word 0, then more than row_mask
    uint32_t row_mask;     // a power of two minus one; an entry begins at this word at the latest
    const struct gen_stmt *choice; // the switch whose choice (D3, M2) is visible, or NULL
    gen_features used;
    uint64_t patterns; // shapes that growth inserted on purpose, as bits (gen_pattern_row)
};

// Checks the tree. Writes one line per mistake with its statement, and returns the number of
// mistakes (tree_check.c).
uint32_t gen_check(const struct gen_program *p, struct text *out);

#endif
