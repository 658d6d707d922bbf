// SPDX-License-Identifier: Apache-2.0
//
// One kind of edit of a module or of what stands around it: a pass lists the places
// where it might be applied (its precondition), and applies it to one. Whether what
// comes out is smaller, valid, defined and interesting is asked later: a pass may be
// wrong about a place, never about being an edit. Inside of reduce.
#ifndef TF_REDUCE_PASS_H
#define TF_REDUCE_PASS_H

#include "edit.h"

#include "spirv/spirv_groups.h"

struct red_step {
    uint32_t v[4]; // what they mean is the pass's own
};

struct red_plan {
    struct spv_edit e; // of the case as it is; only to read
    const struct red_options *o;
    VEC(struct red_step) steps; // in the order in which they are tried
};
#define PLAN(p, ...) (*VEC_PUSH((p)->e.a, &(p)->steps) = (struct red_step){{__VA_ARGS__}})

struct red_pass {
    const char *name;
    void (*plan)(struct red_plan *p);
    // Changes e, which is fresh; false: not this place after all.
    bool (*apply)(struct spv_edit *e, const struct red_step *s);
};

enum { LOOP_REMOVE, LOOP_ONCE }; // pass_loops: {block, which}
extern const struct red_pass pass_around, pass_debug, pass_calls, pass_loops, pass_leave,
    pass_selections, pass_returns, pass_exits, pass_arms, pass_atomics, pass_flat, pass_ops,
    pass_remove, pass_values, pass_operands, pass_params, pass_merge, pass_declare, pass_cover,
    pass_sizes, pass_constants, pass_inputs;

// Lists runs of 0 .. n-1 in the order of ddmin: halves, quarters ... single ones; a step
// {from, to, kind}.
void plan_runs(struct red_plan *p, uint32_t n, uint32_t kind);

// What a group operation weighs, and its place among those that weigh the same.
uint32_t op_weight(const struct spv_module *m, const struct spv_inst *x);
uint32_t op_rank(const struct spv_inst *x);

// Room for the positions that spv_edit_ids gives of any instruction of the module.
uint16_t *id_places(struct arena *a, const struct spv_module *m);

// The conditional branch of an if whose header is block b, and its merge block's label; NULL for
// another block.
const struct spv_inst *branch_of_if(const struct spv_module *m, uint32_t b, uint32_t *merge);
// Is the label that one, or of a block that does nothing but go there?
bool leads_to(const struct spv_module *m, uint32_t label, uint32_t to);

#endif
