// SPDX-License-Identifier: Apache-2.0
//
// Shared by the loader's files: the state of decoding, and functions to add or reject an
// instruction. Each load_*.c decodes the instruction c->spv.
#ifndef TF_ORACLE_LOAD_H
#define TF_ORACLE_LOAD_H

#include "machine.h"

// Limits on the planes of all values and on the cells of one type or of all constants. They bound
// memory for any input.
enum { PLANES_MAX = 1 << 23, CELLS_MAX = 1 << 22 };
// Limit for an array of buffers without a length; a pointer's offset has room for no more.
enum { DESCRIPTORS_MAX = 1 << (POINTER_SHIFT - 2 - DESCRIPTOR_SHIFT) };

struct code {
    struct orc_program *p;
    struct orc_why *why;
    struct pointer_info *info; // [bound]
    const uint8_t *glsl;       // [bound] 1: import of GLSL.std.450, 2: non-semantic, 3:
                               // NonSemantic.DebugPrintf, 0: none
    VEC(struct inst) insts;    // of the current block
    uint32_t spv;              // the current instruction
    uint32_t *function_of;     // [bound] index of an OpFunction; NONE: not a function
    bool *reached;             // [function]
    bool *precise;             // [bound] decorated NoContraction
    bool *relaxed;             // [bound] decorated RelaxedPrecision
    bool *coherent;            // [bound] decorated Coherent
    bool *is_volatile;         // [bound] decorated Volatile
    bool *non_uniform;         // [bound] decorated NonUniform
    bool *no_wrap[2];          // [bound] decorated NoUnsignedWrap, NoSignedWrap
};

// Reject an instruction: as unsupported, or as invalid in any module.
bool code_unsupported(struct code *c, const char *what);
bool code_invalid(struct code *c, const char *what);
// Rejects a pointer without planes, with a message that names what it points to: an image, a
// descriptor array, ...; `what` if unknown.
bool code_unknown_pointer(struct code *c, uint32_t pointer, const char *what);
const struct type *code_type(const struct code *c, uint32_t id); // type of a value
// Returns the first plane of an operand. False if the operand has no known value.
bool code_operand(struct code *c, uint32_t id, uint32_t *plane);
struct inst *code_add(struct code *c, enum inst_class klass); // sets dst to the result's planes
bool code_constant(const struct code *c, uint32_t id,
                   uint64_t *value); // false if not an integer constant

// Marks the ids that have the decoration, or a member that has it. (load_decorations.c)
void load_is_decorated(const struct orc_program *p, uint32_t kind, bool *out);
bool load_alu(struct code *c); // load_alu.c
bool load_no_wrap(struct code *c);
bool load_extended(struct code *c);
bool load_float(struct code *c); // load_float.c
bool load_float_extended(struct code *c);
// Adds the instruction that makes bits undefined which Vulkan does not preserve, for floats from
// memory or a cast.
void load_quieten(struct code *c, uint32_t type, uint32_t plane);
bool load_across(struct code *c);
// A ray query of a run that assumes a device: no ray meets anything. False: another instruction.
bool load_meets_nothing(struct code *c);
bool load_composite(struct code *c); // load_composite.c
// Returns the cell and type that a path of constant indices selects. False if the path does not
// exist.
bool load_walk(const struct orc_program *p, uint32_t type, const uint32_t *index, uint32_t n,
               uint32_t *cell, uint32_t *out);
bool load_access(struct code *c); // load_memory.c
// Stores an instruction's second result, which is in planes and has the type that `pointer` points
// to.
bool load_store_of(struct code *c, uint32_t pointer, uint32_t plane);
void load_mark_written(struct orc_program *p, uint32_t object); // NONE: any
bool load_array_length(struct code *c);
bool load_address(struct code *c); // conversions between addresses and numbers
// True if all lanes of the tangle must access the same buffer of an array with this pointer (R10).
bool load_wants_uniform(const struct code *c, uint32_t pointer);
bool load_atomic(struct code *c);
bool load_copy_memory(struct code *c);
bool load_group(struct code *c); // load_group.c
// load_image.c: loads of images and samplers, and the instructions that use them.
static inline bool load_is_opaque(const struct type *t)
{
    return t->kind == TY_IMAGE || t->kind == TY_SAMPLER || t->kind == TY_SAMPLED;
}
bool load_descriptor(struct code *c);
bool load_image_knows(uint32_t op);
bool load_image(struct code *c);
// load_order.c: sets inst.order of an access by a pointer of this storage class, from its memory
// operands (the mask first; n = 0: none), or of an atomic.
bool load_order_of_access(struct code *c, uint32_t storage, bool coherent, const uint32_t *operands,
                          uint32_t n, uint16_t *order);
uint16_t load_order_of_atomic(void);
bool load_barrier(struct code *c);
bool load_static(struct code *c); // load_static.c: checks S1 to S3, after all blocks are decoded

#endif
