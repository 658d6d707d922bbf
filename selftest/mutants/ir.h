// SPDX-License-Identifier: Apache-2.0
//
// A module as blocks that can be edited (built on spirv_edit.h), for the transformations. Private
// to mutants/.
//
// Instructions and blocks keep their addresses. Instructions before the first function are in the
// editor's list. The instructions of functions are in the blocks, and ir_write copies them to the
// list. In a node, `block` is the block that contains it (NULL outside functions) and `place` is
// its index in the body; merge and end come after the body. Both are analysis. ir_analyse computes
// all fields marked "analysis". Call it again after a change before using them.
#ifndef TF_MUTANTS_IR_H
#define TF_MUTANTS_IR_H

#include "mutants.h"
#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"

#include <spirv/unified1/spirv.h>

#define NOWHERE UINT32_MAX

struct spv_edit_block {
    uint32_t label;
    VEC(struct spv_node *) body; // without label, merge instruction and terminator; phis first
    struct spv_node *merge;      // OpSelectionMerge, OpLoopMerge or NULL
    struct spv_node *end;
    struct ir_function *function;
    // analysis
    uint32_t number; // index in the function's flow
    uint32_t order;  // position in reverse postorder from the entry; NOWHERE: unreachable
    struct spv_edit_block *idom;
    VEC(struct spv_edit_block *) preds; // reachable predecessors, each once
};

struct ir_function {
    struct spv_node *head, *foot; // OpFunction, OpFunctionEnd
    VEC(struct spv_node *) params;
    VEC(struct spv_edit_block *) blocks; // entry first; after ir_analyse in reverse postorder
    // analysis
    struct spv_flow flow;
    struct spv_edit_block **flowing; // [number]
};

struct ir {
    struct arena *arena;
    struct spv_edit e;
    VEC(struct ir_function *) functions;
    enum ir_only {
        IR_ALL,
        IR_DERIVATIVES,
        IR_SAMPLES
    } only; // which instructions count as group
            // operations
    // analysis, by id
    uint32_t bound;
    struct spv_node **def;            // definitions of results, in the head and in functions
    struct spv_edit_block **block_of; // of labels
};

// Returns the definition of a result; NULL: none, or an id that was made after the analysis.
static inline struct spv_node *ir_def(const struct ir *m, uint32_t id)
{
    return id < m->bound ? m->def[id] : NULL;
}

// ir.c
bool ir_read(struct ir *m, struct arena *a, const uint32_t *words, size_t count);
const uint32_t *ir_write(struct ir *m, size_t *count);
void ir_analyse(struct ir *m);
// Returns the number of label operands of a terminator, and their addresses, at most `max`.
uint32_t ir_labels(const struct ir *m, const struct spv_node *end, uint32_t **out, uint32_t max);
enum { IR_LABELS = 256 };
// Returns the number of operands that are ids, and their addresses (including labels of branches
// and merges).
uint32_t ir_ids(const struct spv_node *i, uint32_t **out, uint32_t max);
enum { IR_IDS = 512 };
bool ir_dominates(const struct spv_edit_block *a,
                  const struct spv_edit_block *b);                  // a block dominates itself
bool ir_before(const struct spv_node *a, const struct spv_node *b); // a's result may be used at b
struct spv_edit_block *ir_merge_of(const struct ir *m, const struct spv_edit_block *header);
struct spv_edit_block *ir_continue_of(const struct ir *m, const struct spv_edit_block *header);
// True if the construct of `header` contains `b` (spirv_flow.h).
bool ir_inside(const struct ir *m, const struct spv_edit_block *header,
               const struct spv_edit_block *b);
// True if every path to `b` passes the branch of `header`, and some path does not pass its merge
// block. True inside a selection, and after a loop that only one arm leaves.
bool ir_past_branch(const struct ir *m, const struct spv_edit_block *header,
                    const struct spv_edit_block *b);
bool ir_is_merge(const struct ir *m, const struct spv_edit_block *b); // of some construct
// True if unreachable code branches to `b`. Its phis then have more parents than `preds`.
bool ir_has_dead_preds(const struct ir *m, const struct spv_edit_block *b);
// Returns the header of the innermost loop that contains a block; NULL if there is none.
struct spv_edit_block *ir_loop_of(const struct ir *m, const struct spv_edit_block *b);
// True if `b` is in the continue construct of a loop.
bool ir_in_continue(const struct ir *m, const struct spv_edit_block *b);

// ir_ask.c: queries
bool ir_is_group(const struct ir *m, const struct spv_node *i); // respects m->only
bool ir_is_sample(const struct spv_node *i);                    // with implicit LOD (sample.c)
// True if it yields the same result anywhere and has no side effects: arithmetic, access chains,
// constant arithmetic, loads from memory that is never written.
bool ir_is_pure(const struct ir *m, const struct spv_node *i);
bool ir_is_value(const struct ir *m, const struct spv_node *i); // has a result that is not void
bool ir_is_pointer(const struct ir *m,
                   uint32_t type); // or an image or a sampler: a phi may not select it
// The instructions in functions that use an id.
struct ir_uses {
    struct spv_node **v;
    size_t n, cap;
};
struct ir_uses ir_uses(const struct ir *m, uint32_t id);
bool ir_holds(const struct ir_uses *u, const struct spv_node *i);
// True if both instructions compute the same value (compares pure operands recursively, up to a
// depth).
bool ir_same(const struct ir *m, const struct spv_node *x, const struct spv_node *y);
bool ir_same_value(const struct ir *m, uint32_t x, uint32_t y);
// Collects the pure instructions that `i` depends on and that are not available at the end of block
// `at`, in order, with `i` itself last. False if it also depends on other instructions.
bool ir_slice(const struct ir *m, struct spv_node *i, const struct spv_edit_block *at,
              struct ir_uses *out);
bool ir_const_value(const struct ir *m, uint32_t id, uint32_t *value); // value of a 32-bit
                                                                       // OpConstant

// ir_edit.c: changes
#define IR_MAKE(m, op, type, result, ...)                                                          \
    spv_edit_make(&(m)->e, (op), (type), (result), (const uint32_t[]){__VA_ARGS__},                \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// Loop over the nodes before the first function.
#define IR_EACH_HEAD(x, m)                                                                         \
    for (struct spv_node *x = (m)->e.node.v[(m)->e.first]; x->op != SpvOpFunction;                 \
         x = (m)->e.node.v[x->next])                                                               \
        if (!x->gone)
// Loop over the blocks of all functions, those that the loop adds included. `break` and `continue`
// both go to the next block.
#define IR_EACH_BLOCK(b, m)                                                                        \
    for (size_t f_ = 0; f_ < (m)->functions.n; f_++)                                               \
        for (size_t k_ = 0; k_ < (m)->functions.v[f_]->blocks.n; k_++)                             \
            for (struct spv_edit_block *b = (m)->functions.v[f_]->blocks.v[k_], *b##_now = b;      \
                 b##_now; b##_now = NULL)
void ir_put(struct ir *m, struct spv_edit_block *b, size_t at, struct spv_node *i); // body[at] = i
void ir_add(struct ir *m, struct spv_edit_block *b, struct spv_node *i);            // appends to
                                                                                    // the body
void ir_take(struct spv_edit_block *b, struct spv_node *i);                // removes from the body
size_t ir_place(const struct spv_edit_block *b, const struct spv_node *i); // current index in the
                                                                           // body
size_t ir_phis(const struct spv_edit_block *b);                            // number of leading phis
struct spv_edit_block *ir_new_block(struct ir *m, struct ir_function *f);  // empty, without
                                                                           // terminator
void ir_branch(struct ir *m, struct spv_edit_block *b, uint32_t label);    // ends with OpBranch
// Renames every use of `old` in functions (also labels in phis and branches).
void ir_rename(struct ir *m, uint32_t old, uint32_t new_id);
void ir_rename_in(struct spv_node *i, uint32_t old, uint32_t new_id);
void ir_retarget(struct ir *m, struct spv_edit_block *b, uint32_t old,
                 uint32_t new_label);                                         // in its terminator
void ir_phi_from(struct spv_edit_block *b, uint32_t old, uint32_t new_label); // replaces a parent
                                                                              // in its phis
// Returns a block on the edge: a new one, or `from` if it has no other successor.
struct spv_edit_block *ir_edge(struct ir *m, struct spv_edit_block *from,
                               struct spv_edit_block *to);
// Copies an instruction. Renames operands by `map` [id] where it is not 0, and enters the new
// result there.
struct spv_node *ir_copy(struct ir *m, const struct spv_node *i, uint32_t *map);
uint32_t *ir_map(struct ir *m); // all 0, with room for new ids
// Copies blocks of one function and renames ids inside. Branches to outside blocks stay, and the
// phis there also get the copies' values.
void ir_copy_blocks(struct ir *m, struct spv_edit_block *const *blocks, size_t n, uint32_t *map);
// Splits the body before `at`. The rest, the merge instruction and the terminator move to a new
// block.
struct spv_edit_block *ir_split(struct ir *m, struct spv_edit_block *b, size_t at);
// Copies OpSampledImage into each block that uses its result (sample.c).
void ir_bring_images(struct ir *m);
// Ids of declarations, created if missing.
uint32_t ir_truth(struct ir *m, bool value);
uint32_t ir_null(struct ir *m, uint32_t type); // a new OpConstantNull
uint32_t ir_builtin(struct ir *m,
                    SpvBuiltIn builtin); // an Input variable of type u32

// The transformations, by file. Each returns the number of places that it changed.
typedef uint32_t mut_edit(struct ir *m);
// A variant of an edit, chosen by one argument.
#define MUT_EDIT(name, edit, which)                                                                \
    uint32_t name(struct ir *m)                                                                    \
    {                                                                                              \
        return edit(m, which);                                                                     \
    }
// duplicate.c
mut_edit dup_into_arms, dup_into_cases, dup_into_exits, dup_into_continues;
bool dup_at(struct ir *m, struct spv_edit_block *b); // at one merge block
// merge_arms.c
mut_edit tail_merge_arms, hoist_common_op;
// hoist.c
mut_edit hoist_out_of_arm, hoist_out_of_case, hoist_out_of_loop, hoist_out_of_rest;
// sink.c
mut_edit sink_into_arm, sink_into_case, sink_into_loop, sink_out_of_loop;
// derive.c: the same, for derivatives only
mut_edit sink_derivative_into_arm, sink_derivative_into_case, sink_derivative_into_loop,
    dup_derivative_into_arms, dup_derivative_into_exits;
// sample.c: the same, for samples only; and transformations of image operations
mut_edit sink_sample_into_arm, sink_sample_into_case, sink_sample_into_loop, dup_sample_into_arms,
    dup_sample_into_exits, implicit_level_zero, bias_lost, gradients_lost, level_lost,
    nonuniform_lost, index_is_first, sampler_is_first, samples_flattened, texel_kept;
// reuse.c
mut_edit reuse_in_branch, reuse_in_loop, reuse_after_exit, partial_redundancy;
// exits.c
mut_edit break_block_into_merge, break_block_after_flag, return_block_after_flag;
// loops.c
mut_edit unswitch_loop, unswitch_by_parameter, unroll_with_remainder;
// thread.c
mut_edit thread_jump;
// fold.c
mut_edit fold_sum_of_uniform, fold_scan_of_uniform, fold_xor_of_uniform, fold_ballot_of_true,
    fold_elect, fold_vote, fold_sum_to_narrow;
// uniform.c
mut_edit uniform_branch, uniform_switch, uniform_values, uniform_after_loop, undefined_is_uniform,
    joined_constants_are_first, load_is_scalar;
// switches.c
mut_edit switch_continue_is_break, loop_break_leaves_switch, fall_through_lost,
    last_case_is_default;
// helpers.c
mut_edit helpers_not_in_votes, helpers_not_in_quad_votes, helpers_not_in_ballots,
    helpers_not_in_sums, helpers_not_in_quads, helpers_not_in_shuffles, first_is_live,
    elected_is_live, helpers_not_in_derivatives, helpers_load_zero, helpers_index_first,
    demote_lost, demote_lost_in_call, demote_early, demote_late, demote_is_kill, kill_is_demote,
    helper_stale, helper_never, loop_without_live_ends, arm_of_helpers_skipped;
// values.c
mut_edit loop_value_lost, shuffles_share_scratch, barrier_left_out, workgroup_is_first,
    subgroup_is_first, shared_memory_wraps, latch_after_stores;

#endif
