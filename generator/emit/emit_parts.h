// SPDX-License-Identifier: Apache-2.0
//
// The state of emission, and its files in order. A file calls only functions listed above its own;
// emit_case.c comes after all of them.
//
// A call has at most one argument that creates an id (a constant may). C leaves the evaluation
// order of arguments open, and the words must be the same with every compiler.
#ifndef TF_GENERATOR_EMIT_PARTS_H
#define TF_GENERATOR_EMIT_PARTS_H

#include "tree/tree_form.h"

#include "emit.h"

struct emit_images {
    uint32_t image, sampled, sampler, store; // types
    uint32_t variable[GEN_IMAGE_BINDINGS];   // 0: not used
};

// A block with several predecessors, and the edges into it so far. Edges are recorded only if
// variables are values; `now` is the value of each on that edge.
struct emit_edge {
    uint32_t from; // label
    const uint32_t *now;
};
struct emit_join {
    uint32_t label;
    VEC(struct emit_edge) in;
};
// The phis of a loop header for variables: [slot] place of the operand from the back edge, 0: none.
struct emit_around {
    size_t *hole;
    const uint32_t *first; // the values where an iteration begins
};
// A variable that is a value has, instead of a pointer, this bit and its slot.
#define EMIT_SLOT 0x80000000u

struct emit {
    const struct gen_program *p;
    struct spv_writer *w;

    // Ids of the module.
    uint32_t void_type, bool_type, u32, vec3, ballot;                            // types
    uint32_t scope;                                                              // Subgroup
    uint32_t buffer_u32, function_u32, shared_u32, private_u32;                  // pointer types
    uint32_t buffer[GEN_BUFFERS];                                                // variables
    uint32_t lane_var, local_var, global_var, group_var, subgroup_var, size_var; // builtins or 0
    uint32_t used_var; // Private: number of used words in the log row, or the digest
    uint32_t coord_var, helper_var, free_var, pixel_var; // draws: builtins and Private variables
    uint32_t point_var;                                  // vertices: PointSize
    uint32_t shared;                                     // array in Workgroup memory, or 0
    struct emit_images images;
    uint32_t *common; // Private variables
    uint32_t *function;

    // Reported to the caller.
    VEC(struct gen_placed) ops;
    VEC(struct gen_harness) harness;

    // Ids of the current function.
    const struct gen_function *f;
    uint32_t param[GEN_PARAMS_MAX];
    uint32_t *var, *value;
    uint32_t *place, array; // per value: its variable, or its index in the array; 0: an id alone
    uint32_t lane, local, global, group, input_own; // loaded at its start; 0 if unused
    uint32_t counter, entries; // of its log row: pointer to word 0, index of word 1; 0 if unused
    bool main;                 // this is the entry point
    uint32_t block;            // label of the current block
    uint32_t depth;            // number of enclosing constructs
    uint32_t op_id;            // result of the last emitted group operation
    // Branch targets of its leave statements.
    struct emit_join *loop_merge, *loop_continue, *switch_merge;
    // Variables that are values: how many, and the id of each at this point.
    uint32_t slots, *now;
};

// emit_words.c: constants, loads, labels, variables of the module
uint32_t emit_const(struct emit *e, uint32_t n);
// Of a variable that is a value: no instruction.
uint32_t emit_load(struct emit *e, uint32_t type, uint32_t pointer);
void emit_store(struct emit *e, uint32_t pointer, uint32_t value);
uint32_t emit_buffer_at(struct emit *e, uint32_t binding, uint32_t index); // returns the pointer
void emit_label(struct emit *e, uint32_t label);
void emit_decorate(struct emit *e, uint32_t id, SpvDecoration d);
void emit_decorate_with(struct emit *e, uint32_t id, SpvDecoration d, uint32_t v);
// Declare a variable of the module; the second one is a builtin.
uint32_t emit_global_variable(struct emit *e, uint32_t type, SpvStorageClass sc, const char *name);
uint32_t emit_builtin(struct emit *e, uint32_t type, SpvBuiltIn which, const char *name);
// Records the instructions of the current block since word `from` as harness code.
void emit_note_harness(struct emit *e, size_t from);

// emit_join.c: blocks where paths meet; variables as values
void emit_slots(struct emit *e, uint32_t n);     // a function with n such variables begins
const uint32_t *emit_keep(const struct emit *e); // the values at this point
void emit_restore(struct emit *e, const uint32_t *kept);
void emit_edge(struct emit *e, struct emit_join *to); // from the current block, before its branch
void emit_jump(struct emit *e, struct emit_join *to); // the edge and OpBranch
void emit_joined(struct emit *e, const struct emit_join *at); // the label and its phis
// At the start of a loop's header, after its label: phis for the variables that the loop stores to.
// `from`: the label of the block before.
void emit_around(struct emit *e, const struct gen_stmt *loop, uint32_t from,
                 struct emit_around *out);
void emit_around_end(struct emit *e, const struct emit_around *a); // before the back edge

// emit_fragment.c: what draws (fragment and vertex shaders) have instead of a dispatch
void emit_fragment_globals(struct emit *e);
// Emits execution modes and their capabilities.
void emit_fragment_modes(struct emit *e, uint32_t main);
uint32_t emit_fragment_number(struct emit *e); // returns the number of the invocation's pixel, y *
                                               // width + x
// Emits the start of the entry point of a draw, which records its invocations in the coverage
// buffer. Returns the id of the invocation's own number.
uint32_t emit_coverage(struct emit *e);
uint32_t emit_helper(struct emit *e);
void emit_demote(struct emit *e);
void emit_end(struct emit *e, enum gen_leave how);

// emit_stored.c: values in memory
uint32_t emit_type(const struct emit *e, enum gen_type type);
void emit_places(struct emit *e); // variables of the current function for its values
void emit_bind(struct emit *e, uint32_t value, uint32_t id);
uint32_t emit_bound(struct emit *e, uint32_t value); // returns the value's id

// emit_expr.c: expressions
uint32_t emit_expr(struct emit *e, const struct gen_expr *x);

// emit_memory.c: memory that invocations share
uint32_t emit_exchange(struct emit *e, const struct gen_stmt *s);
void emit_atomic(struct emit *e, const struct gen_stmt *s);

// emit_image.c: images
enum { IMAGE_LEVELS = 3, IMAGE_COMPONENTS = 4, STORE_WIDTH = 32 };
void emit_image_variables(struct emit *e);
uint32_t emit_image_op(struct emit *e, const struct gen_stmt *s);

// emit_op.c: group operations, in their element types
uint32_t emit_group_op(struct emit *e, const struct gen_stmt *s);

// emit_log.c: the log
void emit_log(struct emit *e, const struct gen_stmt *s);
void emit_log_row(struct emit *e); // at the start of a function: the invocation's row
void emit_log_end(struct emit *e); // before a return: in the entry point, stores the first word

// emit_stmt.c: statements
void emit_body(struct emit *e, const struct gen_block *b); // of the current function

// emit_module.c: types, buffers, builtins, functions
// Returns the number of buffers: all of them, or all but the heap.
uint32_t emit_buffer_count(const struct gen_program *p);
// Emits the module and returns its words.
const uint32_t *emit_module(const struct gen_program *p, struct arena *a, enum spv_model model,
                            size_t *count, struct gen_emitted *out);

#endif
