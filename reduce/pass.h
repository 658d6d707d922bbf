// SPDX-License-Identifier: Apache-2.0
//
// A pass is one kind of edit of a module or of the case around it. `plan` lists the places where
// the edit may apply, and `apply` applies it to one of them. Whether the result is smaller, valid,
// defined and interesting is tested later. So a pass may list a place where its edit does not work.
// Private to reduce.
#ifndef TF_REDUCE_PASS_H
#define TF_REDUCE_PASS_H

#include "edit.h"

#include "spirv/spirv_groups.h"

struct red_step {
    uint32_t v[4]; // meaning defined by the pass
};

struct red_plan {
    struct spv_edit e; // the case before the edit, read-only
    const struct red_options *o;
    VEC(struct red_step) steps; // in the order in which they are tried
};
#define PLAN(p, ...) (*VEC_PUSH((p)->e.a, &(p)->steps) = (struct red_step){{__VA_ARGS__}})

struct red_pass {
    const char *name;
    void (*plan)(struct red_plan *p);
    // Edits e, which is new; false: the edit does not apply here.
    bool (*apply)(struct spv_edit *e, const struct red_step *s);
};

enum { LOOP_REMOVE, LOOP_ONCE }; // pass_loops: {block, which}
extern const struct red_pass pass_around, pass_debug, pass_calls, pass_loops, pass_leave,
    pass_selections, pass_returns, pass_exits, pass_arms, pass_atomics, pass_flat, pass_ops,
    pass_remove, pass_values, pass_operands, pass_params, pass_merge, pass_declare, pass_cover,
    pass_sizes, pass_constants, pass_inputs;

// Lists runs of 0 .. n-1 in the order of ddmin: halves, quarters ... single ones, as steps {from,
// to, kind}.
void plan_runs(struct red_plan *p, uint32_t n, uint32_t kind);

// Return the weight of a group operation, and its rank among operations of equal weight.
uint32_t op_weight(const struct spv_module *m, const struct spv_inst *x);
uint32_t op_rank(const struct spv_inst *x);

// Returns an array with space for the positions from spv_edit_ids, for any instruction of the
// module.
uint16_t *id_places(struct arena *a, const struct spv_module *m);

// Returns the conditional branch of the `if` whose header is block b, and the label of its merge
// block; NULL if b is not such a header.
const struct spv_inst *branch_of_if(const struct spv_module *m, uint32_t b, uint32_t *merge);
// True if `label` is `to`, or the label of an empty block that branches to `to`.
bool leads_to(const struct spv_module *m, uint32_t label, uint32_t to);

#endif
