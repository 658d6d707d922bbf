// SPDX-License-Identifier: Apache-2.0
//
// spirv_groups: the group operations, one row each (groups.c). Who asks whether an
// instruction is a group operation, of which class, in which form, or which of two is
// plainer, asks here.
//
// A group operation is an OpGroupNonUniform* instruction (SPIR-V 3.3.24 and the extensions') or one
// of the derivatives (OpDPdx, OpFwidth ..., 3.3.16), which are operations of the quad: its result
// depends on which invocations execute it together. The kernels' OpGroup* and the older
// OpSubgroup*KHR are none: the oracle knows no rules for them.
//
// Which four invocations are a quad is said here, too (quads.c).
#ifndef TF_SPIRV_GROUPS_H
#define TF_SPIRV_GROUPS_H

#include "spirv.h"

// What an invocation gets to know of the others.
enum spv_group_class {
    SPV_GROUP_NONE,       // no group operation
    SPV_GROUP_ELECT,      // whether it is the first
    SPV_GROUP_VOTE,       // whether all, or any, are true or equal
    SPV_GROUP_BALLOT,     // which of them
    SPV_GROUP_BITS,       // nothing: reads a ballot that it holds
    SPV_GROUP_BROADCAST,  // the value of one that is the same for all
    SPV_GROUP_REDUCE,     // all values combined, or its cluster's
    SPV_GROUP_SCAN,       // those of the invocations before it combined
    SPV_GROUP_SHUFFLE,    // the value of one of its own choice
    SPV_GROUP_QUAD,       // of its quad
    SPV_GROUP_DERIVATIVE, // differences between values of its quad
    SPV_GROUP_CLASSES
};

// The type of an operand or a result.
enum spv_group_shape {
    SPV_SHAPE_NONE,   // there is no such operand
    SPV_SHAPE_BOOL,   // one bool
    SPV_SHAPE_WORD,   // one 32-bit integer without sign
    SPV_SHAPE_BALLOT, // a vector of four of those, a bit for each invocation
    SPV_SHAPE_INTS,   // an integer or a vector of integers
    SPV_SHAPE_FLOATS, // a float or a vector of floats
    SPV_SHAPE_BOOLS,  // a bool or a vector of bools
    SPV_SHAPE_ANY,    // any of these three
    SPV_SHAPE_SAME,   // of a result: the type of the first operand
    SPV_SHAPE_LANE,   // an integer that names an invocation
    SPV_SHAPE_STEP,   // an integer that says how far away it is: delta, mask, direction
};

// Operations of one family take operands of the same types, so that one can stand where
// another one stood.
enum spv_group_family {
    SPV_FAMILY_NONE, // it stands alone
    SPV_FAMILY_INTS,
    SPV_FAMILY_FLOATS,
    SPV_FAMILY_BOOLS,
    SPV_FAMILY_VOTES, // AllEqual is of it where its operand is one bool
    SPV_FAMILY_QUAD_VOTES,
    SPV_FAMILY_SHUFFLES,
    SPV_FAMILY_FINDS,
    SPV_FAMILY_DERIVATIVES,
    SPV_FAMILIES
};

struct spv_group_op {
    uint16_t opcode;
    uint8_t klass;      // enum spv_group_class; of scans SPV_GROUP_REDUCE: the form says it
    uint8_t result;     // enum spv_group_shape
    uint8_t operand[2]; // enum spv_group_shape; after scope and form
    uint8_t uniform;    // which operand, 1 or 2, must be the same in all; 0: none. If it is
                        // not, the behaviour is undefined
    bool has_scope;     // begins with its execution scope
    bool has_form;      // then says its GroupOperation
    bool has_cluster;   // may end with a ClusterSize though it has no form
    uint8_t family;     // enum spv_group_family
    uint8_t rank;       // 0 is the plainest of its family
    // What it needs, the second one perhaps nothing ({0, NULL}); a form may need another
    // than the first: spv_group_capability.
    struct spv_group_capability {
        SpvCapability id;
        const char *name; // "GroupNonUniformVote"
    } capability[2];
    const char *extension; // NULL: of SPIR-V 1.3
};

// The row of an opcode; NULL when it is no group operation.
const struct spv_group_op *spv_group_find(uint32_t opcode);
// Row number i, in the order of opcodes; NULL after the last.
const struct spv_group_op *spv_group_row(uint32_t i);
// The member of a family with this rank, NULL after the last.
const struct spv_group_op *spv_group_member(enum spv_group_family family, uint32_t rank);
// The capability that takes the place of capability[0] in this form (SpvGroupOperation; any
// number for what has none).
struct spv_group_capability spv_group_capability(const struct spv_group_op *g, uint32_t form);
// "IAdd" of OpGroupNonUniformIAdd, "DPdx" of OpDPdx; of what is no group operation the name as it
// is.
const char *spv_group_name(uint32_t opcode);
// Is it one of the forms of SPV_NV_shader_subgroup_partitioned?
bool spv_group_is_partitioned(uint32_t form);
// "Reduce", "InclusiveScan" ...; "" for what is no form.
const char *spv_group_form_name(uint32_t form);
// "ballot", "vote" ...; "" for SPV_GROUP_NONE. Signatures of findings spell it so.
const char *spv_group_class_name(enum spv_group_class c);

// ---- of an instruction -----------------------------------------------------------

// Its class; SPV_GROUP_NONE when it is no group operation.
enum spv_group_class spv_group_class(const struct spv_inst *i);
// Its SpvGroupOperation; UINT32_MAX when it has none.
uint32_t spv_group_form(const struct spv_inst *i);
// Which of its operand words is the first one after scope and form.
uint32_t spv_group_first(const struct spv_group_op *g);
// The id of its ClusterSize; 0 when it has none.
uint32_t spv_group_cluster(const struct spv_inst *i);

// ---- quads -----------------------------------------------------------------------

// A quad is four lanes of a subgroup in a row, the first a multiple of four; lane k of the four has
// the quad index k: bit 0 is its x, bit 1 its y (Vulkan, "Quad" scope). What execution modes add to
// that:
enum spv_quads {
    SPV_QUADS_OF_LANES, // nothing: any four invocations may be on these lanes
    SPV_QUADS_LINEAR,   // DerivativeGroupLinearKHR: four of consecutive LocalInvocationIndex
    SPV_QUADS_2X2, // DerivativeGroupQuadsKHR: two by two of LocalInvocationId, quad index y * 2 + x
};
enum { SPV_QUAD = 4 }; // lanes
// What the (first) GLCompute entry point says.
enum spv_quads spv_quads_of(const struct spv_module *m);
// May a workgroup of this size have such quads?
bool spv_quads_fit(enum spv_quads q, const uint32_t size[3]);
// The place of invocation i (LocalInvocationIndex) of a workgroup in an order in which each four in
// a row, from a multiple of four on, are a quad by their quad index.
uint32_t spv_quads_place(enum spv_quads q, const uint32_t size[3], uint32_t i);
// The invocation of quad index 0 of the quad that invocation i is in.
uint32_t spv_quads_first(enum spv_quads q, const uint32_t size[3], uint32_t i);

#endif
