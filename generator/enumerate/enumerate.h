// SPDX-License-Identifier: Apache-2.0
//
// All small programs, numbered. Input: a stage and a number. Output: the program of that number, as
// a sketch (below) and as a program tree. README.md defines what counts as a construct and which
// programs are taken for one.
//
// Numbers are in order of size: the programs of at most K constructs and operations are numbers 0
// .. enu_count(K)-1, whatever the largest size is.
#ifndef TF_GENERATOR_ENUMERATE_H
#define TF_GENERATOR_ENUMERATE_H

#include "tree/features.h"

struct gen_program; // tree/tree.h

enum {
    ENU_VERSION = 1, // raised when a number gets another program
    ENU_SIZE_MAX = 7,
    ENU_TRIPS = 2, // iterations of a loop, at most
};

// Kinds of statements, with the meaning of `detail` and of the blocks.
enum enu_kind {
    ENU_OP,      // enum enu_op
    ENU_BARRIER, // invocations exchange a word
    ENU_IF,      // enum enu_cond; then, else
    ENU_LOOP,    // enum enu_loop; body. GUARDED: before the guard, guarded, after it
    ENU_SWITCH,  // 1: case 0 falls through; case 0, case 1, default
    ENU_CALL,    // body of the function
    ENU_DEMOTE,  // enum enu_cond
    ENU_EXIT,    // enum enu_exit
};

#define ENU_OPS(X)                                                                                 \
    X(BALLOT, "ballot")                                                                            \
    X(ELECT, "elect")                                                                              \
    X(FIRST, "first")                                                                              \
    X(ADD, "add")
#define ENU_CONDS(X)                                                                               \
    X(LANE, "lane")       /* lane & 1 */                                                           \
    X(INPUT, "input")     /* input[own] & 1: differs between invocations */                        \
    X(UNIFORM, "uniform") /* input[0] & 2 */                                                       \
    X(COUNTER, "counter") /* counter of the innermost loop >= (lane & 1) */
#define ENU_LOOPS(X)                                                                               \
    X(COUNTED, "for")                                                                              \
    X(WHILE, "while")     /* tests before the body; trips differ between invocations */            \
    X(DO, "do")           /* tests after the body; the same */                                     \
    X(GUARDED, "forever") /* left by `if (counter >= (input[own] & 1)) { ...; break }` */
#define ENU_EXITS(X)                                                                               \
    X(BREAK, "break")                                                                              \
    X(CONTINUE, "continue")                                                                        \
    X(LEAVE, "leave") /* the innermost switch */                                                   \
    X(RETURN, "return")
#define ENU_NAME(id, text) ENU_##id,
enum enu_op { ENU_OPS(ENU_NAME) ENU_OP_COUNT };
enum enu_cond { ENU_CONDS(ENU_NAME) ENU_COND_COUNT };
enum enu_loop { ENU_LOOPS(ENU_NAME) ENU_LOOP_COUNT };
enum enu_exit { ENU_EXITS(ENU_NAME) ENU_EXIT_COUNT };
#undef ENU_NAME

enum { ENU_BLOCKS = 3 };
// A sketch: a statement, its blocks and the statements after it. NULL is the empty block.
struct enu_node {
    enum enu_kind kind;
    uint8_t detail;
    const struct enu_node *block[ENU_BLOCKS], *next;
};

// The numbering of the programs of a stage up to a size. It is only read after it was made, so
// threads can share it.
struct enumeration;
// `size`: 1 .. ENU_SIZE_MAX; `stage`: compute or fragment. Lives in `a`.
const struct enumeration *enu_make(struct arena *a, enum spv_stage stage, uint32_t size);
// Returns the number of programs of at most `size` constructs and operations; `size` is at most
// that of the enumeration.
uint64_t enu_count(const struct enumeration *all, uint32_t size);
enum spv_stage enu_stage(const struct enumeration *all);
// Returns the size of the program of a number, which must be less than the count.
uint32_t enu_size_of(const struct enumeration *all, uint64_t number);
// Returns its sketch, in `a`.
const struct enu_node *enu_sketch(const struct enumeration *all, struct arena *a, uint64_t number);
// Adds the sketch as one line: "if lane { ballot; break } else { add }".
void enu_text(const struct enu_node *block, struct text *out);

// What a target must be able to run.
gen_features enu_features(enum spv_stage stage);
// Returns the program tree of a sketch, for subgroups of this size, in `a`.
struct gen_program *enu_tree(struct arena *a, const struct enu_node *main, enum spv_stage stage,
                             uint32_t subgroup);
// Fills the input words of `n` cases. The first two differ in each condition on the input, in all
// its values.
void enu_inputs(struct arena *a, const struct gen_program *p, uint32_t n,
                struct spv_buffer *inputs);

#endif
