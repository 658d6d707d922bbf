// SPDX-License-Identifier: Apache-2.0
//
// What instructions do: for each kind of instruction the functions that execute it for the active
// lanes of a machine, and what watches them (any values, the trace). execute.c chooses among them.
#ifndef TF_ORACLE_EXECUTE_H
#define TF_ORACLE_EXECUTE_H

#include "machine.h"

// alu.c. alu_run returns false for an opcode that it does not implement.
bool alu_run(const struct inst *i, const struct values *v);
bool alu_knows(uint32_t op);
// alu_across.c: casts between shapes, integer dot products.
bool across_knows(uint32_t op);
void across_run(const struct inst *i, const struct values *v);
// Returns the lanes whose result wrapped; those results become undefined.
lane_mask no_wrap_run(const struct inst *i, const struct values *v);
void relaxed_run(const struct inst *i, const struct values *v);
bool glsl_run(const struct inst *i, const struct values *v);
bool glsl_knows(uint32_t op, uint32_t *operands);

// float.c, with float.def; float_convert.c.
enum float_shape {
    FLOAT_UNKNOWN,
    FLOAT_SAME, // floats to a float of their type
    FLOAT_TEST, // floats to a boolean
    FLOAT_TO_INT,
    FLOAT_FROM_INT,
    FLOAT_TO_FLOAT, // to a float of another width
    FLOAT_LINEAR,   // vectors and matrices: sums of products
};
enum float_shape float_knows(uint32_t op, uint32_t *operands);
void float_run(const struct inst *i, const struct values *v);
bool float_glsl_knows(uint32_t op, uint32_t *operands, bool *is_open);
void float_run_glsl(const struct inst *i, const struct values *v);
void float_quieten(const struct inst *i, const struct values *v);

// group.c
bool group_run(struct machine *m, const struct inst *i);
bool group_arithmetic(struct machine *m, const struct inst *i); // group_arith.c
bool derivative_run(struct machine *m, const struct inst *i);   // derivative.c
// Returns the lanes of the quad that contains the lane.
static inline lane_mask quad_of(uint32_t lane)
{
    return lanes_below((lane & ~(SPV_QUAD - 1u)) + SPV_QUAD) &
           ~lanes_below(lane & ~(SPV_QUAD - 1u));
}

// Returns the linear index of an invocation in the dispatch, plus one.
static inline uint32_t race_invocation(const struct machine *m, uint32_t lane)
{
    return m->group->index * m->group->size + m->invocation[lane] + 1;
}
// Returns the race record of a unit of a buffer. Records are initialised on first use, because most
// units are never accessed.
static inline struct race *race_at(const struct buffer_state *b, uint64_t unit)
{
    uint64_t bit = UINT64_C(1) << (unit & 63);
    if (!(b->raced[unit >> 6] & bit)) {
        b->raced[unit >> 6] |= bit;
        b->races[unit] = (struct race){0};
    }
    return &b->races[unit];
}
// Returns in `at` and `end` the byte position of a pointer's offset and the end of the bytes that
// it may access. False if the offset is out of bounds.
bool buffer_span(const struct buffer_state *b, uint64_t offset, uint64_t *at,
                 uint64_t *end); // memory.c
// any_value.c, for runs with orc_options.any_value: draws values for the undefined result of an
// instruction, an undefined variable, or the module's undefined constants.
void any_value_result(struct machine *m, const struct inst *i);
void any_value_variable(const struct machine *m, const struct object *o, lane_mask lanes);
void any_value_constants(const struct machine *m);
void any_value_shared(struct workgroup *g); // Workgroup memory that is not written yet

// trace.c, for runs with orc_options.trace.
void trace_start(struct run *run);         // after the buffers are attached
void trace_machine(struct machine *m);     // allocates the planes of codes
void trace_workgroup(struct workgroup *g); // starts a workgroup
void trace_prepare(struct machine *m);     // starts a subgroup
// Sets the origin of an instruction's result in the active lanes, and the values of rounded
// floats.
void trace_result(struct machine *m, const struct inst *i);
void trace_withdrawn(struct machine *m, const struct inst *i, enum orc_birth why);
void trace_move(const struct machine *m, uint32_t to, uint32_t from, lane_mask lanes);
void trace_edge(struct machine *m, const struct edge *e, lane_mask lanes);
void trace_fresh(const struct machine *m, uint32_t plane, uint32_t cells, lane_mask lanes);
void trace_atomic(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                  uint64_t offset, bool writes, bool was_defined, bool clash);
void trace_word(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                uint64_t at, bool is_load, uint32_t plane);
void trace_strays(const struct machine *m, const struct inst *i, uint32_t lane); // it reads 0
void trace_known(const struct machine *m, uint32_t plane, uint32_t lane); // its value is certain
// A read outside of its image; `below`: at a negative coordinate.
void trace_outside(const struct machine *m, const struct inst *i, bool below);
void trace_block(const struct machine *m);                         // a block starts
void trace_branch(const struct machine *m, const struct block *b); // a block ends
// Record why the run fails: an operand, an access.
void trace_fault(const struct machine *m, uint32_t plane, lane_mask lanes);
void trace_access_fault(const struct machine *m, const struct inst *i, uint32_t lane, bool race);
void trace_collect(const struct run *run, struct orc_result *out);

// raced.c, for runs with orc_options.forgive. raced_equal records a store of the value that is
// there. raced_forgives: the run continues through a race of a load or store. raced_taints: a load
// has no value. raced_counts: such a value counts at the instruction; the run has failed.
void raced_equal(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
bool raced_forgives(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                    bool is_load);
bool raced_taints(const struct machine *m, const struct race *r, uint32_t lane,
                  const struct inst *i);
bool raced_counts(struct machine *m, const struct inst *i);
void raced_carries(const struct machine *m, uint32_t spv); // the instruction passes such a value on

// rounded.c: computes a float result that is rounded, with the host's arithmetic. False if the
// result is not a float that can be computed.
bool rounded_value(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits);
uint64_t rounded_in_16(uint64_t bits); // rounds 32 bits to a value that 16 bits can hold
uint64_t rounded_atomic(uint32_t op, unsigned width, uint64_t x, uint64_t y);
bool rounded_group(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits);

// image.c: image instructions, for the active lanes.
bool image_run(struct machine *m, const struct inst *i);

// atomic.c
bool atomic_run(struct machine *m, const struct inst *i);
bool atomic_knows(uint32_t op);

// memory.c
// Returns the object and offset of a lane's access. False if the run has failed.
bool memory_locate(struct machine *m, const struct inst *i, uint32_t lane, uint32_t *object,
                   uint64_t *offset);
bool memory_race(struct machine *m, const struct inst *i, uint32_t lane, const char *how);
bool memory_out_of_bounds(struct machine *m, const struct inst *i, uint32_t lane);
// True if a load, store or atomic is out of bounds or not aligned, at an address that is known only
// at run time and defined.
bool memory_strays(const struct machine *m, const struct inst *i, uint32_t lane);
// With orc_options.forgive: such an access does nothing and reads 0. False: it does not stray.
bool memory_forgives(struct machine *m, const struct inst *i, uint32_t lane);
// Checks the address of a helper's store or atomic. The access has no effect (R13), but an access
// chain that is out of bounds makes the program undefined (OpAccessChain). Physical addresses are
// not checked: no access chain made them. Returns false if the run has failed.
bool memory_helper_address(struct machine *m, const struct inst *i, uint32_t lane);
bool memory_uniform(struct machine *m, const struct inst *i);
bool memory_chain(struct machine *m, const struct inst *i);
// Loads or stores one word of a buffer in a plane. `at` must be aligned and in bounds.
bool memory_word(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                 uint64_t at, bool is_load, uint32_t plane);
bool memory_load(struct machine *m, const struct inst *i);
bool memory_store(struct machine *m, const struct inst *i);
bool memory_length(struct machine *m, const struct inst *i);
void memory_enter(struct machine *m, const struct function *f); // initialises Function variables

#endif
