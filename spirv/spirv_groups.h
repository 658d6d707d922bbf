// SPDX-License-Identifier: Apache-2.0
//
// spirv_groups: the table of group operations (groups.c): class, operand types, form, and which of
// two operations is simpler.
//
// A group operation is an OpGroupNonUniform* instruction (SPIR-V 3.3.24 and extensions) or a
// derivative (OpDPdx, OpFwidth ..., 3.3.16), which is an operation of the quad. Its result depends
// on which invocations execute it together. The kernels' OpGroup* and the older OpSubgroup*KHR are
// not in the table: the oracle has no rules for them.
//
// Quads are defined here, too (quads.c).
#ifndef TF_SPIRV_GROUPS_H
#define TF_SPIRV_GROUPS_H

#include "spirv.h"

// What the result of an operation reveals about the other invocations.
enum spv_group_class {
    SPV_GROUP_NONE,       // not a group operation
    SPV_GROUP_ELECT,      // whether this invocation is the first
    SPV_GROUP_VOTE,       // whether a condition is true for all, or any; whether values are equal
    SPV_GROUP_BALLOT,     // for which invocations it is true
    SPV_GROUP_BITS,       // nothing: reads bits of a ballot value
    SPV_GROUP_BROADCAST,  // the value of one invocation, the same one for all
    SPV_GROUP_REDUCE,     // all values combined, or those of a cluster
    SPV_GROUP_SCAN,       // the values of the preceding invocations combined
    SPV_GROUP_SHUFFLE,    // the value of an invocation that each one selects
    SPV_GROUP_QUAD,       // values of the quad
    SPV_GROUP_DERIVATIVE, // differences between values of the quad
    SPV_GROUP_CLASSES
};

// The type of an operand or a result.
enum spv_group_shape {
    SPV_SHAPE_NONE,   // no such operand
    SPV_SHAPE_BOOL,   // one bool
    SPV_SHAPE_WORD,   // one unsigned 32-bit integer
    SPV_SHAPE_BALLOT, // a vector of four of those, one bit per invocation
    SPV_SHAPE_INTS,   // an integer or a vector of integers
    SPV_SHAPE_FLOATS, // a float or a vector of floats
    SPV_SHAPE_BOOLS,  // a bool or a vector of bools
    SPV_SHAPE_ANY,    // any of the three above
    SPV_SHAPE_SAME,   // for a result: the type of the first operand
    SPV_SHAPE_LANE,   // an integer that names an invocation
    SPV_SHAPE_STEP,   // an integer distance between invocations: delta, mask, direction
};

// Operations of one family have the same operand types, so one can replace another.
enum spv_group_family {
    SPV_FAMILY_NONE, // no family
    SPV_FAMILY_INTS,
    SPV_FAMILY_FLOATS,
    SPV_FAMILY_BOOLS,
    SPV_FAMILY_VOTES, // includes AllEqual if its operand is one bool
    SPV_FAMILY_QUAD_VOTES,
    SPV_FAMILY_SHUFFLES,
    SPV_FAMILY_FINDS,
    SPV_FAMILY_DERIVATIVES,
    SPV_FAMILIES
};

struct spv_group_op {
    uint16_t opcode;
    uint8_t klass;      // enum spv_group_class; SPV_GROUP_REDUCE for scans, which differ by form
    uint8_t result;     // enum spv_group_shape
    uint8_t operand[2]; // enum spv_group_shape; the operands after scope and form
    uint8_t uniform;  // the operand, 1 or 2, that must be uniform, else the behaviour is undefined;
                      // 0: none
    bool has_scope;   // the first operand is an execution scope
    bool has_form;    // the next operand is a GroupOperation
    bool has_cluster; // has no form but may end with a ClusterSize
    uint8_t family;   // enum spv_group_family
    uint8_t rank;     // 0 is the simplest of its family
    // Required capabilities; the second may be absent ({0, NULL}). A form may replace the first
    // one, see spv_group_capability.
    struct spv_group_capability {
        SpvCapability id;
        const char *name; // "GroupNonUniformVote"
    } capability[2];
    const char *extension; // NULL: in SPIR-V 1.3
};

// Returns the row of an opcode, or NULL if it is not a group operation.
const struct spv_group_op *spv_group_find(uint32_t opcode);
// Returns row i, in the order of opcodes; NULL after the last.
const struct spv_group_op *spv_group_row(uint32_t i);
// Returns the member of a family with this rank; NULL after the last.
const struct spv_group_op *spv_group_member(enum spv_group_family family, uint32_t rank);
// Returns the capability that the operation requires in this form (SpvGroupOperation; any number if
// it has no form): capability[0], or the clustered or partitioned one that replaces it.
struct spv_group_capability spv_group_capability(const struct spv_group_op *g, uint32_t form);
// "IAdd" for OpGroupNonUniformIAdd, "DPdx" for OpDPdx; the full name for other opcodes.
const char *spv_group_name(uint32_t opcode);
// True for the forms of SPV_NV_shader_subgroup_partitioned.
bool spv_group_is_partitioned(uint32_t form);
// "Reduce", "InclusiveScan" ...; "" for other numbers.
const char *spv_group_form_name(uint32_t form);
// "ballot", "vote" ...; "" for SPV_GROUP_NONE. Signatures of findings contain these names.
const char *spv_group_class_name(enum spv_group_class c);

// ---- of an instruction -----------------------------------------------------------

// Returns its class; SPV_GROUP_NONE if it is not a group operation.
enum spv_group_class spv_group_class(const struct spv_inst *i);
// Returns its SpvGroupOperation; UINT32_MAX if it has none.
uint32_t spv_group_form(const struct spv_inst *i);
// Returns the index of the first operand word after scope and form.
uint32_t spv_group_first(const struct spv_group_op *g);
// Returns the id of its ClusterSize; 0 if it has none.
uint32_t spv_group_cluster(const struct spv_inst *i);

// ---- quads -----------------------------------------------------------------------

// A quad is four consecutive lanes of a subgroup; the first lane is a multiple of four. Lane k of
// the four has quad index k: bit 0 is x, bit 1 is y (Vulkan, "Quad" scope). Execution modes add:
enum spv_quads {
    SPV_QUADS_OF_LANES, // nothing: any four invocations may be on these lanes
    SPV_QUADS_LINEAR,   // DerivativeGroupLinearKHR: four of consecutive LocalInvocationIndex
    SPV_QUADS_2X2, // DerivativeGroupQuadsKHR: two by two of LocalInvocationId, quad index y * 2 + x
};
enum { SPV_QUAD = 4 }; // lanes
// Returns the mode of the first GLCompute entry point; SPV_QUADS_OF_LANES if there is none.
enum spv_quads spv_quads_of(const struct spv_module *m);
// True if a workgroup of this size can be divided into such quads.
bool spv_quads_fit(enum spv_quads q, const uint32_t size[3]);
// Returns the position of invocation i (LocalInvocationIndex) in an order in which each four
// consecutive ones, from a multiple of four, are a quad in order of quad index. This and the next
// function require a size that fits.
uint32_t spv_quads_place(enum spv_quads q, const uint32_t size[3], uint32_t i);
// Returns the invocation with quad index 0 in the quad of invocation i.
uint32_t spv_quads_first(enum spv_quads q, const uint32_t size[3], uint32_t i);

#endif
