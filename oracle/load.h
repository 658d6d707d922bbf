// SPDX-License-Identifier: Apache-2.0
//
// What the files of the loader share: the function at hand, and how an instruction
// is refused or made. Every load_*.c below reads the one instruction c->spv.
#ifndef TF_ORACLE_LOAD_H
#define TF_ORACLE_LOAD_H

#include "machine.h"

// Of all values; of one type, of all constants: memory stays bounded on any words.
enum { PLANES_MAX = 1 << 23, CELLS_MAX = 1 << 22 };
// Of one array of buffers that says no number: what a pointer's offset has room for.
enum { DESCRIPTORS_MAX = 1 << (POINTER_SHIFT - 2 - DESCRIPTOR_SHIFT) };

struct code {
    struct orc_program *p;
    struct orc_why *why;
    struct pointer_info *info; // [bound]
    const uint8_t *glsl;       // [bound] 1: import of GLSL.std.450, 2: non-semantic, 3:
                               // NonSemantic.DebugPrintf, 0: none
    VEC(struct inst) insts;    // of the block at hand
    uint32_t spv;              // instruction at hand
    uint32_t *function_of;     // [bound] index of an OpFunction, NONE
    bool *reached;             // [function]
    bool *precise;             // [bound] decorated NoContraction
    bool *relaxed;             // [bound] decorated RelaxedPrecision
    bool *coherent;            // [bound] decorated Coherent
    bool *is_volatile;         // [bound] decorated Volatile
    bool *non_uniform;         // [bound] decorated NonUniform
    bool *no_wrap[2];          // [bound] decorated NoUnsignedWrap, NoSignedWrap
};

// Refuse: by name what the oracle does not know, or what no module may say.
bool code_unsupported(struct code *c, const char *what);
bool code_invalid(struct code *c, const char *what);
// What a pointer that has no planes is of: an image, a descriptor array ...; `what` where that
// cannot be said.
bool code_unknown_pointer(struct code *c, uint32_t pointer, const char *what);
const struct type *code_type(const struct code *c, uint32_t id); // of a value
// First plane of an operand; fails for what has no known value.
bool code_operand(struct code *c, uint32_t id, uint32_t *plane);
struct inst *code_add(struct code *c, enum inst_class klass);           // dst: the result's planes
bool code_constant(const struct code *c, uint32_t id, uint64_t *value); // an integer constant?

// Marks the ids that are decorated so, or a member of which is. (load_decorations.c)
void load_is_decorated(const struct orc_program *p, uint32_t kind, bool *out);
bool load_alu(struct code *c); // load_alu.c
bool load_no_wrap(struct code *c);
bool load_extended(struct code *c);
bool load_float(struct code *c); // load_float.c
bool load_float_extended(struct code *c);
// Makes floats of a value that comes from memory or a cast fit for arithmetic.
void load_quieten(struct code *c, uint32_t type, uint32_t plane);
bool load_across(struct code *c);
bool load_composite(struct code *c); // load_composite.c
// Cell and type of a constant index path into a type. False when there is no such path.
bool load_walk(const struct orc_program *p, uint32_t type, const uint32_t *index, uint32_t n,
               uint32_t *cell, uint32_t *out);
bool load_access(struct code *c); // load_memory.c
// Another instruction's second result, in planes, goes where `pointer` points, which is of its
// type.
bool load_store_of(struct code *c, uint32_t pointer, uint32_t plane);
void load_mark_written(struct orc_program *p, uint32_t object); // NONE: any
bool load_array_length(struct code *c);
bool load_address(struct code *c); // an address becomes a number, a number an address
// Must all of the tangle that use this pointer use one buffer of an array (R10)?
bool load_wants_uniform(const struct code *c, uint32_t pointer);
bool load_atomic(struct code *c);
bool load_copy_memory(struct code *c);
bool load_group(struct code *c); // load_group.c
// load_image.c: an image, a sampler or both, from a variable; what is done with them.
static inline bool load_is_opaque(const struct type *t)
{
    return t->kind == TY_IMAGE || t->kind == TY_SAMPLER || t->kind == TY_SAMPLED;
}
bool load_descriptor(struct code *c);
bool load_image_knows(uint32_t op);
bool load_image(struct code *c);
// load_order.c: inst.order of an access by a pointer of this storage class with these memory
// operands (the mask first; n 0: none), and of an atomic.
bool load_order_of_access(struct code *c, uint32_t storage, bool coherent, const uint32_t *operands,
                          uint32_t n, uint16_t *order);
uint16_t load_order_of_atomic(void);
bool load_barrier(struct code *c);
bool load_static(struct code *c); // load_static.c: S1 to S3, when all blocks are decoded

#endif
